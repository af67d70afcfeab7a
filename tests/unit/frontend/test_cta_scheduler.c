/* The CTA scheduler: occupancy by each resource, round-robin order, CTAs that never fit. */
#include "frontend/cta_scheduler.h"
#include "support/support.h"

#include <errno.h>
#include <string.h>

typedef struct fixture {
    gm_arena arena;
    gm_config config;
    gm_cta_scheduler scheduler;
    gm_kernel kernel;
} fixture;

static void make(fixture *fixture)
{
    gm_error error;
    memset(fixture, 0, sizeof *fixture);
    gm_config_defaults(&fixture->config);
    fixture->config.gpu.sms = 3;
    test_ok(gm_arena_create(&fixture->arena, gm_cta_scheduler_bytes(&fixture->config), &error),
            error);
    test_ok(gm_cta_scheduler_init(&fixture->scheduler, &fixture->config, &fixture->arena, &error),
            error);
    strcpy(fixture->kernel.name, "k");
    fixture->kernel.id = 7;
    fixture->kernel.block[1] = fixture->kernel.block[2] = 1;
}

static unsigned place_all(gm_cta_scheduler *scheduler)
{
    unsigned placed = 0;
    int sm = gm_cta_scheduler_find(scheduler);
    for (; sm >= 0; sm = gm_cta_scheduler_find(scheduler)) {
        assert_int_equal(sm, placed % 3); /* one CTA an SM a visit */
        gm_cta_scheduler_place(scheduler, (uint32_t)sm);
        placed++;
    }
    for (unsigned i = 0; i < placed; i++) {
        gm_cta_scheduler_release(scheduler, i % 3);
    }
    return placed / 3;
}

/* GTX480: 1536 threads, 48 warps, 8 CTAs, 32768 registers, 48 KB. */
static void occupancy(void **state)
{
    (void)state;
    static const struct {
        uint32_t threads, registers, shared;
        unsigned ctas;
        const char *limit;
    } rows[] = {
        {256, 20, 0, 6, "1536 / 256 threads"},
        {32, 20, 0, 8, "CTAs"},
        {33, 0, 0, 8, "two warps each: 24 fit, 8 CTAs at most"},
        {1024, 16, 0, 1, "1536 / 1024 threads"},
        {256, 63, 0, 2, "64 registers * 256 = 16384 each"},
        {256, 61, 0, 2, "rounded up to 64"},
        {256, 60, 0, 2, "60 * 256 = 15360: two fit, not three"},
        {192, 42, 0, 3, "44 * 192 = 8448: 3 of 32768"},
        {192, 40, 0, 4, "40 * 192 = 7680: 4 of 32768"},
        {129, 50, 0, 3, "52 * 160 threads in whole warps = 8320"},
        {64, 10, 20000, 2, "49152 / 20000 bytes"},
        {64, 10, 49152, 1, "all of shared memory"},
        {1024, 21955, 0, 1, "a header's garbage limits nothing"},
        {1024, 256, 0, 1, "no instruction can name register 256"},
    };
    fixture fixture;
    make(&fixture);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gm_error error;
        fixture.kernel.block[0] = rows[i].threads;
        fixture.kernel.registers = rows[i].registers;
        fixture.kernel.shared_bytes = rows[i].shared;
        test_ok(gm_cta_scheduler_start(&fixture.scheduler, &fixture.kernel, &error), error);
        assert_int_equal(place_all(&fixture.scheduler), rows[i].ctas);
        static const uint32_t grids[][2] = {{3000, 1000}, {7, 3}, {6, 2}, {1, 1}}; /* 3 SMs */
        for (size_t k = 0; k < sizeof grids / sizeof grids[0]; k++) {
            fixture.kernel.grid[0] = grids[k][0];
            fixture.kernel.grid[1] = fixture.kernel.grid[2] = 1;
            assert_int_equal(gm_cta_scheduler_most(&fixture.scheduler, &fixture.kernel),
                             rows[i].ctas < grids[k][1] ? rows[i].ctas : grids[k][1]);
        }
    }
    gm_arena_free(&fixture.arena);
}

/* A freed slot is found again, from the SM after the last one served. */
static void round_robin_goes_on(void **state)
{
    (void)state;
    gm_error error;
    fixture fixture;
    make(&fixture);
    fixture.kernel.block[0] = 1024;
    test_ok(gm_cta_scheduler_start(&fixture.scheduler, &fixture.kernel, &error), error);
    for (uint32_t i = 0; i < 3; i++) {
        gm_cta_scheduler_place(&fixture.scheduler, i);
    }
    assert_int_equal(gm_cta_scheduler_find(&fixture.scheduler), -1);
    gm_cta_scheduler_release(&fixture.scheduler, 2);
    gm_cta_scheduler_release(&fixture.scheduler, 1);
    assert_int_equal(gm_cta_scheduler_find(&fixture.scheduler), 1);
    gm_cta_scheduler_place(&fixture.scheduler, 1);
    assert_int_equal(gm_cta_scheduler_find(&fixture.scheduler), 2);
    gm_arena_free(&fixture.arena);
}

/* An SM that has taken a CTA takes none in the cycle (gpu.cta_paced); the turn goes on with the
 * next cycle, and with the next kernel. */
static void one_in_a_cycle(void **state)
{
    (void)state;
    gm_error error;
    fixture fixture;
    make(&fixture);
    gm_cta_scheduler *scheduler = &fixture.scheduler;
    scheduler->paced = true;
    fixture.kernel.block[0] = 768; /* two CTAs an SM */
    test_ok(gm_cta_scheduler_start(scheduler, &fixture.kernel, &error), error);
    gm_cta_scheduler_place(scheduler, 0);
    gm_cta_scheduler_begin_cycle(scheduler);
    static const int found[] = {1, 2, 0, -1}; /* in one cycle */
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(gm_cta_scheduler_find(scheduler), found[i]);
        if (found[i] >= 0) {
            gm_cta_scheduler_place(scheduler, (uint32_t)found[i]);
        }
    }
    assert_int_equal(scheduler->paced_sms, 3);
    gm_cta_scheduler_release(scheduler, 1); /* makes no difference in this cycle */
    assert_int_equal(gm_cta_scheduler_find(scheduler), -1);
    gm_cta_scheduler_begin_cycle(scheduler);
    assert_int_equal(scheduler->open, 2);
    assert_int_equal(gm_cta_scheduler_find(scheduler), 1); /* SM 0 is full */
    test_ok(gm_cta_scheduler_start(scheduler, &fixture.kernel, &error), error);
    assert_int_equal(scheduler->next, 1);
    gm_arena_free(&fixture.arena);
}

/* CTAs come and go at random: the SM found is the first in turn with room, which is worked out from
 * the CTAs on each. 192 threads and 42 registers: 3 CTAs an SM, as above. */
static void any_order(void **state)
{
    (void)state;
    test_random random = test_random_start(1);
    gm_error error;
    fixture fixture;
    make(&fixture);
    fixture.kernel.block[0] = 192;
    fixture.kernel.registers = 42;
    test_ok(gm_cta_scheduler_start(&fixture.scheduler, &fixture.kernel, &error), error);
    unsigned resident[3] = {0};
    uint32_t next = 0;
    for (int i = 0; i < 1000; i++) {
        if (i % 20 == 0) { /* as a run that is resumed */
            test_ok(gm_cta_scheduler_start(&fixture.scheduler, &fixture.kernel, &error), error);
            next = 0;
        }
        uint32_t sm = (uint32_t)test_random_below(&random, 3);
        if (test_random_below(&random, 2) != 0 && resident[sm] != 0) {
            gm_cta_scheduler_release(&fixture.scheduler, sm);
            resident[sm]--;
            continue;
        }
        int expected = -1;
        for (uint32_t k = 0; k < 3 && expected < 0; k++) {
            expected = resident[(next + k) % 3] < 3 ? (int)((next + k) % 3) : -1;
        }
        assert_int_equal(gm_cta_scheduler_find(&fixture.scheduler), expected);
        assert_int_equal(fixture.scheduler.open,
                         (resident[0] < 3) + (resident[1] < 3) + (resident[2] < 3));
        if (expected >= 0) {
            gm_cta_scheduler_place(&fixture.scheduler, (uint32_t)expected);
            resident[expected]++;
            next = ((uint32_t)expected + 1) % 3;
        }
    }
    gm_arena_free(&fixture.arena);
}

static void names_what_never_fits(void **state)
{
    (void)state;
    static const struct {
        uint32_t threads, registers, shared;
        const char *message;
    } rows[] = {
        {1568, 0, 0,
         "kernel 7 (k): a CTA needs 1568 threads, in whole warps; sm.threads=1536 is too few"},
        {1024, 64, 0,
         "kernel 7 (k): a CTA needs 65536 registers, a thread's rounded up to a multiple of 4; "
         "sm.registers=32768 is too few"},
        {32, 0, 49153,
         "kernel 7 (k): a CTA needs 49153 bytes of shared memory; sm.shared_bytes=49152 is too "
         "few"},
    };
    fixture fixture;
    make(&fixture);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gm_error error;
        fixture.kernel.block[0] = rows[i].threads;
        fixture.kernel.registers = rows[i].registers;
        fixture.kernel.shared_bytes = rows[i].shared;
        assert_int_equal(gm_cta_scheduler_start(&fixture.scheduler, &fixture.kernel, &error),
                         -EINVAL);
        assert_string_equal(error.text, rows[i].message);
    }
    gm_arena_free(&fixture.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(occupancy),
        cmocka_unit_test(round_robin_goes_on),
        cmocka_unit_test(one_in_a_cycle),
        cmocka_unit_test(any_order),
        cmocka_unit_test(names_what_never_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
