/* Raw kernel files: interleaved lines grouped by thread block and warp. The expected grouping is
 * made in memory by the test, by a plain scan per thread block and warp. */
#include "goldmem/bits.h"
#include "support/support.h"
#include "support/trace/trace_record.h"
#include "trace/line_sort.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CTAS = 7, WARPS = 3, LINES = 4000 };

/* The sort against its meaning, with few and with many runs: 64 KiB of memory and lines of up to
 * 2 KiB make more than 64 runs, hence more than one pass. */
static void sorts_in_bounded_memory(void **state)
{
    (void)state;
    static const size_t memories[] = {UINT64_C(1) << 16, UINT64_C(1) << 20, UINT64_C(1) << 26};
    test_random random = test_random_start(20261120);
    for (int m = 0; m < 3; m++) {
        enum { COUNT = 12000 };
        static struct {
            uint64_t cta;
            uint32_t warp, length;
        } added[COUNT];
        gm_line_sort *sort = NULL;
        gm_error error;
        test_ok(gm_line_sort_open(&sort, memories[m], &error), error);
        static char text[4096];
        for (uint32_t i = 0; i < COUNT; i++) {
            added[i].cta = test_random_below(&random, 4) << 40 |
                           test_random_below(&random, 4) << 56 | test_random_below(&random, 4);
            added[i].warp =
                (uint32_t)(test_random_below(&random, 2) << 24 |
                           test_random_below(&random, 2) << 8 | test_random_below(&random, 2));
            added[i].length = 16 + (uint32_t)test_random_below(&random, 2000);
            memset(text, 'a' + (int)(i % 26), added[i].length);
            memcpy(text, &i, sizeof i);
            gm_sorted_line line = {added[i].cta, i + 1, added[i].warp, added[i].length, text};
            test_ok(gm_line_sort_add(sort, &line, &error), error);
        }
        test_ok(gm_line_sort_finish(sort, &error), error);
        gm_sorted_line last = {.length = 0};
        uint64_t sum = 0;
        int code;
        uint32_t count = 0;
        gm_sorted_line line;
        for (; (code = gm_line_sort_next(sort, &line, &error)) > 0; count++) {
            uint32_t index;
            memcpy(&index, line.text, sizeof index);
            assert_int_equal(line.number, index + 1);
            assert_int_equal(line.cta, added[index].cta);
            assert_int_equal(line.warp, added[index].warp);
            assert_int_equal(line.length, added[index].length);
            assert_int_equal(line.text[line.length - 1], 'a' + (int)(index % 26));
            if (count > 0) {
                assert_true(last.cta < line.cta ||
                            (last.cta == line.cta &&
                             (last.warp < line.warp ||
                              (last.warp == line.warp && last.number < line.number))));
            }
            last = line;
            sum += index;
        }
        assert_int_equal(code, 0);
        assert_int_equal(count, COUNT);
        assert_int_equal(sum, (uint64_t)COUNT * (COUNT - 1) / 2); /* each once */
        gm_line_sort_close(sort);
    }
}

static void says_when_there_is_no_room_for_files(void **state)
{
    (void)state;
    setenv("TMPDIR", "/nonexistent", 1);
    gm_line_sort *sort = NULL;
    gm_error error;
    test_ok(gm_line_sort_open(&sort, 0, &error), error);
    static char text[40000];
    gm_sorted_line line = {0, 1, 0, sizeof text, text};
    test_ok(gm_line_sort_add(sort, &line, &error), error);
    assert_int_equal(gm_line_sort_add(sort, &line, &error), -ENOENT);
    assert_non_null(strstr(error.text, "/nonexistent/goldmem-"));
    gm_line_sort_close(sort);
    unsetenv("TMPDIR");
}

/* A random interleaving in each version, against the same lines grouped by scanning. */
static void groups_random_interleavings(void **state)
{
    (void)state;
    test_random random = test_random_start(7);
    for (int version = 1; version <= 6; version++) {
        static struct {
            unsigned cta, warp;
            unsigned pc;
        } lines[LINES];
        char *raw = calloc(LINES + 10, 128);
        char *grouped = calloc(LINES + 10, 128);
        assert_non_null(raw);
        assert_non_null(grouped);
        char *to = raw;
        to += sprintf(to,
                      "-kernel name = f\n-grid dim = (%d,1,1)\n-block dim = (%d,1,1)\n"
                      "-accelsim tracer version = %d\n\n#traces format = x\n\n",
                      CTAS, WARPS * 32, version);
        for (unsigned i = 0; i < LINES; i++) {
            lines[i].cta = (unsigned)test_random_below(&random, CTAS);
            lines[i].warp = (unsigned)test_random_below(&random, WARPS);
            lines[i].pc = i * 16;
            to +=
                sprintf(to, "%u 0 0 %u %s%04x ffffffff 0 IMAD 1 R%u 0 \n", lines[i].cta,
                        lines[i].warp, version == 6 ? "0 0 0 1 0 0 1 " : "", lines[i].pc, i % 256);
        }
        char *end = grouped + sprintf(grouped, "kernel 0 f (%d,1,1) (%d,1,1)\n", CTAS, WARPS * 32);
        for (unsigned cta = 0; cta < CTAS; cta++) {
            end += sprintf(end, "cta %u,0,0\n", cta);
            for (unsigned warp = 0; warp < WARPS; warp++) {
                end += sprintf(end, "warp %u\n", warp);
                for (unsigned i = 0; i < LINES; i++) {
                    if (lines[i].cta == cta && lines[i].warp == warp) {
                        end +=
                            sprintf(end, "%04x ffffffff IMAD - R%u 0 [] 0\n", lines[i].pc, i % 256);
                    }
                }
            }
            end += sprintf(end, "end\n");
        }
        trace_record record;
        gm_error error;
        const char *path = test_file_write("kernel-1.trace", raw, strlen(raw));
        test_ok(trace_record_read(&record, path, 0, &error), error);
        assert_string_equal(record.text, grouped);
        trace_record_free(&record);
        free(raw);
        free(grouped);
    }
}

static const char head[] = "-kernel name = f\n-grid dim = (2,3,1)\n-block dim = (64,1,1)\n"
                           "-accelsim tracer version = %d\n%s\n#traces format = x\n";

/* Of the two lines of an LDGSTS, the second is the instruction; per warp, however interleaved. */
static void keeps_the_global_half_of_ldgsts(void **state)
{
    (void)state;
    char text[2048];
    int length = snprintf(text, sizeof text, head, 3, "");
    (void)snprintf(text + length, sizeof text - (size_t)length,
                   "0 0 0 0 0010 00000001 0 LDGSTS.E.128 0 16 2 0x0\n"
                   "0 0 0 1 0010 00000001 0 LDGSTS.E.128 0 16 2 0x100\n"
                   "0 0 0 1 0010 00000001 0 LDGSTS.E.128 0 16 2 0x7f0000000100\n"
                   "0 0 0 0 0010 00000001 0 LDGSTS.E.128 0 16 2 0x7f0000000000\n"
                   "0 0 0 0 0020 00000000 0 LDGSTS.E.128 0 16 1 0x0 0\n"
                   "0 0 0 0 0020 00000000 0 LDGSTS.E.128 0 16 1 0x0 0\n"
                   "0 0 0 0 0030 00000001 0 ARRIVES.LDGSTSBAR.64 0 0\n");
    trace_record record;
    gm_error error;
    test_ok(trace_record_read(&record, test_file_write("kernel-1.trace", text, strlen(text)), 0,
                              &error),
            error);
    assert_string_equal(record.text, "kernel 0 f (2,3,1) (64,1,1)\ncta 0,0,0\nwarp 0\n"
                                     "0010 00000001 LDGSTS.E.128 - - 16 [7f0000000000] 0\n"
                                     "0020 00000000 LDGSTS.E.128 - - 16 [] 0\n"
                                     "0030 00000001 ARRIVES.LDGSTSBAR.64 - - 0 [] 0\n"
                                     "warp 1\n"
                                     "0010 00000001 LDGSTS.E.128 - - 16 [7f0000000100] 0\nend\n");
    trace_record_free(&record);
}

static void reads_other_prefixes(void **state)
{
    (void)state;
    static const struct {
        int version;
        const char *header, *line;
    } cases[] = {
        {3, "", "1 2 0 1 0010 ffffffff 0 NOP 0 0"},
        {3, "", "1 2 0 1 14 3 0010 ffffffff 0 NOP 0 0"}, /* SM and its warp slot */
        {3, "", "1 2 0 1 10 f 0 NOP 0 0"},
        {4, "-enable lineinfo = 1\n", "1 2 0 1 99 0010 ffffffff 0 NOP 0 0"},
        {6, "", "1 2 0 1 0 0 0 1 0 0 1 0010 ffffffff 0 NOP 0 0 0 NoVal"},
        {6, "-enable lineinfo = 1\n", "1 2 0 1 0 0 0 1 0 0 1 99 0010 ffffffff 0 NOP 0 0 0 NoVal"},
        {6, "", "1 2 0 1 0010 ffffffff 0 NOP 0 0 0 NoVal"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        int length = snprintf(text, sizeof text, head, cases[i].version, cases[i].header);
        (void)snprintf(text + length, sizeof text - (size_t)length, "%s", cases[i].line);
        trace_record record;
        gm_error error;
        test_ok(
            trace_record_read(&record, test_file_write("k.trace", text, strlen(text)), 0, &error),
            error);
        const char *mask = strstr(cases[i].line, " f ") != NULL ? "0000000f" : "ffffffff";
        char wanted[256];
        (void)snprintf(
            wanted, sizeof wanted,
            "kernel 0 f (2,3,1) (64,1,1)\ncta 1,2,0\nwarp 1\n0010 %s NOP - - 0 [] 0\nend\n", mask);
        assert_string_equal(record.text, wanted);
        trace_record_free(&record);
    }
}

static void refuses_bad_lines(void **state)
{
    (void)state;
    static const struct {
        const char *line, *reason;
    } cases[] = {
        {"2 0 0 0 0010 ffffffff 0 NOP 0 0", "7: thread block x: 2 is outside the grid: 0 to 1"},
        {"0 3 0 0 0010 ffffffff 0 NOP 0 0", "7: thread block y: 3 is outside the grid: 0 to 2"},
        {"0 0 1 0 0010 ffffffff 0 NOP 0 0", "7: thread block z: 1 is outside the grid: 0 to 0"},
        {"0 0 0 2 0010 ffffffff 0 NOP 0 0", "7: warp: 2 is outside the thread block: 0 to 1"},
        {"0 0 0 x 0010 ffffffff 0 NOP 0 0", "7: warp: 'x' is not a decimal number"},
        {"0 0", "7: thread block z: '' is not a decimal number"},
        {"0 0 0 0 0010 fffffffff 0 NOP 0 0",
         "7: mask: 'fffffffff' is not a hexadecimal number of 32 bits"},
        {"0 0 0 0", "7: PC: missing; a hexadecimal number is wanted"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        int length = snprintf(text, sizeof text, head, 3, "");
        (void)snprintf(text + length, sizeof text - (size_t)length, "%s\n%s\n%s\n",
                       "1 2 0 1 0010 ffffffff 0 NOP 0 0 ", cases[i].line,
                       "1 2 0 1 0020 ffffffff 0 NOP 0 0 ");
        const char *path = test_file_write("k.trace", text, strlen(text));
        char wanted[GM_ERROR_TEXT];
        (void)snprintf(wanted, sizeof wanted, "%s:%d%s", path, 8, cases[i].reason + 1);
        trace_record record;
        gm_error error;
        assert_int_equal(trace_record_read(&record, path, 0, &error), -EINVAL);
        assert_string_equal(error.text, wanted);
        trace_record_free(&record);
    }
}

#define IN_FOLDER(test)                                                                            \
    cmocka_unit_test_setup_teardown(test, test_folder_setup, test_folder_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorts_in_bounded_memory),
        cmocka_unit_test(says_when_there_is_no_room_for_files),
        IN_FOLDER(groups_random_interleavings),
        IN_FOLDER(keeps_the_global_half_of_ldgsts),
        IN_FOLDER(reads_other_prefixes),
        IN_FOLDER(refuses_bad_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
