/* mshr's RTL in lockstep with its C model, and the coverage of the run. */
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

#define COSIM "build/goldmem-cosim mshr"

/* Cosimulation is built in build/ only, and tested in the plain build only. */
static void a_million_transactions_agree(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_command command = test_run(COSIM " --bundle %s/b", test_folder_make());
    test_folder_remove();
    test_expect(&command, 0, "mshr: end: 9 instances, 1000008 transactions");
}

static void everything_is_covered(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_command command = test_run(COSIM " --build build/cosim/mshr.coverage.so --transactions "
                                          "20000 --coverage %s/c.dat",
                                    test_folder_make());
    test_folder_remove();
    test_expect(&command, 0, "mshr: coverage: 36 of 36 cover points, ");
}

/* Options out of range are refused with the C model's message. */
static void bad_options_are_refused(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_command command = test_run("build/cosim/mshr.generate mshr 'entries=1025' /dev/null "
                                    "/dev/null");
    assert_int_equal(command.status, 2);
    assert_string_equal(command.errors,
                        "goldmem-cosim: mshr: mshr: entries 1025: must be 1 to 1024\n");
    test_command_free(&command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_million_transactions_agree),
        cmocka_unit_test(everything_is_covered),
        cmocka_unit_test(bad_options_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
