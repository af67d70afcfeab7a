# Proofs with Yosys and Z3. FULL= (empty) takes the configurations of make test only.

FULL ?= 1
ifeq ($(B),build)
# make formal                                               the blocks of rtl/, or one of them: BLOCK=mshr
# make formal BLOCK=mshr DUT=my.sv TOP=my_mshr SET="entries=2 merges=2 line_bits=1 requester_bits=1"
#                                                           your RTL: its checkers, CYCLES from reset; FIXED=1 as for make cosim
CYCLES ?= 8
.PHONY: formal assertions
ifneq ($(DUT),)
formal: cosim-input $(C)/$(BLOCK).generate
	scripts/formal-user.sh $(BLOCK) $(or $(TOP),$(BLOCK)) "$(DUT)" "$(or $(SET),shipped)" $(CYCLES) $(if $(FIXED),fixed)
else
# Cycles of the bounded proofs; without FULL the proofs of make test.
FORMAL_set_index          := scripts/formal-set_index.sh $(if $(FULL),,quick)
FORMAL_mshr               := scripts/formal-mshr.sh $(if $(FULL),8,6 quick)
FORMAL_gwct               := scripts/formal-gwct.sh 7
FORMAL_atomic_buffer      := scripts/formal-atomic_buffer.sh 8
FORMAL_cta_queues         := scripts/formal-cta_queues.sh 8
FORMAL_contention_bypass  := scripts/formal-contention_bypass.sh 8
FORMAL_cores_sampling     := scripts/formal-cores_sampling.sh 7
FORMAL_lease_store        := scripts/formal-lease_store.sh 6
FORMAL_lifetime_predictor := scripts/formal-lifetime_predictor.sh 8
FORMAL_locality_score     := scripts/formal-locality_score.sh 8
FORMAL_replacement        := scripts/formal-replacement.sh 7
FORMAL_sharing_lru        := scripts/formal-sharing_lru.sh 7
FORMAL_sharing_tracker    := scripts/formal-sharing_tracker.sh 6
FORMAL_sm_dueling         := scripts/formal-sm_dueling.sh 8
FORMAL_stream_gate        := scripts/formal-stream_gate.sh 8
FORMAL_tag_store          := scripts/formal-tag_store.sh 7
FORMAL_tc_l1              := scripts/formal-tc_l1.sh 7
FORMAL_tc_l2              := scripts/formal-tc_l2.sh 7
FORMAL_victim_tags        := scripts/formal-victim_tags.sh 7
FORMAL_warp_limiter       := scripts/formal-warp_limiter.sh 8
FORMAL_RUN := $(or $(BLOCK),$(if $(FULL),$(COSIM_BLOCKS),set_index mshr))
formal: cosim-input build/goldmem $(FORMAL_RUN:%=$(C)/%.generate) ## prove set_index's RTL equal to its matrix, the other blocks' assertions and invariants for all time (Yosys; Z3 names the assertion that a wrong design breaks): BLOCK=
	$(foreach b,$(FORMAL_RUN),$(or $(FORMAL_$(b)),$(error no proofs of $(b) in mk/formal.mk)) &&) true
endif

ASSERTION_MUTANTS ?= 400
assertions: cosim-input build/goldmem-cosim $(VERILATED_RUNTIME) $(COSIM_RUN:%=$(C)/%.generate) ## for each assertion of the checkers a design that makes it fail: BLOCK=
	$(foreach b,$(COSIM_RUN),scripts/assertions.sh $(b) $(ASSERTION_MUTANTS) 20000 &&) true
endif
