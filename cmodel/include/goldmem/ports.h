/* Port lists: one X-macro header per block (include/goldmem/ports/NAME.h) generates its C structs
 * and constants, the constants of its RTL (rtl/NAME_constants.svh), and the table of its ports for
 * the lockstep checker, the SystemC and the DPI adapters.
 *
 *   #define GM_NAME_PARAMETERS(PARAMETER) PARAMETER(Name, width, default, "what it is") ...
 *   #define GM_NAME_DERIVED(DERIVED)      DERIVED(Name, formula, "what it is") ...
 *   #define GM_NAME_REQUEST(FIELD)        FIELD(name, width, "what it is") ...
 *   #define GM_NAME_RESPONSE(FIELD)       FIELD(name, width, "what it is") ...
 *   #define GM_NAME_CONSTANTS(CONSTANT)   CONSTANT(field, GM_NAME_X, value, "what it is") ...
 *   #define GM_NAME_STATE(STATE)          STATE(name, width, lanes, rows, "what it is") ...
 *
 * A parameter keeps its name in SystemVerilog. Its width is in bits: up to 64 it is a number
 * that the widths of ports may use, above that a flat vector (a matrix). Every field, at most 64
 * bits wide, is one uint64_t of its struct, so a struct is also an array of its fields.
 * A derived number follows from parameters by a formula that is both C and SystemVerilog, where
 * gm_log2_ceil is $clog2; widths of ports may use it, and it is a localparam in SystemVerilog.
 * A constant is a value of the field that it names; C has it as an enumeration constant,
 * SystemVerilog as the localparam X of the field's width. A state element has `rows` words of
 * `lanes` equal parts; in the RTL it is the memory of the SRAM instance u_NAME, or, when it has one
 * row, the block's own register NAME_q, made public to Verilator for reading. Elements MEMORY.FIELD
 * are the fields of a word of one memory, u_MEMORY: the port list has them in order, the highest
 * first; a field of 0 lanes is not there. A block without state defines GM_NAME_STATE(STATE) as
 * nothing. */
#ifndef GOLDMEM_PORTS_H
#define GOLDMEM_PORTS_H

#include "goldmem/bits.h"
#include "goldmem/observer.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    GM_PORTS_PARAMETERS = 20, /* of one block, at most */
    GM_PORTS_FIELDS = 24,     /* of a request or a response, at most */
    GM_PORTS_STATES = 16,     /* elements of state, at most */
};

typedef struct gm_port_parameter {
    const char *name;
    const char *width; /* as the port list has it: C and SystemVerilog both read it */
    uint64_t value;    /* default */
    const char *what;
} gm_port_parameter;

typedef struct gm_port_derived {
    const char *name;
    const char *formula;
    const char *what;
} gm_port_derived;

typedef struct gm_port {
    const char *name;
    const char *width;
    const char *what;
} gm_port;

typedef struct gm_port_constant {
    const char *field, *name;
    uint64_t value;
    const char *what;
} gm_port_constant;

typedef struct gm_port_state {
    const char *name;
    const char *width, *lanes, *rows;
    const char *what;
} gm_port_state;

/* The numbers that follow from the values of the parameters. */
typedef struct gm_port_shape {
    uint64_t parameter[GM_PORTS_PARAMETERS]; /* widths, in bits */
    uint64_t request[GM_PORTS_FIELDS], response[GM_PORTS_FIELDS];
    struct {
        uint64_t width, lanes, rows;
    } state[GM_PORTS_STATES];
} gm_port_shape;

typedef struct gm_ports {
    const char *block;
    /* the number of elements of each */
    unsigned parameters, derivations, requests, responses, constants, states;
    const gm_port_parameter *parameter;
    const gm_port_derived *derived;
    const gm_port *request, *response;
    const gm_port_constant *constant;
    const gm_port_state *state;
    void (*shape)(const uint64_t *parameter, gm_port_shape *shape);
} gm_ports;

/* The structs gm_NAME_request and gm_NAME_response, and the constants; NAME is the upper-case name.
 */
#define GM_PORTS_MEMBER(name, width, what)             uint64_t name;
#define GM_PORTS_ENUMERATOR(field, name, number, what) name = (number),
#define GM_PORTS_STRUCTS(lower, UPPER)                                                             \
    typedef struct gm_##lower##_request {                                                          \
        GM_##UPPER##_REQUEST(GM_PORTS_MEMBER)                                                      \
    } gm_##lower##_request;                                                                        \
    typedef struct gm_##lower##_response {                                                         \
        GM_##UPPER##_RESPONSE(GM_PORTS_MEMBER)                                                     \
    } gm_##lower##_response;                                                                       \
    enum { GM_##UPPER##_CONSTANTS(GM_PORTS_ENUMERATOR) };                                          \
    extern const gm_ports gm_##lower##_ports;                                                      \
    /* Gives the observer copies, so that the caller's structs can stay in registers. */           \
    static inline void gm_##lower##_tell(                                                          \
        const gm_observer *observer, gm_##lower##_request request, gm_##lower##_response response) \
    {                                                                                              \
        observer->call(observer->context, (const uint64_t *)&request,                              \
                       (const uint64_t *)&response);                                               \
    }

/* The table gm_NAME_ports; used once per block, in a C file that has the structs. */
#define GM_PORTS_PARAMETER(name, width, value, what)       {#name, #width, value, what},
#define GM_PORTS_DERIVED(name, formula, what)              {#name, #formula, what},
#define GM_PORTS_FIELD(name, width, what)                  {#name, #width, what},
#define GM_PORTS_CONSTANT(field, name, number, what)       {#field, #name, number, what},
#define GM_PORTS_STATE(name, width, lanes, rows, what)     {#name, #width, #lanes, #rows, what},
#define GM_PORTS_VALUE(name, width, value, what)           const uint64_t name = *parameter++;
#define GM_PORTS_DERIVE(name, formula, what)               const uint64_t name = (formula);
#define GM_PORTS_USED(name, ...)                           (void)(name);
#define GM_PORTS_PARAMETER_WIDTH(name, width, value, what) shape->parameter[n++] = (width);
#define GM_PORTS_REQUEST_WIDTH(name, width, what)          shape->request[n++] = (width);
#define GM_PORTS_RESPONSE_WIDTH(name, width, what)         shape->response[n++] = (width);
#define GM_PORTS_STATE_SHAPE(name, bits, parts, words, what)                                       \
    shape->state[n].width = (bits);                                                                \
    shape->state[n].lanes = (parts);                                                               \
    shape->state[n++].rows = (words);

#define GM_PORTS_TABLE(lower, UPPER)                                                               \
    static const gm_port_parameter lower##_parameters[] = {                                        \
        GM_##UPPER##_PARAMETERS(GM_PORTS_PARAMETER){NULL, NULL, 0, NULL}};                         \
    static const gm_port_derived lower##_derived[] = {                                             \
        GM_##UPPER##_DERIVED(GM_PORTS_DERIVED){NULL, NULL, NULL}};                                 \
    static const gm_port lower##_request[] = {                                                     \
        GM_##UPPER##_REQUEST(GM_PORTS_FIELD){NULL, NULL, NULL}};                                   \
    static const gm_port lower##_response[] = {                                                    \
        GM_##UPPER##_RESPONSE(GM_PORTS_FIELD){NULL, NULL, NULL}};                                  \
    static const gm_port_constant lower##_constant[] = {                                           \
        GM_##UPPER##_CONSTANTS(GM_PORTS_CONSTANT){NULL, NULL, 0, NULL}};                           \
    static const gm_port_state lower##_state[] = {                                                 \
        GM_##UPPER##_STATE(GM_PORTS_STATE){NULL, NULL, NULL, NULL, NULL}};                         \
    enum {                                                                                         \
        lower##_parameter_count = sizeof lower##_parameters / sizeof *lower##_parameters - 1,      \
        lower##_derived_count = sizeof lower##_derived / sizeof *lower##_derived - 1,              \
        lower##_request_count = sizeof lower##_request / sizeof *lower##_request - 1,              \
        lower##_response_count = sizeof lower##_response / sizeof *lower##_response - 1,           \
        lower##_constant_count = sizeof lower##_constant / sizeof *lower##_constant - 1,           \
        lower##_state_count = sizeof lower##_state / sizeof *lower##_state - 1,                    \
    };                                                                                             \
    _Static_assert((unsigned)lower##_parameter_count <= GM_PORTS_PARAMETERS &&                     \
                       (unsigned)lower##_request_count <= GM_PORTS_FIELDS &&                       \
                       (unsigned)lower##_response_count <= GM_PORTS_FIELDS &&                      \
                       (unsigned)lower##_state_count <= GM_PORTS_STATES,                           \
                   "port list of " #lower);                                                        \
    static void lower##_shape(const uint64_t *parameter, gm_port_shape *shape)                     \
    {                                                                                              \
        GM_##UPPER##_PARAMETERS(GM_PORTS_VALUE) GM_##UPPER##_DERIVED(GM_PORTS_DERIVE)              \
            GM_##UPPER##_PARAMETERS(GM_PORTS_USED)                                                 \
                GM_##UPPER##_DERIVED(GM_PORTS_USED) unsigned n = 0;                                \
        GM_##UPPER##_PARAMETERS(GM_PORTS_PARAMETER_WIDTH) n = 0;                                   \
        GM_##UPPER##_REQUEST(GM_PORTS_REQUEST_WIDTH) n = 0;                                        \
        GM_##UPPER##_RESPONSE(GM_PORTS_RESPONSE_WIDTH) n = 0;                                      \
        GM_##UPPER##_STATE(GM_PORTS_STATE_SHAPE)(void) n;                                          \
    }                                                                                              \
    const gm_ports gm_##lower##_ports = {                                                          \
        .block = #lower,                                                                           \
        .parameters = lower##_parameter_count,                                                     \
        .derivations = lower##_derived_count,                                                      \
        .requests = lower##_request_count,                                                         \
        .responses = lower##_response_count,                                                       \
        .constants = lower##_constant_count,                                                       \
        .states = lower##_state_count,                                                             \
        .parameter = lower##_parameters,                                                           \
        .derived = lower##_derived,                                                                \
        .request = lower##_request,                                                                \
        .response = lower##_response,                                                              \
        .constant = lower##_constant,                                                              \
        .state = lower##_state,                                                                    \
        .shape = lower##_shape,                                                                    \
    };

#ifdef __cplusplus
}
#endif

#endif
