#include "report/report.h"

#include <errno.h>
#include <stdlib.h>

static const gm_report_operations *operations_of(gm_report_form form)
{
    switch (form) {
    case GM_REPORT_TEXT:
        return &gm_report_text;
    case GM_REPORT_JSON:
        return &gm_report_json;
    case GM_REPORT_CSV:
        return &gm_report_csv;
    }
    return NULL;
}

int gm_report_open(gm_report **report, gm_report_form form, FILE *file, const gm_report_run *run,
                   gm_error *error)
{
    *report = calloc(1, sizeof **report);
    if (*report == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory for a report");
    }
    (*report)->operations = operations_of(form);
    (*report)->file = file;
    (*report)->run = *run;
    int code = (*report)->operations->begin(*report, error);
    if (code < 0) {
        gm_report_free(*report);
        *report = NULL;
    }
    return code;
}

int gm_report_kernel(gm_report *report, const gm_kernel *kernel, const gm_statistics *statistics,
                     const gm_analysis_results *analysis, gm_error *error)
{
    int code = report->operations->kernel(report, kernel, statistics, analysis, error);
    report->kernels++;
    return code;
}

int gm_report_end(gm_report *report, const gm_results *results, gm_error *error)
{
    return report->operations->end(report, results, error);
}

void gm_report_free(gm_report *report)
{
    free(report);
}
