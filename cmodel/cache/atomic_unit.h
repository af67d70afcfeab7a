/* Atomic unit of an L2 bank with an atomic buffer [anssari, 3.4, 3.5]: the block atomic_buffer,
 * what the run keeps of the held line beside it, and counters. It performs the coherent operations:
 * atomics and strong loads, which are those of kind GM_LOAD here. The L2 of each engine moves the
 * lines: docs/l2.md has the rules. */
#ifndef GOLDMEM_CACHE_ATOMIC_UNIT_H
#define GOLDMEM_CACHE_ATOMIC_UNIT_H

#include "base/snapshot.h"
#include "cache/cache.h"
#include "cache/l2_bytes.h"
#include "goldmem/atomic_buffer.h"
#include "goldmem/config.h"
#include "goldmem/statistics.h"

typedef struct gm_atomic_unit {
    gm_atomic_buffer block;
    uint32_t partial; /* lazy: sectors of the held line of which stores have written only a part,
                         which the block does not know of */
    gm_l2_byte_mask bytes; /* l2.dirty=byte: of the held line; a line whose sector is partial has,
                              for the block, the sector */
    gm_atomic_buffer_statistics statistics;
} gm_atomic_unit;

/* A line in the L2: its sectors, which of them are partial (lazy), and, with l2.dirty=byte, its
 * bytes. */
typedef struct gm_atomic_line {
    uint64_t line;
    gm_sector_state state;
    uint32_t partial;
    gm_l2_byte_mask bytes;
} gm_atomic_line;

/* Why a line goes back into the L2. */
typedef enum gm_atomic_put {
    GM_ATOMIC_PUT_FOR_ATOMIC,
    GM_ATOMIC_PUT_FOR_ACCESS,
    GM_ATOMIC_PUT_AT_END,
} gm_atomic_put;

/* Returns the block's parameters. */
gm_atomic_buffer_parameters gm_atomic_unit_parameters(const gm_config *config);

/* Return the bytes of arena that gm_atomic_unit_make takes; make a unit that holds no line, or set
 * *unit to NULL without l2.atomic_buffer. Returns 0 or -ENOMEM. */
size_t gm_atomic_unit_bytes(const gm_config *config);
int gm_atomic_unit_make(gm_atomic_unit **unit, const gm_config *config, gm_arena *arena,
                        gm_error *error);

/* True if the unit holds the line. */
static inline bool gm_atomic_unit_holds(const gm_atomic_unit *unit, uint64_t line)
{
    return unit->block.held && unit->block.line == line;
}

/* True if an operation on these sectors of the line hits. `bytes`: with l2.dirty=byte those that it
 * touches, all of which must be valid; else 0. */
static inline bool gm_atomic_unit_hits(const gm_atomic_unit *unit, uint64_t line, uint32_t sectors,
                                       uint32_t bytes)
{
    return gm_atomic_buffer_has(&unit->block, line, sectors) && (bytes & ~unit->bytes.valid) == 0;
}

/* Returns the held line. Requires one. */
gm_atomic_line gm_atomic_unit_line(const gm_atomic_unit *unit);

/* Performs an operation that hits. Returns the sectors that become dirty: none by a load. Does not
 * change unit->bytes. */
uint32_t gm_atomic_unit_hit(gm_atomic_unit *unit, gm_access_kind kind, uint64_t line,
                            uint32_t sectors);

/* Takes a line from the L2, on `sectors` of which an operation has been performed there. Returns
 * true if *put is a line that goes back into the L2. */
bool gm_atomic_unit_take(gm_atomic_unit *unit, gm_access_kind kind, const gm_atomic_line *taken,
                         uint32_t sectors, gm_atomic_line *put);

/* Counts an operation whose line remains in the L2. */
void gm_atomic_unit_leave(gm_atomic_unit *unit, gm_access_kind kind, uint32_t sectors);

/* Tells the block of another access to a line. Returns true if *put, this line, goes back into the
 * L2 first. */
bool gm_atomic_unit_access(gm_atomic_unit *unit, uint64_t line, gm_atomic_line *put);

/* Ends a kernel. Returns true if *put goes back into the L2. */
bool gm_atomic_unit_flush(gm_atomic_unit *unit, gm_atomic_line *put);

/* Checks the counters of a unit without a line against those of its bank. Returns 0 or -EPROTO.
 * `unit`: NULL: there is none. */
int gm_atomic_unit_check(const gm_atomic_unit *unit, const gm_cache_statistics *bank,
                         const char *where, gm_error *error);

/* Returns the lines that the L2 does not hold any more, in addition to those that it has dropped:
 * an invariant of its tags. `unit` may be NULL. */
uint64_t gm_atomic_unit_gone(const gm_atomic_unit *unit);

void gm_atomic_unit_snapshot(gm_atomic_unit *unit, gm_snapshot *snapshot);

#endif
