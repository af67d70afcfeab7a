/* Foresight: hints to the host's caches. The state of a big machine is larger than they are, and
 * each unit is visited once in a simulated cycle, so that most of what a visit reads has left them
 * since the last one. But the units of a cycle are known before the first is visited. So a unit is
 * foreseen in steps, some visits of other units apart: the oldest elements of its queues are
 * fetched, then the places in tables that these name, then the state behind the places. Each step
 * reads what the one before it has let the host fetch; none changes what is simulated. */
#ifndef GOLDMEM_BASE_FORESIGHT_H
#define GOLDMEM_BASE_FORESIGHT_H

enum { GM_FORESIGHT_VISITS = 2 }; /* from one step of a unit to the next, and to its visit */

/* Lets the host fetch the line of its cache that has this address; any address, even of nothing.
 * The empty statement is a side effect: gcc removes calls of functions that do nothing but
 * prefetch. */
static inline void gm_prefetch(const void *address)
{
    __builtin_prefetch(address);
    __asm__ volatile("");
}

#endif
