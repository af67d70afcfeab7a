/* Outcome of a trial: from numbers of stores to the test's values, by what each operation writes.
 */
#include "litmus/litmus_outcome.h"

#include <stdio.h>
#include <string.h>

void gm_litmus_outcome_begin(gm_litmus_outcome *outcome)
{
    for (unsigned warp = 0; warp < GM_LITMUS_MOST_WARPS; warp++) {
        for (unsigned i = 0; i < GM_LITMUS_MOST_OPERATIONS; i++) {
            outcome->event[warp][i] =
                (gm_litmus_event){GM_LITMUS_UNSEEN, GM_LITMUS_UNSEEN, GM_LITMUS_UNSEEN};
        }
    }
    memset(outcome->last, 0, sizeof outcome->last);
}

/* Returns the event of an access, or NULL: of the warp's operation `number` on memory. */
static gm_litmus_event *event_of(gm_litmus_outcome *outcome, const gm_value_warp *who)
{
    const gm_litmus_test *test = outcome->test;
    const gm_litmus_trial *trial = &outcome->source->trial;
    for (unsigned warp = 0; warp < test->warps; warp++) {
        const gm_litmus_warp *program = &test->warp[warp];
        if (trial->cta[program->cta] != who->cta || trial->place[warp] != who->warp) {
            continue;
        }
        unsigned number =
            who->number < GM_LITMUS_MOST_DELIVERED ? trial->operation[warp][who->number] : 0;
        return number != 0 ? &outcome->event[warp][number - 1] : NULL;
    }
    return NULL;
}

static void wrote(void *context, const gm_value_warp *warp, uint64_t address, uint32_t value)
{
    gm_litmus_event *event = event_of(context, warp);
    (void)address;
    if (event != NULL) {
        event->written = value;
    }
}

static void loaded(void *context, const gm_value_warp *warp, uint64_t address, uint32_t value)
{
    gm_litmus_event *event = event_of(context, warp);
    (void)address;
    if (event != NULL) {
        event->read = value;
    }
}

/* The operation that wrote a value. */
typedef struct origin {
    const gm_litmus_operation *operation; /* NULL: nobody, the value at first */
    const gm_litmus_event *event;
    unsigned warp, number;
} origin;

static origin origin_of(const gm_litmus_outcome *outcome, uint32_t value)
{
    const gm_litmus_test *test = outcome->test;
    for (unsigned warp = 0; value != 0 && warp < test->warps; warp++) {
        for (unsigned i = 0; i < test->warp[warp].count; i++) {
            if (outcome->event[warp][i].written == value) {
                return (origin){&test->warp[warp].operation[i], &outcome->event[warp][i], warp, i};
            }
        }
    }
    return (origin){.operation = NULL};
}

static void performed(void *context, uint64_t address, uint32_t old, uint32_t value)
{
    gm_litmus_outcome *outcome = context;
    const gm_litmus_trial *trial = &outcome->source->trial;
    for (unsigned line = 0; line < GM_LITMUS_MOST_LINES; line++) {
        for (unsigned word = 0; word < GM_LITMUS_WORDS; word++) {
            if (trial->address[line][word] == address) {
                outcome->last[line][word] = value;
            }
        }
    }
    origin origin = origin_of(outcome, value);
    if (origin.operation != NULL) {
        outcome->event[origin.warp][origin.number].before = old;
    }
}

gm_value_observer gm_litmus_outcome_observer(gm_litmus_outcome *outcome)
{
    return (gm_value_observer){outcome, wrote, performed, loaded, NULL};
}

static uint32_t value_of(const gm_litmus_outcome *outcome, uint32_t value, uint8_t line,
                         uint8_t word);

/* Returns a warp's register in front of operation `end`: what the last operation that returns to it
 * read. */
static uint32_t register_of(const gm_litmus_outcome *outcome, unsigned warp, uint8_t number,
                            unsigned end)
{
    const gm_litmus_warp *program = &outcome->test->warp[warp];
    for (unsigned i = end; i-- > 0;) {
        const gm_litmus_operation *operation = &program->operation[i];
        if (gm_litmus_returns(operation->kind) && operation->target == number) {
            return value_of(outcome, outcome->event[warp][i].read, operation->line,
                            operation->word);
        }
    }
    return program->first[number];
}

/* Returns what an atomic writes over `old`. */
static uint32_t act(const gm_litmus_operation *operation, uint32_t old, uint32_t value)
{
    switch (operation->action) {
    case GM_LITMUS_EXCHANGE:
        break;
    case GM_LITMUS_ADD:
        return old + value;
    case GM_LITMUS_SUBTRACT:
        return old - value;
    case GM_LITMUS_AND:
        return old & value;
    case GM_LITMUS_OR:
        return old | value;
    case GM_LITMUS_XOR:
        return old ^ value;
    case GM_LITMUS_COMPARE:
        return old == operation->compared ? value : old;
    }
    return value;
}

/* Returns the test's value of a store's number. A value depends only on reads in front of it and on
 * writes before it in coherence order, so that the recursion ends. */
static uint32_t value_of(const gm_litmus_outcome *outcome, uint32_t value, uint8_t line,
                         uint8_t word)
{
    origin origin = origin_of(outcome, value);
    const gm_litmus_operation *operation = origin.operation;
    if (operation == NULL) {
        return outcome->test->first[line][word];
    }
    uint32_t written = operation->from_register
                           ? register_of(outcome, origin.warp, operation->source, origin.number)
                           : operation->value;
    if (operation->kind == GM_LITMUS_STORE || operation->action == GM_LITMUS_EXCHANGE) {
        return written;
    }
    return act(operation, value_of(outcome, origin.event->before, line, word), written);
}

static bool compares(gm_litmus_compare compare, uint32_t left, uint32_t right)
{
    switch (compare) {
    case GM_LITMUS_EQUAL:
        return left == right;
    case GM_LITMUS_UNEQUAL:
        return left != right;
    case GM_LITMUS_LESS:
        return left < right;
    case GM_LITMUS_AT_MOST:
        return left <= right;
    case GM_LITMUS_GREATER:
        return left > right;
    case GM_LITMUS_AT_LEAST:
        break;
    }
    return left >= right;
}

static uint32_t value_of_term(const gm_litmus_outcome *outcome, const gm_litmus_term *term)
{
    return term->is_register
               ? register_of(outcome, term->warp, term->target,
                             outcome->test->warp[term->warp].count)
               : value_of(outcome, outcome->last[term->line][term->word], term->line, term->word);
}

static bool is_true(const gm_litmus_outcome *outcome, const gm_litmus_term *term)
{
    return compares(term->compare, value_of_term(outcome, term), term->value);
}

bool gm_litmus_outcome_holds(const gm_litmus_outcome *outcome)
{
    const gm_litmus_test *test = outcome->test;
    bool holds[GM_LITMUS_MOST_NODES] = {false};
    bool all = true;
    for (unsigned i = 0; i < test->terms; i++) {
        all = all && is_true(outcome, &test->term[i]);
    }
    for (unsigned i = 0; i < test->nodes; i++) {
        const gm_litmus_node *node = &test->node[i];
        switch (node->kind) {
        case GM_LITMUS_IS:
            holds[i] = is_true(outcome, &test->term[node->left]);
            break;
        case GM_LITMUS_NOT:
            holds[i] = !holds[node->left];
            break;
        case GM_LITMUS_BOTH:
            holds[i] = holds[node->left] && holds[node->right];
            break;
        case GM_LITMUS_EITHER:
            holds[i] = holds[node->left] || holds[node->right];
            break;
        }
    }
    return test->nodes == 0 ? all : holds[test->nodes - 1];
}

/* True if no term in front of `number` is of its register or word. */
static bool is_new(const gm_litmus_test *test, unsigned number)
{
    const gm_litmus_term *term = &test->term[number];
    for (unsigned i = 0; i < number; i++) {
        const gm_litmus_term *other = &test->term[i];
        if (other->is_register == term->is_register &&
            (term->is_register ? other->warp == term->warp && other->target == term->target
                               : other->line == term->line && other->word == term->word)) {
            return false;
        }
    }
    return true;
}

void gm_litmus_outcome_text(const gm_litmus_outcome *outcome, char text[GM_LITMUS_OUTCOME])
{
    const gm_litmus_test *test = outcome->test;
    size_t length = 0;
    text[0] = '\0';
    for (unsigned i = 0; i < test->terms && length < GM_LITMUS_OUTCOME; i++) {
        const gm_litmus_term *term = &test->term[i];
        char name[GM_LITMUS_PLACE + 8];
        if (!is_new(test, i)) {
            continue;
        }
        if (term->is_register) {
            snprintf(name, sizeof name, "%u:r%u", term->warp, term->target);
        } else if (test->place[term->line][0] != '\0') {
            snprintf(name, sizeof name, "%s", test->place[term->line]);
        } else {
            snprintf(name, sizeof name, "%c%u", 'x' + term->line, term->word);
        }
        int added = snprintf(text + length, GM_LITMUS_OUTCOME - length, "%s%s=%u",
                             length == 0 ? "" : " ", name, value_of_term(outcome, term));
        length += added > 0 ? (size_t)added : 0;
    }
}
