#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

test_random test_random_start(uint64_t fallback)
{
    const char *text = getenv("SEED");
    uint64_t seed = text != NULL ? strtoull(text, NULL, 0) : fallback;
    print_message("SEED=%llu\n", (unsigned long long)seed);
    return (test_random){seed};
}

/* splitmix64 */
uint64_t test_random_next(test_random *random)
{
    random->state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = random->state;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

uint64_t test_random_below(test_random *random, uint64_t bound)
{
    return (uint64_t)(((unsigned __int128)test_random_next(random) * bound) >> 64);
}

unsigned test_rounds(unsigned all)
{
#ifdef __SANITIZE_ADDRESS__
    return (all + 2) / 3;
#else
    return all;
#endif
}

bool test_takes(unsigned number)
{
    return number % (test_rounds(3) == 3 ? 1 : 3) == 0;
}

bool test_takes_all(void)
{
    return getenv("GOLDMEM_ALL") != NULL;
}

static char *read_whole(FILE *file, size_t *length)
{
    char *text = NULL;
    size_t used = 0;
    size_t capacity = 0;
    for (;;) {
        if (capacity - used < 4096) {
            capacity = capacity * 2 + 8192;
            char *larger = realloc(text, capacity);
            assert_non_null(larger);
            text = larger;
        }
        size_t got = fread(text + used, 1, capacity - used - 1, file);
        if (got == 0) {
            break;
        }
        used += got;
    }
    text[used] = '\0';
    *length = used;
    return text;
}

test_command test_run(const char *format, ...)
{
    char line[8192];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    assert_in_range(length, 0, sizeof line - 1);

    FILE *output = tmpfile();
    FILE *errors = tmpfile();
    assert_non_null(output);
    assert_non_null(errors);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(fileno(output), STDOUT_FILENO);
        dup2(fileno(errors), STDERR_FILENO);
        execl("/bin/sh", "sh", "-c", line, (char *)NULL);
        _exit(127);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    test_command command = {.status =
                                WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status)};
    rewind(output);
    rewind(errors);
    command.output = read_whole(output, &command.output_length);
    command.errors = read_whole(errors, &command.errors_length);
    fclose(output);
    fclose(errors);
    return command;
}

void test_command_free(test_command *command)
{
    free(command->output);
    free(command->errors);
    *command = (test_command){0};
}

void test_expect(test_command *command, int status, const char *text)
{
    if (command->status != status ||
        (strstr(command->output, text) == NULL && strstr(command->errors, text) == NULL)) {
        fail_msg("expected status %d and '%s', got %d and:\n%s%s", status, text, command->status,
                 command->output, command->errors);
    }
    test_command_free(command);
}

bool test_is_plain_build(void)
{
    const char *goldmem = getenv("GOLDMEM");
    return goldmem == NULL || strstr(goldmem, "build/goldmem") != NULL;
}

void test_only_in_plain_build(void)
{
    if (!test_is_plain_build()) {
        print_message("skipped: this runs in the plain build only\n");
        skip();
    }
}

static char folder[64];

const char *test_folder_make(void)
{
    strcpy(folder, "/tmp/goldmem-test-XXXXXX");
    assert_non_null(mkdtemp(folder));
    return folder;
}

void test_folder_remove(void)
{
    if (strncmp(folder, "/tmp/goldmem-test-", 18) == 0) {
        test_command removed = test_run("rm -rf '%s'", folder);
        test_command_free(&removed);
    }
    folder[0] = '\0';
}

const char *test_folder(void)
{
    return folder;
}

int test_folder_setup(void **state)
{
    (void)state;
    return test_folder_make() == NULL;
}

int test_folder_teardown(void **state)
{
    (void)state;
    test_folder_remove();
    return 0;
}

const char *test_file_write(const char *name, const void *data, size_t length)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
    return path;
}

char *test_text_copy(char *to, size_t capacity, const char *text)
{
    size_t length = strlen(text);
    assert_true(length < capacity);
    memcpy(to, text, length + 1);
    return to + length;
}

const char *test_shared_data(const char *variable)
{
    const char *path = getenv(variable);
    if (path == NULL) {
        print_message("skipped: %s is not set\n", variable);
        skip();
    }
    return path;
}
