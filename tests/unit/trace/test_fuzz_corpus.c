/* Each fuzz target runs over its seeds and earlier findings: a crash or a broken promise fails. */
#include "support/support.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void seeds_pass(void **state)
{
    (void)state;
    char own[4096];
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    assert_true(length > 0);
    own[length] = '\0';
    *strrchr(own, '/') = '\0'; /* the folder of this program: build/tests/unit/trace */
    char pattern[4200];
    (void)snprintf(pattern, sizeof pattern, "%s/../../fuzz/replay_*", own);
    glob_t programs;
    assert_int_equal(glob(pattern, 0, NULL, &programs), 0);
    for (size_t i = 0; i < programs.gl_pathc; i++) {
        const char *program = programs.gl_pathv[i];
        const char *name = strstr(program, "replay_") + strlen("replay_");
        test_command replayed = test_run("'%s' tests/fuzz/corpus/%s/*", program, name);
        if (replayed.status != 0) {
            fail_msg("fuzz target %s: status %d: %s", name, replayed.status, replayed.errors);
        }
        test_command_free(&replayed);
    }
    globfree(&programs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(seeds_pass)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
