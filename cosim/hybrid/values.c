/* What loads may get: the rules of --check=values (docs/values.md). A write of a word is a token;
 * the order of a word is that in which the L2 performs its writes. */
#include "step.h"

enum { RANK_PROCESSED = 64, RANK_ACCEPTED = 128 };

uint8_t hybrid_accept(step *t, unsigned owner, unsigned word)
{
    hybrid_word *each = &t->values->word[word];
    unsigned token = 1;
    while (token < HYBRID_TOKENS && each->token[token].accept != 0) {
        token++;
    }
    if (token == HYBRID_TOKENS) {
        *t->fault = FAULT_ERROR;
        return 0;
    }
    each->token[token] =
        (hybrid_token){.owner = (uint8_t)owner, .accept = ++t->values->accepted[owner]};
    each->floor[owner] = (uint8_t)token;
    return (uint8_t)token;
}

static uint8_t next_number(const hybrid_word *word, bool performed)
{
    unsigned last = 0;
    for (unsigned i = 0; i < HYBRID_TOKENS; i++) {
        const hybrid_token *token = &word->token[i];
        unsigned number = performed ? token->performed : token->processed;
        last = number > last ? number : last;
    }
    return (uint8_t)(last + 1);
}

void hybrid_process(step *t, unsigned word, uint8_t token)
{
    hybrid_word *each = &t->values->word[word];
    each->token[token].processed = next_number(each, false);
    each->last = token;
}

void hybrid_perform(step *t, unsigned word, uint8_t token)
{
    hybrid_word *each = &t->values->word[word];
    each->token[token].performed = next_number(each, true);
    each->l2 = token;
    hybrid_judge_again(t);
}

/* A number that grows with the order of the word, as far as it is known. What an SM has accepted is
 * behind all that the tracker has, and this behind all that the L2 has, if messages keep order. */
static unsigned rank_of(const hybrid_word *word, const hybrid_settings *s, uint8_t value)
{
    const hybrid_token *token = &word->token[value];
    if (value == 0 || token->performed != 0) {
        return token->performed;
    }
    return token->processed != 0 && has_rule(s, RULE_L2) && has_rule(s, RULE_REQUESTS)
               ? RANK_PROCESSED + token->processed
               : RANK_ACCEPTED;
}

static bool are_ordered(const hybrid_word *word, const hybrid_settings *s, uint8_t value,
                        uint8_t other)
{
    const hybrid_token *a = &word->token[value];
    const hybrid_token *b = &word->token[other];
    return value == other || rank_of(word, s, value) != rank_of(word, s, other) ||
           (a->owner == b->owner && a->owner != HYBRID_NOBODY);
}

bool hybrid_is_older(const hybrid_values *values, const hybrid_settings *s, unsigned word,
                     uint8_t value, uint8_t other)
{
    const hybrid_word *each = &values->word[word];
    unsigned a = rank_of(each, s, value);
    unsigned b = rank_of(each, s, other);
    return a != b ? a < b
                  : value != other && are_ordered(each, s, value, other) &&
                        each->token[value].accept < each->token[other].accept;
}

/* Judges a value by the rules: not older than the floor, no younger write of the own SM. Returns
 * false if it cannot be judged yet. */
static bool judge(step *t, unsigned sm, const hybrid_load *load, unsigned sector, uint8_t value)
{
    unsigned word = word_of(load->line, sector);
    const hybrid_word *each = &t->values->word[word];
    const hybrid_token *token = &each->token[value];
    uint8_t floor = load->floor[sector];
    if (value != 0 && token->owner == sm && token->accept > load->limit) {
        *t->fault = FAULT_YOUNG;
    } else if (hybrid_is_older(t->values, t->s, word, value, floor)) {
        *t->fault = FAULT_OLD;
    }
    return are_ordered(each, t->s, value, floor);
}

static void settle(hybrid_load *load, unsigned sector)
{
    load->sectors &= (uint8_t) ~(1u << sector);
    load->floor[sector] = 0;
    load->value[sector] = 0;
    if (load->sectors == 0) {
        *load = (hybrid_load){0};
    }
}

void hybrid_give(step *t, unsigned sm, hybrid_load *load, unsigned sector, uint8_t value)
{
    TELL(t, ", %c%u = ", line_name(load->line), sector);
    hybrid_tell_value(t, word_of(load->line, sector), value);
    unsigned word = word_of(load->line, sector);
    if (judge(t, sm, load, sector, value)) {
        settle(load, sector);
    } else {
        load->value[sector] = value;
        load->state = LOAD_UNDECIDED;
    }
    uint8_t *floor = &t->values->word[word].floor[sm];
    if (t->s->monotone && hybrid_is_older(t->values, t->s, word, *floor, value)) {
        *floor = value;
    }
}

void hybrid_judge_again(step *t)
{
    for (unsigned sm = 0; sm < HYBRID_SMS; sm++) {
        for (unsigned i = 0; i < HYBRID_LOADS; i++) {
            hybrid_load *load = &t->values->load[sm][i];
            for (unsigned sector = 0; sector < HYBRID_SECTORS; sector++) {
                bool open = load->state == LOAD_UNDECIDED && (load->sectors >> sector & 1) != 0;
                if (open && judge(t, sm, load, sector, load->value[sector])) {
                    settle(load, sector);
                }
            }
        }
    }
}

void hybrid_tell_value(step *t, unsigned word, uint8_t value)
{
    const hybrid_token *token = &t->values->word[word].token[value];
    if (value == 0) {
        TELL(t, "0");
    } else {
        TELL(t, "%c%u", 'P' + token->owner, token->accept);
    }
}
