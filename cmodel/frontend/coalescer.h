/* Coalescer: turns the addresses of a warp instruction into line requests, one for each line that
 * its lanes touch, in order of the first lane that touches it [khairy, 2.1], or one for each sector
 * of a line (sm.coalesce=sector). With sm.descending the highest address comes first. With
 * sm.atomic_passes an atomic is cut into passes first. Generic addresses are resolved lane by lane;
 * local addresses become per-thread interleaved physical lines. */
#ifndef GOLDMEM_FRONTEND_COALESCER_H
#define GOLDMEM_FRONTEND_COALESCER_H

#include "cache/cache.h"
#include "cache/request_kind.h"
#include "goldmem/arena.h"
#include "goldmem/instruction.h"

#include <stdbool.h>
#include <stdint.h>

/* Windows of shared and local memory in generic addresses [NVBit: 16 MiB from their base]. */
enum { GM_WINDOW_BITS = 24 };

enum { GM_LINE_SECTORS = 32 }; /* sectors of an L1 line, at most */

/* Most line requests of an instruction: an access of 255 bytes has at most 65 local words, or 9
 * lines of 32 bytes. */
enum { GM_COALESCED_REQUESTS = GM_ADDRESSES * (UINT8_MAX / 4 + 2) };

/* Local memory lies above all GPU addresses: word w of a warp's threads is one 128-byte line, and
 * the lines of word w of all warp slots follow each other. */
#define GM_LOCAL_REGION (UINT64_C(1) << 56)

/* A request for one line, or for one sector of it. */
typedef struct gm_line_request {
    uint64_t line; /* byte address >> log2 of the L1 line size */
    union {
        uint32_t lanes; /* mask of the lanes that touch it */
        uint32_t masks; /* cycle engine, gm_config_sends_bytes: of a store or atomic, the number of
                           its masks (gm_byte_masks); 0: it writes all its sectors whole */
    };
    uint32_t sectors; /* mask of the 32-byte sectors that they touch */
    uint32_t whole;   /* stores, and atomics with GM_KEEPS_BYTES: mask of the sectors of which they
                         write every byte */
    bool local;       /* local memory, else global */
    bool chosen;      /* by the bypass policy, for its instruction (gm_bypass_ops.instruction) */
} gm_line_request;

/* What the coalescer keeps beside line requests. */
typedef enum gm_coalescer_keeps {
    GM_KEEPS_WORDS = 1, /* gm_coalescer_words may be called */
    GM_KEEPS_BYTES = 2, /* gm_coalescer_masks may be called */
} gm_coalescer_keeps;

/* A lane's offset in shared memory. */
typedef struct gm_shared_access {
    uint32_t offset;
    uint32_t lane;
} gm_shared_access;

/* Context in which the lanes' addresses are resolved. */
typedef struct gm_coalesce_context {
    uint64_t shared_base; /* of the kernel's windows in generic addresses */
    uint64_t local_base;
    uint32_t warp_slot; /* of the warp, among the slots of all SMs */
    uint32_t warp_slots;
} gm_coalesce_context;

typedef struct gm_coalescer {
    unsigned line_shift;
    uint32_t sectors_per_line;
    uint32_t all_sectors; /* of a line */
    uint64_t line_bytes;
    /* Results of the last instruction: */
    uint32_t requests;
    gm_line_request *request;
    uint32_t shared_accesses;
    gm_shared_access *shared;
    uint32_t lane_accesses; /* addresses in global and local memory */
    bool global, local;     /* touched */
    uint32_t keeps;         /* mask of gm_coalescer_keeps: set by the caller after init */
    bool atomic_passes;     /* sm.atomic_passes; likewise */
    bool descending;        /* sm.descending; likewise */
    bool narrow;            /* sm.coalesce_narrow, with requests of lines; likewise */
    bool bypassed_sectors;  /* atomics and strong loads make requests of sectors, others of lines;
                               likewise */
    /* private: */
    uint32_t of_passes;       /* requests of the atomic's passes before this one */
    bool bypasses;            /* the next instruction's requests bypass the L1 */
    unsigned run_shift;       /* request_shift of instructions that bypass no L1 */
    unsigned request_shift;   /* log2 of the bytes of a request: line_shift, or a sector's */
    uint32_t request_sectors; /* sectors of a request: all of a line, or 1 */
    bool stores;              /* words are kept, or the instruction is a store, or an atomic whose
                                 bytes are kept: */
    uint32_t *byte_mask;      /* [request][sector of the request] bytes that it touches */
    uint32_t *seen;           /* hash of line: generation << 16 | request */
    uint32_t seen_mask;
    uint32_t generation;
} gm_coalescer;

size_t gm_coalescer_bytes(uint64_t line); /* of arena that gm_coalescer_init takes */

/* `line`: L1 line size in bytes. `by_sector`: a request is for a sector of a line, not for the
 * line. Returns 0, -ENOMEM, or -EINVAL unless the line size is a power of two from 32 to 1024. */
int gm_coalescer_init(gm_coalescer *coalescer, uint64_t line, bool by_sector, gm_arena *arena,
                      gm_error *error);

/* True if requests of instructions of this width may be for less than those of others. */
static inline bool gm_coalescer_is_narrow(const gm_coalescer *coalescer, unsigned width)
{
    return coalescer->narrow && width < sizeof(uint32_t);
}

/* Tells the kind of the next instruction's requests: with bypassed_sectors to be called before each
 * gm_coalesce. */
static inline void gm_coalescer_take_kind(gm_coalescer *coalescer, gm_request_kind kind)
{
    coalescer->bypasses = coalescer->bypassed_sectors &&
                          (kind == GM_REQUEST_STRONG_LOAD || kind >= GM_REQUEST_ATOMIC);
}

/* Coalesces an instruction, which touches nothing if it has no addresses or no width. Requires that
 * its space is global, local, shared or generic. */
void gm_coalesce(gm_coalescer *coalescer, const gm_coalesce_context *context,
                 const gm_instruction *instruction);

/* Writes, for each sector of a line, a mask of the words of 4 bytes that request `number` of the
 * last instruction touches. Requires GM_KEEPS_WORDS. */
void gm_coalescer_words(const gm_coalescer *coalescer, uint32_t number, uint8_t *words);

/* Writes, for each sector of a line, a mask of the bytes that request `number` of the last
 * instruction, a store or an atomic, writes. Requires GM_KEEPS_BYTES. */
void gm_coalescer_masks(const gm_coalescer *coalescer, uint32_t number, uint32_t *bytes);

/* True if the access is a run of bytes, should its stride be its width: global memory, lanes in one
 * run, width a power of two. */
bool gm_coalesce_may_run(const gm_instruction *instruction);

/* Sectors of a line that lie at least in part in its bytes first..last. */
static inline uint32_t gm_coalesce_sectors(uint64_t first, uint64_t last)
{
    return (uint32_t)((UINT64_C(2) << (last >> GM_SECTOR_SHIFT)) -
                      (UINT64_C(1) << (first >> GM_SECTOR_SHIFT)));
}

/* Sectors of a line that lie wholly in its bytes first..last. */
static inline uint32_t gm_coalesce_whole(uint64_t first, uint64_t last)
{
    uint64_t begin = (first + GM_SECTOR - 1) >> GM_SECTOR_SHIFT;
    uint64_t end = (last + 1) >> GM_SECTOR_SHIFT;
    return end > begin ? (uint32_t)((UINT64_C(1) << end) - (UINT64_C(1) << begin)) : 0;
}

/* Returns true if a run of `bytes` from `base` in global memory is one request; then sets *request
 * to it, except for the lanes. */
static inline bool gm_coalesce_line(const gm_coalescer *coalescer, uint64_t base, uint64_t bytes,
                                    gm_line_request *request)
{
    uint64_t first = base & (coalescer->line_bytes - 1);
    uint64_t last = first + bytes - 1;
    if ((first ^ last) >> coalescer->run_shift != 0) {
        return false;
    }
    *request = (gm_line_request){.line = base >> coalescer->line_shift};
    if (bytes == coalescer->line_bytes) {
        request->sectors = request->whole = coalescer->all_sectors;
    } else {
        request->sectors = gm_coalesce_sectors(first, last);
        request->whole = gm_coalesce_whole(first, last);
    }
    return true;
}

#endif
