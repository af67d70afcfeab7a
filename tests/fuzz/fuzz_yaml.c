/* Fuzz target: any bytes as a YAML configuration. What is read must pass through YAML unchanged. */
#include "goldmem/config.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Padding included: configurations are zeroed, set field by field and copied whole. */
static bool differ(const void *one, const void *other, size_t size)
{
    return memcmp(one, other, size) != 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gm_config config;
    gm_config again;
    gm_error error = {0};
    gm_config_defaults(&config);
    gm_config_defaults(&again);
    if (gm_config_read_yaml(&config, "c", (const char *)data, size, &error) < 0) {
        if (error.text[0] == '\0' || differ(&config, &again, sizeof config)) {
            abort();
        }
        return 0;
    }
    gm_config_check(&config, &error);
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    if (file == NULL || gm_config_write_yaml(&config, file) < 0 || fclose(file) != 0 ||
        gm_config_read_yaml(&again, "c", text, length, &error) < 0 ||
        differ(&config, &again, sizeof config)) {
        abort();
    }
    free(text);
    return 0;
}
