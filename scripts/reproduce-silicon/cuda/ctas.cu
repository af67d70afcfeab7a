/* When CTAs of one load a thread begin and end on an SM, and how long their loads take, as `bandwidth.dram` and `cta` have them. */
#include "measure.cuh"

struct note {
    unsigned begin, issued, end, sm; /* clock of the SM, low 32 bits */
};

enum { SAMPLE = 16 }; /* CTAs of which one notes, since notes of all slow the loads down */

/* Each warp notes its first instruction, its load, its value. */
__global__ void read_noted(const uint2 *from, uint2 *to, note *notes)
{
    unsigned begin = (unsigned)clock();
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    unsigned issued = (unsigned)clock();
    uint2 value;
    asm volatile("ld.global.v2.u32 {%0, %1}, [%2];"
                 : "=r"(value.x), "=r"(value.y)
                 : "l"(from + i)
                 : "memory");
    if (value.x == 0x9e3779b9) {
        to[i] = value;
    }
    unsigned end = (unsigned)clock();
    if (threadIdx.x % 32 == 0 && blockIdx.x % SAMPLE == 0) {
        unsigned sm;
        asm("mov.u32 %0, %%smid;" : "=r"(sm));
        uint4 n = {begin, issued, end, sm};
        *(uint4 *)(notes + i / 32) = n;
    }
}

int main()
{
    print_device();
    size_t bytes = (size_t)1 << 30;
    char *from = (char *)device_memory(bytes);
    note *notes = (note *)device_memory((size_t)64 << 20);
    for (int resident : {1, 2, 0}) {
        for (unsigned threads : {64, 160, 512, 768, 1024}) {
            size_t shared = resident == 0 ? 0 : shared_for(resident);
            allow_shared(read_noted, shared);
            unsigned warps = threads / 32;
            unsigned count = (unsigned)sms();
            unsigned ctas = std::min(count * 400, (unsigned)(bytes / 8 / threads));
            flush_l2();
            read_noted<<<ctas, threads, shared>>>((const uint2 *)from, (uint2 *)from, notes);
            CHECK(cudaGetLastError());
            std::vector<note> host((size_t)ctas * warps);
            CHECK(cudaMemcpy(host.data(), notes, host.size() * sizeof(note), cudaMemcpyDeviceToHost));
            figures latency, longest, shortest, spread, life;
            for (unsigned c = ctas / 4 / SAMPLE * SAMPLE; c < ctas / 2; c += SAMPLE) {
                const note *n = host.data() + (size_t)c * warps;
                unsigned begin = n[0].begin, last = n[0].begin, end = n[0].end;
                unsigned most = 0, least = ~0U;
                for (unsigned w = 0; w < warps; w++) {
                    begin = (int)(n[w].begin - begin) < 0 ? n[w].begin : begin;
                    last = (int)(n[w].begin - last) > 0 ? n[w].begin : last;
                    end = (int)(n[w].end - end) > 0 ? n[w].end : end;
                    unsigned took = n[w].end - n[w].issued;
                    most = std::max(most, took);
                    least = std::min(least, took);
                    latency.push_back(took);
                }
                longest.push_back(most);
                shortest.push_back(least);
                spread.push_back(last - begin);
                life.push_back(end - begin);
            }
            std::string name = "reads." + std::to_string(resident) + "." + std::to_string(threads);
            report(name + ".latency", "cycles", latency);
            report(name + ".shortest", "cycles", shortest);
            report(name + ".longest", "cycles", longest);
            report(name + ".begins", "cycles", spread);
            report(name + ".life", "cycles", life);
            std::sort(latency.begin(), latency.end());
            double mean = 0;
            for (double l : latency) {
                mean += l / (double)latency.size();
            }
            printf("# parts;%s;mean %.0f", name.c_str(), mean);
            for (double part : {0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999}) {
                printf(";%.0f", latency[(size_t)(part * (double)latency.size())]);
            }
            printf("\n");
        }
    }
    print_device();
    return 0;
}
