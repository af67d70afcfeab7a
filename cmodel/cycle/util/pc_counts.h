/* Counts by instruction address (goldmem/per_pc.h) of a machine, and of its instructions in flight.
 */
#ifndef GOLDMEM_CYCLE_UTIL_PC_COUNTS_H
#define GOLDMEM_CYCLE_UTIL_PC_COUNTS_H

#include "base/line_table.h"
#include "base/snapshot.h"
#include "cycle/util/clock.h"
#include "goldmem/per_pc.h"

#include <errno.h>

enum { GM_PC_TICKETS = 2048 };

/* Of the machine. */
typedef struct gm_pc_table {
    gm_line_table counts; /* address -> gm_pc_counts */
    gm_pc_counts spare;   /* in place of a row, for lack of memory */
    bool failed;
} gm_pc_table;

/* Of an SM. */
typedef struct gm_pc_flight {
    gm_pc_table *table;
    uint64_t address[GM_PC_TICKETS]; /* of the ticket's instruction */
    gm_cycle issued[GM_PC_TICKETS];
} gm_pc_flight;

/* Returns the counts of an address, valid until the next call. */
static inline gm_pc_counts *gm_pc_counts_of(gm_pc_table *table, uint64_t address)
{
    bool fresh;
    gm_pc_counts *counts = gm_line_table_get(&table->counts, address, &fresh);
    table->failed |= counts == NULL;
    return counts != NULL ? counts : &table->spare;
}

static inline void gm_pc_flight_snapshot(gm_pc_flight *flight, gm_snapshot *snapshot)
{
    GM_SNAPSHOT_VALUE(snapshot, flight->address);
    GM_SNAPSHOT_VALUE(snapshot, flight->issued);
}

#endif
