# Tests and lint. A file test_X.c in a folder of tests/unit/, tests/golden/ or tests/system/ is one cmocka program.

TEST_SOURCES  := $(sort $(shell find tests/unit tests/golden tests/system -name 'test_*.c'))
TEST_SUPPORT  := $(sort $(shell find tests/support -name '*.c'))
TEST_PROGRAMS := $(TEST_SOURCES:%.c=$(B)/%)
UNIT_PROGRAMS   := $(filter-out $(B)/tests/system/%,$(TEST_PROGRAMS))
SYSTEM_PROGRAMS := $(filter $(B)/tests/system/%,$(TEST_PROGRAMS))
TEST_OBJECTS  := $(TEST_SOURCES:%.c=$(B)/obj/%.o) $(TEST_SUPPORT:%.c=$(B)/obj/%.o)

$(B)/obj/tests/%.o: CPPFLAGS += -Itests
# Compiling a test takes longer than running it: -Og shortens that, and so does AddressSanitizer alone (a fifth less): undefined
# behaviour is looked for in the library.
ifneq ($(DEBUG),1)
$(TEST_SOURCES:%.c=$(B)/obj/%.o): CFLAGS += -Og -fno-sanitize=undefined
endif
# An archive, so that a program links only what it uses: some define a function that others take from the library.
$(B)/libtests.a: $(TEST_SUPPORT:%.c=$(B)/obj/%.o)
	@rm -f $@
	ar rcs $@ $^

# Tests link the shared library, which is quick. A function that a test file defines replaces the library's.
TEST_LIBRARY := $(B)/libgoldmem.so
LINKED_LIBRARY = $(TEST_LIBRARY)
ifeq ($(B),build/lto)
# The library is optimised at link time as the command is, its own calls included: nothing replaces its functions. A test that does
# so is linked with the archive, without this optimisation.
$(B)/symbols: $(B)/libgoldmem.a
	nm -g --defined-only $(B)/libgoldmem.a 2>/dev/null | awk '$$2 == "T" {print $$3}' >$@
$(TEST_PROGRAMS): | $(B)/symbols $(B)/libgoldmem.a
LINKED_LIBRARY = $$(nm -g --defined-only $< | awk '$$2 == "T" {print $$3}' | grep -qxFf $(B)/symbols && \
  echo $(B)/libgoldmem.a -Wl,-z,muldefs || echo $(TEST_LIBRARY))
endif
$(TEST_PROGRAMS): $(B)/tests/%: $(B)/obj/tests/%.o $(B)/libtests.a $(TEST_LIBRARY)
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -Wl,-rpath,$(CURDIR)/$(B) $(filter-out $(TEST_LIBRARY),$^) $(LINKED_LIBRARY) -lcmocka $(LIBS) -o $@

-include $(TEST_OBJECTS:.o=.d)

C_FILES  := $(shell find cmodel cosim tests \( -name '*.c' -o -name '*.h' \) 2>/dev/null | sort)
CXX_FILES := $(wildcard cmodel/include/goldmem/*.hpp tests/tlm/*)
RTL_FILES := $(sort $(wildcard rtl/*.sv))
SVA_FILES := $(sort $(wildcard tb/*_sva.sv tb/*_cover.sv tb/request_queue.sv tests/cosim/*/*_sva.sv))
SH_FILES := $(wildcard scripts/*.sh scripts/bench/*.sh scripts/reproduce/*.sh) scripts/pre-commit .ci/run

# Checks the C files among the target's prerequisites, again after a change of any header. One call for a folder: clang-tidy's
# start takes as long as a file's checks.
define clang_tidy
	@mkdir -p $(@D)
	clang-tidy --quiet --checks='$(1)' $(filter %.c,$^) -- -std=c11 $(CPPFLAGS) $(2) -Itests -Icosim 2>&1 | \
	  { grep -vE '^[0-9]+ warnings? (generated|and)' || true; }; test $${PIPESTATUS[0]} -eq 0
	@touch $@
endef
# clang-tidy's static analyser takes several times as long as its other checks: it runs in lint-deep only.
TIDY_PLAIN    := -clang-analyzer-*
# Keys of a configuration stand as they are read, whatever the padding; assertions are part of what is analysed.
TIDY_ANALYSER := -*,clang-analyzer-*,-clang-analyzer-security.insecureAPI.DeprecatedOrUnsafeBufferHandling,-clang-analyzer-optin.performance.Padding
TIDY_FOLDERS := $(patsubst %/,%,$(sort $(dir $(filter %.c,$(C_FILES)))))
TIDY_OK := $(TIDY_FOLDERS:%=build/lint/%.ok)
$(foreach d,$(TIDY_FOLDERS),$(eval build/lint/$(d).ok: $(foreach f,$(filter $(d)/%.c,$(C_FILES)),$(if $(filter $(d)/,$(dir $(f))),$(f)))))
$(TIDY_OK): .clang-tidy $(filter %.h,$(C_FILES))
	$(call clang_tidy,$(TIDY_PLAIN))
build/lint/%.deep: %.c .clang-tidy $(filter %.h,$(C_FILES))
	$(call clang_tidy,$(TIDY_ANALYSER),-DGM_DEBUG)

TIDY_DEEP := $(patsubst %.c,build/lint/%.deep,$(filter cmodel/%.c cosim/%.c,$(C_FILES)))

SHELL := /bin/bash

.PHONY: test test-programs unit-programs system-programs lint lint-c lint-arrows lint-mutants lint-deep format-check format hooks
test-programs: unit-programs system-programs
unit-programs: $(UNIT_PROGRAMS)
# Benchmarks are compiled, so that they stay able to be.
system-programs: $(SYSTEM_PROGRAMS) $(B)/goldmem $(patsubst tests/bench/%.c,$(B)/obj/tests/bench/%.o,$(wildcard tests/bench/*.c))

# Runs each test once: tests of units under the sanitizers and with the debug checks, tests of the command in the plain
# build. `make regress` runs the other halves. SANITIZE=1, DEBUG=1: every test in that build only.
test: ## set up, build, lint, and pass the tests
	@scripts/setup.sh test
ifeq ($(B),build)
	@echo "Checking the code (clang-format, clang-tidy, cppcheck, RTL linters)"
	@$(MAKE) --no-print-directory -j$(shell nproc) -s format-check lint
	@echo "Building and testing units under sanitizers"
	@$(MAKE) --no-print-directory -j$(shell nproc) -s SANITIZE=1 unit-programs
	@scripts/run-tests.sh build/sanitize tests/unit/ tests/golden/
	@echo "Building and testing the command"
	@$(MAKE) --no-print-directory -j$(shell nproc) -s system-programs $(TEST_EXTRA)
	@scripts/run-tests.sh build tests/system/
else
	@$(MAKE) --no-print-directory -j$(shell nproc) -s test-programs $(TEST_EXTRA)
	@scripts/run-tests.sh $(B)
endif

REGRESS_TARGETS += regress-tests
.PHONY: regress-tests
regress-tests: ## the tests that `make test` leaves out: units with the command's code (LTO), the command under sanitizers
	@$(MAKE) --no-print-directory -j$(shell nproc) -s LTO=1 unit-programs
	@scripts/run-tests.sh build/lto tests/unit/ tests/golden/
	@$(MAKE) --no-print-directory -j$(shell nproc) -s SANITIZE=1 system-programs
	@scripts/run-tests.sh build/sanitize tests/system/

# `make test` gives each unit test a seed of its own; from SEED on:
SEEDS ?= 8
REGRESS_TARGETS += regress-seeds
REGRESS_SEEDED  += regress-seeds
.PHONY: regress-seeds
regress-seeds: ## the unit tests with other seeds: SEED=, SEEDS= of them
	@$(MAKE) --no-print-directory -j$(shell nproc) -s unit-programs
	@for seed in $$(seq $(SEED) $$(($(SEED) + $(SEEDS) - 1))); do \
	  echo "seed $$seed"; SEED=$$seed scripts/run-tests.sh $(B) tests/unit/ || exit 1; done

REGRESS_TARGETS += lint-deep
lint-deep: $(TIDY_DEEP) ## clang-tidy's static analyser, cppcheck of the tests
	$(call cppcheck,$(filter tests/%.c,$(C_FILES)))
lint: lint-c lint-arrows lint-mutants ## clang-tidy, cppcheck, shellcheck, and the RTL linters
# $(call cppcheck,FILES): a process for each file, whose memory stays small, is quicker than one for all. At least
# two: one process also follows calls across files, and takes a parameter that a function sets for one that it reads.
define cppcheck
cppcheck -j$(filter-out 1,$(shell nproc)$(if $(filter 1,$(shell nproc)), 2)) --quiet --std=c11 --enable=warning,performance,portability --error-exitcode=1 \
  --suppress=missingIncludeSystem -D__GNUC__ -Icmodel/include -Icmodel -Itests -Icosim $(1)
endef
# The pre-commit hook gives C_FILES and SH_FILES, which may be empty. cppcheck keeps one core busy whatever its -j: each of
# two runs takes every other file.
CPPCHECK_RUNS := 1 2
.PHONY: lint-shell $(CPPCHECK_RUNS:%=lint-cppcheck-%)
lint-c: $(TIDY_OK) $(CPPCHECK_RUNS:%=lint-cppcheck-%) lint-shell
CPPCHECK_FILES := $(TIDY_DEEP:build/lint/%.deep=%.c)
$(CPPCHECK_RUNS:%=lint-cppcheck-%): lint-cppcheck-%:
	$(if $(word $*,$(CPPCHECK_FILES)),$(call cppcheck,$(foreach i,$(shell seq $* $(words $(CPPCHECK_RUNS)) $(words $(CPPCHECK_FILES))),$(word $(i),$(CPPCHECK_FILES)))))
lint-shell:
	$(if $(SH_FILES),shellcheck $(SH_FILES))

lint-arrows: ## which folder of cmodel/ knows which; no circles of files
	scripts/lint-arrows.py

lint-mutants: ## wrong designs of tests/*/*.txt find the text that they change
	scripts/lint-mutants.py

format-check: ## the C code's layout is what clang-format makes it
	$(if $(C_FILES)$(CXX_FILES),clang-format --dry-run --Werror $(C_FILES) $(CXX_FILES))

format: ## lay the C code out with clang-format
	clang-format -i $(C_FILES) $(CXX_FILES)

hooks: ## install the pre-commit hook: format and lint of the files that a commit changes
	ln -sf "$(CURDIR)/scripts/pre-commit" "$$(git rev-parse --git-path hooks)/pre-commit"
