/* sm.throttle=sampling of the command: the limit that it finds is the best one of static runs; what
 * the summary says; a run that is stopped anywhere and resumed; launches shorter than a period;
 * barriers; what is refused; the block's RTL in the loop. */
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RUN    "$GOLDMEM run --quiet --check "
#define SMALL  "--set gpu.sms=4 --set gpu.sampling_period=1000 "
#define SAMPLE SMALL "--set sm.throttle=sampling "
#define KMEANS "workload:kmeans,points=2048 "

/* Returns the core cycles of a run. */
static unsigned long cycles_of(const char *options)
{
    test_command command =
        test_run(RUN "%s --json - | tr -d ' \n' | "
                     "sed 's/.*\"total\"/\"total\"/; s/.*\"cycles\"://; s/[,}].*//'",
                 options);
    assert_int_equal(command.status, 0);
    unsigned long cycles = strtoul(command.output, NULL, 10);
    assert_true(cycles > 0);
    test_command_free(&command);
    return cycles;
}

/* kmeans thrashes. With an L1 of 16 KB one warp of each scheduler is best, with one of 32 KB two or
 * three: static runs say so. */
static void finds_the_best_static_limit(void **state)
{
    (void)state;
    test_only_in_plain_build();
    static const char *const sizes[] = {"16KB", "32KB"};
    for (unsigned s = 0; s < 2; s++) {
        unsigned long best = 0;
        char options[512];
        for (unsigned limit = 1; limit <= 6; limit++) {
            snprintf(options, sizeof options,
                     SMALL "--set l1.size=%s --set sm.throttle=static --set sm.limit=%u " KMEANS,
                     sizes[s], limit);
            unsigned long cycles = cycles_of(options);
            best = best == 0 || cycles < best ? cycles : best;
        }
        snprintf(options, sizeof options, SMALL "--set l1.size=%s " KMEANS, sizes[s]);
        unsigned long none = cycles_of(options);
        snprintf(options, sizeof options, SAMPLE "--set l1.size=%s " KMEANS, sizes[s]);
        unsigned long sampled = cycles_of(options);
        if (sampled * 100 > best * 115 || sampled * 120 > none * 100) {
            fail_msg("L1 of %s: sampling %lu, best limit %lu, none %lu", sizes[s], sampled, best,
                     none);
        }
    }
}

static void summary_says_what_was_found(void **state)
{
    (void)state;
    test_command command = test_run("$GOLDMEM run --check " SAMPLE KMEANS);
    static const char *const lines[] = {
        "Warp throttling, limits found by sampling SMs\n",
        "  samplings                            1\n",
        "  limits found                         1\n",
        "  limits of earlier launches               1\n",
        "  kernel 0, core cycle 3,000: hot, SMs are sampled\n",
        "  kernel 0, core cycle 6,000: limit 1, found\n",
        ": hot, limit 1 of an earlier launch\n",
        "  assign                                          1         2         0           6,000\n",
        " of the scheduler cycles: no ready warp was allowed to issue\n",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        if (strstr(command.output, lines[i]) == NULL) {
            fail_msg("no line '%s' in\n%s", lines[i], command.output);
        }
    }
    test_expect(&command, 0, "throttled ");
    command = test_run("$GOLDMEM run --quiet --json - " SAMPLE KMEANS
                       "| jq -c '[.kernels[].sampling.limit], .total.sampling.limits'");
    test_expect(&command, 0,
                "[1,1]\n[{\"kernel\":\"assign\",\"limit\":1,\"launches\":2,\"found_in\":0,"
                "\"cycle\":6000}]\n");
}

/* Bytes of --no-skip, of another thread, and of runs that are stopped among hot periods, among
 * sampled ones, with the limit, and in the second launch. */
static void stopped_and_resumed(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_command command =
        test_run("cd '%s' && for o in '' --no-skip '--threads 2'; do " RUN
                 "$o --json out.json " SAMPLE KMEANS
                 "|| exit 3; [ -f whole.json ] || cp out.json whole.json; "
                 "cmp out.json whole.json || exit 4; done; "
                 "for c in 1500 2999 3000 3001 4500 6000 9000 200000; do rm -f c; " RUN
                 "--max-cycles $c --checkpoint c,every=900000000 " SAMPLE KMEANS "> part; " RUN
                 "--resume c --json out.json " SAMPLE KMEANS "|| exit 5; "
                 "cmp out.json whole.json || { echo $c; exit 6; }; done",
                 test_folder());
    test_expect(&command, 0, "");
}

/* A launch that is shorter than a period reports nothing: bytes of a run without throttling, but
 * for the statistics of throttling. */
static void short_launches(void **state)
{
    (void)state;
    test_only_in_plain_build();
    const char *bfs = "--set gpu.sms=4 --set gpu.sampling_period=1000000 workload:bfs,nodes=4000";
    char options[256];
    snprintf(options, sizeof options, "--set sm.throttle=sampling %s", bfs);
    assert_int_equal(cycles_of(options), cycles_of(bfs));
    test_command command = test_run("$GOLDMEM run --check %s", options);
    test_expect(&command, 0, "sampling periods                     0");
}

/* With gates: those of a kernel that thrashes do not close, those of one that streams do, and it is
 * not sampled. */
static void beside_streaming_bypass(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_command command = test_run("$GOLDMEM run --check " SAMPLE "--set l1.streaming=yes " KMEANS
                                    "| sed 's/  */ /g'");
    assert_non_null(strstr(command.output, " closings 0 "));
    test_expect(&command, 0, " kernel 0, core cycle 6,000: limit 1, found\n");
    command = test_run("$GOLDMEM run --check " SAMPLE "--set l1.streaming=yes "
                       "workload:vectoradd,n=65536 | sed 's/  */ /g'");
    assert_non_null(strstr(command.output, " closings 4 "));
    test_expect(&command, 0, " samplings 0\n");
}

/* A stream has closed the L1s when a kernel that thrashes begins in the midst of a period: their
 * tags tell that it misses, and it is sampled behind three whole periods [khairy, 4.1, 4.2]. */
static void thrashes_behind_a_stream(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_command command =
        test_run("cd %s && $GOLDMEM trace convert --binary workload:vectoradd,n=32768 both && "
                 "$GOLDMEM trace convert --binary workload:gesummv,n=2048 other && "
                 "cp other/kernel-1.gmt both/kernel-2.gmt && "
                 "echo kernel-2.gmt >>both/kernelslist.g && "
                 "$GOLDMEM run --check --max-instructions=500000 --set gpu.sms=2 "
                 "--set gpu.sampling_period=1000 --set sm.throttle=sampling "
                 "--set l1.streaming=yes --set l1.index=ipoly:37 both | sed 's/  */ /g'",
                 test_folder());
    assert_non_null(strstr(command.output, " first closing at 1,000 "));
    assert_non_null(strstr(command.output, " kernel 1, core cycle 11,000: hot, SMs are sampled\n"));
    test_expect(&command, 0, " kernel 1, core cycle 14,000: limit 1, found\n");
}

/* Barriers, with every limit of a round, end. */
static void barriers(void **state)
{
    (void)state;
    static const char *const inputs[] = {"srad2,rows=64,columns=64,iterations=1", "hotspot,n=64",
                                         "backprop,inputs=512"};
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        test_command command = test_run(RUN "--set gpu.sms=2 --set gpu.sampling_period=64 --set "
                                            "l1.size=4KB --set sm.throttle=sampling workload:%s",
                                        inputs[i]);
        test_expect(&command, 0, "");
    }
}

static void what_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *options, *text;
    } rows[] = {
        {"--engine=order", "sm.throttle: needs the cycle engine"},
        {"--set gpu.kernels=2", "gpu.kernels=2: must be 1 with sm.throttle=sampling, which finds "
                                "a limit for one kernel"},
        {"--set gpu.sms=257", "gpu.sms=257: must be 256 at most with sm.throttle=sampling"},
        {"--set l1.enabled=no",
         "sm.throttle=sampling: needs l1.enabled=yes: it follows an L1's misses"},
        {"--set l1.bypass=all",
         "sm.throttle=sampling: needs another l1.bypass than all: it follows an L1's misses"},
        {"--set gpu.sampling_period=63", "gpu.sampling_period"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        test_command command = test_run("$GOLDMEM run --set sm.throttle=sampling %s "
                                        "workload:vectoradd,n=64",
                                        rows[i].options);
        test_expect(&command, 2, rows[i].text);
    }
    test_command command =
        test_run("$GOLDMEM run --rtl=cores_sampling --set gpu.sms=4 workload:vectoradd,n=64");
    test_expect(&command, 2, "--rtl=cores_sampling: needs --set sm.throttle=sampling");
}

/* The RTL agrees; RTL in which cool periods are hot, or whose sum of misses is wrong, does not. */
static void rtl_in_the_loop(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_command command = test_run("$GOLDMEM run --check --set sm.warps=16 --set sm.threads=512 "
                                    "--rtl=cores_sampling,warp_limiter " SAMPLE KMEANS);
    assert_non_null(strstr(command.errors, "the RTL of warp_limiter agrees: "));
    test_expect(&command, 0, "the RTL of cores_sampling agrees: ");
    static const char *const edits[] = {"s/missed > allowed/missed < allowed/",
                                        "s/misses_q + {/misses_q \\& {/"};
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        command = test_run("sed '%s' rtl/cores_sampling.sv >%s/cores_sampling.sv; ! cmp -s "
                           "rtl/cores_sampling.sv %s/cores_sampling.sv && " RUN
                           "--rtl=cores_sampling:%s/cores_sampling.sv " SAMPLE KMEANS,
                           edits[i], test_folder(), test_folder(), test_folder());
        test_expect(&command, 1, "l1: cores_sampling, call ");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_best_static_limit),
        cmocka_unit_test(summary_says_what_was_found),
        cmocka_unit_test(stopped_and_resumed),
        cmocka_unit_test(short_launches),
        cmocka_unit_test(beside_streaming_bypass),
        cmocka_unit_test(thrashes_behind_a_stream),
        cmocka_unit_test(barriers),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(rtl_in_the_loop),
    };
    return cmocka_run_group_tests(tests, test_folder_setup, test_folder_teardown);
}
