/* The examples in README.md, CONTRIBUTING.md and docs/ print what the pages show. In a fenced block
 * marked `console`, a line "$ command" is run with the built goldmem in PATH, and the lines that
 * follow are what it must print. A line "..." there stands for any number of lines. What pages name
 * as a file or folder of this repository exists. */
#include "support/support.h"

#include <fnmatch.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINES = 4000 };

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

/* Returns whether the printed lines fit the shown ones. After "...", the shown lines up to the next
 * "..." must be neighbours somewhere below; the first place is taken. */
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
    test_command found = test_run("find README.md CONTRIBUTING.md docs -name '*.md' | sort");
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

/* Returns whether a text in backticks names a file or folder of this repository: one that begins
 * with a folder of the repository or ends as source code does. Files below build/ do not count. */
static bool is_path(const char *name, size_t length)
{
    static const char *const folders[] = {"cmodel/", "cosim/",   "docs/", "mk/",    "presets/",
                                          "rtl/",    "scripts/", "tb/",   "tests/", ".../"};
    static const char *const endings[] = {".c", ".h", ".sv", ".svh", ".sh", ".py", ".awk", ".mk"};
    if (strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./") !=
        length) {
        return false;
    }
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        if (strncmp(name, folders[i], strlen(folders[i])) == 0) {
            return true;
        }
    }
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        size_t ending = strlen(endings[i]);
        if (length > ending && strcmp(name + length - ending, endings[i]) == 0) {
            return strncmp(name, "build/", 6) != 0;
        }
    }
    return false;
}

/* Writes the pattern of paths "./..." that a name stands for. NAME, X and ... match anything; the
 * name's first folders may be left out. */
static void make_pattern(const char *name, char *pattern)
{
    static const char *const any[] = {"NAME", "X.", "..."};
    pattern += sprintf(pattern, "*/");
    while (*name != '\0') {
        size_t skip = 0;
        for (size_t i = 0; i < sizeof any / sizeof any[0] && skip == 0; i++) {
            skip = strncmp(name, any[i], strlen(any[i])) == 0 ? strlen(any[i]) : 0;
        }
        *pattern = *name;
        if (skip != 0) {
            *pattern = '*';
        }
        pattern++;
        name += skip != 0 ? skip : 1;
    }
    if (pattern[-1] == '/') {
        *pattern++ = '*';
    }
    *pattern = '\0';
}

static bool exists(const char *name, char **files, unsigned count)
{
    char pattern[512];
    make_pattern(name, pattern);
    for (unsigned i = 0; i < count; i++) {
        if (fnmatch(pattern, files[i], 0) == 0) {
            return true;
        }
    }
    return false;
}

/* Checks each word between backticks in a line of a page; returns how many name a path. */
static unsigned check_names(const char *page, char *line, char **files, unsigned count)
{
    unsigned names = 0;
    char *rest = NULL;
    bool inside = line[0] == '`';
    for (char *part = strtok_r(line, "`", &rest); part != NULL;
         part = strtok_r(NULL, "`", &rest), inside = !inside) {
        if (inside && is_path(part, strlen(part))) {
            names++;
            if (!exists(part, files, count)) {
                fail_msg("%s names `%s`, which does not exist", page, part);
            }
        }
    }
    return names;
}

static void what_pages_name_exists(void **state)
{
    (void)state;
    test_command listed =
        test_run("find . \\( -path ./.git -o -path './build*' \\) -prune -o -type f -print");
    char *files[LINES];
    unsigned count = cut(listed.output, files);
    assert_in_range(count, 1, LINES - 1);
    test_command found =
        test_run("find README.md CONTRIBUTING.md docs -name '*.md' -exec grep -H '`' {} +");
    unsigned names = 0;
    char *rest = NULL;
    for (char *line = strtok_r(found.output, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        char *text = strchr(line, ':');
        *text++ = '\0';
        if (strncmp(text, "```", 3) != 0) {
            names += check_names(line, text, files, count);
        }
    }
    assert_true(names > 100);
    test_command_free(&found);
    test_command_free(&listed);
}

/* Copies the target of the next link "](TARGET" in *text, without its anchor, and moves *text
 * behind it. Returns false at the text's end. Targets of other sites and of the page itself are
 * empty. */
static bool next_link(const char **text, char target[512])
{
    const char *link = strstr(*text, "](");
    if (link == NULL) {
        return false;
    }
    link += 2;
    size_t length = strcspn(link, ")#");
    *text = link + length;
    length = strncmp(link, "http", 4) == 0 ? 0 : length;
    snprintf(target, 512, "%.*s", (int)length, link);
    return true;
}

static void what_pages_link_exists(void **state)
{
    (void)state;
    test_command found = test_run("find *.md docs -name '*.md'");
    char *pages[LINES];
    unsigned count = cut(found.output, pages);
    unsigned links = 0;
    for (unsigned i = 0; i < count; i++) {
        test_command page = test_run("cat '%s'", pages[i]);
        const char *text = page.output;
        const char *slash = strrchr(pages[i], '/');
        int folder = slash != NULL ? (int)(slash - pages[i] + 1) : 0;
        char target[512];
        while (next_link(&text, target)) {
            char path[1024];
            snprintf(path, sizeof path, "%.*s%s", folder, pages[i], target);
            links++;
            if (target[0] != '\0' && access(path, F_OK) != 0) {
                fail_msg("%s links %s, which does not exist", pages[i], target);
            }
        }
        test_command_free(&page);
    }
    assert_true(links > 100);
    test_command_free(&found);
}

static void a_link_is_found(void **state)
{
    (void)state;
    const char *text = "[a](docs/a.md#b), [c](https://d) and [e](../f.md)";
    char target[512];
    assert_true(next_link(&text, target));
    assert_string_equal(target, "docs/a.md");
    assert_true(next_link(&text, target));
    assert_string_equal(target, "");
    assert_true(next_link(&text, target));
    assert_string_equal(target, "../f.md");
    assert_false(next_link(&text, target));
}

static void a_name_of_nothing_is_caught(void **state)
{
    (void)state;
    char *files[] = {"./cmodel/order/order_l1.c", "./tests/unit/blocks/test_mshr.c",
                     "./rtl/mshr.sv"};
    static const char *const good[] = {"cmodel/order/order_l1.c", "order_l1.c",
                                       "order/order_l1.c",        "tests/unit/blocks/test_NAME.c",
                                       "cmodel/.../X.c",          "rtl/"};
    static const char *const bad[] = {"cmodel/system/l1.c", "d.c", "tests/unit/blocks/test_NAME.h",
                                      "cmodel/cycle/", "mshr"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_true(exists(good[i], files, 3));
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_false(exists(bad[i], files, 3));
    }
    assert_true(is_path("rtl/", 4) && is_path("l1_fill.c", 9) && is_path("tests/a.txt", 11));
    assert_false(is_path("l1.size", 7) || is_path("build/a.c", 9) || is_path("make a.c", 8));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages_show_what_commands_print),
        cmocka_unit_test(a_wrong_page_is_caught),
        cmocka_unit_test(what_pages_name_exists),
        cmocka_unit_test(a_name_of_nothing_is_caught),
        cmocka_unit_test(what_pages_link_exists),
        cmocka_unit_test(a_link_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
