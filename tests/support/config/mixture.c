#include "support/config/mixture.h"

#include "config/config_l1.h"
#include "config/config_memory.h"
#include "support/order/order_run.h"
#include "support/support.h"

#define ALL UINT32_MAX

static bool is_plain(unsigned opcode)
{
    return opcode == MEMORY_COMPUTE || opcode == MEMORY_BARRIER || opcode == MEMORY_FENCE ||
           opcode == MEMORY_COMMIT_GROUP || opcode == MEMORY_WAIT_GROUP;
}

/* Warps have fewer than `longest` instructions. */
static memory_source *mix(uint64_t seed, uint32_t kernels, uint32_t ctas, uint64_t longest)
{
    test_random random = {seed};
    memory_source *source = memory_source_new();
    for (uint32_t k = 0; k < kernels; k++) {
        memory_copy(source, UINT64_C(0x7f0000000100) + k * 10000, 1000);
        gm_kernel *kernel = memory_kernel(source, ctas, 128);
        kernel->shared_base = UINT64_C(0x7f5000000000);
        kernel->local_base = UINT64_C(0x7f4ffe000000);
        for (uint32_t cta = 0; cta < ctas; cta += cta % 7 == 3 ? 2 : 1) {
            memory_cta(source, cta);
            for (uint32_t warp = cta % 3 == 2 ? 1 : 0; warp < 4; warp++) {
                memory_warp(source, warp);
                uint32_t length = (uint32_t)test_random_below(&random, longest);
                for (uint32_t i = 0; i < length; i++) {
                    unsigned opcode = (unsigned)test_random_below(&random, MEMORY_MIXED);
                    uint32_t mask = test_random_below(&random, 3) == 0
                                        ? (uint32_t)test_random_next(&random)
                                        : ALL;
                    uint64_t base = UINT64_C(0x7f0000000000) + test_random_below(&random, 60000);
                    if (is_plain(opcode)) {
                        memory_plain(source, opcode, mask);
                    } else if (opcode == MEMORY_LOCAL_LOAD || opcode == MEMORY_LOCAL_STORE ||
                               opcode == MEMORY_SHARED_LOAD) {
                        memory_stride(source, opcode, mask, test_random_below(&random, 64), 0, 8);
                    } else if (test_random_below(&random, 2) == 0) {
                        memory_stride(source, opcode, mask, base, 4, 4);
                    } else {
                        uint64_t address[32];
                        for (unsigned lane = 0; lane < 32; lane++) {
                            address[lane] = base + test_random_below(&random, 5000);
                        }
                        memory_list(source, opcode, mask, address, 2);
                    }
                    memory_pc(source, (i + i / 5 % 3 * 32) * 16 % 2048); /* jumps each 5 */
                    memory_registers(source, (unsigned)test_random_below(&random, 16),
                                     (unsigned)test_random_below(&random, 16));
                }
            }
        }
    }
    memory_copy(source, 0x7d0000000100, 77); /* where nothing is cached */
    return source;
}

memory_source *mixture(uint64_t seed, uint32_t kernels)
{
    return mix(seed, kernels, 40, 30);
}

/* Runs of many machines: half as long under the sanitizers. */
memory_source *mixture_of(uint64_t seed, uint32_t kernels, uint32_t ctas)
{
    return mix(seed, kernels, ctas, test_rounds(30) < 30 ? 15 : 30);
}

gm_config variant(unsigned number)
{
    static const char *const presets[] = {"gtx480", "fermi-tc", "fermi-l1d", "fermi-sharing",
                                          "kepler-hybrid"};
    static const char *const changes[] = {"l1.sectored=yes",      "l2.sectored=yes",
                                          "l1.enabled=no",        "l1.ways=full",
                                          "l1.size=unbounded",    "l2.size=unbounded",
                                          "l1.index=ipoly",       "l2.index=xor",
                                          "l1.replacement=fifo",  "l1.global_write=through",
                                          "l1.global_write=back", "l2.fetch_on_write=partial",
                                          "l1.flush=no",          "l2.copy_fills=yes",
                                          "memory.banks=2",       "l2.fetch_on_write=through",
                                          "l1.replacement=ship",  "l2.replacement=srrip"};
    enum { PRESETS = 5, CHANGES = sizeof changes / sizeof changes[0] };
    _Static_assert(PRESETS + CHANGES == POLICY_VARIANTS, "each is told by mixture.h");
    gm_config config = order_preset(presets[number % PRESETS]);
    gm_error error;
    if (number >= PRESETS) {
        test_ok(gm_config_assign(&config, changes[(number - PRESETS) % CHANGES], &error), error);
    }
    config.l2.atomic_buffer &= config.l2.size != GM_UNBOUNDED;
    if (number >= PRESETS + CHANGES && config.l1.global_write != GM_WRITE_EVICT) {
        config.l1.global_allocate = true;
    }
    if (number >= PRESETS + CHANGES && config.l1.local_write != GM_WRITE_EVICT) {
        config.l1.local_allocate = true;
    }
    return config;
}

/* Clocks that fall into step late or never, and slower or faster than the core's. */
static void set_clocks(gm_config *config, unsigned number)
{
    static const uint64_t clocks[][4] = {
        {700, 1400, 700, 924}, {700, 700, 700, 700}, {997, 613, 401, 1499},
        {100, 1000, 370, 50},  {1000, 90, 1000, 70}, {1607, 2962, 1481, 2500},
    };
    const uint64_t *row = clocks[number % (sizeof clocks / sizeof clocks[0])];
    config->clock.core = row[0];
    config->clock.noc = row[1];
    config->clock.l2 = row[2];
    config->clock.dram = row[3];
}

gm_config timed_variant(unsigned number)
{
    gm_config config = variant(number);
    set_clocks(&config, number);
    config.sm.scheduler = (gm_scheduling)(number % 3);
    config.sm.throttle = number % 5 == 3 ? GM_THROTTLE_STATIC : GM_THROTTLE_NONE;
    config.sm.limit = 1 + number % 2;
    config.sm.fetch = number % 4 > 1 ? number % 3 : 0;
    config.l1i.size = config.sm.fetch != 0 ? UINT64_C(256) << number % 3 : 0;
    config.l1i.ways = 1 + number / 2 % 2;
    config.l1i.line = UINT64_C(64) << number / 3 % 2;
    config.sm.collectors = number % 4 % 3 == 0 ? number % 5 : 0;
    config.sm.coalesce = number % 5 < 3 ? GM_COALESCE_LINE : GM_COALESCE_SECTOR;
    config.sm.fetch_warps = 1 + number % 3;
    config.sm.subcores = config.sm.collectors % config.sm.schedulers == 0 && number % 8 > 3;
    config.sm.register_banks = number % 5;
    config.sm.register_reads = 1 + number % 2;
    config.sm.register_queues = number % 3 == 1;
    config.sm.special_fp64 = number % 3 == 2;
    config.sm.turns = (gm_scheduler_turns)(number / 2 % 2);
    config.sm.drain = number % 4 * 3;
    config.unit.fp64.units = number % 2 == 0 ? GM_EACH : 1;
    config.noc.topology = number % 2 == 0 ? GM_TOPOLOGY_CROSSBAR : GM_TOPOLOGY_MESH;
    config.l1.allocation = number / 2 % 2 == 0 ? GM_ALLOCATE_ON_MISS : GM_ALLOCATE_ON_FILL;
    config.l1.lookup = number % 6 < 4 ? GM_LOOKUP_FIRST : GM_LOOKUP_LAST;
    config.l1.hit_delay = number % 4;
    config.l1.ports = 1 + number % 2;
    config.noc.channels = 1 + number % 3;
    config.noc.speedup = number % 6 == 0 ? 1 + number / 6 % 4 : 1; /* a crossbar of one channel */
    config.noc.arbitration =
        number % 12 == 0 && config.noc.speedup == 1 ? GM_ARBITRATE_SERIES : GM_ARBITRATE_ISLIP;
    config.unit.integer.interval = 1 + number % 3 * 9;
    config.unit.control.interval = 1 + number % 5 * 3;
    config.l2.atomic_interval = 1 + number % 4 * 20;
    config.l2.port = number % 4 == 1 ? 16 + number % 3 * 16 : 0;
    return config;
}

void give_write_port(gm_config *config)
{
    config->sm.write_port = gm_config_write_port_lacks(config) == NULL;
}

void end_answered(gm_config *config)
{
    bool can = gm_config_kernel_end_lacks(config) == NULL;
    config->gpu.kernel_end = can ? GM_END_ANSWERED : GM_END_WRITTEN;
}

void fit_for_decoupled(gm_config *config, unsigned number)
{
    if (config->l1.size == GM_UNBOUNDED || config->l1.ways == GM_FULL) {
        config->l1.size = 16384;
        config->l1.ways = 4;
    }
    static const gm_replacement policies[] = {GM_REPLACE_LRU, GM_REPLACE_SRRIP, GM_REPLACE_SHIP};
    config->l1.replacement = policies[number % 3];
    config->l1.allocation = GM_ALLOCATE_ON_MISS;
    config->l1.tag_ways = config->l1.ways + 1 + number % 9;
}

void make_whole_by_parts(gm_config *config)
{
    config->sm.coalesce = GM_COALESCE_SECTOR;
    config->l2.sectored = true;
    config->l2.fetch_on_write = GM_FETCH_LAZY;
    config->l2.dirty = GM_DIRTY_PARTS;
    config->l2.atomic_buffer = false;
    config->l1.local_write = GM_WRITE_THROUGH;
    if (config->l1.global_write == GM_WRITE_BACK) {
        config->l1.global_write = GM_WRITE_THROUGH;
    }
}

void make_tiny(gm_config *config)
{
    config->l1.mshrs = config->l1.merges = config->l1.miss_queue = config->l1.bypass_queue = 1;
    config->l2.mshrs = config->coherence.protocol >= GM_COHERENCE_VI ? 2 : 1;
    config->l2.merges = config->l2.queue = 1;
    config->l2.dram_queue = config->l2.reply_queue = 1;
    config->dram.queue = config->dram.return_queue = 1;
    config->noc.buffer = config->noc.ejection = config->noc.channels = 1;
    config->sm.memory_queue = 1;
}
