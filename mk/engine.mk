# Link-time optimisation (docs/decisions/004-link-time-optimisation.md): an access crosses the files of these folders several
# times. Their objects hold plain code, which tests link, and code for link-time optimisation, which the command and
# the benchmarks link.
ENGINE_FOLDERS := blocks cache coherence cycle frontend order workload/simt
ENGINE_HOT := $(filter $(addprefix $(B)/obj/cmodel/,$(addsuffix /%,$(ENGINE_FOLDERS))),$(LIB_OBJECTS))
ifneq ($(filter build build/lto,$(B)),)
ENGINE_INLINING := -O2 -finline-functions --param=max-inline-insns-auto=250 --param=inline-unit-growth=200 --param=large-function-growth=400
$(ENGINE_HOT): CFLAGS += -flto=auto -ffat-lto-objects $(ENGINE_INLINING)
# Everything else is linked without. gcc ignores -flto after -fno-lto.
LDFLAGS += -fno-lto
ifeq ($(B),build/lto)
# The shared library's calls of its own functions are optimised as the command's are.
CFLAGS += -fno-semantic-interposition
endif
LTO_PROGRAMS := $(B)/goldmem $(BENCH_PROGRAMS) $(if $(filter build/lto,$(B)),$(B)/libgoldmem.so)
$(LTO_PROGRAMS): LDFLAGS := $(filter-out -fno-lto,$(LDFLAGS)) -flto=auto $(ENGINE_INLINING)
else ifeq ($(SANITIZE),1)
$(ENGINE_HOT): CFLAGS += -O1
endif
