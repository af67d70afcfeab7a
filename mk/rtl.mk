# Lint of the RTL: Verilator, Yosys and Icarus accept each file without a warning. The constants of a
# block's RTL come from its port list.

RTL_CONSTANTS := $(patsubst cmodel/include/goldmem/ports/%.h,rtl/%_constants.svh,$(wildcard cmodel/include/goldmem/ports/*.h))

.PHONY: lint-rtl rtl-constants rtl-packages
lint: lint-rtl
lint-rtl: $(RTL_FILES:rtl/%.sv=build/lint/rtl/%.ok) $(RTL_CONSTANTS:rtl/%.svh=build/lint/rtl/%.ok) ## Verilator, Yosys and Icarus take every RTL file

build/lint/rtl/%.ok: rtl/%.sv $(RTL_FILES) $(RTL_CONSTANTS) scripts/lint-rtl.sh
	@mkdir -p $(@D)
	scripts/lint-rtl.sh $*
	@touch $@

build/lint/rtl/%_constants.ok: rtl/%_constants.svh build/cosim/%.generate
	@mkdir -p $(@D)
	@build/cosim/$*.generate constants | diff $< - || { echo "$<: not what the port list says: make rtl-constants" >&2; exit 1; }
	@touch $@

# Filelists, FuseSoC cores and the Bender package.
lint-rtl: build/lint/rtl/packages.ok
build/lint/rtl/packages.ok: $(RTL_FILES) $(RTL_CONSTANTS) $(wildcard rtl/*.f rtl/*.core Bender.yml) scripts/rtl-packages.py VERSION
	@mkdir -p $(@D)
	scripts/rtl-packages.py check
	@touch $@

rtl-packages: ## write rtl/*.f, rtl/*.core and Bender.yml from what the RTL instantiates
	scripts/rtl-packages.py write

rtl-constants: $(COSIM_BLOCKS:%=build/cosim/%.generate) ## write rtl/NAME_constants.svh from the port lists
	@for block in $(COSIM_BLOCKS); do build/cosim/$$block.generate constants >rtl/$${block}_constants.svh || exit 1; done
