/* Sharing-aware caches of the order engine [tabbakh, V]: a second implementation of L1s, L2 and
 * DRAM agrees after each random request. */
#include "cache/cache_sharing.h"
#include "order/order_l1_sharing.h"
#include "order/order_machine.h"
#include "support/blocks/sharing_lru_lists.h"
#include "support/support.h"

#include <string.h>

enum { MOST_SMS = 15, MOST_SETS = 256, MOST_WAYS = 8, ALL = 0xf };

/* The size of a machine; the global lines that are accessed. */
typedef struct machine_size {
    const char *preset;
    unsigned sms, sm_bits, l1_sets, l1_ways, l2_sets, l2_ways, lines;
} machine_size;

static const machine_size small = {"fermi-sharing", 3, 2, 2, 2, 2, 4, 24};

/* The machines of [tabbakh, Table I, VII-C], with one bank of their L2. */
static const machine_size shipped[] = {
    {"fermi-sharing", 15, 4, 32, 4, 128, 8, 40},
    {"kepler-sharing", 15, 4, 32, 4, 256, 8, 40},
};

/* A cache of the second implementation: of each way the line and its dirty sectors. */
typedef struct plain {
    gm_sharing_lru_parameters p;
    naive n;
    unsigned sets;
    naive_set set[MOST_SETS];
    uint64_t line[MOST_SETS][MOST_WAYS];
    uint32_t dirty[MOST_SETS][MOST_WAYS];
} plain;

typedef struct world {
    const gm_config *config;
    const machine_size *size;
    plain l1[MOST_SMS];
    plain l2;
    uint64_t reads, writes; /* 32-byte sectors of DRAM */
    uint64_t bypassed_fills, bypassed_sectors, stored, local_reads, local_writes;
} world;

static void start_plain(plain *cache, gm_sharing_level level, gm_sharing_dead dead, unsigned sets,
                        unsigned ways, unsigned sm_bits)
{
    cache->sets = sets;
    cache->p = (gm_sharing_lru_parameters){level, dead, gm_log2_floor(sets), ways, sm_bits};
    cache->n = (naive){.p = &cache->p, .set = cache->set};
}

static int way_with(const plain *cache, uint64_t line)
{
    const naive_set *set = &cache->set[line % cache->sets];
    for (unsigned i = 0; i < set->count; i++) {
        if (cache->line[line % cache->sets][set->line[i].way] == line) {
            return (int)set->line[i].way;
        }
    }
    return -1;
}

static gm_sharing_lru_response ask(plain *cache, uint64_t op, uint64_t line, int way, int sm,
                                   bool incoming)
{
    const gm_sharing_lru_request r = {.op = op,
                                      .index = line % cache->sets,
                                      .way = way < 0 ? 0 : (uint64_t)way,
                                      .eligible = gm_mask(cache->p.ways),
                                      .incoming = incoming,
                                      .sm = sm < 0 ? 0 : (uint64_t)sm,
                                      .known = sm >= 0};
    return naive_access(&cache->n, &r);
}

/* Puts a line into the way that the block has answered; returns the dirty sectors that leave. */
static uint32_t put(plain *cache, uint64_t line, const gm_sharing_lru_response *a, uint64_t *gone)
{
    uint32_t dirty = cache->dirty[line % cache->sets][a->way];
    *gone = cache->line[line % cache->sets][a->way];
    cache->line[line % cache->sets][a->way] = line;
    cache->dirty[line % cache->sets][a->way] = 0;
    return a->evicted != 0 ? dirty : 0;
}

/* The L2 gets a request: returns true if the line is shared. `local`: a load or write-back of a
 * local line, for which it takes no way where the paper has it bypass. */
static bool l2_access(world *w, gm_message_kind kind, int sm, uint64_t line, uint32_t sectors,
                      bool local)
{
    plain *l2 = &w->l2;
    bool bypasses = local && w->config->sharing.local_l2 == GM_SHARING_LOCAL_BYPASS;
    int way = way_with(l2, line);
    bool shared = false;
    if (way >= 0) {
        shared = ask(l2, GM_SHARING_LRU_TOUCH, line, way, bypasses ? -1 : sm, false).shared != 0;
    } else if (bypasses && kind == GM_MESSAGE_READ) {
        w->reads += gm_count_ones(sectors);
        w->local_reads++;
        return false;
    } else {
        gm_sharing_lru_response a =
            ask(l2, GM_SHARING_LRU_REPLACE, line, 0, bypasses ? -1 : sm, bypasses);
        if (a.bypass != 0) {
            w->writes += gm_count_ones(sectors);
            w->local_writes++;
            return false;
        }
        uint64_t gone;
        w->writes += gm_count_ones(put(l2, line, &a, &gone));
        w->reads += 4;
        way = (int)a.way;
    }
    l2->dirty[line % l2->sets][way] |= kind == GM_MESSAGE_READ ? 0 : sectors;
    return shared;
}

static void l1_drop(world *w, unsigned sm, uint64_t line)
{
    plain *l1 = &w->l1[sm];
    int way = way_with(l1, line);
    if (way < 0) {
        return;
    }
    if (l1->dirty[line % l1->sets][way] != 0) {
        l2_access(w, GM_MESSAGE_WRITE_BACK, (int)sm, line, l1->dirty[line % l1->sets][way], true);
    }
    l1->dirty[line % l1->sets][way] = 0;
    ask(l1, GM_SHARING_LRU_REMOVE, line, way, -1, false);
}

/* A miss of a load, or of a store that covers `whole` of its sectors. Returns the dirty sectors of
 * the line that leaves, *gone. */
static uint32_t l1_miss(world *w, unsigned sm, uint64_t line, uint32_t whole, bool local,
                        uint32_t dirtied, uint64_t *gone)
{
    plain *l1 = &w->l1[sm];
    uint32_t asks = ALL & ~whole;
    w->stored += gm_count_ones(whole);
    bool shared = asks != 0 && l2_access(w, GM_MESSAGE_READ, (int)sm, line, asks, local);
    gm_sharing_lru_response a = ask(l1, GM_SHARING_LRU_REPLACE, line, 0, -1, shared && !local);
    if (a.bypass != 0) {
        w->bypassed_fills++;
        w->bypassed_sectors += gm_count_ones(asks) + gm_count_ones(whole);
        return 0;
    }
    uint32_t dirty = put(l1, line, &a, gone);
    l1->dirty[line % l1->sets][a.way] = dirtied;
    return dirty;
}

typedef struct event {
    gm_request_kind kind;
    unsigned sm;
    uint64_t line;
    uint32_t sectors, whole;
    bool local;
} event;

static void l1_access(world *w, const event *e)
{
    plain *l1 = &w->l1[e->sm];
    int way = way_with(l1, e->line);
    uint64_t gone = 0;
    uint32_t written = 0;
    if (e->kind == GM_REQUEST_STRONG_LOAD || e->kind >= GM_REQUEST_ATOMIC) {
        l1_drop(w, e->sm, e->line);
        l2_access(w, e->kind == GM_REQUEST_STRONG_LOAD ? GM_MESSAGE_READ : GM_MESSAGE_ATOMIC,
                  (int)e->sm, e->line, e->sectors, false);
        return;
    }
    bool store = e->kind == GM_REQUEST_STORE;
    bool back = store && e->local;
    if (way >= 0) {
        ask(l1, GM_SHARING_LRU_TOUCH, e->line, way, -1, false);
        l1->dirty[e->line % l1->sets][way] |= back ? e->sectors : 0;
    } else {
        written = l1_miss(w, e->sm, e->line, store ? e->whole : 0, e->local, back ? e->sectors : 0,
                          &gone);
    }
    bool at_once = written != 0 && store && e->whole == ALL; /* nothing is fetched */
    if (at_once) {
        l2_access(w, GM_MESSAGE_WRITE_BACK, (int)e->sm, gone, written, true);
    }
    if (store && !back) {
        l2_access(w, GM_MESSAGE_WRITE, (int)e->sm, e->line, e->sectors, false);
    }
    if (written != 0 && !at_once) {
        l2_access(w, GM_MESSAGE_WRITE_BACK, (int)e->sm, gone, written, true);
    }
}

static void expect_same(const plain *should, const gm_cache *is, const char *where)
{
    for (uint32_t set = 0; set < should->sets; set++) {
        const naive_set *lines = &should->set[set];
        const gm_sharing_lru *block = &is->sharing->lines;
        if (lines->count != gm_count_ones(block->used[set])) {
            fail_msg("%s: set %u: %u lines, should be %u", where, set,
                     gm_count_ones(block->used[set]), lines->count);
        }
        for (unsigned i = 0; i < lines->count; i++) {
            const naive_line *line = &lines->line[i];
            uint32_t slot = set * is->ways + line->way;
            assert_int_equal(is->way[slot].tag, should->line[set][line->way]);
            assert_int_equal(is->way[slot].state.dirty, should->dirty[set][line->way]);
            assert_int_equal(block->rank[slot], lines->count - 1 - i);
            assert_int_equal(block->shared[set] >> line->way & 1, line->kind == NAIVE_SHARED);
            assert_int_equal(block->dead[set] >> line->way & 1, line->dead);
            assert_int_equal(block->owned[set] >> line->way & 1, line->owner >= 0);
            assert_int_equal(block->owner[slot], line->owner >= 0 ? line->owner : 0);
        }
    }
}

static void compare(const world *w, const gm_order_machine *machine)
{
    gm_statistics sum;
    gm_order_machine_sum(machine, &sum);
    for (unsigned i = 0; i < w->size->sms; i++) {
        expect_same(&w->l1[i], &machine->sm[i].l1.cache, "L1");
    }
    expect_same(&w->l2, &machine->memory.bank[0].cache, "L2");
    assert_int_equal(sum.dram.reads, w->reads);
    assert_int_equal(sum.dram.writes, w->writes);
    assert_int_equal(sum.sharing.l1_fills_bypassed, w->bypassed_fills);
    assert_int_equal(sum.sharing.l1_sectors_bypassed, w->bypassed_sectors);
    assert_int_equal(sum.l1d.sectors_stored[GM_STORE], w->stored);
    assert_int_equal(sum.sharing.l2_local_reads, w->local_reads);
    assert_int_equal(sum.sharing.l2_local_writes, w->local_writes);
}

static gm_config machine_of(const machine_size *size, unsigned round)
{
    gm_config config;
    gm_error error;
    test_ok(gm_config_preset(&config, size->preset, &error), error);
    config.sharing.enabled = true;
    config.sharing.dead = (gm_sharing_dead)(round % 3);
    config.sharing.local_l2 =
        round / 3 % 2 != 0 ? GM_SHARING_LOCAL_NORMAL : GM_SHARING_LOCAL_BYPASS;
    config.sharing.kernel_reset = round / 2 % 2 != 0;
    config.sharing.l2_dead = round / 4 % 2 != 0;
    config.gpu.sms = size->sms;
    config.memory.partitions = 1;
    config.l1.size = (uint64_t)size->l1_sets * size->l1_ways * 128;
    config.l1.ways = size->l1_ways;
    config.l2.size = (uint64_t)size->l2_sets * size->l2_ways * 128;
    config.l2.ways = size->l2_ways;
    return config;
}

/* Spreads lines over the L2's first and last set, so that few of them fill a set. */
static uint64_t line_of(const machine_size *size, uint64_t number)
{
    uint64_t last = size->l2_sets - 1;
    return size->l2_sets == 2 ? number : number / 2 * size->l2_sets + number % 2 * last;
}

/* Local lines are mostly those of one SM, 8 for each; a later kernel's warp of another SM may have
 * the line of an earlier one. */
static event random_event(test_random *random, const machine_size *size)
{
    static const gm_request_kind kinds[] = {
        GM_REQUEST_LOAD,  GM_REQUEST_LOAD,  GM_REQUEST_LOAD,        GM_REQUEST_LOAD,
        GM_REQUEST_STORE, GM_REQUEST_STORE, GM_REQUEST_STRONG_LOAD, GM_REQUEST_ATOMIC};
    event e = {.kind = kinds[test_random_below(random, 8)],
               .sm = (unsigned)test_random_below(random, size->sms),
               .line = test_random_below(random, size->lines),
               .sectors = 1 + (uint32_t)test_random_below(random, ALL)};
    e.sectors = test_random_below(random, 4) == 0 ? ALL : e.sectors;
    e.whole = e.sectors == ALL ? ALL : e.sectors & (uint32_t)test_random_next(random);
    e.local = e.kind <= GM_REQUEST_STORE && e.kind != GM_REQUEST_STRONG_LOAD &&
              test_random_below(random, 3) == 0;
    if (e.local) {
        bool other = test_random_below(random, 8) == 0;
        e.line = size->lines + (other ? e.line : e.sm * 8 + e.line % 8);
    }
    e.line = line_of(size, e.line);
    return e;
}

static void end_kernel(world *w, gm_order_machine *machine)
{
    unsigned ways = w->size->l1_ways;
    for (unsigned i = 0; i < w->size->sms; i++) {
        gm_order_l1_flush(&machine->sm[i].l1);
        for (unsigned slot = 0; slot < w->size->l1_sets * ways;
             slot++) { /* in the order of slots */
            uint64_t line = w->l1[i].line[slot / ways][slot % ways];
            int way = way_with(&w->l1[i], line);
            if (way == (int)(slot % ways) && line % w->size->l1_sets == slot / ways) {
                l1_drop(w, i, line);
            }
        }
    }
    gm_memory_side_end_kernel(&machine->memory);
    if (w->config->sharing.kernel_reset) {
        naive_forget(&w->l2.n, false);
    }
}

static void run_round(test_random *random, const machine_size *size, unsigned round,
                      gm_sharing_statistics *seen)
{
    gm_config config = machine_of(size, round);
    gm_error error;
    gm_order_machine machine;
    world *w = test_calloc(1, sizeof *w);
    *w = (world){.config = &config, .size = size};
    test_ok(gm_order_machine_init(&machine, &config, false, &error), error);
    for (unsigned i = 0; i < size->sms; i++) {
        start_plain(&w->l1[i], GM_SHARING_L1, config.sharing.dead, size->l1_sets, size->l1_ways,
                    size->sm_bits);
    }
    start_plain(&w->l2, GM_SHARING_L2,
                config.sharing.l2_dead ? GM_SHARING_DEAD_ANY : GM_SHARING_DEAD_OFF, size->l2_sets,
                size->l2_ways, size->sm_bits);
    for (unsigned t = 0; t < 3000; t++) {
        event e = random_event(random, size);
        const gm_line_request request = {
            .line = e.line, .lanes = 1, .sectors = e.sectors, .whole = e.whole, .local = e.local};
        gm_outcome outcome = {0};
        gm_order_l1_access(&machine.sm[e.sm].l1, &request, e.kind, &outcome);
        l1_access(w, &e);
        if (t % 500 == 499) {
            end_kernel(w, &machine);
        }
        if (size == &small || t % 100 == 99) {
            compare(w, &machine);
        }
    }
    gm_statistics sum;
    gm_order_machine_sum(&machine, &sum);
#define COUNTER(name, unit, meaning) seen->name += sum.sharing.name;
    GM_SHARING_SM_COUNTERS(COUNTER)
    GM_SHARING_BANK_COUNTERS(COUNTER)
#undef COUNTER
    for (unsigned i = 0; i < size->sms; i++) {
        test_ok(gm_order_l1_sharing_check(&machine.sm[i].l1, true, "L1", &error), error);
    }
    test_ok(gm_l2_check_sharing(&machine.memory.bank[0], "L2", &error), error);
    gm_order_machine_free(&machine);
    test_free(w);
}

/* Each rule was used; no request waits for another in this engine. */
static void expect_all(const gm_sharing_statistics *seen)
{
#define COUNTER(name, unit, meaning)                                                               \
    if (strncmp(#name, "l1_merged", 9) != 0 && strcmp(#name, "l1_fills_closed") != 0) {            \
        if (seen->name < 50) {                                                                     \
            fail_msg("%s: only %llu", #name, (unsigned long long)seen->name);                      \
        }                                                                                          \
    } else {                                                                                       \
        assert_int_equal(seen->name, 0);                                                           \
    }
    GM_SHARING_SM_COUNTERS(COUNTER)
    GM_SHARING_BANK_COUNTERS(COUNTER)
#undef COUNTER
}

static void agrees_with_plain_caches(void **state)
{
    (void)state;
    test_random random = test_random_start(1);
    gm_sharing_statistics seen = {0};
    for (unsigned round = 0; round < 48; round++) {
        run_round(&random, &small, round, &seen);
    }
    expect_all(&seen);
}

static void agrees_at_shipped_sizes(void **state)
{
    (void)state;
    test_random random = test_random_start(2);
    gm_sharing_statistics seen = {0};
    for (unsigned round = 0; round < 24; round++) {
        run_round(&random, &shipped[round % 2], round / 2, &seen);
    }
    expect_all(&seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_plain_caches),
        cmocka_unit_test(agrees_at_shipped_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
