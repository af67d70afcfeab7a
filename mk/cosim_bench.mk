# Builds for scripts/bench/cosim.sh: one instance of set_index in every form of cosimulation, and one of
# tag_store in lockstep.
ifeq ($(B),build)

$(eval $(call cosim_build,set_index.one,set_index,sets=32 index=ipoly:37 address_bits=32,$(RTL_FILES),build/obj/cosim/stimulus/set_index.o,))
$(eval $(call cosim_build,tag_store.one,tag_store,sets=32,$(RTL_FILES),build/obj/cosim/stimulus/tag_store.o,))
bench-programs: build/goldmem-cosim $(C)/set_index.one.so $(C)/tag_store.one.so build/systemc-set_index build/dpi-set_index rtl

endif
