/* The lockstep loop. A cycle: with the clock low the inputs settle and handshakes are sampled; the
 * clock rises; new inputs are driven (driver.c). */
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
    run->dut = plugin->open(1);
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

gm_failure *gm_run_fail(gm_run *run, const gm_lane *lane, gm_stop stop, uint64_t transaction,
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

/* Returns the lowest bit of a state element in its memory's word: the fields MEMORY.FIELD of one
 * memory lie there in the port list's order, the first one highest. */
static uint64_t lowest_bit(const gm_ports *ports, const gm_port_shape *shape, unsigned element)
{
    const char *name = ports->state[element].name;
    const char *dot = strchr(name, '.');
    uint64_t lsb = 0;
    for (unsigned e = element + 1; dot != NULL && e < ports->states; e++) {
        if (strncmp(ports->state[e].name, name, (size_t)(dot - name) + 1) == 0) {
            lsb += shape->state[e].width * shape->state[e].lanes;
        }
    }
    return lsb;
}

void gm_run_compare_state(gm_run *run, const gm_lane *lane)
{
    const gm_cosim_block *block = run->plugin->block;
    uint64_t numbers[GM_PORTS_PARAMETERS] = {0};
    if (!run->plugin->has_state) {
        return;
    }
    for (unsigned i = 0; i < run->ports->parameters; i++) {
        numbers[i] = lane->configuration.parameter[i][0];
    }
    gm_port_shape shape;
    run->ports->shape(numbers, &shape);
    for (unsigned e = 0; e < run->ports->states; e++) {
        uint64_t width = shape.state[e].width;
        uint64_t lsb = lowest_bit(run->ports, &shape, e);
        for (uint64_t i = 0; i < shape.state[e].rows * shape.state[e].lanes; i++) {
            uint64_t row = i / shape.state[e].lanes;
            uint64_t part = i % shape.state[e].lanes;
            uint64_t expected = 0;
            uint64_t actual = 0;
            if (!block->view(lane->model, e, row, part, &expected)) {
                continue;
            }
            int code = run->plugin->state(run->dut, lane->number, run->ports->state[e].name, row,
                                          lsb + part * width, width, &actual);
            if (code == -ENOENT && run->netlist) {
                continue;
            }
            gm_failure *failure =
                code == 0 && actual == expected
                    ? NULL
                    : gm_run_fail(run, lane, GM_STOP_MISMATCH, lane->received, "wrong state");
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

/* Checks for time-outs, for an interrupt by the user, and for the end of all instances; called
 * periodically. Returns true if the episode must end. */
static bool look_around(gm_run *run)
{
    bool done = true;
    for (unsigned i = 0; i < run->lanes; i++) {
        gm_lane *lane = &run->lane[i];
        bool finished = lane->issued == lane->target && lane->reset_in + lane->reset_left == 0 &&
                        gm_driver_drained(run, lane);
        done &= finished;
        if (!finished && run->cycle - lane->progress > GM_COSIM_PATIENCE) {
            bool refused = lane->offering;
            gm_failure *failure =
                gm_run_fail(run, lane, GM_STOP_TIMEOUT, lane->received,
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
        gm_run_fail(run, &run->lane[0], GM_STOP_USER, run->lane[0].received, "interrupted");
    }
    return done || (run->failure.stop != GM_STOP_END && run->log == NULL);
}

/* Begins the waveform of this power-up where it is due, and ends it. */
static void trace(gm_run *run)
{
    bool wanted =
        run->trace_path != NULL && run->cycle >= run->trace_from && run->cycle < run->trace_to;
    if (wanted == run->tracing) {
        return;
    }
    run->tracing = wanted;
    if (!wanted) {
        run->plugin->trace(run->dut, NULL);
        return;
    }
    char suffix[16] = "";
    char path[4096];
    if (run->traces > 0) {
        snprintf(suffix, sizeof suffix, ".%u", run->traces);
    }
    snprintf(path, sizeof path, "%s%s", run->trace_path, suffix);
    run->traces++;
    int code = run->plugin->trace(run->dut, path);
    if (code < 0) {
        run->code = gm_fail(run->error, code, "%s: %s", path,
                            code == -ENOSYS ? "this build of the RTL writes no waveform"
                                            : "the waveform cannot be written");
    }
}

/* Records an assertion that fired, in the instance that its text names: top.lane_N.sva.a_name. One
 * that fires at the edge after a stalled response broke names that failure better. */
static void take_assertion(gm_run *run)
{
    const char *name = strstr(run->dut->assertion, ".lane_");
    unsigned number = name == NULL ? 0 : (unsigned)strtoul(name + 6, NULL, 10);
    unsigned at = 0;
    while (at + 1 < run->lanes && run->lane[at].number != number) {
        at++;
    }
    if (run->failure.is_held && run->failure.cycle == run->cycle) {
        run->failure = (gm_failure){0};
    }
    gm_failure *failure =
        gm_run_fail(run, &run->lane[at], GM_STOP_ASSERTION, run->lane[at].received, "assertion");
    if (failure != NULL) {
        memcpy(failure->text, run->dut->assertion, sizeof failure->text);
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
    gm_driver_sample(run);
    *dut->clk = 1;
    run->plugin->eval(dut);
    if (dut->assertion[0] != '\0') {
        take_assertion(run);
    }
    gm_driver_drive(run);
    run->cycle++;
}

/* Powers up the RTL and starts all streams. */
static int start_episode(gm_run *run, uint64_t episode, const gm_stimulus *list, gm_error *error)
{
    for (unsigned i = 0; i < run->lanes; i++) {
        gm_lane *lane = &run->lane[i];
        int code =
            gm_lane_start(lane, run->plugin->block, run->seed, episode, lane->share, list, error);
        if (code < 0) {
            return code;
        }
        lane->progress = run->cycle;
    }
    run->code = 0;
    run->error = error;
    run->tracing = false;
    gm_driver_power_up(run, episode);
    return 0;
}

static int run_episode(gm_run *run, uint64_t episode, const gm_stimulus *list, gm_error *error)
{
    int code = start_episode(run, episode, list, error);
    if (code < 0) {
        return code;
    }
    do {
        cycle(run);
        if (run->code < 0 || (run->failure.stop != GM_STOP_END && run->log == NULL)) {
            break;
        }
    } while (run->cycle % 32 != 0 || !look_around(run));
    for (unsigned i = 0; i < run->lanes; i++) {
        run->transactions += run->lane[i].received - run->lane[i].dropped;
        if (run->failure.stop == GM_STOP_END && !run->alone) {
            gm_run_compare_state(run, &run->lane[i]);
        }
    }
    return run->code;
}

int gm_run_shares(gm_run *run, uint64_t episode, gm_error *error)
{
    return run_episode(run, episode, NULL, error);
}

int gm_run_episode(gm_run *run, uint64_t episode, uint64_t transactions, const gm_stimulus *list,
                   gm_error *error)
{
    for (unsigned i = 0; i < run->lanes; i++) {
        run->lane[i].share = transactions;
    }
    return run_episode(run, episode, list, error);
}
