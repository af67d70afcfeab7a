/* The L2 bank with its directory. */
#include "directory_world.h"

static bool has_data(unsigned state)
{
    return state != GM_DIR_I && state != GM_DIR_N && state != GM_DIR_N_I;
}

/* VI and VIni: a recalled line's slot, or entry, is free at once; MESI: its data may be needed. */
static bool takes_slot(const directory_settings *s, unsigned state)
{
    bool recalled = state == GM_DIR_S_I && s->protocol == &gm_directory_vi;
    return has_data(state) && !recalled;
}

static bool is_transient(const directory_line *line)
{
    return line->state > GM_DIR_M || line->count > 0;
}

/* VIni: true if the line has an entry of the directory in this state. A fetched line has one before
 * it has sharers: the requests that wait for the data hold an MSHR entry, and a recall needs one.
 */
static bool takes_entry(const directory_settings *s, unsigned state)
{
    bool early = state == GM_DIR_I_V && directory_has(s, RULE_ENTRY_FIRST);
    return early || state == GM_DIR_S || state == GM_DIR_N || state == GM_DIR_N_V ||
           state == GM_DIR_S_M;
}

static bool has_entry(const directory_settings *s, const directory_line *line)
{
    bool waits = line->count > 0 && directory_has(s, RULE_ENTRY_FIRST);
    return takes_entry(s, line->state) || waits;
}

typedef struct in_use {
    unsigned slots, mshrs, entries;
} in_use;

/* Counts what the other lines use. */
static in_use used(const directory_step *t, unsigned line)
{
    in_use sum = {0};
    for (unsigned i = 0; i < DIRECTORY_LINES; i++) {
        const directory_line *l = &t->w->line[i];
        if (i != line) {
            sum.slots += takes_slot(t->s, l->state);
            sum.mshrs += is_transient(l);
            sum.entries += has_entry(t->s, l);
        }
    }
    return sum;
}

/* True if there is room for what a row needs. `had_entry`: the line has the directory's already. */
static bool has_means(const directory_step *t, unsigned line, const gm_directory_row *row,
                      bool had_entry)
{
    const directory_line *l = &t->w->line[line];
    in_use others = used(t, line);
    if ((row->actions & GM_DO_FETCH) != 0 && others.slots >= t->s->l2_slots) {
        return false;
    }
    if (row->next > GM_DIR_M && !is_transient(l) && others.mshrs >= t->s->mshrs) {
        return false;
    }
    return t->s->protocol != &gm_directory_vini || !takes_entry(t->s, row->next) || had_entry ||
           others.entries < t->s->entries;
}

static directory_queue *queue_down(directory_step *t, unsigned sm, unsigned message)
{
    return &t->w->sm[sm].down[t->s->down[t->s->protocol->network[message]]];
}

/* Sends INV to the SMs of a mask. Returns false if a queue is full. */
static bool invalidate(directory_step *t, unsigned line, unsigned mask)
{
    t->w->line[line].due = (uint8_t)mask;
    for (unsigned sm = 0; sm < t->s->sms; sm++) {
        const directory_message m = {.kind = GM_MSG_INV, .line = (uint8_t)line};
        if ((mask >> sm & 1) != 0 && !directory_push(queue_down(t, sm, GM_MSG_INV), t->s, m)) {
            return false;
        }
    }
    return true;
}

/* Sends a response to a request. */
static bool respond(directory_step *t, const gm_directory_row *row, const directory_message *asked,
                    unsigned kind)
{
    const directory_line *l = &t->w->line[asked->line];
    directory_message m = {.kind = row->message,
                           .line = asked->line,
                           .word = asked->word,
                           .id = asked->id,
                           .entry = asked->entry,
                           .flag = kind == GM_MSG_UPGRADE};
    if (row->message == GM_MSG_DATA || row->message == GM_MSG_DATA_E ||
        row->message == GM_MSG_DATA_M) {
        m.data[0] = l->data[0];
        m.data[1] = l->data[1];
    }
    return directory_push(queue_down(t, asked->sm, row->message), t->s, m);
}

static bool put_waiting(directory_line *l, const directory_message *m)
{
    if (l->count == DIRECTORY_WAITING) {
        return false;
    }
    l->waiting[l->count++] = *m;
    return true;
}

static directory_message take_waiting(directory_line *l)
{
    directory_message m = l->waiting[0];
    l->count--;
    for (unsigned i = 0; i < l->count; i++) {
        l->waiting[i] = l->waiting[i + 1];
    }
    l->waiting[l->count] = (directory_message){0};
    return m;
}

/* Changes the data and the directory as the row says. `asked`: whose request it is. */
static void change(directory_step *t, directory_line *l, const gm_directory_row *row,
                   const directory_message *m, const directory_message *asked)
{
    uint8_t sender = (uint8_t)(1u << m->sm);
    uint8_t requester = (uint8_t)(1u << asked->sm);
    uint32_t actions = row->actions;
    if ((actions & GM_DO_TAKE) != 0) {
        l->data[0] = m->data[0];
        l->data[1] = m->data[1];
    }
    if ((actions & GM_DO_PERFORM) != 0) {
        l->data[asked->word] = asked->id;
        directory_perform(t, asked->line, asked->word, asked->id);
    }
    if ((actions & GM_DO_UNSHARE) != 0) {
        l->sharers &= (uint8_t)~sender;
        l->due &= (uint8_t)~sender;
    }
    if ((actions & GM_DO_SHARE_OWNER) != 0) {
        l->sharers = m->flag != 0 ? sender : 0;
        l->owner = 0;
    }
    if ((actions & GM_DO_SHARE) != 0) {
        l->sharers |= requester;
    }
    if ((actions & GM_DO_OWN) != 0) {
        l->owner = (uint8_t)(asked->sm + 1);
        l->sharers = 0;
    }
    if ((actions & GM_DO_WRITE_BACK) != 0) {
        l->memory[0] = l->data[0];
        l->memory[1] = l->data[1];
    }
}

/* Makes the state the row's next one. */
static void follow(const directory_step *t, directory_line *l, const gm_directory_row *row)
{
    bool mesi = t->s->protocol == &gm_directory_mesi;
    l->state = row->next == GM_DIR_S && l->sharers == 0 && !mesi ? GM_DIR_V : row->next;
    if (l->state == GM_DIR_V || l->state == GM_DIR_I) {
        l->owner = 0;
    }
    if (!has_data(l->state)) {
        l->data[0] = l->data[1] = 0;
    }
}

static void say(const directory_step *t, const directory_message *m, unsigned event,
                const gm_directory_row *row)
{
    if (t->log == NULL) {
        return;
    }
    fprintf(t->log, "L2: %s of ", gm_directory_l2_event_names[event]);
    if (m->kind != GM_NO_MESSAGE) {
        fprintf(t->log, "SM %u on ", m->sm);
    }
    fputc('x' + m->line, t->log);
    fprintf(t->log, ", %s: %s%s%s\n", gm_directory_l2_state_names[row->state],
            (row->actions & GM_DO_FETCH) != 0  ? "fetches it"
            : (row->actions & GM_DO_WAIT) != 0 ? "waits"
                                               : "",
            (row->actions & GM_DO_WAIT) != 0 && row->message != GM_NO_MESSAGE ? ", " : "",
            gm_directory_message_names[row->message]);
}

/* Does what a row says with a message, or an event of the L2's own. Returns false if it cannot. */
static bool apply(directory_step *t, const gm_directory_row *row, const directory_message *m,
                  unsigned event, bool had_entry)
{
    directory_line *l = &t->w->line[m->line];
    bool returns = (row->actions & GM_DO_RETURN) != 0;
    if (!has_means(t, m->line, row, had_entry) ||
        ((row->actions & GM_DO_WAIT) != 0 && !put_waiting(l, m))) {
        return false;
    }
    if (returns && l->count == 0) {
        *t->fault = FAULT_ERROR;
        return true;
    }
    say(t, m, event, row);
    directory_message asked = returns ? take_waiting(l) : *m;
    bool own = event >= GM_DIR_MEMORY;
    if ((row->actions & GM_DO_INVALIDATE) != 0 &&
        !invalidate(t, m->line, l->sharers & (own ? ~0u : ~(1u << m->sm)))) {
        return false;
    }
    if ((row->actions & GM_DO_TO_OWNER) != 0) {
        const directory_message forward = {.kind = row->message, .line = m->line};
        if (!directory_push(queue_down(t, l->owner - 1U, row->message), t->s, forward)) {
            return false;
        }
    }
    change(t, l, row, m, &asked);
    bool answers =
        row->message != GM_NO_MESSAGE && (row->actions & (GM_DO_INVALIDATE | GM_DO_TO_OWNER)) == 0;
    if (answers && !respond(t, row, &asked, asked.kind)) {
        return false;
    }
    follow(t, l, row);
    return true;
}

static unsigned event_of(const directory_step *t, const directory_message *m)
{
    const directory_line *l = &t->w->line[m->line];
    unsigned event = m->kind - GM_MSG_GETS + GM_DIR_GETS;
    bool shares = (l->sharers >> m->sm & 1) != 0;
    return event == GM_DIR_UPGRADE && !shares && directory_has(t->s, RULE_UPGRADES) ? GM_DIR_GETX
                                                                                    : event;
}

static const gm_directory_row *find(const directory_step *t, unsigned state, unsigned event,
                                    gm_directory_condition condition)
{
    const gm_directory_table *table = &t->s->protocol->l2;
    const gm_directory_row *row = gm_directory_find(table, state, event, condition);
    if (row != NULL) {
        t->s->uses->l2[row - table->row] = true;
    }
    return row;
}

static const gm_directory_row *row_of(const directory_step *t, const directory_message *m,
                                      unsigned event)
{
    const directory_line *l = &t->w->line[m->line];
    unsigned sender = 1u << m->sm;
    bool last = event == GM_DIR_INV_ACK ? (l->due & ~sender) == 0
                : event == GM_DIR_PUT   ? l->owner == m->sm + 1
                                        : (l->sharers & ~sender) == 0;
    return find(t, l->state, event, last ? GM_IF_LAST : GM_IF_MORE);
}

/* Leaves the message at the head of the bank's queue. Returns false if it is there. */
static bool hold(directory_step *t, unsigned sm, unsigned queue, const directory_world *before)
{
    bool held = before->held[queue] != 0;
    *t->w = *before;
    t->w->held[queue] = (uint8_t)(sm + 1);
    return !held;
}

bool directory_serve(directory_step *t, unsigned sm, unsigned queue, unsigned place)
{
    const directory_world before = *t->w;
    if (before.held[queue] != 0 && before.held[queue] != sm + 1) {
        return false;
    }
    t->w->held[queue] = 0;
    directory_message m = directory_pop(&t->w->sm[sm].up[queue], place);
    directory_line *l = &t->w->line[m.line];
    unsigned event = event_of(t, &m);
    const gm_directory_row *row = row_of(t, &m, event);
    bool queued = l->count > 0 && l->state <= GM_DIR_M && event <= GM_DIR_ATOMIC;
    if (queued && directory_has(t->s, RULE_LINES_WAIT)) {
        return put_waiting(l, &m) ? true : hold(t, sm, queue, &before);
    }
    if (row == NULL) {
        *t->fault = FAULT_ERROR;
        return true;
    }
    if ((row->actions & GM_DO_STALL) != 0 || !apply(t, row, &m, event, has_entry(t->s, l))) {
        return hold(t, sm, queue, &before);
    }
    return true;
}

bool directory_next(directory_step *t, unsigned line)
{
    directory_line *l = &t->w->line[line];
    if (l->count == 0 || l->state > GM_DIR_M) {
        return false;
    }
    bool had_entry = has_entry(t->s, l);
    directory_message m = take_waiting(l);
    unsigned event = event_of(t, &m);
    const gm_directory_row *row = row_of(t, &m, event);
    if (row == NULL) {
        *t->fault = FAULT_ERROR;
        return true;
    }
    /* If it waits again it is the first again. */
    directory_line rest = *l;
    if ((row->actions & GM_DO_WAIT) != 0) {
        l->count = 0;
    }
    bool done = apply(t, row, &m, event, had_entry);
    for (unsigned i = 0; done && (row->actions & GM_DO_WAIT) != 0 && i < rest.count; i++) {
        put_waiting(l, &rest.waiting[i]);
    }
    return done;
}

bool directory_own(directory_step *t, unsigned line, gm_directory_l2_event event)
{
    directory_line *l = &t->w->line[line];
    const directory_message m = {.line = (uint8_t)line};
    bool evicts = event != GM_DIR_MEMORY;
    const gm_directory_row *row = find(t, l->state, event, GM_IF_LAST);
    if (row == NULL || (evicts && l->count > 0)) {
        return false;
    }
    if (!evicts) {
        l->data[0] = l->memory[0];
        l->data[1] = l->memory[1];
    }
    return apply(t, row, &m, event, has_entry(t->s, l));
}
