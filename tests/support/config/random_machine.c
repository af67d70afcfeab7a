#include "support/config/random_machine.h"

#include "config/config_l1.h"
#include "config/config_memory.h"
#include "goldmem/bits.h"
#include "goldmem/warp_limiter.h"
#include "support/config/mixture.h"
#include "support/config/tracked.h"
#include "support/policy/bypass_variant.h"

#include <string.h>

enum { SMALL = 64, QUICK = 16, WATCHDOG = 1000000 };

/* Keys that would make a run long or large, and their greatest value here. */
static uint64_t bound_of(const char *name)
{
    static const struct {
        const char *name;
        uint64_t bound;
    } rows[] = {
        {"gpu.sms", 6},         {"memory.partitions", 5},         {"memory.banks", 4},
        {"sm.launch", 300},     {"memory.interleave", 4096},      {"sm.group", 16},
        {"sm.cta_launch", 300}, {"sm.warp_launch", 40},           {"noc.latency", 100},
        {"dram.latency", 300},  {"memory.bank_interleave", 8192},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(rows[i].name, name) == 0) {
            return rows[i].bound;
        }
    }
    return UINT64_MAX;
}

/* Small values often, since they are the sharp ones; the whole range sometimes. */
static uint64_t random_value(test_random *random, const gm_key *key, bool quick)
{
    uint64_t high = key->high < bound_of(key->name) ? key->high : bound_of(key->name);
    uint64_t bound = key->low + (quick ? QUICK : SMALL);
    if (bound > high || (!quick && test_random_below(random, 4) == 0)) {
        bound = high;
    }
    if (test_random_below(random, 3) == 0) {
        return key->low;
    }
    uint64_t value = key->low + test_random_below(random, bound - key->low + 1);
    if (key->power_of_two) {
        uint64_t power = key->low != 0 ? key->low : 1;
        while (power * 2 <= value) {
            power *= 2;
        }
        value = power;
    }
    return value;
}

static void random_choice(test_random *random, const gm_key *key, char *text, size_t size)
{
    uint64_t count = 1;
    for (const char *at = key->choices; (at = strchr(at, '|')) != NULL; at++) {
        count++;
    }
    const char *at = key->choices;
    for (uint64_t skip = test_random_below(random, count); skip > 0; skip--) {
        at = strchr(at, '|') + 1;
    }
    snprintf(text, size, "%.*s", (int)strcspn(at, "|"), at);
}

/* KEY=VALUE with a random value; "" for keys that are left alone. */
static void random_setting(test_random *random, const gm_key *key, bool quick, char *text,
                           size_t size)
{
    static const char *const indices[] = {"sequential", "xor", "ipoly"};
    int used = snprintf(text, size, "%s=", key->name);
    text += used;
    size -= (size_t)used;
    switch (key->type) {
    case GM_KEY_BOOLEAN:
        snprintf(text, size, "%s", test_random_below(random, 2) == 0 ? "yes" : "no");
        break;
    case GM_KEY_INTEGER:
    case GM_KEY_SIZE:
        if (key->special != NULL && test_random_below(random, 8) == 0) {
            snprintf(text, size, "%s", key->special);
        } else {
            snprintf(text, size, "%llu", (unsigned long long)random_value(random, key, quick));
        }
        break;
    case GM_KEY_SIZES:
        snprintf(text, size, "%s", key->initial);
        break;
    case GM_KEY_CHOICE:
        random_choice(random, key, text, size);
        break;
    case GM_KEY_INDEX:
        snprintf(text, size, "%s", indices[test_random_below(random, 3)]);
        break;
    case GM_KEY_FILE:
        snprintf(text, size, "%s", key->special);
        break;
    }
}

/* Sizes of a cache that its ways and lines allow. */
static uint64_t random_size(test_random *random, uint64_t ways, uint64_t line, uint64_t banks)
{
    uint64_t rows = UINT64_C(1) << test_random_below(random, 4);
    return (ways == GM_FULL ? 1 + test_random_below(random, 30) : ways * rows) * line * banks;
}

/* Few banks, and time between refreshes. */
static void make_dram_consistent(gm_config *config)
{
    uint64_t parts = config->dram.channels * config->dram.pseudo_channels;
    config->dram.banks = parts * config->dram.banks > 256 ? 256 / parts : config->dram.banks;
    uint64_t refresh =
        config->dram.refresh == GM_REFRESH_ALL ? config->dram.trfc : config->dram.trfcb;
    uint64_t least =
        2 * (refresh + config->dram.trc + config->dram.trp + config->dram.trcd +
             config->dram.trcdw + config->dram.twl + config->dram.tcl + config->dram.burst_cycles +
             config->dram.twr + config->dram.tras + config->dram.trrd + config->dram.trrdl +
             config->dram.tfaw + config->dram.trtp + config->dram.trtw + config->dram.tcdlrl) +
        config->dram.banks * (3 * config->dram.trrefd + config->dram.tppd);
    config->dram.trefi += least;
    config->dram.trtpl = config->dram.refresh == GM_REFRESH_NONE ? config->dram.trtpl : 0;
}

/* Units and collectors that the schedulers can have. */
static void fit_schedulers(gm_config *config)
{
    uint64_t *const units[] = {&config->unit.integer.units, &config->unit.fp32.units,
                               &config->unit.fp64.units, &config->unit.special.units,
                               &config->unit.tensor.units};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (*units[i] != GM_EACH && *units[i] > config->sm.schedulers) {
            *units[i] = GM_EACH;
        }
    }
    if (config->sm.warps > GM_WARP_LIMITER_WARPS * config->sm.schedulers) {
        config->sm.throttle = GM_THROTTLE_NONE;
    }
    if (config->sm.subcores) {
        config->sm.collectors -= config->sm.collectors % config->sm.schedulers;
    }
    uint64_t parts = config->sm.subcores ? config->sm.schedulers : 1;
    if (config->sm.register_banks * parts > 64) {
        config->sm.register_queues = false;
    }
}

/* An L2 that knows bytes, with all that it requires, in some of the machines. */
static void fit_bytes(test_random *random, gm_config *config)
{
    if (config->l2.dirty != GM_DIRTY_SECTOR && test_random_below(random, 2) == 0) {
        bool parts = config->l2.dirty == GM_DIRTY_PARTS;
        config->l2.line = parts ? config->l2.line : 32;
        config->l2.sectored |= parts;
        config->l2.atomic_buffer &= !parts;
        config->sm.coalesce = parts ? GM_COALESCE_SECTOR : config->sm.coalesce;
        config->l2.size = config->l2.size == GM_UNBOUNDED ? 1 : config->l2.size;
        config->l2.fetch_on_write = GM_FETCH_LAZY;
        config->l2.streaming = false;
        config->l1.global_write =
            config->l1.global_write == GM_WRITE_BACK ? GM_WRITE_THROUGH : config->l1.global_write;
        config->l1.local_write =
            config->l1.local_write == GM_WRITE_BACK ? GM_WRITE_THROUGH : config->l1.local_write;
    } else {
        config->l2.dirty = GM_DIRTY_SECTOR;
    }
}

/* What the program needs to fit, and what keys ask of each other. */
static void make_consistent(test_random *random, gm_config *config)
{
    config->sm.warps = config->sm.warps < 4 ? 4 : config->sm.warps;
    uint64_t most = config->sm.warps * 32;
    config->sm.threads = config->sm.threads < 128 ? 128 : config->sm.threads;
    config->sm.threads = config->sm.threads > most ? most : config->sm.threads;
    config->sm.registers = 32768;
    fit_schedulers(config);
    config->sm.shared_bytes = 48 << 10;
    config->gpu.watchdog = WATCHDOG;
    fit_bytes(random, config);
    config->l2.line = config->l2.line > config->l1.line ? config->l1.line : config->l2.line;
    if (config->memory.interleave < config->l2.line) {
        config->memory.interleave = config->l2.line;
    }
    if (config->memory.bank_interleave < config->l2.line) {
        config->memory.bank_interleave = config->l2.line;
    }
    config->dram.row = config->dram.row < 1024 ? 1024 : config->dram.row;
    config->dram.burst =
        config->dram.burst > config->dram.row ? config->dram.row : config->dram.burst;
    make_dram_consistent(config);
    if (config->dram.bank_groups > config->dram.banks) {
        config->dram.bank_groups = config->dram.banks;
    }
    if (config->dram.low_banks > config->dram.banks) {
        config->dram.low_banks = config->dram.banks;
    }
    if (config->dram.rows != 0) {
        config->dram.rows = UINT64_C(1) << gm_log2_floor(config->dram.rows);
    }
    if (config->dram.low_bytes != 0) {
        uint64_t bytes = UINT64_C(1) << gm_log2_floor(config->dram.low_bytes);
        config->dram.low_bytes = bytes < config->l2.line ? config->l2.line : bytes;
    }
    if (config->memory.partitions % 2 != 0) {
        config->l2.halves = 1;
    }
    uint64_t banks = config->memory.partitions * config->memory.banks;
    if (config->l1.size != GM_UNBOUNDED) {
        config->l1.size = random_size(random, config->l1.ways, config->l1.line, 1);
    }
    if (config->l2.size != GM_UNBOUNDED) {
        config->l2.size = random_size(random, config->l2.ways, config->l2.line, banks);
    }
    /* SRRIP and SHiP take 32 ways at most. */
    if (config->l1.ways != GM_FULL && config->l1.ways > 32) {
        config->l1.replacement = GM_REPLACE_FIFO;
    }
    if (config->l2.ways != GM_FULL && config->l2.ways > 32) {
        config->l2.replacement = GM_REPLACE_FIFO;
    }
    if (config->l2.fetch_on_write == GM_FETCH_LAZY &&
        ((!config->l2.sectored && config->l2.line != 32) || config->l2.size == GM_UNBOUNDED)) {
        config->l2.fetch_on_write = GM_FETCH_PARTIAL;
    }
    config->l1.global_allocate &= config->l1.global_write != GM_WRITE_EVICT;
    config->l1.local_allocate &= config->l1.local_write != GM_WRITE_EVICT;
    config->coherence.protocol = GM_COHERENCE_NONE;
    config->noc.networks = 0;
    bool one = config->noc.topology == GM_TOPOLOGY_CROSSBAR && config->noc.channels == 1;
    config->noc.arbitration = one ? config->noc.arbitration : GM_ARBITRATE_ISLIP;
    bool islip = config->noc.arbitration == GM_ARBITRATE_ISLIP;
    config->noc.speedup = one && islip ? config->noc.speedup : 1;
}

/* What a decoupled L1 can have. */
static void random_decoupled(test_random *random, gm_config *config)
{
    config->l1.ways = 1 + test_random_below(random, 8);
    config->l1.tag_ways = config->l1.ways + 1 + test_random_below(random, 24);
    config->l1.size =
        config->l1.ways * config->l1.line * (UINT64_C(4) << test_random_below(random, 4));
    config->l1.threshold &= gm_mask((unsigned)config->l1.rc_bits);
    set_bypass(config, GM_BYPASS_NONE);
    if (config->l1.replacement == GM_REPLACE_FIFO) {
        config->l1.replacement = GM_REPLACE_LRU;
    }
    config->l1.allocation = GM_ALLOCATE_ON_MISS;
}

/* Memory that L1 and shared memory divide, in some of the machines that can have it. */
static void random_unified(test_random *random, gm_config *config)
{
    gm_error error;
    bool can =
        config->l1.kind == GM_L1_CONVENTIONAL && config->l1.size != GM_UNBOUNDED &&
        config->l1.ways != GM_FULL &&
        (config->l1.replacement == GM_REPLACE_LRU || config->l1.replacement == GM_REPLACE_FIFO) &&
        config->l1.bypass != GM_BYPASS_PDP;
    config->l1.unified = 0;
    if (can && test_random_below(random, 2) == 0) {
        uint64_t way = config->l1.size / config->l1.ways;
        config->l1.unified =
            (config->sm.shared_bytes / way + 2 + test_random_below(random, 8)) * way;
        test_ok(gm_config_set(config, "l1.shared_options", "0,1KB,7000,16KB,48KB", &error), error);
    }
}

/* An L2 whose MSHRs merge by sector, with all that it requires but write policies of the L1. */
static void fit_l2_merge(gm_config *config)
{
    if (config->l2.merge_by == GM_MERGE_BY_SECTOR && config->l2.size != GM_UNBOUNDED) {
        config->l2.sectored = true;
        config->sm.coalesce = GM_COALESCE_SECTOR;
        config->l1.sectored = true;
    }
    if (gm_config_l2_merge_lacks(config) != NULL) {
        config->l2.merge_by = GM_MERGE_BY_LINE;
    }
}

/* MSHRs that merge by sector where they can. */
static void random_merge(gm_config *config)
{
    uint64_t sectors = config->l1.line / 32;
    if (config->l1.kind != GM_L1_CONVENTIONAL || !config->l1.sectored ||
        config->l1.size == GM_UNBOUNDED) {
        config->l1.merge_by = GM_MERGE_BY_LINE;
    } else if (config->l1.merge_by == GM_MERGE_BY_SECTOR) {
        config->l1.mshrs = config->l1.mshrs < sectors ? sectors : config->l1.mshrs;
        if (config->l1.allocation != GM_ALLOCATE_ON_MISS) {
            config->l1.global_allocate = config->l1.local_allocate = false;
        }
    }
}

/* Stores that fetch nothing where they can. */
static void fit_lazy(gm_config *config)
{
    bool keeps = (config->l1.global_allocate && config->l1.global_write == GM_WRITE_BACK) ||
                 (config->l1.local_allocate && config->l1.local_write == GM_WRITE_BACK);
    if (keeps || config->l1.kind != GM_L1_CONVENTIONAL || !config->l1.sectored) {
        config->l1.fetch_on_write = GM_L1_FETCH_PARTIAL;
    }
}

/* CCWS with the L1 that it requires, where the L1 is conventional, and bounded. */
static void fit_ccws(gm_config *config)
{
    if (config->sm.throttle != GM_THROTTLE_CCWS) {
        return;
    }
    if (config->l1.kind != GM_L1_CONVENTIONAL || config->l1.size == GM_UNBOUNDED ||
        config->sm.warps > 64) {
        config->sm.throttle = GM_THROTTLE_NONE;
        return;
    }
    config->l1.enabled = true;
    config->l1.bypass = GM_BYPASS_NONE;
    config->l1.streaming = false;
    config->l1.merge_by = GM_MERGE_BY_LINE;
    config->coherence.protocol = GM_COHERENCE_NONE;
}

/* An instruction cache where there is fetch. */
static void fit_l1i(test_random *random, gm_config *config)
{
    if (config->sm.fetch == 0) {
        config->l1i.size = 0;
    } else if (config->l1i.size != 0) {
        config->l1i.size = random_size(random, config->l1i.ways, config->l1i.line, 1);
    }
}

/* Gates where they can be, in place of bypass policies, with periods that a run has many of. */
static void fit_streaming(test_random *random, gm_config *config)
{
    config->gpu.sampling_period = UINT64_C(64) << test_random_below(random, 10);
    config->l1.streaming &= config->l1.enabled && config->l1.kind == GM_L1_CONVENTIONAL &&
                            config->l1.size != GM_UNBOUNDED;
    config->l1.bypass = config->l1.streaming ? GM_BYPASS_NONE : config->l1.bypass;
    config->l2.streaming &= config->l2.size != GM_UNBOUNDED;
    if (config->l2.streaming || config->l2.size == GM_UNBOUNDED) {
        config->l2.bypass = GM_L2_BYPASS_NONE;
    }
}

/* Atomic buffers where they can be. */
static void fit_atomic_buffer(gm_config *config)
{
    config->l2.atomic_buffer &= config->l2.size != GM_UNBOUNDED && !config->l2.streaming &&
                                config->l2.merge_by == GM_MERGE_BY_LINE;
}

/* Makes a machine whose other keys allow it sharing-aware, with small caches. */
static void fit_sharing(test_random *random, gm_config *config)
{
    gm_config made = *config;
    gm_error error;
    made.sharing.enabled = true;
    made.l1.sectored = made.l2.sectored = false;
    made.l1.replacement = made.l2.replacement = GM_REPLACE_LRU;
    made.l1.allocation = GM_ALLOCATE_ON_FILL;
    made.l1.global_write = GM_WRITE_THROUGH;
    made.l1.local_write = GM_WRITE_BACK;
    made.l1.local_allocate = true;
    made.l1.streaming = made.l2.streaming = false;
    made.l2.bypass = GM_L2_BYPASS_NONE;
    made.l2.dirty = GM_DIRTY_SECTOR;
    made.l2.fetch = 32;
    made.l2.atomic_buffer = false;
    made.l2.line = made.l1.line;
    made.l1.ways = 1 + test_random_below(random, 4);
    made.l1.size = made.l1.ways * made.l1.line << test_random_below(random, 4);
    made.l2.ways = 1 + test_random_below(random, 8);
    made.l2.size = made.memory.partitions * made.memory.banks * made.l2.ways * made.l2.line
                   << test_random_below(random, 4);
    config->sharing.enabled = false;
    if (test_random_below(random, 3) == 0 && gm_config_check(&made, &error) == 0) {
        *config = made;
    }
}

/* Clocks at most 16 times apart, else most runs would be long. */
static void random_clocks(test_random *random, gm_config *config)
{
    config->clock.core = 400 + test_random_below(random, 1200);
    config->clock.noc = config->clock.core * (1 + test_random_below(random, 64)) / 16 + 1;
    config->clock.l2 = config->clock.core * (1 + test_random_below(random, 64)) / 16 + 1;
    config->clock.dram = config->clock.core * (1 + test_random_below(random, 64)) / 16 + 1;
}

/* Tag banks, answers and reads of DRAM as an H100 has them, in some of the machines that can have
 * them. */
static void fit_h100(test_random *random, gm_config *config)
{
    if (config->l1.tag_index == GM_TAGS_GH100 && test_random_below(random, 2) == 0) {
        config->l1.tag_banks = 4;
    }
    if (config->l1.tag_banks != 4) {
        config->l1.tag_index = GM_TAGS_XOR;
    }
    if (config->l2.halves != 2 || config->l2.size == GM_UNBOUNDED) {
        config->l2.copies = false;
    }
    if (config->l1.merge_by != GM_MERGE_BY_SECTOR) {
        config->l1.answers = GM_ANSWERS_BY_SECTOR;
    }
    if (config->l2.fetch > config->l2.line || !config->l2.sectored || config->l2.streaming ||
        config->l2.merge_by != GM_MERGE_BY_LINE || config->l2.bypass != GM_L2_BYPASS_NONE ||
        config->l2.victim || config->l2.dirty != GM_DIRTY_SECTOR) {
        config->l2.fetch = 32;
    }
}

/* A write port, in the machines that can have one. */
static void fit_write_port(gm_config *config)
{
    gm_error error;
    gm_config taken = *config;
    taken.sm.write_port = true;
    taken.sm.collectors = config->sm.collectors != 0 ? config->sm.collectors : 4;
    taken.sm.subcores = false;
    taken.sm.register_banks = 8;
    taken.sm.register_queues = true;
    taken.sm.throttle =
        config->sm.throttle == GM_THROTTLE_CCWS ? GM_THROTTLE_NONE : config->sm.throttle;
    taken.l1.lookup = config->l1.lookup == GM_LOOKUP_FIRST ? GM_LOOKUP_LAST : config->l1.lookup;
    taken.l1.bypass = GM_BYPASS_NONE;
    taken.l1.streaming = false;
    taken.unit.shared += config->unit.shared == 0;
    if (gm_config_check(&taken, &error) == 0) {
        *config = taken;
    }
}

/* Numbers of units that schedulers can share, a switch that holds ports only with a speedup. */
static void fit_sm_and_network(gm_config *config)
{
    uint64_t *units[] = {&config->unit.texture.units, &config->unit.uniform.units};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        bool fits = *units[i] == GM_EACH || *units[i] <= config->sm.schedulers;
        *units[i] = fits ? *units[i] : *units[i] % (config->sm.schedulers + 1);
    }
    if (config->noc.speedup == 1) {
        config->noc.allocation = 0;
    }
}

/* Kernels and CTAs: keys of the GPU that others exclude. */
static void fit_gpu(gm_config *config)
{
    if (config->gpu.kernels > 1 && config->sm.throttle == GM_THROTTLE_SAMPLING) {
        config->gpu.kernels = 1;
    }
    config->gpu.cta_paced &= config->gpu.cta == GM_CTA_RR;
    if (config->gpu.kernel_end == GM_END_ANSWERED) {
        end_answered(config);
    }
    if (config->sm.throttle == GM_THROTTLE_SAMPLING && !config->l1.enabled) {
        config->sm.throttle = GM_THROTTLE_NONE;
    }
    if (config->memory.partition_index == GM_PARTITION_XOR &&
        !gm_is_power_of_two(config->memory.partitions)) {
        config->memory.partition_index = GM_PARTITION_IPOLY;
    }
}

gm_config random_machine(test_random *random, bool quick)
{
    gm_config config;
    gm_error error;
    unsigned count = 0;
    const gm_key *keys = gm_config_keys(&count);
    gm_config_defaults(&config);
    for (unsigned i = 0; i < count; i++) {
        char text[GM_CONFIG_TEXT];
        random_setting(random, &keys[i], quick, text, sizeof text);
        test_ok(gm_config_assign(&config, text, &error), error);
    }
    bool port = config.sm.write_port;
    config.sm.write_port = false;
    random_clocks(random, &config);
    config.tracker.enabled = test_random_below(random, 4) == 0;
    if (config.tracker.enabled) {
        make_tracked(&config, random);
    }
    make_consistent(random, &config);
    if (config.l1.kind == GM_L1_DECOUPLED) {
        random_decoupled(random, &config);
    } else {
        set_bypass(&config, config.l1.bypass);
    }
    random_unified(random, &config);
    fit_l2_merge(&config);
    random_merge(&config);
    fit_ccws(&config);
    fit_lazy(&config);
    fit_l1i(random, &config);
    fit_streaming(random, &config);
    fit_atomic_buffer(&config);
    if (config.l1.bypass == GM_BYPASS_MRPB) {
        config.l1.banks = 1;
    }
    config.l1.ports = config.l1.banks > 1 ? 1 : config.l1.ports;
    if (config.l1.lookup == GM_LOOKUP_BANKS &&
        (config.l1.banks == 1 || config.sm.coalesce != GM_COALESCE_SECTOR)) {
        config.l1.lookup = GM_LOOKUP_LAST;
    }
    if (config.gpu.kernels > 1 && test_random_below(random, 2) == 0) {
        config.gpu.cta = GM_CTA_RR;
    }
    if (config.l1.bypass == GM_BYPASS_PROFILED || config.gpu.cta != GM_CTA_RR) {
        config.gpu.kernels = 1;
    }
    config.gpu.kernels_share_sm &= !config.l1.flush || config.l1.global_write != GM_WRITE_BACK;
    config.l2.victim &= config.tracker.enabled;
    if (config.tracker.enabled) {
        fit_victims(&config);
        fit_trackers(&config, random);
    }
    config.l1.dueling &= config.l1.kind == GM_L1_DECOUPLED && config.gpu.sms > 1;
    fit_h100(random, &config);
    fit_sharing(random, &config);
    fit_sm_and_network(&config);
    fit_gpu(&config);
    config.l1.keep_bypassed = false; /* loads would see old values */
    config.l1.bypass_early = false;
    config.l1.parts = false; /* they would have none */
    bool no_places = gm_config_load_places_lacks(&config) != NULL || config.l1.load_places % 2 == 0;
    config.l1.load_places = no_places ? 0 : config.l1.load_places % (config.l1.miss_queue + 1);
    if (config.l1.fence_drops && gm_config_check(&config, &error) < 0) {
        config.l1.fence_drops = false; /* many L1s cannot */
    }
    if (config.l2.answer_beside && gm_config_check(&config, &error) < 0) {
        config.l2.answer_beside = false; /* most banks cannot */
    }
    if (port) {
        fit_write_port(&config);
    }
    return config;
}

void print_machine(const gm_config *config)
{
    unsigned count = 0;
    const gm_key *keys = gm_config_keys(&count);
    for (unsigned i = 0; i < count; i++) {
        char text[GM_CONFIG_TEXT];
        gm_config_get(config, &keys[i], text, sizeof text);
        print_error(" --set %s=%s", keys[i].name, text);
    }
    print_error("\n");
}
