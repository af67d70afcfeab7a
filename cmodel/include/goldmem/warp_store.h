/* Warp store: FIFOs of records in bounded memory, a stream for each warp. Holds the records of a
 * source, delivered CTA after CTA, until an engine or a trace writer takes them, warp by warp.
 * Records beyond the memory limit go to an unlinked temporary file in $TMPDIR (or /tmp). A record
 * has 1 to GM_WARP_STORE_RECORD bytes, in its user's own format.
 *
 * Threads: any number may work on one store, each on streams of its own; only the exchange of
 * chunks (4 KB) is locked. A stream itself is not locked: it belongs to one thread at a time and is
 * handed over with the callers' own synchronisation, as a reader thread hands a completed CTA to
 * the engine. A user with a single thread saves the locking by gm_warp_store_alone. */
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
    const unsigned char *end;  /* end of the first chunk's records; NULL: the last chunk */
    unsigned char *write;      /* in the last chunk */
    unsigned char *limit;      /* end of the last chunk's memory */
    void *head, *tail;         /* chunks */
    uint64_t content;          /* hash of the chunks before the last one */
} gm_warp_stream;

/* Creates an empty store with a memory limit [bytes]. A stream keeps its first and its last chunk
 * in memory regardless of the limit: at most 8 KB more for each stream in use. */
int gm_warp_store_create(gm_warp_store **store, size_t memory, gm_error *error);

/* Switches locking off. Requires that only one thread at a time uses the store from now on. */
void gm_warp_store_alone(gm_warp_store *store);

/* Starts to keep a hash of the records of each stream. */
void gm_warp_store_keep_content(gm_warp_store *store);

/* Returns the hash of all records of a stream, 0 where none is kept. Requires that none has been
 * removed. */
uint64_t gm_warp_store_content(const gm_warp_store *store, const gm_warp_stream *stream);

/* Frees the store. Requires that every stream has been dropped. */
void gm_warp_store_free(gm_warp_store *store);

/* Bytes of the longest record. */
enum { GM_WARP_STORE_RECORD = 4096 };

/* Private to the functions below: the slow paths. */
unsigned char *gm_warp_store_extend(gm_warp_store *store, gm_warp_stream *stream, gm_error *error);
int gm_warp_store_advance(gm_warp_store *store, gm_warp_stream *stream, gm_error *error);

/* Returns room for `bytes` at the stream's end, which gm_warp_store_commit makes a record of at
 * most that length. Returns NULL on failure, with error->code: -ENOMEM; for the temporary file
 * -ENOSPC (disk full), -EFBIG (limit on file sizes), -EIO, or the error of its creation. */
static inline unsigned char *gm_warp_store_reserve(gm_warp_store *store, gm_warp_stream *stream,
                                                   size_t bytes, gm_error *error)
{
    return (size_t)(stream->limit - stream->write) >= bytes
               ? stream->write
               : gm_warp_store_extend(store, stream, error);
}

/* Makes a record of the first `bytes` of what gm_warp_store_reserve returned. */
static inline void gm_warp_store_commit(gm_warp_stream *stream, size_t bytes)
{
    stream->write += bytes;
    stream->count++;
}

/* Returns the first record; NULL on failure, with error->code. Requires a count other than 0. */
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

/* Sets *data to the next bytes of the stream's records, which stay valid until the next call, and
 * removes them; `count` stays. Returns their number, 0 at the end, or a negative errno value. */
int gm_warp_store_take_bytes(gm_warp_store *store, gm_warp_stream *stream,
                             const unsigned char **data, gm_error *error);

/* Appends bytes that gm_warp_store_take_bytes gave, at most GM_WARP_STORE_RECORD of them; `count`
 * stays. Returns 0, or as gm_warp_store_reserve. */
int gm_warp_store_append_bytes(gm_warp_store *store, gm_warp_stream *stream,
                               const unsigned char *data, size_t bytes, gm_error *error);

/* Frees the stream's chunks, of which an empty stream has one too. The stream is as new afterwards.
 */
void gm_warp_store_drop(gm_warp_store *store, gm_warp_stream *stream);

/* Sets the bytes now in memory (unused chunks included) and in the temporary file. */
void gm_warp_store_usage(gm_warp_store *store, size_t *memory, size_t *file);

#ifdef __cplusplus
}
#endif

#endif
