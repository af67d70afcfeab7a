/* The lockstep loop. A cycle: with the clock low the inputs settle and handshakes are sampled; the
 * clock rises; new inputs are driven. */
#include "engine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *gm_stop_name(gm_stop stop)
{
    switch (stop) {
    case GM_STOP_END:
        return "end";
    case GM_STOP_MISMATCH:
        return "mismatch";
    case GM_STOP_USAGE:
        return "usage";
    case GM_STOP_ASSERTION:
        return "assertion";
    case GM_STOP_TIMEOUT:
        return "time-out";
    case GM_STOP_USER:
        return "user";
    case GM_STOP_COVERAGE:
        return "coverage";
    }
    return "";
}

/* Returns true if `options` contains every word of `wanted`. */
static bool selected(const char *options, const char *wanted)
{
    while (*wanted != '\0') {
        size_t length = strcspn(wanted, " ");
        const char *word = options;
        while (strncmp(word, wanted, length) != 0 ||
               (word[length] != ' ' && word[length] != '\0')) {
            word += strcspn(word, " ");
            word += strspn(word, " ");
            if (*word == '\0') {
                return false;
            }
        }
        wanted += length;
        wanted += strspn(wanted, " ");
    }
    return true;
}

static int open_lane(gm_run *run, gm_lane *lane, unsigned number, gm_error *error)
{
    const gm_cosim_block *block = run->plugin->block;
    lane->number = number;
    lane->request = calloc(GM_COSIM_RING, run->ports->requests * sizeof(uint64_t));
    lane->response = calloc(GM_COSIM_RING, run->ports->responses * sizeof(uint64_t));
    if (lane->request == NULL || lane->response == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory");
    }
    int code = block->configure(run->plugin->options[number], &lane->configuration, error);
    return code < 0 ? code : gm_arena_create(&lane->arena, block->arena_bytes, error);
}

int gm_run_open(gm_run *run, const gm_cosim_plugin_table *plugin, const char *wanted,
                gm_error *error)
{
    run->plugin = plugin;
    run->ports = plugin->block->ports;
    run->lanes = 0;
    run->dut = plugin->open();
    run->lane = calloc(plugin->lanes, sizeof *run->lane);
    if (run->lane == NULL || run->dut == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory");
    }
    for (unsigned i = 0; i < plugin->lanes; i++) {
        if (!selected(plugin->options[i], wanted)) {
            continue;
        }
        int code = open_lane(run, &run->lane[run->lanes++], i, error);
        if (code < 0) {
            return code;
        }
    }
    if (run->lanes == 0) {
        return gm_fail(error, -ENOENT,
                       "no instance with %s is built; make cosim BLOCK=%s SET=\"%s\" builds one",
                       wanted, run->ports->block, wanted);
    }
    return 0;
}

void gm_run_close(gm_run *run)
{
    for (unsigned i = 0; run->lane != NULL && i < run->lanes; i++) {
        free(run->lane[i].request);
        free(run->lane[i].response);
        free(run->lane[i].limits.request);
        gm_arena_free(&run->lane[i].arena);
    }
    free(run->lane);
    free(run->check);
    if (run->dut != NULL) {
        run->plugin->close(run->dut);
    }
    run->lane = NULL;
    run->check = NULL;
    run->dut = NULL;
}

/* Records the first failure; returns NULL for later ones. An examination continues after a failure.
 */
static gm_failure *fail(gm_run *run, const gm_lane *lane, gm_stop stop, uint64_t transaction,
                        const char *kind)
{
    gm_failure *failure = &run->failure;
    if (failure->stop != GM_STOP_END) {
        return NULL;
    }
    *failure = (gm_failure){
        .stop = stop, .lane = lane->number, .transaction = transaction, .cycle = run->cycle};
    snprintf(failure->kind, sizeof failure->kind, "%s", kind);
    return failure;
}

static void log_response(gm_run *run, const gm_lane *lane)
{
    for (unsigned f = 0; run->logged < run->log_size && f < run->ports->responses; f++) {
        run->log[run->logged * run->ports->responses + f] = run->dut->response[f][lane->number];
    }
    run->logged += run->logged < run->log_size;
}

/* Accepts a response and compares it with the model's. */
static void receive(gm_run *run, gm_lane *lane)
{
    const gm_cosim_dut *dut = run->dut;
    unsigned fields = run->ports->responses;
    lane->progress = run->cycle;
    if (run->log != NULL) {
        log_response(run, lane);
    }
    if (lane->received == lane->issued) {
        gm_failure *failure = fail(run, lane, GM_STOP_MISMATCH, lane->received, "extra response");
        for (unsigned f = 0; failure != NULL && f < fields; f++) {
            failure->actual[f] = dut->response[f][lane->number];
        }
        return;
    }
    const uint64_t *expected = lane->response + lane->received % GM_COSIM_RING * fields;
    uint64_t difference = 0;
    for (unsigned f = 0; f < fields; f++) {
        difference |= expected[f] ^ dut->response[f][lane->number];
    }
    if (difference != 0 && !run->alone) {
        gm_failure *failure = fail(run, lane, GM_STOP_MISMATCH, lane->received, "wrong response");
        for (unsigned f = 0; failure != NULL && f < fields; f++) {
            failure->is_response = true;
            failure->expected[f] = expected[f];
            failure->actual[f] = dut->response[f][lane->number];
        }
    }
    lane->received++;
    lane->stall_left =
        lane->received < lane->produced ? lane->stall[lane->received % GM_COSIM_RING] : 0;
}

static void sample(gm_run *run, gm_lane *lane)
{
    const gm_cosim_dut *dut = run->dut;
    unsigned number = lane->number;
    if (dut->request_valid[number] & dut->request_ready[number]) {
        lane->progress = run->cycle;
        lane->issued++;
        lane->offering = false;
        lane->idle_left =
            lane->issued < lane->produced ? lane->idle[lane->issued % GM_COSIM_RING] : 0;
    }
    if (dut->response_valid[number] & dut->response_ready[number]) {
        receive(run, lane);
    }
}

/* Returns true if the RTL must have every state element: the block's own RTL must; a user's module
 * may have them, a netlist of mutants cannot. */
static bool shows_state(const gm_run *run)
{
    return !run->netlist && strcmp(run->plugin->module, run->ports->block) == 0;
}

static void compare_state(gm_run *run, const gm_lane *lane)
{
    const gm_cosim_block *block = run->plugin->block;
    uint64_t numbers[GM_PORTS_PARAMETERS] = {0};
    for (unsigned i = 0; i < run->ports->parameters; i++) {
        numbers[i] = lane->configuration.parameter[i][0];
    }
    gm_port_shape shape;
    run->ports->shape(numbers, &shape);
    for (unsigned e = 0; e < run->ports->states; e++) {
        uint64_t width = shape.state[e].width;
        for (uint64_t i = 0; i < shape.state[e].rows * shape.state[e].lanes; i++) {
            uint64_t row = i / shape.state[e].lanes;
            uint64_t part = i % shape.state[e].lanes;
            uint64_t expected = 0;
            uint64_t actual = 0;
            if (!block->view(lane->model, e, row, part, &expected)) {
                continue;
            }
            int code = run->plugin->state(run->dut, lane->number, run->ports->state[e].name, row,
                                          part * width, width, &actual);
            if (code == -ENOENT && !shows_state(run)) {
                continue;
            }
            gm_failure *failure =
                code == 0 && actual == expected
                    ? NULL
                    : fail(run, lane, GM_STOP_MISMATCH, lane->received, "wrong state");
            if (failure != NULL) {
                failure->expected[0] = expected;
                failure->actual[0] = actual;
                snprintf(failure->text, sizeof failure->text, "%s[%llu], part %llu%s",
                         run->ports->state[e].name, (unsigned long long)row,
                         (unsigned long long)part, code == 0 ? "" : ": no such state in the RTL");
            }
        }
    }
}

/* Returns true if every issued request is answered and no response appeared for GM_COSIM_QUIET
 * cycles. */
static bool drained(const gm_run *run, const gm_lane *lane)
{
    return lane->received == lane->issued && run->cycle - lane->progress >= GM_COSIM_QUIET;
}

/* Produces more transactions; where a drain is due, first waits for it and compares the state.
 * Called when all are issued. */
static void refill(gm_run *run, gm_lane *lane)
{
    if (lane->produced == lane->target ||
        lane->produced - lane->received > GM_COSIM_RING - GM_COSIM_BATCH) {
        return;
    }
    if (lane->drain_due) {
        if (!drained(run, lane)) {
            return;
        }
        lane->progress = run->cycle;
        if (!run->alone) {
            compare_state(run, lane);
        }
    }
    gm_lane_produce(lane, run->plugin->block, run->alone);
}

static void drive(gm_run *run, gm_lane *lane)
{
    gm_cosim_dut *dut = run->dut;
    unsigned number = lane->number;
    if (!lane->offering) {
        if (lane->issued == lane->produced) {
            refill(run, lane);
        }
        if (lane->issued < lane->produced && lane->idle_left-- == 0) {
            unsigned fields = run->ports->requests;
            const uint64_t *request = lane->request + lane->issued % GM_COSIM_RING * fields;
            for (unsigned f = 0; f < fields; f++) {
                dut->request[f][number] = request[f];
            }
            lane->offering = true;
        }
        dut->request_valid[number] = lane->offering;
    }
    dut->response_ready[number] = lane->stall_left == 0;
    lane->stall_left -= lane->stall_left != 0 && dut->response_valid[number];
}

static void half_cycles(gm_run *run, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        *run->dut->clk = i & 1;
        run->plugin->eval(run->dut);
    }
}

/* Resets the RTL while requests are in flight and one is offered: the reset must drop them all. */
static void reset(gm_run *run)
{
    gm_cosim_dut *dut = run->dut;
    memset(dut->response_ready, 0, dut->lanes);
    memset(dut->request_valid, 1, dut->lanes);
    *dut->rst_n = 1;
    half_cycles(run, 6);
    *dut->rst_n = 0;
    half_cycles(run, 5);
    memset(dut->request_valid, 0, dut->lanes);
    *dut->rst_n = 1;
    dut->assertion[0] = '\0'; /* assertions do not hold before the first reset */
}

/* Checks for time-outs, for an interrupt by the user, and for the end of all instances; called
 * periodically. Returns true if the episode must end. */
static bool look_around(gm_run *run)
{
    bool done = true;
    for (unsigned i = 0; i < run->lanes; i++) {
        gm_lane *lane = &run->lane[i];
        bool finished = lane->issued == lane->target && drained(run, lane);
        done &= finished;
        if (!finished && run->cycle - lane->progress > GM_COSIM_PATIENCE) {
            bool refused = lane->offering;
            gm_failure *failure = fail(run, lane, GM_STOP_TIMEOUT, lane->received,
                                       refused ? "request not accepted" : "response missing");
            if (failure != NULL) {
                snprintf(failure->text, sizeof failure->text,
                         "%llu accepted, %llu answered, nothing moved for %d cycles",
                         (unsigned long long)lane->issued, (unsigned long long)lane->received,
                         GM_COSIM_PATIENCE);
            }
            done = run->log != NULL ? true : done;
        }
    }
    if (run->interrupted != NULL && *run->interrupted) {
        fail(run, &run->lane[0], GM_STOP_USER, run->lane[0].received, "interrupted");
    }
    return done || (run->failure.stop != GM_STOP_END && run->log == NULL);
}

static void trace(gm_run *run)
{
    if (run->cycle == run->trace_from) {
        run->plugin->trace(run->dut, run->trace_path);
    }
    if (run->cycle == run->trace_to) {
        run->plugin->trace(run->dut, NULL);
        run->trace_path = NULL;
    }
}

static void cycle(gm_run *run)
{
    gm_cosim_dut *dut = run->dut;
    if (run->trace_path != NULL) {
        trace(run);
    }
    *dut->clk = 0;
    run->plugin->eval(dut);
    for (unsigned i = 0; i < run->lanes; i++) {
        sample(run, &run->lane[i]);
    }
    *dut->clk = 1;
    run->plugin->eval(dut);
    if (dut->assertion[0] != '\0') {
        unsigned at = 0; /* the message names the instance: top.lane_N.sva.a_name */
        const char *name = strstr(dut->assertion, ".lane_");
        unsigned number = name == NULL ? 0 : (unsigned)strtoul(name + 6, NULL, 10);
        while (at + 1 < run->lanes && run->lane[at].number != number) {
            at++;
        }
        gm_failure *failure =
            fail(run, &run->lane[at], GM_STOP_ASSERTION, run->lane[at].received, "assertion");
        if (failure != NULL) {
            memcpy(failure->text, dut->assertion, sizeof failure->text);
        }
    }
    for (unsigned i = 0; i < run->lanes; i++) {
        drive(run, &run->lane[i]);
    }
    run->cycle++;
}

int gm_run_episode(gm_run *run, uint64_t episode, uint64_t transactions, const gm_stimulus *list,
                   gm_error *error)
{
    for (unsigned i = 0; i < run->lanes; i++) {
        int code = gm_lane_start(&run->lane[i], run->plugin->block, run->seed, episode,
                                 transactions, list, error);
        if (code < 0) {
            return code;
        }
        run->lane[i].progress = run->cycle;
    }
    reset(run);
    do {
        cycle(run);
        if (run->failure.stop != GM_STOP_END && run->log == NULL) {
            break;
        }
    } while (run->cycle % 32 != 0 || !look_around(run));
    for (unsigned i = 0; i < run->lanes; i++) {
        run->transactions += run->lane[i].received;
        if (run->failure.stop == GM_STOP_END && !run->alone) {
            compare_state(run, &run->lane[i]);
        }
    }
    return 0;
}
