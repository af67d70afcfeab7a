/* Litmus run: one run of the cycle engine with a kernel for each trial. */
#include "litmus/litmus_run.h"

#include "goldmem/engine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct run {
    gm_litmus_source source;
    gm_litmus_outcome outcome;
    gm_litmus_results *results;
} run;

/* Returns the row of an outcome, a new one if needed; the last one for all that have no room. */
static gm_litmus_row *row_of(gm_litmus_results *results, const char *text)
{
    for (uint32_t i = 0; i < results->rows; i++) {
        if (strcmp(results->row[i].text, text) == 0) {
            return &results->row[i];
        }
    }
    if (results->rows == GM_LITMUS_ROWS) {
        return &results->row[GM_LITMUS_ROWS - 1];
    }
    gm_litmus_row *row = &results->row[results->rows++];
    *row = (gm_litmus_row){.count = 0};
    memcpy(row->text, results->rows == GM_LITMUS_ROWS ? "others" : text,
           results->rows == GM_LITMUS_ROWS ? sizeof "others" : strlen(text) + 1);
    return row;
}

static int trial_done(void *context, const gm_kernel *kernel, const gm_statistics *statistics,
                      gm_error *error)
{
    run *run = context;
    char text[GM_LITMUS_OUTCOME];
    (void)kernel;
    (void)statistics;
    (void)error;
    if (run->source.part + 1 < run->source.parts) {
        return 0; /* the trial goes on */
    }
    bool holds = gm_litmus_outcome_holds(&run->outcome);
    gm_litmus_outcome_text(&run->outcome, text);
    gm_litmus_row *row = row_of(run->results, text);
    row->count++;
    row->holds |= holds;
    run->results->trials++;
    run->results->held += holds;
    gm_litmus_outcome_begin(&run->outcome);
    return 0;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(((const gm_litmus_row *)a)->text, ((const gm_litmus_row *)b)->text);
}

int gm_litmus_run(const gm_litmus_test *test, const gm_config *config, uint64_t trials,
                  uint64_t seed, gm_litmus_results *results, gm_error *error)
{
    run *run = calloc(1, sizeof *run);
    if (run == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: a litmus test");
    }
    run->results = results;
    int code = gm_litmus_source_open(&run->source, test, config, trials, seed, error);
    run->outcome.test = test;
    run->outcome.source = &run->source;
    gm_litmus_outcome_begin(&run->outcome);
    if (code == 0) {
        const gm_value_observer observer = gm_litmus_outcome_observer(&run->outcome);
        const gm_run_options options = {.threads = 1, /* a trial is read when it begins */
                                        .check_values = true,
                                        .values = &observer,
                                        .context = run,
                                        .kernel_done = trial_done};
        gm_results statistics;
        code = gm_engine_run(GM_ENGINE_CYCLE, config, &run->source.source, &options, &statistics,
                             error);
        if (code == 0) {
            gm_results_free(&statistics);
        }
    }
    gm_source_close(&run->source.source);
    free(run);
    return code;
}

void gm_litmus_sort(gm_litmus_results *results)
{
    qsort(results->row, results->rows, sizeof *results->row, by_text);
}

gm_litmus_verdict gm_litmus_verdict_of(const gm_litmus_test *test, unsigned protocol,
                                       const gm_litmus_results *results)
{
    if (protocol == GM_LITMUS_PROTOCOLS || !test->expected[protocol]) {
        return GM_LITMUS_NO_EXPECTATION;
    }
    if (test->may[protocol]) {
        return results->held != 0 ? GM_LITMUS_OK : GM_LITMUS_NEVER_SEEN;
    }
    return results->held == 0 ? GM_LITMUS_OK : GM_LITMUS_FORBIDDEN;
}
