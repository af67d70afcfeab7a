/* goldmem trace: describes, checks and converts inputs. */
#include "cli/cli.h"
#include "cli/input_argument.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/survey.h"
#include "goldmem/trace_writer.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct check_arguments {
    const char *input;
    bool ignore_unknown;
} check_arguments;

static error_t parse_check(int key, char *argument, struct argp_state *state)
{
    check_arguments *arguments = state->input;
    return key == GM_CLI_KEY_UNKNOWN
               ? gm_cli_parse_unknown(&arguments->ignore_unknown, argument, state)
               : gm_cli_parse_input(key, argument, state, &arguments->input);
}

/* Returns the number of CTAs of the grids that the input lacks: those without instructions, which
 * tracers leave out, and the rest of a file that was cut between two. */
static uint64_t absent_ctas(const gm_survey *survey)
{
    uint64_t absent = 0;
    for (size_t i = 0; i < survey->kernel_count; i++) {
        const gm_survey_kernel *kernel = &survey->kernels[i];
        uint64_t grid = (uint64_t)kernel->grid[0] * kernel->grid[1] * kernel->grid[2];
        absent += grid > kernel->counts.ctas ? grid - kernel->counts.ctas : 0;
    }
    return absent;
}

static void print_check(const gm_survey *survey)
{
    uint64_t absent = absent_ctas(survey);
    printf("ok: %zu kernels, %" PRIu64 " copies, %" PRIu64 " CTAs, %" PRIu64 " warps, %" PRIu64
           " instructions",
           survey->kernel_count, survey->copies, survey->total.ctas, survey->total.warps,
           survey->total.instructions);
    if (absent != 0) {
        printf("; CTAs of the grids that are not there: %" PRIu64, absent);
    }
    putchar('\n');
}

static int run_check(int argc, char **argv)
{
    static const struct argp_option options[] = {GM_CLI_UNKNOWN_OPTION, {0}};
    static const struct argp argp = {
        .options = options,
        .parser = parse_check,
        .args_doc = "INPUT",
        .doc = "Read all of an input and say 'ok' and what it holds, or what is wrong and "
               "where.\v" GM_CLI_INPUT_DOC,
    };
    check_arguments arguments = {0};
    int status = gm_cli_parse(&argp, argc, argv, &arguments);
    if (status != 0) {
        return status;
    }
    gm_error error;
    gm_source *source = NULL;
    gm_survey survey = {0};
    int code = gm_survey_input(&survey, &source, arguments.input, arguments.ignore_unknown, &error);
    if (code == 0) {
        print_check(&survey);
        gm_survey_print_unknown(&survey, &source->opcodes, "");
    }
    gm_survey_free(&survey);
    gm_source_close(source);
    return code == 0 ? GM_EXIT_OK : gm_cli_error(&error);
}

typedef struct convert_arguments {
    const char *input, *output;
    gm_trace_write_options options;
    bool has_form, has_packing, binary, ignore_unknown;
} convert_arguments;

enum { OPTION_VERSION = 1000, OPTION_COMPRESS, OPTION_BINARY };

/* Returns the place of `word` among `count` names, or `count`. */
static unsigned find(const char *word, const char *const *names, unsigned count)
{
    unsigned k = 0;
    while (k < count && strcmp(word, names[k]) != 0) {
        k++;
    }
    return k;
}

static int parse_form(convert_arguments *arguments, const char *argument,
                      const struct argp_state *state)
{
    static const char *const names[] = {"1.2", "3", "4", "4-immediate", "5"}; /* gm_trace_form */
    unsigned form = find(argument, names, GM_TRACE_COMPACT);
    if (form == GM_TRACE_COMPACT) {
        return gm_cli_refuse(state, "--version: '%s' is none of 1.2, 3, 4, 4-immediate, 5",
                             argument);
    }
    arguments->options.form = (gm_trace_form)form;
    arguments->has_form = true;
    return 0;
}

static int parse_packing(convert_arguments *arguments, const char *argument,
                         const struct argp_state *state)
{
    static const char *const names[] = {"none", "xz", "gz", "zst"}; /* gm_trace_packing */
    enum { NAMES = sizeof names / sizeof names[0] };
    unsigned packing = find(argument, names, NAMES);
    if (packing == NAMES) {
        return gm_cli_refuse(state, "--compress: '%s' is none of none, xz, gz, zst", argument);
    }
    arguments->options.packing = (gm_trace_packing)packing;
    arguments->has_packing = true;
    return 0;
}

static int parse_path(convert_arguments *arguments, const char *argument,
                      const struct argp_state *state)
{
    if (arguments->input == NULL) {
        arguments->input = argument;
    } else if (arguments->output == NULL) {
        arguments->output = argument;
    } else {
        return gm_cli_refuse(state, "unexpected argument '%s'", argument);
    }
    return 0;
}

static int finish_convert(convert_arguments *arguments, const struct argp_state *state)
{
    if (arguments->output == NULL) {
        return gm_cli_refuse(state, "no %s", arguments->input == NULL ? "INPUT" : "OUTPUT_FOLDER");
    }
    if (arguments->binary && (arguments->has_form || arguments->has_packing)) {
        return gm_cli_refuse(state, "--binary excludes --version and --compress");
    }
    if (arguments->binary) {
        arguments->options.form = GM_TRACE_COMPACT;
    }
    return 0;
}

static error_t parse_convert(int key, char *argument, struct argp_state *state)
{
    convert_arguments *arguments = state->input;
    switch (key) {
    case OPTION_VERSION:
        return parse_form(arguments, argument, state);
    case OPTION_COMPRESS:
        return parse_packing(arguments, argument, state);
    case GM_CLI_KEY_UNKNOWN:
        return gm_cli_parse_unknown(&arguments->ignore_unknown, argument, state);
    case OPTION_BINARY:
        arguments->binary = true;
        return 0;
    case ARGP_KEY_ARG:
        return parse_path(arguments, argument, state);
    case ARGP_KEY_END:
        return finish_convert(arguments, state);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Draws the progress line; called after each CTA. */
static int convert_progress(void *context, gm_progress progress, gm_error *error)
{
    (void)progress;
    if (gm_interrupt_wants_progress()) {
        gm_progress_tell(context, NULL);
    }
    gm_progress_draw(context, 0, 0);
    return gm_interrupt_check(error);
}

static int convert(convert_arguments *arguments, gm_source *source, gm_error *error)
{
    gm_progress_line line;
    arguments->options.context = &line;
    arguments->options.progress = convert_progress;
    gm_progress_begin(&line, source, false);
    int code = gm_trace_write(source, arguments->output, &arguments->options, error);
    gm_progress_end(&line);
    return code;
}

static int run_convert(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"version", OPTION_VERSION, "VERSION", 0,
         "Accel-Sim tracer version: 1.2, 3, 4 (without immediates), 4-immediate or 5 (default)", 0},
        {"compress", OPTION_COMPRESS, "KIND", 0, "none (default), xz, gz or zst", 0},
        {"binary", OPTION_BINARY, NULL, 0, "goldmem's compact form: smaller, and read faster", 0},
        GM_CLI_UNKNOWN_OPTION,
        {0},
    };
    static const struct argp argp = {
        .options = options,
        .parser = parse_convert,
        .args_doc = "INPUT OUTPUT_FOLDER",
        .doc = "Write an input as a trace folder: a kernelslist.g and a file for each kernel. The "
               "folder must not exist; it appears when it is complete.\v" GM_CLI_INPUT_DOC,
    };
    convert_arguments arguments = {.options = {.form = GM_TRACE_5}};
    int status = gm_cli_parse(&argp, argc, argv, &arguments);
    if (status != 0) {
        return status;
    }
    gm_interrupt_watch(); /* before opening the input, which may take seconds */
    gm_error error;
    gm_source *source = NULL;
    int code = gm_cli_open_source(&source, arguments.input, &error);
    if (code == 0) {
        source->opcodes.ignore_unknown = arguments.ignore_unknown;
        code = convert(&arguments, source, &error);
    }
    if (code == 0 && source->live != NULL) {
        fprintf(stderr,
                "goldmem: %s: its CTAs communicate: the trace has one order, which it replays "
                "whatever the machine\n",
                source->name);
    }
    gm_source_close(source);
    return code == 0 ? GM_EXIT_OK : gm_cli_error(&error);
}

int gm_cli_trace(int argc, char **argv)
{
    static const gm_subcommand subcommands[] = {
        {"info", gm_cli_trace_info, "what an input holds, kernel by kernel"},
        {"check", run_check, "read all of an input and say whether it is well-formed"},
        {"convert", run_convert, "write an input in another trace version, compressed or compact"},
    };
    static const gm_command_group group = {
        "Look at, check and convert traces and built-in workloads.",
        subcommands,
        sizeof subcommands / sizeof subcommands[0],
    };
    return gm_cli_dispatch(&group, argc, argv);
}
