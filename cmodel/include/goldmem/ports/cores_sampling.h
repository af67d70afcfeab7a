/* Port list of cores_sampling [khairy, 4.2]: how many warps of a scheduler may issue, found by
 * running each SM with another limit. goldmem/ports.h says how to read it,
 * docs/blocks/cores_sampling.md what each operation does. */
#ifndef GOLDMEM_PORTS_CORES_SAMPLING_H
#define GOLDMEM_PORTS_CORES_SAMPLING_H

#define GM_CORES_SAMPLING_PARAMETERS(PARAMETER)                                                    \
    PARAMETER(Sms, 32, 15, "SMs, 1 to 256")                                                        \
    PARAMETER(Warps, 32, 24, "warps of a scheduler, the largest limit, 1 to 256")                  \
    PARAMETER(MissW, 32, 14, "bits of an SM's load misses in a period, 1 to 24")                   \
    PARAMETER(IssueW, 32, 15, "bits of an SM's instructions in a period, 1 to 24")                 \
    PARAMETER(Threshold, 32, 10, "load misses per 1000 thread instructions, 1 to 1000")            \
    PARAMETER(Hot, 32, 3, "hot periods in a row before SMs are sampled, 1 to 15")                  \
    PARAMETER(Samples, 32, 3, "periods of a round of sampling, 1 to 16")                           \
    PARAMETER(Entries, 32, 8, "kernels that the table holds, 1 to 32")                             \
    PARAMETER(KernelW, 32, 32, "bits of what names a kernel, 1 to 32")

/* Widths of ports that follow from the parameters: localparams in SystemVerilog. */
#define GM_CORES_SAMPLING_DERIVED(DERIVED)                                                         \
    DERIVED(SmW, Sms < 3 ? 1 : gm_log2_ceil(Sms), "bits of an SM's number")                        \
    DERIVED(ClosedW, gm_log2_ceil(Sms + 1), "bits of a number of SMs")                             \
    DERIVED(MissSumW, MissW + gm_log2_ceil(Sms), "bits of all SMs' misses in a period")            \
    DERIVED(IssueSumW, IssueW + gm_log2_ceil(Sms), "bits of all SMs' instructions in a period")    \
    DERIVED(TotalW, IssueW + gm_log2_ceil(Samples), "bits of an SM's instructions in a round")     \
    DERIVED(PeriodW, Samples < 3 ? 1 : gm_log2_ceil(Samples), "bits of a period of a round")       \
    DERIVED(LimitW, gm_log2_ceil(Warps + 1), "bits of a limit")                                    \
    DERIVED(HotW, gm_log2_ceil(Hot + 1), "bits of a hot count")                                    \
    DERIVED(NextW, 1 + (Entries < 3 ? 1 : gm_log2_ceil(Entries)), "bits of the next entry")

#define GM_CORES_SAMPLING_REQUEST(FIELD)                                                           \
    FIELD(op, 2, "REPORT, KERNEL, RESTART")                                                        \
    FIELD(misses, MissW, "REPORT: load misses of the SM's L1 in the period")                       \
    FIELD(issued, IssueW, "REPORT: thread instructions that the SM issued in the period, in 32s")  \
    FIELD(idle, 1, "REPORT: the SM has no warps")                                                  \
    FIELD(closed, 1, "REPORT: the SM's L1 is closed")                                              \
    FIELD(kernel, KernelW, "KERNEL: names the kernel")

#define GM_CORES_SAMPLING_RESPONSE(FIELD)                                                          \
    FIELD(ended, 1, "REPORT: that of the last SM, which ends the period")                          \
    FIELD(hot, HotW, "hot count of the kernel, after")                                             \
    FIELD(sampling, 1, "SMs are sampled")                                                          \
    FIELD(limit, LimitW, "sampling: the limit of SM 0; else that of all SMs, 0: none")

/* Values of the fields. */
#define GM_CORES_SAMPLING_CONSTANTS(CONSTANT)                                                      \
    CONSTANT(op, GM_CORES_SAMPLING_REPORT, 0, "the next SM reports a period")                      \
    CONSTANT(op, GM_CORES_SAMPLING_KERNEL, 1, "a kernel begins, without a limit")                  \
    CONSTANT(op, GM_CORES_SAMPLING_RESTART, 2, "as after the reset; 3: likewise")

/* All are registers. */
#define GM_CORES_SAMPLING_STATE(STATE)                                                             \
    STATE(phase, 2, 1, 1, "0 watches, 1 samples, 2 limited")                                       \
    STATE(reports, SmW, 1, 1, "SMs that have reported the period")                                 \
    STATE(misses, MissSumW, 1, 1, "their misses")                                                  \
    STATE(issued, IssueSumW, 1, 1, "their instructions")                                           \
    STATE(closed, ClosedW, 1, 1, "their closed L1s")                                               \
    STATE(idle, 1, 1, 1, "one of them has no warps")                                               \
    STATE(total, TotalW, Sms, 1, "samples: each SM's instructions in the round")                   \
    STATE(period, PeriodW, 1, 1, "samples: periods of the round that have ended")                  \
    STATE(base, LimitW, 1, 1, "samples: the limit of SM 0, less 1")                                \
    STATE(best, TotalW, 1, 1, "samples: the largest of the instructions")                          \
    STATE(best_limit, LimitW, 1, 1, "samples: the limit that they had")                            \
    STATE(kernel, KernelW, 1, 1, "the kernel")                                                     \
    STATE(entry_kernel, KernelW, Entries, 1, "table: the kernel")                                  \
    STATE(entry_limit, LimitW, Entries, 1, "table: its limit, 0: not found yet")                   \
    STATE(entry_hot, HotW, Entries, 1, "table: its hot count")                                     \
    STATE(next, NextW, 1, 1, "entry that is taken next; highest bit: all entries are in use")

#endif
