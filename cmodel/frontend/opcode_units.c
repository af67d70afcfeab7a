/* Units of opcodes in the cycle engine. */
#include "frontend/opcode_units.h"

#include <string.h>

enum { SM70 = 70 };

/* Opcodes by their first token whose unit in Accel-Sim's tables is not gm_opcode_classify's. */
static const struct {
    const char *token;
    gm_unit unit;
} accel_sim[] = {
    {"S2R", GM_UNIT_INTEGER},    {"CS2R", GM_UNIT_INTEGER},   {"B2R", GM_UNIT_INTEGER},
    {"R2B", GM_UNIT_INTEGER},    {"VOTE", GM_UNIT_INTEGER},   {"NOP", GM_UNIT_INTEGER},
    {"ERRBAR", GM_UNIT_INTEGER}, {"DEPBAR", GM_UNIT_INTEGER}, {"LDGDEPBAR", GM_UNIT_INTEGER},
    {"BAR", GM_UNIT_INTEGER},    {"EXIT", GM_UNIT_INTEGER},   {"F2F", GM_UNIT_INTEGER},
    {"F2I", GM_UNIT_INTEGER},    {"I2F", GM_UNIT_INTEGER},    {"F2FP", GM_UNIT_INTEGER},
    {"FRND", GM_UNIT_INTEGER},   {"SULD", GM_UNIT_INTEGER},   {"SUST", GM_UNIT_INTEGER},
    {"SUATOM", GM_UNIT_INTEGER}, {"SURED", GM_UNIT_INTEGER},  {"LDC", GM_UNIT_INTEGER},
    {"CCTL", GM_UNIT_INTEGER},   {"CCTLL", GM_UNIT_INTEGER},  {"CCTLT", GM_UNIT_INTEGER},
    {"FCHK", GM_UNIT_FP32},      {"RRO", GM_UNIT_FP32},       {"ULDC", GM_UNIT_UNIFORM},
};

/* What takes its unit for half the interval there, HMUL2 not among it. */
static const char *const halves[] = {"HADD2",     "HADD2_32I", "HFMA2", "HFMA2_32I",
                                     "HMUL2_32I", "HSET2",     "HSETP2"};

static bool has_first_token(const gm_opcode *opcode, const char *token)
{
    size_t length = strcspn(opcode->text, ".");
    return strlen(token) == length && strncmp(token, opcode->text, length) == 0;
}

gm_opcode_units gm_opcode_units_make(const gm_config *config)
{
    return (gm_opcode_units){
        .accel_sim = config->sm.opcode_units == GM_OPCODE_UNITS_ACCEL_SIM,
        .integer = config->unit.integer.units != 0,
        .texture = config->unit.texture.units != 0,
        .uniform = config->unit.uniform.units != 0,
    };
}

bool gm_opcode_units_kernel(gm_opcode_units *units, uint32_t binary_version)
{
    bool old = units->accel_sim && binary_version != 0 && binary_version < SM70;
    bool changes = old != units->old;
    units->old = old;
    return changes;
}

static gm_unit accel_sim_unit(const gm_opcode *opcode, bool old)
{
    for (size_t i = 0; i < sizeof accel_sim / sizeof *accel_sim; i++) {
        if (has_first_token(opcode, accel_sim[i].token)) {
            return accel_sim[i].unit;
        }
    }
    bool moves = opcode->unit == GM_UNIT_CONTROL || opcode->unit == GM_UNIT_TEXTURE;
    return old && moves ? GM_UNIT_INTEGER : opcode->unit;
}

gm_unit gm_opcode_units_of(const gm_opcode_units *units, const gm_opcode *opcode)
{
    gm_unit unit = units->accel_sim ? accel_sim_unit(opcode, units->old) : opcode->unit;
    if (unit == GM_UNIT_TEXTURE && !units->texture) {
        unit = GM_UNIT_SPECIAL;
    }
    if (unit == GM_UNIT_UNIFORM && !units->uniform) {
        unit = GM_UNIT_INTEGER;
    }
    return unit == GM_UNIT_INTEGER && !units->integer ? GM_UNIT_FP32 : unit;
}

bool gm_opcode_units_halves(const gm_opcode_units *units, const gm_opcode *opcode)
{
    bool found = false;
    for (size_t i = 0; units->accel_sim && !found && i < sizeof halves / sizeof *halves; i++) {
        found = has_first_token(opcode, halves[i]);
    }
    return found;
}
