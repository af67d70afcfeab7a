/* Shared by all tests: seeded random numbers, running the command, temporary folders, shared data.
 */
#ifndef GOLDMEM_TESTS_SUPPORT_SUPPORT_H
#define GOLDMEM_TESTS_SUPPORT_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h needs the four above first */
#include <cmocka.h>

#include "goldmem/error.h"

/* Random numbers. The seed is SEED from the environment, or `fallback`. Prints it at once; one seed
 * gives one sequence. */
typedef struct test_random {
    uint64_t state;
} test_random;
test_random test_random_start(uint64_t fallback);
uint64_t test_random_next(test_random *random);
uint64_t test_random_below(test_random *random, uint64_t bound); /* 0 <= r < bound */

/* Rounds of a test: all of them without sanitizers (make regress), a third under sanitizers, where
 * each takes ten times as long. */
unsigned test_rounds(unsigned all);

/* Returns whether a loop over combinations takes combination `number`: each without sanitizers,
 * every third one under sanitizers. */
bool test_takes(unsigned number);

/* A finished command: exit status (128 + n when killed by signal n), its outputs (heap, NUL-ended).
 */
typedef struct test_command {
    int status;
    char *output, *errors;
    size_t output_length, errors_length;
} test_command;

/* Runs a shell command line, in which $GOLDMEM is the command under test. */
test_command test_run(const char *format, ...) __attribute__((format(printf, 1, 2)));
void test_command_free(test_command *command);

/* Fails unless the command ended with `status` and wrote `text` somewhere; frees it. */
void test_expect(test_command *command, int status, const char *text);

/* Returns whether this is the plain build; under the sanitizers runs take several times as long. */
bool test_is_plain_build(void);

/* Returns whether tests take what `make test` leaves out: with GOLDMEM_ALL=1, as in make regress.
 */
bool test_takes_all(void);

/* Skips the calling test in a sanitizers' build: programs of build/ need only one test run. */
void test_only_in_plain_build(void);

/* A fresh temporary folder, removed with its files by test_folder_remove. Static storage: one at a
 * time. */
const char *test_folder_make(void);
void test_folder_remove(void);

/* The two functions above in the form of cmocka's setup and teardown. */
int test_folder_setup(void **state);
int test_folder_teardown(void **state);

/* Returns the path of the temporary folder. Requires that it is made. */
const char *test_folder(void);

/* Writes a file; the name is relative to the temporary folder. Returns the full path (static). */
const char *test_file_write(const char *name, const void *data, size_t length);

/* Copies a text with its NUL into `to`. Requires that it fits. Returns the place of the NUL. */
char *test_text_copy(char *to, size_t capacity, const char *text);

/* Returns the path in an environment variable (GOLDMEM_TRACES, GOLDMEM_INPUTS, GOLDMEM_REFERENCE).
 * If it is unset, says so and skips the calling test. */
const char *test_shared_data(const char *variable);

/* Fails the test with the error's text when code < 0. */
#define test_ok(code, error)                                                                       \
    do {                                                                                           \
        if ((code) < 0) {                                                                          \
            fail_msg("%s", (error).text);                                                          \
        }                                                                                          \
    } while (0)

/* Shell functions for scripts. "catches PID MASK" waits until the process handles all signals of
 * the mask (bit s - 1 for signal s); before it has become the program it is a copy of the shell,
 * which handles SIGINT too. "answers PID LOG" then sends it SIGUSR1 until LOG has its progress.
 * Both wait for the event, however slow the machine is, and give up when the process ends or after
 * ten minutes. */
#define TEST_WAIT                                                                                  \
    "catches() { i=0; while [ $i -lt 60000 ] && kill -0 $1; do "                                   \
    "mask=$(sed -n 's/^SigCgt:[[:space:]]*/0x/p' /proc/$1/status); "                               \
    "[ $((mask & $2)) -eq $(($2)) ] && ! [ /proc/$1/exe -ef /proc/$$/exe ] && return 0; "          \
    "sleep 0.01; i=$((i + 1)); done; return 1; }; "                                                \
    "answers() { catches $1 0x200 || return 1; i=0; while [ $i -lt 60000 ] && kill -USR1 $1; do "  \
    "sleep 0.01; grep -q '^goldmem: .' $2 && return 0; i=$((i + 1)); done; return 1; }; "

#endif
