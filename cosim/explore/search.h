/* Breadth-first search of all worlds that a litmus test can reach: finds whether its outcome can
 * appear, by the shortest sequence of events. */
#ifndef GOLDMEM_COSIM_EXPLORE_SEARCH_H
#define GOLDMEM_COSIM_EXPLORE_SEARCH_H

#include "world.h"

typedef enum search_end {
    SEARCH_NEVER,  /* all worlds are visited; the outcome does not appear */
    SEARCH_SHOWN,  /* the outcome appears */
    SEARCH_STALE,  /* a fence completed while another SM may use an older copy */
    SEARCH_ERROR,  /* a block answered `error` */
    SEARCH_BROKEN, /* a block's check failed */
    SEARCH_BOUND,  /* neither, within the bound of worlds */
} search_end;

typedef struct search_result {
    search_end end;
    uint64_t worlds; /* visited */
    uint64_t finals; /* of them, those in which all is done */
    unsigned depth;  /* events to the farthest world, or to the outcome */
    /* The shortest sequence to the outcome, unless NEVER or BOUND; freed by the caller. */
    world_event *events;
} search_result;

/* Searches at most `most` worlds. Returns 0; -ENOMEM; -EINVAL if the sequence that it found does
 * not repeat, so that the reductions are wrong. The caller frees result->events in any case. */
int search(const world_settings *settings, uint64_t most, search_result *result, gm_error *error);

/* Does the events again, each with its line in `log`. Returns 0, or what world_init refuses. */
int search_tell(const world_settings *settings, const search_result *result, FILE *log,
                gm_error *error);

#endif
