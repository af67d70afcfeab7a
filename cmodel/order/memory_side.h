/* Memory side: the L2 banks and DRAM channels of all partitions, behind the interconnect. */
#ifndef GOLDMEM_ORDER_MEMORY_SIDE_H
#define GOLDMEM_ORDER_MEMORY_SIDE_H

#include "cache/l2.h"
#include "goldmem/analysis.h"
#include "goldmem/config.h"

typedef struct gm_memory_side {
    gm_address_map map;
    gm_set_index index;
    gm_arena arena;
    uint32_t partitions;
    uint32_t banks;           /* of all partitions */
    gm_l2 *bank;              /* [banks]: partition * banks of a partition + bank */
    gm_dram *channel;         /* [partitions] */
    bool bytes;               /* gm_config_sends_bytes */
    gm_analysis *analysis;    /* or NULL */
    gm_analysis_access cause; /* with analyses: the L1 request that caused the messages */
    int failed;               /* first failure of an analysis, with its message: */
    gm_error error;
} gm_memory_side;

int gm_memory_side_init(gm_memory_side *memory, const gm_config *config, gm_error *error);
void gm_memory_side_free(gm_memory_side *memory);

/* Gives the banks' messages values from now on. */
void gm_memory_side_keep_values(gm_memory_side *memory, struct gm_values *values);

/* Does every message of the batch, in order. */
void gm_memory_side_run(gm_memory_side *memory, const gm_batch *batch);

/* Ends a kernel: lines in atomic buffers go back into the L2. Requires that no batch runs. */
void gm_memory_side_end_kernel(gm_memory_side *memory);

/* Returns true if the line that was touched last in the L2 bank of `line` is shared
 * (sharing.enabled). Requires messages that are posted singly. */
bool gm_memory_side_shared(const gm_memory_side *memory, uint64_t line);

/* Returns 0, or -ENOMEM if the results are void. Requires that no batch runs. */
int gm_memory_side_failed(const gm_memory_side *memory, gm_error *error);

#endif
