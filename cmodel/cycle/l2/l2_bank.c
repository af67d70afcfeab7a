/* Timed L2 bank: its queues, its L2 cycles and next visit. */
#include "cycle/l2/l2_bank.h"

#include "cycle/dram/gddr5.h"
#include "cycle/l2/l2_bank_access.h"
#include "cycle/l2/l2_coherent.h"
#include "cycle/l2/l2_directory.h"
#include "cycle/l2/l2_mesi.h"
#include "cycle/noc/network.h"
#include "cycle/tracker/tracker_bank.h"

/* True if a packet can be taken in core cycle `now`. If false, no packet can be taken before the
 * next look-up. */
static inline bool takes(const gm_l2_bank *bank, gm_cycle now)
{
    const gm_l2_shared *shared = bank->shared;
    const gm_ring *in = &bank->in;
    if (gm_ring_count(in) <= shared->queued) {
        return true;
    }
    gm_cycle first_too_many = bank->in_arrived[gm_ring_place(in, shared->queued)];
    return first_too_many + shared->latency > now && gm_ring_has_room(in);
}

/* Sets the L2 cycle in which the new oldest packet is looked up. */
static inline void schedule_look_up(gm_l2_bank *bank)
{
    const gm_l2_shared *shared = bank->shared;
    gm_cycle old_enough = bank->in_arrived[gm_ring_first(&bank->in)] + shared->latency;
    gm_cycle from = bank->in_core_clock ? old_enough : gm_clock_first(shared->clock, old_enough);
    bank->look_up_from = from > bank->port_from ? from : bank->port_from;
}

void gm_l2_bank_retry(gm_l2_bank *bank, gm_cycle cycle)
{
    if (bank->fail != GM_L2_NO_FAIL) {
        gm_l2_bank_count_fails(bank, cycle);
        bank->fail = GM_L2_NO_FAIL;
        bank->look_up_from = cycle;
    }
}

/* Lets the oldest packet be looked up again if it failed for lack of queue room. Requires that room
 * has been given back. */
static inline void retry_for_room(gm_l2_bank *bank, gm_cycle cycle)
{
    if (bank->fail == GM_L2_FAIL_MISS_QUEUE) {
        gm_l2_bank_retry(bank, cycle);
    }
}

static __attribute__((noinline)) void send(gm_l2_bank *bank, gm_cycle cycle, gm_cycle now)
{
    uint32_t number = bank->out_item[gm_ring_first(&bank->out)];
    const gm_packet *packet = &bank->item[number].packet;
    if (gm_network_offer(bank->replies, bank->number, packet, now)) {
        gm_ring_pop(&bank->out);
        bank->vacant[bank->vacancies++] = number;
        bank->answered++;
        retry_for_room(bank, cycle);
    }
}

static __attribute__((noinline)) void push(gm_l2_bank *bank, gm_cycle cycle, gm_cycle now)
{
    if (gm_gddr5_takes(bank->channel, bank->bank, now)) {
        gm_gddr5_push(bank->channel, &bank->dram_request[gm_ring_first(&bank->dram)], now);
        gm_ring_pop(&bank->dram);
        gm_gddr5_wait(bank->channel, bank->bank, !gm_ring_is_empty(&bank->dram));
        retry_for_room(bank, cycle);
    }
}

/* Moves the next packet from the network, or with trackers from the tracker bank, to *packet. */
static inline void take_packet(gm_l2_bank *bank, gm_packet *packet, gm_cycle now)
{
    if (bank->tracker != NULL) {
        *packet = bank->tracker->packet;
        gm_tracker_outlet_pop(bank->tracker, now);
    } else {
        *packet = *gm_network_peek(bank->requests, bank->number, now);
        gm_network_pop(bank->requests, bank->number, now);
    }
}

/* Takes a packet from the network. Returns its item. */
static inline uint32_t take_item(gm_l2_bank *bank, gm_cycle now)
{
    uint32_t number = bank->vacant[--bank->vacancies];
    gm_l2_item *item = &bank->item[number];
    take_packet(bank, &item->packet, now);
    item->arrived = now;
    bank->l2.received.messages[item->packet.kind]++;
    bank->l2.received.sectors[item->packet.kind] += gm_count_ones(item->packet.sectors);
    return number;
}

/* Puts an item into the delay. Requires takes(bank, now). */
static inline void enter(gm_l2_bank *bank, uint32_t number)
{
    uint32_t place = gm_ring_push(&bank->in);
    bank->in_item[place] = number;
    bank->in_arrived[place] = bank->item[number].arrived;
    if (gm_ring_count(&bank->in) == 1) {
        schedule_look_up(bank);
    }
}

static __attribute__((noinline)) void take(gm_l2_bank *bank, gm_cycle now)
{
    enter(bank, take_item(bank, now));
}

/* True if the next packet from the network comes from the other half. Requires that it has
 * arrived. */
static inline bool next_is_far(const gm_l2_bank *bank, gm_cycle now)
{
    return gm_l2_far_is(bank->far, gm_network_peek(bank->requests, bank->number, now)->sm);
}

/* True if the next packet from the network goes onto the link, which takes time: it is far, and
 * finds no copy. Requires that it has arrived. */
static inline bool next_uses_link(const gm_l2_bank *bank, gm_cycle now)
{
    if (bank->far->latency == 0 || !next_is_far(bank, now)) {
        return false;
    }
    const gm_packet *packet = gm_network_peek(bank->requests, bank->number, now);
    return bank->far->copied == NULL ||
           !gm_l2_far_has_copy(bank->far, packet,
                               gm_cache_find(&bank->l2.cache, packet->in_bank).slot);
}

/* With two halves: a packet at the end of the link enters the delay, and one is taken from the
 * network: onto the link if it is far, else into the delay unless another has just entered it. */
static GM_COLD void take_in_halves(gm_l2_bank *bank, gm_cycle now)
{
    bool room = takes(bank, now);
    if (room && gm_l2_far_due(bank->far) <= now) {
        uint32_t number = gm_l2_far_first(bank->far);
        gm_l2_far_pop(bank->far, bank->item[number].packet.in_bank);
        bank->item[number].arrived = now;
        bank->time.l2_far++;
        enter(bank, number);
        room = false;
    }
    if (*bank->arrival > now) {
        return;
    }
    if (next_uses_link(bank, now)) {
        if (gm_ring_has_room(&bank->far->ring)) {
            uint32_t number = take_item(bank, now);
            gm_l2_far_push(bank->far, number, bank->item[number].packet.in_bank, now);
        }
    } else if (room) {
        bool far = bank->far->copied == NULL && next_is_far(bank, now);
        *(far ? &bank->time.l2_far : &bank->time.l2_near) += 1;
        take(bank, now);
    }
}

/* With two halves: returns the core cycle of the next packet that can be taken or enter the delay;
 * one that waits for the delay needs a look-up first. */
static GM_COLD gm_cycle next_taken(const gm_l2_bank *bank, gm_cycle now)
{
    gm_cycle next = takes(bank, now) ? gm_l2_far_due(bank->far) : GM_NEVER;
    bool waits = *bank->arrival <= now && !takes(bank, now) &&
                 (!next_uses_link(bank, now) || !gm_ring_has_room(&bank->far->ring));
    gm_wake(&next, waits ? GM_NEVER : *bank->arrival);
    return next;
}

static __attribute__((noinline)) bool can_send(const gm_l2_bank *bank)
{
    return gm_network_has_room(bank->replies, bank->number, &gm_l2_bank_response(bank)->packet);
}

/* Looks up a packet of which the other half may keep a copy. */
static GM_COLD gm_l2_fail look_up_copied(gm_l2_bank *bank, gm_cycle cycle, gm_cycle now)
{
    const gm_packet packet = gm_l2_bank_request(bank)->packet;
    bool absent = gm_cache_find(&bank->l2.cache, packet.in_bank).slot == GM_NO_SLOT;
    gm_l2_fail fail = gm_l2_bank_look_up(bank, cycle, now);
    uint32_t slot = gm_cache_find(&bank->l2.cache, packet.in_bank).slot;
    if (fail == GM_L2_NO_FAIL && slot != GM_NO_SLOT) {
        gm_l2_far_note(bank->far, &packet, slot, absent);
    }
    return fail;
}

/* Looks a packet up in a bank that `owns`. */
static inline gm_l2_fail look_up_owned(gm_l2_bank *bank, gm_cycle cycle, gm_cycle now)
{
    if (bank->fail != GM_L2_NO_FAIL) { /* the look-up has failed until now */
        gm_l2_bank_count_fails(bank, cycle);
        bank->fail = GM_L2_NO_FAIL;
    }
    bank->retry_from = GM_NEVER;
    return bank->coherent->full && !gm_ring_has_room(&bank->out)
               ? GM_L2_FAIL_MISS_QUEUE /* as before: nothing else happens to its line */
               : gm_l2_mesi_look_up_oldest(bank, cycle, now);
}

static inline gm_l2_fail look_up_any(gm_l2_bank *bank, gm_cycle cycle, gm_cycle now)
{
    if (bank->owns) {
        return look_up_owned(bank, cycle, now);
    }
    return bank->far != NULL && bank->far->copied != NULL ? look_up_copied(bank, cycle, now)
                                                          : gm_l2_bank_look_up(bank, cycle, now);
}

/* Returns the sectors of the smallest aligned block, of 1, 2, 4 ..., that has all those of a mask:
 * requests have 32, 64 or 128 bytes in GPGPU-Sim. A request without data, an upgrade, has none. */
static uint64_t block_of(uint32_t sectors)
{
    if (sectors == 0) {
        return 0;
    }
    unsigned differ = gm_lowest_one(sectors) ^ gm_log2_floor(sectors); /* first and last */
    return UINT64_C(1) << gm_log2_ceil((uint64_t)differ + 1);
}

/* Returns the L2 cycle from which a port is free that moves sectors from `cycle` on. */
static gm_cycle port_free_from(const gm_l2_bank *bank, uint64_t sectors, gm_cycle cycle)
{
    return cycle + (sectors * GM_SECTOR + bank->shared->port - 1) / bank->shared->port;
}

/* Looks a packet up through the port, which moves the sectors of a hit, or those that a victim
 * writes back. */
static __attribute__((noinline)) gm_l2_fail look_up_by_port(gm_l2_bank *bank, gm_cycle cycle,
                                                            gm_cycle now)
{
    const gm_packet packet = gm_l2_bank_request(bank)->packet;
    const gm_cache_statistics *count = &bank->l2.statistics;
    gm_access_kind kind = gm_l2_kind_of(&packet);
    uint64_t hits = count->hits[kind];
    uint64_t written = count->sectors_written_back[kind];
    gm_l2_fail fail = look_up_any(bank, cycle, now);
    uint64_t moved = count->sectors_written_back[kind] - written;
    if (count->hits[kind] != hits) {
        moved += block_of(packet.sectors);
    }
    bank->port_from = port_free_from(bank, moved, cycle);
    return fail;
}

static inline void look_up(gm_l2_bank *bank, gm_cycle cycle, gm_cycle now)
{
    gm_l2_fail fail =
        bank->shared->port != 0 ? look_up_by_port(bank, cycle, now) : look_up_any(bank, cycle, now);
    if (fail == GM_L2_NO_FAIL) {
        gm_ring_pop(&bank->in);
        bank->look_up_from = GM_NEVER;
        if (!gm_ring_is_empty(&bank->in)) {
            schedule_look_up(bank);
            if (bank->owns) {
                gm_l2_mesi_prefetch(bank);
            }
        }
    } else if (fail != GM_L2_WAIT) {
        bank->fail = fail;
        bank->failed_from = cycle;
        bank->look_up_from = bank->retry_from;
    }
}

/* True if there is a response that the network does not refuse. */
static inline bool may_send(const gm_l2_bank *bank)
{
    return !gm_ring_is_empty(&bank->out) & !gm_network_refuses(bank->replies, bank->number);
}

/* True if data from DRAM can be taken, or a request of a filled line is to be answered. */
static inline bool has_data(const gm_l2_bank *bank, gm_cycle cycle, gm_cycle now)
{
    return bank->answering != 0 || (*bank->data <= now && bank->fill_from <= cycle);
}

/* Takes data from DRAM through the port for them, or answers a request. */
static __attribute__((noinline)) void serve_data_by_port(gm_l2_bank *bank, gm_cycle cycle,
                                                         gm_cycle now)
{
    if (bank->answering == 0) {
        const gm_dram_request *read = gm_gddr5_peek(bank->channel, bank->bank, now);
        bank->fill_from = port_free_from(bank, gm_count_ones(read->sectors), cycle);
    }
    gm_l2_bank_serve_data(bank, cycle, now);
}

/* True if the tracker bank has used the port of the reply network in this core cycle. */
static inline bool port_is_used(const gm_l2_bank *bank, gm_cycle now)
{
    return bank->tracker != NULL && bank->tracker->sent_at == now;
}

/* Computes one L2 cycle. */
GM_TEMPLATE void step_cycle(gm_l2_bank *bank, gm_cycle cycle, gm_cycle now)
{
    if (may_send(bank) && !port_is_used(bank, now)) {
        send(bank, cycle, now);
    }
    if (!gm_ring_is_empty(&bank->dram) && bank->push_from <= cycle) {
        push(bank, cycle, now);
    }
    if (has_data(bank, cycle, now)) {
        if (bank->shared->port != 0) {
            serve_data_by_port(bank, cycle, now);
        } else {
            gm_l2_bank_serve_data(bank, cycle, now);
        }
        gm_l2_bank_retry(bank, cycle);
    } else if (bank->look_up_from <= cycle) {
        look_up(bank, cycle, now);
    }
    if (bank->far != NULL) {
        take_in_halves(bank, now);
    } else if (*bank->arrival <= now && takes(bank, now)) {
        take(bank, now);
    }
}

static inline gm_cycle later(gm_cycle a, gm_cycle b)
{
    return a > b ? a : b;
}

/* True if a request whose data have arrived can be answered (l2.answer_beside). */
static inline bool can_answer(const gm_l2_bank *bank)
{
    return !gm_ring_is_empty(&bank->filled) && gm_ring_has_room(&bank->out);
}

/* Computes one L2 cycle with l2.answer_beside. */
static void step_cycle_beside(gm_l2_bank *bank, gm_cycle cycle, gm_cycle now)
{
    if (may_send(bank)) {
        send(bank, cycle, now);
    }
    if (!gm_ring_is_empty(&bank->dram) && bank->push_from <= cycle) {
        push(bank, cycle, now);
    }
    if (can_answer(bank) && gm_l2_bank_answer_filled(bank, now)) {
        gm_l2_bank_retry(bank, cycle);
    }
    if (*bank->data <= now && bank->fill_from <= cycle) {
        if (bank->shared->port != 0) {
            const gm_dram_request *read = gm_gddr5_peek(bank->channel, bank->bank, now);
            bank->fill_from = port_free_from(bank, gm_count_ones(read->sectors), cycle);
        }
        gm_l2_bank_fill(bank, cycle, now);
        gm_l2_bank_retry(bank, cycle);
    }
    if (bank->look_up_from <= cycle) {
        look_up(bank, cycle, now);
    }
    if (*bank->arrival <= now && takes(bank, now)) {
        take(bank, now);
    }
}

/* As next_visit, with l2.answer_beside. */
static gm_cycle next_visit_beside(const gm_l2_bank *bank, gm_cycle next, gm_cycle soonest,
                                  gm_cycle now)
{
    gm_clock clock = bank->shared->clock;
    gm_cycle visit = *bank->data;
    if (bank->fill_from > next) {
        visit = later(visit, gm_clock_core(clock, bank->fill_from));
    }
    if (*bank->arrival < visit && takes(bank, now)) {
        visit = *bank->arrival;
    }
    visit = later(visit, soonest);
    gm_cycle tags = bank->look_up_from;
    gm_wake(&visit, tags <= next || can_answer(bank) ? soonest : gm_clock_core(clock, tags));
    bool room = visit > soonest &&
                ((may_send(bank) && can_send(bank)) ||
                 (!gm_ring_is_empty(&bank->dram) && gm_gddr5_has_room(bank->channel, now)));
    return room ? soonest : visit;
}

/* Computes the L2 cycles from `cycle` on that belong to core cycle `now`, with l2.answer_beside. */
static void step_cycles_beside(gm_l2_bank *bank, gm_cycle cycle, gm_cycle now)
{
    for (; cycle < bank->cycle; cycle++) {
        step_cycle_beside(bank, cycle, now);
    }
    gm_wake(bank->wake, next_visit_beside(bank, bank->cycle, bank->soonest, now));
    *bank->wake = later(*bank->wake, bank->soonest);
}

/* Returns the L2 cycle from which the next request of a filled line can be answered. */
static inline gm_cycle next_answer(const gm_l2_bank *bank)
{
    if (!gm_ring_has_room(&bank->out)) {
        return GM_NEVER;
    }
    bool atomic = gm_l2_kind_of(&bank->item[bank->next].packet) == GM_ATOMIC;
    return later(atomic ? bank->atomic_from : 0, bank->answer_from);
}

/* Returns the core cycle of the next visit: the first from L2 cycle `next`, which belongs to core
 * cycle `soonest`, on in which network, channel and the bank's state allow some work. Room that is
 * missing now, and packets and data that are not known yet, lower the wake-up time by themselves.
 * The test for room, the slowest, comes last. */
GM_TEMPLATE gm_cycle next_visit(const gm_l2_bank *bank, gm_cycle next, gm_cycle soonest,
                                gm_cycle now, gm_clock clock)
{
    gm_cycle visit = GM_NEVER;
    gm_cycle tags = bank->look_up_from;
    if (bank->answering == 0) {
        visit = *bank->data;
        if (bank->fill_from > next) { /* seldom, and slower than the test */
            visit = later(visit, gm_clock_core(clock, bank->fill_from));
        }
    } else {
        tags = next_answer(bank);
    }
    if (bank->far != NULL) {
        gm_wake(&visit, next_taken(bank, now));
    } else if (*bank->arrival < visit && takes(bank, now)) {
        visit = *bank->arrival;
    }
    visit = later(visit, soonest);
    gm_wake(&visit, tags <= next ? soonest : gm_clock_core(clock, tags));
    bool room = visit > soonest &&
                ((may_send(bank) && can_send(bank)) ||
                 (!gm_ring_is_empty(&bank->dram) && gm_gddr5_has_room(bank->channel, now)));
    return room ? soonest : visit;
}

static void step_directory(gm_l2_bank *bank, gm_cycle now)
{
    if (gm_l2_directory_rests(bank, now)) {
        return;
    }
    const gm_l2_round *ended = gm_l2_directory_step(bank, now);
    if (ended == NULL) {
        return;
    }
    if (ended->entry == UINT32_MAX) {
        gm_l2_bank_retry(bank, gm_clock_first(bank->shared->clock, now));
    } else if (ended->ghost != 0) {
        gm_l2_bank_skip_first(bank, ended->entry, now);
        gm_l2_bank_retry(bank, gm_clock_first(bank->shared->clock, now));
    } else {
        bank->coherent->resumes = ended->what == GM_L2_FORWARD_GETS;
        gm_l2_bank_answer_entry(bank, ended->entry, ended->next, ended->left);
        gm_l2_bank_retry(bank, gm_clock_first(bank->shared->clock, now + 1));
    }
}

/* Computes the L2 cycles from `cycle` on that belong to core cycle `now`: one at least. */
static inline void step_cycles(gm_l2_bank *bank, gm_cycle cycle, gm_cycle now)
{
    for (; cycle < bank->cycle; cycle++) {
        step_cycle(bank, cycle, now);
    }
    gm_wake(bank->wake, next_visit(bank, bank->cycle, bank->soonest, now, bank->shared->clock));
    if (bank->coherent != NULL && bank->coherent->directory != NULL) {
        step_directory(bank, now);
    }
    *bank->wake = later(*bank->wake, bank->soonest);
}

/* Computes core cycle `now`. It has no L2 cycle if a unit of another clock has lowered the wake-up
 * time: the bank is next visited in a cycle that has one. */
static __attribute__((noinline)) void step_by_clock(gm_l2_bank *bank, gm_cycle now)
{
    const gm_clock *clock = &bank->shared->clock;
    if (now >= bank->soonest) {
        gm_cycle cycle = now == bank->soonest ? bank->cycle : gm_clock_first(*clock, now);
        bank->cycle = gm_clock_first(*clock, now + 1);
        bank->soonest = gm_clock_core(*clock, bank->cycle);
        if (cycle != bank->cycle && bank->filled_item != NULL) {
            step_cycles_beside(bank, cycle, now);
            return;
        }
        if (cycle != bank->cycle) {
            step_cycles(bank, cycle, now);
            return;
        }
    }
    gm_wake(bank->wake, bank->soonest);
}

void gm_l2_bank_step(gm_l2_bank *bank, gm_cycle now)
{
    static const gm_clock core = {.core = {.divisor = 1}, .own = {.divisor = 1}};
    if (bank->in_core_clock) {
        step_cycle(bank, now, now); /* one: what step_by_clock does with `core` */
        gm_wake(bank->wake, next_visit(bank, now + 1, now + 1, now, core));
    } else {
        step_by_clock(bank, now);
    }
}

void gm_l2_bank_keep_values(gm_l2_bank *bank, struct gm_values *values)
{
    gm_l2_keep_values(&bank->l2, values);
    bank->usual_kind = GM_MESSAGE_KINDS;
}

void gm_l2_bank_settle(gm_l2_bank *bank, gm_cycle now)
{
    gm_l2_bank_count_fails(bank, gm_clock_first(bank->shared->clock, now));
    bank->time.l2_mshr_cycles = bank->held + bank->entries * now;
}

/* Counts what a host copy or the end of a kernel has written to DRAM: `before`: sectors until then.
 */
static void count_written(gm_l2_bank *bank, gm_location at, uint64_t before)
{
    unsigned written = (unsigned)(bank->past.statistics.writes - before);
    if (written != 0) {
        gm_gddr5_count_write(bank->channel, gm_address_map_local(&bank->shared->map, at),
                             (uint32_t)gm_mask(written));
    }
}

void gm_l2_bank_end_kernel(gm_l2_bank *bank)
{
    gm_location at = {bank->partition, bank->bank, 0};
    if (bank->l2.atomics != NULL) {
        uint64_t before = bank->past.statistics.writes;
        at.line = bank->l2.atomics->block.line;
        gm_l2_end_kernel(&bank->l2, &bank->past, &bank->shared->map, at);
        count_written(bank, at, before);
    } else if (bank->l2.resets) {
        gm_l2_end_kernel(&bank->l2, &bank->past, &bank->shared->map, at);
    }
}

void gm_l2_bank_copy(gm_l2_bank *bank, gm_message_kind kind, uint64_t line, uint32_t sectors,
                     gm_cycle now)
{
    gm_location at = gm_address_map_locate(&bank->shared->map, line);
    const gm_message message = {.line = line, .sectors = sectors, .kind = kind};
    uint64_t before = bank->past.statistics.writes;
    bool present = gm_cache_find(&bank->l2.cache, at.line).slot != GM_NO_SLOT;
    gm_outcome outcome = gm_l2_access(&bank->l2, &bank->past, &bank->shared->map, at, &message);
    if (bank->observer != NULL) {
        gm_l2_bank_tell_copy(bank, &message, outcome);
    }
    count_written(bank, at, before);
    if (bank->coherent != NULL) {
        gm_l2_coherent_copied(bank, at.line, present, now);
    }
}
