/* What a run counts of each instruction of the kernels' code (cycle engine, docs/running.md). */
#ifndef GOLDMEM_PER_PC_H
#define GOLDMEM_PER_PC_H

#include "goldmem/error.h"
#include "goldmem/instruction.h"
#include "goldmem/statistics.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* COUNTER(name, unit, meaning) */
#define GM_PC_COUNTERS(COUNTER)                                                                    \
    COUNTER(issues, "warp instructions", "issued")                                                 \
    COUNTER(waited, "warp cycles",                                                                 \
            "core cycles between the issue of the warp's instruction before, or its arrival in "   \
            "the SM, and this one")                                                                \
    COUNTER(requests, "line requests", "of loads, stores and atomics that the L1 has taken")       \
    COUNTER(hits, "line requests", "of them, hits of the L1")                                      \
    COUNTER(hits_pending, "line requests", "of them, of a line in flight")                         \
    COUNTER(misses, "line requests", "of them, misses of the L1")                                  \
    COUNTER(bypasses, "line requests", "of them, that bypassed the L1")                            \
    COUNTER(memory_cycles, "core cycles",                                                          \
            "from the issue of memory instructions to the end of each")

typedef struct gm_pc_counts {
#define COUNTER(name, unit, meaning) uint64_t name;
    GM_PC_COUNTERS(COUNTER)
#undef COUNTER
} gm_pc_counts;

typedef struct gm_pc_row {
    uint64_t kernel; /* index of its name */
    uint64_t pc;     /* byte offset in the kernel */
    uint32_t line;   /* of the source, where the trace has it; else 0 */
    char opcode[GM_OPCODE_TEXT];
    gm_pc_counts counts;
} gm_pc_row;

/* Rows by kernel, in the order in which the kernels' names came, then by PC. Instructions of the
 * launches of a name are added up. */
typedef struct gm_pc_profile {
    char **kernel; /* [kernels] names */
    uint64_t kernels, rows;
    gm_pc_row *row;
} gm_pc_profile;

/* Frees the profile and what it points to; NULL is allowed. */
void gm_pc_profile_free(gm_pc_profile *profile);

#ifdef __cplusplus
}
#endif

#endif
