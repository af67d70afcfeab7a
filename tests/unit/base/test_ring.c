/* Ring: places of a queue. Expected: a queue that moves all its elements at each removal. */
#include "base/ring.h"
#include "support/support.h"

#include <string.h>

enum { MOST = 33, STEPS = 4000 };

static void sizes_are_powers_of_two(void **state)
{
    (void)state;
    static const struct {
        uint32_t capacity, places;
    } rows[] = {{1, 1}, {2, 2}, {3, 4}, {4, 4}, {5, 8}, {33, 64}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        gm_ring ring = gm_ring_make(rows[i].capacity);
        assert_int_equal(ring.capacity, rows[i].capacity);
        assert_int_equal(gm_ring_places(rows[i].capacity), rows[i].places);
        assert_int_equal(ring.mask, rows[i].places - 1);
    }
}

/* The drawing in ring.h. */
static void a_queue_goes_around_the_end(void **state)
{
    (void)state;
    gm_ring ring = {.span = {.first = 5, .count = 4}, .capacity = 6, .mask = 7};
    assert_int_equal(gm_ring_first(&ring), 5);
    assert_int_equal(gm_ring_place(&ring, 3), 0);
    assert_int_equal(gm_ring_next(&ring), 1);
    assert_int_equal(gm_ring_push(&ring), 1);
    assert_true(gm_ring_has_room(&ring));
    assert_int_equal(gm_ring_push(&ring), 2);
    assert_false(gm_ring_has_room(&ring));
    gm_ring_pop(&ring);
    assert_int_equal(gm_ring_first(&ring), 6);
    assert_true(gm_ring_has_room(&ring));
}

static void compare(gm_ring *ring, test_random *random)
{
    uint64_t array[2 * MOST] = {0};
    uint64_t queue[MOST];
    uint32_t queued = 0;
    for (uint64_t step = 0; step < STEPS; step++) {
        assert_int_equal(gm_ring_count(ring), queued);
        assert_int_equal(gm_ring_is_empty(ring), queued == 0);
        assert_int_equal(gm_ring_has_room(ring), queued < ring->capacity);
        for (uint32_t i = 0; i < queued; i++) {
            assert_int_equal(array[gm_ring_place(ring, i)], queue[i]);
        }
        bool push = queued == 0 || (queued < ring->capacity && test_random_below(random, 2) != 0);
        if (push) {
            uint32_t next = gm_ring_next(ring);
            array[next] = queue[queued++] = step;
            assert_int_equal(gm_ring_push(ring), next);
        } else {
            assert_int_equal(array[gm_ring_first(ring)], queue[0]);
            gm_ring_pop(ring);
            memmove(queue, queue + 1, --queued * sizeof *queue);
        }
    }
}

/* Of every capacity, from the first place and from the last. */
static void elements_leave_in_their_order(void **state)
{
    (void)state;
    test_random random = test_random_start(1);
    for (uint32_t capacity = 1; capacity <= MOST; capacity++) {
        gm_ring ring = gm_ring_make(capacity);
        compare(&ring, &random);
        gm_ring late = gm_ring_make(capacity);
        late.span.first = late.mask;
        compare(&late, &random);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_powers_of_two),
        cmocka_unit_test(a_queue_goes_around_the_end),
        cmocka_unit_test(elements_leave_in_their_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
