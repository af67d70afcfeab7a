/* Port list of warp_limiter [khairy, 4.2]: which warps of a scheduler may issue: the oldest of
 * those that count. goldmem/ports.h says how to read it, docs/blocks/warp_limiter.md what a
 * transaction does. Bit i of a field `Warps` wide is warp i. */
#ifndef GOLDMEM_PORTS_WARP_LIMITER_H
#define GOLDMEM_PORTS_WARP_LIMITER_H

#define GM_WARP_LIMITER_PARAMETERS(PARAMETER)                                                      \
    PARAMETER(Warps, 32, 24, "warps of the scheduler, 2 to 64")

#define GM_WARP_LIMITER_DERIVED(DERIVED)                                                           \
    DERIVED(LimitW, gm_log2_ceil(Warps + 1), "bits of a number of warps")                          \
    DERIVED(Pairs, Warps *(Warps - 1) / 2, "pairs of warps")

#define GM_WARP_LIMITER_REQUEST(FIELD)                                                             \
    FIELD(admit, Warps,                                                                            \
          "warps that become the youngest, of these lower numbers the older, and count")           \
    FIELD(resume, Warps, "warps that count from now on")                                           \
    FIELD(hold, Warps, "warps that do not, even if admitted or resumed")                           \
    FIELD(sets, 1, "KEEP, SET")                                                                    \
    FIELD(limit, LimitW, "SET: number of warps that may issue, 0 to 2^LimitW - 1")

#define GM_WARP_LIMITER_RESPONSE(FIELD)                                                            \
    FIELD(allowed, Warps,                                                                          \
          "warps that may issue: fewer than the limit of those that count are older")

/* Values of the fields. */
#define GM_WARP_LIMITER_CONSTANTS(CONSTANT)                                                        \
    CONSTANT(sets, GM_WARP_LIMITER_KEEP, 0, "the limit stays")                                     \
    CONSTANT(sets, GM_WARP_LIMITER_SET, 1, "limit becomes the limit")

/* All are registers. Lane i(i-1)/2 + j of `older`, j less than i, is of the warps i and j. */
#define GM_WARP_LIMITER_STATE(STATE)                                                               \
    STATE(older, 1, Pairs, 1, "1: warp j is older than warp i; 0: younger")                        \
    STATE(counts, Warps, 1, 1, "warps that count")                                                 \
    STATE(limit, LimitW, 1, 1, "warps that may issue")

#endif
