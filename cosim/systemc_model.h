// A block's C model as a SystemC module with clocked ports, made from its port list: the ports of
// the RTL, each field 64 bits wide. One request is inside at a time; it is answered a cycle later.
// Include after GM_PORTS_HEADER, GM_REQUEST and GM_RESPONSE name the port list.
#ifndef GOLDMEM_COSIM_SYSTEMC_MODEL_H
#define GOLDMEM_COSIM_SYSTEMC_MODEL_H

#include "cosim.h"

#include <systemc>

#include GM_PORTS_HEADER

#define GM_SYSTEMC_IN(name, width, what)    sc_core::sc_in<uint64_t> name##_i{#name "_i"};
#define GM_SYSTEMC_OUT(name, width, what)   sc_core::sc_out<uint64_t> name##_o{#name "_o"};
#define GM_SYSTEMC_COUNT(name, width, what) +1
#define GM_SYSTEMC_READ(name, width, what)  request[n++] = name##_i.read();
#define GM_SYSTEMC_WRITE(name, width, what) name##_o.write(response[n++]);

class gm_systemc_model : public sc_core::sc_module
{
  public:
    sc_core::sc_in<bool> clk_i{"clk_i"}, rst_ni{"rst_ni"};
    sc_core::sc_in<bool> request_valid_i{"request_valid_i"};
    sc_core::sc_out<bool> request_ready_o{"request_ready_o"};
    GM_REQUEST(GM_SYSTEMC_IN)
    sc_core::sc_out<bool> response_valid_o{"response_valid_o"};
    sc_core::sc_in<bool> response_ready_i{"response_ready_i"};
    GM_RESPONSE(GM_SYSTEMC_OUT)

    // The model of `block` must live as long as the module.
    gm_systemc_model(sc_core::sc_module_name name, const gm_cosim_block *block_, void *model_)
        : sc_module(name), block(block_), model(model_)
    {
        SC_HAS_PROCESS(gm_systemc_model);
        SC_METHOD(clocked);
        sensitive << clk_i.pos() << rst_ni.neg();
        dont_initialize();
        SC_METHOD(ready);
        sensitive << valid << response_ready_i;
    }

  private:
    const gm_cosim_block *block;
    void *model;
    sc_core::sc_signal<bool> valid{"valid"};

    void ready()
    {
        request_ready_o.write(!valid.read() || response_ready_i.read());
        response_valid_o.write(valid.read());
    }

    void clocked()
    {
        if (!rst_ni.read()) {
            valid.write(false);
            return;
        }
        if (!request_ready_o.read()) {
            return;
        }
        valid.write(request_valid_i.read());
        if (request_valid_i.read()) {
            uint64_t request[GM_PORTS_FIELDS];
            uint64_t response[GM_PORTS_FIELDS];
            unsigned n = 0;
            GM_REQUEST(GM_SYSTEMC_READ)
            block->access(model, request, response, 1);
            n = 0;
            GM_RESPONSE(GM_SYSTEMC_WRITE)
        }
    }
};

#endif
