/* The L1's policies, step by step: what each access counts and sends, worked by hand. */
#include "goldmem/bits.h"
#include "support/order/order_l1_run.h"

/* Two lines in all, fully associative. Returns sectors_stored of stores. */
static uint64_t play(gm_config *config, const step *steps, size_t count)
{
    gm_error error;
    gm_order_machine machine;
    config->gpu.sms = 1;
    if (config->l1.size != GM_UNBOUNDED) {
        config->l1.size = 2 * config->l1.line;
        config->l1.ways = GM_FULL;
    }
    test_ok(gm_order_machine_init(&machine, config, false, &error), error);
    play_steps(&machine, steps, count);
    const gm_order_l1 *l1 = &machine.sm[0].l1;
    uint64_t gone = 0;
    for (unsigned kind = 0; kind < GM_ACCESS_KINDS; kind++) {
        gone += l1->statistics.evictions[kind] + l1->statistics.invalidations[kind];
    }
    test_ok(gm_cache_check(&l1->cache, gone, "L1", &error), error);
    uint64_t stored = l1->statistics.sectors_stored[GM_STORE];
    gm_order_machine_free(&machine);
    return stored;
}

#define PLAY(config, steps) play(config, steps, sizeof(steps) / sizeof(steps)[0])

static gm_config defaults(void)
{
    gm_config config;
    gm_config_defaults(&config);
    return config;
}

/* [khairy, Table 1]: global write-evict, local write-back, no write-allocate; whole lines. */
static void fermi(void **state)
{
    (void)state;
    static const step steps[] = {
        {LOAD, 1, 0x1, 0, "miss", "R1:f"},
        {LOAD, 1, 0x8, 0, "hit", ""},
        {STORE, 1, 0x2, 0x2, "hit+drops", "W1:2"},
        {LOAD, 1, 0x1, 0, "miss", "R1:f"},
        {STORE, 2, 0xf, 0xf, "miss", "W2:f"}, /* no allocation */
        {LOCAL_STORE, 3, 0xf, 0xf, "miss", "W3:f"},
        {LOCAL_LOAD, 3, 0xf, 0, "miss", "R3:f"},
        {LOCAL_STORE, 3, 0x5, 0x1, "hit", ""}, /* dirty now: sectors 0 and 2 */
        {LOAD, 1, 0x1, 0, "hit", ""},          /* so that 3 is the older one */
        {LOAD, 4, 0x1, 0, "miss", "B3:5 R4:f"},
        {ATOMIC, 4, 0x3, 0, "bypass+drops", "A4:3"},
        {REDUCE, 4, 0x1, 0, "bypass", "D4:1"},
        {STRONG, 1, 0x2, 0, "bypass+drops", "R1:2"},
        {LOAD, 1, 0x2, 0, "miss", "R1:f"},
        {LOCAL_LOAD, 3, 0x1, 0, "miss", "R3:f"},
        {LOCAL_STORE, 3, 0x1, 0x1, "hit", ""},
        {STRONG, 3, 0x1, 0, "bypass+drops", "B3:1 R3:1"}, /* dirty data go first */
        {LOCAL_LOAD, 3, 0x1, 0, "miss", "R3:f"},
        {LOCAL_STORE, 3, 0x8, 0x8, "hit", ""},
        {FLUSH, 0, 0, 0, "", "B3:8"},
        {LOAD, 1, 0x1, 0, "miss", "R1:f"},
    };
    gm_config config = defaults();
    assert_int_equal(PLAY(&config, steps), 0); /* no store that misses is kept */
    config.l1.size = GM_UNBOUNDED;
    static const step unbounded[] = {
        {LOAD, 1, 0x1, 0, "miss", "R1:f"},
        {LOAD, 2, 0x1, 0, "miss", "R2:f"},
        {LOAD, 3, 0x1, 0, "miss", "R3:f"},
        {LOAD, 1, 0x1, 0, "hit", ""},
        {STORE, 1, 0x1, 0, "hit+drops", "W1:1"},
        {LOAD, 1, 0x1, 0, "miss", "R1:f"},
        {FLUSH, 0, 0, 0, "", ""},
        {LOAD, 3, 0x1, 0, "miss", "R3:f"},
    };
    PLAY(&config, unbounded);
}

/* Sectors: a miss fetches what is asked for. */
static void sectored(void **state)
{
    (void)state;
    static const step steps[] = {
        {LOAD, 1, 0x1, 0, "miss", "R1:1"},
        {LOAD, 1, 0x3, 0, "miss", "R1:2"}, /* the line is there, sector 1 is not */
        {LOAD, 1, 0x3, 0, "hit", ""},
        {STORE, 1, 0x4, 0x4, "miss", "W1:4"}, /* write-through: the line stays */
        {LOAD, 1, 0x3, 0, "hit", ""},
        {STORE, 1, 0x1, 0x1, "hit", "W1:1"},
        {LOAD, 1, 0x4, 0, "miss", "R1:4"},
    };
    gm_config config = defaults();
    config.l1.sectored = true;
    config.l1.global_write = GM_WRITE_THROUGH;
    PLAY(&config, steps);
}

/* [tabbakh, II-C]: global write-through with allocation. What the store covers is not fetched. */
static void write_through_allocate(void **state)
{
    (void)state;
    static const step steps[] = {
        {STORE, 1, 0xf, 0xf, "miss", "W1:f"},
        {LOAD, 1, 0xf, 0, "hit", ""},
        {STORE, 2, 0x3, 0x1, "miss", "R2:e W2:3"},
        {LOAD, 2, 0x8, 0, "hit", ""},
        {LOAD, 3, 0x1, 0, "miss", "R3:f"}, /* nothing dirty: nothing written back */
        {FLUSH, 0, 0, 0, "", ""},
    };
    gm_config config = defaults();
    config.l1.global_write = GM_WRITE_THROUGH;
    config.l1.global_allocate = true;
    assert_int_equal(PLAY(&config, steps), 4 + 1);
}

/* MESI's L1s [singh, section 3]: write-back with allocation. */
static void write_back_allocate(void **state)
{
    (void)state;
    static const step steps[] = {
        {STORE, 1, 0x1, 0x1, "miss", "R1:e"},   {STORE, 1, 0x2, 0, "hit", ""},
        {STORE, 2, 0xf, 0xf, "miss", ""}, /* covered whole: nothing to fetch */
        {LOAD, 3, 0x1, 0, "miss", "B1:3 R3:f"}, {FLUSH, 0, 0, 0, "", "B2:f"},
    };
    gm_config config = defaults();
    config.l1.global_write = GM_WRITE_BACK;
    config.l1.global_allocate = true;
    assert_int_equal(PLAY(&config, steps), 1 + 4);
    static const step sectors[] = {
        {STORE, 1, 0x1, 0, "miss", "R1:1"}, {STORE, 1, 0x6, 0x2, "miss", "R1:4"},
        {LOAD, 1, 0x7, 0, "hit", ""},       {LOAD, 1, 0x8, 0, "miss", "R1:8"},
        {FLUSH, 0, 0, 0, "", "B1:7"},
    };
    config.l1.sectored = true;
    assert_int_equal(PLAY(&config, sectors), 1); /* 0x2 */
}

static void disabled(void **state)
{
    (void)state;
    static const step steps[] = {
        {LOAD, 1, 0x1, 0, "bypass", "R1:1"},    {LOAD, 1, 0x1, 0, "bypass", "R1:1"},
        {STORE, 1, 0x1, 0x1, "bypass", "W1:1"}, {LOCAL_STORE, 1, 0x1, 0x1, "bypass", "W1:1"},
        {ATOMIC, 1, 0x1, 0, "bypass", "A1:1"},
    };
    gm_config config = defaults();
    config.l1.enabled = false;
    PLAY(&config, steps);
}

/* [anssari, Table 4.1]: 128-byte L1 lines over 32-byte L2 lines: a miss is four L2 accesses. */
static void shorter_l2_lines(void **state)
{
    (void)state;
    static const step steps[] = {
        {LOAD, 1, 0x1, 0, "miss", "R4:1 R5:1 R6:1 R7:1"},
        {STORE, 1, 0x6, 0x4, "hit", "W5:1 W6:1"},
        {ATOMIC, 2, 0x8, 0, "bypass", "A11:1"},
    };
    gm_config config;
    gm_error error;
    test_ok(gm_config_preset(&config, "kepler-hybrid", &error), error);
    PLAY(&config, steps);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fermi),
        cmocka_unit_test(sectored),
        cmocka_unit_test(write_through_allocate),
        cmocka_unit_test(write_back_allocate),
        cmocka_unit_test(disabled),
        cmocka_unit_test(shorter_l2_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
