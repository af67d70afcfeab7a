/* The header of a kernel file (docs/trace-format.md): keys in any order, values sometimes wrong. */
#include "trace/header.h"

#include "goldmem/bits.h"
#include "trace/compact.h"
#include "trace/number.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { MAXIMUM_THREADS = 2048 };

typedef enum value_kind {
    VALUE_TEXT,
    VALUE_VERSION, /* of the tracer */
    VALUE_DIMENSIONS,
    VALUE_UNSIGNED_32,
    VALUE_UNSIGNED_64, /* a negative number is taken modulo 2^64: upstream wrote such stream ids */
    VALUE_HEX_64,
    VALUE_FLAG,
    VALUE_WARP_SIZE,
} value_kind;

typedef struct header_key {
    const char *name;
    value_kind kind;
    size_t offset; /* in gm_kernel */
    size_t size;   /* TEXT */
} header_key;

#define FIELD(member) offsetof(gm_kernel, member), sizeof(((gm_kernel *)0)->member)

static const header_key keys[] = {
    {"kernel name", VALUE_TEXT, FIELD(name)},
    {"kernel id", VALUE_UNSIGNED_64, FIELD(id)},
    {"grid dim", VALUE_DIMENSIONS, FIELD(grid)},
    {"block dim", VALUE_DIMENSIONS, FIELD(block)},
    {"shmem", VALUE_UNSIGNED_32, FIELD(shared_bytes)},
    {"nregs", VALUE_UNSIGNED_32, FIELD(registers)},
    {"binary version", VALUE_UNSIGNED_32, FIELD(binary_version)},
    {"cuda stream id", VALUE_UNSIGNED_64, FIELD(stream)},
    {"shmem base_addr", VALUE_HEX_64, FIELD(shared_base)},
    {"local mem base_addr", VALUE_HEX_64, FIELD(local_base)},
    {"nvbit version", VALUE_TEXT, FIELD(nvbit_version)},
    {"accelsim tracer version", VALUE_VERSION, FIELD(tracer_version)},
    {"enable lineinfo", VALUE_FLAG, FIELD(has_line_numbers)},
    {"warp size", VALUE_WARP_SIZE, 0, 0},
};

enum { KEYS = sizeof keys / sizeof *keys };

static int bad_value(const gm_input *input, const header_key *key, gm_text value,
                     const char *wanted, gm_error *error)
{
    int shown = value.length > 80 ? 80 : (int)value.length;
    return gm_input_fail(input, error, -EINVAL, "-%s: '%.*s' is not %s", key->name, shown,
                         value.start, wanted);
}

/* Parses "(x,y,z)", each at least 1. */
static bool parse_dimensions(const char *at, const char *end, uint32_t dimensions[3])
{
    if (*at++ != '(') {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        uint64_t value = 0;
        if (!gm_scan_decimal(&at, &value) || value == 0 || value > UINT32_MAX ||
            *at++ != (i < 2 ? ',' : ')')) {
            return false;
        }
        dimensions[i] = (uint32_t)value;
    }
    return at == end;
}

static int read_unsigned(const gm_input *input, const header_key *key, gm_text value, void *field,
                         gm_error *error)
{
    const char *at = value.start;
    const char *end = value.start + value.length;
    uint64_t number = 0;
    bool negative = *at == '-';
    at += negative;
    bool good = gm_scan_decimal(&at, &number) && at == end;
    if (key->kind == VALUE_UNSIGNED_32) {
        if (!good || negative || number > UINT32_MAX) {
            return bad_value(input, key, value, "a decimal number from 0 to 4294967295", error);
        }
        uint32_t narrow = (uint32_t)number;
        memcpy(field, &narrow, sizeof narrow);
        return 0;
    }
    if (!good || (negative && number > (uint64_t)INT64_MAX + 1)) {
        return bad_value(input, key, value, "a decimal number of 64 bits", error);
    }
    number = negative ? 0 - number : number;
    memcpy(field, &number, sizeof number);
    return 0;
}

static int read_hex(const gm_input *input, const header_key *key, gm_text value, void *field,
                    gm_error *error)
{
    const char *at = value.start;
    uint64_t number = 0;
    if (!gm_scan_hex(&at, &number) || at != value.start + value.length) {
        return bad_value(input, key, value, "a hexadecimal number of 64 bits", error);
    }
    memcpy(field, &number, sizeof number);
    return 0;
}

static int read_text(const header_key *key, gm_text value, char *field)
{
    size_t length = value.length < key->size ? value.length : key->size - 1;
    memcpy(field, value.start, length);
    field[length] = '\0';
    return 0;
}

/* Reads the tracer's version. Refuses one whose line layout is not known. */
static int read_version(const gm_input *input, const header_key *key, gm_text value, char *field,
                        gm_error *error)
{
    static const char *const versions[] = {"1", "1.2", "2", "3", "4", "5", "6"};
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        if (strlen(versions[i]) == value.length &&
            memcmp(versions[i], value.start, value.length) == 0) {
            return read_text(key, value, field);
        }
    }
    return bad_value(input, key, value, "one of 1, 1.2, 2, 3, 4, 5, 6", error);
}

static int read_value(const gm_input *input, const header_key *key, gm_text value,
                      gm_kernel *kernel, gm_error *error)
{
    char *field = (char *)kernel + key->offset;
    switch (key->kind) {
    case VALUE_TEXT:
        return read_text(key, value, field);
    case VALUE_VERSION:
        return read_version(input, key, value, field, error);
    case VALUE_DIMENSIONS:
        return parse_dimensions(value.start, value.start + value.length, (uint32_t *)(void *)field)
                   ? 0
                   : bad_value(input, key, value, "(x,y,z) with decimal numbers of at least 1",
                               error);
    case VALUE_UNSIGNED_32:
    case VALUE_UNSIGNED_64:
        return read_unsigned(input, key, value, field, error);
    case VALUE_HEX_64:
        return read_hex(input, key, value, field, error);
    case VALUE_FLAG:
        if (value.length != 1 || (*value.start != '0' && *value.start != '1')) {
            return bad_value(input, key, value, "0 or 1", error);
        }
        *(bool *)(void *)field = *value.start == '1';
        return 0;
    case VALUE_WARP_SIZE:
        return value.length == 2 && memcmp(value.start, "32", 2) == 0
                   ? 0
                   : bad_value(input, key, value, "a supported warp size: only 32 lanes are",
                               error);
    }
    return 0;
}

/* True for a key of clusters that are not of one CTA. No public tracer writes one yet; forks that
 * do cannot but name them so. */
static bool names_clusters(const char *name, const char *name_end, const char *value,
                           const char *end)
{
    static const char key[] = "cluster";
    static const char one[] = "(1,1,1)";
    bool of_clusters =
        (size_t)(name_end - name) >= sizeof key - 1 && memcmp(name, key, sizeof key - 1) == 0;
    bool alone = (size_t)(end - value) == sizeof one - 1 && memcmp(value, one, sizeof one - 1) == 0;
    return of_clusters && !alone;
}

/* Reads a "-key = value" line. `seen`: bit k is set once keys[k] is given. */
static int read_line(const gm_input *input, gm_text line, gm_kernel *kernel, uint32_t *seen,
                     gm_error *error)
{
    const char *end = line.start + line.length;
    const char *equals = memchr(line.start, '=', line.length);
    if (equals == NULL) {
        return gm_input_fail(input, error, -EINVAL, "a header line without '=': '%.*s'",
                             (int)(line.length < 80 ? line.length : 80), line.start);
    }
    const char *name = line.start + 1;
    const char *name_end = equals;
    while (name_end > name && name_end[-1] == ' ') {
        name_end--;
    }
    const char *value = equals + 1;
    while (value < end && *value == ' ') {
        value++;
    }
    for (unsigned i = 0; i < KEYS; i++) {
        size_t length = strlen(keys[i].name);
        if ((size_t)(name_end - name) != length || memcmp(name, keys[i].name, length) != 0) {
            continue;
        }
        if (*seen >> i & 1) {
            return gm_input_fail(input, error, -EINVAL, "-%s is given twice", keys[i].name);
        }
        *seen |= UINT32_C(1) << i;
        gm_text text = {value, (size_t)(end - value)};
        return read_value(input, &keys[i], text, kernel, error);
    }
    kernel->has_clusters |= names_clusters(name, name_end, value, end);
    return 0;
}

static int check(const gm_input *input, const gm_kernel *kernel, gm_error *error)
{
    if (kernel->grid[0] == 0) {
        return gm_input_fail(input, error, -EINVAL, "the header has no '-grid dim = (x,y,z)'");
    }
    if (kernel->block[0] == 0) {
        return gm_input_fail(input, error, -EINVAL, "the header has no '-block dim = (x,y,z)'");
    }
    uint64_t threads = (uint64_t)kernel->block[0] * kernel->block[1];
    if (threads > MAXIMUM_THREADS || threads * kernel->block[2] > MAXIMUM_THREADS) {
        return gm_input_fail(input, error, -EINVAL,
                             "-block dim: (%u,%u,%u) is more than %d threads", kernel->block[0],
                             kernel->block[1], kernel->block[2], MAXIMUM_THREADS);
    }
    unsigned __int128 ctas = (unsigned __int128)kernel->grid[0] * kernel->grid[1] * kernel->grid[2];
    if (ctas > INT64_MAX) {
        return gm_input_fail(input, error, -EINVAL,
                             "-grid dim: (%u,%u,%u) is more than 2^63 thread blocks",
                             kernel->grid[0], kernel->grid[1], kernel->grid[2]);
    }
    return 0;
}

int gm_header_read(gm_input *input, gm_kernel *kernel, gm_error *error)
{
    *kernel = (gm_kernel){.id = 0};
    uint32_t seen = 0;
    bool has_format = false;
    bool is_compact = false;
    gm_text line;
    int code;
    while ((code = gm_input_peek(input, &line, error)) > 0 &&
           (*line.start == '-' || (*line.start == '#' && !gm_text_starts(line, "#BEGIN_TB")))) {
        if (*line.start == '#') {
            has_format = true;
            is_compact =
                memmem(line.start, line.length, GM_COMPACT_LINE, strlen(GM_COMPACT_LINE)) != NULL;
            kernel->has_immediate =
                memmem(line.start, line.length, "immediate", strlen("immediate")) != NULL;
        } else {
            code = read_line(input, line, kernel, &seen, error);
            if (code < 0) {
                return code;
            }
        }
        gm_input_advance(input);
    }
    if (code < 0) {
        return code;
    }
    kernel->version = kernel->tracer_version[0] == '\0' ? 0 : kernel->tracer_version[0] - '0';
    if (!has_format) {
        kernel->has_immediate = kernel->version >= 5;
    }
    code = check(input, kernel, error);
    return code < 0 ? code : has_format && !is_compact;
}
