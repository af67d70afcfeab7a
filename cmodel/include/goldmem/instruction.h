/* Warp instructions: what a trace reader or a built-in workload produces and an engine consumes. */
#ifndef GOLDMEM_INSTRUCTION_H
#define GOLDMEM_INSTRUCTION_H

#include "goldmem/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    GM_WARP_SIZE = 32,   /* lanes; wider warps are refused */
    GM_DESTINATIONS = 4, /* registers written, at most */
    GM_SOURCES = 8,      /* registers read, at most */
    GM_ADDRESSES =
        256, /* addresses of one instruction, at most (TMA of tracer version 6; else 32) */
    GM_OPCODE_TEXT = 64, /* bytes of an opcode's text, with the final NUL */
    GM_OPCODES = 65535,  /* different opcodes in one input, at most */
};

typedef enum gm_op {
    GM_OP_COMPUTE, /* arithmetic, moves, conversions, shuffles: see gm_unit */
    GM_OP_BRANCH,  /* control flow */
    GM_OP_EXIT,    /* the lanes of the mask end */
    GM_OP_LOAD,
    GM_OP_STORE,
    GM_OP_ATOMIC,        /* returns a value (ATOM, ATOMG, ATOMS) */
    GM_OP_REDUCTION,     /* returns none (RED) */
    GM_OP_ASYNC_COPY,    /* global to shared memory without a register (LDGSTS) */
    GM_OP_COMMIT_GROUP,  /* closes a group of asynchronous copies (LDGDEPBAR) */
    GM_OP_WAIT_GROUP,    /* waits until at most `immediate` groups are open (DEPBAR) */
    GM_OP_BARRIER,       /* CTA barrier (BAR) */
    GM_OP_FENCE,         /* memory fence (MEMBAR) */
    GM_OP_CACHE_CONTROL, /* CCTL: no effect in the papers; counted */
    GM_OP_UNMODELLED,    /* reaches memory in a way that the model lacks (textures, surfaces,
                            mbarriers, shared memory of other CTAs); counted */
    GM_OPS
} gm_op;

typedef enum gm_space {
    GM_SPACE_NONE,
    GM_SPACE_GLOBAL,
    GM_SPACE_LOCAL,
    GM_SPACE_SHARED,
    GM_SPACE_GENERIC,  /* resolved for each lane by the kernel's windows */
    GM_SPACE_CONSTANT, /* traces carry no addresses for it */
    GM_SPACES
} gm_space;

/* The unit that executes an instruction, hence its latency in the cycle engine. */
typedef enum gm_unit {
    GM_UNIT_INTEGER,
    GM_UNIT_FP32,
    GM_UNIT_FP64,
    GM_UNIT_SPECIAL, /* MUFU and other special functions */
    GM_UNIT_TENSOR,
    GM_UNIT_CONTROL,
    GM_UNIT_MEMORY,
    GM_UNIT_TEXTURE,
    GM_UNIT_UNIFORM, /* the uniform datapath: one value for the whole warp */
    GM_UNITS
} gm_unit;

/* How far a memory fence reaches: which threads see the warp's earlier writes when it completes. */
typedef enum gm_scope {
    GM_SCOPE_CTA, /* those of its CTA, thus of its SM */
    GM_SCOPE_GPU, /* those of all SMs */
    GM_SCOPE_SYS, /* those of other GPUs and of the host as well */
    GM_SCOPES
} gm_scope;

/* An opcode: its text, kept so that a trace can be written out again, and its meaning. */
typedef struct gm_opcode {
    char text[GM_OPCODE_TEXT]; /* "LDG.E.128.CONSTANT.SYS" */
    gm_op op;
    gm_space space;
    gm_unit unit;
    gm_scope scope;   /* FENCE: MEMBAR.CTA, .SC.GPU, ... */
    bool addresses;   /* known to carry addresses: memory operands in brackets */
    uint8_t rows;     /* LDSM, STSM: 8, 16 or 32 rows of 16 bytes, with the addresses of as many
                         lanes from lane 0 on; the other lanes' are ignored; else 0 */
    bool bypasses_l1; /* loads .STRONG.GPU, .STRONG.SYS, .CG, .CV; LDGSTS.BYPASS; bulk copies */
    bool strong;      /* bypasses_l1 for .STRONG alone: where L1s are coherent it is ordinary */
} gm_opcode;

/* Opcodes seen so far in one input; an instruction names its opcode by number. The table never
 * shrinks, so a number stays valid while the source is open. */
typedef struct gm_opcode_table {
    gm_opcode *opcodes;
    uint32_t count;
    uint32_t capacity;
    bool ignore_unknown; /* set by the caller that opened the source; addresses of an opcode that
                            is not known to carry them: true: delivered, but the engine makes no
                            access; false: refused (-EINVAL) */
    void *lookup;        /* private: text to number */
} gm_opcode_table;

/* Returns the number of the opcode whose text is text[0..length); classifies a new opcode. Returns
 * a negative errno value on failure (text too long, too many opcodes, out of memory). */
int gm_opcode_number(gm_opcode_table *table, const char *text, uint32_t length, gm_error *error);

/* Fills op, space, unit, scope, rows, bypasses_l1 and strong from the text, by the table "Opcodes"
 * of docs/traces.md: the first dot-separated token decides. */
void gm_opcode_classify(gm_opcode *opcode);

/* Writes why an instruction with this opcode and with addresses is refused, without a location;
 * names the nearest opcode that is known to carry addresses. */
void gm_opcode_unknown_text(const gm_opcode *opcode, char *text, size_t size);

/* Frees the opcodes, not `table`. */
void gm_opcode_table_free(gm_opcode_table *table);

/* A register: its number and its file: R0..R255 (255 reads as zero), UR, P, UP. */
#define GM_REGISTER(file, number) ((uint16_t)(((unsigned)(file) << 8) | (unsigned)(number)))
enum {
    GM_REGISTERS_GENERAL,
    GM_REGISTERS_UNIFORM,
    GM_REGISTERS_PREDICATE,
    GM_REGISTERS_UNIFORM_PREDICATE
};

typedef enum gm_address_form {
    GM_ADDRESS_NONE,   /* no memory operand, or mask 0: touches nothing */
    GM_ADDRESS_STRIDE, /* k-th active lane, from the lowest: base + k * stride */
    GM_ADDRESS_LIST,   /* address[k] of the k-th active lane, from the lowest */
} gm_address_form;

typedef struct gm_instruction {
    uint64_t pc;       /* byte offset in its function */
    int64_t immediate; /* 0 where the trace has none */
    uint64_t base;     /* STRIDE [byte address] */
    int64_t stride;    /* STRIDE [bytes] */
    const uint64_t
        *address;    /* LIST: `addresses` elements; valid until the next instruction is requested */
    uint32_t mask;   /* active lanes */
    uint32_t line;   /* of the source; 0: the trace has none */
    uint16_t opcode; /* number in the source's gm_opcode_table */
    uint16_t addresses; /* number of addresses: ones in mask (0 when form is NONE) */
    uint8_t op;         /* gm_op, copied from the opcode */
    uint8_t space;      /* gm_space, copied from the opcode */
    uint8_t form;       /* gm_address_form */
    uint8_t width;      /* bytes per lane; 0: not a memory instruction */
    uint8_t destinations;
    uint8_t sources;
    uint16_t destination[GM_DESTINATIONS]; /* GM_REGISTER values */
    uint16_t source[GM_SOURCES];
} gm_instruction;

/* Returns true if the instruction, as far as is known, makes an access that the model lacks: cache
 * control, GM_OP_UNMODELLED, addresses of an opcode that is not known to carry them, or an active
 * bulk copy whose addresses the trace lacks. */
static inline bool gm_instruction_is_unmodelled(const gm_instruction *instruction)
{
    return instruction->op == GM_OP_UNMODELLED || instruction->op == GM_OP_CACHE_CONTROL ||
           (instruction->width != 0 &&
            (instruction->space == GM_SPACE_NONE ||
             (instruction->space == GM_SPACE_GLOBAL && instruction->mask != 0 &&
              instruction->form == GM_ADDRESS_NONE)));
}

/* Returns the address of the k-th active lane. Requires k < instruction->addresses. */
static inline uint64_t gm_instruction_address(const gm_instruction *instruction, unsigned k)
{
    return instruction->form == GM_ADDRESS_LIST
               ? instruction->address[k]
               : instruction->base + (uint64_t)k * (uint64_t)instruction->stride;
}

#ifdef __cplusplus
}
#endif

#endif
