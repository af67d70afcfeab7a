/* Intake: takes a CTA from a source into the warp store, as records (lowering.h). Does once, here,
 * all that does not depend on the order of accesses: classifies an instruction, finds its lines and
 * its conflicts in shared memory, and counts them. */
#ifndef GOLDMEM_FRONTEND_INTAKE_H
#define GOLDMEM_FRONTEND_INTAKE_H

#include "frontend/coalescer.h"
#include "frontend/opcode_tally.h"
#include "frontend/opcode_units.h"
#include "frontend/timed_record.h"
#include "frontend/turn_log.h"
#include "goldmem/config.h"
#include "goldmem/source.h"
#include "goldmem/statistics.h"
#include "goldmem/warp_store.h"

/* A CTA and the streams of its warps' records. */
typedef struct gm_cta {
    uint64_t number;                   /* linear id in the grid, x fastest */
    uint64_t shared_base, local_base;  /* gm_kernel's */
    uint64_t kernel;                   /* number in the run; cycle engine */
    uint32_t local_warps, local_slots; /* memory.local_map=ctas: warps of a CTA of the kernel, of
                                          all its CTAs that the machine holds at once; else 0 */
    uint32_t warps;                    /* delivered; some may have no record */
    uint32_t *warp;                    /* [warps] number in the CTA */
    gm_warp_stream *stream;            /* [warps] */
    gm_core_statistics core;           /* counters of all its instructions */
    gm_opcode_tally tally;             /* of all its instructions */
    gm_turn_log log;                   /* of a run with a limit: turns of all warps */
    uint64_t *first;                   /* [warps] where the log of each begins; NULL: no log */
    uint64_t open;    /* bit set of warps with instructions that the source will deliver later */
    uint64_t content; /* hash of all delivered instructions, where the store keeps hashes */
    /* while resident: */
    uint32_t sm;
    uint32_t live;             /* warps that have not ended */
    uint32_t waiting;          /* live warps at a barrier */
    uint32_t *slot;            /* [warps] in the SM */
    uint64_t placed;           /* cycle engine: cycle at whose end it got its place */
    struct gm_cta *next_ended; /* cycle engine */
    struct gm_cta *next_read;  /* cycle engine: read, but not dispatched */
    /* the feeder's: */
    struct gm_cta *next_all, *next_free;
} gm_cta;

/* Form of the records in the store. */
typedef enum gm_intake_form {
    GM_INTAKE_LINES, /* order engine: warp_record.h */
    GM_INTAKE_LANES, /* warp_record.h with the lanes of line requests, for analyses */
    GM_INTAKE_TIMED, /* cycle engine: timed_record.h */
} gm_intake_form;

/* The part of the engine that an instruction needs. */
typedef enum gm_intake_part {
    GM_INTAKE_TURN,   /* a turn */
    GM_INTAKE_RUN,    /* an access; its lanes lie side by side if the stride is the width */
    GM_INTAKE_ACCESS, /* an access */
    GM_INTAKE_OTHER,  /* a counter, or a wait */
    GM_INTAKE_CODED,  /* timed, with its address: `coded` tells which of these */
} gm_intake_part;

/* Beginning of the timed record of instructions that differ only in PC and addresses. */
typedef struct gm_intake_known {
    gm_instruction like;
    uint64_t lanes;
    uint64_t head, registers[GM_TIMED_REGISTER_WORDS]; /* timed_record.h */
    uint32_t start;                                    /* bytes of both */
    gm_intake_part part;
    gm_request_kind kind; /* RUN, ACCESS */
    gm_intake_part coded; /* CODED */
    bool mapped;          /* CODED: the code map has it, in this kernel */
} gm_intake_known;

enum { GM_INTAKE_KNOWN_BITS = 9 };

typedef struct gm_intake {
    gm_source *source;
    gm_warp_store *store;
    gm_arena arena;
    gm_coalescer coalescer;
    gm_coalesce_context context; /* set at each kernel; without warp slots */
    const gm_config *config;     /* with memory.local_map=ctas, the caller's; else NULL */
    uint32_t local_slots;        /* of the kernel's CTAs */
    uint32_t banks;              /* of shared memory */
    unsigned widest;             /* bytes of a lane that count for passes over shared memory */
    bool atomic_passes;          /* sm.shared_atomic_passes */
    uint32_t data_banks;         /* of the L1; 1: none, or the order engine's */
    bool timed;                  /* form is TIMED */
    bool wide;                   /* line requests are not packed */
    bool coherent;               /* the L1s are: a strong load is an ordinary one */
    bool words;                  /* the words of line requests follow them */
    bool bytes;       /* and the bytes that stores and atomics write: gm_config_sends_bytes */
    uint32_t code;    /* timed: bytes of an address in front of each record, or 0 */
    uint64_t region;  /* of the kernel's code: gm_intake_code */
    uint64_t address; /* of the instruction being taken, if `code` */
    struct gm_code_map *map; /* if `code`: gets the instructions; NULL: none */
    uint32_t warps;          /* of a CTA of the kernel */
    uint32_t grid[3];
    gm_cta *cta;            /* being taken */
    gm_warp_stream *stream; /* of its last warp */
    uint64_t run;           /* turns of that warp not yet in a record */
    uint64_t most_run;      /* most turns of a record */
    gm_turn_log old_log;    /* while a CTA goes on: that of what was delivered before */
    uint32_t logged;        /* warps whose turns have been taken over */
    uint32_t opcodes;       /* looked up so far: */
    bool strong[GM_OPCODES + 1];
    bool lane_copy[GM_OPCODES + 1]; /* LDGSTS: each lane copies the width */
    uint8_t rows[GM_OPCODES + 1];
    gm_opcode_units units;
    uint8_t unit[GM_OPCODES + 1];                     /* gm_unit */
    bool halves[GM_OPCODES + 1];                      /* takes its unit for half the interval */
    uint8_t scope[GM_OPCODES + 1];                    /* gm_scope */
    uint8_t fence_unit;                               /* of fences: MEMORY or none (GM_UNITS) */
    gm_intake_known known[1 << GM_INTAKE_KNOWN_BITS]; /* timed: by PC and mask */
} gm_intake;

/* Regions of kernels' code: each has GM_CODE_BITS address bits, and lies above all data. */
#define GM_CODE_REGIONS (UINT64_C(1) << 57)
enum { GM_CODE_BITS = 24 };

/* Returns the address at which a kernel's code begins, the one of pc 0: it depends on the kernel's
 * name alone. */
uint64_t gm_intake_code(const gm_kernel *kernel);

/* Puts addresses in front of all records, and tells `map` of their instructions. */
void gm_intake_keep_code(gm_intake *intake, struct gm_code_map *map);

/* Requires a zeroed intake, and gm_intake_free in any case. Returns 0, -ENOMEM or -EINVAL. */
int gm_intake_init(gm_intake *intake, const gm_config *config, gm_source *source,
                   gm_warp_store *store, gm_intake_form form, gm_error *error);
void gm_intake_free(gm_intake *intake);

/* Makes records WIDE from now on, with a byte for each sector of each request's line behind the
 * requests: the words that the request touches (gm_coalescer_words). */
void gm_intake_keep_words(gm_intake *intake);

/* From now on all line requests of records are wide, and have the lanes that touch them. */
void gm_intake_keep_lanes(gm_intake *intake);

void gm_intake_kernel(gm_intake *intake, const gm_kernel *kernel);

/* The functions of a gm_cta_sink. Require that `cta` is empty and has room for the kernel's warps.
 */
void gm_intake_begin_cta(gm_intake *intake, gm_cta *cta, const uint32_t id[3]);
int gm_intake_begin_warp(gm_intake *intake, uint32_t warp, gm_error *error);
int gm_intake_instruction(gm_intake *intake, const gm_instruction *instruction, gm_error *error);
int gm_intake_end_cta(gm_intake *intake, gm_error *error);

/* Goes on with a CTA that has been delivered, up to gm_intake_end_going_on; its counters and tally
 * begin anew, and are those of what follows. gm_intake_go_on_warp goes on with one of its warps;
 * requires ascending ones. A turn log then has the turns of the records that are in the streams.
 * Return 0, -ENOMEM or -EINVAL. */
void gm_intake_go_on(gm_intake *intake, gm_cta *cta);
int gm_intake_go_on_warp(gm_intake *intake, uint32_t warp, gm_error *error);
int gm_intake_end_going_on(gm_intake *intake, gm_error *error);

/* Gives CTAs turn logs from now on. Requires gm_intake_logged in place of gm_intake_instruction. */
void gm_intake_keep_logs(gm_intake *intake);
int gm_intake_logged(gm_intake *intake, const gm_instruction *instruction, gm_error *error);

/* Adds to *left the counters of the instructions that the warp at `place` of a CTA has not issued
 * yet. Requires a turn log. */
void gm_cta_left(const gm_cta *cta, uint32_t place, gm_core_statistics *left);

#endif
