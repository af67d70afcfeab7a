/* Latencies by pointer chase, as the workload `chase`: one lane's dependent loads of a ring. Each element of the ring holds
 * the next one's address, so that nothing but the load is between two loads. */
#include "measure.cuh"

#include <random>

enum cached { L1, L2 }; /* from where loads may be served */

template <cached WHERE> __device__ static inline uint64_t load(uint64_t address)
{
    uint64_t value;
    if (WHERE == L1) {
        asm volatile("ld.global.ca.u64 %0, [%1];" : "=l"(value) : "l"(address) : "memory");
    } else {
        asm volatile("ld.global.cg.u64 %0, [%1];" : "=l"(value) : "l"(address) : "memory");
    }
    return value;
}

/* Links `count` elements, `stride` bytes apart, in the order given. */
__global__ void link_ring(char *memory, size_t stride, const unsigned *order, unsigned count)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        unsigned next = order[i + 1 == count ? 0 : i + 1];
        *(uint64_t *)(memory + order[i] * stride) = (uint64_t)(memory + next * stride);
    }
}

/* Follows the ring for `warm` loads, then for `loads`, a multiple of 16, which it times. */
template <cached WHERE>
__global__ void chase(char *memory, unsigned warm, unsigned loads, uint64_t *result)
{
    uint64_t place = (uint64_t)memory;
    for (unsigned i = 0; i < warm; i++) {
        place = load<WHERE>(place);
    }
    if (place == 0) { /* never: the clock is read when the last load is back. A fence would empty the L1. */
        result[2] = 1;
    }
    long long begin = clock64();
    for (unsigned i = 0; i < loads; i += 16) {
#pragma unroll
        for (int k = 0; k < 16; k++) {
            place = load<WHERE>(place);
        }
    }
    if (place == 0) {
        result[2] = 1;
    }
    result[0] = (uint64_t)(clock64() - begin);
    result[1] = place;
}

/* One CTA after another does it, all being there from the beginning, each on an SM of its own. */
__global__ void chase_in_turn(char *memory, size_t apart, unsigned warm, unsigned loads,
                              volatile unsigned *turn, uint64_t *cycles)
{
    extern __shared__ uint64_t only[];
    while (*turn != blockIdx.x) {
        __nanosleep(1000);
    }
    uint64_t place = (uint64_t)(memory + blockIdx.x * apart);
    for (unsigned i = 0; i < warm; i++) {
        place = load<L1>(place);
    }
    if (place == 0) {
        only[0] = 1;
    }
    long long begin = clock64();
    for (unsigned i = 0; i < loads; i++) {
        place = load<L1>(place);
    }
    if (place == 0) {
        only[0] = 1;
    }
    cycles[blockIdx.x] = (uint64_t)(clock64() - begin);
    __threadfence();
    *turn = blockIdx.x + 1;
}

/* Chases through shared memory. */
__global__ void chase_shared(unsigned bytes, unsigned loads, uint64_t *result)
{
    extern __shared__ unsigned ring[];
    unsigned base = (unsigned)__cvta_generic_to_shared(ring);
    for (unsigned at = 0; at < bytes; at += 128) {
        ring[at / 4] = base + (at + 128 < bytes ? at + 128 : 0);
    }
    __syncthreads();
    unsigned place = base;
    long long begin = clock64();
    for (unsigned i = 0; i < loads; i += 16) {
#pragma unroll
        for (int k = 0; k < 16; k++) {
            asm volatile("ld.shared.u32 %0, [%0];" : "+r"(place)::"memory");
        }
    }
    if (place == 0) {
        result[2] = 1;
    }
    result[0] = (uint64_t)(clock64() - begin);
    result[1] = place;
}

/* Dependent additions with the old value used: each address is the same, or the next word's. */
__global__ void chase_atomics(unsigned *word, unsigned loads, unsigned mask, uint64_t *result)
{
    unsigned old = 0;
    long long begin = clock64();
    for (unsigned i = 0; i < loads; i++) {
        old = atomicAdd(word + ((i + old) & mask), 0U); /* all words are 0 */
    }
    if (old != 0) {
        result[2] = 1;
    }
    result[0] = (uint64_t)(clock64() - begin);
}

/* Cycles of each of `loads` loads by itself, `step` bytes apart, in ascending order. */
template <cached WHERE>
__global__ void each_load(char *memory, unsigned step, unsigned loads, unsigned *cycles)
{
    __shared__ volatile uint64_t sink;
    uint64_t place = (uint64_t)memory;
    for (unsigned i = 0; i < loads; i++) {
        unsigned begin = (unsigned)clock();
        uint64_t value = load<WHERE>(place);
        sink = value;
        unsigned end = (unsigned)clock();
        cycles[i] = end - begin;
        place += step + value; /* all words are 0 */
    }
}

/* Follows the ring for `warm` loads, then notes of each of `loads`, a multiple of 32, whether it takes `limit` cycles or more, a
 * bit each: so little is written that the L1 keeps its lines. */
__global__ void chase_misses(char *memory, unsigned warm, unsigned loads, unsigned limit,
                             unsigned *slow)
{
    __shared__ volatile uint64_t sink;
    uint64_t place = (uint64_t)memory;
    for (unsigned i = 0; i < warm; i++) {
        place = load<L1>(place);
    }
    for (unsigned i = 0; i < loads; i += 32) {
        unsigned bits = 0;
        for (unsigned k = 0; k < 32; k++) {
            unsigned begin = (unsigned)clock();
            place = load<L1>(place);
            sink = place;
            unsigned end = (unsigned)clock();
            bits |= (end - begin >= limit ? 1U : 0U) << k;
        }
        slow[i / 32] = bits;
    }
}

/* Notes the cycles of each of `loads` loads of a ring, after `warm` loads. */
__global__ void chase_each(char *memory, unsigned warm, unsigned loads, unsigned *cycles)
{
    __shared__ volatile uint64_t sink;
    uint64_t place = (uint64_t)memory;
    for (unsigned i = 0; i < warm; i++) {
        place = load<L1>(place);
    }
    for (unsigned i = 0; i < loads; i++) {
        unsigned begin = (unsigned)clock();
        place = load<L1>(place);
        sink = place;
        unsigned end = (unsigned)clock();
        cycles[i] = end - begin;
    }
}

/* From each SM (a CTA on each) the fewest cycles that a load from the L2 takes, of lines `step` bytes apart. */
__global__ void from_each_sm(char *memory, unsigned step, unsigned lines, unsigned *cycles,
                             unsigned *sm)
{
    extern __shared__ volatile uint64_t big[];
    asm("mov.u32 %0, %%smid;" : "=r"(sm[blockIdx.x]));
    for (unsigned l = 0; l < lines; l++) {
        unsigned line = (l + blockIdx.x * 7) % lines;
        uint64_t place = (uint64_t)(memory + (size_t)line * step);
        unsigned least = ~0U;
        for (int k = 0; k < 8; k++) {
            unsigned begin = (unsigned)clock();
            uint64_t value = load<L2>(place);
            big[0] = value;
            unsigned end = (unsigned)clock();
            place += value;
            least = min(least, end - begin);
        }
        cycles[blockIdx.x * lines + line] = least;
    }
}

static char *memory;
static const size_t memory_bytes = (size_t)8 << 30;
static uint64_t *result;

/* Makes a ring of `count` elements, in random or ascending order. */
static void make_ring(char *at, size_t stride, unsigned count, bool shuffled)
{
    static std::mt19937 random(1);
    std::vector<unsigned> order(count);
    for (unsigned i = 0; i < count; i++) {
        order[i] = i;
    }
    if (shuffled) {
        std::shuffle(order.begin() + 1, order.end(), random);
    }
    unsigned *copy = nullptr;
    CHECK(cudaMalloc((void **)&copy, count * sizeof *copy));
    CHECK(cudaMemcpy(copy, order.data(), count * sizeof *copy, cudaMemcpyHostToDevice));
    link_ring<<<(count + 255) / 256, 256>>>(at, stride, copy, count);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(copy));
}

static double cycles_of_load(unsigned loads)
{
    uint64_t host[2];
    CHECK(cudaMemcpy(host, result, sizeof host, cudaMemcpyDeviceToHost));
    return (double)host[0] / loads;
}

template <cached WHERE> static double run_chase(char *at, unsigned warm, unsigned loads)
{
    loads = (loads + 15) / 16 * 16;
    chase<WHERE><<<1, 1>>>(at, warm, loads, result);
    CHECK(cudaGetLastError());
    return cycles_of_load(loads);
}

/* Reports a ring of neighbouring lines, run after one or two rounds. */
template <cached WHERE>
static void report_round(const std::string &figure, size_t bytes, size_t stride, bool shuffled,
                         int runs)
{
    unsigned count = (unsigned)(bytes / stride);
    make_ring(memory, stride, count, shuffled);
    figures values;
    for (int i = 0; i < runs; i++) {
        unsigned rounds = bytes < 8 << 20 ? 2 : i == 0 ? 1 : 0;
        values.push_back(run_chase<WHERE>(memory, rounds * count, std::max(count, 4096U)));
    }
    report(figure, "cycles", values);
}

/* Reports places in a footprint, each visited for the first time. */
static void report_cold(const std::string &figure, size_t bytes, bool shuffled)
{
    const unsigned most = 1 << 16;
    unsigned count = (unsigned)std::min(bytes / 128, (size_t)most);
    size_t stride = bytes / count / 128 * 128;
    if (stride > 128 && stride / 128 % 2 == 0) {
        stride -= 128; /* an odd number of lines */
    }
    make_ring(memory, stride, count, shuffled);
    figures values;
    for (int i = 0; i < 3; i++) {
        flush_l2();
        values.push_back(run_chase<L1>(memory, 256, count - 512));
    }
    report(figure, "cycles", values);
}

/* Reports what a load takes from each SM: from the L2, then from DRAM at places that are visited for the first time. */
static void report_from_sms(void)
{
    unsigned count = (unsigned)sms();
    const unsigned loads = 2000;
    const unsigned lines = 8192;
    unsigned *turn = (unsigned *)device_memory(sizeof *turn);
    uint64_t *cycles = (uint64_t *)device_memory(count * sizeof *cycles);
    std::vector<uint64_t> host(count);
    allow_shared(chase_in_turn, shared_for(1));
    for (bool dram : {false, true}) {
        size_t stride = dram ? 1664 : 128; /* an odd number of lines */
        unsigned places = dram ? count * 2048 : lines;
        make_ring(memory, stride, places, !dram);
        if (dram) {
            flush_l2();
        }
        CHECK(cudaMemset(turn, 0, sizeof *turn));
        chase_in_turn<<<count, 1, shared_for(1)>>>(memory, dram ? 2048 * stride : 0,
                                                   dram ? 32 : 2 * lines, dram ? loads : lines,
                                                   turn, cycles);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(host.data(), cycles, count * sizeof *cycles, cudaMemcpyDeviceToHost));
        figures values;
        for (uint64_t c : host) {
            values.push_back((double)c / (dram ? loads : lines));
        }
        report(dram ? "latency.dram.sms" : "latency.l2.sms", "cycles", values);
    }
}

static void report_levels(void)
{
    report_round<L1>("latency.l1", 16 << 10, 128, true, 7);
    report_round<L1>("latency.l1.ascending", 16 << 10, 128, false, 7);
    report_round<L1>("latency.l1.sectors", 16 << 10, 32, true, 7);
    report_round<L2>("latency.cg", 16 << 10, 128, true, 7);
    report_round<L1>("latency.l2", 1 << 20, 128, true, 7);
    report_round<L1>("latency.l2.ascending", 1 << 20, 128, false, 7);
    for (unsigned mb : {64, 128, 256, 512, 1024, 2048, 4096, 8192}) {
        report_cold(mb == 256 ? "latency.dram" : "latency.dram." + std::to_string(mb),
                    (size_t)mb << 20, true);
    }
    report_cold("latency.dram.ascending", 256 << 20, false);
    figures values;
    for (int i = 0; i < 7; i++) {
        chase_shared<<<1, 1, 4096>>>(4096, 4096, result);
        values.push_back(cycles_of_load(4096));
    }
    report("latency.shared", "cycles", values);
    for (unsigned mask : {0U, 1023U}) {
        values.clear();
        CHECK(cudaMemset(memory, 0, 4096));
        for (int i = 0; i < 7; i++) {
            chase_atomics<<<1, 1>>>((unsigned *)memory, 4096, mask, result);
            values.push_back(cycles_of_load(4096));
        }
        report(mask == 0 ? "latency.atomic" : "latency.atomic.words", "cycles", values);
    }
}

/* The footprints of silicon_curve.csv for h100, and more about the levels' ends. */
static void report_curve(void)
{
    for (const char *kb : {"16.0", "58.6", "100.1", "183.1", "200", "204", "208", "212.9", "216", "220", "224", "228", "232",
                           "236", "240", "247.4", "252", "256", "264", "272", "287.6", "304", "320", "334.1", "952.4",
                           "4239.8", "10379.4", "20312.2", "25406.8", "29494.6"}) {
        size_t lines = (size_t)(atof(kb) * 8);
        report_round<L1>(std::string("curve.") + kb, lines * 128, 128, true, 3);
    }
    for (unsigned mb : {24, 26, 28, 30, 32, 36, 40, 44, 48, 52, 56, 60, 64, 80, 96}) {
        report_round<L1>("curve." + std::to_string(mb << 10), (size_t)mb << 20, 128, true, 2);
    }
}

/* Where the L1 ends with so much shared memory in use: the greatest footprint that is served in less than two cycles more
 * than L1 latency, and the smallest one that takes the L2's. */
static void report_carve_out(const char *file)
{
    FILE *out = file == nullptr ? nullptr : fopen(file, "w");
    const unsigned step = 4 << 10;
    const unsigned most = 264 << 10;
    double near = 0;
    double far = 0;
    std::vector<char *> ring;
    char *at = memory;
    for (unsigned bytes = step; bytes <= most; bytes += step) {
        make_ring(at, 128, bytes / 128, true);
        ring.push_back(at);
        at += (bytes + (1 << 20) - 1) >> 20 << 20;
    }
    near = run_chase<L1>(ring[3], 512, 4096);
    far = run_chase<L2>(ring[3], 512, 4096);
    allow_shared(chase<L1>, 227 << 10);
    for (unsigned kb : {0, 8, 16, 32, 64, 99, 100, 131, 132, 163, 164, 195, 196, 227}) {
        double holds = 0;
        double leaves = 0;
        for (unsigned i = 0; i < ring.size(); i++) {
            unsigned lines = (i + 1) * step / 128;
            chase<L1><<<1, 1, kb << 10>>>(ring[i], 3 * lines, std::max(lines, 512U) / 16 * 16,
                                          result);
            double cycles = cycles_of_load(std::max(lines, 512U) / 16 * 16);
            if (out != nullptr) {
                fprintf(out, "%u;%u;%.2f\n", kb, (i + 1) * step >> 10, cycles);
            }
            holds = cycles < near + 2 ? (i + 1) * step >> 10 : holds;
            leaves = leaves == 0 && cycles > 0.97 * far ? (i + 1) * step >> 10 : leaves;
        }
        report("carve." + std::to_string(kb) + ".holds", "KB", {holds});
        report("carve." + std::to_string(kb) + ".leaves", "KB", {leaves});
    }
    if (out != nullptr) {
        fclose(out);
    }
}

/* Writes which lines of a footprint a chase in ascending order misses: KB of shared memory; KB; 32 lines in each word. */
static void write_misses(const char *file)
{
    FILE *out = fopen(file, "w");
    if (out == nullptr) {
        perror(file);
        exit(1);
    }
    unsigned *slow = (unsigned *)device_memory(4096);
    allow_shared(chase_misses, 220 << 10);
    auto write = [&](unsigned shared, unsigned kb) {
        unsigned lines = kb * 8;
        unsigned host[1024];
        make_ring(memory, 128, lines, false);
        for (int round = 0; round < 2; round++) {
            chase_misses<<<1, 1, shared << 10>>>(memory, 3 * lines, lines / 32 * 32, 150, slow);
        }
        CHECK(cudaMemcpy(host, slow, lines / 8, cudaMemcpyDeviceToHost));
        fprintf(out, "%u;%u;", shared, kb);
        for (unsigned i = 0; i < lines / 32; i++) {
            fprintf(out, "%08x", host[i]);
        }
        fprintf(out, "\n");
    };
    for (unsigned kb = 212; kb <= 324; kb += 4) {
        write(0, kb);
    }
    for (unsigned kb = 16; kb <= 44; kb += 4) {
        write(99, kb);
    }
    for (unsigned kb = 40; kb <= 112; kb += 4) {
        write(195, kb);
    }
    for (unsigned kb = 80; kb <= 176; kb += 8) {
        write(163, kb);
    }
    fclose(out);
}

/* Reports the distribution of a chase's latencies over a footprint. Returns the mean of those below 500 cycles, which are no
 * accesses to DRAM; the two readings of the clock count in them. */
static double report_plateau(unsigned mb)
{
    const unsigned loads = 1 << 14;
    static unsigned *cycles = (unsigned *)device_memory(loads * sizeof *cycles);
    std::vector<unsigned> host(loads);
    unsigned lines = mb << 13;
    make_ring(memory, 128, lines, true);
    chase_each<<<1, 1>>>(memory, 2 * lines, loads, cycles);
    CHECK(cudaMemcpy(host.data(), cycles, loads * sizeof *cycles, cudaMemcpyDeviceToHost));
    unsigned count[16] = {0};
    for (unsigned c : host) {
        count[std::min(c / 64, 15U)]++;
    }
    for (unsigned i = 0; i < 16; i++) {
        if (count[i] != 0) {
            report("plateau." + std::to_string(mb) + "." + std::to_string(64 * i), "loads",
                   {(double)count[i]});
        }
    }
    double sum = 0;
    double hits = 0;
    for (unsigned c : host) {
        sum += c < 500 ? c : 0;
        hits += c < 500;
    }
    return sum / std::max(hits, 1.0);
}

/* Between half of the L2 and all of it, a line is in the far half if at all: how long a load of it takes. */
static void report_far(void)
{
    double near = report_plateau(16);
    double far = report_plateau(40);
    make_ring(memory, 128, 8192, true);
    report("latency.far", "cycles", {run_chase<L1>(memory, 16384, 8192) + far - near});
    for (unsigned mb : {28, 32, 48, 64}) {
        report_plateau(mb);
    }
}

/* Loads of neighbouring sectors, by position in 512 bytes: from DRAM, then from the L2. */
template <cached WHERE> static void report_sectors(const std::string &figure, bool flush)
{
    const unsigned loads = 2048;
    const unsigned positions = 16;
    static unsigned *cycles = (unsigned *)device_memory(loads * sizeof *cycles);
    std::vector<unsigned> host(loads);
    CHECK(cudaMemset(memory, 0, loads * 32));
    if (flush) {
        flush_l2();
    }
    each_load<WHERE><<<1, 1>>>(memory, 32, loads, cycles);
    CHECK(cudaMemcpy(host.data(), cycles, loads * sizeof *cycles, cudaMemcpyDeviceToHost));
    for (unsigned p = 0; p < positions; p++) {
        figures values;
        for (unsigned i = p + positions; i < loads; i += positions) {
            values.push_back(host[i]);
        }
        report(figure + "." + std::to_string(p), "cycles", values);
    }
}

/* Cycles from each SM to each of some lines, to a file for each row an SM; and their distribution. */
static void report_sides(const char *file)
{
    const unsigned lines = 256;
    const unsigned step = 4224;
    unsigned count = (unsigned)sms();
    unsigned *cycles = (unsigned *)device_memory(count * lines * sizeof *cycles);
    unsigned *sm = (unsigned *)device_memory(count * sizeof *sm);
    CHECK(cudaMemset(memory, 0, lines * step + 128));
    allow_shared(from_each_sm, shared_for(1));
    from_each_sm<<<count, 1, shared_for(1)>>>(memory, step, lines, cycles, sm);
    std::vector<unsigned> host(count * lines);
    std::vector<unsigned> number(count);
    CHECK(cudaMemcpy(host.data(), cycles, host.size() * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(number.data(), sm, count * 4, cudaMemcpyDeviceToHost));
    FILE *out = file == nullptr ? nullptr : fopen(file, "w");
    for (unsigned i = 0; out != nullptr && i < count; i++) {
        fprintf(out, "%u", number[i]);
        for (unsigned l = 0; l < lines; l++) {
            fprintf(out, ",%u", host[i * lines + l]);
        }
        fprintf(out, "\n");
    }
    if (out != nullptr) {
        fclose(out);
    }
    std::sort(host.begin(), host.end());
    for (unsigned percent : {0, 1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99}) {
        report("sides." + std::to_string(percent) + "%", "cycles",
               {(double)host[host.size() * percent / 100]});
    }
}

int main(int argc, char **argv)
{
    print_device();
    CHECK(cudaMalloc((void **)&memory, memory_bytes));
    result = (uint64_t *)device_memory(4 * sizeof *result);
    report_levels();
    report_from_sms();
    report_sides(argc > 1 ? argv[1] : nullptr);
    report_sectors<L1>("sectors.dram", true);
    report_sectors<L1>("sectors.l2", false);
    report_sectors<L2>("sectors.cg", false);
    report_carve_out(argc > 2 ? argv[2] : nullptr);
    if (argc > 3) {
        write_misses(argv[3]);
    }
    report_far();
    report_curve();
    print_device();
    return 0;
}
