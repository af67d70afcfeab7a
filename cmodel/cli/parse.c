/* Argument parser: argp with one-line messages that name a remedy, in place of argp's own. */
#include "cli/cli.h"

#include "goldmem/nearest.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct outer {
    const struct argp *argp; /* the subcommand's */
    void *input;             /* the subcommand's */
    int next;                /* argv index after the option at fault */
} outer;

int gm_cli_refuse(const struct argp_state *state, const char *format, ...)
{
    char reason[GM_ERROR_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    gm_cli_fail(GM_EXIT_USAGE, "%s; try '%s --help'", reason, state->name);
    return ECANCELED;
}

error_t gm_cli_parse_count(uint64_t *count, const char *option, const char *text,
                           const struct argp_state *state)
{
    static const char suffixes[] = "KMG";
    char *end = NULL;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    bool good = text[0] >= '0' && text[0] <= '9' && errno == 0 && number >= 1;
    const char *suffix = *end != '\0' ? strchr(suffixes, *end) : NULL;
    uint64_t unit = 1;
    for (const char *at = suffixes; suffix != NULL && at <= suffix; at++) {
        unit *= 1000;
    }
    good = good && (suffix != NULL ? end[1] == '\0' : *end == '\0') && number <= INT64_MAX / unit;
    if (!good) {
        return gm_cli_refuse(
            state, "%s: '%s' is not a number, 1 or more, with or without K, M or G", option, text);
    }
    *count = number * unit;
    return 0;
}

/* Replaces argp's --help, which is off together with argp's messages. */
static const struct argp_option help_options[] = {
    {.name = "help", .key = 'h', .doc = "print this help", .group = -1},
    {0},
};

static error_t parse_outer(int key, char *argument __attribute__((unused)),
                           struct argp_state *state)
{
    outer *own = state->input;
    if (key == ARGP_KEY_INIT) {
        state->child_inputs[0] = own->input;
        return 0;
    }
    if (key == 'h') {
        argp_help(state->root_argp, stdout, ARGP_HELP_STD_HELP, state->name);
        exit(GM_EXIT_OK);
    }
    if (key == ARGP_KEY_ERROR) {
        own->next = state->next;
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

static const struct argp_option *find_option(const struct argp *argp, const char *text)
{
    size_t length = strcspn(text + 2, "=");
    for (const struct argp_option *option = argp->options;
         option != NULL && (option->name != NULL || option->key != 0 || option->doc != NULL);
         option++) {
        bool same = text[1] == '-'
                        ? option->name != NULL && strncmp(option->name, text + 2, length) == 0
                        : option->key == text[1];
        if (same) {
            return option;
        }
    }
    return NULL;
}

static const char *nearest_option(const struct argp *argp, const char *text)
{
    const char *names[64];
    size_t count = 0;
    for (const struct argp_option *option = argp->options;
         option != NULL && (option->name != NULL || option->doc != NULL); option++) {
        if (option->name != NULL && count < sizeof names / sizeof names[0]) {
            names[count++] = option->name;
        }
    }
    return text[1] == '-' ? gm_nearest(text + 2, names, count, sizeof names[0]) : NULL;
}

/* Prints why getopt refused the argument. */
static int explain(const outer *own, int argc, char **argv)
{
    int at = own->next >= 2 && argv[own->next - 1][0] == '-' ? own->next - 1 : own->next;
    if (at >= argc || argv[at][0] != '-') {
        const char *text = at < argc ? argv[at] : "";
        return gm_cli_fail(GM_EXIT_USAGE, "unexpected argument '%s'; try '%s --help'", text,
                           argv[0]);
    }
    const struct argp_option *option = find_option(own->argp, argv[at]);
    if (option != NULL && option->arg != NULL) {
        return gm_cli_fail(GM_EXIT_USAGE, "option '%s' needs a value, %s; try '%s --help'",
                           argv[at], option->arg, argv[0]);
    }
    if (option != NULL) {
        return gm_cli_fail(GM_EXIT_USAGE, "option '--%s' takes no value; try '%s --help'",
                           option->name, argv[0]);
    }
    const char *nearest = nearest_option(own->argp, argv[at]);
    if (nearest != NULL) {
        return gm_cli_fail(GM_EXIT_USAGE, "unknown option '%s'; did you mean '--%s'?", argv[at],
                           nearest);
    }
    return gm_cli_fail(GM_EXIT_USAGE, "unknown option '%s'; try '%s --help'", argv[at], argv[0]);
}

int gm_cli_parse(const struct argp *argp, int argc, char **argv, void *input)
{
    outer own = {.argp = argp, .input = input};
    const struct argp_child children[] = {{.argp = argp}, {0}};
    const struct argp wrapped = {
        .options = help_options, .parser = parse_outer, .children = children};
    error_t failed = argp_parse(&wrapped, argc, argv, ARGP_NO_ERRS | ARGP_NO_HELP, NULL, &own);
    switch (failed) {
    case 0:
        return GM_EXIT_OK;
    case ECANCELED:
        return GM_EXIT_USAGE;
    case EINVAL:
        return explain(&own, argc, argv);
    default:
        return gm_cli_fail(GM_EXIT_FAILED, "%s: %s", argv[0], strerror(failed));
    }
}
