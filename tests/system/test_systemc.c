/* The SystemC testbench: sound RTL passes; a wrong response and a firing assertion are each named.
 * The broken RTL is rtl/set_index.sv with one line changed. */
#include "support/cosim/broken_rtl.h"

#include <stdlib.h>
#include <string.h>

static void sound_rtl_passes(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_command command = test_run("build/systemc-set_index 100000 7");
    test_expect(&command, 0, "set_index: SystemC: end: 100000 transactions");
}

/* Inverts one bit of one response between the RTL and the scoreboard. */
static void the_scoreboard_looks(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_command command = test_run("build/systemc-set_index 20000 1 777");
    test_expect(&command, 1, "SystemC: transaction 777: index: RTL 0x");
    command = test_run("build/systemc-set_index x 2>&1");
    test_expect(&command, 2, "systemc: x: not a number");
}

static void broken_rtl_fails(void **state)
{
    (void)state;
    test_only_in_plain_build();
    static const struct {
        const char *edit, *words; /* of rtl/set_index.sv, by sed */
        int status;
    } faults[] = {
        {"s/index_q : forward_index/index_q : line_q[IndexW-1:0]/", ": index: RTL 0x", 1},
        {"s/response_valid_o <= valid_q;/response_valid_o <= 1;/", "sva.a_no_request", 3},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        test_break_set_index(faults[i].edit, i);
        test_command command = test_run("make -s systemc BLOCK=set_index DUT=%s/%zu.sv >&2; "
                                        "build/user-systemc-set_index",
                                        test_folder(), i);
        test_expect(&command, faults[i].status, faults[i].words);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sound_rtl_passes),
        cmocka_unit_test(the_scoreboard_looks),
        cmocka_unit_test(broken_rtl_fails),
    };
    return cmocka_run_group_tests(tests, test_folder_setup, test_folder_teardown);
}
