/* Headers: goldmem.h includes every public header, each also compiles as C++, and the example of
 * simt.h compiles. */
#include "support/support.h"

#include <string.h>

static void expect_no_lines(const char *shell, const char *what)
{
    test_command command = test_run("%s", shell);
    if (command.output[0] != '\0' || command.errors[0] != '\0') {
        fail_msg("%s:\n%s%s", what, command.output, command.errors);
    }
    test_command_free(&command);
}

static void goldmem_h_has_all(void **state)
{
    (void)state;
    expect_no_lines(
        "cd cmodel/include/goldmem && for h in *.h; do grep -q "
        "\"include \\\"goldmem/$h\\\"\" goldmem.h || [ $h = goldmem.h ] || echo $h; done",
        "goldmem.h does not include");
}

static void all_are_extern_c(void **state)
{
    (void)state;
    expect_no_lines(
        "cd cmodel/include/goldmem && grep -L 'extern \"C\"' *.h | grep -v '^goldmem.h'",
        "without extern \"C\"");
}

/* The lines of the comment from GM_THREAD to GM_KERNEL, as they stand. */
static void example_of_simt_h_compiles(void **state)
{
    (void)state;
    const char *folder = test_folder_make();
    test_command command = test_run(
        "(echo '#include \"workload/simt/simt.h\"'; "
        "echo 'typedef struct scale_arrays { uint32_t n; const float *x; float *y; } "
        "scale_arrays;'; "
        "sed -n '/^ \\*     GM_THREAD/,/^ \\*     GM_KERNEL/s/^ \\*//p' "
        "cmodel/workload/simt/simt.h; "
        "echo 'const void *kernel(void); const void *kernel(void) { return &scale_code; }') "
        ">%s/user.c "
        "&& "
        "cc -std=c11 -Wall -Wextra -Werror -Icmodel/include -Icmodel -c %s/user.c -o %s/user.o && "
        "grep -c 'STORE(t, a->y + i' %s/user.c && cc -E -Icmodel/include -Icmodel %s/user.c | "
        "grep -c 'a->y + i'",
        folder, folder, folder, folder, folder);
    test_folder_remove();
    assert_string_equal(command.errors, "");
    assert_string_equal(command.output, "1\n1\n");
    assert_int_equal(command.status, 0);
    test_command_free(&command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(goldmem_h_has_all),
        cmocka_unit_test(all_are_extern_c),
        cmocka_unit_test(example_of_simt_h_compiles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
