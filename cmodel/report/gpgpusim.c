/* GPGPU-Sim's text: the lines that Accel-Sim's get_stats.py reads, by the names and in the units of
 * GPGPU-Sim, after each kernel. Lines with "tot" and all of caches and DRAM count from the run's
 * beginning, as there. docs/from-accel-sim.md says what each is here. */
#include "report/fields.h"
#include "report/report_form.h"

#include <inttypes.h>
#include <time.h>

/* GPGPU-Sim's kinds of access. It counts atomics as reads. */
typedef enum kind { GLOBAL_ACC_R, GLOBAL_ACC_W, INST_ACC_R, KINDS } kind;

static const char *const kind_names[KINDS] = {"GLOBAL_ACC_R", "GLOBAL_ACC_W", "INST_ACC_R"};

static uint64_t of_kind(const uint64_t counter[GM_ACCESS_KINDS], kind kind)
{
    switch (kind) {
    case GLOBAL_ACC_W:
        return counter[GM_STORE];
    case INST_ACC_R:
        return counter[GM_INSTRUCTION];
    default:
        return counter[GM_LOAD] + counter[GM_ATOMIC];
    }
}

/* A cache's counters of a kind under GPGPU-Sim's names. */
typedef struct outcomes {
    uint64_t hit, pending, miss, sector_miss;
    uint64_t line, entry, merge, queue; /* reasons of reservation fails */
} outcomes;

static outcomes outcomes_of(const gm_cache_statistics *cache, kind kind)
{
    return (outcomes){
        .hit = of_kind(cache->hits, kind),
        .pending = of_kind(cache->hits_pending, kind),
        .miss = of_kind(cache->misses, kind) - of_kind(cache->sector_misses, kind) +
                of_kind(cache->bypasses, kind),
        .sector_miss = of_kind(cache->sector_misses, kind),
        .line = of_kind(cache->fails_line, kind),
        .entry = of_kind(cache->fails_mshr_entry, kind),
        .merge = of_kind(cache->fails_mshr_merge, kind),
        .queue = of_kind(cache->fails_miss_queue, kind) + of_kind(cache->fails_bypass_queue, kind),
    };
}

static uint64_t accesses(const outcomes *of)
{
    return of->hit + of->pending + of->miss + of->sector_miss;
}

static uint64_t fails(const outcomes *of)
{
    return of->line + of->entry + of->merge + of->queue;
}

/* Returns part / whole, 0 if there is no whole. */
static double ratio(uint64_t part, uint64_t whole)
{
    return whole == 0 ? 0 : (double)part / (double)whole;
}

/* Writes "L1D_total_cache_accesses" and what follows it. */
static void cache_totals(FILE *file, const char *name, const gm_cache_statistics *cache)
{
    outcomes all = {0};
    uint64_t failed = 0;
    for (unsigned kind = 0; kind < KINDS; kind++) {
        const outcomes of = outcomes_of(cache, kind);
        all.hit += of.hit;
        all.pending += of.pending;
        all.miss += of.miss + of.sector_miss;
        failed += fails(&of);
    }
    fprintf(file, "%s_total_cache_accesses = %" PRIu64 "\n", name, accesses(&all));
    fprintf(file, "%s_total_cache_misses = %" PRIu64 "\n", name, all.miss);
    if (accesses(&all) != 0) {
        fprintf(file, "%s_total_cache_miss_rate = %.4f\n", name, ratio(all.miss, accesses(&all)));
    }
    fprintf(file, "%s_total_cache_pending_hits = %" PRIu64 "\n", name, all.pending);
    fprintf(file, "%s_total_cache_reservation_fails = %" PRIu64 "\n", name, failed);
}

static void count(FILE *file, const char *name, kind kind, const char *status, uint64_t value)
{
    fprintf(file, "\t%s[%s][%s] = %" PRIu64 "\n", name, kind_names[kind], status, value);
}

/* Writes the outcomes of each kind, with the totals last. */
static void breakdown(FILE *file, const char *name, const gm_cache_statistics *cache)
{
    for (unsigned kind = 0; kind < KINDS; kind++) {
        const outcomes of = outcomes_of(cache, kind);
        count(file, name, kind, "HIT", of.hit);
        count(file, name, kind, "HIT_RESERVED", of.pending);
        count(file, name, kind, "MISS", of.miss);
        count(file, name, kind, "RESERVATION_FAIL", fails(&of));
        count(file, name, kind, "SECTOR_MISS", of.sector_miss);
        count(file, name, kind, "MSHR_HIT", of.pending);
    }
    for (unsigned kind = 0; kind < KINDS; kind++) {
        const outcomes of = outcomes_of(cache, kind);
        if (accesses(&of) != 0) {
            count(file, name, kind, "TOTAL_ACCESS", accesses(&of));
        }
    }
}

/* Writes why reservations failed; the two names with ENRTY are GPGPU-Sim's. */
static void fail_breakdown(FILE *file, const char *name, const gm_cache_statistics *cache)
{
    for (unsigned kind = 0; kind < KINDS; kind++) {
        const outcomes of = outcomes_of(cache, kind);
        const struct {
            const char *name;
            uint64_t value;
        } reason[] = {{"LINE_ALLOC_FAIL", of.line},
                      {"MISS_QUEUE_FULL", of.queue},
                      {"MSHR_ENRTY_FAIL", of.entry},
                      {"MSHR_MERGE_ENRTY_FAIL", of.merge}};
        for (unsigned i = 0; i < sizeof reason / sizeof reason[0]; i++) {
            if (reason[i].value != 0) {
                count(file, name, kind, reason[i].name, reason[i].value);
            }
        }
    }
}

/* Writes the caches and DRAM. */
static void memory(FILE *file, const gm_statistics *total)
{
    fputs("\n========= Core cache stats =========\nL1D_cache:\n", file);
    cache_totals(file, "\tL1D", &total->l1d);
    fputs("\nTotal_core_cache_stats:\n", file);
    breakdown(file, "Total_core_cache_stats_breakdown", &total->l1d);
    fputs("\nTotal_core_cache_fail_stats:\n", file);
    fail_breakdown(file, "Total_core_cache_fail_stats_breakdown", &total->l1d);
    fprintf(file, "gpgpu_n_tot_thrd_icount = %" PRIu64 "\n", total->core.thread_instructions);
    fprintf(file, "gpgpu_n_tot_w_icount = %" PRIu64 "\n", total->core.warp_instructions);
    fprintf(file, "total dram reads = %" PRIu64 "\n", total->dram.reads);
    fprintf(file, "total dram writes = %" PRIu64 "\n", total->dram.writes);
    fputs("\n========= L2 cache stats =========\n", file);
    cache_totals(file, "L2", &total->l2);
    fputs("L2_total_cache_breakdown:\n", file);
    breakdown(file, "L2_cache_stats_breakdown", &total->l2);
    fputs("L2_total_cache_reservation_fail_breakdown:\n", file);
    fail_breakdown(file, "L2_cache_stats_fail_breakdown", &total->l2);
}

/* Returns the share of warp slots that have warps, in SMs and cycles that have any, in percent. */
static double occupancy(const gm_statistics *statistics, const gm_config *config)
{
    const gm_time_statistics *time = &statistics->time;
    return 100 * ratio(time->warp_cycles, time->occupied_cycles * config->sm.warps);
}

/* Returns the data that the L2 sends SMs for loads, in GB/s. */
static double l2_bandwidth(const gm_statistics *statistics, const gm_config *config)
{
    return ratio(statistics->traffic.ld * config->clock.core, statistics->time.cycles * 1000);
}

/* Writes what the SMs did; `machine`: also what all kernels share. */
static void cores(const gm_report *report, const gm_statistics *kernel, bool machine)
{
    FILE *file = report->file;
    const gm_config *config = report->run.config;
    const gm_statistics *total = &report->total;
    uint64_t lanes = kernel->core.thread_instructions;
    uint64_t all_lanes = total->core.thread_instructions;
    bool timed = report->run.engine == GM_ENGINE_CYCLE;
    if (timed) {
        fprintf(file, "gpu_sim_cycle = %" PRIu64 "\n", kernel->time.cycles);
    }
    fprintf(file, "gpu_sim_insn = %" PRIu64 "\n", lanes);
    if (timed) {
        fprintf(file, "gpu_ipc = %12.4f\n", ratio(lanes, kernel->time.cycles));
        fprintf(file, "gpu_tot_sim_cycle = %" PRIu64 "\n", total->time.cycles);
    }
    fprintf(file, "gpu_tot_sim_insn = %" PRIu64 "\n", all_lanes);
    if (timed) {
        fprintf(file, "gpu_tot_ipc = %12.4f\n", ratio(all_lanes, total->time.cycles));
    }
    fprintf(file, "gpu_tot_issued_cta = %" PRIu64 "\n", total->core.ctas);
    if (timed && machine) {
        fprintf(file, "gpu_occupancy = %.4f%% \n", occupancy(kernel, config));
        fprintf(file, "gpu_tot_occupancy = %.4f%% \n", occupancy(total, config));
        fprintf(file, "L2_BW  = %12.4f GB/Sec\n", l2_bandwidth(kernel, config));
        fprintf(file, "L2_BW_total  = %12.4f GB/Sec\n", l2_bandwidth(total, config));
    }
}

/* Writes how long the simulation took, in whole seconds and at least 1, as GPGPU-Sim does. */
static void speed(const gm_report *report)
{
    FILE *file = report->file;
    time_t elapsed = time(NULL) - report->began;
    uint64_t seconds = elapsed < 1 ? 1 : (uint64_t)elapsed;
    uint64_t minutes = seconds / 60;
    uint64_t hours = minutes / 60;
    fprintf(file,
            "\n\ngpgpu_simulation_time = %" PRIu64 " days, %" PRIu64 " hrs, %" PRIu64
            " min, %" PRIu64 " sec (%" PRIu64 " sec)\n",
            hours / 24, hours % 24, minutes % 60, seconds % 60, seconds);
    fprintf(file, "gpgpu_simulation_rate = %" PRIu64 " (inst/sec)\n",
            report->total.core.thread_instructions / seconds);
    uint64_t rate = report->total.time.cycles / seconds;
    if (report->run.engine == GM_ENGINE_CYCLE) {
        fprintf(file, "gpgpu_simulation_rate = %" PRIu64 " (cycle/sec)\n", rate);
    }
    if (rate != 0) {
        fprintf(file, "gpgpu_silicon_slowdown = %" PRIu64 "x\n",
                report->run.config->clock.core * 1000000 / rate);
    }
}

static int begin(gm_report *report, gm_error *error)
{
    (void)error;
    report->began = time(NULL);
    fprintf(report->file, "goldmem %s [build %s], in the words of GPGPU-Sim\n", GM_VERSION,
            GM_VERSION);
    return 0;
}

static int kernel(gm_report *report, const gm_kernel *kernel, const gm_statistics *statistics,
                  const gm_kernel_details *details, gm_error *error)
{
    (void)details;
    (void)error;
    bool overlapped = gm_field_is_overlapped(report->run.config, statistics);
    report->overlapped |= overlapped;
    gm_statistics_add(&report->total, statistics);
    fprintf(report->file, "kernel_name = %s \nkernel_launch_uid = %" PRIu64 " \n", kernel->name,
            report->number + 1);
    cores(report, statistics, !overlapped);
    if (!overlapped) {
        memory(report->file, &report->total);
        speed(report);
    }
    return 0;
}

static int end(gm_report *report, const gm_results *results, gm_error *error)
{
    (void)error;
    if (report->overlapped) {
        report->total = results->total;
        cores(report, &results->total, true);
        memory(report->file, &results->total);
        speed(report);
    }
    gm_stop_reason reason = gm_report_stopped(report);
    if (reason != GM_STOP_NONE && reason != GM_STOP_ASKED && report->run.stop->in_kernel) {
        fputs("GPGPU-Sim: ** break due to reaching the maximum cycles (or instructions) **\n",
              report->file);
    }
    if (reason != GM_STOP_ASKED) {
        fputs("GPGPU-Sim: *** exit detected ***\n", report->file);
    }
    return 0;
}

const gm_report_operations gm_report_gpgpusim = {begin, kernel, end};
