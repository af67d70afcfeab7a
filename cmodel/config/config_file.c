/* Reading a configuration file whole. */
#include "config/config_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { LARGEST_FILE = 4 << 20 }; /* bytes; real ones have a few thousand */

int gm_config_file_read(const char *path, char **text, size_t *length, gm_error *error)
{
    *text = malloc(LARGEST_FILE);
    if (*text == NULL) {
        return gm_fail(error, -ENOMEM, "%s: out of memory", path);
    }
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return gm_fail_errno(error, path);
    }
    int code = 0;
    errno = 0;
    *length = fread(*text, 1, LARGEST_FILE, file);
    if (ferror(file)) {
        code = gm_fail_errno(error, path);
    } else if (*length == LARGEST_FILE) {
        code = gm_fail(error, -EINVAL, "%s: not a configuration: it has %d bytes or more", path,
                       LARGEST_FILE);
    }
    fclose(file);
    return code;
}
