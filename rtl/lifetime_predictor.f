// RTL of lifetime_predictor, made by make rtl-packages; paths are relative to this file (-F). Includes: lifetime_predictor_constants.svh
+incdir+.
lifetime_predictor.sv
