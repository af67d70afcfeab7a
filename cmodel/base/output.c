/* Output files: without a name (O_TMPFILE) or with a temporary one until they are complete. */
#include "goldmem/output.h"

#include "base/file_links.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Temporary names that are tried: one is in use only while another run renames its file. */
enum { TEMPORARY_NAMES = 1000 };

static void forget(gm_output *output)
{
    free(output->path);
    free(output->temporary);
    *output = (gm_output){0};
}

/* Opens a descriptor of the process's own in place: behind what it has written so far. */
static int open_descriptor(gm_output *output, int descriptor, gm_error *error)
{
    int copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    output->file = copy >= 0 ? fdopen(copy, "w") : NULL;
    if (output->file == NULL) {
        int code = gm_fail_errno(error, output->path);
        if (copy >= 0) {
            close(copy);
        }
        return code;
    }
    return 0;
}

/* Opens a pipe or a device (/dev/null, /dev/full) in place, since no file can be renamed over it.
 */
static int open_in_place(gm_output *output, mode_t mode, gm_error *error)
{
    output->file = S_ISDIR(mode) ? NULL : fopen(output->path, "w");
    if (output->file == NULL) {
        errno = S_ISDIR(mode) ? EISDIR : errno;
        return gm_fail_errno(error, output->path);
    }
    return 0;
}

/* Opens a file without a name in the target's folder, which the kernel removes if the process ends
 * early. Returns -1 if the file system has no such files, or cannot name them later. */
static int open_nameless(const char *path)
{
    char *copy = strdup(path);
    if (copy == NULL || access("/proc/self/fd", X_OK) != 0) {
        free(copy);
        return -1;
    }
    int descriptor = open(dirname(copy), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    free(copy);
    return descriptor;
}

static int open_temporary(gm_output *output, gm_error *error)
{
    int descriptor = open_nameless(output->path);
    output->nameless = descriptor >= 0;
    if (!output->nameless) {
        char *name = NULL;
        if (asprintf(&name, "%s.XXXXXX", output->path) < 0) {
            return gm_fail(error, -ENOMEM, "%s: out of memory", output->path);
        }
        output->temporary = name;
        descriptor = mkostemp(name, O_CLOEXEC);
        if (descriptor < 0) {
            return gm_fail_errno(error, output->path);
        }
    }
    mode_t mask = umask(0);
    umask(mask);
    fchmod(descriptor, 0666 & ~mask);
    output->file = fdopen(descriptor, "w");
    if (output->file == NULL) {
        int code = gm_fail_errno(error, output->path);
        close(descriptor);
        if (output->temporary != NULL) {
            unlink(output->temporary);
        }
        return code;
    }
    return 0;
}

/* Opens what the output's path, which is no link, names. */
static int open_target(gm_output *output, gm_error *error)
{
    int descriptor = gm_descriptor_of(output->path);
    if (descriptor >= 0) {
        return open_descriptor(output, descriptor, error);
    }
    struct stat status;
    bool in_place = stat(output->path, &status) == 0 && !S_ISREG(status.st_mode);
    return in_place ? open_in_place(output, status.st_mode, error) : open_temporary(output, error);
}

int gm_output_open(gm_output *output, const char *path, gm_error *error)
{
    *output = (gm_output){0};
    if (strcmp(path, "-") == 0) {
        output->file = stdout;
        return 0;
    }
    output->path = strdup(path);
    if (output->path == NULL) {
        return gm_fail(error, -ENOMEM, "%s: out of memory", path);
    }
    int code = gm_follow_links(&output->path) < 0 ? gm_fail_errno(error, path)
                                                  : open_target(output, error);
    if (code < 0) {
        forget(output);
    }
    return code;
}

int gm_output_check(const char *path, gm_error *error)
{
    gm_output output;
    int code = gm_output_open(&output, path, error);
    gm_output_discard(&output);
    return code;
}

/* Gives the nameless file its temporary name: a link cannot replace the target, as renaming does.
 * Returns 0 or -1 with errno. */
static int link_temporary(gm_output *output)
{
    char from[64];
    snprintf(from, sizeof from, "/proc/self/fd/%d", fileno(output->file));
    int failed = -1;
    for (unsigned i = 0; i < TEMPORARY_NAMES && failed != 0; i++) {
        char *name = NULL;
        if (asprintf(&name, "%s.%06u", output->path, i) < 0) {
            errno = ENOMEM;
            return -1;
        }
        failed = linkat(AT_FDCWD, from, AT_FDCWD, name, AT_SYMLINK_FOLLOW);
        if (failed == 0) {
            output->temporary = name;
            return 0;
        }
        free(name);
        if (errno != EEXIST) {
            return -1;
        }
    }
    return failed;
}

int gm_output_commit(gm_output *output, gm_error *error)
{
    const char *name = output->path != NULL ? output->path : "standard output";
    errno = 0;
    int bad = fflush(output->file) != 0 || ferror(output->file);
    bad = bad || (output->nameless && link_temporary(output) != 0);
    int code = bad ? gm_fail_errno(error, name) : 0;
    if (output->path != NULL && fclose(output->file) != 0 && code == 0) {
        code = gm_fail_errno(error, name);
    }
    if (output->temporary != NULL) {
        if (code == 0 && rename(output->temporary, output->path) != 0) {
            code = gm_fail_errno(error, name);
        }
        if (code != 0) {
            unlink(output->temporary);
        }
    }
    forget(output);
    return code;
}

void gm_output_discard(gm_output *output)
{
    if (output->file != NULL && output->path != NULL) {
        fclose(output->file);
    }
    if (output->temporary != NULL) {
        unlink(output->temporary);
    }
    forget(output);
}
