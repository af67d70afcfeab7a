// SystemC testbench of a block: its C model and its Verilated RTL side by side under one clock,
// each fed the same requests with waits of its own; a scoreboard compares the two rows of
// responses. Usage: systemc [TRANSACTIONS [SEED]]. Exit status 0 when all agree, 1 otherwise.
#include "systemc_model.h"

#include "Vtop.h"

#include <array>
#include <chrono>
#include <cinttypes>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <vector>

extern "C" const char *const gm_cosim_lane_options[];

namespace
{
constexpr size_t requests = 0 GM_REQUEST(GM_SYSTEMC_COUNT);
constexpr size_t responses = 0 GM_RESPONSE(GM_SYSTEMC_COUNT);
using response = std::array<uint64_t, responses>;

char assertion[512];

// Drives one module's request side and takes its responses, with random waits on both sides.
template <typename Module> class driver : public sc_core::sc_module
{
  public:
    sc_core::sc_in<bool> clk{"clk"}, rst_n{"rst_n"};
    std::deque<response> answers;

    driver(sc_core::sc_module_name name, Module &dut, const std::vector<uint64_t> &stream_,
           uint64_t seed)
        : sc_module(name), stream(stream_), random{seed}
    {
        dut.clk_i(clk);
        dut.rst_ni(rst_n);
        dut.request_valid_i(request_valid);
        dut.request_ready_o(request_ready);
        dut.response_valid_o(response_valid);
        dut.response_ready_i(response_ready);
        size_t n = 0;
#define BIND_IN(name, width, what) dut.name##_i(in[n++]);
        GM_REQUEST(BIND_IN)
        n = 0;
#define BIND_OUT(name, width, what) dut.name##_o(out[n++]);
        GM_RESPONSE(BIND_OUT)
        SC_HAS_PROCESS(driver);
        SC_METHOD(clocked);
        sensitive << clk.pos();
        dont_initialize();
    }

    bool done() const
    {
        return answered * requests == stream.size();
    }

  private:
    const std::vector<uint64_t> &stream;
    gm_cosim_random random;
    size_t next = 0, answered = 0; // requests accepted, responses taken
    sc_core::sc_signal<bool> request_valid, request_ready, response_valid, response_ready;
    sc_core::sc_signal<uint64_t> in[requests], out[responses];

    void clocked()
    {
        if (!rst_n.read()) {
            return;
        }
        if (response_valid.read() && response_ready.read()) {
            response taken;
            for (size_t i = 0; i < responses; i++) {
                taken[i] = out[i].read();
            }
            answers.push_back(taken);
            answered++;
        }
        const uint64_t chance = gm_cosim_random_next(&random);
        const bool accepted = request_valid.read() && request_ready.read();
        next += accepted;
        if (accepted || !request_valid.read()) {
            const bool offer = next * requests < stream.size() && (chance & 3) != 0;
            for (size_t i = 0; offer && i < requests; i++) {
                in[i].write(stream[next * requests + i]);
            }
            request_valid.write(offer);
        }
        response_ready.write((chance & 12) != 0);
    }
};
} // namespace

void vl_stop(const char *, int, const char *)
{
}
void vl_fatal(const char *, int, const char *, const char *)
{
}

int gm_cosim_printf(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = std::vsnprintf(assertion, sizeof assertion, format, arguments);
    va_end(arguments);
    return length;
}

int sc_main(int argc, char **argv)
{
    const size_t transactions = argc > 1 ? std::strtoull(argv[1], nullptr, 0) : 20000;
    const uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 0) : 1;
    const gm_cosim_block *block = &gm_cosim_block_here;
    gm_cosim_configuration configuration;
    gm_arena arena;
    gm_error error;
    void *model = nullptr;
    if (block->configure(gm_cosim_lane_options[0], &configuration, &error) < 0 ||
        gm_arena_create(&arena, block->arena_bytes, &error) < 0 ||
        block->init(&configuration, &arena, &model, &error) < 0) {
        std::fprintf(stderr, "goldmem-systemc: %s\n", error.text);
        return 2;
    }
    std::vector<uint64_t> stream(transactions * requests);
    gm_cosim_random random{seed};
    for (size_t i = 0; i < transactions; i += 64) {
        const size_t count = transactions - i < 64 ? transactions - i : 64;
        block->stimulus(&configuration, &random, &stream[i * requests], count);
    }

    sc_core::sc_clock clk("clk", 1, sc_core::SC_NS);
    sc_core::sc_signal<bool> rst_n;
    sc_core::sc_signal<uint32_t> mutant;
    gm_systemc_model golden("golden", block, model);
    Vtop rtl("rtl");
    rtl.mutant_i(mutant);
    driver<gm_systemc_model> golden_side("golden_side", golden, stream, seed + 1);
    driver<Vtop> rtl_side("rtl_side", rtl, stream, seed + 2);
    golden_side.clk(clk);
    golden_side.rst_n(rst_n);
    rtl_side.clk(clk);
    rtl_side.rst_n(rst_n);

    const auto start = std::chrono::steady_clock::now();
    rst_n.write(false);
    sc_core::sc_start(3, sc_core::SC_NS);
    rst_n.write(true);
    size_t compared = 0;
    uint64_t cycles = 0;
    for (; compared < transactions && cycles < 100 * transactions + 1000; cycles += 32) {
        sc_core::sc_start(32, sc_core::SC_NS);
        while (!golden_side.answers.empty() && !rtl_side.answers.empty()) {
            if (golden_side.answers.front() != rtl_side.answers.front()) {
                std::printf("%s: SystemC: mismatch at transaction %zu\n", block->ports->block,
                            compared);
                return 1;
            }
            golden_side.answers.pop_front();
            rtl_side.answers.pop_front();
            compared++;
        }
        if (assertion[0] != '\0') {
            std::printf("%s: SystemC: assertion: %s\n", block->ports->block, assertion);
            return 1;
        }
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    std::printf("%s: SystemC: %s: %zu transactions, %" PRIu64 " cycles, %.3f million cycles/s\n",
                block->ports->block, compared == transactions ? "end" : "time-out", compared,
                cycles, 1e-6 * static_cast<double>(cycles) / took.count());
    rtl.final();
    gm_arena_free(&arena);
    return compared == transactions ? 0 : 1;
}
