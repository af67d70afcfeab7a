/* Configuration file: read whole into memory, then taken as YAML or gpgpusim.config by its content.
 */
#include "config/config_read.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_FILE = 4 << 20 }; /* bytes; real ones have a few thousand */

int gm_config_read_file(const char *path, char **text, size_t *length, gm_error *error)
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

/* True for a gpgpusim.config: its options begin with '-' and a letter; '- ' and '---' are YAML. */
static bool is_gpgpusim(const char *text, size_t length)
{
    size_t i = 0;
    bool comment = false;
    for (; i < length; i++) {
        comment = text[i] == '#' || (comment && text[i] != '\n');
        if (!comment && !isspace((unsigned char)text[i])) {
            break;
        }
    }
    return i + 1 < length && text[i] == '-' && isalpha((unsigned char)text[i + 1]);
}

int gm_config_read(gm_config *config, const char *path, gm_import *import, gm_error *error)
{
    char *text = NULL;
    size_t length = 0;
    if (import != NULL) {
        *import = (gm_import){0};
    }
    int code = gm_config_read_file(path, &text, &length, error);
    if (code == 0) {
        code = is_gpgpusim(text, length)
                   ? gm_config_read_gpgpusim(config, path, text, length, import, error)
                   : gm_config_read_yaml(config, path, text, length, error);
    }
    free(text);
    return code;
}
