/* The memory system under another simulator against the engine: what the load/store units of an
 * engine run were given is sent at its cycles and is answered in those of the engine, with its
 * counters; so are the packets that its L1s sent. The engine's own machine is looked into after
 * each cycle, where it would save a checkpoint. */
#include "cycle/engine/checkpoint.h"
#include "cycle/l1/byte_masks.h"
#include "goldmem/memory.h"
#include "support/config/random_machine.h"
#include "support/cycle/engine/cycle_run.h"
#include "support/order/order_run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { EVENTS = 1 << 14, LINES = 1 << 16, SMS = 32 };

/* An instruction, or a packet. */
typedef struct event {
    gm_cycle at, done; /* done 0: not yet */
    uint32_t first, lines;
    uint32_t ticket;
} event;

typedef struct recording {
    size_t events, lines;
    event event[EVENTS];
    gm_memory_request line[LINES];
    uint32_t bytes[LINES][GM_MEMORY_LINE_SECTORS];
    uint32_t in_flight[SMS][GM_TICKETS]; /* 1 + event; 0: none */
    gm_cycle flushed;                    /* the kernel's end began at the end of this cycle */
} recording;

static recording instructions, packets;
static bool with_packets;

static void put_line(recording *into, const gm_memory_request *request, const uint32_t *bytes,
                     uint32_t whole)
{
    assert_true(into->lines < LINES);
    uint32_t *masks = into->bytes[into->lines];
    gm_memory_request *line = &into->line[into->lines++];
    *line = *request;
    for (unsigned sector = 0; sector < GM_MEMORY_LINE_SECTORS; sector++) {
        bool all = (whole >> sector & 1) != 0;
        bool known = bytes != NULL && (request->sectors >> sector & 1) != 0; /* of the line */
        masks[sector] = known ? bytes[sector] : all ? UINT32_MAX : 1;
    }
    line->bytes = masks;
}

static event *put_event(recording *into, gm_cycle now, uint32_t lines)
{
    assert_true(into->events < EVENTS);
    event *made = &into->event[into->events++];
    *made = (event){.at = now, .first = (uint32_t)into->lines, .lines = lines};
    return made;
}

static uint64_t line_bytes_of(unsigned sector_bits)
{
    return UINT64_C(32) << sector_bits;
}

static void record_access(gm_load_store *unit, uint32_t place, gm_cycle now)
{
    const gm_queued_access *access = &unit->access[place];
    const gm_line_request *rest = &unit->request[(size_t)place * GM_COALESCED_REQUESTS];
    uint32_t *own = &instructions.in_flight[unit->number][access->ticket];
    assert_int_equal(access->passes, 0);
    assert_in_range(access->requests, 1, GM_MEMORY_LINES);
    if (*own != 0) { /* answered and given to the next one in one cycle */
        instructions.event[*own - 1].done = now;
    }
    put_event(&instructions, now, access->requests)->ticket = access->ticket;
    *own = (uint32_t)instructions.events;
    for (uint32_t i = 0; i < access->requests; i++) {
        const gm_line_request *from = i == 0 ? &access->first : &rest[i];
        const gm_memory_request request = {
            .address = from->line * line_bytes_of(unit->l1.shared->l1_sector_bits),
            .sectors = from->sectors,
            .port = unit->number,
            .warp = access->warp,
            .kind = (gm_memory_kind)access->kind,
            .local = from->local,
        };
        const gm_byte_masks *masks = unit->l1.masks;
        bool kept = masks != NULL && access->kind >= GM_REQUEST_STORE && from->masks != 0;
        put_line(&instructions, &request,
                 kept ? &masks->mask[(size_t)(from->masks - 1) * masks->sectors] : NULL,
                 masks != NULL ? from->sectors : from->whole);
    }
}

static void record_packet(const gm_cycle_l1 *l1, gm_cycle now)
{
    static const gm_memory_kind kinds[] = {
        [GM_MESSAGE_READ] = GM_MEMORY_LOAD,
        [GM_MESSAGE_WRITE] = GM_MEMORY_STORE,
        [GM_MESSAGE_ATOMIC] = GM_MEMORY_ATOMIC,
        [GM_MESSAGE_REDUCTION] = GM_MEMORY_REDUCTION,
    };
    const gm_packet *packet = &l1->packet[(l1->queue.span.first - 1) & l1->queue.mask];
    assert_true(gm_ring_count(&l1->queue) <= l1->queue.mask);
    assert_true(packet->kind != GM_MESSAGE_WRITE_BACK && packet->kind <= GM_MESSAGE_REDUCTION);
    const gm_memory_request request = {
        .address = packet->line * line_bytes_of(l1->shared->l2_sector_bits),
        .sectors = packet->sectors,
        .port = l1->number,
        .kind = kinds[packet->kind],
        .unkept = packet->fills == 0,
    };
    put_event(&packets, now, 1);
    put_line(&packets, &request, NULL, packet->whole);
}

static void record(const gm_cycle_run_state *run)
{
    const gm_cycle_machine *machine = &run->machine;
    gm_cycle now = machine->now;
    for (uint32_t sm = 0; sm < machine->sms; sm++) {
        gm_load_store *unit = &machine->load_store[sm];
        const gm_ring *ring = &unit->queue;
        for (uint32_t i = 0; i < gm_ring_count(ring); i++) {
            uint32_t place = gm_ring_span_place(&ring->span, ring->mask, i);
            if (unit->access[place].from == now + 1) {
                record_access(unit, place, now);
            }
        }
        for (uint32_t ticket = 0; ticket < GM_TICKETS; ticket++) {
            uint32_t *own = &instructions.in_flight[sm][ticket];
            if (*own != 0 && (unit->pending[ticket] & 0xFFFFF) == 0) {
                instructions.event[*own - 1].done = now;
                *own = 0;
            }
        }
        if (with_packets && unit->l1.sent_at == now) {
            record_packet(&unit->l1, now);
        }
    }
    if (run->position.flushed && instructions.flushed == 0) {
        instructions.flushed = now;
    }
}

/* Replace the library's. */
int gm_checkpoint_save(gm_cycle_run_state *run, gm_error *error)
{
    (void)error;
    record(run);
    return 0;
}

int gm_checkpoint_begin(gm_cycle_run_state *run, gm_error *error)
{
    (void)run;
    (void)error;
    return 0;
}

int gm_checkpoint_keep_kernel(gm_cycle_run_state *run, const gm_statistics *own, uint64_t content,
                              gm_error *error)
{
    (void)content;
    (void)run;
    (void)own;
    (void)error;
    return 0;
}

int gm_checkpoint_resume(gm_cycle_run_state *run, gm_error *error)
{
    (void)run;
    (void)error;
    return -EINVAL;
}

static gm_statistics run_engine(const gm_config *config, memory_source *source)
{
    const gm_run_options options = {
        .threads = 1, .check = true, .checkpoint = "none", .checkpoint_every = 1};
    gm_results results;
    gm_error error;
    memset(&instructions, 0, sizeof instructions);
    memset(&packets, 0, sizeof packets);
    test_ok(gm_cycle_run(config, &source->source, &options, &results, &error), error);
    gm_statistics total = results.total;
    gm_results_free(&results);
    for (size_t i = 0; i < instructions.events; i++) {
        assert_true(instructions.event[i].done > instructions.event[i].at);
    }
    return total;
}

static void expect_answers(gm_memory *memory, recording *recorded)
{
    gm_memory_answer answer;
    while (gm_memory_pop(memory, &answer)) {
        const event *own = &recorded->event[answer.id];
        if (answer.cycle != own->done) {
            fail_msg("request %u of cycle %u, line 0x%llx, kind %u: answered in %u, in the engine "
                     "in %u",
                     (unsigned)answer.id, (unsigned)own->at,
                     (unsigned long long)recorded->line[own->first].address,
                     recorded->line[own->first].kind, (unsigned)answer.cycle, (unsigned)own->done);
        }
        assert_int_equal(answer.port, recorded->line[own->first].port);
    }
}

/* Sends what was recorded, in its cycles; each answer comes in the recorded one. Returns the
 * counters at the end of cycle `end`. */
static gm_statistics replay(const gm_config *config, gm_memory_level level, recording *recorded,
                            gm_cycle end)
{
    const gm_memory_options options = {.level = level};
    gm_memory *memory;
    gm_error error;
    gm_statistics statistics;
    test_ok(gm_memory_open(&memory, config, &options, &error), error);
    for (size_t i = 0; i < recorded->events; i++) {
        const event *own = &recorded->event[i];
        gm_memory_request *line = &recorded->line[own->first];
        gm_memory_advance(memory, own->at);
        expect_answers(memory, recorded);
        line->id = i;
        int code = level == GM_MEMORY_BELOW_SM
                       ? gm_memory_send_lines(memory, line, own->lines, &error)
                       : gm_memory_send(memory, line, &error);
        if (code != 1) {
            fail_msg("request %zu: %s", i, code == 0 ? "no room" : error.text);
        }
    }
    gm_memory_advance(memory, instructions.flushed);
    expect_answers(memory, recorded);
    if (level == GM_MEMORY_BELOW_SM) {
        test_ok(gm_memory_end_kernel(memory, &error), error);
    }
    gm_memory_advance(memory, end);
    gm_memory_statistics(memory, &statistics);
    test_ok(gm_memory_check(memory, &error), error); /* all are answered */
    gm_memory_close(memory);
    return statistics;
}

/* Makes the counters of what the simulator has equal. */
static void without_sms(gm_statistics *statistics)
{
    gm_time_statistics *time = &statistics->time;
    statistics->core = (gm_core_statistics){0};
    statistics->unified.resident_ctas = 0;
    time->slots_issued = time->slots_memory = time->slots_fetch = time->slots_dependence = 0;
    time->slots_unit = time->slots_memory_unit = time->slots_barrier = time->slots_fence = 0;
    time->slots_idle = time->slots_throttled = time->warp_cycles = time->occupied_cycles = 0;
}

/* Names the first counter that differs. */
static void expect_equal(const gm_statistics *found, const gm_statistics *engine)
{
    const uint64_t *a = (const uint64_t *)(const void *)found;
    const uint64_t *b = (const uint64_t *)(const void *)engine;
    for (size_t i = 0; i < sizeof *found / sizeof *a; i++) {
        if (a[i] != b[i]) {
            fail_msg("counter %zu (time from %zu, l2 from %zu): %llu, in the engine %llu", i,
                     offsetof(gm_statistics, time) / 8, offsetof(gm_statistics, l2) / 8,
                     (unsigned long long)a[i], (unsigned long long)b[i]);
        }
    }
}

static void replay_instructions(const gm_config *config, memory_source *source)
{
    gm_statistics engine = run_engine(config, source);
    assert_true(instructions.events > 0);
    gm_statistics found = replay(config, GM_MEMORY_BELOW_SM, &instructions, engine.time.cycles);
    without_sms(&engine);
    without_sms(&found);
    expect_equal(&found, &engine);
}

/* Loads, stores, atomics and gathers of some lines, no fences and no shared memory. */
static memory_source *random_source(uint64_t seed, uint32_t ctas)
{
    static const unsigned opcodes[] = {
        MEMORY_LOAD,  MEMORY_LOAD,        MEMORY_LOAD,       MEMORY_STORE,       MEMORY_ATOMIC,
        MEMORY_STORE, MEMORY_STRONG_LOAD, MEMORY_LOCAL_LOAD, MEMORY_LOCAL_STORE, MEMORY_REDUCTION};
    test_random random = {seed};
    memory_source *source = memory_source_new();
    uint64_t footprint = UINT64_C(128) << (4 + test_random_below(&random, 8));
    memory_kernel(source, ctas, 64);
    for (uint32_t cta = 0; cta < ctas; cta++) {
        memory_cta(source, cta);
        for (uint32_t warp = 0; warp < 2; warp++) {
            memory_warp(source, warp);
            for (uint64_t left = test_random_below(&random, 12); left != 0; left--) {
                unsigned opcode =
                    opcodes[test_random_below(&random, sizeof opcodes / sizeof *opcodes)];
                bool local = opcode == MEMORY_LOCAL_LOAD || opcode == MEMORY_LOCAL_STORE;
                uint64_t base = local ? UINT64_C(4) * test_random_below(&random, 8)
                                      : UINT64_C(0x7f0000000000) +
                                            4 * test_random_below(&random, footprint / 4);
                int64_t stride = local ? 0 : 4 * (int64_t)test_random_below(&random, 40);
                memory_stride(source, opcode, (uint32_t)test_random_next(&random) | 1, base, stride,
                              4);
                memory_registers(source, (unsigned)test_random_below(&random, 32),
                                 (unsigned)test_random_below(&random, 32));
            }
        }
    }
    return source;
}

static void presets_replay(void **state)
{
    (void)state;
    static const struct {
        const char *preset;
        bool mrpb; /* orders requests by their warps */
    } rows[] = {{"gtx480", false}, {"fermi-l1d", false}, {"fermi-sharing", false},
                {"v100", false},   {"rtx3070", false},   {"kepler-sharing", false},
                {"gtx480", true}};
    test_random random = test_random_start(0x2171);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        gm_config config = order_preset(rows[i].preset);
        config.l1.bypass = rows[i].mrpb ? GM_BYPASS_MRPB : config.l1.bypass;
        config.gpu.sms = config.gpu.sms < 8 ? config.gpu.sms : 8;
        config.l1.data_banks = 1;
        config.l1i.size = 0;
        memory_source *source = random_source(test_random_next(&random), 40);
        replay_instructions(&config, source);
        gm_source_close(&source->source);
    }
}

/* What a replay cannot have: the SMs' share of policies, fetches, passes. */
static bool can_replay(gm_config *config)
{
    gm_error error;
    config->l1i.size = 0;
    config->l1.data_banks = 1;
    config->gpu.kernel_end = GM_END_WRITTEN; /* a run ends when its memory system is idle */
    return config->l1.bypass != GM_BYPASS_CONTENTION && config->l1.bypass != GM_BYPASS_PROFILED &&
           config->sm.throttle != GM_THROTTLE_CCWS && config->sm.throttle != GM_THROTTLE_SAMPLING &&
           config->gpu.sms <= SMS && gm_config_check(config, &error) == 0;
}

static void random_machines_replay(void **state)
{
    (void)state;
    enum { ROUNDS = 16 };
    test_random random = test_random_start(0x2172);
    for (unsigned round = 0; round < ROUNDS;) {
        gm_config config = random_machine(&random, true);
        if (!can_replay(&config)) {
            continue;
        }
        memory_source *source = random_source(test_random_next(&random), 12);
        replay_instructions(&config, source);
        gm_source_close(&source->source);
        round++;
    }
}

/* Each line is used by one instruction, which has one line: an L1's port then takes a packet in
 * each cycle, and an instruction is answered with its packet. */
static memory_source *lone_lines(uint32_t ctas, uint32_t lanes)
{
    memory_source *source = memory_source_new();
    uint64_t line = 0x7f0000000;
    memory_kernel(source, ctas, 64);
    for (uint32_t cta = 0; cta < ctas; cta++) {
        memory_cta(source, cta);
        for (uint32_t warp = 0; warp < 2; warp++) {
            memory_warp(source, warp);
            for (unsigned i = 0; i < 12; i++) {
                static const unsigned opcodes[] = {MEMORY_LOAD, MEMORY_LOAD,   MEMORY_STORE,
                                                   MEMORY_LOAD, MEMORY_ATOMIC, MEMORY_REDUCTION};
                memory_stride(source, opcodes[i % 6], lanes, line++ * 128, 4, 4);
                memory_registers(source, i, 255);
            }
        }
    }
    return source;
}

/* Gives each packet the cycle in which its instruction is answered. */
static void find_answers(void)
{
    for (size_t i = 0; i < packets.events; i++) {
        const gm_memory_request *own = &packets.line[packets.event[i].first];
        for (size_t k = 0; k < instructions.events && packets.event[i].done == 0; k++) {
            if (instructions.line[instructions.event[k].first].address == own->address) {
                packets.event[i].done = instructions.event[k].done;
            }
        }
        assert_true(packets.event[i].done != 0);
    }
}

static void packets_replay(void **state)
{
    (void)state;
    static const struct {
        const char *preset;
        uint32_t lanes;
    } rows[] = {{"gtx480", UINT32_MAX}, {"fermi-l1d", UINT32_MAX}, {"v100", 0xFF}};
    with_packets = true;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        gm_config config = order_preset(rows[i].preset);
        config.gpu.sms = 8;
        config.l1.data_banks = 1;
        config.l1i.size = 0;
        memory_source *source = lone_lines(64, rows[i].lanes);
        gm_statistics engine = run_engine(&config, source);
        assert_int_equal(instructions.events, 64 * 2 * 12);
        assert_int_equal(packets.events, instructions.events);
        find_answers();
        gm_statistics found = replay(&config, GM_MEMORY_BELOW_L1, &packets, engine.time.cycles);
        without_sms(&engine);
        without_sms(&found);
        found.l1d = engine.l1d; /* the simulator's */
        found.l1_banks = engine.l1_banks;
        found.time.loads = engine.time.loads;
        found.time.load_cycles = engine.time.load_cycles;
        found.time.l1_mshr_cycles = engine.time.l1_mshr_cycles;
        found.time.l1_mshr_entries = engine.time.l1_mshr_entries;
        expect_equal(&found, &engine);
        gm_source_close(&source->source);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(presets_replay),
        cmocka_unit_test(random_machines_replay),
        cmocka_unit_test(packets_replay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
