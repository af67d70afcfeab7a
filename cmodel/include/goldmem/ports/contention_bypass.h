/* Port list of contention_bypass [anssari, 3.3]: whether a load instruction bypasses the L1,
 * because it touches as many lines as a warp's share of the L1 or more. goldmem/ports.h says how to
 * read it, docs/blocks/contention_bypass.md what a transaction does. */
#ifndef GOLDMEM_PORTS_CONTENTION_BYPASS_H
#define GOLDMEM_PORTS_CONTENTION_BYPASS_H

#define GM_CONTENTION_BYPASS_PARAMETERS(PARAMETER)                                                 \
    PARAMETER(Touched, 32, 64, "most lines that an instruction touches, 1 to 4095")                \
    PARAMETER(Warps, 32, 64, "most warps of an SM, 1 to 256")                                      \
    PARAMETER(Lines, 32, 512, "most lines of an L1, 1 to 16777215")

#define GM_CONTENTION_BYPASS_DERIVED(DERIVED)                                                      \
    DERIVED(TouchedW, gm_log2_ceil(Touched + 1), "bits of a number of touched lines")              \
    DERIVED(WarpW, gm_log2_ceil(Warps + 1), "bits of a number of warps")                           \
    DERIVED(LineW, gm_log2_ceil(Lines + 1), "bits of a number of lines")

#define GM_CONTENTION_BYPASS_REQUEST(FIELD)                                                        \
    FIELD(touched, TouchedW, "lines that the instruction touches, 0 to 2^TouchedW - 1")            \
    FIELD(warps, WarpW, "warps that share the L1, 0 to 2^WarpW - 1")                               \
    FIELD(lines, LineW, "lines of the L1, 0 to 2^LineW - 1")

#define GM_CONTENTION_BYPASS_RESPONSE(FIELD)                                                       \
    FIELD(bypass, 1, "FILLS; BYPASSES: touches two lines or more, and a warp's share or more")

/* Values of the fields. */
#define GM_CONTENTION_BYPASS_CONSTANTS(CONSTANT)                                                   \
    CONSTANT(bypass, GM_CONTENTION_BYPASS_FILLS, 0, "the load may fill the L1")                    \
    CONSTANT(bypass, GM_CONTENTION_BYPASS_BYPASSES, 1, "the load bypasses the L1")

#define GM_CONTENTION_BYPASS_STATE(STATE)

#endif
