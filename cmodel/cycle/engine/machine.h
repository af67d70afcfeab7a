/* Machine of the cycle engine: SMs with their load/store units, a network for each direction, L2
 * banks and DRAM channels; the wake-up time of each unit; one cycle of the whole machine. */
#ifndef GOLDMEM_CYCLE_ENGINE_MACHINE_H
#define GOLDMEM_CYCLE_ENGINE_MACHINE_H

#include "cache/values.h"
#include "cycle/dram/gddr5.h"
#include "cycle/l2/l2_bank.h"
#include "cycle/lsu/load_store.h"
#include "cycle/noc/network.h"
#include "cycle/sm/sm.h"
#include "cycle/tracker/tracker_bank.h"
#include "goldmem/engine.h"
#include "policy/sampling.h"

enum { GM_CYCLE_WAKE_GROUP = 8 }; /* wake-up times that are compared together */

/* Wake-up time of a unit with nothing to do. Wake-up times are compared as signed numbers. */
#define GM_CYCLE_ASLEEP ((gm_cycle)INT64_MAX)

typedef struct gm_cycle_machine gm_cycle_machine;

/* Acts at the multiples of `period` core cycles, from the first one on, through kernels' ends:
 * before any unit is visited in that cycle. */
typedef struct gm_cycle_timer {
    uint64_t period;
    gm_cycle due; /* GM_NEVER: there is no timer */
    void (*act)(gm_cycle_machine *machine, gm_cycle now);
} gm_cycle_timer;

struct gm_cycle_machine {
    const gm_config *config;
    gm_coherence_time time; /* with a coherence protocol that has leases */
    gm_cycle_timer timer;
    gm_cycle begins; /* first cycle in which an epoch begins or the timer acts */
    gm_arena arena;
    uint32_t sms, banks, partitions; /* `banks`: of all partitions */
    bool no_skip;                    /* visit every unit in every cycle */
    gm_cycle now;                    /* the cycle being computed, or the last one computed */
    /* Wake-up times, in the order of visits. Each kind of unit has whole groups; places without a
     * unit stay GM_CYCLE_ASLEEP: */
    uint32_t wakes;
    gm_cycle *wake; /* [wakes] channels, tracker banks, banks, networks of replies, requests,
                       peers and acknowledgements, ports of the last, SMs */
    gm_cycle *channel_wake, *tracker_wake, *bank_wake, *replies_wake, *requests_wake, *peers_wake,
        *acknowledgements_wake, *port_wake, *sm_wake; /* within `wake` */
    bool foresees;       /* units are visited with foresight (base/foresight.h) */
    gm_cycle judges;     /* cycle in which foresees is next decided; GM_NEVER: without foresight */
    uint32_t *due;       /* [sms or banks] with foresight: the units of a kind that
                            are visited in a cycle; NULL: the machine is small */
    gm_gddr5 *channel;   /* [partitions] */
    gm_l2_bank *bank;    /* [banks] */
    gm_network replies;  /* L2 banks to SMs */
    gm_network requests; /* SMs to L2 banks */
    gm_network peers;    /* SMs to SMs; only with trackers */
    gm_network acknowledgements; /* SMs to L2 banks; only if they have wires of their own */
    bool directory;              /* the coherence protocol has one */
    bool apart;                  /* and its acknowledgements have wires of their own */
    uint32_t trackers;           /* tracker banks: 0, or one in front of each L2 bank */
    gm_tracker_bank *tracker;    /* [trackers] */
    gm_credit_wire *credits;     /* [trackers] from the SMs to each */
    gm_tracker_shared tracker_shared;
    gm_load_store *load_store; /* [sms] */
    gm_cycle_sm *sm;           /* [sms] */
    uint64_t *ended;           /* bit set of the SMs with CTAs that have ended */
    gm_cycle_sm_shared shared; /* shared by all SMs */
    gm_values *values;         /* or NULL; the machine's */
    gm_latencies *latencies;   /* or NULL; the machine's, as `latency`: [sms] */
    gm_cycle_latency *latency;
    gm_pc_table pcs;         /* counts by instruction */
    gm_pc_flight *pc_flight; /* [sms]; NULL: none */
    gm_cycle_l1_shared l1_shared;
    gm_unified_statistics unified; /* of the work; saved with the run's position */
    gm_dueling dueling;            /* with l1.dueling */
    gm_sampling sampling;          /* with sm.throttle=sampling */
    gm_l2_shared l2_shared;
    gm_cycle **bank_wakes; /* [banks] addresses of the banks' wake-up times, for the channels */
};

/* Makes an idle machine at cycle 0. Returns 0 or a negative errno value. gm_cycle_machine_free
 * frees what the machine holds. */
int gm_cycle_machine_init(gm_cycle_machine *machine, const gm_config *config, gm_error *error);
void gm_cycle_machine_free(gm_cycle_machine *machine);

/* Carries values from now on, before the first cycle. Returns 0 or -ENOMEM. */
int gm_cycle_machine_keep_values(gm_cycle_machine *machine, const gm_value_observer *observer,
                                 gm_error *error);

/* Counts latencies from now on, before the first cycle. Returns 0 or -ENOMEM. */
int gm_cycle_machine_keep_latencies(gm_cycle_machine *machine, gm_error *error);

/* Counts by instruction address from now on, before the first cycle: requires records with
 * addresses. Returns 0 or -ENOMEM. */
int gm_cycle_machine_keep_pcs(gm_cycle_machine *machine, gm_error *error);

/* Ends a kernel of the values, if there are any. Returns 0, or what gm_values_check returns. */
int gm_cycle_machine_end_values(gm_cycle_machine *machine, gm_error *error);

/* Makes the machine act every `period` core cycles, before its first cycle. What `act` does to an
 * SM in cycle `now` it does before the SM's visit in that cycle; it wakes SMs with gm_wake. */
void gm_cycle_machine_set_timer(gm_cycle_machine *machine, uint64_t period,
                                void (*act)(gm_cycle_machine *machine, gm_cycle now));

/* Returns the next cycle after machine->now in which a unit must be visited or the timer acts, or
 * GM_NEVER if no unit has anything to do. */
gm_cycle gm_cycle_machine_next(const gm_cycle_machine *machine);

/* Sets machine->begins. Private to machine_init.c and machine.c. */
void gm_cycle_machine_settle_begins(gm_cycle_machine *machine);

/* Private to gm_cycle_machine_begin. */
void gm_cycle_machine_begin_due(gm_cycle_machine *machine, gm_cycle now);

/* Begins the epoch of cycle `now`, if it has not begun; lets the timer act if it is due, also for
 * multiples before `now` in which no unit had anything to do. */
static inline void gm_cycle_machine_begin(gm_cycle_machine *machine, gm_cycle now)
{
    if (now >= machine->begins) {
        gm_cycle_machine_begin_due(machine, now);
    }
}

/* Computes cycle `now`, whose epoch has begun. Sets *ended if CTAs have ended; the bit set
 * machine->ended has their SMs, for the caller to clear. Returns 0, or a negative errno value if an
 * SM's instructions cannot be read.
 */
int gm_cycle_machine_step(gm_cycle_machine *machine, gm_cycle now, bool *ended, gm_error *error);

/* What is visited in place of an SM whose wake-up time has come, in cycle `now`. It lowers
 * machine->sm_wake[sm] to its next visit. */
typedef void gm_cycle_port_step(void *context, uint32_t sm, gm_cycle now);

/* Computes cycle `now`, whose epoch has begun, of a machine under a simulator that has the SMs:
 * all units as gm_cycle_machine_step does, then `step` in place of each SM. */
void gm_cycle_machine_step_ports(gm_cycle_machine *machine, gm_cycle now, gm_cycle_port_step *step,
                                 void *context);

/* True if the L1s' ways are not those of `unified`, so that gm_cycle_machine_divide needs empty
 * L1s. */
bool gm_cycle_machine_resizes(const gm_cycle_machine *machine,
                              const gm_unified_statistics *unified);

/* Divides unified memory for a kernel. Requires that no L1 has requests, and if they get other
 * ways that they hold no lines. Does nothing without l1.unified. */
void gm_cycle_machine_divide(gm_cycle_machine *machine, const gm_unified_statistics *unified);

/* Ends the kernels in flight: lines in atomic buffers go back into the L2. Requires that all
 * requests are answered, and with atomic buffers an idle machine. */
void gm_cycle_machine_end_kernel(gm_cycle_machine *machine);

/* Tells the gates of the L1s (l1.streaming) whether warps contend for them, from the sampling
 * period on that ends when core cycle `now` begins: they stay open then, or open. Requires a call
 * before the SMs' step in cycle `now`, 1 or later. */
void gm_cycle_machine_stream_hot(gm_cycle_machine *machine, bool hot, gm_cycle now);

/* Applies a host copy to sectors of an L2 line, between kernels, in no time. */
void gm_cycle_machine_copy(gm_cycle_machine *machine, gm_message_kind kind, uint64_t l2_line,
                           uint32_t sectors);

/* Attaches the observers of `options` to the blocks in the machine. */
void gm_cycle_machine_observe(gm_cycle_machine *machine, const gm_run_options *options);

/* True if all writes of the machine are visible to all SMs at the end of cycle machine->now; else
 * sets wake-up times for when they are. */
bool gm_cycle_machine_writes_are_visible(gm_cycle_machine *machine);

/* Returns the last cycle, machine->now at least, in which an SM may not see all writes performed so
 * far. */
gm_cycle gm_cycle_machine_visible_from(gm_cycle_machine *machine);

/* True if something waits for a lease to pass, which it will. */
bool gm_cycle_machine_waits_for_time(const gm_cycle_machine *machine);

/* Frees what the sharing trackers know, if there are any, after the L1s were flushed. Requires an
 * idle machine. */
void gm_cycle_machine_flush_trackers(gm_cycle_machine *machine);

/* True if all requests of the SMs are answered and the networks are empty. L2 banks and DRAM
 * channels may have write-backs, and fetches for stores. */
bool gm_cycle_machine_answered(const gm_cycle_machine *machine);

/* True if no request is in flight or waits in any unit. Says nothing of the warps. */
bool gm_cycle_machine_idle(const gm_cycle_machine *machine);

/* Lets the DRAM channels issue the commands that a visit in cycle machine->now, which is over,
 * would issue: their counters then do not depend on which cycles were visited. */
void gm_cycle_machine_visit_channels(gm_cycle_machine *machine);

/* Sums the counters since the beginning of the run, up to the end of cycle machine->now. Leaves
 * time.cycles to the engine. */
void gm_cycle_machine_sum(gm_cycle_machine *machine, gm_statistics *sum);

/* Set *statistics to the counters of one SM, L2 bank or DRAM channel since the beginning of the
 * run, up to the end of cycle machine->now. */
void gm_cycle_machine_sm_statistics(gm_cycle_machine *machine, uint32_t sm,
                                    gm_statistics *statistics);
void gm_cycle_machine_bank_statistics(gm_cycle_machine *machine, uint32_t bank,
                                      gm_statistics *statistics);
void gm_cycle_machine_channel_statistics(gm_cycle_machine *machine, uint32_t channel,
                                         gm_statistics *statistics);

/* Reads what the sets of the L2 hold; NULL: nothing. */
void gm_cycle_machine_read_sets(gm_cycle_machine *machine, gm_set_contents *contents);

/* Returns 0, or -ENOMEM if a cache has lost lines, which makes results void. */
int gm_cycle_machine_failed(const gm_cycle_machine *machine, gm_error *error);

/* Describes the oldest request of an SM, and the oldest beyond the SMs, of a machine that makes no
 * progress. Returns the cycle since which the older of both waits, or GM_NEVER if there is none. */
gm_cycle gm_cycle_machine_oldest(const gm_cycle_machine *machine, char *text, size_t size);

/* Saves or loads the machine's state but for its CTAs' instructions. */
void gm_cycle_machine_snapshot(gm_cycle_machine *machine, gm_snapshot *snapshot);

#endif
