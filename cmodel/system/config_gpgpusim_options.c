/* The options of a gpgpusim.config that goldmem understands: one table, and what each one does. */
#include "goldmem/bits.h"
#include "system/config_internal.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

enum {
    WARP = 32,                /* threads */
    LARGEST_NUMBER = 1 << 30, /* the keys' ranges are narrower */
    LARGEST_SHIFT = 40,       /* of an interleave or a row; the keys' ranges are narrower */
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

void gm_gpgpusim_note(gm_gpgpusim_reader *reader, const char *what)
{
    fprintf(reader->ignored, "%s (%s)\n", reader->option, what);
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
    return put_same(reader, "memory.banks");
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

static int apply_schedulers(gm_gpgpusim_reader *reader)
{
    return put_same(reader, "sm.schedulers");
}

static int apply_launch(gm_gpgpusim_reader *reader)
{
    return put_same(reader, "sm.launch");
}

static int apply_l1_latency(gm_gpgpusim_reader *reader)
{
    int code = put_same(reader, "l1.latency");
    return code == 0 ? gm_gpgpusim_put(reader, "l1.lookup", "last") : code;
}

static int apply_shared_latency(gm_gpgpusim_reader *reader)
{
    return put_same(reader, "unit.shared");
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

/* "THREADS:WARP" */
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

/* Bank bits from address bit `shift` on: of the address bits between first and end, bit 0 last. */
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

/* "dramid@BIT;" and one letter for each address bit: the row is all column (C) and burst (S) bits.
 */
static int apply_mapping(gm_gpgpusim_reader *reader)
{
    enum { ADDRESS_BITS = 64 };
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
    const char *first = text;
    for (; *text != '\0'; text++) {
        if (strchr("0.|RrBbDdCcSs", *text) == NULL) {
            return gm_gpgpusim_fail(reader, "address bits must be R, B, C, S or 0");
        }
        bits += strchr(".|", *text) == NULL;
        column_bits += strchr("CcSs", *text) != NULL;
    }
    if (bits > ADDRESS_BITS) {
        return gm_gpgpusim_fail(reader, "must have 64 address bits at most");
    }
    if (column_bits == 0 || column_bits > LARGEST_SHIFT) {
        return gm_gpgpusim_fail(reader, "must have column bits (C, S)");
    }
    uint64_t low_banks = UINT64_C(1) << bank_bits_at((unsigned)shift, first, text);
    int code = gm_gpgpusim_put_number(reader, "memory.interleave", UINT64_C(1) << shift);
    code = code == 0 ? gm_gpgpusim_put_number(reader, "dram.low_banks", low_banks) : code;
    return code == 0 ? gm_gpgpusim_put_number(reader, "dram.row", UINT64_C(1) << column_bits)
                     : code;
}

#define MOST "; 0, or more than there can be, is the most there can be, which is listed"
#define TRACED(unit, key)                                                                          \
    {                                                                                              \
        "-trace_opcode_latency_initiation_" unit, gm_gpgpusim_apply_trace_unit,                    \
            key ", " key "_interval", "LATENCY,INTERVAL"                                           \
    }
#define PTX(unit, key)                                                                             \
    {"-ptx_opcode_latency_" unit, gm_gpgpusim_apply_ptx_latency, key,                              \
     "of an addition, the first number; a trace's counts, where it is given"},                     \
    {                                                                                              \
        "-ptx_opcode_initiation_" unit, gm_gpgpusim_apply_ptx_interval, key "_interval",           \
            "likewise"                                                                             \
    }

static const gm_gpgpusim_option options[] = {
    {"-gpgpu_n_clusters", apply_clusters, "gpu.sms", "times -gpgpu_n_cores_per_cluster"},
    {"-gpgpu_n_cores_per_cluster", apply_cores, "gpu.sms", "times -gpgpu_n_clusters"},
    {"-gpgpu_shader_core_pipeline", apply_pipeline, "sm.threads, sm.warps",
     "THREADS:WARP_SIZE; warps of 32 threads only"},
    {"-gpgpu_shader_cta", apply_ctas, "sm.ctas", "the same"},
    {"-gpgpu_shader_registers", apply_registers, "sm.registers", "the same"},
    {"-gpgpu_shmem_size", apply_shared_bytes, "sm.shared_bytes", "the same"},
    {"-gpgpu_shmem_num_banks", apply_shared_banks, "sm.shared_banks", "the same"},
    {"-gpgpu_cache:dl1", gm_gpgpusim_apply_dl1,
     "l1.enabled, l1.size, l1.ways, l1.line, l1.sectored, l1.index, l1.replacement, "
     "l1.global_write, l1.global_allocate, l1.local_write, l1.local_allocate, l1.allocation, "
     "l1.mshrs, l1.merges, l1.miss_queue",
     "the descriptor below; none turns the L1 off"},
    {"-gpgpu_gmem_skip_L1D", apply_skip, "l1.enabled",
     "1 turns the L1 off: local accesses bypass it too, which is listed as ignored"},
    {"-gpgpu_flush_l1_cache", apply_flush, "l1.flush", "the same"},
    {"-gpgpu_cache:dl2", gm_gpgpusim_apply_dl2,
     "l2.size, l2.ways, l2.line, l2.sectored, l2.index, l2.replacement, l2.fetch_on_write, "
     "l2.mshrs, l2.merges",
     "the descriptor of one bank; the size is that of all banks"},
    {"-gpgpu_perf_sim_memcpy", apply_copies, "l2.copy_fills", "the same"},
    {"-gpgpu_n_mem", apply_partitions, "memory.partitions", "the same"},
    {"-gpgpu_n_sub_partition_per_mchannel", apply_banks, "memory.banks", "the same"},
    {"-gpgpu_mem_addr_mapping", apply_mapping, "memory.interleave, dram.row, dram.low_banks",
     "dramid@BIT gives the interleave; the row is all C and S bits, wherever they lie; B bits from "
     "BIT on are low banks, others the highest"},
    {"-gpgpu_clock_domains", gm_gpgpusim_apply_clocks,
     "clock.core, clock.noc, clock.l2, clock.dram", "in this order, rounded to whole MHz"},
    {"-gpgpu_num_sched_per_core", apply_schedulers, "sm.schedulers", "the same"},
    {"-gpgpu_scheduler", gm_gpgpusim_apply_scheduler, "sm.scheduler, sm.group",
     "gto, lrr, or two_level_active:WARPS:INNER:OUTER, whose INNER and OUTER are not kept"},
    {"-gpgpu_kernel_launch_latency", apply_launch, "sm.launch", "the same"},
    {"-gpgpu_pipeline_widths", gm_gpgpusim_apply_widths, "sm.memory_queue",
     "ID_OC_MEM + OC_EX_MEM + 1: places for memory instructions between issue and coalescer"},
    {"-gpgpu_operand_collector_num_units_gen", gm_gpgpusim_apply_collectors,
     "sm.collectors, sm.fetch, unit.control",
     "the same; if any, fetch and branches are as there too: 2 and 1"},
    {"-specialized_unit_1", gm_gpgpusim_apply_branch_units, "sm.branch_units",
     "the second number, where the first is not 0: branches of traces go to it" MOST},
    {"-trace_opcode_latency_initiation_spec_op_1", gm_gpgpusim_apply_branch_interval,
     "unit.control_interval", "the second number, where there are such units and collectors"},
    {"-gpgpu_l1_latency", apply_l1_latency, "l1.latency, l1.lookup",
     "the same; the requests pass it before they are looked up: last"},
    {"-gpgpu_smem_latency", apply_shared_latency, "unit.shared", "the same"},
    {"-gpgpu_l2_rop_latency", apply_l2_latency, "l2.latency", "the same"},
    {"-rop_latency", apply_l2_latency, "l2.latency", "the same, of version 3"},
    {"-dram_latency", apply_dram_latency, "dram.latency", "the same"},
    {"-icnt_flit_size", apply_flit, "noc.flit", "the same"},
    {"-gpgpu_dram_partition_queues", gm_gpgpusim_apply_partition_queues,
     "l2.queue, l2.dram_queue, l2.reply_queue", "the first, second and fourth number" MOST},
    {"-gpgpu_frfcfs_dram_sched_queue_size", gm_gpgpusim_apply_dram_queue, "dram.queue",
     "the same" MOST},
    {"-gpgpu_dram_return_queue_size", gm_gpgpusim_apply_return_queue, "dram.return_queue",
     "the same" MOST},
    {"-gpgpu_dram_timing_opt", gm_gpgpusim_apply_timing,
     "dram.banks, dram.bank_groups, dram.tCCD, ...",
     "nbk, nbkgrp, and the timings by name, or all in the order of version 3"},
    {"-gpgpu_dram_buswidth", gm_gpgpusim_apply_bus_width, "dram.burst",
     "bytes of a chip; times chips, times the burst length"},
    {"-gpgpu_n_mem_per_ctrlr", gm_gpgpusim_apply_chips, "dram.burst", "chips of a channel"},
    {"-gpgpu_dram_burst_length", gm_gpgpusim_apply_burst_length, "dram.burst, dram.burst_cycles",
     "its cycles are the length by -dram_data_command_freq_ratio"},
    {"-dram_data_command_freq_ratio", gm_gpgpusim_apply_data_rate, "dram.burst_cycles",
     "divides the burst length"},
    TRACED("int", "unit.integer"),
    TRACED("sp", "unit.fp32"),
    TRACED("dp", "unit.fp64"),
    TRACED("sfu", "unit.special"),
    TRACED("tensor", "unit.tensor"),
    PTX("int", "unit.integer"),
    PTX("fp", "unit.fp32"),
    PTX("dp", "unit.fp64"),
    PTX("sfu", "unit.special"),
};

const gm_gpgpusim_option *gm_gpgpusim_options(unsigned *count)
{
    *count = sizeof options / sizeof options[0];
    return options;
}
