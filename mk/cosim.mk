# Lockstep cosimulation: RTL against C model. A block is cmodel/include/goldmem/ports/NAME.h with its RTL
# rtl/NAME.sv, its checkers tb/NAME_sva.sv and its stimulus cosim/stimulus/NAME.c; it is found by its port
# list. tests/cosim/NAME/ has blocks that test the lockstep engine.
ifeq ($(B),build)

COSIM_BLOCKS := $(patsubst cmodel/include/goldmem/ports/%.h,%,$(wildcard cmodel/include/goldmem/ports/*.h))
COSIM_TESTS  := $(patsubst tests/cosim/%/,%,$(dir $(wildcard tests/cosim/*/*.ports.h)))
COSIM_C      := $(addprefix cosim/,main.c engine.c driver.c lane.c examine.c shrink.c replay.c report.c coverage.c mutants.c options.c limits.c shares.c self_check.c)
COSIM_HEADERS := $(wildcard cosim/*.h)
C            := build/cosim

TRANSACTIONS ?= 1000000
SEED         ?= 1

VERILATOR_INCLUDE := $(shell verilator --getenv VERILATOR_ROOT 2>/dev/null)/include
VERILATED_FLAGS   := -std=c++17 -O1 -fPIC -fvisibility=hidden -DVM_COVERAGE=1 -DVM_TRACE=1 -DVM_TRACE_FST=1 \
  -DVL_USER_STOP -DVL_USER_FATAL -DVL_PRINTF=gm_cosim_printf -include cosim/verilated_printf.h \
  -isystem $(VERILATOR_INCLUDE) -isystem $(VERILATOR_INCLUDE)/vltstd
# Its objects, and its headers precompiled for each level of optimisation.
VERILATED_RUNTIME := $(addprefix $(C)/runtime/,verilated.o verilated_cov.o verilated_fst_c.o verilated_threads.o O1/headers.h.gch O2/headers.h.gch)

build/goldmem-cosim: $(COSIM_C:%.c=build/obj/%.o) build/obj/cmodel/cli/parse.o build/obj/cmodel/cli/message.o build/libgoldmem.a
	$(CC) $(LDFLAGS) $^ -ldl -o $@

build/obj/cosim/%.o build/obj/tests/cosim/%.o: CPPFLAGS += -Icosim
-include $(patsubst %.c,build/obj/%.d,$(COSIM_C) cosim/generate.c cosim/fourstate.c cosim/generate_dpi.c $(wildcard cosim/stimulus/*.c tests/cosim/*/*.c))

# Verilator's runtime, once for all blocks.
$(C)/runtime/%.o: $(VERILATOR_INCLUDE)/%.cpp cosim/verilated_printf.h
	@mkdir -p $(@D)
	g++ $(VERILATED_FLAGS) -c $< -o $@

# In a folder for each level: gcc 12 also takes those of another level, and then ends in an internal error.
$(C)/runtime/O%/headers.h.gch: mk/cosim.mk cosim/verilated_printf.h
	@mkdir -p $(@D)
	@printf '#include %s\n' '"cosim/verilated_printf.h"' '<verilated.h>' '<verilated_cov.h>' '<verilated_fst_c.h>' >$(@:.gch=)
	g++ -O$* $(filter-out -O1 -DVL_USER_STOP -DVL_USER_FATAL,$(VERILATED_FLAGS)) -Wall -Wextra -I. -x c++-header $(@:.gch=) -o $@.new
	@mv $@.new $@

# $(call cosim_block,BLOCK,STIMULUS.o): the generator of one block's top.
define cosim_block
$(C)/$(1).generate: build/obj/cosim/generate.o build/obj/cosim/fourstate.o build/obj/cosim/generate_dpi.o build/obj/cosim/options.o $(2) build/libgoldmem.a
	@mkdir -p $(C)
	$(CC) $(LDFLAGS) $$^ $(LIBS) -o $$@
endef

# $(call cosim_build,NAME,BLOCK,SUITE,RTL,STIMULUS.o,VERILATOR FLAGS): build/cosim/NAME.so.
define cosim_build
$(C)/$(1).so: $(C)/$(2).generate $(4) $(wildcard rtl/*.svh) $(SVA_FILES) cosim/verilated.cpp $(COSIM_HEADERS) $(VERILATED_RUNTIME) scripts/cosim-build.sh scripts/verilate.sh
	scripts/cosim-build.sh $(1) $(2) $(2) "$(3)" "$(4)" $(5) "" "$(6)"
endef

# Toggle coverage makes a build five times as large: only `make coverage` counts it.
# Split blocks would count their straight lines at power-up only. Waveforms of these builds show the lanes' ports only:
# code for all signals takes half as long again to compile.
COVERAGE_FLAGS := --coverage-line --coverage-user -fno-split --trace-depth 1
$(foreach b,$(COSIM_BLOCKS),$(eval $(call cosim_block,$(b),build/obj/cosim/stimulus/$(b).o)))
$(foreach b,$(COSIM_TESTS),$(eval $(call cosim_block,$(b),build/obj/tests/cosim/$(b)/$(b).o)))
$(foreach b,$(COSIM_BLOCKS),$(eval $(call cosim_build,$(b),$(b),quick,$(RTL_FILES),build/obj/cosim/stimulus/$(b).o,)))
# All configurations, in parts small enough to compile.
FULL_PARTS := 0 1 2 3 4 5 6 7
$(foreach b,$(COSIM_BLOCKS),$(foreach k,$(FULL_PARTS),$(eval $(call cosim_build,$(b).full$(k),$(b),full:$(k)/$(words $(FULL_PARTS)),$(RTL_FILES),build/obj/cosim/stimulus/$(b).o,))))
$(foreach b,$(COSIM_BLOCKS),$(eval $(call cosim_build,$(b).coverage,$(b),coverage,$(RTL_FILES),build/obj/cosim/stimulus/$(b).o,$(COVERAGE_FLAGS))))
$(foreach b,$(COSIM_TESTS),$(eval $(call cosim_build,$(b),$(b),quick,$(RTL_FILES) tests/cosim/$(b)/$(b).sv,build/obj/tests/cosim/$(b)/$(b).o,)))
$(foreach b,$(COSIM_TESTS),$(eval $(call cosim_build,$(b).coverage,$(b),coverage,$(RTL_FILES) tests/cosim/$(b)/$(b).sv,build/obj/tests/cosim/$(b)/$(b).o,$(COVERAGE_FLAGS))))

# make cosim                                          every block
# make cosim BLOCK=set_index                          one
# make cosim BLOCK=set_index SET="sets=64 index=xor"  an instance that is not built already
# make cosim BLOCK=set_index DUT=my.sv TOP=my_module  your RTL (docs/bring-your-rtl.md);
#                                                     FIXED=1: it has no parameters, and SET names its configuration
#                                                     (FIXED=0: as without)
override FIXED := $(filter-out 0,$(FIXED))
COSIM_RUN := $(or $(BLOCK),$(COSIM_BLOCKS))
# Checks BLOCK, DUT, TOP, FIXED and SET; names what is wrong, in one line.
cosim_refused = $(strip $(if $(filter-out $(COSIM_BLOCKS) $(COSIM_TESTS),$(BLOCK)),no block '$(BLOCK)'; there are $(COSIM_BLOCKS),\
  $(if $(DUT)$(SET),$(if $(BLOCK),,DUT= and SET= need BLOCK=),\
  $(if $(TOP)$(FIXED),TOP= and FIXED= need DUT=))))
# FIXED: a module without parameters is of one configuration, which only SET can name.
cosim_unfixed = $(if $(FIXED),$(if $(SET),,FIXED=1 needs SET=: the configuration of $(or $(TOP),$(BLOCK)), such as SET="NAME=VALUE ..."))
.PHONY: cosim cosim-input
cosim-input:
	$(if $(cosim_refused),$(error $(cosim_refused)))
	$(if $(cosim_unfixed),$(error $(cosim_unfixed)))
	@$(if $(DUT),scripts/check-dut.sh "make $(firstword $(MAKECMDGOALS))" $(BLOCK) "$(or $(TOP),$(BLOCK))" $(DUT))
# A user's own module is held to the port list only, not to what its checkers say of the RTL here.
DUT_DEFINES := $(if $(DUT),+define+GOLDMEM_USER_RTL)
ifneq ($(DUT)$(SET),)
cosim: cosim-input build/goldmem-cosim $(C)/$(BLOCK).generate $(VERILATED_RUNTIME) ## RTL in lockstep with the C model: BLOCK=, SET=, DUT=, TOP=
	scripts/cosim-build.sh $(BLOCK).user $(BLOCK) $(or $(TOP),$(BLOCK)) "$(or $(SET),quick)" "$(or $(DUT),rtl/$(BLOCK).sv)" \
	  build/obj/cosim/stimulus/$(BLOCK).o "$(if $(FIXED),fixed)" "$(DUT_DEFINES)"
	build/goldmem-cosim $(BLOCK) --build $(C)/$(BLOCK).user.so --transactions $(TRANSACTIONS) --seed $(SEED) --bundle $(C)/$(BLOCK)-failure
else
cosim: cosim-input build/goldmem-cosim $(foreach b,$(COSIM_RUN),$(C)/$(b).so $(C)/$(b).coverage.so)
	$(foreach b,$(COSIM_RUN),build/goldmem-cosim $(b) --transactions $(TRANSACTIONS) --seed $(SEED) --bundle $(C)/$(b)-failure && \
	  build/goldmem-cosim $(b) --build $(C)/$(b).coverage.so --transactions 200000 --coverage $(C)/$(b).coverage.dat &&) true
endif

# Long lockstep runs: for each block most transactions in the fast build of few configurations, the rest in
# the builds of all configurations. Numbers are millions; a billion in all for set_index and tag_store. Each
# run is a target, so that all cores are used; it prints one line.
REGRESS_PARALLEL += $(REGRESS_RUNS)
REGRESS_SEEDED   += $(REGRESS_RUNS)
REGRESS_BUILD    += build/goldmem-cosim $(COSIM_BLOCKS:%=$(C)/%.generate) $(VERILATED_RUNTIME)
REGRESS_QUICK           := 200
REGRESS_FULL            := 5
REGRESS_QUICK_set_index := 800
REGRESS_FULL_set_index  := 25
REGRESS_QUICK_tag_store := 900
REGRESS_FULL_tag_store  := 13
REGRESS_QUICK_mshr      := 80
REGRESS_QUICK_sharing_tracker := 1000
# Longest run first.
REGRESS_BLOCKS := tag_store $(filter-out tag_store,$(COSIM_BLOCKS))
REGRESS_RUNS   := $(REGRESS_BLOCKS:%=regress-run-%) $(foreach b,$(REGRESS_BLOCKS),$(FULL_PARTS:%=regress-run-$(b).full%))

# $(call regress_run,NAME,BLOCK,MILLIONS): runs build NAME of BLOCK
define regress_run
.PHONY: regress-run-$(1)
regress-run-$(1): build/goldmem-cosim $(C)/$(1).so
	@build/goldmem-cosim $(2) --build $(C)/$(1).so --transactions $(3)000000 --seed $(SEED) --bundle $(C)/$(1)-failure
endef
$(foreach b,$(COSIM_BLOCKS),$(eval $(call regress_run,$(b),$(b),$(or $(REGRESS_QUICK_$(b)),$(REGRESS_QUICK)))))
$(foreach b,$(COSIM_BLOCKS),$(foreach k,$(FULL_PARTS),$(eval $(call regress_run,$(b).full$(k),$(b),$(or $(REGRESS_FULL_$(b)),$(REGRESS_FULL))))))
.PHONY: regress-cosim
regress-cosim: ## a billion lockstep transactions of set_index and of tag_store, fewer of the other blocks, over all configurations
	@$(MAKE) --no-print-directory -j$(shell nproc) --output-sync=target $(REGRESS_RUNS)

REGRESS_TARGETS += broken-designs
.PHONY: broken-designs
broken-designs: build/goldmem-cosim $(COSIM_BLOCKS:%=$(C)/%.generate) $(VERILATED_RUNTIME) ## faults in upper bits and at limits, each of which lockstep must catch
	scripts/broken-designs.sh

# make test runs every block in its coverage build. The quick builds of most blocks run in regress-cosim: lockstep of their
# instances for millions of transactions.
TEST_EXTRA += build/goldmem-cosim $(COSIM_TESTS:%=$(C)/%.so) $(foreach b,$(COSIM_BLOCKS) $(COSIM_TESTS),$(C)/$(b).coverage.so)

endif
