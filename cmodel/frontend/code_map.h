/* Code map: what lies at each address of the kernels' code (gm_intake_code). */
#ifndef GOLDMEM_FRONTEND_CODE_MAP_H
#define GOLDMEM_FRONTEND_CODE_MAP_H

#include "base/line_table.h"
#include "goldmem/per_pc.h"
#include "goldmem/source.h"

typedef struct gm_code_region {
    uint64_t begin; /* address of pc 0 */
    char *name;
} gm_code_region;

typedef struct gm_code_map {
    gm_line_table instructions; /* address -> a word: opcode's number and source line */
    gm_code_region *region;     /* [regions] in the order in which they came */
    uint64_t regions, room;
} gm_code_map;

void gm_code_map_init(gm_code_map *map);
void gm_code_map_free(gm_code_map *map);

/* Adds a kernel's name, once. Returns 0 or -ENOMEM. */
int gm_code_map_kernel(gm_code_map *map, uint64_t begin, const char *name);

/* Adds an instruction, once. Returns 0 or -ENOMEM. */
int gm_code_map_note(gm_code_map *map, uint64_t address, const gm_instruction *instruction);

/* Makes the profile of counts by address, gm_pc_counts, all of which the map has.
 * gm_pc_profile_free frees it in any case. Returns 0 or -ENOMEM. */
int gm_code_map_profile(gm_code_map *map, const gm_line_table *counts,
                        const gm_opcode_table *opcodes, gm_pc_profile **profile);

#endif
