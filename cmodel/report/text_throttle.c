/* Text report of warp throttling [khairy, 4.2]: cycles held back, limits found. */
#include "report/text.h"

#include <inttypes.h>

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
    snprintf(note, sizeof note, "%s of the loads",
             gm_text_share(ccws->loads_held, ccws->loads, share));
    gm_text_count(file, "loads held back", ccws->loads_held, note);
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
