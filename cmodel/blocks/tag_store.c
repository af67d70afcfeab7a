/* Decoupled LFU tag store [li, 4.1, 4.2]: the transactions. docs/blocks/tag_store.md has the rules,
 * which comments here cite by number. Initialisation and check are in tag_store_init.c. */
#include "goldmem/tag_store.h"

#include "blocks/tag_store_lines.h"
#include "goldmem/assert.h"
#include "goldmem/bits.h"

/* A response in few bytes, which are cleared fast. */
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

/* Ages a set: RC - 1 for every RC above 0. An entry that must not age has RC 0 meanwhile. */
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

/* Takes an entry's data line away; the data line stays in the order. */
static void uncommit(const gm_tag_store_row *row, unsigned way)
{
    row->set->committed &= ~bit(way);
    row->set->lines &= ~bit(row->position[way]);
}

/* Returns the candidate with the smallest RC, the lowest way of several (a tie). */
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

/* The decision on a PROBE: its outcome when every permission is given, and its effect on the set.
 */
typedef struct plan {
    uint8_t outcome;   /* RESERVATION_FAIL: a data line is due, and none can be given up */
    unsigned way;      /* the line's entry */
    unsigned position; /* HIT, HIT_PENDING, MISS: data line; else NO_LINE */
    unsigned loser;    /* entry that loses its data line, or NO_WAY */
    unsigned rc;       /* MISS, BYPASS, as all below: RC of the entry afterwards */
    bool is_new;       /* the entry is taken for the line */
    bool replaced, tie, saturated;
} plan;

/* Rule 1: chooses the entry of a line that has none. */
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
        plan->loser = plan->way;
    }
}

/* Rule 3: counts one more reference to a line without data line. */
static void count_reference(const gm_tag_store *store, const gm_tag_store_row *row, plan *plan)
{
    unsigned rc = *rc_of(row, plan->way);
    plan->saturated = rc == gm_mask(store->parameters.rc_bits);
    plan->rc = plan->saturated ? rc : rc + 1;
}

/* Rule 3b: chooses a data line for the entry. Returns the outcome. */
static uint8_t choose_line(const gm_tag_store *store, const gm_tag_store_row *row, plan *plan)
{
    uint32_t free = ~row->set->lines & (uint32_t)gm_mask(store->parameters.data_ways);
    free |= plan->loser == NO_WAY ? 0 : bit(row->position[plan->loser]);
    if (free != 0) {
        plan->position = gm_lowest_one(free);
        return GM_TAG_STORE_MISS;
    }
    plan->position = gm_tag_store_victim(store, row);
    if (plan->position == NO_LINE) {
        return GM_TAG_STORE_RESERVATION_FAIL;
    }
    plan->loser = row->owner[plan->position];
    return GM_TAG_STORE_MISS;
}

/* Rules 1 and 3: decides for a line without data line, whose entry is `way`, or NO_WAY. */
static void decide_without_line(const gm_tag_store *store, const gm_tag_store_row *row,
                                bool conventional, unsigned way, plan *plan)
{
    *plan = (struct plan){.way = way, .position = NO_LINE, .loser = NO_WAY};
    if (way == NO_WAY) {
        take_entry(store, row, plan);
    } else {
        count_reference(store, row, plan);
    }
    plan->outcome = plan->rc < store->enough[conventional] ? GM_TAG_STORE_BYPASS
                                                           : choose_line(store, row, plan);
}

/* Decides on a PROBE of a line. Changes nothing. */
static void decide(const gm_tag_store *store, const gm_tag_store_row *row, uint64_t line,
                   bool conventional, plan *plan)
{
    unsigned way = gm_tag_store_find(store, row, line);
    if (way == NO_WAY || (row->set->committed >> way & 1) == 0) {
        decide_without_line(store, row, conventional, way, plan);
        return;
    }
    bool waits = (row->set->waiting >> way & 1) != 0; /* rule 2 */
    plan->outcome = waits ? GM_TAG_STORE_HIT_PENDING : GM_TAG_STORE_HIT;
    plan->way = way;
    plan->position = row->position[way];
    plan->loser = NO_WAY;
}

/* Evicts the loser's line. Its data line leaves the order if the loser's entry is taken for the new
 * line; else it stays, and gm_tag_store_take_line replaces it. */
static void give_up_line(const gm_tag_store *store, const gm_tag_store_row *row, const plan *plan,
                         answer *a)
{
    report_eviction(row, plan->loser, a);
    uncommit(row, plan->loser);
    *rc_of(row, plan->loser) = 0;
    if (plan->loser == plan->way) {
        gm_tag_store_leave_line(store, row, row->position[plan->loser]);
    }
}

/* Carries out a MISS or BYPASS. */
static void commit(const gm_tag_store *store, const gm_tag_store_row *row, const plan *plan,
                   const gm_tag_store_request *request, answer *a)
{
    unsigned way = plan->way;
    if (plan->loser != NO_WAY) {
        give_up_line(store, row, plan, a);
    }
    if (plan->is_new) {
        row->line[way] = request->line;
        ((uint8_t *)row->hash)[way] = gm_tag_store_hash(request->line);
        row->set->valid |= bit(way);
    }
    if (plan->position != NO_LINE) {
        row->set->committed |= bit(way);
        row->set->waiting |= bit(way);
        row->set->lines |= bit(plan->position);
        row->position[way] = (uint8_t)plan->position;
        row->owner[plan->position] = (uint8_t)way;
        a->position = (uint8_t)plan->position;
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
    a->outcome = plan->outcome;
    a->rc = (uint8_t)plan->rc;
    a->replaced = plan->replaced;
    a->tie = plan->tie;
    a->saturated = plan->saturated;
}

/* Carries out a HIT or HIT_PENDING (rule 2). */
static void use_entry(const gm_tag_store *store, const gm_tag_store_row *row, const plan *plan,
                      answer *a)
{
    a->outcome = plan->outcome;
    a->position = (uint8_t)plan->position;
    a->dead = (row->set->valid >> plan->way & 1) == 0;
    if (!a->dead) {
        a->rc = *rc_of(row, plan->way);
        gm_tag_store_use_line(store, row, plan->position);
    }
}

/* Does a PROBE: carries the decision out if the permissions for its outcome are given, else fails.
 */
static void probe(const gm_tag_store *store, const gm_tag_store_row *row,
                  const gm_tag_store_request *request, answer *a)
{
    plan plan;
    decide(store, row, request->line, request->conventional != 0, &plan);
    bool bypasses = plan.outcome == GM_TAG_STORE_BYPASS;
    if (plan.outcome == GM_TAG_STORE_RESERVATION_FAIL) {
        fail(a, GM_TAG_STORE_FAIL_LINE);
    } else if (plan.outcome != GM_TAG_STORE_HIT && !bypasses && request->may_miss == 0) {
        fail(a, GM_TAG_STORE_FAIL_MISS);
    } else if (bypasses && request->may_bypass == 0) {
        fail(a, GM_TAG_STORE_FAIL_BYPASS);
    } else if (bypasses || plan.outcome == GM_TAG_STORE_MISS) {
        commit(store, row, &plan, request, a);
    } else {
        use_entry(store, row, &plan, a);
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

/* Marks a line that waits as dead: it keeps its data line, out of the order, until its FILL. */
static void mark_dead(const gm_tag_store *store, const gm_tag_store_row *row, unsigned way)
{
    row->set->valid &= ~bit(way);
    *rc_of(row, way) = 0;
    gm_tag_store_leave_line(store, row, row->position[way]);
}

/* Does a WRITE or INVALIDATE: drops the line's data; WRITE keeps its entry and ages the others. */
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

/* Calls the observer. In place of gm_tag_store_tell, so that only a transaction with an observer
 * makes the long response's copy. */
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
    uint32_t index = gm_set_index_of(store->parameters.index, line);
    gm_tag_store_row row = gm_tag_store_row_of(store, index);
    plan plan;
    decide(store, &row, line, conventional, &plan);
    gm_tag_store_expected e = {.index = index, .outcome = plan.outcome};
    if (plan.position != NO_LINE) {
        e.position = (uint8_t)plan.position;
        e.dead = plan.outcome == GM_TAG_STORE_HIT_PENDING && (row.set->valid >> plan.way & 1) == 0;
    }
    if (plan.loser != NO_WAY) {
        e.evicted = true;
        e.evicted_position = row.position[plan.loser];
        e.evicted_line = row.line[plan.loser];
    }
    return e;
}

GM_PORTS_TABLE(tag_store, TAG_STORE)
