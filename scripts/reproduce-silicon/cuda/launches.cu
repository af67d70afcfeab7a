/* Times of kernels' launches, one behind another in a stream. */
#include "measure.cuh"

__global__ void empty(void)
{
}

/* Notes when its first and last CTA run. */
__global__ void note(uint64_t *begin_and_end)
{
    uint64_t now = nanoseconds();
    if (threadIdx.x == 0) {
        atomicMin((unsigned long long *)begin_and_end, now);
        atomicMax((unsigned long long *)begin_and_end + 1, now);
    }
}

int main()
{
    print_device();
    double mhz = clock_mhz();
    const int kernels = 1000;
    for (int ctas : {1, sms(), 16 * sms()}) {
        figures apart;
        figures within;
        for (int run = 0; run < 5; run++) {
            apart.push_back(microseconds([&] {
                                for (int k = 0; k < kernels; k++) {
                                    empty<<<ctas, 256>>>();
                                }
                            }) *
                            1000 / kernels);
        }
        report("launch.stream." + std::to_string(ctas), "ns", apart);
        cudaStream_t stream;
        cudaGraph_t graph;
        cudaGraphExec_t all;
        CHECK(cudaStreamCreate(&stream));
        CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
        for (int k = 0; k < kernels; k++) {
            empty<<<ctas, 256, 0, stream>>>();
        }
        CHECK(cudaStreamEndCapture(stream, &graph));
        CHECK(cudaGraphInstantiate(&all, graph, 0));
        CHECK(cudaGraphLaunch(all, stream));
        CHECK(cudaStreamSynchronize(stream));
        for (int run = 0; run < 5; run++) {
            cudaEvent_t begin;
            cudaEvent_t end;
            float ms = 0;
            CHECK(cudaEventCreate(&begin));
            CHECK(cudaEventCreate(&end));
            CHECK(cudaEventRecord(begin, stream));
            CHECK(cudaGraphLaunch(all, stream));
            CHECK(cudaEventRecord(end, stream));
            CHECK(cudaEventSynchronize(end));
            CHECK(cudaEventElapsedTime(&ms, begin, end));
            within.push_back(1e6 * ms / kernels);
        }
        report("launch.graph." + std::to_string(ctas), "ns", within);
        CHECK(cudaGraphExecDestroy(all));
        CHECK(cudaGraphDestroy(graph));
        CHECK(cudaStreamDestroy(stream));
    }
    /* From the last CTA of a kernel to the first of the next. */
    const int pairs = 200;
    std::vector<uint64_t> times(2 * pairs);
    for (int i = 0; i < pairs; i++) {
        times[2 * i] = ~0ULL;
        times[2 * i + 1] = 0;
    }
    uint64_t *device = (uint64_t *)device_memory(times.size() * 8);
    CHECK(cudaMemcpy(device, times.data(), times.size() * 8, cudaMemcpyHostToDevice));
    for (int i = 0; i < pairs; i++) {
        note<<<(unsigned)sms(), 32>>>(device + 2 * i);
    }
    CHECK(cudaMemcpy(times.data(), device, times.size() * 8, cudaMemcpyDeviceToHost));
    figures gaps;
    figures spread;
    for (int i = 100; i < pairs; i++) {
        gaps.push_back((double)(times[2 * i] - times[2 * i - 1]));
        spread.push_back((double)(times[2 * i + 1] - times[2 * i]));
    }
    report("launch.gap", "ns", gaps);
    report("launch.spread", "ns", spread);
    printf("# %.0f MHz\n", mhz);
    print_device();
    return 0;
}
