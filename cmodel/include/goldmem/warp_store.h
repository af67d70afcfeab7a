/* Warp store: the instructions of resident warps between a source, which delivers CTA after CTA,
 * and an engine, which takes one instruction of one warp at a time. Memory is bounded: what does
 * not fit goes to an unlinked temporary file in $TMPDIR (or /tmp).
 *
 * Threads: any number may work on one store, each on streams of its own; only the exchange of
 * chunks (4 KB) is locked. A stream itself is not locked: it belongs to one thread at a time and is
 * handed over with the callers' own synchronisation, as a reader thread hands a completed CTA to
 * the engine. Where all of it happens in one thread, gm_warp_store_alone saves the locking. */
#ifndef GOLDMEM_WARP_STORE_H
#define GOLDMEM_WARP_STORE_H

#include "goldmem/instruction.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gm_warp_store gm_warp_store;

/* A warp's instructions, first in, first out. Owned by the caller, zeroed before first use. */
typedef struct gm_warp_stream {
    uint64_t count; /* instructions or records appended and not yet taken */
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

/* From now on only one thread at a time works on the store: nothing is locked. */
void gm_warp_store_alone(gm_warp_store *store);

/* From now on a hash of what streams are given is kept. */
void gm_warp_store_keep_content(gm_warp_store *store);

/* Hash of all that a stream has been given, of which nothing has been taken; 0 where none is kept.
 */
uint64_t gm_warp_store_content(const gm_warp_store *store, const gm_warp_stream *stream);

/* Every stream must have been dropped. */
void gm_warp_store_free(gm_warp_store *store);

/* Adds a copy of the instruction at the stream's end. -ENOMEM; on the temporary file -ENOSPC (disk
 * full), -EFBIG (limit on file sizes), -EIO, or why it cannot be made. */
int gm_warp_store_append(gm_warp_store *store, gm_warp_stream *stream,
                         const gm_instruction *instruction, gm_error *error);

/* Takes the first instruction. 1: taken; 0: the stream is empty; negative errno value on failure.
 * instruction->address points into `addresses` (GM_ADDRESSES elements). Fields that the address
 * form does not use, and registers beyond those in use, come back as 0. */
int gm_warp_store_take(gm_warp_store *store, gm_warp_stream *stream, gm_instruction *instruction,
                       uint64_t *addresses, gm_error *error);

/* Instead of instructions a stream can hold a caller's own records, each of 1 to
 * GM_WARP_STORE_RECORD bytes: */
enum { GM_WARP_STORE_RECORD = 4096 };

/* Private to the functions below: the slow ways. */
unsigned char *gm_warp_store_extend(gm_warp_store *store, gm_warp_stream *stream, gm_error *error);
int gm_warp_store_advance(gm_warp_store *store, gm_warp_stream *stream, gm_error *error);

/* Room for `bytes` at the stream's end, which gm_warp_store_commit makes a record of at most that
 * length. NULL on failure, as gm_warp_store_append, with error->code. */
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

/* Is it in memory already? Not where the one before it has been removed since the last call of
 * gm_warp_store_first, and was the last of its chunk. */
static inline bool gm_warp_store_is_ready(const gm_warp_stream *stream)
{
    return stream->read != stream->end;
}

/* The same as gm_warp_store_first where it is. */
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

/* The same where the record ends at `end`. */
static inline void gm_warp_store_remove_to(gm_warp_stream *stream, const unsigned char *end)
{
    stream->read = end;
    stream->count--;
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
