/* Text traces as the writer makes them, byte for byte those of Accel-Sim's tracer. */
#include "goldmem/trace.h"
#include "goldmem/trace_writer.h"
#include "support/support.h"
#include <stdio.h>
#include <string.h>

/* Lines as tracer_tool.cu of each version prints them: which mode, which digits, no more. Those of
 * version 1.2 follow its sources; no trace of that version was at hand. */
static const struct {
    const char *v5, *v1;
} lines[] = {
    {"0000 ffffffff 1 R1 MOV 0 0 0 ", "0000 ffffffff 1 R1 MOV 0 0 "},
    {"12340 00000000 0 LDG.E.128 1 R255 16 1 0x0 0 0 ",
     "12340 00000000 0 LDG.E.128 1 R255 16 1 0x0000000000000000 0 "},
    {"0010 00000100 1 R2 LDG.E.U8 1 R4 1 2 0x7fb012345678 -1 ",
     "0010 00000100 1 R2 LDG.E.U8 1 R4 1 0 0x00007fb012345678 "},
    {"0020 0000ff00 0 STS 2 R2 R4 4 1 0x40 -8 0 ",
     "0020 0000ff00 0 STS 2 R2 R4 4 1 0x0000000000000040 -8 "},
    /* a constant stride, but not one run of lanes */
    {"0030 00000303 0 STS 2 R2 R4 4 2 0x0 4 4 4 0 ",
     "0030 00000303 0 STS 2 R2 R4 4 0 0x0000000000000000 0x0000000000000004 "
     "0x0000000000000008 0x000000000000000c "},
    /* a constant stride that an int does not hold */
    {"0040 00000003 0 STG.E.64 2 R2 R4 8 2 0x7fb000000000 2147483648 0 ",
     "0040 00000003 0 STG.E.64 2 R2 R4 8 0 0x00007fb000000000 0x00007fb080000000 "},
    {"0050 00000003 0 STG.E.64 2 R2 R4 8 1 0x7fb000000000 -2147483648 0 ",
     "0050 00000003 0 STG.E.64 2 R2 R4 8 1 0x00007fb000000000 -2147483648 "},
    /* the tracer's width of LDSM is wrong, and stays so */
    {"0060 00000007 1 R4 LDSM.16.M88.4 1 R2 2 2 0x10 16 32 0 ",
     "0060 00000007 1 R4 LDSM.16.M88.4 1 R2 2 0 0x0000000000000010 0x0000000000000020 "
     "0x0000000000000040 "},
};

static void write_lines(const char *path, bool v1)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    enum { LINES = sizeof lines / sizeof lines[0] };
    fprintf(file,
            "-kernel name = k\n-kernel id = 1\n-grid dim = (1,2,1)\n-block dim = (33,1,1)\n"
            "-shmem = 0\n-nregs = 8\n-binary version = 80\n-cuda stream id = 0\n"
            "-shmem base_addr = 0x00007fb139000000\n-local mem base_addr = 0x00007fb137000000\n"
            "-nvbit version = 1.7\n-accelsim tracer version = %s\n%s\n#traces format = %s\n\n\n\n"
            "#BEGIN_TB\n\nthread block = 0,1,0\n\nwarp = 0\ninsts = 0\n\nwarp = 1\ninsts = %d\n",
            v1 ? "1.2" : "5", v1 ? "" : "-enable lineinfo = 0\n",
            v1 ? "threadblock_x threadblock_y threadblock_z warpid_tb PC mask dest_num [reg_dests] "
                 "opcode src_num [reg_srcs] mem_width [adrrescompress?] [mem_addresses]"
               : "[line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width "
                 "[adrrescompress?] [mem_addresses] immediate",
            LINES);
    for (size_t k = 0; k < LINES; k++) {
        fprintf(file, "%s%s\n", v1 ? "0 1 0 1 " : "", v1 ? lines[k].v1 : lines[k].v5);
    }
    fprintf(file, "\n#END_TB\n");
    assert_int_equal(fclose(file), 0);
}

static void text_is_what_the_tracer_writes(void **state)
{
    (void)state;
    const char *folder = test_folder_make();
    for (unsigned v1 = 0; v1 < 2; v1++) {
        gm_error error;
        char input[128];
        char expected[128];
        char output[128];
        snprintf(input, sizeof input, "%s/kernel-1.traceg", folder);
        snprintf(expected, sizeof expected, "%s/expected", folder);
        snprintf(output, sizeof output, "%s/%u", folder, v1);
        write_lines(input, false);
        write_lines(expected, v1 == 1);
        gm_source *source = NULL;
        test_ok(gm_trace_open(&source, input, &error), error);
        const gm_trace_write_options options = {.form = v1 ? GM_TRACE_1_2 : GM_TRACE_5};
        test_ok(gm_trace_write(source, output, &options, &error), error);
        gm_source_close(source);
        test_command compared = test_run("diff %s %s/kernel-1.traceg", expected, output);
        assert_string_equal(compared.output, "");
        test_command_free(&compared);
    }
    test_folder_remove();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_what_the_tracer_writes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
