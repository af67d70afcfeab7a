/* An external merge sort of text lines: runs of sorted lines, merged 64 at a time. A run is sorted
 * in memory by the bytes of its keys. */
#include "trace/line_sort.h"

#include "trace/input.h"
#include "trace/sort_runs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { WARP_BYTES = sizeof(uint32_t), KEY_BYTES = WARP_BYTES + sizeof(uint64_t) };

struct gm_line_sort {
    gm_sorted_line *lines; /* of the run in memory; `text` points into `bytes` */
    gm_sorted_line *spare; /* as many, for the sort */
    size_t count, capacity;
    size_t next; /* line to hand out when all lines fitted */
    char *bytes;
    size_t used, size;
    gm_sort_file file; /* finished runs */
    gm_merge *merge;   /* NULL when all lines fitted */
};

int gm_line_sort_open(gm_line_sort **sort, size_t memory, gm_error *error)
{
    gm_line_sort *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: sort");
    }
    made->size = memory < GM_INPUT_LINE ? GM_INPUT_LINE : memory;
    made->capacity = made->size / sizeof *made->lines;
    made->bytes = calloc(1, made->size + GM_INPUT_PADDING);
    made->lines = malloc(made->capacity * sizeof *made->lines);
    made->spare = malloc(made->capacity * sizeof *made->spare);
    if (made->bytes == NULL || made->lines == NULL || made->spare == NULL) {
        gm_line_sort_close(made);
        return gm_fail(error, -ENOMEM, "out of memory: sort");
    }
    *sort = made;
    return 0;
}

/* Returns byte `place` of the line's key, from the lowest: first those of the warp, then those of
 * the cta. */
static unsigned key_byte(const gm_sorted_line *line, unsigned place)
{
    return place < WARP_BYTES ? line->warp >> (8 * place) & UINT8_MAX
                              : (unsigned)(line->cta >> (8 * (place - WARP_BYTES))) & UINT8_MAX;
}

/* Sorts the lines by one byte of their keys; those of equal bytes keep their order. */
static void sort_by_byte(gm_line_sort *sort, unsigned place)
{
    size_t to[UINT8_MAX + 1] = {0}; /* place of the next line of each byte */
    size_t below = 0;
    for (size_t i = 0; i < sort->count; i++) {
        to[key_byte(&sort->lines[i], place)]++;
    }
    for (unsigned byte = 0; byte <= UINT8_MAX; byte++) {
        size_t equal = to[byte];
        to[byte] = below;
        below += equal;
    }
    for (size_t i = 0; i < sort->count; i++) {
        sort->spare[to[key_byte(&sort->lines[i], place)]++] = sort->lines[i];
    }
    gm_sorted_line *sorted = sort->spare;
    sort->spare = sort->lines;
    sort->lines = sorted;
}

/* Sorts the lines by cta and warp. They were added in the order of their numbers, which lines of a
 * warp keep. */
static void sort_lines(gm_line_sort *sort)
{
    gm_sorted_line differ = {.cta = 0}; /* the bits of the keys in which any two lines differ */
    for (size_t i = 0; i < sort->count; i++) {
        differ.cta |= sort->lines[i].cta ^ sort->lines[0].cta;
        differ.warp |= sort->lines[i].warp ^ sort->lines[0].warp;
    }
    for (unsigned place = 0; place < KEY_BYTES; place++) {
        if (key_byte(&differ, place) != 0) {
            sort_by_byte(sort, place);
        }
    }
}

static int write_run(gm_line_sort *sort, gm_error *error)
{
    int code = sort->file.file == NULL ? gm_sort_file_open(&sort->file, error) : 0;
    if (code < 0 || (code = gm_sort_file_begin_run(&sort->file, error)) < 0) {
        return code;
    }
    sort_lines(sort);
    for (size_t i = 0; i < sort->count; i++) {
        code = gm_sort_file_write(&sort->file, &sort->lines[i], error);
        if (code < 0) {
            return code;
        }
    }
    sort->count = 0;
    sort->used = 0;
    return gm_sort_file_end_run(&sort->file, error);
}

int gm_line_sort_add(gm_line_sort *sort, const gm_sorted_line *line, gm_error *error)
{
    if (sort->count == sort->capacity || sort->size - sort->used < line->length) {
        int code = write_run(sort, error);
        if (code < 0) {
            return code;
        }
    }
    char *text = sort->bytes + sort->used;
    memcpy(text, line->text, line->length);
    sort->used += line->length;
    sort->lines[sort->count] = *line;
    sort->lines[sort->count++].text = text;
    return 0;
}

/* Merges GM_MERGE_WAYS runs at a time into a new file of fewer runs. */
static int merge_pass(gm_line_sort *sort, gm_error *error)
{
    gm_sort_file fewer;
    int code = gm_sort_file_open(&fewer, error);
    for (size_t first = 0; code >= 0 && first < sort->file.count; first += GM_MERGE_WAYS) {
        size_t left = sort->file.count - first;
        gm_merge *merge = NULL;
        gm_sorted_line line;
        code = gm_merge_open(&merge, &sort->file, first,
                             left < GM_MERGE_WAYS ? left : GM_MERGE_WAYS, error);
        if (code == 0) {
            code = gm_sort_file_begin_run(&fewer, error);
        }
        while (code >= 0 && (code = gm_merge_next(merge, &line, error)) > 0) {
            code = gm_sort_file_write(&fewer, &line, error);
        }
        if (code == 0) {
            code = gm_sort_file_end_run(&fewer, error);
        }
        gm_merge_close(merge);
    }
    if (code < 0) {
        gm_sort_file_close(&fewer);
        return code;
    }
    gm_sort_file_close(&sort->file);
    sort->file = fewer;
    return 0;
}

int gm_line_sort_finish(gm_line_sort *sort, gm_error *error)
{
    if (sort->file.file == NULL) {
        sort_lines(sort);
        return 0;
    }
    int code = write_run(sort, error);
    free(sort->bytes);
    free(sort->lines);
    free(sort->spare);
    sort->bytes = NULL;
    sort->lines = NULL;
    sort->spare = NULL;
    while (code == 0 && sort->file.count > GM_MERGE_WAYS) {
        code = merge_pass(sort, error);
    }
    return code < 0 ? code : gm_merge_open(&sort->merge, &sort->file, 0, sort->file.count, error);
}

int gm_line_sort_next(gm_line_sort *sort, gm_sorted_line *line, gm_error *error)
{
    if (sort->merge != NULL) {
        return gm_merge_next(sort->merge, line, error);
    }
    if (sort->next == sort->count) {
        return 0;
    }
    *line = sort->lines[sort->next++];
    return 1;
}

void gm_line_sort_close(gm_line_sort *sort)
{
    if (sort != NULL) {
        gm_merge_close(sort->merge);
        gm_sort_file_close(&sort->file);
        free(sort->bytes);
        free(sort->lines);
        free(sort->spare);
        free(sort);
    }
}
