/* Tables of the directory protocols: rows are told apart, states can be reached, messages go the
 * right way; the number of states [singh, Table 1]. */
#include "coherence/directory.h"
#include "support/support.h"

static const gm_directory_protocol *const protocols[] = {&gm_directory_vi, &gm_directory_vini,
                                                         &gm_directory_mesi};
enum { PROTOCOLS = sizeof protocols / sizeof protocols[0] };

static const gm_directory_table *table_of(unsigned i)
{
    return i % 2 == 0 ? &protocols[i / 2]->l1 : &protocols[i / 2]->l2;
}

static void expect_found(const gm_directory_table *table, const gm_directory_row *row)
{
    const gm_directory_row *last = gm_directory_find(table, row->state, row->event, GM_IF_LAST);
    const gm_directory_row *more = gm_directory_find(table, row->state, row->event, GM_IF_MORE);
    assert_ptr_equal(row->condition == GM_IF_MORE ? more : last, row);
    assert_non_null(row->condition == GM_IF_MORE ? last : more);
}

/* Each row is the only one of its state, event and condition; a condition has its opposite. */
static void rows_are_found(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2 * PROTOCOLS; i++) {
        const gm_directory_table *table = table_of(i);
        for (size_t k = 0; k < table->rows; k++) {
            expect_found(table, &table->row[k]);
        }
        assert_null(gm_directory_find(table, 99, GM_L1_LOAD, GM_IF_LAST));
    }
}

/* Returns the masks of the states with rows, and of those that rows lead to. */
static void collect(const gm_directory_table *table, uint32_t *from, uint32_t *to)
{
    *from = *to = 0;
    for (size_t k = 0; k < table->rows; k++) {
        *from |= UINT32_C(1) << table->row[k].state;
        *to |= UINT32_C(1) << table->row[k].next;
    }
}

static unsigned count(uint32_t mask)
{
    unsigned ones = 0;
    for (; mask != 0; mask &= mask - 1) {
        ones++;
    }
    return ones;
}

/* Each state is reached from another row, and left again. States: stable and transient together;
 * the L1's are those of [singh, Table 1], the L2's 8, 15 and 16 there: docs/directory-protocols.md
 * has the differences. */
static void states_are_those_of_the_page(void **state)
{
    static const unsigned states[2 * PROTOCOLS] = {5, 6, 5, 9, 10, 13};
    static const unsigned stable[2 * PROTOCOLS] = {2, 3, 2, 4, 4, 4};
    (void)state;
    for (unsigned i = 0; i < 2 * PROTOCOLS; i++) {
        uint32_t from, to;
        collect(table_of(i), &from, &to);
        assert_int_equal(from, to);
        assert_int_equal(count(from), states[i]);
        uint32_t kept = (UINT32_C(1) << (i % 2 == 0 ? GM_L1_M + 1 : GM_DIR_M + 1)) - 1;
        assert_int_equal(count(from & kept), stable[i]);
    }
}

static void expect_way(const gm_directory_protocol *protocol, const gm_directory_row *row, bool l1)
{
    if (row->message != GM_NO_MESSAGE) {
        assert_int_equal(row->message >= GM_MSG_GETS, l1);
        assert_true(protocol->network[row->message] < GM_DIRECTORY_NETWORKS);
    }
    if ((row->actions & GM_DO_STALL) != 0) { /* changes nothing */
        assert_int_equal(row->actions, GM_DO_STALL);
        assert_int_equal(row->next, row->state);
        assert_int_equal(row->message, GM_NO_MESSAGE);
    }
    uint32_t installs = row->actions & (GM_DO_INSTALL | GM_DO_DROP);
    assert_int_not_equal(installs, GM_DO_INSTALL | GM_DO_DROP);
}

/* L1s send requests and answers, the L2 responses and forwards; a row that stalls does no more. */
static void messages_go_the_right_way(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2 * PROTOCOLS; i++) {
        const gm_directory_table *table = table_of(i);
        for (size_t k = 0; k < table->rows; k++) {
            expect_way(protocols[i / 2], &table->row[k], i % 2 == 0);
        }
    }
    assert_int_equal(gm_directory_vi.networks, 4);   /* [singh, Table 4] */
    assert_int_equal(gm_directory_vini.networks, 4); /* likewise */
    assert_int_equal(gm_directory_mesi.networks, 5); /* likewise */
}

/* All messages, states and events have names, as the page prints them. */
static void all_have_names(void **state)
{
    (void)state;
    for (unsigned i = 0; i < GM_MESSAGES; i++) {
        assert_non_null(gm_directory_message_names[i]);
    }
    for (unsigned i = 0; i < GM_L1_STATES; i++) {
        assert_non_null(gm_directory_l1_state_names[i]);
    }
    for (unsigned i = 0; i < GM_L1_EVENTS; i++) {
        assert_non_null(gm_directory_l1_event_names[i]);
    }
    for (unsigned i = 0; i < GM_DIR_STATES; i++) {
        assert_non_null(gm_directory_l2_state_names[i]);
    }
    for (unsigned i = 0; i < GM_DIR_EVENTS; i++) {
        assert_non_null(gm_directory_l2_event_names[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_found),
        cmocka_unit_test(states_are_those_of_the_page),
        cmocka_unit_test(messages_go_the_right_way),
        cmocka_unit_test(all_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
