/* goldmem compare: JSON reports of runs, read and set beside one another. */
#ifndef GOLDMEM_CLI_COMPARE_H
#define GOLDMEM_CLI_COMPARE_H

#include "goldmem/error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { GM_COUNTER_NAME = 96 };

/* A counter of a run's total: its path in the report, "l1d.load.misses". */
typedef struct gm_compared_counter {
    char name[GM_COUNTER_NAME];
    uint64_t value;
} gm_compared_counter;

/* A kernel: all launches of one name. */
typedef struct gm_compared_kernel {
    const char *name;
    uint64_t launches, cycles;
} gm_compared_kernel;

/* A report of goldmem run --json. */
typedef struct gm_compared_run {
    const char *file;
    json_t *report; /* owns the texts below */
    const char *input, *preset, *engine;
    json_t *config; /* object, key: value */
    double sampled; /* share of the CTAs that was asked for; 0: not sampled */
    uint64_t seed;  /* of the sample */
    char *part;     /* of its input that it counts: "whole", "of kernels 0-3" (heap) */
    bool is_whole;
    gm_compared_counter *counter;
    size_t counters;
    gm_compared_kernel *kernel;
    size_t kernels;
} gm_compared_run;

/* Reads a report ("-": standard input). Returns 0, -ENOMEM, another negative errno value of the
 * file, or -EINVAL for what is no report: its line, or the field that lacks or is wrong. The run
 * must be freed in each case. */
int gm_compare_read(gm_compared_run *run, const char *file, gm_error *error);
void gm_compare_free(gm_compared_run *run);

/* Sets part and is_whole from the report. Runs with one text count the same part. Returns 0 or
 * -ENOMEM. */
int gm_compare_read_part(gm_compared_run *run, gm_error *error);

/* Returns the counter, or NULL if the run has none of this name. */
const gm_compared_counter *gm_compare_find(const gm_compared_run *run, const char *name);

/* Returns the counter's value, 0 if the run has none of this name. */
uint64_t gm_compare_value(const gm_compared_run *run, const char *name);

/* Returns the change from `a` to `b` as a share of `a`; of 0 to anything else: infinite. */
double gm_compare_change(uint64_t a, uint64_t b);

/* Returns the cycles of a run that its schedulers spent on average in the slots of this name
 * ("time.slots.memory"): over all slots they sum up to the cycles. 0 in a run without slots. */
double gm_compare_slot_cycles(const gm_compared_run *run, const char *name);

/* What is printed. */
typedef struct gm_compare_options {
    double noise; /* smaller changes are left out: a share */
    size_t most;  /* counters of a section; 0: all */
    bool json;
} gm_compare_options;

/* Prints runs [1, count) against run 0, as text or JSON, on standard output (`file`). Returns 0 or
 * a negative errno value. */
int gm_compare_print(FILE *file, const gm_compared_run *run, size_t count,
                     const gm_compare_options *options, gm_error *error);

#endif
