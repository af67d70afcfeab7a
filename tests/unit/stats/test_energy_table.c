/* Tables of energy constants: the built-in one against the paper, files of a user's own, and the
 * message for each way to be wrong. */
#include "goldmem/energy.h"
#include "support/support.h"

#include <errno.h>
#include <string.h>

/* [anssari, Table 4.3], typed in once more: thousandths of mm^2, mW, pJ, KB. */
static const gm_energy_table paper = {
    .l1 = {.area = 5760, .leakage = 170380, .read = 30500, .write = 44400},
    .l1_two_ports = {.area = 5790, .leakage = 183110, .read = 30500, .write = 44500},
    .trackers = {{.area = 70, .leakage = 13350, .read = 2300, .write = 3900},
                 {.area = 50, .leakage = 12720, .read = 1700, .write = 2900},
                 {.area = 70, .leakage = 12300, .read = 1200, .write = 2100}},
    .l2 = {{128000, 460, 59820, 62100, 61500},
           {256000, 560, 81260, 67700, 67500},
           {512000, 810, 124270, 78500, 77200},
           {1024000, 1250, 211240, 99700, 96100}},
    .wire = 144,
    .dram = 4480000,
};

static gm_config machine(const char *table)
{
    gm_config config;
    gm_error error = {0};
    gm_config_defaults(&config);
    if (table != NULL) {
        test_ok(gm_config_set(&config, "energy.table", table, &error), error);
    }
    return config;
}

static void the_built_in_table_is_the_papers(void **state)
{
    (void)state;
    gm_error error = {0};
    gm_energy_table table;
    gm_config config = machine(NULL);
    assert_string_equal(config.energy.table, "anssari-22nm");
    test_ok(gm_energy_read(&table, &config, &error), error);
    assert_memory_equal(&table, &paper, sizeof table);
}

/* Other tables rely on it. */
static void the_built_in_table_names_every_key(void **state)
{
    (void)state;
    unsigned presets = 0;
    const gm_preset *preset = gm_energy_presets(&presets);
    assert_int_equal(presets, 4);
    gm_error error = {0};
    gm_energy_table table;
    memset(&table, 0xff, sizeof table);
    test_ok(gm_energy_read_yaml(&table, preset->name, preset->yaml, strlen(preset->yaml), &error),
            error);
    unsigned count = 0;
    const gm_energy_key *keys = gm_energy_keys(&count);
    assert_int_equal(count, 9 * 4 + 4 + 3);
    for (unsigned i = 0; i < count; i++) {
        uint64_t value = 0;
        memcpy(&value, (const char *)&table + keys[i].offset, sizeof value);
        if (value == UINT64_MAX) {
            fail_msg("%s: not in the table", keys[i].name);
        }
    }
}

static void a_file_changes_what_it_names(void **state)
{
    (void)state;
    static const char text[] =
        "dram: {access: 0.5}\nl2_4:\n  capacity: 2048 # KB\n  read: 1000000\n";
    gm_error error = {0};
    gm_energy_table table;
    gm_energy_table expected = paper;
    expected.dram = 500;
    expected.l2[3].capacity = 2048000;
    expected.l2[3].read = 1000000000;
    gm_config config = machine(test_file_write("table.yaml", text, strlen(text)));
    test_ok(gm_energy_read(&table, &config, &error), error);
    assert_memory_equal(&table, &expected, sizeof table);
}

static const struct {
    const char *text, *message;
} refusals[] = {
    {"dram:\n  access: -1\n", "t.yaml:2: dram.access=-1: must be a number of pJ from 0 to 1000000, "
                              "with at most 3 decimal places"},
    {"l1: {area: 1000000.001}\n",
     "t.yaml:1: l1.area=1000000.001: must be a number of mm^2 from 0 to "
     "1000000, with at most 3 decimal places"},
    {"l1: {area: 12345678}\n", "t.yaml:1: l1.area=12345678: must be a number of mm^2 from 0 to "
                               "1000000, with at most 3 decimal places"},
    {"\nl1: {read: 30.5555}\n", "t.yaml:2: l1.read=30.5555: must be a number of pJ from 0 to "
                                "1000000, with at most 3 decimal places"},
    {"l1: {read: 30.}\n",
     "t.yaml:1: l1.read=30.: must be a number of pJ from 0 to 1000000, with at "
     "most 3 decimal places"},
    {"l1: {read: .5}\n", "t.yaml:1: l1.read=.5: must be a number of pJ from 0 to 1000000, with at "
                         "most 3 decimal places"},
    {"l1: {read: 1e3}\n",
     "t.yaml:1: l1.read=1e3: must be a number of pJ from 0 to 1000000, with at "
     "most 3 decimal places"},
    {"l1: {leakage: }\n",
     "t.yaml:1: l1.leakage=: must be a number of mW from 0 to 1000000, with at "
     "most 3 decimal places"},
    {"l1: {leak: 1}\n", "t.yaml:1: l1.leak: no such key; did you mean l1.read?"},
    {"l1: {reads: 1}\n", "t.yaml:1: l1.reads: no such key; did you mean l1.read?"},
    {"l1: {read: 1, read: 2}\n", "t.yaml:1: l1.read: given before, in line 1"},
    {"l1: {capacity: 64}\n", "t.yaml:1: l1.capacity: no such key; did you mean l2_1.capacity?"},
    {"tracker_8: {read: 1}\n",
     "t.yaml:1: tracker_8: no such section; there are l1, l1_two_ports, tracker_1, tracker_2, "
     "tracker_4, l2_1, l2_2, l2_3, l2_4, interconnect, dram"},
    {"l1.read: 1\n", "t.yaml:1: l1.read: no such section; write l1.read as l1: {read: VALUE}"},
    {"l1: [1]\n", "t.yaml:1: a list has no meaning in an energy table"},
    {"4\n", "t.yaml:1: expected sections with keys, such as l1: {read: 30.5}"},
    {"l2_2: {capacity: 128}\n", "t.yaml: l2_2.capacity=128: must be more than l2_1.capacity=128"},
    {"l2_1: {capacity: 2048}\n", "t.yaml: l2_2.capacity=256: must be more than l2_1.capacity=2048"},
};

static void bad_tables_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        gm_error error = {0};
        gm_energy_table table = paper;
        const char *text = refusals[i].text;
        assert_int_equal(gm_energy_read_yaml(&table, "t.yaml", text, strlen(text), &error),
                         -EINVAL);
        assert_string_equal(error.text, refusals[i].message);
        assert_memory_equal(&table, &paper, sizeof table);
    }
}

static void a_table_that_is_not_there(void **state)
{
    (void)state;
    gm_error error = {0};
    gm_energy_table table = paper;
    gm_config config = machine("anssari-22mn");
    assert_int_equal(gm_energy_read(&table, &config, &error), -ENOENT);
    assert_string_equal(error.text,
                        "energy.table=anssari-22mn: neither a file nor a built-in table; "
                        "of these there are anssari-22nm, dram-gddr6, dram-hbm2, dram-hbm2e");
    assert_memory_equal(&table, &paper, sizeof table);
    config = machine("/tmp");
    assert_int_equal(gm_energy_read(&table, &config, &error), -EISDIR);
    assert_string_equal(error.text, "/tmp: Is a directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_built_in_table_is_the_papers),
        cmocka_unit_test(the_built_in_table_names_every_key),
        cmocka_unit_test_setup_teardown(a_file_changes_what_it_names, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test(bad_tables_are_refused),
        cmocka_unit_test(a_table_that_is_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
