# Building the library and the command: needs only gcc, make and the small C libraries.

CC       := gcc
PREFIX   ?= /usr/local
LIBS     := $(shell pkg-config --libs libzstd liblzma zlib yaml-0.1 jansson 2>/dev/null) -lm -lpthread
CPPFLAGS := -Icmodel/include -Icmodel -D_GNU_SOURCE -DGM_VERSION='"$(VERSION)"'
WARNINGS := -Wall -Wextra -Wconversion -Werror
CFLAGS   := -std=c11 $(WARNINGS) -fPIC -fvisibility=default
# x86-64-v2 (2009 on) has instructions for population counts and 64-bit vector compares.
ifeq ($(shell uname -m),x86_64)
CFLAGS   += -march=x86-64-v2
endif

ifeq ($(SANITIZE),1)
B        := build/sanitize
CFLAGS   += -Og -g1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -DGM_DEBUG
LDFLAGS  += -fsanitize=address,undefined
else ifeq ($(DEBUG),1)
B        := build/debug
CFLAGS   += -O0 -g -DGM_DEBUG
else
# LTO=1: tests of units with the code that the command has, optimised at link time (in build/lto).
B        := $(if $(filter 1,$(LTO)),build/lto,build)
# -g1: lines for backtraces and profiles; variables (DEBUG=1 has them) take a quarter of the compilation.
CFLAGS   += -O2 -g1
endif

# Every C file of cmodel/ belongs to the library, except those of the command.
CLI_SOURCES := $(sort $(wildcard cmodel/cli/*.c))
LIB_SOURCES := $(filter-out $(CLI_SOURCES),$(sort $(shell find cmodel -name '*.c')))
LIB_SOURCES += build/generated/presets_table.c build/generated/energy_presets_table.c
LIB_OBJECTS := $(LIB_SOURCES:%.c=$(B)/obj/%.o)
CLI_OBJECTS := $(CLI_SOURCES:%.c=$(B)/obj/%.o)

$(B)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

PRESETS := $(sort $(wildcard presets/*.yaml))
build/generated/presets_table.c: scripts/embed-presets.sh $(PRESETS)
	@mkdir -p $(@D)
	scripts/embed-presets.sh gm_preset_table $(PRESETS) >$@
ENERGY_PRESETS := $(sort $(wildcard presets/energy/*.yaml))
build/generated/energy_presets_table.c: scripts/embed-presets.sh $(ENERGY_PRESETS)
	@mkdir -p $(@D)
	scripts/embed-presets.sh gm_energy_preset_table $(ENERGY_PRESETS) >$@

$(B)/libgoldmem.a: $(LIB_OBJECTS)
	@rm -f $@
	ar rcs $@ $^

$(B)/libgoldmem.so: $(LIB_OBJECTS)
	$(CC) -shared -Wl,-soname,libgoldmem.so.0 $(LDFLAGS) $^ $(LIBS) -o $@
	@ln -sf $(@F) $@.0

$(B)/goldmem: $(CLI_OBJECTS) $(B)/libgoldmem.a
	$(CC) $(LDFLAGS) -rdynamic $^ $(LIBS) -ldl -o $@

-include $(LIB_OBJECTS:.o=.d) $(CLI_OBJECTS:.o=.d)

.PHONY: clean
clean: ## remove everything built
	rm -rf build
