/* Code map: what lies at each address of the kernels' code, and counts by it. */
#include "frontend/code_map.h"

#include "frontend/intake.h"
#include "goldmem/bits.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct known {
    uint32_t opcode, line;
} known;

void gm_code_map_init(gm_code_map *map)
{
    *map = (gm_code_map){0};
    gm_line_table_init(&map->instructions, sizeof(known));
}

void gm_code_map_free(gm_code_map *map)
{
    for (uint64_t i = 0; i < map->regions; i++) {
        free(map->region[i].name);
    }
    free(map->region);
    gm_line_table_free(&map->instructions);
    gm_code_map_init(map);
}

int gm_code_map_kernel(gm_code_map *map, uint64_t begin, const char *name)
{
    for (uint64_t i = 0; i < map->regions; i++) {
        if (map->region[i].begin == begin) {
            return 0;
        }
    }
    if (map->regions == map->room) {
        uint64_t room = map->room == 0 ? 8 : 2 * map->room;
        gm_code_region *region = realloc(map->region, room * sizeof *region);
        if (region == NULL) {
            return -ENOMEM;
        }
        map->region = region;
        map->room = room;
    }
    char *copy = strdup(name);
    if (copy == NULL) {
        return -ENOMEM;
    }
    map->region[map->regions++] = (gm_code_region){begin, copy};
    return 0;
}

int gm_code_map_note(gm_code_map *map, uint64_t address, const gm_instruction *instruction)
{
    bool fresh = false;
    known *at = gm_line_table_get(&map->instructions, address, &fresh);
    if (at == NULL) {
        return -ENOMEM;
    }
    if (fresh) {
        *at = (known){instruction->opcode, instruction->line};
    }
    return 0;
}

static int by_place(const void *left, const void *right)
{
    const gm_pc_row *a = left;
    const gm_pc_row *b = right;
    return a->kernel != b->kernel ? (a->kernel > b->kernel) - (a->kernel < b->kernel)
                                  : (a->pc > b->pc) - (a->pc < b->pc);
}

static uint64_t region_of(const gm_code_map *map, uint64_t address)
{
    uint64_t i = 0;
    while (i + 1 < map->regions && map->region[i].begin != address >> GM_CODE_BITS
                                                                          << GM_CODE_BITS) {
        i++;
    }
    return i;
}

static void fill(gm_pc_profile *profile, gm_code_map *map, const gm_line_table *counts,
                 const gm_opcode_table *opcodes)
{
    uint64_t slot = 0;
    uint64_t address = 0;
    for (const gm_pc_counts *count;
         (count = gm_line_table_next_line(counts, &slot, &address)) != NULL;) {
        bool fresh = false;
        const known *at = gm_line_table_get(&map->instructions, address, &fresh);
        gm_pc_row *row = &profile->row[profile->rows++];
        *row = (gm_pc_row){.kernel = region_of(map, address),
                           .pc = address & gm_mask(GM_CODE_BITS),
                           .line = at->line,
                           .counts = *count};
        memcpy(row->opcode, opcodes->opcodes[at->opcode].text, sizeof row->opcode);
    }
    qsort(profile->row, profile->rows, sizeof *profile->row, by_place);
}

int gm_code_map_profile(gm_code_map *map, const gm_line_table *counts,
                        const gm_opcode_table *opcodes, gm_pc_profile **profile)
{
    gm_pc_profile *made = calloc(1, sizeof *made);
    *profile = made;
    if (made == NULL) {
        return -ENOMEM;
    }
    made->kernel = calloc(map->regions + 1, sizeof *made->kernel);
    made->row = calloc(counts->count + 1, sizeof *made->row);
    if (made->kernel == NULL || made->row == NULL) {
        return -ENOMEM;
    }
    for (; made->kernels < map->regions; made->kernels++) {
        made->kernel[made->kernels] = strdup(map->region[made->kernels].name);
        if (made->kernel[made->kernels] == NULL) {
            return -ENOMEM;
        }
    }
    fill(made, map, counts, opcodes);
    return 0;
}

void gm_pc_profile_free(gm_pc_profile *profile)
{
    for (uint64_t i = 0; profile != NULL && i < profile->kernels; i++) {
        free(profile->kernel[i]);
    }
    if (profile != NULL) {
        free(profile->kernel);
        free(profile->row);
    }
    free(profile);
}
