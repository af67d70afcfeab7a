/* New folders: see new_folder.h. */
#include "trace/new_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void forget(gm_new_folder *folder)
{
    if (folder->descriptor >= 0) {
        close(folder->descriptor);
    }
    free(folder->path);
    free(folder->temporary);
    *folder = (gm_new_folder){.descriptor = -1};
}

static int create(gm_new_folder *folder, gm_error *error)
{
    struct stat status;
    if (lstat(folder->path, &status) == 0) {
        errno = EEXIST;
        return gm_fail_errno(error, folder->path);
    }
    if (mkdtemp(folder->temporary) == NULL) {
        return gm_fail_errno(error, folder->path);
    }
    mode_t mask = umask(0);
    umask(mask);
    folder->descriptor = open(folder->temporary, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder->descriptor < 0 || fchmod(folder->descriptor, 0777 & ~mask) != 0) {
        int code = gm_fail_errno(error, folder->path);
        rmdir(folder->temporary);
        return code;
    }
    return 0;
}

int gm_new_folder_open(gm_new_folder *folder, const char *path, gm_error *error)
{
    *folder = (gm_new_folder){.descriptor = -1};
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/') {
        length--;
    }
    folder->path = strndup(path, length);
    if (folder->path == NULL || asprintf(&folder->temporary, "%s.XXXXXX", folder->path) < 0) {
        folder->temporary = NULL;
        forget(folder);
        return gm_fail(error, -ENOMEM, "%s: out of memory", path);
    }
    int code = create(folder, error);
    if (code != 0) {
        forget(folder);
    }
    return code;
}

static void remove_temporary(const gm_new_folder *folder)
{
    DIR *entries = opendir(folder->temporary);
    if (entries != NULL) {
        for (const struct dirent *entry; (entry = readdir(entries)) != NULL;) {
            unlinkat(dirfd(entries), entry->d_name, 0); /* fails for . and .. */
        }
        closedir(entries);
    }
    rmdir(folder->temporary);
}

int gm_new_folder_commit(gm_new_folder *folder, gm_error *error)
{
    /* Does not replace a folder that another process has made meanwhile. Some file systems lack the
     * flag. */
    int failed = renameat2(AT_FDCWD, folder->temporary, AT_FDCWD, folder->path, RENAME_NOREPLACE);
    if (failed != 0 && errno == EINVAL) {
        failed = rename(folder->temporary, folder->path);
    }
    int code = 0;
    if (failed != 0) {
        code = gm_fail_errno(error, folder->path);
        remove_temporary(folder);
    }
    forget(folder);
    return code;
}

void gm_new_folder_discard(gm_new_folder *folder)
{
    remove_temporary(folder);
    forget(folder);
}
