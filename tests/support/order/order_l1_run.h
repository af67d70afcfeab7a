/* The order engine's L1 step by step: what each access counts and sends. */
#ifndef GOLDMEM_TESTS_SUPPORT_ORDER_ORDER_L1_RUN_H
#define GOLDMEM_TESTS_SUPPORT_ORDER_ORDER_L1_RUN_H

#include "order/order_machine.h"
#include "support/support.h"

#include <string.h>

typedef enum step_kind {
    LOAD,
    STRONG,
    STORE,
    LOCAL_LOAD,
    LOCAL_STORE,
    ATOMIC,
    REDUCE,
    FLUSH
} step_kind;

/* One request for a line, and the messages that it sends: kind letter and sectors in hexadecimal.
 * R read, W write, B write-back, A atomic, D reduction. */
typedef struct step {
    step_kind kind;
    uint64_t line;
    uint32_t sectors, whole;
    const char *outcome; /* "hit", "miss", "bypass", with "+drops" */
    const char *sent;
} step;

static inline void describe(const gm_batch *batch, char *text, size_t size)
{
    static const char letters[] = "RWBADI";
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < batch->count; i++) {
        const gm_message *message = &batch->message[i];
        used += (size_t)snprintf(text + used, size - used, "%s%c%llu:%x", i == 0 ? "" : " ",
                                 letters[message->kind], (unsigned long long)message->line,
                                 message->sectors);
    }
}

static inline void apply(gm_order_l1 *l1, const step *step, gm_outcome *outcome)
{
    gm_line_request request = {.line = step->line,
                               .lanes = 1,
                               .sectors = step->sectors,
                               .whole = step->whole,
                               .local = step->kind == LOCAL_LOAD || step->kind == LOCAL_STORE};
    switch (step->kind) {
    case LOAD:
    case STRONG:
    case LOCAL_LOAD:
        gm_order_l1_access(
            l1, &request, step->kind == STRONG ? GM_REQUEST_STRONG_LOAD : GM_REQUEST_LOAD, outcome);
        break;
    case STORE:
    case LOCAL_STORE:
        gm_order_l1_access(l1, &request, GM_REQUEST_STORE, outcome);
        break;
    case ATOMIC:
    case REDUCE:
        gm_order_l1_access(
            l1, &request, step->kind == ATOMIC ? GM_REQUEST_ATOMIC : GM_REQUEST_REDUCTION, outcome);
        break;
    case FLUSH:
        gm_order_l1_flush(l1);
        break;
    }
}

/* Each step counts one access, and what it says. */
static inline void play_steps(gm_order_machine *machine, const step *steps, size_t count)
{
    gm_order_l1 *l1 = &machine->sm[0].l1;
    const gm_cache_statistics *counts = &l1->statistics;
    for (size_t i = 0; i < count; i++) {
        gm_outcome outcome = {0};
        char sent[256];
        apply(l1, &steps[i], &outcome);
        describe(machine->noc.batch, sent, sizeof sent);
        if (strcmp(sent, steps[i].sent) != 0) {
            fail_msg("step %zu sends \"%s\", not \"%s\"", i, sent, steps[i].sent);
        }
        if (steps[i].kind != FLUSH) {
            assert_int_equal(outcome.hit, strstr(steps[i].outcome, "hit") != NULL);
            assert_int_equal(outcome.bypass, strstr(steps[i].outcome, "bypass") != NULL);
            assert_int_equal(outcome.drops, strstr(steps[i].outcome, "drops") != NULL);
            for (unsigned kind = 0; kind < GM_ACCESS_KINDS; kind++) {
                assert_int_equal(counts->accesses[kind], counts->hits[kind] + counts->misses[kind] +
                                                             counts->bypasses[kind]);
            }
        }
        gm_order_noc_deliver(&machine->noc);
    }
}

#endif
