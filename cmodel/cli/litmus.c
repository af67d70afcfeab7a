/* goldmem litmus: runs litmus tests in the cycle engine, and compares their outcomes with what the
 * tests expect. */
#include "cli/cli.h"

#include "base/content_hash.h"
#include "litmus/litmus_machine.h"
#include "litmus/litmus_run.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_SETS = 64,
    DEFAULT_TRIALS = 1000,
    MOST_TRIALS = 1000000,
    KEY_TRIALS = 256,
    KEY_SEED,
    KEY_MACHINE
};

/* Machines beside the given one, and the least trials of each. */
enum { MACHINES = 30, LEAST_TRIALS = 8, MOST_MACHINE = 1000000 };

typedef struct arguments {
    const char *preset;
    const char *set[MOST_SETS];
    unsigned sets;
    char **file; /* of argv */
    unsigned files;
    uint64_t trials, seed;
    uint64_t machine; /* the only one; MOST_MACHINE + 1: all */
} arguments;

static const struct argp_option options[] = {
    {.name = "preset", .key = 'p', .arg = "NAME", .doc = "the machine (gtx480)"},
    {.name = "set",
     .key = 's',
     .arg = "KEY=VALUE",
     .doc = "change one key; KEY=VALUE alone likewise"},
    {.name = "trials", .key = KEY_TRIALS, .arg = "N", .doc = "trials of each test (1000)"},
    {.name = "seed",
     .key = KEY_SEED,
     .arg = "N",
     .doc = "of placements, addresses, delays and machines (1)"},
    {.name = "machine",
     .key = KEY_MACHINE,
     .arg = "N",
     .doc = "only machine N: 0 the given one, others like it with few lines, short leases, odd "
            "clocks (0 to 30)"},
    {0},
};

static const char doc[] =
    "Run litmus tests in the cycle engine and count their outcomes."
    "\v"
    "A FILE is of goldmem's format or of herd's PTX dialect. Each trial has its own placement of "
    "the\n"
    "CTAs on SMs, its own addresses and its own delays. A quarter of the trials\n"
    "are in the given machine, the others in machines like it; keys that are set stay.\n\n"
    "Examples:\n"
    "  goldmem litmus tests/litmus/mp.litmus\n"
    "  goldmem litmus --preset fermi-tc --trials 10000 tests/litmus/*.litmus l1.mshrs=4\n\n"
    "Exit status: 0 done; 1 an outcome was seen that a test expects never, or a load had a wrong\n"
    "value; 2 bad input or usage.";

static error_t parse_number(uint64_t *number, const char *option, const char *text, uint64_t least,
                            uint64_t most, const struct argp_state *state)
{
    char *end = NULL;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || value < least ||
        value > most) {
        return gm_cli_refuse(state, "%s: '%s' is not a number from %" PRIu64 " to %" PRIu64, option,
                             text, least, most);
    }
    *number = value;
    return 0;
}

static error_t add_set(arguments *own, const char *text, const struct argp_state *state)
{
    if (own->sets == MOST_SETS) {
        return gm_cli_refuse(state, "more than %d keys are set", MOST_SETS);
    }
    own->set[own->sets++] = text;
    return 0;
}

static error_t parse(int key, char *value, struct argp_state *state)
{
    arguments *own = state->input;
    switch (key) {
    case 'p':
        own->preset = value;
        return 0;
    case 's':
        return add_set(own, value, state);
    case KEY_TRIALS:
        return parse_number(&own->trials, "--trials", value, 1, MOST_TRIALS, state);
    case KEY_SEED:
        return parse_number(&own->seed, "--seed", value, 1, UINT64_MAX, state);
    case KEY_MACHINE:
        return parse_number(&own->machine, "--machine", value, 0, MOST_MACHINE, state);
    case ARGP_KEY_ARG:
        if (strchr(value, '=') != NULL) {
            return add_set(own, value, state);
        }
        own->file[own->files++] = value;
        return 0;
    case ARGP_KEY_END:
        return own->files == 0 ? gm_cli_refuse(state, "no FILE") : 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int set_keys(const arguments *own, gm_config *config, gm_error *error)
{
    int code = 0;
    for (unsigned i = 0; code == 0 && i < own->sets; i++) {
        code = gm_config_assign(config, own->set[i], error);
    }
    return code < 0 ? code : gm_config_check(config, error);
}

static int read_config(const arguments *own, gm_config *config, gm_error *error)
{
    int code = gm_config_preset(config, own->preset != NULL ? own->preset : "gtx480", error);
    return code < 0 ? code : set_keys(own, config, error);
}

/* Makes machine `number` of the given one, or that one itself if the keys that are set do not suit
 * it. */
static void make_machine(const arguments *own, const gm_config *given, uint64_t number,
                         gm_config *config)
{
    gm_error error;
    *config = *given;
    if (number != 0) {
        gm_litmus_machine(config, gm_content_word(own->seed, number));
        if (set_keys(own, config, &error) < 0) {
            *config = *given;
        }
    }
}

/* Runs trials of a test in one machine. */
static int run_machine(const arguments *own, const gm_litmus_test *test, const gm_config *given,
                       uint64_t number, uint64_t trials, gm_litmus_results *results,
                       gm_error *error)
{
    gm_config config;
    gm_error wrong;
    make_machine(own, given, number, &config);
    int code = gm_litmus_run(test, &config, trials, own->seed + number, results, &wrong);
    return code < 0 ? gm_fail(error, code, "%s (--machine %" PRIu64 " --trials %" PRIu64 ")",
                              wrong.text, number, trials)
                    : 0;
}

/* Runs all trials of a test: a quarter in the given machine. */
static int run_machines(const arguments *own, const gm_litmus_test *test, const gm_config *given,
                        gm_litmus_results *results, gm_error *error)
{
    uint64_t each = own->trials * 3 / 4 / MACHINES;
    uint64_t machines = each < LEAST_TRIALS ? 0 : MACHINES;
    int code = 0;
    *results = (gm_litmus_results){.rows = 0};
    if (own->machine <= MOST_MACHINE) {
        return run_machine(own, test, given, own->machine, own->trials, results, error);
    }
    for (uint64_t number = 0; number <= machines && code == 0; number++) {
        uint64_t trials = number == 0 ? own->trials - machines * each : each;
        code = run_machine(own, test, given, number, trials, results, error);
    }
    gm_litmus_sort(results);
    return code;
}

/* Prints a test's outcomes and its verdict. Returns true unless a forbidden outcome was seen. */
static bool print(const char *path, const gm_litmus_test *test, const gm_config *config,
                  const gm_litmus_results *results)
{
    unsigned protocol = gm_litmus_protocol_of(config);
    const char *name =
        protocol < GM_LITMUS_PROTOCOLS ? gm_litmus_protocols[protocol].name : "of these keys";
    gm_litmus_verdict verdict = gm_litmus_verdict_of(test, protocol, results);
    static const char *const words[] = {
        [GM_LITMUS_OK] = "ok",
        [GM_LITMUS_FORBIDDEN] = "FORBIDDEN",
        [GM_LITMUS_NEVER_SEEN] = "not seen",
        [GM_LITMUS_NO_EXPECTATION] = "no expectation",
    };
    printf("%s: %s\n", path, test->name[0] != '\0' ? test->name : "no name");
    for (uint32_t i = 0; i < results->rows; i++) {
        const gm_litmus_row *row = &results->row[i];
        printf("  %10" PRIu64 "  %s%s\n", row->count, row->text,
               row->holds ? "  <- condition" : "");
    }
    printf("  condition in %" PRIu64 " of %" PRIu64 " trials", results->held, results->trials);
    if (verdict == GM_LITMUS_NO_EXPECTATION) {
        printf("; none expected for coherence %s\n", name);
    } else {
        printf("; expected for coherence %s: %s: %s\n", name, test->may[protocol] ? "may" : "never",
               words[verdict]);
    }
    return verdict != GM_LITMUS_FORBIDDEN;
}

/* Runs the files. Returns the exit code. */
static int run_files(const arguments *own, const gm_config *config, gm_litmus_results *results)
{
    int status = GM_EXIT_OK;
    for (unsigned i = 0; i < own->files; i++) {
        gm_litmus_test test;
        gm_error error = {0};
        int code = gm_litmus_read(own->file[i], &test, &error);
        if (code == 0) {
            code = run_machines(own, &test, config, results, &error);
        }
        if (code == -EPROTO) {
            status = gm_cli_fail(GM_EXIT_FAILED, "%s: %s", own->file[i], error.text);
        } else if (code < 0) {
            return gm_cli_error(&error);
        } else if (!print(own->file[i], &test, config, results)) {
            status = gm_cli_fail(GM_EXIT_FAILED,
                                 "%s: an outcome that must never be was seen in %" PRIu64
                                 " of %" PRIu64 " trials, seed %" PRIu64,
                                 own->file[i], results->held, results->trials, own->seed);
        }
    }
    return status;
}

int gm_cli_litmus(int argc, char **argv)
{
    static const struct argp argp = {
        .options = options, .parser = parse, .args_doc = "FILE... [KEY=VALUE...]", .doc = doc};
    arguments own = {.trials = DEFAULT_TRIALS, .seed = 1, .machine = MOST_MACHINE + 1};
    own.file = calloc((size_t)argc, sizeof *own.file);
    gm_litmus_results *results = calloc(1, sizeof *results);
    int status = own.file == NULL || results == NULL ? gm_cli_fail(GM_EXIT_FAILED, "out of memory")
                                                     : gm_cli_parse(&argp, argc, argv, &own);
    gm_config config;
    gm_error error = {0};
    if (status == GM_EXIT_OK) {
        status = read_config(&own, &config, &error) < 0 ? gm_cli_error(&error)
                                                        : run_files(&own, &config, results);
    }
    free(results);
    free(own.file);
    return status;
}
