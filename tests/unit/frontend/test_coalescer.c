/* The coalescer against a set of bytes, and by hand where order and address spaces matter. */
#include "frontend/coalescer.h"
#include "goldmem/bits.h"
#include "support/frontend/line_set.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

#define ALL UINT32_MAX

enum { SLOTS = 720 }; /* 15 SMs of 48 warps */

typedef struct fixture {
    gm_arena arena;
    gm_coalescer coalescer;
    gm_coalesce_context context;
    gm_instruction instruction;
    uint64_t address[GM_ADDRESSES];
} fixture;

static void make_of(fixture *fixture, uint64_t line, bool by_sector)
{
    gm_error error;
    memset(fixture, 0, sizeof *fixture);
    test_ok(gm_arena_create(&fixture->arena, gm_coalescer_bytes(line), &error), error);
    test_ok(gm_coalescer_init(&fixture->coalescer, line, by_sector, &fixture->arena, &error),
            error);
    fixture->context = (gm_coalesce_context){.shared_base = UINT64_C(0x7f5000000000),
                                             .local_base = UINT64_C(0x7f4ffe000000),
                                             .warp_slot = 3,
                                             .warp_slots = SLOTS};
    fixture->instruction = (gm_instruction){.op = GM_OP_LOAD, .space = GM_SPACE_GLOBAL};
}

static void make(fixture *fixture, uint64_t line)
{
    make_of(fixture, line, false);
}

static void stride(fixture *fixture, uint32_t mask, uint64_t base, int64_t step, unsigned width)
{
    gm_instruction *instruction = &fixture->instruction;
    instruction->form = GM_ADDRESS_STRIDE;
    instruction->mask = mask;
    instruction->base = base;
    instruction->stride = step;
    instruction->width = (uint8_t)width;
    instruction->addresses = (uint16_t)gm_count_ones(mask);
    gm_coalesce(&fixture->coalescer, &fixture->context, instruction);
}

static void list(fixture *fixture, uint32_t mask, unsigned width)
{
    gm_instruction *instruction = &fixture->instruction;
    instruction->form = GM_ADDRESS_LIST;
    instruction->mask = mask;
    instruction->address = fixture->address;
    instruction->width = (uint8_t)width;
    instruction->addresses = (uint16_t)gm_count_ones(mask);
    gm_coalesce(&fixture->coalescer, &fixture->context, instruction);
}

static void expect(const fixture *fixture, uint32_t number, uint64_t line, uint32_t lanes,
                   uint32_t sectors)
{
    const gm_line_request *request = &fixture->coalescer.request[number];
    assert_true(number < fixture->coalescer.requests);
    assert_int_equal(request->line, line);
    assert_int_equal(request->lanes, lanes);
    assert_int_equal(request->sectors, sectors);
}

/* Worked by hand, lines of 128 bytes. */
static void by_hand(void **state)
{
    (void)state;
    fixture fixture;
    make(&fixture, 128);

    stride(&fixture, ALL, 0x1000, 4, 4); /* one line, whole */
    assert_int_equal(fixture.coalescer.requests, 1);
    expect(&fixture, 0, 0x20, ALL, 0xf);
    assert_int_equal(fixture.coalescer.lane_accesses, 32);

    stride(&fixture, ALL, 0x1010, 4, 4); /* 16 bytes off: 28 lanes, then 4 */
    assert_int_equal(fixture.coalescer.requests, 2);
    expect(&fixture, 0, 0x20, 0x0fffffff, 0xf);
    expect(&fixture, 1, 0x21, 0xf0000000, 0x1);

    stride(&fixture, ALL, 0x1000, 16, 16); /* 128-bit loads: 8 lanes a line */
    assert_int_equal(fixture.coalescer.requests, 4);
    expect(&fixture, 3, 0x23, 0xff000000, 0xf);

    stride(&fixture, ALL, 0x1004, 0, 4); /* broadcast */
    assert_int_equal(fixture.coalescer.requests, 1);
    expect(&fixture, 0, 0x20, ALL, 0x1);

    stride(&fixture, 0x00ff00ff, 0x1000, 4, 4); /* active lanes side by side in memory */
    assert_int_equal(fixture.coalescer.requests, 1);
    expect(&fixture, 0, 0x20, 0x00ff00ff, 0x3);

    stride(&fixture, 0x3, 0x107e, 4, 4); /* a lane that straddles two lines */
    assert_int_equal(fixture.coalescer.requests, 2);
    expect(&fixture, 0, 0x20, 0x1, 0x8);
    expect(&fixture, 1, 0x21, 0x3, 0x1);

    stride(&fixture, ALL, 0x10000 + 31 * 128, -128, 4); /* descending: order of first lane */
    assert_int_equal(fixture.coalescer.requests, 32);
    expect(&fixture, 0, 0x200 + 31, 1, 1);
    expect(&fixture, 31, 0x200, UINT32_C(1) << 31, 1);

    stride(&fixture, 1, UINT64_MAX - 1, 4, 4); /* the end of the address space */
    assert_int_equal(fixture.coalescer.requests, 1);
    expect(&fixture, 0, UINT64_MAX >> 7, 1, 0x8);

    stride(&fixture, 0, 0, 0, 4); /* mask 0 touches nothing, address 0 neither */
    assert_int_equal(fixture.coalescer.requests, 0);
    stride(&fixture, ALL, 0x1000, 4, 0); /* no width: no memory operand */
    assert_int_equal(fixture.coalescer.requests, 0);
    gm_arena_free(&fixture.arena);
}

/* Requests for sectors, by hand: four of a line, in the order of their first lanes. */
static void sectors_by_hand(void **state)
{
    (void)state;
    fixture fixture;
    make_of(&fixture, 128, true);
    fixture.instruction.op = GM_OP_STORE;
    stride(&fixture, ALL, 0x1000, 4, 4);
    assert_int_equal(fixture.coalescer.requests, 4);
    for (unsigned i = 0; i < 4; i++) {
        expect(&fixture, i, 0x20, UINT32_C(0xff) << 8 * i, UINT32_C(1) << i);
        assert_int_equal(fixture.coalescer.request[i].whole, UINT32_C(1) << i);
    }
    stride(&fixture, 0x7, 0x1070, -32, 4); /* sectors 3, 2 and 1, none whole */
    assert_int_equal(fixture.coalescer.requests, 3);
    expect(&fixture, 0, 0x20, 0x1, 0x8);
    expect(&fixture, 2, 0x20, 0x4, 0x2);
    assert_int_equal(fixture.coalescer.request[2].whole, 0);
    stride(&fixture, ALL, 0x1040, 0, 4);
    assert_int_equal(fixture.coalescer.requests, 1);
    expect(&fixture, 0, 0x20, ALL, 0x4);
    gm_arena_free(&fixture.arena);
}

/* Sectors that a store covers whole. */
static void whole_sectors(void **state)
{
    (void)state;
    static const struct {
        uint32_t mask;
        uint64_t base;
        int64_t stride;
        unsigned width;
        uint32_t whole; /* of the first line */
    } rows[] = {
        {ALL, 0, 4, 4, 0xf},         {ALL, 4, 4, 4, 0xe},   {0x7f, 0, 4, 4, 0x0},
        {0xff, 0, 4, 4, 0x1},        {0x1ff, 0, 4, 4, 0x1}, {ALL, 0, 8, 4, 0x0},
        {0xffff0000, 32, 2, 2, 0x2}, {ALL, 0, 2, 4, 0x3}, /* overlapping: bytes 0 to 65 */
        {ALL, 0, 1, 1, 0x1},         {0xf, 0, 16, 16, 0x3},
    };
    fixture fixture;
    make(&fixture, 128);
    fixture.instruction.op = GM_OP_STORE;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        stride(&fixture, rows[i].mask, rows[i].base, rows[i].stride, rows[i].width);
        assert_int_equal(fixture.coalescer.request[0].whole, rows[i].whole);
    }
    gm_arena_free(&fixture.arena);
}

/* A run in one line has a way of its own, without lanes. */
static void compare_with_line(const fixture *fixture)
{
    const gm_instruction *instruction = &fixture->instruction;
    if (instruction->stride != instruction->width || !gm_coalesce_may_run(instruction)) {
        return;
    }
    gm_line_request request;
    bool one = gm_coalesce_line(&fixture->coalescer, instruction->base,
                                (uint64_t)instruction->addresses * instruction->width, &request);
    assert_int_equal(one, fixture->coalescer.requests == 1);
    if (one) {
        assert_int_equal(request.line, fixture->coalescer.request->line);
        assert_int_equal(request.sectors, fixture->coalescer.request->sectors);
        assert_int_equal(request.whole, fixture->coalescer.request->whole);
    }
}

/* Byte by byte. By sector, the expected requests are those of lines of 32 bytes. */
static void compare_with_bytes(const fixture *fixture, uint64_t line, bool by_sector)
{
    static line_set expected;
    const gm_coalescer *coalescer = &fixture->coalescer;
    uint64_t sectors = by_sector ? line / GM_SECTOR : 1;
    line_set_make(&expected, line / sectors, &fixture->context, &fixture->instruction);
    assert_int_equal(coalescer->requests, expected.requests);
    for (uint32_t i = 0; i < expected.requests; i++) {
        const gm_line_request *request = &expected.request[i];
        unsigned place = (unsigned)(request->line % sectors);
        expect(fixture, i, request->line / sectors, request->lanes, request->sectors << place);
        assert_int_equal(coalescer->request[i].whole, request->whole << place);
    }
    assert_int_equal(coalescer->lane_accesses, gm_count_ones(fixture->instruction.mask));
    compare_with_line(fixture);
}

static void agrees_with_a_set_of_bytes(void **state)
{
    (void)state;
    static const unsigned widths[] = {1, 2, 4, 8, 16, 3, 32, 64, 100};
    test_random random = test_random_start(21);
    for (unsigned i = 0; i < 2 * 6; i++) {
        uint64_t line = UINT64_C(32) << i / 2;
        bool by_sector = i % 2 != 0;
        fixture fixture;
        make_of(&fixture, line, by_sector);
        fixture.instruction.op = GM_OP_STORE;
        for (unsigned round = 0; round < 400; round++) {
            uint32_t mask = (uint32_t)test_random_next(&random);
            mask = test_random_below(&random, 3) == 0 ? ALL : mask;
            mask = test_random_below(&random, 4) == 0
                       ? ALL << test_random_below(&random, 32) >> test_random_below(&random, 8)
                       : mask;
            unsigned width = widths[test_random_below(&random, 9)];
            uint64_t range = UINT64_C(1) << (4 + test_random_below(&random, 14));
            uint64_t base = (UINT64_C(1) << 40) + test_random_below(&random, range);
            base &= test_random_below(&random, 4) == 0 ? ~UINT64_C(1023) : UINT64_MAX;
            if (test_random_below(&random, 2) == 0) {
                int64_t step = test_random_below(&random, 2) == 0
                                   ? (int64_t)width
                                   : (int64_t)test_random_below(&random, 300) - 150;
                stride(&fixture, mask, base, step, width);
            } else {
                for (unsigned k = 0; k < 32; k++) {
                    fixture.address[k] = base + test_random_below(&random, range);
                }
                list(&fixture, mask, width);
            }
            compare_with_bytes(&fixture, line, by_sector);
        }
        gm_arena_free(&fixture.arena);
    }
}

/* The hash of lines seen begins anew 65535 instructions later. */
static void generations_wrap(void **state)
{
    (void)state;
    fixture fixture;
    make(&fixture, 128);
    for (unsigned k = 0; k < 32; k++) {
        fixture.address[k] = (k % 4) * UINT64_C(128);
    }
    for (unsigned round = 0; round < 140000; round++) {
        list(&fixture, ALL, 4);
        assert_int_equal(fixture.coalescer.requests, 4);
    }
    gm_arena_free(&fixture.arena);
}

/* Local memory: the same word of 32 lanes is one 128-byte line; words are SLOTS lines apart. */
static void local_is_interleaved(void **state)
{
    (void)state;
    fixture fixture;
    make(&fixture, 128);
    fixture.instruction.space = GM_SPACE_LOCAL;
    uint64_t first = (GM_LOCAL_REGION >> 7) + 3;

    stride(&fixture, ALL, 0x100, 0, 4); /* every thread's offset 0x100: word 64 */
    assert_int_equal(fixture.coalescer.requests, 1);
    expect(&fixture, 0, first + UINT64_C(64) * SLOTS, ALL, 0xf);
    assert_true(fixture.coalescer.request[0].local);
    assert_true(fixture.coalescer.local && !fixture.coalescer.global);

    stride(&fixture, 0xff, 0x100, 0, 8); /* words 64 and 65 of lanes 0 to 7 */
    assert_int_equal(fixture.coalescer.requests, 2);
    expect(&fixture, 0, first + UINT64_C(64) * SLOTS, 0xff, 0x1);
    expect(&fixture, 1, first + UINT64_C(65) * SLOTS, 0xff, 0x1);

    stride(&fixture, 0x1, 0x102, 0, 4); /* unaligned: half of word 64, half of word 65 */
    assert_int_equal(fixture.coalescer.requests, 2);

    /* the first access again, by the window's generic addresses */
    stride(&fixture, ALL, fixture.context.local_base + 0x100, 0, 4);
    assert_int_equal(fixture.coalescer.requests, 1);
    expect(&fixture, 0, first + UINT64_C(64) * SLOTS, ALL, 0xf);
    gm_arena_free(&fixture.arena);
}

/* Generic addresses lane by lane: shared, local and global in one instruction. */
static void generic_is_resolved_by_lane(void **state)
{
    (void)state;
    fixture fixture;
    make(&fixture, 128);
    fixture.instruction.space = GM_SPACE_GENERIC;
    uint64_t window = UINT64_C(1) << GM_WINDOW_BITS;
    for (int order = 0; order < 2; order++) { /* drivers place the windows either way round */
        if (order == 1) {
            fixture.context.local_base = fixture.context.shared_base + 2 * window;
        }
        fixture.address[0] = fixture.context.shared_base;
        fixture.address[1] = fixture.context.shared_base + window - 4;
        fixture.address[2] = fixture.context.local_base + 4;
        fixture.address[3] = fixture.context.shared_base + window; /* just outside */
        fixture.address[4] = fixture.context.shared_base - 4;
        list(&fixture, 0x1f0, 4);
        assert_int_equal(fixture.coalescer.shared_accesses, 2);
        assert_int_equal(fixture.coalescer.shared[0].lane, 4);
        assert_int_equal(fixture.coalescer.shared[0].offset, 0);
        assert_int_equal(fixture.coalescer.shared[1].offset, window - 4);
        assert_int_equal(fixture.coalescer.requests, 3);
        assert_int_equal(fixture.coalescer.lane_accesses, 3);
        assert_true(fixture.coalescer.request[0].local);
        expect(&fixture, 0, (GM_LOCAL_REGION >> 7) + SLOTS + 3, 0x40, 0x1); /* byte 24 */
        expect(&fixture, 1, fixture.address[3] >> 7, 0x80, 0x1);
        expect(&fixture, 2, fixture.address[4] >> 7, 0x100, 0x8);
        assert_false(fixture.coalescer.request[1].local);
    }
    /* No windows known: offsets below 16 MiB are shared memory, the rest is global. */
    fixture.context.shared_base = fixture.context.local_base = 0;
    fixture.address[0] = 0x40;
    fixture.address[1] = UINT64_C(0x7f0000000000);
    list(&fixture, 0x3, 4);
    assert_int_equal(fixture.coalescer.shared_accesses, 1);
    assert_int_equal(fixture.coalescer.requests, 1);
    gm_arena_free(&fixture.arena);
}

/* Bulk copies have more addresses than lanes. */
static void more_addresses_than_lanes(void **state)
{
    (void)state;
    fixture fixture;
    make(&fixture, 32);
    for (unsigned k = 0; k < GM_ADDRESSES; k++) {
        fixture.address[k] = k * UINT64_C(4096) + 31;
    }
    fixture.instruction = (gm_instruction){.op = GM_OP_LOAD,
                                           .space = GM_SPACE_GLOBAL,
                                           .form = GM_ADDRESS_LIST,
                                           .mask = 1,
                                           .address = fixture.address,
                                           .addresses = GM_ADDRESSES,
                                           .width = 255};
    gm_coalesce(&fixture.coalescer, &fixture.context, &fixture.instruction);
    assert_int_equal(fixture.coalescer.requests, GM_ADDRESSES * 9); /* 1 + 7 * 32 + 30 bytes */
    expect(&fixture, 0, 0, 1, 1);
    fixture.instruction.space = GM_SPACE_LOCAL;
    gm_coalesce(&fixture.coalescer, &fixture.context, &fixture.instruction);
    assert_int_equal(fixture.coalescer.lane_accesses, GM_ADDRESSES);
    gm_arena_free(&fixture.arena);
}

/* sm.descending: requests in order of their addresses, reversed; in no order, sorted; the bytes of
 * a store go with their request. */
static void from_the_highest_address_down(void **state)
{
    (void)state;
    fixture fixture;
    make(&fixture, 128);
    fixture.coalescer.descending = true;
    stride(&fixture, ALL, 0x1040, 16, 16); /* a run over lines 0x20 to 0x24 */
    assert_int_equal(fixture.coalescer.requests, 5);
    for (uint32_t i = 0; i < 5; i++) {
        assert_int_equal(fixture.coalescer.request[i].line, 0x24 - i);
    }
    expect(&fixture, 4, 0x20, 0xf, 0xc);
    stride(&fixture, 7, 0x1000, 128, 4);
    expect(&fixture, 0, 0x22, 4, 1);
    expect(&fixture, 1, 0x21, 2, 1);
    expect(&fixture, 2, 0x20, 1, 1);
    fixture.coalescer.keeps = GM_KEEPS_BYTES;
    fixture.instruction.op = GM_OP_STORE;
    static const uint64_t addresses[] = {0x3000, 0x5001, 0x4002, 0x5005};
    memcpy(fixture.address, addresses, sizeof addresses);
    list(&fixture, 0xf, 1);
    static const struct {
        uint32_t line, lanes, bytes;
    } stores[] = {{0xa0, 0xa, 0x22}, {0x80, 4, 4}, {0x60, 1, 1}};
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t bytes[4];
        expect(&fixture, i, stores[i].line, stores[i].lanes, 1);
        gm_coalescer_masks(&fixture.coalescer, i, bytes);
        assert_int_equal(bytes[0], stores[i].bytes);
    }
    gm_arena_free(&fixture.arena);
}

static void atomic(fixture *fixture, uint32_t mask)
{
    fixture->instruction.op = GM_OP_REDUCTION;
    fixture->coalescer.atomic_passes = true;
    list(fixture, mask, 4);
}

/* Lanes 0 to 6 in two lines: 1 and 4 have lane 0's address, 5 has 2's. The first pass is lanes 0,
 * 2, 3 and 6, the second 1 and 5, the third 4. */
static void atomics_in_passes(void **state)
{
    (void)state;
    fixture fixture;
    static const uint64_t places[] = {0, 0, 36, 128, 0, 36, 132};
    make(&fixture, 128);
    memcpy(fixture.address, places, sizeof places);
    atomic(&fixture, 0x7f);
    assert_int_equal(fixture.coalescer.requests, 4);
    expect(&fixture, 0, 0, 0x05, 0x3);
    expect(&fixture, 1, 1, 0x48, 0x1);
    expect(&fixture, 2, 0, 0x22, 0x3);
    expect(&fixture, 3, 0, 0x10, 0x1);
    assert_int_equal(fixture.coalescer.lane_accesses, 7);
    fixture.coalescer.atomic_passes = false;
    list(&fixture, 0x7f, 4);
    assert_int_equal(fixture.coalescer.requests, 2);
    fixture.instruction.op = GM_OP_LOAD; /* no atomic */
    fixture.coalescer.atomic_passes = true;
    list(&fixture, 0x7f, 4);
    assert_int_equal(fixture.coalescer.requests, 2);
    gm_arena_free(&fixture.arena);
}

/* sm.coalesce_bypassed: atomics and strong loads by sector, others by line, whatever was before; a
 * sector's words and bytes are found. */
static void bypassed_by_sector(void **state)
{
    (void)state;
    static const struct {
        gm_request_kind kind;
        uint8_t op;
        uint32_t requests;
    } rows[] = {
        {GM_REQUEST_LOAD, GM_OP_LOAD, 1},           {GM_REQUEST_STRONG_LOAD, GM_OP_LOAD, 4},
        {GM_REQUEST_STORE, GM_OP_STORE, 1},         {GM_REQUEST_ATOMIC, GM_OP_ATOMIC, 4},
        {GM_REQUEST_REDUCTION, GM_OP_REDUCTION, 4}, {GM_REQUEST_LOAD, GM_OP_LOAD, 1},
    };
    fixture fixture;
    make(&fixture, 128);
    fixture.coalescer.bypassed_sectors = true;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fixture.instruction.op = rows[i].op;
        gm_coalescer_take_kind(&fixture.coalescer, rows[i].kind);
        stride(&fixture, ALL, 0x1000, 4, 4);
        assert_int_equal(fixture.coalescer.requests, rows[i].requests);
        expect(&fixture, 0, 0x20, rows[i].requests == 1 ? ALL : 0xff,
               rows[i].requests == 1 ? 0xf : 0x1);
        gm_line_request line; /* a run of a load or store is for lines */
        assert_true(gm_coalesce_line(&fixture.coalescer, 0x1000, 128, &line));
    }
    fixture.coalescer.keeps = GM_KEEPS_WORDS | GM_KEEPS_BYTES;
    fixture.instruction.op = GM_OP_ATOMIC;
    gm_coalescer_take_kind(&fixture.coalescer, GM_REQUEST_ATOMIC);
    stride(&fixture, 0x7, 0x1070, -32, 4); /* sectors 3, 2 and 1: words 4 */
    assert_int_equal(fixture.coalescer.requests, 3);
    expect(&fixture, 1, 0x20, 0x2, 0x4);
    uint8_t words[4];
    uint32_t bytes[4];
    gm_coalescer_words(&fixture.coalescer, 1, words);
    gm_coalescer_masks(&fixture.coalescer, 1, bytes);
    assert_int_equal(words[2], 0x10);
    assert_int_equal(words[1] | words[3], 0);
    assert_int_equal(bytes[2], 0xf0000);
    gm_arena_free(&fixture.arena);
}

/* sm.coalesce_narrow: a byte's requests are for sectors, those of 2 bytes for 64 bytes, of others
 * for lines; the masks of the second of two sectors are found. */
static void narrow_accesses(void **state)
{
    (void)state;
    fixture fixture;
    make(&fixture, 128);
    fixture.coalescer.narrow = true;
    fixture.coalescer.keeps = GM_KEEPS_BYTES;
    fixture.instruction.op = GM_OP_STORE;
    stride(&fixture, ALL, 0x1000, 4, 1);
    assert_int_equal(fixture.coalescer.requests, 4);
    expect(&fixture, 3, 0x20, 0xff000000, 0x8);
    stride(&fixture, ALL, 0x1000, 4, 2);
    assert_int_equal(fixture.coalescer.requests, 2);
    expect(&fixture, 0, 0x20, 0x0000ffff, 0x3);
    expect(&fixture, 1, 0x20, 0xffff0000, 0xc);
    stride(&fixture, 0x3, 0x1060, 4, 2); /* in the last sector */
    assert_int_equal(fixture.coalescer.requests, 1);
    expect(&fixture, 0, 0x20, 0x3, 0x8);
    uint32_t bytes[4];
    gm_coalescer_masks(&fixture.coalescer, 0, bytes);
    assert_int_equal(bytes[3], 0x33);
    assert_int_equal(bytes[2], 0);
    stride(&fixture, ALL, 0x1000, 2, 2); /* a run */
    assert_int_equal(fixture.coalescer.requests, 1);
    expect(&fixture, 0, 0x20, ALL, 0x3);
    assert_int_equal(fixture.coalescer.request[0].whole, 0x3);
    stride(&fixture, ALL, 0x1000, 4, 4);
    assert_int_equal(fixture.coalescer.requests, 1);
    gm_arena_free(&fixture.arena);
}

/* Requests and sectors of a warp's reduction as an H100 counted them: each lane to its own word of
 * a line, but LANE=WORD. */
static void atomics_as_counted(void **state)
{
    (void)state;
    test_command counted = test_run(
        "awk -F ';' '/^# name/ { for (i = 1; i <= NF; i++) at[$i] = i } /^red.lanes/ { print "
        "substr($1, 10) \" ;\", $at[\"l2_reductions\"], $at[\"l2_reduction_sectors\"] }' "
        "tests/golden/silicon_h100_counters.csv");
    fixture fixture;
    make(&fixture, 128);
    int patterns = 0;
    for (char *line = counted.output; *line != '\0'; patterns++) {
        char *at = line;
        for (unsigned lane = 0; lane < 32; lane++) {
            fixture.address[lane] = UINT64_C(4) * lane;
        }
        while (*(at += strspn(at, " ")) != ';') {
            unsigned long lane = strtoul(at, &at, 10);
            fixture.address[lane] = UINT64_C(4) * strtoul(at + 1, &at, 10);
        }
        unsigned long requests = strtoul(at + 1, &at, 10);
        unsigned long sectors = strtoul(at, &at, 10);
        atomic(&fixture, ALL);
        unsigned long ours = 0;
        for (uint32_t i = 0; i < fixture.coalescer.requests; i++) {
            ours += gm_count_ones(fixture.coalescer.request[i].sectors);
        }
        if (fixture.coalescer.requests != requests || ours != sectors) {
            fail_msg("%u requests, %lu sectors: %.100s", fixture.coalescer.requests, ours, line);
        }
        line = at + strcspn(at, "\n");
        line += *line == '\n';
    }
    assert_int_equal(patterns, 37);
    test_command_free(&counted);
    gm_arena_free(&fixture.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(sectors_by_hand),
        cmocka_unit_test(whole_sectors),
        cmocka_unit_test(agrees_with_a_set_of_bytes),
        cmocka_unit_test(generations_wrap),
        cmocka_unit_test(local_is_interleaved),
        cmocka_unit_test(generic_is_resolved_by_lane),
        cmocka_unit_test(more_addresses_than_lanes),
        cmocka_unit_test(from_the_highest_address_down),
        cmocka_unit_test(atomics_in_passes),
        cmocka_unit_test(bypassed_by_sector),
        cmocka_unit_test(narrow_accesses),
        cmocka_unit_test(atomics_as_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
