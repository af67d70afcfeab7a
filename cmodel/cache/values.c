/* Values of a run: events of L1s, L2 and host copies, and the check of loads. */
#include "cache/values.h"

#include "cache/value_order.h"
#include "cache/value_table.h"
#include "goldmem/bits.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WHO = 160 }; /* bytes of the description of a store */

/* The warp in a slot of an SM. */
typedef struct slot {
    uint64_t cta;
    uint32_t warp, kernel;
    uint32_t number;        /* memory instructions so far */
    uint32_t reader;        /* number of the warp among those of its SM */
    uint32_t loads, stores; /* sectors not answered, stores not performed */
    uint32_t last;          /* the store that is visible last, 0: none */
    uint64_t fenced;        /* the cycle of its last fence behind one of them; 0: none */
} slot;

struct gm_values {
    gm_value_table table;
    gm_value_order order;
    const gm_value_observer *observer;
    const uint64_t *now;
    gm_value_warp *issued; /* [sms][GM_VALUE_TICKETS] the warp of each ticket */
    slot *slot;            /* [sms][slots] */
    uint32_t readers;      /* warps of all SMs so far */
    uint32_t sms, slots;
    unsigned l1_bits, l2_bits; /* log2 of the sectors of a line */
    bool flush;                /* kernels see the writes of earlier ones: l1.flush, or a protocol */
    bool coherent;             /* a protocol tells when writes are visible */
    uint32_t kernels;          /* begun */
    char kernel[64];
    uint64_t *written; /* [written_count] sectors that the L2 wrote since GM_VALUE_FLOOR was made */
    uint32_t written_count, written_room;
    bool failed; /* out of memory */
    gm_error wrong;
};

int gm_values_create(gm_values **values, const gm_config *config, const char *unit,
                     const uint64_t *now, const gm_value_observer *observer, gm_error *error)
{
    static const gm_value_observer none = {NULL, NULL, NULL, NULL};
    gm_values *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: values");
    }
    made->sms = (uint32_t)config->gpu.sms;
    made->slots = (uint32_t)config->sm.warps;
    made->l1_bits = gm_log2_floor(config->l1.line / GM_SECTOR);
    made->l2_bits = gm_log2_floor(config->l2.line / GM_SECTOR);
    made->coherent = config->coherence.protocol != GM_COHERENCE_NONE;
    made->flush = config->l1.flush || made->coherent;
    made->now = now;
    made->observer = observer != NULL ? observer : &none;
    made->issued = calloc((size_t)made->sms * GM_VALUE_TICKETS, sizeof *made->issued);
    made->slot = calloc((size_t)made->sms * made->slots, sizeof *made->slot);
    gm_value_table_init(&made->table);
    gm_value_order_init(&made->order, unit);
    if (made->issued == NULL || made->slot == NULL) {
        gm_values_free(made);
        return gm_fail(error, -ENOMEM, "out of memory: values");
    }
    *values = made;
    return 0;
}

void gm_values_free(gm_values *values)
{
    if (values != NULL) {
        gm_value_table_free(&values->table);
        gm_value_order_free(&values->order);
        free(values->issued);
        free(values->slot);
        free(values->written);
        free(values);
    }
}

int gm_values_check(const gm_values *values, gm_error *error)
{
    if (values->wrong.code != 0) {
        return gm_fail(error, values->wrong.code, "%s", values->wrong.text);
    }
    return values->failed || values->table.failed || values->order.failed
               ? gm_fail(error, -ENOMEM, "out of memory: values")
               : 0;
}

static slot *slot_of(gm_values *values, const gm_value_warp *warp)
{
    return &values->slot[(size_t)warp->sm * values->slots + warp->slot];
}

/* Returns the slot in which a warp of this kernel still is, or NULL. */
static slot *slot_with(gm_values *values, const gm_value_warp *warp)
{
    slot *in = slot_of(values, warp);
    bool same = in->kernel == warp->kernel + 1 && in->cta == warp->cta && in->warp == warp->warp;
    return same ? in : NULL;
}

/* Keeps the first wrong value. `who`: who read it. */
static void report(gm_values *values, const char *who, uint64_t address, uint32_t seen,
                   uint32_t expected, const char *why)
{
    char saw[WHO];
    char newer[WHO];
    if (values->wrong.code != 0) {
        return;
    }
    gm_value_order_describe(&values->order, seen, saw, sizeof saw);
    gm_value_order_describe(&values->order, expected, newer, sizeof newer);
    values->wrong.code = gm_fail(
        &values->wrong, -EPROTO, "values: kernel %u (%s), %s %llu: %s of 0x%llx saw %s, %s %s",
        values->kernels == 0 ? 0 : values->kernels - 1, values->kernel, values->order.unit,
        (unsigned long long)*values->now, who, (unsigned long long)address, saw, why, newer);
}

static uint64_t l1_sector(const gm_values *values, uint64_t line)
{
    return line << values->l1_bits;
}

static uint64_t address_of(uint64_t sector, unsigned word)
{
    return sector * GM_SECTOR + (uint64_t)word * 4;
}

static uint64_t owner_of(gm_value_place place, const gm_value_request *request)
{
    return gm_value_owner(place, request->sm, request->ticket);
}

void gm_values_issue(gm_values *values, uint32_t ticket, const gm_value_warp *warp)
{
    slot *in = slot_of(values, warp);
    if (slot_with(values, warp) == NULL) {
        *in = (slot){.cta = warp->cta,
                     .warp = warp->warp,
                     .kernel = warp->kernel + 1,
                     .reader = values->readers++};
    }
    gm_value_warp *issued = &values->issued[(size_t)warp->sm * GM_VALUE_TICKETS + ticket];
    *issued = *warp;
    issued->number = in->number++;
}

void gm_values_ask(gm_values *values, const gm_value_request *request, const uint8_t *words)
{
    for (uint32_t left = request->sectors; left != 0; left &= left - 1) {
        unsigned place = gm_lowest_one(left);
        gm_value_add(&values->table, owner_of(GM_VALUE_ASKED, request),
                     l1_sector(values, request->line) + place)
            ->mask = words[place];
    }
}

/* Checks a word that a load has read. `own`: the last write of its SM before it. */
static void check_word(gm_values *values, const gm_value_warp *warp, uint64_t address,
                       uint32_t seen, uint32_t own, uint32_t floor, uint32_t visible)
{
    bool lost = gm_value_is_older(&values->order, seen, own);
    bool stale = values->flush && gm_value_is_older(&values->order, seen, floor);
    bool old = gm_value_is_older(&values->order, seen, visible);
    if (lost || stale || old) {
        char who[WHO];
        snprintf(who, sizeof who, "SM %u, warp %u of CTA %llu: load", warp->sm, warp->warp,
                 (unsigned long long)warp->cta);
        report(values, who, address, seen,
               lost    ? own
               : stale ? floor
                       : visible,
               lost    ? "which is older than its SM's"
               : stale ? "which is older than the earlier kernels'"
                       : "which is older than the visible");
    }
}

/* True for a value whose place in coherence order is known. */
static bool is_placed(const gm_values *values, uint32_t value)
{
    return value == 0 || gm_value_order_store(&values->order, value)->place != 0;
}

/* What a warp has read of a sector: GM_VALUE_NEWEST and so on. */
typedef struct reads {
    gm_value_sector *newest, *newest_at, *latest, *latest_at;
} reads;

/* The loads of a warp from one word, in program order, get values in coherence order; they may be
 * answered in any order. Notes a load's word and checks it against those answered before. */
static void check_order(gm_values *values, const gm_value_warp *warp, uint64_t address,
                        uint32_t value, const reads *read)
{
    unsigned word = (unsigned)(address % GM_SECTOR / 4);
    uint32_t *newest = &read->newest->value[word];
    uint32_t *newest_at = &read->newest_at->value[word];
    uint32_t *latest = &read->latest->value[word];
    uint32_t *latest_at = &read->latest_at->value[word];
    uint32_t at = warp->number + 1;
    char who[WHO];
    snprintf(who, sizeof who, "SM %u, warp %u of CTA %llu: load", warp->sm, warp->warp,
             (unsigned long long)warp->cta);
    if (*newest_at != 0 && at > *newest_at && gm_value_is_older(&values->order, value, *newest)) {
        report(values, who, address, value, *newest, "which is older than its earlier load's");
    } else if (*latest_at > at && gm_value_is_older(&values->order, *latest, value)) {
        report(values, who, address, *latest, value, "which is older than its earlier load's");
    }
    if (*newest_at == 0 || gm_value_is_older(&values->order, *newest, value) ||
        (*newest == value && at < *newest_at)) {
        *newest = value;
        *newest_at = at;
    }
    if (at > *latest_at) {
        *latest = value;
        *latest_at = at;
    }
}

static gm_value_sector *read_at(gm_values *values, gm_value_place place, uint32_t sm,
                                uint32_t reader, uint64_t sector)
{
    return gm_value_at(&values->table, gm_value_owner(place, sm, reader), sector);
}

/* Checks the words of a load from a sector that has been written in this kernel. */
static void check_orders(gm_values *values, const gm_value_warp *warp, gm_value_sector load)
{
    const slot *in = slot_with(values, warp);
    const gm_value_sector *last =
        gm_value_find(&values->table, gm_value_owner(GM_VALUE_LAST, 0, 0), load.sector);
    if (!values->coherent || in == NULL || last == NULL || last->got == 0) {
        return;
    }
    reads read;
    for (unsigned pass = 0; pass < 2; pass++) { /* the first may move sectors */
        uint64_t sector = load.sector;
        read.newest = read_at(values, GM_VALUE_NEWEST, warp->sm, in->reader, sector);
        read.newest_at = read_at(values, GM_VALUE_NEWEST_AT, warp->sm, in->reader, sector);
        read.latest = read_at(values, GM_VALUE_LATEST, warp->sm, in->reader, sector);
        read.latest_at = read_at(values, GM_VALUE_LATEST_AT, warp->sm, in->reader, sector);
    }
    for (unsigned left = load.mask; left != 0; left &= left - 1) {
        unsigned word = gm_lowest_one(left);
        if (is_placed(values, load.value[word])) {
            check_order(values, warp, address_of(load.sector, word), load.value[word], &read);
        }
    }
}

/* Ends a sector of a load that has all its words: checks them, tells the observer. */
static void end_load(gm_values *values, uint32_t sm, uint32_t ticket, uint64_t sector)
{
    static const gm_value_sector none;
    gm_value_table *table = &values->table;
    uint64_t owner = gm_value_owner(GM_VALUE_ASKED, sm, ticket);
    uint64_t behind = gm_value_owner(GM_VALUE_BEHIND, sm, ticket);
    const gm_value_warp *warp = &values->issued[(size_t)sm * GM_VALUE_TICKETS + ticket];
    const gm_value_sector *load = gm_value_find(table, owner, sector);
    const gm_value_sector *own = gm_value_find(table, behind, sector);
    const gm_value_sector *floor =
        gm_value_find(table, gm_value_owner(GM_VALUE_FLOOR, 0, 0), sector);
    const gm_value_sector *visible =
        gm_value_find(table, gm_value_owner(GM_VALUE_SEEN, sm, ticket), sector);
    own = own != NULL ? own : &none;
    visible = visible != NULL ? visible : &none;
    floor = floor != NULL ? floor : &none;
    for (unsigned left = load->mask; left != 0; left &= left - 1) {
        unsigned word = gm_lowest_one(left);
        check_word(values, warp, address_of(sector, word), load->value[word], own->value[word],
                   floor->value[word], visible->value[word]);
        if (values->observer->loaded != NULL) {
            values->observer->loaded(values->observer->context, warp, address_of(sector, word),
                                     load->value[word]);
        }
    }
    const gm_value_sector ended = *load;
    gm_value_remove(table, owner, sector);
    gm_value_remove(table, behind, sector);
    gm_value_remove(table, gm_value_owner(GM_VALUE_SEEN, sm, ticket), sector);
    check_orders(values, warp, ended);
    slot *in = slot_with(values, warp);
    if (in != NULL) {
        in->loads--;
    }
}

/* A fence waits for its warp's loads, and until each of its writes is visible. */
void gm_values_fence(gm_values *values, uint32_t sm, uint32_t number, uint32_t kernel)
{
    slot *in = &values->slot[(size_t)sm * values->slots + number];
    uint64_t visible = in->last != 0 ? gm_value_order_store(&values->order, in->last)->visible : 0;
    in->fenced = *values->now;
    if (in->kernel != kernel + 1 || values->wrong.code != 0 ||
        (in->loads == 0 && in->stores == 0 && visible < *values->now)) {
        return;
    }
    values->wrong.code = gm_fail(
        &values->wrong, -EPROTO,
        "values: kernel %u (%s), %s %llu: SM %u, warp %u of CTA %llu: a fence completes, but %u "
        "sectors of its loads have no data, %u of its stores are not performed, and all SMs see "
        "one of the others behind %s %llu only",
        kernel, values->kernel, values->order.unit, (unsigned long long)*values->now, sm, in->warp,
        (unsigned long long)in->cta, in->loads, in->stores, values->order.unit,
        (unsigned long long)visible);
}

/* Keeps what a load must see of a sector: what was visible in cycle `since`, 0: now, and what was
 * visible at its warp's last fence. */
static void note_visible(gm_values *values, uint32_t sm, uint32_t ticket, uint64_t sector,
                         uint64_t since)
{
    gm_value_table *table = &values->table;
    const gm_value_warp *warp = &values->issued[(size_t)sm * GM_VALUE_TICKETS + ticket];
    uint64_t fenced = slot_of(values, warp)->fenced;
    uint64_t cycle = since == 0 ? *values->now : since > fenced ? since : fenced;
    const gm_value_sector *last = gm_value_find(table, gm_value_owner(GM_VALUE_LAST, 0, 0), sector);
    if (last == NULL) {
        return;
    }
    uint32_t value[GM_VALUE_WORDS];
    for (unsigned word = 0; word < GM_VALUE_WORDS; word++) {
        value[word] = gm_value_order_visible(&values->order, last->value[word], word, cycle);
    }
    gm_value_sector *seen = gm_value_at(table, gm_value_owner(GM_VALUE_SEEN, sm, ticket), sector);
    memcpy(seen->value, value, sizeof seen->value);
}

/* Gives a load those of its words in `mask` that it does not have yet, from another place. */
static void take_words(gm_value_table *table, gm_value_sector *load, uint64_t from, uint8_t mask)
{
    const gm_value_sector *source = gm_value_find(table, from, load->sector);
    mask &= (uint8_t)(load->mask & ~load->got);
    for (unsigned left = mask; source != NULL && left != 0; left &= left - 1) {
        load->value[gm_lowest_one(left)] = source->value[gm_lowest_one(left)];
    }
    load->got |= mask;
}

void gm_values_load(gm_values *values, const gm_value_request *request, uint32_t held, uint32_t id)
{
    gm_value_table *table = &values->table;
    uint64_t waiting = gm_value_owner(GM_VALUE_WAITING, request->sm, id);
    for (uint32_t left = request->sectors; left != 0; left &= left - 1) {
        unsigned place = gm_lowest_one(left);
        uint64_t sector = l1_sector(values, request->line) + place;
        gm_value_copy(table, owner_of(GM_VALUE_BEHIND, request),
                      gm_value_owner(GM_VALUE_OWN, request->sm, 0), sector);
        if (values->coherent) {
            note_visible(values, request->sm, request->ticket, sector, request->since);
        }
        gm_value_sector *load = gm_value_find(table, owner_of(GM_VALUE_ASKED, request), sector);
        if (load == NULL) {
            continue;
        }
        load->waits = 1;
        load->reply = id;
        slot_of(values, &values->issued[(size_t)request->sm * GM_VALUE_TICKETS + request->ticket])
            ->loads++;
        if ((held >> place & 1) != 0) {
            take_words(table, load, gm_value_owner(GM_VALUE_L1, request->sm, 0), GM_VALUE_ALL);
        } else {
            const gm_value_sector *written = gm_value_find(table, waiting, sector);
            take_words(table, load, waiting, written != NULL ? written->mask : 0);
        }
        if (load->got == load->mask) {
            end_load(values, request->sm, request->ticket, sector);
        }
    }
}

void gm_values_answer(gm_values *values, uint32_t sm, uint32_t ticket, uint64_t line,
                      uint32_t sectors, uint32_t id)
{
    gm_value_table *table = &values->table;
    for (unsigned place = 0; place >> values->l1_bits == 0; place++) {
        uint64_t sector = l1_sector(values, line) + place;
        gm_value_sector *load =
            gm_value_find(table, gm_value_owner(GM_VALUE_ASKED, sm, ticket), sector);
        uint64_t reply = gm_value_owner(GM_VALUE_REPLY, sm, id);
        if (load != NULL && load->waits != 0 && load->reply == id && (sectors >> place & 1) != 0) {
            take_words(table, load, reply, GM_VALUE_ALL);
            end_load(values, sm, ticket, sector);
        }
    }
}

/* Writes words of a sector at a place. Returns the sector. */
static gm_value_sector *write_words(gm_values *values, uint64_t owner, uint64_t sector,
                                    uint8_t mask, uint32_t value)
{
    gm_value_sector *at = gm_value_at(&values->table, owner, sector);
    for (unsigned left = mask; left != 0; left &= left - 1) {
        at->value[gm_lowest_one(left)] = value;
    }
    return at;
}

/* Returns the number of a new store to words of a sector, and tells the observer. */
static uint32_t number_store(gm_values *values, const gm_value_warp *warp, uint64_t sector,
                             uint8_t mask)
{
    const gm_value_store store = {.warp = *warp, .time = *values->now};
    uint32_t value = gm_value_order_add(&values->order, &store);
    slot_of(values, warp)->stores += value != 0;
    for (unsigned left = mask; values->observer->wrote != NULL && left != 0; left &= left - 1) {
        values->observer->wrote(values->observer->context, warp,
                                address_of(sector, gm_lowest_one(left)), value);
    }
    return value;
}

void gm_values_store(gm_values *values, const gm_value_request *request,
                     const gm_value_effect *effect)
{
    gm_value_table *table = &values->table;
    uint32_t sm = request->sm;
    const gm_value_warp *warp = &values->issued[(size_t)sm * GM_VALUE_TICKETS + request->ticket];
    for (uint32_t left = request->sectors; left != 0; left &= left - 1) {
        unsigned place = gm_lowest_one(left);
        uint64_t sector = l1_sector(values, request->line) + place;
        uint64_t owner = owner_of(GM_VALUE_ASKED, request);
        const gm_value_sector *asked = gm_value_find(table, owner, sector);
        if (asked == NULL) {
            continue;
        }
        uint8_t mask = asked->mask;
        uint32_t value = number_store(values, warp, sector, mask);
        gm_value_remove(table, owner, sector);
        write_words(values, gm_value_owner(GM_VALUE_OWN, sm, 0), sector, mask, value);
        if ((effect->held >> place & 1) != 0) {
            gm_value_sector *line =
                write_words(values, gm_value_owner(GM_VALUE_L1, sm, 0), sector, mask, value);
            line->mask |= (effect->dirtied >> place & 1) != 0 ? mask : 0;
        }
        if ((effect->waiting >> place & 1) != 0) {
            uint64_t entry = gm_value_owner(GM_VALUE_WAITING, sm, effect->entry);
            write_words(values, entry, sector, mask, value)->mask |= mask;
        }
        if ((effect->forwarded >> place & 1) != 0) {
            uint64_t packet = gm_value_owner(GM_VALUE_REQUEST, sm, effect->id);
            gm_value_sector *sent = gm_value_add(table, packet, sector);
            sent->mask = mask;
            for (unsigned word = 0; word < GM_VALUE_WORDS; word++) {
                sent->value[word] = value;
            }
        }
    }
}

void gm_values_install(gm_values *values, uint32_t sm, uint64_t line, uint32_t sectors,
                       uint32_t dirtied, uint32_t id)
{
    gm_value_table *table = &values->table;
    uint64_t l1 = gm_value_owner(GM_VALUE_L1, sm, 0);
    uint64_t waiting = gm_value_owner(GM_VALUE_WAITING, sm, id);
    for (uint32_t left = sectors; left != 0; left &= left - 1) {
        unsigned place = gm_lowest_one(left);
        uint64_t sector = l1_sector(values, line) + place;
        gm_value_copy(table, l1, gm_value_owner(GM_VALUE_REPLY, sm, id), sector);
        if (gm_value_find(table, waiting, sector) == NULL) {
            continue;
        }
        gm_value_sector *to = gm_value_at(table, l1, sector);
        const gm_value_sector *written = gm_value_find(table, waiting, sector);
        for (unsigned words = written->mask; words != 0; words &= words - 1) {
            to->value[gm_lowest_one(words)] = written->value[gm_lowest_one(words)];
        }
        to->mask = (dirtied >> place & 1) != 0 ? written->mask : 0;
    }
}

void gm_values_end_reply(gm_values *values, uint32_t sm, uint64_t line, uint32_t id)
{
    for (unsigned place = 0; place >> values->l1_bits == 0; place++) {
        uint64_t sector = l1_sector(values, line) + place;
        gm_value_remove(&values->table, gm_value_owner(GM_VALUE_REPLY, sm, id), sector);
        gm_value_remove(&values->table, gm_value_owner(GM_VALUE_WAITING, sm, id), sector);
    }
}

void gm_values_write_back(gm_values *values, uint32_t sm, uint64_t line, uint32_t dirty,
                          uint32_t id)
{
    gm_value_table *table = &values->table;
    uint64_t packet = gm_value_owner(GM_VALUE_REQUEST, sm, id);
    for (uint32_t left = dirty; left != 0; left &= left - 1) {
        uint64_t sector = l1_sector(values, line) + gm_lowest_one(left);
        gm_value_sector *held = gm_value_find(table, gm_value_owner(GM_VALUE_L1, sm, 0), sector);
        if (held != NULL && held->mask != 0) {
            gm_value_sector copy = *held;
            held->mask = 0;
            gm_value_sector *sent = gm_value_add(table, packet, sector);
            sent->mask = copy.mask;
            memcpy(sent->value, copy.value, sizeof sent->value);
        }
    }
}

void gm_values_supply(gm_values *values, uint32_t sm, uint32_t supplier, uint64_t line,
                      uint32_t sectors, uint32_t id)
{
    for (uint32_t left = sectors; left != 0; left &= left - 1) {
        gm_value_copy(&values->table, gm_value_owner(GM_VALUE_REPLY, sm, id),
                      gm_value_owner(GM_VALUE_L1, supplier, 0),
                      l1_sector(values, line) + gm_lowest_one(left));
    }
}

static void copy_sectors(gm_values *values, gm_value_place to, gm_value_place from,
                         uint64_t l2_line, uint32_t sectors)
{
    for (uint32_t left = sectors; left != 0; left &= left - 1) {
        gm_value_copy(&values->table, gm_value_owner(to, 0, 0), gm_value_owner(from, 0, 0),
                      (l2_line << values->l2_bits) + gm_lowest_one(left));
    }
}

void gm_values_fetch(gm_values *values, uint64_t l2_line, uint32_t sectors)
{
    copy_sectors(values, GM_VALUE_L2, GM_VALUE_MEMORY, l2_line, sectors);
}

void gm_values_write_to_dram(gm_values *values, uint64_t l2_line, uint32_t sectors)
{
    copy_sectors(values, GM_VALUE_MEMORY, GM_VALUE_L2, l2_line, sectors);
}

/* Notes that the L2 wrote a sector since GM_VALUE_FLOOR was made. */
static void note_written(gm_values *values, uint64_t sector)
{
    enum { FIRST = 1 << 10 };
    if (values->written_count == values->written_room) {
        uint32_t room = values->written_room == 0 ? FIRST : 2 * values->written_room;
        uint64_t *written = realloc(values->written, room * sizeof *written);
        if (written == NULL) {
            values->failed = true;
            return;
        }
        values->written = written;
        values->written_room = room;
    }
    values->written[values->written_count++] = sector;
}

/* Makes `value` the last of a word in coherence order. */
static void become_last(gm_values *values, gm_value_sector *last, unsigned word, uint32_t value,
                        uint64_t visible)
{
    uint32_t old = last->value[word];
    last->value[word] = value;
    gm_value_order_perform(&values->order, value, word, old, visible);
    if (last->got == 0) {
        last->got = 1; /* noted */
        note_written(values, last->sector);
    }
    if (values->observer->performed != NULL) {
        values->observer->performed(values->observer->context, address_of(last->sector, word), old,
                                    value);
    }
}

/* Checks that the L2 has the last values of a sector that it reads for an SM. */
static void check_l2(gm_values *values, uint32_t sm, uint64_t sector)
{
    static const gm_value_sector none;
    const gm_value_table *table = &values->table;
    const gm_value_sector *last = gm_value_find(table, gm_value_owner(GM_VALUE_LAST, 0, 0), sector);
    const gm_value_sector *held = gm_value_find(table, gm_value_owner(GM_VALUE_L2, 0, 0), sector);
    last = last != NULL ? last : &none;
    held = held != NULL ? held : &none;
    for (unsigned word = 0; word < GM_VALUE_WORDS; word++) {
        if (held->value[word] != last->value[word]) {
            char who[WHO];
            snprintf(who, sizeof who, "the L2's read for SM %u", sm);
            report(values, who, address_of(sector, word), held->value[word], last->value[word],
                   "but the last write that it performed is");
        }
    }
}

/* Tells the observer the old values that an atomic reads. */
static void answer_atomic(gm_values *values, const gm_value_sector *sent)
{
    const gm_value_sector *last =
        gm_value_find(&values->table, gm_value_owner(GM_VALUE_LAST, 0, 0), sent->sector);
    for (unsigned left = sent->mask; values->observer->loaded != NULL && left != 0;
         left &= left - 1) {
        unsigned word = gm_lowest_one(left);
        if (sent->value[word] == 0) {
            return; /* out of memory */
        }
        const gm_value_store *store = gm_value_order_store(&values->order, sent->value[word]);
        values->observer->loaded(values->observer->context, &store->warp,
                                 address_of(sent->sector, word),
                                 last != NULL ? last->value[word] : 0);
    }
}

/* Counts a store that is performed for its warp's fences. */
static void end_store(gm_values *values, uint32_t value, uint64_t visible)
{
    const gm_value_store *store = gm_value_order_store(&values->order, value);
    slot *in = slot_with(values, &store->warp);
    if (in != NULL) {
        const gm_value_store *last = gm_value_order_store(&values->order, in->last);
        in->stores -= store->place == 0;
        in->last = in->last == 0 || visible > last->visible ? value : in->last;
    }
}

/* Performs the oldest write of a packet to a sector. */
static void perform_write(gm_values *values, uint64_t packet, uint64_t sector, bool returns,
                          bool through, uint64_t visible)
{
    gm_value_table *table = &values->table;
    const gm_value_sector *sent = gm_value_find(table, packet, sector);
    if (sent == NULL) {
        return;
    }
    gm_value_sector write = *sent;
    gm_value_remove(table, packet, sector);
    if (returns) {
        answer_atomic(values, &write);
    }
    for (unsigned left = write.mask; left != 0; left &= left - 1) {
        unsigned word = gm_lowest_one(left);
        uint8_t mask = (uint8_t)(1U << word);
        uint32_t value = write.value[word];
        if (value != 0) {
            end_store(values, value, visible);
        }
        become_last(values, gm_value_at(table, gm_value_owner(GM_VALUE_LAST, 0, 0), sector), word,
                    value, visible);
        write_words(values, gm_value_owner(GM_VALUE_L2, 0, 0), sector, mask, value);
        if (through) {
            write_words(values, gm_value_owner(GM_VALUE_MEMORY, 0, 0), sector, mask, value);
        }
    }
}

void gm_values_perform(gm_values *values, gm_message_kind kind, uint32_t sm, uint32_t id,
                       uint64_t l2_line, uint32_t sectors, bool through, uint64_t visible)
{
    for (uint32_t left = sectors; left != 0; left &= left - 1) {
        uint64_t sector = (l2_line << values->l2_bits) + gm_lowest_one(left);
        if (kind == GM_MESSAGE_READ || kind == GM_MESSAGE_ATOMIC) {
            check_l2(values, sm, sector);
        }
        if (kind == GM_MESSAGE_READ) {
            gm_value_copy(&values->table, gm_value_owner(GM_VALUE_REPLY, sm, id),
                          gm_value_owner(GM_VALUE_L2, 0, 0), sector);
        } else {
            perform_write(values, gm_value_owner(GM_VALUE_REQUEST, sm, id), sector,
                          kind == GM_MESSAGE_ATOMIC, through, visible);
        }
    }
}

void gm_values_reply(gm_values *values, uint32_t sm, uint32_t id, uint64_t l2_line,
                     uint32_t sectors)
{
    for (uint32_t left = sectors; left != 0; left &= left - 1) {
        gm_value_copy(&values->table, gm_value_owner(GM_VALUE_REPLY, sm, id),
                      gm_value_owner(GM_VALUE_L2, 0, 0),
                      (l2_line << values->l2_bits) + gm_lowest_one(left));
    }
}

/* Makes every write performed so far one that each SM must see. */
static void raise_floor(gm_values *values)
{
    for (uint32_t i = 0; i < values->written_count; i++) {
        uint64_t sector = values->written[i];
        gm_value_copy(&values->table, gm_value_owner(GM_VALUE_FLOOR, 0, 0),
                      gm_value_owner(GM_VALUE_LAST, 0, 0), sector);
        gm_value_at(&values->table, gm_value_owner(GM_VALUE_LAST, 0, 0), sector)->got = 0;
    }
    values->written_count = 0;
}

void gm_values_copy(gm_values *values, uint64_t l2_line, uint32_t sectors, bool installs)
{
    if (values->kernels == 0) {
        return; /* values 0 */
    }
    const gm_value_store store = {
        .warp = {.kernel = values->kernels}, .time = *values->now, .copy = true};
    uint32_t value = gm_value_order_add(&values->order, &store);
    for (uint32_t left = sectors; left != 0; left &= left - 1) {
        uint64_t sector = (l2_line << values->l2_bits) + gm_lowest_one(left);
        uint64_t last = gm_value_owner(GM_VALUE_LAST, 0, 0);
        for (unsigned word = 0; word < GM_VALUE_WORDS; word++) {
            become_last(values, gm_value_at(&values->table, last, sector), word, value, 0);
        }
        write_words(values, gm_value_owner(GM_VALUE_MEMORY, 0, 0), sector, GM_VALUE_ALL, value);
        if (installs) {
            write_words(values, gm_value_owner(GM_VALUE_L2, 0, 0), sector, GM_VALUE_ALL, value);
        }
    }
    raise_floor(values);
}

void gm_values_kernel(gm_values *values, uint64_t number, const gm_kernel *kernel)
{
    raise_floor(values);
    values->kernels = (uint32_t)number + 1;
    snprintf(values->kernel, sizeof values->kernel, "%.63s", kernel->name);
}

/* Names the SMs' L1s for gm_value_sweep. */
typedef struct l1s {
    const gm_values *values;
    uint32_t (*holds)(void *context, uint32_t sm, uint64_t line);
    void *context;
} l1s;

/* True for what an L1 no longer holds, and with l1.flush for an SM's own writes, which all SMs must
 * see from the next kernel on. */
static bool is_gone(void *context, const gm_value_sector *sector)
{
    const l1s *l1s = context;
    const gm_values *values = l1s->values;
    switch (gm_value_place_of(sector->owner)) {
    case GM_VALUE_L1:
        return (l1s->holds(l1s->context, gm_value_sm_of(sector->owner),
                           sector->sector >> values->l1_bits) >>
                    (sector->sector & gm_mask(values->l1_bits)) &
                1) == 0;
    case GM_VALUE_OWN:
        return values->flush;
    case GM_VALUE_NEWEST:
    case GM_VALUE_NEWEST_AT:
    case GM_VALUE_LATEST:
    case GM_VALUE_LATEST_AT:
        return true;
    case GM_VALUE_MEMORY:
    case GM_VALUE_L2:
    case GM_VALUE_REQUEST:
    case GM_VALUE_REPLY:
    case GM_VALUE_WAITING:
    case GM_VALUE_ASKED:
    case GM_VALUE_BEHIND:
    case GM_VALUE_SEEN:
    case GM_VALUE_LAST:
    case GM_VALUE_FLOOR:
        break;
    }
    return false;
}

void gm_values_end_kernel(gm_values *values,
                          uint32_t (*holds)(void *context, uint32_t sm, uint64_t line),
                          void *context)
{
    l1s l1s = {values, holds, context};
    gm_value_sweep(&values->table, is_gone, &l1s);
}
