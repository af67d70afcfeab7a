/* Feeder: brings the commands and CTAs of a source to the engine, one at a time and in order, on
 * request or from a thread that runs a few CTAs ahead. */
#ifndef GOLDMEM_FRONTEND_FEEDER_H
#define GOLDMEM_FRONTEND_FEEDER_H

#include "frontend/intake.h"
#include "goldmem/kernel_ranges.h"

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

/* Options of a feeder. */
typedef struct gm_feeder_options {
    bool threaded; /* read the source in a thread */
    bool logs;     /* keep turn logs of CTAs */
    bool live;     /* gm_live_operations.begin has been called */
    bool words;    /* records have the words that requests touch: gm_intake_keep_words */
    bool lanes;    /* records have the lanes that touch each line: gm_intake_keep_lanes */
    gm_intake_form form;
    struct gm_code_map *map; /* records have their addresses, and this map gets what lies there; to
                                read when the feeder has stopped; NULL: none */
    const gm_kernel_ranges *kernels; /* to feed: others are read and dropped; NULL: all */
} gm_feeder_options;

/* Makes a feeder. Returns 0 or -ENOMEM. */
int gm_feeder_start(gm_feeder **feeder, const gm_config *config, gm_source *source,
                    gm_warp_store *store, const gm_feeder_options *options, gm_error *error);

/* Takes the next item. Returns 0, or for ERROR the code in *error, which the source has set. */
int gm_feeder_next(gm_feeder *feeder, gm_feed *feed, gm_error *error);

/* Parks a CTA of the kernel that is read, for gm_feeder_unpark. Requires ascending numbers. Returns
 * 0, -ENOMEM, or the error of the temporary file. */
int gm_feeder_park(gm_feeder *feeder, gm_cta *cta, gm_error *error);

/* Sets *cta to the parked CTA of this number, or to NULL. Returns as gm_feeder_park. */
int gm_feeder_unpark(gm_feeder *feeder, uint64_t number, gm_cta **cta, gm_error *error);

/* Runs a warp of an open CTA on, by gm_live_operations.go_on: appends the records of what its CTA's
 * warps do next to their streams; cta->core and cta->tally are of these alone. Requires that the
 * feeder is not threaded. Returns 0 or a negative errno value. */
int gm_feeder_go_on(gm_feeder *feeder, gm_cta *cta, uint32_t warp, gm_error *error);

/* Takes back a CTA that has ended, and drops the records left in its streams. */
void gm_feeder_recycle(gm_feeder *feeder, gm_cta *cta);

/* Ends the thread, drops all streams, and frees all CTAs and the feeder. */
void gm_feeder_stop(gm_feeder *feeder);

#endif
