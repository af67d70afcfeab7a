/* Requests per second of the memory system under another simulator, on one core, preset gtx480:
 * every port sends a line in each cycle in which it has room. Tab-separated: pattern, requests,
 * core cycles, ns each, million/s. */
#include "goldmem/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { REQUESTS = 1000000, LINE = 128, ROUNDS = 3 };

static const struct {
    const char *name;
    gm_memory_level level;
    uint64_t lines; /* each port's footprint; 0: never the same line again */
    gm_memory_kind kind;
} patterns[] = {
    {"below the L1, hits of loads", GM_MEMORY_BELOW_L1, 64, GM_MEMORY_LOAD},
    {"below the L1, hits of stores", GM_MEMORY_BELOW_L1, 64, GM_MEMORY_STORE},
    {"below the L1, DRAM reads", GM_MEMORY_BELOW_L1, 0, GM_MEMORY_LOAD},
    {"below the SM, L1 hits", GM_MEMORY_BELOW_SM, 64, GM_MEMORY_LOAD},
    {"below the SM, DRAM reads", GM_MEMORY_BELOW_SM, 0, GM_MEMORY_LOAD},
};

enum { PATTERNS = sizeof patterns / sizeof *patterns };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Sends `requests` and takes their answers. Returns the cycles. */
static uint64_t run(gm_memory *memory, unsigned pattern, uint64_t requests)
{
    uint32_t ports = gm_memory_ports(memory);
    uint64_t lines = patterns[pattern].lines;
    uint64_t begin = gm_memory_now(memory);
    uint64_t sent = 0;
    uint64_t answered = 0;
    static uint64_t number[1024]; /* of each port's next line */
    gm_error error;
    while (answered < requests) {
        gm_memory_answer answer;
        gm_memory_tick(memory);
        while (gm_memory_pop(memory, &answer)) {
            answered++;
        }
        for (uint32_t port = 0; port < ports && sent < requests; port++) {
            uint64_t line = lines != 0 ? number[port] % lines : number[port];
            const gm_memory_request request = {.address = (line * ports + port) * LINE,
                                               .sectors = 15,
                                               .port = port,
                                               .kind = patterns[pattern].kind};
            int code = gm_memory_send(memory, &request, &error);
            if (code < 0) {
                fprintf(stderr, "bench_memory: %s\n", error.text);
                exit(1);
            }
            number[port] += (unsigned)code;
            sent += (unsigned)code;
        }
    }
    return gm_memory_now(memory) - begin;
}

int main(void)
{
    gm_config config;
    gm_error error;
    if (gm_config_preset(&config, "gtx480", &error) < 0) {
        fprintf(stderr, "bench_memory: %s\n", error.text);
        return 1;
    }
    for (unsigned i = 0; i < PATTERNS; i++) {
        const gm_memory_options options = {.level = patterns[i].level};
        gm_memory *memory;
        if (gm_memory_open(&memory, &config, &options, &error) < 0) {
            fprintf(stderr, "bench_memory: %s\n", error.text);
            return 1;
        }
        uint64_t cycles = run(memory, i, REQUESTS / 10);
        double least = 0;
        for (unsigned round = 0; round < ROUNDS; round++) {
            double start = now();
            cycles = run(memory, i, REQUESTS);
            double taken = now() - start;
            least = round == 0 || taken < least ? taken : least;
        }
        gm_memory_close(memory);
        printf("%s\t%d\t%llu\t%.0f\t%.2f\n", patterns[i].name, REQUESTS, (unsigned long long)cycles,
               least / REQUESTS * 1e9, REQUESTS / least * 1e-6);
    }
    return 0;
}
