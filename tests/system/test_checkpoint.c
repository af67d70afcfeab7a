/* Checkpoints of the command: a run that is killed at any moment and resumed ends with the bytes of
 * an uninterrupted run; unusable files are refused in one line and leave no result. */
#include "support/support.h"

#include <stdio.h>
#include <string.h>

#define BFS  "workload:bfs,nodes=20000" /* many kernels */
#define SYRK "workload:syrk,n=16"       /* one */
#define RUN  "$GOLDMEM run --engine=cycle --quiet"

/* Script for the temporary folder: kills the run with SIGKILL, first at its first checkpoint, then
 * ever later, and resumes from its file, until the run ends by itself. */
static const char until_it_ends[] =
    "sh run & pid=$!; while [ ! -f c ] && kill -0 $pid; do sleep 0.005; done; kill -9 $pid; "
    "wait $pid; for time in 0.0 0.1 0.1 0.2 0.2 0.3; do "
    "timeout -s KILL $time$(date +%N | cut -c1-2) sh run --resume c; status=$?; "
    "[ $status -eq 137 ] || break; done; "
    "[ $status -ne 137 ] || { sh run --resume c; status=$?; }; "
    "[ $status -eq 0 ] && cmp out.json whole.json && cmp out.csv whole.csv";

static void expect_same(const char *options, unsigned every, const char *input)
{
    char script[1024];
    const char *folder = test_folder_make();
    int length = snprintf(script, sizeof script,
                          "exec " RUN " --set gpu.sms=6 %s --json out.json --csv out.csv "
                          "--checkpoint c,every=%u \"$@\" %s\n",
                          options, every, input);
    test_file_write("run", script, (size_t)length);
    test_command command = test_run(
        "cd '%s' && " RUN " --set gpu.sms=6 %s --json whole.json --csv whole.csv %s || exit 3; "
        "%s",
        folder, options, input, until_it_ends);
    if (command.status != 0) {
        fail_msg("%s %s, every %u: exit %d: %s%s", options, input, every, command.status,
                 command.output, command.errors);
    }
    assert_string_equal(command.output, "");
    test_command_free(&command);
    test_folder_remove();
}

static void killed_and_resumed(void **state)
{
    (void)state;
    expect_same("", 5000, BFS);
    expect_same("--threads 2", 3000, BFS);
    expect_same("--per-sm --per-bank --preset kepler-hybrid --set noc.topology=mesh", 150000, SYRK);
    expect_same("--preset fermi-sharing --set l1.allocation=on_fill --set sharing.enabled=yes "
                "--set gpu.cta=groups",
                20000, "workload:weather,x=44,y=37,levels=5"); /* local memory */
    expect_same("--set l1.flush=no --set l1.size=unbounded --set l2.size=unbounded", 7000, BFS);
}

static void killed_and_resumed_on_a_trace(void **state)
{
    (void)state;
    char input[512];
    snprintf(input, sizeof input, "'%s/simpletorch-sm70-v3'", test_shared_data("GOLDMEM_TRACES"));
    expect_same("--check", 2000, input);
    expect_same("--threads 3 --set l1.allocation=on_fill", 9000, input);
}

/* Neither saving nor the place of resuming changes a byte of JSON or text. */
static void resumed_from_several_points(void **state)
{
    (void)state;
    test_command command = test_run(
        "cd '%s' && " RUN " --json whole.json " SYRK " && $GOLDMEM run --engine=cycle " SYRK
        " >whole.txt && for every in 90000 234567 400000 1111111; do "
        "$GOLDMEM run --engine=cycle --json a.json --checkpoint c,every=$every " SYRK
        " && cmp a.json whole.json && " RUN " --json b.json --threads 2 --resume c " SYRK
        " && cmp b.json whole.json && $GOLDMEM run --engine=cycle --resume c " SYRK
        " >b.txt && cmp b.txt whole.txt && echo same; done; grep -c checkpoint whole.json",
        test_folder());
    assert_string_equal(command.errors, "");
    assert_non_null(strstr(command.output, "0\n"));
    unsigned same = 0;
    for (const char *at = command.output; (at = strstr(at, "same\n")) != NULL; at++) {
        same++;
    }
    assert_int_equal(same, 4);
    test_command_free(&command);
}

/* Checks that resuming with `options` from the file f fails with `errors` and leaves no result. The
 * script `how` makes f from c, a checkpoint of SYRK. */
static void refuse(const char *how, const char *options, const char *errors)
{
    char expected[512];
    test_command command = test_run(
        "cd '%s' && { [ -f c ] || " RUN " --checkpoint c,every=300000 " SYRK "; } && %s && "
        "rm -f x.json && " RUN " --json x.json --resume f %s; status=$?; "
        "ls x.json 2>/dev/null; exit $status",
        test_folder(), how, options);
    snprintf(expected, sizeof expected, "goldmem: %s\n", errors);
    assert_string_equal(command.errors, expected);
    assert_string_equal(command.output, "");
    assert_int_equal(command.status, 2);
    test_command_free(&command);
}

static void refuses_in_one_line(void **state)
{
    (void)state;
    refuse("head -c 5000 c >f", SYRK, "f: the checkpoint is damaged: it is cut short");
    refuse("head -c -1 c >f", SYRK, "f: the checkpoint is damaged: it is cut short");
    refuse("head -c 20 c >f", SYRK, "f: not a checkpoint");
    refuse("{ cat c; printf x; } >f", SYRK, "f: the checkpoint is damaged: its check sum is wrong");
    refuse(": >f", SYRK, "f: not a checkpoint");
    refuse("seq 1000 >f", SYRK, "f: not a checkpoint");
    refuse("rm -f f", SYRK, "f: No such file or directory");
    refuse("cp c f", "--set l1.ways=2 " SYRK, "f: made with l1.ways=4; this run has 2");
    refuse("cp c f", "--preset fermi-tc " SYRK, "f: made with gpu.sms=15; this run has 16");
    /* The head's last word identifies the parts of the state. */
    refuse("cp c f && printf '\\377' | dd of=f bs=1 seek=31 conv=notrunc status=none", SYRK,
           "f: a checkpoint of another build of goldmem " GM_VERSION
           ", whose state has other parts");
    refuse(
        "cp c f", "workload:syrk,n=48",
        "f: the input is not the one that the checkpoint was made of: kernel 0 (syrk), or a copy "
        "before it, differs");
    refuse(
        "cp c f", "workload:vectoradd,n=4096",
        "f: the input is not the one that the checkpoint was made of: kernel 0 (vectoradd), or a "
        "copy before it, differs");
}

/* Three kernels and a copy; a checkpoint in the third. The script `edit` changes the folder t.
 * Checks that resuming fails with `errors`, or succeeds if that is NULL. */
static void edited(const char *edit, const char *errors)
{
    test_folder_make();
    test_command command = test_run(
        "cd '%s' && $GOLDMEM trace convert workload:bfs,nodes=300 t && "
        "sed -i '/^kernel-4/,$d' t/kernelslist.g && echo kernel-2.traceg >>t/kernelslist.g && "
        "total=$(" RUN " --json - t | jq .total.cycles) && " RUN
        " --checkpoint c,every=$((total - 200)) t && cp -r t whole && "
        "%s && " RUN " --json x.json --resume c t; status=$?; ls x.json 2>/dev/null; exit $status",
        test_folder(), edit);
    char expected[512] = "";
    if (errors != NULL) {
        snprintf(expected, sizeof expected,
                 "goldmem: c: the input is not the one that the checkpoint was made of: %s\n",
                 errors);
    }
    assert_string_equal(command.errors, expected);
    assert_string_equal(command.output, errors == NULL ? "x.json\n" : "");
    assert_int_equal(command.status, errors == NULL ? 0 : 2);
    test_command_free(&command);
    test_folder_remove();
}

/* Other inputs with equal numbers of kernels, CTAs, warps, instructions and lanes are refused. */
static void refuses_another_input_of_the_same_counts(void **state)
{
    (void)state;
    edited("true", NULL);
    /* an address of the running kernel, and of one that had ended */
    edited("sed -i '0,/LDG.*0x7f/s/\\(LDG.*0x7f\\)0/\\11/' t/kernel-2.traceg && "
           "! cmp -s t/kernel-2.traceg whole/kernel-2.traceg",
           "kernel 1 (advance), or a copy before it, differs");
    edited("sed 's/\\(STG.*0x7f\\)0/\\11/' t/kernel-2.traceg >t/kernel-9.traceg && "
           "! cmp -s t/kernel-2.traceg t/kernel-9.traceg && "
           "sed -i '$s/.*/kernel-9.traceg/' t/kernelslist.g",
           "kernel 3 (advance), or a copy before it, differs");
    /* an opcode, a register, a copy, the header */
    edited("sed -i 's/LDG.E /LDG.E.CG /' t/kernel-3.traceg && "
           "! cmp -s t/kernel-3.traceg whole/kernel-3.traceg",
           "kernel 2 (visit), or a copy before it, differs");
    edited("sed -i '1s/,[0-9]*$/,64/' t/kernelslist.g",
           "kernel 0 (visit), or a copy before it, differs");
    edited("sed -i 's/^-shmem = 0/-shmem = 4/' t/kernel-1.traceg",
           "kernel 0 (visit), or a copy before it, differs");
    /* another form with equal content is accepted */
    edited("$GOLDMEM trace convert --binary t b && rm -r t && mv b t", NULL);
}

/* A changed input file of a workload is refused. */
static void refuses_another_file_of_a_workload(void **state)
{
    (void)state;
    test_command command =
        test_run("cd '%s' && python3 -c '\n"
                 "n = 600\n"
                 "print(n)\n"
                 "for i in range(n): print(i, 1)\n"
                 "print(0)\n"
                 "print(n)\n"
                 "for i in range(n): print((i + 1) %% n, 1)\n' >g && " RUN
                 " --checkpoint c,every=20000 workload:bfs,graph=g && "
                 "sed '$s/.*/5 1/' g >h && mv h g && " RUN " --resume c workload:bfs,graph=g",
                 test_folder());
    assert_string_equal(command.errors,
                        "goldmem: c: the input is not the one that the checkpoint was made of: the "
                        "files that bfs,graph=g reads differ\n");
    assert_int_equal(command.status, 2);
    test_command_free(&command);
}

/* One byte flipped anywhere is detected, by the check sum or in the head. */
static void refuses_flipped_bytes(void **state)
{
    (void)state;
    static const char *const places[] = {"0",   "5",    "8",     "17", "24",
                                         "300", "9000", "50000", "-1", "-77"};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        test_command command =
            test_run("cd '%s' && { [ -f c ] || " RUN " --checkpoint c,every=300000 " SYRK "; } && "
                     "python3 -c 'd = bytearray(open(\"c\", \"rb\").read()); d[%s] ^= 1 << %zu; "
                     "open(\"f\", \"wb\").write(d)' && " RUN " --json x.json --resume f " SYRK
                     "; status=$?; ls x.json 2>/dev/null; exit $status",
                     test_folder(), places[i], i % 8);
        assert_int_equal(command.status, 2);
        assert_string_equal(command.output, "");
        assert_ptr_equal(strstr(command.errors, "goldmem: f: "), command.errors);
        assert_non_null(strstr(command.errors, "checkpoint"));
        test_command_free(&command);
    }
}

static void refuses_where_it_cannot_write(void **state)
{
    (void)state;
    test_command command =
        test_run("cd '%s' && " RUN " --json x.json --checkpoint no/c,every=100 " SYRK
                 "; status=$?; ls; exit $status",
                 test_folder());
    assert_string_equal(command.errors, "goldmem: no/c: No such file or directory\n");
    assert_string_equal(command.output, "");
    assert_int_equal(command.status, 2);
    test_command_free(&command);
    /* Refused at once, before the first checkpoint would be due. */
    command =
        test_run("cd '%s' && $GOLDMEM run --checkpoint /nonexistent/x,every=1000000000000 " SYRK,
                 test_folder());
    assert_string_equal(command.errors, "goldmem: /nonexistent/x: No such file or directory\n");
    assert_string_equal(command.output, "");
    assert_int_equal(command.status, 2);
    test_command_free(&command);
    command = test_run("cd '%s' && " RUN " --json x.json --checkpoint /dev/full,every=100 " SYRK
                       "; status=$?; ls; exit $status",
                       test_folder());
    assert_string_equal(command.errors, "goldmem: /dev/full: No space left on device\n");
    assert_string_equal(command.output, "");
    assert_int_equal(command.status, 1);
    test_command_free(&command);
}

/* On file systems with O_TMPFILE, SIGKILL leaves no temporary file, neither the report's, which is
 * open during the run, nor the checkpoint's. Skipped on others. */
static void leaves_nothing_when_killed(void **state)
{
    (void)state;
    test_command command =
        test_run("cd '%s' && python3 -c 'import os; os.open(\".\", os.O_TMPFILE | os.O_WRONLY)' "
                 "2>/dev/null || exit 77; " RUN " --json x.json --checkpoint c,every=20000 "
                 "workload:syrk,n=512 & pid=$!; "
                 "while [ ! -f c ] && kill -0 $pid; do sleep 0.005; done; kill -9 $pid; "
                 "wait $pid; echo $?; ls",
                 test_folder());
    if (command.status == 77) {
        test_command_free(&command);
        skip();
    }
    assert_string_equal(command.output, "137\nc\n");
    test_command_free(&command);
}

/* An earlier checkpoint stays when the run ends before it replaces it. */
static void keeps_an_earlier_file(void **state)
{
    (void)state;
    test_command command = test_run("cd '%s' && echo earlier >c && " RUN
                                    " --checkpoint c,every=1000000000000 " SYRK " && cat c && ls",
                                    test_folder());
    assert_string_equal(command.errors, "");
    assert_string_equal(command.output, "earlier\nc\n");
    test_command_free(&command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(killed_and_resumed),
        cmocka_unit_test(killed_and_resumed_on_a_trace),
        cmocka_unit_test_setup_teardown(resumed_from_several_points, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(refuses_in_one_line, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test(refuses_another_input_of_the_same_counts),
        cmocka_unit_test_setup_teardown(refuses_another_file_of_a_workload, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(refuses_flipped_bytes, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(refuses_where_it_cannot_write, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(leaves_nothing_when_killed, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(keeps_an_earlier_file, test_folder_setup,
                                        test_folder_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
