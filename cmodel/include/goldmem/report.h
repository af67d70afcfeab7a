/* Reports: a run's statistics as text for people, JSON and CSV for programs. A report is written as
 * the kernels finish, so memory does not grow with their number. Equal runs write equal
 * bytes, but for GPGPU-Sim's lines on the simulation's time and speed. */
#ifndef GOLDMEM_REPORT_H
#define GOLDMEM_REPORT_H

#include "goldmem/analysis.h"
#include "goldmem/config.h"
#include "goldmem/energy.h"
#include "goldmem/engine.h"
#include "goldmem/source.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum gm_report_form {
    GM_REPORT_TEXT,
    GM_REPORT_JSON,
    GM_REPORT_CSV,
    GM_REPORT_GPGPUSIM /* the lines of GPGPU-Sim that Accel-Sim's get_stats.py reads */
} gm_report_form;

/* The run that a report describes. Requires that everything pointed at outlives the report. */
typedef struct gm_report_run {
    const gm_config *config;
    const gm_energy_table *energy; /* the table that config->energy.table names */
    const gm_import *import;       /* of a gpgpusim.config; NULL or empty: no notes */
    const char *input;             /* as the user wrote it */
    gm_engine engine;
    const gm_stop *stop;                   /* of the results; NULL: not stopped */
    uint64_t max_cycles, max_instructions; /* the run's limits */
    gm_sample_options sample;              /* of a sampled run, whose counters are estimates */
    gm_warm_up warm_up;                    /* behind which all counters but the kernels' begin */
    const gm_kernel_ranges *kernels;       /* the kernels that run; NULL: all */
    bool per_sm;                           /* each SM by itself as well */
    bool per_bank;                         /* each L2 bank and DRAM channel by itself as well */
} gm_report_run;

typedef struct gm_report gm_report;

/* Opens a report. This and the functions below leave failed writes to the file's error flag and
 * return 0 or -ENOMEM. */
int gm_report_open(gm_report **report, gm_report_form form, FILE *file, const gm_report_run *run,
                   gm_error *error);
/* What a run knows of a kernel beside its statistics; NULL: it was not asked for. */
typedef struct gm_kernel_details {
    const gm_analysis_results *analysis;
    const gm_set_contents *l2_sets; /* at its end */
    const gm_sample_estimate *sample;
    const gm_statistics *per_sm; /* [config.gpu.sms] */
} gm_kernel_details;

/* Writes one kernel. Requires calls in the order of the run. */
int gm_report_kernel(gm_report *report, const gm_kernel *kernel, const gm_statistics *statistics,
                     const gm_kernel_details *details, gm_error *error);
/* Writes everything else, after the last kernel. */
int gm_report_end(gm_report *report, const gm_results *results, gm_error *error);
void gm_report_free(gm_report *report);

/* A series as CSV, a row for each interval and unit, or as JSON lines, an object for each. */
typedef enum gm_series_form { GM_SERIES_CSV, GM_SERIES_LINES } gm_series_form;

typedef struct gm_series_report gm_series_report;

/* Opens the report of a series, and writes what stands before its first interval. As the reports
 * above the functions leave failed writes to the file's error flag. `units`: gm_series_units,
 * or'ed. Returns 0 or -ENOMEM. */
int gm_series_report_open(gm_series_report **report, gm_series_form form, FILE *file,
                          const gm_report_run *run, unsigned units, gm_error *error);
/* Writes the interval from the sample before to this one: what counters have gained, and levels at
 * its end. Requires samples in the order of the run. */
void gm_series_report_sample(gm_series_report *report, const gm_series_sample *sample);
void gm_series_report_free(gm_series_report *report);

/* Writes counters of a run of the cycle engine, without energy and rates, as one JSON object with
 * the names of the JSON report: at most `size` bytes, the zero at the end included. Returns the
 * length of the whole text, as snprintf does, or -ENOMEM. */
int gm_report_counters(char *text, size_t size, const gm_config *config,
                       const gm_statistics *statistics);

/* Writes the JSON Schema of the JSON report (docs/schema/run.schema.json). Writes nothing when out
 * of memory. */
void gm_report_schema(FILE *file);

/* Writes the page that explains every counter (docs/statistics.md). */
void gm_report_statistics_page(FILE *file);

#ifdef __cplusplus
}
#endif

#endif
