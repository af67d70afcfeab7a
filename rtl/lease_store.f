// RTL of lease_store, made by make rtl-packages; paths are relative to this file (-F). Includes: lease_store_constants.svh
+incdir+.
three_stages.sv
max_tree.sv
count_tree.sv
lease_store.sv
