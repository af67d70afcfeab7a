/* Analyses of whole runs of both engines against a count that knows nothing of them: every line
 * that every instruction of a workload touches, in one list, sorted. It holds what no order of
 * warps changes.
 */
#include "goldmem/engine.h"
#include "goldmem/workload.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

enum { LINE = 128, MOST = 1 << 21 };

typedef struct touch {
    uint64_t line, kernel, cta;
} touch;

typedef struct touches {
    touch *touch;
    size_t count;
    gm_kernel kernel;
    uint64_t kernels, cta, most_ctas;
} touches;

static int begin_cta(void *context, const uint32_t cta[3], gm_error *error)
{
    (void)error;
    touches *all = context;
    const uint32_t *grid = all->kernel.grid;
    all->cta = ((uint64_t)cta[2] * grid[1] + cta[1]) * grid[0] + cta[0];
    return 0;
}

static int begin_warp(void *context, uint32_t warp, gm_error *error)
{
    (void)context, (void)warp, (void)error;
    return 0;
}

/* A line counts once an instruction, whichever of its bytes the lanes touch. */
static int instruction(void *context, const gm_instruction *instruction, gm_error *error)
{
    (void)error;
    touches *all = context;
    size_t first = all->count;
    for (unsigned k = 0; instruction->space == GM_SPACE_GLOBAL && k < instruction->addresses; k++) {
        uint64_t address = gm_instruction_address(instruction, k);
        for (unsigned byte = 0; byte < instruction->width; byte++) {
            uint64_t line = (address + byte) / LINE;
            size_t at = first;
            while (at < all->count && all->touch[at].line != line) {
                at++;
            }
            if (at == all->count) {
                assert_true(all->count < MOST);
                all->touch[all->count++] = (touch){line, all->kernels, all->cta};
            }
        }
    }
    return 0;
}

static int end_cta(void *context, gm_error *error)
{
    (void)context, (void)error;
    return 0;
}

static gm_source *open_workload(const char *specification)
{
    gm_source *source = NULL;
    gm_error error;
    test_ok(gm_workload_open(&source, specification, &error), error);
    return source;
}

static touches read_touches(const char *specification)
{
    touches all = {.touch = calloc(MOST, sizeof *all.touch)};
    assert_non_null(all.touch);
    const gm_cta_sink sink = {&all, begin_cta, begin_warp, instruction, end_cta};
    gm_source *source = open_workload(specification);
    gm_command command;
    gm_error error;
    int code = 1;
    while ((code = gm_source_next_command(source, &command, &error)) == 1) {
        if (command.kind == GM_COMMAND_KERNEL) {
            all.kernel = *command.kernel;
            uint64_t ctas = gm_kernel_ctas(&all.kernel);
            all.most_ctas = ctas > all.most_ctas ? ctas : all.most_ctas;
            while ((code = gm_source_next_cta(source, &sink, &error)) == 1) {
            }
            test_ok(code, error);
            all.kernels++;
        }
    }
    test_ok(code, error);
    gm_source_close(source);
    return all;
}

static int by_line(const void *left, const void *right)
{
    const touch *a = left;
    const touch *b = right;
    return a->line != b->line ? (a->line < b->line ? -1 : 1) : 0;
}

static int by_kernel_line_cta(const void *left, const void *right)
{
    const touch *a = left;
    const touch *b = right;
    if (a->kernel != b->kernel) {
        return a->kernel < b->kernel ? -1 : 1;
    }
    int order = by_line(left, right);
    return order != 0 ? order : a->cta < b->cta ? -1 : a->cta > b->cta;
}

/* Runs it with all analyses on; they are freed with the results. */
static const gm_analysis_results *run(gm_engine engine, const char *specification, uint64_t sms,
                                      gm_results *results)
{
    static const char *const keys[] = {"l1.flush=no", "l1.global_write=through",
                                       "l1.global_allocate=yes", "l2.copy_fills=no"};
    gm_config config;
    gm_error error;
    gm_config_defaults(&config);
    config.gpu.sms = sms;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        test_ok(gm_config_assign(&config, keys[i], &error), error);
    }
    const gm_run_options options = {.threads = 1,
                                    .check = true,
                                    .analyses = GM_ANALYZE_LOCALITY | GM_ANALYZE_REUSE |
                                                GM_ANALYZE_MISSES | GM_ANALYZE_SHARING};
    gm_source *source = open_workload(specification);
    test_ok(gm_engine_run(engine, &config, source, &options, results, &error), error);
    test_ok(gm_analysis_check(results->analysis, &config, &results->total, &error), error);
    gm_source_close(source);
    return gm_analysis_read(results->analysis);
}

/* Pairs of a kernel and a line that it touches. */
static uint64_t count_pairs(touches *all)
{
    uint64_t pairs = 0;
    qsort(all->touch, all->count, sizeof *all->touch, by_kernel_line_cta);
    for (size_t i = 0; i < all->count; i++) {
        pairs += i == 0 || all->touch[i].line != all->touch[i - 1].line ||
                 all->touch[i].kernel != all->touch[i - 1].kernel;
    }
    return pairs;
}

/* On one SM, whose L1 is never flushed and allocates all: how often each line is referenced. */
static void check_references(gm_engine engine, const char *specification, touches *all)
{
    gm_results results;
    const gm_analysis_results *got = run(engine, specification, 1, &results);
    uint64_t pairs = count_pairs(all);
    gm_histogram references = {{0}};
    uint64_t lines = 0;
    uint64_t once = 0;
    qsort(all->touch, all->count, sizeof *all->touch, by_line);
    for (size_t i = 0, next; i < all->count; i = next) {
        for (next = i + 1; next < all->count && all->touch[next].line == all->touch[i].line;) {
            next++;
        }
        references.count[gm_histogram_bucket(next - i)]++;
        lines++;
        once += next - i == 1;
    }
    assert_int_equal(got->reuse.accesses, all->count);
    assert_int_equal(got->reuse.lines, lines);
    assert_int_equal(got->reuse.accesses_once, once);
    assert_memory_equal(&got->reuse.references, &references, sizeof references);
    const gm_locality_results *locality = &got->locality[GM_LEVEL_L1];
    uint64_t again = 0;
    for (unsigned i = 0; i < GM_LOCALITIES; i++) {
        again += locality->references[i];
    }
    assert_int_equal(locality->first, lines);
    assert_int_equal(again, all->count - lines);
    assert_int_equal(locality->references[GM_LOCALITY_inter_sm], 0);
    /* a line comes back to each kernel but its first one once */
    assert_int_equal(locality->references[GM_LOCALITY_inter_kernel], pairs - lines);
    assert_int_equal(got->misses[GM_LEVEL_L1].unbounded, lines);
    assert_int_equal(got->misses[GM_LEVEL_L1].misses[GM_MISS_compulsory], lines);
    assert_int_equal(got->misses[GM_LEVEL_L1].misses[GM_MISS_policy], 0);
    gm_results_free(&results);
}

/* With an SM for each CTA: who shares a line within a kernel. */
static void check_sharing(gm_engine engine, const char *specification, touches *all)
{
    gm_results results;
    const gm_analysis_results *got = run(engine, specification, all->most_ctas, &results);
    gm_histogram distance = {{0}};
    uint64_t *by_sms = calloc(all->most_ctas + 1, sizeof *by_sms);
    assert_non_null(by_sms);
    qsort(all->touch, all->count, sizeof *all->touch, by_kernel_line_cta);
    for (size_t i = 0, next; i < all->count; i = next) {
        uint64_t ctas = 1;
        uint64_t nearest = UINT64_MAX;
        for (next = i + 1; next < all->count && all->touch[next].line == all->touch[i].line &&
                           all->touch[next].kernel == all->touch[i].kernel;
             next++) {
            uint64_t apart = all->touch[next].cta - all->touch[next - 1].cta;
            ctas += apart != 0;
            nearest = apart != 0 && apart < nearest ? apart : nearest;
        }
        by_sms[ctas]++;
        if (ctas > 1) {
            distance.count[gm_histogram_bucket(nearest)]++;
        }
    }
    assert_int_equal(got->sharing.sms, all->most_ctas);
    assert_memory_equal(got->sharing.by_sms, by_sms, (all->most_ctas + 1) * sizeof *by_sms);
    assert_memory_equal(&got->sharing.cta_distance, &distance, sizeof distance);
    free(by_sms);
    gm_results_free(&results);
}

static void agree_with_a_list_of_all_accesses(void **state)
{
    (void)state;
    static const char *const workloads[] = {
        "syrk,n=16",
        "conv2d,rows=70,columns=40",
        "hotspot,n=64,steps=2",
        "bfs,nodes=1000",
        "nw,n=64",
        "spmv,rows=400",
    };
    for (size_t i = 0; i < sizeof workloads / sizeof workloads[0]; i++) {
        touches all = read_touches(workloads[i]);
        assert_true(all.count > 500 && all.most_ctas > 1);
        for (unsigned engine = GM_ENGINE_ORDER; engine <= GM_ENGINE_CYCLE; engine++) {
            check_references((gm_engine)engine, workloads[i], &all);
            check_sharing((gm_engine)engine, workloads[i], &all);
        }
        free(all.touch);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agree_with_a_list_of_all_accesses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
