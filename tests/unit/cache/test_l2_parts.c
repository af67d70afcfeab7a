/* Parts of sectors in a lazy L2 (l2.dirty=parts), of the order engine: steps worked by hand, and
 * random messages against a second implementation, in which each byte of a line is known or not. */
#include "cache/l2_parts.h"
#include "goldmem/bits.h"
#include "order/memory_side.h"
#include "support/support.h"

#include <string.h>

enum { MESSAGES = 20000, BYTES = GM_SECTOR, MOST_SECTORS = 32, MOST_LINES = 96 };

#define ALL UINT32_MAX

static gm_config config_of(uint64_t line, uint64_t sets, uint64_t ways)
{
    gm_config config;
    gm_config_defaults(&config);
    config.memory.partitions = 1;
    config.memory.banks = 1;
    config.l1.local_write = GM_WRITE_THROUGH;
    config.sm.coalesce = GM_COALESCE_SECTOR;
    config.memory.interleave = 1024;
    config.l1.line = config.l2.line = line;
    config.l2.ways = ways;
    config.l2.size = sets * ways * line;
    config.l2.sectored = true;
    config.l2.fetch_on_write = GM_FETCH_LAZY;
    config.l2.dirty = GM_DIRTY_PARTS;
    return config;
}

typedef struct line {
    bool there;
    uint64_t used; /* number of its last message */
    bool known[MOST_SECTORS][BYTES], dirty[MOST_SECTORS];
} line;

typedef struct model {
    uint32_t sets, ways, lines, sectors;
    uint64_t number; /* of the message */
    line line[MOST_LINES];
    uint64_t hits, misses, reads, writes;
    uint64_t joined; /* loads that hit a sector which several stores have made whole */
    bool by_several[MOST_LINES][MOST_SECTORS];
} model;

static unsigned known_bytes(const line *at, unsigned sector)
{
    unsigned count = 0;
    for (unsigned i = 0; i < BYTES; i++) {
        count += at->known[sector][i];
    }
    return count;
}

/* Makes a line absent; its dirty sectors but `lost` go to DRAM. */
static void drop(model *m, uint32_t number, uint32_t lost)
{
    line *at = &m->line[number];
    for (unsigned sector = 0; sector < m->sectors; sector++) {
        m->writes += at->dirty[sector] && (lost >> sector & 1) == 0;
    }
    memset(at, 0, sizeof *at);
    memset(m->by_several[number], 0, sizeof m->by_several[number]);
}

/* Gives a line a way; the least recently used line of a full set leaves. */
static void take_way(model *m, uint32_t number)
{
    uint32_t oldest = m->lines;
    unsigned there = 0;
    for (uint32_t other = number % m->sets; other < m->lines; other += m->sets) {
        there += m->line[other].there;
        if (m->line[other].there &&
            (oldest == m->lines || m->line[other].used < m->line[oldest].used)) {
            oldest = other;
        }
    }
    if (there == m->ways) {
        drop(m, oldest, 0);
    }
    m->line[number].there = true;
}

/* A load or atomic needs every byte of its sectors; those that lack some are read. */
static void do_load(model *m, uint32_t number, uint32_t sectors, bool atomic)
{
    line *at = &m->line[number];
    uint32_t lacking = 0;
    for (unsigned sector = 0; sector < m->sectors; sector++) {
        lacking |= (uint32_t)(known_bytes(at, sector) != BYTES) << sector;
    }
    lacking &= sectors;
    m->hits += lacking == 0;
    m->misses += lacking != 0;
    m->reads += gm_count_ones(lacking);
    if (!at->there) {
        take_way(m, number);
    }
    for (unsigned sector = 0; sector < m->sectors; sector++) {
        if ((sectors >> sector & 1) != 0) {
            m->joined += (lacking >> sector & 1) == 0 && m->by_several[number][sector];
            memset(at->known[sector], true, BYTES);
            at->dirty[sector] |= atomic;
        }
    }
}

/* A store hits a sector of which any byte is known. */
static void do_store(model *m, uint32_t number, unsigned sector, uint32_t bytes)
{
    line *at = &m->line[number];
    unsigned before = known_bytes(at, sector);
    m->hits += before != 0;
    m->misses += before == 0;
    if (!at->there) {
        take_way(m, number);
    }
    for (unsigned i = 0; i < BYTES; i++) {
        at->known[sector][i] |= (bytes >> i & 1) != 0;
    }
    at->dirty[sector] = true;
    bool whole = before != BYTES && known_bytes(at, sector) == BYTES;
    m->by_several[number][sector] |= whole && bytes != ALL;
}

static void do_copy(model *m, uint32_t number, uint32_t sectors, bool installs)
{
    line *at = &m->line[number];
    if (!installs) {
        drop(m, number, sectors);
        return;
    }
    if (!at->there) {
        take_way(m, number);
    }
    for (unsigned sector = 0; sector < m->sectors; sector++) {
        if ((sectors >> sector & 1) != 0) {
            memset(at->known[sector], true, BYTES);
            at->dirty[sector] = false;
        }
    }
}

static void do_message(model *m, const gm_message *message)
{
    uint32_t number = (uint32_t)message->line;
    m->number++;
    switch ((gm_message_kind)message->kind) {
    case GM_MESSAGE_WRITE:
        do_store(m, number, gm_lowest_one(message->sectors), message->bytes);
        break;
    case GM_MESSAGE_INSTALL:
    case GM_MESSAGE_DISCARD:
        do_copy(m, number, message->sectors, message->kind == GM_MESSAGE_INSTALL);
        break;
    default:
        do_load(m, number, message->sectors, gm_message_access(message->kind) == GM_ATOMIC);
        break;
    }
    m->line[number].used = m->number;
}

static uint64_t sum_of(const uint64_t count[GM_ACCESS_KINDS])
{
    return count[0] + count[1] + count[2] + count[3];
}

static void compare(const model *m, const gm_memory_side *memory)
{
    const gm_l2 *l2 = &memory->bank[0];
    assert_int_equal(sum_of(l2->statistics.hits), m->hits);
    assert_int_equal(sum_of(l2->statistics.misses), m->misses);
    assert_int_equal(memory->channel[0].statistics.reads, m->reads);
    assert_int_equal(memory->channel[0].statistics.writes, m->writes);
}

/* Mostly halves, as of two warps that write structures; other runs of words, and any bytes. */
static uint32_t some_bytes(test_random *random)
{
    uint32_t any = (uint32_t)test_random_next(random);
    unsigned words = 1 + (unsigned)test_random_below(random, 8);
    unsigned first = (unsigned)test_random_below(random, 9 - words);
    uint32_t run = (uint32_t)gm_mask(4 * words) << 4 * first;
    switch (test_random_below(random, 8)) {
    case 0:
        return any != 0 ? any : ALL;
    case 1:
    case 2:
        return run;
    default:
        return UINT32_C(0xffff) << (any % 2 * 16);
    }
}

static gm_message some_message(const model *m, test_random *random)
{
    static const uint8_t kinds[] = {
        GM_MESSAGE_READ,      GM_MESSAGE_READ,    GM_MESSAGE_WRITE,       GM_MESSAGE_WRITE,
        GM_MESSAGE_WRITE,     GM_MESSAGE_WRITE,   GM_MESSAGE_WRITE,       GM_MESSAGE_ATOMIC,
        GM_MESSAGE_REDUCTION, GM_MESSAGE_DISCARD, GM_MESSAGE_INSTRUCTION, GM_MESSAGE_INSTALL};
    uint32_t all = (uint32_t)gm_mask(m->sectors);
    gm_message message = {.line = test_random_below(random, m->lines),
                          .kind = kinds[test_random_below(random, sizeof kinds)]};
    uint32_t some = (uint32_t)test_random_next(random) & all;
    const uint32_t often[] = {0, 1, m->sectors / 2, m->sectors - 1};
    uint32_t sector = often[test_random_below(random, 4)];
    sector = test_random_below(random, 4) == 0 ? (uint32_t)test_random_below(random, m->sectors)
                                               : sector;
    message.sectors = UINT32_C(1) << sector;
    if (message.kind == GM_MESSAGE_WRITE) {
        message.bytes = some_bytes(random);
    } else if (message.kind == GM_MESSAGE_READ) {
        message.sectors |= test_random_below(random, 4) == 0 ? some : 0;
    } else if (message.kind == GM_MESSAGE_DISCARD || message.kind == GM_MESSAGE_INSTALL) {
        message.sectors |= some;
    }
    return message;
}

static void run_random(const gm_config *config, uint32_t lines, uint64_t seed)
{
    test_random random = test_random_start(seed);
    gm_batch *batch = test_calloc(1, sizeof *batch);
    model *m = test_calloc(1, sizeof *m);
    gm_memory_side memory;
    gm_error error;
    test_ok(gm_config_check(config, &error), error);
    test_ok(gm_memory_side_init(&memory, config, &error), error);
    m->sectors = (uint32_t)(config->l2.line / GM_SECTOR);
    m->ways = (uint32_t)config->l2.ways;
    m->sets = (uint32_t)(config->l2.size / config->l2.line / config->l2.ways);
    m->lines = lines;
    batch->count = 1;
    for (unsigned i = 0; i < MESSAGES; i++) {
        batch->message[0] = some_message(m, &random);
        do_message(m, &batch->message[0]);
        gm_memory_side_run(&memory, batch);
        compare(m, &memory);
    }
    test_ok(gm_l2_check_partial(&memory.bank[0], "L2", &error), error);

    assert_true(m->joined > 30);
    gm_memory_side_free(&memory);
    test_free(m);
    test_free(batch);
}

/* Lines of 2 to 32 sectors, and the sets and ways of a bank of an RTX 3070 (64, 16). */
static void random_messages(void **state)
{
    (void)state;
    const struct {
        uint64_t line, sets, ways;
        uint32_t lines;
    } sizes[] = {
        {64, 4, 2, 12}, {128, 4, 2, 12}, {128, 64, 16, 96}, {256, 2, 4, 12}, {1024, 2, 1, 3}};
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        gm_config config = config_of(sizes[i].line, sizes[i].sets, sizes[i].ways);
        run_random(&config, sizes[i].lines, 310 + i);
    }
}

/* A message, and what it does: sectors read from and written to DRAM. */
typedef struct step {
    gm_message_kind kind;
    uint32_t line, sectors, bytes;
    bool hit;
    uint32_t reads, writes;
} step;

static void by_hand(void **state)
{
    (void)state;
    static const step steps[] = {
        {GM_MESSAGE_WRITE, 0, 1, 0x0000ffff, false, 0, 0}, /* fetches nothing */
        {GM_MESSAGE_WRITE, 0, 1, 0x7fff0000, true, 0, 0},
        {GM_MESSAGE_READ, 0, 1, 0, false, 1, 0}, /* one byte lacks */
        {GM_MESSAGE_WRITE, 0, 2, 0x0000ffff, false, 0, 0},
        {GM_MESSAGE_WRITE, 0, 2, 0xffff0000, true, 0, 0},
        {GM_MESSAGE_READ, 0, 3, 0, true, 0, 0},            /* whole by two stores */
        {GM_MESSAGE_WRITE, 0, 8, 0x00ffffff, false, 0, 0}, /* bytes are those of its sector */
        {GM_MESSAGE_WRITE, 0, 4, 0xff000000, false, 0, 0},
        {GM_MESSAGE_ATOMIC, 0, 8, 15, false, 1, 0},
        {GM_MESSAGE_WRITE, 4, 1, 0x0000ffff, false, 0, 0},
        {GM_MESSAGE_WRITE, 8, 1, ALL, false, 0, 4},        /* evicts 0: four dirty sectors */
        {GM_MESSAGE_WRITE, 0, 1, 0xffff0000, false, 0, 1}, /* evicts 4; 0's bytes are forgotten */
        {GM_MESSAGE_READ, 0, 1, 0, false, 1, 0},
        {GM_MESSAGE_INSTALL, 0, 1, 0, false, 0, 0},
        {GM_MESSAGE_WRITE, 0, 1, 0x0000000f, true, 0, 0}, /* whole already */
        {GM_MESSAGE_READ, 0, 1, 0, true, 0, 0},
    };
    gm_config config = config_of(128, 4, 2);
    gm_memory_side memory;
    gm_error error;
    gm_batch *batch = test_calloc(1, sizeof *batch);
    test_ok(gm_memory_side_init(&memory, &config, &error), error);
    batch->count = 1;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        const step *s = &steps[i];
        gm_dram_statistics before = memory.channel[0].statistics;
        uint64_t hits = sum_of(memory.bank[0].statistics.hits);
        batch->message[0] = (gm_message){
            .line = s->line, .sectors = s->sectors, .bytes = s->bytes, .kind = s->kind};
        gm_memory_side_run(&memory, batch);
        assert_int_equal(sum_of(memory.bank[0].statistics.hits) - hits, s->hit);
        assert_int_equal(memory.channel[0].statistics.reads - before.reads, s->reads);
        assert_int_equal(memory.channel[0].statistics.writes - before.writes, s->writes);
    }
    gm_memory_side_free(&memory);
    test_free(batch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(random_messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
