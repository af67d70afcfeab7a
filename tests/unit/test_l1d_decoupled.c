/* The decoupled L1 of the order engine: what each access counts and sends, worked by hand from
 * [li, 4.1, 4.2] and docs/blocks/tag_store.md; its laws; its observers; its configuration. */
#include "goldmem/workload.h"
#include "support/mixture.h"
#include "support/order_l1d.h"
#include "support/order_run.h"
#include "support/small_workloads.h"
#include "system/l1d_decoupled.h"

#include <errno.h>

/* 4 sets of 4 tag entries and 2 data lines: lines 0, 4, 8, ... share a set. */
static gm_config small(void)
{
    gm_config config;
    gm_config_defaults(&config);
    config.gpu.sms = 1;
    config.l1.kind = GM_L1_DECOUPLED;
    config.l1.ways = 2;
    config.l1.tag_ways = 4;
    config.l1.size = 4 * config.l1.ways * config.l1.line;
    return config;
}

static void play(const gm_config *config, const step *steps, size_t count)
{
    gm_error error;
    gm_machine machine;
    test_ok(gm_machine_init(&machine, config, false, &error), error);
    play_steps(&machine, steps, count);
    test_ok(gm_l1d_decoupled_check(&machine.sm[0].l1d, "L1", &error), error);
    gm_machine_free(&machine);
}

#define PLAY(config, steps) play(config, steps, sizeof(steps) / sizeof(steps)[0])

/* Comments: RC of the lines in order of their entries; * has a data line. */
static void references_earn_a_data_line(void **state)
{
    (void)state;
    static const step steps[] = {
        {LOAD, 0, 0x1, 0, "bypass", "R0:1"}, /* 0:1 */
        {LOAD, 0, 0x2, 0, "miss", "R0:f"},   /* 0:2* */
        {LOAD, 0, 0x8, 0, "hit", ""},
        {LOAD, 4, 0x3, 0, "bypass", "R4:3"},       /* 0:2* 4:1 */
        {LOAD, 4, 0x1, 0, "miss", "R4:f"},         /* 0:1* 4:2* */
        {LOAD, 8, 0x1, 0, "bypass", "R8:1"},       /* 0:1* 4:2* 8:1 */
        {LOAD, 8, 0x1, 0, "miss", "R8:f"},         /* evicts 0: 0:0 4:1* 8:2* */
        {LOAD, 0, 0x1, 0, "bypass", "R0:1"},       /* 0:1 4:1* 8:2* */
        {LOAD, 0, 0x1, 0, "miss", "R0:f"},         /* evicts 4: 0:2* 4:0 8:1* */
        {STORE, 8, 0x1, 0x1, "hit+drops", "W8:1"}, /* 0:1* 4:0 8:0 */
        {LOAD, 8, 0x1, 0, "bypass", "R8:1"},       /* 8:1 */
        {STORE, 8, 0x1, 0x1, "miss", "W8:1"},      /* no reference: 8:1 */
        {LOAD, 8, 0x1, 0, "miss", "R8:f"},         /* 0:0* 4:0 8:2* */
        {STORE, 12, 0x1, 0x1, "miss", "W12:1"},    /* no entry for it */
        {LOAD, 0, 0x4, 0, "hit", ""},
        {ATOMIC, 0, 0x3, 0, "bypass+drops", "A0:3"}, /* 4:0 8:2* */
        {REDUCE, 4, 0x1, 0, "bypass", "D4:1"},       /* 8:2* */
        {LOAD, 4, 0x1, 0, "bypass", "R4:1"},         /* 4:1 8:2* */
        {STRONG, 8, 0x6, 0, "bypass+drops", "R8:6"}, /* 4:1 */
        {LOAD, 12, 0x1, 0, "bypass", "R12:1"},       /* 4:1 12:1 */
        {LOAD, 12, 0x1, 0, "miss", "R12:f"},         /* 4:0 12:2* */
        {LOAD, 4, 0x1, 0, "bypass", "R4:1"},         /* 4:1, had it not aged a miss */
        {LOAD, 1, 0x1, 0, "bypass", "R1:1"},         /* another set */
        {FLUSH, 0, 0, 0, "", ""},
        {LOAD, 12, 0x1, 0, "bypass", "R12:1"}, /* counts are gone */
    };
    gm_config config = small();
    PLAY(&config, steps);
    config.l1.threshold = 3;
    static const step third[] = {
        {LOAD, 0, 0x1, 0, "bypass", "R0:1"},
        {LOAD, 0, 0x1, 0, "bypass", "R0:1"},
        {LOAD, 0, 0x1, 0, "miss", "R0:f"},
    };
    PLAY(&config, third);
}

/* Local memory: write-back; without allocation a store is no reference, but a hit. */
static void local_stores(void **state)
{
    (void)state;
    static const step steps[] = {
        {LOCAL_STORE, 0, 0x1, 0x1, "miss", "W0:1"},
        {LOCAL_LOAD, 0, 0x1, 0, "bypass", "R0:1"},
        {LOCAL_STORE, 0, 0x1, 0x1, "miss", "W0:1"},
        {LOCAL_LOAD, 0, 0x1, 0, "miss", "R0:f"},
        {LOCAL_LOAD, 4, 0x1, 0, "bypass", "R4:1"},
        {LOCAL_LOAD, 4, 0x1, 0, "miss", "R4:f"},
        {LOCAL_STORE, 0, 0x5, 0, "hit", ""}, /* makes 0 the newer line */
        {LOCAL_LOAD, 8, 0x1, 0, "bypass", "R8:1"},
        {LOCAL_LOAD, 8, 0x1, 0, "miss", "R8:f"}, /* evicts 4 */
        {LOCAL_LOAD, 12, 0x1, 0, "bypass", "R12:1"},
        {LOCAL_LOAD, 12, 0x1, 0, "miss", "B0:5 R12:f"},
        {LOCAL_STORE, 8, 0x2, 0x2, "hit", ""},
        {FLUSH, 0, 0, 0, "", "B8:2"},
    };
    gm_config config = small();
    PLAY(&config, steps);
    static const step allocate[] = {
        {LOCAL_STORE, 0, 0x1, 0x1, "bypass", "W0:1"},
        {LOCAL_STORE, 0, 0x3, 0x1, "miss", "R0:e"}, /* sector 0 is covered */
        {LOCAL_STORE, 4, 0xf, 0xf, "bypass", "W4:f"},
        {LOCAL_STORE, 4, 0xf, 0xf, "miss", ""},
        {LOCAL_STORE, 8, 0x1, 0x1, "bypass", "W8:1"},
        {LOCAL_STORE, 8, 0x1, 0x1, "miss", "B0:3 R8:e"},
        {STRONG, 4, 0x1, 0, "bypass+drops", "B4:f R4:1"},
        {ATOMIC, 8, 0x1, 0, "bypass+drops", "B8:1 A8:1"},
        {FLUSH, 0, 0, 0, "", ""},
    };
    config.l1.local_allocate = true;
    PLAY(&config, allocate);
}

static void sectors(void **state)
{
    (void)state;
    static const step steps[] = {
        {LOAD, 0, 0x1, 0, "bypass", "R0:1"},
        {LOAD, 0, 0x1, 0, "miss", "R0:1"},
        {LOAD, 0, 0x3, 0, "miss", "R0:2"}, /* the line is there, sector 1 is not */
        {LOAD, 0, 0x3, 0, "hit", ""},
        {STORE, 0, 0x4, 0x4, "drops", "W0:4"}, /* a miss of the sector; the line goes */
        {LOAD, 0, 0x1, 0, "bypass", "R0:1"},
    };
    gm_config config = small();
    config.l1.sectored = true;
    PLAY(&config, steps);
}

/* Two data lines, three entries: line 12 finds none free, and RC 1, 2 and 1. */
static void candidates(void **state)
{
    (void)state;
    enum { LAST = 6 };
    step steps[] = {
        {LOCAL_LOAD, 0, 0x1, 0, "bypass", "R0:1"}, /* 0:1 */
        {LOCAL_LOAD, 0, 0x1, 0, "miss", "R0:f"},   /* 0:2* */
        {LOCAL_STORE, 0, 0x1, 0x1, "hit", ""},     /* dirty */
        {LOCAL_LOAD, 4, 0x1, 0, "bypass", "R4:1"}, /* 0:2* 4:1 */
        {LOCAL_LOAD, 4, 0x1, 0, "miss", "R4:f"},   /* 0:1* 4:2* */
        {LOCAL_LOAD, 8, 0x1, 0, "bypass", "R8:1"}, /* 0:1* 4:2* 8:1 */
        {LOCAL_LOAD, 12, 0x1, 0, "bypass", "R12:1"},
    };
    gm_config config = small();
    config.l1.tag_ways = 3;
    PLAY(&config, steps);
    steps[LAST].sent = "B0:1 R12:1"; /* the tie goes to line 0 */
    config.l1.lfu_any = true;
    PLAY(&config, steps);
}

/* The policies that the decoupled L1 can have. */
static gm_config decoupled_variant(unsigned number)
{
    gm_config config = variant(number);
    if (config.l1.size == GM_UNBOUNDED || config.l1.ways == GM_FULL) {
        config.l1.size = 16384;
        config.l1.ways = 4;
    }
    config.l1.replacement = GM_REPLACE_LRU;
    config.l1.tag_ways = config.l1.ways + 1 + number % 9;
    return config;
}

/* Threshold 0 or 1: the conventional cache, to the last counter. */
static void every_line_at_once(void **state)
{
    (void)state;
    enum { VARIANTS = 37 };
    test_random random = test_random_start(77);
    for (unsigned number = 0; number < VARIANTS; number++) {
        gm_config config = decoupled_variant(number);
        memory_source *source = mixture(test_random_next(&random), 2);
        gm_statistics conventional = order_run(&config, source, 1, 0);
        config.l1.kind = GM_L1_DECOUPLED;
        config.l1.threshold = number % 2;
        gm_statistics decoupled = order_run(&config, source, 1, 0);
        assert_memory_equal(&conventional.core, &decoupled.core, sizeof decoupled.core);
        assert_memory_equal(&conventional.l1d, &decoupled.l1d, sizeof decoupled.l1d);
        assert_memory_equal(&conventional.traffic, &decoupled.traffic, sizeof decoupled.traffic);
        gm_source_close(&source->source);
    }
}

/* The same for programs as they are, the L2 and DRAM included. */
static void every_line_of_workloads(void **state)
{
    (void)state;
    static const struct {
        const char *name, *index;
    } rows[] = {
        {"bfs", "sequential"}, {"kmeans", "sequential"}, {"spmv", "ipoly:37"},
        {"gather", "xor"},     {"nw", "sequential"},     {"pathfinder", "ipoly:37"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gm_statistics total[2];
        for (unsigned kind = 0; kind < 2; kind++) {
            gm_error error;
            gm_source *source;
            gm_results results;
            gm_config config = order_preset("gtx480");
            const gm_run_options options = {.threads = 1, .check = true};
            config.l1.kind = (gm_l1_kind)kind;
            config.l1.threshold = i % 2;
            test_text_copy(config.l1.index, sizeof config.l1.index, rows[i].index);
            test_ok(gm_workload_open(&source, small_workload(rows[i].name), &error), error);
            test_ok(gm_order_run(&config, source, &options, &results, &error), error);
            total[kind] = results.total;
            gm_results_free(&results);
            gm_source_close(source);
        }
        assert_memory_equal(&total[0], &total[1], sizeof total[0]);
        assert_true(total[0].l1d.hits[GM_LOAD] > 0 && total[0].l1d.evictions[GM_LOAD] > 0);
    }
}

/* Every law, the analyses' too; threads change nothing. */
static void laws_hold(void **state)
{
    (void)state;
    enum { VARIANTS = 37 };
    const unsigned all =
        GM_ANALYZE_LOCALITY | GM_ANALYZE_REUSE | GM_ANALYZE_MISSES | GM_ANALYZE_SHARING;
    test_random random = test_random_start(78);
    for (unsigned number = 0; number < VARIANTS; number++) {
        gm_config config = decoupled_variant(number);
        config.l1.kind = GM_L1_DECOUPLED;
        config.l1.threshold = number % 4;
        config.l1.lfu_any = number % 3 == 0;
        memory_source *source = mixture(test_random_next(&random), 2);
        gm_statistics one = order_run(&config, source, 1, all);
        gm_statistics three = order_run(&config, source, 3, 0);
        assert_memory_equal(&one, &three, sizeof one);
        gm_source_close(&source->source);
    }
}

/* Accesses of all kinds, and what breaks afterwards. */
static void laws_can_fail(void **state)
{
    (void)state;
    gm_machine machine;
    gm_error error;
    gm_config config = small();
    test_random random = {79};
    config.l1.local_allocate = true;
    test_ok(gm_machine_init(&machine, &config, false, &error), error);
    gm_l1d *l1d = &machine.sm[0].l1d;
    gm_l1d_decoupled *decoupled = l1d->decoupled;
    step last = {.sectors = 1};
    for (unsigned i = 0; i < 2000; i++) {
        gm_outcome outcome = {0};
        last.kind = (step_kind)test_random_below(&random, FLUSH);
        last.line = test_random_below(&random, 30);
        apply(l1d, &last, &outcome);
    }
    test_ok(gm_l1d_decoupled_check(l1d, "L1", &error), error);
    uint64_t sectors = 0;
    while ((decoupled->state[sectors].valid & ~decoupled->state[sectors].dirty) == 0) {
        sectors++;
    }
    const struct {
        uint64_t *counter;
        const char *law;
    } rows[] = {
        {&decoupled->allocated, "data lines allocated = filled"},
        {&decoupled->filled, "data lines allocated = filled"},
        {&decoupled->references, "accesses = references of the tag store"},
        {&l1d->statistics.accesses[GM_LOAD], "accesses = references of the tag store"},
        {&l1d->statistics.evictions[GM_STORE], "allocated = evicted + invalidated + there"},
        {&l1d->statistics.invalidations[GM_ATOMIC], "allocated = evicted + invalidated + there"},
        {&l1d->dirty_sectors, "dirty sectors counted = found"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ++*rows[i].counter;
        assert_int_equal(gm_l1d_decoupled_check(l1d, "L1", &error), -EPROTO);
        if (strstr(error.text, rows[i].law) == NULL) {
            fail_msg("row %zu: \"%s\" does not say \"%s\"", i, error.text, rows[i].law);
        }
        --*rows[i].counter;
    }
    gm_sector_state held = decoupled->state[sectors];
    decoupled->state[sectors] = (gm_sector_state){0};
    assert_int_equal(gm_l1d_decoupled_check(l1d, "L1", &error), -EPROTO);
    assert_non_null(strstr(error.text, "L1: data line owned by an entry = holds sectors"));
    decoupled->state[sectors] = (gm_sector_state){.valid = held.valid, .dirty = 1u << 7};
    assert_int_equal(gm_l1d_decoupled_check(l1d, "L1", &error), -EPROTO);
    assert_non_null(strstr(error.text, "dirty sectors that are not valid = 0"));
    decoupled->state[sectors] = held;
    test_ok(gm_l1d_decoupled_check(l1d, "L1", &error), error);
    gm_machine_free(&machine);
}

/* Repeats each transaction in a store of its own. */
typedef struct watcher {
    gm_tag_store store;
    const gm_set_index *index;
    uint64_t calls, wrong;
} watcher;

static void watch_tags(void *context, const uint64_t *request, const uint64_t *response)
{
    watcher *watcher = context;
    gm_tag_store_request asked;
    memcpy(&asked, request, sizeof asked);
    gm_tag_store_response own = gm_tag_store_access(&watcher->store, asked);
    watcher->calls++;
    watcher->wrong += memcmp(&own, response, sizeof own) != 0;
}

static void watch_index(void *context, const uint64_t *request, const uint64_t *response)
{
    watcher *watcher = context;
    gm_set_index_request asked;
    gm_set_index_response answer;
    memcpy(&asked, request, sizeof asked);
    memcpy(&answer, response, sizeof answer);
    watcher->calls++;
    watcher->wrong += answer.index != gm_set_index_of(watcher->index, asked.line);
}

static void observers(void **state)
{
    (void)state;
    gm_error error;
    gm_set_index index;
    gm_arena arena;
    gm_config config = small();
    memory_source *source = mixture(80, 2);
    config.l1.size = 16384;
    config.l1.ways = 4;
    config.l1.tag_ways = 8;
    test_text_copy(config.l1.index, sizeof config.l1.index, "ipoly:37");
    test_ok(gm_set_index_parse(&index, config.l1.index, 32, 57, &error), error);
    gm_tag_store_parameters parameters = gm_l1d_decoupled_parameters(&config, &index);
    test_ok(gm_arena_create(&arena, gm_tag_store_bytes(&parameters), &error), error);
    watcher tags = {0};
    watcher sets = {.index = &index};
    test_ok(gm_tag_store_init(&tags.store, &parameters, &arena, &error), error);
    const gm_observer of_tags = {&tags, watch_tags};
    const gm_observer of_sets = {&sets, watch_index};
    const gm_run_options options = {
        .threads = 1, .l1_tag_store = &of_tags, .l1_set_index = &of_sets};
    gm_results results;
    memory_source_rewind(source);
    test_ok(gm_order_run(&config, &source->source, &options, &results, &error), error);
    const gm_cache_statistics *l1d = &results.total.l1d;
    uint64_t accesses = l1d->accesses[GM_LOAD] + l1d->accesses[GM_STORE] + l1d->accesses[GM_ATOMIC];
    assert_int_equal(tags.wrong + sets.wrong, 0);
    assert_true(sets.calls > accesses && tags.calls >= sets.calls + results.kernels);
    gm_statistics unseen = order_run(&config, source, 1, 0);
    assert_memory_equal(&unseen, &results.total, sizeof unseen);
    gm_results_free(&results);
    gm_arena_free(&arena);
    gm_source_close(&source->source);
}

static void the_cycle_engine_refuses(void **state)
{
    (void)state;
    gm_error error;
    gm_results results;
    gm_config config = small();
    memory_source *source = mixture(81, 1);
    const gm_run_options options = {.threads = 1};
    assert_int_equal(gm_cycle_run(&config, &source->source, &options, &results, &error), -EINVAL);
    assert_non_null(strstr(error.text, "l1.kind=decoupled"));
    gm_source_close(&source->source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(references_earn_a_data_line),
        cmocka_unit_test(local_stores),
        cmocka_unit_test(sectors),
        cmocka_unit_test(candidates),
        cmocka_unit_test(every_line_at_once),
        cmocka_unit_test(every_line_of_workloads),
        cmocka_unit_test(laws_hold),
        cmocka_unit_test(laws_can_fail),
        cmocka_unit_test(observers),
        cmocka_unit_test(the_cycle_engine_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
