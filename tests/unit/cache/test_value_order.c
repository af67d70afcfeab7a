/* Coherence order of values: what it forgets where nothing is checked. */
#include "cache/value_order.h"
#include "support/support.h"

enum { CHUNK = 1 << 16, STORES = 5 * CHUNK };

/* Each store is performed `behind` stores later: no more chunks are in memory than hold stores that
 * are not performed, and the current one. */
static void forgets_what_is_performed(void **state)
{
    (void)state;
    const uint32_t behind = CHUNK / 2;
    gm_value_order order;
    gm_value_order_init(&order, "cycle");
    order.forgets = true;
    for (uint32_t i = 1; i <= STORES; i++) {
        const gm_value_store store = {.time = i};
        assert_int_equal(gm_value_order_add(&order, &store), i);
        assert_int_equal(gm_value_order_store(&order, i)->time, i);
        if (i > behind) {
            assert_int_equal(gm_value_order_store(&order, i - behind)->time, i - behind);
            gm_value_order_perform(&order, i - behind, 0, i - behind - 1, 0);
            gm_value_order_perform(&order, i - behind, 1, 0, 0); /* its second word */
        }
        uint32_t chunks = 0;
        for (uint32_t k = 0; i % 1000 == 0 && k < order.chunks; k++) {
            chunks += order.chunk[k] != NULL;
        }
        assert_true(chunks <= 2);
    }
    assert_false(gm_value_is_older(&order, 1, STORES));
    gm_value_order_free(&order);
}

/* A chunk that takes stores stays, so that none is made anew for each store. */
static void keeps_the_chunk_in_use(void **state)
{
    (void)state;
    gm_value_order order;
    gm_value_order_init(&order, "cycle");
    order.forgets = true;
    for (uint32_t i = 1; i < CHUNK - 1; i++) {
        const gm_value_store store = {.time = i};
        gm_value_order_add(&order, &store);
        gm_value_order_perform(&order, i, 0, i - 1, 0);
        assert_non_null(order.chunk[0]);
    }
    gm_value_order_free(&order);
}

/* Otherwise all are kept. */
static void keeps_stores(void **state)
{
    (void)state;
    gm_value_order order;
    gm_value_order_init(&order, "cycle");
    for (uint32_t i = 1; i <= 2 * CHUNK; i++) {
        const gm_value_store store = {.time = i};
        gm_value_order_add(&order, &store);
        gm_value_order_perform(&order, i, 0, i - 1, 0);
    }
    assert_int_equal(gm_value_order_store(&order, 1)->time, 1);
    assert_true(gm_value_is_older(&order, 1, 2 * CHUNK));
    assert_false(gm_value_is_older(&order, 2 * CHUNK, 1));
    gm_value_order_free(&order);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forgets_what_is_performed),
        cmocka_unit_test(keeps_the_chunk_in_use),
        cmocka_unit_test(keeps_stores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
