/* goldmem run --stats=gpgpusim: the regular expressions of Accel-Sim's example_stats.yml find every
 * number, and its rules of reading (values of one kernel, differences of sums, what a stopped run
 * loses) give the counters of the JSON report. */
#include "support/support.h"

/* Runs a shell command in the test's folder; $g is goldmem. */
static void expect(const char *line, int status, const char *text)
{
    test_command command =
        test_run("g=$(realpath $GOLDMEM); cd '%s' && { %s\n}", test_folder(), line);
    test_expect(&command, status, text);
}

/* Python: reads out.txt as get_stats.py -K does (accel-sim-framework, util/job_launching):
 * `kernels` has a value of each expression for each kernel, sums as the difference to the kernel
 * before; `last` the value that stands last. `report` is r.json. */
#define READ                                                                                       \
    "python3 - <<'E'\n"                                                                            \
    "import json, re\n"                                                                            \
    "report = json.load(open('r.json'))\n"                                                         \
    "def broken(cache, kind, how):\n"                                                              \
    "    return r'\\s+%s_stats_breakdown\\[GLOBAL_ACC_%s\\]\\[%s\\]\\s*=\\s*(.*)' % (cache, "      \
    "kind, how)\n"                                                                                 \
    "core, l2 = 'Total_core_cache', 'L2_cache'\n"                                                  \
    "sums = [r'gpu_tot_sim_insn\\s*=\\s*(.*)',\n"                                                  \
    "        r'gpgpu_simulation_time\\s*=.*\\(([0-9]+) sec\\).*',\n"                               \
    "        r'gpu_tot_sim_cycle\\s*=\\s*(.*)',\n"                                                 \
    "        r'gpgpu_n_tot_w_icount\\s*=\\s*(.*)',\n"                                              \
    "        r'total dram reads\\s*=\\s*(.*)', r'total dram writes\\s*=\\s*(.*)',\n"               \
    "        r'kernel_launch_uid\\s*=\\s*(.*)'] + [broken(*x) for x in (\n"                        \
    "        (l2, 'R', 'HIT'), (l2, 'R', 'TOTAL_ACCESS'), (l2, 'W', 'HIT'),\n"                     \
    "        (l2, 'W', 'TOTAL_ACCESS'), (core, 'R', 'TOTAL_ACCESS'), (core, 'R', 'HIT'),\n"        \
    "        (core, 'W', 'HIT'), (core, 'W', 'TOTAL_ACCESS'), (core, 'R', 'MSHR_HIT'))]\n"         \
    "own = [r'gpu_ipc\\s*=\\s*(.*)', r'gpu_occupancy\\s*=\\s*(.*)%',\n"                            \
    "       r'L2_BW\\s*=\\s*(.*)+GB\\/Sec']\n"                                                     \
    "rates = [r'gpgpu_simulation_rate\\s+=\\s+(.*)\\s+\\(inst\\/sec\\)',\n"                        \
    "         r'gpgpu_simulation_rate\\s+=\\s+(.*)\\s+\\(cycle\\/sec\\)',\n"                       \
    "         r'gpgpu_silicon_slowdown\\s*=\\s*(.*)x', r'gpu_tot_ipc\\s*=\\s*(.*)']\n"             \
    "kernels, last, before = [], {}, {}\n"                                                         \
    "for line in open('out.txt'):\n"                                                               \
    "    if re.match(r'GPGPU-Sim: \\*\\* break due to reaching the maximum', line): "              \
    "kernels.pop()\n"                                                                              \
    "    name = re.match(r'kernel_name\\s+=\\s+(.*)', line)\n"                                     \
    "    if name: kernels.append({'name': name.group(1).strip()}); continue\n"                     \
    "    for x in sums + own + rates:\n"                                                           \
    "        found = re.search(x, line.rstrip())\n"                                                \
    "        if not found: continue\n"                                                             \
    "        value = found.group(1).strip()\n"                                                     \
    "        last[x] = value\n"                                                                    \
    "        if x == own[2]: value = 0\n" /* its group ends empty, as GPGPU-Sim's own text's */    \
    "        kernels[-1][x] = float(value) - (before.get(x, 0) if x in sums else 0)\n"             \
    "        if x in sums: before[x] = float(value)\n"                                             \
    "ends = line.startswith('GPGPU-Sim: *** exit detected ***')\n"                                 \
    "def want(s):\n"                                                                               \
    "    r = {sums[0]: s['thread_instructions'], sums[3]: s['warp_instructions'],\n"               \
    "         sums[4]: s['dram']['reads'], sums[5]: s['dram']['writes']}\n"                        \
    "    if 'cycles' in s:\n"                                                                      \
    "        t = s['time']\n"                                                                      \
    "        r[sums[2]] = s['cycles']\n"                                                           \
    "        r[own[0]] = round(s['thread_instructions'] / s['cycles'], 4)\n"                       \
    "        r[own[1]] = round(100 * t['warp_cycles'] /\n"                                         \
    "            (t['occupied_cycles'] * report['config']['sm.warps']), 4)\n"                      \
    "    for cache, of in ((core, s['l1d']), (l2, s['l2'])):\n"                                    \
    "        def sum_of(counter, kinds): return sum(of[k][counter] for k in kinds)\n"              \
    "        for kind, kinds in (('R', ('load', 'atomic')), ('W', ('store',))):\n"                 \
    "            all = sum_of('accesses', kinds)\n"                                                \
    "            r[broken(cache, kind, 'HIT')] = sum_of('hits', kinds)\n"                          \
    "            if all: r[broken(cache, kind, 'TOTAL_ACCESS')] = all\n"                           \
    "    r[broken(core, 'R', 'MSHR_HIT')] = (s['l1d']['load']['hits_pending'] +\n"                 \
    "        s['l1d']['atomic']['hits_pending'])\n"                                                \
    "    return r\n"

/* Python: each kernel's values are those of the report, and the last ones the total's. */
#define COMPARE                                                                                    \
    "for kernel, json_kernel in zip(kernels, report['kernels']):\n"                                \
    "    assert kernel['name'] == json_kernel['name']\n"                                           \
    "    for x, value in want(json_kernel).items():\n"                                             \
    "        got = kernel.get(x, 0)\n"                                                             \
    "        assert abs(got - value) < 1e-3, (x, got, value)\n"                                    \
    "for x, value in want(report['total']).items():\n"                                             \
    "    if x in sums and not whole: continue\n"                                                   \
    "    if x in sums: assert float(last[x]) == value, (x, last[x], value)\n"

static void kernels_and_totals(void **state)
{
    (void)state;
    expect("for run in 'workload:bfs,nodes=1024' 'workload:histo,n=4096 --preset v100' \\\n"
           "    'workload:atomics,ctas=8 --set gpu.sms=3'; do\n"
           "  $g run --stats=gpgpusim --json r.json $run >out.txt || exit 1\n" READ
           "whole = True\n" COMPARE "for x in sums + own + rates:\n"
           "    assert x in last or 'GLOBAL_ACC_' in x or 'slowdown' in x, x\n"
           "assert re.match(r'^L2_BW  = +[0-9.]+ GB/Sec$', next(l for l in open('out.txt')\n"
           "                                                    if l.startswith('L2_BW ')))\n"
           "assert ends and len(kernels) == len(report['kernels'])\n"
           "print('equal', len(kernels) > 0)\n"
           "E\n"
           "done",
           0, "equal True\nequal True\nequal True\n");
}

/* Fields that only one kind of run fills: fails, sector misses, instructions, bandwidth. */
static void further_lines(void **state)
{
    (void)state;
    expect("$g run --stats=gpgpusim --json r.json --set sm.fetch=2 --set l1i.size=2KB --set "
           "l1.mshrs=4 --set l1.miss_queue=1 --set "
           "l1.sectored=yes --set l2.sectored=yes workload:kmeans,points=512 >out.txt &&\n"
           "python3 - <<'E'\n"
           "import json, re\n"
           "t = json.load(open('r.json'))['total']\n"
           "config = json.load(open('r.json'))['config']\n"
           "lines = {}\n"
           "for l in open('out.txt'):\n"
           "    if ' = ' in l: lines[l.split(' = ')[0].strip()] = l.split(' = ')[1].strip()\n"
           "kinds = {'GLOBAL_ACC_R': ('load', 'atomic'), 'GLOBAL_ACC_W': ('store',),\n"
           "         'INST_ACC_R': ('instruction',)}\n"
           "seen = set()\n"
           "def number(of, counter):\n"
           "    fail = counter.startswith('fails_')\n"
           "    return of['reservation_fails'][counter[6:]] if fail else of[counter]\n"
           "def check(name, value):\n"
           "    assert int(lines.get(name, 0)) == value, (name, lines.get(name), value)\n"
           "    if value: seen.add(name)\n"
           "for of, name, total in ((t['l1d'], 'Total_core_cache', 'L1D'),\n"
           "                        (t['l2'], 'L2_cache', 'L2')):\n"
           "    def sum_of(counter, kinds=('load', 'store', 'atomic', 'instruction')):\n"
           "        return sum(number(of[k], counter) for k in kinds if k in of)\n"
           "    fail = name + ('_fail_stats' if total == 'L1D' else '_stats_fail') + '_breakdown'\n"
           "    for kind, own in kinds.items():\n"
           "        at = f'{name}_stats_breakdown[{kind}]'\n"
           "        check(at + '[HIT_RESERVED]', sum_of('hits_pending', own))\n"
           "        check(at + '[SECTOR_MISS]', sum_of('sector_misses', own))\n"
           "        check(at + '[MISS]', sum_of('misses', own) - sum_of('sector_misses', own)\n"
           "              + sum_of('bypasses', own))\n"
           "        fails = {'LINE_ALLOC_FAIL': ('fails_line',),\n"
           "                 'MSHR_ENRTY_FAIL': ('fails_mshr_entry',),\n"
           "                 'MSHR_MERGE_ENRTY_FAIL': ('fails_mshr_merge',),\n"
           "                 'MISS_QUEUE_FULL': ('fails_miss_queue', 'fails_bypass_queue')}\n"
           "        for reason, counters in fails.items():\n"
           "            check(f'{fail}[{kind}][{reason}]', sum(sum_of(c, own) for c in counters))\n"
           "        check(at + '[RESERVATION_FAIL]',\n"
           "              sum(sum_of(c, own) for cs in fails.values() for c in cs))\n"
           "    check(total + '_total_cache_accesses', sum_of('accesses'))\n"
           "    check(total + '_total_cache_misses', sum_of('misses') + sum_of('bypasses'))\n"
           "    check(total + '_total_cache_pending_hits', sum_of('hits_pending'))\n"
           "check('gpgpu_n_tot_thrd_icount', t['thread_instructions'])\n"
           "check('gpu_tot_issued_cta', t['ctas'])\n"
           "gb = t['traffic_bytes']['ld'] * config['clock.core'] / t['cycles'] / 1000\n"
           "assert abs(float(lines['L2_BW_total'].split()[0]) - gb) < 1e-3\n"
           "assert gb > 1 and len(seen) >= 16, (gb, sorted(seen))\n"
           "print('equal')\nE",
           0, "equal");
}

/* A stopped run loses its last kernel, as get_stats.py has it; one that is interrupted has no
 * end. */
static void stopped(void **state)
{
    (void)state;
    expect("$g run --stats=gpgpusim --json r.json --max-cycles=5000 workload:bfs,nodes=1024 "
           ">out.txt\n" READ "whole = False\n" COMPARE
           "assert ends and len(kernels) == len(report['kernels']) - 1 > 0\n"
           "print('stopped')\nE",
           0, "stopped");
    expect("c=$(jq '.kernels[0].cycles' r.json); $g run --stats=gpgpusim --json r.json "
           "--max-cycles=$c workload:bfs,nodes=1024 >out.txt\n" READ "whole = True\n" COMPARE
           "assert ends and len(kernels) == len(report['kernels']) == 1\n"
           "print('before the next')\nE",
           0, "before the next");
    expect("timeout -s INT 1 $g run --stats=gpgpusim workload:syrk,n=64 >out.txt 2>error.txt\n"
           "grep -c 'exit detected' out.txt; grep -c interrupted error.txt",
           0, "0\n1\n");
}

/* Kernels that overlap have only their own lines; the machine's follow the last one. */
static void overlapped(void **state)
{
    (void)state;
    expect("$g run --stats=gpgpusim --json r.json --set gpu.kernels=4 workload:overlap "
           ">out.txt\n" READ "whole = True\n"
           "for x, value in want(report['total']).items():\n"
           "    if x in sums: assert float(last[x]) == value, (x, last[x], value)\n"
           "assert len(kernels) == len(report['kernels']) > 1 and sums[4] not in kernels[0]\n"
           "print('whole')\nE",
           0, "whole");
}

/* The order engine has no time. */
static void untimed(void **state)
{
    (void)state;
    expect("$g run --engine=order --stats=gpgpusim --json r.json workload:bfs,nodes=1024 "
           ">out.txt\n" READ "whole = True\n" COMPARE
           "assert sums[2] not in last and own[0] not in last\n"
           "print('equal')\nE",
           0, "equal");
}

static void refused(void **state)
{
    (void)state;
    expect("$g run --stats=mcpat workload:spmv", 2, "--stats: no form 'mcpat'; there is gpgpusim");
    expect("$g run -q --stats=gpgpusim workload:spmv", 2, "--stats and --quiet exclude each");
    expect("$g run --json - --stats=gpgpusim workload:spmv", 2,
           "--json and --stats both write to '-'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(kernels_and_totals, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(further_lines, test_folder_setup, test_folder_teardown),
        cmocka_unit_test_setup_teardown(stopped, test_folder_setup, test_folder_teardown),
        cmocka_unit_test_setup_teardown(overlapped, test_folder_setup, test_folder_teardown),
        cmocka_unit_test_setup_teardown(untimed, test_folder_setup, test_folder_teardown),
        cmocka_unit_test_setup_teardown(refused, test_folder_setup, test_folder_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
