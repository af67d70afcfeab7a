/* The SM front end of the cycle engine by itself: programs of warps, a load/store unit that answers
 * after a given time, and a log of what issued when. Include it in one file of a program: the
 * functions of the load/store unit that it defines take the place of the library's. */
#ifndef GOLDMEM_TESTS_SUPPORT_CYCLE_SM_SM_RUN_H
#define GOLDMEM_TESTS_SUPPORT_CYCLE_SM_SM_RUN_H

#include "cycle/sm/warp.h"
#include "goldmem/bits.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

#define ALL UINT32_MAX

enum {
    SM_CTAS = 12,
    SM_CTA_WARPS = 8,
    SM_PROGRAM = 200, /* instructions of a warp */
    SM_LOG = SM_CTAS * SM_CTA_WARPS * SM_PROGRAM,
    SM_NONE = -1, /* no register */
};

typedef struct sm_program {
    uint32_t count;
    gm_instruction instruction[SM_PROGRAM];
} sm_program;

typedef struct sm_issue {
    gm_cycle cycle;
    uint32_t slot;
} sm_issue;

/* A fetch of instructions in flight. */
typedef struct sm_fetch {
    gm_cycle at; /* when its answer comes, at the earliest */
    uint32_t number;
} sm_fetch;

enum { SM_FETCHES = 256 };

/* A load/store unit that takes an access every `interval` cycles from a queue of `places`, and
 * answers it `latency` cycles after (plus 0 to `spread`, by the access's number). It answers a
 * fetch of instructions `line_latency` cycles after it has left (plus 0 to `line_spread`, by its
 * number), at most one a cycle. */
typedef struct sm_unit {
    gm_load_store unit; /* first */
    gm_cycle interval, latency, spread;
    gm_cycle next; /* when it takes another access */
    uint64_t taken;
    uint32_t queue[64];
    uint64_t line[64]; /* sum of the lines of each */
    uint64_t lines;    /* of all, and of their sectors: */
    uint64_t sectors, passes, requests;
    gm_line_request *kept;             /* when not NULL: room for all requests */
    gm_cycle answer[GM_TICKETS];       /* when, of the tickets that wait: */
    uint64_t waiting[GM_TICKETS / 64]; /* a bit for each */
    uint32_t done[GM_TICKETS];
    gm_cycle line_latency, line_spread;
    sm_fetch fetch[SM_FETCHES]; /* those in flight, in the order sent: */
    uint32_t fetches;
    uint64_t fetched; /* packets of fetches so far, and their sectors: */
    uint64_t fetched_sectors;
    uint64_t drops; /* of the L1's lines, by fences */
    bool hits;      /* answers are hits of the L1 */
} sm_unit;

typedef struct sm_run {
    gm_config config;
    gm_source source; /* for its opcodes */
    gm_arena arena;
    gm_warp_store *store;
    gm_intake *intake;
    gm_cycle_sm sm;
    gm_cycle_sm_shared shared;
    sm_unit unit;
    gm_cycle now, wake;
    bool skips;                                /* cycles in which nothing is due */
    uint32_t ctas, warps;                      /* to run; warps of each */
    uint32_t together;                         /* CTAs resident at a time, at most */
    sm_program program[SM_CTAS][SM_CTA_WARPS]; /* of CTA and warp */
    gm_cta cta[SM_CTAS];
    uint32_t number[SM_CTAS][SM_CTA_WARPS], slot[SM_CTAS][SM_CTA_WARPS];
    gm_warp_stream stream[SM_CTAS][SM_CTA_WARPS];
    bool resident[SM_CTAS];
    gm_cycle ended[SM_CTAS];
    uint32_t admitted, living;
    uint64_t taken[GM_WARP_SLOTS]; /* records, before this step */
    sm_issue log[SM_LOG];
    uint32_t logged;
    uint64_t visits;
} sm_run;

void gm_load_store_issue(gm_load_store *unit, const gm_memory_access *access, gm_cycle now)
{
    sm_unit *own = (sm_unit *)unit;
    const sm_run *run = (const sm_run *)((char *)own - offsetof(sm_run, unit));
    assert_true(gm_load_store_has_room(unit));
    assert_int_equal(access->warp, run->sm.ticket[access->ticket].slot);
    own->queue[unit->queue.span.count++] = access->ticket;
    own->next = own->next > now + 1 ? own->next : now + 1;
    if (own->kept != NULL) {
        memcpy(own->kept + own->requests, access->request,
               access->requests * sizeof *access->request);
    }
    own->requests += access->requests;
    own->passes += access->passes;
    for (uint32_t i = 0; i < access->requests; i++) {
        own->lines += access->request[i].line;
        own->sectors += access->request[i].sectors;
    }
    gm_wake(unit->wake, own->next);
}

void gm_load_store_fetch(gm_load_store *unit, uint64_t l2_line, uint32_t sectors, uint32_t number,
                         gm_cycle now)
{
    sm_unit *own = (sm_unit *)unit;
    gm_cycle more = own->line_spread == 0 ? 0 : own->fetched * 7919 % (own->line_spread + 1);
    (void)l2_line;
    assert_true(own->fetches < SM_FETCHES);
    own->fetched++;
    own->fetched_sectors += gm_count_ones(sectors);
    own->fetch[own->fetches++] = (sm_fetch){now + 1 + own->line_latency + more, number};
    gm_wake(unit->wake, now + 1);
}

void gm_load_store_drop(gm_load_store *unit, gm_cycle now)
{
    (void)now;
    ((sm_unit *)unit)->drops++;
}

/* Answers the fetch that is due first; of several due at once, the one sent first. */
static inline void sm_answer_fetch(gm_load_store *unit, gm_cycle now)
{
    sm_unit *own = (sm_unit *)unit;
    uint32_t first = 0;
    for (uint32_t i = 1; i < own->fetches; i++) {
        first = own->fetch[i].at < own->fetch[first].at ? i : first;
    }
    if (own->fetches == 0) {
        return;
    }
    if (own->fetch[first].at > now) {
        gm_wake(unit->wake, own->fetch[first].at);
        return;
    }
    unit->l1.fetched = 1 + own->fetch[first].number;
    own->fetches--;
    memmove(&own->fetch[first], &own->fetch[first + 1],
            (own->fetches - first) * sizeof own->fetch[0]);
    if (own->fetches != 0) {
        gm_wake(unit->wake, now + 1);
    }
}

/* The write port, if the unit has one, writes what it holds. */
static inline void sm_write(gm_load_store *unit)
{
    gm_write_port *port = &unit->port;
    port->written = GM_NO_TICKET;
    if (port->ticket != GM_NO_TICKET && !port->waits) {
        unit->done[unit->done_count++] = port->written = port->ticket;
        port->ticket = GM_NO_TICKET;
    }
}

/* Answers a ticket that is due: at once, or through the write port, which may be in use. */
static inline void sm_answer(sm_unit *own, uint32_t ticket, gm_cycle now)
{
    gm_write_port *port = &own->unit.port;
    if (port->enabled) {
        gm_wake(own->unit.wake, now + 1);
    }
    if (port->enabled && port->ticket != GM_NO_TICKET) {
        return;
    }
    own->waiting[ticket / 64] &= ~(UINT64_C(1) << ticket % 64);
    if (port->enabled) {
        port->ticket = ticket;
    } else {
        own->unit.done[own->unit.done_count++] = ticket;
    }
}

void gm_load_store_step(gm_load_store *unit, gm_cycle now)
{
    sm_answer_fetch(unit, now);
    sm_unit *own = (sm_unit *)unit;
    unit->done = own->done;
    unit->done_count = 0;
    sm_write(unit);
    if (!gm_ring_is_empty(&unit->queue) && own->next <= now) {
        gm_cycle more = own->spread == 0 ? 0 : own->taken * 7919 % (own->spread + 1);
        own->taken++;
        uint32_t ticket = own->queue[0];
        own->answer[ticket] = now + own->latency + more;
        own->waiting[ticket / 64] |= UINT64_C(1) << ticket % 64;
        unit->queue.span.count--;
        memmove(own->queue, own->queue + 1, gm_ring_count(&unit->queue) * sizeof own->queue[0]);
        own->next = now + own->interval;
    }
    for (uint32_t word = 0; word < GM_TICKETS / 64; word++) {
        for (uint64_t left = own->waiting[word]; left != 0; left &= left - 1) {
            uint32_t ticket = 64 * word + gm_lowest_one(left);
            if (own->answer[ticket] > now) {
                gm_wake(unit->wake, own->answer[ticket]);
            } else {
                sm_answer(own, ticket, now);
            }
        }
    }
    unit->hits_from = 0;
    unit->hits_to = own->hits ? unit->done_count : 0;
    if (!gm_ring_is_empty(&unit->queue)) {
        gm_wake(unit->wake, own->next);
    }
    if (unit->port.ticket != GM_NO_TICKET) {
        gm_wake(unit->wake, now + 1);
    }
}

/* Defaults: gtx480's units, one scheduler, 8 warps, loads that take 100 cycles. */
static inline void sm_make(sm_run *run)
{
    gm_error error;
    memset(run, 0, sizeof *run);
    test_ok(gm_config_preset(&run->config, "gtx480", &error), error);
    run->config.gpu.sms = 1;
    run->config.sm.schedulers = 1;
    run->config.sm.warps = 8;
    run->ctas = 1;
    run->warps = 1;
    run->together = SM_CTAS;
    run->skips = true;
    run->unit.unit.queue.capacity = 1;
    run->unit.unit.port.ticket = run->unit.unit.port.written = GM_NO_TICKET;
    static const gm_bypass_ops nothing_bypasses = {.on_stall = false};
    run->unit.unit.l1.bypass.ops = &nothing_bypasses;
    run->unit.interval = 1;
    run->unit.latency = 100;
    run->source.name = "test";
}

/* Returns a run of the defaults with these sm.fetch and sm.collectors. */
static inline sm_run *sm_fresh(uint64_t fetch, uint64_t collectors)
{
    static sm_run run;
    sm_make(&run);
    run.config.sm.fetch = fetch;
    run.config.sm.collectors = collectors;
    return &run;
}

static inline uint16_t sm_opcode(sm_run *run, const char *text)
{
    gm_error error;
    int number = gm_opcode_number(&run->source.opcodes, text, (uint32_t)strlen(text), &error);
    test_ok(number, error);
    return (uint16_t)number;
}

/* The next instruction of a warp; registers R0 to R254, or SM_NONE. */
static inline gm_instruction *sm_plain(sm_run *run, uint32_t cta, uint32_t warp, const char *text,
                                       int destination, int source)
{
    sm_program *program = &run->program[cta][warp];
    assert_true(program->count < SM_PROGRAM);
    gm_instruction *instruction = &program->instruction[program->count++];
    *instruction = (gm_instruction){.mask = ALL, .opcode = sm_opcode(run, text)};
    const gm_opcode *opcode = &run->source.opcodes.opcodes[instruction->opcode];
    instruction->op = (uint8_t)opcode->op;
    instruction->space = (uint8_t)opcode->space;
    if (destination != SM_NONE) {
        instruction->destinations = 1;
        instruction->destination[0] = GM_REGISTER(GM_REGISTERS_GENERAL, destination);
    }
    if (source != SM_NONE) {
        instruction->sources = 1;
        instruction->source[0] = GM_REGISTER(GM_REGISTERS_GENERAL, source);
    }
    return instruction;
}

/* As sm_plain, with 4 bytes a lane, lanes `stride` apart. */
static inline gm_instruction *sm_memory(sm_run *run, uint32_t cta, uint32_t warp, const char *text,
                                        int destination, int source, uint64_t base, int64_t stride)
{
    gm_instruction *instruction = sm_plain(run, cta, warp, text, destination, source);
    instruction->form = GM_ADDRESS_STRIDE;
    instruction->base = base;
    instruction->stride = stride;
    instruction->width = 4;
    instruction->addresses = GM_WARP_SIZE;
    return instruction;
}

/* Machine for the programs; the run's cycles begin with 0. */
static inline void sm_build(sm_run *run)
{
    gm_error error;
    size_t bytes = gm_cycle_sm_bytes(&run->config) + gm_cycle_sm_shared_bytes(&run->config);
    run->intake = calloc(1, sizeof *run->intake);
    assert_non_null(run->intake);
    test_ok(gm_arena_create(&run->arena, bytes, &error), error);
    test_ok(gm_warp_store_create(&run->store, 1 << 24, &error), error);
    test_ok(gm_intake_init(run->intake, &run->config, &run->source, run->store, GM_INTAKE_TIMED,
                           &error),
            error);
    test_ok(gm_cycle_sm_shared_init(&run->shared, &run->config, &run->arena, &error), error);
    test_ok(gm_cycle_sm_init(&run->sm, &run->config, 0, &run->unit.unit, &run->shared, &run->arena,
                             &error),
            error);
    run->shared.store = run->store;
    run->sm.wake = run->unit.unit.wake = &run->wake;
    run->wake = GM_NEVER;
    const gm_kernel kernel = {.grid = {SM_CTAS, 1, 1}, .block = {32 * run->warps, 1, 1}};
    gm_intake_kernel(run->intake, &kernel);
    gm_cycle_sm_start(&run->sm, 0);
}

/* The CTA's instructions go into the warp store. */
static inline void sm_deliver(sm_run *run, uint32_t number)
{
    gm_error error;
    gm_cta *cta = &run->cta[number];
    *cta = (gm_cta){
        .warp = run->number[number], .slot = run->slot[number], .stream = run->stream[number]};
    gm_intake_begin_cta(run->intake, cta, (uint32_t[3]){number, 0, 0});
    for (uint32_t i = 0; i < run->warps; i++) {
        const sm_program *program = &run->program[number][i];
        test_ok(gm_intake_begin_warp(run->intake, i, &error), error);
        for (uint32_t j = 0; j < program->count; j++) {
            test_ok(gm_intake_instruction(run->intake, &program->instruction[j], &error), error);
        }
    }
    test_ok(gm_intake_end_cta(run->intake, &error), error);
    gm_opcode_tally_free(&cta->tally); /* which engines merge into theirs */
}

static inline void sm_dispatch(sm_run *run)
{
    while (run->admitted < run->ctas && run->living < run->together) {
        uint32_t number = run->admitted++;
        sm_deliver(run, number);
        bool ended = gm_cycle_sm_admit(&run->sm, &run->cta[number], run->now);
        run->resident[number] = !ended;
        run->living += !ended;
    }
    for (uint32_t i = 0; i < run->sm.slots; i++) {
        run->taken[i] = run->sm.warp[i].taken;
    }
}

static inline void sm_log(sm_run *run)
{
    for (uint32_t i = 0; i < run->sm.slots; i++) {
        if (run->sm.warp[i].taken != run->taken[i]) {
            run->log[run->logged++] = (sm_issue){run->now, i};
        }
    }
}

/* One visit; false: all is done. */
static inline bool sm_step(sm_run *run)
{
    gm_error error;
    if (run->admitted == 0) {
        sm_dispatch(run);
    }
    if (run->living == 0 && run->admitted == run->ctas) {
        return false;
    }
    assert_true(run->wake != GM_NEVER && run->wake > run->now);
    run->now = run->skips ? run->wake : run->now + 1;
    if (run->wake <= run->now) {
        run->wake = GM_NEVER;
    }
    run->visits++;
    if (!run->skips) {
        gm_cycle_sm_wake_schedulers(&run->sm);
    }
    test_ok(gm_cycle_sm_step(&run->sm, run->now, &error), error);
    sm_log(run);
    for (gm_cta *ended = run->sm.ended; ended != NULL; ended = ended->next_ended) {
        assert_true(run->resident[ended->number]);
        run->resident[ended->number] = false;
        run->ended[ended->number] = run->now;
        run->living--;
        for (uint32_t i = 0; i < ended->warps; i++) {
            gm_warp_store_drop(run->store, &ended->stream[i]);
        }
    }
    run->sm.ended = NULL;
    sm_dispatch(run);
    return true;
}

/* Runs to the end; cycles 0 to the last one are in the counters. */
static inline gm_statistics sm_finish(sm_run *run)
{
    gm_error error;
    gm_statistics statistics = {0};
    while (sm_step(run)) {
    }
    gm_cycle_sm_statistics(&run->sm, run->now + 1, &statistics);
    test_ok(gm_cycle_sm_check(&run->sm, &error), error);
    return statistics;
}

static inline void sm_free(sm_run *run)
{
    gm_intake_free(run->intake);
    free(run->intake);
    for (uint32_t i = 0; i < SM_CTAS; i++) {
        for (uint32_t j = 0; j < SM_CTA_WARPS; j++) {
            gm_warp_store_drop(run->store, &run->stream[i][j]);
        }
    }
    gm_warp_store_free(run->store);
    gm_arena_free(&run->arena);
}

/* Builds, runs, and compares what issued when with "cycle:slot cycle:slot ...". */
static inline gm_statistics sm_expect(sm_run *run, const char *expected)
{
    sm_build(run);
    gm_statistics statistics = sm_finish(run);
    char *text = calloc(run->logged + 1, 32);
    size_t length = 0;
    assert_non_null(text);
    for (uint32_t i = 0; i < run->logged; i++) {
        length += (size_t)snprintf(text + length, 32, "%s%llu:%u", i == 0 ? "" : " ",
                                   (unsigned long long)run->log[i].cycle, run->log[i].slot);
    }
    assert_string_equal(text, expected);
    free(text);
    sm_free(run);
    gm_opcode_table_free(&run->source.opcodes);
    return statistics;
}

#endif
