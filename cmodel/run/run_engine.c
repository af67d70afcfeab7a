/* gm_engine_run: runs a source on the order or the timed engine. gm_results_free: frees the
 * results. */
#include "frontend/accounting.h"
#include "goldmem/engine.h"

#include <errno.h>

int gm_engine_run(gm_engine engine, const gm_config *config, gm_source *source,
                  const gm_run_options *options, gm_results *results, gm_error *error)
{
    switch (engine) {
    case GM_ENGINE_ORDER:
        return gm_order_run(config, source, options, results, error);
    case GM_ENGINE_CYCLE:
        return gm_cycle_run(config, source, options, results, error);
    }
    return gm_fail(error, -EINVAL, "no such engine: %d", (int)engine);
}

void gm_results_free(gm_results *results)
{
    gm_analysis_free(results->analysis);
    gm_accounting_drop_results(results);
}
