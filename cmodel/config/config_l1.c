/* Configuration check: what the keys of an L1 require of the other keys. */
#include "config/config_l1.h"

#include "goldmem/bits.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

enum {
    MOST_SHARED = (1 << 24) - 1, /* lines of an L1 that contention_bypass can count */
    SECTOR = 32,                 /* bytes */
};

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

/* Checks what MSHRs that merge by sector require of the other keys. */
static int check_merge_by(const gm_config *config, gm_error *error)
{
    if (config->l1.merge_by == GM_MERGE_BY_LINE) {
        return config->l1.answers == GM_ANSWERS_BY_SECTOR
                   ? 0
                   : gm_fail(error, -EINVAL, "l1.answers=request: needs l1.merge_by=sector");
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

/* The bytes that stores write are known where they are sent to the L2. */
const char *gm_config_l1_parts_lacks(const gm_config *config)
{
    return config->l1.fetch_on_write != GM_L1_FETCH_LAZY     ? "l1.fetch_on_write=lazy"
           : !gm_config_sends_bytes(config)                  ? "an l2.dirty other than sector"
           : config->l1.size == GM_UNBOUNDED                 ? "a bounded l1.size"
           : config->tracker.enabled                         ? "tracker.enabled=no"
           : config->coherence.protocol != GM_COHERENCE_NONE ? "coherence.protocol=none"
                                                             : NULL;
}

/* Checks what an L1 whose stores fetch nothing requires of the other keys: what a store leaves of a
 * sector must be in the L2. */
static int check_lazy_l1(const gm_config *config, gm_error *error)
{
    bool keeps = (config->l1.global_allocate && config->l1.global_write == GM_WRITE_BACK) ||
                 (config->l1.local_allocate && config->l1.local_write == GM_WRITE_BACK);
    const char *parts_lack = gm_config_l1_parts_lacks(config);
    if (config->l1.parts && parts_lack != NULL) {
        return gm_fail(error, -EINVAL, "l1.parts=yes: needs %s", parts_lack);
    }
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
    if (config->l1.tag_index == GM_TAGS_GH100 && config->l1.tag_banks != 4) {
        return gm_fail(error, -EINVAL, "l1.tag_index=gh100: needs l1.tag_banks=4, not %" PRIu64,
                       config->l1.tag_banks);
    }
    if (config->l1.lookup == GM_LOOKUP_BANKS &&
        (config->l1.banks == 1 || config->sm.coalesce != GM_COALESCE_SECTOR)) {
        return gm_fail(error, -EINVAL, "l1.lookup=banks: needs %s",
                       config->l1.banks == 1 ? "l1.banks above 1" : "sm.coalesce=sector");
    }
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

/* A line that stays must hold nothing that only it has (local memory has no such requests), and
 * nobody else must look for it. */
const char *gm_config_l1_keep_lacks(const gm_config *config)
{
    bool back = config->l1.global_write == GM_WRITE_BACK;
    return config->l1.kind != GM_L1_CONVENTIONAL             ? "l1.kind=conventional"
           : back                                            ? "an l1.global_write other than back"
           : config->tracker.enabled                         ? "tracker.enabled=no"
           : config->sharing.enabled                         ? "sharing.enabled=no"
           : config->coherence.protocol != GM_COHERENCE_NONE ? "coherence.protocol=none"
                                                             : NULL;
}

static int check_keep(const gm_config *config, gm_error *error)
{
    if (config->l1.bypass_early && !config->l1.keep_bypassed) {
        return gm_fail(error, -EINVAL, "l1.bypass_early=yes: needs l1.keep_bypassed=yes");
    }
    const char *lacks = gm_config_l1_keep_lacks(config);
    return config->l1.keep_bypassed && lacks != NULL
               ? gm_fail(error, -EINVAL, "l1.keep_bypassed=yes: needs %s", lacks)
               : 0;
}

/* Loads that miss are refused in one place. */
const char *gm_config_load_places_lacks(const gm_config *config)
{
    return config->l1.kind != GM_L1_CONVENTIONAL             ? "l1.kind=conventional"
           : config->coherence.protocol != GM_COHERENCE_NONE ? "coherence.protocol=none"
                                                             : NULL;
}

static int check_load_places(const gm_config *config, gm_error *error)
{
    const char *lacks = gm_config_load_places_lacks(config);
    if (config->l1.load_places > config->l1.miss_queue) {
        return gm_fail(error, -EINVAL, "l1.load_places: needs at most l1.miss_queue");
    }
    return config->l1.load_places != 0 && lacks != NULL
               ? gm_fail(error, -EINVAL, "l1.load_places: needs %s", lacks)
               : 0;
}

/* Nobody else may look for a line that is dropped. */
const char *gm_config_l1_drops_lacks(const gm_config *config)
{
    return config->l1.kind != GM_L1_CONVENTIONAL             ? "l1.kind=conventional"
           : config->l1.streaming                            ? "l1.streaming=no"
           : config->tracker.enabled                         ? "tracker.enabled=no"
           : config->sharing.enabled                         ? "sharing.enabled=no"
           : config->coherence.protocol != GM_COHERENCE_NONE ? "coherence.protocol=none"
                                                             : NULL;
}

static int check_drops(const gm_config *config, gm_error *error)
{
    const char *lacks = gm_config_l1_drops_lacks(config);
    return config->l1.fence_drops && lacks != NULL
               ? gm_fail(error, -EINVAL, "l1.fence_drops=yes: needs %s", lacks)
               : 0;
}

/* Data come with their request's registers known, and each request waits in one MSHR entry; the
 * cycles are those of collectors behind which instructions wait, and of a look-up at the end. */
const char *gm_config_write_port_lacks(const gm_config *config)
{
    bool split =
        config->l1.merge_by == GM_MERGE_BY_SECTOR && config->sm.coalesce != GM_COALESCE_SECTOR;
    return config->sm.collectors == 0 ||
                   (!config->sm.subcores && !gm_config_register_queues(config))
               ? "sm.collectors, with sm.subcores or sm.register_queues"
           : config->l1.kind != GM_L1_CONVENTIONAL           ? "l1.kind=conventional"
           : config->l1.lookup == GM_LOOKUP_FIRST            ? "l1.lookup=last or banks"
           : config->l1.size == GM_UNBOUNDED                 ? "a bounded l1.size"
           : config->l1.bypass != GM_BYPASS_NONE             ? "l1.bypass=none"
           : config->l1.streaming                            ? "l1.streaming=no"
           : split                                           ? "sm.coalesce=sector"
           : config->unit.shared == 0                        ? "a unit.shared above 0"
           : config->sm.throttle == GM_THROTTLE_CCWS         ? "an sm.throttle other than ccws"
           : config->tracker.enabled                         ? "tracker.enabled=no"
           : config->sharing.enabled                         ? "sharing.enabled=no"
           : config->coherence.protocol != GM_COHERENCE_NONE ? "coherence.protocol=none"
                                                             : NULL;
}

static int check_write_port(const gm_config *config, gm_error *error)
{
    const char *lacks = gm_config_write_port_lacks(config);
    return config->sm.write_port && lacks != NULL
               ? gm_fail(error, -EINVAL, "sm.write_port=yes: needs %s", lacks)
               : 0;
}

int gm_config_check_l1(const gm_config *config, gm_error *error)
{
    static int (*const checks[])(const gm_config *, gm_error *) = {
        check_unified, check_merge_by,     check_ccws,       check_lazy_l1,
        check_banks,   check_l1_streaming, check_decoupled,  check_bypass,
        check_keep,    check_drops,        check_write_port, check_load_places,
    };
    int code = 0;
    for (size_t i = 0; code == 0 && i < sizeof checks / sizeof *checks; i++) {
        code = checks[i](config, error);
    }
    return code;
}
