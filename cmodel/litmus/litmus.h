/* Litmus tests: a few warps with a few memory operations each, and an outcome that a protocol must
 * never show, or that it may show. Two formats: ours, and the PTX dialect of herd's .litmus files;
 * docs/litmus.md has both. */
#ifndef GOLDMEM_LITMUS_LITMUS_H
#define GOLDMEM_LITMUS_LITMUS_H

#include "goldmem/config.h"
#include "goldmem/error.h"

#include <stdbool.h>
#include <stdint.h>

/* Limits of our format, which the explorer shares. */
enum {
    GM_LITMUS_SMS = 4,
    GM_LITMUS_WARPS = 6,      /* of a test, at most */
    GM_LITMUS_OPERATIONS = 8, /* of a warp, at most */
    GM_LITMUS_LINES = 3,      /* x, y, z */
    GM_LITMUS_WORDS = 2,      /* of a line: x0, x1 */
    GM_LITMUS_REGISTERS = 4,  /* r0 to r3; `_`: the last, which no condition names */
    GM_LITMUS_TERMS = 8,      /* of a condition, at most */
};

/* Limits of any test. */
enum {
    GM_LITMUS_MOST_WARPS = 8,
    GM_LITMUS_MOST_OPERATIONS = 24,
    GM_LITMUS_MOST_LINES = 8,
    GM_LITMUS_MOST_REGISTERS = 16,
    GM_LITMUS_MOST_TERMS = 16,
    GM_LITMUS_MOST_NODES = 32,
    GM_LITMUS_NAME = 64,  /* bytes of a name, with its NUL */
    GM_LITMUS_PLACE = 24, /* bytes of a location's name */
};

typedef enum gm_litmus_kind {
    GM_LITMUS_LOAD,
    GM_LITMUS_LOAD_BYPASS, /* of a load that bypasses the L1 */
    GM_LITMUS_STORE,
    GM_LITMUS_ATOMIC,  /* exchange in our format: writes the value, returns the old one */
    GM_LITMUS_FENCE,   /* of GPU or system scope */
    GM_LITMUS_BARRIER, /* of the CTA */
    GM_LITMUS_FENCE_CTA,
    GM_LITMUS_REDUCTION, /* an atomic that returns nothing */
    GM_LITMUS_KERNEL,    /* the end of a kernel; all warps go on in the next */
} gm_litmus_kind;

/* What an atomic writes. */
typedef enum gm_litmus_action {
    GM_LITMUS_EXCHANGE, /* the value */
    GM_LITMUS_ADD,
    GM_LITMUS_SUBTRACT,
    GM_LITMUS_AND,
    GM_LITMUS_OR,
    GM_LITMUS_XOR,
    GM_LITMUS_COMPARE, /* the value if the old one equals `compared` */
} gm_litmus_action;

typedef struct gm_litmus_operation {
    gm_litmus_kind kind;
    uint8_t line, word, value, target; /* target: the register of a load or an atomic */
    uint8_t compared;
    bool strong;        /* a load with a scope of GPU or system */
    bool from_register; /* the value is that of register `source` */
    uint8_t source;
    gm_litmus_action action;
} gm_litmus_operation;

typedef struct gm_litmus_warp {
    uint8_t sm, cta, count; /* sm: our format only */
    gm_litmus_operation operation[GM_LITMUS_MOST_OPERATIONS];
    uint8_t first[GM_LITMUS_MOST_REGISTERS]; /* values of the registers at first */
} gm_litmus_warp;

typedef enum gm_litmus_compare {
    GM_LITMUS_EQUAL,
    GM_LITMUS_UNEQUAL,
    GM_LITMUS_LESS,
    GM_LITMUS_AT_MOST,
    GM_LITMUS_GREATER,
    GM_LITMUS_AT_LEAST,
} gm_litmus_compare;

/* A term: register `target` of a warp, or the last value of a word, compares with a value. */
typedef struct gm_litmus_term {
    bool is_register;
    uint8_t warp, target, line, word, value;
    gm_litmus_compare compare;
} gm_litmus_term;

typedef enum gm_litmus_node_kind {
    GM_LITMUS_IS, /* left: a term */
    GM_LITMUS_NOT,
    GM_LITMUS_BOTH,
    GM_LITMUS_EITHER,
} gm_litmus_node_kind;

/* A node of a condition; left and right: nodes before it. */
typedef struct gm_litmus_node {
    gm_litmus_node_kind kind;
    uint8_t left, right;
} gm_litmus_node;

/* Protocols and keys that a test has expectations for; the explorer knows those before
 * GM_LITMUS_EXPLORED. */
enum { GM_LITMUS_EXPLORED = 7, GM_LITMUS_PROTOCOLS = 12 };

typedef struct gm_litmus_protocol {
    const char *name; /* "tcw", "tcw+fence=cta" */
    gm_coherence_protocol protocol;
    bool visible, fence_of_cta, asks_again; /* coherence.visible, .fence=cta, .merge=lease */
} gm_litmus_protocol;

extern const gm_litmus_protocol gm_litmus_protocols[GM_LITMUS_PROTOCOLS];

typedef struct gm_litmus_test {
    char name[GM_LITMUS_NAME];
    uint8_t warps, terms, nodes, lines;
    gm_litmus_warp warp[GM_LITMUS_MOST_WARPS];
    gm_litmus_term term[GM_LITMUS_MOST_TERMS];
    gm_litmus_node node[GM_LITMUS_MOST_NODES]; /* nodes 0: all terms hold; else the last is the
                                                  condition */
    char place[GM_LITMUS_MOST_LINES][GM_LITMUS_PLACE];    /* PTX: names of the lines; else "" */
    uint8_t first[GM_LITMUS_MOST_LINES][GM_LITMUS_WORDS]; /* PTX: values at first */
    bool may[GM_LITMUS_PROTOCOLS];      /* the condition may hold at the end; else: never */
    bool expected[GM_LITMUS_PROTOCOLS]; /* the file names the protocol */
    bool placed;                        /* our format: the file names SMs */
    /* Bounds of the exploration; 0: the default. */
    uint8_t time_bits, life, l1_slots, l2_slots;
} gm_litmus_test;

/* Return the number of a protocol in gm_litmus_protocols, by name or by configuration;
 * GM_LITMUS_PROTOCOLS: none. */
unsigned gm_litmus_find_protocol(const char *name);
unsigned gm_litmus_protocol_of(const gm_config *config);

/* Reads a test of either format: a file whose first word is PTX is of the dialect. Returns 0;
 * -ENOENT and the like; -EINVAL, which names file, line and word. */
int gm_litmus_read(const char *path, gm_litmus_test *test, gm_error *error);

/* Read a test of one format from text, of which `path` is the name in messages. The text is
 * overwritten in the first. */
int gm_litmus_read_text(const char *path, char *text, gm_litmus_test *test, gm_error *error);
int gm_litmus_read_ptx(const char *path, const char *text, gm_litmus_test *test, gm_error *error);

/* True for an operation on memory, which has a place. */
static inline bool gm_litmus_reaches(gm_litmus_kind kind)
{
    return kind < GM_LITMUS_FENCE || kind == GM_LITMUS_REDUCTION;
}

/* True for an operation that gives its register a value. */
static inline bool gm_litmus_returns(gm_litmus_kind kind)
{
    return kind == GM_LITMUS_LOAD || kind == GM_LITMUS_LOAD_BYPASS || kind == GM_LITMUS_ATOMIC;
}

#endif
