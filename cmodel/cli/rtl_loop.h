/* goldmem run --rtl: blocks whose calls in the run are checked against their RTL. */
#ifndef GOLDMEM_CLI_RTL_LOOP_H
#define GOLDMEM_CLI_RTL_LOOP_H

#include "goldmem/config.h"
#include "goldmem/engine.h"
#include "goldmem/rtl.h"

/* Places where a block is used. */
enum { GM_RTL_L1, GM_RTL_L2, GM_RTL_TRACKERS, GM_RTL_LEVELS };

/* Blocks whose RTL can check a run: number, name, and which runs have calls of it. A message that
 * lists them all must fit into a gm_error. */
#define GM_RTL_BLOCK_LIST(BLOCK)                                                                   \
    BLOCK(GM_RTL_SET_INDEX, "set_index", ",")                                                      \
    BLOCK(GM_RTL_MSHR, "mshr", " (cycle engine),")                                                 \
    BLOCK(GM_RTL_TAG_STORE, "tag_store", " (decoupled L1),")                                       \
    BLOCK(GM_RTL_SHARING_TRACKER, "sharing_tracker", " (tracker.enabled),")                        \
    BLOCK(GM_RTL_REPLACEMENT, "replacement", " (srrip, ship),")                                    \
    BLOCK(GM_RTL_SM_DUELING, "sm_dueling", " (l1.dueling),")                                       \
    BLOCK(GM_RTL_WARP_LIMITER, "warp_limiter", " (sm.throttle),")                                  \
    BLOCK(GM_RTL_CONTENTION_BYPASS, "contention_bypass", " (l1.bypass),")                          \
    BLOCK(GM_RTL_ATOMIC_BUFFER, "atomic_buffer", " (l2.atomic_buffer),")                           \
    BLOCK(GM_RTL_SHARING_LRU, "sharing_lru", " (sharing.enabled),")                                \
    BLOCK(GM_RTL_STREAM_GATE, "stream_gate", " (l1.streaming, l2.streaming),")                     \
    BLOCK(GM_RTL_CORES_SAMPLING, "cores_sampling", " (sm.throttle),")                              \
    BLOCK(GM_RTL_CTA_QUEUES, "cta_queues", " (gpu.cta),")                                          \
    BLOCK(GM_RTL_VICTIM_TAGS, "victim_tags", " (ccws),")                                           \
    BLOCK(GM_RTL_LOCALITY_SCORE, "locality_score", " (ccws),")                                     \
    BLOCK(GM_RTL_GWCT, "gwct", ",")                                                                \
    BLOCK(GM_RTL_TC_L1, "tc_l1", ",")                                                              \
    BLOCK(GM_RTL_TC_L2, "tc_l2", ",")                                                              \
    BLOCK(GM_RTL_LEASE_STORE, "lease_store", ",")                                                  \
    BLOCK(GM_RTL_LIFETIME_PREDICTOR, "lifetime_predictor", " (coherence tcs or tcw)")

#define GM_RTL_BLOCK_NUMBER(number, name, runs) number,
enum { GM_RTL_BLOCK_LIST(GM_RTL_BLOCK_NUMBER) GM_RTL_BLOCKS };
extern const char *const gm_rtl_block_names[GM_RTL_BLOCKS];

/* Instances of a block's RTL: of set_index, which has no state, one, and of sm_dueling,
 * cores_sampling and cta_queues, which all SMs share; of warp_limiter one for each scheduler; of
 * the others one for each L1, L2 bank or sharing tracker that has one. */
typedef struct gm_rtl_level {
    uint32_t count; /* 0: makes no calls */
    gm_rtl **rtl;
    gm_observer *observer;
} gm_rtl_level;

typedef struct gm_rtl_block {
    const gm_rtl_plugin *plugin; /* NULL: not checked */
    gm_rtl_level level[GM_RTL_LEVELS];
} gm_rtl_block;

typedef struct gm_rtl_loop {
    gm_rtl_block block[GM_RTL_BLOCKS];
    double start; /* of the run, in seconds of the monotonic clock */
} gm_rtl_loop;

/* `text`: "BLOCK" or "BLOCK:FILE", FILE being SystemVerilog in place of the block's own, or several
 * with commas between them. Loads the plug-ins, builds the RTL for the configuration unless it is
 * built already, and sets the observers of `options`. Returns 0, -EINVAL, -ENOENT or -ENOMEM. */
int gm_rtl_loop_open(gm_rtl_loop *loop, const char *text, gm_engine engine, const gm_config *config,
                     gm_run_options *options, gm_error *error);

/* Returns 0, or -EPROTO with the difference. Called at intervals during a run. */
int gm_rtl_loop_failed(const gm_rtl_loop *loop, gm_error *error);

/* After the run: drains and checks the RTL, and prints, unless quiet, a line on stderr with calls
 * and time. Returns 0 or a negative errno value. */
int gm_rtl_loop_finish(gm_rtl_loop *loop, bool quiet, gm_error *error);

void gm_rtl_loop_close(gm_rtl_loop *loop);

#endif
