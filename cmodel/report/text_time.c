/* Text report of time (cycle engine) and energy. */
#include "report/text.h"

#include "goldmem/energy.h"
#include "goldmem/rates.h"

#include <inttypes.h>

static uint64_t sum(const uint64_t counter[GM_ACCESS_KINDS])
{
    return counter[GM_LOAD] + counter[GM_STORE] + counter[GM_ATOMIC] + counter[GM_INSTRUCTION];
}

static void line(FILE *file, const char *label, const char *value, const char *note)
{
    fprintf(file, "  %-22s %15s   %s\n", label, value, note);
}

static void cycles(FILE *file, const gm_statistics *total, const gm_config *config)
{
    char ratio[GM_NUMBER_TEXT];
    char note[96];
    const gm_time_statistics *time = &total->time;
    gm_text_heading(file, "Time");
    snprintf(note, sizeof note, "%s microseconds at %" PRIu64 " MHz",
             gm_text_ratio(time->cycles, config->clock.core, ratio), config->clock.core);
    gm_text_count(file, "core cycles", time->cycles, note);
    line(file, "IPC", gm_text_ratio(total->core.warp_instructions, time->cycles, ratio),
         "warp instructions a cycle");
    line(file, "", gm_text_ratio(total->core.thread_instructions, time->cycles, ratio),
         "thread instructions a cycle");
    line(file, "load latency", gm_text_ratio(time->load_cycles, time->loads, ratio),
         "core cycles from the coalescer to the data, on average");
    line(file, "occupancy",
         gm_text_share(time->warp_cycles, time->occupied_cycles * config->sm.warps, ratio),
         "of the warp slots of SMs that have a warp, on average");
}

static void slots(FILE *file, const gm_time_statistics *time)
{
    uint64_t all = 0;
#define COUNTER(name, unit, meaning) all += time->name;
    GM_SLOT_COUNTERS(COUNTER)
    GM_FETCH_SLOT_COUNTERS(COUNTER)
    GM_THROTTLE_SLOT_COUNTERS(COUNTER)
#undef COUNTER
    gm_text_heading(file, "What the warp schedulers did, in scheduler cycles");
#define COUNTER(name, unit, meaning)                                                               \
    if (time->name != 0) {                                                                         \
        char note[128];                                                                            \
        char share[GM_NUMBER_TEXT];                                                                \
        snprintf(note, sizeof note, "%6s   %s", gm_text_share(time->name, all, share), meaning);   \
        gm_text_count(file, &#name[sizeof "slots_" - 1], time->name, note);                        \
    }
    GM_SLOT_COUNTERS(COUNTER)
    GM_FETCH_SLOT_COUNTERS(COUNTER)
    GM_THROTTLE_SLOT_COUNTERS(COUNTER)
#undef COUNTER
}

/* Writes a row of the table of both levels. */
static void levels(FILE *file, const char *label, const char *l1, const char *l2)
{
    fprintf(file, "  %-38s %15s %15s\n", label, l1, l2);
}

static void per_thousand(FILE *file, const char *label, uint64_t l1, uint64_t l2, uint64_t whole)
{
    char ratio[2][GM_NUMBER_TEXT];
    levels(file, label, gm_text_ratio(l1 * 1000, whole, ratio[0]),
           gm_text_ratio(l2 * 1000, whole, ratio[1]));
}

static void contention(FILE *file, const gm_statistics *total, const gm_config *config)
{
    const gm_cache_statistics *l1 = &total->l1d;
    const gm_cache_statistics *l2 = &total->l2;
    const gm_time_statistics *time = &total->time;
    char text[2][GM_NUMBER_TEXT];
    gm_text_heading(file, "Contention [khairy, figure 4]");
    levels(file, "", "L1D", "L2");
    per_thousand(file, "accesses per 1000 thread instructions", sum(l1->accesses),
                 sum(l2->accesses), total->core.thread_instructions);
    per_thousand(file, "misses per 1000 thread instructions", sum(l1->misses), sum(l2->misses),
                 total->core.thread_instructions);
    fputs("  reservation fails per 1000 cycles\n", file);
    per_thousand(file, "  line allocation", sum(l1->fails_line), sum(l2->fails_line), time->cycles);
    per_thousand(file, "  MSHR entry", sum(l1->fails_mshr_entry), sum(l2->fails_mshr_entry),
                 time->cycles);
    per_thousand(file, "  MSHR merge", sum(l1->fails_mshr_merge), sum(l2->fails_mshr_merge),
                 time->cycles);
    per_thousand(file, "  miss queue", sum(l1->fails_miss_queue), sum(l2->fails_miss_queue),
                 time->cycles);
    if (sum(l1->fails_bypass_queue) != 0) {
        per_thousand(file, "  bypass path", sum(l1->fails_bypass_queue),
                     sum(l2->fails_bypass_queue), time->cycles);
    }
    fprintf(file, "  %-38s %15s\n", "  L1 blocked, of the cycles of all SMs",
            gm_text_share(gm_stall_cycles(total),
                          time->cycles * config->gpu.sms * gm_config_l1_waits(config), text[0]));
    levels(file, "MSHR entries in use, all together",
           gm_text_ratio(time->l1_mshr_cycles, time->cycles, text[0]),
           gm_text_ratio(time->l2_mshr_cycles, time->cycles, text[1]));
    levels(file, "core cycles that each is held",
           gm_text_ratio(time->l1_mshr_cycles, time->l1_mshr_entries, text[0]),
           gm_text_ratio(time->l2_mshr_cycles, time->l2_mshr_entries, text[1]));
}

/* Writes bandwidth and its share of the peak, in which every channel's data bus is always busy. */
static void bandwidth(FILE *file, const gm_statistics *total, const gm_config *config)
{
    const gm_time_statistics *time = &total->time;
    char ratio[GM_NUMBER_TEXT];
    char share[GM_NUMBER_TEXT];
    char peak[GM_NUMBER_TEXT];
    char note[128];
    uint64_t buses =
        config->memory.partitions * config->dram.channels * config->dram.pseudo_channels;
    uint64_t channels = buses * config->dram.burst * config->clock.dram;
    gm_text_heading(file, "Bandwidth");
    snprintf(note, sizeof note, "GB/s, %s of the peak of %s",
             gm_text_share(total->dram.bytes * config->clock.core * config->dram.burst_cycles,
                           time->cycles * channels, share),
             gm_text_ratio(channels, config->dram.burst_cycles * 1000, peak));
    line(file, "DRAM",
         gm_text_ratio(total->dram.bytes * config->clock.core, time->cycles * 1000, ratio), note);
    snprintf(note, sizeof note, "of the data buses' cycles, %s bursts",
             gm_text_number(time->dram_bursts, peak));
    line(file, "DRAM in use", gm_text_share(time->dram_busy, time->dram_cycles, share), note);
    gm_text_count(file, "DRAM rows opened", time->dram_activates, NULL);
    if (time->dram_refreshes != 0) {
        gm_text_count(file, "DRAM refreshes", time->dram_refreshes, NULL);
    }
    line(file, "requests", gm_text_ratio(time->request_flits, time->cycles, ratio),
         "flits a core cycle, SMs to L2");
    line(file, "replies", gm_text_ratio(time->reply_flits, time->cycles, ratio),
         "flits a core cycle, L2 to SMs");
    if (config->l2.halves == 2) {
        line(file, "L2 requests from afar",
             gm_text_share(time->l2_far, time->l2_near + time->l2_far, share),
             "of all, from SMs of the bank's other half");
    }
}

void gm_text_time(FILE *file, const gm_statistics *total, const gm_config *config)
{
    cycles(file, total, config);
    slots(file, &total->time);
    contention(file, total, config);
    bandwidth(file, total, config);
}

void gm_text_time_sms(FILE *file, const gm_statistics *per_sm, uint64_t sms)
{
    gm_text_heading(file, "Schedulers and loads of each SM");
    fprintf(file, "  %-8s %15s %15s %15s %15s %15s\n", "", "warp instr.", "slots issued",
            "for memory", "idle", "load latency");
    for (uint64_t i = 0; i < sms; i++) {
        const gm_time_statistics *time = &per_sm[i].time;
        char label[GM_NUMBER_TEXT];
        char number[GM_NUMBER_TEXT];
        char share[3][GM_NUMBER_TEXT];
        char latency[GM_NUMBER_TEXT];
        uint64_t all = 0;
#define COUNTER(name, unit, meaning) all += time->name;
        GM_SLOT_COUNTERS(COUNTER)
        GM_FETCH_SLOT_COUNTERS(COUNTER)
        GM_THROTTLE_SLOT_COUNTERS(COUNTER)
#undef COUNTER
        snprintf(label, sizeof label, "SM %" PRIu64, i);
        fprintf(file, "  %-8s %15s %15s %15s %15s %15s\n", label,
                gm_text_number(per_sm[i].core.warp_instructions, number),
                gm_text_share(time->slots_issued, all, share[0]),
                gm_text_share(time->slots_memory, all, share[1]),
                gm_text_share(time->slots_idle, all, share[2]),
                gm_text_ratio(time->load_cycles, time->loads, latency));
    }
}

static void write_chip(FILE *file, const gm_report_run *run)
{
    const gm_chip chip = gm_chip_of(run->config, run->energy);
    gm_text_heading(file, "Area of caches and trackers, in um^2");
#define PART(name, meaning)                                                                        \
    if (chip.area_um2.name != 0) {                                                                 \
        char note[64];                                                                             \
        char number[GM_NUMBER_TEXT];                                                               \
        snprintf(note, sizeof note, "leakage %s uW",                                               \
                 gm_text_number(chip.leakage_uw.name, number));                                    \
        gm_text_count(file, #name, chip.area_um2.name, note);                                      \
    }
    GM_CHIP_PARTS(PART)
#undef PART
}

void gm_text_energy(FILE *file, const gm_statistics *total, const gm_report_run *run)
{
    gm_energy energy = gm_energy_of(total, run->config, run->energy);
    uint64_t all = 0;
    char share[GM_NUMBER_TEXT];
#define COMPONENT(name, meaning) all += energy.name;
    GM_ENERGY_COMPONENTS(COMPONENT)
    GM_ENERGY_OVER_TIME(COMPONENT)
#undef COMPONENT
    gm_text_heading(file, "Energy of the memory system, in pJ");
#define COMPONENT(name, meaning)                                                                   \
    if (energy.name != 0) {                                                                        \
        gm_text_count(file, #name, energy.name, gm_text_share(energy.name, all, share));           \
    }
    GM_ENERGY_COMPONENTS(COMPONENT)
    GM_ENERGY_OVER_TIME(COMPONENT)
#undef COMPONENT
    gm_text_count(file, "all", all, NULL);
    write_chip(file, run);
}
