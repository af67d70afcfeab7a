/* Values and sharing trackers: what the trackers' rules promise of the copies that they register
 * and let L1s supply. In the order engine a write is performed as its tracker processes it. In the
 * cycle engine it passes the tracker first: writes of a word pass in the order in which the L2
 * performs them, and a copy is compared with those that have passed. */
#include "cache/value_state.h"
#include "goldmem/bits.h"

#include <stdio.h>

void gm_values_time_trackers(gm_values *values)
{
    values->passes = values->group != 0;
}

/* True if a copy of a word lacks the write `bound`. Where writes pass, one that has not passed is
 * newer than all that have. */
static bool lacks(const gm_values *values, uint32_t copy, uint32_t bound)
{
    return values->passes ? gm_value_passed_before(&values->order, copy, bound)
                          : gm_value_is_older(&values->order, copy, bound);
}

/* Checks that a copy of a sector has the writes that `bounds` has. */
static void check_copy(gm_values *values, const gm_value_sector *copy,
                       const gm_value_sector *bounds, uint64_t sector, const char *who)
{
    static const gm_value_sector none;
    copy = copy != NULL ? copy : &none;
    bounds = bounds != NULL ? bounds : &none;
    for (unsigned word = 0; word < GM_VALUE_WORDS; word++) {
        if (lacks(values, copy->value[word], bounds->value[word])) {
            gm_value_report(values, who, gm_value_address(sector, word), copy->value[word],
                            bounds->value[word], "which is older than its tracker's");
        }
    }
}

static gm_value_sector *find(const gm_values *values, gm_value_place place, uint32_t sm,
                             uint32_t number, uint64_t sector)
{
    return gm_value_find(&values->table, gm_value_owner(place, sm, number), sector);
}

void gm_values_register(gm_values *values, uint32_t sm, uint64_t line, uint32_t sectors)
{
    char who[GM_VALUE_WHO];
    snprintf(who, sizeof who, "SM %u: registered copy", sm);
    for (uint32_t left = sectors; values->group != 0 && left != 0; left &= left - 1) {
        uint64_t sector = gm_value_l1_sector(values, line) + gm_lowest_one(left);
        check_copy(values, find(values, GM_VALUE_L1, sm, 0, sector),
                   gm_value_find(&values->table, gm_value_group_of(values, sm), sector), sector,
                   who);
    }
}

void gm_values_supply(gm_values *values, uint32_t sm, uint32_t supplier, uint64_t line,
                      uint32_t sectors, uint32_t id)
{
    char who[GM_VALUE_WHO];
    snprintf(who, sizeof who, "SM %u: supply by SM %u", sm, supplier);
    for (uint32_t left = sectors; left != 0; left &= left - 1) {
        uint64_t sector = gm_value_l1_sector(values, line) + gm_lowest_one(left);
        const gm_value_sector *bounds =
            values->passes
                ? find(values, GM_VALUE_NAMED, sm, id, sector)
                : gm_value_find(&values->table, gm_value_group_of(values, supplier), sector);
        check_copy(values, find(values, GM_VALUE_L1, supplier, 0, sector), bounds, sector, who);
        gm_value_copy(&values->table, gm_value_owner(GM_VALUE_REPLY, sm, id),
                      gm_value_owner(GM_VALUE_L1, supplier, 0), sector);
    }
    gm_values_end_look_up(values, sm, id, line, sectors);
}

void gm_values_look_up(gm_values *values, uint32_t sm, uint32_t id, uint64_t line, uint32_t sectors)
{
    for (uint32_t left = sectors; left != 0; left &= left - 1) {
        gm_value_copy(&values->table, gm_value_owner(GM_VALUE_NAMED, sm, id),
                      gm_value_group_of(values, sm),
                      gm_value_l1_sector(values, line) + gm_lowest_one(left));
    }
}

void gm_values_end_look_up(gm_values *values, uint32_t sm, uint32_t id, uint64_t line,
                           uint32_t sectors)
{
    for (uint32_t left = sectors; left != 0; left &= left - 1) {
        gm_value_remove(&values->table, gm_value_owner(GM_VALUE_NAMED, sm, id),
                        gm_value_l1_sector(values, line) + gm_lowest_one(left));
    }
}

/* Adds what one place of an SM has of a sector behind what another has. */
static void send(gm_values *values, gm_value_place to, gm_value_place from, uint32_t sm,
                 uint64_t sector)
{
    gm_value_sector *sent = gm_value_add(&values->table, gm_value_owner(to, sm, 0), sector);
    const gm_value_sector *copy = find(values, from, sm, 0, sector);
    for (unsigned word = 0; copy != NULL && word < GM_VALUE_WORDS; word++) {
        sent->value[word] = copy->value[word];
    }
}

void gm_values_fill(gm_values *values, uint32_t sm, uint64_t line, uint32_t sectors)
{
    for (uint32_t left = sectors; left != 0; left &= left - 1) {
        send(values, GM_VALUE_FILLING, GM_VALUE_L1, sm,
             gm_value_l1_sector(values, line) + gm_lowest_one(left));
    }
}

void gm_values_evict(gm_values *values, uint32_t sm, uint64_t line, uint32_t sectors)
{
    for (uint32_t left = sectors; left != 0; left &= left - 1) {
        send(values, GM_VALUE_EVICTED, GM_VALUE_L1, sm,
             gm_value_l1_sector(values, line) + gm_lowest_one(left));
    }
}

void gm_values_evicted(gm_values *values, uint32_t sm, uint64_t line, uint32_t sectors, bool sent)
{
    char who[GM_VALUE_WHO];
    snprintf(who, sizeof who, "SM %u: victim for the L2", sm);
    for (uint32_t left = sectors; left != 0; left &= left - 1) {
        uint64_t sector = gm_value_l1_sector(values, line) + gm_lowest_one(left);
        if (sent) {
            check_copy(values, find(values, GM_VALUE_EVICTED, sm, 0, sector),
                       gm_value_find(&values->table, gm_value_group_of(values, sm), sector), sector,
                       who);
            send(values, GM_VALUE_VICTIM, GM_VALUE_EVICTED, sm, sector);
        }
        gm_value_remove(&values->table, gm_value_owner(GM_VALUE_EVICTED, sm, 0), sector);
    }
}

void gm_values_filled(gm_values *values, uint32_t sm, uint64_t line, uint32_t sectors,
                      bool registers)
{
    char who[GM_VALUE_WHO];
    snprintf(who, sizeof who, "SM %u: registered copy", sm);
    for (uint32_t left = sectors; left != 0; left &= left - 1) {
        uint64_t sector = gm_value_l1_sector(values, line) + gm_lowest_one(left);
        if (registers) {
            check_copy(values, find(values, GM_VALUE_FILLING, sm, 0, sector),
                       gm_value_find(&values->table, gm_value_group_of(values, sm), sector), sector,
                       who);
        }
        gm_value_remove(&values->table, gm_value_owner(GM_VALUE_FILLING, sm, 0), sector);
    }
}

void gm_values_pass(gm_values *values, uint32_t sm, uint32_t id, uint64_t l2_line, uint32_t sectors)
{
    gm_value_table *table = &values->table;
    uint64_t packet = gm_value_owner(GM_VALUE_REQUEST, sm, id);
    for (uint32_t left = sectors; left != 0; left &= left - 1) {
        uint64_t sector = (l2_line << values->l2_bits) + gm_lowest_one(left);
        const gm_value_sector *sent = gm_value_find(table, packet, sector);
        if (sent == NULL) {
            continue;
        }
        const gm_value_sector write = *sent;
        gm_value_remove(table, packet, sector);
        gm_value_sector *passed =
            gm_value_add(table, gm_value_owner(GM_VALUE_PASSED, sm, id), sector);
        passed->mask = write.mask;
        passed->bytes = write.bytes;
        for (unsigned word = 0; word < GM_VALUE_WORDS; word++) {
            passed->value[word] = write.value[word];
        }
        for (unsigned words = write.mask; words != 0; words &= words - 1) {
            unsigned word = gm_lowest_one(words);
            gm_value_order_pass(&values->order, write.value[word]);
            gm_value_write(values, gm_value_group_of(values, sm), sector, (uint8_t)(1U << word),
                           write.value[word]);
        }
    }
}
