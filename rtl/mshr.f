// RTL of mshr, made by make rtl-packages; paths are relative to this file (-F). Includes: mshr_constants.svh
+incdir+.
sram_1r1w.sv
mshr.sv
