/* Two initiators of SystemC over one memory system: a processor, loosely timed and decoupled by a
 * quantum, and a DMA engine, approximately timed, with up to eight reads in flight. */
#include <goldmem/tlm.hpp>

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/tlm_quantumkeeper.h>

#include <cstdio>
#include <stdexcept>

/* Writes words and reads them back. */
class Processor : public sc_core::sc_module {
public:
    tlm_utils::simple_initiator_socket<Processor> socket;
    unsigned wrong = 0;
    sc_core::sc_time ended;

    explicit Processor(const sc_core::sc_module_name &name) : sc_module(name), socket("socket")
    {
        SC_THREAD(run);
    }

private:
    SC_HAS_PROCESS(Processor);

    uint32_t access(tlm::tlm_command command, uint64_t address, uint32_t word)
    {
        tlm::tlm_generic_payload payload;
        payload.set_command(command);
        payload.set_address(address);
        payload.set_data_ptr(reinterpret_cast<unsigned char *>(&word));
        payload.set_data_length(sizeof word);
        payload.set_streaming_width(sizeof word);
        sc_core::sc_time delay = keeper_.get_local_time();
        socket->b_transport(payload, delay);
        if (payload.is_response_error()) {
            throw std::runtime_error(payload.get_response_string());
        }
        keeper_.set(delay);
        if (keeper_.need_sync()) {
            keeper_.sync();
        }
        return word;
    }

    void run()
    {
        keeper_.set_global_quantum(sc_core::sc_time(10, sc_core::SC_US));
        keeper_.reset();
        for (uint32_t i = 0; i < 100; i++) {
            access(tlm::TLM_WRITE_COMMAND, 0x1000 + i * 4, i);
        }
        for (uint32_t i = 0; i < 100; i++) {
            wrong += access(tlm::TLM_READ_COMMAND, 0x1000 + i * 4, 0) != i;
        }
        keeper_.sync();
        ended = sc_core::sc_time_stamp();
    }

    tlm_utils::tlm_quantumkeeper keeper_;
};

/* Reads lines, from a time on. */
class Dma : public sc_core::sc_module, public tlm::tlm_mm_interface {
public:
    tlm_utils::simple_initiator_socket<Dma> socket;
    unsigned ended = 0;
    sc_core::sc_time taken, answered; /* sums of the times of END_REQ and BEGIN_RESP */

    Dma(const sc_core::sc_module_name &name, const sc_core::sc_time &start)
        : sc_module(name), socket("socket")
    {
        socket.register_nb_transport_bw(this, &Dma::nb_transport_bw);
        SC_METHOD(send);
        sensitive << room_;
        dont_initialize();
        room_.notify(start);
    }

    void free(tlm::tlm_generic_payload *payload) override { delete payload; }

private:
    enum { LINES = 200, IN_FLIGHT = 8, LINE = 128 };
    SC_HAS_PROCESS(Dma);

    void send()
    {
        if (requesting_ || in_flight_ == IN_FLIGHT || next_ == LINES) {
            return;
        }
        auto *payload = new tlm::tlm_generic_payload(this);
        payload->acquire();
        payload->set_read();
        payload->set_address(0x100000 + uint64_t(next_++) * LINE);
        payload->set_data_ptr(line_);
        payload->set_data_length(LINE);
        payload->set_streaming_width(LINE);
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay;
        requesting_ = true;
        in_flight_++;
        if (socket->nb_transport_fw(*payload, phase, delay) != tlm::TLM_ACCEPTED) {
            throw std::runtime_error(payload->get_response_string()); /* TLM_COMPLETED: an error */
        }
    }

    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload &payload, tlm::tlm_phase &phase,
                                       sc_core::sc_time &)
    {
        room_.notify(sc_core::SC_ZERO_TIME);
        if (phase == tlm::END_REQ) { /* the memory system has taken it */
            requesting_ = false;
            taken += sc_core::sc_time_stamp();
            return tlm::TLM_ACCEPTED;
        }
        answered += sc_core::sc_time_stamp();
        in_flight_--;
        ended++;
        payload.release();
        return tlm::TLM_COMPLETED; /* BEGIN_RESP and END_RESP at once */
    }

    sc_core::sc_event room_;
    bool requesting_ = false;
    unsigned next_ = 0, in_flight_ = 0;
    unsigned char line_[LINE];
};

int sc_main(int, char *[])
{
    gm_config config;
    gm_error error;
    if (gm_config_preset(&config, "gtx480", &error) < 0) {
        return 1;
    }
    goldmem::tlm_memory<> memory("memory", config); /* below the SMs, at the core's clock */
    Processor processor("processor");
    Dma dma("dma", sc_core::sc_time(1, sc_core::SC_MS));
    processor.socket.bind(memory.socket[0]);
    dma.socket.bind(memory.socket[1]);
    sc_core::sc_start();
    gm_statistics statistics;
    gm_memory_statistics(memory.handle(), &statistics);
    std::printf("processor: %u words wrong, %s\n", processor.wrong,
                processor.ended.to_string().c_str());
    std::printf("DMA: %u lines, mean latency %.0f ns\n", dma.ended,
                (dma.answered - dma.taken).to_seconds() * 1e9 / dma.ended);
    std::printf("%llu sectors from DRAM\n", static_cast<unsigned long long>(statistics.dram.reads));
    return 0;
}
