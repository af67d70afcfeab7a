/* Configuration check: what the keys require of each other. */
#include "config/config_check.h"
#include "config/config_coherence.h"
#include "config/config_sharing.h"
#include "goldmem/bits.h"
#include "goldmem/set_index.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

enum {
    WARP = 32,                   /* threads */
    MOST_SHARED = (1 << 24) - 1, /* lines of an L1 that contention_bypass can count */
    MOST_LIMITED = 64,           /* warps of a scheduler, with sm.throttle */
    SECTOR = 32,                 /* bytes */
    MOST_SETS = 65536,           /* gm_set_index has 16 index bits */
    FERMI_LINE = 128,  /* the fermi function names byte-address bits above a line of this size */
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

static bool one_set(const cache *cache)
{
    return cache->size == GM_UNBOUNDED || cache->ways == GM_FULL;
}

static uint64_t sets_of(const cache *cache)
{
    return one_set(cache) ? 1 : cache->size / cache->banks / (cache->ways * cache->line);
}

uint64_t gm_config_l1_sets(const gm_config *config)
{
    cache l1 = l1_of(config);
    return sets_of(&l1);
}

uint64_t gm_config_l1_most_ways(const gm_config *config)
{
    uint64_t bytes = config->l1.unified != 0 ? config->l1.unified : config->l1.size;
    return bytes / config->l1.line / gm_config_l1_sets(config);
}

uint64_t gm_config_l1_ways_beside(const gm_config *config, uint64_t shared)
{
    uint64_t most = gm_config_l1_most_ways(config);
    uint64_t unified = config->l1.unified;
    return unified == 0 ? most : (2 * most * (unified - shared) + unified) / (2 * unified);
}

uint64_t gm_config_l2_sets(const gm_config *config)
{
    cache l2 = l2_of(config);
    return sets_of(&l2);
}

uint64_t gm_config_tracker_sets(const gm_config *config)
{
    uint64_t instances = config->tracker.trackers * gm_config_tracker_partitions(config);
    uint64_t sets = config->tracker.sets / instances;
    return sets == 0 ? 0 : UINT64_C(1) << gm_log2_floor(sets);
}

uint64_t gm_config_tracker_partitions(const gm_config *config)
{
    return config->memory.interleave >= config->l1.line ? config->memory.partitions : 1;
}

uint64_t gm_config_tracker_sms(const gm_config *config)
{
    return (config->gpu.sms + config->tracker.trackers - 1) / config->tracker.trackers;
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
    if (function.kind == GM_INDEX_FERMI && cache->line != FERMI_LINE) {
        const char *of_line = strcmp(cache->section, "tracker") == 0 ? "l1" : cache->section;
        return gm_fail(error, -EINVAL, "%s.index=fermi: needs %s.line=%d, not %" PRIu64,
                       cache->section, of_line, FERMI_LINE, cache->line);
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

/* Checks the sizes that shared memory may have in unified memory. */
static int check_shared_options(const gm_config *config, gm_error *error)
{
    const gm_size_list *options = &config->l1.shared_options;
    uint64_t largest = options->size[options->count - 1];
    if (largest >= config->l1.unified || gm_config_l1_ways_beside(config, largest) == 0) {
        return gm_fail(error, -EINVAL,
                       "l1.shared_options: %" PRIu64 " bytes leave no way of the L1 in "
                       "l1.unified=%" PRIu64,
                       largest, config->l1.unified);
    }
    if (largest < config->sm.shared_bytes) {
        return gm_fail(error, -EINVAL,
                       "l1.shared_options: the largest, %" PRIu64
                       ", must be at least sm.shared_bytes=%" PRIu64,
                       largest, config->sm.shared_bytes);
    }
    return 0;
}

/* Checks what an L1 that shares its memory requires of the other keys. The ways of all sets change
 * with each kernel, which the block replacement, a tag store and protecting distances cannot. */
static int check_unified(const gm_config *config, gm_error *error)
{
    if (config->l1.unified == 0) {
        return 0;
    }
    const struct {
        bool wrong;
        const char *text;
    } rules[] = {
        {config->l1.kind != GM_L1_CONVENTIONAL, "l1.kind=conventional"},
        {config->l1.size == GM_UNBOUNDED, "a bounded l1.size"},
        {config->l1.ways == GM_FULL, "a number for l1.ways"},
        {config->l1.replacement != GM_REPLACE_LRU && config->l1.replacement != GM_REPLACE_FIFO,
         "l1.replacement=lru or fifo"},
        {config->l1.bypass == GM_BYPASS_PDP, "an l1.bypass other than pdp"},
        {config->coherence.protocol != GM_COHERENCE_NONE, "coherence.protocol=none"},
    };
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        if (rules[i].wrong) {
            return gm_fail(error, -EINVAL, "l1.unified=%" PRIu64 ": needs %s", config->l1.unified,
                           rules[i].text);
        }
    }
    uint64_t way = config->l1.size / config->l1.ways;
    if (config->l1.unified % way != 0) {
        return gm_fail(error, -EINVAL,
                       "l1.unified=%" PRIu64 ": must be a multiple of one way of all sets, "
                       "l1.size / l1.ways = %" PRIu64,
                       config->l1.unified, way);
    }
    return check_shared_options(config, error);
}

/* Checks what an L1 whose stores fetch nothing requires of the other keys: what a store leaves of a
 * sector must be in the L2. */
static int check_lazy_l1(const gm_config *config, gm_error *error)
{
    bool keeps = (config->l1.global_allocate && config->l1.global_write == GM_WRITE_BACK) ||
                 (config->l1.local_allocate && config->l1.local_write == GM_WRITE_BACK);
    if (config->l1.fetch_on_write == GM_L1_FETCH_PARTIAL) {
        return 0;
    }
    if (keeps || config->l1.kind != GM_L1_CONVENTIONAL || !config->l1.sectored) {
        return gm_fail(error, -EINVAL, "l1.fetch_on_write=lazy: needs %s",
                       config->l1.kind != GM_L1_CONVENTIONAL ? "l1.kind=conventional"
                       : !config->l1.sectored                ? "l1.sectored=yes"
                                              : "that write-back stores do not allocate");
    }
    return 0;
}

/* Checks what banks of the L1 require of the other keys. */
static int check_banks(const gm_config *config, gm_error *error)
{
    if (config->l1.banks == 1) {
        return 0;
    }
    if (config->l1.ports != 1 || config->l1.bypass == GM_BYPASS_MRPB) {
        return gm_fail(error, -EINVAL, "l1.banks=%" PRIu64 ": needs %s", config->l1.banks,
                       config->l1.ports != 1 ? "l1.ports=1" : "an l1.bypass other than mrpb");
    }
    return 0;
}

/* Checks what streaming bypass of the L1s requires of the other keys. */
static int check_l1_streaming(const gm_config *config, gm_error *error)
{
    const struct {
        bool wrong;
        const char *text;
    } rules[] = {
        {!config->l1.enabled, "l1.enabled=yes"},
        {config->l1.kind != GM_L1_CONVENTIONAL, "l1.kind=conventional"},
        {config->l1.size == GM_UNBOUNDED, "a bounded l1.size"},
        {config->l1.bypass != GM_BYPASS_NONE, "l1.bypass=none"},
        {config->coherence.protocol != GM_COHERENCE_NONE, "coherence.protocol=none"},
        {config->tracker.enabled, "tracker.enabled=no"},
    };
    for (size_t i = 0; config->l1.streaming && i < sizeof rules / sizeof rules[0]; i++) {
        if (rules[i].wrong) {
            return gm_fail(error, -EINVAL, "l1.streaming=yes: needs %s", rules[i].text);
        }
    }
    return 0;
}

/* Checks what streaming bypass requires of the other keys. */
static int check_streaming(const gm_config *config, gm_error *error)
{
    bool unbounded = config->l2.size == GM_UNBOUNDED;
    if (config->l2.streaming && (unbounded || config->coherence.protocol != GM_COHERENCE_NONE)) {
        return gm_fail(error, -EINVAL, "l2.streaming=yes: needs %s",
                       unbounded ? "a bounded l2.size" : "coherence.protocol=none");
    }
    return check_l1_streaming(config, error);
}

/* Checks what atomic buffers require of the other keys: no data of a line may be in flight, and no
 * L1 have a lease, while it is outside the L2's tags. */
static int check_atomic_buffer(const gm_config *config, gm_error *error)
{
    const struct {
        bool wrong;
        const char *text;
    } rules[] = {
        {config->l2.size == GM_UNBOUNDED, "a bounded l2.size"},
        {config->l2.streaming, "l2.streaming=no"},
        {config->l2.merge_by != GM_MERGE_BY_LINE, "l2.merge_by=line"},
        {config->coherence.protocol != GM_COHERENCE_NONE, "coherence.protocol=none"},
    };
    for (size_t i = 0; config->l2.atomic_buffer && i < sizeof rules / sizeof *rules; i++) {
        if (rules[i].wrong) {
            return gm_fail(error, -EINVAL, "l2.atomic_buffer=yes: needs %s", rules[i].text);
        }
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

/* Checks what CCWS requires of the other keys: an L1 whose lines and misses have each one warp. */
static int check_ccws(const gm_config *config, gm_error *error)
{
    const struct {
        bool wrong;
        const char *text;
    } rules[] = {
        {!config->l1.enabled, "l1.enabled=yes"},
        {config->l1.kind != GM_L1_CONVENTIONAL, "l1.kind=conventional"},
        {config->l1.size == GM_UNBOUNDED, "a bounded l1.size"},
        {config->l1.bypass != GM_BYPASS_NONE, "l1.bypass=none"},
        {config->l1.streaming, "l1.streaming=no"},
        {config->l1.merge_by != GM_MERGE_BY_LINE, "l1.merge_by=line"},
        {config->coherence.protocol != GM_COHERENCE_NONE, "coherence.protocol=none"},
        {config->sm.warps > 64, "sm.warps of at most 64"},
    };
    for (size_t i = 0; config->sm.throttle == GM_THROTTLE_CCWS && i < sizeof rules / sizeof *rules;
         i++) {
        if (rules[i].wrong) {
            return gm_fail(error, -EINVAL, "sm.throttle=ccws: needs %s", rules[i].text);
        }
    }
    return 0;
}

/* Checks what MSHRs that merge by sector require of the other keys. */
static int check_merge_by(const gm_config *config, gm_error *error)
{
    if (config->l1.merge_by == GM_MERGE_BY_LINE) {
        return 0;
    }
    bool allocates = config->l1.global_allocate || config->l1.local_allocate;
    const struct {
        bool wrong;
        const char *text;
    } rules[] = {
        {!config->l1.sectored, "l1.sectored=yes"},
        {config->l1.kind != GM_L1_CONVENTIONAL, "l1.kind=conventional"},
        {config->l1.size == GM_UNBOUNDED, "a bounded l1.size"},
        {config->l1.allocation != GM_ALLOCATE_ON_MISS && allocates,
         "l1.global_allocate=no and l1.local_allocate=no, or l1.allocation=on_miss"},
        {config->coherence.protocol != GM_COHERENCE_NONE, "coherence.protocol=none"},
    };
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        if (rules[i].wrong) {
            return gm_fail(error, -EINVAL, "l1.merge_by=sector: needs %s", rules[i].text);
        }
    }
    uint64_t sectors = config->l1.line / SECTOR;
    return config->l1.mshrs >= sectors
               ? 0
               : gm_fail(error, -EINVAL,
                         "l1.mshrs=%" PRIu64 ": must be at least the %" PRIu64
                         " sectors of a line with l1.merge_by=sector",
                         config->l1.mshrs, sectors);
}

/* An L2 whose MSHRs merge by sector takes packets of one sector each. */
const char *gm_config_l2_merge_lacks(const gm_config *config)
{
    bool l1 = config->l1.enabled;
    bool writes_back =
        config->l1.global_write == GM_WRITE_BACK || config->l1.local_write == GM_WRITE_BACK;
    const struct {
        bool wrong;
        const char *text;
    } rules[] = {
        {!config->l2.sectored, "l2.sectored=yes"},
        {config->l2.size == GM_UNBOUNDED, "a bounded l2.size"},
        {config->sm.coalesce != GM_COALESCE_SECTOR, "sm.coalesce=sector"},
        {l1 && !config->l1.sectored, "l1.sectored=yes"},
        {l1 && config->l1.kind != GM_L1_CONVENTIONAL, "l1.kind=conventional"},
        {l1 && writes_back, "l1.global_write and l1.local_write other than back"},
        {config->coherence.protocol != GM_COHERENCE_NONE, "coherence.protocol=none"},
    };
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        if (rules[i].wrong) {
            return rules[i].text;
        }
    }
    return NULL;
}

static int check_l2_merge_by(const gm_config *config, gm_error *error)
{
    const char *lacks = gm_config_l2_merge_lacks(config);
    return config->l2.merge_by == GM_MERGE_BY_SECTOR && lacks != NULL
               ? gm_fail(error, -EINVAL, "l2.merge_by=sector: needs %s", lacks)
               : 0;
}

/* Checks the ranges of the tag store of a decoupled L1 (goldmem/tag_store.h). */
static int check_decoupled(const gm_config *config, gm_error *error)
{
    enum { LEAST = 4, MOST = 1024 }; /* sets */
    if (config->l1.kind != GM_L1_DECOUPLED) {
        return config->l1.dueling
                   ? gm_fail(error, -EINVAL, "l1.dueling=yes: needs l1.kind=decoupled")
                   : 0;
    }
    if (config->l1.dueling && config->gpu.sms < 2) {
        return gm_fail(error, -EINVAL, "l1.dueling=yes: needs gpu.sms of 2 or more");
    }
    uint64_t sets = gm_config_l1_sets(config);
    if (sets < LEAST || sets > MOST) {
        return gm_fail(error, -EINVAL,
                       "l1.kind=decoupled: l1.size, l1.ways and l1.line make %" PRIu64
                       " sets; must be %d to %d",
                       sets, LEAST, MOST);
    }
    if (config->l1.ways >= config->l1.tag_ways) {
        return gm_fail(error, -EINVAL, "l1.tag_ways=%" PRIu64 ": must be above l1.ways=%" PRIu64,
                       config->l1.tag_ways, config->l1.ways);
    }
    if (config->l1.threshold >> config->l1.rc_bits != 0) {
        return gm_fail(
            error, -EINVAL,
            "l1.threshold=%" PRIu64 ": must fit in l1.rc_bits=%" PRIu64 ", 0 to %" PRIu64,
            config->l1.threshold, config->l1.rc_bits, gm_mask((unsigned)config->l1.rc_bits));
    }
    if (config->l1.allocation != GM_ALLOCATE_ON_MISS) {
        return gm_fail(error, -EINVAL, "l1.allocation: must be on_miss with l1.kind=decoupled");
    }
    if (config->l1.replacement == GM_REPLACE_FIFO) {
        return gm_fail(error, -EINVAL,
                       "l1.replacement=fifo: must be lru, srrip or ship with l1.kind=decoupled");
    }
    return 0;
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
    return config->l1.enabled
               ? 0
               : gm_fail(error, -EINVAL,
                         "sm.throttle=sampling: needs l1.enabled=yes: it follows an L1's misses");
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

/* Checks what a bypass policy (policy/bypass.h) requires of the other keys. */
static int check_bypass(const gm_config *config, gm_error *error)
{
    gm_l1_bypass bypass = config->l1.bypass;
    if (bypass == GM_BYPASS_NONE || !config->l1.enabled) {
        return 0;
    }
    if (config->l1.kind != GM_L1_CONVENTIONAL) {
        char name[GM_CONFIG_TEXT];
        gm_config_get(config, gm_config_find("l1.bypass"), name, sizeof name);
        return gm_fail(error, -EINVAL, "l1.bypass=%s: must be none with l1.kind=decoupled", name);
    }
    if (bypass == GM_BYPASS_PROFILED && strcmp(config->l1.profile, "none") == 0) {
        return gm_fail(error, -EINVAL,
                       "l1.bypass=profiled: needs l1.profile=FILE, which goldmem run "
                       "--write-profile FILE makes");
    }
    if (bypass == GM_BYPASS_MRPB && config->l1.lookup != GM_LOOKUP_FIRST) {
        return gm_fail(error, -EINVAL, "l1.bypass=mrpb: needs l1.lookup=first");
    }
    if (bypass == GM_BYPASS_PDP && config->l1.size == GM_UNBOUNDED) {
        return gm_fail(error, -EINVAL,
                       "l1.bypass=pdp: l1.size=unbounded has no line that could be protected");
    }
    if (bypass == GM_BYPASS_CONTENTION && config->l1.size == GM_UNBOUNDED) {
        return gm_fail(error, -EINVAL,
                       "l1.bypass=contention: l1.size=unbounded has no number of lines");
    }
    if (bypass == GM_BYPASS_CONTENTION && config->sm.coalesce != GM_COALESCE_LINE) {
        return gm_fail(error, -EINVAL, "l1.bypass=contention: needs sm.coalesce=line");
    }
    uint64_t lines = bypass == GM_BYPASS_CONTENTION
                         ? gm_config_l1_sets(config) * gm_config_l1_most_ways(config)
                         : 0;
    if (lines > MOST_SHARED) {
        return gm_fail(error, -EINVAL,
                       "l1.bypass=contention: l1.size and l1.line: %" PRIu64
                       " lines: must be at most %d",
                       lines, MOST_SHARED);
    }
    if (bypass == GM_BYPASS_PDP && config->l1.replacement != GM_REPLACE_LRU &&
        config->l1.replacement != GM_REPLACE_FIFO) {
        return gm_fail(error, -EINVAL, "l1.bypass=pdp: needs l1.replacement=lru or fifo");
    }
    return 0;
}

static int check_halves(const gm_config *config, gm_error *error)
{
    if (config->l2.halves == 2 && config->memory.partitions % 2 != 0) {
        return gm_fail(error, -EINVAL,
                       "l2.halves=2: needs an even number of memory.partitions, not %" PRIu64,
                       config->memory.partitions);
    }
    return 0;
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
        {"tensor", config->unit.tensor.units},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (kinds[i].units != GM_EACH && kinds[i].units > config->sm.schedulers) {
            return gm_fail(error, -EINVAL,
                           "unit.%s_units=%" PRIu64 ": must be at most sm.schedulers=%" PRIu64
                           ", or each",
                           kinds[i].name, kinds[i].units, config->sm.schedulers);
        }
    }
    return 0;
}

static int check_sm(const gm_config *config, gm_error *error)
{
    if (config->sm.threads > config->sm.warps * WARP) {
        return gm_fail(error, -EINVAL,
                       "sm.threads=%" PRIu64 ": must be at most %d times sm.warps=%" PRIu64,
                       config->sm.threads, WARP, config->sm.warps);
    }
    if (config->sm.subcores && config->sm.collectors % config->sm.schedulers != 0) {
        return gm_fail(error, -EINVAL,
                       "sm.subcores=yes: sm.collectors=%" PRIu64
                       " must be a multiple of sm.schedulers=%" PRIu64,
                       config->sm.collectors, config->sm.schedulers);
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

/* Returns the cycles in which a part can close its banks, open a row and serve it. */
static uint64_t time_of_a_row(const gm_config *config)
{
    uint64_t opened = config->dram.trp + config->dram.trc + config->dram.tras + config->dram.trrd +
                      config->dram.trrdl + config->dram.tfaw + config->dram.trcd +
                      config->dram.trcdw;
    uint64_t served = config->dram.twl + config->dram.tcl + config->dram.burst_cycles +
                      config->dram.twr + config->dram.trtp + config->dram.trtw +
                      config->dram.tcdlrl;
    return opened + served;
}

/* A bank must have the time to open a row and to serve it between two refreshes, or requests would
 * wait for ever. */
static int check_refresh(const gm_config *config, gm_error *error)
{
    if (config->dram.refresh == GM_REFRESH_NONE) {
        return 0;
    }
    bool all = config->dram.refresh == GM_REFRESH_ALL;
    uint64_t refresh = all ? config->dram.trfc : config->dram.trfcb;
    uint64_t least = 2 * (refresh + time_of_a_row(config)) + config->dram.banks * config->dram.tppd;
    if (config->dram.trefi < least) {
        return gm_fail(error, -EINVAL,
                       "dram.tREFI=%" PRIu64 ": must be at least %" PRIu64
                       ": twice %s and the time of a row, and dram.tPPD for each bank",
                       config->dram.trefi, least, all ? "dram.tRFC" : "dram.tRFCB");
    }
    if (!all && config->dram.trefi / config->dram.banks <= 2 * config->dram.trrefd) {
        return gm_fail(error, -EINVAL,
                       "dram.tREFI=%" PRIu64 ": must be more than 2 * dram.banks * dram.tRREFD "
                       "(%" PRIu64 ")",
                       config->dram.trefi, 2 * config->dram.banks * config->dram.trrefd);
    }
    return 0;
}

/* Checks what an L2 whose stores fetch nothing requires of the other keys. */
static int check_lazy(const gm_config *config, gm_error *error)
{
    if (config->l2.fetch_on_write != GM_FETCH_LAZY) {
        return 0;
    }
    bool sectored = config->l2.sectored || config->l2.line == SECTOR;
    if (!sectored || config->l2.size == GM_UNBOUNDED) {
        return gm_fail(error, -EINVAL, "l2.fetch_on_write=lazy: needs %s",
                       !sectored ? "l2.sectored=yes" : "a bounded l2.size");
    }
    return 0;
}

/* Checks what byte masks of the L2 require of the other keys. An L1 knows no bytes: what it writes
 * back may have bytes that other SMs have written since. */
static int check_l2_dirty(const gm_config *config, gm_error *error)
{
    const struct {
        bool wrong;
        const char *text;
    } rules[] = {
        {config->l2.line != SECTOR, "l2.line=32"},
        {config->l2.fetch_on_write != GM_FETCH_LAZY, "l2.fetch_on_write=lazy"},
        {config->l2.streaming, "l2.streaming=no"},
        {config->l1.global_write == GM_WRITE_BACK, "an l1.global_write other than back"},
        {config->l1.local_write == GM_WRITE_BACK, "an l1.local_write other than back"},
    };
    for (size_t i = 0; config->l2.dirty == GM_DIRTY_BYTE && i < sizeof rules / sizeof rules[0];
         i++) {
        if (rules[i].wrong) {
            return gm_fail(error, -EINVAL, "l2.dirty=byte: needs %s", rules[i].text);
        }
    }
    return 0;
}

/* Checks what an L2 that coalesced loads bypass requires of the other keys. */
static int check_l2_bypass(const gm_config *config, gm_error *error)
{
    if (config->l2.bypass == GM_L2_BYPASS_NONE) {
        return 0;
    }
    const char *lacks = config->l2.size == GM_UNBOUNDED ? "a bounded l2.size"
                        : config->l2.streaming          ? "l2.streaming=no"
                        : config->coherence.protocol != GM_COHERENCE_NONE
                            ? "coherence.protocol=none"
                            : NULL;
    return lacks == NULL ? 0 : gm_fail(error, -EINVAL, "l2.bypass=coalesced: needs %s", lacks);
}

/* Checks what an L2 that takes the L1s' victims requires of the other keys. A victim must have
 * every store that the L2 has performed: an isolated tracker knows those of its own SMs only, and a
 * line that another L1 has supplied from dirty data is newer than DRAM. */
static int check_l2_victim(const gm_config *config, gm_error *error)
{
    const struct {
        bool wrong;
        const char *text;
    } rules[] = {
        {config->l2.bypass != GM_L2_BYPASS_COALESCED, "l2.bypass=coalesced"},
        {!config->tracker.enabled, "tracker.enabled=yes"},
        {config->tracker.trackers != 1 && !config->tracker.ask,
         "tracker.trackers=1 or tracker.ask=yes"},
        {config->l1.global_write == GM_WRITE_BACK, "an l1.global_write other than back"},
        {config->l1.local_write == GM_WRITE_BACK, "an l1.local_write other than back"},
    };
    for (size_t i = 0; config->l2.victim && i < sizeof rules / sizeof rules[0]; i++) {
        if (rules[i].wrong) {
            return gm_fail(error, -EINVAL, "l2.victim=yes: needs %s", rules[i].text);
        }
    }
    return 0;
}

static int check_dram(const gm_config *config, gm_error *error)
{
    uint64_t banks = config->dram.channels * config->dram.pseudo_channels * config->dram.banks;
    if (banks > 256) {
        return gm_fail(error, -EINVAL,
                       "dram.banks=%" PRIu64 ": %" PRIu64 " with dram.channels=%" PRIu64
                       " and dram.pseudo_channels=%" PRIu64 ": at most 256 are possible",
                       config->dram.banks, banks, config->dram.channels,
                       config->dram.pseudo_channels);
    }
    if (config->dram.bank_groups > config->dram.banks) {
        return gm_fail(error, -EINVAL,
                       "dram.bank_groups=%" PRIu64 ": must be at most dram.banks=%" PRIu64,
                       config->dram.bank_groups, config->dram.banks);
    }
    if (config->dram.low_banks > config->dram.banks) {
        return gm_fail(error, -EINVAL,
                       "dram.low_banks=%" PRIu64 ": must be at most dram.banks=%" PRIu64,
                       config->dram.low_banks, config->dram.banks);
    }
    if (config->dram.burst > config->dram.row) {
        return gm_fail(error, -EINVAL, "dram.burst=%" PRIu64 ": must be at most dram.row=%" PRIu64,
                       config->dram.burst, config->dram.row);
    }
    return check_refresh(config, error);
}

/* Checks the caches after their line sizes. An L1 that is off is checked too, so that it can be
 * turned on. */
int gm_config_check(const gm_config *config, gm_error *error)
{
    cache l1 = l1_of(config);
    cache l2 = l2_of(config);
    int code = check_sm(config, error);
    code = code == 0 ? check_lines(config, error) : code;
    code = code == 0 ? check_dram(config, error) : code;
    code = code == 0 ? check_size(&l1, error) : code;
    code = code == 0 ? check_index(&l1, error) : code;
    code = code == 0 ? check_replacement(&l1, error) : code;
    code = code == 0 ? check_unified(config, error) : code;
    code = code == 0 ? check_l1i(config, error) : code;
    code = code == 0 ? check_merge_by(config, error) : code;
    code = code == 0 ? check_ccws(config, error) : code;
    code = code == 0 ? check_lazy_l1(config, error) : code;
    code = code == 0 ? check_l2_merge_by(config, error) : code;
    code = code == 0 ? check_banks(config, error) : code;
    code = code == 0 ? check_streaming(config, error) : code;
    code = code == 0 ? check_atomic_buffer(config, error) : code;
    code = code == 0 ? check_lazy(config, error) : code;
    code = code == 0 ? check_l2_dirty(config, error) : code;
    code = code == 0 ? check_l2_bypass(config, error) : code;
    code = code == 0 ? check_l2_victim(config, error) : code;
    code = code == 0 ? gm_config_check_sharing(config, gm_config_l1_sets(config),
                                               gm_config_l2_sets(config), error)
                     : code;
    code = code == 0 ? check_decoupled(config, error) : code;
    code = code == 0 ? check_bypass(config, error) : code;
    code = code == 0 ? check_tracker(config, error) : code;
    code = code == 0 ? check_kernels(config, error) : code;
    code = code == 0 ? check_sampling(config, error) : code;
    code = code == 0 ? check_halves(config, error) : code;
    code = code == 0 ? check_size(&l2, error) : code;
    code = code == 0 ? check_index(&l2, error) : code;
    code = code == 0 ? check_replacement(&l2, error) : code;
    code = code == 0
               ? check_store("global", config->l1.global_write, config->l1.global_allocate, error)
               : code;
    code = code == 0
               ? check_store("local", config->l1.local_write, config->l1.local_allocate, error)
               : code;
    return code == 0 ? gm_config_check_coherence(config, error) : code;
}
