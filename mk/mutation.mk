# Mutation: faults that the lockstep run and the unit tests would miss.

MUTANTS ?= 1000
# Of the block at its default parameters, the same sample each time
SHIPPED_MUTANTS ?= 40
ifeq ($(B),build)
.PHONY: mutation
mutation: ## mutants of a block's RTL and C, caught or proven equivalent: BLOCK=, MUTANTS=
mutation: cosim-input build/goldmem build/goldmem-cosim $(VERILATED_RUNTIME) build/cosim/$(or $(BLOCK),set_index).generate test-programs
	scripts/mutation.sh $(or $(BLOCK),set_index) $(MUTANTS) 400000
	scripts/mutate-c.py $(or $(BLOCK),set_index)

.PHONY: mutation-shipped
mutation-shipped: ## mutants of a block's RTL at its default parameters: BLOCK=, SHIPPED_MUTANTS=
mutation-shipped: cosim-input build/goldmem-cosim $(VERILATED_RUNTIME) $(COSIM_RUN:%=build/cosim/%.generate)
	$(foreach b,$(COSIM_RUN),scripts/mutation.sh $(b) $(SHIPPED_MUTANTS) 1000000 shipped &&) true
endif
