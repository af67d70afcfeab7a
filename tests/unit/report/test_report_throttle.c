/* What the text says of throttled warps and of gates, on runs with small numbers: shares by hand,
 * gates that are alike in one line, limits that were found. */
#include "report/text.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

static gm_config machine(const char *throttle)
{
    gm_config config;
    gm_error error = {0};
    test_ok(gm_config_preset(&config, "gtx480", &error), error);
    test_ok(gm_config_set(&config, "sm.throttle", throttle, &error), error);
    return config;
}

/* Returns what is written of throttling; heap. */
static char *throttling(const gm_results *results, const gm_config *config)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    gm_text_throttling(file, results, config);
    assert_int_equal(fclose(file), 0);
    return text;
}

/* 250 of 400 + 100 + 250 + 250 scheduler cycles, 25.0% */
#define TIME                                                                                       \
    {                                                                                              \
        .slots_issued = 400, .slots_memory = 100, .slots_idle = 250, .slots_throttled = 250        \
    }
#define HELD                                                                                       \
    "  cycles held back                   250   25.0% of the scheduler cycles: no ready warp was " \
    "allowed to issue\n"

static void nothing_is_throttled(void **state)
{
    (void)state;
    const gm_results results = {0};
    const gm_config config = machine("none");
    char *text = throttling(&results, &config);
    assert_string_equal(text, "");
    free(text);
}

static void static_limit(void **state)
{
    (void)state;
    const gm_results results = {.total.time = TIME};
    gm_config config = machine("static");
    config.sm.limit = 3;
    config.sm.warps = 47; /* of two schedulers: 24 and 23 */
    char *text = throttling(&results, &config);
    assert_string_equal(text, "\nWarp throttling, a static limit\n"
                              "  limit                                3   of the 24 warps of a "
                              "scheduler\n" HELD);
    free(text);
}

static void ccws(void **state)
{
    (void)state;
    const gm_results results = {.total = {.time = TIME,
                                          .ccws = {.victims = 1000,
                                                   .probes = 800,
                                                   .hits = 200,
                                                   .hits_raised = 150,
                                                   .loads = 900,
                                                   .loads_held = 90}}};
    const gm_config config = machine("ccws");
    char *text = throttling(&results, &config);
    assert_string_equal(
        text, "\nWarp throttling, CCWS\n"
              "  victim tags                      1,000   of lines replaced in L1s\n"
              "  searches                           800   of them, by loads that miss\n"
              "  hits                               200   25.0% of the searches: lost locality\n"
              "    that raise a score               150   75.0% of the hits: a score above the "
              "base\n"
              "  loads held back                     90   10.0% of the loads\n" HELD);
    free(text);
}

static void sampling(void **state)
{
    (void)state;
    const gm_results results = {
        .total = {.time = TIME,
                  .sampling = {.periods = 10,
                               .periods_hot = 3,
                               .periods_limited = 4,
                               .samplings = 2,
                               .decided = 1,
                               .known = 1}},
        .choices = {.count = 4,
                    .choice = {{GM_SAMPLING_BEGINS, 1, 7, 30000},
                               {GM_SAMPLING_DROPPED, 0, 7, 40000},
                               {GM_SAMPLING_DECIDED, 13, 8, 90000},
                               {GM_SAMPLING_KNOWN, 13, 9, 1000000}}},
        .limits = {.count = 1,
                   .row = {{.name = "kernel_with_a_name_that_is_longer_than_39_letters",
                            .limit = 13,
                            .launches = 2,
                            .kernel = 8,
                            .cycle = 90000}}},
    };
    const gm_config config = machine("sampling");
    char *text = throttling(&results, &config);
    assert_string_equal(
        text,
        "\nWarp throttling, limits found by sampling SMs\n"
        "  sampling periods                    10   hot 30.0%, with a limit 40.0%\n"
        "  samplings                            2\n"
        "  limits found                         1\n"
        "  limits of earlier launches               1\n" HELD
        "  kernel 7, core cycle 30,000: hot, SMs are sampled\n"
        "  kernel 7, core cycle 40,000: sampling dropped, an SM has no warps\n"
        "  kernel 8, core cycle 90,000: limit 13, found\n"
        "  kernel 9, core cycle 1,000,000: hot, limit 13 of an earlier launch\n"
        "  name                                        limit  launches  found in   at core cycle\n"
        "  kernel_with_a_name_that_is_longer_than_        13         2         8          "
        "90,000\n");
    free(text);
}

enum { GATES = 70 };

/* Returns what is written of the gates of `sms` L1s, of which number i has closings[i] and first
 * closed at first[i]; heap. */
static char *l1_gates(gm_engine engine, const uint64_t *first, const uint64_t *closings,
                      uint32_t sms)
{
    gm_statistics per_sm[GATES] = {0};
    gm_results results = {.per_sm = per_sm};
    gm_config config = machine("none");
    config.gpu.sms = sms;
    config.l1.streaming = true;
    for (uint32_t i = 0; i < sms; i++) {
        gm_streaming_statistics *gate = &per_sm[i].l1_streaming;
        gate->periods_open = closings[i] == 0 ? 4 : 1;
        gate->periods_closed = closings[i] == 0 ? 0 : 3;
        gate->closings = closings[i];
        gate->openings = closings[i] == 0 ? 0 : closings[i] - 1;
        gate->first_closed = first[i];
        gate->loads_bypassed = 10 * closings[i];
        gm_statistics_add(&results.total, &per_sm[i]);
    }
    results.total.l1d.accesses[GM_LOAD] = 80;
    const gm_report_run run = {.config = &config, .engine = engine};
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    gm_text_l1_gates(file, &results, &run);
    gm_text_l2_gates(file, &results, &run); /* has none */
    assert_int_equal(fclose(file), 0);
    return text;
}

static void gates_that_are_alike_share_a_line(void **state)
{
    (void)state;
    static const uint64_t first[] = {20000, 20000, 10000, 0};
    static const uint64_t closings[] = {1, 1, 2, 0};
    char *text = l1_gates(GM_ENGINE_CYCLE, first, closings, 4);
    assert_string_equal(text, "\nGates of the L1s, streaming bypass\n"
                              "  sampling periods                    16   closed in 56.3%\n"
                              "  closings                             4   and 1 openings\n"
                              "  first closing at                10,000   core cycles of the run\n"
                              "  loads bypassed                      40   50.0% of the loads\n"
                              "  SM 0 to 1: first closed at 20,000, closings 1, openings 0\n"
                              "  SM 2: first closed at 10,000, closings 2, openings 1\n"
                              "  SM 3: never closed\n");
    free(text);
    text = l1_gates(GM_ENGINE_ORDER, first, closings, 4);
    assert_non_null(strstr(text, "10,000   accesses of that cache\n"));
    free(text);
}

static void many_gates_are_cut(void **state)
{
    (void)state;
    uint64_t first[GATES];
    uint64_t closings[GATES];
    for (uint64_t i = 0; i < GATES; i++) {
        first[i] = 10000 * (i / 2 + 1); /* 35 lines of two gates */
        closings[i] = 1;
    }
    char *text = l1_gates(GM_ENGINE_CYCLE, first, closings, GATES);
    assert_non_null(strstr(text, "  SM 62 to 63: first closed at 320,000, closings 1, openings 0\n"
                                 "  SM 64 to 69: in JSON, with --per-sm, --per-bank\n"));
    free(text);
    text = l1_gates(GM_ENGINE_CYCLE, first, closings, GATES - 6);
    assert_null(strstr(text, "in JSON"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_throttled),
        cmocka_unit_test(static_limit),
        cmocka_unit_test(ccws),
        cmocka_unit_test(sampling),
        cmocka_unit_test(gates_that_are_alike_share_a_line),
        cmocka_unit_test(many_gates_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
