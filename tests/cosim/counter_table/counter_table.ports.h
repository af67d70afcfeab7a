/* Port list of counter_table, a block for testing the lockstep engine: rows of two saturating
 * counters in SRAM, and selectable faults. */
#ifndef GOLDMEM_TESTS_COSIM_COUNTER_TABLE_COUNTER_TABLE_PORTS_H
#define GOLDMEM_TESTS_COSIM_COUNTER_TABLE_COUNTER_TABLE_PORTS_H

#define GM_COUNTER_TABLE_PARAMETERS(PARAMETER)                                                     \
    PARAMETER(RowW, 32, 4, "log2 of the number of rows")                                           \
    PARAMETER(CountW, 32, 5, "bits of a counter")                                                  \
    PARAMETER(Fault, 32, 0, "what the RTL does wrong; 0: nothing")

#define GM_COUNTER_TABLE_DERIVED(DERIVED)

#define GM_COUNTER_TABLE_REQUEST(FIELD)                                                            \
    FIELD(op, 2, "READ, ADD, CLEAR")                                                               \
    FIELD(row, RowW, "row")                                                                        \
    FIELD(way, 1, "which counter of the row")                                                      \
    FIELD(amount, CountW, "ADD: how much")

#define GM_COUNTER_TABLE_RESPONSE(FIELD)                                                           \
    FIELD(count, CountW, "the counter, after ADD")                                                 \
    FIELD(saturated, 1, "ADD: it would have passed its limit")

#define GM_COUNTER_TABLE_CONSTANTS(CONSTANT)                                                       \
    CONSTANT(op, GM_COUNTER_TABLE_READ, 0, "gives the counter")                                    \
    CONSTANT(op, GM_COUNTER_TABLE_ADD, 1, "adds to the counter")                                   \
    CONSTANT(op, GM_COUNTER_TABLE_CLEAR, 2, "clears all counters")

#define GM_COUNTER_TABLE_STATE(STATE)                                                              \
    STATE(count, CountW, 2, 1 << RowW, "counters")                                                 \
    STATE(touched, 1, 1, 1 << RowW, "an ADD came since the last CLEAR")

#endif
