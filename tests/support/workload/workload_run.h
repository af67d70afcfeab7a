/* Runs a built-in workload to its end and checks what every one must keep: points ascend but for
 * loops, accesses are aligned and inside their arrays, warps end in EXIT. */
#ifndef GOLDMEM_TESTS_SUPPORT_WORKLOAD_WORKLOAD_RUN_H
#define GOLDMEM_TESTS_SUPPORT_WORKLOAD_WORKLOAD_RUN_H

#include "support/support.h"
#include "workload/workload_internal.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct workload_run {
    gm_source *source;
    gm_kernel kernel;
    uint64_t kernels, ctas, warps, copies, copy_bytes;
    uint64_t instructions, memory;
    uint64_t thread_instructions;
    uint64_t lanes;  /* accesses */
    uint64_t local;  /* those to local memory */
    uint64_t global; /* global loads and stores, */
    uint64_t lines;  /* and the 128-byte lines that they touch */
    uint64_t shared; /* shared loads and stores, */
    uint64_t passes; /* and the passes that they take with 32 banks of 4 bytes */
    uint64_t limit;  /* of instructions: then the run ends early; 0: none */
    uint64_t hash;   /* of everything delivered */
    uint8_t last_op; /* of the warp */
    bool in_cta;
    bool counts_lines; /* fills in global, lines, shared and passes */
} workload_run;

/* FNV-1a */
static inline void workload_hash(workload_run *run, uint64_t value)
{
    run->hash = (run->hash ^ value) * UINT64_C(0x100000001b3);
}

static inline void workload_check_address(workload_run *run, const gm_instruction *instruction,
                                          uint64_t address)
{
    uint64_t width = instruction->width;
    assert_true(width > 0 && (address & (width - 1)) == 0);
    if (instruction->space == GM_SPACE_SHARED) {
        assert_true(address + width <= run->kernel.shared_bytes);
        return;
    }
    if (instruction->space == GM_SPACE_LOCAL) {
        assert_true(address >= GM_LOCAL_BASE &&
                    address + width <=
                        GM_LOCAL_BASE + gm_workload_of(run->source)->launch.code->local_bytes);
        return;
    }
    const gm_device *device = &gm_workload_of(run->source)->device;
    for (unsigned i = 0; i < device->arrays; i++) {
        const gm_device_array *array = &device->array[i];
        uint64_t from =
            GM_DEVICE_BASE + (uint64_t)((const unsigned char *)array->data - device->memory);
        if (address >= from && address + width <= from + array->bytes) {
            return;
        }
    }
    fail_msg("kernel %s: address 0x%llx is in no array", run->kernel.name,
             (unsigned long long)address);
}

static inline int workload_end_of_warp(const workload_run *run)
{
    assert_true(!run->in_cta || run->last_op == GM_OP_EXIT);
    return 0;
}

static inline int workload_begin_cta(void *context, const uint32_t cta[3], gm_error *error)
{
    (void)error;
    workload_run *run = context;
    for (unsigned i = 0; i < 3; i++) {
        assert_true(cta[i] < run->kernel.grid[i]);
        workload_hash(run, cta[i]);
    }
    run->ctas++;
    run->in_cta = false;
    return 0;
}

static inline int workload_begin_warp(void *context, uint32_t warp, gm_error *error)
{
    (void)error;
    workload_run *run = context;
    workload_end_of_warp(run);
    workload_hash(run, warp);
    run->warps++;
    run->in_cta = true;
    run->last_op = GM_OP_COMPUTE;
    return 0;
}

/* Different values of address / unit among an instruction's accesses; `bank` < 32: of those where
 * address / unit % 32 is that. */
static inline unsigned workload_different(const gm_instruction *instruction, uint64_t unit,
                                          unsigned bank)
{
    uint64_t seen[GM_WARP_SIZE];
    unsigned count = 0;
    for (unsigned k = 0; k < instruction->addresses; k++) {
        uint64_t value = gm_instruction_address(instruction, k) / unit;
        unsigned i = 0;
        while (i < count && seen[i] != value) {
            i++;
        }
        if (i == count && (bank >= 32 || value % 32 == bank)) {
            seen[count++] = value;
        }
    }
    return count;
}

static inline void workload_count_lines(workload_run *run, const gm_instruction *instruction)
{
    if (instruction->space == GM_SPACE_GLOBAL) {
        run->global++;
        run->lines += workload_different(instruction, 128, 32);
    } else if (instruction->space == GM_SPACE_SHARED) {
        unsigned most = 0;
        for (unsigned bank = 0; bank < 32; bank++) {
            unsigned words = workload_different(instruction, 4, bank);
            most = words > most ? words : most;
        }
        run->shared++;
        run->passes += most;
    }
}

static inline int workload_instruction(void *context, const gm_instruction *instruction,
                                       gm_error *error)
{
    workload_run *run = context;
    if (run->limit != 0 && run->instructions == run->limit) {
        return gm_fail(error, -ECANCELED, "enough");
    }
    assert_true(instruction->mask != 0);
    run->instructions++;
    run->thread_instructions += (unsigned)__builtin_popcount(instruction->mask);
    if (run->counts_lines) {
        workload_count_lines(run, instruction);
    }
    run->memory += instruction->width != 0;
    run->lanes += instruction->addresses;
    run->local += instruction->space == GM_SPACE_LOCAL ? instruction->addresses : 0;
    run->last_op = instruction->op;
    workload_hash(run, instruction->pc);
    workload_hash(run, instruction->mask);
    workload_hash(run, (uint64_t)instruction->opcode << 16 | instruction->width);
    for (unsigned i = 0; i < instruction->sources; i++) {
        workload_hash(run, instruction->source[i]);
    }
    for (unsigned k = 0; k < instruction->addresses; k++) {
        uint64_t address = gm_instruction_address(instruction, k);
        workload_check_address(run, instruction, address);
        workload_hash(run, address);
    }
    return 0;
}

static inline int workload_end_cta(void *context, gm_error *error)
{
    (void)error;
    return workload_end_of_warp(context);
}

static inline workload_run workload_run_open(const char *specification)
{
    gm_error error;
    workload_run run = {.hash = UINT64_C(0xcbf29ce484222325)};
    test_ok(gm_workload_open(&run.source, specification, &error), error);
    gm_workload_of(run.source)->simt->check_order = true;
    return run;
}

/* Delivers what is left, or up to run->limit. */
static inline void workload_run_drain(workload_run *run)
{
    const gm_cta_sink sink = {run, workload_begin_cta, workload_begin_warp, workload_instruction,
                              workload_end_cta};
    gm_error error;
    gm_command command;
    int result = gm_source_next_command(run->source, &command, &error);
    while (result == 1) {
        if (command.kind == GM_COMMAND_COPY) {
            run->copies++;
            run->copy_bytes += command.bytes;
            workload_hash(run, command.address);
        } else {
            run->kernels++;
            run->kernel = *command.kernel;
            do {
                result = gm_source_next_cta(run->source, &sink, &error);
            } while (result == 1);
        }
        if (result >= 0) {
            result = gm_source_next_command(run->source, &command, &error);
        }
    }
    if (result != -ECANCELED) {
        test_ok(result, error);
    }
}

/* Opens and drains. */
static inline workload_run workload_run_whole(const char *specification)
{
    workload_run run = workload_run_open(specification);
    workload_run_drain(&run);
    return run;
}

/* An array's elements. */
static inline void *workload_data(const workload_run *run, const char *name)
{
    const gm_device_array *array = gm_workload_array(run->source, name);
    assert_non_null(array);
    return array->data;
}

/* As workload_data; fails unless the array has `count` elements of `size` bytes. */
static inline void *workload_array(gm_source *source, const char *name, size_t count, size_t size)
{
    const gm_device_array *array = gm_workload_array(source, name);
    assert_non_null(array);
    assert_int_equal(array->bytes, count * size);
    return array->data;
}

/* |a - b| <= tolerance * max(1, |b|). */
static inline void workload_close(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance * fmax(1.0, fabs(b)))) {
        fail_msg("%.9g where %.9g is expected", a, b);
    }
}

static inline void workload_all_close(const float *actual, const float *expected, size_t count,
                                      double tolerance)
{
    for (size_t i = 0; i < count; i++) {
        workload_close((double)actual[i], (double)expected[i], tolerance);
    }
}

#endif
