/* Set-index functions and cache geometry from the command line. */
#include "cli/set_index_options.h"

#include "goldmem/bits.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

gm_cli_geometry gm_cli_geometry_default(void)
{
    return (gm_cli_geometry){.sets = 32, .line = 128, .address_bits = 49};
}

bool gm_cli_number(const char *text, uint64_t low, uint64_t high, uint64_t *value)
{
    char *end = NULL;
    errno = 0;
    bool hexadecimal = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    unsigned long long number = strtoull(text, &end, hexadecimal ? 16 : 10);
    if (!isdigit((unsigned char)text[0]) || *end != '\0' || errno != 0 || number < low ||
        number > high) {
        return false;
    }
    *value = number;
    return true;
}

error_t gm_cli_geometry_option(int key, const char *argument, struct argp_state *state,
                               gm_cli_geometry *geometry)
{
    switch (key) {
    case GM_CLI_SETS:
        if (!gm_cli_number(argument, 1, 65536, &geometry->sets) ||
            !gm_is_power_of_two(geometry->sets)) {
            return gm_cli_refuse(state, "--sets %s: must be a power of two from 1 to 65536",
                                 argument);
        }
        return 0;
    case GM_CLI_LINE:
        if (!gm_cli_number(argument, 1, 65536, &geometry->line) ||
            !gm_is_power_of_two(geometry->line)) {
            return gm_cli_refuse(state, "--line %s: must be a power of two from 1 to 65536",
                                 argument);
        }
        return 0;
    case GM_CLI_ADDRESS_BITS:
        if (!gm_cli_number(argument, 1, 64, &geometry->address_bits)) {
            return gm_cli_refuse(state, "--address-bits %s: must be 1 to 64", argument);
        }
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

unsigned gm_cli_line_shift(const gm_cli_geometry *geometry)
{
    return gm_log2_floor(geometry->line);
}

int gm_cli_check_line(const gm_set_index *function, uint64_t line, gm_error *error)
{
    return function->kind != GM_INDEX_FERMI || line == GM_SET_INDEX_FERMI_LINE
               ? 0
               : gm_fail(error, -EINVAL,
                         "set-index function 'fermi': it is defined for lines of %d bytes, not "
                         "%" PRIu64,
                         GM_SET_INDEX_FERMI_LINE, line);
}

int gm_cli_set_index(gm_set_index *function, const char *text, const gm_cli_geometry *geometry)
{
    unsigned shift = gm_cli_line_shift(geometry);
    gm_error error;
    if (geometry->address_bits <= shift) {
        return gm_cli_fail(GM_EXIT_USAGE,
                           "%" PRIu64 " address bits are none for lines of %" PRIu64 " bytes",
                           geometry->address_bits, geometry->line);
    }
    unsigned line_bits = (unsigned)geometry->address_bits - shift;
    if (gm_set_index_parse(function, text, geometry->sets, line_bits, &error) < 0 ||
        gm_cli_check_line(function, geometry->line, &error) < 0) {
        return gm_cli_error(&error);
    }
    return GM_EXIT_OK;
}

int gm_cli_xor_matrix(gm_xor_matrix *matrix, const char *text, const gm_cli_geometry *geometry)
{
    gm_set_index function = {0};
    int status = gm_cli_set_index(&function, text, geometry);
    if (status != 0) {
        return status;
    }
    if (!gm_set_index_is_linear(&function) || function.bits == 0) {
        return gm_cli_fail(GM_EXIT_USAGE, "'%s' with %" PRIu64 " sets is no network of XOR gates",
                           text, geometry->sets);
    }
    *matrix = (gm_xor_matrix){.inputs = function.address_bits, .outputs = function.bits};
    memcpy(matrix->row, function.row, sizeof matrix->row);
    return GM_EXIT_OK;
}

void gm_cli_print_terms(FILE *file, uint64_t row, unsigned shift)
{
    const char *separator = "";
    for (unsigned bit = GM_LINE_ADDRESS_BITS; bit-- > 0;) {
        if ((row >> bit & 1) != 0) {
            fprintf(file, "%sA%u", separator, bit + shift);
            separator = " ^ ";
        }
    }
}

int gm_cli_print_json(json_t *root)
{
    if (root == NULL) {
        return gm_cli_fail(GM_EXIT_FAILED, "out of memory");
    }
    gm_error error;
    errno = 0;
    int code = json_dumpf(root, stdout, JSON_INDENT(2)) == 0
                   ? 0
                   : gm_fail_errno(&error, "standard output");
    json_decref(root);
    putchar('\n');
    return code == 0 ? GM_EXIT_OK : gm_cli_error(&error);
}
