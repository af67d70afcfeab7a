/* The analyses in the text report. */
#include "report/text.h"

#include "goldmem/engine.h"

#include <inttypes.h>
#include <string.h>

static uint64_t sum(const uint64_t *count, unsigned length)
{
    uint64_t all = 0;
    for (unsigned i = 0; i < length; i++) {
        all += count[i];
    }
    return all;
}

/* Writes a row of two counts with their shares. */
static void pair(FILE *file, const char *label, uint64_t left, uint64_t left_whole, uint64_t right,
                 uint64_t right_whole)
{
    char number[2][GM_NUMBER_TEXT];
    char share[2][GM_NUMBER_TEXT];
    fprintf(file, "  %-22s %15s %7s %15s %7s\n", label, gm_text_number(left, number[0]),
            gm_text_share(left, left_whole, share[0]), gm_text_number(right, number[1]),
            gm_text_share(right, right_whole, share[1]));
}

static void pair_heading(FILE *file, const char *left, const char *right)
{
    fprintf(file, "  %-22s %15s %7s %15s\n", "", left, "", right);
}

static void locality_level(FILE *file, const char *level, const gm_locality_results *results)
{
    uint64_t accesses = results->accesses;
    fprintf(file, "\nLocality at the %s: re-references, and of them hits, in shares of %s\n", level,
            "accesses");
    pair_heading(file, "unbounded", "bounded");
#define CLASS(name, meaning)                                                                       \
    pair(file, #name, results->references[GM_LOCALITY_##name], accesses,                           \
         results->hits[GM_LOCALITY_##name], accesses);
    GM_LOCALITY_CLASSES(CLASS)
#undef CLASS
    pair(file, "all", sum(results->references, GM_LOCALITIES), accesses,
         sum(results->hits, GM_LOCALITIES), accesses);
}

static void bucket_name(unsigned bucket, char text[2 * GM_NUMBER_TEXT])
{
    uint64_t low = gm_histogram_low(bucket);
    uint64_t high = gm_histogram_high(bucket);
    if (low == high) {
        snprintf(text, (size_t)2 * GM_NUMBER_TEXT, "%" PRIu64, low);
    } else {
        snprintf(text, (size_t)2 * GM_NUMBER_TEXT, "%" PRIu64 "-%" PRIu64, low, high);
    }
}

/* Writes both histograms in one table, without rows that are empty in both. */
static void two_histograms(FILE *file, const gm_histogram *left, const gm_histogram *right)
{
    uint64_t left_all = sum(left->count, GM_HISTOGRAM_BUCKETS);
    uint64_t right_all = sum(right->count, GM_HISTOGRAM_BUCKETS);
    for (unsigned i = 0; i < GM_HISTOGRAM_BUCKETS; i++) {
        if (left->count[i] != 0 || right->count[i] != 0) {
            char name[2 * GM_NUMBER_TEXT];
            bucket_name(i, name);
            pair(file, name, left->count[i], left_all, right->count[i], right_all);
        }
    }
}

static void one_histogram(FILE *file, const gm_histogram *histogram, uint64_t whole)
{
    for (unsigned i = 0; i < GM_HISTOGRAM_BUCKETS; i++) {
        if (histogram->count[i] != 0) {
            char name[2 * GM_NUMBER_TEXT];
            char share[GM_NUMBER_TEXT];
            bucket_name(i, name);
            gm_text_count(file, name, histogram->count[i],
                          gm_text_share(histogram->count[i], whole, share));
        }
    }
}

static void distances(FILE *file, const char *heading, const gm_reuse_results *results)
{
    gm_text_heading(file, heading);
    pair_heading(file, "accesses", "lines");
    two_histograms(file, &results->distances, &results->stack_distances);
}

static void reuse(FILE *file, const gm_reuse_results *results, const gm_reuse_results *entering)
{
    char share[GM_NUMBER_TEXT];
    char note[128];
    gm_text_heading(file, "Reuse in each SM's L1D accesses: lines by number of references");
    one_histogram(file, &results->references, results->lines);
    snprintf(note, sizeof note, "%s of accesses",
             gm_text_share(results->accesses_once, results->accesses, share));
    gm_text_count(file, "accesses without reuse", results->accesses_once, note);
    distances(file, "Reuse distance: re-references by what lies between", results);
    if (entering->accesses == results->accesses) {
        return;
    }
    gm_text_heading(file, "What enters the L1Ds: all but bypasses");
    gm_text_count(file, "accesses", entering->accesses,
                  gm_text_share(entering->accesses, results->accesses, share));
    gm_text_count(file, "lines", entering->lines,
                  gm_text_share(entering->lines, results->lines, share));
    distances(file, "Reuse distance in what enters", entering);
}

static void misses(FILE *file, const gm_miss_results results[GM_LEVELS])
{
    const gm_miss_results *l1 = &results[GM_LEVEL_L1];
    const gm_miss_results *l2 = &results[GM_LEVEL_L2];
    uint64_t l1_all = sum(l1->misses, GM_MISS_KINDS);
    uint64_t l2_all = sum(l2->misses, GM_MISS_KINDS);
    gm_text_heading(file, "Misses by cause");
    pair_heading(file, "L1D", "L2");
#define CLASS(name, meaning)                                                                       \
    pair(file, #name, l1->misses[GM_MISS_##name], l1_all, l2->misses[GM_MISS_##name], l2_all);
    GM_MISS_CLASSES(CLASS)
#undef CLASS
    pair(file, "all", l1_all, l1_all, l2_all, l2_all);
    pair(file, "were it unbounded", l1->unbounded, l1_all, l2->unbounded, l2_all);
    pair(file, "fully associative LRU", l1->fully_associative, l1_all, l2->fully_associative,
         l2_all);
}

/* How sampled a curve is, in one line. */
static void sampling(FILE *file, const char *level, const gm_mrc_results *results)
{
    char share[GM_NUMBER_TEXT];
    char label[32];
    if (results->rate != GM_MRC_HASHES) {
        snprintf(label, sizeof label, "%s accesses sampled", level);
        gm_text_count(file, label, results->sampled,
                      gm_text_share(results->sampled, results->accesses, share));
    }
}

/* Writes the misses at powers of two, up to where the last of both curves ends. */
static void curves(FILE *file, const gm_mrc_results results[GM_LEVELS])
{
    const gm_mrc_results *l1 = &results[GM_LEVEL_L1];
    const gm_mrc_results *l2 = &results[GM_LEVEL_L2];
    uint64_t l1_end = l1->point[l1->points - 1].lines;
    uint64_t end = l2->point[l2->points - 1].lines;
    char number[2 * GM_NUMBER_TEXT];
    end = l1_end > end ? l1_end : end;
    gm_text_heading(file, "Misses of fully associative LRU caches by lines, in shares of accesses");
    sampling(file, "L1D", l1);
    sampling(file, "L2", l2);
    pair_heading(file, "each L1D", "all of the L2");
    for (uint64_t lines = 1; lines < 2 * end; lines *= 2) {
        pair(file, gm_text_number(lines, number), gm_mrc_misses(l1, lines), l1->accesses,
             gm_mrc_misses(l2, lines), l2->accesses);
    }
    for (unsigned level = 0; level < GM_LEVELS; level++) {
        const gm_mrc_point *configured = &results[level].configured;
        if (configured->lines != 0) {
            char note[2 * GM_NUMBER_TEXT + 32];
            char share[GM_NUMBER_TEXT];
            snprintf(note, sizeof note, "%s: %s lines",
                     gm_text_share(configured->misses, results[level].accesses, share),
                     gm_text_number(configured->lines, number));
            gm_text_count(file, level == GM_LEVEL_L1 ? "at the L1D's size" : "at the L2's size",
                          configured->misses, note);
        }
    }
}

static void sharing(FILE *file, const gm_sharing_results *results)
{
    char share[GM_NUMBER_TEXT];
    gm_text_heading(file, "Sharing of lines within a kernel");
    gm_text_count(file, "lines touched", results->lines, NULL);
    gm_text_count(file, "by two SMs or more", results->shared_sms,
                  gm_text_share(results->shared_sms, results->lines, share));
    gm_text_count(file, "by two CTAs or more", results->shared_ctas,
                  gm_text_share(results->shared_ctas, results->lines, share));
    gm_text_heading(file, "Lines by number of SMs");
    for (uint32_t i = 0; i <= results->sms; i++) {
        if (results->by_sms[i] != 0) {
            char number[GM_NUMBER_TEXT];
            gm_text_count(file, gm_text_number(i, number), results->by_sms[i],
                          gm_text_share(results->by_sms[i], results->lines, share));
        }
    }
    gm_text_heading(file,
                    "Shared lines by distance of their two nearest CTAs, in shares of all lines");
    one_histogram(file, &results->cta_distance, results->lines);
}

/* Requests to lines of several SMs, and of one; then the intervals of those with any. */
static void fills(FILE *file, const gm_fill_results results[GM_LEVELS])
{
    static const char *const levels[GM_LEVELS] = {"L1D", "L2"};
    char label[64];
    char number[GM_NUMBER_TEXT];
    gm_text_heading(file, "Requests to lines of several SMs within a kernel, and of one");
    pair_heading(file, "shared", "private");
    for (unsigned level = 0; level < GM_LEVELS; level++) {
        const gm_fill_class *shared = &results[level].shared;
        const gm_fill_class *exclusive = &results[level].exclusive;
        uint64_t all = shared->requests + exclusive->requests;
        snprintf(label, sizeof label, "%s requests", levels[level]);
        pair(file, label, shared->requests, all, exclusive->requests, all);
        snprintf(label, sizeof label, "%s MSHR hits of these", levels[level]);
        pair(file, label, shared->hits_pending, shared->requests, exclusive->hits_pending,
             exclusive->requests);
    }
    gm_text_latency_heading(file, "Core cycles from the fill of a line to accesses after it");
    for (unsigned level = 0; level < GM_LEVELS; level++) {
        const struct {
            const char *name;
            const gm_latency_histogram *of;
        } rows[] = {{"shared, next", &results[level].shared.next},
                    {"shared, all", &results[level].shared.future},
                    {"private, next", &results[level].exclusive.next},
                    {"private, all", &results[level].exclusive.future}};
        for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            if (rows[i].of->count != 0) {
                char share[GM_NUMBER_TEXT];
                uint64_t most = gm_latency_at_least(rows[i].of, GM_FILL_LONG);
                snprintf(label, sizeof label, "%s %s", levels[level], rows[i].name);
                gm_text_latency_row(file, label, rows[i].of);
                snprintf(label, sizeof label, "  of %s or more",
                         gm_text_number(GM_FILL_LONG, number));
                gm_text_count(file, label, most, gm_text_share(most, rows[i].of->count, share));
            }
        }
    }
}

void gm_text_analysis(FILE *file, const gm_analysis_results *results)
{
    if (results->kinds & GM_ANALYZE_LOCALITY) {
        locality_level(file, "L1D", &results->locality[GM_LEVEL_L1]);
        locality_level(file, "L2", &results->locality[GM_LEVEL_L2]);
    }
    if (results->kinds & GM_ANALYZE_REUSE) {
        reuse(file, &results->reuse, &results->entering);
    }
    if (results->kinds & GM_ANALYZE_MISSES) {
        misses(file, results->misses);
    }
    if (results->kinds & GM_ANALYZE_MRC) {
        curves(file, results->mrc);
    }
    if (results->kinds & GM_ANALYZE_SHARING) {
        sharing(file, &results->sharing);
    }
    if (results->kinds & GM_ANALYZE_FILLS) {
        fills(file, results->fills);
    }
}
