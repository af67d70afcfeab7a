/* Port list of stream_gate [khairy, 4.1]: whether a cache is closed because its accesses stream.
 * goldmem/ports.h says how to read it, docs/blocks/stream_gate.md what each operation does. */
#ifndef GOLDMEM_PORTS_STREAM_GATE_H
#define GOLDMEM_PORTS_STREAM_GATE_H

#define GM_STREAM_GATE_PARAMETERS(PARAMETER)                                                       \
    PARAMETER(CountW, 32, 14, "bits of the counts of a period, 1 to 20")                           \
    PARAMETER(Threshold, 32, 90, "miss rate above which the gate closes [%], 1 to 100")            \
    PARAMETER(Least, 32, 64, "accesses of a period that decides, 1 to 2^CountW - 1")

#define GM_STREAM_GATE_DERIVED(DERIVED)

#define GM_STREAM_GATE_REQUEST(FIELD)                                                              \
    FIELD(op, 2, "ACCESS, PERIOD, RESTART")                                                        \
    FIELD(miss, 1, "ACCESS: it misses")                                                            \
    FIELD(hot, 1, "PERIOD: warps contend for the cache, which stays open")

#define GM_STREAM_GATE_RESPONSE(FIELD)                                                             \
    FIELD(closed, 1, "all: accesses bypass the cache from now on")                                 \
    FIELD(accesses, CountW, "ACCESS: of the period so far; PERIOD: of the one that ends")          \
    FIELD(misses, CountW, "the misses among them; both are 0 after RESTART")

/* Values of the fields. */
#define GM_STREAM_GATE_CONSTANTS(CONSTANT)                                                         \
    CONSTANT(op, GM_STREAM_GATE_ACCESS, 0, "counts an access")                                     \
    CONSTANT(op, GM_STREAM_GATE_PERIOD, 1, "a period ends: decides, and counts from 0 again")      \
    CONSTANT(op, GM_STREAM_GATE_RESTART, 2, "as after the reset; 3: likewise")

/* All are registers. */
#define GM_STREAM_GATE_STATE(STATE)                                                                \
    STATE(accesses, CountW, 1, 1, "accesses of the period, at most 2^CountW - 1")                  \
    STATE(misses, CountW, 1, 1, "the misses among them")                                           \
    STATE(closed, 1, 1, 1, "the gate is closed")

#endif
