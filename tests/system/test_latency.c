/* goldmem run --latency: what a chase of pointers, whose loads are one after the other, must show;
 * sources against the counters of the caches; invariants of every kind of machine; equal bytes
 * without skipping, with threads and after a checkpoint; nothing else of the run changes. */
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

/* Python: functions on a report (r.json). */
#define PYTHON                                                                                     \
    "import json\n"                                                                                \
    "report = json.load(open('r.json'))\n"                                                         \
    "total, latency = report['total'], report['latency']\n"                                        \
    "def count(kind, *sources): return sum(latency[kind].get(s, {'count': 0})['count'] "           \
    "for s in sources)\n"

/* One lane, no merging: each load is a request, and each cache's counters tell who has served it. A
 * hit takes l1.latency; an instruction takes as long as its request and the cycles in front of the
 * coalescer. A footprint for each level. */
static void a_chase_shows_each_level(void **state)
{
    (void)state;
    static const struct {
        const char *options, *footprint, *served;
    } rows[] = {
        {"", "bytes=8192", "l1"},
        {"", "bytes=32768,loads=8192", "l2"},
        {"", "bytes=2097152,loads=32768", "dram"},
        {"--set l1.enabled=no", "bytes=32768,loads=8192", "l2"},
        {"--set l1.bypass=pdp", "bytes=32768,loads=8192", "l2"},
        {"--set l1.kind=decoupled", "bytes=32768,loads=8192", "l2"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char line[2048];
        snprintf(
            line, sizeof line,
            "$g run -q --check --latency --json r.json %s workload:chase,%s && python3 -c "
            "\"\n" PYTHON "l1, l2 = total['l1d']['load'], total['l2']['load']\n"
            "assert count('requests', 'l1') == l1['hits'], l1\n"
            "assert count('requests', 'l2') == l2['hits'], l2\n"
            "assert count('requests', 'dram') == l2['misses'], l2\n"
            "assert count('requests', '%s') > 0.45 * total['time']['loads']\n"
            "for kind in 'requests', 'loads':\n"
            "  for source, one in latency[kind].items():\n"
            "    assert sum(b['count'] for b in one['histogram']) == one['count']\n"
            "    assert one['p50'] <= one['p90'] <= one['p99'] <= one['p999'] <= one['longest']\n"
            "  assert sum(latency[kind][s]['cycles'] for s in latency[kind] if s != 'all') == "
            "latency[kind]['all']['cycles']\n"
            "hit = latency['requests'].get('l1', {'longest': 35, 'p50': 35})\n"
            "assert hit['longest'] == hit['p50'] == report['config']['l1.latency']\n"
            "mean = {k: latency[k]['all']['cycles'] / latency[k]['all']['count'] "
            "for k in latency if latency[k]['all']['count']}\n"
            "assert 1 <= mean['loads'] - mean['requests'] < 2, mean\n"
            "print('chased')\"",
            rows[i].options, rows[i].footprint, rows[i].served);
        expect(line, 0, "chased");
    }
}

/* The invariants hold on each path by which a request can be answered, and visits, threads and the
 * rest of the report do not change. */
static void every_path_is_counted(void **state)
{
    (void)state;
    static const struct {
        const char *options, *input;
    } rows[] = {
        {"", "workload:bfs,nodes=600"},
        {"", "workload:atomics,ctas=16"},
        {"--preset v100", "workload:spmv,rows=300"}, /* by sector, pipeline, unified */
        {"--preset a100", "workload:histo,n=4096"},  /* collectors, two halves */
        {"--preset fermi-tc --set coherence.protocol=tcw", "workload:bfs,nodes=600"},
        {"--preset fermi-tc --set coherence.protocol=tcs", "workload:atomics,ctas=16"},
        {"--preset kepler-hybrid-tracker", "workload:bfs,nodes=2000"},
        {"--set l1.kind=decoupled", "workload:srad2,rows=32,columns=64"},
        {"--set l1.bypass=mrpb", "workload:spmv,rows=300"},
        {"--set l1.bypass=pdp", "workload:spmv,rows=300"},
        {"--set l1.enabled=no", "workload:spmv,rows=300"},
        {"--set l1.streaming=yes --set l2.streaming=yes --set l1.global_write=through",
         "workload:vectoradd,n=8192"},
        {"--set l1.global_write=back --set l1.global_allocate=yes", "workload:hotspot,n=64"},
        {"--set sm.collectors=4 --set l1.banks=4", "workload:spmv,rows=300"},
        {"--set l2.bypass=coalesced", "workload:spmv,rows=300"},
        {"--set gpu.kernels=4", "workload:bfs,nodes=600"},
        {"--set sm.throttle=ccws", "workload:spmv,rows=300"},
        {"", "workload:matmul_tiled,n=64"}, /* shared memory */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char line[2048];
        snprintf(line, sizeof line,
                 "run() { $g run -q --check %s \"$@\" %s; }; "
                 "run --latency --json r.json && run --latency --no-skip -t 3 --json s.json && "
                 "cmp r.json s.json && run --json s.json && python3 -c \"\n" PYTHON
                 "del report['latency']\n"
                 "assert report == json.load(open('s.json'))\n"
                 "assert count('requests', 'l1') <= total['l1d']['load']['hits']\n"
                 "assert count('requests', 'peer') >= total['tracker'].get('remote_hits', 0)\n"
                 "assert (count('requests', 'peer') > 0) == "
                 "(total['tracker'].get('remote_hits', 0) > 0)\n"
                 "assert count('requests', 'l1', 'peer', 'l2', 'dram') == total['time']['loads']\n"
                 "print('counted')\"",
                 rows[i].options, rows[i].input);
        expect(line, 0, "counted");
    }
}

/* A run that stops at a limit and is resumed from its checkpoints, over kernels, gives the bytes of
 * one that does not; on each kind of state. */
static void checkpoints_keep_the_counts(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "workload:bfs,nodes=600", "--preset v100 workload:spmv,rows=300",
        "--set l1.bypass=pdp workload:spmv,rows=300", "workload:syrk,n=24"};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char line[1024];
        snprintf(line, sizeof line,
                 "run() { $g run -q --check --latency --json r.json \"$@\" %s; }; rm -f c; run && "
                 "mv r.json whole.json && for limit in 1500 3100 4700 6000; do "
                 "run --checkpoint c,every=500 --max-cycles $limit $([ -f c ] && echo --resume c) "
                 "|| exit 3; done; run --resume c && cmp r.json whole.json && echo resumed",
                 rows[i]);
        expect(line, 0, "resumed");
    }
    expect("$g run -q --checkpoint c,every=500 --max-cycles 1500 workload:bfs,nodes=600; "
           "$g run -q --latency --resume c workload:bfs,nodes=600",
           2, "goldmem: c: made without --latency; this run is with it");
    expect("$g run -q --engine=order --latency workload:bfs,nodes=600", 2,
           "--latency needs --engine=cycle, not order");
}

static void the_text_has_percentiles(void **state)
{
    (void)state;
    expect(
        "$g run --latency workload:chase,bytes=8192", 0,
        "\nLatencies in core cycles, by what served them\n"
        "                                  number        mean     50%     90%     99%   99.9% "
        "longest\n"
        "  requests, l1                     4,032       35.00      35      35      35      35      "
        "35\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chase_shows_each_level),
        cmocka_unit_test(every_path_is_counted),
        cmocka_unit_test(checkpoints_keep_the_counts),
        cmocka_unit_test(the_text_has_percentiles),
    };
    return cmocka_run_group_tests(tests, test_folder_setup, test_folder_teardown);
}
