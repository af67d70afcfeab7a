/* Runs of the cycle engine on sources that lie in memory, all laws checked. */
#ifndef GOLDMEM_TESTS_SUPPORT_CYCLE_ENGINE_CYCLE_RUN_H
#define GOLDMEM_TESTS_SUPPORT_CYCLE_ENGINE_CYCLE_RUN_H

#include "goldmem/engine.h"
#include "support/support.h"
#include "support/trace/memory_source.h"

#include <errno.h>

/* The source from its beginning. Its results are freed by the caller. */
static inline gm_results cycle_results(const gm_config *config, memory_source *source,
                                       unsigned threads, bool no_skip)
{
    const gm_run_options options = {.threads = threads, .check = true, .no_skip = no_skip};
    gm_results results;
    gm_error error;
    memory_source_rewind(source);
    test_ok(gm_cycle_run(config, &source->source, &options, &results, &error), error);
    return results;
}

static inline gm_statistics cycle_run(const gm_config *config, memory_source *source)
{
    gm_results results = cycle_results(config, source, 1, false);
    gm_statistics total = results.total;
    gm_results_free(&results);
    return total;
}

/* Statistics kernel by kernel, and of all. */
enum { CYCLE_KERNELS = 16 };
typedef struct cycle_kernels {
    unsigned count;
    gm_statistics own[CYCLE_KERNELS], total;
} cycle_kernels;

static inline int cycle_keep(void *context, const gm_kernel *kernel,
                             const gm_statistics *statistics, gm_error *error)
{
    cycle_kernels *kernels = context;
    (void)kernel;
    (void)error;
    assert_true(kernels->count < CYCLE_KERNELS);
    kernels->own[kernels->count++] = *statistics;
    return 0;
}

/* What a run left. */
typedef struct cycle_outcome {
    gm_results results;
    cycle_kernels kernels;
} cycle_outcome;

/* The source from its beginning, all laws checked. -EIO where the source was told to fail; then
 * there are no results, else the caller frees them. */
static inline int cycle_try(const gm_config *config, memory_source *source, gm_run_options options,
                            cycle_outcome *outcome)
{
    gm_error error;
    *outcome = (cycle_outcome){0};
    options.threads = options.threads == 0 ? 1 : options.threads;
    options.check = true;
    options.context = &outcome->kernels;
    options.kernel_done = cycle_keep;
    memory_source_rewind(source);
    int code = gm_cycle_run(config, &source->source, &options, &outcome->results, &error);
    if (code != -EIO) {
        test_ok(code, error);
    }
    outcome->kernels.total = outcome->results.total;
    return code;
}

/* The source is closed. */
static inline cycle_kernels cycle_run_kernels(const gm_config *config, memory_source *source)
{
    cycle_outcome outcome;
    cycle_try(config, source, (gm_run_options){0}, &outcome);
    gm_results_free(&outcome.results);
    gm_source_close(&source->source);
    return outcome.kernels;
}

/* Ends the calling test unless both left the same, of the parts too. */
static inline void cycle_same(const gm_config *config, const gm_results *one,
                              const gm_results *other)
{
    uint64_t banks = config->memory.partitions * config->memory.banks;
    assert_int_equal(one->kernels, other->kernels);
    assert_memory_equal(&one->total, &other->total, sizeof one->total);
    assert_memory_equal(one->per_sm, other->per_sm, config->gpu.sms * sizeof *one->per_sm);
    assert_memory_equal(one->per_bank, other->per_bank, banks * sizeof *one->per_bank);
    assert_memory_equal(one->per_partition, other->per_partition,
                        config->memory.partitions * sizeof *one->per_partition);
}

#endif
