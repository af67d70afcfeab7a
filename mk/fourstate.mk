# Four-state runs in Icarus Verilog: registers and memories begin as X.
#   make fourstate BLOCK=mshr SET="entries=4"                   another instance
#   make fourstate BLOCK=set_index DUT=my.sv TOP=my_module      your RTL; FIXED=1 as for make cosim
ifeq ($(B),build)

FOURSTATE_REQUESTS ?= 20000
.PHONY: fourstate fourstate-resets
fourstate: cosim-input $(COSIM_RUN:%=$(C)/%.generate) ## no X in a response or in ready and valid after reset (Icarus Verilog): BLOCK=, SET=, DUT=, TOP=
	$(foreach b,$(COSIM_RUN),scripts/fourstate.sh run $(b) "$(or $(SET),shipped)" $(FOURSTATE_REQUESTS) $(SEED) "$(or $(TOP),$(b))" "$(or $(DUT),rtl/$(b).sv)" $(if $(FIXED),fixed) &&) true

# Each block at its default parameters and where these leave out a part.
FOURSTATE_replacement    := "policy=ship"
FOURSTATE_tag_store      := "replacement=ship probe_stage=1"
FOURSTATE_cta_queues     := "mode=0" "mode=1" "mode=2 adaptive=1"
FOURSTATE_sharing_lru    := "level=l2"
FOURSTATE_cores_sampling := "sms=4 warps=4 miss_bits=3 issue_bits=3 threshold=12 hot=1 samples=1 entries=2 kernel_bits=2"
# Its periods are of many requests.
FOURSTATE_RESETS_cores_sampling := 40000
fourstate-resets: fourstate ## a register without its reset fails in a four-state run: BLOCK=
	$(foreach b,$(COSIM_RUN),for instance in shipped $(FOURSTATE_$(b)); do \
	  scripts/fourstate.sh run $(b) "$$instance" $(FOURSTATE_REQUESTS) $(SEED) && \
	  scripts/fourstate.sh resets $(b) "$$instance" $(or $(FOURSTATE_RESETS_$(b)),4000) $(SEED) || exit 1; \
	done &&) true

TEST_EXTRA += $(COSIM_BLOCKS:%=$(C)/%.generate)

endif
