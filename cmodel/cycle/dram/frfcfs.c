/* First-ready FCFS scheduler of a GDDR5 channel: of the commands that no constraint forbids, column
 * commands (READ, WRITE) go before row commands (ACT, PRE), and of each the one for the oldest
 * request. */
#include "cycle/dram/frfcfs.h"

#include "cycle/dram/frfcfs_queue.h"

/* Returns the command that `plan` allows in DRAM cycle `from` or later. */
static inline gm_frfcfs_choice next_of(const gm_gddr5 *channel, gm_gddr5_plan *plan, gm_cycle from)
{
    gm_cycle shared = gm_frfcfs_later(channel->state.from[plan->next], channel->group[plan->group]);
    return (gm_frfcfs_choice){gm_frfcfs_later(gm_frfcfs_later(plan->at, from), shared), plan->rank,
                              plan};
}

/* Returns the next command of the channel, in DRAM cycle `from` or later. */
static inline gm_frfcfs_choice choose(const gm_gddr5 *channel, gm_cycle from)
{
    gm_gddr5_plan *plan = channel->plan;
    const gm_gddr5_plan *end = plan + channel->state.plans;
    if (plan == end) {
        return (gm_frfcfs_choice){GM_NEVER, UINT64_MAX, NULL};
    }
    gm_frfcfs_choice best = next_of(channel, plan, from);
    while (++plan != end) {
        gm_frfcfs_choice other = next_of(channel, plan, from);
        best = gm_frfcfs_is_before(&other, &best) ? other : best;
    }
    return best;
}

/* Returns what choose() returns. Requires that it returned `last` for `from`, and that only `plan`
 * has changed since. */
static inline gm_frfcfs_choice choose_again(const gm_gddr5 *channel, gm_frfcfs_choice last,
                                            gm_gddr5_plan *plan, gm_cycle from)
{
    if (last.plan == plan) {
        return choose(channel, from);
    }
    gm_frfcfs_choice other = next_of(channel, plan, from);
    return gm_frfcfs_is_before(&other, &last) ? other : last;
}

static void precharge(gm_gddr5 *channel, const gm_frfcfs_choice *what)
{
    gm_gddr5_bank *bank = gm_frfcfs_bank_of(channel, what->plan);
    if (channel->observer != NULL) {
        gm_frfcfs_tell(channel, GM_GDDR5_PRECHARGE, what, bank->open - 1, 0);
    }
    bank->open = 0;
    bank->activate = gm_frfcfs_later(bank->activate, what->at + channel->timing.precharge_to_row);
    channel->time.dram_precharges++;
    gm_frfcfs_plan_row(channel, what->plan);
}

static void activate(gm_gddr5 *channel, const gm_frfcfs_choice *what)
{
    gm_gddr5_bank *bank = gm_frfcfs_bank_of(channel, what->plan);
    const gm_gddr5_timing *timing = &channel->timing;
    if (channel->observer != NULL) {
        gm_frfcfs_tell(channel, GM_GDDR5_ACTIVATE, what, channel->slot[bank->rest.head].row, 0);
    }
    bank->column = what->at + timing->row_to_column;
    bank->precharge = what->at + timing->row_to_precharge;
    bank->activate = what->at + timing->row_to_row;
    channel->state.from[GM_GDDR5_NEXT_ACTIVATE] = what->at + timing->row_to_row_any;
    gm_frfcfs_open_row(channel, what->plan);
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
        gm_frfcfs_wake_banks(channel, channel->leaving[gm_ring_first(leaving)]);
    }
    return false;
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
    bank->precharge = gm_frfcfs_later(bank->precharge, precharge);
    /* Without a place for its answer a read waits until an L2 bank takes an answer. */
    from[GM_GDDR5_NEXT_FIRST_READ] = from[GM_GDDR5_NEXT_READ] | channel->state.answer_from;
}

static inline void column(gm_gddr5 *channel, const gm_frfcfs_choice *what)
{
    gm_gddr5_bank *bank = gm_frfcfs_bank_of(channel, what->plan);
    gm_gddr5_slot *slot = &channel->slot[bank->hits.head];
    if (channel->observer != NULL) {
        gm_frfcfs_tell_column(channel, what, slot);
    }
    if (slot->pending == slot->request.sectors) {
        gm_frfcfs_start(channel, what->plan, slot);
    }
    put_off(channel, bank, slot->request.write, what->at);
    channel->group[what->plan->group] = what->at + channel->timing.same_group;
    channel->time.dram_bursts++;
    slot->pending = gm_frfcfs_after_first_burst(channel, slot->pending);
    if (slot->pending == 0) {
        gm_frfcfs_finish(channel, bank, what, false);
    }
}

static inline void issue(gm_gddr5 *channel, const gm_frfcfs_choice *what)
{
    if (what->rank < GM_FRFCFS_ON_ROW) {
        column(channel, what);
    } else if (what->plan->next == GM_GDDR5_NEXT_PRECHARGE) {
        precharge(channel, what);
    } else {
        activate(channel, what);
    }
}

gm_cycle gm_gddr5_schedule(gm_gddr5 *channel, gm_cycle from, gm_cycle end, gm_cycle horizon)
{
    gm_cycle at = gm_frfcfs_later(from, channel->state.decided);
    channel->state.end = end;
    channel->state.limit = channel->state.answer_from == 0 ? horizon : end;
    gm_cycle arrival = gm_frfcfs_next_arrival(channel);
    gm_frfcfs_choice next = choose(channel, at);
    for (;;) {
        if (arrival <= at || (arrival <= next.at && arrival < channel->state.limit)) {
            at = gm_frfcfs_later(at, arrival);
            gm_gddr5_plan *plan = gm_frfcfs_arrive(channel, false);
            next = plan == NULL ? next : choose_again(channel, next, plan, at);
            arrival = gm_frfcfs_next_arrival(channel);
        } else if (next.at < channel->state.limit) {
            issue(channel, &next);
            at = next.at + 1;
            next = choose(channel, at);
            arrival = arrival == GM_NEVER ? gm_frfcfs_next_arrival(channel) : arrival;
        } else {
            channel->state.decided = at;
            return gm_frfcfs_later(at, arrival < next.at ? arrival : next.at);
        }
    }
}
