/* First-ready FCFS scheduler of a GDDR5 channel: of the commands that no constraint forbids, column
 * commands (READ, WRITE) go before row commands (ACT, PRE), and of each the one for the oldest
 * request. */
#include "cycle/dram/frfcfs.h"

#include "cache/cache.h"
#include "goldmem/bits.h"

/* Appends a request to a list. Returns true if the list was empty. */
static inline bool append(gm_gddr5_list *list, uint32_t *next, uint32_t index)
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
static inline void wake_banks(const gm_gddr5 *channel, gm_cycle at)
{
    gm_cycle now = gm_clock_core(channel->clock, at);
    for (uint32_t i = 0; i < channel->l2_banks; i++) {
        gm_wake(channel->bank_wake[i], now);
    }
}

/* A candidate for the channel's next command. */
typedef struct choice {
    gm_cycle at;   /* DRAM cycle; GM_NEVER: no command, or no room for its answer */
    uint64_t rank; /* of the plan */
    gm_gddr5_plan *plan;
} choice;

static inline gm_cycle later(gm_cycle a, gm_cycle b)
{
    return a > b ? a : b;
}

/* In the rank of row commands. Above all ages, so that column commands go first. */
#define ON_ROW (UINT64_C(1) << 63)

static inline gm_gddr5_plan *plan_of(const gm_gddr5 *channel, const gm_gddr5_bank *bank)
{
    return &channel->plan[bank->plan];
}

static inline gm_gddr5_bank *bank_of(const gm_gddr5 *channel, const gm_gddr5_plan *plan)
{
    return &channel->bank[plan->bank];
}

/* No row hit: plans PRE (row open) or ACT (row closed) for the oldest request. */
static void plan_row(const gm_gddr5 *channel, gm_gddr5_plan *plan)
{
    const gm_gddr5_bank *bank = bank_of(channel, plan);
    plan->rank = ON_ROW | channel->slot[bank->rest.head].age;
    plan->next = bank->open != 0 ? GM_GDDR5_NEXT_PRECHARGE : GM_GDDR5_NEXT_ACTIVATE;
    plan->at = bank->open != 0 ? bank->precharge : bank->activate;
    plan->group = channel->groups;
}

/* Row hit: plans the column command for the request in `slot`. Leaves the plan's earliest cycle as
 * it is; plan_column computes it. */
static inline void plan_hit(gm_gddr5_plan *plan, const gm_gddr5_slot *slot)
{
    plan->rank = slot->age;
    plan->next = slot->request.write ? GM_GDDR5_NEXT_WRITE : GM_GDDR5_NEXT_FIRST_READ;
}

/* Plans a column command of another kind than the bank's last; recomputes its earliest cycle. */
static inline void plan_column(const gm_gddr5 *channel, gm_gddr5_plan *plan)
{
    const gm_gddr5_bank *bank = bank_of(channel, plan);
    plan_hit(plan, &channel->slot[bank->hits.head]);
    plan->at = bank->column;
    plan->group = (uint32_t)plan->bank & channel->group_mask;
}

/* Adds a plan for a bank. Requires that the bank has none. Returns it, to be filled in. */
static inline gm_gddr5_plan *add_plan(gm_gddr5 *channel, uint32_t bank)
{
    uint32_t number = channel->state.plans++;
    channel->bank[bank].plan = number;
    channel->plan[number].bank = bank;
    return &channel->plan[number];
}

/* Removes the plan of a bank without requests; the last plan moves to its place. */
static void remove_plan(gm_gddr5 *channel, gm_gddr5_plan *plan)
{
    gm_gddr5_plan *last = &channel->plan[--channel->state.plans];
    if (plan != last) {
        bank_of(channel, last)->plan = bank_of(channel, plan)->plan;
        *plan = *last;
    }
}

/* Returns the command that `plan` allows in DRAM cycle `from` or later. */
static inline choice next_of(const gm_gddr5 *channel, gm_gddr5_plan *plan, gm_cycle from)
{
    gm_cycle shared = later(channel->state.from[plan->next], channel->group[plan->group]);
    return (choice){later(later(plan->at, from), shared), plan->rank, plan};
}

/* True if `a` goes before `b`: by cycle, then column before row command, then by age. */
static inline bool is_before(const choice *a, const choice *b)
{
    unsigned __int128 first = (unsigned __int128)a->at << 64 | a->rank;
    unsigned __int128 second = (unsigned __int128)b->at << 64 | b->rank;
    return first < second;
}

/* Returns the next command of the channel, in DRAM cycle `from` or later. */
static inline choice choose(const gm_gddr5 *channel, gm_cycle from)
{
    gm_gddr5_plan *plan = channel->plan;
    const gm_gddr5_plan *end = plan + channel->state.plans;
    if (plan == end) {
        return (choice){GM_NEVER, UINT64_MAX, NULL};
    }
    choice best = next_of(channel, plan, from);
    while (++plan != end) {
        choice other = next_of(channel, plan, from);
        best = is_before(&other, &best) ? other : best;
    }
    return best;
}

/* Returns what choose() returns. Requires that it returned `last` for `from`, and that only `plan`
 * has changed since. */
static inline choice choose_again(const gm_gddr5 *channel, choice last, gm_gddr5_plan *plan,
                                  gm_cycle from)
{
    if (last.plan == plan) {
        return choose(channel, from);
    }
    choice other = next_of(channel, plan, from);
    return is_before(&other, &last) ? other : last;
}

static void tell(const gm_gddr5 *channel, gm_gddr5_command command, const choice *what,
                 uint64_t row, uint32_t column)
{
    channel->observer->command(channel->observer->context, what->at, command,
                               (uint32_t)what->plan->bank, row, column);
}

static void precharge(gm_gddr5 *channel, const choice *what)
{
    gm_gddr5_bank *bank = bank_of(channel, what->plan);
    if (channel->observer != NULL) {
        tell(channel, GM_GDDR5_PRECHARGE, what, bank->open - 1, 0);
    }
    bank->open = 0;
    bank->activate = later(bank->activate, what->at + channel->timing.precharge_to_row);
    channel->time.dram_precharges++;
    plan_row(channel, what->plan);
}

/* Opens the row of the bank's oldest request; moves all requests to that row to the hits. */
static void activate(gm_gddr5 *channel, const choice *what)
{
    gm_gddr5_bank *bank = bank_of(channel, what->plan);
    gm_gddr5_slot *oldest = &channel->slot[bank->rest.head];
    const gm_gddr5_timing *timing = &channel->timing;
    if (channel->observer != NULL) {
        tell(channel, GM_GDDR5_ACTIVATE, what, oldest->row, 0);
    }
    oldest->opened = 1;
    bank->open = oldest->row + 1;
    bank->column = what->at + timing->row_to_column;
    bank->precharge = what->at + timing->row_to_precharge;
    bank->activate = what->at + timing->row_to_row;
    channel->state.from[GM_GDDR5_NEXT_ACTIVATE] = what->at + timing->row_to_row_any;
    channel->time.dram_activates++;
    uint32_t at = bank->rest.head;
    bank->rest.head = GM_GDDR5_NONE;
    while (at != GM_GDDR5_NONE) {
        uint32_t next = channel->slot_next[at];
        bool hit = channel->slot[at].row + 1 == bank->open;
        (void)append(hit ? &bank->hits : &bank->rest, channel->slot_next, at);
        at = next;
    }
    plan_column(channel, what->plan);
}

/* Hands a read to its L2 bank for the core cycle in which its last burst has arrived. This is after
 * the core cycle of the command, because a burst takes time. */
static inline void answer(gm_gddr5 *channel, uint32_t index, gm_cycle data_end)
{
    gm_gddr5_slot *slot = &channel->slot[index];
    slot->ready = gm_clock_core_from(channel->clock, data_end);
    gm_gddr5_returns *ready = &channel->ready[slot->request.bank];
    if (append(&ready->list, channel->slot_next, index)) {
        ready->from = slot->ready;
    }
    gm_wake(channel->bank_wake[slot->request.bank], slot->ready);
}

/* Lets a request leave the queue in DRAM cycle `at`; lowers the L2 banks' wake-up times if one
 * waits for room. */
static inline void leave(gm_gddr5 *channel, gm_cycle at)
{
    channel->leaving[gm_ring_push(&channel->state.leaving)] = at;
    if (channel->state.wanted != 0) {
        channel->state.wanted = 0;
        wake_banks(channel, at);
    }
}

/* Not inlined: it is called rarely, and the callers stay small. */
__attribute__((noinline)) bool gm_gddr5_makes_room(gm_gddr5 *channel, gm_cycle now)
{
    gm_gddr5_leave(channel, gm_clock_first(channel->clock, now + 1));
    if (gm_gddr5_held(channel) < channel->capacity) {
        return true;
    }
    const gm_ring *leaving = &channel->state.leaving;
    channel->state.wanted = gm_ring_is_empty(leaving);
    if (!gm_ring_is_empty(leaving)) {
        wake_banks(channel, channel->leaving[gm_ring_first(leaving)]);
    }
    return false;
}

static void tell_column(const gm_gddr5 *channel, const choice *what, const gm_gddr5_slot *slot)
{
    uint64_t sector = (slot->request.address >> GM_SECTOR_SHIFT) + gm_lowest_one(slot->pending);
    gm_dram_place place = gm_dram_locate(&channel->map, sector);
    tell(channel, slot->request.write ? GM_GDDR5_WRITE : GM_GDDR5_READ, what, place.row,
         place.sector >> channel->burst_shift);
}

/* Takes the bank's oldest hit out of the queue. Requires that `what` is its last command. */
static inline void finish(gm_gddr5 *channel, gm_gddr5_bank *bank, const choice *what)
{
    uint32_t index = bank->hits.head;
    const gm_gddr5_slot *slot = &channel->slot[index];
    bank->hits.head = channel->slot_next[index];
    if (bank->hits.head != GM_GDDR5_NONE) {
        plan_hit(what->plan, &channel->slot[bank->hits.head]);
    } else if (bank->rest.head != GM_GDDR5_NONE) {
        plan_row(channel, what->plan);
    } else {
        remove_plan(channel, what->plan);
    }
    if (slot->request.write) {
        channel->slot_next[index] = channel->state.unused;
        channel->state.unused = index;
    } else {
        answer(channel, index, what->at + channel->timing.read_data);
    }
    leave(channel, what->at);
    channel->state.queued--;
}

/* Returns `sectors` without those in the burst of the first one. */
static inline uint32_t after_first_burst(const gm_gddr5 *channel, uint32_t sectors)
{
    unsigned last = gm_lowest_one(sectors) | channel->burst_mask;
    return sectors & UINT32_C(0xfffffffe) << last;
}

/* Accounts for a request's first column command: a row hit, and the place of a read's answer. */
static inline void start(gm_gddr5 *channel, gm_gddr5_plan *plan, const gm_gddr5_slot *slot)
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

/* Sets the earliest cycles of the commands that a column command in cycle `at` delays. Those of
 * `from` are overwritten: no earlier command set a later cycle. */
static inline void put_off(gm_gddr5 *channel, gm_gddr5_bank *bank, bool write, gm_cycle at)
{
    const gm_gddr5_timing *timing = &channel->timing;
    gm_cycle *from = channel->state.from;
    gm_cycle precharge;
    if (write) {
        from[GM_GDDR5_NEXT_READ] = at + timing->write_to_read;
        from[GM_GDDR5_NEXT_WRITE] = at + timing->same_kind;
        precharge = at + timing->write_to_precharge;
    } else {
        from[GM_GDDR5_NEXT_READ] = at + timing->same_kind;
        from[GM_GDDR5_NEXT_WRITE] = at + timing->read_to_write;
        precharge = at + timing->read_to_precharge;
    }
    bank->precharge = later(bank->precharge, precharge);
    /* Without a place for its answer a read waits until an L2 bank takes an answer. */
    from[GM_GDDR5_NEXT_FIRST_READ] = from[GM_GDDR5_NEXT_READ] | channel->state.answer_from;
}

static inline void column(gm_gddr5 *channel, const choice *what)
{
    gm_gddr5_bank *bank = bank_of(channel, what->plan);
    gm_gddr5_slot *slot = &channel->slot[bank->hits.head];
    if (channel->observer != NULL) {
        tell_column(channel, what, slot);
    }
    if (slot->pending == slot->request.sectors) {
        start(channel, what->plan, slot);
    }
    put_off(channel, bank, slot->request.write, what->at);
    channel->group[what->plan->group] = what->at + channel->timing.same_group;
    channel->time.dram_bursts++;
    slot->pending = after_first_burst(channel, slot->pending);
    if (slot->pending == 0) {
        finish(channel, bank, what);
    }
}

static inline void issue(gm_gddr5 *channel, const choice *what)
{
    if (what->rank < ON_ROW) {
        column(channel, what);
    } else if (what->plan->next == GM_GDDR5_NEXT_PRECHARGE) {
        precharge(channel, what);
    } else {
        activate(channel, what);
    }
}

/* Moves the oldest request in flight to the queue. Returns the plan that it changed, or NULL: the
 * bank's next command is still for an older request. */
static inline gm_gddr5_plan *arrive(gm_gddr5 *channel)
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
    if (place.row + 1 == bank->open) {
        if (append(&bank->hits, channel->slot_next, index)) {
            bool planned = bank->rest.head != GM_GDDR5_NONE;
            gm_gddr5_plan *plan = planned ? plan_of(channel, bank) : add_plan(channel, place.bank);
            plan_column(channel, plan);
            return plan;
        }
    } else if (append(&bank->rest, channel->slot_next, index) && bank->hits.head == GM_GDDR5_NONE) {
        gm_gddr5_plan *plan = add_plan(channel, place.bank);
        plan_row(channel, plan);
        return plan;
    }
    return NULL;
}

/* Returns the DRAM cycle from which the queue takes the next request in flight, or GM_NEVER: none
 * is in flight, or the queue is full. */
static inline gm_cycle next_arrival(const gm_gddr5 *channel)
{
    const gm_ring *in_flight = &channel->state.in_flight;
    bool none = gm_ring_is_empty(in_flight) || channel->state.queued == channel->queue;
    return none ? GM_NEVER : channel->arrival[gm_ring_first(in_flight)].at;
}

gm_cycle gm_gddr5_schedule(gm_gddr5 *channel, gm_cycle from, gm_cycle end, gm_cycle horizon)
{
    gm_cycle at = later(from, channel->state.decided);
    channel->state.end = end;
    channel->state.limit = channel->state.answer_from == 0 ? horizon : end;
    gm_cycle arrival = next_arrival(channel);
    choice next = choose(channel, at);
    for (;;) {
        if (arrival <= at || (arrival <= next.at && arrival < channel->state.limit)) {
            at = later(at, arrival);
            gm_gddr5_plan *plan = arrive(channel);
            next = plan == NULL ? next : choose_again(channel, next, plan, at);
            arrival = next_arrival(channel);
        } else if (next.at < channel->state.limit) {
            issue(channel, &next);
            at = next.at + 1;
            next = choose(channel, at);
            arrival = arrival == GM_NEVER ? next_arrival(channel) : arrival;
        } else {
            channel->state.decided = at;
            return later(at, arrival < next.at ? arrival : next.at);
        }
    }
}
