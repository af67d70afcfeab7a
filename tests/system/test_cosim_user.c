/* make cosim with DUT= and SET=: what a user's own module may do that the RTL here does not, and
 * what a run tells of itself. */
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

/* Makes %s/my_mshr.sv of rtl/mshr.sv by a sed script, and runs it in lockstep with a small table.
 */
static test_command run_my_mshr(const char *script)
{
    test_command command =
        test_run("sed 's/^module mshr /module my_mshr /; %s' rtl/mshr.sv >%s/my_mshr.sv; "
                 "diff rtl/mshr.sv %s/my_mshr.sv | grep -c '^>'",
                 script, test_folder(), test_folder());
    assert_true(strtoul(command.output, NULL, 10) > 1); /* more than its name */
    test_command_free(&command);
    return test_run("make -s cosim BLOCK=mshr DUT=%s/my_mshr.sv TOP=my_mshr TRANSACTIONS=40000 "
                    "SET='entries=8 merges=4' 2>&1",
                    test_folder());
}

/* Its state may have another form, in memories with names of rtl/: here the requesters inverted. */
static void state_may_have_another_form(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_command command = run_my_mshr("s/(request_requester_q)/(~request_requester_q)/; "
                                       "s/? read_requester/? ~read_requester/");
    assert_int_equal(command.status, 0);
    assert_non_null(strstr(command.output, "mshr: end: 1 instances, 40000 transactions"));
    test_command_free(&command);
}

/* A state that a response shows is found: here the requesters inverted on one side only. */
static void answers_are_compared(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_command command = run_my_mshr("s/(request_requester_q)/(~request_requester_q)/");
    assert_int_equal(command.status, 2); /* of make */
    assert_non_null(strstr(command.output, "mshr: mismatch: wrong response in my_mshr"));
    test_command_free(&command);
}

/* A fault of state that takes long: an answer is spoilt when a counter of 14 bits wraps. */
static void long_state_is_reached(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_command command = test_run(
        "sed 's/index_o <=/index_r <=/; s/^  assign request_ready_o/  logic [13:0] count_q;\\n"
        "  logic [4:0] index_r;\\n  logic wraps_q;\\n"
        "  assign index_o = index_r ^ {4'\\''d0, wraps_q};\\n"
        "  always_ff @(posedge clk_i or negedge rst_ni) begin\\n"
        "    if (!rst_ni) count_q <= 14'\\''d0;\\n"
        "    else if (request_valid_i \\&\\& request_ready_o) count_q <= count_q + 14'\\''d1;\\n"
        "  end\\n  always_ff @(posedge clk_i)\\n"
        "    if (request_ready_o) wraps_q <= request_valid_i \\&\\& count_q == 14'\\''h3fff;\\n&/' "
        "docs/examples/my_set_index.sv >%s/count.sv && make -s cosim BLOCK=set_index "
        "DUT=%s/count.sv TOP=my_set_index FIXED=1 "
        "SET='sets=32 index=ipoly:37 address_bits=32' 2>&1",
        test_folder(), test_folder());
    assert_int_equal(command.status, 2); /* of make */
    assert_non_null(strstr(command.output, "at transaction 16383, "));
    assert_non_null(strstr(command.output, "(differ in 0x1)"));
    test_command_free(&command);
}

/* Limits that a run does not demand are named with the reason. */
static void what_is_not_demanded_is_told(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_command command =
        test_run("make -s cosim BLOCK=stream_gate SET=count_bits=16 TRANSACTIONS=20000 2>&1");
    assert_int_equal(command.status, 0);
    assert_non_null(strstr(command.output,
                           "stream_gate: self-check: not demanded of 1 of 1 instances (counts of "
                           "more than 15 bits): a miss beyond the largest count, behind a hit; "));
    test_command_free(&command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(state_may_have_another_form),
        cmocka_unit_test(answers_are_compared),
        cmocka_unit_test(long_state_is_reached),
        cmocka_unit_test(what_is_not_demanded_is_told),
    };
    return cmocka_run_group_tests(tests, test_folder_setup, test_folder_teardown);
}
