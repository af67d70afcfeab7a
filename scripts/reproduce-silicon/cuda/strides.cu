/* Passes of a warp's load through the L1 and through shared memory, as the workload `conflicts`. */
#include "measure.cuh"

enum { WARPS = 32, WORDS = 8192 };

__device__ static inline uint32_t load(const uint32_t *at)
{
    uint32_t value;
    asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(value) : "l"(at));
    return value;
}

/* 32 warps load from the places of `offset`, of a thread for each two warps; eight loads `step` words apart, in the order
 * of gpu-strides [RRZE-HPC/gpu-benches]; all data are in the L1. */
__global__ void strides(const uint32_t *data, const unsigned *offset, unsigned step,
                        unsigned rounds, uint32_t *sink, uint64_t *cycles)
{
    const uint32_t *own = data + offset[threadIdx.x % 64];
    uint32_t sum = 0;
    long long begin = 0;
    for (unsigned i = 0; i < rounds + 2; i++) {
        if (i == 2) { /* the L1 has the data */
            __syncthreads();
            begin = clock64();
        }
        uint32_t v0 = load(own);
        uint32_t v1 = load(own + step);
        uint32_t v2 = load(own + 2 * step);
        uint32_t v3 = load(own + 3 * step);
        uint32_t v4 = load(own + 5 * step);
        uint32_t v5 = load(own + 4 * step);
        uint32_t v6 = load(own + 6 * step);
        uint32_t v7 = load(own + 7 * step);
        sum += v0 + v1 + v2 + v3 + v4 + v5 + v6 + v7;
        __syncwarp(); /* else the compiler leaves out every second round */
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        cycles[0] = (uint64_t)(clock64() - begin);
    }
    sink[threadIdx.x] = sum;
}

/* Loads of shared memory with each stride. */
__global__ void strides_shared(const unsigned *offset, unsigned step, unsigned rounds,
                               uint32_t *sink, uint64_t *cycles)
{
    extern __shared__ uint32_t words[];
    for (unsigned i = threadIdx.x; i < WORDS; i += blockDim.x) {
        words[i] = i;
    }
    __syncthreads();
    unsigned own = (unsigned)__cvta_generic_to_shared(words + offset[threadIdx.x % 64]);
    uint32_t sum = 0;
    long long begin = clock64();
    for (unsigned i = 0; i < rounds; i++) {
        uint32_t v[8];
#pragma unroll
        for (int k = 0; k < 8; k++) {
            asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v[k]) : "r"(own + 4 * k * step));
        }
        sum += v[0] + v[1] + v[2] + v[3] + v[4] + v[5] + v[6] + v[7];
        __syncwarp();
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        cycles[0] = (uint64_t)(clock64() - begin);
    }
    sink[threadIdx.x] = sum;
}

/* A warp's dependent loads of shared memory: each word holds its own address. */
__global__ void conflicts(unsigned stride, unsigned loads, uint32_t *sink, uint64_t *cycles)
{
    __shared__ uint32_t next[1024];
    unsigned base = (unsigned)__cvta_generic_to_shared(next);
    for (unsigned i = threadIdx.x; i < 1024; i += blockDim.x) {
        next[i] = base + 4 * i;
    }
    __syncthreads();
    unsigned place = base + 4 * (threadIdx.x * stride);
    long long begin = clock64();
    for (unsigned i = 0; i < loads; i += 8) {
#pragma unroll
        for (int k = 0; k < 8; k++) {
            asm volatile("ld.shared.u32 %0, [%0];" : "+r"(place)::"memory");
        }
    }
    if (place == 0) {
        sink[1] = 1;
    }
    cycles[0] = (uint64_t)(clock64() - begin);
    sink[threadIdx.x] = place;
}

/* Loads of the L1 with each stride: each word holds its own place. What the place's address takes is the same for all strides. */
__global__ void conflicts_l1(const uint32_t *own, unsigned stride, unsigned loads, uint32_t *sink,
                             uint64_t *cycles)
{
    unsigned place = threadIdx.x * stride;
    long long begin = 0;
    for (unsigned i = 0; i < loads + 8; i += 8) {
        if (i == 8) {
            begin = clock64();
        }
#pragma unroll
        for (int k = 0; k < 8; k++) {
            asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(place) : "l"(own + place) : "memory");
        }
    }
    if (place == ~0U) {
        sink[1] = 1;
    }
    cycles[0] = (uint64_t)(clock64() - begin);
    sink[threadIdx.x] = place;
}

static uint32_t *data, *sink;
static unsigned *offset;
static uint64_t *cycles;

static double taken(void)
{
    uint64_t host = 0;
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&host, cycles, sizeof host, cudaMemcpyDeviceToHost));
    return (double)host;
}

/* Returns the cycles of a warp's load, from runs of two lengths. */
static double cycles_of_load(const std::vector<unsigned> &places, unsigned step, bool shared)
{
    const unsigned rounds = 32;
    CHECK(cudaMemcpy(offset, places.data(), 64 * sizeof *offset, cudaMemcpyHostToDevice));
    double long_and_short[2];
    for (unsigned k = 0; k < 2; k++) {
        unsigned n = rounds << k;
        if (shared) {
            strides_shared<<<1, 32 * WARPS, WORDS * 4>>>(offset, step, n, sink, cycles);
        } else {
            strides<<<1, 32 * WARPS>>>(data, offset, step, n, sink, cycles);
        }
        long_and_short[k] = taken();
    }
    return (long_and_short[1] - long_and_short[0]) / (rounds * 8 * WARPS);
}

static void report_places(const std::string &figure, const std::vector<unsigned> &places,
                          unsigned step, bool shared)
{
    figures values;
    for (int run = 0; run < 5; run++) {
        values.push_back(cycles_of_load(places, step, shared));
    }
    report(figure, "cycles a load", values);
}

/* The places of 64 lanes `stride` words apart, or of 32 lanes twice. */
static std::vector<unsigned> apart(unsigned stride, unsigned lanes, unsigned first)
{
    std::vector<unsigned> places(64);
    for (unsigned i = 0; i < 64; i++) {
        places[i] = first + i % lanes * stride;
    }
    return places;
}

/* Kernels for a profiler that counts passes: figure by figure, one launch each. */
static void launch_for_counters(void)
{
    for (unsigned stride : {1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 15, 16, 17, 31, 32}) {
        std::vector<unsigned> places = apart(stride, 64, 0);
        CHECK(cudaMemcpy(offset, places.data(), 64 * sizeof *offset, cudaMemcpyHostToDevice));
        printf("launch;strides.%u\n", stride);
        strides<<<1, 32 * WARPS>>>(data, offset, 4, 62, sink, cycles);
        CHECK(cudaDeviceSynchronize());
    }
}

int main(int argc, char **argv)
{
    (void)argv;
    data = (uint32_t *)device_memory(WORDS * sizeof *data);
    sink = (uint32_t *)device_memory(1024 * sizeof *sink);
    offset = (unsigned *)device_memory(64 * sizeof *offset);
    cycles = (uint64_t *)device_memory(sizeof *cycles);
    allow_shared(strides_shared, WORDS * 4);
    if (argc > 1) {
        launch_for_counters();
        return 0;
    }
    print_device();
    for (unsigned stride = 1; stride <= 32; stride++) {
        std::string s = "." + std::to_string(stride);
        report_places("strides" + s, apart(stride, 64, 0), 4, false);
        report_places("strides.shared" + s, apart(stride, 64, 0), 4, true);
        figures values;
        for (int run = 0; run < 5; run++) {
            conflicts<<<1, 32>>>(stride, 4096, sink, cycles);
            values.push_back(taken() / 4096);
        }
        report("conflicts" + s, "cycles", values);
    }
    std::vector<uint32_t> places(1024);
    for (unsigned i = 0; i < 1024; i++) {
        places[i] = i;
    }
    uint32_t *own = (uint32_t *)device_memory(1024 * sizeof *own);
    CHECK(cudaMemcpy(own, places.data(), 1024 * sizeof *own, cudaMemcpyHostToDevice));
    for (unsigned stride : {1, 2, 4, 8, 16, 32}) {
        figures values;
        for (int run = 0; run < 5; run++) {
            conflicts_l1<<<1, 32>>>(own, stride, 4096, sink, cycles);
            values.push_back(taken() / 4096);
        }
        report("conflicts.l1." + std::to_string(stride), "cycles", values);
    }
    /* One row of lanes at one place, `offset` words behind the beginning of a line. */
    for (unsigned stride = 1; stride <= 32; stride++) {
        for (unsigned first = 0; first < 32; first += 4) {
            report_places("stride." + std::to_string(stride) + "+" + std::to_string(first),
                          apart(stride, 32, first), 0, false);
        }
    }
    /* Lane i at word i of a line, so that no bank has two words: as many lines, so far apart. */
    for (unsigned lines : {1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32}) {
        for (unsigned distance : {1, 2, 3, 4, 5, 6, 7, 8}) {
            std::vector<unsigned> places(64);
            for (unsigned i = 0; i < 64; i++) {
                places[i] = i % 32 + 32 * distance * (i % 32 % lines);
            }
            report_places("lines." + std::to_string(lines) + "x" + std::to_string(distance), places,
                          0, false);
        }
    }
    print_device();
    return 0;
}
