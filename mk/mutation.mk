# Mutation: faults that the lockstep run and the unit tests would miss.

MUTANTS ?= 1000
ifeq ($(B),build)
.PHONY: mutation
mutation: ## mutants of a block's RTL and C, caught or proven equivalent: BLOCK=, MUTANTS=
mutation: cosim-input build/goldmem build/goldmem-cosim $(VERILATED_RUNTIME) build/cosim/$(or $(BLOCK),set_index).generate test-programs
	scripts/mutation.sh $(or $(BLOCK),set_index) $(MUTANTS) 400000
	scripts/mutate-c.py $(or $(BLOCK),set_index)
endif
