/* Books of a run: what every engine does around its kernels. Each kernel's own statistics are what
 * the machine's counters have gained; host copies are cut into lines; progress is told. */
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
    gm_statistics total;  /* kernel by kernel */
    uint64_t kernels;
    uint64_t executed; /* warp instructions */
    uint64_t reported; /* of them, at the last call of options->progress */
    uint64_t copies, copy_bytes;
    uint64_t next_look;         /* limits: `executed` or cycle at which they are looked at next */
    gm_opcode_tally tally;      /* of the CTAs that have begun */
    gm_profile_writer *profile; /* that the run writes, or NULL */
} gm_accounting;

/* Begins the profile that `options` ask for; gm_accounting_free in any case. A negative errno
 * value.
 */
int gm_accounting_open(gm_accounting *books, const gm_run_options *options, const gm_config *config,
                       gm_error *error);
void gm_accounting_free(gm_accounting *books);

/* The run has ended well. */
int gm_accounting_end(gm_accounting *books, gm_error *error);

/* Host copies are counted here, not by the machine. */
void gm_accounting_add_copies(const gm_accounting *books, gm_statistics *sum);

/* A kernel has ended and the machine's counters stand at `sum`: *own is what it has added. */
void gm_accounting_close(gm_accounting *books, const gm_statistics *sum, gm_statistics *own);

/* Makes the arrays of a run's results, zeroed. Returns -ENOMEM or 0; gm_accounting_drop_results in
 * any case. */
int gm_accounting_make_results(gm_results *results, uint32_t sms, uint32_t banks,
                               uint32_t partitions, gm_error *error);

/* Frees the results but for their analysis, and zeroes them. */
void gm_accounting_drop_results(gm_results *results);

/* Calls options->kernel_done, and completes the kernel's part of the profile. */
int gm_accounting_report(gm_accounting *books, const gm_kernel *kernel, const gm_statistics *own,
                         gm_error *error);

/* Where CTAs of the kernel are, for options->progress. */
typedef struct gm_run_ctas {
    uint64_t begun, resident;
} gm_run_ctas;

/* Is it time for options->progress? */
bool gm_accounting_progress_due(const gm_accounting *books);

/* Calls options->progress. */
int gm_accounting_progress(gm_accounting *books, gm_run_ctas ctas, gm_error *error);

/* Are turn logs needed? */
static inline bool gm_accounting_limited(const gm_accounting *books)
{
    return books->options->max_cycles != 0 || books->options->max_instructions != 0;
}

/* Who takes a host copy, line by line. */
typedef struct gm_copy_sink {
    void *context;
    void (*put)(void *context, gm_message_kind kind, uint64_t l2_line, uint32_t sectors);
    void (*flush_l1s)(void *context); /* the L1s keep nothing of before the copy */
} gm_copy_sink;

/* A host-to-device copy: INSTALL when l2.copy_fills says that it goes through the L2, where it
 * leaves clean lines; else DISCARD: past the L2, so that the lines there become stale and go. So do
 * the lines of L1s that kernels' ends do not flush. */
int gm_accounting_copy(gm_accounting *books, const gm_config *config, const gm_feed *feed,
                       const gm_copy_sink *sink, gm_error *error);

#endif
