// RTL of stream_gate, made by make rtl-packages; paths are relative to this file (-F). Includes: stream_gate_constants.svh
+incdir+.
stream_gate.sv
