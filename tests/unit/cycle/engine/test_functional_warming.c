/* Functional warming: CTAs leave in the L2 what the order engine's L2 has after them, one after the
 * other and without L1s. */
#include "cycle/engine/functional_warming.h"

#include "frontend/feeder.h"
#include "support/order/order_run.h"
#include "support/support.h"

#include <stdlib.h>

/* One SM that holds one CTA: the order engine does an instruction of each warp in turn, too. */
static gm_config small(bool sectored, gm_fetch_policy fetch)
{
    gm_config config = order_preset("gtx480");
    config.gpu.sms = 1;
    config.sm.ctas = 1;
    config.l1.enabled = false;
    config.l2.size = 48 << 10;
    config.l2.sectored = sectored;
    config.l2.fetch_on_write = fetch;
    return config;
}

/* Runs all CTAs of the source through a machine's L2, and no other way. */
static void warm(gm_cycle_machine *machine, const gm_config *config, memory_source *source)
{
    gm_error error;
    gm_warp_store *store;
    gm_feeder *feeder;
    memory_source_rewind(source);
    test_ok(gm_cycle_machine_init(machine, config, &error), error);
    test_ok(gm_warp_store_create(&store, 1 << 20, &error), error);
    machine->shared.store = store;
    const gm_feeder_options options = {.form = GM_INTAKE_TIMED};
    test_ok(gm_feeder_start(&feeder, config, &source->source, store, &options, &error), error);
    for (gm_feed feed = {.kind = GM_FEED_COPY}; feed.kind != GM_FEED_END;) {
        test_ok(gm_feeder_next(feeder, &feed, &error), error);
        if (feed.kind == GM_FEED_CTA) {
            test_ok(gm_functional_warming(machine, feed.cta, 0, &error), error);
            for (uint32_t i = 0; i < feed.cta->warps; i++) {
                assert_int_equal(feed.cta->stream[i].count, 0);
            }
            gm_feeder_recycle(feeder, feed.cta);
        } else if (feed.kind == GM_FEED_KERNEL) {
            free(feed.kernel);
        }
    }
    gm_feeder_stop(feeder);
    gm_warp_store_free(store);
}

/* Loads, stores, atomics and local memory of CTAs whose lines overlap: runs, lists of scattered
 * lanes, and lists too far apart for narrow records. */
static void write_source(memory_source *source, test_random *random)
{
    static const unsigned opcodes[] = {MEMORY_LOAD,       MEMORY_STORE,      MEMORY_ATOMIC,
                                       MEMORY_REDUCTION,  MEMORY_LOCAL_LOAD, MEMORY_LOCAL_STORE,
                                       MEMORY_STRONG_LOAD};
    memory_kernel(source, 12, 96);
    for (uint32_t cta = 0; cta < 12; cta++) {
        memory_cta(source, cta);
        for (uint32_t warp = 0; warp < 3; warp++) {
            memory_warp(source, warp);
            for (unsigned i = 0; i < 30; i++) {
                unsigned opcode = opcodes[test_random_below(random, 7)];
                uint64_t base = test_random_below(random, 4096) * 32;
                uint64_t address[32];
                uint64_t far = test_random_below(random, 8) == 0 ? UINT64_C(1) << 40 : 0;
                for (unsigned lane = 0; lane < 32; lane++) {
                    address[lane] = test_random_below(random, 1 << 15) * 4 + (lane % 2) * far;
                }
                if (opcode == MEMORY_LOCAL_LOAD || opcode == MEMORY_LOCAL_STORE) {
                    memory_stride(source, opcode, UINT32_MAX, test_random_below(random, 64) * 4, 0,
                                  4);
                } else if (test_random_below(random, 2) == 0) {
                    memory_stride(source, opcode, UINT32_MAX, base, 4, 4);
                } else {
                    memory_list(source, opcode, UINT32_MAX, address, 4);
                }
                memory_registers(source, i % 2 == 0 ? 1 : 255, 2);
            }
        }
    }
}

static void set_parts(gm_config *config)
{
    config->sm.coalesce = GM_COALESCE_SECTOR;
    config->l1.local_write = GM_WRITE_THROUGH;
    config->l2.dirty = GM_DIRTY_PARTS;
}

static void as_the_order_engine(void **state)
{
    (void)state;
    static const gm_fetch_policy policies[] = {GM_FETCH_ALWAYS, GM_FETCH_PARTIAL, GM_FETCH_LAZY};
    test_random random = test_random_start(1);
    for (unsigned turn = 0; turn < 16; turn++) {
        gm_error error;
        memory_source *source = memory_source_new();
        write_source(source, &random);
        bool parts = turn >= 12;
        bool lazy = parts || policies[turn % 3] == GM_FETCH_LAZY;
        gm_config config = small(lazy || turn % 2 != 0, parts ? GM_FETCH_LAZY : policies[turn % 3]);
        config.l2.line = turn < 6 || turn % 2 != 0 ? 128 : 64;
        if (parts) {
            set_parts(&config);
        }
        gm_cycle_machine machine;
        warm(&machine, &config, source);
        gm_set_contents *left;
        test_ok(gm_set_contents_make(&left, &config, &error), error);
        gm_cycle_machine_read_sets(&machine, left);

        const gm_run_options options = {.threads = 1, .l2_sets = true};
        gm_results results;
        memory_source_rewind(source);
        test_ok(gm_order_run(&config, &source->source, &options, &results, &error), error);
        uint64_t lines = 0;
        for (uint64_t set = 0; set < left->sets; set++) {
            assert_int_equal(left->lines[set], results.l2_sets->lines[set]);
            assert_int_equal(left->dirty[set], results.l2_sets->dirty[set]);
            lines += left->lines[set];
        }
        uint64_t dirty = 0;
        for (uint32_t i = 0; i < machine.banks; i++) {
            dirty += machine.bank[i].l2.dirty_sectors;
        }
        assert_true(lines > 200);
        assert_int_equal(dirty, results.total.l2_dirty_sectors);
        gm_results_free(&results);
        gm_set_contents_free(left);
        gm_cycle_machine_free(&machine);
        memory_source_free(source);
    }
}

/* A lazy L2 knows of which sectors stores have written all bytes; a load of an L1 without sectors
 * brings the whole line, one that passes the L1 by only its sector. */
static void sectors(void **state)
{
    (void)state;
    memory_source *source = memory_source_new();
    memory_kernel(source, 1, 32);
    memory_cta(source, 0);
    memory_warp(source, 0);
    memory_stride(source, MEMORY_STORE, 0xff, 0, 4, 4);             /* sector 0 of line 0 */
    memory_stride(source, MEMORY_STORE, 0x0f, 32, 4, 4);            /* half of sector 1 */
    memory_stride(source, MEMORY_LOAD, 0x01, 1 << 12, 4, 4);        /* sector 0 of line 32 */
    memory_stride(source, MEMORY_STRONG_LOAD, 0x01, 1 << 13, 4, 4); /* of line 64 */
    for (unsigned turn = 0; turn < 2; turn++) {
        gm_config config = small(true, GM_FETCH_LAZY);
        config.l1.enabled = turn == 0;
        config.l1.sectored = false;
        gm_cycle_machine machine;
        warm(&machine, &config, source);
        static const uint64_t line[] = {0, 32, 64};
        const uint32_t valid[] = {3, turn == 0 ? 0xf : 1, 1};
        for (unsigned i = 0; i < 3; i++) {
            gm_location at = gm_address_map_locate(&machine.l2_shared.map, line[i]);
            gm_l2 *l2 =
                &machine.bank[(at.partition << machine.l2_shared.map.bank_bits) + at.bank].l2;
            gm_cache_place place = gm_cache_find(&l2->cache, at.line);
            assert_int_not_equal(place.slot, GM_NO_SLOT);
            assert_int_equal(gm_cache_state(&l2->cache, place.slot)->valid, valid[i]);
            assert_int_equal(l2->partial[place.slot], i == 0 ? 2 : 0);
        }
        gm_cycle_machine_free(&machine);
    }
    memory_source_free(source);
}

/* l2.dirty=parts: two stores of halves make a sector whole, one does not; lines of local memory and
 * whole stores as well. */
static void parts(void **state)
{
    (void)state;
    memory_source *source = memory_source_new();
    memory_kernel(source, 1, 32);
    memory_cta(source, 0);
    memory_warp(source, 0);
    memory_stride(source, MEMORY_STORE, 0xff, 0, 4, 4);  /* sector 0 */
    memory_stride(source, MEMORY_STORE, 0x0f, 32, 4, 4); /* halves of sector 1 */
    memory_stride(source, MEMORY_STORE, 0x0f, 48, 4, 4);
    memory_stride(source, MEMORY_STORE, 0x0f, 64, 4, 4); /* half of sector 2, twice */
    memory_stride(source, MEMORY_STORE, 0x0f, 64, 4, 4);
    memory_stride(source, MEMORY_STORE, 0xf, 96, 8, 4); /* words of sector 3: two warp stores */
    memory_stride(source, MEMORY_STORE, 0xf, 100, 8, 4);
    memory_stride(source, MEMORY_STORE, 0x01, 128, 4, 4); /* one word of line 1 */
    gm_config config = small(true, GM_FETCH_LAZY);
    set_parts(&config);
    gm_cycle_machine machine;
    warm(&machine, &config, source);
    static const uint32_t valid[] = {0xf, 1};
    static const uint32_t partial[] = {4, 1};
    for (unsigned i = 0; i < 2; i++) {
        gm_location at = gm_address_map_locate(&machine.l2_shared.map, i);
        gm_l2 *l2 = &machine.bank[(at.partition << machine.l2_shared.map.bank_bits) + at.bank].l2;
        gm_cache_place place = gm_cache_find(&l2->cache, at.line);
        assert_int_not_equal(place.slot, GM_NO_SLOT);
        assert_int_equal(gm_cache_state(&l2->cache, place.slot)->valid, valid[i]);
        assert_int_equal(l2->partial[place.slot], partial[i]);
    }
    gm_cycle_machine_free(&machine);
    memory_source_free(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_the_order_engine),
        cmocka_unit_test(sectors),
        cmocka_unit_test(parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
