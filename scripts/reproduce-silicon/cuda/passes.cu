/* Passes of several warps' loads over the banks of shared memory and the L1: which of them share a cycle; barriers. */
#include "measure.cuh"

/* The warps of `active` (a bit each) run N chains of dependent loads each, of words that hold their own address. */
template <int N, bool SHARED>
__global__ void chains(const uint64_t *global, unsigned active, unsigned stride, unsigned loads,
                       uint64_t *cycles, unsigned *sink)
{
    __shared__ uint32_t next[1024];
    __shared__ long long ends[32];
    unsigned base = (unsigned)__cvta_generic_to_shared(next);
    unsigned lane = threadIdx.x % 32;
    unsigned warp = threadIdx.x / 32;
    for (unsigned i = threadIdx.x; i < 1024; i += blockDim.x) {
        next[i] = base + 4 * i;
    }
    uint32_t place[N];
    uint64_t far[N];
    for (int k = 0; k < N; k++) {
        place[k] = base + 4 * ((lane * stride + k) % 1024);
        far[k] = (uint64_t)(global + (lane * stride + k) % 1024);
        asm volatile("ld.global.ca.u64 %0, [%0];" : "+l"(far[k])::"memory");
    }
    __syncthreads();
    long long begin = clock64();
    if ((active >> warp & 1) != 0) {
#pragma unroll 1
        for (unsigned i = 0; i < loads; i += 8) {
#pragma unroll
            for (int j = 0; j < 8; j++) {
#pragma unroll
                for (int k = 0; k < N; k++) {
                    if (SHARED) {
                        asm volatile("ld.shared.u32 %0, [%0];" : "+r"(place[k])::"memory");
                    } else {
                        asm volatile("ld.global.ca.u64 %0, [%0];" : "+l"(far[k])::"memory");
                    }
                }
            }
        }
        unsigned sum = 0;
        for (int k = 0; k < N; k++) {
            sum += SHARED ? place[k] : (unsigned)far[k];
        }
        if (sum == 1) {
            sink[0] = sum;
        }
        if (lane == 0) {
            ends[warp] = clock64();
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        long long last = begin;
        for (unsigned w = 0; w < 32; w++) {
            if ((active >> w & 1) != 0) {
                last = max(last, ends[w]);
            }
        }
        cycles[0] = (uint64_t)(last - begin);
    }
}

__global__ void barriers(unsigned count, uint64_t *cycles)
{
    __syncthreads();
    long long begin = clock64();
#pragma unroll 1
    for (unsigned i = 0; i < count; i += 4) {
        __syncthreads();
        __syncthreads();
        __syncthreads();
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        cycles[0] = (uint64_t)(clock64() - begin);
    }
}

static uint64_t *cycles, *global;
static unsigned *sink;

static double taken(void)
{
    uint64_t host = 0;
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&host, cycles, sizeof host, cudaMemcpyDeviceToHost));
    return (double)host;
}

/* Reports the cycles from one load of a chain to its next. */
template <int N, bool SHARED> static void report_chains(const std::string &who, unsigned active)
{
    for (unsigned stride : {1, 2, 4, 8, 16, 32}) {
        if (!SHARED && stride > 16) {
            continue;
        }
        figures values;
        for (int run = 0; run < 3; run++) {
            double twice[2];
            for (unsigned k = 0; k < 2; k++) {
                chains<N, SHARED><<<1, 1024>>>(global, active, stride, 256U << k, cycles, sink);
                twice[k] = taken();
            }
            values.push_back((twice[1] - twice[0]) / 256);
        }
        report(std::string(SHARED ? "passes.shared." : "passes.l1.") + who + "." +
                   std::to_string(N) + "." + std::to_string(stride),
               "cycles", values);
    }
}

int main()
{
    print_device();
    cycles = (uint64_t *)device_memory(64);
    sink = (unsigned *)device_memory(64);
    global = (uint64_t *)device_memory(1024 * 8);
    std::vector<uint64_t> own(1024);
    for (unsigned i = 0; i < 1024; i++) {
        own[i] = (uint64_t)(global + i);
    }
    CHECK(cudaMemcpy(global, own.data(), own.size() * 8, cudaMemcpyHostToDevice));
    struct group {
        const char *name;
        unsigned active;
    };
    for (group g : {group{"1", 0x1}, group{"2apart", 0x3}, group{"2beside", 0x11},
                    group{"4apart", 0xf}, group{"4beside", 0x1111}, group{"8", 0xff},
                    group{"16", 0xffff}, group{"32", 0xffffffff}}) {
        report_chains<1, true>(g.name, g.active);
        report_chains<2, true>(g.name, g.active);
        report_chains<4, true>(g.name, g.active);
        report_chains<8, true>(g.name, g.active);
        report_chains<1, false>(g.name, g.active);
        report_chains<4, false>(g.name, g.active);
    }
    for (unsigned warps : {1, 2, 4, 8, 16, 32}) {
        figures values;
        for (int run = 0; run < 5; run++) {
            double twice[2];
            for (unsigned k = 0; k < 2; k++) {
                barriers<<<1, 32 * warps>>>(256U << k, cycles);
                twice[k] = taken();
            }
            values.push_back((twice[1] - twice[0]) / 256);
        }
        report("barrier." + std::to_string(warps), "cycles", values);
    }
    print_device();
    return 0;
}
