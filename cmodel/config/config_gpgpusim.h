/* Configuration from a gpgpusim.config: what its files share. config_gpgpusim.c reads the file,
 * config_gpgpusim_options.c is the table of options, config_gpgpusim_cache.c,
 * config_gpgpusim_time.c, config_gpgpusim_units.c and config_gpgpusim_network.c apply some of them,
 * config_gpgpusim_notes.c and config_gpgpusim_import.c make the notes on the others. */
#ifndef GOLDMEM_CONFIG_CONFIG_GPGPUSIM_H
#define GOLDMEM_CONFIG_CONFIG_GPGPUSIM_H

#include "goldmem/config.h"

enum {
    GM_GPGPUSIM_UNITS = 10,    /* names of units in options */
    GM_GPGPUSIM_UNIT_KEYS = 8, /* units whose number is an option */
    GM_GPGPUSIM_NOTES = 512,   /* notes on a file at most; that simulator has some 250 options */
};

/* A gpgpusim.config while it is read. */
typedef struct gm_gpgpusim_reader {
    gm_config *config;
    const char *name; /* of the file, in messages */
    gm_error *error;
    gm_import *import;   /* notes on options */
    int failed;          /* to grow */
    unsigned understood; /* options */
    /* the option being read */
    const char *option;
    const char *value;
    size_t line;
    /* values that become keys together, after the last option; 0: not given */
    struct {
        uint64_t count;
        size_t line;
    } clusters, cores_per_cluster;
    struct {
        uint64_t bytes; /* of one bank */
        bool by_sector; /* its MSHRs merge by sector */
        size_t line;
    } l2_bank;
    struct {
        uint64_t width, chips, length, rate; /* bytes, DRAM chips, data beats, beats a cycle */
        size_t line;                         /* of the last option; 0: none */
    } burst;
    struct {
        bool first_ready;         /* -gpgpu_dram_scheduler 1 */
        uint64_t group_precharge; /* RTPL */
        size_t line;
    } banks;
    struct {
        uint64_t interval; /* of each unit for branches */
        size_t line;
    } branches;
    struct {
        uint64_t count;
        size_t line; /* 0: not given */
    } units[GM_GPGPUSIM_UNIT_KEYS], subcores, register_banks, in_buffer, out_buffer;
    struct {
        uint64_t most; /* -gpgpu_max_concurrent_kernel; 0: not given */
        size_t line;   /* of -gpgpu_concurrent_kernel_sm 1; 0: off */
    } kernels;
    struct {
        uint64_t mode; /* -network_mode; 0: not given */
        char file[GM_CONFIG_TEXT];
        size_t line;   /* of -inter_config_file; 0: not given */
        bool crossbar; /* the file describes one, and has set noc.latency */
    } network;
    struct {
        uint64_t letters; /* mask of the mapping's bank bits */
        size_t line;      /* of the number of L2 banks */
    } bank_bits;
    size_t partition_index_line; /* of -gpgpu_memory_partition_indexing; 0: not given */
    struct {
        uint64_t kilobytes;           /* of L1 and shared memory together */
        char options[GM_CONFIG_TEXT]; /* sizes of shared memory; "": not given */
        size_t line;                  /* of -gpgpu_adaptive_cache_config 1; 0: off */
    } unified;
    bool l1_given, l1_none, l1_skipped;
    bool local_slots;                    /* -gpgpu_local_mem_map 0 */
    bool unit_traced[GM_GPGPUSIM_UNITS]; /* has its latency from -trace_opcode_... */
} gm_gpgpusim_reader;

typedef enum gm_gpgpusim_role {
    GM_OPTION_TAKEN,      /* becomes keys */
    GM_OPTION_UNMODELLED, /* matters; goldmem differs, or has a fixed behaviour */
    GM_OPTION_IRRELEVANT,
} gm_gpgpusim_role;

/* An option of that simulator. */
typedef struct gm_gpgpusim_option {
    const char *name; /* "-gpgpu_n_mem"; with '*' at its end all that begin so */
    gm_gpgpusim_role role;
    int (*apply)(gm_gpgpusim_reader *reader); /* TAKEN: sets keys from reader->value; 0, -EINVAL */
    const char *keys;                         /* TAKEN: what it sets, for docs/configuration.md */
    const char *meaning; /* TAKEN: how; UNMODELLED: what goldmem does; IRRELEVANT: why */
    /* UNMODELLED: */
    const char *equal;     /* values with which GPGPU-Sim does as goldmem: "0|1", "=KEY" */
    const char *only_with; /* noted only beside this option, or NULL */
    const char *unless;    /* not noted where this option has one of its `equal`, or NULL */
} gm_gpgpusim_option;
const gm_gpgpusim_option *gm_gpgpusim_options(unsigned *count);

/* Sets a key. Returns 0 or -EINVAL with a message that names file, line and option. */
int gm_gpgpusim_put(gm_gpgpusim_reader *reader, const char *key, const char *value);
int gm_gpgpusim_put_number(gm_gpgpusim_reader *reader, const char *key, uint64_t value);

/* Sets a number of queue places, entries or units, limited to the largest value of the key; notes a
 * larger one. With `zero_is_most`, 0 stands for that largest value. */
int gm_gpgpusim_put_at_most(gm_gpgpusim_reader *reader, const char *key, uint64_t value,
                            bool zero_is_most);

/* Sets the error "FILE:LINE: OPTION VALUE: reason". Returns -EINVAL. */
int gm_gpgpusim_fail(gm_gpgpusim_reader *reader, const char *reason);

/* Notes that the option being read is not modelled as given. `instead`: what goldmem does. */
void gm_gpgpusim_note(gm_gpgpusim_reader *reader, const char *instead);

/* Notes on options that become no keys (config_gpgpusim_notes.c). gm_gpgpusim_forget drops those of
 * an option that is given again, since the last one counts. gm_gpgpusim_keep adds one. Returns 0,
 * -EINVAL for too many unknown options, or -ENOMEM. */
void gm_gpgpusim_forget(gm_gpgpusim_reader *reader, const char *option);
int gm_gpgpusim_keep(gm_gpgpusim_reader *reader, gm_import_kind kind, const char *option,
                     const char *value, const char *text);

/* After the last option: drops the notes on what is modelled as given, and sorts the others by line
 * (config_gpgpusim_import.c). */
void gm_gpgpusim_settle(gm_gpgpusim_reader *reader);

/* Returns the option of that name, or the one whose name with '*' matches it; NULL if there is
 * none. */
const gm_gpgpusim_option *gm_gpgpusim_find(const char *name, size_t length);

/* Returns the nearest name, "" if none is near. */
const char *gm_gpgpusim_nearest(const char *name);

/* Reads a decimal number up to 2^30 and moves *text past it. Returns false without one. */
bool gm_gpgpusim_number(const char **text, uint64_t *value);

/* Reads a value that is one number. Returns 0 or -EINVAL. */
int gm_gpgpusim_read_number(gm_gpgpusim_reader *reader, uint64_t *value);

/* Sets the keys of a cache descriptor from its second comma on:
 * ",TYPE:ENTRIES:MERGES,MISS_QUEUE...", or nothing. */
int gm_gpgpusim_put_mshrs(gm_gpgpusim_reader *reader, const char *section, const char *text);

/* Sets dram.burst and dram.burst_cycles, after the last option. */
int gm_gpgpusim_put_burst(gm_gpgpusim_reader *reader);

/* Sets memory.bank_interleave, after the last option; notes where the mapping does not give it. */
int gm_gpgpusim_put_bank_bits(gm_gpgpusim_reader *reader);

/* Sets gpu.kernels and gpu.kernels_share_sm, after the last option and the L1's. */
int gm_gpgpusim_put_kernels(gm_gpgpusim_reader *reader);

/* Sets l1i.*, after the last option: where the file says that instructions are not always there,
 * and has fetch. */
int gm_gpgpusim_put_l1i(gm_gpgpusim_reader *reader);

/* Sets l1.unified and l1.shared_options, after the last option. */
int gm_gpgpusim_put_unified(gm_gpgpusim_reader *reader);

/* Sets l2.merge_by, after the last option and l1.enabled; notes what it lacks. */
int gm_gpgpusim_put_l2_merge(gm_gpgpusim_reader *reader);

/* Sets l2.dirty of an L2 whose stores fetch nothing, after the last option; notes what it lacks. */
int gm_gpgpusim_put_l2_dirty(gm_gpgpusim_reader *reader);

/* After the last option: refuses the hash 1 (xor) of partitions that are no power of two, as that
 * simulator does. */
int gm_gpgpusim_check_partition_index(gm_gpgpusim_reader *reader);

/* After the last option: set l2.answer_beside, keys of atomics and strong loads, keys of fences,
 * where the machine allows them, gpu.cta_paced and gpu.kernel_end, memory.local_map and
 * memory.partition_bits. Return 0 or -EINVAL. */
int gm_gpgpusim_put_l2_answers(gm_gpgpusim_reader *reader);
int gm_gpgpusim_put_atomics(gm_gpgpusim_reader *reader);
int gm_gpgpusim_put_fences(gm_gpgpusim_reader *reader);
int gm_gpgpusim_put_write_port(gm_gpgpusim_reader *reader);
int gm_gpgpusim_put_ctas(gm_gpgpusim_reader *reader);
int gm_gpgpusim_put_kernel_end(gm_gpgpusim_reader *reader);
int gm_gpgpusim_put_local_map(gm_gpgpusim_reader *reader);
int gm_gpgpusim_put_partition_bits(gm_gpgpusim_reader *reader);

/* Sets dram.bank_turns and dram.tRTPL, after the last option, with two command buses: on one, there
 * a row command and a column command may share a cycle, which goldmem does not do. */
int gm_gpgpusim_put_banks(gm_gpgpusim_reader *reader);

/* Sets unit.control_interval, after the last option. */
int gm_gpgpusim_put_branches(gm_gpgpusim_reader *reader);

/* The options of unified memory (config_gpgpusim_cache.c). */
int gm_gpgpusim_apply_adaptive(gm_gpgpusim_reader *reader);
int gm_gpgpusim_apply_unified_size(gm_gpgpusim_reader *reader);
int gm_gpgpusim_apply_shared_options(gm_gpgpusim_reader *reader);

/* Sets the keys of the interconnect, after the last option (config_gpgpusim_network.c). Reads the
 * file that -inter_config_file names. */
int gm_gpgpusim_put_network(gm_gpgpusim_reader *reader);

/* Sets sm.subcores, sm.register_banks and unit.X_units, after the last option: they depend on
 * sm.schedulers and sm.collectors. */
int gm_gpgpusim_put_units(gm_gpgpusim_reader *reader);

/* The options that concern time (config_gpgpusim_time.c). */
int gm_gpgpusim_apply_subcores(gm_gpgpusim_reader *reader);
int gm_gpgpusim_apply_register_banks(gm_gpgpusim_reader *reader);
int gm_gpgpusim_apply_register_reads(gm_gpgpusim_reader *reader);
int gm_gpgpusim_apply_fetch_warps(gm_gpgpusim_reader *reader);
int gm_gpgpusim_apply_network(gm_gpgpusim_reader *reader);
int gm_gpgpusim_apply_network_file(gm_gpgpusim_reader *reader);
int gm_gpgpusim_apply_in_buffer(gm_gpgpusim_reader *reader);
int gm_gpgpusim_apply_out_buffer(gm_gpgpusim_reader *reader);
int gm_gpgpusim_apply_units(gm_gpgpusim_reader *reader);
int gm_gpgpusim_apply_bus_width(gm_gpgpusim_reader *reader);
int gm_gpgpusim_apply_burst_length(gm_gpgpusim_reader *reader);
int gm_gpgpusim_apply_chips(gm_gpgpusim_reader *reader);
int gm_gpgpusim_apply_clocks(gm_gpgpusim_reader *reader);
int gm_gpgpusim_apply_data_rate(gm_gpgpusim_reader *reader);
int gm_gpgpusim_apply_dram_queue(gm_gpgpusim_reader *reader);
int gm_gpgpusim_apply_partition_queues(gm_gpgpusim_reader *reader);
int gm_gpgpusim_apply_ptx_interval(gm_gpgpusim_reader *reader);
int gm_gpgpusim_apply_ptx_latency(gm_gpgpusim_reader *reader);
int gm_gpgpusim_apply_return_queue(gm_gpgpusim_reader *reader);
int gm_gpgpusim_apply_branch_interval(gm_gpgpusim_reader *reader);

/* The numbers of "ENABLED,UNITS,LATENCY,ID_OC,OC_EX,NAME", a specialized unit. */
enum {
    GM_SPECIALIZED_ENABLED,
    GM_SPECIALIZED_UNITS,
    GM_SPECIALIZED_LATENCY,
    GM_SPECIALIZED_IN_FRONT,
    GM_SPECIALIZED_BEHIND,
    GM_SPECIALIZED_NUMBERS
};

/* Reads them from the reader's value; `value`: [GM_SPECIALIZED_NUMBERS], zeros on failure. Returns
 * 0 or -EINVAL. */
int gm_gpgpusim_read_specialized(gm_gpgpusim_reader *reader, uint64_t *value);
int gm_gpgpusim_apply_specialized_units(gm_gpgpusim_reader *reader);
int gm_gpgpusim_apply_branch_units(gm_gpgpusim_reader *reader);
int gm_gpgpusim_apply_collectors(gm_gpgpusim_reader *reader);
int gm_gpgpusim_apply_widths(gm_gpgpusim_reader *reader);
int gm_gpgpusim_apply_scheduler(gm_gpgpusim_reader *reader);
int gm_gpgpusim_apply_timing(gm_gpgpusim_reader *reader);
int gm_gpgpusim_apply_trace_unit(gm_gpgpusim_reader *reader);

/* The options -gpgpu_cache:dl1 and -gpgpu_cache:dl2. */
int gm_gpgpusim_apply_dl1(gm_gpgpusim_reader *reader);
int gm_gpgpusim_apply_dl2(gm_gpgpusim_reader *reader);

#endif
