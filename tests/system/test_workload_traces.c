/* A workload and the trace that `goldmem trace convert` writes of it give equal runs: every counter
 * of every kernel and of the total, and every analysis; in the cycle engine every cycle. */
#include "support/support.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *workload, *options;
    const char *present; /* a jq expression: the feature that the workload must use */
} cases[] = {
    {"vectoradd,n=5000", "", ".total.copies == 2"},
    {"syrk,n=24", "--preset kepler-hybrid", ".total.l1d.load.hits > 0"},
    {"hotspot,n=32,steps=4", "--preset fermi-l1d",
     ".total.barriers > 0 and .total.shared_instructions > 0 and (.kernels | length) > 1"},
    {"nw,n=64", "--preset fermi-sharing", ".total.barriers > 0 and (.kernels | length) > 1"},
    {"histo,n=5000", "--preset fermi-tc", ".total.atomic_instructions > 0"},
    {"fwt,log2n=10,vectors=1", "", ".total.barriers > 0"},
    {"bfs,nodes=500", "", "(.kernels | length) > 2"},
    {"spmv,rows=300", "", ".total.thread_instructions < 32 * .total.warp_instructions"},
    {"gridding,samples=300,side=8", "--set l2.copy_fills=yes", ".total.atomic_instructions > 0"},
    {"sssp,nodes=300", "--preset fermi-l1d",
     ".total.atomic_instructions > 0 and (.kernels | length) > 4"},
    {"barneshut,bodies=70,steps=1", "", ".total.barriers > 0 and .total.shared_instructions > 0"},
    {"threadfence_reduction,n=2000,vectors=4,ctas=4", "",
     ".total.fences == 16 and .total.fences_gpu == 16 and .total.fences_sys == 0"},
    {"kmeans,points=300,clusters=3", "", ".total.warp_instructions > 0"},
    /* Lanes of local memory lie side by side: one request for each of these instructions. */
    {"libor,paths=200,rates=9,steps=4", "--preset fermi-sharing",
     ".total.local_instructions > 0 and "
     ".total.l1d.accesses == .total.local_instructions + .total.global_instructions"},
    {"mummer,reference=500,reads=300", "--preset fermi-l1d", ".total.lane_accesses > 0"},
    {"raytrace,width=40,height=20,constant=0", "", ".total.local_instructions > 0"},
    {"weather,x=9,y=8,levels=5", "", ".total.local_instructions > 0"},
};

/* Everything but the input's name, the place of copies in the run included. */
#define COUNTERS "jq -c 'del(.input)'"
#define RUN      "$GOLDMEM run --check --quiet --json - "

static const char *const engines[] = {
    "--engine=order --analyze=locality,reuse,misses,sharing",
    "--engine=cycle",
};

/* Compares the trace in each form, in both engines. Under sanitizers the cycle engine takes one
 * form of each workload. */
static void compare_traces(size_t number, const test_command direct[2])
{
    static const char *const forms[] = {"", "--binary", "--version 3 --compress zst"};
    const char *workload = cases[number].workload;
    for (size_t form = 0; form < 3; form++) {
        test_command made = test_run("rm -rf '%s/t'; $GOLDMEM trace convert %s workload:%s '%s/t'",
                                     test_folder(), forms[form], workload, test_folder());
        assert_int_equal(made.status, 0);
        test_command_free(&made);
        for (size_t e = 0; e < 2; e++) {
            if (e == 1 && number % 3 != form && !test_is_plain_build()) {
                continue;
            }
            test_command trace = test_run(RUN "%s %s '%s/t' | " COUNTERS, engines[e],
                                          cases[number].options, test_folder());
            assert_string_equal(trace.errors, "");
            if (strcmp(trace.output, direct[e].output) != 0) {
                fail_msg("%s %s %s: the trace differs", workload, engines[e], forms[form]);
            }
            test_command_free(&trace);
        }
    }
}

static void the_trace_is_the_same_run(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        test_command direct[2];
        (void)test_folder_make();
        for (size_t e = 0; e < 2; e++) {
            direct[e] = test_run(RUN "%s %s workload:%s | " COUNTERS, engines[e], cases[i].options,
                                 cases[i].workload);
            assert_string_equal(direct[e].errors, "");
            assert_true(direct[e].output_length > 1000);
            const char *json =
                test_file_write("direct.json", direct[e].output, direct[e].output_length);
            test_command present = test_run("jq '%s' '%s'", cases[i].present, json);
            if (strcmp(present.output, "true\n") != 0) {
                fail_msg("%s: not %s", cases[i].workload, cases[i].present);
            }
            test_command_free(&present);
        }
        compare_traces(i, direct);
        test_command_free(&direct[0]);
        test_command_free(&direct[1]);
        test_folder_remove();
    }
}

/* A trace of a workload that communicates has one order, in which it spins equally often on every
 * machine; its writer is told. */
static void communicating_kernels_are_fixed(void **state)
{
    (void)state;
    test_command made = test_run(
        "$GOLDMEM trace convert workload:wave3d,x=32,y=8,z=1,ctas=4 %s/live", test_folder());
    assert_int_equal(made.status, 0);
    assert_string_equal(made.errors,
                        "goldmem: wave3d,x=32,y=8,z=1,ctas=4: its CTAs communicate: the trace has "
                        "one order, which it replays whatever the machine\n");
    test_command_free(&made);
    test_command runs = test_run(
        "for p in none tcw vi; do $GOLDMEM run --preset fermi-tc --set coherence=$p --quiet --json "
        "- "
        "%s/live | jq -c '.total | [.thread_instructions, .fences, .l1d.load.accesses]'; done | "
        "sort -u | wc -l",
        test_folder());
    assert_string_equal(runs.output, "1\n");
    test_command_free(&runs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(communicating_kernels_are_fixed, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test(the_trace_is_the_same_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
