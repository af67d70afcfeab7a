/* Accounting of a run, for both engines. Computes a kernel's own statistics as what the machine's
 * counters have gained since the last kernel, cuts host copies into lines, and calls
 * options->progress. */
#ifndef GOLDMEM_FRONTEND_ACCOUNTING_H
#define GOLDMEM_FRONTEND_ACCOUNTING_H

#include "cache/traffic.h"
#include "frontend/feeder.h"
#include "frontend/opcode_tally.h"
#include "goldmem/engine.h"
#include "policy/profile.h"

typedef struct gm_accounting {
    const gm_run_options *options;
    gm_statistics before; /* the machine's counters at the end of the last kernel */
    gm_statistics total;  /* sum of the kernels' own statistics */
    uint64_t kernels;
    uint64_t executed; /* warp instructions */
    uint64_t reported; /* warp instructions at the last call of options->progress */
    uint64_t copies, copy_bytes;
    gm_opcode_tally tally;      /* of the CTAs that have begun */
    gm_profile_writer *profile; /* being written, or NULL */
} gm_accounting;

/* Begins the profile that `options` name, if any. Returns 0 or a negative errno value. Requires
 * gm_accounting_free in any case. */
int gm_accounting_open(gm_accounting *accounting, const gm_run_options *options,
                       const gm_config *config, gm_error *error);
void gm_accounting_free(gm_accounting *accounting);

/* Commits the profile at the end of a run that has not failed. Returns 0 or a negative errno value.
 */
int gm_accounting_end(gm_accounting *accounting, gm_error *error);

/* Adds the counters of host copies, which the machine does not count. */
void gm_accounting_add_copies(const gm_accounting *accounting, gm_statistics *sum);

/* Sets *own to what the machine's counters, which are now `sum`, have gained since the last call.
 */
void gm_accounting_gain(gm_accounting *accounting, const gm_statistics *sum, gm_statistics *own);

/* Takes the counters `before` off `now`. What is no count, but a state, stays that of `now`. */
void gm_accounting_since(gm_statistics *now, const gm_statistics *before);

/* Closes a kernel: sets *own to what the kernel has added to the machine's counters, which are now
 * `sum`. */
void gm_accounting_close(gm_accounting *accounting, const gm_statistics *sum, gm_statistics *own);

/* Makes the arrays of a run's results, zeroed. Returns 0 or -ENOMEM. Requires
 * gm_accounting_drop_results in any case. */
int gm_accounting_make_results(gm_results *results, uint32_t sms, uint32_t banks,
                               uint32_t partitions, gm_error *error);

/* Frees the results but for their analysis, and zeroes them. */
void gm_accounting_drop_results(gm_results *results);

/* Calls options->kernel_done, and completes the kernel's part of the profile. Returns 0, or what
 * the callback returned, or a negative errno value. */
int gm_accounting_report(gm_accounting *accounting, const gm_kernel *kernel,
                         const gm_statistics *own, gm_error *error);

/* CTAs of the kernel, for options->progress. */
typedef struct gm_run_ctas {
    uint64_t begun, resident;
} gm_run_ctas;

/* True if options->progress is set and due. */
bool gm_accounting_progress_due(const gm_accounting *accounting);

/* Calls options->progress. Returns the callback's value. */
int gm_accounting_progress(gm_accounting *accounting, gm_run_ctas ctas, gm_error *error);

/* True if the run has a limit or a warm-up, which need turn logs. */
static inline bool gm_accounting_limited(const gm_accounting *accounting)
{
    const gm_run_options *options = accounting->options;
    return options->max_cycles != 0 || options->max_instructions != 0 ||
           options->warm_up.kind != GM_WARM_UP_NONE;
}

/* Takes a host copy, line by line. */
typedef struct gm_copy_sink {
    void *context;
    void (*put)(void *context, gm_message_kind kind, uint64_t l2_line, uint32_t sectors);
    void (*flush_l1s)(void *context); /* invalidates all L1s */
} gm_copy_sink;

/* Counts a host-to-device copy and gives its lines to the sink: INSTALL if it goes through the L2
 * (l2.copy_fills), where it leaves clean lines; else DISCARD: it bypasses the L2, whose lines
 * become stale and are invalidated. Flushes L1s that kernels' ends do not flush. Returns 0,
 * -EINVAL, or what options->progress returned. */
int gm_accounting_copy(gm_accounting *accounting, const gm_config *config, const gm_feed *feed,
                       const gm_copy_sink *sink, gm_error *error);

#endif
