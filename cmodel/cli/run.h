/* goldmem run: its arguments. */
#ifndef GOLDMEM_CLI_RUN_H
#define GOLDMEM_CLI_RUN_H

#include "cli/output_files.h"
#include "goldmem/engine.h"

#include <stdbool.h>
#include <stdint.h>

enum { GM_RUN_SETS = 256, GM_RUN_THREADS = 64 };

typedef struct gm_run_arguments {
    const char *input;
    const char *preset;
    const char *config;
    const char *json;
    const char *csv;
    const char *write_profile;     /* file; NULL: none */
    const char *rtl;               /* block whose RTL is checked */
    const char *sets[GM_RUN_SETS]; /* "key=value", in order */
    unsigned set_count;
    gm_engine engine;
    bool engine_given;
    const char *checkpoint;                /* file; NULL: none */
    uint64_t checkpoint_every;             /* core cycles */
    const char *series;                    /* file; NULL: none */
    uint64_t series_every;                 /* core cycles */
    unsigned series_units;                 /* gm_series_units, or'ed */
    const char *resume;                    /* file; NULL: from the beginning */
    uint64_t max_cycles, max_instructions; /* 0: no limit */
    gm_warm_up warm_up;
    gm_sample_options sample;
    double sample_error;      /* most, as a share; 0: any */
    gm_kernel_ranges kernels; /* none: all */
    unsigned threads;
    unsigned analyses; /* gm_analysis_kind values, or'ed */
    gm_mrc_sampling mrc;
    bool as_gpgpusim; /* the text: GPGPU-Sim's */
    bool check, check_values;
    bool latencies;
    bool per_pc;
    bool no_skip;
    bool ignore_unknown;
    bool strict;
    bool per_sm;
    bool per_set;
    bool per_bank;
    bool quiet;
} gm_run_arguments;

/* Parses the arguments. Returns 0, or an exit code after printing one line. */
int gm_run_parse(gm_run_arguments *arguments, int argc, char **argv);

/* Returns the outputs; the checkpoint is the last one. */
gm_cli_outputs gm_run_outputs(const gm_run_arguments *arguments);

/* Checks that no output would overwrite a file that the run with this configuration reads. A
 * checkpoint may replace the one that the run goes on from. Returns 0 or a negative errno value. */
int gm_run_protect_inputs(const gm_run_arguments *arguments, const gm_config *config,
                          const gm_import *import, gm_error *error);

#endif
