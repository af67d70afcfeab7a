/* Operand collectors of an SM, between issue and the units, as in GPGPU-Sim (its manual, "Operand
 * Collector"; -gpgpu_operand_collector_num_units_gen). Each instruction for a unit takes a register
 * of its class, then any free collector, and leaves it when its operands are read and its unit
 * takes it. Loads that wait for the load/store unit thereby keep collectors from arithmetic.
 *
 * sm.branch_units are GPGPU-Sim's first specialized unit (-specialized_unit_1 1,4,4,4,4,BRA):
 * branches have that many units, whichever is free, and as many registers in front of the
 * collectors and behind them. A branch that has its operands leaves its collector for a register
 * behind them.
 *
 * sm.subcores (-gpgpu_sub_core_model 1) divides the SM: each scheduler has a partition with an
 * equal share of the collectors, a register in front of them and one behind them for each class,
 * and its own branch unit. All partitions have the load/store unit together: it takes the oldest
 * instruction that is behind collectors.
 *
 * In a cycle: instructions leave collectors, to each unit as many as it takes, to the load/store
 * unit one; without sm.subcores the oldest first, straight to their units; with it the first
 * collector's of the partition first, for registers behind that were free in the cycle before. So
 * an instruction in another than the first collector waits while the first one's, refilled, always
 * goes before it. Then those in registers take collectors, by rounds of one of each class, the
 * oldest of it, in the order of gm_collector_class; one whose partition has no free collector keeps
 * those of its class behind it waiting, of other partitions too.
 *
 * From the cycle in which an instruction takes a collector, it may leave (rounds + 1) /
 * sm.register_reads cycles later, rounded down: rounds are the operands in the bank that has most
 * of them (register number mod sm.register_banks; there the warp's slot is added, which moves all
 * operands alike), at most 1 without banks. With sm.register_queues instead it may leave when the
 * banks have read its operands, which they do for all instructions in turn (register_banks.h).
 * Then each of the sm.register_reads steps of a cycle lets banks read after instructions have left
 * collectors and before those in registers take them. Without sm.subcores there are then as many
 * registers behind the collectors as in front of them, and as many dispatch units as collectors,
 * each of which moves an instruction there, from the collector behind that of its last one on; and
 * an instruction takes the unit of any scheduler. unit.X_units of more than the schedulers are then
 * a pool of the SM's own, whichever is free; for tensors, textures and the uniform datapath
 * (-specialized_unit_2 to 4) with as many registers of their own, in front and behind. */
#ifndef GOLDMEM_CYCLE_SM_OPERAND_COLLECTOR_H
#define GOLDMEM_CYCLE_SM_OPERAND_COLLECTOR_H

#include "cycle/lsu/load_store.h"
#include "cycle/sm/register_banks.h"

enum { GM_POOL_UNITS = 8 }; /* most units of a kind in an SM */

enum { GM_COLLECTORS = 32 }; /* most of an SM */

#define GM_NO_COLLECTOR UINT32_MAX

enum { GM_PARTITIONS = 8 }; /* most partitions: a scheduler each */

/* Classes of instructions: the registers in front of the collectors, of a partition. */
typedef enum gm_collector_class {
    GM_COLLECT_FP32,    /* integer as well, without sm.subcores: as many as schedulers; else 1 */
    GM_COLLECT_SPECIAL, /* fp64 and tensor as well, without sm.subcores: 1 */
    GM_COLLECT_MEMORY,  /* 1 */
    GM_COLLECT_TENSOR,  /* 1 with sm.subcores, as many as units of a pool, else none */
    GM_COLLECT_FP64,    /* 1 with sm.subcores, else none, as the next */
    GM_COLLECT_INTEGER,
    GM_COLLECT_CONTROL, /* sm.branch_units, or as many as schedulers; 1 with sm.subcores */
    GM_COLLECT_TEXTURE, /* as many as schedulers or units of a pool; 1 with sm.subcores */
    GM_COLLECT_UNIFORM, /* likewise */
    GM_COLLECT_CLASSES
} gm_collector_class;

/* For how long an instruction takes its unit. */
typedef enum gm_unit_hold {
    GM_HOLD_INTERVAL,
    GM_HOLD_CYCLE, /* a barrier or exit on a unit of arithmetic */
    GM_HOLD_HALF,  /* half the interval, a cycle at least: half precision */
} gm_unit_hold;

/* An instruction in a register or a collector. State; no padding. */
typedef struct gm_collected {
    gm_cycle at; /* cycle from which it may leave its collector, with queues of reads if it is
                    ready; GM_NEVER: it has no collector yet */
    uint64_t
        registers;  /* registers written, packed by gm_timed_pack; memory: 0, the ticket has them */
    uint64_t banks; /* with queues of reads: gm_register_reads.banks, of `rounds` reads */
    /* Of memory instructions: */
    uint32_t requests;
    uint16_t row;
    uint16_t number; /* with sm.subcores or queues of reads: of its collector in the partition */
    uint32_t ticket;
    uint32_t passes;      /* as in gm_memory_access */
    uint16_t slot;        /* of the warp */
    uint8_t pipe;         /* gm_unit */
    uint8_t destinations; /* registers written; memory: 0 */
    uint8_t kind;         /* gm_request_kind; of others gm_unit_hold */
    uint8_t rounds;       /* of register reads: see above */
    uint8_t partition;
    uint8_t behind; /* 1: in a register behind the collectors */
} gm_collected;

/* Places of a partition that are taken. */
typedef struct gm_collector_partition {
    uint64_t taken; /* with sm.subcores or queues of reads: bit set of the taken collectors */
    uint32_t used;  /* collectors */
    uint32_t waiting[GM_COLLECT_CLASSES]; /* registers in front of the collectors */
    uint32_t behind[GM_COLLECT_CLASSES];  /* registers behind them */
} gm_collector_partition;

typedef struct gm_operand_collector {
    uint32_t partitions; /* 1, or the schedulers with sm.subcores */
    bool subcores;       /* sm.subcores */
    bool numbered;       /* sm.subcores or queues of reads: collectors have numbers, and each
                            instruction goes through a register behind them */
    bool any_unit;       /* queues, no sub-cores: an instruction takes any scheduler's unit */
    uint32_t units;      /* collectors of a partition; 0: instructions bypass them */
    uint32_t count;      /* instructions */
    uint32_t rows;
    uint64_t free_rows;                  /* bit set of the rows without an instruction */
    uint32_t banks, reads;               /* sm.register_banks, sm.register_reads */
    uint8_t pool[GM_UNITS];              /* units of the SM's own of each kind; 0: the schedulers'.
                                            Without sm.subcores sm.branch_units, and numbers of more
                                            than schedulers */
    uint32_t places[GM_COLLECT_CLASSES]; /* registers in front of a partition's collectors */
    uint32_t places_behind[GM_COLLECT_CLASSES];
    uint8_t class[GM_UNITS];     /* gm_collector_class of each unit */
    uint8_t unit[GM_UNITS];      /* gm_unit that takes what is for each unit */
    uint8_t last[GM_COLLECTORS]; /* with queues, no sub-cores: collector that each dispatch unit
                                    emptied last */
    gm_cycle free[GM_UNITS][GM_POOL_UNITS]; /* first cycle in which each unit of a pool takes an
                                               instruction */
    gm_collector_partition partition[GM_PARTITIONS];
    uint32_t waiting[GM_COLLECT_CLASSES]; /* of all partitions */
    uint32_t classes_waiting;             /* mask of the classes of which `waiting` is not 0 */
    gm_collected *entry;                  /* [units * partitions + registers], the oldest first */
    gm_line_request *request;             /* [rows][GM_COALESCED_REQUESTS] */
    gm_register_banks register_banks;
} gm_operand_collector;

/* Returns the bytes of arena that gm_operand_collector_init takes; 0 without collectors. */
size_t gm_operand_collector_bytes(const gm_config *config);

/* Returns false if the arena is full. */
bool gm_operand_collector_init(gm_operand_collector *collector, const gm_config *config,
                               gm_arena *arena);

/* Returns the partition of a scheduler. */
static inline uint32_t gm_operand_collector_partition(const gm_operand_collector *collector,
                                                      uint32_t scheduler)
{
    return collector->partitions == 1 ? 0 : scheduler;
}

/* True if a register of the unit's class is free for the scheduler. */
static inline bool gm_operand_collector_takes(const gm_operand_collector *collector, unsigned unit,
                                              uint32_t scheduler)
{
    unsigned class = collector->class[unit];
    uint32_t partition = gm_operand_collector_partition(collector, scheduler);
    return collector->partition[partition].waiting[class] < collector->places[class];
}

/* Returns the reads of an instruction of the scheduler's warp in `slot`, whose registers are packed
 * by gm_timed_pack: `destinations` written ones, then read ones, `count` in all. Without queues of
 * reads their count is that of the rounds. */
gm_register_reads gm_operand_collector_reads(const gm_operand_collector *collector,
                                             uint32_t scheduler, uint32_t slot,
                                             const uint64_t *registers, unsigned destinations,
                                             unsigned count);

/* Puts an instruction into a register of its class; sets its `at`. Requires a free one, and a pipe
 * other than the load/store unit. */
void gm_operand_collector_put(gm_operand_collector *collector, const gm_collected *instruction);

/* Puts a memory instruction of the scheduler, with a copy of its requests, into a register.
 * Requires a free one. */
void gm_operand_collector_put_access(gm_operand_collector *collector,
                                     const gm_memory_access *access, uint32_t scheduler,
                                     const gm_register_reads *reads);

/* Returns the memory instruction in the load/store unit's form. */
gm_memory_access gm_operand_collector_access(const gm_operand_collector *collector,
                                             const gm_collected *instruction);

/* Returns the unit of the pool that is free first. Requires a pool of this kind. */
static inline gm_cycle *gm_operand_collector_pooled_unit(gm_operand_collector *collector,
                                                         unsigned unit)
{
    gm_cycle *units = collector->free[unit];
    gm_cycle *first = units;
    for (uint32_t i = 1; i < collector->pool[unit]; i++) {
        first = units[i] < *first ? &units[i] : first;
    }
    return first;
}

/* Returns the number of the instruction's collector in the SM. Requires one, and numbers. */
static inline uint32_t gm_operand_collector_number(const gm_operand_collector *collector,
                                                   const gm_collected *instruction)
{
    return instruction->partition * collector->units + instruction->number;
}

/* True if the instruction is in a collector and has its operands in cycle `now`, or is behind the
 * collectors. */
static inline bool gm_operand_collector_is_ready(const gm_operand_collector *collector,
                                                 const gm_collected *instruction, gm_cycle now)
{
    const gm_register_banks *banks = &collector->register_banks;
    return instruction->at <= now &&
           (banks->banks == 0 || instruction->behind != 0 ||
            gm_register_banks_is_ready(banks, gm_operand_collector_number(collector, instruction)));
}

/* True if the instruction is in a collector and a register of its class behind them is free.
 * Requires that it is not in front of the collectors. */
static inline bool gm_operand_collector_can_put_behind(const gm_operand_collector *collector,
                                                       const gm_collected *instruction)
{
    unsigned class = collector->class[instruction->pipe];
    return instruction->behind == 0 && collector->partition[instruction->partition].behind[class] <
                                           collector->places_behind[class];
}

/* Moves instruction i from its collector to a register behind the collectors if its class has one
 * that is free. Requires that it has its operands. */
void gm_operand_collector_put_behind(gm_operand_collector *collector, uint32_t i);

/* Removes instruction i from its collector or the register behind. */
void gm_operand_collector_remove(gm_operand_collector *collector, uint32_t i);

/* Notes that the lowest `count` registers of the word are written in cycle `at`, by an instruction
 * of the scheduler's warp in `slot`; see gm_register_banks_write. Without queues, does nothing. */
static inline void gm_operand_collector_write(gm_operand_collector *collector, uint32_t scheduler,
                                              uint32_t slot, uint64_t registers, unsigned count,
                                              gm_cycle at)
{
    if (collector->register_banks.banks != 0) {
        gm_register_banks_write(&collector->register_banks,
                                gm_operand_collector_partition(collector, scheduler), slot,
                                registers, count, at);
    }
}

/* True if a bank of the lowest `count` registers of the word, of the scheduler's warp in `slot`, is
 * written in cycle `now`. Without queues false. */
static inline bool gm_operand_collector_is_written(const gm_operand_collector *collector,
                                                   uint32_t scheduler, uint32_t slot,
                                                   uint64_t registers, unsigned count, gm_cycle now)
{
    const gm_register_banks *banks = &collector->register_banks;
    return banks->banks != 0 &&
           (gm_register_banks_of(banks, gm_operand_collector_partition(collector, scheduler), slot,
                                 registers, count) &
            gm_register_banks_written(banks, now)) != 0;
}

/* True if an instruction in a register gets a collector at the next gm_operand_collector_allocate.
 */
bool gm_operand_collector_can_allocate(const gm_operand_collector *collector);

/* With sm.subcores: moves instructions that have their operands to the registers behind their
 * partition's collectors, as far as these are free, the first collector's first. */
void gm_operand_collector_dispatch(gm_operand_collector *collector, gm_cycle now);

/* Gives free collectors to instructions in registers. */
void gm_operand_collector_allocate(gm_operand_collector *collector, gm_cycle now);

/* Does a cycle of the collectors: instructions that have their operands go behind them, banks with
 * queues read, and instructions in registers take collectors. */
void gm_operand_collector_step(gm_operand_collector *collector, gm_cycle now);

/* Saves or loads the collectors' state. */
void gm_operand_collector_snapshot(gm_operand_collector *collector, gm_snapshot *snapshot);

#endif
