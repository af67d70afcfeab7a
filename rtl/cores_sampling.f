// RTL of cores_sampling, made by make rtl-packages; paths are relative to this file (-F). Includes: cores_sampling_constants.svh
+incdir+.
cores_sampling.sv
