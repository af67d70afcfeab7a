/* Private to the SM's front end: its warps, and how they change their state. */
#ifndef GOLDMEM_CYCLE_SM_SM_PARTS_H
#define GOLDMEM_CYCLE_SM_SM_PARTS_H

#include "cycle/lsu/load_store.h"
#include "cycle/sm/scoreboard.h"
#include "cycle/sm/sm.h"
#include "goldmem/bits.h"

enum {
    GM_WORD = 64, /* bits */
    /* Closed groups of a warp that are unfinished are told apart up to 64, the most that an
     * instruction can name; the two oldest of more become one. */
    GM_MOST_GROUPS = 64,
    GM_GROUP_RING = 128, /* the open group lies behind them */
};

/* State; no padding. */
struct gm_cycle_warp {
    uint64_t head; /* of its next instruction's record */
    uint64_t registers[GM_TIMED_REGISTER_WORDS];
    uint64_t taken;      /* records of its stream so far */
    gm_cycle issued;     /* last, or admitted */
    gm_cycle not_before; /* its next instruction, whatever its registers */
    uint64_t written;    /* of its scoreboard, as gm_scoreboard_set marks it */
    uint32_t group;      /* number of its oldest unfinished group of copies */
    uint16_t groups;     /* closed ones that are unfinished; the open one is group + groups */
    uint16_t accesses;   /* unanswered */
    uint16_t cta;        /* number of the resident CTA */
    uint16_t place;      /* in the CTA's arrays */
    uint8_t state;       /* gm_warp_state */
    uint8_t pipe;        /* of its next instruction */
    uint8_t scheduler;
    uint8_t bytes; /* of its next instruction's record in front of the lines */
};

struct gm_cycle_ticket {
    uint64_t registers; /* that the answer brings */
    uint32_t group;     /* of an asynchronous copy */
    uint16_t slot;
    uint8_t destinations;
    uint8_t copy;
};

struct gm_resident_cta {
    uint64_t number;
    uint32_t live;    /* warps that have not ended; 0: the place is free */
    uint32_t running; /* warps with instructions left */
    uint32_t waiting; /* of them, at the barrier */
    uint32_t unused;
};

struct gm_cycle_scheduler {
    uint32_t pipes;            /* mask of pipes with ready warps */
    uint32_t use;              /* gm_slot_use of the cycles that are not counted yet: */
    gm_cycle since;            /* from here on */
    uint32_t warps[GM_STATES]; /* number in each state but FREE and READY */
    gm_cycle issued;           /* last */
    gm_warp_scheduler policy;
    gm_cycle busy[GM_PIPES]; /* until when each pipe is; a shared one's is with each scheduler */
    uint64_t ready[GM_WARP_WORDS][GM_PIPES]; /* mask of ready warps, by pipe of their next one */
};

/* The slot's bit in its word of a mask. Of a plain machine the word has all slots. */
static inline __attribute__((always_inline)) uint64_t gm_cycle_sm_bit(uint32_t slot, bool plain)
{
    return UINT64_C(1) << (plain ? slot : slot % GM_WORD);
}

static inline gm_cycle *gm_cycle_sm_score(const gm_cycle_sm *sm, uint32_t slot)
{
    return &sm->score[(size_t)slot * GM_SCORES];
}

/* Unanswered copies of a warp's group. */
static inline uint16_t *gm_cycle_sm_copies(const gm_cycle_sm *sm, uint32_t slot, uint32_t group)
{
    return &sm->copies[(size_t)slot * GM_GROUP_RING + group % GM_GROUP_RING];
}

/* A pipe that schedulers share is busy until then, with each of them. */
__attribute__((noinline)) void gm_cycle_sm_share(gm_cycle_sm *sm, unsigned pipe, gm_cycle until);

/* The pipe takes an instruction of the scheduler's. */
static inline void gm_cycle_sm_occupy(gm_cycle_sm *sm, gm_cycle_scheduler *scheduler, unsigned pipe,
                                      gm_cycle now)
{
    enum { SHARED = 1 << GM_UNIT_FP64 | 1 << GM_UNIT_SPECIAL | 1 << GM_UNIT_TENSOR };
    gm_cycle until = now + sm->interval[pipe];
    scheduler->busy[pipe] = until;
    if ((SHARED >> pipe & 1) != 0) {
        gm_cycle_sm_share(sm, pipe, until);
    }
}

/* Does the load/store unit, or the register in front of the collectors, take an instruction? */
static inline __attribute__((always_inline)) bool gm_cycle_sm_has_room(const gm_cycle_sm *sm,
                                                                       bool plain)
{
    return sm->free_tickets != 0 &&
           (plain || !sm->collects ? gm_load_store_has_room(sm->load_store)
                                   : gm_operand_collector_takes(&sm->collector, GM_UNIT_MEMORY));
}

/* Is the warp's buffer empty? (There is none, and no mask, without sm.fetch.) */
static inline bool gm_cycle_sm_is_hungry(const gm_cycle_sm *sm, uint32_t slot)
{
    return sm->fetch != 0 && (sm->hungry[slot / GM_WORD] >> slot % GM_WORD & 1) != 0;
}

/* The warp's buffer is empty. */
static inline void gm_cycle_sm_hunger(gm_cycle_sm *sm, uint32_t slot)
{
    sm->hungry[slot / GM_WORD] |= UINT64_C(1) << slot % GM_WORD;
}

/* The warp will be ready in cycle `at`: less than sm->turns after the present one. */
static inline __attribute__((always_inline)) void gm_cycle_sm_turn(gm_cycle_sm *sm, uint32_t slot,
                                                                   gm_cycle at, bool plain)
{
    uint32_t turn = (uint32_t)at & ((plain ? (uint32_t)GM_WORD : sm->turns) - 1);
    size_t word = plain ? turn : (size_t)turn * sm->words + slot / GM_WORD;
    sm->wheel[word] |= gm_cycle_sm_bit(slot, plain);
    sm->turning[plain ? 0 : turn / GM_WORD] |= UINT64_C(1) << turn % GM_WORD;
}

/* The next cycle after `now` in which the wheel has warps; GM_NEVER: none. */
gm_cycle gm_cycle_sm_next_turn(const gm_cycle_sm *sm, gm_cycle now);

/* The same where all turns are in one word. */
static inline gm_cycle gm_cycle_sm_next_of_word(const gm_cycle_sm *sm, gm_cycle now)
{
    uint64_t turning = *sm->turning;
    unsigned turn = (unsigned)(now + 1) % GM_WORD;
    uint64_t ahead = turning >> turn | turning << (-turn % GM_WORD);
    return ahead == 0 ? GM_NEVER : now + 1 + gm_lowest_one(ahead);
}

/* The memory instruction that is the warp's next goes to the load/store unit, or takes the register
 * in front of the collectors, and its records are removed. The caller sees to the scoreboard. */
__attribute__((noinline)) int gm_cycle_sm_access(gm_cycle_sm *sm, gm_cycle_warp *warp,
                                                 uint32_t slot, gm_cycle now, gm_error *error);

/* A closed group is the youngest of the warp's. */
__attribute__((noinline)) void gm_cycle_sm_commit(gm_cycle_sm *sm, uint32_t slot);

/* The ticket of an asynchronous copy of the warp has been answered. */
__attribute__((noinline)) void gm_cycle_sm_copied(gm_cycle_sm *sm, uint32_t slot, uint32_t group);

/* The warp's next instruction, of a pipe and no memory instruction, takes a register in front of
 * the collectors. */
void gm_cycle_sm_collect(gm_cycle_sm *sm, uint32_t slot);

/* One cycle of the collectors, which there are. *slots: mask of warps for which something has
 * changed. */
void gm_cycle_sm_step_collectors(gm_cycle_sm *sm, gm_cycle now, uint64_t *slots);

/* After it and issue: the next cycle in which a collector has something to do, if the load/store
 * unit takes nothing; or GM_NEVER. Says in sm->wants_room whether something waits for that. */
gm_cycle gm_cycle_sm_next_collection(gm_cycle_sm *sm, gm_cycle now);

/* With sm.fetch, after issue: the warp that is fetched for, or GM_NO_WARP. */
uint32_t gm_cycle_sm_fetch(gm_cycle_sm *sm);

/* The record is the warp's next. When its registers are there, as gm_scoreboard_ready. */
static inline gm_cycle gm_cycle_sm_take_head(gm_cycle_warp *warp, const gm_cycle *score,
                                             const unsigned char *record)
{
    uint64_t head = gm_warp_load(record, sizeof head);
    unsigned registers = gm_timed_registers(head);
    gm_cycle ready = 0;
    warp->head = head;
    warp->pipe = (uint8_t)gm_timed_unit(head);
    warp->bytes = GM_WARP_HEAD;
    if (registers != 0) {
        const unsigned char *at = record + GM_WARP_HEAD;
        warp->bytes = GM_WARP_HEAD + sizeof head;
        warp->registers[0] = gm_warp_load(at, sizeof head);
        if (registers > GM_TIMED_WORD_REGISTERS) {
            warp->bytes = GM_WARP_HEAD + 2 * sizeof head;
            warp->registers[1] = gm_warp_load(at + sizeof head, sizeof head);
        }
        ready = gm_scoreboard_ready(score, warp->registers, registers);
    }
    return ready;
}

/* Bytes of a record; `address` has room for GM_ADDRESSES. */
size_t gm_cycle_length(const unsigned char *record, uint64_t *address);

#endif
