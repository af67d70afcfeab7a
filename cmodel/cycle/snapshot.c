/* Snapshot: bytes to a file and back, with a running hash (FNV-1a over 64-bit words). */
#include "cycle/snapshot.h"

#include <errno.h>
#include <string.h>

#define HASH_BASIS UINT64_C(0xcbf29ce484222325)
#define HASH_PRIME UINT64_C(0x100000001b3)

static uint64_t hash_on(uint64_t hash, const unsigned char *data, size_t size)
{
    hash = hash == 0 ? HASH_BASIS : hash;
    for (size_t at = 0; at < size; at += sizeof hash) {
        uint64_t word = 0;
        memcpy(&word, data + at, size - at < sizeof word ? size - at : sizeof word);
        hash = (hash ^ word) * HASH_PRIME;
        hash ^= hash >> 32;
    }
    return hash;
}

static size_t move(bool loading, FILE *file, void *data, size_t size)
{
    if (loading) {
        return fread(data, 1, size, file);
    }
    return fwrite(data, 1, size, file);
}

void gm_snapshot_bytes(gm_snapshot *snapshot, const char *name, void *data, size_t size)
{
    if (snapshot->failed != 0 || size == 0) {
        return;
    }
    size_t moved = move(snapshot->loading, snapshot->file, data, size);
    if (moved != size) {
        snapshot->failed = ferror(snapshot->file) && errno != 0 ? -errno : -EINVAL;
        snapshot->part = name;
        return;
    }
    snapshot->bytes += size;
    snapshot->hash = hash_on(snapshot->hash, data, size);
}
