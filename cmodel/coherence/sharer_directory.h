/* The directory of GPU-VIni [singh, 4.3]: sharers of lines, apart from the L2's tags. A
 * set-associative table with the least recently used entry of a set as victim. An entry is in use
 * while somebody shares its line, or requests of the line wait in an MSHR entry, which pin it. */
#ifndef GOLDMEM_COHERENCE_SHARER_DIRECTORY_H
#define GOLDMEM_COHERENCE_SHARER_DIRECTORY_H

#include "base/snapshot.h"
#include "goldmem/arena.h"
#include "goldmem/config.h"

typedef struct gm_sharer_entry {
    uint64_t line, sharers; /* line in the bank; a bit for each SM */
    uint64_t used;          /* time of the last use */
    uint64_t pinned;        /* 1: requests of the line wait in an MSHR entry */
} gm_sharer_entry;

typedef struct gm_sharer_directory {
    gm_sharer_entry *entry; /* [sets * ways] */
    uint64_t uses;          /* until now: the time of the next */
    uint32_t sets, ways;
} gm_sharer_directory;

/* Sets of an L2 bank's directory: coherence.directory_size times the lines of all L1s, divided
 * among banks and ways, at least 1. */
uint32_t gm_sharer_directory_sets(const gm_config *config);

/* Bytes of arena that gm_sharer_directory_init takes. */
size_t gm_sharer_directory_bytes(const gm_config *config);

/* Makes an empty directory. Returns 0, or -ENOMEM without words. */
int gm_sharer_directory_init(gm_sharer_directory *directory, const gm_config *config,
                             gm_arena *arena);

/* Returns the entry in use of a line, or NULL. */
gm_sharer_entry *gm_sharer_directory_find(const gm_sharer_directory *directory, uint64_t line);

/* Returns the entry that a line can have: its own, else one that is not in use, else the least
 * recently used of its set that is not pinned; NULL: all are. */
gm_sharer_entry *gm_sharer_directory_place(const gm_sharer_directory *directory, uint64_t line);

/* Gives the line its entry of gm_sharer_directory_place, which must be there, without sharers if it
 * was another line's. Returns it. */
gm_sharer_entry *gm_sharer_directory_take(gm_sharer_directory *directory, uint64_t line);

void gm_sharer_directory_snapshot(gm_sharer_directory *directory, gm_snapshot *snapshot);

#endif
