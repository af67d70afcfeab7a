/* The interconnect of a gpgpusim.config: a file of its network simulator beside it, or options. */
#include "support/config/gpgpusim.h"

#include <errno.h>
#include <string.h>

/* An interconnect file, the keys that it makes, and the notes on it: at most two. */
static const struct {
    const char *file;
    const char *same[TEST_GPGPUSIM_KEYS];
    const char *notes[3];
} rows[] = {
    {"// the GTX480's\nuse_map = 0;\nflit_size = 40; \nnetwork_count = 2;\n\n"
     "topology = fly;\nk = 21;\nn = 1;\nnum_vcs     = 1;\nvc_buf_size = 64;\n"
     "vc_allocator = islip; //separable_input_first;\ninternal_speedup  = 2.0;\n"
     "packet_size ={{1,2,3,4},{10,20}};\nsubnets = 2;\n",
     {"noc.flit=40", "noc.buffer=64", "noc.ejection=64", "noc.speedup=2", "noc.allocation=1",
      "noc.latency=9"},
     {"its delays and allocators: noc.latency is 9, or 7 with sm.write_port; one round of iSLIP"}},
    {"topology=fly;n=2;internal_speedup=1.5;",
     {"noc.latency=9"},
     {"its delays and allocators: noc.latency is 9, or 7 with sm.write_port; one round of iSLIP",
      "its topology: a crossbar"}},
    {"topology = mesh; k = 6; n = 2; num_vcs = 4; internal_speedup = 2.0;",
     {"noc.topology=mesh", "noc.channels=4"},
     {"its delays and allocators: noc.latency is 9, or 7 with sm.write_port; one round of iSLIP",
      "its internal_speedup: 1, with a mesh or several num_vcs"}},
    {"num_vcs = 2; vc_buf_size = 4096; num_vcs = 1; internal_speedup = 9;",
     {"noc.latency=9", "noc.buffer=1024", "noc.ejection=1024", "noc.speedup=4", "noc.allocation=1"},
     {"its delays and allocators: noc.latency is 9, or 7 with sm.write_port; one round of iSLIP",
      "noc.buffer is 1024, the most that it can be"}},
    {"// nothing",
     {"noc.latency=9"},
     {"its delays and allocators: noc.latency is 9, or 7 with sm.write_port; one round of iSLIP"}},
};

static int read_both(gm_config *config, const char *text, const char *file, gm_import *import,
                     gm_error *error)
{
    (void)test_file_write("net.icnt", file, strlen(file));
    gm_config_defaults(config);
    return gm_config_read(config, test_file_write("g.config", text, strlen(text)), import, error);
}

static void takes_the_file_beside_it(void **state)
{
    (void)state;
    static const char text[] = "-icnt_flit_size 32\n-inter_config_file net.icnt\n-network_mode 1\n"
                               "-icnt_in_buffer_limit 7";
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gm_config config;
        gm_config expected;
        gm_error error = {0};
        gm_import import = {0};
        test_ok(read_both(&config, text, rows[i].file, &import, &error), error);
        gm_config_defaults(&expected);
        for (size_t j = 0; j < TEST_GPGPUSIM_KEYS && rows[i].same[j] != NULL; j++) {
            test_ok(gm_config_assign(&expected, rows[i].same[j], &error), error);
        }
        expected.preset = config.preset;
        assert_memory_equal(&config, &expected, sizeof config);
        for (size_t j = 0; j < 3 && rows[i].notes[j] != NULL; j++) {
            assert_true(j < import.count);
            assert_string_equal(import.note[j].option, "-inter_config_file");
            assert_string_equal(import.note[j].value, "net.icnt");
            assert_string_equal(import.note[j].text, rows[i].notes[j]);
            assert_int_equal(import.note[j].line, 2);
        }
        gm_import_free(&import);
    }
}

/* A chain of that simulator has one mode: the other's options do nothing. */
static void takes_one_of_both(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t buffer, latency;
        size_t notes;
    } modes[] = {
        {"-inter_config_file net.icnt\n-icnt_in_buffer_limit 7\n-network_mode 2", 7, 4, 0},
        {"-inter_config_file net.icnt\n-icnt_in_buffer_limit 7\n-network_mode 1", 64, 9, 1},
        {"-inter_config_file net.icnt\n-icnt_in_buffer_limit 7", 64, 9, 1}, /* its default */
        {"-inter_config_file none.icnt\n-icnt_in_buffer_limit 7\n-network_mode 1", 8, 6, 1},
        {"-icnt_in_buffer_limit 7\n-network_mode 1", 8, 6, 0},
    };
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        gm_config config;
        gm_error error = {0};
        gm_import import = {0};
        test_ok(read_both(&config, modes[i].text, "vc_buf_size = 64;", &import, &error), error);
        assert_int_equal(config.noc.buffer, modes[i].buffer);
        assert_int_equal(config.noc.latency, modes[i].latency);
        assert_int_equal(import.count, modes[i].notes);
        gm_import_free(&import);
    }
}

static void tells_that_the_file_is_missing(void **state)
{
    (void)state;
    gm_config config;
    gm_error error = {0};
    gm_import import = {0};
    test_ok(read_both(&config, "-inter_config_file none.icnt", "", &import, &error), error);
    assert_int_equal(import.count, 1);
    assert_string_equal(import.note[0].text,
                        "no such file in its folder: noc.* describe the interconnect");
    gm_import_free(&import);
}

static void refuses_modes_that_there_are_not(void **state)
{
    (void)state;
    static const char *const modes[] = {"0", "3"};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        char text[64];
        char message[128];
        gm_config config;
        gm_error error = {0};
        gm_import import = {0};
        snprintf(text, sizeof text, "-n_clusters 4\n-network_mode %s", modes[i]);
        snprintf(message, sizeof message, ":2: -network_mode %s: that simulator has 1 and 2",
                 modes[i]);
        assert_int_equal(read_both(&config, text, "", &import, &error), -EINVAL);
        assert_non_null(strstr(error.text, message));
        gm_import_free(&import);
    }
}

static void refuses_what_is_wrong(void **state)
{
    (void)state;
    static const struct {
        const char *file, *message;
    } wrong[] = {
        {"num_vcs = 1;\n\nvc_buf_size = many;",
         ":3: vc_buf_size many: must be a number, at least 1"},
        {"flit_size = 0;", ":1: flit_size 0: must be a number, at least 1"},
        {"internal_speedup = 2.x;", ":1: internal_speedup 2.x: must be a number, at least 1"},
        {"num_vcs = 1.0;", ":1: num_vcs 1.0: must be a number, at least 1"},
        {"\n num_vcs = 1", ":2: num_vcs: its value has no ';' behind it"},
        {"num_vcs; n = 1;", ":1: 'num_vcs;n': expected 'key = value;'"},
        {"a = 1; b", ":1: 'b': expected 'key = value;'"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        gm_config config;
        gm_config before;
        gm_error error = {0};
        gm_config_defaults(&before);
        assert_int_equal(
            read_both(&config, "-inter_config_file net.icnt", wrong[i].file, NULL, &error),
            -EINVAL);
        const char *name = strstr(error.text, "/net.icnt");
        assert_non_null(name);
        assert_string_equal(name + strlen("/net.icnt"), wrong[i].message);
        assert_memory_equal(&config, &before, sizeof config);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(takes_the_file_beside_it, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(takes_one_of_both, test_folder_setup, test_folder_teardown),
        cmocka_unit_test_setup_teardown(tells_that_the_file_is_missing, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(refuses_modes_that_there_are_not, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(refuses_what_is_wrong, test_folder_setup,
                                        test_folder_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
