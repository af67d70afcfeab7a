/* Analyses: hands each access to those that the run has turned on. */
#include "goldmem/analysis.h"

#include "analysis/analysis_snapshot.h"
#include "analysis/fills.h"
#include "analysis/locality.h"
#include "analysis/misses.h"
#include "analysis/mrc.h"
#include "analysis/reuse.h"
#include "analysis/sharing.h"
#include "goldmem/engine.h"

#include <errno.h>
#include <stdlib.h>

struct gm_analysis {
    gm_analysis_results results;
    gm_locality locality[GM_LEVELS];
    gm_reuse reuse;
    gm_reuse entering;
    gm_misses misses[GM_LEVELS];
    gm_mrc mrc[GM_LEVELS];
    gm_sharing sharing;
    gm_fills fills[GM_LEVELS];
};

static uint64_t lines_of(uint64_t size, uint64_t units, uint64_t line)
{
    return size == GM_UNBOUNDED ? GM_UNBOUNDED : size / units / line;
}

/* Curves of L1s in which a unified size changes from kernel to kernel have no configured point. */
static int create_curves(gm_analysis *analysis, const gm_config *config)
{
    gm_mrc_results *l1 = &analysis->results.mrc[GM_LEVEL_L1];
    gm_mrc_results *l2 = &analysis->results.mrc[GM_LEVEL_L2];
    bool l1_constant = config->l1.unified == 0 && config->l1.size != GM_UNBOUNDED;
    *l1 = (gm_mrc_results){.caches = config->gpu.sms, .line_bytes = config->l1.line};
    *l2 = (gm_mrc_results){.caches = 1, .line_bytes = config->l2.line};
    l1->configured.lines = l1_constant ? config->l1.size / config->l1.line : 0;
    l2->configured.lines = config->l2.size != GM_UNBOUNDED ? config->l2.size / config->l2.line : 0;
    int code = gm_mrc_create(&analysis->mrc[GM_LEVEL_L1], l1);
    return code | gm_mrc_create(&analysis->mrc[GM_LEVEL_L2], l2);
}

static int create_parts(gm_analysis *analysis, const gm_config *config)
{
    gm_analysis_results *results = &analysis->results;
    uint64_t sms = config->gpu.sms;
    uint64_t banks = config->memory.partitions * config->memory.banks;
    int code = 0;
    if (results->kinds & GM_ANALYZE_LOCALITY) {
        code |= gm_locality_create(&analysis->locality[GM_LEVEL_L1], sms,
                                   &results->locality[GM_LEVEL_L1]);
        code |= gm_locality_create(&analysis->locality[GM_LEVEL_L2], 1,
                                   &results->locality[GM_LEVEL_L2]);
    }
    if (results->kinds & GM_ANALYZE_REUSE) {
        code |= gm_reuse_create(&analysis->reuse, sms, &results->reuse);
        code |= gm_reuse_create(&analysis->entering, sms, &results->entering);
    }
    if (results->kinds & GM_ANALYZE_MISSES) {
        code |= gm_misses_create(
            &analysis->misses[GM_LEVEL_L1], sms,
            lines_of(config->l1.unified != 0 ? config->l1.unified : config->l1.size, 1,
                     config->l1.line),
            &results->misses[GM_LEVEL_L1]);
        code |= gm_misses_create(&analysis->misses[GM_LEVEL_L2], banks,
                                 lines_of(config->l2.size, banks, config->l2.line),
                                 &results->misses[GM_LEVEL_L2]);
    }
    if (results->kinds & GM_ANALYZE_MRC) {
        code |= create_curves(analysis, config);
    }
    if (results->kinds & GM_ANALYZE_SHARING) {
        code |=
            gm_sharing_create(&analysis->sharing, sms, &results->sharing, &results->kernel_sharing);
    }
    if (results->kinds & GM_ANALYZE_FILLS) {
        code |=
            gm_fills_create(&analysis->fills[GM_LEVEL_L1], sms, sms, &results->fills[GM_LEVEL_L1]);
        code |=
            gm_fills_create(&analysis->fills[GM_LEVEL_L2], 1, sms, &results->fills[GM_LEVEL_L2]);
    }
    return code;
}

static int out_of_memory(gm_error *error)
{
    return gm_fail(error, -ENOMEM, "out of memory for the analyses' tables");
}

int gm_analysis_create(gm_analysis **analysis, const gm_config *config, unsigned kinds,
                       gm_error *error)
{
    *analysis = calloc(1, sizeof **analysis);
    if (*analysis == NULL) {
        return out_of_memory(error);
    }
    (*analysis)->results.kinds = kinds;
    if (create_parts(*analysis, config) != 0) {
        gm_analysis_free(*analysis);
        *analysis = NULL;
        return out_of_memory(error);
    }
    return 0;
}

void gm_analysis_sample_mrc(gm_analysis *analysis, const gm_mrc_sampling *sampling)
{
    for (unsigned level = 0; level < GM_LEVELS; level++) {
        gm_mrc_sample(&analysis->mrc[level], sampling);
    }
}

int gm_analysis_l1_access(gm_analysis *analysis, const gm_analysis_access *access, gm_error *error)
{
    unsigned kinds = analysis->results.kinds;
    int code = 0;
    if (kinds & GM_ANALYZE_LOCALITY) {
        code |= gm_locality_access(&analysis->locality[GM_LEVEL_L1], access->sm, access);
    }
    if (kinds & GM_ANALYZE_REUSE) {
        code |= gm_reuse_access(&analysis->reuse, access);
        code |= access->bypass ? 0 : gm_reuse_access(&analysis->entering, access);
    }
    if (kinds & GM_ANALYZE_MISSES) {
        code |= gm_misses_access(&analysis->misses[GM_LEVEL_L1], access);
    }
    if (kinds & GM_ANALYZE_MRC) {
        code |= gm_mrc_access(&analysis->mrc[GM_LEVEL_L1], access->sm, access->line);
    }
    if (kinds & GM_ANALYZE_SHARING) {
        code |= gm_sharing_access(&analysis->sharing, access);
    }
    if (kinds & GM_ANALYZE_FILLS) {
        code |= gm_fills_access(&analysis->fills[GM_LEVEL_L1], access->sm, access);
    }
    return code == 0 ? 0 : out_of_memory(error);
}

int gm_analysis_l2_access(gm_analysis *analysis, const gm_analysis_access *access, gm_error *error)
{
    unsigned kinds = analysis->results.kinds;
    int code = 0;
    if ((kinds & GM_ANALYZE_LOCALITY) && access->origin == GM_ORIGIN_WARP) {
        code |= gm_locality_access(&analysis->locality[GM_LEVEL_L2], 0, access);
    }
    if (kinds & GM_ANALYZE_MISSES) {
        code |= gm_misses_access(&analysis->misses[GM_LEVEL_L2], access);
    }
    if ((kinds & GM_ANALYZE_MRC) && access->origin != GM_ORIGIN_COPY) {
        code |= gm_mrc_access(&analysis->mrc[GM_LEVEL_L2], 0, access->line);
    }
    if ((kinds & GM_ANALYZE_FILLS) && access->origin == GM_ORIGIN_WARP) {
        code |= gm_fills_access(&analysis->fills[GM_LEVEL_L2], 0, access);
    }
    return code == 0 ? 0 : out_of_memory(error);
}

void gm_analysis_l1_fill(gm_analysis *analysis, uint32_t sm, uint64_t line, uint64_t cycle)
{
    if (analysis->results.kinds & GM_ANALYZE_FILLS) {
        gm_fills_fill(&analysis->fills[GM_LEVEL_L1], sm, line, cycle);
    }
}

void gm_analysis_l2_fill(gm_analysis *analysis, uint64_t line, uint64_t cycle)
{
    if (analysis->results.kinds & GM_ANALYZE_FILLS) {
        gm_fills_fill(&analysis->fills[GM_LEVEL_L2], 0, line, cycle);
    }
}

void gm_analysis_l1_drop(gm_analysis *analysis, uint32_t sm, uint64_t line)
{
    if (analysis->results.kinds & GM_ANALYZE_MISSES) {
        gm_misses_drop(&analysis->misses[GM_LEVEL_L1], sm, line);
    }
}

void gm_analysis_l1_flush(gm_analysis *analysis, uint32_t sm)
{
    if (analysis->results.kinds & GM_ANALYZE_MISSES) {
        gm_misses_flush(&analysis->misses[GM_LEVEL_L1], sm);
    }
    if (analysis->results.kinds & GM_ANALYZE_MRC) {
        gm_mrc_flush(&analysis->mrc[GM_LEVEL_L1], sm);
    }
}

void gm_analysis_l1_resize(gm_analysis *analysis, uint64_t lines)
{
    if (analysis->results.kinds & GM_ANALYZE_MISSES) {
        analysis->misses[GM_LEVEL_L1].capacity = lines;
    }
}

int gm_analysis_kernel_end(gm_analysis *analysis, uint64_t kernel, gm_error *error)
{
    int code = 0;
    if (analysis->results.kinds & GM_ANALYZE_SHARING) {
        code = gm_sharing_kernel_end(&analysis->sharing, kernel);
    }
    for (unsigned level = 0; (analysis->results.kinds & GM_ANALYZE_FILLS) && level < GM_LEVELS;
         level++) {
        gm_fills_kernel_end(&analysis->fills[level], kernel);
    }
    return code == 0 ? 0 : out_of_memory(error);
}

void gm_analysis_keep_kernels(gm_analysis *analysis)
{
    analysis->sharing.keeps = (analysis->results.kinds & GM_ANALYZE_SHARING) != 0;
}

void gm_analysis_recall_kernel(gm_analysis *analysis, uint64_t place)
{
    if (analysis->sharing.keeps) {
        gm_sharing_recall(&analysis->sharing, place);
    }
}

const gm_analysis_results *gm_analysis_read(gm_analysis *analysis)
{
    if (analysis->results.kinds & GM_ANALYZE_REUSE) {
        gm_reuse_read(&analysis->reuse);
        gm_reuse_read(&analysis->entering);
    }
    for (unsigned level = 0; (analysis->results.kinds & GM_ANALYZE_MRC) && level < GM_LEVELS;
         level++) {
        gm_mrc_read(&analysis->mrc[level]);
    }
    return &analysis->results;
}

const gm_analysis_results *gm_analysis_read_kernel(gm_analysis *analysis)
{
    return &analysis->results;
}

/* Those that the run has not turned on have no state. */
void gm_analysis_snapshot(gm_analysis *analysis, gm_snapshot *snapshot)
{
    unsigned kinds = analysis->results.kinds;
    for (unsigned level = 0; level < GM_LEVELS; level++) {
        if (kinds & GM_ANALYZE_LOCALITY) {
            gm_locality_snapshot(&analysis->locality[level], snapshot);
        }
        if (kinds & GM_ANALYZE_MISSES) {
            gm_misses_snapshot(&analysis->misses[level], snapshot);
        }
        if (kinds & GM_ANALYZE_MRC) {
            gm_mrc_snapshot(&analysis->mrc[level], snapshot);
        }
        if (kinds & GM_ANALYZE_FILLS) {
            gm_fills_snapshot(&analysis->fills[level], snapshot);
        }
    }
    if (kinds & GM_ANALYZE_REUSE) {
        gm_reuse_snapshot(&analysis->reuse, snapshot);
        gm_reuse_snapshot(&analysis->entering, snapshot);
    }
    if (kinds & GM_ANALYZE_SHARING) {
        gm_sharing_snapshot(&analysis->sharing, snapshot);
    }
}

void gm_analysis_free(gm_analysis *analysis)
{
    if (analysis == NULL) {
        return;
    }
    for (unsigned level = 0; level < GM_LEVELS; level++) {
        gm_locality_free(&analysis->locality[level]);
        gm_misses_free(&analysis->misses[level]);
        gm_mrc_free(&analysis->mrc[level]);
        gm_fills_free(&analysis->fills[level]);
    }
    gm_reuse_free(&analysis->reuse);
    gm_reuse_free(&analysis->entering);
    gm_sharing_free(&analysis->sharing);
    free(analysis);
}
