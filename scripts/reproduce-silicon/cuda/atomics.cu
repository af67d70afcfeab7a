/* Throughput of reductions and atomics, as the workload `atomics`. */
#include "measure.cuh"

template <bool RETURNS>
__global__ void add(unsigned *counter, unsigned words, unsigned stride, unsigned each,
                    unsigned *sink)
{
    unsigned *own =
        counter + (size_t)((blockIdx.x * blockDim.x + threadIdx.x) % words) * stride;
    unsigned most = 0;
#pragma unroll 1
    for (unsigned k = 0; k < each; k++) {
        if (RETURNS) {
            unsigned old;
            asm volatile("atom.global.add.u32 %0, [%1], 1;" : "=r"(old) : "l"(own) : "memory");
            most = max(most, old);
        } else {
            asm volatile("red.global.add.u32 [%0], 1;" ::"l"(own) : "memory");
        }
    }
    if (RETURNS && most == ~0U) {
        sink[0] = most;
    }
}

static unsigned *counter, *sink;
static double mhz;

template <bool RETURNS>
static void report_additions(const std::string &figure, unsigned ctas, unsigned threads,
                             unsigned words, unsigned stride)
{
    figures values;
    unsigned each = words < 256 ? 256 : 1024;
    for (int run = 0; run < 5; run++) {
        double taken[2];
        for (unsigned k = 0; k < 2; k++) {
            taken[k] = microseconds([&] {
                add<RETURNS><<<ctas, threads>>>(counter, words, stride, each << k, sink);
            });
        }
        values.push_back((double)ctas * threads * each / ((taken[1] - taken[0]) * mhz));
    }
    report(figure, "additions a cycle", values);
}

enum operation { ADD, ADD64, ADD_FLOAT, RETURN, EXCHANGE, SWAP };

/* Lanes below `active` of all warps operate on the words of place[lane]. */
template <operation WHAT>
__global__ void pattern(unsigned *counter, const unsigned *place, unsigned active, unsigned each,
                        unsigned *sink)
{
    unsigned lane = threadIdx.x % 32;
    unsigned *own = counter + place[lane];
    unsigned most = 0;
    if (lane < active) {
#pragma unroll 1
        for (unsigned k = 0; k < each; k++) {
            unsigned old = 0;
            if (WHAT == ADD) {
                asm volatile("red.global.add.u32 [%0], 1;" ::"l"(own) : "memory");
            } else if (WHAT == ADD64) {
                asm volatile("red.global.add.u64 [%0], 1;" ::"l"(own) : "memory");
            } else if (WHAT == ADD_FLOAT) {
                asm volatile("red.global.add.f32 [%0], 0f3F800000;" ::"l"(own) : "memory");
            } else if (WHAT == RETURN) {
                asm volatile("atom.global.add.u32 %0, [%1], 1;" : "=r"(old) : "l"(own) : "memory");
            } else if (WHAT == EXCHANGE) {
                asm volatile("atom.global.exch.b32 %0, [%1], 1;" : "=r"(old) : "l"(own) : "memory");
            } else {
                asm volatile("atom.global.cas.b32 %0, [%1], 1, 2;" : "=r"(old) : "l"(own) : "memory");
            }
            most = max(most, old);
        }
    }
    if (most == ~0U) {
        sink[0] = most;
    }
}

/* Reports the cycles of a warp's instruction at one slice of the L2 if all SMs send to it. */
template <operation WHAT>
static void report_pattern(const std::string &figure, const std::vector<unsigned> &places,
                           unsigned active)
{
    static unsigned *place = (unsigned *)device_memory(32 * sizeof *place);
    unsigned ctas = 2 * (unsigned)sms();
    const unsigned each = 32;
    CHECK(cudaMemcpy(place, places.data(), 32 * sizeof *place, cudaMemcpyHostToDevice));
    figures values;
    for (int run = 0; run < 3; run++) {
        double taken[2];
        for (unsigned k = 0; k < 2; k++) {
            taken[k] = microseconds(
                [&] { pattern<WHAT><<<ctas, 256>>>(counter, place, active, each << k, sink); });
        }
        values.push_back((taken[1] - taken[0]) * mhz / (ctas * 8 * each));
    }
    report(figure, "cycles", values);
}

template <operation WHAT> static void report_patterns(const std::string &name)
{
    std::vector<unsigned> places(32);
    for (unsigned words : {1, 2, 4, 8, 16, 32}) {
        for (unsigned i = 0; i < 32; i++) {
            places[i] = i % words * (WHAT == ADD64 ? 2 : 1);
        }
        report_pattern<WHAT>(name + ".words." + std::to_string(words), places, 32);
        for (unsigned i = 0; i < 32; i++) {
            places[i] = i / (32 / words) * (WHAT == ADD64 ? 2 : 1);
        }
        report_pattern<WHAT>(name + ".blocks." + std::to_string(words), places, 32);
    }
    for (unsigned active : {1, 2, 4, 8, 16}) {
        report_pattern<WHAT>(name + ".word." + std::to_string(active), std::vector<unsigned>(32),
                             active);
        for (unsigned i = 0; i < 32; i++) {
            places[i] = i * (WHAT == ADD64 ? 2 : 1);
        }
        report_pattern<WHAT>(name + ".lanes." + std::to_string(active), places, active);
    }
    for (unsigned i = 0; i < 32; i++) {
        places[i] = i * 8 % 32;
    }
    report_pattern<WHAT>(name + ".sectors.4", places, 4);
    for (unsigned i = 0; i < 32; i++) {
        places[i] = i % 4 * 8 + i / 16 * (WHAT == ADD64 ? 2 : 1);
    }
    report_pattern<WHAT>(name + ".sectors.4x2", places, 32);
}

/* Kernels of a warp with one reduction, for a profiler that counts requests: each lane to its own word of a line, but some to
 * another lane's. */
static void launch_for_counters(void)
{
    struct pair {
        unsigned lane, word;
    };
    const std::vector<std::vector<pair>> patterns = {
        {},
        {{1, 0}},
        {{2, 0}},
        {{4, 0}},
        {{7, 0}},
        {{8, 0}},
        {{9, 0}},
        {{12, 0}},
        {{15, 0}},
        {{16, 0}},
        {{17, 0}},
        {{24, 0}},
        {{31, 0}},
        {{9, 8}},
        {{15, 8}},
        {{16, 8}},
        {{20, 12}},
        {{25, 24}},
        {{31, 24}},
        {{31, 30}},
        {{1, 0}, {2, 0}},
        {{1, 0}, {3, 2}},
        {{1, 0}, {9, 8}},
        {{1, 0}, {9, 8}, {17, 16}, {25, 24}},
        {{8, 0}, {9, 1}},
        {{8, 0}, {16, 1}},
        {{8, 0}, {16, 1}, {24, 2}},
        {{16, 0}, {24, 1}},
        {{16, 0}, {17, 1}, {18, 2}, {19, 3}},
        {{9, 0}, {31, 2}},
        {{8, 0}, {9, 0}, {10, 0}, {11, 0}},
        {{8, 0}, {16, 0}, {24, 0}},
        {{9, 0}, {18, 1}, {27, 2}},
        {{3, 0}, {5, 1}, {12, 2}, {20, 13}, {30, 7}},
        {{7, 6}, {15, 14}, {23, 22}, {31, 30}},
        {{0, 31}},
        {{0, 8}, {1, 9}, {2, 10}, {3, 11}, {4, 12}, {5, 13}, {6, 14}, {7, 15}},
    };
    unsigned *place = (unsigned *)device_memory(32 * sizeof *place);
    for (const std::vector<pair> &pattern_of : patterns) {
        std::vector<unsigned> places(32);
        std::string name = "red.lanes";
        for (unsigned i = 0; i < 32; i++) {
            places[i] = i;
        }
        for (pair p : pattern_of) {
            places[p.lane] = p.word;
            name += " " + std::to_string(p.lane) + "=" + std::to_string(p.word);
        }
        CHECK(cudaMemcpy(place, places.data(), 32 * sizeof *place, cudaMemcpyHostToDevice));
        pattern<ADD><<<1, 32>>>(counter, place, 32, 1, sink);
        CHECK(cudaDeviceSynchronize());
        printf("launch;%s\n", name.c_str());
    }
}

int main(int argc, char **argv)
{
    counter = (unsigned *)device_memory((size_t)64 << 20);
    sink = (unsigned *)device_memory(64);
    if (argc > 1 && std::string(argv[1]) == "counted") {
        launch_for_counters();
        return 0;
    }
    print_device();
    mhz = clock_mhz();
    unsigned count = (unsigned)sms();
    for (unsigned words : {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 4096, 16384, 65536}) {
        std::string w = std::to_string(words);
        report_additions<false>(words == 1       ? "atomics.word"
                                : words == 32    ? "atomics.lane"
                                : words == 65536 ? "atomics.thread"
                                                 : "atomics." + w,
                                2 * count, 256, words, 1);
        report_additions<true>("atomics.returns." + w, 2 * count, 256, words, 1);
    }
    report_additions<false>("atomics.lane.sectors", 2 * count, 256, 32, 8);
    report_additions<false>("atomics.lane.lines", 2 * count, 256, 32, 32);
    report_additions<false>("atomics.thread.sectors", 2 * count, 256, 65536, 8);
    report_additions<false>("atomics.thread.lines", 2 * count, 256, 65536, 32);
    for (unsigned words : {1, 8, 32, 256, 1024}) { /* from one SM */
        report_additions<false>("atomics.sm." + std::to_string(words), 1, 1024, words, 1);
    }
    report_additions<false>("atomics.sm.lines", 1, 1024, 1024, 32);
    report_patterns<ADD>("red.add");
    report_patterns<ADD64>("red.add64");
    report_patterns<ADD_FLOAT>("red.float");
    report_patterns<RETURN>("atom.add");
    report_patterns<EXCHANGE>("atom.exch");
    report_patterns<SWAP>("atom.cas");
    print_device();
    return 0;
}
