/* Text report: a sampled run's estimates and their intervals. */
#include "report/text.h"

#include <inttypes.h>

/* Writes an estimate, its relative error, and its interval. */
static void write_interval(FILE *file, const char *label, const gm_sample_interval *interval,
                           bool ratio, const char *meaning)
{
    double error = interval->value > 0 ? (interval->high - interval->value) / interval->value : 0;
    if (ratio) {
        fprintf(file, "  %-16s %15.4f  +- %5.2f%%   %.4f to %.4f: %s\n", label, interval->value,
                100 * error, interval->low, interval->high, meaning);
    } else {
        char value[GM_NUMBER_TEXT];
        char low[GM_NUMBER_TEXT];
        char high[GM_NUMBER_TEXT];
        fprintf(file, "  %-16s %15s  +- %5.2f%%   %s to %s: %s\n", label,
                gm_text_number((uint64_t)(interval->value + 0.5), value), 100 * error,
                gm_text_number((uint64_t)interval->low, low),
                gm_text_number((uint64_t)(interval->high + 0.5), high), meaning);
    }
}

void gm_text_sample(FILE *file, const gm_sample_results *sample)
{
    const gm_sample_estimate *total = &sample->total;
    gm_text_heading(file, "Sampled: estimates and their intervals of 95% confidence");
    gm_text_count(file, "CTAs", total->ctas, NULL);
    gm_text_count(file, "computed", total->simulated, "the others have only warmed the L2");
    gm_text_count(file, "units", total->units, "measured");
    gm_text_count(file, "kernels", total->kernels,
                  "that are sampled; of the others all CTAs are computed");
#define QUANTITY(name, path, meaning)                                                              \
    write_interval(file, path, &total->counter[GM_SAMPLE_##name], false, meaning);
    GM_SAMPLE_COUNTERS(QUANTITY)
#undef QUANTITY
    write_interval(file, "ipc", &total->ipc, true, "warp instructions a core cycle");
#define RATIO(name, path, above, below, meaning)                                                   \
    write_interval(file, path, &total->ratio[GM_SAMPLE_##name], true, meaning);
    GM_SAMPLE_RATIOS(RATIO)
#undef RATIO
}
