/* Sharing trackers that ask each other (tracker.ask) in runs of the order engine. A second
 * implementation follows the transactions of all trackers in their order: which tracker is asked
 * next, which ones are told of stores and atomics, and, by lists, what each answers. */
#include "support/blocks/sharing_tracker_lists.h"
#include "support/config/mixture.h"
#include "support/order/order_run.h"

#include "cache/tracker_map.h"

#include <string.h>

enum { TRACKERS = 8, PARTITIONS = 8, INSTANCES = TRACKERS * PARTITIONS };

/* What the last LOOKUP, or store, still demands of the other trackers. */
typedef struct follower {
    gm_sharing_tracker_parameters parameters;
    gm_set_index index;
    naive_tracker *naive[INSTANCES];
    uint32_t trackers, partitions;
    uint64_t op, line;   /* that the next transaction must have, while steps are left */
    uint32_t next, left; /* instance, and further ones behind it */
    uint64_t asks, told, found;
    uint64_t wrong_answers, wrong_order;
} follower;

typedef struct instance {
    follower *follower;
    uint32_t number;
} instance;

static uint32_t behind(const follower *f, uint32_t number)
{
    return (number + f->partitions) % (f->trackers * f->partitions);
}

/* Demands `op` of the trackers behind this one. */
static void demand(follower *f, uint32_t number, uint64_t op, uint64_t line)
{
    f->op = op;
    f->line = line;
    f->next = behind(f, number);
    f->left = f->trackers - 1;
}

static void follow(void *context, const uint64_t *request, const uint64_t *response)
{
    const instance *it = context;
    follower *f = it->follower;
    gm_sharing_tracker_request asked;
    memcpy(&asked, request, sizeof asked);
    gm_sharing_tracker_response own = naive_access(f->naive[it->number], &asked);
    f->wrong_answers += memcmp(&own, response, sizeof own) != 0;
    if (f->left != 0) {
        f->wrong_order += asked.op != f->op || asked.line != f->line || it->number != f->next;
        f->left = asked.op == GM_SHARING_TRACKER_ASK && own.hit != 0 ? 0 : f->left - 1;
        f->next = behind(f, it->number);
        f->asks += asked.op == GM_SHARING_TRACKER_ASK;
        f->found += asked.op == GM_SHARING_TRACKER_ASK && own.hit != 0;
        f->told += asked.op != GM_SHARING_TRACKER_ASK;
        return;
    }
    f->wrong_order += asked.op == GM_SHARING_TRACKER_ASK;
    if (asked.op == GM_SHARING_TRACKER_LOOKUP && own.hit == 0) {
        demand(f, it->number, GM_SHARING_TRACKER_ASK, asked.line);
    } else if (asked.op == GM_SHARING_TRACKER_WRITE || asked.op == GM_SHARING_TRACKER_COHERENT) {
        demand(f, it->number, asked.op, asked.line);
    }
}

/* Runs a mixture under the eyes of a follower, and compares its counts. */
static gm_tracker_statistics run(gm_config *config, uint64_t seed)
{
    follower f = {.trackers = (uint32_t)config->tracker.trackers,
                  .partitions = (uint32_t)config->memory.partitions};
    gm_observer observer[INSTANCES];
    instance of[INSTANCES];
    gm_results results;
    gm_error error;
    f.parameters = gm_tracker_parameters(config, &f.index);
    test_ok(gm_tracker_index(&f.index, config, &error), error);
    for (uint32_t i = 0; i < f.trackers * f.partitions; i++) {
        f.naive[i] = test_calloc(1, sizeof *f.naive[i]);
        f.naive[i]->p = &f.parameters;
        of[i] = (instance){&f, i};
        observer[i] = (gm_observer){&of[i], follow};
    }
    memory_source *source = mixture_of(seed, 2, 40);
    const gm_run_options options = {.threads = 1, .check = true, .sharing_tracker = observer};
    test_ok(gm_order_run(config, &source->source, &options, &results, &error), error);
    gm_tracker_statistics counts = results.total.tracker;
    gm_results_free(&results);
    gm_source_close(&source->source);
    for (uint32_t i = 0; i < f.trackers * f.partitions; i++) {
        naive_flush(f.naive[i]);
        test_free(f.naive[i]);
    }
    assert_int_equal(f.wrong_answers, 0);
    assert_int_equal(f.wrong_order, 0);
    assert_int_equal(f.left, 0);
    assert_int_equal(counts.asks, f.asks);
    assert_int_equal(counts.ask_hits, f.found);
    assert_int_equal(counts.told, f.told);
    assert_int_equal(counts.told, (counts.writes + counts.coherent) * (f.trackers - 1));
    return counts;
}

static gm_config machine(uint64_t trackers)
{
    gm_config config = order_preset("kepler-hybrid");
    config.l1.size = 8192;
    config.tracker.enabled = config.tracker.ask = true;
    config.tracker.trackers = trackers;
    config.tracker.sets = 8 * trackers * PARTITIONS;
    config.tracker.ways = 4;
    return config;
}

static void others_are_asked_and_told_in_turn(void **state)
{
    (void)state;
    test_random random = test_random_start(150);
    uint64_t hits = 0;
    for (uint64_t trackers = 1; trackers <= TRACKERS; trackers *= 2) {
        for (unsigned pointers = 0; pointers < 2; pointers++) {
            gm_config config = machine(trackers);
            config.tracker.pointers = pointers;
            gm_tracker_statistics counts = run(&config, test_random_next(&random));
            assert_int_equal(counts.asks == 0, trackers == 1);
            hits += counts.ask_hits;
        }
    }
    assert_true(hits > 500);
}

/* If no entry is dropped, as many loads are supplied as by one tracker of all SMs. */
static void as_many_are_supplied_as_by_one_tracker(void **state)
{
    (void)state;
    gm_config config = machine(1);
    config.l1.bypass = GM_BYPASS_NONE;
    config.tracker.sets = 4096;
    config.tracker.ways = 32;
    memory_source *source = mixture_of(151, 2, 40);
    gm_statistics one = order_run(&config, source, 1, 0);
    assert_int_equal(one.tracker.dropped, 0);
    for (uint64_t trackers = 2; trackers <= TRACKERS; trackers *= 2) {
        config.tracker.trackers = trackers;
        gm_statistics many = order_run(&config, source, 1, 0);
        assert_int_equal(many.tracker.dropped, 0);
        assert_int_equal(many.tracker.hits, one.tracker.hits);
        assert_int_equal(many.tracker.remote_hits, one.tracker.remote_hits);
        assert_int_equal(many.tracker.remote_sectors, one.tracker.remote_sectors);
        assert_int_equal(many.dram.bytes, one.dram.bytes);
        config.tracker.ask = false;
        gm_statistics isolated = order_run(&config, source, 1, 0);
        assert_true(isolated.tracker.hits < one.tracker.hits);
        assert_int_equal(isolated.tracker.asks + isolated.tracker.told, 0);
        config.tracker.ask = true;
    }
    gm_source_close(&source->source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(others_are_asked_and_told_in_turn),
        cmocka_unit_test(as_many_are_supplied_as_by_one_tracker),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
