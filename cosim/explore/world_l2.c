/* The L2 of the explored system: a message is served, a line fetched. */
#include "world_step.h"

/* Evicts the line in a slot of the L2: writes it back and keeps its lease. Returns false if the
 * lease finds no room. */
static bool evict(step *t, unsigned slot)
{
    world *w = t->w;
    unsigned old = w->tag[slot] - 1U;
    gm_tc_l2_response out = gm_tc_l2_access(
        &w->l2, (gm_tc_l2_request){.op = GM_TC_L2_EVICT, .slot = slot, .now = w->now});
    memcpy(w->memory[old], w->data[slot], GM_LITMUS_WORDS);
    if (out.keep != 0 && has_rule(t->s, RULE_KEEPS_LEASES)) {
        gm_lease_store_response kept =
            gm_lease_store_access(&w->leases, (gm_lease_store_request){.op = GM_LEASE_STORE_PUT,
                                                                       .line = old,
                                                                       .lease = out.lease,
                                                                       .now = w->now,
                                                                       .may = 1});
        if (kept.done == 0) {
            return false;
        }
    }
    TELL(t, "evicts %c, ", line_name(old));
    return true;
}

/* Gives a line its slot in the L2, from which it evicts another. Returns false if that one's lease
 * finds no room. */
static bool fetch(step *t, unsigned line, bool write)
{
    world *w = t->w;
    unsigned slot = line % t->s->l2_slots;
    if (w->tag[slot] == line + 1) {
        return true;
    }
    if (w->tag[slot] != 0 && !evict(t, slot)) {
        return false;
    }
    gm_lease_store_response kept = gm_lease_store_access(
        &w->leases,
        (gm_lease_store_request){.op = GM_LEASE_STORE_TAKE, .line = line, .now = w->now});
    gm_tc_l2_access(&w->l2, (gm_tc_l2_request){.op = GM_TC_L2_INSTALL,
                                               .slot = slot,
                                               .kept = kept.found,
                                               .kept_lease = kept.lease,
                                               .write = write});
    TELL(t, "fetches %c%s, ", line_name(line), kept.found != 0 ? " with its lease" : "");
    w->tag[slot] = (uint8_t)(line + 1);
    memcpy(w->data[slot], w->memory[line], GM_LITMUS_WORDS);
    return true;
}

static void perform(world *w, unsigned slot, unsigned line, const world_message *m)
{
    w->data[slot][m->word] = m->value;
    w->order[line][m->word][m->value] = ++w->performed[line][m->word];
}

/* Returns the answer to a message, without data. */
static world_message answer_to(const world_message *m, const gm_tc_l2_response *a,
                               const world_sm *sm)
{
    return (world_message){
        .kind = (uint8_t)a->answer,
        .of = m->kind,
        .warp = m->warp,
        .target = m->target,
        .word = m->word,
        .id = m->id,
        .no_lease = m->no_lease,
        .lease_given = (uint8_t)a->lease_given,
        .epoch = (uint8_t)sm->gwct.epoch, /* one rollover for all */
        .timestamp = (uint8_t)a->lease,
        .gwct = (uint8_t)a->gwct,
        .visible = m->kind == GM_TC_L1_GETS ? (uint8_t)a->visible : 0,
    };
}

bool world_serve(step *t, unsigned number, unsigned line)
{
    static const uint8_t ops[] = {
        [GM_TC_L1_GETS] = GM_TC_L2_GETS,
        [GM_TC_L1_GETX] = GM_TC_L2_GETX,
        [GM_TC_L1_UPGR] = GM_TC_L2_UPGR,
        [GM_TC_L1_ATOMIC_MESSAGE] = GM_TC_L2_ATOMIC,
    };
    static const char *const names[] = {"", "GETS", "", "GETX", "UPGR", "ATOMIC"};
    static const char *const answers[] = {"", "DATA", "ACK", "ACK-G", "DATA-G", "WAIT"};
    world *w = t->w;
    world_sm *sm = &w->sm[number];
    unsigned slot = line % t->s->l2_slots;
    if (sm->down[line].count == WORLD_MESSAGES) {
        return false;
    }
    world_message m = pop(&sm->up[line]);
    TELL(t, "L2: %s of SM %u on %c: ", names[m.kind], number, line_name(line));
    if (!fetch(t, line, m.kind != GM_TC_L1_GETS)) {
        return false;
    }
    gm_tc_l2_response a = gm_tc_l2_access(&w->l2, (gm_tc_l2_request){.op = ops[m.kind],
                                                                     .slot = slot,
                                                                     .sm = number,
                                                                     .no_lease = m.no_lease,
                                                                     .timestamp = m.timestamp,
                                                                     .now = w->now,
                                                                     .life = t->s->life});
    if (a.answer == GM_TC_L2_WAIT) {
        return false;
    }
    world_message answer = answer_to(&m, &a, sm);
    uint8_t old = w->data[slot][m.word];
    if (m.kind != GM_TC_L1_GETS) {
        perform(w, slot, line, &m);
    }
    if (m.kind == GM_TC_L1_ATOMIC_MESSAGE || m.no_lease != 0) {
        answer.data[0] = old; /* a word, wherever it lies */
    } else if (m.kind == GM_TC_L1_GETS || a.answer == GM_TC_L2_DATA_G) {
        memcpy(answer.data, w->data[slot], GM_LITMUS_WORDS);
    }
    push(&sm->down[line], answer);
    TELL(t, "%s, lease %u, GWCT %u%s", answers[a.answer], (unsigned)a.lease, (unsigned)a.gwct,
         a.is_private != 0 ? ", private" : "");
    return true;
}
