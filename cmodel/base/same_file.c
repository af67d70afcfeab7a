/* Whether two paths name one file: device and inode tell it of files that exist, folder and name of
 * others. */
#include "base/same_file.h"

#include "base/file_links.h"

#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A file's name behind all links: the real path of its folder, and its name there. */
typedef struct full_name {
    char folder[PATH_MAX];
    char *name; /* heap */
} full_name;

/* Finds the full name. Returns false if there is no such folder; the name must be freed either way.
 */
static bool find_name(full_name *full, const char *path)
{
    char *target = strdup(path);
    bool good = target != NULL && gm_follow_links(&target) == 0;
    const char *slash = good ? strrchr(target, '/') : NULL;
    full->name = good ? strdup(slash != NULL ? slash + 1 : target) : NULL;
    good = full->name != NULL && realpath(dirname(target), full->folder) != NULL;
    free(target);
    return good;
}

static bool same_name(const char *a, const char *b)
{
    full_name first = {.name = NULL};
    full_name second = {.name = NULL};
    bool same = find_name(&first, a) && find_name(&second, b) &&
                strcmp(first.folder, second.folder) == 0 && strcmp(first.name, second.name) == 0;
    free(first.name);
    free(second.name);
    return same;
}

bool gm_same_file(const char *a, const char *b)
{
    struct stat first;
    struct stat second;
    bool first_exists = stat(a, &first) == 0;
    bool second_exists = stat(b, &second) == 0;
    if (first_exists && second_exists) {
        return S_ISREG(first.st_mode) && first.st_dev == second.st_dev &&
               first.st_ino == second.st_ino;
    }
    return !first_exists && !second_exists && same_name(a, b);
}
