/* Feeder: brings the commands and CTAs of a source to the engine, one at a time and in order,
 * either when asked or from a thread that runs a little ahead. */
#ifndef GOLDMEM_SYSTEM_FEEDER_H
#define GOLDMEM_SYSTEM_FEEDER_H

#include "goldmem/source.h"
#include "goldmem/warp_store.h"

/* A CTA and its warps' instructions. */
typedef struct gm_cta {
    uint64_t number;        /* linear id in the grid, x fastest */
    uint32_t warps;         /* delivered: some of the CTA's may have left no record */
    uint32_t *warp;         /* [warps] number in the CTA */
    gm_warp_stream *stream; /* [warps] */
    uint64_t instructions;  /* of all warps */
    uint64_t lanes;         /* active in them */
    /* while resident: */
    uint32_t sm;
    uint32_t live;    /* warps that have not ended */
    uint32_t waiting; /* of them, at a barrier */
    uint32_t *slot;   /* [warps] in the SM */
    /* private: */
    uint32_t capacity;
    struct gm_cta *next_all, *next_free;
} gm_cta;

typedef enum gm_feed_kind {
    GM_FEED_COPY,
    GM_FEED_KERNEL,
    GM_FEED_CTA,
    GM_FEED_KERNEL_END,
    GM_FEED_END,
    GM_FEED_ERROR,
} gm_feed_kind;

typedef struct gm_feed {
    gm_feed_kind kind;
    uint64_t address, bytes; /* COPY */
    gm_kernel *kernel;       /* KERNEL: freed by the receiver with free() */
    gm_cta *cta;             /* CTA: goes back with gm_feeder_recycle */
} gm_feed;

typedef struct gm_feeder gm_feeder;

/* `threaded`: a thread runs ahead, by a few CTAs at most. */
int gm_feeder_start(gm_feeder **feeder, gm_source *source, gm_warp_store *store, bool threaded,
                    gm_error *error);

/* The next item. ERROR: *error has the source's own, and its code is returned; else 0. */
int gm_feeder_next(gm_feeder *feeder, gm_feed *feed, gm_error *error);

/* The CTA has ended; what its streams still hold is dropped. */
void gm_feeder_recycle(gm_feeder *feeder, gm_cta *cta);

/* Does a load of this opcode bypass the L1? For opcodes of CTAs received. */
bool gm_feeder_is_strong(const gm_feeder *feeder, uint16_t opcode);

/* gm_opcode.rows, likewise. */
unsigned gm_feeder_rows(const gm_feeder *feeder, uint16_t opcode);

/* Ends the thread, drops all streams, frees all CTAs. */
void gm_feeder_stop(gm_feeder *feeder);

#endif
