/* The L2 as a victim buffer of the L1s (l2.victim) in runs of the order engine. A second
 * implementation follows the run: lists of sharers say which evicted lines go to the L2, and lists
 * of lines, the most recently used first, what each bank holds after each message. */
#include "support/blocks/sharing_tracker_lists.h"

/* Compiles the L2 under another name, for the function below to call and compare: so a source file
 * is included. */
#define gm_l2_access right_access
#include "cache/l2.c" /* NOLINT(bugprone-suspicious-include) */
#undef gm_l2_access

#include "cache/tracker_map.h"
#include "order/order_machine.h"
#include "stats/invariants.h"
#include "support/config/mixture.h"
#include "support/order/order_run.h"

#include <errno.h>
#include <string.h>

enum { TRACKERS = 8, PARTITIONS = 8, INSTANCES = TRACKERS * PARTITIONS, SETS = 64, WAYS = 16 };
enum { DUE = 1 << 14 }; /* victims between trackers and L2, at most: a batch of messages */

/* A line of a bank of the second implementation. */
typedef struct line {
    uint64_t number;
    uint32_t valid, dirty;
} line;

typedef struct set {
    line line[WAYS + 1]; /* the most recently used first */
    unsigned count;
} set;

typedef struct follower {
    gm_config *config;
    gm_sharing_tracker_parameters parameters;
    gm_set_index index;
    gm_tracker_map map;
    naive_tracker *naive[INSTANCES];
    set (*bank)[SETS]; /* [PARTITIONS] */
    uint64_t due[DUE]; /* L2 lines of victims that the banks will get next */
    unsigned due_first, due_count;
    uint64_t victims, asks, shared; /* of the trackers */
    gm_l2_victim_statistics l2;
    uint64_t bypassed, reads, writes; /* the last two: sectors of DRAM */
    uint64_t wrong;                   /* victims that the trackers must not send */
} follower;

typedef struct instance {
    uint32_t number;
} instance;

static follower *following;

/* True if an instance knows a sharer of the line. */
static bool knows_sharer(const follower *f, uint32_t number, uint64_t number_of_line)
{
    const naive_tracker *n = f->naive[number];
    const naive_entry *e = n->set[gm_set_index_of(n->p->index, number_of_line)];
    while (e != NULL && e->line != number_of_line) {
        e = e->next;
    }
    return e != NULL && e->sharers.count != 0;
}

/* A tracker knows no other sharer of a line that an L1 has evicted: the L2 gets it, if no other
 * tracker does either. */
static void expect_victim(follower *f, uint32_t number, uint64_t number_of_line)
{
    uint32_t partitions = f->map.partitions;
    uint32_t all = (uint32_t)f->config->tracker.trackers;
    const gm_tracker_place place = {number % partitions, number_of_line};
    uint64_t parts = f->config->l1.line / f->config->l2.line;
    for (uint32_t step = 1; step < all; step++) {
        uint32_t other = (number / partitions + step) % all * partitions + number % partitions;
        f->asks++;
        if (knows_sharer(f, other, number_of_line)) {
            f->shared++;
            return;
        }
    }
    f->victims++;
    for (uint64_t part = 0; part < parts; part++) {
        assert_true(f->due_count < DUE);
        f->due[(f->due_first + f->due_count++) % DUE] =
            gm_tracker_map_line(&f->map, place) * parts + part;
    }
}

static void follow_tracker(void *context, const uint64_t *request, const uint64_t *response)
{
    follower *f = following;
    uint32_t number = ((const instance *)context)->number;
    gm_sharing_tracker_request asked;
    memcpy(&asked, request, sizeof asked);
    gm_sharing_tracker_response own = naive_access(f->naive[number], &asked);
    assert_memory_equal(&own, response, sizeof own);
    if (asked.op == GM_SHARING_TRACKER_EVICT && own.last_sharer != 0) {
        expect_victim(f, number, asked.line);
    }
}

/* Takes a line out of its set; returns it, or an absent one. */
static line take_out(set *in, uint64_t number)
{
    line none = {.number = number};
    for (unsigned i = 0; i < in->count; i++) {
        if (in->line[i].number == number) {
            none = in->line[i];
            memmove(&in->line[i], &in->line[i + 1], (in->count - i - 1) * sizeof in->line[0]);
            in->count--;
            break;
        }
    }
    return none;
}

/* Puts a line into its set as the newest; the oldest one of a full set leaves. */
static void put_in(follower *f, set *in, line newest)
{
    memmove(&in->line[1], &in->line[0], in->count * sizeof in->line[0]);
    in->line[0] = newest;
    in->count++;
    if (in->count > f->config->l2.ways) {
        f->writes += gm_count_ones(in->line[--in->count].dirty);
    }
}

static void follow_victim(follower *f, set *in, const gm_message *message)
{
    f->l2.lines++;
    f->l2.sectors += gm_count_ones(message->sectors);
    while (f->config->l1.sectored && f->due_count != 0 && f->due[f->due_first] != message->line) {
        f->due_first = (f->due_first + 1) % DUE; /* the L1 did not hold this part */
        f->due_count--;
    }
    f->wrong += f->due_count == 0 || f->due[f->due_first] != message->line;
    f->due_first = (f->due_first + 1) % DUE;
    f->due_count -= f->due_count != 0;
    line old = take_out(in, message->line);
    if (old.valid != 0) {
        f->l2.present++;
        return;
    }
    f->l2.inserted++;
    f->l2.inserted_sectors += gm_count_ones(message->sectors);
    put_in(f, in, (line){message->line, message->sectors, 0});
}

static void follow_access(follower *f, set *in, const gm_message *message)
{
    gm_message_kind kind = (gm_message_kind)message->kind;
    uint32_t all = (uint32_t)gm_mask((unsigned)(f->config->l2.line / GM_SECTOR));
    bool fills = kind == GM_MESSAGE_READ && message->fills != 0;
    line it = take_out(in, message->line);
    uint32_t lacks = message->sectors & ~it.valid;
    uint32_t fetched = lacks == 0 ? 0 : f->config->l2.sectored ? lacks : all & ~it.valid;
    if (fills && it.valid == 0) {
        f->bypassed++;
        f->reads += gm_count_ones(message->sectors);
        return;
    }
    if (fills && it.dirty == 0 && it.valid == message->sectors) {
        f->l2.moved++; /* the L1 has it now */
        return;
    }
    f->reads += gm_count_ones(fetched);
    it.valid |= fetched;
    it.dirty |= kind == GM_MESSAGE_READ ? 0 : message->sectors;
    put_in(f, in, it);
}

static void follow_copy(follower *f, set *in, const gm_message *message)
{
    line it = take_out(in, message->line);
    f->writes += gm_count_ones(it.dirty & ~message->sectors);
}

/* Compares a bank's line with the follower's. */
static void compare(gm_l2 *l2, uint64_t number_in_bank, const set *in, uint64_t number)
{
    uint32_t slot = gm_cache_find(&l2->cache, number_in_bank).slot;
    gm_sector_state state = {0};
    line it = {0};
    if (slot != GM_NO_SLOT) {
        state = *gm_cache_state(&l2->cache, slot);
    }
    for (unsigned i = 0; i < in->count; i++) {
        it = in->line[i].number == number ? in->line[i] : it;
    }
    assert_int_equal(state.valid, it.valid);
    assert_int_equal(state.dirty, it.dirty);
}

/* Replaces the library's: does a message in the bank and in the follower's. */
gm_outcome gm_l2_access(gm_l2 *l2, gm_dram *dram, const gm_address_map *map, gm_location at,
                        const gm_message *message)
{
    follower *f = following;
    uint32_t index = gm_cache_find(&l2->cache, at.line).set;
    gm_outcome outcome = right_access(l2, dram, map, at, message);
    if (f == NULL) {
        return outcome;
    }
    set *in = &f->bank[at.partition][index];
    set before = *in;
    if (message->kind == GM_MESSAGE_EVICT) {
        uint64_t present = f->l2.present;
        follow_victim(f, in, message);
        *in = f->l2.present != present ? before : *in; /* nothing has changed */
    } else if (message->kind == GM_MESSAGE_DISCARD) {
        follow_copy(f, in, message);
    } else {
        follow_access(f, in, message);
    }
    compare(l2, at.line, in, message->line);
    return outcome;
}

static void begin(follower *f, gm_config *config, gm_observer *observer, instance *of)
{
    gm_error error;
    *f = (follower){.config = config};
    f->parameters = gm_tracker_parameters(config, &f->index);
    f->bank = test_calloc(PARTITIONS, sizeof *f->bank);
    test_ok(gm_tracker_index(&f->index, config, &error), error);
    test_ok(gm_tracker_map_init(&f->map, config, &error), error);
    for (uint32_t i = 0; i < config->tracker.trackers * f->map.partitions; i++) {
        f->naive[i] = test_calloc(1, sizeof *f->naive[i]);
        f->naive[i]->p = &f->parameters;
        of[i] = (instance){i};
        observer[i] = (gm_observer){&of[i], follow_tracker};
    }
    following = f;
}

static void end(follower *f)
{
    for (uint32_t i = 0; i < f->config->tracker.trackers * f->map.partitions; i++) {
        naive_flush(f->naive[i]);
        test_free(f->naive[i]);
    }
    test_free(f->bank);
}

/* Runs a mixture under the eyes of the follower, and compares all counts. */
static gm_statistics run(gm_config *config, uint64_t seed, bool values)
{
    follower *f = test_calloc(1, sizeof *f);
    gm_observer observer[INSTANCES];
    instance of[INSTANCES];
    gm_results results;
    gm_error error;
    begin(f, config, observer, of);
    memory_source *source = mixture_of(seed, 2, 40);
    const gm_run_options options = {
        .threads = 1, .check = true, .check_values = values, .sharing_tracker = observer};
    test_ok(gm_order_run(config, &source->source, &options, &results, &error), error);
    gm_statistics total = results.total;
    const gm_tracker_statistics *tracker = &total.tracker;
    gm_results_free(&results);
    gm_source_close(&source->source);
    assert_int_equal(f->wrong, 0);
    assert_int_equal(tracker->victims, f->victims);
    if (!config->l1.sectored) {
        assert_int_equal(f->due_count, 0);
        assert_int_equal(tracker->victim_sectors, 4 * f->victims);
        assert_int_equal(tracker->evict_sectors, 4 * tracker->evicts);
    }
    assert_int_equal(tracker->victims_shared, f->shared);
    assert_int_equal(tracker->victim_asks, f->asks);
    assert_int_equal(total.traffic.vic, 32 * tracker->evict_sectors);
    assert_memory_equal(&total.l2_victim, &f->l2, sizeof f->l2);
    assert_int_equal(total.l2_coalesced.bypassed, f->bypassed);
    assert_int_equal(total.dram.reads, f->reads);
    assert_int_equal(total.dram.writes, f->writes);
    end(f);
    test_free(f);
    return total;
}

static gm_config machine(uint64_t trackers, uint64_t l2_line)
{
    gm_config config = order_preset("kepler-hybrid-tracker");
    config.l1.size = 8192;
    config.l2.bypass = GM_L2_BYPASS_COALESCED;
    config.l2.victim = true;
    config.l2.atomic_buffer = false; /* which the follower does not know */
    config.l2.line = l2_line;
    config.l2.sectored = true;
    config.l2.ways = 4;
    config.l2.size = PARTITIONS * 16 * config.l2.ways * config.l2.line;
    config.tracker.ask = trackers > 1;
    config.tracker.trackers = trackers;
    config.tracker.sets = 16 * trackers * PARTITIONS;
    config.tracker.ways = 4;
    return config;
}

static void victims_are_followed(void **state)
{
    (void)state;
    test_random random = test_random_start(160);
    gm_l2_victim_statistics seen = {0};
    uint64_t shared = 0;
    for (unsigned number = 0; number < 12; number++) {
        gm_config config = machine(UINT64_C(1) << number % 4,
                                   UINT64_C(32) << (number % 3 != 0 ? 0 : number / 3 % 3));
        config.l1.sectored = number % 3 == 0 && number % 2 == 0;
        config.tracker.pointers = number % 5 == 4;
        config.l1.bypass = number % 2 == 0 ? GM_BYPASS_CONTENTION : GM_BYPASS_NONE;
        if (number % 6 == 5) {
            config.l1.kind = GM_L1_DECOUPLED;
            fit_for_decoupled(&config, number);
            config.l1.threshold = 0;
        }
        config.l2.sectored = number % 2 == 0;
        gm_statistics total = run(&config, test_random_next(&random), number % 3 == 1);
        seen.inserted += total.l2_victim.inserted;
        seen.present += total.l2_victim.present;
        seen.moved += total.l2_victim.moved;
        shared += total.tracker.victims_shared;
        assert_int_equal(total.l2_victim.refused, 0);
        assert_true(total.tracker.victims < total.tracker.evicts);
    }
    assert_true(seen.inserted > 300 && seen.present > 100 && seen.moved > 300 && shared > 20);
}

typedef enum step_kind { LOAD, BYPASS, STORE, ATOMIC } step_kind;

/* An SM's request for a line of 128 bytes, and what follows: sectors read from DRAM, and of four
 * L2 lines each those that enter the L2, are dropped since it has them, leave it for the L1. */
typedef struct step {
    unsigned sm;
    step_kind kind;
    uint64_t line;
    unsigned reads, inserted, present, moved;
} step;

static void do_step(gm_order_machine *machine, const step *step)
{
    static const gm_request_kind kinds[] = {GM_REQUEST_LOAD, GM_REQUEST_STRONG_LOAD,
                                            GM_REQUEST_STORE, GM_REQUEST_ATOMIC};
    const gm_line_request request = {.line = step->line, .lanes = 1, .sectors = 0xf, .whole = 0xf};
    gm_outcome outcome = {0};
    gm_order_l1_access(&machine->sm[step->sm].l1, &request, kinds[step->kind], &outcome);
    gm_order_noc_deliver(&machine->noc);
}

/* Each SM's L1 has two sets of one line: lines 0, 2, 4, ... evict each other. */
static void by_hand(void **state)
{
    (void)state;
    enum { P = 3, Q = 7 };
    static const step steps[] = {
        {P, LOAD, 0, 4, 0, 0, 0},   /* from DRAM to the L1 */
        {Q, LOAD, 0, 0, 0, 0, 0},   /* from P */
        {P, LOAD, 2, 4, 0, 0, 0},   /* evicts 0, which Q has */
        {Q, LOAD, 4, 4, 4, 0, 0},   /* evicts 0: the last sharer */
        {P, LOAD, 0, 0, 4, 0, 4},   /* from the L2, which gives it up; evicts 2 */
        {P, LOAD, 2, 0, 4, 0, 4},   /* 0 again */
        {Q, BYPASS, 2, 4, 0, 0, 0}, /* a load that bypasses the L1: the L2 gets the line */
        {P, LOAD, 4, 0, 0, 0, 0},   /* from Q. 2 leaves P, whose tracker was told of Q's load */
        {Q, LOAD, 2, 0, 0, 0, 4},   /* the L2 gives it up. P has 4 */
        {P, LOAD, 2, 0, 4, 0, 0},   /* from Q; evicts 4: the last sharer */
        {Q, STORE, 4, 0, 0, 0, 0},  /* hits in the L2: dirty */
        {P, LOAD, 4, 0, 0, 0, 0},   /* a dirty line stays. 2: Q has it */
        {P, LOAD, 0, 0, 0, 4, 4},   /* evicts 4, which the L2 has */
        {P, ATOMIC, 0, 4, 0, 0, 0}, /* drops the L1's line; no eviction */
        {P, LOAD, 2, 0, 0, 0, 0},   /* from Q */
        {P, LOAD, 0, 0, 0, 0, 0},   /* dirty */
    };
    gm_config config = machine(1, 32);
    config.l1.bypass = GM_BYPASS_NONE;
    config.l1.size = 256;
    config.l1.ways = 1;
    gm_order_machine machine;
    gm_error error;
    test_ok(gm_order_machine_init(&machine, &config, false, &error), error);
    following = NULL;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        gm_statistics before;
        gm_statistics after;
        gm_order_machine_sum(&machine, &before);
        do_step(&machine, &steps[i]);
        gm_order_machine_sum(&machine, &after);
        if (after.dram.reads - before.dram.reads != steps[i].reads ||
            after.l2_victim.inserted - before.l2_victim.inserted != steps[i].inserted ||
            after.l2_victim.present - before.l2_victim.present != steps[i].present ||
            after.l2_victim.moved - before.l2_victim.moved != steps[i].moved) {
            fail_msg("step %zu", i);
        }
    }
    gm_order_machine_free(&machine);
}

/* Counters that do not agree are found. */
static void broken_invariants(void **state)
{
    (void)state;
    gm_config config = machine(1, 32);
    gm_l2 l2 = {.coalesced = {.present = 1}};
    gm_statistics sum = {0};
    gm_error error;
    uint64_t *const of_bank[] = {&l2.victim.lines, &l2.victim.inserted, &l2.victim.present,
                                 &l2.victim.refused, &l2.victim.inserted_sectors};
    uint64_t *const of_sum[] = {&sum.tracker.last_sharer_evicts, &sum.tracker.victims,
                                &sum.tracker.victims_shared, &sum.tracker.victim_sectors,
                                &sum.l2_victim.sectors};
    for (size_t i = 0; i < sizeof of_bank / sizeof of_bank[0]; i++) {
        test_ok(gm_l2_check_victims(&l2, "L2", &error), error);
        ++*of_bank[i];
        assert_int_equal(gm_l2_check_victims(&l2, "L2", &error), -EPROTO);
        --*of_bank[i];
    }
    l2.victim.moved = 2;
    assert_int_equal(gm_l2_check_victims(&l2, "L2", &error), -EPROTO);
    sum.tracker.evict_sectors = 1;
    for (size_t i = 0; i < sizeof of_sum / sizeof of_sum[0]; i++) {
        test_ok(gm_invariants_check_victims(&sum, &config, &error), error);
        ++*of_sum[i];
        assert_int_equal(gm_invariants_check_victims(&sum, &config, &error), -EPROTO);
        --*of_sum[i];
    }
    sum.tracker.victim_sectors = sum.l2_victim.sectors = 2; /* more than L1s sent */
    assert_int_equal(gm_invariants_check_victims(&sum, &config, &error), -EPROTO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(victims_are_followed),
        cmocka_unit_test(by_hand),
        cmocka_unit_test(broken_invariants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
