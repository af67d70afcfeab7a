/* Sharing tracker: its parameters, its arena, and what its check finds. */
#include "support/blocks/sharing_tracker_run.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static void parameters_are_checked(void **state)
{
    (void)state;
    static const struct {
        unsigned sets, address_bits, ways, cus, pointers;
        const char *text;
    } cases[] = {
        {1, 42, 8, 16, 0, "sharing_tracker: 1 sets: must be 2 to 4096"},
        {8192, 42, 8, 16, 0, "sharing_tracker: 8192 sets: must be 2 to 4096"},
        {8, 3, 8, 16, 0, "sharing_tracker: line addresses of 3 bits: no tag bit"},
        {8, 42, 0, 16, 0, "sharing_tracker: ways 0: must be 1 to 32"},
        {8, 42, 33, 16, 0, "sharing_tracker: ways 33: must be 1 to 32"},
        {8, 42, 8, 0, 0, "sharing_tracker: cus 0: must be 1 to 64"},
        {8, 42, 8, 65, 0, "sharing_tracker: cus 65: must be 1 to 64"},
        {8, 42, 8, 16, 17, "sharing_tracker: pointers 17: must be 0 to 16"},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        gm_error error;
        gm_arena none = {0};
        gm_sharing_tracker tracker;
        test_ok(gm_set_index_parse(&function, "sequential", cases[i].sets, cases[i].address_bits,
                                   &error),
                error);
        gm_sharing_tracker_parameters p = {&function, cases[i].ways, cases[i].cus,
                                           cases[i].pointers};
        assert_int_equal(gm_sharing_tracker_init(&tracker, &p, &none, &error), -EINVAL);
        assert_string_equal(error.text, cases[i].text);
    }
}

static void the_largest_is_taken(void **state)
{
    (void)state;
    gm_error error;
    gm_sharing_tracker tracker;
    make_function("ipoly", 4096);
    const gm_sharing_tracker_parameters p = {&function, 32, 64, 64};
    test_ok(gm_arena_create(&arena, gm_sharing_tracker_bytes(&p), &error), error);
    assert_int_equal(gm_sharing_tracker_init(&tracker, &p, &arena, &error), 0);
    assert_int_equal(gm_sharing_tracker_check(&tracker, &error), 0);
    tracker.valid[0] = 1; /* without sharer and mark */
    assert_int_equal(gm_sharing_tracker_check(&tracker, &error), -EINVAL);
    gm_arena_free(&arena);
}

static void a_full_arena_is_said(void **state)
{
    (void)state;
    make_function("ipoly", 64);
    const gm_sharing_tracker_parameters p = {&function, 8, 16, 2};
    size_t size = gm_sharing_tracker_bytes(&p);
    gm_error error;
    gm_sharing_tracker tracker;
    for (size_t less = size / 2; less < size; less += size / 16) {
        test_ok(gm_arena_create(&arena, less, &error), error);
        int code = gm_sharing_tracker_init(&tracker, &p, &arena, &error);
        if (code != 0) {
            assert_int_equal(code, -ENOMEM);
            assert_non_null(strstr(error.text, "sharing_tracker: the arena is full"));
        }
        assert_true(code != 0 || less > size - 512);
        gm_arena_free(&arena);
    }
}

/* What may be wrong with set 2. */
static const char *const damages[] = {
    "a way beyond the set",
    "an entry without sharer and mark, or a CU that is not there",
    "an entry without sharer and mark, or a CU that is not there",
    "an entry without sharer and mark, or a CU that is not there",
    "a line of another set",
    "two entries of one line",
    "two entries of one line",
    "pointers that are not the sharers",
    "pointers that are not the sharers",
    "ranks that are no order",
    "ranks that are no order",
};

static void damage(gm_sharing_tracker *t, unsigned how)
{
    unsigned first = 2 * 4; /* set 2, way 0 */
    switch (how) {
    case 0:
        t->valid[2] |= 16;
        break;
    case 1:
        t->valid[2] |= 8;
        break;
    case 2:
        t->marks[first] |= 16;
        break;
    case 3:
        t->last[first] = 4;
        break;
    case 4:
        t->line[first + 1] = 3;
        break;
    case 5:
        t->line[first + 2] = t->line[first + 1];
        break;
    case 6:
        t->line[first + 1] = t->line[first];
        break;
    case 7:
        t->pointer[2 * first] = 3;
        break;
    case 8:
        t->sharers[first] |= 4;
        break;
    case 9:
        t->rank[first] = t->rank[first + 1];
        break;
    default:
        t->rank[first + 2] = 7; /* the newest */
        break;
    }
}

/* A set of three entries of two sharers each, and one thing wrong with it at a time. */
static void broken_invariants_are_found(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof damages / sizeof *damages; i++) {
        make_function("sequential", 4);
        const gm_sharing_tracker_parameters p = {&function, 4, 4, 2};
        gm_sharing_tracker t;
        make(&t, &p);
        for (unsigned k = 0; k < 6; k++) {
            gm_sharing_tracker_request r = {GM_SHARING_TRACKER_LOOKUP, 2 + 4 * (k / 2), k % 2, 1};
            gm_sharing_tracker_access(&t, r);
            r.op = GM_SHARING_TRACKER_FILL;
            gm_sharing_tracker_access(&t, r);
        }
        expect_sound(&t);
        damage(&t, i);
        gm_error error;
        char text[128];
        snprintf(text, sizeof text, "sharing_tracker: set 2: %s", damages[i]);
        assert_int_equal(gm_sharing_tracker_check(&t, &error), -EINVAL);
        assert_string_equal(error.text, text);
        gm_arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_are_checked),
        cmocka_unit_test(the_largest_is_taken),
        cmocka_unit_test(a_full_arena_is_said),
        cmocka_unit_test(broken_invariants_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
