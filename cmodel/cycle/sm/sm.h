/* SM of the cycle engine: warps issue in order, at most one instruction per scheduler and cycle
 * [khairy, 2.1, Table 1]. Memory instructions are executed by the SM's load/store unit.
 *
 * A warp's next instruction can issue when all registers that it reads or writes are available
 * (scoreboard.h) and its pipe takes one; a memory instruction also needs room in the load/store
 * unit and a free ticket. Of each scheduler's warps that can issue, the policy chooses one
 * (warp_scheduler.h). Warp slot w belongs to scheduler w mod sm.schedulers. In cycle t scheduler
 * t mod sm.schedulers is the first to take what the schedulers share; with sm.turns=occupied t
 * counts the cycles in which the SM has warps after their kernel's launch.
 *   - A result is available unit.X.latency cycles after issue, that of a load or an atomic when the
 *     load/store unit has completed its access. Stores and reductions have none.
 *   - With sm.collectors (operand_collector.h) an instruction issues when a register in front of
 *     the operand collectors is free, even if its pipe is busy. Its pipe takes it, and its latency
 *     begins, when it leaves its collector. With sm.branch_units as well, branches have units of
 *     the SM's own and registers behind the collectors.
 *   - With sm.fetch an instruction issues only from its warp's buffer. In each cycle, after issue,
 *     the SM fetches for sm.fetch_warps warps whose buffers are empty, in turn by slots: the next
 *     sm.fetch instructions of the last of these can issue 2 cycles later, those of the others 1.
 *     With l1i.size they are looked up in an instruction cache first (l1i.h).
 *   - Integer, fp32, fp64, special and tensor instructions have unit.X_units pipes each, of which
 *     scheduler s has number s mod units; each scheduler has a pipe for control instructions. A
 *     pipe takes an instruction every unit.X_interval cycles. Instructions that reach no memory
 *     because they have no active lanes or no addresses, fences and cache control cost an issue
 *     slot only. With sm.fence=registers fences go to the load/store unit, without a request, with
 *     sm.opcode_units=accel_sim also memory instructions without active lanes.
 *   - After a branch, an exit of some lanes or a barrier the warp's next instruction issues
 *     unit.control cycles later, after a barrier counted from the arrival of the last warp; with
 *     sm.turns=occupied from the cycle of this arrival on, if the scheduler's turn comes later.
 *   - A barrier with active lanes waits for every warp of its CTA that has instructions left.
 *   - A fence issues when the warp's earlier accesses are answered, loads included; with
 *     sm.fence=registers it issues at once, and what is behind it when the registers of all earlier
 *     instructions are available. Where L1s have leases (fence.h), one of
 *     CTA scope issues at once, others wait for GWCTs as well.
 *   - With sm.atomic_wait nothing issues after an atomic or a reduction until it is answered.
 *   - WAIT_GROUP issues when at most `immediate` of the warp's closed groups of asynchronous
 *     copies are unfinished; groups finish in order.
 * A warp ends when its last instruction has issued and its accesses are answered, a CTA when all
 * its warps have ended. With sm.drain a warp also waits for its results and for the pipeline behind
 * the unit that takes its exit. */
#ifndef GOLDMEM_CYCLE_SM_SM_H
#define GOLDMEM_CYCLE_SM_SM_H

#include "base/snapshot.h"
#include "cycle/sm/occupancy.h"
#include "cycle/sm/operand_collector.h"
#include "cycle/sm/warp_scheduler.h"
#include "cycle/util/clock.h"
#include "cycle/util/wheel.h"
#include "frontend/coalescer.h"
#include "frontend/intake.h"
#include "goldmem/source.h"
#include "goldmem/statistics.h"
#include "goldmem/warp_limiter.h"
#include "goldmem/warp_store.h"

typedef struct gm_cycle_sm gm_cycle_sm;
typedef struct gm_cycle_warp gm_cycle_warp;

/* Live CTAs: what the SMs call to run an open CTA's warps on (gm_cta.open). */
typedef struct gm_cycle_live {
    void *context;
    int (*go_on)(void *context, gm_cycle_sm *sm, gm_cta *cta, uint32_t place, gm_error *error);
    gm_error failed; /* the first failure; code 0: none */
} gm_cycle_live;

/* Working space for the instruction being issued, shared by all SMs; no state. */
typedef struct gm_cycle_sm_shared {
    gm_coalescer coalescer; /* of accesses to local memory */
    gm_coalesce_context context;
    gm_warp_store *store;     /* set by the engine */
    struct gm_values *values; /* set by the engine: of --check=values, or NULL; then all line
                                 requests are wide and have words */
    const gm_access_observer *observer; /* set by the engine: of analyses, or NULL; then all line
                                           requests are wide */
    uint32_t sms;                       /* of the machine */
    uint32_t code;                      /* bytes of each record in front of its head */
    gm_cycle_live *live;                /* set by the engine: NULL: no CTA is open */
    uint64_t address[GM_ADDRESSES];
} gm_cycle_sm_shared;

/* State of a warp slot: what its warp waits for. */
typedef enum gm_warp_state {
    GM_STATE_FREE,    /* no warp in the slot */
    GM_STATE_READY,   /* to be chosen, or its pipe */
    GM_STATE_RESULT,  /* a wake-up at a known cycle */
    GM_STATE_FRONT,   /* fetch, or the result of an instruction in a collector */
    GM_STATE_FETCH,   /* a line of instructions that the L1I lacks */
    GM_STATE_DATA,    /* a load, an atomic or asynchronous copies */
    GM_STATE_BARRIER, /* the other warps of its CTA */
    GM_STATE_FENCE,   /* answers to its accesses */
    GM_STATE_ENDING,  /* answers to its accesses, or the end of its pipeline (sm.drain); all its
                         instructions have issued */
    GM_STATE_LAUNCH,  /* the end of its launch */
    GM_STATE_LIVE,    /* the answer to its last access, with which the source runs it on; counted
                         with DATA */
    GM_STATES
} gm_warp_state;

/* Pipes: a unit each, MEMORY being the load/store unit; NONE for instructions that need none. */
enum { GM_PIPE_NONE = GM_UNITS, GM_PIPES };

/* Uses of a scheduler's cycle, to which it is charged: the slots_ counters. */
typedef enum gm_slot_use {
    GM_SLOT_ISSUED,
    GM_SLOT_MEMORY,
    GM_SLOT_FETCH,
    GM_SLOT_DEPENDENCE,
    GM_SLOT_UNIT,
    GM_SLOT_MEMORY_UNIT,
    GM_SLOT_BARRIER,
    GM_SLOT_FENCE,
    GM_SLOT_IDLE,
    GM_SLOT_THROTTLED,
    GM_SLOT_USES
} gm_slot_use;

typedef struct gm_cycle_ticket gm_cycle_ticket;
typedef struct gm_resident_cta gm_resident_cta;
typedef struct gm_cycle_scheduler gm_cycle_scheduler;
typedef struct gm_cycle_fences gm_cycle_fences;
typedef struct gm_l1i gm_l1i;
typedef struct gm_cycle_throttle gm_cycle_throttle;

/* The fields that every visit reads come first. */
struct gm_cycle_sm {
    gm_load_store *load_store;
    gm_cycle *wake; /* wake-up time of the SM and its load/store unit; set by the engine */
    gm_cta *ended;  /* list, through next_ended, of the CTAs that ended in the last step */
    /* private: */
    gm_cycle
        quiet; /* next cycle in which an instruction can issue without an answer or wanted room */
    bool wants_room; /* a ready warp waits for room in the load/store unit */
    bool two_level;  /* the schedulers' policy */
    bool collects;   /* sm.collectors is not 0 */
    bool collecting; /* neither two_level nor fences nor l1i nor throttle, and one word in each bit
                        set of warps */
    bool common;     /* collecting, but no collects, no sm.fetch and one word of wheel slots */
    bool common_throttled; /* common, but throttled */
    bool atomics_hold;     /* sm.atomic_wait */
    bool fence_drops;      /* l1.fence_drops */
    bool turns_occupied;   /* sm.turns is occupied */
    uint8_t drain;         /* sm.drain; 0 without collectors */
    uint8_t fence;         /* gm_fence_wait: sm.fence */
    uint8_t fetch;         /* sm.fetch */
    uint8_t fetch_warps;
    uint32_t words; /* of a bit set of warps */
    uint32_t schedulers;
    uint32_t slow;        /* mask of the pipes whose interval is more than a cycle */
    uint32_t pooled;      /* mask of the pipes that several schedulers have together */
    gm_divider in_turn;   /* divides by the number of schedulers */
    gm_cycle turns_from;  /* cycle of the schedulers' first turn: 0; with sm.turns=occupied, modulo
                             2^64, as if the SM had had warps ever since, and while it has none less
                             the first cycle without */
    gm_cycle first;       /* first cycle of issue after the kernel's launch */
    gm_cycle next_launch; /* cycle in which a warp's launch ends; GM_NEVER: none */
    gm_cycle_scheduler *scheduler; /* [schedulers] */
    gm_cycle_scheduler *end;       /* behind the last one */
    uint32_t free_tickets;
    gm_wheel wheel;              /* wake-ups of warps in state RESULT */
    uint64_t *waking;            /* [wheel.slots][words] bit sets of the warps of each wheel slot */
    gm_cycle_warp *warp;         /* [slots] */
    gm_cycle *score;             /* [slots][GM_SCORES] scoreboards */
    uint64_t *age;               /* [slots] number of the warp's admission: smaller is older */
    uint64_t slot[GM_SLOT_USES]; /* scheduler cycles */
    uint16_t latency[GM_PIPES], interval[GM_PIPES];
    uint8_t units[GM_PIPES]; /* of the SM; at most the schedulers */
    gm_cycle_ticket *ticket; /* [GM_TICKETS] */
    uint16_t *free_ticket;   /* [GM_TICKETS] stack of `free_tickets` */
    uint16_t *copies;        /* [slots][GM_GROUP_RING] unanswered asynchronous copies of a group */
    gm_resident_cta *cta;    /* [ctas] */
    uint64_t *waiting;       /* [words] bit set of warps at barriers */
    uint64_t *fenced; /* [words] bit set of warps whose last instruction is a fence; NULL: not with
                         sm.fence=accesses */
    gm_operand_collector collector;
    gm_cycle_fences *fences;     /* where L1s have leases; else NULL */
    uint32_t fetched;            /* slot of the last fetch */
    uint64_t *unfetched;         /* [words] with sm.fetch: bit set of warps with empty buffers and
                                  * instructions left */
    uint8_t *buffered;           /* [slots] with sm.fetch: instructions in the buffer */
    gm_l1i *l1i;                 /* instruction cache; NULL: each fetch finds its instructions */
    gm_cycle_throttle *throttle; /* NULL: every warp may issue */
    uint64_t admitted;           /* warps so far */
    gm_cycle launch;             /* sm.launch */
    bool common_coded;           /* it would be common without gm_cycle_sm_keep_code */
    bool launches;               /* either of the two below is not 0 */
    gm_cycle cta_launch, warp_launch;
    gm_cycle launch_free; /* first cycle in which the next warp's launch can end */
    uint32_t number, slots, ctas;
    gm_occupancy occupancy;
    gm_core_statistics core; /* of the SM's CTAs, counted at admission */
    /* not saved: */
    gm_cycle_sm_shared *shared;
    gm_warp_stream **stream; /* [slots] stream of the warp, in its CTA */
    gm_cta **resident_cta;   /* [ctas] */
};

/* Returns the bytes of arena that gm_cycle_sm_shared_init takes. */
size_t gm_cycle_sm_shared_bytes(const gm_config *config);

/* Makes the working space. Returns 0, -ENOMEM or -EINVAL. */
int gm_cycle_sm_shared_init(gm_cycle_sm_shared *shared, const gm_config *config, gm_arena *arena,
                            gm_error *error);

/* Returns the bytes of arena that gm_cycle_sm_init takes. */
size_t gm_cycle_sm_bytes(const gm_config *config);

/* Makes SM `number`, without warps. Returns 0 or -ENOMEM. */
int gm_cycle_sm_init(gm_cycle_sm *sm, const gm_config *config, uint32_t number,
                     gm_load_store *load_store, gm_cycle_sm_shared *shared, gm_arena *arena,
                     gm_error *error);

/* The SM reads records with addresses: to be called before its first cycle where they are not those
 * of an instruction cache. */
void gm_cycle_sm_keep_code(gm_cycle_sm *sm);

/* Begins work, whose first cycle is `now`: one kernel, or several that run at once. Nothing issues
 * before now + sm.launch. Requires that no warp is resident. */
void gm_cycle_sm_start(gm_cycle_sm *sm, gm_cycle now);

/* Ends the work: no cycle is charged until the next one begins. Requires that its counters have
 * been read. */
void gm_cycle_sm_end(gm_cycle_sm *sm);

/* Admits a CTA: its warps issue from now + 1 on, or when their launch has ended, and it belongs to
 * the SM until it has ended. Returns true if it has no instructions and so has ended at once.
 * Requires enough free warp slots.
 */
bool gm_cycle_sm_admit(gm_cycle_sm *sm, gm_cta *cta, gm_cycle now);

/* Makes the next step do all its work even if nothing is due: for visits in every cycle
 * (--no-skip). */
static inline void gm_cycle_sm_wake_schedulers(gm_cycle_sm *sm)
{
    sm->quiet = 0;
}

/* Computes cycle `now`: the load/store unit, then the schedulers. Returns 0, or a negative errno
 * value of the warp store. Requires that the caller takes sm->ended before the next step. */
int gm_cycle_sm_step(gm_cycle_sm *sm, gm_cycle now, gm_error *error);

/* Throttling (throttle.h). */

/* Returns the parameters of a scheduler's limiter. */
gm_warp_limiter_parameters gm_cycle_throttle_limiter(const gm_config *config);

/* Sets the observers [schedulers] of the limiters. Requires sm->throttle. */
void gm_cycle_throttle_observe(gm_cycle_sm *sm, const gm_observer *observer);

/* Sets the limit of each of the SM's schedulers, if it is another one. Called in cycle `now` before
 * the SM is visited, which it then is; holds from now + 1 on. */
void gm_cycle_throttle_limit(gm_cycle_sm *sm, uint32_t limit, gm_cycle now);

/* Charges the cycles before `now`, and adds the SM's core and slots_ counters to *into. */
void gm_cycle_sm_statistics(gm_cycle_sm *sm, gm_cycle now, gm_statistics *into);

/* True if a fence waits for a time that will come, and for nothing else. */
bool gm_cycle_sm_waits_for_time(const gm_cycle_sm *sm);

#define GM_EVERY_KERNEL UINT64_MAX

/* Adds to *left what the resident CTAs of the kernel of this number, or of every kernel, have not
 * issued yet. Requires turn logs. */
void gm_cycle_sm_left(const gm_cycle_sm *sm, uint64_t kernel, gm_core_statistics *left);

/* Returns the thread instructions that the SM has issued. Requires turn logs. */
uint64_t gm_cycle_sm_issued_threads(const gm_cycle_sm *sm);

/* Checks the invariants at a kernel's end: no warp is resident, nothing is in flight, and each
 * instruction delivered has issued. Returns 0 or -EPROTO. */
int gm_cycle_sm_check(const gm_cycle_sm *sm, gm_error *error);

/* Describes the warp that has issued nothing for the longest time. Returns the cycle of its last
 * issue (or admission), or GM_NEVER if no warp is resident. */
gm_cycle gm_cycle_sm_oldest(const gm_cycle_sm *sm, char *text, size_t size);

/* Saves or loads all state but the load/store unit's and the CTAs' instructions. After loading,
 * each CTA that was resident must be attached before the next step. */
void gm_cycle_sm_snapshot(gm_cycle_sm *sm, gm_snapshot *snapshot);

/* After loading: takes back a CTA of the kernel, which was delivered anew with all its
 * instructions. Returns 1 if it was resident here (its streams are then where they were), 0 if not,
 * -EPROTO if its warps differ, or a negative errno value of the warp store. */
int gm_cycle_sm_attach(gm_cycle_sm *sm, gm_cta *cta, gm_error *error);

#endif
