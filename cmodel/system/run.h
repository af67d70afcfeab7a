/* Runs: consecutive instructions of a warp that touch no memory and wait for nothing. Each takes
 * its turn in the schedule, but only their number is kept, as one record of the warp store. */
#ifndef GOLDMEM_SYSTEM_RUN_H
#define GOLDMEM_SYSTEM_RUN_H

#include "goldmem/instruction.h"

typedef struct gm_run {
    uint64_t instructions;
    uint64_t lanes; /* active in them */
} gm_run;

/* Does the instruction do no more than take its turn? */
static inline bool gm_run_accepts(const gm_instruction *instruction)
{
    return instruction->width == 0 && instruction->op != GM_OP_BARRIER &&
           instruction->op != GM_OP_FENCE;
}

/* A record that no source delivers: GM_OPS is no instruction's. */
static inline gm_instruction gm_run_pack(const gm_run *run)
{
    return (gm_instruction){
        .op = GM_OPS, .pc = run->lanes, .immediate = (int64_t)run->instructions};
}

static inline bool gm_run_is(const gm_instruction *instruction)
{
    return instruction->op == GM_OPS;
}

static inline gm_run gm_run_unpack(const gm_instruction *instruction)
{
    return (gm_run){(uint64_t)instruction->immediate, instruction->pc};
}

#endif
