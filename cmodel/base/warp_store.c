/* Warp store: each stream is a list of chunks of records. At the memory limit a full chunk that is
 * not the first of its stream is written to the temporary file, and its memory serves as the
 * stream's next chunk. */
#include "goldmem/warp_store.h"

#include "base/content_hash.h"
#include "base/huge_pages.h"
#include "base/slot_file.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHUNK = GM_WARP_STORE_RECORD,       /* bytes */
    SINGLE = 64,                        /* chunks made one by one, before: */
    APART = CHUNK + 64,                 /* so that their beginnings are in all sets of a cache */
    SLAB_CHUNKS = GM_HUGE_PAGE / APART, /* made at once */
};

_Static_assert((int)GM_SLOT == (int)CHUNK, "a chunk fits a slot of the file");
_Static_assert((int)APART >= (int)CHUNK, "chunks of a slab do not overlap");

#define IN_MEMORY UINT64_MAX

typedef struct chunk {
    struct chunk *next;
    unsigned char *data; /* NULL: in the file */
    uint64_t slot;       /* in the file [CHUNK], or IN_MEMORY */
    uint32_t used;       /* bytes; set when the chunk is full */
    bool of_slab;        /* `data` is */
} chunk;

typedef struct slab {
    struct slab *next;
    unsigned char *memory;
} slab;

struct gm_warp_store {
    bool alone;           /* nothing need be locked */
    bool keeps_content;   /* streams have hashes */
    pthread_mutex_t lock; /* protects all that follows */
    chunk *free_chunks;   /* with their memory: a short stream costs no allocation */
    size_t buffers;       /* memory of chunks, in use and free */
    size_t limit;         /* of buffers */
    slab *slabs;          /* within the limit: never given back */
    gm_slot_file file;
};

static inline void lock(gm_warp_store *store)
{
    if (!store->alone) {
        pthread_mutex_lock(&store->lock);
    }
}

static inline void unlock(gm_warp_store *store)
{
    if (!store->alone) {
        pthread_mutex_unlock(&store->lock);
    }
}

/* Returns a chunk with this memory, or with its own if that is NULL; NULL if out of memory. */
static chunk *make_chunk(unsigned char *of_slab)
{
    chunk *made = malloc(sizeof *made);
    unsigned char *data = of_slab != NULL ? of_slab : malloc(CHUNK);
    if (made == NULL || data == NULL) {
        free(made);
        if (of_slab == NULL) {
            free(data);
        }
        return NULL;
    }
    made->data = data;
    made->of_slab = of_slab != NULL;
    return made;
}

static void free_chunk(chunk *old)
{
    if (!old->of_slab) {
        free(old->data);
    }
    free(old);
}

/* Makes the free chunks of a slab, in huge pages, since a large run touches all of them; fewer if
 * out of memory. Requires the lock. */
static void make_slab(gm_warp_store *store)
{
    slab *made = malloc(sizeof *made);
    unsigned char *memory = gm_huge_pages(GM_HUGE_PAGE);
    if (made == NULL || memory == NULL) {
        free(made);
        free(memory);
        return;
    }
    *made = (slab){store->slabs, memory};
    store->slabs = made;
    for (size_t i = SLAB_CHUNKS; i > 0; i--) { /* so that the first is taken first */
        chunk *each = make_chunk(memory + (i - 1) * APART);
        if (each != NULL) {
            each->next = store->free_chunks;
            store->free_chunks = each;
            store->buffers++;
        }
    }
}

int gm_warp_store_create(gm_warp_store **store, size_t memory, gm_error *error)
{
    *store = calloc(1, sizeof **store);
    if (*store == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: warp store");
    }
    (*store)->limit = memory / CHUNK;
    (*store)->file = GM_SLOT_FILE_NONE;
    pthread_mutex_init(&(*store)->lock, NULL);
    return 0;
}

void gm_warp_store_alone(gm_warp_store *store)
{
    store->alone = true;
}

void gm_warp_store_keep_content(gm_warp_store *store)
{
    store->keeps_content = true;
}

uint64_t gm_warp_store_content(const gm_warp_store *store, const gm_warp_stream *stream)
{
    if (!store->keeps_content || stream->tail == NULL) {
        return 0;
    }
    const unsigned char *start = stream->limit - CHUNK;
    return gm_content_bytes(stream->content, start, (size_t)(stream->write - start));
}

void gm_warp_store_free(gm_warp_store *store)
{
    if (store == NULL) {
        return;
    }
    while (store->free_chunks != NULL) {
        chunk *next = store->free_chunks->next;
        free_chunk(store->free_chunks);
        store->free_chunks = next;
    }
    while (store->slabs != NULL) {
        slab *next = store->slabs->next;
        free(store->slabs->memory);
        free(store->slabs);
        store->slabs = next;
    }
    gm_slot_file_close(&store->file);
    pthread_mutex_destroy(&store->lock);
    free(store);
}

void gm_warp_store_usage(gm_warp_store *store, size_t *memory, size_t *file)
{
    lock(store);
    *memory = store->buffers * CHUNK;
    *file = (size_t)store->file.slots * CHUNK;
    unlock(store);
}

/* Returns a chunk with memory, beyond the limit only if `must`; NULL at the limit or out of memory.
 */
static chunk *take_chunk(gm_warp_store *store, bool must)
{
    lock(store);
    if (store->free_chunks == NULL && store->buffers >= SINGLE &&
        store->buffers + SLAB_CHUNKS <= store->limit) {
        make_slab(store);
    }
    chunk *taken = store->free_chunks;
    bool grow = taken == NULL && (must || store->buffers < store->limit);
    if (taken != NULL) {
        store->free_chunks = taken->next;
    } else if (grow) {
        store->buffers++;
    }
    unlock(store);
    if (grow) {
        taken = make_chunk(NULL);
        if (taken == NULL) {
            lock(store);
            store->buffers--;
            unlock(store);
        }
    }
    return taken;
}

static void give_chunk(gm_warp_store *store, chunk *given)
{
    bool over = given->data == NULL; /* has no memory to reuse */
    if (!over) {
        lock(store);
        over = store->buffers > store->limit && !given->of_slab;
        if (over) {
            store->buffers--;
        } else {
            given->next = store->free_chunks;
            store->free_chunks = given;
        }
        unlock(store);
    }
    if (over) {
        free_chunk(given);
    }
}

static void give_slot(gm_warp_store *store, uint64_t slot)
{
    lock(store);
    gm_slot_file_give(&store->file, slot);
    unlock(store);
}

/* Writes a full chunk to the file. */
static int write_out(gm_warp_store *store, chunk *full, gm_error *error)
{
    uint64_t slot = 0;
    lock(store);
    int code = gm_slot_file_take(&store->file, &slot, error);
    unlock(store);
    if (code < 0) {
        return code;
    }
    code = gm_slot_file_write(&store->file, slot, full->data, full->used, error);
    if (code < 0) {
        give_slot(store, slot);
        return code;
    }
    full->slot = slot;
    return 0;
}

/* Writes a full chunk to the file and gives its memory to a new one. NULL on failure. */
static chunk *spill(gm_warp_store *store, chunk *full, gm_error *error)
{
    chunk *next = malloc(sizeof *next);
    if (next == NULL) {
        gm_fail(error, -ENOMEM, "out of memory: warp store");
        return NULL;
    }
    if (write_out(store, full, error) != 0) {
        free(next);
        return NULL;
    }
    next->data = full->data;
    next->of_slab = full->of_slab;
    full->data = NULL;
    return next;
}

/* Reads a chunk back into the memory of another. */
static int load(gm_warp_store *store, chunk *back, chunk *other, gm_error *error)
{
    int code = gm_slot_file_read(&store->file, back->slot, other->data, back->used, error);
    if (code < 0) {
        return code;
    }
    give_slot(store, back->slot);
    back->slot = IN_MEMORY;
    back->data = other->data;
    back->of_slab = other->of_slab;
    other->data = NULL;
    return 0;
}

/* Returns a stream's next chunk; its first two are made whatever the limit. NULL on failure. */
static chunk *next_chunk(gm_warp_store *store, gm_warp_stream *stream, gm_error *error)
{
    chunk *last = stream->tail;
    bool may_spill = last != NULL && last != stream->head;
    chunk *next = take_chunk(store, !may_spill);
    if (next == NULL && may_spill) {
        return spill(store, last, error);
    }
    if (next == NULL) {
        gm_fail(error, -ENOMEM, "out of memory: warp store");
    }
    return next;
}

/* Appends a chunk to the stream. Returns 0 or a negative errno value. */
static int add_chunk(gm_warp_store *store, gm_warp_stream *stream, gm_error *error)
{
    chunk *last = stream->tail;
    if (last != NULL) {
        last->used = (uint32_t)(CHUNK - (stream->limit - stream->write));
    }
    stream->content = gm_warp_store_content(store, stream);
    chunk *added = next_chunk(store, stream, error);
    if (added == NULL) {
        return error->code;
    }
    *added = (chunk){.data = added->data, .slot = IN_MEMORY, .of_slab = added->of_slab};
    if (last == NULL) {
        stream->head = added;
        stream->read = added->data;
    } else {
        last->next = added;
        if (last == stream->head) {
            stream->end = last->data + last->used;
        }
    }
    stream->tail = added;
    stream->write = added->data;
    stream->limit = added->data + CHUNK;
    return 0;
}

unsigned char *gm_warp_store_extend(gm_warp_store *store, gm_warp_stream *stream, gm_error *error)
{
    return add_chunk(store, stream, error) == 0 ? stream->write : NULL;
}

/* Moves from the used-up first chunk to the next, which is read into its memory if it is in the
 * file. */
int gm_warp_store_advance(gm_warp_store *store, gm_warp_stream *stream, gm_error *error)
{
    chunk *first = stream->head;
    chunk *next = first->next;
    if (next->data == NULL) {
        int code = load(store, next, first, error);
        if (code != 0) {
            return code;
        }
    }
    give_chunk(store, first);
    stream->head = next;
    stream->read = next->data;
    stream->end = next == stream->tail ? NULL : next->data + next->used;
    return 0;
}

int gm_warp_store_take_bytes(gm_warp_store *store, gm_warp_stream *stream,
                             const unsigned char **data, gm_error *error)
{
    bool is_last = stream->end == NULL;
    if (!is_last && stream->read == stream->end) {
        int code = gm_warp_store_advance(store, stream, error);
        if (code < 0) {
            return code;
        }
        is_last = stream->end == NULL;
    }
    const unsigned char *stop = is_last ? stream->write : stream->end;
    *data = stream->read;
    int bytes = stream->tail == NULL ? 0 : (int)(stop - stream->read);
    stream->read = stop;
    return bytes;
}

int gm_warp_store_append_bytes(gm_warp_store *store, gm_warp_stream *stream,
                               const unsigned char *data, size_t bytes, gm_error *error)
{
    unsigned char *to = gm_warp_store_reserve(store, stream, bytes, error);
    if (to == NULL) {
        return error->code;
    }
    memcpy(to, data, bytes);
    stream->write += bytes;
    return 0;
}

void gm_warp_store_drop(gm_warp_store *store, gm_warp_stream *stream)
{
    for (chunk *each = stream->head; each != NULL;) {
        chunk *next = each->next;
        if (each->slot != IN_MEMORY) {
            give_slot(store, each->slot);
        }
        give_chunk(store, each);
        each = next;
    }
    *stream = (gm_warp_stream){0};
}
