/* goldmem litmus: outcomes and verdicts under the protocols, the PTX dialect, the printed table and
 * a wrong expectation, which must fail, and each kind of bad input, which gets one line. */
#include "support/support.h"

#include <stdio.h>
#include <string.h>

#define LITMUS  "$GOLDMEM litmus --preset fermi-tc "
#define ALL     "tests/litmus/*.litmus tests/litmus/ptx/*.litmus"
#define VERDICT "expected for coherence "

static unsigned count(const char *text, const char *part)
{
    unsigned times = 0;
    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part)) {
        times++;
    }
    return times;
}

/* Every test of the repository, with fewer trials than an outcome that may be needs to be seen. */
static void no_test_fails(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_command run = test_run(LITMUS "--trials 330 coherence=tcw " ALL);
    if (run.status != 0) {
        fail_msg("%s", run.errors);
    }
    assert_true(count(run.output, VERDICT "tcw: never: ok") >= 24);
    assert_int_equal(count(run.output, " of 330 trials"), count(run.output, ".litmus: "));
    test_command_free(&run);
}

/* What SMs see of each other depends on the protocol. */
static void verdicts(void **state)
{
    (void)state;
    static const struct {
        const char *keys, *test, *says;
    } rows[] = {
        {"coherence=none", "mp", VERDICT "none: may: ok"},
        {"coherence=none", "iriw", VERDICT "none: may: ok"},
        {"coherence=none", "coww", VERDICT "none: never: ok"},
        {"coherence=ideal", "mp", VERDICT "ideal: never: ok"},
        {"coherence=ideal", "iriw", VERDICT "ideal: never: ok"},
        {"coherence=vi", "mp", VERDICT "vi: never: ok"},
        {"coherence=vi", "iriw", VERDICT "vi: never: ok"},
        {"coherence=mesi", "mp", VERDICT "mesi: never: ok"},
        {"coherence=mesi", "iriw", VERDICT "mesi: never: ok"},
        {"coherence=mesi noc.virtual_networks=3", "mp", VERDICT "mesi: never: ok"},
        {"coherence=mesi noc.virtual_networks=4", "mp", VERDICT "mesi: never: ok"},
        {"coherence=mesi noc.virtual_networks=5", "mp", VERDICT "mesi: never: ok"},
        {"coherence=vini", "mp", VERDICT "vini: never: ok"},
        {"coherence=vini", "wrc", VERDICT "vini: never: ok"},
        {"coherence=tcs", "mp", VERDICT "tcs: never: ok"},
        {"coherence=tcs", "mp-cta-remote", VERDICT "tcs: may: ok"},
        {"coherence=tcw coherence.visible=yes", "wrc", VERDICT "tcw+visible: never: ok"},
        {"coherence=tcw coherence.fence=cta", "barrier-fence", VERDICT "tcw+fence=cta: never: ok"},
        {"coherence=tcw coherence.merge=lease", "mp-other-warp",
         VERDICT "tcw+merge=lease: never: ok"},
        {"coherence=ideal", "lb-unfenced", "; none expected for coherence ideal"},
    };
    test_only_in_plain_build();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        test_command run = test_run(LITMUS "%s tests/litmus/%s.litmus", rows[i].keys, rows[i].test);
        test_expect(&run, 0, rows[i].says);
    }
}

static void printed_table_is_found(void **state)
{
    (void)state;
    static const char *const protocols[] = {"tcw", "tcs"};
    test_only_in_plain_build();
    for (size_t i = 0; i < 2; i++) {
        test_command run =
            test_run(LITMUS "coherence=%s coherence.table=printed tests/litmus/refetch.litmus",
                     protocols[i]);
        assert_int_equal(run.status, 1);
        const char *machine = strstr(run.errors, " (--machine ");
        assert_non_null(strstr(run.errors, "tests/litmus/refetch.litmus: values: kernel "));
        assert_non_null(machine);
        char again[64];
        snprintf(again, sizeof again, "%.*s", (int)strcspn(machine + 2, ")"), machine + 2);
        test_command same =
            test_run(LITMUS "%s coherence=%s coherence.table=printed tests/litmus/refetch.litmus",
                     again, protocols[i]);
        assert_int_equal(same.status, 1);
        assert_string_equal(same.errors, run.errors);
        test_command_free(&same);
        test_command_free(&run);
    }
}

static const char wrong[] = "name wrong expectation\n"
                            "warp 0 0: ST x 1; FENCE; ST y 1\n"
                            "warp 1 1: LD x _; LD y r0; FENCE; LD x r1\n"
                            "condition 1 r0=1 r1=0\nexpect none never\n";

static void forbidden_outcome_fails(void **state)
{
    (void)state;
    const char *path = test_file_write("w.litmus", wrong, sizeof wrong - 1);
    test_command run = test_run(LITMUS "%s", path);
    assert_int_equal(run.status, 1);
    assert_non_null(strstr(run.output, "1:r0=1 1:r1=0  <- condition"));
    assert_non_null(strstr(run.output, VERDICT "none: never: FORBIDDEN"));
    assert_non_null(strstr(run.errors, "w.litmus: an outcome that must never be was seen in "));
    test_command_free(&run);
}

/* A file's text, and the end of the line that it gets. */
static const struct {
    const char *text, *says;
} bad[] = {
    {"warp 0 0: FOO x 1\n", ":1: no such operation: 'FOO'"},
    {"warp 0 0: LD x r0\ncondition 0 r0=1\nexpect mosi never\n", ":3: no such protocol: 'mosi'"},
    {"PTX x\n{ x=0; }\n P0@cta 0,gpu 0 ;\n ld.weird r0, x ;\nexists (0:r0=1)\n",
     ":4: no such qualifier .weird: 'ld.weird'"},
};

static void bad_input_gets_one_line(void **state)
{
    (void)state;
    static const struct {
        const char *arguments, *says;
    } rows[] = {
        {"/nowhere.litmus", "/nowhere.litmus: No such file or directory"},
        {"tests/litmus/mp.litmus coherence=msi",
         "coherence=msi: must be none, ideal, tcs, tcw, vi, vini or mesi"},
        {"tests/litmus/mp.litmus --trials 0", "--trials: '0' is not a number from 1 to 1000000"},
        {"tests/litmus/mp.litmus --machine x", "--machine: 'x' is not a number from 0 to 1000000"},
        {"", "no FILE"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char says[512];
        const char *path = test_file_write("b.litmus", bad[i].text, strlen(bad[i].text));
        test_command run = test_run(LITMUS "%s", path);
        snprintf(says, sizeof says, "goldmem: %s%s\n", path, bad[i].says);
        assert_int_equal(run.status, 2);
        assert_string_equal(run.errors, says);
        test_command_free(&run);
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        test_command run = test_run(LITMUS "%s", rows[i].arguments);
        assert_int_equal(count(run.errors, "\n"), 1);
        test_expect(&run, 2, rows[i].says);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_test_fails),
        cmocka_unit_test(verdicts),
        cmocka_unit_test(printed_table_is_found),
        cmocka_unit_test_setup_teardown(forbidden_outcome_fails, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(bad_input_gets_one_line, test_folder_setup,
                                        test_folder_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
