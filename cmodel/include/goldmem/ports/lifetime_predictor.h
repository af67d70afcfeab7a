/* Port list of lifetime_predictor [singh, 6.4]: the one predicted lifetime of an L2 bank, adjusted
 * by the bank's events. goldmem/ports.h says how to read it, docs/blocks/lifetime_predictor.md what
 * each operation does. */
#ifndef GOLDMEM_PORTS_LIFETIME_PREDICTOR_H
#define GOLDMEM_PORTS_LIFETIME_PREDICTOR_H

#define GM_LIFETIME_PREDICTOR_PARAMETERS(PARAMETER)                                                \
    PARAMETER(LifeW, 32, 13, "bits of a lifetime [core cycles], 1 to 32")                          \
    PARAMETER(Hit, 32, 4, "increase by a load that came too late [core cycles]")                   \
    PARAMETER(Evict, 32, 8, "decrease by an eviction of an unexpired line [core cycles]")          \
    PARAMETER(Write, 32, 8, "decrease by a store to an unexpired line [core cycles]")              \
    PARAMETER(Max, 32, 6400, "largest lifetime [core cycles]")                                     \
    PARAMETER(Start, 32, 800, "lifetime after reset [core cycles], 0 to Max")

#define GM_LIFETIME_PREDICTOR_DERIVED(DERIVED)

#define GM_LIFETIME_PREDICTOR_REQUEST(FIELD)                                                       \
    FIELD(op, 3, "LOAD, EVICT, STORE, FENCED, RESET")                                              \
    FIELD(expired_l1, 1, "LOAD: the L1's copy was expired")                                        \
    FIELD(expired_l2, 1, "LOAD: the L2's line was expired")                                        \
    FIELD(unexpired, 1, "EVICT, STORE: the L2's line is unexpired")

#define GM_LIFETIME_PREDICTOR_RESPONSE(FIELD)                                                      \
    FIELD(life, LifeW, "all: the lifetime from now on [core cycles]")

/* Values of the fields. */
#define GM_LIFETIME_PREDICTOR_CONSTANTS(CONSTANT)                                                  \
    CONSTANT(op, GM_LIFETIME_PREDICTOR_LOAD, 0, "a load; +Hit if either copy was expired")         \
    CONSTANT(op, GM_LIFETIME_PREDICTOR_EVICT, 1, "an L2 eviction; -Evict if unexpired")            \
    CONSTANT(op, GM_LIFETIME_PREDICTOR_STORE, 2,                                                   \
             "a store or atomic; -Write if unexpired, once a fence has completed")                 \
    CONSTANT(op, GM_LIFETIME_PREDICTOR_FENCED, 3, "an SM has completed a fence of GPU scope")      \
    CONSTANT(op, GM_LIFETIME_PREDICTOR_RESET, 4, "as after the reset; 5 to 7: likewise")

/* All are registers. */
#define GM_LIFETIME_PREDICTOR_STATE(STATE)                                                         \
    STATE(life, LifeW, 1, 1, "the predicted lifetime [core cycles]")                               \
    STATE(fenced, 1, 1, 1, "a fence has completed since the reset")

#endif
