/* First-ready FCFS [Rixner et al., "Memory access scheduling", ISCA 2000, section 3]: which command
 * of a GDDR5 channel is issued when. */
#ifndef GOLDMEM_CYCLE_DRAM_FRFCFS_H
#define GOLDMEM_CYCLE_DRAM_FRFCFS_H

#include "cycle/dram/gddr5.h"

/* Issues the commands of the DRAM cycles `from` to `end` - 1, and, while there is room for a read's
 * answer, of those up to `horizon` - 1. Requires that no request pushed from now on arrives before
 * `horizon`. Returns the DRAM cycle, `end` or later, of the next command or arrival if nothing else
 * happens until then, or GM_NEVER. */
gm_cycle gm_gddr5_schedule(gm_gddr5 *channel, gm_cycle from, gm_cycle end, gm_cycle horizon);

#endif
