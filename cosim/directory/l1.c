/* The SMs: operations of a warp, and the messages that its L1 gets. */
#include "directory_world.h"

static const gm_directory_row *row_of(const directory_step *t, const directory_copy *copy,
                                      unsigned event, unsigned due)
{
    const gm_directory_table *table = &t->s->protocol->l1;
    const gm_directory_row *row =
        gm_directory_find(table, copy->state, event, due == 0 ? GM_IF_LAST : GM_IF_MORE);
    if (row != NULL) {
        t->s->uses->l1[row - table->row] = true;
    }
    return row;
}

static directory_queue *queue_up(directory_step *t, unsigned sm, gm_directory_message message)
{
    return &t->w->sm[sm].up[t->s->up[t->s->protocol->network[message]]];
}

static bool sends(directory_step *t, unsigned sm, directory_message message)
{
    return directory_push(queue_up(t, sm, message.kind), t->s, message);
}

/* Removes an operation from the list; returns it, its `entry` being its place. */
static directory_busy take_busy(directory_sm *sm, unsigned place)
{
    directory_busy taken = sm->busy[place];
    taken.entry = (uint8_t)place;
    sm->count--;
    for (unsigned i = place; i < sm->count; i++) {
        sm->busy[i] = sm->busy[i + 1];
    }
    sm->busy[sm->count] = (directory_busy){0};
    return taken;
}

/* Does, in the copy, a write whose L1 may do so: MESI. Nothing may have been missed. */
static void write_owned(directory_step *t, directory_copy *copy, const directory_busy *write)
{
    for (unsigned word = 0; word < DIRECTORY_WORDS; word++) {
        if (copy->data[word] != directory_newest(t->w, write->line, word)) {
            *t->fault = FAULT_OLD;
        }
    }
    copy->data[write->word] = write->id;
    directory_perform(t, write->line, write->word, write->id);
    directory_complete(t, write->line, write->word, write->id);
}

/* Does an operation that need not wait any more, with these data. */
static void finish(directory_step *t, unsigned sm, unsigned place, directory_copy *copy,
                   const uint8_t *data)
{
    directory_busy done = take_busy(&t->w->sm[sm], place);
    if (done.event <= GM_L1_LOAD_PAST) {
        directory_loaded(t, sm, done, data[done.word]);
    } else {
        write_owned(t, copy, &done);
    }
}

static unsigned resident(const directory_sm *sm)
{
    unsigned count = 0;
    for (unsigned line = 0; line < DIRECTORY_LINES; line++) {
        count += sm->copy[line].state != GM_L1_I;
    }
    return count;
}

/* Takes an MSHR entry for the operation. Returns false if there is none, or no slot for its line.
 */
static bool take_entry(directory_step *t, directory_sm *sm, directory_copy *copy,
                       directory_busy *busy, bool opens)
{
    unsigned entry = 0;
    while (sm->entries >> entry & 1) {
        entry++;
    }
    if (entry == DIRECTORY_ENTRIES ||
        (opens && copy->state == GM_L1_I && resident(sm) >= t->s->l1_slots)) {
        return false;
    }
    sm->entries |= (uint8_t)(1u << entry);
    busy->entry = (uint8_t)(entry + 1);
    if (opens) {
        copy->open = (uint8_t)(entry + 1);
    }
    return true;
}

static void drop(directory_copy *copy)
{
    for (unsigned word = 0; word < DIRECTORY_WORDS; word++) {
        copy->data[word] = 0;
    }
}

static void say_operation(const directory_step *t, unsigned sm, const directory_busy *busy,
                          const gm_directory_row *row)
{
    if (t->log != NULL) {
        fprintf(t->log, "SM %u: %s %c%u: %s%s%s\n", sm, gm_directory_l1_event_names[busy->event],
                'x' + busy->line, busy->word,
                (row->actions & GM_DO_HIT) != 0     ? "hit"
                : (row->actions & GM_DO_JOIN) != 0  ? "waits in the line's entry"
                : (row->actions & GM_DO_WRITE) != 0 ? "writes its copy"
                                                    : "",
                row->message != GM_NO_MESSAGE && (row->actions & GM_DO_WRITE) != 0 ? "; " : "",
                row->message == GM_NO_MESSAGE ? "" : gm_directory_message_names[row->message]);
    }
}

/* Does what the row says with the operation at the end of the list. Returns false if it cannot. */
static bool do_operation(directory_step *t, unsigned number, const gm_directory_row *row)
{
    directory_sm *sm = &t->w->sm[number];
    directory_busy *busy = &sm->busy[sm->count - 1];
    directory_copy *copy = &sm->copy[busy->line];
    bool owned = (row->actions & GM_DO_WRITE) != 0 && row->message == GM_NO_MESSAGE;
    if ((row->actions & GM_DO_CLOSE) != 0) {
        copy->open = 0;
    }
    if ((row->actions & GM_DO_DROP) != 0) {
        drop(copy);
    }
    if ((row->actions & (GM_DO_OPEN | GM_DO_PAST)) != 0 &&
        !take_entry(t, sm, copy, busy, (row->actions & GM_DO_OPEN) != 0)) {
        return false;
    }
    if ((row->actions & GM_DO_JOIN) != 0) {
        busy->entry = copy->open;
    }
    if ((row->actions & GM_DO_WRITE) != 0 && !owned) {
        copy->data[busy->word] = busy->id;
    }
    copy->due = (uint8_t)(copy->due + ((row->actions & GM_DO_COUNT) != 0));
    copy->state = row->next;
    bool sent = row->message == GM_NO_MESSAGE ||
                sends(t, number,
                      (directory_message){.kind = row->message,
                                          .line = busy->line,
                                          .word = busy->word,
                                          .sm = (uint8_t)number,
                                          .id = busy->id,
                                          .entry = (uint8_t)(busy->entry - (busy->entry != 0))});
    if (sent && ((row->actions & GM_DO_HIT) != 0 || owned)) {
        finish(t, number, sm->count - 1U, copy, copy->data);
    }
    return sent;
}

bool directory_issue(directory_step *t, unsigned number, const directory_operation *operation)
{
    directory_sm *sm = &t->w->sm[number];
    const directory_copy *copy = &sm->copy[operation->line];
    const gm_directory_row *row = row_of(t, copy, operation->event, copy->due);
    const directory_line *line = &t->w->line[operation->line];
    if (row == NULL) {
        *t->fault = FAULT_ERROR;
        return true;
    }
    if ((row->actions & GM_DO_STALL) != 0 || sm->count == DIRECTORY_BUSY) {
        return false;
    }
    bool writes = operation->event == GM_L1_STORE || operation->event == GM_L1_ATOMIC;
    uint8_t *last = &sm->last[operation->line][operation->word];
    sm->busy[sm->count++] =
        (directory_busy){.event = operation->event,
                         .line = operation->line,
                         .word = operation->word,
                         .id = writes ? (uint8_t)(8 * number + 1 + sm->issued) : 0,
                         .own = *last,
                         .least = line->seen[operation->word],
                         .most = DIRECTORY_WRITES};
    *last = writes ? sm->busy[sm->count - 1].id : *last;
    sm->issued++;
    say_operation(t, number, &sm->busy[sm->count - 1], row);
    return do_operation(t, number, row);
}

bool directory_evict(directory_step *t, unsigned number, unsigned line)
{
    directory_copy *copy = &t->w->sm[number].copy[line];
    const gm_directory_row *row = row_of(t, copy, GM_L1_EVICT, copy->due);
    if (row == NULL) {
        return false;
    }
    directory_message message = {.kind = row->message,
                                 .line = (uint8_t)line,
                                 .sm = (uint8_t)number,
                                 .data = {copy->data[0], copy->data[1]}};
    if (t->log != NULL) {
        fprintf(t->log, "SM %u evicts %c%s%s\n", number, 'x' + line,
                row->message == GM_NO_MESSAGE ? "" : ": ",
                gm_directory_message_names[row->message]);
    }
    if ((row->actions & GM_DO_DROP) != 0) {
        drop(copy);
    }
    copy->state = row->next;
    return row->message == GM_NO_MESSAGE || sends(t, number, message);
}

static unsigned event_of(const directory_message *m, const directory_copy *copy)
{
    switch ((gm_directory_message)m->kind) {
    case GM_MSG_INV:
        return GM_L1_INV;
    case GM_MSG_FWD_GETS:
        return GM_L1_FWD_GETS;
    case GM_MSG_FWD_GETX:
        return GM_L1_FWD_GETX;
    case GM_MSG_DATA:
        return copy->open == m->entry + 1 ? GM_L1_DATA : GM_L1_DATA_PAST;
    case GM_MSG_DATA_E:
        return GM_L1_DATA_E;
    case GM_MSG_DATA_M:
        return GM_L1_DATA_M;
    case GM_MSG_GRANT:
        return GM_L1_GRANT;
    case GM_MSG_ACK:
        return GM_L1_ACK;
    case GM_MSG_WB_ACK:
        return GM_L1_WB_ACK;
    case GM_MSG_OLD:
    case GM_NO_MESSAGE:
    case GM_MSG_GETS:
    case GM_MSG_GETS_PAST:
    case GM_MSG_GETX:
    case GM_MSG_UPGRADE:
    case GM_MSG_ATOMIC:
    case GM_MSG_PUT:
    case GM_MSG_INV_ACK:
    case GM_MSG_WB_DATA:
    case GM_MSG_UNBLOCK:
    case GM_MESSAGES:
        break;
    }
    return GM_L1_EVENTS;
}

/* VI: a write is complete. */
static void complete(directory_step *t, unsigned number, const directory_message *m)
{
    directory_sm *sm = &t->w->sm[number];
    for (unsigned i = 0; i < sm->count; i++) {
        if (sm->busy[i].id == m->id) {
            take_busy(sm, i);
            directory_complete(t, m->line, m->word, m->id);
            return;
        }
    }
    *t->fault = FAULT_ERROR;
}

/* Does what waits in an entry, in order, and frees it. */
static void answer(directory_step *t, unsigned number, const directory_message *m,
                   directory_copy *copy)
{
    directory_sm *sm = &t->w->sm[number];
    unsigned i = 0;
    while (i < sm->count && *t->fault == FAULT_NONE) {
        if (sm->busy[i].entry != m->entry + 1) {
            i++;
            continue;
        }
        const uint8_t held[DIRECTORY_WORDS] = {copy->data[0], copy->data[1]};
        bool granted = m->kind == GM_MSG_GRANT || m->kind == GM_MSG_DATA_M;
        finish(t, number, i, copy, granted ? held : m->data);
    }
    sm->entries &= (uint8_t) ~(1u << m->entry);
    if (copy->open == m->entry + 1) {
        copy->open = 0;
    }
}

static void say_received(const directory_step *t, unsigned sm, const directory_message *m,
                         const gm_directory_row *row)
{
    if (t->log != NULL) {
        fprintf(t->log, "SM %u: %s on %c%s%s\n", sm, gm_directory_message_names[m->kind],
                'x' + m->line, row == NULL || row->message == GM_NO_MESSAGE ? "" : ": ",
                row == NULL ? "" : gm_directory_message_names[row->message]);
    }
}

/* Does what a row says with a message. */
static bool do_message(directory_step *t, unsigned number, const directory_message *m,
                       const gm_directory_row *row)
{
    directory_copy *copy = &t->w->sm[number].copy[m->line];
    const uint8_t data[DIRECTORY_WORDS] = {copy->data[0], copy->data[1]};
    copy->state = row->next;
    copy->due = (uint8_t)(copy->due - ((row->actions & GM_DO_UNCOUNT) != 0));
    if ((row->actions & GM_DO_CLOSE) != 0) {
        copy->open = 0;
    }
    if ((row->actions & GM_DO_DROP) != 0) {
        drop(copy);
    }
    if ((row->actions & GM_DO_INSTALL) != 0) {
        for (unsigned word = 0; word < DIRECTORY_WORDS; word++) {
            copy->data[word] = m->data[word];
        }
    }
    if ((row->actions & GM_DO_ANSWER) != 0) {
        answer(t, number, m, copy);
    }
    directory_message reply = {.kind = row->message, .line = m->line, .sm = (uint8_t)number};
    if (row->message == GM_MSG_WB_DATA) {
        reply.flag = (row->actions & GM_DO_KEEP) != 0;
        reply.data[0] = data[0];
        reply.data[1] = data[1];
    }
    bool gone =
        row->state == GM_L1_I && m->kind == GM_MSG_INV && !directory_has(t->s, RULE_ACKNOWLEDGES);
    bool sent = row->message == GM_NO_MESSAGE || gone || sends(t, number, reply);
    reply.kind = GM_MSG_UNBLOCK;
    return sent && ((row->actions & GM_DO_UNBLOCK) == 0 || sends(t, number, reply));
}

bool directory_receive(directory_step *t, unsigned number, unsigned queue, unsigned place)
{
    directory_sm *sm = &t->w->sm[number];
    directory_message m = directory_pop(&sm->down[queue], place);
    directory_copy *copy = &sm->copy[m.line];
    unsigned event = event_of(&m, copy);
    bool counted = event == GM_L1_ACK && m.flag != 0;
    const gm_directory_row *row =
        event == GM_L1_EVENTS || (event == GM_L1_ACK && !counted)
            ? NULL
            : row_of(t, copy, event, copy->due - (unsigned)(counted && copy->due != 0));
    say_received(t, number, &m, row);
    if (event == GM_L1_ACK || event == GM_L1_EVENTS) {
        complete(t, number, &m);
    }
    if (row == NULL) {
        if (counted || (event != GM_L1_EVENTS && event != GM_L1_ACK)) {
            *t->fault = FAULT_ERROR;
        }
        return true;
    }
    return do_message(t, number, &m, row);
}
