/* Litmus tests: a few warps with a few memory operations each, and an outcome that a protocol must
 * never show, or that it may show. A file has one test (docs/litmus.md has the format). */
#ifndef GOLDMEM_COSIM_EXPLORE_LITMUS_H
#define GOLDMEM_COSIM_EXPLORE_LITMUS_H

#include "goldmem/error.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    LITMUS_SMS = 4,
    LITMUS_WARPS = 6,      /* of a test, at most */
    LITMUS_OPERATIONS = 8, /* of a warp, at most */
    LITMUS_LINES = 3,      /* x, y, z */
    LITMUS_WORDS = 2,      /* of a line: x0, x1 */
    LITMUS_REGISTERS = 4,  /* r0 to r3; `_`: the last, which no condition names */
    LITMUS_TERMS = 8,      /* of a condition, at most */
};

typedef enum litmus_kind {
    LITMUS_LOAD,
    LITMUS_LOAD_BYPASS, /* of a load that bypasses the L1 */
    LITMUS_STORE,
    LITMUS_ATOMIC, /* exchange: writes the value, returns the old one */
    LITMUS_FENCE,
    LITMUS_BARRIER, /* of the CTA */
} litmus_kind;

typedef struct litmus_operation {
    litmus_kind kind;
    uint8_t line, word, value, target; /* target: the register of a load or an atomic */
} litmus_operation;

typedef struct litmus_warp {
    uint8_t sm, cta, count;
    litmus_operation operation[LITMUS_OPERATIONS];
} litmus_warp;

/* A term: register `target` of a warp, or the last value of a word, has a value. */
typedef struct litmus_term {
    bool is_register;
    uint8_t warp, target, line, word, value;
} litmus_term;

typedef enum litmus_protocol {
    LITMUS_TCW,
    LITMUS_TCS,
    LITMUS_TCW_VISIBLE,
    LITMUS_PROTOCOLS,
} litmus_protocol;

typedef struct litmus_test {
    char name[64];
    uint8_t warps, terms;
    litmus_warp warp[LITMUS_WARPS];
    litmus_term term[LITMUS_TERMS];  /* all of them hold in the outcome */
    bool may[LITMUS_PROTOCOLS];      /* else: never */
    bool expected[LITMUS_PROTOCOLS]; /* the file names the protocol */
    /* Bounds of the exploration; 0: the default. */
    uint8_t time_bits, life, l1_slots, l2_slots;
} litmus_test;

/* Returns "tcw", "tcs", "tcw+visible". */
const char *litmus_protocol_name(litmus_protocol protocol);

/* Reads a test. Returns 0; -ENOENT and the like; -EINVAL, which names file, line and word. */
int litmus_read(const char *path, litmus_test *test, gm_error *error);

#endif
