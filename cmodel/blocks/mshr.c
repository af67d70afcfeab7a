/* Miss status holding registers [khairy, 3.1; li, 2.2]: entries of a line and its waiting
 * requesters. REQUEST merges or allocates, RESPONSE answers one requester, CLOSE ends merging. */
#include "goldmem/mshr.h"

#include "goldmem/bits.h"

#include <errno.h>

enum { NO_ENTRY = GM_MSHR_ENTRIES };

/* Eight bytes that are 1. */
#define EACH_BYTE UINT64_C(0x0101010101010101)

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "entry 0 has the lowest byte");

extern inline bool gm_mshr_is_valid(const gm_mshr *table, unsigned id);
extern inline bool gm_mshr_is_open(const gm_mshr *table, unsigned id);

static int check_range(const char *name, unsigned value, unsigned most, gm_error *error)
{
    return value >= 1 && value <= most
               ? 0
               : gm_fail(error, -EINVAL, "mshr: %s %u: must be 1 to %u", name, value, most);
}

size_t gm_mshr_bytes(const gm_mshr_parameters *parameters)
{
    enum { ALIGNMENT = 64, PARTS = 5 };
    size_t entry = sizeof(uint64_t) + 3 * sizeof(uint8_t);
    size_t merged = (size_t)parameters->entries * parameters->merges * sizeof(uint64_t);
    return parameters->entries * entry + sizeof(uint64_t) + merged + (size_t)(PARTS * ALIGNMENT);
}

int gm_mshr_init(gm_mshr *table, const gm_mshr_parameters *parameters, gm_arena *arena,
                 gm_error *error)
{
    const gm_mshr_parameters *p = parameters;
    int code = check_range("entries", p->entries, GM_MSHR_ENTRIES, error);
    if (code == 0) {
        code = check_range("merges", p->merges, GM_MSHR_MERGES, error);
    }
    if (code == 0) {
        code = check_range("line_bits", p->line_bits, 64, error);
    }
    if (code == 0) {
        code = check_range("requester_bits", p->requester_bits, 64, error);
    }
    if (code < 0) {
        return code;
    }
    *table = (gm_mshr){
        .entries = p->entries,
        .merges = p->merges,
        .hash = gm_arena_take(arena, (p->entries + 7) / 8, sizeof *table->hash),
        .line = gm_arena_take(arena, p->entries, sizeof *table->line),
        .oldest = gm_arena_take(arena, p->entries, sizeof *table->oldest),
        .newest = gm_arena_take(arena, p->entries, sizeof *table->newest),
        .requester = gm_arena_take(arena, (size_t)p->entries * p->merges, sizeof *table->requester),
    };
    /* Taken last and the largest: it fails when any of them does. */
    return table->requester == NULL
               ? gm_fail(error, -ENOMEM, "mshr: the arena is full: it needs %zu bytes",
                         gm_mshr_bytes(p))
               : 0;
}

/* The open entry of a line, and how many entries the line has. */
typedef struct match {
    unsigned open; /* or NO_ENTRY */
    unsigned count;
} match;

static uint8_t hash_of(uint64_t line)
{
    return (uint8_t)((line * UINT64_C(0x9e3779b97f4a7c15)) >> 56);
}

/* Compares the hashes of eight entries at once. Where one agrees, or was left by an entry that is
 * free now, or the subtraction borrows from it, the entry itself decides. */
static match find(const gm_mshr *table, uint64_t line)
{
    match found = {NO_ENTRY, 0};
    uint64_t same = hash_of(line) * EACH_BYTE;
    for (unsigned word = 0; 8 * word < table->entries; word++) {
        uint64_t other = table->hash[word] ^ same;
        uint64_t left = (other - EACH_BYTE) & ~other & EACH_BYTE << 7;
        for (; left != 0; left &= left - 1) {
            unsigned id = 8 * word + gm_lowest_one(left) / 8;
            if (gm_mshr_is_valid(table, id) && table->line[id] == line) {
                found.count++;
                found.open = gm_mshr_is_open(table, id) ? id : found.open;
            }
        }
    }
    return found;
}

unsigned gm_mshr_find_open(const gm_mshr *table, uint64_t line)
{
    return find(table, line).open;
}

static unsigned lowest_free(const gm_mshr *table)
{
    for (unsigned word = 0; word < GM_MSHR_WORDS; word++) {
        if (table->valid[word] != UINT64_MAX) {
            unsigned id = 64 * word + gm_lowest_one(~table->valid[word]);
            return id < table->entries ? id : NO_ENTRY;
        }
    }
    return NO_ENTRY;
}

static void allocate(gm_mshr *table, unsigned id, uint64_t line)
{
    table->valid[id / 64] |= UINT64_C(1) << id % 64;
    table->open[id / 64] |= UINT64_C(1) << id % 64;
    ((uint8_t *)table->hash)[id] = hash_of(line);
    table->line[id] = line;
    table->oldest[id] = 0;
    table->newest[id] = 0;
}

static void clear_open(gm_mshr *table, unsigned id)
{
    table->open[id / 64] &= ~(UINT64_C(1) << id % 64);
}

static void put(gm_mshr *table, unsigned id, uint64_t requester)
{
    table->requester[(size_t)id * table->merges + table->newest[id]] = requester;
}

static gm_mshr_response failed(uint64_t reason)
{
    return (gm_mshr_response){.outcome = GM_MSHR_FAIL, .reason = reason};
}

static gm_mshr_response merge(gm_mshr *table, unsigned id, uint64_t requester, bool commit)
{
    if (table->newest[id] + 1u == table->merges) {
        return failed(GM_MSHR_FAIL_MERGE);
    }
    if (commit) {
        table->newest[id]++;
        put(table, id, requester);
    }
    /* An entry that is open has answered nobody: its requesters begin at slot 0. */
    uint64_t count = table->newest[id] + (commit ? 1u : 2u);
    return (gm_mshr_response){.outcome = GM_MSHR_MERGED, .id = id, .count = count};
}

/* REQUEST, or PROBE when not `commit`. */
static gm_mshr_response request_line(gm_mshr *table, const gm_mshr_request *request, bool commit)
{
    match found = find(table, request->line);
    if (found.open != NO_ENTRY) {
        return merge(table, found.open, request->requester, commit);
    }
    unsigned id = lowest_free(table);
    if (id == NO_ENTRY || found.count == 2) {
        return failed(GM_MSHR_FAIL_ENTRY);
    }
    if (request->may_allocate == 0) {
        return failed(GM_MSHR_FAIL_MISS_QUEUE);
    }
    if (commit) {
        allocate(table, id, request->line);
        put(table, id, request->requester);
    }
    return (gm_mshr_response){.outcome = GM_MSHR_NEW, .id = id, .count = 1};
}

static gm_mshr_response respond(gm_mshr *table, uint64_t number)
{
    gm_mshr_response response = {.id = number};
    if (number >= table->entries || !gm_mshr_is_valid(table, (unsigned)number)) {
        response.error = 1;
        return response;
    }
    unsigned id = (unsigned)number;
    unsigned slot = table->oldest[id];
    response.requester = table->requester[(size_t)id * table->merges + slot];
    response.line = table->line[id];
    response.count = table->newest[id] - slot;
    response.install = gm_mshr_is_open(table, id);
    clear_open(table, id);
    if (response.count == 0) {
        table->valid[id / 64] &= ~(UINT64_C(1) << id % 64);
    } else {
        table->oldest[id]++;
    }
    return response;
}

static gm_mshr_response close_line(gm_mshr *table, uint64_t line)
{
    unsigned id = find(table, line).open;
    if (id == NO_ENTRY) {
        return (gm_mshr_response){0};
    }
    clear_open(table, id);
    return (gm_mshr_response){.id = id, .closed = 1};
}

static gm_mshr_response close_all(gm_mshr *table)
{
    uint64_t any = 0;
    for (unsigned word = 0; word < GM_MSHR_WORDS; word++) {
        any |= table->open[word];
        table->open[word] = 0;
    }
    return (gm_mshr_response){.closed = any != 0};
}

static gm_mshr_response transact(gm_mshr *table, const gm_mshr_request *request)
{
    switch (request->op) {
    case GM_MSHR_REQUEST_OP:
        return request_line(table, request, true);
    case GM_MSHR_RESPONSE_OP:
        return respond(table, request->id);
    case GM_MSHR_CLOSE_OP:
        return close_line(table, request->line);
    case GM_MSHR_FLUSH_OP:
        return close_all(table);
    default:
        return request_line(table, request, false);
    }
}

gm_mshr_response gm_mshr_access(gm_mshr *table, gm_mshr_request request)
{
    gm_mshr_response response = transact(table, &request);
    if (table->observer != NULL) {
        gm_mshr_tell(table->observer, request, response);
    }
    return response;
}

int gm_mshr_check(const gm_mshr *table, gm_error *error)
{
    for (unsigned id = 0; id < GM_MSHR_ENTRIES; id++) {
        if (!gm_mshr_is_valid(table, id)) {
            if (gm_mshr_is_open(table, id)) {
                return gm_fail(error, -EINVAL, "mshr: entry %u is open and free", id);
            }
            continue;
        }
        if (id >= table->entries || table->oldest[id] > table->newest[id] ||
            table->newest[id] >= table->merges ||
            (gm_mshr_is_open(table, id) && table->oldest[id] != 0)) {
            return gm_fail(error, -EINVAL, "mshr: entry %u: beyond the table, or its slots", id);
        }
        if (((const uint8_t *)table->hash)[id] != hash_of(table->line[id])) {
            return gm_fail(error, -EINVAL, "mshr: entry %u: not the hash of its line", id);
        }
        match same = find(table, table->line[id]);
        if (same.count > 2 || (gm_mshr_is_open(table, id) && same.open != id)) {
            return gm_fail(error, -EINVAL, "mshr: entry %u: its line has a third, or two are open",
                           id);
        }
    }
    return 0;
}

GM_PORTS_TABLE(mshr, MSHR)
