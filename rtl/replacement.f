// RTL of replacement, made by make rtl-packages; paths are relative to this file (-F). Includes: replacement_constants.svh
+incdir+.
three_stages.sv
sram_1r1w_clear.sv
sram_1r1w.sv
largest.sv
lru_rank.sv
rrip_row.sv
replacement_row.sv
ship_table.sv
replacement.sv
