/* Directory of GPU-VIni: entries by set, least recently used first out. */
#include "coherence/sharer_directory.h"

#include "goldmem/assert.h"

#include <errno.h>

uint32_t gm_sharer_directory_sets(const gm_config *config)
{
    uint64_t lines = config->gpu.sms * (config->l1.size / config->l1.line);
    uint64_t banks = config->memory.partitions * config->memory.banks;
    uint64_t sets =
        lines * config->coherence.directory_size / banks / config->coherence.directory_ways;
    return sets == 0 ? 1 : (uint32_t)sets;
}

static size_t entries_of(const gm_config *config)
{
    return (size_t)gm_sharer_directory_sets(config) * config->coherence.directory_ways;
}

size_t gm_sharer_directory_bytes(const gm_config *config)
{
    enum { ALIGNMENT = 64 };
    return entries_of(config) * sizeof(gm_sharer_entry) + ALIGNMENT;
}

int gm_sharer_directory_init(gm_sharer_directory *directory, const gm_config *config,
                             gm_arena *arena)
{
    *directory = (gm_sharer_directory){
        .entry = gm_arena_take(arena, entries_of(config), sizeof *directory->entry),
        .sets = gm_sharer_directory_sets(config),
        .ways = (uint32_t)config->coherence.directory_ways,
    };
    return directory->entry == NULL ? -ENOMEM : 0;
}

static bool in_use(const gm_sharer_entry *entry)
{
    return entry->sharers != 0 || entry->pinned != 0;
}

static gm_sharer_entry *set_of(const gm_sharer_directory *directory, uint64_t line)
{
    return &directory->entry[line % directory->sets * directory->ways];
}

gm_sharer_entry *gm_sharer_directory_find(const gm_sharer_directory *directory, uint64_t line)
{
    gm_sharer_entry *set = set_of(directory, line);
    for (uint32_t way = 0; way < directory->ways; way++) {
        if (set[way].line == line && in_use(&set[way])) {
            return &set[way];
        }
    }
    return NULL;
}

gm_sharer_entry *gm_sharer_directory_place(const gm_sharer_directory *directory, uint64_t line)
{
    gm_sharer_entry *set = set_of(directory, line);
    gm_sharer_entry *found = gm_sharer_directory_find(directory, line);
    for (uint32_t way = 0; found == NULL && way < directory->ways; way++) {
        found = in_use(&set[way]) ? NULL : &set[way];
    }
    if (found != NULL) {
        return found;
    }
    for (uint32_t way = 0; way < directory->ways; way++) {
        bool older = set[way].pinned == 0 && (found == NULL || set[way].used < found->used);
        found = older ? &set[way] : found;
    }
    return found;
}

gm_sharer_entry *gm_sharer_directory_take(gm_sharer_directory *directory, uint64_t line)
{
    gm_sharer_entry *entry = gm_sharer_directory_place(directory, line);
    gm_assert(entry != NULL, "directory: no entry for line 0x%llx", (unsigned long long)line);
    if (entry->line != line || !in_use(entry)) {
        *entry = (gm_sharer_entry){.line = line};
    }
    entry->used = directory->uses++;
    return entry;
}

void gm_sharer_directory_snapshot(gm_sharer_directory *directory, gm_snapshot *snapshot)
{
    GM_SNAPSHOT_ARRAY(snapshot, directory->entry, (size_t)directory->sets * directory->ways);
    GM_SNAPSHOT_VALUE(snapshot, directory->uses);
}
