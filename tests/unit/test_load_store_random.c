/* The load/store unit on random streams and configurations: retries by arithmetic against retries
 * in every cycle, one of everything, snapshots, and counts against the order engine's L1. */
#include "support/load_store_run.h"
#include "system/machine.h"

enum { ACCESSES = 400, MOST_LINES = 8 };

typedef struct random_access {
    gm_cycle from; /* not issued earlier */
    gm_memory_access access;
    gm_line_request request[MOST_LINES];
} random_access;

typedef struct stream {
    uint32_t count;
    random_access access[ACCESSES];
} stream;

static gm_request_kind random_kind(test_random *random)
{
    uint64_t r = test_random_below(random, 16);
    return r < 9    ? GM_REQUEST_LOAD
           : r < 13 ? GM_REQUEST_STORE
                    : (gm_request_kind[]){GM_REQUEST_STRONG_LOAD, GM_REQUEST_ATOMIC,
                                          GM_REQUEST_REDUCTION}[r - 13];
}

static gm_line_request random_request(test_random *random, const gm_config *config, uint64_t lines)
{
    uint64_t line = test_random_below(random, lines);
    uint32_t all = (uint32_t)gm_mask((unsigned)(config->l1.line / GM_SECTOR));
    uint32_t sectors = (uint32_t)test_random_next(random) & all;
    sectors = sectors != 0 ? sectors : 1;
    /* Local lines are lines of their own. */
    return (gm_line_request){.line = line,
                             .lanes = 1,
                             .sectors = sectors,
                             .whole = sectors & (uint32_t)test_random_next(random),
                             .local = line % 4 == 3};
}

static void make_stream(stream *stream, test_random *random, const gm_config *config,
                        uint64_t lines)
{
    gm_cycle from = 10;
    stream->count = ACCESSES;
    for (uint32_t i = 0; i < ACCESSES; i++) {
        random_access *access = &stream->access[i];
        from += test_random_below(random, 16) == 0 ? test_random_below(random, 60) : 0;
        access->from = from;
        access->access = (gm_memory_access){
            .request = access->request,
            .requests = (uint32_t)test_random_below(random, MOST_LINES + 1),
            .ticket = i,
            .kind = (uint8_t)random_kind(random),
            .shared_passes =
                test_random_below(random, 4) == 0 ? 1 + (uint32_t)test_random_below(random, 4) : 0,
        };
        for (uint32_t j = 0; j < access->access.requests; j++) {
            access->request[j] = random_request(random, config, lines);
        }
    }
}

/* Configurations that press on different resources. */
static gm_config random_config(test_random *random)
{
    gm_config config = defaults();
    static const uint64_t ways[] = {1, 2, 4, 20, GM_FULL};
    config.l1.ways = ways[test_random_below(random, 5)];
    config.l1.line = UINT64_C(64) << test_random_below(random, 2);
    config.l2.line = config.l1.line >> test_random_below(random, 2);
    uint64_t lines = config.l1.ways == GM_FULL ? 3 : config.l1.ways;
    config.l1.size = config.l1.line * lines * (UINT64_C(1) << test_random_below(random, 3));
    if (test_random_below(random, 8) == 0) {
        config.l1.size = GM_UNBOUNDED;
    }
    config.l1.sectored = test_random_below(random, 2) == 0;
    config.l1.replacement = test_random_below(random, 4) == 0 ? GM_REPLACE_FIFO : GM_REPLACE_LRU;
    config.l1.global_write = (gm_write_policy)test_random_below(random, 3);
    config.l1.local_write = (gm_write_policy)test_random_below(random, 3);
    config.l1.global_allocate =
        config.l1.global_write != GM_WRITE_EVICT && test_random_below(random, 2) == 0;
    config.l1.local_allocate =
        config.l1.local_write != GM_WRITE_EVICT && test_random_below(random, 2) == 0;
    config.l1.latency = test_random_below(random, 40);
    config.l1.ports = 1 + test_random_below(random, 2);
    config.l1.mshrs = 1 + test_random_below(random, 5);
    config.l1.merges = 1 + test_random_below(random, 4);
    config.l1.miss_queue = 1 + test_random_below(random, 5);
    config.l1.allocation =
        test_random_below(random, 2) == 0 ? GM_ALLOCATE_ON_MISS : GM_ALLOCATE_ON_FILL;
    config.sm.memory_queue = 1 + test_random_below(random, 3);
    return config;
}

typedef enum run_mode { SKIP, EVERY_CYCLE, RETRY_ALWAYS } run_mode;

typedef struct driver {
    uint32_t next; /* access to issue */
    uint32_t done; /* tickets */
    bool flushed;  /* the end of the kernel was told */
    uint64_t hash; /* of what was done when, and of the counters on the way */
} driver;

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

static void mix_counters(fixture *fixture, driver *driver)
{
    struct {
        gm_cache_statistics l1d;
        gm_time_statistics time;
    } sum;
    uint64_t words[sizeof sum / sizeof(uint64_t)];
    memset(&sum, 0, sizeof sum);
    gm_load_store_sum(&fixture->unit, fixture->now, &sum.l1d, &sum.time);
    memcpy(words, &sum, sizeof sum);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        driver->hash = mix(driver->hash, words[i]);
    }
}

/* The front end: issues what is due. */
static void front_end(fixture *fixture, driver *driver, const stream *stream)
{
    gm_load_store *unit = &fixture->unit;
    for (uint32_t i = 0; i < unit->done_count; i++) {
        driver->hash = mix(driver->hash, fixture->now << 12 | unit->done[i]);
        driver->done++;
    }
    const random_access *access = &stream->access[driver->next];
    if (driver->next < stream->count && gm_load_store_has_room(unit)) {
        if (access->from <= fixture->now) {
            gm_load_store_issue(unit, &access->access, fixture->now);
            driver->next++;
        } else {
            gm_wake(&fixture->wake, access->from);
        }
    }
    if (driver->done == stream->count && !driver->flushed && gm_load_store_idle(unit)) {
        driver->flushed = true;
        gm_load_store_end_kernel(unit, fixture->now);
    }
}

/* Runs cycle by cycle up to `end`, or until all is over; whether it is. The interconnect has room
 * in three of four stretches of 8 cycles. */
static bool drive(fixture *fixture, driver *driver, const stream *stream, run_mode mode,
                  gm_cycle end)
{
    fixture->unit.retry_always = mode == RETRY_ALWAYS;
    if (fixture->now == 0) {
        fixture->wake = 0;
    }
    for (; fixture->now < end; fixture->now++) {
        bool open = fixture->now / 8 * UINT64_C(0x9e3779b97f4a7c15) >> 62 != 0;
        if (open && !fixture->memory->open) {
            gm_wake(&fixture->wake, fixture->now);
        }
        fixture->memory->open = open;
        if (mode != SKIP || fixture->wake <= fixture->now) {
            fixture->wake = GM_NEVER;
            gm_load_store_step(&fixture->unit, fixture->now);
            front_end(fixture, driver, stream);
        }
        if (fixture->now % 61 == 0) {
            mix_counters(fixture, driver);
        }
        if (driver->flushed && gm_load_store_idle(&fixture->unit)) {
            return true;
        }
    }
    return false;
}

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
    uint64_t fails[4] = {0};
    for (unsigned run = 0; run < RUNS; run++) {
        gm_config config = random_config(&random);
        make_stream(stream, &random, &config, 6 + test_random_below(&random, 30));
        uint64_t hash[3];
        uint64_t bytes[3];
        gm_cycle end[3];
        for (run_mode mode = SKIP; mode <= RETRY_ALWAYS; mode++) {
            gm_error error;
            fixture fixture;
            driver driver = {0};
            make(&fixture, &config);
            fixture.memory->spread = 30;
            assert_true(drive(&fixture, &driver, stream, mode, LONG));
            test_ok(gm_load_store_check(&fixture.unit, &error), error);
            mix_counters(&fixture, &driver);
            hash[mode] = driver.hash;
            bytes[mode] = snapshot_hash(&fixture.unit);
            end[mode] = fixture.now;
            const gm_cache_statistics *l1d = &fixture.unit.l1d.statistics;
            fails[0] += l1d->fails_line[GM_LOAD] + l1d->fails_line[GM_STORE];
            fails[1] += l1d->fails_mshr_entry[GM_LOAD];
            fails[2] += l1d->fails_mshr_merge[GM_LOAD];
            fails[3] += l1d->fails_miss_queue[GM_ATOMIC];
            destroy(&fixture);
        }
        assert_true(hash[SKIP] == hash[EVERY_CYCLE] && bytes[SKIP] == bytes[EVERY_CYCLE]);
        assert_true(hash[SKIP] == hash[RETRY_ALWAYS]);
        assert_true(end[SKIP] == end[EVERY_CYCLE] && end[SKIP] == end[RETRY_ALWAYS]);
    }
    for (unsigned i = 0; i < 4; i++) {
        assert_true(fails[i] > 1000); /* the streams do press on everything */
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
        config.l1.size = config.l1.line;
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

/* Stopped anywhere and loaded into a fresh unit, a run goes on as if nothing had happened. */
static void snapshot_in_the_middle(void **state)
{
    (void)state;
    test_random random = test_random_start(23);
    stream *stream = malloc(sizeof *stream);
    assert_non_null(stream);
    for (unsigned run = 0; run < 30; run++) {
        gm_config config = random_config(&random);
        make_stream(stream, &random, &config, 20);
        fixture one;
        fixture two;
        driver driver_one = {0};
        make(&one, &config);
        make(&two, &config);
        one.memory->spread = 30;
        assert_false(drive(&one, &driver_one, stream, SKIP, 1 + test_random_below(&random, 700)));
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
    free(stream);
}

static void order_access(gm_l1d *l1d, const gm_line_request *request, gm_request_kind kind)
{
    gm_outcome outcome = {0};
    switch (kind) {
    case GM_REQUEST_LOAD:
    case GM_REQUEST_STRONG_LOAD:
        gm_l1d_load(l1d, request, kind == GM_REQUEST_STRONG_LOAD, &outcome);
        break;
    case GM_REQUEST_STORE:
        gm_l1d_store(l1d, request, &outcome);
        break;
    case GM_REQUEST_ATOMIC:
    case GM_REQUEST_REDUCTION:
        gm_l1d_atomic(l1d, request, kind == GM_REQUEST_ATOMIC, &outcome);
        break;
    }
}

static void run_to_idle(fixture *fixture)
{
    char text[64];
    run_until(fixture, fixture->now + 1000, text, sizeof text);
    assert_true(gm_load_store_idle(&fixture->unit));
}

/* A request at a time, answered before the next: counts and messages are the order engine's. */
static void counts_equal_the_order_engine(void **state)
{
    (void)state;
    enum { RUNS = 80, REQUESTS = 600 };
    test_random random = test_random_start(24);
    for (unsigned run = 0; run < RUNS; run++) {
        gm_error error;
        gm_machine machine;
        fixture fixture;
        gm_config config = random_config(&random);
        config.gpu.sms = 1;
        config.l1.enabled = run % 16 != 0;
        config.l1.flush = true;
        make(&fixture, &config);
        test_ok(gm_machine_init(&machine, &config, false, &error), error);
        gm_l1d *order = &machine.sm[0].l1d;
        uint64_t lines = 4 + test_random_below(&random, 40);
        for (unsigned i = 0; i < REQUESTS; i++) {
            gm_line_request request = random_request(&random, &config, lines);
            gm_request_kind kind = random_kind(&random);
            order_access(order, &request, kind);
            gm_load_store_issue(
                &fixture.unit,
                &(gm_memory_access){
                    .request = &request, .requests = 1, .ticket = i, .kind = (uint8_t)kind},
                fixture.now);
            run_to_idle(&fixture);
            if (i == REQUESTS - 1) {
                gm_l1d_flush(order);
                gm_load_store_end_kernel(&fixture.unit, fixture.now);
                run_to_idle(&fixture);
            }
            const gm_timed_l1d *timed = &fixture.unit.l1d;
            assert_memory_equal(&timed->statistics, &order->statistics, sizeof order->statistics);
            assert_memory_equal(&timed->sent, &machine.sm[0].port.sent, sizeof timed->sent);
            assert_int_equal(timed->dirty_sectors, order->dirty_sectors);
        }
        test_ok(gm_load_store_check(&fixture.unit, &error), error);
        gm_machine_free(&machine);
        destroy(&fixture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_cycle_or_only_those_that_matter),
        cmocka_unit_test(smallest_of_all),
        cmocka_unit_test(snapshot_in_the_middle),
        cmocka_unit_test(counts_equal_the_order_engine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
