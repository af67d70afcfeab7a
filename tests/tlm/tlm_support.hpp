/* What the checks of goldmem/tlm.hpp share: a memory manager that knows what is in flight, an
 * approximately timed initiator that obeys and checks the base protocol, and expectations. */
#ifndef TLM_SUPPORT_HPP
#define TLM_SUPPORT_HPP

#include "goldmem/tlm.hpp"

#include <tlm_utils/simple_initiator_socket.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <set>

inline unsigned failures;

inline void expect(bool holds, const char *where, const char *what)
{
    if (!holds) {
        failures++;
        std::printf("%s: not so: %s\n", where, what);
    }
}

inline gm_config preset(const char *name, const std::vector<const char *> &set = {})
{
    gm_config config;
    gm_error error;
    int code = gm_config_preset(&config, name, &error);
    for (const char *assignment : set) {
        code = code < 0 ? code : gm_config_assign(&config, assignment, &error);
    }
    if (code < 0) {
        std::printf("%s\n", error.text);
        std::exit(1);
    }
    return config;
}

/* Counts transactions; a transaction that is freed twice or while it is in flight is a failure. */
class manager : public tlm::tlm_mm_interface
{
  public:
    tlm::tlm_generic_payload *make(tlm::tlm_command command, uint64_t address, unsigned length)
    {
        auto *payload = new tlm::tlm_generic_payload(this);
        payload->set_command(command);
        payload->set_address(address);
        payload->set_data_length(length);
        payload->set_streaming_width(length);
        payload->set_data_ptr(data_);
        payload->acquire();
        live.insert(payload);
        return payload;
    }

    void free(tlm::tlm_generic_payload *payload) override
    {
        expect(live.erase(payload) == 1, "memory manager", "a transaction is freed once");
        expect(in_flight.count(payload) == 0, "memory manager",
               "a transaction in flight is not freed");
        payload->free_all_extensions();
        delete payload;
    }

    std::set<tlm::tlm_generic_payload *> live, in_flight;

  private:
    unsigned char data_[32768] = {};
};

/* Sends payloads one after another, each not before its time, and checks the target's phases. */
class at_initiator : public sc_core::sc_module
{
  public:
    enum ending { IN_CALL_COMPLETED, IN_CALL_UPDATED, FORWARD, FORWARD_AHEAD }; /* of a response */
    struct item {
        tlm::tlm_generic_payload *payload;
        sc_core::sc_time at;              /* the first time for BEGIN_REQ */
        sc_core::sc_time taken, answered; /* of END_REQ, BEGIN_RESP */
        tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;
        uint64_t begun = 0, ended = 0, responses = 0;
    };

    tlm_utils::simple_initiator_socket<at_initiator> socket;
    std::vector<item> items;
    ending ends = FORWARD;
    sc_core::sc_time hold;       /* from BEGIN_RESP to END_RESP, which FORWARD_AHEAD annotates */
    sc_core::sc_time annotation; /* BEGIN_REQ is sent so much before its time */
    bool releases_early = false; /* the initiator's reference, after BEGIN_REQ */
    unsigned in_flight = 0, most_in_flight = 0;
    manager transactions;

    explicit at_initiator(const sc_core::sc_module_name &name) : sc_module(name), socket("socket")
    {
        socket.register_nb_transport_bw(this, &at_initiator::nb_transport_bw);
        SC_METHOD(step);
        sensitive << wake_;
    }

    bool is_done() const
    {
        return done_ == items.size();
    }

  private:
    SC_HAS_PROCESS(at_initiator);

    void step()
    {
        sc_core::sc_time now = sc_core::sc_time_stamp();
        if (ending_ != nullptr && now >= ends_at_) {
            tlm::tlm_phase phase = tlm::END_RESP;
            sc_core::sc_time delay = ends == FORWARD_AHEAD ? hold : sc_core::SC_ZERO_TIME;
            item *ended = ending_;
            ending_ = nullptr;
            finish(ended);
            socket->nb_transport_fw(*ended->payload, phase, delay);
            if (!releases_early) {
                ended->payload->release();
            }
        }
        while (!requesting_ && next_ < items.size() && items[next_].at <= now + annotation) {
            begin(&items[next_]);
        }
        if (ending_ != nullptr) {
            wake_.notify(ends_at_ - now);
        }
        if (!requesting_ && next_ < items.size() && items[next_].at > now + annotation) {
            wake_.notify(items[next_].at - annotation - now);
        }
    }

    void begin(item *begun)
    {
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time now = sc_core::sc_time_stamp();
        sc_core::sc_time delay = begun->at > now ? begun->at - now : sc_core::SC_ZERO_TIME;
        tlm::tlm_generic_payload *payload = begun->payload;
        requesting_ = true;
        next_++;
        begun->begun++;
        transactions.in_flight.insert(payload);
        payload->set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        tlm::tlm_sync_enum sync = socket->nb_transport_fw(*payload, phase, delay);
        if (sync == tlm::TLM_COMPLETED) {
            requesting_ = false;
            begun->status = payload->get_response_status();
            transactions.in_flight.erase(payload);
            payload->release();
            done_++;
            return;
        }
        expect(sync == tlm::TLM_ACCEPTED, name(), "BEGIN_REQ is accepted");
        if (releases_early) {
            payload->release();
        }
    }

    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload &payload, tlm::tlm_phase &phase,
                                       sc_core::sc_time &delay)
    {
        sc_core::sc_time now = sc_core::sc_time_stamp() + delay;
        item *of = items.data();
        while (of->payload != &payload || of->begun != 1 || of->responses == 1) {
            of++;
            if (of == items.data() + items.size()) {
                expect(false, name(), "a transaction of its own");
                return tlm::TLM_ACCEPTED;
            }
        }
        if (phase == tlm::END_REQ) {
            expect(requesting_ && of == &items[next_ - 1] && of->ended == 0, name(),
                   "END_REQ is of the last BEGIN_REQ, once");
            of->ended++;
            of->taken = now;
            requesting_ = false;
            in_flight++;
            most_in_flight = in_flight > most_in_flight ? in_flight : most_in_flight;
            wake_.notify(sc_core::SC_ZERO_TIME);
            return tlm::TLM_ACCEPTED;
        }
        expect(phase == tlm::BEGIN_RESP && of->ended == 1, name(), "BEGIN_RESP is after END_REQ");
        expect(!responding_ && now >= free_at_, name(),
               "BEGIN_RESP is after the END_RESP of the one before");
        expect(payload.get_ref_count() >= 1, name(), "a transaction in flight is referred to");
        of->responses++;
        of->answered = now;
        of->status = payload.get_response_status();
        responding_ = true;
        free_at_ = now + hold;
        if (ends == FORWARD || ends == FORWARD_AHEAD) {
            ending_ = of;
            ends_at_ = ends == FORWARD ? free_at_ : now;
            wake_.notify(ends_at_ - now);
            return tlm::TLM_ACCEPTED;
        }
        delay = hold;
        phase = ends == IN_CALL_UPDATED ? tlm::tlm_phase(tlm::END_RESP) : phase;
        finish(of);
        if (!releases_early) {
            payload.release();
        }
        return ends == IN_CALL_UPDATED ? tlm::TLM_UPDATED : tlm::TLM_COMPLETED;
    }

    void finish(item *finished)
    {
        transactions.in_flight.erase(finished->payload);
        responding_ = false;
        in_flight--;
        done_++;
    }

    size_t next_ = 0, done_ = 0;
    bool requesting_ = false, responding_ = false;
    item *ending_ = nullptr;
    sc_core::sc_time ends_at_, free_at_;
    sc_core::sc_event wake_;
};

#endif
