#include <goldmem/memory.h>

#include <inttypes.h>
#include <stdio.h>

enum { LINES = 1000 };

int main(void)
{
    gm_config config;
    gm_error error;
    gm_memory *memory;
    const gm_memory_options options = {.level = GM_MEMORY_BELOW_L1};
    if (gm_config_preset(&config, "gtx480", &error) < 0 ||
        gm_memory_open(&memory, &config, &options, &error) < 0) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    uint64_t answered = 0, latency = 0, sent_at[LINES];
    for (uint64_t next = 0; answered < LINES;) {
        gm_memory_answer answer;
        gm_memory_tick(memory);
        while (gm_memory_pop(memory, &answer)) { /* what is due in this cycle */
            latency += answer.cycle - sent_at[answer.id];
            answered++;
        }
        gm_memory_request load = {.id = next, .address = next * 128, .sectors = 15, .port = 3};
        if (next < LINES && gm_memory_send(memory, &load, &error) == 1) { /* 0: no room yet */
            sent_at[next++] = gm_memory_now(memory);
        }
    }
    gm_statistics statistics;
    gm_memory_statistics(memory, &statistics);
    printf("%" PRIu64 " cycles, mean latency %.1f, %" PRIu64 " sectors from DRAM\n",
           gm_memory_now(memory), (double)latency / LINES, statistics.dram.reads);
    gm_memory_close(memory);
    return 0;
}
