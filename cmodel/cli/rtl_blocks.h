/* Blocks whose RTL can check a run: which runs call each, how many instances of it they have, and
 * with which options these are built. */
#ifndef GOLDMEM_CLI_RTL_BLOCKS_H
#define GOLDMEM_CLI_RTL_BLOCKS_H

#include "goldmem/config.h"
#include "goldmem/engine.h"

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
typedef enum gm_rtl_block_number { GM_RTL_BLOCK_LIST(GM_RTL_BLOCK_NUMBER) } gm_rtl_block_number;
#undef GM_RTL_BLOCK_NUMBER

enum { GM_RTL_BLOCKS = GM_RTL_LIFETIME_PREDICTOR + 1 }; /* the last one of the list, and 1 */
extern const char *const gm_rtl_block_names[GM_RTL_BLOCKS];

/* Writes the options with which a level's instances of a block are built. Returns 0; a negative
 * errno value when l1.index, l2.index or tracker.index names a file that is not there, or is too
 * long. */
int gm_rtl_block_options(char *options, size_t size, gm_rtl_block_number block,
                         const gm_config *config, unsigned level, gm_error *error);

/* Returns a level's number of instances of a block: 1 of set_index, which has no state, and of
 * sm_dueling, cores_sampling and cta_queues, which all SMs share; of warp_limiter one for each
 * scheduler; of the others one for each L1, L2 bank or sharing tracker that has one. */
uint32_t gm_rtl_block_instances(gm_rtl_block_number block, const gm_config *config, unsigned level);

/* Writes the name of an instance for messages, such as "l2 bank 3". */
void gm_rtl_block_instance_name(char *name, size_t size, gm_rtl_block_number block,
                                const gm_config *config, unsigned level, uint32_t number);

/* Returns 0 if the run makes calls of the block and the block is empty at the first call, else
 * -EINVAL. `resumed`: the run continues from a checkpoint. */
int gm_rtl_block_may_check(gm_rtl_block_number block, gm_engine engine, const gm_config *config,
                           bool resumed, gm_error *error);

#endif
