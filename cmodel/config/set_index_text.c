/* Set-index functions from text: names, polynomials and matrix files. */
#include "goldmem/bits.h"
#include "goldmem/set_index.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {
    [GM_INDEX_SEQUENTIAL] = "sequential", [GM_INDEX_XOR] = "xor",     [GM_INDEX_FOLD] = "fold",
    [GM_INDEX_FERMI] = "fermi",           [GM_INDEX_IPOLY] = "ipoly", [GM_INDEX_MATRIX] = "matrix",
    [GM_INDEX_PRIME] = "prime",           [GM_INDEX_SKEW] = "skew",
};

const char *gm_set_index_name(gm_set_index_kind kind)
{
    return names[kind];
}

/* "37", "0x25", "37:reducible". */
static int read_polynomial(const char *text, gm_set_index_parameters *parameters, gm_error *error)
{
    char *end = NULL;
    errno = 0;
    bool hexadecimal = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    unsigned long value =
        isdigit((unsigned char)text[0]) ? strtoul(text, &end, hexadecimal ? 16 : 10) : 0;
    if (end == NULL || errno != 0 || value < 2 || value > UINT32_MAX) {
        return gm_fail(error, -EINVAL, "'%s' is not a polynomial (a number such as 37 or 0x25)",
                       text);
    }
    parameters->polynomial = (uint32_t)value;
    parameters->allow_reducible = strcmp(end, ":reducible") == 0;
    if (*end != '\0' && !parameters->allow_reducible) {
        return gm_fail(error, -EINVAL, "'%s' after the polynomial; only ':reducible' may follow",
                       end);
    }
    return 0;
}

/* One line of a matrix file, without its comment. 1: a row; 0: blank; -EINVAL. */
static int read_row(const char *place, char *text, uint64_t *row, gm_error *error)
{
    size_t length = strcspn(text, "#\r\n");
    text[length] = '\0';
    char *start = text + strspn(text, " \t");
    if (*start == '\0') {
        return 0;
    }
    if (start[0] == '0' && (start[1] == 'x' || start[1] == 'X')) {
        char *end = NULL;
        errno = 0;
        *row = strtoull(start, &end, 16);
        bool bad = errno != 0 || end < start + 3 || end[strspn(end, " \t")] != '\0';
        return bad ? gm_fail(error, -EINVAL, "%s: '%s' is not a mask of up to 64 bits", place,
                             start)
                   : 1;
    }
    unsigned digits = 0;
    *row = 0;
    for (const char *at = start; *at != '\0'; at++) {
        if (*at == '0' || *at == '1') {
            *row = *row << 1 | (*at == '1');
            digits++;
        } else if (*at != ' ' && *at != '\t') {
            return gm_fail(error, -EINVAL, "%s: '%s' is neither digits 0 and 1 nor a mask 0x...",
                           place, start);
        }
    }
    return digits <= GM_LINE_ADDRESS_BITS ? 1
                                          : gm_fail(error, -EINVAL, "%s: %u digits; at most %d",
                                                    place, digits, GM_LINE_ADDRESS_BITS);
}

static int read_rows(FILE *file, const char *path, const gm_set_index_parameters *parameters,
                     uint64_t *row, gm_error *error)
{
    enum { LINE = 1024, PLACE = 300 };
    char text[LINE];
    char place[PLACE];
    unsigned rows = 0;
    unsigned wanted = gm_log2_floor(parameters->sets);
    for (unsigned number = 1; fgets(text, sizeof text, file) != NULL; number++) {
        snprintf(place, sizeof place, "%s:%u", path, number);
        if (strlen(text) == LINE - 1) {
            return gm_fail(error, -EINVAL, "%s: longer than %d characters", place, LINE - 2);
        }
        uint64_t mask = 0;
        int found = read_row(place, text, &mask, error);
        if (found < 0) {
            return found;
        }
        if (found == 1 && rows == wanted) {
            return gm_fail(error, -EINVAL, "%s: one row too many; %llu sets need %u", place,
                           (unsigned long long)parameters->sets, wanted);
        }
        if (found == 1) {
            row[rows++] = mask;
        }
    }
    if (ferror(file)) {
        return gm_fail_errno(error, path);
    }
    return rows == wanted ? 0
                          : gm_fail(error, -EINVAL, "%s: %u rows; %llu sets need %u", path, rows,
                                    (unsigned long long)parameters->sets, wanted);
}

static int read_matrix(const char *path, const gm_set_index_parameters *parameters, uint64_t *row,
                       gm_error *error)
{
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return gm_fail_errno(error, path);
    }
    int code = read_rows(file, path, parameters, row, error);
    fclose(file);
    return code;
}

static int find_kind(const char *text, size_t length, gm_set_index_kind *kind, gm_error *error)
{
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strlen(names[i]) == length && strncmp(text, names[i], length) == 0) {
            *kind = (gm_set_index_kind)i;
            return 0;
        }
    }
    return gm_fail(error, -EINVAL,
                   "unknown; there are sequential, xor, fold, fermi, ipoly[:P[:reducible]], "
                   "matrix:FILE, prime and skew");
}

static int parse(gm_set_index *function, const char *text, gm_set_index_parameters *parameters,
                 uint64_t *row, gm_error *error)
{
    size_t length = strcspn(text, ":");
    const char *rest = text[length] == ':' ? text + length + 1 : NULL;
    int code = find_kind(text, length, &parameters->kind, error);
    if (code != 0) {
        return code;
    }
    if (parameters->kind == GM_INDEX_MATRIX) {
        if (rest == NULL || *rest == '\0') {
            return gm_fail(error, -EINVAL, "the file is missing (matrix:FILE)");
        }
        bool readable = gm_is_power_of_two(parameters->sets) &&
                        parameters->sets <= UINT64_C(1) << GM_SET_INDEX_BITS;
        code = readable ? read_matrix(rest, parameters, row, error) : 0; /* init refuses the rest */
    } else if (rest != NULL && parameters->kind == GM_INDEX_IPOLY) {
        code = read_polynomial(rest, parameters, error);
    } else if (rest != NULL) {
        code = gm_fail(error, -EINVAL, "it takes no parameter");
    }
    return code != 0 ? code : gm_set_index_init(function, parameters, error);
}

int gm_set_index_parse(gm_set_index *function, const char *text, uint64_t sets,
                       unsigned address_bits, gm_error *error)
{
    gm_error reason;
    uint64_t row[GM_SET_INDEX_BITS] = {0};
    gm_set_index_parameters parameters = {.sets = sets, .address_bits = address_bits, .row = row};
    int code = parse(function, text, &parameters, row, &reason);
    return code == 0 ? 0 : gm_fail(error, code, "set-index function '%s': %s", text, reason.text);
}
