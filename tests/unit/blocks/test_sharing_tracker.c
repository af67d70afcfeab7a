/* Sharing tracker [anssari, 3.1, 3.2, 4.2]: sequences worked by hand. */
#include "support/blocks/sharing_tracker_run.h"

enum {
    LOOK = GM_SHARING_TRACKER_LOOKUP,
    FILL = GM_SHARING_TRACKER_FILL,
    EVIC = GM_SHARING_TRACKER_EVICT,
    WRIT = GM_SHARING_TRACKER_WRITE,
    COHE = GM_SHARING_TRACKER_COHERENT,
    FLUS = GM_SHARING_TRACKER_FLUSH,
    ASKS = GM_SHARING_TRACKER_ASK,
};

/* A request (line, CU, will_fill) and what is not 0 of its answer. */
typedef struct step {
    gm_sharing_tracker_request request;
    gm_sharing_tracker_response answer;
} step;

#define R(op, line, cu, will_fill)                                                                 \
    {                                                                                              \
        op, line, cu, will_fill                                                                    \
    }

/* 4 sets, sequential: lines 0, 4, 8, ... are of set 0. */
static void expect_steps(unsigned ways, unsigned cus, unsigned pointers, const step *steps,
                         unsigned count)
{
    make_function("sequential", 4);
    gm_sharing_tracker_parameters p = {
        .index = &function, .ways = ways, .cus = cus, .pointers = pointers};
    gm_sharing_tracker tracker;
    make(&tracker, &p);
    for (unsigned i = 0; i < count; i++) {
        expect_equal(gm_sharing_tracker_access(&tracker, steps[i].request), steps[i].answer, i);
        expect_sound(&tracker);
    }
    gm_arena_free(&arena);
}
#define EXPECT_STEPS(ways, cus, pointers, steps)                                                   \
    expect_steps(ways, cus, pointers, steps, sizeof(steps) / sizeof *(steps))

/* [anssari, 3.2]: P and Q share a line; Q writes it and evicts its copy; P's copy is old. Q's next
 * request must not go to P. */
static void q_does_not_get_ps_old_line(void **state)
{
    (void)state;
    enum { P, Q };
    static const step steps[] = {
        {R(LOOK, 0, P, 1), {0}},
        {R(FILL, 0, P, 0), {.found = 1, .filled = 1}},
        {R(LOOK, 0, Q, 1), {.found = 1, .hit = 1, .supplier = P}},
        {R(FILL, 0, Q, 0), {.found = 1, .filled = 1}},
        {R(WRIT, 0, Q, 0), {.found = 1, .freed = 1}},
        {R(EVIC, 0, Q, 0), {0}},
        {R(LOOK, 0, Q, 1), {0}},
        {R(FILL, 0, Q, 0), {.found = 1, .filled = 1}},
        {R(LOOK, 0, P, 0), {.found = 1, .hit = 1, .supplier = Q}},
    };
    EXPECT_STEPS(8, 2, 0, steps);
}

/* P's load is in flight from the L2 when Q writes: what P then installs is old, so its FILL must
 * not make P a sharer. The thesis's rule, FILL registers unconditionally, fails here. */
static void a_write_takes_the_mark_of_a_fill_on_its_way(void **state)
{
    (void)state;
    enum { P, Q };
    static const step steps[] = {
        {R(LOOK, 0, P, 1), {0}},
        {R(WRIT, 0, 0, 0), {.found = 1, .freed = 1}},
        {R(FILL, 0, P, 0), {0}},
        {R(LOOK, 0, Q, 1), {0}},
        /* nor when Q's own load has taken a new entry meanwhile */
        {R(FILL, 0, P, 0), {.found = 1}},
        {R(FILL, 0, Q, 0), {.found = 1, .filled = 1}},
        {R(LOOK, 0, Q, 0), {.found = 1}},
        /* a coherent operation likewise */
        {R(LOOK, 0, P, 1), {.found = 1, .hit = 1, .supplier = Q}},
        {R(COHE, 0, Q, 0), {.found = 1, .freed = 1}},
        {R(FILL, 0, P, 0), {0}},
        {R(LOOK, 0, Q, 0), {0}},
        /* and a flush */
        {R(LOOK, 0, P, 1), {0}},
        {R(FLUS, 0, 0, 0), {0}},
        {R(FILL, 0, P, 0), {0}},
        {R(LOOK, 0, Q, 0), {0}},
        {R(LOOK, 0, P, 1), {0}},
        {R(FLUS + 2, 0, 0, 0), {0}},
        {R(WRIT, 0, 0, 0), {0}},
    };
    EXPECT_STEPS(8, 2, 0, steps);
}

/* CUs 1, 2 and 4 have the line: they take turns, in CU order, and never the one that asks. */
static void suppliers_take_turns(void **state)
{
    (void)state;
    static const step steps[] = {
        {R(LOOK, 4, 4, 1), {0}},
        {R(FILL, 4, 4, 0), {.found = 1, .filled = 1}},
        {R(LOOK, 4, 2, 1), {.found = 1, .hit = 1, .supplier = 4}},
        {R(FILL, 4, 2, 0), {.found = 1, .filled = 1}},
        {R(LOOK, 4, 1, 1), {.found = 1, .hit = 1, .supplier = 2}}, /* behind 4: 0, 1, 2 */
        {R(FILL, 4, 1, 0), {.found = 1, .filled = 1}},
        {R(LOOK, 4, 0, 0), {.found = 1, .hit = 1, .supplier = 4}}, /* behind 2: 3, 4 */
        {R(LOOK, 4, 0, 0), {.found = 1, .hit = 1, .supplier = 1}}, /* behind 4: 0, 1 */
        {R(LOOK, 4, 2, 0), {.found = 1, .hit = 1, .supplier = 4}}, /* behind 1: not 2 itself */
        {R(LOOK, 4, 4, 0), {.found = 1, .hit = 1, .supplier = 1}},
        {R(EVIC, 4, 2, 0), {.found = 1, .removed = 1}},
        {R(LOOK, 4, 0, 0), {.found = 1, .hit = 1, .supplier = 4}},
        {R(EVIC, 4, 1, 0), {.found = 1, .removed = 1}},
        {R(LOOK, 4, 4, 0), {.found = 1}}, /* it has it alone */
        {R(LOOK, 4, 0, 0), {.found = 1, .hit = 1, .supplier = 4}},
        {R(EVIC, 4, 4, 0), {.found = 1, .removed = 1, .last_sharer = 1, .freed = 1}},
        {R(LOOK, 4, 0, 0), {0}},
    };
    EXPECT_STEPS(2, 6, 0, steps);
}

/* Without will_fill a LOOKUP leaves no mark and takes no entry; a mark outlives the sharers. */
static void marks_hold_an_entry(void **state)
{
    (void)state;
    static const step steps[] = {
        {R(LOOK, 1, 0, 0), {.index = 1}},
        {R(FILL, 1, 0, 0), {.index = 1}},
        {R(LOOK, 1, 0, 1), {.index = 1}},
        {R(FILL, 1, 1, 0), {.index = 1, .found = 1}}, /* not its mark */
        {R(EVIC, 1, 0, 0), {.index = 1, .found = 1}}, /* no sharer yet; the mark stays */
        {R(FILL, 1, 0, 0), {.index = 1, .found = 1, .filled = 1}},
        {R(FILL, 1, 0, 0), {.index = 1, .found = 1}}, /* once for each mark */
        {R(LOOK, 1, 0, 1), {.index = 1, .found = 1}}, /* a sector miss: sharer and mark */
        {R(LOOK, 1, 1, 1), {.index = 1, .found = 1, .hit = 1, .supplier = 0}},
        {R(EVIC, 1, 0, 0), {.index = 1, .found = 1, .removed = 1, .last_sharer = 1}},
        {R(LOOK, 1, 2, 0), {.index = 1, .found = 1}}, /* only marks: nobody can supply */
        {R(FILL, 1, 0, 0), {.index = 1, .found = 1, .filled = 1}},
        {R(EVIC, 1, 0, 0), {.index = 1, .found = 1, .removed = 1, .last_sharer = 1}},
        {R(FILL, 1, 1, 0), {.index = 1, .found = 1, .filled = 1}},
        {R(EVIC, 1, 1, 0), {.index = 1, .found = 1, .removed = 1, .last_sharer = 1, .freed = 1}},
        {R(EVIC, 1, 1, 0), {.index = 1}},
    };
    EXPECT_STEPS(2, 3, 0, steps);
}

/* Two ways: the lowest free one, else the oldest; only a hit makes an entry newer. */
static void the_oldest_entry_is_dropped(void **state)
{
    (void)state;
    static const step steps[] = {
        {R(LOOK, 0, 0, 1), {0}},
        {R(FILL, 0, 0, 0), {.found = 1, .filled = 1}},
        {R(LOOK, 4, 0, 1), {0}},
        {R(FILL, 4, 0, 0), {.found = 1, .filled = 1}},
        {R(LOOK, 8, 0, 1), {.dropped = 1, .dropped_line = 0}},
        {R(EVIC, 0, 0, 0), {0}},                                   /* not tracked any more */
        {R(LOOK, 4, 1, 0), {.found = 1, .hit = 1, .supplier = 0}}, /* 4 is newer than 8 now */
        {R(LOOK, 0, 0, 1), {.dropped = 1, .dropped_line = 8}},
        {R(LOOK, 4, 0, 1), {.found = 1}}, /* no hit: 4 stays the older one */
        {R(LOOK, 8, 0, 1), {.dropped = 1, .dropped_line = 4}},
        {R(FILL, 4, 0, 0), {0}},
        {R(WRIT, 8, 0, 0), {.found = 1, .freed = 1}},
        {R(LOOK, 12, 0, 1), {0}}, /* a free one */
        {R(LOOK, 16, 0, 1), {.dropped = 1, .dropped_line = 0}},
        {R(LOOK, 1, 0, 1), {.index = 1}}, /* another set */
    };
    EXPECT_STEPS(2, 2, 0, steps);
}

/* Two pointers: the oldest sharer gives way to a third. */
static void the_oldest_pointer_gives_way(void **state)
{
    (void)state;
    static const step steps[] = {
        {R(LOOK, 0, 3, 1), {0}},
        {R(LOOK, 0, 1, 1), {.found = 1}},
        {R(LOOK, 0, 0, 1), {.found = 1}},
        {R(FILL, 0, 3, 0), {.found = 1, .filled = 1}},
        {R(FILL, 0, 1, 0), {.found = 1, .filled = 1}},
        {R(FILL, 0, 0, 0), {.found = 1, .filled = 1, .displaced = 1, .displaced_cu = 3}},
        {R(LOOK, 0, 2, 0), {.found = 1, .hit = 1, .supplier = 0}},
        {R(LOOK, 0, 2, 0), {.found = 1, .hit = 1, .supplier = 1}},
        {R(LOOK, 0, 2, 0), {.found = 1, .hit = 1, .supplier = 0}},
        {R(EVIC, 0, 3, 0), {.found = 1}}, /* not known */
        {R(LOOK, 0, 1, 1), {.found = 1, .hit = 1, .supplier = 0}},
        {R(FILL, 0, 1, 0), {.found = 1, .filled = 1}}, /* is one already, and stays the oldest */
        {R(LOOK, 0, 2, 1), {.found = 1, .hit = 1, .supplier = 1}},
        {R(FILL, 0, 2, 0), {.found = 1, .filled = 1, .displaced = 1, .displaced_cu = 1}},
        {R(EVIC, 0, 0, 0), {.found = 1, .removed = 1}},
        {R(LOOK, 0, 3, 1), {.found = 1, .hit = 1, .supplier = 2}},
        {R(FILL, 0, 3, 0), {.found = 1, .filled = 1}}, /* a pointer is free */
        {R(EVIC, 0, 2, 0), {.found = 1, .removed = 1}},
        {R(EVIC, 0, 3, 0), {.found = 1, .removed = 1, .last_sharer = 1, .freed = 1}},
    };
    EXPECT_STEPS(2, 4, 2, steps);
}

/* One pointer, as in [anssari, Figure 4.4]. */
static void one_pointer(void **state)
{
    (void)state;
    static const step steps[] = {
        {R(LOOK, 0, 0, 1), {0}},
        {R(FILL, 0, 0, 0), {.found = 1, .filled = 1}},
        {R(LOOK, 0, 1, 1), {.found = 1, .hit = 1, .supplier = 0}},
        {R(FILL, 0, 1, 0), {.found = 1, .filled = 1, .displaced = 1, .displaced_cu = 0}},
        {R(EVIC, 0, 0, 0), {.found = 1}},
        {R(LOOK, 0, 0, 0), {.found = 1, .hit = 1, .supplier = 1}},
        {R(EVIC, 0, 1, 0), {.found = 1, .removed = 1, .last_sharer = 1, .freed = 1}},
    };
    EXPECT_STEPS(8, 16, 1, steps);
}

static void the_last_cu_of_64_is_one_too(void **state)
{
    (void)state;
    static const step steps[] = {
        {R(LOOK, 0, 63, 1), {0}},
        {R(FILL, 0, 63, 0), {.found = 1, .filled = 1}},
        {R(LOOK, 0, 0, 1), {.found = 1, .hit = 1, .supplier = 63}},
        {R(FILL, 0, 0, 0), {.found = 1, .filled = 1}},
        {R(LOOK, 0, 5, 0), {.found = 1, .hit = 1, .supplier = 0}},
        {R(LOOK, 0, 5, 0), {.found = 1, .hit = 1, .supplier = 63}},
    };
    EXPECT_STEPS(1, 64, 0, steps);
    EXPECT_STEPS(1, 64, 64, steps);
}

typedef struct calls {
    unsigned count;
    uint64_t line, supplier;
} calls;

static void note_call(void *context, const uint64_t *request, const uint64_t *response)
{
    calls *seen = context;
    seen->count++;
    seen->line = ((const gm_sharing_tracker_request *)(const void *)request)->line;
    seen->supplier = ((const gm_sharing_tracker_response *)(const void *)response)->supplier;
}

static void an_observer_is_told(void **state)
{
    (void)state;
    calls seen = {0};
    const gm_observer observer = {&seen, note_call};
    make_function("sequential", 4);
    const gm_sharing_tracker_parameters p = {&function, 4, 4, 0};
    gm_sharing_tracker t;
    make(&t, &p);
    t.observer = &observer;
    gm_sharing_tracker_access(&t, (gm_sharing_tracker_request)R(LOOK, 6, 3, 1));
    gm_sharing_tracker_access(&t, (gm_sharing_tracker_request)R(FILL, 6, 3, 0));
    gm_sharing_tracker_access(&t, (gm_sharing_tracker_request)R(LOOK, 6, 1, 0));
    assert_int_equal(seen.count, 3);
    assert_int_equal(seen.line, 6);
    assert_int_equal(seen.supplier, 3);
    gm_arena_free(&arena);
}

/* ASK is a LOOKUP of a CU that is none of the tracker's: it can be answered with any CU, whatever
 * its own fields say, marks nothing and takes no entry. It makes its line's entry the newest. */
static void an_ask_names_any_sharer(void **state)
{
    (void)state;
    static const step steps[] = {
        {R(ASKS, 0, 1, 1), {0}},
        {R(FILL, 0, 1, 0), {0}}, /* the ASK has left no mark */
        {R(LOOK, 0, 1, 1), {0}},
        {R(ASKS, 0, 1, 1), {.found = 1}}, /* a mark only */
        {R(FILL, 0, 1, 0), {.found = 1, .filled = 1}},
        {R(ASKS, 0, 1, 1), {.found = 1, .hit = 1, .supplier = 1}}, /* a CU of its own number */
        {R(LOOK, 0, 1, 0), {.found = 1}},                          /* which LOOKUP leaves out */
        {R(LOOK, 0, 3, 1), {.found = 1, .hit = 1, .supplier = 1}},
        {R(FILL, 0, 3, 0), {.found = 1, .filled = 1}},
        {R(ASKS, 0, 0, 0), {.found = 1, .hit = 1, .supplier = 3}}, /* in turn */
        {R(ASKS, 0, 3, 0), {.found = 1, .hit = 1, .supplier = 1}},
        {R(LOOK, 4, 0, 1), {0}},
        {R(ASKS, 0, 2, 0), {.found = 1, .hit = 1, .supplier = 3}}, /* line 0 is the newest */
        {R(LOOK, 8, 0, 1), {.dropped = 1, .dropped_line = 4}},
        {R(WRIT, 0, 0, 0), {.found = 1, .freed = 1}},
        {R(ASKS, 0, 0, 0), {0}},
        {R(FLUS, 0, 0, 0), {0}},
        {R(ASKS, 8, 0, 0), {0}},
    };
    EXPECT_STEPS(2, 4, 0, steps);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_ask_names_any_sharer),
        cmocka_unit_test(q_does_not_get_ps_old_line),
        cmocka_unit_test(a_write_takes_the_mark_of_a_fill_on_its_way),
        cmocka_unit_test(suppliers_take_turns),
        cmocka_unit_test(marks_hold_an_entry),
        cmocka_unit_test(the_oldest_entry_is_dropped),
        cmocka_unit_test(the_oldest_pointer_gives_way),
        cmocka_unit_test(one_pointer),
        cmocka_unit_test(the_last_cu_of_64_is_one_too),
        cmocka_unit_test(an_observer_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
