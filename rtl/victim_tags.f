// RTL of victim_tags, made by make rtl-packages; paths are relative to this file (-F). Includes: victim_tags_constants.svh
+incdir+.
three_stages.sv
sram_1r1w.sv
victim_tags.sv
