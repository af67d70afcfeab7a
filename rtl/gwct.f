// RTL of gwct, made by make rtl-packages; paths are relative to this file (-F). Includes: gwct_constants.svh
+incdir+.
three_stages.sv
max_tree.sv
gwct.sv
