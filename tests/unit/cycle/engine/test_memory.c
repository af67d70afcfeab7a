/* The memory system under another simulator: latencies worked by hand at shipped defaults, room and
 * its limits, what is refused, and random traffic of which each request is answered once, alike in
 * cycles that are visited or skipped. test_memory_replay.c compares it with the engine. */
#include "goldmem/memory.h"
#include "support/config/random_machine.h"
#include "support/order/order_run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { ALL = 15 }; /* sectors of a line of 128 bytes */

static gm_memory *open_memory(const gm_config *config, gm_memory_options options)
{
    gm_memory *memory;
    gm_error error;
    test_ok(gm_memory_open(&memory, config, &options, &error), error);
    return memory;
}

static gm_memory *open_preset(const char *preset, gm_memory_options options)
{
    const gm_config config = order_preset(preset);
    return open_memory(&config, options);
}

static int send(gm_memory *memory, const gm_memory_request *request)
{
    gm_error error;
    int code = gm_memory_send(memory, request, &error);
    if (code < 0) {
        fail_msg("%s", error.text);
    }
    return code;
}

/* Ticks until the answer is there; returns the cycles since it was sent. */
static uint64_t latency(gm_memory *memory, gm_memory_request request)
{
    gm_memory_answer answer;
    uint64_t begin = gm_memory_now(memory);
    request.id = begin + 1000;
    assert_int_equal(send(memory, &request), 1);
    while (!gm_memory_pop(memory, &answer)) {
        assert_true(gm_memory_now(memory) < begin + 10000);
        gm_memory_tick(memory);
    }
    assert_int_equal(answer.id, begin + 1000);
    assert_int_equal(answer.port, request.port);
    assert_int_equal(answer.cycle, gm_memory_now(memory));
    return answer.cycle - begin;
}

static void check_and_close(gm_memory *memory)
{
    gm_error error;
    test_ok(gm_memory_check(memory, &error), error);
    gm_memory_close(memory);
}

/* gtx480: core and L2 at 700 MHz, interconnect at 1400, DRAM at 924; latency of the interconnect 6,
 * of a bank 120, of a channel 100; tRCD 12, tCL 12, tCCDL 3, a burst 2.
 *
 * A READ of a header is sent in core cycle 0, granted in interconnect cycle 2, there in 2 + 6 + 1 -
 * 2 = 7, core cycle 3, where the bank takes it. It is looked up in 3 + 120. A hit's response is
 * sent in 3 + 121 = 124, five flits, granted in interconnect cycle 250, there in 250 + 6 + 5 - 2 =
 * 259, core cycle 129.
 *
 * A miss reaches the channel in 124, its queue in core cycle 224, DRAM cycle 295.68: ACT in 296, RD
 * in 308 and 311, data to 325, core cycle 246.2: taken in 247, sent in 248; there in 2 * 249 + 9 =
 * 507, core cycle 253. In DRAM cycles of a later request the fraction is another one.
 *
 * Below the SM the L1 takes the request in cycle 1 and sends it in 2, two cycles later than above;
 * a hit in 1 is done 35 later. A WRITE of four sectors is five flits: there in 2 + 6 + 5 - 2 = 11,
 * core cycle 5; where the line is, it is acknowledged as above, but with one flit: sent in 126,
 * there in 2 * 127 + 5 = 259, core cycle 129. */
static void latencies_by_hand(void **state)
{
    (void)state;
    gm_memory_request load = {.address = 0x7f0000000000, .sectors = ALL};
    gm_memory_request store = {.address = load.address, .sectors = ALL, .kind = GM_MEMORY_STORE};
    gm_memory *memory = open_preset("gtx480", (gm_memory_options){.level = GM_MEMORY_BELOW_L1});
    assert_int_equal(gm_memory_ports(memory), 15);
    assert_int_equal(gm_memory_line(memory), 128);
    assert_int_equal(latency(memory, load), 253);
    assert_int_equal(latency(memory, load), 129);
    load.port = 14;
    assert_int_equal(latency(memory, load), 129);
    assert_int_equal(latency(memory, store), 129);
    check_and_close(memory);
    load.port = 0;
    memory = open_preset("gtx480", (gm_memory_options){.level = GM_MEMORY_BELOW_SM});
    assert_int_equal(latency(memory, load), 255);
    assert_int_equal(latency(memory, load), 36);
    load.port = 1;
    assert_int_equal(latency(memory, load), 131);
    load.kind = GM_MEMORY_STRONG_LOAD;
    assert_int_equal(latency(memory, load), 131);
    assert_int_equal(latency(memory, store), 131);
    load.kind = GM_MEMORY_LOAD;
    load.port = 0;
    assert_int_equal(latency(memory, load), 131); /* the store evicted the line from the L1 */
    check_and_close(memory);
}

static uint64_t hit_latency_at(uint64_t mhz)
{
    const gm_memory_request load = {.address = 512, .sectors = ALL};
    gm_memory *memory = open_preset("gtx480", (gm_memory_options){.clock = mhz});
    latency(memory, load);
    uint64_t cycles = latency(memory, load);
    check_and_close(memory);
    return cycles;
}

/* An L1 hit sent at the end of core cycle c is answered in c + 36. At 1400 MHz the first answer
 * comes in cycle 2 * 255, and so the second 2 * 36 later; at 350 MHz the first one, due in cycle
 * 127.5, in 128, core cycle 256, and the second 18 later; at 933 MHz, 4/3 of the core's, the first
 * one in cycle 340 = 255 * 4 / 3 and the second in 291 * 4 / 3 = 388. */
/* Where the L2 lets loads that fill an L1 bypass it, it is told which loads do. */
static void loads_that_nobody_keeps(void **state)
{
    (void)state;
    gm_config config;
    gm_error error = {0};
    gm_memory *memory = NULL;
    gm_memory_options options = {.level = GM_MEMORY_BELOW_L1};
    gm_memory_request load = {.address = 0x7f0000000000, .sectors = 1};
    gm_statistics statistics;
    test_ok(gm_config_preset(&config, "kepler-hybrid", &error), error);
    config.l2.bypass = GM_L2_BYPASS_COALESCED;
    test_ok(gm_memory_open(&memory, &config, &options, &error), error);
    latency(memory, load);
    gm_memory_statistics(memory, &statistics);
    assert_int_equal(statistics.l2_coalesced.bypassed, 1);
    load.unkept = true;
    load.address += 4096;
    latency(memory, load);
    gm_memory_statistics(memory, &statistics);
    assert_int_equal(statistics.l2_coalesced.reads, 1);
    assert_int_equal(statistics.l2_coalesced.bypassed, 1);
    check_and_close(memory);
}

/* Strong loads are performed in the L2's atomic buffers; `unkept` loads, which fill no L1 either,
 * are not. */
static void strong_loads_are_marked(void **state)
{
    (void)state;
    static const gm_memory_level levels[] = {GM_MEMORY_BELOW_L1, GM_MEMORY_BELOW_SM};
    gm_error error;
    for (unsigned i = 0; i < 2; i++) {
        gm_memory_request load = {.address = 0x7f0000000000, .sectors = 1, .unkept = true};
        gm_statistics statistics;
        gm_memory *memory = open_preset("kepler-hybrid", (gm_memory_options){.level = levels[i]});
        latency(memory, load);
        load.unkept = false;
        load.kind = GM_MEMORY_STRONG_LOAD;
        latency(memory, load);
        latency(memory, load);
        gm_memory_statistics(memory, &statistics);
        assert_int_equal(statistics.atomic_buffer.loads, 2);
        assert_int_equal(statistics.atomic_buffer.taken, 1);
        assert_int_equal(statistics.atomic_buffer.load_hits, 1);
        test_ok(gm_memory_end_kernel(memory, &error), error);
        while (!gm_memory_idle(memory)) {
            gm_memory_tick(memory);
        }
        check_and_close(memory);
    }
}

static void the_simulators_clock(void **state)
{
    (void)state;
    assert_int_equal(hit_latency_at(700), 36);
    assert_int_equal(hit_latency_at(1400), 72);
    assert_int_equal(hit_latency_at(350), 18);
    gm_config config = order_preset("gtx480");
    config.clock.core = 750; /* then 1000 MHz is 4/3; the others keep their ratio to the core's */
    config.clock.l2 = 750;
    config.clock.noc = 1500;
    config.clock.dram = 990;
    const gm_memory_request load = {.address = 512, .sectors = ALL};
    gm_memory *memory = open_memory(&config, (gm_memory_options){.clock = 1000});
    assert_int_equal(latency(memory, load), 340);
    assert_int_equal(latency(memory, load), 48);
    check_and_close(memory);
}

static void counts(void **state)
{
    (void)state;
    gm_memory_request load = {.address = 0, .sectors = ALL};
    gm_memory *memory = open_preset("gtx480", (gm_memory_options){.level = GM_MEMORY_BELOW_SM});
    gm_statistics all;
    gm_statistics part;
    latency(memory, load);
    latency(memory, load);
    load.port = 3;
    latency(memory, load);
    gm_memory_statistics(memory, &all);
    assert_int_equal(all.l1d.accesses[GM_LOAD], 3);
    assert_int_equal(all.l1d.hits[GM_LOAD], 1);
    assert_int_equal(all.l2.accesses[GM_LOAD], 2);
    assert_int_equal(all.l2.misses[GM_LOAD], 1);
    assert_int_equal(all.dram.reads, 4);
    assert_int_equal(all.time.cycles, 255 + 36 + 131);
    assert_int_equal(all.time.loads, 3);
    assert_int_equal(all.time.load_cycles, 254 + 35 + 130); /* from the coalescer */
    assert_int_equal(all.time.request_flits, 2);
    assert_int_equal(all.time.reply_flits, 10);
    assert_int_equal(all.time.slots_idle, 0); /* there are no schedulers */
    gm_memory_port_statistics(memory, 3, &part);
    assert_int_equal(part.l1d.misses[GM_LOAD], 1);
    gm_memory_bank_statistics(memory, 0, &part);
    assert_int_equal(part.l2.accesses[GM_LOAD], 2);
    gm_memory_partition_statistics(memory, 0, &part);
    assert_int_equal(part.dram.reads, 4);
    check_and_close(memory);
}

/* Sends until there is no room; returns the number taken. */
static unsigned fill(gm_memory *memory, gm_memory_request request, uint64_t stride)
{
    unsigned taken = 0;
    for (;;) {
        bool room = gm_memory_has_room(memory, &request);
        int code = send(memory, &request);
        assert_int_equal(code, room);
        if (code == 0) {
            return taken;
        }
        request.id++;
        request.address += stride;
        taken++;
    }
}

/* Takes all answers; returns their number. */
static unsigned drain(gm_memory *memory)
{
    gm_memory_answer answer;
    unsigned answers = 0;
    for (uint64_t next = 0; next != GM_MEMORY_NEVER; next = gm_memory_next(memory)) {
        gm_memory_advance(memory, next);
        while (gm_memory_pop(memory, &answer)) {
            answers++;
        }
    }
    assert_true(gm_memory_idle(memory));
    return answers;
}

/* GM_MEMORY_NEVER: up to the cycle in which nothing is in flight any more, as by gm_memory_next,
 * and of an idle memory system not further. */
static void advances_until_idle(void **state)
{
    (void)state;
    static const gm_memory_level levels[] = {GM_MEMORY_BELOW_SM, GM_MEMORY_BELOW_L1};
    static const uint64_t clocks[] = {0, 1, 333, 5000};
    const gm_memory_request load = {.sectors = ALL};
    for (unsigned i = 0; i < 8; i++) {
        const gm_memory_options options = {.level = levels[i % 2], .clock = clocks[i / 2]};
        gm_memory *memory = open_preset("gtx480", options);
        gm_memory *other = open_preset("gtx480", options);
        gm_memory_advance(memory, 3);
        gm_memory_advance(memory, GM_MEMORY_NEVER);
        assert_int_equal(gm_memory_now(memory), 3);
        gm_memory_advance(other, 3);
        assert_int_equal(fill(memory, load, 128), fill(other, load, 128));
        gm_memory_advance(memory, GM_MEMORY_NEVER);
        assert_true(gm_memory_idle(memory));
        unsigned answers = drain(other);
        assert_true(gm_memory_now(memory) > 3);
        assert_int_equal(gm_memory_now(memory), gm_memory_now(other));
        gm_memory_advance(memory, GM_MEMORY_NEVER);
        assert_int_equal(gm_memory_now(memory), gm_memory_now(other));
        assert_int_equal(drain(memory), answers);
        check_and_close(memory);
        check_and_close(other);
    }
}

/* In one cycle a port takes what its queue holds: sm.memory_queue instructions, or the flits of
 * noc.buffer. Other ports have their own. */
static void room_of_a_cycle(void **state)
{
    (void)state;
    const gm_memory_request load = {.sectors = ALL};
    gm_memory_request store = {.sectors = ALL, .kind = GM_MEMORY_STORE, .port = 2};
    gm_memory *memory = open_preset("gtx480", (gm_memory_options){.level = GM_MEMORY_BELOW_SM});
    assert_int_equal(fill(memory, load, 128), 3);
    assert_int_equal(fill(memory, store, 128), 3);
    gm_memory_tick(memory); /* the L1 takes one of each port's */
    assert_int_equal(fill(memory, load, 128), 1);
    assert_int_equal(drain(memory), 7);
    check_and_close(memory);
    memory = open_preset("gtx480", (gm_memory_options){.level = GM_MEMORY_BELOW_L1});
    assert_int_equal(fill(memory, load, 128), 8);  /* a flit each */
    assert_int_equal(fill(memory, store, 128), 1); /* five flits of eight */
    store.sectors = 1;                             /* two flits */
    assert_int_equal(fill(memory, store, 128), 1);
    assert_int_equal(fill(memory, load, 128), 0);
    uint64_t next = gm_memory_next(memory);
    gm_memory_advance(memory, next);
    assert_true(fill(memory, load, 128) > 0);
    (void)drain(memory);
    check_and_close(memory);
}

/* in_flight requests of a port, and no more, until one is popped: answered or not. */
static void all_numbers_in_flight(void **state)
{
    (void)state;
    static const gm_memory_level levels[] = {GM_MEMORY_BELOW_SM, GM_MEMORY_BELOW_L1};
    static const uint32_t limits[] = {0, 1, 5, GM_MEMORY_IN_FLIGHT};
    for (unsigned i = 0; i < 8; i++) {
        const gm_memory_options options = {.level = levels[i % 2], .in_flight = limits[i / 2]};
        uint32_t limit = limits[i / 2] == 0 ? GM_MEMORY_IN_FLIGHT : limits[i / 2];
        gm_memory_request load = {.sectors = 1, .address = 64};
        gm_memory_answer answer;
        gm_error error;
        gm_memory *memory = open_preset("gtx480", options);
        for (uint32_t taken = 0; taken < limit; gm_memory_tick(memory)) {
            load.id = taken;
            taken += (uint32_t)send(memory, &load);
            assert_true(gm_memory_now(memory) < 100000);
        }
        gm_memory_advance(memory, gm_memory_now(memory) + 10000);
        assert_true(gm_memory_idle(memory));
        assert_false(gm_memory_has_room(memory, &load));
        assert_int_equal(send(memory, &load), 0);
        assert_int_equal(gm_memory_check(memory, &error), -EBUSY);
        load.port = 1;
        assert_int_equal(send(memory, &load), 1);
        load.port = 0;
        assert_true(gm_memory_pop(memory, &answer));
        assert_int_equal(send(memory, &load), 1);
        assert_int_equal(drain(memory), limit + 1);
        check_and_close(memory);
    }
}

static void open_refuses(const gm_config *config, gm_memory_options options, const char *text)
{
    gm_memory *memory;
    gm_error error;
    assert_int_equal(gm_memory_open(&memory, config, &options, &error), -EINVAL);
    assert_null(memory);
    if (strstr(error.text, text) == NULL) {
        fail_msg("\"%s\" does not say \"%s\"", error.text, text);
    }
}

static void what_cannot_be_opened(void **state)
{
    (void)state;
    const gm_memory_options sm = {.level = GM_MEMORY_BELOW_SM};
    const gm_memory_options l1 = {.level = GM_MEMORY_BELOW_L1};
    gm_config config = order_preset("kepler-hybrid-tracker");
    open_refuses(&config, l1, "tracker.enabled");
    config = order_preset("fermi-tc");
    config.coherence.protocol = GM_COHERENCE_TCW;
    open_refuses(&config, l1, "coherence.protocol");
    config = order_preset("gtx480");
    open_refuses(&config, (gm_memory_options){.level = (gm_memory_level)2}, "level");
    open_refuses(&config, (gm_memory_options){.clock = 100001}, "clock");
    open_refuses(&config, (gm_memory_options){.in_flight = 2049}, "in_flight");
    open_refuses(&config, (gm_memory_options){.shared_bytes = 48 * 1024 + 1}, "shared_bytes");
    config = order_preset("gtx480");
    config.sm.throttle = GM_THROTTLE_CCWS;
    open_refuses(&config, sm, "sm.throttle=ccws");
    config = order_preset("gtx480");
    config.l1.ways = 3;
    open_refuses(&config, sm, "l1.ways=3");
}

static void what_cannot_be_sent(void **state)
{
    (void)state;
    static const uint32_t none[GM_MEMORY_LINE_SECTORS] = {1, 0, 1, 1};
    const gm_memory_request good = {.sectors = ALL};
    gm_memory_request wrong[6];
    static const char *const text[] = {"port",    "sectors: 0x0", "sectors: 0x10",
                                       "address", "warp",         "bytes"};
    for (unsigned i = 0; i < 6; i++) {
        wrong[i] = good;
    }
    wrong[0].port = 15;
    wrong[1].sectors = 0;
    wrong[2].sectors = 16;
    wrong[3].address = UINT64_C(1) << 57;
    wrong[4].warp = 48;
    wrong[5].kind = GM_MEMORY_STORE;
    wrong[5].bytes = none;
    for (unsigned level = 0; level < 2; level++) {
        gm_memory *memory =
            open_preset("gtx480", (gm_memory_options){.level = (gm_memory_level)level});
        gm_error error;
        for (unsigned i = 0; i < 6; i++) {
            assert_int_equal(gm_memory_send(memory, &wrong[i], &error), -EINVAL);
            assert_non_null(strstr(error.text, text[i]));
        }
        wrong[5].kind = (gm_memory_kind)5;
        assert_int_equal(gm_memory_send(memory, &wrong[5], &error), -EINVAL);
        assert_non_null(strstr(error.text, "kind"));
        wrong[5].kind = GM_MEMORY_STORE;
        if (level == GM_MEMORY_BELOW_L1) {
            assert_int_equal(gm_memory_send_lines(memory, &good, 1, &error), -EINVAL);
        } else {
            gm_memory_request lines[] = {good, good};
            assert_int_equal(gm_memory_send_lines(memory, lines, 0, &error), -EINVAL);
            assert_int_equal(gm_memory_send_lines(memory, lines, 65, &error), -EINVAL);
            lines[1].warp = 1;
            assert_int_equal(gm_memory_send_lines(memory, lines, 2, &error), -EINVAL);
            lines[1] = wrong[3];
            assert_int_equal(gm_memory_send_lines(memory, lines, 2, &error), -EINVAL);
        }
        assert_int_equal(gm_memory_next(memory), GM_MEMORY_NEVER); /* nothing has changed */
        check_and_close(memory);
    }
    gm_memory_close(NULL);
}

/* l2.dirty=parts: a packet has room for the bytes of one sector. */
static void stores_of_one_sector(void **state)
{
    (void)state;
    static const uint32_t bytes[GM_MEMORY_LINE_SECTORS] = {0, 0xffff, 0xffff0000, 0};
    gm_config config = order_preset("rtx3070");
    config.sm.coalesce = GM_COALESCE_SECTOR;
    config.l2.fetch_on_write = GM_FETCH_LAZY;
    config.l2.dirty = GM_DIRTY_PARTS;
    for (unsigned level = 0; level < 2; level++) {
        gm_memory *memory =
            open_memory(&config, (gm_memory_options){.level = (gm_memory_level)level});
        gm_error error;
        gm_memory_request store = {.sectors = 6, .bytes = bytes, .kind = GM_MEMORY_STORE};
        assert_int_equal(gm_memory_send(memory, &store, &error), -EINVAL);
        assert_non_null(strstr(error.text, "0x6: with l2.dirty=parts"));
        store.sectors = 2;
        assert_int_not_equal(latency(memory, store), 0);
        store.sectors = 4;
        assert_int_not_equal(latency(memory, store), 0);
        check_and_close(memory);
    }
}

/* A run of bytes becomes requests of lines with masks. */
static void covers(void **state)
{
    (void)state;
    gm_memory *memory = open_preset("gtx480", (gm_memory_options){0});
    gm_memory_request request = {.kind = GM_MEMORY_STORE};
    uint32_t bytes[GM_MEMORY_LINE_SECTORS];
    assert_int_equal(gm_memory_cover(memory, &request, bytes, 256 + 30, 100), 98);
    assert_int_equal(request.address >> 7, 2);
    assert_int_equal(request.sectors, 15);
    assert_ptr_equal(request.bytes, bytes);
    assert_int_equal(bytes[0], 0xC0000000);
    assert_int_equal(bytes[1], UINT32_MAX);
    assert_int_equal(bytes[3], UINT32_MAX);
    assert_int_equal(gm_memory_cover(memory, &request, bytes, 256 + 128, 2), 2);
    assert_int_equal(request.sectors, 1);
    assert_int_equal(bytes[0], 3);
    assert_int_equal(bytes[1], 0);
    assert_int_equal(gm_memory_cover(memory, &request, bytes, 256 + 40, 4), 4);
    assert_int_equal(request.sectors, 2);
    assert_int_equal(bytes[0], 0);
    assert_int_equal(bytes[1], 0xF00);
    assert_int_equal(gm_memory_cover(memory, &request, bytes, 7, 0), 0);
    assert_int_equal(request.sectors, 0);
    check_and_close(memory);
}

/* An instruction of three lines is answered once. Its lines, of three partitions, are sent in 2, 3
 * and 4; the port gets a reply of five flits each 2.5 cycles: in 255, 258 and 260. Three
 * instructions wait for each line, and one is answered in a cycle: for the last line in 261 to 263.
 */
static void lines_of_an_instruction(void **state)
{
    (void)state;
    gm_memory *memory = open_preset("gtx480", (gm_memory_options){0});
    gm_memory_request lines[3];
    gm_memory_answer answer;
    gm_error error;
    for (unsigned i = 0; i < 3; i++) {
        lines[i] = (gm_memory_request){.id = 77, .address = 256 * i, .sectors = ALL};
    }
    assert_int_equal(gm_memory_send_lines(memory, lines, 3, &error), 1);
    assert_int_equal(gm_memory_send_lines(memory, lines, 3, &error), 1);
    assert_int_equal(gm_memory_send_lines(memory, lines, 3, &error), 1);
    assert_int_equal(gm_memory_send_lines(memory, lines, 3, &error), 0);
    gm_memory_advance(memory, 10000);
    assert_true(gm_memory_pop(memory, &answer));
    assert_int_equal(answer.id, 77);
    assert_int_equal(answer.cycle, 261);
    assert_true(gm_memory_pop(memory, &answer));
    assert_int_equal(answer.cycle, 262);
    assert_true(gm_memory_pop(memory, &answer));
    assert_false(gm_memory_pop(memory, &answer));
    check_and_close(memory);
}

/* Returns the loads that bypassed the L1s after an instruction of three lines. */
static uint64_t bypasses_after(gm_memory *memory, uint32_t port)
{
    gm_memory_request lines[3];
    gm_memory_answer answer;
    gm_statistics statistics;
    gm_error error;
    for (unsigned i = 0; i < 3; i++) {
        lines[i] = (gm_memory_request){.port = port, .address = 256 * i, .sectors = ALL};
    }
    assert_int_equal(gm_memory_send_lines(memory, lines, 3, &error), 1);
    gm_memory_advance(memory, gm_memory_now(memory) + 10000);
    assert_true(gm_memory_pop(memory, &answer));
    gm_memory_statistics(memory, &statistics);
    return statistics.l1d.bypasses[GM_LOAD];
}

/* l1.bypass=contention: an L1 of 128 lines. With 48 warps, as with 42, a warp's share is at most 3
 * lines, as many as the instruction has: it bypasses. With 32 it is 4. */
static void warps_of_a_port(void **state)
{
    (void)state;
    static const struct {
        uint32_t warps;
        bool bypasses;
    } rows[] = {{48, true}, {32, false}, {42, true}, {1, false}};
    gm_config config = order_preset("gtx480");
    gm_error error;
    config.l1.bypass = GM_BYPASS_CONTENTION;
    gm_memory *memory = open_memory(&config, (gm_memory_options){0});
    uint64_t bypasses = bypasses_after(memory, 2); /* 48 until told */
    assert_int_equal(bypasses, 3);
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        test_ok(gm_memory_set_warps(memory, 2, rows[i].warps, &error), error);
        test_ok(gm_memory_end_kernel(memory, &error), error); /* flushes the L1s */
        gm_memory_advance(memory, gm_memory_now(memory) + 10000);
        bypasses += rows[i].bypasses ? 3 : 0;
        assert_int_equal(bypasses_after(memory, 2), bypasses);
    }
    assert_int_equal(bypasses_after(memory, 1), bypasses + 3); /* another port keeps 48 */
    assert_int_equal(gm_memory_set_warps(memory, 15, 1, &error), -EINVAL);
    assert_non_null(strstr(error.text, "port 15"));
    assert_int_equal(gm_memory_set_warps(memory, 2, 49, &error), -EINVAL);
    assert_non_null(strstr(error.text, "49"));
    check_and_close(memory);
}

/* gtx480 flushes its L1s at a kernel's end and writes local stores back then. */
static void ends_kernels(void **state)
{
    (void)state;
    gm_memory *memory = open_preset("gtx480", (gm_memory_options){0});
    gm_memory_request store = {
        .address = 4096, .sectors = ALL, .kind = GM_MEMORY_STORE, .local = true};
    const gm_memory_request load = {.address = 4096, .sectors = ALL, .local = true};
    gm_statistics statistics;
    gm_error error;
    latency(memory, load);
    latency(memory, store);
    assert_int_equal(send(memory, &store), 1);
    assert_int_equal(gm_memory_end_kernel(memory, &error), -EBUSY);
    (void)drain(memory);
    gm_memory_statistics(memory, &statistics);
    assert_int_equal(statistics.l1d.sectors_written_back[GM_STORE], 0);
    test_ok(gm_memory_end_kernel(memory, &error), error);
    assert_false(gm_memory_idle(memory));
    assert_false(gm_memory_has_room(memory, &load));
    assert_int_equal(send(memory, &load), 0);
    (void)drain(memory);
    gm_memory_statistics(memory, &statistics);
    assert_int_equal(statistics.traffic.st, 4 * 32);
    assert_int_equal(latency(memory, load), 131);
    check_and_close(memory);
}

/* Random traffic. Each request has a number; `due` has the cycle of its answer. */
enum { REQUESTS = 1000, FOOTPRINT = 256 /* lines */ };

typedef struct traffic {
    uint64_t answered[REQUESTS]; /* cycle; 0: not */
    gm_statistics statistics;
    uint64_t end;
} traffic;

static gm_memory_request random_request(const gm_memory *memory, const gm_config *config,
                                        test_random *random, uint32_t *bytes)
{
    static const gm_memory_kind kinds[] = {
        GM_MEMORY_LOAD,   GM_MEMORY_LOAD,      GM_MEMORY_LOAD,
        GM_MEMORY_LOAD,   GM_MEMORY_STORE,     GM_MEMORY_STORE,
        GM_MEMORY_ATOMIC, GM_MEMORY_REDUCTION, GM_MEMORY_STRONG_LOAD};
    uint64_t line = gm_memory_line(memory);
    gm_memory_request request = {
        .kind = kinds[test_random_below(random, sizeof kinds / sizeof *kinds)],
        .port = (uint32_t)test_random_below(random, gm_memory_ports(memory)),
        .warp = (uint32_t)test_random_below(random, config->sm.warps),
        .unkept = test_random_below(random, 4) == 0,
        .local = test_random_below(random, 8) == 0};
    uint64_t address = UINT64_C(0x7f0000000000) + test_random_below(random, FOOTPRINT * line);
    uint64_t size = 1 + test_random_below(random, line);
    (void)gm_memory_cover(memory, &request, bytes, address, size);
    request.bytes = test_random_below(random, 2) == 0 ? NULL : bytes;
    return request;
}

static void take_answers(gm_memory *memory, traffic *traffic, unsigned *left)
{
    gm_memory_answer answer;
    while (gm_memory_pop(memory, &answer)) {
        assert_true(answer.id < REQUESTS);
        assert_int_equal(traffic->answered[answer.id], 0);
        assert_true(answer.cycle != 0 && answer.cycle <= gm_memory_now(memory));
        traffic->answered[answer.id] = answer.cycle;
        (*left)--;
    }
}

/* `steps`: 1: every cycle is ticked; else several are passed at a time when nothing can happen. */
static void run_traffic(const gm_config *config, gm_memory_options options, uint64_t seed,
                        bool steps, traffic *traffic)
{
    test_random random = {seed};
    gm_memory *memory = open_memory(config, options);
    uint32_t bytes[GM_MEMORY_LINE_SECTORS];
    gm_error error;
    unsigned left = REQUESTS;
    *traffic = (struct traffic){0};
    uint64_t burst = 2 + test_random_below(&random, 64);
    for (unsigned id = 0; id < REQUESTS;) {
        for (uint64_t sent = test_random_below(&random, burst); sent > 0 && id < REQUESTS; sent--) {
            gm_memory_request request = random_request(memory, config, &random, bytes);
            request.id = id;
            bool room = gm_memory_has_room(memory, &request);
            int code = send(memory, &request);
            assert_int_equal(code, room);
            id += (unsigned)code;
        }
        uint64_t until = gm_memory_now(memory) + 1 + test_random_below(&random, 16);
        while (gm_memory_now(memory) < until) {
            uint64_t next = gm_memory_next(memory);
            assert_true(next > gm_memory_now(memory));
            gm_memory_advance(memory, steps          ? gm_memory_now(memory) + 1
                                      : next < until ? next
                                                     : until);
            take_answers(memory, traffic, &left);
        }
    }
    for (uint64_t limit = gm_memory_now(memory) + 1000000; left != 0 || !gm_memory_idle(memory);) {
        gm_memory_advance(memory, steps ? gm_memory_now(memory) + 1 : gm_memory_next(memory));
        take_answers(memory, traffic, &left);
        assert_true(gm_memory_now(memory) < limit);
    }
    test_ok(gm_memory_end_kernel(memory, &error), error);
    while (!gm_memory_idle(memory)) {
        gm_memory_advance(memory, steps ? gm_memory_now(memory) + 1 : gm_memory_next(memory));
    }
    traffic->end = gm_memory_now(memory);
    gm_memory_statistics(memory, &traffic->statistics);
    check_and_close(memory);
}

/* Each request is answered once, and nothing depends on which cycles are visited. */
static void is_conserved(const gm_config *config, gm_memory_options options, uint64_t seed)
{
    static traffic first;
    static traffic other;
    run_traffic(config, options, seed, false, &first);
    run_traffic(config, options, seed, true, &other);
    assert_memory_equal(first.answered, other.answered, sizeof first.answered);
    assert_int_equal(first.end, other.end);
    assert_memory_equal(&first.statistics, &other.statistics, sizeof first.statistics);
    options.no_skip = true;
    run_traffic(config, options, seed, true, &other);
    assert_memory_equal(first.answered, other.answered, sizeof first.answered);
    assert_memory_equal(&first.statistics, &other.statistics, sizeof first.statistics);
}

static void presets_conserve(void **state)
{
    (void)state;
    static const char *const presets[] = {
        "gtx480",          "fermi-l1d",      "fermi-sharing", "fermi-tc",
        "gtx480-dwt-pric", "v100",           "a100",          "h100",
        "rtx3070",         "kepler-sharing", "kepler-hybrid", "kepler-hybrid-tracker"};
    static const uint64_t clocks[] = {0, 1000, 333};
    test_random random = test_random_start(0x21e7);
    for (unsigned i = 0; i < sizeof presets / sizeof *presets; i++) {
        gm_config config = order_preset(presets[i]);
        gm_memory_options options = {.clock = clocks[i % 3]};
        config.gpu.sms = config.gpu.sms < 8 ? config.gpu.sms : 8;
        is_conserved(&config, options, test_random_next(&random));
        options.level = GM_MEMORY_BELOW_L1;
        if (!config.tracker.enabled && config.coherence.protocol == GM_COHERENCE_NONE) {
            is_conserved(&config, options, test_random_next(&random));
        }
    }
}

static void random_machines_conserve(void **state)
{
    (void)state;
    enum { ROUNDS = 8 };
    test_random random = test_random_start(0x21e8);
    for (unsigned round = 0; round < ROUNDS;) {
        gm_config config = random_machine(&random, true);
        gm_memory_options options = {.level = (gm_memory_level)test_random_below(&random, 2),
                                     .clock = 1 + test_random_below(&random, 3000),
                                     .in_flight = 1 + (uint32_t)test_random_below(&random, 64)};
        gm_memory *memory;
        gm_error error;
        if (gm_memory_open(&memory, &config, &options, &error) < 0) {
            /* some name a profile of loads, which is not there */
            assert_true(error.code == -EINVAL || error.code == -ENOENT);
            continue;
        }
        gm_memory_close(memory);
        is_conserved(&config, options, test_random_next(&random));
        round++;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(latencies_by_hand),
        cmocka_unit_test(strong_loads_are_marked),
        cmocka_unit_test(loads_that_nobody_keeps),
        cmocka_unit_test(the_simulators_clock),
        cmocka_unit_test(counts),
        cmocka_unit_test(room_of_a_cycle),
        cmocka_unit_test(advances_until_idle),
        cmocka_unit_test(all_numbers_in_flight),
        cmocka_unit_test(what_cannot_be_opened),
        cmocka_unit_test(what_cannot_be_sent),
        cmocka_unit_test(covers),
        cmocka_unit_test(stores_of_one_sector),
        cmocka_unit_test(lines_of_an_instruction),
        cmocka_unit_test(warps_of_a_port),
        cmocka_unit_test(ends_kernels),
        cmocka_unit_test(presets_conserve),
        cmocka_unit_test(random_machines_conserve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
