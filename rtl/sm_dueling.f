// RTL of sm_dueling, made by make rtl-packages; paths are relative to this file (-F). Includes: sm_dueling_constants.svh
+incdir+.
sm_dueling.sv
