/* Profile files: what is refused and how, what is written, and that it reads back. */
#include "policy/profile.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

static const char good[] = "goldmem-profile 1\n"
                           "l1.line 128\n"
                           "gpu.sms 3\n"
                           "sm.warps 48\n"
                           "kernel 0 grid 4 2 1 block 32 1 1 lines 2\n"
                           "1c0 0:3 2:1\n"
                           "1c1 1:4294967295\n"
                           "kernel 1 grid 1 1 1 block 64 2 1 lines 0\n"
                           "end 2\n";

static const gm_kernel kernels[] = {{.name = "a", .grid = {4, 2, 1}, .block = {32, 1, 1}},
                                    {.name = "b", .grid = {1, 1, 1}, .block = {64, 2, 1}}};

static gm_config configuration(const char *path)
{
    gm_config config;
    gm_config_defaults(&config);
    config.gpu.sms = 3;
    config.l1.bypass = GM_BYPASS_PROFILED;
    test_text_copy(config.l1.profile, sizeof config.l1.profile, path);
    return config;
}

/* The error of a file, "" for none. */
static const char *read_file(const void *data, size_t length)
{
    static gm_error error;
    gm_profile *profile;
    gm_config config = configuration(test_file_write("profile", data, length));
    error.text[0] = '\0';
    int code = gm_profile_open(&profile, &config, &error);
    gm_profile_close(profile);
    assert_int_equal(code < 0, error.text[0] != '\0');
    return error.text;
}

/* The good file with `from` replaced. */
static void check_refusal(const char *from, const char *to, const char *expected)
{
    char text[1024];
    char wanted[1024];
    const char *at = strstr(good, from);
    assert_non_null(at);
    (void)snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good), good, to, at + strlen(from));
    const char *error = read_file(text, strlen(text));
    (void)snprintf(wanted, sizeof wanted, "%s/profile:%s", test_folder(), expected);
    if (strcmp(error, wanted) != 0) {
        fail_msg("%s instead of %s: \"%s\", not \"%s\"", to, from, error, wanted);
    }
}

static void refusals(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to, *error;
    } rows[] = {
        {"goldmem-profile 1", "goldmem-profile 2", "1: version '2': must be a number, 1 to 1"},
        {"goldmem-profile", "profile", "1: 'profile': must be 'goldmem-profile'"},
        {"l1.line 128", "l1.line 64", "2: l1.line 64: this run has l1.line=128"},
        {"l1.line 128", "l1.line x", "2: l1.line 'x': must be a number, 1 to 4294967295"},
        {"l1.line 128", "l1.line 128 7", "2: '7': the line should end here"},
        {"gpu.sms 3", "gpu.sms 15", "3: gpu.sms 15: this run has gpu.sms=3"},
        {"sm.warps 48", "sm.warps 32", "4: sm.warps 32: this run has sm.warps=48"},
        {"kernel 0", "kernels 0", "5: 'kernels': must be 'kernel'"},
        {"kernel 0", "kernel 1", "5: kernel '1': must be a number, 0 to 0"},
        {"grid 4 2 1", "grid 4 2", "5: grid 'block': must be a number, 1 to 4294967295"},
        {"block 32", "block 0", "5: block '0': must be a number, 1 to 4294967295"},
        {"lines 2", "lines 3",
         "8: line 'kernel': must be a number, 0 to fffffffffffffffe (hexadecimal)"},
        {"lines 2", "lines 1", "7: '1c1': must be 'kernel'"},
        {"lines 2", "lines -2", "5: lines '-2': must be a number, 0 to 18446744073709551615"},
        {"1c1", "1c0", "7: line '1c0': must be above the one before"},
        {"1c1", "1C1", "7: line '1C1': must be a number, 0 to fffffffffffffffe (hexadecimal)"},
        {"1c1", "fffffffffffffffff",
         "7: line 'fffffffffffffffff': must be a number, 0 to fffffffffffffffe (hexadecimal)"},
        {"2:1", "3:1", "6: SM '3:1': must be a number, 1 to 2"},
        {"2:1", "0:1", "6: SM '0:1': must be a number, 1 to 2"},
        {"2:1", "2:0", "6: references '0': must be a number, 1 to 4294967295"},
        {"2:1", "2 1", "6: SM '2': must be a number, 1 to 2"},
        {"2:1", "2:1 2:1", "6: '2:1': the line should end here"},
        {" 0:3 2:1", "", "6: SM '': must be a number, 0 to 2"},
        {"1:4294967295", "1:4294967296",
         "7: references '4294967296': must be a number, 1 to 4294967295"},
        {"end 2", "end 1", "9: end '1': must be a number, 2 to 2"},
        {"end 2\n", "end 2\n\n", "9: end 2: must be the last line"},
        {"end 2\n", "end 2", "9: the profile is cut short: a kernel, or 'end' should follow"},
        {"end 2\n", "", "9: the profile is cut short: a kernel, or 'end' should follow"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        check_refusal(rows[i].from, rows[i].to, rows[i].error);
    }
}

/* Every shorter file is refused; none with a NUL is read past it. */
static void cut_anywhere(void **state)
{
    (void)state;
    assert_string_equal(read_file(good, sizeof good - 1), "");
    for (size_t length = 0; length < sizeof good - 1; length++) {
        assert_non_null(strstr(read_file(good, length), "/profile:"));
    }
    char text[sizeof good];
    memcpy(text, good, sizeof good);
    *strstr(text, " 2:1") = '\0';
    assert_non_null(strstr(read_file(text, sizeof good - 1), "profile:6: not a line of text"));
    gm_error error;
    gm_profile *profile;
    gm_config config = configuration("/no/such");
    assert_true(gm_profile_open(&profile, &config, &error) < 0);
    assert_string_equal(error.text, "/no/such: No such file or directory");
    gm_profile_close(profile);
}

/* Kernels are asked for by number, in any order, and must have the shape of the profile's. */
static void kernels_of_the_run(void **state)
{
    (void)state;
    gm_error error;
    gm_profile *profile;
    gm_config config = configuration(test_file_write("profile", good, sizeof good - 1));
    config.l1.profile_filter = GM_PROFILE_LOCAL;
    config.l1.profile_threshold = 3;
    test_ok(gm_profile_open(&profile, &config, &error), error);
    test_ok(gm_profile_kernel(profile, 1, &kernels[1], &error), error);
    assert_false(gm_profile_keeps(profile, 0x1c0, 0));
    test_ok(gm_profile_kernel(profile, 0, &kernels[0], &error), error);
    assert_true(gm_profile_keeps(profile, 0x1c0, 0));
    assert_false(gm_profile_keeps(profile, 0x1c0, 2));
    assert_true(gm_profile_keeps(profile, 0x1c1, 1));
    assert_true(gm_profile_kernel(profile, 2, &kernels[0], &error) < 0);
    assert_non_null(strstr(error.text, "profile: the profile has 2 kernels; this run has more"));
    assert_true(gm_profile_kernel(profile, 0, &kernels[1], &error) < 0);
    assert_non_null(strstr(error.text, "profile:5: grid 4 2 1 block 32 1 1: this run's kernel b "
                                       "has grid 1 1 1 block 64 2 1"));
    gm_profile_close(profile);
}

static char *slurp(const char *path)
{
    static char text[4096];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t length = fread(text, 1, sizeof text - 1, file);
    text[length] = '\0';
    fclose(file);
    return text;
}

/* What is counted comes out sorted; without a commit there is no file. */
static void written(void **state)
{
    (void)state;
    gm_error error;
    gm_profile_writer *writer;
    char path[512];
    (void)snprintf(path, sizeof path, "%s/written", test_folder());
    gm_config config = configuration(path);
    for (int commit = 0; commit < 2; commit++) {
        test_ok(gm_profile_writer_open(&writer, path, &config, &error), error);
        gm_profile_count(writer, 0x1c1, 1);
        gm_profile_count(writer, 0x1c0, 2);
        for (unsigned i = 0; i < 3; i++) {
            gm_profile_count(writer, 0x1c0, 0);
        }
        test_ok(gm_profile_writer_kernel(writer, &kernels[0], &error), error);
        test_ok(gm_profile_writer_kernel(writer, &kernels[1], &error), error);
        FILE *none = fopen(path, "r");
        assert_null(none);
        if (commit == 1) {
            test_ok(gm_profile_writer_commit(writer, &error), error);
        }
        gm_profile_writer_free(writer);
    }
    char expected[sizeof good];
    memcpy(expected, good, sizeof good);
    char *count = strstr(expected, "4294967295");
    memmove(count + 1, count + 10, strlen(count + 10) + 1);
    *count = '1';
    assert_string_equal(slurp(path), expected);
    assert_true(gm_profile_writer_open(&writer, "/no/such/file", &config, &error) < 0);
    gm_profile_writer_free(writer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refusals),
        cmocka_unit_test(cut_anywhere),
        cmocka_unit_test(kernels_of_the_run),
        cmocka_unit_test(written),
    };
    return cmocka_run_group_tests(tests, test_folder_setup, test_folder_teardown);
}
