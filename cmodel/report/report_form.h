/* Report forms: what they share. Each form is a table of functions on its own struct.
 */
#ifndef GOLDMEM_REPORT_REPORT_FORM_H
#define GOLDMEM_REPORT_REPORT_FORM_H

#include "goldmem/report.h"

#include <time.h>

typedef struct gm_report_operations {
    int (*begin)(gm_report *report, gm_error *error);
    int (*kernel)(gm_report *report, const gm_kernel *kernel, const gm_statistics *statistics,
                  const gm_kernel_details *details, gm_error *error);
    int (*end)(gm_report *report, const gm_results *results, gm_error *error);
} gm_report_operations;

enum { GM_TOP_KERNELS = 10 }; /* rows of the text's table */

typedef struct gm_kernel_row {
    uint64_t number; /* in the run, from 0 */
    char name[40];
    gm_statistics statistics;
} gm_kernel_row;

struct gm_report {
    const gm_report_operations *operations;
    FILE *file;
    gm_report_run run;
    uint64_t kernels;                      /* so far */
    uint64_t number;                       /* of the next one in the input, from 0 */
    gm_kernel_row top[GM_TOP_KERNELS + 1]; /* text: those with most warp instructions, in order */
    /* GPGPU-Sim's text: */
    gm_statistics total; /* of the kernels so far */
    time_t began;        /* the report */
    bool overlapped;     /* some kernels ran beside others */
};

/* Returns why a run stopped before the end of its input, GM_STOP_NONE for a complete run. */
gm_stop_reason gm_report_stopped(const gm_report *report);
uint64_t gm_report_stop_kernel(const gm_report *report); /* in the input, from 0 */
const char *gm_report_reason(gm_stop_reason reason);     /* "max_cycles" */

/* Returns "kernels", "ctas" or "instructions". */
const char *gm_report_warm_up(gm_warm_up_kind kind);

extern const gm_report_operations gm_report_text;
extern const gm_report_operations gm_report_json;
extern const gm_report_operations gm_report_csv;
extern const gm_report_operations gm_report_gpgpusim;

#endif
