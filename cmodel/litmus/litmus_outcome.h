/* Outcome of a litmus test's trial: what each operation read and wrote, from the values that the
 * engine tells, and whether the condition holds. */
#ifndef GOLDMEM_LITMUS_LITMUS_OUTCOME_H
#define GOLDMEM_LITMUS_LITMUS_OUTCOME_H

#include "goldmem/value_observer.h"
#include "litmus/litmus_source.h"

enum { GM_LITMUS_OUTCOME = 240 }; /* bytes of an outcome's text */

/* What an operation on memory did: numbers of stores (goldmem/value_observer.h), or
 * GM_LITMUS_UNSEEN. */
typedef struct gm_litmus_event {
    uint32_t read;    /* load, atomic: whose value it got */
    uint32_t written; /* store, atomic: its own number */
    uint32_t before;  /* store, atomic: the value of its word that it replaced */
} gm_litmus_event;

#define GM_LITMUS_UNSEEN UINT32_MAX

typedef struct gm_litmus_outcome {
    const gm_litmus_test *test;
    const gm_litmus_source *source;
    gm_litmus_event event[GM_LITMUS_MOST_WARPS][GM_LITMUS_MOST_OPERATIONS];
    uint32_t last[GM_LITMUS_MOST_LINES]
                 [GM_LITMUS_WORDS]; /* last store performed to each word; 0: none
                                     */
} gm_litmus_outcome;

/* Begins a trial. */
void gm_litmus_outcome_begin(gm_litmus_outcome *outcome);

/* Returns the observer that fills the outcome. */
gm_value_observer gm_litmus_outcome_observer(gm_litmus_outcome *outcome);

/* True if the test's condition holds. Requires that the trial has ended. */
bool gm_litmus_outcome_holds(const gm_litmus_outcome *outcome);

/* Writes the values of the registers that loads have written, and of the words in the condition:
 * "0:r0=1 1:r1=0 x=2". */
void gm_litmus_outcome_text(const gm_litmus_outcome *outcome, char text[GM_LITMUS_OUTCOME]);

#endif
