/* The DPI-C package: the committed file agrees with the port lists, and a SystemVerilog testbench
 * that calls the golden model (tb/set_index_dpi_tb.sv) passes sound RTL and fails wrong RTL. */
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

static void package_is_current(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_command command = test_run("diff -u build/goldmem_dpi_pkg.sv cosim/goldmem_dpi_pkg.sv");
    if (command.status != 0) {
        fail_msg("`make dpi-package` writes it anew:\n%s%s", command.output, command.errors);
    }
    test_command_free(&command);
}

/* The package has nothing that only Verilator takes. */
static void package_is_for_any_simulator(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_command command = test_run("verilator --lint-only -Wall -Wpedantic -Wno-UNUSEDPARAM "
                                    "cosim/goldmem_dpi_pkg.sv && ! grep -inE '`|verilator|\\$' "
                                    "cosim/goldmem_dpi_pkg.sv");
    if (command.status != 0) {
        fail_msg("%s%s", command.output, command.errors);
    }
    test_command_free(&command);
}

static void sound_rtl_passes(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_command command = test_run("build/dpi-set_index +transactions=200000");
    assert_int_equal(command.status, 0);
    assert_non_null(strstr(command.output, "set_index_dpi_tb: end: 200000 transactions"));
    /* Errors reach the testbench as text. */
    assert_non_null(strstr(command.output, "refused: sets=31"));
    assert_non_null(strstr(command.output, "refused: goldmem: set_index: index=0x20 has more"));
    test_command_free(&command);
}

/* A difference between RTL and model fails, whichever of the two is wrong. */
static void wrong_rtl_fails(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_command command = test_run("build/dpi-set_index +wrong 2>&1");
    assert_int_not_equal(command.status, 0);
    assert_non_null(strstr(command.output, ": RTL line=0x"));
    assert_null(strstr(command.output, "dpi_tb: end"));
    test_command_free(&command);

    const char *folder = test_folder_make();
    command = test_run("sed 's/index_q : forward_index/index_q : line_q[IndexW-1:0]/' "
                       "rtl/set_index.sv >%s/wrong.sv; cmp rtl/set_index.sv %s/wrong.sv",
                       folder, folder);
    assert_int_equal(command.status, 1); /* they differ */
    test_command_free(&command);
    command = test_run("make -s dpi BLOCK=set_index DUT=%s/wrong.sv 2>&1", folder);
    assert_int_not_equal(command.status, 0);
    assert_non_null(strstr(command.output, ": RTL line=0x"));
    assert_null(strstr(command.output, "dpi_tb: end"));
    test_command_free(&command);
    test_folder_remove();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(package_is_current),
        cmocka_unit_test(package_is_for_any_simulator),
        cmocka_unit_test(sound_rtl_passes),
        cmocka_unit_test(wrong_rtl_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
