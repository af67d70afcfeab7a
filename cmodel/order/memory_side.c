/* Memory side: locates each message's bank and does the message there. */
#include "order/memory_side.h"

#include "cache/analysis_effect.h"
#include "cache/cache_sharing.h"

#include <errno.h>
#include <string.h>

static int make_banks(gm_memory_side *memory, const gm_config *config,
                      const gm_cache_parameters *cache, gm_error *error)
{
    size_t bytes = memory->banks * (gm_cache_bytes(cache) + gm_l2_partial_bytes(config, cache) +
                                    gm_l2_streaming_bytes(config, cache) +
                                    gm_atomic_unit_bytes(config) + sizeof *memory->bank) +
                   memory->partitions * (gm_dram_bytes(config) + sizeof *memory->channel) + 256;
    int code = gm_arena_create(&memory->arena, bytes, error);
    if (code < 0) {
        return code;
    }
    memory->bank = gm_arena_take(&memory->arena, memory->banks, sizeof *memory->bank);
    memory->channel = gm_arena_take(&memory->arena, memory->partitions, sizeof *memory->channel);
    for (uint32_t i = 0; code == 0 && i < memory->banks; i++) {
        gm_l2_policy_init(&memory->bank[i].policy, config);
        code = gm_cache_init(&memory->bank[i].cache, cache, &memory->arena, error);
        code =
            code < 0 ? code : gm_l2_make_partial(&memory->bank[i], config, &memory->arena, error);
        code =
            code < 0 ? code : gm_l2_make_streaming(&memory->bank[i], config, &memory->arena, error);
        code =
            code < 0 ? code : gm_l2_make_atomics(&memory->bank[i], config, &memory->arena, error);
        gm_l2_make_sharing(&memory->bank[i], config);
    }
    for (uint32_t i = 0; code == 0 && i < memory->partitions; i++) {
        code = gm_dram_init(&memory->channel[i], config, &memory->arena, error);
    }
    return code;
}

int gm_memory_side_init(gm_memory_side *memory, const gm_config *config, gm_error *error)
{
    *memory = (gm_memory_side){.partitions = (uint32_t)config->memory.partitions,
                               .bytes = gm_config_sends_bytes(config)};
    int code = gm_address_map_init(&memory->map, config, error);
    if (code < 0) {
        return code;
    }
    memory->banks = (uint32_t)(config->memory.partitions * config->memory.banks);
    gm_cache_parameters cache;
    gm_cache_request request = gm_cache_request_of_l2(config);
    code = gm_cache_describe(&cache, &memory->index, &request, error);
    cache.tags_only = config->l2.streaming;
    return code < 0 ? code : make_banks(memory, config, &cache, error);
}

void gm_memory_side_free(gm_memory_side *memory)
{
    for (uint32_t i = 0; memory->bank != NULL && i < memory->banks; i++) {
        gm_cache_free(&memory->bank[i].cache);
    }
    gm_arena_free(&memory->arena);
}

void gm_memory_side_keep_values(gm_memory_side *memory, struct gm_values *values)
{
    for (uint32_t i = 0; i < memory->banks; i++) {
        gm_l2_keep_values(&memory->bank[i], values);
    }
}

static void report(gm_memory_side *memory, const gm_message *message, uint32_t unit,
                   gm_outcome outcome)
{
    gm_analysis_access access = memory->cause;
    access.line = message->line;
    access.unit = unit;
    access.sm = message->sm;
    access.sectors = message->sectors;
    access.drops = outcome.drops;
    access.hit = outcome.hit;
    access.bypass = outcome.bypass;
    gm_analysis_effect_l2(&memory->bank[unit].policy, (gm_message_kind)message->kind,
                          message->whole, memory->bytes, &access);
    if (memory->failed == 0) {
        memory->failed = gm_analysis_l2_access(memory->analysis, &access, &memory->error);
    }
}

void gm_memory_side_run(gm_memory_side *memory, const gm_batch *batch)
{
    for (uint32_t i = 0; i < batch->count; i++) {
        const gm_message *message = &batch->message[i];
        gm_location at = gm_address_map_locate(&memory->map, message->line);
        uint32_t unit = (at.partition << memory->map.bank_bits) + at.bank;
        gm_outcome outcome = gm_l2_access(&memory->bank[unit], &memory->channel[at.partition],
                                          &memory->map, at, message);
        bool dropped = message->kind == GM_MESSAGE_EVICT && outcome.fills == 0;
        if (memory->analysis != NULL && !dropped) {
            report(memory, message, unit, outcome);
        }
    }
}

void gm_memory_side_end_kernel(gm_memory_side *memory)
{
    for (uint32_t i = 0; i < memory->banks; i++) {
        const gm_location at = {i >> memory->map.bank_bits, i & (uint32_t)memory->map.in_banks, 0};
        gm_l2_end_kernel(&memory->bank[i], &memory->channel[at.partition], &memory->map, at);
    }
}

bool gm_memory_side_shared(const gm_memory_side *memory, uint64_t line)
{
    gm_location at = gm_address_map_locate(&memory->map, line);
    return memory->bank[(at.partition << memory->map.bank_bits) + at.bank].cache.sharing->shared;
}

int gm_memory_side_failed(const gm_memory_side *memory, gm_error *error)
{
    if (memory->failed != 0) {
        return gm_fail(error, memory->failed, "%s", memory->error.text);
    }
    for (uint32_t i = 0; i < memory->banks; i++) {
        if (gm_cache_failed(&memory->bank[i].cache) != 0) {
            return gm_fail(error, -ENOMEM, "out of memory: the lines of an unbounded L2");
        }
    }
    return 0;
}
