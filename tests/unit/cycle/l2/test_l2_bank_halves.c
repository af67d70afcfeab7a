/* An L2 in two halves (l2.halves), worked by hand: requests of the SMs of one half to banks of the
 * other take the link between them. */
#include "support/cycle/l2/l2_two_sets.h"

#include <errno.h>
#include <string.h>

/* A request of SM `sm` for some sectors. */
static void bring_kind(test_fixture *f, gm_cycle at, uint16_t sm, uint64_t line,
                       gm_message_kind kind, uint32_t sectors)
{
    world_bring(&f->w, at,
                (gm_packet){.line = line,
                            .sectors = (uint8_t)sectors,
                            .whole = (uint8_t)sectors,
                            .id = f->w.coming_count,
                            .kind = (uint8_t)kind,
                            .sm = sm});
}

static void bring_from(test_fixture *f, gm_cycle at, uint16_t sm, uint64_t line)
{
    bring_kind(f, at, sm, line, GM_MESSAGE_READ, 1);
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

/* The response to request `id` was sent in cycle `at`. */
static void expect_answer(const test_fixture *f, uint32_t id, gm_cycle at)
{
    for (uint32_t i = 0; i < f->w.sent_count; i++) {
        if (f->w.sent[i].packet.id == id) {
            if (f->w.sent[i].at != at) {
                fail_msg("request %u: sent in %llu, not %llu", id,
                         (unsigned long long)f->w.sent[i].at, (unsigned long long)at);
            }
            return;
        }
    }
    fail_msg("request %u has no answer", id);
}

/* l2.copies: what a far SM has read is near to its half, by sector, until an SM near to the bank
 * stores to it, an atomic comes, or the line leaves the bank. A store of the far half leaves its
 * copies. Of each row one request, of bank 0, to which SMs 0 to 7 are near. */
static const struct {
    gm_cycle at;
    uint16_t sm;
    uint8_t line; /* lines 0, 1, 4, 5: of bank 0 */
    uint8_t kind, sectors;
    gm_cycle taken; /* from its arrival to its response */
} copies[] = {
    {1000, 8, 1, GM_MESSAGE_READ, 1, FAR + MISS},
    {2000, 9, 1, GM_MESSAGE_READ, 1, HIT},       /* the copy is the half's */
    {3000, 9, 1, GM_MESSAGE_READ, 3, FAR + HIT}, /* sector 1 has none */
    {4000, 9, 1, GM_MESSAGE_READ, 3, HIT},
    {5000, 0, 1, GM_MESSAGE_WRITE, 1, HIT},
    {6000, 8, 1, GM_MESSAGE_READ, 2, HIT}, /* the store was to sector 0 */
    {7000, 8, 1, GM_MESSAGE_READ, 1, FAR + HIT},
    {8000, 8, 1, GM_MESSAGE_READ, 1, HIT},
    {9000, 8, 1, GM_MESSAGE_WRITE, 1, FAR + HIT},
    {9001, 8, 1, GM_MESSAGE_READ, 1, FAR + HIT}, /* does not overtake its store */
    {9500, 9, 1, GM_MESSAGE_READ, 1, HIT},
    {9700, 8, 1, GM_MESSAGE_WRITE, 1, FAR + HIT},
    {9900, 8, 1, GM_MESSAGE_READ, 1, HIT},
    {10000, 9, 1, GM_MESSAGE_ATOMIC, 1, FAR + HIT},
    {11000, 9, 1, GM_MESSAGE_READ, 1, FAR + HIT},
    {12000, 0, 0, GM_MESSAGE_READ, 1, MISS},
    {13000, 8, 0, GM_MESSAGE_READ, 1, FAR + HIT}, /* the near half's reads leave no copy */
    {13001, 9, 0, GM_MESSAGE_READ, 1, FAR + HIT}, /* none yet */
    {14000, 9, 0, GM_MESSAGE_READ, 1, HIT},
};

static void copies_of_far_lines(void **state)
{
    test_fixture *f = *state;
    enum { COUNT = sizeof copies / sizeof copies[0] };
    f->w.config.l2.copies = true;
    make_halves(f, 0);
    for (uint32_t i = 0; i < COUNT; i++) {
        bring_kind(f, copies[i].at, copies[i].sm, copies[i].line, (gm_message_kind)copies[i].kind,
                   copies[i].sectors);
    }
    run_to(f, 20000);
    finish(f, COUNT, 0, 0, 0, 0);
    for (uint32_t i = 0; i < COUNT; i++) {
        expect_answer(f, i, copies[i].at + copies[i].taken);
    }
    assert_int_equal(f->w.bank.time.l2_near, 9);
    assert_int_equal(f->w.bank.time.l2_far, 10);
}

/* A line that comes back into a bank has no copies any more. */
static void copies_go_with_the_line(void **state)
{
    test_fixture *f = *state;
    f->w.config.l2.copies = true;
    f->w.config.l2.ways = 1;
    make_halves(f, 0);
    uint64_t other = 0;
    bring_from(f, 1000, 8, 1);
    for (uint32_t i = 0; i < 64; i++) { /* more lines than the bank has, of near SMs */
        other += i % 2 == 0 ? 1 : 3;
        bring_from(f, 2000 + 1000 * i, 0, 1 + other);
    }
    bring_from(f, 80000, 0, 1);
    bring_from(f, 81000, 8, 1);
    bring_from(f, 82000, 8, 1);
    run_to(f, 90000);
    finish(f, 68, 0, 0, 0, 0);
    expect_answer(f, 65, 80000 + MISS);
    expect_answer(f, 66, 81000 + FAR + HIT);
    expect_answer(f, 67, 82000 + HIT);
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
        TEST(copies_of_far_lines),
        TEST(copies_go_with_the_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
