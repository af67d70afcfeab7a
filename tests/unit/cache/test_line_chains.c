/* Line chains against a plain array. */
#include "cache/line_chains.h"
#include "support/support.h"

#include <string.h>

enum { MOST = 4000 };

#define NONE UINT64_MAX

static uint64_t held[MOST]; /* the line of each slot, or NONE */

/* Looks a line up as a cache does. */
static uint32_t find(const gm_line_chains *chains, uint64_t line)
{
    uint32_t slot = *gm_line_chains_first(chains, line);
    while (slot != GM_NO_SLOT && held[slot] != line) {
        assert_true(slot < MOST && held[slot] != NONE);
        slot = chains->next[slot];
    }
    return slot;
}

static uint32_t find_in_array(uint32_t slots, uint64_t line)
{
    for (uint32_t slot = 0; slot < slots; slot++) {
        if (held[slot] == line) {
            return slot;
        }
    }
    return GM_NO_SLOT;
}

/* Slots take lines of a small range, so that many are found, and leave again. */
static void hold_what_an_array_holds(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {2, 17, 24, 768, 1000, 1024, MOST};
    test_random random = test_random_start(1);
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        gm_arena arena;
        gm_error error;
        gm_line_chains chains;
        uint32_t slots = sizes[i];
        test_ok(gm_arena_create(&arena, gm_line_chains_bytes(slots), &error), error);
        assert_true(gm_line_chains_init(&chains, slots, &arena));
        memset(held, 0xff, sizeof held);
        for (unsigned step = 0; step < 4 * MOST; step++) {
            uint32_t slot = (uint32_t)test_random_below(&random, slots);
            uint64_t line = test_random_below(&random, 2 * (uint64_t)slots) << i * 3;
            uint32_t found = find(&chains, line);
            assert_int_equal(found, find_in_array(slots, line));
            if (held[slot] != NONE) {
                gm_line_chains_remove(&chains, held[slot], slot);
                held[slot] = NONE;
            } else if (found == GM_NO_SLOT) {
                gm_line_chains_add(&chains, line, slot);
                held[slot] = line;
            }
        }
        gm_line_chains_clear(&chains);
        for (uint32_t slot = 0; slot < slots; slot++) {
            assert_int_equal(*gm_line_chains_first(&chains, slot), GM_NO_SLOT);
        }
        gm_arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hold_what_an_array_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
