/* JSON read back with jansson: every name of the schema, with the value of its counter. */
#include "goldmem/engine.h"
#include "support/report/report.h"

#include <jansson.h>
#include <string.h>

static json_t *parse(char *text)
{
    json_error_t error;
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    if (root == NULL) {
        fail_msg("line %d: %s", error.line, error.text);
    }
    free(text);
    return root;
}

/* root.a.b.c for "a.b.c" */
static const json_t *at(const json_t *root, const char *path)
{
    char copy[128];
    snprintf(copy, sizeof copy, "%s", path);
    for (char *part = strtok(copy, "."); part != NULL; part = strtok(NULL, ".")) {
        root = json_object_get(root, part);
    }
    return root;
}

static uint64_t count_at(const json_t *root, const char *path)
{
    const json_t *value = at(root, path);
    if (!json_is_integer(value)) {
        fail_msg("%s is not there, or no integer", path);
    }
    return (uint64_t)json_integer_value(value);
}

static uint64_t all(const uint64_t counter[GM_ACCESS_KINDS])
{
    return counter[0] + counter[1] + counter[2] + counter[3];
}

/* The names that system.md, "Output", promises; a cache's three kinds are written beside. */
static void check_cache(const json_t *cache, const gm_cache_statistics *expected)
{
    const struct {
        const char *name;
        const uint64_t *counter;
    } rows[] = {
        {"accesses", expected->accesses},
        {"hits", expected->hits},
        {"hits_pending", expected->hits_pending},
        {"misses", expected->misses},
        {"bypasses", expected->bypasses},
        {"evictions", expected->evictions},
        {"reservation_fails.line", expected->fails_line},
        {"reservation_fails.mshr_entry", expected->fails_mshr_entry},
        {"reservation_fails.mshr_merge", expected->fails_mshr_merge},
        {"reservation_fails.miss_queue", expected->fails_miss_queue},
        {"reservation_fails.bypass_queue", expected->fails_bypass_queue},
        {"sector_misses", expected->sector_misses},
        {"write_backs", expected->write_backs},
        {"invalidations", expected->invalidations},
        {"sectors_filled", expected->sectors_filled},
        {"sectors_stored", expected->sectors_stored},
        {"sectors_written_back", expected->sectors_written_back},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(count_at(cache, rows[i].name), all(rows[i].counter));
        assert_int_equal(count_at(at(cache, "load"), rows[i].name), rows[i].counter[GM_LOAD]);
        assert_int_equal(count_at(at(cache, "store"), rows[i].name), rows[i].counter[GM_STORE]);
        assert_int_equal(count_at(at(cache, "atomic"), rows[i].name), rows[i].counter[GM_ATOMIC]);
    }
}

static void check_statistics(const json_t *object, uint64_t first)
{
    gm_statistics expected;
    test_statistics_fill(&expected, first);
    const struct {
        const char *name;
        uint64_t value;
    } rows[] = {
        {"warp_instructions", expected.core.warp_instructions},
        {"thread_instructions", expected.core.thread_instructions},
        {"memory_instructions", expected.core.memory_instructions},
        {"shared_conflicts", expected.core.shared_conflicts},
        {"dram.reads", expected.dram.reads},
        {"dram.writes", expected.dram.writes},
        {"dram.row_hits", expected.dram.row_hits},
        {"dram.bytes", expected.dram.bytes},
        {"traffic_bytes.ld", expected.traffic.ld},
        {"traffic_bytes.st", expected.traffic.st},
        {"traffic_bytes.ato", expected.traffic.ato},
        {"traffic_bytes.req", expected.traffic.req},
        {"traffic_bytes.inv", expected.traffic.inv},
        {"traffic_bytes.rcl", expected.traffic.rcl},
        {"dueling.intervals_sampled", expected.dueling.intervals_sampled},
        {"dueling.decisions", expected.dueling.decisions},
        {"dueling.decisions_decoupled", expected.dueling.decisions_decoupled},
        {"dueling.loads_sampled", expected.dueling.loads_sampled},
        {"dueling.loads_decoupled", expected.dueling.loads_decoupled},
        {"dueling.loads_conventional", expected.dueling.loads_conventional},
        {"copies", expected.copies},
        {"copy_bytes", expected.copy_bytes},
        {"l2_dirty_sectors", expected.l2_dirty_sectors},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(count_at(object, rows[i].name), rows[i].value);
    }
    check_cache(at(object, "l1d"), &expected.l1d);
    check_cache(at(object, "l2"), &expected.l2);
    assert_null(at(object, "cycles")); /* the order engine has none */
    assert_null(at(object, "time"));
}

static void has_every_member(void **state)
{
    (void)state;
    json_t *root = parse(test_report(GM_REPORT_JSON, 2, true, "k<\"1\">", NULL));
    assert_int_equal(count_at(root, "schema"), 1);
    assert_string_equal(json_string_value(at(root, "version")), GM_VERSION);
    assert_string_equal(json_string_value(at(root, "engine")), "order");
    assert_string_equal(json_string_value(at(root, "input")), "some \"input\".g");
    const json_t *kernels = at(root, "kernels");
    assert_int_equal(json_array_size(kernels), 2);
    for (size_t i = 0; i < 2; i++) {
        const json_t *kernel = json_array_get(kernels, i);
        assert_string_equal(json_string_value(at(kernel, "name")), "k<\"1\">");
        assert_int_equal(count_at(kernel, "id"), 7);
        assert_int_equal(json_integer_value(json_array_get(at(kernel, "grid"), 1)), 5);
        assert_int_equal(json_integer_value(json_array_get(at(kernel, "block"), 0)), 32);
        check_statistics(kernel, 1000 * (i + 1));
    }
    check_statistics(at(root, "total"), 100000);
    json_decref(root);
}

/* The cycle engine's: `cycles` beside the others, the rest under `time`, of each unit as well. */
static void has_time(void **state)
{
    (void)state;
    char *text = test_report_of(GM_ENGINE_CYCLE, GM_REPORT_JSON, 1, true, "k", NULL);
    json_t *root = parse(text);
    assert_string_equal(json_string_value(at(root, "engine")), "cycle");
    gm_statistics expected;
    test_statistics_fill(&expected, 1000);
    const json_t *kernel = json_array_get(at(root, "kernels"), 0);
    const struct {
        const char *name;
        uint64_t value;
    } rows[] = {
        {"cycles", expected.time.cycles},
        {"time.slots.issued", expected.time.slots_issued},
        {"time.slots.memory", expected.time.slots_memory},
        {"time.slots.dependence", expected.time.slots_dependence},
        {"time.slots.unit", expected.time.slots_unit},
        {"time.slots.memory_unit", expected.time.slots_memory_unit},
        {"time.slots.barrier", expected.time.slots_barrier},
        {"time.slots.fence", expected.time.slots_fence},
        {"time.slots.idle", expected.time.slots_idle},
        {"time.loads", expected.time.loads},
        {"time.load_cycles", expected.time.load_cycles},
        {"time.l1_mshr_cycles", expected.time.l1_mshr_cycles},
        {"time.l1_mshr_entries", expected.time.l1_mshr_entries},
        {"time.warp_cycles", expected.time.warp_cycles},
        {"time.occupied_cycles", expected.time.occupied_cycles},
        {"time.l2_mshr_cycles", expected.time.l2_mshr_cycles},
        {"time.l2_mshr_entries", expected.time.l2_mshr_entries},
        {"time.request_flits", expected.time.request_flits},
        {"time.reply_flits", expected.time.reply_flits},
        {"time.dram_activates", expected.time.dram_activates},
        {"time.dram_precharges", expected.time.dram_precharges},
        {"time.dram_bursts", expected.time.dram_bursts},
        {"time.dram_busy", expected.time.dram_busy},
        {"time.dram_cycles", expected.time.dram_cycles},
        {"time.dram_refreshes", expected.time.dram_refreshes},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(count_at(kernel, rows[i].name), rows[i].value);
    }
    assert_int_equal(json_object_size(at(kernel, "time")) - 1 + 8 + 1, 25); /* slots are 8 */
    test_statistics_fill(&expected, 201000);
    const json_t *sm = json_array_get(at(root, "per_sm"), 1);
    assert_int_equal(count_at(sm, "time.load_cycles"), expected.time.load_cycles);
    assert_null(at(sm, "time.dram_busy"));
    assert_null(at(sm, "cycles"));
    assert_null(at(sm, "energy_pj"));
    const json_t *bank = json_array_get(at(root, "per_bank"), 0);
    assert_int_equal(json_object_size(at(bank, "time")), 2);
    const json_t *partition = json_array_get(at(root, "per_partition"), 0);
    assert_int_equal(json_object_size(at(partition, "time")), 6);
    json_decref(root);
}

/* By component; leakage goes with cycles. The values: test_energy.c. */
static void has_energy(void **state)
{
    (void)state;
    static const char *const names[] = {"energy_pj.l1d", "energy_pj.l2", "energy_pj.interconnect",
                                        "energy_pj.dram", "energy_pj.tracker"};
    for (gm_engine engine = GM_ENGINE_ORDER; engine <= GM_ENGINE_CYCLE; engine++) {
        json_t *root = parse(test_report_of(engine, GM_REPORT_JSON, 1, false, "k", NULL));
        const json_t *total = at(root, "total");
        for (size_t i = 0; i < 5; i++) {
            assert_true(count_at(total, names[i]) > 0);
        }
        /* (reads + writes) * 4480 pJ [anssari, Table 4.3] */
        assert_int_equal(count_at(total, names[3]),
                         (count_at(total, "dram.reads") + count_at(total, "dram.writes")) * 4480);
        assert_int_equal(at(total, "energy_pj.leakage") != NULL, engine == GM_ENGINE_CYCLE);
        json_decref(root);
    }
}

/* Of the configuration, which has 2 of the table's 16 L1s and no trackers: 5.76 and 1.25 mm^2,
 * 170.38 and 211.24 mW [anssari, Table 4.3]. */
static void has_area_and_leakage(void **state)
{
    (void)state;
    json_t *root = parse(test_report(GM_REPORT_JSON, 0, false, "k", NULL));
    assert_int_equal(count_at(root, "chip.area_um2.l1d"), 720000);
    assert_int_equal(count_at(root, "chip.area_um2.tracker"), 0);
    assert_int_equal(count_at(root, "chip.area_um2.l2"), 1250000);
    assert_int_equal(count_at(root, "chip.leakage_uw.l1d"), 21297);
    assert_int_equal(count_at(root, "chip.leakage_uw.tracker"), 0);
    assert_int_equal(count_at(root, "chip.leakage_uw.l2"), 211240);
    json_decref(root);
}

/* Of a kernel and of the total; those of time go with cycles. The values: test_rates.c. */
static void has_rates(void **state)
{
    (void)state;
    for (gm_engine engine = GM_ENGINE_ORDER; engine <= GM_ENGINE_CYCLE; engine++) {
        json_t *root = parse(test_report_of(engine, GM_REPORT_JSON, 1, false, "k", NULL));
        const json_t *kernel = json_array_get(at(root, "kernels"), 0);
        const json_t *rows[] = {kernel, at(root, "total")};
        for (size_t i = 0; i < 2; i++) {
            double instructions = (double)count_at(rows[i], "thread_instructions");
            double expected = 1e6 * (double)count_at(rows[i], "l2.misses") / instructions;
            assert_float_equal((double)count_at(rows[i], "rates.l2_misses"), expected, 0.5);
            assert_int_equal(at(rows[i], "rates.stalls.line") != NULL, engine == GM_ENGINE_CYCLE);
        }
        json_decref(root);
    }
}

static void check_units(const json_t *units, size_t expected, const char *number_name)
{
    assert_int_equal(json_array_size(units), expected);
    for (size_t i = 0; i < expected; i++) {
        assert_int_equal(count_at(json_array_get(units, i), number_name), i);
    }
}

static void has_units_on_request(void **state)
{
    (void)state;
    json_t *root = parse(test_report(GM_REPORT_JSON, 1, true, "k", NULL));
    check_units(at(root, "per_sm"), 2, "sm");
    check_units(at(root, "per_bank"), 6, "bank");
    check_units(at(root, "per_partition"), 3, "partition");
    gm_statistics expected;
    test_statistics_fill(&expected, 201000);
    const json_t *sm = json_array_get(at(root, "per_sm"), 1);
    check_cache(at(sm, "l1d"), &expected.l1d);
    assert_int_equal(count_at(sm, "warps"), expected.core.warps);
    assert_null(at(sm, "l2"));
    test_statistics_fill(&expected, 305000);
    check_cache(at(json_array_get(at(root, "per_bank"), 5), "l2"), &expected.l2);
    test_statistics_fill(&expected, 402000);
    assert_int_equal(count_at(json_array_get(at(root, "per_partition"), 2), "dram.bytes"),
                     expected.dram.bytes);
    json_decref(root);
    root = parse(test_report(GM_REPORT_JSON, 1, false, "k", NULL));
    assert_null(at(root, "per_sm"));
    assert_null(at(root, "per_bank"));
    json_decref(root);
}

/* "config" has every key of the table and no other; --set takes each value back as it is. */
static void has_every_config_key(void **state)
{
    (void)state;
    json_t *root = parse(test_report(GM_REPORT_JSON, 0, false, "k", NULL));
    assert_int_equal(json_array_size(at(root, "kernels")), 0);
    const json_t *config = json_object_get(root, "config");
    unsigned count = 0;
    const gm_key *keys = gm_config_keys(&count);
    assert_int_equal(json_object_size(config), count);
    for (unsigned i = 0; i < count; i++) {
        const json_t *value = json_object_get(config, keys[i].name);
        char text[GM_CONFIG_TEXT];
        if (json_is_integer(value)) {
            snprintf(text, sizeof text, "%lld", (long long)json_integer_value(value));
        } else {
            snprintf(text, sizeof text, "%s",
                     json_is_true(value)    ? "yes"
                     : json_is_false(value) ? "no"
                                            : json_string_value(value));
        }
        gm_config again;
        gm_config_defaults(&again);
        gm_error error;
        test_ok(gm_config_set(&again, keys[i].name, text, &error), error);
    }
    assert_int_equal(json_integer_value(json_object_get(config, "gpu.sms")), 2);
    json_decref(root);
}

static void survives_names_that_are_not_utf8(void **state)
{
    (void)state;
    json_t *root = parse(test_report(GM_REPORT_JSON, 1, false, "caf\xe9", NULL));
    const json_t *kernel = json_array_get(at(root, "kernels"), 0);
    assert_string_equal(json_string_value(at(kernel, "name")), "caf?");
    json_decref(root);
}

/* One access: each analysis has its member, and the numbers that follow from it. */
static void has_the_analyses(void **state)
{
    (void)state;
    gm_config config;
    gm_config_defaults(&config);
    gm_analysis *analysis = NULL;
    gm_error error;
    test_ok(gm_analysis_create(&analysis, &config, GM_ANALYZE_ALL, &error), error);
    const gm_analysis_access access = {.line = 3, .lanes = 1, .sectors = 1, .fills = 15};
    test_ok(gm_analysis_l1_access(analysis, &access, &error), error);
    test_ok(gm_analysis_l1_access(analysis, &access, &error), error);
    test_ok(gm_analysis_kernel_end(analysis, 0, &error), error);
    json_t *root = parse(test_report(GM_REPORT_JSON, 1, false, "k", analysis));
    const json_t *results = at(root, "analysis");
    assert_int_equal(count_at(results, "locality.l1d.unbounded.intra_thread"), 1);
    assert_int_equal(count_at(results, "locality.l1d.bounded.intra_thread"), 0);
    assert_int_equal(count_at(results, "locality.l1d.first"), 1);
    assert_int_equal(count_at(results, "locality.l2.accesses"), 0);
    assert_int_equal(count_at(results, "reuse.accesses_once"), 0);
    const json_t *bucket = json_array_get(at(results, "reuse.references"), 0);
    assert_int_equal(count_at(bucket, "low"), 2);
    assert_int_equal(count_at(bucket, "high"), 2);
    assert_int_equal(count_at(bucket, "count"), 1);
    assert_int_equal(count_at(results, "misses.l1d.compulsory"), 1);
    assert_int_equal(count_at(results, "misses.l1d.conflict"), 1);
    assert_int_equal(count_at(results, "misses.l1d.unbounded_misses"), 1);
    assert_int_equal(count_at(results, "misses.l2.capacity"), 0);
    assert_int_equal(count_at(results, "mrc.l1d.accesses"), 2);
    assert_int_equal(count_at(results, "mrc.l1d.sampled"), 2);
    assert_int_equal(count_at(results, "mrc.l1d.rate_of_16777216"), 1 << 24);
    assert_int_equal(count_at(results, "mrc.l1d.cold"), 1);
    assert_int_equal(count_at(results, "mrc.l1d.configured.lines"), 128);
    assert_int_equal(count_at(results, "mrc.l1d.configured.misses"), 1);
    assert_int_equal(json_array_size(at(results, "mrc.l1d.curve")), 1);
    bucket = json_array_get(at(results, "mrc.l1d.curve"), 0);
    assert_int_equal(count_at(bucket, "lines"), 1);
    assert_int_equal(count_at(bucket, "bytes"), 128);
    assert_int_equal(count_at(bucket, "misses"), 1);
    assert_int_equal(count_at(results, "mrc.l2.cold"), 0);
    assert_int_equal(count_at(results, "mrc.l2.caches"), 1);
    assert_int_equal(count_at(results, "sharing.lines"), 1);
    assert_int_equal(json_array_size(at(results, "sharing.by_sms")), 16);
    const json_t *kernel = at(json_array_get(at(root, "kernels"), 0), "analysis");
    assert_int_equal(count_at(kernel, "sharing.lines"), 1);
    assert_null(at(kernel, "reuse"));
    json_decref(root);
    gm_analysis_free(analysis);
}

/* Three accesses to a line, of which the second passes by. */
static void has_what_enters_apart(void **state)
{
    (void)state;
    gm_config config;
    gm_config_defaults(&config);
    gm_analysis *analysis = NULL;
    gm_error error;
    test_ok(gm_analysis_create(&analysis, &config, GM_ANALYZE_REUSE, &error), error);
    for (unsigned i = 0; i < 3; i++) {
        const gm_analysis_access access = {.line = 3, .bypass = i == 1};
        test_ok(gm_analysis_l1_access(analysis, &access, &error), error);
    }
    json_t *root = parse(test_report(GM_REPORT_JSON, 0, false, "k", analysis));
    const json_t *reuse = at(root, "analysis.reuse");
    assert_int_equal(count_at(reuse, "accesses"), 3);
    assert_int_equal(count_at(reuse, "entering.accesses"), 2);
    assert_int_equal(count_at(reuse, "entering.lines"), 1);
    const json_t *bucket = json_array_get(at(reuse, "entering.distances"), 0);
    assert_int_equal(count_at(bucket, "low"), 0);
    assert_int_equal(count_at(bucket, "count"), 1);
    json_decref(root);
    char *text = test_report(GM_REPORT_TEXT, 0, false, "k", analysis);
    assert_non_null(strstr(text, "What enters the L1Ds: all but bypasses\n"
                                 "  accesses                             2   66.7%\n"
                                 "  lines                                1   100.0%\n"));
    assert_non_null(strstr(text, "Reuse distance in what enters\n"));
    free(text);
    gm_analysis_free(analysis);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_every_member),
        cmocka_unit_test(has_units_on_request),
        cmocka_unit_test(has_every_config_key),
        cmocka_unit_test(survives_names_that_are_not_utf8),
        cmocka_unit_test(has_the_analyses),
        cmocka_unit_test(has_what_enters_apart),
        cmocka_unit_test(has_time),
        cmocka_unit_test(has_energy),
        cmocka_unit_test(has_area_and_leakage),
        cmocka_unit_test(has_rates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
