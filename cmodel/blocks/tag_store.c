/* Decoupled LFU tag store [li, 4.1, 4.2]: the transactions. docs/blocks/tag_store.md has the rules;
 * their numbers are in comments here. Start and check are in tag_store_init.c. */
#include "goldmem/tag_store.h"

#include "blocks/tag_store_parts.h"
#include "goldmem/assert.h"
#include "goldmem/bits.h"

/* A response in few bytes, which are soon cleared. */
typedef struct answer {
    uint64_t evicted_line;
    uint32_t index;
    uint8_t outcome, reason, position, evicted_position, rc;
    bool evicted, dead, dropped, error, replaced, tie, saturated, aged, emptied, distant;
} answer;

static uint32_t bit(unsigned number)
{
    return UINT32_C(1) << number;
}

/* RC - 1 of all entries that have one; an entry that is not to age has 0 meanwhile. */
static void age(const gm_tag_store *store, const gm_tag_store_row *row, answer *a)
{
    for (unsigned word = 0; word < store->words; word++) {
        uint64_t rc = row->rc[word];
        uint64_t some = ((((rc & 0x7f * EACH_BYTE) + 0x7f * EACH_BYTE) | rc) >> 7) & EACH_BYTE;
        uint64_t less = rc - some;
        uint64_t left = ((((less & 0x7f * EACH_BYTE) + 0x7f * EACH_BYTE) | less) >> 7) & EACH_BYTE;
        row->rc[word] = less;
        a->aged = a->aged || some != 0;
        a->emptied = a->emptied || some != left;
    }
}

static uint8_t *rc_of(const gm_tag_store_row *row, unsigned way)
{
    return (uint8_t *)row->rc + way;
}

static void fail(answer *a, uint8_t reason)
{
    a->outcome = GM_TAG_STORE_RESERVATION_FAIL;
    a->reason = reason;
}

static void report_eviction(const gm_tag_store_row *row, unsigned way, answer *a)
{
    a->evicted = true;
    a->evicted_line = row->line[way];
    a->evicted_position = row->position[way];
}

/* An entry gives its data line back; the line stays in the order. */
static void uncommit(const gm_tag_store_row *row, unsigned way)
{
    row->set->committed &= ~bit(way);
    row->set->lines &= ~bit(row->position[way]);
}

/* The candidate with the smallest RC, the lowest way of several (a tie). */
static unsigned least_used(const gm_tag_store_row *row, uint32_t candidates, bool *tie)
{
    unsigned least = UINT32_MAX; /* RC and way */
    unsigned second = UINT32_MAX;
    for (uint32_t left = candidates; left != 0; left &= left - 1) {
        unsigned way = gm_lowest_one(left);
        unsigned next = (unsigned)*rc_of(row, way) << 8 | way;
        unsigned more = next > least ? next : least;
        least = next < least ? next : least;
        second = more < second ? more : second;
    }
    *tie = least >> 8 == second >> 8;
    return least & 0xff;
}

/* What a PROBE does to the set, decided before anything changes. */
typedef struct plan {
    unsigned way;      /* the line's entry */
    unsigned rc;       /* its RC */
    bool is_new;       /* it is taken for the line */
    unsigned freed;    /* data line that its former line has, or NO_LINE */
    unsigned position; /* data line that it gets, or NO_LINE */
    bool evicts;       /* from another entry */
    bool replaced, tie, saturated;
} plan;

/* Rule 1: the entry for a line that has none. */
static void take_entry(const gm_tag_store *store, const gm_tag_store_row *row, plan *plan)
{
    const gm_tag_store_parameters *p = &store->parameters;
    const gm_tag_store_set *set = row->set;
    uint32_t free = ~(set->valid | set->waiting) & (uint32_t)gm_mask(p->tag_ways);
    plan->rc = p->allocation_rc;
    plan->is_new = true;
    if (free != 0) {
        plan->way = gm_lowest_one(free);
        return;
    }
    uint32_t candidates = set->valid & ~(p->lfu_any ? set->waiting : set->committed);
    plan->way = least_used(row, candidates, &plan->tie);
    plan->replaced = true;
    if ((set->committed >> plan->way & 1) != 0) {
        plan->freed = row->position[plan->way];
    }
}

/* Rule 3: one reference more to a line without data line. */
static void count_reference(const gm_tag_store *store, const gm_tag_store_row *row, plan *plan)
{
    unsigned rc = *rc_of(row, plan->way);
    plan->saturated = rc == gm_mask(store->parameters.rc_bits);
    plan->rc = plan->saturated ? rc : rc + 1;
}

/* Rule 3b: a data line for the entry, if there is one. */
static void choose_line(const gm_tag_store *store, const gm_tag_store_row *row, plan *plan)
{
    uint32_t free = ~row->set->lines & (uint32_t)gm_mask(store->parameters.data_ways);
    free |= plan->freed == NO_LINE ? 0 : bit(plan->freed);
    plan->evicts = free == 0;
    plan->position = free != 0 ? gm_lowest_one(free) : gm_tag_store_victim(store, row);
}

/* The former line of the entry goes, with its data line if it has one. */
static void renew_entry(const gm_tag_store *store, const gm_tag_store_row *row, unsigned way,
                        uint64_t line, answer *a)
{
    if ((row->set->committed >> way & 1) != 0) {
        report_eviction(row, way, a);
        uncommit(row, way);
        gm_tag_store_leave_line(store, row, row->position[way]);
    }
    row->line[way] = line;
    ((uint8_t *)row->hash)[way] = gm_tag_store_hash(line);
    row->set->valid |= bit(way);
}

static void commit(const gm_tag_store *store, const gm_tag_store_row *row, const plan *plan,
                   const gm_tag_store_request *request, answer *a)
{
    unsigned way = plan->way;
    if (plan->is_new) {
        renew_entry(store, row, way, request->line, a);
    }
    if (plan->position != NO_LINE) {
        if (plan->evicts) {
            unsigned loser = row->owner[plan->position];
            report_eviction(row, loser, a);
            uncommit(row, loser);
            *rc_of(row, loser) = 0;
        }
        row->set->committed |= bit(way);
        row->set->waiting |= bit(way);
        row->set->lines |= bit(plan->position);
        row->position[way] = (uint8_t)plan->position;
        row->owner[plan->position] = (uint8_t)way;
        a->distant = gm_tag_store_take_line(store, row, plan->position, request->signature);
    }
    *rc_of(row, way) = 0;
    if (plan->position != NO_LINE || a->evicted) {
        age(store, row, a);
    }
    if (plan->position != NO_LINE && a->evicted && store->parameters.age_twice) {
        age(store, row, a);
    }
    *rc_of(row, way) = (uint8_t)plan->rc;
    a->rc = (uint8_t)plan->rc;
    a->replaced = plan->replaced;
    a->tie = plan->tie;
    a->saturated = plan->saturated;
}

/* Rules 1 and 3: `way` is the line's entry, or NO_WAY. Whether a data line is due, which `position`
 * then is, or NO_LINE. */
static bool make_plan(const gm_tag_store *store, const gm_tag_store_row *row, bool conventional,
                      unsigned way, plan *plan)
{
    *plan = (struct plan){.way = way, .freed = NO_LINE, .position = NO_LINE};
    if (way == NO_WAY) {
        take_entry(store, row, plan);
    } else {
        count_reference(store, row, plan);
    }
    bool due = plan->rc >= store->enough[conventional];
    if (due) {
        choose_line(store, row, plan);
    }
    return due;
}

static void bypass_or_miss(const gm_tag_store *store, const gm_tag_store_row *row,
                           const gm_tag_store_request *request, unsigned way, answer *a)
{
    plan plan;
    bool due = make_plan(store, row, request->conventional != 0, way, &plan);
    if (due && plan.position == NO_LINE) {
        fail(a, GM_TAG_STORE_FAIL_LINE);
    } else if (due && request->may_miss == 0) {
        fail(a, GM_TAG_STORE_FAIL_MISS);
    } else if (!due && request->may_bypass == 0) {
        fail(a, GM_TAG_STORE_FAIL_BYPASS);
    } else {
        commit(store, row, &plan, request, a);
        a->outcome = due ? GM_TAG_STORE_MISS : GM_TAG_STORE_BYPASS;
        a->position = due ? (uint8_t)plan.position : 0;
    }
}

/* Rule 2: the line has a data line. */
static void probe_committed(const gm_tag_store *store, const gm_tag_store_row *row, unsigned way,
                            bool may_miss, answer *a)
{
    bool waits = (row->set->waiting >> way & 1) != 0;
    if (waits && !may_miss) {
        fail(a, GM_TAG_STORE_FAIL_MISS);
        return;
    }
    a->outcome = waits ? GM_TAG_STORE_HIT_PENDING : GM_TAG_STORE_HIT;
    a->position = row->position[way];
    a->dead = (row->set->valid >> way & 1) == 0;
    if (!a->dead) {
        a->rc = *rc_of(row, way);
        gm_tag_store_use_line(store, row, row->position[way]);
    }
}

static void probe(const gm_tag_store *store, const gm_tag_store_row *row,
                  const gm_tag_store_request *request, answer *a)
{
    unsigned way = gm_tag_store_find(store, row, request->line);
    if (way != NO_WAY && (row->set->committed >> way & 1) != 0) {
        probe_committed(store, row, way, request->may_miss != 0, a);
    } else {
        bypass_or_miss(store, row, request, way, a);
    }
}

static void fill(const gm_tag_store *store, const gm_tag_store_row *row,
                 const gm_tag_store_request *request, answer *a)
{
    unsigned way = gm_tag_store_find(store, row, request->line);
    if (way == NO_WAY || (row->set->waiting >> way & 1) == 0 ||
        row->position[way] != request->position) {
        a->error = true;
        return;
    }
    a->position = row->position[way];
    a->dropped = (row->set->valid >> way & 1) == 0;
    row->set->waiting &= ~bit(way);
    if (a->dropped) {
        uncommit(row, way);
    }
}

/* A line that waits stays where it is, out of the order, until its FILL. */
static void mark_dead(const gm_tag_store *store, const gm_tag_store_row *row, unsigned way)
{
    row->set->valid &= ~bit(way);
    *rc_of(row, way) = 0;
    gm_tag_store_leave_line(store, row, row->position[way]);
}

/* WRITE and INVALIDATE: the line loses its data; WRITE keeps its entry, and ages the others. */
static void remove_line(const gm_tag_store *store, const gm_tag_store_row *row, uint64_t line,
                        bool keep, answer *a)
{
    unsigned way = gm_tag_store_find(store, row, line);
    if (way == NO_WAY || (row->set->valid >> way & 1) == 0) {
        return;
    }
    if ((row->set->waiting >> way & 1) != 0) {
        mark_dead(store, row, way);
        a->dead = true;
        return;
    }
    bool has_data = (row->set->committed >> way & 1) != 0;
    if (has_data) {
        report_eviction(row, way, a);
        uncommit(row, way);
        gm_tag_store_leave_line(store, row, row->position[way]);
    }
    if (keep && !has_data) {
        return;
    }
    *rc_of(row, way) = 0;
    if (keep) {
        age(store, row, a);
    } else {
        row->set->valid &= ~bit(way);
    }
}

static void transact(gm_tag_store *store, const gm_tag_store_request *request, answer *a)
{
    if (request->op >= GM_TAG_STORE_FLUSH) {
        gm_tag_store_flush(store);
        return;
    }
    a->index = gm_set_index_of(store->parameters.index, request->line);
    gm_tag_store_row row = gm_tag_store_row_of(store, a->index);
    if (request->op == GM_TAG_STORE_PROBE) {
        probe(store, &row, request, a);
    } else if (request->op == GM_TAG_STORE_FILL) {
        fill(store, &row, request, a);
    } else {
        remove_line(store, &row, request->line, request->op == GM_TAG_STORE_WRITE, a);
    }
}

static gm_tag_store_response response_of(const answer *a)
{
    return (gm_tag_store_response){
        .outcome = a->outcome,
        .reason = a->reason,
        .index = a->index,
        .position = a->position,
        .evicted = a->evicted,
        .evicted_line = a->evicted_line,
        .evicted_position = a->evicted_position,
        .dead = a->dead,
        .dropped = a->dropped,
        .error = a->error,
        .rc = a->rc,
        .replaced = a->replaced,
        .tie = a->tie,
        .saturated = a->saturated,
        .aged = a->aged,
        .emptied = a->emptied,
        .distant = a->distant,
    };
}

/* Not gm_tag_store_tell: a response is long, and a copy that is made only here costs nothing else.
 */
static void tell(const gm_observer *observer, const gm_tag_store_request *request, const answer *a)
{
    gm_tag_store_response response = response_of(a);
    observer->call(observer->context, (const uint64_t *)request, (const uint64_t *)&response);
}

static void assert_invariants(gm_tag_store *store, const gm_tag_store_request *request,
                              uint32_t index)
{
    gm_error error;
    if (gm_assert_whole() || request->op >= GM_TAG_STORE_FLUSH) {
        gm_assert(gm_tag_store_check(store, &error) == 0, "%s", error.text);
    } else {
        gm_assert(gm_tag_store_check_set(store, index, &error) == 0, "%s", error.text);
    }
}

gm_tag_store_response gm_tag_store_access(gm_tag_store *store, gm_tag_store_request request)
{
    answer a = {0};
    gm_assert((request.line & ~gm_mask(store->parameters.index->address_bits)) == 0 ||
                  request.op >= GM_TAG_STORE_FLUSH,
              "tag_store: line address 0x%llx", (unsigned long long)request.line);
    transact(store, &request, &a);
    assert_invariants(store, &request, a.index);
    if (store->observer != NULL) {
        tell(store->observer, &request, &a);
    }
    return response_of(&a);
}

gm_tag_store_expected gm_tag_store_expect(const gm_tag_store *store, uint64_t line,
                                          bool conventional)
{
    gm_tag_store_expected e = {.index = gm_set_index_of(store->parameters.index, line)};
    gm_tag_store_row row = gm_tag_store_row_of(store, e.index);
    unsigned way = gm_tag_store_find(store, &row, line);
    if (way != NO_WAY && (row.set->committed >> way & 1) != 0) {
        bool waits = (row.set->waiting >> way & 1) != 0;
        e.outcome = waits ? GM_TAG_STORE_HIT_PENDING : GM_TAG_STORE_HIT;
        e.position = row.position[way];
        e.dead = (row.set->valid >> way & 1) == 0;
        return e;
    }
    plan plan;
    bool due = make_plan(store, &row, conventional, way, &plan);
    bool fails = due && plan.position == NO_LINE;
    e.outcome = !due    ? GM_TAG_STORE_BYPASS
                : fails ? GM_TAG_STORE_RESERVATION_FAIL
                        : GM_TAG_STORE_MISS;
    e.position = due && !fails ? (uint8_t)plan.position : 0;
    e.evicted = plan.freed != NO_LINE || (plan.evicts && !fails);
    if (e.evicted) {
        unsigned loser = plan.freed != NO_LINE ? plan.way : row.owner[plan.position];
        e.evicted_position = row.position[loser];
        e.evicted_line = row.line[loser];
    }
    return e;
}

GM_PORTS_TABLE(tag_store, TAG_STORE)
