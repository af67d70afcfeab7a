/* The TLM-2.0 sockets of goldmem/tlm.hpp: tests/tlm/ runs them in SystemC, beside goldmem/memory.h.
 */
#include "support/support.h"

#include <string.h>

/* Runs the checks; their last line is "works". */
static void sockets_obey(void **state)
{
    (void)state;
    test_only_in_plain_build();
    static const char *const arguments[] = {"", "coarse"}; /* resolution of sc_time */
    for (size_t i = 0; i < sizeof arguments / sizeof arguments[0]; i++) {
        test_command command = test_run(
            "make -s build/tlm-check && SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1 build/tlm-check %s",
            arguments[i]);
        assert_int_equal(command.status, 0);
        assert_string_equal(strstr(command.output, "works"), "works\n");
        assert_null(strstr(command.output, "not so"));
        test_command_free(&command);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sockets_obey)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
