/* goldmem index: set-index functions on addresses, as equations, and under strides. */
#include "cli/index.h"

#include "goldmem/bits.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_JSON = 256, KEY_CSV, KEY_MATRIX, KEY_STRIDES, KEY_HISTOGRAM };

static const struct argp_option options[] = {
    GM_CLI_GEOMETRY_OPTIONS,
    {"matrix", KEY_MATRIX, NULL, 0, "Print the H-matrix, as matrix:FILE reads it", 1},
    {"strides", KEY_STRIDES, "LAST", OPTION_ARG_OPTIONAL,
     "Sets used and lines in the fullest set, for strides of 1 to LAST lines (default 4096)", 1},
    {"histogram", KEY_HISTOGRAM, "INPUT", 0,
     "Line requests of a trace or workload:NAME in each set", 1},
    {"csv", KEY_CSV, NULL, 0, "Print comma-separated values", 2},
    {"json", KEY_JSON, NULL, 0, "Print JSON", 2},
    {0},
};

static error_t take_argument(char *argument, struct argp_state *state, gm_index_arguments *own)
{
    if (strcmp(argument, "-") == 0) {
        own->standard_input = true;
    } else if (!isdigit((unsigned char)argument[0])) {
        own->text[own->functions++] = argument;
    } else if (!gm_cli_number(argument, 0, UINT64_MAX, &own->address[own->addresses])) {
        return gm_cli_refuse(state, "'%s' is not an address (a number, decimal or 0x...)",
                             argument);
    } else {
        own->addresses++;
    }
    return 0;
}

/* Takes --csv or --json, not both. */
static error_t take_format(const struct argp_state *state, gm_index_arguments *own,
                           gm_index_format format)
{
    if (own->format != GM_INDEX_TEXT && own->format != format) {
        return gm_cli_refuse(state, "--csv and --json: one of them");
    }
    own->format = format;
    return 0;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    gm_index_arguments *own = state->input;
    switch (key) {
    case KEY_JSON:
        return take_format(state, own, GM_INDEX_JSON);
    case KEY_CSV:
        return take_format(state, own, GM_INDEX_CSV);
    case KEY_MATRIX:
        own->matrix = true;
        return 0;
    case KEY_STRIDES:
        own->strides = true;
        if (argument != NULL && !gm_cli_number(argument, 1, 1 << 20, &own->last_stride)) {
            return gm_cli_refuse(state, "--strides=%s: must be 1 to 1048576", argument);
        }
        return 0;
    case KEY_HISTOGRAM:
        own->histogram = argument;
        return 0;
    case ARGP_KEY_ARG:
        return take_argument(argument, state, own);
    case ARGP_KEY_END:
        if (own->functions == 0) {
            return gm_cli_refuse(state, "no function named, such as ipoly:37 or sequential");
        }
        if (own->matrix + own->strides + (own->histogram != NULL) +
                (own->addresses > 0 || own->standard_input) >
            1) {
            return gm_cli_refuse(state, "one of addresses, --matrix, --strides and --histogram");
        }
        return 0;
    default:
        return gm_cli_geometry_option(key, argument, state, &own->geometry);
    }
}

static const char documentation[] =
    "Maps byte ADDRESSes (decimal or 0x...; - reads them from standard input) to set and tag under "
    "each FUNCTION. Without addresses, prints the functions' equations, rank and fan-in.\v"
    "Functions: sequential, xor, fold, fermi, ipoly (smallest irreducible polynomial), ipoly:37, "
    "ipoly:33:reducible, matrix:FILE, prime, skew.\n\n"
    "Examples:\n"
    "  goldmem index ipoly:37 0x1000 0x2000\n"
    "  goldmem index --address-bits 27 ipoly:37\n"
    "  goldmem index --strides sequential ipoly:37 prime\n"
    "  goldmem index --histogram workload:syrk sequential ipoly:37";

/* Appends an address to a growing array. */
static int add_address(gm_index_arguments *own, uint64_t *capacity, uint64_t address)
{
    if (own->addresses == *capacity) {
        *capacity = *capacity * 2 + 1024;
        uint64_t *larger = realloc(own->address, *capacity * sizeof *larger);
        if (larger == NULL) {
            return gm_cli_fail(GM_EXIT_FAILED, "out of memory");
        }
        own->address = larger;
    }
    own->address[own->addresses++] = address;
    return 0;
}

static int read_line(gm_index_arguments *own, uint64_t *capacity, uint64_t number, char *line)
{
    char *rest = NULL;
    for (char *word = strtok_r(line, " \t\r\n,", &rest); word != NULL;
         word = strtok_r(NULL, " \t\r\n,", &rest)) {
        uint64_t address = 0;
        if (!gm_cli_number(word, 0, UINT64_MAX, &address)) {
            return gm_cli_fail(GM_EXIT_USAGE, "standard input:%llu: '%s' is not an address",
                               (unsigned long long)number, word);
        }
        int status = add_address(own, capacity, address);
        if (status != 0) {
            return status;
        }
    }
    return 0;
}

static int read_standard_input(gm_index_arguments *own, uint64_t capacity)
{
    char *line = NULL;
    size_t size = 0;
    int status = 0;
    errno = 0;
    for (uint64_t number = 1; status == 0 && getline(&line, &size, stdin) >= 0; number++) {
        status = read_line(own, &capacity, number, line);
    }
    if (status == 0 && ferror(stdin)) {
        status = gm_cli_fail(GM_EXIT_FAILED, "standard input: %s", strerror(errno));
    }
    free(line);
    return status;
}

static int answer(gm_index_arguments *own)
{
    for (unsigned i = 0; i < own->functions; i++) {
        int status = gm_cli_set_index(&own->function[i], own->text[i], &own->geometry);
        if (status != 0) {
            return status;
        }
    }
    for (uint64_t i = 0; i < own->addresses; i++) {
        if ((own->address[i] & ~gm_mask((unsigned)own->geometry.address_bits)) != 0) {
            return gm_cli_fail(GM_EXIT_USAGE,
                               "address 0x%llx does not fit in %llu bits (--address-bits)",
                               (unsigned long long)own->address[i],
                               (unsigned long long)own->geometry.address_bits);
        }
    }
    if (own->matrix) {
        return gm_index_print_matrices(own);
    }
    if (own->strides) {
        return gm_index_print_strides(own);
    }
    if (own->histogram != NULL) {
        return gm_index_print_histogram(own);
    }
    return own->addresses > 0 || own->standard_input ? gm_index_map(own) : gm_index_describe(own);
}

int gm_cli_index(int argc, char **argv)
{
    static const struct argp argp = {options, parse, "FUNCTION... [ADDRESS...]", documentation, 0,
                                     0,       0};
    size_t most = (size_t)argc;
    gm_index_arguments own = {.geometry = gm_cli_geometry_default(), .last_stride = 4096};
    own.text = calloc(most, sizeof *own.text);
    own.address = calloc(most, sizeof *own.address);
    own.function = calloc(most, sizeof *own.function);
    int status = own.text == NULL || own.address == NULL || own.function == NULL
                     ? gm_cli_fail(GM_EXIT_FAILED, "out of memory")
                     : gm_cli_parse(&argp, argc, argv, &own);
    if (status == 0 && own.standard_input) {
        status = read_standard_input(&own, most);
    }
    if (status == 0) {
        status = answer(&own);
    }
    free(own.function);
    free(own.address);
    free(own.text);
    return status;
}
