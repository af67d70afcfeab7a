/* goldmem run --engine=cycle --analyze: equal to the order engine where requests are answered one
 * by one; invariants of every kind of machine; intervals of a chase of pointers, worked out from
 * its latencies; equal bytes without skipping, with threads and after checkpoints; nothing else of
 * a run changes. */
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

/* One warp on one SM, whose instructions wait for the one before: each request is answered before
 * the next, or is of another line. All levels, each kind of L1, stores and atomics. */
static void one_by_one_both_engines_agree(void **state)
{
    (void)state;
    static const struct {
        const char *options, *input;
    } rows[] = {
        {"", "chase,bytes=32768,loads=3000"},
        {"--set l1.kind=decoupled", "chase,bytes=32768,loads=3000"},
        {"--set l1.bypass=pdp", "chase,bytes=32768,loads=3000"},
        {"--set l1.ways=2 --set l1.index=xor", "chase,bytes=65536,loads=3000"},
        {"--preset fermi-sharing", "chase,bytes=2097152,loads=20000"},
        {"--preset fermi-sharing --set sharing.enabled=yes", "chase,bytes=2097152,loads=20000"},
        {"--preset kepler-hybrid --set l2.size=256KB", "chase,bytes=1048576,loads=9000"},
        {"--preset kepler-hybrid-tracker --set l2.bypass=coalesced --set l2.victim=yes "
         "--set l2.size=256KB",
         "chase,bytes=131072,loads=9000"},
        {"--preset v100", "chase,bytes=262144,loads=3000"},
        {"--set l1.enabled=no", "chase,bytes=65536,loads=3000"},
        {"", "nw,n=64"},
        {"--set l1.size=unbounded", "nw,n=64"},
        {"--set l1.size=unbounded --set l2.size=unbounded", "nw,n=64"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char line[1024];
        snprintf(line, sizeof line,
                 "run() { $g run -q --check --set gpu.sms=1 --set sm.ctas=1 "
                 "--analyze=locality,reuse,misses,sharing,mrc %s \"$@\" workload:%s; }; "
                 "for e in order cycle; do run --engine=$e --json $e.json && python3 -c \"\n"
                 "import json\n"
                 "r = json.load(open('$e.json'))\n"
                 "assert r['analysis']['reuse']['accesses'] > 1000\n"
                 "print(json.dumps([r['analysis'], [k['analysis'] for k in r['kernels']]]))\" > $e "
                 "|| exit 3; done; cmp order cycle && echo equal",
                 rows[i].options, rows[i].input);
        expect(line, 0, "equal");
    }
}

/* The analyses agree with the run's counters (--check) on each path by which a request can be
 * answered; visits, threads and the rest of the report do not change. */
static void every_path_is_observed(void **state)
{
    (void)state;
    static const struct {
        const char *options, *input;
    } rows[] = {
        {"", "workload:bfs,nodes=600"},
        {"", "workload:atomics,ctas=16"},
        {"--preset v100", "workload:spmv,rows=300"}, /* by sector, pipeline, unified */
        {"--preset a100", "workload:histo,n=4096"},  /* collectors, two halves, bytes */
        {"--preset fermi-tc --set coherence.protocol=tcw", "workload:bfs,nodes=600"},
        {"--preset fermi-tc --set coherence.protocol=ideal", "workload:bfs,nodes=600"},
        {"--preset kepler-hybrid-tracker", "workload:bfs,nodes=2000"},
        {"--preset kepler-hybrid-tracker --set l2.bypass=coalesced --set l2.victim=yes",
         "workload:bfs,nodes=2000"},
        {"--preset fermi-sharing --set sharing.enabled=yes", "workload:srad2,rows=32,columns=64"},
        {"--set l1.kind=decoupled", "workload:srad2,rows=32,columns=64"},
        {"--set l1.bypass=pdp", "workload:spmv,rows=300"},
        {"--set l1.enabled=no", "workload:spmv,rows=300"},
        {"--set l1.streaming=yes --set l2.streaming=yes --set l1.global_write=through",
         "workload:vectoradd,n=8192"},
        {"--set l1.global_write=back --set l1.global_allocate=yes", "workload:hotspot,n=64"},
        {"--set l1i.size=4KB --set sm.fetch=1", "workload:spmv,rows=300"},
        {"--set gpu.kernels=4", "workload:bfs,nodes=600"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char line[2048];
        snprintf(line, sizeof line,
                 "run() { $g run -q --engine=cycle %s \"$@\" %s; }; "
                 "run --check --analyze=all --json r.json && "
                 "run --analyze=all --no-skip -t 3 --json s.json && "
                 "cmp r.json s.json && run --json s.json && python3 -c \"\n"
                 "import json\n"
                 "report = json.load(open('r.json'))\n"
                 "analysis, total = report.pop('analysis'), report['total']\n"
                 "for kernel in report['kernels']: assert 'sharing' in kernel.pop('analysis')\n"
                 "assert report == json.load(open('s.json'))\n"
                 "reuse, sharing = analysis['reuse'], analysis['sharing']\n"
                 "assert reuse['accesses'] == total['l1d']['accesses']\n"
                 "fills = analysis['fills']['l1d']\n"
                 "assert fills['shared']['requests'] + fills['private']['requests'] == "
                 "total['l1d']['accesses']\n"
                 "assert (fills['shared']['requests'] > 0) == (sharing['shared_sms'] > 0)\n"
                 "locality = analysis['locality']['l1d']['bounded']\n"
                 "assert sum(locality.values()) <= total['l1d']['hits'] + "
                 "total['l1d']['hits_pending']\n"
                 "print('observed')\"",
                 rows[i].options, rows[i].input);
        expect(line, 0, "observed");
    }
}

/* A chase whose footprint exceeds the L1: each load misses, its data arrive `latency` cycles after
 * its look-up, and its line is next accessed a lap after that look-up. A lap has footprint / line
 * loads, each of its latency and what the SM takes beside it; in the first one they are cold. */
static void a_chase_shows_its_laps(void **state)
{
    (void)state;
    static const struct {
        const char *options, *input, *level;
        unsigned lines;
    } rows[] = {
        {"", "bytes=65536,loads=8192", "l1d", 512},
        {"--set clock.core=1400", "bytes=32768,loads=4096", "l1d", 256},
        {"--preset fermi-tc --set coherence=ideal", "bytes=65536,loads=8192", "l1d", 512},
        {"--set l1.enabled=no --set l2.size=96KB", "bytes=262144,loads=16384", "l2", 2048},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char line[2048];
        snprintf(line, sizeof line,
                 "$g run -q --check --latency --engine=cycle --analyze=fills --json r.json %s "
                 "workload:chase,%s && python3 -c \"\n"
                 "import json\n"
                 "r = json.load(open('r.json'))\n"
                 "fills = r['analysis']['fills']['%s']\n"
                 "assert fills['shared']['requests'] == 0\n"
                 "own, wait = fills['private'], r['latency']['requests']['all']\n"
                 "assert own['next'] == own['future']\n"
                 "n, loads = %u, wait['count']\n"
                 "beside = (r['total']['cycles'] - wait['cycles']) / loads\n"
                 "sources = [w for s, w in r['latency']['requests'].items() if s != 'all']\n"
                 "cold, hot = (f(sources, key=lambda w: w['count']) for f in (min, max))\n"
                 "assert cold['count'] in (n, loads)\n"
                 "cold, hot = cold['cycles'] / cold['count'], hot['cycles'] / hot['count']\n"
                 "def began(k):\n"
                 "    return min(k, n) * (cold + beside) + max(0, k - n) * (hot + beside)\n"
                 "want = sum(began(k) - began(k - n) - (cold if k < 2 * n else hot) "
                 "for k in range(n, loads))\n"
                 "assert abs(own['next']['cycles'] / want - 1) < 0.005, (own, want)\n"
                 "assert own['next']['count'] == own['next']['at_least_1000'] == loads - n\n"
                 "print('lapped')\"",
                 rows[i].options, rows[i].input, rows[i].level, rows[i].lines);
        expect(line, 0, "lapped");
    }
}

/* Misses that an unbounded cache has too: of lines that atomics have dropped, as in the order
 * engine, which runs warps in another order; of lines that a lease does not let an L1 read. */
static void dropped_lines_are_missed_by_policy(void **state)
{
    (void)state;
    expect(
        "run() { $g run -q --check --analyze=misses --json \"$@\" --set l1.global_write=through "
        "--set l1.global_allocate=yes workload:sssp,nodes=400; }; "
        "run o.json --engine=order && run c.json --engine=cycle && python3 -c \"\n"
        "import json\n"
        "o, c = (json.load(open(f))['analysis']['misses']['l1d'] for f in ('o.json', 'c.json'))\n"
        "assert o['compulsory'] == c['compulsory'] and o['policy'] > 1000\n"
        "assert 0.5 < c['policy'] / o['policy'] < 2, (o, c)\n"
        "print('dropped')\"",
        0, "dropped");
    /* An L1 that has room for all: no miss is for lack of room or of a way. Lines that atomics
     * drop, copies that stores of other SMs drop, those whose leases have ended, and lines whose
     * data come too late to be used, are missed by policy: an unbounded L1 misses as often. */
    expect(
        "misses() { $g run -q --check --engine=cycle --analyze=misses --json - --set l1.size=1MB "
        "--set l1.ways=64 \"$@\" | jq -c '.analysis.misses.l1d | [.capacity, .conflict, .policy > "
        "80, .unbounded_misses == .compulsory + .policy]'; }; { misses workload:sssp,nodes=400; "
        "misses --set l1.global_write=through --set "
        "l1.global_allocate=yes workload:sssp,nodes=400; for c in ideal vi tcw tcs mesi; do for w "
        "in bfs,nodes=600 srad,rows=64,columns=64; do misses --preset fermi-tc --set coherence=$c "
        "workload:$w; done; done; } | sort | uniq -c | tr -s ' '",
        0, " 12 [0,0,true,true]");
    expect("$g run -q --check --analyze=misses --json r.json --preset fermi-tc --engine=cycle "
           "--set coherence.protocol=tcw workload:bfs,nodes=600 && python3 -c \"\n"
           "import json\n"
           "r = json.load(open('r.json'))\n"
           "expired = r['total']['coherence']['expired']\n"
           "assert r['analysis']['misses']['l1d']['policy'] >= expired > 700\n"
           "print('expired')\"",
           0, "expired");
}

/* A run that stops at limits and goes on from its checkpoints has the bytes of one that does not,
 * what each kernel's report has included. */
static void checkpoints_keep_the_analyses(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "--preset fermi-sharing --set sharing.enabled=yes workload:bfs,nodes=600",
        "--set gpu.kernels=4 --sample-mrc lines=40 workload:bfs,nodes=600",
        "--preset v100 --sample-mrc rate=0.3 workload:bfs,nodes=600",
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char line[1024];
        snprintf(line, sizeof line,
                 "rm -f c; run() { $g run -q --check --engine=cycle --analyze=all --json r.json "
                 "\"$@\" %s; }; "
                 "run && mv r.json whole.json && for limit in 1500 3100 4700 6000; do "
                 "run --checkpoint c,every=500 --max-cycles $limit $([ -f c ] && echo --resume c) "
                 "|| exit 3; done; run --resume c && cmp r.json whole.json && echo resumed",
                 rows[i]);
        expect(line, 0, "resumed");
    }
    expect("$g run -q --preset v100 --engine=cycle --analyze=all --resume c workload:bfs,nodes=600",
           2, "goldmem: c: made with other analyses: --analyze and --sample-mrc must be equal");
    expect("$g run -q --preset v100 --engine=cycle --resume c workload:bfs,nodes=600", 2,
           "goldmem: c: made with other analyses: --analyze and --sample-mrc must be equal");
}

/* Which engine runs, and what is refused. */
static void engines_and_refusals(void **state)
{
    (void)state;
    expect("$g run --analyze=fills workload:chase", 0,
           "\nCore cycles from the fill of a line to accesses after it\n");
    expect("$g run --analyze=sharing,fills workload:chase", 0, "\nSharing of lines");
    expect("$g run -q --engine=order --analyze=fills workload:chase", 2,
           "goldmem: --analyze=fills needs --engine=cycle, not order; try 'goldmem run --help'");
    expect("$g run -q --analyze=sharing --latency workload:chase", 2,
           "--latency needs --engine=cycle, not order, the default with --analyze");
    expect("$g run -q --engine=order --analyze=all --json r.json workload:chase && "
           "python3 -c \"import json; print(*json.load(open('r.json'))['analysis'])\"",
           0, "locality reuse misses mrc sharing");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_by_one_both_engines_agree),
        cmocka_unit_test(every_path_is_observed),
        cmocka_unit_test(a_chase_shows_its_laps),
        cmocka_unit_test(dropped_lines_are_missed_by_policy),
        cmocka_unit_test(checkpoints_keep_the_analyses),
        cmocka_unit_test(engines_and_refusals),
    };
    return cmocka_run_group_tests(tests, test_folder_setup, test_folder_teardown);
}
