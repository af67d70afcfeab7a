/* How fast traces are parsed: megabytes of plain text and instructions a second through gm_source,
 * with a sink that does nothing but count. Usage: bench_trace_parse PATH [REPEATS] */
#include "goldmem/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef struct totals {
    uint64_t ctas, instructions, memory, lanes;
} totals;

static int begin_cta(void *context, const uint32_t cta[3], gm_error *error)
{
    (void)cta;
    (void)error;
    ((totals *)context)->ctas++;
    return 0;
}

static int begin_warp(void *context, uint32_t warp, gm_error *error)
{
    (void)context;
    (void)warp;
    (void)error;
    return 0;
}

static int count_instruction(void *context, const gm_instruction *instruction, gm_error *error)
{
    (void)error;
    totals *sum = context;
    sum->instructions++;
    sum->memory += instruction->width > 0;
    sum->lanes += instruction->addresses;
    return 0;
}

static int end_cta(void *context, gm_error *error)
{
    (void)context;
    (void)error;
    return 0;
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Reads it all once. Returns 0 or a negative errno value. */
static int read_all(const char *path, totals *sum, uint64_t *bytes, gm_error *error)
{
    gm_cta_sink sink = {sum, begin_cta, begin_warp, count_instruction, end_cta};
    gm_source *source = NULL;
    gm_command command;
    int code = gm_trace_open(&source, path, error);
    while (code >= 0 && (code = gm_source_next_command(source, &command, error)) > 0) {
        while (command.kind == GM_COMMAND_KERNEL &&
               (code = gm_source_next_cta(source, &sink, error)) > 0) {
        }
    }
    if (source != NULL) {
        *bytes += gm_source_progress(source).done;
    }
    gm_source_close(source);
    return code;
}

int main(int arguments, char **argument)
{
    if (arguments < 2) {
        (void)fprintf(stderr, "usage: bench_trace_parse PATH [REPEATS]\n");
        return 2;
    }
    long repeats = arguments > 2 ? strtol(argument[2], NULL, 10) : 1;
    totals sum = {0};
    uint64_t bytes = 0;
    gm_error error;
    double start = seconds();
    for (long i = 0; i < repeats; i++) {
        if (read_all(argument[1], &sum, &bytes, &error) < 0) {
            (void)fprintf(stderr, "%s\n", error.text);
            return 1;
        }
    }
    double time = seconds() - start;
    printf("%.0f MB/s, %.1f million instructions/s (%llu instructions, %llu with memory, %llu "
           "addresses, %llu thread blocks, %.1f MB in %.2f s)\n",
           (double)bytes * 1e-6 / time, (double)sum.instructions * 1e-6 / time,
           (unsigned long long)sum.instructions, (unsigned long long)sum.memory,
           (unsigned long long)sum.lanes, (unsigned long long)sum.ctas, (double)bytes * 1e-6, time);
    return 0;
}
