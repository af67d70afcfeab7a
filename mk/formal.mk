# Proofs with Yosys and Z3. FULL= (empty) takes the configurations of make test only.

FULL ?= 1
ifeq ($(B),build)
.PHONY: formal
formal: build/goldmem build/cosim/set_index.generate ## prove set_index's RTL equal to its matrix, mshr's assertions and tag_store's invariants, for all time (Yosys, Z3)
	scripts/formal.sh $(if $(FULL),,quick)
	scripts/formal-mshr.sh $(if $(FULL),8,7 quick)
	$(if $(FULL),scripts/formal-tag_store.sh 7)
endif
