/* Sums of statistics, counter by counter from the lists in goldmem/statistics.h. */
#include "goldmem/statistics.h"

#include <stdbool.h>

void gm_cache_statistics_add(gm_cache_statistics *into, const gm_cache_statistics *from)
{
    for (unsigned kind = 0; kind < GM_ACCESS_KINDS; kind++) {
#define COUNTER(name, unit, meaning) into->name[kind] += from->name[kind];
        GM_CACHE_COUNTERS(COUNTER)
#undef COUNTER
    }
}

void gm_core_statistics_add(gm_core_statistics *into, const gm_core_statistics *from)
{
#define COUNTER(name, unit, meaning) into->name += from->name;
    GM_CORE_COUNTERS(COUNTER)
#undef COUNTER
}

void gm_tracker_statistics_add(gm_tracker_statistics *into, const gm_tracker_statistics *from)
{
#define COUNTER(name, unit, meaning) into->name += from->name;
    GM_TRACKER_COUNTERS(COUNTER)
    GM_TRACKER_ASK_COUNTERS(COUNTER)
    GM_TRACKER_VICTIM_COUNTERS(COUNTER)
#undef COUNTER
}

void gm_coherence_statistics_add(gm_coherence_statistics *into, const gm_coherence_statistics *from)
{
#define COUNTER(name, unit, meaning) into->name += from->name;
    GM_COHERENCE_COUNTERS(COUNTER)
#undef COUNTER
}

void gm_time_statistics_add(gm_time_statistics *into, const gm_time_statistics *from)
{
#define COUNTER(name, unit, meaning) into->name += from->name;
    GM_TIME_COUNTERS(COUNTER)
#undef COUNTER
}

void gm_l1i_statistics_add(gm_l1i_statistics *into, const gm_l1i_statistics *from)
{
#define COUNTER(name, unit, meaning) into->name += from->name;
    GM_L1I_COUNTERS(COUNTER)
#undef COUNTER
}

void gm_streaming_statistics_add(gm_streaming_statistics *into, const gm_streaming_statistics *from)
{
#define COUNTER(name, unit, meaning) into->name += from->name;
    GM_STREAMING_COUNTERS(COUNTER)
#undef COUNTER
    bool earlier = from->first_closed != 0 &&
                   (into->first_closed == 0 || from->first_closed < into->first_closed);
    into->first_closed = earlier ? from->first_closed : into->first_closed;
}

void gm_ccws_statistics_add(gm_ccws_statistics *into, const gm_ccws_statistics *from)
{
#define COUNTER(name, unit, meaning) into->name += from->name;
    GM_CCWS_COUNTERS(COUNTER)
#undef COUNTER
}

void gm_statistics_add(gm_statistics *into, const gm_statistics *from)
{
    gm_core_statistics_add(&into->core, &from->core);
    gm_cache_statistics_add(&into->l1d, &from->l1d);
    gm_cache_statistics_add(&into->l2, &from->l2);
#define COUNTER(name, unit, meaning) into->dram.name += from->dram.name;
    GM_DRAM_COUNTERS(COUNTER)
#undef COUNTER
#define CLASS(name, meaning) into->traffic.name += from->traffic.name;
    GM_TRAFFIC_CLASSES(CLASS)
#undef CLASS
#define COUNTER(name, unit, meaning) into->dueling.name += from->dueling.name;
    GM_DUELING_COUNTERS(COUNTER)
#undef COUNTER
#define COUNTER(name, unit, meaning) into->sampling.name += from->sampling.name;
    GM_SAMPLING_COUNTERS(COUNTER)
#undef COUNTER
    into->sampling.limit = from->sampling.limit;
    gm_ccws_statistics_add(&into->ccws, &from->ccws);
    gm_tracker_statistics_add(&into->tracker, &from->tracker);
    gm_coherence_statistics_add(&into->coherence, &from->coherence);
    gm_time_statistics_add(&into->time, &from->time);
    into->copies += from->copies;
    into->copy_bytes += from->copy_bytes;
    into->l2_dirty_sectors = from->l2_dirty_sectors;
    into->unified = from->unified;
    into->overlap = from->overlap;
    into->cta = from->cta;
#define COUNTER(name, unit, meaning) into->l1_banks.name += from->l1_banks.name;
    GM_L1_BANK_COUNTERS(COUNTER)
#undef COUNTER
    gm_l1i_statistics_add(&into->l1i, &from->l1i);
    gm_streaming_statistics_add(&into->l1_streaming, &from->l1_streaming);
    gm_streaming_statistics_add(&into->l2_streaming, &from->l2_streaming);
#define COUNTER(name, unit, meaning) into->l2_coalesced.name += from->l2_coalesced.name;
    GM_L2_COALESCED_COUNTERS(COUNTER)
#undef COUNTER
#define COUNTER(name, unit, meaning) into->l2_bypassed.name += from->l2_bypassed.name;
    GM_L2_BYPASSED_COUNTERS(COUNTER)
#undef COUNTER
#define COUNTER(name, unit, meaning) into->atomic_buffer.name += from->atomic_buffer.name;
    GM_ATOMIC_BUFFER_COUNTERS(COUNTER)
#undef COUNTER
#define COUNTER(name, unit, meaning) into->l2_victim.name += from->l2_victim.name;
    GM_L2_VICTIM_COUNTERS(COUNTER)
#undef COUNTER
#define COUNTER(name, unit, meaning) into->sharing.name += from->sharing.name;
    GM_SHARING_SM_COUNTERS(COUNTER)
    GM_SHARING_BANK_COUNTERS(COUNTER)
#undef COUNTER
#define COUNTER(name, unit, meaning) into->l2_bytes.name += from->l2_bytes.name;
    GM_L2_BYTES_COUNTERS(COUNTER)
#undef COUNTER
}
