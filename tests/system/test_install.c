/* `make install` gives a user a command, headers, both libraries and a pkg-config file that work
 * outside the source tree. */
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

static const char PROGRAM[] = "#include <goldmem/goldmem.h>\n"
                              "#include <stdio.h>\n"
                              "int main(void)\n"
                              "{\n"
                              "    gm_arena arena;\n"
                              "    gm_error error;\n"
                              "    if (gm_arena_create(&arena, 64, &error) != 0) {\n"
                              "        return 1;\n"
                              "    }\n"
                              "    gm_arena_free(&arena);\n"
                              "    return puts(\"works\") < 0;\n"
                              "}\n";

static void installed_library_serves_a_program(void **state)
{
    (void)state;
    const char *goldmem = getenv("GOLDMEM");
    if (goldmem == NULL || strstr(goldmem, "sanitize") != NULL) {
        print_message("skipped: GOLDMEM is not set, or the build is for a sanitizer\n");
        skip();
    }
    const char *folder = test_folder_make();
    test_file_write("user.c", PROGRAM, sizeof PROGRAM - 1);
    test_command command =
        test_run("make -s install PREFIX=%s/root && cd %s && "
                 "export PKG_CONFIG_PATH=$PWD/root/lib/pkgconfig && "
                 "cc -Wall -Werror user.c $(pkg-config --cflags --libs goldmem) -o shared && "
                 "LD_LIBRARY_PATH=$PWD/root/lib ./shared && "
                 "cc -static-pie user.c $(pkg-config --cflags goldmem) root/lib/libgoldmem.a "
                 "-o static && ./static && root/bin/goldmem --version",
                 folder, folder);
    assert_string_equal(command.errors, "");
    assert_int_equal(command.status, 0);
    assert_string_equal(command.output, "works\nworks\ngoldmem " GM_VERSION "\n");
    test_command_free(&command);
    test_folder_remove();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(installed_library_serves_a_program)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
