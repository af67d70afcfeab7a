/* Miss status holding registers: a second implementation, with lists, that must agree on random
 * transactions. */
#include "goldmem/bits.h"
#include "support/blocks/mshr_lists.h"
#include "support/blocks/mshr_run.h"

#include <string.h>

/* Lines from a pool that suits the table, any id of its width, in phases that fill and drain. */
static gm_mshr_request random_request(test_random *random, const gm_mshr *table, unsigned phase)
{
    unsigned id_bits = table->entries > 2 ? gm_log2_ceil(table->entries) : 1;
    uint64_t ticket = test_random_below(random, 16);
    static const unsigned responses[] = {1, 5, 13};
    uint64_t op = ticket < responses[phase] ? RSP : REQ;
    switch (test_random_below(random, 16)) {
    case 0:
        op = PRB + test_random_below(random, 4);
        break;
    case 1:
        op = CLS;
        break;
    case 2:
        op = test_random_below(random, 4) == 0 ? FLS : CLS;
        break;
    default:
        break;
    }
    return (gm_mshr_request){
        .op = op,
        .line = test_random_below(random, 1 + table->entries),
        .requester = test_random_next(random),
        .id = test_random_below(random, UINT64_C(1) << id_bits),
        .may_allocate = test_random_below(random, 4) != 0,
    };
}

/* Nothing changes on a fail, an error or a probe: compared byte for byte. */
static void expect_unchanged(const gm_mshr *now, const gm_mshr *before, const void *memory)
{
    assert_memory_equal(now, before, sizeof *now);
    assert_memory_equal(arena.memory, memory, arena.size);
}

static void agrees_with_lists(void **state)
{
    (void)state;
    test_random random = test_random_start(1);
    static const unsigned sizes[] = {1, 2, 3, 4, 5, 8, 16, 31, 64, 65, 256};
    enum { SIZES = sizeof sizes / sizeof *sizes, ROUNDS = 200, TRANSACTIONS = 1500 };
    uint64_t seen[3][3] = {{0}}; /* outcome, reason */
    for (unsigned round = 0; round < ROUNDS; round++) {
        naive n = {.entries = sizes[test_random_below(&random, round < 4 ? SIZES : SIZES - 1)],
                   .merges = sizes[test_random_below(&random, SIZES - 3)]};
        if (round < 2) { /* ids, then slots, of more than 8 bits */
            n.entries = round == 0 ? 300 : 2;
            n.merges = round == 0 ? 4 : 300;
        }
        gm_mshr table = make((unsigned)n.entries, (unsigned)n.merges);
        void *memory = allocate(arena.size);
        unsigned phase = 0;
        for (unsigned t = 0; t < TRANSACTIONS; t++) {
            phase = t % 64 == 0 ? (unsigned)test_random_below(&random, 3) : phase;
            gm_mshr_request r = random_request(&random, &table, phase);
            bool watch = arena.size < 2048;
            gm_mshr before = table;
            if (watch) {
                memcpy(memory, arena.memory, arena.size);
            }
            gm_mshr_response a = gm_mshr_access(&table, r);
            expect_equal(a, naive_access(&n, &r));
            const entry *open = open_entry(&n, r.line);
            assert_int_equal(gm_mshr_find_open(&table, r.line),
                             open != NULL ? open->id : GM_MSHR_ENTRIES);
            if (watch && (a.outcome == GM_MSHR_FAIL || a.error != 0 || r.op >= PRB)) {
                expect_unchanged(&table, &before, memory);
            }
            if (watch || t % 64 == 0) {
                expect_sound(&table);
            }
            seen[a.outcome][a.reason]++;
        }
        free(memory);
        drain_naive(&n);
        gm_arena_free(&arena);
    }
    assert_true(seen[GM_MSHR_FAIL][0] > 1000 && seen[GM_MSHR_FAIL][1] > 1000 &&
                seen[GM_MSHR_FAIL][2] > 1000 && seen[GM_MSHR_NEW][0] > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
