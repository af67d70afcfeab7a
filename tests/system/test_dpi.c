/* The DPI-C package: the committed file agrees with the port lists, and a SystemVerilog testbench
 * that calls the golden model (tb/set_index_dpi_tb.sv) passes sound RTL and fails wrong RTL. */
#include "support/support.h"

#include <dlfcn.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void package_is_current(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_command command = test_run("diff -u build/goldmem_dpi_pkg.sv cosim/goldmem_dpi_pkg.sv");
    if (command.status != 0) {
        fail_msg("`make dpi-package` writes it anew:\n%s%s", command.output, command.errors);
    }
    test_command_free(&command);
}

/* The package has nothing that only Verilator takes. Its constants are for its users: none is used
 * in it (UNUSEDPARAM). */
static void package_is_for_any_simulator(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_command command = test_run("verilator --lint-only -Wall -Wpedantic -Wno-UNUSEDPARAM "
                                    "cosim/goldmem_dpi_pkg.sv && ! grep -inE '`|verilator|\\$' "
                                    "cosim/goldmem_dpi_pkg.sv");
    if (command.status != 0) {
        fail_msg("%s%s", command.output, command.errors);
    }
    test_command_free(&command);
}

/* Every block opens with its defaults, answers a request of zeros and refuses one of ones. */
static void every_block_answers(void **state)
{
    (void)state;
    test_only_in_plain_build();
    static const char ports[] = "cmodel/include/goldmem/ports/";
    enum { WORDS = 256 };
    uint32_t request[WORDS];
    uint32_t response[WORDS];
    glob_t found;
    void *library = dlopen("build/libgoldmem_dpi.so", RTLD_NOW | RTLD_LOCAL);
    assert_non_null(library);
    void *(*open)(const char *, const char *) = NULL;
    void (*close)(void *) = NULL;
    int (*access)(void *, const uint32_t *, uint32_t *) = NULL;
    *(void **)&open = dlsym(library, "gm_dpi_open");
    *(void **)&close = dlsym(library, "gm_dpi_close");
    assert_int_equal(glob("cmodel/include/goldmem/ports/*.h", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char block[64];
        char function[80];
        const char *name = found.gl_pathv[i] + strlen(ports);
        snprintf(block, sizeof block, "%.*s", (int)strcspn(name, "."), name);
        snprintf(function, sizeof function, "gm_dpi_%s", block);
        *(void **)&access = dlsym(library, function);
        assert_non_null(access);
        void *model = open(block, "");
        assert_non_null(model);
        memset(request, 0, sizeof request);
        assert_int_equal(access(model, request, response), 0);
        memset(request, 0xff, sizeof request);
        assert_true(access(model, request, response) < 0);
        close(model);
    }
    assert_true(found.gl_pathc >= 6);
    globfree(&found);
    dlclose(library);
}

static void sound_rtl_passes(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_command command = test_run("build/dpi-set_index +transactions=200000");
    assert_int_equal(command.status, 0);
    assert_non_null(strstr(command.output, "set_index_dpi_tb: end: 200000 transactions"));
    /* Errors reach the testbench as text. */
    assert_non_null(strstr(command.output, "refused: sets=31"));
    assert_non_null(strstr(command.output, "refused: goldmem: set_index: index=0x20 has more"));
    test_command_free(&command);
}

/* A difference between RTL and model fails, whichever of the two is wrong. */
static void wrong_rtl_fails(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_command command = test_run("build/dpi-set_index +wrong 2>&1");
    assert_int_not_equal(command.status, 0);
    assert_non_null(strstr(command.output, ": RTL line=0x"));
    assert_null(strstr(command.output, "dpi_tb: end"));
    test_command_free(&command);

    const char *folder = test_folder_make();
    command = test_run("sed 's/index_q : forward_index/index_q : line_q[IndexW-1:0]/' "
                       "rtl/set_index.sv >%s/wrong.sv; cmp rtl/set_index.sv %s/wrong.sv",
                       folder, folder);
    assert_int_equal(command.status, 1); /* they differ */
    test_command_free(&command);
    command =
        test_run("make -s dpi BLOCK=set_index DUT=%s/wrong.sv SET=index=ipoly:37 2>&1", folder);
    assert_int_not_equal(command.status, 0);
    assert_non_null(strstr(command.output, ": index: RTL 0x"));
    assert_null(strstr(command.output, "dpi_tb: end"));
    test_command_free(&command);
    test_folder_remove();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(package_is_current),  cmocka_unit_test(package_is_for_any_simulator),
        cmocka_unit_test(every_block_answers), cmocka_unit_test(sound_rtl_passes),
        cmocka_unit_test(wrong_rtl_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
