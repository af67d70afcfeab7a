/* What the text says of time, on a run with small numbers: every rate by hand. */
#include "report/text.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

static const gm_statistics small = {
    .core = {.warp_instructions = 500, .thread_instructions = 8000},
    .l1d = {.accesses = {700, 100, 0},
            .misses = {30, 10, 0},
            .fails_line = {120, 7, 0},
            .fails_mshr_entry = {4000, 0, 0},
            .fails_mshr_merge = {0, 0, 1}},
    .l2 = {.accesses = {50, 10, 4}, .misses = {15, 4, 1}, .fails_miss_queue = {50, 0, 0}},
    .dram = {.bytes = 64000},
    .time = {.cycles = 2000,
             .slots_issued = 500,
             .slots_memory = 2000,
             .slots_dependence = 1000,
             .slots_idle = 500,
             .loads = 300,
             .load_cycles = 45000,
             .l1_mshr_cycles = 6000,
             .l1_mshr_entries = 40,
             .warp_cycles = 90000,
             .occupied_cycles = 4000,
             .l2_mshr_cycles = 1000,
             .l2_mshr_entries = 20,
             .request_flits = 500,
             .reply_flits = 1500,
             .dram_activates = 33,
             .dram_bursts = 1000,
             .dram_busy = 2000,
             .dram_cycles = 15840},
};

static gm_config machine(void)
{
    gm_config config;
    gm_error error = {0};
    test_ok(gm_config_preset(&config, "gtx480", &error), error);
    config.clock.core = 700;
    config.clock.dram = 924;
    config.memory.partitions = 6;
    config.dram.burst = 64;
    config.dram.burst_cycles = 2;
    config.sm.warps = 48;
    return config;
}

/* 2000 cycles at 700 MHz are 2.857 us. 45000 / 300 = 150. 90000 / (4000 * 48) = 46.9%. Slots: 4000
 * in all. Accesses: 800 and 64, misses: 40 and 20 of 8000 thread instructions. Fails in 2 thousand
 * cycles: 127, 4000, 1; 50; 4128 in all of 2000 * 15 SMs. MSHRs: 6000 / 2000, 6000 / 40; 1000 /
 * 2000, 1000 / 20. 64000 bytes in 2.857 us are 22.4 GB/s; the peak is 6 * 64 bytes each 2 cycles of
 * 924 MHz, 177.408 GB/s; 2000 / 15840 = 12.6%. */
#define EXPECTED                                                                                   \
    "\nTime\n"                                                                                     \
    "  core cycles                      2,000   2.86 microseconds at 700 MHz\n"                    \
    "  IPC                               0.25   warp instructions a cycle\n"                       \
    "                                    4.00   thread instructions a cycle\n"                     \
    "  load latency                    150.00   core cycles from the coalescer to the data, on "   \
    "average\n"                                                                                    \
    "  occupancy                        46.9%%   of the warp slots of SMs that have a warp, on "   \
    "average\n"                                                                                    \
    "\nWhat the warp schedulers did, in scheduler cycles\n"                                        \
    "  issued                             500    12.5%%   %s\n"                                    \
    "  memory                           2,000    50.0%%   %s\n"                                    \
    "  dependence                       1,000    25.0%%   %s\n"                                    \
    "  idle                               500    12.5%%   %s\n"                                    \
    "\nContention [khairy, figure 4]\n"                                                            \
    "                                                     L1D              L2\n"                   \
    "  accesses per 1000 thread instructions           100.00            8.00\n"                   \
    "  misses per 1000 thread instructions               5.00            2.50\n"                   \
    "  reservation fails per 1000 cycles\n"                                                        \
    "    line allocation                                63.50            0.00\n"                   \
    "    MSHR entry                                  2,000.00            0.00\n"                   \
    "    MSHR merge                                      0.50            0.00\n"                   \
    "    miss queue                                      0.00           25.00\n"                   \
    "    L1 blocked, of the cycles of all SMs           13.8%%\n"                                  \
    "  MSHR entries in use, all together                 3.00            0.50\n"                   \
    "  core cycles that each is held                   150.00           50.00\n"                   \
    "\nBandwidth\n"                                                                                \
    "  DRAM                             22.40   GB/s, 12.6%% of the peak of 177.41\n"              \
    "  DRAM in use                      12.6%%   of the data buses' cycles, 1,000 bursts\n"        \
    "  DRAM rows opened                    33\n"                                                   \
    "  requests                          0.25   flits a core cycle, SMs to L2\n"                   \
    "  replies                           0.75   flits a core cycle, L2 to SMs\n"

/* What the list of counters says of a state. */
static const char *meaning_of(const char *slot)
{
#define COUNTER(name, unit, meaning)                                                               \
    if (strcmp(#name, slot) == 0) {                                                                \
        return meaning;                                                                            \
    }
    GM_SLOT_COUNTERS(COUNTER)
#undef COUNTER
    return "";
}

static void rates_are_right(void **state)
{
    (void)state;
    gm_config config = machine();
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    gm_text_time(file, &small, &config);
    assert_int_equal(fclose(file), 0);
    char expected[4096];
    snprintf(expected, sizeof expected, EXPECTED, meaning_of("slots_issued"),
             meaning_of("slots_memory"), meaning_of("slots_dependence"), meaning_of("slots_idle"));
    assert_string_equal(text, expected);
    free(text);
}

/* An L2 in two halves says which requests came from afar: 30 of 120. */
static void far_requests_are_told(void **state)
{
    (void)state;
    gm_config config = machine();
    config.l2.halves = 2;
    gm_statistics halves = small;
    halves.time.l2_near = 90;
    halves.time.l2_far = 30;
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    gm_text_time(file, &halves, &config);
    assert_int_equal(fclose(file), 0);
    const char *line = strstr(text, "  L2 requests from afar            25.0%   of all, from SMs ");
    assert_non_null(line);
    free(text);
}

/* A run in which nothing happened divides by nothing. */
static void nothing_is_a_dash(void **state)
{
    (void)state;
    static const gm_statistics nothing;
    gm_config config = machine();
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    gm_text_time(file, &nothing, &config);
    gm_text_time_sms(file, &nothing, 1);
    gm_energy_table energy;
    gm_error error;
    test_ok(gm_energy_read(&energy, &config, &error), error);
    const gm_report_run run = {.config = &config, .energy = &energy};
    gm_text_energy(file, &nothing, &run);
    assert_int_equal(fclose(file), 0);
    assert_non_null(strstr(text, "  IPC                                  -   warp"));
    assert_non_null(strstr(text, "  SM 0                   0               -               -  "));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rates_are_right),
                                       cmocka_unit_test(far_requests_are_told),
                                       cmocka_unit_test(nothing_is_a_dash)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
