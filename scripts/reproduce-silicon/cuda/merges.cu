/* Requests for data in flight: when the warps of an SM get a line that several of them load while it is fetched, what other
 * loads find meanwhile, and the same of SMs and the L2. */
#include "measure.cuh"

enum { WARPS = 32, TRIALS = 48, LOADS = 8, FIRST_LINE = 64, APART = 17 * 128 /* bytes */ };

__device__ static inline uint32_t load(const char *at)
{
    uint32_t value;
    asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(value) : "l"(at) : "memory");
    return value;
}
__device__ static inline uint32_t load_l2(const char *at)
{
    uint32_t value;
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value) : "l"(at) : "memory");
    return value;
}

/* Each warp of a CTA loads `words` words of N lines, `apart` bytes from one to the next; in each trial others, which
 * the L2 has. Notes for each warp the cycles from the first warp's first load to its last value, then again when the L1
 * has the lines. times[round][trial][warp]. */
template <int N>
__global__ void together(const char *memory, unsigned apart, unsigned words, unsigned *times)
{
    extern __shared__ unsigned ends[];                        /* [2][TRIALS][WARPS] */
    volatile unsigned *sink = ends + 2 * TRIALS * WARPS;      /* [threads] */
    unsigned *first = ends + 2 * TRIALS * WARPS + 32 * WARPS; /* [2][TRIALS] */
    unsigned warp = threadIdx.x / 32;
    unsigned lane = threadIdx.x % 32;
    unsigned warps = blockDim.x / 32;
    if (warp == 0) {
        unsigned sum = 0;
        for (unsigned i = 0; i < TRIALS * LOADS; i++) {
            sum += load_l2(memory + i * APART + lane * 4);
        }
        sink[lane] = sum;
    }
    for (unsigned i = threadIdx.x; i < 2 * TRIALS; i += blockDim.x) {
        first[i] = ~0U;
    }
    for (unsigned round = 0; round < 2; round++) {
        for (unsigned t = 0; t < TRIALS; t++) {
            const char *at = memory + t * LOADS * APART + lane % words * 4;
            uint32_t value[N];
            __syncthreads();
            unsigned begin = (unsigned)clock();
#pragma unroll
            for (int k = 0; k < N; k++) {
                value[k] = load(at + k * apart);
            }
            uint32_t sum = 0;
#pragma unroll
            for (int k = 0; k < N; k++) {
                sum += value[k];
            }
            sink[threadIdx.x] = sum;
            unsigned end = (unsigned)clock();
            if (lane == 0) {
                ends[(round * TRIALS + t) * WARPS + warp] = end;
                atomicMin(first + round * TRIALS + t, begin);
            }
        }
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < 2 * TRIALS * WARPS; i += blockDim.x) {
        times[i] = i % WARPS < warps ? ends[i] - first[i / WARPS] : 0;
    }
}

static unsigned *times;

template <int N>
static void report_together(const std::string &name, const char *memory, unsigned warps,
                            unsigned apart, unsigned words)
{
    size_t shared = (2 * TRIALS * WARPS + 32 * WARPS + 2 * TRIALS) * sizeof(unsigned);
    allow_shared(together<N>, shared);
    together<N><<<1, 32 * warps, shared>>>(memory, apart, words, times);
    std::vector<unsigned> host(2 * TRIALS * WARPS);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(host.data(), times, host.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
    for (unsigned round = 0; round < 2; round++) {
        std::string figure = std::string(round == 0 ? "merges." : "hits.") + name + "." +
                             std::to_string(warps) + "x" + std::to_string(N);
        figures least, most;
        std::vector<figures> each(warps);
        for (unsigned t = 4; t < TRIALS; t++) {
            std::vector<unsigned> ends(host.begin() + (round * TRIALS + t) * WARPS,
                                       host.begin() + (round * TRIALS + t) * WARPS + warps);
            std::sort(ends.begin(), ends.end());
            least.push_back(ends[0]);
            most.push_back(ends[warps - 1]);
            for (unsigned w = 0; w < warps; w++) {
                each[w].push_back(ends[w]);
            }
        }
        report(figure + ".first", "cycles", least);
        report(figure + ".last", "cycles", most);
        if (warps == WARPS && N <= 2) {
            printf("# profile;%s", figure.c_str());
            for (figures &w : each) {
                std::sort(w.begin(), w.end());
                printf(";%.0f", w[w.size() / 2]);
            }
            printf("\n");
        }
    }
}

template <int N> static void report_all(const char *memory)
{
    for (unsigned warps : {1, 2, 4, 8, 16, 32}) {
        report_together<N>("line", memory, warps, APART, 32); /* four sectors of a line */
        report_together<N>("two", memory, warps, APART, 16);  /* two sectors */
        report_together<N>("word", memory, warps, APART, 1);  /* one word */
        if (N > 1) {
            report_together<N>("same", memory, warps, 0, 32); /* the same line each time */
        }
    }
}

/* A load that misses and one that hits behind it, of one warp or of another; `crowd` more warps load the missing line N times
 * before. cycles[trial][2]: of the hit, of the miss. */
template <int N>
__global__ void hit_behind(const char *memory, bool other, unsigned crowd, unsigned *times)
{
    __shared__ volatile unsigned sink[32 * WARPS];
    unsigned warp = threadIdx.x / 32;
    unsigned lane = threadIdx.x % 32;
    const char *hot = memory + lane * 4;
    unsigned sum = load(hot);
    for (unsigned i = 0; warp == 0 && i < TRIALS; i++) {
        sum += load_l2(memory + (FIRST_LINE + i) * APART + lane * 4);
    }
    sink[threadIdx.x] = sum;
    for (unsigned t = 0; t < TRIALS; t++) {
        const char *cold = memory + (FIRST_LINE + t) * APART + lane * 4;
        __syncthreads();
        unsigned begin = (unsigned)clock();
        unsigned hit = 0;
        unsigned miss = 0;
        if (warp == 0) {
            uint32_t value = load(cold);
            uint32_t second = 0;
            if (!other) {
                second = load(hot);
                sink[lane] = second;
                hit = (unsigned)clock() - begin;
            }
            sink[lane] = value;
            miss = (unsigned)clock() - begin;
        } else if (warp == 1 && other) {
            while ((unsigned)clock() - begin < 100) {
            }
            begin = (unsigned)clock();
            uint32_t value = load(hot);
            sink[threadIdx.x] = value;
            hit = (unsigned)clock() - begin;
        } else if (warp > 1 && warp < 2 + crowd) {
            uint32_t value[N];
#pragma unroll
            for (int k = 0; k < N; k++) {
                value[k] = load(cold);
            }
            uint32_t all = 0;
#pragma unroll
            for (int k = 0; k < N; k++) {
                all += value[k];
            }
            sink[threadIdx.x] = all;
        }
        if (lane == 0 && warp == 0) {
            times[2 * t + 1] = miss;
        }
        if (lane == 0 && warp == (other ? 1 : 0)) {
            times[2 * t] = hit;
        }
    }
}

template <int N> static void report_hit_behind(const char *memory, bool other, unsigned crowd)
{
    hit_behind<N><<<1, 32 * (2 + crowd)>>>(memory, other, crowd, times);
    std::vector<unsigned> host(2 * TRIALS);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(host.data(), times, host.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
    figures hit, miss;
    for (unsigned t = 4; t < TRIALS; t++) {
        hit.push_back(host[2 * t]);
        miss.push_back(host[2 * t + 1]);
    }
    std::string name = std::string(other ? "behind.other." : "behind.own.") +
                       std::to_string(crowd) + "x" + std::to_string(N);
    report(name + ".hit", "cycles", hit);
    report(name + ".miss", "cycles", miss);
}

/* SMs 0 to `readers` - 1, a warp on each, load one cold line at once, then a probe loads a hot line `delay` ns later.
 * times[trial][SM]: cycles of its load. */
__global__ void sms_together(const char *cold, const char *hot, unsigned readers, unsigned trials,
                             unsigned delay, unsigned *arrived, volatile uint64_t *when,
                             unsigned *cycles)
{
    extern __shared__ volatile unsigned only[];
    unsigned lane = threadIdx.x;
    bool probe = blockIdx.x == gridDim.x - 1;
    if (probe) { /* the hot lines are in the L2 */
        for (unsigned t = 0; t < trials; t++) {
            only[lane] = load_l2(hot + (size_t)t * 128 + lane * 4);
        }
    }
    for (unsigned t = 0; t < trials; t++) {
        __syncwarp();
        if (lane == 0) {
            if (atomicAdd(arrived, 1) == gridDim.x * (t + 1) - 1) {
                when[0] = nanoseconds() / 32 * 32 + 4000;
                __threadfence();
                when[1] = t + 1;
            }
            while (when[1] != t + 1) {
            }
        }
        __syncwarp();
        uint64_t start = when[0] + (probe ? delay : 0);
        while (nanoseconds() < start) {
        }
        unsigned begin = (unsigned)clock();
        if (probe) {
            only[lane] = load_l2(hot + (size_t)t * 128 + lane * 4);
        } else if (blockIdx.x < readers) {
            only[lane] = load_l2(cold + (size_t)t * 8320 + lane * 4);
        }
        unsigned end = (unsigned)clock();
        if (lane == 0) {
            cycles[(size_t)t * gridDim.x + blockIdx.x] = end - begin;
        }
    }
}

static void report_sms(const char *cold, const char *hot, unsigned readers, unsigned delay)
{
    unsigned count = (unsigned)sms();
    const unsigned trials = 4096;
    static unsigned *arrived = (unsigned *)device_memory(sizeof *arrived);
    static uint64_t *when = (uint64_t *)device_memory(2 * sizeof *when);
    static unsigned *cycles = (unsigned *)device_memory((size_t)trials * count * sizeof *cycles);
    flush_l2();
    CHECK(cudaMemset(arrived, 0, sizeof *arrived));
    CHECK(cudaMemset(when, 0, 2 * sizeof *when));
    allow_shared(sms_together, shared_for(1));
    sms_together<<<count, 32, shared_for(1)>>>(cold, hot, readers, trials, delay, arrived, when,
                                               cycles);
    CHECK(cudaGetLastError());
    std::vector<unsigned> host((size_t)trials * count);
    CHECK(cudaMemcpy(host.data(), cycles, host.size() * sizeof *cycles, cudaMemcpyDeviceToHost));
    figures probe, least, middle, most;
    for (unsigned t = 64; t < trials; t++) {
        unsigned *row = host.data() + (size_t)t * count;
        probe.push_back(row[count - 1]);
        std::sort(row, row + readers);
        least.push_back(row[0]);
        middle.push_back(row[readers / 2]);
        most.push_back(row[readers - 1]);
    }
    std::string name = "sms." + std::to_string(readers) + "." + std::to_string(delay);
    report(name + ".first", "cycles", least);
    report(name + ".middle", "cycles", middle);
    report(name + ".last", "cycles", most);
    report(name + ".probe", "cycles", probe);
    std::sort(probe.begin(), probe.end());
    printf("# probe;%s", name.c_str());
    for (double part : {0.5, 0.9, 0.95, 0.97, 0.98, 0.985, 0.99, 0.995, 0.999}) {
        printf(";%.0f", probe[(size_t)(part * (double)probe.size())]);
    }
    printf("\n");
}

int main()
{
    print_device();
    char *memory = (char *)device_memory((size_t)512 << 20);
    times = (unsigned *)device_memory(2 * TRIALS * WARPS * sizeof *times);
    report_all<1>(memory);
    report_all<2>(memory);
    report_all<4>(memory);
    report_all<8>(memory);
    for (unsigned crowd : {0, 4, 30}) {
        report_hit_behind<1>(memory, false, crowd);
        report_hit_behind<1>(memory, true, crowd);
        report_hit_behind<8>(memory, true, crowd);
    }
    for (unsigned readers : {1, 4, 16, 64, 131}) {
        report_sms(memory, memory + ((size_t)256 << 20), readers, 64);
    }
    print_device();
    return 0;
}
