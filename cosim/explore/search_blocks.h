/* The search over the worlds of the blocks alone (world.h). */
#ifndef GOLDMEM_COSIM_EXPLORE_SEARCH_BLOCKS_H
#define GOLDMEM_COSIM_EXPLORE_SEARCH_BLOCKS_H

#include "search.h"
#include "world.h"

/* Searches as search_in; tells as search_tell_in. */
int search(const world_settings *settings, uint64_t most, search_result *result, gm_error *error);
int search_tell(const world_settings *settings, const search_result *result, FILE *log,
                gm_error *error);

#endif
