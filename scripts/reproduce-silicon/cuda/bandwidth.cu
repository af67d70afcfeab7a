/* Bandwidths of L1, L2 and DRAM, and the time from one CTA to the next, as the workloads `bandwidth` and `stream`. */
#include "measure.cuh"

template <typename T> __device__ static inline T load_l1(const T *at);
template <typename T> __device__ static inline T load_l2(const T *at);

template <> __device__ inline uint32_t load_l1(const uint32_t *at)
{
    uint32_t value;
    asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(value) : "l"(at));
    return value;
}
template <> __device__ inline uint32_t load_l2(const uint32_t *at)
{
    uint32_t value;
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value) : "l"(at));
    return value;
}
template <> __device__ inline uint4 load_l1(const uint4 *at)
{
    uint4 v;
    asm volatile("ld.global.ca.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "l"(at));
    return v;
}
template <> __device__ inline uint4 load_l2(const uint4 *at)
{
    uint4 v;
    asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "l"(at));
    return v;
}
__device__ static inline uint32_t sum_of(uint32_t v)
{
    return v;
}
__device__ static inline uint32_t sum_of(uint4 v)
{
    return v.x + v.y + v.z + v.w;
}

enum { THREADS = 1024 };

/* Each CTA reads `window` elements, from `part` times its number on and around the end of `all`, `passes` times, with 32
 * or 64 bytes of a lane in flight. The window is a multiple of what a CTA has in flight, and so is all if a CTA comes to its end. */
template <typename T, bool FROM_L1>
__global__ void read_window(const T *data, unsigned part, unsigned window, unsigned all,
                            unsigned passes, uint32_t *sink, uint64_t *cycles)
{
    enum { AHEAD = sizeof(T) == 4 ? 8 : 4 };
    uint32_t sum = 0;
    unsigned begin_at = blockIdx.x * part;
    for (unsigned i = threadIdx.x; FROM_L1 && i < window; i += THREADS) {
        sum += sum_of(load_l1(data + begin_at + i));
    }
    __syncthreads();
    long long begin = clock64();
    for (unsigned pass = 0; pass < passes; pass++) {
        for (unsigned i = 0; i < window; i += AHEAD * THREADS) {
            unsigned place = begin_at + i;
            place = (place >= all ? place - all : place) + threadIdx.x;
            const T *at = data + place;
            T v[AHEAD];
#pragma unroll
            for (int k = 0; k < AHEAD; k++) {
                v[k] = FROM_L1 ? load_l1(at + k * THREADS) : load_l2(at + k * THREADS);
            }
#pragma unroll
            for (int k = 0; k < AHEAD; k++) {
                sum += sum_of(v[k]);
            }
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        cycles[blockIdx.x] = (uint64_t)(clock64() - begin);
    }
    if (sum == 0x9e3779b9) {
        sink[0] = sum;
    }
}

/* Each thread reads, writes or copies one element. */
template <typename T> __global__ void read_each(const T *from, T *to)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    T value = from[i];
    if (value.x == 0x9e3779b9) {
        to[i] = value;
    }
}
template <typename T> __global__ void write_each(const T *from, T *to)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    T value = {};
    value.x = (unsigned)i;
    to[i] = value;
}
template <typename T> __global__ void copy_each(const T *from, T *to)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = from[i];
}
__global__ void nothing(const uint2 *from, uint2 *to)
{
    if (from == to) {
        to[0] = from[1];
    }
}

static char *from, *to; /* 4 GB each */
static uint32_t *sink;
static uint64_t *cycles;
static double mhz;

/* Returns the mean cycles of a CTA. */
static double mean_cycles(unsigned ctas)
{
    std::vector<uint64_t> host(ctas);
    CHECK(cudaMemcpy(host.data(), cycles, ctas * sizeof *cycles, cudaMemcpyDeviceToHost));
    double sum = 0;
    for (uint64_t c : host) {
        sum += (double)c;
    }
    return sum / ctas;
}

template <typename T, bool FROM_L1>
static void report_window(const std::string &figure, unsigned part, unsigned window,
                          unsigned all, unsigned passes)
{
    unsigned ctas = (unsigned)sms();
    figures values;
    for (int run = -1; run < 5; run++) { /* the first fills the L2 */
        double taken[2];
        for (unsigned twice = 0; twice < 2; twice++) {
            read_window<T, FROM_L1><<<ctas, THREADS>>>((const T *)from, part, window, all,
                                                       passes << twice, sink, cycles);
            CHECK(cudaGetLastError());
            taken[twice] = mean_cycles(ctas);
        }
        if (run >= 0) {
            values.push_back((double)passes * window * sizeof(T) / (taken[1] - taken[0]));
        }
    }
    report(figure, "bytes a cycle and SM", values);
}

/* Reports a kernel of one element a thread, in bytes a second, `resident` CTAs on an SM at a time (0: as many as fit). */
template <typename T>
static void report_each(const std::string &figure, void (*kernel)(const T *, T *), unsigned threads,
                        int resident, double moved)
{
    size_t shared = resident == 0 ? 0 : shared_for(resident);
    allow_shared(kernel, shared);
    size_t elements = ((size_t)1 << 30) / sizeof(T);
    figures values;
    for (int run = 0; run < 5; run++) {
        double taken[2];
        for (unsigned k = 0; k < 2; k++) {
            unsigned ctas = (unsigned)((k + 1) * elements / threads);
            taken[k] = microseconds(
                [&] { kernel<<<ctas, threads, shared>>>((const T *)from, (T *)to); });
        }
        values.push_back(moved * (double)(elements / threads * threads) * sizeof(T) / 1000 /
                         (taken[1] - taken[0]));
    }
    report(figure, "GB/s", values);
}

/* Reports the cycles from a CTA to the next one of its SM. */
static void report_cta(const std::string &figure, void (*kernel)(const uint2 *, uint2 *),
                       unsigned threads, int resident)
{
    size_t shared = resident == 0 ? 0 : shared_for(resident);
    allow_shared(kernel, shared);
    unsigned count = (unsigned)sms();
    figures values;
    for (int run = 0; run < 5; run++) {
        double taken[2];
        for (unsigned k = 0; k < 2; k++) {
            taken[k] = microseconds([&] {
                kernel<<<count * (k == 0 ? 200 : 1200), threads, shared>>>((const uint2 *)from,
                                                                           (uint2 *)to);
            });
        }
        values.push_back((taken[1] - taken[0]) * mhz / 1000);
    }
    report(figure, "cycles", values);
}

/* Kernels for a profiler that counts, one launch each. */
static void launch_for_counters(void)
{
    const unsigned line = 4096; /* elements */
    struct window {
        const char *name;
        unsigned part, size;
    };
    for (window w : {window{"own,kb=64", line, line}, window{"own,kb=128", 2 * line, 2 * line},
                     window{"own,kb=256", 4 * line, 4 * line},
                     window{"shared", 3072 / 16, 7 * line}, window{"same", 0, 7 * line}}) {
        printf("launch;bandwidth.l2.%s\n", w.name);
        read_window<uint4, false><<<(unsigned)sms(), THREADS>>>((const uint4 *)from, w.part,
                                                                w.size, ~0U, 8, sink, cycles);
        CHECK(cudaDeviceSynchronize());
    }
}

int main(int argc, char **argv)
{
    (void)argv;
    from = (char *)device_memory((size_t)4 << 30);
    to = (char *)device_memory((size_t)4 << 30);
    sink = (uint32_t *)device_memory(64);
    cycles = (uint64_t *)device_memory(4096 * sizeof *cycles);
    if (argc > 1) {
        launch_for_counters();
        return 0;
    }
    print_device();
    mhz = clock_mhz();
    unsigned count = (unsigned)sms();
    const unsigned l1 = 32768;
    report_window<uint32_t, true>("bandwidth.l1", l1 / 2, l1 / 2, ~0U, 64);
    report_window<uint4, true>("bandwidth.l1.16", l1 / 8, l1 / 8, ~0U, 64);
    /* CTAs in windows of their own, then 3072 bytes apart in one window, as the workload has them with shared=1. */
    for (unsigned kb : {64, 128, 192, 256, 320}) {
        unsigned own = kb << 10;
        report_window<uint4, false>("bandwidth.l2." + std::to_string(kb) + "KB", own / 16, own / 16,
                                    ~0U, 16);
    }
    report_window<uint32_t, false>("bandwidth.l2.4", 65536 / 4, 65536 / 4, ~0U, 16);
    for (unsigned mb : {28, 40}) { /* each CTA reads all, from its place on */
        unsigned window = mb << 20;
        report_window<uint4, false>("bandwidth.l2.shared." + std::to_string(mb) + "MB",
                                    window / 16 / count / 4096 * 4096, window / 16, window / 16,
                                    2);
    }
    report_window<uint4, false>("bandwidth.l2.shared", 3072 / 16, 7 * 65536 / 16, ~0U, 32);
    for (unsigned threads : {1024, 768, 512, 256}) {
        std::string t = "." + std::to_string(threads);
        report_each<uint2>("read" + t, read_each<uint2>, threads, 2, 1);
        report_each<uint2>("write" + t, write_each<uint2>, threads, 2, 1);
        report_each<uint2>("copy" + t, copy_each<uint2>, threads, 2, 2);
    }
    report_each<uint4>("read.full", read_each<uint4>, 256, 0, 1);
    report_each<uint4>("write.full", write_each<uint4>, 256, 0, 1);
    report_each<uint4>("copy.full", copy_each<uint4>, 256, 0, 2);
    for (unsigned threads : {32, 64, 160, 256, 512, 1024}) {
        std::string t = "." + std::to_string(threads);
        report_cta("cta" + t, read_each<uint2>, threads, 1);
        report_cta("cta.write" + t, write_each<uint2>, threads, 1);
        report_cta("cta.nothing" + t, nothing, threads, 1);
        report_cta("cta.two" + t, read_each<uint2>, threads, 2);
        report_cta("cta.two.nothing" + t, nothing, threads, 2);
        report_cta("cta.many" + t, read_each<uint2>, threads, 0);
        report_cta("cta.many.nothing" + t, nothing, threads, 0);
    }
    print_device();
    return 0;
}
