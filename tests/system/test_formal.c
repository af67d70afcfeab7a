/* make formal's quick form: every proof holds, every wrong design is refuted. */
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void proofs_hold(void **state)
{
    (void)state;
    const char *goldmem = getenv("GOLDMEM");
    if (goldmem != NULL && strstr(goldmem, "build/goldmem") == NULL) {
        print_message("skipped: proofs belong to the plain build\n");
        skip();
    }
    test_command command = test_run("make -s formal FULL=");
    if (command.status != 0 || strstr(command.output, "FAILED") != NULL) {
        fail_msg("%s%s", command.output, command.errors);
    }
    static const char *const lines[] = {
        "proven:  Yosys sees all 10 assertions of the source",
        "proven:  full SAT: ipoly(37) over A[26:7] (Figure 7) is its matrix",
        "refuted: full SAT: a wrong tap",
        "refuted: 6 cycles from reset: a wrong tap makes p_index fire",
        "refuted: linear: a wrong tap",
        "proven:  mshr: 6 cycles from reset, any requests and waits: its assertions",
        "proven:  mshr: for all time, by induction: 2 entries of 2",
        "refuted: mshr: a requester put into another's slot (a_delivered)",
        "refuted: mshr: by induction: a third entry of a line",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        assert_non_null(strstr(command.output, lines[i]));
    }
    test_command_free(&command);
}

/* A user's module: the working example, and one whose response register reloads while it waits. */
static void your_own_rtl_is_proven_or_refuted(void **state)
{
    (void)state;
    test_only_in_plain_build();
    static const char make[] =
        "make -s formal BLOCK=set_index DUT=%s TOP=my_set_index FIXED=1 CYCLES=6 "
        "SET='sets=32 index=ipoly:37 address_bits=32' 2>&1";
    char line[512];
    snprintf(line, sizeof line, make, "docs/examples/my_set_index.sv");
    test_command command = test_run("%s", line);
    test_expect(&command, 0, "proven:  set_index: my_set_index: 6 cycles from reset");
    char file[256];
    snprintf(file, sizeof file, "%s/my.sv", test_folder());
    command = test_run(
        "sed 's/if (request_ready_o) begin/begin/' docs/examples/my_set_index.sv >%s", file);
    test_expect(&command, 0, "");
    snprintf(line, sizeof line, make, file);
    command = test_run("%s", line);
    test_expect(&command, 2,
                "FAILED:  set_index: my_set_index: a_response_stable fails within 6 cycles");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(proofs_hold),
        cmocka_unit_test(your_own_rtl_is_proven_or_refuted),
    };
    return cmocka_run_group_tests(tests, test_folder_setup, test_folder_teardown);
}
