/* Port list of sm_dueling [li, 4.3]: in sampling intervals SM0 runs the decoupled L1D, SM1 the
 * conventional one; their miss rates decide what all SMs run until the next. goldmem/ports.h says
 * how to read it, docs/blocks/sm_dueling.md what each operation does. A field that is not named is
 * 0. */
#ifndef GOLDMEM_PORTS_SM_DUELING_H
#define GOLDMEM_PORTS_SM_DUELING_H

#define GM_SM_DUELING_PARAMETERS(PARAMETER)                                                        \
    PARAMETER(Interval, 32, 500, "cycles or accesses of an interval, 1 to 65535")                  \
    PARAMETER(CountW, 32, 9, "bits of the counts of accesses and misses, 1 to 16")                 \
    PARAMETER(Difference, 32, 10, "threshold of the difference of miss rates [%], 0 to 100")       \
    PARAMETER(Hysteresis, 32, 0,                                                                   \
              "1: a difference up to the threshold keeps what is; 0: DECOUPLED")                   \
    PARAMETER(Period, 32, 20, "one interval in so many is a sampling one, 1 to 65535")

/* Widths of ports that follow from the parameters: localparams in SystemVerilog. */
#define GM_SM_DUELING_DERIVED(DERIVED)                                                             \
    DERIVED(IntervalW, gm_log2_ceil(Interval + 1), "bits of cycles or accesses of an interval")    \
    DERIVED(PeriodW, Period < 3 ? 1 : gm_log2_ceil(Period), "bits of the phase")

#define GM_SM_DUELING_REQUEST(FIELD)                                                               \
    FIELD(op, 2, "ACCESS, ADVANCE, RESTART")                                                       \
    FIELD(sm, 1, "ACCESS: 0 of SM0, 1 of SM1")                                                     \
    FIELD(miss, 1, "ACCESS: it missed; a bypass is a miss")                                        \
    FIELD(amount, IntervalW, "ADVANCE: cycles or accesses that pass")

#define GM_SM_DUELING_RESPONSE(FIELD)                                                              \
    FIELD(decided, 1, "ADVANCE: a sampling interval ended with accesses of both SMs")              \
    FIELD(decoupled, 1, "all: what is decided from now on: the decoupled L1D")                     \
    FIELD(sampling, 1, "all: from now on the interval is a sampling one")                          \
    FIELD(left, IntervalW, "all: cycles or accesses until the interval ends")

/* Values of the fields. */
#define GM_SM_DUELING_CONSTANTS(CONSTANT)                                                          \
    CONSTANT(op, GM_SM_DUELING_ACCESS, 0, "of SM sm (0 or 1); miss: missed or bypassed")           \
    CONSTANT(op, GM_SM_DUELING_ADVANCE, 1,                                                         \
             "amount cycles or accesses elapse; the end of a sampling interval decides")           \
    CONSTANT(op, GM_SM_DUELING_RESTART, 2,                                                         \
             "as after the reset: a sampling interval begins, conventional; 3: likewise")

/* All are registers. Lane 0 is SM0's. */
#define GM_SM_DUELING_STATE(STATE)                                                                 \
    STATE(accesses, CountW, 2, 1, "accesses in this sampling interval")                            \
    STATE(misses, CountW, 2, 1, "misses among them")                                               \
    STATE(elapsed, IntervalW, 1, 1, "cycles or accesses of this interval that are past")           \
    STATE(phase, PeriodW, 1, 1, "intervals since the last sampling one; 0: this is one")           \
    STATE(decoupled, 1, 1, 1, "decided: the decoupled L1D")

#endif
