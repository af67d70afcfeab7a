/* Warp store: FIFOs of records in bounded memory, a stream for each warp. It holds what a source
 * delivers, CTA after CTA, until an engine or a trace writer takes it, warp by warp. What does not
 * fit in memory is written to an unlinked temporary file in $TMPDIR (or /tmp). A record has 1 to
 * GM_WARP_STORE_RECORD bytes, in its user's own format.
 *
 * Threads: any number may work on one store, each on streams of its own; only the exchange of
 * chunks (4 KB) is locked. A stream itself is not locked: it belongs to one thread at a time and is
 * handed over with the callers' own synchronisation, as a reader thread hands a completed CTA to
 * the engine. Where all of it happens in one thread, gm_warp_store_alone saves the locking. */
#ifndef GOLDMEM_WARP_STORE_H
#define GOLDMEM_WARP_STORE_H

#include "goldmem/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gm_warp_store gm_warp_store;

/* A warp's records, first in, first out. Owned by the caller, zeroed before first use. */
typedef struct gm_warp_stream {
    uint64_t count; /* records appended and not yet removed */
    /* private: */
    const unsigned char *read; /* in the first chunk */
    const unsigned char *end;  /* what the first chunk holds ends here; NULL: it is the last one */
    unsigned char *write;      /* in the last chunk */
    unsigned char *limit;      /* where the last chunk's memory ends */
    void *head, *tail;         /* chunks */
    uint64_t content;          /* hash of the chunks before the last one */
} gm_warp_stream;

/* `memory` in bytes. A stream keeps its first and its last chunk in memory whatever the limit, so
 * that at most 8 KB for each stream in use come on top. */
int gm_warp_store_create(gm_warp_store **store, size_t memory, gm_error *error);

/* Switches locking off. Requires that only one thread at a time uses the store from now on. */
void gm_warp_store_alone(gm_warp_store *store);

/* Keeps a hash of the records of each stream from now on. */
void gm_warp_store_keep_content(gm_warp_store *store);

/* Returns the hash of all records of a stream, 0 where none is kept. Requires that none has been
 * removed. */
uint64_t gm_warp_store_content(const gm_warp_store *store, const gm_warp_stream *stream);

/* Requires that every stream has been dropped. */
void gm_warp_store_free(gm_warp_store *store);

/* Bytes of the longest record. */
enum { GM_WARP_STORE_RECORD = 4096 };

/* Private to the functions below: the slow ways. */
unsigned char *gm_warp_store_extend(gm_warp_store *store, gm_warp_stream *stream, gm_error *error);
int gm_warp_store_advance(gm_warp_store *store, gm_warp_stream *stream, gm_error *error);

/* Returns room for `bytes` at the stream's end, which gm_warp_store_commit makes a record of at
 * most that length. NULL on failure, with error->code: -ENOMEM; on the temporary file -ENOSPC (disk
 * full), -EFBIG (limit on file sizes), -EIO, or why it cannot be made. */
static inline unsigned char *gm_warp_store_reserve(gm_warp_store *store, gm_warp_stream *stream,
                                                   size_t bytes, gm_error *error)
{
    return (size_t)(stream->limit - stream->write) >= bytes
               ? stream->write
               : gm_warp_store_extend(store, stream, error);
}

static inline void gm_warp_store_commit(gm_warp_stream *stream, size_t bytes)
{
    stream->write += bytes;
    stream->count++;
}

/* The first record of a stream whose count is not 0; NULL on failure, with error->code. */
static inline const unsigned char *gm_warp_store_first(gm_warp_store *store, gm_warp_stream *stream,
                                                       gm_error *error)
{
    if (stream->read == stream->end && gm_warp_store_advance(store, stream, error) < 0) {
        return NULL;
    }
    return stream->read;
}

/* True if the first record is in memory. False if the record before it was the last of its chunk
 * and gm_warp_store_first has not been called since its removal. */
static inline bool gm_warp_store_is_ready(const gm_warp_stream *stream)
{
    return stream->read != stream->end;
}

/* Returns the first record. Requires gm_warp_store_is_ready. */
static inline const unsigned char *gm_warp_store_ready(const gm_warp_stream *stream)
{
    return stream->read;
}

/* Removes the first record, of `bytes`. */
static inline void gm_warp_store_remove(gm_warp_stream *stream, size_t bytes)
{
    stream->read += bytes;
    stream->count--;
}

/* Removes the first record, which ends at `end`. */
static inline void gm_warp_store_remove_to(gm_warp_stream *stream, const unsigned char *end)
{
    stream->read = end;
    stream->count--;
}

/* Reuses the memory of an empty stream from its beginning. Requires that a record was appended. */
static inline void gm_warp_store_rewind(gm_warp_stream *stream)
{
    stream->write = stream->limit - GM_WARP_STORE_RECORD;
    stream->read = stream->write;
}

/* Gives back what the stream still holds: an empty stream still holds a chunk. The stream is as
 * new afterwards. */
void gm_warp_store_drop(gm_warp_store *store, gm_warp_stream *stream);

/* Bytes in memory (unused chunks included) and in the temporary file now. */
void gm_warp_store_usage(gm_warp_store *store, size_t *memory, size_t *file);

#ifdef __cplusplus
}
#endif

#endif
