/* Transactions per second of lease_store's C model on one core, tab-separated (leases stored on
 * average, ns each, million/s): evicted lines put their leases, half of them are refetched before
 * the lease is past. */
#include "goldmem/lease_store.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TRANSACTIONS = 1 << 20, ROUNDS = 7, ENTRIES = 128 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Puts the lease of line i in cycle i, for `lifetime` cycles, and takes that of every second line
 * `lifetime` / 2 cycles later. Returns the sum of the numbers of leases stored. */
static uint64_t run(gm_lease_store *store, uint64_t lifetime)
{
    uint64_t used = 0;
    for (uint64_t i = 1; i <= TRANSACTIONS / 2; i++) {
        used += gm_lease_store_access(store, (gm_lease_store_request){.op = GM_LEASE_STORE_PUT,
                                                                      .line = i,
                                                                      .lease = i + lifetime,
                                                                      .now = i,
                                                                      .may = 1})
                    .used;
        uint64_t refetched = i > lifetime / 2 ? i - lifetime / 2 : 0;
        used +=
            gm_lease_store_access(store, (gm_lease_store_request){.op = GM_LEASE_STORE_TAKE,
                                                                  .line = refetched & ~UINT64_C(1),
                                                                  .now = i})
                .used;
    }
    return used;
}

static int bench(uint64_t lifetime)
{
    gm_lease_store_parameters parameters = {.entries = ENTRIES, .line_bits = 42, .time_bits = 32};
    gm_error error;
    gm_arena arena;
    gm_lease_store store;
    if (gm_arena_create(&arena, ROUNDS * gm_lease_store_bytes(&parameters), &error) < 0) {
        fprintf(stderr, "%s\n", error.text);
        return EXIT_FAILURE;
    }
    double best = 1e9;
    uint64_t used = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        if (gm_lease_store_init(&store, &parameters, &arena, &error) < 0) {
            fprintf(stderr, "%s\n", error.text);
            used = 0;
            break;
        }
        double start = now();
        used = run(&store, lifetime);
        double each = (now() - start) * 1e9 / TRANSACTIONS;
        best = each < best ? each : best;
    }
    printf("%.0f\t%.1f\t%.1f\n", (double)used / TRANSACTIONS, best, 1e3 / best);
    gm_arena_free(&arena);
    return used > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(void)
{
    return bench(40) != 0 || bench(160) != 0;
}
