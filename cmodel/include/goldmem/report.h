/* Reports: a run's statistics as text for people, JSON and CSV for programs. A report is written as
 * the kernels finish, so memory does not grow with their number. Same run, same bytes. */
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

typedef enum gm_report_form { GM_REPORT_TEXT, GM_REPORT_JSON, GM_REPORT_CSV } gm_report_form;

/* What a report says about the run as a whole. Everything pointed at outlives the report. */
typedef struct gm_report_run {
    const gm_config *config;
    const gm_energy_table *energy; /* what config->energy.table names */
    const gm_import *import;       /* of a gpgpusim.config; NULL or empty: nothing to tell */
    const char *input;             /* as the user wrote it */
    gm_engine engine;
    const gm_stop *stop;                   /* of the results; NULL: the run does not stop */
    uint64_t max_cycles, max_instructions; /* the limits that it may stop at */
    const gm_kernel_ranges *kernels;       /* that run; NULL: all */
    bool per_sm;                           /* each SM by itself as well */
    bool per_bank;                         /* each L2 bank and DRAM channel by itself as well */
} gm_report_run;

typedef struct gm_report gm_report;

/* Failed writes are left to the file's error flag. Each returns 0 or -ENOMEM. */
int gm_report_open(gm_report **report, gm_report_form form, FILE *file, const gm_report_run *run,
                   gm_error *error);
/* One kernel, in the order of the run. `analysis` is NULL when there is none. */
int gm_report_kernel(gm_report *report, const gm_kernel *kernel, const gm_statistics *statistics,
                     const gm_analysis_results *analysis, gm_error *error);
/* Everything else, after the last kernel. */
int gm_report_end(gm_report *report, const gm_results *results, gm_error *error);
void gm_report_free(gm_report *report);

/* Writes the page that explains every counter (docs/statistics.md). */
void gm_report_statistics_page(FILE *file);

#ifdef __cplusplus
}
#endif

#endif
