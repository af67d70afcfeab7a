# Checks that take too long for `make test`. A part of the Makefile adds its own: REGRESS_TARGETS += regress-NAME, or
# REGRESS_PARALLEL, of which as many run at a time as there are cores; REGRESS_SEEDED: those of either that take SEED. Each takes less
# than an hour. What REGRESS_PARALLEL needs in common is built first, by regress-build: REGRESS_BUILD += FILE.

REGRESS := build/regress
# Traces and workloads under every preset, a target for each: regress-runs-NAME
REGRESS_RUNS_EACH = $(shell scripts/regress-runs.sh $(B)/goldmem --list 2>/dev/null | sed 's/^/regress-runs-/')

# regress-NAME-BLOCK is `make NAME BLOCK=BLOCK`: all blocks together would take more than an hour.
REGRESS_BY_BLOCK := fourstate-resets coverage formal assertions mutation mutation-shipped
define regress_by_block
.PHONY: $(COSIM_BLOCKS:%=regress-$(1)-%)
$(COSIM_BLOCKS:%=regress-$(1)-%): regress-$(1)-%:
	@$$(MAKE) --no-print-directory -s $(1) BLOCK=$$*
endef
$(foreach t,$(REGRESS_BY_BLOCK),$(eval $(call regress_by_block,$(t))))
REGRESS_TARGETS += $(foreach t,$(REGRESS_BY_BLOCK),$(COSIM_BLOCKS:%=regress-$(t)-%))
REGRESS_SEEDED  += $(COSIM_BLOCKS:%=regress-coverage-%) $(COSIM_BLOCKS:%=regress-fourstate-resets-%)

.PHONY: regress regress-build regress-runs
regress: $(B)/goldmem ## the long checks, with a page of all runs, build/regress/index.html; goes on where it was interrupted: SEED=
	@scripts/setup.sh regress
	@scripts/regress.py $(REGRESS) $(SEED) regress-build $(REGRESS_TARGETS) --parallel $(REGRESS_PARALLEL) $(REGRESS_RUNS_EACH) $(REGRESS_VALUES_EACH) \
	  --seeded $(REGRESS_SEEDED)
	@echo "regress does not make reproductions again: make reproduce-li (20 CPU minutes), reproduce-khairy, reproduce-index, reproduce-singh, reproduce-anssari, reproduce-tabbakh, reproduce-silicon"

regress-build:
	@$(MAKE) --no-print-directory -s -j$(shell nproc) all $(REGRESS_BUILD)

regress-runs: $(B)/goldmem ## every trace and workload under every preset and ideal cache, with --check
	@scripts/regress-runs.sh $(B)/goldmem
REGRESS_VALUES_EACH = $(REGRESS_RUNS_EACH:regress-runs-%=regress-values-%)
regress-values-%: $(B)/goldmem
	@CHECK=values scripts/regress-runs.sh $(B)/goldmem $*
regress-runs-%: $(B)/goldmem
	@scripts/regress-runs.sh $(B)/goldmem $*
