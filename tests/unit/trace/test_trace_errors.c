/* Truncated, corrupted and lying files: each ends with one line that names file, line and reason.
 * Each case is a good file with one thing replaced. */
#include "support/support.h"
#include "support/trace/trace_record.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* 18 header and body lines before the first instruction line, which is line 19 */
static const char whole[] = "-kernel name = f\n"                              /* 1 */
                            "-kernel id = 7\n"                                /* 2 */
                            "-grid dim = (2,2,1)\n"                           /* 3 */
                            "-block dim = (33,1,1)\n"                         /* 4 */
                            "-shmem = 1\n"                                    /* 5 */
                            "-nregs = 21955\n"                                /* 6 */
                            "-binary version = 0\n"                           /* 7 */
                            "-cuda stream id = -3\n"                          /* 8 */
                            "-shmem base_addr = 0x00007fb05c000000\n"         /* 9 */
                            "-accelsim tracer version = 5\n"                  /* 10 */
                            "-enable lineinfo = 0\n"                          /* 11 */
                            "\n"                                              /* 12 */
                            "#traces format = PC mask ... immediate\n"        /* 13 */
                            "\n"                                              /* 14 */
                            "#BEGIN_TB\n"                                     /* 15 */
                            "thread block = 1,0,0\n"                          /* 16 */
                            "warp = 0\n"                                      /* 17 */
                            "insts = 2\n"                                     /* 18 */
                            "0000 ffffffff 1 R1 LDG.E 1 R2 4 1 0x1000 4 0 \n" /* 19 */
                            "0010 ffffffff 0 EXIT 0 0 0 \n"                   /* 20 */
                            "\n"                                              /* 21 */
                            "warp = 1\n"                                      /* 22 */
                            "insts = 1\n"                                     /* 23 */
                            "0000 00000001 0 EXIT 0 0 0 \n"                   /* 24 */
                            "#END_TB\n"                                       /* 25 */
                            "#BEGIN_TB\n"                                     /* 26 */
                            "thread block = 0,1,0\n"                          /* 27 */
                            "warp = 1\n"                                      /* 28 */
                            "insts = 0\n"                                     /* 29 */
                            "#END_TB\n";                                      /* 30 */

typedef struct change {
    const char *what, *by;
    const char *expected; /* after "FILE:" */
} change;

static const change changes[] = {
    /* header */
    {"-kernel id = 7", "-kernel id = 0x7",
     "2: -kernel id: '0x7' is not a decimal number of 64 bits"},
    {"-kernel id = 7", "-kernel id = 18446744073709551616",
     "2: -kernel id: '18446744073709551616' is not a decimal number of 64 bits"},
    {"-kernel id = 7", "-kernel id = 7\n-kernel id = 8", "3: -kernel id is given twice"},
    {"-kernel id = 7", "-kernel id", "2: a header line without '=': '-kernel id'"},
    {"(2,2,1)", "(2,2)", "3: -grid dim: '(2,2)' is not (x,y,z) with decimal numbers of at least 1"},
    {"(2,2,1)", "(2,0,1)",
     "3: -grid dim: '(2,0,1)' is not (x,y,z) with decimal numbers of at least 1"},
    {"(2,2,1)", "(4294967296,1,1)",
     "3: -grid dim: '(4294967296,1,1)' is not (x,y,z) with decimal numbers of at least 1"},
    {"(2,2,1)", "(4294967295,4294967295,1)",
     "15: -grid dim: (4294967295,4294967295,1) is more than 2^63 thread blocks"},
    {"-grid dim = (2,2,1)\n", "", "14: the header has no '-grid dim = (x,y,z)'"},
    {"-block dim = (33,1,1)\n", "", "14: the header has no '-block dim = (x,y,z)'"},
    {"(33,1,1)", "(2048,2,1)", "15: -block dim: (2048,2,1) is more than 2048 threads"},
    {"-shmem = 1\n", "-shmem = -1\n",
     "5: -shmem: '-1' is not a decimal number from 0 to 4294967295"},
    {"-nregs = 21955", "-nregs = 4294967296",
     "6: -nregs: '4294967296' is not a decimal number from 0 to 4294967295"},
    {"0x00007fb05c000000", "0xg",
     "9: -shmem base_addr: '0xg' is not a hexadecimal number of 64 bits"},
    {"version = 5", "version = nan",
     "10: -accelsim tracer version: 'nan' is not one of 1, 1.2, 2, 3, 4, 5, 6"},
    {"version = 5", "version = 7",
     "10: -accelsim tracer version: '7' is not one of 1, 1.2, 2, 3, 4, 5, 6"},
    {"version = 5", "version = 4294967296",
     "10: -accelsim tracer version: '4294967296' is not one of 1, 1.2, 2, 3, 4, 5, 6"},
    {"version = 5", "version = -1",
     "10: -accelsim tracer version: '-1' is not one of 1, 1.2, 2, 3, 4, 5, 6"},
    {"version = 5", "version = 5 or so",
     "10: -accelsim tracer version: '5 or so' is not one of 1, 1.2, 2, 3, 4, 5, 6"},
    {"version = 5", "version = 0.5",
     "10: -accelsim tracer version: '0.5' is not one of 1, 1.2, 2, 3, 4, 5, 6"},
    {"version = 5", "version = 5.000000000000000000",
     "10: -accelsim tracer version: '5.000000000000000000' is not one of 1, 1.2, 2, 3, 4, 5, 6"},
    {"version = 5",
     "version = ", "10: -accelsim tracer version: '' is not one of 1, 1.2, 2, 3, 4, 5, 6"},
    {"lineinfo = 0", "lineinfo = 2", "11: -enable lineinfo: '2' is not 0 or 1"},
    {"lineinfo = 0", "lineinfo = 0\n-warp size = 64",
     "12: -warp size: '64' is not a supported warp size: only 32 lanes are"},
    /* body */
    {"#BEGIN_TB\nthread block = 1", "#BEGIN\nthread block = 1",
     "16: 'thread block = 1,0,0' where '#BEGIN_TB' is wanted"},
    {"thread block = 1,0,0", "thread block = 1,0",
     "16: 'thread block = 1,0' where 'thread block = x,y,z' is wanted"},
    {"thread block = 1,0,0", "thread block = 1,0,0x0",
     "16: 'thread block = 1,0,0x0' where 'thread block = x,y,z' is wanted"},
    {"thread block = 1,0,0", "thread block = 2,0,0",
     "16: thread block 2,0,0 is outside the grid (2,2,1)"},
    {"thread block = 0,1,0", "thread block = 1,0,0",
     "27: thread block 1,0,0 is repeated or out of order"},
    {"thread block = 0,1,0", "thread block = 0,0,0",
     "27: thread block 0,0,0 is repeated or out of order"},
    {"thread block = 0,1,0", "thread block = 0,1,18446744073709551615",
     "27: thread block 0,1,18446744073709551615 is outside the grid (2,2,1)"},
    {"thread block = 0,1,0", "thread block = 0,1,0\ncluster id = 0,x,0",
     "28: 'cluster id = 0,x,0' where 'cluster id = x,y,z' is wanted"},
    {"warp = 0\n", "warp = 2\n", "17: warp 2 is outside the thread block: 33 threads are 2 warps"},
    {"warp = 0\n", "warp = 1\n", "22: warp 1 is repeated or out of order"},
    {"warp = 0\n", "warp = a\n", "17: 'warp = a' where 'warp = w' is wanted"},
    {"insts = 2\n", "",
     "18: '0000 ffffffff 1 R1 LDG.E 1 R2 4 1 0x1000 4 0' where 'insts = N' is wanted"},
    {"insts = 2\n", "insts = 2x\n", "18: 'insts = 2x' where 'insts = N' is wanted"},
    {"insts = 2\n", "insts = 99999999999999999999\n",
     "18: 'insts = 99999999999999999999' where 'insts = N' is wanted"},
    {"insts = 2\n", "insts = 3\n", "22: insts = 3, but only 2 lines follow"},
    {"insts = 2\n", "insts = 1\n",
     "20: '0010 ffffffff 0 EXIT 0 0 0' after the lines that 'insts' counts, where 'warp = w' or "
     "'#END_TB' is wanted"},
    {"insts = 1\n", "insts = 2\n", "25: insts = 2, but only 1 lines follow"},
    {"insts = 0\n#END_TB\n", "insts = 5\n", "30: the file ends after 0 of 5 instruction lines"},
    {"insts = 0\n#END_TB\n", "insts = 0\n", "30: the file ends inside a thread block: no #END_TB"},
    {"warp = 1\ninsts = 0\n#END_TB\n", "", "28: the file ends inside a thread block: no #END_TB"},
    {"thread block = 0,1,0\nwarp = 1\ninsts = 0\n#END_TB\n", "",
     "27: the file ends where 'thread block = x,y,z' is wanted"},
    {"#END_TB\n#BEGIN_TB\n", "#END_TB\nwhatever\n", "26: 'whatever' where '#BEGIN_TB' is wanted"},
    {"#END_TB\n#BEGIN_TB\n", "#BEGIN_TB\n",
     "25: '#BEGIN_TB' after the lines that 'insts' counts, where 'warp = w' or '#END_TB' is "
     "wanted"},
    /* instruction lines (test_trace_line has more) */
    {"0000 ffffffff 1 R1", "0000 fffffffff 1 R1",
     "19: mask: 'fffffffff' is not a hexadecimal number of 32 bits"},
    {"LDG.E 1 R2", "FROB.E 1 R2",
     "19: opcode: 'FROB.E' is not known to carry addresses; --unknown=ignore goes on without them"},
    {"LDG.E 1 R2", "LDGG.E 1 R2",
     "19: opcode: 'LDGG.E' is not known to carry addresses; did you mean LDG? --unknown=ignore "
     "goes "
     "on without them"},
    {"R1 LDG.E 1 R2 4 1 0x1000 4", "R1 IADD3 1 R2 4 1 0x1000 4",
     "19: opcode: 'IADD3' is not known to carry addresses; --unknown=ignore goes on without them"},
    {"4 1 0x1000 4 0", "4 5 0x1000 4 0", "19: address mode: '5' is not one of 0, 1, 2"},
    {"0010 ffffffff 0 EXIT", "0010 ffffffff 0x0 EXIT",
     "20: dest_num: '0x0' is not a decimal number from 0 to 4"},
    {"0010 ffffffff 0 EXIT",
     "0010 ffffffff 0 \x01"
     "EXIT",
     "20: opcode: '?EXIT' is not an opcode (a capital letter, then no blanks)"},
};

/* Reads bytes as a kernel file: the failure's text must be "FILE:" and what is expected. */
static void expect(const void *bytes, size_t length, const char *expected)
{
    const char *path = test_file_write("kernel-1.traceg", bytes, length);
    char wanted[GM_ERROR_TEXT];
    (void)snprintf(wanted, sizeof wanted, "%s:%s", path, expected);
    for (int skip = 0; skip < 2; skip++) { /* what nobody asks for is checked too */
        trace_record record;
        gm_error error = {.code = 0};
        int code = trace_record_read(&record, path, skip, &error);
        assert_string_equal(error.text, wanted);
        assert_int_equal(code, -EINVAL);
        assert_int_equal(error.code, code);
        trace_record_free(&record);
    }
}

static void expect_change(const change *one)
{
    static char text[8192];
    const char *at = strstr(whole, one->what);
    assert_non_null(at);
    (void)snprintf(text, sizeof text, "%.*s%s%s", (int)(at - whole), whole, one->by,
                   at + strlen(one->what));
    expect(text, strlen(text), one->expected);
}

static void good_file_is_read(void **state)
{
    (void)state;
    trace_record record;
    gm_error error = {.code = 0};
    test_ok(trace_record_read(&record, test_file_write("kernel-1.traceg", whole, strlen(whole)), 0,
                              &error),
            error);
    assert_string_equal(record.text, "kernel 7 f (2,2,1) (33,1,1)\n"
                                     "cta 1,0,0\nwarp 0\n"
                                     "0000 ffffffff LDG.E R1 R2 4 [1000+4*32] 0\n"
                                     "0010 ffffffff EXIT - - 0 [] 0\n"
                                     "warp 1\n0000 00000001 EXIT - - 0 [] 0\nend\n"
                                     "cta 0,1,0\nwarp 1\nend\n");
    trace_record_free(&record);
}

static void refuses_each_change(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        expect_change(&changes[i]);
    }
}

/* A file cut anywhere before its last thread block's end is refused; nothing hangs or crashes.
 * Whole are also a header alone (no thread block left a record), and fewer thread blocks. */
static void refuses_every_cut(void **state)
{
    (void)state;
    size_t first_end = (size_t)(strstr(whole, "#END_TB\n") - whole) + strlen("#END_TB");
    size_t header_end = (size_t)(strstr(whole, "#BEGIN_TB\n") - whole);
    for (size_t length = 0; length < strlen(whole) - 1; length++) {
        const char *path = test_file_write("kernel-1.traceg", whole, length);
        trace_record record;
        gm_error error = {.code = 0};
        int code = trace_record_read(&record, path, 0, &error);
        bool between = length == first_end || length == first_end + 1 || length == header_end - 1 ||
                       length == header_end;
        assert_int_equal(code, between ? 0 : -EINVAL);
        if (!between) {
            assert_memory_equal(error.text, path, strlen(path));
        }
        trace_record_free(&record);
    }
}

static void refuses_long_lines_and_nul(void **state)
{
    (void)state;
    enum { LONG = 10 * 1024 * 1024 };
    char *text = malloc(LONG + sizeof whole);
    assert_non_null(text);
    test_text_copy(text, sizeof whole, whole);
    char *line = strstr(text, "0010 ffffffff") + strlen("0010 ffffffff 0 EXIT");
    memset(line, ' ', LONG);
    test_text_copy(line + LONG, 16, "0 0 0\n");
    expect(text, strlen(text), "20: a line of more than 65536 bytes");
    memset(text, '-', LONG);
    expect(text, LONG, "1: a line of more than 65536 bytes");
    memcpy(text, whole, sizeof whole);
    line = strstr(text, "-kernel id");
    line[3] = '\0';
    expect(text, sizeof whole - 1, "2: a NUL byte in the text");
    memcpy(text, whole, sizeof whole);
    line = strstr(text, "0010 ffffffff");
    line[2] = '\0';
    expect(text, sizeof whole - 1, "20: PC: '00' is not a hexadecimal number");
    free(text);
}

/* Lines of just under and just over the limit, at each place in the window. */
static void length_limit_does_not_depend_on_place(void **state)
{
    (void)state;
    enum { MOST_BEFORE = 400 * 1024, STEP = 37 * 1024 + 5, SIZE = 600 * 1024 };
    static char text[SIZE];
    for (size_t before = 0; before < MOST_BEFORE; before += STEP) {
        for (int over = 0; over < 2; over++) {
            size_t header = (size_t)(strstr(whole, "#BEGIN_TB") - whole);
            memcpy(text, whole, header);
            memset(text + header, '\n', before);
            char *at = text + header + before;
            test_text_copy(at, sizeof whole, whole + header);
            char *line = strstr(at, "0010 ffffffff");
            size_t length = 65535 + (size_t)over; /* and the newline */
            memset(line, ' ', length);
            line += test_text_copy(line, length, "0010 ffffffff 0 EXIT 0 0 0") - line;
            *line = ' ';
            test_text_copy(strstr(at, "0010 ffffffff") + length, sizeof whole,
                           strstr(whole + header, "EXIT 0 0 0 \n") + 11);
            trace_record record;
            gm_error error = {.code = 0};
            const char *path = test_file_write("kernel-1.traceg", text, strlen(text));
            int code = trace_record_read(&record, path, 0, &error);
            if (code != (over ? -EINVAL : 0)) {
                fail_msg("%zu bytes before, over %d: %s", before, over, error.text);
            }
            trace_record_free(&record);
        }
    }
}

static void refuses_bad_packing(void **state)
{
    (void)state;
    static const char *const names[] = {"kernel-1.traceg.xz", "kernel-1.traceg.gz",
                                        "kernel-1.traceg.zst"};
    for (int i = 0; i < 3; i++) {
        char plain[600];
        char packed[700];
        test_text_copy(plain, sizeof plain,
                       test_file_write("kernel-1.traceg", whole, strlen(whole)));
        (void)snprintf(packed, sizeof packed, "%s%s", plain, strrchr(names[i], '.'));
        trace_pack(plain, packed);
        FILE *file = fopen(packed, "rb");
        assert_non_null(file);
        unsigned char bytes[4096];
        size_t length = fread(bytes, 1, sizeof bytes, file);
        (void)fclose(file);
        for (size_t cut = 6; cut < length; cut++) {
            trace_record record;
            gm_error error = {.code = 0};
            int code = trace_record_read(&record, test_file_write(names[i], bytes, cut), 0, &error);
            const char *named = strstr(error.text, names[i]);
            unsigned long line =
                named != NULL ? strtoul(named + strlen(names[i]) + 1, NULL, 10) : 0;
            if (code != -EINVAL || line == 0) { /* FILE:LINE: */
                fail_msg("%s cut to %zu of %zu bytes: %d %s", names[i], cut, length, code,
                         error.text);
            }
            trace_record_free(&record);
        }
        bytes[length / 2] ^= 0x55;
        trace_record record;
        gm_error error = {.code = 0};
        int code = trace_record_read(&record, test_file_write(names[i], bytes, length), 0, &error);
        assert_int_equal(code, -EINVAL);
        trace_record_free(&record);
    }
}

/* Lists: text after "LIST:" */
static void refuses_bad_lists(void **state)
{
    (void)state;
    static const struct {
        const char *text, *expected;
    } lists[] = {
        {"MemcpyHtoD,0x10\nkernel-1.traceg\n", "1: MemcpyHtoD: '0x10' is not a hexadecimal address "
                                               "of 64 bits, a comma and a number of bytes"},
        {"\nMemcpyHtoD,0x10,ff\n", "2: MemcpyHtoD: bytes: 'ff' is not a decimal number"},
        {"MemcpyHtoD,0x10,-4\n", "1: MemcpyHtoD: bytes: '-4' is not a decimal number"},
        {"MemcpyHtoD,0x10,4,5\n", "1: MemcpyHtoD: bytes: '4,5' is not a decimal number"},
        {"MemcpyHtoD,0x11112222333344445,4\n",
         "1: MemcpyHtoD: '0x11112222333344445,4' is not a hexadecimal address of 64 bits, a comma "
         "and a number of bytes"},
        {"MemcpyHtoD\n", "1: 'MemcpyHtoD' where 'MemcpyHtoD,ADDRESS,BYTES' is wanted"},
        {"kernel-1.traceg\nkernel-2.traceg\n", "2: "},
        {"kernel-folder\n", "1: "},
        {"words only\n", " neither a kernel list (no line starts with 'kernel' or 'MemcpyHtoD') "
                         "nor a kernel file (which starts with '-kernel name')"},
        {"", " the file is empty"},
    };
    char folder[512];
    test_text_copy(folder, sizeof folder, test_file_write("kernel-1.traceg", whole, strlen(whole)));
    test_text_copy(strstr(folder, "kernel-1"), 32, "kernel-folder");
    assert_int_equal(mkdir(folder, 0700), 0);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        const char *path = test_file_write("kernelslist.g", lists[i].text, strlen(lists[i].text));
        char wanted[2 * GM_ERROR_TEXT];
        (void)snprintf(wanted, sizeof wanted, "%s:%s", path, lists[i].expected);
        gm_source *source = NULL;
        gm_error error = {.code = 0};
        assert_true(gm_trace_open(&source, path, &error) < 0); /* at once, not when it is reached */
        if (wanted[strlen(wanted) - 1] == ' ') {
            assert_memory_equal(error.text, wanted, strlen(wanted));
            assert_non_null(strstr(error.text, i == 6 ? "kernel-2.traceg: No such file or directory"
                                                      : "kernel-folder: is a folder, not a file"));
        } else {
            assert_string_equal(error.text, wanted);
        }
    }
}

static void refuses_what_is_no_trace(void **state)
{
    (void)state;
    gm_source *source = NULL;
    gm_error error;
    assert_int_equal(gm_trace_open(&source, "/nonexistent/kernelslist.g", &error), -ENOENT);
    assert_string_equal(error.text, "/nonexistent/kernelslist.g: No such file or directory");
    char folder[512];
    test_text_copy(folder, sizeof folder, test_file_write("stats.csv", "x", 1));
    static const char bzip2[] = "BZh91AY&SY\0\0\0";
    static const char lzma[] = "\x5d\0\0\x80\0";
    const char *path = test_file_write("a.bz2", bzip2, sizeof bzip2);
    assert_int_equal(gm_trace_open(&source, path, &error), -EINVAL);
    assert_non_null(
        strstr(error.text, "a.bz2: is compressed by bzip2; .xz, .gz and .zst are read"));
    path = test_file_write("a.lzma", lzma, sizeof lzma);
    assert_int_equal(gm_trace_open(&source, path, &error), -EINVAL);
    assert_non_null(strstr(error.text, "a.lzma: is compressed by lzma; "));
    *strrchr(folder, '/') = '\0';
    assert_int_equal(gm_trace_open(&source, folder, &error), -EINVAL);
    assert_non_null(
        strstr(error.text, "the folder has no kernelslist.g, kernelslist or kernel-N.traceg"));
}

#define IN_FOLDER(test)                                                                            \
    cmocka_unit_test_setup_teardown(test, test_folder_setup, test_folder_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(good_file_is_read),
        IN_FOLDER(refuses_each_change),
        IN_FOLDER(refuses_every_cut),
        IN_FOLDER(refuses_long_lines_and_nul),
        IN_FOLDER(length_limit_does_not_depend_on_place),
        IN_FOLDER(refuses_bad_packing),
        IN_FOLDER(refuses_bad_lists),
        IN_FOLDER(refuses_what_is_no_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
