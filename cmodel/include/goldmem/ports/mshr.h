/* Port list of mshr [khairy, 3.1; li, 2.2]; goldmem/ports.h says how to read it.
 * A field that an outcome does not name is 0. */
#ifndef GOLDMEM_PORTS_MSHR_H
#define GOLDMEM_PORTS_MSHR_H

#define GM_MSHR_PARAMETERS(PARAMETER)                                                              \
    PARAMETER(Entries, 32, 32, "entries, 1 to 1024")                                               \
    PARAMETER(Merges, 32, 8, "requesters of an entry, the first included, 1 to 1024")              \
    PARAMETER(LineW, 32, 42, "line-address bits")                                                  \
    PARAMETER(RequesterW, 32, 16, "bits of a requester's id")

/* Widths of ports that follow from the parameters: localparams in SystemVerilog. */
#define GM_MSHR_DERIVED(DERIVED)                                                                   \
    DERIVED(IdW, Entries < 3 ? 1 : gm_log2_ceil(Entries), "bits of an id")                         \
    DERIVED(MergeW, Merges < 3 ? 1 : gm_log2_ceil(Merges), "bits of a slot's number")

#define GM_MSHR_REQUEST(FIELD)                                                                     \
    FIELD(op, 3, "REQUEST, RESPONSE, CLOSE, FLUSH, PROBE")                                         \
    FIELD(line, LineW, "REQUEST, PROBE, CLOSE: line address")                                      \
    FIELD(requester, RequesterW, "REQUEST: who waits")                                             \
    FIELD(id, IdW, "RESPONSE: entry")                                                              \
    FIELD(may_allocate, 1, "REQUEST, PROBE: the miss queue takes the miss of a new entry")

#define GM_MSHR_RESPONSE(FIELD)                                                                    \
    FIELD(outcome, 2, "REQUEST, PROBE: MERGED, NEW, FAIL")                                         \
    FIELD(reason, 2, "FAIL: ENTRY, MERGE, MISS_QUEUE")                                             \
    FIELD(id, IdW, "MERGED, NEW, RESPONSE, CLOSE: the entry")                                      \
    FIELD(count, MergeW + 1, "MERGED, NEW: requesters with this one; RESPONSE: left after it")     \
    FIELD(requester, RequesterW, "RESPONSE: the next one, in the order of their REQUESTs")         \
    FIELD(line, LineW, "RESPONSE: line address")                                                   \
    FIELD(install, 1, "RESPONSE: the first of an open entry: the data go into the cache")          \
    FIELD(closed, 1, "CLOSE, FLUSH: an entry was open and is closed now")                          \
    FIELD(error, 1, "RESPONSE: the id is free; nothing changes")

/* Values of the fields. */
#define GM_MSHR_CONSTANTS(CONSTANT)                                                                \
    CONSTANT(op, GM_MSHR_REQUEST_OP, 0,                                                            \
             "a miss: merges into the open entry of its line, or takes the lowest free entry")     \
    CONSTANT(op, GM_MSHR_RESPONSE_OP, 1,                                                           \
             "data of an entry arrived: answers its oldest requester; the last frees it")          \
    CONSTANT(op, GM_MSHR_CLOSE_OP, 2,                                                              \
             "the open entry of the line takes no more requesters, and does not install")          \
    CONSTANT(op, GM_MSHR_FLUSH_OP, 3, "CLOSE of every line")                                       \
    CONSTANT(op, GM_MSHR_PROBE_OP, 4,                                                              \
             "what REQUEST would answer; changes nothing; 5 to 7: likewise")                       \
    CONSTANT(outcome, GM_MSHR_MERGED, 0, "the open entry of the line has one requester more")      \
    CONSTANT(outcome, GM_MSHR_NEW, 1, "the lowest free entry is the line's")                       \
    CONSTANT(outcome, GM_MSHR_FAIL, 2, "nothing changed; reason says why")                         \
    CONSTANT(reason, GM_MSHR_FAIL_ENTRY, 0, "no entry is free, or the line has two")               \
    CONSTANT(reason, GM_MSHR_FAIL_MERGE, 1, "the open entry of the line is full")                  \
    CONSTANT(reason, GM_MSHR_FAIL_MISS_QUEUE, 2, "a new entry is needed, and may_allocate is 0")

#define GM_MSHR_STATE(STATE)                                                                       \
    STATE(valid, 1, Entries, 1, "entries in use")                                                  \
    STATE(open, 1, Entries, 1, "entries that a request may merge into")                            \
    STATE(line, LineW, Entries, 1, "their lines")                                                  \
    STATE(oldest, MergeW, Entries, 1, "slot of the next requester to be answered")                 \
    STATE(newest, MergeW, Entries, 1, "slot of the last requester taken")                          \
    STATE(requester, RequesterW, 1, Entries << MergeW, "requesters, at {entry, slot}")

#endif
