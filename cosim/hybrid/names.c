/* Canonical values: of the tokens only what a check can still compare is kept. */
#include "step.h"

#include "goldmem/bits.h"

static void visit_sectors(const hybrid_load *load, uint8_t *value, hybrid_visitor *visit,
                          void *context)
{
    for (unsigned sector = 0; sector < HYBRID_SECTORS; sector++) {
        if (load->sectors >> sector & 1) {
            visit(context, word_of(load->line, sector), &value[sector]);
        }
    }
}

/* Calls `visit` with the values of loads that are not judged, of the L2 and of the tracker. */
static void visit_own(hybrid_values *values, hybrid_visitor *visit, void *context)
{
    for (unsigned i = 0; i < HYBRID_SMS; i++) {
        for (unsigned k = 0; k < HYBRID_LOADS; k++) {
            hybrid_load *load = &values->load[i][k];
            if (load->state == LOAD_UNDECIDED) {
                visit_sectors(load, load->value, visit, context);
            }
        }
    }
    for (unsigned word = 0; word < HYBRID_WORDS; word++) {
        visit(context, word, &values->word[word].l2);
        visit(context, word, &values->word[word].last);
    }
}

/* Calls `visit` with each value below which a load may not get one. */
static void visit_floors(hybrid_values *values, hybrid_visitor *visit, void *context)
{
    for (unsigned i = 0; i < HYBRID_SMS; i++) {
        for (unsigned k = 0; k < HYBRID_LOADS; k++) {
            hybrid_load *load = &values->load[i][k];
            if (load->state != LOAD_FREE) {
                visit_sectors(load, load->floor, visit, context);
            }
        }
        for (unsigned word = 0; word < HYBRID_WORDS; word++) {
            visit(context, word, &values->word[word].floor[i]);
        }
    }
}

/* The values of all words, by their tokens. */
typedef struct naming {
    const hybrid_values *values;
    bool gives_names;
    bool held[HYBRID_WORDS][HYBRID_TOKENS];
    uint8_t name[HYBRID_WORDS][HYBRID_TOKENS];
} naming;

/* Notes that a value is held, or gives it its name. */
static void note_or_name(void *context, unsigned word, uint8_t *value)
{
    naming *n = context;
    if (n->gives_names) {
        *value = n->name[word][*value];
    } else {
        n->held[word][*value] = true;
    }
}

/* A performed write as floor: the next value that is held says as much. */
static void raise_floor(void *context, unsigned word, uint8_t *value)
{
    const naming *n = context;
    const hybrid_token *token = n->values->word[word].token;
    unsigned best = 0;
    for (unsigned i = 0; i < HYBRID_TOKENS; i++) {
        bool performed = i == 0 || token[i].performed != 0;
        if (n->held[word][i] && performed && token[i].performed >= token[*value].performed &&
            (best == 0 || token[i].performed < token[best - 1].performed)) {
            best = i + 1;
        }
    }
    bool is_performed = *value == 0 || token[*value].performed != 0;
    *value = is_performed && best != 0 ? (uint8_t)(best - 1) : *value;
}

/* True if it matters who wrote a performed value: a load of its SM that waits must not get it. */
static bool owner_matters(const hybrid_values *values, const hybrid_token *token)
{
    bool matters = false;
    for (unsigned i = 0; token->owner < HYBRID_SMS && i < HYBRID_LOADS; i++) {
        const hybrid_load *load = &values->load[token->owner][i];
        matters |= load->state != LOAD_FREE && token->accept > load->limit;
    }
    return matters;
}

/* A key by which a word's values are numbered: their order, as far as it is known. */
static unsigned key_of(const hybrid_word *word, unsigned value)
{
    const hybrid_token *token = &word->token[value];
    return value == 0              ? 0
           : token->performed != 0 ? token->performed
           : token->processed != 0 ? 64U + token->processed
                                   : 128U + 64U * token->owner + token->accept;
}

/* Numbers a word's tokens in their order and forgets those that nobody holds. */
static void name_tokens(naming *n, hybrid_word *each, unsigned word)
{
    hybrid_word made = *each;
    memset(made.token, 0, sizeof made.token);
    unsigned next = 0;
    uint8_t performed = 0;
    uint8_t processed = 0;
    for (unsigned last = 0, done = 0; done < HYBRID_TOKENS; done++) {
        unsigned best = HYBRID_TOKENS;
        for (unsigned i = 0; i < HYBRID_TOKENS; i++) {
            unsigned key = key_of(each, i);
            bool behind = done == 0 || key > last;
            if (n->held[word][i] && behind && (best == HYBRID_TOKENS || key < key_of(each, best))) {
                best = i;
            }
        }
        if (best == HYBRID_TOKENS) {
            break;
        }
        hybrid_token token = each->token[best];
        last = key_of(each, best);
        if (best != 0 && token.performed != 0 && !owner_matters(n->values, &token)) {
            token.owner = HYBRID_NOBODY;
            token.accept = 1;
        }
        bool anonymous = best == 0 || (token.performed != 0 && token.owner == HYBRID_NOBODY);
        next = done == 0 && !anonymous ? 1 : next;
        n->name[word][best] = (uint8_t)next;
        if (next != 0) {
            performed = (uint8_t)(performed + (token.performed != 0));
            processed = (uint8_t)(processed + (token.processed != 0));
            token.performed = token.performed != 0 ? performed : 0;
            token.processed = token.processed != 0 ? processed : 0;
            made.token[next] = token;
        }
        next++;
    }
    *each = made;
}

/* Numbers what an SM has accepted anew: only what is compared counts. */
static void name_accepted(hybrid_values *values, unsigned number)
{
    uint64_t used = 0;
    for (unsigned word = 0; word < HYBRID_WORDS; word++) {
        for (unsigned i = 1; i < HYBRID_TOKENS; i++) {
            const hybrid_token *token = &values->word[word].token[i];
            used |= token->owner == number && token->accept != 0 ? UINT64_C(1) << token->accept : 0;
        }
    }
    for (unsigned word = 0; word < HYBRID_WORDS; word++) {
        for (unsigned i = 1; i < HYBRID_TOKENS; i++) {
            hybrid_token *token = &values->word[word].token[i];
            if (token->owner == number && token->accept != 0) {
                token->accept = (uint8_t)gm_count_ones(used & ((UINT64_C(2) << token->accept) - 1));
            }
        }
    }
    for (unsigned i = 0; i < HYBRID_LOADS; i++) {
        hybrid_load *load = &values->load[number][i];
        if (load->state != LOAD_FREE) {
            load->limit = (uint8_t)gm_count_ones(used & ((UINT64_C(2) << load->limit) - 1));
        }
    }
    values->accepted[number] = (uint8_t)gm_count_ones(used);
}

void hybrid_name_values(hybrid_values *values, hybrid_visit *all, void *holder)
{
    naming n = {.values = values};
    all(holder, note_or_name, &n);
    visit_own(values, note_or_name, &n);
    visit_floors(values, raise_floor, &n);
    visit_floors(values, note_or_name, &n);
    for (unsigned word = 0; word < HYBRID_WORDS; word++) {
        name_tokens(&n, &values->word[word], word);
    }
    n.gives_names = true;
    all(holder, note_or_name, &n);
    visit_own(values, note_or_name, &n);
    visit_floors(values, note_or_name, &n);
    for (unsigned i = 0; i < HYBRID_SMS; i++) {
        name_accepted(values, i);
    }
}
