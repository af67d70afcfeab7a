// RTL of sharing_lru, made by make rtl-packages; paths are relative to this file (-F). Includes: sharing_lru_constants.svh
+incdir+.
three_stages.sv
sram_1r1w_clear.sv
sram_1r1w.sv
largest.sv
lru_rank.sv
sharing_lru.sv
