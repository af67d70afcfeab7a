/* GDDR5 channel: which command is issued when. First-ready FCFS: of the commands that no constraint
 * forbids, those on columns go before those on rows, and of each the one for the oldest request. */
#include "cycle/gddr5_parts.h"
#include "goldmem/bits.h"
#include "system/cache.h"

/* A next command. */
typedef struct choice {
    gm_cycle at;   /* DRAM cycle; GM_NEVER: there is none, or no room for its answer */
    uint64_t rank; /* as in the plan */
    uint32_t bank;
} choice;

static gm_cycle later(gm_cycle a, gm_cycle b)
{
    return a > b ? a : b;
}

static const gm_gddr5_command command_of[GM_GDDR5_NEXTS] = {
    [GM_GDDR5_NEXT_ACTIVATE] = GM_GDDR5_ACTIVATE, [GM_GDDR5_NEXT_PRECHARGE] = GM_GDDR5_PRECHARGE,
    [GM_GDDR5_NEXT_FIRST_READ] = GM_GDDR5_READ,   [GM_GDDR5_NEXT_READ] = GM_GDDR5_READ,
    [GM_GDDR5_NEXT_WRITE] = GM_GDDR5_WRITE,
};

/* Above all ages: commands on rows come after those on columns. */
#define ON_ROW (UINT64_C(1) << 63)

/* Says what is next in a bank that has requests: the oldest to the open row; if there is none, the
 * oldest closes the row, or opens its own. */
static void plan(gm_gddr5 *channel, uint32_t number)
{
    const gm_gddr5_bank *bank = &channel->bank[number];
    gm_gddr5_plan *to = &channel->plan[number];
    if (bank->hits.head == GM_GDDR5_NONE) {
        to->rank = ON_ROW | channel->slot[bank->rest.head].age;
        to->next = bank->open != 0 ? GM_GDDR5_NEXT_PRECHARGE : GM_GDDR5_NEXT_ACTIVATE;
        to->at = bank->open != 0 ? bank->precharge : bank->activate;
        return;
    }
    const gm_gddr5_slot *slot = &channel->slot[bank->hits.head];
    to->rank = slot->age;
    to->at = bank->column;
    if (slot->request.write) {
        to->next = GM_GDDR5_NEXT_WRITE;
    } else {
        to->next = slot->started != 0 ? GM_GDDR5_NEXT_READ : GM_GDDR5_NEXT_FIRST_READ;
    }
}

/* The constraints that all banks share: the first DRAM cycle, `from` or later, of each kind of
 * command. */
typedef struct common {
    gm_cycle from[GM_GDDR5_NEXTS];
} common;

static inline common common_of(const gm_gddr5 *channel, gm_cycle from)
{
    /* A read whose answer could not be kept waits until an L2 bank takes one. */
    bool full = channel->state.reserved == channel->returns;
    return (common){{
        [GM_GDDR5_NEXT_ACTIVATE] = later(from, channel->state.activate),
        [GM_GDDR5_NEXT_PRECHARGE] = from,
        [GM_GDDR5_NEXT_FIRST_READ] = full ? GM_NEVER : later(from, channel->state.read),
        [GM_GDDR5_NEXT_READ] = later(from, channel->state.read),
        [GM_GDDR5_NEXT_WRITE] = later(from, channel->state.write),
    }};
}

/* A bank's next command. */
static inline choice next_of(const gm_gddr5 *channel, uint32_t bank, const common *common)
{
    const gm_gddr5_plan *own = &channel->plan[bank];
    gm_cycle group = channel->group[bank & channel->group_mask];
    group &= own->rank < ON_ROW ? GM_NEVER : 0; /* constrains columns only */
    gm_cycle at = later(later(own->at, common->from[own->next]), group);
    return (choice){at, own->rank, bank};
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
static choice choose(const gm_gddr5 *channel, gm_cycle from)
{
    const common common = common_of(channel, from);
    choice best = {GM_NEVER, UINT64_MAX, 0};
    for (uint32_t word = 0; word * 64 < channel->bank_count; word++) {
        for (uint64_t left = channel->state.waiting[word]; left != 0; left &= left - 1) {
            choice other = next_of(channel, word * 64 + gm_lowest_one(left), &common);
            best = is_before(&other, &best) ? other : best;
        }
    }
    return best;
}

static void keep(gm_gddr5 *channel, choice next)
{
    channel->state.chosen = 1;
    channel->state.chosen_at = next.at;
    channel->state.chosen_rank = next.rank;
    channel->state.chosen_bank = next.bank;
}

static choice kept(const gm_gddr5 *channel)
{
    return (choice){channel->state.chosen_at, channel->state.chosen_rank,
                    channel->state.chosen_bank};
}

/* The same; the last choice holds until its time, an arrival, or room for an answer. */
static choice chosen(gm_gddr5 *channel, gm_cycle from)
{
    if (channel->state.chosen == 0 || channel->state.chosen_at < from) {
        keep(channel, choose(channel, from));
    }
    return kept(channel);
}

/* In DRAM cycle `from` a bank's next command has become another one: only that is to be compared
 * with the last choice, unless it was the bank's own. */
static void choose_again(gm_gddr5 *channel, uint32_t bank, gm_cycle from)
{
    if (channel->state.chosen_bank == bank || channel->state.chosen_at < from) {
        channel->state.chosen = 0;
    }
    if (channel->state.chosen != 0) {
        const common common = common_of(channel, from);
        choice other = next_of(channel, bank, &common);
        choice last = kept(channel);
        keep(channel, is_before(&other, &last) ? other : last);
    }
}

static void tell(const gm_gddr5 *channel, const choice *what, uint64_t row, uint32_t column)
{
    if (channel->observer != NULL) {
        channel->observer->command(channel->observer->context, what->at,
                                   command_of[channel->plan[what->bank].next], what->bank, row,
                                   column);
    }
}

static void precharge(gm_gddr5 *channel, const choice *what)
{
    gm_gddr5_bank *bank = &channel->bank[what->bank];
    tell(channel, what, bank->open - 1, 0);
    bank->open = 0;
    bank->activate = later(bank->activate, what->at + channel->timing.precharge_to_row);
    channel->time.dram_precharges++;
}

/* Opens the row of the bank's oldest request; the others to that row become hits. */
static void activate(gm_gddr5 *channel, const choice *what)
{
    gm_gddr5_bank *bank = &channel->bank[what->bank];
    gm_gddr5_slot *oldest = &channel->slot[bank->rest.head];
    const gm_gddr5_timing *timing = &channel->timing;
    tell(channel, what, oldest->row, 0);
    oldest->opened = 1;
    bank->open = oldest->row + 1;
    bank->column = what->at + timing->row_to_column;
    bank->precharge = what->at + timing->row_to_precharge;
    bank->activate = what->at + timing->row_to_row;
    channel->state.activate = what->at + timing->row_to_row_any;
    channel->time.dram_activates++;
    uint32_t at = bank->rest.head;
    bank->rest.head = GM_GDDR5_NONE;
    while (at != GM_GDDR5_NONE) {
        uint32_t next = channel->slot_next[at];
        bool hit = channel->slot[at].row + 1 == bank->open;
        gm_gddr5_append(hit ? &bank->hits : &bank->rest, channel->slot_next, at);
        at = next;
    }
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
    for (uint32_t i = 0; channel->state.wanted != 0 && i < channel->l2_banks; i++) {
        gm_wake(channel->bank_wake[i], now);
    }
    channel->state.wanted = 0;
}

/* The oldest hit of a bank has had its last command: leaves the queue. */
static void finish(gm_gddr5 *channel, const choice *what)
{
    gm_gddr5_bank *bank = &channel->bank[what->bank];
    uint32_t index = bank->hits.head;
    gm_cycle now = gm_clock_core(channel->clock, what->at);
    bank->hits.head = channel->slot_next[index];
    if (bank->hits.head == GM_GDDR5_NONE && bank->rest.head == GM_GDDR5_NONE) {
        channel->state.waiting[what->bank / 64] &= ~(UINT64_C(1) << what->bank % 64);
    }
    if (!channel->slot[index].request.write) {
        answer(channel, &channel->slot[index], what->at + channel->timing.read_data, now);
    }
    leave(channel, now);
    channel->slot_next[index] = channel->state.free_slot;
    channel->state.free_slot = index;
    channel->state.queued--;
}

static void column(gm_gddr5 *channel, const choice *what)
{
    gm_gddr5_bank *bank = &channel->bank[what->bank];
    gm_gddr5_slot *slot = &channel->slot[bank->hits.head];
    const gm_gddr5_timing *timing = &channel->timing;
    bool write = slot->request.write;
    tell(channel, what, slot->row, slot->column + gm_lowest_one(slot->pending));
    if (slot->started == 0) {
        slot->started = 1;
        channel->statistics.row_hits += slot->opened == 0;
        channel->state.reserved += !write;
    }
    slot->pending &= slot->pending - 1;
    gm_cycle at = what->at;
    channel->state.read =
        later(channel->state.read, at + (write ? timing->write_to_read : timing->same_kind));
    channel->state.write =
        later(channel->state.write, at + (write ? timing->same_kind : timing->read_to_write));
    channel->group[what->bank & channel->group_mask] = at + timing->same_group;
    bank->precharge = later(bank->precharge,
                            at + (write ? timing->write_to_precharge : timing->read_to_precharge));
    channel->time.dram_bursts++;
    channel->time.dram_busy += timing->burst;
    if (slot->pending == 0) {
        finish(channel, what);
    }
}

static void issue(gm_gddr5 *channel, const choice *what)
{
    switch (command_of[channel->plan[what->bank].next]) {
    case GM_GDDR5_ACTIVATE:
        activate(channel, what);
        break;
    case GM_GDDR5_PRECHARGE:
        precharge(channel, what);
        break;
    case GM_GDDR5_READ:
    case GM_GDDR5_WRITE:
        column(channel, what);
        break;
    }
    if ((channel->state.waiting[what->bank / 64] >> what->bank % 64 & 1) != 0) {
        plan(channel, what->bank);
    }
}

/* Bursts of a line that contain its sectors. (A line in a longer burst has one.) */
static uint32_t bursts_of(const gm_gddr5 *channel, uint32_t sectors)
{
    uint32_t bursts = 0;
    for (uint32_t left = sectors; left != 0; left &= left - 1) {
        bursts |= UINT32_C(1) << (gm_lowest_one(left) >> channel->burst_shift);
    }
    return bursts;
}

/* In DRAM cycle `at` the first on its way enters the queue. */
static void arrive(gm_gddr5 *channel, gm_cycle at)
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
    slot->bank = place.bank;
    slot->column = place.sector >> channel->burst_shift;
    slot->pending = bursts_of(channel, from->request.sectors);
    slot->started = 0;
    slot->opened = 0;
    gm_gddr5_bank *bank = &channel->bank[slot->bank];
    gm_gddr5_append(slot->row + 1 == bank->open ? &bank->hits : &bank->rest, channel->slot_next,
                    index);
    channel->state.waiting[slot->bank / 64] |= UINT64_C(1) << slot->bank % 64;
    if (bank->hits.head == index ||
        (bank->hits.head == GM_GDDR5_NONE && bank->rest.head == index)) {
        plan(channel, slot->bank);
        choose_again(channel, slot->bank, at);
    } /* else its bank's next command is for an older one, as before */
    channel->state.first =
        channel->state.first + 1 == channel->capacity ? 0 : channel->state.first + 1;
    channel->state.on_way--;
    channel->state.queued++;
}

/* DRAM cycle, `from` or later, in which the queue takes the next request. */
static gm_cycle next_arrival(const gm_gddr5 *channel, gm_cycle from)
{
    if (channel->state.on_way == 0 || channel->state.queued == channel->queue) {
        return GM_NEVER;
    }
    return later(gm_clock_first(channel->clock, channel->coming[channel->state.first].arrive),
                 from);
}

gm_cycle gm_gddr5_schedule(gm_gddr5 *channel, gm_cycle from, gm_cycle end, gm_cycle horizon)
{
    gm_cycle at = later(from, channel->state.decided);
    for (;;) {
        gm_cycle arrival = next_arrival(channel, at);
        if (arrival == at) {
            arrive(channel, at);
            continue;
        }
        choice next = chosen(channel, at);
        /* Room for an answer, which an L2 bank makes, changes what is next. */
        gm_cycle limit = channel->state.reserved == channel->returns ? end : horizon;
        if (arrival < limit && arrival <= next.at) {
            at = arrival;
        } else if (next.at < limit) {
            issue(channel, &next);
            at = next.at + 1;
        } else {
            channel->state.decided = at;
            return arrival < next.at ? arrival : next.at;
        }
    }
}
