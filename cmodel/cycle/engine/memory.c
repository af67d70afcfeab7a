/* The memory system of the cycle engine under another simulator (goldmem/memory.h): ports in place
 * of the machine's SMs, each in front of its load/store unit or, below the L1, of its input and
 * output of the interconnect. docs/embedding.md. */
#include "goldmem/memory.h"

#include "base/template.h"
#include "cycle/engine/cycle_invariants.h"
#include "cycle/engine/machine.h"
#include "frontend/l1_share.h"
#include "goldmem/assert.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

_Static_assert((int)GM_MEMORY_LOAD == (int)GM_REQUEST_LOAD &&
                   (int)GM_MEMORY_STRONG_LOAD == (int)GM_REQUEST_STRONG_LOAD &&
                   (int)GM_MEMORY_STORE == (int)GM_REQUEST_STORE &&
                   (int)GM_MEMORY_ATOMIC == (int)GM_REQUEST_ATOMIC &&
                   (int)GM_MEMORY_REDUCTION == (int)GM_REQUEST_REDUCTION,
               "kinds are the engine's");
_Static_assert((int)GM_MEMORY_IN_FLIGHT == (int)GM_TICKETS, "a request is a ticket of its SM");
_Static_assert((int)GM_MEMORY_SECTOR == (int)GM_SECTOR &&
                   (int)GM_MEMORY_LINE_SECTORS == (int)GM_LINE_SECTORS,
               "sectors are the engine's");

enum { MOST_CLOCK = 100000 /* MHz */ };

/* An answer that waits for gm_memory_pop. */
typedef struct waiting {
    gm_cycle at; /* core cycle */
    uint32_t port;
    uint32_t number;
} waiting;

/* A request has a number of its port, below in_flight, from send to pop: its ticket, or the id of
 * its packet. */
struct gm_memory {
    gm_config config;
    gm_cycle_machine machine;
    gm_clock clock; /* the simulator's */
    uint64_t now;   /* the simulator's cycle */
    bool below_l1;
    bool ending;     /* a kernel's end goes on */
    bool byte_masks; /* gm_config_sends_bytes */
    bool one_sector; /* stores and atomics are of one sector: l2.dirty=parts */
    uint32_t in_flight;
    unsigned line_bits;
    uint32_t all_sectors;
    gm_cycle_port_step *step;
    uint64_t *id;        /* [ports][in_flight] the caller's */
    uint16_t *vacant;    /* [ports][in_flight] stacks of free numbers */
    uint32_t *vacancies; /* [ports] */
    uint32_t *warps;     /* [ports] resident in its SM: of the simulator */
    waiting *answer;     /* elements of `answers` */
    gm_ring answers;
    uint64_t taken, answered;
};

/* The memory system answers a request in core cycle `now`. */
static void complete(gm_memory *memory, uint32_t port, uint32_t number, gm_cycle now)
{
    memory->answer[gm_ring_push(&memory->answers)] =
        (waiting){.at = now, .port = port, .number = number};
    memory->answered++;
}

/* A port's cycle below the SM: its load/store unit. */
static void step_unit(void *context, uint32_t port, gm_cycle now)
{
    gm_memory *memory = context;
    gm_load_store *unit = &memory->machine.load_store[port];
    if (!gm_load_store_is_due(unit, now)) {
        gm_assert(memory->machine.no_skip, "a port is woken for work of its unit only");
        return;
    }
    gm_load_store_step(unit, now);
    for (uint32_t i = 0; i < unit->done_count; i++) {
        complete(memory, port, unit->done[i], now);
    }
}

/* A port's cycle below the L1: takes one packet, as an L1 does. */
static void step_output(void *context, uint32_t port, gm_cycle now)
{
    gm_memory *memory = context;
    gm_network *replies = &memory->machine.replies;
    const gm_packet *packet = gm_network_peek(replies, port, now);
    if (packet != NULL) {
        complete(memory, port, packet->id, now);
        gm_network_pop(replies, port, now);
    } else {
        gm_wake(&memory->machine.sm_wake[port], gm_network_arrival(replies, port));
    }
}

/* Ends the kernel if the L1s are flushed. */
static void end_on(gm_memory *memory)
{
    gm_cycle_machine *machine = &memory->machine;
    if (gm_cycle_machine_idle(machine) && gm_cycle_machine_writes_are_visible(machine)) {
        gm_cycle_machine_end_kernel(machine);
        if (machine->l1_shared.policy.flush) {
            gm_cycle_machine_flush_trackers(machine);
        }
        memory->ending = false;
    }
}

/* Computes the core cycles up to `last`. */
static void compute(gm_memory *memory, gm_cycle last)
{
    gm_cycle_machine *machine = &memory->machine;
    for (gm_cycle next = gm_cycle_machine_next(machine); next <= last;
         next = gm_cycle_machine_next(machine)) {
        gm_cycle_machine_begin(machine, next);
        gm_cycle_machine_step_ports(machine, next, memory->step, memory);
        if (memory->ending) {
            end_on(memory);
        }
    }
    machine->now = last;
}

/* Checks what a memory system without SMs, or without L1s, cannot have. */
static int check_config(const gm_config *config, const gm_memory_options *options, gm_error *error)
{
    bool below_l1 = options->level == GM_MEMORY_BELOW_L1;
    const struct {
        bool wrong;
        const char *text;
    } rules[] = {
        {!below_l1 && config->l1.bypass == GM_BYPASS_PROFILED,
         "l1.bypass=profiled: needs kernels of a source"},
        {!below_l1 && config->sm.throttle == GM_THROTTLE_CCWS,
         "sm.throttle=ccws: needs the warps of the SMs"},
        {below_l1 && config->tracker.enabled,
         "tracker.enabled: below the L1 nobody tells the trackers what L1s hold"},
        {below_l1 && config->coherence.protocol != GM_COHERENCE_NONE,
         "coherence.protocol: below the L1 nobody keeps leases"},
        {options->level != GM_MEMORY_BELOW_SM && !below_l1,
         "level: is GM_MEMORY_BELOW_SM or GM_MEMORY_BELOW_L1"},
        {options->clock > MOST_CLOCK, "clock: 1 to 100000 MHz are possible"},
        {options->in_flight > GM_MEMORY_IN_FLIGHT, "in_flight: 1 to 2048 are possible"},
        {options->shared_bytes > config->sm.shared_bytes,
         "shared_bytes: are more than sm.shared_bytes"},
    };
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        if (rules[i].wrong) {
            return gm_fail(error, -EINVAL, "memory system: %s", rules[i].text);
        }
    }
    return 0;
}

/* Makes the numbers of requests and the queue of answers. */
static int make_numbers(gm_memory *memory, gm_error *error)
{
    uint32_t ports = memory->machine.sms;
    size_t all = (size_t)ports * memory->in_flight;
    uint32_t places = gm_ring_places((uint32_t)all);
    gm_assert(all != 0 && places != 0, "a memory system without ports or requests");
    memory->answers = gm_ring_make((uint32_t)all);
    memory->id = calloc(all, sizeof *memory->id);
    memory->vacant = calloc(all, sizeof *memory->vacant);
    memory->vacancies = calloc(ports, sizeof *memory->vacancies);
    memory->warps = calloc(ports, sizeof *memory->warps);
    memory->answer = calloc(places, sizeof *memory->answer);
    if (memory->id == NULL || memory->vacant == NULL || memory->vacancies == NULL ||
        memory->warps == NULL || memory->answer == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: requests of the memory system");
    }
    for (uint32_t port = 0; port < ports; port++) {
        memory->vacancies[port] = memory->in_flight;
        memory->warps[port] = (uint32_t)memory->config.sm.warps;
        for (uint32_t i = 0; i < memory->in_flight; i++) {
            memory->vacant[(size_t)port * memory->in_flight + i] =
                (uint16_t)(memory->in_flight - 1 - i);
        }
    }
    return 0;
}

static int make(gm_memory *memory, const gm_memory_options *options, gm_error *error)
{
    const gm_config *config = &memory->config;
    int code = gm_cycle_machine_init(&memory->machine, config, error);
    code = code < 0 ? code : check_config(config, options, error);
    if (code < 0) {
        return code;
    }
    uint64_t line = options->level == GM_MEMORY_BELOW_L1 ? config->l2.line : config->l1.line;
    memory->machine.no_skip = options->no_skip;
    memory->below_l1 = options->level == GM_MEMORY_BELOW_L1;
    memory->step = memory->below_l1 ? step_output : step_unit;
    memory->byte_masks = gm_config_sends_bytes(config);
    memory->one_sector = config->l2.dirty == GM_DIRTY_PARTS;
    memory->in_flight = options->in_flight != 0 ? options->in_flight : GM_MEMORY_IN_FLIGHT;
    memory->line_bits = gm_log2_floor(line);
    memory->all_sectors = (uint32_t)gm_mask((unsigned)(line / GM_SECTOR));
    memory->clock = gm_clock_make(config->clock.core,
                                  options->clock != 0 ? options->clock : config->clock.core);
    const gm_unified_statistics unified = gm_l1_share_beside(config, 0, options->shared_bytes);
    gm_cycle_machine_divide(&memory->machine, &unified);
    for (uint32_t i = 0; i < memory->machine.sms; i++) {
        gm_cycle_sm_end(&memory->machine.sm[i]); /* no scheduler has cycles */
    }
    return make_numbers(memory, error);
}

int gm_memory_open(gm_memory **memory, const gm_config *config, const gm_memory_options *options,
                   gm_error *error)
{
    *memory = calloc(1, sizeof **memory);
    if (*memory == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: the memory system");
    }
    (*memory)->config = *config;
    int code = make(*memory, options, error);
    if (code < 0) {
        gm_memory_close(*memory);
        *memory = NULL;
    }
    return code;
}

void gm_memory_close(gm_memory *memory)
{
    if (memory == NULL) {
        return;
    }
    gm_cycle_machine_free(&memory->machine);
    free(memory->id);
    free(memory->vacant);
    free(memory->vacancies);
    free(memory->warps);
    free(memory->answer);
    free(memory);
}

uint32_t gm_memory_ports(const gm_memory *memory)
{
    return memory->machine.sms;
}

uint32_t gm_memory_line(const gm_memory *memory)
{
    return UINT32_C(1) << memory->line_bits;
}

uint64_t gm_memory_cover(const gm_memory *memory, gm_memory_request *request, uint32_t *bytes,
                         uint64_t address, uint64_t size)
{
    uint64_t line = gm_memory_line(memory);
    uint64_t first = address & (line - 1);
    uint64_t covered = size < line - first ? size : line - first;
    request->address = address;
    request->sectors = covered == 0 ? 0 : gm_coalesce_sectors(first, first + covered - 1);
    request->bytes = bytes;
    for (unsigned sector = 0; sector < line / GM_SECTOR; sector++) {
        uint64_t from = (uint64_t)sector * GM_SECTOR;
        uint64_t begin = first > from ? first - from : 0;
        uint64_t end = first + covered > from ? first + covered - from : 0;
        end = end < GM_SECTOR ? end : GM_SECTOR;
        bytes[sector] =
            begin < end ? (uint32_t)(gm_mask((unsigned)end) & ~gm_mask((unsigned)begin)) : 0;
    }
    return covered;
}

/* Returns the sectors of which a request writes every byte. */
static uint32_t whole_of(const gm_memory_request *request)
{
    uint32_t whole = request->sectors;
    for (uint32_t left = request->bytes != NULL ? whole : 0; left != 0; left &= left - 1) {
        unsigned sector = gm_lowest_one(left);
        whole &= ~(uint32_t)((uint32_t)(request->bytes[sector] != UINT32_MAX) << sector);
    }
    return whole;
}

/* True if each sector of a store or atomic has bytes that it writes. */
static bool writes_all(const gm_memory_request *request)
{
    bool writes = true;
    for (uint32_t left = request->bytes != NULL ? request->sectors : 0; left != 0;
         left &= left - 1) {
        writes &= request->bytes[gm_lowest_one(left)] != 0;
    }
    return writes;
}

/* True of a store or atomic of several sectors whose packet has room for the bytes of one. */
static bool has_too_many_sectors(const gm_memory *memory, const gm_memory_request *request)
{
    return memory->one_sector && request->kind >= GM_MEMORY_STORE &&
           (request->sectors & (request->sectors - 1)) != 0;
}

static GM_COLD int fail_range(const gm_memory *memory, const gm_memory_request *request,
                              gm_error *error)
{
    const gm_config *config = &memory->config;
    if (request->port >= memory->machine.sms) {
        return gm_fail(error, -EINVAL, "request: port: %" PRIu32 ": below %" PRIu32 " are possible",
                       request->port, memory->machine.sms);
    }
    if (request->sectors == 0 || (request->sectors & ~memory->all_sectors) != 0) {
        return gm_fail(error, -EINVAL,
                       "request: sectors: 0x%" PRIx32 ": some of 0x%" PRIx32 " are possible",
                       request->sectors, memory->all_sectors);
    }
    if (request->address >> GM_MEMORY_ADDRESS_BITS != 0) {
        return gm_fail(error, -EINVAL, "request: address: 0x%" PRIx64 ": has more than %d bits",
                       request->address, (int)GM_MEMORY_ADDRESS_BITS);
    }
    if (request->warp >= config->sm.warps) {
        return gm_fail(error, -EINVAL, "request: warp: %" PRIu32 ": below %" PRIu64 " are possible",
                       request->warp, config->sm.warps);
    }
    if ((unsigned)request->kind > GM_MEMORY_REDUCTION) {
        return gm_fail(error, -EINVAL, "request: kind: %d: is no gm_memory_kind",
                       (int)request->kind);
    }
    if (has_too_many_sectors(memory, request)) {
        return gm_fail(error, -EINVAL,
                       "request: sectors: 0x%" PRIx32 ": with l2.dirty=parts a store or atomic is "
                       "of one sector",
                       request->sectors);
    }
    return gm_fail(error, -EINVAL, "request: bytes: a sector of 0x%" PRIx32 " has none",
                   request->sectors);
}

static inline bool is_in_range(const gm_memory *memory, const gm_memory_request *request)
{
    return request->port < memory->machine.sms && request->sectors != 0 &&
           (request->sectors & ~memory->all_sectors) == 0 &&
           request->address >> GM_MEMORY_ADDRESS_BITS == 0 &&
           request->warp < memory->config.sm.warps &&
           (unsigned)request->kind <= GM_MEMORY_REDUCTION &&
           (request->kind < GM_MEMORY_STORE ||
            (writes_all(request) && !has_too_many_sectors(memory, request)));
}

/* Returns a request's packet. Atomics have no mask of whole sectors, unless bytes are kept. */
static gm_packet packet_of(const gm_memory *memory, const gm_memory_request *request, uint32_t id)
{
    uint32_t mask = 0;
    if (request->kind <= GM_MEMORY_STRONG_LOAD) {
        mask = request->kind == GM_MEMORY_LOAD && !request->unkept ? request->sectors : 0;
    } else if (memory->byte_masks) { /* of one sector */
        mask =
            request->bytes != NULL ? request->bytes[gm_lowest_one(request->sectors)] : UINT32_MAX;
    } else if (request->kind == GM_MEMORY_STORE) {
        mask = whole_of(request);
    }
    gm_packet packet = {0};
    gm_cycle_l1_make_packet(&memory->machine.load_store[request->port].l1, &packet,
                            gm_request_message_kind((gm_request_kind)request->kind),
                            request->address >> memory->line_bits, request->sectors, mask, id);
    return packet;
}

/* Returns a request in the load/store unit's form. */
static gm_line_request line_of(gm_memory *memory, const gm_memory_request *request)
{
    gm_line_request line = {.line = request->address >> memory->line_bits,
                            .sectors = request->sectors,
                            .local = request->local};
    if (request->kind == GM_MEMORY_STORE ||
        (request->kind > GM_MEMORY_STORE && memory->byte_masks)) {
        line.whole = whole_of(request);
        if (memory->byte_masks && line.whole != line.sectors) {
            line.masks = gm_load_store_keep_masks(&memory->machine.load_store[request->port],
                                                  request->bytes);
        }
    }
    return line;
}

static inline bool has_number(const gm_memory *memory, uint32_t port)
{
    return memory->vacancies[port] != 0 && !memory->ending;
}

/* Gives a request a number of its port. Requires a free one. */
static uint32_t take_number(gm_memory *memory, const gm_memory_request *request)
{
    size_t first = (size_t)request->port * memory->in_flight;
    uint32_t number = memory->vacant[first + --memory->vacancies[request->port]];
    memory->id[first + number] = request->id;
    memory->taken++;
    return number;
}

bool gm_memory_has_room(const gm_memory *memory, const gm_memory_request *request)
{
    if (!has_number(memory, request->port)) {
        return false;
    }
    if (!memory->below_l1) {
        return gm_load_store_has_room(&memory->machine.load_store[request->port]);
    }
    const gm_packet packet = packet_of(memory, request, 0);
    return gm_network_fits(&memory->machine.requests, request->port, &packet);
}

/* Sends a packet for a request in range. An L1 counts what it sends, and the sectors that it
 * fetches and does not install. */
static int send_packet(gm_memory *memory, const gm_memory_request *request)
{
    gm_cycle_machine *machine = &memory->machine;
    gm_cycle_l1 *l1 = &machine->load_store[request->port].l1;
    if (!has_number(memory, request->port)) {
        return 0;
    }
    size_t first = (size_t)request->port * memory->in_flight;
    gm_packet packet =
        packet_of(memory, request, memory->vacant[first + memory->vacancies[request->port] - 1]);
    bool strong = request->kind == GM_MEMORY_STRONG_LOAD && l1->shared->marks_strong;
    packet.flags |= strong ? GM_PACKET_STRONG : 0;
    if (!gm_network_offer(&machine->requests, request->port, &packet, machine->now)) {
        return 0;
    }
    take_number(memory, request);
    gm_cycle_l1_count_sent(l1, &packet);
    if (strong) {
        gm_cycle_l1_mark_strong(l1, &packet);
    }
    l1->bypassed_sectors += packet.kind == GM_MESSAGE_READ ? gm_count_ones(packet.sectors) : 0;
    return 1;
}

/* Puts an instruction of lines in range into the load/store unit's queue. */
static int issue(gm_memory *memory, const gm_memory_request *lines, uint32_t count)
{
    gm_cycle_machine *machine = &memory->machine;
    gm_load_store *unit = &machine->load_store[lines->port];
    if (!has_number(memory, lines->port) || !gm_load_store_has_room(unit)) {
        return 0;
    }
    gm_line_request request[GM_MEMORY_LINES];
    for (uint32_t i = 0; i < count; i++) {
        request[i] = line_of(memory, &lines[i]);
    }
    if (lines->kind == GM_MEMORY_LOAD && unit->l1.bypass.ops->instruction != NULL) {
        gm_load_store_choose(unit, request, count, memory->warps[lines->port]);
    }
    const gm_memory_access access = {.request = request,
                                     .requests = count,
                                     .ticket = take_number(memory, lines),
                                     .kind = (uint8_t)lines->kind,
                                     .warp = lines->warp};
    gm_load_store_issue(unit, &access, machine->now);
    return 1;
}

int gm_memory_send(gm_memory *memory, const gm_memory_request *request, gm_error *error)
{
    if (!is_in_range(memory, request)) {
        return fail_range(memory, request, error);
    }
    return memory->below_l1 ? send_packet(memory, request) : issue(memory, request, 1);
}

int gm_memory_send_lines(gm_memory *memory, const gm_memory_request *lines, uint32_t count,
                         gm_error *error)
{
    if (memory->below_l1) {
        return gm_fail(error, -EINVAL, "lines: one at a time below the L1");
    }
    if (count == 0 || count > GM_MEMORY_LINES) {
        return gm_fail(error, -EINVAL, "lines: count: %" PRIu32 ": 1 to %d are possible", count,
                       (int)GM_MEMORY_LINES);
    }
    for (uint32_t i = 0; i < count; i++) {
        const gm_memory_request *line = &lines[i];
        if (line->port != lines->port || line->kind != lines->kind || line->warp != lines->warp) {
            return gm_fail(error, -EINVAL, "lines: of several ports, kinds or warps");
        }
        if (!is_in_range(memory, line)) {
            return fail_range(memory, line, error);
        }
    }
    return issue(memory, lines, count);
}

int gm_memory_set_warps(gm_memory *memory, uint32_t port, uint32_t warps, gm_error *error)
{
    if (port >= memory->machine.sms || warps > memory->config.sm.warps) {
        return gm_fail(error, -EINVAL,
                       "warps: port %" PRIu32 ", %" PRIu32 ": below %" PRIu32 ", 0 to %" PRIu64
                       " are possible",
                       port, warps, memory->machine.sms, memory->config.sm.warps);
    }
    memory->warps[port] = warps;
    return 0;
}

uint64_t gm_memory_now(const gm_memory *memory)
{
    return memory->now;
}

void gm_memory_tick(gm_memory *memory)
{
    gm_memory_advance(memory, memory->now + 1);
}

/* Computes until no unit has work. */
static void advance_until_idle(gm_memory *memory)
{
    for (uint64_t next = gm_memory_next(memory); next != GM_MEMORY_NEVER;
         next = gm_memory_next(memory)) {
        gm_memory_advance(memory, next);
    }
}

void gm_memory_advance(gm_memory *memory, uint64_t cycle)
{
    if (cycle == GM_MEMORY_NEVER) {
        advance_until_idle(memory);
    } else if (cycle > memory->now) {
        memory->now = cycle;
        compute(memory, gm_clock_core_at(memory->clock, cycle));
    }
}

uint64_t gm_memory_next(const gm_memory *memory)
{
    gm_cycle next = gm_cycle_machine_next(&memory->machine);
    return next == GM_NEVER ? GM_MEMORY_NEVER : gm_clock_first(memory->clock, next);
}

bool gm_memory_pop(gm_memory *memory, gm_memory_answer *answer)
{
    if (gm_ring_is_empty(&memory->answers)) {
        return false;
    }
    const waiting *oldest = &memory->answer[gm_ring_first(&memory->answers)];
    size_t first = (size_t)oldest->port * memory->in_flight;
    *answer = (gm_memory_answer){.id = memory->id[first + oldest->number],
                                 .cycle = gm_clock_first(memory->clock, oldest->at),
                                 .port = oldest->port};
    memory->vacant[first + memory->vacancies[oldest->port]++] = (uint16_t)oldest->number;
    gm_ring_pop(&memory->answers);
    return true;
}

bool gm_memory_idle(const gm_memory *memory)
{
    return !memory->ending && gm_cycle_machine_idle(&memory->machine);
}

int gm_memory_end_kernel(gm_memory *memory, gm_error *error)
{
    gm_cycle_machine *machine = &memory->machine;
    if (memory->ending || memory->taken != memory->answered) {
        return gm_fail(error, -EBUSY, "memory system: requests are in flight");
    }
    memory->ending = true;
    for (uint32_t i = 0; i < machine->sms; i++) {
        gm_load_store_end_kernel(&machine->load_store[i], machine->now);
    }
    end_on(memory);
    return 0;
}

void gm_memory_statistics(gm_memory *memory, gm_statistics *statistics)
{
    gm_cycle_machine_visit_channels(&memory->machine);
    gm_cycle_machine_sum(&memory->machine, statistics);
    statistics->time.cycles = memory->machine.now;
}

void gm_memory_port_statistics(gm_memory *memory, uint32_t port, gm_statistics *statistics)
{
    gm_cycle_machine_sm_statistics(&memory->machine, port, statistics);
    statistics->time.cycles = memory->machine.now;
}

void gm_memory_bank_statistics(gm_memory *memory, uint32_t bank, gm_statistics *statistics)
{
    gm_cycle_machine_bank_statistics(&memory->machine, bank, statistics);
}

void gm_memory_partition_statistics(gm_memory *memory, uint32_t partition,
                                    gm_statistics *statistics)
{
    gm_cycle_machine_visit_channels(&memory->machine);
    gm_cycle_machine_channel_statistics(&memory->machine, partition, statistics);
}

int gm_memory_check(gm_memory *memory, gm_error *error)
{
    gm_statistics sum;
    if (!gm_memory_idle(memory) || !gm_ring_is_empty(&memory->answers)) {
        return gm_fail(error, -EBUSY, "memory system: requests are in flight, or not popped");
    }
    if (memory->taken != memory->answered) {
        return gm_fail(error, -EPROTO,
                       "memory system: requests taken = answered: %" PRIu64 " and %" PRIu64,
                       memory->taken, memory->answered);
    }
    int code = gm_cycle_machine_failed(&memory->machine, error);
    gm_memory_statistics(memory, &sum);
    return code < 0 ? code : gm_cycle_check_machine(&memory->machine, &sum, error);
}
