/* Planted faults of an L2 bank with time that knows bytes: values must find each. */
#include "support/cache/l2_faults.h"

/* Compiles the bank's accesses with the faults, in place of the library's: so source files are
 * included. */
/* NOLINTBEGIN(bugprone-suspicious-include) */
#include "cycle/l2/l2_bank_access.c"
#include "cycle/l2/l2_bank_answer.c"
#include "cycle/l2/l2_bank_atomics.c"
#include "cycle/l2/l2_bank_bypass.c"
#include "cycle/l2/l2_bank_bytes.c"
#include "cycle/l2/l2_bank_modern.c"
#include "cycle/l2/l2_bank_values.c"
/* NOLINTEND(bugprone-suspicious-include) */

#include "support/config/mixture.h"
#include "support/order/order_run.h"

#include <string.h>

/* Returns the first wrong value, or an empty text. */
static gm_error run(bool bypasses, unsigned seed)
{
    gm_config config = order_preset("kepler-hybrid");
    config.gpu.sms = 4;
    config.l1.size = 64 * config.l1.line;
    config.l2.size = 2048 * config.l2.line;
    config.l2.bypass = bypasses ? GM_L2_BYPASS_COALESCED : GM_L2_BYPASS_NONE;
    config.l2.dirty = GM_DIRTY_BYTE;
    config.l2.fetch_on_write = GM_FETCH_LAZY;
    memory_source *source = mixture_of(seed, 2, 24);
    const gm_run_options options = {.threads = 1, .check_values = true};
    gm_results results;
    gm_error error = {.text = ""};
    if (gm_cycle_run(&config, &source->source, &options, &results, &error) == 0) {
        gm_results_free(&results);
        error = (gm_error){.text = ""};
    }
    gm_source_close(&source->source);
    return error;
}

static void right_designs_pass(void **state)
{
    (void)state;
    planted = L2_RIGHT;
    assert_string_equal(run(false, 1).text, "");
    assert_string_equal(run(true, 2).text, "");
}

static void values_find_faults(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof l2_faults / sizeof l2_faults[0]; i++) {
        planted = l2_faults[i].fault;
        for (unsigned bypasses = 0; bypasses <= 1; bypasses++) {
            gm_error error = run(bypasses != 0, 7 + bypasses);
            if (strstr(error.text, l2_faults[i].text) == NULL) {
                fail_msg("fault %d: \"%s\"", (int)planted, error.text);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(right_designs_pass),
                                       cmocka_unit_test(values_find_faults)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
