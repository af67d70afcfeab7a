/* The tracker and the L2 of the explored system. */
#include "step.h"

static gm_sharing_tracker_response transact(step *t, uint64_t op, const hybrid_message *message)
{
    return gm_sharing_tracker_access(
        &t->w->tracker, (gm_sharing_tracker_request){.op = op,
                                                     .line = hybrid_address(message->line),
                                                     .cu = message->sm,
                                                     .will_fill = op == GM_SHARING_TRACKER_LOOKUP &&
                                                                  message->flag});
}

/* Sends a message to the L2 for each of its sectors. Returns false without room. */
static bool pass_on(step *t, hybrid_message message, hybrid_kind kind)
{
    uint8_t sectors = message.sectors;
    if (!has_room(t->s, &t->w->l2[channel_of(t->s, word_of(message.line, 0))],
                  gm_count_ones(sectors))) {
        return false;
    }
    message.kind = (uint8_t)kind;
    for (unsigned sector = 0; sector < HYBRID_SECTORS; sector++) {
        if (sectors >> sector & 1) {
            unsigned word = word_of(message.line, sector);
            message.sectors = (uint8_t)(1u << sector);
            hybrid_push(t, &t->w->l2[channel_of(t->s, word)], message);
            if (kind == MESSAGE_WRITE || kind == MESSAGE_ATOMIC) {
                hybrid_process(t, word, message.value[sector]);
            }
        }
    }
    return true;
}

/* Lets a supplier answer a LOOKUP. Returns false without a credit. */
static bool supply(step *t, const hybrid_message *lookup, unsigned number)
{
    hybrid_sm *supplier = &t->w->sm[number];
    if (supplier->credits == 0) {
        return false;
    }
    hybrid_message message = *lookup;
    message.kind = MESSAGE_SUPPLY;
    supplier->credits--;
    TELL(t, ": SUPPLY to %c", 'P' + (int)number);
    hybrid_push(t, &supplier->supply[channel_of(t->s, message.line)], message);
    return true;
}

/* The LOOKUP that stalls the tracker carries its supplier below its id. */
bool hybrid_track_stalled(step *t)
{
    hybrid_message message = pop(&t->w->stalled, 0);
    unsigned supplier = message.id & 1;
    message.id >>= 1;
    TELL(t, "tracker, LOOKUP of %c goes on", 'P' + message.sm);
    return supply(t, &message, supplier);
}

static bool look_up(step *t, const hybrid_message *message)
{
    gm_sharing_tracker_response found = transact(t, GM_SHARING_TRACKER_LOOKUP, message);
    if (found.hit != 0 && supply(t, message, (unsigned)found.supplier)) {
        return true;
    }
    if (found.hit != 0 && !has_rule(t->s, RULE_REFUSES)) {
        hybrid_message stalled = *message;
        stalled.id = (uint8_t)(stalled.id << 1 | found.supplier);
        TELL(t, ": no credit, waits");
        hybrid_push(t, &t->w->stalled, stalled);
        return true;
    }
    TELL(t, found.hit != 0 ? ": no credit, READ" : ": READ");
    return pass_on(t, *message, MESSAGE_READ);
}

static bool take_write(step *t, const hybrid_message *message)
{
    if (has_rule(t->s, RULE_WRITES) && (message->flag || has_rule(t->s, RULE_PACKETS))) {
        transact(t, GM_SHARING_TRACKER_WRITE, message);
    }
    return pass_on(t, *message, MESSAGE_WRITE);
}

bool hybrid_track(step *t, unsigned number, unsigned line, unsigned index)
{
    static const char *const names[] = {
        [MESSAGE_LOOKUP] = "LOOKUP", [MESSAGE_FILL] = "FILL",          [MESSAGE_EVICT] = "EVICT",
        [MESSAGE_WRITE] = "WRITE",   [MESSAGE_STRONG] = "strong READ", [MESSAGE_ATOMIC] = "ATOMIC",
        [MESSAGE_RETURN] = "RETURN",
    };
    hybrid_message message = pop(&t->w->sm[number].up[line], index);
    TELL(t, "tracker, %s of %c on %c%s", names[message.kind], 'P' + (int)number,
         line_name(message.line), sectors_name(message.sectors));
    switch ((hybrid_kind)message.kind) {
    case MESSAGE_LOOKUP:
        return look_up(t, &message);
    case MESSAGE_FILL: {
        bool filled = transact(t, GM_SHARING_TRACKER_FILL, &message).filled != 0;
        TELL(t, filled ? ": registered" : ": nothing");
        return true;
    }
    case MESSAGE_EVICT:
        transact(t, GM_SHARING_TRACKER_EVICT, &message);
        return true;
    case MESSAGE_WRITE:
        return take_write(t, &message);
    case MESSAGE_STRONG:
    case MESSAGE_ATOMIC:
        if (has_rule(t->s, RULE_COHERENT)) {
            transact(t, GM_SHARING_TRACKER_COHERENT, &message);
        }
        return pass_on(t, message, (hybrid_kind)message.kind);
    case MESSAGE_RETURN:
        return pass_on(t, message, MESSAGE_READ);
    default:
        *t->fault = FAULT_ERROR;
        return true;
    }
}

bool hybrid_serve(step *t, unsigned channel, unsigned index)
{
    hybrid_message message = pop(&t->w->l2[channel], index);
    unsigned sector = message.sectors >> 1;
    unsigned word = word_of(message.line, sector);
    uint8_t old = t->values->word[word].l2;
    hybrid_channel *down = &t->w->sm[message.sm].down[channel_of(t->s, word)];
    uint8_t written = message.value[sector];
    bool writes = message.kind == MESSAGE_WRITE || message.kind == MESSAGE_ATOMIC;
    bool answers = message.kind != MESSAGE_WRITE;
    if (!has_room(t->s, down, 1)) {
        return false;
    }
    TELL(t, "L2, %s of %c on %c%u", writes ? (answers ? "ATOMIC" : "WRITE") : "READ",
         'P' + message.sm, line_name(message.line), sector);
    message.kind = answers ? MESSAGE_DATA : MESSAGE_ACK;
    message.value[sector] = answers ? old : 0;
    if (answers || t->s->queue != 0) {
        hybrid_push(t, down, message);
    }
    if (writes) {
        hybrid_perform(t, word, written);
    }
    return true;
}
