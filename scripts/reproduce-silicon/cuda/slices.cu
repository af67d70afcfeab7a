/* Slices of the L2, each of which does one half's or the other's atomics: which lines lie in which,
 * and the throughput of additions, stores and loads that SMs send to their own half, to the other
 * one and to both. */
#include "measure.cuh"

#include <cmath>

enum { LINES = 2048, LINE_WORDS = 32, WARM = 512, THREADS = 256, LIST = 2048 };

static unsigned *memory, *sink;
static double mhz;

/* --- halves --- */

/* One thread of SM `sm` adds to each line by itself and notes the cycles. */
__global__ void visit(unsigned *memory, unsigned sm, unsigned *cycles, unsigned lines)
{
    unsigned own;
    asm("mov.u32 %0, %%smid;" : "=r"(own));
    if (own != sm) {
        return;
    }
    for (unsigned i = 0; i < lines; i++) {
        unsigned old;
        unsigned begin = (unsigned)clock();
        asm volatile("atom.global.add.u32 %0, [%1], 1;"
                     : "=r"(old)
                     : "l"(memory + (size_t)i * LINE_WORDS)
                     : "memory");
        cycles[lines] = old;
        __threadfence_block();
        cycles[i] = (unsigned)clock() - begin;
    }
}

static std::vector<unsigned> visited(unsigned sm, unsigned lines)
{
    static unsigned *cycles = (unsigned *)device_memory((LINES + 1) * sizeof *cycles);
    visit<<<4 * (unsigned)sms(), 1>>>(memory, sm, cycles, lines);
    std::vector<unsigned> host(lines);
    CHECK(cudaMemcpy(host.data(), cycles, lines * sizeof *cycles, cudaMemcpyDeviceToHost));
    for (unsigned &one : host) {
        one = std::min(one, 700U); /* a rare long wait */
    }
    return host;
}

static double correlation(const std::vector<unsigned> &a, const std::vector<unsigned> &b)
{
    double n = (double)a.size(), sa = 0, sb = 0, saa = 0, sbb = 0, sab = 0;
    for (size_t i = 0; i < a.size(); i++) {
        double x = a[i], y = b[i];
        sa += x, sb += y, saa += x * x, sbb += y * y, sab += x * y;
    }
    return (n * sab - sa * sb) / sqrt((n * saa - sa * sa) * (n * sbb - sb * sb));
}

/* Returns each SM's half: SM 0 is in half 0, and those that are near to the same lines. */
static std::vector<unsigned> halves(void)
{
    unsigned count = (unsigned)sms();
    std::vector<unsigned> half(count), first;
    for (unsigned sm = 0; sm < count; sm++) {
        visited(sm, WARM);
        std::vector<unsigned> taken = visited(sm, WARM);
        first = sm == 0 ? taken : first;
        half[sm] = correlation(first, taken) < 0;
    }
    return half;
}

/* Returns the half in which each line is done, and reports what an atomic takes from each. */
static std::vector<unsigned> homes(const std::vector<unsigned> &half)
{
    std::vector<double> sum[2] = {std::vector<double>(LINES), std::vector<double>(LINES)};
    double members[2] = {0, 0};
    for (unsigned sm = 0; sm < half.size(); sm += 4) {
        std::vector<unsigned> taken = visited(sm, LINES);
        members[half[sm]]++;
        for (unsigned i = 0; i < LINES; i++) {
            sum[half[sm]][i] += taken[i];
        }
    }
    std::vector<unsigned> home(LINES);
    figures near_half, far_half;
    for (unsigned i = 0; i < LINES; i++) {
        double from[2] = {sum[0][i] / members[0], sum[1][i] / members[1]};
        home[i] = from[0] < from[1] ? 0 : 1;
        near_half.push_back(from[home[i]]);
        far_half.push_back(from[1 - home[i]]);
    }
    report("atom.near", "cycles", near_half);
    report("atom.far", "cycles", far_half);
    return home;
}

/* --- slices --- */

/* Two lines, each added to by half of all CTAs: they are done in half of the time if they lie in
 * different slices. */
__global__ void add_two(unsigned *first, unsigned *second, unsigned each)
{
    unsigned *own = (blockIdx.x % 2 == 0 ? first : second) + threadIdx.x % 32;
#pragma unroll 1
    for (unsigned k = 0; k < each; k++) {
        asm volatile("red.global.add.u32 [%0], 1;" ::"l"(own) : "memory");
    }
}

static double time_of_two(unsigned first, unsigned second, int runs)
{
    double least = 1e9;
    for (int run = 0; run < runs; run++) {
        least = std::min(least, microseconds([&] {
                             add_two<<<2 * (unsigned)sms(), 128>>>(
                                 memory + first * LINE_WORDS, memory + second * LINE_WORDS, 24);
                         }));
    }
    return least;
}

/* Returns the lines of each slice, slices in the order in which they are met. */
static std::vector<std::vector<unsigned>> slices(const std::vector<unsigned> &home)
{
    std::vector<std::vector<unsigned>> of;
    double same = time_of_two(0, 0, 20);
    for (unsigned line = 0; line < LINES; line++) {
        size_t k = 0;
        while (k < of.size() &&
               (home[of[k][0]] != home[line] || time_of_two(line, of[k][0], 1) < 0.75 * same ||
                time_of_two(line, of[k][0], 6) < 0.75 * same)) {
            k++;
        }
        if (k == of.size()) {
            of.push_back({});
        }
        of[k].push_back(line);
    }
    return of;
}

/* Writes line; slice; half. */
static void write_slices(const char *file, const std::vector<std::vector<unsigned>> &of,
                         const std::vector<unsigned> &home)
{
    FILE *out = fopen(file, "w");
    if (out == nullptr) {
        perror(file);
        exit(1);
    }
    for (size_t slice = 0; slice < of.size(); slice++) {
        for (unsigned line : of[slice]) {
            fprintf(out, "%u;%zu;%u\n", line, slice, home[line]);
        }
    }
    fclose(out);
}

/* --- throughput --- */

enum what { ADD, STORE, LOAD };

/* Each warp operates on `lanes` words of a line of its half's list: its own, or by `turns` one
 * after the other. */
template <what WHAT, bool TURNS>
__global__ void operate(unsigned *memory, const unsigned *half, const unsigned *list,
                        unsigned lines, unsigned lanes, unsigned each, unsigned *sink)
{
    __shared__ unsigned short own[LIST];
    unsigned sm;
    asm("mov.u32 %0, %%smid;" : "=r"(sm));
    for (unsigned i = threadIdx.x; i < lines; i += blockDim.x) {
        own[i] = (unsigned short)list[half[sm] * LIST + i];
    }
    __syncthreads();
    unsigned lane = threadIdx.x % 32;
    unsigned at = (blockIdx.x * blockDim.x + threadIdx.x) / 32 % lines;
    unsigned *word = memory + (size_t)own[at] * LINE_WORDS + lane;
    unsigned sum = 0;
    if (lane < lanes) {
#pragma unroll 1
        for (unsigned k = 0; k < each; k++) {
            if (WHAT == ADD) {
                asm volatile("red.global.add.u32 [%0], 1;" ::"l"(word) : "memory");
            } else if (WHAT == STORE) {
                asm volatile("st.global.cg.u32 [%0], 1;" ::"l"(word) : "memory");
            } else {
                unsigned value;
                asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
                sum += value;
            }
            if (TURNS) {
                at = at + 1 == lines ? 0 : at + 1;
                word = memory + (size_t)own[at] * LINE_WORDS + lane;
            }
        }
    }
    if (sum == ~0U) {
        sink[0] = sum;
    }
}

template <what WHAT, bool TURNS>
static void report_words(const std::string &figure, const unsigned *half, const unsigned *list,
                         unsigned lines, unsigned lanes)
{
    figures values;
    unsigned ctas = 2 * (unsigned)sms();
    const unsigned each = 512;
    for (int run = 0; run < 7; run++) {
        double taken[2];
        for (unsigned k = 0; k < 2; k++) {
            taken[k] = microseconds([&] {
                operate<WHAT, TURNS>
                    <<<ctas, THREADS>>>(memory, half, list, lines, lanes, each << k, sink);
            });
        }
        values.push_back((double)ctas * (THREADS / 32) * lanes * each /
                         ((taken[1] - taken[0]) * mhz));
    }
    report(figure + "." + std::to_string(lanes), "words a cycle", values);
}

/* Reports the throughput of SMs of half 0 on the first list's lines and of half 1 on the second's.
 */
static void report_lists(const std::string &name, const std::vector<unsigned> &half,
                         const std::vector<unsigned> &first, const std::vector<unsigned> &second)
{
    static unsigned *of = (unsigned *)device_memory(half.size() * sizeof *of);
    static unsigned *list = (unsigned *)device_memory(2 * LIST * sizeof *list);
    unsigned lines = (unsigned)std::min({first.size(), second.size(), (size_t)LIST});
    CHECK(cudaMemcpy(of, half.data(), half.size() * sizeof *of, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(list, first.data(), lines * sizeof *list, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(list + LIST, second.data(), lines * sizeof *list, cudaMemcpyHostToDevice));
    report_words<ADD, false>(name + ".red.own", of, list, lines, 32);
    report_words<ADD, true>(name + ".red.turns", of, list, lines, 32);
    report_words<ADD, false>(name + ".red.own", of, list, lines, 8);
    report_words<ADD, true>(name + ".red.turns", of, list, lines, 1);
    report_words<STORE, true>(name + ".store.turns", of, list, lines, 32);
}

/* --- one slice --- */

/* Each warp adds to `lanes` words of a line of one slice, its own or by turns. Reports the slice's
 * cycles for an instruction. */
static void report_slice(const std::vector<unsigned> &of_slice, unsigned lanes)
{
    static unsigned *half = (unsigned *)device_memory((size_t)sms() * sizeof *half);
    static unsigned *list = (unsigned *)device_memory(2 * LIST * sizeof *list);
    unsigned ctas = 2 * (unsigned)sms();
    const unsigned each = 32;
    CHECK(
        cudaMemcpy(list, of_slice.data(), of_slice.size() * sizeof *list, cudaMemcpyHostToDevice));
    for (unsigned lines : {1, 2, 4, 8, 16}) {
        if (lines > of_slice.size()) {
            continue;
        }
        figures values;
        for (int run = 0; run < 5; run++) {
            double taken[2];
            for (unsigned k = 0; k < 2; k++) {
                taken[k] = microseconds([&] {
                    operate<ADD, true>
                        <<<ctas, THREADS>>>(memory, half, list, lines, lanes, each << k, sink);
                });
            }
            values.push_back((taken[1] - taken[0]) * mhz / (ctas * (THREADS / 32) * each));
        }
        report("slice.lanes" + std::to_string(lanes) + "." + std::to_string(lines), "cycles",
               values);
    }
}

int main(int argc, char **argv)
{
    print_device();
    mhz = clock_mhz();
    memory = (unsigned *)device_memory((size_t)LINES * LINE_WORDS * sizeof *memory);
    sink = (unsigned *)device_memory(64);
    std::vector<unsigned> half = halves();
    std::vector<unsigned> home = homes(half);
    std::vector<std::vector<unsigned>> of = slices(home);
    if (argc > 1) {
        write_slices(argv[1], of, home);
    }
    figures sizes;
    size_t least = LINES;
    for (const std::vector<unsigned> &lines : of) {
        sizes.push_back((double)lines.size());
        least = std::min(least, lines.size());
    }
    report("slices.lines", "of 2048", sizes);
    std::vector<unsigned> all(LINES), by_half[2], both;
    for (unsigned i = 0; i < LINES; i++) {
        all[i] = i;
    }
    for (size_t round = 0; round < least; round++) { /* as many lines of each slice */
        for (const std::vector<unsigned> &lines : of) {
            by_half[home[lines[round]]].push_back(lines[round]);
        }
    }
    for (size_t i = 0; i < std::min(by_half[0].size(), by_half[1].size()); i++) {
        both.push_back(by_half[0][i]);
        both.push_back(by_half[1][i]);
    }
    report_lists("all", half, all, all);
    report_lists("both", half, both, both);
    report_lists("near", half, by_half[0], by_half[1]);
    report_lists("far", half, by_half[1], by_half[0]);
    for (unsigned lanes : {1, 8, 32}) {
        report_slice(of[0], lanes);
    }
    print_device();
    return 0;
}
