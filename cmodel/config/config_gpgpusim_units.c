/* The options of a gpgpusim.config that concern the units of an SM and its sub-cores. */
#include "config/config_gpgpusim.h"

#include <inttypes.h>
#include <string.h>

/* A kind of unit: what stands for it in the option's name, and its key. */
static const struct {
    const char *option, *key;
} kinds[GM_GPGPUSIM_UNIT_KEYS] = {
    {"-gpgpu_num_int_units", "unit.integer_units"},
    {"-gpgpu_num_sp_units", "unit.fp32_units"},
    {"-gpgpu_num_dp_units", "unit.fp64_units"},
    {"-gpgpu_num_sfu_units", "unit.special_units"},
    {"-gpgpu_num_tensor_core_units", "unit.tensor_units"},
    {"-specialized_unit_2", "unit.texture_units"},
    {"-specialized_unit_3", "unit.tensor_units"}, /* what executes a trace's tensor instructions */
    {"-specialized_unit_4", "unit.uniform_units"},
};

static unsigned kind_of(const char *option)
{
    unsigned at = 0;
    while (at + 1 < GM_GPGPUSIM_UNIT_KEYS && strcmp(kinds[at].option, option) != 0) {
        at++;
    }
    return at;
}

int gm_gpgpusim_apply_units(gm_gpgpusim_reader *reader)
{
    unsigned at = kind_of(reader->option);
    reader->units[at].line = reader->line;
    return gm_gpgpusim_read_number(reader, &reader->units[at].count);
}

/* Applies "ENABLED,UNITS,LATENCY,ID_OC,OC_EX,NAME". */
int gm_gpgpusim_apply_specialized_units(gm_gpgpusim_reader *reader)
{
    uint64_t value[GM_SPECIALIZED_NUMBERS];
    int code = gm_gpgpusim_read_specialized(reader, value);
    unsigned at = kind_of(reader->option);
    reader->units[at].line = reader->line;
    reader->units[at].count = value[GM_SPECIALIZED_ENABLED] == 0 ? 0 : value[GM_SPECIALIZED_UNITS];
    return code;
}

int gm_gpgpusim_apply_subcores(gm_gpgpusim_reader *reader)
{
    reader->subcores.line = reader->line;
    return gm_gpgpusim_read_number(reader, &reader->subcores.count);
}

int gm_gpgpusim_apply_register_banks(gm_gpgpusim_reader *reader)
{
    reader->register_banks.line = reader->line;
    return gm_gpgpusim_read_number(reader, &reader->register_banks.count);
}

int gm_gpgpusim_apply_register_reads(gm_gpgpusim_reader *reader)
{
    uint64_t value = 0;
    int code = gm_gpgpusim_read_number(reader, &value);
    return code == 0 ? gm_gpgpusim_put_at_most(reader, "sm.register_reads", value, false) : code;
}

int gm_gpgpusim_apply_fetch_warps(gm_gpgpusim_reader *reader)
{
    uint64_t value = 0;
    int code = gm_gpgpusim_read_number(reader, &value);
    return code == 0 ? gm_gpgpusim_put_at_most(reader, "sm.fetch_warps", value, false) : code;
}

/* Makes a number that was read the option of messages. `text`: [24]. */
static void tell_number(gm_gpgpusim_reader *reader, const char *option, size_t line, uint64_t value,
                        char *text)
{
    snprintf(text, 24, "%" PRIu64, value);
    reader->option = option;
    reader->line = line;
    reader->value = text;
}

/* Sets the number of units of a kind. None of a kind there: another one does its work. */
static int put_units(gm_gpgpusim_reader *reader, unsigned kind)
{
    char text[24];
    uint64_t count = reader->units[kind].count;
    uint64_t schedulers = reader->config->sm.schedulers;
    tell_number(reader, kinds[kind].option, reader->units[kind].line, count, text);
    bool pools = reader->config->sm.register_queues && !reader->config->sm.subcores;
    if (count > schedulers && pools) {
        return gm_gpgpusim_put_at_most(reader, kinds[kind].key, count, false);
    }
    if (count > schedulers) {
        gm_gpgpusim_note(reader, "a scheduler has one unit at most");
    }
    bool fp64 = strcmp(kinds[kind].key, "unit.fp64_units") == 0;
    if (count == 0 && fp64 && reader->config->sm.collectors != 0) {
        return gm_gpgpusim_put(reader, "sm.special_fp64", "yes");
    }
    return count == 0           ? 0
           : count < schedulers ? gm_gpgpusim_put_number(reader, kinds[kind].key, count)
                                : gm_gpgpusim_put(reader, kinds[kind].key, "each");
}

static int put_subcores(gm_gpgpusim_reader *reader)
{
    char text[24];
    const gm_config *config = reader->config;
    if (reader->subcores.count == 0 || config->sm.collectors == 0) {
        return 0;
    }
    tell_number(reader, "-gpgpu_sub_core_model", reader->subcores.line, reader->subcores.count,
                text);
    if (config->sm.collectors % config->sm.schedulers != 0) {
        gm_gpgpusim_note(reader, "the collectors cannot be divided equally among the schedulers");
        return reader->failed;
    }
    return gm_gpgpusim_put(reader, "sm.subcores", "yes");
}

enum { MOST_QUEUES = 64 }; /* register banks of an SM that can have queues */

static int put_register_banks(gm_gpgpusim_reader *reader)
{
    char text[24];
    const gm_config *config = reader->config;
    uint64_t banks = reader->register_banks.count;
    if (reader->register_banks.line == 0 || config->sm.collectors == 0) {
        return 0;
    }
    tell_number(reader, "-gpgpu_num_reg_banks", reader->register_banks.line, banks, text);
    uint64_t parts = config->sm.subcores ? config->sm.schedulers : 1;
    int code = gm_gpgpusim_put_at_most(reader, "sm.register_banks", banks / parts, false);
    return code == 0 && config->sm.register_banks * parts <= MOST_QUEUES
               ? gm_gpgpusim_put(reader, "sm.register_queues", "yes")
               : code;
}

/* Without units of integers there, those of single precision do their work. */
static int put_no_integer_units(gm_gpgpusim_reader *reader)
{
    char text[24];
    unsigned kind = kind_of("-gpgpu_num_int_units");
    if (reader->units[kind].count != 0 || reader->config->sm.collectors == 0) {
        return 0;
    }
    tell_number(reader, kinds[kind].option, reader->units[kind].line, 0, text);
    return gm_gpgpusim_put_number(reader, kinds[kind].key, 0);
}

int gm_gpgpusim_put_units(gm_gpgpusim_reader *reader)
{
    int code = put_subcores(reader);
    code = code == 0 ? put_no_integer_units(reader) : code;
    code = code == 0 ? put_register_banks(reader) : code;
    for (unsigned kind = 0; kind < GM_GPGPUSIM_UNIT_KEYS && code == 0; kind++) {
        code = reader->units[kind].line == 0 ? 0 : put_units(reader, kind);
    }
    reader->value = "";
    return code == 0 ? reader->failed : code;
}
