/* Transactions per second of mshr's C model on one core, tab-separated (entries, merges, ns each,
 * million/s): a cache that misses on random lines, asks by PROBE before each REQUEST, and whose
 * table is almost full all the time, since data come only when a request fails. */
#include "goldmem/mshr.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { REQUESTS = 1 << 20, ROUNDS = 7 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Answers all requesters of one entry; returns how many transactions that took. */
static unsigned answer(gm_mshr *table, unsigned id)
{
    unsigned transactions = 0;
    gm_mshr_response response;
    do {
        response = gm_mshr_access(table, (gm_mshr_request){.op = GM_MSHR_RESPONSE_OP, .id = id});
        transactions++;
    } while (response.count != 0);
    return transactions;
}

/* Transactions of REQUESTS misses on 4 times as many lines as there are entries. */
static unsigned run(gm_mshr *table, uint64_t *random)
{
    unsigned transactions = 0;
    unsigned next = 0; /* entry whose data come next */
    for (unsigned i = 0; i < REQUESTS; i++) {
        *random = *random * UINT64_C(6364136223846793005) + 1442695040888963407;
        gm_mshr_request request = {.op = GM_MSHR_PROBE_OP,
                                   .line = (*random >> 33) % (4 * UINT64_C(1) * table->entries),
                                   .requester = i & 0xffff,
                                   .may_allocate = 1};
        while (transactions++, gm_mshr_access(table, request).outcome == GM_MSHR_FAIL) {
            while (!gm_mshr_is_valid(table, next)) {
                next = (next + 1) % table->entries;
            }
            transactions += answer(table, next);
        }
        request.op = GM_MSHR_REQUEST_OP;
        gm_mshr_access(table, request);
        transactions++;
    }
    return transactions;
}

static int bench(unsigned entries, unsigned merges)
{
    gm_mshr_parameters parameters = {
        .entries = entries, .merges = merges, .line_bits = 42, .requester_bits = 16};
    gm_error error;
    gm_arena arena;
    gm_mshr table;
    if (gm_arena_create(&arena, gm_mshr_bytes(&parameters), &error) < 0) {
        fprintf(stderr, "%s\n", error.text);
        return EXIT_FAILURE;
    }
    if (gm_mshr_init(&table, &parameters, &arena, &error) < 0) {
        fprintf(stderr, "%s\n", error.text);
        gm_arena_free(&arena);
        return EXIT_FAILURE;
    }
    double best = 1e9;
    uint64_t random = 1;
    for (unsigned round = 0; round < ROUNDS; round++) {
        double start = now();
        unsigned transactions = run(&table, &random);
        double each = (now() - start) * 1e9 / transactions;
        best = each < best ? each : best;
    }
    printf("%u\t%u\t%.1f\t%.0f\n", entries, merges, best, 1e3 / best);
    gm_arena_free(&arena);
    return EXIT_SUCCESS;
}

int main(void)
{
    return bench(32, 8) != 0 || bench(128, 8) != 0;
}
