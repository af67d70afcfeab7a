/* Set-index throughput on one core, tab-separated (function, sets, way, ns each, million/s): the
 * batch function, one address at a time, and a straightforward implementation that takes each index
 * bit's parity, in the same run. */
#include "blocks/set_index_batch.h"
#include "goldmem/bits.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LINES = 1 << 16, ROUNDS = 7 };

typedef void map_function(const gm_set_index *, const uint64_t *, uint32_t *, uint64_t);

static void map_one_by_one(const gm_set_index *function, const uint64_t *line, uint32_t *index,
                           uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        index[i] = gm_set_index_of(function, line[i]);
    }
}

/* Each address waits for the index of the one before: latency, not throughput. */
static void map_dependent(const gm_set_index *function, const uint64_t *line, uint32_t *index,
                          uint64_t count)
{
    uint32_t last = 0;
    for (uint64_t i = 0; i < count; i++) {
        last = gm_set_index_of(function, line[i] ^ (last & 1));
        index[i] = last;
    }
}

static void map_bit_by_bit(const gm_set_index *function, const uint64_t *line, uint32_t *index,
                           uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        uint32_t result = 0;
        for (unsigned bit = 0; bit < function->bits; bit++) {
            uint32_t value = 0;
            for (unsigned column = 0; column < function->address_bits; column++) {
                value ^= (uint32_t)((function->row[bit] & line[i]) >> column & 1);
            }
            result |= value << bit;
        }
        index[i] = result;
    }
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Best of several rounds: nanoseconds per address. */
static double measure(map_function *map, const gm_set_index *function, const uint64_t *line,
                      uint32_t *index, unsigned repeats)
{
    double best = 1e9;
    for (unsigned round = 0; round < ROUNDS; round++) {
        double start = now();
        for (unsigned i = 0; i < repeats; i++) {
            map(function, line, index, LINES);
        }
        double each = (now() - start) * 1e9 / ((double)LINES * repeats);
        best = each < best ? each : best;
    }
    return best;
}

static void print_row(const char *text, uint64_t sets, const char *way, double nanoseconds)
{
    printf("%s\t%llu\t%s\t%.2f\t%.0f\n", text, (unsigned long long)sets, way, nanoseconds,
           1e3 / nanoseconds);
}

static int bench(const char *text, uint64_t sets, const uint64_t *line, uint32_t *index)
{
    gm_set_index function;
    gm_error error;
    if (gm_set_index_parse(&function, text, sets, 42, &error) != 0) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    print_row(text, sets, "batch", measure(gm_set_index_batch, &function, line, index, 100));
    print_row(text, sets, "batch, portable",
              measure(gm_set_index_batch_portable, &function, line, index, 50));
    print_row(text, sets, "one at a time", measure(map_one_by_one, &function, line, index, 50));
    print_row(text, sets, "one at a time, dependent",
              measure(map_dependent, &function, line, index, 20));
    if (gm_set_index_is_linear(&function)) {
        print_row(text, sets, "bit by bit", measure(map_bit_by_bit, &function, line, index, 1));
    }
    return 0;
}

int main(void)
{
    uint64_t *line = malloc(LINES * sizeof *line);
    uint32_t *index = malloc(LINES * sizeof *index);
    int failed = line == NULL || index == NULL;
    uint64_t state = 1;
    for (unsigned i = 0; !failed && i < LINES; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        line[i] = state >> 22; /* 42 bits: 49-bit addresses in lines of 128 bytes */
    }
    failed = failed || bench("ipoly:37", 32, line, index) || bench("ipoly", 4096, line, index) ||
             bench("prime", 32, line, index) || bench("skew", 32, line, index);
    free(line);
    free(index);
    return failed;
}
