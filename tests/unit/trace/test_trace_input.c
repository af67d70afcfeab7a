/* Byte streams (packed by content, several streams one after another) and the window of lines. */
#include "support/support.h"
#include "support/trace/trace_record.h"
#include "trace/input.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void take_file(const char *path, char **text, size_t *length)
{
    test_command shown = test_run("cat '%s'", path);
    *text = shown.output;
    *length = shown.output_length;
    free(shown.errors);
}

/* All bytes of a file through a stream, in pieces of a given size. */
static char *read_stream(const char *path, size_t piece, size_t *length, uint64_t *counted)
{
    gm_byte_stream *stream = NULL;
    gm_byte_count count = 0;
    gm_error error;
    test_ok(gm_file_stream_open(&stream, path, &count, &error), error);
    enum { MOST = 4 * 1024 * 1024 };
    char *text = malloc(MOST);
    assert_non_null(text);
    *length = 0;
    ptrdiff_t got;
    while ((got = stream->read(stream, text + *length, piece, &error)) > 0) {
        assert_in_range(got, 1, piece);
        *length += (size_t)got;
    }
    test_ok(got, error);
    *counted = count;
    stream->close(stream);
    return text;
}

/* Random-looking text of three windows, packed whole and as two streams, members or frames. */
static void unpacks_by_content(void **state)
{
    (void)state;
    static const char *const names[] = {"a.plain", "a.xz",  "a.gz",  "a.zst",
                                        "ab.xz",   "ab.gz", "ab.zst"};
    enum { SIZE = 800000 };
    test_random random = test_random_start(3);
    char *text = malloc(SIZE);
    assert_non_null(text);
    for (int i = 0; i < SIZE; i++) {
        text[i] = (char)('a' + (int)test_random_below(&random, 4));
    }
    char folder[512];
    test_text_copy(folder, sizeof folder, test_file_write("a.plain", text, SIZE));
    *strrchr(folder, '/') = '\0';
    test_command packed =
        test_run("cd '%s' && head -c 300001 a.plain >a && tail -c +300002 a.plain >b && "
                 "xz -k a.plain -c --block-size=100000 >a.xz && gzip -c a.plain >a.gz && zstd -q "
                 "a.plain -o a.zst && "
                 "{ xz -c a; xz -c b; } >ab.xz && { gzip -c a; gzip -c b; } >ab.gz && "
                 "{ zstd -q -c a; zstd -q -c b; } >ab.zst",
                 folder);
    assert_int_equal(packed.status, 0);
    test_command_free(&packed);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[600];
        char misnamed[600];
        (void)snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        (void)snprintf(misnamed, sizeof misnamed, "%s/x", folder); /* the name does not matter */
        assert_int_equal(rename(path, misnamed), 0);
        struct stat status;
        assert_int_equal(stat(misnamed, &status), 0);
        for (size_t piece = 777; piece < 300000; piece *= 20) {
            size_t length = 0;
            uint64_t counted = 0;
            char *got = read_stream(misnamed, piece, &length, &counted);
            assert_int_equal(length, SIZE);
            assert_memory_equal(got, text, SIZE);
            assert_int_equal(counted, status.st_size);
            free(got);
        }
    }
    free(text);
}

static void refuses_bytes_after_the_end(void **state)
{
    (void)state;
    static const char *const names[] = {"t.xz", "t.gz", "t.zst"};
    for (int i = 0; i < 3; i++) {
        char plain[512];
        char packed[512];
        test_text_copy(plain, sizeof plain, test_file_write("t", "some text\n", 10));
        test_text_copy(packed, sizeof packed, test_file_write(names[i], "", 0));
        trace_pack(plain, packed);
        char *bytes = NULL;
        size_t length = 0;
        take_file(packed, &bytes, &length);
        char *longer = malloc(length + 6);
        assert_non_null(longer);
        memcpy(longer, bytes, length);
        memcpy(longer + length, "junk!!", 6);
        gm_byte_stream *stream = NULL;
        gm_error error;
        char text[64];
        test_ok(gm_file_stream_open(&stream, test_file_write(names[i], longer, length + 6), NULL,
                                    &error),
                error);
        ptrdiff_t got;
        do {
            got = stream->read(stream, text, sizeof text, &error);
        } while (got > 0);
        assert_int_equal(got, -EINVAL);
        /* six bytes could be the start of another .xz stream */
        if (strstr(error.text, i == 0 ? "stream is cut short" : "stream is corrupt") == NULL) {
            fail_msg("%s", error.text);
        }
        stream->close(stream);
        free(bytes);
        free(longer);
    }
}

static void refuses_what_is_no_file(void **state)
{
    (void)state;
    gm_byte_stream *stream = NULL;
    gm_error error;
    assert_int_equal(gm_file_stream_open(&stream, "/nonexistent", NULL, &error), -ENOENT);
    assert_string_equal(error.text, "/nonexistent: No such file or directory");
    assert_int_equal(gm_file_stream_open(&stream, "/tmp", NULL, &error), -EISDIR);
    assert_string_equal(error.text, "/tmp: is a folder, not a file");
}

/* Lines of random lengths come out whole and numbered, wherever the window ends; blank ones are
 * passed over, ends may be LF or CR LF, and the last may have none. */
static void window_holds_whole_lines(void **state)
{
    (void)state;
    enum { SIZE = 3 * GM_INPUT_WINDOW };
    test_random random = test_random_start(11);
    for (int round = 0; round < 20; round++) {
        char *text = malloc(SIZE + 8);
        assert_non_null(text);
        size_t used = 0;
        while (used < SIZE - 20000) {
            size_t length = test_random_below(&random, round % 2 ? 60 : 15000);
            memset(text + used, 'a' + (int)(length % 26), length);
            used += length;
            if (test_random_below(&random, 2) == 1) {
                text[used++] = '\r';
            }
            text[used++] = '\n';
        }
        memcpy(text + used, "end", 3);
        used += 3;

        gm_byte_stream *stream = NULL;
        gm_error error;
        gm_input input;
        test_ok(gm_memory_stream_open(&stream, text, used, &error), error);
        test_ok(gm_input_open(&input, stream, "memory", &error), error);
        const char *at = text;
        uint64_t number = 0;
        while (at < text + used) {
            const char *end = memchr(at, '\n', (size_t)(text + used - at));
            end = end == NULL ? text + used : end;
            size_t length = (size_t)(end - at);
            length -= length > 0 && at[length - 1] == '\r';
            number++;
            if (length > 0) {
                gm_text line;
                assert_int_equal(gm_input_peek(&input, &line, &error), 1);
                assert_int_equal(line.length, length);
                assert_memory_equal(line.start, at, length);
                assert_int_equal(input.line, number);
                assert_true(line.start[length] == '\n' || line.start[length] == '\r');
                gm_input_advance(&input);
            }
            at = end + 1;
        }
        gm_text line;
        assert_int_equal(gm_input_peek(&input, &line, &error), 0);
        gm_input_close(&input);
        free(text);
    }
}

/* A kernel file through a pipe, which can be read only once and has no size. */
static void reads_pipes(void **state)
{
    (void)state;
    static const char text[] =
        "-grid dim = (1,1,1)\n-block dim = (1,1,1)\n#BEGIN_TB\n"
        "thread block = 0,0,0\nwarp = 0\ninsts = 1\n0 1 0 EXIT 0 0\n#END_TB\n";
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], text, sizeof text - 1), sizeof text - 1);
    close(ends[1]);
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", ends[0]);
    trace_record record;
    gm_error error;
    test_ok(trace_record_read(&record, path, 0, &error), error);
    assert_int_equal(record.instructions, 1);
    trace_record_free(&record);
    close(ends[0]);
}

#define IN_FOLDER(test)                                                                            \
    cmocka_unit_test_setup_teardown(test, test_folder_setup, test_folder_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(unpacks_by_content),
        IN_FOLDER(refuses_bytes_after_the_end),
        cmocka_unit_test(refuses_what_is_no_file),
        cmocka_unit_test(window_holds_whole_lines),
        cmocka_unit_test(reads_pipes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
