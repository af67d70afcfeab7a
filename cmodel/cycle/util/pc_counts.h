/* Counts by instruction address (goldmem/per_pc.h) of a machine, and of its instructions in flight.
 */
#ifndef GOLDMEM_CYCLE_UTIL_PC_COUNTS_H
#define GOLDMEM_CYCLE_UTIL_PC_COUNTS_H

#include "base/line_table.h"
#include "base/snapshot.h"
#include "cycle/util/clock.h"
#include "goldmem/per_pc.h"

#include <string.h>

enum { GM_PC_TICKETS = 2048 };

enum { GM_PC_RECENT = 1024 };

/* A row that was found before: in place address / 8 modulo GM_PC_RECENT. Without these the search
 * in the table is a third of what counting costs. */
typedef struct gm_pc_recent {
    uint64_t address;
    gm_pc_counts *counts; /* NULL: none */
} gm_pc_recent;

/* Of the machine. */
typedef struct gm_pc_table {
    gm_line_table counts; /* address -> gm_pc_counts */
    gm_pc_counts spare;   /* in place of a row, for lack of memory */
    bool failed;
    gm_pc_recent *recent; /* [GM_PC_RECENT] not saved */
} gm_pc_table;

/* Of an SM. */
typedef struct gm_pc_flight {
    gm_pc_table *table;
    uint64_t address[GM_PC_TICKETS]; /* of the ticket's instruction */
    gm_cycle issued[GM_PC_TICKETS];
} gm_pc_flight;

/* As gm_pc_counts_of, of an address that is not in its place of `recent`. A new row may move all
 * others. */
static __attribute__((noinline)) gm_pc_counts *gm_pc_counts_found(gm_pc_table *table,
                                                                  uint64_t address,
                                                                  gm_pc_recent *recent)
{
    bool fresh;
    gm_pc_counts *counts = gm_line_table_get(&table->counts, address, &fresh);
    if (fresh) {
        memset(table->recent, 0, GM_PC_RECENT * sizeof *table->recent);
    }
    *recent = (gm_pc_recent){address, counts};
    table->failed |= counts == NULL;
    return counts != NULL ? counts : &table->spare;
}

/* Returns the counts of an address, valid until the next call. */
static inline gm_pc_counts *gm_pc_counts_of(gm_pc_table *table, uint64_t address)
{
    enum { LOG_BYTES = 3 }; /* of the shortest instruction */
    gm_pc_recent *recent = &table->recent[(address >> LOG_BYTES) % GM_PC_RECENT];
    return recent->counts != NULL && recent->address == address
               ? recent->counts
               : gm_pc_counts_found(table, address, recent);
}

static inline void gm_pc_flight_snapshot(gm_pc_flight *flight, gm_snapshot *snapshot)
{
    GM_SNAPSHOT_VALUE(snapshot, flight->address);
    GM_SNAPSHOT_VALUE(snapshot, flight->issued);
}

#endif
