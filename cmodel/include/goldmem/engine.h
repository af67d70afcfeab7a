/* Engines: run a source through the memory system of a configuration. */
#ifndef GOLDMEM_ENGINE_H
#define GOLDMEM_ENGINE_H

#include "goldmem/analysis.h"
#include "goldmem/config.h"
#include "goldmem/kernel_ranges.h"
#include "goldmem/observer.h"
#include "goldmem/source.h"
#include "goldmem/statistics.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Analyses that need a table per line; their results are in goldmem/analysis.h. */
typedef enum gm_analysis_kind {
    GM_ANALYZE_LOCALITY = 1, /* locality classes [khairy, 3.1] */
    GM_ANALYZE_REUSE = 2,    /* reuse counts and distances [li, figures 3, 4] */
    GM_ANALYZE_MISSES = 4,   /* compulsory, capacity, conflict [tabbakh, section I] */
    GM_ANALYZE_SHARING = 8,  /* SMs per line, CTA distance of sharers [tabbakh, figures 3, 5] */
} gm_analysis_kind;

/* The engines, by the names that the command takes: "order" is untimed, "cycle" timed. */
typedef enum gm_engine { GM_ENGINE_ORDER, GM_ENGINE_CYCLE } gm_engine;

/* Returns "order" or "cycle". */
static inline const char *gm_engine_name(gm_engine engine)
{
    switch (engine) {
    case GM_ENGINE_ORDER:
        return "order";
    case GM_ENGINE_CYCLE:
        return "cycle";
    }
    return "";
}

/* Instructions that reach memory, as far as is known, in a way for which the model makes no access:
 * textures, surfaces, cache control and the like, and opcodes that are not known. */
typedef struct gm_unmodelled {
    char opcode[GM_OPCODE_TEXT];
    uint64_t instructions; /* warp instructions, of the CTAs that have begun */
    bool unknown; /* came with addresses, and is not known to carry them (--unknown=ignore) */
} gm_unmodelled;

typedef enum gm_stop_reason {
    GM_STOP_NONE,         /* the input has ended */
    GM_STOP_CYCLES,       /* options->max_cycles */
    GM_STOP_INSTRUCTIONS, /* options->max_instructions */
    GM_STOP_ASKED,        /* options->progress has asked for it: statistics are partial */
} gm_stop_reason;

/* Where a run has stopped before its input has ended. */
typedef struct gm_stop {
    gm_stop_reason reason;
    bool in_kernel;  /* in the middle of it: its own statistics are up to there */
    bool saved;      /* options->checkpoint has been written there */
    uint64_t kernel; /* in which, or before which: number in the run, from 0 */
    uint64_t cycles; /* cycle engine: core cycles of the run */
} gm_stop;

/* How far a run is. */
typedef struct gm_run_progress {
    uint64_t warp_instructions;     /* issued */
    uint64_t begun;                 /* those of all CTAs that have begun */
    uint64_t kernel;                /* in which, or before which: number in the run, from 0 */
    uint64_t ctas_done, ctas_begun; /* of the kernel */
    uint64_t cycles;                /* cycle engine: core cycles of the run */
} gm_run_progress;

/* What a run leaves. Arrays are freed by gm_results_free. */
typedef struct gm_results {
    gm_statistics total;
    gm_stop stop; /* set before kernel_done is called for a kernel that was stopped */
    uint64_t kernels;
    gm_statistics *per_sm;        /* [config.gpu.sms]: core, l1d and traffic */
    gm_statistics *per_bank;      /* [partitions * banks]: l2 */
    gm_statistics *per_partition; /* [partitions]: dram */
    gm_unmodelled *unmodelled;    /* [unmodelled_count] the most frequent first; may be NULL */
    uint32_t unmodelled_count;
    gm_analysis *analysis; /* NULL when none was asked for; set before any callback */
} gm_results;

typedef struct gm_run_options {
    unsigned threads;      /* 1 or more; results do not depend on it */
    bool check;            /* verify every conservation law after each kernel */
    unsigned analyses;     /* gm_analysis_kind values, or'ed */
    uint64_t buffer_bytes; /* memory for instructions of resident warps; beyond it they go to an
                              unlinked temporary file; 0: 16 MB */
    /* Of the calls of the set_index block in the L1s and in the L2 banks; NULL: no observer. The
     * L2's may come from a second thread. Fully associative caches make no calls. */
    const gm_observer *l1_set_index, *l2_set_index;
    /* Order engine: likewise of the calls in all sharing trackers; and of the transactions of the
     * sharing_tracker block, an observer for each tracker. */
    const gm_observer *tracker_set_index, *sharing_tracker;
    /* l1.kind=decoupled: of the transactions of the tag_store block, an observer for each SM's L1,
     * which has a store of its own; NULL: no observer. Not with `resume`, where stores do not
     * begin empty. */
    const gm_observer *l1_tag_store;
    void *context;
    /* After each kernel, in order: its own statistics. Non-zero return ends the run with it. */
    int (*kernel_done)(void *context, const gm_kernel *kernel, const gm_statistics *statistics,
                       gm_error *error);
    /* Now and then. A positive return stops the run (GM_STOP_ASKED): a checkpoint is written where
     * `checkpoint` is given and a kernel is running, and the results are what was counted up to
     * there, core counters those of the CTAs that have begun, in full. A negative return ends the
     * run with it. */
    int (*progress)(void *context, const gm_run_progress *progress, gm_error *error);
    /* Thread instructions: the run stops with the first cycle (cycle engine) or warp instruction
     * (order engine) with which this many have been issued, and its results are complete up to
     * there. 0: no limit. Costs 8 bytes of memory for each instruction of resident CTAs. */
    uint64_t max_instructions;
    const gm_kernel_ranges *kernels; /* that run, by their numbers in the source; NULL: all */
    /* A file that gets the references of each line by each SM's loads, kernel by kernel, for
     * l1.bypass=profiled (docs/bypass-policies.md): under a temporary name, renamed when the run
     * has ended. NULL: none. Not with `resume`. */
    const char *write_profile;
    /* Cycle engine only, from here on. */
    uint64_t
        max_cycles; /* core cycles of all kernels, after which the run stops likewise; 0: none */
    bool no_skip;   /* visit every component in every cycle: same results, slower, for checking */
    /* Every `checkpoint_every` core cycles (1 or more) the whole state is saved to the file
     * `checkpoint`, which has the last that is complete; that it can be written is found out
     * before the run. NULL: never. */
    const char *checkpoint;
    uint64_t checkpoint_every;
    /* A file that `checkpoint` wrote, of a run of the same source and configuration: the run
     * continues from there, and its results, kernel_done's calls included, are those of a run that
     * was not interrupted. NULL: from the beginning. */
    const char *resume;
    /* Of the transactions of the mshr block: an observer for each SM's L1 and for each L2 bank of
     * all partitions, since each has a table of its own; NULL: no observer. Not with `resume`,
     * where tables do not begin empty. */
    const gm_observer *l1_mshr, *l2_mshr;
} gm_run_options;

/* The untimed engine: each warp instruction's accesses go through the whole hierarchy at once, SMs,
 * CTAs and warps in round-robin order [anssari, 4.1]. Returns 0; -EINVAL for bad input; -EPROTO
 * when a conservation law is broken (check). */
int gm_order_run(const gm_config *config, gm_source *source, const gm_run_options *options,
                 gm_results *results, gm_error *error);

/* The timed engine: warps issue in order, requests wait in queues, DRAM reorders; cycles in which
 * no unit is due are skipped. Analyses need the order engine: -EINVAL. -EDEADLK when
 * nothing happens for gpu.watchdog cycles, with the oldest request. Otherwise as gm_order_run. */
int gm_cycle_run(const gm_config *config, gm_source *source, const gm_run_options *options,
                 gm_results *results, gm_error *error);

/* A run by either engine. */
int gm_engine_run(gm_engine engine, const gm_config *config, gm_source *source,
                  const gm_run_options *options, gm_results *results, gm_error *error);

void gm_results_free(gm_results *results);

#ifdef __cplusplus
}
#endif

#endif
