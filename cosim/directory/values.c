/* What loads may get: write atomicity, coherence of each word, a warp's own writes. */
#include "directory_world.h"

enum { NONE = UINT8_MAX };

/* Returns the position of a value; NONE: it has not been performed. */
static unsigned position_of(const directory_line *line, unsigned word, unsigned id)
{
    for (unsigned i = 0; i < line->writes[word]; i++) {
        if (line->order[word][i] == id) {
            return i + 1;
        }
    }
    return id == 0 ? 0 : NONE;
}

uint8_t directory_newest(const directory_world *w, unsigned line, unsigned word)
{
    unsigned writes = w->line[line].writes[word];
    return writes == 0 ? 0 : w->line[line].order[word][writes - 1];
}

void directory_perform(directory_step *t, unsigned line, unsigned word, unsigned id)
{
    directory_line *l = &t->w->line[line];
    l->order[word][l->writes[word]++] = (uint8_t)id;
}

void directory_complete(directory_step *t, unsigned line, unsigned word, unsigned id)
{
    directory_line *l = &t->w->line[line];
    unsigned at = position_of(l, word, id);
    if (at == NONE) {
        *t->fault = FAULT_ERROR;
    } else if (at > l->seen[word]) {
        l->seen[word] = (uint8_t)at;
    }
}

/* Values of an SM are 8 * SM + 1 and on, in program order. */
static bool is_later_own(unsigned sm, const directory_busy *load, unsigned value)
{
    return value > 8 * sm && value <= 8 * sm + 8 && value > load->own;
}

void directory_loaded(directory_step *t, unsigned sm, directory_busy load, unsigned value)
{
    directory_line *line = &t->w->line[load.line];
    directory_sm *from = &t->w->sm[sm];
    unsigned at = position_of(line, load.word, value);
    unsigned own = position_of(line, load.word, load.own);
    bool early = at == NONE || is_later_own(sm, &load, value);
    if (early) {
        *t->fault = FAULT_YOUNG;
    } else if (at < load.least || at > load.most || own == NONE || at < own) {
        *t->fault = FAULT_OLD;
    }
    if (*t->fault != FAULT_NONE) {
        return;
    }
    if (at > line->seen[load.word]) {
        line->seen[load.word] = (uint8_t)at;
    }
    for (unsigned i = 0; i < from->count; i++) {
        directory_busy *other = &from->busy[i];
        if (other->event > GM_L1_LOAD_PAST || other->line != load.line ||
            other->word != load.word) {
            continue;
        }
        /* The load had the place load.entry of the list, which is in program order. */
        if (i < load.entry) {
            other->most = other->most < at ? other->most : (uint8_t)at;
        } else {
            other->least = other->least > at ? other->least : (uint8_t)at;
        }
    }
}
