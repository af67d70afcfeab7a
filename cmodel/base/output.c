#include "goldmem/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void forget(gm_output *output)
{
    free(output->path);
    free(output->temporary);
    *output = (gm_output){0};
}

int gm_output_open(gm_output *output, const char *path, gm_error *error)
{
    *output = (gm_output){0};
    if (strcmp(path, "-") == 0) {
        output->file = stdout;
        return 0;
    }
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        /* A pipe or a device (/dev/null, /dev/full) is written in place: it cannot be renamed over.
         */
        output->file = S_ISDIR(status.st_mode) ? NULL : fopen(path, "w");
        if (output->file == NULL) {
            errno = S_ISDIR(status.st_mode) ? EISDIR : errno;
            return gm_fail_errno(error, path);
        }
        output->path = strdup(path);
        return output->path != NULL ? 0 : gm_fail(error, -ENOMEM, "%s: out of memory", path);
    }
    output->path = strdup(path);
    if (asprintf(&output->temporary, "%s.XXXXXX", path) < 0) {
        output->temporary = NULL;
    }
    if (output->path == NULL || output->temporary == NULL) {
        forget(output);
        return gm_fail(error, -ENOMEM, "%s: out of memory", path);
    }
    int descriptor = mkostemp(output->temporary, O_CLOEXEC);
    if (descriptor < 0) {
        int code = gm_fail_errno(error, path);
        forget(output);
        return code;
    }
    mode_t mask = umask(0);
    umask(mask);
    fchmod(descriptor, 0666 & ~mask);
    output->file = fdopen(descriptor, "w");
    if (output->file == NULL) {
        int code = gm_fail_errno(error, path);
        close(descriptor);
        unlink(output->temporary);
        forget(output);
        return code;
    }
    return 0;
}

int gm_output_commit(gm_output *output, gm_error *error)
{
    const char *name = output->path != NULL ? output->path : "standard output";
    errno = 0;
    int bad = fflush(output->file) != 0 || ferror(output->file);
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
