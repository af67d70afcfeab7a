/* The address map is a bijection, spreads blocks round-robin, and divides without dividing. */
#include "cache/address_map.h"
#include "cache/dram.h"
#include "support/support.h"

#include <errno.h>

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(divides),
        cmocka_unit_test(inverts),
        cmocka_unit_test(leaves_no_gap),
        cmocka_unit_test(refuses),
        cmocka_unit_test(rows_open_and_close),
        cmocka_unit_test(pieces_alternate_between_banks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
