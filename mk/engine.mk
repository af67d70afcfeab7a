# The order engine's inner loop crosses its blocks' files several times an access: they are compiled for
# optimisation at link time too, which the command and the benchmarks use. Tests link the plain code.
ENGINE_HOT := $(addprefix $(B)/obj/cmodel/system/,cache.o coalescer.o dram.o feeder.o l1d.o l2.o memory_side.o noc.o order.o \
  sm.o sm_warps.o) $(B)/obj/cmodel/trace/warp_store.o
ifeq ($(B),build)
$(ENGINE_HOT): CFLAGS += -flto -ffat-lto-objects
$(B)/goldmem $(BENCH_PROGRAMS): LDFLAGS += -flto -O2
endif
