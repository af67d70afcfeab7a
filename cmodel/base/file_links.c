/* Symbolic links that lead to files, and names of descriptors. */
#include "base/file_links.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_LINKS = 40 }; /* followed to a file, as Linux does */

int gm_descriptor_of(const char *path)
{
    char folder[PATH_MAX];
    char own[PATH_MAX];
    char *copy = strdup(path);
    bool is_own = copy != NULL && realpath(dirname(copy), folder) != NULL &&
                  realpath("/proc/self/fd", own) != NULL && strcmp(folder, own) == 0;
    free(copy);
    const char *slash = strrchr(path, '/');
    if (!is_own || slash == NULL || slash[1] < '0' || slash[1] > '9') {
        return -1;
    }
    char *end = NULL;
    long number = strtol(slash + 1, &end, 10);
    return *end == '\0' && number <= INT_MAX ? (int)number : -1;
}

/* Replaces a path, that of a symbolic link, by the link's target. Returns 0 or -1 with errno. */
static int follow(char **path, const char *target)
{
    char *folder = strdup(*path);
    char *next = NULL;
    int length = -1;
    if (folder != NULL) {
        length = target[0] == '/' ? asprintf(&next, "%s", target)
                                  : asprintf(&next, "%s/%s", dirname(folder), target);
    }
    free(folder);
    if (length < 0) {
        errno = ENOMEM;
        return -1;
    }
    free(*path);
    *path = next;
    return 0;
}

int gm_follow_links(char **path)
{
    char target[PATH_MAX];
    for (unsigned i = 0; gm_descriptor_of(*path) < 0; i++) {
        ssize_t length = readlink(*path, target, sizeof target - 1);
        if (length < 0) {
            return 0;
        }
        target[length] = '\0';
        if (i == MOST_LINKS) {
            errno = ELOOP;
            return -1;
        }
        if (follow(path, target) < 0) {
            return -1;
        }
    }
    return 0;
}
