/* The examples in README.md and docs/ print what the pages show. In a fenced block marked
 * `console`, a line "$ command" is run with the built goldmem in PATH, and the lines that follow
 * are what it must print. A line "..." there stands for any number of lines. */
#include "support/support.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES = 2000 };

/* Cuts text into lines in place; returns their number. Empty lines are dropped. */
static unsigned cut(char *text, char *lines[LINES])
{
    unsigned count = 0;
    char *rest = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line != NULL && count < LINES;
         line = strtok_r(NULL, "\n", &rest)) {
        lines[count++] = line;
    }
    return count;
}

/* Does what was printed fit what is shown? After "...", the shown lines up to the next "..." must
 * come next to each other somewhere below; the first place is taken. */
static bool matches(char **shown, unsigned shown_count, char **printed, unsigned printed_count)
{
    unsigned i = 0;
    unsigned p = 0;
    bool gap = false;
    while (i < shown_count) {
        if (strcmp(shown[i], "...") == 0) {
            gap = true;
            i++;
            continue;
        }
        while (gap && p < printed_count && strcmp(shown[i], printed[p]) != 0) {
            p++;
        }
        gap = false;
        if (p == printed_count || strcmp(shown[i], printed[p]) != 0) {
            return false;
        }
        i++;
        p++;
    }
    return gap || p == printed_count;
}

static void check_example(const char *page, const char *command, char **shown, unsigned shown_count)
{
    test_command ran = test_run("PATH=\"$(dirname \"$GOLDMEM\"):$PATH\"; %s 2>&1", command);
    char *whole = strdup(ran.output);
    char *printed[LINES] = {NULL};
    unsigned printed_count = cut(ran.output, printed);
    if (!matches(shown, shown_count, printed, printed_count)) {
        fail_msg("%s: `%s` prints something else than the page shows:\n%s", page, command, whole);
    }
    free(whole);
    test_command_free(&ran);
}

/* Runs the examples of one page; returns how many there were. */
static unsigned check_page(const char *page)
{
    test_command read = test_run("cat '%s'", page);
    char *lines[LINES];
    unsigned count = cut(read.output, lines);
    unsigned examples = 0;
    bool inside = false;
    for (unsigned i = 0; i < count; i++) {
        if (strncmp(lines[i], "```", 3) == 0) {
            inside = !inside && strcmp(lines[i], "```console") == 0;
        } else if (inside && strncmp(lines[i], "$ ", 2) == 0) {
            unsigned end = i + 1;
            while (end < count && strncmp(lines[end], "$ ", 2) != 0 &&
                   strncmp(lines[end], "```", 3) != 0) {
                end++;
            }
            check_example(page, lines[i] + 2, lines + i + 1, end - i - 1);
            examples++;
        }
    }
    test_command_free(&read);
    return examples;
}

static void pages_show_what_commands_print(void **state)
{
    (void)state;
    test_only_in_plain_build();
    if (getenv("GOLDMEM") == NULL) {
        print_message("skipped: GOLDMEM is not set\n");
        skip();
    }
    test_command found = test_run("find README.md docs -name '*.md' | sort");
    char *pages[LINES];
    unsigned count = cut(found.output, pages);
    unsigned examples = 0;
    for (unsigned i = 0; i < count; i++) {
        examples += check_page(pages[i]);
    }
    test_command_free(&found);
    print_message("%u examples on %u pages\n", examples, count);
    assert_true(examples > 0);
}

static void a_wrong_page_is_caught(void **state)
{
    (void)state;
    char *right[] = {"one", "...", "four"};
    char *wrong[] = {"one", "...", "five"};
    char *printed[] = {"one", "two", "three", "four"};
    assert_true(matches(right, 3, printed, 4));
    assert_false(matches(wrong, 3, printed, 4));
    assert_false(matches(right, 1, printed, 4)); /* more printed than shown */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages_show_what_commands_print),
        cmocka_unit_test(a_wrong_page_is_caught),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
