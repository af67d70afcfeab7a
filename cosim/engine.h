/* The lockstep engine: sends one stream of requests per instance to the C model and to the RTL,
 * with idle cycles and back-pressure; compares each response when it is accepted, and the state
 * when an instance has drained. A run is a sequence of episodes, each from reset, so that any
 * episode can be run again alone. */
#ifndef GOLDMEM_COSIM_ENGINE_H
#define GOLDMEM_COSIM_ENGINE_H

#include "cosim.h"

#include <signal.h>
#include <stdio.h>

enum {
    GM_COSIM_BATCH = 64,       /* transactions that the model computes at once */
    GM_COSIM_RING = 128,       /* transactions that an instance holds: two batches */
    GM_COSIM_EPISODE = 8192,   /* transactions of an instance from reset to reset, at most */
    GM_COSIM_DRAIN = 2048,     /* transactions between two comparisons of the state */
    GM_COSIM_QUIET = 16,       /* cycles after the last response until an instance has drained */
    GM_COSIM_PATIENCE = 4096,  /* cycles without progress until a time-out */
    GM_COSIM_IDLE_DRAIN = 255, /* idle: wait until drained, compare the state */
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

/* A recorded stream: request i waits idle[i] cycles (GM_COSIM_IDLE_DRAIN: until drained); response
 * i is held back stall[i] cycles. */
typedef struct gm_stimulus {
    unsigned fields;
    size_t count;
    uint8_t *idle, *stall;
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
 * transactions of the episode: received <= issued <= produced <= target. */
typedef struct gm_lane {
    uint64_t issued, received, produced, target;
    uint64_t progress; /* cycle of the last handshake */
    uint32_t idle_left, stall_left;
    bool offering, drain_due;
    unsigned number; /* index in the top */
    gm_cosim_random random;
    gm_cosim_plan plan;
    gm_self_check *check;    /* NULL: not checked */
    gm_cosim_tape limits;    /* of this episode */
    const gm_stimulus *list; /* NULL: random stream */
    void *model;
    gm_arena arena;
    gm_cosim_configuration configuration;
    uint64_t *request, *response; /* rings */
    uint8_t idle[GM_COSIM_RING], stall[GM_COSIM_RING];
} gm_lane;

/* A failure: its kind and place. */
typedef struct gm_failure {
    gm_stop stop;
    unsigned lane;
    uint64_t transaction, cycle;
    bool is_response;                   /* expected and actual hold a response */
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
    uint64_t seed, cycle, transactions;
    gm_failure failure;
    volatile sig_atomic_t *interrupted;
    /* If not NULL (examination): keeps all responses, and the run continues after a difference. */
    uint64_t *log;
    size_t logged, log_size;
    /* Waveform of cycles [trace_from, trace_to). */
    const char *trace_path;
    uint64_t trace_from, trace_to;
} gm_run;

/* Opens the top and prepares the instances whose options contain all words of `wanted`
 * ("sets=32 index=xor"; "": all instances). */
int gm_run_open(gm_run *run, const gm_cosim_plugin_table *plugin, const char *wanted,
                gm_error *error);
void gm_run_close(gm_run *run);

/* Runs one episode of `transactions` in each instance, from reset, with random stream number
 * `episode`, or with `list`. Sets run->failure.stop to the outcome. */
int gm_run_episode(gm_run *run, uint64_t episode, uint64_t transactions, const gm_stimulus *list,
                   gm_error *error);

/* lane.c: streams. */
int gm_lane_start(gm_lane *lane, const gm_cosim_block *block, uint64_t seed, uint64_t episode,
                  uint64_t target, const gm_stimulus *list, gm_error *error);
void gm_lane_produce(gm_lane *lane, const gm_cosim_block *block, bool alone);

/* Records the first `count` transactions of a lane's random stream. */
int gm_lane_record(gm_lane *lane, const gm_cosim_block *block, uint64_t seed, uint64_t episode,
                   uint64_t count, gm_stimulus *stimulus, gm_error *error);

/* examine.c: runs `list` from reset in the only instance of `run`, keeps all its responses, finds
 * the kind of the failure from them, and sets run->failure. */
int gm_examine(gm_run *run, const gm_stimulus *list, gm_error *error);

/* shrink.c: removes from a failing list what the failure does not need. Requires that `list` fails;
 * keeps the kind of the failure. */
int gm_shrink(gm_run *run, gm_stimulus *list, gm_error *error);

/* replay.c: writes streams to files and reads them. */
int gm_replay_write(const char *path, const gm_cosim_plugin_table *plugin, unsigned number,
                    uint64_t seed, const gm_stimulus *stimulus, gm_error *error);
int gm_replay_read(const char *path, const gm_cosim_plugin_table *plugin, unsigned *number,
                   gm_stimulus *stimulus, gm_error *error);

/* report.c: prints a failure, one line and its fields; writes the bundle of files. */
void gm_report_failure(FILE *file, const gm_cosim_plugin_table *plugin, const gm_failure *failure);
int gm_report_bundle(const char *folder, gm_run *run, uint64_t episode, gm_error *error);

/* limits.c: every other episode begins with the block's requests for its limits, which gm_limits_
 * start writes; no reset interrupts it. gm_limits_take makes the next requests of a batch, at most
 * `count`, and returns their number. */
int gm_limits_start(gm_lane *lane, const gm_cosim_block *block, gm_error *error);
size_t gm_limits_take(const gm_lane *lane, uint64_t *request, size_t count);

/* Returns the number of transactions of an episode in each instance, at most: now and then one is
 * long enough for the limits of every instance, the first time in episode 1. */
uint64_t gm_limits_episode(gm_run *run, uint64_t episode);

/* self_check.c: has each bit of each request's field, and each goal of the block, been met in each
 * instance? Opens the check of all instances of the run; gm_run_close frees it. */
int gm_self_check_open(gm_run *run, gm_error *error);

/* Does `count` transactions of the model, and notes what they meet. Requires lane->check. */
void gm_self_check_access(gm_lane *lane, const gm_cosim_block *block, const uint64_t *request,
                          uint64_t *response, size_t count);

/* Prints the result of a run of `share` transactions of each instance: one line, or what was never
 * met. Returns false if something is missing after a run that is long enough. */
bool gm_self_check_report(FILE *file, const gm_run *run, uint64_t share);

/* mutants.c: runs mutants 1 to `mutants` of the top for `transactions` each; prints the mutants
 * that survive and the number caught. */
int gm_mutants_run(gm_run *run, FILE *file, uint32_t mutants, uint64_t transactions,
                   gm_error *error);

/* coverage.c: reads Verilator's counts and prints those of the block's cover points, lines and
 * toggles. Sets *stop to GM_STOP_COVERAGE if a point or a line was never reached. */
int gm_coverage_report(FILE *file, const char *path, const char *block, gm_stop *stop,
                       gm_error *error);

#endif
