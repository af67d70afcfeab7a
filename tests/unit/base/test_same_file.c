/* Whether two paths name one file: existing ones, ones to be, links, devices. */
#include "base/same_file.h"

#include "support/support.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH = 256 };

static const char *path_of(const char *name, char path[PATH])
{
    bool is_full = name[0] == '/';
    snprintf(path, PATH, "%s%s%s", is_full ? "" : test_folder(), is_full ? "" : "/", name);
    return path;
}

static void make_files(void)
{
    char from[PATH];
    char to[PATH];
    assert_int_equal(mkdir(path_of("below", to), 0777), 0);
    test_file_write("file", "1", 1);
    test_file_write("other", "1", 1);
    assert_int_equal(link(path_of("file", from), path_of("hard", to)), 0);
    assert_int_equal(symlink("../file", path_of("below/soft", to)), 0);
    assert_int_equal(symlink("below", path_of("folder", to)), 0);
    assert_int_equal(symlink("new", path_of("below/to-new", to)), 0);
    assert_int_equal(symlink("round", path_of("round", to)), 0);
    assert_int_equal(mkfifo(path_of("pipe", to), 0666), 0);
}

static void paths(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        bool same;
        const char *why;
    } rows[] = {
        {"file", "file", true, "one spelling"},
        {"file", "below/.././file", true, "another spelling"},
        {"file", "hard", true, "a second name"},
        {"file", "below/soft", true, "a link"},
        {"file", "folder/soft", true, "a link in a folder behind a link"},
        {"file", "other", false, "equal content"},
        {"file", "new", false, "one exists, the other does not"},
        {"new", "./new", true, "a file to be"},
        {"below/new", "folder/new", true, "a file to be in a folder behind a link"},
        {"below/new", "below/to-new", true, "a link to a file to be"},
        {"new", "below/new", false, "files to be in two folders"},
        {"new", "newer", false, "two files to be"},
        {"none/new", "none/new", false, "no such folder: nothing can be written"},
        {"round", "round", false, "links in a circle lead nowhere"},
        {"pipe", "pipe", false, "a pipe can be written to twice"},
        {"/dev/null", "/dev/null", false, "so can a device"},
    };
    make_files();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char a[PATH];
        char b[PATH];
        if (gm_same_file(path_of(rows[i].a, a), path_of(rows[i].b, b)) != rows[i].same ||
            gm_same_file(b, a) != rows[i].same) {
            fail_msg("%s, %s: %s", a, b, rows[i].why);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(paths)};
    return cmocka_run_group_tests(tests, test_folder_setup, test_folder_teardown);
}
