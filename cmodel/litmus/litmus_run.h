/* Litmus run: a test's trials in the cycle engine, and how often each outcome came. */
#ifndef GOLDMEM_LITMUS_LITMUS_RUN_H
#define GOLDMEM_LITMUS_LITMUS_RUN_H

#include "goldmem/config.h"
#include "litmus/litmus_outcome.h"

enum { GM_LITMUS_ROWS = 256 }; /* outcomes that are told apart */

typedef struct gm_litmus_row {
    char text[GM_LITMUS_OUTCOME]; /* "0:r0=1 1:r1=0"; the last of all rows: "others" */
    uint64_t count;
    bool holds; /* the condition */
} gm_litmus_row;

typedef struct gm_litmus_results {
    gm_litmus_row row[GM_LITMUS_ROWS]; /* [rows] */
    uint32_t rows;
    uint64_t trials, held; /* in which the condition held */
} gm_litmus_results;

/* What a test's results say of its expectation. */
typedef enum gm_litmus_verdict {
    GM_LITMUS_OK,         /* may, and seen; never, and not seen */
    GM_LITMUS_FORBIDDEN,  /* never, and seen */
    GM_LITMUS_NEVER_SEEN, /* may, and not seen */
    GM_LITMUS_NO_EXPECTATION,
} gm_litmus_verdict;

/* Runs `trials` trials of a test, checks each load's value (goldmem/engine.h: check_values), and
 * adds the outcomes to *results, whose rows are in no order. Returns 0, -EINVAL (the
 * configuration), -EPROTO (a wrong value) or -ENOMEM. */
int gm_litmus_run(const gm_litmus_test *test, const gm_config *config, uint64_t trials,
                  uint64_t seed, gm_litmus_results *results, gm_error *error);

/* Puts the rows in order. */
void gm_litmus_sort(gm_litmus_results *results);

/* `protocol`: what gm_litmus_protocol_of returns. */
gm_litmus_verdict gm_litmus_verdict_of(const gm_litmus_test *test, unsigned protocol,
                                       const gm_litmus_results *results);

#endif
