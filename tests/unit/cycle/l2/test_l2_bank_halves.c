/* An L2 in two halves (l2.halves), worked by hand: requests of the SMs of one half to banks of the
 * other take the link between them. */
#include "support/cycle/l2/l2_by_hand.h"

#include <errno.h>
#include <string.h>

/* A request of SM `sm`. */
static void bring_from(test_fixture *f, gm_cycle at, uint16_t sm, uint64_t line)
{
    world_bring(&f->w, at,
                (gm_packet){.line = line,
                            .sectors = 1,
                            .whole = 1,
                            .id = f->w.coming_count,
                            .kind = GM_MESSAGE_READ,
                            .sm = sm});
}

enum { FAR = 70 };

/* SMs 0 to 7 are near to bank 0, of 2 in 2 partitions, and SMs 8 to 14 are far. */
static void make_halves(test_fixture *f, uint32_t bank)
{
    f->w.config.memory.partitions = 2;
    f->w.config.l2.size = 8192;
    f->w.config.l2.halves = 2;
    f->w.config.l2.far_latency = FAR;
    world_make(&f->w, bank);
}

/* A far request is answered FAR later; a near one behind it overtakes it. */
static void far_half(void **state)
{
    test_fixture *f = *state;
    make_halves(f, 0);
    bring_from(f, 10, 7, 1);
    bring_from(f, 1000, 8, 1);
    bring_from(f, 1001, 7, 1);
    bring_from(f, 1002, 14, 1);
    finish(f, 4, 0, 0, 0, 0);
    expect_sent(f, 0, 0, 10 + MISS);
    expect_sent(f, 1, 2, 1001 + HIT);
    expect_sent(f, 2, 1, 1000 + FAR + HIT);
    expect_sent(f, 3, 3, 1002 + FAR + HIT);
    assert_int_equal(f->w.bank.time.l2_near, 2);
    assert_int_equal(f->w.bank.time.l2_far, 2);
}

/* To a bank of the second half the other SMs are far. */
static void far_from_the_second_half(void **state)
{
    test_fixture *f = *state;
    make_halves(f, 1);
    bring_from(f, 10, 0, 2); /* line 2 of 128 bytes: the second 256 bytes */
    bring_from(f, 1000, 7, 2);
    bring_from(f, 2000, 8, 2);
    finish(f, 3, 0, 0, 0, 0);
    expect_sent(f, 0, 0, 10 + FAR + MISS);
    expect_sent(f, 1, 1, 1000 + FAR + HIT);
    expect_sent(f, 2, 2, 2000 + HIT);
}

/* The link takes a packet in each cycle, and so do far and near ones together, which wait for one
 * another only where both would enter the delay in one cycle: then the near one enters later. */
static void far_requests_stream(void **state)
{
    test_fixture *f = *state;
    make_halves(f, 0);
    bring_from(f, 10, 0, 1);
    for (uint16_t i = 0; i < 200; i++) {
        bring_from(f, 1000 + i, 9, 1);
    }
    bring_from(f, 1000 + 200, 0, 1); /* the network has it then; far ones enter until 1269 */
    finish(f, 202, 0, 0, 0, 0);
    for (uint32_t i = 0; i < 200; i++) {
        expect_sent(f, 1 + i, 1 + i, 1000 + FAR + HIT + i);
    }
    expect_sent(f, 201, 201, 1000 + FAR + HIT + 200);
}

/* Without latency the halves change nothing but the counters. */
static void far_half_without_latency(void **state)
{
    test_fixture *f = *state;
    f->w.config.memory.partitions = 2;
    f->w.config.l2.size = 8192;
    f->w.config.l2.halves = 2;
    world_make(&f->w, 0);
    bring_from(f, 10, 0, 1);
    bring_from(f, 1000, 8, 1);
    bring_from(f, 1001, 9, 1);
    finish(f, 3, 0, 0, 0, 0);
    expect_sent(f, 1, 1, 1000 + HIT);
    expect_sent(f, 2, 2, 1001 + HIT);
    assert_int_equal(f->w.bank.time.l2_far, 2);
}

/* While the replies are closed, the queue fills, then the link, and the network keeps the rest. */
static void link_that_is_full(void **state)
{
    test_fixture *f = *state;
    f->w.config.l2.queue = 8;
    f->w.config.l2.reply_queue = 1;
    f->w.config.l2.latency = 0;
    make_halves(f, 0);
    bring_from(f, 10, 0, 1);
    run_to(f, 400);
    world_close_replies(&f->w, true, 400);
    for (uint32_t i = 0; i < 150; i++) {
        bring_from(f, 1000 + i, 8, 1);
    }
    char text[128];
    run_to(f, 1060); /* the first is on the link */
    assert_int_equal(gm_l2_bank_oldest(&f->w.bank, text, sizeof text), 1000);
    assert_non_null(strstr(text, "waits on the link between the halves"));
    run_to(f, 3000);
    assert_int_equal(f->w.taken, 1 + 1 + 5 + 1 + FAR); /* reply, queue, link */
    gm_error error;
    assert_int_equal(gm_l2_bank_check(&f->w.bank, &error), -EPROTO);
    world_close_replies(&f->w, false, 3000);
    gm_cycle sent = 0;
    run_to(f, 5000);
    for (uint32_t i = 0; i < 151; i++) {
        assert_int_equal(f->w.sent[i].packet.id, i);
        assert_true(i == 0 || f->w.sent[i].at > sent);
        sent = f->w.sent[i].at;
    }
    f->w.bank.time.l2_far++;
    assert_int_equal(gm_l2_bank_check(&f->w.bank, &error), -EPROTO);
    assert_non_null(strstr(error.text, "requests received = from near and from far SMs"));
    f->w.bank.time.l2_far--;
    test_ok(gm_l2_bank_check(&f->w.bank, &error), error);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(far_half),
        TEST(far_from_the_second_half),
        TEST(far_requests_stream),
        TEST(far_half_without_latency),
        TEST(link_that_is_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
