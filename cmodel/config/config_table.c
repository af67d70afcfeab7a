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
#define SIZES(key_name, member, to, initial_value, text)                                           \
    {                                                                                              \
        .name = (key_name), .type = GM_KEY_SIZES, .offset = AT(member), .low = 0, .high = (to),    \
        .initial = (initial_value), .unit = "bytes", .description = (text)                         \
    }
#define CHOICE(key_name, member, values, initial_value, text)                                      \
    {                                                                                              \
        .name = (key_name), .type = GM_KEY_CHOICE, .offset = AT(member), .choices = (values),      \
        .initial = (initial_value), .unit = "", .description = (text)                              \
    }
/* A number of the cycle engine. */
#define TIMED(key_name, member, from, to, initial_value, unit_name, text)                          \
    INTEGER(key_name, member, from, to, false, NULL, initial_value, unit_name, text)
#define UNIT_TIMES(unit_key, member, latency_value, interval_value, what)                          \
    TIMED("unit." unit_key, unit.member.latency, 0, 500, latency_value, "core cycles",             \
          what ": cycles until a dependent instruction can issue."),                               \
        TIMED("unit." unit_key "_interval", unit.member.interval, 1, 256, interval_value,          \
              "core cycles", what ": cycles until the unit takes another instruction.")
#define UNIT_COUNT(unit_key, member, least, units_value, what, none)                               \
    INTEGER("unit." unit_key "_units", unit.member.units, least, 8, false, "each", units_value,    \
            "units",                                                                               \
            what ": units of an SM; scheduler s has unit s mod units. each: as many as "           \
                 "schedulers. More need sm.register_queues without sm.subcores." none)
#define UNIT(unit_key, member, latency_value, interval_value, units_value, what)                   \
    UNIT_TIMES(unit_key, member, latency_value, interval_value, what),                             \
        UNIT_COUNT(unit_key, member, 1, units_value, what, "")
/* A unit that an SM may lack. */
#define OPTIONAL_UNIT(unit_key, member, latency_value, interval_value, units_value, what, other)   \
    UNIT_TIMES(unit_key, member, latency_value, interval_value, what),                             \
        UNIT_COUNT(unit_key, member, 0, units_value, what, " 0: " other " do their work.")
#define DRAM_CYCLES(name, member, initial_value, text)                                             \
    TIMED("dram." name, dram.member, 0, 1000, initial_value, "DRAM cycles", text)
#define INDEX(key_name, member, text)                                                              \
    {                                                                                              \
        .name = (key_name), .type = GM_KEY_INDEX, .offset = AT(member), .initial = "sequential",   \
        .unit = "", .description = (text)                                                          \
    }
#define NAME_OF_FILE(key_name, member, otherwise, text)                                            \
    {                                                                                              \
        .name = (key_name), .type = GM_KEY_FILE, .offset = AT(member), .special = (otherwise),     \
        .initial = (otherwise), .unit = "", .description = (text)                                  \
    }

#define BYPASS_CHOICE(NAME, name, text) "|" #name
#define BYPASS_TEXT(NAME, name, text)   text

#define WRITE_POLICIES "evict|through|back"
#define REPLACEMENTS   "lru|fifo|srrip|ship"
#define REPLACEMENT_TEXT                                                                           \
    "Replacement policy. srrip and ship take at most 1024 sets of at most 32 ways; ship knows "    \
    "lines by the 16 KB region of their address (SHiP-Mem)."

static const gm_key keys[] = {
    INTEGER("gpu.sms", gpu.sms, 1, 1024, false, NULL, "15", "SMs",
            "Streaming multiprocessors (compute units), each with its own L1."),

    TIMED("gpu.kernels", gpu.kernels, 1, 256, "1", "kernels",
          "Kernels that the GPU looks at at once, in launch order: each runs as soon as no earlier "
          "one of its stream is left, beside those of other streams. 1: one after the other. The "
          "order engine runs one after the other."),
    BOOLEAN("gpu.kernels_share_sm", gpu.kernels_share_sm, "no",
            "Cycle engine: an SM may hold CTAs of several kernels at once. No: it takes a CTA of "
            "another kernel when it has none left, and its L1 is flushed (l1.flush) before."),
    CHOICE(
        "gpu.cta", gpu.cta, "rr|bcs|groups", "rr",
        "Which CTA an SM with room gets next: the next one (rr), as many as it has room for at "
        "first and two at a time then (bcs), or the next one of a group of consecutive CTAs that "
        "it has for itself (groups) [tabbakh, IV]."),
    INTEGER("gpu.cta_group", gpu.cta_group, 1, 65536, false, "grid_x", "grid_x", "CTAs",
            "With gpu.cta=groups: CTAs of a group. grid_x: those of a row of the grid."),
    BOOLEAN("gpu.cta_adaptive", gpu.cta_adaptive, "no",
            "With gpu.cta=groups: rr from when fewer groups remain than there are SMs."),
    BOOLEAN("gpu.cta_paced", gpu.cta_paced, "no",
            "Cycle engine, with gpu.cta=rr: an SM gets at most one CTA in a cycle, the first one "
            "when its kernel's launch is over, and the turn goes on from kernel to kernel, as in "
            "GPGPU-Sim; no: all that it has room for at once, before the launch is over, from SM 0 "
            "on."),
    CHOICE("gpu.kernel_end", gpu.kernel_end, "written|answered", "written",
           "Cycle engine: a kernel with none beside it ends when what the L2 evicted is in DRAM "
           "too, or when all requests of the SMs are answered, as in GPGPU-Sim: the rest then goes "
           "on beside the next kernel's launch, or before the next copy."),
    TIMED("gpu.watchdog", gpu.watchdog, 0, 1000000000000, "1000000", "core cycles",
          "Cycles without any progress after which a run ends, with the oldest request that is "
          "stuck; 0: never."),
    INTEGER(
        "gpu.sampling_period", gpu.sampling_period, 64, 1000000, false, NULL, "10000",
        "core cycles",
        "Of l1.streaming, l2.streaming and sm.throttle=sampling: at its end gates decide, and the "
        "SMs report [khairy, Table 4]; in the order engine accesses of the cache."),

    TIMED("clock.core", clock.core, 1, 100000, "700", "MHz",
          "Clock of the SMs; what is said in core cycles is in its cycles."),
    TIMED("clock.noc", clock.noc, 1, 100000, "1400", "MHz", "Clock of the interconnect."),
    TIMED("clock.l2", clock.l2, 1, 100000, "700", "MHz", "Clock of the L2 banks."),
    TIMED("clock.dram", clock.dram, 1, 100000, "924", "MHz", "Command clock of the DRAM channels."),

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
            "Banks of shared memory, each 4 bytes wide."),
    BOOLEAN("sm.shared_wide", sm.shared_wide, "yes",
            "Accesses to shared memory of 8 and 16 bytes take passes for half-warps and "
            "quarter-warps; no: a lane's first 4 bytes alone count, as in GPGPU-Sim."),
    BOOLEAN("sm.shared_atomic_passes", sm.shared_atomic_passes, "yes",
            "Lanes of an atomic that access one word of shared memory take a pass each; no: they "
            "share one, as those of a load, as in GPGPU-Sim."),

    CHOICE("sm.coalesce", sm.coalesce, "line|sector", "line",
           "A warp instruction makes a request of each L1 line that it touches, or of each 32-byte "
           "sector, which passes the L1, the interconnect and the L2 by itself, as in GPGPU-Sim "
           "from Maxwell on."),
    CHOICE(
        "sm.coalesce_bypassed", sm.coalesce_bypassed, "line|sector", "line",
        "Atomics, reductions and strong loads, which bypass the L1, make requests as sm.coalesce "
        "says, or of each sector in any case, as in GPGPU-Sim."),
    BOOLEAN("sm.descending", sm.descending, "no",
            "A warp instruction's requests follow each other from the highest address down, as in "
            "GPGPU-Sim; no: in the order of the first lane that touches each."),
    BOOLEAN(
        "sm.coalesce_narrow", sm.coalesce_narrow, "no",
        "With sm.coalesce=line: an instruction whose lanes access 1 byte makes a request of each "
        "32 bytes, of 2 bytes of each 64, as in GPGPU-Sim; no: of each line."),
    BOOLEAN(
        "sm.atomic_passes", sm.atomic_passes, "no",
        "Lanes of an atomic instruction with the same address go into passes of their own, each "
        "with a request of each line; no: one request for all lanes of a line."),
    BOOLEAN("sm.atomic_wait", sm.atomic_wait, "no",
            "Cycle engine: a warp issues nothing until its atomic or reduction is answered, as in "
            "GPGPU-Sim; no: an instruction that reads the result waits."),
    BOOLEAN(
        "sm.write_port", sm.write_port, "no",
        "Cycle engine: data are installed in the L1 in the cycle in which they arrive, and what "
        "waited for them, or for shared memory, writes its registers through one port, one a "
        "cycle, two cycles later at the earliest, with sm.register_queues behind results for "
        "the same bank, as in GPGPU-Sim; no: the L1 answers a request a cycle, with its data."),
    CHOICE(
        "sm.fence", sm.fence, "accesses|registers", "accesses",
        "Cycle engine: a fence waits for the warp's earlier accesses, or what is behind it waits "
        "for the registers that earlier instructions write, thus not for stores, and it passes the "
        "load/store unit as a memory instruction without a request, as in GPGPU-Sim."),

    INTEGER("sm.schedulers", sm.schedulers, 1, GM_MOST_SCHEDULERS, false, NULL, "2", "schedulers",
            "Warp schedulers of an SM, each issuing one instruction a cycle from its own warps."),
    CHOICE("sm.scheduler", sm.scheduler, "gto|lrr|two_level", "gto",
           "Which ready warp issues: greedy then oldest, loose round robin, or two-level, which "
           "keeps to a group of warps while one of them is ready."),
    TIMED("sm.group", sm.group, 1, 256, "8", "warps", "Warps of a two-level scheduler's group."),
    CHOICE("sm.turns", sm.turns, "cycles|occupied", "cycles",
           "Turns of the schedulers in being the first to issue: by cycles, or by the cycles in "
           "which the SM has had warps after their kernel's launch. With occupied, turns of "
           "sm.fetch begin with the second warp slot, and warps go on from the cycle in which "
           "their barrier opens. All as in GPGPU-Sim."),
    CHOICE("sm.throttle", sm.throttle, "none|static|sampling|ccws", "none",
           "Which warps of a scheduler may issue: all, or the sm.limit oldest of those that do not "
           "wait at a barrier or a fence, or for their end (SWL), or as many as did best when each "
           "SM ran with another number (DWT-CS). ccws: all, but loads only those with the highest "
           "lost-locality scores (CCWS). Needs the cycle engine."),
    TIMED("sm.limit", sm.limit, 1, 256, "256", "warps",
          "With sm.throttle=static: warps of each scheduler that may issue."),
    INTEGER("sm.victim_tags", sm.victim_tags, 1, 128, true, NULL, "16", "tags",
            "With sm.throttle=ccws: victim tags of a warp, in sets of 8 ways."),
    TIMED("sm.score_base", sm.score_base, 1, 65535, "100", "points",
          "With sm.throttle=ccws: score of a warp that has lost no locality."),
    TIMED("sm.score_throttle", sm.score_throttle, 1, 64, "8", "",
          "With sm.throttle=ccws: K_THROTTLE, by which the share of victim tag hits in the "
          "instructions is multiplied."),
    TIMED(
        "sm.memory_queue", sm.memory_queue, 1, 64, "3", "warp instructions",
        "Memory instructions that wait in front of the coalescer; with sm.collectors one of them, "
        "with sm.subcores two of each scheduler, wait in front of those and behind them."),
    INTEGER("sm.memory_lanes", sm.memory_lanes, 1, 32, true, NULL, "32", "lanes",
            "Lanes of a memory instruction that the load/store unit takes in a cycle."),
    INTEGER("sm.pass_interval", sm.pass_interval, 1, 4, true, NULL, "1", "core cycles",
            "From one pass of an instruction over shared memory or the L1 to its next. So many "
            "instructions, of different warps, take turns, and make a pass a cycle together."),
    TIMED("sm.collectors", sm.collectors, 0, 32, "0", "operand collectors",
          "Every instruction that goes to a unit takes one until its unit takes it; 0: none do."),
    TIMED("sm.branch_units", sm.branch_units, 0, 8, "0", "units",
          "With sm.collectors: units of the SM for branches, exits and barriers, with as many "
          "registers in front of the collectors and behind them. 0: each scheduler has one unit "
          "for them all."),
    CHOICE("sm.opcode_units", sm.opcode_units, "own|accel_sim", "own",
           "The unit of each opcode; accel_sim: that of Accel-Sim's tables, where conversions, "
           "votes, moves of special registers, constant loads, barriers and exits go to the units "
           "of integers, in code before SM70 branches and textures too, and memory instructions "
           "without active lanes to the load/store unit. With sm.collectors barriers "
           "and exits then take their unit for a cycle, and half precision for half the interval."),
    BOOLEAN("sm.subcores", sm.subcores, "no",
            "With sm.collectors: each scheduler has its share of the collectors, and registers in "
            "front of them and behind them for each unit; no: all schedulers have them together."),
    TIMED("sm.register_banks", sm.register_banks, 0, 64, "0", "banks",
          "With sm.collectors: banks of the register file, of each scheduler with sm.subcores; "
          "operands in one bank are read one after the other. 0: no conflicts."),
    TIMED("sm.register_reads", sm.register_reads, 1, 4, "1", "operands",
          "With sm.collectors: operands that a bank of the register file reads in a cycle."),
    BOOLEAN("sm.register_queues", sm.register_queues, "no",
            "With sm.register_banks, up to 64 of an SM: a bank has a queue of reads for all "
            "instructions in collectors, and results are written first, as in GPGPU-Sim; no: an "
            "instruction waits for its own operands only."),
    BOOLEAN("sm.special_fp64", sm.special_fp64, "no",
            "With sm.collectors: the units of special functions take double precision too, as in "
            "GPGPU-Sim without units for it; no: it has units of its own."),
    TIMED("sm.drain", sm.drain, 0, 100, "0", "core cycles",
          "With sm.collectors: a warp ends so many cycles after a unit has taken its exit, and not "
          "before all its results are available, as in GPGPU-Sim; 0: when its last instruction has "
          "left its collector."),
    TIMED("sm.fetch", sm.fetch, 0, 16, "0", "instructions",
          "Fetched for a warp whose buffer is empty, for one warp a cycle in turn, and there 2 "
          "cycles later; 0: always there."),
    TIMED("sm.fetch_warps", sm.fetch_warps, 1, 8, "1", "warps",
          "With sm.fetch: warps fetched for in a cycle; all but the last have their instructions "
          "a cycle later."),
    TIMED("sm.launch", sm.launch, 0, 1000000, "0", "core cycles",
          "From a kernel's start to its first instructions."),
    TIMED("sm.cta_launch", sm.cta_launch, 0, 100000, "0", "core cycles",
          "From the cycle after which a CTA has its place on an SM to its first instructions."),
    TIMED("sm.warp_launch", sm.warp_launch, 0, 10000, "0", "core cycles",
          "From the first instruction of a warp to that of the next one, of the same CTA or of one "
          "that is placed later, at least."),

    OPTIONAL_UNIT("integer", integer, "4", "1", "each", "Integer arithmetic and moves",
                  "units of single precision"),
    UNIT("fp32", fp32, "4", "1", "each", "Single precision"),
    UNIT("fp64", fp64, "8", "8", "1", "Double precision"),
    UNIT("special", special, "20", "8", "1", "Special functions"),
    UNIT("tensor", tensor, "32", "32", "1", "Tensor cores"),
    UNIT_TIMES("control", control, "4", "1", "Branches, exits and barriers"),
    OPTIONAL_UNIT("texture", texture, "20", "8", "0", "Texture fetches",
                  "units of special functions"),
    OPTIONAL_UNIT("uniform", uniform, "4", "1", "0", "Uniform datapath", "units of integers"),
    TIMED("unit.shared", unit.shared, 0, 500, "26", "core cycles",
          "A load from shared memory without bank conflicts."),

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
    CHOICE("l1.replacement", l1.replacement, REPLACEMENTS, "lru", REPLACEMENT_TEXT),
    CHOICE("l1.global_write", l1.global_write, WRITE_POLICIES, "evict",
           "A global store that hits: evict writes through and drops the line, through writes "
           "through and updates it, back makes it dirty."),
    BOOLEAN("l1.global_allocate", l1.global_allocate, "no",
            "A global store that misses allocates a line."),
    CHOICE("l1.local_write", l1.local_write, WRITE_POLICIES, "back",
           "As l1.global_write, for stores to local memory."),
    BOOLEAN("l1.local_allocate", l1.local_allocate, "no",
            "A local store that misses allocates a line."),
    CHOICE("l1.fetch_on_write", l1.fetch_on_write, "partial|lazy", "partial",
           "What a store miss that allocates fetches: sectors that the store does not cover whole, "
           "or nothing: with lazy these do not become valid, and a later load fetches them."),
    BOOLEAN("l1.parts", l1.parts, "no",
            "Cycle engine, with l1.fetch_on_write=lazy: a sector that stores have written whole "
            "between them is valid, as in GPGPU-Sim; no: only one that a store has written whole."),
    BOOLEAN("l1.flush", l1.flush, "yes", "The L1 is emptied at the end of each kernel."),
    TIMED("l1.latency", l1.latency, 0, 500, "35", "core cycles", "A load that hits."),
    TIMED("l1.ports", l1.ports, 1, 16, "1", "line requests", "Line requests a cycle."),
    INTEGER("l1.banks", l1.banks, 1, 16, true, NULL, "1", "banks",
            "Banks of the L1: line requests of one instruction are taken in one cycle, up to one "
            "for each bank, unless their banks conflict; 1: l1.ports decides."),
    SIZE("l1.bank_interleave", l1.bank_interleave, 32, 1024, true, NULL, "32",
         "With l1.banks: consecutive addresses that lie in one bank."),
    CHOICE("l1.bank_index", l1.bank_index, "linear|xor", "linear",
           "With l1.banks: they take turns, or with xor a bank's turn is XORed with the next "
           "address bits."),
    INTEGER("l1.tag_banks", l1.tag_banks, 1, 16, true, NULL, "1", "banks",
            "Banks of the L1's tags: an instruction takes as many cycles as the fullest has lines "
            "of it. 1: l1.ports decides."),
    CHOICE(
        "l1.tag_index", l1.tag_index, "xor|gh100", "xor",
        "Which bank of l1.tag_banks a line lies in: its number in groups of bits, XORed, or, with "
        "four banks, as measured on an H100 (docs/l1d.md)."),
    INTEGER("l1.data_banks", l1.data_banks, 1, 128, true, NULL, "1", "banks",
            "Banks of 4 bytes of the L1's data: a load or store takes as many cycles as the "
            "fullest has words of it, as in shared memory. 1: l1.ports decides."),
    TIMED("l1.mshrs", l1.mshrs, 1, 1024, "32", "entries", "MSHR entries: lines in flight."),
    TIMED("l1.merges", l1.merges, 1, 1024, "8", "line requests",
          "Requests that one MSHR entry can hold, the first included."),
    CHOICE("l1.merge_by", l1.merge_by, "line|sector", "line",
           "What an MSHR entry is for: a line, or one 32-byte sector, so that requests of other "
           "sectors of a line in flight need not wait."),
    BOOLEAN("l1.keep_bypassed", l1.keep_bypassed, "no",
            "Atomics, reductions and strong loads, which bypass the L1, leave their line there, "
            "where later loads find it as it was; no: they drop it."),
    BOOLEAN(
        "l1.bypass_early", l1.bypass_early, "no",
        "Cycle engine, with l1.keep_bypassed and l1.lookup=last or banks: these requests leave "
        "the load/store unit one a cycle, before the L1's pipeline, as in GPGPU-Sim; no: behind "
        "it."),
    BOOLEAN(
        "l1.fence_drops", l1.fence_drops, "no",
        "Cycle engine: a fence drops the data of its SM's L1, but those of dirty lines and what "
        "is in flight, if the L1 was used since the last one, as in GPGPU-Sim."),
    CHOICE("l1.answers", l1.answers, "sector|request", "sector",
           "With l1.merge_by=sector, what a cycle answers when data arrive: a sector of a waiting "
           "request, or all of its sectors that have come together."),
    TIMED("l1.miss_queue", l1.miss_queue, 1, 256, "8", "packets",
          "Packets that wait for the interconnect."),
    TIMED("l1.load_places", l1.load_places, 0, 256, "0", "packets",
          "Free places of the miss queue without which no load misses or merges, and 1 more than "
          "a load takes in GPGPU-Sim; 0: those that it takes."),
    TIMED("l1.bypass_queue", l1.bypass_queue, 1, 256, "8", "packets",
          "Packets of reads that the L1 decides to bypass, beside those of the miss queue "
          "[li, 6.1]."),
    CHOICE("l1.allocation", l1.allocation, "on_miss|on_fill|streaming", "on_miss",
           "When a load miss takes its line: at once, or when the data come. streaming: when the "
           "data come, but at once for a kernel for which all of l1.unified is L1."),
    SIZE("l1.unified", l1.unified, 0, 16 * MB, false, NULL, "0",
         "Memory that the L1 and shared memory divide anew for each kernel; 0: none, l1.size is "
         "the size of the L1. Otherwise l1.size and l1.ways give its sets only."),
    SIZES("l1.shared_options", l1.shared_options, MB, "0",
          "With l1.unified: sizes of shared memory. A kernel gets the smallest that holds the "
          "shared memory of the CTAs that are resident in an SM, and the rest is L1."),
    CHOICE("l1.lookup", l1.lookup, "first|last|banks", "first",
           "When a request is looked up: first, and the data of a hit come l1.latency later; or "
           "last, l1.latency after it has entered the L1, and a miss leaves only then. With banks "
           "as last, and each bank has a pipeline of its own: a request that waits at its end "
           "holds only those of its bank."),
    TIMED("l1.hit_delay", l1.hit_delay, 0, 16, "0", "core cycles",
          "With l1.lookup=last or banks: from the look-up of a hit to its data."),
    CHOICE("l1.kind", l1.kind, "conventional|decoupled", "conventional",
           "decoupled: a line gets its data line by references, and is bypassed before "
           "[li, 4.1]."),
    INTEGER("l1.tag_ways", l1.tag_ways, 2, 32, false, NULL, "8", "ways",
            "Decoupled: tag entries of a set, more than its data lines, which l1.ways says "
            "[li, Table 3]."),
    INTEGER("l1.threshold", l1.threshold, 0, 255, false, NULL, "2", "references",
            "Decoupled: references from which a line gets a data line [li, Table 3]; 0 or 1: the "
            "first, as in a conventional cache."),
    INTEGER("l1.rc_bits", l1.rc_bits, 1, 8, false, NULL, "6", "bits",
            "Decoupled: width of a reference count [li, 4.1]."),
    INTEGER("l1.allocation_rc", l1.allocation_rc, 0, 1, false, NULL, "1", "references",
            "Decoupled: reference count of a new tag entry. 0: a line's first reference is not "
            "counted, and always bypasses unless the threshold is 0, as [li, 4.2] can be read."),
    BOOLEAN("l1.lfu_any", l1.lfu_any, "no",
            "Decoupled: an entry that has a data line may give way to a new one too, where "
            "otherwise only those without do [li, 4.1]."),
    BOOLEAN("l1.dueling", l1.dueling, "no",
            "Decoupled: in sampling intervals SM 0 runs it, SM 1 the conventional L1 (threshold "
            "0), and their miss rates decide what all SMs run [li, 4.3]; at least 2 SMs."),
    INTEGER("l1.dueling_interval", l1.dueling_interval, 1, 65535, false, NULL, "500", "core cycles",
            "Of an interval [li, Table 3]; in the order engine accesses of all L1s."),
    INTEGER("l1.dueling_period", l1.dueling_period, 1, 65535, false, NULL, "20", "intervals",
            "One interval in so many is a sampling one, the first of them; 1: all, so that SM 0 "
            "and SM 1 never follow. Ours: the paper does not say when it samples again."),
    INTEGER("l1.dueling_difference", l1.dueling_difference, 0, 100, false, NULL, "10", "%",
            "Difference of the two miss rates that counts [li, Table 3]."),
    BOOLEAN("l1.dueling_hysteresis", l1.dueling_hysteresis, "no",
            "A difference within l1.dueling_difference changes nothing; else it means the "
            "decoupled L1."),
    CHOICE("l1.bypass", l1.bypass, "none" GM_BYPASS_POLICIES(BYPASS_CHOICE), "none",
           "Conventional: the loads that go round the L1 [li, 6.1]" GM_BYPASS_POLICIES(
               BYPASS_TEXT) "."),
    CHOICE("l1.mrpb_stalls", l1.mrpb_stalls, "any|line", "any",
           "mrpb, in the cycle engine: the stalls on which a load bypasses: for lack of any "
           "resource [li, 6.1], or only when no line of its set can be allocated [khairy, Table "
           "4]."),
    CHOICE("l1.mrpb_drain", l1.mrpb_drain, "empty|first", "empty",
           "mrpb, in the cycle engine: the FIFO that gives the next request: one until it is "
           "empty, or each time the first in the order of warp slots that is not empty."),
    BOOLEAN("l1.streaming", l1.streaming, "no",
            "Each L1 has a gate: in a sampling period after one in which more than 90% of its "
            "loads missed, loads bypass it, and its tags are kept up to date [khairy, 4.1]."),
    NAME_OF_FILE("l1.profile", l1.profile, "none",
                 "profiled: what an earlier run with --write-profile has written."),
    CHOICE("l1.profile_filter", l1.profile_filter, "local|global|both", "both",
           "profiled: which references of a line count: those of the SM itself, those of all "
           "others, or both together."),
    INTEGER("l1.profile_threshold", l1.profile_threshold, 1, 16, false, NULL, "2", "references",
            "profiled: references from which a line's loads use the L1."),
    INTEGER("l1.protecting_distance", l1.protecting_distance, 0, 1000000, false, NULL, "16",
            "accesses",
            "pdp: accesses to its set for which a line is protected after it is filled or hit; 0: "
            "none is."),

    SIZE("l1i.size", l1i.size, 0, 16 * MB, false, NULL, "0",
         "Capacity of an SM's instruction cache, in which fetches (sm.fetch) find their lines or "
         "miss to the L2, in the cycle engine; 0: every fetch finds its instructions."),
    INTEGER("l1i.ways", l1i.ways, 1, 1024, false, "full", "4", "ways",
            "Lines of a set, replaced by LRU [GPGPU-Sim, GTX480]."),
    SIZE("l1i.line", l1i.line, 32, 1024, true, NULL, "128",
         "Bytes of a line, which a miss asks of the L2."),
    TIMED("l1i.mshrs", l1i.mshrs, 1, 1024, "2", "entries",
          "Lines in flight of an instruction cache [GPGPU-Sim, GTX480]."),
    TIMED("l1i.merges", l1i.merges, 1, 1024, "32", "warps",
          "Warps that can wait for one of them [GPGPU-Sim, GTX480]."),
    TIMED("l1i.latency", l1i.latency, 0, 200, "0", "core cycles",
          "By which a hit's instructions are there later than without an instruction cache."),
    BOOLEAN(
        "l1i.shared_code", l1i.shared_code, "no",
        "The code of all kernels begins at one address, 0xf0000000, so that they find each other's "
        "lines, as in GPGPU-Sim's runs of traces; no: where it begins depends on the kernel's "
        "name."),
    CHOICE(
        "l1i.fetch", l1i.fetch, "next|behind", "next",
        "A fetch looks up the warp's next instruction, and gets instructions of its line; or what "
        "lies 16 bytes behind the last instruction issued, and gets the next ones wherever they "
        "lie, as in GPGPU-Sim's runs of traces."),

    BOOLEAN("tracker.enabled", tracker.enabled, "no",
            "Sharing trackers know which L1s have a line, and let another L1 supply a miss "
            "[anssari, 3.1]."),
    INTEGER("tracker.trackers", tracker.trackers, 1, 8, true, NULL, "1", "trackers",
            "Isolated trackers, each for its consecutive SMs [anssari, Figure 4.5]."),
    INTEGER(
        "tracker.sets", tracker.sets, 2, 32768, true, NULL, "1024", "sets",
        "Sets of all trackers together [anssari, Table 4.1]. Each has, for each memory partition, "
        "an equal number, rounded down to a power of two."),
    INTEGER("tracker.ways", tracker.ways, 1, 32, false, NULL, "8", "ways",
            "Entries of a set [anssari, Table 4.1]."),
    BOOLEAN(
        "tracker.ask", tracker.ask, "no",
        "Trackers are not isolated: a load whose tracker names no supplier asks the others, and "
        "all are told of each store and atomic [anssari, 4.3]."),
    INTEGER("tracker.pointers", tracker.pointers, 0, 64, false, NULL, "0", "sharers",
            "Sharers that an entry can name; 0: all, a bit for each SM [anssari, Figure 4.4]."),
    INDEX("tracker.index", tracker.index, "Set-index function of each tracker, as l1.index."),
    TIMED("tracker.latency", tracker.latency, 1, 64, "3", "core cycles",
          "What a tracker adds to each request to the L2 bank behind it: the stages of the RTL."),
    TIMED("tracker.supplies", tracker.supplies, 1, 64, "4", "requests",
          "Requests to an SM's L1 for lines of one memory partition that it has not answered; more "
          "hits are sent to the L2."),

    BOOLEAN("sharing.enabled", sharing.enabled, "no",
            "Sharing-aware caches: private lines stay longer in L1s, shared lines in the L2 "
            "[tabbakh, V]: sharing-aware.md."),
    CHOICE("sharing.dead", sharing.dead, "off|private|any", "any",
           "What a dead private line of an L1 gives way to [tabbakh, VI-B]: nothing is dead, "
           "private lines only, or any line."),
    CHOICE("sharing.local_l2", sharing.local_l2, "bypass|normal", "bypass",
           "Local loads that miss in the L2 bypass it [tabbakh, V-B2], or are served as global "
           "ones."),
    BOOLEAN("sharing.kernel_reset", sharing.kernel_reset, "no",
            "At the end of a kernel no line of the L2 has an owner or is shared any more; not in "
            "[tabbakh]."),
    BOOLEAN("sharing.l2_dead", sharing.l2_dead, "no",
            "Dead shared lines of the L2 give way, as dead private ones of an L1 do; [tabbakh, "
            "VI-B] has no dead lines there."),

    SIZE("l2.size", l2.size, 32, 16 * GB, false, "unbounded", "768KB",
         "Capacity of the L2, all banks of all partitions together; unbounded keeps every line."),
    INTEGER("l2.ways", l2.ways, 1, 65536, false, "full", "16", "ways",
            "Associativity of a bank; full is fully associative. Changing it keeps the size."),
    SIZE("l2.line", l2.line, 32, 1024, true, NULL, "128",
         "Line size; not larger than l1.line, whose accesses it splits when smaller."),
    BOOLEAN("l2.sectored", l2.sectored, "no",
            "A miss fetches only the sectors asked for, not the whole line."),
    INDEX("l2.index", l2.index, "Set-index function of a bank."),
    CHOICE("l2.replacement", l2.replacement, REPLACEMENTS, "lru", REPLACEMENT_TEXT),
    CHOICE("l2.fetch_on_write", l2.fetch_on_write, "always|partial|through|lazy", "always",
           "What a store miss fetches from DRAM: always what a load would, or, with partial, only "
           "sectors that the store does not cover whole. With through it fetches what a load "
           "would, and the store goes on to DRAM as well, which leaves the line clean: "
           "GPGPU-Sim's write-allocate. With lazy it fetches nothing: a later load or atomic "
           "fetches a sector that was not written whole."),
    SIZE("l2.fetch", l2.fetch, 32, 1024, true, NULL, "32",
         "With l2.sectored: the aligned block around a missing sector that a load fetches from "
         "DRAM, "
         "as far as it lies in the line and nothing of it is present or in flight."),
    CHOICE("l2.dirty", l2.dirty, "sector|byte|parts", "sector",
           "What the L2 knows to be valid and dirty. With byte, of lines of 32 bytes, stores fetch "
           "nothing, fetches fill bytes that are not valid, and write-backs have a mask [anssari, "
           "4.3]. With parts it knows sectors, and which bytes stores have written of a sector "
           "that none has written whole: when they have written all of it between them, a load "
           "or atomic fetches nothing."),
    CHOICE("l2.bypass", l2.bypass, "none|coalesced", "none",
           "Which loads that miss leave no line in the L2: with coalesced those that fill a line "
           "of an L1 [anssari, 3.3, 4.3]."),
    BOOLEAN("l2.victim", l2.victim, "no",
            "The L2 takes the lines that L1s evict, of which no other L1 is known to be a sharer, "
            "and gives clean lines up to L1s [anssari, 3.3]: l2.md#victim-buffer."),
    BOOLEAN("l2.streaming", l2.streaming, "no",
            "Each bank has a gate, as l1.streaming: while it is closed, loads and stores that "
            "find no data go on to DRAM and leave none."),
    BOOLEAN("l2.atomic_buffer", l2.atomic_buffer, "no",
            "Each bank has a buffer that exclusively holds the line of its last atomic or strong "
            "load [anssari, 3.4, 3.5]: l2.md#atomic-buffer."),
    BOOLEAN("l2.copy_fills", l2.copy_fills, "no",
            "Host-to-device copies leave their lines in the L2."),
    TIMED("l2.latency", l2.latency, 0, 1000, "120", "core cycles",
          "From a packet's arrival at a bank to its look-up."),
    TIMED("l2.port", l2.port, 0, 1024, "0", "bytes",
          "What the data of a bank pass in an L2 cycle: one port for look-ups that hit or write "
          "back, one for data from DRAM; 0: no limit."),
    BOOLEAN("l2.answer_beside", l2.answer_beside, "no",
            "In each L2 cycle a bank answers a request whose data have arrived, takes data from "
            "DRAM, and looks a packet up; no: it does one of the first two, or else the third."),
    TIMED("l2.halves", l2.halves, 1, 2, "1", "halves",
          "2: the first half of the SMs is near to the banks of the first half of the partitions, "
          "the others to the others; requests for the other half's banks take l2.far_latency."),
    TIMED("l2.far_latency", l2.far_latency, 0, 1000, "0", "core cycles",
          "With l2.halves=2: how much later the answer of a far bank comes than a near one's; all "
          "of it is spent on the request's way."),
    BOOLEAN("l2.copies", l2.copies, "no",
            "With l2.halves=2: a half keeps copies of what its SMs have read of the other half, "
            "and such a read is near, until the far bank evicts the line, an SM near to it stores "
            "to it or it takes an atomic."),
    TIMED("l2.mshrs", l2.mshrs, 1, 1024, "32", "entries", "MSHR entries of a bank."),
    TIMED("l2.merges", l2.merges, 1, 1024, "4", "requests",
          "Requests that one MSHR entry can hold, the first included."),
    CHOICE(
        "l2.merge_by", l2.merge_by, "line|sector", "line",
        "What an MSHR entry of a bank is for: a line, whose requests wait until all its data are "
        "there, or one 32-byte sector."),
    TIMED("l2.queue", l2.queue, 1, 256, "64", "packets",
          "Packets in a bank that have passed that latency; the bank takes another while four "
          "places are free, or all."),
    TIMED("l2.dram_queue", l2.dram_queue, 1, 256, "64", "requests",
          "Requests of a bank that wait for its channel."),
    TIMED("l2.reply_queue", l2.reply_queue, 1, 256, "64", "packets",
          "Responses of a bank that wait for the interconnect."),
    TIMED(
        "l2.atomic_interval", l2.atomic_interval, 1, 256, "1", "L2 cycles",
        "From one atomic of a bank to its next; with l2.atomic_buffer, of those that do not hit in "
        "it."),
    BOOLEAN("l2.atomic_sectors", l2.atomic_sectors, "no",
            "An atomic takes l2.atomic_interval for each sector of it."),

    INTEGER("memory.partitions", memory.partitions, 1, 1024, false, NULL, "6", "partitions",
            "Memory partitions, each with its L2 banks and one DRAM channel; any number."),
    INTEGER("memory.banks", memory.banks, 1, 64, true, NULL, "1", "banks",
            "L2 banks in a partition."),
    SIZE("memory.interleave", memory.interleave, 32, MB, true, NULL, "256",
         "Consecutive addresses that lie in one partition."),
    SIZE("memory.bank_interleave", memory.bank_interleave, 32, MB, true, "line", "line",
         "Consecutive addresses of a partition that lie in one L2 bank; line: one L2 line."),
    CHOICE(
        "memory.local_map", memory.local_map, "slots|ctas", "slots",
        "Cycle engine: where local memory lies. A word of all warp slots of the machine side by "
        "side (slots), or of the warps of the most CTAs of the kernel that it holds at once, CTA "
        "by CTA (ctas), as in GPGPU-Sim."),
    CHOICE("memory.partition_index", memory.partition_index, "linear|xor|ipoly", "linear",
           "Which partition a block of memory.interleave bytes lies in: linear, they take turns; "
           "xor, a partition's turn is XORed with the next address bits; ipoly, the remainder by "
           "the smallest irreducible polynomial chooses among the L2 banks of all partitions. xor "
           "needs a power of two of partitions; ipoly takes for other numbers the next one's hash, "
           "modulo."),
    INTEGER("memory.partition_bits", memory.partition_bits, 0, 64, false, NULL, "0", "bits",
            "Address bits above a turn of the partitions that memory.partition_index takes; 0: "
            "all. With partitions that are no power of two, log2 of the hash's values and of an L2 "
            "bank's sets are needed."),

    CHOICE("dram.standard", dram.standard, "gddr5|gddr6|hbm2|hbm2e|hbm3", "gddr5",
           "Sets the keys of [DRAM standards](#dram-standards) to its values; those that differ "
           "are set after it."),
    INTEGER("dram.channels", dram.channels, 1, 16, true, NULL, "1", "channels",
            "Channels of a partition, each with command buses of its own: a GDDR6 device has two."),
    INTEGER("dram.pseudo_channels", dram.pseudo_channels, 1, 2, true, NULL, "1", "pseudo-channels",
            "Pseudo-channels of a channel: they have their own banks and data bus, and share the "
            "command buses."),
    INTEGER("dram.banks", dram.banks, 1, 256, true, NULL, "16", "banks",
            "DRAM banks of a channel, or of a pseudo-channel."),
    SIZE("dram.row", dram.row, 64, MB, true, NULL, "4KB", "Row (page) of a bank of a channel."),
    INTEGER("dram.rows", dram.rows, 0, 1 << 30, false, NULL, "0", "rows",
            "Rows of a bank, a power of two: row numbers are taken modulo it, so that addresses so "
            "far apart share a row; 0: no limit."),
    INTEGER("dram.low_banks", dram.low_banks, 1, 256, true, NULL, "1", "banks",
            "Neighbouring pieces of a channel, of dram.low_bytes bytes, lie in so many banks in "
            "turn; of each bank consecutive pieces make a row."),
    SIZE("dram.low_bytes", dram.low_bytes, 0, MB, false, NULL, "0",
         "Those pieces, a power of two and a multiple of l2.line; 0: memory.interleave."),
    TIMED("dram.queue", dram.queue, 1, 256, "32", "requests",
          "Requests of a channel among which FR-FCFS chooses."),
    TIMED("dram.return_queue", dram.return_queue, 1, 256, "116", "requests",
          "Data of a channel that wait for their L2 bank."),
    TIMED("dram.latency", dram.latency, 0, 1000, "100", "core cycles",
          "A request's way from its L2 bank into the queue."),
    INTEGER("dram.bank_groups", dram.bank_groups, 1, 64, true, NULL, "4", "groups",
            "Bank groups: a bank's group is its number modulo this; 1: none."),
    SIZE("dram.burst", dram.burst, 32, 1024, true, NULL, "64", "Bytes of a burst."),
    TIMED("dram.burst_cycles", dram.burst_cycles, 1, 64, "2", "DRAM cycles",
          "A burst on the data bus."),
    DRAM_CYCLES("tCL", tcl, "12", "Read command to its data."),
    DRAM_CYCLES("tRP", trp, "12", "Precharge to activate."),
    DRAM_CYCLES("tRC", trc, "40", "Activate to activate, one bank."),
    DRAM_CYCLES("tRAS", tras, "28", "Activate to precharge."),
    DRAM_CYCLES("tRCD", trcd, "12", "Activate to read or write."),
    DRAM_CYCLES("tRRD", trrd, "6", "Activate to activate, different banks."),
    DRAM_CYCLES("tCCD", tccd, "2", "Read to read, or write to write."),
    DRAM_CYCLES("tWL", twl, "4", "Write command to its data."),
    DRAM_CYCLES("tCDLR", tcdlr, "5", "Last data written to read."),
    DRAM_CYCLES("tWR", twr, "12", "Last data written to precharge."),
    DRAM_CYCLES("tCCDL", tccdl, "3", "tCCD within a bank group; 0: as tCCD."),
    DRAM_CYCLES("tRTP", trtp, "2", "Read to precharge."),
    BOOLEAN("dram.commit_row", dram.commit_row, "no",
            "A bank without requests to its open row keeps to the row of its oldest request: "
            "requests to the open row that come before it is closed wait behind the others, as in "
            "GPGPU-Sim."),
    BOOLEAN(
        "dram.entry_turns", dram.entry_turns, "no",
        "A channel takes one request in a DRAM cycle, of its L2 banks in turn, as in GPGPU-Sim; "
        "no: one of each L2 bank in an L2 cycle, the first bank's first."),
    BOOLEAN("dram.bank_turns", dram.bank_turns, "no",
            "Banks take turns, as in GPGPU-Sim: each DRAM cycle gives one bank a request to serve, "
            "which leaves dram.queue; commands go to the first bank of an order that turns."),
    BOOLEAN("dram.dual_bus", dram.dual_bus, "no",
            "A bus for row commands and one for column commands, so that a cycle can have both."),
    TIMED("dram.activate_cycles", dram.activate_cycles, 1, 4, "1", "DRAM cycles",
          "An activate command on its bus."),
    DRAM_CYCLES("tRCDW", trcdw, "0", "Activate to write; 0: as tRCD."),
    DRAM_CYCLES("tRTPL", trtpl, "0",
                "Read to precharge of any bank of its group, as in GPGPU-Sim; 0: without a limit."),
    DRAM_CYCLES("tRRDL", trrdl, "0", "tRRD within a bank group; 0: as tRRD."),
    DRAM_CYCLES("tCDLRL", tcdlrl, "0", "tCDLR within a bank group; 0: as tCDLR."),
    DRAM_CYCLES("tRTW", trtw, "0", "Read to write; 0: tCL + burst_cycles + 2 - tWL."),
    DRAM_CYCLES("tFAW", tfaw, "0",
                "From an activate to the fourth one after it; 0: without a limit."),
    DRAM_CYCLES("tPPD", tppd, "0", "Precharge to precharge; 0: without a limit."),
    CHOICE("dram.refresh", dram.refresh, "none|all|bank", "none",
           "Refresh: none; all, of all banks of a pseudo-channel at once; bank, of one bank after "
           "the other."),
    TIMED("dram.tREFI", dram.trefi, 0, 1000000, "0", "DRAM cycles",
          "Time in which each bank is refreshed once."),
    TIMED("dram.tRFC", dram.trfc, 0, 10000, "0", "DRAM cycles",
          "Refresh of all banks to the next command."),
    TIMED("dram.tRFCB", dram.trfcb, 0, 10000, "0", "DRAM cycles",
          "Refresh of a bank to its next command."),
    DRAM_CYCLES("tRREFD", trrefd, "0",
                "Refresh of a bank to the activate or refresh of another bank."),

    INTEGER("noc.header", noc.header, 1, 256, false, NULL, "8", "bytes",
            "A message on the interconnect without its data."),
    CHOICE("noc.topology", noc.topology, "crossbar|mesh", "crossbar",
           "A crossbar for each direction, or a 2D mesh [tabbakh, Table I]."),
    TIMED("noc.flit", noc.flit, 4, 256, "32", "bytes", "A flit: what a port carries in a cycle."),
    TIMED("noc.latency", noc.latency, 1, 1000, "6", "interconnect cycles",
          "A packet's head through an idle crossbar, or through one router and link of the mesh."),
    TIMED("noc.speedup", noc.speedup, 1, 4, "1", "flits",
          "What a crossbar's switch moves from an input, and to an output, in an interconnect "
          "cycle; links move one. Above 1: noc.topology=crossbar, noc.channels=1 and "
          "noc.virtual_networks=0."),
    TIMED("noc.allocation", noc.allocation, 0, 1, "0", "switch cycles",
          "With noc.speedup above 1: a packet holds its input and output so much longer than its "
          "flits take, for the allocation of a virtual channel, as in GPGPU-Sim's BookSim."),
    CHOICE(
        "noc.arbitration", noc.arbitration, "islip|series", "islip",
        "Of a router's outputs: one round of iSLIP, or one after another by their numbers, so that "
        "an input sends packets of one flit to several in a cycle, as in GPGPU-Sim's own crossbar. "
        "Series: noc.topology=crossbar, noc.channels=1, noc.virtual_networks=0, noc.speedup=1."),
    TIMED("noc.channels", noc.channels, 1, 16, "1", "channels", "Virtual channels of a direction."),
    TIMED("noc.virtual_networks", noc.networks, 0, 5, "0", "virtual networks",
          "Virtual networks, each with noc.channels, that share the width of the two networks: 2, "
          "one in each direction; with coherence.protocol=vi, vini or mesi 3, and acknowledgements "
          "have one of their own, or 4, and invalidations too; with mesi 5, and write-backs and "
          "UNBLOCKs too: six queues, since [singh, Table 4] counts responses of both directions as "
          "one. 0: acknowledgements have wires of their own, as many as "
          "requests."),
    TIMED("noc.buffer", noc.buffer, 1, 1024, "8", "flits", "Buffer of a virtual channel."),
    TIMED("noc.ejection", noc.ejection, 1, 1024, "32", "flits",
          "Buffer in front of an SM or an L2 bank."),
    INTEGER("noc.length", noc.length, 0, 1000, false, NULL, "10", "mm",
            "Wire that a byte of traffic passes, for its energy."),

    CHOICE(
        "coherence.protocol", coherence.protocol, "none|ideal|tcs|tcw|vi|vini|mesi", "none",
        "Coherence of the L1s, in the cycle engine: none, ideal (a write drops all copies at once, "
        "without messages), TC-Strong or TC-Weak [singh, 6], GPU-VI (a directory in the L2), "
        "GPU-VIni "
        "(one of its own) or MESI, whose L1s write back and allocate whatever l1.global_write and "
        "its like say [singh, 4]. `--set coherence=tcw` is short for it. Other than none, l1.flush "
        "has no effect: an L1 is not emptied at the end of a kernel."),
    INTEGER("coherence.lifetime", coherence.lifetime, 0, 4294967294, false, "predicted",
            "predicted", "core cycles",
            "tcs, tcw: how long the lease of a load is; predicted: by each L2 bank, 0 to 6400 "
            "[singh, 6.4]."),
    INTEGER("coherence.time_bits", coherence.time_bits, 2, 32, false, NULL, "32", "bits",
            "tcs, tcw: of a timestamp [singh, Table 4]; when time reaches the last one, all leases "
            "end and it begins anew."),
    INTEGER("coherence.leases", coherence.leases, 1, 255, false, NULL, "128", "leases",
            "tcs, tcw: leases of evicted lines that an L2 bank can store; with the MSHR entries in "
            "use they are at most l2.mshrs [singh, 6.2.1]."),
    CHOICE("coherence.fence", coherence.fence, "warp|cta", "warp",
           "tcs, tcw: a fence waits for its warp's operations and GWCT, or for those of all warps "
           "of its CTA."),
    CHOICE("coherence.merge", coherence.merge, "close|lease", "close",
           "tcs, tcw: what keeps a load behind a fence from older data in flight: the fence "
           "closes the SM's MSHR entries, or loads that merged after the data's lease ask again."),
    CHOICE("coherence.table", coherence.table, "corrected|printed", "corrected",
           "tcs, tcw: the L2's rules, corrected, or as [singh, Table 2] prints them, which is not "
           "safe."),
    BOOLEAN("coherence.visible", coherence.visible, "no",
            "tcw: lines keep the GWCT of their writes, and a load raises its warp's GWCT to it, so "
            "that fences are cumulative."),
    INTEGER("coherence.directory_ways", coherence.directory_ways, 1, 32, false, NULL, "8", "ways",
            "vini: associativity of the directory [singh, 4.3]."),
    INTEGER("coherence.directory_size", coherence.directory_size, 1, 16, false, NULL, "2",
            "entries for each line of the L1s",
            "vini: entries of the directory, of all L2 banks together [singh, 4.3; Figure 12]."),

    NAME_OF_FILE("energy.table", energy.table, "anssari-22nm",
                 "Constants of energy, area and leakage: YAML, whose keys change those of "
                 "anssari-22nm [anssari, Table 4.3]."),
};

const gm_key *gm_config_keys(unsigned *count)
{
    *count = sizeof keys / sizeof keys[0];
    return keys;
}
