/* Configuration from and to YAML. */
#include "goldmem/config.h"

#include "config/yaml_keys.h"

#include <errno.h>
#include <string.h>

/* A configuration being read. */
typedef struct filling {
    gm_config config;
    bool dram; /* a key that dram.standard sets was set */
} filling;

static int set(void *into, const char *name, const char *value, gm_error *error)
{
    filling *filling = into;
    if (filling->dram && strcmp(name, "dram.standard") == 0) {
        return gm_fail(
            error, -EINVAL,
            "dram.standard: must be the first key of dram, and before energy.table, since "
            "it sets these");
    }
    filling->dram = filling->dram || strncmp(name, "dram.", strlen("dram.")) == 0 ||
                    strcmp(name, "energy.table") == 0;
    return gm_config_set(&filling->config, name, value, error);
}

int gm_config_read_yaml(gm_config *config, const char *name, const char *text, size_t length,
                        gm_error *error)
{
    filling filled = {*config, false}; /* *config changes only on success */
    unsigned count = 0;
    const gm_key *keys = gm_config_keys(&count);
    const gm_yaml_table table = {.what = "a configuration",
                                 .example = "l1: {ways: 4}",
                                 .names = &keys[0].name,
                                 .count = count,
                                 .stride = sizeof keys[0],
                                 .set = set,
                                 .into = &filled};
    int code = gm_yaml_read_keys(&table, name, text, length, error);
    if (code == 0) {
        snprintf(filled.config.preset.name, sizeof filled.config.preset.name, "%s", name);
        *config = filled.config;
    }
    return code;
}

/* Writes a scalar, single-quoted unless the text is a plain word; '' stands for ' inside. */
static void write_scalar(const char *text, FILE *file)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    if (strspn(text, plain) == strlen(text)) {
        fputs(text, file);
        return;
    }
    putc('\'', file);
    for (; *text != '\0'; text++) {
        if (*text == '\'') {
            putc('\'', file);
        }
        putc(*text, file);
    }
    putc('\'', file);
}

int gm_config_write_yaml(const gm_config *config, FILE *file)
{
    unsigned count = 0;
    const gm_key *keys = gm_config_keys(&count);
    const char *section = "";
    for (unsigned i = 0; i < count; i++) {
        size_t length = strcspn(keys[i].name, ".");
        if (strncmp(section, keys[i].name, length + 1) != 0) {
            section = keys[i].name;
            fprintf(file, "%.*s:\n", (int)length, section);
        }
        char value[GM_CONFIG_TEXT];
        gm_config_get(config, &keys[i], value, sizeof value);
        fprintf(file, "  %s: ", keys[i].name + length + 1);
        write_scalar(value, file);
        putc('\n', file);
    }
    return ferror(file) ? -EIO : 0;
}
