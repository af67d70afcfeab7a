/* Transactions per second of tag_store's C model on one core, tab-separated (sets, tag ways, data
 * ways, ns each, million/s): an L1's accesses, half to few lines and half to many, one of 16 a
 * store; the data of a miss come LATENCY accesses later. */
#include "goldmem/tag_store.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ACCESSES = 1 << 20, ROUNDS = 7, LATENCY = 32 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Accesses, made beforehand: only the block is measured. */
static void make_accesses(gm_tag_store_request *access, uint64_t lines)
{
    uint64_t random = 1;
    for (unsigned i = 0; i < ACCESSES; i++) {
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
        uint64_t number = random >> 33;
        bool few = (random >> 32 & 1) != 0;
        access[i] = (gm_tag_store_request){
            .op = (random >> 28 & 15) == 0 ? GM_TAG_STORE_WRITE : GM_TAG_STORE_PROBE,
            .line = few ? number % (lines / 2) : number % (8 * lines),
            .may_miss = 1,
            .may_bypass = 1,
        };
    }
}

/* How many transactions that took: the accesses, and a FILL for each miss. */
static unsigned run(gm_tag_store *store, const gm_tag_store_request *access)
{
    gm_tag_store_request fill[LATENCY] = {{0}};
    unsigned transactions = ACCESSES;
    for (unsigned i = 0; i < ACCESSES; i++) {
        gm_tag_store_request *due = &fill[i % LATENCY];
        if (due->op == GM_TAG_STORE_FILL) {
            gm_tag_store_access(store, *due);
            transactions++;
        }
        gm_tag_store_response answer = gm_tag_store_access(store, access[i]);
        bool miss = access[i].op == GM_TAG_STORE_PROBE && answer.outcome == GM_TAG_STORE_MISS;
        *due = (gm_tag_store_request){.op = miss ? GM_TAG_STORE_FILL : GM_TAG_STORE_PROBE,
                                      .line = access[i].line,
                                      .position = answer.position};
    }
    for (unsigned i = 0; i < LATENCY; i++) {
        if (fill[i].op == GM_TAG_STORE_FILL) {
            gm_tag_store_access(store, fill[i]);
            transactions++;
        }
    }
    return transactions;
}

static int measure(gm_tag_store *store, const gm_tag_store_parameters *p)
{
    gm_tag_store_request *access = malloc(ACCESSES * sizeof *access);
    if (access == NULL) {
        return EXIT_FAILURE;
    }
    unsigned sets = 1u << p->index->bits;
    make_accesses(access, (uint64_t)sets * p->data_ways);
    double best = 1e9;
    for (unsigned round = 0; round < ROUNDS; round++) {
        double start = now();
        unsigned transactions = run(store, access);
        double each = (now() - start) * 1e9 / transactions;
        best = each < best ? each : best;
    }
    printf("%u\t%u\t%u\t%.1f\t%.0f\n", sets, p->tag_ways, p->data_ways, best, 1e3 / best);
    free(access);
    return EXIT_SUCCESS;
}

static int bench(unsigned sets, unsigned tag_ways, unsigned data_ways)
{
    static gm_set_index function;
    gm_tag_store_parameters parameters = {.index = &function,
                                          .tag_ways = tag_ways,
                                          .data_ways = data_ways,
                                          .rc_bits = 6,
                                          .threshold = 2,
                                          .allocation_rc = 1,
                                          .rrpv_bits = 2,
                                          .signature_bits = 8,
                                          .counter_bits = 3};
    gm_error error;
    gm_arena arena;
    gm_tag_store store;
    int code = gm_set_index_parse(&function, "ipoly", sets, 42, &error);
    if (code == 0) {
        code = gm_arena_create(&arena, gm_tag_store_bytes(&parameters), &error);
    }
    if (code < 0) {
        fprintf(stderr, "%s\n", error.text);
        return EXIT_FAILURE;
    }
    code = gm_tag_store_init(&store, &parameters, &arena, &error);
    if (code < 0) {
        fprintf(stderr, "%s\n", error.text);
    } else {
        code = measure(&store, &parameters);
    }
    gm_arena_free(&arena);
    return code == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(void)
{
    return bench(32, 8, 4) != 0 || bench(64, 32, 16) != 0;
}
