/* Coherent requests of the timed L2 bank: what a look-up and an answer tell the protocol
 * (coherence/), and what it adds to a response. Private to the bank. */
#ifndef GOLDMEM_CYCLE_L2_L2_COHERENT_H
#define GOLDMEM_CYCLE_L2_L2_COHERENT_H

#include "cycle/l2/l2_bank.h"

/* Bytes of arena that gm_l2_coherent_init takes. */
size_t gm_l2_coherent_bytes(const gm_l2_shared *shared);

/* Makes bank->coherent. Returns 0, -EINVAL or -ENOMEM. */
int gm_l2_coherent_init(gm_l2_bank *bank, gm_arena *arena, gm_error *error);

/* The oldest packet is looked up, its line being in `slot` or, NO_SLOT, without data: tells the
 * protocol at the first of its look-ups that does not fail otherwise. */
void gm_l2_coherent_arrive(gm_l2_bank *bank, const gm_packet *packet, uint32_t slot, gm_cycle now);

/* True if a request that hits may be done: its line is not recalled, and a directory has room for
 * it, or has made some. */
bool gm_l2_coherent_admits(gm_l2_bank *bank, const gm_packet *packet, gm_cycle now);

/* The requests of an MSHR entry, whose line is in `slot`, have all been answered. */
void gm_l2_coherent_answered(gm_l2_bank *bank, uint32_t slot);

/* Does a request on the line in `slot`, and makes the packet its response but for `response`.
 * Returns 0; or, if it must wait, the core cycle in which to try it again, and nothing changed; or
 * GM_NEVER: it waits for SMs that have copies (l2_directory.h). */
gm_cycle gm_l2_coherent_perform(gm_l2_bank *bank, gm_packet *packet, uint32_t slot, gm_cycle now);

/* True if `line` can be fetched for a packet and the line in slot `victim` be evicted. Else sets
 * bank->retry_from. */
bool gm_l2_coherent_has_room(gm_l2_bank *bank, const gm_packet *packet, uint64_t line,
                             uint32_t victim, gm_cycle now);

/* MSHR entry `entry` begins to fetch `line` for a packet, and the line in `victim` is evicted. */
void gm_l2_coherent_fetch(gm_l2_bank *bank, const gm_packet *packet, uint64_t line, uint32_t entry,
                          uint32_t victim, gm_cycle now);

/* The data of the entry's line are in `slot`. */
void gm_l2_coherent_install(gm_l2_bank *bank, uint32_t entry, uint32_t slot);

/* A host copy has changed the line `line` in the bank, which was `present` or not. */
void gm_l2_coherent_copied(gm_l2_bank *bank, uint64_t line, bool present, gm_cycle now);

int gm_l2_coherent_check(const gm_l2_bank *bank, const char *where, gm_error *error);
void gm_l2_coherent_snapshot(gm_l2_bank *bank, gm_snapshot *snapshot);

#endif
