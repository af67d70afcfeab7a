/* Miss status holding registers [khairy, 3.1; li, 2.2]: the lines in flight to a cache and the
 * requesters that wait for each. A second miss on a line merges into the entry of the first, so a
 * line is requested once. One block for every level; RTL: rtl/mshr.sv; page: docs/blocks/mshr.md.
 */
#ifndef GOLDMEM_MSHR_H
#define GOLDMEM_MSHR_H

#include "goldmem/arena.h"
#include "goldmem/error.h"
#include "goldmem/observer.h"
#include "goldmem/ports.h"
#include "goldmem/ports/mshr.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    GM_MSHR_ENTRIES = 1024, /* entries, at most */
    GM_MSHR_MERGES = 1024,  /* requesters of an entry, at most */
    GM_MSHR_WORDS = GM_MSHR_ENTRIES / 64,
};

typedef struct gm_mshr_parameters {
    unsigned entries;        /* 1 to 1024; 32 [khairy, Table 1; li, Table 2] */
    unsigned merges;         /* requesters of an entry, the first included, 1 to 1024; 8: li's 256
                              * merged requests over 32 entries [li, Table 2] */
    unsigned line_bits;      /* bits of a line address, 1 to 64 */
    unsigned requester_bits; /* bits of a requester's id, 1 to 64 */
} gm_mshr_parameters;

/* An entry. Its requesters are in slots oldest to newest. Most entries have one: slot 0 lies here,
 * beside what every transaction reads, the other slots in a row of gm_mshr.requester. */
typedef struct gm_mshr_entry {
    uint64_t line;
    uint64_t first; /* slot 0 */
    uint16_t next;  /* in the list of its bucket: 1 + an entry, or 0 */
    uint16_t oldest, newest;
} gm_mshr_entry;

/* State. One bit per entry in `valid` and `open`, entry 0 in bit 0 of word 0. A bucket lists the
 * entries in use whose lines have its hash, so that a look-up visits few entries. */
typedef struct gm_mshr {
    unsigned entries, merges;
    unsigned line_bits, requester_bits;
    unsigned hash_shift;  /* right shift of a line's hash to the number of its bucket */
    uint16_t *bucket;     /* [2^(64 - hash_shift)] 1 + an entry, or 0 */
    gm_mshr_entry *entry; /* [entries] */
    uint64_t *requester;  /* entries rows of the slots 1 to merges - 1 */
    /* Called with each transaction; NULL: no observer. Requires that the caller sets it before the
     * first transaction. */
    const gm_observer *observer;
    uint64_t valid[GM_MSHR_WORDS];
    uint64_t open[GM_MSHR_WORDS];
} gm_mshr;

GM_PORTS_STRUCTS(mshr, MSHR)

/* Operations (goldmem/ports/mshr.h has their numbers, the outcomes and the reasons).
 *
 * - REQUEST: a miss. Merges into the open entry of its line, or takes the lowest free entry.
 *   Fails, and changes nothing, when the open entry is full (MERGE), or when a new entry is needed
 *   and none is free or the line already has two (ENTRY), or may_allocate is 0 (MISS_QUEUE).
 * - RESPONSE: data of an entry arrived. Answers one requester, in the order of their REQUESTs;
 *   frees the entry with the last (count is 0). The first RESPONSE closes the entry; its `install`
 *   is 1 if the entry was open. For a free entry: sets `error` and changes nothing.
 * - CLOSE: the open entry of the line, if any, takes no more requesters, and its data will not be
 *   installed.
 * - FLUSH: CLOSE of every line.
 * - PROBE: answers as REQUEST would and changes nothing. */

/* Returns the bytes of an arena that gm_mshr_init takes, at most. */
size_t gm_mshr_bytes(const gm_mshr_parameters *parameters);

/* Makes an empty table, with storage from the arena. Returns 0; -EINVAL, which names the parameter
 * that is out of range; -ENOMEM if the arena is full. */
int gm_mshr_init(gm_mshr *table, const gm_mshr_parameters *parameters, gm_arena *arena,
                 gm_error *error);

/* Private to gm_mshr_access: the operations, which return their answers in registers. Fields of a
 * gm_mshr_found from bit 0: outcome 8, reason 8, id 16, count 32 bits. */
typedef uint64_t gm_mshr_found;

typedef struct gm_mshr_answer {
    uint64_t requester;
    uint16_t count;
    bool install, error;
} gm_mshr_answer;

gm_mshr_found gm_mshr_take(gm_mshr *table, uint64_t line, uint64_t requester, bool may_allocate);
gm_mshr_found gm_mshr_probe(gm_mshr *table, uint64_t line, bool may_allocate);
gm_mshr_answer gm_mshr_respond(gm_mshr *table, uint64_t number);
unsigned gm_mshr_close(gm_mshr *table, uint64_t line); /* GM_MSHR_ENTRIES: no open entry */
bool gm_mshr_close_all(gm_mshr *table);

/* Returns a response of which all fields are 0; valid C and C++. */
static inline gm_mshr_response gm_mshr_no_response(void)
{
    gm_mshr_response response;
    memset(&response, 0, sizeof response);
    return response;
}

static inline gm_mshr_response gm_mshr_response_found(gm_mshr_found found)
{
    gm_mshr_response response = gm_mshr_no_response();
    response.outcome = found & 0xff;
    response.reason = found >> 8 & 0xff;
    response.id = found >> 16 & 0xffff;
    response.count = found >> 32;
    return response;
}

static inline __attribute__((always_inline)) gm_mshr_response gm_mshr_transact(
    gm_mshr *table, const gm_mshr_request *request)
{
    gm_mshr_response response = gm_mshr_no_response();
    switch (request->op) {
    case GM_MSHR_REQUEST_OP:
        return gm_mshr_response_found(
            gm_mshr_take(table, request->line, request->requester, request->may_allocate != 0));
    case GM_MSHR_RESPONSE_OP: {
        gm_mshr_answer answer = gm_mshr_respond(table, request->id);
        response.id = request->id;
        response.count = answer.count;
        response.requester = answer.requester;
        response.line = answer.error != 0 ? 0 : table->entry[request->id].line;
        response.install = answer.install;
        response.error = answer.error;
        return response;
    }
    case GM_MSHR_CLOSE_OP: {
        unsigned id = gm_mshr_close(table, request->line);
        response.closed = id != GM_MSHR_ENTRIES;
        response.id = response.closed != 0 ? id : 0;
        return response;
    }
    case GM_MSHR_FLUSH_OP:
        response.closed = gm_mshr_close_all(table);
        return response;
    default:
        return gm_mshr_response_found(
            gm_mshr_probe(table, request->line, request->may_allocate != 0));
    }
}

/* Private to gm_mshr_access: a transaction that calls the observer. Requires an observer. */
gm_mshr_response gm_mshr_transact_observed(gm_mshr *table, gm_mshr_request request);

/* Private to gm_mshr_access: the checks at its beginning and end, in debug builds. */
void gm_mshr_assert_request(const gm_mshr *table, const gm_mshr_request *request);
void gm_mshr_assert_invariants(gm_mshr *table, const gm_mshr_request *request,
                               const gm_mshr_response *response);

/* The block's transaction. Requires that the fields of the request are within their widths. Where
 * the operation is a constant, the compiler removes the other operations and the response's unused
 * fields. */
static inline __attribute__((always_inline)) gm_mshr_response gm_mshr_access(
    gm_mshr *table, gm_mshr_request request)
{
#ifdef GM_DEBUG
    gm_mshr_assert_request(table, &request);
#endif
    gm_mshr_response response = table->observer == NULL ? gm_mshr_transact(table, &request)
                                                        : gm_mshr_transact_observed(table, request);
#ifdef GM_DEBUG
    gm_mshr_assert_invariants(table, &request, &response);
#endif
    return response;
}

/* Return true if the entry is in use, and if it takes requesters. Require id < entries. */
inline bool gm_mshr_is_valid(const gm_mshr *table, unsigned id)
{
    return (table->valid[id / 64] >> id % 64 & 1) != 0;
}

inline bool gm_mshr_is_open(const gm_mshr *table, unsigned id)
{
    return (table->open[id / 64] >> id % 64 & 1) != 0;
}

/* Returns the place of the requester in a slot of an entry. */
static inline uint64_t *gm_mshr_requester(const gm_mshr *table, unsigned id, unsigned slot)
{
    return slot == 0 ? &table->entry[id].first
                     : &table->requester[(size_t)id * (table->merges - 1) + slot - 1];
}

/* Four lines that follow each other, as the sectors of a line do, have adjacent buckets. */
static inline uint16_t *gm_mshr_bucket(const gm_mshr *table, uint64_t line)
{
    enum { ADJACENT = 3 };
    uint64_t hash = (line / (ADJACENT + 1)) * UINT64_C(0x9e3779b97f4a7c15) >> table->hash_shift;
    return &table->bucket[(hash & ~(uint64_t)ADJACENT) | (line & ADJACENT)];
}

/* Returns the open entry of a line, which CLOSE would close; GM_MSHR_ENTRIES when there is none. */
unsigned gm_mshr_find_open(const gm_mshr *table, uint64_t line);

/* Returns 0 when the invariants hold: an open entry is in use, its slots are in order and within
 * bounds, a line has at most two entries and at most one open entry. Else -EINVAL, which names the
 * entry. */
int gm_mshr_check(const gm_mshr *table, gm_error *error);

/* Checks one entry as gm_mshr_check does, after each transaction on it in debug builds. Requires
 * id < entries. */
int gm_mshr_check_entry(const gm_mshr *table, unsigned id, gm_error *error);

#ifdef __cplusplus
}
#endif

#endif
