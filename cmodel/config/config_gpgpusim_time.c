/* The options of a gpgpusim.config that concern time: clocks, latencies, queues, schedulers, DRAM.
 */
#include "config/config_gpgpusim.h"

#include <inttypes.h>
#include <string.h>

int gm_gpgpusim_put_at_most(gm_gpgpusim_reader *reader, const char *key, uint64_t value,
                            bool zero_is_most)
{
    uint64_t most = gm_config_find(key)->high;
    if (value > most || (value == 0 && zero_is_most)) {
        char note[96];
        snprintf(note, sizeof note, "%s is %" PRIu64 ", the most that it can be", key, most);
        gm_gpgpusim_note(reader, note);
        value = most;
    }
    return gm_gpgpusim_put_number(reader, key, value);
}

int gm_gpgpusim_put_mshrs(gm_gpgpusim_reader *reader, const char *section, const char *text)
{
    static const char form[] = "the MSHRs must be TYPE:ENTRIES:MERGES,MISS_QUEUE";
    uint64_t entries = 0;
    uint64_t merges = 0;
    uint64_t queue = 0;
    char key[32];
    if (*text == '\0') {
        return 0;
    }
    /* A and S merge by line and by sector; F and T are of texture caches */
    if (text[0] != ',' || text[1] == '\0' || strchr("AS", text[1]) == NULL || text[2] != ':') {
        return gm_gpgpusim_fail(reader, text[1] == 'F' || text[1] == 'T'
                                            ? "MSHRs of a texture cache (F, T) are not offered"
                                            : form);
    }
    text += 3;
    if (!gm_gpgpusim_number(&text, &entries) || *text++ != ':' ||
        !gm_gpgpusim_number(&text, &merges) || *text++ != ',' ||
        !gm_gpgpusim_number(&text, &queue) || strchr(":,", *text) == NULL) {
        return gm_gpgpusim_fail(reader, form);
    }
    snprintf(key, sizeof key, "%s.mshrs", section);
    int code = gm_gpgpusim_put_at_most(reader, key, entries, false);
    snprintf(key, sizeof key, "%s.merges", section);
    code = code == 0 ? gm_gpgpusim_put_at_most(reader, key, merges, false) : code;
    snprintf(key, sizeof key, "%s.miss_queue", section);
    return code == 0 && gm_config_find(key) != NULL
               ? gm_gpgpusim_put_at_most(reader, key, queue, false)
               : code;
}

int gm_gpgpusim_apply_dram_queue(gm_gpgpusim_reader *reader)
{
    uint64_t value = 0;
    int code = gm_gpgpusim_read_number(reader, &value);
    return code == 0 ? gm_gpgpusim_put_at_most(reader, "dram.queue", value, true) : code;
}

int gm_gpgpusim_apply_return_queue(gm_gpgpusim_reader *reader)
{
    uint64_t value = 0;
    int code = gm_gpgpusim_read_number(reader, &value);
    return code == 0 ? gm_gpgpusim_put_at_most(reader, "dram.return_queue", value, true) : code;
}

/* Applies "INTERCONNECT_TO_L2:L2_TO_DRAM:DRAM_TO_L2:L2_TO_INTERCONNECT". */
int gm_gpgpusim_apply_partition_queues(gm_gpgpusim_reader *reader)
{
    static const char *const keys[] = {"l2.queue", "l2.dram_queue", NULL, "l2.reply_queue"};
    const char *text = reader->value;
    int code = 0;
    for (unsigned i = 0; i < 4 && code == 0; i++) {
        uint64_t value = 0;
        if (!gm_gpgpusim_number(&text, &value) || *text++ != (i < 3 ? ':' : '\0')) {
            return gm_gpgpusim_fail(reader, "must be four numbers, as in 64:64:64:64");
        }
        code = keys[i] != NULL ? gm_gpgpusim_put_at_most(reader, keys[i], value, true) : 0;
    }
    return code;
}

/* Applies the widths of the registers in front of the units. Those of the load/store unit hold
 * memory instructions: fields ID_OC_MEM and OC_EX_MEM, third and sixth of 7 in version 3, fifth and
 * tenth of 11 or more since. A third memory instruction is in the unit itself. */
int gm_gpgpusim_apply_widths(gm_gpgpusim_reader *reader)
{
    enum { MOST = 16, OLD = 7, NEW = 11 };
    uint64_t width[MOST] = {0};
    const char *text = reader->value;
    unsigned count = 0;
    do {
        if (count == MOST || !gm_gpgpusim_number(&text, &width[count++])) {
            return gm_gpgpusim_fail(reader, "must be numbers, as in 2,0,0,1,1,2,0,0,1,1,2");
        }
    } while (*text++ == ',');
    if (text[-1] != '\0' || (count != OLD && count < NEW)) {
        return gm_gpgpusim_fail(reader, "must be 7 numbers, or 11 and more");
    }
    uint64_t places = count == OLD ? width[2] + width[5] : width[4] + width[9];
    return gm_gpgpusim_put_at_most(reader, "sm.memory_queue", places + 1, false);
}

/* Also sets what GPGPU-Sim's source fixes without an option: a warp fetches two instructions at a
 * time, the next instruction of a trace does not wait for a branch, its tables tell the unit of an
 * opcode, an exit passes its unit and three registers of the pipeline, and neither the width of an
 * access to shared memory counts nor whether it is an atomic. */
int gm_gpgpusim_apply_collectors(gm_gpgpusim_reader *reader)
{
    enum { FETCH = 2, BRANCH = 1, EXIT = 4 };
    uint64_t value = 0;
    int code = gm_gpgpusim_read_number(reader, &value);
    code = code == 0 ? gm_gpgpusim_put_at_most(reader, "sm.collectors", value, false) : code;
    if (code != 0 || value == 0) {
        return code;
    }
    code = gm_gpgpusim_put_number(reader, "sm.fetch", FETCH);
    code = code == 0 ? gm_gpgpusim_put_number(reader, "unit.control", BRANCH) : code;
    code = code == 0 ? gm_gpgpusim_put(reader, "sm.opcode_units", "accel_sim") : code;
    code = code == 0 ? gm_gpgpusim_put_number(reader, "sm.drain", EXIT) : code;
    code = code == 0 ? gm_gpgpusim_put(reader, "sm.turns", "occupied") : code;
    code = code == 0 ? gm_gpgpusim_put(reader, "sm.shared_atomic_passes", "no") : code;
    return code == 0 ? gm_gpgpusim_put(reader, "sm.shared_wide", "no") : code;
}

int gm_gpgpusim_read_specialized(gm_gpgpusim_reader *reader, uint64_t *value)
{
    const char *text = reader->value;
    memset(value, 0, GM_SPECIALIZED_NUMBERS * sizeof *value);
    for (unsigned i = 0; i < GM_SPECIALIZED_NUMBERS; i++) {
        if (!gm_gpgpusim_number(&text, &value[i]) || *text++ != ',') {
            return gm_gpgpusim_fail(reader, "must be five numbers and a name, as in "
                                            "1,4,4,4,4,BRA");
        }
    }
    return 0;
}

/* The first specialized unit executes a trace's branches. */
int gm_gpgpusim_apply_branch_units(gm_gpgpusim_reader *reader)
{
    uint64_t value[GM_SPECIALIZED_NUMBERS];
    int code = gm_gpgpusim_read_specialized(reader, value);
    uint64_t units = value[GM_SPECIALIZED_UNITS];
    if (code != 0 || value[GM_SPECIALIZED_ENABLED] == 0 || units == 0) {
        return code;
    }
    if (value[GM_SPECIALIZED_IN_FRONT] != units || value[GM_SPECIALIZED_BEHIND] != units) {
        gm_gpgpusim_note(reader, "its registers are as many as its units");
    }
    return gm_gpgpusim_put_at_most(reader, "sm.branch_units", units, false);
}

/* Applies "LATENCY,INTERVAL". No instruction waits for the latency. */
int gm_gpgpusim_apply_branch_interval(gm_gpgpusim_reader *reader)
{
    uint64_t latency = 0;
    const char *text = reader->value;
    if (!gm_gpgpusim_number(&text, &latency) || *text++ != ',' ||
        !gm_gpgpusim_number(&text, &reader->branches.interval) || *text != '\0') {
        return gm_gpgpusim_fail(reader, "must be LATENCY,INTERVAL");
    }
    reader->branches.line = reader->line;
    return 0;
}

int gm_gpgpusim_put_branches(gm_gpgpusim_reader *reader)
{
    const gm_config *config = reader->config;
    if (reader->branches.line == 0 || config->sm.branch_units == 0 || config->sm.collectors == 0) {
        return 0;
    }
    char interval[24];
    snprintf(interval, sizeof interval, "%" PRIu64, reader->branches.interval);
    reader->line = reader->branches.line;
    reader->option = "-trace_opcode_latency_initiation_spec_op_1";
    reader->value = interval;
    int code = gm_gpgpusim_put(reader, "unit.control_interval", interval);
    reader->value = "";
    return code;
}

/* Reads a frequency in MHz ("1132.0"), rounded to the nearest whole one. */
static bool read_clock(const char **text, uint64_t *value)
{
    if (!gm_gpgpusim_number(text, value)) {
        return false;
    }
    if (**text == '.') {
        (*text)++;
        *value += **text >= '5' && **text <= '9';
        *text += strspn(*text, "0123456789");
    }
    return true;
}

int gm_gpgpusim_apply_clocks(gm_gpgpusim_reader *reader)
{
    static const char *const keys[] = {"clock.core", "clock.noc", "clock.l2", "clock.dram"};
    const char *text = reader->value;
    int code = 0;
    for (unsigned i = 0; i < 4 && code == 0; i++) {
        uint64_t value = 0;
        if (!read_clock(&text, &value) || *text++ != (i < 3 ? ':' : '\0')) {
            return gm_gpgpusim_fail(reader, "must be CORE:INTERCONNECT:L2:DRAM in MHz");
        }
        code = gm_gpgpusim_put_number(reader, keys[i], value);
    }
    return code;
}

/* Applies "two_level_active:WARPS:INNER:OUTER". The numbers after WARPS are priorities within and
 * among the groups, for which goldmem has loose round robin. */
int gm_gpgpusim_apply_scheduler(gm_gpgpusim_reader *reader)
{
    static const char two_level[] = "two_level_active:";
    const char *text = reader->value;
    uint64_t group = 0;
    if (strcmp(text, "gto") == 0 || strcmp(text, "lrr") == 0) {
        return gm_gpgpusim_put(reader, "sm.scheduler", text);
    }
    if (strncmp(text, two_level, strlen(two_level)) != 0) {
        return gm_gpgpusim_fail(reader, "must be gto, lrr or two_level_active:WARPS:INNER:OUTER");
    }
    text += strlen(two_level);
    if (!gm_gpgpusim_number(&text, &group) || (*text != ':' && *text != '\0')) {
        return gm_gpgpusim_fail(reader, "must be two_level_active:WARPS:INNER:OUTER");
    }
    int code = gm_gpgpusim_put(reader, "sm.scheduler", "two_level");
    return code == 0 ? gm_gpgpusim_put_number(reader, "sm.group", group) : code;
}

/* Timings in the order of version 3, whose values have no names. */
static const struct {
    const char *name, *key;
} timings[] = {
    {"nbk", "dram.banks"},  {"CCD", "dram.tCCD"},  {"RRD", "dram.tRRD"},
    {"RCD", "dram.tRCD"},   {"RAS", "dram.tRAS"},  {"RP", "dram.tRP"},
    {"RC", "dram.tRC"},     {"CL", "dram.tCL"},    {"WL", "dram.tWL"},
    {"CDLR", "dram.tCDLR"}, {"WR", "dram.tWR"},    {"nbkgrp", "dram.bank_groups"},
    {"CCDL", "dram.tCCDL"}, {"RTPL", "dram.tRTP"},
};

enum {
    TIMINGS = sizeof timings / sizeof timings[0],
    FIRST_GROUP_TIMING = 11,
    GROUP_PRECHARGE = TIMINGS - 1,
};

/* Returns the number of the timing whose name and '=' begin *text, and moves *text past them;
 * TIMINGS if there is none. */
static unsigned find_timing(const char **text)
{
    size_t length = strcspn(*text, "=");
    for (unsigned i = 0; i < TIMINGS; i++) {
        if (strlen(timings[i].name) == length && memcmp(*text, timings[i].name, length) == 0) {
            *text += length + 1;
            return i;
        }
    }
    return TIMINGS;
}

/* There, a write follows its row's activate so much earlier that its data come with a read's. */
static int put_activate_to_write(gm_gpgpusim_reader *reader)
{
    const gm_config *config = reader->config;
    uint64_t before = config->dram.twl + 1;
    uint64_t least = config->dram.trcd > before ? config->dram.trcd - before : 1;
    return gm_gpgpusim_put_number(reader, "dram.tRCDW", least);
}

int gm_gpgpusim_apply_timing(gm_gpgpusim_reader *reader)
{
    static const char no_banks[] = "must name the number of banks (nbk=16)";
    const char *text = reader->value;
    bool named = strchr(text, '=') != NULL;
    bool banks = false;
    unsigned next = 0;
    for (bool more = true; more;) {
        uint64_t value = 0;
        unsigned at = named ? find_timing(&text) : next;
        if (at == TIMINGS) {
            return gm_gpgpusim_fail(reader, named ? "has a timing that is not known here"
                                                  : "has too many numbers");
        }
        if (!gm_gpgpusim_number(&text, &value) || (*text != ':' && *text != '\0')) {
            return gm_gpgpusim_fail(reader, at == 0 ? no_banks : "every timing must be a number");
        }
        int code = gm_gpgpusim_put_number(reader, timings[at].key, value);
        if (at == GROUP_PRECHARGE) { /* there, it holds for the whole group */
            reader->banks.group_precharge = value;
        }
        if (code < 0) {
            return code;
        }
        banks = banks || at == 0;
        next++;
        more = text[0] == ':' && text[1] != '\0';
        text += more;
    }
    if (!banks) {
        return gm_gpgpusim_fail(reader, no_banks);
    }
    if (!named && next <= FIRST_GROUP_TIMING) { /* version 3 then has no bank groups */
        int code = gm_gpgpusim_put_number(reader, "dram.bank_groups", 1);
        code = code == 0 ? gm_gpgpusim_put_number(reader, "dram.tCCDL", 0) : code;
        code = code == 0 ? gm_gpgpusim_put_number(reader, "dram.tRTP", 0) : code;
        return code == 0 ? put_activate_to_write(reader) : code;
    }
    return put_activate_to_write(reader);
}

int gm_gpgpusim_put_banks(gm_gpgpusim_reader *reader)
{
    if (!reader->banks.first_ready || !reader->config->dram.dual_bus) {
        return 0;
    }
    reader->line = reader->banks.line;
    reader->option = "-gpgpu_dram_scheduler";
    reader->value = "1";
    int code = gm_gpgpusim_put(reader, "dram.bank_turns", "yes");
    code = code == 0 ? gm_gpgpusim_put_number(reader, "dram.tRTPL", reader->banks.group_precharge)
                     : code;
    reader->value = "";
    return code;
}

/* Reads a part of the burst. Any of them makes the others GPGPU-Sim's defaults where they are not
 * given. */
static int read_burst(gm_gpgpusim_reader *reader, uint64_t *value)
{
    reader->burst.line = reader->line;
    return gm_gpgpusim_read_number(reader, value);
}

int gm_gpgpusim_apply_bus_width(gm_gpgpusim_reader *reader)
{
    return read_burst(reader, &reader->burst.width);
}

int gm_gpgpusim_apply_chips(gm_gpgpusim_reader *reader)
{
    return read_burst(reader, &reader->burst.chips);
}

int gm_gpgpusim_apply_burst_length(gm_gpgpusim_reader *reader)
{
    return read_burst(reader, &reader->burst.length);
}

int gm_gpgpusim_apply_data_rate(gm_gpgpusim_reader *reader)
{
    return read_burst(reader, &reader->burst.rate);
}

int gm_gpgpusim_put_burst(gm_gpgpusim_reader *reader)
{
    char parts[96];
    uint64_t width = reader->burst.width;
    uint64_t chips = reader->burst.chips;
    uint64_t length = reader->burst.length;
    uint64_t rate = reader->burst.rate;
    if (reader->burst.line == 0) {
        return 0;
    }
    reader->line = reader->burst.line;
    reader->option = "-gpgpu_dram_buswidth";
    snprintf(parts, sizeof parts, "(%" PRIu64 " * %" PRIu64 " chips * %" PRIu64 ")", width, chips,
             length);
    reader->value = parts;
    /* each below 2^30: the product of three is checked before it can wrap */
    uint64_t bytes = width * chips;
    int code = bytes > UINT32_MAX ? gm_gpgpusim_fail(reader, "a burst is too large")
                                  : gm_gpgpusim_put_number(reader, "dram.burst", bytes * length);
    reader->option = "-dram_data_command_freq_ratio";
    snprintf(parts, sizeof parts, "(%" PRIu64 " / %" PRIu64 ")", length, rate);
    if (code == 0) {
        code = rate == 0 || length % rate != 0
                   ? gm_gpgpusim_fail(reader, "must divide the burst length")
                   : gm_gpgpusim_put_number(reader, "dram.burst_cycles", length / rate);
    }
    reader->value = "";
    return code;
}

/* A unit: the end of its options' names, and its keys. */
typedef struct unit {
    const char *suffix, *key;
} unit;

static const unit units[GM_GPGPUSIM_UNITS] = {
    {"_int", "unit.integer"},   {"_sp", "unit.fp32"},
    {"_fp", "unit.fp32"},       {"_dp", "unit.fp64"},
    {"_sfu", "unit.special"},   {"_tesnor", "unit.tensor"}, /* GPGPU-Sim's spelling */
    {"_tensor", "unit.tensor"}, {"_2", "unit.texture"},     /* specialized units */
    {"_3", "unit.tensor"},      {"_4", "unit.uniform"},
};

static unsigned unit_of(const char *option)
{
    unsigned at = 0;
    const char *suffix = strrchr(option, '_');
    while (at + 1 < GM_GPGPUSIM_UNITS && strcmp(units[at].suffix, suffix) != 0) {
        at++;
    }
    return at;
}

/* Applies "LATENCY,INTERVAL" of a trace-driven run. There, a result passes three registers of the
 * pipeline besides its unit, in a chain of instructions that wait for each other: counted with that
 * simulator, equal for all units (docs/reproduction/reference.md). */
int gm_gpgpusim_apply_trace_unit(gm_gpgpusim_reader *reader)
{
    enum { REGISTERS = 3 };
    const char *text = reader->value;
    const char *key = units[unit_of(reader->option)].key;
    uint64_t latency = 0;
    uint64_t interval = 0;
    char interval_key[32];
    if (!gm_gpgpusim_number(&text, &latency) || *text++ != ',' ||
        !gm_gpgpusim_number(&text, &interval) || *text != '\0') {
        return gm_gpgpusim_fail(reader, "must be LATENCY,INTERVAL");
    }
    for (unsigned i = 0; i < GM_GPGPUSIM_UNITS; i++) {
        reader->unit_traced[i] = reader->unit_traced[i] || strcmp(units[i].key, key) == 0;
    }
    snprintf(interval_key, sizeof interval_key, "%s_interval", key);
    int code = gm_gpgpusim_put_number(reader, key, latency + REGISTERS);
    return code == 0 ? gm_gpgpusim_put_number(reader, interval_key, interval) : code;
}

/* Applies "ADD,MAX,MUL,MAD,DIV..." of a run of PTX: takes ADD where no -trace_opcode_ option gives
 * the unit's value. */
static int apply_ptx_unit(gm_gpgpusim_reader *reader, const char *suffix)
{
    unsigned at = unit_of(reader->option);
    const char *text = reader->value;
    uint64_t value = 0;
    char key[32];
    if (!gm_gpgpusim_number(&text, &value) || (*text != ',' && *text != '\0')) {
        return gm_gpgpusim_fail(reader, "must be numbers, of additions first");
    }
    if (reader->unit_traced[at]) {
        return 0;
    }
    snprintf(key, sizeof key, "%s%s", units[at].key, suffix);
    return gm_gpgpusim_put_number(reader, key, value);
}

int gm_gpgpusim_apply_ptx_latency(gm_gpgpusim_reader *reader)
{
    return apply_ptx_unit(reader, "");
}

int gm_gpgpusim_apply_ptx_interval(gm_gpgpusim_reader *reader)
{
    return apply_ptx_unit(reader, "_interval");
}

int gm_gpgpusim_put_kernels(gm_gpgpusim_reader *reader)
{
    enum { UNLESS_GIVEN = 32 };
    const gm_config *config = reader->config;
    if (reader->kernels.line == 0) {
        return 0;
    }
    reader->option = "-gpgpu_concurrent_kernel_sm";
    reader->value = "1";
    reader->line = reader->kernels.line;
    if (config->l1.flush && config->l1.global_write == GM_WRITE_BACK) {
        gm_gpgpusim_note(reader, "kernels run one after the other: the L1 writes back global data");
        return reader->failed;
    }
    if (reader->kernels.most != 0) { /* for notes */
        reader->option = "-gpgpu_max_concurrent_kernel";
        reader->value = "";
    }
    uint64_t most = reader->kernels.most != 0 ? reader->kernels.most : UNLESS_GIVEN;
    int code = gm_gpgpusim_put_at_most(reader, "gpu.kernels", most, false);
    return code == 0 ? gm_gpgpusim_put(reader, "gpu.kernels_share_sm", "yes") : code;
}
