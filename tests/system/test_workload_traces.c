/* A workload and the trace that `goldmem trace convert` writes of it are the same run: every
 * counter of every kernel and of the total, and every analysis. */
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
    {"kmeans,points=300,clusters=3", "", ".total.warp_instructions > 0"},
};

/* Everything but the input's name, its copies' place in the run included. */
#define COUNTERS "jq -c 'del(.input)'"
#define RUN      "$GOLDMEM run --check --quiet --analyze=locality,reuse,misses,sharing --json - "

static void the_trace_is_the_same_run(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *folder = test_folder_make();
        test_command direct =
            test_run(RUN "%s workload:%s | " COUNTERS, cases[i].options, cases[i].workload);
        assert_string_equal(direct.errors, "");
        assert_true(direct.output_length > 1000);
        char json[256];
        snprintf(json, sizeof json, "%s",
                 test_file_write("direct.json", direct.output, direct.output_length));
        test_command present = test_run("jq '%s' '%s'", cases[i].present, json);
        if (strcmp(present.output, "true\n") != 0) {
            fail_msg("%s: not %s", cases[i].workload, cases[i].present);
        }
        test_command_free(&present);
        static const char *const forms[] = {"", "--binary", "--version 3 --compress zst"};
        for (size_t form = 0; form < sizeof forms / sizeof forms[0]; form++) {
            test_command trace =
                test_run("rm -rf '%s/t'; $GOLDMEM trace convert %s workload:%s '%s/t' && " RUN
                         "%s '%s/t' | " COUNTERS,
                         folder, forms[form], cases[i].workload, folder, cases[i].options, folder);
            assert_string_equal(trace.errors, "");
            if (strcmp(trace.output, direct.output) != 0) {
                fail_msg("%s %s: the trace differs", cases[i].workload, forms[form]);
            }
            test_command_free(&trace);
        }
        test_command_free(&direct);
        test_folder_remove();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_trace_is_the_same_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
