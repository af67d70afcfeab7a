// RTL of sharing_tracker, made by make rtl-packages; paths are relative to this file (-F). Includes: sharing_tracker_constants.svh
+incdir+.
three_stages.sv
set_index_network.sv
sram_1r1w_clear.sv
sram_1r1w.sv
lru_rank.sv
sharing_tracker_decide.sv
sharing_tracker.sv
