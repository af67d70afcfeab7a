/* goldmem run --per-pc: issues against the lines of a trace, counted by themselves; source lines of
 * a trace that has them; counts against the run's, of each kind of machine; cycles against those of
 * --latency; equal bytes without skipping, with threads and after checkpoints. */
#include "support/support.h"

#include <stdio.h>
#include <string.h>

/* Runs a shell command in the test's folder; $g is goldmem. */
static void expect(const char *line, int status, const char *text)
{
    test_command command =
        test_run("g=$(realpath $GOLDMEM); cd '%s' && { %s\n}", test_folder(), line);
    test_expect(&command, status, text);
}

/* A trace of version 4, and one with the number 100 + PC / 16 in front of each instruction. */
static void issues_are_the_traces_lines(void **state)
{
    (void)state;
    char line[3072];
    snprintf(line, sizeof line,
             "export g; cp '%s'/vectoradd-sm61-v4/k* . && python3 - <<'E'\n"
             "import collections, json, os, re, subprocess\n"
             "text = open('kernel-1.traceg').read().split('\\n')\n"
             "pattern = re.compile('([0-9a-f]{4}) [0-9a-f]{8} [0-9]+ ')\n"
             "found = [pattern.match(l) for l in text]\n"
             "want = collections.Counter(int(m.group(1), 16) for m in found if m)\n"
             "assert sum(want.values()) > 300\n"
             "def rows():\n"
             "    subprocess.run([os.environ['g'], 'run', '-q', '--check', '--per-pc',\n"
             "                    '--json', 'r.json', 'kernelslist.g'], check=True)\n"
             "    return json.load(open('r.json'))['per_pc']\n"
             "plain = rows()\n"
             "assert {r['pc']: r['issues'] for r in plain} == want\n"
             "assert [r['pc'] for r in plain] == sorted(want)\n"
             "assert all('line' not in r for r in plain)\n"
             "words = [l.split() for m, l in zip(found, text) if m]\n"
             "names = {int(w[0], 16): w[3 + int(w[2])] for w in words}\n"
             "assert {r['pc']: r['opcode'] for r in plain} == names\n"
             "lines = [f'{100 + int(m.group(1), 16) // 16} {l}' if m else\n"
             "         l.replace('lineinfo = 0', 'lineinfo = 1') for m, l in zip(found, text)]\n"
             "open('kernel-1.traceg', 'w').write('\\n'.join(lines))\n"
             "numbered = rows()\n"
             "assert all(r.pop('line') == 100 + r['pc'] // 16 for r in numbered)\n"
             "assert numbered == plain\n"
             "print('counted')\nE",
             test_shared_data("GOLDMEM_TRACES"));
    expect(line, 0, "counted");
}

/* Sums are the run's; a memory instruction takes as long as --latency says; nothing else changes.
 */
static void sums_are_the_runs(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "workload:bfs,nodes=600",
        "workload:cfd", /* more instructions than the first table of rows holds */
        "--preset v100 workload:spmv,rows=300",
        "--set sm.fetch=1 --set l1i.size=4KB workload:spmv,rows=300",
        "--set l1.kind=decoupled workload:spmv,rows=300",
        "--set gpu.kernels=4 workload:bfs,nodes=600",
        "--set sm.throttle=ccws workload:spmv,rows=300",
        "--preset fermi-tc --set coherence.protocol=tcw workload:bfs,nodes=600",
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char line[2048];
        snprintf(
            line, sizeof line,
            "run() { $g run -q --check \"$@\" %s; }; "
            "run --latency --per-pc --json r.json && "
            "run --latency --per-pc --no-skip -t 3 --json s.json && cmp r.json s.json && "
            "run --latency --json s.json && python3 -c \"\n"
            "import json\n"
            "r = json.load(open('r.json'))\n"
            "pcs = r.pop('per_pc')\n"
            "assert r == json.load(open('s.json'))\n"
            "add = lambda name: sum(p[name] for p in pcs)\n"
            "total = r['total']\n"
            "assert add('issues') == total['warp_instructions']\n"
            "of = lambda rows, name: {k: sum(r[name] for r in rows if r.get('kernel', "
            "r.get('name')) == k) for k in {k['name'] for k in r['kernels']}}\n"
            "assert of(pcs, 'issues') == of(r['kernels'], 'warp_instructions')\n"
            "assert add('misses') == total['l1d']['misses'] and add('misses') > 0\n"
            "assert add('requests') == total['l1d']['accesses']\n"
            "took = sum(k['all']['cycles'] for n, k in r['latency'].items() "
            "if n != 'requests')\n"
            "assert add('memory_cycles') == took, (add('memory_cycles'), took)\n"
            "assert all(p['requests'] == 0 or p['memory_cycles'] >= p['issues'] for p in pcs)\n"
            "print('summed')\"",
            rows[i]);
        expect(line, 0, "summed");
    }
}

/* One warp: it waits whenever it does not issue, but for the end of the kernel. */
static void a_chase_waits_all_the_time(void **state)
{
    (void)state;
    expect("$g run -q --check --per-pc --json r.json workload:chase,bytes=8192 && python3 -c \"\n"
           "import json\n"
           "r = json.load(open('r.json'))\n"
           "cycles = r['total']['cycles']\n"
           "used = sum(p['waited'] + p['issues'] for p in r['per_pc'])\n"
           "assert cycles - 400 < used <= cycles, (used, cycles)\n"
           "loads = [p for p in r['per_pc'] if p['opcode'].startswith('LDG')]\n"
           "l1 = r['total']['l1d']['load']\n"
           "assert len(loads) == 1 and loads[0]['hits'] == l1['hits'] > 3000\n"
           "assert loads[0]['misses'] == l1['misses'] == 64\n"
           "print('waited')\"",
           0, "waited");
}

static void checkpoints_keep_the_counts(void **state)
{
    (void)state;
    expect("run() { $g run -q --check --per-pc --json r.json \"$@\" workload:bfs,nodes=600; }; "
           "run && mv r.json whole.json && for limit in 1500 3100 4700 6000; do "
           "run --checkpoint c,every=500 --max-cycles $limit $([ -f c ] && echo --resume c) "
           "|| exit 3; done; run --resume c && cmp r.json whole.json && echo resumed",
           0, "resumed");
    expect("$g run -q --resume c workload:bfs,nodes=600", 2,
           "goldmem: c: made with --per-pc; this run is without it");
    expect("$g run -q --engine=order --per-pc workload:bfs,nodes=600", 2,
           "--per-pc needs --engine=cycle, not order");
}

static void the_text_has_the_longest_waits(void **state)
{
    (void)state;
    expect("$g run --per-pc workload:bfs,nodes=600", 0,
           "\nInstructions for whose issue warps waited longest\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(issues_are_the_traces_lines),
        cmocka_unit_test(sums_are_the_runs),
        cmocka_unit_test(a_chase_waits_all_the_time),
        cmocka_unit_test(checkpoints_keep_the_counts),
        cmocka_unit_test(the_text_has_the_longest_waits),
    };
    return cmocka_run_group_tests(tests, test_folder_setup, test_folder_teardown);
}
