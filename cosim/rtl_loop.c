/* RTL in the loop: gathers the calls of a block in a run, sends them to the block's RTL in
 * sequence, and compares each response with the response that the C model gave the run. */
#include "rtl_loop.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    BATCH = 256,      /* calls gathered */
    HOLD_BACK = 16,   /* one cycle in this many takes no response */
    LONG_EVERY = 256, /* one batch in so many, from the second on, begins with a long wait: */
    LONG_WAIT = 256,  /* 256 to 1279 cycles without a request, or without taking a response */
    PATIENCE = 4096,  /* cycles without a handshake until a time-out */
    NAME_BYTES = 64,
};

struct gm_rtl {
    const gm_cosim_plugin_table *table;
    const gm_ports *ports;
    gm_cosim_dut *dut;
    char name[NAME_BYTES];
    gm_cosim_random random;
    uint64_t batches;
    uint32_t idle_left, stall_left; /* of a long wait */
    size_t gathered;
    uint64_t request[BATCH][GM_PORTS_FIELDS], response[BATCH][GM_PORTS_FIELDS];
    gm_rtl_counts counts;
    gm_error error;
    atomic_int failed; /* written after error */
};

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void fail(gm_rtl *rtl, uint64_t call, const char *text)
{
    if (atomic_load(&rtl->failed) == 0) {
        gm_fail(&rtl->error, -EPROTO, "%s: %s, call %llu: %s", rtl->name, rtl->ports->block,
                (unsigned long long)call, text);
        atomic_store(&rtl->failed, -EPROTO);
    }
}

/* Appends "name=0x..." to a line. */
static size_t put_field(char *text, size_t size, size_t used, const char *name, uint64_t value)
{
    int more = snprintf(text + used, size - used, " %s=0x%llx", name, (unsigned long long)value);
    size_t end = used + (size_t)(more < 0 ? 0 : more);
    return end < size ? end : size - 1;
}

/* Writes the difference: "for op=0x0 line=0x12...: RTL index=0x5, C model index=0x4". */
static void fail_mismatch(gm_rtl *rtl, size_t number)
{
    const gm_ports *ports = rtl->ports;
    char text[GM_ERROR_TEXT];
    size_t used = (size_t)snprintf(text, sizeof text, "for");
    for (unsigned f = 0; f < ports->requests; f++) {
        used = put_field(text, sizeof text, used, ports->request[f].name, rtl->request[number][f]);
    }
    for (unsigned side = 0; side < 2; side++) {
        const char *who = side == 0 ? ": RTL" : ", C model";
        int more = snprintf(text + used, sizeof text - used, "%s", who);
        used += (size_t)(more < 0 ? 0 : more);
        used = used < sizeof text ? used : sizeof text - 1;
        for (unsigned f = 0; f < ports->responses; f++) {
            uint64_t actual = rtl->dut->response[f][0];
            uint64_t expected = rtl->response[number][f];
            if (actual != expected) {
                used = put_field(text, sizeof text, used, ports->response[f].name,
                                 side == 0 ? actual : expected);
            }
        }
    }
    fail(rtl, rtl->counts.calls, text);
}

static void clock_edge(gm_rtl *rtl)
{
    *rtl->dut->clk = 1;
    rtl->table->eval(rtl->dut);
    rtl->counts.cycles++;
    if (rtl->dut->assertion[0] != '\0') {
        char text[sizeof rtl->dut->assertion + 32];
        snprintf(text, sizeof text, "assertion: %s", rtl->dut->assertion);
        fail(rtl, rtl->counts.calls, text);
    }
}

static void clock_low(gm_rtl *rtl)
{
    *rtl->dut->clk = 0;
    rtl->table->eval(rtl->dut);
}

/* Compares a response that the RTL offers with call `number` of the batch. */
static void compare(gm_rtl *rtl, size_t number)
{
    uint64_t difference = 0;
    for (unsigned f = 0; f < rtl->ports->responses; f++) {
        difference |= rtl->dut->response[f][0] ^ rtl->response[number][f];
    }
    if (difference != 0) {
        fail_mismatch(rtl, number);
        return;
    }
    rtl->counts.calls++;
}

/* Begins a long wait where the batch has one. */
static void choose_wait(gm_rtl *rtl)
{
    if (rtl->batches++ % LONG_EVERY == 1) {
        uint64_t random = gm_cosim_random_next(&rtl->random);
        uint32_t cycles = LONG_WAIT + (uint32_t)(random >> 32) % (4 * LONG_WAIT);
        *((random & 1) != 0 ? &rtl->idle_left : &rtl->stall_left) = cycles;
    }
}

/* Drives the inputs of a cycle: call `sent` of the batch, or none. What is on the request's fields
 * without a request is noise, which the RTL must not look at. */
static void drive(gm_rtl *rtl, size_t sent)
{
    gm_cosim_dut *dut = rtl->dut;
    bool offers = sent < rtl->gathered && rtl->idle_left == 0;
    uint64_t noise = offers ? 0 : gm_cosim_random_next(&rtl->random);
    dut->request_valid[0] = offers;
    for (unsigned f = 0; f < rtl->ports->requests; f++) {
        dut->request[f][0] = offers ? rtl->request[sent][f] : noise;
        noise = noise << 13 | noise >> 51;
    }
    dut->response_ready[0] = rtl->stall_left == 0 && rtl->counts.cycles % HOLD_BACK != 0;
    rtl->idle_left -= rtl->idle_left > 0;
    rtl->stall_left -= rtl->stall_left > 0;
}

static void run_batch(gm_rtl *rtl)
{
    gm_cosim_dut *dut = rtl->dut;
    size_t sent = 0;
    size_t answered = 0;
    double start = seconds();
    choose_wait(rtl);
    for (unsigned waited = 0; answered < rtl->gathered && atomic_load(&rtl->failed) == 0;) {
        drive(rtl, sent);
        clock_low(rtl);
        bool moved = rtl->idle_left + rtl->stall_left > 0;
        if ((dut->response_valid[0] & dut->response_ready[0]) != 0) {
            moved = true;
            if (answered == sent) {
                fail(rtl, rtl->counts.calls, "the RTL answers what it was not asked");
                break;
            }
            compare(rtl, answered++);
        }
        if ((dut->request_valid[0] & dut->request_ready[0]) != 0) {
            moved = true;
            sent++;
        }
        clock_edge(rtl);
        waited = moved ? 0 : waited + 1;
        if (waited == PATIENCE) {
            fail(rtl, rtl->counts.calls,
                 sent < rtl->gathered ? "time-out: the RTL does not accept the request"
                                      : "time-out: the RTL does not answer");
        }
    }
    dut->request_valid[0] = 0;
    rtl->gathered = 0;
    rtl->counts.seconds += seconds() - start;
}

static void reset(gm_rtl *rtl)
{
    gm_cosim_dut *dut = rtl->dut;
    dut->request_valid[0] = 0;
    dut->response_ready[0] = 1;
    *dut->rst_n = 0;
    for (unsigned i = 0; i < 4; i++) {
        clock_low(rtl);
        *dut->clk = 1;
        rtl->table->eval(dut);
    }
    clock_low(rtl);
    *dut->rst_n = 1;
    dut->assertion[0] = '\0'; /* before the reset, registers have random values */
}

static void rtl_close(gm_rtl *rtl)
{
    if (rtl != NULL && rtl->dut != NULL) {
        rtl->table->close(rtl->dut);
    }
    free(rtl);
}

/* Each instance powers up with its own values, the same in each run: a hash of its name (FNV-1a).
 */
static uint64_t seed_of(const char *name)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (; *name != '\0'; name++) {
        hash = (hash ^ (uint8_t)*name) * UINT64_C(0x100000001b3);
    }
    return hash;
}

static int make_instance(gm_rtl **made, const gm_cosim_plugin_table *table, const char *name,
                         gm_error *error)
{
    gm_rtl *rtl = calloc(1, sizeof *rtl);
    uint64_t seed = seed_of(name);
    if (rtl == NULL || (rtl->dut = table->open(seed)) == NULL) {
        free(rtl);
        return gm_fail(error, -ENOMEM, "out of memory: the RTL of %s", name);
    }
    rtl->random.state = seed;
    rtl->table = table;
    rtl->ports = gm_cosim_block_here.ports;
    snprintf(rtl->name, sizeof rtl->name, "%s", name);
    reset(rtl);
    *made = rtl;
    return 0;
}

static int rtl_open(gm_rtl **made, const char *name, const char *options, const char *file,
                    gm_error *error)
{
    gm_cosim_configuration configuration;
    const gm_cosim_plugin_table *table = NULL;
    int code = gm_cosim_block_here.configure(options, &configuration, error);
    code = code < 0 ? code : gm_rtl_build(&table, &configuration, file, error);
    return code < 0 ? code : make_instance(made, table, name, error);
}

static int rtl_another(gm_rtl **made, const gm_rtl *like, const char *name, gm_error *error)
{
    return make_instance(made, like->table, name, error);
}

static void rtl_call(void *context, const uint64_t *request, const uint64_t *response)
{
    gm_rtl *rtl = context;
    if (atomic_load_explicit(&rtl->failed, memory_order_relaxed) != 0) {
        return;
    }
    memcpy(rtl->request[rtl->gathered], request, rtl->ports->requests * sizeof *request);
    memcpy(rtl->response[rtl->gathered], response, rtl->ports->responses * sizeof *response);
    if (++rtl->gathered == BATCH) {
        run_batch(rtl);
    }
}

static int rtl_failed(const gm_rtl *rtl, gm_error *error)
{
    int code = atomic_load(&rtl->failed);
    return code == 0 ? 0 : gm_fail(error, code, "%s", rtl->error.text);
}

static int rtl_finish(gm_rtl *rtl, gm_rtl_counts *counts, gm_error *error)
{
    run_batch(rtl);
    *counts = rtl->counts;
    return rtl_failed(rtl, error);
}

const gm_rtl_plugin *gm_rtl_plugin_here(void)
{
    static gm_rtl_plugin plugin = {
        .open = rtl_open,
        .another = rtl_another,
        .call = rtl_call,
        .failed = rtl_failed,
        .finish = rtl_finish,
        .close = rtl_close,
    };
    plugin.block = gm_cosim_block_here.ports->block;
    return &plugin;
}
