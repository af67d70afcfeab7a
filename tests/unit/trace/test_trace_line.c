/* One instruction line: every field, in every version, and what is wrong with bad ones. Lines
 * follow the trace format's section 4 (fields), 5 (memory part and its ten edge cases), 6 (TMA). */
#include "trace/instruction_line.h"

#include "support/support.h"
#include "support/trace/trace_record.h"

#include <stdio.h>
#include <string.h>

typedef struct line_case {
    int version;
    bool line_numbers;
    const char *line;
    const char *expected; /* trace_record's words, or the reason of a refusal */
} line_case;

#define EIGHT "1 1 1 1 1 1 1 1 "

static const line_case good[] = {
    /* no memory part; the tail: versions 3 and early 4 have none, late 4 and 5 one immediate */
    {3, false, "0008 ffffffff 1 R1 MOV 0 0 ", "0008 ffffffff MOV R1 - 0 [] 0"},
    {4, false, "0008 ffffffff 1 R1 MOV 0 0", "0008 ffffffff MOV R1 - 0 [] 0"},
    {4, false, "0008 ffffffff 1 R1 MOV 0 0 7 ", "0008 ffffffff MOV R1 - 0 [] 7"},
    {5, false, "0000 ffffffff 0 WARPSYNC 0 0 -1 ", "0000 ffffffff WARPSYNC - - 0 [] -1"},
    {5, false, "0000 ffffffff 0 FADD 1 R255 0 2147483647",
     "0000 ffffffff FADD - R255 0 [] 2147483647"},
    {5, false, "  0000\tffffffff  0 NOP 0 0 0 \r", "0000 ffffffff NOP - - 0 [] 0"},
    {5, false, "12340 0x3FF 0 BSYNC 0 0 0", "12340 000003ff BSYNC - - 0 [] 0"},
    {5, false, "0x10 f 0 IMAD 5 R1 R2 R3 R4 R5 0 0", "0010 0000000f IMAD - R1,R2,R3,R4,R5 0 [] 0"},
    {5, false, "0010 00000000 0 SHFL.IDX 4 R255 R255 R255 R255 0 0",
     "0010 00000000 SHFL.IDX - R255,R255,R255,R255 0 [] 0"},
    /* line number */
    {4, true, "77 0008 ffffffff 1 R1 MOV 0 0 0", "0008 ffffffff MOV R1 - 0 [] 0"},
    /* SM and warp slot before it; told by where dest_num and the opcode are */
    {3, false, "14 3 0008 ffffffff 1 R1 MOV 0 0", "0008 ffffffff MOV R1 - 0 [] 0"},
    {5, true, "14 3 77 0008 ffffffff 1 R1 MOV 0 0 0", "0008 ffffffff MOV R1 - 0 [] 0"},
    /* before version 3 the thread block and warp stay in front (here 1,2,3 and 4) */
    {1, false, "1 2 3 4 0008 ffffffff 1 R1 MOV 0 0", "0008 ffffffff MOV R1 - 0 [] 0"},
    {0, false, "1 2 3 4 8 f 1 R1 MOV 0 0", "0008 0000000f MOV R1 - 0 [] 0"},
    {0, false, "0008 ffffffff 1 R1 MOV 0 0", "0008 ffffffff MOV R1 - 0 [] 0"},
    {1, false, "1 2 3 4 5 6 0008 ffffffff 1 R1 MOV 0 0", "0008 ffffffff MOV R1 - 0 [] 0"},
    /* mode 1 */
    {3, false, "0010 ffffffff 1 R2 LDG.E.SYS 1 R2 4 1 0x7fb00c000000 4 ",
     "0010 ffffffff LDG.E.SYS R2 R2 4 [7fb00c000000+4*32] 0"},
    {1, false, "1 2 3 4 0010 ffffffff 1 R2 LDG.E.SYS 1 R2 4 1 0x00007fb00c000000 4 ",
     "0010 ffffffff LDG.E.SYS R2 R2 4 [7fb00c000000+4*32] 0"},
    {5, false, "0010 0000ff00 0 STG.E.64 2 R2 R4 8 1 1000 -8 0 ",
     "0010 0000ff00 STG.E.64 - R2,R4 8 [1000-8*8] 0"},
    {5, false, "0010 ffffffff 1 R2 LDS.U.128 1 R2 16 1 0x0 -2147483648 5",
     "0010 ffffffff LDS.U.128 R2 R2 16 [0-2147483648*32] 5"},
    /* edge case 1: mask 0 touches nothing */
    {3, false, "0010 00000000 1 R2 LDG.E 1 R2 4 1 0x0 0 ", "0010 00000000 LDG.E R2 R2 4 [] 0"},
    {5, false, "0010 00000000 1 R2 LDG.E 1 R2 4 1 0x0 0 9 ", "0010 00000000 LDG.E R2 R2 4 [] 9"},
    {5, false, "0010 00000000 1 R2 LDG.E 1 R2 4 2 0x0 9 ", "0010 00000000 LDG.E R2 R2 4 [] 9"},
    /* edge cases 2 and 3: one lane has no delta, and the immediate is not one */
    {5, false, "0010 00000400 1 R2 LDG.E 1 R2 4 2 0x1000 77 ",
     "0010 00000400 LDG.E R2 R2 4 [1000] 77"},
    {4, false, "0010 00000400 1 R2 LDG.E 1 R2 4 2 0x1000 ", "0010 00000400 LDG.E R2 R2 4 [1000] 0"},
    {3, false, "0010 00000400 1 R2 LDG.E 1 R2 4 2 0x1000 ", "0010 00000400 LDG.E R2 R2 4 [1000] 0"},
    /* edge case 4: each delta is from the lane before: 1000, +4, -8, +64-bit wrap */
    {5, false, "0010 0000000f 1 R2 LDG.E 1 R2 4 2 0x1000 4 -8 9223372036854775807 3 ",
     "0010 0000000f LDG.E R2 R2 4 [1000 1004 ffc 8000000000000ffb] 3"},
    {5, false, "0010 07070000 0 STG.E 1 R2 4 2 0x7f0000000000 4 4 56 4 4 0 ",
     "0010 07070000 STG.E - R2 4 [7f0000000000 7f0000000004 7f0000000008 7f0000000040 7f0000000044 "
     "7f0000000048] 0"},
    /* deltas of 1 to 9 digits: 1 -12 123 -1234 12345 -123456 1234567 -12345678 123456789 from 0 */
    {5, false,
     "0010 000003ff 1 R2 LDG.E 1 R2 4 2 0x0 1 -12 123 -1234 12345 -123456 1234567 -12345678 "
     "123456789 3",
     "0010 000003ff LDG.E R2 R2 4 [0 1 fffffffffffffff5 70 fffffffffffffb9e 2bd7 fffffffffffe4997 "
     "11201e ffffffffff54bed0 6b08be5] 3"},
    /* mode 0 */
    {3, false, "0010 00000005 1 R2 LDG.E 1 R2 4 0 0x0000000000001000 0x0000000000002000 ",
     "0010 00000005 LDG.E R2 R2 4 [1000 2000] 0"},
    {5, false, "0010 00000005 1 R2 LDG.E 1 R2 4 0 0x1000 2000 6 ",
     "0010 00000005 LDG.E R2 R2 4 [1000 2000] 6"},
    /* edge case 6: before version 4 more deltas or addresses than lanes can be listed */
    {3, false, "0010 00000003 1 R2 LDG.E 1 R2 4 2 0x1000 4 4 4 ",
     "0010 00000003 LDG.E R2 R2 4 [1000 1004] 0"},
    {1, false, "1 2 3 4 0010 00000001 1 R2 LDG.E 1 R2 4 0 0x1000 0x1004 0x1008 ",
     "0010 00000001 LDG.E R2 R2 4 [1000] 0"},
    {3, false, "0010 00000000 1 R2 LDG.E 1 R2 4 2 0x1000 4 4 4 ",
     "0010 00000000 LDG.E R2 R2 4 [] 0"},
    /* widths that the tracer gets wrong: LDSM rows, S8, S16, F64 atomics, and 0 with addresses */
    {5, false, "0010 ffffffff 1 R4 LDSM.16.M88.4 1 R2 2 1 0x0 16 0",
     "0010 ffffffff LDSM.16.M88.4 R4 R2 16 [0+16*32] 0"},
    {5, false, "0010 ffffffff 1 R4 LDSM.16.MT88.4 1 R2 16 1 0x0 16 0",
     "0010 ffffffff LDSM.16.MT88.4 R4 R2 16 [0+16*32] 0"},
    {5, false, "0010 ffffffff 1 R4 LDG.E.S8 1 R2 4 1 0x0 1 0",
     "0010 ffffffff LDG.E.S8 R4 R2 1 [0+1*32] 0"},
    {5, false, "0010 ffffffff 1 R4 LDS.S16 1 R2 4 1 0x0 2 0",
     "0010 ffffffff LDS.S16 R4 R2 2 [0+2*32] 0"},
    {5, false, "0010 ffffffff 0 RED.E.ADD.F64.RN 1 R2 4 1 0x0 8 0",
     "0010 ffffffff RED.E.ADD.F64.RN - R2 8 [0+8*32] 0"},
    {5, false, "0010 ffffffff 1 R4 LDSM.U4 1 R2 0 1 0x100 16 0",
     "0010 ffffffff LDSM.U4 R4 R2 16 [100+16*32] 0"},
    {5, false, "0010 ffffffff 1 R4 LDGSTS.E.BYPASS.LTC128B.128 2 R1 R2 16 1 0x7f0000000000 16 0",
     "0010 ffffffff LDGSTS.E.BYPASS.LTC128B.128 R4 R1,R2 16 [7f0000000000+16*32] 0"},
    {5, false, "0010 ffffffff 1 R4 LDC.64 0 0 0", "0010 ffffffff LDC.64 R4 - 0 [] 0"},
    {5, false, "0010 ffffffff 0 CCTL.IVALL 1 R4 4 1 0x100 0 0",
     "0010 ffffffff CCTL.IVALL - R4 4 [100+0*32] 0"},
    /* version 6: other register files, two immediates, values */
    {6, false, "0010 ffffffff 1 UR4 UIADD3 2 UP1 P6 0 1 2 NoVal",
     "0010 ffffffff UIADD3 UR4 UP1,P6 0 [] 1"},
    {6, false, "0010 ffffffff 1 R4 IADD3 1 R2 0 1 NoVal ", "0010 ffffffff IADD3 R4 R2 0 [] 1"},
    {6, false, "0010 ffffffff 1 R4 IADD3 0 0 1 2 Val 1 ff", "0010 ffffffff IADD3 R4 - 0 [] 1"},
    {6, false, "0010 ffffffff 1 R4 IADD3 1 R2 0 1 2 Val 1 ff 32 " EIGHT EIGHT EIGHT EIGHT,
     "0010 ffffffff IADD3 R4 R2 0 [] 1"},
    {6, false, "0010 ffffffff 0 HGMMA.64x64x16.F32 1 R24 1 0 7 0 NoVal",
     "0010 ffffffff HGMMA.64x64x16.F32 - R24 0 [] 7"},
    /* TMA: mbarrier, multicast, bytes, out-of-bounds bytes, then mode 3 or 4 */
    {6, false, "0010 00000001 0 UTMALDG.2D 1 UR4 4 0x3000 0 4096 0 3 2 0x1000 0x2000 0 0 NoVal",
     "0010 00000001 UTMALDG.2D - UR4 4 [1000 2000] 0"},
    {6, false, "0010 00000001 0 UBLKCP 1 UR4 4 0x3000 1 0xff 4096 0 4 0x1000 3 128 -64 5 0 NoVal",
     "0010 00000001 UBLKCP - UR4 4 [1000 1080 1040] 5"},
    {6, false, "0010 00000001 0 UTMASTG.2D 0 4 0x0 0 4096 0 3 0 0 0 NoVal",
     "0010 00000001 UTMASTG.2D - - 4 [] 0"},
    {6, false, "0010 00000000 0 UTMASTG.2D 0 4 0x0 0 4096 0 4 0x10 1 0 0 NoVal",
     "0010 00000000 UTMASTG.2D - - 4 [] 0"},
};

static const line_case bad[] = {
    {5, false, "", "PC: missing; a hexadecimal number is wanted"},
    {5, false, "xyz 1 0", "PC: 'xyz' is not a hexadecimal number"},
    {5, false, "11112222333344445 f 0 NOP 0 0",
     "PC: '11112222333344445' is not a hexadecimal number"},
    {5, false, "0010", "mask: missing; a hexadecimal number of 32 bits is wanted"},
    {5, false, "0010 ffffffffffffffff 0 NOP 0 0",
     "mask: 'ffffffffffffffff' is not a hexadecimal number of 32 bits"},
    {5, false, "0010 fgff 0 NOP 0 0", "mask: 'fgff' is not a hexadecimal number of 32 bits"},
    {5, false, "0010 ffffffff", "dest_num: missing; a decimal number from 0 to 4 is wanted"},
    {5, false, "0010 ffffffff 5 R1 R1 R1 R1 R1 MOV 0 0",
     "dest_num: '5' is not a decimal number from 0 to 4"},
    {5, false, "0010 ffffffff 11 R1 MOV 0 0", "dest_num: '11' is not a decimal number from 0 to 4"},
    {5, false, "0010 ffffffff a R1 MOV 0 0", "dest_num: 'a' is not a decimal number from 0 to 4"},
    {5, false, "0010 ffffffff 1 MOV 0 0",
     "destination: 'MOV' is not a register (R, UR, P or UP and 0 to 255)"},
    {5, false, "0010 ffffffff 1 R256 MOV 0 0",
     "destination: 'R256' is not a register (R, UR, P or UP and 0 to 255)"},
    {5, false, "0010 ffffffff 1 R MOV 0 0",
     "destination: 'R' is not a register (R, UR, P or UP and 0 to 255)"},
    {5, false, "0010 ffffffff 1 R1234 MOV 0 0",
     "destination: 'R1234' is not a register (R, UR, P or UP and 0 to 255)"},
    {5, false, "0010 ffffffff 0 R1 MOV 0 0", "src_num: 'MOV' is not a decimal number from 0 to 8"},
    {5, false, "0010 ffffffff 0 0 0 0",
     "opcode: '0' is not an opcode (a capital letter, then no blanks)"},
    {5, false, "0010 ffffffff 0",
     "opcode: missing; an opcode (a capital letter, then no blanks) is wanted"},
    {5, false,
     "0010 ffffffff 0 ABCDEFGHIJABCDEFGHIJABCDEFGHIJABCDEFGHIJABCDEFGHIJABCDEFGHIJABCD 0 0",
     "opcode: an opcode of 64 characters; at most 63 are possible"},
    {5, false, "0010 ffffffff 0 NOP", "src_num: missing; a decimal number from 0 to 8 is wanted"},
    {5, false, "0010 ffffffff 0 NOP 9", "src_num: '9' is not a decimal number from 0 to 8"},
    {5, false, "0010 ffffffff 0 NOP 2 R1 0 0",
     "source: '0' is not a register (R, UR, P or UP and 0 to 255)"},
    {5, false, "0010 ffffffff 0 NOP 0",
     "mem_width: missing; a decimal number from 0 to 255 is wanted"},
    {5, false, "0010 ffffffff 0 LDG 0 256 1 0x0 4",
     "mem_width: '256' is not a decimal number from 0 to 255"},
    {5, false, "0010 ffffffff 0 LDG 0 0x4 1 0x0 4",
     "mem_width: '0x4' is not a decimal number from 0 to 255"},
    {5, false, "0010 ffffffff 0 LDG 0 4", "address mode: missing; one of 0, 1, 2 is wanted"},
    {5, false, "0010 ffffffff 0 LDG 0 4 3 0x0 4", "address mode: '3' is not one of 0, 1, 2"},
    {5, false, "0010 ffffffff 0 LDG 0 4 12 0x0 4", "address mode: '12' is not one of 0, 1, 2"},
    {5, false, "0010 ffffffff 0 LDG 0 4 1",
     "base address: missing; a hexadecimal number of 64 bits is wanted"},
    {5, false, "0010 ffffffff 0 LDG 0 4 1 0x1ffffffffffffffff 4",
     "base address: '0x1ffffffffffffffff' is not a hexadecimal number of 64 bits"},
    {5, false, "0010 ffffffff 0 LDG 0 4 1 0x 4",
     "base address: '0x' is not a hexadecimal number of 64 bits"},
    {5, false, "0010 ffffffff 0 LDG 0 4 1 0x10",
     "stride: missing; a decimal number of 32 bits is wanted"},
    {5, false, "0010 ffffffff 0 LDG 0 4 1 0x10 0x4 0",
     "stride: '0x4' is not a decimal number of 32 bits"},
    {5, false, "0010 ffffffff 0 LDG 0 4 1 0x10 2147483648 0",
     "stride: '2147483648' is not a decimal number of 32 bits"},
    {5, false, "0010 00000007 0 LDG 0 4 2 0x10 4",
     "address delta 2 of 2: missing; a decimal number of 64 bits is wanted"},
    {5, false, "0010 00000003 0 LDG 0 4 2 0x10 f 0",
     "address delta 1 of 1: 'f' is not a decimal number of 64 bits"},
    {5, false, "0010 00000003 0 LDG 0 4 2 0x10 9223372036854775808 0",
     "address delta 1 of 1: '9223372036854775808' is not a decimal number of 64 bits"},
    {5, false, "0010 00000003 0 LDG 0 4 2 0x10 --4 0",
     "address delta 1 of 1: '--4' is not a decimal number of 64 bits"},
    {5, false, "0010 00000007 0 LDG 0 4 0 0x10 0x14",
     "address: missing; a hexadecimal number of 64 bits is wanted"},
    {5, false, "0010 ffffffff 0 LDG 0 4 1 0x10 4 0 0 0",
     "after the last field: '0' is not the end of the line"},
    {5, false, "0010 ffffffff 0 NOP 0 0 zz",
     "after the last field: 'zz' is not the end of the line"},
    {5, false, "0010 ffffffff 0 NOP 0 0 0 zz",
     "after the last field: 'zz' is not the end of the line"},
    {3, false, "0010 ffffffff 0 LDG 0 4 1 0x10 4 zz",
     "after the last field: 'zz' is not the end of the line"},
    {5, true, "x 0010 ffffffff 0 NOP 0 0 0", "line number: 'x' is not a decimal number"},
    {1, false, "1 2 9 4 0010 ffffffff 0 NOP 0 0",
     "thread block z: 9 on a line of thread block z 3"},
    {1, false, "1 2 3 5 0010 ffffffff 0 NOP 0 0", "warp: 5 on a line of warp 4"},
    {1, false, "1 2 q 4 0010 ffffffff 0 NOP 0 0", "thread block z: 'q' is not a decimal number"},
    {6, false, "0010 1 0 UTMALDG 0 4 0x0 0 4096 0 3 257",
     "address count: '257' is not a decimal number from 0 to 256"},
    {6, false, "0010 1 0 UTMALDG 0 4 0x0 2 4096 0 3 0", "is_multicast: '2' is not 0 or 1"},
    {6, false, "0010 1 0 UTMALDG 0 4 0x0 0 4096 0 5 0",
     "address mode: '5' is not one of 0, 1, 2, 3, 4"},
    {6, false, "0010 1 1 R1 MOV 0 0 0 Val 2 f f", "Val: '2' is not 1 or 32"},
    {6, false, "0010 f 0 HGMMA 0 0 3",
     "opcode: 'HGMMA' is not known to carry addresses; --unknown=ignore goes on without them"},
    {6, false, "0010 1 0 HGMMA 0 x", "gmma_commit: 'x' is not a decimal number"},
};

static void start(const line_case *one, gm_line_parser *parser, gm_opcode_table *opcodes)
{
    gm_kernel kernel = {.version = one->version, .has_line_numbers = one->line_numbers};
    gm_line_parser_start(parser, &kernel, opcodes);
    parser->cta[0] = 1;
    parser->cta[1] = 2;
    parser->cta[2] = 3;
    parser->warp = 4;
}

static const char *parse(const line_case *one, gm_line_parser *parser, gm_instruction *instruction)
{
    static char line[8192];
    memset(line, 0, sizeof line);
    (void)snprintf(line, sizeof line, "%s\n", one->line);
    const char *next = gm_line_parse(parser, line, instruction);
    if (next != NULL) {
        assert_ptr_equal(next, line + strlen(line)); /* exactly one line */
    }
    return next;
}

static void check_good(const line_case *one, gm_line_parser *parser)
{
    gm_instruction instruction = {.pc = 99};
    if (parse(one, parser, &instruction) == NULL) {
        fail_msg("'%s': %s", one->line, parser->reason);
    }
    trace_record record = {.text = NULL};
    trace_record_instruction(&record, parser->opcodes, &instruction);
    record.text[record.length - 1] = '\0'; /* its newline */
    if (strcmp(record.text, one->expected) != 0) {
        fail_msg("version %d '%s':\n  %s, wanted\n  %s", one->version, one->line, record.text,
                 one->expected);
    }
    trace_record_free(&record);
}

static void check_bad(const line_case *one, gm_line_parser *parser)
{
    gm_instruction instruction = {.pc = 0};
    if (parse(one, parser, &instruction) != NULL) {
        fail_msg("'%s' was accepted", one->line);
    }
    assert_string_equal(parser->reason, one->expected);
    assert_true(parser->code < 0);
}

static void reads_every_field(void **state)
{
    (void)state;
    gm_opcode_table opcodes = {0};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        static gm_line_parser parser;
        start(&good[i], &parser, &opcodes);
        check_good(&good[i], &parser);
    }
    gm_opcode_table_free(&opcodes);
}

static void refuses_bad_lines(void **state)
{
    (void)state;
    gm_opcode_table opcodes = {0};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        static gm_line_parser parser;
        start(&bad[i], &parser, &opcodes);
        check_bad(&bad[i], &parser);
    }
    gm_opcode_table_free(&opcodes);
}

/* Lines that begin as others do and go on otherwise. */
static const line_case alike[] = {
    {5, false, "0010 ffffffff 1 R1 MOV 0 0 1", "0010 ffffffff MOV R1 - 0 [] 1"},
    {5, false, "0010 ffffffff 1 R1 MOV 0 0 12", "0010 ffffffff MOV R1 - 0 [] 12"},
    {5, false, "0010 ffffffff 1 R1 MOV 0 0 ", "0010 ffffffff MOV R1 - 0 [] 0"},
    {5, false, "0010 ffffffff 1 R1 MOV 1 R2 0 1", "0010 ffffffff MOV R1 R2 0 [] 1"},
    {5, false, "0010 fffffff0 1 R1 MOV 1 R2 0 1", "0010 fffffff0 MOV R1 R2 0 [] 1"},
    {5, false, "0010 00000003 1 R2 LDG.E 1 R2 4 1 0x10 4 0",
     "0010 00000003 LDG.E R2 R2 4 [10+4*2] 0"},
    {5, false, "0010 00000003 1 R2 LDG.E 1 R2 4  1 0x20 -4 7",
     "0010 00000003 LDG.E R2 R2 4 [20-4*2] 7"},
    {5, false, "0010 00000003 1 R2 LDG.E 1 R2 4 2 0x30 5 1",
     "0010 00000003 LDG.E R2 R2 4 [30 35] 1"},
    {5, false, "0010 00000003 1 R2 LDG.E 1 R2 4 0 0x40 50 2",
     "0010 00000003 LDG.E R2 R2 4 [40 50] 2"},
    {5, false, "0010 00000003 1 R2 LDG.E 1 R2 8 1 0x10 8 0",
     "0010 00000003 LDG.E R2 R2 8 [10+8*2] 0"},
    {5, false, "0010 ffffffff 1 R4 LDSM.U4 1 R2 0 1 0x100 16 0",
     "0010 ffffffff LDSM.U4 R4 R2 16 [100+16*32] 0"},
    {5, false, "0010 ffffffff 1 R4 LDSM.U4 1 R2 0 1", "0010 ffffffff LDSM.U4 R4 R2 0 [] 1"},
    {5, false, "0010 00000000 1 R2 LDG.E 1 R2 4 1 0x0 0 9 ", "0010 00000000 LDG.E R2 R2 4 [] 9"},
    {5, false, "0010 ffffffff 0 LDG 0 45 1 0x0 4", "0010 ffffffff LDG - - 45 [0+4*32] 0"},
    {5, false, "0010 f 0 HGMMA 0 0 3", "0010 0000000f HGMMA - - 0 [] 3"},
};

/* What a parser has read before changes nothing: all lines of a layout without thread blocks and
 * warps, good and bad, many times over. */
static void reads_lines_in_any_order(void **state)
{
    (void)state;
    enum { READS = 5000 };
    gm_opcode_table opcodes = {0};
    test_random random = test_random_start(5);
    for (int version = 3; version <= 6; version++) {
        static gm_line_parser parser;
        const line_case *usual =
            &(line_case){version, false, "0 f 0 NOP 0 0 0", "0000 0000000f NOP - - 0 [] 0"};
        start(usual, &parser, &opcodes);
        check_good(usual, &parser);
        for (int read = 0; read < READS; read++) {
            const size_t goods = sizeof good / sizeof *good;
            const size_t bads = sizeof bad / sizeof *bad;
            size_t at = test_random_below(&random, goods + bads + sizeof alike / sizeof *alike);
            const line_case *one = at < goods          ? &good[at]
                                   : at < goods + bads ? &bad[at - goods]
                                                       : &alike[at - goods - bads];
            bool leading = strncmp(one->line, "14 3", 4) == 0;
            if (one->version == version && !one->line_numbers && !leading) {
                (at >= goods && at < goods + bads ? check_bad : check_good)(one, &parser);
            }
        }
    }
    gm_opcode_table_free(&opcodes);
}

/* A line that says its warp is that warp's only, however often it was read. */
static void refuses_another_warps_line(void **state)
{
    (void)state;
    static gm_line_parser parser;
    gm_opcode_table opcodes = {0};
    line_case one = {1, false, "1 2 3 4 0008 ffffffff 1 R1 MOV 0 0",
                     "0008 ffffffff MOV R1 - 0 [] 0"};
    start(&one, &parser, &opcodes);
    check_good(&one, &parser);
    check_good(&one, &parser);
    parser.warp = 5;
    one.expected = "warp: 4 on a line of warp 5";
    check_bad(&one, &parser);
    gm_opcode_table_free(&opcodes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_field),
        cmocka_unit_test(refuses_bad_lines),
        cmocka_unit_test(reads_lines_in_any_order),
        cmocka_unit_test(refuses_another_warps_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
