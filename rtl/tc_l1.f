// RTL of tc_l1, made by make rtl-packages; paths are relative to this file (-F). Includes: tc_l1_constants.svh
+incdir+.
three_stages.sv
sram_1r1w_clear.sv
sram_1r1w.sv
tc_l1.sv
