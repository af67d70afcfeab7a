/* Fuzz target: any bytes as a YAML configuration and as a table of energy constants. A
 * configuration that is read is written as YAML and read back unchanged; a refusal changes nothing.
 */
#include "goldmem/config.h"
#include "goldmem/energy.h"

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

static void read_energy_table(const char *text, size_t length)
{
    gm_error error = {0};
    gm_energy_table table = {.l2 = {{.capacity = 1}, {.capacity = 2}, {.capacity = 3}}};
    table.l2[3].capacity = 4;
    const gm_energy_table before = table;
    if (gm_energy_read_yaml(&table, "e", text, length, &error) < 0 &&
        (error.text[0] == '\0' || differ(&table, &before, sizeof table))) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_energy_table((const char *)data, size);
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
