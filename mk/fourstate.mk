# Four-state runs in Icarus Verilog: registers and memories begin as X.
#   make fourstate BLOCK=mshr SET="entries=4"                   another instance
#   make fourstate BLOCK=set_index DUT=my.sv TOP=my_module      your RTL; FIXED=1 as for make cosim
ifeq ($(B),build)

FOURSTATE_REQUESTS ?= 20000
.PHONY: fourstate fourstate-resets
fourstate: cosim-input $(COSIM_RUN:%=$(C)/%.generate) ## no X in a response or in ready and valid after reset (Icarus Verilog): BLOCK=, SET=, DUT=, TOP=
	$(foreach b,$(COSIM_RUN),scripts/fourstate.sh run $(b) "$(or $(SET),shipped)" $(FOURSTATE_REQUESTS) $(SEED) "$(or $(TOP),$(b))" "$(or $(DUT),rtl/$(b).sv)" $(if $(FIXED),fixed) &&) true

# Each block at its default parameters and where these leave out a part.
FOURSTATE_replacement := "replacement=policy=ship"
FOURSTATE_tag_store   := "tag_store=replacement=ship probe_stage=1"
fourstate-resets: fourstate ## a register without its reset fails in a four-state run: BLOCK=
	for instance in $(foreach b,$(COSIM_RUN),$(b)=shipped $(FOURSTATE_$(b))); do \
	  scripts/fourstate.sh run "$${instance%%=*}" "$${instance#*=}" $(FOURSTATE_REQUESTS) $(SEED) && \
	  scripts/fourstate.sh resets "$${instance%%=*}" "$${instance#*=}" 4000 $(SEED) || exit 1; \
	done

TEST_EXTRA += $(COSIM_BLOCKS:%=$(C)/%.generate)

endif
