#include "support/config/gpgpusim.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int test_gpgpusim_read(gm_config *config, const char *text, gm_import *import, gm_error *error)
{
    gm_config_defaults(config);
    return gm_config_read_gpgpusim(config, "g.config", text, strlen(text), import, error);
}

static char *told(const gm_import *import)
{
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    assert_non_null(file);
    for (size_t i = 0; i < import->count; i++) {
        const gm_import_note *note = &import->note[i];
        fputs(note->option, file);
        if (note->kind == GM_IMPORT_UNMODELLED) {
            fprintf(file, " (%s)", note->text);
        } else if (note->kind == GM_IMPORT_UNKNOWN) {
            fprintf(file, " ?%s", note->text);
        }
        fputc('\n', file);
    }
    assert_int_equal(fclose(file), 0);
    return text;
}

void test_gpgpusim_rows(const test_gpgpusim_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        gm_config config;
        gm_config expected;
        gm_error error = {0};
        gm_import import = {0};
        test_ok(test_gpgpusim_read(&config, rows[i].text, &import, &error), error);
        gm_config_defaults(&expected);
        for (size_t j = 0; j < TEST_GPGPUSIM_KEYS && rows[i].same[j] != NULL; j++) {
            test_ok(gm_config_assign(&expected, rows[i].same[j], &error), error);
        }
        expected.preset = config.preset;
        assert_string_equal(config.preset.name, "g.config");
        assert_memory_equal(&config, &expected, sizeof config);
        char *text = told(&import);
        assert_string_equal(text, rows[i].told != NULL ? rows[i].told : "");
        free(text);
        gm_import_free(&import);
    }
}

void test_gpgpusim_refusals(const test_gpgpusim_refusal *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        gm_config config;
        gm_config before;
        gm_error error = {0};
        gm_import import = {0};
        gm_config_defaults(&before);
        assert_int_equal(test_gpgpusim_read(&config, rows[i].text, &import, &error), -EINVAL);
        assert_string_equal(error.text, rows[i].message);
        assert_int_equal(import.count, 0);
        assert_memory_equal(&config, &before, sizeof config); /* nothing half-read */
    }
}
