/* CTA queues [tabbakh, IV]: the CTA scheduler's choice of the CTA that an SM gets next. RR: the
 * next one of the kernel. GROUPS: the next one of a group of consecutive CTAs that the SM has for
 * itself. BCS [tabbakh, VII-A]: a run of consecutive CTAs at first, then two at a time. RTL:
 * rtl/cta_queues.sv; page: docs/blocks/cta_queues.md. */
#ifndef GOLDMEM_CTA_QUEUES_H
#define GOLDMEM_CTA_QUEUES_H

#include "goldmem/arena.h"
#include "goldmem/error.h"
#include "goldmem/observer.h"
#include "goldmem/ports.h"

#include <stdbool.h>
#include <stdint.h>

/* The port list: goldmem/ports.h says how to read it. A field that is not named is 0. */
#define GM_CTA_QUEUES_PARAMETERS(PARAMETER)                                                        \
    PARAMETER(Sms, 32, 15, "SMs, 1 to 1024")                                                       \
    PARAMETER(CtaW, 32, 32, "bits of a CTA's number and of a number of CTAs, 1 to 63")             \
    PARAMETER(Mode, 32, 0, "0 RR, 1 BCS, 2 GROUPS")                                                \
    PARAMETER(Adaptive, 32, 0, "GROUPS: 1: RR once fewer groups remain than there are SMs")

/* Widths of ports that follow from the parameters: localparams in SystemVerilog. */
#define GM_CTA_QUEUES_DERIVED(DERIVED)                                                             \
    DERIVED(SmW, Sms < 3 ? 1 : gm_log2_ceil(Sms), "bits of an SM's number")

#define GM_CTA_QUEUES_REQUEST(FIELD)                                                               \
    FIELD(op, 1, "ASK, START")                                                                     \
    FIELD(sm, SmW, "ASK: the SM; one below Sms")                                                   \
    FIELD(free, 2, "ASK: CTAs that the SM has room for; 2: two or more, 3: likewise")              \
    FIELD(ctas, CtaW, "START: CTAs of the kernel")                                                 \
    FIELD(size, CtaW, "START: GROUPS: CTAs of a group; BCS: of an SM's first run; 1 or more")      \
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

#ifdef __cplusplus
extern "C" {
#endif

enum { GM_CTA_QUEUES_SMS = 1024 /* at most */ };

typedef enum gm_cta_queues_mode {
    GM_CTA_QUEUES_RR,     /* one CTA after the other, to whoever asks */
    GM_CTA_QUEUES_BCS,    /* a run of `size` CTAs for each SM, then pairs */
    GM_CTA_QUEUES_GROUPS, /* groups of `size` CTAs, each for one SM */
} gm_cta_queues_mode;

typedef struct gm_cta_queues_parameters {
    unsigned sms;            /* 1 to 1024; 15 [tabbakh, Table I] */
    unsigned cta_bits;       /* of a CTA's number and of a number of CTAs, 1 to 63; 32 */
    gm_cta_queues_mode mode; /* RR */
    bool adaptive;           /* GROUPS: RR once fewer groups remain than there are SMs */
} gm_cta_queues_parameters;

/* CTAs that an SM has for itself: from `current` to the one before `behind`. */
typedef struct gm_cta_queue {
    uint64_t current, behind;
    bool opened; /* BCS: it has had its first run */
} gm_cta_queue;

typedef struct gm_cta_queues {
    gm_cta_queues_parameters parameters;
    gm_cta_queue *queue; /* [sms] */
    uint64_t next;       /* first CTA that is of no queue, and not placed */
    uint64_t total;      /* CTAs of the kernel */
    uint64_t size;       /* CTAs of a group or first run */
    uint64_t tail;       /* CTAs of sms - 1 groups, saturated */
    bool single;         /* the scheduler has become RR */
    /* Called with each transaction; NULL: no observer. Requires that the caller sets it before the
     * first transaction. */
    const gm_observer *observer;
} gm_cta_queues;

GM_PORTS_STRUCTS(cta_queues, CTA_QUEUES)

/* Returns the bytes of arena that init takes. */
size_t gm_cta_queues_bytes(unsigned sms);

/* Begins without CTAs. Returns 0, -EINVAL, which names the parameter that is out of range, or
 * -ENOMEM. */
int gm_cta_queues_init(gm_cta_queues *queues, const gm_cta_queues_parameters *parameters,
                       gm_arena *arena, gm_error *error);

/* The block's transaction. Requires that the fields of the request are within their widths; in ASK
 * an SM below `sms`; in START, but for RR, a size of 1 or more. Each CTA of a kernel is the answer
 * of one ASK. */
gm_cta_queues_response gm_cta_queues_access(gm_cta_queues *queues, gm_cta_queues_request request);

/* Returns the `tail` of a START: the CTAs of sms - 1 groups of `size`, at most 2^cta_bits - 1. */
uint64_t gm_cta_queues_tail(const gm_cta_queues_parameters *parameters, uint64_t size);

/* Returns 0 when all queues lie below `next`, and `next` is not beyond the kernel's CTAs. Else
 * -EINVAL. */
int gm_cta_queues_check(const gm_cta_queues *queues, gm_error *error);

#ifdef __cplusplus
}
#endif

#endif
