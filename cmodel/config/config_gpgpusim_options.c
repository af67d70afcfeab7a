/* The table of the options of a gpgpusim.config that goldmem understands, and their apply
 * functions. */
#include "config/config_gpgpusim.h"
#include "goldmem/bits.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

enum {
    WARP = 32,                 /* threads */
    LARGEST_NUMBER = 1 << 30,  /* the keys' ranges are narrower */
    LARGEST_SHIFT = 40,        /* of an interleave or a row; the keys' ranges are narrower */
    MOST_BANK_BYTES = 1 << 20, /* of memory.bank_interleave */
};

int gm_gpgpusim_fail(gm_gpgpusim_reader *reader, const char *reason)
{
    return gm_fail(reader->error, -EINVAL, "%s:%zu: %s %.100s: %s", reader->name, reader->line,
                   reader->option, reader->value, reason);
}

int gm_gpgpusim_put(gm_gpgpusim_reader *reader, const char *key, const char *value)
{
    gm_error inner = {0};
    return gm_config_set(reader->config, key, value, &inner) < 0
               ? gm_gpgpusim_fail(reader, inner.text)
               : 0;
}

int gm_gpgpusim_put_number(gm_gpgpusim_reader *reader, const char *key, uint64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, value);
    return gm_gpgpusim_put(reader, key, text);
}

bool gm_gpgpusim_number(const char **text, uint64_t *value)
{
    if (!isdigit((unsigned char)**text)) {
        return false;
    }
    *value = 0;
    for (; isdigit((unsigned char)**text); (*text)++) {
        *value = *value * 10 + (uint64_t)(**text - '0');
        if (*value > LARGEST_NUMBER) {
            return false;
        }
    }
    return true;
}

int gm_gpgpusim_read_number(gm_gpgpusim_reader *reader, uint64_t *value)
{
    const char *text = reader->value;
    if (!gm_gpgpusim_number(&text, value) || *text != '\0') {
        return gm_gpgpusim_fail(reader, "must be a number");
    }
    return 0;
}

static int put_flag(gm_gpgpusim_reader *reader, const char *key)
{
    uint64_t value = 0;
    int code = gm_gpgpusim_read_number(reader, &value);
    return code == 0 ? gm_gpgpusim_put(reader, key, value != 0 ? "yes" : "no") : code;
}

static int put_same(gm_gpgpusim_reader *reader, const char *key)
{
    uint64_t value = 0;
    int code = gm_gpgpusim_read_number(reader, &value);
    return code == 0 ? gm_gpgpusim_put_number(reader, key, value) : code;
}

static int apply_clusters(gm_gpgpusim_reader *reader)
{
    reader->clusters.line = reader->line;
    return gm_gpgpusim_read_number(reader, &reader->clusters.count);
}

static int apply_cores(gm_gpgpusim_reader *reader)
{
    reader->cores_per_cluster.line = reader->line;
    return gm_gpgpusim_read_number(reader, &reader->cores_per_cluster.count);
}

static int apply_partitions(gm_gpgpusim_reader *reader)
{
    return put_same(reader, "memory.partitions");
}

static int apply_banks(gm_gpgpusim_reader *reader)
{
    reader->bank_bits.line = reader->line;
    return put_same(reader, "memory.banks");
}

/* The lowest bank bits of the mapping, which lie together, choose the L2 bank. */
int gm_gpgpusim_put_bank_bits(gm_gpgpusim_reader *reader)
{
    const gm_config *config = reader->config;
    uint64_t letters = reader->bank_bits.letters;
    uint64_t lowest = letters & -letters;
    uint64_t used = lowest * (config->memory.banks - 1);
    char text[32];
    if (reader->bank_bits.line == 0 || config->memory.banks == 1) {
        return 0;
    }
    snprintf(text, sizeof text, "%" PRIu64, config->memory.banks);
    reader->option = "-gpgpu_n_sub_partition_per_mchannel";
    reader->line = reader->bank_bits.line;
    reader->value = text;
    int code = 0;
    if (lowest >= config->l2.line && lowest <= MOST_BANK_BYTES && (letters & used) == used) {
        code = gm_gpgpusim_put_number(reader, "memory.bank_interleave", lowest);
    } else {
        gm_gpgpusim_note(reader, "neighbouring L2 lines lie in different banks; no bit of "
                                 "-gpgpu_mem_addr_mapping chooses");
    }
    reader->value = "";
    return code < 0 ? code : reader->failed;
}

/* 0: none, 1: XOR, 2: IPOLY; others take another function. */
static int apply_partition_index(gm_gpgpusim_reader *reader)
{
    static const char *const indices[] = {"linear", "xor", "ipoly"};
    uint64_t value = 0;
    int code = gm_gpgpusim_read_number(reader, &value);
    if (code < 0) {
        return code;
    }
    if (value >= sizeof indices / sizeof indices[0]) {
        gm_gpgpusim_note(reader, "partitions take turns, by the bits of -gpgpu_mem_addr_mapping "
                                 "without a hash");
        value = 0;
    }
    reader->partition_index_line = reader->line;
    return gm_gpgpusim_put(reader, "memory.partition_index", indices[value]);
}

int gm_gpgpusim_check_partition_index(gm_gpgpusim_reader *reader)
{
    const gm_config *config = reader->config;
    if (reader->partition_index_line == 0 || config->memory.partition_index != GM_PARTITION_XOR ||
        gm_is_power_of_two(config->memory.partitions)) {
        return 0;
    }
    char reason[96];
    snprintf(reason, sizeof reason, "needs a power of two of -gpgpu_n_mem, not %" PRIu64,
             config->memory.partitions);
    reader->option = "-gpgpu_memory_partition_indexing";
    reader->line = reader->partition_index_line;
    reader->value = "1";
    return gm_gpgpusim_fail(reader, reason);
}

static int apply_registers(gm_gpgpusim_reader *reader)
{
    return put_same(reader, "sm.registers");
}

static int apply_ctas(gm_gpgpusim_reader *reader)
{
    return put_same(reader, "sm.ctas");
}

static int apply_shared_bytes(gm_gpgpusim_reader *reader)
{
    return put_same(reader, "sm.shared_bytes");
}

static int apply_shared_banks(gm_gpgpusim_reader *reader)
{
    return put_same(reader, "sm.shared_banks");
}

/* Before 20, each half of a warp is coalesced by itself; up to 39, a request is for a line. */
static int apply_coalescing(gm_gpgpusim_reader *reader)
{
    enum { WHOLE_WARPS = 20, SECTORS = 40 };
    uint64_t value = 0;
    int code = gm_gpgpusim_read_number(reader, &value);
    if (code == 0 && value < WHOLE_WARPS) {
        gm_gpgpusim_note(reader,
                         "the lanes of a whole warp are coalesced, not those of half-warps");
    }
    code = code < 0 ? code : gm_gpgpusim_put(reader, "sm.descending", "yes");
    return code < 0 ? code
                    : gm_gpgpusim_put(reader, "sm.coalesce", value < SECTORS ? "line" : "sector");
}

static int apply_schedulers(gm_gpgpusim_reader *reader)
{
    return put_same(reader, "sm.schedulers");
}

static int apply_launch(gm_gpgpusim_reader *reader)
{
    return put_same(reader, "sm.launch");
}

static int apply_kernels(gm_gpgpusim_reader *reader)
{
    uint64_t value = 0;
    int code = gm_gpgpusim_read_number(reader, &value);
    reader->kernels.line = value != 0 ? reader->line : 0;
    return code;
}

static int apply_most_kernels(gm_gpgpusim_reader *reader)
{
    return gm_gpgpusim_read_number(reader, &reader->kernels.most);
}

/* A register of that simulator's pipeline is in front of its L1; what a miss takes has it. */
static int apply_l1_latency(gm_gpgpusim_reader *reader)
{
    int code = put_same(reader, "l1.latency");
    code = code == 0 ? gm_gpgpusim_put(reader, "l1.lookup", "last") : code;
    return code == 0 ? gm_gpgpusim_put(reader, "l1.hit_delay", "1") : code;
}

static int apply_l1_banks(gm_gpgpusim_reader *reader)
{
    return put_same(reader, "l1.banks");
}

static int apply_l1_bank_interleave(gm_gpgpusim_reader *reader)
{
    return put_same(reader, "l1.bank_interleave");
}

static int apply_l1_bank_index(gm_gpgpusim_reader *reader)
{
    uint64_t value = 0;
    int code = gm_gpgpusim_read_number(reader, &value);
    if (code == 0 && value > 1) {
        gm_gpgpusim_note(reader, "the L1's banks take turns (linear)");
    }
    return code == 0 ? gm_gpgpusim_put(reader, "l1.bank_index", value == 1 ? "xor" : "linear")
                     : code;
}

/* Two registers of that simulator's pipeline are behind the load/store unit: see
 * gm_gpgpusim_apply_trace_unit. */
static int apply_shared_latency(gm_gpgpusim_reader *reader)
{
    enum { REGISTERS = 2 };
    uint64_t value = 0;
    int code = gm_gpgpusim_read_number(reader, &value);
    return code == 0 ? gm_gpgpusim_put_number(reader, "unit.shared", value + REGISTERS) : code;
}

static int apply_l2_latency(gm_gpgpusim_reader *reader)
{
    return put_same(reader, "l2.latency");
}

static int apply_dram_latency(gm_gpgpusim_reader *reader)
{
    return put_same(reader, "dram.latency");
}

static int apply_flit(gm_gpgpusim_reader *reader)
{
    return put_same(reader, "noc.flit");
}

static int apply_flush(gm_gpgpusim_reader *reader)
{
    return put_flag(reader, "l1.flush");
}

static int apply_local_map(gm_gpgpusim_reader *reader)
{
    uint64_t value = 0;
    int code = gm_gpgpusim_read_number(reader, &value);
    reader->local_slots = value == 0;
    return code;
}

static int apply_dual_bus(gm_gpgpusim_reader *reader)
{
    return put_flag(reader, "dram.dual_bus");
}

static int apply_dram_scheduler(gm_gpgpusim_reader *reader)
{
    uint64_t value = 0;
    int code = gm_gpgpusim_read_number(reader, &value);
    if (code == 0 && value != 1) {
        gm_gpgpusim_note(reader, "FR-FCFS");
    }
    code = code == 0 ? gm_gpgpusim_put(reader, "dram.commit_row", value == 1 ? "yes" : "no") : code;
    reader->banks.first_ready = value == 1;
    reader->banks.line = reader->line;
    return code == 0 ? gm_gpgpusim_put(reader, "dram.entry_turns", "yes") : code;
}

static int apply_copies(gm_gpgpusim_reader *reader)
{
    return put_flag(reader, "l2.copy_fills");
}

static int apply_skip(gm_gpgpusim_reader *reader)
{
    uint64_t value = 0;
    int code = gm_gpgpusim_read_number(reader, &value);
    reader->l1_given = true;
    reader->l1_skipped = value != 0;
    if (code == 0 && reader->l1_skipped) {
        gm_gpgpusim_note(reader, "local accesses bypass the L1 as well");
    }
    return code;
}

/* Applies "THREADS:WARP". */
static int apply_pipeline(gm_gpgpusim_reader *reader)
{
    const char *text = reader->value;
    uint64_t threads = 0;
    uint64_t warp = 0;
    if (!gm_gpgpusim_number(&text, &threads) || *text++ != ':' ||
        !gm_gpgpusim_number(&text, &warp) || *text != '\0') {
        return gm_gpgpusim_fail(reader, "must be THREADS:WARP_SIZE");
    }
    if (warp != WARP) {
        return gm_gpgpusim_fail(reader, "warps must have 32 threads");
    }
    int code = gm_gpgpusim_put_number(reader, "sm.threads", threads);
    return code == 0 ? gm_gpgpusim_put_number(reader, "sm.warps", (threads + WARP - 1) / WARP)
                     : code;
}

/* Counts the bank bits from address bit `shift` on, among the letters of the address bits from
 * first to end, bit 0 last. */
static unsigned bank_bits_at(unsigned shift, const char *first, const char *end)
{
    unsigned bit = 0;
    unsigned banks = 0;
    while (end > first) {
        char c = *--end;
        if (strchr(".|", c) != NULL) {
            continue;
        }
        if (bit >= shift && strchr("Bb", c) == NULL) {
            break;
        }
        banks += bit++ >= shift;
    }
    return banks;
}

/* Address bits without a letter choose nothing there: rows that differ in them only are one. */
static int put_rows(gm_gpgpusim_reader *reader, unsigned row_bits)
{
    enum { MOST = 30 };
    return row_bits == 0 || row_bits > MOST
               ? 0
               : gm_gpgpusim_put_number(reader, "dram.rows", UINT64_C(1) << row_bits);
}

/* Applies "dramid@BIT;" and one letter for each address bit: the row is all column (C) and burst
 * (S) bits. */
static int apply_mapping(gm_gpgpusim_reader *reader)
{
    enum { ADDRESS_BITS = 64, LEAST_LOW = 7 }; /* a line of 128 bytes lies in one bank */
    static const char prefix[] = "dramid@";
    const char *text = reader->value;
    uint64_t shift = 0;
    if (strncmp(text, prefix, strlen(prefix)) != 0) {
        return gm_gpgpusim_fail(reader, "must begin with dramid@BIT;");
    }
    text += strlen(prefix);
    if (!gm_gpgpusim_number(&text, &shift) || *text++ != ';' || shift > LARGEST_SHIFT) {
        return gm_gpgpusim_fail(reader, "must begin with dramid@BIT;");
    }
    unsigned bits = 0;
    unsigned column_bits = 0;
    unsigned row_bits = 0;
    uint64_t bank_letters = 0;
    const char *first = text;
    for (; *text != '\0'; text++) {
        if (strchr("0.|RrBbDdCcSs", *text) == NULL) {
            return gm_gpgpusim_fail(reader, "address bits must be R, B, C, S or 0");
        }
        if (strchr(".|", *text) == NULL) {
            bits++;
            bank_letters = bank_letters << 1 | (strchr("Bb", *text) != NULL);
        }
        column_bits += strchr("CcSs", *text) != NULL;
        row_bits += strchr("Rr", *text) != NULL;
    }
    if (bits > ADDRESS_BITS) {
        return gm_gpgpusim_fail(reader, "must have 64 address bits at most");
    }
    if (column_bits == 0 || column_bits > LARGEST_SHIFT) {
        return gm_gpgpusim_fail(reader, "must have column bits (C, S)");
    }
    reader->bank_bits.letters = bank_letters;
    unsigned lowest = bank_letters == 0 ? ADDRESS_BITS : gm_lowest_one(bank_letters);
    unsigned low = lowest >= LEAST_LOW && lowest < shift ? lowest : (unsigned)shift;
    uint64_t low_banks = UINT64_C(1) << bank_bits_at(low, first, text);
    int code = gm_gpgpusim_put_number(reader, "memory.interleave", UINT64_C(1) << shift);
    code = code == 0 && low < shift
               ? gm_gpgpusim_put_number(reader, "dram.low_bytes", UINT64_C(1) << low)
               : code;
    code = code == 0 ? gm_gpgpusim_put_number(reader, "dram.low_banks", low_banks) : code;
    code = code == 0 ? put_rows(reader, row_bits) : code;
    return code == 0 ? gm_gpgpusim_put_number(reader, "dram.row", UINT64_C(1) << column_bits)
                     : code;
}

#define MOST "; 0, or more than there can be, is the most there can be, which is told"
#define TAKEN(option, function, what, how)                                                         \
    {                                                                                              \
        .name = (option), .apply = (function), .keys = (what), .meaning = (how)                    \
    }
#define TRACED(unit, key)                                                                          \
    TAKEN("-trace_opcode_latency_initiation_" unit, gm_gpgpusim_apply_trace_unit,                  \
          key ", " key "_interval",                                                                \
          "LATENCY,INTERVAL; 3 cycles more for registers of the pipeline")
#define PTX(latency, initiation, key)                                                              \
    TAKEN("-ptx_opcode_latency_" latency, gm_gpgpusim_apply_ptx_latency, key,                      \
          "of an addition, the first number; a trace's counts, where it is given"),                \
        TAKEN("-ptx_opcode_initiation_" initiation, gm_gpgpusim_apply_ptx_interval,                \
              key "_interval", "likewise")
/* Matters: goldmem does `instead`, as GPGPU-Sim does with a value of `as_given`. */
#define UNMODELLED(option, as_given, instead)                                                      \
    {                                                                                              \
        .name = (option), .role = GM_OPTION_UNMODELLED, .equal = (as_given), .meaning = (instead)  \
    }
/* Depends on another option: noted only where the file gives `with`, or not where `other` has a
 * value that means what goldmem does. */
#define UNMODELLED_WITH(option, as_given, with, instead)                                           \
    {                                                                                              \
        .name = (option), .role = GM_OPTION_UNMODELLED, .equal = (as_given), .only_with = (with),  \
        .meaning = (instead)                                                                       \
    }
#define UNMODELLED_UNLESS(option, as_given, other, instead)                                        \
    {                                                                                              \
        .name = (option), .role = GM_OPTION_UNMODELLED, .equal = (as_given), .unless = (other),    \
        .meaning = (instead)                                                                       \
    }
#define IRRELEVANT(option, why)                                                                    \
    {                                                                                              \
        .name = (option), .role = GM_OPTION_IRRELEVANT, .meaning = (why)                           \
    }

static const gm_gpgpusim_option options[] = {
    TAKEN("-gpgpu_n_clusters", apply_clusters, "gpu.sms", "times -gpgpu_n_cores_per_cluster"),
    TAKEN("-gpgpu_n_cores_per_cluster", apply_cores, "gpu.sms", "times -gpgpu_n_clusters"),
    TAKEN("-gpgpu_shader_core_pipeline", apply_pipeline, "sm.threads, sm.warps",
          "THREADS:WARP_SIZE; warps of 32 threads only"),
    TAKEN("-gpgpu_shader_cta", apply_ctas, "sm.ctas", "the same"),
    TAKEN("-gpgpu_shader_registers", apply_registers, "sm.registers", "the same"),
    TAKEN("-gpgpu_shmem_size", apply_shared_bytes, "sm.shared_bytes", "the same"),
    TAKEN("-gpgpu_shmem_num_banks", apply_shared_banks, "sm.shared_banks", "the same"),
    TAKEN("-gpgpu_cache:dl1", gm_gpgpusim_apply_dl1,
          "l1.enabled, l1.size, l1.ways, l1.line, l1.sectored, l1.index, l1.replacement, "
          "l1.global_write, l1.global_allocate, l1.local_write, l1.local_allocate, "
          "l1.fetch_on_write, l1.allocation, "
          "l1.mshrs, l1.merges, l1.merge_by, l1.miss_queue",
          "the descriptor below; none turns the L1 off"),
    TAKEN("-gpgpu_adaptive_cache_config", gm_gpgpusim_apply_adaptive,
          "l1.unified, l1.shared_options",
          "1 gives them the values of the next two; without the next one the L1 keeps its size, "
          "which is told"),
    TAKEN("-gpgpu_unified_l1d_size", gm_gpgpusim_apply_unified_size, "l1.unified", "in KB"),
    TAKEN("-gpgpu_shmem_option", gm_gpgpusim_apply_shared_options, "l1.shared_options",
          "in KB, in any order"),
    TAKEN("-gpgpu_gmem_skip_L1D", apply_skip, "l1.enabled",
          "1 turns the L1 off: local accesses bypass it too, which is told"),
    TAKEN("-gmem_skip_L1D", apply_skip, "l1.enabled", "the same, of older files"),
    TAKEN("-gpgpu_flush_l1_cache", apply_flush, "l1.flush", "the same"),
    TAKEN("-gpgpu_local_mem_map", apply_local_map, "memory.local_map",
          "ctas, with the L2's option; 0: slots"),
    TAKEN("-gpgpu_cache:dl2", gm_gpgpusim_apply_dl2,
          "l2.size, l2.ways, l2.line, l2.sectored, l2.index, l2.replacement, l2.fetch_on_write, "
          "l2.dirty, l2.mshrs, l2.merges, l2.port",
          "the descriptor of one bank; the size is that of all banks"),
    TAKEN("-gpgpu_perf_sim_memcpy", apply_copies, "l2.copy_fills", "the same"),
    TAKEN("-gpgpu_n_mem", apply_partitions, "memory.partitions", "the same"),
    TAKEN("-gpgpu_n_sub_partition_per_mchannel", apply_banks,
          "memory.banks, memory.bank_interleave",
          "the same; the lowest B bits of -gpgpu_mem_addr_mapping choose the L2 bank, where they "
          "lie together above the line's offset"),
    TAKEN("-gpgpu_mem_addr_mapping", apply_mapping,
          "memory.interleave, dram.row, dram.rows, dram.low_banks, dram.low_bytes",
          "dramid@BIT gives the interleave; the row is all C and S bits, wherever they lie; B bits "
          "from BIT on, or from the lowest of 128 bytes or more that is below, are low banks, "
          "others the highest; R bits count the rows"),
    TAKEN("-gpgpu_memory_partition_indexing", apply_partition_index, "memory.partition_index",
          "0: linear, 1: xor, of a power of two of partitions, 2: ipoly; others are linear, which "
          "is told"),
    TAKEN("-gpgpu_clock_domains", gm_gpgpusim_apply_clocks,
          "clock.core, clock.noc, clock.l2, clock.dram", "in this order, rounded to whole MHz"),
    TAKEN("-gpgpu_coalesce_arch", apply_coalescing, "sm.coalesce, sm.descending",
          "40 and more: sector; less: line, which is told of half-warps, below 20; the highest "
          "address comes first"),
    TAKEN("-gpgpu_num_sched_per_core", apply_schedulers, "sm.schedulers", "the same"),
    TAKEN("-gpgpu_scheduler", gm_gpgpusim_apply_scheduler, "sm.scheduler, sm.group",
          "gto, lrr, or two_level_active:WARPS:INNER:OUTER, whose INNER and OUTER are not kept"),
    TAKEN("-gpgpu_concurrent_kernel_sm", apply_kernels, "gpu.kernels, gpu.kernels_share_sm",
          "1: -gpgpu_max_concurrent_kernel, and yes; 0: 1 and no, as Accel-Sim reads traces"),
    TAKEN("-gpgpu_max_concurrent_kernel", apply_most_kernels, "gpu.kernels",
          "beside -gpgpu_concurrent_kernel_sm 1: the same" MOST "; 32 if it is not given"),
    TAKEN("-gpgpu_kernel_launch_latency", apply_launch, "sm.launch", "the same"),
    TAKEN("-gpgpu_pipeline_widths", gm_gpgpusim_apply_widths, "sm.memory_queue",
          "ID_OC_MEM + OC_EX_MEM + 1: places for memory instructions between issue and coalescer"),
    TAKEN("-gpgpu_operand_collector_num_units_gen", gm_gpgpusim_apply_collectors,
          "sm.collectors, sm.drain, sm.fetch, sm.opcode_units, sm.turns, unit.control, "
          "sm.shared_atomic_passes, sm.shared_wide",
          "the same; if any, fetch, branches, atomics and wide accesses to shared memory are as "
          "there too: 2, 1, no and no"),
    TAKEN("-gpgpu_sub_core_model", gm_gpgpusim_apply_subcores, "sm.subcores",
          "the same, where the schedulers can have equal shares of the collectors"),
    TAKEN("-gpgpu_num_reg_banks", gm_gpgpusim_apply_register_banks,
          "sm.register_banks, sm.register_queues",
          "the same, with sm.subcores a scheduler's share"),
    TAKEN("-gpgpu_reg_file_port_throughput", gm_gpgpusim_apply_register_reads, "sm.register_reads",
          "the same" MOST),
    TAKEN("-gpgpu_inst_fetch_throughput", gm_gpgpusim_apply_fetch_warps, "sm.fetch_warps",
          "the same" MOST),
#define UNITS(name, key)                                                                           \
    TAKEN(                                                                                         \
        "-gpgpu_num_" name "_units", gm_gpgpusim_apply_units, "unit." key "_units",                \
        "the same, each for as many as schedulers; 0 and more than schedulers as well, which is "  \
        "listed")
    UNITS("sp", "fp32"),
    UNITS("int", "integer"),
    UNITS("dp", "fp64"),
    UNITS("sfu", "special"),
    UNITS("tensor_core", "tensor"),
    TAKEN("-specialized_unit_1", gm_gpgpusim_apply_branch_units, "sm.branch_units",
          "the second number, where the first is not 0: branches of traces go to it; more than "
          "there can be is the most "
          "there can be, which is listed"),
#define SPECIALIZED(number, key)                                                                   \
    TAKEN("-specialized_unit_" number, gm_gpgpusim_apply_specialized_units, "unit." key "_units",  \
          "the second number, where the first is not 0, as of -gpgpu_num_tensor_core_units")
    SPECIALIZED("2", "texture"),
    SPECIALIZED("3", "tensor"),
    SPECIALIZED("4", "uniform"),
    TAKEN("-trace_opcode_latency_initiation_spec_op_1", gm_gpgpusim_apply_branch_interval,
          "unit.control_interval", "the second number, where there are such units and collectors"),
    TAKEN("-gpgpu_l1_latency", apply_l1_latency, "l1.latency, l1.lookup, l1.hit_delay",
          "the same; the requests pass it before they are looked up: last; a cycle more, but with "
          "sm.write_port"),
    TAKEN("-gpgpu_l1_banks", apply_l1_banks, "l1.banks", "the same"),
    TAKEN("-gpgpu_l1_banks_byte_interleaving", apply_l1_bank_interleave, "l1.bank_interleave",
          "the same"),
    TAKEN("-gpgpu_l1_banks_hashing_function", apply_l1_bank_index, "l1.bank_index",
          "0: linear, 1: xor; others are linear, which is told"),
    TAKEN(
        "-gpgpu_smem_latency", apply_shared_latency, "unit.shared",
        "2 cycles more, for registers of the pipeline; 1 with sm.write_port, which has the other"),
    TAKEN("-smem_latency", apply_shared_latency, "unit.shared", "likewise, of older files"),
    TAKEN("-gpgpu_l2_rop_latency", apply_l2_latency, "l2.latency",
          "the same; with sm.write_port and a crossbar a cycle more, of the crossbar's"),
    TAKEN("-rop_latency", apply_l2_latency, "l2.latency", "the same, of version 3"),
    TAKEN("-dram_latency", apply_dram_latency, "dram.latency", "the same"),
    TAKEN("-icnt_flit_size", apply_flit, "noc.flit", "the same"),
    TAKEN(
        "-network_mode", gm_gpgpusim_apply_network, "noc.latency, noc.arbitration",
        "1: the interconnect is that of -inter_config_file; 2: a crossbar, as the options below "
        "say, with a noc.latency of 4, which that simulator's takes, or 2 with sm.write_port, and "
        "outputs in series"),
    TAKEN(
        "-inter_config_file", gm_gpgpusim_apply_network_file,
        "noc.topology, noc.flit, noc.channels, noc.buffer, noc.ejection, noc.speedup, noc.latency",
        "of a file in the same folder: topology, flit_size, num_vcs, vc_buf_size (both buffers), "
        "internal_speedup" MOST
        "; a crossbar's noc.latency is 9, which that simulator's takes, or 7 with sm.write_port"),
    TAKEN("-icnt_in_buffer_limit", gm_gpgpusim_apply_in_buffer, "noc.buffer",
          "the same, of packets there" MOST),
    TAKEN("-icnt_out_buffer_limit", gm_gpgpusim_apply_out_buffer, "noc.ejection",
          "the same, of packets there" MOST),
    TAKEN("-gpgpu_dram_partition_queues", gm_gpgpusim_apply_partition_queues,
          "l2.queue, l2.dram_queue, l2.reply_queue", "the first, second and fourth number" MOST),
    TAKEN("-gpgpu_frfcfs_dram_sched_queue_size", gm_gpgpusim_apply_dram_queue, "dram.queue",
          "the same" MOST),
    TAKEN("-gpgpu_dram_return_queue_size", gm_gpgpusim_apply_return_queue, "dram.return_queue",
          "the same" MOST),
    TAKEN("-gpgpu_dram_timing_opt", gm_gpgpusim_apply_timing,
          "dram.banks, dram.bank_groups, dram.tCCD, ...",
          "nbk, nbkgrp, and the timings by name, or all in the order of version 3; dram.tRCDW is "
          "tRCD - tWL - 1, dram.tRTPL with -dram_dual_bus_interface as dram.tRTP"),
    TAKEN("-gpgpu_dram_buswidth", gm_gpgpusim_apply_bus_width, "dram.burst",
          "bytes of a chip; times chips, times the burst length"),
    TAKEN("-gpgpu_n_mem_per_ctrlr", gm_gpgpusim_apply_chips, "dram.burst", "chips of a channel"),
    TAKEN("-gpgpu_dram_burst_length", gm_gpgpusim_apply_burst_length,
          "dram.burst, dram.burst_cycles",
          "its cycles are the length by -dram_data_command_freq_ratio"),
    TAKEN("-dram_dual_bus_interface", apply_dual_bus, "dram.dual_bus", "the same"),
    TAKEN("-dram_data_command_freq_ratio", gm_gpgpusim_apply_data_rate, "dram.burst_cycles",
          "divides the burst length"),
    TRACED("int", "unit.integer"),
    TRACED("sp", "unit.fp32"),
    TRACED("dp", "unit.fp64"),
    TRACED("sfu", "unit.special"),
    TRACED("tensor", "unit.tensor"),
    TRACED("spec_op_2", "unit.texture"),
    TRACED("spec_op_3", "unit.tensor"),
    TRACED("spec_op_4", "unit.uniform"),
    PTX("int", "int", "unit.integer"),
    PTX("fp", "fp", "unit.fp32"),
    PTX("dp", "dp", "unit.fp64"),
    PTX("sfu", "sfu", "unit.special"),
    PTX("tesnor", "tensor", "unit.tensor"), /* GPGPU-Sim's spelling */

    /* Options that matter, and are not modelled or in another way. */
    UNMODELLED("-gpgpu_cache:dl1PrefL1", "none", "every kernel has the L1 of -gpgpu_cache:dl1"),
    UNMODELLED("-gpgpu_cache:dl1PrefShared", "none", "every kernel has the L1 of -gpgpu_cache:dl1"),
    UNMODELLED("-gpgpu_shmem_sizeDefault", "=sm.shared_bytes",
               "every kernel has the shared memory of -gpgpu_shmem_size"),
    UNMODELLED("-gpgpu_shmem_size_PrefL1", "=sm.shared_bytes",
               "every kernel has the shared memory of -gpgpu_shmem_size"),
    UNMODELLED("-gpgpu_shmem_size_PrefShared", "=sm.shared_bytes",
               "every kernel has the shared memory of -gpgpu_shmem_size"),
    UNMODELLED("-gpgpu_l1_cache_write_ratio", "0", "a dirty line is evicted as any other"),
    UNMODELLED("-gpgpu_mem_unit_ports", "1", "one memory instruction a cycle is coalesced"),
    UNMODELLED("-gpgpu_n_ldst_response_buffer_size", "",
               "the L1 takes a reply from the interconnect's buffer, noc.ejection"),
    UNMODELLED("-gpgpu_cache:dl2_texture_only", "0", "every access goes through the L2"),
    UNMODELLED("-gpgpu_flush_l2_cache", "0", "the L2 keeps its lines between kernels"),
    UNMODELLED("-l2_ideal", "0", "the L2 misses"),
    UNMODELLED("-gpgpu_perfect_mem", "0", "memory takes its time"),
    UNMODELLED("-gpgpu_perfect_inst_const_cache", "1",
               "constants are always there; instructions are fetched through -gpgpu_cache:il1"),
    UNMODELLED_UNLESS(
        "-gpgpu_cache:il1", "none", "-gpgpu_perfect_inst_const_cache",
        "instructions are always there; operand collectors would make it the L1I: l1i.*"),
    UNMODELLED_UNLESS("-gpgpu_const_cache:l1", "none", "-gpgpu_perfect_inst_const_cache",
                      "constants are always there: nothing is fetched for them"),
    UNMODELLED("-gpgpu_tex_cache:l1", "none", "texture accesses are counted and not modelled"),
    TAKEN("-gpgpu_dram_scheduler", apply_dram_scheduler,
          "dram.commit_row, dram.bank_turns, dram.entry_turns",
          "1, first-ready: a bank keeps to the row that it has chosen, and with "
          "-dram_dual_bus_interface banks take turns; 0, in order, is told; L2 banks take turns at "
          "the channel"),
    UNMODELLED("-dram_bnk_indexing_policy", "0", "a bank is its bits of the address"),
    UNMODELLED("-dram_bnkgrp_indexing_policy", "1", "a bank's group is its lowest bits"),
    UNMODELLED("-dram_seperate_write_queue_enable", "0", "reads and writes share dram.queue"),
    UNMODELLED_WITH("-dram_write_queue_size", "", "-dram_seperate_write_queue_enable",
                    "reads and writes share dram.queue"),
    UNMODELLED("-dram_elimnate_rw_turnaround", "0", "the bus takes its time to turn round"),
    UNMODELLED("-gpgpu_simple_dram_model", "0", "every DRAM command is scheduled"),
    UNMODELLED("-icnt_subnets", "2", "requests and replies have a network each"),
    UNMODELLED("-icnt_arbiter_algo", "1", "outputs one after another"),
    UNMODELLED("-icnt_grant_cycles", "1", "a packet holds its output for as many cycles as flits"),
    UNMODELLED("-gpgpu_n_cluster_ejection_buffer_size", "",
               "noc.ejection, in flits, in front of each SM"),
    UNMODELLED("-gpgpu_max_insn_issue_per_warp", "1", "a scheduler issues one instruction a cycle"),
    UNMODELLED_WITH("-gpgpu_dual_issue_diff_exec_units", "", "-gpgpu_max_insn_issue_per_warp",
                    "a scheduler issues one instruction a cycle"),
    UNMODELLED("-gpgpu_num_mem_units", "1", "one load/store unit in an SM"),
    UNMODELLED("-gpgpu_enable_specialized_operand_collector", "0",
               "collectors are those of -gpgpu_operand_collector_num_units_gen"),
#define COLLECTORS(unit)                                                                           \
    UNMODELLED_UNLESS("-gpgpu_operand_collector_num_units_" unit, "0",                             \
                      "-gpgpu_enable_specialized_operand_collector",                               \
                      "collectors are those of -gpgpu_operand_collector_num_units_gen"),           \
        UNMODELLED_UNLESS("-gpgpu_operand_collector_num_in_ports_" unit, "0",                      \
                          "-gpgpu_enable_specialized_operand_collector",                           \
                          "collectors take what is in the registers in front of them"),            \
        UNMODELLED_UNLESS("-gpgpu_operand_collector_num_out_ports_" unit, "0",                     \
                          "-gpgpu_enable_specialized_operand_collector",                           \
                          "as many instructions leave collectors as units take")
    COLLECTORS("sp"),
    COLLECTORS("dp"),
    COLLECTORS("sfu"),
    COLLECTORS("int"),
    COLLECTORS("mem"),
    COLLECTORS("tensor_core"),
    UNMODELLED("-gpgpu_operand_collector_num_in_ports_gen", "",
               "collectors take what is in the registers in front of them"),
    UNMODELLED("-gpgpu_operand_collector_num_out_ports_gen", "",
               "as many instructions leave collectors as units take"),
    UNMODELLED("-gpgpu_reg_bank_use_warp_id", "", "operands are read without bank conflicts"),
    UNMODELLED("-gpgpu_shmem_limited_broadcast", "0", "any number of words is broadcast at once"),
    UNMODELLED("-gpgpu_shmem_warp_parts", "1", "bank conflicts are those of a whole warp"),
    UNMODELLED("-gpgpu_ignore_resources_limitation", "0",
               "resident CTAs are limited by registers, shared memory, threads and sm.ctas"),
    UNMODELLED("-gpgpu_TB_launch_latency", "0", "a kernel begins sm.launch cycles after the last"),
    UNMODELLED("-gpgpu_max_cycle", "0", "the run ends with its input"),
    UNMODELLED("-gpgpu_max_insn", "0", "the run ends with its input"),
    UNMODELLED("-gpgpu_max_cta", "0", "the run ends with its input"),
    UNMODELLED("-gpgpu_max_completed_cta", "0", "the run ends with its input"),
    UNMODELLED("-resume_option", "0", "the run begins with its input"),
    UNMODELLED("-specialized_unit_*", "",
               "no opcode goes to a fifth specialized unit or one behind it"),
    UNMODELLED("-trace_opcode_latency_initiation_spec_op_*", "",
               "no opcode goes to a fifth specialized unit or one behind it"),

/* Irrelevant options. A name with '*' stands for all that begin with it. */
#define CUDA    "of CUDA's functional simulation; a trace has run already"
#define POWER   "of the power model; goldmem's is in energy.md"
#define SAYS    "says what that simulator prints and when"
#define NO_READ "that simulator does not use it"
    IRRELEVANT("-accelwattch_*", POWER),
    IRRELEVANT("-aggregate_power_stats", POWER),
    IRRELEVANT("-dvfs_enabled", POWER),
    IRRELEVANT("-gpgpu_clock_gated_lanes", POWER),
    IRRELEVANT("-gpgpu_clock_gated_reg_file", POWER),
    IRRELEVANT("-gpuwattch_*", POWER),
    IRRELEVANT("-hw_perf_*", POWER),
    IRRELEVANT("-n_regfile_gating_group", POWER),
    IRRELEVANT("-power_*", POWER),
    IRRELEVANT("-steady_*", POWER),
    IRRELEVANT("-checkpoint_*", "of that simulator's checkpoints"),
    IRRELEVANT("-resume_*", "of that simulator's checkpoints; see -resume_option"),
    IRRELEVANT("-cdp_latency", CUDA),
    IRRELEVANT("-gpgpu_cdp_enabled", CUDA),
    IRRELEVANT("-gpgpu_compute_capability_*", CUDA),
    IRRELEVANT("-gpgpu_experimental_lib_support", CUDA),
    IRRELEVANT("-gpgpu_heap_size_limit", CUDA),
    IRRELEVANT("-gpgpu_ptx_*", CUDA),
    IRRELEVANT("-gpgpu_registers_per_block", CUDA),
    IRRELEVANT("-gpgpu_runtime_pending_launch_count_limit", CUDA),
    IRRELEVANT("-gpgpu_runtime_sync_depth_limit", CUDA),
    IRRELEVANT("-gpgpu_shmem_per_block", CUDA),
    IRRELEVANT("-gpgpu_simd_model", "a trace has its divergence"),
    IRRELEVANT("-gpgpu_stack_size_limit", CUDA),
    IRRELEVANT("-gpgpu_num_cta_barriers", "a trace has its barriers"),
    IRRELEVANT("-gpgpu_tensor_core_avail", "a trace has its instructions"),
    IRRELEVANT("-save_embedded_ptx", CUDA),
    IRRELEVANT("-keep", CUDA),
    IRRELEVANT("-enable_ptx_file_line_stats", SAYS),
    IRRELEVANT("-gpgpu_cflog_interval", SAYS),
    IRRELEVANT("-gpgpu_deadlock_detect", "gpu.watchdog does so"),
    IRRELEVANT("-gpgpu_memlatency_stat", SAYS),
    IRRELEVANT("-gpgpu_occupancy_sm_number", SAYS),
    IRRELEVANT("-gpgpu_runtime_stat", SAYS),
    IRRELEVANT("-icnt_verbose", SAYS),
    IRRELEVANT("-liveness_message_freq", SAYS),
    IRRELEVANT("-ptx_line_stats_filename", SAYS),
    IRRELEVANT("-trace", "the input is goldmem's argument"),
    IRRELEVANT("-trace_components", SAYS),
    IRRELEVANT("-trace_enabled", SAYS),
    IRRELEVANT("-trace_sampling_core", SAYS),
    IRRELEVANT("-trace_sampling_memory_partition", SAYS),
    IRRELEVANT("-visualizer_*", SAYS),
    IRRELEVANT("-gpgpu_mem_addr_test", "a test of the address mapping"),
    IRRELEVANT("-gpgpu_mem_address_mask", "the mapping where -gpgpu_mem_addr_mapping is not given"),
    IRRELEVANT("-gpgpu_simt_core_sim_order", "the order in which one cycle's SMs are simulated"),
    IRRELEVANT("-gpgpu_warp_issue_shader", NO_READ),
    IRRELEVANT("-gpgpu_warpdistro_shader", NO_READ),
};

const gm_gpgpusim_option *gm_gpgpusim_options(unsigned *count)
{
    *count = sizeof options / sizeof options[0];
    return options;
}
