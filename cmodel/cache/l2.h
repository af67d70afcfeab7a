/* L2 bank of the order engine: applies the access rules (l2_access_rules.h) to a tag array and a
 * DRAM channel at once. Write-back, write-allocate, sectored or not; performs atomics. */
#ifndef GOLDMEM_CACHE_L2_H
#define GOLDMEM_CACHE_L2_H

#include "cache/address_map.h"
#include "cache/atomic_unit.h"
#include "cache/cache.h"
#include "cache/dram.h"
#include "cache/l2_access_rules.h"
#include "cache/l2_bytes.h"
#include "cache/message.h"

typedef struct gm_l2 {
    gm_cache cache;
    gm_l2_policy policy;
    uint32_t *partial; /* lazy: [slots] sectors of which stores have written only a part; else NULL
                        */
    struct gm_l2_bytes *bytes; /* l2.dirty=byte; else NULL. Such an L2 is lazy */
    struct gm_l2_parts *parts; /* l2.dirty=parts; else NULL. Such an L2 is lazy */
    uint8_t inlined; /* kind of message that has an instance in line: GM_MESSAGE_READ; with values
                        none: GM_MESSAGE_KINDS */
    struct gm_values *values;       /* or NULL: gm_l2_keep_values */
    struct gm_streaming *streaming; /* l2.streaming; else NULL */
    gm_atomic_unit *atomics;        /* l2.atomic_buffer; else NULL */
    bool local_bypasses;            /* sharing.local_l2=bypass */
    bool resets;                    /* sharing.kernel_reset */
    gm_cache_statistics statistics;
    gm_l2_coalesced_statistics coalesced; /* policy.bypasses */
    gm_l2_bypassed_statistics bypassed;
    gm_l2_victim_statistics victim; /* policy.victims */
    gm_message_counts received;
    uint64_t dirtied;       /* sectors that became dirty */
    uint64_t dirty_sectors; /* now */
    uint64_t overwritten;   /* sectors that were dirty when a host copy wrote them */
    uint64_t through;       /* sectors that stores wrote through to DRAM */
} gm_l2;

void gm_l2_policy_init(gm_l2_policy *policy, const gm_config *config);

/* Return the bytes of arena that gm_l2_make_partial takes; make l2->partial for a lazy L2, whose
 * cache has been made. Returns 0 or -ENOMEM. */
size_t gm_l2_partial_bytes(const gm_config *config, const gm_cache_parameters *cache);
int gm_l2_make_partial(gm_l2 *l2, const gm_config *config, gm_arena *arena, gm_error *error);

/* Checks the counters of loads that bypass the L2. Returns 0 or -EPROTO. */
int gm_l2_check_coalesced(const gm_l2 *l2, const char *where, gm_error *error);

/* Checks the counters of victims of the L1s. Returns 0 or -EPROTO. */
int gm_l2_check_victims(const gm_l2 *l2, const char *where, gm_error *error);

/* Checks that sectors of which stores have written a part are dirty, and the masks of bytes, if
 * there are some. Returns 0 or -EPROTO. */
int gm_l2_check_partial(const gm_l2 *l2, const char *where, gm_error *error);

/* Return the bytes of arena that gm_l2_make_streaming takes; make the gate of a bank whose cache
 * has been made, with l2.streaming. Returns 0 or -ENOMEM. */
size_t gm_l2_streaming_bytes(const gm_config *config, const gm_cache_parameters *cache);
int gm_l2_make_streaming(gm_l2 *l2, const gm_config *config, gm_arena *arena, gm_error *error);

/* Checks the gate, if there is one, at the end of a kernel. Returns 0 or -EPROTO. */
int gm_l2_check_streaming(const gm_l2 *l2, const char *where, gm_error *error);

/* Makes the atomic unit of a bank, with l2.atomic_buffer, in gm_atomic_unit_bytes of the arena.
 * Returns 0 or -ENOMEM. */
int gm_l2_make_atomics(gm_l2 *l2, const gm_config *config, gm_arena *arena, gm_error *error);

/* Has a bank whose cache is sharing-aware follow the keys sharing.*. */
void gm_l2_make_sharing(gm_l2 *l2, const gm_config *config);

/* Checks the counters of a sharing-aware bank. Returns 0 or -EPROTO. */
int gm_l2_check_sharing(const gm_l2 *l2, const char *where, gm_error *error);

/* Ends a kernel: moves the line in a bank's atomic buffer, if there is one, back into the L2, and
 * forgets the owners of lines, with sharing.kernel_reset. `at`: any line of the bank. */
void gm_l2_end_kernel(gm_l2 *l2, gm_dram *dram, const gm_address_map *map, gm_location at);

/* Takes a line that leaves the tags for the atomic buffer, or had been taken, in or out of them:
 * private to the L2 of either engine. */
gm_atomic_line gm_l2_take_line(gm_l2 *l2, gm_cache_place place);
void gm_l2_set_line(gm_l2 *l2, uint32_t slot, const gm_atomic_line *line);

/* True if a coherent operation hits in the atomic buffer; performs such an operation there.
 * `bytes`: of an atomic, those that its message has. Private to the L2 of either engine. */
static inline bool gm_l2_hits_in_buffer(const gm_l2 *l2, gm_message_kind kind, uint64_t line,
                                        uint32_t sectors, uint32_t bytes)
{
    return gm_atomic_unit_hits(l2->atomics, line, sectors,
                               l2->bytes != NULL ? gm_l2_bytes_needed(kind, bytes) : 0);
}
void gm_l2_hit_in_buffer(gm_l2 *l2, gm_message_kind kind, uint64_t line, uint32_t sectors,
                         uint32_t bytes);

/* Private to the L2 of either engine. Makes the slot's line, which has just been allocated, a
 * victim of an SM's L1, of these sectors. */
void gm_l2_fill_with_victim(gm_l2 *l2, uint32_t slot, uint32_t sm, uint64_t l2_line,
                            uint32_t sectors);

/* Drops the line at `place`, which a read has taken to an L1: gm_l2_moves. */
void gm_l2_move(gm_l2 *l2, gm_cache_place place);

/* Gives the bank's messages values from now on. */
void gm_l2_keep_values(gm_l2 *l2, struct gm_values *values);

/* Does one message for a line of this bank; fills and write-backs go to the DRAM channel. */
gm_outcome gm_l2_access(gm_l2 *l2, gm_dram *dram, const gm_address_map *map, gm_location at,
                        const gm_message *message);

#endif
