/* First-ready FCFS over the parts of a partition: as frfcfs.c, with a command in each cycle of each
 * command bus, and refresh commands before those of requests. */
#include "cycle/dram/frfcfs_queue.h"
#include "cycle/dram/parts.h"

/* No bank: a refresh of all. */
#define ALL UINT32_MAX

enum { REFRESH = GM_GDDR5_NEXTS }; /* kind of command in gm_dram_group */

/* A refresh: its next command. */
typedef struct refresh {
    gm_cycle at;   /* GM_NEVER: there is none */
    uint32_t part; /* to be refreshed */
    uint32_t bank; /* to be closed or refreshed; ALL */
} refresh;

/* The next command: of the refresh if it is before the choice. */
typedef struct command {
    gm_cycle at;
    gm_frfcfs_choice choice;
    refresh refresh;
    bool refreshes;
} command;

static void raise(gm_cycle *cell, gm_cycle at)
{
    *cell = gm_frfcfs_later(*cell, at);
}

static uint32_t part_of(const gm_dram_parts *parts, uint32_t bank)
{
    return bank & (parts->count - 1);
}

static gm_dram_group *group_of(const gm_gddr5 *channel, uint32_t bank)
{
    return &channel->parts->group[channel->parts->place[bank]];
}

/* Occupies the bus of a part's commands on rows or columns until cycle `free`: all groups of the
 * parts that share it take no such command before. */
static void occupy(const gm_gddr5 *channel, uint32_t part, bool row, gm_cycle free)
{
    const gm_dram_parts *parts = channel->parts;
    uint32_t first = part >> parts->pseudo_bits << parts->pseudo_bits;
    uint32_t groups = channel->groups << parts->pseudo_bits;
    gm_dram_group *group = &parts->group[first * channel->groups];
    for (uint32_t i = 0; i < groups && (row || parts->row_bus == 0); i++) {
        gm_cycle *from = group[i].from;
        raise(&from[GM_GDDR5_NEXT_ACTIVATE], free);
        raise(&from[GM_GDDR5_NEXT_PRECHARGE], free);
        raise(&from[REFRESH], free);
    }
    for (uint32_t i = 0; i < groups && (!row || parts->row_bus == 0); i++) {
        gm_cycle *from = group[i].from;
        raise(&from[GM_GDDR5_NEXT_READ], free);
        raise(&from[GM_GDDR5_NEXT_WRITE], free);
        from[GM_GDDR5_NEXT_FIRST_READ] = from[GM_GDDR5_NEXT_READ];
    }
}

/* True for a request of which a burst has been served. */
static bool has_begun(const gm_gddr5_slot *slot)
{
    return slot->pending != slot->request.sectors;
}

/* Returns GM_NEVER if the bank's oldest hit, a read, has no place for its answer, otherwise 0. A
 * read that a refresh has interrupted has one. */
static gm_cycle answer_from(const gm_gddr5 *channel, uint32_t bank)
{
    const gm_gddr5_slot *slot = &channel->slot[channel->bank[bank].hits.head];
    return has_begun(slot) ? 0 : channel->state.answer_from;
}

/* Returns the earliest cycle, `from` or later, in which an open bank can be closed. */
static gm_cycle earliest_precharge(const gm_gddr5 *channel, uint32_t bank, gm_cycle from)
{
    gm_cycle shared = group_of(channel, bank)->from[GM_GDDR5_NEXT_PRECHARGE];
    return gm_frfcfs_later(gm_frfcfs_later(channel->bank[bank].precharge, from), shared);
}

/* True if the bank is to be refreshed next. */
static bool is_refreshed(const gm_dram_parts *parts, const gm_dram_part *part, uint32_t bank)
{
    return parts->refresh == GM_REFRESH_ALL || part->refresh_bank == bank >> parts->part_bits;
}

/* Returns the cycle from which the bus of a part's row commands is free. */
static gm_cycle bus_from(const gm_gddr5 *channel, uint32_t part)
{
    return channel->parts->group[part * channel->groups].from[REFRESH];
}

/* Returns the PRE or REF that the refresh of one bank needs next. */
static refresh refresh_bank(const gm_gddr5 *channel, uint32_t number, gm_cycle from)
{
    const gm_dram_parts *parts = channel->parts;
    const gm_dram_part *part = &parts->part[number];
    uint32_t bank = (uint32_t)part->refresh_bank << parts->part_bits | number;
    from = gm_frfcfs_later(from, part->refresh_due);
    if (channel->bank[bank].open != 0) {
        return (refresh){earliest_precharge(channel, bank, from), number, bank};
    }
    gm_cycle shared = gm_frfcfs_later(part->refresh_from, bus_from(channel, number));
    gm_cycle own = gm_frfcfs_later(parts->refresh_row[bank], from);
    return (refresh){gm_frfcfs_later(own, shared), number, bank};
}

/* True if an activate of another bank in cycle `at`, when a refresh is due, would put it off. */
static bool puts_off(const gm_gddr5 *channel, uint32_t number, gm_cycle at, gm_cycle from)
{
    refresh due = refresh_bank(channel, number, from);
    bool closed = channel->bank[due.bank].open == 0;
    return closed && at + channel->parts->distance.row_to_refresh > due.at;
}

/* Returns `at`, or GM_NEVER for a plan that in cycle `at` waits for a refresh: of its own bank, or
 * of another one, which activates that follow each other at tRRD would put off for ever. */
static gm_cycle until_refresh(const gm_gddr5 *channel, const gm_gddr5_plan *plan, gm_cycle at,
                              gm_cycle from)
{
    const gm_dram_parts *parts = channel->parts;
    uint32_t bank = (uint32_t)plan->bank;
    uint32_t number = part_of(parts, bank);
    if (at < parts->part[number].refresh_due) {
        return at;
    }
    bool waits = is_refreshed(parts, &parts->part[number], bank) ||
                 (plan->next == GM_GDDR5_NEXT_ACTIVATE && puts_off(channel, number, at, from));
    return waits ? GM_NEVER : at;
}

/* Returns the rank of a plan: with dram.bank_turns by its bank's place in their order. */
static inline uint64_t rank_of(const gm_gddr5 *channel, const gm_gddr5_plan *plan)
{
    if (!channel->bank_turns) {
        return plan->rank;
    }
    uint64_t before = plan->bank < channel->state.first_bank ? channel->bank_count : 0;
    return (plan->rank & GM_FRFCFS_ON_ROW) | (plan->bank + before - channel->state.first_bank);
}

/* Returns the command that a plan allows in cycle `from` or later: none once its bank's refresh is
 * due. */
static inline gm_frfcfs_choice next_of(const gm_gddr5 *channel, gm_gddr5_plan *plan, gm_cycle from)
{
    const gm_dram_parts *parts = channel->parts;
    gm_cycle own = plan->next == GM_GDDR5_NEXT_WRITE ? parts->write_from[plan->bank] : plan->at;
    gm_cycle shared = parts->group[parts->place[plan->bank]].from[plan->next];
    gm_cycle at = gm_frfcfs_later(gm_frfcfs_later(own, from), shared);
    if (plan->next == GM_GDDR5_NEXT_FIRST_READ && channel->state.answer_from != 0) {
        at |= answer_from(channel, (uint32_t)plan->bank);
    }
    at = at >= parts->refresh_due ? until_refresh(channel, plan, at, from) : at;
    return (gm_frfcfs_choice){at, rank_of(channel, plan), plan};
}

/* Returns the PRE or REF that the refresh of all banks of a part needs next. */
static refresh refresh_all(const gm_gddr5 *channel, uint32_t number, gm_cycle from)
{
    const gm_dram_parts *parts = channel->parts;
    const gm_dram_part *part = &parts->part[number];
    from = gm_frfcfs_later(from, part->refresh_due);
    gm_cycle all = gm_frfcfs_later(part->refresh_from, bus_from(channel, number));
    all = gm_frfcfs_later(all, from);
    refresh first = {GM_NEVER, number, ALL};
    for (uint32_t bank = number; bank < channel->bank_count; bank += parts->count) {
        all = gm_frfcfs_later(all, parts->refresh_row[bank]);
        if (channel->bank[bank].open != 0) {
            gm_cycle at = earliest_precharge(channel, bank, from);
            first = at < first.at ? (refresh){at, number, bank} : first;
        }
    }
    first.at = first.bank == ALL ? all : first.at;
    return first;
}

/* Returns the next command of all parts' refreshes, in cycle `from` or later. */
static refresh choose_refresh(const gm_gddr5 *channel, gm_cycle from)
{
    refresh first = {GM_NEVER, 0, ALL};
    if (channel->parts->refresh == GM_REFRESH_NONE) {
        return first;
    }
    for (uint32_t i = 0; i < channel->parts->count; i++) {
        refresh other = channel->parts->refresh == GM_REFRESH_ALL ? refresh_all(channel, i, from)
                                                                  : refresh_bank(channel, i, from);
        first = other.at < first.at ? other : first;
    }
    return first;
}

/* Returns the next command of the partition, in cycle `from` or later: by cycle; then refreshes, so
 * that columns on the only bus cannot put them off for ever, columns, rows; then by age. */
static command choose(const gm_gddr5 *channel, gm_cycle from)
{
    gm_frfcfs_choice best = {GM_NEVER, UINT64_MAX, NULL};
    for (uint32_t i = 0; i < channel->state.plans; i++) {
        gm_gddr5_plan *plan = &channel->plan[i];
        if (plan->at > best.at && plan->next != GM_GDDR5_NEXT_WRITE) {
            continue; /* by its bank alone it is later; so are most plans of random accesses */
        }
        gm_frfcfs_choice other = next_of(channel, plan, from);
        best = gm_frfcfs_is_before(&other, &best) ? other : best;
    }
    if (best.at < channel->parts->refresh_due) { /* no refresh is */
        return (command){best.at, best, {GM_NEVER, 0, ALL}, false};
    }
    refresh own = choose_refresh(channel, from);
    bool first = own.at <= best.at;
    return (command){first ? own.at : best.at, best, own, first};
}

/* Returns what choose() returns. Requires that it returned `last` for `from` or an earlier cycle,
 * that only `plan` has changed since (NULL: none), and that last->at is `from` or later. */
static command choose_again(const gm_gddr5 *channel, const command *last, gm_gddr5_plan *plan,
                            gm_cycle from)
{
    if (last->at >= channel->parts->refresh_due || last->choice.plan == plan) {
        return choose(channel, from);
    }
    if (plan == NULL) {
        return *last;
    }
    gm_frfcfs_choice other = next_of(channel, plan, from);
    return gm_frfcfs_is_before(&other, &last->choice)
               ? (command){other.at, other, {GM_NEVER, 0, ALL}, false}
               : *last;
}

static uint32_t bank_behind(const gm_gddr5 *channel, uint32_t bank)
{
    return bank + 1 == channel->bank_count ? 0 : bank + 1;
}

/* dram.bank_turns: gives the first bank in order that has requests and serves none its oldest row
 * hit, or else its oldest request, in cycle `at`. Requires that there is such a bank. Returns its
 * plan. */
static gm_gddr5_plan *hand(gm_gddr5 *channel, gm_cycle at)
{
    uint32_t words = gm_bitset_words(channel->bank_count);
    uint32_t number = gm_bitset_next(channel->state.to_hand, words, channel->state.first_bank);
    gm_gddr5_plan *plan = gm_frfcfs_add_plan(channel, number);
    if (channel->bank[number].hits.head != GM_GDDR5_NONE) {
        gm_frfcfs_plan_column(channel, plan);
    } else {
        gm_frfcfs_plan_row(channel, plan);
    }
    gm_bitset_remove(channel->state.to_hand, number);
    channel->state.hand_from = at + 1;
    channel->state.first_bank = bank_behind(channel, channel->state.first_bank);
    return plan;
}

/* Gives a bank a request in cycle `at`. `next`: what choose() has returned; becomes what it would
 * return now. The order of the banks begins one further, so that of the others only the bank that
 * was the first goes behind. */
static void hand_and_choose(gm_gddr5 *channel, command *next, gm_cycle at)
{
    uint32_t first = channel->state.first_bank;
    gm_gddr5_plan *plan = hand(channel, at);
    if (next->choice.plan == NULL || next->choice.plan->bank == first) {
        *next = choose(channel, at);
        return;
    }
    next->choice.rank = rank_of(channel, next->choice.plan);
    *next = choose_again(channel, next, plan, at);
}

/* Returns the cycle, `at` or later, in which a bank is given a request to serve, or GM_NEVER. */
static gm_cycle next_hand(const gm_gddr5 *channel, gm_cycle at)
{
    return gm_bitset_any(channel->state.to_hand, gm_bitset_words(channel->bank_count))
               ? gm_frfcfs_later(at, channel->state.hand_from)
               : GM_NEVER;
}

/* Puts off the rows that a part opens after an activate. */
static void put_off_rows(const gm_gddr5 *channel, uint32_t bank, gm_cycle at)
{
    const gm_dram_parts *parts = channel->parts;
    const gm_dram_distances *distance = &parts->distance;
    gm_dram_part *part = &parts->part[part_of(parts, bank)];
    part->activated[part->activates++ % GM_DRAM_WINDOW] = at + 1;
    gm_cycle fourth = part->activated[part->activates % GM_DRAM_WINDOW]; /* the oldest kept */
    gm_cycle window = fourth != 0 ? fourth - 1 + distance->four_rows : 0;
    gm_cycle all = gm_frfcfs_later(at + distance->row_to_row, window);
    gm_dram_group *group = &parts->group[part_of(parts, bank) * channel->groups];
    for (uint32_t i = 0; i < channel->groups; i++) {
        raise(&group[i].from[GM_GDDR5_NEXT_ACTIVATE], all);
    }
    raise(&group_of(channel, bank)->from[GM_GDDR5_NEXT_ACTIVATE], at + distance->row_to_row_group);
    raise(&part->refresh_from, at + distance->row_to_refresh);
}

static void activate(gm_gddr5 *channel, const gm_frfcfs_choice *what)
{
    gm_dram_parts *parts = channel->parts;
    const gm_dram_distances *distance = &parts->distance;
    gm_gddr5_bank *bank = gm_frfcfs_bank_of(channel, what->plan);
    const gm_gddr5_slot *oldest = &channel->slot[bank->rest.head];
    uint32_t number = (uint32_t)what->plan->bank;
    if (channel->observer != NULL) {
        gm_frfcfs_tell(channel, GM_GDDR5_ACTIVATE, what, oldest->row, 0);
    }
    parts->reopened += oldest->opened != 0 || has_begun(oldest);
    bank->column = what->at + distance->row_to_read;
    parts->write_from[number] = what->at + distance->row_to_write;
    bank->precharge = what->at + distance->row_to_precharge;
    bank->activate = what->at + distance->row_to_row_bank;
    parts->refresh_row[number] = what->at + distance->row_to_refresh_bank;
    put_off_rows(channel, number, what->at);
    occupy(channel, part_of(parts, number), true, what->at + parts->activate_cycles);
    gm_frfcfs_open_row(channel, what->plan);
}

/* Closes a bank's row in cycle `at`. */
static void precharge(gm_gddr5 *channel, uint32_t number, gm_cycle at)
{
    gm_dram_parts *parts = channel->parts;
    const gm_dram_distances *distance = &parts->distance;
    gm_gddr5_bank *bank = &channel->bank[number];
    uint32_t part = part_of(parts, number);
    if (channel->observer != NULL) {
        channel->observer->command(channel->observer->context, at, GM_GDDR5_PRECHARGE, number,
                                   bank->open - 1, 0);
    }
    bank->open = 0;
    raise(&bank->activate, at + distance->precharge_to_row);
    raise(&parts->refresh_row[number], at + distance->precharge_to_refresh);
    for (uint32_t i = 0; i < channel->groups; i++) {
        raise(&parts->group[part * channel->groups + i].from[GM_GDDR5_NEXT_PRECHARGE],
              at + distance->precharge_to_precharge);
    }
    occupy(channel, part, true, at + 1);
    channel->time.dram_precharges++;
}

/* True for a bank that serves a request, with dram.bank_turns. */
static bool serves(const gm_gddr5 *channel, const gm_gddr5_bank *bank)
{
    return channel->bank_turns && bank->plan != GM_GDDR5_NONE;
}

/* Puts the requests to the row that a refresh closes back among the bank's others, by age. One that
 * has begun, or that the bank serves, is the first: its row is opened next, since others may wait
 * for its answer's place. */
static void give_up_hits(gm_gddr5 *channel, gm_gddr5_bank *bank)
{
    gm_gddr5_list merged = {GM_GDDR5_NONE, GM_GDDR5_NONE};
    uint32_t hit = bank->hits.head;
    uint32_t other = bank->rest.head;
    if (hit != GM_GDDR5_NONE && (has_begun(&channel->slot[hit]) || serves(channel, bank))) {
        bank->hits.head = channel->slot_next[hit];
        (void)gm_frfcfs_append(&merged, channel->slot_next, hit);
        hit = bank->hits.head;
    }
    while (hit != GM_GDDR5_NONE || other != GM_GDDR5_NONE) {
        bool take = other == GM_GDDR5_NONE ||
                    (hit != GM_GDDR5_NONE && channel->slot[hit].age < channel->slot[other].age);
        uint32_t index = take ? hit : other;
        *(take ? &hit : &other) = channel->slot_next[index];
        (void)gm_frfcfs_append(&merged, channel->slot_next, index);
    }
    bank->hits.head = GM_GDDR5_NONE;
    bank->rest = merged;
    if (merged.head != GM_GDDR5_NONE && bank->plan != GM_GDDR5_NONE) {
        gm_frfcfs_plan_row(channel, gm_frfcfs_plan_of(channel, bank));
    }
}

/* Issues REF; the part's other banks open rows again tRREFD later. */
static void refresh_row(gm_gddr5 *channel, const refresh *what)
{
    gm_dram_parts *parts = channel->parts;
    const gm_dram_distances *distance = &parts->distance;
    gm_dram_part *part = &parts->part[what->part];
    bool all = what->bank == ALL;
    gm_cycle rows = what->at + (all ? distance->refresh_all_to_row : distance->refresh_to_row);
    if (channel->observer != NULL) {
        channel->observer->command(channel->observer->context, what->at,
                                   all ? GM_GDDR5_REFRESH_ALL : GM_GDDR5_REFRESH,
                                   all ? what->part : what->bank, 0, 0);
    }
    for (uint32_t i = 0; i < channel->groups; i++) {
        raise(&parts->group[what->part * channel->groups + i].from[GM_GDDR5_NEXT_ACTIVATE], rows);
    }
    if (!all) {
        gm_gddr5_bank *bank = &channel->bank[what->bank];
        raise(&bank->activate, what->at + distance->refresh_to_row_bank);
        if (bank->rest.head != GM_GDDR5_NONE && bank->plan != GM_GDDR5_NONE) {
            /* its plan is to open a row */
            gm_frfcfs_plan_of(channel, bank)->at = bank->activate;
        }
    }
    raise(&part->refresh_from, what->at + distance->refresh_to_refresh);
    occupy(channel, what->part, true, what->at + 1);
    part->refresh_due += parts->refresh_interval;
    parts->refresh_due = part->refresh_due;
    for (uint32_t i = 0; i < parts->count; i++) {
        gm_cycle due = parts->part[i].refresh_due;
        parts->refresh_due = due < parts->refresh_due ? due : parts->refresh_due;
    }
    part->refresh_bank = (part->refresh_bank + 1) & (parts->banks - 1);
    channel->time.dram_refreshes++;
}

static void issue_refresh(gm_gddr5 *channel, const refresh *what)
{
    if (what->bank == ALL || channel->bank[what->bank].open == 0) {
        refresh_row(channel, what);
    } else {
        precharge(channel, what->bank, what->at);
        give_up_hits(channel, &channel->bank[what->bank]);
    }
}

/* Puts off the commands after a column command. */
static void put_off_columns(const gm_gddr5 *channel, uint32_t bank, bool write, gm_cycle at)
{
    const gm_dram_parts *parts = channel->parts;
    const gm_dram_distances *distance = &parts->distance;
    gm_cycle read = at + (write ? distance->write_to_read : distance->column_to_column);
    gm_cycle written = at + (write ? distance->column_to_column : distance->read_to_write);
    uint32_t part = part_of(parts, bank);
    for (uint32_t i = 0; i < channel->groups; i++) {
        gm_cycle *from = parts->group[part * channel->groups + i].from;
        raise(&from[GM_GDDR5_NEXT_READ], read);
        raise(&from[GM_GDDR5_NEXT_WRITE], written);
        from[GM_GDDR5_NEXT_FIRST_READ] = from[GM_GDDR5_NEXT_READ];
    }
    gm_cycle *from = group_of(channel, bank)->from;
    gm_cycle any = at + distance->column_to_column_group;
    raise(&from[GM_GDDR5_NEXT_READ], write ? at + distance->write_to_read_group : any);
    raise(&from[GM_GDDR5_NEXT_READ], any);
    raise(&from[GM_GDDR5_NEXT_WRITE], any);
    from[GM_GDDR5_NEXT_FIRST_READ] = from[GM_GDDR5_NEXT_READ];
    raise(&channel->bank[bank].precharge,
          at + (write ? distance->write_to_precharge : distance->read_to_precharge));
    if (!write) {
        raise(&from[GM_GDDR5_NEXT_PRECHARGE], at + distance->read_to_precharge_group);
    }
    if (parts->column_bus) {
        occupy(channel, part, false, at + 1);
    }
}

static void column(gm_gddr5 *channel, const gm_frfcfs_choice *what)
{
    gm_gddr5_bank *bank = gm_frfcfs_bank_of(channel, what->plan);
    gm_gddr5_slot *slot = &channel->slot[bank->hits.head];
    if (channel->observer != NULL) {
        gm_frfcfs_tell_column(channel, what, slot);
    }
    if (slot->pending == slot->request.sectors) {
        gm_frfcfs_start(channel, what->plan, slot);
    }
    put_off_columns(channel, (uint32_t)what->plan->bank, slot->request.write, what->at);
    channel->time.dram_bursts++;
    slot->pending = gm_frfcfs_after_first_burst(channel, slot->pending);
    if (slot->pending == 0) {
        gm_frfcfs_finish(channel, bank, what, channel->bank_turns);
    }
}

static void issue(gm_gddr5 *channel, const command *next)
{
    const gm_frfcfs_choice *what = &next->choice;
    channel->state.hand_from = gm_frfcfs_later(channel->state.hand_from, next->at + 1);
    if (!next->refreshes && what->rank >= GM_FRFCFS_ON_ROW) {
        channel->state.first_bank = bank_behind(channel, (uint32_t)what->plan->bank);
    }
    if (next->refreshes) {
        issue_refresh(channel, &next->refresh);
    } else if (what->rank < GM_FRFCFS_ON_ROW) {
        column(channel, what);
    } else if (what->plan->next == GM_GDDR5_NEXT_PRECHARGE) {
        precharge(channel, (uint32_t)what->plan->bank, what->at);
        gm_frfcfs_plan_row(channel, what->plan);
    } else {
        activate(channel, what);
    }
}

void gm_dram_parts_refresh(gm_gddr5 *channel, gm_cycle until)
{
    refresh next = choose_refresh(channel, channel->state.decided);
    while (next.at < until) {
        issue_refresh(channel, &next);
        channel->state.decided = next.at;
        next = choose_refresh(channel, next.at);
    }
}

/* A visit without requests ends at once: refreshes of idle time wait for the next one. */
gm_cycle gm_dram_parts_schedule(gm_gddr5 *channel, gm_cycle from, gm_cycle end, gm_cycle horizon)
{
    gm_dram_parts_refresh(channel, from);
    gm_cycle at = gm_frfcfs_later(from, channel->state.decided);
    channel->state.end = end;
    channel->state.limit = channel->state.answer_from == 0 ? horizon : end;
    command next = choose(channel, at);
    while (channel->state.queued != 0 || !gm_ring_is_empty(&channel->state.in_flight)) {
        gm_cycle arrival = gm_frfcfs_next_arrival(channel);
        gm_cycle given = next_hand(channel, at);
        gm_cycle other = given < next.at ? given : next.at;
        if (arrival <= at || (arrival <= other && arrival < channel->state.limit)) {
            at = gm_frfcfs_later(at, arrival);
            gm_gddr5_plan *plan = gm_frfcfs_arrive(channel, channel->bank_turns);
            next = choose_again(channel, &next, plan, at);
        } else if (given <= next.at && given < channel->state.limit) {
            at = given;
            hand_and_choose(channel, &next, at);
        } else if (next.at < channel->state.limit) {
            issue(channel, &next);
            at = next.at;
            next = choose(channel, at);
        } else {
            channel->state.decided = at;
            return gm_frfcfs_later(at, arrival < other ? arrival : other);
        }
    }
    channel->state.decided = at;
    return GM_NEVER;
}
