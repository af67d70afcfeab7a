/* Checks of values: of each word of a load, of the order of a warp's loads, of fences. */
#include "cache/value_state.h"
#include "goldmem/bits.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

void gm_value_report(gm_values *values, const char *who, uint64_t address, uint32_t seen,
                     uint32_t expected, const char *why)
{
    char saw[GM_VALUE_WHO];
    char newer[GM_VALUE_WHO];
    if (values->wrong.code != 0 || values->unchecked) {
        return;
    }
    gm_value_order_describe(&values->order, seen, saw, sizeof saw);
    gm_value_order_describe(&values->order, expected, newer, sizeof newer);
    values->wrong.code = gm_fail(
        &values->wrong, -EPROTO, "values: kernel %u (%s), %s %llu: %s of 0x%llx saw %s, %s %s",
        values->kernels == 0 ? 0 : values->kernels - 1, values->kernel, values->order.unit,
        (unsigned long long)*values->now, who, (unsigned long long)address, saw, why, newer);
}

/* With sharing trackers: checks that a load has not read a write of its own SM from behind it:
 * another L1 must not supply it. `later`: values from this one on were stored after the load. */
static void check_not_later(gm_values *values, const gm_value_warp *warp, uint64_t address,
                            uint32_t seen, uint32_t own, uint32_t later)
{
    if (values->group != 0 && seen >= later && seen != 0 &&
        gm_value_order_store(&values->order, seen)->warp.sm == warp->sm) {
        char who[GM_VALUE_WHO];
        snprintf(who, sizeof who, "SM %u, warp %u of CTA %llu: load", warp->sm, warp->warp,
                 (unsigned long long)warp->cta);
        gm_value_report(values, who, address, seen, own,
                        "which its SM stored after the load; before it it had");
    }
}

/* Checks a word that a load has read. `own`: the last write of its SM before it. */
static void check_word(gm_values *values, const gm_value_warp *warp, uint64_t address,
                       uint32_t seen, uint32_t own, uint32_t floor, uint32_t visible,
                       uint32_t later)
{
    bool lost = gm_value_is_older(&values->order, seen, own);
    bool stale = values->flush && gm_value_is_older(&values->order, seen, floor);
    bool old = gm_value_is_older(&values->order, seen, visible);
    check_not_later(values, warp, address, seen, own, later);
    if (lost || stale || old) {
        char who[GM_VALUE_WHO];
        snprintf(who, sizeof who, "SM %u, warp %u of CTA %llu: load", warp->sm, warp->warp,
                 (unsigned long long)warp->cta);
        gm_value_report(values, who, address, seen,
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
    char who[GM_VALUE_WHO];
    snprintf(who, sizeof who, "SM %u, warp %u of CTA %llu: load", warp->sm, warp->warp,
             (unsigned long long)warp->cta);
    if (*newest_at != 0 && at > *newest_at && gm_value_is_older(&values->order, value, *newest)) {
        gm_value_report(values, who, address, value, *newest,
                        "which is older than its earlier load's");
    } else if (*latest_at > at && gm_value_is_older(&values->order, *latest, value)) {
        gm_value_report(values, who, address, *latest, value,
                        "which is older than its earlier load's");
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
    const gm_value_slot *in = gm_value_slot_with(values, warp);
    const gm_value_sector *last =
        gm_value_find(&values->table, gm_value_owner(GM_VALUE_LAST, 0, 0), load.sector);
    if (!values->coherent || values->unchecked || in == NULL || last == NULL || last->got == 0) {
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
            check_order(values, warp, gm_value_address(load.sector, word), load.value[word], &read);
        }
    }
}

void gm_value_end_load(gm_values *values, uint32_t sm, uint32_t ticket, uint64_t sector)
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
        if (!values->unchecked) {
            check_word(values, warp, gm_value_address(sector, word), load->value[word],
                       own->value[word], floor->value[word], visible->value[word], load->later);
        }
        if (values->observer->loaded != NULL) {
            values->observer->loaded(values->observer->context, warp,
                                     gm_value_address(sector, word), load->value[word]);
        }
    }
    const gm_value_sector ended = *load;
    gm_value_remove(table, owner, sector);
    gm_value_remove(table, behind, sector);
    gm_value_remove(table, gm_value_owner(GM_VALUE_SEEN, sm, ticket), sector);
    check_orders(values, warp, ended);
    gm_value_slot *in = gm_value_slot_with(values, warp);
    if (in != NULL) {
        in->loads--;
    }
}

void gm_values_begin_warp(gm_values *values, uint32_t sm, uint32_t slot)
{
    values->slot[(size_t)sm * values->slots + slot].kernel = 0;
}

/* A fence waits for its warp's loads, and until each of its writes is visible. */
void gm_values_fence(gm_values *values, uint32_t sm, uint32_t number, uint32_t kernel)
{
    gm_value_slot *in = &values->slot[(size_t)sm * values->slots + number];
    uint64_t visible = in->last != 0 ? gm_value_order_store(&values->order, in->last)->visible : 0;
    in->fenced = *values->now;
    if (in->kernel != kernel + 1 || values->wrong.code != 0 || values->unchecked ||
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

void gm_value_note_visible(gm_values *values, uint32_t sm, uint32_t ticket, uint64_t sector,
                           uint64_t since)
{
    gm_value_table *table = &values->table;
    const gm_value_warp *warp = &values->issued[(size_t)sm * GM_VALUE_TICKETS + ticket];
    uint64_t fenced = gm_value_slot_of(values, warp)->fenced;
    uint64_t cycle = since == 0 ? *values->now : since > fenced ? since : fenced;
    const gm_value_sector *last = gm_value_find(table, gm_value_owner(GM_VALUE_LAST, 0, 0), sector);
    if (last == NULL || values->unchecked) {
        return;
    }
    uint32_t value[GM_VALUE_WORDS];
    for (unsigned word = 0; word < GM_VALUE_WORDS; word++) {
        value[word] = gm_value_order_visible(&values->order, last->value[word], word, cycle);
    }
    gm_value_sector *seen = gm_value_at(table, gm_value_owner(GM_VALUE_SEEN, sm, ticket), sector);
    memcpy(seen->value, value, sizeof seen->value);
}
