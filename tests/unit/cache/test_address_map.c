/* The address map is a bijection, spreads blocks round-robin or by a hash, and divides without
 * dividing. */
#include "cache/address_map.h"
#include "cache/dram.h"
#include "support/support.h"

#include <errno.h>
#include <stdlib.h>

/* A map's configuration other than the defaults; bank_interleave 0: one L2 line. */
typedef struct machine {
    uint64_t partitions, banks, interleave, bank_interleave, line;
    gm_partition_index index;
} machine;

static gm_address_map map_with(const machine *machine, uint64_t partition_bits)
{
    gm_config config;
    gm_error error;
    gm_address_map map;
    gm_config_defaults(&config);
    config.memory.partitions = machine->partitions;
    config.memory.banks = machine->banks;
    config.memory.interleave = machine->interleave;
    if (machine->bank_interleave != 0) {
        config.memory.bank_interleave = machine->bank_interleave;
    }
    config.memory.partition_index = machine->index;
    config.memory.partition_bits = partition_bits;
    config.l2.line = machine->line;
    test_ok(gm_address_map_init(&map, &config, &error), error);
    return map;
}

static gm_address_map hashed_map_of(const machine *machine)
{
    return map_with(machine, 0);
}

static gm_address_map map_of(uint64_t partitions, uint64_t banks, uint64_t interleave,
                             uint64_t line)
{
    gm_config config;
    gm_error error;
    gm_address_map map;
    gm_config_defaults(&config);
    config.memory.partitions = partitions;
    config.memory.banks = banks;
    config.memory.interleave = interleave;
    config.l2.line = line;
    test_ok(gm_address_map_init(&map, &config, &error), error);
    return map;
}

static void divides(void **state)
{
    (void)state;
    test_random random = test_random_start(41);
    for (unsigned round = 0; round < 200000; round++) {
        uint64_t divisor =
            1 + test_random_next(&random) % (UINT64_C(1) << test_random_below(&random, 33));
        uint64_t dividend = test_random_next(&random) >> (5 + test_random_below(&random, 50));
        uint64_t edge = dividend / divisor * divisor; /* a multiple, or one less */
        gm_divider divider = gm_divider_make(divisor);
        assert_int_equal(gm_divide(&divider, dividend), dividend / divisor);
        assert_int_equal(gm_divide(&divider, edge), edge / divisor);
        assert_int_equal(gm_divide(&divider, edge - (edge != 0)), (edge - (edge != 0)) / divisor);
    }
}

static void inverts(void **state)
{
    (void)state;
    static const struct {
        uint64_t partitions, banks, interleave, line;
    } rows[] = {{6, 1, 256, 128}, {1, 8, 256, 32}, {7, 2, 128, 128}, {1000, 4, 4096, 64}};
    test_random random = test_random_start(42);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gm_address_map map =
            map_of(rows[i].partitions, rows[i].banks, rows[i].interleave, rows[i].line);
        for (unsigned round = 0; round < 50000; round++) {
            uint64_t line = test_random_next(&random) / rows[i].line;
            line >>= test_random_below(&random, 40);
            gm_location at = gm_address_map_locate(&map, line);
            /* The partition, by the definition. */
            assert_int_equal(at.partition,
                             line * rows[i].line / rows[i].interleave % rows[i].partitions);
            assert_true(at.bank < rows[i].banks);
            assert_int_equal(gm_address_map_line(&map, at), line);
        }
    }
}

/* Compacted: the first lines of a partition fill its banks and sets without a gap. */
static void leaves_no_gap(void **state)
{
    (void)state;
    gm_address_map map = map_of(3, 2, 256, 128);
    uint64_t next[3] = {0, 0, 0};
    for (uint64_t line = 0; line < 600; line++) {
        gm_location at = gm_address_map_locate(&map, line);
        uint64_t local = gm_address_map_local(&map, at);
        assert_int_equal(local, next[at.partition] * 128);
        assert_int_equal(at.bank, next[at.partition] % 2);
        assert_int_equal(at.line, next[at.partition] / 2);
        next[at.partition]++;
    }
}

/* Powers of two and others, with the bank's bits below, across, and above the partition's. */
static const machine hashed[] = {
    {32, 2, 256, 256, 128, GM_PARTITION_IPOLY}, /* QV100 */
    {16, 2, 256, 128, 128, GM_PARTITION_IPOLY}, /* RTX3070 */
    {24, 2, 256, 256, 128, GM_PARTITION_IPOLY},   {12, 2, 256, 128, 128, GM_PARTITION_IPOLY},
    {64, 1, 256, 0, 128, GM_PARTITION_IPOLY},     {16, 4, 1024, 256, 128, GM_PARTITION_IPOLY},
    {48, 2, 512, 4096, 64, GM_PARTITION_IPOLY},   {16, 4, 256, 2048, 128, GM_PARTITION_IPOLY},
    {17, 4, 256, 128, 128, GM_PARTITION_IPOLY},   {63, 1, 128, 0, 128, GM_PARTITION_IPOLY},
    {5, 8, 256, 128, 32, GM_PARTITION_IPOLY},     {3, 1, 256, 0, 128, GM_PARTITION_IPOLY},
    {1, 2, 256, 128, 128, GM_PARTITION_IPOLY},    {1000, 4, 4096, 0, 64, GM_PARTITION_IPOLY},
    {32, 2, 256, 256, 128, GM_PARTITION_XOR},     {64, 2, 256, 256, 128, GM_PARTITION_XOR},
    {8, 4, 1024, 256, 128, GM_PARTITION_XOR},     {24, 2, 256, 256, 128, GM_PARTITION_LINEAR},
    {16, 4, 1024, 512, 128, GM_PARTITION_LINEAR},
};

static void hash_inverts(void **state)
{
    (void)state;
    test_random random = test_random_start(43);
    for (size_t i = 0; i < sizeof hashed / sizeof hashed[0]; i++) {
        gm_address_map map = hashed_map_of(&hashed[i]);
        for (unsigned round = 0; round < 20000; round++) {
            uint64_t line = test_random_next(&random) / hashed[i].line;
            line >>= test_random_below(&random, 40);
            gm_location at = gm_address_map_locate(&map, line);
            assert_true(at.partition < hashed[i].partitions);
            assert_true(at.bank < hashed[i].banks);
            assert_int_equal(gm_address_map_line(&map, at), line);
        }
    }
}

/* Each set of each bank, by the lowest bits of lines' addresses in the bank, has a line among the
 * first of the address space: so many that every set of a bank has 64 if all have as many. Takes
 * memory.partition_bits. */
static uint64_t sets_without_lines(const machine *machine, uint64_t sets, uint64_t partition_bits)
{
    uint64_t count = machine->partitions * machine->banks * sets;
    gm_address_map map = map_with(machine, partition_bits);
    bool *met = calloc(count, sizeof *met);
    assert_non_null(met);
    for (uint64_t line = 0; line < 64 * count; line++) {
        gm_location at = gm_address_map_locate(&map, line);
        met[(at.partition * machine->banks + at.bank) * sets + at.line % sets] = true;
    }
    uint64_t without = 0;
    for (uint64_t i = 0; i < count; i++) {
        without += !met[i];
    }
    free(met);
    return without;
}

static void every_set_has_lines(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof hashed / sizeof hashed[0]; i++) {
        assert_int_equal(sets_without_lines(&hashed[i], 32, 0), 0);
    }
}

/* The least memory.partition_bits that gm_config_check takes reach every set; few leave some
 * without a line. 6 of 8 hash values are a unit's; 12 of 16. */
static void bits_of_the_hash_reach_every_set(void **state)
{
    (void)state;
    enum { SETS = 64, SET_BITS = 6 };
    static const machine machines[] = {{6, 1, 256, 0, 128, GM_PARTITION_IPOLY},
                                       {5, 1, 128, 0, 128, GM_PARTITION_IPOLY},
                                       {6, 2, 256, 128, 128, GM_PARTITION_IPOLY}};
    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++) {
        uint64_t units = machines[i].partitions * machines[i].banks;
        assert_int_equal(sets_without_lines(&machines[i], SETS, gm_log2_ceil(units) + SET_BITS), 0);
        assert_true(sets_without_lines(&machines[i], SETS, 3) != 0);
    }
}

static int order(const void *a, const void *b)
{
    const gm_location *x = a;
    const gm_location *y = b;
    return x->partition != y->partition ? (x->partition < y->partition ? -1 : 1)
           : x->bank != y->bank         ? (x->bank < y->bank ? -1 : 1)
           : x->line != y->line         ? (x->line < y->line ? -1 : 1)
                                        : 0;
}

/* Fails if two of the lines are in one place. */
static void expect_all_differ(gm_location *at, size_t count)
{
    qsort(at, count, sizeof *at, order);
    for (size_t k = 1; k < count; k++) {
        assert_true(order(&at[k - 1], &at[k]) != 0);
    }
}

/* Lines of neighbouring addresses, of a stride that is a power of two, and of some other: no two
 * have one bank and tag, and no two one address in a DRAM channel. */
static void hash_has_a_place_for_each_line(void **state)
{
    (void)state;
    enum { LINES = 30000 };
    static const uint64_t strides[] = {1, 32, 4096, 77};
    gm_location *tag = calloc(LINES, sizeof *tag);
    gm_location *place = calloc(LINES, sizeof *place);
    assert_non_null(tag);
    assert_non_null(place);
    for (size_t i = 0; i < sizeof hashed / sizeof hashed[0] * 4; i++) {
        gm_address_map map = hashed_map_of(&hashed[i / 4]);
        for (uint64_t k = 0; k < LINES; k++) {
            tag[k] = gm_address_map_locate(&map, 12345 + k * strides[i % 4]);
            place[k] = (gm_location){tag[k].partition, 0, gm_address_map_local(&map, tag[k])};
            assert_int_equal(place[k].line % hashed[i / 4].line, 0);
        }
        expect_all_differ(tag, LINES);
        expect_all_differ(place, LINES);
    }
    free(tag);
    free(place);
}

/* Strides of every power of two up to 2^20 lines: with 2^k banks every aligned group of them as
 * often; else the banks that have two of the next power of two's hashes twice as often as others.
 */
static void hash_balances(void **state)
{
    (void)state;
    enum { EACH = 64, UNITS = 128 };
    for (size_t i = 0; i < 6; i++) {
        gm_address_map map = hashed_map_of(&hashed[i]);
        uint64_t units = hashed[i].partitions * hashed[i].banks;
        uint64_t hashes = UINT64_C(1) << gm_log2_ceil(units);
        for (unsigned shift = 0; shift <= 20; shift++) {
            uint64_t count[UNITS] = {0};
            for (uint64_t k = 0; k < EACH * hashes; k++) {
                gm_location at = gm_address_map_locate(&map, k << shift);
                count[at.partition * hashed[i].banks + at.bank]++;
            }
            for (uint64_t unit = 0; unit < units; unit++) {
                uint64_t expected = unit < hashes - units ? 2 * EACH : EACH;
                if (hashes == units) {
                    assert_int_equal(count[unit], EACH);
                } else {
                    assert_in_range(count[unit], expected / 2, expected * 7 / 4);
                }
            }
        }
    }
}

/* By hand, from that simulator's matrices: with 64 banks, remainders by x^6 + x + 1 (67) of the
 * address without its offset, bank bit lowest. QV100: partition bits 8 to 12, bank bit 13, row from
 * 14; RTX3070, by x^5 + x^2 + 1 (37): bank bit 7, partition 8 to 11, bit 12 in no hash, row
 * from 13. 12 partitions of 2 banks: partition = block mod 12, 32 hashes modulo 24, row = block
 * / 12. */
static void hash_is_that_simulators(void **state)
{
    (void)state;
    static const struct {
        size_t machine;
        uint64_t address, unit; /* 2 * partition + bank */
    } rows[] = {
        {0, 0, 0},
        {0, 128, 0},             /* the offset in a block */
        {0, 256, 2},             /* x */
        {0, 1 << 12, 32},        /* x^5 */
        {0, 1 << 13, 1},         /* 1 */
        {0, 1 << 14, 3},         /* x^6 = x + 1 */
        {0, 1 << 15, 6},         /* x^7 = x^2 + x */
        {0, 1 << 19, 35},        /* x^11 = x^6 + x^5 = x^5 + x + 1 */
        {0, 3 << 13 | 256, 0},   /* 1 + (x + 1) + x */
        {1, 1 << 7, 1},          /* 1 */
        {1, 1 << 8, 2},          /* x */
        {1, 1 << 11, 16},        /* x^4 */
        {1, 1 << 12, 0},         /* in no hash */
        {1, 1 << 13, 5},         /* x^5 = x^2 + 1 */
        {1, 1 << 15, 20},        /* x^7 = x^4 + x^2 */
        {1, 1 << 16, 13},        /* x^8 = x^5 + x^3 = x^3 + x^2 + 1 */
        {3, 11 * 256, 22},       /* partition 11 of row 0 */
        {3, 12 * 256, 5},        /* partition 0 of row 1: x^5 = x^2 + 1 */
        {3, (12 + 9) * 256, 23}, /* 18 xor 5 */
        {3, (12 + 8) * 256, 21}, /* 16 xor 5 */
        {3, (24 + 9) * 256, 0},  /* x^6 = x^3 + x: 18 xor 10 = 24, the second of bank 0 */
        {3, (24 + 9) * 256 + 128, 1},
        {3, (24 + 5) * 256, 0}, /* 10 xor 10: the first of bank 0 */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gm_address_map map = hashed_map_of(&hashed[rows[i].machine]);
        gm_location at = gm_address_map_locate(&map, rows[i].address / 128);
        assert_int_equal(at.partition * 2 + at.bank, rows[i].unit);
    }
}

/* memory.partition_bits=1: of QV100's rows above, the hash takes row bit 0, address bit 14, and no
 * higher one; the map is still a bijection. */
static void hash_of_few_bits(void **state)
{
    (void)state;
    gm_config config;
    gm_error error;
    gm_address_map map;
    gm_config_defaults(&config);
    config.memory.partitions = 32;
    config.memory.banks = 2;
    config.memory.bank_interleave = 256;
    config.memory.partition_index = GM_PARTITION_IPOLY;
    config.memory.partition_bits = 1;
    test_ok(gm_address_map_init(&map, &config, &error), error);
    for (unsigned bit = 14; bit < 48; bit++) {
        uint64_t line = UINT64_C(1) << bit >> 7;
        gm_location at = gm_address_map_locate(&map, line);
        assert_int_equal(at.partition * 2 + at.bank, bit == 14 ? 3 : 0);
        assert_int_equal(gm_address_map_line(&map, at), line);
    }
}

/* A bank's bits go where they are said to lie: 2 banks of 256 bytes in blocks of 256 and 1,024
 * bytes. By hand. */
static void banks_take_turns(void **state)
{
    (void)state;
    static const struct {
        uint64_t interleave, address, partition, bank, line;
    } rows[] = {
        {256, 0, 0, 0, 0},     {256, 256, 1, 0, 0},        {256, 768, 0, 1, 0},
        {256, 1536, 0, 0, 2},  {256, 1536 + 128, 0, 0, 3}, {256, 2304, 0, 1, 2},
        {1024, 128, 0, 0, 1},  {1024, 256, 0, 1, 0},       {1024, 512, 0, 0, 2},
        {1024, 1024, 1, 0, 0}, {1024, 3072, 0, 0, 4},      {1024, 3072 + 384, 0, 1, 5},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const machine machine = {3, 2, rows[i].interleave, 256, 128, GM_PARTITION_LINEAR};
        gm_address_map map = hashed_map_of(&machine);
        gm_location at = gm_address_map_locate(&map, rows[i].address / 128);
        assert_int_equal(at.partition, rows[i].partition);
        assert_int_equal(at.bank, rows[i].bank);
        assert_int_equal(at.line, rows[i].line);
    }
}

static void refuses(void **state)
{
    (void)state;
    gm_config config;
    gm_error error;
    gm_address_map map;
    gm_config_defaults(&config);
    config.memory.interleave = 64; /* below l2.line */
    assert_int_equal(gm_address_map_init(&map, &config, &error), -EINVAL);
    gm_config_defaults(&config);
    config.memory.banks = 3;
    assert_int_equal(gm_address_map_init(&map, &config, &error), -EINVAL);
    gm_config_defaults(&config);
    config.l2.line = 96;
    assert_int_equal(gm_address_map_init(&map, &config, &error), -EINVAL);
    gm_config_defaults(&config);
    config.memory.bank_interleave = 64; /* below l2.line */
    assert_int_equal(gm_address_map_init(&map, &config, &error), -EINVAL);
}

/* 2 banks, rows of 1 KB: rows 0, 2, 4... in bank 0. By hand. */
static void rows_open_and_close(void **state)
{
    (void)state;
    static const struct {
        uint64_t address;
        uint64_t row_hits; /* so far */
    } steps[] = {{0, 0}, {128, 1}, {1024, 1}, {896, 2}, {1920, 3}, {2048, 3}, {0, 3}, {1024, 4}};
    gm_config config;
    gm_error error;
    gm_arena arena;
    gm_dram dram;
    gm_config_defaults(&config);
    config.dram.banks = 2;
    config.dram.row = 1024;
    test_ok(gm_arena_create(&arena, gm_dram_bytes(&config), &error), error);
    test_ok(gm_dram_init(&dram, &config, &arena, &error), error);
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        gm_dram_access(&dram, steps[i].address, 3, i % 2 == 1);
        assert_int_equal(dram.statistics.row_hits, steps[i].row_hits);
    }
    assert_int_equal(dram.statistics.requests, 8);
    assert_int_equal(dram.statistics.reads, 12);
    assert_int_equal(dram.statistics.writes, 12);
    assert_int_equal(dram.statistics.bytes, 24 * 32);
    config.dram.row = 100;
    assert_int_equal(gm_dram_init(&dram, &config, &arena, &error), -EINVAL);
    config.dram.row = 384;
    assert_int_equal(gm_dram_init(&dram, &config, &arena, &error), -EINVAL);
    assert_string_equal(error.text, "dram.row: 384: a power of two is needed");
    config.dram.banks = 3;
    assert_int_equal(gm_dram_init(&dram, &config, &arena, &error), -EINVAL);
    assert_string_equal(error.text, "dram.banks: 3: a power of two is needed");
    gm_arena_free(&arena);
}

/* 4 banks in pairs that pieces of 256 bytes alternate between, rows of 1 KB: bytes 0 to 2047 fill a
 * row each of banks 0 and 1, the next 2048 of banks 2 and 3. By hand. */
static void pieces_alternate_between_banks(void **state)
{
    (void)state;
    static const struct {
        uint64_t address, row;
        uint32_t bank, sector;
    } rows[] = {
        {0, 0, 0, 0},     {224, 0, 0, 7},   {256, 0, 1, 0},  {512, 0, 0, 8},
        {640, 0, 0, 12},  {1792, 0, 1, 24}, {2048, 0, 2, 0}, {2304, 0, 3, 0},
        {4064, 0, 3, 31}, {4096, 1, 0, 0},  {4352, 1, 1, 0}, {8192, 2, 0, 0},
    };
    gm_config config;
    gm_config_defaults(&config);
    config.dram.banks = 4;
    config.dram.row = 1024;
    config.dram.low_banks = 2;
    config.memory.interleave = 256;
    gm_dram_map map = gm_dram_map_make(&config);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gm_dram_place place = gm_dram_locate(&map, rows[i].address / 32);
        assert_int_equal(place.row, rows[i].row);
        assert_int_equal(place.bank, rows[i].bank);
        assert_int_equal(place.sector, rows[i].sector);
    }
}

/* As above with pieces of 128 bytes, which RTX3070's mapping has, and two rows a bank: bytes 4096
 * further are row 1, 8192 further row 0 again. By hand. */
static void small_pieces_and_few_rows(void **state)
{
    (void)state;
    static const struct {
        uint64_t address, row;
        uint32_t bank, sector;
    } rows[] = {
        {0, 0, 0, 0},    {96, 0, 0, 3},   {128, 0, 1, 0},   {256, 0, 0, 4},
        {384, 0, 1, 4},  {2048, 0, 2, 0}, {4096, 1, 0, 0},  {4224, 1, 1, 0},
        {8192, 0, 0, 0}, {8320, 0, 1, 0}, {12288, 1, 0, 0}, {1ULL << 40, 0, 0, 0},
    };
    gm_config config;
    gm_error error = {0};
    gm_config_defaults(&config);
    config.dram.banks = 4;
    config.dram.row = 1024;
    config.dram.low_banks = 2;
    config.dram.low_bytes = 128;
    config.dram.rows = 2;
    config.memory.interleave = 256;
    assert_int_equal(gm_dram_map_check(&config, &error), 0);
    gm_dram_map map = gm_dram_map_make(&config);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gm_dram_place place = gm_dram_locate(&map, rows[i].address / 32);
        assert_int_equal(place.row, rows[i].row);
        assert_int_equal(place.bank, rows[i].bank);
        assert_int_equal(place.sector, rows[i].sector);
    }
    config.dram.rows = 3;
    assert_int_equal(gm_dram_map_check(&config, &error), -EINVAL);
    assert_string_equal(error.text, "dram.rows: 3: 0 or a power of two is needed");
    config.dram.rows = 2;
    config.dram.low_bytes = 64;
    assert_int_equal(gm_dram_map_check(&config, &error), -EINVAL);
    assert_string_equal(error.text,
                        "dram.low_bytes: 64: a power of two, at least l2.line (128), is "
                        "needed");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(divides),
        cmocka_unit_test(inverts),
        cmocka_unit_test(leaves_no_gap),
        cmocka_unit_test(hash_inverts),
        cmocka_unit_test(hash_has_a_place_for_each_line),
        cmocka_unit_test(every_set_has_lines),
        cmocka_unit_test(bits_of_the_hash_reach_every_set),
        cmocka_unit_test(hash_balances),
        cmocka_unit_test(hash_is_that_simulators),
        cmocka_unit_test(hash_of_few_bits),
        cmocka_unit_test(banks_take_turns),
        cmocka_unit_test(refuses),
        cmocka_unit_test(rows_open_and_close),
        cmocka_unit_test(pieces_alternate_between_banks),
        cmocka_unit_test(small_pieces_and_few_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
