/* RTL in the loop: loads a plug-in for each block and sets it as the observer of the block in a
 * run. */
#include "cli/rtl_loop.h"

#include "cache/atomic_unit.h"
#include "cache/cache_rrip.h"
#include "cache/cache_sharing.h"
#include "cache/decoupled_l1.h"
#include "cache/streaming.h"
#include "cache/tracker_map.h"
#include "cli/rtl_plugin.h"
#include "coherence/temporal.h"
#include "cycle/sm/sm.h"
#include "frontend/cta_dispatch.h"
#include "goldmem/bits.h"
#include "policy/ccws.h"
#include "policy/contention.h"
#include "policy/dueling.h"
#include "policy/sampling.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { INDEX_BYTES = 110, OPTIONS_BYTES = 320, NAME_BYTES = 48 };

#define BLOCK_NAME(number, name, runs)    name,
#define BLOCK_IN_LIST(number, name, runs) " " name ","
const char *const gm_rtl_block_names[GM_RTL_BLOCKS] = {GM_RTL_BLOCK_LIST(BLOCK_NAME)};

/* Of a name that is no block's, MOST_NAME characters at most. */
enum { MOST_NAME = 64 };
static const char no_block[] = "--rtl: no block '%.*s' with RTL; there are" GM_RTL_BLOCK_LIST(
    BLOCK_IN_LIST) " where a run has them (goldmem run --help)";
_Static_assert(sizeof no_block + MOST_NAME <= GM_ERROR_TEXT, "names of blocks would be cut");

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Loads goldmem-rtl-BLOCK.so. Returns 0 or a negative errno value. */
static int load(gm_rtl_block *loaded, const char *block, gm_error *error)
{
    char path[PATH_MAX];
    int code = gm_rtl_plugin_find(path, block, error);
    if (code < 0) {
        return code;
    }
    const gm_rtl_plugin *(*plugin)(void) = NULL;
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (object != NULL) {
        *(void **)&plugin = dlsym(object, "gm_rtl_plugin_here");
    }
    if (plugin == NULL) {
        return gm_fail(error, -EINVAL, "--rtl=%s: %s", block, dlerror());
    }
    loaded->plugin = plugin();
    return 0;
}

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

/* Writes the options with which a level's instances of a block are built. */
static int describe(char *options, size_t size, unsigned block, const gm_config *config,
                    unsigned level, gm_error *error)
{
    switch (block) {
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
    default:
        return describe_set_index(options, size, config, level, error);
    }
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

/* Returns true if the caches of a level have gates. */
static bool has_gates(const gm_config *config, unsigned level)
{
    return (level == GM_RTL_L1 && config->l1.streaming) ||
           (level == GM_RTL_L2 && config->l2.streaming);
}

/* Returns a level's number of instances of a block: with state, one for each L1, L2 bank or
 * tracker. */
static uint32_t instances(unsigned block, const gm_config *config, unsigned level)
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
    switch (block) {
    case GM_RTL_MSHR:
        return level != GM_RTL_TRACKERS ? (uint32_t)of[level].units : 0;
    case GM_RTL_TAG_STORE:
        return level == GM_RTL_L1 ? (uint32_t)of[level].units : 0;
    case GM_RTL_SHARING_TRACKER:
        return level == GM_RTL_TRACKERS ? (uint32_t)of[level].units : 0;
    case GM_RTL_REPLACEMENT:
        return has_replacement(config, level) ? (uint32_t)of[level].units : 0;
    case GM_RTL_SHARING_LRU:
        return level != GM_RTL_TRACKERS ? (uint32_t)of[level].units : 0;
    case GM_RTL_SM_DUELING:
    case GM_RTL_CORES_SAMPLING:
    case GM_RTL_CTA_QUEUES:
        return level == GM_RTL_L1 ? 1 : 0;
    case GM_RTL_WARP_LIMITER:
        return level == GM_RTL_L1 ? (uint32_t)(config->gpu.sms * config->sm.schedulers) : 0;
    case GM_RTL_STREAM_GATE:
        return has_gates(config, level) ? (uint32_t)of[level].units : 0;
    case GM_RTL_CONTENTION_BYPASS:
    case GM_RTL_VICTIM_TAGS:
    case GM_RTL_LOCALITY_SCORE:
    case GM_RTL_GWCT:
    case GM_RTL_TC_L1:
        return level == GM_RTL_L1 ? (uint32_t)of[level].units : 0;
    case GM_RTL_ATOMIC_BUFFER:
    case GM_RTL_TC_L2:
    case GM_RTL_LEASE_STORE:
    case GM_RTL_LIFETIME_PREDICTOR:
        return level == GM_RTL_L2 ? (uint32_t)of[level].units : 0;
    default:
        return of[level].sets == 1 ? 0 : 1;
    }
}

static int open_instance(const gm_rtl_plugin *plugin, gm_rtl_level *level, uint32_t number,
                         const char *name, const char *options, const char *file, gm_error *error)
{
    gm_error reason;
    int code = number == 0 ? plugin->open(&level->rtl[0], name, options, file, &reason)
                           : plugin->another(&level->rtl[number], level->rtl[0], name, &reason);
    level->observer[number] = (gm_observer){level->rtl[number], plugin->call};
    return code < 0 ? gm_fail(error, code, "--rtl=%s: %s (%s): %s", plugin->block, name, options,
                              reason.text)
                    : 0;
}

static int open_level(gm_rtl_loop *loop, unsigned block, unsigned number, const gm_config *config,
                      const char *file, gm_error *error)
{
    static const char *const names[] = {"l1", "l2", "tracker"};
    static const char *const units[] = {"l1 of SM", "l2 bank", "tracker"};
    const gm_rtl_plugin *plugin = loop->block[block].plugin;
    gm_rtl_level *level = &loop->block[block].level[number];
    uint32_t count = instances(block, config, number);
    char options[OPTIONS_BYTES];
    if (count == 0 || plugin == NULL) {
        return 0;
    }
    int code = describe(options, sizeof options, block, config, number, error);
    if (code < 0) {
        return code;
    }
    level->rtl = calloc(count, sizeof(gm_rtl *));
    level->observer = calloc(count, sizeof *level->observer);
    if (level->rtl == NULL || level->observer == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: --rtl=%s", gm_rtl_block_names[block]);
    }
    level->count = count;
    for (uint32_t i = 0; code == 0 && i < count; i++) {
        char name[NAME_BYTES];
        if (block == GM_RTL_WARP_LIMITER) {
            uint32_t schedulers = (uint32_t)config->sm.schedulers;
            snprintf(name, sizeof name, "SM %u, scheduler %u", i / schedulers, i % schedulers);
        } else if (block == GM_RTL_SHARING_TRACKER) {
            uint32_t partitions = (uint32_t)gm_config_tracker_partitions(config);
            snprintf(name, sizeof name, "tracker %u, partition %u", i / partitions, i % partitions);
        } else if (block != GM_RTL_SET_INDEX && block != GM_RTL_SM_DUELING &&
                   block != GM_RTL_CORES_SAMPLING && block != GM_RTL_CTA_QUEUES) {
            snprintf(name, sizeof name, "%s %u", units[number], i);
        } else {
            snprintf(name, sizeof name, "%s", names[number]);
        }
        code = open_instance(plugin, level, i, name, options, file, error);
    }
    return code;
}

/* Returns 0 if the run makes calls of the block and the block is empty at the first call, else
 * -EINVAL. */
static int may_check(unsigned block, gm_engine engine, const gm_config *config,
                     const gm_run_options *options, gm_error *error)
{
    const char *name = gm_rtl_block_names[block];
    if (block == GM_RTL_MSHR && engine != GM_ENGINE_CYCLE) {
        return gm_fail(error, -EINVAL,
                       "--rtl=mshr: only the cycle engine has misses in flight: "
                       "--engine=cycle");
    }
    if (block == GM_RTL_TAG_STORE && !(config->l1.enabled && config->l1.kind == GM_L1_DECOUPLED)) {
        return gm_fail(error, -EINVAL,
                       "--rtl=tag_store: only a decoupled L1 has it: "
                       "--set l1.kind=decoupled");
    }
    if (block == GM_RTL_SHARING_TRACKER && !config->tracker.enabled) {
        return gm_fail(error, -EINVAL, "--rtl=sharing_tracker: needs --set tracker.enabled=yes");
    }
    if (block == GM_RTL_REPLACEMENT && !has_replacement(config, GM_RTL_L1) &&
        !has_replacement(config, GM_RTL_L2)) {
        return gm_fail(error, -EINVAL,
                       "--rtl=replacement: only a conventional L1 or an L2 with srrip or ship has "
                       "it: --set l2.replacement=srrip");
    }
    if (block == GM_RTL_SM_DUELING && !config->l1.dueling) {
        return gm_fail(error, -EINVAL,
                       "--rtl=sm_dueling: needs --set l1.kind=decoupled --set l1.dueling=yes");
    }
    if (block == GM_RTL_WARP_LIMITER &&
        !(engine == GM_ENGINE_CYCLE && (config->sm.throttle == GM_THROTTLE_STATIC ||
                                        config->sm.throttle == GM_THROTTLE_SAMPLING))) {
        return gm_fail(error, -EINVAL,
                       "--rtl=warp_limiter: needs --set sm.throttle=static or sampling");
    }
    if (block == GM_RTL_CONTENTION_BYPASS &&
        !(config->l1.enabled && config->l1.bypass == GM_BYPASS_CONTENTION)) {
        return gm_fail(error, -EINVAL, "--rtl=contention_bypass: needs --set l1.bypass=contention");
    }
    if (block == GM_RTL_ATOMIC_BUFFER && !config->l2.atomic_buffer) {
        return gm_fail(error, -EINVAL, "--rtl=atomic_buffer: needs --set l2.atomic_buffer=yes");
    }
    if (block == GM_RTL_SHARING_LRU && !config->sharing.enabled) {
        return gm_fail(error, -EINVAL, "--rtl=sharing_lru: needs --set sharing.enabled=yes");
    }
    if (block == GM_RTL_STREAM_GATE && !has_gates(config, GM_RTL_L1) &&
        !has_gates(config, GM_RTL_L2)) {
        return gm_fail(error, -EINVAL,
                       "--rtl=stream_gate: only caches with gates have it: --set l1.streaming=yes");
    }
    if (block == GM_RTL_CORES_SAMPLING && config->sm.throttle != GM_THROTTLE_SAMPLING) {
        return gm_fail(error, -EINVAL, "--rtl=cores_sampling: needs --set sm.throttle=sampling");
    }
    if (block == GM_RTL_CTA_QUEUES && config->gpu.cta == GM_CTA_RR) {
        return gm_fail(error, -EINVAL, "--rtl=cta_queues: needs --set gpu.cta=groups or bcs");
    }
    if ((block == GM_RTL_VICTIM_TAGS || block == GM_RTL_LOCALITY_SCORE) &&
        !(engine == GM_ENGINE_CYCLE && config->sm.throttle == GM_THROTTLE_CCWS)) {
        return gm_fail(error, -EINVAL, "--rtl=%s: needs --set sm.throttle=ccws", name);
    }
    bool leases = config->coherence.protocol == GM_COHERENCE_TCS ||
                  config->coherence.protocol == GM_COHERENCE_TCW;
    if (block >= GM_RTL_GWCT && !(engine == GM_ENGINE_CYCLE && leases)) {
        return gm_fail(error, -EINVAL, "--rtl=%s: needs --set coherence=tcw or tcs", name);
    }
    if (block == GM_RTL_LIFETIME_PREDICTOR && config->coherence.lifetime != GM_PREDICTED) {
        return gm_fail(error, -EINVAL, "--rtl=%s: needs --set coherence.lifetime=predicted", name);
    }
    if (block != GM_RTL_SET_INDEX && options->resume != NULL) {
        return gm_fail(error, -EINVAL, "--rtl=%s: not with --resume: the RTL begins empty", name);
    }
    return 0;
}

/* Opens one block of the list: BLOCK or BLOCK:FILE, in `text`, which is cut in two. */
static int open_block(gm_rtl_loop *loop, char *text, gm_engine engine, const gm_config *config,
                      const gm_run_options *options, gm_error *error)
{
    char *file = strchr(text, ':');
    if (file != NULL) {
        *file++ = '\0';
    }
    unsigned block = 0;
    while (block < GM_RTL_BLOCKS && strcmp(text, gm_rtl_block_names[block]) != 0) {
        block++;
    }
    if (block == GM_RTL_BLOCKS) {
        return gm_fail(error, -EINVAL, no_block, MOST_NAME, text);
    }
    if (loop->block[block].plugin != NULL) {
        return gm_fail(error, -EINVAL, "--rtl: %s is there twice", text);
    }
    if (file != NULL && *file == '\0') {
        return gm_fail(error, -EINVAL, "--rtl=%s: no file is named behind the ':'", text);
    }
    int code = may_check(block, engine, config, options, error);
    code = code < 0 ? code : load(&loop->block[block], text, error);
    for (unsigned level = 0; code == 0 && level < GM_RTL_LEVELS; level++) {
        code = open_level(loop, block, level, config, file, error);
    }
    return code;
}

int gm_rtl_loop_open(gm_rtl_loop *loop, const char *text, gm_engine engine, const gm_config *config,
                     gm_run_options *options, gm_error *error)
{
    char *list = strdup(text);
    if (list == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: --rtl=%s", text);
    }
    int code = 0;
    char *rest = list;
    while (code == 0 && rest != NULL) {
        char *item = strsep(&rest, ",");
        code = open_block(loop, item, engine, config, options, error);
    }
    free(list);
    /* All levels in one thread, so that the RTL's time can be measured apart. */
    options->threads = options->threads < 2 ? options->threads : 2;
    const gm_rtl_level *set_index = loop->block[GM_RTL_SET_INDEX].level;
    const gm_rtl_level *mshr = loop->block[GM_RTL_MSHR].level;
    options->l1_set_index = set_index[GM_RTL_L1].observer;
    options->l2_set_index = set_index[GM_RTL_L2].observer;
    options->tracker_set_index = set_index[GM_RTL_TRACKERS].observer;
    options->l1_mshr = mshr[GM_RTL_L1].observer;
    options->l2_mshr = mshr[GM_RTL_L2].observer;
    options->l1_tag_store = loop->block[GM_RTL_TAG_STORE].level[GM_RTL_L1].observer;
    options->l1_replacement = loop->block[GM_RTL_REPLACEMENT].level[GM_RTL_L1].observer;
    options->l2_replacement = loop->block[GM_RTL_REPLACEMENT].level[GM_RTL_L2].observer;
    options->sm_dueling = loop->block[GM_RTL_SM_DUELING].level[GM_RTL_L1].observer;
    options->contention_bypass = loop->block[GM_RTL_CONTENTION_BYPASS].level[GM_RTL_L1].observer;
    options->l1_sharing_lru = loop->block[GM_RTL_SHARING_LRU].level[GM_RTL_L1].observer;
    options->l2_sharing_lru = loop->block[GM_RTL_SHARING_LRU].level[GM_RTL_L2].observer;
    options->atomic_buffer = loop->block[GM_RTL_ATOMIC_BUFFER].level[GM_RTL_L2].observer;
    options->warp_limiter = loop->block[GM_RTL_WARP_LIMITER].level[GM_RTL_L1].observer;
    options->l1_stream_gate = loop->block[GM_RTL_STREAM_GATE].level[GM_RTL_L1].observer;
    options->l2_stream_gate = loop->block[GM_RTL_STREAM_GATE].level[GM_RTL_L2].observer;
    options->cores_sampling = loop->block[GM_RTL_CORES_SAMPLING].level[GM_RTL_L1].observer;
    options->cta_queues = loop->block[GM_RTL_CTA_QUEUES].level[GM_RTL_L1].observer;
    options->sharing_tracker = loop->block[GM_RTL_SHARING_TRACKER].level[GM_RTL_TRACKERS].observer;
    options->victim_tags = loop->block[GM_RTL_VICTIM_TAGS].level[GM_RTL_L1].observer;
    options->locality_score = loop->block[GM_RTL_LOCALITY_SCORE].level[GM_RTL_L1].observer;
    options->gwct = loop->block[GM_RTL_GWCT].level[GM_RTL_L1].observer;
    options->tc_l1 = loop->block[GM_RTL_TC_L1].level[GM_RTL_L1].observer;
    options->tc_l2 = loop->block[GM_RTL_TC_L2].level[GM_RTL_L2].observer;
    options->lease_store = loop->block[GM_RTL_LEASE_STORE].level[GM_RTL_L2].observer;
    options->lifetime_predictor = loop->block[GM_RTL_LIFETIME_PREDICTOR].level[GM_RTL_L2].observer;
    loop->start = seconds();
    return code;
}

/* Checks each instance of all blocks, up to the first mismatch. */
int gm_rtl_loop_failed(const gm_rtl_loop *loop, gm_error *error)
{
    int code = 0;
    for (unsigned b = 0; b < GM_RTL_BLOCKS; b++) {
        const gm_rtl_block *block = &loop->block[b];
        for (unsigned l = 0; block->plugin != NULL && l < GM_RTL_LEVELS; l++) {
            for (uint32_t i = 0; code == 0 && i < block->level[l].count; i++) {
                code = block->plugin->failed(block->level[l].rtl[i], error);
            }
        }
    }
    return code;
}

/* Drains the RTL of a level, and adds up its calls and time. */
static int finish_level(const gm_rtl_block *block, unsigned level, gm_rtl_counts *sum,
                        gm_error *error)
{
    int code = 0;
    for (uint32_t i = 0; code == 0 && i < block->level[level].count; i++) {
        gm_rtl_counts counts = {0};
        code = block->plugin->finish(block->level[level].rtl[i], &counts, error);
        sum->calls += counts.calls;
        sum->cycles += counts.cycles;
        sum->seconds += counts.seconds;
    }
    return code;
}

int gm_rtl_loop_finish(gm_rtl_loop *loop, bool quiet, gm_error *error)
{
    gm_rtl_counts sum[GM_RTL_BLOCKS][GM_RTL_LEVELS] = {0};
    double all = 0; /* seconds in RTL */
    int code = 0;
    for (unsigned b = 0; b < GM_RTL_BLOCKS; b++) {
        for (unsigned l = 0; code == 0 && l < GM_RTL_LEVELS; l++) {
            code = finish_level(&loop->block[b], l, &sum[b][l], error);
            all += sum[b][l].seconds;
        }
    }
    double took = seconds() - loop->start;
    for (unsigned b = 0; code == 0 && !quiet && b < GM_RTL_BLOCKS; b++) {
        if (loop->block[b].plugin != NULL) {
            char trackers[64] = "";
            if (loop->block[b].level[GM_RTL_TRACKERS].count != 0) {
                snprintf(trackers, sizeof trackers, ", %llu of the trackers",
                         (unsigned long long)sum[b][GM_RTL_TRACKERS].calls);
            }
            fprintf(stderr,
                    "goldmem: the RTL of %s agrees: %llu calls of the L1s, %llu of the L2 banks%s; "
                    "the run took %.2f s, %.2f s of it in the RTL: %.1f times as long\n",
                    gm_rtl_block_names[b], (unsigned long long)sum[b][GM_RTL_L1].calls,
                    (unsigned long long)sum[b][GM_RTL_L2].calls, trackers, took, all,
                    took / (took - all));
        }
    }
    return code;
}

void gm_rtl_loop_close(gm_rtl_loop *loop)
{
    for (unsigned b = 0; b < GM_RTL_BLOCKS; b++) {
        gm_rtl_block *block = &loop->block[b];
        for (unsigned l = 0; l < GM_RTL_LEVELS; l++) {
            for (uint32_t i = 0; i < block->level[l].count; i++) {
                block->plugin->close(block->level[l].rtl[i]);
            }
            free(block->level[l].rtl);
            free(block->level[l].observer);
        }
        *block = (gm_rtl_block){0};
    }
}
