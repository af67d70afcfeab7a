# Exploration of the real C of the Temporal Coherence blocks: every order of events of small programs.
ifeq ($(B),build)
EXPLORE_OBJECTS := $(patsubst %.c,build/obj/%.o,$(sort $(wildcard cosim/explore/*.c)))
build/goldmem-explore: $(EXPLORE_OBJECTS) build/libgoldmem.a
	$(CC) $(LDFLAGS) $^ -o $@
build/obj/cosim/explore/%.o: CPPFLAGS += -Icosim/explore
-include $(EXPLORE_OBJECTS:.o=.d)

# Of the library the program has no networks, no DRAM channel and no value layer: it has its own.
TIMED_OBJECTS := $(patsubst %.c,build/obj/%.o,$(sort $(wildcard cosim/timed/*.c)))
EXPLORE_SHARED := $(patsubst %,build/obj/cosim/explore/%.o,search command image)
build/goldmem-explore-timed: $(TIMED_OBJECTS) $(EXPLORE_SHARED) build/libgoldmem.a
	$(CC) $(LDFLAGS) -fno-lto $^ $(LIBS) -o $@
build/obj/cosim/timed/%.o: CPPFLAGS += -Icosim
-include $(TIMED_OBJECTS:.o=.d)

HYBRID_OBJECTS := $(patsubst %.c,build/obj/%.o,$(sort $(wildcard cosim/hybrid/*.c)) cosim/timed/values_owned.c)
build/goldmem-explore-hybrid: $(HYBRID_OBJECTS) $(EXPLORE_SHARED) build/libgoldmem.a
	$(CC) $(LDFLAGS) -fno-lto $^ $(LIBS) -o $@
build/obj/cosim/hybrid/%.o: CPPFLAGS += -Icosim
-include $(HYBRID_OBJECTS:.o=.d)

DIRECTORY_OBJECTS := $(patsubst %.c,build/obj/%.o,$(sort $(wildcard cosim/directory/*.c)))
build/goldmem-explore-directory: $(DIRECTORY_OBJECTS) $(EXPLORE_SHARED) build/libgoldmem.a
	$(CC) $(LDFLAGS) -fno-lto $^ $(LIBS) -o $@
build/obj/cosim/directory/%.o: CPPFLAGS += -Icosim
-include $(DIRECTORY_OBJECTS:.o=.d)

.PHONY: explore-directory
explore: explore-directory
explore-directory: build/goldmem-explore-directory ## every order of messages of directory protocols, in programs of a few operations; wrong tables refuted: FILTER=, SIZE=quick, PAGE=write
	LIBRARIES="$(LIBS)" scripts/explore-directory.py $< build/libgoldmem.a "$(CC)" $(or $(SIZE),full) $(or $(PAGE),check) $(FILTER)
TEST_EXTRA += build/goldmem-explore-directory

.PHONY: explore-hybrid
explore: explore-hybrid
explore-hybrid: build/goldmem-explore-hybrid ## every order of messages of hybrid caching, in programs of a few operations; wrong designs refuted: FILTER=, SIZE=quick, PAGE=write
	LIBRARIES="$(LIBS)" scripts/explore-hybrid.py $< build/libgoldmem.a "$(CC)" $(or $(SIZE),full) $(or $(PAGE),check) $(FILTER)
TEST_EXTRA += build/goldmem-explore-hybrid

.PHONY: explore-timed
explore: explore-timed
explore-timed: build/goldmem-explore-timed ## the same over the cycle engine's L1s, fences and L2 bank; wrong engines refuted: FILTER=, SIZE=quick, PAGE=write
	LIBRARIES="$(LIBS)" scripts/explore-timed.py $< build/libgoldmem.a "$(CC)" $(or $(SIZE),full) $(or $(PAGE),check) $(FILTER)
TEST_EXTRA += build/goldmem-explore-timed

.PHONY: explore
explore: build/goldmem-explore ## every order of events of the litmus tests; wrong designs refuted by the shortest sequence: FILTER=, SIZE=quick or page, PAGE=write
	scripts/explore.py build/goldmem-explore build/libgoldmem.a "$(CC)" $(or $(SIZE),full) $(or $(PAGE),check) $(FILTER)
TEST_EXTRA += build/goldmem-explore
REGRESS_TARGETS += explore

# Litmus tests in the whole engine, under each protocol; then engines that are wrong must be found.
LITMUS_KEYS := none ideal vi vini mesi tcs tcw tcw,coherence.visible=yes tcw,coherence.fence=cta tcs,coherence.fence=cta tcw,coherence.merge=lease tcs,coherence.merge=lease
.PHONY: regress-litmus
regress-litmus: build/goldmem ## litmus tests in the whole engine, under each protocol; wrong engines found: FILTER=
	@$(foreach k,$(LITMUS_KEYS),build/goldmem litmus --preset fermi-tc --trials 5000 coherence=$(subst $(comma), ,$(k)) tests/litmus/*.litmus tests/litmus/ptx/*.litmus &&) true
	scripts/litmus-mutants.py build "$(CC)" "$(LIBS)" all $(FILTER)
REGRESS_TARGETS += regress-litmus
endif
