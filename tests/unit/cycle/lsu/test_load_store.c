/* The load/store unit: when things are done, worked by hand. */
#include "support/cycle/lsu/load_store_run.h"

/* One access of `requests` lines that follow `line`, issued in cycle `now`. */
static void issue(fixture *fixture, gm_request_kind kind, uint32_t ticket, uint64_t line,
                  uint32_t requests, uint32_t passes, gm_cycle now)
{
    gm_line_request request[64];
    for (uint32_t i = 0; i < requests; i++) {
        request[i] = (gm_line_request){.line = line + i, .lanes = 1, .sectors = 1};
    }
    const gm_memory_access access = {.request = request,
                                     .requests = requests,
                                     .ticket = ticket,
                                     .kind = (uint8_t)kind,
                                     .passes = passes};
    assert_true(gm_load_store_has_room(&fixture->unit));
    gm_load_store_issue(&fixture->unit, &access, now);
}

/* A load of `sectors` of each of `requests` lines that follow `line`. */
static void issue_sectors(fixture *fixture, uint32_t ticket, uint64_t line, uint32_t requests,
                          uint32_t sectors, gm_cycle now)
{
    gm_line_request request[64];
    for (uint32_t i = 0; i < requests; i++) {
        request[i] = (gm_line_request){.line = line + i, .lanes = 1, .sectors = sectors};
    }
    const gm_memory_access access = {
        .request = request, .requests = requests, .ticket = ticket, .kind = GM_REQUEST_LOAD};
    gm_load_store_issue(&fixture->unit, &access, now);
}

/* A hit takes l1.latency from the cycle in which it is taken; a miss what the level below takes,
 * and a cycle in the miss queue. */
static void latencies(void **state)
{
    (void)state;
    static const uint64_t latencies[] = {0, 1, 35, 500};
    for (size_t i = 0; i < sizeof latencies / sizeof latencies[0]; i++) {
        char text[256];
        char expected[64];
        fixture fixture;
        gm_config config = defaults();
        config.l1.latency = latencies[i];
        make(&fixture, &config);
        issue(&fixture, GM_REQUEST_LOAD, 7, 1, 1, 0, 99);
        run_until(&fixture, 1000, text, sizeof text);
        /* Taken in 100, sent in 101, answered 20 cycles later. */
        assert_string_equal(text, "7@121");
        assert_int_equal(fixture.unit.l1.time.load_cycles, 21);
        assert_int_equal(fixture.unit.l1.time.l1_mshr_cycles, 21);
        const gm_cycle hit = 1100 + latencies[i];
        issue(&fixture, GM_REQUEST_LOAD, 8, 1, 1, 0, 1099);
        run_until(&fixture, 2000, text, sizeof text);
        (void)snprintf(expected, sizeof expected, "8@%llu", (unsigned long long)hit);
        assert_string_equal(text, expected);
        assert_int_equal(fixture.unit.l1.time.load_cycles, 21 + latencies[i]);
        assert_int_equal(fixture.unit.l1.time.loads, 2);
        /* A store is done when its acknowledgement has come. */
        issue(&fixture, GM_REQUEST_STORE, 9, 5, 2, 0, 2099);
        run_until(&fixture, 3000, text, sizeof text);
        assert_string_equal(text, "9@2122"); /* two lines, a cycle each */
        assert_true(gm_load_store_idle(&fixture.unit));
        destroy(&fixture);
    }
}

/* A line request a cycle and port, in order; the next instruction begins in the cycle after. */
static void ports(void **state)
{
    (void)state;
    for (uint64_t ports = 1; ports <= 2; ports++) {
        char text[256];
        fixture fixture;
        gm_config config = defaults();
        config.l1.ports = ports;
        config.l1.latency = 10;
        make(&fixture, &config);
        issue(&fixture, GM_REQUEST_LOAD, 1, 0, 6, 0, 9);
        run_until(&fixture, 999, text, sizeof text);
        issue(&fixture, GM_REQUEST_LOAD, 2, 0, 5, 0, 999); /* taken from 1000 on */
        issue(&fixture, GM_REQUEST_LOAD, 3, 0, 1, 0, 1000);
        run_until(&fixture, 2000, text, sizeof text);
        assert_string_equal(text, ports == 1 ? "2@1014 3@1015" : "2@1012 3@1013");
        destroy(&fixture);
    }
}

/* Five requests of a sector of the lines 0 to 4 (`sectors`), and one of an instruction behind them,
 * that hit. By hand: bank of a piece = its number modulo the banks; with xor, number ^ number /
 * banks. Pieces of 32 bytes: 4 * line + sector; of 128: line. */
static void banks(void **state)
{
    (void)state;
    static const struct {
        uint64_t banks, interleave;
        gm_bank_index index;
        uint32_t sectors;
        const char *done;
        uint64_t cycles, conflicts; /* of the six */
    } rows[] = {
        {4, 32, GM_BANKS_LINEAR, 0x1, "2@1014 3@1015", 6, 4}, /* all in bank 0 */
        {4, 32, GM_BANKS_XOR, 0x1, "2@1011 3@1012", 6, 1},    /* 0 1 2 3 0 */
        {4, 128, GM_BANKS_LINEAR, 0x1, "2@1011 3@1012", 6, 1},
        {2, 128, GM_BANKS_LINEAR, 0x1, "2@1012 3@1013", 6, 2}, /* 0 1, 0 1, 0 */
        {8, 128, GM_BANKS_LINEAR, 0x1, "2@1010 3@1011", 6, 0},
        {4, 32, GM_BANKS_LINEAR, 0xf, "2@1014 3@1015", 24, 4}, /* each in all banks */
        {2, 32, GM_BANKS_LINEAR, 0xf, "2@1018 3@1020", 24, 9}, /* each twice in both */
        {2, 64, GM_BANKS_LINEAR, 0xf, "2@1014 3@1015", 12, 4}, /* each once in both */
        {16, 1024, GM_BANKS_LINEAR, 0xf, "2@1014 3@1015", 6, 4},
    };
    static const gm_l1_lookup lookups[] = {GM_LOOKUP_FIRST, GM_LOOKUP_LAST, GM_LOOKUP_BANKS};
    for (size_t i = 0; i < 3 * sizeof rows / sizeof rows[0]; i++) {
        if (lookups[i % 3] == GM_LOOKUP_BANKS && rows[i / 3].sectors != 1) {
            continue; /* its requests are of one sector */
        }
        char text[256];
        fixture fixture;
        gm_config config = defaults();
        config.l1.banks = rows[i / 3].banks;
        config.l1.bank_interleave = rows[i / 3].interleave;
        config.l1.bank_index = rows[i / 3].index;
        config.l1.lookup = lookups[i % 3];
        config.sm.coalesce = GM_COALESCE_SECTOR;
        config.l1.hit_delay = config.l1.lookup == GM_LOOKUP_FIRST ? 0 : 2;
        config.l1.latency = 10 - config.l1.hit_delay;
        make(&fixture, &config);
        issue(&fixture, GM_REQUEST_LOAD, 1, 0, 6, 0, 9);
        run_until(&fixture, 999, text, sizeof text);
        const gm_l1_bank_statistics before = fixture.unit.bank_counts;
        issue_sectors(&fixture, 2, 0, 5, rows[i / 3].sectors, 999); /* taken from 1000 on */
        issue_sectors(&fixture, 3, 0, 1, rows[i / 3].sectors, 1000);
        run_until(&fixture, 2000, text, sizeof text);
        assert_string_equal(text, rows[i / 3].done);
        const gm_l1_bank_statistics *after = &fixture.unit.bank_counts;
        assert_int_equal(after->requests - before.requests, 6);
        assert_int_equal(after->cycles - before.cycles, rows[i / 3].cycles);
        assert_int_equal(after->conflicts - before.conflicts, rows[i / 3].conflicts);
        gm_error error;
        test_ok(gm_load_store_check(&fixture.unit, &error), error);
        destroy(&fixture);
    }
}

/* Banks limit the look-up behind the pipeline too. One MSHR entry: the load of line 200 has it from
 * 1010 to 1031, so the load of line 100 is looked up from 1011 to 1031 and holds those behind it.
 * Line 2 is in its bank and is looked up a cycle later, with line 1 of the other bank. */
static void banks_behind_a_stall(void **state)
{
    (void)state;
    char text[256];
    fixture fixture;
    gm_config config = defaults();
    config.l1.banks = 2;
    config.l1.bank_interleave = 128;
    config.l1.lookup = GM_LOOKUP_LAST;
    config.l1.latency = 10;
    config.l1.mshrs = 1;
    make(&fixture, &config);
    issue(&fixture, GM_REQUEST_LOAD, 1, 1, 2, 0, 9);
    run_until(&fixture, 999, text, sizeof text);
    static const uint64_t lines[] = {200, 100, 2, 1};
    for (uint32_t i = 0; i < 4; i++) {
        issue(&fixture, GM_REQUEST_LOAD, 2 + i, lines[i], 1, 0, 999 + i);
    }
    run_until(&fixture, 2000, text, sizeof text);
    assert_string_equal(text, "2@1031 4@1032 5@1032 3@1052");
    destroy(&fixture);
}

/* l1.lookup=banks: the same, but the load of line 1 passes those that wait in the other bank. */
static void a_stall_in_one_bank(void **state)
{
    (void)state;
    char text[256];
    fixture fixture;
    gm_config config = defaults();
    config.l1.banks = 2;
    config.l1.bank_interleave = 128;
    config.l1.lookup = GM_LOOKUP_BANKS;
    config.sm.coalesce = GM_COALESCE_SECTOR;
    config.l1.latency = 10;
    config.l1.mshrs = 1;
    make(&fixture, &config);
    issue(&fixture, GM_REQUEST_LOAD, 1, 1, 2, 0, 9);
    run_until(&fixture, 999, text, sizeof text);
    static const uint64_t lines[] = {200, 100, 2, 1};
    uint64_t fails = fixture.unit.l1.statistics.fails_mshr_entry[GM_LOAD];
    for (uint32_t i = 0; i < 4; i++) {
        issue(&fixture, GM_REQUEST_LOAD, 2 + i, lines[i], 1, 0, 999 + i);
    }
    run_until(&fixture, 1020, text, sizeof text);
    assert_string_equal(text, "5@1013");
    gm_load_store_oldest(&fixture.unit, text, sizeof text);
    assert_string_equal(text, "SM 3: L1 line 0xc8 in MSHR entry 0, 1 packets to come");
    run_until(&fixture, 2000, text, sizeof text);
    assert_string_equal(text, "2@1031 4@1032 3@1052");
    assert_int_equal(fixture.unit.l1.statistics.fails_mshr_entry[GM_LOAD] - fails, 20);
    gm_error error;
    test_ok(gm_load_store_check(&fixture.unit, &error), error);
    destroy(&fixture);
}

/* A pipeline of two stages is full in 103: the load of line 104 enters in 123, and that of the
 * other bank behind it, which hits, in 124. */
static void a_full_pipeline_of_a_bank(void **state)
{
    (void)state;
    char text[256];
    fixture fixture;
    gm_config config = defaults();
    config.l1.banks = 2;
    config.l1.bank_interleave = 128;
    config.l1.lookup = GM_LOOKUP_BANKS;
    config.sm.coalesce = GM_COALESCE_SECTOR;
    config.l1.latency = 2;
    config.l1.mshrs = 1;
    make(&fixture, &config);
    issue(&fixture, GM_REQUEST_LOAD, 1, 1, 1, 0, 9);
    run_until(&fixture, 999, text, sizeof text);
    static const uint64_t lines[] = {200, 100, 102, 104, 1};
    for (uint32_t i = 0; i < 5; i++) {
        issue(&fixture, GM_REQUEST_LOAD, 2 + i, lines[i], 1, 0, 999 + i);
    }
    run_until(&fixture, 1010, text, sizeof text);
    gm_load_store_oldest(&fixture.unit, text, sizeof text);
    run_until(&fixture, 2000, text, sizeof text);
    assert_string_equal(text, "2@1023 6@1026 3@1044 4@1065 5@1086");
    destroy(&fixture);
}

/* Passes take a cycle each; an access is done unit.shared after its last pass began. */
static void shared_memory(void **state)
{
    (void)state;
    char text[256];
    fixture fixture;
    gm_config config = defaults();
    config.unit.shared = 20;
    config.l1.latency = 10;
    make(&fixture, &config);
    issue(&fixture, GM_REQUEST_LOAD, 1, 0, 0, 1, 99);  /* pass in 100 */
    issue(&fixture, GM_REQUEST_LOAD, 2, 0, 0, 32, 99); /* 101 to 132 */
    issue(&fixture, GM_REQUEST_LOAD, 3, 0, 0, 2, 100); /* 133, 134 */
    issue(&fixture, GM_REQUEST_LOAD, 4, 0, 0, 0, 101); /* touches nothing: 135 */
    run_until(&fixture, 999, text, sizeof text);
    assert_string_equal(text, "1@120 4@135 2@152 3@154");
    /* A generic access: its lines and its passes side by side; done with the last of both. */
    issue(&fixture, GM_REQUEST_LOAD, 5, 0, 2, 3, 999); /* misses in 1000, 1001; passes to 1002 */
    issue(&fixture, GM_REQUEST_LOAD, 6, 0, 0, 1, 999); /* 1003 */
    run_until(&fixture, 1999, text, sizeof text);
    assert_string_equal(text, "5@1022 6@1023");
    issue(&fixture, GM_REQUEST_LOAD, 7, 0, 2, 1, 1999); /* hits, done in 2011; passes in 2020 */
    run_until(&fixture, 2999, text, sizeof text);
    assert_string_equal(text, "7@2020");
    config.unit.shared = 0;
    destroy(&fixture);
    make(&fixture, &config);
    issue(&fixture, GM_REQUEST_LOAD, 1, 0, 0, 2, 99);
    run_until(&fixture, 999, text, sizeof text);
    assert_string_equal(text, "1@101");
    destroy(&fixture);
}

/* A blocked head is counted by kind and reason for each cycle of waiting, at any moment. */
static void fails_are_counted_by_arithmetic(void **state)
{
    (void)state;
    char text[256];
    fixture fixture;
    gm_config config = defaults();
    config.l1.mshrs = 1;
    make(&fixture, &config);
    issue(&fixture, GM_REQUEST_LOAD, 1, 0, 2, 0, 99);
    run_until(&fixture, 110, text, sizeof text);
    gm_cache_statistics l1 = {0};
    gm_time_statistics time = {0};
    gm_load_store_sum(&fixture.unit, fixture.now, &l1, &time);
    assert_int_equal(l1.fails_mshr_entry[GM_LOAD], 10); /* cycles 101 to 110 */
    assert_int_equal(time.l1_mshr_cycles, 11);          /* 100 to 110 */
    gm_cycle since = gm_load_store_oldest(&fixture.unit, text, sizeof text);
    assert_int_equal(since, 99);
    assert_string_equal(text, "SM 3: line 0x1 in front of the L1: no MSHR entry of the L1 is free");
    run_until(&fixture, 130, text, sizeof text); /* 0 came in 121, and 1 was taken then */
    gm_load_store_oldest(&fixture.unit, text, sizeof text);
    assert_string_equal(text, "SM 3: L1 line 0x1 in MSHR entry 0, 1 packets to come");
    run_until(&fixture, 999, text, sizeof text);
    assert_string_equal(text, "1@142");
    assert_int_equal(fixture.unit.l1.statistics.fails_mshr_entry[GM_LOAD], 20);
    assert_int_equal(fixture.unit.l1.time.load_cycles, 21 + 41); /* 1: from 101 to 142 */
    assert_true(gm_load_store_oldest(&fixture.unit, text, sizeof text) == GM_NEVER);
    destroy(&fixture);
}

/* l1.lookup=last: a request is looked up l1.latency after the coalescer has given it, and a hit is
 * done then. */
static void looked_up_last(void **state)
{
    (void)state;
    char text[256];
    fixture fixture;
    gm_config config = defaults();
    config.l1.lookup = GM_LOOKUP_LAST;
    make(&fixture, &config);
    issue(&fixture, GM_REQUEST_LOAD, 7, 1, 1, 0, 99);
    run_until(&fixture, 1000, text, sizeof text);
    assert_string_equal(text, "7@156"); /* given in 100, looked up in 135, sent in 136 */
    assert_int_equal(fixture.unit.l1.time.load_cycles, 56);
    issue(&fixture, GM_REQUEST_LOAD, 8, 1, 1, 0, 1099);
    issue(&fixture, GM_REQUEST_LOAD, 9, 1, 1, 0, 1099);
    run_until(&fixture, 2000, text, sizeof text);
    assert_string_equal(text, "8@1135 9@1136");
    assert_int_equal(fixture.unit.l1.time.load_cycles, 56 + 35 + 35);
    destroy(&fixture);
}

/* Marks among what is done that of hits of the L1: a second load of a line whose first misses, and
 * not a load from shared memory that is done in the same cycle. */
static void hits_are_marked(void **state)
{
    (void)state;
    static const gm_l1_lookup lookups[] = {GM_LOOKUP_FIRST, GM_LOOKUP_LAST, GM_LOOKUP_BANKS};
    for (size_t i = 0; i < sizeof lookups / sizeof lookups[0]; i++) {
        fixture fixture;
        gm_config config = defaults();
        config.l1.lookup = lookups[i];
        config.sm.coalesce = GM_COALESCE_SECTOR;
        config.l1.banks = lookups[i] == GM_LOOKUP_BANKS ? 2 : 1;
        config.unit.shared = 34;
        make(&fixture, &config);
        issue(&fixture, GM_REQUEST_LOAD, 7, 1, 1, 0, 99);
        issue(&fixture, GM_REQUEST_LOAD, 8, 1, 1, 0, 499);
        issue(&fixture, GM_REQUEST_LOAD, 9, 0, 0, 1, 500);
        bool together = false;
        uint32_t hits = 0;
        uint32_t others = 0;
        for (gm_cycle now = 99; now < 600; now++) {
            gm_load_store_step(&fixture.unit, now);
            together |= fixture.unit.done_count == 2;
            for (uint32_t k = 0; k < fixture.unit.done_count; k++) {
                bool hit = k >= fixture.unit.hits_from && k < fixture.unit.hits_to;
                *(hit ? &hits : &others) |= UINT32_C(1) << fixture.unit.done[k];
            }
        }
        assert_true(together);
        assert_int_equal(hits, 1 << 8);
        assert_int_equal(others, 1 << 7 | 1 << 9);
        destroy(&fixture);
    }
}

/* l1.bypass_early: requests that bypass the L1 are given to it at once, one a cycle, in front of a
 * load that passes the pipeline: sent in 101 and 102. The load, given in 99, is sent in 135. */
static void bypassing_requests_are_early(void **state)
{
    (void)state;
    static const gm_request_kind kinds[] = {GM_REQUEST_STRONG_LOAD, GM_REQUEST_ATOMIC};
    for (size_t i = 0; i < 4; i++) {
        char text[256];
        fixture fixture;
        gm_config config = defaults();
        gm_request_kind kind = kinds[i / 2];
        config.l1.lookup = i % 2 == 0 ? GM_LOOKUP_LAST : GM_LOOKUP_BANKS;
        config.l1.banks = i % 2 == 0 ? 1 : 2;
        config.sm.coalesce = i % 2 == 0 ? GM_COALESCE_LINE : GM_COALESCE_SECTOR;
        config.l1.keep_bypassed = true;
        config.l1.bypass_early = true;
        make(&fixture, &config);
        issue(&fixture, GM_REQUEST_LOAD, 6, 9, 1, 0, 98);
        issue(&fixture, kind, 7, 1, 2, 0, 99);
        run_until(&fixture, 1000, text, sizeof text);
        assert_string_equal(text, "7@122 6@155");
        destroy(&fixture);
    }
}

/* A closed interconnect behind a miss queue of one place. Of the strong load's requests the first
 * takes the place in 100, the second waits from 101 on, and so does the load, which begins in 99,
 * from 134 on at the end of the pipeline. Until 200 these are 100 and 67 fails. In 201 the place
 * frees: the load is looked up first, then the strong load's in 202 is given. */
static void blocked_bypassing_requests_wait(void **state)
{
    (void)state;
    for (int banks = 1; banks <= 2; banks++) {
        char text[256];
        fixture fixture;
        gm_config config = defaults();
        gm_cache_statistics counts = {0};
        gm_time_statistics time = {0};
        config.l1.lookup = banks == 1 ? GM_LOOKUP_LAST : GM_LOOKUP_BANKS;
        config.l1.banks = (uint64_t)banks;
        config.sm.coalesce = banks == 1 ? GM_COALESCE_LINE : GM_COALESCE_SECTOR;
        config.l1.keep_bypassed = true;
        config.l1.bypass_early = true;
        config.l1.miss_queue = 1;
        make(&fixture, &config);
        fixture.memory->open = false;
        issue(&fixture, GM_REQUEST_LOAD, 6, 9, 1, 0, 98);
        issue(&fixture, GM_REQUEST_STRONG_LOAD, 7, 1, 2, 0, 99);
        run_until(&fixture, 200, text, sizeof text);
        assert_string_equal(text, "");
        gm_load_store_sum(&fixture.unit, 200, &counts, &time);
        assert_int_equal(counts.fails_miss_queue[GM_LOAD], 100 + 67);
        fixture.memory->open = true;
        gm_wake(&fixture.wake, 201);
        run_until(&fixture, 1000, text, sizeof text);
        assert_string_equal(fixture.memory->sent, "R1:1 R9:f R2:1");
        assert_string_equal(text, "6@222 7@223");
        /* from 99, 100 and 101 to 222, 221 and 223 */
        assert_int_equal(fixture.unit.l1.time.load_cycles, 123 + 121 + 122);
        assert_int_equal(fixture.unit.l1.statistics.fails_miss_queue[GM_LOAD], 101 + 67);
        assert_true(gm_load_store_idle(&fixture.unit));
        destroy(&fixture);
    }
}

/* l1.fence_drops: a fence of cycle 110 drops nothing of line 1, which is in flight, and one of
 * cycle 200 nothing because no request was looked up between the two: that of line 9 is, in 200,
 * but in the cycle of the fence. The next fence, of 210, drops lines since that was looked up. */
static void fences_drop_what_was_used_before(void **state)
{
    (void)state;
    char text[256];
    fixture fixture;
    gm_config config = defaults();
    config.l1.fence_drops = true;
    make(&fixture, &config);
    issue(&fixture, GM_REQUEST_LOAD, 1, 1, 1, 0, 99);
    run_until(&fixture, 110, text, sizeof text);
    gm_load_store_drop(&fixture.unit, 110);
    run_until(&fixture, 199, text, sizeof text);
    assert_string_equal(text, "1@121");
    issue(&fixture, GM_REQUEST_LOAD, 2, 9, 1, 0, 199);
    run_until(&fixture, 200, text, sizeof text);
    gm_load_store_drop(&fixture.unit, 200);
    assert_int_equal(fixture.unit.l1.statistics.invalidations[GM_LOAD], 0);
    run_until(&fixture, 210, text, sizeof text);
    gm_load_store_drop(&fixture.unit, 210);
    assert_int_equal(fixture.unit.l1.statistics.invalidations[GM_LOAD], 1);
    destroy(&fixture);
}

/* Four lines, one MSHR entry, two stages. The first is looked up in 102 and answered in 123; the
 * second is there in 103 and looked up again in 123; the third, behind it, in 124; the fourth has
 * room in 123 and is there in 145, when the third has gone. */
static void requests_wait_at_the_pipelines_end(void **state)
{
    (void)state;
    char text[256];
    fixture fixture;
    gm_config config = defaults();
    config.l1.lookup = GM_LOOKUP_LAST;
    config.l1.latency = 2;
    config.l1.mshrs = 1;
    make(&fixture, &config);
    issue(&fixture, GM_REQUEST_LOAD, 7, 1, 4, 0, 99);
    run_until(&fixture, 110, text, sizeof text);
    gm_load_store_oldest(&fixture.unit, text, sizeof text);
    assert_string_equal(text, "SM 3: line 0x2 in front of the L1: no MSHR entry of the L1 is free");
    assert_int_equal(gm_ring_count(&fixture.unit.pipe), 2);
    run_until(&fixture, 1000, text, sizeof text);
    assert_string_equal(text, "7@186"); /* 102 + 4 * 21 */
    assert_int_equal(fixture.unit.l1.statistics.fails_mshr_entry[GM_LOAD], 3 * 20);
    destroy(&fixture);
    config.l1.ports = 2; /* as many in each stage: of 6 lines 4 wait in them */
    make(&fixture, &config);
    issue(&fixture, GM_REQUEST_LOAD, 7, 1, 6, 0, 99);
    run_until(&fixture, 110, text, sizeof text);
    assert_int_equal(gm_ring_count(&fixture.unit.pipe), 4);
    assert_int_equal(gm_ring_count(&fixture.unit.queue), 1); /* the sixth */
    destroy(&fixture);
}

/* With operand collectors, one of the places for memory instructions is the register in front of
 * those, with sub-cores one of each and one of each behind them; one place is left at least. */
static void a_place_is_in_front_of_collectors(void **state)
{
    (void)state;
    static const struct {
        uint64_t queue, collectors;
        bool subcores; /* of four schedulers */
        uint32_t places;
    } rows[] = {{3, 0, false, 3}, {3, 8, false, 2}, {1, 8, false, 1}, {12, 8, true, 4},
                {8, 0, true, 8},  {9, 8, true, 1},  {4, 8, true, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fixture fixture;
        gm_config config = defaults();
        config.sm.memory_queue = rows[i].queue;
        config.sm.collectors = rows[i].collectors;
        config.sm.schedulers = 4;
        config.sm.subcores = rows[i].subcores;
        make(&fixture, &config);
        for (uint32_t place = 0; place < rows[i].places; place++) {
            issue(&fixture, GM_REQUEST_LOAD, place, place, 1, 0, 99);
        }
        assert_false(gm_load_store_has_room(&fixture.unit));
        destroy(&fixture);
    }
}

/* l1.load_places: a queue of two places, of which one is taken, takes no load. */
static void loads_need_places(void **state)
{
    (void)state;
    for (uint64_t places = 0; places < 3; places += 2) {
        char text[64];
        fixture fixture;
        gm_config config = defaults();
        config.l1.miss_queue = 2;
        config.l1.load_places = places;
        make(&fixture, &config);
        fixture.memory->open = false;
        issue(&fixture, GM_REQUEST_LOAD, 1, 5, 2, 0, 99);
        run_until(&fixture, 200, text, sizeof text);
        assert_int_equal(fixture.unit.l1.entries, places == 0 ? 2 : 1);
        destroy(&fixture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(latencies),
        cmocka_unit_test(loads_need_places),
        cmocka_unit_test(ports),
        cmocka_unit_test(banks),
        cmocka_unit_test(banks_behind_a_stall),
        cmocka_unit_test(a_stall_in_one_bank),
        cmocka_unit_test(a_full_pipeline_of_a_bank),
        cmocka_unit_test(shared_memory),
        cmocka_unit_test(fails_are_counted_by_arithmetic),
        cmocka_unit_test(looked_up_last),
        cmocka_unit_test(hits_are_marked),
        cmocka_unit_test(fences_drop_what_was_used_before),
        cmocka_unit_test(bypassing_requests_are_early),
        cmocka_unit_test(blocked_bypassing_requests_wait),
        cmocka_unit_test(requests_wait_at_the_pipelines_end),
        cmocka_unit_test(a_place_is_in_front_of_collectors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
