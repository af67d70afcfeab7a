/* What a block tells the lockstep engine about itself (cosim/stimulus/NAME.c), and what the engine
 * sees of a Verilated top (cosim/verilated.cpp). Both travel in one shared object per build of the
 * RTL, which the engine loads. */
#ifndef GOLDMEM_COSIM_H
#define GOLDMEM_COSIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "goldmem/arena.h"
#include "goldmem/error.h"
#include "goldmem/ports.h"

enum {
    GM_COSIM_WORDS = 16,    /* 64-bit words of one parameter's value, at most */
    GM_COSIM_OPTIONS = 320, /* characters of a configuration's text */
    GM_COSIM_MUTATED = 4,   /* instances that mutants are made of, at most */
};

/* splitmix64: the same seed gives the same stimulus everywhere. */
typedef struct gm_cosim_random {
    uint64_t state;
} gm_cosim_random;

static inline uint64_t gm_cosim_random_next(gm_cosim_random *random)
{
    random->state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = random->state;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* One instance of a block: the options that a person selects it by ("sets=32 index=ipoly:37"), and
 * the RTL parameters that follow from them, in the order of the port list. */
typedef struct gm_cosim_configuration {
    char options[GM_COSIM_OPTIONS];
    uint64_t parameter[GM_PORTS_PARAMETERS][GM_COSIM_WORDS]; /* lowest word first */
} gm_cosim_configuration;

/* One instance that is built, and where: the suite "full" has all of a block's. */
typedef struct gm_cosim_instance {
    const char *options;
    bool coverage, quick; /* also in these suites */
} gm_cosim_instance;

/* A request and its response are arrays of fields, as the structs of goldmem/ports.h. */
typedef struct gm_cosim_block {
    const gm_ports *ports;
    const gm_cosim_instance *instances;
    size_t instance_count;
    /* What mutants are made of; without any: the first instance of "coverage". */
    const char *mutation[GM_COSIM_MUTATED];
    /* Instead of the table, for instances that are computed: calls add for the options of each
     * instance of a suite, "quick", "full" or "coverage". */
    void (*suite)(const char *name, void (*add)(void *context, const char *options), void *context);
    /* Options (what is missing takes its default) to a configuration, with all options spelt. */
    int (*configure)(const char *options, gm_cosim_configuration *configuration, gm_error *error);
    /* The C model, its state taken from the arena. */
    size_t arena_bytes;
    int (*init)(const gm_cosim_configuration *configuration, gm_arena *arena, void **model,
                gm_error *error);
    /* `count` transactions, one after the other. */
    void (*access)(void *model, const uint64_t *request, uint64_t *response, size_t count);
    /* One part of the state; false when it does not count (a field of an invalid entry). NULL for a
     * block without state. */
    bool (*view)(const void *model, unsigned element, uint64_t row, uint64_t lane, uint64_t *value);
    /* The next `count` requests. */
    void (*stimulus)(const gm_cosim_configuration *configuration, gm_cosim_random *random,
                     uint64_t *request, size_t count);
    /* What a request works on (a set, a warp), for the history in a report; may be NULL. */
    uint64_t (*subject)(const gm_cosim_configuration *configuration, const uint64_t *request);
} gm_cosim_block;

extern const gm_cosim_block gm_cosim_block_here; /* in cosim/stimulus/NAME.c */

/* A block's `access`, access_all, from its transaction gm_NAME_access(model, request). */
#define GM_COSIM_ACCESS_ALL(name)                                                                  \
    static void access_all(void *model, const uint64_t *request, uint64_t *response, size_t count) \
    {                                                                                              \
        const gm_##name##_request *requests = (const void *)request;                               \
        gm_##name##_response *responses = (void *)response;                                        \
        for (size_t i = 0; i < count; i++) {                                                       \
            responses[i] = gm_##name##_access(model, requests[i]);                                 \
        }                                                                                          \
    }

/* Value of `name` in "name=value name=value", as a number or as text; false when it is not there.
 */
bool gm_cosim_option(const char *options, const char *name, char *value, size_t size);
int gm_cosim_option_number(const char *options, const char *name, uint64_t fallback,
                           uint64_t *value, gm_error *error);

/* The values of names[0] to names[numbers - 1], or their fallbacks; one beyond 32 bits becomes
 * UINT32_MAX, which is outside every range, too. Fails when `options` names anything but the
 * `known` names. */
int gm_cosim_options_numbers(const char *options, const char *const *names, size_t known,
                             const uint64_t *fallback, size_t numbers, uint64_t *value,
                             gm_error *error);

/* Fails when `options` names anything but the `count` names in `known`. */
int gm_cosim_options_known(const char *options, const char *const *known, size_t count,
                           gm_error *error);

/* A Verilated top: `lanes` instances of the block side by side, each port an array over them.
 * Inputs are written between evaluations; outputs hold after one. */
typedef struct gm_cosim_dut {
    void *top;
    unsigned lanes;
    uint8_t *clk, *rst_n;
    uint8_t *request_valid, *response_ready;       /* inputs, by lane */
    const uint8_t *request_ready, *response_valid; /* outputs, by lane */
    uint64_t *request[GM_PORTS_FIELDS];            /* inputs, by field and lane */
    const uint64_t *response[GM_PORTS_FIELDS];     /* outputs, by field and lane */
    uint32_t *mutant;                              /* which mutant is on; NULL: none built */
    char assertion[512];                           /* text of the first one that fired */
} gm_cosim_dut;

/* What the shared object exports, as gm_cosim_plugin. */
typedef struct gm_cosim_plugin_table {
    const gm_cosim_block *block;
    unsigned lanes;
    const char *const *options; /* of each lane */
    const char *module;         /* the RTL module under test */
    gm_cosim_dut *(*open)(void);
    void (*close)(gm_cosim_dut *dut);
    void (*eval)(gm_cosim_dut *dut);
    /* Reads one part of the RTL's state; -ENOENT when it has no such element. */
    int (*state)(gm_cosim_dut *dut, unsigned lane, const char *element, uint64_t row, uint64_t lsb,
                 uint64_t width, uint64_t *value);
    /* Waveform to an FST file from now on, a dump per call of eval; path NULL: ends it. */
    int (*trace)(gm_cosim_dut *dut, const char *path);
    /* Coverage counts as Verilator writes them. */
    void (*coverage)(gm_cosim_dut *dut, const char *path);
} gm_cosim_plugin_table;

/* The one symbol that the shared object exports. */
const gm_cosim_plugin_table *gm_cosim_plugin(void);

#ifdef __cplusplus
}
#endif

#endif
