/* The lockstep engine: sends one stream of requests per instance to the C model and to the RTL,
 * with idle cycles, back-pressure and resets; compares each response when it is accepted, and the
 * state when an instance has drained. A run is a sequence of episodes, each from power-up, so that
 * any episode can be run again alone. */
#ifndef GOLDMEM_COSIM_ENGINE_H
#define GOLDMEM_COSIM_ENGINE_H

#include "cosim.h"

#include <signal.h>
#include <stdio.h>

enum {
    GM_COSIM_BATCH = 64,      /* transactions that the model computes at once, at most */
    GM_COSIM_RING = 128,      /* transactions that an instance holds: two batches */
    GM_COSIM_EPISODE = 8192,  /* transactions of an instance from power-up to power-up, mostly */
    GM_COSIM_LONG = 262144,   /* ... in a long episode, without a reset */
    GM_COSIM_DRAIN = 2048,    /* transactions between two comparisons of the state */
    GM_COSIM_QUIET = 16,      /* cycles after the last response until an instance has drained */
    GM_COSIM_PATIENCE = 4096, /* cycles in which nothing but the RTL is waited for: a time-out */
};

/* Why a run stopped; also the exit status of goldmem-cosim. */
typedef enum gm_stop {
    GM_STOP_END = 0,
    GM_STOP_MISMATCH = 1,
    GM_STOP_USAGE = 2, /* bad input, no run */
    GM_STOP_ASSERTION = 3,
    GM_STOP_TIMEOUT = 4,
    GM_STOP_USER = 5,
    GM_STOP_COVERAGE =
        6, /* a cover point, a line, or what the self-check wants was never reached */
} gm_stop;

const char *gm_stop_name(gm_stop stop);

/* When a transaction and what follows it happen. */
typedef struct gm_wait {
    uint32_t idle;      /* cycles before the request is offered */
    uint32_t stall;     /* cycles for which its response is not accepted */
    uint32_t reset_at;  /* cycles from the offer of the request to a reset ... */
    uint16_t reset_for; /* ... of so many cycles, which ends the stream's segment; 0: no reset */
    bool drain;         /* before the request, waits until drained and compares the state */
} gm_wait;

/* A recorded stream, of the instance that `seed` and `episode` power up. A reset ends a segment of
 * the stream: its transactions without an answer are dropped. */
typedef struct gm_stimulus {
    unsigned fields;
    size_t count;
    uint64_t seed, episode;
    gm_wait *wait;
    uint64_t *request;
} gm_stimulus;

int gm_stimulus_create(gm_stimulus *stimulus, unsigned fields, size_t count, gm_error *error);
void gm_stimulus_free(gm_stimulus *stimulus);

/* What the requests of an instance have shown so far (self_check.c). */
typedef struct gm_self_check {
    bool complete; /* nothing is missing */
    unsigned fields, goals;
    uint64_t missing_one[GM_PORTS_FIELDS], missing_zero[GM_PORTS_FIELDS]; /* bits of requests */
    uint64_t missing_goal[GM_COSIM_GOALS];
    gm_cosim_goal goal[GM_COSIM_GOALS];
} gm_self_check;

/* One instance: its model, and the transactions between production and response. Counters count
 * transactions of the episode: received <= issued <= produced <= target. A reset moves `received`
 * and `issued` to the end of the segment. */
typedef struct gm_lane {
    uint64_t issued, received, produced, target;
    uint64_t total, left, share;   /* transactions of the run; not had yet; of this episode */
    uint64_t segment, segment_end; /* transactions between two resets */
    uint64_t dropped;              /* transactions that resets took the answer of */
    uint64_t progress;             /* last cycle of a handshake, a wait of the driver, a reset */
    uint32_t idle_left, stall_left;
    uint32_t reset_in, reset_left; /* cycles to the reset (0: none is due), and of the reset */
    bool offering, drain_due;
    bool held;       /* a response was not accepted in the last cycle: `held_response` */
    unsigned number; /* index in the top */
    gm_cosim_random random, noise;
    gm_cosim_plan plan;
    gm_self_check *check;        /* NULL: not checked */
    gm_cosim_tape limits;        /* of this episode */
    uint64_t long_at, long_wait; /* transaction with the episode's long wait, and its cycles */
    const gm_stimulus *list;     /* NULL: random stream */
    void *model;
    gm_arena arena;
    gm_cosim_configuration configuration;
    uint64_t *request, *response; /* rings */
    gm_wait wait[GM_COSIM_RING];
    uint64_t held_response[GM_PORTS_FIELDS];
} gm_lane;

/* A failure: its kind and place. */
typedef struct gm_failure {
    gm_stop stop;
    unsigned lane;
    uint64_t transaction, cycle;
    bool is_response;                   /* expected and actual hold a response */
    bool is_held;                       /* ... and expected is what it was while stalled */
    uint64_t expected[GM_PORTS_FIELDS]; /* for state: its value in [0] */
    uint64_t actual[GM_PORTS_FIELDS];
    char kind[64];  /* "wrong response", "extra response", ... */
    char text[512]; /* one line: the assertion, the state element, or the time-out */
} gm_failure;

typedef struct gm_run {
    const gm_cosim_plugin_table *plugin;
    const gm_ports *ports;
    gm_cosim_dut *dut;
    gm_lane *lane;
    unsigned lanes;       /* number of instances that run */
    bool alone;           /* RTL only: no model, no comparison */
    bool netlist;         /* netlist of mutants: has no names of the RTL's state */
    gm_self_check *check; /* of each instance, or NULL */
    uint64_t longest;     /* transactions of an episode with the limits of every instance */
    uint32_t mutant;
    uint64_t seed, cycle, transactions;
    gm_failure failure;
    int code; /* negative: a model could not be made again */
    gm_error *error;
    volatile sig_atomic_t *interrupted;
    /* If not NULL (examination): keeps all responses, and the run continues after a difference. */
    uint64_t *log;
    size_t logged, log_size;
    /* Waveform of cycles [trace_from, trace_to), a file for each power-up: PATH, PATH.1, ... */
    const char *trace_path;
    uint64_t trace_from, trace_to;
    unsigned traces;
    bool tracing;
} gm_run;

/* Opens the top and prepares the instances whose options contain all words of `wanted`
 * ("sets=32 index=xor"; "": all instances). */
int gm_run_open(gm_run *run, const gm_cosim_plugin_table *plugin, const char *wanted,
                gm_error *error);
void gm_run_close(gm_run *run);

/* Runs one episode of `transactions` answers in each instance, from power-up, with random stream
 * number `episode`, or with `list`. Sets run->failure.stop to the outcome. */
int gm_run_episode(gm_run *run, uint64_t episode, uint64_t transactions, const gm_stimulus *list,
                   gm_error *error);

/* As gm_run_episode, with random streams of lane->share transactions. */
int gm_run_shares(gm_run *run, uint64_t episode, gm_error *error);

/* Records the first failure; returns NULL for later ones. An examination continues after a failure.
 */
gm_failure *gm_run_fail(gm_run *run, const gm_lane *lane, gm_stop stop, uint64_t transaction,
                        const char *kind);

/* Compares the state of an instance that has drained; not that of a user's own module, which may
 * keep it in another form, under names of the RTL here. */
void gm_run_compare_state(gm_run *run, const gm_lane *lane);

/* driver.c: the pins of all instances. Sampling takes the handshakes before a rising edge; driving
 * sets the inputs after it. */
void gm_driver_power_up(gm_run *run, uint64_t episode);
void gm_driver_sample(gm_run *run);
void gm_driver_drive(gm_run *run);

/* Returns true if every issued request is answered and no response appeared for GM_COSIM_QUIET
 * cycles. */
bool gm_driver_drained(const gm_run *run, const gm_lane *lane);

/* lane.c: streams. A stream begins with the instance's power-up; `episode` and the number of its
 * transactions, `share`, select it. */
int gm_lane_start(gm_lane *lane, const gm_cosim_block *block, uint64_t seed, uint64_t episode,
                  uint64_t share, const gm_stimulus *list, gm_error *error);
void gm_lane_produce(gm_lane *lane, const gm_cosim_block *block, bool alone);

/* Begins the next segment, after a reset: the model begins anew. */
int gm_lane_reset(gm_lane *lane, const gm_cosim_block *block, gm_error *error);

/* Records the first `count` transactions of a lane's random stream. */
int gm_lane_record(gm_lane *lane, const gm_cosim_block *block, uint64_t seed, uint64_t episode,
                   uint64_t share, uint64_t count, gm_stimulus *stimulus, gm_error *error);

/* examine.c: runs `list` from its power-up in the only instance of `run`, keeps all responses of
 * the segment that fails, finds the kind of the failure from them, and sets run->failure. */
int gm_examine(gm_run *run, const gm_stimulus *list, gm_error *error);

/* shrink.c: removes from a failing list what the failure does not need. Requires that `list` fails;
 * keeps the kind of the failure. */
int gm_shrink(gm_run *run, gm_stimulus *list, gm_error *error);

/* replay.c: writes streams to files and reads them; a file without a seed keeps stimulus->seed. */
int gm_replay_write(const char *path, const gm_cosim_plugin_table *plugin, unsigned number,
                    const gm_stimulus *stimulus, gm_error *error);
int gm_replay_read(const char *path, const gm_cosim_plugin_table *plugin, unsigned *number,
                   gm_stimulus *stimulus, gm_error *error);

/* report.c: prints a failure, one line and its fields; writes the bundle of files. */
void gm_report_failure(FILE *file, const gm_cosim_plugin_table *plugin, const gm_failure *failure);
int gm_report_bundle(const char *folder, gm_run *run, uint64_t episode, gm_error *error);

/* limits.c: every other episode begins with the block's requests for its limits, which gm_limits_
 * start writes; no reset comes among them. gm_limits_take makes the next requests of a batch, at
 * most `count`, and returns their number. */
int gm_limits_start(gm_lane *lane, const gm_cosim_block *block, gm_error *error);
size_t gm_limits_take(const gm_lane *lane, uint64_t *request, size_t count);

/* Returns the number of transactions of an episode in each instance, at most: now and then one is
 * long enough for the limits of every instance, the first time in episode 1. */
uint64_t gm_limits_episode(gm_run *run, uint64_t episode);

/* shares.c: how many transactions each instance has. gm_shares_plan sets lane->total and
 * lane->left: `transactions` in equal parts, and for the block at its default parameters half of
 * them, at most a million. gm_shares_next sets lane->share for an episode and takes it from
 * lane->left; returns false if nothing is left. */
int gm_shares_plan(gm_run *run, uint64_t transactions, gm_error *error);
bool gm_shares_next(gm_run *run, uint64_t episode);

/* Returns true if an episode of so many transactions of an instance has no reset. */
bool gm_shares_without_reset(uint64_t episode, uint64_t share);

/* self_check.c: checks that each bit of each request's field, and each goal of the block, has been
 * met in each instance. Opens the check of all instances of the run; gm_run_close frees it. */
int gm_self_check_open(gm_run *run, gm_error *error);

/* Does `count` transactions of the model, and notes what they meet. Requires lane->check. */
void gm_self_check_access(gm_lane *lane, const gm_cosim_block *block, const uint64_t *request,
                          uint64_t *response, size_t count);

/* Prints the result of a run of lane->total transactions of each instance: one line, or what was
 * never met. Returns false if something is missing in an instance that had enough of them. */
bool gm_self_check_report(FILE *file, gm_run *run);

/* mutants.c: runs mutants 1 to `mutants` of the top for `transactions` each; prints the mutants
 * that survive and the number caught. */
int gm_mutants_run(gm_run *run, FILE *file, uint32_t mutants, uint64_t transactions,
                   gm_error *error);

/* coverage.c: reads Verilator's counts and prints those of the block's cover points, lines and
 * toggles. Sets *stop to GM_STOP_COVERAGE if a point or a line was never reached. */
int gm_coverage_report(FILE *file, const char *path, const char *block, gm_stop *stop,
                       gm_error *error);

#endif
