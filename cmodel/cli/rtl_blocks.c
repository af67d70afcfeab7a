/* Blocks whose RTL can check a run: what a configuration makes of each. */
#include "cli/rtl_blocks.h"

#include "cache/atomic_unit.h"
#include "cache/cache_rrip.h"
#include "cache/cache_sharing.h"
#include "cache/decoupled_l1.h"
#include "cache/streaming.h"
#include "cache/tracker_map.h"
#include "coherence/temporal.h"
#include "cycle/sm/sm.h"
#include "frontend/cta_dispatch.h"
#include "goldmem/bits.h"
#include "policy/ccws.h"
#include "policy/contention.h"
#include "policy/dueling.h"
#include "policy/sampling.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INDEX_BYTES = 110 };

#define BLOCK_NAME(number, name, runs) name,
const char *const gm_rtl_block_names[GM_RTL_BLOCKS] = {GM_RTL_BLOCK_LIST(BLOCK_NAME)};

/* Writes a set_index function as its cosimulation's option takes it: files by their absolute path.
 */
static int spell_index(char *text, size_t size, const char *index, gm_error *error)
{
    static const char matrix[] = "matrix:";
    char path[PATH_MAX];
    bool file = strncmp(index, matrix, strlen(matrix)) == 0;
    if (file && realpath(index + strlen(matrix), path) == NULL) {
        return gm_fail_errno(error, index + strlen(matrix));
    }
    const char *name = file ? path : index;
    int length = snprintf(text, size, "%s%s", file ? matrix : "", name);
    if (strlen(name) > INDEX_BYTES || length < 0 || (size_t)length >= size) {
        return gm_fail(error, -EINVAL, "%s: more than %d characters", name, INDEX_BYTES);
    }
    return 0;
}

/* Writes a level's set_index as the options of its cosimulation, which count 7 line-offset bits. */
static int describe_set_index(char *options, size_t size, const gm_config *config, unsigned level,
                              gm_error *error)
{
    const struct {
        const char *index;
        uint64_t sets, line;
    } of[GM_RTL_LEVELS] = {
        [GM_RTL_L1] = {config->l1.index, gm_config_l1_sets(config), config->l1.line},
        [GM_RTL_L2] = {config->l2.index, gm_config_l2_sets(config), config->l2.line},
        [GM_RTL_TRACKERS] = {config->tracker.index, gm_config_tracker_sets(config),
                             config->l1.line},
    };
    char index[INDEX_BYTES + 16];
    int code = spell_index(index, sizeof index, of[level].index, error);
    snprintf(options, size, "sets=%llu index=%s address_bits=%u",
             (unsigned long long)of[level].sets, index, 64 - gm_log2_floor(of[level].line) + 7);
    return code;
}

static const char *const policy_names[] = {"lru", "srrip", "ship"};

/* Writes the options of the tag store of a decoupled L1. */
static int describe_tag_store(char *options, size_t size, const gm_config *config, gm_error *error)
{
    char index[INDEX_BYTES + 16];
    gm_tag_store_parameters store = gm_decoupled_l1_parameters(config, NULL);
    int code = spell_index(index, sizeof index, config->l1.index, error);
    snprintf(options, size,
             "sets=%llu index=%s line_bits=%u tag_ways=%u data_ways=%u rc_bits=%u threshold=%u "
             "allocation_rc=%u lfu_any=%d replacement=%s rrpv_bits=%u signature_bits=%u "
             "counter_bits=%u",
             (unsigned long long)gm_config_l1_sets(config), index,
             64 - gm_log2_floor(config->l1.line), store.tag_ways, store.data_ways, store.rc_bits,
             store.threshold, store.allocation_rc, store.lfu_any, policy_names[store.replacement],
             store.rrpv_bits, store.signature_bits, store.counter_bits);
    return code;
}

static int describe_tracker(char *options, size_t size, const gm_config *config, gm_error *error)
{
    char index[INDEX_BYTES + 16];
    gm_sharing_tracker_parameters tracker = gm_tracker_parameters(config, NULL);
    int code = spell_index(index, sizeof index, config->tracker.index, error);
    snprintf(options, size, "sets=%llu index=%s line_bits=%u ways=%u cus=%u pointers=%u",
             (unsigned long long)gm_config_tracker_sets(config), index,
             64 - gm_log2_floor(config->l1.line), tracker.ways, tracker.cus, tracker.pointers);
    return code;
}

/* Writes the options of an L1's or an L2 bank's mshr, with lines and requesters as wide as in the
 * RTL. */
static int describe_mshr(char *options, size_t size, const gm_config *config, unsigned level)
{
    bool l1 = level == GM_RTL_L1;
    snprintf(options, size, "entries=%llu merges=%llu line_bits=64 requester_bits=64",
             (unsigned long long)(l1 ? config->l1.mshrs : config->l2.mshrs),
             (unsigned long long)(l1 ? config->l1.merges : config->l2.merges));
    return 0;
}

/* Writes the options of the replacement of a conventional L1 or of an L2 bank. */
static int describe_replacement(char *options, size_t size, const gm_config *config, unsigned level)
{
    bool l1 = level == GM_RTL_L1;
    gm_replacement_parameters p =
        gm_cache_rrip_parameters(l1 ? config->l1.replacement : config->l2.replacement,
                                 l1 ? gm_config_l1_sets(config) : gm_config_l2_sets(config),
                                 l1 ? config->l1.ways : config->l2.ways);
    snprintf(options, size,
             "policy=%s index_bits=%u ways=%u rrpv_bits=%u signature_bits=%u counter_bits=%u",
             policy_names[p.policy], p.index_bits, p.ways, p.rrpv_bits, p.signature_bits,
             p.counter_bits);
    return 0;
}

/* Writes the options of the replacement of a sharing-aware L1 or L2 bank. */
static int describe_sharing_lru(char *options, size_t size, const gm_config *config, unsigned level)
{
    static const char *const dead[] = {"off", "private", "any"};
    bool l1 = level == GM_RTL_L1;
    gm_cache_request request = l1 ? gm_cache_request_of_l1(config) : gm_cache_request_of_l2(config);
    gm_sharing_lru_parameters p = gm_cache_sharing_parameters(
        &request.sharing, request.sets, request.size / request.banks / request.line / request.sets);
    snprintf(options, size, "level=%s dead=%s index_bits=%u ways=%u sm_bits=%u", l1 ? "l1" : "l2",
             dead[p.dead], p.index_bits, p.ways, p.sm_bits);
    return 0;
}

static int describe_dueling(char *options, size_t size, const gm_config *config)
{
    gm_sm_dueling_parameters p = gm_dueling_parameters(config);
    snprintf(options, size, "interval=%u count_bits=%u difference=%u hysteresis=%d period=%u",
             p.interval, p.count_bits, p.difference, p.hysteresis, p.period);
    return 0;
}

static int describe_limiter(char *options, size_t size, const gm_config *config)
{
    snprintf(options, size, "warps=%u", gm_cycle_throttle_limiter(config).warps);
    return 0;
}

static int describe_contention(char *options, size_t size, const gm_config *config)
{
    gm_contention_bypass_parameters p = gm_contention_parameters(config);
    snprintf(options, size, "touched=%u warps=%u lines=%u", p.touched, p.warps, p.lines);
    return 0;
}

static int describe_atomic_buffer(char *options, size_t size, const gm_config *config)
{
    gm_atomic_buffer_parameters p = gm_atomic_unit_parameters(config);
    snprintf(options, size, "line_bits=%u sectors=%u", p.line_bits, p.sectors);
    return 0;
}

/* Writes the options of the gate of an L1 or of an L2 bank. */
static int describe_stream_gate(char *options, size_t size, const gm_config *config, unsigned level)
{
    gm_stream_gate_parameters p = level == GM_RTL_L1 ? gm_streaming_l1_parameters(config)
                                                     : gm_streaming_l2_parameters(config);
    snprintf(options, size, "count_bits=%u threshold=%u least=%u", p.count_bits, p.threshold,
             p.least);
    return 0;
}

static int describe_sampling(char *options, size_t size, const gm_config *config)
{
    gm_cores_sampling_parameters p = gm_sampling_parameters(config);
    snprintf(options, size,
             "sms=%u warps=%u miss_bits=%u issue_bits=%u threshold=%u hot=%u samples=%u entries=%u "
             "kernel_bits=%u",
             p.sms, p.warps, p.miss_bits, p.issue_bits, p.threshold, p.hot, p.samples, p.entries,
             p.kernel_bits);
    return 0;
}

static int describe_cta_queues(char *options, size_t size, const gm_config *config)
{
    gm_cta_queues_parameters p = gm_cta_dispatch_parameters(config);
    snprintf(options, size, "sms=%u cta_bits=%u mode=%u adaptive=%u", p.sms, p.cta_bits,
             (unsigned)p.mode, p.adaptive);
    return 0;
}

static int describe_victim_tags(char *options, size_t size, const gm_config *config)
{
    gm_victim_tags_parameters p = gm_ccws_tags(config);
    snprintf(options, size, "warps=%u sets=%u ways=%u line_bits=%u", p.warps, p.sets, p.ways,
             p.line_bits);
    return 0;
}

static int describe_locality_score(char *options, size_t size, const gm_config *config)
{
    gm_locality_score_parameters p = gm_ccws_scores(config);
    snprintf(options, size, "warps=%u score_bits=%u base=%u throttle=%u hit_bits=%u issued_bits=%u",
             p.warps, p.score_bits, p.base, p.throttle, p.hit_bits, p.issued_bits);
    return 0;
}

static int describe_gwct(char *options, size_t size, const gm_config *config)
{
    gm_gwct_parameters p = gm_temporal_gwct(config);
    snprintf(options, size, "warps=%u count_bits=%u time_bits=%u", p.warps, p.count_bits,
             p.time_bits);
    return 0;
}

static int describe_tc_l1(char *options, size_t size, const gm_config *config)
{
    gm_tc_l1_parameters p = gm_temporal_tc_l1(config);
    snprintf(options, size, "slots=%u pending_bits=%u time_bits=%u strong=%d visible=%d", p.slots,
             p.pending_bits, p.time_bits, p.strong, p.visible);
    return 0;
}

static int describe_tc_l2(char *options, size_t size, const gm_config *config)
{
    gm_tc_l2_parameters p = gm_temporal_tc_l2(config);
    snprintf(options, size, "slots=%u sms=%u time_bits=%u strong=%d printed=%u visible=%d", p.slots,
             p.sms, p.time_bits, p.strong, p.printed, p.visible);
    return 0;
}

static int describe_lease_store(char *options, size_t size, const gm_config *config)
{
    gm_lease_store_parameters p = gm_temporal_lease_store(config);
    snprintf(options, size, "entries=%u line_bits=%u time_bits=%u", p.entries, p.line_bits,
             p.time_bits);
    return 0;
}

static int describe_predictor(char *options, size_t size)
{
    gm_lifetime_predictor_parameters p = gm_temporal_predictor();
    snprintf(options, size, "life_bits=%u hit=%u evict=%u write=%u max=%u start=%u", p.life_bits,
             p.hit, p.evict, p.write, p.max, p.start);
    return 0;
}

int gm_rtl_block_options(char *options, size_t size, gm_rtl_block_number block,
                         const gm_config *config, unsigned level, gm_error *error)
{
    switch (block) {
    case GM_RTL_SET_INDEX:
        return describe_set_index(options, size, config, level, error);
    case GM_RTL_MSHR:
        return describe_mshr(options, size, config, level);
    case GM_RTL_TAG_STORE:
        return describe_tag_store(options, size, config, error);
    case GM_RTL_SHARING_TRACKER:
        return describe_tracker(options, size, config, error);
    case GM_RTL_REPLACEMENT:
        return describe_replacement(options, size, config, level);
    case GM_RTL_SM_DUELING:
        return describe_dueling(options, size, config);
    case GM_RTL_WARP_LIMITER:
        return describe_limiter(options, size, config);
    case GM_RTL_CONTENTION_BYPASS:
        return describe_contention(options, size, config);
    case GM_RTL_ATOMIC_BUFFER:
        return describe_atomic_buffer(options, size, config);
    case GM_RTL_SHARING_LRU:
        return describe_sharing_lru(options, size, config, level);
    case GM_RTL_STREAM_GATE:
        return describe_stream_gate(options, size, config, level);
    case GM_RTL_CORES_SAMPLING:
        return describe_sampling(options, size, config);
    case GM_RTL_CTA_QUEUES:
        return describe_cta_queues(options, size, config);
    case GM_RTL_VICTIM_TAGS:
        return describe_victim_tags(options, size, config);
    case GM_RTL_LOCALITY_SCORE:
        return describe_locality_score(options, size, config);
    case GM_RTL_GWCT:
        return describe_gwct(options, size, config);
    case GM_RTL_TC_L1:
        return describe_tc_l1(options, size, config);
    case GM_RTL_TC_L2:
        return describe_tc_l2(options, size, config);
    case GM_RTL_LEASE_STORE:
        return describe_lease_store(options, size, config);
    case GM_RTL_LIFETIME_PREDICTOR:
        return describe_predictor(options, size);
    }
    return gm_fail(error, -EINVAL, "block %u has no RTL for a run", block);
}

/* Returns true if the caches of a level have the block replacement, outside a tag_store. */
static bool has_replacement(const gm_config *config, unsigned level)
{
    bool l1 = level == GM_RTL_L1;
    gm_replacement replacement = l1 ? config->l1.replacement : config->l2.replacement;
    return level != GM_RTL_TRACKERS &&
           (replacement == GM_REPLACE_SRRIP || replacement == GM_REPLACE_SHIP) &&
           (!l1 || (config->l1.enabled && config->l1.kind != GM_L1_DECOUPLED));
}

/* Returns true if the protocol has leases, and so the blocks of Temporal Coherence. */
static bool has_leases(const gm_config *config)
{
    return config->coherence.protocol == GM_COHERENCE_TCS ||
           config->coherence.protocol == GM_COHERENCE_TCW;
}

/* Returns true if the caches of a level have gates. */
static bool has_gates(const gm_config *config, unsigned level)
{
    return (level == GM_RTL_L1 && config->l1.streaming) ||
           (level == GM_RTL_L2 && config->l2.streaming);
}

uint32_t gm_rtl_block_instances(gm_rtl_block_number block, const gm_config *config, unsigned level)
{
    const struct {
        uint64_t units, sets; /* sets 1: fully associative */
    } of[GM_RTL_LEVELS] = {
        [GM_RTL_L1] = {config->gpu.sms, gm_config_l1_sets(config)},
        [GM_RTL_L2] = {config->memory.partitions * config->memory.banks, gm_config_l2_sets(config)},
        [GM_RTL_TRACKERS] = {config->tracker.enabled
                                 ? config->tracker.trackers * gm_config_tracker_partitions(config)
                                 : 0,
                             config->tracker.enabled ? gm_config_tracker_sets(config) : 1},
    };
    uint32_t units = (uint32_t)of[level].units;
    switch (block) {
    case GM_RTL_SET_INDEX:
        return of[level].sets == 1 ? 0 : 1;
    case GM_RTL_MSHR:
    case GM_RTL_SHARING_LRU:
        return level != GM_RTL_TRACKERS ? units : 0;
    case GM_RTL_SHARING_TRACKER:
        return level == GM_RTL_TRACKERS ? units : 0;
    case GM_RTL_REPLACEMENT:
        return has_replacement(config, level) ? units : 0;
    case GM_RTL_STREAM_GATE:
        return has_gates(config, level) ? units : 0;
    case GM_RTL_SM_DUELING:
    case GM_RTL_CORES_SAMPLING:
    case GM_RTL_CTA_QUEUES:
        return level == GM_RTL_L1 ? 1 : 0;
    case GM_RTL_WARP_LIMITER:
        return level == GM_RTL_L1 ? (uint32_t)(config->gpu.sms * config->sm.schedulers) : 0;
    case GM_RTL_TAG_STORE:
    case GM_RTL_CONTENTION_BYPASS:
    case GM_RTL_VICTIM_TAGS:
    case GM_RTL_LOCALITY_SCORE:
    case GM_RTL_GWCT:
    case GM_RTL_TC_L1:
        return level == GM_RTL_L1 ? units : 0;
    case GM_RTL_ATOMIC_BUFFER:
    case GM_RTL_TC_L2:
    case GM_RTL_LEASE_STORE:
    case GM_RTL_LIFETIME_PREDICTOR:
        return level == GM_RTL_L2 ? units : 0;
    }
    return 0;
}

void gm_rtl_block_instance_name(char *name, size_t size, gm_rtl_block_number block,
                                const gm_config *config, unsigned level, uint32_t number)
{
    static const char *const levels[] = {"l1", "l2", "tracker"};
    static const char *const units[] = {"l1 of SM", "l2 bank", "tracker"};
    if (block == GM_RTL_WARP_LIMITER) {
        uint32_t schedulers = (uint32_t)config->sm.schedulers;
        snprintf(name, size, "SM %u, scheduler %u", number / schedulers, number % schedulers);
    } else if (block == GM_RTL_SHARING_TRACKER) {
        uint32_t partitions = (uint32_t)gm_config_tracker_partitions(config);
        snprintf(name, size, "tracker %u, partition %u", number / partitions, number % partitions);
    } else if (block == GM_RTL_SET_INDEX || block == GM_RTL_SM_DUELING ||
               block == GM_RTL_CORES_SAMPLING || block == GM_RTL_CTA_QUEUES) {
        snprintf(name, size, "%s", levels[level]);
    } else {
        snprintf(name, size, "%s %u", units[level], number);
    }
}

/* True if the run makes calls of the block. */
static bool is_called(gm_rtl_block_number block, gm_engine engine, const gm_config *config)
{
    bool cycle = engine == GM_ENGINE_CYCLE;
    gm_throttling throttle = config->sm.throttle;
    switch (block) {
    case GM_RTL_SET_INDEX:
        return true;
    case GM_RTL_MSHR:
        return cycle;
    case GM_RTL_TAG_STORE:
        return config->l1.enabled && config->l1.kind == GM_L1_DECOUPLED;
    case GM_RTL_SHARING_TRACKER:
        return config->tracker.enabled;
    case GM_RTL_REPLACEMENT:
        return has_replacement(config, GM_RTL_L1) || has_replacement(config, GM_RTL_L2);
    case GM_RTL_SM_DUELING:
        return config->l1.dueling;
    case GM_RTL_WARP_LIMITER:
        return cycle && (throttle == GM_THROTTLE_STATIC || throttle == GM_THROTTLE_SAMPLING);
    case GM_RTL_CONTENTION_BYPASS:
        return config->l1.enabled && config->l1.bypass == GM_BYPASS_CONTENTION;
    case GM_RTL_ATOMIC_BUFFER:
        return config->l2.atomic_buffer;
    case GM_RTL_SHARING_LRU:
        return config->sharing.enabled;
    case GM_RTL_STREAM_GATE:
        return has_gates(config, GM_RTL_L1) || has_gates(config, GM_RTL_L2);
    case GM_RTL_CORES_SAMPLING:
        return throttle == GM_THROTTLE_SAMPLING;
    case GM_RTL_CTA_QUEUES:
        return config->gpu.cta != GM_CTA_RR;
    case GM_RTL_VICTIM_TAGS:
    case GM_RTL_LOCALITY_SCORE:
        return cycle && throttle == GM_THROTTLE_CCWS;
    case GM_RTL_GWCT:
    case GM_RTL_TC_L1:
    case GM_RTL_TC_L2:
    case GM_RTL_LEASE_STORE:
        return cycle && has_leases(config);
    case GM_RTL_LIFETIME_PREDICTOR:
        return cycle && has_leases(config) && config->coherence.lifetime == GM_PREDICTED;
    }
    return false;
}

/* Returns what a run needs so that it calls the block, as the end of a message. */
static const char *needs(gm_rtl_block_number block, gm_engine engine, const gm_config *config)
{
    switch (block) {
    case GM_RTL_SET_INDEX:
        break;
    case GM_RTL_MSHR:
        return "only the cycle engine has misses in flight: --engine=cycle";
    case GM_RTL_TAG_STORE:
        return "only a decoupled L1 has it: --set l1.kind=decoupled";
    case GM_RTL_SHARING_TRACKER:
        return "needs --set tracker.enabled=yes";
    case GM_RTL_REPLACEMENT:
        return "only a conventional L1 or an L2 with srrip or ship has it: "
               "--set l2.replacement=srrip";
    case GM_RTL_SM_DUELING:
        return "needs --set l1.kind=decoupled --set l1.dueling=yes";
    case GM_RTL_WARP_LIMITER:
        return "needs --set sm.throttle=static or sampling";
    case GM_RTL_CONTENTION_BYPASS:
        return "needs --set l1.bypass=contention";
    case GM_RTL_ATOMIC_BUFFER:
        return "needs --set l2.atomic_buffer=yes";
    case GM_RTL_SHARING_LRU:
        return "needs --set sharing.enabled=yes";
    case GM_RTL_STREAM_GATE:
        return "only caches with gates have it: --set l1.streaming=yes";
    case GM_RTL_CORES_SAMPLING:
        return "needs --set sm.throttle=sampling";
    case GM_RTL_CTA_QUEUES:
        return "needs --set gpu.cta=groups or bcs";
    case GM_RTL_VICTIM_TAGS:
    case GM_RTL_LOCALITY_SCORE:
        return "needs --set sm.throttle=ccws";
    case GM_RTL_GWCT:
    case GM_RTL_TC_L1:
    case GM_RTL_TC_L2:
    case GM_RTL_LEASE_STORE:
        break;
    case GM_RTL_LIFETIME_PREDICTOR:
        if (engine == GM_ENGINE_CYCLE && has_leases(config)) {
            return "needs --set coherence.lifetime=predicted";
        }
    }
    return "needs --set coherence=tcw or tcs";
}

int gm_rtl_block_may_check(gm_rtl_block_number block, gm_engine engine, const gm_config *config,
                           bool resumed, gm_error *error)
{
    const char *lack = is_called(block, engine, config) ? NULL : needs(block, engine, config);
    if (lack == NULL && resumed && block != GM_RTL_SET_INDEX) {
        lack = "not with --resume: the RTL begins empty";
    }
    return lack == NULL ? 0
                        : gm_fail(error, -EINVAL, "--rtl=%s: %s", gm_rtl_block_names[block], lack);
}
