/* scripts/regress.py, which `make regress` calls, on a small makefile: a row for each target, a
 * failed one named, one that is interrupted run again and the others not. The matrix of
 * scripts/regress-runs.sh. */
#include "support/support.h"

#include <stdio.h>
#include <string.h>

/* Each target counts in FILE.runs how often it ran. */
static const char makefile[] =
    "good:\n\t@echo . >>good.runs; echo 'good: all is well'\n"
    "seeded:\n\t@echo 'set_index: coverage: 9 of 9 cover points, 18 of 18 lines'; echo \"seed "
    "$(SEED)\"\n"
    "bad:\n\t@echo . >>bad.runs; echo 'bad: x.c:3: <wrong>'; exit 3\n"
    "slow:\n\t@echo . >>slow.runs; test -e quick || { touch begun; sleep 60; }; echo slow: done\n"
    "side-1 side-2:\n\t@echo $@: done\n";

#define REGRESS                                                                                    \
    "top=$PWD; cd '%s' && $top/scripts/regress.py out 7 good seeded bad slow "                     \
    "--parallel side-1 side-2 --seeded seeded"

/* Fails unless `text` is in the file of the temporary folder. */
static void expect_in(const char *file, const char *text)
{
    test_command command = test_run("grep -F -- '%s' '%s/%s'", text, test_folder(), file);
    if (command.status != 0) {
        fail_msg("%s lacks '%s'", file, text);
    }
    test_command_free(&command);
}

static void it_goes_on_after_an_interruption(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_file_write("Makefile", makefile, sizeof makefile - 1);
    test_command command = test_run(
        REGRESS " & while ! [ -e '%s/begun' ]; do sleep 0.05; done; kill -TERM $!; wait $!",
        test_folder(), test_folder());
    assert_int_equal(command.status, 130);
    test_command_free(&command);
    expect_in("out/index.html", "<td>good</td><td>passed</td>");
    expect_in("out/index.html", "<td>slow</td><td>cut off</td>");
    expect_in("out/index.html", "<td>side-1</td><td>waits</td>");

    test_file_write("quick", "", 0);
    command = test_run(REGRESS, test_folder());
    assert_int_equal(command.status, 1);
    assert_non_null(strstr(command.output, "bad: failed, 0 s: bad: x.c:3: <wrong>"));
    assert_non_null(strstr(command.output, "again: make bad"));
    assert_non_null(strstr(command.output, "regress: 1 failed, 5 passed: out/index.html"));
    test_command_free(&command);
    expect_in("out/index.html", "<td>bad</td><td>failed</td><td>none</td>");
    expect_in("out/index.html", "bad: x.c:3: &lt;wrong&gt;");
    expect_in("out/index.html", "<td>seeded</td><td>passed</td><td>7</td>");
    expect_in("out/index.html", "set_index: 9 of 9 cover points, 18 of 18 lines");
    expect_in("out/index.html", "<code>make seeded SEED=7</code>");
    expect_in("out/bad.log", "<wrong>");
    command =
        test_run("cd '%s'; jq -r '.rows[] | .target + \" \" + .result' out/regress.json; wc -l "
                 "good.runs bad.runs slow.runs",
                 test_folder());
    assert_non_null(strstr(command.output, "good passed\nseeded passed\nbad failed\nslow passed\n"
                                           "side-1 passed\nside-2 passed\n"));
    assert_non_null(strstr(command.output, " 1 good.runs\n 2 bad.runs\n 2 slow.runs\n"));
    test_command_free(&command);
}

/* Another seed is another regression. */
static void another_seed_runs_again(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_command command =
        test_run("cd '%s'; top=$OLDPWD; $top/scripts/regress.py out 8 good seeded "
                 "--seeded seeded; wc -l good.runs",
                 test_folder());
    assert_non_null(strstr(command.output, "seeded: passed"));
    assert_non_null(strstr(command.output, "1 good.runs"));
    test_command_free(&command);
    expect_in("out/index.html", "<td>seeded</td><td>passed</td><td>8</td>");
}

/* Every preset and variant of scripts/regress-runs.sh is a machine: tiny runs of them all. */
static void every_variant_of_runs_is_a_machine(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_command command = test_run(
        "CHECK=values scripts/regress-runs.sh build/goldmem stream,n=1024 atomics,ctas=4 2>&1");
    if (command.status != 0) {
        fail_msg("%s", command.output);
    }
    assert_non_null(strstr(command.output, " runs, every law held"));
    test_command_free(&command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_goes_on_after_an_interruption),
        cmocka_unit_test(another_seed_runs_again),
        cmocka_unit_test(every_variant_of_runs_is_a_machine),
    };
    return cmocka_run_group_tests(tests, test_folder_setup, test_folder_teardown);
}
