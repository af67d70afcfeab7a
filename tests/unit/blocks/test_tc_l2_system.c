/* tc_l1 and tc_l2 together: three SMs and one bank, joined by a FIFO for each SM, line and
 * direction, with merged loads, evictions in L1 and L2, and rollovers. A list of all leases that
 * were granted says, as a second algorithm, who may still use which copy: the blocks' answers are
 * checked against it, on random streams. With each rule of the printed table the list finds a
 * violation. */
#include "goldmem/tc_l1.h"
#include "goldmem/tc_l2.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

enum { SMS = 3, LINES = 2, ROOM = 16, GRANTS = 256, VERSIONS = 8192, LAST = 63, LONGEST = 12 };

/* A message on a line, of an SM to the bank or back. */
typedef struct message {
    uint64_t kind; /* GM_TC_L1_GETS, ...; GM_TC_L2_DATA, ... */
    bool no_lease, is_write, lease_given, is_private;
    uint64_t timestamp, gwct;
    unsigned entry;   /* MSHR entry of a GETS and its DATA */
    unsigned version; /* of the line that the answer comes from or carries */
} message;

typedef struct queue {
    message item[ROOM];
    unsigned length;
} queue;

/* A lease: until when an SM may use a copy of a version of a line. */
typedef struct grant {
    unsigned sm, line, version;
    uint64_t lease;
} grant;

typedef struct world {
    gm_tc_l1 l1[SMS];
    gm_tc_l2 l2;
    gm_arena arena;
    test_random *random;
    uint64_t now;
    queue to_bank[SMS][LINES], to_sm[SMS][LINES];
    unsigned open[SMS][LINES], entries; /* the open MSHR entry, 0: none; entries so far */
    unsigned copy[SMS][LINES];          /* version of the copy */
    bool in_l2[LINES], is_kept[LINES];
    uint64_t kept[LINES];
    bool blocked[LINES]; /* TC-Strong: a write waits at the head */
    unsigned blocker[LINES];
    unsigned version[LINES];
    unsigned writer[LINES][VERSIONS];
    uint64_t visible_after[LINES][VERSIONS]; /* the write is seen when the time is later */
    grant grants[GRANTS];                    /* unexpired ones */
    unsigned granted;
    const char *violation;
    unsigned busy;                                              /* SM; at least SMS: all of them */
    unsigned hits, private_writes, with_gwct, rollovers, waits; /* what came about */
} world;

static void violates(world *w, const char *what)
{
    w->violation = w->violation == NULL ? what : w->violation;
}

static void put(queue *q, message m)
{
    assert_true(q->length < ROOM);
    q->item[q->length++] = m;
}

static message take(queue *q)
{
    message m = q->item[0];
    memmove(q->item, q->item + 1, --q->length * sizeof *q->item);
    return m;
}

/* Returns the latest lease of another SM's copy of the line. */
static uint64_t latest_of_others(const world *w, unsigned line, unsigned sm)
{
    uint64_t latest = 0;
    for (unsigned i = 0; i < w->granted; i++) {
        const grant *g = &w->grants[i];
        latest = g->line == line && g->sm != sm && g->lease > latest ? g->lease : latest;
    }
    return latest;
}

static void add_grant(world *w, unsigned sm, unsigned line, uint64_t lease)
{
    unsigned left = 0;
    for (unsigned i = 0; i < w->granted; i++) {
        if (w->grants[i].lease >= w->now) {
            w->grants[left++] = w->grants[i];
        }
    }
    assert_true(left < GRANTS);
    w->granted = left + 1;
    w->grants[left] = (grant){sm, line, w->version[line], lease};
}

/* A copy may be used only while no write of another SM that it lacks is visible to all. */
static void check_hit(world *w, unsigned sm, unsigned line)
{
    for (unsigned v = w->copy[sm][line] + 1; v <= w->version[line]; v++) {
        if (w->writer[line][v] != sm && w->now > w->visible_after[line][v]) {
            violates(w, "a load hits an older copy than a write that is visible");
        }
    }
}

/* A load, store, atomic or bypassing load of an SM. */
static void request(world *w, unsigned sm, unsigned line, unsigned op)
{
    const gm_tc_l1_request r = {
        .op = op, .slot = line, .present = 1, .open = w->open[sm][line] != 0, .now = w->now};
    if (w->to_bank[sm][line].length + w->to_sm[sm][line].length >= ROOM - 1) {
        return;
    }
    gm_tc_l1_response a = gm_tc_l1_access(&w->l1[sm], r);
    w->open[sm][line] = a.close != 0 ? 0 : w->open[sm][line];
    if (a.hit != 0 && op == GM_TC_L1_LOAD) {
        w->hits++;
        check_hit(w, sm, line);
    }
    if (a.message == GM_TC_L1_NONE || a.message == GM_TC_L1_MERGE) {
        return;
    }
    message m = {.kind = a.message, .timestamp = a.timestamp, .no_lease = op == GM_TC_L1_BYPASS};
    if (op == GM_TC_L1_LOAD) {
        m.entry = w->open[sm][line] = ++w->entries;
    }
    put(&w->to_bank[sm][line], m);
}

/* A write by SM `sm` was performed: what the list of leases says of its answer. */
static void check_write(world *w, unsigned sm, unsigned line, const gm_tc_l2_response *a)
{
    bool has_gwct = a->answer == GM_TC_L2_ACK_G || a->answer == GM_TC_L2_DATA_G;
    uint64_t others = latest_of_others(w, line, sm);
    if (!has_gwct && others >= w->now) {
        violates(w, "a write without a GWCT, and another SM may use an older copy");
    }
    if (has_gwct && others > a->gwct) {
        violates(w, "a GWCT that is earlier than the lease of an older copy");
    }
    if (a->lease_given != 0 && a->answer != GM_TC_L2_DATA_G) {
        for (unsigned v = w->copy[sm][line] + 1; v <= w->version[line]; v++) {
            if (w->writer[line][v] != sm) {
                violates(w, "a lease for a copy that lacks another SM's write");
            }
        }
    }
    unsigned version = ++w->version[line];
    assert_true(version < VERSIONS);
    w->writer[line][version] = sm;
    w->visible_after[line][version] = has_gwct ? a->gwct : 0;
    w->private_writes += a->is_private != 0;
    w->with_gwct += has_gwct;
}

static void check_line(world *w, unsigned line)
{
    const gm_tc_l2_line *l = &w->l2.line[line];
    if (!w->in_l2[line]) {
        return;
    }
    if (l->owned &&
        (l->readers != GM_TC_L2_PRIVATE || latest_of_others(w, line, l->owner) >= w->now)) {
        violates(w, "an owner, and another SM has an unexpired lease");
    }
    for (unsigned i = 0; i < w->granted; i++) {
        if (w->grants[i].line == line && w->grants[i].lease >= w->now &&
            w->grants[i].lease > l->lease) {
            violates(w, "a lease that the L2 has forgotten");
        }
    }
}

static void fetch(world *w, unsigned line, bool write)
{
    gm_tc_l2_access(&w->l2, (gm_tc_l2_request){.op = GM_TC_L2_INSTALL,
                                               .slot = line,
                                               .kept = w->is_kept[line],
                                               .kept_lease = w->kept[line],
                                               .write = write});
    w->in_l2[line] = true;
    w->is_kept[line] = false;
}

/* The bank takes the oldest message of an SM on a line. */
static void perform(world *w, unsigned sm, unsigned line)
{
    static const uint64_t op_of[] = {[GM_TC_L1_GETS] = GM_TC_L2_GETS,
                                     [GM_TC_L1_GETX] = GM_TC_L2_GETX,
                                     [GM_TC_L1_UPGR] = GM_TC_L2_UPGR,
                                     [GM_TC_L1_ATOMIC_MESSAGE] = GM_TC_L2_ATOMIC};
    queue *q = &w->to_bank[sm][line];
    if (q->length == 0 || (w->blocked[line] && w->blocker[line] != sm)) {
        return;
    }
    message m = q->item[0];
    bool is_write = m.kind != GM_TC_L1_GETS;
    if (!w->in_l2[line]) {
        fetch(w, line, is_write);
    }
    gm_tc_l2_response a =
        gm_tc_l2_access(&w->l2, (gm_tc_l2_request){.op = op_of[m.kind],
                                                   .slot = line,
                                                   .sm = sm,
                                                   .no_lease = m.no_lease,
                                                   .timestamp = m.timestamp,
                                                   .now = w->now,
                                                   .life = test_random_below(w->random, LONGEST)});
    w->blocked[line] = a.answer == GM_TC_L2_WAIT;
    w->blocker[line] = sm;
    if (a.answer == GM_TC_L2_WAIT) {
        w->waits++;
        return;
    }
    (void)take(q);
    if (is_write) {
        check_write(w, sm, line, &a);
    }
    if (a.lease_given != 0) {
        add_grant(w, sm, line, a.lease);
    }
    check_line(w, line);
    put(&w->to_sm[sm][line], (message){.kind = a.answer,
                                       .no_lease = m.no_lease || m.kind == GM_TC_L1_GETX ||
                                                   m.kind == GM_TC_L1_ATOMIC_MESSAGE,
                                       .is_write = is_write,
                                       .lease_given = a.lease_given != 0,
                                       .is_private = a.is_private != 0,
                                       .timestamp = a.lease,
                                       .gwct = a.gwct,
                                       .entry = m.entry,
                                       .version = w->version[line]});
}

/* An SM takes the oldest answer on a line. Answers of GETX, ATOMIC and bypassing loads do not
 * concern the L1's slots. */
static void answer(world *w, unsigned sm, unsigned line)
{
    if (w->to_sm[sm][line].length == 0) {
        return;
    }
    message m = take(&w->to_sm[sm][line]);
    if (m.no_lease) {
        return;
    }
    bool is_open = !m.is_write && m.entry == w->open[sm][line];
    uint64_t op = !m.is_write                 ? GM_TC_L1_FILL
                  : m.kind == GM_TC_L2_DATA_G ? GM_TC_L1_DATA_G
                                              : GM_TC_L1_ACK;
    bool had_copy = w->l1[sm].slot[line].valid;
    gm_tc_l1_response a =
        gm_tc_l1_access(&w->l1[sm], (gm_tc_l1_request){.op = op,
                                                       .slot = line,
                                                       .present = 1,
                                                       .open = is_open,
                                                       .lease_given = m.lease_given,
                                                       .timestamp = m.timestamp,
                                                       .visible = m.gwct,
                                                       .now = w->now});
    if (a.error != 0) {
        violates(w, "an answer that the L1 takes for impossible");
    }
    if (is_open) {
        w->open[sm][line] = 0;
    }
    bool renews = op == GM_TC_L1_ACK && had_copy && (m.lease_given || m.is_private);
    if (a.install != 0 || renews) {
        w->copy[sm][line] = m.version;
    }
}

static void evict(world *w, unsigned line)
{
    if (!w->in_l2[line] || w->blocked[line]) {
        return;
    }
    gm_tc_l2_response a = gm_tc_l2_access(
        &w->l2, (gm_tc_l2_request){.op = GM_TC_L2_EVICT, .slot = line, .now = w->now});
    w->in_l2[line] = false;
    w->is_kept[line] = a.keep != 0;
    w->kept[line] = a.lease;
}

/* All leases end; what was written is visible, since no copy is left. */
static void roll_over(world *w)
{
    for (unsigned sm = 0; sm < SMS; sm++) {
        gm_tc_l1_access(&w->l1[sm], (gm_tc_l1_request){.op = GM_TC_L1_FLUSH});
    }
    gm_tc_l2_access(&w->l2, (gm_tc_l2_request){.op = GM_TC_L2_ROLLOVER});
    memset(w->open, 0, sizeof w->open);
    memset(w->is_kept, 0, sizeof w->is_kept);
    memset(w->visible_after, 0, sizeof w->visible_after);
    w->granted = 0;
    w->now = 1;
    w->rollovers++;
}

static void step(world *w)
{
    static const unsigned ops[] = {GM_TC_L1_STORE, GM_TC_L1_STORE,  GM_TC_L1_STORE,
                                   GM_TC_L1_STORE, GM_TC_L1_ATOMIC, GM_TC_L1_BYPASS};
    unsigned sm = (unsigned)test_random_below(w->random, SMS);
    unsigned line = (unsigned)test_random_below(w->random, LINES);
    if (test_random_below(w->random, 512) == 0) {
        w->busy = (unsigned)test_random_below(w->random, 2 * SMS);
    }
    if (w->busy < SMS && test_random_below(w->random, 32) != 0) {
        line = w->busy % LINES;
        sm = w->busy; /* nearly alone for a while, so that it makes private writes */
    }
    uint64_t choice = test_random_below(w->random, 32);
    if (choice < 10) {
        uint64_t kind = test_random_below(w->random, 16);
        request(w, sm, line, kind < 6 ? ops[kind] : GM_TC_L1_LOAD);
    } else if (choice < 19) {
        perform(w, sm, line);
    } else if (choice < 28) {
        answer(w, sm, line);
    } else if (choice < 29) {
        if (w->now == LAST) {
            roll_over(w);
        } else {
            w->now++;
        }
    } else if (choice == 29 && test_random_below(w->random, 8) == 0) {
        evict(w, line);
    } else if (choice == 30 && test_random_below(w->random, 8) == 0) {
        gm_tc_l1_access(&w->l1[sm], (gm_tc_l1_request){.op = GM_TC_L1_EVICT, .slot = line});
    }
    check_line(w, line);
}

/* Runs one stream. Returns what was violated first, or NULL. */
static const char *run(world *w, test_random *random, bool strong, unsigned printed, bool visible)
{
    enum { STEPS = 12000 };
    const gm_tc_l1_parameters of_l1 = {
        .slots = LINES, .pending_bits = 2, .time_bits = 6, .strong = strong, .visible = visible};
    const gm_tc_l2_parameters of_l2 = {.slots = LINES,
                                       .sms = SMS,
                                       .time_bits = 6,
                                       .strong = strong,
                                       .printed = printed,
                                       .visible = visible};
    gm_error error;
    memset(w, 0, sizeof *w);
    w->random = random;
    w->now = 1;
    test_ok(
        gm_arena_create(&w->arena, SMS * gm_tc_l1_bytes(&of_l1) + gm_tc_l2_bytes(&of_l2), &error),
        error);
    test_ok(gm_tc_l2_init(&w->l2, &of_l2, &w->arena, &error), error);
    for (unsigned sm = 0; sm < SMS; sm++) {
        test_ok(gm_tc_l1_init(&w->l1[sm], &of_l1, &w->arena, &error), error);
    }
    for (unsigned i = 0; i < STEPS && w->violation == NULL; i++) {
        step(w);
    }
    gm_arena_free(&w->arena);
    return w->violation;
}

static void no_stale_copy_is_used(void **state)
{
    (void)state;
    static world w;
    enum { STREAMS = 20 };
    test_random random = test_random_start(1);
    static const char *const name[] = {"hits", "private writes", "GWCTs", "waits", "rollovers"};
    unsigned seen[5] = {0};
    for (unsigned i = 0; i < 3 * STREAMS; i++) {
        const char *violation = run(&w, &random, i % 3 == 1, 0, i % 3 == 2);
        if (violation != NULL) {
            fail_msg("stream %u: %s", i, violation);
        }
        const unsigned some[] = {w.hits, w.private_writes, w.with_gwct, w.waits, w.rollovers};
        for (unsigned k = 0; k < 5; k++) {
            seen[k] += some[k];
        }
    }
    for (unsigned k = 0; k < 5; k++) {
        if (seen[k] < 10) {
            fail_msg("%s: %u", name[k], seen[k]);
        }
    }
}

/* Each rule of the printed table is unsafe, as is each sum of them. */
static void the_printed_rules_are_refuted(void **state)
{
    (void)state;
    static world w;
    enum { STREAMS = 20 };
    test_random random = test_random_start(2);
    for (unsigned printed = 1; printed < 8; printed++) {
        unsigned refuted = 0;
        for (unsigned i = 0; i < STREAMS; i++) {
            refuted += run(&w, &random, false, printed, false) != NULL;
        }
        if (refuted == 0) {
            fail_msg("printed %u: no violation in %d streams", printed, STREAMS);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_stale_copy_is_used),
        cmocka_unit_test(the_printed_rules_are_refuted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
