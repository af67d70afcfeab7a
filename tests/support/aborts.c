#include "support/aborts.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef GM_DEBUG
const bool test_debug = true;
#else
const bool test_debug = false;
#endif

void test_aborts(void (*transaction)(void *state), void *state, const char *text)
{
    if (!test_debug) {
        print_message("skipped: this build does not check invariants\n");
        skip();
    }
    FILE *errors = tmpfile();
    assert_non_null(errors);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(fileno(errors), STDERR_FILENO);
        signal(SIGABRT, SIG_DFL); /* cmocka catches it */
        transaction(state);
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    char line[1024] = "";
    rewind(errors);
    assert_non_null(fgets(line, sizeof line, errors));
    fclose(errors);
    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT || strstr(line, text) == NULL) {
        fail_msg("status 0x%x, not an abort that says '%s': %s", (unsigned)status, text, line);
    }
}
