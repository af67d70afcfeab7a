/* Miss status holding registers [khairy, 3.1; li, 2.2]: entries of a line and its waiting
 * requesters. REQUEST merges or allocates, RESPONSE answers one requester, CLOSE ends merging. */
#include "goldmem/mshr.h"

#include "base/bitset.h"
#include "goldmem/assert.h"
#include "goldmem/bits.h"

#include <errno.h>

enum { NO_ENTRY = GM_MSHR_ENTRIES };

extern inline bool gm_mshr_is_valid(const gm_mshr *table, unsigned id);
extern inline bool gm_mshr_is_open(const gm_mshr *table, unsigned id);

static int check_range(const char *name, unsigned value, unsigned most, gm_error *error)
{
    return value >= 1 && value <= most
               ? 0
               : gm_fail(error, -EINVAL, "mshr: %s %u: must be 1 to %u", name, value, most);
}

/* Returns log2 of the buckets: 4 to 8 buckets for each entry, so that most are empty. */
static unsigned bucket_bits(unsigned entries)
{
    return gm_log2_ceil(entries) + 2;
}

size_t gm_mshr_bytes(const gm_mshr_parameters *parameters)
{
    enum { ALIGNMENT = 64, PARTS = 3 };
    size_t buckets = sizeof(uint16_t) << bucket_bits(parameters->entries);
    size_t merged = (size_t)parameters->entries * (parameters->merges - 1) * sizeof(uint64_t);
    return buckets + parameters->entries * sizeof(gm_mshr_entry) + merged +
           (size_t)(PARTS * ALIGNMENT);
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
    unsigned bits = bucket_bits(p->entries);
    *table = (gm_mshr){
        .entries = p->entries,
        .merges = p->merges,
        .line_bits = p->line_bits,
        .requester_bits = p->requester_bits,
        .hash_shift = 64 - bits,
        .bucket = gm_arena_take(arena, (size_t)1 << bits, sizeof *table->bucket),
        .entry = gm_arena_take(arena, p->entries, sizeof *table->entry),
        .requester =
            gm_arena_take(arena, (size_t)p->entries * (p->merges - 1), sizeof *table->requester),
    };
    return table->bucket == NULL || table->entry == NULL || table->requester == NULL
               ? gm_fail(error, -ENOMEM, "mshr: the arena is full: it needs %zu bytes",
                         gm_mshr_bytes(p))
               : 0;
}

/* The open entry of a line, and the number of the line's entries. */
typedef struct match {
    unsigned open; /* or NO_ENTRY */
    unsigned count;
} match;

static __attribute__((noinline)) match find_in_list(const gm_mshr *table, uint64_t line,
                                                    unsigned first)
{
    match found = {NO_ENTRY, 0};
    for (unsigned number = first; number != 0;) {
        unsigned id = number - 1;
        if (table->entry[id].line == line) {
            found.count++;
            found.open = gm_mshr_is_open(table, id) ? id : found.open;
        }
        number = table->entry[id].next;
    }
    return found;
}

/* Finds a line's entries. Most often its bucket is empty. */
static inline match find(const gm_mshr *table, uint64_t line)
{
    unsigned first = *gm_mshr_bucket(table, line);
    return first == 0 ? (match){NO_ENTRY, 0} : find_in_list(table, line, first);
}

unsigned gm_mshr_find_open(const gm_mshr *table, uint64_t line)
{
    return find(table, line).open;
}

static unsigned lowest_free(const gm_mshr *table)
{
    for (unsigned word = 0; word < GM_MSHR_WORDS; word++) {
        if (table->valid[word] != UINT64_MAX) {
            unsigned id = GM_BITSET_WORD * word + gm_lowest_one(~table->valid[word]);
            return id < table->entries ? id : NO_ENTRY;
        }
    }
    return NO_ENTRY;
}

static void put(gm_mshr *table, unsigned id, unsigned slot, uint64_t requester)
{
    *gm_mshr_requester(table, id, slot) = requester;
}

static void allocate(gm_mshr *table, unsigned id, uint64_t line)
{
    uint16_t *bucket = gm_mshr_bucket(table, line);
    gm_bitset_add(table->valid, id);
    gm_bitset_add(table->open, id);
    table->entry[id] = (gm_mshr_entry){.line = line, .next = *bucket};
    *bucket = (uint16_t)(id + 1);
}

static void release(gm_mshr *table, unsigned id)
{
    uint16_t *link = gm_mshr_bucket(table, table->entry[id].line);
    while (*link != id + 1) {
        link = &table->entry[*link - 1].next;
    }
    *link = table->entry[id].next;
    gm_bitset_remove(table->valid, id);
}

static void clear_open(gm_mshr *table, unsigned id)
{
    gm_bitset_remove(table->open, id);
}

static gm_mshr_found found_in(uint64_t outcome, uint64_t id, uint64_t count)
{
    return outcome | id << 16 | count << 32;
}

static gm_mshr_found failed(uint64_t reason)
{
    return GM_MSHR_FAIL | reason << 8;
}

static __attribute__((noinline)) gm_mshr_found merge(gm_mshr *table, unsigned id,
                                                     uint64_t requester, bool commit)
{
    gm_mshr_entry *entry = &table->entry[id];
    unsigned slot = entry->newest + 1U;
    if (slot == table->merges) {
        return failed(GM_MSHR_FAIL_MERGE);
    }
    if (commit) {
        entry->newest = (uint16_t)slot;
        put(table, id, slot, requester);
    }
    /* An open entry has answered no requester: its requesters begin at slot 0. */
    return found_in(GM_MSHR_MERGED, id, slot + 1);
}

/* Does a REQUEST, or a PROBE when not `commit`. */
static inline __attribute__((always_inline)) gm_mshr_found request_line(
    gm_mshr *table, uint64_t line, uint64_t requester, bool may_allocate, bool commit)
{
    match found = find(table, line);
    if (found.open != NO_ENTRY) {
        return merge(table, found.open, requester, commit);
    }
    unsigned id = lowest_free(table);
    if (id == NO_ENTRY || found.count == 2) {
        return failed(GM_MSHR_FAIL_ENTRY);
    }
    if (!may_allocate) {
        return failed(GM_MSHR_FAIL_MISS_QUEUE);
    }
    if (commit) {
        allocate(table, id, line);
        put(table, id, 0, requester);
    }
    return found_in(GM_MSHR_NEW, id, 1);
}

gm_mshr_found gm_mshr_take(gm_mshr *table, uint64_t line, uint64_t requester, bool may_allocate)
{
    return request_line(table, line, requester, may_allocate, true);
}

gm_mshr_found gm_mshr_probe(gm_mshr *table, uint64_t line, bool may_allocate)
{
    return request_line(table, line, 0, may_allocate, false);
}

gm_mshr_answer gm_mshr_respond(gm_mshr *table, uint64_t number)
{
    if (number >= table->entries || !gm_mshr_is_valid(table, (unsigned)number)) {
        return (gm_mshr_answer){.error = 1};
    }
    unsigned id = (unsigned)number;
    gm_mshr_entry *entry = &table->entry[id];
    unsigned slot = entry->oldest;
    gm_mshr_answer answer = {
        .requester = *gm_mshr_requester(table, id, slot),
        .count = (uint16_t)(entry->newest - slot),
        .install = gm_mshr_is_open(table, id),
    };
    clear_open(table, id);
    if (answer.count == 0) {
        release(table, id);
    } else {
        entry->oldest++;
    }
    return answer;
}

unsigned gm_mshr_close(gm_mshr *table, uint64_t line)
{
    unsigned id = find(table, line).open;
    if (id != NO_ENTRY) {
        clear_open(table, id);
    }
    return id;
}

bool gm_mshr_close_all(gm_mshr *table)
{
    uint64_t any = 0;
    for (unsigned word = 0; word < GM_MSHR_WORDS; word++) {
        any |= table->open[word];
        table->open[word] = 0;
    }
    return any != 0;
}

__attribute__((noinline)) gm_mshr_response gm_mshr_transact_observed(gm_mshr *table,
                                                                     gm_mshr_request request)
{
    gm_mshr_response response = gm_mshr_transact(table, &request);
    gm_mshr_tell(table->observer, request, response);
    return response;
}

/* Returns an entry that is in use but in no list, in a list but not in use, in the list of another
 * bucket, or in a list twice; NO_ENTRY: there is none. */
static unsigned find_unlisted(const gm_mshr *table)
{
    uint64_t listed[GM_MSHR_WORDS] = {0};
    const uint16_t *end = table->bucket + ((size_t)1 << (64 - table->hash_shift));
    for (const uint16_t *bucket = table->bucket; bucket < end; bucket++) {
        for (unsigned number = *bucket; number != 0; number = table->entry[number - 1].next) {
            unsigned id = number - 1;
            if (gm_bitset_has(listed, id) ||
                gm_mshr_bucket(table, table->entry[id].line) != bucket) {
                return id;
            }
            gm_bitset_add(listed, id);
        }
    }
    for (unsigned word = 0; word < GM_MSHR_WORDS; word++) {
        uint64_t other = listed[word] ^ table->valid[word];
        if (other != 0) {
            return GM_BITSET_WORD * word + gm_lowest_one(other);
        }
    }
    return NO_ENTRY;
}

static int check_entry(const gm_mshr *table, unsigned id, gm_error *error)
{
    const gm_mshr_entry *entry = &table->entry[id];
    if (entry->oldest > entry->newest || entry->newest >= table->merges ||
        (gm_mshr_is_open(table, id) && entry->oldest != 0)) {
        return gm_fail(error, -EINVAL, "mshr: entry %u: its slots are beyond the bounds", id);
    }
    match same = find(table, entry->line);
    if (same.count > 2 || (gm_mshr_is_open(table, id) && same.open != id)) {
        return gm_fail(error, -EINVAL, "mshr: entry %u: its line has a third, or two are open", id);
    }
    return 0;
}

static int check_free_entry(const gm_mshr *table, unsigned id, gm_error *error)
{
    return gm_mshr_is_open(table, id)
               ? gm_fail(error, -EINVAL, "mshr: entry %u is open and free", id)
               : 0;
}

int gm_mshr_check_entry(const gm_mshr *table, unsigned id, gm_error *error)
{
    return gm_mshr_is_valid(table, id) ? check_entry(table, id, error)
                                       : check_free_entry(table, id, error);
}

void gm_mshr_assert_request(const gm_mshr *table, const gm_mshr_request *request)
{
    bool has_line = request->op == GM_MSHR_REQUEST_OP || request->op == GM_MSHR_CLOSE_OP ||
                    request->op >= GM_MSHR_PROBE_OP;
    gm_assert(request->op < 8, "mshr: operation %llu", (unsigned long long)request->op);
    gm_assert(!has_line || (request->line & ~gm_mask(table->line_bits)) == 0,
              "mshr: line address 0x%llx", (unsigned long long)request->line);
    gm_assert(request->op != GM_MSHR_REQUEST_OP ||
                  (request->requester & ~gm_mask(table->requester_bits)) == 0,
              "mshr: requester 0x%llx", (unsigned long long)request->requester);
    gm_assert(request->op != GM_MSHR_RESPONSE_OP ||
                  (request->id & ~gm_mask(table->entries > 2 ? gm_log2_ceil(table->entries) : 1)) ==
                      0,
              "mshr: id %llu", (unsigned long long)request->id);
    gm_assert(request->may_allocate <= 1, "mshr: may_allocate %llu",
              (unsigned long long)request->may_allocate);
}

void gm_mshr_assert_invariants(gm_mshr *table, const gm_mshr_request *request,
                               const gm_mshr_response *response)
{
    bool probes = request->op >= GM_MSHR_PROBE_OP;
    bool fails = request->op == GM_MSHR_REQUEST_OP && response->outcome == GM_MSHR_FAIL;
    gm_error error;
    if (gm_assert_whole() || request->op == GM_MSHR_FLUSH_OP) {
        gm_assert(gm_mshr_check(table, &error) == 0, "%s", error.text);
    } else if (!probes && !fails && response->error == 0) {
        gm_assert(gm_mshr_check_entry(table, (unsigned)response->id, &error) == 0, "%s",
                  error.text);
    }
}

int gm_mshr_check(const gm_mshr *table, gm_error *error)
{
    for (unsigned id = 0; id < GM_MSHR_ENTRIES; id++) {
        int code = gm_mshr_is_valid(table, id) ? 0 : check_free_entry(table, id, error);
        if (code < 0) {
            return code;
        }
    }
    unsigned unlisted = find_unlisted(table);
    if (unlisted != NO_ENTRY) {
        return gm_fail(error, -EINVAL, "mshr: entry %u: not in the list of its line", unlisted);
    }
    int code = 0;
    for (unsigned id = 0; id < table->entries && code == 0; id++) {
        code = gm_mshr_is_valid(table, id) ? check_entry(table, id, error) : 0;
    }
    return code;
}

GM_PORTS_TABLE(mshr, MSHR)
