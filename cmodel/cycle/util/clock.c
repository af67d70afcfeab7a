/* Clock domains. */
#include "cycle/util/clock.h"

gm_clock gm_clock_make(uint64_t core_mhz, uint64_t own_mhz)
{
    uint64_t a = core_mhz;
    uint64_t b = own_mhz;
    do {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    } while (b != 0);
    return (gm_clock){.core = gm_divider_make(core_mhz / a), .own = gm_divider_make(own_mhz / a)};
}

__attribute__((noinline)) gm_cycle gm_clock_visit_slow(const gm_clock *clock, gm_cycle core)
{
    return gm_clock_core(*clock, gm_clock_first(*clock, core));
}
