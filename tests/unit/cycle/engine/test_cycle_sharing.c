/* Sharing-aware caches [tabbakh, V] in whole runs of the cycle engine: skipped cycles, values and
 * checkpoints make no difference, each rule is used, and requests one by one are done as in the
 * order engine. */
#include "support/config/mixture.h"
#include "support/cycle/engine/all_ways.h"
#include "support/order/order_run.h"

#include <string.h>

static gm_config machine(unsigned number)
{
    gm_config config = order_preset("fermi-sharing");
    config.sharing.enabled = true;
    config.sharing.dead = (gm_sharing_dead)((number + 2) % 3);
    config.sharing.local_l2 = number % 4 == 3 ? GM_SHARING_LOCAL_NORMAL : GM_SHARING_LOCAL_BYPASS;
    config.sharing.kernel_reset = number % 2 != 0;
    config.sharing.l2_dead = number % 5 > 2;
    config.gpu.sms = 3;
    config.memory.partitions = 1 + number % 2;
    config.l1.size = 16 * config.l1.line;
    config.l1.ways = 4;
    config.l2.size = 64 * config.l2.line;
    config.l2.ways = 4;
    config.l2.dram_queue = number % 3 == 0 ? 1 : 8;
    config.l2.reply_queue = number % 4 == 1 ? 1 : 8;
    return config;
}

#define ADD(name, unit, meaning) into->name += from->name;

static void add(gm_sharing_statistics *into, const gm_sharing_statistics *from)
{
    GM_SHARING_SM_COUNTERS(ADD)
    GM_SHARING_BANK_COUNTERS(ADD)
}

static void every_manner(void **state)
{
    (void)state;
    test_random random = test_random_start(19);
    gm_sharing_statistics seen = {0};
    const unsigned rounds = test_rounds(20);
    for (unsigned number = 0; number < rounds; number++) {
        gm_config config = machine(number);
        memory_source *source = mixture_of(test_random_next(&random), 3, 14);
        gm_statistics total = run_all_ways(&config, source);
        add(&seen, &total.sharing);
        gm_source_close(&source->source);
    }
#define COUNTER(name, unit, meaning)                                                               \
    if (rounds >= 20 && seen.name < 10) {                                                          \
        fail_msg("%s: only %llu", #name, (unsigned long long)seen.name);                           \
    }
    GM_SHARING_SM_COUNTERS(COUNTER)
    GM_SHARING_BANK_COUNTERS(COUNTER)
#undef COUNTER
}

/* Kernels of a CTA for each SM, of which one has an instruction, of one line. */
static memory_source *one_by_one(uint64_t seed, unsigned kernels)
{
    static const unsigned kinds[] = {MEMORY_LOAD,       MEMORY_LOAD,        MEMORY_LOAD,
                                     MEMORY_STORE,      MEMORY_ATOMIC,      MEMORY_STRONG_LOAD,
                                     MEMORY_LOCAL_LOAD, MEMORY_LOCAL_STORE, MEMORY_LOCAL_STORE};
    test_random random = {seed};
    memory_source *source = memory_source_new();
    for (unsigned k = 0; k < kernels; k++) {
        uint32_t sm = (uint32_t)test_random_below(&random, 3);
        memory_kernel(source, 3, 32);
        for (uint32_t cta = 0; cta < 3; cta++) {
            memory_cta(source, cta);
            memory_warp(source, 0);
            unsigned kind = kinds[test_random_below(&random, sizeof kinds / sizeof *kinds)];
            bool local = kind == MEMORY_LOCAL_LOAD || kind == MEMORY_LOCAL_STORE;
            bool again = test_random_below(&random, 6) == 0;
            uint64_t line = test_random_below(&random, local ? 24 : again ? 4 : 40);
            line += local ? 0x1000 + 24 * (uint64_t)cta : 0;
            /* A store of a whole line would have its victim written back beside it. */
            bool part = kind == MEMORY_STORE || test_random_below(&random, 2) == 0;
            uint32_t mask = local ? 1 : part ? 0xff : UINT32_MAX;
            if (cta == sm) {
                memory_stride(source, kind, mask, line * 128, 4, 4);
            } else {
                memory_plain(source, MEMORY_COMPUTE, UINT32_MAX);
            }
        }
    }
    return source;
}

static void requests_one_by_one_are_those_of_the_order_engine(void **state)
{
    (void)state;
    test_random random = test_random_start(20);
    gm_sharing_statistics seen = {0};
    for (unsigned number = 0; number < 10; number++) {
        gm_config config = machine(number);
        memory_source *source = one_by_one(test_random_next(&random), 900);
        config.l1.flush = false;
        config.sm.ctas = 1;
        config.sharing.kernel_reset = number == 9;
        config.sharing.dead = number < 6 ? GM_SHARING_DEAD_ANY : config.sharing.dead;
        config.l1.size = 4 * config.l1.line;
        config.l1.ways = 4;
        config.l2.size = 8 * config.memory.partitions * config.l2.line;
        gm_statistics order = order_run(&config, source, 1, 0);
        gm_statistics cycle = cycle_run(&config, source);
        assert_memory_equal(&order.sharing, &cycle.sharing, sizeof order.sharing);
        assert_memory_equal(order.l1d.hits, cycle.l1d.hits, sizeof order.l1d.hits);
        assert_memory_equal(order.l1d.sectors_stored, cycle.l1d.sectors_stored,
                            sizeof order.l1d.sectors_stored);
        assert_true(order.l1d.sectors_stored[GM_STORE] > 10);
        assert_memory_equal(order.l1d.evictions, cycle.l1d.evictions, sizeof order.l1d.evictions);
        for (unsigned kind = 0; kind < GM_ACCESS_KINDS; kind++) { /* a store finds its own fetch */
            cycle.l2.hits[kind] += cycle.l2.hits_pending[kind];
        }
        assert_memory_equal(order.l2.hits, cycle.l2.hits, sizeof order.l2.hits);
        assert_memory_equal(order.l2.bypasses, cycle.l2.bypasses, sizeof order.l2.bypasses);
        assert_memory_equal(order.l2.evictions, cycle.l2.evictions, sizeof order.l2.evictions);
        assert_memory_equal(&order.traffic, &cycle.traffic, sizeof order.traffic);
        assert_int_equal(order.dram.reads, cycle.dram.reads);
        assert_int_equal(order.dram.writes, cycle.dram.writes);
        add(&seen, &order.sharing);
        gm_source_close(&source->source);
    }
#define COUNTER(name, unit, meaning)                                                               \
    if (strncmp(#name, "l1_merged", 9) != 0 && strcmp(#name, "l1_fills_closed") != 0 &&            \
        seen.name < 2) {                                                                           \
        fail_msg("%s: only %llu", #name, (unsigned long long)seen.name);                           \
    }
    GM_SHARING_SM_COUNTERS(COUNTER)
    GM_SHARING_BANK_COUNTERS(COUNTER)
#undef COUNTER
}

/* Three SMs miss one line, whose data come when all have asked: each answer, the owner's too, says
 * that the line is shared. */
static void merged_requesters_see_the_sharing_flag(void **state)
{
    (void)state;
    gm_config config = machine(0);
    memory_source *source = memory_source_new();
    config.sm.ctas = 1;
    memory_kernel(source, 3, 32);
    for (uint32_t cta = 0; cta < 3; cta++) {
        memory_cta(source, cta);
        memory_warp(source, 0);
        memory_stride(source, MEMORY_LOAD, UINT32_MAX, 0x8000, 4, 4);
    }
    gm_statistics cycle = cycle_run(&config, source);
    assert_int_equal(cycle.l2.hits_pending[GM_LOAD], 2);
    assert_int_equal(cycle.sharing.became_shared, 1);
    assert_int_equal(cycle.sharing.l1_fills_shared, 3);
    gm_source_close(&source->source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_manner, test_folder_setup, test_folder_teardown),
        cmocka_unit_test(merged_requesters_see_the_sharing_flag),
        cmocka_unit_test(requests_one_by_one_are_those_of_the_order_engine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
