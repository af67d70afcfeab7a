/* Streaming bypass of the timed L1 [khairy, 4.1], worked by hand: what a closed gate does to loads,
 * tags and stores; what becomes of the tags when it opens. docs/streaming.md has the rules. */
#include "cache/streaming.h"
#include "support/cycle/l1/l1_steps.h"

#define STEPS(fixture, ...)                                                                        \
    play(fixture, (const step[]){__VA_ARGS__}, sizeof((const step[]){__VA_ARGS__}) / sizeof(step))

/* Two lines in one set (small()), with a gate. */
static gm_config gated(void)
{
    gm_config config = small();
    config.l1.streaming = true;
    config.gpu.sampling_period = 1000;
    return config;
}

/* Closes or opens the gate as the end of a period would. */
static void turn(fixture *fixture, bool closed)
{
    gm_streaming *streaming = fixture->l1.streaming;
    streaming->statistics.closings += closed && !streaming->block.closed;
    streaming->statistics.openings += !closed && streaming->block.closed;
    streaming->statistics.first_closed = 1;
    streaming->block.closed = closed;
}

static void expect_gate(const fixture *fixture, uint64_t accesses, uint64_t misses,
                        uint64_t bypassed, uint64_t tags)
{
    const gm_streaming_statistics *counts = &fixture->l1.streaming->statistics;
    assert_int_equal(counts->accesses, accesses);
    assert_int_equal(counts->misses, misses);
    assert_int_equal(counts->loads_bypassed, bypassed);
    assert_int_equal(counts->stores_bypassed, 0);
    assert_int_equal(counts->tags_taken, tags);
}

/* Answers everything, and checks the invariants. */
static void finish(fixture *fixture)
{
    gm_error error;
    for (unsigned cycle = 0; cycle < 1000; cycle++, fixture->now++) {
        uint32_t ticket;
        send_one(fixture);
        gm_cycle_l1_reply(&fixture->l1, fixture->now, &ticket);
        gm_cycle_l1_flush_on(&fixture->l1);
    }
    assert_true(gm_cycle_l1_is_empty(&fixture->l1));
    test_ok(gm_cycle_l1_check(&fixture->l1, &error), error);
    destroy(fixture);
}

/* Loads ask the L2 for their sectors, not for lines; the tags know the lines. A tag without data
 * misses once when the gate is open again. */
static void tags_without_data(void **state)
{
    (void)state;
    gm_config config = gated();
    fixture f;
    make(&f, &config);
    turn(&f, true);
    STEPS(&f, {LOAD, 1, 0x1, 0, "bypass"}, {LOAD, 1, 0x8, 0, "bypass"},
          {SEND_ALL, 0, 0, 0, "R1:1 R1:8"}, {REPLY, 0, 0, 0, "1"}, {REPLY, 0, 0, 0, "1"});
    expect_gate(&f, 2, 1, 2, 1);
    assert_int_equal(gm_cycle_l1_held(&f.l1, 1), 0);
    turn(&f, false);
    STEPS(&f, {LOAD, 1, 0x1, 0, "miss"}, {SEND_ALL, 0, 0, 0, "R1:f"}, {REPLY, 0, 0, 0, "1"},
          {LOAD, 1, 0x2, 0, "hit"});
    expect_gate(&f, 4, 2, 2, 1);
    finish(&f);
}

/* The tags of a closed L1 are those of an open one: the oldest gives way, a use makes the newest.
 */
static void order_of_tags(void **state)
{
    (void)state;
    gm_config config = gated();
    fixture f;
    make(&f, &config);
    STEPS(&f, {LOAD, 1, 0x1, 0, "miss"}, {SEND_ALL, 0, 0, 0, "R1:f"}, {REPLY, 0, 0, 0, "1"});
    turn(&f, true);
    STEPS(&f, {LOAD, 2, 0x1, 0, "bypass"}, /* a tag in the other way */
          {LOAD, 1, 0x1, 0, "bypass"},     /* held and clean: bypassed, a hit, the newest */
          {LOAD, 3, 0x1, 0, "bypass"},     /* in the way of 2 */
          {LOAD, 1, 0x1, 0, "bypass"},     /* a hit */
          {SEND_ALL, 0, 0, 0, "R2:1 R1:1 R3:1 R1:1"});
    expect_gate(&f, 5, 3, 4, 2);
    assert_int_equal(gm_cycle_l1_held(&f.l1, 1), 0xf);
    assert_int_equal(f.l1.statistics.evictions[GM_LOAD], 0); /* 2 held no data */
    STEPS(&f, {LOAD, 2, 0x1, 0, "bypass"},
          {LOAD, 3, 0x1, 0, "bypass"}); /* both miss: 3, then 1 go */
    expect_gate(&f, 7, 5, 6, 4);
    assert_int_equal(gm_cycle_l1_held(&f.l1, 1), 0);
    assert_int_equal(f.l1.statistics.evictions[GM_LOAD], 1);
    finish(&f);
}

/* Data in flight from before the closing serve loads that merge, and are installed. */
static void lines_in_flight(void **state)
{
    (void)state;
    gm_config config = gated();
    fixture f;
    make(&f, &config);
    STEPS(&f, {LOAD, 1, 0x1, 0, "miss"}, {LOAD, 2, 0x1, 0, "miss"});
    turn(&f, true);
    STEPS(&f, {LOAD, 1, 0x2, 0, "pending"}, {LOAD, 1, 0x1, 0, "merge"}, /* two requesters at most */
          {LOAD, 3, 0x1, 0, "bypass"}, /* both ways wait for data: no tag */
          {SEND, 0, 0, 0, "R1:f"});
    expect_gate(&f, 4, 3, 1, 0);
    STEPS(&f, {REPLY, 0, 0, 0, "1"}, {REPLY, 0, 0, 0, "1"}, {LOAD, 1, 0x1, 0, "bypass"});
    assert_int_equal(gm_cycle_l1_held(&f.l1, 1), 0xf);
    expect_gate(&f, 5, 3, 2, 0);
    finish(&f);
}

/* Data that the L2 does not have are served, and keep their way. */
static void dirty_lines(void **state)
{
    (void)state;
    gm_config config = gated();
    fixture f;
    make(&f, &config);
    STEPS(&f, {LOAD, 1, 0x1, 0, "miss"}, {SEND_ALL, 0, 0, 0, "R1:f"}, {REPLY, 0, 0, 0, "1"},
          {LOCAL_STORE, 1, 0x4, 0x4, "hit"});
    turn(&f, true);
    STEPS(&f, {LOAD, 1, 0x1, 0, "hit"}, {LOAD, 2, 0x1, 0, "bypass"}, {LOAD, 3, 0x1, 0, "bypass"},
          {LOAD, 4, 0x1, 0, "bypass"}, {LOAD, 1, 0xf, 0, "hit"},
          {SEND_ALL, 0, 0, 0, "R2:1 R3:1 R4:1"});
    expect_gate(&f, 6, 4, 3, 3);
    STEPS(&f, {LOCAL_STORE, 1, 0x1, 0x1, "hit"}, {ATOMIC, 1, 0x1, 0, "bypass"},
          {SEND_ALL, 0, 0, 0, "B1:5 A1:1"});
    expect_gate(&f, 6, 4, 3, 3);
    finish(&f);
}

/* A sector miss of a dirty line is served by it: the request has both. */
static void dirty_sectors(void **state)
{
    (void)state;
    gm_config config = gated();
    config.l1.sectored = true;
    fixture f;
    make(&f, &config);
    STEPS(&f, {LOAD, 1, 0x1, 0, "miss"}, {SEND_ALL, 0, 0, 0, "R1:1"}, {REPLY, 0, 0, 0, "1"},
          {LOCAL_STORE, 1, 0x1, 0x1, "hit"});
    turn(&f, true);
    STEPS(&f, {LOAD, 1, 0x3, 0, "miss"}, {SEND_ALL, 0, 0, 0, "R1:2"}, {REPLY, 0, 0, 0, "1"},
          {LOAD, 1, 0x3, 0, "hit"});
    expect_gate(&f, 3, 2, 0, 0);
    finish(&f);
}

/* The tags of a sectored L1 know the sectors. */
static void sectors_of_tags(void **state)
{
    (void)state;
    gm_config config = gated();
    config.l1.sectored = true;
    fixture f;
    make(&f, &config);
    STEPS(&f, {LOAD, 1, 0x1, 0, "miss"}, {SEND_ALL, 0, 0, 0, "R1:1"}, {REPLY, 0, 0, 0, "1"});
    turn(&f, true);
    STEPS(&f, {LOAD, 1, 0x2, 0, "bypass"}, {LOAD, 1, 0x3, 0, "bypass"}); /* a miss, a hit */
    expect_gate(&f, 3, 2, 2, 0);
    STEPS(&f, {LOAD, 2, 0x1, 0, "bypass"}, {LOAD, 2, 0x2, 0, "bypass"}, {LOAD, 2, 0x3, 0, "bypass"},
          {SEND_ALL, 0, 0, 0, "R1:2 R1:3 R2:1 R2:2 R2:3"});
    expect_gate(&f, 6, 4, 5, 1);
    turn(&f, false);
    STEPS(&f, {LOAD, 1, 0x1, 0, "hit"}, {LOAD, 1, 0x2, 0, "miss"}, {LOAD, 2, 0x1, 0, "miss"},
          {SEND_ALL, 0, 0, 0, "R1:2 R2:1"});
    expect_gate(&f, 9, 6, 5, 1);
    finish(&f);
}

/* A tag that takes the way of another knows none of the other's sectors. */
static void sectors_of_a_new_tag(void **state)
{
    (void)state;
    gm_config config = gated();
    config.l1.sectored = true;
    fixture f;
    make(&f, &config);
    turn(&f, true);
    STEPS(&f, {LOAD, 1, 0x3, 0, "bypass"}, {LOAD, 2, 0x1, 0, "bypass"}, {LOAD, 3, 0x4, 0, "bypass"},
          {SEND_ALL, 0, 0, 0, "R1:3 R2:1 R3:4"});
    expect_gate(&f, 3, 3, 3, 3);
    STEPS(&f, {LOAD, 3, 0x1, 0, "bypass"}, {LOAD, 3, 0x5, 0, "bypass"}); /* a miss, a hit */
    expect_gate(&f, 5, 4, 5, 3);
    STEPS(&f, {SEND_ALL, 0, 0, 0, "R3:1 R3:5"});
    finish(&f);
}

/* Stores, atomics, strong loads and the end of a kernel do to a tag what they do to a line. */
static void what_drops_a_tag(void **state)
{
    (void)state;
    static const step drops[] = {{STORE, 1, 0x1, 0x1, "miss"},
                                 {ATOMIC, 1, 0x1, 0, "bypass"},
                                 {REDUCE, 1, 0x1, 0, "bypass"},
                                 {STRONG, 1, 0x1, 0, "bypass"},
                                 {FLUSH, 0, 0, 0, ""}};
    for (unsigned i = 0; i < sizeof drops / sizeof drops[0]; i++) {
        gm_config config = gated();
        fixture f;
        make(&f, &config);
        turn(&f, true);
        STEPS(&f, {LOAD, 1, 0x1, 0, "bypass"}, {LOAD, 1, 0x1, 0, "bypass"});
        expect_gate(&f, 2, 1, 2, 1);
        play(&f, &drops[i], 1);
        STEPS(&f, {LOAD, 1, 0x1, 0, "bypass"});
        expect_gate(&f, 3, 2, 3, 2);
        assert_int_equal(f.l1.statistics.invalidations[GM_STORE] +
                             f.l1.statistics.invalidations[GM_LOAD] +
                             f.l1.statistics.invalidations[GM_ATOMIC],
                         0);
        finish(&f);
    }
}

/* A local store that allocates fetches into a tag; it is a new line elsewhere. */
static void stores_fill_tags(void **state)
{
    (void)state;
    gm_config config = gated();
    config.l1.local_allocate = true;
    fixture f;
    make(&f, &config);
    turn(&f, true);
    STEPS(&f, {LOAD, 1, 0x1, 0, "bypass"}, {LOCAL_STORE, 1, 0x1, 0x1, "miss"},
          {SEND_ALL, 0, 0, 0, "R1:1 R1:e"}, {REPLY, 0, 0, 0, "1"}, {REPLY, 0, 0, 0, "1"},
          {LOAD, 1, 0xf, 0, "hit"}, {LOCAL_STORE, 2, 0xf, 0xf, "miss"}, {LOAD, 2, 0x1, 0, "hit"});
    expect_gate(&f, 3, 1, 1, 1);
    STEPS(&f, {LOAD, 3, 0x1, 0, "bypass"}); /* both are dirty: no tag */
    expect_gate(&f, 4, 2, 2, 1);
    finish(&f);
}

/* A line that a store takes in the way of a tag is not what the tag was. */
static void stores_replace_tags(void **state)
{
    (void)state;
    gm_config config = gated();
    config.l1.global_write = GM_WRITE_THROUGH;
    config.l1.global_allocate = true;
    config.l1.sectored = true;
    config.l1.ways = 1;
    config.l1.size = config.l1.line;
    fixture f;
    make(&f, &config);
    turn(&f, true);
    STEPS(&f, {LOAD, 1, 0x3, 0, "bypass"}, {STORE, 2, 0x1, 0x1, "miss"},
          {LOAD, 2, 0x2, 0, "bypass"}); /* a sector that nothing of 2 had */
    expect_gate(&f, 2, 2, 2, 1);
    finish(&f);
}

/* Allocation on fill: a line in flight has no way yet; a tag may be gone when its data come. */
static void allocation_on_fill(void **state)
{
    (void)state;
    gm_config config = gated();
    config.l1.allocation = GM_ALLOCATE_ON_FILL;
    fixture f;
    make(&f, &config);
    STEPS(&f, {LOAD, 1, 0x1, 0, "miss"});
    turn(&f, true);
    STEPS(&f, {LOAD, 1, 0x2, 0, "pending"}, {LOAD, 2, 0x1, 0, "bypass"},
          {LOAD, 3, 0x1, 0, "bypass"}, {SEND, 0, 0, 0, "R1:f"},
          {REPLY, 0, 0, 0, "1"}); /* in the way of 2 */
    expect_gate(&f, 4, 3, 2, 2);
    assert_int_equal(gm_cycle_l1_held(&f.l1, 1), 0xf);
    turn(&f, false);
    STEPS(&f, {REPLY, 0, 0, 0, "1"}, {SEND_ALL, 0, 0, 0, "R2:1 R3:1"}, {REPLY, 0, 0, 0, "2"},
          {REPLY, 0, 0, 0, "3"}, {LOAD, 3, 0x1, 0, "miss"}, {SEND_ALL, 0, 0, 0, "R3:f"},
          {REPLY, 0, 0, 0, "3"}, {LOAD, 3, 0x1, 0, "hit"});
    turn(&f, true);
    STEPS(&f, {LOAD, 4, 0x1, 0, "bypass"}); /* in the way of 1 */
    turn(&f, false);
    STEPS(&f, {LOAD, 4, 0x1, 0, "miss"}, {STORE, 4, 0x1, 0x1, "pending"}); /* drops tag and entry */
    assert_int_equal(gm_cache_find(&f.l1.cache, 4).slot, GM_NO_SLOT);
    STEPS(&f, {LOAD, 4, 0x1, 0, "miss"}, {SEND_ALL, 0, 0, 0, "R4:1 R4:f W4:1 R4:f"});
    expect_gate(&f, 9, 7, 3, 3);
    finish(&f);
}

/* A line that comes into the way of a tag is not what the tag was. */
static void fills_replace_tags(void **state)
{
    (void)state;
    gm_config config = gated();
    config.l1.allocation = GM_ALLOCATE_ON_FILL;
    config.l1.sectored = true;
    config.l1.ways = 1;
    config.l1.size = config.l1.line;
    fixture f;
    make(&f, &config);
    STEPS(&f, {LOAD, 1, 0x1, 0, "miss"});
    turn(&f, true);
    STEPS(&f, {LOAD, 2, 0x3, 0, "bypass"}, {SEND, 0, 0, 0, "R1:1"}, {REPLY, 0, 0, 0, "1"},
          {LOAD, 1, 0x2, 0, "bypass"}); /* a sector that no load of 1 had */
    expect_gate(&f, 3, 3, 2, 1);
    finish(&f);
}

/* A fill that evicts a dirty line lets a load of it, which waited for an MSHR entry, bypass. */
static void fills_let_loads_bypass(void **state)
{
    (void)state;
    gm_config config = gated();
    config.l1.allocation = GM_ALLOCATE_ON_FILL;
    config.l1.sectored = true;
    config.l1.ways = 1;
    config.l1.size = config.l1.line;
    config.l1.mshrs = 1;
    fixture f;
    make(&f, &config);
    STEPS(&f, {LOAD, 1, 0x1, 0, "miss"}, {SEND, 0, 0, 0, "R1:1"}, {REPLY, 0, 0, 0, "1"},
          {LOCAL_STORE, 1, 0x1, 0x1, "hit"}, {LOAD, 2, 0x1, 0, "miss"},
          {LOAD, 2, 0x1, 0, "pending"}, {SEND, 0, 0, 0, "R2:1"});
    turn(&f, true);
    STEPS(&f, {LOAD, 3, 0x1, 0, "bypass"}, {LOAD, 1, 0x2, 0, "entry"});
    uint32_t ticket;
    uint32_t gone = gm_cycle_l1_reply(&f.l1, f.now, &ticket); /* the first of two answers */
    assert_int_equal(ticket, 2);
    assert_int_equal(gone >> GM_CYCLE_L1_FAIL_MSHR_ENTRY & 1, 1);
    STEPS(&f, {LOAD, 1, 0x2, 0, "bypass"}, {SEND_ALL, 0, 0, 0, "R3:1 B1:1 R1:2"});
    finish(&f);
}

/* MSHRs that merge by sector: while some sectors are in flight, the line is as in an open L1. */
static void merging_by_sector(void **state)
{
    (void)state;
    gm_config config = gated();
    config.l1.sectored = true;
    config.l1.merge_by = GM_MERGE_BY_SECTOR;
    config.l1.mshrs = 4;
    fixture f;
    make(&f, &config);
    turn(&f, true);
    STEPS(&f, {LOAD, 1, 0x1, 0, "bypass"});
    turn(&f, false);
    STEPS(&f, {LOAD, 1, 0x1, 0, "miss"});
    turn(&f, true);
    STEPS(&f, {LOAD, 1, 0x1, 0, "pending"}, {LOAD, 1, 0x2, 0, "miss"},
          {SEND_ALL, 0, 0, 0, "R1:1 R1:1 R1:2"}, {REPLY, 0, 0, 0, "1"}, {REPLY, 0, 0, 0, "1"},
          {REPLY, 0, 0, 0, "1"}, {REPLY, 0, 0, 0, "1"}, {LOAD, 1, 0x3, 0, "bypass"});
    expect_gate(&f, 5, 3, 2, 1);
    assert_int_equal(gm_cycle_l1_held(&f.l1, 1), 0x3);
    finish(&f);
}

/* A load that finds the bypass path full changes nothing: no tag, no count. */
static void a_full_path(void **state)
{
    (void)state;
    gm_config config = gated();
    config.l1.bypass_queue = 1;
    fixture f;
    make(&f, &config);
    turn(&f, true);
    STEPS(&f, {LOAD, 1, 0x1, 0, "bypass"}, {LOAD, 2, 0x1, 0, "path"}, {LOAD, 2, 0x1, 0, "path"},
          {SEND, 0, 0, 0, "R1:1"}, {LOAD, 2, 0x1, 0, "bypass"});
    expect_gate(&f, 2, 2, 2, 2);
    finish(&f);
}

static gm_cycle_l1_answer attempt(fixture *f, uint64_t address, gm_cycle now, bool again)
{
    const gm_line_request line = {.line = address, .sectors = 0x1};
    const gm_cycle_l1_request asked = {.line = &line,
                                       .kind = GM_REQUEST_LOAD,
                                       .ticket = (uint32_t)address,
                                       .began = now,
                                       .again = again};
    uint32_t answers;
    return gm_cycle_l1_access(&f->l1, &asked, now, &answers);
}

/* 58 of 64 loads missed, above 90%: the gate closes with the period's end in cycle 1000, for loads
 * whose first attempt is not before; with 57 it does not. */
static void closes_for_later_loads(void **state)
{
    (void)state;
    for (unsigned misses = 57; misses <= 58; misses++) {
        gm_config config = gated();
        config.l1.mshrs = 64;
        config.l1.merges = 64;
        config.l1.miss_queue = 256;
        config.l1.size = 64 * config.l1.line;
        config.l1.ways = 64;
        fixture f;
        make(&f, &config);
        for (unsigned i = 0; i < 64; i++) {
            attempt(&f, i < misses ? i : 0, i, false);
        }
        expect_gate(&f, 64, misses, 0, 0);
        f.l1.shared = &f.shared;
        f.shared.miss_queue = 1; /* no room: the next attempts fail */
        assert_int_equal(attempt(&f, 100, 999, false), GM_CYCLE_L1_FAIL_MISS_QUEUE);
        assert_int_equal(attempt(&f, 100, 1000, true), GM_CYCLE_L1_FAIL_MISS_QUEUE);
        bool closes = misses == 58;
        assert_int_equal(attempt(&f, 100, 1001, false),
                         closes ? GM_CYCLE_L1_TAKEN : GM_CYCLE_L1_FAIL_MISS_QUEUE);
        const gm_streaming_statistics *counts = &f.l1.streaming->statistics;
        assert_int_equal(counts->closings, closes);
        assert_int_equal(counts->first_closed, closes ? 1000 : 0);
        assert_int_equal(counts->periods_open, 1);
        assert_int_equal(counts->periods_closed, 0);
        f.shared.miss_queue = 256;
        finish(&f);
    }
}

/* Warps that contend for it keep the L1 open, or open it, from the period on that ends then. */
static void hot_kernels(void **state)
{
    (void)state;
    gm_config config = gated();
    fixture f;
    make(&f, &config);
    gm_streaming *streaming = f.l1.streaming;
    for (unsigned period = 1; period <= 4; period++) {
        for (unsigned i = 0; i < 64; i++) {
            gm_streaming_count(streaming, true);
        }
        gm_streaming_catch_up(streaming, 1000 * period - 1);
        streaming->hot = period == 2 || period == 3;
        gm_streaming_catch_up(streaming, 1000 * period);
        assert_int_equal(streaming->block.closed, period == 1 || period == 4);
    }
    assert_int_equal(streaming->statistics.openings, 1);
    assert_int_equal(streaming->statistics.closings, 2);
    assert_int_equal(streaming->statistics.periods_closed, 1);
    assert_int_equal(streaming->statistics.periods_open, 3);
    assert_int_equal(streaming->statistics.first_closed, 1000);
    destroy(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tags_without_data),      cmocka_unit_test(order_of_tags),
        cmocka_unit_test(lines_in_flight),        cmocka_unit_test(dirty_lines),
        cmocka_unit_test(dirty_sectors),          cmocka_unit_test(sectors_of_tags),
        cmocka_unit_test(sectors_of_a_new_tag),   cmocka_unit_test(what_drops_a_tag),
        cmocka_unit_test(stores_fill_tags),       cmocka_unit_test(allocation_on_fill),
        cmocka_unit_test(merging_by_sector),      cmocka_unit_test(a_full_path),
        cmocka_unit_test(closes_for_later_loads), cmocka_unit_test(hot_kernels),
        cmocka_unit_test(fills_replace_tags),     cmocka_unit_test(fills_let_loads_bypass),
        cmocka_unit_test(stores_replace_tags),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
