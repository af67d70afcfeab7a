/* Text report: the input and the machine, the kernels, then each level from the warps down to DRAM.
 */
#include "report/text.h"

#include "report/fields.h"
#include "report/report_form.h"

#include <inttypes.h>
#include <string.h>

static uint64_t sum(const uint64_t *counter)
{
    return counter[GM_LOAD] + counter[GM_STORE] + counter[GM_ATOMIC] + counter[GM_INSTRUCTION];
}

static uint64_t hits(const gm_cache_statistics *cache)
{
    return sum(cache->hits) + sum(cache->hits_pending);
}

static bool is_timed(const gm_report *report)
{
    return report->run.engine == GM_ENGINE_CYCLE;
}

static void write_stop(const gm_report *report)
{
    FILE *file = report->file;
    const gm_stop *stop = report->run.stop;
    gm_stop_reason reason = gm_report_stopped(report);
    if (reason == GM_STOP_NONE) {
        return;
    }
    char number[GM_NUMBER_TEXT];
    if (reason == GM_STOP_ASKED) {
        fprintf(file, "  %-14s interrupted", "PARTIAL");
    } else if (reason == GM_STOP_CYCLES) {
        fprintf(file, "  %-14s at the limit of %s core cycles", "stopped",
                gm_text_number(report->run.max_cycles, number));
    } else {
        fprintf(file, "  %-14s at the limit of %s thread instructions", "stopped",
                gm_text_number(report->run.max_instructions, number));
    }
    fprintf(file, ", %s kernel %" PRIu64, stop->in_kernel ? "in" : "before",
            gm_report_stop_kernel(report));
    if (is_timed(report)) {
        fprintf(file, ", after %s core cycles", gm_text_number(stop->cycles, number));
    }
    fputs(reason == GM_STOP_ASKED && report->run.max_cycles + report->run.max_instructions == 0
              ? "; instructions are all those of the CTAs that have begun\n"
              : "\n",
          file);
}

/* Prints nothing: the text is written at the end of the run. */
static int begin(gm_report *report, gm_error *error)
{
    (void)report;
    (void)error;
    return 0;
}

/* Keeps the kernels with most warp instructions; of equal ones, the earlier. */
static int kernel_seen(gm_report *report, const gm_kernel *kernel, const gm_statistics *statistics,
                       const gm_kernel_details *details, gm_error *error)
{
    (void)details;
    (void)error;
    uint64_t held = report->kernels < GM_TOP_KERNELS ? report->kernels : GM_TOP_KERNELS;
    uint64_t at = held;
    while (at > 0 && report->top[at - 1].statistics.core.warp_instructions <
                         statistics->core.warp_instructions) {
        at--;
    }
    if (at == GM_TOP_KERNELS) {
        return 0;
    }
    memmove(&report->top[at + 1], &report->top[at], (held - at) * sizeof report->top[0]);
    report->top[at] = (gm_kernel_row){.number = report->number, .statistics = *statistics};
    snprintf(report->top[at].name, sizeof report->top[at].name, "%.*s",
             (int)sizeof report->top[at].name - 1, kernel->name);
    return 0;
}

/* Writes the end of a row of the kernels' table. `bytes` of the L1: with l1.unified. */
static void write_cycles(const gm_report *report, const char *bytes, const char *cycles)
{
    if (report->run.config->l1.unified != 0) {
        fprintf(report->file, " %12s", bytes);
    }
    if (is_timed(report)) {
        fprintf(report->file, " %15s", cycles);
    }
}

/* Writes the end of a row with gpu.kernels above 1. */
static void write_overlap(const gm_report *report, const gm_overlap_statistics *overlap)
{
    char number[2][GM_NUMBER_TEXT];
    if (is_timed(report) && report->run.config->gpu.kernels > 1) {
        fprintf(report->file, " %15s %6s %10" PRIu64, gm_text_number(overlap->began, number[0]),
                gm_text_number(overlap->beside, number[1]), overlap->stream);
    }
    fputc('\n', report->file);
}

/* True if rows of kernels end with their CTAs' cycles. */
static bool has_ctas(const gm_report *report)
{
    return is_timed(report) && report->run.config->gpu.cta != GM_CTA_RR;
}

/* Writes the cycles of a kernel's CTAs, the mean rounded to the nearest. */
static void write_ctas(const gm_report *report, const gm_cta_statistics *cta)
{
    char number[3][GM_NUMBER_TEXT];
    if (has_ctas(report)) {
        uint64_t mean = cta->ended == 0 ? 0 : (cta->cycles + cta->ended / 2) / cta->ended;
        fprintf(report->file, " %5" PRIu64 " %15s %15s %15s", cta->sms,
                gm_text_number(cta->least, number[0]), gm_text_number(mean, number[1]),
                gm_text_number(cta->most, number[2]));
    }
}

/* Writes the heading of such ends of rows. */
static void write_overlap_heading(const gm_report *report)
{
    if (has_ctas(report)) {
        fprintf(report->file, " %5s %15s %15s %15s", "SMs", "CTA cycles least", "mean", "most");
    }
    if (is_timed(report) && report->run.config->gpu.kernels > 1) {
        fprintf(report->file, " %15s %6s %10s", "begins after", "beside", "stream");
    }
    fputc('\n', report->file);
}

/* Writes what a kernel has of the caches and DRAM; with others beside it that is not known. */
static void write_memory(FILE *file, const gm_statistics *row, bool overlapped)
{
    char number[2][GM_NUMBER_TEXT];
    char share[2][GM_NUMBER_TEXT];
    if (overlapped) {
        fprintf(file, " %15s %7s %7s %15s", "*", "*", "*", "*");
        return;
    }
    fprintf(file, " %15s %7s %7s %15s", gm_text_number(sum(row->l1d.accesses), number[0]),
            gm_text_share(hits(&row->l1d), sum(row->l1d.accesses), share[0]),
            gm_text_share(hits(&row->l2), sum(row->l2.accesses), share[1]),
            gm_text_number(row->dram.bytes, number[1]));
}

static void write_kernels(const gm_report *report)
{
    FILE *file = report->file;
    uint64_t shown = report->kernels < GM_TOP_KERNELS ? report->kernels : GM_TOP_KERNELS;
    char number[4][GM_NUMBER_TEXT];
    if (shown < report->kernels) {
        fprintf(file, "\nKernels: %s; the %d with most warp instructions\n",
                gm_text_number(report->kernels, number[0]), GM_TOP_KERNELS);
    } else {
        gm_text_heading(file, "Kernels");
    }
    fprintf(file, "  %6s %-39s %9s %15s %15s %7s %7s %15s", "number", "name", "CTAs", "warp instr.",
            "L1D accesses", "L1D hit", "L2 hit", "DRAM bytes");
    write_cycles(report, "L1D bytes", "core cycles");
    write_overlap_heading(report);
    bool beside = false;
    for (uint64_t i = 0; i < shown; i++) {
        const gm_statistics *row = &report->top[i].statistics;
        fprintf(file, "  %6" PRIu64 " %-39s %9s %15s", report->top[i].number, report->top[i].name,
                gm_text_number(row->core.ctas, number[0]),
                gm_text_number(row->core.warp_instructions, number[1]));
        bool overlapped = gm_field_is_overlapped(report->run.config, row);
        write_memory(file, row, overlapped);
        write_cycles(report, gm_text_number(row->unified.l1_bytes, number[2]),
                     gm_text_number(row->time.cycles, number[3]));
        write_ctas(report, &row->cta);
        write_overlap(report, &row->overlap);
        beside = beside || overlapped;
    }
    if (beside) {
        fputs("  *: counted for the run only, since the kernel ran beside others\n", file);
    }
}

static void write_core(FILE *file, const gm_core_statistics *core)
{
    char note[128];
    char share[GM_NUMBER_TEXT];
    char gpu[GM_NUMBER_TEXT];
    gm_text_heading(file, "Instructions");
    gm_text_count(file, "CTAs", core->ctas, NULL);
    gm_text_count(file, "warps", core->warps, NULL);
    gm_text_count(file, "warp instructions", core->warp_instructions, NULL);
    snprintf(note, sizeof note, "%s of 32 lanes active",
             gm_text_share(core->thread_instructions, core->warp_instructions * 32, share));
    gm_text_count(file, "thread instructions", core->thread_instructions, note);
    snprintf(note, sizeof note, "%s of warp instructions",
             gm_text_share(core->memory_instructions, core->warp_instructions, share));
    gm_text_count(file, "memory instructions", core->memory_instructions, note);
    gm_text_count(file, "  global", core->global_instructions, NULL);
    gm_text_count(file, "  local", core->local_instructions, NULL);
    snprintf(note, sizeof note, "bank conflicts add %s",
             gm_text_share(core->shared_conflicts, core->shared_accesses, share));
    gm_text_count(file, "  shared", core->shared_instructions,
                  core->shared_accesses != 0 ? note : NULL);
    gm_text_count(file, "  atomic", core->atomic_instructions, NULL);
    gm_text_count(file, "barriers", core->barriers, NULL);
    snprintf(note, sizeof note, "%s of GPU, %s of system scope",
             gm_text_number(core->fences_gpu, gpu), gm_text_number(core->fences_sys, share));
    gm_text_count(file, "fences", core->fences, core->fences != 0 ? note : NULL);
}

/* Writes a row of a level's table. Hits of lines in flight have a column in runs of the cycle
 * engine only; in the order engine no line is in flight. */
static void write_cache_row(const gm_report *report, const char *label,
                            const gm_cache_statistics *cache, uint64_t (*of)(const uint64_t *))
{
    char number[6][GM_NUMBER_TEXT];
    char rate[GM_NUMBER_TEXT];
    uint64_t pending = of(cache->hits_pending);
    uint64_t found = of(cache->hits) + pending;
    uint64_t accesses = of(cache->accesses);
    fprintf(report->file, "  %-8s %15s %15s", label, gm_text_number(accesses, number[0]),
            gm_text_number(of(cache->hits), number[1]));
    if (is_timed(report)) {
        fprintf(report->file, " %15s", gm_text_number(pending, number[2]));
    }
    fprintf(report->file, " %15s %8s %15s %15s\n", gm_text_number(of(cache->misses), number[3]),
            gm_text_share(found, accesses, rate), gm_text_number(of(cache->bypasses), number[4]),
            gm_text_number(of(cache->evictions), number[5]));
}

static void write_cache_heading(const gm_report *report)
{
    fprintf(report->file, "  %-8s %15s %15s", "", "accesses", "hits");
    if (is_timed(report)) {
        fprintf(report->file, " %15s", "pending hits");
    }
    fprintf(report->file, " %15s %8s %15s %15s\n", "misses", "hit rate", "bypasses", "evictions");
}

static uint64_t of_loads(const uint64_t *counter)
{
    return counter[GM_LOAD];
}

static uint64_t of_stores(const uint64_t *counter)
{
    return counter[GM_STORE];
}

static uint64_t of_atomics(const uint64_t *counter)
{
    return counter[GM_ATOMIC];
}

static uint64_t of_instructions(const uint64_t *counter)
{
    return counter[GM_INSTRUCTION];
}

static void write_level(const gm_report *report, const char *title,
                        const gm_cache_statistics *cache)
{
    gm_text_heading(report->file, title);
    write_cache_heading(report);
    write_cache_row(report, "loads", cache, of_loads);
    write_cache_row(report, "stores", cache, of_stores);
    write_cache_row(report, "atomics", cache, of_atomics);
    if (report->run.config->l1i.size != 0 && of_instructions(cache->accesses) != 0) {
        write_cache_row(report, "instr.", cache, of_instructions);
    }
    write_cache_row(report, "all", cache, sum);
}

static void write_l1i(FILE *file, const gm_l1i_statistics *l1i)
{
    char text[GM_NUMBER_TEXT];
    char note[128];
    gm_text_heading(file, "L1I, look-ups of fetches");
    gm_text_count(file, "look-ups", l1i->accesses, NULL);
    gm_text_count(file, "hits", l1i->hits, gm_text_share(l1i->hits, l1i->accesses, text));
    gm_text_count(file, "pending hits", l1i->hits_pending, "the line was in flight");
    snprintf(note, sizeof note, "%s core cycles until the line is there, on average",
             gm_text_ratio(l1i->fill_cycles, l1i->misses, text));
    gm_text_count(file, "misses", l1i->misses, note);
    gm_text_count(file, "fails", l1i->fails, "no MSHR entry, or no place in one");
    gm_text_count(file, "evictions", l1i->evictions, NULL);
}

static void write_tracker(const gm_report *report, const gm_tracker_statistics *tracker)
{
    FILE *file = report->file;
    char note[128];
    char share[GM_NUMBER_TEXT];
    gm_text_heading(file, "Sharing trackers");
    gm_text_count(file, "look-ups", tracker->lookups, "of loads that missed or passed an L1");
    snprintf(note, sizeof note, "%s of look-ups supplied by another L1",
             gm_text_share(tracker->remote_hits, tracker->lookups, share));
    gm_text_count(file, "remote hits", tracker->remote_hits, note);
    gm_text_count(file, "remote misses", tracker->remote_misses,
                  "the other L1 had not the sectors");
    if (is_timed(report)) {
        gm_text_count(file, "refused", tracker->refused,
                      "of look-ups whose supplier had others to answer");
        gm_text_count(file, "held", tracker->held,
                      "stores and the like, by look-ups of their line");
    }
    if (tracker->asks != 0) {
        gm_text_count(file, "asks", tracker->asks, "of other trackers, for a sharer");
        gm_text_count(file, "hits of other trackers", tracker->ask_hits, NULL);
    }
    gm_text_count(file, "evicts", tracker->evicts, "clean lines that left an L1");
    gm_text_count(file, "of last sharers", tracker->last_sharer_evicts, NULL);
    if (tracker->victims != 0) {
        gm_text_count(file, "sent to the L2", tracker->victims, "of these: the L2's victims");
    }
    gm_text_count(file, "entries dropped", tracker->dropped, "for another line");
}

static void write_coalesced(FILE *file, const gm_l2_coalesced_statistics *coalesced)
{
    char note[128];
    char share[GM_NUMBER_TEXT];
    gm_text_heading(file, "L2, reads that fill an L1");
    gm_text_count(file, "reads", coalesced->reads, NULL);
    snprintf(note, sizeof note, "%s of them, served as any other",
             gm_text_share(coalesced->present, coalesced->reads, share));
    gm_text_count(file, "line present", coalesced->present, note);
    snprintf(note, sizeof note, "%s of them, from DRAM to the L1",
             gm_text_share(coalesced->bypassed, coalesced->reads, share));
    gm_text_count(file, "bypassed", coalesced->bypassed, note);
    if (coalesced->joined != 0) {
        gm_text_count(file, "joined one in flight", coalesced->joined, NULL);
    }
}

static void write_victims(FILE *file, const gm_l2_victim_statistics *victim)
{
    char note[128];
    char share[GM_NUMBER_TEXT];
    gm_text_heading(file, "L2, victims of the L1s");
    gm_text_count(file, "lines received", victim->lines, "of last sharers");
    snprintf(note, sizeof note, "%s of them took a way",
             gm_text_share(victim->inserted, victim->lines, share));
    gm_text_count(file, "inserted", victim->inserted, note);
    gm_text_count(file, "present", victim->present, "the L2 has the line");
    if (victim->refused != 0) {
        gm_text_count(file, "refused", victim->refused, "no way or queue place was free");
    }
    gm_text_count(file, "moved to an L1", victim->moved, "clean lines that left the L2");
}

static void write_atomic_buffer(FILE *file, const gm_atomic_buffer_statistics *buffer)
{
    char note[128];
    char share[GM_NUMBER_TEXT];
    uint64_t operations = buffer->hits + buffer->taken + buffer->in_place;
    gm_text_heading(file, "Atomic buffers of the L2 banks");
    gm_text_count(file, "atomics", operations - buffer->loads, "line requests");
    if (buffer->loads != 0) {
        gm_text_count(file, "strong loads", buffer->loads, "line requests");
    }
    snprintf(note, sizeof note, "%s", gm_text_share(buffer->hits, operations, share));
    gm_text_count(file, "hits", buffer->hits, note);
    gm_text_count(file, "lines taken", buffer->taken, "from the L2");
    if (buffer->in_place != 0) {
        gm_text_count(file, "in place", buffer->in_place, "on lines that remained in the L2");
    }
    gm_text_count(file, "put back", buffer->put_for_atomics, "for another line");
    gm_text_count(file, "put back", buffer->put_for_accesses, "before another access to the line");
    gm_text_count(file, "put back", buffer->put_at_ends, "at the end of a kernel");
}

static void write_sharing(FILE *file, const gm_sharing_statistics *sharing)
{
    char note[128];
    char share[GM_NUMBER_TEXT];
    uint64_t installed = sharing->l1_fills_private + sharing->l1_fills_shared;
    uint64_t fills = installed + sharing->l1_fills_bypassed;
    uint64_t shared = sharing->l1_fills_shared + sharing->l1_fills_bypassed;
    uint64_t requests = shared + sharing->l1_merged_shared + sharing->l1_hits_shared;
    gm_text_heading(file, "Sharing-aware caches");
    gm_text_count(file, "L1 fills", fills, NULL);
    snprintf(note, sizeof note, "%s of them", gm_text_share(shared, fills, share));
    gm_text_count(file, "of shared lines", shared, note);
    snprintf(note, sizeof note, "%s of these",
             gm_text_share(sharing->l1_fills_bypassed, shared, share));
    gm_text_count(file, "bypassed the L1", sharing->l1_fills_bypassed, note);
    gm_text_count(file, "requests to shared", requests, "line requests, beside later misses");
    snprintf(note, sizeof note, "%s of them, with the fill",
             gm_text_share(sharing->l1_merged_shared, requests, share));
    gm_text_count(file, "merged", sharing->l1_merged_shared, note);
    gm_text_count(file, "hits", sharing->l1_hits_shared, NULL);
    snprintf(note, sizeof note, "%llu of them gave way",
             (unsigned long long)sharing->l1_dead_evicted);
    gm_text_count(file, "L1 lines dead", sharing->l1_dead_marked, note);
    gm_text_count(file, "L2 lines shared", sharing->became_shared, "by a second SM");
    gm_text_count(file, "L2 evictions", sharing->l2_evicted_private, "of private lines");
    gm_text_count(file, "L2 evictions", sharing->l2_evicted_shared, "of shared lines");
    gm_text_count(file, "L2 bypassed", sharing->l2_local_reads, "local loads");
    gm_text_count(file, "L2 bypassed", sharing->l2_local_writes, "write-backs of local lines");
}

static void write_bytes(FILE *file, const gm_l2_bytes_statistics *bytes)
{
    char note[128];
    char share[GM_NUMBER_TEXT];
    gm_text_heading(file, "L2, bytes of its lines");
    gm_text_count(file, "missed by stores", bytes->unfetched, "32-byte sectors, none fetched then");
    snprintf(note, sizeof note, "%s of them, for loads and atomics",
             gm_text_share(bytes->completed, bytes->unfetched, share));
    gm_text_count(file, "fetched later", bytes->completed, note);
    gm_text_count(file, "lines written back", bytes->writes, NULL);
    gm_text_count(file, "with a mask", bytes->masked, "of fewer than 32 bytes");
    gm_text_count(file, "bytes written back", bytes->written_bytes, NULL);
}

static void write_dram(FILE *file, const gm_statistics *total)
{
    char note[128];
    char share[GM_NUMBER_TEXT];
    gm_text_heading(file, "DRAM");
    gm_text_count(file, "reads", total->dram.reads, "32-byte sectors");
    gm_text_count(file, "writes", total->dram.writes, "32-byte sectors");
    snprintf(note, sizeof note, "row hits %s",
             gm_text_share(total->dram.row_hits, total->dram.requests, share));
    gm_text_count(file, "requests", total->dram.requests, note);
    gm_text_count(file, "bytes", total->dram.bytes, NULL);
    gm_text_count(file, "still dirty in the L2", total->l2_dirty_sectors, "32-byte sectors");
    if (total->copies != 0) {
        gm_text_count(file, "bytes copied from host", total->copy_bytes, NULL);
    }
}

static void write_dueling(FILE *file, const gm_dueling_statistics *dueling)
{
    char note[128];
    char share[GM_NUMBER_TEXT];
    uint64_t loads = dueling->loads_decoupled + dueling->loads_conventional;
    gm_text_heading(file, "SM dueling");
    gm_text_count(file, "sampling intervals", dueling->intervals_sampled, NULL);
    snprintf(note, sizeof note, "for the decoupled L1 %s",
             gm_text_share(dueling->decisions_decoupled, dueling->decisions, share));
    gm_text_count(file, "decisions", dueling->decisions, note);
    snprintf(note, sizeof note, "in the decoupled L1 %s",
             gm_text_share(dueling->loads_decoupled, loads, share));
    gm_text_count(file, "loads that follow", loads, note);
}

static void write_traffic(FILE *file, const gm_traffic_statistics *traffic)
{
    uint64_t all = 0;
    gm_text_heading(file, "Interconnect traffic, in bytes");
#define CLASS(name, meaning)                                                                       \
    if (traffic->name != 0) {                                                                      \
        gm_text_count(file, #name, traffic->name, meaning);                                        \
    }                                                                                              \
    all += traffic->name;
    GM_TRAFFIC_CLASSES(CLASS)
#undef CLASS
    gm_text_count(file, "all", all, NULL);
}

/* Writes the counters of leases and fences that are not 0, and the mean lifetime. */
static void write_coherence(FILE *file, const gm_coherence_statistics *coherence)
{
    char mean[GM_NUMBER_TEXT];
    gm_text_heading(file, "Coherence");
    fprintf(file, "  %-22s %15s   %s\n", "lifetime",
            gm_text_ratio(coherence->lease_cycles, coherence->leases, mean),
            "core cycles of a lease given to a load, on average");
#define COUNTER(name, unit, meaning)                                                               \
    if (coherence->name != 0) {                                                                    \
        gm_text_count(file, #name, coherence->name, meaning);                                      \
    }
    GM_COHERENCE_COUNTERS(COUNTER)
#undef COUNTER
}

static void write_unmodelled(FILE *file, const gm_results *results)
{
    if (results->has_clusters) {
        fputs("\nClusters of CTAs are not modelled: each CTA was placed by itself\n", file);
    }
    if (results->unmodelled_count == 0) {
        return;
    }
    gm_text_heading(file, "Instructions without a model, whose accesses are not made");
    for (uint32_t i = 0; i < results->unmodelled_count; i++) {
        const gm_unmodelled *row = &results->unmodelled[i];
        gm_text_count(file, row->opcode, row->instructions,
                      row->unknown ? "unknown opcode with addresses" : NULL);
    }
}

static void write_unit(const gm_report *report, const char *label, uint64_t number,
                       const gm_cache_statistics *cache)
{
    char title[GM_NUMBER_TEXT];
    snprintf(title, sizeof title, "%s%" PRIu64, label, number);
    write_cache_row(report, title, cache, sum);
}

static void write_units(const gm_report *report, const gm_results *results)
{
    FILE *file = report->file;
    const gm_config *config = report->run.config;
    if (report->run.per_sm) {
        gm_text_heading(file, "L1D of each SM, line requests");
        write_cache_heading(report);
        for (uint64_t i = 0; i < config->gpu.sms; i++) {
            write_unit(report, "SM ", i, &results->per_sm[i].l1d);
        }
        if (is_timed(report)) {
            gm_text_time_sms(file, results->per_sm, config->gpu.sms);
        }
    }
    if (report->run.per_bank) {
        gm_text_heading(file, "L2 banks, line requests");
        write_cache_heading(report);
        for (uint64_t i = 0; i < config->memory.partitions * config->memory.banks; i++) {
            write_unit(report, "bank ", i, &results->per_bank[i].l2);
        }
        gm_text_heading(file, "DRAM channels, in bytes");
        for (uint64_t i = 0; i < config->memory.partitions; i++) {
            char label[GM_NUMBER_TEXT];
            snprintf(label, sizeof label, "partition %" PRIu64, i);
            gm_text_count(file, label, results->per_partition[i].dram.bytes, NULL);
        }
    }
}

static int end(gm_report *report, const gm_results *results, gm_error *error)
{
    (void)error;
    fprintf(report->file, "goldmem %s, %s engine\n  %-14s %s\n", GM_VERSION,
            gm_engine_name(report->run.engine), "input", report->run.input);
    if (report->run.warm_up.kind != GM_WARM_UP_NONE) {
        char number[GM_NUMBER_TEXT];
        fprintf(report->file, "  %-14s %s %s: all but kernels count from there on\n", "warm-up",
                gm_text_number(report->run.warm_up.count, number),
                gm_report_warm_up(report->run.warm_up.kind));
    }
    if (report->run.sample.share != 0) {
        fprintf(report->file,
                "  %-14s %.4g%% of the CTAs of large kernels: all numbers are estimates\n",
                "sampled", 100.0 * report->run.sample.share / GM_SAMPLE_ALL);
    }
    write_stop(report);
    gm_text_machine(report->file, report->run.config);
    write_kernels(report);
    if (results->sample != NULL) {
        gm_text_sample(report->file, results->sample);
    }
    if (is_timed(report)) {
        gm_text_time(report->file, &results->total, report->run.config);
    }
    if (results->latencies != NULL) {
        gm_text_latencies(report->file, results->latencies);
    }
    write_core(report->file, &results->total.core);
    write_level(report, "L1D, line requests", &results->total.l1d);
    if (report->run.config->l1.dueling) {
        write_dueling(report->file, &results->total.dueling);
    }
    gm_text_throttling(report->file, results, report->run.config);
    gm_text_l1_gates(report->file, results, &report->run);
    if (report->run.config->tracker.enabled) {
        write_tracker(report, &results->total.tracker);
    }
    if (is_timed(report) && report->run.config->l1i.size != 0) {
        write_l1i(report->file, &results->total.l1i);
    }
    write_level(report, "L2, line requests", &results->total.l2);
    gm_text_l2_gates(report->file, results, &report->run);
    if (report->run.config->l2.bypass != GM_L2_BYPASS_NONE) {
        write_coalesced(report->file, &results->total.l2_coalesced);
    }
    if (report->run.config->l2.victim) {
        write_victims(report->file, &results->total.l2_victim);
    }
    if (report->run.config->l2.atomic_buffer) {
        write_atomic_buffer(report->file, &results->total.atomic_buffer);
    }
    if (report->run.config->sharing.enabled) {
        write_sharing(report->file, &results->total.sharing);
    }
    if (report->run.config->l2.dirty != GM_DIRTY_SECTOR) {
        write_bytes(report->file, &results->total.l2_bytes);
    }
    if (report->run.config->coherence.protocol != GM_COHERENCE_NONE) {
        write_coherence(report->file, &results->total.coherence);
    }
    write_dram(report->file, &results->total);
    write_traffic(report->file, &results->total.traffic);
    gm_text_energy(report->file, &results->total, &report->run);
    write_unmodelled(report->file, results);
    write_units(report, results);
    if (results->per_pc != NULL) {
        gm_text_per_pc(report->file, results->per_pc);
    }
    if (results->analysis != NULL) {
        gm_text_analysis(report->file, gm_analysis_read(results->analysis));
    }
    return 0;
}

const gm_report_operations gm_report_text = {begin, kernel_seen, end};
