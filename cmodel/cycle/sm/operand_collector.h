/* Operand collectors of an SM, between issue and the units, as in GPGPU-Sim (its manual, "Operand
 * Collector"; -gpgpu_operand_collector_num_units_gen). Each instruction for a unit takes a register
 * of its class, then any free collector, and leaves it when its operands are read and its unit
 * takes it. Loads that wait for the load/store unit thereby keep collectors from arithmetic.
 *
 * sm.branch_units are GPGPU-Sim's first specialized unit (-specialized_unit_1 1,4,4,4,4,BRA):
 * branches have that many units, whichever is free, and as many registers in front of the
 * collectors; and one that has its operands leaves its collector for one of as many registers
 * behind them.
 *
 * In a cycle: instructions leave collectors, the oldest first, to each unit and to the load/store
 * unit as many as it takes, memory instructions in order; then those in registers take collectors,
 * rounds of one of each class, the oldest of it: arithmetic, special, memory, control. From the
 * cycle in which an instruction takes a collector, it may leave 2 cycles later, without operands to
 * read 1. Conflicts of register banks are not modelled. */
#ifndef GOLDMEM_CYCLE_SM_OPERAND_COLLECTOR_H
#define GOLDMEM_CYCLE_SM_OPERAND_COLLECTOR_H

#include "cycle/lsu/load_store.h"

enum { GM_BRANCH_UNITS = 8 }; /* most branch units of an SM */

/* Classes of instructions: the registers in front of the collectors. */
typedef enum gm_collector_class {
    GM_COLLECT_ARITHMETIC, /* integer, fp32: as many as schedulers */
    GM_COLLECT_SPECIAL,    /* fp64, special, tensor: 1 */
    GM_COLLECT_MEMORY,     /* 1 */
    GM_COLLECT_CONTROL,    /* sm.branch_units, or as many as schedulers */
    GM_COLLECT_CLASSES
} gm_collector_class;

/* An instruction in a register or a collector. State; no padding. */
typedef struct gm_collected {
    gm_cycle
        at; /* cycle from which it may leave its collector; GM_NEVER: it has no collector yet */
    uint64_t
        registers; /* registers written, packed by gm_timed_pack; memory: 0, the ticket has them */
    /* Of memory instructions: */
    uint32_t requests, row;
    uint32_t ticket;
    uint32_t passes;      /* through shared memory */
    uint16_t slot;        /* of the warp */
    uint8_t pipe;         /* gm_unit */
    uint8_t destinations; /* registers written; memory: 0 */
    uint8_t kind;         /* gm_request_kind */
    uint8_t reads;        /* 1: has operands */
    uint16_t behind;      /* 1: in a register behind the collectors */
} gm_collected;

typedef struct gm_operand_collector {
    uint32_t units;                        /* sm.collectors; 0: instructions bypass them */
    uint32_t used;                         /* collectors in use */
    uint32_t count;                        /* instructions */
    uint32_t rows, next_row;               /* a ring */
    uint32_t waiting[GM_COLLECT_CLASSES];  /* in registers */
    uint32_t places[GM_COLLECT_CLASSES];   /* registers */
    uint32_t branch_units;                 /* sm.branch_units */
    uint32_t behind;                       /* branches in registers behind the collectors */
    gm_cycle branch_free[GM_BRANCH_UNITS]; /* first cycle in which each unit takes an instruction */
    gm_collected *entry;                   /* [units + registers], the oldest first */
    gm_line_request *request;              /* [rows][GM_COALESCED_REQUESTS] */
} gm_operand_collector;

/* Returns the bytes of arena that gm_operand_collector_init takes; 0 without collectors. */
size_t gm_operand_collector_bytes(const gm_config *config);

/* Returns false if the arena is full. */
bool gm_operand_collector_init(gm_operand_collector *collector, const gm_config *config,
                               gm_arena *arena);

/* Returns the class of a pipe, which is a gm_unit. */
gm_collector_class gm_collector_class_of(unsigned pipe);

/* True if a register of the pipe's class is free. */
static inline bool gm_operand_collector_takes(const gm_operand_collector *collector, unsigned pipe)
{
    gm_collector_class class = gm_collector_class_of(pipe);
    return collector->waiting[class] < collector->places[class];
}

/* Puts an instruction into a register of its class; sets its `at`. Requires a free one, and a pipe
 * other than the load/store unit. */
void gm_operand_collector_put(gm_operand_collector *collector, const gm_collected *instruction);

/* Puts a memory instruction, with a copy of its requests, into a register. Requires a free one.
 * `reads`: it has operands. */
void gm_operand_collector_put_access(gm_operand_collector *collector,
                                     const gm_memory_access *access, bool reads);

/* Returns the memory instruction in the load/store unit's form. */
gm_memory_access gm_operand_collector_access(const gm_operand_collector *collector,
                                             const gm_collected *instruction);

/* Returns the branch unit that is free first. Requires sm.branch_units. */
static inline gm_cycle *gm_operand_collector_branch_unit(gm_operand_collector *collector)
{
    gm_cycle *first = collector->branch_free;
    for (uint32_t i = 1; i < collector->branch_units; i++) {
        first = collector->branch_free[i] < *first ? &collector->branch_free[i] : first;
    }
    return first;
}

/* Moves instruction i from its collector to a register behind the collectors if it is a branch and
 * one is free. Requires that it has its operands. */
void gm_operand_collector_put_behind(gm_operand_collector *collector, uint32_t i);

/* Removes instruction i from its collector or the register behind. */
void gm_operand_collector_remove(gm_operand_collector *collector, uint32_t i);

/* Gives free collectors to instructions in registers. */
void gm_operand_collector_allocate(gm_operand_collector *collector, gm_cycle now);

/* Saves or loads the collectors' state. */
void gm_operand_collector_snapshot(gm_operand_collector *collector, gm_snapshot *snapshot);

#endif
