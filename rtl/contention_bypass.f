// RTL of contention_bypass, made by make rtl-packages; paths are relative to this file (-F). Includes: 
+incdir+.
contention_bypass.sv
