/* L2 banks that know bytes (l2.dirty=byte) and that coalesced loads bypass, of the order engine:
 * steps worked by hand, and random messages against a second implementation, which keeps data: a
 * byte of a line has a value, or none. */
#include "cache/l2_bytes.h"
#include "goldmem/bits.h"
#include "order/memory_side.h"
#include "support/support.h"

#include <string.h>

enum { LINES = 24, SETS = 4, WAYS = 2, BYTES = 32, MESSAGES = 4000 };

#define ALL UINT32_MAX

static gm_config config_of(bool bypasses)
{
    gm_config config;
    gm_config_defaults(&config);
    config.memory.partitions = 1;
    config.memory.banks = 1;
    config.l1.local_write = GM_WRITE_THROUGH;
    config.l2.line = BYTES;
    config.l2.ways = WAYS;
    config.l2.size = SETS * WAYS * BYTES;
    config.l2.dirty = GM_DIRTY_BYTE;
    config.l2.fetch_on_write = GM_FETCH_LAZY;
    config.l2.bypass = bypasses ? GM_L2_BYPASS_COALESCED : GM_L2_BYPASS_NONE;
    return config;
}

/* A line of the second implementation: a way of its set; none: absent. */
typedef struct line {
    bool there;
    uint64_t used; /* number of its last message */
    bool valid[BYTES], dirty[BYTES];
    uint32_t value[BYTES];
} line;

typedef struct counts {
    uint64_t hits, misses, bypasses, reads, writes, masked, written_bytes, completed, unfetched;
} counts;

typedef struct model {
    bool bypasses;
    uint64_t number; /* of the message */
    line way[LINES]; /* by address: those of a set that are there are at most WAYS */
    uint32_t dram[LINES][BYTES], last[LINES][BYTES];
    counts seen;
} model;

static bool all(const bool *of, uint32_t mask)
{
    bool every = true;
    for (unsigned i = 0; i < BYTES; i++) {
        every &= (mask >> i & 1) == 0 || of[i];
    }
    return every;
}

/* Makes an address absent: its dirty bytes go to DRAM, and nothing is read. */
static void drop(model *m, uint32_t address, bool writes)
{
    line *at = &m->way[address];
    unsigned dirty = 0;
    for (unsigned i = 0; i < BYTES; i++) {
        assert_true(at->valid[i] || !at->dirty[i]);
        if (at->dirty[i] && writes) {
            m->dram[address][i] = at->value[i];
            dirty++;
        }
    }
    m->seen.writes += dirty != 0;
    m->seen.masked += dirty != 0 && dirty != BYTES;
    m->seen.written_bytes += dirty;
    memset(at, 0, sizeof *at);
}

/* Gives an address a way; the least recently used line of a full set leaves. */
static line *take_way(model *m, uint32_t address)
{
    uint32_t oldest = LINES;
    unsigned there = 0;
    for (uint32_t other = address % SETS; other < LINES; other += SETS) {
        there += m->way[other].there;
        if (m->way[other].there && (oldest == LINES || m->way[other].used < m->way[oldest].used)) {
            oldest = other;
        }
    }
    if (there == WAYS) {
        drop(m, oldest, true);
    }
    m->way[address].there = true;
    return &m->way[address];
}

static void fill(model *m, uint32_t address)
{
    line *at = &m->way[address];
    bool partial = false;
    for (unsigned i = 0; i < BYTES; i++) {
        partial |= at->valid[i];
        if (!at->valid[i]) {
            at->value[i] = m->dram[address][i];
        }
        at->valid[i] = true;
    }
    m->seen.reads++;
    m->seen.completed += partial;
}

/* Each byte that a load gets is the last that was written. */
static void check_read(const model *m, uint32_t address, const uint32_t *value)
{
    assert_memory_equal(value, m->last[address], sizeof m->last[address]);
}

static void do_load(model *m, uint32_t address, bool fills)
{
    line *at = &m->way[address];
    if (!at->there && m->bypasses && fills) {
        m->seen.bypasses++;
        m->seen.reads++;
        check_read(m, address, m->dram[address]);
        return;
    }
    bool hit = at->there && all(at->valid, ALL);
    m->seen.hits += hit;
    m->seen.misses += !hit;
    if (!at->there) {
        take_way(m, address);
    }
    if (!hit) {
        fill(m, address);
    }
    check_read(m, address, at->value);
}

static void do_write(model *m, uint32_t address, uint32_t bytes, bool atomic)
{
    line *at = &m->way[address];
    bool hit = at->there && (!atomic || all(at->valid, bytes));
    m->seen.hits += hit;
    m->seen.misses += !hit;
    m->seen.unfetched += !hit && !atomic;
    if (!at->there) {
        take_way(m, address);
    }
    if (!hit && atomic) {
        fill(m, address);
    }
    for (unsigned i = 0; i < BYTES; i++) {
        if ((bytes >> i & 1) != 0) {
            at->valid[i] = at->dirty[i] = true;
            at->value[i] = m->last[address][i] = (uint32_t)m->number;
        }
    }
}

static void do_copy(model *m, uint32_t address, bool installs)
{
    if (m->way[address].there) {
        drop(m, address, false);
        m->way[address].there = installs;
    }
    for (unsigned i = 0; i < BYTES; i++) {
        m->dram[address][i] = m->last[address][i] = (uint32_t)m->number;
    }
    if (installs) {
        line *at = m->way[address].there ? &m->way[address] : take_way(m, address);
        memcpy(at->value, m->dram[address], sizeof at->value);
        memset(at->valid, true, sizeof at->valid);
    }
}

static void do_message(model *m, const gm_message *message)
{
    uint32_t address = (uint32_t)message->line;
    m->number++;
    gm_message_kind kind = (gm_message_kind)message->kind;
    if (kind == GM_MESSAGE_READ || kind == GM_MESSAGE_INSTRUCTION) {
        do_load(m, address, kind == GM_MESSAGE_READ && message->fills != 0);
    } else if (kind == GM_MESSAGE_INSTALL || kind == GM_MESSAGE_DISCARD) {
        do_copy(m, address, kind == GM_MESSAGE_INSTALL);
    } else {
        do_write(m, address, message->bytes, kind != GM_MESSAGE_WRITE);
    }
    m->way[address].used = m->number;
}

static uint64_t sum_of(const uint64_t count[GM_ACCESS_KINDS])
{
    return count[0] + count[1] + count[2] + count[3];
}

static void compare(model *m, gm_memory_side *memory)
{
    gm_l2 *l2 = &memory->bank[0];
    const gm_dram_statistics *dram = &memory->channel[0].statistics;
    assert_int_equal(sum_of(l2->statistics.hits), m->seen.hits);
    assert_int_equal(sum_of(l2->statistics.misses), m->seen.misses);
    assert_int_equal(sum_of(l2->statistics.bypasses), m->seen.bypasses);
    assert_int_equal(dram->reads, m->seen.reads);
    assert_int_equal(dram->writes, m->seen.writes);
    assert_int_equal(l2->bytes->statistics.masked, m->seen.masked);
    assert_int_equal(l2->bytes->statistics.written_bytes, m->seen.written_bytes);
    assert_int_equal(l2->bytes->statistics.completed, m->seen.completed);
    assert_int_equal(l2->bytes->statistics.unfetched, m->seen.unfetched);
    for (uint32_t address = 0; address < LINES; address++) {
        uint32_t slot = gm_cache_find(&l2->cache, address).slot;
        const line *at = &m->way[address];
        assert_int_equal(slot != GM_NO_SLOT, at->there);
        uint32_t valid = 0;
        uint32_t dirty = 0;
        for (unsigned i = 0; i < BYTES; i++) {
            valid |= (uint32_t)at->valid[i] << i;
            dirty |= (uint32_t)at->dirty[i] << i;
        }
        if (slot != GM_NO_SLOT) {
            assert_int_equal(l2->bytes->mask[slot].valid, valid);
            assert_int_equal(l2->bytes->mask[slot].dirty, dirty);
        }
    }
}

static void random_messages(void **state)
{
    (void)state;
    static const uint8_t kinds[] = {GM_MESSAGE_READ,        GM_MESSAGE_READ,    GM_MESSAGE_WRITE,
                                    GM_MESSAGE_WRITE,       GM_MESSAGE_WRITE,   GM_MESSAGE_ATOMIC,
                                    GM_MESSAGE_REDUCTION,   GM_MESSAGE_READ,    GM_MESSAGE_WRITE,
                                    GM_MESSAGE_INSTRUCTION, GM_MESSAGE_INSTALL, GM_MESSAGE_DISCARD};
    test_random random = test_random_start(150);
    gm_batch *batch = test_calloc(1, sizeof *batch);
    model *m = test_calloc(1, sizeof *m);
    gm_error error;
    for (unsigned round = 0; round < 4; round++) {
        gm_memory_side memory;
        gm_config config = config_of(round % 2 != 0);
        test_ok(gm_config_check(&config, &error), error);
        test_ok(gm_memory_side_init(&memory, &config, &error), error);
        *m = (model){.bypasses = round % 2 != 0};
        batch->count = 1;
        for (unsigned i = 0; i < MESSAGES; i++) {
            gm_message message = {.line = test_random_below(&random, LINES),
                                  .sectors = 1,
                                  .kind = kinds[test_random_below(&random, sizeof kinds)]};
            unsigned first = (unsigned)test_random_below(&random, BYTES);
            uint32_t bytes = (uint32_t)(gm_mask(1 + (unsigned)test_random_below(&random, 16)))
                             << first;
            if (message.kind == GM_MESSAGE_READ) {
                message.fills = (uint32_t)test_random_below(&random, 2);
            } else {
                message.bytes = test_random_below(&random, 4) == 0 ? ALL : bytes;
            }
            batch->message[0] = message;
            gm_memory_side_run(&memory, batch);
            do_message(m, &message);
            compare(m, &memory);
        }
        test_ok(gm_l2_check_partial(&memory.bank[0], "L2", &error), error);
        assert_true(m->seen.masked > 100 && m->seen.completed > 100);
        assert_true(m->seen.bypasses > 100 || !m->bypasses);
        gm_memory_side_free(&memory);
    }
    test_free(m);
    test_free(batch);
}

/* A message, and what it does: sectors read from and written to DRAM, bytes written there, and the
 * masks of its line afterwards. */
typedef struct step {
    gm_message_kind kind;
    uint32_t line, bytes;
    bool hit;
    uint32_t reads, writes, written_bytes;
    uint32_t valid, dirty;
} step;

static void by_hand(void **state)
{
    (void)state;
    static const step steps[] = {
        {GM_MESSAGE_WRITE, 0, 0x0000000f, false, 0, 0, 0, 0xf, 0xf}, /* fetches nothing */
        {GM_MESSAGE_WRITE, 0, 0x000000f0, true, 0, 0, 0, 0xff, 0xff},
        {GM_MESSAGE_ATOMIC, 0, 0x0000000f, true, 0, 0, 0, 0xff, 0xff}, /* its bytes are there */
        {GM_MESSAGE_ATOMIC, 0, 0x000f0000, false, 1, 0, 0, ALL, 0xf00ff},
        {GM_MESSAGE_READ, 0, 0, true, 0, 0, 0, ALL, 0xf00ff},
        {GM_MESSAGE_WRITE, 4, 0x00000001, false, 0, 0, 0, 1, 1},
        {GM_MESSAGE_WRITE, 8, ALL, false, 0, 1, 12, ALL, ALL}, /* evicts 0: 12 bytes, no read */
        {GM_MESSAGE_READ, 4, 0, false, 1, 0, 0, ALL, 1},       /* a load needs all bytes */
        {GM_MESSAGE_WRITE, 12, 0x80000000, false, 0, 1, 32, 0x80000000, 0x80000000},
        {GM_MESSAGE_WRITE, 12, 0x7fffffff, true, 0, 0, 0, ALL, ALL}, /* whole by stores */
        {GM_MESSAGE_READ, 12, 0, true, 0, 0, 0, ALL, ALL},
        {GM_MESSAGE_INSTALL, 12, 0, false, 0, 0, 0, ALL, 0}, /* the copy's data are newer */
    };
    gm_config config = config_of(false);
    gm_memory_side memory;
    gm_error error;
    gm_batch *batch = test_calloc(1, sizeof *batch);
    test_ok(gm_memory_side_init(&memory, &config, &error), error);
    gm_l2 *l2 = &memory.bank[0];
    batch->count = 1;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        const step *s = &steps[i];
        gm_dram_statistics before = memory.channel[0].statistics;
        gm_l2_bytes_statistics bytes = l2->bytes->statistics;
        uint64_t hits = sum_of(l2->statistics.hits);
        batch->message[0] =
            (gm_message){.line = s->line, .sectors = 1, .bytes = s->bytes, .kind = s->kind};
        gm_memory_side_run(&memory, batch);
        assert_int_equal(sum_of(l2->statistics.hits) - hits, s->hit);
        assert_int_equal(memory.channel[0].statistics.reads - before.reads, s->reads);
        assert_int_equal(memory.channel[0].statistics.writes - before.writes, s->writes);
        assert_int_equal(l2->bytes->statistics.written_bytes - bytes.written_bytes,
                         s->written_bytes);
        uint32_t slot = gm_cache_find(&l2->cache, s->line).slot;
        assert_int_equal(l2->bytes->mask[slot].valid, s->valid);
        assert_int_equal(l2->bytes->mask[slot].dirty, s->dirty);
    }
    test_ok(gm_l2_check_partial(l2, "L2", &error), error);
    gm_memory_side_free(&memory);
    test_free(batch);
}

/* Counters and masks that do not agree are found. */
static void broken_invariants(void **state)
{
    (void)state;
    gm_config config = config_of(false);
    gm_memory_side memory;
    gm_error error;
    gm_batch *batch = test_calloc(1, sizeof *batch);
    test_ok(gm_memory_side_init(&memory, &config, &error), error);
    batch->count = 3;
    for (uint32_t i = 0; i < 3; i++) { /* the third evicts the first */
        batch->message[i] =
            (gm_message){.line = 4 * i, .sectors = 1, .bytes = 0xff, .kind = GM_MESSAGE_WRITE};
    }
    gm_memory_side_run(&memory, batch);
    gm_l2 *l2 = &memory.bank[0];
    gm_l2_bytes *own = l2->bytes;
    uint64_t *const counters[] = {&own->statistics.unfetched,
                                  &own->statistics.partial,
                                  &own->statistics.left,
                                  &own->statistics.writes,
                                  &own->statistics.written_bytes,
                                  &own->dirtied,
                                  &own->overwritten,
                                  &l2->statistics.sectors_filled[GM_STORE]};
    for (size_t i = 0; i < sizeof counters / sizeof counters[0]; i++) {
        test_ok(gm_l2_check_partial(l2, "L2", &error), error);
        ++*counters[i];
        assert_int_not_equal(gm_l2_check_partial(l2, "L2", &error), 0);
        --*counters[i];
    }
    own->statistics.masked++; /* two writes with a mask, of one */
    assert_int_not_equal(gm_l2_check_partial(l2, "L2", &error), 0);
    own->statistics.masked--;
    uint32_t slot = gm_cache_find(&l2->cache, 4).slot;
    uint32_t *const masks[] = {&own->mask[slot].valid, &own->mask[slot].dirty, &own->partial[slot],
                               &l2->cache.way[slot].state.dirty};
    for (size_t i = 0; i < sizeof masks / sizeof masks[0]; i++) {
        *masks[i] ^= 1;
        assert_int_not_equal(gm_l2_check_partial(l2, "L2", &error), 0);
        *masks[i] ^= 1;
    }
    test_ok(gm_l2_check_partial(l2, "L2", &error), error);
    gm_memory_side_free(&memory);
    test_free(batch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_hand), cmocka_unit_test(random_messages),
                                       cmocka_unit_test(broken_invariants)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
