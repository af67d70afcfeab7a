/* Port list of sharing_lru: LRU replacement that keeps private lines in an L1 and shared lines in
 * the L2 [tabbakh, V-B, VI]. goldmem/ports.h says how to read it, docs/blocks/sharing_lru.md what
 * each operation does. A field that is not named is 0. */
#ifndef GOLDMEM_PORTS_SHARING_LRU_H
#define GOLDMEM_PORTS_SHARING_LRU_H

#define GM_SHARING_LRU_PARAMETERS(PARAMETER)                                                       \
    PARAMETER(Level, 32, 0, "0 L1, 1 L2")                                                          \
    PARAMETER(Dead, 32, 2, "dead blocks: 0 off, 1 private, 2 any")                                 \
    PARAMETER(IndexW, 32, 5, "log2 of the number of sets, 1 to 10")                                \
    PARAMETER(Ways, 32, 4, "lines of a set, 1 to 32")                                              \
    PARAMETER(SmW, 32, 4, "L2: bits of an SM's number (ownerId), 1 to 10 [tabbakh, VI-A]")

/* Widths of ports that follow from the parameters: localparams in SystemVerilog. */
#define GM_SHARING_LRU_DERIVED(DERIVED)                                                            \
    DERIVED(WayW, Ways < 3 ? 1 : gm_log2_ceil(Ways), "bits of a way")

#define GM_SHARING_LRU_REQUEST(FIELD)                                                              \
    FIELD(op, 3, "TOUCH, REPLACE, REMOVE, FLUSH, RESET, PEEK")                                     \
    FIELD(index, IndexW, "all but FLUSH, RESET: set")                                              \
    FIELD(way, WayW, "TOUCH, REMOVE: way; one below Ways")                                         \
    FIELD(eligible, Ways, "REPLACE, PEEK: ways that may be taken")                                 \
    FIELD(incoming, 1, "REPLACE, PEEK: L1: the line is shared; L2: it is certainly private")       \
    FIELD(sm, SmW, "L2: TOUCH, REPLACE: the SM")                                                   \
    FIELD(known, 1, "L2: TOUCH, REPLACE: an SM asks")

#define GM_SHARING_LRU_RESPONSE(FIELD)                                                             \
    FIELD(way, WayW, "REPLACE, PEEK: way that is taken, unless none or bypass")                    \
    FIELD(evicted, 1, "REPLACE, PEEK: it was in use")                                              \
    FIELD(none, 1, "REPLACE, PEEK: no way is eligible; nothing changes")                           \
    FIELD(bypass, 1, "REPLACE, PEEK: the line may not come in, by its class")                      \
    FIELD(shared, 1, "TOUCH: the line is shared, from now on; REPLACE, PEEK: the evicted one was") \
    FIELD(became, 1, "TOUCH: L2: it became shared now")                                            \
    FIELD(dead, 1, "REPLACE, PEEK: the evicted line was dead")                                     \
    FIELD(died, 1, "REPLACE, PEEK: a line that stays becomes dead")                                \
    FIELD(error, 1, "TOUCH, REMOVE: the way is not in use; nothing changes")

/* Values of the fields. */
#define GM_SHARING_LRU_CONSTANTS(CONSTANT)                                                         \
    CONSTANT(op, GM_SHARING_LRU_TOUCH, 0, "the line in way of the set index was hit")              \
    CONSTANT(op, GM_SHARING_LRU_REPLACE, 1,                                                        \
             "a line asks for an eligible way, which the response names")                          \
    CONSTANT(op, GM_SHARING_LRU_REMOVE, 2, "the line in way goes")                                 \
    CONSTANT(op, GM_SHARING_LRU_FLUSH, 3, "all lines go")                                          \
    CONSTANT(op, GM_SHARING_LRU_RESET, 4, "all lines stay, private, alive and without owner")      \
    CONSTANT(op, GM_SHARING_LRU_PEEK, 5,                                                           \
             "what REPLACE would answer; changes nothing; 6 and 7: likewise")

/* FLUSH and the reset clear all but `rank` and `owner` in all rows at once, RESET `shared`, `dead`
 * and `owned`. `rank` counts for ways in use, `owner` for owned lines. */
#define GM_SHARING_LRU_STATE(STATE)                                                                \
    STATE(used, 1, Ways, 1 << IndexW, "ways in use")                                               \
    STATE(rank, WayW, Ways, 1 << IndexW, "ways in use that are newer")                             \
    STATE(shared, 1, Ways, 1 << IndexW, "L1: not the private flag (PF); L2: sharing flag (SF)")    \
    STATE(dead, 1, Ways, 1 << IndexW, "dead block flag (DBF)")                                     \
    STATE(owned, 1, Ways, 1 << IndexW, "L2: the line has an owner")                                \
    STATE(owner, SmW, Ways, 1 << IndexW, "L2: SM that asked first (ownerId)")

#endif
