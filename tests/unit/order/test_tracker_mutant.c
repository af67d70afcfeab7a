/* A planted bug: L1s tell their sharing tracker nothing of writes, so that another L1 supplies an
 * old line. Values must find it: an SM loses its own write. */
#include "order/trackers.h"

#include "support/config/mixture.h"
#include "support/order/order_run.h"

#include <errno.h>
#include <string.h>

/* Replaces the library's. */
void gm_trackers_tell(struct gm_order_l1 *l1, uint64_t operation, uint64_t line)
{
    (void)l1;
    (void)operation;
    (void)line;
}

static void values_find_it(void **state)
{
    (void)state;
    gm_config config = order_preset("kepler-hybrid");
    config.tracker.enabled = true;
    memory_source *source = mixture(1, 3);
    const gm_run_options options = {.threads = 1, .check_values = true};
    gm_results results;
    gm_error error;
    assert_int_equal(gm_order_run(&config, &source->source, &options, &results, &error), -EPROTO);
    assert_non_null(strstr(error.text, "which is older than its SM's store"));
    gm_source_close(&source->source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(values_find_it)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
