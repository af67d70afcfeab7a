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
REGRESS_TARGETS += regress-rtl

.PHONY: regress-rtl
REGRESS_DECOUPLED := run --threads 1 --preset=fermi-l1d --set l1.kind=decoupled
regress-rtl: $(B)/goldmem rtl ## every trace and some workloads against the RTL: every block, each kind of index function, both engines
	@for input in $${GOLDMEM_TRACES:+$$GOLDMEM_TRACES/*/} workload:syrk workload:gesummv; do \
	  for index in sequential xor fold ipoly:37 ipoly:41; do \
	    $(B)/goldmem run --engine=order --threads 1 --rtl=set_index --set l1.index=$$index --set l2.index=$${index%:*} $$input >/dev/null || exit 1; \
	  done; \
	  $(B)/goldmem run --threads 1 --rtl=set_index,mshr $$input >/dev/null || exit 1; \
	done
	@for input in $${GOLDMEM_TRACES:+$$GOLDMEM_TRACES/*/} workload:syrk,n=64 workload:kmeans workload:bfs workload:spmv workload:sssp workload:particlefilter; do \
	  for set in l1.index=sequential l1.index=ipoly:37 l1.lfu_any=yes l1.threshold=4; do \
	    $(B)/goldmem $(REGRESS_DECOUPLED) --engine=order --rtl=set_index,tag_store --set $$set $$input >/dev/null || exit 1; \
	  done; \
	  $(B)/goldmem $(REGRESS_DECOUPLED) --set l1.dueling=yes --rtl=set_index,mshr,tag_store,sm_dueling $$input >/dev/null || exit 1; \
	  $(B)/goldmem run --threads 1 --set l1.replacement=srrip --set l2.replacement=ship --rtl=replacement $$input >/dev/null || exit 1; \
	done

endif
