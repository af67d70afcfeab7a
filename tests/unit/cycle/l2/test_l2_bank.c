/* L2 bank with time, worked by hand. */
#include "cycle/tracker/tracker_bank.h"
#include "support/cycle/l2/l2_two_sets.h"

#include <string.h>

static void bring(test_fixture *f, gm_cycle at, gm_message_kind kind, uint64_t line)
{
    world_bring(&f->w, at,
                (gm_packet){.line = line,
                            .sectors = 1,
                            .whole = 1,
                            .id = f->w.coming_count,
                            .kind = (uint8_t)kind});
}

static void hit_miss_and_merge(void **state)
{
    test_fixture *f = *state;
    world_make(&f->w, 0);
    bring(f, 10, GM_MESSAGE_READ, 7);
    bring(f, 11, GM_MESSAGE_READ, 7);
    bring(f, 12, GM_MESSAGE_REDUCTION, 7);
    bring(f, 400, GM_MESSAGE_READ, 7);
    finish(f, 4, 0, 0, 0, 0);
    expect_sent(f, 0, 0, 10 + MISS);
    expect_sent(f, 1, 1, 10 + MISS + 1); /* a request of the line each cycle */
    expect_sent(f, 2, 2, 10 + MISS + 2);
    expect_sent(f, 3, 3, 400 + HIT);
    const gm_cache_statistics *s = &f->w.bank.l2.statistics;
    assert_int_equal(s->misses[GM_LOAD], 1);
    assert_int_equal(s->hits_pending[GM_LOAD], 1);
    assert_int_equal(s->hits_pending[GM_ATOMIC], 1);
    assert_int_equal(s->hits[GM_LOAD], 1);
    assert_int_equal(s->sectors_filled[GM_LOAD], 4);
    assert_int_equal(f->w.bank.l2.dirty_sectors, 1);
    assert_int_equal(f->w.dram_count, 1);
    assert_int_equal(f->w.dram[0].at, 10 + LATENCY + 1);
    assert_int_equal(f->w.dram[0].request.sectors, 0xf);
    assert_int_equal(f->w.dram[0].request.address, 7 * 128);
    /* The entry is taken in 130 and given back with the last answer, in 233. */
    gm_l2_bank_settle(&f->w.bank, 500);
    assert_int_equal(f->w.bank.time.l2_mshr_entries, 1);
    assert_int_equal(f->w.bank.time.l2_mshr_cycles, 103);
}

/* A fetch that the store does not need is not made, and its answer does not wait. */
/* Packets come from a tracker bank, one in a core cycle; a response waits for a cycle in which the
 * tracker bank sends nothing to the reply network. */
static void behind_a_tracker_bank(void **state)
{
    test_fixture *f = *state;
    gm_cycle wake = GM_NEVER;
    gm_tracker_outlet outlet = {.arrival = GM_NEVER, .sent_at = GM_NEVER, .wake = &wake};
    world_make(&f->w, 0);
    gm_l2_bank_connect_tracker(&f->w.bank, &outlet);
    for (gm_cycle now = 0; now < 1000; now++) {
        if (now == 10 || now == 400) {
            outlet.packet = (gm_packet){.line = 7,
                                        .in_bank = 7,
                                        .sectors = 1,
                                        .id = (uint32_t)now,
                                        .kind = GM_MESSAGE_READ};
            outlet.arrival = now;
            gm_wake(&f->w.wake, now);
        }
        outlet.sent_at = now >= 400 + HIT && now < 400 + HIT + 3 ? now : outlet.sent_at;
        f->now = now;
        world_step(&f->w, now);
        if (now == 10) {
            assert_int_equal(outlet.arrival, GM_NEVER); /* taken */
            assert_int_equal(wake, 11);
        }
    }
    finish(f, 2, 0, 0, 0, 0);
    expect_sent(f, 0, 10, 10 + MISS);
    expect_sent(f, 1, 400, 400 + HIT + 3);
}

/* dram.entry_turns: the bank waits in the channel's set, until another bank that waits has had its
 * turn, and leaves the set with its last request. */
static void takes_its_turn(void **state)
{
    test_fixture *f = *state;
    f->w.config.dram.entry_turns = true;
    world_make(&f->w, 0);
    gm_gddr5 *channel = &f->w.channel;
    channel->turns = true;
    channel->clock = gm_clock_make(1, 1);
    channel->state.turn = 1;
    gm_gddr5_wait(channel, 3, true); /* another bank */
    bring(f, 10, GM_MESSAGE_READ, 7);
    bring(f, 11, GM_MESSAGE_READ, 8);
    for (gm_cycle now = 0; now < 200; now++) {
        f->now = now;
        world_step(&f->w, now);
        assert_int_equal(channel->state.waiting, now < 10 + LATENCY ? 8 : 9);
    }
    assert_int_equal(f->w.dram_count, 0);
    gm_gddr5_wait(channel, 3, false);
    finish(f, 2, 0, 0, 0, 0);
    assert_int_equal(f->w.dram[0].at, 200);
    assert_int_equal(f->w.dram[1].at, 201);
    assert_int_equal(channel->state.waiting, 0);
}

static void covered_store(void **state)
{
    test_fixture *f = *state;
    f->w.config.l2.fetch_on_write = GM_FETCH_PARTIAL;
    world_make(&f->w, 0);
    world_bring(&f->w, 10,
                (gm_packet){.line = 3, .sectors = 0xf, .whole = 0xf, .kind = GM_MESSAGE_WRITE});
    bring(f, 11, GM_MESSAGE_WRITE, 4); /* one sector of four: fetches the others */
    finish(f, 2, 0, 0, 0, 0);
    assert_int_equal(f->w.sent[0].at, 10 + HIT);
    assert_int_equal(f->w.sent[1].at, 11 + MISS);
    assert_int_equal(f->w.dram_count, 1);
    assert_int_equal(f->w.dram[0].request.sectors, 0xe);
    assert_int_equal(f->w.bank.l2.dirty_sectors, 5);
}

/* Lazy: a store that covers a part of its sector is answered as a hit, and reads nothing; a later
 * load reads this sector. While other data of the line are in flight, a store waits for them. */
static void lazy_store(void **state)
{
    test_fixture *f = *state;
    f->w.config.l2.sectored = true;
    f->w.config.l2.fetch_on_write = GM_FETCH_LAZY;
    world_make(&f->w, 0);
    world_bring(&f->w, 10, (gm_packet){.line = 4, .sectors = 1, .kind = GM_MESSAGE_WRITE});
    world_bring(&f->w, 400, (gm_packet){.line = 4, .sectors = 1, .id = 1, .kind = GM_MESSAGE_READ});
    world_bring(&f->w, 401,
                (gm_packet){.line = 4,
                            .sectors = 6,
                            .whole = 4,
                            .id = 2,
                            .kind = GM_MESSAGE_WRITE}); /* 1 in part, 2 whole */
    world_bring(&f->w, 402, (gm_packet){.line = 4, .sectors = 4, .id = 3, .kind = GM_MESSAGE_READ});
    world_bring(&f->w, 403, (gm_packet){.line = 4, .sectors = 2, .id = 4, .kind = GM_MESSAGE_READ});
    world_bring(&f->w, 800, (gm_packet){.line = 4, .sectors = 7, .id = 5, .kind = GM_MESSAGE_READ});
    finish(f, 6, 0, 0, 0, 0);
    expect_sent(f, 0, 0, 10 + HIT);
    expect_sent(f, 5, 5, 800 + HIT);
    assert_int_equal(f->w.dram_count, 2);
    assert_int_equal(f->w.dram[0].request.sectors, 1);
    assert_int_equal(f->w.dram[1].request.sectors, 2);
    assert_int_equal(f->w.bank.l2.dirty_sectors, 3);
}

/* Lazy: sectors that were partial before other data of the line were asked for. While these are in
 * flight, a store of such a sector hits, and makes it whole; a load of another one reads it. */
static void partial_beside_data_in_flight(void **state)
{
    test_fixture *f = *state;
    static const struct {
        gm_cycle at;
        uint32_t sectors, whole;
        gm_message_kind kind;
    } requests[] = {
        {10, 1, 0, GM_MESSAGE_WRITE},  {20, 2, 0, GM_MESSAGE_WRITE}, {400, 4, 0, GM_MESSAGE_READ},
        {401, 1, 1, GM_MESSAGE_WRITE}, {402, 1, 0, GM_MESSAGE_READ}, {403, 2, 0, GM_MESSAGE_READ},
        {800, 7, 0, GM_MESSAGE_READ},
    };
    f->w.config.l2.sectored = true;
    f->w.config.l2.fetch_on_write = GM_FETCH_LAZY;
    f->w.config.l2.merges = 8;
    world_make(&f->w, 0);
    for (uint32_t i = 0; i < 7; i++) {
        world_bring(&f->w, requests[i].at,
                    (gm_packet){.line = 4,
                                .sectors = requests[i].sectors,
                                .whole = requests[i].whole,
                                .id = i,
                                .kind = (uint8_t)requests[i].kind});
    }
    finish(f, 7, 0, 0, 0, 0);
    expect_sent(f, 6, 6, 800 + HIT);
    assert_int_equal(f->w.dram_count, 2);
    assert_int_equal(f->w.dram[0].request.sectors, 4);
    assert_int_equal(f->w.dram[1].request.sectors, 2);
    const gm_cache_statistics *counts = &f->w.bank.l2.statistics;
    assert_int_equal(counts->misses[GM_STORE], 2);
    assert_int_equal(counts->hits_pending[GM_STORE], 1);
    assert_int_equal(counts->misses[GM_LOAD], 2);
    assert_int_equal(counts->hits_pending[GM_LOAD], 1);
    assert_int_equal(counts->hits[GM_LOAD], 1);
}

/* l2.dirty=parts: two stores of half a sector each make it whole, also when one or both come while
 * data of the line are in flight; one does not. */
static void stores_of_parts(void **state)
{
    test_fixture *f = *state;
    static const struct {
        gm_cycle at;
        uint32_t sectors, bytes;
        gm_message_kind kind;
    } requests[] = {
        {10, 1, 0x0000ffff, GM_MESSAGE_WRITE},  {400, 2, 0, GM_MESSAGE_READ},
        {401, 4, 0x0000ffff, GM_MESSAGE_WRITE}, {402, 4, 0xffff0000, GM_MESSAGE_WRITE},
        {403, 8, 0x0000ffff, GM_MESSAGE_WRITE}, {404, 4, 0, GM_MESSAGE_READ},
        {405, 1, 0xffff0000, GM_MESSAGE_WRITE}, {800, 15, 0, GM_MESSAGE_READ},
    };
    f->w.config.l2.sectored = true;
    f->w.config.l2.fetch_on_write = GM_FETCH_LAZY;
    f->w.config.l2.dirty = GM_DIRTY_PARTS;
    f->w.config.l2.merges = 8;
    f->w.config.sm.coalesce = GM_COALESCE_SECTOR;
    f->w.config.l1.local_write = GM_WRITE_THROUGH;
    world_make(&f->w, 0);
    for (uint32_t i = 0; i < 8; i++) {
        world_bring(&f->w, requests[i].at,
                    (gm_packet){.line = 4,
                                .sectors = requests[i].sectors,
                                .bytes = requests[i].bytes,
                                .id = i,
                                .kind = (uint8_t)requests[i].kind});
    }
    finish(f, 8, 0, 0, 0, 0);
    expect_sent(f, 7, 7, 800 + MISS);
    assert_int_equal(f->w.dram_count, 2);
    assert_int_equal(f->w.dram[0].request.sectors, 2);
    assert_int_equal(f->w.dram[1].request.sectors, 8);
    assert_int_equal(f->w.bank.l2.dirty_sectors, 3);
}

/* A store that misses, or merges, is also a write to DRAM in front of its read; its answer waits
 * for the line, which stays clean. One that hits makes it dirty. */
static void store_that_goes_on(void **state)
{
    test_fixture *f = *state;
    f->w.config.l2.fetch_on_write = GM_FETCH_THROUGH;
    world_make(&f->w, 0);
    bring(f, 10, GM_MESSAGE_WRITE, 3);
    world_bring(&f->w, 11, (gm_packet){.line = 3, .sectors = 6, .id = 1, .kind = GM_MESSAGE_WRITE});
    run_to(f, 390);
    assert_int_equal(f->w.bank.l2.dirty_sectors, 0);
    bring(f, 400, GM_MESSAGE_WRITE, 3);
    finish(f, 3, 0, 0, 0, 0);
    expect_sent(f, 0, 0, 10 + MISS + 1); /* the read leaves a cycle behind the write */
    expect_sent(f, 1, 1, 10 + MISS + 2);
    expect_sent(f, 2, 2, 400 + HIT);
    assert_int_equal(f->w.dram_count, 3);
    static const struct {
        bool write;
        uint32_t sectors;
    } expected[] = {{true, 1}, {false, 0xf}, {true, 6}};
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(f->w.dram[i].at, 10 + LATENCY + 1 + i); /* one in a cycle */
        assert_int_equal(f->w.dram[i].request.write, expected[i].write);
        assert_int_equal(f->w.dram[i].request.sectors, expected[i].sectors);
        assert_int_equal(f->w.dram[i].request.address, 3 * 128);
    }
    assert_int_equal(f->w.bank.l2.through, 3);
    assert_int_equal(f->w.bank.l2.dirty_sectors, 1);
}

/* A dirty victim, the store, and the read go to DRAM together: a queue of one takes all three when
 * it is empty. */
static void three_requests_to_dram(void **state)
{
    test_fixture *f = *state;
    f->w.config.l2.fetch_on_write = GM_FETCH_THROUGH;
    f->w.config.l2.dram_queue = 1;
    f->w.config.l2.size = 128;
    f->w.config.l2.ways = 1;
    world_make(&f->w, 0);
    bring(f, 10, GM_MESSAGE_REDUCTION, 1);
    bring(f, 400, GM_MESSAGE_WRITE, 2);
    finish(f, 2, 0, 0, 0, 0);
    assert_int_equal(f->w.dram_count, 4);
    static const bool writes[] = {false, true, true, false};
    static const uint64_t lines[] = {1, 1, 2, 2};
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(f->w.dram[i].request.write, writes[i]);
        assert_int_equal(f->w.dram[i].request.address, lines[i] * 128);
    }
    assert_int_equal(f->w.bank.l2.dirty_sectors, 0);
}

/* The channel takes nothing until 500; a queue of two holds a store and its read. The second store
 * needs both places: it fails from 131 to 500. */
static void room_for_a_read_and_a_write(void **state)
{
    test_fixture *f = *state;
    f->w.config.l2.fetch_on_write = GM_FETCH_THROUGH;
    f->w.config.l2.dram_queue = 2;
    world_make(&f->w, 0);
    world_close_channel(&f->w, true, 0);
    bring(f, 10, GM_MESSAGE_WRITE, 1);
    bring(f, 11, GM_MESSAGE_WRITE, 2);
    run_to(f, 500);
    world_close_channel(&f->w, false, 500);
    finish(f, 2, 0, 0, 0, 501 - 131);
    assert_int_equal(f->w.dram_count, 4);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(f->w.dram[i].at, 500 + i);
        assert_int_equal(f->w.dram[i].request.write, i % 2 == 0);
    }
}

/* One set of one way: the second miss waits for the first line's data, which come in 231 and use
 * the tags in that cycle: fails in 131 to 230, and it is looked up in 232. */
static void no_way(void **state)
{
    test_fixture *f = *state;
    f->w.config.l2.size = 128;
    f->w.config.l2.ways = 1;
    world_make(&f->w, 0);
    bring(f, 10, GM_MESSAGE_WRITE, 1);
    bring(f, 11, GM_MESSAGE_READ, 2);
    run_to(f, 200);
    gm_l2_bank_settle(&f->w.bank, 200);
    assert_int_equal(f->w.bank.l2.statistics.fails_line[GM_LOAD], 200 - 131);
    char text[128];
    assert_int_equal(gm_l2_bank_oldest(&f->w.bank, text, sizeof text), 10);
    assert_string_equal(text, "L2 bank 0: a store of SM 0, line 0x1, waits for its line's data");
    finish(f, 2, 100, 0, 0, 0);
    expect_sent(f, 0, 0, 10 + MISS);
    expect_sent(f, 1, 1, 232 + 1 + 1 + DRAM + 1); /* its read follows the write-back */
    assert_int_equal(f->w.dram_count, 3);
    assert_true(f->w.dram[1].request.write);
    assert_int_equal(f->w.dram[1].request.sectors, 1);
    assert_int_equal(f->w.dram[1].request.address, 128);
    assert_int_equal(f->w.dram[1].at, 233);
    assert_int_equal(f->w.dram[2].request.address, 256);
    assert_int_equal(f->w.bank.l2.dirty_sectors, 0);
}

static void no_mshr_entry(void **state)
{
    test_fixture *f = *state;
    f->w.config.l2.mshrs = 1;
    world_make(&f->w, 0);
    bring(f, 10, GM_MESSAGE_READ, 1);
    bring(f, 11, GM_MESSAGE_READ, 2);
    bring(f, 12, GM_MESSAGE_READ, 2);
    finish(f, 3, 0, 100, 0, 0); /* 131 to 230, as above */
    expect_sent(f, 1, 1, 232 + 1 + DRAM + 1);
    expect_sent(f, 2, 2, 232 + 1 + DRAM + 2);
}

/* The third request of the line waits for both answers, in 231 and 232: a hit in 233. */
static void no_room_to_merge(void **state)
{
    test_fixture *f = *state;
    f->w.config.l2.merges = 2;
    world_make(&f->w, 0);
    bring(f, 10, GM_MESSAGE_READ, 1);
    bring(f, 11, GM_MESSAGE_READ, 1);
    bring(f, 12, GM_MESSAGE_READ, 1);
    bring(f, 13, GM_MESSAGE_READ, 2); /* in order: waits behind it */
    finish(f, 4, 0, 0, 231 - 132, 0);
    expect_sent(f, 2, 2, 234);
    expect_sent(f, 3, 3, 234 + 1 + DRAM + 1);
}

/* The channel takes nothing until 500, and a queue of one holds the first miss: the second fails
 * from 131 to 499. */
static void no_room_to_dram(void **state)
{
    test_fixture *f = *state;
    f->w.config.l2.dram_queue = 1;
    world_make(&f->w, 0);
    world_close_channel(&f->w, true, 0);
    bring(f, 10, GM_MESSAGE_READ, 1);
    bring(f, 11, GM_MESSAGE_READ, 2);
    run_to(f, 500);
    assert_int_equal(f->w.bank.l2.statistics.accesses[GM_LOAD], 1);
    assert_int_equal(f->w.bank.entries, 1);
    world_close_channel(&f->w, false, 500);
    finish(f, 2, 0, 0, 0, 500 - 131);
    assert_int_equal(f->w.dram[0].at, 500);
    assert_int_equal(f->w.dram[1].at, 501);
}

/* The reply network takes nothing until 500; a queue of one holds the first hit. */
static void no_room_to_reply(void **state)
{
    test_fixture *f = *state;
    f->w.config.l2.reply_queue = 1;
    world_make(&f->w, 0);
    bring(f, 10, GM_MESSAGE_READ, 1);
    run_to(f, 300);
    world_close_replies(&f->w, true, 300);
    bring(f, 300, GM_MESSAGE_READ, 1);
    bring(f, 301, GM_MESSAGE_READ, 1);
    run_to(f, 500);
    world_close_replies(&f->w, false, 500);
    finish(f, 3, 0, 0, 0, 500 - 421);
    expect_sent(f, 1, 1, 500);
    expect_sent(f, 2, 2, 501);
}

static void atomic_unit(void **state)
{
    test_fixture *f = *state;
    f->w.config.l2.atomic_interval = 8;
    world_make(&f->w, 0);
    bring(f, 10, GM_MESSAGE_ATOMIC, 1);
    bring(f, 11, GM_MESSAGE_REDUCTION, 1);
    bring(f, 400, GM_MESSAGE_ATOMIC, 1);
    bring(f, 401, GM_MESSAGE_ATOMIC, 1);
    bring(f, 402, GM_MESSAGE_READ, 1); /* in order */
    finish(f, 5, 0, 0, 0, 0);
    expect_sent(f, 0, 0, 10 + MISS);
    expect_sent(f, 1, 1, 10 + MISS + 8);
    expect_sent(f, 2, 2, 400 + HIT);
    expect_sent(f, 3, 3, 400 + HIT + 8);
    expect_sent(f, 4, 4, 400 + HIT + 9);
}

/* An interval for each sector: an atomic of two takes the unit for two. */
static void atomic_sectors(void **state)
{
    test_fixture *f = *state;
    f->w.config.l2.atomic_interval = 8;
    f->w.config.l2.atomic_sectors = true;
    f->w.config.l2.sectored = true;
    world_make(&f->w, 0);
    bring(f, 10, GM_MESSAGE_REDUCTION, 1);
    world_bring(&f->w, 400,
                (gm_packet){.line = 1, .sectors = 1, .id = 1, .kind = GM_MESSAGE_REDUCTION});
    run_to(f, 900);
    world_bring(&f->w, 900,
                (gm_packet){.line = 1, .sectors = 3, .id = 2, .kind = GM_MESSAGE_REDUCTION});
    run_to(f, 1500);
    world_bring(&f->w, 1500,
                (gm_packet){.line = 1, .sectors = 3, .id = 3, .kind = GM_MESSAGE_ATOMIC});
    bring(f, 1501, GM_MESSAGE_ATOMIC, 1);
    bring(f, 1502, GM_MESSAGE_ATOMIC, 1);
    finish(f, 6, 0, 0, 0, 0);
    expect_sent(f, 3, 3, 1500 + HIT);
    expect_sent(f, 4, 4, 1500 + HIT + 16);
    expect_sent(f, 5, 5, 1500 + HIT + 24);
}

/* L2 at half the core's clock: L2 cycle i begins with core cycle 2 i. Taken in 10, looked up in
 * 130, pushed in 132, data in 232, sent in 234. At twice it: L2 cycles 2 t and 2 t + 1 are of core
 * cycle t; the push is in the look-up's core cycle, and so is the sending. */
static void clocks(void **state)
{
    test_fixture *f = *state;
    f->w.config.clock.l2 = f->w.config.clock.core / 2;
    world_make(&f->w, 0);
    bring(f, 9, GM_MESSAGE_READ, 1);
    finish(f, 1, 0, 0, 0, 0);
    expect_sent(f, 0, 0, 234);
    world_free(&f->w);
    memset(&f->w.bank, 0, sizeof f->w.bank);
    f->w.coming_count = f->w.taken = f->w.sent_count = f->w.dram_count = f->w.first_left = 0;
    f->now = 0;
    f->w.config.clock.l2 = f->w.config.clock.core * 2;
    world_make(&f->w, 0);
    bring(f, 9, GM_MESSAGE_READ, 1);
    finish(f, 1, 0, 0, 0, 0);
    expect_sent(f, 0, 0, 9 + LATENCY + DRAM);
}

/* The read of a look-up in 130 is pushed in 131, and not ahead where another bank could be first.
 * (The other tests are of a channel's only bank.) */
static void pushes_in_turn(void **state)
{
    test_fixture *f = *state;
    f->w.config.memory.banks = 2;
    world_make(&f->w, 0);
    bring(f, 10, GM_MESSAGE_READ, 8);
    run_to(f, 10 + LATENCY + 1);
    assert_int_equal(f->w.dram_count, 0);
    finish(f, 1, 0, 0, 0, 0);
    assert_int_equal(f->w.dram[0].at, 10 + LATENCY + 1);
}

/* A sector that is not in flight is fetched for the line that waits; both are answered when all
 * sectors have come, the first request first. */
static void sectors_of_a_waiting_line(void **state)
{
    test_fixture *f = *state;
    f->w.config.l2.sectored = true;
    world_make(&f->w, 0);
    bring(f, 10, GM_MESSAGE_READ, 1);
    world_bring(&f->w, 30, (gm_packet){.line = 1, .sectors = 6, .id = 1, .kind = GM_MESSAGE_READ});
    bring(f, 31, GM_MESSAGE_WRITE, 1);
    finish(f, 3, 0, 0, 0, 0);
    expect_sent(f, 0, 0, 30 + MISS);
    expect_sent(f, 1, 1, 30 + MISS + 1);
    expect_sent(f, 2, 2, 30 + MISS + 2);
    assert_int_equal(f->w.dram[0].request.sectors, 1);
    assert_int_equal(f->w.dram[1].request.sectors, 6);
    assert_int_equal(f->w.bank.l2.statistics.misses[GM_LOAD], 2);
    assert_int_equal(f->w.bank.l2.statistics.sector_misses[GM_LOAD], 1);
    assert_int_equal(f->w.bank.l2.statistics.hits_pending[GM_STORE], 1);
}

static void bring_sector(test_fixture *f, gm_cycle at, gm_message_kind kind, unsigned sector)
{
    world_bring(&f->w, at,
                (gm_packet){.line = 1,
                            .sectors = UINT32_C(1) << sector,
                            .whole = UINT32_C(1) << sector,
                            .id = f->w.coming_count,
                            .kind = (uint8_t)kind});
}

/* A bank whose MSHRs merge by sector, two requests each. */
static void make_by_sector(test_fixture *f)
{
    f->w.config.l1.enabled = false;
    f->w.config.l2.sectored = true;
    f->w.config.sm.coalesce = GM_COALESCE_SECTOR;
    f->w.config.l2.merge_by = GM_MERGE_BY_SECTOR;
    f->w.config.l2.merges = 2;
    world_make(&f->w, 0);
}

/* Sector 0 is asked for in 10 and 50, sector 1 in 30: each waits for its own data.
 * Sector 0 is present from 231 on, and is hit while sector 2, asked for in 200, is in flight; the
 * line's way waits for that. */
static void entries_of_sectors(void **state)
{
    test_fixture *f = *state;
    make_by_sector(f);
    bring_sector(f, 10, GM_MESSAGE_READ, 0);
    bring_sector(f, 30, GM_MESSAGE_READ, 1);
    bring_sector(f, 50, GM_MESSAGE_READ, 0);
    bring_sector(f, 51, GM_MESSAGE_READ, 1);
    bring_sector(f, 200, GM_MESSAGE_READ, 2);
    bring_sector(f, 205, GM_MESSAGE_READ, 0); /* looked up in 325 */
    run_to(f, 400);
    assert_true(gm_cache_waits(&f->w.bank.l2.cache, gm_cache_find(&f->w.bank.l2.cache, 1).slot));
    finish(f, 6, 0, 0, 0, 0);
    expect_sent(f, 0, 0, 10 + MISS);
    expect_sent(f, 1, 2, 10 + MISS + 1);
    expect_sent(f, 2, 1, 30 + MISS);
    expect_sent(f, 3, 3, 30 + MISS + 1);
    expect_sent(f, 4, 5, 205 + HIT);
    expect_sent(f, 5, 4, 200 + MISS);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(f->w.dram[i].request.sectors, UINT32_C(1) << i);
    }
    assert_int_equal(f->w.bank.l2.statistics.misses[GM_LOAD], 3);
    assert_int_equal(f->w.bank.l2.statistics.sector_misses[GM_LOAD], 2);
    assert_int_equal(f->w.bank.l2.statistics.hits_pending[GM_LOAD], 2);
    assert_int_equal(f->w.bank.l2.statistics.hits[GM_LOAD], 1);
    assert_int_equal(f->w.bank.time.l2_mshr_entries, 3);
}

/* Lazy: a sector that a store wrote in part is not held: two reads of it share an entry. */
static void reads_of_a_partial_sector_merge(void **state)
{
    test_fixture *f = *state;
    f->w.config.l2.fetch_on_write = GM_FETCH_LAZY;
    make_by_sector(f);
    world_bring(&f->w, 10, (gm_packet){.line = 1, .sectors = 1, .kind = GM_MESSAGE_WRITE});
    bring_sector(f, 400, GM_MESSAGE_READ, 0);
    bring_sector(f, 420, GM_MESSAGE_READ, 0);
    finish(f, 3, 0, 0, 0, 0);
    expect_sent(f, 0, 0, 10 + HIT);
    expect_sent(f, 1, 1, 400 + MISS);
    expect_sent(f, 2, 2, 400 + MISS + 1);
    assert_int_equal(f->w.dram_count, 1);
    assert_int_equal(f->w.bank.l2.statistics.hits_pending[GM_LOAD], 1);
}

/* Two sectors in flight together: the way waits until the later one's data have come. A third
 * request of one sector finds its entry full, from its look-up in 172 until 232. */
static void a_way_waits_for_all_sectors(void **state)
{
    test_fixture *f = *state;
    make_by_sector(f);
    bring_sector(f, 10, GM_MESSAGE_READ, 0);
    bring_sector(f, 50, GM_MESSAGE_READ, 1);
    bring_sector(f, 51, GM_MESSAGE_READ, 0);
    bring_sector(f, 52, GM_MESSAGE_READ, 0);
    run_to(f, 250);
    const gm_cache *cache = &f->w.bank.l2.cache;
    assert_true(gm_cache_waits(cache, gm_cache_find(cache, 1).slot));
    run_to(f, 280);
    assert_false(gm_cache_waits(cache, gm_cache_find(cache, 1).slot));
    finish(f, 4, 0, 0, 231 - 172, 0);
    expect_sent(f, 2, 3, 234);
    expect_sent(f, 3, 1, 50 + MISS);
}

/* The delay in front of the look-up takes a packet in each cycle, however few places the queue
 * behind it has: 120 are in it at a time. */
static void delay_without_a_limit(void **state)
{
    test_fixture *f = *state;
    f->w.config.l2.queue = 8;
    world_make(&f->w, 0);
    bring(f, 10, GM_MESSAGE_READ, 1);
    for (gm_cycle at = 400; at < 700; at++) {
        bring(f, at, GM_MESSAGE_READ, 1);
    }
    run_to(f, 400 + LATENCY);
    assert_int_equal(f->w.taken, 1 + LATENCY);
    assert_int_equal(gm_ring_count(&f->w.bank.in), LATENCY);
    finish(f, 301, 0, 0, 0, 0);
    for (uint32_t i = 1; i <= 300; i++) {
        expect_sent(f, i, i, 399 + i + HIT);
    }
}

/* Packets come from 400 on, one a cycle; the reply network takes nothing until 600, and a queue of
 * one holds the hit of 520. Those that are 120 cycles old wait in a queue of 8, which takes more
 * from the delay until it is full; the delay takes more while 4 of its places are free: until 524,
 * when the packets of 401 to 404 are there. From 600 on one leaves in each cycle: 79 are old until
 * 644, when the last of 524 becomes so, and 4 are left in 719. */
static void delay_in_front_of_a_full_queue(void **state)
{
    test_fixture *f = *state;
    f->w.config.l2.queue = 8;
    f->w.config.l2.reply_queue = 1;
    world_make(&f->w, 0);
    bring(f, 10, GM_MESSAGE_READ, 1);
    run_to(f, 400);
    world_close_replies(&f->w, true, 400);
    for (gm_cycle at = 400; at < 600; at++) {
        bring(f, at, GM_MESSAGE_READ, 1);
    }
    run_to(f, 525);
    assert_int_equal(f->w.taken, 1 + 125);
    run_to(f, 600);
    world_close_replies(&f->w, false, 600);
    run_to(f, 719);
    assert_int_equal(f->w.taken, 1 + 125);
    run_to(f, 720);
    assert_int_equal(f->w.taken, 1 + 126);
    finish(f, 201, 0, 0, 0, 600 - 521);
    expect_sent(f, 1, 1, 600);
    expect_sent(f, 125, 125, 724);
    expect_sent(f, 126, 126, 719 + HIT);
}

/* A queue of fewer than 4 places: the delay takes a packet while it is empty, so that all of its
 * 121 have been looked up when the next comes in: that one does not wait for the data of another.
 */
static void delay_in_front_of_a_short_queue(void **state)
{
    test_fixture *f = *state;
    f->w.config.l2.queue = 1;
    f->w.config.l2.mshrs = 1;
    world_make(&f->w, 0);
    for (uint32_t i = 0; i < 150; i++) {
        bring(f, 10 + i, GM_MESSAGE_READ, 1 + i);
    }
    run_to(f, 232); /* the second, of 11, waits from 131 on for the first one's data */
    assert_int_equal(f->w.taken, 131 - 10);
    run_to(f, 20000);
    finish(f, 150, 0, 148 * DRAM, 0, 0);
}

static void bring_to_line_7(test_fixture *f, gm_cycle at, uint32_t id, gm_message_kind kind,
                            uint32_t sectors)
{
    world_bring(
        &f->w, at,
        (gm_packet){
            .line = 7, .sectors = sectors, .whole = sectors, .id = id, .kind = (uint8_t)kind});
}

/* A port of a sector: a hit holds it for the sectors of its block, a victim for those that it
 * writes back. */
static void port_of_hits(void **state)
{
    test_fixture *f = *state;
    f->w.config.l2.port = 32;
    f->w.config.l2.ways = 1;
    f->w.config.l2.size = f->w.config.memory.partitions * f->w.config.memory.banks * 128;
    world_make(&f->w, 0);
    bring(f, 10, GM_MESSAGE_READ, 7);
    bring_to_line_7(f, 400, 1, GM_MESSAGE_READ, 0xf);  /* four sectors */
    bring_to_line_7(f, 401, 2, GM_MESSAGE_READ, 0x8);  /* waits for the port; one */
    bring_to_line_7(f, 402, 3, GM_MESSAGE_WRITE, 0x5); /* a block of four */
    bring_to_line_7(f, 403, 4, GM_MESSAGE_WRITE, 0xc); /* a block of two */
    bring_to_line_7(f, 404, 5, GM_MESSAGE_READ, 0x6);  /* a block of four */
    bring(f, 405, GM_MESSAGE_READ, 8);                 /* its victim writes back four sectors */
    bring(f, 406, GM_MESSAGE_READ, 8);                 /* merges four cycles later */
    finish(f, 8, 0, 0, 0, 0);
    expect_sent(f, 0, 0, 10 + MISS);
    expect_sent(f, 1, 1, 400 + HIT);
    expect_sent(f, 2, 2, 404 + HIT);
    expect_sent(f, 3, 3, 405 + HIT);
    expect_sent(f, 4, 4, 409 + HIT);
    expect_sent(f, 5, 5, 411 + HIT);
    assert_int_equal(f->w.dram_count, 3);
    assert_true(f->w.dram[1].request.write);
    assert_int_equal(f->w.dram[1].request.sectors, 0xd);
    assert_int_equal(f->w.bank.port_from, 418 + LATENCY); /* three, of that write-back */
}

/* The data of a line from DRAM hold a port of their own: those of the next line wait, look-ups
 * do not. */
static void port_of_data(void **state)
{
    test_fixture *f = *state;
    f->w.config.l2.port = 32;
    world_make(&f->w, 0);
    bring(f, 10, GM_MESSAGE_READ, 7);
    bring(f, 400, GM_MESSAGE_READ, 8);
    bring(f, 401, GM_MESSAGE_READ, 9);
    bring_to_line_7(f, 402 + MISS - HIT, 3, GM_MESSAGE_READ, 1);
    finish(f, 4, 0, 0, 0, 0);
    expect_sent(f, 0, 0, 10 + MISS);
    expect_sent(f, 1, 1, 400 + MISS);
    expect_sent(f, 2, 3, 402 + MISS);
    expect_sent(f, 3, 2, 404 + MISS);
}

/* l2.answer_beside: the look-up that waits for room to merge hits in the cycle in which the data
 * arrive, before the first of the two that merged is answered; the others behind it hit beside the
 * answers. Without, the two are answered first. An atomic that merged has dirtied its sector
 * by then. */
static void answers_beside_look_ups(void **state)
{
    test_fixture *f = *state;
    f->w.config.l2.answer_beside = true;
    f->w.config.l2.merges = 2;
    world_make(&f->w, 0);
    bring(f, 10, GM_MESSAGE_READ, 7);
    bring(f, 11, GM_MESSAGE_REDUCTION, 7);
    bring(f, 12, GM_MESSAGE_READ, 7); /* no room to merge */
    bring(f, 13, GM_MESSAGE_READ, 7);
    bring(f, 14, GM_MESSAGE_READ, 8);
    finish(f, 5, 0, 0, MISS - 1 - LATENCY - 2, 0); /* from 12 + LATENCY on */
    /* Data arrive in MISS - 1: request 2 hits; then 0 is answered and 3 hits, and 1 is answered
     * while 4 is looked up. One response a cycle is sent. */
    expect_sent(f, 0, 2, 10 + MISS);
    expect_sent(f, 1, 0, 10 + MISS + 1);
    expect_sent(f, 2, 3, 10 + MISS + 2);
    expect_sent(f, 3, 1, 10 + MISS + 3);
    /* Looked up in 10 + MISS + 1; a miss is answered in the cycle behind that of its data. */
    expect_sent(f, 4, 4, 10 + MISS + 1 + MISS - LATENCY + 1);
    const gm_cache_statistics *s = &f->w.bank.l2.statistics;
    assert_int_equal(s->hits[GM_LOAD], 2);
    assert_int_equal(s->hits_pending[GM_ATOMIC], 1);
    assert_int_equal(f->w.bank.l2.dirty_sectors, 1);
    assert_int_equal(f->w.dram_count, 2);
    assert_int_equal(f->w.dram[1].at, 10 + MISS + 1 + 1);
    gm_l2_bank_settle(&f->w.bank, 1000);
    assert_int_equal(f->w.bank.time.l2_mshr_entries, 2);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(hit_miss_and_merge),
        TEST(behind_a_tracker_bank),
        TEST(takes_its_turn),
        TEST(covered_store),
        TEST(lazy_store),
        TEST(partial_beside_data_in_flight),
        TEST(stores_of_parts),
        TEST(store_that_goes_on),
        TEST(three_requests_to_dram),
        TEST(room_for_a_read_and_a_write),
        TEST(no_way),
        TEST(no_mshr_entry),
        TEST(no_room_to_merge),
        TEST(no_room_to_dram),
        TEST(no_room_to_reply),
        TEST(atomic_unit),
        TEST(atomic_sectors),
        TEST(clocks),
        TEST(pushes_in_turn),
        TEST(sectors_of_a_waiting_line),
        TEST(entries_of_sectors),
        TEST(reads_of_a_partial_sector_merge),
        TEST(a_way_waits_for_all_sectors),
        TEST(delay_without_a_limit),
        TEST(delay_in_front_of_a_full_queue),
        TEST(delay_in_front_of_a_short_queue),
        TEST(port_of_hits),
        TEST(port_of_data),
        TEST(answers_beside_look_ups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
