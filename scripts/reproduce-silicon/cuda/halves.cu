/* The two halves of the L2: how long an SM of each half takes for lines of each half, at the first load, the second, and after
 * an SM of the other half has loaded or stored the line. */
#include "measure.cuh"

enum { LINES = 2048, APART = 8320 /* bytes */ };

enum what { LOAD, STORE };

/* The CTA on SM `sm` loads, or stores a word of, each of the lines by itself, and notes the cycles of each; the others do nothing. */
__global__ void visit(char *memory, unsigned sm, what what, unsigned *cycles)
{
    extern __shared__ volatile unsigned only[];
    unsigned own;
    asm("mov.u32 %0, %%smid;" : "=r"(own));
    if (own != sm) {
        return;
    }
    for (unsigned i = 0; i < LINES; i++) {
        unsigned *at = (unsigned *)(memory + (size_t)i * APART);
        unsigned begin = (unsigned)clock();
        unsigned value = 0;
        if (what == LOAD) {
            asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value) : "l"(at) : "memory");
        } else {
            asm volatile("st.global.cg.u32 [%0], %1;" ::"l"(at), "r"(0) : "memory");
            __threadfence();
        }
        only[0] = value;
        unsigned end = (unsigned)clock();
        cycles[i] = end - begin;
    }
}

static char *memory;
static unsigned *cycles;

static std::vector<unsigned> visited(unsigned sm, what what)
{
    static bool allowed = false;
    if (!allowed) {
        allow_shared(visit, shared_for(1));
        allowed = true;
    }
    visit<<<(unsigned)sms(), 1, shared_for(1)>>>(memory, sm, what, cycles);
    CHECK(cudaGetLastError());
    std::vector<unsigned> host(LINES);
    CHECK(cudaMemcpy(host.data(), cycles, LINES * sizeof *cycles, cudaMemcpyDeviceToHost));
    return host;
}

/* Correlation of two vectors: SMs of one half see the same lines as near. */
static double correlation(const std::vector<unsigned> &a, const std::vector<unsigned> &b)
{
    double n = 0, sa = 0, sb = 0, saa = 0, sbb = 0, sab = 0;
    for (size_t i = 0; i < a.size(); i++) {
        if (a[i] > 1000 || b[i] > 1000) {
            continue;
        }
        double x = a[i], y = b[i];
        n++, sa += x, sb += y, saa += x * x, sbb += y * y, sab += x * y;
    }
    return (n * sab - sa * sb) / sqrt((n * saa - sa * sa) * (n * sbb - sb * sb));
}

/* Reports what loads take, of the lines that are near to SM `a` by themselves, and of the others. */
static void report_sides(const std::string &figure, const std::vector<unsigned> &taken,
                         const std::vector<bool> &near_a)
{
    figures sides[2];
    for (unsigned i = 64; i < LINES; i++) {
        sides[near_a[i] ? 0 : 1].push_back(taken[i]);
    }
    report(figure + ".homeA", "cycles", sides[0]);
    report(figure + ".homeB", "cycles", sides[1]);
    for (int side = 0; side < 2; side++) {
        std::sort(sides[side].begin(), sides[side].end());
        printf("# parts;%s.home%c", figure.c_str(), side == 0 ? 'A' : 'B');
        for (double part : {0.02, 0.1, 0.25, 0.5, 0.75, 0.9, 0.98}) {
            printf(";%.0f", sides[side][(size_t)(part * (double)sides[side].size())]);
        }
        printf("\n");
    }
}

int main()
{
    print_device();
    memory = (char *)device_memory((size_t)LINES * APART);
    cycles = (unsigned *)device_memory(LINES * sizeof *cycles);
    /* First loads from DRAM, from each of some SMs: near lines take less. */
    const unsigned tried = 40;
    std::vector<std::vector<unsigned>> first(tried);
    for (unsigned sm = 0; sm < tried; sm++) {
        flush_l2();
        first[sm] = visited(sm, LOAD);
    }
    unsigned b = 0;
    double least = 1;
    printf("# correlation of first loads with SM 0's");
    for (unsigned sm = 1; sm < tried; sm++) {
        double c = correlation(first[0], first[sm]);
        printf(" %.2f", c);
        if (c < least) {
            least = c;
            b = sm;
        }
    }
    printf("; SM of the other half: %u\n", b);
    const unsigned a = 0;
    /* Means over the SMs of one half tell a line's home. */
    std::vector<bool> near_a(LINES);
    for (unsigned i = 0; i < LINES; i++) {
        double sum[2] = {0, 0};
        int n[2] = {0, 0};
        for (unsigned sm = 0; sm < tried; sm++) {
            double with_a = correlation(first[a], first[sm]);
            double with_b = correlation(first[b], first[sm]);
            int side = with_a > with_b ? 0 : 1;
            if (first[sm][i] < 1000) {
                sum[side] += first[sm][i];
                n[side]++;
            }
        }
        near_a[i] = n[0] != 0 && n[1] != 0 && sum[0] / n[0] < sum[1] / n[1];
    }
    report_sides("first.A", first[a], near_a);
    report_sides("first.B", first[b], near_a);
    flush_l2();
    visited(a, LOAD);
    report_sides("loadA.loadA", visited(a, LOAD), near_a);
    report_sides("loadA.loadA.loadB", visited(b, LOAD), near_a);
    report_sides("loadA.loadA.loadB.loadB", visited(b, LOAD), near_a);
    report_sides("then.loadA", visited(a, LOAD), near_a);
    report_sides("then.storeA", visited(a, STORE), near_a);
    report_sides("storeA.loadA", visited(a, LOAD), near_a);
    report_sides("storeA.loadA.loadB", visited(b, LOAD), near_a);
    report_sides("storeA.loadA.loadB.loadB", visited(b, LOAD), near_a);
    report_sides("then.storeB", visited(b, STORE), near_a);
    report_sides("storeB.loadB", visited(b, LOAD), near_a);
    report_sides("storeB.loadB.loadA", visited(a, LOAD), near_a);
    report_sides("storeB.loadB.loadA.loadA", visited(a, LOAD), near_a);
    flush_l2();
    report_sides("storeA.cold", visited(a, STORE), near_a);
    report_sides("storeA.cold.loadB", visited(b, LOAD), near_a);
    report_sides("storeA.cold.loadB.loadA", visited(a, LOAD), near_a);
    print_device();
    return 0;
}
