/* goldmem run --per-set: lines of the L2's sets against counters and series, which count them in
 * another way; both engines; the page of goldmem report; refusals. */
#include "support/support.h"

#include <stdio.h>

/* Runs a shell command in the test's folder; $g is goldmem. */
static void expect(const char *line, int status, const char *text)
{
    test_command command =
        test_run("g=$(realpath $GOLDMEM); cd '%s' && { %s\n}", test_folder(), line);
    test_expect(&command, status, text);
}

/* Without evictions a set has all lines that map to it: those of consecutive addresses are spread
 * over partitions and sets, one each, until all sets have one, then two and so on. */
static void consecutive_lines_are_spread(void **state)
{
    (void)state;
    static const char *const engines[] = {"order", "cycle"};
    for (unsigned i = 0; i < 2; i++) {
        char line[1024];
        snprintf(line, sizeof line,
                 "for bytes in 4096 98304 393216; do "
                 "$g run -q --engine=%s --per-set --json r.json --set l2.copy_fills=no "
                 "--set l2.index=sequential "
                 "workload:chase,bytes=$bytes,loads=20000 && python3 -c \"\n"
                 "import json\n"
                 "r = json.load(open('r.json'))\n"
                 "k = r['kernels'][0]['l2_sets']\n"
                 "assert k['ways'] == r['config']['l2.ways'] == 16\n"
                 "sets = 768 * 1024 // 128 // 16\n"
                 "assert len(k['lines']) == len(k['dirty']) == sets and 'shared' not in k\n"
                 "n = $bytes // 128\n"
                 "assert sum(k['lines']) == n + 1 == r['total']['l2']['misses'], k\n"
                 "assert sum(k['dirty']) == 1\n"
                 "assert max(k['lines']) <= -(-n // sets) + 1\n"
                 "\" || exit 3; done; echo spread",
                 engines[i]);
        expect(line, 0, "spread");
    }
}

/* The series counts lines of banks by the block's bits, this option by ways; at the last kernel's
 * end nothing is in flight. A line that is dead is shared, one that is shared or dirty is one. */
static void sums_are_those_of_the_series(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "--preset fermi-sharing --set sharing.enabled=yes workload:bfs,nodes=2000",
        "--preset fermi-sharing --set sharing.enabled=yes --set sharing.l2_dead=yes "
        "--set l2.size=48KB workload:bfs,nodes=2000",
        "--preset kepler-sharing --set sharing.enabled=yes --set sharing.kernel_reset=yes "
        "workload:hotspot,n=64",
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char line[2048];
        snprintf(line, sizeof line,
                 "run() { $g run -q --check --json \"$@\" --per-set %s; }; "
                 "run r.json --series s.csv,every=100M,per=bank && run n.json --no-skip -t 2 && "
                 "cmp r.json n.json && python3 -c \"\n"
                 "import csv, json\n"
                 "r = json.load(open('r.json'))\n"
                 "series = list(csv.DictReader(open('s.csv')))\n"
                 "total = [row for row in series if row['unit'] == 'total'][-1]\n"
                 "banks = [row for row in series if row['unit'] == 'bank']\n"
                 "kernels = [k['l2_sets'] for k in r['kernels']]\n"
                 "last = kernels[-1]\n"
                 "sets = len(last['lines']) // len(banks)\n"
                 "names = {'lines': 'l2_lines', 'shared': 'l2_shared_lines', "
                 "'dead': 'l2_dead_lines'}\n"
                 "reset = r['config']['sharing.kernel_reset']\n"
                 "for name, column in names.items():\n"
                 "    assert sum(last[name]) == int(total[column]), name\n"
                 "    for i, bank in enumerate(banks):\n"
                 "        assert sum(last[name][i * sets:i * sets + sets]) == int(bank[column])\n"
                 "assert (sum(last['shared']) == 0) == (reset in (True, 'yes')), reset\n"
                 "dead = r['config']['sharing.l2_dead'] in (True, 'yes')\n"
                 "assert any(sum(k['dead']) for k in kernels) == dead\n"
                 "for k in kernels:\n"
                 "    for lines, dirty, shared, dead in zip(*(k[n] for n in "
                 "('lines', 'dirty', 'shared', 'dead'))):\n"
                 "        assert dead <= shared <= lines <= k['ways'] and dirty <= lines\n"
                 "misses = sum(k['lines'] != kernels[0]['lines'] for k in kernels)\n"
                 "assert misses > 0 or len(kernels) < 3\n"
                 "print('summed')\"",
                 rows[i]);
        expect(line, 0, "summed");
    }
}

/* Where requests are answered one by one both engines end with equal sets, of each replacement. */
static void both_engines_agree(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "--preset fermi-sharing --set sharing.enabled=yes workload:chase,bytes=1048576,loads=9000",
        "--set l2.replacement=srrip --set l2.size=96KB workload:chase,bytes=1048576,loads=9000",
        "--set l2.ways=full --set l2.size=96KB workload:chase,bytes=262144,loads=4000",
        "--set l2.ways=32 workload:nw,n=64",
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char line[1024];
        snprintf(line, sizeof line,
                 "for e in order cycle; do $g run -q --engine=$e --set gpu.sms=1 --set sm.ctas=1 "
                 "--per-set --json $e.json %s && python3 -c \"\n"
                 "import json\n"
                 "print([k['l2_sets'] for k in json.load(open('$e.json'))['kernels']])\" > $e || "
                 "exit 3; done; cmp order cycle && echo equal",
                 rows[i]);
        expect(line, 0, "equal");
    }
}

/* The page has a row for each kernel and the mean of each cell's sets. */
static void the_page_has_the_means(void **state)
{
    (void)state;
    expect("$g run -q --preset fermi-sharing --set sharing.enabled=yes --per-set --json r.json "
           "workload:bfs,nodes=2000 && $g run -q --json plain.json workload:chase && "
           "$g report -o r.html r.json && $g report -o plain.html plain.json && "
           "! grep -q 'id=.sets' plain.html && python3 -c \"\n"
           "import json, re\n"
           "kernels = json.load(open('r.json'))['kernels']\n"
           "page = open('r.html').read()\n"
           "page = page[page.index('<h2 id=\\\"sets\\\"'):]\n"
           "parts = page.split('<svg')[1:]\n"
           "assert len(parts) == 2\n"
           "assert 'Shared lines in the sets of the L2' in page\n"
           "for part, name in zip(parts, ('lines', 'shared')):\n"
           "    cells = re.findall(r'<title>set (\\d+), kernel (\\d+): ([0-9.,]+)</title>', part)\n"
           "    assert len(cells) == 128 * len(kernels), len(cells)\n"
           "    for at, kernel, mean in cells:\n"
           "        own = kernels[int(kernel)]['l2_sets'][name][int(at):int(at) + 6]\n"
           "        assert abs(float(mean) - sum(own) / 6) < 0.006, (at, kernel, mean, own)\n"
           "print('drawn')\"",
           0, "drawn");
}

static void refusals(void **state)
{
    (void)state;
    expect("$g run -q --per-set workload:chase", 2, "goldmem: --per-set needs --json");
    expect("$g run -q --per-set --json r.json --set l2.size=unbounded workload:chase", 2,
           "goldmem: the sets of the L2: with l2.size=unbounded it has none");
    expect("$g run -q --checkpoint c,every=1000 --json r.json --max-cycles 2000 workload:chase && "
           "$g run -q --per-set --json r.json --resume c workload:chase",
           2, "--per-set and --resume exclude each other");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(consecutive_lines_are_spread),
        cmocka_unit_test(sums_are_those_of_the_series),
        cmocka_unit_test(both_engines_agree),
        cmocka_unit_test(the_page_has_the_means),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, test_folder_setup, test_folder_teardown);
}
