/* An SM of the explored system: the L1's tags and MSHRs with the engines' access rules, and what it
 * sends to the tracker and to the other SM. */
#include "step.h"

static const char *const operation_names[] = {"load",   "strong load", "store",
                                              "atomic", "reduction",   "bypassing load"};

uint32_t hybrid_held(const hybrid_sm *sm, unsigned line, uint32_t *slot)
{
    *slot = gm_cache_find(&sm->cache, hybrid_address(line)).slot;
    return *slot != GM_NO_SLOT ? sm->way[*slot].state.valid : 0;
}

/* The L1's policy: that of a machine with a tracker. */
static gm_l1_policy policy_of(const hybrid_settings *s)
{
    return (gm_l1_policy){
        .all_sectors = (1u << HYBRID_SECTORS) - 1,
        .enabled = true,
        .conventional = true,
        .bypasses = true,
        .sectored = s->sectored,
        .write = {s->write, s->write},
    };
}

static gm_l1_line line_of(const hybrid_sm *sm, const hybrid_operation *op, gm_cache_place place)
{
    unsigned id = gm_mshr_find_open(&sm->mshr, hybrid_address(op->line));
    bool present = place.slot != GM_NO_SLOT;
    return (gm_l1_line){
        .place = present                     ? GM_L1_PRESENT
                 : id != GM_MSHR_ENTRIES     ? GM_L1_AWAITED
                 : op->kind == HYBRID_BYPASS ? GM_L1_BYPASSED
                                             : GM_L1_ABSENT,
        .held = present ? sm->way[place.slot].state.valid : 0,
        .in_flight = id != GM_MSHR_ENTRIES ? sm->entry[id].fetched : 0,
    };
}

/* Takes a record for a load, for the sectors that are not held; those that are it gets. */
static hybrid_load *begin_load(step *t, unsigned number, const hybrid_operation *op, uint32_t slot,
                               uint32_t held)
{
    const hybrid_sm *sm = &t->w->sm[number];
    for (unsigned i = 0; i < HYBRID_LOADS; i++) {
        hybrid_load *load = &t->values->load[number][i];
        if (load->state != LOAD_FREE) {
            continue;
        }
        *load = (hybrid_load){LOAD_WAITS, op->line, op->sectors, 0, t->values->accepted[number],
                              {0},        {0}};
        for (unsigned sector = 0; sector < HYBRID_SECTORS; sector++) {
            bool wanted = (op->sectors >> sector & 1) != 0;
            unsigned word = word_of(op->line, sector);
            load->floor[sector] = wanted ? t->values->word[word].floor[number] : 0;
        }
        for (unsigned sector = 0; sector < HYBRID_SECTORS; sector++) {
            if ((op->sectors & held) >> sector & 1) {
                hybrid_give(t, number, load, sector, sm->data[slot][sector]);
            }
        }
        return load;
    }
    return NULL;
}

static uint8_t number_of(const step *t, unsigned number, const hybrid_load *load)
{
    return (uint8_t)(load - t->values->load[number]);
}

/* True if the queue takes so many packets of a request; a RETURN that waits goes first. */
static bool may_send(const step *t, const hybrid_sm *sm, unsigned line, unsigned packets)
{
    return sm->returns.count == 0 && has_room(t->s, &sm->up[channel_of(t->s, line)], packets);
}

static void send(step *t, hybrid_sm *sm, hybrid_message message)
{
    hybrid_push(t, &sm->up[channel_of(t->s, message.line)], message);
}

static void send_notice(step *t, unsigned number, hybrid_kind kind, unsigned line)
{
    if (kind != MESSAGE_EVICT || has_rule(t->s, RULE_EVICTS)) {
        TELL(t, ", %s %c", kind == MESSAGE_FILL ? "FILL" : "EVICT", line_name(line));
        send(t, &t->w->sm[number],
             (hybrid_message){.kind = (uint8_t)kind, .sm = (uint8_t)number, .line = (uint8_t)line});
    }
}

static void send_lookup(step *t, unsigned number, unsigned line, unsigned id, uint32_t sectors,
                        bool will_fill)
{
    TELL(t, ", LOOKUP %c%s%s", line_name(line), sectors_name(sectors),
         will_fill ? ", will fill" : "");
    send(t, &t->w->sm[number],
         (hybrid_message){.kind = MESSAGE_LOOKUP,
                          .sm = (uint8_t)number,
                          .id = (uint8_t)id,
                          .line = (uint8_t)line,
                          .sectors = (uint8_t)sectors,
                          .flag = will_fill});
}

/* Takes a way for a line; sends the EVICT of the line that leaves it. Returns its slot, or
 * GM_NO_SLOT if all lines wait. */
static uint32_t take_way(step *t, unsigned number, unsigned line)
{
    hybrid_sm *sm = &t->w->sm[number];
    gm_cache_place place = gm_cache_find(&sm->cache, hybrid_address(line));
    uint32_t slot = gm_cache_victim(&sm->cache, place);
    if (slot != GM_NO_SLOT) {
        gm_victim victim;
        slot = gm_cache_replace(&sm->cache, hybrid_address(line), place, slot, &victim);
        memset(sm->data[slot], 0, sizeof sm->data[slot]);
        if (victim.state.valid != 0) {
            send_notice(t, number, MESSAGE_EVICT, hybrid_line(victim.line));
        }
    }
    return slot;
}

/* A load's miss: a new MSHR entry, and a LOOKUP of the sectors that it fetches. */
static bool miss(step *t, unsigned number, const hybrid_operation *op, gm_cache_place place,
                 const gm_l1_line *line, const gm_l1_effect *effect)
{
    hybrid_sm *sm = &t->w->sm[number];
    hybrid_load *load = begin_load(t, number, op, place.slot, line->held);
    bool takes = effect->allocates && !t->s->on_fill;
    if (load == NULL || !may_send(t, sm, op->line, takes ? 2 : 1)) {
        return false;
    }
    gm_mshr_response made =
        gm_mshr_access(&sm->mshr, (gm_mshr_request){.op = GM_MSHR_REQUEST_OP,
                                                    .line = hybrid_address(op->line),
                                                    .requester = number_of(t, number, load),
                                                    .may_allocate = 1});
    uint32_t slot = takes ? take_way(t, number, op->line) : place.slot;
    if (made.outcome != GM_MSHR_NEW || (takes && slot == GM_NO_SLOT)) {
        return false;
    }
    if (slot != GM_NO_SLOT && !t->s->on_fill) {
        gm_cache_wait(&sm->cache, slot);
    }
    bool will_fill = line->held == 0 || !has_rule(t->s, RULE_SECTORS);
    sm->entry[made.id] =
        (hybrid_entry){(uint8_t)effect->fetched, (uint8_t)effect->fetched, will_fill, {0}};
    send_lookup(t, number, op->line, (unsigned)made.id, effect->fetched, will_fill);
    return true;
}

static bool merge(step *t, unsigned number, const hybrid_operation *op, gm_cache_place place,
                  const gm_l1_line *line)
{
    hybrid_sm *sm = &t->w->sm[number];
    hybrid_load *load = begin_load(t, number, op, place.slot, line->held);
    TELL(t, ", waits too");
    return load != NULL &&
           gm_mshr_access(&sm->mshr, (gm_mshr_request){.op = GM_MSHR_REQUEST_OP,
                                                       .line = hybrid_address(op->line),
                                                       .requester = number_of(t, number, load),
                                                       .may_allocate = 1})
                   .outcome == GM_MSHR_MERGED;
}

/* True if the SM has a LOOKUP of the line without an answer. */
static bool has_lookup(const step *t, unsigned number, unsigned line)
{
    const hybrid_sm *sm = &t->w->sm[number];
    bool found = false;
    for (unsigned i = 0; i < HYBRID_LOADS; i++) {
        const hybrid_load *load = &t->values->load[number][i];
        found |= load->state == LOAD_WAITS && load->line == line && load->lookup != 0;
    }
    for (unsigned id = 0; id < HYBRID_ENTRIES; id++) {
        found |= gm_mshr_is_valid(&sm->mshr, id) && sm->mshr_entry[id].line == hybrid_address(line);
    }
    return found;
}

/* Ends the merging of the line's entry; its data will not be installed, and its way is free. */
static void close(step *t, hybrid_sm *sm, unsigned line, gm_cache_place place)
{
    if (!has_rule(t->s, RULE_CLOSES)) {
        return;
    }
    gm_mshr_access(&sm->mshr,
                   (gm_mshr_request){.op = GM_MSHR_CLOSE_OP, .line = hybrid_address(line)});
    TELL(t, ", closes its entry");
    if (place.slot != GM_NO_SLOT) {
        gm_cache_arrive(&sm->cache, place.slot);
        if (sm->way[place.slot].state.valid == 0) {
            gm_cache_drop(&sm->cache, place);
        }
    }
}

static void drop(hybrid_sm *sm, unsigned line)
{
    gm_cache_place place = gm_cache_find(&sm->cache, hybrid_address(line));
    if (place.slot != GM_NO_SLOT) {
        gm_cache_arrive(&sm->cache, place.slot);
        gm_cache_drop(&sm->cache, place);
    }
}

/* Sends the packet of one sector of a store, atomic or strong load; `first`: of its line. */
static void send_packet(step *t, unsigned number, const hybrid_operation *op, unsigned sector,
                        uint8_t id, bool first)
{
    hybrid_sm *sm = &t->w->sm[number];
    bool writes = op->kind == GM_REQUEST_STORE || op->kind == GM_REQUEST_ATOMIC;
    hybrid_message message = {.kind = op->kind == GM_REQUEST_STORE    ? MESSAGE_WRITE
                                      : op->kind == GM_REQUEST_ATOMIC ? MESSAGE_ATOMIC
                                                                      : MESSAGE_STRONG,
                              .sm = (uint8_t)number,
                              .id = id,
                              .line = op->line,
                              .sectors = (uint8_t)(1u << sector),
                              .flag = first};
    if (writes) {
        message.value[sector] = hybrid_accept(t, number, word_of(op->line, sector));
        TELL(t, ", %c%u = ", line_name(op->line), sector);
        hybrid_tell_value(t, word_of(op->line, sector), message.value[sector]);
    }
    uint32_t slot;
    if (writes && (hybrid_held(sm, op->line, &slot) >> sector & 1) != 0) {
        sm->data[slot][sector] = message.value[sector];
    }
    send(t, sm, message);
}

/* Sends a request to the L2, a packet for each sector; a bypassing load is one LOOKUP. */
static bool forward(step *t, unsigned number, const hybrid_operation *op, gm_cache_place place,
                    const gm_l1_line *line, const gm_l1_effect *effect)
{
    hybrid_sm *sm = &t->w->sm[number];
    bool bypasses = op->kind == HYBRID_BYPASS;
    bool waits = op->kind != GM_REQUEST_STORE;
    hybrid_load *load = waits ? begin_load(t, number, op, GM_NO_SLOT, 0) : NULL;
    unsigned packets = bypasses ? 1 : gm_count_ones(op->sectors);
    if ((waits && load == NULL) || !may_send(t, sm, op->line, packets) ||
        (!bypasses && has_rule(t->s, RULE_HOLDS) && has_lookup(t, number, op->line))) {
        return false;
    }
    if (effect->closes) {
        close(t, sm, op->line, place);
    }
    if (effect->invalidates && (line->in_flight == 0 || has_rule(t->s, RULE_CLOSES))) {
        drop(sm, op->line);
    }
    uint8_t id = (uint8_t)(HYBRID_ENTRIES + (waits ? number_of(t, number, load) : 0));
    if (bypasses) {
        load->lookup = 1;
        send_lookup(t, number, op->line, id, op->sectors, false);
        return true;
    }
    bool first = true;
    for (unsigned sector = 0; sector < HYBRID_SECTORS; sector++) {
        if ((op->sectors >> sector & 1) != 0) {
            send_packet(t, number, op, sector, id, first);
            first = false;
        }
    }
    return true;
}

bool hybrid_issue(step *t, unsigned number, const hybrid_operation *op)
{
    hybrid_sm *sm = &t->w->sm[number];
    const gm_l1_policy policy = policy_of(t->s);
    bool bypasses = op->kind == HYBRID_BYPASS;
    gm_l1_access access = {.kind = bypasses ? GM_REQUEST_LOAD : (gm_request_kind)op->kind,
                           .sectors = op->sectors,
                           .whole = op->sectors};
    gm_cache_place place = gm_cache_find(&sm->cache, hybrid_address(op->line));
    gm_l1_line line = line_of(sm, op, place);
    gm_l1_effect effect = gm_l1_access_effect(&policy, &access, &line);
    TELL(t, "SM %c, %s %c%s", 'P' + number, operation_names[op->kind], line_name(op->line),
         sectors_name(op->sectors));
    sm->done++;
    bool done = false;
    if (effect.outcome == GM_L1_WAIT) {
        return false;
    }
    if (effect.merges) {
        done = merge(t, number, op, place, &line);
    } else if (effect.validated != 0) {
        done = miss(t, number, op, place, &line, &effect);
    } else if (effect.forwarded != 0) {
        done = forward(t, number, op, place, &line, &effect);
    } else {
        TELL(t, ", hit");
        done = begin_load(t, number, op, place.slot, line.held) != NULL;
    }
    place = gm_cache_find(&sm->cache, hybrid_address(op->line));
    if (done && place.slot != GM_NO_SLOT) {
        gm_cache_touch(&sm->cache, place);
    }
    return done;
}

bool hybrid_evict(step *t, unsigned number, unsigned line)
{
    hybrid_sm *sm = &t->w->sm[number];
    gm_cache_place place = gm_cache_find(&sm->cache, hybrid_address(line));
    if (place.slot == GM_NO_SLOT || gm_cache_waits(&sm->cache, place.slot) ||
        !may_send(t, sm, line, 1)) {
        return false;
    }
    TELL(t, "SM %c evicts %c", 'P' + number, line_name(line));
    t->w->evictions++;
    gm_cache_drop(&sm->cache, place);
    send_notice(t, number, MESSAGE_EVICT, line);
    return true;
}

/* Installs an entry's sectors. Returns true if the line is in the L1 now. */
static bool install(step *t, unsigned number, unsigned id)
{
    hybrid_sm *sm = &t->w->sm[number];
    const hybrid_entry *entry = &sm->entry[id];
    unsigned line = hybrid_line(sm->mshr_entry[id].line);
    uint32_t slot;
    hybrid_held(sm, line, &slot);
    if (slot == GM_NO_SLOT && (slot = take_way(t, number, line)) == GM_NO_SLOT) {
        return false;
    }
    gm_cache_arrive(&sm->cache, slot);
    sm->way[slot].state.valid |= entry->fetched;
    for (unsigned sector = 0; sector < HYBRID_SECTORS; sector++) {
        if (entry->fetched >> sector & 1) {
            sm->data[slot][sector] = entry->value[sector];
        }
    }
    return true;
}

/* All data of an entry have arrived: its loads are answered; the line is installed if the entry is
 * open, and the tracker is told. */
static bool complete(step *t, unsigned number, unsigned id)
{
    hybrid_sm *sm = &t->w->sm[number];
    const hybrid_entry entry = sm->entry[id];
    unsigned line = hybrid_line(sm->mshr_entry[id].line);
    bool open = gm_mshr_is_open(&sm->mshr, id);
    if (open && !install(t, number, id)) {
        return false;
    }
    for (bool more = true; more;) {
        gm_mshr_response answer =
            gm_mshr_access(&sm->mshr, (gm_mshr_request){.op = GM_MSHR_RESPONSE_OP, .id = id});
        hybrid_load *load = &t->values->load[number][answer.requester];
        for (unsigned sector = 0; sector < HYBRID_SECTORS; sector++) {
            if (load->state == LOAD_WAITS && (load->sectors & entry.fetched) >> sector & 1) {
                hybrid_give(t, number, load, sector, entry.value[sector]);
            }
        }
        more = answer.count != 0;
    }
    sm->entry[id] = (hybrid_entry){0};
    if (entry.fills && (open || !has_rule(t->s, RULE_CLOSED))) {
        if (!has_rule(t->s, RULE_RESERVES) && !has_room(t->s, &sm->up[channel_of(t->s, line)], 1)) {
            return false;
        }
        send_notice(t, number, MESSAGE_FILL, line);
    }
    return true;
}

/* Data for an MSHR entry, or for a load of its own. */
static bool arrive(step *t, unsigned number, const hybrid_message *message)
{
    hybrid_sm *sm = &t->w->sm[number];
    if (message->id < HYBRID_ENTRIES) {
        hybrid_entry *entry = &sm->entry[message->id];
        for (unsigned sector = 0; sector < HYBRID_SECTORS; sector++) {
            if (message->sectors >> sector & 1) {
                entry->value[sector] = message->value[sector];
            }
        }
        entry->missing &= (uint8_t)~message->sectors;
        return entry->missing != 0 || complete(t, number, message->id);
    }
    hybrid_load *load = &t->values->load[number][message->id - HYBRID_ENTRIES];
    for (unsigned sector = 0; sector < HYBRID_SECTORS; sector++) {
        if (message->sectors >> sector & 1) {
            hybrid_give(t, number, load, sector, message->value[sector]);
        }
    }
    return true;
}

bool hybrid_take_reply(step *t, unsigned number, unsigned channel)
{
    hybrid_sm *sm = &t->w->sm[number];
    hybrid_message message = pop(&sm->down[channel], 0);
    if (message.kind == MESSAGE_SUPPLY) {
        return hybrid_take_supply(t, number, message);
    }
    TELL(t, "SM %c, %s %c%s", 'P' + number, message.kind == MESSAGE_DATA ? "data of" : "ACK of",
         line_name(message.line), sectors_name(message.sectors));
    return message.kind != MESSAGE_DATA || arrive(t, number, &message);
}

bool hybrid_take_supply(step *t, unsigned number, hybrid_message supply)
{
    hybrid_sm *sm = &t->w->sm[number];
    uint32_t slot;
    uint32_t held = hybrid_held(sm, supply.line, &slot);
    bool pending = slot != GM_NO_SLOT && gm_cache_waits(&sm->cache, slot);
    bool supplies = (supply.sectors & ~held) == 0 || !has_rule(t->s, RULE_RETURNS);
    if (!has_rule(t->s, RULE_PENDING) && pending) {
        return false; /* waits for the line */
    }
    TELL(t, "SM %c, SUPPLY %c%s: ", 'P' + number, line_name(supply.line),
         sectors_name(supply.sectors));
    if (!supplies) {
        TELL(t, "RETURN");
        supply.kind = MESSAGE_RETURN;
        if (t->s->queue != 0) {
            hybrid_push(t, &sm->returns, supply);
            return true;
        }
        send(t, sm, supply);
    } else {
        TELL(t, "SUPPLIED");
        supply.kind = MESSAGE_SUPPLIED;
        for (unsigned sector = 0; sector < HYBRID_SECTORS; sector++) {
            bool wanted = (supply.sectors >> sector & 1) != 0;
            supply.value[sector] = wanted && slot != GM_NO_SLOT ? sm->data[slot][sector] : 0;
        }
        hybrid_push(t, &sm->peer, supply);
    }
    sm->wire++;
    return true;
}

bool hybrid_take_supplied(step *t, unsigned from)
{
    hybrid_message message = pop(&t->w->sm[from].peer, 0);
    TELL(t, "SM %c, SUPPLIED %c%s", 'P' + message.sm, line_name(message.line),
         sectors_name(message.sectors));
    return arrive(t, message.sm, &message);
}

void hybrid_end_kernel(step *t, hybrid_sm *sm)
{
    for (unsigned line = 0; line < HYBRID_LINES && has_rule(t->s, RULE_DROPS); line++) {
        drop(sm, line);
    }
    gm_mshr_access(&sm->mshr, (gm_mshr_request){.op = GM_MSHR_FLUSH_OP});
}
