# The golden models for SystemVerilog testbenches (DPI-C) and for SystemC.
ifeq ($(B),build)

.PHONY: dpi dpi-package systemc
dpi-package: $(COSIM_BLOCKS:%=$(C)/%.generate) ## write cosim/goldmem_dpi_pkg.sv from the port lists
	scripts/dpi-package.sh $(COSIM_BLOCKS) >cosim/goldmem_dpi_pkg.sv.new
	mv cosim/goldmem_dpi_pkg.sv.new cosim/goldmem_dpi_pkg.sv

build/goldmem-dpi-%.so: cosim/dpi.c build/obj/cosim/stimulus/%.o build/obj/cosim/options.o build/libgoldmem.a
	$(CC) $(CPPFLAGS) $(CFLAGS) -Icosim -I. -DGM_PORTS_HEADER='"cmodel/blocks/$*.ports.h"' \
	  -DGM_REQUEST=GM_$(shell echo $* | tr a-z A-Z)_REQUEST -DGM_RESPONSE=GM_$(shell echo $* | tr a-z A-Z)_RESPONSE \
	  '-DGM_DPI(name)=goldmem_$*_##name' -shared -Wl,-Bsymbolic $^ $(LIBS) -o $@

DPI_TESTS := $(patsubst tb/%_dpi_tb.sv,build/dpi-%,$(wildcard tb/*_dpi_tb.sv))
build/dpi-%: tb/%_dpi_tb.sv cosim/goldmem_dpi_pkg.sv build/goldmem-dpi-%.so $(RTL_FILES)
	@mkdir -p $(C)/$*.dpi.d
	verilator --binary -j 1 --assert --Mdir $(C)/$*.dpi.d --top-module $*_dpi_tb -Irtl cosim/goldmem_dpi_pkg.sv \
	  tb/$*_dpi_tb.sv $(CURDIR)/build/goldmem-dpi-$*.so -o $(CURDIR)/$@ >$(C)/$*.dpi.d/log 2>&1 || { cat $(C)/$*.dpi.d/log; exit 1; }

dpi: $(DPI_TESTS) ## a SystemVerilog testbench that asks the golden model through DPI-C, under Verilator
	$(foreach t,$(DPI_TESTS),$(t) &&) true

build/systemc-%: tb/systemc.cpp cosim/systemc_model.h $(COSIM_HEADERS) $(RTL_FILES) $(SVA_FILES) $(C)/%.generate \
  $(VERILATED_RUNTIME) build/obj/cosim/stimulus/%.o scripts/systemc-build.sh
	scripts/systemc-build.sh $* build/obj/cosim/stimulus/$*.o

systemc: $(COSIM_BLOCKS:%=build/systemc-%) ## C model and RTL side by side in SystemC, with a scoreboard
	$(foreach b,$(COSIM_BLOCKS),build/systemc-$(b) &&) true

TEST_EXTRA += $(DPI_TESTS) $(COSIM_BLOCKS:%=build/systemc-%)
.SECONDARY: $(COSIM_BLOCKS:%=build/goldmem-dpi-%.so)

endif
