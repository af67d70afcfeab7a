/* Configuration check: what the keys require of each other. Of one L1, of the L2 and DRAM, of
 * sharing-aware caches and of coherence: config_l1.c, config_memory.c, config_sharing.c,
 * config_coherence.c. */
#include "config/config_coherence.h"
#include "config/config_l1.h"
#include "config/config_memory.h"
#include "config/config_sets.h"
#include "config/config_sharing.h"
#include "goldmem/bits.h"
#include "goldmem/set_index.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

enum {
    WARP = 32,         /* threads */
    MOST_LIMITED = 64, /* warps of a scheduler, with sm.throttle */
    MOST_SETS = 65536, /* gm_set_index has 16 index bits */
    ADDRESS_BITS = 64, /* of a byte address */
};

/* One cache, or one bank of it, with the section of its keys and the number of banks that share its
 * size. */
typedef struct cache {
    const char *section; /* "l1" or "l2" */
    uint64_t size, ways, line;
    uint64_t banks; /* that share the size equally */
    const char *index;
    gm_replacement replacement;
} cache;

static cache l1_of(const gm_config *config)
{
    return (cache){.section = "l1",
                   .size = config->l1.size,
                   .ways = config->l1.ways,
                   .line = config->l1.line,
                   .banks = 1,
                   .index = config->l1.index,
                   .replacement = config->l1.replacement};
}

static cache l2_of(const gm_config *config)
{
    return (cache){.section = "l2",
                   .size = config->l2.size,
                   .ways = config->l2.ways,
                   .line = config->l2.line,
                   .banks = config->memory.partitions * config->memory.banks,
                   .index = config->l2.index,
                   .replacement = config->l2.replacement};
}

static uint64_t sets_of(const cache *cache)
{
    return gm_config_sets_of(cache->size, cache->banks, cache->ways, cache->line);
}

static int check_size(const cache *cache, gm_error *error)
{
    if (cache->size == GM_UNBOUNDED) {
        return 0;
    }
    const char *section = cache->section;
    char banks[96] = "";
    if (cache->banks > 1) {
        snprintf(banks, sizeof banks, " in each of %" PRIu64 " banks", cache->banks);
    }
    uint64_t ways = cache->ways == GM_FULL ? 1 : cache->ways;
    uint64_t row = ways * cache->line; /* bytes of one set */
    uint64_t sets = cache->size / cache->banks / row;
    if (sets == 0 || cache->size % (row * cache->banks) != 0) {
        char of_ways[48] = "";
        if (cache->ways != GM_FULL) {
            snprintf(of_ways, sizeof of_ways, "%s.ways=%" PRIu64 " times ", section, ways);
        }
        return gm_fail(error, -EINVAL,
                       "%s.size=%" PRIu64 ": must be a multiple of %s%s.line=%" PRIu64 "%s",
                       section, cache->size, of_ways, section, cache->line, banks);
    }
    if (cache->ways != GM_FULL && (!gm_is_power_of_two(sets) || sets > MOST_SETS)) {
        return gm_fail(error, -EINVAL,
                       "%s.size=%" PRIu64 ": with %s.ways=%" PRIu64 " and %s.line=%" PRIu64
                       " it has %" PRIu64 " sets%s; must be a power of two, 1 to %d",
                       section, cache->size, section, cache->ways, section, cache->line, sets,
                       banks, MOST_SETS);
    }
    return 0;
}

static int check_index(const cache *cache, gm_error *error)
{
    uint64_t sets = sets_of(cache);
    if (sets == 1) {
        return 0;
    }
    gm_error inner = {0};
    gm_set_index function;
    unsigned address_bits = ADDRESS_BITS - gm_log2_floor(cache->line);
    int code = gm_set_index_parse(&function, cache->index, sets, address_bits, &inner);
    if (code < 0) {
        return gm_fail(error, code, "%s.index=%.64s: %s", cache->section, cache->index, inner.text);
    }
    if (function.kind == GM_INDEX_FERMI && cache->line != GM_SET_INDEX_FERMI_LINE) {
        const char *of_line = strcmp(cache->section, "tracker") == 0 ? "l1" : cache->section;
        return gm_fail(error, -EINVAL, "%s.index=fermi: needs %s.line=%d, not %" PRIu64,
                       cache->section, of_line, GM_SET_INDEX_FERMI_LINE, cache->line);
    }
    return 0;
}

/* Checks the ranges of the block replacement (goldmem/replacement.h). Fewer than two sets are
 * allowed. */
static int check_replacement(const cache *cache, gm_error *error)
{
    enum { MOST_SETS_OF_IT = 1024, MOST_WAYS = 32 };
    bool rrip = cache->replacement == GM_REPLACE_SRRIP || cache->replacement == GM_REPLACE_SHIP;
    uint64_t sets = sets_of(cache);
    uint64_t ways = cache->size / cache->banks / cache->line / sets;
    if (!rrip || cache->size == GM_UNBOUNDED || (sets <= MOST_SETS_OF_IT && ways <= MOST_WAYS)) {
        return 0;
    }
    return gm_fail(error, -EINVAL,
                   "%s.replacement=%s: %s.size, %s.ways and %s.line make %" PRIu64
                   " sets of %" PRIu64 " ways; at most %d sets of %d ways are possible",
                   cache->section, cache->replacement == GM_REPLACE_SHIP ? "ship" : "srrip",
                   cache->section, cache->section, cache->section, sets, ways, MOST_SETS_OF_IT,
                   MOST_WAYS);
}

/* Refuses write-evict with write-allocate: a store cannot both drop the line that it hits and
 * allocate the line that it misses. */
static int check_store(const char *space, gm_write_policy write, bool allocate, gm_error *error)
{
    if (write == GM_WRITE_EVICT && allocate) {
        return gm_fail(error, -EINVAL,
                       "l1.%s_allocate=yes: must be no with l1.%s_write=evict, which drops the "
                       "lines that it would allocate",
                       space, space);
    }
    return 0;
}

/* Checks what an instruction cache requires of the other keys. Under a coherence protocol the L2
 * would give its lines leases. */
static int check_l1i(const gm_config *config, gm_error *error)
{
    if (config->l1i.size == 0) {
        return 0;
    }
    bool fetches = config->sm.fetch != 0;
    if (!fetches || config->coherence.protocol != GM_COHERENCE_NONE) {
        return gm_fail(error, -EINVAL, "l1i.size=%" PRIu64 ": needs %s", config->l1i.size,
                       fetches ? "coherence.protocol=none" : "sm.fetch of 1 or more");
    }
    const cache l1i = {.section = "l1i",
                       .size = config->l1i.size,
                       .ways = config->l1i.ways,
                       .line = config->l1i.line,
                       .banks = 1};
    return check_size(&l1i, error);
}

/* Checks what dynamic warp throttling needs. */
static int check_sampling(const gm_config *config, gm_error *error)
{
    enum { SMS = 256 }; /* of the block cores_sampling, at most */
    if (config->sm.throttle != GM_THROTTLE_SAMPLING) {
        return 0;
    }
    if (config->gpu.sms > SMS) {
        return gm_fail(error, -EINVAL,
                       "gpu.sms=%" PRIu64 ": must be %d at most with sm.throttle=sampling",
                       config->gpu.sms, SMS);
    }
    const char *needed = !config->l1.enabled                  ? "l1.enabled=yes"
                         : config->l1.bypass == GM_BYPASS_ALL ? "another l1.bypass than all"
                                                              : NULL;
    return needed == NULL
               ? 0
               : gm_fail(error, -EINVAL,
                         "sm.throttle=sampling: needs %s: it follows an L1's misses", needed);
}

/* Checks what kernels that run at once ask of the L1s. */
static int check_kernels(const gm_config *config, gm_error *error)
{
    if (config->gpu.kernels == 1) {
        return 0;
    }
    if (config->sm.throttle == GM_THROTTLE_SAMPLING) {
        return gm_fail(error, -EINVAL,
                       "gpu.kernels=%" PRIu64 ": must be 1 with sm.throttle=sampling, which finds "
                       "a limit for one kernel",
                       config->gpu.kernels);
    }
    if (config->l1.bypass == GM_BYPASS_PROFILED) {
        return gm_fail(error, -EINVAL,
                       "gpu.kernels=%" PRIu64 ": must be 1 with l1.bypass=profiled, whose profile "
                       "is of one kernel after the other",
                       config->gpu.kernels);
    }
    if (config->gpu.cta != GM_CTA_RR) {
        return gm_fail(error, -EINVAL,
                       "gpu.kernels=%" PRIu64 ": must be 1 with another gpu.cta than rr, whose "
                       "queues are of one kernel",
                       config->gpu.kernels);
    }
    if (config->gpu.kernels_share_sm && config->l1.flush &&
        config->l1.global_write == GM_WRITE_BACK) {
        return gm_fail(error, -EINVAL,
                       "gpu.kernels_share_sm=yes: needs another l1.global_write than back: an L1 "
                       "that another kernel uses is not flushed at a kernel's end");
    }
    return 0;
}

/* Queues of CTAs give an SM several in a cycle. */
static int check_paced(const gm_config *config, gm_error *error)
{
    return config->gpu.cta_paced && config->gpu.cta != GM_CTA_RR
               ? gm_fail(error, -EINVAL, "gpu.cta_paced=yes: needs gpu.cta=rr")
               : 0;
}

/* Checks the ranges of the block sharing_tracker (goldmem/sharing_tracker.h). */
static int check_tracker(const gm_config *config, gm_error *error)
{
    enum { LEAST = 2, MOST = 4096, MOST_SMS = 64 };
    uint64_t trackers = config->tracker.trackers;
    uint64_t sets = gm_config_tracker_sets(config);
    uint64_t sms = gm_config_tracker_sms(config);
    if (!config->tracker.enabled) {
        return 0;
    }
    if (!config->l1.enabled) {
        return gm_fail(error, -EINVAL, "tracker.enabled=yes: needs l1.enabled=yes");
    }
    if (sets < LEAST || sets > MOST) {
        return gm_fail(error, -EINVAL,
                       "tracker.sets=%" PRIu64 ": tracker.trackers=%" PRIu64 " in %" PRIu64
                       " memory partitions have %" PRIu64 " sets each; must be %d to %d",
                       config->tracker.sets, trackers, gm_config_tracker_partitions(config), sets,
                       LEAST, MOST);
    }
    if (sms > MOST_SMS) {
        return gm_fail(error, -EINVAL,
                       "gpu.sms=%" PRIu64 ": tracker.trackers=%" PRIu64 " have %" PRIu64
                       " SMs each; must be at most %d",
                       config->gpu.sms, trackers, sms, MOST_SMS);
    }
    if (config->tracker.pointers > sms) {
        return gm_fail(error, -EINVAL,
                       "tracker.pointers=%" PRIu64 ": must be at most the %" PRIu64
                       " SMs of a tracker",
                       config->tracker.pointers, sms);
    }
    const cache sets_of_one = {.section = "tracker",
                               .size = sets * config->l1.line,
                               .ways = 1,
                               .line = config->l1.line,
                               .banks = 1,
                               .index = config->tracker.index};
    return check_index(&sets_of_one, error);
}

/* True if units are of the SM: any scheduler's instruction takes any that is free. */
static bool has_pools(const gm_config *config)
{
    return config->sm.collectors != 0 && gm_config_register_queues(config) && !config->sm.subcores;
}

/* Refuses units that no scheduler would have. */
static int check_units(const gm_config *config, gm_error *error)
{
    const struct {
        const char *name;
        uint64_t units;
    } kinds[] = {
        {"integer", config->unit.integer.units}, {"fp32", config->unit.fp32.units},
        {"fp64", config->unit.fp64.units},       {"special", config->unit.special.units},
        {"tensor", config->unit.tensor.units},   {"texture", config->unit.texture.units},
        {"uniform", config->unit.uniform.units},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (kinds[i].units != GM_EACH && kinds[i].units > config->sm.schedulers &&
            !has_pools(config)) {
            return gm_fail(error, -EINVAL,
                           "unit.%s_units=%" PRIu64 ": must be at most sm.schedulers=%" PRIu64
                           ", or each",
                           kinds[i].name, kinds[i].units, config->sm.schedulers);
        }
    }
    return 0;
}

/* Returns a setting of the SM that no coherence protocol can have, or NULL. */
static const char *needs_no_protocol(const gm_config *config)
{
    return config->sm.atomic_passes                             ? "sm.atomic_passes=yes"
           : config->sm.coalesce_bypassed == GM_COALESCE_SECTOR ? "sm.coalesce_bypassed=sector"
           : config->sm.fence == GM_FENCE_REGISTERS             ? "sm.fence=registers"
                                                                : NULL;
}

enum { MOST_QUEUES = 64 }; /* register banks of an SM that have queues of reads */

static int check_sm(const gm_config *config, gm_error *error)
{
    if (config->sm.threads > config->sm.warps * WARP) {
        return gm_fail(error, -EINVAL,
                       "sm.threads=%" PRIu64 ": must be at most %d times sm.warps=%" PRIu64,
                       config->sm.threads, WARP, config->sm.warps);
    }
    const char *lacks_none = needs_no_protocol(config);
    if (lacks_none != NULL && config->coherence.protocol != GM_COHERENCE_NONE) {
        return gm_fail(error, -EINVAL, "%s: needs coherence.protocol=none", lacks_none);
    }
    if (config->sm.subcores && config->sm.collectors % config->sm.schedulers != 0) {
        return gm_fail(error, -EINVAL,
                       "sm.subcores=yes: sm.collectors=%" PRIu64
                       " must be a multiple of sm.schedulers=%" PRIu64,
                       config->sm.collectors, config->sm.schedulers);
    }
    const uint64_t parts = config->sm.subcores ? config->sm.schedulers : 1;
    if (config->sm.register_queues && config->sm.register_banks * parts > MOST_QUEUES) {
        return gm_fail(error, -EINVAL,
                       "sm.register_queues=yes: sm.register_banks=%" PRIu64 " of %" PRIu64
                       " parts: must be at most %d together",
                       config->sm.register_banks, parts, MOST_QUEUES);
    }
    if (config->sm.throttle != GM_THROTTLE_NONE &&
        config->sm.warps > MOST_LIMITED * config->sm.schedulers) {
        return gm_fail(error, -EINVAL,
                       "sm.throttle: sm.warps=%" PRIu64 ": must be at most %d times "
                       "sm.schedulers=%" PRIu64,
                       config->sm.warps, MOST_LIMITED, config->sm.schedulers);
    }
    return check_units(config, error);
}

static int check_lines(const gm_config *config, gm_error *error)
{
    if (config->l2.line > config->l1.line) {
        return gm_fail(error, -EINVAL, "l2.line=%" PRIu64 ": must be at most l1.line=%" PRIu64,
                       config->l2.line, config->l1.line);
    }
    if (config->memory.interleave < config->l2.line) {
        return gm_fail(error, -EINVAL,
                       "memory.interleave=%" PRIu64 ": must be at least l2.line=%" PRIu64,
                       config->memory.interleave, config->l2.line);
    }
    if (config->memory.bank_interleave < config->l2.line) {
        return gm_fail(error, -EINVAL,
                       "memory.bank_interleave=%" PRIu64 ": must be at least l2.line=%" PRIu64,
                       config->memory.bank_interleave, config->l2.line);
    }
    if (config->dram.row < config->l2.line) {
        return gm_fail(error, -EINVAL, "dram.row=%" PRIu64 ": must be at least l2.line=%" PRIu64,
                       config->dram.row, config->l2.line);
    }
    return 0;
}

/* Checks the caches after their line sizes. An L1 that is off is checked too, so that it can be
 * turned on. */
int gm_config_check(const gm_config *config, gm_error *error)
{
    cache l1 = l1_of(config);
    cache l2 = l2_of(config);
    int code = check_sm(config, error);
    code = code == 0 ? check_lines(config, error) : code;
    code = code == 0 ? gm_config_check_dram(config, error) : code;
    code = code == 0 ? gm_config_check_noc(config, error) : code;
    code = code == 0 ? check_size(&l1, error) : code;
    code = code == 0 ? check_index(&l1, error) : code;
    code = code == 0 ? check_replacement(&l1, error) : code;
    code = code == 0 ? check_l1i(config, error) : code;
    code = code == 0 ? gm_config_check_sharing(config, gm_config_l1_sets(config),
                                               gm_config_l2_sets(config), error)
                     : code;
    code = code == 0 ? gm_config_check_l1(config, error) : code;
    code = code == 0 ? gm_config_check_l2(config, error) : code;
    code = code == 0 ? check_tracker(config, error) : code;
    code = code == 0 ? check_paced(config, error) : code;
    code = code == 0 ? check_kernels(config, error) : code;
    code = code == 0 ? check_sampling(config, error) : code;
    code = code == 0 ? check_size(&l2, error) : code;
    code = code == 0 ? check_index(&l2, error) : code;
    code = code == 0 ? check_replacement(&l2, error) : code;
    code = code == 0 ? gm_config_check_partitions(config, error) : code;
    code = code == 0
               ? check_store("global", config->l1.global_write, config->l1.global_allocate, error)
               : code;
    code = code == 0
               ? check_store("local", config->l1.local_write, config->l1.local_allocate, error)
               : code;
    return code == 0 ? gm_config_check_coherence(config, error) : code;
}
