/* The kernel files of a folder without a list, by kernel id. */
#include "trace/folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Returns the length of the name up to its form, or 0 if it is not a kernel file's name. Sets
 * *rank: of several forms, the one of least rank is read. */
static size_t stem_of(const char *name, int *rank)
{
    static const char *const forms[] = {".traceg", ".tracez", ".trace", ".gmt"};
    static const char *const packings[] = {"", ".xz", ".gz", ".zst"};
    if (strncmp(name, "kernel-", 7) != 0 || name[7] < '0' || name[7] > '9') {
        return 0;
    }
    const char *dot = strchr(name, '.');
    if (dot == NULL) {
        return 0;
    }
    for (int form = 0; form < 4; form++) {
        size_t length = strlen(forms[form]);
        for (int packing = 0; packing < 4 && strncmp(dot, forms[form], length) == 0; packing++) {
            if (strcmp(dot + length, packings[packing]) == 0) {
                *rank = form * 4 + packing;
                return (size_t)(dot - name);
            }
        }
    }
    return 0;
}

static int is_kernel_file(const struct dirent *entry)
{
    int rank = 0;
    return stem_of(entry->d_name, &rank) > 0;
}

static int compare(const struct dirent **a, const struct dirent **b)
{
    const char *first = (*a)->d_name;
    const char *second = (*b)->d_name;
    unsigned long long first_id = strtoull(first + 7, NULL, 10);
    unsigned long long second_id = strtoull(second + 7, NULL, 10);
    if (first_id != second_id) {
        return first_id < second_id ? -1 : 1;
    }
    int first_rank = 0;
    int second_rank = 0;
    size_t first_stem = stem_of(first, &first_rank);
    size_t second_stem = stem_of(second, &second_rank);
    size_t shorter = first_stem < second_stem ? first_stem : second_stem;
    int order = memcmp(first, second, shorter);
    if (order == 0 && first_stem != second_stem) {
        return first_stem < second_stem ? -1 : 1;
    }
    return order != 0 ? order : first_rank - second_rank;
}

static bool same_kernel(const char *a, const char *b)
{
    int rank = 0;
    size_t length = stem_of(a, &rank);
    return length == stem_of(b, &rank) && memcmp(a, b, length) == 0;
}

int gm_folder_read(gm_folder *folder, const char *path, gm_error *error)
{
    struct dirent **entries = NULL;
    *folder = (gm_folder){.count = 0};
    int count = scandir(path, &entries, is_kernel_file, compare);
    if (count < 0) {
        return gm_fail_errno(error, path);
    }
    char **names = calloc((size_t)count + 1, sizeof *names);
    bool failed = names == NULL;
    for (int i = 0; i < count && !failed; i++) {
        const char *name = entries[i]->d_name;
        if (i == 0 || !same_kernel(name, entries[i - 1]->d_name)) {
            names[folder->count] = strdup(name);
            failed = names[folder->count] == NULL;
            folder->count += !failed;
        }
    }
    folder->names = names;
    for (int i = 0; i < count; i++) {
        free(entries[i]);
    }
    free(entries);
    if (failed) {
        gm_folder_free(folder);
        return gm_fail(error, -ENOMEM, "%s: out of memory", path);
    }
    if (folder->count == 0) {
        gm_folder_free(folder);
        return gm_fail(error, -EINVAL,
                       "%s: the folder has no kernelslist.g, kernelslist or kernel-N.traceg", path);
    }
    return 0;
}

void gm_folder_free(gm_folder *folder)
{
    for (size_t i = 0; folder->names != NULL && i < folder->count; i++) {
        free(folder->names[i]);
    }
    free(folder->names);
    *folder = (gm_folder){.count = 0};
}
