/* goldmem presets: the list, one preset as YAML that reads back, and its refusals. */
#include "support/support.h"

#include "goldmem/config.h"
#include "goldmem/energy.h"

#include <string.h>

static void test_list(void **state)
{
    (void)state;
    test_command command = test_run("$GOLDMEM presets | cut -d' ' -f1");
    assert_int_equal(command.status, 0);
    assert_string_equal(command.output, "a100\nfermi-l1d\nfermi-sharing\nfermi-tc\ngtx480-dwt-"
                                        "pric\ngtx480\nh100\nkepler-hybrid-tracker\n"
                                        "kepler-hybrid\nkepler-sharing\nrtx3070\nv100\n");
    test_command_free(&command);
}

/* Both spellings print YAML that reads back as the preset. */
static void test_show(void **state)
{
    (void)state;
    static const char *const spellings[] = {"show kepler-hybrid", "kepler-hybrid",
                                            "--cited kepler-hybrid"};
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++) {
        test_command command = test_run("$GOLDMEM presets %s", spellings[i]);
        gm_config config;
        gm_config expected;
        gm_error error = {0};
        assert_int_equal(command.status, 0);
        gm_config_defaults(&config);
        test_ok(gm_config_read_yaml(&config, "kepler-hybrid", command.output, command.output_length,
                                    &error),
                error);
        test_ok(gm_config_preset(&expected, "kepler-hybrid", &error), error);
        assert_memory_equal(&config, &expected, sizeof config);
        test_command_free(&command);
    }
}

/* The printed YAML is accepted by a run. */
static void test_energy(void **state)
{
    (void)state;
    unsigned count = 0;
    const gm_preset *tables = gm_energy_presets(&count);
    test_command command = test_run("$GOLDMEM presets --energy");
    assert_int_equal(command.status, 0);
    assert_int_equal(count, 4);
    assert_string_equal(command.output, tables[0].yaml);
    gm_error error = {0};
    gm_energy_table table = {0};
    test_ok(gm_energy_read_yaml(&table, "t", command.output, command.output_length, &error), error);
    test_command_free(&command);
}

static void test_refusals(void **state)
{
    (void)state;
    static const struct {
        const char *arguments, *message;
    } rows[] = {
        {"volta", "goldmem: volta: no such preset; there are a100, fermi-l1d, fermi-sharing, "
                  "fermi-tc, gtx480-dwt-pric, gtx480, h100, kepler-hybrid-tracker, kepler-hybrid, "
                  "kepler-sharing, rtx3070, v100\n"},
        {"show", "goldmem: no preset named; try 'goldmem presets --help'\n"},
        {"--cited", "goldmem: no preset named; try 'goldmem presets --help'\n"},
        {"--energy gtx480",
         "goldmem: --energy and a preset exclude each other; try 'goldmem presets "
         "--help'\n"},
        {"gtx480 fermi-tc", "goldmem: one preset at a time: 'fermi-tc' is one too many; try "
                            "'goldmem presets --help'\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        test_command command = test_run("$GOLDMEM presets %s", rows[i].arguments);
        assert_int_equal(command.status, 2);
        assert_string_equal(command.errors, rows[i].message);
        assert_string_equal(command.output, "");
        test_command_free(&command);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_show),
        cmocka_unit_test(test_energy),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
