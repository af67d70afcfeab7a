# Proofs with Yosys and Z3. FULL= (empty) takes the configurations of make test only.

FULL ?= 1
ifeq ($(B),build)
.PHONY: formal
formal: build/goldmem build/cosim/set_index.generate ## prove the RTL of set_index equal to its matrix (Yosys, Z3)
	scripts/formal.sh $(if $(FULL),,quick)
endif
