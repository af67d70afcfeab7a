/* Units of opcodes in the cycle engine (sm.opcode_units): those of gm_opcode_classify, or as in the
 * opcode tables of Accel-Sim (its ISA_Def), whose simulator gives them other units than a GPU has:
 * conversions, constant loads and exits go to the units of integers. */
#ifndef GOLDMEM_FRONTEND_OPCODE_UNITS_H
#define GOLDMEM_FRONTEND_OPCODE_UNITS_H

#include "goldmem/config.h"
#include "goldmem/instruction.h"

typedef struct gm_opcode_units {
    bool accel_sim;
    bool old;                       /* accel_sim: code before SM70, where branches and textures go
                                       to the units of integers too */
    bool integer, texture, uniform; /* have units; else fp32, special, integer do their work */
} gm_opcode_units;

gm_opcode_units gm_opcode_units_make(const gm_config *config);

/* Takes the binary version of a kernel, 0 if it is not known. Returns true if opcodes may have
 * other units than before. */
bool gm_opcode_units_kernel(gm_opcode_units *units, uint32_t binary_version);

gm_unit gm_opcode_units_of(const gm_opcode_units *units, const gm_opcode *opcode);

/* True if an instruction takes its unit for half the interval: half precision, in Accel-Sim. */
bool gm_opcode_units_halves(const gm_opcode_units *units, const gm_opcode *opcode);

#endif
