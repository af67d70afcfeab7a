# The RTL under three tools: each must take it without a warning.

.PHONY: lint-rtl
lint: lint-rtl
lint-rtl: $(RTL_FILES:rtl/%.sv=build/lint/rtl/%.ok) ## Verilator, Yosys and Icarus take every RTL file

build/lint/rtl/%.ok: rtl/%.sv $(RTL_FILES) scripts/lint-rtl.sh
	@mkdir -p $(@D)
	scripts/lint-rtl.sh $*
	@touch $@
