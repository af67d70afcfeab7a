# Proofs with Yosys and Z3. FULL= (empty) takes the configurations of make test only.

FULL ?= 1
ifeq ($(B),build)
.PHONY: formal
formal: build/goldmem build/cosim/set_index.generate ## prove set_index's RTL equal to its matrix, and mshr's assertions, for all time (Yosys, Z3)
	scripts/formal.sh $(if $(FULL),,quick)
	scripts/formal-mshr.sh $(if $(FULL),8,7 quick)
endif
