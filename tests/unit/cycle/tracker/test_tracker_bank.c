/* A tracker bank cycle by cycle, between networks made for the test: when packets leave it and as
 * what, credits, and turns with the L2 bank at the reply network. */
#include "cycle/tracker/tracker_bank.h"
#include "support/cache/message_letters.h"
#include "support/order/order_run.h"

#include <string.h>

enum { PACKETS = 64, WIRE = 5 };

/* Packets in front of the bank, and those that it sent to the reply network. */
static struct {
    gm_packet coming[PACKETS], sent[PACKETS];
    gm_cycle at[PACKETS], sent_at[PACKETS];
    uint32_t count, taken, sent_count;
    bool full; /* the reply network */
} net;

gm_cycle gm_network_arrival(const gm_network *network, uint32_t output)
{
    (void)network;
    (void)output;
    return net.taken < net.count ? net.at[net.taken] : GM_NEVER;
}

const gm_packet *gm_network_peek(const gm_network *network, uint32_t output, gm_cycle now)
{
    return gm_network_arrival(network, output) <= now ? &net.coming[net.taken] : NULL;
}

void gm_network_pop(gm_network *network, uint32_t output, gm_cycle now)
{
    assert_non_null(gm_network_peek(network, output, now));
    net.taken++;
}

bool gm_network_fits(const gm_network *network, uint32_t input, const gm_packet *packet)
{
    (void)network;
    (void)input;
    (void)packet;
    return !net.full;
}

void gm_network_send(gm_network *network, uint32_t input, const gm_packet *packet, gm_cycle now)
{
    (void)network;
    (void)input;
    assert_true(net.sent_count < PACKETS);
    net.sent_at[net.sent_count] = now;
    net.sent[net.sent_count++] = *packet;
}

typedef struct fixture {
    gm_config config;
    gm_tracker_shared shared;
    gm_arena arena;
    gm_tracker_bank bank;
    gm_network requests, replies;
    gm_ring responses;
    gm_credit credit[PACKETS];
    gm_credit_wire wire;
    gm_cycle l2_wake, wake, now;
    char log[1024]; /* what the L2 took, and when: "R4:1@5 W5:2@6" */
} fixture;

static fixture *make(const char *const *keys)
{
    static fixture f;
    gm_error error;
    memset(&net, 0, sizeof net);
    memset(&f, 0, sizeof f);
    f.config = order_preset("kepler-hybrid");
    f.config.tracker.enabled = true;
    for (; keys != NULL && *keys != NULL; keys++) {
        test_ok(gm_config_assign(&f.config, *keys, &error), error);
    }
    test_ok(gm_tracker_shared_init(&f.shared, &f.config, &error), error);
    test_ok(gm_arena_create(&f.arena, gm_tracker_bank_bytes(&f.shared), &error), error);
    test_ok(gm_tracker_bank_init(&f.bank, &f.shared, 0, &f.arena, &error), error);
    f.responses = gm_ring_make(4);
    f.wire = (gm_credit_wire){.latency = WIRE, .ring = gm_ring_make(PACKETS), .credit = f.credit};
    f.l2_wake = f.wake = INT64_MAX;
    gm_tracker_bank_connect(&f.bank, &f.requests, &f.replies, &f.responses, &f.wire, &f.l2_wake,
                            &f.wake);
    return &f;
}

/* Puts a packet of SM `sm` in front of the bank, for L1 line `line` or, beside tracker messages,
 * for the L2 line 4 * line. Both in partition 0, so that the place of line 16 n is 2 n. */
static void bring(gm_message_kind kind, uint16_t sm, uint64_t line, uint32_t sectors,
                  bool will_fill, gm_cycle at)
{
    net.coming[net.count] = (gm_packet){.line = line * 4,
                                        .in_bank = line / 16 * 8,
                                        .sectors = sectors,
                                        .fills = will_fill ? sectors : 0,
                                        .id = 100 + sm,
                                        .sm = sm,
                                        .kind = (uint8_t)kind,
                                        .flags = will_fill};
    net.at[net.count++] = at;
}

/* Computes the cycles up to `end`, every one, or those that the bank asks for. The L2 takes a
 * packet in each cycle from `from` on. Returns the log. */
static const char *run_skipping(fixture *f, gm_cycle from, gm_cycle end, bool skips)
{
    for (; f->now <= end; f->now++) {
        gm_tracker_outlet *outlet = &f->bank.outlet;
        gm_cycle arrival = gm_network_arrival(&f->requests, 0);
        bool due = f->wake <= f->now || arrival == f->now; /* the network wakes it once */
        if (!skips || due) {
            f->wake = INT64_MAX;
            gm_tracker_bank_step(&f->bank, f->now);
        }
        if (f->now >= from && outlet->arrival <= f->now) {
            size_t used = strlen(f->log);
            const gm_packet *p = &outlet->packet;
            assert_int_equal(p->in_bank & 3, p->line & 3);
            (void)snprintf(f->log + used, sizeof f->log - used, "%s%c%llu:%x.%u@%llu",
                           used != 0 ? " " : "", message_letters[p->kind],
                           (unsigned long long)p->line, p->sectors, p->sm,
                           (unsigned long long)f->now);
            gm_tracker_outlet_pop(outlet, f->now);
        }
    }
    return f->log;
}

static const char *run(fixture *f, gm_cycle from, gm_cycle end)
{
    return run_skipping(f, from, end, true);
}

static void end(fixture *f)
{
    gm_error error;
    test_ok(gm_tracker_bank_check(&f->bank, &error), error);
    gm_arena_free(&f->arena);
}

/* A LOOKUP that enters in cycle 10 leaves from cycle 13 on, as a READ for each L2 line that it asks
 * for; what came behind it, one cycle apart, leaves behind it. FILL and EVICT end in the bank. */
static void packets_leave_in_order(void **state)
{
    (void)state;
    for (unsigned skips = 0; skips < 2; skips++) {
        fixture *f = make(NULL);
        bring(GM_MESSAGE_LOOKUP, 1, 16, 0xf, true, 10);
        bring(GM_MESSAGE_FILL, 1, 16, 0xf, false, 10);
        bring(GM_MESSAGE_EVICT, 1, 16, 0, false, 10);
        bring(GM_MESSAGE_WRITE, 2, 32, 1, false, 10);
        bring(GM_MESSAGE_INSTRUCTION, 2, 48, 1, false, 30);
        bring(GM_MESSAGE_LOOKUP, 3, 64, 0xa, false, 31);
        assert_string_equal(run_skipping(f, 0, 60, skips != 0),
                            "R64:1.1@13 R65:1.1@14 R66:1.1@15 R67:1.1@16 W128:1.2@19 "
                            "I192:1.2@33 R257:1.3@34 R259:1.3@35");
        assert_int_equal(net.sent_count, 0);
        const gm_tracker_statistics *one = &f->bank.counts[1];
        assert_int_equal(one->lookups + one->fills + one->evicts, 3);
        assert_int_equal(one->entries_taken, 1);
        assert_int_equal(one->entries_freed, 1); /* the EVICT of the last sharer */
        assert_int_equal(f->bank.counts[2].writes, 1);
        end(f);
    }
}

/* l2.victim: the line of an L1 that no other shares goes on to the L2, an EVICT for each L2 line
 * that has some of its sectors, behind what came before; that of an L1 which shares it, or which a
 * WRITE has passed, ends in the bank. */
static void victims_leave_for_the_l2(void **state)
{
    (void)state;
    static const char *const keys[] = {"l2.bypass=coalesced", "l2.victim=yes", NULL};
    for (unsigned skips = 0; skips < 2; skips++) {
        fixture *f = make(keys);
        for (uint16_t sm = 1; sm <= 2; sm++) {
            bring(GM_MESSAGE_LOOKUP, sm, 16, 0xf, true, 10);
            bring(GM_MESSAGE_FILL, sm, 16, 0xf, false, 20);
        }
        net.coming[2].kind = GM_MESSAGE_LOOKUP; /* SM 2: SM 1 is to supply it */
        bring(GM_MESSAGE_EVICT, 1, 16, 0xf, false, 40);
        bring(GM_MESSAGE_WRITE, 3, 32, 1, false, 50);
        bring(GM_MESSAGE_EVICT, 2, 16, 0xd, false, 50);
        bring(GM_MESSAGE_WRITE, 3, 32, 2, false, 50);
        bring(GM_MESSAGE_LOOKUP, 4, 48, 0xf, true, 70);
        bring(GM_MESSAGE_FILL, 4, 48, 0xf, false, 80);
        bring(GM_MESSAGE_WRITE, 5, 48, 1, false, 80);
        bring(GM_MESSAGE_EVICT, 4, 48, 0xf, false, 80);
        assert_string_equal(run_skipping(f, 0, 120, skips != 0),
                            "R64:1.1@13 R65:1.1@14 R66:1.1@15 R67:1.1@16 W128:1.3@53 E64:1.2@54 "
                            "E66:1.2@55 E67:1.2@56 W128:2.3@57 R192:1.4@73 R193:1.4@74 "
                            "R194:1.4@75 R195:1.4@76 W192:1.5@84");
        const gm_tracker_statistics *two = &f->bank.counts[2];
        assert_int_equal(two->victims, 1);
        assert_int_equal(two->victim_sectors, 3);
        assert_int_equal(f->bank.counts[1].evict_sectors, 4);
        assert_int_equal(f->bank.counts[1].victims + f->bank.counts[4].victims, 0);
        assert_int_equal(f->bank.victim_parts, 3);
        gm_arena_free(&f->arena); /* a SUPPLY has not been answered */
    }
}

/* tracker.latency=1, an L2 that takes nothing until cycle 20: the bank has one place in its
 * pipeline and one in front of the L2, so that the third packet waits in the network. */
static void a_bank_that_is_full(void **state)
{
    (void)state;
    static const char *const keys[] = {"tracker.latency=1", NULL};
    fixture *f = make(keys);
    for (uint16_t i = 0; i < 4; i++) {
        bring(GM_MESSAGE_WRITE, i, 16, 1, false, 10);
    }
    run(f, 20, 19);
    assert_int_equal(net.taken, 2);
    assert_string_equal(run(f, 20, 30), "W64:1.0@20 W64:1.1@21 W64:1.2@22 W64:1.3@23");
    end(f);
}

/* SM 0 has the line. The LOOKUPs of two others become SUPPLYs to SM 0; with one credit the second
 * is refused, and one that comes when the credit is back is not. */
static void supplies_have_credits(void **state)
{
    (void)state;
    static const char *const keys[] = {"tracker.supplies=1", NULL};
    fixture *f = make(keys);
    bring(GM_MESSAGE_LOOKUP, 0, 16, 0xf, true, 0);
    bring(GM_MESSAGE_FILL, 0, 16, 0xf, false, 5);
    bring(GM_MESSAGE_LOOKUP, 1, 16, 3, false, 10);
    bring(GM_MESSAGE_LOOKUP, 2, 16, 8, false, 11);
    run(f, 0, 14);
    assert_int_equal(net.sent_count, 1);
    assert_int_equal(net.sent_at[0], 13);
    const gm_packet *supply = &net.sent[0];
    assert_int_equal(supply->kind, GM_MESSAGE_SUPPLY);
    assert_int_equal(supply->sm, 0);
    assert_int_equal(supply->peer, 1);
    assert_int_equal(supply->sectors, 3);
    assert_int_equal(supply->id, 101);
    assert_int_equal(f->bank.counts[2].refused, 1);
    gm_credit_wire_send(&f->wire, 0, 20);          /* back in cycle 25 */
    bring(GM_MESSAGE_LOOKUP, 3, 16, 1, false, 24); /* too early */
    bring(GM_MESSAGE_LOOKUP, 4, 16, 1, false, 25);
    bring(GM_MESSAGE_LOOKUP, 5, 16, 1, false, 26);
    assert_string_equal(run(f, 0, 60), "R64:1.0@3 R65:1.0@4 R66:1.0@5 R67:1.0@6 R67:1.2@14 "
                                       "R64:1.3@27 R64:1.5@29");
    assert_int_equal(net.sent_count, 2);
    assert_int_equal(net.sent_at[1], 28);
    assert_int_equal(net.sent[1].peer, 4);
    assert_int_equal(f->bank.counts[3].refused, 1);
    gm_credit_wire_send(&f->wire, 0, 60);
    end(f);
}

/* The shipped machine: each of 16 SMs in turn has the line and answers four others, not a fifth. A
 * credit that comes back is that SM's. */
static void each_sm_has_its_credits(void **state)
{
    (void)state;
    enum { SMS = 16, SUPPLIES = 4 };
    for (uint32_t sm = 0; sm < SMS; sm++) {
        fixture *f = make(NULL);
        uint16_t other = (uint16_t)((sm + 1) % SMS), own = (uint16_t)sm;
        assert_int_equal(f->shared.sms, SMS);
        assert_int_equal(f->shared.supplies, SUPPLIES);
        bring(GM_MESSAGE_LOOKUP, own, 16, 0xf, true, 0);
        bring(GM_MESSAGE_FILL, own, 16, 0xf, false, 5);
        for (gm_cycle i = 0; i <= SUPPLIES; i++) {
            bring(GM_MESSAGE_LOOKUP, other, 16, 1, false, 10 + i);
        }
        run(f, 0, 40);
        assert_int_equal(net.sent_count, SUPPLIES);
        assert_int_equal(f->bank.counts[other].refused, 1);
        gm_credit_wire_send(&f->wire, sm, 40);
        bring(GM_MESSAGE_LOOKUP, other, 16, 1, false, 50);
        run(f, 0, 70);
        assert_int_equal(net.sent_count, SUPPLIES + 1);
        for (uint32_t i = 0; i < net.sent_count; i++) {
            assert_int_equal(net.sent[i].sm, sm);
            assert_int_equal(net.sent[i].peer, other);
        }
        for (uint32_t i = 0; i < SUPPLIES; i++) {
            assert_int_equal(f->bank.credits[sm], i);
            gm_credit_wire_send(&f->wire, sm, 80 + 10 * i);
            run_skipping(f, 0, 89 + 10 * i, false);
        }
        for (uint32_t i = 0; i < SMS; i++) {
            assert_int_equal(f->bank.credits[i], SUPPLIES);
        }
        end(f);
    }
}

/* RETURN becomes READs of its requester, and is no transaction: nothing is counted but it. */
static void returns_become_reads(void **state)
{
    (void)state;
    fixture *f = make(NULL);
    bring(GM_MESSAGE_RETURN, 7, 16, 6, true, 10);
    assert_string_equal(run(f, 0, 30), "R65:1.7@13 R66:1.7@14");
    assert_int_equal(f->bank.outlet.packet.fills, 1); /* the L1 will install them */
    assert_int_equal(f->bank.transactions, 0);
    assert_int_equal(f->bank.counts[7].remote_misses, 1);
    end(f);
}

/* Every packet of a store is a WRITE, and every atomic a COHERENT: a mark between two falls. */
static void each_packet_is_a_write(void **state)
{
    (void)state;
    fixture *f = make(NULL);
    bring(GM_MESSAGE_WRITE, 1, 16, 1, false, 0);
    bring(GM_MESSAGE_LOOKUP, 2, 16, 1, true, 1);
    bring(GM_MESSAGE_WRITE, 1, 16, 1, false, 2); /* the mark falls */
    bring(GM_MESSAGE_FILL, 2, 16, 1, false, 3);  /* so nothing is registered */
    bring(GM_MESSAGE_LOOKUP, 3, 16, 1, true, 4);
    bring(GM_MESSAGE_READ, 1, 16, 1, false, 5); /* a strong load, likewise */
    bring(GM_MESSAGE_FILL, 3, 16, 1, false, 6);
    bring(GM_MESSAGE_LOOKUP, 4, 16, 1, true, 7);
    run(f, 0, 40);
    assert_int_equal(net.sent_count, 0);
    assert_int_equal(f->bank.counts[4].hits, 0);
    assert_int_equal(f->bank.counts[1].writes, 2);
    assert_int_equal(f->bank.counts[1].coherent, 1);
    end(f);
}

/* SUPPLYs leave in each cycle while the L2 bank has no response, else in every other one; none
 * while the network is full, and the packets for the L2 go on. */
static void turns_at_the_reply_network(void **state)
{
    (void)state;
    static const gm_cycle free_port[] = {13, 14, 15, 16};
    static const gm_cycle shared_port[] = {13, 15, 17, 19};
    for (unsigned shared = 0; shared < 2; shared++) {
        fixture *f = make(NULL);
        bring(GM_MESSAGE_LOOKUP, 0, 16, 1, true, 0);
        bring(GM_MESSAGE_FILL, 0, 16, 1, false, 5);
        for (uint16_t sm = 1; sm < 5; sm++) {
            bring(GM_MESSAGE_LOOKUP, sm, 16, 1, false, 9 + sm);
        }
        f->responses.span.count = shared;
        run(f, 0, 12);
        run(f, 0, 40);
        assert_int_equal(net.sent_count, 4);
        for (unsigned i = 0; i < 4; i++) {
            assert_int_equal(net.sent_at[i], shared != 0 ? shared_port[i] : free_port[i]);
        }
        for (unsigned i = 0; i < 4; i++) {
            gm_credit_wire_send(&f->wire, 0, 41);
        }
        end(f);
    }
    fixture *f = make(NULL);
    net.full = true;
    bring(GM_MESSAGE_LOOKUP, 0, 16, 1, true, 0);
    bring(GM_MESSAGE_FILL, 0, 16, 1, false, 5);
    bring(GM_MESSAGE_LOOKUP, 1, 16, 1, false, 10);
    bring(GM_MESSAGE_WRITE, 2, 16, 1, false, 11);
    assert_string_equal(run(f, 0, 20), "R64:1.0@3 W64:1.2@14");
    net.full = false;
    run(f, 0, 22);
    assert_int_equal(net.sent_at[0], 21);
    gm_credit_wire_send(&f->wire, 0, 22);
    end(f);
}

/* Two trackers: SM 0's knows nothing of SM 8's copy; lines of other sets do not meet. */
static void isolated_trackers(void **state)
{
    (void)state;
    static const char *const keys[] = {"tracker.trackers=2", NULL};
    fixture *f = make(keys);
    bring(GM_MESSAGE_LOOKUP, 8, 16, 1, true, 0);
    bring(GM_MESSAGE_FILL, 8, 16, 1, false, 1);
    bring(GM_MESSAGE_LOOKUP, 0, 16, 1, false, 2);
    bring(GM_MESSAGE_LOOKUP, 9, 17, 1, false, 3);
    bring(GM_MESSAGE_LOOKUP, 9, 16, 1, false, 4);
    net.coming[3].in_bank += 4; /* line 17: the next place */
    run(f, 0, 30);
    assert_int_equal(f->bank.counts[0].hits, 0);
    assert_int_equal(f->bank.counts[9].hits, 1);
    assert_int_equal(net.sent[0].sm, 8);
    gm_credit_wire_send(&f->wire, 8, 30);
    gm_tracker_bank_flush(&f->bank);
    assert_int_equal(f->bank.flushed, 1);
    end(f);
}

/* Four trackers of four SMs that ask each other: SM 8, of the third, has a line. A LOOKUP is
 * followed by an ASK in each cycle, the next tracker first, and leaves tracker.latency cycles
 * behind the last, even of one cycle; meanwhile no packet enters, and those before it leave. */
static void asks_take_a_cycle_each(unsigned latency, bool skips)
{
    char key[24];
    char log[80];
    (void)snprintf(key, sizeof key, "tracker.latency=%u", latency);
    (void)snprintf(log, sizeof log, "R64:1.8@%u W128:1.2@%u W192:1.3@%u R64:1.1@%u", 3 + latency,
                   23 + latency, 39 + latency, 60 + latency);
    const char *const keys[] = {"tracker.trackers=4", "tracker.ask=yes", key, NULL};
    fixture *f = make(keys);
    bring(GM_MESSAGE_LOOKUP, 8, 16, 1, true, 0);   /* asks in 1, 2, 3 */
    bring(GM_MESSAGE_FILL, 8, 16, 1, false, 1);    /* enters in 4 */
    bring(GM_MESSAGE_LOOKUP, 1, 16, 1, false, 20); /* asks in 21 and 22 */
    bring(GM_MESSAGE_WRITE, 2, 32, 1, false, 20);  /* enters in 23 */
    bring(GM_MESSAGE_WRITE, 3, 48, 1, false, 39);
    bring(GM_MESSAGE_LOOKUP, 15, 16, 1, false, 40); /* asks in 41, 42, 43 */
    bring(GM_MESSAGE_LOOKUP, 9, 16, 1, false, 50);  /* of the same tracker */
    bring(GM_MESSAGE_RETURN, 1, 16, 1, false, 60);
    assert_string_equal(run_skipping(f, 0, 80, skips), log);
    static const gm_cycle last[] = {22, 43, 50};
    static const uint16_t peer[] = {1, 15, 9};
    assert_int_equal(net.sent_count, 3);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(net.sent[i].kind, GM_MESSAGE_SUPPLY);
        assert_int_equal(net.sent[i].sm, 8);
        assert_int_equal(net.sent[i].peer, peer[i]);
        assert_int_equal(net.sent_at[i], last[i] + latency);
        gm_credit_wire_send(&f->wire, 8, 80);
    }
    assert_int_equal(f->bank.counts[8].asks, 3);
    assert_int_equal(f->bank.counts[1].asks, 2);
    assert_int_equal(f->bank.counts[1].ask_hits, 1);
    assert_int_equal(f->bank.counts[15].ask_hits, 1);
    assert_int_equal(f->bank.counts[9].asks, 0);
    assert_int_equal(f->bank.counts[2].told, 3);
    end(f);
}

static void each_ask_takes_a_cycle(void **state)
{
    (void)state;
    for (unsigned skips = 0; skips < 2; skips++) {
        asks_take_a_cycle_each(3, skips != 0);
        asks_take_a_cycle_each(1, skips != 0);
    }
}

/* A store, and an atomic, of an SM of the first tracker take entry and mark of the third, in the
 * cycle in which they enter. */
static void all_trackers_are_told(void **state)
{
    (void)state;
    static const char *const keys[] = {"tracker.trackers=4", "tracker.ask=yes", NULL};
    static const gm_message_kind kinds[] = {GM_MESSAGE_WRITE, GM_MESSAGE_ATOMIC, GM_MESSAGE_READ};
    for (unsigned i = 0; i < 3; i++) {
        fixture *f = make(keys);
        bring(GM_MESSAGE_LOOKUP, 8, 16, 1, true, 0);
        bring(GM_MESSAGE_FILL, 8, 16, 1, false, 1);
        bring(GM_MESSAGE_LOOKUP, 12, 16, 1, true, 10); /* supplied by SM 8 */
        bring(kinds[i], 0, 16, 1, false, 20);
        bring(GM_MESSAGE_FILL, 12, 16, 1, false, 21); /* the mark has fallen */
        bring(GM_MESSAGE_LOOKUP, 4, 16, 1, false, 22);
        bring(GM_MESSAGE_LOOKUP, 9, 16, 1, false, 30);
        run(f, 0, 60);
        assert_int_equal(net.sent_count, 1);
        assert_int_equal(f->bank.counts[0].told, 3);
        assert_int_equal(f->bank.counts[0].entries_freed, 2);
        assert_int_equal(f->bank.counts[4].hits + f->bank.counts[9].hits, 0);
        assert_int_equal(f->bank.counts[4].asks + f->bank.counts[9].asks, 6);
        gm_credit_wire_send(&f->wire, 8, 60);
        end(f);
    }
}

/* A victim asks too: it goes on to the L2 behind the last ASK, or ends at the first that names a
 * sharer. */
static void victims_ask(void **state)
{
    (void)state;
    static const char *const keys[] = {"tracker.trackers=4", "tracker.ask=yes",
                                       "l2.bypass=coalesced", "l2.victim=yes", NULL};
    fixture *f = make(keys);
    bring(GM_MESSAGE_LOOKUP, 8, 16, 1, true, 0);
    bring(GM_MESSAGE_FILL, 8, 16, 1, false, 4);
    bring(GM_MESSAGE_LOOKUP, 12, 16, 1, true, 10); /* asks in 11, 12, 13 */
    bring(GM_MESSAGE_FILL, 12, 16, 1, false, 14);
    bring(GM_MESSAGE_EVICT, 8, 16, 1, false, 20);  /* asks in 21, of SM 12's tracker */
    bring(GM_MESSAGE_EVICT, 12, 16, 1, false, 30); /* asks in 31, 32, 33 */
    assert_string_equal(run(f, 0, 60), "R64:1.8@6 E64:1.12@36");
    assert_int_equal(f->bank.counts[8].victims_shared, 1);
    assert_int_equal(f->bank.counts[8].victims, 0);
    assert_int_equal(f->bank.counts[8].victim_asks, 1);
    assert_int_equal(f->bank.counts[12].victims, 1);
    assert_int_equal(f->bank.counts[12].victim_asks, 3);
    assert_int_equal(f->bank.counts[8].hits, 0);
    gm_credit_wire_send(&f->wire, 8, 60);
    end(f);
}

/* A LOOKUP of one sector by an SM in cycle `at`. Returns the ASKs of its SM. */
static uint64_t look_up(fixture *f, uint16_t sm, bool will_fill, gm_cycle at)
{
    bring(GM_MESSAGE_LOOKUP, sm, 16, will_fill ? 0xf : 1, will_fill, at);
    run(f, 0, at + 29);
    return f->bank.counts[sm].asks;
}

/* Eight trackers of two SMs each, the most: a line that any one of them knows is found from any
 * other; WRITE and FLUSH reach all. */
static void each_of_eight_trackers(void **state)
{
    (void)state;
    enum { TRACKERS = 8 };
    static const char *const keys[] = {"tracker.trackers=8", "tracker.ask=yes", NULL};
    for (unsigned pair = 0; pair < TRACKERS * TRACKERS; pair++) {
        unsigned knows = pair / TRACKERS;
        unsigned asks = pair % TRACKERS;
        uint16_t holder = (uint16_t)(2 * knows + 1);
        uint16_t first = (uint16_t)(2 * asks);
        fixture *f = make(keys);
        assert_int_equal(look_up(f, holder, true, 0), TRACKERS - 1);
        bring(GM_MESSAGE_FILL, holder, 16, 0xf, false, 30);
        assert_int_equal(look_up(f, first, false, 40), (knows + TRACKERS - asks) % TRACKERS);
        assert_int_equal(net.sent_count, 1);
        assert_int_equal(net.sent[0].sm, holder);
        assert_int_equal(net.sent[0].peer, first);
        gm_credit_wire_send(&f->wire, holder, 70);
        bring(GM_MESSAGE_WRITE, first, 16, 1, false, 80);
        run(f, 0, 99);
        assert_int_equal(f->bank.counts[first].told, TRACKERS - 1);
        f->bank.counts[first].asks = 0;
        assert_int_equal(look_up(f, first, false, 100), TRACKERS - 1);
        look_up(f, holder, true, 130);
        bring(GM_MESSAGE_FILL, holder, 16, 0xf, false, 160);
        run(f, 0, 180);
        gm_tracker_bank_flush(&f->bank);
        look_up(f, first, false, 190);
        assert_int_equal(net.sent_count, 1);
        gm_arena_free(&f->arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packets_leave_in_order),
        cmocka_unit_test(victims_leave_for_the_l2),
        cmocka_unit_test(a_bank_that_is_full),
        cmocka_unit_test(supplies_have_credits),
        cmocka_unit_test(each_sm_has_its_credits),
        cmocka_unit_test(each_of_eight_trackers),
        cmocka_unit_test(returns_become_reads),
        cmocka_unit_test(each_packet_is_a_write),
        cmocka_unit_test(turns_at_the_reply_network),
        cmocka_unit_test(isolated_trackers),
        cmocka_unit_test(each_ask_takes_a_cycle),
        cmocka_unit_test(all_trackers_are_told),
        cmocka_unit_test(victims_ask),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
