/* Random walks that check the reductions: a world and the one that stands for it must allow the
 * same events, with the same ends, and what follows must be one world again; an event that is done
 * before all others must commute with each of them. */
#ifndef GOLDMEM_EXPLORE_WALK_H
#define GOLDMEM_EXPLORE_WALK_H

#include "world.h"

typedef struct walk_result {
    uint64_t events;   /* done in a world and in the one that stands for it */
    uint64_t commuted; /* pairs of events done in both orders */
} walk_result;

/* Walks so many random steps, from the beginning again whenever a program is done. Returns 0;
 * -EINVAL, which names the event that differs. */
int walk(const world_settings *settings, uint64_t steps, uint64_t seed, walk_result *result,
         gm_error *error);

#endif
