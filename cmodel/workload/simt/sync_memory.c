/* SYNC memory: the data of writes by word and number. */
#include "workload/simt/sync_memory.h"

#include "workload/simt/simt_internal.h"

#include <stdlib.h>

/* Returns -1, 0 or 1 as `a` is less than `b` by the atomic's type, equal, or greater. */
static int compare(unsigned detail, uint32_t a, uint32_t b)
{
    float x, y;
    if ((detail & GM_TYPE_FLOAT) != 0) {
        memcpy(&x, &a, sizeof x);
        memcpy(&y, &b, sizeof y);
        return (x > y) - (x < y);
    }
    return (detail & GM_TYPE_SIGNED) != 0 ? ((int32_t)a > (int32_t)b) - ((int32_t)a < (int32_t)b)
                                          : (a > b) - (a < b);
}

static uint32_t add(unsigned detail, uint32_t a, uint32_t b)
{
    float x, y;
    if ((detail & GM_TYPE_FLOAT) == 0) {
        return a + b;
    }
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    x += y;
    memcpy(&a, &x, sizeof a);
    return a;
}

uint32_t gm_sync_operate(unsigned detail, uint32_t old, const gm_lane_sync *with)
{
    switch (detail & 7U) {
    case GM_ADD:
        return add(detail, old, with->operand);
    case GM_MIN:
        return compare(detail, with->operand, old) < 0 ? with->operand : old;
    case GM_MAX:
        return compare(detail, with->operand, old) > 0 ? with->operand : old;
    case GM_AND:
        return old & with->operand;
    case GM_OR:
        return old | with->operand;
    case GM_CAS:
        return old == with->operand ? with->second : old;
    default:
        return with->operand; /* GM_EXCHANGE */
    }
}

uint32_t *gm_sync_word(const gm_sync_memory *memory, uint64_t address)
{
    return (uint32_t *)(void *)(memory->memory + (address - GM_DEVICE_BASE));
}

void gm_sync_memory_clear(gm_sync_memory *memory)
{
    if (memory->used != 0) {
        memset(memory->write, 0, memory->room * sizeof *memory->write);
        memory->used = 0;
        memory->most = 0;
    }
}

void gm_sync_memory_free(gm_sync_memory *memory)
{
    free(memory->write);
    memory->write = NULL;
}

/* Returns the place of a write in the table: its own, or the empty one where it belongs. */
static gm_sync_write *find(const gm_sync_memory *memory, uint64_t address, uint32_t number)
{
    uint64_t key = (address / 4 + ((uint64_t)number << 32)) * UINT64_C(0x9e3779b97f4a7c15);
    uint32_t place = (uint32_t)(key >> 32) & (memory->room - 1);
    while (memory->write[place].address != 0 &&
           (memory->write[place].address != address || memory->write[place].number != number)) {
        place = (place + 1) & (memory->room - 1);
    }
    return &memory->write[place];
}

uint32_t gm_sync_memory_read(const gm_sync_memory *memory, uint64_t address, uint32_t number)
{
    const gm_sync_write *write = memory->room != 0 ? find(memory, address, number) : NULL;
    return write != NULL && write->address != 0 ? write->data : *gm_sync_word(memory, address);
}

/* Doubles the table. */
static bool grow(gm_sync_memory *memory)
{
    enum { FIRST = 1 << 10 };
    gm_sync_memory larger = *memory;
    larger.room = memory->room == 0 ? FIRST : 2 * memory->room;
    larger.write = calloc(larger.room, sizeof *larger.write);
    if (larger.write == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < memory->room; i++) {
        const gm_sync_write *write = &memory->write[i];
        if (write->address != 0) {
            *find(&larger, write->address, write->number) = *write;
        }
    }
    free(memory->write);
    memory->write = larger.write;
    memory->room = larger.room;
    return true;
}

void gm_sync_memory_keep(gm_sync_memory *memory, uint64_t address, uint32_t number, uint32_t data)
{
    if (2 * (memory->used + 1) > memory->room && !grow(memory)) {
        memory->failed = true;
        return;
    }
    gm_sync_write *write = find(memory, address, number);
    memory->used += write->address == 0;
    *write = (gm_sync_write){address, number, data, false};
}

bool gm_sync_memory_is_full(const gm_sync_memory *memory)
{
    enum { FEWEST = 1 << 14 };
    return memory->used >= FEWEST && memory->used >= memory->most;
}

void gm_sync_memory_hold(gm_sync_memory *memory, uint64_t address, uint32_t number)
{
    gm_sync_write *write = memory->room != 0 ? find(memory, address, number) : NULL;
    if (write != NULL && write->address != 0) {
        write->held = true;
    }
}

void gm_sync_memory_forget(gm_sync_memory *memory)
{
    gm_sync_memory left = *memory;
    left.used = 0;
    left.write = calloc(left.room, sizeof *left.write);
    if (left.write == NULL) {
        memory->failed = true;
        return;
    }
    for (uint32_t i = 0; i < memory->room; i++) {
        gm_sync_write write = memory->write[i];
        if (write.address != 0 && (write.held || write.number == 0)) {
            write.held = false;
            *find(&left, write.address, write.number) = write;
            left.used++;
        }
    }
    left.most = 2 * left.used;
    free(memory->write);
    *memory = left;
}

void gm_sync_memory_write(gm_sync_memory *memory, uint64_t address, uint32_t data)
{
    uint32_t *word = gm_sync_word(memory, address);
    memory->changes += *word != data;
    *word = data;
}

void gm_sync_memory_perform(gm_sync_memory *memory, uint64_t address, uint32_t old, uint32_t number)
{
    if (memory->room == 0) {
        return;
    }
    const gm_sync_write *write = find(memory, address, number);
    if (write->address == 0) {
        return;
    }
    uint32_t data = write->data;
    gm_sync_memory_keep(memory, address, old, gm_sync_memory_read(memory, address, old));
    gm_sync_memory_write(memory, address, data);
}
