/* goldmem run --series: intervals sum up to the run's counters, whatever its length; units sum up
 * to the total; levels and rates against a run that stops at the sample; nothing of the run
 * changes. */
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

/* Python: checks a series (s.csv) against the run's report (r.json), and prints "intervals N". */
#define CHECK                                                                                      \
    "python3 - <<'E'\n"                                                                            \
    "import csv, json\n"                                                                           \
    "report = json.load(open('r.json'))\n"                                                         \
    "config, total = report['config'], report['total']\n"                                          \
    "def flat(value, path=''):\n"                                                                  \
    "    for key, inner in value.items():\n"                                                       \
    "        if isinstance(inner, dict): yield from flat(inner, path + key + '.')\n"               \
    "        elif isinstance(inner, int): yield path + key, inner\n"                               \
    "total = dict(flat(total))\n"                                                                  \
    "rows = list(csv.DictReader(open('s.csv')))\n"                                                 \
    "whole = [r for r in rows if r['unit'] == 'total']\n"                                          \
    "states = {'sampling.limit', 'l1_streaming.first_closed', 'l2_streaming.first_closed'}\n"      \
    "counted = [k for k in whole[0] if k in total and k != 'cycles' and k not in states]\n"        \
    "assert len(counted) > 60\n"                                                                   \
    "for k in counted:\n"                                                                          \
    "    got = sum(int(r[k]) for r in whole)\n"                                                    \
    "    assert got == total[k], (k, got, total[k])\n"                                             \
    "for k in states & set(total): assert int(whole[-1][k]) == total[k], k\n"                      \
    "last = 0\n"                                                                                   \
    "for i, r in enumerate(whole):\n"                                                              \
    "    cycle, cycles = int(r['cycle']), int(r['cycles'])\n"                                      \
    "    assert cycle == last + cycles and cycle > last, r\n"                                      \
    "    assert cycle % EVERY == 0 or i + 1 == len(whole), cycle\n"                                \
    "    assert cycles == EVERY or i + 1 == len(whole), cycles\n"                                  \
    "    slots = sum(int(r[k]) for k in r if k.startswith('time.slots.'))\n"                       \
    "    assert slots == cycles * config['gpu.sms'] * config['sm.schedulers'], (cycle, slots)\n"   \
    "    assert int(r['warp_instructions']) == int(r['time.slots.issued']), cycle\n"               \
    "    last = cycle\n"                                                                           \
    "assert last == total['cycles'], (last, total['cycles'])\n"                                    \
    "if len(rows) > len(whole):\n"                                                                 \
    "    for at, r in enumerate(whole):\n"                                                         \
    "        units = [x for x in rows if x['cycle'] == r['cycle'] and x['unit'] != 'total']\n"     \
    "        levels = ('warps_resident', 'l1_mshrs', 'l1_queue', 'l2_queue', 'l2_mshrs',\n"        \
    "                  'dram_queue')\n"                                                            \
    "        for k in [k for k in counted + list(levels) if k not in states]:\n"                   \
    "            has = [int(x[k]) for x in units if x[k]]\n"                                       \
    "            assert not has or sum(has) == int(r[k]), (r['cycle'], k, sum(has), r[k])\n"       \
    "print('intervals', len(whole))\n"                                                             \
    "E"

/* Runs with a series, checks it, and checks that the report is that of the run without it, and that
 * --no-skip and threads give the bytes of the series again. */
#define SERIES(every, options, input)                                                              \
    "$g run -q --check --json r.json --series s.csv,every=" every ",per=sm+bank+channel " options  \
    " " input " && $g run -q --json without.json " options " " input " && "                        \
    "cmp r.json without.json && $g run -q --no-skip -t 3 --json without.json "                     \
    "--series again.csv,every=" every ",per=channel+sm+bank " options " " input " && "             \
    "cmp s.csv again.csv && cmp r.json without.json && " CHECK

static const char *with_every(const char *line, const char *every)
{
    static char text[16384];
    size_t used = 0;
    for (; *line != '\0';) {
        bool here = strncmp(line, "EVERY", 5) == 0;
        assert_true(used + 16 < sizeof text);
        if (here) {
            used += (size_t)snprintf(text + used, sizeof text - used, "%s", every);
            line += 5;
        } else {
            text[used++] = *line++;
        }
    }
    text[used] = '\0';
    return text;
}

/* Kernels of many lengths; an interval longer than the run; one of a cycle; an interval that ends
 * with a kernel, and with the run. */
static void intervals_sum_up(void **state)
{
    (void)state;
    expect(with_every(SERIES("700", "", "workload:bfs,nodes=128"), "700"), 0, "intervals ");
    expect(with_every(SERIES("1G", "", "workload:vectoradd,n=64"), "1000000000"), 0,
           "intervals 1\n");
    expect(with_every(SERIES("1", "--set gpu.sms=2 ", "workload:vectoradd,n=64"), "1"), 0,
           "intervals ");
    expect("c=$($g run --json - workload:bfs,nodes=256 | jq '.kernels[0].cycles'); "
           "$g run -q --series s.csv,every=$c workload:bfs,nodes=256; "
           "$g run --json - --max-cycles=$c workload:bfs,nodes=256 >r.json; "
           "sed -n 2p s.csv | cut -d, -f3; python3 - <<'E'\n"
           "import csv, json\n"
           "row = list(csv.DictReader(open('s.csv')))[0]\n"
           "total = json.load(open('r.json'))['total']\n"
           "assert int(row['cycle']) == total['cycles'] and int(row['ctas']) == total['ctas']\n"
           "assert int(row['l2.load.misses']) == total['l2']['load']['misses']\nE",
           0, "0\n");
    expect("c=$($g run --json - workload:vectoradd,n=64 | jq .total.cycles); "
           "$g run -q --series s.csv,every=$c workload:vectoradd,n=64; tail -n +2 s.csv | "
           "cut -d, -f1,2 | sed s/$c/C/g",
           0, "C,C\n");
}

/* Mechanisms with counters of their own. */
static void of_every_mechanism(void **state)
{
    (void)state;
    expect(
        with_every(SERIES("3K",
                          "--set gpu.sms=3 --set sm.throttle=sampling "
                          "--set gpu.sampling_period=500 --set l1.streaming=yes --max-cycles=40K",
                          "workload:syrk,n=16"),
                   "3000"),
        0, "intervals ");
    expect(with_every(SERIES("700",
                             "--set gpu.sms=3 --set sm.throttle=sampling "
                             "--set gpu.sampling_period=100 --max-cycles=9K",
                             "workload:syrk,n=24"),
                      "700"),
           0, "intervals ");
    expect("[ $(jq .total.sampling.limit r.json) -gt 0 ]", 0, "");
    expect(with_every(SERIES("700",
                             "--set gpu.sms=2 --set l1.streaming=yes --set l2.streaming=yes "
                             "--set gpu.sampling_period=500",
                             "workload:vectoradd,n=32768"),
                      "700"),
           0, "intervals ");
    expect("[ $(jq .total.l1_streaming.first_closed r.json) -gt 0 ]", 0, "");
    expect(with_every(SERIES("3K", "--set gpu.sms=2 --set sm.throttle=ccws --max-cycles=20K",
                             "workload:syrk,n=16"),
                      "3000"),
           0, "intervals ");
    expect(
        with_every(SERIES("500", "--preset=fermi-tc --set coherence.protocol=tcw --set gpu.sms=4",
                          "workload:bfs,nodes=256"),
                   "500"),
        0, "intervals ");
    expect(with_every(SERIES("200", "--preset=v100 --set gpu.sms=4 --set gpu.kernels=4",
                             "workload:bfs,nodes=256"),
                      "200"),
           0, "intervals ");
    expect(
        with_every(SERIES("500", "--max-cycles=5700 --set gpu.sms=2", "workload:syrk,n=16"), "500"),
        0, "intervals 12\n");
    /* Nothing is due for longer than an interval, nor at the limit. */
    expect(with_every(
               SERIES("500", "--max-cycles=2700 --set sm.launch=3000", "workload:vectoradd,n=64"),
               "500"),
           0, "intervals 6\n");
    expect(
        with_every(SERIES("500", "--max-cycles=6K --set gpu.sms=2", "workload:syrk,n=16"), "500"),
        0, "intervals 12\n");
    expect(with_every(SERIES("100", "--kernels=2-4", "workload:bfs,nodes=256"), "100"), 0,
           "intervals ");
    expect("cut -d, -f3 s.csv | sort -u | tr '\\n' ' '", 0, "2 3 4 kernel ");
}

/* Rates by their definitions; JSON lines have the CSV's values. */
static void rates_and_lines(void **state)
{
    (void)state;
    expect(
        "$g run -q --series s.csv,every=2K,per=sm+bank+channel workload:kmeans,points=512 && "
        "$g run -q --series s.jsonl,every=2K,per=sm+bank+channel workload:kmeans,points=512 && "
        "python3 - <<'E'\n"
        "import csv, json\n"
        "rows = list(csv.DictReader(open('s.csv')))\n"
        "lines = [json.loads(line) for line in open('s.jsonl')]\n"
        "assert len(rows) == len(lines) > 30\n"
        "for row, line in zip(rows, lines):\n"
        "    assert {k: v for k, v in row.items() if v} == \\\n"
        "        {k: v if isinstance(v, str) else '%.6g' % v if isinstance(v, float) else str(v)\n"
        "         for k, v in line.items()}\n"
        "kinds = ('load', 'store', 'atomic')\n"
        "def cache(r, c, n): return r.get(f'{c}.{n}', 0)\n"
        "seen = set()\n"
        "for r in lines:\n"
        "    c = r['cycles']\n"
        "    want = {}\n"
        "    if r['unit'] in ('total', 'sm'):\n"
        "        want['ipc'] = r['time.slots.issued'] / c\n"
        "        want['thread_ipc'] = r['thread_instructions'] / c\n"
        "        want['l1_mshrs_mean'] = r['time.l1_mshr_cycles'] / c\n"
        "        if r['l1d.accesses']:\n"
        "            want['l1d_hit_rate'] = (r['l1d.hits'] + r['l1d.hits_pending']) / "
        "r['l1d.accesses']\n"
        "        if r['time.loads']: want['load_latency'] = r['time.load_cycles'] / "
        "r['time.loads']\n"
        "    if r['unit'] in ('total', 'bank'):\n"
        "        want['l2_mshrs_mean'] = r['time.l2_mshr_cycles'] / c\n"
        "        if r['l2.accesses']:\n"
        "            want['l2_hit_rate'] = (r['l2.hits'] + r['l2.hits_pending']) / "
        "r['l2.accesses']\n"
        "    if r['unit'] in ('total', 'partition'):\n"
        "        want['dram_bytes_per_cycle'] = r['dram.bytes'] / c\n"
        "        of = r['dram.row_hits'] + r['time.dram_activates']\n"
        "        if of: want['dram_row_hit_rate'] = r['dram.row_hits'] / of\n"
        "        if r['time.dram_cycles']:\n"
        "            want['dram_bus_use'] = r['time.dram_busy'] / r['time.dram_cycles']\n"
        "    names = [k for k in r if k.endswith(('_rate', '_mean', '_latency', 'ipc', "
        "'per_cycle', '_use'))]\n"
        "    assert sorted(names) == sorted(want), (r['unit'], names)\n"
        "    for k, v in want.items(): assert abs(r[k] - v) <= 1e-5 * abs(v), (k, r[k], v)\n"
        "    seen |= {k for k, v in want.items() if v}\n"
        "assert len(seen) == 10, seen\n"
        "print('equal')\nE",
        0, "equal");
}

/* Occupancy against the levels of every cycle: what a cycle adds is the level before it. */
static void occupancy(void **state)
{
    (void)state;
    expect(
        "for run in 'bfs,nodes=64 --set gpu.sms=2' 'kmeans,points=32 --max-cycles=9K' \\\n"
        "    'overlap --set gpu.kernels=4' 'nw,n=64 --max-cycles=900'; do\n"
        "$g run -q --series s.jsonl,every=1,per=sm --json r.json --set gpu.sms=3 workload:$run && "
        "python3 - <<'E'\n"
        "import json\n"
        "report = json.load(open('r.json'))\n"
        "total = report['total']\n"
        "level, warps, occupied, kernels = {}, 0, 0, (0, 0)\n" /* now and before */
        "for line in open('s.jsonl'):\n"
        "    r = json.loads(line)\n"
        "    unit = r['unit'], r['number']\n"
        "    if unit[0] == 'total': kernels = r['kernel'], kernels[0]\n"
        "    before = level.get(unit)\n"
        "    level[unit] = r['warps_resident']\n"
        "    if r['cycle'] > 1 and (before or kernels[0] == kernels[1]):\n"
        "        assert r['time.warp_cycles'] == before, (before, r)\n"
        "        if unit[0] == 'sm': assert r['time.occupied_cycles'] == (before != 0), r\n"
        "    if unit[0] == 'sm':\n" /* a kernel's first cycle has no level before it */
        "        warps += r['time.warp_cycles']\n"
        "        occupied += r['time.occupied_cycles']\n"
        "assert warps == total['time']['warp_cycles'] > 0\n"
        "assert occupied == total['time']['occupied_cycles'] > 0\n"
        "print('equal')\nE\n"
        "done",
        0, "equal\nequal\nequal\nequal\n");
}

/* Refused, and nothing left behind. */
static void refused(void **state)
{
    (void)state;
    expect("$g run --series s.csv workload:spmv", 2, "'s.csv' is not FILE,every=N");
    expect("$g run --series s.csv,every=0 workload:spmv", 2,
           "--series: every: '0' is not a number");
    expect("$g run --series s.csv,every=9,per=warp workload:spmv", 2, "per='warp': must be sm");
    expect("$g run --series s.csv,every=9 --series t.csv,every=9 workload:spmv", 2,
           "--series is given twice");
    expect("$g run --engine=order --series s.csv,every=9 workload:spmv", 2,
           "--series needs --engine=cycle");
    expect("$g run --json s.csv --series s.csv,every=9 workload:spmv", 2, "both write to 's.csv'");
    expect("$g run --resume x --series s.csv,every=9 workload:spmv", 2,
           "--series and --resume exclude each other");
    expect("$g run -q --series /no/s.csv,every=9 workload:vectoradd,n=64", 2, "/no/s.csv");
    expect("ulimit -f 8; $g run -q --series s.csv,every=1 workload:vectoradd,n=64", 1,
           "s.csv: File too large");
    expect("ls | wc -l", 0, "0\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(intervals_sum_up, test_folder_setup, test_folder_teardown),
        cmocka_unit_test_setup_teardown(of_every_mechanism, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(rates_and_lines, test_folder_setup, test_folder_teardown),
        cmocka_unit_test_setup_teardown(occupancy, test_folder_setup, test_folder_teardown),
        cmocka_unit_test_setup_teardown(refused, test_folder_setup, test_folder_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
