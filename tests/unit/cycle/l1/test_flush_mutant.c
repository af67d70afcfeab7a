/* A planted bug: the end of a kernel does not flush the L1s. Values must find it: a load of the
 * next kernel sees what was there before the last one. */
#include "cycle/l1/l1.h"
#include "support/config/mixture.h"
#include "support/order/order_run.h"

#include <errno.h>
#include <string.h>

/* Replaces the library's. */
void gm_cycle_l1_flush(gm_cycle_l1 *l1)
{
    (void)l1;
}

static void values_find_it(void **state)
{
    (void)state;
    gm_config config = order_preset("gtx480");
    memory_source *source = mixture(1, 3);
    const gm_run_options options = {.threads = 1, .check_values = true};
    gm_results results;
    gm_error error;
    assert_int_equal(gm_cycle_run(&config, &source->source, &options, &results, &error), -EPROTO);
    assert_non_null(strstr(error.text, "which is older than the earlier kernels' "));
    gm_source_close(&source->source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(values_find_it)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
