/* GDDR5 channel: which command is issued when. First-ready FCFS: of the commands that no constraint
 * forbids, those on columns go before those on rows, and of each the one for the oldest request. */
#include "cycle/gddr5_parts.h"
#include "goldmem/bits.h"
#include "system/cache.h"

/* A next command. */
typedef struct choice {
    gm_cycle at;   /* DRAM cycle; GM_NEVER: there is none, or no room for its answer */
    uint64_t rank; /* as in the bank */
    gm_gddr5_bank *bank;
} choice;

static inline gm_cycle later(gm_cycle a, gm_cycle b)
{
    return a > b ? a : b;
}

/* Above all ages: commands on rows come after those on columns. */
#define ON_ROW (UINT64_C(1) << 63)

/* The next command of a bank that has requests, none of them to the open row: the oldest closes the
 * row, or opens its own. */
static void plan_row(const gm_gddr5 *channel, gm_gddr5_bank *bank)
{
    bank->rank = ON_ROW | channel->slot[bank->rest.head].age;
    bank->next = bank->open != 0 ? GM_GDDR5_NEXT_PRECHARGE : GM_GDDR5_NEXT_ACTIVATE;
    bank->at = bank->open != 0 ? bank->precharge : bank->activate;
    bank->group = channel->groups;
}

/* The next command of a bank whose oldest request to the open row is another one than before: it is
 * for that. */
static inline void plan_hit(gm_gddr5 *channel, gm_gddr5_bank *bank)
{
    const gm_gddr5_slot *slot = &channel->slot[bank->hits.head];
    bank->rank = slot->age;
    bank->next = slot->request.write ? GM_GDDR5_NEXT_WRITE : GM_GDDR5_NEXT_FIRST_READ;
}

/* The same of a bank that had none. */
static inline void plan_column(gm_gddr5 *channel, gm_gddr5_bank *bank)
{
    plan_hit(channel, bank);
    bank->at = bank->column;
    bank->group = (uint32_t)(bank - channel->bank) & channel->group_mask;
}

/* A bank's next command, in DRAM cycle `from` or later. */
static inline choice next_of(const gm_gddr5 *channel, gm_gddr5_bank *bank, gm_cycle from)
{
    gm_cycle shared = later(channel->state.from[bank->next], channel->group[bank->group]);
    return (choice){later(later(bank->at, from), shared), bank->rank, bank};
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
    choice best = {GM_NEVER, UINT64_MAX, NULL};
    for (uint32_t word = 0; word * 64 < channel->bank_count; word++) {
        for (uint64_t left = channel->state.waiting[word]; left != 0; left &= left - 1) {
            choice other = next_of(channel, &channel->bank[word * 64 + gm_lowest_one(left)], from);
            best = is_before(&other, &best) ? other : best;
        }
    }
    return best;
}

/* The same, when `last` was the choice and the next command of only `bank` has become another one.
 */
static inline choice choose_again(const gm_gddr5 *channel, choice last, gm_gddr5_bank *bank,
                                  gm_cycle from)
{
    if (last.bank == bank) {
        return choose(channel, from);
    }
    choice other = next_of(channel, bank, from);
    return is_before(&other, &last) ? other : last;
}

static void tell(const gm_gddr5 *channel, gm_gddr5_command command, const choice *what,
                 uint64_t row, uint32_t column)
{
    channel->observer->command(channel->observer->context, what->at, command,
                               (uint32_t)(what->bank - channel->bank), row, column);
}

static void precharge(gm_gddr5 *channel, const choice *what)
{
    gm_gddr5_bank *bank = what->bank;
    if (channel->observer != NULL) {
        tell(channel, GM_GDDR5_PRECHARGE, what, bank->open - 1, 0);
    }
    bank->open = 0;
    bank->activate = later(bank->activate, what->at + channel->timing.precharge_to_row);
    channel->time.dram_precharges++;
    plan_row(channel, bank);
}

/* Opens the row of the bank's oldest request; the others to that row become hits. */
static void activate(gm_gddr5 *channel, const choice *what)
{
    gm_gddr5_bank *bank = what->bank;
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
        gm_gddr5_append(hit ? &bank->hits : &bank->rest, channel->slot_next, at);
        at = next;
    }
    plan_column(channel, bank);
}

/* Hands a read to its L2 bank, for when its last data have come. `now`: core cycle of the command.
 */
static void answer(gm_gddr5 *channel, const gm_gddr5_slot *slot, gm_cycle data_end, gm_cycle now)
{
    uint32_t index = channel->state.free_answer;
    channel->state.free_answer = channel->answer_next[index];
    gm_gddr5_answer *to = &channel->answer[index];
    to->request = slot->request;
    to->since = slot->since;
    to->ready = later(gm_clock_core_from(channel->clock, data_end), now + 1);
    gm_gddr5_returns *ready = &channel->ready[slot->request.bank];
    gm_gddr5_append(&ready->list, channel->answer_next, index);
    ready->from = ready->list.head == index ? to->ready : ready->from;
    gm_wake(channel->bank_wake[slot->request.bank], to->ready);
}

/* A request leaves the queue in core cycle `now`; L2 banks may wait for that. */
static void leave(gm_gddr5 *channel, gm_cycle now)
{
    uint32_t at = channel->state.first_leaving + channel->state.leave++;
    channel->leaving[at < channel->capacity ? at : at - channel->capacity] = now;
    if (channel->state.wanted != 0) {
        channel->state.wanted = 0;
        for (uint32_t i = 0; i < channel->l2_banks; i++) {
            gm_wake(channel->bank_wake[i], now);
        }
    }
}

static void tell_column(const gm_gddr5 *channel, const choice *what, const gm_gddr5_slot *slot)
{
    uint64_t sector = (slot->request.address >> GM_SECTOR_SHIFT) + gm_lowest_one(slot->pending);
    gm_dram_place place = gm_dram_locate(&channel->map, sector);
    tell(channel, slot->request.write ? GM_GDDR5_WRITE : GM_GDDR5_READ, what, place.row,
         place.sector >> channel->burst_shift);
}

/* The oldest hit of a bank has had its last command: leaves the queue. */
static inline void finish(gm_gddr5 *channel, const choice *what)
{
    gm_gddr5_bank *bank = what->bank;
    uint32_t index = bank->hits.head;
    gm_cycle now = gm_clock_core(channel->clock, what->at);
    bank->hits.head = channel->slot_next[index];
    if (bank->hits.head != GM_GDDR5_NONE) {
        plan_hit(channel, bank);
    } else if (bank->rest.head != GM_GDDR5_NONE) {
        plan_row(channel, bank);
    } else {
        uint32_t number = (uint32_t)(bank - channel->bank);
        channel->state.waiting[number / 64] &= ~(UINT64_C(1) << number % 64);
    }
    if (!channel->slot[index].request.write) {
        answer(channel, &channel->slot[index], what->at + channel->timing.read_data, now);
    }
    leave(channel, now);
    channel->slot_next[index] = channel->state.free_slot;
    channel->state.free_slot = index;
    channel->state.queued--;
}

/* The sectors but those in the burst of the first. */
static inline uint32_t after_first_burst(const gm_gddr5 *channel, uint32_t sectors)
{
    unsigned last = gm_lowest_one(sectors) | channel->burst_mask;
    return sectors & UINT32_C(0xfffffffe) << last;
}

/* A request's first column command. */
static inline void start(gm_gddr5 *channel, gm_gddr5_bank *bank, gm_gddr5_slot *slot)
{
    slot->started = 1;
    channel->statistics.row_hits += slot->opened == 0;
    if (!slot->request.write) {
        bank->next = GM_GDDR5_NEXT_READ;
        channel->state.reserved++;
    }
}

/* What a column command puts off. None of it was later: the command itself had to wait. */
static inline void put_off(gm_gddr5 *channel, gm_gddr5_bank *bank, bool write, gm_cycle at)
{
    const gm_gddr5_timing *timing = &channel->timing;
    gm_cycle *from = channel->state.from;
    uint64_t to_read = write ? timing->write_to_read : timing->same_kind;
    uint64_t to_write = write ? timing->same_kind : timing->read_to_write;
    uint64_t to_precharge = write ? timing->write_to_precharge : timing->read_to_precharge;
    bool full = channel->state.reserved == channel->returns;
    from[GM_GDDR5_NEXT_READ] = later(from[GM_GDDR5_NEXT_READ], at + to_read);
    from[GM_GDDR5_NEXT_WRITE] = later(from[GM_GDDR5_NEXT_WRITE], at + to_write);
    /* A read whose answer could not be kept waits until an L2 bank takes one. */
    from[GM_GDDR5_NEXT_FIRST_READ] = full ? GM_NEVER : from[GM_GDDR5_NEXT_READ];
    channel->group[bank->group] = at + timing->same_group;
    bank->precharge = later(bank->precharge, at + to_precharge);
}

static inline void column(gm_gddr5 *channel, const choice *what)
{
    gm_gddr5_bank *bank = what->bank;
    gm_gddr5_slot *slot = &channel->slot[bank->hits.head];
    bool write = slot->request.write;
    if (channel->observer != NULL) {
        tell_column(channel, what, slot);
    }
    if (slot->started == 0) {
        start(channel, bank, slot);
    }
    put_off(channel, bank, write, what->at);
    channel->time.dram_bursts++;
    channel->time.dram_busy += channel->timing.burst;
    slot->pending = after_first_burst(channel, slot->pending);
    if (slot->pending == 0) {
        finish(channel, what);
    }
}

static inline void issue(gm_gddr5 *channel, const choice *what)
{
    if (what->rank < ON_ROW) {
        column(channel, what);
    } else if (what->bank->open != 0) {
        precharge(channel, what);
    } else {
        activate(channel, what);
    }
}

/* In DRAM cycle `at` the first on its way enters the queue. Returns the next command after that;
 * `next` before. */
static inline choice arrive(gm_gddr5 *channel, choice next, gm_cycle at)
{
    const gm_gddr5_coming *from = &channel->coming[channel->state.first];
    uint32_t index = channel->state.free_slot;
    gm_gddr5_slot *slot = &channel->slot[index];
    channel->state.free_slot = channel->slot_next[index];
    gm_dram_place place = gm_dram_locate(&channel->map, from->request.address >> GM_SECTOR_SHIFT);
    slot->request = from->request;
    slot->since = from->since;
    slot->age = channel->state.arrivals++;
    slot->row = place.row;
    slot->pending = from->request.sectors;
    slot->started = 0;
    slot->opened = 0;
    channel->state.first =
        channel->state.first + 1 == channel->capacity ? 0 : channel->state.first + 1;
    channel->state.on_way--;
    channel->state.queued++;
    gm_gddr5_bank *bank = &channel->bank[place.bank];
    channel->state.waiting[place.bank / 64] |= UINT64_C(1) << place.bank % 64;
    bool hit = place.row + 1 == bank->open;
    gm_gddr5_append(hit ? &bank->hits : &bank->rest, channel->slot_next, index);
    if (bank->hits.head == index) {
        plan_column(channel, bank);
    } else if (bank->hits.head == GM_GDDR5_NONE && bank->rest.head == index) {
        plan_row(channel, bank);
    } else {
        return next; /* its bank's next command is for an older one, as before */
    }
    return choose_again(channel, next, bank, at);
}

/* DRAM cycle from which the queue takes the next request. */
static inline gm_cycle next_arrival(const gm_gddr5 *channel)
{
    bool none = channel->state.on_way == 0 || channel->state.queued == channel->queue;
    return none ? GM_NEVER : channel->coming[channel->state.first].arrive;
}

/* Room for an answer, which an L2 bank makes, changes what is next. */
static inline gm_cycle limit_of(const gm_gddr5 *channel, gm_cycle end, gm_cycle horizon)
{
    return channel->state.reserved == channel->returns ? end : horizon;
}

gm_cycle gm_gddr5_schedule(gm_gddr5 *channel, gm_cycle from, gm_cycle end, gm_cycle horizon)
{
    gm_cycle at = later(from, channel->state.decided);
    gm_cycle limit = limit_of(channel, end, horizon);
    gm_cycle arrival = next_arrival(channel);
    choice next = choose(channel, at);
    for (;;) {
        if (arrival <= at || (arrival <= next.at && arrival < limit)) {
            at = later(at, arrival);
            next = arrive(channel, next, at);
            arrival = next_arrival(channel);
        } else if (next.at < limit) {
            issue(channel, &next);
            at = next.at + 1;
            next = choose(channel, at);
            limit = limit_of(channel, end, horizon);
            arrival = arrival == GM_NEVER ? next_arrival(channel) : arrival;
        } else {
            channel->state.decided = at;
            return later(at, arrival < next.at ? arrival : next.at);
        }
    }
}
