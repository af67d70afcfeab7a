/* CTA dispatch: the CTAs of a source in the order of the queues, with all their records, wherever
 * they were parked; numbers that the source lacks are passed over. */
#include "frontend/cta_dispatch.h"
#include "support/support.h"
#include "support/trace/memory_source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CTAS = 64, MOST_WARPS = 3, SMS = 3 };

/* What the source gives of a CTA, one after the other. */
typedef struct delivered {
    uint64_t number;
    uint32_t warps;
    uint32_t warp[MOST_WARPS];
    uint64_t count[MOST_WARPS], bytes[MOST_WARPS], hash[MOST_WARPS];
    gm_core_statistics core;
    uint64_t turns, log; /* of the turn log: their number, and a hash */
} delivered;

static uint64_t hash_of(uint64_t hash, const void *data, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        hash = (hash ^ ((const unsigned char *)data)[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

/* Takes what a CTA has from it. */
static void look(gm_cta *cta, gm_warp_store *store, delivered *into)
{
    gm_error error;
    memset(into, 0, sizeof *into);
    into->number = cta->number;
    into->warps = cta->warps;
    into->core = cta->core;
    into->turns = cta->log.turns;
    for (uint64_t i = 0; i < cta->log.turns; i++) {
        const gm_turn *turn = &cta->log.turn[i];
        const uint16_t fields[] = {turn->flags, turn->lane_accesses, turn->lanes};
        into->log = hash_of(into->log, fields, sizeof fields);
    }
    for (uint32_t i = 0; i < cta->warps; i++) {
        gm_warp_stream *stream = &cta->stream[i];
        into->warp[i] = cta->warp[i];
        into->count[i] = stream->count;
        into->log = hash_of(into->log, &cta->first[i], sizeof cta->first[i]);
        const unsigned char *data;
        int bytes;
        while ((bytes = gm_warp_store_take_bytes(store, stream, &data, &error)) > 0) {
            into->bytes[i] += (uint64_t)bytes;
            into->hash[i] = hash_of(into->hash[i], data, (size_t)bytes);
        }
        assert_int_equal(bytes, 0);
    }
}

typedef struct fixture {
    gm_config config;
    memory_source *source;
    gm_warp_store *store;
    gm_feeder *feeder;
    gm_cta_scheduler scheduler;
    gm_arena arena;
    gm_cta_dispatch dispatch;
    delivered whole[MOST_CTAS];
    unsigned ctas;
    unsigned reads; /* CTAs read */
} fixture;

static void set(gm_config *config, const char *key, const char *value)
{
    gm_error error;
    test_ok(gm_config_set(config, key, value, &error), error);
}

/* Random CTAs: those in the bit set `absent` are missing, some are without warps, some with streams
 * of several chunks. */
static void make_source(fixture *f, uint32_t width, uint32_t rows, uint64_t absent,
                        test_random *random)
{
    f->source = memory_source_new();
    gm_kernel *kernel = memory_kernel(f->source, width, 32 * MOST_WARPS);
    kernel->grid[0] = width * rows;
    for (uint32_t cta = 0; cta < width * rows; cta++) {
        if ((absent >> cta & 1) != 0) {
            continue;
        }
        memory_cta(f->source, cta);
        for (uint32_t warp = 0; warp < MOST_WARPS; warp++) {
            uint64_t kind = test_random_below(random, 8);
            if (kind == 0) {
                continue;
            }
            memory_warp(f->source, warp);
            uint64_t turns = kind == 1 ? 0 : kind == 2 ? 900 : test_random_below(random, 20);
            for (uint64_t i = 0; i < turns; i++) {
                memory_stride(f->source, MEMORY_LOAD, UINT32_MAX, test_random_next(random) >> 20,
                              (int64_t)test_random_below(random, 200), 4);
            }
        }
    }
}

static void start_feeder(fixture *f, bool threaded)
{
    gm_error error;
    const gm_feeder_options options = {.threaded = threaded, .logs = true, .form = GM_INTAKE_TIMED};
    memory_source_rewind(f->source);
    test_ok(gm_warp_store_create(&f->store, 1 << 16, &error), error);
    test_ok(gm_feeder_start(&f->feeder, &f->config, &f->source->source, f->store, &options, &error),
            error);
}

static void stop_feeder(fixture *f)
{
    gm_feeder_stop(f->feeder);
    gm_warp_store_free(f->store);
}

static gm_feed next(fixture *f)
{
    gm_feed feed;
    gm_error error;
    test_ok(gm_feeder_next(f->feeder, &feed, &error), error);
    return feed;
}

/* Reads the kernel in the source's order. */
static void read_whole(fixture *f)
{
    start_feeder(f, false);
    free(next(f).kernel);
    f->ctas = 0;
    for (gm_feed feed = next(f); feed.kind == GM_FEED_CTA; feed = next(f)) {
        look(feed.cta, f->store, &f->whole[f->ctas++]);
        gm_feeder_recycle(f->feeder, feed.cta);
    }
    stop_feeder(f);
}

static int read_one(void *context, gm_cta **cta, gm_error *error)
{
    fixture *f = context;
    gm_feed feed;
    int code = gm_feeder_next(f->feeder, &feed, error);
    *cta = code == 0 && feed.kind == GM_FEED_CTA ? feed.cta : NULL;
    f->reads += code == 0 && *cta != NULL;
    return code;
}

static void make(fixture *f, const char *policy, const char *group, const char *adaptive)
{
    gm_error error;
    memset(f, 0, sizeof *f);
    gm_config_defaults(&f->config);
    set(&f->config, "gpu.sms", "3");
    set(&f->config, "sm.ctas", "2");
    set(&f->config, "gpu.cta", policy);
    set(&f->config, "gpu.cta_group", group);
    set(&f->config, "gpu.cta_adaptive", adaptive);
    test_ok(gm_arena_create(&f->arena, gm_cta_scheduler_bytes(&f->config), &error), error);
    test_ok(gm_cta_scheduler_init(&f->scheduler, &f->config, &f->arena, &error), error);
    test_ok(gm_cta_dispatch_init(&f->dispatch, &f->config, &error), error);
}

static void destroy(fixture *f)
{
    gm_cta_dispatch_free(&f->dispatch);
    gm_arena_free(&f->arena);
    memory_source_free(f->source);
}

/* Begins the kernel, as a grid of this width. */
static void begin(fixture *f, uint32_t width, bool threaded)
{
    gm_error error;
    start_feeder(f, threaded);
    gm_feed feed = next(f);
    gm_kernel kernel = *feed.kernel;
    free(feed.kernel);
    kernel.grid[1] = kernel.grid[0] / width;
    kernel.grid[0] = width;
    f->reads = 0;
    test_ok(gm_cta_scheduler_start(&f->scheduler, &kernel, &error), error);
    test_ok(gm_cta_dispatch_start(&f->dispatch, &kernel, &f->scheduler, &error), error);
}

/* Places the next CTA; returns its number, or UINT64_MAX if none can be placed now. */
static uint64_t place(fixture *f, uint32_t *sm, delivered *got)
{
    gm_error error;
    gm_cta *cta;
    test_ok(
        gm_cta_dispatch_next(&f->dispatch, &f->scheduler, f->feeder, read_one, f, sm, &cta, &error),
        error);
    if (cta == NULL) {
        return UINT64_MAX;
    }
    uint64_t number = cta->number;
    assert_true(gm_cta_dispatch_has_placed(&f->dispatch, number));
    look(cta, f->store, got);
    gm_feeder_recycle(f->feeder, cta);
    gm_cta_scheduler_place(&f->scheduler, *sm);
    return number;
}

/* Source, policy, and where each CTA goes: number and SM; "+": the CTA of this SM ends. */
static void orders_by_hand(void **state)
{
    (void)state;
    static const struct {
        const char *policy, *group, *adaptive;
        uint32_t width, rows;
        uint64_t absent; /* bit set */
        const char *order;
    } rows[] = {
        {"groups", "grid_x", "no", 4, 3, 0, "0@0 4@1 8@2 1@0 5@1 9@2 | +1 6@1 | +1 +1 7@1"},
        {"groups", "grid_x", "no", 4, 3, 1 << 5 | 1 << 2,
         "0@0 4@1 8@2 1@0 6@1 9@2 | +0 3@0 | +1 7@1"},
        {"groups", "2", "no", 5, 2, 0,
         "0@0 2@1 4@2 1@0 3@1 5@2 | +2 6@2 | +0 8@0 | +0 9@0 | +2 7@2"},
        {"groups", "2", "yes", 5, 2, 0,
         "0@0 2@1 4@2 1@0 3@1 5@2 | +2 6@2 | +0 7@0 | +1 8@1 | +2 9@2"},
        {"groups", "grid_x", "yes", 5, 2, 0, "0@0 1@1 2@2 3@0 4@1 5@2"},
        {"groups", "grid_x", "no", 9, 1, 0, "0@0 1@0 | +0 2@0"},
        {"bcs", "grid_x", "no", 5, 2, 0,
         "0@0 2@1 4@2 1@0 3@1 5@2 | +1 | +1 6@1 7@1 | +0 | +1 | +0 8@0 9@0"},
        {"bcs", "grid_x", "no", 5, 2, 1 << 6, "0@0 2@1 4@2 1@0 3@1 5@2 | +1 | +1 7@1 | +1 8@1 9@1"},
        {"bcs", "grid_x", "no", 5, 2, 1 << 7,
         "0@0 2@1 4@2 1@0 3@1 5@2 | +1 | +1 6@1 | +0 | +1 8@1 9@1"},
    };
    test_random random = test_random_start(3);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fixture f;
        make(&f, rows[i].policy, rows[i].group, rows[i].adaptive);
        make_source(&f, rows[i].width, rows[i].rows, rows[i].absent, &random);
        begin(&f, rows[i].width, false);
        char order[256] = "";
        const char *at = rows[i].order;
        for (;;) {
            delivered got;
            uint32_t sm;
            for (uint64_t number = place(&f, &sm, &got); number != UINT64_MAX;
                 number = place(&f, &sm, &got)) {
                char *end = order + strlen(order);
                snprintf(end, 16, "%s%d@%u", order[0] != 0 ? " " : "", (int)number, sm);
            }
            at = strchr(at, '|');
            if (at == NULL) {
                break;
            }
            strcat(order, " |");
            for (at += 2; *at == '+'; at += 3) {
                char *end = order + strlen(order);
                snprintf(end, 16, " +%c", at[1]);
                gm_cta_scheduler_release(&f.scheduler, (uint32_t)(at[1] - '0'));
            }
        }
        assert_string_equal(order, rows[i].order);
        stop_feeder(&f);
        destroy(&f);
    }
}

/* Runs the kernel, with random ends of CTAs: each CTA of the source is placed once, whole. */
static void run(fixture *f, uint32_t width, bool threaded, test_random *random)
{
    begin(f, width, threaded);
    bool placed[MOST_CTAS] = {false};
    unsigned count = 0;
    while (!gm_cta_dispatch_is_done(&f->dispatch)) {
        delivered got;
        uint32_t sm;
        uint64_t number = place(f, &sm, &got);
        if (number == UINT64_MAX) {
            sm = (uint32_t)test_random_below(random, SMS);
            if (f->scheduler.used[sm].ctas != 0) {
                gm_cta_scheduler_release(&f->scheduler, sm);
            }
            continue;
        }
        unsigned place = 0;
        while (place < f->ctas && f->whole[place].number != number) {
            place++;
        }
        assert_true(place < f->ctas && !placed[number]);
        assert_memory_equal(&got, &f->whole[place], sizeof got);
        placed[number] = true;
        count++;
        for (unsigned i = 0; i < f->ctas; i++) {
            uint64_t each = f->whole[i].number;
            assert_int_equal(gm_cta_dispatch_has_placed(&f->dispatch, each), placed[each]);
        }
        assert_true(f->reads <= f->ctas);
    }
    assert_int_equal(count, f->ctas);
    for (uint32_t sm = 0; sm < SMS; sm++) {
        while (f->scheduler.used[sm].ctas != 0) {
            gm_cta_scheduler_release(&f->scheduler, sm);
        }
    }
    stop_feeder(f);
}

static void each_cta_once_and_whole(void **state)
{
    (void)state;
    static const char *const policies[][3] = {{"groups", "grid_x", "no"},
                                              {"groups", "grid_x", "yes"},
                                              {"groups", "5", "no"},
                                              {"groups", "1", "yes"},
                                              {"bcs", "grid_x", "no"}};
    test_random random = test_random_start(4);
    for (unsigned round = 0; round < test_rounds(60); round++) {
        fixture f;
        const char *const *policy = policies[round % 5];
        make(&f, policy[0], policy[1], policy[2]);
        uint32_t width = 1 + (uint32_t)test_random_below(&random, 16);
        uint32_t rows = 1 + (uint32_t)test_random_below(&random, 4);
        uint64_t absent = 0;
        for (unsigned i = 0; round % 2 != 0 && i < 10; i++) {
            absent |= UINT64_C(1) << test_random_below(&random, 64);
        }
        make_source(&f, width, rows, absent, &random);
        read_whole(&f);
        run(&f, width, round % 3 == 0, &random);
        run(&f, width, round % 3 == 1, &random); /* as a second kernel */
        destroy(&f);
    }
}

static void spool_that_cannot_be_made(void **state)
{
    (void)state;
    test_random random = test_random_start(5);
    fixture f;
    gm_error error;
    uint32_t sm;
    gm_cta *cta;
    make(&f, "groups", "grid_x", "no");
    make_source(&f, 8, 3, 0, &random);
    begin(&f, 8, false);
    setenv("TMPDIR", "/nonexistent", 1);
    int code = 0;
    for (unsigned i = 0; i < 2 && code == 0; i++) {
        code = gm_cta_dispatch_next(&f.dispatch, &f.scheduler, f.feeder, read_one, &f, &sm, &cta,
                                    &error);
        if (code == 0) {
            gm_feeder_recycle(f.feeder, cta);
            gm_cta_scheduler_place(&f.scheduler, sm);
        }
    }
    unsetenv("TMPDIR");
    assert_int_equal(code, -ENOENT);
    assert_string_equal(error.text,
                        "/nonexistent: temporary file for instructions: No such file or directory");
    stop_feeder(&f);
    destroy(&f);
}

/* Tallies are parked as well; numbers can be looked for that are not there. */
static void parked_by_the_feeder(void **state)
{
    (void)state;
    test_random random = test_random_start(6);
    fixture f;
    gm_error error;
    gm_cta *cta;
    make(&f, "groups", "grid_x", "no");
    make_source(&f, 60, 1, 0, &random);
    start_feeder(&f, false);
    free(next(&f).kernel);
    for (unsigned i = 0; i < 60; i++) {
        cta = next(&f).cta;
        for (uint32_t k = 0; k < i % 20; k++) {
            test_ok(gm_opcode_tally_add(&cta->tally, 7 * k, 100 * i + k + 1, &error), error);
        }
        test_ok(gm_feeder_park(f.feeder, cta, &error), error);
    }
    for (unsigned i = 0; i < 60; i++) {
        unsigned number = i * 37 % 60;
        test_ok(gm_feeder_unpark(f.feeder, 60 + i, &cta, &error), error);
        assert_null(cta);
        test_ok(gm_feeder_unpark(f.feeder, number, &cta, &error), error);
        assert_int_equal(cta->number, number);
        assert_int_equal(cta->tally.rows, number % 20);
        for (uint32_t k = 0; k < cta->tally.rows; k++) {
            assert_int_equal(cta->tally.row[k].opcode, 7 * k);
            assert_int_equal(cta->tally.row[k].instructions, 100 * number + k + 1);
        }
        gm_feeder_recycle(f.feeder, cta);
        test_ok(gm_feeder_unpark(f.feeder, number, &cta, &error), error);
        assert_null(cta); /* taken once */
    }
    stop_feeder(&f);
    destroy(&f);
}

static void more_ctas_than_can_be_counted(void **state)
{
    (void)state;
    fixture f;
    gm_error error;
    make(&f, "groups", "grid_x", "no");
    gm_kernel kernel = {.id = 4, .name = "wide", .grid = {65536, 65536, 1}, .block = {32, 1, 1}};
    test_ok(gm_cta_scheduler_start(&f.scheduler, &kernel, &error), error);
    assert_int_equal(gm_cta_dispatch_start(&f.dispatch, &kernel, &f.scheduler, &error), -EINVAL);
    assert_string_equal(error.text, "kernel 4 (wide): 4294967296 CTAs; gpu.cta=rr alone takes more "
                                    "than 4294967295");
    kernel.grid[0] = 65535;
    test_ok(gm_cta_dispatch_start(&f.dispatch, &kernel, &f.scheduler, &error), error);
    f.source = memory_source_new();
    destroy(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_by_hand),
        cmocka_unit_test(each_cta_once_and_whole),
        cmocka_unit_test(spool_that_cannot_be_made),
        cmocka_unit_test(parked_by_the_feeder),
        cmocka_unit_test(more_ctas_than_can_be_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
