/* Configuration file: YAML or a gpgpusim.config, told apart by content. */
#include "config/config_file.h"
#include "goldmem/config.h"

#include <ctype.h>
#include <stdlib.h>

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
    int code = gm_config_file_read(path, &text, &length, error);
    if (code == 0) {
        code = is_gpgpusim(text, length)
                   ? gm_config_read_gpgpusim(config, path, text, length, import, error)
                   : gm_config_read_yaml(config, path, text, length, error);
    }
    free(text);
    return code;
}
