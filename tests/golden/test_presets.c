/* The presets against the papers' own tables (presets.csv, written from the papers). */
#include "support/support.h"

#include "goldmem/config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { FIELDS = 5 };

/* Cuts "a;b;c" in place; returns the number of fields. */
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

static void test_golden_values(void **state)
{
    (void)state;
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
        if (strcmp(fields[1], "l1.sets") == 0) {
            snprintf(text, sizeof text, "%" PRIu64, gm_config_l1_sets(&config));
        } else {
            const gm_key *key = gm_config_find(fields[1]);
            assert_non_null(key);
            gm_config_get(&config, key, text, sizeof text);
        }
        if (strcmp(text, fields[2]) != 0) {
            fail_msg("tests/golden/presets.csv:%u: preset %s has %s=%s, the paper %s: \"%s\" %s",
                     number, fields[0], fields[1], text, fields[2], fields[3], fields[4]);
        }
        rows++;
    }
    fclose(file);
    assert_int_equal(rows, 140);
}

/* Each preset passes the checks, and names itself. */
static void test_presets_are_valid(void **state)
{
    (void)state;
    unsigned count = 0;
    const gm_preset *presets = gm_presets(&count);
    assert_int_equal(count, 5);
    for (unsigned i = 0; i < count; i++) {
        gm_config config;
        gm_error error = {0};
        test_ok(gm_config_preset(&config, presets[i].name, &error), error);
        test_ok(gm_config_check(&config, &error), error);
        assert_string_equal(config.preset.name, presets[i].name);
        assert_non_null(strchr(presets[i].description, '['));
    }
}

/* The defaults are the gtx480 preset, and that file names every key. */
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
    assert_string_equal(error.text, "volta: no such preset; there are fermi-l1d, fermi-sharing, "
                                    "fermi-tc, gtx480, kepler-hybrid");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden_values),
        cmocka_unit_test(test_presets_are_valid),
        cmocka_unit_test(test_defaults_are_gtx480),
        cmocka_unit_test(test_unknown_preset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
