/* What the programs of this folder share. Each prints a figure a line, behind lines that begin with #:
 * figure; unit; median; least; greatest; number of runs. */
#ifndef MEASURE_CUH
#define MEASURE_CUH

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t error_ = (call);                                                               \
        if (error_ != cudaSuccess) {                                                               \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error_));        \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

using figures = std::vector<double>;

static inline void report(const std::string &figure, const char *unit, figures values)
{
    std::sort(values.begin(), values.end());
    size_t n = values.size();
    double median = n % 2 != 0 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
    printf("%s;%s;%.2f;%.2f;%.2f;%zu\n", figure.c_str(), unit, median, values[0], values[n - 1], n);
    fflush(stdout);
}

static inline void *device_memory(size_t bytes)
{
    void *memory = nullptr;
    CHECK(cudaMalloc(&memory, bytes));
    CHECK(cudaMemset(memory, 0, bytes));
    return memory;
}

static inline int sms(void)
{
    int count = 0;
    CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0));
    return count;
}

/* Displaces all data from the L2: writes, then reads as much as three L2s hold. */
static inline void flush_l2(void)
{
    static char *other = nullptr;
    const size_t bytes = (size_t)192 << 20;
    if (other == nullptr) {
        other = (char *)device_memory(bytes);
    }
    CHECK(cudaMemset(other, 1, bytes));
    CHECK(cudaMemcpy(other, other + bytes / 2, bytes / 2, cudaMemcpyDeviceToDevice));
    CHECK(cudaDeviceSynchronize());
}

__device__ static inline uint64_t nanoseconds(void)
{
    uint64_t time;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    return time;
}

__global__ void spin(uint64_t time, uint64_t *passed)
{
    uint64_t from = nanoseconds();
    long long clock = clock64();
    uint64_t now = from;
    while (now < from + time) {
        now = nanoseconds();
    }
    passed[0] = (uint64_t)(clock64() - clock);
    passed[1] = now - from;
}

/* Returns the SMs' clock in MHz, over 3 ms. */
static inline double clock_mhz(void)
{
    static uint64_t *passed = nullptr;
    if (passed == nullptr) {
        passed = (uint64_t *)device_memory(2 * sizeof *passed);
    }
    uint64_t host[2];
    spin<<<1, 1>>>(3000000, passed);
    CHECK(cudaMemcpy(host, passed, sizeof host, cudaMemcpyDeviceToHost));
    return 1000.0 * (double)host[0] / (double)host[1];
}

/* Returns the microseconds that `run` takes on the device, by events. */
template <typename F> static double microseconds(F run)
{
    static cudaEvent_t begin = nullptr;
    static cudaEvent_t end = nullptr;
    if (begin == nullptr) {
        CHECK(cudaEventCreate(&begin));
        CHECK(cudaEventCreate(&end));
    }
    CHECK(cudaEventRecord(begin));
    run();
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    CHECK(cudaGetLastError());
    float ms = 0;
    CHECK(cudaEventElapsedTime(&ms, begin, end));
    return 1000.0 * ms;
}

/* Lets a kernel have `bytes` of dynamic shared memory. */
template <typename K> static void allow_shared(K *kernel, size_t bytes)
{
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
}

/* So much that only `ctas` of a kernel fit on an SM. */
static inline size_t shared_for(int ctas)
{
    return ctas == 1 ? 200 << 10 : 100 << 10;
}

static inline void print_device(void)
{
    cudaDeviceProp device;
    int runtime = 0;
    int driver = 0;
    CHECK(cudaGetDeviceProperties(&device, 0));
    CHECK(cudaRuntimeGetVersion(&runtime));
    CHECK(cudaDriverGetVersion(&driver));
    printf("# %s; %d SMs; L2 %d bytes; CUDA %d; driver's CUDA %d; SM clock %.0f MHz\n", device.name,
           device.multiProcessorCount, device.l2CacheSize, runtime, driver, clock_mhz());
    fflush(stdout);
}

#endif
