/* The queue of a channel under first-ready FCFS: requests by bank, the plan of each bank's next
 * command, and what a command does to them. Shared by the schedulers of frfcfs.c and
 * frfcfs_parts.c, which say when a command is issued. GM_INLINE: with two callers the compiler
 * would inline them in neither, which costs 0.7% of a run's instructions (vectoradd). */
#ifndef GOLDMEM_CYCLE_DRAM_FRFCFS_QUEUE_H
#define GOLDMEM_CYCLE_DRAM_FRFCFS_QUEUE_H

#include "base/template.h"
#include "cache/cache.h"
#include "cycle/dram/gddr5.h"
#include "goldmem/bits.h"

/* Appends a request to a list. Returns true if the list was empty. */
static inline bool gm_frfcfs_append(gm_gddr5_list *list, uint32_t *next, uint32_t index)
{
    uint32_t last = list->tail;
    next[index] = GM_GDDR5_NONE;
    list->tail = index;
    if (list->head == GM_GDDR5_NONE) {
        list->head = index;
        return true;
    }
    next[last] = index;
    return false;
}

/* Lowers the wake-up times of all L2 banks to the core cycle of DRAM cycle `at`. */
static inline void gm_frfcfs_wake_banks(const gm_gddr5 *channel, gm_cycle at)
{
    gm_cycle now = gm_clock_core(channel->clock, at);
    for (uint32_t i = 0; i < channel->l2_banks; i++) {
        gm_wake(channel->bank_wake[i], now);
    }
}

/* A candidate for the channel's next command. */
typedef struct gm_frfcfs_choice {
    gm_cycle at;   /* DRAM cycle; GM_NEVER: no command, or no room for its answer */
    uint64_t rank; /* of the plan */
    gm_gddr5_plan *plan;
} gm_frfcfs_choice;

static inline gm_cycle gm_frfcfs_later(gm_cycle a, gm_cycle b)
{
    return a > b ? a : b;
}

/* In the rank of row commands. Above all ages, so that column commands go first. */
#define GM_FRFCFS_ON_ROW (UINT64_C(1) << 63)

static inline gm_gddr5_plan *gm_frfcfs_plan_of(const gm_gddr5 *channel, const gm_gddr5_bank *bank)
{
    return &channel->plan[bank->plan];
}

static inline gm_gddr5_bank *gm_frfcfs_bank_of(const gm_gddr5 *channel, const gm_gddr5_plan *plan)
{
    return &channel->bank[plan->bank];
}

/* No row hit: plans PRE (row open) or ACT (row closed) for the oldest request. */
static inline void gm_frfcfs_plan_row(const gm_gddr5 *channel, gm_gddr5_plan *plan)
{
    const gm_gddr5_bank *bank = gm_frfcfs_bank_of(channel, plan);
    plan->rank = GM_FRFCFS_ON_ROW | channel->slot[bank->rest.head].age;
    plan->next = bank->open != 0 ? GM_GDDR5_NEXT_PRECHARGE : GM_GDDR5_NEXT_ACTIVATE;
    plan->at = bank->open != 0 ? bank->precharge : bank->activate;
    plan->group = channel->groups;
}

/* Row hit: plans the column command for the request in `slot`, and its earliest cycle. */
static inline void gm_frfcfs_plan_hit(const gm_gddr5 *channel, gm_gddr5_plan *plan,
                                      const gm_gddr5_slot *slot)
{
    const gm_gddr5_bank *bank = gm_frfcfs_bank_of(channel, plan);
    bool write = slot->request.write;
    plan->rank = slot->age;
    plan->next = write ? GM_GDDR5_NEXT_WRITE : GM_GDDR5_NEXT_FIRST_READ;
    plan->at = bank->column - (write ? channel->timing.write_before : 0);
}

/* Plans a column command of another kind than the bank's last; recomputes its earliest cycle. */
static inline void gm_frfcfs_plan_column(const gm_gddr5 *channel, gm_gddr5_plan *plan)
{
    const gm_gddr5_bank *bank = gm_frfcfs_bank_of(channel, plan);
    gm_frfcfs_plan_hit(channel, plan, &channel->slot[bank->hits.head]);
    plan->group = (uint32_t)plan->bank & channel->group_mask;
}

/* Adds a plan for a bank. Requires that the bank has none. Returns it, to be filled in. */
static inline gm_gddr5_plan *gm_frfcfs_add_plan(gm_gddr5 *channel, uint32_t bank)
{
    uint32_t number = channel->state.plans++;
    channel->bank[bank].plan = number;
    channel->plan[number].bank = bank;
    return &channel->plan[number];
}

/* Removes the plan of a bank without requests; the last plan moves to its place. */
static inline void gm_frfcfs_remove_plan(gm_gddr5 *channel, gm_gddr5_plan *plan)
{
    gm_gddr5_plan *last = &channel->plan[--channel->state.plans];
    if (plan != last) {
        gm_frfcfs_bank_of(channel, last)->plan = gm_frfcfs_bank_of(channel, plan)->plan;
        *plan = *last;
    }
}

/* True if `a` goes before `b`: by cycle, then column before row command, then by age. */
static inline bool gm_frfcfs_is_before(const gm_frfcfs_choice *a, const gm_frfcfs_choice *b)
{
    unsigned __int128 first = (unsigned __int128)a->at << 64 | a->rank;
    unsigned __int128 second = (unsigned __int128)b->at << 64 | b->rank;
    return first < second;
}

static inline void gm_frfcfs_tell(const gm_gddr5 *channel, gm_gddr5_command command,
                                  const gm_frfcfs_choice *what, uint64_t row, uint32_t column)
{
    channel->observer->command(channel->observer->context, what->at, command,
                               (uint32_t)what->plan->bank, row, column);
}

static inline void gm_frfcfs_tell_column(const gm_gddr5 *channel, const gm_frfcfs_choice *what,
                                         const gm_gddr5_slot *slot)
{
    uint64_t sector = (slot->request.address >> GM_SECTOR_SHIFT) + gm_lowest_one(slot->pending);
    gm_dram_place place = gm_dram_locate(&channel->map, sector);
    gm_frfcfs_tell(channel, slot->request.write ? GM_GDDR5_WRITE : GM_GDDR5_READ, what, place.row,
                   place.sector >> channel->burst_shift);
}

/* Hands a read to its L2 bank for the core cycle in which its last burst has arrived. This is after
 * the core cycle of the command, because a burst takes time. */
GM_INLINE void gm_frfcfs_answer(gm_gddr5 *channel, uint32_t index, gm_cycle data_end)
{
    gm_gddr5_slot *slot = &channel->slot[index];
    slot->ready = gm_clock_core_from(channel->clock, data_end);
    gm_gddr5_returns *ready = &channel->ready[slot->request.bank];
    if (gm_frfcfs_append(&ready->list, channel->slot_next, index)) {
        ready->from = slot->ready;
    }
    gm_wake(channel->bank_wake[slot->request.bank], slot->ready);
}

/* Lets a request leave the queue in DRAM cycle `at`; lowers the L2 banks' wake-up times if one
 * waits for room. */
GM_INLINE void gm_frfcfs_leave(gm_gddr5 *channel, gm_cycle at)
{
    channel->leaving[gm_ring_push(&channel->state.leaving)] = at;
    if (channel->state.wanted != 0) {
        channel->state.wanted = 0;
        gm_frfcfs_wake_banks(channel, at);
    }
}

/* Opens the row of the oldest request of the plan's bank; moves all requests to that row to the
 * hits. */
GM_INLINE void gm_frfcfs_open_row(gm_gddr5 *channel, gm_gddr5_plan *plan)
{
    gm_gddr5_bank *bank = gm_frfcfs_bank_of(channel, plan);
    gm_gddr5_slot *oldest = &channel->slot[bank->rest.head];
    oldest->opened = 1;
    bank->open = oldest->row + 1;
    channel->time.dram_activates++;
    uint32_t at = bank->rest.head;
    bank->rest.head = GM_GDDR5_NONE;
    while (at != GM_GDDR5_NONE) {
        uint32_t next = channel->slot_next[at];
        bool hit = channel->slot[at].row + 1 == bank->open;
        (void)gm_frfcfs_append(hit ? &bank->hits : &bank->rest, channel->slot_next, at);
        at = next;
    }
    gm_frfcfs_plan_column(channel, plan);
}

/* True for a bank with requests in the queue. */
static inline bool gm_frfcfs_has_requests(const gm_gddr5_bank *bank)
{
    return bank->hits.head != GM_GDDR5_NONE || bank->rest.head != GM_GDDR5_NONE;
}

/* dram.bank_turns: the bank has served its request, and waits for the next. */
static inline void gm_frfcfs_end_service(gm_gddr5 *channel, gm_gddr5_bank *bank,
                                         gm_gddr5_plan *plan)
{
    if (gm_frfcfs_has_requests(bank)) {
        gm_bitset_add(channel->state.to_hand, (uint32_t)plan->bank);
    }
    gm_frfcfs_remove_plan(channel, plan);
    bank->plan = GM_GDDR5_NONE;
}

/* Takes the bank's oldest hit out of the queue. Requires that `what` is its last command. `turns`:
 * dram.bank_turns. */
GM_INLINE void gm_frfcfs_finish(gm_gddr5 *channel, gm_gddr5_bank *bank,
                                const gm_frfcfs_choice *what, bool turns)
{
    uint32_t index = bank->hits.head;
    const gm_gddr5_slot *slot = &channel->slot[index];
    bank->hits.head = channel->slot_next[index];
    if (turns) {
        gm_frfcfs_end_service(channel, bank, what->plan);
    } else if (bank->hits.head != GM_GDDR5_NONE) {
        gm_frfcfs_plan_hit(channel, what->plan, &channel->slot[bank->hits.head]);
    } else if (bank->rest.head != GM_GDDR5_NONE) {
        gm_frfcfs_plan_row(channel, what->plan);
    } else {
        gm_frfcfs_remove_plan(channel, what->plan);
    }
    if (slot->request.write) {
        channel->slot_next[index] = channel->state.unused;
        channel->state.unused = index;
    } else {
        gm_frfcfs_answer(channel, index, what->at + channel->timing.read_data);
    }
    gm_frfcfs_leave(channel, what->at);
    channel->state.queued--;
}

/* Returns `sectors` without those in the burst of the first one. */
static inline uint32_t gm_frfcfs_after_first_burst(const gm_gddr5 *channel, uint32_t sectors)
{
    unsigned last = gm_lowest_one(sectors) | channel->burst_mask;
    return sectors & UINT32_C(0xfffffffe) << last;
}

/* Accounts for a request's first column command: a row hit, and the place of a read's answer. */
GM_INLINE void gm_frfcfs_start(gm_gddr5 *channel, gm_gddr5_plan *plan, const gm_gddr5_slot *slot)
{
    channel->statistics.row_hits += slot->opened == 0;
    if (!slot->request.write) {
        plan->next = GM_GDDR5_NEXT_READ;
        channel->state.reserved++;
        if (channel->state.reserved == channel->returns) {
            channel->state.answer_from = GM_NEVER;
            channel->state.limit =
                channel->state.end; /* the next command now depends on L2 banks */
        }
    }
}

/* True if a bank keeps to the row of its oldest request, which is not the open one. */
static inline bool gm_frfcfs_has_committed(const gm_gddr5 *channel, const gm_gddr5_bank *bank)
{
    return channel->commits && bank->hits.head == GM_GDDR5_NONE && bank->rest.head != GM_GDDR5_NONE;
}

/* dram.bank_turns: true if a bank opens a row for the request that it serves. */
static inline bool gm_frfcfs_opens(const gm_gddr5_bank *bank)
{
    return bank->plan != GM_GDDR5_NONE && bank->hits.head == GM_GDDR5_NONE;
}

/* dram.bank_turns: puts a request among those of its bank. */
static inline void gm_frfcfs_let_wait(gm_gddr5 *channel, uint32_t number, uint32_t index)
{
    gm_gddr5_bank *bank = &channel->bank[number];
    bool hit = channel->slot[index].row + 1 == bank->open && !gm_frfcfs_opens(bank);
    if (bank->plan == GM_GDDR5_NONE) {
        gm_bitset_add(channel->state.to_hand, number);
    }
    (void)gm_frfcfs_append(hit ? &bank->hits : &bank->rest, channel->slot_next, index);
}

/* Moves the oldest request in flight to the queue. `turns`: dram.bank_turns. Returns the plan that
 * it changed, or NULL: the bank's next command is still for an older request. */
GM_INLINE gm_gddr5_plan *gm_frfcfs_arrive(gm_gddr5 *channel, bool turns)
{
    uint32_t index = (uint32_t)channel->arrival[gm_ring_first(&channel->state.in_flight)].slot;
    gm_gddr5_slot *slot = &channel->slot[index];
    gm_dram_place place = gm_dram_locate(&channel->map, slot->request.address >> GM_SECTOR_SHIFT);
    slot->age = channel->state.arrived++;
    slot->row = place.row;
    slot->pending = slot->request.sectors;
    slot->opened = 0;
    gm_ring_pop(&channel->state.in_flight);
    channel->state.queued++;
    gm_gddr5_bank *bank = &channel->bank[place.bank];
    if (turns) {
        gm_frfcfs_let_wait(channel, place.bank, index);
    } else if (place.row + 1 == bank->open && !gm_frfcfs_has_committed(channel, bank)) {
        if (gm_frfcfs_append(&bank->hits, channel->slot_next, index)) {
            bool planned = bank->rest.head != GM_GDDR5_NONE;
            gm_gddr5_plan *plan = planned ? gm_frfcfs_plan_of(channel, bank)
                                          : gm_frfcfs_add_plan(channel, place.bank);
            gm_frfcfs_plan_column(channel, plan);
            return plan;
        }
    } else if (gm_frfcfs_append(&bank->rest, channel->slot_next, index) &&
               bank->hits.head == GM_GDDR5_NONE) {
        gm_gddr5_plan *plan = gm_frfcfs_add_plan(channel, place.bank);
        gm_frfcfs_plan_row(channel, plan);
        return plan;
    }
    return NULL;
}

/* Returns the DRAM cycle from which the queue takes the next request in flight, or GM_NEVER: none
 * is in flight, or the queue is full. */
static inline gm_cycle gm_frfcfs_next_arrival(const gm_gddr5 *channel)
{
    const gm_ring *in_flight = &channel->state.in_flight;
    uint32_t served = channel->bank_turns ? channel->state.plans : 0; /* beside the queue */
    bool none = gm_ring_is_empty(in_flight) || channel->state.queued - served == channel->queue;
    return none ? GM_NEVER : channel->arrival[gm_ring_first(in_flight)].at;
}

#endif
