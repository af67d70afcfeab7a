/* Port list of gwct [singh, 6.3.1, Figure 5]: per warp, the operations that are not acknowledged
 * and the time by which its writes are visible; tells when a fence completes. goldmem/ports.h says
 * how to read it, docs/blocks/gwct.md what each operation does. A field that is not named is 0. */
#ifndef GOLDMEM_PORTS_GWCT_H
#define GOLDMEM_PORTS_GWCT_H

#define GM_GWCT_PARAMETERS(PARAMETER)                                                              \
    PARAMETER(Warps, 32, 48, "warps, 1 to 256")                                                    \
    PARAMETER(CountW, 32, 8, "bits of the counts of loads and stores, 1 to 16")                    \
    PARAMETER(TimeW, 32, 32, "bits of a timestamp [core cycles], 2 to 32")

/* Widths of ports that follow from the parameters: localparams in SystemVerilog. */
#define GM_GWCT_DERIVED(DERIVED)                                                                   \
    DERIVED(WarpW, Warps < 3 ? 1 : gm_log2_ceil(Warps), "bits of a warp's number")

#define GM_GWCT_REQUEST(FIELD)                                                                     \
    FIELD(op, 3, "ISSUE, ACK, RAISE, ROLLOVER, FENCE")                                             \
    FIELD(warp, WarpW, "ISSUE, ACK, RAISE: the warp; FENCE: the first warp that it covers")        \
    FIELD(last, WarpW, "FENCE: the last warp that it covers")                                      \
    FIELD(store, 1, "ISSUE, ACK: 1 store, atomic or reduction; 0 load")                            \
    FIELD(has_gwct, 1, "ACK: the answer carries a GWCT")                                           \
    FIELD(epoch, 1, "ACK: the epoch of the GWCT")                                                  \
    FIELD(timestamp, TimeW, "ACK: the GWCT; RAISE: the time [core cycles]")                        \
    FIELD(now, TimeW, "FENCE: the time, at least 1 [core cycles]")

#define GM_GWCT_RESPONSE(FIELD)                                                                    \
    FIELD(ready, 1, "FENCE: nothing is outstanding, and all GWCTs are past")                       \
    FIELD(waits, 2, "FENCE: ANSWERS and TIME, or either")                                          \
    FIELD(left, TimeW, "FENCE that waits for time: cycles until the GWCTs are past")               \
    FIELD(refused, 1, "ISSUE: the count is at its limit; nothing changes")                         \
    FIELD(error, 1, "ISSUE, ACK, RAISE: no such warp; ACK: nothing is outstanding; nothing changes")

/* Values of the fields. */
#define GM_GWCT_CONSTANTS(CONSTANT)                                                                \
    CONSTANT(op, GM_GWCT_ISSUE, 0, "the warp sends a load, or a store")                            \
    CONSTANT(op, GM_GWCT_ACK, 1, "a load or store is answered; raises the warp's GWCT")            \
    CONSTANT(op, GM_GWCT_RAISE, 2, "raises the warp's GWCT to the timestamp, if that is later")    \
    CONSTANT(op, GM_GWCT_ROLLOVER, 3, "time begins anew: GWCTs become 0, the epoch changes")       \
    CONSTANT(op, GM_GWCT_FENCE, 4,                                                                 \
             "asks for warps warp to last; changes nothing; 5 to 7: likewise")                     \
    CONSTANT(waits, GM_GWCT_ANSWERS, 1, "an operation is not acknowledged")                        \
    CONSTANT(waits, GM_GWCT_TIME, 2, "a GWCT is not past")

/* All are registers; lane w is warp w's. */
#define GM_GWCT_STATE(STATE)                                                                       \
    STATE(loads, CountW, Warps, 1, "loads not yet answered")                                       \
    STATE(stores, CountW, Warps, 1, "stores, atomics and reductions not yet acknowledged")         \
    STATE(visible, TimeW, Warps, 1, "largest GWCT; 0: none in this epoch")                         \
    STATE(epoch, 1, 1, 1, "parity of the rollovers")

#endif
