// The memory system as a TLM-2.0 target: a socket for each port of goldmem/memory.h, for loosely timed (b_transport) and
// approximately timed initiators (nb_transport, base protocol). goldmem carries no data: bytes lie in a sparse store here, which a
// read takes from, and a write or debug access puts into, when it is done.
//
// Time is that of goldmem/memory.h with a clock of `mhz`: a payload that arrives in cycle c (from c * period on) is seen by the
// memory system from cycle c + 1 on, and its response begins in the cycle in which its last line is answered.
//   loosely timed         b_transport waits, first for the delay that it is given, then for the answer; it returns no delay
//   approximately timed   END_REQ when the memory system has taken all lines of the payload, which may be later than BEGIN_REQ:
//                         its queue is full; BEGIN_RESP when all are answered and the socket's response before it has ended
// A socket may be left unbound. DMI is refused. Payloads are refused with the response that TLM-2.0 has for it: streaming (a streaming width below the length)
// and lengths of 0 as bursts, an address beyond 2^57, byte enables of length 0.
#ifndef TLM_MEMORY_H
#define TLM_MEMORY_H

#include <goldmem/memory.h>

#include <tlm>
#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <stdexcept>
#include <unordered_map>
#include <vector>

struct tlm_memory : sc_core::sc_module {
    using socket = tlm_utils::simple_target_socket_tagged_optional<tlm_memory>;
    std::vector<std::unique_ptr<socket>> port;

    tlm_memory(const sc_core::sc_module_name &name, const gm_config &config, gm_memory_level level, uint64_t mhz)
        : sc_module(name), period_(1e6 / static_cast<double>(mhz), sc_core::SC_PS), arrivals_(this, &tlm_memory::arrive)
    {
        gm_memory_options options = {};
        gm_error error;
        options.level = level;
        options.clock = mhz;
        if (gm_memory_open(&memory_, &config, &options, &error) < 0) {
            throw std::invalid_argument(error.text);
        }
        for (uint32_t i = 0; i < gm_memory_ports(memory_); i++) {
            port.push_back(std::make_unique<socket>(("port_" + std::to_string(i)).c_str()));
            port[i]->register_b_transport(this, &tlm_memory::b_transport, static_cast<int>(i));
            port[i]->register_nb_transport_fw(this, &tlm_memory::nb_transport, static_cast<int>(i));
            port[i]->register_get_direct_mem_ptr(this, &tlm_memory::direct, static_cast<int>(i));
            port[i]->register_transport_dbg(this, &tlm_memory::debug, static_cast<int>(i));
        }
        waiting_.resize(port.size());
        responses_.resize(port.size());
        SC_HAS_PROCESS(tlm_memory);
        SC_METHOD(step);
        sensitive << next_;
        dont_initialize();
    }
    ~tlm_memory() override { gm_memory_close(memory_); }

    gm_memory *memory() { return memory_; }

  private:
    using payload = tlm::tlm_generic_payload;

    // A payload between its arrival and its response: requests that wait, and those that are not answered yet.
    struct job {
        payload *trans;
        int port;
        bool timed;                            // approximately
        std::deque<gm_memory_request> request; // not sent yet
        std::deque<std::array<uint32_t, GM_MEMORY_LINE_SECTORS>> masks;
        unsigned unanswered = 0;
        sc_core::sc_event done; // loosely timed
    };

    // Returns what is wrong with a payload.
    static tlm::tlm_response_status check(const payload &trans)
    {
        const uint64_t space = uint64_t(1) << GM_MEMORY_ADDRESS_BITS;
        if (trans.get_data_length() == 0 || trans.get_data_ptr() == nullptr ||
            trans.get_streaming_width() < trans.get_data_length()) {
            return tlm::TLM_BURST_ERROR_RESPONSE;
        }
        if (trans.get_address() >= space || space - trans.get_address() < trans.get_data_length()) {
            return tlm::TLM_ADDRESS_ERROR_RESPONSE;
        }
        if (trans.get_byte_enable_ptr() != nullptr && trans.get_byte_enable_length() == 0) {
            return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
        }
        return tlm::TLM_OK_RESPONSE;
    }

    static bool enabled(const payload &trans, uint64_t byte)
    {
        const unsigned char *enable = trans.get_byte_enable_ptr();
        return enable == nullptr || enable[byte % trans.get_byte_enable_length()] == TLM_BYTE_ENABLED;
    }

    // Cuts a payload into requests for lines. Bytes that are not enabled are neither written nor asked for.
    void cut(job &made)
    {
        const payload &trans = *made.trans;
        for (uint64_t done = 0, covered; done < trans.get_data_length(); done += covered) {
            std::array<uint32_t, GM_MEMORY_LINE_SECTORS> masks{};
            gm_memory_request request = {};
            uint64_t first = trans.get_address() + done;
            covered = gm_memory_cover(memory_, &request, masks.data(), first, trans.get_data_length() - done);
            for (uint64_t i = 0; i < covered; i++) {
                uint64_t in_line = (first + i) % gm_memory_line(memory_);
                if (!enabled(trans, done + i)) {
                    masks[in_line / GM_MEMORY_SECTOR] &= ~(1u << in_line % GM_MEMORY_SECTOR);
                }
            }
            request.sectors = 0;
            for (unsigned i = 0; i < gm_memory_line(memory_) / GM_MEMORY_SECTOR; i++) {
                request.sectors |= masks[i] != 0 ? 1u << i : 0;
            }
            request.port = static_cast<uint32_t>(made.port);
            request.kind = trans.is_read() ? GM_MEMORY_LOAD : GM_MEMORY_STORE;
            if (request.sectors != 0) {
                made.request.push_back(request);
                made.masks.push_back(masks);
            }
        }
    }

    // Moves the payload's bytes. Returns their number.
    unsigned move(payload &trans)
    {
        for (uint64_t i = 0; i < trans.get_data_length() && !(!trans.is_read() && !trans.is_write()); i++) {
            uint64_t address = trans.get_address() + i;
            unsigned char &byte = store_[address / PAGE][address % PAGE];
            if (enabled(trans, i)) {
                (trans.is_read() ? trans.get_data_ptr()[i] : byte) = trans.is_read() ? byte : trans.get_data_ptr()[i];
            }
        }
        return trans.get_data_length();
    }

    void b_transport(int number, payload &trans, sc_core::sc_time &delay)
    {
        wait(delay);
        delay = sc_core::SC_ZERO_TIME;
        trans.set_dmi_allowed(false);
        trans.set_response_status(check(trans));
        if (trans.is_response_error() || trans.get_command() == tlm::TLM_IGNORE_COMMAND) {
            return;
        }
        auto made = std::make_shared<job>();
        made->trans = &trans;
        made->port = number;
        made->timed = false;
        cut(*made);
        if (!made->request.empty()) {
            waiting_[number].push_back(made);
            next_.notify(sc_core::SC_ZERO_TIME);
            wait(made->done);
        }
        move(trans);
    }

    tlm::tlm_sync_enum nb_transport(int number, payload &trans, tlm::tlm_phase &phase, sc_core::sc_time &delay)
    {
        if (phase != tlm::BEGIN_REQ && phase != tlm::END_RESP) {
            SC_REPORT_ERROR(name(), "a phase that an initiator does not send");
        }
        if (phase == tlm::BEGIN_REQ) {
            trans.acquire();
            numbers_[&trans] = number;
        }
        arrivals_.notify(trans, phase, delay);
        return tlm::TLM_ACCEPTED;
    }

    // A phase whose delay has passed.
    void arrive(payload &trans, const tlm::tlm_phase &phase)
    {
        int number = numbers_.at(&trans);
        if (phase == tlm::END_RESP) {
            responses_[number].pop_front();
            numbers_.erase(&trans);
            trans.release();
            respond(number);
            return;
        }
        auto made = std::make_shared<job>();
        made->trans = &trans;
        made->port = number;
        made->timed = true;
        trans.set_dmi_allowed(false);
        trans.set_response_status(check(trans));
        if (trans.is_response_ok() && trans.get_command() != tlm::TLM_IGNORE_COMMAND) {
            cut(*made);
        }
        waiting_[number].push_back(made);
        next_.notify(sc_core::SC_ZERO_TIME);
    }

    // Sends a phase to the initiator.
    void tell(const job &of, tlm::tlm_phase phase)
    {
        sc_core::sc_time none;
        payload &trans = *of.trans;
        int number = of.port;
        tlm::tlm_sync_enum answer = (*port[number])->nb_transport_bw(trans, phase, none);
        if (answer == tlm::TLM_COMPLETED || (answer == tlm::TLM_UPDATED && phase == tlm::END_RESP)) {
            arrivals_.notify(trans, tlm::END_RESP, none);
        }
    }

    // Begins the socket's oldest response, unless one has begun and not ended.
    void respond(int number)
    {
        auto &queue = responses_[number];
        if (!queue.empty() && queue.front() != nullptr) {
            std::shared_ptr<job> made = queue.front();
            queue.front() = nullptr; // begun
            if (made->trans->is_response_ok()) {
                move(*made->trans);
            }
            tell(*made, tlm::BEGIN_RESP);
        }
    }

    void finish(const std::shared_ptr<job> &made)
    {
        if (!made->timed) {
            made->done.notify(sc_core::SC_ZERO_TIME);
            return;
        }
        responses_[made->port].push_back(made);
        if (responses_[made->port].size() == 1) {
            respond(made->port);
        }
    }

    // Sends what the port's payloads wait for, the oldest first. Returns true if some has no room.
    bool send(unsigned number)
    {
        gm_error error;
        while (!waiting_[number].empty()) {
            std::shared_ptr<job> made = waiting_[number].front();
            while (!made->request.empty()) {
                gm_memory_request request = made->request.front();
                request.id = id_;
                request.bytes = made->masks.front().data();
                int taken = gm_memory_send(memory_, &request, &error);
                if (taken < 0) {
                    SC_REPORT_ERROR(name(), error.text);
                }
                if (taken <= 0) {
                    return true;
                }
                jobs_[id_++] = made;
                made->unanswered++;
                made->request.pop_front();
                made->masks.pop_front();
            }
            waiting_[number].pop_front();
            if (made->timed) {
                tell(*made, tlm::END_REQ);
            }
            if (made->unanswered == 0) {
                finish(made); // nothing enabled, or refused
            }
        }
        return false;
    }

    // The memory system up to this time: answers, then requests.
    void step()
    {
        gm_memory_answer answer;
        auto now = static_cast<uint64_t>(sc_core::sc_time_stamp() / period_ + 1e-9);
        gm_memory_advance(memory_, now);
        while (gm_memory_pop(memory_, &answer)) {
            std::shared_ptr<job> made = jobs_.at(answer.id);
            jobs_.erase(answer.id);
            if (--made->unanswered == 0 && made->request.empty()) {
                finish(made);
            }
        }
        bool full = false;
        for (unsigned i = 0; i < waiting_.size(); i++) {
            full |= send(i);
        }
        uint64_t next = gm_memory_next(memory_);
        next = full ? std::min(next, now + 1) : next;
        if (next != GM_MEMORY_NEVER) {
            next_.notify(period_ * static_cast<double>(std::max(next, now + 1)) - sc_core::sc_time_stamp());
        }
    }

    bool direct(int, payload &trans, tlm::tlm_dmi &dmi)
    {
        trans.set_dmi_allowed(false);
        dmi.init();
        dmi.allow_none();
        return false;
    }

    unsigned debug(int, payload &trans) { return check(trans) == tlm::TLM_OK_RESPONSE ? move(trans) : 0; }

    static constexpr uint64_t PAGE = 4096;
    sc_core::sc_time period_;
    tlm_utils::peq_with_cb_and_phase<tlm_memory> arrivals_;
    sc_core::sc_event next_;
    gm_memory *memory_ = nullptr;
    uint64_t id_ = 0;
    std::vector<std::deque<std::shared_ptr<job>>> waiting_, responses_; // by socket
    std::unordered_map<uint64_t, std::shared_ptr<job>> jobs_;           // by request
    std::unordered_map<payload *, int> numbers_;                       // sockets of approximately timed payloads
    std::unordered_map<uint64_t, std::array<unsigned char, PAGE>> store_;
};

#endif
