/* Which lines share a set of the L1, found by eviction: a smallest group of lines that displaces a line, then all lines that this
 * group displaces. And how the tag banks' hash goes on in higher bits of the address. */
#include "measure.cuh"

enum { LINE = 128, SHARED = 99 << 10 }; /* so much shared memory that the L1 is small: two CTAs leave 28 KB */

__device__ static inline uint64_t load(uint64_t address)
{
    uint64_t value;
    asm volatile("ld.global.ca.u64 %0, [%1];" : "=l"(value) : "l"(address) : "memory");
    return value;
}

/* Links `count` lines in a ring, follows it `rounds` times, and times the first line's load then. */
__global__ void evicted(char *memory, const unsigned *line, unsigned count, unsigned rounds,
                        unsigned *cycles)
{
    extern __shared__ volatile uint64_t sink[];
    uint64_t place = (uint64_t)(memory + (size_t)line[0] * LINE);
    for (unsigned i = 0; i < rounds * count; i++) {
        place = load(place);
    }
    sink[0] = place;
    unsigned begin = (unsigned)clock();
    place = load(place);
    sink[0] = place;
    unsigned end = (unsigned)clock();
    cycles[0] = end - begin;
}

__global__ void link_lines(char *memory, const unsigned *line, unsigned count)
{
    unsigned i = threadIdx.x;
    if (i < count) {
        *(uint64_t *)(memory + (size_t)line[i] * LINE) =
            (uint64_t)(memory + (size_t)line[i + 1 == count ? 0 : i + 1] * LINE);
    }
}

/* As in strides.cu: loads of 32 lanes at the words of `place`, all data in the L1. */
__global__ void lanes(const uint32_t *data, const unsigned *place, unsigned rounds, uint32_t *sink,
                      uint64_t *cycles)
{
    const uint32_t *own = data + place[threadIdx.x % 32];
    uint32_t sum = 0;
    long long begin = 0;
    for (unsigned i = 0; i < rounds + 2; i++) {
        if (i == 2) {
            __syncthreads();
            begin = clock64();
        }
        uint32_t value;
        asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(value) : "l"(own));
        sum += value;
        __syncwarp();
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        cycles[0] = (uint64_t)(clock64() - begin);
    }
    sink[threadIdx.x] = sum;
}

static char *memory;
static unsigned *line, *cycles;

/* Returns whether the first of the lines is out of the L1 after all of them were read again and again. */
static bool displaces(const std::vector<unsigned> &lines)
{
    unsigned taken = 0;
    CHECK(cudaMemcpy(line, lines.data(), lines.size() * sizeof *line, cudaMemcpyHostToDevice));
    link_lines<<<1, 1024>>>(memory, line, (unsigned)lines.size());
    evicted<<<1, 1, SHARED>>>(memory, line, (unsigned)lines.size(), 4, cycles);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&taken, cycles, sizeof taken, cudaMemcpyDeviceToHost));
    return taken > 150;
}

/* Returns `lines` behind `first`. */
static std::vector<unsigned> behind(unsigned first, const std::vector<unsigned> &lines)
{
    std::vector<unsigned> all = {first};
    for (unsigned l : lines) {
        if (l != first) {
            all.push_back(l);
        }
    }
    return all;
}

/* Leaves out of `lines` all that are not needed to displace `first`. */
static void reduce(unsigned first, std::vector<unsigned> *lines)
{
    for (size_t i = 0; i < lines->size();) {
        std::vector<unsigned> fewer = *lines;
        fewer.erase(fewer.begin() + (long)i);
        if (displaces(behind(first, fewer))) {
            lines->swap(fewer);
        } else {
            i++;
        }
    }
}

static void write_lines(FILE *out, const char *name, unsigned first, const std::vector<unsigned> &l)
{
    fprintf(out, "%s;%u;", name, first);
    for (unsigned i : l) {
        fprintf(out, "%u ", i);
    }
    fprintf(out, "\n");
}

/* The tag bank of a line, as strides.cu's figures and write_banks have it. */
static unsigned bank_of(unsigned l)
{
    return (unsigned)(__builtin_parity(l & 0x3ab5) * 2 + __builtin_parity(l & 0x2f6f));
}

/* Writes sets: for lines of tag bank 0 the smallest group, then all lines below `most` that it displaces; for the first group lines of
 * the other banks too. */
static void write_sets(FILE *out)
{
    const unsigned lines = 640;
    const unsigned most = 4096;
    std::vector<bool> known(lines);
    unsigned found = 0;
    for (unsigned first = 0; first < lines / 2 && found < 20; first++) {
        std::vector<unsigned> group;
        for (unsigned l = 0; l < lines; l++) {
            if (l != first && bank_of(l) == 0 && !known[l]) {
                group.push_back(l);
            }
        }
        if (known[first] || bank_of(first) != 0 || !displaces(behind(first, group))) {
            continue;
        }
        reduce(first, &group);
        write_lines(out, "group", first, group);
        std::vector<unsigned> all;
        for (unsigned l = 0; l < most; l++) {
            if (bank_of(l) != 0 && (found != 0 || l >= 512)) {
                continue;
            }
            if (std::find(group.begin(), group.end(), l) != group.end() ||
                displaces(behind(l, group))) {
                all.push_back(l);
                if (l < lines) {
                    known[l] = true;
                }
            }
        }
        write_lines(out, "set", first, all);
        found++;
    }
}

/* Writes the passes of loads of four lines of one bank and of four of each bank 2^bit lines further: eight where the banks are
 * the same. */
static void write_banks(FILE *out)
{
    static uint32_t *sink = (uint32_t *)device_memory(1024 * sizeof *sink);
    static uint64_t *passed = (uint64_t *)device_memory(sizeof *passed);
    for (unsigned bit = 2; bit < 20; bit++) {
        for (unsigned bank = 0; bank < 4; bank++) {
            std::vector<unsigned> place(32);
            unsigned count = 0;
            for (unsigned l = 0; count < 4; l++) { /* lines of bank 0 */
                if (bank_of(l) == 0 && (bit > 7 || (l >> bit & 1) == 0)) {
                    place[count] = l * 32 + count;
                    count++;
                }
            }
            for (unsigned l = 0; count < 8; l++) {
                if (bank_of(l) == bank && (bit > 7 || (l >> bit & 1) == 0)) {
                    place[count] = (l ^ 1U << bit) * 32 + count;
                    count++;
                }
            }
            for (unsigned i = 8; i < 32; i++) {
                place[i] = place[i % 8] / 32 * 32 + i;
            }
            CHECK(cudaMemcpy(line, place.data(), 32 * sizeof *line, cudaMemcpyHostToDevice));
            double taken[2];
            for (unsigned k = 0; k < 2; k++) {
                uint64_t host = 0;
                lanes<<<1, 1024>>>((const uint32_t *)memory, line, 256U << k, sink, passed);
                CHECK(cudaMemcpy(&host, passed, sizeof host, cudaMemcpyDeviceToHost));
                taken[k] = (double)host;
            }
            fprintf(out, "bank;%u;%u;%.2f\n", bit, bank, (taken[1] - taken[0]) / (256 * 32));
        }
    }
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: sets FILE\n");
        return 2;
    }
    print_device();
    memory = (char *)device_memory((size_t)256 << 20);
    line = (unsigned *)device_memory(4096 * sizeof *line);
    cycles = (unsigned *)device_memory(sizeof *cycles);
    allow_shared(evicted, SHARED);
    FILE *out = fopen(argv[1], "w");
    if (out == nullptr) {
        perror(argv[1]);
        return 1;
    }
    write_banks(out);
    fflush(out);
    write_sets(out);
    fclose(out);
    return 0;
}
