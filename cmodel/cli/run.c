/* goldmem run: runs an input through a memory system and writes the reports. */
#include "cli/run.h"

#include "cli/sample_argument.h"

#include "cli/input_argument.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/rtl_loop.h"
#include "goldmem/goldmem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    JSON,
    CSV,
    TEXT,
    FORMS,
    SERIES = FORMS,
    OUTPUTS
}; /* in the order in which they are completed */

typedef struct run {
    gm_run_arguments arguments;
    gm_config config;
    gm_energy_table energy;
    gm_import import; /* notes on the options of -c's gpgpusim.config */
    gm_source *source;
    gm_output outputs[OUTPUTS];
    gm_report *reports[FORMS]; /* NULL: not written */
    gm_series_report *series;  /* NULL: not written */
    gm_results results;
    gm_progress_line progress;
    gm_rtl_loop rtl;
} run;

/* Prints the options of a gpgpusim.config that matter and are not modelled as given; also with
 * --quiet. */
static void tell_import(const run *run)
{
    const char *path = run->arguments.config;
    size_t irrelevant = 0;
    for (size_t i = 0; i < run->import.count; i++) {
        const gm_import_note *note = &run->import.note[i];
        const char *blank = note->value[0] != '\0' ? " " : "";
        switch (note->kind) {
        case GM_IMPORT_UNMODELLED:
            fprintf(stderr, "goldmem: %s:%zu: %s%s%s: not modelled: %s\n", path, note->line,
                    note->option, blank, note->value, note->text);
            break;
        case GM_IMPORT_UNKNOWN:
            fprintf(stderr, "goldmem: %s:%zu: %s%s%s: not an option of GPGPU-Sim%s%s\n", path,
                    note->line, note->option, blank, note->value,
                    note->text[0] != '\0' ? "; the nearest is " : "", note->text);
            break;
        case GM_IMPORT_IRRELEVANT:
            irrelevant++;
            break;
        }
    }
    if (irrelevant > 0 && !run->arguments.quiet) {
        fprintf(
            stderr,
            "goldmem: %s: options that concern neither memory nor time: %zu (--json lists them)\n",
            path, irrelevant);
    }
}

static int read_config(run *run, gm_error *error)
{
    const gm_run_arguments *arguments = &run->arguments;
    gm_config_defaults(&run->config);
    int code = 0;
    if (arguments->config != NULL) {
        code = gm_config_read(&run->config, arguments->config, &run->import, error);
    } else {
        const char *preset = arguments->preset != NULL ? arguments->preset : "gtx480";
        code = gm_config_preset(&run->config, preset, error);
    }
    if (code == 0 && arguments->strict) {
        code = gm_import_refuse(&run->import, arguments->config, error);
    }
    if (code == 0) {
        tell_import(run);
    }
    for (unsigned i = 0; code == 0 && i < arguments->set_count; i++) {
        code = gm_config_assign(&run->config, arguments->sets[i], error);
    }
    code = code < 0 ? code : gm_config_check(&run->config, error);
    return code < 0 ? code : gm_energy_read(&run->energy, &run->config, error);
}

/* Returns why a write has failed. Requires that errno was 0 before the writes. */
static int check_written(const run *run, unsigned form, gm_error *error)
{
    const char *path = run->outputs[form].path;
    return ferror(run->outputs[form].file)
               ? gm_fail_errno(error, path != NULL ? path : "standard output")
               : 0;
}

/* Describes the run to its reports. */
static gm_report_run about(const run *run)
{
    return (gm_report_run){.config = &run->config,
                           .energy = &run->energy,
                           .import = &run->import,
                           .input = run->arguments.input,
                           .engine = run->arguments.engine,
                           .stop = &run->results.stop,
                           .max_cycles = run->arguments.max_cycles,
                           .max_instructions = run->arguments.max_instructions,
                           .warm_up = run->arguments.warm_up,
                           .sample = run->arguments.sample,
                           .kernels =
                               run->arguments.kernels.count != 0 ? &run->arguments.kernels : NULL,
                           .per_sm = run->arguments.per_sm,
                           .per_bank = run->arguments.per_bank};
}

static int open_report(run *run, unsigned form, const char *path, gm_error *error)
{
    static const gm_report_form forms[FORMS] = {
        [JSON] = GM_REPORT_JSON, [CSV] = GM_REPORT_CSV, [TEXT] = GM_REPORT_TEXT};
    bool as_gpgpusim = form == TEXT && run->arguments.as_gpgpusim;
    const gm_report_run described = about(run);
    gm_output *output = &run->outputs[form];
    int code = gm_output_open(output, path, error);
    if (code == 0) {
        errno = 0;
        code = gm_report_open(&run->reports[form], as_gpgpusim ? GM_REPORT_GPGPUSIM : forms[form],
                              output->file, &described, error);
    }
    return code == 0 ? check_written(run, form, error) : code;
}

/* Opens the series: JSON lines by the file's ending, else CSV. */
static int open_series(run *run, gm_error *error)
{
    static const char lines[] = ".jsonl";
    const char *path = run->arguments.series;
    size_t length = strlen(path);
    size_t ending = sizeof lines - 1;
    bool is_lines = length > ending && strcmp(path + length - ending, lines) == 0;
    const gm_report_run described = about(run);
    gm_output *output = &run->outputs[SERIES];
    int code = gm_output_open(output, path, error);
    if (code == 0) {
        errno = 0;
        code = gm_series_report_open(&run->series, is_lines ? GM_SERIES_LINES : GM_SERIES_CSV,
                                     output->file, &described, run->arguments.series_units, error);
    }
    return code == 0 ? check_written(run, SERIES, error) : code;
}

/* Writes an interval of the series. */
static int series_sample(void *context, const gm_series_sample *sample, gm_error *error)
{
    run *run = context;
    errno = 0;
    gm_series_report_sample(run->series, sample);
    return check_written(run, SERIES, error);
}

static bool is_standard_output(const char *path)
{
    return path != NULL && strcmp(path, "-") == 0;
}

static int open_reports(run *run, gm_error *error)
{
    const gm_run_arguments *arguments = &run->arguments;
    int code = 0;
    if (arguments->json != NULL) {
        code = open_report(run, JSON, arguments->json, error);
    }
    if (code == 0 && arguments->csv != NULL) {
        code = open_report(run, CSV, arguments->csv, error);
    }
    if (code == 0 && arguments->series != NULL) {
        code = open_series(run, error);
    }
    if (code == 0 && !arguments->quiet && !is_standard_output(arguments->json) &&
        !is_standard_output(arguments->csv) && !is_standard_output(arguments->series)) {
        code = open_report(run, TEXT, "-", error);
    }
    return code;
}

static int kernel_done(void *context, const gm_kernel *kernel, const gm_statistics *statistics,
                       gm_error *error)
{
    run *run = context;
    gm_kernel_details details = {.l2_sets = run->results.l2_sets};
    details.per_sm = run->results.kernel_sms;
    if (run->results.sample != NULL) {
        details.sample = &run->results.sample->kernel;
    }
    if (run->arguments.analyses & GM_ANALYZE_SHARING) {
        details.analysis = gm_analysis_read_kernel(run->results.analysis);
    }
    for (unsigned form = 0; form < FORMS; form++) {
        if (run->reports[form] == NULL) {
            continue;
        }
        errno = 0;
        int code = gm_report_kernel(run->reports[form], kernel, statistics, &details, error);
        code = code < 0 ? code : check_written(run, form, error);
        if (code < 0) {
            return code;
        }
    }
    return gm_rtl_loop_failed(&run->rtl, error);
}

/* Draws the progress line. Returns a positive value once a signal has arrived, so that the engine
 * stops in good order. */
static int progress(void *context, const gm_run_progress *progress, gm_error *error)
{
    run *run = context;
    if (gm_interrupt_wants_progress()) {
        gm_progress_tell(&run->progress, progress);
    }
    gm_progress_draw(&run->progress, progress->warp_instructions, progress->begun);
    int code = gm_rtl_loop_failed(&run->rtl, error);
    return code < 0 ? code : gm_interrupt_signal() != 0;
}

static int execute(run *run, gm_error *error)
{
    gm_run_options options = {.threads = run->arguments.threads,
                              .check = run->arguments.check,
                              .check_values = run->arguments.check_values,
                              .analyses = run->arguments.analyses,
                              .l2_sets = run->arguments.per_set,
                              .mrc = run->arguments.mrc,
                              .context = run,
                              .kernel_done = kernel_done,
                              .progress = progress,
                              .write_profile = run->arguments.write_profile,
                              .max_instructions = run->arguments.max_instructions,
                              .warm_up = run->arguments.warm_up,
                              .sample = run->arguments.sample,
                              .kernel_sms = run->arguments.per_sm,
                              .kernels = run->arguments.kernels.count != 0 ? &run->arguments.kernels
                                                                           : NULL,
                              .max_cycles = run->arguments.max_cycles,
                              .latencies = run->arguments.latencies,
                              .per_pc = run->arguments.per_pc,
                              .no_skip = run->arguments.no_skip,
                              .checkpoint = run->arguments.checkpoint,
                              .checkpoint_every = run->arguments.checkpoint_every,
                              .resume = run->arguments.resume,
                              .series = {.every = run->arguments.series_every,
                                         .units = run->arguments.series_units,
                                         .sample = series_sample}};
    int code = 0;
    if (run->arguments.rtl != NULL) {
        code = gm_rtl_loop_open(&run->rtl, run->arguments.rtl, run->arguments.engine, &run->config,
                                &options, error);
    }
    gm_progress_begin(&run->progress, run->source, run->arguments.quiet);
    code = code < 0 ? code
                    : gm_engine_run(run->arguments.engine, &run->config, run->source, &options,
                                    &run->results, error);
    gm_progress_end(&run->progress);
    code = code < 0 ? code : gm_rtl_loop_finish(&run->rtl, run->arguments.quiet, error);
    bool whole = run->results.stop.reason == GM_STOP_NONE;
    if (code == 0 && whole && run->arguments.check && run->results.analysis != NULL) {
        code = gm_analysis_check(run->results.analysis, &run->config, &run->results.total, error);
    }
    return code < 0 ? code : gm_rtl_loop_failed(&run->rtl, error);
}

/* Completes the reports, files first, so that they are whole when the text says that the run is
 * done. */
static int finish(run *run, gm_error *error)
{
    int code = run->series != NULL ? gm_output_commit(&run->outputs[SERIES], error) : 0;
    for (unsigned form = 0; code == 0 && form < FORMS; form++) {
        if (run->reports[form] != NULL) {
            errno = 0;
            code = gm_report_end(run->reports[form], &run->results, error);
            code = code < 0 ? code : check_written(run, form, error);
            code = code < 0 ? code : gm_output_commit(&run->outputs[form], error);
        }
    }
    return code;
}

/* Returns the exit code of a run that has ended, by the interval of a sampled one. */
static int judge_sample(const run *run)
{
    const gm_sample_results *sample = run->results.sample;
    double most = run->arguments.sample_error;
    return sample == NULL || most == 0 || gm_sample_is_good(sample, most) ? GM_EXIT_OK
                                                                          : GM_EXIT_FAILED;
}

/* Prints the signal that ended the run before its input, if one has. */
static int tell_stop(const run *run)
{
    const gm_stop *stop = &run->results.stop;
    if (stop->reason != GM_STOP_ASKED) {
        return judge_sample(run);
    }
    const char *place = stop->in_kernel ? "in" : "before";
    const char *file = stop->saved ? run->arguments.checkpoint : "";
    return gm_cli_fail(GM_EXIT_INTERRUPTED,
                       "interrupted by %s %s kernel %llu; statistics are partial%s%s",
                       gm_interrupt_name(gm_interrupt_signal()), place,
                       (unsigned long long)stop->kernel, stop->saved ? ", checkpoint " : "", file);
}

static void clean_up(run *run)
{
    for (unsigned form = 0; form < FORMS; form++) {
        gm_report_free(run->reports[form]);
        gm_output_discard(&run->outputs[form]);
    }
    gm_series_report_free(run->series);
    gm_output_discard(&run->outputs[SERIES]);
    gm_rtl_loop_close(&run->rtl);
    gm_results_free(&run->results);
    gm_source_close(run->source);
    gm_import_free(&run->import);
}

int gm_cli_run(int argc, char **argv)
{
    run run = {0};
    int status = gm_run_parse(&run.arguments, argc, argv);
    if (status != GM_EXIT_OK) {
        return status;
    }
    gm_interrupt_watch();
    gm_error error = {0};
    int code = read_config(&run, &error);
    code = code < 0 ? code : gm_cli_open_source(&run.source, run.arguments.input, &error);
    if (code == 0) {
        run.source->opcodes.ignore_unknown = run.arguments.ignore_unknown;
    }
    code =
        code < 0 ? code : gm_run_protect_inputs(&run.arguments, &run.config, &run.import, &error);
    code = code < 0 ? code : open_reports(&run, &error);
    code = code < 0 ? code : execute(&run, &error);
    code = code < 0 ? code : finish(&run, &error);
    status = code < 0 ? gm_cli_error(&error) : tell_stop(&run);
    clean_up(&run);
    return status;
}
