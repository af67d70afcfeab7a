/* Random walks that check the canonical worlds (canonical.c): a world and the one that stands for
 * it must allow the same events, with the same ends, and what follows must be one world again. */
#ifndef GOLDMEM_COSIM_TIMED_WALK_H
#define GOLDMEM_COSIM_TIMED_WALK_H

#include "timed.h"

/* Walks so many random steps, from the beginning again whenever the program is done. Sets *events
 * to the events done in a world and in the one that stands for it. Returns 0; -ENOMEM; -EINVAL,
 * which names the event that differs. */
int timed_walk(timed_machine *machine, uint64_t steps, uint64_t seed, uint64_t *events,
               gm_error *error);

#endif
