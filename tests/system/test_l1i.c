/* The instruction cache on real traces: its misses are the lines of code that the trace's PCs lie
 * in, as the test itself counts them, and the order engine ignores it. */
#include "support/support.h"
#include "support/workload/small_workloads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RUN "$GOLDMEM run --quiet --check --preset gtx480 --set sm.fetch=2 "

/* Lines of 256 bytes: all of a PC but its last two digits. Kernels of one name share their code. */
#define COUNT_LINES                                                                                \
    "awk '/^-kernel name/ { name = $4 } "                                                          \
    "/^[0-9a-f]+ [0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f] / "              \
    "{ line = name substr($1, 1, length($1) - 2); if (!(line in seen)) { seen[line]; n++ } } "     \
    "END { print n }' $GOLDMEM_TRACES/%s/*.traceg"

static unsigned long number_of(const test_command *command)
{
    char *end = NULL;
    unsigned long number = strtoul(command->output, &end, 10);
    if (command->status != 0 || end == command->output) {
        fail_msg("exit %d: %s%s", command->status, command->output, command->errors);
    }
    return number;
}

static unsigned long misses_of(const char *trace, const char *options)
{
    test_command command = test_run(RUN "--set l1i.ways=full --set l1i.line=256 %s --json - "
                                        "$GOLDMEM_TRACES/%s | jq .total.l1i.misses",
                                    options, trace);
    unsigned long misses = number_of(&command);
    test_command_free(&command);
    return misses;
}

/* One SM with room for all code misses each line once; four such SMs each of them at most once; one
 * with room for two lines more often. */
static void misses_are_the_lines_of_the_code(void **state)
{
    (void)state;
    static const char *const traces[] = {"simpletorch-sm70-v3", "matrixmul-sm61-v4",
                                         "vectoradd-sm80-v5"};
    (void)test_shared_data("GOLDMEM_TRACES");
    for (size_t i = 0; i < sizeof traces / sizeof traces[0]; i++) {
        test_command counted = test_run(COUNT_LINES, traces[i]);
        unsigned long lines = number_of(&counted);
        assert_int_equal(misses_of(traces[i], "--set l1i.size=1MB --set gpu.sms=1"), lines);
        unsigned long four = misses_of(traces[i], "--set l1i.size=1MB --set gpu.sms=4");
        assert_true(four >= lines && four <= 4 * lines);
        assert_true(misses_of(traces[i], "--set l1i.size=512 --set gpu.sms=1") >= lines);
        print_message("%s: %lu lines of code\n", traces[i], lines);
        assert_true(lines > 1);
        test_command_free(&counted);
    }
    assert_true(misses_of(traces[0], "--set l1i.size=512 --set gpu.sms=1") >
                misses_of(traces[0], "--set l1i.size=1MB --set gpu.sms=1"));
}

static void the_order_engine_ignores_it(void **state)
{
    (void)state;
    test_command without = test_run(RUN "--engine=order --csv - workload:vectoradd,n=5000");
    test_command with =
        test_run(RUN "--engine=order --set l1i.size=2KB --csv - workload:vectoradd,n=5000");
    assert_int_equal(with.status, 0);
    assert_string_equal(with.output, without.output);
    test_command_free(&without);
    test_command_free(&with);
}

/* A workload's kernels are fetched as a trace's; a run goes on from a checkpoint. */
static void a_checkpoint_goes_on(void **state)
{
    (void)state;
    const char *options = "--set l1i.size=1KB --set l1i.mshrs=1 --csv";
    const char *folder = test_folder();
    const char *input = small_workload("bfs");
    test_command whole = test_run(RUN "%s - 'workload:%s'", options, input);
    test_command begun =
        test_run(RUN "%s /dev/null --max-cycles 3000 --checkpoint %s/c,every=1000000 'workload:%s'",
                 options, folder, input);
    test_command rest = test_run(RUN "%s - --resume %s/c 'workload:%s'", options, folder, input);
    assert_int_equal(whole.status, 0);
    assert_int_equal(begun.status, 0);
    assert_string_equal(rest.output, whole.output);
    test_command_free(&whole);
    test_command_free(&begun);
    test_command_free(&rest);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(misses_are_the_lines_of_the_code),
        cmocka_unit_test(the_order_engine_ignores_it),
        cmocka_unit_test_setup_teardown(a_checkpoint_goes_on, test_folder_setup,
                                        test_folder_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
