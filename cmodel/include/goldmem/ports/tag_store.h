/* Port list of tag_store [li, 4.1, 4.2]; goldmem/ports.h says how to read it, and
 * docs/blocks/tag_store.md what each operation does.
 * In front of the sets lies set_index: LineW, IndexW, Polynomial and Matrix are its parameters and
 * go to it unchanged (C: a gm_set_index of the caller's; RTL: set_index_network, forward for the
 * request's line, inverse for an evicted one). A set has 1 << IndexW of them; a tag is the line
 * without its low IndexW bits.
 * A set's line is called its position. An entry is in use when it is valid or waits. An entry that
 * waits and is not valid is *dead*: so FLUSH, which clears every valid bit at once, marks the lines
 * that wait. A field that an operation and outcome do not name is 0. */
#ifndef GOLDMEM_PORTS_TAG_STORE_H
#define GOLDMEM_PORTS_TAG_STORE_H

#define GM_TAG_STORE_PARAMETERS(PARAMETER)                                                         \
    PARAMETER(LineW, 32, 42, "line-address bits, IndexW + 1 to 64")                                \
    PARAMETER(IndexW, 32, 5, "log2 of the number of sets, 2 to 10")                                \
    PARAMETER(Polynomial, IndexW + 1, 37, "set_index: P of ipoly; 0: the function is Matrix")      \
    PARAMETER(Matrix, (IndexW * LineW), 0, "set_index: H-matrix, a row for each index bit")        \
    PARAMETER(TagWays, 32, 8, "tag entries of a set, 2 to 32")                                     \
    PARAMETER(DataWays, 32, 4, "data lines of a set, 1 to TagWays - 1")                            \
    PARAMETER(RcW, 32, 6, "bits of a reference count, 1 to 8")                                     \
    PARAMETER(Threshold, 32, 2, "locality threshold, 0 to 2**RcW - 1")                             \
    PARAMETER(AllocationRc, 32, 1, "reference count of a new entry, 0 to 2**RcW - 1")              \
    PARAMETER(CompareAbove, 32, 0, "a data line is due at RC >= Threshold; 1: at RC > Threshold")  \
    PARAMETER(AgeTwice, 32, 0, "1: allocation and eviction in one transaction age by 2, not 1")    \
    PARAMETER(LfuAny, 32, 0, "1: entries with a data line are candidates of LFU too")              \
    PARAMETER(Replacement, 32, 0, "of data lines: 0 LRU, 1 SRRIP, 2 SHIP")                         \
    PARAMETER(RrpvW, 32, 2, "SRRIP, SHIP: bits of a re-reference prediction value, 1 to 4")        \
    PARAMETER(SignatureW, 32, 8, "SHIP: bits of a signature, 1 to 14")                             \
    PARAMETER(CounterW, 32, 3, "SHIP: bits of a counter of the signature table, 1 to 4")           \
    PARAMETER(ProbeStage, 32, 0, "1: the look-up is a pipeline stage of its own; answers are alike")

/* Widths of ports that follow from the parameters: localparams in SystemVerilog. */
#define GM_TAG_STORE_DERIVED(DERIVED)                                                              \
    DERIVED(PositionW, DataWays < 3 ? 1 : gm_log2_ceil(DataWays), "bits of a position")            \
    DERIVED(FreeW, gm_log2_ceil(DataWays + 1), "bits of a count of data lines")

#define GM_TAG_STORE_REQUEST(FIELD)                                                                \
    FIELD(op, 3, "PROBE, FILL, WRITE, INVALIDATE, FLUSH")                                          \
    FIELD(line, LineW, "all but FLUSH: line address")                                              \
    FIELD(position, PositionW, "FILL: data line")                                                  \
    FIELD(may_miss, 1, "PROBE: MSHRs and miss queue can take it: a MISS or HIT_PENDING may be")    \
    FIELD(may_bypass, 1, "PROBE: the bypass path can take it: a BYPASS may be")                    \
    FIELD(conventional, 1, "PROBE: the threshold counts as 0 [li, 4.3]")                           \
    FIELD(signature, SignatureW, "PROBE: the line's, for SHIP")

#define GM_TAG_STORE_RESPONSE(FIELD)                                                               \
    FIELD(outcome, 3, "PROBE: HIT, HIT_PENDING, MISS, BYPASS, RESERVATION_FAIL")                   \
    FIELD(reason, 2, "RESERVATION_FAIL: LINE, MISS, BYPASS, tested in this order")                 \
    FIELD(index, IndexW, "all but FLUSH: set of the line")                                         \
    FIELD(position, PositionW, "HIT, HIT_PENDING, MISS: data line; FILL without error: the same")  \
    FIELD(evicted, 1, "a data line that did not wait was given up, by PROBE, WRITE, INVALIDATE")   \
    FIELD(evicted_line, LineW, "evicted: its line address")                                        \
    FIELD(evicted_position, PositionW, "evicted: where it was")                                    \
    FIELD(dead, 1, "HIT_PENDING: the line is dead; WRITE, INVALIDATE: it waits and is dead now")   \
    FIELD(dropped, 1, "FILL: the line was dead; its entry and data line are free now")             \
    FIELD(error, 1, "FILL: no entry of this line waits at this position; nothing changes")         \
    FIELD(rc, RcW, "HIT, HIT_PENDING of a line not dead, MISS, BYPASS: RC of the entry after it")  \
    FIELD(replaced, 1, "MISS, BYPASS: no entry was free, one in use gave way")                     \
    FIELD(tie, 1, "replaced: another candidate had the same RC")                                   \
    FIELD(saturated, 1, "MISS, BYPASS with a match: RC was at its maximum already")                \
    FIELD(aged, 1, "some entry's RC went down by age")                                             \
    FIELD(emptied, 1, "some entry's RC went down to 0 by age")                                     \
    FIELD(distant, 1, "MISS, SHIP: the signature has no reuse; RRPV is its maximum")

/* Values of the fields. */
#define GM_TAG_STORE_CONSTANTS(CONSTANT)                                                           \
    CONSTANT(op, GM_TAG_STORE_PROBE, 0,                                                            \
             "an access to line with the permissions may_miss and may_bypass")                     \
    CONSTANT(op, GM_TAG_STORE_FILL, 1,                                                             \
             "the data of the MISS that got position arrived: one FILL for each MISS")             \
    CONSTANT(op, GM_TAG_STORE_WRITE, 2, "a store to global memory: write-evict, no-allocate")      \
    CONSTANT(op, GM_TAG_STORE_INVALIDATE, 3,                                                       \
             "frees the entry of the line; marks a line that waits dead")                          \
    CONSTANT(op, GM_TAG_STORE_FLUSH, 4, "INVALIDATE of every line; 5 to 7: likewise")              \
    CONSTANT(outcome, GM_TAG_STORE_HIT, 0, "the data line is valid")                               \
    CONSTANT(outcome, GM_TAG_STORE_HIT_PENDING, 1, "the line waits for its FILL; needs may_miss")  \
    CONSTANT(outcome, GM_TAG_STORE_MISS, 2, "the line gets position, and waits; needs may_miss")   \
    CONSTANT(outcome, GM_TAG_STORE_BYPASS, 3, "the line gets no data line; needs may_bypass")      \
    CONSTANT(outcome, GM_TAG_STORE_RESERVATION_FAIL, 4, "nothing changed; reason says why")        \
    CONSTANT(reason, GM_TAG_STORE_FAIL_LINE, 0, "all data lines of the set wait")                  \
    CONSTANT(reason, GM_TAG_STORE_FAIL_MISS, 1, "may_miss is 0")                                   \
    CONSTANT(reason, GM_TAG_STORE_FAIL_BYPASS, 2, "may_bypass is 0")

/* A row is a set, and one word of the memory `row`. FLUSH clears `valid` in all rows at once, and
 * `waiting` in none; the reset clears both. What counts: `tag` of entries in use; `rc`, `committed`
 * of valid entries; `position` of committed and dead entries; `free_line` of sets with a valid
 * entry (in others it is DataWays less the waiting entries); `rank`, or `rrpv`, `signature`,
 * `reused`, of data lines that a valid entry owns; they are in the row under the policies that they
 * name. `doubt` is cleared by the reset alone. */
#define GM_TAG_STORE_STATE(STATE)                                                                  \
    STATE(row.rank, PositionW, Replacement == 0 ? DataWays : 0, 1 << IndexW,                       \
          "LRU: newer lines that a valid entry owns")                                              \
    STATE(row.valid, 1, TagWays, 1 << IndexW, "entries that a look-up may serve")                  \
    STATE(row.waiting, 1, TagWays, 1 << IndexW, "their data line waits for its FILL")              \
    STATE(row.tag, LineW - IndexW, TagWays, 1 << IndexW, "their tags")                             \
    STATE(row.rc, RcW, TagWays, 1 << IndexW, "reference counts")                                   \
    STATE(row.committed, 1, TagWays, 1 << IndexW, "Position is valid: the entry owns a data line") \
    STATE(row.position, PositionW, TagWays, 1 << IndexW, "Position: the data line")                \
    STATE(row.free_line, FreeW, 1, 1 << IndexW, "Free_Line: data lines that no entry in use owns") \
    STATE(row.rrpv, RrpvW, Replacement != 0 ? DataWays : 0, 1 << IndexW,                           \
          "SRRIP, SHIP: re-reference prediction values")                                           \
    STATE(row.signature, SignatureW, Replacement == 2 ? DataWays : 0, 1 << IndexW,                 \
          "SHIP: signatures of the lines")                                                         \
    STATE(row.reused, 1, Replacement == 2 ? DataWays : 0, 1 << IndexW,                             \
          "SHIP: the line was touched since its MISS")                                             \
    STATE(doubt, CounterW, 1, 1 << SignatureW, "SHIP: maximum less the signature's counter")

#endif
