/* goldmem compare: what differs between runs, from their JSON reports. */
#include "cli/compare.h"

#include "cli/cli.h"
#include "cli/set_index_options.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEY_NOISE = 256,
    KEY_MOST,
    KEY_JSON,
    KEY_FAIL,
    KEY_INPUTS,
    KEY_SAMPLES,
    KEY_PARTS,
    MOST_RUNS = 26,
    MOST_LIMITS = 16
};

static const struct argp_option option_list[] = {
    {"noise", KEY_NOISE, "PERCENT", 0, "Leave out what changes by less (default 0%)", 1},
    {"most", KEY_MOST, "N", 0, "Counters of a section, 0 for all (default 6)", 1},
    {"json", KEY_JSON, NULL, 0, "Print JSON: all counters that change", 1},
    {"fail-above", KEY_FAIL, "[COUNTER:]PERCENT", 0,
     "Exit with 1 if a run's cycles, or the counter, differ from the first one's by more", 2},
    {"different-inputs", KEY_INPUTS, NULL, 0, "Compare runs of different inputs", 2},
    {"different-samples", KEY_SAMPLES, NULL, 0,
     "Compare runs that compute different CTAs: sampled ones with whole ones, or other samples", 2},
    {"different-parts", KEY_PARTS, NULL, 0,
     "Compare runs that count different parts of their input: stopped at other limits or by a "
     "signal, of other kernels, after another warm-up",
     2},
    {0},
};

/* A limit of --fail-above. */
typedef struct limit {
    const char *counter;
    double share;
} limit;

typedef struct compare_arguments {
    gm_compare_options print;
    bool different_inputs;
    bool different_samples;
    bool different_parts;
    limit limit[MOST_LIMITS];
    size_t limits;
    const char *file[MOST_RUNS];
    size_t files;
} compare_arguments;

/* Reads "2%" or "2", at least 0. Returns false if it is anything else. */
static bool read_percent(const char *text, double *share)
{
    char *end = NULL;
    double value = strtod(text, &end);
    bool good = end != text && isfinite(value) && value >= 0 &&
                (*end == '\0' || (*end == '%' && end[1] == '\0'));
    *share = value / 100;
    return good;
}

static error_t parse_limit(char *argument, struct argp_state *state, compare_arguments *own)
{
    char *colon = strrchr(argument, ':');
    const char *percent = colon != NULL ? colon + 1 : argument;
    if (own->limits == MOST_LIMITS) {
        return gm_cli_refuse(state, "--fail-above: at most %d times", MOST_LIMITS);
    }
    limit *added = &own->limit[own->limits++];
    if (!read_percent(percent, &added->share)) {
        return gm_cli_refuse(
            state, "--fail-above %s: must be a percentage, such as 2%%, or COUNTER:2%%", argument);
    }
    added->counter = "cycles";
    if (colon != NULL) {
        *colon = '\0';
        added->counter = argument;
    }
    return 0;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    compare_arguments *own = state->input;
    uint64_t most = 0;
    switch (key) {
    case KEY_NOISE:
        return read_percent(argument, &own->print.noise)
                   ? 0
                   : gm_cli_refuse(state, "--noise %s: must be a percentage, such as 1%%",
                                   argument);
    case KEY_MOST:
        if (!gm_cli_number(argument, 0, 1000000, &most)) {
            return gm_cli_refuse(state, "--most %s: must be 0 to 1000000", argument);
        }
        own->print.most = (size_t)most;
        return 0;
    case KEY_JSON:
        own->print.json = true;
        return 0;
    case KEY_FAIL:
        return parse_limit(argument, state, own);
    case KEY_INPUTS:
        own->different_inputs = true;
        return 0;
    case KEY_SAMPLES:
        own->different_samples = true;
        return 0;
    case KEY_PARTS:
        own->different_parts = true;
        return 0;
    case ARGP_KEY_ARG:
        if (own->files == MOST_RUNS) {
            return gm_cli_refuse(state, "at most %d reports at a time", MOST_RUNS);
        }
        own->file[own->files++] = argument;
        return 0;
    case ARGP_KEY_END:
        return own->files >= 2 ? 0 : gm_cli_refuse(state, "two reports or more are compared");
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp compare_argp = {
    .options = option_list,
    .parser = parse,
    .args_doc = "A.json B.json...",
    .doc =
        "Compares runs: JSON reports of goldmem run, each against the first one. Cycles first, "
        "by what the schedulers did in them; then counters, the largest change first.\v"
        "Runs of different inputs are refused, since their counters mean different work; so are\n"
        "runs of different parts of an input (--max-cycles, --kernels, --warm-up), and of other\n"
        "samples of CTAs (goldmem run --sample), whose estimates differ by chance.\n\n"
        "Examples:\n"
        "  goldmem run --json a.json workload:kmeans\n"
        "  goldmem run --json b.json --set l1.index=ipoly:37 workload:kmeans\n"
        "  goldmem compare a.json b.json\n"
        "  goldmem compare --fail-above=2% --fail-above=dram.bytes:1% a.json b.json\n",
};

enum { SAMPLE_TEXT = 64 };

/* Says which CTAs a run computes. Returns `text`. */
static const char *sample_text(const gm_compared_run *run, char text[SAMPLE_TEXT])
{
    if (run->sampled == 0) {
        return "not sampled";
    }
    snprintf(text, SAMPLE_TEXT, "sampled at %.4g%%, seed %" PRIu64, 100 * run->sampled, run->seed);
    return text;
}

/* Checks that a run can be compared with the first one. Returns 0 or -EINVAL. */
static int check(const gm_compared_run *first, const gm_compared_run *run,
                 const compare_arguments *own, gm_error *error)
{
    if (!own->different_inputs && strcmp(first->input, run->input) != 0) {
        return gm_fail(error, -EINVAL, "%s: input=%s: %s has %s; --different-inputs allows it",
                       run->file, run->input, first->file, first->input);
    }
    if (!own->different_samples && (first->sampled != run->sampled || first->seed != run->seed)) {
        char texts[2][SAMPLE_TEXT];
        return gm_fail(error, -EINVAL, "%s: %s: %s is %s; --different-samples allows it", run->file,
                       sample_text(run, texts[0]), first->file, sample_text(first, texts[1]));
    }
    if (!own->different_parts && strcmp(first->part, run->part) != 0) {
        return gm_fail(error, -EINVAL, "%s: %s: %s is %s; --different-parts allows it", run->file,
                       run->part, first->file, first->part);
    }
    for (size_t i = 0; i < own->limits; i++) {
        const char *name = own->limit[i].counter;
        if (gm_compare_find(first, name) == NULL || gm_compare_find(run, name) == NULL) {
            const gm_compared_run *lacks = gm_compare_find(first, name) == NULL ? first : run;
            return gm_fail(error, -EINVAL, "--fail-above: %s has no counter '%s'", lacks->file,
                           name);
        }
    }
    return 0;
}

/* Prints a line for each limit that a run is above. Returns true if there is one. */
static bool fails(const gm_compared_run *run, const compare_arguments *own)
{
    bool failed = false;
    for (size_t i = 1; i < own->files; i++) {
        for (size_t k = 0; k < own->limits; k++) {
            const char *name = own->limit[k].counter;
            uint64_t a = gm_compare_value(&run[0], name);
            uint64_t b = gm_compare_value(&run[i], name);
            double change = gm_compare_change(a, b);
            if (fabs(change) > own->limit[k].share) {
                gm_cli_fail(
                    GM_EXIT_FAILED, "%s: %s=%" PRIu64 ": %+.2f%% of %s's %" PRIu64 ", above %.2f%%",
                    run[i].file, name, b, 100 * change, run[0].file, a, 100 * own->limit[k].share);
                failed = true;
            }
        }
    }
    return failed;
}

int gm_cli_compare(int argc, char **argv)
{
    compare_arguments own = {.print.most = 6};
    int status = gm_cli_parse(&compare_argp, argc, argv, &own);
    if (status != GM_EXIT_OK) {
        return status;
    }
    gm_compared_run run[MOST_RUNS] = {0};
    gm_error error;
    int code = 0;
    for (size_t i = 0; code == 0 && i < own.files; i++) {
        code = gm_compare_read(&run[i], own.file[i], &error);
        code = code < 0 ? code : check(&run[0], &run[i], &own, &error);
    }
    code = code < 0 ? code : gm_compare_print(stdout, run, own.files, &own.print, &error);
    status = code < 0 ? gm_cli_error(&error) : fails(run, &own) ? GM_EXIT_FAILED : GM_EXIT_OK;
    for (size_t i = 0; i < own.files; i++) {
        gm_compare_free(&run[i]);
    }
    return status;
}
