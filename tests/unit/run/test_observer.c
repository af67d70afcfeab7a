/* Observers of the set_index block: they are told every call, and change no result. */
#include "goldmem/engine.h"
#include "goldmem/set_index.h"
#include "support/support.h"
#include "support/trace/memory_source.h"

#include <stdio.h>
#include <string.h>

enum { CTAS = 100, WARPS = 8, ACCESSES = 2 * CTAS * WARPS };

/* Each warp of each CTA loads and stores its own lines once. */
static memory_source *stream(void)
{
    memory_source *source = memory_source_new();
    memory_kernel(source, CTAS, 32 * WARPS);
    for (uint32_t cta = 0; cta < CTAS; cta++) {
        memory_cta(source, cta);
        for (uint32_t warp = 0; warp < WARPS; warp++) {
            uint64_t address = 0x7f0000000000 + (cta * WARPS + warp) * UINT64_C(128);
            memory_warp(source, warp);
            memory_stride(source, MEMORY_LOAD, UINT32_MAX, address, 4, 4);
            memory_stride(source, MEMORY_STORE, UINT32_MAX, address + 0x10000000, 4, 4);
        }
    }
    return source;
}

static gm_statistics run(const gm_config *config, memory_source *source,
                         const gm_run_options *options)
{
    gm_results results;
    gm_error error;
    memory_source_rewind(source);
    test_ok(gm_order_run(config, &source->source, options, &results, &error), error);
    gm_statistics total = results.total;
    gm_results_free(&results);
    return total;
}

/* Counts calls and repeats each. */
typedef struct watcher {
    const gm_set_index *function;
    uint64_t calls, wrong;
} watcher;

static void watch(void *context, const uint64_t *request, const uint64_t *response)
{
    watcher *watcher = context;
    gm_set_index_response again = gm_set_index_access(
        watcher->function, *(const gm_set_index_request *)(const void *)request);
    watcher->calls++;
    watcher->wrong += memcmp(&again, response, sizeof again) != 0;
}

/* An observer is told every access's call, and changes no result; sequential indexing, which the
 * caches do without the block, is observed too. */
static void observers(void **state)
{
    (void)state;
    static const struct {
        const char *l1, *l2, *l1_ways;
        bool told;
    } rows[] = {
        {"ipoly:37", "xor", "4", true},
        {"sequential", "sequential", "4", true},
        {"sequential", "ipoly", "full", false},
    };
    memory_source *source = stream();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gm_config config;
        gm_error error;
        test_ok(gm_config_preset(&config, "gtx480", &error), error);
        char ways[32];
        snprintf(ways, sizeof ways, "l1.ways=%s", rows[i].l1_ways);
        test_ok(gm_config_assign(&config, ways, &error), error);
        test_text_copy(config.l1.index, sizeof config.l1.index, rows[i].l1);
        test_text_copy(config.l2.index, sizeof config.l2.index, rows[i].l2);
        const gm_run_options alone = {.threads = 1};
        gm_statistics plain = run(&config, source, &alone);

        static gm_set_index function[2];
        watcher l1 = {.function = &function[0]};
        watcher l2 = {.function = &function[1]};
        uint64_t l1_sets = gm_config_l1_sets(&config);
        test_ok(gm_set_index_parse(&function[0], rows[i].l1, l1_sets, 57, &error), error);
        test_ok(
            gm_set_index_parse(&function[1], rows[i].l2, gm_config_l2_sets(&config), 57, &error),
            error);
        const gm_observer observer[2] = {{&l1, watch}, {&l2, watch}};
        const gm_run_options watched = {
            .threads = 3, .l1_set_index = &observer[0], .l2_set_index = &observer[1]};
        gm_statistics same = run(&config, source, &watched);
        assert_memory_equal(&same, &plain, sizeof plain);
        assert_int_equal(l1.wrong + l2.wrong, 0);
        assert_in_range(l1.calls, rows[i].told ? ACCESSES : 0,
                        rows[i].told ? 2 * ACCESSES + ACCESSES : 0);
        assert_in_range(l2.calls, plain.l2.accesses[GM_LOAD] + plain.l2.accesses[GM_STORE],
                        2 * ACCESSES);
    }
    gm_source_close(&source->source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(observers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
