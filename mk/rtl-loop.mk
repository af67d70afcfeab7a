# RTL in the loop: `goldmem run --rtl=BLOCK` loads build/goldmem-rtl-BLOCK.so. The target rtl-loop builds the RTL
# with the parameters of a run when a run first needs it.
ifeq ($(B),build)

RTL_PLUGINS := $(COSIM_BLOCKS:%=build/goldmem-rtl-%.so)

$(RTL_PLUGINS): build/goldmem-rtl-%.so: build/obj/cosim/rtl_loop.o build/obj/cosim/rtl_loop_build.o build/obj/cosim/options.o \
    build/obj/cosim/stimulus/%.o build/libgoldmem.a
	$(CC) -shared -Wl,-Bsymbolic $(LDFLAGS) $^ -ldl -lm -lpthread -o $@

-include build/obj/cosim/rtl_loop.d build/obj/cosim/rtl_loop_build.d

.PHONY: rtl rtl-loop rtl-loop-always
rtl: $(RTL_PLUGINS) $(COSIM_BLOCKS:%=$(C)/%.generate) $(VERILATED_RUNTIME) ## the plug-ins of goldmem run --rtl=BLOCK

# An instance: RTL_LOOP=name BLOCK= SET= DUT=
rtl-loop: $(if $(RTL_LOOP),$(C)/rtl/$(RTL_LOOP).so)
ifneq ($(RTL_LOOP),)
$(C)/rtl/$(RTL_LOOP).so: $(if $(DUT),rtl-loop-always) $(RTL_FILES) $(wildcard rtl/*.svh) $(wildcard tb/$(BLOCK)_sva.sv tb/$(BLOCK)_cover.sv cmodel/include/goldmem/ports/$(BLOCK).h) cosim/verilated.cpp \
    cosim/cosim.h cosim/generate.c scripts/cosim-build.sh scripts/verilate.sh | $(C)/$(BLOCK).generate $(VERILATED_RUNTIME)
	@echo "goldmem: building the RTL of $(BLOCK) with $(SET)"
	@$(if $(DUT),scripts/check-dut.sh goldmem $(BLOCK) $(BLOCK) "$(DUT)")
	@flock $(C)/rtl.lock scripts/cosim-build.sh rtl/$(RTL_LOOP) $(BLOCK) $(BLOCK) "$(SET)" "$(or $(DUT),rtl/$(BLOCK).sv)" \
	  build/obj/cosim/stimulus/$(BLOCK).o "" "$(DUT_DEFINES)" >&2
	@rm -rf $(C)/rtl/$(RTL_LOOP).d
endif

TEST_EXTRA += rtl
# Traces and some workloads against the RTL, a target for each: regress-rtl-NAME
REGRESS_RTL_TRACES     := $(if $(GOLDMEM_TRACES),$(notdir $(patsubst %/,%,$(wildcard $(GOLDMEM_TRACES)/*/))))
REGRESS_RTL_WORKLOADS  := syrk gesummv kmeans bfs spmv sssp particlefilter threadfence_reduction
REGRESS_RTL            := $(addprefix regress-rtl-,$(REGRESS_RTL_TRACES) $(REGRESS_RTL_WORKLOADS))
REGRESS_PARALLEL       += $(REGRESS_RTL)
REGRESS_BUILD          += rtl

REGRESS_TARGETS        += regress-rtl-broken

.PHONY: regress-rtl regress-rtl-broken $(REGRESS_RTL)
regress-rtl-broken: ## broken RTL of every block in runs is found; make test takes half of the blocks
	@$(MAKE) --no-print-directory -j$(shell nproc) -s system-programs rtl
	@GOLDMEM_ALL=1 scripts/run-tests.sh $(B) test_rtl_in_the_loop
regress-rtl: $(REGRESS_RTL) ## every trace and some workloads against the RTL: every block, each kind of index function, both engines
$(REGRESS_RTL): regress-rtl-%: $(B)/goldmem rtl
	@scripts/regress-rtl.sh $(B)/goldmem $(if $(filter $*,$(REGRESS_RTL_WORKLOADS)),workload:$*,$(GOLDMEM_TRACES)/$*)

endif
