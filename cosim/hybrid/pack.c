/* Canonical worlds, and their string of bits. */
#include "step.h"

#include "cache/way_hash.h"
#include "explore/packer.h"

enum {
    TOKEN = 3,
    COUNT = 4,
    LINE = 1,
    SECTORS = HYBRID_SECTORS,
    KIND = 4,
    NUMBER = 4,
    ID = 5
}; /* widths */

static void visit_sectors(unsigned line, unsigned sectors, uint8_t *value, hybrid_visitor *visit,
                          void *context)
{
    for (unsigned sector = 0; sector < HYBRID_SECTORS; sector++) {
        if (sectors >> sector & 1) {
            visit(context, word_of(line, sector), &value[sector]);
        }
    }
}

static void visit_channel(hybrid_channel *channel, hybrid_visitor *visit, void *context)
{
    for (unsigned i = 0; i < channel->count; i++) {
        hybrid_message *m = &channel->message[i];
        bool has = m->kind == MESSAGE_WRITE || m->kind == MESSAGE_ATOMIC ||
                   m->kind == MESSAGE_DATA || m->kind == MESSAGE_SUPPLIED;
        visit_sectors(m->line, has ? m->sectors : 0, m->value, visit, context);
    }
}

static void visit_sm(hybrid_sm *sm, unsigned ways, hybrid_visitor *visit, void *context)
{
    for (unsigned way = 0; way < ways; way++) {
        if (sm->way[way].tag != GM_NO_LINE) {
            visit_sectors(hybrid_line(sm->way[way].tag), sm->way[way].state.valid, sm->data[way],
                          visit, context);
        }
    }
    for (unsigned id = 0; id < HYBRID_ENTRIES; id++) {
        hybrid_entry *entry = &sm->entry[id];
        if (gm_mshr_is_valid(&sm->mshr, id)) {
            visit_sectors(hybrid_line(sm->mshr_entry[id].line),
                          entry->fetched & (unsigned)~entry->missing, entry->value, visit, context);
        }
    }
    for (unsigned line = 0; line < HYBRID_LINES; line++) {
        visit_channel(&sm->up[line], visit, context);
    }
    for (unsigned word = 0; word < HYBRID_WORDS; word++) {
        visit_channel(&sm->down[word], visit, context);
    }
    visit_channel(&sm->peer, visit, context);
}

/* A world whose values are visited. */
typedef struct holder {
    hybrid_world *w;
    const hybrid_settings *s;
} holder;

static void visit_all(void *context, hybrid_visitor *visit, void *of_visit)
{
    const holder *all = context;
    for (unsigned i = 0; i < HYBRID_SMS; i++) {
        visit_sm(&all->w->sm[i], all->s->l1_ways, visit, of_visit);
    }
    for (unsigned word = 0; word < HYBRID_WORDS; word++) {
        visit_channel(&all->w->l2[word], visit, of_visit);
    }
}

void hybrid_make_canonical(hybrid_world *w, const hybrid_settings *s)
{
    holder all = {w, s};
    if (!s->whole) {
        hybrid_name_values(&w->values, visit_all, &all);
    }
}

static void pass_values(packer *p, uint8_t *value, unsigned sectors)
{
    for (unsigned sector = 0; sector < HYBRID_SECTORS; sector++) {
        if (sectors >> sector & 1) {
            packer_byte(p, &value[sector], TOKEN);
        }
    }
}

static void pass_channel(packer *p, hybrid_channel *channel)
{
    packer_byte(p, &channel->count, COUNT);
    for (unsigned i = 0; i < channel->count; i++) {
        hybrid_message *m = &channel->message[i];
        if (p->reads) {
            *m = (hybrid_message){0};
        }
        packer_byte(p, &m->kind, KIND);
        packer_byte(p, &m->sm, 1);
        packer_byte(p, &m->id, ID);
        packer_byte(p, &m->line, LINE);
        packer_byte(p, &m->sectors, SECTORS);
        packer_byte(p, &m->flag, 1);
        bool has = m->kind == MESSAGE_WRITE || m->kind == MESSAGE_ATOMIC ||
                   m->kind == MESSAGE_DATA || m->kind == MESSAGE_SUPPLIED;
        pass_values(p, m->value, has ? m->sectors : 0);
    }
}

/* A way: empty, or its line, sectors, values and whether it waits; and the order of two ways. */
static void pass_tags(packer *p, hybrid_sm *sm, unsigned ways)
{
    uint8_t first = (uint8_t)gm_lru_word_way(sm->head[0], 0);
    packer_byte(p, &first, ways == 1 ? 0 : 1);
    if (p->reads) {
        sm->waiting[0] = 0;
        sm->head[0] = ways == 1 ? 0 : (1U - first) << 4 | first;
    }
    for (unsigned way = 0; way < ways; way++) {
        gm_cache_way *each = &sm->way[way];
        uint8_t line = each->tag == GM_NO_LINE ? HYBRID_LINES : (uint8_t)hybrid_line(each->tag);
        uint8_t valid = (uint8_t)each->state.valid;
        uint8_t waits = (uint8_t)(sm->waiting[0] >> way & 1);
        packer_byte(p, &line, LINE + 1);
        bool is_free = line == HYBRID_LINES;
        packer_byte(p, &valid, is_free ? 0 : SECTORS);
        packer_byte(p, &waits, is_free ? 0 : 1);
        if (p->reads) {
            each->tag = is_free ? GM_NO_LINE : hybrid_address(line);
            each->state = (gm_sector_state){is_free ? 0 : valid, 0};
            gm_cache_hashes(sm->head)[way] = gm_way_hash(each->tag);
            sm->waiting[0] |= is_free ? 0 : (uint64_t)waits << way;
        }
        pass_values(p, sm->data[way], is_free ? 0 : valid);
    }
}

/* What an entry of the MSHRs is; without `valid` it is free. */
typedef struct entry_image {
    bool valid, open;
    uint8_t line, count, requester[HYBRID_MERGES];
} entry_image;

/* Makes the entries anew. Each is closed while the others are made, since a line may have two. */
static void set_entries(gm_mshr *mshr, const entry_image *image)
{
    enum { NO_LINE = 127 };
    memset(mshr->valid, 0, sizeof mshr->valid[0]);
    memset(mshr->open, 0, sizeof mshr->open[0]);
    memset(mshr->bucket, 0, HYBRID_BUCKETS * sizeof *mshr->bucket);
    for (unsigned id = 0; id < HYBRID_ENTRIES; id++) {
        uint64_t line = image[id].valid ? hybrid_address(image[id].line) : NO_LINE - id;
        for (unsigned i = 0; i < image[id].count; i++) {
            gm_mshr_take(mshr, line, image[id].requester[i], true);
        }
        if (!image[id].valid) {
            gm_mshr_take(mshr, line, 0, true);
        }
        gm_mshr_close(mshr, line);
    }
    for (unsigned id = 0; id < HYBRID_ENTRIES; id++) {
        if (!image[id].valid) {
            gm_mshr_respond(mshr, id);
        } else if (image[id].open) {
            mshr->open[0] |= UINT64_C(1) << id;
        }
    }
}

static void pass_entries(packer *p, hybrid_sm *sm)
{
    entry_image image[HYBRID_ENTRIES] = {{0}};
    for (unsigned id = 0; id < HYBRID_ENTRIES; id++) {
        entry_image *each = &image[id];
        hybrid_entry *entry = &sm->entry[id];
        const gm_mshr_entry *from = &sm->mshr_entry[id];
        each->valid = gm_mshr_is_valid(&sm->mshr, id);
        each->open = gm_mshr_is_open(&sm->mshr, id);
        each->line = (uint8_t)hybrid_line(from->line);
        for (unsigned i = from->oldest; !p->reads && each->valid && i <= from->newest; i++) {
            each->requester[each->count++] = (uint8_t)*gm_mshr_requester(&sm->mshr, id, i);
        }
        packer_flag(p, &each->valid);
        if (p->reads) {
            *entry = (hybrid_entry){0};
        }
        if (!each->valid) {
            continue;
        }
        packer_flag(p, &each->open);
        packer_byte(p, &each->line, LINE);
        packer_byte(p, &each->count, 2);
        for (unsigned i = 0; i < each->count; i++) {
            packer_byte(p, &each->requester[i], NUMBER);
        }
        packer_byte(p, &entry->fetched, SECTORS);
        packer_byte(p, &entry->missing, SECTORS);
        packer_byte(p, &entry->fills, 1);
        pass_values(p, entry->value, entry->fetched & (unsigned)~entry->missing);
    }
    if (p->reads) {
        set_entries(&sm->mshr, image);
    }
}

static void pass_loads(packer *p, hybrid_load *loads)
{
    for (unsigned i = 0; i < HYBRID_LOADS; i++) {
        hybrid_load *load = &loads[i];
        if (p->reads) {
            *load = (hybrid_load){0};
        }
        packer_byte(p, &load->state, 2);
        if (load->state == LOAD_FREE) {
            continue;
        }
        packer_byte(p, &load->line, LINE);
        packer_byte(p, &load->sectors, SECTORS);
        packer_byte(p, &load->lookup, 1);
        packer_byte(p, &load->limit, NUMBER);
        pass_values(p, load->floor, load->sectors);
        pass_values(p, load->value, load->state == LOAD_UNDECIDED ? load->sectors : 0);
    }
}

static void pass_sm(packer *p, const hybrid_settings *s, hybrid_sm *sm)
{
    packer_byte(p, &sm->done, COUNT);
    packer_byte(p, &sm->credits, 2);
    packer_byte(p, &sm->wire, 2);
    pass_tags(p, sm, s->l1_ways);
    pass_entries(p, sm);
    for (unsigned line = 0; line < HYBRID_LINES; line++) {
        pass_channel(p, &sm->up[line]);
        pass_channel(p, &sm->supply[line]);
    }
    for (unsigned word = 0; word < HYBRID_WORDS; word++) {
        pass_channel(p, &sm->down[word]);
    }
    pass_channel(p, &sm->returns);
    pass_channel(p, &sm->peer);
}

/* Only the first set of the tracker is used. */
static void pass_tracker(packer *p, hybrid_world *w, const hybrid_settings *s)
{
    uint8_t valid = (uint8_t)w->valid[0];
    packer_byte(p, &valid, s->tracker_ways);
    w->valid[0] = valid;
    for (unsigned way = 0; way < s->tracker_ways; way++) {
        if ((valid >> way & 1) == 0) {
            continue;
        }
        uint8_t line = (uint8_t)hybrid_line(w->line[way]);
        packer_byte(p, &line, LINE);
        w->line[way] = hybrid_address(line);
        w->marks[way] = packer_pass(p, w->marks[way], HYBRID_SMS);
        w->sharers[way] = packer_pass(p, w->sharers[way], HYBRID_SMS);
        packer_byte(p, &w->supplier[way], 1);
        packer_byte(p, &w->rank[way], 1);
        for (unsigned i = 0; i < s->pointers && i < gm_count_ones(w->sharers[way]); i++) {
            packer_byte(p, &w->pointer[way * s->pointers + i], 1);
        }
    }
}

static void pass_words(packer *p, hybrid_word *each)
{
    unsigned count = 0;
    for (unsigned i = 1; i < HYBRID_TOKENS; i++) {
        count = each->token[i].accept != 0 ? i : count;
    }
    count = (unsigned)packer_pass(p, count, TOKEN);
    if (p->reads) {
        memset(each->token, 0, sizeof each->token);
    }
    for (unsigned i = 1; i <= count; i++) {
        packer_byte(p, &each->token[i].owner, 2);
        packer_byte(p, &each->token[i].accept, NUMBER);
        packer_byte(p, &each->token[i].processed, NUMBER);
        packer_byte(p, &each->token[i].performed, NUMBER);
    }
    packer_byte(p, &each->last, TOKEN);
    packer_byte(p, &each->l2, TOKEN);
    for (unsigned i = 0; i < HYBRID_SMS; i++) {
        packer_byte(p, &each->floor[i], TOKEN);
    }
}

static void pass_world(packer *p, hybrid_world *w, const hybrid_settings *s)
{
    packer_byte(p, &w->evictions, COUNT);
    packer_byte(p, &w->kernels, 2);
    pass_channel(p, &w->stalled);
    for (unsigned word = 0; word < HYBRID_WORDS; word++) {
        pass_words(p, &w->values.word[word]);
        pass_channel(p, &w->l2[word]);
    }
    pass_tracker(p, w, s);
    for (unsigned i = 0; i < HYBRID_SMS; i++) {
        packer_byte(p, &w->values.accepted[i], NUMBER);
        pass_loads(p, w->values.load[i]);
        pass_sm(p, s, &w->sm[i]);
    }
}

size_t hybrid_pack(hybrid_world *w, const hybrid_settings *settings, uint8_t *bytes)
{
    packer p = {.at = bytes};
    pass_world(&p, w, settings); /* gives each field its own value */
    packer_end(&p);
    return (size_t)(p.at - bytes);
}

void hybrid_unpack(hybrid_world *w, const hybrid_settings *settings, const uint8_t *bytes)
{
    packer p = {.in = bytes, .reads = true};
    pass_world(&p, w, settings);
}
