/* SYNC memory: the data of the words that CTAs communicate by. The machine tells which write each
 * access sees, by its number (goldmem/value_observer.h); this is what each write wrote. Device
 * memory has the data of the last write that the machine performed. */
#ifndef GOLDMEM_WORKLOAD_SIMT_SYNC_MEMORY_H
#define GOLDMEM_WORKLOAD_SIMT_SYNC_MEMORY_H

#include "workload/simt/simt.h"

/* The data of a write to a word. */
typedef struct gm_sync_write {
    uint64_t address; /* of the device; 0: the place is empty */
    uint32_t number, data;
    bool held; /* gm_sync_memory_hold */
} gm_sync_write;

typedef struct gm_sync_memory {
    unsigned char *memory; /* the device's */
    gm_sync_write *write;  /* [room], a hash table; room is a power of two, or 0 */
    uint32_t room, used;
    uint32_t most;    /* writes kept: with so many, those that no load may see are forgotten */
    uint64_t changes; /* words that were given another value */
    bool failed;      /* out of memory */
} gm_sync_memory;

/* Returns what an atomic makes of `old`; `detail` is the point's. */
uint32_t gm_sync_operate(unsigned detail, uint32_t old, const gm_lane_sync *with);

/* Returns the place of a word in the host's memory. */
uint32_t *gm_sync_word(const gm_sync_memory *memory, uint64_t address);

/* Forgets all writes: device memory has the last ones. */
void gm_sync_memory_clear(gm_sync_memory *memory);
void gm_sync_memory_free(gm_sync_memory *memory);

/* Returns the data of a word's write: device memory's if it is not known. */
uint32_t gm_sync_memory_read(const gm_sync_memory *memory, uint64_t address, uint32_t number);

/* Keeps the data of a write that reaches its L1. */
void gm_sync_memory_keep(gm_sync_memory *memory, uint64_t address, uint32_t number, uint32_t data);

/* Puts the data of a write that is performed into device memory; `old`: the write that it replaces,
 * whose data are kept. Does nothing for a write that has not been kept. */
void gm_sync_memory_perform(gm_sync_memory *memory, uint64_t address, uint32_t old,
                            uint32_t number);

/* Forgetting: true if it is time to; then each write that a load may still see is held; then the
 * others are forgotten, but for what memory held before the kernel. */
bool gm_sync_memory_is_full(const gm_sync_memory *memory);
void gm_sync_memory_hold(gm_sync_memory *memory, uint64_t address, uint32_t number);
void gm_sync_memory_forget(gm_sync_memory *memory);

/* Writes a word at once. */
void gm_sync_memory_write(gm_sync_memory *memory, uint64_t address, uint32_t data);

#endif
