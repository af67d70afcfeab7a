/* Whole traces: the shared real ones counted by a second, separate method; lists, folders, headers,
 * skipping, progress. */
#include "support/support.h"
#include "support/trace/trace_record.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static long next_number(void)
{
    const char *token = strtok(NULL, " \n");
    assert_non_null(token);
    return strtol(token, NULL, 10);
}

/* The second method: line by line with strtok, and no knowledge of the reader's. A line is an
 * instruction when a token is 8 hexadecimal digits; its memory width is the first token after the
 * opcode (first token with a letter beyond F that is no register) and its sources. */
static void count_by_tokens(const char *path, uint64_t *instructions, uint64_t *memory)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    static char line[16384];
    while (fgets(line, sizeof line, file) != NULL) {
        char *token = strtok(line, " \n");
        if (token == NULL || strchr("-#twi", *token) != NULL) {
            continue;
        }
        while (token != NULL && strspn(token, "0123456789abcdef") != 8) {
            token = strtok(NULL, " \n");
        }
        assert_non_null(token);
        for (long n = next_number(); n >= 0; n--) {
            (void)strtok(NULL, " \n"); /* destinations, then the opcode */
        }
        for (long n = next_number(); n > 0; n--) {
            (void)strtok(NULL, " \n"); /* sources */
        }
        ++*instructions;
        *memory += next_number() > 0;
    }
    (void)fclose(file);
}

/* total_insts of a kernel from stats.csv; 0 when the file does not name it. */
static uint64_t stats_count(const char *folder, const char *kernel_file)
{
    char path[1100];
    (void)snprintf(path, sizeof path, "%s/stats.csv", folder);
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return 0;
    }
    char wanted[256];
    (void)snprintf(wanted, sizeof wanted, "%s", kernel_file);
    *(strstr(wanted, ".trace") + strlen(".trace")) = '\0';
    static char line[16384];
    uint64_t count = 0;
    while (count == 0 && fgets(line, sizeof line, file) != NULL) {
        size_t length = strlen(wanted);
        if (strncmp(line, wanted, length) == 0 && line[length] == ',') {
            count = strtoull(strrchr(line, ',') + 1, NULL, 10);
        }
    }
    (void)fclose(file);
    return count;
}

static void counts_of_real_traces_agree(void **state)
{
    (void)state;
    const char *shared = test_shared_data("GOLDMEM_TRACES");
    char pattern[1024];
    (void)snprintf(pattern, sizeof pattern, "%s/*/kernel-*.trace*", shared);
    glob_t files;
    assert_int_equal(glob(pattern, 0, NULL, &files), 0);
    unsigned with_stats = 0;
    for (size_t i = 0; i < files.gl_pathc; i++) {
        const char *path = files.gl_pathv[i];
        char plain[1024];
        (void)snprintf(plain, sizeof plain, "%s", path);
        if (strcmp(path + strlen(path) - 3, ".xz") == 0) {
            test_text_copy(plain, sizeof plain, test_file_write("plain", "", 0));
            test_command unpacked = test_run("xz -dc '%s' >'%s'", path, plain);
            assert_int_equal(unpacked.status, 0);
            test_command_free(&unpacked);
        }
        uint64_t instructions = 0;
        uint64_t memory = 0;
        count_by_tokens(plain, &instructions, &memory);
        trace_record record;
        gm_error error;
        test_ok(trace_record_read(&record, path, 0, &error), error);
        if (record.instructions != instructions || record.memory != memory) {
            fail_msg("%s: %llu and %llu, counted %llu and %llu", path,
                     (unsigned long long)record.instructions, (unsigned long long)record.memory,
                     (unsigned long long)instructions, (unsigned long long)memory);
        }
        char folder[1024];
        (void)snprintf(folder, sizeof folder, "%s", path);
        char *slash = strrchr(folder, '/');
        *slash = '\0';
        uint64_t stated = stats_count(folder, slash + 1);
        with_stats += stated > 0;
        assert_true(stated == 0 || stated == record.instructions);
        trace_record_free(&record);
    }
    assert_true(files.gl_pathc >= 20 && with_stats >= 20);
    globfree(&files);
}

/* Every list: all kernels it names, in order; packed and plain are the same, event by event. */
static void lists_of_real_traces_are_read(void **state)
{
    (void)state;
    const char *shared = test_shared_data("GOLDMEM_TRACES");
    char plain[1024];
    char packed[1024];
    trace_record first;
    trace_record second;
    gm_error error;
    (void)snprintf(plain, sizeof plain, "%s/vectoradd-sm80-v5", shared);
    (void)snprintf(packed, sizeof packed, "%s/vectoradd-sm80-v5-xz/kernelslist.g", shared);
    test_ok(trace_record_read(&first, plain, 0, &error), error);
    test_ok(trace_record_read(&second, packed, 0, &error), error);
    assert_int_equal(first.ctas, 196);
    assert_string_equal(first.text, second.text);
    trace_record_free(&first);
    trace_record_free(&second);
    (void)snprintf(plain, sizeof plain, "%s/simpletorch-sm70-v3", shared);
    test_ok(trace_record_read(&first, plain, 0, &error), error);
    assert_int_equal(first.kernels, 22);
    trace_record_free(&first);
}

static void packed_forms_are_the_same(void **state)
{
    (void)state;
    const char *shared = test_shared_data("GOLDMEM_TRACES");
    static const char *const names[] = {"k.xz", "k.gz", "k.zst"};
    char plain[1024];
    (void)snprintf(plain, sizeof plain, "%s/matrixmul-sm61-v4/kernel-1.traceg", shared);
    trace_record wanted;
    gm_error error;
    test_ok(trace_record_read(&wanted, plain, 0, &error), error);
    for (int i = 0; i < 3; i++) {
        char packed[1024];
        test_text_copy(packed, sizeof packed, test_file_write(names[i], "", 0));
        trace_pack(plain, packed);
        trace_record record;
        test_ok(trace_record_read(&record, packed, 0, &error), error);
        assert_string_equal(record.text, wanted.text);
        trace_record_free(&record);
    }
    trace_record_free(&wanted);
}

static const char kernel_text[] =
    "-kernel name = _Z3foo=\n-kernel id = 9\n-block dim = (32,2,3)\n-grid dim = (4,5,6)\n"
    "-shmem = 4096\n-nregs = 21955\n-binary version = 80\n-cuda stream id = -2\n"
    "-shmem base_addr = 0x00007fb05c000000\n-local mem base_addr = 7fb05a000000\n"
    "-nvbit version = 1.7.7.1\n-accelsim tracer version = 5\n-enable lineinfo = 1\n-other = 3\n"
    "-warp size = 32\n";
static const char body[] = "#BEGIN_TB\nthread block = 3,4,5\nwarp = 5\ninsts = 1\n"
                           "3 0000 ffffffff 0 EXIT 0 0 0\n#END_TB";

static void header_fields_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *format;
        bool has_immediate;
    } formats[] = {{"\n#traces format = PC ... immediate\n", true},
                   {"#traces format = PC\n\n\n", false},
                   {"", true}}; /* version 5 */
    for (int i = 0; i < 3; i++) {
        char text[2048];
        (void)snprintf(text, sizeof text, "%s%s%s", kernel_text, formats[i].format, body);
        gm_source *source = NULL;
        gm_error error;
        gm_command command;
        const char *path = test_file_write("any-name", text, strlen(text));
        test_ok(gm_trace_open(&source, path, &error), error);
        assert_string_equal(source->name, path);
        assert_int_equal(gm_source_next_command(source, &command, &error), 1);
        assert_int_equal(command.kind, GM_COMMAND_KERNEL);
        const gm_kernel *kernel = command.kernel;
        assert_string_equal(kernel->name, "_Z3foo=");
        assert_int_equal(kernel->id, 9);
        assert_int_equal(kernel->grid[0] * 100 + kernel->grid[1] * 10 + kernel->grid[2], 456);
        assert_int_equal(kernel->block[0] * 100 + kernel->block[1] * 10 + kernel->block[2], 3223);
        assert_int_equal(kernel->shared_bytes, 4096);
        assert_int_equal(kernel->registers, 21955);
        assert_int_equal(kernel->binary_version, 80);
        assert_true(kernel->stream == UINT64_MAX - 1);
        assert_true(kernel->shared_base == 0x7fb05c000000);
        assert_true(kernel->local_base == 0x7fb05a000000);
        assert_string_equal(kernel->nvbit_version, "1.7.7.1");
        assert_string_equal(kernel->tracer_version, "5");
        assert_int_equal(kernel->version, 5);
        assert_true(kernel->has_line_numbers);
        assert_int_equal(kernel->has_immediate, formats[i].has_immediate);
        assert_int_equal(gm_source_next_command(source, &command, &error), 0);
        assert_int_equal(gm_source_next_command(source, &command, &error), 0);
        gm_progress progress = gm_source_progress(source);
        assert_int_equal(progress.total, strlen(text));
        assert_int_equal(progress.done, strlen(text));
        gm_source_close(source);
    }
}

static void lists_and_folders_are_followed(void **state)
{
    (void)state;
    static const char *const ids[] = {"kernel-10", "kernel-2", "kernel-2-ctx_0x55c2"};
    char folder[512];
    for (int i = 0; i < 3; i++) {
        char text[2048];
        char name[64];
        (void)snprintf(text, sizeof text, "-kernel name = %s\n%s%s", ids[i],
                       kernel_text + strlen("-kernel name = _Z3foo=\n"), body);
        (void)snprintf(name, sizeof name, "%s.traceg", ids[i]);
        test_text_copy(folder, sizeof folder, test_file_write(name, text, strlen(text)));
    }
    /* not taken: the raw form of a kernel that is there grouped, and other files */
    test_file_write("kernel-2.trace", "x", 1);
    test_file_write("kernel-x.traceg", "x", 1);
    test_file_write("stats.csv", "x", 1);
    *strrchr(folder, '/') = '\0';
    trace_record record;
    gm_error error;
    test_ok(trace_record_read(&record, folder, 1, &error), error);
    assert_string_equal(record.text, "kernel 9 kernel-2 (4,5,6) (32,2,3)\n"
                                     "kernel 9 kernel-2-ctx_0x55c2 (4,5,6) (32,2,3)\n"
                                     "kernel 9 kernel-10 (4,5,6) (32,2,3)\n");
    trace_record_free(&record);

    static const char list[] =
        "# a comment\nMemcpyHtoD,0x00007fb02d700000,4096\r\n\nkernel-10.traceg \n"
        "MemcpyDtoH,what,ever\nMemcpyHtoDAsync\nunknown\nkernel-2.traceg\n"
        "MemcpyHtoD,10,0\nkernel-10.traceg";
    test_file_write("kernelslist.g", list, strlen(list));
    test_ok(trace_record_read(&record, folder, 1, &error), error);
    assert_string_equal(record.text, "copy 7fb02d700000 4096\n"
                                     "kernel 9 kernel-10 (4,5,6) (32,2,3)\n"
                                     "kernel 9 kernel-2 (4,5,6) (32,2,3)\n"
                                     "copy 10 0\nkernel 9 kernel-10 (4,5,6) (32,2,3)\n");
    trace_record_free(&record);
}

/* The sink's own failure ends the delivery and is handed on. */
static int refuse(void *context, const gm_instruction *instruction, gm_error *error)
{
    (void)context;
    (void)instruction;
    return gm_fail(error, -ENOSPC, "no room");
}

static int begin(void *context, const uint32_t cta[3], gm_error *error)
{
    (void)context;
    (void)cta;
    (void)error;
    return 0;
}

static int begin_warp(void *context, uint32_t warp, gm_error *error)
{
    (void)context;
    (void)warp;
    (void)error;
    return 0;
}

static void sink_can_stop(void **state)
{
    (void)state;
    char text[2048];
    (void)snprintf(text, sizeof text, "%s%s", kernel_text, body);
    gm_source *source = NULL;
    gm_error error;
    gm_command command;
    gm_cta_sink sink = {NULL, begin, begin_warp, refuse, NULL};
    test_ok(gm_trace_open(&source, test_file_write("k", text, strlen(text)), &error), error);
    assert_int_equal(gm_source_next_command(source, &command, &error), 1);
    assert_int_equal(gm_source_next_cta(source, &sink, &error), -ENOSPC);
    assert_string_equal(error.text, "no room");
    assert_int_equal(gm_source_next_cta(source, &sink, &error), -ENOSPC);
    assert_int_equal(gm_source_next_command(source, &command, &error), -ENOSPC);
    gm_source_close(source);
}

/* With line numbers, versions 3 to 5 keep both lines of an LDGSTS; only the global half counts. */
static void line_numbers_keep_both_ldgsts_lines(void **state)
{
    (void)state;
    static const char both[] = "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 5\n"
                               "3 0010 00000003 0 LDGSTS.E.128 0 16 1 0x100 16 0\n"
                               "3 0010 00000003 0 LDGSTS.E.128 0 16 1 0x7f0000000000 16 0\n"
                               "3 0020 00000000 0 LDGSTS.E.128 0 16 1 0x0 0 0\n"
                               "3 0020 00000000 0 LDGSTS.E.128 0 16 1 0x0 0 0\n"
                               "4 0030 00000001 0 EXIT 0 0 0\n#END_TB";
    char text[2048];
    (void)snprintf(text, sizeof text, "%s%s", kernel_text, both);
    trace_record record;
    gm_error error;
    test_ok(trace_record_read(&record, test_file_write("k", text, strlen(text)), 0, &error), error);
    assert_string_equal(
        strstr(record.text, "warp"),
        "warp 0\n0010 00000003 LDGSTS.E.128 - - 16 [7f0000000000+16*2] 0\n"
        "0020 00000000 LDGSTS.E.128 - - 16 [] 0\n0030 00000001 EXIT - - 0 [] 0\nend\n");
    trace_record_free(&record);
}

#define IN_FOLDER(test)                                                                            \
    cmocka_unit_test_setup_teardown(test, test_folder_setup, test_folder_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(counts_of_real_traces_agree),
        cmocka_unit_test(lists_of_real_traces_are_read),
        IN_FOLDER(packed_forms_are_the_same),
        IN_FOLDER(header_fields_are_read),
        IN_FOLDER(lists_and_folders_are_followed),
        IN_FOLDER(sink_can_stop),
        IN_FOLDER(line_numbers_keep_both_ldgsts_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
