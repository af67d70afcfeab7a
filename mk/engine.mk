# What an access of an engine passes through crosses its files several times: these folders are compiled
# for optimisation at link time too, which the command and the benchmarks use. All else links the plain code.
ENGINE_FOLDERS := blocks cache cycle frontend order workload/simt
ENGINE_HOT := $(filter $(addprefix $(B)/obj/cmodel/,$(addsuffix /%,$(ENGINE_FOLDERS))),$(LIB_OBJECTS))
ifeq ($(B),build)
ENGINE_INLINING := -O2 -finline-functions --param=max-inline-insns-auto=80 --param=inline-unit-growth=200 --param=large-function-growth=400
LDFLAGS += -fno-lto
$(ENGINE_HOT): CFLAGS += -flto=auto -ffat-lto-objects $(ENGINE_INLINING)
$(B)/goldmem $(BENCH_PROGRAMS): LDFLAGS += -flto=auto $(ENGINE_INLINING)
else ifeq ($(SANITIZE),1)
$(ENGINE_HOT): CFLAGS += -O1
endif
