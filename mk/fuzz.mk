# Fuzzing with libFuzzer under ASan and UBSan. Each tests/fuzz/fuzz_NAME.c is one target, with seeds
# in tests/fuzz/corpus/NAME/ and an optional dictionary tests/fuzz/NAME.dict. The tests replay
# the seeds: add a finding's file to the seeds to make it a test. Needs clang, which scripts/setup.sh
# regress installs.
#   FUZZ_SECONDS=600   how long each target runs
#   FUZZ_NAMES=...     which targets; all by default

FUZZ_SECONDS ?= 600
FUZZ_NAMES   ?= $(patsubst tests/fuzz/fuzz_%.c,%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))
FUZZ_CFLAGS  := -std=c11 -g -O1 -Wall -Wextra -fno-omit-frame-pointer -fno-sanitize-recover=all
FUZZ_OBJECTS := $(LIB_SOURCES:%.c=build/fuzz/obj/%.o)

build/fuzz/obj/%.o: %.c
	@mkdir -p $(@D)
	clang $(CPPFLAGS) -Itests $(FUZZ_CFLAGS) -fsanitize=fuzzer-no-link,address,undefined -MMD -MP -c $< -o $@

build/fuzz/fuzz_%: build/fuzz/obj/tests/fuzz/fuzz_%.o $(FUZZ_OBJECTS)
	clang -fsanitize=fuzzer,address,undefined $^ $(LIBS) -o $@

-include $(FUZZ_OBJECTS:.o=.d)

.PHONY: fuzz
.SECONDARY: $(FUZZ_NAMES:%=build/fuzz/obj/tests/fuzz/fuzz_%.o)
fuzz: $(FUZZ_NAMES:%=build/fuzz/fuzz_%) ## fuzz each target of tests/fuzz for FUZZ_SECONDS (600); any finding fails
	@for name in $(FUZZ_NAMES); do mkdir -p build/fuzz/found_$$name; done
	@printf '%s\n' $(FUZZ_NAMES) | xargs -P 2 -I NAME bash -c ' \
	  dictionary=$$(test -f tests/fuzz/NAME.dict && echo -dict=tests/fuzz/NAME.dict); \
	  build/fuzz/fuzz_NAME -max_total_time=$(FUZZ_SECONDS) -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 $$dictionary \
	    -artifact_prefix=build/fuzz/finding_NAME_ build/fuzz/found_NAME tests/fuzz/corpus/NAME >build/fuzz/NAME.log 2>&1 \
	  && { echo "fuzz NAME: no finding in $$(sed -n "s/^stat::number_of_executed_units: *//p" build/fuzz/NAME.log) inputs"; } \
	  || { tail -n 30 build/fuzz/NAME.log; echo "fuzz NAME: FOUND something: build/fuzz/finding_NAME_*"; exit 1; }'

# The targets without libFuzzer, which tests/unit/trace/test_fuzz_corpus.c runs over the seeds.
FUZZ_REPLAYS := $(patsubst tests/fuzz/fuzz_%.c,$(B)/tests/fuzz/replay_%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))

$(FUZZ_REPLAYS): $(B)/tests/fuzz/replay_%: $(B)/obj/tests/fuzz/fuzz_%.o $(B)/obj/tests/fuzz/replay.o $(B)/libgoldmem.a
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) $^ $(LIBS) -o $@

unit-programs: $(FUZZ_REPLAYS)
$(B)/tests/unit/trace/test_fuzz_corpus: | $(FUZZ_REPLAYS)
-include $(FUZZ_REPLAYS:$(B)/tests/fuzz/replay_%=$(B)/obj/tests/fuzz/fuzz_%.d)
