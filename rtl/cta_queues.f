// RTL of cta_queues, made by make rtl-packages; paths are relative to this file (-F). Includes: cta_queues_constants.svh
+incdir+.
three_stages.sv
sram_1r1w_clear.sv
cta_queues.sv
