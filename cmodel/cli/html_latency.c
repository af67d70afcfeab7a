/* goldmem report: latency histograms, by what served the requests, over a logarithmic axis. */
#include "cli/html.h"

#include "goldmem/latency.h"

#include <math.h>

enum {
    BINS_OF_OCTAVE = 8,
    OCTAVES = 33, /* latencies are of 32 bits */
    MOST_BINS = BINS_OF_OCTAVE * OCTAVES,
};

static const char *const sources[GM_LATENCY_SOURCES] = {
#define SOURCE(source, meaning) #source,
    GM_LATENCY_SOURCE_LIST(SOURCE)
#undef SOURCE
};

/* A histogram in bins that are as wide on the axis. */
typedef struct picture {
    double share[GM_LATENCY_SOURCES][MOST_BINS]; /* percent of all */
    bool has[GM_LATENCY_SOURCES];
    size_t first, end; /* bins that have some */
} picture;

/* Returns the least latency of a bin. */
static double edge(size_t bin)
{
    return pow(2, (double)bin / BINS_OF_OCTAVE);
}

static size_t bin_of(double latency)
{
    size_t bin = latency >= 2 ? (size_t)(log2(latency) * BINS_OF_OCTAVE) : 0;
    while (bin + 1 < MOST_BINS && edge(bin + 1) <= latency) { /* rounding */
        bin++;
    }
    return bin < MOST_BINS ? bin : MOST_BINS - 1;
}

static void fill(picture *picture, const json_t *kind)
{
    double all = gm_html_at(kind, "all.count");
    *picture = (struct picture){.first = MOST_BINS};
    for (unsigned k = 0; k < GM_LATENCY_SOURCES; k++) {
        const json_t *buckets = json_object_get(json_object_get(kind, sources[k]), "histogram");
        size_t i;
        const json_t *bucket;
        json_array_foreach(buckets, i, bucket)
        {
            size_t bin = bin_of(gm_html_at(bucket, "low"));
            picture->share[k][bin] += 100 * gm_html_at(bucket, "count") / all;
            picture->has[k] = true;
            picture->first = bin < picture->first ? bin : picture->first;
            picture->end = bin + 1 > picture->end ? bin + 1 : picture->end;
        }
    }
}

/* Writes the histogram of a kind of the run's latencies, if it has any. */
static void write_kind(FILE *file, const gm_html_page *page, size_t number, const char *name,
                       const char *title)
{
    static const struct {
        const char *path, *name;
    } percentiles[] = {
        {"all.p50", "50%"}, {"all.p90", "90%"}, {"all.p99", "99%"}, {"all.p999", "99.9%"}};
    const json_t *kind =
        json_object_get(json_object_get(page->run[number].run.report, "latency"), name);
    picture picture;
    fill(&picture, kind);
    if (picture.end == 0) {
        return;
    }
    size_t first = picture.first / BINS_OF_OCTAVE * BINS_OF_OCTAVE; /* at powers of two */
    size_t end = (picture.end + BINS_OF_OCTAVE - 1) / BINS_OF_OCTAVE * BINS_OF_OCTAVE;
    double x[MOST_BINS];
    const double *y[GM_LATENCY_SOURCES];
    const char *line[GM_LATENCY_SOURCES];
    unsigned colour[GM_LATENCY_SOURCES];
    gm_html_mark mark[4];
    size_t lines = 0;
    for (size_t i = first; i < end; i++) {
        x[i - first] = edge(i + 1);
    }
    for (unsigned k = 0; k < GM_LATENCY_SOURCES; k++) {
        if (picture.has[k]) {
            colour[lines] = k;
            y[lines] = &picture.share[k][first];
            line[lines++] = sources[k];
        }
    }
    for (unsigned i = 0; i < 4; i++) {
        mark[i] = (gm_html_mark){gm_html_at(kind, percentiles[i].path), percentiles[i].name};
    }
    char text[GM_HTML_TITLE];
    const gm_html_lines drawing = {.title = gm_html_title(page, number, title, text),
                                   .unit = "% of them, in bins of an eighth of a power of two",
                                   .x_name = "core cycles",
                                   .points = end - first,
                                   .lines = lines,
                                   .x = x,
                                   .y = y,
                                   .line = line,
                                   .colour = colour,
                                   .stacked = true,
                                   .x_least = edge(first),
                                   .mark = mark,
                                   .marks = 4};
    gm_html_write_lines(file, &drawing);
}

static void write_run(FILE *file, const gm_html_page *page, size_t number)
{
    write_kind(file, page, number, "requests", "Load requests, by what served them");
    write_kind(file, page, number, "loads", "Loads, from issue to the last data");
    write_kind(file, page, number, "stores", "Stores, from issue to the last answer");
    write_kind(file, page, number, "atomics", "Atomics, from issue to the last answer");
}

bool gm_html_has_latency(const gm_html_page *page)
{
    bool has = false;
    for (size_t i = 0; i < page->runs; i++) {
        has |= json_object_get(page->run[i].run.report, "latency") != NULL;
    }
    return has;
}

void gm_html_write_latency(FILE *file, const gm_html_page *page)
{
    gm_html_each_run(file, page, "latency", "Latency", write_run);
}
