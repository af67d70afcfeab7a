/* SM of the cycle engine, front end: warps that issue in order, at most one instruction per
 * scheduler and cycle [khairy, 2.1, Table 1]. Memory instructions go to the SM's load/store unit.
 *
 * When an instruction can issue. It is its warp's next; the registers that it reads or writes are
 * there (scoreboard.h); its unit takes one; and a memory instruction finds room in the load/store
 * unit and a free ticket. Of each scheduler's warps that can, the policy chooses one
 * (warp_scheduler.h). Warp slot w belongs to scheduler w mod sm.schedulers. Schedulers take turns
 * in being first at what they share: in cycle t it is scheduler t mod sm.schedulers.
 *   - A result is there unit.X.latency cycles after issue, that of a load or an atomic when the
 *     load/store unit has done its access. Stores and reductions have none.
 *   - With sm.collectors (operand_collector.h) an instruction issues when a register in front of
 *     the operand collectors is free, whatever its unit does; its unit takes it, and its result's
 *     time begins, when it leaves its collector. With sm.branch_units as well, branches have units
 *     of the SM's and registers behind the collectors.
 *   - With sm.fetch an instruction issues only from the warp's buffer. In each cycle, after issue,
 *     one warp whose buffer is empty is fetched for, in turn by slots: its next sm.fetch
 *     instructions are in the buffer 2 cycles later.
 *   - Each scheduler has a pipe for integer, fp32 and control instructions each; fp64, special and
 *     tensor instructions go to one pipe of the SM each. A pipe takes an instruction each
 *     unit.X_interval cycles. Instructions that reach no memory for want of active lanes or of
 *     addresses, fences and cache control cost an issue slot only.
 *   - After a branch, an exit of some lanes or a barrier the warp's next instruction issues
 *     unit.control cycles later, after a barrier from the cycle on in which the last warp came.
 *   - A barrier with active lanes waits for every warp of its CTA that has instructions left.
 *   - A fence issues when the warp's earlier accesses are answered, loads included.
 *   - WAIT_GROUP issues when at most `immediate` of the warp's closed groups of asynchronous
 *     copies are unfinished; groups finish in order.
 * A warp has ended when its last instruction is issued and its accesses are answered, a CTA when
 * all its warps have. */
#ifndef GOLDMEM_CYCLE_SM_SM_H
#define GOLDMEM_CYCLE_SM_SM_H

#include "base/snapshot.h"
#include "cycle/sm/operand_collector.h"
#include "cycle/sm/warp_scheduler.h"
#include "cycle/util/clock.h"
#include "frontend/coalescer.h"
#include "frontend/intake.h"
#include "goldmem/source.h"
#include "goldmem/statistics.h"
#include "goldmem/warp_store.h"

/* What all SMs share: working space for the instruction being issued, no state. */
typedef struct gm_cycle_sm_shared {
    gm_coalescer coalescer; /* of accesses to local memory */
    gm_coalesce_context context;
    gm_warp_store *store; /* set by the engine */
    uint64_t address[GM_ADDRESSES];
} gm_cycle_sm_shared;

/* What a warp's next instruction waits for. */
typedef enum gm_warp_state {
    GM_STATE_FREE,   /* no warp in the slot */
    GM_STATE_READY,  /* for its unit, or its turn */
    GM_STATE_RESULT, /* for a time that is known */
    GM_STATE_FRONT,  /* to be fetched, or for a result of what has not left its collector */
    GM_STATE_DATA,   /* for a load, an atomic or asynchronous copies */
    GM_STATE_BARRIER,
    GM_STATE_FENCE,
    GM_STATE_ENDING, /* none is left; for accesses to be answered */
    GM_STATES
} gm_warp_state;

/* Where an instruction executes: a unit, with MEMORY for what takes a place in the load/store unit,
 * or nowhere. */
enum { GM_PIPE_NONE = GM_UNITS, GM_PIPES };

/* What a scheduler's cycle was, as the slots_ counters. */
typedef enum gm_slot_use {
    GM_SLOT_ISSUED,
    GM_SLOT_MEMORY,
    GM_SLOT_DEPENDENCE,
    GM_SLOT_UNIT,
    GM_SLOT_MEMORY_UNIT,
    GM_SLOT_BARRIER,
    GM_SLOT_FENCE,
    GM_SLOT_IDLE,
    GM_SLOT_USES
} gm_slot_use;

typedef struct gm_cycle_warp gm_cycle_warp;
typedef struct gm_cycle_ticket gm_cycle_ticket;
typedef struct gm_resident_cta gm_resident_cta;
typedef struct gm_cycle_scheduler gm_cycle_scheduler;

/* What every visit looks at comes first. */
typedef struct gm_cycle_sm {
    gm_load_store *load_store;
    gm_cycle *wake; /* set by the engine, one with the load/store unit's */
    gm_cta *ended;  /* after a step: CTAs that have ended in it, through next_ended */
    /* private: */
    gm_cycle quiet;  /* until then nothing issues, unless something comes: */
    bool wants_room; /* some ready warp waits for room in the load/store unit */
    bool groups;     /* the schedulers' policy is two-level */
    bool collects;   /* there are operand collectors */
    bool plain;      /* none of the two, no sm.fetch; masks of warps and the wheel's turns are one
                      * word, schedulers a power of two */
    uint8_t fetch;   /* sm.fetch */
    uint32_t words, schedulers;
    uint32_t slow;                 /* mask of the pipes that take no instruction in each cycle */
    gm_divider in_turn;            /* by schedulers */
    gm_cycle first;                /* nothing issues before: of a kernel's launch */
    gm_cycle_scheduler *scheduler; /* [schedulers] */
    gm_cycle_scheduler *end;       /* behind the last one */
    uint32_t free_tickets;
    uint32_t turns;      /* of the wheel, a power of two */
    uint64_t *turning;   /* [turns / 64] mask of turns with warps */
    uint64_t *wheel;     /* [turns][words] mask of warps that will be ready in cycle t mod turns */
    gm_cycle_warp *warp; /* [slots] */
    gm_cycle *score;     /* [slots][GM_SCORES] */
    uint64_t *age;       /* [slots] */
    uint64_t slot[GM_SLOT_USES]; /* scheduler cycles */
    uint16_t latency[GM_PIPES], interval[GM_PIPES];
    gm_cycle_ticket *ticket; /* [GM_TICKETS] */
    uint16_t *free_ticket;   /* [GM_TICKETS] stack of `free_tickets` */
    uint16_t *copies;        /* [slots][groups] unanswered asynchronous copies */
    gm_resident_cta *cta;    /* [ctas] */
    uint64_t *waiting;       /* [words] mask of warps at barriers */
    gm_operand_collector collector;
    uint32_t fetched;  /* slot that was fetched for last */
    uint64_t *hungry;  /* [words] mask of warps whose buffer is empty, which have instructions */
    uint8_t *buffered; /* [slots] instructions, with sm.fetch */
    uint64_t admitted; /* warps so far */
    gm_cycle launch;   /* sm.launch */
    uint32_t number, slots, ctas;
    uint32_t resident;       /* warps */
    gm_core_statistics core; /* of its CTAs, counted when they come */
    /* no state: */
    gm_cycle_sm_shared *shared;
    gm_warp_stream **stream; /* [slots] the CTA's */
    gm_cta **resident_cta;   /* [ctas] */
} gm_cycle_sm;

size_t gm_cycle_sm_shared_bytes(const gm_config *config); /* of arena that init takes */
int gm_cycle_sm_shared_init(gm_cycle_sm_shared *shared, const gm_config *config, gm_arena *arena,
                            gm_error *error);

/* What addresses of the kernel mean. */
void gm_cycle_sm_shared_kernel(gm_cycle_sm_shared *shared, const gm_kernel *kernel);

size_t gm_cycle_sm_bytes(const gm_config *config); /* of arena that init takes */

/* -ENOMEM. */
int gm_cycle_sm_init(gm_cycle_sm *sm, const gm_config *config, uint32_t number,
                     gm_load_store *load_store, gm_cycle_sm_shared *shared, gm_arena *arena,
                     gm_error *error);

/* A kernel begins in cycle `now`, the first one that counts for it; no warp is there. Nothing
 * issues before now + sm.launch. */
void gm_cycle_sm_start(gm_cycle_sm *sm, const gm_kernel *kernel, gm_cycle now);

/* The kernel has ended and its counters have been read: cycles up to the next one count for none.
 */
void gm_cycle_sm_end(gm_cycle_sm *sm);

/* The CTA's warps take free slots, of which there are enough, and issue from now + 1 on. The CTA
 * stays the SM's until it has ended. True: it has ended at once, having no instructions. */
bool gm_cycle_sm_admit(gm_cycle_sm *sm, gm_cta *cta, gm_cycle now);

/* The next step looks at every scheduler, though none may have anything due: for visits in every
 * cycle. */
static inline void gm_cycle_sm_wake_schedulers(gm_cycle_sm *sm)
{
    sm->quiet = 0;
}

/* Does cycle `now`: the load/store unit, then the schedulers. Negative: an errno value of the warp
 * store. The caller takes sm->ended before the next step. */
int gm_cycle_sm_step(gm_cycle_sm *sm, gm_cycle now, gm_error *error);

/* Counts the cycles before `now`, and adds the SM's core and slots_ counters to *into. */
void gm_cycle_sm_statistics(gm_cycle_sm *sm, gm_cycle now, gm_statistics *into);

/* Of a run with turn logs: adds what its CTAs have not issued yet to *left. */
void gm_cycle_sm_left(const gm_cycle_sm *sm, gm_core_statistics *left);

/* At a kernel's end: no warp, nothing on its way, an instruction issued for each that was
 * delivered. -EPROTO says what is not so. */
int gm_cycle_sm_check(const gm_cycle_sm *sm, gm_error *error);

/* When the warp that has issued nothing for the longest time issued last (or was admitted), and
 * what it waits for. GM_NEVER: no warp is there. */
gm_cycle gm_cycle_sm_oldest(const gm_cycle_sm *sm, char *text, size_t size);

/* All state but the load/store unit's and the CTAs' instructions. After loading, each CTA that was
 * resident must be attached before the next step. */
void gm_cycle_sm_snapshot(gm_cycle_sm *sm, gm_snapshot *snapshot);

/* After loading: a CTA of the kernel, delivered anew with all its instructions. 1: it was resident
 * here, and its streams are as far as they were; 0: it was not; negative: an errno value of the
 * warp store. */
int gm_cycle_sm_attach(gm_cycle_sm *sm, gm_cta *cta, gm_error *error);

#endif
