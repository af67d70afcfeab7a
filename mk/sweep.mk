# goldmem sweep on a real Slurm.

REGRESS_TARGETS += regress-slurm
.PHONY: regress-slurm
regress-slurm: $(B)/goldmem ## goldmem sweep on a real Slurm of two nodes, one of which is killed: RUNS=1000
	@scripts/setup.sh regress
	@scripts/regress-slurm.sh $(B)/goldmem $(RUNS)
