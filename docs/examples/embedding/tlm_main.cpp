// tlm_memory.h under two initiators: approximately timed, against the figures of embed.c; loosely timed, against calls of
// goldmem/memory.h in the same cycles; and the base protocol's rules.
#include "tlm_memory.h"

#include <tlm_utils/simple_initiator_socket.h>

#include <cstdio>
#include <cstring>
#include <random>

using tlm::tlm_generic_payload;

static unsigned failures;

static void expect(bool holds, const char *what)
{
    if (!holds) {
        std::printf("WRONG: %s\n", what);
        failures++;
    }
}

static gm_config preset(const char *name)
{
    gm_config config;
    gm_error error;
    if (gm_config_preset(&config, name, &error) < 0) {
        throw std::invalid_argument(error.text);
    }
    return config;
}

// Payloads that live until they are released.
struct pool : tlm::tlm_mm_interface {
    unsigned alive = 0;
    tlm_generic_payload *make(tlm::tlm_command command, uint64_t address, unsigned char *data, unsigned size)
    {
        auto *trans = new tlm_generic_payload(this);
        trans->set_command(command);
        trans->set_address(address);
        trans->set_data_ptr(data);
        trans->set_data_length(size);
        trans->set_streaming_width(size);
        trans->set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        trans->acquire();
        alive++;
        return trans;
    }
    void free(tlm_generic_payload *trans) override
    {
        delete trans;
        alive--;
    }
};

// Loads lines, a request in each cycle once the last one has been taken; ends responses at once, or `hold` later.
struct at_initiator : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<at_initiator> socket{"socket"};
    enum { LINES = 1000 };
    sc_core::sc_time period, hold;
    pool made;
    std::vector<sc_core::sc_time> taken, answered;
    std::unordered_map<tlm_generic_payload *, size_t> numbers;
    unsigned char data[128] = {};
    sc_core::sc_event next;
    bool requesting = false, responding = false;
    tlm_utils::peq_with_get<tlm_generic_payload> held{"held"};

    at_initiator(const sc_core::sc_module_name &name, double mhz, unsigned hold_cycles)
        : sc_module(name), period(1e6 / mhz, sc_core::SC_PS), hold(period * hold_cycles), taken(LINES), answered(LINES)
    {
        SC_HAS_PROCESS(at_initiator);
        socket.register_nb_transport_bw(this, &at_initiator::backward);
        SC_THREAD(run);
        SC_METHOD(end_held);
        sensitive << held.get_event();
        dont_initialize();
    }
    void run()
    {
        for (size_t i = 0; i < LINES; i++) {
            wait(period);
            tlm::tlm_phase phase = tlm::BEGIN_REQ;
            sc_core::sc_time none;
            tlm_generic_payload *trans = made.make(tlm::TLM_READ_COMMAND, i * 128, data, 128);
            numbers[trans] = i;
            requesting = true;
            expect(socket->nb_transport_fw(*trans, phase, none) == tlm::TLM_ACCEPTED, "BEGIN_REQ is accepted");
            while (requesting) {
                wait(next);
            }
        }
    }
    tlm::tlm_sync_enum backward(tlm_generic_payload &trans, tlm::tlm_phase &phase, sc_core::sc_time &delay)
    {
        size_t number = numbers.at(&trans);
        expect(delay == sc_core::SC_ZERO_TIME, "a phase without delay");
        if (phase == tlm::END_REQ) {
            expect(requesting, "END_REQ of the request that has begun");
            taken[number] = sc_core::sc_time_stamp();
            requesting = false;
            next.notify();
            return tlm::TLM_ACCEPTED;
        }
        expect(phase == tlm::BEGIN_RESP && trans.is_response_ok(), "BEGIN_RESP, with its response");
        expect(!responding, "one response at a time");
        answered[number] = sc_core::sc_time_stamp();
        if (hold != sc_core::SC_ZERO_TIME) {
            responding = true;
            held.notify(trans, hold);
            return tlm::TLM_ACCEPTED;
        }
        trans.release();
        return tlm::TLM_COMPLETED;
    }
    void end_held()
    {
        while (tlm_generic_payload *trans = held.get_next_transaction()) {
            tlm::tlm_phase phase = tlm::END_RESP;
            sc_core::sc_time none;
            responding = false;
            socket->nb_transport_fw(*trans, phase, none);
            trans->release();
        }
    }
};

// What a blocking payload is: sent at a cycle, it ends at another.
struct access {
    bool write;
    uint64_t address, gap; // cycles before it
    unsigned size, enables;
    unsigned char enable[7];
};

// The cycles in which the accesses end, by goldmem/memory.h alone.
static std::vector<uint64_t> reference(const gm_config &config, uint64_t mhz, const std::vector<access> &accesses)
{
    gm_memory_options options = {};
    gm_memory *memory;
    gm_error error;
    options.clock = mhz;
    if (gm_memory_open(&memory, &config, &options, &error) < 0) {
        throw std::invalid_argument(error.text);
    }
    std::vector<uint64_t> ends;
    for (const access &a : accesses) {
        gm_memory_answer answer;
        unsigned waiting = 0;
        gm_memory_advance(memory, gm_memory_now(memory) + a.gap);
        for (uint64_t at = a.address, end = a.address + a.size; at < end;) {
            uint32_t masks[GM_MEMORY_LINE_SECTORS] = {};
            gm_memory_request request = {};
            uint64_t covered = gm_memory_cover(memory, &request, masks, at, end - at);
            request.kind = a.write ? GM_MEMORY_STORE : GM_MEMORY_LOAD;
            request.bytes = masks;
            request.port = 1;
            for (uint64_t i = 0; a.enables != 0 && i < covered; i++) {
                uint64_t in_line = (at + i) % gm_memory_line(memory);
                if (a.enable[(at + i - a.address) % a.enables] == 0) {
                    masks[in_line / 32] &= ~(1u << in_line % 32);
                    request.sectors &= masks[in_line / 32] == 0 ? ~(1u << in_line / 32) : ~0u;
                }
            }
            while (request.sectors != 0 && gm_memory_send(memory, &request, &error) == 0) {
                gm_memory_tick(memory);
                while (gm_memory_pop(memory, &answer)) {
                    waiting--;
                }
            }
            waiting += request.sectors != 0;
            at += covered;
        }
        while (waiting != 0) {
            gm_memory_tick(memory);
            while (gm_memory_pop(memory, &answer)) {
                waiting--;
            }
        }
        ends.push_back(gm_memory_now(memory));
    }
    gm_memory_close(memory);
    return ends;
}

static std::vector<access> random_accesses()
{
    std::mt19937_64 random(2117);
    std::vector<access> accesses;
    for (unsigned i = 0; i < 400; i++) {
        access a = {};
        a.write = random() % 2 == 0;
        a.address = random() % 40 * 64 + random() % 130;
        a.size = static_cast<unsigned>(i % 50 == 0 ? 9000 : 1 + random() % 300);
        a.gap = random() % 3 == 0 ? 0 : random() % 700;
        a.enables = static_cast<unsigned>(random() % 3 == 0 ? 1 + random() % 7 : 0);
        for (unsigned char &enable : a.enable) {
            enable = random() % 4 == 0 ? TLM_BYTE_DISABLED : TLM_BYTE_ENABLED;
        }
        accesses.push_back(a);
    }
    return accesses;
}

struct lt_initiator : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<lt_initiator> socket{"socket"};
    sc_core::sc_time period;
    std::vector<access> accesses = random_accesses();
    std::vector<uint64_t> ends;
    std::unordered_map<uint64_t, unsigned char> bytes; // what was written

    lt_initiator(const sc_core::sc_module_name &name, double mhz) : sc_module(name), period(1e6 / mhz, sc_core::SC_PS)
    {
        SC_HAS_PROCESS(lt_initiator);
        SC_THREAD(run);
    }
    tlm::tlm_response_status send(tlm_generic_payload &trans, sc_core::sc_time delay = sc_core::SC_ZERO_TIME)
    {
        trans.set_dmi_allowed(true);
        trans.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        socket->b_transport(trans, delay);
        expect(delay == sc_core::SC_ZERO_TIME, "b_transport leaves no delay");
        expect(!trans.is_dmi_allowed(), "DMI is not offered");
        return trans.get_response_status();
    }
    void run()
    {
        unsigned char data[9000];
        unsigned char value = 1;
        for (access &a : accesses) {
            tlm_generic_payload trans;
            trans.set_command(a.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
            trans.set_address(a.address);
            trans.set_data_ptr(data);
            trans.set_data_length(a.size);
            trans.set_streaming_width(a.size);
            trans.set_byte_enable_ptr(a.enables != 0 ? a.enable : nullptr);
            trans.set_byte_enable_length(a.enables);
            std::memset(data, a.write ? ++value : 0xee, sizeof data);
            // half of a gap as time that has passed, the rest as the payload's delay, which counts too
            wait(period * static_cast<double>(a.gap / 2));
            expect(send(trans, period * static_cast<double>(a.gap - a.gap / 2)) == tlm::TLM_OK_RESPONSE, "an access");
            ends.push_back(static_cast<uint64_t>(sc_core::sc_time_stamp() / period + 1e-9));
            bool right = true;
            for (unsigned i = 0; i < a.size; i++) {
                bool on = a.enables == 0 || a.enable[i % a.enables] != TLM_BYTE_DISABLED;
                right &= a.write || data[i] == (on ? bytes[a.address + i] : 0xee);
                if (a.write && on) {
                    bytes[a.address + i] = value;
                }
            }
            expect(right, "bytes that are read are those written");
        }
        rules();
    }
    void rules()
    {
        unsigned char data[8] = {1, 2, 3, 4, 5, 6, 7, 8};
        unsigned char enable[] = {TLM_BYTE_DISABLED};
        tlm_generic_payload trans;
        auto reset = [&] {
            trans.set_byte_enable_ptr(nullptr);
            trans.set_command(tlm::TLM_READ_COMMAND);
            trans.set_address(0x100000);
            trans.set_data_ptr(data);
            trans.set_data_length(8);
            trans.set_streaming_width(8);
        };
        sc_core::sc_time before = sc_core::sc_time_stamp();
        reset();
        trans.set_streaming_width(4);
        expect(send(trans) == tlm::TLM_BURST_ERROR_RESPONSE, "streaming is refused");
        reset();
        trans.set_data_length(0);
        expect(send(trans) == tlm::TLM_BURST_ERROR_RESPONSE, "no bytes are refused");
        reset();
        trans.set_data_ptr(nullptr);
        expect(send(trans) == tlm::TLM_BURST_ERROR_RESPONSE, "no data are refused");
        reset();
        trans.set_address((uint64_t(1) << 57) - 7);
        expect(send(trans) == tlm::TLM_ADDRESS_ERROR_RESPONSE, "an end beyond the addresses is refused");
        trans.set_address(UINT64_MAX);
        expect(send(trans) == tlm::TLM_ADDRESS_ERROR_RESPONSE, "a large address is refused");
        reset();
        trans.set_byte_enable_ptr(enable);
        trans.set_byte_enable_length(0);
        expect(send(trans) == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE, "byte enables without length are refused");
        trans.set_byte_enable_length(1);
        expect(send(trans) == tlm::TLM_OK_RESPONSE && data[0] == 1, "nothing enabled: nothing is read");
        reset();
        trans.set_command(tlm::TLM_IGNORE_COMMAND);
        expect(send(trans) == tlm::TLM_OK_RESPONSE && data[0] == 1, "an ignored command reads nothing");
        expect(sc_core::sc_time_stamp() == before, "all that takes no time");
        reset();
        trans.set_streaming_width(64);
        expect(send(trans) == tlm::TLM_OK_RESPONSE, "a streaming width beyond the length is no streaming");
        reset();
        trans.set_command(tlm::TLM_WRITE_COMMAND);
        data[3] = 99;
        before = sc_core::sc_time_stamp();
        expect(socket->transport_dbg(trans) == 8, "a debug access moves its bytes");
        std::memset(data, 0, sizeof data);
        trans.set_command(tlm::TLM_READ_COMMAND);
        expect(socket->transport_dbg(trans) == 8 && data[3] == 99, "and reads them");
        trans.set_address(UINT64_MAX);
        expect(socket->transport_dbg(trans) == 0, "none beyond the addresses");
        tlm::tlm_dmi dmi;
        reset();
        trans.set_dmi_allowed(true);
        expect(!socket->get_direct_mem_ptr(trans, dmi) && !trans.is_dmi_allowed() && dmi.is_none_allowed(), "no DMI");
        expect(sc_core::sc_time_stamp() == before, "debug and DMI take no time");
    }
};

int sc_main(int, char **)
{
    const gm_config gtx480 = preset("gtx480");
    const gm_config v100 = preset("v100");
    tlm_memory below_l1("below_l1", gtx480, GM_MEMORY_BELOW_L1, gtx480.clock.core);
    tlm_memory busy("busy", gtx480, GM_MEMORY_BELOW_L1, gtx480.clock.core);
    tlm_memory below_sm("below_sm", v100, GM_MEMORY_BELOW_SM, 1000);
    at_initiator at("at", static_cast<double>(gtx480.clock.core), 0);
    at_initiator slow("slow", static_cast<double>(gtx480.clock.core), 9);
    lt_initiator lt("lt", 1000);
    at.socket.bind(*below_l1.port[3]);
    slow.socket.bind(*busy.port[3]);
    lt.socket.bind(*below_sm.port[1]);
    sc_core::sc_start();

    double latency = 0;
    for (size_t i = 0; i < at_initiator::LINES; i++) {
        latency += (at.answered[i] - at.taken[i]) / at.period / at_initiator::LINES;
    }
    auto last = *std::max_element(at.answered.begin(), at.answered.end());
    gm_statistics counted;
    gm_memory_statistics(below_l1.memory(), &counted);
    std::printf("approximately timed: %.0f cycles, mean latency %.1f, %llu sectors from DRAM\n", last / at.period, latency,
                static_cast<unsigned long long>(counted.dram.reads));
    expect(at.made.alive == 0 && slow.made.alive == 0, "every payload is released");
    std::vector<sc_core::sc_time> responses = slow.answered;
    std::sort(responses.begin(), responses.end());
    bool apart = true;
    for (size_t i = 1; i < responses.size(); i++) {
        apart &= responses[i] - responses[i - 1] >= slow.hold;
    }
    expect(apart && slow.taken == at.taken, "responses wait for one another, requests do not");
    bool equal = lt.ends == reference(v100, 1000, lt.accesses);
    expect(equal, "loosely timed accesses end in the cycles of goldmem/memory.h");
    std::printf("loosely timed: %zu accesses, the last in cycle %llu\n", lt.ends.size(),
                static_cast<unsigned long long>(lt.ends.back()));
    std::printf(failures == 0 ? "all rules hold\n" : "%u rules do not hold\n", failures);
    return failures != 0;
}
