/* goldmem run: its outputs against all files that it reads. */
#include "cli/output_files.h"
#include "cli/run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The files that keys name. */
static int protect_keys(const gm_cli_outputs *outputs, const gm_config *config, gm_error *error)
{
    unsigned count = 0;
    const gm_key *keys = gm_config_keys(&count);
    int code = 0;
    for (unsigned i = 0; code == 0 && i < count; i++) {
        char text[GM_CONFIG_TEXT];
        if (keys[i].type != GM_KEY_FILE && keys[i].type != GM_KEY_INDEX) {
            continue;
        }
        gm_config_get(config, &keys[i], text, sizeof text);
        if (keys[i].type == GM_KEY_INDEX) {
            code = gm_cli_protect_index(outputs, text, error);
        } else if (strcmp(text, keys[i].special) != 0) {
            code = gm_cli_protect_file(outputs, text, error);
        }
    }
    return code;
}

/* The interconnect file beside a gpgpusim.config, if the import read one. */
static int protect_network(const gm_cli_outputs *outputs, const char *config,
                           const gm_import *import, gm_error *error)
{
    int code = 0;
    for (size_t i = 0; code == 0 && i < import->count; i++) {
        const gm_import_note *note = &import->note[i];
        if (strcmp(note->option, "-inter_config_file") == 0) {
            const char *slash = note->value[0] == '/' ? NULL : strrchr(config, '/');
            int folder = slash != NULL ? (int)(slash + 1 - config) : 0;
            char path[4096];
            snprintf(path, sizeof path, "%.*s%s", folder, config, note->value);
            code = gm_cli_protect_file(outputs, path, error);
        }
    }
    return code;
}

/* The designs in "BLOCK[:FILE],...". */
static int protect_rtl(const gm_cli_outputs *outputs, const char *rtl, gm_error *error)
{
    char *copy = strdup(rtl);
    int code = copy != NULL ? 0 : gm_fail(error, -ENOMEM, "out of memory");
    char *rest = NULL;
    for (char *block = copy != NULL ? strtok_r(copy, ",", &rest) : NULL; code == 0 && block != NULL;
         block = strtok_r(NULL, ",", &rest)) {
        const char *colon = strchr(block, ':');
        code = colon != NULL ? gm_cli_protect_file(outputs, colon + 1, error) : 0;
    }
    free(copy);
    return code;
}

int gm_run_protect_inputs(const gm_run_arguments *arguments, const gm_config *config,
                          const gm_import *import, gm_error *error)
{
    const gm_cli_outputs outputs = gm_run_outputs(arguments);
    gm_cli_outputs but_checkpoint = outputs;
    but_checkpoint.count--;
    int code = gm_cli_protect_input(&outputs, arguments->input, error);
    code = code < 0 ? code : gm_cli_protect_file(&but_checkpoint, arguments->resume, error);
    code = code < 0 ? code : protect_keys(&outputs, config, error);
    if (code == 0 && arguments->config != NULL) {
        code = gm_cli_protect_file(&outputs, arguments->config, error);
        code = code < 0 ? code : protect_network(&outputs, arguments->config, import, error);
    }
    return code < 0 || arguments->rtl == NULL ? code : protect_rtl(&outputs, arguments->rtl, error);
}
