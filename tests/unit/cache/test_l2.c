/* L2 banks, step by step: hits, fills, write-backs and DRAM sectors, worked by hand. */
#include "goldmem/bits.h"
#include "order/memory_side.h"
#include "support/support.h"

#include <string.h>

/* A message, and what it does: sectors read from and written to DRAM, dirty sectors afterwards. */
typedef struct step {
    gm_message_kind kind;
    uint32_t line;
    uint32_t sectors, whole;
    bool hit;
    uint32_t reads, writes, dirty;
} step;

static uint64_t sum_of(const uint64_t count[GM_ACCESS_KINDS])
{
    return count[0] + count[1] + count[2] + count[3];
}

/* One bank of two lines of 128 bytes, fully associative. */
static void play(gm_config *config, const step *steps, size_t count)
{
    gm_error error;
    gm_memory_side memory;
    gm_batch *batch = test_calloc(1, sizeof *batch);
    config->memory.partitions = 1;
    config->memory.banks = 1;
    config->l2.size = 256;
    config->l2.ways = GM_FULL;
    test_ok(gm_memory_side_init(&memory, config, &error), error);
    const gm_l2 *l2 = &memory.bank[0];
    for (size_t i = 0; i < count; i++) {
        gm_dram_statistics before = memory.channel[0].statistics;
        uint64_t hits = sum_of(l2->statistics.hits);
        batch->count = 1;
        batch->message[0] = (gm_message){.line = steps[i].line,
                                         .sectors = steps[i].sectors,
                                         .whole = steps[i].whole,
                                         .kind = steps[i].kind};
        gm_memory_side_run(&memory, batch);
        assert_int_equal(sum_of(l2->statistics.hits) - hits, steps[i].hit);
        assert_int_equal(memory.channel[0].statistics.reads - before.reads, steps[i].reads);
        assert_int_equal(memory.channel[0].statistics.writes - before.writes, steps[i].writes);
        assert_int_equal(l2->dirty_sectors, steps[i].dirty);
    }
    assert_int_equal(sum_of(l2->statistics.sectors_filled), memory.channel[0].statistics.reads);
    test_ok(gm_cache_check(&l2->cache,
                           sum_of(l2->statistics.evictions) + sum_of(l2->statistics.invalidations),
                           "L2", &error),
            error);
    assert_int_equal(l2->dirtied, sum_of(l2->statistics.sectors_written_back) + l2->overwritten +
                                      l2->dirty_sectors);
    assert_int_equal(sum_of(l2->statistics.sectors_written_back) + l2->through,
                     memory.channel[0].statistics.writes);
    gm_memory_side_free(&memory);
    test_free(batch);
}

#define PLAY(config, steps) play(config, steps, sizeof(steps) / sizeof(steps)[0])

#define R GM_MESSAGE_READ
#define W GM_MESSAGE_WRITE
#define B GM_MESSAGE_WRITE_BACK
#define A GM_MESSAGE_ATOMIC
#define D GM_MESSAGE_REDUCTION
#define I GM_MESSAGE_INSTALL
#define X GM_MESSAGE_DISCARD

static gm_config config_of(bool sectored, gm_fetch_policy fetch)
{
    gm_config config;
    gm_config_defaults(&config);
    config.l2.sectored = sectored;
    config.l2.fetch_on_write = fetch;
    return config;
}

/* Reads that fill an L1 take no line; what a line holds of them they get there. */
static void coalesced(void **state)
{
    (void)state;
    static const step steps[] = {
        {R, 1, 0x3, 0x3, false, 2, 0, 0}, /* its sectors, not the line */
        {R, 1, 0x3, 0x3, false, 2, 0, 0}, /* nothing was left */
        {R, 1, 0x1, 0, false, 4, 0, 0},   /* fills no L1: takes a line, which is fetched whole */
        {R, 1, 0xf, 0xf, true, 0, 0, 0},  {W, 2, 0x1, 0x1, false, 4, 0, 1},
        {R, 2, 0x3, 0x3, true, 0, 0, 1},  /* has the store */
        {R, 3, 0xf, 0xf, false, 4, 0, 1}, /* evicts nothing */
        {A, 4, 0x1, 0, false, 4, 0, 2},   /* evicts 1, which the read of 2 made the oldest */
        {R, 1, 0x8, 0x8, false, 1, 0, 2}, {R, 2, 0x8, 0x8, true, 0, 0, 2},
    };
    gm_config config = config_of(false, GM_FETCH_ALWAYS);
    config.l2.bypass = GM_L2_BYPASS_COALESCED;
    PLAY(&config, steps);
}

static void whole_lines(void **state)
{
    (void)state;
    static const step steps[] = {
        {R, 1, 0x1, 0, false, 4, 0, 0}, /* the whole line */
        {R, 1, 0xe, 0, true, 0, 0, 0},
        {W, 1, 0x3, 0x3, true, 0, 0, 2},
        {W, 2, 0x1, 0x1, false, 4, 0, 3}, /* always: also what the store covers */
        {A, 1, 0x6, 0, true, 0, 0, 4},    /* sector 1 was dirty */
        {R, 3, 0x1, 0, false, 4, 1, 3},   /* evicts 2 */
        {D, 4, 0x1, 0, false, 4, 3, 1},   /* evicts 1: sectors 0, 1, 2 */
        {B, 3, 0x8, 0x8, true, 0, 0, 2},
        {I, 5, 0xf, 0xf, false, 0, 1, 1}, /* a copy's line is clean; it evicts 4 */
        {R, 5, 0xf, 0, true, 0, 0, 1},
    };
    gm_config config = config_of(false, GM_FETCH_ALWAYS);
    PLAY(&config, steps);
}

static void partial_fetch(void **state)
{
    (void)state;
    static const step lines[] = {
        {W, 1, 0xf, 0xf, false, 0, 0, 4}, /* covered whole */
        {W, 2, 0x3, 0x1, false, 3, 0, 6}, /* sectors 1, 2, 3 */
        {R, 3, 0x1, 0, false, 4, 4, 2},   /* a load fetches the line */
        {A, 4, 0x1, 0x1, false, 4, 2, 1}, /* an atomic needs the old value */
    };
    gm_config config = config_of(false, GM_FETCH_PARTIAL);
    PLAY(&config, lines);
    static const step sectors[] = {
        {W, 1, 0x3, 0x1, false, 1, 0, 2}, /* sector 1 only */
        {R, 1, 0x7, 0, false, 1, 0, 2},   /* sector 2 */
        {R, 1, 0x7, 0, true, 0, 0, 2},
        {B, 2, 0x3, 0x3, false, 0, 0, 4}, /* a write-back's sectors are whole */
        {A, 3, 0x8, 0, false, 1, 2, 3},   /* evicts 1 */
    };
    config = config_of(true, GM_FETCH_PARTIAL);
    PLAY(&config, sectors);
}

/* A store fetches nothing. What it leaves of a sector is fetched by a load or an atomic, unless
 * another store, or a copy, writes the sector whole before. */
static void lazy_fetch(void **state)
{
    (void)state;
    static const step steps[] = {
        {W, 1, 0x3, 0x1, false, 0, 0, 2}, /* sector 0 whole, 1 in part */
        {W, 1, 0x2, 0, true, 0, 0, 2},
        {R, 1, 0x1, 0, true, 0, 0, 2},
        {R, 1, 0x3, 0, false, 1, 0, 2}, /* sector 1, which stays dirty */
        {R, 1, 0x3, 0, true, 0, 0, 2},
        {W, 1, 0xc, 0, false, 0, 0, 4},
        {W, 1, 0x4, 0x4, true, 0, 0, 4}, /* sector 2 is whole now */
        {R, 1, 0x4, 0, true, 0, 0, 4},
        {A, 1, 0x8, 0, false, 1, 0, 4}, /* an atomic needs the old value */
        {W, 2, 0x1, 0, false, 0, 0, 5},
        {R, 3, 0x1, 0, false, 1, 4, 1},   /* evicts 1 */
        {I, 2, 0x1, 0x1, false, 0, 0, 0}, /* overwritten */
        {R, 2, 0x1, 0, true, 0, 0, 0},
        {W, 2, 0x2, 0, false, 0, 0, 1},
        {R, 1, 0xf, 0, false, 4, 0, 1}, /* evicts 3; nothing of 1 is partial now */
        {R, 1, 0xf, 0, true, 0, 0, 1},
    };
    gm_config config = config_of(true, GM_FETCH_LAZY);
    PLAY(&config, steps);
}

static void sectored_fetch_always(void **state)
{
    (void)state;
    static const step steps[] = {
        {W, 1, 0x3, 0x3, false, 2, 0, 2}, /* the sectors of the store */
        {W, 1, 0x6, 0x6, false, 1, 0, 3},
        {R, 1, 0x8, 0, false, 1, 0, 3},
        {R, 1, 0xf, 0, true, 0, 0, 3},
    };
    gm_config config = config_of(true, GM_FETCH_ALWAYS);
    PLAY(&config, steps);
}

/* GPGPU-Sim's write-allocate: a store that misses is also a write to DRAM, and leaves nothing
 * dirty; one that hits is a write-back cache's. */
static void fetch_and_write_through(void **state)
{
    (void)state;
    static const step lines[] = {
        {W, 1, 0x3, 0x1, false, 4, 2, 0}, /* fetched as for a load; both sectors are written */
        {W, 1, 0x6, 0x6, true, 0, 0, 2},  {B, 2, 0x8, 0x8, false, 4, 1, 2},
        {A, 3, 0x1, 0, false, 4, 2, 1},   /* evicts 1; an atomic is not sent on */
        {W, 4, 0xf, 0xf, false, 4, 4, 1}, /* evicts 2, which is clean */
        {R, 5, 0x1, 0, false, 4, 1, 0},   /* evicts 3 */
    };
    gm_config config = config_of(false, GM_FETCH_THROUGH);
    PLAY(&config, lines);
    static const step sectors[] = {
        {W, 1, 0x3, 0x3, false, 2, 2, 0}, {W, 1, 0x1, 0x1, true, 0, 0, 1},
        {W, 1, 0x5, 0x5, false, 1, 2, 1}, /* what was dirty stays so */
        {R, 1, 0x7, 0, true, 0, 0, 1},    {R, 2, 0x1, 0, false, 1, 0, 1},
        {R, 3, 0x1, 0, false, 1, 1, 0}, /* evicts 1: sector 0 */
    };
    config = config_of(true, GM_FETCH_THROUGH);
    PLAY(&config, sectors);
}

/* Lines that a host copy writes: through the L2 they become clean, past it they go. */
static void copies_overwrite(void **state)
{
    (void)state;
    static const step steps[] = {
        {W, 1, 0x7, 0x7, false, 4, 0, 3},
        {I, 1, 0x3, 0x3, false, 0, 0, 1}, /* sectors 0 and 1 are the host's now */
        {R, 2, 0x1, 0, false, 4, 0, 1},
        {R, 3, 0x1, 0, false, 4, 1, 0}, /* evicts 1: sector 2 */
        {W, 3, 0x3, 0x3, true, 0, 0, 2},
        {X, 3, 0x2, 0x2, false, 0, 1, 0}, /* sector 0 is not the copy's: written back */
        {R, 3, 0x1, 0, false, 4, 0, 0},   /* gone, not stale */
        {W, 3, 0xf, 0xf, true, 0, 0, 4},
        {X, 3, 0xf, 0xf, false, 0, 0, 0},
        {X, 9, 0xf, 0xf, false, 0, 0, 0}, /* is not there */
        {R, 2, 0x1, 0, true, 0, 0, 0},    /* was not touched */
    };
    gm_config config = config_of(false, GM_FETCH_ALWAYS);
    PLAY(&config, steps);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_lines),           cmocka_unit_test(coalesced),
        cmocka_unit_test(partial_fetch),         cmocka_unit_test(lazy_fetch),
        cmocka_unit_test(sectored_fetch_always), cmocka_unit_test(fetch_and_write_through),
        cmocka_unit_test(copies_overwrite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
