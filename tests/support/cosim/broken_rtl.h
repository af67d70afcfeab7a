/* RTL with one line changed, for tests that want it caught. */
#ifndef GOLDMEM_TESTS_SUPPORT_COSIM_BROKEN_RTL_H
#define GOLDMEM_TESTS_SUPPORT_COSIM_BROKEN_RTL_H

#include "support/support.h"

/* rtl/set_index.sv, edited by sed(1), as NUMBER.sv in the temporary folder. Ends the calling test
 * where the edit changes nothing. */
static inline void test_break_set_index(const char *edit, size_t number)
{
    test_command command = test_run("sed '%s' rtl/set_index.sv >%s/%zu.sv; cmp rtl/set_index.sv "
                                    "%s/%zu.sv",
                                    edit, test_folder(), number, test_folder(), number);
    assert_int_equal(command.status, 1); /* they differ */
    test_command_free(&command);
}

#endif
