/* Port list of cta_queues [tabbakh, IV]: which CTA of a kernel an SM gets next. goldmem/ports.h
 * says how to read it, docs/blocks/cta_queues.md what each operation does. A field that is not
 * named is 0. */
#ifndef GOLDMEM_PORTS_CTA_QUEUES_H
#define GOLDMEM_PORTS_CTA_QUEUES_H

#define GM_CTA_QUEUES_PARAMETERS(PARAMETER)                                                        \
    PARAMETER(Sms, 32, 15, "SMs, 1 to 1024")                                                       \
    PARAMETER(CtaW, 32, 32, "bits of a CTA's number and of a number of CTAs, 1 to 63")             \
    PARAMETER(Mode, 32, 2, "0 RR, 1 BCS, 2 GROUPS")                                                \
    PARAMETER(Adaptive, 32, 0, "GROUPS: 1: RR once fewer groups remain than there are SMs")

/* Widths of ports that follow from the parameters: localparams in SystemVerilog. */
#define GM_CTA_QUEUES_DERIVED(DERIVED)                                                             \
    DERIVED(SmW, Sms < 3 ? 1 : gm_log2_ceil(Sms), "bits of an SM's number")

#define GM_CTA_QUEUES_REQUEST(FIELD)                                                               \
    FIELD(op, 1, "ASK, START")                                                                     \
    FIELD(sm, SmW, "ASK: the SM; one below Sms")                                                   \
    FIELD(free, 2, "ASK: CTAs that the SM has room for; 2: two or more, 3: likewise")              \
    FIELD(ctas, CtaW, "START: CTAs of the kernel")                                                 \
    FIELD(size, CtaW, "START: GROUPS: CTAs of a group; BCS: of an SM's first run; 0: 1")           \
    FIELD(tail, CtaW, "START: GROUPS: CTAs of Sms - 1 groups, at most 2^CtaW - 1")

#define GM_CTA_QUEUES_RESPONSE(FIELD)                                                              \
    FIELD(count, 2, "ASK: CTAs to place on the SM, 0 to 2; 0: no change but of single")            \
    FIELD(cta, CtaW, "ASK, count above 0: the first of them; the second is the next one")          \
    FIELD(taken, 1, "ASK: the SM has taken a group, or begun its first run")                       \
    FIELD(single, 1, "all: from now on the scheduler is RR")                                       \
    FIELD(empty, 1, "all: each CTA of the kernel has been placed or is of an SM's group or run")

/* Values of the fields. */
#define GM_CTA_QUEUES_CONSTANTS(CONSTANT)                                                          \
    CONSTANT(op, GM_CTA_QUEUES_ASK, 0,                                                             \
             "the CTAs that SM sm gets now, of the free ones it can take")                         \
    CONSTANT(op, GM_CTA_QUEUES_START, 1, "a kernel of ctas CTAs begins; GROUPS: SM k gets group k")

/* `queue` is a memory, of one row for each SM; the rest are registers. */
#define GM_CTA_QUEUES_STATE(STATE)                                                                 \
    STATE(queue.opened, 1, 1, Sms, "BCS: the SM has had its first run")                            \
    STATE(queue.current, CtaW, 1, Sms, "next CTA of the SM's group or first run")                  \
    STATE(queue.behind, CtaW, 1, Sms, "CTA behind its last")                                       \
    STATE(next, CtaW, 1, 1, "first CTA that is of no group or run, and not placed")                \
    STATE(total, CtaW, 1, 1, "CTAs of the kernel")                                                 \
    STATE(size, CtaW, 1, 1, "CTAs of a group or first run")                                        \
    STATE(tail, CtaW, 1, 1, "CTAs of Sms - 1 groups")                                              \
    STATE(single, 1, 1, 1, "the scheduler has become RR")

#endif
