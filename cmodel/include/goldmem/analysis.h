/* Analyses: what a table per line can tell about a run, beyond counters. An engine calls the hooks
 * for each access in the order of the run, from one thread at a time; memory grows with the number
 * of different lines, not with the length of the run. Definitions: docs/analyses.md. */
#ifndef GOLDMEM_ANALYSIS_H
#define GOLDMEM_ANALYSIS_H

#include "goldmem/config.h"
#include "goldmem/error.h"
#include "goldmem/instruction.h"
#include "goldmem/latency.h"
#include "goldmem/statistics.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gm_analysis gm_analysis;

/* The origin of an access. Locality, reuse and sharing count warps' accesses only. */
typedef enum gm_analysis_origin {
    GM_ORIGIN_WARP,
    GM_ORIGIN_WRITE_BACK, /* L2: a dirty line from an L1; cta, warp and lanes mean nothing */
    GM_ORIGIN_CODE,       /* L2: a fetch of instructions; likewise */
    GM_ORIGIN_COPY,       /* L2: a host copy; sm means nothing either */
} gm_analysis_origin;

/* One line request, as a cache counts it in `accesses`. */
typedef struct gm_analysis_access {
    uint64_t line;    /* byte address >> log2 of the line size of that level */
    uint64_t kernel;  /* launches before this one in the run */
    uint64_t cta;     /* linear id in its grid, x fastest */
    uint64_t warp;    /* number in the kernel: cta * warps of a CTA + warp in the CTA */
    uint32_t unit;    /* which cache: the SM at the L1, the bank (of all partitions) at the L2 */
    uint32_t sm;      /* the requesting SM */
    uint32_t lanes;   /* mask of the threads that touch the line */
    uint32_t sectors; /* mask of the 32-byte sectors that they touch */
    uint32_t fills;   /* mask of the sectors that would be valid afterwards, had the line been
                         absent before: fetched or written; equal for a hit and a miss; 0 when
                         the access does not allocate */
    uint32_t block; /* L2: sectors, a power of two, that a miss fetches together; 0: the missing */
    uint32_t whole; /* L2, `lazy`: of `sectors`, those of which it writes every byte */
    bool lazy;      /* L2: a sector of which stores have written a part only is absent for loads
                       and atomics, which fetch it (l2.fetch_on_write=lazy) */
    gm_space space; /* GM_SPACE_GLOBAL or GM_SPACE_LOCAL */
    gm_access_kind kind;
    gm_analysis_origin origin;
    bool drops;  /* the access drops the line: write-evict, an atomic that bypasses the L1, a host
                    copy that bypasses the L2 */
    bool hit;    /* every requested sector was present or in flight */
    bool waits;  /* a hit of a line in flight: merged into an MSHR entry */
    bool stale;  /* cycle engine: the line had a way, but a coherence protocol did not let it be
                    read, or wait for its data */
    bool bypass; /* sent on without allocating a line */
    bool referenced; /* bypass: counted as a reference to the line, which may get a data line later
                      */
    uint64_t cycle;  /* cycle engine: core cycle of the look-up */
} gm_analysis_access;

/* Creates the analyses in `kinds`, gm_analysis_kind values or'ed. Returns 0 or -ENOMEM. */
int gm_analysis_create(gm_analysis **analysis, const gm_config *config, unsigned kinds,
                       gm_error *error);
void gm_analysis_free(gm_analysis *analysis);

typedef struct gm_mrc_sampling gm_mrc_sampling;

/* Sets which lines miss-ratio curves follow; by default all. Requires GM_ANALYZE_MRC, and no access
 * before. */
void gm_analysis_sample_mrc(gm_analysis *analysis, const gm_mrc_sampling *sampling);

/* The hooks: record one access. Require every access that counts in l1d.accesses or l2.accesses,
 * bypasses included, and at the L2 also the lines that host copies install or drop. Return 0 or
 * -ENOMEM. */
int gm_analysis_l1_access(gm_analysis *analysis, const gm_analysis_access *access, gm_error *error);
int gm_analysis_l2_access(gm_analysis *analysis, const gm_analysis_access *access, gm_error *error);

/* Hooks of the cycle engine: data that a miss waited for have arrived, in core cycle `cycle`, at
 * the L1 of `sm`, or at an L2 bank. `line`: as in an access of that level. */
void gm_analysis_l1_fill(gm_analysis *analysis, uint32_t sm, uint64_t line, uint64_t cycle);
void gm_analysis_l2_fill(gm_analysis *analysis, uint64_t line, uint64_t cycle);

/* Hook: the L1 of `sm` dropped a line by a coherence protocol. */
void gm_analysis_l1_drop(gm_analysis *analysis, uint32_t sm, uint64_t line);

/* Hook: the L1 of `sm` dropped all its lines. */
void gm_analysis_l1_flush(gm_analysis *analysis, uint32_t sm);

/* Hook: each L1, flushed before, has that many lines from now on (l1.unified). */
void gm_analysis_l1_resize(gm_analysis *analysis, uint64_t lines);

/* Hook: requires a call after the last access of each kernel, before options->kernel_done; several
 * kernels may be in flight. `kernel`: as in gm_analysis_access. Returns 0 or -ENOMEM. */
int gm_analysis_kernel_end(gm_analysis *analysis, uint64_t kernel, gm_error *error);

/* Histogram: values 0 to 8 each have a bucket, then 9..16, 17..32, and so on. */
enum { GM_HISTOGRAM_EXACT = 9, GM_HISTOGRAM_BUCKETS = GM_HISTOGRAM_EXACT + 61 };
typedef struct gm_histogram {
    uint64_t count[GM_HISTOGRAM_BUCKETS];
} gm_histogram;
unsigned gm_histogram_bucket(uint64_t value);
/* Return the smallest and the largest value of a bucket. */
uint64_t gm_histogram_low(unsigned bucket);
uint64_t gm_histogram_high(unsigned bucket);

typedef enum gm_cache_level { GM_LEVEL_L1, GM_LEVEL_L2, GM_LEVELS } gm_cache_level;

/* Locality classes of a re-reference, by its threads and those of the line's previous reference
 * [khairy, 3.1]. */
#define GM_LOCALITY_CLASSES(CLASS)                                                                 \
    CLASS(intra_thread, "the same warp, at least one thread in common")                            \
    CLASS(inter_thread, "the same warp, other threads")                                            \
    CLASS(intra_cta, "another warp of the same CTA")                                               \
    CLASS(intra_sm, "another CTA on the same SM")                                                  \
    CLASS(inter_sm, "another SM")                                                                  \
    CLASS(inter_kernel, "another kernel")

typedef enum gm_locality_class {
#define CLASS(name, meaning) GM_LOCALITY_##name,
    GM_LOCALITY_CLASSES(CLASS)
#undef CLASS
        GM_LOCALITIES
} gm_locality_class;

typedef struct gm_locality_results {
    uint64_t accesses; /* by warps */
    uint64_t first;    /* of them, the first to their line in this cache (L1) or in all (L2) */
    uint64_t references[GM_LOCALITIES]; /* re-references: hits of an unbounded cache */
    uint64_t hits[GM_LOCALITIES];       /* of them, hits of the configured cache */
} gm_locality_results;

/* Reuse in a stream of accesses of each SM [li, figures 3, 4, 5b, 11], all SMs together. */
typedef struct gm_reuse_results {
    uint64_t accesses;
    uint64_t lines;               /* different lines, counted in each SM that touched them */
    uint64_t accesses_once;       /* accesses to lines that were referenced only once */
    gm_histogram references;      /* lines by how often they were referenced */
    gm_histogram distances;       /* re-references by accesses since the previous one: ABCA is 2 */
    gm_histogram stack_distances; /* re-references by different lines since then: ABBA is 1 */
} gm_reuse_results;

/* Why an access missed; the first that applies [tabbakh, I]. */
#define GM_MISS_CLASSES(CLASS)                                                                     \
    CLASS(compulsory, "the first reference to the sector in this cache")                           \
    CLASS(policy, "dropped or never allocated by policy: an unbounded cache misses too")           \
    CLASS(capacity, "a fully associative LRU cache of the same size misses too")                   \
    CLASS(conflict, "a fully associative LRU cache of the same size hits")

typedef enum gm_miss_class {
#define CLASS(name, meaning) GM_MISS_##name,
    GM_MISS_CLASSES(CLASS)
#undef CLASS
        GM_MISS_KINDS
} gm_miss_class;

typedef struct gm_miss_results {
    uint64_t misses[GM_MISS_KINDS]; /* sum to the cache's misses */
    uint64_t unbounded;             /* misses of an unbounded cache, same policies */
    uint64_t fully_associative;     /* misses of a fully associative LRU cache of the same size */
} gm_miss_results;

/* Which lines a miss-ratio curve follows: by hashes from 0 to GM_MRC_HASHES - 1, SHARDS
 * [Waldspurger, Park, Garthwaite, Ahmad, FAST 2015]. */
enum { GM_MRC_HASHES = 1 << 24, GM_MRC_MOST_LINES = 1 << 24, GM_MRC_POINTS = 8 + 4 * 50 };
struct gm_mrc_sampling {
    uint32_t rate;  /* lines of hashes below it, 1 to GM_MRC_HASHES; 0: all lines */
    uint32_t lines; /* of them at most so many of a cache at a time, those of the smallest hashes;
                       0: no limit. GM_MRC_MOST_LINES at most */
};

/* Misses of a fully associative LRU cache that allocates a line at every access, whatever the kind,
 * and drops its lines when the configured cache does. Exact without sampling. */
typedef struct gm_mrc_point {
    uint64_t lines; /* of each cache */
    uint64_t misses;
} gm_mrc_point;

/* Of each SM's L1, added up, or of one L2 that has all banks' lines. */
typedef struct gm_mrc_results {
    uint64_t caches;     /* SMs, or 1 */
    uint64_t line_bytes; /* of a line */
    uint64_t accesses;
    uint64_t sampled;        /* of them, to lines that are followed */
    uint64_t cold;           /* misses of an unbounded cache */
    uint32_t rate;           /* of GM_MRC_HASHES: the smallest that was reached */
    gm_mrc_point configured; /* the configured size; lines 0: unbounded or not constant */
    uint32_t points;
    gm_mrc_point point[GM_MRC_POINTS]; /* sizes rise, misses fall to `cold`. Sizes are 1 to 8 lines,
                                          then four for each power of two */
} gm_mrc_results;

/* Returns the misses at the largest point of at most `lines` lines. Requires lines > 0. */
uint64_t gm_mrc_misses(const gm_mrc_results *results, uint64_t lines);

/* Lines shared within a kernel [tabbakh, III]. */
typedef struct gm_sharing_results {
    uint64_t lines;            /* touched */
    uint64_t shared_ctas;      /* of them, by two CTAs or more */
    gm_histogram cta_distance; /* of them, by the distance of their two nearest CTAs */
    uint64_t shared_sms;       /* of `lines`, by two SMs or more */
    uint64_t sharers;          /* SMs that touched the lines of shared_sms, summed over them */
    uint32_t sms;
    uint64_t *by_sms; /* [sms + 1]: lines touched by that many SMs */
} gm_sharing_results;

/* Cycle engine: requests to lines of a class, and the core cycles from the fill of a line to later
 * accesses of the kernel to it that find it filled [tabbakh, VI-C]. */
typedef struct gm_fill_class {
    uint64_t requests;           /* accesses of warps */
    uint64_t hits_pending;       /* of them, to data in flight: MSHR hits */
    gm_latency_histogram next;   /* from each fill to the first access after it */
    gm_latency_histogram future; /* from the last fill to every access after it */
} gm_fill_class;

/* Long intervals in the reports [tabbakh, VI-C]; the smallest of a bucket. */
enum { GM_FILL_LONG = 1000 /* core cycles */ };

/* Of one level: an L1's fills and its SM's accesses, all L1s added up; or all of the L2. Classes
 * are those of the whole kernel [tabbakh, III-B]. */
typedef struct gm_fill_results {
    gm_fill_class shared;    /* lines of two SMs or more within the kernel */
    gm_fill_class exclusive; /* lines of one SM */
} gm_fill_results;

typedef struct gm_analysis_results {
    unsigned kinds; /* gm_analysis_kind values, or'ed: which of the following are set */
    gm_locality_results locality[GM_LEVELS];
    gm_reuse_results reuse;    /* of all accesses to the L1s */
    gm_reuse_results entering; /* of those that enter, without bypasses */
    gm_miss_results misses[GM_LEVELS];
    gm_mrc_results mrc[GM_LEVELS];
    gm_sharing_results sharing;        /* summed over kernels */
    gm_sharing_results kernel_sharing; /* of the last kernel that has ended */
    gm_fill_results fills[GM_LEVELS];  /* of the kernels that have ended */
} gm_analysis_results;

/* Results so far; valid until the next call with this analysis. */
const gm_analysis_results *gm_analysis_read(gm_analysis *analysis);

/* As gm_analysis_read, but only kernel_sharing is up to date: cheap enough after every kernel. */
const gm_analysis_results *gm_analysis_read_kernel(gm_analysis *analysis);

/* Verifies that the results agree with each other and with the run's counters: miss classes sum to
 * misses, first references and re-references to accesses, and so on. Returns 0, or -EPROTO, which
 * names the conservation law that is broken. */
int gm_analysis_check(gm_analysis *analysis, const gm_config *config, const gm_statistics *total,
                      gm_error *error);

#ifdef __cplusplus
}
#endif

#endif
