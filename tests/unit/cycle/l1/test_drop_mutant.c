/* A planted bug: with ideal coherence a write does not drop the other SMs' copies. Values must find
 * it: a load sees less than what is visible. */
#include "cycle/l1/l1.h"
#include "support/config/mixture.h"
#include "support/order/order_run.h"

#include <errno.h>
#include <string.h>

/* Replaces the library's. */
void gm_cycle_l1_drop_copy(gm_cycle_l1 *l1, uint64_t line)
{
    (void)l1;
    (void)line;
}

static void values_find_it(void **state)
{
    (void)state;
    gm_config config = order_preset("fermi-tc");
    memory_source *source = mixture(1, 3);
    const gm_run_options options = {.threads = 1, .check_values = true};
    gm_results results;
    gm_error error;
    config.coherence.protocol = GM_COHERENCE_IDEAL;
    assert_int_equal(gm_cycle_run(&config, &source->source, &options, &results, &error), -EPROTO);
    assert_non_null(strstr(error.text, "which is older than the visible store"));
    gm_source_close(&source->source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(values_find_it)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
