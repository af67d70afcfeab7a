/* goldmem report: runs and sweeps as one HTML page. */
#include "cli/cli.h"
#include "cli/html.h"
#include "cli/output_files.h"
#include "goldmem/output.h"

#include <errno.h>
#include <string.h>

enum { KEY_SERIES = 256 };

static const struct argp_option option_list[] = {
    {"output", 'o', "FILE", 0, "Page to write; - is standard output", 1},
    {"series", KEY_SERIES, "FILE.csv", 0,
     "Series (goldmem run --series): the first one of the first run, and so on; - for a run "
     "without",
     1},
    {0},
};

typedef struct report_arguments {
    const char *output;
    const char *file[GM_HTML_RUNS], *series[GM_HTML_RUNS];
    size_t files, all_series;
    const char *sweep;
} report_arguments;

/* Takes a run's report, or a sweep's results. */
static error_t parse_file(report_arguments *own, const char *file, const struct argp_state *state)
{
    static const char lines[] = ".jsonl";
    size_t length = strlen(file);
    if (length >= sizeof lines && strcmp(file + length - (sizeof lines - 1), lines) == 0) {
        if (own->sweep != NULL) {
            return gm_cli_refuse(state, "%s: one sweep at a time", file);
        }
        own->sweep = file;
        return 0;
    }
    if (own->files == GM_HTML_RUNS) {
        return gm_cli_refuse(state, "at most %d runs at a time", GM_HTML_RUNS);
    }
    own->file[own->files++] = file;
    return 0;
}

static error_t parse_series(report_arguments *own, const char *file, const struct argp_state *state)
{
    if (own->all_series == GM_HTML_RUNS) {
        return gm_cli_refuse(state, "--series: at most %d times", GM_HTML_RUNS);
    }
    own->series[own->all_series++] = file;
    return 0;
}

/* Checks what options require of each other. */
static error_t finish(const report_arguments *own, const struct argp_state *state)
{
    if (own->files == 0 && own->sweep == NULL) {
        return gm_cli_refuse(state, "no RUN.json");
    }
    if (own->all_series > own->files) {
        return gm_cli_refuse(state, "--series %s: has no run", own->series[own->files]);
    }
    return own->output != NULL ? 0 : gm_cli_refuse(state, "no -o FILE");
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    report_arguments *own = state->input;
    switch (key) {
    case 'o':
        own->output = argument;
        return 0;
    case KEY_SERIES:
        return parse_series(own, argument, state);
    case ARGP_KEY_ARG:
        return parse_file(own, argument, state);
    case ARGP_KEY_END:
        return finish(own, state);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp report_argp = {
    .options = option_list,
    .parser = parse,
    .args_doc = "RUN.json... [results.jsonl]",
    .doc =
        "Writes one HTML page of runs (JSON reports of goldmem run), side by side, and of a sweep "
        "(its results.jsonl). The page needs no network and no script.\v"
        "Charts: what the schedulers did in each kernel; over time, with --series; heat maps of "
        "SMs, L2 banks and DRAM channels, of runs with --per-sm, --per-bank, and of the L2's sets, "
        "with --per-set; traffic; energy; "
        "reuse, of runs with --analyze=reuse; of a sweep a panel for each input.\n\n"
        "Example:\n"
        "  goldmem run --per-sm --per-bank --json a.json --series a.csv,every=1K workload:bfs\n"
        "  goldmem report -o report.html a.json --series a.csv\n",
};

static int read_page(gm_html_page *page, const report_arguments *own, gm_error *error)
{
    int code = 0;
    for (size_t i = 0; code == 0 && i < own->files; i++) {
        page->runs++;
        code = gm_compare_read(&page->run[i].run, own->file[i], error);
        if (code == 0 && own->series[i] != NULL && strcmp(own->series[i], "-") != 0) {
            code = gm_html_read_series(&page->run[i].series, own->series[i], error);
            code = code < 0 ? code : gm_html_check_series(&page->run[i], error);
        }
    }
    if (code == 0 && own->sweep != NULL) {
        page->sweep_file = own->sweep;
        code = gm_html_read_sweep(&page->sweep, own->sweep, error);
    }
    return code;
}

/* Checks that the page would not overwrite a file that it is made of. */
static int protect_inputs(const report_arguments *own, gm_error *error)
{
    const gm_cli_outputs outputs = {.output = {{"-o", own->output}}, .count = 1};
    int code = gm_cli_protect_file(&outputs, own->sweep, error);
    for (size_t i = 0; code == 0 && i < own->files; i++) {
        code = gm_cli_protect_file(&outputs, own->file[i], error);
        code = code < 0 ? code : gm_cli_protect_file(&outputs, own->series[i], error);
    }
    return code;
}

int gm_cli_report(int argc, char **argv)
{
    report_arguments own = {0};
    int status = gm_cli_parse(&report_argp, argc, argv, &own);
    if (status != GM_EXIT_OK) {
        return status;
    }
    gm_html_page page = {0};
    gm_output output = {0};
    gm_error error = {0};
    int code = protect_inputs(&own, &error);
    code = code < 0 ? code : read_page(&page, &own, &error);
    code = code < 0 ? code : gm_output_open(&output, own.output, &error);
    if (code == 0) {
        errno = 0;
        gm_html_write(output.file, &page);
        code = ferror(output.file) ? gm_fail_errno(&error, own.output)
                                   : gm_output_commit(&output, &error);
    }
    status = code < 0 ? gm_cli_error(&error) : GM_EXIT_OK;
    gm_output_discard(&output);
    gm_html_free(&page);
    return status;
}
