/* Payloads sent one by one through a socket of goldmem/tlm.hpp, and the latency that
 * goldmem/memory.h gives each. */
#ifndef TLM_SCRIPT_HPP
#define TLM_SCRIPT_HPP

#include "tlm_against_memory.hpp"

/* A thread with a socket, for what is done step by step. */
class script : public sc_module
{
  public:
    tlm_utils::simple_initiator_socket<script> socket;
    std::function<void(script &)> body;
    bool ended = false;
    std::vector<std::pair<tlm::tlm_phase, sc_time>> phases; /* by the backward path */
    tlm::tlm_sync_enum answer = tlm::TLM_ACCEPTED;          /* to them */

    script(const sc_module_name &name, tlm_memory<> &memory, uint32_t port,
           std::function<void(script &)> does)
        : sc_module(name), socket("socket"), body(does)
    {
        socket.register_nb_transport_bw(this, &script::nb_transport_bw);
        socket.bind(memory.socket[port]);
        SC_THREAD(run);
    }

  private:
    SC_HAS_PROCESS(script);
    void run()
    {
        body(*this);
        ended = true;
    }

    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload &, tlm::tlm_phase &phase,
                                       sc_time &delay)
    {
        phases.push_back({phase, sc_time_stamp() + delay});
        return answer;
    }
};

/* A payload of its own, without a memory manager, whose data follow. */
struct simple_payload : tlm::tlm_generic_payload {
    std::vector<unsigned char> data;
    simple_payload(tlm::tlm_command command, uint64_t address, unsigned length) : data(length + 1)
    {
        set_command(command);
        set_address(address);
        set_data_length(length);
        set_streaming_width(length);
        set_data_ptr(data.data());
    }
};

/* Runs a payload through b_transport at a delay; returns the delay after. */
static sc_time blocking(script &of, tlm::tlm_generic_payload &payload, sc_time delay = SC_ZERO_TIME)
{
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    of.socket->b_transport(payload, delay);
    return delay;
}

/* Returns the cycles that a request has alone in `memory`, sent in `cycle` or, if that has passed,
 * now. */
static uint64_t latency_alone(gm_memory *memory, const tlm::tlm_generic_payload &payload,
                              uint64_t cycle, size_t group = GM_MEMORY_LINES)
{
    gm_memory_answer answer;
    gm_memory_advance(memory, cycle);
    cycle = gm_memory_now(memory);
    plain_requests lines(memory, payload, 0, 0);
    while (!lines.send(memory, group) || lines.unanswered != 0) {
        gm_memory_tick(memory);
        while (gm_memory_pop(memory, &answer)) {
            lines.unanswered--;
        }
    }
    return answer.cycle - cycle;
}

#endif
