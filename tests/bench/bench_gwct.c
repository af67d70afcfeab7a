/* Transactions per second of gwct's C model on one core, tab-separated (warps of a fence, ns each,
 * million/s): a warp sends a store, gets its answer with a GWCT, and asks before and after that
 * time whether its fence completes; the fence covers the warp alone, or the warps of its CTA. */
#include "goldmem/gwct.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TRANSACTIONS = 1 << 21, ROUNDS = 7, LEASE = 800, WARPS = 48 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static bool completes(gm_gwct *table, uint64_t first, uint64_t last, uint64_t time)
{
    return gm_gwct_access(
               table,
               (gm_gwct_request){.op = GM_GWCT_FENCE, .warp = first, .last = last, .now = time})
               .ready != 0;
}

/* Transactions of warps in an order that a predictor does not know. Returns how many fences
 * complete. */
static unsigned run(gm_gwct *table, unsigned covered, uint64_t *random)
{
    unsigned ready = 0;
    for (unsigned i = 0; i < TRANSACTIONS / 4; i++) {
        *random = *random * UINT64_C(6364136223846793005) + 1442695040888963407;
        uint64_t cta = (*random >> 48) % (WARPS / covered);
        uint64_t first = cta * covered;
        gm_gwct_access(table, (gm_gwct_request){.op = GM_GWCT_ISSUE, .warp = first, .store = 1});
        gm_gwct_access(table, (gm_gwct_request){.op = GM_GWCT_ACK,
                                                .warp = first,
                                                .store = 1,
                                                .has_gwct = 1,
                                                .timestamp = i + LEASE});
        ready += completes(table, first, first + covered - 1, i + 1);
        ready += completes(table, first, first + covered - 1, i + 1 + LEASE);
    }
    return ready;
}

static int bench(unsigned covered)
{
    gm_gwct_parameters parameters = {.warps = WARPS, .count_bits = 8, .time_bits = 32};
    gm_error error;
    gm_arena arena;
    gm_gwct table;
    if (gm_arena_create(&arena, ROUNDS * gm_gwct_bytes(&parameters), &error) < 0) {
        fprintf(stderr, "%s\n", error.text);
        return EXIT_FAILURE;
    }
    double best = 1e9;
    uint64_t random = 1;
    unsigned ready = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        if (gm_gwct_init(&table, &parameters, &arena, &error) < 0) {
            fprintf(stderr, "%s\n", error.text);
            ready = 0;
            break;
        }
        double start = now();
        ready += run(&table, covered, &random);
        double each = (now() - start) * 1e9 / TRANSACTIONS;
        best = each < best ? each : best;
    }
    printf("%u\t%.1f\t%.0f\n", covered, best, 1e3 / best);
    gm_arena_free(&arena);
    return ready > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(void)
{
    return bench(1) != 0 || bench(8) != 0;
}
