/* How fast built-in workloads make warp instructions on one core, tab-separated (workload, million
 * warp instructions, million/s, ns each, million memory instructions/s): into a sink that only
 * counts. Arguments: workloads; without any, all at their defaults. */
#include "goldmem/workload.h"

#include <stdio.h>
#include <time.h>

typedef struct counts {
    uint64_t instructions, memory;
} counts;

static int begin_cta(void *context, const uint32_t cta[3], gm_error *error)
{
    (void)context, (void)cta, (void)error;
    return 0;
}

static int begin_warp(void *context, uint32_t warp, gm_error *error)
{
    (void)context, (void)warp, (void)error;
    return 0;
}

static int count(void *context, const gm_instruction *instruction, gm_error *error)
{
    (void)error;
    counts *counted = context;
    counted->instructions++;
    counted->memory += instruction->width != 0;
    return 0;
}

static int end_cta(void *context, gm_error *error)
{
    (void)context, (void)error;
    return 0;
}

static int drain(gm_source *source, counts *counted, gm_error *error)
{
    const gm_cta_sink sink = {counted, begin_cta, begin_warp, count, end_cta};
    gm_command command;
    int result = gm_source_next_command(source, &command, error);
    while (result == 1) {
        while (command.kind == GM_COMMAND_KERNEL && result == 1) {
            result = gm_source_next_cta(source, &sink, error);
        }
        if (result >= 0) {
            result = gm_source_next_command(source, &command, error);
        }
    }
    return result;
}

static int measure(const char *specification)
{
    gm_error error;
    gm_source *source = NULL;
    counts counted = {0};
    struct timespec begin;
    struct timespec end;
    int result = gm_workload_open(&source, specification, &error);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
    if (result >= 0) {
        result = drain(source, &counted, &error);
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    gm_source_close(source);
    if (result < 0) {
        fprintf(stderr, "bench_workload: %s\n", error.text);
        return 1;
    }
    double ns = (double)(end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec);
    printf("%s\t%.2f\t%.1f\t%.1f\t%.1f\n", specification, (double)counted.instructions * 1e-6,
           (double)counted.instructions / ns * 1e3, ns / (double)counted.instructions,
           (double)counted.memory / ns * 1e3);
    return 0;
}

int main(int count_arguments, char **arguments)
{
    int failed = 0;
    for (int i = 1; i < count_arguments; i++) {
        failed |= measure(arguments[i]);
    }
    unsigned workloads = 0;
    const gm_workload_description *const *description = gm_workloads(&workloads);
    for (unsigned i = 0; count_arguments == 1 && i < workloads; i++) {
        failed |= measure(description[i]->name);
    }
    return failed;
}
