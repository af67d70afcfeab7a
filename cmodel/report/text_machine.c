/* Text report: the machine, in a line for each of its parts. */
#include "report/text.h"

#include <inttypes.h>
#include <string.h>

static const char *value_of(const gm_config *config, const char *name, char text[GM_CONFIG_TEXT])
{
    unsigned count = 0;
    const gm_key *keys = gm_config_keys(&count);
    text[0] = '\0';
    for (unsigned i = 0; i < count; i++) {
        if (strcmp(keys[i].name, name) == 0) {
            gm_config_get(config, &keys[i], text, GM_CONFIG_TEXT);
        }
    }
    return text;
}

/* Writes ", decoupled, 8 tag ways, threshold 2". */
static void write_decoupled(FILE *file, const gm_config *config)
{
    if (config->l1.kind == GM_L1_DECOUPLED) {
        fprintf(file, ", decoupled, %" PRIu64 " tag ways, threshold %" PRIu64, config->l1.tag_ways,
                config->l1.threshold);
        fputs(config->l1.dueling ? ", SM dueling" : "", file);
    }
}

/* Writes ", bypass pdp". */
static void write_bypass(FILE *file, const gm_config *config)
{
    char text[GM_CONFIG_TEXT];
    if (config->l1.bypass != GM_BYPASS_NONE) {
        fprintf(file, ", bypass %s", value_of(config, "l1.bypass", text));
    }
}

/* Writes "16KB, 4 ways, 128-byte lines, sequential index". */
static void write_cache(FILE *file, const gm_config *config, const char *level)
{
    static const char *const keys[] = {"size", "ways", "line", "index"};
    static const char *const format[] = {"%s", ", %s ways", ", %s-byte lines", ", %s index"};
    for (unsigned i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        char name[GM_CONFIG_TEXT];
        char text[GM_CONFIG_TEXT];
        snprintf(name, sizeof name, "%s.%s", level, keys[i]);
        fprintf(file, format[i], value_of(config, name, text));
    }
}

/* Writes "128KB with shared memory, up to 256 ways, 128-byte lines, xor index". */
static void write_unified(FILE *file, const gm_config *config)
{
    char text[GM_CONFIG_TEXT];
    fprintf(file, "%s with shared memory, ", value_of(config, "l1.unified", text));
    fprintf(file, "up to %" PRIu64 " ways, %" PRIu64 "-byte lines, %s index",
            gm_config_l1_most_ways(config), config->l1.line, config->l1.index);
}

/* Writes "1, 1024 sets, 8 ways, sequential index". */
static void write_tracker_keys(FILE *file, const gm_config *config)
{
    const uint64_t trackers = config->tracker.trackers;
    uint64_t sets =
        trackers * gm_config_tracker_partitions(config) * gm_config_tracker_sets(config);
    fprintf(file, "\n  %-14s %" PRIu64 "%s, %" PRIu64 " sets, %" PRIu64 " ways, ", "trackers",
            trackers, trackers == 1 ? "" : " isolated", sets, config->tracker.ways);
    if (config->tracker.pointers != 0) {
        fprintf(file, "%" PRIu64 " pointer%s, ", config->tracker.pointers,
                config->tracker.pointers == 1 ? "" : "s");
    }
    fprintf(file, "%s index", config->tracker.index);
}

void gm_text_machine(FILE *file, const gm_config *config)
{
    fprintf(file, "  %-14s %s\n", "configuration", config->preset.name);
    fprintf(file, "  %-14s %" PRIu64 "\n", "SMs", config->gpu.sms);
    fprintf(file, "  %-14s ", "L1D of each");
    if (config->l1.enabled) {
        if (config->l1.unified == 0) {
            write_cache(file, config, "l1");
        } else {
            write_unified(file, config);
        }
        write_decoupled(file, config);
        write_bypass(file, config);
    } else {
        fputs("off", file);
    }
    if (config->l1i.size != 0) {
        char text[3][GM_CONFIG_TEXT];
        fprintf(file, "\n  %-14s %s, %s ways, %s-byte lines", "L1I of each",
                value_of(config, "l1i.size", text[0]), value_of(config, "l1i.ways", text[1]),
                value_of(config, "l1i.line", text[2]));
    }
    if (config->tracker.enabled) {
        write_tracker_keys(file, config);
    }
    if (config->coherence.protocol != GM_COHERENCE_NONE) {
        char text[GM_CONFIG_TEXT];
        fprintf(file, "\n  %-14s %s", "coherence", value_of(config, "coherence.protocol", text));
    }
    fprintf(file, "\n  %-14s ", "L2 in all");
    write_cache(file, config, "l2");
    fprintf(file, "\n  %-14s %" PRIu64 ", each with %" PRIu64 " L2 bank%s and a DRAM channel\n",
            "partitions", config->memory.partitions, config->memory.banks,
            config->memory.banks == 1 ? "" : "s");
}
