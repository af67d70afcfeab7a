/* Inside the plug-in of RTL in the loop. */
#ifndef GOLDMEM_COSIM_RTL_LOOP_H
#define GOLDMEM_COSIM_RTL_LOOP_H

#include "cosim.h"
#include "goldmem/rtl.h"

/* The Verilated instance of a configuration, built by `make` when it is not up to date. `file`:
 * SystemVerilog in place of the block's own, or NULL. */
int gm_rtl_build(const gm_cosim_plugin_table **table, const gm_cosim_configuration *configuration,
                 const char *file, gm_error *error);

#endif
