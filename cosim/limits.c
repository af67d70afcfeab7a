/* Limits: tables and counters are brought to their limits, and one past, by directed requests from
 * the reset on, since random ones hardly get there. */
#include "engine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { EVERY = 2, LONG_EVERY = 16 }; /* episodes */

/* Returns the number of requests for the limits of an instance. */
static size_t length_of(const gm_cosim_block *block, const gm_cosim_configuration *configuration)
{
    gm_cosim_tape tape = {0};
    if (block->limits != NULL) {
        block->limits(configuration, 0, &tape);
    }
    return tape.length;
}

int gm_limits_start(gm_lane *lane, const gm_cosim_block *block, gm_error *error)
{
    gm_cosim_tape *tape = &lane->limits;
    tape->length = 0;
    if (block->limits == NULL || lane->plan.episode % EVERY == 0) {
        return 0;
    }
    if (tape->request == NULL) {
        tape->fields = block->ports->requests;
        tape->size = length_of(block, &lane->configuration);
        tape->request = calloc(tape->size + 1, tape->fields * sizeof(uint64_t));
    }
    if (tape->request == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory");
    }
    block->limits(&lane->configuration, lane->plan.episode / EVERY, tape);
    return 0;
}

size_t gm_limits_take(const gm_lane *lane, uint64_t *request, size_t count)
{
    const gm_cosim_tape *tape = &lane->limits;
    size_t length = tape->length < tape->size ? tape->length : tape->size;
    size_t left = lane->produced < length ? length - lane->produced : 0;
    size_t made = left < count ? left : count;
    if (made > 0) {
        memcpy(request, tape->request + lane->produced * tape->fields,
               made * tape->fields * sizeof(uint64_t));
    }
    return made;
}

uint64_t gm_limits_episode(gm_run *run, uint64_t episode)
{
    bool unknown = run->longest == 0;
    for (unsigned i = 0; unknown && i < run->lanes; i++) {
        size_t length = length_of(run->plugin->block, &run->lane[i].configuration);
        length = length < GM_COSIM_EPISODE ? GM_COSIM_EPISODE : length;
        run->longest = length > run->longest ? length : run->longest;
    }
    return episode % LONG_EVERY == 1 ? run->longest : GM_COSIM_EPISODE;
}
