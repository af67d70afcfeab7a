/* Shares: how many of a run's transactions each instance has, in the run and in an episode. */
#include "engine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    SHIPPED = 1000000, /* transactions of the block at its default parameters, at most, if its
                          equal part is not more */
    LONG_EVERY = 128,  /* one episode in so many is long, */
    LONG_AT = 32,      /* this one first: it is even, so without requests for limits */
    LONG_PART = 3,     /* where the instance has so many times its transactions in the run */
};

bool gm_shares_without_reset(uint64_t episode, uint64_t share)
{
    return episode % LONG_EVERY == LONG_AT && share > GM_COSIM_EPISODE;
}

/* Finds the options of the block at its default parameters, all spelt out. */
static int default_options(const gm_run *run, char *options, size_t size, gm_error *error)
{
    gm_cosim_configuration *shipped = calloc(1, sizeof *shipped);
    if (shipped == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory");
    }
    int code = run->plugin->block->configure("", shipped, error);
    snprintf(options, size, "%s", shipped->options);
    free(shipped);
    return code;
}

int gm_shares_plan(gm_run *run, uint64_t transactions, gm_error *error)
{
    char shipped[GM_COSIM_OPTIONS];
    int code = default_options(run, shipped, sizeof shipped, error);
    uint64_t equal = (transactions + run->lanes - 1) / run->lanes;
    uint64_t more = transactions / 2 < SHIPPED ? transactions / 2 : SHIPPED;
    for (unsigned i = 0; code == 0 && i < run->lanes; i++) {
        gm_lane *lane = &run->lane[i];
        bool is_shipped = strcmp(run->plugin->options[lane->number], shipped) == 0;
        lane->total = is_shipped && more > equal ? more : equal;
        lane->left = lane->total;
    }
    return code;
}

bool gm_shares_next(gm_run *run, uint64_t episode)
{
    bool any = false;
    uint64_t most = gm_limits_episode(run, episode);
    for (unsigned i = 0; i < run->lanes; i++) {
        gm_lane *lane = &run->lane[i];
        bool is_long = episode % LONG_EVERY == LONG_AT && lane->total / LONG_PART >= GM_COSIM_LONG;
        uint64_t length = is_long ? GM_COSIM_LONG : most;
        lane->share = lane->left < length ? lane->left : length;
        lane->left -= lane->share;
        any |= lane->share > 0;
    }
    return any;
}
