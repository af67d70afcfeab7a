/* Runs a kernel's CTA on the SIMT executor and keeps what was issued, for tests of the executor. */
#ifndef GOLDMEM_TESTS_SUPPORT_WORKLOAD_SIMT_TRAIL_H
#define GOLDMEM_TESTS_SUPPORT_WORKLOAD_SIMT_TRAIL_H

#include "support/support.h"
#include "workload/simt/device.h"
#include "workload/simt/simt_internal.h"

#include <stdlib.h>

enum { TRAIL_STEPS = 1 << 16 };

/* Arguments of a kernel without any. */
typedef struct nothing {
    int unused;
} nothing;

/* A point's place in its kernel's text, from 0, and the lanes that issued it. */
typedef struct step {
    uint32_t point, mask;
} step;

typedef struct trail {
    gm_device device;
    gm_simt *simt;
    gm_opcode_table opcodes;
    step *steps;
    uint32_t count;
    uint32_t begins[64]; /* where each warp's steps begin */
    uint32_t warps;
    gm_instruction last_memory;
    uint64_t address[GM_WARP_SIZE];
} trail;

static inline int trail_begin_cta(void *context, const uint32_t cta[3], gm_error *error)
{
    (void)context, (void)cta, (void)error;
    return 0;
}

static inline int trail_begin_warp(void *context, uint32_t warp, gm_error *error)
{
    (void)error;
    trail *t = context;
    assert_int_equal(warp, t->warps);
    t->begins[t->warps++] = t->count;
    return 0;
}

static inline int trail_note(void *context, const gm_instruction *instruction, gm_error *error)
{
    (void)error;
    trail *t = context;
    assert_true(t->count < TRAIL_STEPS);
    t->steps[t->count++] = (step){(uint32_t)(instruction->pc / 1024), instruction->mask};
    if (instruction->form != GM_ADDRESS_NONE) {
        t->last_memory = *instruction;
        for (unsigned k = 0; k < instruction->addresses; k++) {
            t->address[k] = gm_instruction_address(instruction, k);
        }
    }
    return 0;
}

static inline int trail_end_cta(void *context, gm_error *error)
{
    (void)context, (void)error;
    return 0;
}

static inline void trail_start(trail *t)
{
    gm_error error;
    *t = (trail){0};
    test_ok(gm_device_create(&t->device, &error), error);
    test_ok(gm_simt_create(&t->simt, &t->opcodes, t->device.memory, &error), error);
    t->simt->check_order = true;
    t->steps = calloc(TRAIL_STEPS, sizeof *t->steps);
    assert_non_null(t->steps);
}

static inline void trail_stop(trail *t)
{
    gm_simt_free(t->simt);
    gm_device_free(&t->device);
    gm_opcode_table_free(&t->opcodes);
    free(t->steps);
}

/* Runs one CTA of `threads`. */
static inline int trail_run(trail *t, const gm_code *code, const void *arguments, uint32_t threads,
                            gm_error *error)
{
    const gm_cta_sink sink = {t, trail_begin_cta, trail_begin_warp, trail_note, trail_end_cta};
    const gm_launch launch = {
        .code = code, .arguments = arguments, .grid = {1, 1, 1}, .block = {threads, 1, 1}};
    const gm_dim cta = {0, 0, 0};
    t->count = 0;
    t->warps = 0;
    int result = gm_simt_launch(t->simt, &launch, error);
    return result < 0 ? result : gm_simt_run_cta(t->simt, &launch, &cta, &sink, error);
}

#endif
