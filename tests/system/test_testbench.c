/* The example testbench of docs/examples/testbench: it passes rtl/mshr.sv, meets all its coverage,
 * and fails with a broken design and with a test too short for its coverage. */
#include "support/support.h"

#include <string.h>

static void sound_rtl_passes(void **state)
{
    (void)state;
    test_only_in_plain_build();
    static const char *const seeds[] = {"1", "77"};
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
        test_command command = test_run("build/testbench-mshr +verilator+seed+%s", seeds[i]);
        assert_int_equal(command.status, 0);
        assert_non_null(strstr(command.output, "mshr_tb: end: 20000 transactions"));
        test_command_free(&command);
    }
}

static void what_is_not_met_fails(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_command command = test_run("build/testbench-mshr +transactions=10 2>&1");
    assert_int_not_equal(command.status, 0);
    assert_non_null(strstr(command.output, " bins are empty"));
    assert_null(strstr(command.output, "mshr_tb: end"));
    test_command_free(&command);
}

/* The MSHRs give the last requester in place of the next. */
static void broken_rtl_fails(void **state)
{
    (void)state;
    test_only_in_plain_build();
    const char *folder = test_folder_make();
    test_command command = test_run("sed 's/read_row  = {chosen_id, chosen_oldest}/read_row  = "
                                    "{chosen_id, chosen_newest}/' rtl/mshr.sv >%s/mshr.sv; "
                                    "cmp rtl/mshr.sv %s/mshr.sv",
                                    folder, folder);
    assert_int_equal(command.status, 1); /* they differ */
    test_command_free(&command);
    command = test_run("make -s testbench DUT=%s/mshr.sv 2>&1", folder);
    assert_int_not_equal(command.status, 0);
    assert_non_null(strstr(command.output, "  RTL   outcome 0 reason 0 id "));
    assert_null(strstr(command.output, "mshr_tb: end"));
    test_command_free(&command);
    test_folder_remove();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sound_rtl_passes),
        cmocka_unit_test(what_is_not_met_fails),
        cmocka_unit_test(broken_rtl_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
