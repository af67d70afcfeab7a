/* Kernel lists (docs/trace-format.md: files). A list is read twice, once to check it and once to
 * follow it, so that memory does not grow with its length. */
#include "trace/list.h"

#include "goldmem/assert.h"
#include "trace/folder.h"
#include "trace/input.h"
#include "trace/number.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef enum list_kind { LIST_FILE, LIST_FOLDER, LIST_TEXT } list_kind;

struct gm_list {
    list_kind kind;
    char base[PATH_MAX]; /* folder, ending in '/', or "" */
    char path[PATH_MAX]; /* FILE: the file; TEXT: the list */
    char entry[PATH_MAX];
    size_t next;      /* FILE, FOLDER */
    gm_folder folder; /* FOLDER */
    gm_input input;   /* TEXT */
};

static int join(char *to, const char *base, const char *name, size_t length, gm_error *error)
{
    int written = snprintf(to, PATH_MAX, "%s%.*s", base, (int)length, name);
    return written >= 0 && written < PATH_MAX
               ? 0
               : gm_fail(error, -ENAMETOOLONG, "%.60s...: the path is longer than %d bytes", name,
                         PATH_MAX - 1);
}

/* Adds the bytes of a kernel file to `total`. */
static int check_file(const char *path, uint64_t *total, gm_error *error)
{
    struct stat status;
    if (stat(path, &status) != 0) {
        return gm_fail_errno(error, path);
    }
    if (S_ISDIR(status.st_mode)) {
        return gm_fail(error, -EISDIR, "%s: is a folder, not a file", path);
    }
    *total += (uint64_t)(status.st_size > 0 ? status.st_size : 0);
    return 0;
}

/* Parses "MemcpyHtoD,ADDRESS,BYTES". */
static int parse_copy(const gm_input *input, gm_text text, gm_list_entry *entry, gm_error *error)
{
    const char *end = text.start + text.length;
    const char *at = text.start + strlen("MemcpyHtoD");
    entry->kind = GM_COMMAND_COPY;
    if (*at != ',') {
        return gm_input_fail(input, error, -EINVAL,
                             "'%.*s' where 'MemcpyHtoD,ADDRESS,BYTES' is wanted",
                             (int)(text.length < 80 ? text.length : 80), text.start);
    }
    const char *address = ++at;
    if (!gm_scan_hex(&at, &entry->address) || *at != ',') {
        return gm_input_fail(input, error, -EINVAL,
                             "MemcpyHtoD: '%.*s' is not a hexadecimal address of 64 bits, a comma "
                             "and a number of bytes",
                             (int)(end - address < 80 ? end - address : 80), address);
    }
    const char *bytes = ++at;
    if (!gm_scan_decimal(&at, &entry->bytes) || at != end) {
        return gm_input_fail(input, error, -EINVAL,
                             "MemcpyHtoD: bytes: '%.*s' is not a decimal number",
                             (int)(end - bytes < 80 ? end - bytes : 80), bytes);
    }
    return 0;
}

/* Finds the next line that has a meaning; skips lines that upstream ignores. */
static int next_line(gm_list *list, gm_list_entry *entry, gm_error *error)
{
    gm_text text;
    int code;
    while ((code = gm_input_peek(&list->input, &text, error)) > 0) {
        char after = '\0';
        if (gm_text_starts(text, "MemcpyHtoD")) {
            after = text.start[strlen("MemcpyHtoD")];
        }
        bool is_copy = after != '\0' && ((after | 0x20) < 'a' || (after | 0x20) > 'z');
        if (is_copy) {
            code = parse_copy(&list->input, text, entry, error);
        } else if (gm_text_starts(text, "kernel")) {
            entry->kind = GM_COMMAND_KERNEL;
            entry->path = list->entry;
            code = join(list->entry, list->base, text.start, text.length, NULL);
            if (code < 0) {
                code = gm_input_fail(&list->input, error, code, "the path is longer than %d bytes",
                                     PATH_MAX - 1);
            }
        } else {
            gm_input_advance(&list->input);
            continue;
        }
        return code < 0 ? code : 1;
    }
    return code;
}

int gm_list_next(gm_list *list, gm_list_entry *entry, gm_error *error)
{
    *entry = (gm_list_entry){.kind = GM_COMMAND_KERNEL, .path = list->entry};
    switch (list->kind) {
    case LIST_FILE:
        entry->path = list->path;
        return list->next++ == 0;
    case LIST_FOLDER: {
        if (list->next == list->folder.count) {
            return 0;
        }
        const char *name = list->folder.names[list->next++];
        int code = join(list->entry, list->base, name, strlen(name), error);
        return code < 0 ? code : 1;
    }
    case LIST_TEXT: {
        int code = next_line(list, entry, error);
        if (code > 0) {
            gm_input_advance(&list->input);
        }
        return code;
    }
    }
    return -EINVAL;
}

/* Checks a list in its first reading: every line that has a meaning, and the files named. */
static int check_text(gm_list *list, uint64_t *total, gm_error *error)
{
    gm_list_entry entry;
    uint64_t commands = 0;
    int code;
    while ((code = next_line(list, &entry, error)) > 0) {
        if (entry.kind == GM_COMMAND_KERNEL) {
            gm_error reason;
            code = check_file(entry.path, total, &reason);
            if (code < 0) {
                return gm_input_fail(&list->input, error, code, "%.400s", reason.text);
            }
        }
        commands++;
        gm_input_advance(&list->input);
    }
    if (code < 0) {
        return code;
    }
    gm_input_close(&list->input);
    if (commands == 0) {
        return gm_fail(error, -EINVAL,
                       "%s: neither a kernel list (no line starts with 'kernel' or 'MemcpyHtoD') "
                       "nor a kernel file (which starts with '-kernel name')",
                       list->path);
    }
    return gm_input_open_file(&list->input, list->path, NULL, error);
}

/* Returns true if a file's name and first character are those of a kernel file. A raw one begins
 * with '#', as does a comment of a list. */
static bool is_kernel_file(const char *path, char first)
{
    static const char list[] = "kernelslist";
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    return first == '-' || (first == '#' && strncmp(name, list, sizeof list - 1) != 0);
}

/* Opens a regular file; its first line tells a kernel file from a list. */
static int open_file(gm_list *list, uint64_t *total, gm_error *error)
{
    int code = gm_input_open_file(&list->input, list->path, NULL, error);
    gm_text text;
    if (code < 0 || (code = gm_input_peek(&list->input, &text, error)) < 0) {
        return code;
    }
    if (code == 0) {
        return gm_fail(error, -EINVAL, "%s: the file is empty", list->path);
    }
    if (is_kernel_file(list->path, *text.start)) {
        gm_input_close(&list->input);
        list->kind = LIST_FILE;
        return check_file(list->path, total, error);
    }
    list->kind = LIST_TEXT;
    const char *slash = strrchr(list->path, '/');
    size_t length = slash == NULL ? 0 : (size_t)(slash + 1 - list->path);
    memcpy(list->base, list->path, length);
    return check_text(list, total, error);
}

/* Opens a folder: its list if it has one, else its kernel files. */
static int open_folder(gm_list *list, uint64_t *total, gm_error *error)
{
    static const char *const lists[] = {"kernelslist.g", "kernelslist"};
    size_t length = strlen(list->path);
    memcpy(list->base, list->path, length + 1);
    if (length + 1 < sizeof list->base && length > 0 && list->base[length - 1] != '/') {
        memcpy(list->base + length, "/", 2);
    }
    for (int i = 0; i < 2; i++) {
        struct stat status;
        int code = join(list->entry, list->base, lists[i], strlen(lists[i]), error);
        if (code < 0) {
            return code;
        }
        if (stat(list->entry, &status) == 0) {
            memcpy(list->path, list->entry, sizeof list->path);
            return open_file(list, total, error);
        }
    }
    list->kind = LIST_FOLDER;
    int code = gm_folder_read(&list->folder, list->path, error);
    for (size_t i = 0; code == 0 && i < list->folder.count; i++) {
        const char *name = list->folder.names[i];
        code = join(list->entry, list->base, name, strlen(name), error);
        code = code < 0 ? code : check_file(list->entry, total, error);
    }
    return code;
}

int gm_list_open(gm_list **list, const char *path, uint64_t *total, gm_error *error)
{
    struct stat status;
    *total = 0;
    if (stat(path, &status) != 0) {
        return gm_fail_errno(error, path);
    }
    gm_list *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return gm_fail(error, -ENOMEM, "%s: out of memory", path);
    }
    int code = join(made->path, "", path, strlen(path), error);
    if (code == 0) {
        if (S_ISDIR(status.st_mode)) {
            code = open_folder(made, total, error);
        } else if (S_ISREG(status.st_mode)) {
            code = open_file(made, total, error);
        } else {
            made->kind = LIST_FILE; /* a pipe cannot be read twice */
        }
    }
    if (code < 0) {
        gm_list_close(made);
        return code;
    }
    *list = made;
    return 0;
}

void gm_list_close(gm_list *list)
{
    if (list != NULL) {
        gm_input_close(&list->input);
        gm_folder_free(&list->folder);
        free(list);
    }
}

int gm_list_each_file(const char *path,
                      int (*each)(void *context, const char *file, gm_error *error), void *context,
                      gm_error *error)
{
    gm_list *list = NULL;
    uint64_t total = 0;
    int code = gm_list_open(&list, path, &total, error);
    if (code < 0) {
        return code;
    }
    gm_assert(list != NULL, "%s: opened, and no list", path);
    if (list->kind == LIST_TEXT) {
        code = each(context, list->path, error);
    }
    gm_list_entry entry;
    int more = 1;
    while (code == 0 && (more = gm_list_next(list, &entry, error)) > 0) {
        code = entry.kind == GM_COMMAND_KERNEL ? each(context, entry.path, error) : 0;
    }
    gm_list_close(list);
    return code != 0 ? code : more;
}
