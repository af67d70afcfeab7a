/* Values in the L2 and in DRAM: fetches, writes, the order in which writes are performed. */
#include "cache/value_state.h"
#include "goldmem/bits.h"

#include <stdio.h>
#include <stdlib.h>

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

void gm_values_take(gm_values *values, uint64_t l2_line, uint32_t sectors, uint32_t bytes)
{
    if (values->bytes) {
        gm_value_move_bytes(values, GM_VALUE_BUFFER_BYTES, GM_VALUE_L2_BYTES, l2_line, bytes);
    } else {
        copy_sectors(values, GM_VALUE_BUFFER, GM_VALUE_L2, l2_line, sectors);
    }
}

void gm_values_put(gm_values *values, uint64_t l2_line, uint32_t sectors, uint32_t bytes)
{
    if (values->bytes) {
        gm_value_move_bytes(values, GM_VALUE_L2_BYTES, GM_VALUE_BUFFER_BYTES, l2_line, bytes);
    } else {
        copy_sectors(values, GM_VALUE_L2, GM_VALUE_BUFFER, l2_line, sectors);
    }
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

void gm_value_become_last(gm_values *values, gm_value_sector *last, unsigned word, uint32_t value,
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
        values->observer->performed(values->observer->context, gm_value_address(last->sector, word),
                                    old, value);
    }
}

void gm_value_check_last(gm_values *values, const char *what, uint32_t sm, uint64_t owner,
                         uint64_t sector)
{
    static const gm_value_sector none;
    const gm_value_table *table = &values->table;
    const gm_value_sector *last = gm_value_find(table, gm_value_owner(GM_VALUE_LAST, 0, 0), sector);
    const gm_value_sector *held = gm_value_find(table, owner, sector);
    last = last != NULL ? last : &none;
    held = held != NULL ? held : &none;
    for (unsigned word = 0; word < GM_VALUE_WORDS; word++) {
        if (held->value[word] != last->value[word]) {
            char who[GM_VALUE_WHO];
            snprintf(who, sizeof who, "the %s SM %u", what, sm);
            gm_value_report(values, who, gm_value_address(sector, word), held->value[word],
                            last->value[word], "but the last write that it performed is");
        }
    }
}

/* Checks what the L2, or an atomic buffer, has of a sector that it reads for an SM. */
static void check_l2(gm_values *values, gm_value_place place, uint32_t sm, uint64_t sector)
{
    gm_value_check_last(values,
                        place == GM_VALUE_BUFFER ? "atomic buffer's read for" : "L2's read for", sm,
                        gm_value_owner(place, 0, 0), sector);
}

/* Checks what the L2 has of the bytes of a sector that a load reads, or an atomic. */
static void check_l2_bytes(gm_values *values, gm_value_place place, uint32_t sm, uint32_t id,
                           bool load, uint64_t sector)
{
    gm_value_place packet = values->passes ? GM_VALUE_PASSED : GM_VALUE_REQUEST;
    const gm_value_sector *sent =
        gm_value_find(&values->table, gm_value_owner(packet, sm, id), sector);
    uint32_t bytes = load ? UINT32_MAX : sent != NULL ? sent->bytes : 0;
    char who[GM_VALUE_WHO];
    snprintf(who, sizeof who, "the %s read for SM %u",
             place == GM_VALUE_BUFFER ? "atomic buffer's" : "L2's", sm);
    gm_value_check_bytes(values, who, gm_value_bytes_of(place), sector, bytes);
}

void gm_value_answer_atomic(gm_values *values, const gm_value_sector *sent)
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
                                 gm_value_address(sent->sector, word),
                                 last != NULL ? last->value[word] : 0);
    }
}

void gm_value_end_store(gm_values *values, uint32_t value, uint64_t visible)
{
    const gm_value_store *store = gm_value_order_store(&values->order, value);
    gm_value_slot *in = gm_value_slot_with(values, &store->warp);
    if (in != NULL) {
        const gm_value_store *last = gm_value_order_store(&values->order, in->last);
        in->stores -= store->place == 0;
        in->last = in->last == 0 || visible > last->visible ? value : in->last;
    }
}

/* Performs the oldest write of a packet to a sector in the L2 or in an atomic buffer. */
static void perform_write(gm_values *values, gm_value_place place, uint64_t packet, uint64_t sector,
                          bool returns, bool through, uint64_t visible)
{
    gm_value_table *table = &values->table;
    uint32_t sm = gm_value_sm_of(packet);
    const gm_value_sector *sent = gm_value_find(table, packet, sector);
    if (sent == NULL) {
        return;
    }
    gm_value_sector write = *sent;
    gm_value_remove(table, packet, sector);
    if (returns) {
        gm_value_answer_atomic(values, &write);
    }
    for (unsigned left = write.mask; left != 0; left &= left - 1) {
        unsigned word = gm_lowest_one(left);
        uint8_t mask = (uint8_t)(1U << word);
        uint32_t value = write.value[word];
        if (value != 0 && !values->unchecked) {
            gm_value_end_store(values, value, visible);
        }
        if (values->bytes) {
            gm_value_write_bytes(values, gm_value_bytes_of(place), sector,
                                 write.bytes & UINT32_C(15) << word * 4, value);
        }
        gm_value_become_last(values,
                             gm_value_at(table, gm_value_owner(GM_VALUE_LAST, 0, 0), sector), word,
                             value, visible);
        gm_value_write(values, gm_value_owner(place, 0, 0), sector, mask, value);
        if (values->group != 0 && !values->passes) {
            gm_value_write(values, gm_value_group_of(values, sm), sector, mask, value);
        }
        if (through) {
            gm_value_write(values, gm_value_owner(GM_VALUE_MEMORY, 0, 0), sector, mask, value);
        }
    }
}

/* Returns the place whose words the L2 reads at `place`, itself or an atomic buffer: where it knows
 * bytes and these have been checked, the last writes. */
static uint64_t held_at(const gm_values *values, gm_value_place place)
{
    return gm_value_owner(values->bytes ? GM_VALUE_LAST : place, 0, 0);
}

static void perform(gm_values *values, gm_value_place place, gm_message_kind kind, uint32_t sm,
                    uint32_t id, uint64_t l2_line, uint32_t sectors, bool through, uint64_t visible)
{
    for (uint32_t left = sectors; left != 0; left &= left - 1) {
        uint64_t sector = (l2_line << values->l2_bits) + gm_lowest_one(left);
        if (values->bytes && (kind == GM_MESSAGE_READ || kind == GM_MESSAGE_ATOMIC)) {
            check_l2_bytes(values, place, sm, id, kind == GM_MESSAGE_READ, sector);
        } else if (kind == GM_MESSAGE_READ || kind == GM_MESSAGE_ATOMIC) {
            check_l2(values, place, sm, sector);
        }
        if (kind == GM_MESSAGE_READ) {
            gm_value_copy(&values->table, gm_value_owner(GM_VALUE_REPLY, sm, id),
                          held_at(values, place), sector);
        } else {
            gm_value_place sent = values->passes ? GM_VALUE_PASSED : GM_VALUE_REQUEST;
            perform_write(values, place, gm_value_owner(sent, sm, id), sector,
                          kind == GM_MESSAGE_ATOMIC, through, visible);
        }
    }
}

void gm_values_perform(gm_values *values, gm_message_kind kind, uint32_t sm, uint32_t id,
                       uint64_t l2_line, uint32_t sectors, bool through, uint64_t visible)
{
    perform(values, GM_VALUE_L2, kind, sm, id, l2_line, sectors, through, visible);
}

void gm_values_perform_in_buffer(gm_values *values, gm_message_kind kind, uint32_t sm, uint32_t id,
                                 uint64_t l2_line, uint32_t sectors, uint64_t visible)
{
    perform(values, GM_VALUE_BUFFER, kind, sm, id, l2_line, sectors, false, visible);
}

void gm_values_insert_victim(gm_values *values, uint32_t sm, uint64_t l2_line, uint32_t sectors)
{
    const uint64_t copy = gm_value_owner(values->passes ? GM_VALUE_VICTIM : GM_VALUE_L1, sm, 0);
    const uint64_t memory = gm_value_owner(GM_VALUE_MEMORY, 0, 0);
    if (values->bytes) {
        gm_values_allocate_bytes(values, l2_line);
    }
    for (uint32_t left = sectors; left != 0; left &= left - 1) {
        uint64_t sector = (l2_line << values->l2_bits) + gm_lowest_one(left);
        gm_value_check_last(values, "L2's victim of", sm, copy, sector);
        if (values->bytes) {
            gm_value_check_bytes(values, "DRAM, of a victim,", GM_VALUE_MEMORY_BYTES, sector,
                                 UINT32_MAX);
            gm_values_fetch_bytes(values, sector, UINT32_MAX);
        } else {
            gm_value_check_last(values, "DRAM's line of the victim of", sm, memory, sector);
            gm_value_copy(&values->table, gm_value_owner(GM_VALUE_L2, 0, 0), copy, sector);
        }
    }
    gm_values_drop_victim(values, sm, l2_line, sectors);
}

void gm_values_drop_victim(gm_values *values, uint32_t sm, uint64_t l2_line, uint32_t sectors)
{
    for (uint32_t left = values->passes ? sectors : 0; left != 0; left &= left - 1) {
        gm_value_remove(&values->table, gm_value_owner(GM_VALUE_VICTIM, sm, 0),
                        (l2_line << values->l2_bits) + gm_lowest_one(left));
    }
}

void gm_values_reply(gm_values *values, uint32_t sm, uint32_t id, uint64_t l2_line,
                     uint32_t sectors)
{
    for (uint32_t left = sectors; left != 0; left &= left - 1) {
        gm_value_copy(&values->table, gm_value_owner(GM_VALUE_REPLY, sm, id),
                      held_at(values, GM_VALUE_L2),
                      (l2_line << values->l2_bits) + gm_lowest_one(left));
    }
}

void gm_values_read_dram(gm_values *values, uint32_t sm, uint32_t id, uint64_t l2_line,
                         uint32_t sectors)
{
    if (!values->bytes) {
        gm_values_fetch(values, l2_line, sectors);
        gm_values_perform(values, GM_MESSAGE_READ, sm, id, l2_line, sectors, false, 0);
        return;
    }
    char who[GM_VALUE_WHO];
    snprintf(who, sizeof who, "the read of DRAM for SM %u", sm);
    gm_value_check_bytes(values, who, GM_VALUE_MEMORY_BYTES, l2_line, UINT32_MAX);
    gm_values_reply(values, sm, id, l2_line, sectors);
}
