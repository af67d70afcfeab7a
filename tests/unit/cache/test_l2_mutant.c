/* Planted faults of an L2 of the order engine that knows bytes, or that coalesced loads bypass:
 * values must find each. */
#include "support/cache/l2_faults.h"

/* Compiles the L2 with the faults, in place of the library's: so a source file is included. */
#define gm_l2_access access_with_faults
#include "cache/l2.c" /* NOLINT(bugprone-suspicious-include) */
#undef gm_l2_access

#include "order/order_machine.h"
#include "support/config/mixture.h"
#include "support/order/order_run.h"

#include <string.h>

gm_outcome gm_l2_access(gm_l2 *l2, gm_dram *dram, const gm_address_map *map, gm_location at,
                        const gm_message *message)
{
    if (planted == L2_BLIND && message->kind == GM_MESSAGE_READ && message->fills != 0) {
        gm_values_read_dram(l2->values, message->sm, message->kind, message->line,
                            message->sectors);
        return (gm_outcome){.bypass = true};
    }
    return access_with_faults(l2, dram, map, at, message);
}

/* The counts of faulty machines do not agree. */
int gm_order_machine_check(const gm_order_machine *machine, gm_error *error)
{
    (void)machine;
    (void)error;
    return 0;
}

/* Returns the first wrong value, or an empty text. */
static gm_error run(bool bytes, bool bypasses, unsigned seed)
{
    gm_config config = order_preset("kepler-hybrid");
    config.gpu.sms = 4;
    config.l1.size = 64 * config.l1.line;
    config.l2.size = 2048 * config.l2.line;
    config.l2.bypass = bypasses ? GM_L2_BYPASS_COALESCED : GM_L2_BYPASS_NONE;
    config.l1.bypass = GM_BYPASS_CONTENTION;
    if (bytes) {
        config.l2.dirty = GM_DIRTY_BYTE;
        config.l2.fetch_on_write = GM_FETCH_LAZY;
    }
    memory_source *source = mixture_of(seed, 3, 40);
    const gm_run_options options = {.threads = 1, .check_values = true};
    gm_results results;
    gm_error error = {.text = ""};
    if (gm_order_run(&config, &source->source, &options, &results, &error) == 0) {
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
    for (unsigned i = 0; i < 4; i++) {
        assert_string_equal(run((i & 1) != 0, (i & 2) != 0, i).text, "");
    }
}

static void values_find_faults(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof l2_faults / sizeof l2_faults[0]; i++) {
        planted = l2_faults[i].fault;
        for (unsigned bypasses = 0; bypasses <= 1; bypasses++) {
            gm_error error = run(true, bypasses != 0, 7 + bypasses);
            if (strstr(error.text, l2_faults[i].text) == NULL) {
                fail_msg("fault %d: \"%s\"", (int)planted, error.text);
            }
        }
    }
    planted = L2_BLIND;
    for (unsigned bytes = 0; bytes <= 1; bytes++) {
        gm_error error = run(bytes != 0, true, 9);
        const char *expected = bytes != 0 ? "the read of DRAM for SM" : "the L2's read for SM";
        if (strstr(error.text, expected) == NULL) {
            fail_msg("a bypass of present lines: \"%s\"", error.text);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(right_designs_pass),
                                       cmocka_unit_test(values_find_faults)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
