/* A world as a string of bytes: what is in use of each queue and list. */
#include "directory_world.h"

#include <string.h>

typedef struct cursor {
    uint8_t *at;
    bool writes;
} cursor;

static void put(cursor *c, uint8_t *value)
{
    if (c->writes) {
        *c->at++ = *value;
    } else {
        *value = *c->at++;
    }
}

static void put_all(cursor *c, uint8_t *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        put(c, &values[i]);
    }
}

static void put_message(cursor *c, directory_message *m)
{
    uint8_t small = (uint8_t)(m->line | m->word << 1 | m->flag << 2 | m->sm << 3 | m->entry << 5);
    put(c, &m->kind);
    put(c, &small);
    m->line = small & 1;
    m->word = small >> 1 & 1;
    m->flag = small >> 2 & 1;
    m->sm = small >> 3 & 3;
    m->entry = small >> 5;
    put(c, &m->id);
    put_all(c, m->data, DIRECTORY_WORDS);
}

static void put_queue(cursor *c, directory_queue *queue)
{
    put(c, &queue->count);
    for (unsigned i = 0; i < queue->count; i++) {
        put_message(c, &queue->message[i]);
    }
}

static void put_sm(cursor *c, directory_sm *sm)
{
    put(c, &sm->issued);
    put(c, &sm->count);
    for (unsigned i = 0; i < sm->count; i++) {
        put_all(c, &sm->busy[i].event, sizeof sm->busy[i]);
    }
    put_all(c, &sm->copy[0].state, sizeof sm->copy);
    put(c, &sm->entries);
    put_all(c, sm->last[0], sizeof sm->last);
    for (unsigned queue = 0; queue < GM_DIRECTORY_NETWORKS; queue++) {
        put_queue(c, &sm->up[queue]);
        put_queue(c, &sm->down[queue]);
    }
}

static void put_line(cursor *c, directory_line *line)
{
    put(c, &line->state);
    put(c, &line->sharers);
    put(c, &line->due);
    put(c, &line->owner);
    put(c, &line->count);
    for (unsigned i = 0; i < line->count; i++) {
        put_message(c, &line->waiting[i]);
    }
    put_all(c, line->data, DIRECTORY_WORDS);
    put_all(c, line->memory, DIRECTORY_WORDS);
    for (unsigned word = 0; word < DIRECTORY_WORDS; word++) {
        put(c, &line->writes[word]);
        put_all(c, line->order[word], line->writes[word]);
        put(c, &line->seen[word]);
    }
}

static void put_world(cursor *c, directory_world *w, const directory_settings *s)
{
    put_all(c, w->held, sizeof w->held);
    put_all(c, w->evictions, sizeof w->evictions);
    for (unsigned line = 0; line < DIRECTORY_LINES; line++) {
        put_line(c, &w->line[line]);
    }
    for (unsigned sm = 0; sm < s->sms; sm++) {
        put_sm(c, &w->sm[sm]);
    }
}

size_t directory_pack(const directory_world *w, const directory_settings *s, uint8_t *bytes)
{
    directory_world copy = *w;
    cursor c = {bytes, true};
    put_world(&c, &copy, s);
    return (size_t)(c.at - bytes);
}

void directory_unpack(directory_world *w, const directory_settings *s, const uint8_t *bytes)
{
    uint8_t read[SEARCH_BYTES];
    cursor c = {read, false};
    memcpy(read, bytes, sizeof read);
    *w = (directory_world){0};
    put_world(&c, w, s);
}
