/* Values of bytes: an L2 whose lines know which of their bytes are valid (l2.dirty=byte). The L2
 * and DRAM hold a value for each byte; a byte that a line does not have, has none. Four entries of
 * the table, of eight bytes each, hold a sector. */
#include "cache/value_state.h"
#include "goldmem/bits.h"

#include <stdio.h>

enum { PARTS = GM_SECTOR / GM_VALUE_WORDS }; /* entries of a sector */

_Static_assert(PARTS *GM_VALUE_WORDS == GM_SECTOR, "entries hold a sector");

#define NONE UINT32_MAX /* the line does not have the byte */

/* True if lines in the place may lack bytes. */
static bool may_lack(gm_value_place place)
{
    return place == GM_VALUE_L2_BYTES || place == GM_VALUE_BUFFER_BYTES;
}

static uint64_t owner_of(gm_value_place place)
{
    return gm_value_owner(place, 0, 0);
}

/* Returns what a place has of a byte of a sector: in the L2 and in atomic buffers nothing,
 * elsewhere 0, unless told. */
static uint32_t byte_of(const gm_values *values, gm_value_place place, uint64_t sector,
                        unsigned byte)
{
    const gm_value_sector *at =
        gm_value_find(&values->table, owner_of(place), sector * PARTS + byte / GM_VALUE_WORDS);
    return at != NULL ? at->value[byte % GM_VALUE_WORDS] : may_lack(place) ? NONE : 0;
}

static void set_byte(gm_values *values, gm_value_place place, uint64_t sector, unsigned byte,
                     uint32_t value)
{
    uint64_t part = sector * PARTS + byte / GM_VALUE_WORDS;
    gm_value_sector *at = gm_value_find(&values->table, owner_of(place), part);
    if (at == NULL) {
        at = gm_value_add(&values->table, owner_of(place), part);
        for (unsigned i = 0; may_lack(place) && i < GM_VALUE_WORDS; i++) {
            at->value[i] = NONE;
        }
    }
    at->value[byte % GM_VALUE_WORDS] = value;
}

static void report_none(gm_values *values, const char *who, uint64_t sector, unsigned byte)
{
    gm_value_report(values, who, sector * GM_SECTOR + byte, 0,
                    byte_of(values, GM_VALUE_LAST_BYTES, sector, byte),
                    "since the L2's line does not have the byte; the last write is");
}

static void forget(gm_values *values, gm_value_place place, uint64_t sector)
{
    for (unsigned part = 0; part < PARTS; part++) {
        gm_value_remove(&values->table, owner_of(place), sector * PARTS + part);
    }
}

void gm_values_allocate_bytes(gm_values *values, uint64_t l2_line)
{
    forget(values, GM_VALUE_L2_BYTES, l2_line);
}

void gm_value_move_bytes(gm_values *values, gm_value_place to, gm_value_place from, uint64_t sector,
                         uint32_t bytes)
{
    forget(values, to, sector);
    for (uint32_t left = bytes; left != 0; left &= left - 1) {
        unsigned byte = gm_lowest_one(left);
        set_byte(values, to, sector, byte, byte_of(values, from, sector, byte));
    }
    forget(values, from, sector);
}

void gm_values_fetch_bytes(gm_values *values, uint64_t l2_line, uint32_t bytes)
{
    for (uint32_t left = bytes; left != 0; left &= left - 1) {
        unsigned byte = gm_lowest_one(left);
        set_byte(values, GM_VALUE_L2_BYTES, l2_line, byte,
                 byte_of(values, GM_VALUE_MEMORY_BYTES, l2_line, byte));
    }
}

void gm_values_write_bytes_to_dram(gm_values *values, uint64_t l2_line, uint32_t bytes)
{
    for (uint32_t left = bytes; left != 0; left &= left - 1) {
        unsigned byte = gm_lowest_one(left);
        uint32_t value = byte_of(values, GM_VALUE_L2_BYTES, l2_line, byte);
        if (value == NONE) {
            report_none(values, "the L2's write to DRAM", l2_line, byte);
        } else {
            set_byte(values, GM_VALUE_MEMORY_BYTES, l2_line, byte, value);
        }
    }
}

void gm_value_write_bytes(gm_values *values, gm_value_place place, uint64_t sector, uint32_t bytes,
                          uint32_t value)
{
    for (uint32_t left = bytes; left != 0; left &= left - 1) {
        set_byte(values, place, sector, gm_lowest_one(left), value);
        set_byte(values, GM_VALUE_LAST_BYTES, sector, gm_lowest_one(left), value);
    }
}

void gm_value_copy_bytes(gm_values *values, uint64_t sector, uint32_t value, bool installs)
{
    gm_values_allocate_bytes(values, sector);
    for (unsigned byte = 0; byte < GM_SECTOR; byte++) {
        if (installs) {
            set_byte(values, GM_VALUE_L2_BYTES, sector, byte, value);
        }
        set_byte(values, GM_VALUE_LAST_BYTES, sector, byte, value);
        set_byte(values, GM_VALUE_MEMORY_BYTES, sector, byte, value);
    }
}

void gm_value_check_bytes(gm_values *values, const char *who, gm_value_place place, uint64_t sector,
                          uint32_t bytes)
{
    for (uint32_t left = bytes; left != 0; left &= left - 1) {
        unsigned byte = gm_lowest_one(left);
        uint32_t held = byte_of(values, place, sector, byte);
        uint32_t last = byte_of(values, GM_VALUE_LAST_BYTES, sector, byte);
        if (held == NONE) {
            report_none(values, who, sector, byte);
        } else if (held != last) {
            gm_value_report(values, who, sector * GM_SECTOR + byte, held, last,
                            "but the last write that it performed is");
        }
    }
}
