/* Miss-ratio curves of the caches of one level (goldmem/analysis.h). */
#ifndef GOLDMEM_ANALYSIS_MRC_H
#define GOLDMEM_ANALYSIS_MRC_H

#include "base/snapshot.h"
#include "goldmem/analysis.h"

typedef struct gm_mrc_stream gm_mrc_stream;

typedef struct gm_mrc {
    gm_mrc_stream *streams; /* [count] */
    uint64_t count;
    uint64_t most;    /* sampled lines of a stream; 0: no limit */
    uint64_t *weight; /* [buckets]: of re-references by distance, in units of GM_MRC_ONE accesses */
    uint64_t buckets;
    uint64_t cold; /* weight of accesses to lines that their stream did not have */
    gm_mrc_results *results;
} gm_mrc;

/* Weight of an access that stands for itself. */
#define GM_MRC_ONE (UINT64_C(1) << 16)

/* Requires results->caches, line_bytes, configured and rate. Returns 0 or -ENOMEM. Requires
 * gm_mrc_free in any case. */
int gm_mrc_create(gm_mrc *mrc, gm_mrc_results *results);

/* Sets how lines are sampled from now on; NULL: all. */
void gm_mrc_sample(gm_mrc *mrc, const gm_mrc_sampling *sampling);

/* Adds an access to stream `number`. Returns 0 or -ENOMEM. */
int gm_mrc_access(gm_mrc *mrc, uint64_t number, uint64_t line);

/* The cache of stream `number` has dropped all its lines. */
void gm_mrc_flush(gm_mrc *mrc, uint64_t number);

/* Brings the results up to date. */
void gm_mrc_read(gm_mrc *mrc);

/* Saves or loads what was counted. Requires equal sampling when loading. */
void gm_mrc_snapshot(gm_mrc *mrc, gm_snapshot *snapshot);
void gm_mrc_free(gm_mrc *mrc);

#endif
