/* Gates of streaming bypass in a run [khairy, 4.1]: periods by cycles and by accesses, parameters,
 * invariants, and both levels of the order engine, worked by hand. */
#include "cache/streaming.h"
#include "order/order_machine.h"
#include "stats/invariants.h"
#include "support/support.h"

#include <errno.h>
#include <string.h>

typedef struct fixture {
    gm_config config;
    gm_set_index index;
    gm_cache cache;
    gm_arena arena;
    gm_streaming *streaming;
} fixture;

/* Makes cache and gate of the configuration. */
static void remake(fixture *f)
{
    gm_error error;
    gm_cache_parameters cache;
    gm_cache_request request = gm_cache_request_of_l1(&f->config);
    test_ok(gm_cache_describe(&cache, &f->index, &request, &error), error);
    cache.waits = cache.tags_only = true;
    size_t bytes = gm_cache_bytes(&cache) + gm_streaming_bytes(&cache);
    test_ok(gm_arena_create(&f->arena, bytes, &error), error);
    test_ok(gm_cache_init(&f->cache, &cache, &f->arena, &error), error);
    const gm_stream_gate_parameters gate = gm_streaming_l1_parameters(&f->config);
    f->streaming = gm_streaming_make(&f->config, &gate, &f->cache, &f->arena);
    assert_non_null(f->streaming);
}

/* The gate of an L1 of four sets of two lines. */
static void make(fixture *f, uint64_t period)
{
    gm_config_defaults(&f->config);
    f->config.l1.size = 8 * f->config.l1.line;
    f->config.l1.ways = 2;
    f->config.l1.streaming = true;
    f->config.gpu.sampling_period = period;
    remake(f);
}

static void destroy(fixture *f)
{
    gm_arena_free(&f->arena);
}

static void count(gm_streaming *streaming, unsigned hits, unsigned misses)
{
    for (unsigned i = 0; i < hits + misses; i++) {
        gm_streaming_count(streaming, i < misses);
    }
}

/* Periods end at the multiples of their length, late ones as well; the gate's decision holds from
 * the first cycle of the next one. 59 of 65 are 90.8%. */
static void periods_of_cycles(void **state)
{
    (void)state;
    fixture f;
    make(&f, 1000);
    gm_streaming *s = f.streaming;
    count(s, 6, 59);
    gm_streaming_catch_up(s, 999);
    assert_int_equal(s->statistics.periods_open, 0);
    assert_false(s->block.closed);
    gm_streaming_catch_up(s, 1000);
    assert_int_equal(s->statistics.periods_open, 1);
    assert_true(s->block.closed);
    gm_streaming_catch_up(s, 5999); /* four without accesses: stays closed */
    assert_int_equal(s->statistics.periods_closed, 4);
    count(s, 7, 58); /* 89.2% */
    gm_streaming_catch_up(s, 6000);
    assert_false(s->block.closed);
    const gm_streaming_statistics expected = {.periods_open = 1,
                                              .periods_closed = 5,
                                              .closings = 1,
                                              .openings = 1,
                                              .accesses = 130,
                                              .misses = 117,
                                              .first_closed = 1000};
    assert_memory_equal(&s->statistics, &expected, sizeof expected);
    gm_error error;
    test_ok(gm_streaming_check(s, 130, 0, "gate", &error), error);
    destroy(&f);
}

/* The counts have room for a period in which the cache is always busy, up to 20 bits. */
static void parameters(void **state)
{
    (void)state;
    static const struct {
        uint64_t period, ports, banks, l2, core;
        unsigned l1_bits, l2_bits;
    } rows[] = {
        {10000, 1, 1, 700, 700, 14, 14},    {10000, 2, 1, 700, 700, 15, 14},
        {10000, 1, 4, 1400, 700, 16, 15},   {10000, 1, 1, 701, 700, 14, 15},
        {64, 1, 1, 350, 700, 7, 7},         {1000000, 1, 1, 700, 700, 20, 20},
        {1000000, 16, 1, 700, 700, 20, 20}, {63, 1, 1, 700, 700, 6, 6},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gm_config config;
        gm_config_defaults(&config);
        config.gpu.sampling_period = rows[i].period;
        config.l1.ports = rows[i].ports;
        config.l1.banks = rows[i].banks;
        config.clock.l2 = rows[i].l2;
        config.clock.core = rows[i].core;
        gm_stream_gate_parameters l1 = gm_streaming_l1_parameters(&config);
        assert_int_equal(l1.count_bits, rows[i].l1_bits);
        assert_int_equal(l1.threshold, 90);
        assert_int_equal(l1.least, 64);
        assert_int_equal(gm_streaming_l2_parameters(&config).count_bits, rows[i].l2_bits);
    }
}

/* Each invariant is seen to break. */
static void invariants(void **state)
{
    (void)state;
    static const struct {
        size_t offset; /* of a counter that is one too many */
        const char *text;
    } rows[] = {
#define ROW(name, text) {offsetof(gm_streaming_statistics, name), text}
        ROW(accesses, "accesses of its gate = loads (L2: and stores) taken: 1 and 0"),
        ROW(misses, "misses of its gate <= accesses: 0 and 1"),
        ROW(loads_bypassed, "bypassed while closed = bypasses: 1 and 0"),
        ROW(stores_bypassed, "bypassed while closed = bypasses: 1 and 0"),
        ROW(tags_taken, "tags taken without data <= bypassed while closed: 0 and 1"),
        ROW(closings, "closings of its gate = openings + closed now: 1 and 0"),
        ROW(openings, "closings of its gate = openings + closed now: 0 and 1"),
        ROW(periods_open, "sampling periods = of an open and of a closed gate: 0 and 1"),
        ROW(periods_closed, "sampling periods = of an open and of a closed gate: 0 and 1"),
        ROW(first_closed, "has a first closing = has closed: 1 and 0"),
#undef ROW
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fixture f;
        gm_error error;
        make(&f, 1000);
        test_ok(gm_streaming_check(f.streaming, 0, 0, "L1 of SM 3", &error), error);
        ++*(uint64_t *)((char *)&f.streaming->statistics + rows[i].offset);
        assert_int_equal(gm_streaming_check(f.streaming, 0, 0, "L1 of SM 3", &error), -EPROTO);
        assert_non_null(strstr(error.text, "L1 of SM 3: "));
        if (strstr(error.text, rows[i].text) == NULL) {
            fail_msg("%s, expected %s", error.text, rows[i].text);
        }
        destroy(&f);
    }
    fixture f;
    gm_error error;
    make(&f, 1000);
    f.streaming->block.misses = 1;
    assert_int_equal(gm_streaming_check(f.streaming, 0, 0, "L1 of SM 3", &error), -EPROTO);
    assert_non_null(strstr(error.text, "L1 of SM 3: stream_gate: 1 misses of 0 accesses"));
    destroy(&f);
}

/* A machine of the order engine with one SM and one L2 bank, of which one level has a gate with
 * periods of 128 accesses. Without an L1 all loads reach the L2. */
static void make_machine(gm_order_machine *machine, gm_config *config, bool l2)
{
    gm_error error;
    gm_config_defaults(config);
    config->gpu.sms = 1;
    config->gpu.sampling_period = 128;
    config->memory.partitions = 1;
    config->l1.size = 16 * config->l1.line;
    config->l1.enabled = !l2;
    config->l1.streaming = !l2;
    config->l2.streaming = l2;
    config->l2.size = 16 * config->l2.line;
    config->l2.ways = 4;
    test_ok(gm_order_machine_init(machine, config, false, &error), error);
}

static void load(gm_order_machine *machine, uint64_t line)
{
    gm_outcome outcome = {0};
    const gm_line_request request = {.line = line, .lanes = 1, .sectors = 1};
    gm_order_l1_access(&machine->sm[0].l1, &request, GM_REQUEST_LOAD, &outcome);
    gm_order_noc_deliver(&machine->noc);
}

/* 200 loads of new lines, then 184 of one line. Period 1, of accesses 0 to 127, misses always: the
 * gate closes. Period 2, to 255, has 72 new lines, the first use of the last one and 55 hits of its
 * tag: 73 of 128 are 57%, and the gate opens. In period 3 the tag without data misses once, and 127
 * loads hit. So 128 + 1 misses fetch lines of 4 sectors, 128 loads bypass with one sector each, and
 * 73 tags are taken without data. */
static void closes_and_opens(void **state)
{
    (void)state;
    for (unsigned l2 = 0; l2 < 2; l2++) {
        gm_order_machine machine;
        gm_config config;
        gm_statistics sum;
        make_machine(&machine, &config, l2 != 0);
        for (unsigned i = 0; i < 200 + 184; i++) {
            load(&machine, i < 200 ? 1000 + i : 5000);
        }
        gm_order_machine_sum(&machine, &sum);
        const gm_streaming_statistics expected = {.periods_open = 2,
                                                  .periods_closed = 1,
                                                  .closings = 1,
                                                  .openings = 1,
                                                  .accesses = 384,
                                                  .misses = 128 + 73 + 1,
                                                  .loads_bypassed = 128,
                                                  .tags_taken = 73,
                                                  .first_closed = 128};
        const gm_streaming_statistics *gate = l2 != 0 ? &sum.l2_streaming : &sum.l1_streaming;
        const gm_streaming_statistics *other = l2 != 0 ? &sum.l1_streaming : &sum.l2_streaming;
        const gm_cache_statistics *counts = l2 != 0 ? &sum.l2 : &sum.l1d;
        assert_memory_equal(gate, &expected, sizeof expected);
        assert_memory_equal(other, &(gm_streaming_statistics){0}, sizeof *other);
        assert_int_equal(counts->misses[GM_LOAD], 129);
        assert_int_equal(counts->hits[GM_LOAD], 127);
        assert_int_equal(counts->bypasses[GM_LOAD], 128);
        assert_int_equal(counts->sectors_filled[GM_LOAD], l2 != 0 ? 129 * 4 + 128 : 129 * 4);
        assert_int_equal(machine.sm[0].port.sent.sectors[GM_MESSAGE_READ],
                         l2 != 0 ? 384 : 129 * 4 + 128);
        gm_order_machine_free(&machine);
    }
}

/* Stores, strong loads and atomics are accesses of the period, but not of an L1's miss rate; an L2
 * bank counts stores. 64 loads that miss among 128 accesses close the gate. */
static void what_counts(void **state)
{
    (void)state;
    static const gm_request_kind others[] = {GM_REQUEST_STORE, GM_REQUEST_STRONG_LOAD,
                                             GM_REQUEST_ATOMIC, GM_REQUEST_REDUCTION};
    for (unsigned i = 0; i < 8; i++) {
        gm_order_machine machine;
        gm_config config;
        bool l2 = i >= 4;
        gm_request_kind kind = others[i % 4];
        make_machine(&machine, &config, l2);
        gm_streaming *gate = l2 ? machine.memory.bank[0].streaming : machine.sm[0].l1.streaming;
        for (unsigned j = 0; j < 64; j++) {
            gm_outcome outcome = {0};
            const gm_line_request request = {
                .line = 9, .lanes = 1, .sectors = 1, .whole = kind == GM_REQUEST_STORE};
            load(&machine, 1000 + j);
            assert_int_equal(gate->elapsed, 2 * j + 1);
            gm_order_l1_access(&machine.sm[0].l1, &request, kind, &outcome);
            gm_order_noc_deliver(&machine.noc);
        }
        /* In the L2 a strong load is a load, and one line's stores and loads hit. */
        bool counted = l2 && kind != GM_REQUEST_ATOMIC && kind != GM_REQUEST_REDUCTION;
        assert_int_equal(gate->statistics.accesses, counted ? 128 : 64);
        assert_int_equal(gate->block.closed, !counted);
        gm_order_machine_free(&machine);
    }
}

/* A closed L1 of the order engine serves dirty lines, and a flush drops tags. */
static void dirty_lines_and_flush(void **state)
{
    (void)state;
    gm_order_machine machine;
    gm_config config;
    make_machine(&machine, &config, false);
    gm_order_l1 *l1 = &machine.sm[0].l1;
    gm_streaming *gate = l1->streaming;
    gm_outcome outcome = {0};
    const gm_line_request local = {.line = 7, .lanes = 1, .sectors = 1, .whole = 1, .local = true};
    load(&machine, 7);
    gm_order_l1_access(l1, &local, GM_REQUEST_STORE, &outcome);
    gate->block.closed = true;
    load(&machine, 7);
    assert_int_equal(l1->statistics.hits[GM_LOAD], 1);
    load(&machine, 8);
    load(&machine, 8);
    assert_int_equal(gate->statistics.misses, 2);
    assert_int_equal(gate->statistics.loads_bypassed, 2);
    gm_order_l1_flush(l1);
    assert_true(gm_cache_is_empty(&l1->cache));
    assert_int_equal(gm_cache_find(&l1->cache, 8).slot, GM_NO_SLOT);
    assert_int_equal(gm_invariants_sum(l1->statistics.invalidations), 1);
    load(&machine, 8);
    assert_int_equal(gate->statistics.misses, 3);
    gm_order_machine_free(&machine);
}

/* Whatever the replacement, a tag takes the way of a clean line, never that of a dirty one. */
static void dirty_lines_stay(void **state)
{
    (void)state;
    for (gm_replacement kind = GM_REPLACE_LRU; kind <= GM_REPLACE_SHIP; kind++) {
        fixture f;
        gm_victim victim;
        gm_cache_statistics counts = {0};
        make(&f, 1000);
        gm_arena_free(&f.arena);
        f.config.l1.replacement = kind;
        remake(&f);
        for (uint64_t line = 0; line < 8; line += 4) { /* of set 0; the older one is dirty */
            gm_cache_place place = gm_cache_find(&f.cache, line);
            uint32_t slot = gm_cache_victim(&f.cache, place);
            slot = gm_cache_replace(&f.cache, line, place, slot, &victim);
            *gm_cache_state(&f.cache, slot) = (gm_sector_state){.valid = 1, .dirty = line == 0};
        }
        for (uint64_t line = 8; line < 20; line += 4) {
            gm_streaming_bypass(f.streaming, &f.cache, &counts, GM_LOAD, line,
                                gm_cache_find(&f.cache, line), 1, 1);
            assert_int_not_equal(gm_cache_find(&f.cache, 0).slot, GM_NO_SLOT);
            assert_int_not_equal(gm_cache_find(&f.cache, line).slot, GM_NO_SLOT);
        }
        assert_int_equal(counts.evictions[GM_LOAD], 1);
        assert_int_equal(f.streaming->statistics.tags_taken, 3);
        destroy(&f);
    }
}

/* A closed L2 bank of the order engine: as tests/unit/cycle/l2/test_l2_bank_streaming.c. */
static void a_closed_bank(void **state)
{
    (void)state;
    gm_order_machine machine;
    gm_config config;
    make_machine(&machine, &config, true);
    gm_l2 *l2 = &machine.memory.bank[0];
    gm_dram *dram = &machine.memory.channel[0];
    const gm_location at = {0, 0, 5};
    l2->streaming->block.closed = true;
    const gm_message read = {.line = 5, .sectors = 0x3, .kind = GM_MESSAGE_READ};
    const gm_message write = {.line = 5, .sectors = 0x4, .whole = 0x4, .kind = GM_MESSAGE_WRITE};
    const gm_message atomic = {.line = 5, .sectors = 0x1, .kind = GM_MESSAGE_ATOMIC};
    assert_true(gm_l2_access(l2, dram, &machine.memory.map, at, &read).bypass);
    assert_true(gm_l2_access(l2, dram, &machine.memory.map, at, &write).bypass);
    assert_int_equal(dram->statistics.reads, 2);
    assert_int_equal(dram->statistics.writes, 1);
    assert_int_equal(l2->through, 1);
    assert_int_equal(l2->streaming->statistics.misses, 1);
    assert_false(gm_l2_access(l2, dram, &machine.memory.map, at, &atomic).bypass);
    assert_int_equal(dram->statistics.reads, 6);
    assert_true(gm_l2_access(l2, dram, &machine.memory.map, at, &read).hit);
    assert_true(gm_l2_access(l2, dram, &machine.memory.map, at, &write).hit);
    assert_int_equal(l2->dirty_sectors, 2);
    assert_int_equal(l2->streaming->statistics.accesses, 4);
    assert_int_equal(l2->cache.allocations, 1);
    const gm_message install = {.line = 5, .sectors = 0xf, .kind = GM_MESSAGE_INSTALL};
    gm_l2_access(l2, dram, &machine.memory.map, at, &install);
    assert_int_equal(l2->streaming->elapsed, 5); /* a host copy is no access */
    gm_order_machine_free(&machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(periods_of_cycles),
        cmocka_unit_test(parameters),
        cmocka_unit_test(invariants),
        cmocka_unit_test(closes_and_opens),
        cmocka_unit_test(what_counts),
        cmocka_unit_test(a_closed_bank),
        cmocka_unit_test(dirty_lines_and_flush),
        cmocka_unit_test(dirty_lines_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
