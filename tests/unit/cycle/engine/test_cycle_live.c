/* Kernels that communicate, in whole runs of the cycle engine: each workload finds its own result
 * right under every protocol; skipped cycles and the check of values change nothing; a machine that
 * keeps old copies for ever makes them fail. What a run does not do with them is refused. */
#include "goldmem/workload.h"
#include "support/cycle/engine/cycle_run.h"
#include "support/order/order_run.h"
#include "support/workload/live_source.h"

#include <errno.h>
#include <string.h>

static const char *const workloads[] = {
    "wave3d,x=40,y=12,z=5,ctas=4,steps=3",
    "bhtree,bodies=150,ctas=4,threads=64",
    "cloth,width=12,height=9,ctas=4,steps=1,iterations=2",
    "placement,grid=8,moves=3,ctas=5",
    "gridcut,width=10,height=8,limit=4",
    "worksteal,n=900,leaf=8,ctas=12",
    "worksteal,n=900,leaf=8,ctas=12,queues=1",
};
enum { WORKLOADS = sizeof workloads / sizeof workloads[0] };

static const gm_coherence_protocol protocols[] = {
    GM_COHERENCE_NONE, GM_COHERENCE_IDEAL, GM_COHERENCE_TCS, GM_COHERENCE_TCW,
    GM_COHERENCE_VI,   GM_COHERENCE_VINI,  GM_COHERENCE_MESI};
enum { PROTOCOLS = sizeof protocols / sizeof protocols[0] };

static gm_config machine(gm_coherence_protocol protocol)
{
    gm_config config = order_preset("fermi-tc");
    config.coherence.protocol = protocol;
    config.l1.flush = protocol == GM_COHERENCE_NONE;
    return config;
}

/* Runs a workload. Returns the run's code. */
static int run(const gm_config *config, const char *workload, const gm_run_options *options,
               gm_results *results, gm_error *error)
{
    gm_source *source;
    test_ok(gm_workload_open(&source, workload, error), *error);
    int code = gm_cycle_run(config, source, options, results, error);
    gm_source_close(source);
    return code;
}

static gm_results run_well(const gm_config *config, const char *workload, gm_run_options options)
{
    gm_results results;
    gm_error error;
    options.check = true;
    test_ok(run(config, workload, &options, &results, &error), error);
    return results;
}

static void assert_same(const gm_results *a, const gm_results *b)
{
    assert_int_equal(a->kernels, b->kernels);
    assert_memory_equal(&a->total, &b->total, sizeof a->total);
}

static void every_workload_under_every_protocol(void **state)
{
    (void)state;
    for (unsigned w = 0; w < WORKLOADS; w++) {
        for (unsigned p = 0; p < PROTOCOLS; p++) {
            const gm_config config = machine(protocols[p]);
            static const gm_run_options others[] = {{.no_skip = true}, {.check_values = true}};
            gm_results plain = run_well(&config, workloads[w], (gm_run_options){.threads = 2});
            for (unsigned i = 0; i < 2; i++) {
                if (test_takes(w + 2 * p + i)) {
                    gm_results other = run_well(&config, workloads[w], others[i]);
                    assert_same(&plain, &other);
                    gm_results_free(&other);
                }
            }
            gm_results_free(&plain);
        }
    }
}

/* Machines in which warps have more to wait for: fetch, collectors, an instruction cache, two
 * levels of scheduling, throttles, launches one after the other. */
static void other_machines(void **state)
{
    (void)state;
    static const char *const machines[][3] = {
        {"sm.warp_launch=70"},
        {"sm.throttle=sampling", "gpu.sampling_period=300"},
        {"sm.fetch=2", "sm.collectors=4"},
        {"sm.scheduler=two_level", "sm.group=2"},
        {"sm.throttle=static", "sm.limit=1", "sm.scheduler=gto"},
        {"sm.fetch=2", "l1i.size=2KB"},
        {"sm.throttle=ccws"},
        {"l1.enabled=no"},
    };
    enum { FREE = 5 }; /* the others allow no protocol */
    for (unsigned i = 0; i < sizeof machines / sizeof machines[0]; i++) {
        for (unsigned w = 0; w < WORKLOADS; w++) {
            gm_config config =
                machine(i < FREE ? protocols[(i + w) % PROTOCOLS] : GM_COHERENCE_NONE);
            gm_error error;
            if (!test_takes(i + w)) {
                continue;
            }
            for (unsigned k = 0; k < 3 && machines[i][k] != NULL; k++) {
                test_ok(gm_config_assign(&config, machines[i][k], &error), error);
            }
            gm_results plain = run_well(&config, workloads[w], (gm_run_options){0});
            gm_results steps = run_well(&config, workloads[w], (gm_run_options){.no_skip = true});
            assert_same(&plain, &steps);
            gm_results_free(&plain);
            gm_results_free(&steps);
        }
    }
}

/* Returns true if no counter of `a` is more than that of `b`. */
static bool is_at_most(const gm_core_statistics *a, const gm_core_statistics *b)
{
    bool at_most = true;
    for (size_t i = 0; i < sizeof *a / sizeof(uint64_t); i++) {
        at_most = at_most && ((const uint64_t *)a)[i] <= ((const uint64_t *)b)[i];
    }
    return at_most;
}

/* Stops a run in the middle of what its warps have been given: what is counted has issued, and a
 * later stop has counted no less of anything. */
static void limits(void **state)
{
    (void)state;
    const gm_config config = machine(GM_COHERENCE_TCW);
    gm_core_statistics before = {0};
    for (uint64_t cycles = 50; cycles < 12000; cycles = cycles * 11 / 10) {
        gm_results results =
            run_well(&config, workloads[0], (gm_run_options){.max_cycles = cycles});
        assert_int_equal(results.stop.reason, GM_STOP_CYCLES);
        assert_int_equal(results.total.core.warp_instructions, results.total.time.slots_issued);
        before.ctas = before.warps = 0; /* counted when they begin */
        assert_true(is_at_most(&before, &results.total.core));
        before = results.total.core;
        gm_results_free(&results);
    }
    for (uint64_t threads = 1; threads < 300000; threads = threads * 7 + 1) {
        gm_results results =
            run_well(&config, workloads[0], (gm_run_options){.max_instructions = threads});
        assert_int_equal(results.stop.reason, GM_STOP_INSTRUCTIONS);
        assert_in_range(results.total.core.thread_instructions, threads, threads + 15 * 64 * 2);
        gm_results_free(&results);
    }
}

typedef struct array {
    uint32_t *word; /* [3] */
} array;
typedef struct array_locals {
    uint32_t seen, round;
} array_locals;
typedef struct no_shared {
    uint32_t unused;
} no_shared;

/* Warp 1 is at the barrier when warp 0 has passed its spin; behind it each loads. */
GM_THREAD(meet_and_load, array)
{
    array_locals *l = t->locals;
    BEGIN(t)
    if (t->thread.x < GM_WARP_SIZE) {
        for (l->round = 0; l->round < 3; l->round++) {
            SYNC_ADD(t, l->seen, a->word, 1U);
            LOOP(t);
        }
    }
    BARRIER(t);
    (void)LOAD(t, a->word + 1);
    BARRIER(t);
    STORE(t, a->word + 2, 1U);
    END(t);
}
GM_SYNC_BARRIER_KERNEL(meet_and_load, array, array_locals, no_shared)

static gm_results run_kernel(const gm_config *config, const gm_code *code, uint32_t threads)
{
    gm_error error;
    live_source *s = live_source_new();
    array a = {gm_device_take(&s->device, "word", 3, sizeof *a.word, true, &error)};
    s->launch.code = code;
    s->launch.arguments = &a;
    s->launch.block.x = threads;
    const gm_run_options options = {.check = true};
    gm_results results;
    test_ok(gm_cycle_run(config, &s->source, &options, &results, &error), error);
    gm_source_close(&s->source);
    return results;
}

/* A warp that has run dry at a barrier goes on with the instruction behind it. */
static void dry_at_a_barrier(void **state)
{
    (void)state;
    gm_config config = machine(GM_COHERENCE_NONE);
    gm_results results = run_kernel(&config, &meet_and_load_code, 64);
    /* 3 x (ATOMG, BRA); 2 x (BAR, LDG, BAR, STG, EXIT) */
    assert_int_equal(results.total.time.slots_issued, 16);
    static const uint64_t accesses[GM_ACCESS_KINDS] = {2, 2, 3};
    assert_memory_equal(results.total.l1d.accesses, accesses, sizeof accesses);
    gm_results_free(&results);
}

GM_THREAD(ask_often, array)
{
    array_locals *l = t->locals;
    BEGIN(t)
    for (l->round = 0; l->round < 50; l->round++) {
        SYNC_LOAD(t, l->seen, a->word);
        LOOP(t);
    }
    END(t);
}
GM_SYNC_KERNEL(ask_often, array, array_locals)

/* A warp that goes on behind a SYNC access has an empty buffer: its next instruction is fetched, 2
 * cycles at least. */
static void goes_on_with_a_fetch(void **state)
{
    (void)state;
    gm_config config = machine(GM_COHERENCE_NONE);
    config.sm.fetch = 0;
    gm_results at_once = run_kernel(&config, &ask_often_code, 32);
    config.sm.fetch = 1;
    gm_results fetched = run_kernel(&config, &ask_often_code, 32);
    assert_int_equal(fetched.total.time.slots_issued, 101);
    assert_in_range(fetched.total.time.cycles, at_once.total.time.cycles + 101, UINT32_MAX);
    gm_results_free(&at_once);
    gm_results_free(&fetched);
}

static void assert_fails(const gm_config *config, const char *workload,
                         const gm_run_options *options, int expected, const char *text)
{
    gm_results results;
    gm_error error;
    assert_int_equal(run(config, workload, options, &results, &error), expected);
    if (strstr(error.text, text) == NULL) {
        fail_msg("'%s' is not in '%s'", text, error.text);
    }
}

/* An old copy that is used for ever, and CTAs that wait for one that has no place. */
static void waiting_for_ever(void **state)
{
    (void)state;
    static const char waits[] = "kernel wave: CTA 0, warp 0: a SYNC load of 0x7f00000";
    const gm_run_options plain = {0};
    gm_config config = machine(GM_COHERENCE_NONE);
    config.gpu.watchdog = 4000;
    assert_fails(&config, "wave3d,x=32,y=8,z=1,ctas=4,strong=0", &plain, -EDEADLK, waits);
    config.gpu.sms = 1;
    assert_fails(&config, "wave3d,x=32,y=8,z=1,ctas=100", &plain, -EDEADLK, "kernel wave: CTA 0");
}

static void refused(void **state)
{
    (void)state;
    const gm_run_options plain = {0};
    const gm_run_options saves = {.checkpoint = "/dev/null"};
    const gm_run_options resumes = {.resume = "/dev/null"};
    gm_config config = machine(GM_COHERENCE_NONE);
    assert_fails(&config, workloads[0], &saves, -EINVAL,
                 "wave3d,x=40,y=12,z=5,ctas=4,steps=3: its CTAs communicate: it needs a run "
                 "without checkpoints (--checkpoint)");
    assert_fails(&config, workloads[0], &resumes, -EINVAL, "(not --resume)");
    config.gpu.kernels = 2;
    assert_fails(&config, workloads[0], &plain, -EINVAL, "it needs gpu.kernels=1");
    config.gpu.kernels = 1;
    config.gpu.cta = GM_CTA_BCS;
    assert_fails(&config, workloads[0], &plain, -EINVAL, "it needs gpu.cta=rr");
}

/* So many SYNC writes that their data are forgotten while the run goes on, but of those that wait
 * in an L1, or have been performed in one. */
static void forgotten_writes(void **state)
{
    (void)state;
    static const gm_coherence_protocol kinds[] = {GM_COHERENCE_TCW, GM_COHERENCE_VI,
                                                  GM_COHERENCE_MESI};
    for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const gm_config config = machine(kinds[i]);
        gm_results results = run_well(&config, "placement,grid=64", (gm_run_options){.threads = 1});
        gm_results_free(&results);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_workload_under_every_protocol),
        cmocka_unit_test(other_machines),
        cmocka_unit_test(limits),
        cmocka_unit_test(dry_at_a_barrier),
        cmocka_unit_test(goes_on_with_a_fetch),
        cmocka_unit_test(waiting_for_ever),
        cmocka_unit_test(refused),
        cmocka_unit_test(forgotten_writes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
