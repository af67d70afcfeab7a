# Checks that take too long for `make test`. A part of the Makefile adds its own: REGRESS_TARGETS += regress-NAME.

REGRESS_TARGETS += regress-runs

.PHONY: regress regress-runs
regress: ## the long checks: every trace and workload under every preset, and more
	@scripts/setup.sh regress
	@for target in $(REGRESS_TARGETS); do $(MAKE) --no-print-directory -s $$target || exit 1; done
	@echo "regress: all of $(words $(REGRESS_TARGETS)) passed"
	@echo "regress does not make reproductions again: make reproduce-li (20 CPU minutes), reproduce-khairy, reproduce-index"

regress-runs: $(B)/goldmem ## every trace and workload under every preset and ideal cache, with --check
	@scripts/regress-runs.sh $(B)/goldmem
