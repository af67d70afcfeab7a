/* The four analyses behind goldmem/analysis.h. Each has the same functions: create, access (returns
 * 0 or -ENOMEM), read (brings its results up to date), free (also after a failed create). */
#ifndef GOLDMEM_ANALYSIS_ANALYSIS_PARTS_H
#define GOLDMEM_ANALYSIS_ANALYSIS_PARTS_H

#include "analysis/analysis_table.h"
#include "goldmem/analysis.h"

/* A table per cache of a level. */
typedef struct gm_locality {
    gm_line_table *last; /* [units] line -> its last reference */
    uint64_t units;
    gm_locality_results *results;
} gm_locality;
int gm_locality_create(gm_locality *locality, uint64_t units, gm_locality_results *results);
int gm_locality_access(gm_locality *locality, uint64_t unit, const gm_analysis_access *access);
void gm_locality_free(gm_locality *locality);

typedef struct gm_reuse_stream gm_reuse_stream;
typedef struct gm_reuse {
    gm_reuse_stream *streams; /* [sms] */
    uint64_t sms;
    gm_reuse_results *results;
} gm_reuse;
int gm_reuse_create(gm_reuse *reuse, uint64_t sms, gm_reuse_results *results);
int gm_reuse_access(gm_reuse *reuse, const gm_analysis_access *access);
void gm_reuse_read(gm_reuse *reuse);
void gm_reuse_free(gm_reuse *reuse);

typedef struct gm_miss_cache gm_miss_cache;
typedef struct gm_misses {
    gm_miss_cache *caches; /* [units] */
    uint64_t units;
    uint64_t capacity; /* lines in each; GM_UNBOUNDED */
    gm_miss_results *results;
} gm_misses;
int gm_misses_create(gm_misses *misses, uint64_t units, uint64_t capacity,
                     gm_miss_results *results);
int gm_misses_access(gm_misses *misses, const gm_analysis_access *access);
void gm_misses_flush(gm_misses *misses, uint64_t unit);
void gm_misses_free(gm_misses *misses);

typedef struct gm_sharing {
    gm_line_table lines; /* of this kernel */
    uint64_t sms;
    gm_sharing_results *total;
    gm_sharing_results *kernel;
} gm_sharing;
int gm_sharing_create(gm_sharing *sharing, uint64_t sms, gm_sharing_results *total,
                      gm_sharing_results *kernel);
int gm_sharing_access(gm_sharing *sharing, const gm_analysis_access *access);
void gm_sharing_kernel_end(gm_sharing *sharing);
void gm_sharing_free(gm_sharing *sharing);

#endif
