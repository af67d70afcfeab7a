/* The member "analysis" of the JSON report (docs/analyses.md). */
#include "report/json_analysis.h"

#include "goldmem/engine.h"
#include "report/json_latency.h"
#include "report/json_value.h"

/* Returns the object, or releases it and returns NULL if a part of it is missing. */
static json_t *whole(json_t *object, int bad)
{
    if (bad != 0) {
        json_decref(object);
        return NULL;
    }
    return object;
}

static int set(json_t *object, const char *name, uint64_t value)
{
    return json_object_set_new(object, name, gm_json_count(value));
}

/* Returns [{low, high, count}] without the empty buckets. */
static json_t *histogram(const gm_histogram *histogram)
{
    json_t *array = json_array();
    int bad = 0;
    for (unsigned i = 0; i < GM_HISTOGRAM_BUCKETS; i++) {
        if (histogram->count[i] != 0) {
            json_t *bucket = json_object();
            bad |= set(bucket, "low", gm_histogram_low(i));
            bad |= set(bucket, "high", gm_histogram_high(i));
            bad |= set(bucket, "count", histogram->count[i]);
            bad |= json_array_append_new(array, bucket);
        }
    }
    return whole(array, bad);
}

static json_t *classes(const uint64_t count[GM_LOCALITIES])
{
    json_t *object = json_object();
    int bad = 0;
#define CLASS(name, meaning) bad |= set(object, #name, count[GM_LOCALITY_##name]);
    GM_LOCALITY_CLASSES(CLASS)
#undef CLASS
    return whole(object, bad);
}

static json_t *locality(const gm_locality_results *results)
{
    json_t *object = json_object();
    int bad = set(object, "accesses", results->accesses);
    bad |= set(object, "first", results->first);
    bad |= json_object_set_new(object, "unbounded", classes(results->references));
    bad |= json_object_set_new(object, "bounded", classes(results->hits));
    return whole(object, bad);
}

static json_t *misses(const gm_miss_results *results)
{
    json_t *object = json_object();
    int bad = 0;
#define CLASS(name, meaning) bad |= set(object, #name, results->misses[GM_MISS_##name]);
    GM_MISS_CLASSES(CLASS)
#undef CLASS
    bad |= set(object, "unbounded_misses", results->unbounded);
    bad |= set(object, "fully_associative_misses", results->fully_associative);
    return whole(object, bad);
}

/* Returns a stream's results. `entering`: the stream that enters the L1s, NULL if `results` is that
 * one. */
static json_t *reuse(const gm_reuse_results *results, const gm_reuse_results *entering)
{
    json_t *object = json_object();
    int bad = set(object, "accesses", results->accesses);
    bad |= set(object, "lines", results->lines);
    bad |= set(object, "accesses_once", results->accesses_once);
    bad |= json_object_set_new(object, "references", histogram(&results->references));
    bad |= json_object_set_new(object, "distances", histogram(&results->distances));
    bad |= json_object_set_new(object, "stack_distances", histogram(&results->stack_distances));
    if (entering != NULL) {
        bad |= json_object_set_new(object, "entering", reuse(entering, NULL));
    }
    return whole(object, bad);
}

static json_t *point(const gm_mrc_point *point, uint64_t line_bytes)
{
    json_t *object = json_object();
    int bad = set(object, "lines", point->lines);
    bad |= set(object, "bytes", point->lines * line_bytes);
    bad |= set(object, "misses", point->misses);
    return whole(object, bad);
}

static json_t *curve(const gm_mrc_results *results)
{
    json_t *object = json_object();
    json_t *points = json_array();
    int bad = set(object, "caches", results->caches);
    bad |= set(object, "accesses", results->accesses);
    bad |= set(object, "sampled", results->sampled);
    bad |= set(object, "rate_of_16777216", results->rate);
    bad |= set(object, "cold", results->cold);
    if (results->configured.lines != 0) {
        bad |= json_object_set_new(object, "configured",
                                   point(&results->configured, results->line_bytes));
    }
    for (uint32_t i = 0; i < results->points; i++) {
        bad |= json_array_append_new(points, point(&results->point[i], results->line_bytes));
    }
    bad |= json_object_set_new(object, "curve", points);
    return whole(object, bad);
}

static json_t *sharing(const gm_sharing_results *results)
{
    json_t *object = json_object();
    json_t *by_sms = json_array();
    int bad = set(object, "lines", results->lines);
    bad |= set(object, "shared_ctas", results->shared_ctas);
    bad |= json_object_set_new(object, "cta_distance", histogram(&results->cta_distance));
    bad |= set(object, "shared_sms", results->shared_sms);
    bad |= set(object, "sharers", results->sharers);
    for (uint32_t i = 0; i <= results->sms; i++) {
        bad |= json_array_append_new(by_sms, gm_json_count(results->by_sms[i]));
    }
    bad |= json_object_set_new(object, "by_sms", by_sms);
    return whole(object, bad);
}

/* Returns a histogram with the number of long intervals beside it. */
static json_t *intervals(const gm_latency_histogram *histogram)
{
    int bad = 0;
    json_t *object = gm_json_latency_histogram(histogram, &bad);
    bad |= set(object, "at_least_1000", gm_latency_at_least(histogram, GM_FILL_LONG));
    return whole(object, bad);
}

static json_t *fill_class(const gm_fill_class *results)
{
    json_t *object = json_object();
    int bad = set(object, "requests", results->requests);
    bad |= set(object, "hits_pending", results->hits_pending);
    bad |= json_object_set_new(object, "next", intervals(&results->next));
    bad |= json_object_set_new(object, "future", intervals(&results->future));
    return whole(object, bad);
}

static json_t *fills(const gm_fill_results *results)
{
    return json_pack("{s:o, s:o}", "shared", fill_class(&results->shared), "private",
                     fill_class(&results->exclusive));
}

json_t *gm_json_analysis(const gm_analysis_results *results, bool kernel)
{
    json_t *object = json_object();
    int bad = 0;
    if ((results->kinds & GM_ANALYZE_LOCALITY) && !kernel) {
        bad |= json_object_set_new(object, "locality",
                                   json_pack("{s:o, s:o}", "l1d",
                                             locality(&results->locality[GM_LEVEL_L1]), "l2",
                                             locality(&results->locality[GM_LEVEL_L2])));
    }
    if ((results->kinds & GM_ANALYZE_REUSE) && !kernel) {
        bad |= json_object_set_new(object, "reuse", reuse(&results->reuse, &results->entering));
    }
    if ((results->kinds & GM_ANALYZE_MISSES) && !kernel) {
        bad |= json_object_set_new(object, "misses",
                                   json_pack("{s:o, s:o}", "l1d",
                                             misses(&results->misses[GM_LEVEL_L1]), "l2",
                                             misses(&results->misses[GM_LEVEL_L2])));
    }
    if ((results->kinds & GM_ANALYZE_MRC) && !kernel) {
        bad |= json_object_set_new(object, "mrc",
                                   json_pack("{s:o, s:o}", "l1d", curve(&results->mrc[GM_LEVEL_L1]),
                                             "l2", curve(&results->mrc[GM_LEVEL_L2])));
    }
    if (results->kinds & GM_ANALYZE_SHARING) {
        bad |= json_object_set_new(object, "sharing",
                                   sharing(kernel ? &results->kernel_sharing : &results->sharing));
    }
    if ((results->kinds & GM_ANALYZE_FILLS) && !kernel) {
        bad |=
            json_object_set_new(object, "fills",
                                json_pack("{s:o, s:o}", "l1d", fills(&results->fills[GM_LEVEL_L1]),
                                          "l2", fills(&results->fills[GM_LEVEL_L2])));
    }
    return whole(object, bad);
}
