/* Warp store: each stream is a list of chunks of records (record.h). When the memory limit is
 * reached, a full chunk that is not the first of its stream goes to the temporary file, and its
 * memory serves as the stream's next chunk. */
#include "goldmem/warp_store.h"

#include "trace/record.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    CHUNK = GM_WARP_STORE_RECORD, /* bytes */
    SLOTS_KEPT = 256,             /* the file is cut to nothing when empty and longer than this */
};

#define IN_MEMORY UINT64_MAX

typedef struct chunk {
    struct chunk *next;
    unsigned char *data; /* NULL while in the file */
    uint64_t slot;       /* in the file [CHUNK], or IN_MEMORY */
    uint32_t used;       /* bytes; set when the chunk is full */
} chunk;

struct gm_warp_store {
    bool alone;           /* nothing need be locked */
    pthread_mutex_t lock; /* protects all that follows */
    chunk *free_chunks;   /* with their memory: a short stream costs no allocation */
    size_t buffers;       /* memory of chunks, in use and free */
    size_t limit;         /* of buffers */
    int file;             /* -1: not made yet */
    uint64_t slots;       /* length of the file */
    uint64_t *free_slots;
    size_t free_slot_count, free_slot_capacity;
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

/* In memory; NULL: there is none left. */
static chunk *make_chunk(void)
{
    chunk *made = malloc(sizeof *made);
    unsigned char *data = malloc(CHUNK);
    if (made == NULL || data == NULL) {
        free(made);
        free(data);
        return NULL;
    }
    made->data = data;
    return made;
}

static void free_chunk(chunk *old)
{
    free(old->data);
    free(old);
}

int gm_warp_store_create(gm_warp_store **store, size_t memory, gm_error *error)
{
    *store = calloc(1, sizeof **store);
    if (*store == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: warp store");
    }
    (*store)->limit = memory / CHUNK;
    (*store)->file = -1;
    pthread_mutex_init(&(*store)->lock, NULL);
    return 0;
}

void gm_warp_store_alone(gm_warp_store *store)
{
    store->alone = true;
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
    if (store->file >= 0) {
        close(store->file);
    }
    free(store->free_slots);
    pthread_mutex_destroy(&store->lock);
    free(store);
}

void gm_warp_store_usage(gm_warp_store *store, size_t *memory, size_t *file)
{
    lock(store);
    *memory = store->buffers * CHUNK;
    *file = (size_t)store->slots * CHUNK;
    unlock(store);
}

/* A chunk in memory; beyond the limit only when `must`. NULL: at the limit, or out of memory. */
static chunk *take_chunk(gm_warp_store *store, bool must)
{
    lock(store);
    chunk *taken = store->free_chunks;
    bool grow = taken == NULL && (must || store->buffers < store->limit);
    if (taken != NULL) {
        store->free_chunks = taken->next;
    } else if (grow) {
        store->buffers++;
    }
    unlock(store);
    if (grow) {
        taken = make_chunk();
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
    bool over = given->data == NULL; /* has no memory to be used again */
    if (!over) {
        lock(store);
        over = store->buffers > store->limit;
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

static const char *temporary_folder(void)
{
    const char *folder = getenv("TMPDIR");
    return folder != NULL && folder[0] != '\0' ? folder : "/tmp";
}

static int fail_file(gm_error *error)
{
    char what[256];
    snprintf(what, sizeof what, "%s: temporary file for instructions", temporary_folder());
    return gm_fail_errno(error, what);
}

/* An unlinked file. Not every file system has O_TMPFILE. Called with the lock held. */
static int make_file(gm_warp_store *store, gm_error *error)
{
    if (store->file >= 0) {
        return 0;
    }
    const char *folder = temporary_folder();
    store->file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (store->file >= 0) {
        return 0;
    }
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/goldmem-XXXXXX", folder);
    if (length < 0 || (size_t)length >= sizeof path) {
        errno = ENAMETOOLONG;
        return fail_file(error);
    }
    store->file = mkostemp(path, O_CLOEXEC);
    if (store->file < 0) {
        return fail_file(error);
    }
    unlink(path);
    return 0;
}

static int take_slot(gm_warp_store *store, uint64_t *slot, gm_error *error)
{
    lock(store);
    int code = make_file(store, error);
    if (code == 0 && store->free_slot_count > 0) {
        *slot = store->free_slots[--store->free_slot_count];
    } else if (code == 0) {
        if (store->slots >= store->free_slot_capacity) { /* room for every slot to become free */
            size_t capacity = store->free_slot_capacity * 2 + 64;
            uint64_t *larger = realloc(store->free_slots, capacity * sizeof *larger);
            if (larger == NULL) {
                code = gm_fail(error, -ENOMEM, "out of memory: warp store");
            } else {
                store->free_slots = larger;
                store->free_slot_capacity = capacity;
            }
        }
        *slot = code == 0 ? store->slots++ : IN_MEMORY;
    }
    unlock(store);
    return code;
}

static void give_slot(gm_warp_store *store, uint64_t slot)
{
    lock(store);
    store->free_slots[store->free_slot_count++] = slot;
    if (store->free_slot_count == store->slots && store->slots > SLOTS_KEPT &&
        ftruncate(store->file, 0) == 0) {
        store->slots = 0;
        store->free_slot_count = 0;
    }
    unlock(store);
}

/* Writes a full chunk to the file. */
static int write_out(gm_warp_store *store, chunk *full, gm_error *error)
{
    uint64_t slot = IN_MEMORY;
    int code = take_slot(store, &slot, error);
    for (uint32_t done = 0; code == 0 && done < full->used;) {
        ssize_t wrote =
            pwrite(store->file, full->data + done, full->used - done, (off_t)(slot * CHUNK + done));
        if (wrote > 0) {
            done += (uint32_t)wrote;
        } else if (wrote == 0 || errno != EINTR) {
            errno = wrote == 0 ? ENOSPC : errno;
            code = fail_file(error);
        }
    }
    if (code != 0) {
        if (slot != IN_MEMORY) {
            give_slot(store, slot);
        }
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
    full->data = NULL;
    return next;
}

/* Brings a chunk back into `data`. */
static int load(gm_warp_store *store, chunk *from, unsigned char *data, gm_error *error)
{
    for (uint32_t done = 0; done < from->used;) {
        ssize_t got =
            pread(store->file, data + done, from->used - done, (off_t)(from->slot * CHUNK + done));
        if (got > 0) {
            done += (uint32_t)got;
        } else if (got == 0 || errno != EINTR) {
            errno = got == 0 ? EIO : errno;
            return fail_file(error);
        }
    }
    give_slot(store, from->slot);
    from->slot = IN_MEMORY;
    from->data = data;
    return 0;
}

/* A stream's next chunk. The memory of its first two is had whatever the limit. NULL on failure. */
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

/* Puts a new chunk at the stream's end. 0, or a negative errno value. */
static int add_chunk(gm_warp_store *store, gm_warp_stream *stream, gm_error *error)
{
    chunk *last = stream->tail;
    if (last != NULL) {
        last->used = (uint32_t)(CHUNK - (stream->limit - stream->write));
    }
    chunk *added = next_chunk(store, stream, error);
    if (added == NULL) {
        return error->code;
    }
    *added = (chunk){.data = added->data, .slot = IN_MEMORY};
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

int gm_warp_store_append(gm_warp_store *store, gm_warp_stream *stream,
                         const gm_instruction *instruction, gm_error *error)
{
    size_t needed = GM_RECORD_SMALL;
    if (instruction->form == GM_ADDRESS_LIST) {
        needed += (size_t)8 * instruction->addresses;
    }
    if (instruction->addresses > GM_ADDRESSES) {
        return gm_fail(error, -EINVAL, "%u addresses in an instruction (0..%d)",
                       instruction->addresses, GM_ADDRESSES);
    }
    unsigned char *at = gm_warp_store_reserve(store, stream, needed, error);
    if (at == NULL) {
        return error->code;
    }
    gm_warp_store_commit(stream, gm_record_encode(at, instruction));
    return 0;
}

/* Moves from the used-up first chunk to the next one, in the same memory where that is in the
 * file. */
int gm_warp_store_advance(gm_warp_store *store, gm_warp_stream *stream, gm_error *error)
{
    chunk *first = stream->head;
    chunk *next = first->next;
    if (next->data == NULL) {
        int code = load(store, next, first->data, error);
        if (code != 0) {
            return code;
        }
        first->data = NULL;
    }
    give_chunk(store, first);
    stream->head = next;
    stream->read = next->data;
    stream->end = next == stream->tail ? NULL : next->data + next->used;
    return 0;
}

int gm_warp_store_take(gm_warp_store *store, gm_warp_stream *stream, gm_instruction *instruction,
                       uint64_t *addresses, gm_error *error)
{
    if (stream->count == 0) {
        return 0;
    }
    const unsigned char *at = gm_warp_store_first(store, stream, error);
    if (at == NULL) {
        return error->code;
    }
    gm_warp_store_remove(stream, gm_record_decode(at, instruction, addresses));
    if (stream->count == 0) { /* the only chunk begins anew */
        stream->write = stream->limit - CHUNK;
        stream->read = stream->write;
    }
    return 1;
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
