/* Text report of contention management [khairy, 4]: warps throttled, limits found, gates closed. */
#include "report/text.h"

#include <inttypes.h>
#include <string.h>

/* Writes the scheduler cycles in which throttling alone kept a scheduler from issuing. */
static void write_throttled(FILE *file, const gm_time_statistics *time)
{
    uint64_t all = 0;
    char note[128];
    char share[GM_NUMBER_TEXT];
#define COUNTER(name, unit, meaning) all += time->name;
    GM_SLOT_COUNTERS(COUNTER)
    GM_FETCH_SLOT_COUNTERS(COUNTER)
    GM_THROTTLE_SLOT_COUNTERS(COUNTER)
#undef COUNTER
    snprintf(note, sizeof note, "%s of the scheduler cycles: no ready warp was allowed to issue",
             gm_text_share(time->slots_throttled, all, share));
    gm_text_count(file, "cycles held back", time->slots_throttled, note);
}

static void write_static(FILE *file, const gm_results *results, const gm_config *config)
{
    char note[128];
    gm_text_heading(file, "Warp throttling, a static limit");
    snprintf(note, sizeof note, "of the %" PRIu64 " warps of a scheduler",
             (config->sm.warps + config->sm.schedulers - 1) / config->sm.schedulers);
    gm_text_count(file, "limit", config->sm.limit, note);
    write_throttled(file, &results->total.time);
}

static void write_ccws(FILE *file, const gm_results *results)
{
    char note[128];
    char share[GM_NUMBER_TEXT];
    const gm_ccws_statistics *ccws = &results->total.ccws;
    gm_text_heading(file, "Warp throttling, CCWS");
    gm_text_count(file, "victim tags", ccws->victims, "of lines replaced in L1s");
    gm_text_count(file, "searches", ccws->probes, "of them, by loads that miss");
    snprintf(note, sizeof note, "%s of the searches: lost locality",
             gm_text_share(ccws->hits, ccws->probes, share));
    gm_text_count(file, "hits", ccws->hits, note);
    snprintf(note, sizeof note, "%s of the hits: a score above the base",
             gm_text_share(ccws->hits_raised, ccws->hits, share));
    gm_text_count(file, "  that raise a score", ccws->hits_raised, note);
    write_throttled(file, &results->total.time);
}

/* Writes what came of one kernel's periods. */
static void write_choice(FILE *file, const gm_sampling_choice *choice)
{
    char cycle[GM_NUMBER_TEXT];
    fprintf(file, "  kernel %" PRIu64 ", core cycle %s: ", choice->kernel,
            gm_text_number(choice->cycle, cycle));
    switch (choice->event) {
    case GM_SAMPLING_BEGINS:
        fputs("hot, SMs are sampled\n", file);
        return;
    case GM_SAMPLING_DECIDED:
        fprintf(file, "limit %" PRIu32 ", found\n", choice->limit);
        return;
    case GM_SAMPLING_DROPPED:
        fputs("sampling dropped, an SM has no warps\n", file);
        return;
    case GM_SAMPLING_KNOWN:
        fprintf(file, "hot, limit %" PRIu32 " of an earlier launch\n", choice->limit);
        return;
    }
}

/* Writes the table of kernels with a limit. */
static void write_limits(FILE *file, const gm_sampling_limits *limits)
{
    if (limits->count == 0) {
        return;
    }
    fprintf(file, "  %-39s %9s %9s %9s %15s\n", "name", "limit", "launches", "found in",
            "at core cycle");
    for (uint64_t i = 0; i < limits->count; i++) {
        const gm_sampling_limit *row = &limits->row[i];
        char number[2][GM_NUMBER_TEXT];
        fprintf(file, "  %-39.39s %9" PRIu32 " %9s %9" PRIu64 " %15s\n", row->name, row->limit,
                gm_text_number(row->launches, number[0]), row->kernel,
                gm_text_number(row->cycle, number[1]));
    }
}

static void write_sampling(FILE *file, const gm_results *results)
{
    char note[128];
    char hot[GM_NUMBER_TEXT];
    char limited[GM_NUMBER_TEXT];
    const gm_sampling_statistics *sampling = &results->total.sampling;
    const gm_sampling_choices *choices = &results->choices;
    gm_text_heading(file, "Warp throttling, limits found by sampling SMs");
    snprintf(note, sizeof note, "hot %s, with a limit %s",
             gm_text_share(sampling->periods_hot, sampling->periods, hot),
             gm_text_share(sampling->periods_limited, sampling->periods, limited));
    gm_text_count(file, "sampling periods", sampling->periods, note);
    gm_text_count(file, "samplings", sampling->samplings, NULL);
    gm_text_count(file, "limits found", sampling->decided, NULL);
    gm_text_count(file, "limits of earlier launches", sampling->known, NULL);
    write_throttled(file, &results->total.time);
    for (uint64_t i = 0; i < choices->count && i < GM_SAMPLING_CHOICES; i++) {
        write_choice(file, &choices->choice[i]);
    }
    if (choices->count > GM_SAMPLING_CHOICES) {
        fprintf(file, "  and %s more\n", gm_text_number(choices->count - GM_SAMPLING_CHOICES, hot));
    }
    write_limits(file, &results->limits);
}

void gm_text_throttling(FILE *file, const gm_results *results, const gm_config *config)
{
    switch (config->sm.throttle) {
    case GM_THROTTLE_NONE:
        return;
    case GM_THROTTLE_STATIC:
        write_static(file, results, config);
        return;
    case GM_THROTTLE_SAMPLING:
        write_sampling(file, results);
        return;
    case GM_THROTTLE_CCWS:
        write_ccws(file, results);
        return;
    }
}

/* The gates of a level. */
typedef struct gates {
    const char *title, *name;             /* of a gate: "SM" */
    const char *unit;                     /* of the time of a closing */
    const gm_streaming_statistics *total; /* of all gates */
    const gm_cache_statistics *accesses;  /* of the level */
    const gm_statistics *each;            /* [count] */
    uint64_t count;
    size_t offset; /* of a gate's statistics in `each` */
} gates;

static const gm_streaming_statistics *gate(const gates *level, uint64_t number)
{
    return (const gm_streaming_statistics *)((const char *)&level->each[number] + level->offset);
}

static bool is_alike(const gm_streaming_statistics *one, const gm_streaming_statistics *other)
{
    return one->first_closed == other->first_closed && one->closings == other->closings &&
           one->openings == other->openings;
}

/* Writes a line for the gates `first` to `last`, which closed at the same times. */
static void write_gates(FILE *file, const gates *level, uint64_t first, uint64_t last)
{
    const gm_streaming_statistics *one = gate(level, first);
    char label[2 * GM_NUMBER_TEXT];
    char number[GM_NUMBER_TEXT];
    int length = snprintf(label, sizeof label, "%s %" PRIu64, level->name, first);
    if (last > first) {
        snprintf(label + length, sizeof label - (size_t)length, " to %" PRIu64, last);
    }
    if (one->closings == 0) {
        fprintf(file, "  %s: never closed\n", label);
        return;
    }
    fprintf(file, "  %s: first closed at %s, closings %" PRIu64 ", openings %" PRIu64 "\n", label,
            gm_text_number(one->first_closed, number), one->closings, one->openings);
}

/* Writes when each gate closed; neighbours that are alike share a line. */
static void write_closings(FILE *file, const gates *level)
{
    enum { LINES = 32 };
    unsigned lines = 0;
    for (uint64_t first = 0, next = 0; first < level->count; first = next) {
        for (next = first + 1; next < level->count; next++) {
            if (!is_alike(gate(level, first), gate(level, next))) {
                break;
            }
        }
        if (lines++ == LINES) {
            fprintf(file, "  %s %" PRIu64 " to %" PRIu64 ": in JSON, with --per-sm, --per-bank\n",
                    level->name, first, level->count - 1);
            return;
        }
        write_gates(file, level, first, next - 1);
    }
}

/* Writes what the gates of a level bypassed, and when. */
static void write_streaming(FILE *file, const gates *level)
{
    char note[128];
    char share[GM_NUMBER_TEXT];
    const gm_streaming_statistics *streaming = level->total;
    uint64_t periods = streaming->periods_open + streaming->periods_closed;
    gm_text_heading(file, level->title);
    snprintf(note, sizeof note, "closed in %s",
             gm_text_share(streaming->periods_closed, periods, share));
    gm_text_count(file, "sampling periods", periods, note);
    snprintf(note, sizeof note, "and %" PRIu64 " openings", streaming->openings);
    gm_text_count(file, "closings", streaming->closings, note);
    if (streaming->closings != 0) {
        gm_text_count(file, "first closing at", streaming->first_closed, level->unit);
    }
    snprintf(note, sizeof note, "%s of the loads",
             gm_text_share(streaming->loads_bypassed, level->accesses->accesses[GM_LOAD], share));
    gm_text_count(file, "loads bypassed", streaming->loads_bypassed, note);
    if (streaming->stores_bypassed != 0) {
        snprintf(
            note, sizeof note, "%s of the stores",
            gm_text_share(streaming->stores_bypassed, level->accesses->accesses[GM_STORE], share));
        gm_text_count(file, "stores bypassed", streaming->stores_bypassed, note);
    }
    write_closings(file, level);
}

static const char *unit_of(const gm_report_run *run)
{
    switch (run->engine) {
    case GM_ENGINE_ORDER:
        break;
    case GM_ENGINE_CYCLE:
        return "core cycles of the run";
    }
    return "accesses of that cache";
}

void gm_text_l1_gates(FILE *file, const gm_results *results, const gm_report_run *run)
{
    const gates level = {"Gates of the L1s, streaming bypass",
                         "SM",
                         unit_of(run),
                         &results->total.l1_streaming,
                         &results->total.l1d,
                         results->per_sm,
                         run->config->gpu.sms,
                         offsetof(gm_statistics, l1_streaming)};
    if (run->config->l1.streaming) {
        write_streaming(file, &level);
    }
}

void gm_text_l2_gates(FILE *file, const gm_results *results, const gm_report_run *run)
{
    const gates level = {"Gates of the L2 banks, streaming bypass",
                         "bank",
                         unit_of(run),
                         &results->total.l2_streaming,
                         &results->total.l2,
                         results->per_bank,
                         run->config->memory.partitions * run->config->memory.banks,
                         offsetof(gm_statistics, l2_streaming)};
    if (run->config->l2.streaming) {
        write_streaming(file, &level);
    }
}
