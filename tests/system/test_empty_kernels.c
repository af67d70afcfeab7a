/* Kernels in which nothing happens: no CTA left a record, or no instruction touches memory. They
 * are read, run, reported and written as others are. */
#include "support/support.h"

#include <libgen.h>
#include <stdio.h>
#include <string.h>

#define HEADER                                                                                     \
    "-kernel name = idle\n-kernel id = 1\n-grid dim = (4,1,1)\n-block dim = (64,1,1)\n"            \
    "-accelsim tracer version = 5\n\n#traces format = PC mask dest_num [reg_dests] opcode "        \
    "src_num [reg_srcs] mem_width [adrrescompress?] [mem_addresses] immediate\n\n"

/* Runs a kernel file in both engines with all options, converts it to every form, and runs these.
 */
static void run(const char *text, const char *ctas, const char *instructions)
{
    char path[512];
    snprintf(path, sizeof path, "%s", test_file_write("kernel-1.traceg", text, strlen(text)));
    test_command command = test_run(
        "set -e; cd '%s'; for form in '--version=1.2' '--version=3' '--version=4' '--version=5' "
        "'--version=5 --compress=xz' '--binary'; do rm -rf out; "
        "$GOLDMEM trace convert $form kernel-1.traceg out; for input in kernel-1.traceg out; do "
        "for engine in --engine=cycle --analyze=locality,reuse,misses,sharing; do "
        "$GOLDMEM run --check $engine --json - $input | "
        "jq -r '[(.kernels | length), .total.ctas, .total.warp_instructions, "
        ".total.l1d.accesses] | @csv'; done; done; done | sort -u",
        dirname(path));
    char expected[64];
    snprintf(expected, sizeof expected, "1,%s,%s,0\n", ctas, instructions);
    assert_string_equal(command.errors, "");
    assert_string_equal(command.output, expected);
    test_command_free(&command);
}

static void no_thread_block(void **state)
{
    (void)state;
    run(HEADER, "0", "0");
}

/* Conversion leaves out CTAs without an instruction: not tried here. */
static void no_memory_instruction(void **state)
{
    (void)state;
    run(HEADER "#BEGIN_TB\n\nthread block = 2,0,0\n\nwarp = 0\ninsts = 2\n"
               "0000 ffffffff 1 R1 MOV 0 0 0 \n0010 ffffffff 0 EXIT 0 0 0 \n\n"
               "warp = 1\ninsts = 0\n\n#END_TB\n",
        "1", "2");
}

/* A CTA whose warps have no instruction runs and ends at once. */
static void no_instruction(void **state)
{
    (void)state;
    static const char text[] = HEADER "#BEGIN_TB\n\nthread block = 2,0,0\n\nwarp = 0\ninsts = 0\n\n"
                                      "#END_TB\n";
    char path[512];
    snprintf(path, sizeof path, "%s", test_file_write("kernel-1.traceg", text, strlen(text)));
    test_command command = test_run("for engine in cycle order; do "
                                    "$GOLDMEM run --engine=$engine --check --json - '%s' | jq -c "
                                    "'.total | [.ctas, .warps, .warp_instructions]'; done | uniq",
                                    path);
    assert_string_equal(command.errors, "");
    assert_string_equal(command.output, "[1,1,0]\n");
    test_command_free(&command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(no_thread_block, test_folder_setup, test_folder_teardown),
        cmocka_unit_test_setup_teardown(no_memory_instruction, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(no_instruction, test_folder_setup, test_folder_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
