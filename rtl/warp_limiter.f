// RTL of warp_limiter, made by make rtl-packages; paths are relative to this file (-F). Includes: 
+incdir+.
count_tree.sv
warp_limiter.sv
