/* Events that may be done before all others, since they make no difference to them and no fence
 * sees them: docs/explore-timed.md has the reasons. Holds for right engines. */
#include "timed.h"

#include "coherence/temporal.h"
#include "cycle/l1/l1_queue.h"

/* True if the L1 has a copy of the line that it may use, now or when an answer comes. */
static bool has_copy(const gm_cycle_l1 *l1, uint64_t line)
{
    const gm_temporal_l1 *state = l1->coherent->protocol.state;
    uint32_t slot = gm_cache_find(&l1->cache, line).slot;
    return slot != GM_NO_SLOT && state->copies.slot[slot].valid;
}

/* True for the reply of an entry that takes no more loads: its data are not installed. Where lines
 * are replaced, or loads ask again, it does more than to answer its loads. */
static bool only_answers(const timed_machine *m, const gm_cycle_l1 *l1, unsigned entry)
{
    return !gm_mshr_is_open(&l1->mshr, entry) && l1->coherent->joined == NULL &&
           m->lines <= m->settings.l1_slots;
}

/* True for the reply of an upgrade that changes no copy. */
static bool changes_nothing(const timed_machine *m, const gm_cycle_l1 *l1, unsigned line,
                            unsigned flags)
{
    bool weak = m->settings.protocol.protocol == GM_COHERENCE_TCW && !m->settings.protocol.visible;
    bool brings = (flags & (GM_COHERENCE_LEASE | GM_COHERENCE_LINE)) != 0;
    return m->lines <= m->settings.l1_slots && (!has_copy(l1, m->line[line]) || (weak && !brings));
}

/* True if the oldest reply of an SM on a line only counts for its warp, or answers its loads. */
static bool only_counts(const timed_machine *m, uint32_t sm, unsigned line)
{
    const gm_cycle_l1 *l1 = &m->world->unit[sm].l1;
    const timed_channel *down = &m->world->down[sm][line];
    if (down->count == 0) {
        return false;
    }
    const timed_message *message = &down->message[0];
    if (gm_cycle_l1_id_kind_of(message->id) == GM_CYCLE_L1_OF_ENTRY) {
        return only_answers(m, l1, gm_cycle_l1_id_number(message->id));
    }
    return (message->flags & GM_COHERENCE_UPGRADE) == 0 ||
           changes_nothing(m, l1, line, message->flags);
}

/* True if no other warp of the SM has operations left. */
static bool is_last(const timed_machine *m, unsigned warp)
{
    const gm_litmus_test *test = m->settings.test;
    bool last = true;
    for (unsigned i = 0; i < test->warps; i++) {
        last &= i == warp || test->warp[i].sm != test->warp[warp].sm ||
                m->world->warp[i].next == test->warp[i].count;
    }
    return last;
}

/* True for an operation that waits for nothing and that nobody sees; and for one that the L2 alone
 * does, of the last warp of its SM, where the L1 neither has nor asks for a copy. */
static bool is_alone(const timed_machine *m, unsigned warp)
{
    const timed_warp *own = &m->world->warp[warp];
    const gm_litmus_warp *program = &m->settings.test->warp[warp];
    const gm_cycle_l1 *l1 = &m->world->unit[program->sm].l1;
    if (own->next == program->count) {
        return false;
    }
    const gm_litmus_operation *op = &program->operation[own->next];
    switch (op->kind) {
    case GM_LITMUS_FENCE_CTA:
        return true;
    case GM_LITMUS_BARRIER:
    case GM_LITMUS_KERNEL:
        return own->at_barrier == 0;
    case GM_LITMUS_LOAD:
    case GM_LITMUS_FENCE:
        return false;
    case GM_LITMUS_STORE:
    case GM_LITMUS_ATOMIC:
    case GM_LITMUS_REDUCTION:
    case GM_LITMUS_LOAD_BYPASS:
        break;
    }
    return is_last(m, warp) && l1->coherent->joined == NULL && !has_copy(l1, m->line[op->line]) &&
           gm_mshr_find_open(&l1->mshr, m->line[op->line]) == GM_MSHR_ENTRIES;
}

bool timed_find_forced(const timed_machine *m, search_event *event)
{
    for (uint32_t sm = 0; sm < m->sms; sm++) {
        if (m->world->unit[sm].l1.answering != GM_NO_ENTRY) {
            *event = (search_event){TIMED_ANSWER, (uint8_t)sm, 0};
            return true;
        }
        for (uint32_t line = 0; line < m->lines; line++) {
            if (only_counts(m, sm, line)) {
                *event = (search_event){TIMED_REPLY, (uint8_t)sm, (uint8_t)line};
                return true;
            }
        }
    }
    for (unsigned i = 0; i < m->settings.test->warps; i++) {
        if (is_alone(m, i)) {
            *event = (search_event){TIMED_ISSUE, (uint8_t)i, 0};
            return true;
        }
    }
    return false;
}
