#include "support/gpgpusim.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int test_gpgpusim_read(gm_config *config, const char *text, char **ignored, gm_error *error)
{
    gm_config_defaults(config);
    return gm_config_read_gpgpusim(config, "g.config", text, strlen(text), ignored, error);
}

void test_gpgpusim_rows(const test_gpgpusim_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        gm_config config;
        gm_config expected;
        gm_error error = {0};
        char *ignored = NULL;
        test_ok(test_gpgpusim_read(&config, rows[i].text, &ignored, &error), error);
        gm_config_defaults(&expected);
        for (size_t j = 0; j < TEST_GPGPUSIM_KEYS && rows[i].same[j] != NULL; j++) {
            test_ok(gm_config_assign(&expected, rows[i].same[j], &error), error);
        }
        expected.preset = config.preset;
        assert_string_equal(config.preset.name, "g.config");
        assert_memory_equal(&config, &expected, sizeof config);
        assert_string_equal(ignored != NULL ? ignored : "",
                            rows[i].ignored != NULL ? rows[i].ignored : "");
        free(ignored);
    }
}

void test_gpgpusim_refusals(const test_gpgpusim_refusal *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        gm_config config;
        gm_config before;
        gm_error error = {0};
        char *ignored = NULL;
        gm_config_defaults(&before);
        assert_int_equal(test_gpgpusim_read(&config, rows[i].text, &ignored, &error), -EINVAL);
        assert_string_equal(error.text, rows[i].message);
        assert_null(ignored);
        assert_memory_equal(&config, &before, sizeof config); /* nothing half-read */
    }
}
