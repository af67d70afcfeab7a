/* The member "latency" of the JSON report (docs/running.md, Latency). */
#include "report/json_latency.h"

#include "report/json_value.h"

static int set(json_t *object, const char *name, uint64_t value)
{
    return json_object_set_new(object, name, gm_json_count(value));
}

/* Returns [{low, high, count}] without the empty buckets. */
static json_t *buckets(const gm_latency_histogram *histogram, int *bad)
{
    json_t *array = json_array();
    for (unsigned i = 0; i < GM_LATENCY_BUCKETS; i++) {
        if (histogram->bucket[i] != 0) {
            json_t *bucket = json_object();
            *bad |= set(bucket, "low", gm_latency_low(i));
            *bad |= set(bucket, "high", gm_latency_high(i));
            *bad |= set(bucket, "count", histogram->bucket[i]);
            *bad |= json_array_append_new(array, bucket);
        }
    }
    return array;
}

json_t *gm_json_latency_histogram(const gm_latency_histogram *histogram, int *bad)
{
    json_t *object = json_object();
    *bad |= set(object, "count", histogram->count);
    *bad |= set(object, "cycles", histogram->cycles);
    *bad |= set(object, "p50", gm_latency_percentile(histogram, 500));
    *bad |= set(object, "p90", gm_latency_percentile(histogram, 900));
    *bad |= set(object, "p99", gm_latency_percentile(histogram, 990));
    *bad |= set(object, "p999", gm_latency_percentile(histogram, 999));
    *bad |= set(object, "longest", histogram->most);
    *bad |= json_object_set_new(object, "histogram", buckets(histogram, bad));
    return object;
}

static json_t *kind(const gm_latency_histogram of[GM_LATENCY_SOURCES], int *bad)
{
    static const char *const sources[GM_LATENCY_SOURCES] = {
#define SOURCE(source, meaning) #source,
        GM_LATENCY_SOURCE_LIST(SOURCE)
#undef SOURCE
    };
    json_t *object = json_object();
    gm_latency_histogram all = {0};
    for (unsigned i = 0; i < GM_LATENCY_SOURCES; i++) {
        gm_latency_merge(&all, &of[i]);
        if (of[i].count != 0) {
            *bad |= json_object_set_new(object, sources[i], gm_json_latency_histogram(&of[i], bad));
        }
    }
    *bad |= json_object_set_new(object, "all", gm_json_latency_histogram(&all, bad));
    return object;
}

json_t *gm_json_latencies(const gm_latencies *latencies)
{
    json_t *object = json_object();
    int bad = 0;
#define KIND(name, meaning)                                                                        \
    bad |= json_object_set_new(object, #name, kind(latencies->of[GM_LATENCY_##name], &bad));
    GM_LATENCY_KIND_LIST(KIND)
#undef KIND
    if (bad != 0) {
        json_decref(object);
        return NULL;
    }
    return object;
}
