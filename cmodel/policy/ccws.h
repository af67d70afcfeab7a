/* Cache-conscious wavefront scheduling (CCWS) in a run [rogers]: the victim tags and the
 * lost-locality scores of an SM's warps, the warps that took the lines of its L1, and the cycle up
 * to which time has passed in the scores. The L1 tells of misses and replacements, the SM of its
 * warps. docs/throttling.md has the rules. */
#ifndef GOLDMEM_POLICY_CCWS_H
#define GOLDMEM_POLICY_CCWS_H

#include "base/snapshot.h"
#include "goldmem/arena.h"
#include "goldmem/config.h"
#include "goldmem/locality_score.h"
#include "goldmem/statistics.h"
#include "goldmem/victim_tags.h"

typedef struct gm_ccws {
    gm_victim_tags tags;
    gm_locality_score scores;
    uint8_t *taker;         /* [slots of the L1] warp whose miss took the line */
    uint8_t *fetcher;       /* [MSHR entries] warp of the miss that took the entry */
    uint32_t slots;         /* of the L1 */
    uint32_t entries;       /* MSHR entries of the L1 */
    const uint64_t *issued; /* warp instructions of the SM so far */
    uint64_t counted;       /* of these, counted by the scores */
    uint64_t now;           /* cycle up to which time has passed in the scores */
    uint64_t change;        /* cycle in which time allows the next warp; UINT64_MAX: all may */
    uint64_t allowed;       /* warps that may issue loads */
    bool due;               /* `allowed` may have changed in this cycle's step of the L1 */
    gm_ccws_statistics statistics;
} gm_ccws;

/* Returns the parameters of the blocks; `slots` and `entries` of the L1 as above. */
gm_victim_tags_parameters gm_ccws_tags(const gm_config *config);
gm_locality_score_parameters gm_ccws_scores(const gm_config *config);

/* Returns the bytes of an arena that gm_ccws_make takes, at most. */
size_t gm_ccws_bytes(const gm_config *config, uint32_t slots, uint32_t entries);

/* Makes an SM's CCWS without warps. Returns NULL without memory. Requires that the caller sets
 * `issued` before the first warp starts. */
gm_ccws *gm_ccws_make(const gm_config *config, uint32_t slots, uint32_t entries, gm_arena *arena);

/* Warps begin and end: at any time since `now`, which makes no difference to a score that is the
 * base. The first warp of an SM without warps restarts both blocks. */
void gm_ccws_start(gm_ccws *ccws, uint32_t warp);
void gm_ccws_end(gm_ccws *ccws, uint32_t warp);

/* A load of the warp misses an absent line in cycle `now`. */
void gm_ccws_miss(gm_ccws *ccws, uint32_t warp, uint64_t line, uint64_t now);

/* A line that the warp took is replaced. */
void gm_ccws_replaced(gm_ccws *ccws, uint32_t warp, uint64_t line);

/* Lets time pass up to cycle `now`. */
void gm_ccws_pass(gm_ccws *ccws, uint64_t now);

/* Checks the blocks, and that no warp is there. Returns 0 or -EPROTO. */
int gm_ccws_check(const gm_ccws *ccws, const char *where, gm_error *error);

/* Saves or loads the state. */
void gm_ccws_snapshot(gm_ccws *ccws, gm_snapshot *snapshot);

#endif
