/* The table of configuration keys: the only home of their names, ranges, defaults and descriptions.
 * Defaults are the GTX480 of [khairy, Table 1]; presets/gtx480.yaml cites each. */
#include "goldmem/config.h"

#define AT(member) offsetof(gm_config, member)
#define KB         UINT64_C(1024)
#define MB         (KB * KB)
#define GB         (KB * MB)

#define BOOLEAN(key_name, member, initial_value, text)                                             \
    {                                                                                              \
        .name = (key_name), .type = GM_KEY_BOOLEAN, .offset = AT(member),                          \
        .initial = (initial_value), .unit = "", .description = (text)                              \
    }
#define INTEGER(key_name, member, from, to, power, extra, initial_value, unit_name, text)          \
    {                                                                                              \
        .name = (key_name), .type = GM_KEY_INTEGER, .offset = AT(member), .low = (from),           \
        .high = (to), .power_of_two = (power), .special = (extra), .initial = (initial_value),     \
        .unit = (unit_name), .description = (text)                                                 \
    }
#define SIZE(key_name, member, from, to, power, extra, initial_value, text)                        \
    {                                                                                              \
        .name = (key_name), .type = GM_KEY_SIZE, .offset = AT(member), .low = (from),              \
        .high = (to), .power_of_two = (power), .special = (extra), .initial = (initial_value),     \
        .unit = "bytes", .description = (text)                                                     \
    }
#define CHOICE(key_name, member, values, initial_value, text)                                      \
    {                                                                                              \
        .name = (key_name), .type = GM_KEY_CHOICE, .offset = AT(member), .choices = (values),      \
        .initial = (initial_value), .unit = "", .description = (text)                              \
    }
#define INDEX(key_name, member, text)                                                              \
    {                                                                                              \
        .name = (key_name), .type = GM_KEY_INDEX, .offset = AT(member), .initial = "sequential",   \
        .unit = "", .description = (text)                                                          \
    }

#define WRITE_POLICIES "evict|through|back"

static const gm_key keys[] = {
    INTEGER("gpu.sms", gpu.sms, 1, 1024, false, NULL, "15", "SMs",
            "Streaming multiprocessors (compute units), each with its own L1."),

    INTEGER("sm.threads", sm.threads, 32, 8192, false, NULL, "1536", "threads",
            "Threads resident in an SM."),
    INTEGER("sm.warps", sm.warps, 1, 256, false, NULL, "48", "warps",
            "Warps of 32 threads resident in an SM."),
    INTEGER("sm.ctas", sm.ctas, 1, 256, false, NULL, "8", "CTAs", "CTAs resident in an SM."),
    INTEGER("sm.registers", sm.registers, 1, MB, false, NULL, "32768", "registers",
            "Registers of 32 bits in an SM; they bound the resident CTAs."),
    SIZE("sm.shared_bytes", sm.shared_bytes, 0, MB, false, NULL, "48KB",
         "Shared memory (scratchpad) of an SM; it bounds the resident CTAs."),
    INTEGER("sm.shared_banks", sm.shared_banks, 1, 128, true, NULL, "32", "banks",
            "Banks of shared memory, each 4 bytes wide, for counting conflicts."),

    BOOLEAN("l1.enabled", l1.enabled, "yes",
            "The L1 data cache; when off, every access goes to the L2."),
    SIZE("l1.size", l1.size, 32, GB, false, "unbounded", "16KB",
         "Capacity of one L1; unbounded keeps every line. Sets follow: size / (ways * line)."),
    INTEGER("l1.ways", l1.ways, 1, 65536, false, "full", "4", "ways",
            "Associativity; full is fully associative. Changing it keeps the size and changes the "
            "number of sets."),
    SIZE("l1.line", l1.line, 32, 1024, true, NULL, "128", "Line size; sectors are of 32 bytes."),
    BOOLEAN("l1.sectored", l1.sectored, "no",
            "A miss fetches only the sectors asked for, not the whole line."),
    INDEX("l1.index", l1.index, "Set-index function [khairy, 4.3]."),
    CHOICE("l1.replacement", l1.replacement, "lru|fifo", "lru", "Replacement policy."),
    CHOICE("l1.global_write", l1.global_write, WRITE_POLICIES, "evict",
           "A global store that hits: evict writes through and drops the line, through writes "
           "through and updates it, back makes it dirty."),
    BOOLEAN("l1.global_allocate", l1.global_allocate, "no",
            "A global store that misses allocates a line."),
    CHOICE("l1.local_write", l1.local_write, WRITE_POLICIES, "back",
           "The same as l1.global_write, for local memory."),
    BOOLEAN("l1.local_allocate", l1.local_allocate, "no",
            "A local store that misses allocates a line."),
    BOOLEAN("l1.flush", l1.flush, "yes", "The L1 is emptied at the end of each kernel."),

    SIZE("l2.size", l2.size, 32, 16 * GB, false, "unbounded", "768KB",
         "Capacity of the L2, all banks of all partitions together; unbounded keeps every line."),
    INTEGER("l2.ways", l2.ways, 1, 65536, false, "full", "16", "ways",
            "Associativity of a bank; full is fully associative. Changing it keeps the size."),
    SIZE("l2.line", l2.line, 32, 1024, true, NULL, "128",
         "Line size; not larger than l1.line, whose accesses it splits when smaller."),
    BOOLEAN("l2.sectored", l2.sectored, "no",
            "A miss fetches only the sectors asked for, not the whole line."),
    INDEX("l2.index", l2.index, "Set-index function of a bank."),
    CHOICE("l2.replacement", l2.replacement, "lru|fifo", "lru", "Replacement policy."),
    CHOICE("l2.fetch_on_write", l2.fetch_on_write, "always|partial", "always",
           "What a store miss fetches from DRAM: always what a load would, or, with partial, only "
           "sectors that the store does not cover whole."),
    BOOLEAN("l2.copy_fills", l2.copy_fills, "no",
            "Host-to-device copies leave their lines in the L2."),

    INTEGER("memory.partitions", memory.partitions, 1, 1024, false, NULL, "6", "partitions",
            "Memory partitions, each with its L2 banks and one DRAM channel; any number."),
    INTEGER("memory.banks", memory.banks, 1, 64, true, NULL, "1", "banks",
            "L2 banks in a partition."),
    SIZE("memory.interleave", memory.interleave, 32, MB, true, NULL, "256",
         "Consecutive addresses that lie in one partition."),

    INTEGER("dram.banks", dram.banks, 1, 256, true, NULL, "16", "banks",
            "DRAM banks of a channel, for counting row hits."),
    SIZE("dram.row", dram.row, 64, MB, true, NULL, "4KB", "Row (page) of a bank of a channel."),

    INTEGER("noc.header", noc.header, 1, 256, false, NULL, "8", "bytes",
            "A message on the interconnect without its data."),
};

const gm_key *gm_config_keys(unsigned *count)
{
    *count = sizeof keys / sizeof keys[0];
    return keys;
}
