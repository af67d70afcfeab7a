/* Invariants of the analyses' results: each table against the others, and against the counters that
 * the caches keep themselves. */
#include "goldmem/analysis.h"

#include "goldmem/engine.h"

#include <errno.h>

static uint64_t sum(const uint64_t *count, uint32_t length)
{
    uint64_t all = 0;
    for (unsigned i = 0; i < length; i++) {
        all += count[i];
    }
    return all;
}

static int equal(const char *law, uint64_t left, uint64_t right, gm_error *error)
{
    if (left == right) {
        return 0;
    }
    return gm_fail(error, -EPROTO, "analysis breaks the law %s: %llu and %llu", law,
                   (unsigned long long)left, (unsigned long long)right);
}

static int check_locality(const gm_locality_results *level, gm_error *error)
{
    for (unsigned i = 0; i < GM_LOCALITIES; i++) {
        if (level->hits[i] > level->references[i]) {
            return gm_fail(error, -EPROTO, "analysis breaks the law locality hits <= references");
        }
    }
    return equal("first + re-references = accesses",
                 level->first + sum(level->references, GM_LOCALITIES), level->accesses, error);
}

static int check_stream(const gm_reuse_results *reuse, gm_error *error)
{
    uint64_t again = reuse->accesses - reuse->lines;
    int code = equal("reuse: lines by references = lines",
                     sum(reuse->references.count, GM_HISTOGRAM_BUCKETS), reuse->lines, error);
    code = code < 0 ? code
                    : equal("reuse: distances = accesses - lines",
                            sum(reuse->distances.count, GM_HISTOGRAM_BUCKETS), again, error);
    return code < 0 ? code
                    : equal("reuse: stack distances = accesses - lines",
                            sum(reuse->stack_distances.count, GM_HISTOGRAM_BUCKETS), again, error);
}

/* Requires that the accesses that enter the L1s are those that they do not count as a bypass. */
static int check_reuse(const gm_analysis_results *results, const gm_cache_statistics *l1,
                       gm_error *error)
{
    uint64_t accesses = sum(l1->accesses, GM_ACCESS_KINDS);
    int code = check_stream(&results->reuse, error);
    code = code < 0
               ? code
               : equal("reuse accesses = l1d.accesses", results->reuse.accesses, accesses, error);
    code = code < 0 ? code : check_stream(&results->entering, error);
    return code < 0 ? code
                    : equal("accesses that enter = l1d.accesses - l1d.bypasses",
                            results->entering.accesses,
                            accesses - sum(l1->bypasses, GM_ACCESS_KINDS), error);
}

/* A cache that is itself unbounded, or fully associative and LRU, misses as its shadow does. */
static int check_misses(const gm_miss_results *level, uint64_t misses, bool unbounded, bool lru,
                        gm_error *error)
{
    int code = equal("miss classes = misses", sum(level->misses, GM_MISS_KINDS), misses, error);
    if (code == 0 && unbounded) {
        code = equal("misses of an unbounded cache", level->unbounded, misses, error);
    }
    if (code == 0 && lru) {
        code = equal("misses of a fully associative LRU cache", level->fully_associative, misses,
                     error);
    }
    return code;
}

/* Misses fall from all that can miss to those of an unbounded cache. `accesses`: the caches' own.
 */
static int check_curve(const gm_mrc_results *curve, uint64_t accesses, gm_error *error)
{
    int code = equal("mrc: accesses = accesses of the caches", curve->accesses, accesses, error);
    for (uint32_t i = 1; code == 0 && i < curve->points; i++) {
        if (curve->point[i].misses > curve->point[i - 1].misses) {
            code = gm_fail(error, -EPROTO,
                           "analysis breaks the law that a larger LRU cache misses no more");
        }
    }
    code = code < 0 ? code
                    : equal("mrc: misses of the largest cache = cold misses",
                            curve->point[curve->points - 1].misses, curve->cold, error);
    bool all = curve->rate == GM_MRC_HASHES;
    return code < 0 || !all ? code
                            : equal("mrc: without sampling all accesses are followed",
                                    curve->sampled, curve->accesses, error);
}

/* A line that an L1 never held before this access misses in every cache. L1s that are flushed miss
 * it again. */
static int check_curves(const gm_analysis_results *results, const gm_statistics *total,
                        gm_error *error)
{
    const gm_mrc_results *l1 = &results->mrc[GM_LEVEL_L1];
    int code = check_curve(l1, sum(total->l1d.accesses, GM_ACCESS_KINDS), error);
    code = code < 0 ? code
                    : check_curve(&results->mrc[GM_LEVEL_L2],
                                  sum(total->l2.accesses, GM_ACCESS_KINDS), error);
    bool both = (results->kinds & GM_ANALYZE_REUSE) != 0 && l1->rate == GM_MRC_HASHES;
    if (code == 0 && both && l1->cold < results->reuse.lines) {
        code = gm_fail(error, -EPROTO, "analysis breaks the law mrc: cold misses >= reuse lines");
    }
    return code;
}

static int check_sharing(const gm_sharing_results *sharing, gm_error *error)
{
    int code = equal("sharing: lines by SMs = lines", sum(sharing->by_sms, sharing->sms + 1),
                     sharing->lines, error);
    code = code < 0 ? code
                    : equal("sharing: distances = lines of two CTAs or more",
                            sum(sharing->cta_distance.count, GM_HISTOGRAM_BUCKETS),
                            sharing->shared_ctas, error);
    if (code == 0 && sharing->shared_sms > sharing->shared_ctas) {
        code = gm_fail(error, -EPROTO,
                       "analysis breaks the law that a line of two SMs is one of two CTAs");
    }
    return code;
}

/* Sums `requests` and `hits_pending` of both classes. */
static gm_fill_class both(const gm_fill_results *level)
{
    return (gm_fill_class){.requests = level->shared.requests + level->exclusive.requests,
                           .hits_pending =
                               level->shared.hits_pending + level->exclusive.hits_pending};
}

static int check_intervals(const gm_fill_class *class, gm_error *error)
{
    int code = equal("fills: intervals of the buckets = all",
                     sum(class->future.bucket, GM_LATENCY_BUCKETS), class->future.count, error);
    if (code == 0 && (class->next.count > class->future.count ||
                      class->future.count > class->requests - class->hits_pending)) {
        code = gm_fail(error, -EPROTO,
                       "analysis breaks the law fills: next <= future <= requests - MSHR hits");
    }
    return code;
}

/* Warps' requests at the L2 are all accesses but write-backs of L1 lines, each an L2 line where
 * both are of one size, and fetches of instructions. */
static int check_fills(const gm_analysis_results *results, const gm_config *config,
                       const gm_statistics *total, gm_error *error)
{
    const gm_fill_class l1 = both(&results->fills[GM_LEVEL_L1]);
    const gm_fill_class l2 = both(&results->fills[GM_LEVEL_L2]);
    uint64_t others =
        sum(total->l1d.write_backs, GM_ACCESS_KINDS) + total->l2.accesses[GM_INSTRUCTION];
    int code = equal("fills: requests = l1d.accesses", l1.requests,
                     sum(total->l1d.accesses, GM_ACCESS_KINDS), error);
    code = code < 0 ? code
                    : equal("fills: MSHR hits = l1d.hits_pending", l1.hits_pending,
                            sum(total->l1d.hits_pending, GM_ACCESS_KINDS), error);
    if (code == 0 && config->l1.line == config->l2.line) {
        code = equal("fills: requests at the L2 = l2.accesses - write-backs - fetches of code",
                     l2.requests, sum(total->l2.accesses, GM_ACCESS_KINDS) - others, error);
    }
    if (code == 0 && others == 0) {
        code = equal("fills: MSHR hits at the L2 = l2.hits_pending", l2.hits_pending,
                     sum(total->l2.hits_pending, GM_ACCESS_KINDS), error);
    }
    for (unsigned level = 0; level < GM_LEVELS && code == 0; level++) {
        code = check_intervals(&results->fills[level].shared, error);
        code = code < 0 ? code : check_intervals(&results->fills[level].exclusive, error);
    }
    return code;
}

int gm_analysis_check(gm_analysis *analysis, const gm_config *config, const gm_statistics *total,
                      gm_error *error)
{
    const gm_analysis_results *results = gm_analysis_read(analysis);
    uint64_t l1_accesses = sum(total->l1d.accesses, GM_ACCESS_KINDS);
    int code = 0;
    if (results->kinds & GM_ANALYZE_LOCALITY) {
        const gm_locality_results *locality = results->locality;
        code = check_locality(&locality[GM_LEVEL_L1], error);
        code = code < 0 ? code : check_locality(&locality[GM_LEVEL_L2], error);
        code = code < 0 ? code
                        : equal("locality accesses = l1d.accesses", locality[GM_LEVEL_L1].accesses,
                                l1_accesses, error);
    }
    if (code == 0 && (results->kinds & GM_ANALYZE_REUSE)) {
        code = check_reuse(results, &total->l1d, error);
    }
    if (code == 0 && (results->kinds & GM_ANALYZE_MISSES)) {
        const gm_miss_results *misses = results->misses;
        bool untimed = total->time.cycles == 0; /* else a line that waits for data is no victim */
        bool l1_lru =
            untimed && config->l1.ways == GM_FULL && config->l1.replacement == GM_REPLACE_LRU;
        bool sectors = config->l2.dirty == GM_DIRTY_SECTOR; /* those beside the L2 know no bytes */
        bool l2_lru = untimed && config->l2.ways == GM_FULL && sectors &&
                      config->l2.replacement == GM_REPLACE_LRU;
        code = check_misses(&misses[GM_LEVEL_L1], sum(total->l1d.misses, GM_ACCESS_KINDS),
                            config->l1.size == GM_UNBOUNDED, l1_lru, error);
        code = code < 0 ? code
                        : check_misses(&misses[GM_LEVEL_L2], sum(total->l2.misses, GM_ACCESS_KINDS),
                                       config->l2.size == GM_UNBOUNDED, l2_lru, error);
    }
    if (code == 0 && (results->kinds & GM_ANALYZE_MRC)) {
        code = check_curves(results, total, error);
    }
    if (code == 0 && (results->kinds & GM_ANALYZE_SHARING)) {
        code = check_sharing(&results->sharing, error);
    }
    if (code == 0 && (results->kinds & GM_ANALYZE_FILLS)) {
        code = check_fills(results, config, total, error);
    }
    return code;
}
