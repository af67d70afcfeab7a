/* An SM always sees its own writes, whoever supplies its loads [anssari, 3.2]. The oracle knows of
 * each copy of each sector which store of each SM is the last that it has, and asks that a load's
 * copy has the SM's own last one, and that a copy known to a tracker has all that were told it. */
#include "goldmem/bits.h"
#include "order/order_machine.h"
#include "support/order/order_run.h"

#include <stdlib.h>
#include <string.h>

typedef enum step_kind { LOAD, STRONG, STORE, ATOMIC } step_kind;

typedef struct world {
    gm_config config;
    gm_order_machine machine;
    gm_observer observer[128];
    uint32_t sms, lines, sectors; /* sectors of a line */
    uint64_t supplier;            /* of the last LOOKUP, in its tracker */
    uint32_t now;                 /* stores are numbered from 1 */
    /* The last store of each SM [sms] that is in a sector [lines * sectors] of */
    uint32_t *memory;     /* L2 and DRAM */
    uint32_t *copy;       /* the L1 of each SM [sms] */
    uint32_t *own, *told; /* [sms][lines * sectors]: an SM's last store, the last sent */
    uint64_t loads, remote, stale, known;
    uint64_t lost, outdated; /* loads without the SM's own store, sharers without what was told */
    char first[160];         /* the first of these */
} world;

static size_t sectors_of(const world *w)
{
    return (size_t)w->lines * w->sectors;
}

static uint32_t *in_memory(const world *w, size_t sector)
{
    return &w->memory[sector * w->sms];
}

static uint32_t *in_l1(const world *w, uint32_t sm, size_t sector)
{
    return &w->copy[(sm * sectors_of(w) + sector) * w->sms];
}

static void note_supplier(void *context, const uint64_t *request, const uint64_t *response)
{
    world *w = context;
    if (((const gm_sharing_tracker_request *)(const void *)request)->op ==
        GM_SHARING_TRACKER_LOOKUP) {
        w->supplier = ((const gm_sharing_tracker_response *)(const void *)response)->supplier;
    }
}

static void begin(world *w, const gm_config *config, uint32_t lines)
{
    gm_error error;
    *w = (world){.config = *config,
                 .sms = (uint32_t)config->gpu.sms,
                 .lines = lines,
                 .sectors = (uint32_t)(config->l1.line / 32)};
    test_ok(gm_config_check(&w->config, &error), error);
    test_ok(gm_order_machine_init(&w->machine, &w->config, false, &error), error);
    w->machine.noc.limit = GM_BATCH; /* the messages of an access stay where the test reads them */
    for (uint32_t i = 0; i < w->machine.trackers.count; i++) {
        w->observer[i] = (gm_observer){w, note_supplier};
        w->machine.trackers.tracker[i].observer = &w->observer[i];
    }
    w->memory = calloc(sectors_of(w) * w->sms, sizeof *w->memory);
    w->copy = calloc(sectors_of(w) * w->sms * w->sms, sizeof *w->copy);
    w->own = calloc(sectors_of(w) * w->sms, sizeof *w->own);
    w->told = calloc(sectors_of(w) * w->sms, sizeof *w->told);
    assert_true(w->memory != NULL && w->copy != NULL && w->own != NULL && w->told != NULL);
}

static void end(world *w)
{
    gm_order_machine_free(&w->machine);
    free(w->memory);
    free(w->copy);
    free(w->own);
    free(w->told);
}

/* Dirty sectors that the access at hand has written back: bytes of the SM's own stores. */
static void follow_write_backs(const world *w)
{
    const gm_batch *batch = w->machine.noc.batch;
    uint64_t sectors_of_l2 = w->config.l2.line / 32;
    for (uint32_t i = 0; i < batch->count; i++) {
        const gm_message *message = &batch->message[i];
        for (uint32_t left = message->sectors; left != 0; left &= left - 1) {
            size_t sector = message->line * sectors_of_l2 + gm_lowest_one(left);
            if (message->kind == GM_MESSAGE_WRITE_BACK) {
                uint32_t last = in_l1(w, message->sm, sector)[message->sm];
                in_memory(w, sector)[message->sm] = last;
                w->told[message->sm * sectors_of(w) + sector] = last;
            }
        }
    }
}

static gm_outcome request(world *w, uint32_t sm, step_kind kind, const gm_line_request *request)
{
    gm_order_sm *unit = &w->machine.sm[sm];
    gm_outcome outcome = {0};
    switch (kind) {
    case LOAD:
    case STRONG:
        gm_order_l1_access(&unit->l1, request,
                           kind == STRONG ? GM_REQUEST_STRONG_LOAD : GM_REQUEST_LOAD, &outcome);
        unit->requests[GM_LOAD]++;
        break;
    case STORE:
        gm_order_l1_access(&unit->l1, request, GM_REQUEST_STORE, &outcome);
        unit->requests[GM_STORE]++;
        break;
    case ATOMIC:
        gm_order_l1_access(&unit->l1, request, GM_REQUEST_ATOMIC, &outcome);
        unit->requests[GM_ATOMIC]++;
        break;
    }
    follow_write_backs(w);
    return outcome;
}

/* A load reads this copy of a sector. */
static void see(world *w, uint32_t sm, size_t sector, const uint32_t *copy, const char *whose)
{
    uint32_t own = w->own[sm * sectors_of(w) + sector];
    w->stale += memcmp(copy, in_memory(w, sector), w->sms * sizeof *copy) != 0;
    if (copy[sm] < own && w->lost++ + w->outdated == 0) {
        snprintf(w->first, sizeof w->first,
                 "SM %u reads sector %zu of line %zu from %s: store %u, not its own %u", sm,
                 sector % w->sectors, sector / w->sectors, whose, copy[sm], own);
    }
}

static void load(world *w, uint32_t sm, const gm_line_request *asked, bool strong)
{
    const gm_order_l1 *l1 = &w->machine.sm[sm].l1;
    uint32_t before = gm_order_l1_held(l1, asked->line);
    uint64_t hits = l1->tracker.remote_hits;
    request(w, sm, strong ? STRONG : LOAD, asked);
    bool remote = l1->tracker.remote_hits != hits;
    uint32_t there = strong ? 0 : before;
    uint32_t installed = gm_order_l1_held(l1, asked->line) & ~there;
    uint32_t cus = (uint32_t)gm_config_tracker_sms(&w->config);
    uint32_t supplier = remote ? sm / cus * cus + (uint32_t)w->supplier : sm;
    if (remote) {
        uint32_t supplied = installed | (asked->sectors & ~there);
        assert_int_equal(supplied & ~gm_order_l1_held(&w->machine.sm[supplier].l1, asked->line), 0);
    }
    for (uint32_t i = 0; i < w->sectors; i++) {
        size_t sector = asked->line * w->sectors + i;
        bool held = (there >> i & 1) != 0;
        const uint32_t *from = held     ? in_l1(w, sm, sector)
                               : remote ? in_l1(w, supplier, sector)
                                        : in_memory(w, sector);
        if ((asked->sectors >> i & 1) != 0) {
            see(w, sm, sector, from, held ? "its own L1" : remote ? "another L1" : "the L2");
        }
        if ((installed >> i & 1) != 0) {
            memcpy(in_l1(w, sm, sector), from, w->sms * sizeof *from);
        }
    }
    w->loads++;
    w->remote += remote;
}

/* A store of all bytes takes the place of all stores before; others leave bytes of theirs. */
static void overwrite(const world *w, uint32_t *copy, uint32_t sm, bool whole)
{
    for (uint32_t i = 0; i < w->sms; i++) {
        copy[i] = whole || i == sm ? w->now : copy[i];
    }
}

static bool is_sent(const world *w)
{
    const gm_batch *batch = w->machine.noc.batch;
    uint32_t kind = batch->count > 0 ? batch->message[batch->count - 1].kind : GM_MESSAGE_KINDS;
    return kind == GM_MESSAGE_WRITE || kind == GM_MESSAGE_ATOMIC;
}

static void store(world *w, uint32_t sm, const gm_line_request *asked, bool atomic)
{
    const gm_order_l1 *l1 = &w->machine.sm[sm].l1;
    uint32_t before = gm_order_l1_held(l1, asked->line);
    request(w, sm, atomic ? ATOMIC : STORE, asked);
    uint32_t after = gm_order_l1_held(l1, asked->line);
    bool sent = is_sent(w);
    w->now++;
    for (uint32_t i = 0; i < w->sectors; i++) {
        size_t sector = asked->line * w->sectors + i;
        bool held = (after >> i & 1) != 0;
        if (held && (before >> i & 1) == 0) {
            memcpy(in_l1(w, sm, sector), in_memory(w, sector), w->sms * sizeof *w->copy);
        }
        if ((asked->sectors >> i & 1) == 0) {
            continue;
        }
        bool whole = (asked->whole >> i & 1) != 0;
        w->own[sm * sectors_of(w) + sector] = w->now;
        assert_true(held || sent);
        if (held) {
            overwrite(w, in_l1(w, sm, sector), sm, whole);
        }
        if (sent) {
            overwrite(w, in_memory(w, sector), sm, whole);
            w->told[sm * sectors_of(w) + sector] = w->now;
        }
    }
}

static void flush(world *w)
{
    for (uint32_t i = 0; i < w->sms; i++) {
        gm_order_l1_flush(&w->machine.sm[i].l1);
        follow_write_backs(w);
        gm_order_noc_deliver(&w->machine.noc);
    }
    gm_trackers_flush(&w->machine.trackers);
}

/* A sharer's copy has every store of its tracker's SMs that was sent. */
static void expect_current(world *w, uint32_t sharer, uint64_t line)
{
    uint32_t cus = (uint32_t)gm_config_tracker_sms(&w->config);
    uint32_t first = sharer / cus * cus;
    uint32_t behind = first + cus < w->sms ? first + cus : w->sms;
    uint32_t held = gm_order_l1_held(&w->machine.sm[sharer].l1, line);
    for (uint32_t left = held; left != 0; left &= left - 1) {
        size_t sector = line * w->sectors + gm_lowest_one(left);
        for (uint32_t sm = first; sm < behind; sm++) {
            uint32_t told = w->told[sm * sectors_of(w) + sector];
            uint32_t last = in_l1(w, sharer, sector)[sm];
            w->known++;
            if (last < told && w->outdated++ + w->lost == 0) {
                snprintf(w->first, sizeof w->first,
                         "SM %u is a sharer of line %zu with store %u of SM %u, not %u", sharer,
                         (size_t)line, last, sm, told);
            }
        }
    }
}

static void check(world *w)
{
    gm_error error;
    gm_order_noc_deliver(&w->machine.noc);
    gm_memory_side_end_kernel(&w->machine.memory); /* lines in atomic buffers */
    gm_order_machine_sum(&w->machine, &w->machine.total);
    test_ok(gm_order_machine_check(&w->machine, &error), error);
    for (uint32_t i = 0; i < w->machine.trackers.count; i++) {
        const gm_sharing_tracker *tracker = &w->machine.trackers.tracker[i];
        unsigned ways = tracker->parameters.ways;
        for (size_t entry = 0; entry < (size_t)ways << w->machine.trackers.index.bits; entry++) {
            if ((tracker->valid[entry / ways] >> entry % ways & 1) == 0) {
                continue;
            }
            for (uint64_t left = tracker->sharers[entry]; left != 0; left &= left - 1) {
                const gm_tracker_map *map = &w->machine.trackers.map;
                const gm_tracker_place place = {i % map->partitions, tracker->line[entry]};
                expect_current(w, i / map->partitions * map->cus + gm_lowest_one(left),
                               gm_tracker_map_line(map, place));
            }
        }
    }
}

static void expect_none_lost(const world *w, const char *what)
{
    if (w->lost + w->outdated != 0) {
        fail_msg("%s: %llu of %llu loads, %llu of %llu sharers' sectors: %s", what,
                 (unsigned long long)w->lost, (unsigned long long)w->loads,
                 (unsigned long long)w->outdated, (unsigned long long)w->known, w->first);
    }
}

static gm_config thesis_machine(void)
{
    gm_config config;
    gm_error error;
    test_ok(gm_config_preset(&config, "kepler-hybrid", &error), error);
    config.tracker.enabled = true;
    return config;
}

/* P holds sector 0 and misses sector 1 after Q has stored to sector 0: the line that P holds must
 * not be known again, since its sector 0 is older than Q's store. */
static void further_sectors_are_not_told(void **state)
{
    (void)state;
    enum { P = 3, Q = 7, FIRST = 1, SECOND = 2 };
    for (unsigned kind = GM_L1_CONVENTIONAL; kind <= GM_L1_DECOUPLED; kind++) {
        world w;
        gm_config config = thesis_machine();
        config.l1.sectored = true;
        config.l1.kind = (gm_l1_kind)kind;
        config.l1.threshold = 1;
        begin(&w, &config, 1);
        const gm_line_request first = {.sectors = FIRST, .lanes = 1};
        const gm_line_request second = {.sectors = SECOND, .lanes = 1};
        load(&w, P, &first, false);
        store(&w, Q, &first, false);
        load(&w, P, &second, false);
        check(&w);
        load(&w, Q, &first, false);
        assert_int_equal(w.machine.sm[P].l1.tracker.fills, 1);
        assert_int_equal(w.remote, 0);
        expect_none_lost(&w, "P and Q");
        end(&w);
    }
}

/* Loads, one in eight accesses a store, atomics and strong loads now and then, each of some sectors
 * of a line; half of them to a few lines that all SMs use. */
static void play(world *w, test_random *random, unsigned accesses, unsigned often)
{
    uint32_t all = (uint32_t)gm_mask(w->sectors);
    for (unsigned i = 1; i <= accesses; i++) {
        uint32_t sm = (uint32_t)test_random_below(random, w->sms);
        uint64_t few = test_random_below(random, 2) == 0 ? w->lines : (w->lines + 15) / 16;
        gm_line_request asked = {.line = test_random_below(random, few), .lanes = 1};
        asked.sectors = 1 + (uint32_t)test_random_below(random, all);
        asked.whole = asked.sectors & (uint32_t)test_random_next(random);
        asked.local = test_random_below(random, 4) == 0;
        asked.chosen = test_random_below(random, 3) == 0; /* contention */
        uint64_t what = test_random_below(random, 256);
        if (what < 32) {
            store(w, sm, &asked, false);
        } else if (what < 36) {
            asked.whole = 0;
            store(w, sm, &asked, true);
        } else {
            load(w, sm, &asked, what < 40);
        }
        gm_order_noc_deliver(&w->machine.noc);
        if (i % often == 0) {
            check(w);
        }
        if (i % (accesses / 3) == 0) {
            flush(w);
        }
    }
}

static void add(world *all, const world *one)
{
    all->loads += one->loads;
    all->remote += one->remote;
    all->stale += one->stale;
    all->known += one->known;
    if (all->lost + all->outdated == 0) {
        memcpy(all->first, one->first, sizeof all->first);
    }
    all->lost += one->lost;
    all->outdated += one->outdated;
}

/* Decides each of a few things by `random`; the configuration may be one that is refused. */
static gm_config small_machine(test_random *random, unsigned round)
{
    static const gm_l1_bypass bypasses[] = {GM_BYPASS_NONE, GM_BYPASS_NONE, GM_BYPASS_MRPB,
                                            GM_BYPASS_PDP,  GM_BYPASS_ALL,  GM_BYPASS_CONTENTION};
    static const gm_replacement replacements[] = {GM_REPLACE_LRU, GM_REPLACE_LRU, GM_REPLACE_FIFO,
                                                  GM_REPLACE_SRRIP, GM_REPLACE_SHIP};
    gm_config config = thesis_machine();
    config.gpu.sms = 2 + test_random_below(random, 7);
    config.l1.line = UINT64_C(32) << test_random_below(random, 4);
    config.l2.line = config.l1.line >> test_random_below(random, 3);
    config.l2.line = config.l2.line < 32 ? 32 : config.l2.line;
    config.l1.ways = 1 + test_random_below(random, 4);
    config.l1.size = config.l1.ways * config.l1.line << test_random_below(random, 3);
    config.l1.sectored = test_random_below(random, 4) != 0;
    config.l1.replacement = replacements[test_random_below(random, 5)];
    config.l1.global_write = (gm_write_policy)test_random_below(random, 3);
    config.l1.local_write = (gm_write_policy)test_random_below(random, 3);
    config.l1.global_allocate = test_random_below(random, 2) == 0;
    config.l1.local_allocate = test_random_below(random, 2) == 0;
    config.l1.kind = round % 2 == 0 ? GM_L1_CONVENTIONAL : GM_L1_DECOUPLED;
    config.l1.tag_ways = config.l1.ways + 1 + test_random_below(random, 6);
    config.l1.threshold = test_random_below(random, 4);
    config.l1.lfu_any = test_random_below(random, 2) == 0;
    config.l1.dueling = round % 2 != 0 && test_random_below(random, 4) == 0;
    config.l1.bypass = round % 2 != 0 ? GM_BYPASS_NONE : bypasses[test_random_below(random, 6)];
    config.l1.protecting_distance = test_random_below(random, 16);
    config.tracker.trackers = UINT64_C(1) << test_random_below(random, 3);
    give_tracker_sets(&config, UINT64_C(2) << test_random_below(random, 4));
    config.tracker.ways = 1 + test_random_below(random, 4);
    config.tracker.pointers = test_random_below(random, gm_config_tracker_sms(&config) + 1);
    return config;
}

static void small_machines(void **state)
{
    (void)state;
    enum { ROUNDS = 250, ACCESSES = 1500, LINES = 24 };
    test_random random = test_random_start(12);
    world all = {0};
    const unsigned rounds = test_rounds(ROUNDS);
    for (unsigned round = 0; round < rounds;) {
        gm_error error;
        world w;
        gm_config config = small_machine(&random, round);
        if (gm_config_check(&config, &error) < 0) {
            continue;
        }
        begin(&w, &config, LINES);
        play(&w, &random, ACCESSES, 100);
        add(&all, &w);
        end(&w);
        round++;
    }
    expect_none_lost(&all, "small machines");
    /* SMs do see old sectors: it is their own writes only that they are promised. */
    assert_true(all.loads > 1200 * rounds && all.remote > 60 * rounds && all.stale > 400 * rounds);
    assert_true(all.known > 1200 * rounds);
}

/* The sizes, write policies and lines of each preset, with whole lines and with sectors. */
static void shipped_machines(void **state)
{
    (void)state;
    enum { ACCESSES = 12000 };
    test_random random = test_random_start(13);
    world all = {0};
    unsigned presets = 0;
    const gm_preset *preset = gm_presets(&presets);
    for (unsigned i = 0; i < presets * 4; i++) {
        gm_error error;
        gm_config config;
        world w;
        test_ok(gm_config_preset(&config, preset[i / 4].name, &error), error);
        config.tracker.enabled = true;
        config.l1.sectored = i % 2 == 0;
        config.l1.kind = i % 4 < 2 ? GM_L1_CONVENTIONAL : GM_L1_DECOUPLED;
        config.l1.tag_ways = 2 * config.l1.ways;
        if (gm_config_check(&config, &error) < 0) {
            continue;
        }
        begin(&w, &config, (uint32_t)(config.l1.size / config.l1.line * 3 / 2));
        play(&w, &random, ACCESSES, ACCESSES / 3);
        add(&all, &w);
        end(&w);
    }
    expect_none_lost(&all, "shipped machines");
    assert_true(all.loads > 100000 && all.remote > 20000 && all.stale > 5000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(further_sectors_are_not_told),
        cmocka_unit_test(small_machines),
        cmocka_unit_test(shipped_machines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
