/* The load/store unit on random streams and configurations: retries by arithmetic against retries
 * in every cycle, one of everything, snapshots, and counts against the order engine's L1. */
#include "cache/streaming.h"
#include "order/order_machine.h"
#include "support/cycle/lsu/load_store_stream.h"

static uint64_t snapshot_hash(gm_load_store *unit)
{
    char *bytes = NULL;
    size_t size = 0;
    gm_snapshot snapshot = {.file = open_memstream(&bytes, &size)};
    assert_non_null(snapshot.file);
    gm_load_store_snapshot(unit, &snapshot);
    assert_int_equal(fclose(snapshot.file), 0);
    free(bytes);
    return snapshot.sum;
}

enum { LONG = 200000 }; /* cycles that no stream needs */

static void every_cycle_or_only_those_that_matter(void **state)
{
    (void)state;
    enum { RUNS = 60 };
    test_random random = test_random_start(21);
    stream *stream = malloc(sizeof *stream);
    assert_non_null(stream);
    enum { REASONS = 5 };
    uint64_t fails[REASONS] = {0};
    uint64_t rests = 0;
    uint64_t closings = 0;
    uint64_t bypassed = 0; /* by closed gates */
    uint32_t plain = 0;
    for (unsigned run = 0; run < RUNS; run++) {
        gm_config config = run % 4 == 2 ? random_gated_config(&random) : random_config(&random);
        if (run % 4 == 0) {
            make_plain(&config);
        } else if (run % 4 == 1) {
            make_write_port(&config);
        }
        config.l1.fence_drops = run % 2 == 0 && config.l1.kind == GM_L1_CONVENTIONAL &&
                                !config.l1.streaming; /* fences among the accesses */
        make_stream(stream, &random, &config, 6 + test_random_below(&random, 30));
        uint64_t hash[RUN_MODES];
        uint64_t bytes[RUN_MODES];
        gm_cycle end[RUN_MODES];
        for (run_mode mode = SKIP; mode < RUN_MODES; mode++) {
            gm_error error;
            fixture fixture;
            driver driver = {0};
            make(&fixture, &config);
            plain += fixture.unit.l1.usual;
            fixture.memory->spread = 30;
            assert_true(drive(&fixture, &driver, stream, mode, LONG));
            test_ok(gm_load_store_check(&fixture.unit, &error), error);
            mix_counters(&fixture, &driver);
            hash[mode] = driver.hash;
            bytes[mode] = snapshot_hash(&fixture.unit);
            end[mode] = fixture.now;
            rests += driver.rests;
            const gm_cache_statistics *l1 = &fixture.unit.l1.statistics;
            fails[0] += l1->fails_line[GM_LOAD] + l1->fails_line[GM_STORE];
            fails[1] += l1->fails_mshr_entry[GM_LOAD];
            fails[2] += l1->fails_mshr_merge[GM_LOAD];
            fails[3] += l1->fails_miss_queue[GM_ATOMIC];
            fails[4] += l1->fails_bypass_queue[GM_LOAD];
            if (fixture.unit.l1.streaming != NULL) {
                closings += fixture.unit.l1.streaming->statistics.closings;
                bypassed += fixture.unit.l1.streaming->statistics.loads_bypassed;
            }
            destroy(&fixture);
        }
        assert_true(hash[SKIP] == hash[EVERY_CYCLE] && bytes[SKIP] == bytes[EVERY_CYCLE]);
        assert_true(hash[SKIP] == hash[WHERE_DUE] && bytes[SKIP] == bytes[WHERE_DUE]);
        assert_true(hash[SKIP] == hash[RETRY_ALWAYS]);
        assert_true(hash[SKIP] == hash[AS_ANY] && bytes[SKIP] == bytes[AS_ANY]);
        assert_true(end[SKIP] == end[EVERY_CYCLE] && end[SKIP] == end[RETRY_ALWAYS] &&
                    end[SKIP] == end[WHERE_DUE]);
    }
    assert_true(rests > 1000 && closings > 40 && bypassed > 1000);
    assert_true(plain >= RUN_MODES * RUNS / 4 && plain < RUN_MODES * RUNS);
    for (unsigned i = 0; i < REASONS; i++) {
        assert_true(fails[i] > 1000); /* the streams do press on everything */
    }
    free(stream);
}

/* With a gate and a pipeline for each bank, several requests wait, each with its own decision of
 * the gate: tried in every cycle or not, they are counted for the same queues. */
static void each_bank_keeps_the_gates_decision(void **state)
{
    (void)state;
    enum { RUNS = 300 };
    test_random random = test_random_start(23);
    stream *stream = malloc(sizeof *stream);
    assert_non_null(stream);
    for (unsigned run = 0; run < test_rounds(RUNS); run++) {
        gm_config config = random_gated_banks(&random);
        make_stream(stream, &random, &config, 6 + test_random_below(&random, 30));
        uint64_t hash[2];
        for (unsigned i = 0; i < 2; i++) {
            fixture fixture;
            driver driver = {0};
            make(&fixture, &config);
            fixture.memory->spread = 30;
            assert_true(drive(&fixture, &driver, stream, i == 0 ? SKIP : RETRY_ALWAYS, LONG));
            mix_counters(&fixture, &driver);
            hash[i] = driver.hash;
            destroy(&fixture);
        }
        assert_true(hash[0] == hash[1]);
    }
    free(stream);
}

/* One of everything: runs to the end. */
static void smallest_of_all(void **state)
{
    (void)state;
    test_random random = test_random_start(22);
    stream *stream = malloc(sizeof *stream);
    assert_non_null(stream);
    for (unsigned run = 0; run < 40; run++) {
        gm_error error;
        fixture fixture;
        driver driver = {0};
        gm_config config = random_config(&random);
        config.l1.size = config.l1.line * (config.l1.kind == GM_L1_DECOUPLED ? 4 : 1);
        config.l1.bypass_queue = 1;
        config.l1.load_places = 0;
        config.l1.merge_by = GM_MERGE_BY_LINE; /* one entry */
        config.l1.ways = config.l1.ports = config.l1.mshrs = config.l1.merges = 1;
        config.l1.miss_queue = config.sm.memory_queue = 1;
        config.l2.line = config.l1.line >> run % 3 % 2;
        make_stream(stream, &random, &config, 5);
        make(&fixture, &config);
        fixture.memory->spread = 30;
        assert_true(drive(&fixture, &driver, stream, SKIP, LONG));
        test_ok(gm_load_store_check(&fixture.unit, &error), error);
        destroy(&fixture);
    }
    free(stream);
}

/* Cycles that a stream takes. */
static gm_cycle length_of(const stream *stream, const gm_config *config)
{
    fixture fixture;
    driver driver = {0};
    make(&fixture, config);
    fixture.memory->spread = 30;
    assert_true(drive(&fixture, &driver, stream, SKIP, LONG));
    gm_cycle length = fixture.now;
    destroy(&fixture);
    return length;
}

/* Moments that are rare. */
enum {
    ANY_TIME,
    AMONG_ANSWERS,
    IN_A_FLUSH,
    WITH_A_VICTIM_OF_A_FILL,
    ON_THE_BYPASS_PATH,
    WITH_A_DEAD_LINE,
    WITH_A_CLOSED_GATE,
    MOMENTS
};

static bool is_in(const gm_cycle_l1 *l1, unsigned moment)
{
    return moment == ANY_TIME || (moment == AMONG_ANSWERS && l1->answering != GM_NO_ENTRY) ||
           (moment == IN_A_FLUSH && l1->flushing) ||
           (moment == WITH_A_VICTIM_OF_A_FILL && l1->from_fills != 0) ||
           (moment == ON_THE_BYPASS_PATH && l1->from_bypass != 0) ||
           (moment == WITH_A_DEAD_LINE && l1->decoupled != NULL &&
            l1->decoupled->died != l1->decoupled->dropped) ||
           (moment == WITH_A_CLOSED_GATE && l1->streaming != NULL && l1->streaming->block.closed);
}

static bool can_be_in(const gm_config *config, unsigned moment)
{
    bool dirty =
        config->l1.global_write == GM_WRITE_BACK || config->l1.local_write == GM_WRITE_BACK;
    switch (moment) {
    case IN_A_FLUSH:
        return dirty;
    case WITH_A_VICTIM_OF_A_FILL:
        return dirty && config->l1.allocation != GM_ALLOCATE_ON_MISS;
    case WITH_A_DEAD_LINE:
        return config->l1.kind == GM_L1_DECOUPLED;
    case WITH_A_CLOSED_GATE:
        return config->l1.streaming;
    default:
        return true;
    }
}

static gm_config config_for(unsigned moment, test_random *random)
{
    gm_config config = random_config(random);
    while (!can_be_in(&config, moment)) {
        config = random_config(random);
    }
    return config;
}

/* Stopped anywhere and loaded into a fresh unit, a run goes on as if nothing had happened. */
static void snapshot_in_the_middle(void **state)
{
    (void)state;
    test_random random = test_random_start(23);
    stream *stream = malloc(sizeof *stream);
    assert_non_null(stream);
    unsigned found[MOMENTS] = {0};
    for (unsigned run = 0; run < test_rounds(160); run++) {
        gm_config config = config_for(run % MOMENTS, &random);
        if (run % MOMENTS == ANY_TIME && run % 2 == 0) {
            make_write_port(&config);
        }
        make_stream(stream, &random, &config, 20);
        gm_cycle length = length_of(stream, &config);
        fixture one;
        fixture two;
        driver driver_one = {0};
        make(&one, &config);
        make(&two, &config);
        one.memory->spread = 30;
        gm_cycle stop = 1 + test_random_below(&random, length - 1);
        assert_false(drive(&one, &driver_one, stream, SKIP, stop));
        while (stop < length - 1 && !is_in(&one.unit.l1, run % MOMENTS)) {
            assert_false(drive(&one, &driver_one, stream, SKIP, ++stop));
        }
        found[run % MOMENTS] += is_in(&one.unit.l1, run % MOMENTS);
        char *bytes = NULL;
        size_t size = 0;
        gm_snapshot save = {.file = open_memstream(&bytes, &size)};
        gm_load_store_snapshot(&one.unit, &save);
        assert_int_equal(save.failed, 0);
        assert_int_equal(fclose(save.file), 0);
        gm_snapshot load = {.file = fmemopen(bytes, size, "r"), .loading = true};
        gm_load_store_snapshot(&two.unit, &load);
        assert_int_equal(load.failed, 0);
        assert_true(load.sum == save.sum && load.bytes == size);
        assert_int_equal(fclose(load.file), 0);
        free(bytes);
        fake_network requests = two.memory->requests;
        fake_network replies = two.memory->replies;
        *two.memory = *one.memory; /* but for its pointers */
        two.memory->requests = requests;
        two.memory->replies = replies;
        two.memory->wake = &two.wake;
        two.wake = one.wake;
        two.now = one.now;
        driver driver_two = driver_one;
        assert_true(drive(&one, &driver_one, stream, SKIP, LONG));
        assert_true(drive(&two, &driver_two, stream, SKIP, LONG));
        assert_true(one.now == two.now && driver_one.hash == driver_two.hash);
        assert_true(snapshot_hash(&one.unit) == snapshot_hash(&two.unit));
        destroy(&one);
        destroy(&two);
    }
    for (unsigned moment = 0; moment < MOMENTS; moment++) {
        assert_true(found[moment] != 0);
    }
    free(stream);
}

static void order_access(gm_order_l1 *l1, const gm_line_request *request, gm_request_kind kind)
{
    gm_outcome outcome = {0};
    gm_order_l1_access(l1, request, kind, &outcome);
}

static void run_to_idle(fixture *fixture)
{
    char text[64];
    run_until(fixture, fixture->now + 1000, text, sizeof text);
    assert_true(gm_load_store_idle(&fixture->unit));
}

/* Closes a gate for the rest of a run. */
static void close_gate(gm_streaming *streaming)
{
    streaming->block.closed = true;
    streaming->statistics.closings = streaming->statistics.first_closed = 1;
}

/* A request at a time, answered before the next: counts and messages are the order engine's. */
static void counts_equal_the_order_engine(void **state)
{
    (void)state;
    enum { RUNS = 80, REQUESTS = 600 };
    unsigned gated = 0;
    test_random random = test_random_start(24);
    for (unsigned run = 0; run < RUNS; run++) {
        gm_error error;
        gm_order_machine machine;
        fixture fixture;
        gm_config config = run % 4 == 1 ? random_gated_config(&random) : random_config(&random);
        config.gpu.sms = 1;
        config.l1.enabled = run % 16 != 0;
        config.l1.flush = true;
        config.l1.streaming &= config.l1.enabled;
        config.gpu.sampling_period = 1000000;
        make(&fixture, &config);
        test_ok(gm_order_machine_init(&machine, &config, false, &error), error);
        gm_order_l1 *order = &machine.sm[0].l1;
        gm_streaming *gate = fixture.unit.l1.streaming;
        gated += gate != NULL;
        uint64_t lines = 4 + test_random_below(&random, 40);
        for (unsigned i = 0; i < REQUESTS; i++) {
            gm_line_request request = random_request(&random, &config, lines);
            gm_request_kind kind = random_kind(&random);
            if (gate != NULL && i == REQUESTS / 3) {
                close_gate(gate);
                close_gate(order->streaming);
            }
            order_access(order, &request, kind);
            gm_load_store_issue(
                &fixture.unit,
                &(gm_memory_access){
                    .request = &request, .requests = 1, .ticket = i, .kind = (uint8_t)kind},
                fixture.now);
            run_to_idle(&fixture);
            if (i == REQUESTS - 1) {
                gm_order_l1_flush(order);
                gm_load_store_end_kernel(&fixture.unit, fixture.now);
                run_to_idle(&fixture);
            }
            const gm_cycle_l1 *timed = &fixture.unit.l1;
            assert_memory_equal(&timed->statistics, &order->statistics, sizeof order->statistics);
            assert_memory_equal(&timed->sent, &machine.sm[0].port.sent, sizeof timed->sent);
            assert_int_equal(timed->dirty_sectors, order->dirty_sectors);
            if (gate != NULL) {
                assert_memory_equal(&gate->statistics, &order->streaming->statistics,
                                    sizeof gate->statistics);
            }
        }
        test_ok(gm_load_store_check(&fixture.unit, &error), error);
        gm_order_machine_free(&machine);
        destroy(&fixture);
    }
    assert_true(gated >= RUNS / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_cycle_or_only_those_that_matter),
        cmocka_unit_test(each_bank_keeps_the_gates_decision),
        cmocka_unit_test(smallest_of_all),
        cmocka_unit_test(snapshot_in_the_middle),
        cmocka_unit_test(counts_equal_the_order_engine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
