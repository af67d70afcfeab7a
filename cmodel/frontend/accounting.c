/* Accounting of a run: statistics by kernel, host copies, progress. */
#include "frontend/accounting.h"

#include "cache/cache.h"
#include "goldmem/bits.h"

#include <errno.h>
#include <stdlib.h>

enum {
    PROGRESS_PERIOD = 1 << 16, /* warp instructions */
    COPY_PERIOD = 1 << 20,     /* lines of a copy */
};

#define MOST_COPY (UINT64_C(1) << 40) /* bytes: more than any GPU's memory */

/* Subtracts counter by counter: the structs hold nothing but 64-bit counters. */
static void subtract(gm_statistics *from, const gm_statistics *what)
{
    uint64_t *left = (uint64_t *)from;
    const uint64_t *right = (const uint64_t *)what;
    for (size_t i = 0; i < sizeof *from / sizeof *left; i++) {
        left[i] -= right[i];
    }
}

int gm_accounting_open(gm_accounting *accounting, const gm_run_options *options,
                       const gm_config *config, gm_error *error)
{
    accounting->options = options;
    return options->write_profile != NULL
               ? gm_profile_writer_open(&accounting->profile, options->write_profile, config, error)
               : 0;
}

void gm_accounting_free(gm_accounting *accounting)
{
    gm_profile_writer_free(accounting->profile);
    accounting->profile = NULL;
    gm_opcode_tally_free(&accounting->tally);
}

int gm_accounting_end(gm_accounting *accounting, gm_error *error)
{
    return accounting->profile != NULL ? gm_profile_writer_commit(accounting->profile, error) : 0;
}

void gm_accounting_add_copies(const gm_accounting *accounting, gm_statistics *sum)
{
    sum->copies = accounting->copies;
    sum->copy_bytes = accounting->copy_bytes;
}

void gm_accounting_since(gm_statistics *now, const gm_statistics *before)
{
    const gm_statistics states = *now;
    subtract(now, before);
    now->l2_dirty_sectors = states.l2_dirty_sectors;
    now->unified = states.unified;
    now->l1_streaming.first_closed = states.l1_streaming.first_closed;
    now->l2_streaming.first_closed = states.l2_streaming.first_closed;
    now->sampling.limit = states.sampling.limit;
}

void gm_accounting_gain(gm_accounting *accounting, const gm_statistics *sum, gm_statistics *own)
{
    gm_statistics now = *sum;
    gm_accounting_add_copies(accounting, &now);
    *own = now;
    gm_accounting_since(own, &accounting->before);
    gm_statistics_add(&accounting->total, own);
    accounting->before = now;
}

void gm_accounting_close(gm_accounting *accounting, const gm_statistics *sum, gm_statistics *own)
{
    gm_accounting_gain(accounting, sum, own);
    accounting->kernels++;
}

int gm_accounting_make_results(gm_results *results, uint32_t sms, uint32_t banks,
                               uint32_t partitions, gm_error *error)
{
    results->per_sm = calloc(sms, sizeof(gm_statistics));
    results->per_bank = calloc(banks, sizeof(gm_statistics));
    results->per_partition = calloc(partitions, sizeof(gm_statistics));
    bool made =
        results->per_sm != NULL && results->per_bank != NULL && results->per_partition != NULL;
    return made ? 0 : gm_fail(error, -ENOMEM, "out of memory: results");
}

void gm_accounting_drop_results(gm_results *results)
{
    gm_set_contents_free(results->l2_sets);
    free(results->per_sm);
    free(results->per_bank);
    free(results->per_partition);
    free(results->unmodelled);
    free(results->latencies);
    free(results->variants);
    gm_pc_profile_free(results->per_pc);
    free(results->sample);
    *results = (gm_results){0};
}

int gm_accounting_report(gm_accounting *accounting, const gm_kernel *kernel,
                         const gm_statistics *own, gm_error *error)
{
    const gm_run_options *options = accounting->options;
    int code = accounting->profile != NULL
                   ? gm_profile_writer_kernel(accounting->profile, kernel, error)
                   : 0;
    return code == 0 && options->kernel_done != NULL
               ? options->kernel_done(options->context, kernel, own, error)
               : code;
}

bool gm_accounting_progress_due(const gm_accounting *accounting)
{
    return accounting->options->progress != NULL &&
           accounting->executed - accounting->reported >= PROGRESS_PERIOD;
}

int gm_accounting_progress(gm_accounting *accounting, gm_run_ctas ctas, gm_error *error)
{
    const gm_run_progress progress = {
        .warp_instructions = accounting->executed,
        .begun = accounting->executed,
        .kernel = accounting->kernels,
        .ctas_done = ctas.begun - ctas.resident,
        .ctas_begun = ctas.begun,
    };
    accounting->reported = accounting->executed;
    return accounting->options->progress(accounting->options->context, &progress, error);
}

/* Gives the sink the lines of the copy, of `sectors` sectors each. */
static int put_lines(gm_accounting *accounting, const gm_feed *feed, uint64_t sectors,
                     gm_message_kind kind, const gm_copy_sink *sink, gm_error *error)
{
    const gm_run_options *options = accounting->options;
    unsigned shift = gm_log2_floor(sectors);
    uint64_t last = (feed->address + feed->bytes - 1) >> GM_SECTOR_SHIFT;
    for (uint64_t first = feed->address >> GM_SECTOR_SHIFT; first <= last;) {
        uint64_t end = (first | (sectors - 1)) < last ? first | (sectors - 1) : last;
        uint64_t mask =
            gm_mask((unsigned)(end % sectors) + 1) & ~gm_mask((unsigned)(first % sectors));
        sink->put(sink->context, kind, first >> shift, (uint32_t)mask);
        first = end + 1;
        if (first / sectors % COPY_PERIOD == 0 && options->progress != NULL) {
            int code = gm_accounting_progress(accounting, (gm_run_ctas){0}, error);
            if (code != 0) {
                return code;
            }
        }
    }
    return 0;
}

int gm_accounting_copy(gm_accounting *accounting, const gm_config *config, const gm_feed *feed,
                       const gm_copy_sink *sink, gm_error *error)
{
    accounting->copies++;
    accounting->copy_bytes += feed->bytes;
    if (feed->bytes > MOST_COPY || feed->address > UINT64_MAX - feed->bytes) {
        return gm_fail(error, -EINVAL, "a copy of %llu bytes to 0x%llx: no GPU has such memory",
                       (unsigned long long)feed->bytes, (unsigned long long)feed->address);
    }
    bool fills = config->l2.copy_fills;
    if (feed->bytes == 0 || (!fills && accounting->kernels == 0)) {
        return 0; /* nothing is cached yet */
    }
    bool flushed = config->l1.flush && config->coherence.protocol == GM_COHERENCE_NONE;
    if (!flushed && accounting->kernels != 0) {
        sink->flush_l1s(sink->context);
    }
    return put_lines(accounting, feed, config->l2.line / GM_SECTOR,
                     fills ? GM_MESSAGE_INSTALL : GM_MESSAGE_DISCARD, sink, error);
}
