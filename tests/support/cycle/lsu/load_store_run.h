/* One SM's load/store unit over a memory that is not there (support/cycle/noc/fake_network.h). */
#ifndef GOLDMEM_TESTS_SUPPORT_CYCLE_LSU_LOAD_STORE_RUN_H
#define GOLDMEM_TESTS_SUPPORT_CYCLE_LSU_LOAD_STORE_RUN_H

#include "cache/streaming.h"
#include "cycle/lsu/load_store.h"
#include "support/cycle/noc/fake_network.h"

#include <stdlib.h>

typedef struct fixture {
    gm_config config;
    gm_cycle_l1_shared shared;
    gm_load_store unit;
    gm_arena arena;
    fake_memory *memory;
    gm_cycle wake;
    gm_cycle now;
} fixture;

static inline void make(fixture *fixture, const gm_config *config)
{
    gm_error error;
    memset(fixture, 0, sizeof *fixture);
    fixture->config = *config;
    fixture->memory = fake_memory_make(&fixture->shared, config, 20);
    test_ok(gm_arena_create(&fixture->arena, gm_load_store_bytes(&fixture->shared, config), &error),
            error);
    test_ok(
        gm_load_store_init(&fixture->unit, &fixture->shared, config, 3, &fixture->arena, &error),
        error);
    if (fixture->unit.l1.streaming != NULL) { /* closes and opens often */
        gm_stream_gate *gate = &fixture->unit.l1.streaming->block;
        gate->parameters.threshold = 60 + (unsigned)(config->gpu.sampling_period % 36);
        gate->parameters.least = 4;
    }
    fixture->unit.wake = fixture->memory->wake = &fixture->wake;
    fixture->wake = GM_NEVER;
}

static inline void destroy(fixture *fixture)
{
    gm_load_store_free(&fixture->unit);
    gm_arena_free(&fixture->arena);
    free(fixture->memory);
}

static inline gm_config defaults(void)
{
    gm_config config;
    gm_config_defaults(&config);
    config.sm.memory_queue = 8;
    return config;
}

/* Does cycle after cycle in which the unit wants a visit, up to `end`. What is done is written as
 * "ticket@cycle". */
static inline void run_until(fixture *fixture, gm_cycle end, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    while (fixture->wake <= end) {
        fixture->now = fixture->wake;
        fixture->wake = GM_NEVER;
        gm_load_store_step(&fixture->unit, fixture->now);
        assert_true(fixture->wake > fixture->now);
        for (uint32_t i = 0; i < fixture->unit.done_count && used < size; i++) {
            used += (size_t)snprintf(text + used, size - used, "%s%u@%llu", used == 0 ? "" : " ",
                                     fixture->unit.done[i], (unsigned long long)fixture->now);
        }
    }
    fixture->now = end;
}

#endif
