/* Reuse counts and distances of the accesses of each SM's L1 (goldmem/analysis.h). */
#ifndef GOLDMEM_ANALYSIS_REUSE_H
#define GOLDMEM_ANALYSIS_REUSE_H

#include "base/snapshot.h"
#include "goldmem/analysis.h"

typedef struct gm_reuse_stream gm_reuse_stream;

typedef struct gm_reuse {
    gm_reuse_stream *streams; /* [sms] */
    uint64_t sms;
    gm_reuse_results *results;
} gm_reuse;

/* Returns 0 or -ENOMEM. Requires gm_reuse_free in any case. */
int gm_reuse_create(gm_reuse *reuse, uint64_t sms, gm_reuse_results *results);

/* Adds one access to its SM's stream. Returns 0 or -ENOMEM. */
int gm_reuse_access(gm_reuse *reuse, const gm_analysis_access *access);

/* Brings the results up to date. */
void gm_reuse_read(gm_reuse *reuse);

/* Saves or loads what was counted. */
void gm_reuse_snapshot(gm_reuse *reuse, gm_snapshot *snapshot);
void gm_reuse_free(gm_reuse *reuse);

#endif
