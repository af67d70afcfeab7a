/* Transactions per second of replacement's C model on one core, tab-separated (policy, sets, ways,
 * ns each, million/s): a cache's accesses to random lines, half of them hits, the others misses. */
#include "goldmem/replacement.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ACCESSES = 1 << 20, ROUNDS = 7, INDEX_BITS = 5, WAYS = 4 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Made beforehand: only the block is measured. The first ones fill all ways, so that no TOUCH errs.
 */
static void make_accesses(gm_replacement_request *access)
{
    uint64_t random = 1;
    for (unsigned i = 0; i < ACCESSES; i++) {
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
        bool fills = i < WAYS << INDEX_BITS;
        access[i] = (gm_replacement_request){
            .op = fills || (random >> 40 & 1) != 0 ? GM_REPLACEMENT_REPLACE : GM_REPLACEMENT_TOUCH,
            .index = (fills ? i : random >> 33) & ((1u << INDEX_BITS) - 1),
            .way = random >> 50 & (WAYS - 1),
            .eligible = (1u << WAYS) - 1,
            .signature = random >> 55 & 0xff,
        };
    }
}

static int measure(gm_replacement_policy policy, const gm_replacement_request *access)
{
    static const char *const names[] = {"LRU", "SRRIP", "SHiP"};
    gm_replacement_parameters p = {.policy = policy,
                                   .index_bits = INDEX_BITS,
                                   .ways = WAYS,
                                   .rrpv_bits = 2,
                                   .signature_bits = 8,
                                   .counter_bits = 3};
    gm_error error;
    gm_arena arena;
    gm_replacement_state state;
    if (gm_arena_create(&arena, gm_replacement_bytes(&p), &error) < 0 ||
        gm_replacement_init(&state, &p, &arena, &error) < 0) {
        fprintf(stderr, "%s\n", error.text);
        return EXIT_FAILURE;
    }
    double best = 1e9;
    for (unsigned round = 0; round < ROUNDS; round++) {
        double start = now();
        for (unsigned i = 0; i < ACCESSES; i++) {
            gm_replacement_access(&state, access[i]);
        }
        double each = (now() - start) * 1e9 / ACCESSES;
        best = each < best ? each : best;
    }
    printf("%s\t%u\t%u\t%.1f\t%.0f\n", names[policy], 1u << INDEX_BITS, (unsigned)WAYS, best,
           1e3 / best);
    gm_arena_free(&arena);
    return EXIT_SUCCESS;
}

int main(void)
{
    gm_replacement_request *access = malloc(ACCESSES * sizeof *access);
    if (access == NULL) {
        return EXIT_FAILURE;
    }
    make_accesses(access);
    int status = EXIT_SUCCESS;
    for (gm_replacement_policy policy = GM_REPLACEMENT_LRU; policy <= GM_REPLACEMENT_SHIP;
         policy++) {
        status |= measure(policy, access);
    }
    free(access);
    return status;
}
