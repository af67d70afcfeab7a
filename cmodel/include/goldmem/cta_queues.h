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
#include "goldmem/ports/cta_queues.h"

#include <stdbool.h>
#include <stdint.h>

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
    gm_cta_queues_mode mode; /* GROUPS */
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

/* The block's transaction. Requires that the fields of the request are within their widths, and in
 * ASK an SM below `sms`. A size of 0 is taken for 1. Each CTA of a kernel is the answer of one ASK.
 */
gm_cta_queues_response gm_cta_queues_access(gm_cta_queues *queues, gm_cta_queues_request request);

/* Returns the `tail` of a START: the CTAs of sms - 1 groups of `size`, 0 taken for 1, at most
 * 2^cta_bits - 1. */
uint64_t gm_cta_queues_tail(const gm_cta_queues_parameters *parameters, uint64_t size);

/* Returns 0 when all queues lie below `next`, and `next` is not beyond the kernel's CTAs. Else
 * -EINVAL. */
int gm_cta_queues_check(const gm_cta_queues *queues, gm_error *error);

#ifdef __cplusplus
}
#endif

#endif
