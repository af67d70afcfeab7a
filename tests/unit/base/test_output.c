/* Output files through symbolic links and descriptors: what is written, and what stays a link. */
#include "goldmem/output.h"
#include "support/support.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

enum { PATH = 256 };

static const char *path_of(const char *name, char path[PATH])
{
    snprintf(path, PATH, "%s/%s", test_folder(), name);
    return path;
}

/* Links `name` to `target`. Returns the path of the link. */
static const char *link_to(const char *name, const char *target, char path[PATH])
{
    assert_int_equal(symlink(target, path_of(name, path)), 0);
    return path;
}

static void expect_link(const char *path)
{
    struct stat status;
    assert_int_equal(lstat(path, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
}

static void expect_text(const char *path, const char *text)
{
    char read[64] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    (void)!fread(read, 1, sizeof read - 1, file);
    fclose(file);
    assert_string_equal(read, text);
}

static void write_text(const char *path, const char *text)
{
    gm_output output;
    gm_error error;
    test_ok(gm_output_check(path, &error), error);
    test_ok(gm_output_open(&output, path, &error), error);
    fputs(text, output.file);
    test_ok(gm_output_commit(&output, &error), error);
}

static void a_link_stays_and_its_target_is_written(void **state)
{
    (void)state;
    char link[PATH];
    char target[PATH];
    assert_int_equal(mkdir(path_of("below", target), 0777), 0);
    test_file_write("below/old", "old", 3);
    static const struct {
        const char *name, *target, *file;
    } rows[] = {
        {"to-file", "below/old", "below/old"}, /* a file that exists */
        {"to-none", "below/new", "below/new"}, /* none yet: the link names the file to be */
        {"below/back", "../second", "second"}, /* relative to the link's folder */
        {"chain", "below/back", "second"},     /* a link to a link */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        link_to(rows[i].name, rows[i].target, link);
        write_text(link, rows[i].name);
        expect_link(link);
        expect_text(path_of(rows[i].file, target), rows[i].name);
    }
    link_to("round", "round", link);
    gm_error error;
    assert_int_equal(gm_output_check(link, &error), -ELOOP);
}

/* A failed run leaves the file behind a link as it was. */
static void what_is_discarded_changes_nothing(void **state)
{
    (void)state;
    char link[PATH];
    gm_output output;
    gm_error error;
    const char *kept = test_file_write("kept", "kept", 4);
    link_to("to-kept", "kept", link);
    test_ok(gm_output_open(&output, link, &error), error);
    fputs("lost", output.file);
    gm_output_discard(&output);
    expect_link(link);
    expect_text(kept, "kept");
}

/* As /dev/stdout with output to a file: what is written follows what the descriptor has. */
static void a_descriptor_is_written_to(void **state)
{
    (void)state;
    char file[PATH];
    char link[PATH];
    char name[64];
    int descriptor = open(path_of("redirected", file), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, "before ", 7), 7);
    snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
    write_text(link_to("stdout", name, link), "json ");
    snprintf(name, sizeof name, "/dev/fd/%d", descriptor);
    write_text(name, "csv ");
    assert_int_equal(write(descriptor, "after", 5), 5);
    close(descriptor);
    expect_link(link);
    expect_text(file, "before json csv after");
}

/* A device behind a link is written in place: a null device of the test's own. */
static void a_device_stays_one(void **state)
{
    (void)state;
    char device[PATH];
    char link[PATH];
    struct stat status;
    if (mknod(path_of("null", device), S_IFCHR | 0666, makedev(1, 3)) != 0 ||
        access(device, W_OK) != 0) {
        print_message("skipped: no right to make a device\n");
        skip();
    }
    FILE *file = fopen(device, "w");
    if (file == NULL) {
        print_message("skipped: the folder's file system has no devices\n");
        skip();
    }
    fclose(file);
    write_text(link_to("to-null", "null", link), "nothing");
    expect_link(link);
    assert_int_equal(lstat(device, &status), 0);
    assert_true(S_ISCHR(status.st_mode));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_link_stays_and_its_target_is_written),
        cmocka_unit_test(what_is_discarded_changes_nothing),
        cmocka_unit_test(a_descriptor_is_written_to),
        cmocka_unit_test(a_device_stays_one),
    };
    return cmocka_run_group_tests(tests, test_folder_setup, test_folder_teardown);
}
