/* Set histogram: the sets that each divergent instruction of an input touches. */
#include "goldmem/set_histogram.h"

#include "cache/line_map.h"
#include "frontend/coalescer.h"
#include "goldmem/bits.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    gm_set_histogram *histogram;
    const gm_set_index *function;
    gm_coalescer coalescer;
    gm_coalesce_context context;
    gm_line_map seen;
    uint32_t sets;
    uint32_t *count; /* [sets] of one instruction */
} reader;

static uint32_t set_of(const gm_set_index *function, uint64_t line)
{
    return gm_set_index_of(function, line & gm_mask(function->address_bits));
}

/* Counts the sets that one instruction meets under one function, and the lines in the fullest of
 * them. */
static void count_spread(reader *r, unsigned f)
{
    gm_set_use *use = &r->histogram->use[f];
    uint32_t fullest = 0;
    for (uint32_t i = 0; i < r->coalescer.requests; i++) {
        const gm_line_request *request = &r->coalescer.request[i];
        if (!request->local) {
            uint32_t lines = ++r->count[set_of(&r->function[f], request->line)];
            use->sets += lines == 1;
            fullest = lines > fullest ? lines : fullest;
        }
    }
    use->fullest += fullest;
    for (uint32_t i = 0; i < r->coalescer.requests; i++) {
        const gm_line_request *request = &r->coalescer.request[i];
        if (!request->local) {
            r->count[set_of(&r->function[f], request->line)] = 0;
        }
    }
}

static int take_instruction(void *context, const gm_instruction *instruction, gm_error *error)
{
    reader *r = context;
    gm_set_histogram *h = r->histogram;
    uint64_t lines = 0;
    if (instruction->form == GM_ADDRESS_NONE ||
        (instruction->space != GM_SPACE_GLOBAL && instruction->space != GM_SPACE_GENERIC)) {
        return 0;
    }
    gm_coalesce(&r->coalescer, &r->context, instruction);
    for (uint32_t i = 0; i < r->coalescer.requests; i++) {
        const gm_line_request *request = &r->coalescer.request[i];
        if (request->local) {
            continue;
        }
        lines++;
        bool first = gm_line_map_find(&r->seen, request->line) == GM_NO_SLOT;
        if (first) {
            gm_line_map_add(&r->seen, request->line);
            h->lines++;
        }
        for (unsigned f = 0; f < h->functions; f++) {
            uint32_t set = set_of(&r->function[f], request->line);
            h->use[f].requests[set]++;
            h->use[f].lines[set] += first;
        }
    }
    h->requests += lines;
    h->instructions += lines > 0;
    if (lines >= 2) {
        h->divergent++;
        h->divergent_lines += lines;
        for (unsigned f = 0; f < h->functions; f++) {
            count_spread(r, f);
        }
    }
    return r->seen.failed == 0 ? 0
                               : gm_fail(error, r->seen.failed, "out of memory: table of lines");
}

static int ignore_cta(void *context, const uint32_t cta[3], gm_error *error)
{
    (void)context;
    (void)cta;
    (void)error;
    return 0;
}

static int ignore_warp(void *context, uint32_t warp, gm_error *error)
{
    (void)context;
    (void)warp;
    (void)error;
    return 0;
}

static int ignore_end(void *context, gm_error *error)
{
    (void)context;
    (void)error;
    return 0;
}

static int read_source(reader *r, gm_source *source, gm_error *error)
{
    const gm_cta_sink sink = {.context = r,
                              .begin_cta = ignore_cta,
                              .begin_warp = ignore_warp,
                              .instruction = take_instruction,
                              .end_cta = ignore_end};
    gm_command command;
    int code = 0;
    while ((code = gm_source_next_command(source, &command, error)) > 0) {
        if (command.kind != GM_COMMAND_KERNEL) {
            continue;
        }
        r->context = (gm_coalesce_context){.shared_base = command.kernel->shared_base,
                                           .local_base = command.kernel->local_base,
                                           .warp_slots = 1};
        do {
            code = gm_source_next_cta(source, &sink, error);
        } while (code > 0);
        if (code < 0) {
            break;
        }
    }
    return code;
}

static int allocate(gm_set_histogram *histogram, unsigned functions, uint32_t sets, gm_error *error)
{
    *histogram = (gm_set_histogram){.functions = functions};
    histogram->use = calloc(functions, sizeof *histogram->use);
    bool missing = histogram->use == NULL;
    for (unsigned f = 0; !missing && f < functions; f++) {
        gm_set_use *use = &histogram->use[f];
        use->requests = calloc(sets, sizeof *use->requests);
        use->lines = calloc(sets, sizeof *use->lines);
        missing = use->requests == NULL || use->lines == NULL;
    }
    return missing ? gm_fail(error, -ENOMEM, "out of memory") : 0;
}

static int read_with(reader *r, gm_source *source, uint64_t line_bytes, gm_error *error)
{
    gm_arena arena;
    int code = gm_arena_create(&arena, gm_coalescer_bytes(line_bytes), error);
    if (code < 0) {
        return code;
    }
    code = gm_coalescer_init(&r->coalescer, line_bytes, false, &arena, error);
    code = code < 0 ? code : gm_line_map_init(&r->seen, error);
    if (code == 0) {
        code = read_source(r, source, error);
        gm_line_map_free(&r->seen);
    }
    gm_arena_free(&arena);
    return code;
}

int gm_set_histogram_read(gm_set_histogram *histogram, gm_source *source,
                          const gm_set_index *function, unsigned functions, uint64_t line_bytes,
                          gm_error *error)
{
    uint32_t sets = 1u << function[0].bits;
    reader r = {.histogram = histogram, .function = function, .sets = sets};
    if (!gm_is_power_of_two(line_bytes) || line_bytes < 32 || line_bytes > 1024) {
        *histogram = (gm_set_histogram){0};
        return gm_fail(error, -EINVAL, "lines of %llu bytes: must be a power of two, 32 to 1024",
                       (unsigned long long)line_bytes);
    }
    int code = allocate(histogram, functions, sets, error);
    r.count = calloc(sets, sizeof *r.count);
    if (code == 0) {
        code = r.count == NULL ? gm_fail(error, -ENOMEM, "out of memory")
                               : read_with(&r, source, line_bytes, error);
    }
    free(r.count);
    if (code < 0) {
        gm_set_histogram_free(histogram);
    }
    return code;
}

void gm_set_histogram_free(gm_set_histogram *histogram)
{
    for (unsigned f = 0; histogram->use != NULL && f < histogram->functions; f++) {
        free(histogram->use[f].requests);
        free(histogram->use[f].lines);
    }
    free(histogram->use);
    *histogram = (gm_set_histogram){0};
}
