/* The goldmem command before a subcommand runs: dispatch, help, version, exit codes. */
#include "support/support.h"

#include <string.h>

/* The expected texts are the interface that docs/running.md promises: one line, and these exit
 * codes. */
static const struct {
    const char *arguments;
    int status;
    const char *errors;
} refusals[] = {
    {"", 2, "goldmem: no subcommand; try 'goldmem --help'\n"},
    {"hlep", 2, "goldmem: no subcommand 'hlep'; did you mean 'help'?\n"},
    {"zzzz", 2, "goldmem: no subcommand 'zzzz'; try 'goldmem --help'\n"},
    {"--frobnicate", 2, "goldmem: no subcommand '--frobnicate'; try 'goldmem --help'\n"},
    {"help zzzz", 2, "goldmem: no subcommand 'zzzz'; try 'goldmem --help'\n"},
    {"--help >/dev/full", 1, "goldmem: standard output: No space left on device\n"},
    {"--version >/dev/full", 1, "goldmem: standard output: No space left on device\n"},
    {"index --json --sets 65536 ipoly ipoly ipoly >/dev/full", 1, /* more than a buffer */
     "goldmem: standard output: No space left on device\n"},
};

static void refuses_in_one_line(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        test_command command = test_run("$GOLDMEM %s", refusals[i].arguments);
        assert_string_equal(command.errors, refusals[i].errors);
        assert_string_equal(command.output, "");
        assert_int_equal(command.status, refusals[i].status);
        test_command_free(&command);
    }
}

static void prints_version(void **state)
{
    (void)state;
    test_command command = test_run("$GOLDMEM --version");
    assert_int_equal(command.status, 0);
    assert_string_equal(command.output, "goldmem " GM_VERSION "\n");
    assert_string_equal(command.errors, "");
    test_command_free(&command);
}

/* Every subcommand in the list has a help with its name, and exits 0. */
static void every_subcommand_has_help(void **state)
{
    (void)state;
    test_command list = test_run("$GOLDMEM --help");
    assert_int_equal(list.status, 0);
    unsigned found = 0;
    char *line = strstr(list.output, "Subcommands:\n");
    assert_non_null(line);
    for (line = strtok(strchr(line, '\n') + 1, "\n"); line != NULL && line[0] == ' ';
         line = strtok(NULL, "\n")) {
        char *name = line + 2;
        name[strcspn(name, " ")] = '\0';
        test_command help = test_run("$GOLDMEM %s --help", name);
        test_command same = test_run("$GOLDMEM help %s", name);
        assert_int_equal(help.status, 0);
        assert_string_equal(help.errors, "");
        assert_non_null(strstr(help.output, "Usage: goldmem"));
        assert_string_equal(same.output, help.output);
        test_command_free(&help);
        test_command_free(&same);
        found++;
    }
    assert_true(found > 0);
    test_command_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_in_one_line),
        cmocka_unit_test(prints_version),
        cmocka_unit_test(every_subcommand_has_help),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
