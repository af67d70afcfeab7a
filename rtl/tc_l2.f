// RTL of tc_l2, made by make rtl-packages; paths are relative to this file (-F). Includes: tc_l2_constants.svh
+incdir+.
three_stages.sv
sram_1r1w_clear.sv
tc_l2.sv
