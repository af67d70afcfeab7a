/* The presets against the papers' own tables (presets.csv, written from the papers). */
#include "support/support.h"

#include "goldmem/config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { FIELDS = 5 };

/* Cuts "a;b;c" in place. Returns the number of fields. */
static unsigned cut(char *line, char *fields[FIELDS])
{
    unsigned count = 0;
    char *rest = NULL;
    for (char *field = strtok_r(line, ";\n", &rest); field != NULL;
         field = strtok_r(NULL, ";\n", &rest)) {
        assert_true(count < FIELDS);
        fields[count++] = field;
    }
    return count;
}

/* Returns the bandwidth of all channels [GB/s]: bytes per clock of the data buses times the clock.
 */
static void peak_of(const gm_config *config, char *text, size_t size)
{
    uint64_t buses =
        config->memory.partitions * config->dram.channels * config->dram.pseudo_channels;
    uint64_t bytes = buses * config->dram.burst * config->clock.dram;
    snprintf(text, size, "%.1f", (double)bytes / (double)config->dram.burst_cycles / 1000);
}

/* Returns the value of a key, or of a quantity derived from keys. */
static void value_of(const gm_config *config, const char *name, char *text, size_t size)
{
    if (strcmp(name, "l1.sets") == 0) {
        snprintf(text, size, "%" PRIu64, gm_config_l1_sets(config));
    } else if (strcmp(name, "dram.peak") == 0) {
        peak_of(config, text, size);
    } else {
        const gm_key *key = gm_config_find(name);
        assert_non_null(key);
        gm_config_get(config, key, text, size);
    }
}

static void test_golden_values(void **state)
{
    (void)state;
    unsigned presets = 0;
    unsigned peaks = 0;
    gm_presets(&presets);
    FILE *file = fopen("tests/golden/presets.csv", "r");
    assert_non_null(file);
    char line[512];
    unsigned rows = 0;
    for (unsigned number = 1; fgets(line, sizeof line, file) != NULL; number++) {
        char *fields[FIELDS] = {line, line, line, line, line};
        char text[GM_CONFIG_TEXT];
        gm_config config;
        gm_error error = {0};
        if (line[0] == '#') {
            continue;
        }
        assert_int_equal(cut(line, fields), FIELDS);
        test_ok(gm_config_preset(&config, fields[0], &error), error);
        value_of(&config, fields[1], text, sizeof text);
        if (strcmp(text, fields[2]) != 0) {
            fail_msg("tests/golden/presets.csv:%u: preset %s has %s=%s, the paper %s: \"%s\" %s",
                     number, fields[0], fields[1], text, fields[2], fields[3], fields[4]);
        }
        rows++;
        peaks += strcmp(fields[1], "dram.peak") == 0;
    }
    fclose(file);
    assert_int_equal(rows, 229);
    assert_int_equal(peaks, presets);
}

/* kepler-sharing is fermi-sharing with the L2 of [tabbakh, VII-C]; the section names no other
 * difference. */
static void test_kepler_sharing_differs_in_its_l2(void **state)
{
    (void)state;
    unsigned count = 0;
    const gm_key *keys = gm_config_keys(&count);
    gm_config fermi;
    gm_config kepler;
    gm_error error = {0};
    test_ok(gm_config_preset(&fermi, "fermi-sharing", &error), error);
    test_ok(gm_config_preset(&kepler, "kepler-sharing", &error), error);
    for (unsigned i = 0; i < count; i++) {
        char of_fermi[GM_CONFIG_TEXT];
        char of_kepler[GM_CONFIG_TEXT];
        gm_config_get(&fermi, &keys[i], of_fermi, sizeof of_fermi);
        gm_config_get(&kepler, &keys[i], of_kepler, sizeof of_kepler);
        bool of_l2 =
            strcmp(keys[i].name, "l2.size") == 0 || strcmp(keys[i].name, "memory.partitions") == 0;
        if ((strcmp(of_fermi, of_kepler) != 0) != of_l2) {
            fail_msg("%s: %s and %s", keys[i].name, of_fermi, of_kepler);
        }
    }
}

/* Each preset passes the checks and has its own name. */
static void test_presets_are_valid(void **state)
{
    (void)state;
    unsigned count = 0;
    const gm_preset *presets = gm_presets(&count);
    assert_int_equal(count, 12);
    for (unsigned i = 0; i < count; i++) {
        gm_config config;
        gm_error error = {0};
        test_ok(gm_config_preset(&config, presets[i].name, &error), error);
        test_ok(gm_config_check(&config, &error), error);
        assert_string_equal(config.preset.name, presets[i].name);
        assert_non_null(strchr(presets[i].description, '['));
    }
}

/* The defaults are the gtx480 preset, whose file names every key. */
static void test_defaults_are_gtx480(void **state)
{
    (void)state;
    unsigned count = 0;
    const gm_key *keys = gm_config_keys(&count);
    gm_config defaults;
    gm_config config;
    gm_error error = {0};
    gm_config_defaults(&defaults);
    test_ok(gm_config_preset(&config, "gtx480", &error), error);
    defaults.preset = config.preset;
    assert_memory_equal(&config, &defaults, sizeof config);

    const gm_preset *presets = gm_presets(&(unsigned){0});
    const char *yaml = NULL;
    for (; yaml == NULL; presets++) {
        yaml = strcmp(presets->name, "gtx480") == 0 ? presets->yaml : NULL;
    }
    for (unsigned i = 0; i < count; i++) {
        char name[64];
        snprintf(name, sizeof name, "\n  %s: ", strchr(keys[i].name, '.') + 1);
        assert_non_null(strstr(yaml, name));
    }
}

static void test_unknown_preset(void **state)
{
    (void)state;
    gm_config config;
    gm_error error = {0};
    assert_true(gm_config_preset(&config, "volta", &error) < 0);
    assert_string_equal(error.text,
                        "volta: no such preset; there are a100, fermi-l1d, fermi-sharing, "
                        "fermi-tc, gtx480-dwt-pric, gtx480, h100, kepler-hybrid-tracker, "
                        "kepler-hybrid, kepler-sharing, rtx3070, v100");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden_values),
        cmocka_unit_test(test_kepler_sharing_differs_in_its_l2),
        cmocka_unit_test(test_presets_are_valid),
        cmocka_unit_test(test_defaults_are_gtx480),
        cmocka_unit_test(test_unknown_preset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
