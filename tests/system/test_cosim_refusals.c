/* goldmem-cosim: what it writes is written or its exit code says so; runs that would check nothing
 * are refused. */
#include "support/support.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define COSIM "build/goldmem-cosim counter_table --set rows=4 --transactions 2000"
#define COVERAGE                                                                                   \
    "build/goldmem-cosim counter_table --build build/cosim/counter_table.coverage.so "             \
    "--transactions 2000"

/* Runs a command, which must end with status 2 and write one line, with `words` on standard error.
 */
static void refuses(const char *command_line, const char *words)
{
    test_command command = test_run("f='%s'; %s", test_folder(), command_line);
    if (command.status != 2 || strstr(command.errors, words) == NULL ||
        strchr(command.errors, '\n') != command.errors + strlen(command.errors) - 1) {
        fail_msg("%s: status %d, '%s'", command_line, command.status, command.errors);
    }
    test_command_free(&command);
}

static void a_full_standard_output_is_told(void **state)
{
    (void)state;
    test_only_in_plain_build();
    refuses(COSIM " >/dev/full", "goldmem-cosim: standard output: No space left on device");
}

/* Files that cannot be written are refused before the run. The device is a copy in the test's
 * folder: a waveform's writer removes what has its name. */
static void files_are_checked_before_the_run(void **state)
{
    (void)state;
    test_only_in_plain_build();
    refuses(COSIM " --wave $f/none/a.fst", "/none/a.fst: No such file or directory");
    refuses(COSIM " --coverage $f/none/a.dat", "/none/a.dat: No such file or directory");
    refuses("mkdir $f/w.fst.1; build/goldmem-cosim counter_table --set rows=4 -n 8193 --wave "
            "$f/w.fst",
            "/w.fst.1: the waveform cannot be written"); /* of the second episode */
    refuses(COSIM " --wave $f", ": is no regular file");
    refuses("echo kept >$f/file; ln -s file $f/link; " COSIM " --wave $f/link",
            "/link: is no regular file");
    refuses("mkfifo $f/pipe; timeout 60 " COVERAGE " --coverage $f/pipe",
            "/pipe: is no regular file");
    test_command command =
        test_run("cat '%s/link'; test -p '%s/pipe' && echo pipe", test_folder(), test_folder());
    assert_string_equal(command.output, "kept\npipe\n");
    test_command_free(&command);
}

/* A file-size limit stands for a full disk. */
static void cut_counts_are_told(void **state)
{
    (void)state;
    test_only_in_plain_build();
    refuses("ulimit -f 2; " COVERAGE " --coverage $f/c.dat", "/c.dat: File too large");
}

static void runs_of_nothing_are_refused(void **state)
{
    (void)state;
    test_only_in_plain_build();
    refuses("build/goldmem-cosim counter_table -n 0", "--transactions 0: must be at least 1");
    refuses("build/goldmem-cosim counter_table --mutants 0", "--mutants 0: must be at least 1");
    refuses(COSIM " --mutants 3", "counter_table: --mutants: not a mutation build");
}

/* FIXED=0 is as without: the module needs its parameters. */
static void fixed_may_be_0(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_command command = test_run("make -s cosim BLOCK=set_index TOP=my_set_index FIXED=0 "
                                    "DUT=docs/examples/my_set_index.sv 2>&1");
    test_expect(&command, 2, "my_set_index has no parameter LineW of cmodel/");
}

/* DPI: no text is no block, and the defaults; blanks before options are none of them. */
static void dpi_takes_what_there_is(void **state)
{
    (void)state;
    test_only_in_plain_build();
    void *library = dlopen("build/libgoldmem_dpi.so", RTLD_NOW | RTLD_LOCAL);
    assert_non_null(library);
    void *(*open)(const char *, const char *) = NULL;
    void (*close)(void *) = NULL;
    const char *(*message)(void) = NULL;
    *(void **)&open = dlsym(library, "gm_dpi_open");
    *(void **)&close = dlsym(library, "gm_dpi_close");
    *(void **)&message = dlsym(library, "gm_dpi_error");
    static const char *const options[] = {NULL, "", " entries=4  merges=2 "};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        void *model = open("mshr", options[i]);
        assert_non_null(model);
        close(model);
    }
    assert_null(open(NULL, ""));
    assert_string_equal(message(), "goldmem: no block ''");
    assert_null(open("mshr", "entries=-1"));
    assert_non_null(strstr(message(), "entries=-1: not a number"));
    dlclose(library);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_standard_output_is_told),
        cmocka_unit_test(files_are_checked_before_the_run),
        cmocka_unit_test(cut_counts_are_told),
        cmocka_unit_test(runs_of_nothing_are_refused),
        cmocka_unit_test(fixed_may_be_0),
        cmocka_unit_test(dpi_takes_what_there_is),
    };
    return cmocka_run_group_tests(tests, test_folder_setup, test_folder_teardown);
}
