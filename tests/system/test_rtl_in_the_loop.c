/* goldmem run --rtl: sound RTL passes in whole runs, with every index function that has RTL; broken
 * RTL is named with call, fields and values. The broken RTL is rtl/set_index.sv or rtl/mshr.sv with
 * one line changed. */
#include "support/cosim/broken_rtl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The report is that of the plain run. Each access is one call; the flush of the L1s at the end is
 * one more for each of the 512 lines that 4 SMs hold. */
static void workload(void **state)
{
    (void)state;
    test_only_in_plain_build();
    const char *set = "--engine=order --set l1.index=ipoly:37 --set l2.index=xor";
    test_command plain = test_run("$GOLDMEM run --threads 1 %s workload:syrk,n=32", set);
    test_command loop =
        test_run("$GOLDMEM run --threads 4 --rtl=set_index %s workload:syrk,n=32", set);
    assert_int_equal(plain.status, 0);
    assert_string_equal(loop.output, plain.output);
    assert_non_null(strstr(plain.output, " 1,081,408 "));
    test_expect(&loop, 0, "the RTL of set_index agrees: 1081920 calls of the L1s, 4160 of the L2");
    test_command_free(&plain);
}

static void real_trace(void **state)
{
    (void)state;
    test_only_in_plain_build();
    const char *traces = test_shared_data("GOLDMEM_TRACES");
    test_command loop = test_run(
        "$GOLDMEM run --check --rtl=set_index --set l1.index=ipoly:37 --set l2.index=ipoly "
        "'%s/simpletorch-sm70-v3'",
        traces);
    test_expect(&loop, 0, "the RTL of set_index agrees");
}

/* A matrix in a file, named from another folder, and lines of 32 bytes. */
static void matrix_file(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_file_write("h.txt", "0x11\n0x22\n0x44\n0x88\n0x10\n", 25);
    test_command loop = test_run("g=$(realpath $GOLDMEM); cd '%s'; $g run --rtl=set_index --set "
                                 "l1.index=matrix:h.txt --set l2.ways=full workload:stream,n=4096",
                                 test_folder());
    test_expect(&loop, 0, " calls of the L1s, 0 of the L2 banks");
}

/* Both blocks wherever the cycle engine uses them: tables fill up, merge, are closed by stores and
 * flushed between kernels. L1 and L2 have equal MSHRs: one build of the RTL. */
static void timed_run(void **state)
{
    (void)state;
    test_only_in_plain_build();
    const char *run = "run --check --threads 1 --set l2.merges=8 workload:gather,n=4096";
    test_command plain = test_run("$GOLDMEM %s", run);
    test_command loop = test_run("$GOLDMEM %s --rtl=set_index,mshr", run);
    assert_int_equal(plain.status, 0);
    assert_string_equal(loop.output, plain.output);
    assert_non_null(strstr(loop.errors, "the RTL of set_index agrees"));
    test_expect(&loop, 0, "the RTL of mshr agrees");
    test_command_free(&plain);
}

/* RTL in which an L1's MSHRs return the last requester in place of the next: the SM and the call
 * are named. */
static void broken_mshr_is_caught(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_command edit = test_run("sed 's/read_row  = {chosen_id, chosen_oldest}/read_row  = "
                                 "{chosen_id, chosen_newest}/' rtl/mshr.sv >%s/mshr.sv; "
                                 "cmp rtl/mshr.sv %s/mshr.sv",
                                 test_folder(), test_folder());
    assert_int_equal(edit.status, 1); /* they differ */
    test_command_free(&edit);
    test_command loop = test_run("$GOLDMEM run -q --rtl=mshr:%s/mshr.sv "
                                 "--set l2.merges=8 workload:gather,n=4096",
                                 test_folder());
    assert_non_null(strstr(loop.errors, ": mshr, call "));
    test_expect(&loop, 1, ": RTL requester=0x");
}

/* Isolated sharing trackers, and the set_index in front of each and of the L1s. */
static void trackers(void **state)
{
    (void)state;
    test_only_in_plain_build();
    static const char *const engines[] = {"order", "cycle"};
    for (size_t i = 0; i < sizeof engines / sizeof engines[0]; i++) {
        const char *run = "--check --threads 1 --preset=kepler-hybrid --set tracker.enabled=yes "
                          "--set tracker.trackers=2 --set tracker.index=ipoly "
                          "--set tracker.pointers=2 workload:stencil3d,x=48,y=32,z=16";
        test_command plain = test_run("$GOLDMEM run --engine=%s %s", engines[i], run);
        test_command loop = test_run("$GOLDMEM run --engine=%s %s --rtl=set_index,sharing_tracker",
                                     engines[i], run);
        assert_int_equal(plain.status, 0);
        assert_string_equal(loop.output, plain.output);
        assert_non_null(strstr(loop.errors, "the RTL of set_index agrees"));
        test_expect(&loop, 0,
                    "the RTL of sharing_tracker agrees: 0 calls of the L1s, 0 of the L2 banks, ");
        test_command_free(&plain);
    }
}

/* RTL in which the lowest sharer always supplies: the tracker and the call are named. */
static void broken_tracker_is_caught(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_command edit =
        test_run("cat rtl/sharing_tracker_decide.sv rtl/sharing_tracker.sv >%s/t.sv;"
                 "sed -i 's/others & ~up_to_last/others/' %s/t.sv",
                 test_folder(), test_folder());
    assert_int_equal(edit.status, 0);
    test_command_free(&edit);
    test_command loop = test_run("$GOLDMEM run -q --engine=order --preset=kepler-hybrid --set "
                                 "tracker.enabled=yes --rtl=sharing_tracker:%s/t.sv workload:sgemm",
                                 test_folder());
    assert_non_null(strstr(loop.errors, "tracker 0, partition "));
    test_expect(&loop, 1, ": RTL supplier=");
}

/* The tag store of each SM's decoupled L1, with the set_index in front of it, in both engines: in
 * the cycle engine with lines that wait, and PROBEs that lack a permission. */
static void decoupled(void **state)
{
    (void)state;
    test_only_in_plain_build();
    static const char *const engines[] = {"order --rtl=set_index,tag_store",
                                          "cycle --rtl=set_index,mshr,tag_store"};
    for (size_t i = 0; i < sizeof engines / sizeof engines[0]; i++) {
        const char *run = "--check --threads 1 --preset=fermi-l1d --set l1.kind=decoupled "
                          "--set l1.merges=8 --set l2.merges=8 workload:kmeans,points=500";
        test_command plain = test_run("$GOLDMEM run --engine=%.5s %s", engines[i], run);
        test_command loop = test_run("$GOLDMEM run --engine=%s %s", engines[i], run);
        assert_int_equal(plain.status, 0);
        assert_string_equal(loop.output, plain.output);
        assert_non_null(strstr(loop.errors, "the RTL of set_index agrees"));
        test_expect(&loop, 0, "the RTL of tag_store agrees: 1");
        test_command_free(&plain);
    }
}

/* RTL that returns the request's tag for the evicted line: the SM and the call are named. */
static void broken_tag_store_is_caught(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_command edit = test_run("sed 's/evicted_tag_q  *<= evicted_tag;/evicted_tag_q <= tag_q;/' "
                                 "rtl/tag_store.sv >%s/tag_store.sv; "
                                 "cmp rtl/tag_store.sv %s/tag_store.sv",
                                 test_folder(), test_folder());
    assert_int_equal(edit.status, 1); /* they differ */
    test_command_free(&edit);
    test_command loop = test_run("$GOLDMEM run -q --engine=order --preset=fermi-l1d "
                                 "--set l1.kind=decoupled --rtl=tag_store:%s/tag_store.sv "
                                 "workload:kmeans,points=500",
                                 test_folder());
    assert_non_null(strstr(loop.errors, ": tag_store, call "));
    test_expect(&loop, 1, "l1 of SM ");
}

/* The replacement of each conventional L1, its gate, and SM dueling of the decoupled ones: sound
 * RTL agrees (of two blocks in `sharing_aware`), RTL with one edit is named. */
static void replacement_gates_and_dueling(void **state)
{
    (void)state;
    test_only_in_plain_build();
    static const char srrip[] = "--set l1.replacement=srrip workload:gather,n=4096";
    static const char gates[] = "--set l1.streaming=yes --set l2.streaming=yes "
                                "--set gpu.sampling_period=200 workload:vectoradd,n=65536";
    static const char duels[] = "--preset=fermi-l1d --set l1.kind=decoupled --set l1.dueling=yes "
                                "workload:kmeans,points=500";
    static const char limited[] =
        "--engine=cycle --set gpu.sms=2 --set sm.warps=16 --set sm.threads=512 "
        "--set sm.throttle=static --set sm.limit=3 "
        "workload:hotspot,n=64,steps=1";
    static const char lost[] = "--engine=cycle --set gpu.sms=2 --set sm.warps=8 --set "
                               "sm.threads=256 --set sm.throttle=ccws workload:kmeans,points=500";
    static const struct {
        const char *block, *files, *edit, *run, *words;
        bool elsewhere; /* another case runs the sound RTL */
    } rows[] = {
        /* The oldest tag stays. */
        {"victim_tags", "rtl/victim_tags.sv", "s/next == Way ?/next == Way \\&\\& !full ?/", lost,
         "l1 of SM ", false},
        /* A warp that reaches the sum may load as well. */
        {"locality_score", "rtl/locality_score.sv", "s/sum < cutoff/sum <= cutoff/", lost,
         "locality_score, call ", false},
        /* A load of one line bypasses. */
        {"contention_bypass", "rtl/contention_bypass.sv", "s/is_scattered && //",
         "--set l1.bypass=contention --set l1.size=1KB workload:vectoradd,n=4096",
         "l1 of SM 0: contention_bypass, call ", false},
        /* A load of another line has the held line put back. */
        {"atomic_buffer", "rtl/atomic_buffer.sv", "s/op_q == ACCESS ? is_here : !hit/!hit/",
         "--set l2.atomic_buffer=yes workload:histo", "atomic_buffer, call ", false},
        /* A drained SM takes a group when fewer remain than there are SMs. */
        {"cta_queues", "rtl/three_stages.sv rtl/sram_1r1w_clear.sv rtl/cta_queues.sv",
         "s/!(single_q || turns_single)/!single_q/",
         "--set gpu.cta=groups --set gpu.cta_adaptive=yes --set gpu.sms=4 --set sm.ctas=2 "
         "workload:srad2,rows=80,columns=112,iterations=1",
         "l1: cta_queues, call ", true},
        /* A dead private line never gives way. */
        {"sharing_lru", "rtl/sharing_lru.sv", "s/oldest & stays & dead/oldest \\& ~stays \\& dead/",
         "--preset fermi-sharing --set sharing.enabled=yes --set l1.size=1KB "
         "workload:lud,n=64",
         "l1 of SM 0: sharing_lru, call ", true},
        /* An admitted warp keeps its age. */
        {"warp_limiter", "rtl/count_tree.sv rtl/warp_limiter.sv",
         "s/admit_q.i. || (older_q/(older_q/", limited, ", scheduler ", false},
        /* A hit leaves the line as if it were new. */
        {"replacement", "rtl/rrip_row.sv rtl/replacement.sv", "s/? {RrpvW{1.b0}} :/? Far :/", srrip,
         "l1 of SM 0: replacement, call ", false},
        /* Periods of few accesses decide, and no others. */
        {"stream_gate", "rtl/stream_gate.sv", "s/accesses_q >= Fewest/accesses_q < Fewest/", gates,
         "l1 of SM 0: stream_gate, call ", false},
        /* The misses of SM1 do not count. */
        {"sm_dueling", "rtl/sm_dueling.sv", "s/{misses_1 + 1.b1, misses_0}/misses_q/", duels,
         "l1: sm_dueling, call ", false},
        /* A strong load has the held line put back, and leaves none. */
        {"atomic_buffer", "rtl/atomic_buffer.sv", "s/op_q == LOAD/0/",
         "--set l2.atomic_buffer=yes workload:worksteal", "atomic_buffer, call ", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *block = rows[i].block;
        test_command loop;
        if (!rows[i].elsewhere) {
            char words[64];
            snprintf(words, sizeof words, "the RTL of %s agrees: ", block);
            loop = test_run("$GOLDMEM run --engine=order --rtl=%s %s", block, rows[i].run);
            test_expect(&loop, 0, words);
        }
        if (i % 2 != 0 && !test_takes_all()) {
            continue; /* `make regress` builds the broken RTL of all */
        }
        loop = test_run("cat %s >%s/sound.sv; sed '%s' %s/sound.sv >%s/%s.sv; ! cmp -s %s/sound.sv "
                        "%s/%s.sv && $GOLDMEM run -q --engine=order --rtl=%s:%s/%s.sv %s",
                        rows[i].files, test_folder(), rows[i].edit, test_folder(), test_folder(),
                        block, test_folder(), test_folder(), block, block, test_folder(), block,
                        rows[i].run);
        test_expect(&loop, 1, rows[i].words);
    }
}

/* Returns the number behind the name of a counter in a report, 0 if there is none. */
static unsigned long counter_of(const char *report, const char *name)
{
    const char *at = strstr(report, name);
    unsigned long number = 0;
    for (at = at != NULL ? at + strlen(name) : "";
         *at == ' ' || *at == ',' || (*at >= '0' && *at <= '9'); at++) {
        number = *at >= '0' && *at <= '9' ? 10 * number + (unsigned long)(*at - '0') : number;
    }
    return number;
}

/* The hybrid machine with its three blocks, in both engines: a program with queues and atomics, and
 * a trace of a GPU, which has no atomics. */
static void hybrid(void **state)
{
    (void)state;
    test_only_in_plain_build();
    char trace[1024];
    snprintf(trace, sizeof trace, "'%s/simpletorch-sm70-v3'", test_shared_data("GOLDMEM_TRACES"));
    const char *const inputs[] = {"workload:bfs_parboil,nodes=2000", trace};
    static const char *const blocks[] = {"sharing_tracker", "contention_bypass", "atomic_buffer"};
    for (unsigned i = 0; i < 4; i++) {
        char run[1200];
        snprintf(run, sizeof run,
                 "--engine=%s --check --threads 1 --preset=kepler-hybrid-tracker %s",
                 i % 2 == 0 ? "order" : "cycle", inputs[i / 2]);
        test_command plain = test_run("$GOLDMEM run %s", run);
        test_command loop =
            test_run("$GOLDMEM run --rtl=sharing_tracker,contention_bypass,atomic_buffer %s", run);
        assert_int_equal(plain.status, 0);
        assert_string_equal(loop.output, plain.output);
        for (size_t block = 0; block < sizeof blocks / sizeof blocks[0]; block++) {
            char words[64];
            snprintf(words, sizeof words, "the RTL of %s agrees: ", blocks[block]);
            assert_non_null(strstr(loop.errors, words));
        }
        if (i < 2) {
            assert_true(counter_of(loop.output, "\n  lines taken ") > 10000);
            assert_true(counter_of(loop.output, "\n  atomics ") > 10000);
        }
        test_expect(&loop, 0, " of the trackers; ");
        test_command_free(&plain);
    }
}

/* Sharing-aware scheduling and caches with their two blocks, in both engines: rows of CTAs on SMs,
 * single ones at the end; fills that bypass L1s, and an L2 that evicts lines of both classes. Then
 * kernels of more rows than SMs and of fewer, and an L2 that forgets its owners between them. */
static void sharing_aware(void **state)
{
    (void)state;
    test_only_in_plain_build();
    static const char srad[] = "workload:srad2,rows=496,columns=112,iterations=1";
    static const struct {
        const char *engine, *run;
    } rows[] = {
        {"order", srad},
        {"cycle", srad},
        {"cycle", "--set sharing.kernel_reset=yes --set sharing.l2_dead=yes workload:lud,n=272"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char run[400];
        snprintf(run, sizeof run,
                 "--engine=%s --check --threads 1 --preset=fermi-sharing --set sharing.enabled=yes "
                 "--set gpu.cta=groups --set gpu.cta_adaptive=yes --set l2.size=48KB %s",
                 rows[i].engine, rows[i].run);
        test_command plain = test_run("$GOLDMEM run %s", run);
        test_command loop = test_run("$GOLDMEM run --rtl=cta_queues,sharing_lru %s", run);
        assert_int_equal(plain.status, 0);
        assert_string_equal(loop.output, plain.output);
        static const char *const some[] = {"\n  bypassed the L1 ", "\n  L1 lines dead ",
                                           "\n  L2 lines shared "};
        for (size_t k = 0; k < sizeof some / sizeof *some; k++) {
            assert_true(counter_of(loop.output, some[k]) > 0);
        }
        assert_non_null(strstr(loop.errors, "the RTL of cta_queues agrees: "));
        test_expect(&loop, 0, "the RTL of sharing_lru agrees: ");
        test_command_free(&plain);
    }
}

/* Temporal Coherence with its five blocks, in a small L2 that evicts lines with leases: fences wait
 * for GWCTs, leases are stored. RTL of gwct that forgets the GWCTs of answers is named. */
static void temporal_coherence(void **state)
{
    (void)state;
    test_only_in_plain_build();
    const char *run = "--check --threads 1 --preset=fermi-tc --set coherence=tcw --set gpu.sms=4 "
                      "--set sm.warps=16 "
                      "--set sm.threads=512 --set l2.size=8KB --set coherence.leases=16 "
                      "workload:threadfence_reduction,n=4096,vectors=32,ctas=16";
    test_command plain = test_run("$GOLDMEM run %s", run);
    test_command loop =
        test_run("$GOLDMEM run --rtl=gwct,tc_l1,tc_l2,lease_store,lifetime_predictor %s", run);
    assert_int_equal(plain.status, 0);
    assert_string_equal(loop.output, plain.output);
    assert_true(counter_of(loop.output, "\n  fences_time ") > 0);
    assert_true(counter_of(loop.output, "\n  fence_time_cycles ") > 0);
    assert_true(counter_of(loop.output, "\n  leases_stored ") > 0);
    static const char *const agree[] = {"gwct agrees: 1", "tc_l1 agrees: 1",
                                        "tc_l2 agrees: 0 calls of the L1s, 1",
                                        "lease_store agrees: 0 calls of the L1s, ",
                                        "lifetime_predictor agrees: 0 calls of the L1s, 1"};
    for (size_t i = 0; i < sizeof agree / sizeof *agree; i++) {
        assert_non_null(strstr(loop.errors, agree[i]));
    }
    test_expect(&loop, 0, "the RTL of gwct");
    test_command_free(&plain);
    loop = test_run("sed 's/raises = is_raise .*/raises = is_raise;/' rtl/gwct.sv >%s/gwct.sv; "
                    "! cmp -s rtl/gwct.sv %s/gwct.sv && $GOLDMEM run -q --rtl=gwct:%s/gwct.sv %s",
                    test_folder(), test_folder(), test_folder(), run);
    assert_non_null(strstr(loop.errors, ": gwct, call "));
    test_expect(&loop, 1, "l1 of SM ");
}

static const struct {
    const char *edit; /* of rtl/set_index.sv, by sed */
    const char *words;
} faults[] = {
    {"s/index_q : forward_index/index_q : line_q[IndexW-1:0]/", ": RTL index=0x"},
    {"s/? tag_q : line_q\\[LineW-1:IndexW\\]/? tag_q : 0/", ": RTL tag=0x0, C model tag=0x"},
    {"s/response_valid_o <= valid_q;/response_valid_o <= 0;/", "time-out: the RTL does not a"},
    {"s/else if (response_moves)/else/", "assertion: "},
};

static void broken_rtl_is_caught(void **state)
{
    (void)state;
    test_only_in_plain_build();
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        test_break_set_index(faults[i].edit, i);
        test_command loop = test_run("$GOLDMEM run -q --rtl=set_index:%s/%zu.sv --set "
                                     "l1.index=ipoly:37 --set l2.ways=full workload:syrk,n=64",
                                     test_folder(), i);
        assert_non_null(strstr(loop.errors, "l1: set_index, call "));
        test_expect(&loop, 1, faults[i].words);
    }
}

static void bad_input_is_refused(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_command narrow =
        test_run("sed 's/set_index_narrow/set_index/' tests/cosim/ports/narrow.sv "
                 ">%s/narrow.sv",
                 test_folder());
    test_command_free(&narrow);
    static const struct {
        const char *arguments, *words;
    } rows[] = {
        {"--rtl=nothing", "--rtl: no block 'nothing' with RTL; there are set_index, mshr, "},
        {"--rtl=replacement --preset=fermi-l1d --set l1.kind=decoupled --set l1.replacement=srrip",
         "--rtl=replacement: only a conventional L1 or an L2 with srrip or ship has it"},
        {"--rtl=sm_dueling --set l1.kind=decoupled",
         "--rtl=sm_dueling: needs --set l1.kind=decoupled --set l1.dueling=yes"},
        {"--rtl=stream_gate --set l2.streaming=no",
         "--rtl=stream_gate: only caches with gates have it: --set l1.streaming=yes"},
        {"--rtl=cta_queues", "--rtl=cta_queues: needs --set gpu.cta=groups or bcs"},
        {"--rtl=sharing_lru", "--rtl=sharing_lru: needs --set sharing.enabled=yes"},
        {"--rtl=atomic_buffer", "--rtl=atomic_buffer: needs --set l2.atomic_buffer=yes"},
        {"--rtl=set_index,set_index", "--rtl: set_index is there twice"},
        {"--engine=order --rtl=mshr", "--rtl=mshr: only the cycle engine has misses in flight"},
        {"--resume=run.state --rtl=mshr", "--rtl=mshr: not with --resume"},
        {"--rtl=tag_store", "--rtl=tag_store: only a decoupled L1 has it: --set l1.kind=decoupled"},
        {"--rtl=gwct", "--rtl=gwct: needs --set coherence=tcw or tcs"},
        {"--rtl=lifetime_predictor --preset=fermi-tc --set coherence=tcs --set "
         "coherence.lifetime=800",
         "--rtl=lifetime_predictor: needs --set coherence.lifetime=predicted"},
        {"--rtl=set_index:", "--rtl=set_index: no file is named behind the ':'"},
        {"--rtl=set_index:/nonexistent.sv", "/nonexistent.sv: No such file"},
        {"--rtl=set_index --set l1.index=prime", "index=prime: not a matrix over GF(2)"},
        {"--rtl=set_index --rtl=set_index", "--rtl is given twice"},
        {"--rtl=set_index:tests/cosim/ports/missing.sv", "missing.sv: has no module set_index"},
        {"--rtl=set_index:%s/narrow.sv", "expects 32 bits"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char arguments[512];
        snprintf(arguments, sizeof arguments, rows[i].arguments, test_folder());
        test_command command = test_run("$GOLDMEM run -q %s workload:stream,n=4096", arguments);
        test_expect(&command, 2, rows[i].words);
    }
    test_command alone = test_run("cp $GOLDMEM %s/goldmem; %s/goldmem run --rtl=set_index "
                                  "workload:stream,n=4096",
                                  test_folder(), test_folder());
    test_expect(&alone, 2,
                "goldmem-rtl-set_index.so is not there; in the source folder, `make rtl`");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(workload),
        cmocka_unit_test(real_trace),
        cmocka_unit_test(matrix_file),
        cmocka_unit_test(broken_rtl_is_caught),
        cmocka_unit_test(timed_run),
        cmocka_unit_test(broken_mshr_is_caught),
        cmocka_unit_test(trackers),
        cmocka_unit_test(broken_tracker_is_caught),
        cmocka_unit_test(decoupled),
        cmocka_unit_test(broken_tag_store_is_caught),
        cmocka_unit_test(replacement_gates_and_dueling),
        cmocka_unit_test(hybrid),
        cmocka_unit_test(sharing_aware),
        cmocka_unit_test(temporal_coherence),
        cmocka_unit_test(bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, test_folder_setup, test_folder_teardown);
}
