/* A workload and the trace that `goldmem trace convert` writes of it are the same run: every
 * counter of every kernel and of the total, and every analysis; in the cycle engine every cycle. */
#include "support/support.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *workload, *options;
    const char *present; /* a jq expression: what the workload is here for */
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
    {"kmeans,points=300,clusters=3", "", ".total.warp_instructions > 0"},
};

/* Everything but the input's name, its copies' place in the run included. */
#define COUNTERS "jq -c 'del(.input)'"
#define RUN      "$GOLDMEM run --check --quiet --json - "

static void compare_trace(const char *form, const char *workload, const char *options,
                          const test_command *direct)
{
    test_command trace =
        test_run("rm -rf '%s/t'; $GOLDMEM trace convert %s workload:%s '%s/t' && " RUN
                 "%s '%s/t' | " COUNTERS,
                 test_folder(), form, workload, test_folder(), options, test_folder());
    assert_string_equal(trace.errors, "");
    if (strcmp(trace.output, direct->output) != 0) {
        fail_msg("%s %s %s: the trace differs", workload, options, form);
    }
    test_command_free(&trace);
}

static void the_trace_is_the_same_run(const char *engine)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *workload = cases[i].workload;
        char options[128];
        snprintf(options, sizeof options, "%s %s", engine, cases[i].options);
        (void)test_folder_make();
        test_command direct = test_run(RUN "%s workload:%s | " COUNTERS, options, workload);
        assert_string_equal(direct.errors, "");
        assert_true(direct.output_length > 1000);
        test_command present =
            test_run("jq '%s' '%s'", cases[i].present,
                     test_file_write("direct.json", direct.output, direct.output_length));
        if (strcmp(present.output, "true\n") != 0) {
            fail_msg("%s: not %s", workload, cases[i].present);
        }
        test_command_free(&present);
        compare_trace("", workload, options, &direct);
        compare_trace("--binary", workload, options, &direct);
        compare_trace("--version 3 --compress zst", workload, options, &direct);
        test_command_free(&direct);
        test_folder_remove();
    }
}

static void in_the_order_engine(void **state)
{
    (void)state;
    the_trace_is_the_same_run("--engine=order --analyze=locality,reuse,misses,sharing");
}

static void in_the_cycle_engine(void **state)
{
    (void)state;
    the_trace_is_the_same_run("--engine=cycle");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_the_order_engine),
        cmocka_unit_test(in_the_cycle_engine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
