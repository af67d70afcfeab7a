/* Interfaces of the lockstep engine to a block (cosim/stimulus/NAME.c) and to a Verilated top
 * (cosim/verilated.cpp). Each build of the RTL is a shared object with both, which the engine
 * loads. */
#ifndef GOLDMEM_COSIM_COSIM_H
#define GOLDMEM_COSIM_COSIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "goldmem/arena.h"
#include "goldmem/error.h"
#include "goldmem/ports.h"

enum {
    GM_COSIM_WORDS = 16,    /* 64-bit words of a parameter's value, at most */
    GM_COSIM_OPTIONS = 320, /* characters of a configuration's text */
    GM_COSIM_MUTATED = 4,   /* instances that mutants are made of, at most */
    GM_COSIM_GOALS = 32,    /* goals of an instance, at most */
    GM_COSIM_PLAN = 8,      /* words that a stimulus keeps */
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

/* The configuration of one instance: the options that select it ("sets=32 index=ipoly:37"), and the
 * RTL parameters that follow from them, in the order of the port list. */
typedef struct gm_cosim_configuration {
    char options[GM_COSIM_OPTIONS];
    uint64_t parameter[GM_PORTS_PARAMETERS][GM_COSIM_WORDS]; /* lowest word first */
} gm_cosim_configuration;

/* An instance to build, and its suites: the suite "full" has all instances of a block. */
typedef struct gm_cosim_instance {
    const char *options;
    bool coverage, quick; /* also in these suites */
} gm_cosim_instance;

/* What the stimulus of an instance keeps from batch to batch; zeros after each reset, but for the
 * episode's number. */
typedef struct gm_cosim_plan {
    uint64_t episode;
    uint64_t word[GM_COSIM_PLAN];
} gm_cosim_plan;

/* A directed sequence of requests, longer than a batch. */
typedef struct gm_cosim_tape {
    uint64_t *request;
    size_t fields; /* words of a request */
    size_t size;   /* requests that it holds */
    size_t length; /* requests that were put, the ones beyond its size included */
} gm_cosim_tape;

static inline void gm_cosim_tape_put(gm_cosim_tape *tape, const void *request)
{
    if (tape->length < tape->size) {
        memcpy(tape->request + tape->length * tape->fields, request,
               tape->fields * sizeof(uint64_t));
    }
    tape->length++;
}

/* What requests of an instance must meet in the state of the model (cosim/self_check.c): each bit
 * of `bits` once. */
typedef struct gm_cosim_goal {
    /* Of a limit: "all entries are in use and one more is requested"; with several bits each has a
     * number: "way in use". Of a stored field: its name. */
    const char *name;
    bool differs;  /* a stored field: bit b is met when a request differs from a value in bit b only
                    */
    uint64_t bits; /* 0: not demanded here. Goals of one name continue each other's bits. */
} gm_cosim_goal;

/* A request and its response are arrays of fields, as the structs of goldmem/ports.h. */
typedef struct gm_cosim_block {
    const gm_ports *ports;
    const gm_cosim_instance *instances;
    size_t instance_count;
    /* Options of the instances that mutants are made of; none: the first instance of "coverage". */
    const char *mutation[GM_COSIM_MUTATED];
    /* Replaces the table if instances are computed: calls `add` with the options of each instance
     * of suite `name`: "quick", "full" or "coverage". */
    void (*suite)(const char *name, void (*add)(void *context, const char *options), void *context);
    /* Makes a configuration, with all options spelt out, from `options`; missing ones get defaults.
     */
    int (*configure)(const char *options, gm_cosim_configuration *configuration, gm_error *error);
    /* Makes the C model, with its state in the arena. */
    size_t arena_bytes;
    int (*init)(const gm_cosim_configuration *configuration, gm_arena *arena, void **model,
                gm_error *error);
    /* Does `count` transactions in sequence. */
    void (*access)(void *model, const uint64_t *request, uint64_t *response, size_t count);
    /* Reads one element of the state. Returns false for a don't-care (a field of an invalid entry).
     * NULL for a block without state. */
    bool (*view)(const void *model, unsigned element, uint64_t row, uint64_t lane, uint64_t *value);
    /* Makes the next `count` requests. */
    void (*stimulus)(const gm_cosim_configuration *configuration, gm_cosim_random *random,
                     gm_cosim_plan *plan, uint64_t *request, size_t count);
    /* Puts the requests that bring every table and counter to its limit and one past, from the
     * reset on; every other episode begins with them (limits.c). `round` counts these episodes.
     * NULL: none. */
    void (*limits)(const gm_cosim_configuration *configuration, uint64_t round,
                   gm_cosim_tape *tape);
    /* The self-check applies to an instance that has at least so many transactions. */
    uint64_t self_check;
    /* Returns the rounds of `limits` that go through all elements of an instance: the self-check
     * applies to it from then on. NULL: one round is enough. */
    uint64_t (*walk)(const gm_cosim_configuration *configuration);
    /* Writes the goals of an instance. Returns their number. NULL: none. */
    unsigned (*goals)(const gm_cosim_configuration *configuration, gm_cosim_goal *goal);
    /* Returns why goal i has no bits in an instance that has such a limit or field: a run tells it;
     * NULL: the instance has none. NULL in the block: every goal is demanded where it exists. */
    const char *(*undemanded)(const gm_cosim_configuration *configuration, unsigned i);
    /* Called before the transaction: sets in met[i] the bits of goal i that the request meets in
     * the model's state. */
    void (*meet)(const gm_cosim_configuration *configuration, const void *model,
                 const uint64_t *request, uint64_t *met);
    /* Returns why bits of a request's field are 0 in every request of the instance, and sets them
     * in *bits; NULL: every bit takes both values. NULL in the block: none has such bits. */
    const char *(*stuck)(const gm_cosim_configuration *configuration, unsigned field,
                         uint64_t *bits);
    /* Returns what a request is for (a set, a warp), for the history in a report; may be NULL. */
    uint64_t (*subject)(const gm_cosim_configuration *configuration, const uint64_t *request);
} gm_cosim_block;

extern const gm_cosim_block gm_cosim_block_here; /* in cosim/stimulus/NAME.c */

/* Defines a block's `init`, and `parse_valid`, with which `configure` refuses the options that the
 * block refuses: it parses them and makes and drops a model. `state` is the model's type, `bytes`
 * the arena of the largest one. Requires parse(options, parameters, error) and
 * gm_NAME_init(model, parameters, arena, error). */
#define GM_COSIM_MODEL(name, state, bytes)                                                         \
    static int init(const gm_cosim_configuration *configuration, gm_arena *arena, void **model,    \
                    gm_error *error)                                                               \
    {                                                                                              \
        gm_##name##_parameters parameters;                                                         \
        void *made = gm_arena_take(arena, 1, sizeof(state));                                       \
        *model = made;                                                                             \
        int code = parse(configuration->options, &parameters, error);                              \
        if (code == 0 && made == NULL) {                                                           \
            code = gm_fail(error, -ENOMEM, #name ": the arena is full");                           \
        }                                                                                          \
        return code < 0 ? code : gm_##name##_init(made, &parameters, arena, error);                \
    }                                                                                              \
                                                                                                   \
    static int parse_valid(const char *options, gm_##name##_parameters *parameters,                \
                           gm_error *error)                                                        \
    {                                                                                              \
        gm_arena arena;                                                                            \
        int code = parse(options, parameters, error);                                              \
        if (code == 0) {                                                                           \
            code = gm_arena_create(&arena, sizeof(state) + (bytes), error);                        \
        }                                                                                          \
        if (code < 0) {                                                                            \
            return code;                                                                           \
        }                                                                                          \
        void *made = gm_arena_take(&arena, 1, sizeof(state));                                      \
        code = gm_##name##_init(made, parameters, &arena, error);                                  \
        gm_arena_free(&arena);                                                                     \
        return code;                                                                               \
    }

/* As GM_COSIM_MODEL, for a block whose struct gm_NAME holds the whole state: requires
 * gm_NAME_init(model, parameters, error). */
#define GM_COSIM_MODEL_IN_STRUCT(name)                                                             \
    static int init(const gm_cosim_configuration *configuration, gm_arena *arena, void **model,    \
                    gm_error *error)                                                               \
    {                                                                                              \
        gm_##name##_parameters parameters;                                                         \
        gm_##name *made = gm_arena_take(arena, 1, sizeof *made);                                   \
        *model = made;                                                                             \
        int code = parse(configuration->options, &parameters, error);                              \
        if (code == 0 && made == NULL) {                                                           \
            code = gm_fail(error, -ENOMEM, #name ": the arena is full");                           \
        }                                                                                          \
        return code < 0 ? code : gm_##name##_init(made, &parameters, error);                       \
    }                                                                                              \
                                                                                                   \
    static int parse_valid(const char *options, gm_##name##_parameters *parameters,                \
                           gm_error *error)                                                        \
    {                                                                                              \
        gm_##name dropped;                                                                         \
        int code = parse(options, parameters, error);                                              \
        return code < 0 ? code : gm_##name##_init(&dropped, parameters, error);                    \
    }

/* Defines a block's `access`, access_all, from its transaction gm_NAME_access(model, request). */
#define GM_COSIM_ACCESS_ALL(name)                                                                  \
    static void access_all(void *model, const uint64_t *request, uint64_t *response, size_t count) \
    {                                                                                              \
        const gm_##name##_request *requests = (const void *)request;                               \
        gm_##name##_response *responses = (void *)response;                                        \
        for (size_t i = 0; i < count; i++) {                                                       \
            responses[i] = gm_##name##_access(model, requests[i]);                                 \
        }                                                                                          \
    }

/* Reads the value of `name` in "name=value name=value" as text. Returns false if it is absent. The
 * second function reads a number, `fallback` if `name` is absent. */
bool gm_cosim_option(const char *options, const char *name, char *value, size_t size);
int gm_cosim_option_number(const char *options, const char *name, uint64_t fallback,
                           uint64_t *value, gm_error *error);

/* Reads the values of names[0] to names[numbers - 1], or their fallbacks. A value beyond 32 bits
 * becomes UINT32_MAX, which is outside every range too. Fails if `options` has a name that is not
 * among the `known` names. */
int gm_cosim_options_numbers(const char *options, const char *const *names, size_t known,
                             const uint64_t *fallback, size_t numbers, uint64_t *value,
                             gm_error *error);

/* Reads the parameters of a port list: names[i] is the option of parameter i, and its default
 * holds where the option is absent. A value beyond 32 bits becomes UINT32_MAX. Fails if `options`
 * has another name. */
int gm_cosim_options_parameters(const char *options, const gm_ports *ports,
                                const char *const *names, uint64_t *value, gm_error *error);

/* Fails if `options` has a name that is not among the `count` names in `known`. */
int gm_cosim_options_known(const char *options, const char *const *known, size_t count,
                           gm_error *error);

/* A Verilated top: `lanes` instances of the block; each port but the clock is an array with an
 * element for each instance. Inputs are written between evaluations; outputs are valid after an
 * evaluation. */
typedef struct gm_cosim_dut {
    void *top;
    unsigned lanes;
    uint8_t *clk;
    uint8_t *rst_n;                                /* input, by lane */
    uint8_t *request_valid, *response_ready;       /* inputs, by lane */
    const uint8_t *request_ready, *response_valid; /* outputs, by lane */
    uint64_t *request[GM_PORTS_FIELDS];            /* inputs, by field and lane */
    const uint64_t *response[GM_PORTS_FIELDS];     /* outputs, by field and lane */
    uint32_t *mutant;                              /* the active mutant; NULL: no mutants built */
    char assertion[512];                           /* text of the first that fired */
} gm_cosim_dut;

/* The interface of the shared object, returned by gm_cosim_plugin. */
typedef struct gm_cosim_plugin_table {
    const gm_cosim_block *block;
    unsigned lanes;
    const char *const *options; /* of each lane */
    const char *module;         /* the RTL module under test */
    bool has_state;             /* its state is the port list's; false for a user's own module */
    gm_cosim_dut *(*open)(uint64_t seed);
    void (*close)(gm_cosim_dut *dut);
    /* Replaces the top by a new one, whose registers, memories and inputs hold random values: one
     * seed gives one set of values. `open` does so too. Moves the pointers in `dut` to the new top
     * and ends its waveform. */
    void (*power_up)(gm_cosim_dut *dut, uint64_t seed);
    /* Coverage counts from here on, further from what the tops before this one have counted: what
     * a top does before its first reset counts nothing. */
    void (*count)(gm_cosim_dut *dut);
    void (*eval)(gm_cosim_dut *dut);
    /* Reads one element of the RTL's state. Returns -ENOENT if the RTL has no such element. */
    int (*state)(gm_cosim_dut *dut, unsigned lane, const char *element, uint64_t row, uint64_t lsb,
                 uint64_t width, uint64_t *value);
    /* Starts a waveform in an FST file, with a dump per call of eval; `path` NULL ends it. */
    int (*trace)(gm_cosim_dut *dut, const char *path);
    /* Writes the coverage counts in Verilator's format. */
    void (*coverage)(gm_cosim_dut *dut, const char *path);
} gm_cosim_plugin_table;

/* The one symbol that the shared object exports. */
const gm_cosim_plugin_table *gm_cosim_plugin(void);

#ifdef __cplusplus
}
#endif

#endif
