/* Intake: what an SM does in each turn is what the turn's instruction asks for. */
#include "support/frontend/intake_run.h"

/* Random addresses near and far, in each lane another sector, aligned or not. */
static void random_access(fixture *fixture, test_random *random)
{
    static const unsigned opcodes[] = {MEMORY_LOAD,       MEMORY_STORE,       MEMORY_STRONG_LOAD,
                                       MEMORY_ATOMIC,     MEMORY_REDUCTION,   MEMORY_ASYNC_COPY,
                                       MEMORY_LOCAL_LOAD, MEMORY_LOCAL_STORE, MEMORY_STORE};
    static const unsigned widths[] = {1, 2, 4, 8, 16, 32, 100};
    unsigned opcode = opcodes[test_random_below(random, 9)];
    bool local = opcode == MEMORY_LOCAL_LOAD || opcode == MEMORY_LOCAL_STORE;
    unsigned width = widths[test_random_below(random, local ? 5 : 7)];
    uint32_t mask = (uint32_t)test_random_next(random) | 1;
    mask = test_random_below(random, 3) == 0 ? ALL : mask;
    uint64_t range = UINT64_C(1) << (5 + test_random_below(random, local ? 12 : 36));
    uint64_t base = local ? 0 : BASE;
    if (test_random_below(random, 3) == 0) {
        int64_t step = test_random_below(random, 2) == 0 ? (int64_t)width
                                                         : (int64_t)test_random_below(random, 300);
        uint64_t first = base + test_random_below(random, range);
        first = test_random_below(random, 2) == 0 ? first & ~UINT64_C(127) : first;
        stride(fixture, opcode, mask, first, step, width);
        return;
    }
    for (unsigned k = 0; k < GM_WARP_SIZE; k++) {
        fixture->address[fixture->turns][k] = base + test_random_below(random, range);
    }
    list(fixture, opcode, mask, width, gm_count_ones(mask));
}

static void random_turns(void **state)
{
    (void)state;
    static const unsigned others[] = {MEMORY_COMPUTE, MEMORY_FENCE, MEMORY_BARRIER};
    test_random random = test_random_start(22);
    for (uint64_t line = 32; line <= 1024; line *= 2) {
        fixture fixture;
        make(&fixture, line, test_random_below(&random, 4) == 0);
        for (unsigned round = 0; round < 20; round++) {
            uint32_t turns = 1 + (uint32_t)test_random_below(&random, TURNS);
            while (fixture.turns < turns) {
                if (test_random_below(&random, 2) == 0) {
                    plain(&fixture, others[test_random_below(&random, 3)],
                          test_random_below(&random, 4) == 0 ? 0 : ALL);
                } else {
                    random_access(&fixture, &random);
                }
            }
            run(&fixture);
        }
        destroy(&fixture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
