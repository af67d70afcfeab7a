/* Warm-up of a run. */
#include "frontend/warm_up.h"

#include "frontend/accounting.h"

#include <errno.h>
#include <inttypes.h>

int gm_warm_up_check(const gm_run_options *options, gm_error *error)
{
    const char *other = options->analyses != 0        ? "--analyze"
                        : options->latencies          ? "--latency"
                        : options->per_pc             ? "--per-pc"
                        : options->variant_count != 0 ? "variants"
                                                      : NULL;
    if (options->warm_up.kind == GM_WARM_UP_NONE || other == NULL) {
        return 0;
    }
    return gm_fail(error, -EINVAL, "a warm-up does not go with %s, which counts whole runs", other);
}

int gm_warm_up_subtract(const gm_warmed *warmed, const gm_run_options *options, gm_results *results,
                        const gm_config *config, gm_error *error)
{
    static const char *const units[] = {"", "kernels", "CTAs", "thread instructions"};
    const gm_results *at = &warmed->at;
    if (options->warm_up.kind == GM_WARM_UP_NONE) {
        return 0;
    }
    if (!warmed->reached && results->stop.reason == GM_STOP_ASKED) {
        return 0;
    }
    if (!warmed->reached) {
        return gm_fail(error, -EINVAL, "the run ends before its warm-up of %" PRIu64 " %s",
                       options->warm_up.count, units[options->warm_up.kind]);
    }
    gm_accounting_since(&results->total, &at->total);
    for (uint64_t i = 0; i < config->gpu.sms; i++) {
        gm_accounting_since(&results->per_sm[i], &at->per_sm[i]);
    }
    for (uint64_t i = 0; i < config->memory.partitions * config->memory.banks; i++) {
        gm_accounting_since(&results->per_bank[i], &at->per_bank[i]);
    }
    for (uint64_t i = 0; i < config->memory.partitions; i++) {
        gm_accounting_since(&results->per_partition[i], &at->per_partition[i]);
    }
    return 0;
}

void gm_warmed_free(gm_warmed *warmed)
{
    gm_accounting_drop_results(&warmed->at);
}
