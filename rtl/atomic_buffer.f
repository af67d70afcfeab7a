// RTL of atomic_buffer, made by make rtl-packages; paths are relative to this file (-F). Includes: atomic_buffer_constants.svh
+incdir+.
atomic_buffer.sv
