/* Sharing trackers in whole runs of the order engine: every law, threads, observers; trackers of
 * one SM each change nothing; what a configuration must be; laws that fail. */
#include "order/order_machine.h"
#include "support/blocks/set_index_watch.h"
#include "support/config/mixture.h"
#include "support/order/order_run.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Of every kind of L1, with trackers of all kinds. */
static gm_config tracked_variant(unsigned number, test_random *random)
{
    static const char *const functions[] = {"sequential", "xor", "ipoly", "prime"};
    gm_config config = variant(number);
    config.tracker.enabled = true;
    config.tracker.trackers = UINT64_C(1) << test_random_below(random, 4);
    give_tracker_sets(&config, UINT64_C(2) << test_random_below(random, 6));
    config.tracker.ways = 1 + test_random_below(random, 8);
    config.tracker.pointers = test_random_below(random, 3) % gm_config_tracker_sms(&config);
    config.tracker.ask = test_random_below(random, 2) == 0;
    test_text_copy(config.tracker.index, sizeof config.tracker.index,
                   functions[test_random_below(random, 4)]);
    if (number % 4 != 3 && config.l2.size != GM_UNBOUNDED) {
        config.l2.bypass = GM_L2_BYPASS_COALESCED;
        config.tracker.ask = true;
        config.l2.victim = may_take_victims(&config);
    }
    if (number % 3 == 0 && config.l1.size != GM_UNBOUNDED && config.l1.ways != GM_FULL &&
        config.l1.replacement == GM_REPLACE_LRU) {
        config.l1.kind = GM_L1_DECOUPLED;
        config.l1.allocation = GM_ALLOCATE_ON_MISS;
        config.l1.tag_ways = config.l1.ways + 4;
    }
    return config;
}

static void laws_hold(void **state)
{
    (void)state;
    const unsigned all =
        GM_ANALYZE_LOCALITY | GM_ANALYZE_REUSE | GM_ANALYZE_MISSES | GM_ANALYZE_SHARING;
    test_random random = test_random_start(90);
    gm_tracker_statistics seen = {0};
    for (unsigned number = 0; number < VARIANTS; number++) {
        gm_config config = tracked_variant(number, &random);
        if (!config.l1.enabled) {
            continue;
        }
        memory_source *source = mixture_of(test_random_next(&random), 2, 40);
        gm_statistics one = order_run(&config, source, 1, all);
        gm_statistics three = order_run(&config, source, 3, 0);
        assert_memory_equal(&one, &three, sizeof one);
        gm_tracker_statistics_add(&seen, &one.tracker);
        gm_source_close(&source->source);
    }
    const uint64_t *counts = (const void *)&seen;
    assert_int_equal(seen.refused + seen.held, 0); /* take time */
    assert_true(seen.victims_shared > 5);          /* rare: another tracker knows the line */
    seen.refused = seen.held = seen.victims_shared = 101;
    for (size_t i = 0; i < sizeof seen / sizeof *counts; i++) {
        if (counts[i] <= 100) {
            fail_msg("counter %zu: %llu", i, (unsigned long long)counts[i]);
        }
    }
}

/* Nobody shares with nobody: all counts but the trackers' and their notices' are those of a run
 * without. */
/* With consecutive sets by the whole address, or by the address in the partition, the lines of a
 * set are the same: so instances count what one undivided tracker does. */
static void instances_count_as_one(void **state)
{
    (void)state;
    test_random random = test_random_start(95);
    for (unsigned trackers = 1; trackers <= 4; trackers *= 2) {
        gm_config config = order_preset("kepler-hybrid");
        memory_source *source = mixture_of(test_random_next(&random), 2, 80);
        config.l1.size = 8192;
        config.tracker.enabled = true;
        config.tracker.trackers = trackers;
        config.tracker.sets = 32 * trackers;
        config.tracker.ways = 2;
        gm_statistics divided = order_run(&config, source, 1, 0);
        config.memory.partitions = 1;
        gm_statistics one = order_run(&config, source, 1, 0);
        assert_memory_equal(&divided.tracker, &one.tracker, sizeof one.tracker);
        assert_true(one.tracker.dropped > 100 && one.tracker.remote_hits > 100);
        gm_source_close(&source->source);
    }
}

static void trackers_of_one_sm(void **state)
{
    (void)state;
    test_random random = test_random_start(91);
    for (unsigned number = 0; number < 6; number++) {
        gm_config config = variant(number);
        memory_source *source = mixture_of(test_random_next(&random), 2, 40);
        config.gpu.sms = 8;
        gm_statistics without = order_run(&config, source, 1, 0);
        config.tracker.enabled = config.l1.enabled;
        config.tracker.trackers = 8;
        gm_statistics with = order_run(&config, source, 1, 0);
        assert_int_equal(with.tracker.hits, 0);
        assert_int_equal(with.traffic.trk, (with.tracker.fills + with.tracker.evicts) * 8);
        with.traffic.trk = 0;
        with.tracker = without.tracker;
        assert_memory_equal(&with, &without, sizeof with);
        gm_source_close(&source->source);
    }
}

/* Repeats each transaction in a tracker of its own. */
typedef struct watcher {
    gm_sharing_tracker tracker;
    uint64_t calls, wrong;
    gm_arena arena, copy;
    uint64_t changes; /* calls that have changed what the tracker holds */
} watcher;

static void watch_tracker(void *context, const uint64_t *request, const uint64_t *response)
{
    watcher *watcher = context;
    gm_sharing_tracker_request asked;
    memcpy(&asked, request, sizeof asked);
    const gm_arena *arena = &watcher->arena;
    memcpy(watcher->copy.memory, arena->memory, arena->size);
    gm_sharing_tracker_response own = gm_sharing_tracker_access(&watcher->tracker, asked);
    watcher->changes += !gm_sharing_tracker_flushes(asked.op) &&
                        memcmp(watcher->copy.memory, arena->memory, arena->size) != 0;
    watcher->calls += !gm_sharing_tracker_flushes(asked.op);
    watcher->wrong += memcmp(&own, response, sizeof own) != 0;
}

static void observers(void **state)
{
    (void)state;
    static watcher seen;
    set_index_watcher sets = {0};
    gm_error error;
    gm_config config = order_preset("kepler-hybrid");
    memory_source *source = mixture(92, 2);
    config.gpu.sms = 4;
    config.memory.partitions = 1;
    config.tracker.enabled = true;
    config.tracker.sets = 64;
    test_text_copy(config.tracker.index, sizeof config.tracker.index, "ipoly:67");
    test_ok(gm_set_index_parse(&sets.index, config.tracker.index, 64, 57, &error), error);
    gm_sharing_tracker_parameters parameters = gm_tracker_parameters(&config, &sets.index);
    assert_int_equal(parameters.cus, 4);
    test_ok(gm_arena_create(&seen.arena, gm_sharing_tracker_bytes(&parameters), &error), error);
    test_ok(gm_arena_create(&seen.copy, gm_sharing_tracker_bytes(&parameters), &error), error);
    test_ok(gm_sharing_tracker_init(&seen.tracker, &parameters, &seen.arena, &error), error);
    const gm_observer of_tracker = {&seen, watch_tracker};
    const gm_observer of_index = {&sets, watch_set_index};
    const gm_run_options options = {
        .threads = 1, .tracker_set_index = &of_index, .sharing_tracker = &of_tracker};
    gm_results results;
    memory_source_rewind(source);
    test_ok(gm_order_run(&config, &source->source, &options, &results, &error), error);
    const gm_tracker_statistics *t = &results.total.tracker;
    assert_int_equal(seen.wrong + sets.wrong, 0);
    assert_int_equal(seen.calls, t->lookups + t->fills + t->evicts + t->writes + t->coherent);
    assert_int_equal(sets.calls, seen.calls);
    assert_true(seen.calls > 1000 && t->remote_hits > 100);
    /* A LOOKUP that hits writes its entry, even what it held. */
    assert_true(seen.changes <= t->changes && t->changes <= seen.changes + t->hits);
    gm_results_free(&results);
    gm_arena_free(&seen.arena);
    gm_arena_free(&seen.copy);
    gm_source_close(&source->source);
}

static void configurations_are_checked(void **state)
{
    (void)state;
    static const struct {
        const char *keys[4], *text;
    } rows[] = {
        {{"l1.enabled=no"}, "tracker.enabled=yes: needs l1.enabled=yes"},
        {{"tracker.trackers=8", "tracker.sets=8"},
         "tracker.sets=8: tracker.trackers=8 in 8 memory partitions have 0 sets each; must be 2 to "
         "4096"},
        {{"tracker.sets=64", "tracker.trackers=4", "memory.partitions=9", "l2.size=1152KB"},
         "tracker.sets=64: tracker.trackers=4 in 9 memory partitions have 1 sets each; must be 2 "
         "to "
         "4096"},
        {{"tracker.sets=8192", "memory.interleave=64"},
         "tracker.sets=8192: tracker.trackers=1 in 1 memory partitions have 8192 sets each; must "
         "be "
         "2 to 4096"},
        {{"gpu.sms=65"}, "gpu.sms=65: tracker.trackers=1 have 65 SMs each; must be at most 64"},
        {{"tracker.trackers=4", "tracker.pointers=5"},
         "tracker.pointers=5: must be at most the 4 SMs of a tracker"},
        {{"tracker.index=fermi"}, "tracker.index=fermi: "},
        {{"tracker.index=fermi", "tracker.sets=256", "l1.line=64", "l1.size=32KB"},
         "tracker.index=fermi: needs l1.line=128, not 64"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gm_error error;
        gm_config config = order_preset("kepler-hybrid");
        for (unsigned k = 0; k < 4 && rows[i].keys[k] != NULL; k++) {
            test_ok(gm_config_assign(&config, rows[i].keys[k], &error), error);
        }
        if (i > 0) {
            test_ok(gm_config_check(&config, &error), error); /* nobody uses it */
        }
        config.tracker.enabled = true;
        assert_int_equal(gm_config_check(&config, &error), -EINVAL);
        if (strstr(error.text, rows[i].text) != error.text) {
            fail_msg("\"%s\" does not begin with \"%s\"", error.text, rows[i].text);
        }
    }
}

static void the_cycle_engine_refuses(void **state)
{
    (void)state;
    static const struct {
        const char *key, *needs;
    } rows[] = {
        {"noc.topology=mesh", "noc.topology=crossbar"},
        {"memory.banks=2", "memory.banks=1"},
        {"memory.interleave=64", "memory.interleave of l1.line at least"},
        {"l2.halves=2", "l2.halves=1"},
        {"l1.global_write=back", "another l1.global_write than back"},
        {"l1.local_write=back", "another l1.local_write than back"},
        {"l1.global_allocate=yes", "l1.global_allocate=no"},
        {"l1.local_allocate=yes", "l1.local_allocate=no"},
        {"l1.merge_by=sector", "l1.merge_by=line"},
    };
    const gm_run_options options = {.threads = 1};
    memory_source *source = mixture(93, 1);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gm_error error;
        gm_results results;
        char text[160];
        gm_config config = order_preset("kepler-hybrid");
        config.l1.sectored = true;
        config.tracker.enabled = true;
        test_ok(gm_config_assign(&config, rows[i].key, &error), error);
        memory_source_rewind(source);
        assert_int_equal(gm_cycle_run(&config, &source->source, &options, &results, &error),
                         -EINVAL);
        snprintf(text, sizeof text, "tracker.enabled=yes: in the cycle engine needs %s",
                 rows[i].needs);
        assert_string_equal(error.text, text);
    }
    gm_source_close(&source->source);
}

/* A machine after some accesses: one counter more, or one thing in a tracker changed. */
static void laws_can_fail(void **state)
{
    (void)state;
    gm_error error;
    gm_order_machine machine;
    test_random random = {94};
    gm_config config = order_preset("kepler-hybrid");
    config.gpu.sms = 4;
    config.tracker.enabled = true;
    test_ok(gm_order_machine_init(&machine, &config, false, &error), error);
    for (unsigned i = 0; i < 500; i++) {
        gm_order_sm *sm = &machine.sm[i % 4];
        const gm_line_request request = {.line = test_random_below(&random, 100), .sectors = 1};
        gm_outcome outcome = {0};
        sm->requests[GM_LOAD]++;
        gm_order_l1_access(&sm->l1, &request,
                           i % 50 == 0 ? GM_REQUEST_STRONG_LOAD : GM_REQUEST_LOAD, &outcome);
    }
    gm_order_noc_drain(&machine.noc);
    gm_memory_side_end_kernel(&machine.memory);
    gm_order_machine_sum(&machine, &machine.total);
    test_ok(gm_order_machine_check(&machine, &error), error);
    gm_sharing_tracker *tracker = &machine.trackers.tracker[0];
    size_t entry = 0;
    while (tracker->valid[entry / 8] >> entry % 8 == 0) {
        entry++;
    }
    gm_tracker_statistics *told = &machine.sm[1].l1.tracker;
    const struct {
        uint64_t *word;
        uint64_t change;
        const char *law;
    } rows[] = {
        {&told->lookups, 1, "L1 of SM 1: look-ups of its tracker + coherent = load misses"},
        {&told->coherent, 1, "L1 of SM 1: look-ups of its tracker + coherent = load misses"},
        {&told->hits, 1, "L1 of SM 1: hits of its tracker = remote hits + remote misses"},
        {&told->remote_hits, 1, "L1 of SM 1: hits of its tracker"},
        {&told->remote_misses, 1, "L1 of SM 1: hits of its tracker"},
        {&told->remote_sectors, 1, "= sectors asked for + supplied by L1s"},
        {&told->supplied_sectors, 1,
         "sharing trackers: sectors supplied by other L1s = to other L1s"},
        {&told->writes, 1, "sharing trackers: transactions of SMs = of trackers"},
        {&told->changes, 1, "sharing trackers: changes counted by SMs = by trackers"},
        {&machine.trackers.transactions, 1, "sharing trackers: transactions of SMs = of trackers"},
        {&machine.trackers.changed, 1, "sharing trackers: changes counted by SMs = by trackers"},
        {&machine.trackers.messages, 1,
         "traffic trk: bytes of messages sent = of messages received"},
        {&machine.trackers.sectors, 1,
         "traffic rem: bytes of messages sent = of messages received"},
        {&told->fills, 1, "L1 of SM 1: load misses of lines not held = fills told its tracker"},
        {&told->entries_taken, 1, "sharing trackers: entries taken = freed"},
        {&told->entries_freed, 1, "sharing trackers: entries taken = freed"},
        {&told->dropped, 1, "sharing trackers: entries taken = freed"},
        {&machine.trackers.flushed, 1, "sharing trackers: entries taken = freed"},
        {&machine.total.traffic.trk, 1, "traffic trk: sum of kernels = sum of SMs"},
        {&machine.total.tracker.evicts, 1, "tracker evicts: sum of kernels = sum of SMs"},
        {&tracker->marks[entry], 1, "sharing tracker 0, partition 0: fills in flight = 0"},
        {&tracker->line[entry], UINT64_C(1) << 40,
         "sharing tracker 0, partition 0: a sharer has its line"},
        {&tracker->sharers[entry], UINT64_C(1) << 20,
         "sharing tracker 0, partition 0: sharing_tracker: set"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        *rows[i].word ^= rows[i].change;
        assert_int_equal(gm_order_machine_check(&machine, &error), -EPROTO);
        if (strstr(error.text, rows[i].law) == NULL) {
            fail_msg("row %zu: \"%s\" does not say \"%s\"", i, error.text, rows[i].law);
        }
        *rows[i].word ^= rows[i].change;
        test_ok(gm_order_machine_check(&machine, &error), error);
    }
    gm_order_machine_free(&machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laws_hold),
        cmocka_unit_test(instances_count_as_one),
        cmocka_unit_test(trackers_of_one_sm),
        cmocka_unit_test(observers),
        cmocka_unit_test(configurations_are_checked),
        cmocka_unit_test(the_cycle_engine_refuses),
        cmocka_unit_test(laws_can_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
