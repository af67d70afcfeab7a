/* Port list of victim_tags (CCWS): for each warp the tags of lines that it took and lost.
 * goldmem/ports.h says how to read it, docs/blocks/victim_tags.md what each operation does. */
#ifndef GOLDMEM_PORTS_VICTIM_TAGS_H
#define GOLDMEM_PORTS_VICTIM_TAGS_H

#define GM_VICTIM_TAGS_PARAMETERS(PARAMETER)                                                       \
    PARAMETER(Warps, 32, 48, "warps, 1 to 64")                                                     \
    PARAMETER(Sets, 32, 2, "sets of a warp's tags, a power of two, 1 to 16")                       \
    PARAMETER(Ways, 32, 8, "tags of a set, 1 to 16")                                               \
    PARAMETER(LineW, 32, 42, "line-address bits, 1 + log2 of Sets to 64")

/* Widths of ports that follow from the parameters: localparams in SystemVerilog. */
#define GM_VICTIM_TAGS_DERIVED(DERIVED)                                                            \
    DERIVED(WarpW, Warps < 3 ? 1 : gm_log2_ceil(Warps), "bits of a warp's number")                 \
    DERIVED(WayW, Ways < 3 ? 1 : gm_log2_ceil(Ways), "bits of a way")                              \
    DERIVED(TagW, LineW - gm_log2_ceil(Sets), "bits of a tag")

#define GM_VICTIM_TAGS_REQUEST(FIELD)                                                              \
    FIELD(op, 2, "INSERT, PROBE, CLEAR, RESTART")                                                  \
    FIELD(warp, WarpW, "all but RESTART: the warp")                                                \
    FIELD(line, LineW, "INSERT, PROBE: line address")

#define GM_VICTIM_TAGS_RESPONSE(FIELD)                                                             \
    FIELD(found, 1, "INSERT, PROBE: the warp's tags have the line")                                \
    FIELD(replaced, 1, "INSERT: the set was full and lost its oldest tag")

/* Values of the fields. */
#define GM_VICTIM_TAGS_CONSTANTS(CONSTANT)                                                         \
    CONSTANT(op, GM_VICTIM_TAGS_INSERT, 0, "a line that the warp took is replaced")                \
    CONSTANT(op, GM_VICTIM_TAGS_PROBE, 1, "a load of the warp misses")                             \
    CONSTANT(op, GM_VICTIM_TAGS_CLEAR, 2, "a new warp: it has no tags")                            \
    CONSTANT(op, GM_VICTIM_TAGS_RESTART, 3, "no warp has tags, as after the reset")

/* A row for each set of each warp, that of set 0 of a warp first. The fill of a row that was not
 * written since its warp's last CLEAR, or the last RESTART, reads as 0. */
#define GM_VICTIM_TAGS_STATE(STATE)                                                                \
    STATE(row.fill, WayW + 1, 1, Warps * Sets,                                                     \
          "lower bits: the way of the next tag; the highest: all ways hold one")                   \
    STATE(row.tag, TagW, Ways, Warps *Sets, "the tags, of each way")

#endif
