/* Presets: the papers' machines. Their values and citations are in presets/NAME.yaml. */
#include "config/preset_table.h"

#include <errno.h>
#include <string.h>

const gm_preset *gm_presets(unsigned *count)
{
    *count = gm_preset_table_count;
    return gm_preset_table;
}

static int fail_unknown(const char *name, gm_error *error)
{
    char names[256] = "";
    size_t used = 0;
    for (unsigned i = 0; i < gm_preset_table_count && used < sizeof names - 1; i++) {
        snprintf(names + used, sizeof names - used, "%s%s", i == 0 ? "" : ", ",
                 gm_preset_table[i].name);
        used += strlen(names + used);
    }
    return gm_fail(error, -ENOENT, "%.64s: no such preset; there are %s", name, names);
}

int gm_config_preset(gm_config *config, const char *name, gm_error *error)
{
    for (unsigned i = 0; i < gm_preset_table_count; i++) {
        const gm_preset *preset = &gm_preset_table[i];
        if (strcmp(preset->name, name) == 0) {
            gm_config filled;
            gm_config_defaults(&filled);
            int code =
                gm_config_read_yaml(&filled, name, preset->yaml, strlen(preset->yaml), error);
            if (code == 0) {
                *config = filled;
            }
            return code;
        }
    }
    return fail_unknown(name, error);
}
