/* Fuzz target: any bytes as a gpgpusim.config. A failure has a message and changes nothing. */
#include "goldmem/config.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Compares padding too: configurations are zeroed, set field by field and copied whole. */
static bool differ(const void *one, const void *other, size_t size)
{
    return memcmp(one, other, size) != 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gm_config config;
    gm_config before;
    gm_error error = {0};
    gm_import import = {0};
    gm_config_defaults(&config);
    before = config;
    int code = gm_config_read_gpgpusim(&config, "g", (const char *)data, size, &import, &error);
    if (code < 0 &&
        (error.text[0] == '\0' || import.note != NULL || differ(&config, &before, sizeof config))) {
        abort();
    }
    if (code == 0) {
        gm_config_check(&config, &error);
        gm_config_l1_sets(&config);
        gm_config_l2_sets(&config);
    }
    gm_import_free(&import);
    return 0;
}
