/* Live CTAs: kernels whose CTAs communicate, without time, and with a machine that the test plays.
 * Expected values by hand, from the order of turns that simt_live.h names. */
#include "support/workload/simt_trail.h"
#include "workload/simt/simt_live.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { LANES = 32, WORDS = 64 };

typedef struct words {
    uint32_t *flag;  /* [WORDS] */
    uint32_t *taken; /* [WORDS] what lanes got */
    int32_t *signs;  /* [1] */
    float *sum;      /* [1] */
    uint32_t expects;
} words;

typedef struct seen {
    uint32_t value, count;
    int32_t sign;
    float part;
} seen;

typedef struct stage {
    trail t;
    gm_simt_live live;
    gm_launch launch;
    words a;
} stage;

static void start(stage *s, const gm_code *code, uint32_t ctas, uint32_t threads)
{
    gm_error error;
    *s = (stage){0};
    trail_start(&s->t);
    gm_device *device = &s->t.device;
    s->a.flag = gm_device_take(device, "flag", WORDS, sizeof *s->a.flag, true, &error);
    s->a.taken = gm_device_take(device, "taken", WORDS, sizeof *s->a.taken, true, &error);
    s->a.signs = gm_device_take(device, "signs", 1, sizeof *s->a.signs, true, &error);
    s->a.sum = gm_device_take(device, "sum", 1, sizeof *s->a.sum, true, &error);
    s->launch = (gm_launch){
        .code = code, .arguments = &s->a, .grid = {ctas, 1, 1}, .block = {threads, 1, 1}};
    gm_simt_live_init(&s->live, s->t.simt, device->memory);
    test_ok(gm_simt_launch(s->t.simt, &s->launch, &error), error);
    gm_simt_live_launch(&s->live, &s->launch);
}

static void stop(stage *s)
{
    gm_simt_live_free(&s->live);
    trail_stop(&s->t);
}

static int begin_warp(void *context, uint32_t warp, gm_error *error)
{
    (void)context, (void)warp, (void)error;
    return 0;
}

static gm_cta_sink sink_of(stage *s)
{
    return (gm_cta_sink){&s->t, trail_begin_cta, begin_warp, trail_note, trail_end_cta};
}

static uint64_t address_of(const stage *s, const void *word)
{
    return GM_DEVICE_BASE + (uint64_t)((const unsigned char *)word - s->t.device.memory);
}

/* Each operation by each type. */
static void operations(void **state)
{
    (void)state;
    static const struct {
        unsigned detail;
        uint32_t old, operand, second, result;
    } rows[] = {
        {GM_ADD, 7, 5, 0, 12},
        {GM_ADD, UINT32_MAX, 1, 0, 0},
        {GM_MIN, 3, UINT32_MAX, 0, 3}, /* unsigned */
        {GM_MIN | GM_TYPE_SIGNED, 3, UINT32_MAX, 0, UINT32_MAX},
        {GM_MAX, 3, UINT32_MAX, 0, UINT32_MAX},
        {GM_MAX | GM_TYPE_SIGNED, 3, UINT32_MAX, 0, 3},
        {GM_AND, 12, 10, 0, 8},
        {GM_OR, 12, 10, 0, 14},
        {GM_EXCHANGE, 12, 10, 0, 10},
        {GM_CAS, 12, 12, 9, 9},
        {GM_CAS, 12, 11, 9, 12},
        {GM_ADD | GM_TYPE_FLOAT, 0x3f800000, 0x3f800000, 0, 0x40000000}, /* 1 + 1 */
        {GM_MIN | GM_TYPE_FLOAT, 0xbf800000, 0x3f800000, 0, 0xbf800000}, /* -1 */
        {GM_MAX | GM_TYPE_FLOAT, 0xbf800000, 0x3f800000, 0, 0x3f800000},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const gm_lane_sync with = {rows[i].operand, rows[i].second, 0};
        assert_int_equal(gm_sync_operate(rows[i].detail, rows[i].old, &with), rows[i].result);
    }
}

GM_THREAD(take_numbers, words)
{
    seen *l = t->locals;
    uint32_t id = GM_GLOBAL_X(t);
    BEGIN(t)
    SYNC_ADD(t, l->value, a->flag, 1U);
    STORE(t, a->taken + id, l->value);
    SYNC_MIN(t, l->sign, a->signs, -(int32_t)GM_GLOBAL_X(t));
    SYNC_ADD(t, l->part, a->sum, 0.5F);
    END(t);
}
GM_SYNC_KERNEL(take_numbers, words, seen)

/* Turns go by CTA, warp and lane: so do the numbers. The last CTA has a warp of 16 lanes. */
static void turns_are_in_order(void **state)
{
    (void)state;
    stage s;
    gm_error error;
    start(&s, &take_numbers_code, 3, 16);
    test_ok(gm_simt_live_run_all(&s.live, &error), error);
    for (uint32_t i = 0; i < 48; i++) {
        assert_int_equal(s.a.taken[i], i);
    }
    assert_int_equal(s.a.flag[0], 48);
    assert_int_equal(s.a.signs[0], -47);
    assert_true(s.a.sum[0] == 24.0F);
    const gm_cta_sink sink = sink_of(&s);
    for (uint32_t cta = 0; cta < 3; cta++) {
        test_ok(gm_simt_live_deliver(&s.live, &sink, &error), error);
    }
    assert_int_equal(s.live.ctas, 0);
    /* ATOMG, STG, ATOMG, ATOMG, EXIT of each CTA's warp */
    assert_int_equal(s.t.count, 15);
    stop(&s);
}

GM_THREAD(pass_on, words)
{
    seen *l = t->locals;
    BEGIN(t)
    if (t->thread.x % 2 == 0) { /* even lanes wait for the CTA before; odd ones run ahead */
        for (;;) {
            SYNC_LOAD(t, l->value, a->flag + t->cta.x);
            l->count++;
            if (l->value != 0) {
                break;
            }
            LOOP(t);
        }
    }
    STORE(t, a->taken + t->cta.x * LANES + t->thread.x, 1 + l->count); /* all lanes together */
    BARRIER(t);
    if (t->thread.x == 0) {
        SYNC_STORE(t, a->flag + t->cta.x - 1, 1U);
    }
    END(t);
}
typedef struct no_shared {
    uint32_t unused;
} no_shared;
GM_SYNC_BARRIER_KERNEL(pass_on, words, seen, no_shared)

/* CTA 1 lets CTA 0 go, which began before it. A lane that waits for others keeps its events while
 * other warps use the log, and lanes meet again behind the loop. */
static void earlier_waits_for_later(void **state)
{
    (void)state;
    stage s;
    gm_error error;
    start(&s, &pass_on_code, 2, LANES);
    s.a.flag[1] = 1;
    s.a.flag++; /* CTA 0 writes flag[-1] */
    s.a.flag[0] = 0;
    s.a.flag[1] = 1;
    test_ok(gm_simt_live_run_all(&s.live, &error), error);
    for (uint32_t i = 0; i < LANES; i++) {
        /* CTA 0: first turn 0, then CTA 1's store, second turn 1 */
        assert_int_equal(s.a.taken[i], i % 2 == 0 ? 3 : 1);
        assert_int_equal(s.a.taken[LANES + i], i % 2 == 0 ? 2 : 1);
    }
    const gm_cta_sink sink = sink_of(&s);
    test_ok(gm_simt_live_deliver(&s.live, &sink, &error), error);
    /* LDG, BRA, LDG by the even lanes, STG and BAR by all, STG by lane 0, EXIT by all */
    static const uint32_t masks[] = {0x55555555, 0x55555555, 0x55555555, UINT32_MAX,
                                     UINT32_MAX, 1,          UINT32_MAX};
    assert_int_equal(s.t.count, 7);
    for (uint32_t i = 0; i < 7; i++) {
        assert_int_equal(s.t.steps[i].mask, masks[i]);
    }
    stop(&s);
}

/* Nobody lets CTA 0 go. */
static void waiting_for_ever_fails(void **state)
{
    (void)state;
    stage s;
    gm_error error;
    start(&s, &pass_on_code, 1, LANES);
    s.a.flag++;
    assert_int_equal(gm_simt_live_run_all(&s.live, &error), -EDEADLK);
    char expected[300];
    snprintf(expected, sizeof expected,
             "kernel pass_on: CTA 0, warp 0: a SYNC load of 0x%llx always finds the same: no "
             "progress in 65536 turns of all warps",
             (unsigned long long)address_of(&s, s.a.flag));
    assert_string_equal(error.text, expected);
    stop(&s);
}

GM_THREAD(meet, words)
{
    BEGIN(t)
    BARRIER(t);
    (void)a;
    END(t);
}
GM_SYNC_KERNEL(meet, words, seen)

static void barrier_needs_a_barrier_kernel(void **state)
{
    (void)state;
    stage s;
    gm_error error;
    start(&s, &meet_code, 1, LANES);
    assert_int_equal(gm_simt_live_run_all(&s.live, &error), -EINVAL);
    assert_string_equal(error.text, "kernel meet: a barrier, but not a GM_SYNC_BARRIER_KERNEL");
    stop(&s);
}

GM_THREAD(write_and_read, words)
{
    seen *l = t->locals;
    BEGIN(t)
    SYNC_STORE(t, a->flag, 5U);
    SYNC_STORE(t, a->flag, 6U);
    SYNC_LOAD(t, l->value, a->flag);
    a->taken[0] = l->value;
    SYNC_CAS(t, l->value, a->flag, a->expects, 9U);
    a->taken[1] = l->value;
    END(t);
}
GM_SYNC_KERNEL(write_and_read, words, seen)

/* The machine: write 1 is the store of 5, write 2 that of 6. A load sees what it is told to, an old
 * copy too; device memory has what was performed last. */
static void a_machine_decides(void **state)
{
    (void)state;
    static const struct {
        uint32_t sees, data;
    } rows[] = {{0, 77}, {1, 5}, {2, 6}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        stage s;
        gm_error error;
        start(&s, &write_and_read_code, 1, 1);
        s.a.flag[0] = 77;
        s.a.expects = 6;
        const gm_value_observer told = gm_simt_live_observer(&s.live);
        const gm_value_warp warp = {0};
        const uint64_t flag = address_of(&s, s.a.flag);
        const gm_cta_sink sink = sink_of(&s);
        const gm_dim cta = {0, 0, 0};
        test_ok(gm_simt_live_begin_cta(&s.live, &cta, &sink, &error), error);
        assert_int_equal(s.t.count, 3); /* STG, STG, LDG */
        assert_int_equal(gm_simt_live_open(&s.live, 0), 1);
        assert_int_equal(gm_simt_live_go_on(&s.live, 0, 0, &sink, &error), -EPROTO);
        told.wrote(told.context, &warp, flag, 1);
        told.wrote(told.context, &warp, flag, 2);
        assert_int_equal(s.a.flag[0], 77); /* not performed */
        told.performed(told.context, flag, 0, 1);
        assert_int_equal(s.a.flag[0], 5);
        told.performed(told.context, flag, 1, 2);
        assert_int_equal(s.a.flag[0], 6);
        told.loaded(told.context, &warp, flag, rows[i].sees);
        test_ok(gm_simt_live_go_on(&s.live, 0, 0, &sink, &error), error);
        assert_int_equal(s.a.taken[0], rows[i].data);
        assert_int_equal(s.t.count, 4); /* ATOMG */
        told.wrote(told.context, &warp, flag, 3);
        told.loaded(told.context, &warp, flag, 2);
        told.performed(told.context, flag, 2, 3);
        assert_int_equal(s.a.flag[0], 9);
        test_ok(gm_simt_live_go_on(&s.live, 0, 0, &sink, &error), error);
        assert_int_equal(s.a.taken[1], 6);
        assert_int_equal(gm_simt_live_open(&s.live, 0), 0);
        stop(&s);
    }
}

GM_THREAD(write_last, words)
{
    BEGIN(t)
    SYNC_STORE(t, a->flag + t->cta.x, 4U);
    END(t);
}
GM_SYNC_KERNEL(write_last, words, seen)

/* A warp's last stores reach its L1 when all that it executes has been delivered. */
static void writes_outlive_their_cta(void **state)
{
    (void)state;
    stage s;
    gm_error error;
    start(&s, &write_last_code, 1, 2);
    const gm_value_observer told = gm_simt_live_observer(&s.live);
    const gm_value_warp warp = {0};
    const uint64_t flag = address_of(&s, s.a.flag);
    const gm_cta_sink sink = sink_of(&s);
    const gm_dim cta = {0, 0, 0};
    test_ok(gm_simt_live_begin_cta(&s.live, &cta, &sink, &error), error);
    assert_int_equal(gm_simt_live_open(&s.live, 0), 0);
    assert_int_equal(s.live.ctas, 1);
    told.wrote(told.context, &warp, flag, 1);
    assert_int_equal(s.live.ctas, 0);
    told.performed(told.context, flag, 0, 1);
    assert_int_equal(s.a.flag[0], 4);
    stop(&s);
}

static void hold_some(void *context, gm_live_held *held, void *source)
{
    const uint64_t *flag = context;
    for (uint32_t number = 5; number < 20000; number += 5000) {
        held(source, *flag, number);
    }
}

/* Of many writes to a word those stay known that a copy may have, and what was there at first. */
static void forgets_writes(void **state)
{
    (void)state;
    stage s;
    start(&s, &write_last_code, 1, 1);
    uint64_t flag = address_of(&s, s.a.flag);
    gm_sync_memory *memory = &s.live.memory;
    s.a.flag[0] = 77;
    for (uint32_t number = 1; number <= 20000; number++) {
        gm_sync_memory_keep(memory, flag, number, 3 * number);
        gm_sync_memory_perform(memory, flag, number - 1, number);
        gm_simt_live_forget(&s.live, hold_some, &flag);
        assert_true(memory->used <= 1 << 14);
    }
    for (uint32_t number = 5; number < 15000; number += 5000) {
        assert_int_equal(gm_sync_memory_read(memory, flag, number), 3 * number);
    }
    assert_int_equal(gm_sync_memory_read(memory, flag, 0), 77);
    assert_int_equal(gm_sync_memory_read(memory, flag, 20000), 60000);
    assert_int_equal(gm_sync_memory_read(memory, flag, 6), 60000); /* unknown: what is there */
    stop(&s);
}

GM_THREAD(wait_on, words)
{
    seen *l = t->locals;
    BEGIN(t)
    for (;;) {
        SYNC_LOAD(t, l->value, a->flag);
        if (l->value == 1) {
            break;
        }
        LOOP(t);
    }
    SYNC_STORE(t, a->flag, 2U);
    END(t);
}
GM_SYNC_KERNEL(wait_on, words, seen)

/* Stuck: every warp got an answer since the last look, and nothing changed. */
static void looks_for_waiting_ctas(void **state)
{
    (void)state;
    stage s;
    gm_error error;
    char text[400];
    start(&s, &wait_on_code, 2, 1);
    const gm_value_observer told = gm_simt_live_observer(&s.live);
    const uint64_t flag = address_of(&s, s.a.flag);
    const gm_cta_sink sink = sink_of(&s);
    for (uint32_t i = 0; i < 2; i++) {
        const gm_dim cta = {i, 0, 0};
        test_ok(gm_simt_live_begin_cta(&s.live, &cta, &sink, &error), error);
    }
    assert_false(gm_simt_live_is_stuck(&s.live, text, sizeof text)); /* they have begun */
    assert_false(gm_simt_live_is_stuck(&s.live, text, sizeof text)); /* no answers */
    const gm_value_warp warps[] = {{.cta = 0}, {.cta = 1}};
    for (uint32_t answered = 1; answered <= 2; answered++) {
        for (uint32_t i = 0; i < answered; i++) {
            told.loaded(told.context, &warps[i], flag, 0);
            test_ok(gm_simt_live_go_on(&s.live, i, 0, &sink, &error), error);
        }
        assert_int_equal(gm_simt_live_is_stuck(&s.live, text, sizeof text), answered == 2);
    }
    s.a.flag[0] = 1;
    told.loaded(told.context, &warps[1], flag, 0);
    test_ok(gm_simt_live_go_on(&s.live, 1, 0, &sink, &error), error);
    told.wrote(told.context, &warps[1], flag, 1);
    told.performed(told.context, flag, 0, 1);
    assert_false(gm_simt_live_is_stuck(&s.live, text, sizeof text)); /* CTA 1 has ended */
    stop(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations),
        cmocka_unit_test(turns_are_in_order),
        cmocka_unit_test(earlier_waits_for_later),
        cmocka_unit_test(waiting_for_ever_fails),
        cmocka_unit_test(barrier_needs_a_barrier_kernel),
        cmocka_unit_test(a_machine_decides),
        cmocka_unit_test(writes_outlive_their_cta),
        cmocka_unit_test(forgets_writes),
        cmocka_unit_test(looks_for_waiting_ctas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
