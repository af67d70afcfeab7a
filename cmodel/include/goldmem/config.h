/* Configuration of the whole memory system: one struct, one table of keys, for presets, YAML files,
 * --set and gpgpusim.config. */
#ifndef GOLDMEM_CONFIG_H
#define GOLDMEM_CONFIG_H

#include "goldmem/error.h"
#include "goldmem/sharing_lru.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GM_UNBOUNDED UINT64_MAX /* a size: the cache holds every line (fully associative) */
#define GM_FULL      UINT64_MAX /* a number of ways: fully associative */
#define GM_EACH      UINT64_MAX /* a number of units: one for each scheduler */
#define GM_LINE_EACH UINT64_MAX /* bytes of a bank: one L2 line, l2.line */

enum { GM_CONFIG_TEXT = 256, GM_CONFIG_SIZES = 16, GM_MOST_SCHEDULERS = 8 };

/* A list of sizes in bytes, ascending. */
typedef struct gm_size_list {
    uint64_t count; /* 1 to GM_CONFIG_SIZES */
    uint64_t size[GM_CONFIG_SIZES];
} gm_size_list;

/* Write policies: the effect of a store on an L1 line that it hits [khairy, Table 1; tabbakh,
 * II-C]. */
typedef enum gm_write_policy {
    GM_WRITE_EVICT,   /* write-through; the line is dropped */
    GM_WRITE_THROUGH, /* write-through; the line stays and is updated */
    GM_WRITE_BACK,    /* the line becomes dirty; nothing is sent until it is evicted */
} gm_write_policy;

/* Fetch policies: what a store miss in a write-allocate L2 fetches from DRAM. */
typedef enum gm_fetch_policy {
    GM_FETCH_ALWAYS,  /* the missing sectors of the store, and the whole line when not sectored */
    GM_FETCH_PARTIAL, /* only sectors that the store does not cover whole */
    GM_FETCH_THROUGH, /* as ALWAYS; the store is sent to DRAM too and leaves nothing dirty */
    GM_FETCH_LAZY,    /* nothing: what a store leaves of a sector is fetched by a later load */
} gm_fetch_policy;

/* Which loads that miss take no line of the L2 [anssari, 3.3, 4.3]. */
typedef enum gm_l2_bypass {
    GM_L2_BYPASS_NONE,
    GM_L2_BYPASS_COALESCED, /* those that fill a line of an L1 */
} gm_l2_bypass;

/* Which CTA an SM gets next [tabbakh, IV]. */
typedef enum gm_cta_policy {
    GM_CTA_RR,     /* the next one of the kernel */
    GM_CTA_BCS,    /* the next two, once the SM has room for two */
    GM_CTA_GROUPS, /* the next one of the SM's own group */
} gm_cta_policy;

#define GM_CTA_GRID_X UINT64_MAX /* a group: the CTAs of a row of the grid */

/* When the last kernel in flight ends, its warps having ended. */
typedef enum gm_kernel_end {
    GM_END_WRITTEN,  /* when nothing is in flight: what the L2 evicted is in DRAM */
    GM_END_ANSWERED, /* when all requests of the SMs are answered */
} gm_kernel_end;

/* Local loads that miss in a sharing-aware L2 [tabbakh, V-B2]. */
typedef enum gm_sharing_local {
    GM_SHARING_LOCAL_BYPASS, /* take no line of it and no MSHR */
    GM_SHARING_LOCAL_NORMAL, /* are served as global ones */
} gm_sharing_local;

/* The unit in which the L2 knows what is valid and what is dirty. */
typedef enum gm_l2_dirty {
    GM_DIRTY_SECTOR, /* 32 bytes */
    GM_DIRTY_BYTE,
    GM_DIRTY_PARTS, /* sectors, and the bytes that stores have written of partial ones */
} gm_l2_dirty;

typedef enum gm_replacement {
    GM_REPLACE_LRU,
    GM_REPLACE_FIFO,
    GM_REPLACE_SRRIP, /* goldmem/replacement.h */
    GM_REPLACE_SHIP,
} gm_replacement;

/* Cycle engine: which ready warp a scheduler issues from. */
typedef enum gm_scheduling {
    GM_SCHEDULE_GTO,       /* greedy, then oldest [khairy, Table 1] */
    GM_SCHEDULE_LRR,       /* loose round robin [singh, Table 4] */
    GM_SCHEDULE_TWO_LEVEL, /* groups of warps [li, 6.4] */
} gm_scheduling;

/* Cycle engine: which warps of a scheduler may issue. */
typedef enum gm_throttling {
    GM_THROTTLE_NONE,     /* all */
    GM_THROTTLE_STATIC,   /* the sm.limit oldest [khairy, 4.2: SWL] */
    GM_THROTTLE_SAMPLING, /* as many of the oldest as sampling SMs has found [khairy, 4.2: DWT-CS]
                           */
    GM_THROTTLE_CCWS,     /* for loads: those with the highest lost-locality scores */
} gm_throttling;

/* Cycle engine: when a load miss takes its line of the L1. */
typedef enum gm_l1_allocation {
    GM_ALLOCATE_ON_MISS,   /* at the miss; the line waits for its data */
    GM_ALLOCATE_ON_FILL,   /* when its data arrive */
    GM_ALLOCATE_STREAMING, /* when its data arrive; at the miss where all unified memory is L1 */
} gm_l1_allocation;

/* What a store miss that allocates in an L1 fetches. */
typedef enum gm_l1_fetch {
    GM_L1_FETCH_PARTIAL, /* sectors that the store does not cover whole */
    GM_L1_FETCH_LAZY,    /* nothing */
} gm_l1_fetch;

/* Cycle engine: which bank of an L1 a piece of memory lies in. */
typedef enum gm_bank_index {
    GM_BANKS_LINEAR, /* they take turns */
    GM_BANKS_XOR,    /* a bank's turn is XORed with the next address bits */
} gm_bank_index;

/* Cycle engine: which bank of an L1's tags a line lies in. */
typedef enum gm_tag_index {
    GM_TAGS_XOR,   /* its number in groups of bits, XORed */
    GM_TAGS_GH100, /* of four banks, as an H100 has them */
} gm_tag_index;

/* Cycle engine: what an MSHR entry is for. */
typedef enum gm_merge_by {
    GM_MERGE_BY_LINE,
    GM_MERGE_BY_SECTOR, /* 32 bytes */
} gm_merge_by;

/* Cycle engine: what of a request in flight an L1 answers in a cycle. */
typedef enum gm_l1_answers {
    GM_ANSWERS_BY_SECTOR,
    GM_ANSWERS_BY_REQUEST, /* all its sectors of a packet, and with the last of them the request */
} gm_l1_answers;

/* Cycle engine: at which end of l1.latency the L1 looks a request up. */
typedef enum gm_l1_lookup {
    GM_LOOKUP_FIRST,
    GM_LOOKUP_LAST,
    GM_LOOKUP_BANKS, /* last, with a pipeline for each bank */
} gm_l1_lookup;

/* MRPB: the stalls on which a load bypasses. */
typedef enum gm_mrpb_stalls {
    GM_MRPB_ANY_STALL,   /* of all resources [li, 6.1] */
    GM_MRPB_LINE_STALLS, /* no line can be allocated [khairy, Table 4] */
} gm_mrpb_stalls;

/* MRPB: which FIFO gives the next request. */
typedef enum gm_mrpb_drain {
    GM_MRPB_UNTIL_EMPTY, /* the last one's, until it is empty; then the first in order */
    GM_MRPB_FIRST,       /* the first in order that is not empty, each time */
} gm_mrpb_drain;

/* Kinds of L1, by the event that gives a line its data line. */
typedef enum gm_l1_kind {
    GM_L1_CONVENTIONAL, /* a miss */
    GM_L1_DECOUPLED,    /* references up to the threshold: goldmem/tag_store.h [li, 4.1] */
} gm_l1_kind;

/* Bypass policies: which loads bypass a conventional L1 [li, 6.1]. ROW(NAME, name, text): the
 * policy is GM_BYPASS_NAME here, gm_bypass_name in cmodel/policy/ (policy/bypass.h), l1.bypass=name
 * in a configuration; `text` continues that key's description. docs/bypass-policies.md. */
#define GM_BYPASS_POLICIES(ROW)                                                                    \
    ROW(ALL, all, ": all")                                                                         \
    ROW(PROFILED, profiled, "; those of lines that l1.profile shows without reuse")                \
    ROW(MRPB, mrpb,                                                                                \
        "; with mrpb those that a resource stalls, and requests are served warp by warp")          \
    ROW(PDP, pdp, "; with pdp those in whose set every line is protected")                         \
    ROW(CONTENTION, contention,                                                                    \
        "; with contention those of instructions that touch as many lines as a warp's share of "   \
        "the L1, or more [anssari, 3.3]")

#define GM_BYPASS_VALUE(NAME, name, text) GM_BYPASS_##NAME,
typedef enum gm_l1_bypass { GM_BYPASS_NONE, GM_BYPASS_POLICIES(GM_BYPASS_VALUE) } gm_l1_bypass;
#undef GM_BYPASS_VALUE

/* Profile filters: the SMs whose references to a line count. */
typedef enum gm_profile_filter {
    GM_PROFILE_LOCAL,  /* this SM's */
    GM_PROFILE_GLOBAL, /* the other SMs' */
    GM_PROFILE_BOTH,   /* all SMs' */
} gm_profile_filter;

typedef enum gm_topology { GM_TOPOLOGY_CROSSBAR, GM_TOPOLOGY_MESH } gm_topology;

typedef enum gm_arbitration {
    GM_ARBITRATE_ISLIP,  /* one round of request, grant, accept in a cycle */
    GM_ARBITRATE_SERIES, /* a crossbar's outputs one after another, by their numbers */
} gm_arbitration;

/* Which partition a block of memory.interleave bytes lies in. */
typedef enum gm_partition_index {
    GM_PARTITION_LINEAR, /* they take turns */
    GM_PARTITION_XOR,    /* a hash chooses the partition */
    GM_PARTITION_IPOLY,  /* a hash chooses the partition and the L2 bank */
} gm_partition_index;

/* DRAM standards: what dram.standard sets the other keys of the section to. docs/dram.md. */
typedef enum gm_dram_standard {
    GM_DRAM_GDDR5,
    GM_DRAM_GDDR6,
    GM_DRAM_HBM2,
    GM_DRAM_HBM2E,
    GM_DRAM_HBM3,
    GM_DRAM_STANDARDS,
} gm_dram_standard;

/* What a refresh command refreshes. */
typedef enum gm_dram_refresh {
    GM_REFRESH_NONE,
    GM_REFRESH_ALL,  /* a row of every bank */
    GM_REFRESH_BANK, /* a row of one bank; the banks take turns */
} gm_dram_refresh;

/* Cycle engine: coherence of the L1s [singh, 6; 8]. docs/coherence.md. */
typedef enum gm_coherence_protocol {
    GM_COHERENCE_NONE,  /* NO-COH */
    GM_COHERENCE_IDEAL, /* IDEAL-COH: a write drops all copies at once */
    GM_COHERENCE_TCS,   /* TC-Strong [singh, 6.2] */
    GM_COHERENCE_TCW,   /* TC-Weak [singh, 6.3] */
    GM_COHERENCE_VI,    /* GPU-VI [singh, 4.2] */
    GM_COHERENCE_VINI,  /* GPU-VIni [singh, 4.3] */
    GM_COHERENCE_MESI,  /* MESI [singh, 4.1] */
} gm_coherence_protocol;

enum { GM_MESI_NETWORKS = 5 };

/* Returns the most virtual networks of a protocol [singh, 4.2, Table 4]: of requests and replies;
 * with a directory of acknowledgements and invalidations too; MESI's 5: requests, responses of both
 * directions, forwards and invalidations, write-backs, UNBLOCKs. */
static inline uint32_t gm_coherence_networks(gm_coherence_protocol protocol)
{
    return protocol == GM_COHERENCE_MESI ? GM_MESI_NETWORKS : protocol >= GM_COHERENCE_VI ? 4 : 2;
}

/* Temporal Coherence: the warps whose operations and GWCTs a fence waits for. */
typedef enum gm_fence_cover { GM_FENCE_OF_WARP, GM_FENCE_OF_CTA } gm_fence_cover;

/* Temporal Coherence: what keeps a load behind a fence from data that were read before it. */
typedef enum gm_merge_rule {
    GM_MERGE_CLOSE, /* a fence closes the SM's open MSHR entries */
    GM_MERGE_LEASE, /* a load that merged after the data's lease was past is sent again */
} gm_merge_rule;

/* Temporal Coherence: rules of [singh, Table 2]. */
typedef enum gm_tc_table { GM_TC_TABLE_CORRECTED, GM_TC_TABLE_PRINTED } gm_tc_table;

#define GM_PREDICTED UINT64_MAX /* a lifetime: predicted by each L2 bank [singh, 6.4] */

/* Cycle engine: what a fence waits for, apart from a protocol with leases (sm.fence). */
typedef enum gm_fence_wait {
    GM_FENCE_ACCESSES,  /* the warp's earlier accesses */
    GM_FENCE_REGISTERS, /* the registers that the warp's earlier instructions write */
} gm_fence_wait;

/* Cycle engine: where local memory lies (memory.local_map). */
typedef enum gm_local_map {
    GM_LOCAL_SLOTS, /* a word of all warp slots of the machine side by side */
    GM_LOCAL_CTAS,  /* of the warps of all CTAs of the kernel that it holds at once */
} gm_local_map;

/* The address that a fetch looks up in the instruction cache (l1i.fetch). */
typedef enum gm_l1i_fetch {
    GM_L1I_FETCH_NEXT,   /* of the next instruction; a buffer holds instructions of its line */
    GM_L1I_FETCH_BEHIND, /* behind the last instruction issued; of any lines */
} gm_l1i_fetch;

/* What a warp instruction's requests are for (sm.coalesce). */
typedef enum gm_coalescing { GM_COALESCE_LINE, GM_COALESCE_SECTOR } gm_coalescing;

/* By what the schedulers of an SM take turns in being the first to issue (sm.turns). */
typedef enum gm_scheduler_turns {
    GM_TURNS_CYCLES,
    GM_TURNS_OCCUPIED, /* cycles in which the SM has warps */
} gm_scheduler_turns;

/* The unit of each opcode (sm.opcode_units). */
typedef enum gm_opcode_unit_table {
    GM_OPCODE_UNITS_OWN,
    GM_OPCODE_UNITS_ACCEL_SIM, /* as in Accel-Sim's tables (frontend/opcode_units.h) */
} gm_opcode_unit_table;

/* Cycle engine: what the instructions of a unit cost, in core cycles. */
typedef struct gm_unit_timing {
    uint64_t latency;  /* from issue until a dependent instruction can issue */
    uint64_t interval; /* until the unit takes the next instruction */
    uint64_t units;    /* of an SM, or GM_EACH: one for each scheduler; of control: unused; of
                          integer, texture and uniform 0: another unit's work */
} gm_unit_timing;

typedef struct gm_config {
    struct {
        char name[GM_CONFIG_TEXT]; /* the preset or file, for reports; not a key */
    } preset;
    struct {
        uint64_t sms;
        uint64_t kernels;      /* most in flight at once */
        bool kernels_share_sm; /* an SM may have CTAs of several kernels */
        gm_cta_policy cta;     /* which CTA an SM gets next */
        uint64_t cta_group;    /* CTAs of a group, or GM_CTA_GRID_X */
        bool cta_adaptive;     /* groups: rr once fewer groups remain than there are SMs */
        bool cta_paced;        /* rr: an SM gets at most one CTA in a cycle */
        gm_kernel_end kernel_end;
        uint64_t watchdog;        /* core cycles without progress that end a run; 0: never */
        uint64_t sampling_period; /* of streaming bypass and sm.throttle=sampling; core cycles */
    } gpu;
    struct {
        uint64_t core, noc, l2, dram; /* MHz */
    } clock;
    struct {
        uint64_t threads, warps, ctas, registers; /* resources per SM */
        uint64_t shared_bytes, shared_banks;
        gm_coalescing coalesce;          /* what a warp instruction makes requests of */
        gm_coalescing coalesce_bypassed; /* what these make: atomics, reductions, strong loads */
        bool descending;                 /* its requests go from the highest address down */
        bool coalesce_narrow; /* with lines: accesses of 1 and 2 bytes make requests of 32 and 64 */
        bool atomic_passes;   /* an atomic's lanes with one address have requests of their own */
        bool atomic_wait;     /* a warp waits for its atomics and reductions */
        gm_fence_wait fence;
        bool write_port;           /* of memory instructions' registers */
        bool shared_wide;          /* false: passes are those of each lane's first 4 bytes */
        bool shared_atomic_passes; /* an atomic's lanes of one word take a pass each */
        uint64_t schedulers;       /* warp slot w belongs to scheduler w modulo this */
        gm_scheduling scheduler;
        gm_scheduler_turns turns;
        uint64_t group; /* two_level: warps of a scheduler's active group */
        gm_throttling throttle;
        uint64_t limit;          /* static: warps of a scheduler that may issue */
        uint64_t victim_tags;    /* ccws: tags of a warp */
        uint64_t score_base;     /* ccws: score of a warp that has lost nothing */
        uint64_t score_throttle; /* ccws: K_THROTTLE */
        uint64_t memory_queue;   /* memory instructions queued before the coalescer */
        uint64_t memory_lanes;   /* lanes that the load/store unit takes in a cycle */
        uint64_t pass_interval;  /* core cycles from one pass of an instruction to its next */
        uint64_t fetch;          /* instructions fetched at a time for a warp; 0: no fetch */
        uint64_t fetch_warps;    /* warps fetched for in a cycle */
        uint64_t collectors;     /* operand collectors; 0: none */
        bool subcores;           /* collectors and their registers are divided among schedulers */
        uint64_t register_banks, register_reads; /* 0: no conflicts; operands of a bank and cycle */
        bool register_queues;                    /* banks read for all instructions in turn */
        uint64_t drain;    /* core cycles from an exit's unit to the end of its warp; 0: at once */
        bool special_fp64; /* double precision is for the units of special functions */
        uint64_t branch_units; /* for branches, with collectors; 0: one of each scheduler */
        gm_opcode_unit_table opcode_units;
        uint64_t launch; /* core cycles from a kernel's start to its first instructions */
        uint64_t
            cta_launch; /* core cycles from a CTA's place on an SM to its first warp's launch */
        uint64_t warp_launch; /* core cycles from the launch of a warp to the next one's */
    } sm;
    struct {
        gm_unit_timing integer, fp32, fp64, special, tensor, control, texture, uniform;
        uint64_t shared; /* shared memory: latency of a load without conflicts */
    } unit;
    struct {
        bool enabled; /* false: every access bypasses the L1 */
        gm_l1_kind kind;
        uint64_t size; /* bytes, or GM_UNBOUNDED */
        uint64_t ways; /* or GM_FULL */
        uint64_t line; /* bytes */
        bool sectored; /* true: a miss fetches the requested sectors; false: the whole line */
        char index[GM_CONFIG_TEXT]; /* set-index function: see gm_set_index_parse */
        gm_replacement replacement;
        gm_write_policy global_write, local_write;
        bool global_allocate, local_allocate; /* on a store miss */
        gm_l1_fetch fetch_on_write;           /* by a store miss that allocates */
        bool parts;                           /* lazy: stores make a sector whole together */
        bool flush;                           /* at the end of each kernel */
        uint64_t latency;                     /* core cycles of a hit */
        uint64_t ports;                       /* line requests a cycle */
        uint64_t mshrs, merges;               /* entries; requesters of an entry */
        gm_merge_by merge_by;
        gm_l1_answers answers;
        bool keep_bypassed;       /* requests that bypass leave the line as it is */
        bool bypass_early;        /* they leave before the L1's pipeline */
        bool fence_drops;         /* a fence drops the SM's lines that hold data, but dirty ones */
        uint64_t banks;           /* 1: none */
        uint64_t bank_interleave; /* bytes */
        gm_bank_index bank_index;
        uint64_t tag_banks; /* 1: no conflicts */
        gm_tag_index tag_index;
        uint64_t data_banks;   /* of 4 bytes; 1: no conflicts */
        uint64_t miss_queue;   /* packets that wait for the interconnect */
        uint64_t load_places;  /* of it, without which no load misses or merges */
        uint64_t bypass_queue; /* packets of bypassed reads that wait for the interconnect */
        gm_l1_allocation allocation;
        uint64_t unified; /* bytes that L1 and shared memory divide for each kernel; 0: none */
        gm_size_list shared_options; /* sizes that shared memory may have then */
        gm_l1_lookup lookup;
        uint64_t hit_delay; /* lookup last or banks: core cycles from the look-up to the data */
        /* decoupled: */
        uint64_t tag_ways, threshold, rc_bits, allocation_rc;
        bool lfu_any;
        bool dueling;                                  /* SM dueling decides for all SMs */
        uint64_t dueling_interval, dueling_difference; /* core cycles; per cent */
        uint64_t dueling_period; /* intervals; one of them is a sampling interval */
        bool dueling_hysteresis;
        /* conventional: */
        gm_l1_bypass bypass;
        gm_mrpb_stalls mrpb_stalls;
        gm_mrpb_drain mrpb_drain;
        bool streaming;               /* closed while nearly all loads miss */
        char profile[GM_CONFIG_TEXT]; /* file; "none" */
        gm_profile_filter profile_filter;
        uint64_t profile_threshold;   /* references */
        uint64_t protecting_distance; /* accesses to a set */
    } l1;
    struct {
        uint64_t size;          /* of an SM's instruction cache, bytes; 0: every fetch hits */
        uint64_t ways;          /* or GM_FULL */
        uint64_t line;          /* bytes */
        uint64_t mshrs, merges; /* entries; warps of an entry */
        uint64_t latency;       /* core cycles that a hit adds to a fetch */
        gm_l1i_fetch fetch;
        bool shared_code; /* all kernels' code begins at one address */
    } l1i;
    struct {
        bool enabled;               /* sharing trackers: another L1 may supply a miss */
        uint64_t trackers;          /* each for its consecutive SMs */
        uint64_t sets, ways;        /* sets of all trackers together */
        bool ask;                   /* a miss in one asks the others of its partition */
        uint64_t pointers;          /* sharers that an entry can name; 0: all */
        char index[GM_CONFIG_TEXT]; /* set-index function */
        uint64_t latency;           /* core cycles from the request network to the L2 bank */
        uint64_t supplies;          /* SUPPLYs of a partition to an SM that are not answered */
    } tracker;
    struct {
        bool enabled;              /* sharing-aware caches [tabbakh, V] */
        gm_sharing_dead dead;      /* what dead private lines of an L1 give way to */
        gm_sharing_local local_l2; /* local loads that miss in the L2 */
        bool kernel_reset;         /* a kernel's end clears owners and sharing flags of the L2 */
        bool l2_dead;              /* dead shared lines of the L2 give way */
    } sharing;
    struct {
        uint64_t size; /* bytes, all banks together, or GM_UNBOUNDED */
        uint64_t ways, line;
        bool sectored;
        char index[GM_CONFIG_TEXT];
        gm_replacement replacement;
        gm_fetch_policy fetch_on_write;
        gm_l2_dirty dirty;
        gm_l2_bypass bypass;
        bool streaming;         /* a bank is closed while nearly all its accesses miss */
        bool victim;            /* lines of last sharers enter the L2, and leave it for an L1 */
        bool atomic_buffer;     /* a bank's atomics are performed on a line beside it */
        bool copy_fills;        /* host-to-device copies install their lines in the L2 */
        uint64_t latency;       /* core cycles from a packet's arrival to its look-up */
        uint64_t port;          /* bytes of a bank's data that its port for look-ups moves in an L2
                                   cycle, and its port for lines from DRAM; 0: no limit */
        bool answer_beside;     /* an L2 cycle answers a request whose data have arrived, takes data
                                   and looks a packet up, instead of one of these */
        uint64_t halves;        /* 2: each half of the SMs is near to one half of the banks */
        uint64_t far_latency;   /* core cycles of the link between the halves, both ways */
        bool copies;            /* each half keeps copies of what its SMs read of the other one */
        uint64_t mshrs, merges; /* of a bank */
        gm_merge_by merge_by;
        uint64_t queue;           /* packets in a bank before their look-up */
        uint64_t dram_queue;      /* requests of a bank that wait for its channel */
        uint64_t reply_queue;     /* responses that wait for the interconnect */
        uint64_t atomic_interval; /* L2 cycles between atomics in one bank */
        bool atomic_sectors;      /* that for each sector of an atomic */
        uint64_t fetch;           /* bytes: the block around a sector that a load fetches */
    } l2;
    struct {
        uint64_t
            partitions; /* memory partitions, one DRAM channel each; any number, not only 2^k */
        uint64_t banks; /* L2 banks in a partition; a power of two */
        uint64_t interleave; /* bytes of consecutive addresses in one partition; a power of two */
        uint64_t bank_interleave; /* bytes of a partition's consecutive addresses in one bank; a
                                     power of two, or GM_LINE_EACH */
        gm_local_map local_map;
        gm_partition_index partition_index;
        uint64_t partition_bits; /* address bits above a turn of the partitions that partition_index
                                    takes; 0: all */
    } memory;
    struct {
        gm_dram_standard standard;
        uint64_t channels;        /* of a partition, each with command buses of its own */
        uint64_t pseudo_channels; /* of a channel, which share its command buses */
        uint64_t banks, row;      /* per pseudo-channel; row in bytes */
        uint64_t rows;      /* of a bank, a power of two: row numbers are taken modulo it; 0: no
                               limit */
        uint64_t low_bytes; /* of these pieces, a power of two; 0: memory.interleave */
        uint64_t low_banks; /* banks over which neighbouring pieces of memory.interleave spread */
        uint64_t queue;     /* requests among which FR-FCFS chooses */
        uint64_t return_queue; /* replies that wait for their L2 bank */
        uint64_t latency;      /* core cycles from the L2 bank to the queue */
        uint64_t bank_groups;  /* 1: none */
        uint64_t burst;        /* bytes of a burst */
        uint64_t burst_cycles; /* DRAM cycles of a burst on the data bus */
        /* GDDR5 timing in DRAM cycles [khairy, Table 1; singh, Table 4]: */
        uint64_t tcl, trp, trc, tras, trcd, trrd, tccd, twl, tcdlr, twr, tccdl, trtp;
        bool commit_row;  /* a bank keeps to the row of its oldest request */
        bool bank_turns;  /* banks take turns, and are given one request each */
        bool entry_turns; /* L2 banks take turns: one request enters in a DRAM cycle */
        /* Beyond GDDR5, in DRAM cycles: */
        bool dual_bus;                       /* a row and a column command in one cycle */
        uint64_t activate_cycles;            /* of an activate command on its bus */
        uint64_t trcdw, trrdl, tcdlrl, trtw; /* 0: as trcd, trrd, tcdlr; as the data bus needs */
        uint64_t tfaw, tppd, trtpl;          /* 0: none */
        gm_dram_refresh refresh;
        uint64_t trefi, trfc, trfcb, trrefd;
    } dram;
    struct {
        uint64_t header; /* bytes of a message without its data [gpgpu-sim: 8] */
        gm_topology topology;
        uint64_t flit;    /* bytes */
        uint64_t latency; /* interconnect cycles of a packet's head through an idle crossbar, or
                             through one router and link of the mesh */
        uint64_t speedup; /* flits that a crossbar's switch moves from an input, and to an output,
                             in an interconnect cycle; links move one [booksim: internal speedup] */
        uint64_t allocation; /* with a speedup: switch cycles of a packet beside its flits */
        gm_arbitration arbitration;
        uint64_t channels; /* virtual channels of a virtual network */
        uint64_t networks; /* virtual networks of both directions; 0: messages of a coherence
                              protocol that are not requests or replies have wires of their own */
        uint64_t buffer;   /* flits of a virtual channel's buffer */
        uint64_t ejection; /* flits of the buffer before an SM or an L2 bank */
        uint64_t length;   /* mm of wire that a byte travels, for its energy */
    } noc;
    struct {
        gm_coherence_protocol protocol;
        /* Temporal Coherence: */
        uint64_t lifetime;  /* of a lease, core cycles, or GM_PREDICTED */
        uint64_t time_bits; /* of a timestamp */
        uint64_t leases;    /* of evicted lines that an L2 bank stores */
        gm_fence_cover fence;
        gm_merge_rule merge;
        gm_tc_table table;
        bool visible; /* a line keeps the GWCT of its writes */
        /* GPU-VIni, the directory of an L2 bank: */
        uint64_t directory_ways;
        uint64_t directory_size; /* entries, of all banks together, for each line of the L1s */
    } coherence;
    struct {
        char table[GM_CONFIG_TEXT]; /* of presets/energy/, or a file: goldmem/energy.h */
    } energy;
} gm_config;

typedef enum gm_key_type {
    GM_KEY_BOOLEAN, /* yes/no, true/false, on/off */
    GM_KEY_INTEGER, /* low <= value <= high */
    GM_KEY_SIZE,    /* bytes; suffixes B, KB, MB, GB (powers of 1024) */
    GM_KEY_SIZES,   /* gm_size_list: sizes in ascending order, separated by ',' */
    GM_KEY_CHOICE,  /* one of `choices`, separated by '|' */
    GM_KEY_INDEX,   /* a set-index function: printable ASCII; see gm_set_index_parse */
    GM_KEY_FILE,    /* a file's name: printable ASCII; or `special` */
} gm_key_type;

/* One row of the table of keys: the only home of names, ranges, defaults and descriptions. */
typedef struct gm_key {
    const char *name; /* "l1.ways" */
    size_t offset;    /* in gm_config */
    uint64_t low, high;
    const char *special;     /* "full" or "unbounded" where UINT64_MAX may be written so; FILE: what
                                stands for no file; or NULL */
    const char *choices;     /* CHOICE: in the order of the enum */
    const char *initial;     /* default, as a user would write it */
    const char *unit;        /* "bytes", "lines", ...; "" for none */
    const char *description; /* one sentence, with its source */
    gm_key_type type;
    bool power_of_two;
} gm_key;

/* Returns the table of keys, *count rows, in the order in which YAML is written. */
const gm_key *gm_config_keys(unsigned *count);

/* Sets every key to its default (the gtx480 preset's values). */
void gm_config_defaults(gm_config *config);

/* Returns the row of a key, or NULL. `coherence` is short for coherence.protocol. */
const gm_key *gm_config_find(const char *name);

/* Returns the known key nearest to `name` by edit distance, to suggest it; NULL when none is near.
 */
const gm_key *gm_config_nearest(const char *name);

/* Writes the values that a key accepts: "1 to 1024, or full", "yes or no", "evict, through or
 * back".
 */
void gm_config_range(const gm_key *key, char *text, size_t size);

/* Sets one key from text; dram.standard sets that standard's other keys too. Returns 0, or -EINVAL,
 * which names key, value and range. */
int gm_config_set(gm_config *config, const char *name, const char *value, gm_error *error);

/* Sets one key from "key=value". Returns as gm_config_set. */
int gm_config_assign(gm_config *config, const char *assignment, gm_error *error);

/* Writes the value of a key as text that gm_config_set reads back. */
void gm_config_get(const gm_config *config, const gm_key *key, char *text, size_t size);

/* Checks what keys require of each other (size = sets * ways * line, index function against sets,
 * L2 line against L1 line and interleave, ...); a run requires a configuration that passes. With
 * one set (ways=full, size=unbounded, or as many ways as lines) the index function is neither used
 * nor checked; with an unbounded size neither are the ways. Returns 0, or -EINVAL, which names the
 * keys and their values. */
int gm_config_check(const gm_config *config, gm_error *error);

/* Return the number of sets of one L1, and of one L2 bank; 1 when fully associative or unbounded.
 */
uint64_t gm_config_l1_sets(const gm_config *config);
uint64_t gm_config_l2_sets(const gm_config *config);

/* Return the most ways of an L1, and its ways where shared memory takes `shared` bytes of
 * l1.unified: the most times the rest's share, rounded to the nearest. Require a bounded L1. */
uint64_t gm_config_l1_most_ways(const gm_config *config);
uint64_t gm_config_l1_ways_beside(const gm_config *config, uint64_t shared);

/* A sharing tracker is divided into instances. Return the number of them: one for each memory
 * partition, or 1 if an L1 line lies in several partitions (memory.interleave below l1.line); the
 * sets of one, the largest power of two with which all together have at most tracker.sets; and the
 * consecutive SMs of a tracker, of which the last one may have fewer. */
uint64_t gm_config_tracker_partitions(const gm_config *config);
uint64_t gm_config_tracker_sets(const gm_config *config);
uint64_t gm_config_tracker_sms(const gm_config *config);

/* Presets [khairy, Table 1], [singh, Table 4], [li, Table 2], [tabbakh, Table I], [anssari,
 * Table 4.1]. */
typedef struct gm_preset {
    const char *name;        /* "gtx480" */
    const char *description; /* one line, with its source */
    const char *yaml;        /* presets/NAME.yaml: what differs from the defaults, with citations */
} gm_preset;
const gm_preset *gm_presets(unsigned *count);

/* Sets the defaults, then the preset's values. Returns 0, or -ENOENT, which names the presets. */
int gm_config_preset(gm_config *config, const char *name, gm_error *error);

/* Reasons why an option of a gpgpusim.config does not translate to a key as it stands. */
typedef enum gm_import_kind {
    GM_IMPORT_UNMODELLED, /* it matters; `text`: what goldmem does instead */
    GM_IMPORT_UNKNOWN,    /* no option of GPGPU-Sim or Accel-Sim; `text`: the nearest, or "" */
    GM_IMPORT_IRRELEVANT, /* it matters neither to memory nor to time; `text`: why */
} gm_import_kind;

typedef struct gm_import_note {
    gm_import_kind kind;
    size_t line;                /* in the file, from 1 */
    char option[64], value[64]; /* as given, without white space; longer ones are cut */
    char text[128];             /* as `kind` says; cut at its end */
} gm_import_note;

/* The notes on the options of one file, in the order of their lines. */
typedef struct gm_import {
    gm_import_note *note; /* [count] */
    size_t count;
} gm_import;

/* Frees the notes, not `import`. */
void gm_import_free(gm_import *import);

/* Returns 0, or -EINVAL if an option is unmodelled or unknown; the message names the first such
 * option and the number of others. `name` stands for the file. */
int gm_import_refuse(const gm_import *import, const char *name, gm_error *error);

/* Reads a YAML file, or a gpgpusim.config (told apart by content: GPGPU-Sim options begin with
 * '-'). Keys not named keep their values. *import, when not NULL, receives the notes on GPGPU-Sim
 * options and requires gm_import_free even after a failure. Messages read "FILE:LINE: ...". */
int gm_config_read(gm_config *config, const char *path, gm_import *import, gm_error *error);

/* Reads YAML from memory as gm_config_read does; `name` stands for the file in messages. */
int gm_config_read_yaml(gm_config *config, const char *name, const char *text, size_t length,
                        gm_error *error);
int gm_config_read_gpgpusim(gm_config *config, const char *name, const char *text, size_t length,
                            gm_import *import, gm_error *error);

/* Writes every key in force as YAML that reads back to the same configuration. */
int gm_config_write_yaml(const gm_config *config, FILE *file);

/* Writes docs/configuration.md: every key, the presets, YAML, and the mapping of gpgpusim.config.
 */
void gm_config_write_page(FILE *file);

/* True if stores and atomics tell the L2 which bytes they write: an l2.dirty other than sector. */
static inline bool gm_config_sends_bytes(const gm_config *config)
{
    return config->l2.dirty != GM_DIRTY_SECTOR;
}

/* True if requests that bypass the L1 are for sectors, and others for lines. */
static inline bool gm_config_bypassed_sectors(const gm_config *config)
{
    return config->sm.coalesce == GM_COALESCE_LINE &&
           config->sm.coalesce_bypassed == GM_COALESCE_SECTOR;
}

/* Returns the requests that may wait for an L1 in a cycle: one, or with l1.lookup=banks one of each
 * bank. */
static inline uint64_t gm_config_l1_waits(const gm_config *config)
{
    return config->l1.lookup == GM_LOOKUP_BANKS ? config->l1.banks : 1;
}

/* True if the banks of the register file read for all instructions in turn: sm.register_queues,
 * where there are banks. */
static inline bool gm_config_register_queues(const gm_config *config)
{
    return config->sm.register_queues && config->sm.register_banks != 0;
}

/* True if loads may bypass the L2: l2.bypass, l2.streaming, or sharing.local_l2=bypass with
 * sharing.enabled. */
static inline bool gm_config_bypasses_l2(const gm_config *config)
{
    return config->l2.bypass != GM_L2_BYPASS_NONE || config->l2.streaming ||
           (config->sharing.enabled && config->sharing.local_l2 == GM_SHARING_LOCAL_BYPASS);
}

#ifdef __cplusplus
}
#endif

#endif
