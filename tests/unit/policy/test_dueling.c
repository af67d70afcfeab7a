/* SM dueling in both engines [li, 4.3]: programs in which SM 0 loses and in which it does not, so
 * that the SMs turn; what SM 0 and SM 1 run while sampling and else; what becomes of lines when an
 * SM turns; when intervals end. */
#include "order/order_machine.h"
#include "support/cycle/engine/cycle_run.h"
#include "support/order/order_run.h"

#include <errno.h>
#include <string.h>

enum { SMS = 4 };

/* Four sets of two lines; the second reference gets a data line. */
static gm_config duel(void)
{
    gm_config config = order_preset("gtx480");
    config.gpu.sms = SMS;
    config.l1.kind = GM_L1_DECOUPLED;
    config.l1.size = 8 * config.l1.line;
    config.l1.ways = 2;
    config.l1.tag_ways = 4;
    config.l1.threshold = 2;
    config.l1.dueling = true;
    config.l1.dueling_interval = 10 * SMS;
    config.l1.dueling_period = 1;
    return config;
}

/* The order engine's L1s, access by access: each SM in turn loads the line. */
static void load_everywhere(gm_order_machine *machine, uint64_t line)
{
    for (unsigned sm = 0; sm < SMS; sm++) {
        gm_outcome outcome = {0};
        const gm_line_request request = {.line = line, .lanes = 1, .sectors = 1};
        gm_order_l1_access(&machine->sm[sm].l1, &request, GM_REQUEST_LOAD, &outcome);
    }
}

/* Each line twice, one behind the other: the conventional L1 hits with the second (50%), the
 * decoupled one fetches the line with it (0%). */
static void each_twice(gm_order_machine *machine, uint64_t first, unsigned loads)
{
    for (unsigned i = 0; i < loads; i++) {
        load_everywhere(machine, first + i / 2);
    }
}

/* Lines that never come again: both miss always. */
static void each_once(gm_order_machine *machine, uint64_t first, unsigned loads)
{
    for (unsigned i = 0; i < loads; i++) {
        load_everywhere(machine, first + i);
    }
}

static void expect(const gm_order_machine *machine, gm_dueling_statistics expected)
{
    gm_error error;
    gm_statistics sum;
    test_ok(gm_dueling_check(&machine->dueling, &error), error);
    gm_order_machine_sum(machine, &sum);
    assert_memory_equal(&sum.dueling, &expected, sizeof expected);
}

/* An interval is 40 accesses, 10 of each SM; SMs 2 and 3 follow, 20 loads an interval. All
 * intervals are sampled: SM 0 and SM 1 never follow. */
static void the_others_turn(void **state)
{
    (void)state;
    gm_order_machine machine;
    gm_order_machine conventional;
    gm_order_machine decoupled;
    gm_error error;
    gm_config config = duel();
    test_ok(gm_order_machine_init(&machine, &config, false, &error), error);
    config.l1.dueling = false;
    test_ok(gm_order_machine_init(&decoupled, &config, false, &error), error);
    config.l1.kind = GM_L1_CONVENTIONAL;
    test_ok(gm_order_machine_init(&conventional, &config, false, &error), error);
    gm_order_machine *const all[] = {&machine, &decoupled, &conventional};
    /* At first they run the conventional L1 [li, Table 3]; SM 0 is not worse: they turn. */
    for (unsigned i = 0; i < 3; i++) {
        each_once(all[i], 1000, 10);
    }
    expect(&machine, (gm_dueling_statistics){1, 1, 1, 20, 0, 20});
    /* The first interval of these is run decoupled; then SM 0 has lost, 100% to 50%. */
    for (unsigned i = 0; i < 3; i++) {
        each_twice(all[i], 2000, 30);
    }
    expect(&machine, (gm_dueling_statistics){4, 4, 1, 80, 20, 60});
    assert_int_equal(machine.sm[2].l1.statistics.hits[GM_LOAD], 10);
    assert_int_equal(machine.sm[3].l1.statistics.bypasses[GM_LOAD], 5);
    /* And back: the interval in which SM 0 draws is still conventional. */
    for (unsigned i = 0; i < 3; i++) {
        each_once(all[i], 3000, 20);
    }
    expect(&machine, (gm_dueling_statistics){6, 6, 3, 120, 40, 80});
    const gm_cache_statistics *sm0 = &machine.sm[0].l1.statistics;
    const gm_cache_statistics *sm1 = &machine.sm[1].l1.statistics;
    assert_memory_equal(sm0, &decoupled.sm[0].l1.statistics, sizeof *sm0);
    assert_memory_equal(sm1, &conventional.sm[1].l1.statistics, sizeof *sm1);
    for (unsigned i = 0; i < 3; i++) {
        gm_order_machine_free(all[i]);
    }
}

/* Of three intervals the first is sampled: in the others SM 0 and SM 1 follow, too. */
static void all_turn(void **state)
{
    (void)state;
    gm_order_machine machine;
    gm_error error;
    gm_config config = duel();
    config.l1.dueling_period = 3;
    test_ok(gm_order_machine_init(&machine, &config, false, &error), error);
    const gm_cache_statistics *sm0 = &machine.sm[0].l1.statistics;
    const gm_cache_statistics *sm1 = &machine.sm[1].l1.statistics;
    each_once(&machine, 1000, 10); /* sampled, SM 0 draws: decoupled */
    assert_int_equal(sm0->bypasses[GM_LOAD], 10);
    assert_int_equal(sm1->bypasses[GM_LOAD], 0);
    each_once(&machine, 1100, 20); /* two intervals, decoupled everywhere */
    assert_int_equal(sm0->bypasses[GM_LOAD], 30);
    assert_int_equal(sm1->bypasses[GM_LOAD], 20);
    expect(&machine, (gm_dueling_statistics){1, 1, 1, 20, 80, 20});
    each_twice(&machine, 2000, 10); /* sampled, SM 0 loses: conventional */
    assert_int_equal(sm0->hits[GM_LOAD], 0);
    assert_int_equal(sm1->hits[GM_LOAD], 5);
    each_twice(&machine, 2100, 20); /* two intervals, conventional everywhere */
    assert_int_equal(sm0->hits[GM_LOAD], 10);
    assert_int_equal(sm1->hits[GM_LOAD], 15);
    expect(&machine, (gm_dueling_statistics){2, 2, 1, 40, 100, 100});
    /* Sampled, and SM 1 has no load: nothing is decided, and all go on as they are. */
    for (unsigned i = 0; i < 40; i++) {
        gm_outcome outcome = {0};
        const gm_line_request request = {.line = 3000 + i, .lanes = 1, .sectors = 1};
        gm_order_l1_access(&machine.sm[i % 2 * 2].l1, &request, GM_REQUEST_LOAD, &outcome);
    }
    each_twice(&machine, 3100, 20);
    assert_int_equal(sm0->hits[GM_LOAD], 20);
    expect(&machine, (gm_dueling_statistics){3, 2, 1, 60, 100, 200});
    gm_order_machine_free(&machine);
}

static gm_outcome load_in(gm_order_machine *machine, unsigned sm, uint64_t line)
{
    gm_outcome outcome = {0};
    const gm_line_request request = {.line = line, .lanes = 1, .sectors = 1};
    gm_order_l1_access(&machine->sm[sm].l1, &request, GM_REQUEST_LOAD, &outcome);
    return outcome;
}

/* What an SM holds it keeps when it turns: data lines hit in both designs; a line that has been
 * referenced, but has no data line, gets one by its next reference in the conventional L1 and by
 * its second in the decoupled one. */
static void lines_outlive_a_turn(void **state)
{
    (void)state;
    gm_order_machine machine;
    gm_error error;
    gm_config config = duel();
    config.l1.dueling_interval = 65535;
    config.l1.dueling_period = 2;
    test_ok(gm_order_machine_init(&machine, &config, false, &error), error);
    gm_sm_dueling *block = &machine.dueling.block;
    block->phase = 1;
    for (unsigned sm = 0; sm < 2; sm++) {
        block->decoupled = true;
        assert_true(load_in(&machine, sm, 0).bypass); /* RC 1 */
        assert_true(load_in(&machine, sm, 1).bypass);
        load_in(&machine, sm, 1);
        assert_true(load_in(&machine, sm, 1).hit); /* RC 2: a data line */
        block->decoupled = false;
        assert_true(load_in(&machine, sm, 1).hit);
        gm_outcome outcome = load_in(&machine, sm, 0);
        assert_true(!outcome.hit && !outcome.bypass);
        assert_true(load_in(&machine, sm, 0).hit);
        outcome = load_in(&machine, sm, 2); /* RC 1 and a data line at once */
        assert_true(!outcome.hit && !outcome.bypass);
        block->decoupled = true;
        assert_true(load_in(&machine, sm, 0).hit);
        assert_true(load_in(&machine, sm, 2).hit);
        assert_true(load_in(&machine, sm, 3).bypass);
    }
    gm_order_machine_free(&machine);
}

/* A draw changes nothing with hysteresis; a difference counts from above l1.dueling_difference. */
static void margins(void **state)
{
    (void)state;
    static const struct {
        bool hysteresis;
        uint64_t difference;
        gm_dueling_statistics expected;
    } rows[] = {
        {false, 10, {2, 2, 1, 40, 20, 20}}, /* draw: decoupled; 100% to 50%: conventional */
        {true, 10, {2, 2, 0, 40, 0, 40}},
        {false, 50, {2, 2, 2, 40, 20, 20}}, /* 50% are not above 50% */
        {false, 49, {2, 2, 1, 40, 20, 20}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gm_order_machine machine;
        gm_error error;
        gm_config config = duel();
        config.l1.dueling_hysteresis = rows[i].hysteresis;
        config.l1.dueling_difference = rows[i].difference;
        test_ok(gm_order_machine_init(&machine, &config, false, &error), error);
        each_once(&machine, 1000, 10);
        each_twice(&machine, 2000, 10);
        expect(&machine, rows[i].expected);
        gm_order_machine_free(&machine);
    }
}

/* Cycle engine: intervals end at multiples of their length, whenever somebody looks; one without
 * loads of both SMs decides nothing. */
static void intervals_of_cycles(void **state)
{
    (void)state;
    gm_error error;
    gm_dueling dueling;
    gm_config config = duel();
    config.l1.dueling_interval = 500;
    test_ok(gm_dueling_init(&dueling, &config, &error), error);
    const struct {
        uint64_t cycle;
        uint64_t decisions; /* before the load of both that follows */
        bool loads;
    } rows[] = {
        {0, 0, true},    {499, 0, false},  {500, 1, false},  {999, 1, true},
        {1000, 2, true}, {1499, 2, true},  {3700, 3, false}, {3999, 3, false},
        {4000, 3, true}, {4499, 3, false}, {4500, 4, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gm_dueling_catch_up(&dueling, rows[i].cycle);
        assert_int_equal(dueling.statistics.decisions, rows[i].decisions);
        for (uint32_t sm = 0; rows[i].loads && sm < 2; sm++) {
            gm_dueling_load(&dueling, sm, sm != 0, sm == 0);
        }
    }
    assert_int_equal(dueling.statistics.decisions_decoupled, 0);
    assert_int_equal(gm_dueling_check(&dueling, &error), 0);
    dueling.statistics.decisions_decoupled = 5;
    assert_int_equal(gm_dueling_check(&dueling, &error), -EPROTO);
    assert_non_null(strstr(error.text, "decisions for the decoupled L1 <= decisions: 0 and 1"));
    dueling.statistics.decisions_decoupled = 0;
    dueling.statistics.intervals_sampled = 2;
    assert_int_equal(gm_dueling_check(&dueling, &error), -EPROTO);
    assert_non_null(strstr(error.text, "decisions <= sampling intervals: 0 and 1"));
    dueling.statistics.intervals_sampled = 9;
    dueling.block.misses[1] = dueling.block.accesses[1] + 1;
    assert_int_equal(gm_dueling_check(&dueling, &error), -EPROTO);
    assert_non_null(strstr(error.text, "sm_dueling: SM1: "));
}

/* With a period the intervals that pass unseen count, too; a load that an earlier interval has
 * begun with the other design does not count. */
static void periods_of_cycles(void **state)
{
    (void)state;
    gm_error error;
    gm_dueling dueling;
    gm_config config = duel();
    config.l1.dueling_interval = 500;
    config.l1.dueling_period = 3;
    test_ok(gm_dueling_init(&dueling, &config, &error), error);
    const struct {
        uint64_t cycle;
        uint64_t sampled; /* intervals that have ended */
        bool samples;
    } rows[] = {
        {0, 0, true},    {499, 0, true},    {500, 1, false},    {1499, 1, false},
        {1500, 1, true}, {1999, 1, true},   {2000, 2, false},   {4499, 3, false},
        {4500, 3, true}, {15499, 10, true}, {15999, 11, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gm_dueling_catch_up(&dueling, rows[i].cycle);
        assert_int_equal(dueling.statistics.intervals_sampled, rows[i].sampled);
        for (uint32_t sm = 0; sm < SMS; sm++) {
            bool conventional = gm_dueling_is_conventional(&dueling, sm);
            assert_int_equal(conventional, !rows[i].samples || sm != 0); /* never decided */
        }
    }
    gm_dueling_catch_up(&dueling, 16500);
    assert_int_equal(dueling.block.phase, 0);
    for (uint32_t sm = 0; sm < 2; sm++) {
        gm_dueling_load(&dueling, sm, sm == 0, true); /* begun with the other design */
        assert_int_equal(dueling.block.accesses[sm], 0);
        gm_dueling_load(&dueling, sm, sm == 1, true);
        assert_int_equal(dueling.block.accesses[sm], 1);
    }
    assert_int_equal(dueling.statistics.loads_sampled, 2);
    assert_int_equal(dueling.statistics.loads_conventional, 1);
    assert_int_equal(dueling.statistics.loads_decoupled, 1);
    assert_int_equal(gm_dueling_check(&dueling, &error), 0);
}

/* As many as an interval has cycles: a load a cycle. */
static void width_of_counts(void **state)
{
    (void)state;
    static const unsigned rows[][2] = {{1, 1}, {255, 8}, {256, 9}, {500, 9}, {65535, 16}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gm_error error;
        gm_dueling dueling;
        gm_config config = duel();
        config.l1.dueling_interval = rows[i][0];
        test_ok(gm_dueling_init(&dueling, &config, &error), error);
        assert_int_equal(dueling.block.parameters.count_bits, rows[i][1]);
    }
}

/* A warp for each SM, whose loads are answered one by one: `same` says how many behind each other
 * are of one line. */
static memory_source *one_by_one(unsigned same)
{
    memory_source *source = memory_source_new();
    memory_kernel(source, SMS, 32);
    for (uint32_t cta = 0; cta < SMS; cta++) {
        memory_cta(source, cta);
        memory_warp(source, 0);
        for (unsigned i = 0; i < 400; i++) {
            memory_stride(source, MEMORY_LOAD, 1, UINT64_C(0x100000) + i / same * 128, 0, 4);
            memory_plain(source, MEMORY_FENCE, 1);
        }
    }
    return source;
}

static gm_results run(gm_config config, gm_l1_kind kind, bool dueling, memory_source *source)
{
    config.l1.kind = kind;
    config.l1.dueling = dueling;
    return cycle_results(&config, source, 1, false);
}

/* Loads of SMs 2 and 3 are 800. Skipped cycles change nothing. */
static void both_ways_with_time(void **state)
{
    (void)state;
    for (unsigned same = 1; same <= 2; same++) {
        gm_config config = duel();
        config.l1.dueling_interval = 3000;
        config.sm.ctas = 1;
        memory_source *source = one_by_one(same);
        gm_results results = run(config, GM_L1_DECOUPLED, true, source);
        gm_results decoupled = run(config, GM_L1_DECOUPLED, false, source);
        gm_results conventional = run(config, GM_L1_CONVENTIONAL, false, source);
        gm_results visited = cycle_results(&config, source, 1, true);
        cycle_same(&config, &results, &visited);
        const gm_dueling_statistics *dueling = &results.total.dueling;
        assert_int_equal(dueling->loads_decoupled + dueling->loads_conventional, 800);
        assert_true(dueling->decisions > 10);
        if (same == 1) {
            assert_int_equal(dueling->decisions_decoupled, dueling->decisions);
            assert_true(dueling->loads_conventional > 0); /* in the first interval */
            assert_true(dueling->loads_decoupled > 700);
        } else {
            assert_int_equal(dueling->decisions_decoupled, 0);
            assert_int_equal(dueling->loads_decoupled, 0);
            assert_int_equal(results.per_sm[3].l1d.hits[GM_LOAD], 200);
        }
        const gm_cache_statistics *sm0 = &results.per_sm[0].l1d;
        const gm_cache_statistics *sm1 = &results.per_sm[1].l1d;
        assert_memory_equal(sm0, &decoupled.per_sm[0].l1d, sizeof *sm0);
        assert_memory_equal(sm1, &conventional.per_sm[1].l1d, sizeof *sm1);
        gm_results_free(&results);
        gm_results_free(&decoupled);
        gm_results_free(&conventional);
        gm_results_free(&visited);
        gm_source_close(&source->source);
    }
}

/* A program of two CTAs has nothing but the two SMs that are sampled. Once decided both run the
 * decoupled L1 where SM 0 draws, and the run has SM 1's bypasses; the conventional one where it
 * loses. */
static void two_ctas_follow(void **state)
{
    (void)state;
    for (unsigned same = 1; same <= 2; same++) {
        gm_config config = duel();
        config.l1.dueling_interval = 3000;
        config.l1.dueling_period = 20;
        config.gpu.sms = 2;
        config.sm.ctas = 1;
        memory_source *source = one_by_one(same);
        gm_results results = run(config, GM_L1_DECOUPLED, true, source);
        const gm_dueling_statistics *dueling = &results.total.dueling;
        assert_true(dueling->decisions >= 2);
        assert_int_equal(dueling->decisions_decoupled, same == 1 ? dueling->decisions : 0);
        uint64_t all =
            dueling->loads_sampled + dueling->loads_decoupled + dueling->loads_conventional;
        assert_int_equal(all, 1600);
        assert_true(dueling->loads_sampled < 200);
        const gm_cache_statistics *sm0 = &results.per_sm[0].l1d;
        const gm_cache_statistics *sm1 = &results.per_sm[1].l1d;
        if (same == 1) {
            assert_true(sm1->bypasses[GM_LOAD] > 700);
        } else {
            assert_true(sm0->hits[GM_LOAD] > 350);
        }
        gm_results_free(&results);
        gm_source_close(&source->source);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_others_turn),      cmocka_unit_test(margins),
        cmocka_unit_test(intervals_of_cycles),  cmocka_unit_test(width_of_counts),
        cmocka_unit_test(both_ways_with_time),  cmocka_unit_test(all_turn),
        cmocka_unit_test(lines_outlive_a_turn), cmocka_unit_test(periods_of_cycles),
        cmocka_unit_test(two_ctas_follow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
