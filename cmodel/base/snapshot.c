/* Snapshot: saves bytes to a file and loads them back, with a running CRC-32 of the bytes. */
#include "base/snapshot.h"

#include <errno.h>
#include <string.h>
#include <zlib.h>

static size_t move(bool loading, FILE *file, void *data, size_t size)
{
    if (file == NULL) {
        return size;
    }
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
    snapshot->sum = snapshot->file != NULL ? crc32_z(snapshot->sum, data, size) : 0;
    snapshot->parts = crc32_z(snapshot->parts, (const unsigned char *)name, strlen(name));
    snapshot->parts = crc32_z(snapshot->parts, (const unsigned char *)&size, sizeof size);
}
