// RTL of tag_store, made by make rtl-packages; paths are relative to this file (-F). Includes: tag_store_constants.svh, tag_store_row.svh
+incdir+.
three_stages.sv
set_index_network.sv
sram_1r1w.sv
tag_store_rows.sv
largest.sv
tag_store_look_up.sv
tag_store_probe.sv
sram_1r1w_clear.sv
ship_table.sv
lru_rank.sv
rrip_row.sv
replacement_row.sv
tag_store_decide.sv
tag_store.sv
