/* Shared memory as a trace shows it to the command: passes and conflicts of one warp instruction,
 * worked by hand (banks of 4 bytes, 32 of them). */
#include "support/trace/warp_trace.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *line; /* from the PC on */
    unsigned accesses, conflicts;
    const char *options;
} cases[] = {
    {"0000 ffffffff 1 R1 LDS 1 R2 4 1 0x0 4 0", 1, 0, ""},
    {"0000 ffffffff 1 R1 LDS 1 R2 4 1 0x0 128 0", 1, 31, ""},
    {"0000 ffffffff 1 R1 LDS 1 R2 4 1 0x0 0 0", 1, 0, ""}, /* one word for all */
    /* rows of 16 bytes in quarter-warps: 4 of 8 lanes, or only the first, or the first two */
    {"0000 ffffffff 1 R4 LDSM.16.M88.4 1 R2 2 1 0x0 16 0", 4, 0, ""},
    {"0000 ffffffff 1 R4 LDSM.16.M88.2 1 R2 2 1 0x0 16 0", 2, 0, ""},
    {"0000 ffffffff 1 R4 LDSM.16.M88 1 R2 2 1 0x0 16 0", 1, 0, ""},
    {"0000 ffffffff 1 R4 LDSM.16.M88 1 R2 2 1 0x0 128 0", 1, 7, ""}, /* all rows in banks 0 to 3 */
    {"0000 ffffffff 1 R4 LDS.U.128 1 R2 16 1 0x0 16 0", 4, 0, ""},
    /* the first words of the lanes alone, 16 bytes apart: 8 banks, 4 words in each */
    {"0000 ffffffff 1 R4 LDS.U.128 1 R2 16 1 0x0 16 0", 1, 3, "--set sm.shared_wide=no"},
    {"0000 ffffffff 1 R4 LDS.U.128 1 R2 16 1 0x0 0 0", 1, 0, "--set sm.shared_wide=no"},
    /* atomics: lanes that meet in a word take their turns */
    {"0000 ffffffff 1 R4 ATOMS.ADD 2 R2 R3 4 1 0x0 4 0", 1, 0, ""},
    {"0000 ffffffff 1 R4 ATOMS.ADD 2 R2 R3 4 1 0x0 0 0", 1, 31, ""},
    {"0000 ffffffff 1 R4 ATOMS.ADD 2 R2 R3 4 1 0x0 0 0", 1, 0, "--set sm.shared_atomic_passes=no"},
    {"0000 ffffffff 1 R4 ATOMS.ADD 2 R2 R3 4 1 0x0 128 0", 1, 31,
     "--set sm.shared_atomic_passes=no"}, /* other words of one bank */
    {"0000 0000000f 1 R4 ATOMS.ADD 2 R2 R3 4 2 0x0 0 4 0 0", 1, 1, ""},
};

static void passes_of_an_instruction(void **state)
{
    (void)state;
    (void)test_folder_make();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char line[256];
        snprintf(line, sizeof line, "%s\n", cases[i].line);
        test_command command =
            test_run("$GOLDMEM run %s --json - '%s' | jq -c '.total | [.shared_instructions, "
                     ".shared_accesses, .shared_conflicts, .l1d.accesses]'",
                     cases[i].options, warp_trace_write(1, line));
        char expected[64];
        snprintf(expected, sizeof expected, "[1,%u,%u,0]\n", cases[i].accesses, cases[i].conflicts);
        if (strcmp(command.output, expected) != 0) {
            fail_msg("%s: %s%s, not %s", cases[i].line, command.output, command.errors, expected);
        }
        test_command_free(&command);
    }
    test_folder_remove();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(passes_of_an_instruction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
