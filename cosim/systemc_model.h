// A block's C model as a SystemC module with clocked ports, generated from its port list: compile
// with GM_PORTS_HEADER, GM_REQUEST and GM_RESPONSE set to the list's header and macros.
//
//   clk_i, rst_ni                                     rising edge; reset is active low
//   request_valid_i, request_ready_o, FIELD_i...      a request is taken when both are high
//   response_valid_o, response_ready_i, FIELD_o...    responses in the order of the requests
//
// Outputs are registered; the module holds up to two responses.
#ifndef GOLDMEM_COSIM_SYSTEMC_MODEL_H
#define GOLDMEM_COSIM_SYSTEMC_MODEL_H

extern "C" {
#include "cosim.h"
}
#include GM_PORTS_HEADER

#include <systemc>

#include <array>
#include <cstring>
#include <deque>
#include <stdexcept>

using gm_fields = std::array<uint64_t, GM_PORTS_FIELDS>;

struct gm_systemc_model : sc_core::sc_module {
    sc_core::sc_in<bool> clk_i{"clk_i"}, rst_ni{"rst_ni"};
    sc_core::sc_in<bool> request_valid_i{"request_valid_i"};
    sc_core::sc_out<bool> request_ready_o{"request_ready_o"};
    sc_core::sc_out<bool> response_valid_o{"response_valid_o"};
    sc_core::sc_in<bool> response_ready_i{"response_ready_i"};
#define GM_REQUEST_PORT(name, width, what) sc_core::sc_in<uint64_t> name##_i{#name "_i"};
    GM_REQUEST(GM_REQUEST_PORT)
#define GM_RESPONSE_PORT(name, width, what) sc_core::sc_out<uint64_t> name##_o{#name "_o"};
    GM_RESPONSE(GM_RESPONSE_PORT)

    SC_HAS_PROCESS(gm_systemc_model);
    gm_systemc_model(const sc_core::sc_module_name &name, const gm_cosim_configuration &made_as)
        : sc_module(name), configuration(made_as)
    {
        gm_error error;
        if (gm_arena_create(&arena, gm_cosim_block_here.arena_bytes, &error) < 0) {
            throw std::runtime_error(error.text);
        }
        SC_METHOD(edge);
        sensitive << clk_i.pos();
        dont_initialize();
    }
    ~gm_systemc_model() override
    {
        gm_arena_free(&arena);
    }

  private:
    void reset()
    {
        gm_error error;
        arena.used = 0;
        std::memset(arena.memory, 0, arena.size);
        if (gm_cosim_block_here.init(&configuration, &arena, &model, &error) < 0) {
            throw std::runtime_error(error.text);
        }
        waiting.clear();
    }

    void edge()
    {
        if (!rst_ni.read()) {
            reset();
        } else {
            if (response_valid_o.read() && response_ready_i.read()) {
                waiting.pop_front();
            }
            if (request_valid_i.read() && request_ready_o.read()) {
                transact();
            }
        }
        request_ready_o.write(rst_ni.read() && waiting.size() < 2);
        response_valid_o.write(!waiting.empty());
        if (!waiting.empty()) {
            unsigned n = 0;
#define GM_RESPONSE_WRITE(name, width, what) name##_o.write(waiting.front()[n++]);
            GM_RESPONSE(GM_RESPONSE_WRITE)
        }
    }

    void transact()
    {
        gm_fields request{}, response{};
        unsigned n = 0;
#define GM_REQUEST_READ(name, width, what) request[n++] = name##_i.read();
        GM_REQUEST(GM_REQUEST_READ)
        gm_cosim_block_here.access(model, request.data(), response.data(), 1);
        waiting.push_back(response);
    }

    gm_cosim_configuration configuration;
    gm_arena arena{};
    void *model = nullptr;
    std::deque<gm_fields> waiting;
};

#endif
