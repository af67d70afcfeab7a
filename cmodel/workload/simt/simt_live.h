/* Live CTAs: of a kernel that communicates, all CTAs that have begun are live together. A warp runs
 * up to its next SYNC access, whose value another CTA may decide, and on when it has it.
 *
 * The value is the timed machine's, which tells by gm_simt_live_observer which writes its accesses
 * see, then calls gm_simt_live_go_on. Or, without time (gm_simt_live_run_all), the warps take
 * turns: in each turn every warp that waits has its access performed and runs on to the next, in
 * the order of CTAs and warps. That is one sequentially consistent order, the same in each run. */
#ifndef GOLDMEM_WORKLOAD_SIMT_SIMT_LIVE_H
#define GOLDMEM_WORKLOAD_SIMT_SIMT_LIVE_H

#include "goldmem/value_observer.h"
#include "workload/simt/simt_internal.h"
#include "workload/simt/sync_memory.h"

typedef struct gm_live_cta gm_live_cta;

typedef struct gm_simt_live {
    gm_simt *simt;
    const gm_launch *launch; /* in progress */
    gm_sync_memory memory;
    gm_live_cta **cta; /* [ctas] live ones, in the order of their beginnings */
    uint32_t ctas, room;
    bool timed;       /* a machine performs the accesses */
    uint64_t turns;   /* a time: answered accesses and looks so far */
    uint64_t looked;  /* `turns` at the last gm_simt_live_is_stuck */
    uint64_t changes; /* memory.changes, and CTAs and warps begun and ended, then */
    uint64_t ends;    /* warps begun, and ended */
} gm_simt_live;

/* `memory`: the device's. Requires a zeroed `live` and gm_simt_live_free in any case. */
void gm_simt_live_init(gm_simt_live *live, gm_simt *simt, unsigned char *memory);
void gm_simt_live_free(gm_simt_live *live);

/* Begins a launch, which stays valid: no CTA is live. */
void gm_simt_live_launch(gm_simt_live *live, const gm_launch *launch);

/* Returns what a machine that performs the accesses tells of them; from now on it does. The
 * observer's context is `live`. */
gm_value_observer gm_simt_live_observer(gm_simt_live *live);

/* Begins a CTA and delivers it up to its warps' first waits. Returns 0 or a negative errno value.
 */
int gm_simt_live_begin_cta(gm_simt_live *live, const gm_dim *id, const gm_cta_sink *sink,
                           gm_error *error);

/* Runs a warp of CTA `number` on, whose access has been told of; and, if it was the last one at a
 * barrier, its CTA. Delivers what they execute. Returns as gm_simt_live_begin_cta; -EPROTO if a
 * lane has no value. */
int gm_simt_live_go_on(gm_simt_live *live, uint64_t number, uint32_t warp, const gm_cta_sink *sink,
                       gm_error *error);

/* Returns the bit set of the warps of CTA `number` that have not ended. */
uint64_t gm_simt_live_open(const gm_simt_live *live, uint64_t number);

/* Forgets writes that no load may see: gm_live_operations.forget. */
void gm_simt_live_forget(gm_simt_live *live, gm_live_each *each, void *context);

/* True if nothing has changed since the last call, nor will: no word got another value, no CTA
 * began or ended, and every warp waits, or got values in the meantime, which made no difference.
 * Writes where the first warp waits to `text`. */
bool gm_simt_live_is_stuck(gm_simt_live *live, char *text, size_t size);

/* Without time: runs all `ctas` CTAs of the launch to their ends, and delivers each in turn to
 * `sink`. Returns as gm_simt_live_begin_cta; -EDEADLK if they wait for ever. */
int gm_simt_live_run_all(gm_simt_live *live, gm_error *error);

/* Delivers the next CTA that gm_simt_live_run_all has run. */
int gm_simt_live_deliver(gm_simt_live *live, const gm_cta_sink *sink, gm_error *error);

#endif
