/* BALL [li, 6.1]: every access takes the bypass path, as if there were no L1. */
#include "policy/policy.h"

bool gm_ball_load(void)
{
    return true;
}

/* "All the global/local memory accesses": a store leaves nothing in the L1 either. */
bool gm_ball_store(void)
{
    return true;
}
