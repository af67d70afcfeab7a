# The engines' inner loops cross their blocks' files several times an access: they are compiled for
# optimisation at link time too, which the command and the benchmarks use. All else links the plain code.
ENGINE_HOT := $(addprefix $(B)/obj/cmodel/system/,cache.o coalescer.o dram.o feeder.o intake.o l1d.o l2.o memory_side.o noc.o order.o \
  sm.o sm_warps.o) $(B)/obj/cmodel/trace/warp_store.o \
  $(patsubst %.c,$(B)/obj/%.o,$(wildcard cmodel/cycle/*.c)) $(addprefix $(B)/obj/cmodel/blocks/,mshr.o tag_store.o) \
  $(addprefix $(B)/obj/cmodel/system/,cache_waiting.o intake_timed.o line_map.o) \
  $(addprefix $(B)/obj/cmodel/workload/,simt.o simt_issue.o simt_merge.o)
ifeq ($(B),build)
ENGINE_INLINING := -O2 -finline-functions --param=max-inline-insns-auto=80 --param=inline-unit-growth=200 --param=large-function-growth=400
LDFLAGS += -fno-lto
$(ENGINE_HOT): CFLAGS += -flto=auto -ffat-lto-objects $(ENGINE_INLINING)
$(B)/goldmem $(BENCH_PROGRAMS): LDFLAGS += -flto=auto $(ENGINE_INLINING)
else ifeq ($(SANITIZE),1)
$(ENGINE_HOT): CFLAGS += -O1
endif
