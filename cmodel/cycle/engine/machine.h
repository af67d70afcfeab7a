/* The machine of the cycle engine: SMs with their load/store units, a network for each direction,
 * L2 banks and DRAM channels; when each must be visited; and one step of them all. */
#ifndef GOLDMEM_CYCLE_ENGINE_MACHINE_H
#define GOLDMEM_CYCLE_ENGINE_MACHINE_H

#include "cycle/dram/gddr5.h"
#include "cycle/l2/l2_bank.h"
#include "cycle/lsu/load_store.h"
#include "cycle/noc/network.h"
#include "cycle/sm/sm.h"
#include "goldmem/engine.h"

enum { GM_CYCLE_WAKE_GROUP = 8 }; /* wakes that are looked at together */

/* The wake of a component that nothing wakes: they are compared as signed numbers. */
#define GM_CYCLE_ASLEEP ((gm_cycle)INT64_MAX)

typedef struct gm_cycle_machine {
    const gm_config *config;
    gm_arena arena;
    uint32_t sms, banks, partitions; /* banks of all partitions */
    bool no_skip;                    /* every component is visited in every cycle */
    gm_cycle now;                    /* the cycle being done, or the last one done */
    /* When each component must next be visited, in the order in which they are visited; each kind
     * has whole groups of wakes, those of no component sleep for ever: */
    uint32_t wakes;
    gm_cycle *wake; /* [wakes] channels, banks, replies and requests, SMs */
    gm_cycle *channel_wake, *bank_wake, *replies_wake, *requests_wake, *sm_wake; /* in it */
    gm_gddr5 *channel;                                                           /* [partitions] */
    gm_l2_bank *bank;                                                            /* [banks] */
    gm_network replies;        /* L2 banks to SMs */
    gm_network requests;       /* SMs to L2 banks */
    gm_load_store *load_store; /* [sms] */
    gm_cycle_sm *sm;           /* [sms] */
    uint64_t *ended;           /* [sms / 64, rounded up] SMs with CTAs that have ended: bits */
    gm_cycle_sm_shared shared; /* what all SMs share */
    gm_cycle_l1_shared l1d_shared;
    gm_dueling dueling; /* with l1.dueling */
    gm_l2_shared l2_shared;
    gm_cycle **bank_wakes; /* [banks] for the channels, who lower them */
} gm_cycle_machine;

int gm_cycle_machine_init(gm_cycle_machine *machine, const gm_config *config, gm_error *error);
void gm_cycle_machine_free(gm_cycle_machine *machine);

/* The next cycle, after `now`, in which some component must be visited; GM_NEVER: nothing is left
 * to do. */
gm_cycle gm_cycle_machine_next(const gm_cycle_machine *machine);

/* Does cycle `now`; *ended: some SM has CTAs that have ended, which the caller takes: its bit in
 * machine->ended. A negative errno value when an SM's
 * instructions cannot be read. */
int gm_cycle_machine_step(gm_cycle_machine *machine, gm_cycle now, bool *ended, gm_error *error);

/* Of a host copy, between kernels and without time: sectors of an L2 line. */
void gm_cycle_machine_copy(gm_cycle_machine *machine, gm_message_kind kind, uint64_t l2_line,
                           uint32_t sectors);

/* From now on the observers of `options` are told the calls of set_index,
 * tag_store and mshr. */
void gm_cycle_machine_observe(gm_cycle_machine *machine, const gm_run_options *options);

/* Warps resident in all SMs. */
uint64_t gm_cycle_machine_resident(const gm_cycle_machine *machine);

/* Is nothing on its way or waiting anywhere? (Warps are not looked at.) */
bool gm_cycle_machine_idle(const gm_cycle_machine *machine);

/* Counters since the beginning of the run, up to the end of `now`; `time.cycles` is the engine's.
 */
void gm_cycle_machine_sum(gm_cycle_machine *machine, gm_statistics *sum);
void gm_cycle_machine_sm_statistics(gm_cycle_machine *machine, uint32_t sm,
                                    gm_statistics *statistics);
void gm_cycle_machine_bank_statistics(gm_cycle_machine *machine, uint32_t bank,
                                      gm_statistics *statistics);
void gm_cycle_machine_channel_statistics(gm_cycle_machine *machine, uint32_t channel,
                                         gm_statistics *statistics);

/* 0, or why results are void (-ENOMEM). */
int gm_cycle_machine_failed(const gm_cycle_machine *machine, gm_error *error);

/* For a machine that makes no progress: what the oldest request of an SM is and where it waits, and
 * the oldest one beyond the SMs. The result is since when; GM_NEVER: there is none. */
gm_cycle gm_cycle_machine_oldest(const gm_cycle_machine *machine, char *text, size_t size);

/* The machine's whole state but its CTAs' instructions. */
void gm_cycle_machine_snapshot(gm_cycle_machine *machine, gm_snapshot *snapshot);

#endif
