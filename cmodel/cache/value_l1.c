/* Values in the L1s: requests, loads and stores, replies, write-backs. */
#include "cache/value_state.h"
#include "goldmem/bits.h"

#include <stdio.h>
#include <string.h>

static uint64_t owner_of(gm_value_place place, const gm_value_request *request)
{
    return gm_value_owner(place, request->sm, request->ticket);
}

void gm_values_issue(gm_values *values, uint32_t ticket, const gm_value_warp *warp)
{
    gm_value_slot *in = gm_value_slot_of(values, warp);
    if (gm_value_slot_with(values, warp) == NULL) {
        *in = (gm_value_slot){.cta = warp->cta,
                              .warp = warp->warp,
                              .kernel = warp->kernel + 1,
                              .reader = values->readers++};
    }
    gm_value_warp *issued = &values->issued[(size_t)warp->sm * GM_VALUE_TICKETS + ticket];
    *issued = *warp;
    issued->number = in->number++;
}

/* Returns those of the words of a request that have values. */
static uint8_t wanted_words(const gm_values *values, const gm_value_request *request,
                            uint64_t sector, uint8_t words)
{
    const gm_value_observer *observer = values->observer;
    const gm_value_warp *warp =
        &values->issued[(size_t)request->sm * GM_VALUE_TICKETS + request->ticket];
    for (unsigned left = values->unchecked && observer->wants != NULL ? words : 0; left != 0;
         left &= left - 1) {
        unsigned word = gm_lowest_one(left);
        if (!observer->wants(observer->context, warp, gm_value_address(sector, word))) {
            words &= (uint8_t) ~(1U << word);
        }
    }
    return words;
}

void gm_values_ask(gm_values *values, const gm_value_request *request, const uint8_t *words,
                   const uint32_t *bytes)
{
    for (uint32_t left = request->sectors; left != 0; left &= left - 1) {
        unsigned place = gm_lowest_one(left);
        uint64_t sector = gm_value_l1_sector(values, request->line) + place;
        uint8_t wanted = wanted_words(values, request, sector, words[place]);
        if (wanted == 0 && words[place] != 0) {
            continue;
        }
        gm_value_sector *asked =
            gm_value_add(&values->table, owner_of(GM_VALUE_ASKED, request), sector);
        asked->mask = wanted;
        asked->bytes = bytes != NULL ? bytes[place] : 0;
    }
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
        uint64_t sector = gm_value_l1_sector(values, request->line) + place;
        gm_value_copy(table, owner_of(GM_VALUE_BEHIND, request),
                      gm_value_owner(GM_VALUE_OWN, request->sm, 0), sector);
        if (values->coherent) {
            gm_value_note_visible(values, request->sm, request->ticket, sector, request->since);
        }
        gm_value_sector *load = gm_value_find(table, owner_of(GM_VALUE_ASKED, request), sector);
        if (load == NULL) {
            continue;
        }
        load->waits = 1;
        load->reply = id;
        load->later = values->order.count;
        gm_value_slot_of(values,
                         &values->issued[(size_t)request->sm * GM_VALUE_TICKETS + request->ticket])
            ->loads++;
        if ((held >> place & 1) != 0) {
            take_words(table, load, gm_value_owner(GM_VALUE_L1, request->sm, 0), GM_VALUE_ALL);
        } else {
            const gm_value_sector *written = gm_value_find(table, waiting, sector);
            take_words(table, load, waiting, written != NULL ? written->mask : 0);
        }
        if (load->got == load->mask) {
            gm_value_end_load(values, request->sm, request->ticket, sector);
        }
    }
}

void gm_values_answer(gm_values *values, uint32_t sm, uint32_t ticket, uint64_t line,
                      uint32_t sectors, uint32_t id)
{
    gm_value_table *table = &values->table;
    for (unsigned place = 0; place >> values->l1_bits == 0; place++) {
        uint64_t sector = gm_value_l1_sector(values, line) + place;
        gm_value_sector *load =
            gm_value_find(table, gm_value_owner(GM_VALUE_ASKED, sm, ticket), sector);
        uint64_t reply = gm_value_owner(GM_VALUE_REPLY, sm, id);
        if (load != NULL && load->waits != 0 && load->reply == id && (sectors >> place & 1) != 0) {
            take_words(table, load, reply, GM_VALUE_ALL);
            gm_value_end_load(values, sm, ticket, sector);
        }
    }
}

uint32_t gm_value_number_store(gm_values *values, const gm_value_warp *warp, uint64_t sector,
                               uint8_t mask)
{
    const gm_value_store store = {.warp = *warp, .time = *values->now};
    uint32_t value = gm_value_order_add(&values->order, &store);
    gm_value_slot_of(values, warp)->stores += value != 0;
    for (unsigned left = mask; values->observer->wrote != NULL && left != 0; left &= left - 1) {
        values->observer->wrote(values->observer->context, warp,
                                gm_value_address(sector, gm_lowest_one(left)), value);
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
        uint64_t sector = gm_value_l1_sector(values, request->line) + place;
        uint64_t owner = owner_of(GM_VALUE_ASKED, request);
        const gm_value_sector *asked = gm_value_find(table, owner, sector);
        if (asked == NULL) {
            continue;
        }
        uint8_t mask = asked->mask;
        uint32_t bytes = asked->bytes;
        uint32_t value = gm_value_number_store(values, warp, sector, mask);
        gm_value_remove(table, owner, sector);
        gm_value_write(values, gm_value_owner(GM_VALUE_OWN, sm, 0), sector, mask, value);
        if ((effect->held >> place & 1) != 0) {
            gm_value_sector *line =
                gm_value_write(values, gm_value_owner(GM_VALUE_L1, sm, 0), sector, mask, value);
            line->mask |= (effect->dirtied >> place & 1) != 0 ? mask : 0;
        }
        if ((effect->waiting >> place & 1) != 0) {
            uint64_t entry = gm_value_owner(GM_VALUE_WAITING, sm, effect->entry);
            gm_value_write(values, entry, sector, mask, value)->mask |= mask;
        }
        if ((effect->forwarded >> place & 1) != 0) {
            uint64_t packet = gm_value_owner(GM_VALUE_REQUEST, sm, effect->id);
            gm_value_sector *sent = gm_value_add(table, packet, sector);
            sent->mask = mask;
            sent->bytes = bytes;
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
        uint64_t sector = gm_value_l1_sector(values, line) + place;
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
        uint64_t sector = gm_value_l1_sector(values, line) + place;
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
        uint64_t sector = gm_value_l1_sector(values, line) + gm_lowest_one(left);
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
