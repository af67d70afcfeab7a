/* The load/store unit with MRPB: in which order requests of several warps reach the L1, worked by
 * hand; and that stores and atomics of a line leave the SM in the order in which they came. */
#include "support/cycle/lsu/load_store_stream.h"

/* MRPB, with one place in the miss queue and one in the bypass path. */
static gm_config one_place_each(void)
{
    gm_config config = defaults();
    config.l1.bypass = GM_BYPASS_MRPB;
    config.l1.miss_queue = config.l1.bypass_queue = 1;
    return config;
}

static void issue(fixture *fixture, uint32_t ticket, uint32_t warp, const uint64_t *lines,
                  uint32_t count)
{
    gm_line_request request[4];
    for (uint32_t i = 0; i < count; i++) {
        request[i] = (gm_line_request){.line = lines[i], .lanes = 1, .sectors = 1};
    }
    gm_load_store_issue(&fixture->unit,
                        &(gm_memory_access){.request = request,
                                            .requests = count,
                                            .ticket = ticket,
                                            .kind = GM_REQUEST_LOAD,
                                            .warp = warp},
                        fixture->now);
}

/* Miss queue and bypass path have one place each, and the interconnect is closed at first: 1 goes
 * to the one, 2 round the L1, 3 waits, and 4, 5 and 6 come behind it. Then warp 3's FIFO is
 * drained, 5 included, before that of warp 0 and of warp 1. Every second request finds the miss
 * queue full. */
static void warp_by_warp(void **state)
{
    (void)state;
    gm_config config = one_place_each();
    fixture fixture;
    gm_error error;
    char text[256];
    make(&fixture, &config);
    fixture.memory->open = false;
    issue(&fixture, 0, 3, (const uint64_t[]){1, 2, 3}, 3);
    issue(&fixture, 1, 1, (const uint64_t[]){4}, 1);
    issue(&fixture, 2, 3, (const uint64_t[]){5}, 1);
    issue(&fixture, 3, 0, (const uint64_t[]){6}, 1);
    run_until(&fixture, 20, text, sizeof text);
    assert_string_equal(text, "");
    assert_int_equal(gm_ring_count(&fixture.unit.queue), 0); /* all are in FIFOs */
    assert_int_equal(fixture.unit.reorder.count, 4);
    assert_true(gm_load_store_oldest(&fixture.unit, text, sizeof text) == 0);
    assert_string_equal(text, "SM 3: line 0x3 in front of the L1: the L1's bypass path is full");
    fixture.memory->open = true;
    gm_wake(&fixture.wake, fixture.now + 1);
    run_until(&fixture, 200, text, sizeof text);
    assert_string_equal(fixture.memory->sent, "R1:f R2:1 R3:f R5:1 R6:f R4:1");
    /* sent in the cycles 21 to 26, there 20 later; they came in the cycles 1 to 6 */
    assert_string_equal(text, "0@43 2@44 3@45 1@46");
    assert_int_equal(fixture.unit.l1.time.load_cycles, 6 * 40);
    assert_true(gm_load_store_idle(&fixture.unit));
    test_ok(gm_load_store_check(&fixture.unit, &error), error);
    const gm_cache_statistics *l1 = &fixture.unit.l1.statistics;
    assert_int_equal(l1->misses[GM_LOAD], 3);
    assert_int_equal(l1->bypasses[GM_LOAD], 3);
    /* cycles 3 to 20: the three before it took 1 and 2, and then 3 failed */
    assert_int_equal(l1->fails_bypass_queue[GM_LOAD], 18);
    destroy(&fixture);
}

/* A FIFO has 32 places; the access whose requests do not fit holds back those behind it. */
static void a_full_fifo(void **state)
{
    (void)state;
    gm_config config = one_place_each();
    fixture fixture;
    gm_error error;
    char text[1024];
    make(&fixture, &config);
    fixture.memory->open = false;
    for (uint32_t i = 0; i < 12; i++) {
        issue(&fixture, i, 2, (const uint64_t[]){4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3}, 4);
        run_until(&fixture, 10 * (i + 1), text, sizeof text);
    }
    /* 2 are in flight, 32 wait, and 14 are left of the last four accesses */
    assert_int_equal(fixture.unit.reorder.count, GM_MRPB_PLACES);
    assert_int_equal(gm_ring_count(&fixture.unit.queue), 4);
    fixture.memory->open = true;
    gm_wake(&fixture.wake, fixture.now + 1);
    run_until(&fixture, 1000, text, sizeof text);
    assert_true(gm_load_store_idle(&fixture.unit));
    test_ok(gm_load_store_check(&fixture.unit, &error), error);
    destroy(&fixture);
}

static void issue_passes(fixture *fixture, uint32_t ticket, uint32_t passes)
{
    gm_load_store_issue(
        &fixture->unit,
        &(gm_memory_access){.passes = passes, .ticket = ticket, .kind = GM_REQUEST_LOAD, .warp = 2},
        fixture->now);
}

/* An instruction without requests begins though its warp's FIFO has been filled by the one before
 * it, in cycle 62: its 3 passes are those of the cycles 63 to 65. */
static void passes_beside_a_full_fifo(void **state)
{
    (void)state;
    gm_config config = one_place_each();
    config.unit.shared = 10;
    fixture fixture;
    char text[256];
    make(&fixture, &config);
    fixture.memory->open = false;
    for (uint32_t i = 0; i < 8; i++) {
        issue(&fixture, i, 2, (const uint64_t[]){4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3}, 4);
        run_until(&fixture, i == 7 ? 60 : 5 * (i + 1), text, sizeof text);
    }
    issue(&fixture, 8, 2, (const uint64_t[]){32, 33}, 2);
    issue_passes(&fixture, 9, 3);
    run_until(&fixture, 100, text, sizeof text);
    assert_int_equal(fixture.unit.reorder.count, GM_MRPB_PLACES);
    assert_string_equal(text, "9@75");
    destroy(&fixture);
}

/* Requests that have left the queue for their FIFOs, and that neither wait for a resource nor for
 * an answer, reach the L1 one a cycle. Line 7 is there. While the interconnect is closed, 1 goes to
 * the miss queue, 2 to the bypass path, 3 waits for either, and 7 behind it, for three warps. 3
 * leaves in cycle 41, then 7 is found in the cycles 42, 43 and 44, each answered a latency later.
 */
static void hits_behind_a_stall(void **state)
{
    (void)state;
    gm_config config = one_place_each();
    config.l1.latency = 6;
    fixture fixture;
    gm_error error;
    char text[256];
    make(&fixture, &config);
    issue(&fixture, 0, 2, (const uint64_t[]){7}, 1);
    run_until(&fixture, 30, text, sizeof text);
    assert_string_equal(fixture.memory->sent, "R7:f");
    fixture.memory->open = false;
    issue(&fixture, 1, 3, (const uint64_t[]){1, 2, 3, 7}, 4);
    issue(&fixture, 2, 1, (const uint64_t[]){7}, 1);
    issue(&fixture, 3, 0, (const uint64_t[]){7}, 1);
    run_until(&fixture, 40, text, sizeof text);
    assert_int_equal(gm_ring_count(&fixture.unit.queue), 0);
    assert_int_equal(fixture.unit.reorder.count, 4);
    fixture.memory->open = true;
    gm_wake(&fixture.wake, fixture.now + 1);
    run_until(&fixture, 200, text, sizeof text);
    assert_string_equal(text, "3@49 2@50 1@63");
    test_ok(gm_load_store_check(&fixture.unit, &error), error);
    destroy(&fixture);
}

/* Issues accesses to shared memory of 3, 1 and 4 passes; writes when each is done. */
static void shared_passes(gm_l1_bypass bypass, char *text, size_t size)
{
    static const uint32_t passes[] = {3, 1, 4};
    gm_config config = defaults();
    config.l1.bypass = bypass;
    fixture fixture;
    make(&fixture, &config);
    for (uint32_t i = 0; i < 3; i++) {
        issue_passes(&fixture, i, passes[i]);
    }
    run_until(&fixture, 100, text, size);
    destroy(&fixture);
}

/* Without requests the FIFOs are not used: passes take the cycles that they take without MRPB. */
static void passes_as_without(void **state)
{
    (void)state;
    char without[256], with[256];
    shared_passes(GM_BYPASS_NONE, without, sizeof without);
    shared_passes(GM_BYPASS_MRPB, with, sizeof with);
    assert_true(without[0] != '\0');
    assert_string_equal(with, without);
}

/* Tickets are in the order of issue. */
static void check_order(const fake_bank *bank, uint64_t lines)
{
    uint32_t last[64] = {0};
    assert_true(lines <= 64 && bank->end < FAKE_PACKETS);
    for (uint32_t i = 0; i < bank->end; i++) {
        const gm_packet *packet = &bank->packet[i];
        bool of_ticket = packet->kind == GM_MESSAGE_WRITE || packet->kind == GM_MESSAGE_ATOMIC ||
                         packet->kind == GM_MESSAGE_REDUCTION;
        if (of_ticket) {
            uint32_t ticket = packet->id & (GM_TICKETS - 1);
            assert_true(ticket >= last[packet->line]);
            last[packet->line] = ticket;
        }
    }
}

static void in_the_order_of_each_line(void **state)
{
    (void)state;
    test_random random = test_random_start(25);
    stream *stream = malloc(sizeof *stream);
    assert_non_null(stream);
    for (unsigned run = 0; run < 40; run++) {
        gm_config config = random_config(&random);
        config.l1.lookup = GM_LOOKUP_FIRST;
        config.l1.kind = GM_L1_CONVENTIONAL;
        config.l1.bypass = GM_BYPASS_MRPB;
        config.l1.streaming = false; /* which needs l1.bypass=none */
        config.l1.banks = 1;
        uint64_t lines = 6 + test_random_below(&random, 20);
        make_stream(stream, &random, &config, lines);
        fixture fixture;
        driver driver = {0};
        make(&fixture, &config);
        assert_true(drive(&fixture, &driver, stream, SKIP, 200000));
        for (unsigned bank = 0; bank < FAKE_BANKS; bank++) {
            check_order(&fixture.memory->bank[bank], lines * config.l1.line / config.l2.line);
        }
        destroy(&fixture);
    }
    free(stream);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(warp_by_warp),
        cmocka_unit_test(a_full_fifo),
        cmocka_unit_test(passes_beside_a_full_fifo),
        cmocka_unit_test(hits_behind_a_stall),
        cmocka_unit_test(passes_as_without),
        cmocka_unit_test(in_the_order_of_each_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
