/* The engines by name, and a run by the one that is asked for. */
#include "goldmem/engine.h"

#include <errno.h>

const char *gm_engine_name(gm_engine engine)
{
    switch (engine) {
    case GM_ENGINE_ORDER:
        return "order";
    case GM_ENGINE_CYCLE:
        return "cycle";
    }
    return "";
}

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
