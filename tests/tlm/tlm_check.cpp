/* Checks goldmem/tlm.hpp: its approximately timed cycles and counters are those of memory.h, which
 * is sent the same requests here by a loop over cycles; its loosely timed delays are the latency of
 * a request alone; payloads, phases and references obey the base protocol (IEEE 1666-2011, 14, 15).
 * Prints what does not hold; nothing else but the last line. */
#include "tlm_payloads.hpp"

/* Loosely timed: an initiator that runs up to `quantum` cycles ahead reads and writes, with work
 * between. Returns its time at the end, which is independent of the quantum. */
static sc_time loosely(script &of, const gm_config &config, const gm_memory_options &options,
                       uint64_t quantum)
{
    uint64_t clock = options.clock != 0 ? options.clock : config.clock.core;
    gm_memory *plain = open_memory(config, options);
    size_t group = options.level == GM_MEMORY_BELOW_L1 ? 1 : GM_MEMORY_LINES;
    std::mt19937_64 random(5);
    sc_time local;
    bool exact = true, cached = false, uncached = false;
    for (unsigned i = 0; i < 400; i++) {
        auto command = random() % 3 == 0 ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND;
        simple_payload payload(command, random() % 64 * 0x1000, i % 50 == 7 ? 9000 : 32);
        uint64_t cycle = cycle_at(sc_time_stamp() + local, clock);
        local = blocking(of, payload, local);
        uint64_t latency = latency_alone(plain, payload, cycle, group);
        exact &=
            sc_time_stamp() + local == time_of(cycle + latency, clock) && payload.is_response_ok();
        cached |= latency < 150;
        uncached |= latency > 200;
        local += sc_time(double(random() % 3000), SC_NS);
        if (local >= time_of(quantum, clock)) {
            wait(local);
            local = SC_ZERO_TIME;
        }
    }
    expect(exact, of.name(), "the delay is the latency of the request alone");
    expect(cached && uncached, of.name(), "hits and misses");
    gm_memory_close(plain);
    return sc_time_stamp() + local;
}

/* Initiators share a memory system: the second is behind the first in time. */
static void behind(script &first, script &second, tlm_memory<> &memory, const gm_config &config)
{
    gm_memory *plain = open_memory(config, gm_memory_options());
    uint64_t clock = config.clock.core, at = 5000;
    simple_payload one(tlm::TLM_READ_COMMAND, 0x1000, 4), other(tlm::TLM_READ_COMMAND, 0x9000, 4);
    sc_time delay = blocking(first, one, time_of(at, clock));
    expect(delay == time_of(at + latency_alone(plain, one, at), clock), "behind", "the first");
    delay = blocking(second, other);
    expect(delay == time_of(latency_alone(plain, other, 0), clock), "behind",
           "the latency of a request that is earlier than others");
    expect(same_counters(memory.handle(), plain), "behind", "counters");
    gm_memory_close(plain);
}

static std::string reported; /* the text of the last error of tlm.hpp */

static void take_report(const sc_report &report, const sc_actions &actions)
{
    if (std::strcmp(report.get_msg_type(), "/goldmem/tlm") == 0) {
        reported = report.get_msg();
    } else {
        sc_report_handler::default_handler(report, actions);
    }
}

static bool was_reported(const char *text)
{
    bool is = reported.find(text) != std::string::npos;
    reported.clear();
    return is;
}

static tlm::tlm_sync_enum forward(script &of, tlm::tlm_generic_payload &payload,
                                  tlm::tlm_phase phase)
{
    sc_time delay;
    return of.socket->nb_transport_fw(payload, phase, delay);
}

/* Phases that an initiator may not send are each reported and change nothing. */
static void violations(script &of)
{
    manager transactions;
    simple_payload unmanaged(tlm::TLM_READ_COMMAND, 0, 4);
    auto *one = transactions.make(tlm::TLM_READ_COMMAND, 0x1000, 4);
    auto *other = transactions.make(tlm::TLM_READ_COMMAND, 0x2000, 4);
    static const tlm::tlm_phase wrong[] = {tlm::END_REQ, tlm::BEGIN_RESP, tlm::UNINITIALIZED_PHASE};
    tlm::tlm_phase own(42); /* of an extended protocol */
    forward(of, unmanaged, tlm::BEGIN_REQ);
    expect(was_reported("without a memory manager"), "phases", "a memory manager is required");
    for (const tlm::tlm_phase &phase : wrong) {
        forward(of, *one, phase);
        expect(was_reported("do not send"), "phases", "phases of targets are reported");
    }
    expect(forward(of, *one, own) == tlm::TLM_ACCEPTED && reported.empty(), "phases",
           "phases of other protocols are ignored");
    forward(of, *one, tlm::END_RESP);
    expect(was_reported("END_RESP without BEGIN_RESP"), "phases", "END_RESP at first");
    forward(of, *one, tlm::BEGIN_REQ);
    forward(of, *other, tlm::BEGIN_REQ);
    expect(was_reported("before the END_REQ"), "phases", "BEGIN_REQ twice");
    forward(of, *one, tlm::END_RESP);
    expect(was_reported("END_RESP without BEGIN_RESP"), "phases", "END_RESP before the answer");
    expect(one->get_ref_count() == 2 && other->get_ref_count() == 1, "phases",
           "references in flight");
    wait(sc_time(100, SC_US));
    expect(of.phases.size() == 2 && of.phases[0].first == tlm::END_REQ &&
               of.phases[1].first == tlm::BEGIN_RESP,
           "phases", "END_REQ and BEGIN_RESP follow");
    forward(of, *other, tlm::END_RESP);
    expect(was_reported("END_RESP without BEGIN_RESP"), "phases",
           "END_RESP of another transaction");
    expect(forward(of, *one, tlm::END_RESP) == tlm::TLM_COMPLETED && reported.empty(), "phases",
           "END_RESP");
    forward(of, *one, tlm::END_RESP);
    expect(was_reported("END_RESP without BEGIN_RESP"), "phases", "END_RESP twice");
    wait(sc_time(1, SC_US));
    expect(one->get_ref_count() == 1, "phases", "the reference is given back");
    of.answer = tlm::TLM_UPDATED; /* without a change of the phase */
    forward(of, *other, tlm::BEGIN_REQ);
    wait(sc_time(10, SC_NS));
    expect(was_reported("END_REQ is not accepted"), "phases", "END_REQ must be accepted");
    wait(sc_time(100, SC_US));
    expect(was_reported("another phase than END_RESP"), "phases", "TLM_UPDATED without END_RESP");
    forward(of, *other, tlm::END_RESP);
    wait(sc_time(1, SC_US));
    one->release();
    other->release();
    expect(transactions.live.empty(), "phases", "transactions were freed");
}

/* Bytes: zero at first; enabled ones are written and read; debug transport sees them. */
static void bytes(script &of, script &without)
{
    static unsigned char even[2] = {0xff, 0};
    simple_payload write(tlm::TLM_WRITE_COMMAND, 0x10fe, 6),
        read(tlm::TLM_READ_COMMAND, 0x10fc, 10);
    for (unsigned char i = 0; i < 6; i++) {
        write.data[i] = static_cast<unsigned char>(i + 1);
    }
    write.set_byte_enable_ptr(even);
    write.set_byte_enable_length(2);
    blocking(of, write);
    read.data.assign(11, 0x55);
    blocking(of, read);
    const std::vector<unsigned char> expected = {0, 0, 1, 0, 3, 0, 5, 0, 0, 0, 0x55};
    expect(read.data == expected, "bytes", "a read returns what was written, zero before");
    read.data.assign(11, 0x55);
    read.set_byte_enable_ptr(even);
    read.set_byte_enable_length(2);
    blocking(of, read);
    const std::vector<unsigned char> half = {0, 0x55, 1, 0x55, 3, 0x55, 5, 0x55, 0, 0x55, 0x55};
    expect(read.data == half, "bytes", "a read leaves bytes that are not enabled");
    read.data.assign(11, 0x55);
    expect(of.socket->transport_dbg(read) == 10 && read.data == expected, "bytes", "debug read");
    simple_payload end(tlm::TLM_WRITE_COMMAND, (UINT64_C(1) << 57) - 3, 8);
    end.data[2] = 9;
    expect(of.socket->transport_dbg(end) == 3, "bytes", "debug write up to the last address");
    simple_payload last(tlm::TLM_READ_COMMAND, (UINT64_C(1) << 57) - 1, 1);
    blocking(of, last);
    expect(last.data[0] == 9, "bytes", "a read returns what debug transport wrote");
    end.set_command(tlm::TLM_IGNORE_COMMAND);
    expect(of.socket->transport_dbg(end) == 0, "bytes", "debug transport without command");
    end.set_write();
    end.set_data_ptr(nullptr);
    expect(of.socket->transport_dbg(end) == 0, "bytes", "debug transport without data");
    tlm::tlm_dmi dmi;
    last.set_dmi_allowed(true);
    blocking(of, last);
    expect(!last.is_dmi_allowed() && !of.socket->get_direct_mem_ptr(last, dmi) &&
               dmi.is_none_allowed() && dmi.get_start_address() == 0 &&
               dmi.get_end_address() == UINT64_MAX,
           "bytes", "DMI is refused everywhere");
    last.data[0] = 0x55;
    blocking(without, last);
    expect(last.data[0] == 0x55 && without.socket->transport_dbg(last) == 0, "bytes",
           "without bytes a read leaves the data");
    last.set_data_ptr(nullptr);
    blocking(without, last);
    expect(last.is_response_ok(), "bytes", "without bytes there need be no data");
}

/* Every payload case through b_transport. */
static void payloads_blocking(script &of, unsigned level)
{
    for (const payload_case &row : PAYLOADS) {
        simple_payload payload(tlm::TLM_READ_COMMAND, 0x2000, 32);
        row.change(payload);
        sc_time delay = blocking(of, payload, sc_time(3, SC_NS));
        bool sent = row.status[level] == OK && payload.get_byte_enable_ptr() != none_enabled;
        expect(payload.get_response_status() == row.status[level], of.name(), row.what);
        expect((delay > sc_time(3, SC_NS)) == sent, of.name(), row.what);
    }
}

/* Payloads that are refused, or have nothing enabled, leave no trace. */
static void no_trace(script &of, tlm_memory<> &memory, const gm_config &config)
{
    gm_memory *plain = open_memory(config, gm_memory_options());
    unsigned refused = 0;
    for (const payload_case &row : PAYLOADS) {
        simple_payload payload(tlm::TLM_READ_COMMAND, 0x2000, 32);
        row.change(payload);
        if (row.status[0] != OK || payload.get_byte_enable_ptr() == none_enabled) {
            blocking(of, payload);
            refused++;
        }
    }
    wait(sc_time(1, SC_US));
    gm_memory_advance(plain, cycle_at(sc_time_stamp(), config.clock.core));
    expect(refused > 8 && same_counters(memory.handle(), plain), "no_trace", "counters");
    gm_memory_close(plain);
}

/* b_transport while an approximately timed initiator has requests in flight is one of them. */
static void mixed(script &of, tlm_memory<> &memory, at_initiator &other, const gm_config &config)
{
    gm_memory *plain = open_memory(config, gm_memory_options());
    uint64_t clock = config.clock.core, at = 7, answered = 0;
    simple_payload payload(tlm::TLM_READ_COMMAND, 0x40000, 64);
    size_t next = 0;
    for (uint64_t cycle = 0; answered == 0; cycle++) {
        gm_memory_answer answer;
        gm_memory_advance(plain, cycle);
        while (gm_memory_pop(plain, &answer)) {
            answered = answer.port == 1 ? answer.cycle : answered;
        }
        while (next < other.items.size() &&
               plain_requests(plain, *other.items[next].payload, 0, next).send(plain, 1)) {
            next++;
        }
        if (cycle == at) {
            plain_requests(plain, payload, 1, 0).send(plain, 1);
        }
    }
    wait(sc_time(1, SC_NS));
    sc_time delay = blocking(of, payload, time_of(at, clock) - sc_time(1, SC_NS));
    expect(delay == SC_ZERO_TIME && sc_time_stamp() == time_of(answered, clock) &&
               payload.is_response_ok(),
           "mixed", "b_transport among requests in flight waits for memory.h's cycle");
    expect(same_counters(memory.handle(), plain), "mixed", "counters");
    gm_memory_close(plain);
}

/* Each b_transport among requests in flight is one of those that may be: more of them than that,
 * one after the other, all end. */
static void mixed_often(script &of, unsigned times)
{
    simple_payload payload(tlm::TLM_READ_COMMAND, 0x40000, 64);
    wait(sc_time(10, SC_NS));
    for (unsigned i = 0; i < times; i++) {
        expect(blocking(of, payload) == SC_ZERO_TIME, "mixed_often", "others are in flight");
    }
}

/* The end of a kernel: refused while a request is in flight; then what comes waits for it. */
static void kernels(script &of, tlm_memory<> &memory, const gm_config &config)
{
    manager transactions;
    gm_error error;
    gm_memory *plain = open_memory(config, gm_memory_options());
    auto *one = transactions.make(tlm::TLM_READ_COMMAND, 0x1000, 4);
    forward(of, *one, tlm::BEGIN_REQ);
    wait(sc_time(10, SC_NS));
    expect(memory.end_kernel(&error) == -EBUSY, "kernels", "in flight");
    wait(sc_time(100, SC_US));
    forward(of, *one, tlm::END_RESP);
    simple_payload payload(tlm::TLM_READ_COMMAND, 0x1000, 4);
    uint64_t cycle = cycle_at(sc_time_stamp(), config.clock.core);
    latency_alone(plain, payload, 0);
    gm_memory_advance(plain, cycle);
    expect(gm_memory_end_kernel(plain, &error) == 0 && memory.end_kernel(&error) == 0, "kernels",
           "end");
    gm_memory_tick(plain);
    sc_time delay = blocking(of, payload);
    expect(delay >= time_of(latency_alone(plain, payload, 0), config.clock.core) &&
               delay > sc_time(100, SC_NS),
           "kernels", "the L1 was flushed");
    wait(sc_time(1, SC_US));
    one->release();
    gm_memory_close(plain);
}

static bool is_refused(const gm_config &config, const gm_memory_options &options, const char *text)
{
    try {
        tlm_memory<> memory("refused", config, options);
    } catch (const std::invalid_argument &refusal) {
        return std::strstr(refusal.what(), text) != nullptr;
    }
    return false;
}

int sc_main(int count, char *argument[])
{
    const gm_config gtx480 = preset("gtx480"), v100 = preset("v100");
    gm_memory_options below_sm = {}, below_l1 = {}, fast = {};
    below_l1.level = GM_MEMORY_BELOW_L1;
    if (count > 1 && std::strcmp(argument[1], "coarse") == 0) {
        sc_set_time_resolution(1, SC_NS);
        fast.clock = 1001;
        expect(is_refused(gtx480, fast, "below the resolution"), "resolution", "a period below it");
        std::printf("%s\n", failures == 0 ? "works" : "fails");
        return failures != 0;
    }
    sc_report_handler::set_handler(take_report);
    fast.clock = 100001;
    expect(is_refused(gtx480, fast, "clock: 1 to 100000"), "open", "a clock of memory.h's");
    fast.clock = 1000;

    gm_memory_options few = below_l1, odd = below_l1;
    few.in_flight = 3;
    odd.clock = 333;
    const gm_config narrow = preset("gtx480", {"noc.buffer=6"}),
                    mrpb = preset("gtx480", {"l1.bypass=mrpb"}),
                    coalesced = preset("gtx480", {"l2.bypass=coalesced"}),
                    leases = preset("fermi-tc");
    std::vector<std::unique_ptr<stream>> streams;
    const stream::shape shapes[] = {
        {"below_l1", gtx480, below_l1, 4, 1500, 2, 1 << 20, 300, at_initiator::FORWARD, 0},
        {"below_sm", gtx480, below_sm, 4, 1500, 2, 1 << 17, 400, at_initiator::FORWARD, 0},
        {"v100_1000mhz", v100, fast, 5, 800, 4, 1 << 22, 500, at_initiator::IN_CALL_UPDATED, 3},
        {"in_flight_3", gtx480, few, 3, 400, 2, 1 << 20, 700, at_initiator::IN_CALL_COMPLETED, 0},
        {"buffer_333mhz", narrow, odd, 4, 600, 1, 1 << 22, 600, at_initiator::FORWARD, 1},
        {"long", gtx480, below_sm, 2, 60, 300, 1 << 20, 30000, at_initiator::FORWARD, 0},
        {"l2_bypass", coalesced, below_l1, 3, 500, 2, 1 << 16, 128, at_initiator::FORWARD, 0},
        {"mrpb", mrpb, below_sm, 3, 600, 3, 1 << 18, 300, at_initiator::FORWARD, 0},
        {"leases", leases, below_sm, 3, 600, 3, 1 << 16, 300, at_initiator::FORWARD, 0},
        {"seldom", gtx480, below_sm, 3, 200, 900, 1 << 18, 200, at_initiator::FORWARD, 2},
    };
    for (const stream::shape &shape : shapes) {
        streams.emplace_back(new stream(shape, 7));
    }

    tlm_memory<> any_sm("any_sm", gtx480, below_sm), any_l1("any_l1", gtx480, below_l1);
    tlm_memory<> timing("timing", gtx480, below_sm, false), phases("phases", gtx480, below_l1);
    script payloads_sm("payloads_sm", any_sm, 0, [](script &s) { payloads_blocking(s, 0); });
    script payloads_l1("payloads_l1", any_l1, 0, [](script &s) { payloads_blocking(s, 1); });
    tlm_memory<> untouched("untouched", gtx480, below_sm);
    script refused("refused", untouched, 0, [&](script &s) { no_trace(s, untouched, gtx480); });
    tlm_memory<64> wide("wide", gtx480, below_sm); /* another width of the bus; not bound */
    tlm_memory<> data("data", gtx480, below_sm);
    script no_bytes("no_bytes", timing, 0, [](script &) {});
    script with_bytes("with_bytes", data, 0, [&](script &s) { bytes(s, no_bytes); });
    script wrong_phases("wrong_phases", phases, 0, violations);

    std::vector<std::unique_ptr<tlm_memory<>>> memories;
    std::vector<std::unique_ptr<script>> loose;
    std::vector<sc_time> ends;
    for (uint64_t quantum : {uint64_t{0}, uint64_t{1000}, uint64_t{1} << 40}) {
        std::string name = "loosely_" + std::to_string(quantum);
        memories.emplace_back(new tlm_memory<>((name + "_memory").c_str(), gtx480, fast));
        loose.emplace_back(new script(name.c_str(), *memories.back(), 0, [&, quantum](script &s) {
            ends.push_back(loosely(s, gtx480, fast, quantum));
        }));
    }

    tlm_memory<> lines("lines", gtx480, below_l1);
    script loose_lines("loose_lines", lines, 0,
                       [&](script &s) { loosely(s, gtx480, below_l1, 100); });

    tlm_memory<> shared("shared", gtx480, below_sm);
    script late("late", shared, 1, [](script &) {});
    script early("early", shared, 0, [&](script &s) { behind(s, late, shared, gtx480); });

    /* An approximately timed initiator after a decoupled one. */
    tlm_memory<> passed("passed", gtx480, below_sm);
    sc_time passes;
    script decoupled("decoupled", passed, 0, [&](script &s) {
        simple_payload payload(tlm::TLM_READ_COMMAND, 0x3000, 4);
        passes = blocking(s, payload, time_of(3000, gtx480.clock.core));
    });
    at_initiator waits("waits");
    waits.socket.bind(passed.socket[1]);
    at_initiator::item item;
    item.payload = waits.transactions.make(tlm::TLM_READ_COMMAND, 0x9000, 4);
    item.at = sc_time(20, SC_NS);
    waits.items.push_back(item);

    tlm_memory<> both("both", gtx480, below_sm);
    at_initiator crowd("crowd");
    crowd.socket.bind(both.socket[0]);
    for (unsigned i = 0; i < 60; i++) {
        item.payload = crowd.transactions.make(tlm::TLM_READ_COMMAND, 0x40000 + i * 128, 128);
        item.at = SC_ZERO_TIME;
        crowd.items.push_back(item);
    }
    script mixing("mixing", both, 1, [&](script &s) { mixed(s, both, crowd, gtx480); });

    gm_memory_options eight = below_l1;
    eight.in_flight = 8;
    tlm_memory<> eight_each("eight_each", gtx480, eight);
    at_initiator beside("beside");
    beside.socket.bind(eight_each.socket[0]);
    for (unsigned i = 0; i < 200; i++) {
        item.payload = beside.transactions.make(tlm::TLM_READ_COMMAND, 0x80000 + i * 128, 128);
        beside.items.push_back(item);
    }
    script mixing_often("mixing_often", eight_each, 1, [](script &s) { mixed_often(s, 3 * 8); });

    /* Responses that their initiator holds: back-pressure. */
    std::vector<std::unique_ptr<at_initiator>> holding;
    for (int ending = 0; ending < 4; ending++) {
        std::string name = "holding_" + std::to_string(ending);
        memories.emplace_back(new tlm_memory<>((name + "_memory").c_str(), gtx480, eight));
        holding.emplace_back(new at_initiator(name.c_str()));
        holding.back()->socket.bind(memories.back()->socket[2]);
        holding.back()->hold = sc_time(900, SC_NS);
        holding.back()->ends = static_cast<at_initiator::ending>(ending);
        for (unsigned i = 0; i < 40; i++) {
            item.payload = holding.back()->transactions.make(tlm::TLM_READ_COMMAND, i * 128, 128);
            holding.back()->items.push_back(item);
        }
    }

    /* Every payload case, approximately timed. */
    tlm_memory<> other_sm("other_sm", gtx480, below_sm), other_l1("other_l1", gtx480, below_l1);
    at_initiator cases_sm("cases_sm"), cases_l1("cases_l1");
    cases_sm.socket.bind(other_sm.socket[0]);
    cases_l1.socket.bind(other_l1.socket[0]);
    for (at_initiator *cases : {&cases_sm, &cases_l1}) {
        for (const payload_case &row : PAYLOADS) {
            item.payload = cases->transactions.make(tlm::TLM_READ_COMMAND, 0x2000, 32);
            row.change(*item.payload);
            cases->items.push_back(item);
        }
    }
    tlm_memory<> ends_kernels("ends_kernels", gtx480, below_sm);
    script kernel("kernel", ends_kernels, 0, [&](script &s) { kernels(s, ends_kernels, gtx480); });

    sc_start();

    for (auto &compared : streams) {
        compared->compare();
    }
    for (script *of : {&payloads_sm, &payloads_l1, &with_bytes, &wrong_phases, &early, &mixing,
                       &decoupled, &kernel, &loose_lines, &refused, &mixing_often}) {
        expect(of->ended, of->name(), "the script has ended");
    }
    expect(ends.size() == 3 && ends[0] == ends[1] && ends[1] == ends[2], "quantum",
           "the time at the end is independent of it");
    expect(waits.is_done() && waits.items[0].taken == passes, "passed",
           "a request waits until the memory system's time, which b_transport has advanced");
    expect(crowd.is_done(), "mixed", "the others have ended");
    for (auto &holds : holding) {
        const auto &items = holds->items;
        expect(holds->is_done() && items[39].answered - items[0].answered >= 39 * holds->hold,
               holds->name(), "a response waits for the END_RESP of the one before");
        expect(holds->ends != at_initiator::FORWARD || holds->most_in_flight == 8, holds->name(),
               "in_flight bounds what is between END_REQ and END_RESP");
        std::multiset<sc_time> taken, answered;
        for (const at_initiator::item &held : items) {
            taken.insert(held.taken);
            answered.insert(held.answered);
        }
        bool bound = std::equal(std::next(taken.begin(), 8), taken.end(), answered.begin(),
                                [&](const sc_time &later, const sc_time &earlier) {
                                    return later >= earlier + holds->hold;
                                });
        expect(bound, holds->name(), "END_REQ waits for an END_RESP");
        expect(holds->transactions.live.empty(), holds->name(), "every transaction was freed");
    }
    for (size_t i = 0; i < cases_sm.items.size(); i++) {
        expect(cases_sm.items[i].status == PAYLOADS[i].status[0], "cases_sm", PAYLOADS[i].what);
        expect(cases_l1.items[i].status == PAYLOADS[i].status[1], "cases_l1", PAYLOADS[i].what);
    }
    expect(reported.empty(), "reports", reported.c_str());
    std::printf("%s\n", failures == 0 ? "works" : "fails");
    return failures != 0;
}
