/* Configuration check: what sharing-aware caches [tabbakh, V] require of the other keys. */
#include "config/config_sharing.h"

#include <errno.h>
#include <inttypes.h>

/* Checks the ranges of the block sharing_lru. */
static int check_size(const char *cache, uint64_t size, uint64_t line, uint64_t sets,
                      gm_error *error)
{
    enum { MOST_SETS = 1024, MOST_WAYS = 32 };
    uint64_t ways = size / line / sets;
    return sets <= MOST_SETS && ways <= MOST_WAYS
               ? 0
               : gm_fail(error, -EINVAL,
                         "sharing.enabled=yes: %s.size, %s.ways and %s.line make %" PRIu64
                         " sets of %" PRIu64 " ways; at most %d sets of %d ways are possible",
                         cache, cache, cache, sets, ways, MOST_SETS, MOST_WAYS);
}

/* A line is private or shared as a whole, and a fill that an L1 does not install must not be the
 * only place of a store's data. */
int gm_config_check_sharing(const gm_config *config, uint64_t l1_sets, uint64_t l2_sets,
                            gm_error *error)
{
    const struct {
        bool wrong;
        const char *text;
    } rules[] = {
        {!config->l1.enabled, "l1.enabled=yes"},
        {config->l1.kind != GM_L1_CONVENTIONAL, "l1.kind=conventional"},
        {config->l1.line != config->l2.line, "l1.line and l2.line to be equal"},
        {config->l1.sectored, "l1.sectored=no"},
        {config->l2.sectored, "l2.sectored=no"},
        {config->l1.size == GM_UNBOUNDED, "a bounded l1.size"},
        {config->l2.size == GM_UNBOUNDED, "a bounded l2.size"},
        {config->l1.replacement != GM_REPLACE_LRU, "l1.replacement=lru"},
        {config->l2.replacement != GM_REPLACE_LRU, "l2.replacement=lru"},
        {config->l1.allocation != GM_ALLOCATE_ON_FILL, "l1.allocation=on_fill"},
        {config->l1.global_write != GM_WRITE_THROUGH, "l1.global_write=through"},
        {config->l1.local_write != GM_WRITE_BACK, "l1.local_write=back"},
        {!config->l1.local_allocate, "l1.local_allocate=yes"},
        {config->l1.bypass != GM_BYPASS_NONE, "l1.bypass=none"},
        {config->l1.unified != 0, "l1.unified=0"},
        {config->l1.streaming, "l1.streaming=no"},
        {config->l2.streaming, "l2.streaming=no"},
        {config->l2.bypass != GM_L2_BYPASS_NONE, "l2.bypass=none"},
        {config->l2.dirty != GM_DIRTY_SECTOR, "l2.dirty=sector"},
        {config->l2.fetch_on_write == GM_FETCH_LAZY, "an l2.fetch_on_write other than lazy"},
        {config->l2.atomic_buffer, "l2.atomic_buffer=no"},
        {config->sm.throttle == GM_THROTTLE_CCWS, "an sm.throttle other than ccws"},
        {config->tracker.enabled, "tracker.enabled=no"},
        {config->coherence.protocol != GM_COHERENCE_NONE, "coherence.protocol=none"},
    };
    if (!config->sharing.enabled) {
        return 0;
    }
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        if (rules[i].wrong) {
            return gm_fail(error, -EINVAL, "sharing.enabled=yes: needs %s", rules[i].text);
        }
    }
    uint64_t banks = config->memory.partitions * config->memory.banks;
    int code = check_size("l1", config->l1.size, config->l1.line, l1_sets, error);
    return code < 0 ? code
                    : check_size("l2", config->l2.size / banks, config->l2.line, l2_sets, error);
}
