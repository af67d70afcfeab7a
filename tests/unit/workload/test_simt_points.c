/* Program points as instructions: device addresses, opcodes, registers; kernels that are refused.
 */
#include "support/workload/simt_trail.h"

#include <errno.h>
#include <string.h>

typedef struct turns {
    uint32_t i;
} turns;
typedef struct tile {
    uint32_t value[64];
} tile;

typedef struct arrays {
    uint32_t *x;
    uint32_t mode;
} arrays;

typedef struct spill {
    uint32_t value[4];
} spill;

GM_THREAD(place, arrays)
{
    uint32_t x = t->thread.x;
    spill *l = t->locals;
    tile *s = t->shared;
    BEGIN(t)
    switch (a->mode) {
    case 0:
        STORE(t, a->x + (size_t)3 * x, 1);
        break;
    case 1:
        STORE(t, a->x + (size_t)x * x, 1);
        break;
    case 2:
        SHARED_STORE(t, &s->value[x], 1);
        break;
    case 3:
        LOCAL_STORE(t, &l->value[2], 1);
        break;
    default:
        if (x % 8 == 0) {
            STORE(t, a->x + x, 1);
        }
        break;
    }
    END(t);
}
GM_BARRIER_KERNEL(place, arrays, spill, tile)

static void addresses_are_the_devices(void **state)
{
    (void)state;
    trail t;
    gm_error error;
    trail_start(&t);
    arrays a = {0};
    assert_non_null(gm_device_take(&t.device, "first", 100, 1, false, &error));
    a.x = gm_device_take(&t.device, "x", 1024, sizeof *a.x, false, &error);
    assert_non_null(a.x);
    for (; a.mode <= 4; a.mode++) {
        test_ok(trail_run(&t, &place_code, &a, 32, &error), error);
        for (unsigned k = 0; k < t.last_memory.addresses; k++) {
            /* the second array lies 512 bytes behind the first */
            const uint64_t expected[] = {
                UINT64_C(0x7f0000000200) + (uint64_t)12 * k,
                UINT64_C(0x7f0000000200) + (uint64_t)4 * k * k,
                (uint64_t)4 * k,
                UINT64_C(0x7e0000000008), /* word 2 of each thread's own window */
                UINT64_C(0x7f0000000200) + (uint64_t)32 * k,
            };
            assert_int_equal(t.address[k], expected[a.mode]);
        }
        const uint8_t forms[] = {GM_ADDRESS_STRIDE, GM_ADDRESS_LIST, GM_ADDRESS_STRIDE,
                                 GM_ADDRESS_STRIDE, GM_ADDRESS_STRIDE};
        assert_int_equal(t.last_memory.form, forms[a.mode]);
        assert_int_equal(t.last_memory.mask, a.mode == 4 ? 0x01010101 : 0xffffffff);
        assert_int_equal(t.last_memory.width, 4);
    }
    trail_stop(&t);
}

GM_THREAD(unmarked, nothing)
{
    (void)a;
    for (uint32_t i = 0; i < 2; i++) {
        FENCE(t, GPU);
    }
}
GM_KERNEL(unmarked, nothing)

GM_THREAD(endless, nothing)
{
    (void)a;
    for (uint32_t i = 0; i < GM_SIMT_EVENTS; i++) {
        LOOP(t);
    }
}
GM_KERNEL(endless, nothing)

GM_THREAD(split, nothing)
{
    (void)a;
    BEGIN(t)
    if (t->thread.x == 0) {
        BARRIER(t);
    }
    FENCE(t, GPU);
    END(t);
}
GM_BARRIER_KERNEL(split, nothing, turns, tile)

static void refuses_broken_kernels(void **state)
{
    (void)state;
    static const struct {
        const gm_code *code;
        const char *message;
    } cases[] = {
        {&unmarked_code, "without LOOP"},
        {&endless_code, "kernel endless: a thread has 131072 events or more between barriers or "
                        "yields"},
        {&split_code, "kernel split: a barrier that not all lanes reach"},
    };
    trail t;
    trail_start(&t);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gm_error error;
        assert_int_equal(trail_run(&t, cases[i].code, &(nothing){0}, 2, &error), -EINVAL);
        assert_non_null(strstr(error.text, cases[i].message));
    }
    trail_stop(&t);
}

GM_THREAD(fences, nothing)
{
    (void)a;
    FENCE(t, CTA);
    FENCE(t, GPU);
    FENCE(t, SYS);
}
GM_KERNEL(fences, nothing)

static void fences_have_scopes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        gm_scope scope;
    } expected[] = {{"MEMBAR.SC.CTA", GM_SCOPE_CTA},
                    {"MEMBAR.SC.GPU", GM_SCOPE_GPU},
                    {"MEMBAR.SC.SYS", GM_SCOPE_SYS}};
    trail t;
    gm_error error;
    trail_start(&t);
    test_ok(trail_run(&t, &fences_code, &(nothing){0}, 32, &error), error);
    for (unsigned i = 0; i < 3; i++) {
        const gm_instruction *fence = t.simt->current->point[i].instructions;
        assert_string_equal(t.opcodes.opcodes[fence->opcode].text, expected[i].text);
        assert_int_equal(t.opcodes.opcodes[fence->opcode].scope, expected[i].scope);
        assert_int_equal(fence->op, GM_OP_FENCE);
    }
    trail_stop(&t);
}

GM_THREAD(chain, arrays)
{
    COMPUTE(t, INTEGER, 1);
    uint32_t x = LOAD(t, a->x);
    uint32_t y = LOAD(t, a->x + 1);
    COMPUTE(t, FP32, 2);
    STORE(t, a->x, x + y);
    (void)ATOMIC_ADD(t, a->x, 1U);
    RED_MAX(t, a->x, 1U);
}
GM_KERNEL(chain, arrays)

static void registers_carry_the_dependences(void **state)
{
    (void)state;
    trail t;
    gm_error error;
    trail_start(&t);
    arrays a = {.x = gm_device_take(&t.device, "x", 4, sizeof *a.x, false, &error)};
    test_ok(trail_run(&t, &chain_code, &a, 1, &error), error);
    static const char *const text[] = {"IADD3", "LDG.E",       "LDG.E",     "FFMA",
                                       "STG.E", "ATOMG.E.ADD", "RED.E.MAX", "EXIT"};
    for (unsigned i = 0; i < 8; i++) {
        const gm_point *point = &t.simt->current->point[i];
        assert_string_equal(t.opcodes.opcodes[point->instructions[0].opcode].text, text[i]);
    }
    const gm_point *p = t.simt->current->point;
    const gm_instruction *first = p[1].instructions;
    const gm_instruction *second = p[2].instructions;
    assert_int_equal(first->source[0], p[0].instructions->destination[0]); /* address */
    assert_int_not_equal(first->destination[0], second->destination[0]);
    const gm_instruction *add = p[3].instructions;
    assert_int_equal(p[3].count, 2);
    assert_int_equal(add[1].pc - add[0].pc, 16);
    assert_int_equal(add[0].sources, 3); /* itself and both loads */
    assert_int_equal(add[0].source[1], first->destination[0]);
    assert_int_equal(add[0].source[2], second->destination[0]);
    assert_int_equal(add[1].source[0], add[0].destination[0]);
    assert_int_equal(p[4].instructions->destinations, 0);
    assert_int_equal(p[4].instructions->source[1], add[1].destination[0]); /* stored value */
    assert_int_equal(p[5].instructions->destinations, 1);
    assert_int_equal(p[6].instructions->destinations, 0);
    trail_stop(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_are_the_devices),
        cmocka_unit_test(refuses_broken_kernels),
        cmocka_unit_test(fences_have_scopes),
        cmocka_unit_test(registers_carry_the_dependences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
