/* Transactions per second of lifetime_predictor's C model on one core, tab-separated (ns each,
 * million/s): random loads, evictions and stores after a fence, of which a third change the
 * lifetime. */
#include "goldmem/lifetime_predictor.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TRANSACTIONS = 1 << 22, ROUNDS = 7 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Returns the sum of the lifetimes. */
static uint64_t run(gm_lifetime_predictor *predictor)
{
    uint64_t sum = 0;
    uint64_t random = 1;
    gm_lifetime_predictor_access(
        predictor, (gm_lifetime_predictor_request){.op = GM_LIFETIME_PREDICTOR_FENCED});
    for (unsigned i = 0; i < TRANSACTIONS; i++) {
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
        unsigned ticket = (unsigned)(random >> 40) % 12;
        const gm_lifetime_predictor_request request = {
            .op = ticket < 8    ? GM_LIFETIME_PREDICTOR_LOAD
                  : ticket < 10 ? GM_LIFETIME_PREDICTOR_EVICT
                                : GM_LIFETIME_PREDICTOR_STORE,
            .expired_l1 = ticket < 3,
            .unexpired = ticket == 8 || ticket == 10,
        };
        sum += gm_lifetime_predictor_access(predictor, request).life;
    }
    return sum;
}

int main(void)
{
    const gm_lifetime_predictor_parameters parameters = {
        .life_bits = 13, .hit = 4, .evict = 8, .write = 8, .max = 6400, .start = 800};
    gm_lifetime_predictor predictor;
    gm_error error;
    double best = 1e9;
    uint64_t sum = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        if (gm_lifetime_predictor_init(&predictor, &parameters, &error) < 0) {
            fprintf(stderr, "%s\n", error.text);
            return EXIT_FAILURE;
        }
        double start = now();
        sum = run(&predictor);
        double each = (now() - start) * 1e9 / TRANSACTIONS;
        best = each < best ? each : best;
    }
    printf("%.1f\t%.0f\n", best, 1e3 / best);
    return sum > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
