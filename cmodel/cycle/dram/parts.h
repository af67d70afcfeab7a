/* What a partition's DRAM has beyond a GDDR5 channel with one command bus: channels and
 * pseudo-channels with their own banks and data bus, distances within and between bank groups, the
 * four-activate window, a row and a column command in one cycle, refresh. A part is a
 * pseudo-channel, or a channel without them. docs/dram.md has the rules. */
#ifndef GOLDMEM_CYCLE_DRAM_PARTS_H
#define GOLDMEM_CYCLE_DRAM_PARTS_H

#include "cycle/dram/gddr5.h"

/* Least distances in DRAM cycles, from the first cycle of a command to that of the next; `group`:
 * in one bank group; `bank`: in one bank. */
typedef struct gm_dram_distances {
    uint64_t row_to_row, row_to_row_group, row_to_row_bank;
    uint64_t four_rows; /* from an activate to the fourth one after it; 0: none */
    uint64_t row_to_read, row_to_write, row_to_precharge;
    uint64_t precharge_to_row, precharge_to_precharge;
    uint64_t column_to_column, column_to_column_group; /* of one direction; of any */
    uint64_t read_to_write, write_to_read, write_to_read_group;
    uint64_t read_to_precharge, write_to_precharge;
    uint64_t read_to_precharge_group;
    uint64_t row_to_refresh, row_to_refresh_bank, precharge_to_refresh;
    uint64_t refresh_to_refresh, refresh_to_row, refresh_to_row_bank, refresh_all_to_row;
} gm_dram_distances;

/* A bank group of a part. */
typedef struct gm_dram_group {
    gm_cycle from[GM_GDDR5_NEXTS + 1]; /* earliest cycle of each kind of command in its banks, by
                                          the constraints that banks share; the last: of a
                                          refresh, by the bus alone */
} gm_dram_group;

enum { GM_DRAM_WINDOW = 4 }; /* activates in tFAW */

typedef struct gm_dram_part {
    gm_cycle activated[GM_DRAM_WINDOW]; /* + 1: cycles of the last activates, in turn; 0: none */
    uint64_t activates;
    gm_cycle refresh_from; /* earliest refresh, by the constraints that banks share */
    gm_cycle refresh_due;  /* cycle from which the banks to be refreshed take no other command */
    uint64_t refresh_bank; /* bank of the part whose turn it is */
} gm_dram_part;

struct gm_dram_parts {
    gm_dram_group *group;  /* [parts * bank groups] */
    gm_dram_part *part;    /* [parts] */
    gm_cycle *write_from;  /* [banks] gm_gddr5_bank.column of a write */
    gm_cycle *refresh_row; /* [banks] earliest refresh of the bank */
    uint64_t reopened;     /* activates for requests that had their row already, before a refresh */
    gm_cycle refresh_due;  /* the earliest of the parts' */
    uint16_t *place;       /* [banks] number of the bank's group */
    gm_dram_distances distance;
    gm_dram_refresh refresh;
    uint64_t refresh_interval; /* of a part */
    uint64_t activate_cycles;
    uint32_t count;       /* parts */
    uint32_t part_bits;   /* log2 of them */
    uint32_t pseudo_bits; /* log2 of the parts that share command buses */
    uint32_t row_bus;     /* 1: rows have a bus of their own */
    bool column_bus;      /* a column command puts off more than the distances between columns do */
    uint32_t banks;       /* of a part */
};

/* Returns the bytes of the arena that gm_dram_parts_init takes: 0 where a GDDR5 channel will do. */
size_t gm_dram_parts_bytes(const gm_config *config);

/* Sets channel->parts. Requires an initialised channel. Returns 0 or -ENOMEM. */
int gm_dram_parts_init(gm_gddr5 *channel, const gm_config *config, gm_arena *arena,
                       gm_error *error);

/* gm_gddr5_schedule for such a partition. */
gm_cycle gm_dram_parts_schedule(gm_gddr5 *channel, gm_cycle from, gm_cycle end, gm_cycle horizon);

/* Issues the refresh commands of the cycles before `until`. Requires that no other command was
 * possible in those that are not decided. */
void gm_dram_parts_refresh(gm_gddr5 *channel, gm_cycle until);

void gm_dram_parts_snapshot(gm_gddr5 *channel, gm_snapshot *snapshot);

#endif
