/* Port list of locality_score (CCWS): the lost-locality scores of an SM's warps, and which of them
 * may issue loads. goldmem/ports.h says how to read it, docs/blocks/locality_score.md what each
 * operation does. */
#ifndef GOLDMEM_PORTS_LOCALITY_SCORE_H
#define GOLDMEM_PORTS_LOCALITY_SCORE_H

#define GM_LOCALITY_SCORE_PARAMETERS(PARAMETER)                                                    \
    PARAMETER(Warps, 32, 48, "warps, 1 to 64")                                                     \
    PARAMETER(ScoreW, 32, 16, "bits of a score, 2 to 16")                                          \
    PARAMETER(Base, 32, 100, "score of a warp that has lost nothing, 1 to 2^ScoreW - 1")           \
    PARAMETER(Throttle, 32, 8, "K_THROTTLE, 1 to 64")                                              \
    PARAMETER(HitW, 32, 12, "bits of the count of hits, 1 to 16")                                  \
    PARAMETER(IssuedW, 32, 32, "bits of the count of instructions, 1 to 32")

/* Widths of ports that follow from the parameters: localparams in SystemVerilog. */
#define GM_LOCALITY_SCORE_DERIVED(DERIVED)                                                         \
    DERIVED(WarpW, Warps < 3 ? 1 : gm_log2_ceil(Warps), "bits of a warp's number")                 \
    DERIVED(LengthW, gm_log2_ceil(Warps + 1), "bits of a number of warps")

#define GM_LOCALITY_SCORE_REQUEST(FIELD)                                                           \
    FIELD(op, 3, "ADVANCE, HIT, START, END, RESTART")                                              \
    FIELD(warp, WarpW, "HIT, START, END: the warp")                                                \
    FIELD(cycles, ScoreW, "ADVANCE: core cycles that pass")                                        \
    FIELD(issued, IssuedW, "ADVANCE: warp instructions that were issued in them")

#define GM_LOCALITY_SCORE_RESPONSE(FIELD)                                                          \
    FIELD(allowed, Warps, "all: bit w: warp w is there and may issue loads from now on")           \
    FIELD(score, ScoreW, "HIT, START: the warp's score; 0: it is not there")

/* Values of the fields. */
#define GM_LOCALITY_SCORE_CONSTANTS(CONSTANT)                                                      \
    CONSTANT(op, GM_LOCALITY_SCORE_ADVANCE, 0, "time passes: scores fall to Base")                 \
    CONSTANT(op, GM_LOCALITY_SCORE_HIT, 1, "the warp has lost locality: sets its score")           \
    CONSTANT(op, GM_LOCALITY_SCORE_START, 2, "a new warp: score Base, last in the order")          \
    CONSTANT(op, GM_LOCALITY_SCORE_END, 3, "the warp has ended")                                   \
    CONSTANT(op, GM_LOCALITY_SCORE_RESTART, 4, "as after the reset; 5 to 7: likewise")

/* All are registers. `warp` and `score` are the list of the warps that are there, the highest score
 * first; places from `length` up are don't-cares. */
#define GM_LOCALITY_SCORE_STATE(STATE)                                                             \
    STATE(warp, WarpW, Warps, 1, "the warp at each place of the list")                             \
    STATE(score, ScoreW, Warps, 1, "its score")                                                    \
    STATE(length, LengthW, 1, 1, "warps that are there")                                           \
    STATE(hits, HitW, 1, 1, "hits; halved with the instructions when it is full")                  \
    STATE(issued, IssuedW, 1, 1, "warp instructions that were issued, at most 2^IssuedW - 1")

#endif
