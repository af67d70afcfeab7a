/* set_index in lockstep: instances and stimulus. Patterns of addresses: random, strides (the
 * paper's conflict cases), one bit set, all ones, neighbours of the last line, and tag and index
 * swept at the ends of their ranges. */
#include "cosim.h"

#include "goldmem/bits.h"
#include "goldmem/gf2.h"
#include "goldmem/set_index.h"
#include "stimulus/index_lines.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { LINE_BITS = 7, REQUEST_FIELDS = 4 };

static unsigned log2_sets(uint64_t sets)
{
    return gm_is_power_of_two(sets) ? gm_log2_floor(sets) : 0;
}

static int parse(const char *options, gm_set_index *function, uint64_t *sets,
                 uint64_t *address_bits, char *index, gm_error *error)
{
    static const char *const known[] = {"sets", "index", "address_bits"};
    int code = gm_cosim_options_known(options, known, 3, error);
    if (code == 0) {
        code = gm_cosim_option_number(options, "sets", 32, sets, error);
    }
    if (code == 0) {
        code = gm_cosim_option_number(options, "address_bits", 49, address_bits, error);
    }
    if (code < 0) {
        return code;
    }
    if (!gm_cosim_option(options, "index", index, GM_COSIM_OPTIONS / 2)) {
        memcpy(index, "ipoly", sizeof "ipoly");
    }
    if (*address_bits <= LINE_BITS || *address_bits > 64 + LINE_BITS || log2_sets(*sets) == 0 ||
        log2_sets(*sets) > GM_SET_INDEX_BITS || *address_bits - LINE_BITS <= log2_sets(*sets)) {
        return gm_fail(error, -EINVAL,
                       "sets=%llu address_bits=%llu: the RTL takes 2 to 65536 sets, a power of "
                       "two, and at least one tag bit above 7 line-offset bits",
                       (unsigned long long)*sets, (unsigned long long)*address_bits);
    }
    code = gm_set_index_parse(function, index, *sets, (unsigned)(*address_bits - LINE_BITS), error);
    if (code == 0 && !gm_set_index_is_linear(function)) {
        return gm_fail(error, -EINVAL, "index=%s: not a matrix over GF(2), so it has no RTL",
                       index);
    }
    return code;
}

static int configure(const char *options, gm_cosim_configuration *configuration, gm_error *error)
{
    gm_set_index function = {0};
    uint64_t sets = 0;
    uint64_t address_bits = 0;
    char index[GM_COSIM_OPTIONS / 2];
    int code = parse(options, &function, &sets, &address_bits, index, error);
    if (code < 0) {
        return code;
    }
    memset(configuration, 0, sizeof *configuration);
    snprintf(configuration->options, sizeof configuration->options,
             "sets=%llu index=%s address_bits=%llu", (unsigned long long)sets, index,
             (unsigned long long)address_bits);
    set_index_parameters(configuration, &function);
    return 0;
}

static int init(const gm_cosim_configuration *configuration, gm_arena *arena, void **model,
                gm_error *error)
{
    uint64_t sets = 0;
    uint64_t address_bits = 0;
    char index[GM_COSIM_OPTIONS / 2];
    gm_set_index *function = gm_arena_take(arena, 1, sizeof *function);
    *model = function;
    return function == NULL
               ? gm_fail(error, -ENOMEM, "set_index: the arena is full")
               : parse(configuration->options, function, &sets, &address_bits, index, error);
}

GM_COSIM_ACCESS_ALL(set_index)

/* Lists the irreducible polynomials of a degree, at most the first `most`. */
static void add_polynomials(unsigned degree, unsigned most, unsigned address_bits,
                            void (*add)(void *, const char *), void *context)
{
    for (uint32_t p = (UINT32_C(1) << degree) + 1; p < UINT32_C(2) << degree && most > 0; p += 2) {
        if (gm_gf2_factor(p) == 0) {
            char options[GM_COSIM_OPTIONS];
            snprintf(options, sizeof options, "sets=%u index=ipoly:%u address_bits=%u",
                     1u << degree, p, address_bits);
            add(context, options);
            most--;
        }
    }
}

/* Suites. quick: a few functions of each kind; coverage: one of each kind; full: 4 to 4096 sets,
 * every irreducible polynomial, 32- and 49-bit addresses, and every other matrix function. */
static void suite(const char *name, void (*add)(void *, const char *), void *context)
{
    static const char *const other[] = {"sequential", "xor", "fold"};
    static const unsigned address_bits[] = {32, 49};
    bool full = strcmp(name, "full") == 0;
    if (strcmp(name, "coverage") == 0) {
        add(context, "sets=32 index=ipoly:37 address_bits=32");
        add(context, "sets=16 index=xor address_bits=32");
        return;
    }
    if (!full && strcmp(name, "quick") != 0) {
        return;
    }
    for (unsigned a = 0; a < 2; a++) {
        for (unsigned degree = 2; degree <= 12; degree++) {
            add_polynomials(degree, full ? UINT32_MAX : 2, address_bits[a], add, context);
            for (unsigned i = 0; i < 3 && (full || degree == 5); i++) {
                char options[GM_COSIM_OPTIONS];
                snprintf(options, sizeof options, "sets=%u index=%s address_bits=%u", 1u << degree,
                         other[i], address_bits[a]);
                add(context, options);
            }
        }
        add(context,
            a == 0 ? "sets=32 index=fermi address_bits=32" : "sets=32 index=fermi address_bits=49");
    }
    if (full) {
        add(context, "sets=64 index=fermi address_bits=49");
    }
    add(context, "sets=2 index=ipoly:3 address_bits=49");
    add(context, "sets=65536 index=ipoly address_bits=64");
}

static uint64_t next_line(unsigned pattern, uint64_t stride, uint64_t last, uint64_t random)
{
    switch (pattern) {
    case 0:
        return last + stride;
    case 1:
        return UINT64_C(1) << (random % 64);
    case 2:
        return ~(UINT64_C(1) << (random % 64));
    case 3:
        return last ^ (UINT64_C(1) << (random % 64));
    case 4:
        return random & 1 ? UINT64_MAX : 0;
    default:
        return random;
    }
}

static void stimulus(const gm_cosim_configuration *configuration, gm_cosim_random *random,
                     gm_cosim_plan *plan, uint64_t *request, size_t count)
{
    (void)plan;
    unsigned line_bits = (unsigned)configuration->parameter[0][0];
    unsigned index_bits = (unsigned)configuration->parameter[1][0];
    uint64_t choice = gm_cosim_random_next(random);
    unsigned pattern = (unsigned)(choice & 7);
    uint64_t stride = UINT64_C(1) << (choice >> 8) % line_bits;
    uint64_t op_mask = choice >> 16 & 3; /* forward only, half each, inverse only, half each */
    uint64_t line = gm_cosim_random_next(random);
    for (size_t i = 0; i < count; i++) {
        uint64_t value = gm_cosim_random_next(random);
        line = next_line(pattern, stride, line, value) & gm_mask(line_bits);
        uint64_t other = line ^ value >> 7; /* for the fields that the operation does not take */
        bool inverse = op_mask == 2 || ((op_mask & 1) != 0 && (value >> 9 & 1) != 0);
        uint64_t *fields = request + i * REQUEST_FIELDS;
        fields[0] = inverse;
        fields[1] = (inverse ? other : line) & gm_mask(line_bits);
        fields[2] = (inverse ? line : other) >> index_bits & gm_mask(line_bits - index_bits);
        fields[3] = (inverse ? line : other) & gm_mask(index_bits);
    }
}

/* Returns the set of an address. Builds the function for each call, since only reports call it. */
static uint64_t subject(const gm_cosim_configuration *configuration, const uint64_t *request)
{
    const gm_set_index_request *fields = (const void *)request;
    gm_set_index function = {0};
    uint64_t sets = 0;
    uint64_t address_bits = 0;
    char index[GM_COSIM_OPTIONS / 2];
    gm_error error;
    if (fields->op != 0 ||
        parse(configuration->options, &function, &sets, &address_bits, index, &error) < 0) {
        return fields->index;
    }
    return gm_set_index_of(&function, fields->line);
}

const gm_cosim_block gm_cosim_block_here = {
    .ports = &gm_set_index_ports,
    .suite = suite,
    .configure = configure,
    .arena_bytes = sizeof(gm_set_index) + 64,
    .init = init,
    .access = access_all,
    .stimulus = stimulus,
    .self_check = 16384,
    .subject = subject,
};
