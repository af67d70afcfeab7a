#include "support/report/report.h"

#include <stdlib.h>
#include <string.h>

enum { SMS = 2, PARTITIONS = 3, BANKS = 2 };

void test_statistics_fill(gm_statistics *statistics, uint64_t first)
{
    uint64_t counters[sizeof *statistics / sizeof(uint64_t)] = {0};
    for (size_t i = 0; i < sizeof counters / sizeof counters[0]; i++) {
        counters[i] = first + i;
    }
    memcpy(statistics, counters, sizeof counters);
    statistics->l2_bytes = (gm_l2_bytes_statistics){0};       /* l2.dirty=sector */
    statistics->l2_victim = (gm_l2_victim_statistics){0};     /* l2.victim=no */
    statistics->l2_bypassed = (gm_l2_bypassed_statistics){0}; /* the L2 is not bypassed */
    statistics->sharing = (gm_sharing_statistics){0};         /* sharing.enabled=no */
    statistics->traffic.vic = 0;
#define COUNTER(name, unit, meaning) statistics->tracker.name = 0;
    GM_TRACKER_VICTIM_COUNTERS(COUNTER)
#undef COUNTER
}

static void fill_all(gm_statistics *statistics, unsigned count, uint64_t first)
{
    for (unsigned i = 0; i < count; i++) {
        test_statistics_fill(&statistics[i], first + UINT64_C(1000) * i);
    }
}

char *test_report_of(gm_engine engine, gm_report_form form, unsigned kernels, bool per_unit,
                     const char *kernel_name, gm_analysis *analysis)
{
    return test_report_coherent(GM_COHERENCE_NONE, engine, form, kernels, per_unit, kernel_name,
                                analysis);
}

char *test_report_coherent(gm_coherence_protocol protocol, gm_engine engine, gm_report_form form,
                           unsigned kernels, bool per_unit, const char *kernel_name,
                           gm_analysis *analysis)
{
    gm_config config;
    gm_config_defaults(&config);
    config.coherence.protocol = protocol;
    config.gpu.sms = SMS;
    config.memory.partitions = PARTITIONS;
    config.memory.banks = BANKS;
    gm_statistics per_sm[SMS];
    gm_statistics per_bank[PARTITIONS * BANKS];
    gm_statistics per_partition[PARTITIONS];
    fill_all(per_sm, SMS, 200000);
    fill_all(per_bank, PARTITIONS * BANKS, 300000);
    fill_all(per_partition, PARTITIONS, 400000);
    gm_results results = {.kernels = kernels,
                          .per_sm = per_sm,
                          .per_bank = per_bank,
                          .per_partition = per_partition,
                          .analysis = analysis};
    test_statistics_fill(&results.total, 100000);
    gm_energy_table energy;
    gm_error unread;
    test_ok(gm_energy_read(&energy, &config, &unread), unread);
    const gm_report_run run = {.config = &config,
                               .energy = &energy,
                               .input = "some \"input\".g",
                               .engine = engine,
                               .per_sm = per_unit,
                               .per_bank = per_unit};
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    gm_report *report = NULL;
    gm_error error;
    test_ok(gm_report_open(&report, form, file, &run, &error), error);
    gm_kernel kernel = {.id = 7, .grid = {4, 5, 6}, .block = {32, 2, 1}};
    snprintf(kernel.name, sizeof kernel.name, "%s", kernel_name);
    for (unsigned i = 0; i < kernels; i++) {
        gm_statistics statistics;
        test_statistics_fill(&statistics, UINT64_C(1000) * (i * 7 % kernels + 1));
        const gm_kernel_details details = {
            .analysis = analysis != NULL ? gm_analysis_read_kernel(analysis) : NULL};
        test_ok(gm_report_kernel(report, &kernel, &statistics, &details, &error), error);
    }
    test_ok(gm_report_end(report, &results, &error), error);
    gm_report_free(report);
    assert_int_equal(fclose(file), 0);
    return text;
}

char *test_report(gm_report_form form, unsigned kernels, bool per_unit, const char *kernel_name,
                  gm_analysis *analysis)
{
    return test_report_of(GM_ENGINE_ORDER, form, kernels, per_unit, kernel_name, analysis);
}
