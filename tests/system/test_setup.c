/* scripts/setup.sh with missing packages: with and without root, sudo and apt-get, which are
 * stand-ins in a folder that is the whole PATH. */
#include "support/support.h"

#include <stdio.h>
#include <string.h>

/* Commands of the stand-in system. Each writes its arguments to $LOG. */
#define FAKE(name, body) "printf '#!/bin/sh\\n" body "\\n' >" name "; "
static const char *const no_packages = FAKE("dpkg-query", "exit 1");
static const char *const all_packages = FAKE("dpkg-query", "echo install ok installed");
static const char *const root = FAKE("id", "echo 0");
static const char *const user = FAKE("id", "echo 1000");
static const char *const apt = FAKE("apt-get", "echo \"apt-get $*\" >>\"$LOG\"");
static const char *const broken_apt = FAKE("apt-get", "echo E: no network; exit 100");
static const char *const sudo = FAKE("sudo", "[ $1 = -n ] && exit 0; echo sudo >>\"$LOG\"; \"$@\"");
static const char *const locked_sudo = FAKE("sudo", "exit 1");

static const struct {
    const char *const *system[4]; /* what it has */
    const char *errors;           /* up to the list of packages */
    const char *log;              /* as grep patterns, one a line */
    int status;
} cases[] = {
    {{&all_packages, &user}, "", "", 0},
    {{&no_packages, &user},
     "goldmem: these packages are missing and apt-get is not here to install them: gcc",
     "",
     1},
    {{&no_packages, &user, &apt},
     "goldmem: run as root, or with sudo available, to install: gcc",
     "",
     1},
    {{&no_packages, &user, &apt, &locked_sudo},
     "goldmem: run as root, or with sudo available, to install: gcc",
     "",
     1},
    {{&no_packages, &user, &apt, &sudo}, "", "sudo\napt-get update\nsudo\napt-get install", 0},
    {{&no_packages, &root, &apt}, "", "apt-get update\napt-get install", 0},
    {{&no_packages, &root, &broken_apt},
     "E: no network\ngoldmem: apt-get could not install: gcc",
     "",
     1},
};

static void one_line_when_nothing_works(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char make[2048] = "";
        for (size_t k = 0; k < 4 && cases[i].system[k] != NULL; k++) {
            size_t length = strlen(make);
            snprintf(make + length, sizeof make - length, "%s", *cases[i].system[k]);
        }
        const char *folder = test_folder_make();
        test_command command = test_run(
            "top=$PWD; cd '%s' && mkdir bin && cd bin && { %s } && chmod +x * && "
            "for tool in grep cat tail rm mktemp; do ln -s $(command -v $tool) .; done; cd ..; "
            ">log; LOG=$PWD/log PATH=$PWD/bin /bin/sh $top/scripts/setup.sh run </dev/null >out; "
            "status=$?; cut -d' ' -f1,2 log; exit $status",
            folder, make);
        assert_int_equal(command.status, cases[i].status);
        size_t length = strlen(cases[i].errors);
        if (length == 0 ? command.errors_length != 0
                        : strncmp(command.errors, cases[i].errors, length) != 0) {
            fail_msg("case %zu: %s", i, command.errors);
        }
        size_t logged = strlen(cases[i].log);
        if (strncmp(command.output, cases[i].log, logged) != 0 ||
            (logged == 0 && command.output_length != 0)) {
            fail_msg("case %zu: %s", i, command.output);
        }
        test_command_free(&command);
        test_folder_remove();
    }
}

/* Returns the packages that `run`, `test` or `regress` installs where none is present. */
static test_command packages_of(const char *level)
{
    const char *folder = test_folder_make();
    test_command command = test_run(
        "top=$PWD; cd '%s' && mkdir bin && cd bin && { %s%s%s } && chmod +x * && "
        "for tool in grep cat tail rm mktemp; do ln -s $(command -v $tool) .; done; cd ..; "
        "LOG=$PWD/log PATH=$PWD/bin /bin/sh $top/scripts/setup.sh %s </dev/null >out && "
        "sed -n 's/.*--no-install-recommends//p' log | tr ' ' '\\n' | sort",
        folder, no_packages, root, apt, level);
    assert_int_equal(command.status, 0);
    test_folder_remove();
    return command;
}

/* The tests need no compiler but gcc, no gnuplot and no valgrind. */
static void each_level_adds_packages(void **state)
{
    (void)state;
    test_command run = packages_of("run");
    test_command test = packages_of("test");
    test_command regress = packages_of("regress");
    static const char *const only_regress[] = {"\nclang\n", "\ngnuplot-nox\n", "\nvalgrind\n"};
    for (size_t i = 0; i < sizeof only_regress / sizeof *only_regress; i++) {
        assert_null(strstr(test.output, only_regress[i]));
        assert_non_null(strstr(regress.output, only_regress[i]));
    }
    assert_null(strstr(run.output, "\nverilator\n"));
    assert_non_null(strstr(test.output, "\nverilator\n"));
    for (char *name = strtok(run.output, "\n"); name != NULL; name = strtok(NULL, "\n")) {
        assert_non_null(strstr(test.output, name));
    }
    for (char *name = strtok(test.output, "\n"); name != NULL; name = strtok(NULL, "\n")) {
        assert_non_null(strstr(regress.output, name));
    }
    test_command_free(&run);
    test_command_free(&test);
    test_command_free(&regress);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_line_when_nothing_works),
        cmocka_unit_test(each_level_adds_packages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
