/* Latency histograms in the text report: a row for what was asked and what served it. */
#include "report/text.h"

#include "goldmem/latency.h"

#include <inttypes.h>

void gm_text_latency_row(FILE *file, const char *label, const gm_latency_histogram *histogram)
{
    char count[GM_NUMBER_TEXT];
    char mean[GM_NUMBER_TEXT];
    fprintf(file, "  %-22s %15s %11s", label, gm_text_number(histogram->count, count),
            gm_text_ratio(histogram->cycles, histogram->count, mean));
    static const unsigned per_mille[] = {500, 900, 990, 999};
    for (unsigned i = 0; i < sizeof per_mille / sizeof per_mille[0]; i++) {
        fprintf(file, " %7" PRIu64, gm_latency_percentile(histogram, per_mille[i]));
    }
    fprintf(file, " %7" PRIu64 "\n", histogram->most);
}

static void kind(FILE *file, const char *name, const gm_latency_histogram of[GM_LATENCY_SOURCES])
{
    static const char *const sources[GM_LATENCY_SOURCES] = {
#define SOURCE(source, meaning) #source,
        GM_LATENCY_SOURCE_LIST(SOURCE)
#undef SOURCE
    };
    gm_latency_histogram all = {0};
    unsigned used = 0;
    for (unsigned i = 0; i < GM_LATENCY_SOURCES; i++) {
        if (of[i].count != 0) {
            char label[64];
            snprintf(label, sizeof label, "%s, %s", name, sources[i]);
            gm_text_latency_row(file, label, &of[i]);
            gm_latency_merge(&all, &of[i]);
            used++;
        }
    }
    if (used > 1) {
        gm_text_latency_row(file, name, &all);
    }
}

void gm_text_latency_heading(FILE *file, const char *heading)
{
    gm_text_heading(file, heading);
    fprintf(file, "  %-22s %15s %11s %7s %7s %7s %7s %7s\n", "", "number", "mean", "50%", "90%",
            "99%", "99.9%", "longest");
}

void gm_text_latencies(FILE *file, const gm_latencies *latencies)
{
    gm_text_latency_heading(file, "Latencies in core cycles, by what served them");
#define KIND(name, meaning)                                                                        \
    if (GM_LATENCY_##name != GM_LATENCY_shared) {                                                  \
        kind(file, #name, latencies->of[GM_LATENCY_##name]);                                       \
    }
    GM_LATENCY_KIND_LIST(KIND)
#undef KIND
    const gm_latency_histogram *shared = &latencies->of[GM_LATENCY_shared][GM_SERVED_BY_l1];
    if (shared->count != 0) {
        gm_text_latency_row(file, "shared memory", shared);
    }
}
