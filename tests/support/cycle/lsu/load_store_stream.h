/* Random streams of memory accesses and random configurations for one SM's load/store unit, and how
 * they run. */
#ifndef GOLDMEM_TESTS_SUPPORT_CYCLE_LSU_LOAD_STORE_STREAM_H
#define GOLDMEM_TESTS_SUPPORT_CYCLE_LSU_LOAD_STORE_STREAM_H

#include "goldmem/bits.h"
#include "support/cycle/lsu/load_store_run.h"

enum { ACCESSES = 400, MOST_LINES = 8 };

typedef struct random_access {
    gm_cycle from; /* not issued earlier */
    gm_memory_access access;
    gm_line_request request[MOST_LINES];
} random_access;

typedef struct stream {
    uint32_t count;
    random_access access[ACCESSES];
} stream;

static inline gm_request_kind random_kind(test_random *random)
{
    uint64_t r = test_random_below(random, 16);
    return r < 9    ? GM_REQUEST_LOAD
           : r < 13 ? GM_REQUEST_STORE
                    : (gm_request_kind[]){GM_REQUEST_STRONG_LOAD, GM_REQUEST_ATOMIC,
                                          GM_REQUEST_REDUCTION}[r - 13];
}

static inline gm_line_request random_request(test_random *random, const gm_config *config,
                                             uint64_t lines)
{
    uint64_t line = test_random_below(random, lines);
    uint32_t all = (uint32_t)gm_mask((unsigned)(config->l1.line / GM_SECTOR));
    uint32_t sectors = (uint32_t)test_random_next(random) & all;
    sectors = sectors != 0 ? sectors : 1;
    sectors &= config->sm.coalesce == GM_COALESCE_SECTOR ? ~sectors + 1 : sectors;
    /* Local lines are lines of their own. */
    return (gm_line_request){.line = line,
                             .lanes = 1,
                             .sectors = sectors,
                             .whole = sectors & (uint32_t)test_random_next(random),
                             .local = line % 4 == 3,
                             .chosen = (line + sectors) % 2 == 0};
}

static inline void make_stream(stream *stream, test_random *random, const gm_config *config,
                               uint64_t lines)
{
    gm_cycle from = 10;
    stream->count = ACCESSES;
    for (uint32_t i = 0; i < ACCESSES; i++) {
        random_access *access = &stream->access[i];
        from += test_random_below(random, 16) == 0 ? test_random_below(random, 60) : 0;
        access->from = from;
        access->access = (gm_memory_access){
            .request = access->request,
            .requests = (uint32_t)test_random_below(random, MOST_LINES + 1),
            .ticket = i,
            .kind = (uint8_t)random_kind(random),
            .passes =
                test_random_below(random, 4) == 0 ? 1 + (uint32_t)test_random_below(random, 4) : 0,
            .warp = (uint32_t)test_random_below(random, 5),
        };
        for (uint32_t j = 0; j < access->access.requests; j++) {
            access->request[j] = random_request(random, config, lines);
        }
    }
}

/* The L1 with a tag store: few data lines in each set, and few tags more. */
static inline void make_decoupled(test_random *random, gm_config *config)
{
    config->l1.kind = GM_L1_DECOUPLED;
    config->l1.ways = 1 + test_random_below(random, 4);
    config->l1.size =
        config->l1.ways * config->l1.line * (UINT64_C(4) << test_random_below(random, 2));
    config->l1.tag_ways = config->l1.ways + 1 + test_random_below(random, 4);
    config->l1.rc_bits = 2 + test_random_below(random, 3);
    config->l1.threshold = test_random_below(random, 4);
    config->l1.lfu_any = test_random_below(random, 2) == 0;
    if (config->l1.replacement == GM_REPLACE_FIFO) {
        config->l1.replacement = GM_REPLACE_LRU;
    }
    config->l1.allocation = GM_ALLOCATE_ON_MISS;
}

/* A bypass policy, in half of them; profiles are whole runs' business. */
static inline void random_bypass(test_random *random, gm_config *config)
{
    static const gm_l1_bypass kinds[] = {GM_BYPASS_ALL,       GM_BYPASS_MRPB, GM_BYPASS_PDP,
                                         GM_BYPASS_MRPB,      GM_BYPASS_PDP,  GM_BYPASS_PDP,
                                         GM_BYPASS_CONTENTION};
    uint64_t number = test_random_below(random, 14);
    config->l1.bypass = number < 7 ? kinds[number] : GM_BYPASS_NONE;
    config->l1.protecting_distance = test_random_below(random, 12);
    if (config->l1.bypass == GM_BYPASS_CONTENTION) {
        config->sm.coalesce = GM_COALESCE_LINE;
    }
    if (config->l1.bypass == GM_BYPASS_CONTENTION && config->l1.size == GM_UNBOUNDED) {
        config->l1.bypass = GM_BYPASS_NONE;
    }
    if (config->l1.bypass == GM_BYPASS_PDP) {
        config->l1.replacement = (gm_replacement)test_random_below(random, 2);
        if (config->l1.size == GM_UNBOUNDED) {
            config->l1.size = config->l1.line * (config->l1.ways == GM_FULL ? 3 : config->l1.ways);
        }
    }
}

/* An L1 that is plain (gm_cycle_l1). */
static inline void make_plain(gm_config *config)
{
    config->l1.kind = GM_L1_CONVENTIONAL;
    config->l1.bypass = GM_BYPASS_NONE;
    config->l1.streaming = false;
    config->l1.load_places = 0;
    config->l1.merge_by = GM_MERGE_BY_LINE;
    config->l1.allocation = GM_ALLOCATE_ON_MISS;
    config->l2.line = config->l1.line;
    config->l1.ways = config->l1.ways <= 4 ? config->l1.ways : 3;
    config->l1.size = config->l1.line * config->l1.ways * 2;
    if (config->l1.replacement > GM_REPLACE_FIFO) {
        config->l1.replacement = GM_REPLACE_LRU;
    }
}

/* A unit with a write port. */
static inline void make_write_port(gm_config *config)
{
    config->sm.write_port = true;
    config->sm.collectors = 8;
    config->sm.register_banks = 8;
    config->sm.register_queues = true;
    config->l1.kind = GM_L1_CONVENTIONAL;
    config->l1.bypass = GM_BYPASS_NONE;
    config->l1.streaming = false;
    config->l1.lookup = config->l1.lookup == GM_LOOKUP_FIRST ? GM_LOOKUP_LAST : config->l1.lookup;
    config->l1.ways = config->l1.ways <= 4 ? config->l1.ways : 4;
    config->l1.size = config->l1.line * config->l1.ways * 2;
    if (config->l1.merge_by == GM_MERGE_BY_SECTOR) {
        config->sm.coalesce = GM_COALESCE_SECTOR;
    }
}

/* MSHRs that merge by sector, in half of the configurations that can have them. */
static inline void random_merge(test_random *random, gm_config *config)
{
    uint64_t sectors = config->l1.line / GM_SECTOR;
    if (config->l1.kind == GM_L1_CONVENTIONAL && config->l1.sectored &&
        config->l1.size != GM_UNBOUNDED && test_random_below(random, 2) == 0) {
        config->l1.merge_by = GM_MERGE_BY_SECTOR;
        config->l1.mshrs = config->l1.mshrs < sectors ? sectors : config->l1.mshrs;
        if (config->l1.allocation != GM_ALLOCATE_ON_MISS) {
            config->l1.global_allocate = config->l1.local_allocate = false;
        }
    }
}

/* A gate, in half of the configurations that can have one. */
static inline void random_streaming(test_random *random, gm_config *config)
{
    config->l1.streaming = config->l1.kind == GM_L1_CONVENTIONAL &&
                           config->l1.bypass == GM_BYPASS_NONE && config->l1.size != GM_UNBOUNDED &&
                           test_random_below(random, 2) == 0;
    config->gpu.sampling_period = 64 + test_random_below(random, 200);
}

/* Configurations that press on different resources. */
static inline gm_config random_config(test_random *random)
{
    gm_config config = defaults();
    static const uint64_t ways[] = {1, 2, 4, 20, GM_FULL};
    config.l1.ways = ways[test_random_below(random, 5)];
    config.l1.line = UINT64_C(64) << test_random_below(random, 2);
    config.l2.line = config.l1.line >> test_random_below(random, 2);
    uint64_t lines = config.l1.ways == GM_FULL ? 3 : config.l1.ways;
    config.l1.size = config.l1.line * lines * (UINT64_C(1) << test_random_below(random, 3));
    if (test_random_below(random, 8) == 0) {
        config.l1.size = GM_UNBOUNDED;
    }
    config.l1.sectored = test_random_below(random, 2) == 0;
    config.l1.replacement = (gm_replacement)test_random_below(random, 4);
    config.l1.global_write = (gm_write_policy)test_random_below(random, 3);
    config.l1.local_write = (gm_write_policy)test_random_below(random, 3);
    config.l1.global_allocate =
        config.l1.global_write != GM_WRITE_EVICT && test_random_below(random, 2) == 0;
    config.l1.local_allocate =
        config.l1.local_write != GM_WRITE_EVICT && test_random_below(random, 2) == 0;
    config.l1.latency = test_random_below(random, 40);
    config.l1.ports = 1 + test_random_below(random, 2);
    config.l1.mshrs = 1 + test_random_below(random, 5);
    config.l1.merges = 1 + test_random_below(random, 4);
    config.l1.miss_queue = 1 + test_random_below(random, 5);
    config.l1.allocation =
        test_random_below(random, 2) == 0 ? GM_ALLOCATE_ON_MISS : GM_ALLOCATE_ON_FILL;
    config.l1.bypass_queue = 1 + test_random_below(random, 3);
    config.sm.memory_queue = 1 + test_random_below(random, 3);
    if (test_random_below(random, 3) == 0) {
        make_decoupled(random, &config);
    } else {
        random_bypass(random, &config);
    }
    random_merge(random, &config);
    bool keeps = (config.l1.global_allocate && config.l1.global_write == GM_WRITE_BACK) ||
                 (config.l1.local_allocate && config.l1.local_write == GM_WRITE_BACK);
    if (config.l1.kind == GM_L1_CONVENTIONAL && config.l1.sectored && !keeps) {
        config.l1.fetch_on_write = (gm_l1_fetch)test_random_below(random, 2);
    }
    if (config.l1.bypass != GM_BYPASS_MRPB && test_random_below(random, 3) == 0) {
        config.l1.ports = 1;
        config.l1.banks = UINT64_C(2) << test_random_below(random, 3);
        config.l1.bank_interleave = UINT64_C(32) << test_random_below(random, 3);
        config.l1.bank_index = (gm_bank_index)test_random_below(random, 2);
    }
    if (config.l1.bypass != GM_BYPASS_MRPB && test_random_below(random, 2) == 0) {
        config.l1.lookup = GM_LOOKUP_LAST;
    }
    if (config.l1.banks > 1 && config.l1.bypass != GM_BYPASS_CONTENTION &&
        test_random_below(random, 2) == 0) {
        config.l1.lookup = GM_LOOKUP_BANKS;
        config.sm.coalesce = GM_COALESCE_SECTOR;
    }
    if (test_random_below(random, 2) == 0) {
        config.l1.tag_banks = UINT64_C(1) << test_random_below(random, 4);
        config.l1.data_banks = 1 + test_random_below(random, 2) * 31;
        config.sm.memory_lanes = UINT64_C(32) >> test_random_below(random, 3);
    }
    config.l1.mrpb_stalls = (gm_mrpb_stalls)test_random_below(random, 2);
    config.l1.mrpb_drain = config.l1.mshrs % 2 == 0 ? GM_MRPB_FIRST : GM_MRPB_UNTIL_EMPTY;
    random_streaming(random, &config);
    if (config.l1.kind == GM_L1_CONVENTIONAL) {
        config.l1.load_places = test_random_below(random, 3) * config.l1.miss_queue / 2;
    }
    return config;
}

/* As random_config, of an L1 with a gate. */
static inline gm_config random_gated_config(test_random *random)
{
    gm_config config = random_config(random);
    while (!config.l1.streaming) {
        config = random_config(random);
    }
    return config;
}

/* As random_gated_config, with a pipeline for each bank: several blocked requests, each with its
 * decision. */
static inline gm_config random_gated_banks(test_random *random)
{
    gm_config config = random_gated_config(random);
    while (config.l1.lookup != GM_LOOKUP_BANKS) {
        config = random_gated_config(random);
    }
    return config;
}

typedef enum run_mode {
    SKIP,
    EVERY_CYCLE,
    WHERE_DUE, /* every cycle, but a step only where gm_load_store_is_due says so */
    RETRY_ALWAYS,
    AS_ANY, /* SKIP, and a plain L1's loads take the way of any L1's */
    RUN_MODES
} run_mode;

typedef struct driver {
    uint32_t next;  /* access to issue */
    uint32_t done;  /* tickets */
    bool flushed;   /* the end of the kernel was told */
    uint64_t rests; /* cycles without a step, where they are visited */
    uint64_t hash;  /* of what was done when, and of the counters on the way */
} driver;

static inline uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

static inline void mix_counters(fixture *fixture, driver *driver)
{
    struct {
        gm_cache_statistics l1;
        gm_time_statistics time;
    } sum;
    uint64_t words[sizeof sum / sizeof(uint64_t)];
    memset(&sum, 0, sizeof sum);
    gm_load_store_sum(&fixture->unit, fixture->now, &sum.l1, &sum.time);
    memcpy(words, &sum, sizeof sum);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        driver->hash = mix(driver->hash, words[i]);
    }
}

/* The front end: issues what is due. */
static inline void front_end(fixture *fixture, driver *driver, const stream *stream)
{
    gm_load_store *unit = &fixture->unit;
    for (uint32_t i = 0; i < unit->done_count; i++) {
        driver->hash = mix(driver->hash, fixture->now << 12 | unit->done[i]);
        driver->done++;
    }
    const random_access *access = &stream->access[driver->next];
    if (driver->next < stream->count && gm_load_store_has_room(unit)) {
        if (access->from <= fixture->now) {
            gm_load_store_issue(unit, &access->access, fixture->now);
            driver->next++;
            if (unit->l1.shared->config->l1.fence_drops && driver->next % 4 == 0) {
                gm_load_store_drop(unit, fixture->now);
            }
        } else {
            gm_wake(&fixture->wake, access->from);
        }
    }
    if (driver->done == stream->count && !driver->flushed && gm_load_store_idle(unit)) {
        driver->flushed = true;
        gm_load_store_end_kernel(unit, fixture->now);
    }
}

/* Runs cycle by cycle up to `end`, or until all is over; whether it is. The interconnect has room
 * in three of four stretches of 8 cycles. */
static inline bool drive(fixture *fixture, driver *driver, const stream *stream, run_mode mode,
                         gm_cycle end)
{
    fixture->unit.retries = mode == RETRY_ALWAYS ? UINT32_MAX : 0;
    fixture->unit.l1.usual = fixture->unit.l1.usual && mode != AS_ANY;
    if (fixture->now == 0) {
        fixture->wake = 0;
    }
    for (; fixture->now < end; fixture->now++) {
        bool open = fixture->now / 8 * UINT64_C(0x9e3779b97f4a7c15) >> 62 != 0;
        if (open && !fixture->memory->open) {
            gm_wake(&fixture->wake, fixture->now);
        }
        fixture->memory->open = open;
        if ((mode != SKIP && mode != AS_ANY) || fixture->wake <= fixture->now) {
            fixture->wake = GM_NEVER;
            if (mode == WHERE_DUE && !gm_load_store_is_due(&fixture->unit, fixture->now)) {
                gm_load_store_rest(&fixture->unit);
                driver->rests++;
            } else {
                gm_load_store_step(&fixture->unit, fixture->now);
            }
            front_end(fixture, driver, stream);
        }
        if (fixture->now % 61 == 0) {
            mix_counters(fixture, driver);
        }
        if (driver->flushed && gm_load_store_idle(&fixture->unit)) {
            return true;
        }
    }
    return false;
}

#endif
