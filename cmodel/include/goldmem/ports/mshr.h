/* Port list of mshr [khairy, 3.1; li, 2.2]; goldmem/ports.h says how to read it.
 * IdW and MergeW are given beside the numbers that they follow from, so that the widths of ports
 * are plain in C and in SystemVerilog. A field that an outcome does not name is 0. */
#ifndef GOLDMEM_PORTS_MSHR_H
#define GOLDMEM_PORTS_MSHR_H

#define GM_MSHR_PARAMETERS(PARAMETER)                                                              \
    PARAMETER(Entries, 32, 32, "entries, 1 to 1024")                                               \
    PARAMETER(IdW, 32, 5, "bits of an id: log2(Entries) rounded up, 1 at least")                   \
    PARAMETER(Merges, 32, 8, "requesters of an entry, the first included, 1 to 1024")              \
    PARAMETER(MergeW, 32, 3, "log2(Merges) rounded up, 1 at least")                                \
    PARAMETER(LineW, 32, 42, "line-address bits")                                                  \
    PARAMETER(RequesterW, 32, 16, "bits of a requester's id")

#define GM_MSHR_REQUEST(FIELD)                                                                     \
    FIELD(op, 3, "0 REQUEST, 1 RESPONSE, 2 CLOSE, 3 FLUSH, 4 to 7 PROBE")                          \
    FIELD(line, LineW, "REQUEST, PROBE, CLOSE: line address")                                      \
    FIELD(requester, RequesterW, "REQUEST: who waits")                                             \
    FIELD(id, IdW, "RESPONSE: entry")                                                              \
    FIELD(may_allocate, 1, "REQUEST, PROBE: the miss queue takes the miss of a new entry")

#define GM_MSHR_RESPONSE(FIELD)                                                                    \
    FIELD(outcome, 2, "REQUEST, PROBE: 0 MERGED, 1 NEW, 2 FAIL")                                   \
    FIELD(reason, 2, "FAIL: 0 ENTRY, 1 MERGE, 2 MISS_QUEUE")                                       \
    FIELD(id, IdW, "MERGED, NEW, RESPONSE, CLOSE: the entry")                                      \
    FIELD(count, MergeW + 1, "MERGED, NEW: requesters with this one; RESPONSE: left after it")     \
    FIELD(requester, RequesterW, "RESPONSE: the next one, in the order of their REQUESTs")         \
    FIELD(line, LineW, "RESPONSE: line address")                                                   \
    FIELD(install, 1, "RESPONSE: the first of an open entry: the data go into the cache")          \
    FIELD(closed, 1, "CLOSE, FLUSH: an entry was open and is closed now")                          \
    FIELD(error, 1, "RESPONSE: the id is free; nothing changes")

#define GM_MSHR_STATE(STATE)                                                                       \
    STATE(valid, 1, Entries, 1, "entries in use")                                                  \
    STATE(open, 1, Entries, 1, "entries that a request may merge into")                            \
    STATE(line, LineW, Entries, 1, "their lines")                                                  \
    STATE(oldest, MergeW, Entries, 1, "slot of the next requester to be answered")                 \
    STATE(newest, MergeW, Entries, 1, "slot of the last requester taken")                          \
    STATE(requester, RequesterW, 1, Entries << MergeW, "requesters, at {entry, slot}")

#endif
