/* CCWS in the cycle engine: victim tags and scores of programs worked by hand; a thrashing kernel
 * whose loads are throttled, with and without barriers, which ends and misses less; the same bytes
 * when every cycle is visited. */
#include "goldmem/bits.h"
#include "support/config/mixture.h"
#include "support/cycle/engine/cycle_run.h"
#include "support/order/order_run.h"

enum { LINE = 128, A = 0, B = 4 * LINE }; /* lines A and B of one set */

/* One SM with an L1 of `ways` in 4 sets. */
static gm_config lone(uint64_t ways)
{
    gm_config config = order_preset("gtx480");
    config.gpu.sms = 1;
    config.l1.size = 4 * ways * LINE;
    config.l1.ways = ways;
    test_text_copy(config.l1.index, sizeof config.l1.index, "sequential");
    config.sm.throttle = GM_THROTTLE_CCWS;
    return config;
}

static void load(memory_source *source, uint64_t address)
{
    memory_stride(source, MEMORY_LOAD, UINT32_MAX, address, 0, 4);
    memory_registers(source, 1, 1); /* waits for the load before it */
}

static void expect(const gm_statistics *own, uint64_t victims, uint64_t probes, uint64_t hits,
                   uint64_t raised)
{
    assert_int_equal(own->ccws.victims, victims);
    assert_int_equal(own->ccws.probes, probes);
    assert_int_equal(own->ccws.hits, hits);
    assert_int_equal(own->ccws.hits_raised, raised);
}

/* A, B, A, B, ... in one way: each load misses; from the second on a line is replaced, from the
 * third on its own victim is found. The h-th hit, by load h + 2, sets h / (h + 2) x 8 x 100 points
 * for one warp: 266 or more. The last hit comes when the warp has issued all its instructions, and
 * has no score. */
static void one_warp_loses_its_lines(void **state)
{
    (void)state;
    enum { LOADS = 12 };
    const gm_config config = lone(1);
    memory_source *source = memory_source_new();
    memory_kernel(source, 1, 32);
    memory_cta(source, 0);
    memory_warp(source, 0);
    for (unsigned i = 0; i < LOADS; i++) {
        load(source, i % 2 == 0 ? A : B);
    }
    const cycle_kernels kernels = cycle_run_kernels(&config, source);
    expect(&kernels.total, LOADS - 1, LOADS, LOADS - 2, LOADS - 3);
    assert_int_equal(kernels.total.time.slots_throttled, 0);
}

/* In two ways nothing is replaced. A store evicts A without giving a tag: the load that follows
 * misses and finds none. */
static void no_victim_without_replacement(void **state)
{
    (void)state;
    const gm_config config = lone(2);
    memory_source *source = memory_source_new();
    memory_kernel(source, 1, 32);
    memory_cta(source, 0);
    memory_warp(source, 0);
    load(source, A);
    load(source, B);
    load(source, A);
    memory_stride(source, MEMORY_STORE, UINT32_MAX, A, 4, 4);
    memory_registers(source, 0, 1);
    load(source, A);
    const cycle_kernels kernels = cycle_run_kernels(&config, source);
    expect(&kernels.total, 0, 3, 0, 0);
}

/* Warps 0 and 1, kept apart by barriers:
 *   warp 0: A misses
 *   warp 1: B misses, A is warp 0's victim; A misses, B is warp 1's, which has no tag of A
 *   warp 0: A hits; B misses, A is warp 1's victim; A misses, B is warp 0's, and it finds its A,
 *           with its last instruction: no score rises */
static void tags_belong_to_the_warp_that_took_the_line(void **state)
{
    (void)state;
    const gm_config config = lone(1);
    memory_source *source = memory_source_new();
    memory_kernel(source, 1, 64);
    memory_cta(source, 0);
    memory_warp(source, 0);
    load(source, A);
    memory_plain(source, MEMORY_BARRIER, UINT32_MAX);
    memory_registers(source, 0, 1);
    memory_plain(source, MEMORY_BARRIER, UINT32_MAX);
    load(source, A);
    load(source, B);
    load(source, A);
    memory_warp(source, 1);
    memory_plain(source, MEMORY_BARRIER, UINT32_MAX);
    load(source, B);
    load(source, A);
    memory_plain(source, MEMORY_BARRIER, UINT32_MAX);
    memory_registers(source, 0, 1);
    const cycle_kernels kernels = cycle_run_kernels(&config, source);
    expect(&kernels.total, 4, 5, 1, 0);
}

/* Warp 1 alone loses lines: A, B, A, B in one way. Its tags are its own, whether a line gets its
 * way at the miss or when the data arrive. */
static void a_line_is_its_fetchers(void **state)
{
    (void)state;
    for (unsigned on_fill = 0; on_fill < 2; on_fill++) {
        gm_config config = lone(1);
        config.l1.allocation = on_fill != 0 ? GM_ALLOCATE_ON_FILL : GM_ALLOCATE_ON_MISS;
        memory_source *source = memory_source_new();
        memory_kernel(source, 1, 64);
        memory_cta(source, 0);
        memory_warp(source, 0);
        memory_plain(source, MEMORY_BARRIER, UINT32_MAX);
        memory_warp(source, 1);
        for (unsigned i = 0; i < 4; i++) {
            load(source, i % 2 == 0 ? A : B);
        }
        memory_plain(source, MEMORY_BARRIER, UINT32_MAX);
        const cycle_kernels kernels = cycle_run_kernels(&config, source);
        assert_int_equal(kernels.total.ccws.victims, 3);
        assert_int_equal(kernels.total.ccws.probes, 4);
        assert_int_equal(kernels.total.ccws.hits, 2);
    }
}

/* Stores that allocate replace lines, and search no tags: the loads do, and B is found. */
static void stores_search_nothing(void **state)
{
    (void)state;
    gm_config config = lone(1);
    config.l1.global_write = GM_WRITE_BACK;
    config.l1.global_allocate = true;
    memory_source *source = memory_source_new();
    memory_kernel(source, 1, 32);
    memory_cta(source, 0);
    memory_warp(source, 0);
    load(source, B);
    memory_stride(source, MEMORY_STORE, UINT32_MAX, A, 4, 4);
    memory_registers(source, 0, 1);
    load(source, B);
    const cycle_kernels kernels = cycle_run_kernels(&config, source);
    expect(&kernels.total, 2, 2, 1, 0);
}

/* 30 instructions before each load: the h-th hit sets h / (31 x (h + 2)) x 800 points, which are
 * fewer than 26: below the base. */
static void many_instructions_make_low_scores(void **state)
{
    (void)state;
    enum { LOADS = 8 };
    const gm_config config = lone(1);
    memory_source *source = memory_source_new();
    memory_kernel(source, 1, 32);
    memory_cta(source, 0);
    memory_warp(source, 0);
    for (unsigned i = 0; i < LOADS; i++) {
        for (unsigned j = 0; j < 30; j++) {
            memory_plain(source, MEMORY_COMPUTE, UINT32_MAX);
        }
        load(source, i % 2 == 0 ? A : B);
    }
    const cycle_kernels kernels = cycle_run_kernels(&config, source);
    expect(&kernels.total, LOADS - 1, LOADS, LOADS - 2, 0);
}

/* One warp loses its lines all the time, so that the other one may not load; its instructions of
 * each kind are held back or not. */
static void loads_are_held_back_and_nothing_else(void **state)
{
    (void)state;
    enum { LOADS = 60, TURNS = 20, COMPUTES = 3 };
    static const struct {
        unsigned opcode;
        bool held;
    } rows[] = {{MEMORY_LOAD, true},         {MEMORY_LOCAL_LOAD, true}, {MEMORY_STRONG_LOAD, true},
                {MEMORY_ATOMIC, true},       {MEMORY_ASYNC_COPY, true}, {MEMORY_STORE, false},
                {MEMORY_LOCAL_STORE, false}, {MEMORY_REDUCTION, false}, {MEMORY_SHARED_LOAD, false},
                {MEMORY_COMPUTE, false}};
    gm_config config = lone(1);
    config.sm.schedulers = 2; /* a warp each */
    config.unit.integer.latency = 300;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        memory_source *source = memory_source_new();
        memory_kernel(source, 1, 64);
        memory_cta(source, 0);
        memory_warp(source, 0);
        for (unsigned k = 0; k < LOADS; k++) {
            load(source, k % 2 == 0 ? A : B);
        }
        memory_warp(source, 1);
        for (unsigned k = 0; k < TURNS; k++) {
            for (unsigned c = 0; c < COMPUTES; c++) {
                memory_plain(source, MEMORY_COMPUTE, UINT32_MAX);
                memory_registers(source, 2, 2);
            }
            if (rows[i].opcode == MEMORY_COMPUTE) {
                memory_plain(source, MEMORY_COMPUTE, UINT32_MAX);
            } else {
                memory_stride(source, rows[i].opcode, UINT32_MAX, LINE, 0, 4);
            }
            memory_registers(source, 255, 2);
        }
        const cycle_kernels kernels = cycle_run_kernels(&config, source);
        assert_true(kernels.total.ccws.hits_raised > LOADS / 2);
        const gm_ccws_statistics *counts = &kernels.total.ccws;
        assert_int_equal(kernels.total.time.slots_throttled != 0, rows[i].held);
        assert_int_equal(counts->loads, LOADS + (rows[i].held ? TURNS : 0));
        assert_int_equal(counts->loads_held != 0, rows[i].held);
        assert_true(counts->loads_held <= TURNS); /* the first warp always may */
    }
}

/* The warp that loses its lines ends long before the other one: loads after its end are not held
 * back, though the first ones were. */
static void a_load_is_held_back_while_scores_forbid_it(void **state)
{
    (void)state;
    enum { LOADS = 20, TURNS = 40 };
    gm_config config = lone(1);
    config.sm.schedulers = 2; /* a warp each */
    config.unit.integer.latency = 300;
    memory_source *source = memory_source_new();
    memory_kernel(source, 1, 64);
    memory_cta(source, 0);
    memory_warp(source, 0);
    for (unsigned i = 0; i < LOADS; i++) {
        load(source, i % 2 == 0 ? A : B);
    }
    memory_warp(source, 1);
    for (unsigned i = 0; i < TURNS; i++) {
        memory_plain(source, MEMORY_COMPUTE, UINT32_MAX);
        memory_registers(source, 2, 2);
        memory_stride(source, MEMORY_LOAD, UINT32_MAX, LINE, 0, 4);
        memory_registers(source, 255, 2);
    }
    const cycle_kernels kernels = cycle_run_kernels(&config, source);
    assert_int_equal(kernels.total.ccws.loads, LOADS + TURNS);
    assert_in_range(kernels.total.ccws.loads_held, 1, TURNS / 2);
}

enum { ROUNDS = 60 };
enum { WARPS = 16, LINES = 4, TIMES = 15 };

/* Each warp loads its own lines again and again; all lines together are twice the L1's. */
static memory_source *thrash(bool barriers)
{
    memory_source *source = memory_source_new();
    memory_kernel(source, 4, 32 * WARPS);
    for (uint32_t cta = 0; cta < 4; cta++) {
        memory_cta(source, cta);
        for (uint32_t warp = 0; warp < WARPS; warp++) {
            memory_warp(source, warp);
            for (unsigned i = 0; i < TIMES * LINES; i++) {
                load(source, (uint64_t)LINE * (LINES * (WARPS * cta + warp) + i % LINES));
                if (barriers && i % 7 == 6) {
                    memory_plain(source, MEMORY_BARRIER, UINT32_MAX);
                }
            }
        }
    }
    return source;
}

/* All lines fit: nobody loses locality, and loads that wait for their turn are not held back. */
static void nothing_is_held_back_without_lost_locality(void **state)
{
    (void)state;
    const gm_config config = lone(LINES * WARPS);
    const cycle_kernels kernels = cycle_run_kernels(&config, thrash(false));
    assert_int_equal(kernels.total.ccws.hits, 0);
    assert_int_equal(kernels.total.ccws.loads, 4 * WARPS * TIMES * LINES);
    assert_int_equal(kernels.total.ccws.loads_held, 0);
}

/* Throttled loads miss less, whoever waits at barriers; each run ends with every instruction. */
static void a_thrashing_kernel_misses_less(void **state)
{
    (void)state;
    for (unsigned barriers = 0; barriers < 2; barriers++) {
        memory_source *source = thrash(barriers != 0);
        gm_config config = lone(8);
        gm_results on = cycle_results(&config, source, 1, false);
        gm_results every = cycle_results(&config, source, 1, true);
        cycle_same(&config, &on, &every);
        config.sm.throttle = GM_THROTTLE_NONE;
        gm_results off = cycle_results(&config, source, 1, false);
        assert_int_equal(on.total.core.warp_instructions, off.total.core.warp_instructions);
        assert_int_equal(on.total.l1d.accesses[GM_LOAD], off.total.l1d.accesses[GM_LOAD]);
        assert_true(on.total.time.slots_throttled > 0 && off.total.time.slots_throttled == 0);
        if (barriers == 0) {
            assert_true(2 * on.total.l1d.misses[GM_LOAD] < off.total.l1d.misses[GM_LOAD]);
        }
        gm_results_free(&on);
        gm_results_free(&every);
        gm_results_free(&off);
        gm_source_close(&source->source);
    }
}

/* Warp 0 loses its lines. Returns the scheduler cycles in which the loads of `loads`, which loses
 * none, were held back; the third warp only computes. */
static uint64_t held_back(uint32_t loads)
{
    enum { LOSSES = 60, TURNS = 40 };
    gm_config config = lone(1);
    config.sm.schedulers = 3; /* a warp each */
    config.sm.score_throttle = 3;
    config.unit.integer.latency = 300;
    memory_source *source = memory_source_new();
    memory_kernel(source, 1, 96);
    memory_cta(source, 0);
    memory_warp(source, 0);
    for (unsigned i = 0; i < LOSSES; i++) {
        load(source, i % 2 == 0 ? A : B);
    }
    for (uint32_t warp = 1; warp <= 2; warp++) {
        memory_warp(source, warp);
        for (unsigned i = 0; i < TURNS; i++) {
            if (warp == loads && i % 2 != 0) {
                memory_stride(source, MEMORY_LOAD, UINT32_MAX, LINE, 0, 4);
            } else {
                memory_plain(source, MEMORY_COMPUTE, UINT32_MAX);
            }
            memory_registers(source, 2, 2);
        }
    }
    return cycle_run_kernels(&config, source).total.time.slots_throttled;
}

/* Of warps with equal scores the older ones are first. */
static void older_warps_are_held_back_less(void **state)
{
    (void)state;
    assert_true(held_back(2) > 2 * held_back(1));
}

/* Loads of many lines, none of which waits for another: hits raise warps while the SM has nothing
 * to issue, and a warp that is raised may load in that very cycle. */
static void hits_in_quiet_cycles_count(void **state)
{
    (void)state;
    enum { MANY = 8, LOADS = 40 };
    test_random random = test_random_start(81);
    for (unsigned round = 0; round < ROUNDS; round++) {
        gm_config config = lone(1 + test_random_below(&random, 4));
        config.sm.schedulers = 1 + test_random_below(&random, 2);
        memory_source *source = memory_source_new();
        memory_kernel(source, 1, 32 * MANY);
        memory_cta(source, 0);
        for (uint32_t warp = 0; warp < MANY; warp++) {
            memory_warp(source, warp);
            for (unsigned i = 0; i < LOADS; i++) {
                uint64_t line = test_random_below(&random, 12) + 16 * warp;
                uint32_t lanes = (uint32_t)gm_mask((unsigned)(1 + test_random_below(&random, 8)));
                memory_stride(source, MEMORY_LOAD, lanes, LINE * line, LINE, 4);
                memory_registers(source, 1 + i % 4, 255);
            }
        }
        gm_results skips = cycle_results(&config, source, 1, false);
        gm_results visits = cycle_results(&config, source, 1, true);
        cycle_same(&config, &skips, &visits);
        gm_results_free(&skips);
        gm_results_free(&visits);
        gm_source_close(&source->source);
    }
}

static void machines_without_meaning_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *change, *text;
    } rows[] = {
        {"l1.enabled=no", "sm.throttle=ccws: needs l1.enabled=yes"},
        {"l1.kind=decoupled", "sm.throttle=ccws: needs l1.kind=conventional"},
        {"l1.size=unbounded", "sm.throttle=ccws: needs a bounded l1.size"},
        {"l1.bypass=mrpb", "sm.throttle=ccws: needs l1.bypass=none"},
        {"l1.streaming=yes", "sm.throttle=ccws: needs l1.streaming=no"},
        {"sm.warps=65", "sm.throttle=ccws: needs sm.warps of at most 64"},
        {"sm.warps=64", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        gm_error error;
        gm_config config = order_preset("gtx480");
        test_ok(gm_config_assign(&config, "sm.throttle=ccws", &error), error);
        test_ok(gm_config_assign(&config, rows[i].change, &error), error);
        int code = gm_config_check(&config, &error);
        assert_int_equal(code, rows[i].text == NULL ? 0 : -EINVAL);
        if (rows[i].text != NULL) {
            assert_string_equal(error.text, rows[i].text);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_warp_loses_its_lines),
        cmocka_unit_test(no_victim_without_replacement),
        cmocka_unit_test(tags_belong_to_the_warp_that_took_the_line),
        cmocka_unit_test(a_line_is_its_fetchers),
        cmocka_unit_test(stores_search_nothing),
        cmocka_unit_test(many_instructions_make_low_scores),
        cmocka_unit_test(loads_are_held_back_and_nothing_else),
        cmocka_unit_test(a_load_is_held_back_while_scores_forbid_it),
        cmocka_unit_test(nothing_is_held_back_without_lost_locality),
        cmocka_unit_test(a_thrashing_kernel_misses_less),
        cmocka_unit_test(older_warps_are_held_back_less),
        cmocka_unit_test(hits_in_quiet_cycles_count),
        cmocka_unit_test(machines_without_meaning_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
