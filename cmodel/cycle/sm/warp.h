/* Warps of an SM: state of a warp, a resident CTA, a memory instruction in flight and a scheduler.
 * Private to the SM, as are all headers of this folder but sm.h. */
#ifndef GOLDMEM_CYCLE_SM_WARP_H
#define GOLDMEM_CYCLE_SM_WARP_H

#include "cycle/sm/sm.h"

/* A resident warp and its next instruction. State; no padding. */
struct gm_cycle_warp {
    uint64_t head; /* of the next instruction's record */
    uint64_t registers[GM_TIMED_REGISTER_WORDS];
    uint64_t taken;      /* records removed from the stream so far */
    gm_cycle issued;     /* cycle of the last issue, or of admission */
    gm_cycle not_before; /* earliest issue of the next instruction, apart from its registers;
                            GM_NEVER: sm.atomic_wait, an atomic is unanswered. In state ENDING:
                            earliest end (sm.drain) */
    uint64_t written;    /* marks of gm_scoreboard_set */
    uint32_t group;      /* number of the oldest unfinished group of asynchronous copies */
    uint16_t groups;     /* closed and unfinished groups; the open one is group + groups */
    uint16_t accesses;   /* unanswered memory instructions, and instructions in collectors */
    uint16_t cta;        /* number of the resident CTA */
    uint16_t place;      /* in the CTA's arrays */
    uint8_t state;       /* gm_warp_state */
    uint8_t pipe;        /* of the next instruction */
    uint8_t scheduler;
    uint8_t bytes; /* of the next instruction's record, without its lines */
};

/* What the answer to a memory instruction does beside making registers available. */
typedef enum gm_ticket_mark {
    GM_TICKET_COPY = 1,  /* an asynchronous copy is done */
    GM_TICKET_HOLDS = 2, /* its warp issues again (sm.atomic_wait) */
} gm_ticket_mark;

/* A memory instruction in flight. */
struct gm_cycle_ticket {
    uint64_t registers; /* registers that the answer writes */
    uint32_t group;     /* group of an asynchronous copy */
    uint16_t slot;
    uint8_t destinations;
    uint8_t marks; /* mask of gm_ticket_mark */
};

struct gm_resident_cta {
    uint64_t number;
    gm_cycle placed;  /* at the end of this cycle */
    uint32_t live;    /* warps that have not ended; 0: the place is free */
    uint32_t running; /* warps with instructions left */
    uint32_t waiting; /* running warps that wait at the barrier */
    uint32_t kernel;  /* number in the run, its low 32 bits */
};

struct gm_cycle_scheduler {
    uint32_t pipes;            /* mask of pipes with ready warps */
    uint32_t use;              /* gm_slot_use of the cycles not yet charged */
    gm_cycle since;            /* first cycle not yet charged */
    uint32_t warps[GM_STATES]; /* number in each state but FREE and READY */
    gm_cycle issued;           /* cycle of the last issue */
    gm_warp_scheduler policy;
    gm_cycle busy[GM_PIPES]; /* first cycle in which each pipe takes an instruction; the schedulers
                                have equal times for a pipe that they share */
    uint64_t ready[GM_WARP_WORDS][GM_PIPES]; /* bit sets of ready warps, by pipe */
};

/* Constants that the templates of an SM's cycle are compiled for: a field is false if the machine
 * is known not to have the feature. */
typedef struct gm_sm_shape {
    bool many_words; /* more than 64 warp slots: several words in a bit set of warps */
    bool long_wheel; /* more than 64 slots of the timing wheel */
    bool collectors; /* sm.collectors */
    bool fetch;      /* sm.fetch */
    bool l1i;        /* l1i.size */
    bool two_level;  /* sm.scheduler=two_level */
    bool fences;     /* the L1s have leases */
    bool throttle;   /* sm.throttle: only in the instance of throttled machines */
} gm_sm_shape;

#define GM_SM_ANY       ((gm_sm_shape){true, true, true, true, true, true, true, false})
#define GM_SM_THROTTLED ((gm_sm_shape){true, true, true, true, true, true, true, true})

/* Returns the word of a bit set of warps that has the slot. */
GM_TEMPLATE uint32_t gm_cycle_sm_word(uint32_t slot, const gm_sm_shape shape)
{
    return shape.many_words ? slot / GM_BITSET_WORD : 0;
}

/* Returns the slot's bit in its word of a bit set of warps. */
GM_TEMPLATE uint64_t gm_cycle_sm_bit(uint32_t slot, const gm_sm_shape shape)
{
    return UINT64_C(1) << (shape.many_words ? slot % GM_BITSET_WORD : slot);
}

/* Returns the number of words of a bit set of warps. */
GM_TEMPLATE uint32_t gm_cycle_sm_words(const gm_cycle_sm *sm, const gm_sm_shape shape)
{
    return shape.many_words ? sm->words : 1;
}

/* True if the warp's next instruction waits for a fence (sm.fence=registers). */
static inline bool gm_cycle_sm_is_fenced(const gm_cycle_sm *sm, uint32_t slot)
{
    return sm->fenced != NULL && gm_bitset_has(sm->fenced, slot);
}

static inline gm_cycle *gm_cycle_sm_score(const gm_cycle_sm *sm, uint32_t slot)
{
    return &sm->score[(size_t)slot * GM_SCORES];
}

static inline gm_cycle_scheduler *gm_cycle_sm_scheduler_of(const gm_cycle_sm *sm,
                                                           const gm_cycle_warp *warp)
{
    return &sm->scheduler[warp->scheduler];
}

#endif
