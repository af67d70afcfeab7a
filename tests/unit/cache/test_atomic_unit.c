/* Atomic buffers of the L2 [anssari, 3.4, 3.5] in the order engine: accesses worked by hand; a
 * second L2, of lists that are searched through, counts alike on random messages; invariants. */
#include "cache/atomic_unit.h"
#include "cache/l2_bytes.h"
#include "order/memory_side.h"
#include "support/support.h"

#include <errno.h>
#include <string.h>

typedef struct fixture {
    gm_config config;
    gm_memory_side memory;
    gm_batch *batch;
} fixture;

static void make(fixture *f)
{
    gm_error error;
    f->batch = test_calloc(1, sizeof *f->batch);
    f->batch->count = 1;
    test_ok(gm_memory_side_init(&f->memory, &f->config, &error), error);
}

static void destroy(fixture *f)
{
    gm_memory_side_free(&f->memory);
    test_free(f->batch);
}

/* One bank of two sets of two ways, with lines of four sectors. */
static void describe(fixture *f)
{
    gm_config_defaults(&f->config);
    f->config.memory.partitions = f->config.memory.banks = 1;
    f->config.l2.ways = 2;
    f->config.l2.size = 4 * f->config.l2.line;
    f->config.l2.sectored = true;
    f->config.l2.atomic_buffer = true;
}

/* The kind of a strong load here: a READ that is marked. */
enum { STRONG = GM_MESSAGE_KINDS };

static void send(fixture *f, unsigned kind, uint64_t line, uint32_t sectors)
{
    f->batch->message[0] = (gm_message){.line = line, .sectors = sectors, .kind = kind};
    if (kind == STRONG) {
        f->batch->message[0].kind = GM_MESSAGE_READ;
        f->batch->message[0].strong = 1;
    } else {
        f->batch->message[0].whole = sectors;
    }
    gm_memory_side_run(&f->memory, f->batch);
}

/* A message, and the counters behind it: misses of all kinds; hits of the buffer, lines taken,
 * lines put back; sectors read from and written to DRAM. */
typedef struct row {
    unsigned kind;
    uint64_t line;
    uint32_t sectors;
    uint64_t misses, hits, taken, put, reads, writes;
    const char *why;
} row;

static void send_rows(fixture *f, const row *rows, size_t count)
{
    const gm_l2 *l2 = f->memory.bank;
    const gm_atomic_buffer_statistics *counts = &l2->atomics->statistics;
    for (size_t i = 0; i < count; i++) {
        send(f, rows[i].kind, rows[i].line, rows[i].sectors);
        const gm_cache_statistics *of_l2 = &l2->statistics;
        const gm_dram_statistics *dram = &f->memory.channel[0].statistics;
        uint64_t put = counts->put_for_atomics + counts->put_for_accesses;
        uint64_t misses =
            of_l2->misses[GM_LOAD] + of_l2->misses[GM_STORE] + of_l2->misses[GM_ATOMIC];
        if (misses != rows[i].misses || counts->hits != rows[i].hits ||
            counts->taken != rows[i].taken || put != rows[i].put || dram->reads != rows[i].reads ||
            dram->writes != rows[i].writes) {
            fail_msg("row %zu, %s: misses %llu, hits %llu, taken %llu, put %llu, reads %llu, "
                     "writes %llu",
                     i, rows[i].why, (unsigned long long)misses, (unsigned long long)counts->hits,
                     (unsigned long long)counts->taken, (unsigned long long)put,
                     (unsigned long long)dram->reads, (unsigned long long)dram->writes);
        }
    }
}

static void accesses_by_hand(void **state)
{
    (void)state;
    static const row rows[] = {
        {GM_MESSAGE_ATOMIC, 0, 1, 1, 0, 1, 0, 1, 0, "from DRAM, through a way"},
        {GM_MESSAGE_ATOMIC, 0, 1, 1, 1, 1, 0, 1, 0, "hits"},
        {GM_MESSAGE_REDUCTION, 0, 1, 1, 2, 1, 0, 1, 0, "a reduction hits too"},
        {GM_MESSAGE_READ, 2, 1, 2, 2, 1, 0, 2, 0, "a load in the set that line 0 has left"},
        {GM_MESSAGE_READ, 4, 1, 3, 2, 1, 0, 3, 0, "the set has room for another"},
        {GM_MESSAGE_ATOMIC, 0, 2, 4, 2, 2, 1, 4, 0,
         "a sector is missing: line 0 evicts 2, and goes"},
        {GM_MESSAGE_ATOMIC, 4, 1, 4, 2, 3, 2, 4, 0, "line 4 leaves its way, line 0 takes it"},
        {GM_MESSAGE_READ, 0, 3, 4, 2, 3, 2, 4, 0, "line 0 is in the L2, with both sectors"},
        {GM_MESSAGE_READ, 4, 1, 4, 2, 3, 3, 4, 0, "a load has line 4 put back first: a hit"},
        {GM_MESSAGE_ATOMIC, 1, 1, 5, 2, 4, 3, 5, 0,
         "the other set: nothing is held, nothing goes back"},
        {GM_MESSAGE_WRITE, 1, 1, 5, 2, 4, 4, 5, 0, "a store, too, finds its line in the L2"},
        {GM_MESSAGE_READ, 6, 1, 6, 2, 4, 4, 6, 2, "evicts line 0, dirty in two sectors"},
        {GM_MESSAGE_READ, 8, 1, 7, 2, 4, 4, 7, 3, "and line 4, dirty in one"},
    };
    fixture f;
    describe(&f);
    make(&f);
    const gm_l2 *l2 = f.memory.bank;
    const gm_atomic_buffer_statistics *counts = &l2->atomics->statistics;
    send_rows(&f, rows, sizeof rows / sizeof *rows);
    send(&f, GM_MESSAGE_ATOMIC, 3, 1);
    assert_true(l2->atomics->block.held);
    gm_memory_side_end_kernel(&f.memory);
    assert_false(l2->atomics->block.held);
    assert_int_equal(counts->put_at_ends, 1);
    gm_memory_side_end_kernel(&f.memory);
    assert_int_equal(counts->put_at_ends, 1);
    destroy(&f);
}

/* Strong loads, which are performed in the buffer and leave their sectors clean. */
static void strong_loads_by_hand(void **state)
{
    (void)state;
    static const row rows[] = {
        {STRONG, 0, 1, 1, 0, 1, 0, 1, 0, "from DRAM, through a way"},
        {STRONG, 0, 1, 1, 1, 1, 0, 1, 0, "hits"},
        {GM_MESSAGE_ATOMIC, 0, 1, 1, 2, 1, 0, 1, 0, "an atomic hits what a load has taken"},
        {STRONG, 0, 1, 1, 3, 1, 0, 1, 0, "and a load what an atomic has written"},
        {STRONG, 0, 2, 2, 3, 2, 1, 2, 0, "a sector is missing: it goes, and comes back"},
        {STRONG, 2, 1, 3, 3, 3, 2, 3, 0, "another line: line 0 goes"},
        {GM_MESSAGE_READ, 2, 1, 3, 3, 3, 3, 3, 0, "a load that is not strong has line 2 put back"},
        {GM_MESSAGE_READ, 0, 3, 3, 3, 3, 3, 3, 0, "line 0 is in the L2, with both sectors"},
        {STRONG, 0, 1, 3, 3, 4, 3, 3, 0, "a hit in the L2 takes its line, too"},
        {GM_MESSAGE_WRITE, 0, 1, 3, 3, 4, 4, 3, 0, "a store has it put back"},
        {GM_MESSAGE_READ, 4, 1, 4, 3, 4, 4, 4, 0, "evicts line 2: no atomic has written it"},
        {GM_MESSAGE_READ, 6, 1, 5, 3, 4, 4, 5, 1, "evicts line 0, dirty in one sector of two"},
    };
    fixture f;
    gm_error error;
    describe(&f);
    make(&f);
    send_rows(&f, rows, sizeof rows / sizeof *rows);
    const gm_l2 *l2 = f.memory.bank;
    const gm_atomic_buffer_statistics *counts = &l2->atomics->statistics;
    assert_int_equal(counts->loads, 6);
    assert_int_equal(counts->load_hits, 2);
    assert_int_equal(counts->load_sectors, 6);
    assert_int_equal(l2->statistics.hits[GM_LOAD], 5); /* two in the buffer, three in the tags */
    assert_int_equal(l2->statistics.hits[GM_ATOMIC], 1);
    test_ok(gm_atomic_unit_check(l2->atomics, &l2->statistics, "bank", &error), error);
    destroy(&f);
}

/* The second L2: a list of lines, newest last in use. */
enum { LINES = 64, MESSAGES = 3000 };

typedef struct simple_line {
    bool here;
    uint64_t line, used;
    uint32_t valid, dirty;
} simple_line;

typedef struct simple {
    uint64_t sets, ways, now;
    uint32_t all; /* sectors; 0: sectored */
    simple_line line[LINES], held;
    uint64_t hits, load_hits, evictions, reads, writes, exchanges, returns;
} simple;

/* Puts a line into the list: for the oldest of its set if that has all its ways. */
static simple_line *keep(simple *it, simple_line line)
{
    simple_line *oldest = NULL;
    simple_line *free = NULL;
    uint64_t used = 0;
    for (simple_line *at = it->line; at < it->line + LINES; at++) {
        if (!at->here) {
            free = at;
        } else if (at->line % it->sets == line.line % it->sets) {
            used++;
            oldest = oldest == NULL || at->used < oldest->used ? at : oldest;
        }
    }
    if (used == it->ways) {
        it->evictions++;
        it->writes += gm_count_ones(oldest->dirty);
        free = oldest;
    }
    line.here = true;
    line.used = ++it->now;
    *free = line;
    return free;
}

static void put_held(simple *it)
{
    if (it->held.here) {
        keep(it, it->held);
        it->held.here = false;
        it->returns++;
    }
}

static void access_simple(simple *it, unsigned kind, uint64_t line, uint32_t sectors)
{
    bool coherent = kind == GM_MESSAGE_ATOMIC || kind == GM_MESSAGE_REDUCTION || kind == STRONG;
    bool reads = kind == GM_MESSAGE_READ || kind == STRONG;
    if (it->held.here && it->held.line == line) {
        if (coherent && (sectors & ~it->held.valid) == 0) {
            it->hits++;
            it->load_hits += reads;
            it->held.dirty |= reads ? 0 : sectors;
            return;
        }
        put_held(it);
    }
    simple_line *at = it->line;
    while (at < it->line + LINES && !(at->here && at->line == line)) {
        at++;
    }
    uint32_t valid = at < it->line + LINES ? at->valid : 0;
    bool missed = (sectors & ~valid) != 0; /* a hit fetches nothing */
    uint32_t needed = missed && it->all != 0 ? it->all : sectors;
    it->reads += gm_count_ones(needed & ~valid);
    if (at == it->line + LINES) {
        at = keep(it, (simple_line){.line = line});
    }
    at->used = ++it->now;
    at->valid |= needed;
    at->dirty |= reads ? 0 : sectors;
    if (coherent) {
        simple_line before = it->held;
        it->held = *at;
        at->here = false;
        it->exchanges++;
        if (before.here) {
            keep(it, before);
            it->returns++;
        }
    }
}

static void compare(const fixture *f, const simple *it)
{
    const gm_l2 *l2 = f->memory.bank;
    const gm_atomic_buffer_statistics *counts = &l2->atomics->statistics;
    const gm_dram_statistics *dram = &f->memory.channel[0].statistics;
    uint64_t evictions = 0;
    for (unsigned kind = 0; kind < GM_ACCESS_KINDS; kind++) {
        evictions += l2->statistics.evictions[kind];
    }
    assert_int_equal(counts->hits, it->hits);
    assert_int_equal(counts->load_hits, it->load_hits);
    assert_int_equal(counts->taken, it->exchanges);
    assert_int_equal(counts->put_for_atomics + counts->put_for_accesses + counts->put_at_ends,
                     it->returns);
    assert_int_equal(evictions, it->evictions);
    assert_int_equal(dram->reads, it->reads);
    assert_int_equal(dram->writes, it->writes);
    assert_int_equal(l2->atomics->block.held, it->held.here);
}

/* Compares what each of both holds. */
static void compare_lines(fixture *f, const simple *it)
{
    gm_cache *cache = &f->memory.bank[0].cache;
    uint64_t lines = 0;
    for (const simple_line *at = it->line; at < it->line + LINES; at++) {
        if (at->here) {
            gm_cache_place place = gm_cache_find(cache, at->line);
            assert_int_not_equal(place.slot, GM_NO_SLOT);
            assert_int_equal(gm_cache_state(cache, place.slot)->valid, at->valid);
            assert_int_equal(gm_cache_state(cache, place.slot)->dirty, at->dirty);
            lines++;
        }
    }
    for (uint32_t slot = 0; slot < gm_cache_slots(cache); slot++) {
        lines -= gm_cache_state(cache, slot)->valid != 0;
    }
    assert_int_equal(lines, 0);
}

static void a_second_l2_counts_alike(void **state)
{
    (void)state;
    test_random random = test_random_start(1);
    static const unsigned kinds[] = {
        GM_MESSAGE_READ, GM_MESSAGE_WRITE, GM_MESSAGE_ATOMIC, GM_MESSAGE_REDUCTION,
        STRONG,          STRONG,           GM_MESSAGE_ATOMIC, GM_MESSAGE_WRITE_BACK};
    uint64_t hits = 0;
    uint64_t load_hits = 0;
    for (unsigned round = 0; round < test_rounds(120); round++) {
        fixture f;
        gm_error error;
        describe(&f);
        f.config.l2.line = UINT64_C(32) << test_random_below(&random, 3);
        f.config.l2.ways = UINT64_C(1) << test_random_below(&random, 4);
        uint64_t sets = UINT64_C(1) << test_random_below(&random, 3);
        f.config.l2.size = sets * f.config.l2.ways * f.config.l2.line;
        f.config.l2.sectored = test_random_below(&random, 2) == 0;
        make(&f);
        uint32_t all = (uint32_t)gm_mask((unsigned)(f.config.l2.line / 32));
        simple it = {.sets = sets, .ways = f.config.l2.ways, .all = f.config.l2.sectored ? 0 : all};
        uint64_t lines = 1 + test_random_below(&random, 2 * sets * it.ways);
        uint64_t line = 0;
        for (unsigned i = 0; i < MESSAGES; i++) {
            line = test_random_below(&random, 3) == 0 ? test_random_below(&random, lines) : line;
            unsigned kind = kinds[test_random_below(&random, 8)];
            uint32_t sectors = 1 + (uint32_t)test_random_below(&random, all);
            send(&f, kind, line, sectors);
            access_simple(&it, kind, line, sectors);
            if (test_random_below(&random, 300) == 0) {
                gm_memory_side_end_kernel(&f.memory);
                put_held(&it);
                compare_lines(&f, &it);
            }
            compare(&f, &it);
        }
        const gm_l2 *l2 = f.memory.bank;
        gm_memory_side_end_kernel(&f.memory);
        test_ok(gm_atomic_unit_check(l2->atomics, &l2->statistics, "bank", &error), error);
        hits += it.hits;
        load_hits += it.load_hits;
        destroy(&f);
    }
    assert_true(hits > 1000 && load_hits > 1000);
}

/* Lazy: a sector of which a store has written only a part goes into the buffer with its line, and
 * back. */
static void partial_sectors_move_along(void **state)
{
    (void)state;
    fixture f;
    describe(&f);
    f.config.l2.fetch_on_write = GM_FETCH_LAZY;
    make(&f);
    gm_l2 *l2 = f.memory.bank;
    f.batch->message[0] = (gm_message){.line = 0, .sectors = 3, .kind = GM_MESSAGE_WRITE};
    gm_memory_side_run(&f.memory, f.batch);
    send(&f, GM_MESSAGE_ATOMIC, 0, 1);
    assert_int_equal(f.memory.channel[0].statistics.reads, 1); /* what the store had left */
    assert_int_equal(l2->atomics->partial, 2);
    send(&f, GM_MESSAGE_ATOMIC, 0, 1);
    assert_int_equal(l2->atomics->statistics.hits, 1);
    send(&f, GM_MESSAGE_ATOMIC, 0, 2); /* a partial sector does not hit */
    assert_int_equal(l2->atomics->statistics.hits, 1);
    assert_int_equal(f.memory.channel[0].statistics.reads, 2);
    assert_int_equal(l2->atomics->partial, 0);
    f.batch->message[0] = (gm_message){.line = 1, .sectors = 4, .kind = GM_MESSAGE_WRITE};
    gm_memory_side_run(&f.memory, f.batch);
    send(&f, GM_MESSAGE_ATOMIC, 1, 1);
    gm_memory_side_end_kernel(&f.memory);
    gm_cache_place place = gm_cache_find(&l2->cache, 1);
    assert_int_equal(l2->partial[place.slot], 4);
    assert_int_equal(gm_cache_state(&l2->cache, place.slot)->valid, 5);
    assert_int_equal(gm_cache_state(&l2->cache, place.slot)->dirty, 5);
    assert_int_equal(l2->dirty_sectors, 4);
    destroy(&f);
}

/* Lazy: a strong load of a sector of which stores have written a part has it fetched, and leaves it
 * dirty. */
static void a_strong_load_has_whole_sectors(void **state)
{
    (void)state;
    fixture f;
    describe(&f);
    f.config.l2.fetch_on_write = GM_FETCH_LAZY;
    make(&f);
    const gm_atomic_unit *unit = f.memory.bank->atomics;
    f.batch->message[0] = (gm_message){.line = 0, .sectors = 3, .kind = GM_MESSAGE_WRITE};
    gm_memory_side_run(&f.memory, f.batch);
    send(&f, STRONG, 0, 1);
    assert_int_equal(f.memory.channel[0].statistics.reads, 1);
    assert_int_equal(unit->partial, 2);
    send(&f, STRONG, 0, 2); /* a partial sector does not hit */
    assert_int_equal(f.memory.channel[0].statistics.reads, 2);
    assert_int_equal(unit->statistics.hits, 0);
    assert_int_equal(unit->partial, 0);
    send(&f, STRONG, 0, 3);
    assert_int_equal(unit->statistics.hits, 1);
    assert_int_equal(unit->block.dirty, 3);
    send(&f, STRONG, 1, 4);
    assert_int_equal(unit->block.dirty, 0);
    destroy(&f);
}

static void write_bytes(fixture *f, gm_message_kind kind, uint32_t bytes)
{
    f->batch->message[0] = (gm_message){.line = 5, .sectors = 1, .bytes = bytes, .kind = kind};
    gm_memory_side_run(&f->memory, f->batch);
}

static void describe_bytes(fixture *f)
{
    describe(f);
    f->config.l2.sectored = false;
    f->config.l2.line = 32;
    f->config.l2.size = 4 * f->config.l2.line;
    f->config.l2.fetch_on_write = GM_FETCH_LAZY;
    f->config.l2.dirty = GM_DIRTY_BYTE;
    f->config.l1.local_write = GM_WRITE_THROUGH;
}

/* l2.dirty=byte: a strong load needs all bytes of its line, of which it writes none. */
static void a_strong_load_has_all_bytes(void **state)
{
    (void)state;
    fixture f;
    describe_bytes(&f);
    make(&f);
    const gm_atomic_unit *unit = f.memory.bank->atomics;
    const gm_dram_statistics *dram = &f.memory.channel[0].statistics;
    write_bytes(&f, GM_MESSAGE_WRITE, 0xff);
    write_bytes(&f, GM_MESSAGE_ATOMIC, 0x0f); /* has these */
    assert_int_equal(dram->reads, 0);
    send(&f, STRONG, 5, 1);
    assert_int_equal(unit->statistics.hits, 0);
    assert_int_equal(unit->statistics.put_for_accesses, 1);
    assert_int_equal(dram->reads, 1);
    assert_int_equal(unit->bytes.valid, UINT32_MAX);
    assert_int_equal(unit->bytes.dirty, 0xff);
    send(&f, STRONG, 5, 1);
    assert_int_equal(unit->statistics.load_hits, 1);
    assert_int_equal(unit->bytes.dirty, 0xff);
    send(&f, STRONG, 6, 1);
    assert_int_equal(unit->bytes.valid, UINT32_MAX);
    assert_int_equal(unit->bytes.dirty, 0);
    destroy(&f);
}

/* l2.dirty=byte: a line of which stores have written a part goes into the buffer with its masks, if
 * it has the bytes of the atomic; one on other bytes has it put back, and fetches. */
static void bytes_move_along(void **state)
{
    (void)state;
    fixture f;
    gm_error error;
    describe_bytes(&f);
    make(&f);
    gm_l2 *l2 = f.memory.bank;
    const gm_dram_statistics *dram = &f.memory.channel[0].statistics;
    write_bytes(&f, GM_MESSAGE_WRITE, 0xff);
    write_bytes(&f, GM_MESSAGE_ATOMIC, 0x0f); /* has these */
    assert_int_equal(dram->reads, 0);
    assert_int_equal(l2->atomics->bytes.valid, 0xff);
    assert_int_equal(l2->atomics->bytes.dirty, 0xff);
    write_bytes(&f, GM_MESSAGE_REDUCTION, 0xf0);
    assert_int_equal(l2->atomics->statistics.hits, 1);
    write_bytes(&f, GM_MESSAGE_ATOMIC, 0xf00);
    assert_int_equal(l2->atomics->statistics.hits, 1); /* lacks these */
    assert_int_equal(l2->atomics->statistics.put_for_accesses, 1);
    assert_int_equal(dram->reads, 1);
    assert_int_equal(l2->atomics->bytes.valid, UINT32_MAX);
    assert_int_equal(l2->atomics->bytes.dirty, 0xfff);
    write_bytes(&f, GM_MESSAGE_ATOMIC, 0xf0000000);
    assert_int_equal(l2->atomics->statistics.hits, 2);
    gm_memory_side_end_kernel(&f.memory);
    gm_cache_place place = gm_cache_find(&l2->cache, 5);
    assert_int_equal(l2->bytes->mask[place.slot].valid, UINT32_MAX);
    assert_int_equal(l2->bytes->mask[place.slot].dirty, 0xf0000fff);
    assert_int_equal(l2->bytes->dirtied, 16);
    test_ok(gm_l2_check_partial(l2, "bank", &error), error);
    destroy(&f);
}

static void each_invariant_can_fail(void **state)
{
    (void)state;
    fixture f;
    gm_error error;
    describe(&f);
    make(&f);
    gm_atomic_unit *unit = f.memory.bank[0].atomics;
    gm_cache_statistics *bank = &f.memory.bank[0].statistics;
    send(&f, GM_MESSAGE_ATOMIC, 1, 1);
    send(&f, GM_MESSAGE_ATOMIC, 1, 1);
    send(&f, STRONG, 1, 1);
    assert_int_equal(gm_atomic_unit_check(unit, bank, "bank", &error), -EPROTO);
    assert_non_null(strstr(error.text, "lines in the atomic buffer at the end of a kernel"));
    gm_memory_side_end_kernel(&f.memory);
    test_ok(gm_atomic_unit_check(unit, bank, "bank", &error), error);
    test_ok(gm_atomic_unit_check(NULL, bank, "bank", &error), error);
    const struct {
        uint64_t *counter;
        const char *text;
    } rows[] = {
        {&unit->statistics.hits, "= hits of the atomic buffer + lines taken + in place"},
        {&unit->statistics.in_place, "= hits of the atomic buffer + lines taken + in place"},
        {&unit->statistics.loads, "atomics + strong loads = hits of the atomic buffer"},
        {&unit->statistics.load_hits, "strong loads that hit in the atomic buffer <= hits of"},
        {&unit->statistics.put_for_atomics, "lines taken by the atomic buffer = put back"},
        {&unit->statistics.put_for_accesses, "lines taken by the atomic buffer = put back"},
        {&unit->statistics.put_at_ends, "lines taken by the atomic buffer = put back"},
        {&unit->statistics.sectors_put, "sectors taken by the atomic buffer = put back"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ++*rows[i].counter;
        assert_int_equal(gm_atomic_unit_check(unit, bank, "bank", &error), -EPROTO);
        assert_non_null(strstr(error.text, rows[i].text));
        --*rows[i].counter;
    }
    unit->statistics.load_hits--; /* as if the load's hit had been an atomic's */
    assert_int_equal(gm_atomic_unit_check(unit, bank, "bank", &error), -EPROTO);
    assert_non_null(strstr(error.text, "atomics that hit in the atomic buffer <= hits of"));
    unit->statistics.load_hits++;
    unit->block.dirty = 1;
    assert_int_equal(gm_atomic_unit_check(unit, bank, "bank", &error), -EINVAL);
    destroy(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accesses_by_hand),
        cmocka_unit_test(strong_loads_by_hand),
        cmocka_unit_test(a_second_l2_counts_alike),
        cmocka_unit_test(partial_sectors_move_along),
        cmocka_unit_test(a_strong_load_has_whole_sectors),
        cmocka_unit_test(bytes_move_along),
        cmocka_unit_test(a_strong_load_has_all_bytes),
        cmocka_unit_test(each_invariant_can_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
