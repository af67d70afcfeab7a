/* L1 instruction cache of an SM: tags and MSHRs in front of the SM's port to the interconnect. In
 * each of fetch's turns (fetch.h) it serves one warp: while lines have arrived for which warps
 * wait, the next of these, in the order of their look-ups; else it looks up the line of the next
 * instruction of the next warp in turn.
 *
 * - Hit: the warp's buffer gets its instructions, l1i.latency later than without a cache.
 * - Miss: takes an MSHR entry; the line is requested from the L2 from the next cycle on.
 * - Hit pending: the line is in flight; the warp joins its MSHR entry.
 * - Fail: no MSHR entry is free, or the line's is full. The warp is looked up again, in its turn,
 *   once an entry has been freed.
 *
 * A line takes its way when it has arrived (allocation on fill, LRU), and its warps get their
 * instructions from it even if it is evicted first. Instructions never change, so that lines are
 * kept beyond the end of a kernel. A buffer holds instructions of one line, but with
 * l1i.fetch=behind. docs/l1i.md. */
#ifndef GOLDMEM_CYCLE_SM_L1I_H
#define GOLDMEM_CYCLE_SM_L1I_H

#include "base/ring.h"
#include "cache/cache.h"
#include "cycle/sm/sm.h"
#include "goldmem/mshr.h"

/* The line of an MSHR entry. */
typedef struct gm_l1i_entry {
    gm_cycle since;   /* core cycle of the miss */
    uint32_t packets; /* still to come */
    uint32_t unused;
} gm_l1i_entry;

/* State. */
struct gm_l1i {
    gm_cache cache;
    gm_mshr mshr; /* requesters: warp slots */
    uint32_t latency;
    uint32_t sm;
    gm_l1i_fetch fetch;    /* l1i.fetch */
    uint64_t code;         /* mask of the bits of an instruction's address that tell its line */
    uint64_t region;       /* l1i.shared_code: where all kernels' code begins; else 0 */
    unsigned line_bits;    /* log2 of the bytes of a line */
    unsigned packet_bits;  /* log2 of the bytes that one packet asks for */
    unsigned l2_bits;      /* log2 of the bytes of an L2 line */
    uint32_t slots, words; /* of the SM */
    uint64_t *next;        /* [slots] line of the warp's next instruction */
    uint64_t *line;        /* [slots] line of the instructions in the warp's buffer */
    uint64_t *behind;    /* [slots] address behind the warp's last instruction (l1i.fetch=behind) */
    uint64_t *missing;   /* [words] bit set of warps that wait for a line */
    uint64_t *refused;   /* [words] those of them whose look-up failed */
    gm_l1i_entry *entry; /* [l1i.mshrs] */
    uint32_t *filled;    /* [l1i.mshrs] elements of `arrived` */
    gm_ring arrived;     /* MSHR entries whose lines have arrived, in that order */
    bool freed;          /* an entry was freed, and `refused` has not been looked at since */
    uint64_t served;     /* warps that got their instructions from lines that arrived */
    gm_l1i_statistics statistics;
};

/* Returns the bytes of arena that gm_l1i_make takes: 0 without an instruction cache. */
size_t gm_l1i_bytes(const gm_config *config);

/* Makes the empty cache of SM `number`. Returns NULL if the arena is full. Requires l1i.size. */
gm_l1i *gm_l1i_make(const gm_config *config, uint32_t number, gm_arena *arena);

/* True if warps wait for lines that have arrived. */
static inline bool gm_l1i_has_arrived(const gm_l1i *l1i)
{
    return !gm_ring_is_empty(&l1i->arrived);
}

/* Serves the next warp that waits for a line that has arrived. Requires one. Returns its slot. */
uint32_t gm_l1i_serve(gm_l1i *l1i);

/* Looks up the line of the warp's next instruction. Returns true for a hit; else the warp is
 * missing, and a miss has sent its requests. */
bool gm_l1i_look_up(gm_l1i *l1i, uint32_t slot, gm_load_store *port, gm_cycle now);

/* Takes one of the answers to the miss of an MSHR entry. The last one installs the line. */
void gm_l1i_fill(gm_l1i *l1i, uint32_t entry, gm_cycle now);

/* Notes the address of the warp's next instruction, which may be its first. Returns true if the
 * instruction lies in another line than those in the warp's buffer, which then is empty. */
static inline bool gm_l1i_moves(gm_l1i *l1i, uint32_t slot, uint64_t address, bool first)
{
    enum { INSTRUCTION = 16 };
    address = (address & l1i->code) | l1i->region;
    if (l1i->fetch == GM_L1I_FETCH_BEHIND) {
        l1i->next[slot] = (first ? address : l1i->behind[slot]) >> l1i->line_bits;
        l1i->behind[slot] = address + INSTRUCTION;
        return false;
    }
    l1i->next[slot] = address >> l1i->line_bits;
    return l1i->next[slot] != l1i->line[slot];
}

/* Checks, at the end of a kernel, that no warp and no line is missing, and that the counters agree.
 * Returns 0 or -EPROTO. */
int gm_l1i_check(const gm_l1i *l1i, gm_error *error);

/* Saves or loads the cache's state. */
void gm_l1i_snapshot(gm_l1i *l1i, gm_snapshot *snapshot);

#endif
