# Mutation: what the lockstep run and the unit tests would let through.

MUTANTS ?= 1000
ifeq ($(B),build)
.PHONY: mutation
mutation: build/goldmem build/goldmem-cosim $(VERILATED_RUNTIME) build/cosim/$(or $(BLOCK),set_index).generate \
  test-programs ## mutants of a block's RTL and C, caught or proven equivalent: BLOCK=, MUTANTS=
	scripts/mutation.sh $(or $(BLOCK),set_index) $(MUTANTS) 20000
	scripts/mutate-c.py $(or $(BLOCK),set_index)
endif
