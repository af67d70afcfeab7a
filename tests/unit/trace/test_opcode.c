/* What opcodes mean (the trace format's section 6), the widths that the tracer derives from them
 * (section 5), and the table that numbers them. */
#include "goldmem/instruction.h"
#include "support/support.h"
#include "trace/opcode.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

typedef struct opcode_case {
    const char *text;
    gm_op op;
    gm_space space;
    gm_unit unit;
    bool bypasses_l1;
    unsigned written_width, width;
} opcode_case;

static const opcode_case cases[] = {
    {"LDG.E", GM_OP_LOAD, GM_SPACE_GLOBAL, GM_UNIT_MEMORY, false, 4, 4},
    {"LDG.E.128.CONSTANT.SYS", GM_OP_LOAD, GM_SPACE_GLOBAL, GM_UNIT_MEMORY, false, 16, 16},
    {"LDG.E.U16", GM_OP_LOAD, GM_SPACE_GLOBAL, GM_UNIT_MEMORY, false, 2, 2},
    {"LDG.E.U8", GM_OP_LOAD, GM_SPACE_GLOBAL, GM_UNIT_MEMORY, false, 1, 1},
    {"LDG.E.S8", GM_OP_LOAD, GM_SPACE_GLOBAL, GM_UNIT_MEMORY, false, 4, 1},
    {"LDG.E.S16.SYS", GM_OP_LOAD, GM_SPACE_GLOBAL, GM_UNIT_MEMORY, false, 4, 2},
    {"LDG.E.STRONG.SYS", GM_OP_LOAD, GM_SPACE_GLOBAL, GM_UNIT_MEMORY, true, 4, 4},
    {"LDG.E.64.STRONG.GPU", GM_OP_LOAD, GM_SPACE_GLOBAL, GM_UNIT_MEMORY, true, 8, 8},
    {"LDG.E.STRONG.CTA", GM_OP_LOAD, GM_SPACE_GLOBAL, GM_UNIT_MEMORY, false, 4, 4},
    {"LDG.E.CG", GM_OP_LOAD, GM_SPACE_GLOBAL, GM_UNIT_MEMORY, true, 4, 4},
    {"STG.E.STRONG.GPU", GM_OP_STORE, GM_SPACE_GLOBAL, GM_UNIT_MEMORY, false, 4, 4},
    {"LDL.64", GM_OP_LOAD, GM_SPACE_LOCAL, GM_UNIT_MEMORY, false, 8, 8},
    {"STL", GM_OP_STORE, GM_SPACE_LOCAL, GM_UNIT_MEMORY, false, 4, 4},
    {"LDS.U.128", GM_OP_LOAD, GM_SPACE_SHARED, GM_UNIT_MEMORY, false, 16, 16},
    {"STS", GM_OP_STORE, GM_SPACE_SHARED, GM_UNIT_MEMORY, false, 4, 4},
    {"LDSM.16.M88.4", GM_OP_LOAD, GM_SPACE_SHARED, GM_UNIT_MEMORY, false, 2, 16},
    {"LDSM.16.MT88.4", GM_OP_LOAD, GM_SPACE_SHARED, GM_UNIT_MEMORY, false, 2, 16},
    {"LDSM.U4.M816", GM_OP_LOAD, GM_SPACE_SHARED, GM_UNIT_MEMORY, false, 0, 16},
    {"ATOMS.ADD", GM_OP_ATOMIC, GM_SPACE_SHARED, GM_UNIT_MEMORY, false, 4, 4},
    {"LD.E", GM_OP_LOAD, GM_SPACE_GENERIC, GM_UNIT_MEMORY, false, 4, 4},
    {"LD.E.STRONG.GPU", GM_OP_LOAD, GM_SPACE_GENERIC, GM_UNIT_MEMORY, true, 4, 4},
    {"ST.E.U8", GM_OP_STORE, GM_SPACE_GENERIC, GM_UNIT_MEMORY, false, 1, 1},
    {"ATOM.E.ADD.64.STRONG.GPU", GM_OP_ATOMIC, GM_SPACE_GLOBAL, GM_UNIT_MEMORY, false, 8, 8},
    {"ATOMG.E.ADD.F64.RN", GM_OP_ATOMIC, GM_SPACE_GLOBAL, GM_UNIT_MEMORY, false, 4, 8},
    {"RED.E.ADD.F16x2.RN", GM_OP_REDUCTION, GM_SPACE_GLOBAL, GM_UNIT_MEMORY, false, 4, 4},
    {"LDC.U8", GM_OP_LOAD, GM_SPACE_CONSTANT, GM_UNIT_MEMORY, false, 1, 1},
    {"ULDC.64", GM_OP_LOAD, GM_SPACE_CONSTANT, GM_UNIT_MEMORY, false, 8, 8},
    {"LDGSTS.E.BYPASS.LTC128B.128", GM_OP_ASYNC_COPY, GM_SPACE_GLOBAL, GM_UNIT_MEMORY, true, 16,
     16},
    {"LDGSTS.E.64", GM_OP_ASYNC_COPY, GM_SPACE_GLOBAL, GM_UNIT_MEMORY, false, 8, 8},
    {"LDGDEPBAR", GM_OP_COMMIT_GROUP, GM_SPACE_NONE, GM_UNIT_MEMORY, false, 4, 4},
    {"DEPBAR.LE", GM_OP_WAIT_GROUP, GM_SPACE_NONE, GM_UNIT_CONTROL, false, 4, 4},
    {"ARRIVES.LDGSTSBAR.64", GM_OP_UNMODELLED, GM_SPACE_NONE, GM_UNIT_INTEGER, false, 8, 8},
    {"MEMBAR.CTA", GM_OP_FENCE, GM_SPACE_NONE, GM_UNIT_MEMORY, false, 4, 4},
    {"BAR.SYNC", GM_OP_BARRIER, GM_SPACE_NONE, GM_UNIT_CONTROL, false, 4, 4},
    {"CCTL.IVALL", GM_OP_CACHE_CONTROL, GM_SPACE_NONE, GM_UNIT_MEMORY, false, 4, 4},
    {"CCTLL.IVALL", GM_OP_CACHE_CONTROL, GM_SPACE_NONE, GM_UNIT_MEMORY, false, 4, 4},
    {"ERRBAR", GM_OP_COMPUTE, GM_SPACE_NONE, GM_UNIT_CONTROL, false, 4, 4},
    {"EXIT", GM_OP_EXIT, GM_SPACE_NONE, GM_UNIT_CONTROL, false, 4, 4},
    {"BRA", GM_OP_BRANCH, GM_SPACE_NONE, GM_UNIT_CONTROL, false, 4, 4},
    {"BSSY", GM_OP_BRANCH, GM_SPACE_NONE, GM_UNIT_CONTROL, false, 4, 4},
    {"NOP", GM_OP_COMPUTE, GM_SPACE_NONE, GM_UNIT_CONTROL, false, 4, 4},
    {"SHFL.IDX", GM_OP_COMPUTE, GM_SPACE_NONE, GM_UNIT_INTEGER, false, 4, 4},
    {"IMAD.MOV.U32", GM_OP_COMPUTE, GM_SPACE_NONE, GM_UNIT_INTEGER, false, 4, 4},
    {"FFMA", GM_OP_COMPUTE, GM_SPACE_NONE, GM_UNIT_FP32, false, 4, 4},
    {"DADD", GM_OP_COMPUTE, GM_SPACE_NONE, GM_UNIT_FP64, false, 4, 4},
    {"MUFU.RCP", GM_OP_COMPUTE, GM_SPACE_NONE, GM_UNIT_SPECIAL, false, 4, 4},
    {"HMMA.16816.F32", GM_OP_COMPUTE, GM_SPACE_NONE, GM_UNIT_TENSOR, false, 4, 4},
    {"TEX.SCR.LL", GM_OP_UNMODELLED, GM_SPACE_NONE, GM_UNIT_TEXTURE, false, 4, 4},
    {"TXQ.TYPE", GM_OP_COMPUTE, GM_SPACE_NONE, GM_UNIT_TEXTURE, false, 4, 4},
    {"UIADD3", GM_OP_COMPUTE, GM_SPACE_NONE, GM_UNIT_UNIFORM, false, 4, 4},
    {"S2UR", GM_OP_COMPUTE, GM_SPACE_NONE, GM_UNIT_UNIFORM, false, 4, 4},
    {"ULDC.64", GM_OP_LOAD, GM_SPACE_CONSTANT, GM_UNIT_MEMORY, false, 8, 8},
    {"UTMALDG.2D", GM_OP_ASYNC_COPY, GM_SPACE_GLOBAL, GM_UNIT_MEMORY, true, 4, 4},
};

static void means_what_the_first_token_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gm_opcode opcode = {.op = GM_OPS};
        test_text_copy(opcode.text, sizeof opcode.text, cases[i].text);
        gm_opcode_classify(&opcode);
        if (opcode.op != cases[i].op || opcode.space != cases[i].space ||
            opcode.unit != cases[i].unit || opcode.bypasses_l1 != cases[i].bypasses_l1 ||
            gm_opcode_written_width(cases[i].text) != cases[i].written_width ||
            gm_opcode_true_width(cases[i].text) != cases[i].width) {
            fail_msg("%s: op %d space %d unit %d bypass %d width %u really %u", cases[i].text,
                     (int)opcode.op, (int)opcode.space, (int)opcode.unit, opcode.bypasses_l1,
                     gm_opcode_written_width(cases[i].text), gm_opcode_true_width(cases[i].text));
        }
    }
}

/* Loads that bypass an L1, and those of them that do not where L1s are coherent. */
static void strong_loads_are_told_apart(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool bypasses_l1, strong;
    } rows[] = {
        {"LDG.E.STRONG.GPU", true, true},
        {"LD.E.64.STRONG.SYS", true, true},
        {"LDG.E.STRONG.CTA", false, false},
        {"LDG.E.CG", true, false},
        {"LD.CV", true, false},
        {"LDG.E.CG.STRONG.GPU", true, false},
        {"LDG.E", false, false},
        {"STG.E.STRONG.GPU", false, false},
        {"LDGSTS.E.BYPASS.128", true, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        gm_opcode opcode = {.op = GM_OPS};
        test_text_copy(opcode.text, sizeof opcode.text, rows[i].text);
        gm_opcode_classify(&opcode);
        if (opcode.bypasses_l1 != rows[i].bypasses_l1 || opcode.strong != rows[i].strong) {
            fail_msg("%s: bypass %d strong %d", rows[i].text, opcode.bypasses_l1, opcode.strong);
        }
    }
}

/* Every opcode of SM35 to SM90 that has an operand in brackets [CUDA Binary Utilities, instruction
 * set reference, load/store, texture, surface and bulk tables], and some that have none. */
static void knows_what_carries_addresses(void **state)
{
    (void)state;
    static const char *const with[] = {
        "LD.E",        "LDC.64",        "LDG.E",
        "LDL",         "LDS.128",       "LDSLK",
        "ST.E",        "STG.E",         "STL.64",
        "STS",         "STSCUL",        "ATOM.E.ADD",
        "ATOMG.E.CAS", "ATOMS.ADD",     "RED.E.ADD",
        "REDG.E.ADD",  "CCTL.IVALL",    "CCTLL.IV",
        "CCTLT.IVALL", "TEX.SCR",       "TEXS",
        "TLD.SCR",     "TLDS",          "TLD4.SCR",
        "TLD4S",       "TXD.SCR",       "SUATOM.1D",
        "SULD.D.1D",   "SURED.D",       "SUST.D.1D",
        "SULDGA",      "SUSTGA",        "QSPC.E.S",
        "LDGSTS.E",    "LDSM.16",       "STSM.16",
        "LDGMC.E",     "SYNCS.EXCH.64", "STAS",
        "REDAS.ADD",   "UBLKCP.S.G",    "UBLKPF.L2",
        "UBLKRED.G.S", "UTMALDG.2D",    "UTMASTG.2D",
        "UTMAPF.2D",   "UTMAREDG.2D",   "UTMACCTL.PF",
        "ULDC.64",     "LDCU.64",       "ARRIVES.LDGSTSBAR.64",
    };
    static const char *const without[] = {
        "FROB", "IADD3",     "LDGDEPBAR", "DEPBAR.LE", "MEMBAR.GPU", "FENCE.VIEW.ASYNC",
        "TXQ",  "MATCH.ANY", "REDUX.SUM", "BAR.SYNC",  "EXIT",       "UTMACMDFLUSH",
        "LEPC", "SHFL.IDX",  "ERRBAR",    "S2R",       "LDGX.E",     "LDGLDG",
    };
    for (size_t i = 0; i < sizeof with / sizeof *with; i++) {
        gm_opcode opcode = {.op = GM_OPS};
        test_text_copy(opcode.text, sizeof opcode.text, with[i]);
        gm_opcode_classify(&opcode);
        if (!opcode.addresses) {
            fail_msg("%s is not known to carry addresses", with[i]);
        }
    }
    for (size_t i = 0; i < sizeof without / sizeof *without; i++) {
        gm_opcode opcode = {.addresses = true};
        test_text_copy(opcode.text, sizeof opcode.text, without[i]);
        gm_opcode_classify(&opcode);
        if (opcode.addresses) {
            fail_msg("%s carries addresses", without[i]);
        }
    }
}

/* One matrix of 8 rows, two, or four. */
static void rows_of_matrix_accesses(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned rows;
    } opcodes[] = {
        {"LDSM.16.M88", 8},    {"LDSM.16.M88.2", 16}, {"LDSM.16.M88.4", 32}, {"LDSM.16.MT88.4", 32},
        {"STSM.16.M88.2", 16}, {"LDS.U.128", 0},      {"LDG.E.64", 0},
    };
    for (size_t i = 0; i < sizeof opcodes / sizeof *opcodes; i++) {
        gm_opcode opcode = {.rows = 1};
        test_text_copy(opcode.text, sizeof opcode.text, opcodes[i].text);
        gm_opcode_classify(&opcode);
        assert_int_equal(opcode.rows, opcodes[i].rows);
    }
}

/* Scopes by the texts of compiled code: __threadfence_block(), __threadfence() and
 * __threadfence_system() up to SM62 and since SM70, fence.acq_rel since SM70 (.ALL), what a debug
 * build has in front of EXIT (.VC), and fence.proxy.async (VIEW). */
static void fences_have_scopes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        gm_scope scope;
    } fences[] = {
        {"MEMBAR.CTA", GM_SCOPE_CTA},        {"MEMBAR.GL", GM_SCOPE_GPU},
        {"MEMBAR.SYS", GM_SCOPE_SYS},        {"MEMBAR.SC.CTA", GM_SCOPE_CTA},
        {"MEMBAR.SC.GPU", GM_SCOPE_GPU},     {"MEMBAR.SC.SYS", GM_SCOPE_SYS},
        {"MEMBAR.ALL.CTA", GM_SCOPE_CTA},    {"MEMBAR.ALL.GPU", GM_SCOPE_GPU},
        {"MEMBAR.ALL.SYS", GM_SCOPE_SYS},    {"MEMBAR.SC.SM", GM_SCOPE_CTA},
        {"MEMBAR.SC.VC", GM_SCOPE_SYS},      {"MEMBAR", GM_SCOPE_SYS},
        {"FENCE.VIEW.ASYNC", GM_SCOPE_CTA},  {"FENCE.VIEW.ASYNC.S", GM_SCOPE_CTA},
        {"MEMBAR.SC.NOVELTY", GM_SCOPE_SYS},
    };
    for (size_t i = 0; i < sizeof fences / sizeof *fences; i++) {
        gm_opcode opcode = {.scope = GM_SCOPES};
        test_text_copy(opcode.text, sizeof opcode.text, fences[i].text);
        gm_opcode_classify(&opcode);
        assert_int_equal(opcode.op, GM_OP_FENCE);
        if (opcode.scope != fences[i].scope) {
            fail_msg("%s: scope %d", fences[i].text, (int)opcode.scope);
        }
    }
}

/* Text of opcode k: all lengths from 1 to 63, so that words of 8 bytes end everywhere. */
static void text_of(unsigned k, char *text)
{
    unsigned length = 1 + k % (GM_OPCODE_TEXT - 1);
    memset(text, 'A' + (char)(k % 26), length);
    text[length] = '\0';
    char digits[16];
    int count = snprintf(digits, sizeof digits, "%u", k);
    if ((unsigned)count + 1 < length) {
        memcpy(text + length - (unsigned)count, digits, (size_t)count);
    }
}

static void numbers_each_text_once(void **state)
{
    (void)state;
    enum { COUNT = 20000 };
    static int numbers[COUNT];
    gm_opcode_table table = {0};
    gm_error error;
    for (int pass = 0; pass < 2; pass++) { /* the second pass finds all again, after growth */
        for (unsigned k = 0; k < COUNT; k++) {
            char text[GM_OPCODE_TEXT];
            text_of(k, text);
            int number = gm_opcode_number(&table, text, (uint32_t)strlen(text), &error);
            test_ok(number, error);
            assert_string_equal(table.opcodes[number].text, text);
            if (pass == 0) {
                numbers[k] = number;
            }
            assert_int_equal(number, numbers[k]);
        }
    }
    assert_in_range(table.count, COUNT / 2, COUNT);
    gm_opcode_table_free(&table);
    assert_int_equal(table.count, 0);
}

static void refuses_what_is_no_opcode(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "1ADD", "r1", "A B", "A\x01", "A\xff", ".E"};
    gm_opcode_table table = {0};
    gm_error error;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_int_equal(gm_opcode_number(&table, texts[i], (uint32_t)strlen(texts[i]), &error),
                         -EINVAL);
    }
    char text[GM_OPCODE_TEXT + 1];
    memset(text, 'A', sizeof text);
    assert_int_equal(gm_opcode_number(&table, text, GM_OPCODE_TEXT, &error), -EINVAL);
    assert_int_equal(gm_opcode_number(&table, text, GM_OPCODE_TEXT - 1, &error), 0);
    gm_opcode_table_free(&table);
}

static void refuses_too_many(void **state)
{
    (void)state;
    gm_opcode_table table = {0};
    gm_error error;
    for (unsigned k = 0; k <= GM_OPCODES; k++) {
        char text[GM_OPCODE_TEXT];
        int length = snprintf(text, sizeof text, "N%u", k);
        int number = gm_opcode_number(&table, text, (uint32_t)length, &error);
        assert_int_equal(number, k < GM_OPCODES ? (int)k : -EINVAL);
    }
    assert_string_equal(error.text, "more than 65535 different opcodes");
    gm_opcode_table_free(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fences_have_scopes),
        cmocka_unit_test(means_what_the_first_token_says),
        cmocka_unit_test(strong_loads_are_told_apart),
        cmocka_unit_test(knows_what_carries_addresses),
        cmocka_unit_test(rows_of_matrix_accesses),
        cmocka_unit_test(numbers_each_text_once),
        cmocka_unit_test(refuses_what_is_no_opcode),
        cmocka_unit_test(refuses_too_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
