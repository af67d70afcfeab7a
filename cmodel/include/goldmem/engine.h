/* Engines: run a source through the memory system of a configuration. */
#ifndef GOLDMEM_ENGINE_H
#define GOLDMEM_ENGINE_H

#include "goldmem/analysis.h"
#include "goldmem/config.h"
#include "goldmem/kernel_ranges.h"
#include "goldmem/latency.h"
#include "goldmem/observer.h"
#include "goldmem/per_pc.h"
#include "goldmem/sample.h"
#include "goldmem/series.h"
#include "goldmem/set_contents.h"
#include "goldmem/source.h"
#include "goldmem/statistics.h"
#include "goldmem/value_observer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Analyses that need a table per line; their results are in goldmem/analysis.h. */
typedef enum gm_analysis_kind {
    GM_ANALYZE_LOCALITY = 1, /* locality classes [khairy, 3.1] */
    GM_ANALYZE_REUSE = 2,    /* reuse counts and distances [li, figures 3, 4] */
    GM_ANALYZE_MISSES = 4,   /* compulsory, capacity, conflict [tabbakh, section I] */
    GM_ANALYZE_SHARING = 8,  /* SMs per line, CTA distance of sharers [tabbakh, figures 3, 5] */
    GM_ANALYZE_MRC = 16,     /* miss-ratio curves of LRU caches */
    GM_ANALYZE_UNTIMED = 31, /* those of both engines */
    GM_ANALYZE_FILLS = 32,   /* cycle engine: from fills to later accesses [tabbakh, VI-C] */
    GM_ANALYZE_ALL = 63,
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

/* Instructions of one opcode that reach memory, as far as is known, without an access in the model:
 * textures, surfaces, cache control and the like, and unknown opcodes. */
typedef struct gm_unmodelled {
    char opcode[GM_OPCODE_TEXT];
    uint64_t instructions; /* warp instructions, of the CTAs that have begun */
    bool unknown;          /* carried addresses unexpectedly (--unknown=ignore) */
} gm_unmodelled;

typedef enum gm_stop_reason {
    GM_STOP_NONE,         /* the input has ended */
    GM_STOP_CYCLES,       /* options->max_cycles */
    GM_STOP_INSTRUCTIONS, /* options->max_instructions */
    GM_STOP_ASKED,        /* requested by options->progress: statistics are partial */
} gm_stop_reason;

/* The point at which a run stopped before its input ended. */
typedef struct gm_stop {
    gm_stop_reason reason;
    bool in_kernel;  /* within `kernel`, whose own statistics end at the stop */
    bool saved;      /* options->checkpoint was written at the stop */
    uint64_t kernel; /* the stopped kernel, or the next: number in the run, from 0 */
    uint64_t cycles; /* cycle engine: core cycles of the run */
} gm_stop;

/* What ends the warm-up of a run: so many kernels that have ended, CTAs that have ended, or thread
 * instructions issued. */
typedef enum gm_warm_up_kind {
    GM_WARM_UP_NONE,
    GM_WARM_UP_KERNELS,
    GM_WARM_UP_CTAS,
    GM_WARM_UP_INSTRUCTIONS,
} gm_warm_up_kind;

typedef struct gm_warm_up {
    gm_warm_up_kind kind;
    uint64_t count; /* 1 or more */
} gm_warm_up;

/* Progress of a run. */
typedef struct gm_run_progress {
    uint64_t warp_instructions;     /* issued */
    uint64_t begun;                 /* warp instructions of all CTAs that have begun */
    uint64_t kernel;                /* the running kernel, or the next: from 0 */
    uint64_t ctas_done, ctas_begun; /* of the kernel */
    uint64_t cycles;                /* cycle engine: core cycles of the run */
} gm_run_progress;

/* Results of a run. gm_results_free frees the arrays. */
/* sm.throttle=sampling: what came of a kernel's periods. */
typedef enum gm_sampling_event {
    GM_SAMPLING_BEGINS,  /* the kernel is hot: SMs are sampled */
    GM_SAMPLING_DECIDED, /* its limit is found */
    GM_SAMPLING_DROPPED, /* an SM has no warps left */
    GM_SAMPLING_KNOWN,   /* it is hot, and has a limit of an earlier launch */
} gm_sampling_event;

typedef struct gm_sampling_choice {
    gm_sampling_event event;
    uint32_t limit;  /* warps of a scheduler, from now on; BEGINS: of SM 0 */
    uint64_t kernel; /* its number */
    uint64_t cycle;  /* core cycle */
} gm_sampling_choice;

enum { GM_SAMPLING_CHOICES = 32 }; /* that are kept */

typedef struct gm_sampling_choices {
    uint64_t count; /* all, also those that are not kept */
    gm_sampling_choice choice[GM_SAMPLING_CHOICES];
} gm_sampling_choices;

enum {
    GM_SAMPLING_LIMITS = 32, /* kernels whose limits are kept */
    GM_SAMPLING_NAME = 128,  /* bytes of a name that are kept, with the zero at its end */
};

/* sm.throttle=sampling: the limit found for the kernels of a name; the last one, if several were
 * found. */
typedef struct gm_sampling_limit {
    char name[GM_SAMPLING_NAME];
    uint32_t hash;     /* of the whole name */
    uint32_t limit;    /* warps of a scheduler */
    uint64_t launches; /* that ran with a limit, from when it was found or known */
    uint64_t kernel;   /* number of the launch in which it was found */
    uint64_t cycle;    /* core cycle */
} gm_sampling_limit;

typedef struct gm_sampling_limits {
    uint64_t count; /* GM_SAMPLING_LIMITS at most: limits of further names are not kept */
    gm_sampling_limit row[GM_SAMPLING_LIMITS]; /* as they were found */
} gm_sampling_limits;

typedef struct gm_results {
    gm_statistics total;
    gm_stop stop;                 /* set before the kernel_done call of a stopped kernel */
    uint64_t kernels;             /* that have ended or were stopped */
    gm_statistics *per_sm;        /* [config.gpu.sms]: core, l1d and traffic */
    gm_statistics *per_bank;      /* [partitions * banks]: l2 */
    gm_statistics *per_partition; /* [partitions]: dram */
    gm_unmodelled *unmodelled;    /* [unmodelled_count] the most frequent first; may be NULL */
    uint32_t unmodelled_count;
    bool has_clusters;        /* the input has clusters of CTAs, which are not modelled */
    gm_analysis *analysis;    /* NULL when none was asked for; set before any callback */
    gm_set_contents *l2_sets; /* at the end of the kernel of the kernel_done call; NULL when not
                                 asked for; set before any callback */
    gm_latencies *latencies;  /* NULL when not asked for */
    gm_statistics *variants;  /* [options.variant_count]: the total of each; NULL: none */
    gm_pc_profile *per_pc;    /* NULL when not asked for */
    const gm_statistics *kernel_sms; /* [config.gpu.sms] for kernel_done alone: each SM's counters
                                        of that kernel; NULL: not asked for, or not known of one
                                        that ran beside others */
    gm_sample_results *sample;   /* NULL: not sampled; else all counters of kernels and of the total
                                    are estimates; set before any callback */
    gm_sampling_choices choices; /* cycle engine: with sm.throttle=sampling */
    gm_sampling_limits limits;   /* cycle engine: with sm.throttle=sampling */
} gm_results;

typedef struct gm_run_options {
    unsigned threads;  /* 1 or more; results do not depend on it */
    bool check;        /* verify every conservation law after each kernel */
    bool check_values; /* carry values and check every load (docs/values.md); slower. Requires
                          resume == NULL */
    const gm_value_observer *values; /* with check_values: told of each access; NULL: no observer */
    unsigned analyses;               /* gm_analysis_kind values, or'ed */
    bool kernel_sms;                 /* read the counters of each SM at each kernel's end */
    bool l2_sets;                    /* read what the sets of the L2 hold at each kernel's end.
                                        Requires a bounded L2, and resume == NULL */
    gm_mrc_sampling mrc;   /* GM_ANALYZE_MRC: which lines the curves follow; zeroed: all */
    uint64_t buffer_bytes; /* memory for instructions of resident warps; an unlinked temporary file
                              holds the rest; 0: 16 MB */
    /* Observers of the calls of the set_index block in the L1s and in the L2 banks; NULL: no
     * observer. The L2's calls may come from a second thread. Fully associative caches make no
     * calls. */
    const gm_observer *l1_set_index, *l2_set_index;
    /* sm.throttle=sampling: the observer of the cores_sampling block; NULL: no observer. Requires
     * resume == NULL. */
    const gm_observer *cores_sampling;
    /* Another gpu.cta than rr: the observer of the cta_queues block; NULL: no observer. Requires
     * resume == NULL. */
    const gm_observer *cta_queues;
    /* Order engine: the observer of the calls of the set_index block in all sharing trackers; and
     * an observer for each instance of a tracker (gm_config_tracker_partitions of each), of the
     * transactions of the sharing_tracker block. NULL: no observer. */
    const gm_observer *tracker_set_index, *sharing_tracker;
    /* l1.kind=decoupled: an observer for each SM's L1, of the transactions of its tag store; NULL:
     * no observer. Requires resume == NULL: a resumed store does not begin empty. */
    const gm_observer *l1_tag_store;
    /* Replacement by srrip or ship: an observer for each SM's conventional L1 and each L2 bank of
     * all partitions, of the transactions of its replacement block; l1.dueling: the observer of
     * the sm_dueling block. NULL: no observer. Require resume == NULL. */
    const gm_observer *l1_replacement, *l2_replacement, *sm_dueling;
    /* One for each scheduler of SM 0, then of SM 1 and so on, of sm.throttle=static. */
    const gm_observer *warp_limiter;
    /* l1.streaming, l2.streaming: observers of the transactions of the stream_gate block, one for
     * each SM's L1 and each L2 bank of all partitions; NULL: no observer. Require resume == NULL.
     */
    const gm_observer *l1_stream_gate, *l2_stream_gate;
    /* sharing.enabled: an observer for each SM's L1 and one for each L2 bank, of the transactions
     * of its sharing_lru block. NULL: none. Require resume == NULL. */
    const gm_observer *l1_sharing_lru, *l2_sharing_lru;
    /* l2.atomic_buffer: an observer for each L2 bank, of the transactions of its atomic_buffer
     * block. NULL: none. */
    const gm_observer *atomic_buffer;
    /* l1.bypass=contention: an observer for each SM, of the transactions of its contention_bypass
     * block; NULL: no observer. */
    const gm_observer *contention_bypass;
    /* sm.throttle=ccws: an observer for each SM, of the transactions of its blocks; NULL: no
     * observer. Require resume == NULL. */
    const gm_observer *victim_tags, *locality_score;
    void *context; /* of kernel_done and progress */
    /* Receives the statistics of each kernel at its end. A non-zero return ends the run, which
     * returns the value. */
    int (*kernel_done)(void *context, const gm_kernel *kernel, const gm_statistics *statistics,
                       gm_error *error);
    /* Called now and then. A positive return stops the run (GM_STOP_ASKED): a checkpoint is written
     * if `checkpoint` is given and a kernel is running; the results count up to the stop, but core
     * counters count the CTAs that have begun in full. A negative return ends the run, which
     * returns the value. */
    int (*progress)(void *context, const gm_run_progress *progress, gm_error *error);
    /* Thread instructions: the run stops after the first cycle (cycle engine) or warp instruction
     * (order engine) in which the number issued reaches this limit; its results are complete up to
     * the stop. 0: no limit. A limit costs 8 bytes of memory for each instruction of resident
     * CTAs. */
    uint64_t max_instructions;
    /* The counters of the results (not those of kernels) begin when the warm-up ends: after the
     * first cycle (cycle engine) or warp instruction (order engine) in which its count is reached,
     * or after the kernel; the machine goes on as it is. Costs 8 bytes of memory for each
     * instruction of resident CTAs. A run that ends before is -EINVAL, but for one that `progress`
     * stops, whose results count from its beginning. Requires analyses == 0, latencies, per_pc
     * false and variant_count == 0. */
    gm_warm_up warm_up;
    /* Cycle engine: computes a share of the CTAs of each large kernel, and estimates its counters
     * (goldmem/sample.h). Counters of SMs, banks and channels are those of the CTAs computed. Goes
     * with `threads`, `check`, `kernels`, `no_skip` and the callbacks, and with no other option. */
    gm_sample_options sample;
    const gm_kernel_ranges *kernels; /* the kernels to run, by number in the source; NULL: all */
    /* Order engine: further configurations, run over one pass of the source with the run's: results
     * have for each the counters of a run of its own. They may differ from the run's configuration
     * in l1.index and l2.index. Require analyses == 0 and check_values == false. */
    const gm_config *variants;
    uint64_t variant_count;
    /* A file to write for l1.bypass=profiled (docs/bypass-policies.md): the references of each line
     * by each SM's loads, kernel by kernel. The file gets its name when the run has ended. NULL:
     * none. Requires resume == NULL. */
    const char *write_profile;
    /* Cycle engine only, from here on. */
    uint64_t max_cycles; /* core cycles of all kernels, after which the run stops; 0: no limit */
    bool latencies;      /* count latencies; with `resume`, as in the run that is resumed */
    bool per_pc;         /* count by instruction; likewise */
    bool no_skip;        /* visit every unit in every cycle: equal results, slower, for checking */
    /* Every `checkpoint_every` core cycles (1 or more) the whole state is saved to the file
     * `checkpoint`, which always holds the last complete state. Before the run the engine checks
     * that the file can be written. NULL: no checkpoints. */
    const char *checkpoint;
    uint64_t checkpoint_every;
    /* A file that `checkpoint` wrote, of a run with equal source and configuration: the run
     * continues from that state. Its results, kernel_done's calls included, equal those of an
     * uninterrupted run. NULL: from the beginning. */
    const char *resume;
    /* A series of samples. Requires resume == NULL. A series costs 8 bytes of memory for each
     * instruction of resident CTAs. */
    gm_series_options series;
    /* Observers of the transactions of the mshr block: one for the table of each SM's L1, one for
     * the table of each L2 bank of all partitions; NULL: no observer. Require resume == NULL: a
     * resumed table does not begin empty. */
    const gm_observer *l1_mshr, *l2_mshr;
    /* coherence.protocol tcs or tcw: observers of the transactions of its blocks, one for each SM
     * (gwct, tc_l1) and one for each L2 bank (tc_l2, lease_store, lifetime_predictor); NULL: no
     * observer. Require resume == NULL. */
    const gm_observer *gwct, *tc_l1, *tc_l2, *lease_store, *lifetime_predictor;
} gm_run_options;

/* Runs the untimed engine: each warp instruction's accesses go through the whole hierarchy at once;
 * SMs, CTAs and warps take turns round-robin [anssari, 4.1]. Returns 0; -EINVAL for bad input;
 * -EPROTO when a conservation law is broken (check), or a load has a wrong value (check_values). */
int gm_order_run(const gm_config *config, gm_source *source, const gm_run_options *options,
                 gm_results *results, gm_error *error);

/* Runs the timed engine: warps issue in order, requests wait in queues, DRAM reorders; cycles in
 * which no unit is due are skipped. Returns as gm_order_run; also -EINVAL for variants, and
 * -EDEADLK after gpu.watchdog cycles without progress; the message names the oldest request. */
int gm_cycle_run(const gm_config *config, gm_source *source, const gm_run_options *options,
                 gm_results *results, gm_error *error);

/* Runs the given engine. Returns as gm_order_run or gm_cycle_run. */
int gm_engine_run(gm_engine engine, const gm_config *config, gm_source *source,
                  const gm_run_options *options, gm_results *results, gm_error *error);

/* Frees what the results point to, not `results`. */
void gm_results_free(gm_results *results);

#ifdef __cplusplus
}
#endif

#endif
