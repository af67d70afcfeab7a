/* Real traces run to the end in both engines with --check: each trace under the default preset, the
 * one with most kernels under every preset and with ideal caches. `make regress` runs all
 * combinations. */
#include "support/support.h"

#include <stdio.h>
#include <string.h>

/* The order engine has no warps to throttle. */
static const char *const engines[] = {"--engine=order --set sm.throttle=none --analyze=all",
                                      "--engine=cycle"};

static void run(const char *trace, const char *options)
{
    for (size_t i = 0; i < sizeof engines / sizeof engines[0]; i++) {
        test_command command =
            test_run("$GOLDMEM run --quiet --check %s %s '%s'", engines[i], options, trace);
        if (command.status != 0) {
            fail_msg("%s with %s %s: exit %d: %s", trace, engines[i], options, command.status,
                     command.errors);
        }
        test_command_free(&command);
    }
}

static void every_trace(void **state)
{
    (void)state;
    const char *traces = test_shared_data("GOLDMEM_TRACES");
    test_command list = test_run("ls -d '%s'/*/", traces);
    unsigned found = 0;
    for (char *trace = strtok(list.output, "\n"); trace != NULL; trace = strtok(NULL, "\n")) {
        run(trace, "");
        found++;
    }
    assert_true(found > 0);
    test_command_free(&list);
}

static void every_preset(void **state)
{
    (void)state;
    char trace[512];
    snprintf(trace, sizeof trace, "%s/simpletorch-sm70-v3", test_shared_data("GOLDMEM_TRACES"));
    test_command list = test_run("$GOLDMEM presets | cut -d' ' -f1");
    unsigned found = 0;
    for (char *preset = strtok(list.output, "\n"); preset != NULL; preset = strtok(NULL, "\n")) {
        char options[128];
        snprintf(options, sizeof options, "--preset %s", preset);
        run(trace, options);
        found++;
    }
    assert_int_equal(found, 12); /* eight of papers, four of machines of today */
    test_command_free(&list);
}

/* Caches whose misses must equal those of the analyses' own model. */
static void ideal_caches(void **state)
{
    (void)state;
    static const char *const options[] = {
        "--set l1.ways=full --set l2.ways=full",
        "--set l1.size=unbounded --set l2.size=unbounded",
        "--set l1.ways=full --set l1.sectored=yes --set l2.ways=full --set l2.sectored=yes",
        "--set l1.ways=full --set l1.global_write=back --set l1.global_allocate=yes",
        "--set l1.ways=full --set l1.global_write=through --set l1.local_allocate=yes",
        "--set l1.enabled=no --set l2.ways=full --set l2.fetch_on_write=partial",
        "--set l2.copy_fills=yes --set l2.ways=full --set l1.flush=no --set l1.ways=full",
    };
    char trace[512];
    snprintf(trace, sizeof trace, "%s/simpletorch-sm70-v3", test_shared_data("GOLDMEM_TRACES"));
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        run(trace, options[i]);
        run("workload:syrk,n=24", options[i]);
    }
}

/* More output than a buffer: the disk is found full while kernels still run. */
static void full_disk_ends_the_run(void **state)
{
    (void)state;
    test_command command = test_run("$GOLDMEM run --json /dev/full '%s/simpletorch-sm70-v3'",
                                    test_shared_data("GOLDMEM_TRACES"));
    assert_string_equal(command.errors, "goldmem: /dev/full: No space left on device\n");
    assert_string_equal(command.output, "");
    assert_int_equal(command.status, 1);
    test_command_free(&command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_trace),
        cmocka_unit_test(every_preset),
        cmocka_unit_test(ideal_caches),
        cmocka_unit_test(full_disk_ends_the_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
