# Benchmarks: a file tests/bench/bench_X.c is one program; scripts/bench.sh runs them and prints a table.

BENCH_SOURCES  := $(sort $(wildcard tests/bench/bench_*.c))
BENCH_PROGRAMS := $(BENCH_SOURCES:%.c=$(B)/%)

$(BENCH_PROGRAMS): $(B)/tests/bench/%: $(B)/obj/tests/bench/%.o $(B)/libgoldmem.a
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) $^ $(LIBS) -o $@

-include $(BENCH_SOURCES:%.c=$(B)/obj/%.d)

.PHONY: bench bench-programs
bench-programs: $(BENCH_PROGRAMS)
bench: ## measure speed and memory, with the command to repeat each figure
	@scripts/setup.sh test
	@$(MAKE) --no-print-directory -s all bench-programs
	@scripts/bench.sh $(B)
