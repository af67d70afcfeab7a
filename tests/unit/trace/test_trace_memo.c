/* Lines seen before: a parser that remembers says of every line what a new one says; and long
 * hexadecimal numbers are those that are read digit by digit. */
#include "support/support.h"
#include "support/trace/trace_record.h"
#include "trace/instruction_line.h"

#include <stdio.h>
#include <string.h>

enum { LINE = 256 };

/* Digits of both cases, now and then another character. */
static void random_digits(test_random *random, char *text, uint64_t count)
{
    static const char characters[] = "0123456789abcdefABCDEF@G`g/: x";
    uint64_t zeros = test_random_below(random, count + 1);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t kinds = test_random_below(random, 60) == 0 ? sizeof characters - 1 : 22;
        text[i] = characters[i < zeros ? 0 : test_random_below(random, kinds)];
    }
}

static void long_numbers_digit_by_digit(void **state)
{
    (void)state;
    enum { NUMBERS = 200000 };
    static const char ends[] = " \n\tg\x80\xb0\xff";
    static const char *const prefixes[] = {"0x", "0X", "", ""};
    test_random random = test_random_start(51);
    uint8_t digits = 1;
    char text[64] = {0};
    int as_long = 0;
    for (int i = 0; i < NUMBERS; i++) {
        const char *prefix = prefixes[test_random_below(&random, 4)];
        const char *start = test_random_below(&random, 2) == 0 ? "7f000036" : "";
        size_t at = (size_t)snprintf(text, sizeof text, "%s%s", prefix, start);
        uint64_t count = test_random_below(&random, 21);
        random_digits(&random, text + at, count);
        at += count;
        text[at++] = ends[test_random_below(&random, sizeof ends)]; /* its NUL too */
        memset(text + at, test_random_below(&random, 2) == 0 ? 'f' : 0, sizeof text - at);
        const char *one = text;
        const char *other = text;
        uint64_t value = 1;
        uint64_t expected = 1;
        uint8_t before = digits;
        assert_int_equal(gm_scan_hex_like(&one, &value, &digits), gm_scan_hex(&other, &expected));
        assert_ptr_equal(one, other);
        assert_int_equal(value, expected);
        assert_in_range(digits, 1, 16);
        as_long += one != text && digits == before && before > 2;
    }
    assert_true(as_long > NUMBERS / 50);
}

/* Beginnings of 15 to 65 bytes, up to the width; several of one PC. */
static const char *const beginnings[] = {
    "0010 ffffffff 1 R2 LDG.E 1 R4 4 ",
    "0020 0000ffff 0 STG.E.STRONG.GPU 3 R4 R5 UR6 16 ",
    "0010 ffffffff 1 R2 LDG.E 1 R4 8 ",
    "0010 ffffffff 1 R2 LDG.E 1 R5 4 ",
    "0010 fffffffe 1 R2 LDG.E 1 R4 4 ",
    "0010 00000000 1 R2 LDG.E 1 R4 4 ",
    "0020 0000ffff 0 STG.E.STRONG.GPU.AND.MORE.WORDS 3 R4 R5 UR6 16 ",
    "0020 0000ffff 0 STG.E.STRONG.GPU.AND.LESS.WORDS 3 R4 R5 UR6 16 ",
    "0020 0000ffff 0 STG.E.STRONG.GPU.AND.MORE.WORDS.AND 3 R4 R5 UR6 8 ",
    "0 f 0 LD 0 4   ",
    "0 f 0 LDG 0 4  ",
    "0 1 0 UTMALDG 0 4 ",
    "0030 ffffffff 1 R2 MOV 1 R4 0 ",
    /* They differ in the second block of 16 bytes only. */
    "0030 ffffffff 1 R2 IMAD.MOV.U32.WIDE 3 R4 R5 R6 0 ",
    "0030 ffffffff 1 R7 IMAD.MOV.U32.WIDE 3 R4 R5 R6 0 ",
    "0020 ffffffff 1 R2 LDG.E.128.CONSTANT.SYS 1 R4 16 ",
    "0020 ffffffff 1 R7 LDG.E.128.CONSTANT.SYS 1 R4 16 ",
    "0030 ffffffff 4 R2 R3 R4 R5 LDSM.M88 8 R1 R2 R3 R4 R5 R6 R7 R8 0 ",
};

static const char *const tails[] = {
    " 4 0 ", " 4 0",    " 8 0 ",  " -4 12 ",    " 2147483647 0", " 2147483648 0", " 4",
    "",      "  4 0",   "\t4 0 ", " 4 0x",      " 4 0 0x10",     " 4 0 1 2",      "g 4 0",
    " x 0",  " 4 0 \r", " 4 12",  " 4 1234567", " 4 zz",         " 4 0 NoVal"};

/* One of the first two in three cases of four, so that lines repeat others. */
static size_t pick(test_random *random, size_t count)
{
    return test_random_below(random, test_random_below(random, 4) == 0 ? count : 2);
}

static void random_line(test_random *random, char *line)
{
    static const char *const modes[] = {"1 0x", "1 0x", "1 ", "1  0x", "0 0x",
                                        "2 0x", "1 0X", "",   "12 0x"};
    static const char *const starts[] = {"7f000036", "7F000036", "7f00003", "", "0000000000007f"};
    char digits[32] = {0};
    random_digits(random, digits,
                  test_random_below(random, 4) == 0 ? test_random_below(random, 9) : 4);
    (void)snprintf(line, LINE, "%s%s%s%s%s\n",
                   beginnings[pick(random, sizeof beginnings / sizeof *beginnings)],
                   modes[pick(random, sizeof modes / sizeof *modes)],
                   starts[pick(random, sizeof starts / sizeof *starts)], digits,
                   tails[pick(random, sizeof tails / sizeof *tails)]);
}

/* What a parser says of a line, as text. */
static void say(trace_record *record, gm_line_parser *parser, const char *line)
{
    gm_instruction instruction = {.pc = 0};
    const char *next = gm_line_parse(parser, line, &instruction);
    record->length = 0;
    if (next != NULL) {
        assert_ptr_equal(next, line + strlen(line));
        trace_record_instruction(record, parser->opcodes, &instruction);
    }
}

static void says_what_a_new_parser_says(void **state)
{
    (void)state;
    enum { LINES = 40000 };
    static gm_line_parser parser;
    static gm_line_parser new_parser;
    gm_opcode_table opcodes = {0};
    test_random random = test_random_start(52);
    trace_record said = {.text = NULL};
    trace_record expected = {.text = NULL};
    for (int version = 3; version <= 6; version++) {
        gm_kernel kernel = {.version = version};
        char line[LINE + GM_INPUT_PADDING] = "0010 ffffffff 0 NOP 0 0 0\n";
        int recalled = 0;
        gm_line_parser_start(&parser, &kernel, &opcodes);
        say(&said, &parser, line); /* the first line tells how lines are laid out */
        for (int i = 0; i < LINES; i++) {
            random_line(&random, line);
            gm_line_parser_start(&new_parser, &kernel, &opcodes);
            new_parser.laid_out = true;
            gm_line_memo_entry *entry = gm_line_memo_at(&parser.memo, line);
            const char *next;
            recalled += gm_line_memo_look_up(entry, line, &next) == GM_LINE_HIT && !entry->whole;
            say(&said, &parser, line);
            say(&expected, &new_parser, line);
            assert_int_equal(said.length, expected.length);
            if (expected.length == 0) {
                assert_string_equal(parser.reason, new_parser.reason);
            } else if (memcmp(said.text, expected.text, said.length) != 0) {
                fail_msg("%s read as %s", line, said.text);
            }
        }
        assert_true(recalled > LINES / 20);
    }
    trace_record_free(&said);
    trace_record_free(&expected);
    gm_opcode_table_free(&opcodes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_numbers_digit_by_digit),
        cmocka_unit_test(says_what_a_new_parser_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
