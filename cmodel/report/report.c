/* Reports: calls the functions of their form. */
#include "report/report_form.h"

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
    case GM_REPORT_GPGPUSIM:
        return &gm_report_gpgpusim;
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
                     const gm_kernel_details *details, gm_error *error)
{
    const gm_kernel_ranges *kernels = report->run.kernels;
    while (kernels != NULL && !gm_kernel_ranges_have(kernels, report->number)) {
        report->number++;
    }
    int code = report->operations->kernel(report, kernel, statistics, details, error);
    report->kernels++;
    report->number++;
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

gm_stop_reason gm_report_stopped(const gm_report *report)
{
    return report->run.stop == NULL ? GM_STOP_NONE : report->run.stop->reason;
}

/* Returns the number of the stopped kernel: the last one reported, or the next one if the run
 * stopped before it. */
uint64_t gm_report_stop_kernel(const gm_report *report)
{
    uint64_t number = report->number;
    if (report->run.stop->in_kernel) {
        return number - 1;
    }
    const gm_kernel_ranges *kernels = report->run.kernels;
    while (kernels != NULL && !gm_kernel_ranges_have(kernels, number) &&
           number <= gm_kernel_ranges_needed(kernels)) {
        number++;
    }
    return number;
}

const char *gm_report_warm_up(gm_warm_up_kind kind)
{
    switch (kind) {
    case GM_WARM_UP_KERNELS:
        return "kernels";
    case GM_WARM_UP_CTAS:
        return "ctas";
    case GM_WARM_UP_INSTRUCTIONS:
        return "instructions";
    case GM_WARM_UP_NONE:
        break;
    }
    return "";
}

const char *gm_report_reason(gm_stop_reason reason)
{
    switch (reason) {
    case GM_STOP_CYCLES:
        return "max_cycles";
    case GM_STOP_INSTRUCTIONS:
        return "max_instructions";
    case GM_STOP_ASKED:
        return "interrupted";
    case GM_STOP_NONE:
        break;
    }
    return "";
}
