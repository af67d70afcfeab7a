// RTL of set_index, made by make rtl-packages; paths are relative to this file (-F). Includes: set_index_constants.svh
+incdir+.
set_index_network.sv
set_index.sv
