/* A planted bug: a store does not close its line's open MSHR entry, so that data in flight, older
 * than the store, are installed. Values must find it: an SM loses its own write. */
#include "goldmem/mshr.h"

/* In place of the block's CLOSE; nothing else in the file calls it. */
static gm_mshr_response leave_open(gm_mshr *mshr, gm_mshr_request request)
{
    (void)mshr;
    (void)request;
    return (gm_mshr_response){0};
}

/* Compiles the L1's stores with the bug, which replaces the library's: so a source file is
 * included. */
#define gm_mshr_access leave_open
#include "cycle/l1/l1_bypass.c" /* NOLINT(bugprone-suspicious-include) */
#undef gm_mshr_access

#include "support/config/mixture.h"
#include "support/order/order_run.h"

#include <errno.h>
#include <string.h>

static void values_find_it(void **state)
{
    (void)state;
    gm_config config = order_preset("gtx480");
    memory_source *source = mixture(1, 3);
    const gm_run_options options = {.threads = 1, .check_values = true};
    gm_results results;
    gm_error error;
    assert_int_equal(gm_cycle_run(&config, &source->source, &options, &results, &error), -EPROTO);
    assert_non_null(strstr(error.text, "which is older than its SM's store"));
    gm_source_close(&source->source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(values_find_it)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
