/* Values of L1s that own lines (MESI): writes are performed in an L1's copy, whose data reach the
 * L2 in a write-back or in the owner's answer to a forward. */
#include "cache/value_state.h"
#include "goldmem/bits.h"

#include <stdio.h>
#include <string.h>

/* The place of the stores of a ticket that have begun, in order: an atomic may have several of one
 * sector. */
static uint64_t begun_by(uint32_t sm, uint32_t ticket)
{
    return gm_value_owner(GM_VALUE_WAITING, sm, ticket | UINT32_C(1) << 31); /* no packet's id */
}

void gm_values_begin_store(gm_values *values, const gm_value_request *request)
{
    gm_value_table *table = &values->table;
    const gm_value_warp *warp =
        &values->issued[(size_t)request->sm * GM_VALUE_TICKETS + request->ticket];
    for (uint32_t left = request->sectors; left != 0; left &= left - 1) {
        uint64_t sector = gm_value_l1_sector(values, request->line) + gm_lowest_one(left);
        uint64_t owner = gm_value_owner(GM_VALUE_ASKED, request->sm, request->ticket);
        gm_value_sector *asked = gm_value_find(table, owner, sector);
        if (asked == NULL) {
            continue;
        }
        uint8_t mask = asked->mask;
        uint32_t value = gm_value_number_store(values, warp, sector, mask);
        gm_value_remove(table, owner, sector);
        gm_value_sector *begun =
            gm_value_add(table, begun_by(request->sm, request->ticket), sector);
        begun->mask = mask;
        for (unsigned word = 0; word < GM_VALUE_WORDS; word++) {
            begun->value[word] = value; /* of each word: gm_values_each tells of it */
        }
        gm_value_write(values, gm_value_owner(GM_VALUE_OWN, request->sm, 0), sector, mask, value);
    }
}

/* Performs the oldest store or atomic of a ticket that has begun, on a sector of the SM's copy. */
static void perform_sector(gm_values *values, bool returns, uint32_t sm, uint64_t owner,
                           uint64_t sector)
{
    gm_value_table *table = &values->table;
    uint64_t l1 = gm_value_owner(GM_VALUE_L1, sm, 0);
    uint64_t last = gm_value_owner(GM_VALUE_LAST, 0, 0);
    gm_value_sector write = *gm_value_find(table, owner, sector);
    uint32_t value = write.value[0];
    gm_value_remove(table, owner, sector);
    gm_value_check_last(values, "L1, which writes, of", sm, l1, sector);
    if (returns) {
        gm_value_answer_atomic(values, &write);
    }
    for (unsigned left = write.mask; left != 0; left &= left - 1) {
        unsigned word = gm_lowest_one(left);
        if (value != 0 && !values->unchecked) {
            gm_value_end_store(values, value, *values->now);
        }
        gm_value_become_last(values, gm_value_at(table, last, sector), word, value, *values->now);
    }
    gm_value_write(values, l1, sector, write.mask, value);
}

void gm_values_perform_in_l1(gm_values *values, bool returns, uint32_t sm, uint32_t ticket,
                             uint64_t line)
{
    for (unsigned place = 0; place >> values->l1_bits == 0; place++) {
        uint64_t sector = gm_value_l1_sector(values, line) + place;
        uint64_t owner = begun_by(sm, ticket);
        if (gm_value_find(&values->table, owner, sector) != NULL) {
            perform_sector(values, returns, sm, owner, sector);
        }
    }
}

void gm_values_renew_reply(gm_values *values, uint32_t sm, uint64_t line, uint32_t id)
{
    for (unsigned place = 0; place >> values->l1_bits == 0; place++) {
        gm_value_copy(&values->table, gm_value_owner(GM_VALUE_REPLY, sm, id),
                      gm_value_owner(GM_VALUE_L1, sm, 0), gm_value_l1_sector(values, line) + place);
    }
}

void gm_values_send_line(gm_values *values, uint32_t sm, uint64_t line, uint32_t sectors,
                         uint32_t id)
{
    for (uint32_t left = sectors; left != 0; left &= left - 1) {
        gm_value_copy(&values->table, gm_value_owner(GM_VALUE_REQUEST, sm, id),
                      gm_value_owner(GM_VALUE_L1, sm, 0),
                      gm_value_l1_sector(values, line) + gm_lowest_one(left));
    }
}

void gm_values_take_line(gm_values *values, uint32_t sm, uint32_t id, uint64_t l2_line,
                         uint32_t sectors, bool old)
{
    gm_value_table *table = &values->table;
    uint64_t packet = gm_value_owner(GM_VALUE_REQUEST, sm, id);
    uint64_t l2 = gm_value_owner(GM_VALUE_L2, 0, 0);
    for (uint32_t left = sectors; left != 0; left &= left - 1) {
        uint64_t sector = (l2_line << values->l2_bits) + gm_lowest_one(left);
        if (!old) {
            gm_value_copy(table, l2, packet, sector);
            gm_value_check_last(values, "L2's data of", sm, l2, sector);
        }
        gm_value_remove(table, packet, sector);
    }
}
