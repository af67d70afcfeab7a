/* Speed of the order engine, apart from what makes its input: a source that only fills in
 * addresses. Preset gtx480; patterns that begin with "hybrid-": kepler-hybrid-tracker.
 * Tab-separated: pattern, threads, L1 accesses, ns each, million/s. */
#include "goldmem/bits.h"
#include "goldmem/engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { THREADS = 256, WARPS = THREADS / GM_WARP_SIZE, LINE = 128, LOADS = 32 };

typedef struct pattern {
    const char *name;
    bool gather;   /* each lane its own line, anywhere in `span` */
    uint64_t span; /* bytes */
    uint32_t ctas;
} pattern;

typedef struct synthetic {
    gm_source source; /* first */
    gm_opcode opcode;
    gm_kernel kernel;
    const pattern *pattern;
    uint32_t next;
    bool started;
    uint64_t random;
    uint64_t address[GM_WARP_SIZE];
} synthetic;

static int next_command(gm_source *source, gm_command *command, gm_error *error)
{
    synthetic *bench = (synthetic *)source;
    (void)error;
    if (bench->started) {
        return 0;
    }
    bench->started = true;
    *command = (gm_command){.kind = GM_COMMAND_KERNEL, .kernel = &bench->kernel};
    return 1;
}

static void fill(synthetic *bench, gm_instruction *instruction, uint32_t warp, uint32_t load)
{
    uint64_t number = ((uint64_t)bench->next * WARPS + warp) * LOADS + load;
    if (!bench->pattern->gather) {
        instruction->base = number * LINE;
        return;
    }
    for (unsigned lane = 0; lane < GM_WARP_SIZE; lane++) {
        bench->random =
            bench->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        bench->address[lane] = (bench->random >> 20) % bench->pattern->span & ~UINT64_C(3);
    }
}

static int next_cta(gm_source *source, const gm_cta_sink *sink, gm_error *error)
{
    synthetic *bench = (synthetic *)source;
    if (bench->next == bench->pattern->ctas) {
        return 0;
    }
    const uint32_t id[3] = {bench->next, 0, 0};
    gm_instruction instruction = {
        .stride = 4,
        .address = bench->address,
        .mask = UINT32_MAX,
        .addresses = GM_WARP_SIZE,
        .op = GM_OP_LOAD,
        .space = GM_SPACE_GLOBAL,
        .form = bench->pattern->gather ? GM_ADDRESS_LIST : GM_ADDRESS_STRIDE,
        .width = 4,
        .destinations = 1,
        .sources = 1,
    };
    int code = sink->begin_cta(sink->context, id, error);
    for (uint32_t warp = 0; code == 0 && warp < WARPS; warp++) {
        code = sink->begin_warp(sink->context, warp, error);
        for (uint32_t load = 0; code == 0 && load < LOADS; load++) {
            fill(bench, &instruction, warp, load);
            code = sink->instruction(sink->context, &instruction, error);
        }
    }
    code = code == 0 ? sink->end_cta(sink->context, error) : code;
    bench->next++;
    return code < 0 ? code : 1;
}

static gm_progress progress(const gm_source *source)
{
    (void)source;
    return (gm_progress){0};
}

static void close_source(gm_source *source)
{
    (void)source;
}

static const gm_source_operations operations = {next_command, next_cta, progress, NULL,
                                                close_source};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int measure(const pattern *pattern, unsigned threads)
{
    static synthetic bench;
    gm_config config;
    gm_error error;
    gm_results results;
    bench = (synthetic){.pattern = pattern, .random = 1};
    bench.opcode = (gm_opcode){
        .text = "LDG.E", .op = GM_OP_LOAD, .space = GM_SPACE_GLOBAL, .unit = GM_UNIT_MEMORY};
    bench.source = (gm_source){.operations = &operations,
                               .name = "bench",
                               .opcodes = {.opcodes = &bench.opcode, .count = 1, .capacity = 1}};
    snprintf(bench.kernel.name, sizeof bench.kernel.name, "%s", pattern->name);
    bench.kernel.grid[0] = pattern->ctas;
    bench.kernel.grid[1] = bench.kernel.grid[2] = 1;
    bench.kernel.block[0] = THREADS;
    bench.kernel.block[1] = bench.kernel.block[2] = 1;
    gm_run_options options = {.threads = threads};
    bool hybrid = strncmp(pattern->name, "hybrid-", 7) == 0;
    if (gm_config_preset(&config, hybrid ? "kepler-hybrid-tracker" : "gtx480", &error) != 0) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    double start = now();
    if (gm_order_run(&config, &bench.source, &options, &results, &error) != 0) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    double seconds = now() - start;
    uint64_t accesses = results.total.l1d.accesses[GM_LOAD];
    gm_results_free(&results);
    printf("%s\t%u\t%llu\t%.1f\t%.1f\n", pattern->name, threads, (unsigned long long)accesses,
           seconds * 1e9 / (double)accesses, (double)accesses * 1e-6 / seconds);
    return 0;
}

/* bench_engine [PATTERN [THREADS [CTAS]]] */
int main(int count, char **arguments)
{
    static const pattern patterns[] = {
        {"stream", false, 0, 40000},
        {"gather-16MB", true, UINT64_C(16) << 20, 1200},
        {"gather-512KB", true, UINT64_C(512) << 10, 1200},
        {"hybrid-stream", false, 0, 40000},
        {"hybrid-gather-16MB", true, UINT64_C(16) << 20, 1200},
        {"hybrid-gather-512KB", true, UINT64_C(512) << 10, 1200},
    };
    int failed = 0;
    uint32_t ctas = count > 3 ? (uint32_t)strtoul(arguments[3], NULL, 10) : 0;
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        if (count > 1 && strcmp(arguments[1], patterns[i].name) != 0) {
            continue;
        }
        for (unsigned threads = 1; threads <= 3; threads++) {
            if (count <= 2 || threads == (unsigned)strtoul(arguments[2], NULL, 10)) {
                pattern pattern = patterns[i];
                pattern.ctas = ctas != 0 ? ctas : pattern.ctas;
                failed |= measure(&pattern, threads);
            }
        }
    }
    return failed;
}
