/* Values of atomics in the SIMT executor: lanes take their turns in lane order, each gets what was
 * there before. Expected values by hand, and from a loop over the lanes. */
#include "support/workload/simt_trail.h"

#include <string.h>

enum { LANES = 32 };

typedef struct cells {
    uint32_t *u;   /* one of each operation */
    int32_t *s;    /* the same, signed */
    float *f;      /* sum */
    uint64_t *w;   /* wide */
    uint32_t *old; /* [7][LANES] what each lane got */
} cells;

enum { ADD, MIN, MAX, OR, EXCHANGE, CAS, OPERATIONS };

GM_THREAD(unsigned_operations, cells)
{
    uint32_t lane = t->thread.x;
    uint32_t value = (lane * 7 + 3) % 32;
    uint32_t old[OPERATIONS];
    old[ADD] = ATOMIC_ADD(t, a->u + ADD, value);
    old[MIN] = ATOMIC_MIN(t, a->u + MIN, value);
    old[MAX] = ATOMIC_MAX(t, a->u + MAX, value);
    old[OR] = ATOMIC_OR(t, a->u + OR, UINT32_C(1) << value);
    old[EXCHANGE] = ATOMIC_EXCHANGE(t, a->u + EXCHANGE, value);
    old[CAS] = ATOMIC_CAS(t, a->u + CAS, lane, lane + 1);
    for (uint32_t i = 0; i < OPERATIONS; i++) {
        a->old[i * LANES + lane] = old[i];
    }
}
GM_KERNEL(unsigned_operations, cells)

GM_THREAD(other_types, cells)
{
    int32_t value = 16 - (int32_t)t->thread.x; /* 16 to -15 */
    (void)ATOMIC_MIN(t, a->s + MIN, value);
    (void)ATOMIC_MAX(t, a->s + MAX, value);
    RED_ADD(t, a->s + ADD, value);
    RED_ADD(t, a->f, 0.5F);
    (void)ATOMIC_EXCHANGE(t, a->w, UINT64_C(1) << 40 | t->thread.x);
    RED_MIN(t, a->u + MIN, t->thread.x + 5);
    RED_MAX(t, a->u + MAX, t->thread.x + 5);
    RED_OR(t, a->u + OR, t->thread.x);
}
GM_KERNEL(other_types, cells)

static cells take(trail *t)
{
    gm_error error;
    cells a = {
        .u = gm_device_take(&t->device, "u", OPERATIONS, sizeof *a.u, false, &error),
        .s = gm_device_take(&t->device, "s", OPERATIONS, sizeof *a.s, false, &error),
        .f = gm_device_take(&t->device, "f", 1, sizeof *a.f, false, &error),
        .w = gm_device_take(&t->device, "w", 1, sizeof *a.w, false, &error),
        .old = gm_device_take(&t->device, "old", (size_t)OPERATIONS * LANES, sizeof *a.old, false,
                              &error),
    };
    return a;
}

static void lanes_take_turns(void **state)
{
    (void)state;
    trail t;
    gm_error error;
    trail_start(&t);
    cells a = take(&t);
    uint32_t expected[OPERATIONS] = {100, 100, 0, 0, 77, 4};
    for (uint32_t i = 0; i < OPERATIONS; i++) {
        a.u[i] = expected[i];
    }
    test_ok(trail_run(&t, &unsigned_operations_code, &a, LANES, &error), error);
    for (uint32_t lane = 0; lane < LANES; lane++) {
        uint32_t value = (lane * 7 + 3) % 32;
        for (uint32_t i = 0; i < OPERATIONS; i++) {
            assert_int_equal(a.old[i * LANES + lane], expected[i]);
        }
        expected[ADD] += value;
        expected[MIN] = value < expected[MIN] ? value : expected[MIN];
        expected[MAX] = value > expected[MAX] ? value : expected[MAX];
        expected[OR] |= UINT32_C(1) << value;
        expected[EXCHANGE] = value;
        expected[CAS] = expected[CAS] == lane ? lane + 1 : expected[CAS];
    }
    /* by hand: 7 is odd, so the values are 0 to 31 in some order; CAS begins at 4, where lanes 4 to
     * 31 find what they expect */
    assert_int_equal(a.u[ADD], 100 + 31 * 32 / 2);
    assert_int_equal(a.u[MIN], 0);
    assert_int_equal(a.u[MAX], 31);
    assert_int_equal(a.u[OR], UINT32_MAX);
    assert_int_equal(a.u[EXCHANGE], (31 * 7 + 3) % 32);
    assert_int_equal(a.u[CAS], 32);
    trail_stop(&t);
}

static void types_keep_their_order(void **state)
{
    (void)state;
    trail t;
    gm_error error;
    trail_start(&t);
    cells a = take(&t);
    a.u[MIN] = UINT32_MAX;
    a.u[MAX] = 0;
    a.u[OR] = 64;
    test_ok(trail_run(&t, &other_types_code, &a, LANES, &error), error);
    assert_int_equal(a.s[MIN], -15); /* unsigned it would be 0 */
    assert_int_equal(a.s[MAX], 16);  /* unsigned it would be 2^32 - 1 */
    assert_int_equal(a.s[ADD], 16);  /* 16 + 15 + ... - 15 */
    assert_true(a.f[0] == 16.0F);
    assert_true(a.w[0] == (UINT64_C(1) << 40 | 31));
    assert_int_equal(a.u[MIN], 5);
    assert_int_equal(a.u[MAX], 36);
    assert_int_equal(a.u[OR], 64 | 31);
    static const char *const text[] = {"ATOMG.E.MIN.S32", "ATOMG.E.MAX.S32", "RED.E.ADD.S32"};
    for (unsigned i = 0; i < 2; i++) {
        const gm_point *point = &t.simt->current->point[i];
        const char *found = t.opcodes.opcodes[point->instructions[0].opcode].text;
        if (strcmp(found, text[i]) != 0) {
            fail_msg("%s, not %s", found, text[i]);
        }
    }
    trail_stop(&t);
}

typedef struct counts {
    uint32_t bin[8];
} counts;

typedef struct shared_arguments {
    uint32_t *bins, *old;
} shared_arguments;

GM_THREAD(shared_histogram, shared_arguments)
{
    counts *s = t->shared;
    BEGIN(t)
    if (t->thread.x < 8) {
        SHARED_STORE(t, s->bin + t->thread.x, 0);
    }
    BARRIER(t);
    uint32_t old = SHARED_ATOMIC_ADD(t, s->bin + t->thread.x % 8, 1U);
    a->old[t->thread.x] = old;
    BARRIER(t);
    if (t->thread.x < 8) {
        uint32_t count = SHARED_LOAD(t, s->bin + t->thread.x);
        STORE(t, a->bins + t->thread.x, count);
    }
    END(t);
}
typedef struct no_locals {
    int unused;
} no_locals;
GM_BARRIER_KERNEL(shared_histogram, shared_arguments, no_locals, counts)

static void shared_atomics_count(void **state)
{
    (void)state;
    trail t;
    gm_error error;
    trail_start(&t);
    shared_arguments a = {
        .bins = gm_device_take(&t.device, "bins", 8, sizeof *a.bins, false, &error),
        .old = gm_device_take(&t.device, "old", 96, sizeof *a.old, false, &error),
    };
    test_ok(trail_run(&t, &shared_histogram_code, &a, 96, &error), error);
    for (uint32_t i = 0; i < 8; i++) {
        assert_int_equal(a.bins[i], 12);
    }
    for (uint32_t thread = 0; thread < 96; thread++) {
        assert_int_equal(a.old[thread], thread / 8); /* warps in order, lanes in order */
    }
    trail_stop(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_take_turns),
        cmocka_unit_test(types_keep_their_order),
        cmocka_unit_test(shared_atomics_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
