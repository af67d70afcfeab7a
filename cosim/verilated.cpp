// The engine's view of one Verilated top: pointers to its ports, evaluation, state, waveform and
// coverage. Compiled once per block with GM_PORTS_HEADER, GM_REQUEST, GM_RESPONSE and GM_TOP_NAME
// naming its port list; Vtop is the Verilated class.
#include "Vtop.h"
#include "Vtop__Syms.h"
#include "Vtop___024root.h"

#include "cosim.h"

#include <verilated.h>
#include <verilated_cov.h>
#include <verilated_fst_c.h>
#include <verilated_syms.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include GM_PORTS_HEADER

extern "C" {
extern const unsigned gm_cosim_lanes;
extern const char *const gm_cosim_module;
extern const int gm_cosim_mutants;
extern const char *const gm_cosim_lane_options[];
}

namespace
{
struct top : gm_cosim_dut {
    std::unique_ptr<VerilatedContext> context;
    std::unique_ptr<Vtop> model;
    std::unique_ptr<VerilatedFstC> fst;
    uint64_t time = 0;
    std::vector<uint32_t> counts; // of coverage, of the tops before this one
    // What find_element found: element `found_element` of the port list, of lane `found_lane`.
    const char *found_element = nullptr;
    unsigned found_lane = 0;
    VerilatedVar *memory = nullptr, *live = nullptr;
};

thread_local top *evaluating = nullptr; // whose assertion it is that fires
thread_local char last_text[512];       // what Verilator last printed

// A port of the top is its instances' ports side by side, which lie in memory as an array.
template <typename Port> uint8_t *bytes(Port *port)
{
    return reinterpret_cast<uint8_t *>(port);
}

template <typename Port> uint64_t *words(Port *port)
{
    return reinterpret_cast<uint64_t *>(port);
}

#ifdef GM_COSIM_NO_WAVEFORM
int dut_trace(gm_cosim_dut *, const char *path)
{
    return path == nullptr ? 0 : -ENOSYS;
}
#else
int dut_trace(gm_cosim_dut *dut, const char *path)
{
    auto *t = static_cast<top *>(dut);
    if (t->fst) {
        t->fst->close();
        t->fst.reset();
    }
    if (path != nullptr) {
        t->fst = std::make_unique<VerilatedFstC>();
        t->model->trace(t->fst.get(), 99);
        t->fst->open(path);
        if (!t->fst->isOpen()) {
            t->fst.reset();
            return -EIO;
        }
    }
    return 0;
}
#endif

// Ends the model before its context, which it uses to the end.
void close_model(top *t)
{
    Verilated::threadContextp(t->context.get());
    t->model->final();
    t->model.reset();
    t->context.reset();
}

// Returns the coverage counts of a top's symbols; none where it was built without coverage.
template <typename Syms>
auto counts_of(const Syms &from, int)
    -> decltype(std::begin(from.__Vcoverage), std::vector<uint32_t>())
{
    return {std::begin(from.__Vcoverage), std::end(from.__Vcoverage)};
}

template <typename Syms> std::vector<uint32_t> counts_of(const Syms &, long)
{
    return {};
}

// Gives the coverage counters of a top's symbols these values, 0 where there are none.
template <typename Syms>
auto set_counts(Syms &to, const std::vector<uint32_t> &counts, int)
    -> decltype(std::begin(to.__Vcoverage), void())
{
    std::fill(std::begin(to.__Vcoverage), std::end(to.__Vcoverage), 0U);
    std::copy(counts.begin(), counts.end(), std::begin(to.__Vcoverage));
}

template <typename Syms> void set_counts(Syms &, const std::vector<uint32_t> &, long)
{
}

void point_at_ports(top *t)
{
    Vtop &v = *t->model;
    t->clk = &v.clk_i;
    t->rst_n = bytes(&v.rst_ni);
    t->request_valid = bytes(&v.request_valid_i);
    t->response_ready = bytes(&v.response_ready_i);
    t->request_ready = bytes(&v.request_ready_o);
    t->response_valid = bytes(&v.response_valid_o);
    unsigned n = 0;
#define REQUEST_PORT(name, width, what) t->request[n++] = words(&v.name##_i);
    GM_REQUEST(REQUEST_PORT)
    n = 0;
#define RESPONSE_PORT(name, width, what) t->response[n++] = words(&v.name##_o);
    GM_RESPONSE(RESPONSE_PORT)
    t->mutant = gm_cosim_mutants != 0 ? &v.mutant_i : nullptr;
}

void dut_power_up(gm_cosim_dut *dut, uint64_t seed)
{
    auto *t = static_cast<top *>(dut);
    dut_trace(t, nullptr);
    auto context = std::make_unique<VerilatedContext>();
    context->traceEverOn(true);
    context->randReset(2); // registers and memories begin with anything
    context->randSeed(static_cast<int>(seed % INT32_MAX) + 1); // 0 would be the time of day
    Verilated::threadContextp(context.get());
    auto model = std::make_unique<Vtop>(context.get(), "top");
    if (t->model) {
        t->counts = counts_of(*t->model->rootp->vlSymsp, 0);
        close_model(t);
    }
    t->model = std::move(model);
    t->context = std::move(context);
    t->time = 0;
    t->found_element = nullptr;
    t->assertion[0] = '\0';
    point_at_ports(t);
}

void dut_count(gm_cosim_dut *dut)
{
    auto *t = static_cast<top *>(dut);
    set_counts(*t->model->rootp->vlSymsp, t->counts, 0);
}

gm_cosim_dut *dut_open(uint64_t seed)
{
    auto *t = new top{};
    t->lanes = gm_cosim_lanes;
    dut_power_up(t, seed);
    return t;
}

void dut_close(gm_cosim_dut *dut)
{
    dut_trace(dut, nullptr);
    auto *t = static_cast<top *>(dut);
    close_model(t);
    delete t;
}

void dut_eval(gm_cosim_dut *dut)
{
    auto *t = static_cast<top *>(dut);
    evaluating = t;
    Verilated::threadContextp(t->context.get());
    t->model->eval();
    if (t->fst) {
        t->fst->dump(t->time);
    }
    t->time++;
}

template <typename Word>
uint64_t part(const Word *words, uint64_t row, uint64_t stride, uint64_t lsb, uint64_t width)
{
    const uint64_t word_bits = 8 * sizeof(Word);
    const Word *at = words + row * stride + lsb / word_bits;
    const uint64_t skipped = lsb % word_bits;
    uint64_t value = static_cast<uint64_t>(*at) >> skipped;
    for (uint64_t have = word_bits - skipped; have < width; have += word_bits) {
        value |= static_cast<uint64_t>(*++at) << have;
    }
    value &= ~UINT64_C(0) >> (64 - width);
    return value;
}

// Bits of one word of a memory or a vector that Verilator made public.
uint64_t variable_part(VerilatedVar *variable, uint64_t row, uint64_t lsb, uint64_t width)
{
    const void *data = variable->datap();
    switch (variable->vltype()) {
    case VLVT_UINT8:
        return part(static_cast<const uint8_t *>(data), row, 1, lsb, width);
    case VLVT_UINT16:
        return part(static_cast<const uint16_t *>(data), row, 1, lsb, width);
    case VLVT_UINT32:
        return part(static_cast<const uint32_t *>(data), row, 1, lsb, width);
    case VLVT_UINT64:
        return part(static_cast<const uint64_t *>(data), row, 1, lsb, width);
    default:
        return part(static_cast<const uint32_t *>(data), row,
                    (static_cast<uint64_t>(variable->packed().elements()) + 31) / 32, lsb, width);
    }
}

// The scope `instance` in a part of the module, u_PART: the first that there is, or NULL.
const VerilatedScope *find_in_parts(VerilatedContext *context, const std::string &module,
                                    const std::string &instance)
{
    const std::string part = module + ".u_";
    const VerilatedScopeNameMap *scopes = context->scopeNameMap();
    for (auto at = scopes->lower_bound(part.c_str());
         at != scopes->end() && std::strncmp(at->first, part.c_str(), part.size()) == 0; ++at) {
        const std::string name = at->first;
        if (name.size() > part.size() + instance.size() &&
            name.compare(name.size() - instance.size(), instance.size(), instance) == 0) {
            return at->second;
        }
    }
    return nullptr;
}

VerilatedVar *find_variable(const VerilatedScope *scope, const std::string &name)
{
    return scope != nullptr ? scope->varFind(name.c_str()) : nullptr;
}

// Finds the memory or the register of a lane's state element by name; and the flops of the rows
// that do not read as 0: row_live of the memory, or, for a field MEMORY.FIELD, FIELD_live beside
// the memory if there is one.
void find_element(top *t, unsigned lane, const char *element)
{
    const std::string dut = "top." GM_TOP_NAME "_cosim.lane_" + std::to_string(lane) + ".dut";
    const std::string name = element;
    const size_t dot = name.find('.');
    const std::string instance = ".u_" + name.substr(0, dot);
    const VerilatedScope *sram = t->context->scopeFind((dut + instance).c_str());
    if (sram == nullptr) {
        sram = find_in_parts(t->context.get(), dut, instance);
    }
    t->memory = find_variable(sram, "mem");
    t->live = find_variable(sram, "row_live");
    if (sram != nullptr && dot != std::string::npos) {
        const std::string path = sram->name();
        const std::string part = path.substr(0, path.size() - instance.size());
        VerilatedVar *of_field =
            find_variable(t->context->scopeFind(part.c_str()), name.substr(dot + 1) + "_live");
        t->live = of_field != nullptr ? of_field : t->live;
    }
    if (t->memory == nullptr) {
        t->memory = find_variable(t->context->scopeFind(dut.c_str()), name + "_q");
    }
    t->found_lane = lane;
    t->found_element = element;
}

// An element is read from end to end: the last one found is kept.
int dut_state(gm_cosim_dut *dut, unsigned lane, const char *element, uint64_t row, uint64_t lsb,
              uint64_t width, uint64_t *value)
{
    auto *t = static_cast<top *>(dut);
    if (t->found_element != element || t->found_lane != lane) {
        find_element(t, lane, element);
    }
    if (t->memory == nullptr) {
        return -ENOENT;
    }
    const bool is_live = t->live == nullptr || variable_part(t->live, 0, row, 1) != 0;
    *value = is_live ? variable_part(t->memory, row, lsb, width) : 0;
    return 0;
}

void dut_coverage(gm_cosim_dut *dut, const char *path)
{
    static_cast<top *>(dut)->context->coveragep()->write(path);
}
} // namespace

// Verilator's way out when an assertion fails.
void vl_stop(const char *, int, const char *)
{
    if (evaluating != nullptr && evaluating->assertion[0] == '\0') {
        // "[0] %Error: FILE:LINE: Assertion failed in INSTANCE: ...": what comes after the label
        const char *label = std::strstr(last_text, "Error: ");
        std::snprintf(evaluating->assertion, sizeof evaluating->assertion, "%s",
                      label != nullptr ? label + 7 : last_text);
    }
}

void vl_fatal(const char *, int, const char *, const char *message)
{
    if (evaluating != nullptr && evaluating->assertion[0] == '\0') {
        std::snprintf(evaluating->assertion, sizeof evaluating->assertion, "%s", message);
    }
}

// Verilator's printf: kept for the report.
int gm_cosim_printf(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = std::vsnprintf(last_text, sizeof last_text, format, arguments);
    va_end(arguments);
    last_text[std::strcspn(last_text, "\n")] = '\0';
    return length;
}

extern "C" __attribute__((visibility("default"))) const gm_cosim_plugin_table *gm_cosim_plugin()
{
    static const gm_cosim_plugin_table table = {
        &gm_cosim_block_here,
        gm_cosim_lanes,
        gm_cosim_lane_options,
        gm_cosim_module,
#ifdef GOLDMEM_USER_RTL
        false,
#else
        true,
#endif
        dut_open,
        dut_close,
        dut_power_up,
        dut_count,
        dut_eval,
        dut_state,
        dut_trace,
        dut_coverage,
    };
    return &table;
}
