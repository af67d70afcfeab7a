/* GDDR5 channel: which command is issued when. First-ready FCFS: of the commands that no constraint
 * forbids, those on columns go before those on rows, and of each the one for the oldest request. */
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

/* Wakes all L2 banks for the core cycle of DRAM cycle `at`. */
static inline void wake_banks(const gm_gddr5 *channel, gm_cycle at)
{
    gm_cycle now = gm_clock_core(channel->clock, at);
    for (uint32_t i = 0; i < channel->l2_banks; i++) {
        gm_wake(channel->bank_wake[i], now);
    }
}

/* A next command. */
typedef struct choice {
    gm_cycle at;   /* DRAM cycle; GM_NEVER: there is none, or no room for its answer */
    uint64_t rank; /* as in the plan */
    gm_gddr5_plan *plan;
} choice;

static inline gm_cycle later(gm_cycle a, gm_cycle b)
{
    return a > b ? a : b;
}

/* Above all ages: commands on rows come after those on columns. */
#define ON_ROW (UINT64_C(1) << 63)

static inline gm_gddr5_plan *plan_of(const gm_gddr5 *channel, const gm_gddr5_bank *bank)
{
    return &channel->plan[bank->plan];
}

static inline gm_gddr5_bank *bank_of(const gm_gddr5 *channel, const gm_gddr5_plan *plan)
{
    return &channel->bank[plan->bank];
}

/* None of the bank's requests is to the open row: the oldest closes the row, or opens its own. */
static void plan_row(const gm_gddr5 *channel, gm_gddr5_plan *plan)
{
    const gm_gddr5_bank *bank = bank_of(channel, plan);
    plan->rank = ON_ROW | channel->slot[bank->rest.head].age;
    plan->next = bank->open != 0 ? GM_GDDR5_NEXT_PRECHARGE : GM_GDDR5_NEXT_ACTIVATE;
    plan->at = bank->open != 0 ? bank->precharge : bank->activate;
    plan->group = channel->groups;
}

/* The bank's next command is for a request to the open row, like the one before. */
static inline void plan_hit(gm_gddr5_plan *plan, const gm_gddr5_slot *slot)
{
    plan->rank = slot->age;
    plan->next = slot->request.write ? GM_GDDR5_NEXT_WRITE : GM_GDDR5_NEXT_FIRST_READ;
}

/* The same, unlike the one before. */
static inline void plan_column(const gm_gddr5 *channel, gm_gddr5_plan *plan)
{
    const gm_gddr5_bank *bank = bank_of(channel, plan);
    plan_hit(plan, &channel->slot[bank->hits.head]);
    plan->at = bank->column;
    plan->group = (uint32_t)plan->bank & channel->group_mask;
}

/* A plan for a bank that has had no requests. */
static inline gm_gddr5_plan *add_plan(gm_gddr5 *channel, uint32_t bank)
{
    uint32_t number = channel->state.plans++;
    channel->bank[bank].plan = number;
    channel->plan[number].bank = bank;
    return &channel->plan[number];
}

/* The bank has no requests any more: the last plan takes the place of its own. */
static void remove_plan(gm_gddr5 *channel, gm_gddr5_plan *plan)
{
    gm_gddr5_plan *last = &channel->plan[--channel->state.plans];
    if (plan != last) {
        bank_of(channel, last)->plan = bank_of(channel, plan)->plan;
        *plan = *last;
    }
}

/* A bank's next command, in DRAM cycle `from` or later. */
static inline choice next_of(const gm_gddr5 *channel, gm_gddr5_plan *plan, gm_cycle from)
{
    gm_cycle shared = later(channel->state.from[plan->next], channel->group[plan->group]);
    return (choice){later(later(plan->at, from), shared), plan->rank, plan};
}

/* Is it the earlier; of the same cycle, the one on a column; of those, the one for the older
 * request? */
static inline bool is_before(const choice *a, const choice *b)
{
    unsigned __int128 first = (unsigned __int128)a->at << 64 | a->rank;
    unsigned __int128 second = (unsigned __int128)b->at << 64 | b->rank;
    return first < second;
}

/* The next command of all banks, in DRAM cycle `from` or later. */
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

/* The same, when `last` was the choice and only `plan` has become another one. */
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

/* Opens the row of the bank's oldest request; the others to that row become hits. */
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

/* Hands a read to its L2 bank, for when its last data have come: after the core cycle of the
 * command, because a burst takes time. */
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

/* A request leaves the queue in DRAM cycle `at`; L2 banks may wait for that. */
static inline void leave(gm_gddr5 *channel, gm_cycle at)
{
    channel->leaving[gm_ring_push(&channel->state.leaving)] = at;
    if (channel->state.wanted != 0) {
        channel->state.wanted = 0;
        wake_banks(channel, at);
    }
}

/* Rarely called, so that the call costs less than its code in the callers'. */
__attribute__((noinline)) bool gm_gddr5_makes_room(gm_gddr5 *channel, gm_cycle now)
{
    gm_gddr5_leave(channel, gm_clock_first(channel->clock, now + 1));
    if (gm_gddr5_held(channel) < channel->capacity) {
        return true;
    }
    const gm_ring *leaving = &channel->state.leaving;
    channel->state.wanted = leaving->count == 0;
    if (leaving->count != 0) {
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

/* The oldest hit of a bank has had its last command: leaves the queue. */
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

/* The sectors but those in the burst of the first. */
static inline uint32_t after_first_burst(const gm_gddr5 *channel, uint32_t sectors)
{
    unsigned last = gm_lowest_one(sectors) | channel->burst_mask;
    return sectors & UINT32_C(0xfffffffe) << last;
}

/* A request's first column command. */
static inline void start(gm_gddr5 *channel, gm_gddr5_plan *plan, const gm_gddr5_slot *slot)
{
    channel->statistics.row_hits += slot->opened == 0;
    if (!slot->request.write) {
        plan->next = GM_GDDR5_NEXT_READ;
        channel->state.reserved++;
        if (channel->state.reserved == channel->returns) {
            channel->state.answer_from = GM_NEVER;
            channel->state.limit = channel->state.end; /* what is next depends on L2 banks now */
        }
    }
}

/* What a column command puts off. (A command of a kind was the last, or another that put it off
 * less, so that the later of both is always this one's.) */
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
    /* A read whose answer could not be kept waits until an L2 bank takes one. */
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

/* The first on its way enters the queue. Returns the plan that has become another one by that, or
 * NULL: its bank's next command is for an older request, as before. */
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

/* DRAM cycle from which the queue takes the next request. */
static inline gm_cycle next_arrival(const gm_gddr5 *channel)
{
    const gm_ring *in_flight = &channel->state.in_flight;
    bool none = in_flight->count == 0 || channel->state.queued == channel->queue;
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
