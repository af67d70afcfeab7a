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
        cmocka_unit_test(what_is_not_demanded_is_told),
    };
    return cmocka_run_group_tests(tests, test_folder_setup, test_folder_teardown);
}
