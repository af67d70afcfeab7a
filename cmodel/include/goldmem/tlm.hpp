/* TLM-2.0 target sockets around the memory system (goldmem/memory.h) for SystemC, loosely and
 * approximately timed: IEEE 1666-2011, clauses 11 to 15, base protocol. Header only, C++17; compile
 * with `pkg-config --cflags --libs goldmem systemc`. docs/embedding.md.
 *
 *     goldmem::tlm_memory<> memory("memory", config, options);
 *     initiator.socket.bind(memory.socket[0]);              socket p is port p: SM p
 *
 * b_transport, loosely timed: if no other transaction is in flight, computes the request at once
 * and adds to the delay the latency that it has alone; else waits as an approximately timed request
 * does. nb_transport, approximately timed: BEGIN_REQ, END_REQ when the memory system has taken the
 * request, BEGIN_RESP in the cycle of its answer, END_RESP. Those cycles are memory.h's: a request
 * whose BEGIN_REQ is at the time of cycle c, or before that of c + 1, is sent in cycle c.
 *
 * Cycle c of the simulator's clock (options.clock) is at c / clock, rounded up to the resolution of
 * sc_time. */
#ifndef GOLDMEM_TLM_HPP
#define GOLDMEM_TLM_HPP

#include "goldmem/memory.h"

#include <systemc>
#include <tlm>
#include <tlm_utils/passthrough_target_socket.h>

#include <array>
#include <cstring>
#include <deque>
#include <map>
#include <stdexcept>
#include <unordered_map>
#include <vector>

namespace goldmem
{

/* What a generic payload cannot say of a request: an ignorable extension; without it the defaults
 * hold. With TLM_IGNORE_COMMAND it makes the transaction an atomic. */
struct tlm_attributes : tlm::tlm_extension<tlm_attributes> {
    uint32_t warp = 0;   /* below sm.warps */
    bool strong = false; /* a read: GM_MEMORY_STRONG_LOAD */
    bool local = false;  /* of local memory, not of global */
    bool unkept = false; /* below the L1, a read: the requester keeps no copy */
    bool returns = true; /* an atomic returns the old values: GM_MEMORY_ATOMIC; else _REDUCTION */

    tlm::tlm_extension_base *clone() const override
    {
        return new tlm_attributes(*this);
    }
    void copy_from(const tlm::tlm_extension_base &other) override
    {
        *this = static_cast<const tlm_attributes &>(other);
    }
};

/* Bytes at addresses, for what reads return: all zero at first. A write is seen by the reads that
 * the memory system takes after it, from whatever port: it knows no caches. */
class tlm_bytes
{
  public:
    uint8_t &at(uint64_t address)
    {
        std::vector<uint8_t> &page = page_[address / PAGE];
        if (page.empty()) {
            page.resize(PAGE);
        }
        return page[address % PAGE];
    }

    /* Returns a byte without making a page for it. */
    uint8_t peek(uint64_t address) const
    {
        auto page = page_.find(address / PAGE);
        return page == page_.end() ? 0 : page->second[address % PAGE];
    }

  private:
    static constexpr uint64_t PAGE = 4096;
    std::unordered_map<uint64_t, std::vector<uint8_t>> page_;
};

template <unsigned BusWidth = 32> class tlm_memory : public sc_core::sc_module
{
  public:
    using payload_type = tlm::tlm_generic_payload;
    using socket_type = tlm_utils::passthrough_target_socket_tagged_optional<tlm_memory, BusWidth>;

    sc_core::sc_vector<socket_type> socket; /* [ports]; need not be bound */

    /* Opens a memory system; `bytes`: keep data for reads to return. Without, reads leave the
     * payload's data as it is, writes do not read it, and its pointer may be null. Throws
     * std::invalid_argument with the text of gm_memory_open, or for a resolution of sc_time above
     * the clock's period. */
    explicit tlm_memory(const sc_core::sc_module_name &name, const gm_config &config,
                        const gm_memory_options &options = gm_memory_options(), bool bytes = true)
        : sc_module(name), socket("socket"), keeps_bytes_(bytes),
          below_l1_(options.level == GM_MEMORY_BELOW_L1), warps_(config.sm.warps),
          clock_(options.clock != 0 ? options.clock : config.clock.core),
          limit_(options.in_flight != 0 ? options.in_flight : uint32_t{GM_MEMORY_IN_FLIGHT}),
          microsecond_(sc_core::sc_time(1, sc_core::SC_US).value())
    {
        gm_error error;
        if (gm_memory_open(&memory_, &config, &options, &error) < 0) {
            throw std::invalid_argument(error.text);
        }
        if (microsecond_ < clock_) {
            gm_memory_close(memory_);
            throw std::invalid_argument("clock: its period is below the resolution of sc_time");
        }
        port_.resize(gm_memory_ports(memory_));
        socket.init(port_.size());
        for (size_t i = 0; i < port_.size(); i++) {
            int tag = static_cast<int>(i);
            socket[i].register_b_transport(this, &tlm_memory::b_transport, tag);
            socket[i].register_nb_transport_fw(this, &tlm_memory::nb_transport_fw, tag);
            socket[i].register_get_direct_mem_ptr(this, &tlm_memory::get_direct_mem_ptr, tag);
            socket[i].register_transport_dbg(this, &tlm_memory::transport_dbg, tag);
        }
        SC_METHOD(step);
        sensitive << wake_;
        dont_initialize();
    }

    ~tlm_memory() override
    {
        gm_memory_close(memory_);
    }
    tlm_memory(const tlm_memory &) = delete;
    tlm_memory &operator=(const tlm_memory &) = delete;

    /* Returns the memory system, computed up to the present time: for counters, gm_memory_check,
     * gm_memory_set_warps. Requires that nothing is sent, computed or popped through it. */
    gm_memory *handle()
    {
        catch_up();
        wake_.notify(sc_core::SC_ZERO_TIME);
        return memory_;
    }

    /* gm_memory_end_kernel at the present time. */
    int end_kernel(gm_error *error)
    {
        catch_up();
        int code = gm_memory_end_kernel(memory_, error);
        wake_.notify(sc_core::SC_ZERO_TIME);
        return code;
    }

    /* Returns the time of a cycle, and the last cycle whose time is not above `time`. */
    sc_core::sc_time time_of(uint64_t cycle) const
    {
        return sc_core::sc_time::from_value(cycle / clock_ * microsecond_ +
                                            (cycle % clock_ * microsecond_ + clock_ - 1) / clock_);
    }
    uint64_t cycle_at(const sc_core::sc_time &time) const
    {
        return time.value() / microsecond_ * clock_ +
               time.value() % microsecond_ * clock_ / microsecond_;
    }

  private:
    SC_HAS_PROCESS(tlm_memory);

    /* A transaction that has begun and not ended. */
    struct flight {
        payload_type *payload;
        sc_core::sc_event *answered; /* of a b_transport that waits; null: approximately timed */
        uint32_t port;
        uint32_t unanswered; /* requests that were sent and not answered */
        bool taken;          /* all of its requests were sent */
    };

    /* What a port does at a later time: its request, or the end of its response (null). */
    struct arrival {
        flight *request;
        uint32_t port;
    };

    /* The line requests of a payload that are sent next, together: below the SM an instruction of
     * up to GM_MEMORY_LINES lines, below the L1 one. */
    struct line_requests {
        std::vector<gm_memory_request> line;
        std::vector<std::array<uint32_t, GM_MEMORY_LINE_SECTORS>> masks; /* of each line */
        unsigned next = 0; /* number of the payload's byte that follows them */
    };

    struct port {
        std::deque<flight *> requests;      /* wait for room */
        std::deque<flight *> responses;     /* wait for BEGIN_RESP */
        payload_type *requesting = nullptr; /* between BEGIN_REQ and END_REQ */
        flight *responding = nullptr;       /* between BEGIN_RESP and END_RESP */
        bool ends = false;                  /* END_RESP has arrived, or will */
        bool built = false;                 /* `lines` are of the first of `requests` */
        uint32_t in_flight = 0;             /* between END_REQ and END_RESP */
        line_requests lines;
    };

    /* Reports a breach of the base protocol by an initiator. */
    void violation(uint32_t number, const char *text) const
    {
        std::string message = std::string(socket[number].name()) + ": " + text;
        SC_REPORT_ERROR("/goldmem/tlm", message.c_str());
    }

    static bool is_enabled(const payload_type &payload, unsigned byte)
    {
        const unsigned char *enables = payload.get_byte_enable_ptr();
        return enables == nullptr ||
               enables[byte % payload.get_byte_enable_length()] == TLM_BYTE_ENABLED;
    }

    static bool enables_are_legal(const payload_type &payload)
    {
        const unsigned char *enables = payload.get_byte_enable_ptr();
        unsigned length = enables == nullptr ? 1 : payload.get_byte_enable_length();
        for (unsigned i = 0; enables != nullptr && i < length; i++) {
            if (enables[i] != TLM_BYTE_ENABLED && enables[i] != TLM_BYTE_DISABLED) {
                return false;
            }
        }
        return length != 0;
    }

    /* Returns the response status of a payload that cannot be a request; TLM_OK_RESPONSE: it can.
     */
    tlm::tlm_response_status check(const payload_type &payload) const
    {
        const tlm_attributes *attributes = payload.template get_extension<tlm_attributes>();
        const uint64_t addresses = UINT64_C(1) << GM_MEMORY_ADDRESS_BITS;
        const unsigned length = payload.get_data_length();
        if (!payload.is_read() && !payload.is_write() && attributes == nullptr) {
            return tlm::TLM_COMMAND_ERROR_RESPONSE;
        }
        if (payload.get_address() >= addresses || length > addresses - payload.get_address()) {
            return tlm::TLM_ADDRESS_ERROR_RESPONSE;
        }
        if (length == 0 || payload.get_streaming_width() < length) {
            return tlm::TLM_BURST_ERROR_RESPONSE;
        }
        if (!enables_are_legal(payload)) {
            return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
        }
        bool has_data = payload.is_read() || payload.is_write();
        if ((attributes != nullptr && attributes->warp >= warps_) ||
            (keeps_bytes_ && has_data && payload.get_data_ptr() == nullptr)) {
            return tlm::TLM_GENERIC_ERROR_RESPONSE;
        }
        return tlm::TLM_OK_RESPONSE;
    }

    static gm_memory_kind kind_of(const payload_type &payload, const tlm_attributes &attributes)
    {
        if (payload.is_read()) {
            return attributes.strong ? GM_MEMORY_STRONG_LOAD : GM_MEMORY_LOAD;
        }
        if (payload.is_write()) {
            return GM_MEMORY_STORE;
        }
        return attributes.returns ? GM_MEMORY_ATOMIC : GM_MEMORY_REDUCTION;
    }

    /* Drops the bytes that are not enabled from a line's masks, and the sectors without any.
     * `first`: number in the payload of the first of the `covered` bytes. */
    void disable(const payload_type &payload, unsigned first, unsigned covered,
                 gm_memory_request *line, uint32_t *masks) const
    {
        const uint64_t start = line->address % gm_memory_line(memory_);
        for (unsigned i = 0; i < covered; i++) {
            uint64_t byte = start + i;
            if (!is_enabled(payload, first + i)) {
                masks[byte / GM_MEMORY_SECTOR] &= ~(UINT32_C(1) << byte % GM_MEMORY_SECTOR);
            }
        }
        for (unsigned sector = 0; sector < GM_MEMORY_LINE_SECTORS; sector++) {
            if ((line->sectors >> sector & 1) != 0 && masks[sector] == 0) {
                line->sectors &= ~(UINT32_C(1) << sector);
            }
        }
    }

    /* Makes the line requests that follow: none if no byte is left that is enabled. Requires that
     * check() accepts the payload. */
    void build(line_requests *lines, flight *request) const
    {
        static const tlm_attributes none;
        const payload_type &payload = *request->payload;
        const tlm_attributes *found = payload.template get_extension<tlm_attributes>();
        const tlm_attributes &attributes = found != nullptr ? *found : none;
        const unsigned length = payload.get_data_length();
        const size_t most = below_l1_ ? 1 : GM_MEMORY_LINES;
        lines->masks.resize(most); /* requests point to them */
        lines->line.clear();
        while (lines->next < length && lines->line.size() < most) {
            uint32_t *masks = lines->masks[lines->line.size()].data();
            gm_memory_request line = gm_memory_request();
            unsigned covered = static_cast<unsigned>(gm_memory_cover(
                memory_, &line, masks, payload.get_address() + lines->next, length - lines->next));
            if (payload.get_byte_enable_ptr() != nullptr) {
                disable(payload, lines->next, covered, &line, masks);
            }
            line.id = reinterpret_cast<uintptr_t>(request);
            line.port = request->port;
            line.warp = attributes.warp;
            line.kind = kind_of(payload, attributes);
            line.local = attributes.local;
            line.unkept = attributes.unkept;
            if (line.sectors != 0) {
                lines->line.push_back(line);
            }
            lines->next += covered;
        }
    }

    void build_first(line_requests *lines, flight *request) const
    {
        lines->next = 0;
        build(lines, request);
    }

    /* Sends the line requests and those that follow; false: no room for some. */
    bool send(line_requests *lines, flight *request)
    {
        gm_error error;
        while (!lines->line.empty()) {
            uint32_t count = static_cast<uint32_t>(lines->line.size());
            int taken = count == 1
                            ? gm_memory_send(memory_, lines->line.data(), &error)
                            : gm_memory_send_lines(memory_, lines->line.data(), count, &error);
            if (taken < 0) {
                SC_REPORT_FATAL("/goldmem/tlm", error.text);
            }
            if (taken != 1) {
                return false;
            }
            request->unanswered++;
            build(lines, request);
        }
        request->taken = true;
        return true;
    }

    /* Reads or writes the bytes of a payload whose request was taken. */
    void move_bytes(payload_type &payload)
    {
        unsigned char *data = payload.get_data_ptr();
        for (unsigned i = 0; keeps_bytes_ && i < payload.get_data_length(); i++) {
            if (!is_enabled(payload, i)) {
                continue;
            }
            if (payload.is_read()) {
                data[i] = bytes_.peek(payload.get_address() + i);
            } else if (payload.is_write()) {
                bytes_.at(payload.get_address() + i) = data[i];
            }
        }
    }

    /* True if the payload needs no request: it is wrong, or no byte is enabled. Sets its response
     * status. */
    bool is_over(flight *request)
    {
        payload_type &payload = *request->payload;
        tlm::tlm_response_status status = check(payload);
        payload.set_dmi_allowed(false);
        if (status == tlm::TLM_OK_RESPONSE) {
            build_first(&first_, request);
            if (!first_.line.empty()) {
                return false;
            }
        }
        payload.set_response_status(status);
        return true;
    }

    void b_transport(int number, payload_type &payload, sc_core::sc_time &delay)
    {
        flight request = {&payload, nullptr, static_cast<uint32_t>(number), 0, false};
        if (is_over(&request)) {
            return;
        }
        if (open_ == 0) {
            delay = alone(&request, sc_core::sc_time_stamp() + delay) - sc_core::sc_time_stamp();
        } else {
            sc_core::sc_event answered;
            request.answered = &answered;
            open_++;
            arrive(&request, request.port, delay);
            sc_core::wait(answered);
            delay = sc_core::SC_ZERO_TIME;
        }
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
    }

    /* Computes a request that is made at `time`, without another in flight, up to its last answer;
     * returns that answer's time. Its first lines are in `first_`. The memory system may have
     * passed `time`, for requests of other initiators: what counts is the latency. */
    sc_core::sc_time alone(flight *request, const sc_core::sc_time &time)
    {
        gm_memory_answer answer;
        gm_memory_advance(memory_, cycle_at(time));
        uint64_t first = gm_memory_now(memory_), last = first;
        while (!send(&first_, request) || request->unanswered != 0) {
            gm_memory_advance(memory_, gm_memory_next(memory_));
            while (gm_memory_pop(memory_, &answer)) {
                request->unanswered--;
                last = answer.cycle;
            }
        }
        move_bytes(*request->payload);
        return time_of(cycle_at(time) + last - first);
    }

    tlm::tlm_sync_enum nb_transport_fw(int number, payload_type &payload, tlm::tlm_phase &phase,
                                       sc_core::sc_time &delay)
    {
        uint32_t at = static_cast<uint32_t>(number);
        if (phase == tlm::BEGIN_REQ) {
            return begin_request(at, payload, delay);
        }
        if (phase == tlm::END_RESP) {
            return end_response(at, payload, delay);
        }
        if (phase == tlm::END_REQ || phase == tlm::BEGIN_RESP ||
            phase == tlm::UNINITIALIZED_PHASE) {
            violation(at, "a phase that initiators do not send");
        }
        return tlm::TLM_ACCEPTED; /* of another protocol: ignored */
    }

    tlm::tlm_sync_enum begin_request(uint32_t number, payload_type &payload,
                                     const sc_core::sc_time &delay)
    {
        if (!payload.has_mm()) {
            violation(number, "BEGIN_REQ of a transaction without a memory manager");
            return tlm::TLM_ACCEPTED;
        }
        if (port_[number].requesting != nullptr) {
            violation(number, "BEGIN_REQ before the END_REQ of the last one");
            return tlm::TLM_ACCEPTED;
        }
        flight request = {&payload, nullptr, number, 0, false};
        if (is_over(&request)) {
            return tlm::TLM_COMPLETED;
        }
        payload.acquire();
        port_[number].requesting = &payload;
        open_++;
        arrive(keep(request), number, delay);
        return tlm::TLM_ACCEPTED;
    }

    flight *keep(const flight &request)
    {
        if (vacant_.empty()) {
            flights_.emplace_back();
            vacant_.push_back(&flights_.back());
        }
        flight *kept = vacant_.back();
        vacant_.pop_back();
        *kept = request;
        return kept;
    }

    tlm::tlm_sync_enum end_response(uint32_t number, payload_type &payload,
                                    const sc_core::sc_time &delay)
    {
        port &at = port_[number];
        if (at.responding == nullptr || at.responding->payload != &payload || at.ends) {
            violation(number, "END_RESP without BEGIN_RESP");
            return tlm::TLM_ACCEPTED;
        }
        at.ends = true;
        arrive(nullptr, number, delay);
        return tlm::TLM_COMPLETED;
    }

    /* Does what is due by now. Requests wait while the memory system has passed the present time
     * for b_transport. */
    void step()
    {
        catch_up();
        take_arrivals();
        bool passed = gm_memory_now(memory_) > cycle_at(sc_core::sc_time_stamp());
        for (uint32_t i = 0; i < port_.size(); i++) {
            if (!passed) {
                take_requests(i);
            }
            respond(i);
        }
        if (open_ != 0) {
            uint64_t next = passed ? gm_memory_now(memory_) : gm_memory_next(memory_);
            if (next != GM_MEMORY_NEVER) {
                wake_.notify(time_of(next) - sc_core::sc_time_stamp());
            }
        }
        if (!arrivals_.empty()) {
            wake_.notify(arrivals_.begin()->first - sc_core::sc_time_stamp());
        }
    }

    /* Computes up to the present time; answers wait at their ports. */
    void catch_up()
    {
        gm_memory_answer answer;
        gm_memory_advance(memory_, cycle_at(sc_core::sc_time_stamp()));
        while (gm_memory_pop(memory_, &answer)) {
            flight *answered = reinterpret_cast<flight *>(static_cast<uintptr_t>(answer.id));
            if (--answered->unanswered == 0 && answered->taken) {
                port_[answer.port].responses.push_back(answered);
                open_--;
            }
        }
    }

    void arrive(flight *request, uint32_t number, const sc_core::sc_time &delay)
    {
        arrivals_.insert({sc_core::sc_time_stamp() + delay, {request, number}});
        wake_.notify(delay);
    }

    void take_arrivals()
    {
        while (!arrivals_.empty() && arrivals_.begin()->first <= sc_core::sc_time_stamp()) {
            arrival due = arrivals_.begin()->second;
            arrivals_.erase(arrivals_.begin());
            if (due.request != nullptr) {
                port_[due.port].requests.push_back(due.request);
            } else {
                end(due.port);
            }
        }
    }

    /* Ends the transaction whose response a port is giving. */
    void end(uint32_t number)
    {
        port &at = port_[number];
        at.responding->payload->release();
        vacant_.push_back(at.responding);
        at.responding = nullptr;
        at.ends = false;
        at.in_flight--;
    }

    /* Gives the memory system a port's requests, as far as there is room. */
    void take_requests(uint32_t number)
    {
        port &at = port_[number];
        while (!at.requests.empty() && at.in_flight < limit_) {
            flight *request = at.requests.front();
            if (!at.built) {
                build_first(&at.lines, request);
                at.built = true;
            }
            if (!send(&at.lines, request)) {
                return;
            }
            at.built = false;
            at.requests.pop_front();
            at.in_flight++;
            move_bytes(*request->payload);
            if (request->answered == nullptr) {
                end_request(number, *request->payload);
            }
        }
    }

    void end_request(uint32_t number, payload_type &payload)
    {
        tlm::tlm_phase phase = tlm::END_REQ;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        port_[number].requesting = nullptr;
        if (socket[number]->nb_transport_bw(payload, phase, delay) != tlm::TLM_ACCEPTED) {
            violation(number, "END_REQ is not accepted");
        }
    }

    /* Gives a port's answers to its initiator, one at a time. */
    void respond(uint32_t number)
    {
        port &at = port_[number];
        while (at.responding == nullptr && !at.responses.empty()) {
            flight *answered = at.responses.front();
            at.responses.pop_front();
            if (answered->answered != nullptr) {
                at.in_flight--;
                answered->answered->notify(sc_core::SC_ZERO_TIME);
                continue;
            }
            begin_response(number, answered);
        }
    }

    void begin_response(uint32_t number, flight *answered)
    {
        port &at = port_[number];
        tlm::tlm_phase phase = tlm::BEGIN_RESP;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        at.responding = answered;
        answered->payload->set_response_status(tlm::TLM_OK_RESPONSE);
        tlm::tlm_sync_enum sync = socket[number]->nb_transport_bw(*answered->payload, phase, delay);
        if (sync == tlm::TLM_ACCEPTED) {
            return;
        }
        if (at.ends || (sync == tlm::TLM_UPDATED && phase != tlm::END_RESP)) {
            violation(number, "BEGIN_RESP is answered with another phase than END_RESP");
            return;
        }
        at.ends = true;
        arrive(nullptr, number, delay);
    }

    /* Refused: an access costs time. */
    bool get_direct_mem_ptr(int, payload_type &, tlm::tlm_dmi &dmi)
    {
        dmi.init();
        dmi.set_start_address(0);
        dmi.set_end_address(~sc_dt::uint64(0));
        dmi.set_granted_access(tlm::tlm_dmi::DMI_ACCESS_NONE);
        return false;
    }

    /* Reads or writes the bytes kept, in no time and without a trace in the memory system; returns
     * their number. Byte enables and streaming width are not looked at. */
    unsigned transport_dbg(int, payload_type &payload)
    {
        const uint64_t addresses = UINT64_C(1) << GM_MEMORY_ADDRESS_BITS;
        unsigned char *data = payload.get_data_ptr();
        unsigned count = 0;
        if (!keeps_bytes_ || data == nullptr || (!payload.is_read() && !payload.is_write())) {
            return 0;
        }
        for (; count < payload.get_data_length(); count++) {
            uint64_t address = payload.get_address() + count;
            if (address >= addresses) {
                break;
            }
            if (payload.is_read()) {
                data[count] = bytes_.peek(address);
            } else {
                bytes_.at(address) = data[count];
            }
        }
        return count;
    }

    gm_memory *memory_ = nullptr;
    tlm_bytes bytes_;
    bool keeps_bytes_, below_l1_;
    uint64_t warps_, clock_;
    uint32_t limit_;
    uint64_t microsecond_; /* in units of the resolution of sc_time */
    std::vector<port> port_;
    std::multimap<sc_core::sc_time, arrival> arrivals_;
    std::deque<flight> flights_; /* approximately timed, and those of `vacant_` */
    std::vector<flight *> vacant_;
    line_requests first_; /* of the transaction that is_over() has looked at */
    uint64_t open_ = 0; /* transactions from BEGIN_REQ, or the call of a b_transport that waits, to
                           their answers */
    sc_core::sc_event wake_;
};

} // namespace goldmem

#endif
