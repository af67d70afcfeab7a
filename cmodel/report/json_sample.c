/* JSON report: sampled runs. */
#include "report/json_sample.h"

#include "report/json_value.h"

static json_t *interval(const gm_sample_interval *interval)
{
    return json_pack("{s:f, s:f, s:f}", "value", interval->value, "low", interval->low, "high",
                     interval->high);
}

/* Adds what kernels and runs have. */
static int add_estimate(json_t *object, const gm_sample_estimate *estimate)
{
    json_t *intervals = json_object();
    int bad = json_object_set_new(object, "ctas", gm_json_count(estimate->ctas));
    bad |= json_object_set_new(object, "simulated", gm_json_count(estimate->simulated));
    bad |= json_object_set_new(object, "units", gm_json_count(estimate->units));
#define QUANTITY(name, path, meaning)                                                              \
    bad |= json_object_set_new(intervals, path, interval(&estimate->counter[GM_SAMPLE_##name]));
    GM_SAMPLE_COUNTERS(QUANTITY)
#undef QUANTITY
#define RATIO(name, path, above, below, meaning)                                                   \
    bad |= json_object_set_new(intervals, path, interval(&estimate->ratio[GM_SAMPLE_##name]));
    GM_SAMPLE_RATIOS(RATIO)
#undef RATIO
    bad |= json_object_set_new(intervals, "ipc", interval(&estimate->ipc));
    return bad | json_object_set_new(object, "intervals", intervals);
}

json_t *gm_json_sample(const gm_sample_estimate *estimate)
{
    json_t *object = json_object();
    return add_estimate(object, estimate) == 0 ? object : (json_decref(object), NULL);
}

json_t *gm_json_sample_of_run(const gm_sample_results *sample)
{
    json_t *object =
        json_pack("{s:f, s:o, s:f, s:o}", "share", (double)sample->options.share / GM_SAMPLE_ALL,
                  "seed", gm_json_count(sample->options.seed), "confidence", 0.95, "kernels",
                  gm_json_count(sample->total.kernels));
    return add_estimate(object, &sample->total) == 0 ? object : (json_decref(object), NULL);
}

/* Returns the schema of a number. */
static json_t *number(const char *meaning)
{
    return json_pack("{s:s, s:s}", "type", "number", "description", meaning);
}

static json_t *interval_schema(const char *meaning)
{
    return json_pack("{s:s, s:s, s:{s:o, s:o, s:o}, s:b, s:[s, s, s]}", "type", "object",
                     "description", meaning, "properties", "value", number("the estimate"), "low",
                     number("of its interval of 95% confidence"), "high", number("likewise"),
                     "additionalProperties", 0, "required", "value", "low", "high");
}

json_t *gm_json_sample_schema(void)
{
    json_t *intervals = json_object();
    int bad = 0;
#define QUANTITY(name, path, meaning)                                                              \
    bad |= json_object_set_new(intervals, path, interval_schema(meaning));
    GM_SAMPLE_COUNTERS(QUANTITY)
#undef QUANTITY
#define RATIO(name, path, above, below, meaning)                                                   \
    bad |= json_object_set_new(intervals, path, interval_schema(meaning));
    GM_SAMPLE_RATIOS(RATIO)
#undef RATIO
    bad |= json_object_set_new(intervals, "ipc", interval_schema("warp instructions a core cycle"));
    json_t *schema = json_pack(
        "{s:s, s:{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:{s:s, s:o, s:b}}, s:b, s:[s, s, s, s]}",
        "type", "object", "properties", "share", number("of the CTAs that was asked for"), "seed",
        number("of the units' places"), "confidence", number("of the intervals"), "kernels",
        number("that are sampled"), "ctas", number("of the kernels"), "simulated",
        number("of these, computed cycle by cycle"), "units",
        number("measured; 0: all CTAs are computed, and nothing is estimated"), "intervals", "type",
        "object", "properties", intervals, "additionalProperties", 0, "additionalProperties", 0,
        "required", "ctas", "simulated", "units", "intervals");
    return bad == 0 ? schema : (json_decref(schema), NULL);
}
