// RTL of locality_score, made by make rtl-packages; paths are relative to this file (-F). Includes: locality_score_constants.svh
+incdir+.
locality_score.sv
