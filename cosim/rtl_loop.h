/* Internal interface of the RTL-in-the-loop plug-in. */
#ifndef GOLDMEM_COSIM_RTL_LOOP_H
#define GOLDMEM_COSIM_RTL_LOOP_H

#include "cosim.h"
#include "goldmem/rtl.h"

/* Loads the Verilated instance of a configuration, built by `make` if it is not up to date. `file`:
 * SystemVerilog that replaces the block's RTL, or NULL. */
int gm_rtl_build(const gm_cosim_plugin_table **table, const gm_cosim_configuration *configuration,
                 const char *file, gm_error *error);

#endif
