/* Parts of sectors in a lazy L1 (l1.parts): the bytes that stores have written of sectors that the
 * L1 lacks. A sector of which the SM's stores have written all bytes between them is valid, as in
 * GPGPU-Sim, whose cache blocks have a byte mask. As many sectors as the L1 has are known, each in
 * the place that its number says, until another takes the place or the L1 is emptied. */
#ifndef GOLDMEM_CYCLE_L1_L1_PARTS_H
#define GOLDMEM_CYCLE_L1_L1_PARTS_H

#include "base/snapshot.h"
#include "frontend/coalescer.h"
#include "goldmem/arena.h"

typedef struct gm_l1_part {
    uint64_t sector; /* its number plus 1; 0: none */
    uint32_t bytes;  /* written */
    uint32_t unused;
} gm_l1_part;

typedef struct gm_l1_parts {
    gm_l1_part *part; /* [places] */
    uint64_t places;  /* a power of two */
    unsigned sector_bits;
} gm_l1_parts;

/* Returns the bytes of arena that gm_l1_parts_make takes, for an L1 of so many sectors. */
size_t gm_l1_parts_bytes(uint64_t sectors);

/* Makes no parts. `sector_bits`: log2 of the sectors of a line. Returns NULL if the arena is full.
 */
gm_l1_parts *gm_l1_parts_make(uint64_t sectors, unsigned sector_bits, gm_arena *arena);

/* Returns those of the sectors of a line that are written whole when a store has written `bytes`
 * [sectors of a line]; changes nothing but `bytes`, to which it adds what is written already. */
uint32_t gm_l1_parts_join(const gm_l1_parts *parts, uint64_t line, uint32_t sectors,
                          uint32_t *bytes);

/* Keeps joined bytes of sectors of a line, but of those that are whole. */
void gm_l1_parts_keep(gm_l1_parts *parts, uint64_t line, uint32_t sectors, const uint32_t *bytes);

/* Forgets all parts. */
void gm_l1_parts_clear(gm_l1_parts *parts);

void gm_l1_parts_snapshot(gm_l1_parts *parts, gm_snapshot *snapshot);

#endif
