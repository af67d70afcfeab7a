// SystemC testbench of a block: its C model and its Verilated RTL under one clock. Each has a
// driver that sends the same requests with its own idle cycles and back-pressure; a scoreboard
// compares the responses in order. Usage: systemc-BLOCK [TRANSACTIONS [SEED [FLIP]]]; FLIP: the
// number of an RTL response of which a bit is inverted, to test the scoreboard. Exit status as
// goldmem-cosim: 0 end, 1 mismatch, 2 bad input, 3 assertion, 4 time-out.
#include "systemc_model.h"

#include "Vtop.h"

#include <verilated.h>

#include <chrono>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace
{
constexpr uint64_t patience = 4096; // cycles without a handshake until a time-out
constexpr unsigned batch = 64;      // requests made at once

const gm_ports &ports = gm_cosim_block_here.ports[0];
int status = 0; // first failure
std::string failure;
char printed[512]; // Verilator's last message

void fail(int code, const std::string &text)
{
    if (status == 0) {
        status = code;
        failure = text;
        sc_core::sc_stop();
    }
}

struct scoreboard {
    std::deque<gm_fields> model, rtl;
    uint64_t compared = 0, transactions = 0, flip = UINT64_MAX;

    void compare()
    {
        while (!model.empty() && !rtl.empty() && status == 0) {
            const gm_fields want = model.front();
            gm_fields got = rtl.front();
            got[ports.responses - 1] ^= compared == flip ? 1 : 0;
            for (unsigned f = 0; f < ports.responses; f++) {
                if (got[f] != want[f]) {
                    char text[256];
                    std::snprintf(text, sizeof text,
                                  "transaction %llu: %s: RTL 0x%llx, C model 0x%llx",
                                  static_cast<unsigned long long>(compared), ports.response[f].name,
                                  static_cast<unsigned long long>(got[f]),
                                  static_cast<unsigned long long>(want[f]));
                    fail(1, text);
                }
            }
            model.pop_front();
            rtl.pop_front();
            compared++;
        }
        if (compared == transactions) {
            sc_core::sc_stop();
        }
    }
};

// One side: signals, driver and monitor.
struct side : sc_core::sc_module {
    sc_core::sc_in<bool> clk{"clk"}, rst_n{"rst_n"};
    sc_core::sc_signal<bool> request_valid, request_ready, response_valid, response_ready;
    std::array<sc_core::sc_signal<uint64_t>, GM_PORTS_FIELDS> request, response;

    SC_HAS_PROCESS(side);
    side(const sc_core::sc_module_name &name, const gm_cosim_configuration &made_as,
         scoreboard &all, std::deque<gm_fields> &mine, uint64_t seed, uint64_t habits)
        : sc_module(name), configuration(made_as), board(all),
          received(mine), requests{seed}, timing{habits}, noise{~habits}
    {
        SC_METHOD(edge);
        sensitive << clk.pos();
        dont_initialize();
    }

    template <class Module> void connect(Module &module)
    {
        module.request_valid_i(request_valid);
        module.request_ready_o(request_ready);
        module.response_valid_o(response_valid);
        module.response_ready_i(response_ready);
        unsigned n = 0;
#define CONNECT_REQUEST(name, width, what) module.name##_i(request[n++]);
        GM_REQUEST(CONNECT_REQUEST)
        n = 0;
#define CONNECT_RESPONSE(name, width, what) module.name##_o(response[n++]);
        GM_RESPONSE(CONNECT_RESPONSE)
    }

  private:
    void edge()
    {
        if (!rst_n.read()) {
            return;
        }
        const bool taken = request_valid.read() && request_ready.read();
        const bool given = response_valid.read() && response_ready.read();
        idle_cycles = taken || given || answered == board.transactions ? 0 : idle_cycles + 1;
        issued += taken;
        if (given) {
            receive();
        }
        if (idle_cycles == patience) {
            fail(4, std::string(name()) + ": " + std::to_string(issued) + " accepted, " +
                        std::to_string(answered) + " answered, nothing moved for " +
                        std::to_string(patience) + " cycles");
        }
        drive(taken);
    }

    void receive()
    {
        gm_fields fields{};
        for (unsigned f = 0; f < ports.responses; f++) {
            fields[f] = response[f].read();
        }
        if (answered++ == issued) {
            fail(1, std::string(name()) + ": extra response " + std::to_string(answered - 1));
        }
        received.push_back(fields);
        board.compare();
    }

    // Idle cycles of the driver, and cycles of back-pressure, out of 8; both change after some hundred
    // cycles. Once in about 32768 cycles, 256 to 1279 cycles with no request, or with no response taken.
    void choose_waits(uint64_t random)
    {
        if (random % 256 == 0) {
            idle_often = random >> 8 & 7;
            stall_often = random >> 11 & 7;
        }
        idle_left -= idle_left > 0;
        stall_left -= stall_left > 0;
        if ((random >> 32 & 0x7fff) == 0) {
            (random >> 47 & 1 ? idle_left : stall_left) = 256 + (random >> 48) % 1024;
        }
    }

    // What is on the fields while no request is offered is noise.
    void drive(bool taken)
    {
        const uint64_t random = gm_cosim_random_next(&timing);
        choose_waits(random);
        response_ready.write(stall_left == 0 && (random >> 16 & 7) >= stall_often);
        if (request_valid.read() && !taken) {
            return;
        }
        const bool more =
            issued < board.transactions && idle_left == 0 && (random >> 24 & 7) >= idle_often;
        request_valid.write(more);
        for (unsigned f = 0; !more && f < ports.requests; f++) {
            request[f].write(gm_cosim_random_next(&noise));
        }
        if (more) {
            if (issued % batch == 0) {
                gm_cosim_block_here.stimulus(&configuration, &requests, &plan, made.data(), batch);
            }
            for (unsigned f = 0; f < ports.requests; f++) {
                request[f].write(made[issued % batch * ports.requests + f]);
            }
        }
    }

    gm_cosim_configuration configuration;
    scoreboard &board;
    std::deque<gm_fields> &received;
    gm_cosim_random requests, timing, noise;
    gm_cosim_plan plan{};
    std::array<uint64_t, static_cast<size_t>(batch) * GM_PORTS_FIELDS> made{};
    uint64_t issued = 0, answered = 0, idle_cycles = 0, idle_often = 0, stall_often = 0;
    uint64_t idle_left = 0, stall_left = 0; // of a long wait
};

uint64_t argument(int argc, char **argv, int at, uint64_t fallback)
{
    if (at >= argc) {
        return fallback;
    }
    char *end = nullptr;
    const uint64_t value = std::strtoull(argv[at], &end, 0);
    if (end == argv[at] || *end != '\0') {
        std::fprintf(stderr, "systemc: %s: not a number\n", argv[at]);
        std::exit(2);
    }
    return value;
}

void simulate(const gm_cosim_configuration &configuration, scoreboard &board, uint64_t seed)
{
    gm_cosim_random mix{seed};
    const uint64_t requests = gm_cosim_random_next(&mix);
    sc_core::sc_clock clk("clk", 2, sc_core::SC_NS);
    sc_core::sc_signal<bool> rst_n("rst_n");
    sc_core::sc_signal<uint32_t> mutant("mutant");
    gm_systemc_model model("model", configuration);
    Vtop rtl("rtl");
    side model_side("model_side", configuration, board, board.model, requests,
                    gm_cosim_random_next(&mix));
    side rtl_side("rtl_side", configuration, board, board.rtl, requests,
                  gm_cosim_random_next(&mix));
    model_side.connect(model);
    rtl_side.connect(rtl);
    model.clk_i(clk);
    model.rst_ni(rst_n);
    rtl.clk_i(clk);
    rtl.rst_ni(rst_n);
    rtl.mutant_i(mutant);
    model_side.clk(clk);
    model_side.rst_n(rst_n);
    rtl_side.clk(clk);
    rtl_side.rst_n(rst_n);

    rst_n.write(false);
    sc_core::sc_start(9, sc_core::SC_NS);
    rst_n.write(true);
    const auto start = std::chrono::steady_clock::now();
    const sc_core::sc_time from = sc_core::sc_time_stamp();
    if (status == 0) {
        sc_core::sc_start();
    }
    const double took =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const double cycles = (sc_core::sc_time_stamp() - from).to_seconds() * 0.5e9;
    static const char *const words[] = {"end", "mismatch", "usage", "assertion", "time-out"};
    if (status != 0) {
        std::printf("%s: SystemC: %s\n", ports.block, failure.c_str());
    }
    std::printf("%s: SystemC: %s: %llu transactions, %.0f cycles, %.2f s, %.3f million cycles/s\n",
                ports.block, words[status], static_cast<unsigned long long>(board.compared), cycles,
                took, 1e-6 * cycles / took);
}
} // namespace

extern "C" const char *const gm_cosim_lane_options[];

// Verilator's exits; its last message is the reason.
void vl_stop(const char *, int, const char *)
{
    fail(3, printed);
}

void vl_fatal(const char *, int, const char *, const char *message)
{
    fail(3, message);
}

int gm_cosim_printf(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = std::vsnprintf(printed, sizeof printed, format, arguments);
    va_end(arguments);
    printed[std::strcspn(printed, "\n")] = '\0';
    return length;
}

int sc_main(int argc, char **argv)
{
    scoreboard board;
    board.transactions = argument(argc, argv, 1, 20000);
    board.flip = argument(argc, argv, 3, UINT64_MAX);
    const uint64_t seed = argument(argc, argv, 2, 1);
    gm_cosim_configuration configuration;
    gm_error error;
    if (gm_cosim_block_here.configure(gm_cosim_lane_options[0], &configuration, &error) < 0) {
        std::fprintf(stderr, "%s: SystemC: %s\n", ports.block, error.text);
        return 2;
    }
    sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_DO_NOTHING);
    sc_core::sc_report_handler::set_actions(sc_core::SC_ID_SIMULATION_STOP_CALLED_TWICE_,
                                            sc_core::SC_DO_NOTHING);
    simulate(configuration, board, seed);
    return status;
}
