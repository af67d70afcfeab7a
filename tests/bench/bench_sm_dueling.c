/* Transactions per second of sm_dueling's C model on one core, tab-separated (interval, ns each,
 * million/s): an ADVANCE by 1 for each ACCESS, as the order engine has it. */
#include "goldmem/sm_dueling.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TRANSACTIONS = 1 << 21, ROUNDS = 7 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

int main(void)
{
    gm_sm_dueling_parameters p = {.interval = 500, .count_bits = 9, .difference = 10, .period = 1};
    gm_error error;
    gm_sm_dueling dueling;
    if (gm_sm_dueling_init(&dueling, &p, &error) < 0) {
        fprintf(stderr, "%s\n", error.text);
        return EXIT_FAILURE;
    }
    double best = 1e9;
    for (unsigned round = 0; round < ROUNDS; round++) {
        uint64_t random = 1;
        double start = now();
        for (unsigned i = 0; i < TRANSACTIONS / 2; i++) {
            random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
            gm_sm_dueling_access(&dueling, (gm_sm_dueling_request){.op = GM_SM_DUELING_ACCESS,
                                                                   .sm = random >> 40 & 1,
                                                                   .miss = random >> 50 & 1});
            gm_sm_dueling_access(&dueling,
                                 (gm_sm_dueling_request){.op = GM_SM_DUELING_ADVANCE, .amount = 1});
        }
        double each = (now() - start) * 1e9 / TRANSACTIONS;
        best = each < best ? each : best;
    }
    printf("%u\t%.1f\t%.0f\n", p.interval, best, 1e3 / best);
    return EXIT_SUCCESS;
}
