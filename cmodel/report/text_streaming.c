/* Text report of streaming bypass [khairy, 4.1]: what the gates bypassed, and when each closed. */
#include "report/text.h"

#include <inttypes.h>
#include <stddef.h>

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
