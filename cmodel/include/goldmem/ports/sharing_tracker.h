/* Port list of sharing_tracker [anssari, 3.1, 3.2, 4.2]; goldmem/ports.h says how to read it, and
 * docs/blocks/sharing_tracker.md what each operation does.
 * In front of the sets lies set_index: LineW, IndexW, Polynomial and Matrix are its parameters and
 * go to it unchanged (C: a gm_set_index of the caller's; RTL: set_index_network, forward for the
 * request's line, inverse for a dropped one). A set has 1 << IndexW of them; a tag is the line
 * without its low IndexW bits. CU is a compute unit (SM) with an L1 of its own.
 * A field that an operation does not name is 0. */
#ifndef GOLDMEM_PORTS_SHARING_TRACKER_H
#define GOLDMEM_PORTS_SHARING_TRACKER_H

#define GM_SHARING_TRACKER_PARAMETERS(PARAMETER)                                                   \
    PARAMETER(LineW, 32, 42, "line-address bits, IndexW + 1 to 64")                                \
    PARAMETER(IndexW, 32, 10, "log2 of the number of sets, 1 to 12")                               \
    PARAMETER(Polynomial, IndexW + 1, 1033, "set_index: P of ipoly; 0: the function is Matrix")    \
    PARAMETER(Matrix, (IndexW * LineW), 0, "set_index: H-matrix, a row for each index bit")        \
    PARAMETER(Ways, 32, 8, "entries of a set, 1 to 32")                                            \
    PARAMETER(Cus, 32, 16, "compute units, 1 to 64")                                               \
    PARAMETER(Pointers, 32, 0, "sharers that an entry can name, 1 to Cus; 0: a bit for each CU")

/* Widths of ports that follow from the parameters: localparams in SystemVerilog. */
#define GM_SHARING_TRACKER_DERIVED(DERIVED)                                                        \
    DERIVED(WayW, Ways < 3 ? 1 : gm_log2_ceil(Ways), "bits of a way")                              \
    DERIVED(CuW, Cus < 3 ? 1 : gm_log2_ceil(Cus), "bits of a CU")                                  \
    DERIVED(Slots, Pointers == 0 ? 1 : Pointers, "pointers that are stored")                       \
    DERIVED(CountW, gm_log2_ceil(Slots + 1), "bits of a count of pointers")

#define GM_SHARING_TRACKER_REQUEST(FIELD)                                                          \
    FIELD(op, 3, "LOOKUP, FILL, EVICT, WRITE, COHERENT, FLUSH, ASK")                               \
    FIELD(line, LineW, "all but FLUSH: line address")                                              \
    FIELD(cu, CuW, "LOOKUP, FILL, EVICT: whose L1 it is, below Cus")                               \
    FIELD(will_fill, 1, "LOOKUP: the L1 will install the line, and say so by FILL")

#define GM_SHARING_TRACKER_RESPONSE(FIELD)                                                         \
    FIELD(index, IndexW, "all but FLUSH: set of the line")                                         \
    FIELD(found, 1, "all but FLUSH: the line had an entry")                                        \
    FIELD(hit, 1, "LOOKUP: another CU is known to have the line; ASK: a CU is")                    \
    FIELD(supplier, CuW, "hit: which one is to supply it")                                         \
    FIELD(filled, 1, "FILL: the CU's mark stood; the CU is a sharer now")                          \
    FIELD(displaced, 1, "filled: all pointers were in use, the oldest gave way")                   \
    FIELD(displaced_cu, CuW, "displaced: the CU that it named")                                    \
    FIELD(removed, 1, "EVICT: the CU was a known sharer")                                          \
    FIELD(last_sharer, 1, "removed: and no other was known")                                       \
    FIELD(freed, 1, "EVICT: the entry is free, with nobody left; WRITE, COHERENT: it was found")   \
    FIELD(dropped, 1, "LOOKUP that takes an entry: the oldest of a full set was given up for it")  \
    FIELD(dropped_line, LineW, "dropped: its line address")

/* Values of the fields. */
#define GM_SHARING_TRACKER_CONSTANTS(CONSTANT)                                                     \
    CONSTANT(op, GM_SHARING_TRACKER_LOOKUP, 0,                                                     \
             "the L1 of cu missed: who has the line? With will_fill: marks cu")                    \
    CONSTANT(op, GM_SHARING_TRACKER_FILL, 1,                                                       \
             "the L1 of cu installed the line: a sharer, if its mark still stands")                \
    CONSTANT(op, GM_SHARING_TRACKER_EVICT, 2, "the L1 of cu evicted the line")                     \
    CONSTANT(op, GM_SHARING_TRACKER_WRITE, 3,                                                      \
             "a CU writes the line: frees its entry, with sharers and marks")                      \
    CONSTANT(op, GM_SHARING_TRACKER_COHERENT, 4,                                                   \
             "an atomic or another coherent operation on the line: as WRITE")                      \
    CONSTANT(op, GM_SHARING_TRACKER_FLUSH, 5,                                                      \
             "the L1s are flushed: frees all entries; 7: likewise")                                \
    CONSTANT(op, GM_SHARING_TRACKER_ASK, 6,                                                        \
             "the L1 of a CU of another tracker missed: who has the line?")

/* A row is a set. FLUSH and the reset clear `valid` in all rows at once. The other elements count
 * for valid entries only, `sharer` without Pointers, `count` with, and `pointer` up to count. */
#define GM_SHARING_TRACKER_STATE(STATE)                                                            \
    STATE(valid, 1, Ways, 1 << IndexW, "entries in use")                                           \
    STATE(tag, LineW - IndexW, Ways, 1 << IndexW, "their tags")                                    \
    STATE(mark, Cus, Ways, 1 << IndexW, "CUs whose fill is in flight")                             \
    STATE(sharer, Cus, Ways, 1 << IndexW, "CUs that have the line")                                \
    STATE(pointer, CuW, Ways *Slots, 1 << IndexW, "CUs that have the line, the oldest first")      \
    STATE(count, CountW, Ways, 1 << IndexW, "pointers in use")                                     \
    STATE(last, CuW, Ways, 1 << IndexW, "last supplier; Cus - 1: none yet")                        \
    STATE(rank, WayW, Ways, 1 << IndexW, "LRU: newer valid entries")

#endif
