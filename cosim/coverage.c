/* Verilator's coverage counts, summed over the instances: each cover point by name, lines, branches
 * and toggles. One record of its file is C '^Akey^Bvalue^Akey^Bvalue...' count. */
#include "engine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef enum kind { POINT, LINE, BRANCH, TOGGLE, KINDS } kind;

static const char *const kind_name[] = {"cover points", "lines", "branches", "toggles"};

typedef struct item {
    char name[256]; /* key: kind, file, line, column, comment */
    char label[256];
    kind kind;
    uint64_t count;
} item;

/* Reads the value of a key in a record. Returns false if the key is absent. */
static bool value_of(const char *record, const char *key, char *value, size_t size)
{
    char pattern[8];
    snprintf(pattern, sizeof pattern, "\001%s\002", key);
    const char *at = strstr(record, pattern);
    if (at == NULL) {
        return false;
    }
    at += strlen(pattern);
    size_t length = strcspn(at, "\001'");
    if (length >= size) {
        length = size - 1;
    }
    memcpy(value, at, length);
    value[length] = '\0';
    return true;
}

/* Reads the item of a record. Returns false for an item outside the block (in the generated top).
 */
static bool read_record(const char *record, item *found)
{
    char file[128];
    char line[16] = "";
    char column[16] = "";
    char page[128];
    char comment[96] = "";
    char lines[64] = "";
    if (!value_of(record, "f", file, sizeof file) || !value_of(record, "page", page, sizeof page) ||
        strstr(file, ".d/top.sv") != NULL) {
        return false;
    }
    value_of(record, "l", line, sizeof line);
    value_of(record, "n", column, sizeof column);
    value_of(record, "o", comment, sizeof comment);
    bool has_lines = value_of(record, "S", lines, sizeof lines) && lines[0] != '\0';
    if (strncmp(page, "v_user/", 7) == 0) {
        found->kind = POINT;
        snprintf(found->label, sizeof found->label, "%s", comment);
    } else if (strncmp(page, "v_toggle/", 9) == 0) {
        found->kind = TOGGLE;
        snprintf(found->label, sizeof found->label, "%s:%s: %s", file, line, comment);
    } else {
        found->kind = has_lines ? LINE : BRANCH;
        snprintf(found->label, sizeof found->label, "%s:%s", file, has_lines ? lines : line);
    }
    snprintf(found->name, sizeof found->name, "%u %s %s %s %s", (unsigned)found->kind, file, line,
             column, comment);
    const char *end = strrchr(record, '\'');
    found->count = end == NULL ? 0 : strtoull(end + 1, NULL, 10);
    return true;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const item *)a)->name, ((const item *)b)->name);
}

/* Merges equal items of several instances. Returns the number of items left. */
static size_t merge(item *items, size_t count)
{
    if (count == 0) {
        return 0;
    }
    size_t last = 0;
    qsort(items, count, sizeof *items, by_name);
    for (size_t i = 1; i < count; i++) {
        if (strcmp(items[i].name, items[last].name) == 0) {
            items[last].count += items[i].count;
        } else {
            items[++last] = items[i];
        }
    }
    return last + 1;
}

static void print(FILE *file, const char *block, const item *items, size_t count, gm_stop *stop)
{
    uint64_t total[KINDS] = {0};
    uint64_t hit[KINDS] = {0};
    for (const item *i = items; i < items + count; i++) {
        total[i->kind]++;
        hit[i->kind] += i->count > 0;
        if (i->kind == POINT) {
            fprintf(file, "  %-32s %llu\n", i->label, (unsigned long long)i->count);
        }
        if (i->count == 0) {
            bool needed = i->kind == POINT || i->kind == LINE;
            fprintf(file, "  never: %s\n", i->label);
            *stop = needed ? GM_STOP_COVERAGE : *stop;
        }
    }
    fprintf(file, "%s: coverage:", block);
    /* Toggles are only counted in some builds. */
    for (unsigned k = 0; k < KINDS && (k != TOGGLE || total[k] != 0); k++) {
        fprintf(file, "%s %llu of %llu %s", k == 0 ? "" : ",", (unsigned long long)hit[k],
                (unsigned long long)total[k], kind_name[k]);
    }
    fputc('\n', file);
    if (total[POINT] == 0 || total[LINE] == 0) {
        *stop = GM_STOP_COVERAGE;
    }
}

/* Reads all records of the file. */
static int read_items(FILE *file, item **items, size_t *count, gm_error *error)
{
    char record[2048];
    size_t room = 0;
    while (fgets(record, sizeof record, file) != NULL) {
        if (*count == room) {
            room = 2 * room + 1024;
            item *more = realloc(*items, room * sizeof **items);
            if (more == NULL) {
                return gm_fail(error, -ENOMEM, "out of memory");
            }
            *items = more;
        }
        item found = {0};
        if (record[0] == 'C' && read_record(record, &found)) {
            (*items)[(*count)++] = found;
        }
    }
    return 0;
}

/* Appends a line to the counts: fails on a full disk, which has cut them. */
static int end_counts(const char *path, gm_error *error)
{
    FILE *file = fopen(path, "a");
    if (file == NULL) {
        return gm_fail_errno(error, path);
    }
    fputs("# end\n", file);
    return fclose(file) == 0 ? 0 : gm_fail_errno(error, path);
}

int gm_coverage_report(FILE *file, const char *path, const char *block, gm_stop *stop,
                       gm_error *error)
{
    int code = end_counts(path, error);
    FILE *counts = code == 0 ? fopen(path, "r") : NULL;
    if (code < 0) {
        return code;
    }
    if (counts == NULL) {
        return gm_fail_errno(error, path);
    }
    item *items = NULL;
    size_t count = 0;
    code = read_items(counts, &items, &count, error);
    fclose(counts);
    if (code == 0) {
        print(file, block, items, merge(items, count), stop);
    }
    free(items);
    return code;
}
