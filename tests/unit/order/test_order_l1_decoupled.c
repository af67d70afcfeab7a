/* The decoupled L1 of the order engine: what each access counts and sends, worked by hand from
 * [li, 4.1, 4.2] and docs/blocks/tag_store.md; and its laws. */
#include "order/order_l1_decoupled.h"
#include "support/order/order_l1_run.h"

#include <errno.h>

/* 4 sets of 4 tag entries and 2 data lines: lines 0, 4, 8, ... share a set. */
static gm_config small(void)
{
    gm_config config;
    gm_config_defaults(&config);
    config.gpu.sms = 1;
    config.l1.kind = GM_L1_DECOUPLED;
    config.l1.ways = 2;
    config.l1.tag_ways = 4;
    config.l1.size = 4 * config.l1.ways * config.l1.line;
    return config;
}

static void play(const gm_config *config, const step *steps, size_t count)
{
    gm_error error;
    gm_order_machine machine;
    test_ok(gm_order_machine_init(&machine, config, false, &error), error);
    play_steps(&machine, steps, count);
    test_ok(gm_order_l1_decoupled_check(&machine.sm[0].l1, "L1", &error), error);
    gm_order_machine_free(&machine);
}

#define PLAY(config, steps) play(config, steps, sizeof(steps) / sizeof(steps)[0])

/* Comments: RC of the lines in order of their entries; * has a data line. */
static void references_earn_a_data_line(void **state)
{
    (void)state;
    static const step steps[] = {
        {LOAD, 0, 0x1, 0, "bypass", "R0:1"}, /* 0:1 */
        {LOAD, 0, 0x2, 0, "miss", "R0:f"},   /* 0:2* */
        {LOAD, 0, 0x8, 0, "hit", ""},
        {LOAD, 4, 0x3, 0, "bypass", "R4:3"},       /* 0:2* 4:1 */
        {LOAD, 4, 0x1, 0, "miss", "R4:f"},         /* 0:1* 4:2* */
        {LOAD, 8, 0x1, 0, "bypass", "R8:1"},       /* 0:1* 4:2* 8:1 */
        {LOAD, 8, 0x1, 0, "miss", "R8:f"},         /* evicts 0: 0:0 4:1* 8:2* */
        {LOAD, 0, 0x1, 0, "bypass", "R0:1"},       /* 0:1 4:1* 8:2* */
        {LOAD, 0, 0x1, 0, "miss", "R0:f"},         /* evicts 4: 0:2* 4:0 8:1* */
        {STORE, 8, 0x1, 0x1, "hit+drops", "W8:1"}, /* 0:1* 4:0 8:0 */
        {LOAD, 8, 0x1, 0, "bypass", "R8:1"},       /* 8:1 */
        {STORE, 8, 0x1, 0x1, "miss", "W8:1"},      /* no reference: 8:1 */
        {LOAD, 8, 0x1, 0, "miss", "R8:f"},         /* 0:0* 4:0 8:2* */
        {STORE, 12, 0x1, 0x1, "miss", "W12:1"},    /* no entry for it */
        {LOAD, 0, 0x4, 0, "hit", ""},
        {ATOMIC, 0, 0x3, 0, "bypass+drops", "A0:3"}, /* 4:0 8:2* */
        {REDUCE, 4, 0x1, 0, "bypass", "D4:1"},       /* 8:2* */
        {LOAD, 4, 0x1, 0, "bypass", "R4:1"},         /* 4:1 8:2* */
        {STRONG, 8, 0x6, 0, "bypass+drops", "R8:6"}, /* 4:1 */
        {LOAD, 12, 0x1, 0, "bypass", "R12:1"},       /* 4:1 12:1 */
        {LOAD, 12, 0x1, 0, "miss", "R12:f"},         /* 4:0 12:2* */
        {LOAD, 4, 0x1, 0, "bypass", "R4:1"},         /* 4:1, had it not aged a miss */
        {LOAD, 1, 0x1, 0, "bypass", "R1:1"},         /* another set: 1:1 */
        {ATOMIC, 1, 0x1, 0, "bypass", "A1:1"},       /* forgets it */
        {LOAD, 1, 0x1, 0, "bypass", "R1:1"},
        {FLUSH, 0, 0, 0, "", ""},
        {LOAD, 12, 0x1, 0, "bypass", "R12:1"}, /* counts are gone */
    };
    gm_config config = small();
    PLAY(&config, steps);
    config.l1.threshold = 3;
    static const step third[] = {
        {LOAD, 0, 0x1, 0, "bypass", "R0:1"},
        {LOAD, 0, 0x1, 0, "bypass", "R0:1"},
        {LOAD, 0, 0x1, 0, "miss", "R0:f"},
    };
    PLAY(&config, third);
}

/* Local memory: write-back; without allocation a store is no reference, but a hit. */
static void local_stores(void **state)
{
    (void)state;
    static const step steps[] = {
        {LOCAL_STORE, 0, 0x1, 0x1, "miss", "W0:1"},
        {LOCAL_LOAD, 0, 0x1, 0, "bypass", "R0:1"},
        {LOCAL_STORE, 0, 0x1, 0x1, "miss", "W0:1"},
        {LOCAL_LOAD, 0, 0x1, 0, "miss", "R0:f"},
        {LOCAL_LOAD, 4, 0x1, 0, "bypass", "R4:1"},
        {LOCAL_LOAD, 4, 0x1, 0, "miss", "R4:f"},
        {LOCAL_STORE, 0, 0x5, 0, "hit", ""}, /* makes 0 the newer line */
        {LOCAL_LOAD, 8, 0x1, 0, "bypass", "R8:1"},
        {LOCAL_LOAD, 8, 0x1, 0, "miss", "R8:f"}, /* evicts 4 */
        {LOCAL_LOAD, 12, 0x1, 0, "bypass", "R12:1"},
        {LOCAL_LOAD, 12, 0x1, 0, "miss", "B0:5 R12:f"},
        {LOCAL_STORE, 8, 0x2, 0x2, "hit", ""},
        {FLUSH, 0, 0, 0, "", "B8:2"},
    };
    gm_config config = small();
    PLAY(&config, steps);
    static const step allocate[] = {
        {LOCAL_STORE, 0, 0x1, 0x1, "bypass", "W0:1"},
        {LOCAL_STORE, 0, 0x3, 0x1, "miss", "R0:e"}, /* sector 0 is covered */
        {LOCAL_STORE, 4, 0xf, 0xf, "bypass", "W4:f"},
        {LOCAL_STORE, 4, 0xf, 0xf, "miss", ""},
        {LOCAL_STORE, 8, 0x1, 0x1, "bypass", "W8:1"},
        {LOCAL_STORE, 8, 0x1, 0x1, "miss", "B0:3 R8:e"},
        {STRONG, 4, 0x1, 0, "bypass+drops", "B4:f R4:1"},
        {ATOMIC, 8, 0x1, 0, "bypass+drops", "B8:1 A8:1"},
        {FLUSH, 0, 0, 0, "", ""},
    };
    config.l1.local_allocate = true;
    PLAY(&config, allocate);
}

static void sectors(void **state)
{
    (void)state;
    static const step steps[] = {
        {LOAD, 0, 0x1, 0, "bypass", "R0:1"},
        {LOAD, 0, 0x1, 0, "miss", "R0:1"},
        {LOAD, 0, 0x3, 0, "miss", "R0:2"}, /* the line is there, sector 1 is not */
        {LOAD, 0, 0x3, 0, "hit", ""},
        {STORE, 0, 0x4, 0x4, "drops", "W0:4"}, /* a miss of the sector; the line goes */
        {LOAD, 0, 0x1, 0, "bypass", "R0:1"},
        {LOCAL_LOAD, 4, 0x1, 0, "bypass", "R4:1"},
        {LOCAL_LOAD, 4, 0x1, 0, "miss", "R4:1"},
        {LOCAL_STORE, 4, 0x2, 0, "miss", "W4:2"}, /* does not allocate, and fetches nothing */
        {LOCAL_LOAD, 4, 0x2, 0, "miss", "R4:2"},
        {FLUSH, 0, 0, 0, "", ""},
    };
    gm_config config = small();
    config.l1.sectored = true;
    PLAY(&config, steps);
}

/* Two data lines, three entries: line 12 finds none free, and RC 1, 2 and 1. */
static void candidates(void **state)
{
    (void)state;
    enum { LAST = 6 };
    step steps[] = {
        {LOCAL_LOAD, 0, 0x1, 0, "bypass", "R0:1"}, /* 0:1 */
        {LOCAL_LOAD, 0, 0x1, 0, "miss", "R0:f"},   /* 0:2* */
        {LOCAL_STORE, 0, 0x1, 0x1, "hit", ""},     /* dirty */
        {LOCAL_LOAD, 4, 0x1, 0, "bypass", "R4:1"}, /* 0:2* 4:1 */
        {LOCAL_LOAD, 4, 0x1, 0, "miss", "R4:f"},   /* 0:1* 4:2* */
        {LOCAL_LOAD, 8, 0x1, 0, "bypass", "R8:1"}, /* 0:1* 4:2* 8:1 */
        {LOCAL_LOAD, 12, 0x1, 0, "bypass", "R12:1"},
    };
    gm_config config = small();
    config.l1.tag_ways = 3;
    PLAY(&config, steps);
    steps[LAST].sent = "B0:1 R12:1"; /* the tie goes to line 0 */
    config.l1.lfu_any = true;
    PLAY(&config, steps);
    config.l1.tag_ways = 4; /* there is a free entry */
    steps[LAST].sent = "R12:1";
    PLAY(&config, steps);
}

/* The first reference is not counted, and bypasses but for threshold 0. */
static void first_reference_not_counted(void **state)
{
    (void)state;
    static const step third[] = {
        {LOAD, 0, 0x1, 0, "bypass", "R0:1"}, /* 0:0 */
        {LOAD, 0, 0x1, 0, "bypass", "R0:1"}, /* 0:1 */
        {LOAD, 0, 0x1, 0, "miss", "R0:f"},   /* 0:2* */
        {LOAD, 0, 0x1, 0, "hit", ""},
    };
    static const step first[] = {{LOAD, 0, 0x1, 0, "miss", "R0:f"}, {LOAD, 0, 0x1, 0, "hit", ""}};
    gm_config config = small();
    config.l1.allocation_rc = 0;
    PLAY(&config, third);
    config.l1.threshold = 1;
    play(&config, third + 1, 3);
    config.l1.threshold = 0;
    PLAY(&config, first);
}

/* A count that needs all 8 bits. */
static void widest_count(void **state)
{
    (void)state;
    enum { THRESHOLD = 255 };
    step steps[THRESHOLD];
    for (unsigned i = 0; i < THRESHOLD; i++) {
        steps[i] = (step){LOAD, 0, 0x1, 0, "bypass", "R0:1"};
    }
    steps[THRESHOLD - 1].outcome = "miss";
    steps[THRESHOLD - 1].sent = "R0:f";
    gm_config config = small();
    config.l1.rc_bits = 8;
    config.l1.threshold = THRESHOLD;
    PLAY(&config, steps);
}

/* Accesses of all kinds, and what breaks afterwards. */
static void laws_can_fail(void **state)
{
    (void)state;
    gm_order_machine machine;
    gm_error error;
    gm_config config = small();
    test_random random = {79};
    config.l1.local_allocate = true;
    test_ok(gm_order_machine_init(&machine, &config, false, &error), error);
    gm_order_l1 *l1 = &machine.sm[0].l1;
    gm_decoupled_l1 *decoupled = l1->decoupled;
    step last = {.sectors = 1};
    for (unsigned i = 0; i < 2000; i++) {
        gm_outcome outcome = {0};
        last.kind = (step_kind)test_random_below(&random, FLUSH);
        last.line = test_random_below(&random, 30);
        apply(l1, &last, &outcome);
    }
    test_ok(gm_order_l1_decoupled_check(l1, "L1", &error), error);
    uint64_t sectors = 0;
    while ((decoupled->state[sectors].valid & ~decoupled->state[sectors].dirty) == 0) {
        sectors++;
    }
    const struct {
        uint64_t *counter;
        const char *law;
    } rows[] = {
        {&decoupled->allocated, "data lines allocated = filled"},
        {&decoupled->filled, "data lines allocated = filled"},
        {&decoupled->died, "lines that died while they waited = FILLs dropped"},
        {&decoupled->dropped, "lines that died while they waited = FILLs dropped"},
        {&decoupled->references, "accesses = references of the tag store"},
        {&l1->statistics.accesses[GM_LOAD], "accesses = references of the tag store"},
        {&l1->statistics.evictions[GM_STORE], "allocated = evicted + invalidated + died + there"},
        {&l1->statistics.invalidations[GM_ATOMIC],
         "allocated = evicted + invalidated + died + there"},
        {&l1->dirty_sectors, "dirty sectors counted = found"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ++*rows[i].counter;
        assert_int_equal(gm_order_l1_decoupled_check(l1, "L1", &error), -EPROTO);
        if (strstr(error.text, rows[i].law) == NULL) {
            fail_msg("row %zu: \"%s\" does not say \"%s\"", i, error.text, rows[i].law);
        }
        --*rows[i].counter;
    }
    gm_sector_state held = decoupled->state[sectors];
    decoupled->state[sectors] = (gm_sector_state){0};
    assert_int_equal(gm_order_l1_decoupled_check(l1, "L1", &error), -EPROTO);
    assert_non_null(strstr(error.text, "L1: data line owned by an entry = holds sectors"));
    decoupled->state[sectors] = (gm_sector_state){.valid = held.valid, .dirty = 1u << 7};
    assert_int_equal(gm_order_l1_decoupled_check(l1, "L1", &error), -EPROTO);
    assert_non_null(strstr(error.text, "dirty sectors that are not valid = 0"));
    decoupled->state[sectors] = held;
    test_ok(gm_order_l1_decoupled_check(l1, "L1", &error), error);
    gm_order_machine_free(&machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(references_earn_a_data_line),
        cmocka_unit_test(local_stores),
        cmocka_unit_test(sectors),
        cmocka_unit_test(candidates),
        cmocka_unit_test(first_reference_not_counted),
        cmocka_unit_test(widest_count),
        cmocka_unit_test(laws_can_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
