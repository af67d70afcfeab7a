/* The SIMT executor, shared by its files: see simt.c. */
#ifndef GOLDMEM_WORKLOAD_SIMT_SIMT_INTERNAL_H
#define GOLDMEM_WORKLOAD_SIMT_SIMT_INTERNAL_H

#include "goldmem/source.h"
#include "workload/point.h"

/* Device addresses: arrays as cudaMalloc places them, local memory in a window of its own. */
#define GM_DEVICE_BASE UINT64_C(0x7f0000000000)
#define GM_LOCAL_BASE  UINT64_C(0x7e0000000000)

/* One launch. */
typedef struct gm_launch {
    const gm_code *code;
    const void *arguments; /* the `a` of GM_THREAD */
    gm_dim grid, block;
    uint32_t shared_bytes; /* beyond the kernel's own struct; else 0 */
    uint32_t registers;    /* per thread; 0: 24 */
    uint64_t stream;
    bool weak; /* SYNC loads may hit in an L1 that no protocol keeps coherent: without .STRONG */
} gm_launch;

/* Warp instructions of one warp that wait until the CTA has passed all its barriers. */
typedef struct gm_record {
    unsigned char *bytes;
    size_t used, capacity;
} gm_record;

/* Lanes that issue together. */
typedef struct gm_group {
    unsigned lanes;
    uint32_t mask;
    uint64_t limit;                     /* point at which other lanes wait; UINT64_MAX: none */
    const uint64_t *head[GM_WARP_SIZE]; /* next event of each of `lanes` */
} gm_group;

typedef struct gm_simt {
    gm_opcode_table *opcodes;
    gm_points *points;  /* of every kernel so far */
    gm_points *current; /* of this launch */
    uintptr_t memory;   /* host address of device memory */
    uint64_t *log;      /* GM_SIMT_EVENTS for each lane */
    gm_warp *warp;      /* of the CTA */
    gm_record *record;  /* of the CTA's warps */
    uint32_t *exited;   /* lanes, of the CTA's warps */
    uint32_t warps;     /* of the arrays above */
    void *shared;
    size_t shared_bytes;
    unsigned char *locals;
    size_t local_bytes; /* of all threads of the CTA */
    const gm_cta_sink *sink;
    gm_group group;   /* being issued */
    bool weak;        /* of the launch */
    bool check_order; /* verify that points ascend but for loops (tests) */
    uint64_t address[GM_WARP_SIZE];
} gm_simt;

int gm_simt_create(gm_simt **simt, gm_opcode_table *opcodes, const void *memory, gm_error *error);
void gm_simt_free(gm_simt *simt);

/* Prepares a launch. Returns 0, -EINVAL or -ENOMEM. */
int gm_simt_launch(gm_simt *simt, const gm_launch *launch, gm_error *error);

/* Executes one CTA and delivers its instructions. Returns 0 or a negative errno value. */
int gm_simt_run_cta(gm_simt *simt, const gm_launch *launch, const gm_dim *cta,
                    const gm_cta_sink *sink, gm_error *error);

/* Sets the warps of a CTA to the kernel's beginning, with zeroed shared memory and locals. Returns
 * their number. */
uint32_t gm_simt_begin_warps(const gm_simt *simt, const gm_launch *launch, const gm_dim *cta,
                             gm_warp *warp, void *shared, unsigned char *locals);

/* Runs a warp's lanes up to a SYNC access, a barrier or their end. Requires that the lanes that do
 * not run have their events in the log. Returns a gm_merge_end other than YIELD, or a negative
 * errno value. */
int gm_simt_run_lanes(gm_simt *simt, const gm_launch *launch, gm_warp *warp, uint32_t lanes,
                      gm_record *record, gm_error *error);

/* Outcome of a merge of the lanes' logs. */
typedef enum gm_merge_end {
    GM_MERGE_EXITED,  /* all lanes ended */
    GM_MERGE_YIELD,   /* the lanes of warp->run must continue; the others wait */
    GM_MERGE_BARRIER, /* as YIELD, once all warps of the CTA have arrived */
    GM_MERGE_SYNC,    /* as YIELD, once the lanes of warp->run have what the access gives:
                         simt->group has its events */
} gm_merge_end;

/* Issues the lanes' events in SIMT order into `record`, or to the sink if that is NULL. Returns a
 * gm_merge_end, or a negative errno value. `lanes`: all lanes of the warp. */
int gm_simt_merge(gm_simt *simt, gm_warp *warp, uint32_t lanes, gm_record *record, gm_error *error);

/* Delivers or records the group's event in `column` places; `straight`: its addresses have a
 * constant stride. */
int gm_simt_issue(gm_simt *simt, const gm_group *group, size_t column, bool straight,
                  gm_record *record, gm_error *error);

/* Delivers the recorded instructions, and empties the record. Returns 0 or a negative errno value.
 */
int gm_record_replay(gm_simt *simt, gm_record *record, gm_error *error);

#endif
