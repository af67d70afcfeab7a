/* Places of lines in the instances of sharing trackers: each place is one line's, a line's sectors
 * are in its partition, and places follow one another as the lines of a partition do. */
#include "cache/tracker_map.h"
#include "support/support.h"

#include "goldmem/bits.h"

#include <errno.h>

static gm_config machine(test_random *random)
{
    static const gm_partition_index indices[] = {GM_PARTITION_LINEAR, GM_PARTITION_XOR,
                                                 GM_PARTITION_IPOLY};
    gm_config config;
    gm_error error;
    test_ok(gm_config_preset(&config, "kepler-hybrid", &error), error);
    config.memory.partitions = 1 + test_random_below(random, 12);
    config.memory.banks = UINT64_C(1) << test_random_below(random, 3);
    config.memory.interleave = UINT64_C(32) << test_random_below(random, 6);
    config.memory.partition_index = indices[test_random_below(random, 3)];
    config.l2.line = UINT64_C(32) << test_random_below(random, 3);
    config.memory.bank_interleave = test_random_below(random, 2) == 0 ? GM_LINE_EACH : 256;
    config.tracker.trackers = UINT64_C(1) << test_random_below(random, 3);
    return config;
}

static void places_are_lines(void **state)
{
    (void)state;
    enum { LINES = 2000 };
    test_random random = test_random_start(301);
    unsigned hashed = 0;
    unsigned divided = 0;
    for (unsigned round = 0; round < 400; round++) {
        gm_error error;
        gm_config config = machine(&random);
        gm_tracker_map map;
        if (gm_tracker_map_init(&map, &config, &error) < 0) {
            continue;
        }
        bool whole = config.memory.interleave >= config.l1.line;
        assert_int_equal(map.partitions, whole ? config.memory.partitions : 1);
        uint64_t base = test_random_next(&random) >> 20;
        for (uint64_t line = base; line < base + LINES / 10; line++) {
            gm_tracker_place place = gm_tracker_map_locate(&map, line);
            assert_true(place.partition < map.partitions);
            assert_true(place.line >> (64 - gm_log2_floor(config.l1.line)) == 0);
            assert_int_equal(gm_tracker_map_line(&map, place),
                             line); /* so no two lines share one */
            for (unsigned part = 0; map.partitions > 1 && part >> map.part_bits == 0; part++) {
                gm_location at = gm_address_map_locate(&map.map, (line << map.part_bits) + part);
                assert_int_equal(at.partition, place.partition);
            }
        }
        hashed += map.partitions > 1 && map.map.hashed;
        divided += map.partitions > 1;
    }
    assert_true(hashed > 20 && divided > 50);
}

/* 8 partitions of 256 bytes each in turn: lines 0, 1, 16, 17 are the first of partition 0. */
static void linear_places(void **state)
{
    (void)state;
    static const struct {
        uint64_t line;
        uint32_t partition;
        uint64_t place;
    } rows[] = {
        {0, 0, 0}, {1, 0, 1}, {2, 1, 0}, {15, 7, 1}, {16, 0, 2}, {17, 0, 3}, {1035, 5, 129},
    };
    gm_config config;
    gm_error error;
    gm_tracker_map map;
    test_ok(gm_config_preset(&config, "kepler-hybrid", &error), error);
    test_ok(gm_tracker_map_init(&map, &config, &error), error);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gm_tracker_place place = gm_tracker_map_locate(&map, rows[i].line);
        assert_int_equal(place.partition, rows[i].partition);
        assert_int_equal(place.line, rows[i].place);
    }
    assert_int_equal(gm_config_tracker_sets(&config), 128); /* 1024 in 8 partitions */
    config.memory.partitions = 6;
    assert_int_equal(gm_config_tracker_sets(&config), 128); /* 170, rounded down */
    config.tracker.trackers = 2;
    assert_int_equal(gm_config_tracker_sets(&config), 64);
    test_ok(gm_tracker_map_init(&map, &config, &error), error);
    assert_int_equal(gm_tracker_map_instance(&map, 7, 5), 5);
    assert_int_equal(gm_tracker_map_instance(&map, 8, 0), 6); /* SMs 8 to 15: the second tracker */
    config.memory.interleave = 64;                            /* a line in two partitions */
    assert_int_equal(gm_config_tracker_partitions(&config), 1);
    assert_int_equal(gm_config_tracker_sets(&config), 512);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_are_lines),
        cmocka_unit_test(linear_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
