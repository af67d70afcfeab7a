/* goldmem-explore: the quick part of make explore; that a test whose expectation is wrong fails
 * with the shortest sequence; and that each kind of bad input gets one line. */
#include "support/support.h"

#include <stdio.h>
#include <string.h>

static void quick_part_is_as_expected(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_command command = test_run("make -s explore SIZE=quick");
    static const char *const lines[] = {
        "tcw             store buffering, fenced: never;",
        "tcs             load buffering, not fenced: appears;",
        "tcw+visible     two writes and two writes, fenced: never;",
        "tcs+fence=cta   barrier, then one fence: never;",
        "tcw+merge=lease message passing, merging with another warp's load: never;",
        "tcw+visible     independent reads of independent writes, fenced: reductions agree;",
        "\nrefuted: fence: does not wait for stores (tcw)",
        "\nrefuted: L2: leases of evicted lines are lost (tcw)",
        "\nrefuted: second reader: the line stays private (tcw)",
        "== litmus tests in the timed engine\n",
        "tcs             store buffering, fenced: never; ",
        "tcw             load buffering, not fenced: appears; ",
        "\nrefuted: fence: does not wait for GWCTs (tcw)",
        "\nrefuted: answer: without the bit of its epoch (tcw)",
        "\nrefuted: L2: a packet that waits for a way is not tried again (tcw)",
        "message passing: nothing happens any more (NOT AS EXPECTED)",
        "50 explorations, 434766 worlds, 0 not complete, ",
        "\nloads, stores, an eviction: sound; 142005 worlds, ",
        "\nkernels: sound; ",
        "\nrefuted: the thesis's FILL: an arriving line registers its SM: a load gets an",
        "\nrefuted: marks on sector misses: a load gets an old value; ",
        "\nrefuted: no hold of a store while a LOOKUP of its line is unanswered: a load ",
        "\nrefuted: a SUPPLY that waits for a credit: nothing happens any more; ",
        "\nloads, stores, an eviction: sound; 104948 worlds, ",
        "\nrefuted: the thesis's FILL: a load gets an old value; ",
        "\nrefuted: marks without CLOSE, no hold: a load gets an old value; ",
        "\nappears: a strong load is older than the load before it: a load gets an old value; ",
        "22 explorations, ",
        "\nmesi: loads, stores, atomics: sound; 162640 worlds, ",
        "\nnetworks: vi: requests with INV_ACKs: deadlock; ",
        "\nnetworks: mesi: responses with unblocks: sound; ",
        "\nrefuted: vi: an INV of a line that is gone has no answer: deadlock; ",
        "\nrefuted: mesi: a write-back that has overtaken its UNBLOCK is taken for an old one: ",
    };
    if (command.status != 0) {
        fail_msg("%s%s", command.output, command.errors);
    }
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        if (strstr(command.output, lines[i]) == NULL) {
            fail_msg("no '%s' in:\n%s", lines[i], command.output);
        }
    }
    test_command_free(&command);
}

/* Two exchanges of one SM: three events each, an exchange, its message, its answer. */
static const char exchanges[] = "name exchanges\n"
                                "warp 0 0: ATO x 1 r0; ATO x 2 r1\n"
                                "condition 0 r0=0 r1=1\n"
                                "expect tcw never\n";

static void wrong_expectation_fails_with_the_sequence(void **state)
{
    (void)state;
    test_only_in_plain_build();
    const char *path = test_file_write("e.litmus", exchanges, sizeof exchanges - 1);
    test_command command = test_run("build/goldmem-explore %s", path);
    assert_int_equal(command.status, 1);
    assert_non_null(strstr(command.output, "exchanges: appears (NOT AS EXPECTED)"));
    assert_non_null(strstr(command.output, "depth 6, "));
    assert_non_null(strstr(command.output, "     6  SM 0, answer on x: warp 0 has x0 = 1"));
    test_command_free(&command);
}

/* In the timed engine the line comes from DRAM, and the second exchange waits for the next cycle.
 */
static void wrong_expectation_fails_in_the_timed_engine(void **state)
{
    (void)state;
    test_only_in_plain_build();
    const char *path = test_file_write("e.litmus", exchanges, sizeof exchanges - 1);
    test_command command = test_run("build/goldmem-explore-timed %s", path);
    assert_int_equal(command.status, 1);
    assert_non_null(strstr(command.output, "exchanges: appears (NOT AS EXPECTED)"));
    assert_non_null(strstr(command.output, "depth 8, "));
    assert_non_null(strstr(command.output, "L2: data from DRAM; warp 0 has 0; performs x0 = 1"));
    test_command_free(&command);
}

/* A bound of worlds is no verdict, and is said. */
static void bound_is_said(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_command command =
        test_run("build/goldmem-explore-timed --protocol=tcw --worlds=100 tests/litmus/mp.litmus");
    assert_int_equal(command.status, 0);
    assert_non_null(strstr(command.output, "message passing: not complete; 10"));
    test_command_free(&command);
}

/* A broken design of hybrid caching ends with status 1 and the sequence; a bound is no verdict. */
static void hybrid_outcomes_have_their_status(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_command command = test_run(
        "build/goldmem-explore-hybrid --without=requests --operations=LDx0,STx0 --loads --record");
    assert_int_equal(command.status, 1);
    assert_non_null(strstr(command.output, "programs: a load gets an old value; "));
    assert_non_null(strstr(command.output, "     5  SM P, data of x0, x0 = 0, FILL x\n"));
    assert_non_null(strstr(command.output, "\nsharing_tracker 0 0 0 0 1 = "));
    test_command_free(&command);
    command = test_run("build/goldmem-explore-hybrid --operations=LDx0,STx0 --worlds=100");
    assert_int_equal(command.status, 1);
    assert_non_null(strstr(command.output, "programs: not complete; 10"));
    test_command_free(&command);
}

/* A file's text, and the end of the line that it gets. */
static const struct {
    const char *text, *says;
} bad[] = {
    {"warp 0 0: FOO x 1\n", ":1: no such operation: 'FOO'"},
    {"warp 0 0: ST w 1\n", ":1: no such place: 'w'"},
    {"warp 0 0: ST x2 1\n", ":1: no such place: 'x2'"},
    {"warp 0 0: ST x 8\n", ":1: no such value: '8'"},
    {"warp 0 0: LD x r3\n", ":1: no such register: 'r3'"},
    {"warp 0 0: LD x r0; LD y r0\n", ":1: a register gets two values: 'r0'"},
    {"warp 4 0: LD x r0\n", ":1: no such SM: '4'"},
    {"warp 1 0: LD x r0\nwarp 0 0: LD x r0\n", ":2: warps must be in the order of SM and CTA: ''"},
    {"warp 0 0: LD x r0\ncondition 1 r0=0\n", ":2: no such warp: '1'"},
    {"warp 0 0: LD x r0\ncondition 0 r0=9\n", ":2: no such value: '9'"},
    {"warp 0 0: LD x r0\ncondition 0 r0=1\nexpect moesi never\n", ":3: no such protocol: 'moesi'"},
    {"warp 0 0: LD x r0\ncondition 0 r0=1\nexpect tcw perhaps\n",
     ":3: neither may nor never: 'perhaps'"},
    {"warp 0 0: LD x r0; BAR\nwarp 0 0: ST x 1\ncondition 0 r0=0\n",
     ": warps 0 and 1 do not meet: BAR, KERNEL"},
    {"warp 0 0: LD x r0; KERNEL\nwarp 1 1: ST x 1; BAR\ncondition 0 r0=0\n",
     ": warps 0 and 1 do not meet: KERNEL"},
    {"bounds time-bits 9\n", ":1: no such bound's value: '9'"},
    {"bounds depth 9\n", ":1: no such bound: 'depth'"},
    {"hello\n", ":1: no such line: 'hello'"},
    {"", ": a test needs a warp and a condition"},
};

static void bad_files_get_one_line(void **state)
{
    (void)state;
    test_only_in_plain_build();
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *path = test_file_write("bad.litmus", bad[i].text, strlen(bad[i].text));
        char expected[512];
        snprintf(expected, sizeof expected, "goldmem-explore: %s%s\n", path, bad[i].says);
        test_command command = test_run("build/goldmem-explore %s", path);
        assert_int_equal(command.status, 2);
        assert_string_equal(command.output, "");
        assert_string_equal(command.errors, expected);
        test_command_free(&command);
    }
    test_command command = test_run("build/goldmem-explore tests/litmus/ptx/mp-acquire.litmus");
    test_expect(&command, 2,
                "goldmem-explore: tests/litmus/ptx/mp-acquire.litmus: the explorer does not read "
                "the PTX dialect");
    command = test_run("build/goldmem-explore /nowhere.litmus");
    test_expect(&command, 2, "goldmem-explore: /nowhere.litmus: No such file or directory");
    command = test_run("build/goldmem-explore --time-bits=1 /nowhere.litmus");
    test_expect(&command, 2, "goldmem-explore: no such option or value: --time-bits=1");
    command = test_run("build/goldmem-explore-timed tests/litmus/ptx/mp-acquire.litmus");
    test_expect(&command, 2,
                "goldmem-explore-timed: tests/litmus/ptx/mp-acquire.litmus: the explorer does not "
                "read the PTX dialect");
    command = test_run("build/goldmem-explore-timed --l1-slots=3 tests/litmus/mp.litmus");
    test_expect(&command, 2, "goldmem-explore-timed: no such option or value: --l1-slots=3");
    command = test_run("build/goldmem-explore-timed --time-bits=2 --life=3 tests/litmus/mp.litmus");
    test_expect(&command, 2,
                "goldmem-explore-timed: coherence.lifetime=3: must be below 3, the last time of "
                "coherence.time_bits=2");
    static const char *const hybrid[] = {
        "--operations=LDz0", "--operations=LDx2", "--operations=XXx0", "--operations0=LD",
        "--without=luck",    "--each=8",          "--pointers=3",      "LDx0"};
    for (size_t i = 0; i < sizeof hybrid / sizeof *hybrid; i++) {
        char expected[128];
        snprintf(expected, sizeof expected, "goldmem-explore-hybrid: no such option or value: %s",
                 hybrid[i]);
        command = test_run("build/goldmem-explore-hybrid %s", hybrid[i]);
        test_expect(&command, 2, expected);
    }
    static const char *const directory[] = {"--protocol=tcw", "--operations=LDx2", "--merge=luck",
                                            "--without=luck", "--sms=4",           "LDx0"};
    for (size_t i = 0; i < sizeof directory / sizeof *directory; i++) {
        char expected[128];
        snprintf(expected, sizeof expected,
                 "goldmem-explore-directory: no such option or value: %s", directory[i]);
        command = test_run("build/goldmem-explore-directory %s", directory[i]);
        test_expect(&command, 2, expected);
    }
    command = test_run("build/goldmem-explore-hybrid --play=/nowhere");
    test_expect(&command, 2, "goldmem-explore-hybrid: /nowhere: No such file or directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quick_part_is_as_expected),
        cmocka_unit_test_setup_teardown(wrong_expectation_fails_with_the_sequence,
                                        test_folder_setup, test_folder_teardown),
        cmocka_unit_test_setup_teardown(wrong_expectation_fails_in_the_timed_engine,
                                        test_folder_setup, test_folder_teardown),
        cmocka_unit_test(bound_is_said),
        cmocka_unit_test(hybrid_outcomes_have_their_status),
        cmocka_unit_test_setup_teardown(bad_files_get_one_line, test_folder_setup,
                                        test_folder_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
