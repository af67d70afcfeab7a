/* Banks of the register file, each with a queue of reads that all operand collectors share
 * (sm.register_queues), as in GPGPU-Sim (its manual, "Operand Collector": the arbiter).
 *
 * A register of a warp lies in bank (number + slot of the warp) mod sm.register_banks, with
 * sm.subcores of the banks of the warp's scheduler. Only general registers count. When an
 * instruction takes a collector, each register that it reads, once, joins its bank's queue. A bank
 * serves the oldest read of its queue in each of the sm.register_reads steps of a cycle; in the
 * first step not while it is written, which goes before reads. Results are
 * written in the cycle from which they are available: those of all units, and of loads and atomics
 * but where the last answer is a hit of the L1. No write waits for another one. */
#ifndef GOLDMEM_CYCLE_SM_REGISTER_BANKS_H
#define GOLDMEM_CYCLE_SM_REGISTER_BANKS_H

#include "base/ring.h"
#include "base/snapshot.h"
#include "cycle/util/clock.h"
#include "goldmem/arena.h"
#include "goldmem/config.h"

enum { GM_REGISTER_BANKS = 64 }; /* most banks of an SM with queues */

enum { GM_REGISTER_BANK_BITS = 6 };

/* The banks of an instruction's reads: the lowest GM_REGISTER_BANK_BITS bits are the first's. */
typedef struct gm_register_reads {
    uint64_t banks;
    uint32_t count; /* at most GM_SOURCES */
} gm_register_reads;

/* Banks that are written in a cycle. State; no padding. */
typedef struct gm_register_writes {
    gm_cycle at;
    uint64_t banks; /* bit set */
} gm_register_writes;

typedef struct gm_register_banks {
    uint32_t banks, all;                   /* of a partition, of the SM; 0: no queues */
    uint32_t mask;                         /* places of a queue - 1 */
    uint32_t collectors;                   /* of the SM */
    uint32_t writes_mask;                  /* elements of `write` - 1 */
    uint64_t queued;                       /* bit set of banks whose queues are not empty */
    uint64_t ready;                        /* bit set of the collectors that have all operands */
    gm_ring_span queue[GM_REGISTER_BANKS]; /* of reads */
    uint8_t *reader;                       /* [banks][mask + 1] collector of each read */
    uint8_t *left;                         /* [collectors] operands not read yet */
    gm_register_writes *write; /* [writes_mask + 1] element `at & writes_mask` is of cycle `at` */
} gm_register_banks;

/* Returns the bytes of arena that gm_register_banks_init takes; 0 without queues. */
size_t gm_register_banks_bytes(const gm_config *config);

/* Returns false if the arena is full. Requires a valid configuration. */
bool gm_register_banks_init(gm_register_banks *banks, const gm_config *config, gm_arena *arena);

/* Returns the reads of an instruction of the warp in `slot` whose registers are packed by
 * gm_timed_pack: `destinations` written ones, then read ones, `count` in all. */
gm_register_reads gm_register_banks_reads(const gm_register_banks *banks, uint32_t partition,
                                          uint32_t slot, const uint64_t *registers,
                                          unsigned destinations, unsigned count);

/* Queues the reads of an instruction that has taken the collector. */
void gm_register_banks_take(gm_register_banks *banks, uint32_t collector,
                            const gm_register_reads *reads);

/* The instruction has left the collector. */
static inline void gm_register_banks_leave(gm_register_banks *banks, uint32_t collector)
{
    banks->ready &= ~(UINT64_C(1) << collector);
}

/* True if the collector's instruction has its operands. */
static inline bool gm_register_banks_is_ready(const gm_register_banks *banks, uint32_t collector)
{
    return (banks->ready >> collector & 1) != 0;
}

/* Returns the bit set of the banks that are written in cycle `now`. */
static inline uint64_t gm_register_banks_written(const gm_register_banks *banks, gm_cycle now)
{
    const gm_register_writes *write = &banks->write[now & banks->writes_mask];
    return write->at == now ? write->banks : 0;
}

/* Lets each bank but the `busy` ones serve the oldest read of its queue. */
void gm_register_banks_serve(gm_register_banks *banks, uint64_t busy);

/* Returns the bit set of the banks of the lowest `count` registers of the word. */
uint64_t gm_register_banks_of(const gm_register_banks *banks, uint32_t partition, uint32_t slot,
                              uint64_t registers, unsigned count);

/* Notes that the lowest `count` registers of the word are written in cycle `at`, later than the
 * last gm_register_banks_serve by at most the longest latency of a unit. */
void gm_register_banks_write(gm_register_banks *banks, uint32_t partition, uint32_t slot,
                             uint64_t registers, unsigned count, gm_cycle at);

/* Saves or loads the banks' state. */
void gm_register_banks_snapshot(gm_register_banks *banks, gm_snapshot *snapshot);

#endif
