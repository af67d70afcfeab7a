/* Kernels that communicate, under wrong protocols: their own checks find that a fence waits for
 * nothing, and that a copy is used after its lease; under the right ones they pass. The two rules
 * are the engine's own code, with a switch in front. */
#include "goldmem/tc_l1.h"
#include "goldmem/workload.h"
#include "support/cycle/engine/cycle_run.h"
#include "support/order/order_run.h"

#include <errno.h>
#include <string.h>

/* The library has a second `gm_coherence_temporal`, which this one replaces; the sanitizer gives
 * the reserved name by which it asks. The two sources below are compiled with faults in place of
 * the library's: so they are included. */
const char *__asan_default_options(void); /* NOLINT(bugprone-reserved-identifier) */
const char *__asan_default_options(void)  /* NOLINT(bugprone-reserved-identifier) */
{
    return "detect_odr_violation=0";
}

static bool fences_wait;
static bool leases_end;

static inline bool may_be_used(const gm_tc_l1_slot *slot, uint64_t now)
{
    if (!leases_end && slot->valid && slot->lease < now) {
        gm_tc_l1_slot *kept;
        memcpy(&kept, &slot, sizeof(void *));
        kept->lease = (uint32_t)now; /* a new one, from nobody */
    }
    return gm_tc_l1_is_unexpired(slot, now);
}
#define gm_tc_l1_is_unexpired may_be_used
#include "coherence/temporal.c" /* NOLINT(bugprone-suspicious-include) */
#undef gm_tc_l1_is_unexpired

#define gm_cycle_fence_waits right_fence_waits
#include "cycle/sm/fence.c" /* NOLINT(bugprone-suspicious-include) */
#undef gm_cycle_fence_waits

bool gm_cycle_fence_waits(gm_cycle_sm *sm, uint32_t slot, gm_cycle now)
{
    bool waits = right_fence_waits(sm, slot, now);
    return fences_wait && waits;
}

static int run(const char *workload, uint64_t lifetime, bool values, gm_error *error)
{
    gm_config config = order_preset("fermi-tc");
    config.coherence.protocol = GM_COHERENCE_TCW;
    config.l1.flush = false;
    config.coherence.lifetime = lifetime;
    config.gpu.watchdog = 60000;
    const gm_run_options options = {.check_values = values};
    gm_results results;
    gm_source *source;
    test_ok(gm_workload_open(&source, workload, error), *error);
    int code = gm_cycle_run(&config, source, &options, &results, error);
    if (code == 0) {
        gm_results_free(&results);
    }
    gm_source_close(source);
    return code;
}

typedef struct wrong {
    const char *workload;
    uint64_t lifetime;
    const char *text; /* what the failure says */
    bool values;      /* the check of values finds it, the program's own result does not */
} wrong;

static void right_then_wrong(const wrong *row, bool *rule)
{
    gm_error error;
    fences_wait = leases_end = true;
    test_ok(run(row->workload, row->lifetime, row->values, &error), error);
    *rule = false;
    int code = run(row->workload, row->lifetime, row->values, &error);
    if (code >= 0 || strstr(error.text, row->text) == NULL) {
        fail_msg("%s: %d, '%s', not '%s'", row->workload, code, code < 0 ? error.text : "",
                 row->text);
    }
}

static void fences_that_wait_for_nothing(void **state)
{
    (void)state;
    static const wrong rows[] = {
        {"placement,grid=32", 5000, "placement: site", false},
        {"worksteal,n=1000,leaf=2,ctas=60", 20000, "kernel steal: CTA", false},
        {"cloth,width=20,height=12,ctas=6", 5000, "cloth: particle", false},
        {"cloth,width=20,height=12,ctas=6", 800, "a fence completes", true},
        {"wave3d,x=32,y=8,z=2,ctas=8", 800, "a fence completes", true},
        {"bhtree,bodies=300", 800, "a fence completes", true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        right_then_wrong(&rows[i], &fences_wait);
    }
}

static void leases_without_end(void **state)
{
    (void)state;
    static const wrong rows[] = {
        {"wave3d,x=32,y=8,z=1,ctas=4", GM_PREDICTED, "kernel wave: CTA", false},
        {"bhtree,bodies=300", GM_PREDICTED, "kernel build: CTA", false},
        {"cloth,width=20,height=12,ctas=6", GM_PREDICTED, "kernel solve: CTA", false},
        {"placement,grid=12", GM_PREDICTED, "placement: site", false},
        {"gridcut,width=20,height=12", GM_PREDICTED, "kernel cut: CTA", false},
        {"worksteal,n=1000,leaf=8,ctas=15", GM_PREDICTED, "kernel steal: CTA", false},
        {"worksteal,n=1000,leaf=8,ctas=15,queues=1", GM_PREDICTED, "kernel share: CTA", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        right_then_wrong(&rows[i], &leases_end);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fences_that_wait_for_nothing),
        cmocka_unit_test(leases_without_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
