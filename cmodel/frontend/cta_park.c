/* CTA park: a CTA in the file is a chain of slots, each with the number of the next one in front,
 * that hold: its head; the numbers, counts of records and beginnings of the logs of its warps; its
 * tally; its log; and the records of each warp as pieces with their lengths, up to a length of 0.
 */
#include "frontend/cta_park.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LINK = sizeof(uint64_t) /* bytes of a slot in front of its data */ };

#define NO_SLOT UINT64_MAX

typedef struct head {
    uint64_t number, shared_base, local_base, kernel, content, turns;
    uint32_t warps, rows, local_warps, local_slots;
    gm_core_statistics core;
} head;

void gm_cta_park_init(gm_cta_park *park)
{
    *park = (gm_cta_park){0};
    park->file = GM_SLOT_FILE_NONE;
}

void gm_cta_park_free(gm_cta_park *park)
{
    gm_slot_file_close(&park->file);
    free(park->parked);
    free(park->buffer);
}

static int out_of_memory(gm_error *error)
{
    return gm_fail(error, -ENOMEM, "out of memory: parked CTAs");
}

/* Writes the buffer into its slot, followed by the slot `next`. */
static int write_slot(gm_cta_park *park, uint64_t next, gm_error *error)
{
    memcpy(park->buffer, &next, sizeof next);
    return gm_slot_file_write(&park->file, park->slot, park->buffer, GM_SLOT, error);
}

static int write_bytes(gm_cta_park *park, const void *data, size_t bytes, gm_error *error)
{
    const unsigned char *from = data;
    int code = 0;
    while (code == 0 && bytes != 0) {
        if (park->used == GM_SLOT) {
            uint64_t next = 0;
            code = gm_slot_file_take(&park->file, &next, error);
            code = code < 0 ? code : write_slot(park, next, error);
            if (code < 0) {
                break;
            }
            park->slot = next;
            park->used = LINK;
        }
        size_t piece = GM_SLOT - park->used < bytes ? GM_SLOT - park->used : bytes;
        memcpy(park->buffer + park->used, from, piece);
        park->used += piece;
        from += piece;
        bytes -= piece;
    }
    return code;
}

/* Reads the slot into the buffer, and gives it back to the file. */
static int read_slot(gm_cta_park *park, uint64_t slot, gm_error *error)
{
    int code = gm_slot_file_read(&park->file, slot, park->buffer, GM_SLOT, error);
    park->used = LINK;
    if (code == 0) {
        gm_slot_file_give(&park->file, slot);
    }
    return code;
}

static int read_bytes(gm_cta_park *park, void *data, size_t bytes, gm_error *error)
{
    unsigned char *to = data;
    int code = 0;
    while (code == 0 && bytes != 0) {
        if (park->used == GM_SLOT) {
            uint64_t next;
            memcpy(&next, park->buffer, sizeof next);
            code = read_slot(park, next, error);
            if (code < 0) {
                break;
            }
        }
        size_t piece = GM_SLOT - park->used < bytes ? GM_SLOT - park->used : bytes;
        memcpy(to, park->buffer + park->used, piece);
        park->used += piece;
        to += piece;
        bytes -= piece;
    }
    return code;
}

/* Writes the records of a warp, and drops them. */
static int write_stream(gm_cta_park *park, gm_warp_stream *stream, gm_warp_store *store,
                        gm_error *error)
{
    const unsigned char *data = NULL;
    int bytes;
    do {
        bytes = gm_warp_store_take_bytes(store, stream, &data, error);
        uint32_t length = bytes < 0 ? 0 : (uint32_t)bytes;
        int code = bytes < 0 ? bytes : write_bytes(park, &length, sizeof length, error);
        code = code < 0 ? code : write_bytes(park, data, length, error);
        if (code < 0) {
            return code;
        }
    } while (bytes != 0);
    gm_warp_store_drop(store, stream);
    return 0;
}

static int read_stream(gm_cta_park *park, gm_warp_stream *stream, uint64_t count,
                       gm_warp_store *store, gm_error *error)
{
    unsigned char piece[GM_WARP_STORE_RECORD];
    uint32_t length = 0;
    do {
        int code = read_bytes(park, &length, sizeof length, error);
        code = code < 0 ? code : read_bytes(park, piece, length, error);
        if (code == 0 && length != 0) {
            code = gm_warp_store_append_bytes(store, stream, piece, length, error);
        }
        if (code < 0) {
            return code;
        }
    } while (length != 0);
    stream->count = count;
    return 0;
}

static int write_cta(gm_cta_park *park, gm_cta *cta, gm_warp_store *store, gm_error *error)
{
    head head;
    memset(&head, 0, sizeof head);
    head.number = cta->number;
    head.shared_base = cta->shared_base;
    head.local_base = cta->local_base;
    head.local_warps = cta->local_warps;
    head.local_slots = cta->local_slots;
    head.kernel = cta->kernel;
    head.content = cta->content;
    head.turns = cta->log.turns;
    head.warps = cta->warps;
    head.rows = cta->tally.rows;
    head.core = cta->core;
    size_t warps = cta->warps;
    int code = write_bytes(park, &head, sizeof head, error);
    code = code < 0 ? code : write_bytes(park, cta->warp, warps * sizeof *cta->warp, error);
    code = code < 0 ? code : write_bytes(park, cta->first, warps * sizeof *cta->first, error);
    code = code < 0 ? code
                    : write_bytes(park, cta->tally.row, head.rows * sizeof *cta->tally.row, error);
    code = code < 0 ? code
                    : write_bytes(park, cta->log.turn, head.turns * sizeof *cta->log.turn, error);
    for (size_t i = 0; code == 0 && i < warps; i++) {
        code = write_bytes(park, &cta->stream[i].count, sizeof cta->stream[i].count, error);
        code = code < 0 ? code : write_stream(park, &cta->stream[i], store, error);
    }
    if (code == 0) {
        cta->warps = 0;
    }
    return code;
}

/* Makes room for the rows of the tally and the log of a CTA. */
static int make_room(gm_cta *cta, const head *head, gm_error *error)
{
    if (head->rows > cta->tally.room) {
        gm_opcode_count *more = realloc(cta->tally.row, head->rows * sizeof *more);
        if (more == NULL) {
            return out_of_memory(error);
        }
        cta->tally.row = more;
        cta->tally.room = head->rows;
    }
    if (head->turns > cta->log.room) {
        gm_turn *more = realloc(cta->log.turn, head->turns * sizeof *more);
        if (more == NULL) {
            return out_of_memory(error);
        }
        cta->log.turn = more;
        cta->log.room = head->turns;
    }
    return 0;
}

static int read_cta(gm_cta_park *park, gm_cta *cta, gm_warp_store *store, gm_error *error)
{
    head head;
    int code = read_bytes(park, &head, sizeof head, error);
    code = code < 0 ? code : make_room(cta, &head, error);
    if (code < 0) {
        return code;
    }
    cta->number = head.number;
    cta->shared_base = head.shared_base;
    cta->local_base = head.local_base;
    cta->local_warps = head.local_warps;
    cta->local_slots = head.local_slots;
    cta->kernel = head.kernel;
    cta->content = head.content;
    cta->core = head.core;
    cta->tally.rows = head.rows;
    cta->log.turns = head.turns;
    size_t warps = head.warps;
    code = read_bytes(park, cta->warp, warps * sizeof *cta->warp, error);
    code = code < 0 ? code : read_bytes(park, cta->first, warps * sizeof *cta->first, error);
    code = code < 0 ? code
                    : read_bytes(park, cta->tally.row, head.rows * sizeof *cta->tally.row, error);
    code = code < 0 ? code
                    : read_bytes(park, cta->log.turn, head.turns * sizeof *cta->log.turn, error);
    while (code == 0 && cta->warps < warps) {
        gm_warp_stream *stream = &cta->stream[cta->warps++]; /* dropped on failure */
        *stream = (gm_warp_stream){0};
        uint64_t count = 0;
        code = read_bytes(park, &count, sizeof count, error);
        code = code < 0 ? code : read_stream(park, stream, count, store, error);
    }
    return code;
}

/* Forgets the CTAs that were taken out, when they are half of all. */
static void forget_taken(gm_cta_park *park)
{
    if (2 * park->taken < park->count) {
        return;
    }
    size_t kept = 0;
    for (size_t i = 0; i < park->count; i++) {
        if (park->parked[i].slot != NO_SLOT) {
            park->parked[kept++] = park->parked[i];
        }
    }
    park->count = kept;
    park->taken = 0;
}

/* Makes room for one more CTA. */
static int make_place(gm_cta_park *park, gm_error *error)
{
    if (park->buffer == NULL) {
        park->buffer = calloc(1, GM_SLOT);
    }
    if (park->buffer == NULL) {
        return out_of_memory(error);
    }
    if (park->count == park->room) {
        size_t room = park->room == 0 ? GM_SLOT / sizeof *park->parked : 2 * park->room;
        gm_parked *more = realloc(park->parked, room * sizeof *more);
        if (more == NULL) {
            return out_of_memory(error);
        }
        park->parked = more;
        park->room = room;
    }
    return 0;
}

int gm_cta_park_put(gm_cta_park *park, gm_cta *cta, gm_warp_store *store, gm_error *error)
{
    int code = make_place(park, error);
    code = code < 0 ? code : gm_slot_file_take(&park->file, &park->slot, error);
    if (code < 0) {
        return code;
    }
    gm_parked *put = &park->parked[park->count++];
    *put = (gm_parked){cta->number, park->slot};
    park->used = LINK;
    code = write_cta(park, cta, store, error);
    return code < 0 ? code : write_slot(park, NO_SLOT, error);
}

/* Returns the place of a parked CTA, or the number of places. */
static size_t find(const gm_cta_park *park, uint64_t number)
{
    size_t low = 0;
    for (size_t high = park->count; low < high;) {
        size_t middle = low + (high - low) / 2;
        if (park->parked[middle].number < number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool is_here = low < park->count && park->parked[low].number == number &&
                   park->parked[low].slot != NO_SLOT;
    return is_here ? low : park->count;
}

bool gm_cta_park_has(const gm_cta_park *park, uint64_t number)
{
    return find(park, number) != park->count;
}

int gm_cta_park_take(gm_cta_park *park, uint64_t number, gm_cta *cta, gm_warp_store *store,
                     gm_error *error)
{
    gm_parked *parked = &park->parked[find(park, number)];
    int code = read_slot(park, parked->slot, error);
    code = code < 0 ? code : read_cta(park, cta, store, error);
    parked->slot = NO_SLOT;
    park->taken++;
    forget_taken(park);
    return code;
}
