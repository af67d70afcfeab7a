/* Units of opcodes. Oracle: rows typed from Accel-Sim's opcode tables of SM60 and SM86. */
#include "frontend/opcode_units.h"

#include "support/support.h"

enum { SM60 = 60, SM70 = 70, SM86 = 86 };

static const struct {
    const char *text;
    gm_unit own;    /* with units of their own for textures and the uniform datapath */
    gm_unit pascal; /* their Pascal_OpcodeMap */
    gm_unit ampere; /* their Ampere_OpcodeMap */
} cases[] = {
    {"IADD3.X", GM_UNIT_INTEGER, GM_UNIT_INTEGER, GM_UNIT_INTEGER},
    {"FFMA", GM_UNIT_FP32, GM_UNIT_FP32, GM_UNIT_FP32},
    {"DFMA", GM_UNIT_FP64, GM_UNIT_FP64, GM_UNIT_FP64},
    {"MUFU.RCP", GM_UNIT_SPECIAL, GM_UNIT_SPECIAL, GM_UNIT_SPECIAL},
    {"HMMA.16816.F32", GM_UNIT_TENSOR, GM_UNIT_TENSOR, GM_UNIT_TENSOR},
    {"I2F.F64", GM_UNIT_SPECIAL, GM_UNIT_INTEGER, GM_UNIT_INTEGER},
    {"F2F.F32.F64", GM_UNIT_SPECIAL, GM_UNIT_INTEGER, GM_UNIT_INTEGER},
    {"FCHK", GM_UNIT_SPECIAL, GM_UNIT_FP32, GM_UNIT_FP32},
    {"RRO.SINCOS", GM_UNIT_SPECIAL, GM_UNIT_FP32, GM_UNIT_FP32},
    {"S2R", GM_UNIT_CONTROL, GM_UNIT_INTEGER, GM_UNIT_INTEGER},
    {"CS2R.32", GM_UNIT_CONTROL, GM_UNIT_INTEGER, GM_UNIT_INTEGER},
    {"VOTE.ALL", GM_UNIT_CONTROL, GM_UNIT_INTEGER, GM_UNIT_INTEGER},
    {"NOP", GM_UNIT_CONTROL, GM_UNIT_INTEGER, GM_UNIT_INTEGER},
    {"BAR.SYNC", GM_UNIT_CONTROL, GM_UNIT_INTEGER, GM_UNIT_INTEGER},
    {"EXIT", GM_UNIT_CONTROL, GM_UNIT_INTEGER, GM_UNIT_INTEGER},
    {"BRA", GM_UNIT_CONTROL, GM_UNIT_INTEGER, GM_UNIT_CONTROL},
    {"SSY", GM_UNIT_CONTROL, GM_UNIT_INTEGER, GM_UNIT_CONTROL},
    {"BSSY", GM_UNIT_CONTROL, GM_UNIT_INTEGER, GM_UNIT_CONTROL},
    {"LDC.64", GM_UNIT_MEMORY, GM_UNIT_INTEGER, GM_UNIT_INTEGER},
    {"CCTL.IVALL", GM_UNIT_MEMORY, GM_UNIT_INTEGER, GM_UNIT_INTEGER},
    {"LDG.E", GM_UNIT_MEMORY, GM_UNIT_MEMORY, GM_UNIT_MEMORY},
    {"TEX.SCR", GM_UNIT_TEXTURE, GM_UNIT_INTEGER, GM_UNIT_TEXTURE},
    {"TXQ", GM_UNIT_TEXTURE, GM_UNIT_INTEGER, GM_UNIT_TEXTURE},
    {"SULD.P", GM_UNIT_SPECIAL, GM_UNIT_INTEGER, GM_UNIT_INTEGER},
    {"ULDC.64", GM_UNIT_MEMORY, GM_UNIT_UNIFORM, GM_UNIT_UNIFORM}, /* none before SM75 */
    {"UMOV", GM_UNIT_UNIFORM, GM_UNIT_UNIFORM, GM_UNIT_UNIFORM},   /* likewise */
    {"S2UR", GM_UNIT_UNIFORM, GM_UNIT_UNIFORM, GM_UNIT_UNIFORM},   /* likewise */
};

static gm_config with_units(gm_opcode_unit_table table, uint64_t units)
{
    gm_config config;
    gm_config_defaults(&config);
    config.sm.opcode_units = table;
    config.unit.texture.units = units;
    config.unit.uniform.units = units;
    return config;
}

static gm_unit unit_of(const gm_config *config, const char *text, uint32_t binary_version)
{
    gm_opcode opcode;
    test_text_copy(opcode.text, sizeof opcode.text, text);
    gm_opcode_classify(&opcode);
    gm_opcode_units units = gm_opcode_units_make(config);
    (void)gm_opcode_units_kernel(&units, binary_version);
    return gm_opcode_units_of(&units, &opcode);
}

static void tables_tell_units(void **state)
{
    (void)state;
    const gm_config own = with_units(GM_OPCODE_UNITS_OWN, 4);
    const gm_config theirs = with_units(GM_OPCODE_UNITS_ACCEL_SIM, 4);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *text = cases[i].text;
        if (unit_of(&own, text, SM60) != cases[i].own || unit_of(&own, text, 0) != cases[i].own ||
            unit_of(&theirs, text, SM60) != cases[i].pascal ||
            unit_of(&theirs, text, SM70) != cases[i].ampere ||
            unit_of(&theirs, text, SM86) != cases[i].ampere ||
            unit_of(&theirs, text, 0) != cases[i].ampere) {
            fail_msg("%s: own %d, of SM60 %d, of SM86 %d", text, (int)unit_of(&own, text, 0),
                     (int)unit_of(&theirs, text, SM60), (int)unit_of(&theirs, text, SM86));
        }
    }
}

/* Rows typed from the special cases of Accel-Sim's instructions: HMUL2 is none. */
static void half_precision_is_brief(void **state)
{
    (void)state;
    static const char *const brief[] = {"HADD2.F32", "HADD2_32I", "HFMA2.MMA", "HFMA2_32I",
                                        "HMUL2_32I", "HSET2.BF",  "HSETP2.GT"};
    static const char *const whole[] = {"HMUL2", "HMNMX2", "FFMA", "HMMA.16816.F32", "IADD3"};
    const gm_config own = with_units(GM_OPCODE_UNITS_OWN, 4);
    const gm_config theirs = with_units(GM_OPCODE_UNITS_ACCEL_SIM, 4);
    const gm_opcode_units ours = gm_opcode_units_make(&own);
    const gm_opcode_units units = gm_opcode_units_make(&theirs);
    for (size_t i = 0; i < sizeof brief / sizeof *brief; i++) {
        gm_opcode opcode;
        test_text_copy(opcode.text, sizeof opcode.text, brief[i]);
        assert_true(gm_opcode_units_halves(&units, &opcode));
        assert_false(gm_opcode_units_halves(&ours, &opcode));
    }
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
        gm_opcode opcode;
        test_text_copy(opcode.text, sizeof opcode.text, whole[i]);
        assert_false(gm_opcode_units_halves(&units, &opcode));
    }
}

/* Units that an SM lacks: textures are special functions, uniform operations those of integers, and
 * these of single precision. */
static void other_units_do_their_work(void **state)
{
    (void)state;
    gm_config config = with_units(GM_OPCODE_UNITS_OWN, 0);
    assert_int_equal(unit_of(&config, "TEX", SM86), GM_UNIT_SPECIAL);
    assert_int_equal(unit_of(&config, "UMOV", SM86), GM_UNIT_INTEGER);
    assert_int_equal(unit_of(&config, "IADD3", SM86), GM_UNIT_INTEGER);
    config.unit.integer.units = 0;
    assert_int_equal(unit_of(&config, "UMOV", SM86), GM_UNIT_FP32);
    assert_int_equal(unit_of(&config, "IADD3", SM86), GM_UNIT_FP32);
}

/* A kernel tells whether opcodes have other units than before. */
static void kernels_change_units(void **state)
{
    (void)state;
    const gm_config own = with_units(GM_OPCODE_UNITS_OWN, 0);
    const gm_config theirs = with_units(GM_OPCODE_UNITS_ACCEL_SIM, 0);
    gm_opcode_units units = gm_opcode_units_make(&own);
    assert_false(gm_opcode_units_kernel(&units, SM60));
    units = gm_opcode_units_make(&theirs);
    assert_false(gm_opcode_units_kernel(&units, SM86));
    assert_true(gm_opcode_units_kernel(&units, SM60));
    assert_false(gm_opcode_units_kernel(&units, SM60 + 1));
    assert_true(gm_opcode_units_kernel(&units, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_tell_units),
        cmocka_unit_test(half_precision_is_brief),
        cmocka_unit_test(other_units_do_their_work),
        cmocka_unit_test(kernels_change_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
