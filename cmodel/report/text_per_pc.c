/* Counts by instruction in the text report: those of which warps waited longest. */
#include "report/text.h"

#include "goldmem/per_pc.h"

#include <inttypes.h>

enum { MOST_ROWS = 20 };

/* Inserts a row into the list of the longest waits; of equal ones the earlier comes first. */
static uint64_t insert(const gm_pc_row *longest[MOST_ROWS], uint64_t count, const gm_pc_row *row)
{
    uint64_t at = count < MOST_ROWS ? count++ : MOST_ROWS;
    for (; at > 0 && longest[at - 1]->counts.waited < row->counts.waited; at--) {
        if (at < MOST_ROWS) {
            longest[at] = longest[at - 1];
        }
    }
    if (at < MOST_ROWS) {
        longest[at] = row;
    }
    return count;
}

void gm_text_per_pc(FILE *file, const gm_pc_profile *profile)
{
    const gm_pc_row *longest[MOST_ROWS];
    uint64_t count = 0;
    uint64_t all = 0;
    for (uint64_t i = 0; i < profile->rows; i++) {
        all += profile->row[i].counts.waited;
        count = insert(longest, count, &profile->row[i]);
    }
    gm_text_heading(file, "Instructions for whose issue warps waited longest");
    fprintf(file, "  %-24s %8s %-20s %6s %13s %15s %6s %13s %13s\n", "kernel", "pc", "opcode",
            "line", "issues", "cycles waited", "", "requests", "L1D misses");
    for (uint64_t i = 0; i < count; i++) {
        const gm_pc_row *row = longest[i];
        char number[4][GM_NUMBER_TEXT];
        char share[GM_NUMBER_TEXT];
        char line[GM_NUMBER_TEXT] = "-";
        if (row->line != 0) {
            snprintf(line, sizeof line, "%" PRIu32, row->line);
        }
        fprintf(file, "  %-24.24s %8" PRIx64 " %-20.20s %6s %13s %15s %6s %13s %13s\n",
                profile->kernel[row->kernel], row->pc, row->opcode, line,
                gm_text_number(row->counts.issues, number[0]),
                gm_text_number(row->counts.waited, number[1]),
                gm_text_share(row->counts.waited, all, share),
                gm_text_number(row->counts.requests, number[2]),
                gm_text_number(row->counts.misses, number[3]));
    }
}
