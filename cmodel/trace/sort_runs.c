/* Sorted runs in a temporary file. A run is a sequence of records: cta, number, warp, length, text.
 */
#include "trace/sort_runs.h"

#include "trace/input.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct record_head {
    uint64_t cta;
    uint64_t number;
    uint32_t warp;
    uint32_t length;
} record_head;

enum { RUN_BUFFER = 2 * (GM_INPUT_LINE + (int)sizeof(record_head)) };

int gm_sorted_line_compare(const gm_sorted_line *a, const gm_sorted_line *b)
{
    if (a->cta != b->cta) {
        return a->cta < b->cta ? -1 : 1;
    }
    if (a->warp != b->warp) {
        return a->warp < b->warp ? -1 : 1;
    }
    return a->number < b->number ? -1 : a->number > b->number;
}

int gm_sort_file_open(gm_sort_file *file, gm_error *error)
{
    *file = (gm_sort_file){.count = 0};
    const char *folder = getenv("TMPDIR");
    char path[PATH_MAX];
    int length = snprintf(path, sizeof path, "%s/goldmem-XXXXXX",
                          folder != NULL && *folder != '\0' ? folder : "/tmp");
    if (length < 0 || (size_t)length >= sizeof path) {
        return gm_fail(error, -ENAMETOOLONG, "TMPDIR: the path is too long");
    }
    int descriptor = mkstemp(path);
    if (descriptor < 0) {
        return gm_fail_errno(error, path);
    }
    unlink(path);
    file->file = fdopen(descriptor, "w+b");
    if (file->file == NULL) {
        close(descriptor);
        return gm_fail(error, -ENOMEM, "out of memory: temporary file");
    }
    return 0;
}

int gm_sort_file_begin_run(gm_sort_file *file, gm_error *error)
{
    if (file->count == file->capacity) {
        size_t capacity = file->capacity * 2 + 16;
        gm_sort_run *runs = realloc(file->runs, capacity * sizeof *runs);
        if (runs == NULL) {
            return gm_fail(error, -ENOMEM, "out of memory: %zu runs", capacity);
        }
        file->runs = runs;
        file->capacity = capacity;
    }
    file->runs[file->count++] = (gm_sort_run){file->length, file->length};
    return 0;
}

int gm_sort_file_write(gm_sort_file *file, const gm_sorted_line *line, gm_error *error)
{
    record_head head = {line->cta, line->number, line->warp, line->length};
    if (fwrite(&head, sizeof head, 1, file->file) != 1 ||
        fwrite(line->text, 1, line->length, file->file) != line->length) {
        return gm_fail_errno(error, "temporary file for a raw trace");
    }
    file->length += (off_t)(sizeof head + line->length);
    return 0;
}

int gm_sort_file_end_run(gm_sort_file *file, gm_error *error)
{
    file->runs[file->count - 1].end = file->length;
    return fflush(file->file) == 0 ? 0 : gm_fail_errno(error, "temporary file for a raw trace");
}

void gm_sort_file_close(gm_sort_file *file)
{
    if (file->file != NULL) {
        (void)fclose(file->file);
    }
    free(file->runs);
    *file = (gm_sort_file){.count = 0};
}

typedef struct merge_way {
    off_t at, end;       /* offsets of what is not read yet */
    size_t used, filled; /* of `buffer` */
    gm_sorted_line line; /* the way's first line */
    char buffer[RUN_BUFFER + GM_INPUT_PADDING];
} merge_way;

struct gm_merge {
    int file;
    size_t count;                   /* of `heap` */
    merge_way *heap[GM_MERGE_WAYS]; /* least line first */
    bool started;                   /* heap[0]'s line was handed out */
    merge_way ways[];
};

/* Loads the way's next line. Returns 1, 0 at its end, or a negative errno value. */
static int load(const gm_merge *merge, merge_way *way, gm_error *error)
{
    record_head head;
    size_t held = way->filled - way->used;
    if (held < sizeof head + GM_INPUT_LINE && way->at < way->end) {
        memmove(way->buffer, way->buffer + way->used, held);
        way->used = 0;
        way->filled = held;
        size_t room = RUN_BUFFER - held;
        size_t wanted = (off_t)room < way->end - way->at ? room : (size_t)(way->end - way->at);
        while (wanted > 0) {
            ssize_t got = pread(merge->file, way->buffer + way->filled, wanted, way->at);
            if (got <= 0) {
                errno = got == 0 ? EIO : errno;
                return gm_fail_errno(error, "temporary file for a raw trace");
            }
            way->filled += (size_t)got;
            way->at += got;
            wanted -= (size_t)got;
        }
    }
    if (way->used == way->filled) {
        return 0;
    }
    memcpy(&head, way->buffer + way->used, sizeof head);
    way->line = (gm_sorted_line){.cta = head.cta,
                                 .number = head.number,
                                 .warp = head.warp,
                                 .length = head.length,
                                 .text = way->buffer + way->used + sizeof head};
    way->used += sizeof head + head.length;
    return 1;
}

static void sift_down(gm_merge *merge)
{
    size_t at = 0;
    for (;;) {
        size_t least = at;
        for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < merge->count; child++) {
            if (gm_sorted_line_compare(&merge->heap[child]->line, &merge->heap[least]->line) < 0) {
                least = child;
            }
        }
        if (least == at) {
            return;
        }
        merge_way *way = merge->heap[at];
        merge->heap[at] = merge->heap[least];
        merge->heap[least] = way;
        at = least;
    }
}

static void push(gm_merge *merge, merge_way *way)
{
    size_t at = merge->count++;
    while (at > 0 && gm_sorted_line_compare(&way->line, &merge->heap[(at - 1) / 2]->line) < 0) {
        merge->heap[at] = merge->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    merge->heap[at] = way;
}

int gm_merge_open(gm_merge **merge, const gm_sort_file *file, size_t first, size_t count,
                  gm_error *error)
{
    gm_merge *made = calloc(1, sizeof *made + count * sizeof(merge_way));
    if (made == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: merge of %zu runs", count);
    }
    made->file = fileno(file->file);
    for (size_t i = 0; i < count; i++) {
        merge_way *way = &made->ways[i];
        way->at = file->runs[first + i].start;
        way->end = file->runs[first + i].end;
        int code = load(made, way, error);
        if (code < 0) {
            free(made);
            return code;
        }
        if (code > 0) {
            push(made, way);
        }
    }
    *merge = made;
    return 0;
}

int gm_merge_next(gm_merge *merge, gm_sorted_line *line, gm_error *error)
{
    if (merge->started && merge->count > 0) {
        int code = load(merge, merge->heap[0], error);
        if (code < 0) {
            return code;
        }
        if (code == 0) {
            merge->heap[0] = merge->heap[--merge->count];
        }
        sift_down(merge);
    }
    merge->started = true;
    if (merge->count == 0) {
        return 0;
    }
    *line = merge->heap[0]->line;
    return 1;
}

void gm_merge_close(gm_merge *merge)
{
    free(merge);
}
