/* Value table: a hash table with chains, in which the oldest entry of a key comes first. */
#include "cache/value_table.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 1 << 10, MOST_ROOM = 1 << 30 };

void gm_value_table_init(gm_value_table *table)
{
    *table = (gm_value_table){0};
}

void gm_value_table_free(gm_value_table *table)
{
    free(table->sector);
    free(table->chain);
    *table = (gm_value_table){0};
}

static uint32_t chain_of(const gm_value_table *table, uint64_t owner, uint64_t sector)
{
    uint64_t key = (owner * UINT64_C(0xd6e8feb86659fd93)) ^ sector;
    return (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (table->chains - 1);
}

static gm_value_sector *entry(const gm_value_table *table, uint32_t link)
{
    return &table->sector[link - 1];
}

gm_value_sector *gm_value_find(const gm_value_table *table, uint64_t owner, uint64_t sector)
{
    if (table->count == 0) {
        return NULL;
    }
    uint32_t link = table->chain[chain_of(table, owner, sector)];
    for (; link != 0; link = entry(table, link)->next) {
        gm_value_sector *at = entry(table, link);
        if (at->sector == sector && at->owner == owner) {
            return at;
        }
    }
    return NULL;
}

/* Puts an entry at the end of its chain. */
static void append(gm_value_table *table, uint32_t number)
{
    gm_value_sector *added = &table->sector[number];
    uint32_t *link = &table->chain[chain_of(table, added->owner, added->sector)];
    while (*link != 0) {
        link = &entry(table, *link)->next;
    }
    added->next = 0;
    *link = number + 1;
}

/* Doubles the table. The chains are read in order, so that equal keys keep theirs. */
static bool grow(gm_value_table *table)
{
    uint32_t room = table->room == 0 ? FIRST_ROOM : 2 * table->room;
    gm_value_sector *sector =
        room > MOST_ROOM ? NULL : realloc(table->sector, room * sizeof *sector);
    if (sector == NULL) {
        return false;
    }
    table->sector = sector;
    uint32_t *chain = calloc(room, sizeof *chain);
    if (chain == NULL) {
        return false;
    }
    uint32_t *old = table->chain;
    uint32_t chains = table->chains;
    table->chain = chain;
    table->chains = table->room = room;
    for (uint32_t i = 0; i < chains; i++) {
        for (uint32_t link = old[i]; link != 0;) {
            uint32_t next = entry(table, link)->next;
            append(table, link - 1);
            link = next;
        }
    }
    free(old);
    return true;
}

gm_value_sector *gm_value_add(gm_value_table *table, uint64_t owner, uint64_t sector)
{
    if (table->free == 0 && table->used == table->room && !grow(table)) {
        table->failed = true;
        table->spare = (gm_value_sector){.owner = owner, .sector = sector};
        return &table->spare;
    }
    uint32_t number = table->used;
    if (table->free != 0) {
        number = table->free - 1;
        table->free = table->sector[number].next;
    } else {
        table->used++;
    }
    table->sector[number] = (gm_value_sector){.owner = owner, .sector = sector};
    append(table, number);
    table->count++;
    return &table->sector[number];
}

gm_value_sector *gm_value_at(gm_value_table *table, uint64_t owner, uint64_t sector)
{
    gm_value_sector *found = gm_value_find(table, owner, sector);
    return found != NULL ? found : gm_value_add(table, owner, sector);
}

/* Removes the entry that a link of its chain names. */
static void unlink_entry(gm_value_table *table, uint32_t *link)
{
    uint32_t number = *link;
    gm_value_sector *at = entry(table, number);
    *link = at->next;
    at->next = table->free;
    table->free = number;
    table->count--;
}

void gm_value_remove(gm_value_table *table, uint64_t owner, uint64_t sector)
{
    if (table->count == 0) {
        return;
    }
    uint32_t *link = &table->chain[chain_of(table, owner, sector)];
    while (*link != 0) {
        gm_value_sector *at = entry(table, *link);
        if (at->sector == sector && at->owner == owner) {
            unlink_entry(table, link);
            return;
        }
        link = &at->next;
    }
}

void gm_value_copy(gm_value_table *table, uint64_t to, uint64_t from, uint64_t sector)
{
    const gm_value_sector *source = gm_value_find(table, from, sector);
    if (source == NULL) {
        gm_value_remove(table, to, sector);
        return;
    }
    uint32_t value[GM_VALUE_WORDS];
    memcpy(value, source->value, sizeof value);
    gm_value_sector *copy = gm_value_at(table, to, sector);
    memcpy(copy->value, value, sizeof value);
    copy->mask = 0;
}

void gm_value_sweep(gm_value_table *table,
                    bool (*gone)(void *context, const gm_value_sector *sector), void *context)
{
    for (uint32_t i = 0; i < table->chains; i++) {
        for (uint32_t *link = &table->chain[i]; *link != 0;) {
            if (gone(context, entry(table, *link))) {
                unlink_entry(table, link);
            } else {
                link = &entry(table, *link)->next;
            }
        }
    }
}
