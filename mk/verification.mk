# Testplans of the blocks, and the page of their results.

.PHONY: verification lint-testplan
lint: lint-testplan
lint-testplan: ## each feature's checks and cover points exist; each assertion and cover point is of a feature
	scripts/testplan.py check
verification: ## docs/verification.md from the testplans, and the results that regress and coverage left under build/
	scripts/testplan.py write

# Results that the page shows and that no other part of the regression has.
ifeq ($(B),build)
REGRESS_TARGETS  += dpi testbench
endif
