/* Port list of replacement: which line of a set gives way. LRU; SRRIP (Jaleel et al., ISCA 2010,
 * with hit priority); SHiP (Wu et al., MICRO 2011) over SRRIP. goldmem/ports.h says how to read it,
 * docs/blocks/replacement.md what each operation does. A field that is not named is 0. */
#ifndef GOLDMEM_PORTS_REPLACEMENT_H
#define GOLDMEM_PORTS_REPLACEMENT_H

#define GM_REPLACEMENT_PARAMETERS(PARAMETER)                                                       \
    PARAMETER(Policy, 32, 0, "0 LRU, 1 SRRIP, 2 SHIP")                                             \
    PARAMETER(IndexW, 32, 5, "log2 of the number of sets, 1 to 10")                                \
    PARAMETER(Ways, 32, 4, "lines of a set, 1 to 32")                                              \
    PARAMETER(RrpvW, 32, 2, "SRRIP, SHIP: bits of a re-reference prediction value, 1 to 4")        \
    PARAMETER(SignatureW, 32, 8, "SHIP: bits of a signature, 1 to 14")                             \
    PARAMETER(CounterW, 32, 3, "SHIP: bits of a counter of the signature table, 1 to 4")

/* Widths of ports that follow from the parameters: localparams in SystemVerilog. */
#define GM_REPLACEMENT_DERIVED(DERIVED)                                                            \
    DERIVED(WayW, Ways < 3 ? 1 : gm_log2_ceil(Ways), "bits of a way")

#define GM_REPLACEMENT_REQUEST(FIELD)                                                              \
    FIELD(op, 3, "TOUCH, REPLACE, REMOVE, FLUSH, PEEK")                                            \
    FIELD(index, IndexW, "all but FLUSH: set")                                                     \
    FIELD(way, WayW, "TOUCH, REMOVE: way; one below Ways")                                         \
    FIELD(eligible, Ways, "REPLACE, PEEK: ways that may be taken")                                 \
    FIELD(signature, SignatureW, "REPLACE, PEEK: of the line that comes in (SHIP)")

#define GM_REPLACEMENT_RESPONSE(FIELD)                                                             \
    FIELD(way, WayW, "REPLACE, PEEK: way that is taken, unless none")                              \
    FIELD(evicted, 1, "REPLACE, PEEK: it was in use")                                              \
    FIELD(none, 1, "REPLACE, PEEK: no way is eligible; nothing changes")                           \
    FIELD(distant, 1, "REPLACE, PEEK, SHIP: the signature has no reuse; RRPV is its maximum")      \
    FIELD(error, 1, "TOUCH, REMOVE: the way is not in use; nothing changes")

/* Values of the fields. */
#define GM_REPLACEMENT_CONSTANTS(CONSTANT)                                                         \
    CONSTANT(op, GM_REPLACEMENT_TOUCH, 0, "the line in way of the set index was hit")              \
    CONSTANT(op, GM_REPLACEMENT_REPLACE, 1,                                                        \
             "a line comes into an eligible way, which the response names")                        \
    CONSTANT(op, GM_REPLACEMENT_REMOVE, 2,                                                         \
             "the line in way goes, for a reason that teaches nothing")                            \
    CONSTANT(op, GM_REPLACEMENT_FLUSH, 3, "all lines go")                                          \
    CONSTANT(op, GM_REPLACEMENT_PEEK, 4,                                                           \
             "what REPLACE would answer; changes nothing; 5 to 7: likewise")

/* FLUSH and the reset clear `used` in all rows at once; only the reset clears `doubt`. `rank`,
 * `rrpv`, `signature`, `reused` count for ways in use, under the policies that they name. */
#define GM_REPLACEMENT_STATE(STATE)                                                                \
    STATE(used, 1, Ways, 1 << IndexW, "ways in use")                                               \
    STATE(rank, WayW, Ways, 1 << IndexW, "LRU: ways in use that are newer")                        \
    STATE(rrpv, RrpvW, Ways, 1 << IndexW, "SRRIP, SHIP: re-reference prediction values")           \
    STATE(signature, SignatureW, Ways, 1 << IndexW, "SHIP: signatures of the lines")               \
    STATE(reused, 1, Ways, 1 << IndexW, "SHIP: the line was touched since it came in")             \
    STATE(doubt, CounterW, 1, 1 << SignatureW, "SHIP: maximum less the signature's counter")

#endif
