/* Driver and monitor of the instances' pins. The driver is as impolite as the protocol allows: what
 * is on the request's fields while request_valid_i is 0 is noise, response_ready_i changes while no
 * response waits, and every input does during a reset, which may come in any cycle. */
#include "engine.h"

#include <string.h>

/* Changes the request's fields while no request is offered: to random values, to the values of the
 * next request, or in one bit of each. */
static void make_noise(const gm_run *run, gm_lane *lane, uint64_t random)
{
    gm_cosim_dut *dut = run->dut;
    unsigned fields = run->ports->requests;
    unsigned kind = random & 3;
    const uint64_t *next = lane->issued < lane->produced
                               ? lane->request + lane->issued % GM_COSIM_RING * fields
                               : NULL;
    for (unsigned f = 0; f < fields; f++) {
        uint64_t *pin = &dut->request[f][lane->number];
        if (kind == 0) {
            *pin ^= UINT64_C(1) << (random >> 8 & 63);
        } else if (kind == 1 && next != NULL) {
            *pin = next[f];
        } else {
            *pin = random;
        }
        random = random << 13 | random >> 51;
    }
}

/* Drives all inputs of an instance that is in reset or has not been reset yet. */
static void drive_anything(const gm_run *run, gm_lane *lane)
{
    uint64_t random = gm_cosim_random_next(&lane->noise);
    run->dut->request_valid[lane->number] = (random >> 62 & 1) != 0;
    run->dut->response_ready[lane->number] = random >> 63 != 0;
    make_noise(run, lane, random);
}

/* Puts an instance into reset for so many clock edges. */
static void assert_reset(const gm_run *run, gm_lane *lane, uint32_t cycles)
{
    run->dut->rst_n[lane->number] = 0;
    lane->reset_left = cycles;
    drive_anything(run, lane);
}

static void clock_cycle(const gm_run *run)
{
    *run->dut->clk = 0;
    run->plugin->eval(run->dut);
    *run->dut->clk = 1;
    run->plugin->eval(run->dut);
}

void gm_driver_power_up(gm_run *run, uint64_t episode)
{
    enum { MOST_DARK = 8, MOST_RESET = 32 };
    gm_cosim_dut *dut = run->dut;
    gm_cosim_random mix = {run->seed ^ (episode + 1) * UINT64_C(0xe7037ed1a0b428db)};
    run->plugin->power_up(dut, gm_cosim_random_next(&mix));
    if (dut->mutant != NULL) {
        *dut->mutant = run->mutant;
    }
    memset(dut->rst_n, 1, dut->lanes);
    memset(dut->request_valid, 0, dut->lanes);
    memset(dut->response_ready, 0, dut->lanes);
    for (uint64_t dark = gm_cosim_random_next(&mix) % MOST_DARK; dark > 0; dark--) {
        for (unsigned k = 0; k < run->lanes; k++) {
            drive_anything(run, &run->lane[k]);
        }
        clock_cycle(run);
    }
    memset(dut->rst_n, 0, dut->lanes);
    for (unsigned k = 0; k < run->lanes; k++) {
        uint64_t random = gm_cosim_random_next(&run->lane[k].noise);
        assert_reset(run, &run->lane[k], 1 + (uint32_t)(random >> 32) % MOST_RESET);
    }
    clock_cycle(run);
    dut->assertion[0] = '\0'; /* assertions do not hold before the first reset */
    run->plugin->count(dut);  /* and what was covered before it does not count */
}

static void log_response(gm_run *run, const gm_lane *lane)
{
    for (unsigned f = 0; run->logged < run->log_size && f < run->ports->responses; f++) {
        run->log[run->logged * run->ports->responses + f] = run->dut->response[f][lane->number];
    }
    run->logged += run->logged < run->log_size;
}

/* Records a failure of a response, with its fields beside those of `expected`, if there are. */
static void fail_response(gm_run *run, const gm_lane *lane, const uint64_t *expected,
                          const char *kind)
{
    gm_failure *failure = gm_run_fail(run, lane, GM_STOP_MISMATCH, lane->received, kind);
    for (unsigned f = 0; failure != NULL && f < run->ports->responses; f++) {
        failure->actual[f] = run->dut->response[f][lane->number];
        if (expected != NULL) {
            failure->is_response = true;
            failure->expected[f] = expected[f];
        }
    }
}

/* Returns true if a response on the pins differs from this one. */
static bool differs(const gm_run *run, const gm_lane *lane, const uint64_t *response)
{
    uint64_t difference = 0;
    for (unsigned f = 0; f < run->ports->responses; f++) {
        difference |= response[f] ^ run->dut->response[f][lane->number];
    }
    return difference != 0;
}

/* Accepts a response and compares it with the model's. */
static void receive(gm_run *run, gm_lane *lane)
{
    lane->progress = run->cycle;
    if (run->log != NULL) {
        log_response(run, lane);
    }
    if (lane->received == lane->issued) {
        fail_response(run, lane, NULL, "extra response");
        return;
    }
    const uint64_t *expected =
        lane->response + lane->received % GM_COSIM_RING * run->ports->responses;
    if (!run->alone && differs(run, lane, expected)) {
        fail_response(run, lane, expected, "wrong response");
    }
    lane->received++;
    lane->stall_left =
        lane->received < lane->produced ? lane->wait[lane->received % GM_COSIM_RING].stall : 0;
}

/* A response that was not accepted must stay, with the same fields. Keeps those of one that is not
 * accepted now. */
static void check_held(gm_run *run, gm_lane *lane, bool valid, bool ready)
{
    if (lane->held && (!valid || differs(run, lane, lane->held_response))) {
        fail_response(run, lane, lane->held_response,
                      valid ? "response changed while stalled" : "response withdrawn");
        run->failure.is_held |= run->failure.cycle == run->cycle;
        lane->held = false;
    }
    for (unsigned f = 0; !lane->held && f < run->ports->responses; f++) {
        lane->held_response[f] = run->dut->response[f][lane->number];
    }
    lane->held = valid && !ready;
}

static void sample(gm_run *run, gm_lane *lane)
{
    const gm_cosim_dut *dut = run->dut;
    unsigned number = lane->number;
    if (lane->reset_left > 0) {
        return;
    }
    if (dut->request_valid[number] & dut->request_ready[number]) {
        lane->progress = run->cycle;
        lane->issued++;
        lane->offering = false;
        lane->idle_left =
            lane->issued < lane->produced ? lane->wait[lane->issued % GM_COSIM_RING].idle : 0;
    }
    bool valid = dut->response_valid[number] != 0;
    bool ready = dut->response_ready[number] != 0;
    if (lane->held || (valid && !ready)) {
        check_held(run, lane, valid, ready);
    }
    if (valid && ready) {
        receive(run, lane);
    }
}

void gm_driver_sample(gm_run *run)
{
    for (unsigned i = 0; i < run->lanes; i++) {
        sample(run, &run->lane[i]);
    }
}

bool gm_driver_drained(const gm_run *run, const gm_lane *lane)
{
    return lane->received == lane->issued && run->cycle - lane->progress >= GM_COSIM_QUIET;
}

/* Produces more transactions; where a drain is due, first waits for it and compares the state.
 * Called when all are issued. */
static void refill(gm_run *run, gm_lane *lane)
{
    if (lane->produced == lane->target || lane->reset_in > 0 ||
        lane->produced - lane->received > GM_COSIM_RING - GM_COSIM_BATCH) {
        return;
    }
    if (lane->drain_due) {
        if (!gm_driver_drained(run, lane)) {
            return;
        }
        lane->progress = run->cycle;
        if (!run->alone) {
            gm_run_compare_state(run, lane);
        }
    }
    gm_lane_produce(lane, run->plugin->block, run->alone);
}

/* Begins a reset. An examination that has seen a failure does without it, and ends with this
 * segment: all its answers tell what kind of failure it is. */
static void begin_reset(gm_run *run, gm_lane *lane, uint32_t cycles)
{
    if (run->log != NULL && run->failure.stop != GM_STOP_END) {
        lane->target = lane->produced;
        return;
    }
    run->logged = 0;
    assert_reset(run, lane, cycles);
    int code = gm_lane_reset(lane, run->plugin->block, run->error);
    run->code = code < 0 ? code : run->code;
}

/* Offers the next request; its reset is due from now on. */
static void offer(gm_run *run, gm_lane *lane)
{
    unsigned fields = run->ports->requests;
    const uint64_t *request = lane->request + lane->issued % GM_COSIM_RING * fields;
    const gm_wait *wait = &lane->wait[lane->issued % GM_COSIM_RING];
    for (unsigned f = 0; f < fields; f++) {
        run->dut->request[f][lane->number] = request[f];
    }
    lane->offering = true;
    lane->reset_in = wait->reset_for > 0 ? wait->reset_at + 1 : 0;
}

static void drive_request(gm_run *run, gm_lane *lane)
{
    if (lane->issued == lane->produced) {
        refill(run, lane);
    }
    if (lane->issued < lane->produced && lane->idle_left == 0) {
        offer(run, lane);
    } else {
        if (lane->issued < lane->produced) {
            lane->idle_left--;
            lane->progress = run->cycle;
        }
        make_noise(run, lane, gm_cosim_random_next(&lane->noise));
    }
    run->dut->request_valid[lane->number] = lane->offering;
}

/* Accepts responses but for the cycles of their stalls. While none is there, the input changes:
 * seldom to 1 before a stall, which a response may take; at random if nothing is in flight. */
static void drive_response(gm_run *run, gm_lane *lane)
{
    bool ready = true;
    if (lane->stall_left > 0 && lane->held) {
        lane->stall_left--;
        lane->progress = run->cycle;
    }
    if (lane->stall_left > 0) {
        ready = !lane->held && (gm_cosim_random_next(&lane->noise) & 7) == 0;
    } else if (lane->received == lane->issued && !lane->offering) {
        ready = (gm_cosim_random_next(&lane->noise) & 1) != 0;
    }
    run->dut->response_ready[lane->number] = ready;
}

static void drive(gm_run *run, gm_lane *lane)
{
    if (lane->reset_left > 0) {
        lane->progress = run->cycle;
        if (--lane->reset_left > 0) {
            drive_anything(run, lane);
            return;
        }
        run->dut->rst_n[lane->number] = 1;
    }
    if (!lane->offering) {
        drive_request(run, lane);
    }
    if (lane->reset_in > 0 && --lane->reset_in == 0) {
        const gm_wait *last = &lane->wait[(lane->produced - 1) % GM_COSIM_RING];
        begin_reset(run, lane, last->reset_for);
        if (lane->reset_left > 0) {
            return;
        }
    }
    drive_response(run, lane);
}

void gm_driver_drive(gm_run *run)
{
    for (unsigned i = 0; i < run->lanes; i++) {
        drive(run, &run->lane[i]);
    }
}
