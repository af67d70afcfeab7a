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

/* The whole value is one number. */
static int read_number(gm_gpgpusim_reader *reader, uint64_t *value)
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
    int code = read_number(reader, &value);
    return code == 0 ? gm_gpgpusim_put(reader, key, value != 0 ? "yes" : "no") : code;
}

static int put_same(gm_gpgpusim_reader *reader, const char *key)
{
    uint64_t value = 0;
    int code = read_number(reader, &value);
    return code == 0 ? gm_gpgpusim_put_number(reader, key, value) : code;
}

static int apply_clusters(gm_gpgpusim_reader *reader)
{
    reader->clusters.line = reader->line;
    return read_number(reader, &reader->clusters.count);
}

static int apply_cores(gm_gpgpusim_reader *reader)
{
    reader->cores_per_cluster.line = reader->line;
    return read_number(reader, &reader->cores_per_cluster.count);
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
    int code = read_number(reader, &value);
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

/* "nbk=16:CCD=2:..." or, in version 3, "16:2:..." with the banks first. */
static int apply_timing(gm_gpgpusim_reader *reader)
{
    const char *text = strstr(reader->value, "nbk=");
    text = text != NULL ? text + strlen("nbk=") : reader->value;
    uint64_t banks = 0;
    if (!gm_gpgpusim_number(&text, &banks) || (*text != ':' && *text != '\0')) {
        return gm_gpgpusim_fail(reader, "must name the number of banks (nbk=16)");
    }
    return gm_gpgpusim_put_number(reader, "dram.banks", banks);
}

/* "dramid@BIT;" and one letter for each address bit: the row is all column (C) and burst (S) bits.
 */
static int apply_mapping(gm_gpgpusim_reader *reader)
{
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
    unsigned column_bits = 0;
    for (; *text != '\0'; text++) {
        if (strchr("0.|RrBbDdCcSs", *text) == NULL) {
            return gm_gpgpusim_fail(reader, "address bits must be R, B, C, S or 0");
        }
        column_bits += strchr("CcSs", *text) != NULL;
    }
    if (column_bits == 0 || column_bits > LARGEST_SHIFT) {
        return gm_gpgpusim_fail(reader, "must have column bits (C, S)");
    }
    int code = gm_gpgpusim_put_number(reader, "memory.interleave", UINT64_C(1) << shift);
    return code == 0 ? gm_gpgpusim_put_number(reader, "dram.row", UINT64_C(1) << column_bits)
                     : code;
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
     "l1.global_write, l1.global_allocate, l1.local_write, l1.local_allocate",
     "the descriptor up to its second comma; none turns the L1 off"},
    {"-gpgpu_gmem_skip_L1D", apply_skip, "l1.enabled",
     "1 turns the L1 off: local accesses bypass it too, which is listed as ignored"},
    {"-gpgpu_flush_l1_cache", apply_flush, "l1.flush", "the same"},
    {"-gpgpu_cache:dl2", gm_gpgpusim_apply_dl2,
     "l2.size, l2.ways, l2.line, l2.sectored, l2.index, l2.replacement, l2.fetch_on_write",
     "the descriptor of one bank, up to its second comma; the size is that of all banks"},
    {"-gpgpu_perf_sim_memcpy", apply_copies, "l2.copy_fills", "the same"},
    {"-gpgpu_n_mem", apply_partitions, "memory.partitions", "the same"},
    {"-gpgpu_n_sub_partition_per_mchannel", apply_banks, "memory.banks", "the same"},
    {"-gpgpu_mem_addr_mapping", apply_mapping, "memory.interleave, dram.row",
     "dramid@BIT gives the interleave; the row is all C and S bits, wherever they lie"},
    {"-gpgpu_dram_timing_opt", apply_timing, "dram.banks", "nbk, or the first of the numbers"},
};

const gm_gpgpusim_option *gm_gpgpusim_options(unsigned *count)
{
    *count = sizeof options / sizeof options[0];
    return options;
}
