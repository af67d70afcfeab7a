# What scripts/bench/cosim.sh measures: one instance of set_index in every way of cosimulation.
ifeq ($(B),build)

$(eval $(call cosim_build,set_index.one,set_index,sets=32 index=ipoly:37 address_bits=32,$(RTL_FILES),build/obj/cosim/stimulus/set_index.o,))
bench-programs: build/goldmem-cosim $(C)/set_index.one.so build/systemc-set_index build/dpi-set_index rtl

endif
