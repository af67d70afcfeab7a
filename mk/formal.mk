# Proofs with Yosys and Z3. FULL= (empty) takes the configurations of make test only.

FULL ?= 1
ifeq ($(B),build)
# make formal                                               the blocks of rtl/
# make formal BLOCK=mshr DUT=my.sv TOP=my_mshr SET="entries=2 merges=2 line_bits=1 requester_bits=1"
#                                                           your RTL: its checkers, CYCLES from reset; FIXED=1 as for make cosim
CYCLES ?= 8
.PHONY: formal assertions
ifneq ($(DUT),)
formal: cosim-input $(C)/$(BLOCK).generate
	scripts/formal-user.sh $(BLOCK) $(or $(TOP),$(BLOCK)) "$(DUT)" "$(or $(SET),shipped)" $(CYCLES) $(if $(FIXED),fixed)
else
formal: build/goldmem $(foreach b,set_index sm_dueling replacement sharing_tracker gwct lease_store lifetime_predictor tc_l1 tc_l2,build/cosim/$(b).generate) ## prove set_index's RTL equal to its matrix, the other blocks' assertions and invariants for all time (Yosys, Z3)
	scripts/formal.sh $(if $(FULL),,quick)
	scripts/formal-mshr.sh $(if $(FULL),8,6 quick)
	$(if $(FULL),scripts/formal-tag_store.sh 7)
	$(if $(FULL),scripts/formal-sm_dueling.sh 8)
	$(if $(FULL),scripts/formal-replacement.sh 7)
	$(if $(FULL),scripts/formal-sharing_tracker.sh 6)
	$(if $(FULL),scripts/formal-gwct.sh 7)
	$(if $(FULL),scripts/formal-lifetime_predictor.sh 8)
	$(if $(FULL),scripts/formal-lease_store.sh 6)
	$(if $(FULL),scripts/formal-tc_l1.sh 7)
	$(if $(FULL),scripts/formal-tc_l2.sh 7)
endif

ASSERTION_MUTANTS ?= 400
assertions: cosim-input build/goldmem-cosim $(VERILATED_RUNTIME) $(COSIM_RUN:%=$(C)/%.generate) ## for each assertion of the checkers a design that makes it fail: BLOCK=
	$(foreach b,$(COSIM_RUN),scripts/assertions.sh $(b) $(ASSERTION_MUTANTS) 20000 &&) true
endif
