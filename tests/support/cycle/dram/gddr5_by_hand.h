/* What commands worked by hand are written with: the gtx480 preset's row, banks and line in bytes,
 * and the commands' names. */
#ifndef GOLDMEM_TESTS_SUPPORT_CYCLE_DRAM_GDDR5_BY_HAND_H
#define GOLDMEM_TESTS_SUPPORT_CYCLE_DRAM_GDDR5_BY_HAND_H

#include "support/cycle/dram/gddr5_channel.h"

enum { ROW = 4096, BANKS = 16, LINE = 128, ALL = 15, NEXT_ROW = ROW * BANKS };

#define ACT GM_GDDR5_ACTIVATE
#define PRE GM_GDDR5_PRECHARGE
#define RD  GM_GDDR5_READ
#define WR  GM_GDDR5_WRITE

#endif
