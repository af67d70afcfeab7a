/* Coherent L1s in the cycle engine, on programs of a few instructions: what each protocol counts,
 * and, by leases of a lifetime that is given, when fences, kernels and writes end. */
#include "support/cycle/engine/cycle_run.h"
#include "support/cycle/engine/timeline.h"
#include "support/order/order_run.h"

#include <stdlib.h>
#include <string.h>

enum { SMS = 3, LINE = 128, LIFE = 3000, MOST_SET = 5 };

static const uint64_t FIRST = 0x100000; /* address of line 0 */

/* SMS SMs with room for one CTA each, one L2 bank of lines in full association. A watchdog that
 * does not wait for the end of a lease. */
static gm_config small(void)
{
    gm_config config = order_preset("fermi-tc");
    config.gpu.sms = SMS;
    config.gpu.watchdog = LIFE / 2;
    config.memory.partitions = config.memory.banks = 1;
    config.sm.ctas = 1;
    config.sm.launch = 0;
    config.l2.size = 64 << 10;
    config.coherence.protocol = GM_COHERENCE_TCW;
    config.coherence.lifetime = LIFE;
    return config;
}

static const struct {
    char letter;
    bool accesses, waits; /* for the load or atomic before it */
    unsigned opcode;
} letters[] = {
    {'L', true, true, MEMORY_LOAD},         {'S', true, false, MEMORY_STORE},
    {'A', true, true, MEMORY_ATOMIC},       {'R', true, false, MEMORY_REDUCTION},
    {'V', true, true, MEMORY_STRONG_LOAD},  {'l', true, true, MEMORY_LOCAL_LOAD},
    {'s', true, false, MEMORY_LOCAL_STORE}, {'F', false, false, MEMORY_FENCE},
    {'C', false, false, MEMORY_CTA_FENCE},  {'B', false, false, MEMORY_BARRIER},
    {'=', false, true, MEMORY_COMPUTE},     {'i', true, false, MEMORY_LOAD},
};

/* Adds the instruction of a letter, on a line. */
static void add(memory_source *source, char letter, unsigned line)
{
    size_t i = 0;
    while (letters[i].letter != letter) {
        i++;
        assert_true(i < sizeof letters / sizeof *letters);
    }
    if (letters[i].accesses) {
        bool local = letters[i].opcode == MEMORY_LOCAL_LOAD;
        local |= letters[i].opcode == MEMORY_LOCAL_STORE;
        memory_stride(source, letters[i].opcode, UINT32_MAX, local ? 0 : FIRST + line * LINE,
                      local ? 0 : 4, 4);
    } else {
        memory_plain(source, letters[i].opcode, UINT32_MAX);
    }
    memory_registers(source, letters[i].waits ? 1 : 255, letters[i].waits ? 1 : 255);
}

/* Adds a warp's instructions: letters, of accesses with a digit for the line; before '=' how often
 * it is. What waits goes on when the last load or atomic before it is answered. */
static void instructions(memory_source *source, const char *text, size_t length)
{
    for (const char *at = text; at < text + length; at++) {
        char *end = NULL;
        unsigned long times = strtoul(at, &end, 10);
        at = end != NULL && times != 0 ? end : at;
        char letter = *at;
        bool has_line = strchr("LSARVi", letter) != NULL;
        at += has_line;
        for (unsigned long k = 0; k < (times != 0 ? times : 1); k++) {
            add(source, letter, has_line ? (unsigned)(*at - '0') : 0);
        }
    }
}

/* Kernels, one after the other: "WARP WARP/WARP WARP;KERNEL": '/' begins the next SM's CTA, of two
 * warps as every CTA. '!' in place of a kernel: the host copies line 0. */
static memory_source *program(const char *text)
{
    memory_source *source = memory_source_new();
    const char *at = text;
    while (*at != '\0') {
        if (*at == '!') {
            memory_copy(source, FIRST, LINE);
            at += 2;
            continue;
        }
        gm_kernel *kernel = memory_kernel(source, SMS, 64);
        kernel->local_base = UINT64_C(0x7f4ffe000000);
        for (uint32_t cta = 0; cta < SMS; cta++) {
            memory_cta(source, cta);
            for (uint32_t warp = 0; warp < 2; warp++) {
                size_t length = strcspn(at, " /;");
                memory_warp(source, warp);
                instructions(source, at, length);
                at += length;
                at += *at == ' ';
            }
            at += *at == '/';
        }
        at += *at == ';';
    }
    return source;
}

static cycle_kernels run(const gm_config *config, const char *text)
{
    return cycle_run_kernels(config, program(text));
}

/* Counts of cycles: only whether there are any. */
static gm_coherence_statistics without_cycles(gm_coherence_statistics counts)
{
    counts.write_stalls = counts.write_stalls != 0;
    counts.fence_answer_cycles = counts.fence_answer_cycles != 0;
    counts.fence_time_cycles = counts.fence_time_cycles != 0;
    return counts;
}

static void compare(const char *text, const gm_coherence_statistics *have,
                    const gm_coherence_statistics *want)
{
#define COUNTER(name, unit, meaning)                                                               \
    if (have->name != want->name) {                                                                \
        fail_msg("%s: %llu " #name ", not %llu", text, (unsigned long long)have->name,             \
                 (unsigned long long)want->name);                                                  \
    }
    GM_COHERENCE_COUNTERS(COUNTER)
#undef COUNTER
}

typedef struct row {
    const char *set[MOST_SET]; /* keys that differ from small() */
    const char *text;
    uint64_t load_hits; /* of the L1s */
    uint64_t st;        /* bytes of traffic class ST */
    gm_coherence_statistics counts;
} row;

static gm_config changed(const char *const set[MOST_SET])
{
    gm_config config = small();
    gm_error error;
    for (unsigned i = 0; i < MOST_SET && set[i] != NULL; i++) {
        test_ok(gm_config_assign(&config, set[i], &error), error);
    }
    test_ok(gm_config_check(&config, &error), error);
    return config;
}

/* GPU-VIni: a directory of one way, and a line of which `count` SMs have copies is recalled. */
#define SIX_ENTRIES                                                                                \
    "coherence=vini", "l1.size=256", "l1.ways=2", "coherence.directory_ways=1",                    \
        "coherence.directory_size=1"
#define FLITS(count) .forward_flits = (count), .acknowledgement_flits = (count)
#define RECALLED(count)                                                                            \
    .recalled_lines = 1, .recalls = (count), .copies_dropped = (count), FLITS(count)

/* Of a write of a line of which another SM has a copy. */
#define INVALIDATED .writes_shared = 1, .invalidations = 1, .copies_dropped = 1, FLITS(1)

#define WAITED          .fences = 1, .fences_answers = 1, .fence_answer_cycles = 1
#define WAITED_FOR_TIME WAITED, .fences_time = 1, .fence_time_cycles = 1

static void counts(void **state)
{
    (void)state;
    static const row rows[] = {
        {{NULL}, "L0", 0, 0, {.leases = 1}},
        {{NULL}, "L0=L0", 1, 0, {.leases = 1}},
        {{NULL}, "L0;/S0F", 0, 128, {.leases = 1, .writes_gwct = 1, WAITED_FOR_TIME}},
        {{NULL}, "L0;/R0F", 0, 0, {.leases = 1, .writes_gwct = 1, WAITED_FOR_TIME}},
        {{NULL}, "L0;/A0F", 0, 0, {.leases = 1, .writes_gwct = 1, WAITED_FOR_TIME}},
        {{NULL}, "L0;/S0C", 0, 128, {.leases = 1, .writes_gwct = 1}},
        {{NULL}, "L0;/S0B BF", 0, 128, {.leases = 1, .writes_gwct = 1, .fences = 1}},
        {{"coherence.fence=cta"},
         "L0;/S0B BF",
         0,
         128,
         {.leases = 1, .writes_gwct = 1, WAITED_FOR_TIME}},
        {{NULL},
         "L0;/S0/60=L0F",
         0,
         128,
         {.leases = 2, .lease_extensions = 1, .writes_gwct = 1, WAITED}},
        {{"coherence.visible=yes"},
         "L0;/S0/60=L0F",
         0,
         128,
         {.leases = 2, .lease_extensions = 1, .writes_gwct = 1, WAITED_FOR_TIME}},
        {{NULL},
         "L0=S0F",
         0,
         128,
         {.leases = 1, .writes_private = 1, .upgrades = 1, .renewals = 1, WAITED}},
        {{NULL},
         "L0=S0=L0",
         1,
         128,
         {.leases = 1, .writes_private = 1, .upgrades = 1, .renewals = 1}},
        {{NULL},
         "L0;/L0;/S0",
         0,
         128,
         {.leases = 2, .lease_extensions = 1, .writes_gwct = 1, .upgrades = 1, .renewals = 1}},
        {{NULL},
         "L0;/L0;S0",
         0,
         256,
         {.leases = 2, .lease_extensions = 1, .writes_gwct = 1, .upgrades = 1}},
        {{NULL}, "L0;!;S0", 0, 128, {.leases = 1, .writes_alone = 1}},
        {{NULL}, "L0;!;L0", 0, 0, {.leases = 2}},
        {{NULL},
         "L0 3=F;L0",
         0,
         0,
         {.leases = 2, .lease_extensions = 1, .not_installed = 1, .fences = 1}},
        {{NULL}, "L0 3=C;L0", 1, 0, {.leases = 1}},
        {{NULL}, "L0;700=;L0", 1, 0, {.leases = 1}},
        {{NULL}, "L0;1000=;L0", 0, 0, {.leases = 2, .expired = 1}},
        {{NULL}, "V0=V0", 0, 0, {0}},
        {{NULL}, "ls=l", 0, 128, {0}},
        {{"coherence.lifetime=0"}, "L0=L0", 0, 0, {.leases = 2, .not_installed = 2}},
        {{"coherence.lifetime=0"},
         "L0=S0F",
         0,
         128,
         {.leases = 1, .not_installed = 1, .writes_alone = 1, WAITED}},
        {{"noc.latency=300", "coherence.lifetime=100"},
         "L0 300=L0",
         0,
         0,
         {.leases = 1, .not_installed = 1}},
        {{"noc.latency=300", "coherence.lifetime=100", "coherence.merge=lease"},
         "L0 300=L0",
         0,
         0,
         {.leases = 2, .not_installed = 1, .asked_again = 1}},
        {{"noc.latency=300", "coherence.lifetime=400", "coherence.merge=lease"},
         "L0 300=L0",
         0,
         0,
         {.leases = 1, .not_installed = 1}},
        {{"coherence.time_bits=12"}, "900=L0=120=L0", 0, 0, {.leases = 2, .rollovers = 1}},
        {{"coherence.time_bits=13"}, "900=L0=120=L0", 1, 0, {.leases = 1}},
        {{"l2.size=128", "l2.ways=1"}, "L0=L1=L0", 1, 0, {.leases = 2, .leases_stored = 1}},
        {{"l2.size=128", "l2.ways=1"},
         "L0=L1;/L0",
         0,
         0,
         {.leases = 3, .lease_extensions = 1, .leases_stored = 2, .leases_taken = 1}},
        {{"l2.size=128", "l2.ways=1", "l2.mshrs=1"}, "L0=L1;/L0", 0, 0, {.leases = 3}},
        {{"coherence=tcs"},
         "L0;/S0F",
         0,
         128,
         {.leases = 1, .writes_alone = 1, .write_stalls = 1, WAITED}},
        {{"coherence=tcs"}, "L0;/A0", 0, 0, {.leases = 1, .writes_alone = 1, .write_stalls = 1}},
        {{"coherence=tcs"},
         "L0=S0F",
         0,
         128,
         {.leases = 1, .writes_private = 1, .upgrades = 1, WAITED}},
        {{"coherence=tcs"},
         "L0;/L0;S0",
         0,
         128,
         {.leases = 2, .lease_extensions = 1, .writes_alone = 1, .upgrades = 1, .write_stalls = 1}},
        {{"coherence=ideal"}, "L0;L0", 1, 0, {0}},
        {{"coherence=ideal"}, "L0;/S0;L0", 0, 128, {0}},
        {{"coherence=ideal"}, "L0;/A0;L0", 0, 0, {0}},
        {{"coherence=ideal"}, "L0;/S1;L0", 1, 128, {0}},
        {{"coherence=ideal"}, "L0;!;L0", 0, 0, {0}},
        {{"coherence=vi"}, "L0;L0", 1, 0, {0}},
        {{"coherence=vi"}, "L0;/S0;L0", 0, 128, {INVALIDATED}},
        {{"coherence=vi"}, "L0;/A0;L0", 0, 0, {INVALIDATED}},
        {{"coherence=vi"}, "L0;/S1;L0", 1, 128, {0}},
        {{"coherence=vi"}, "L0;S0;L0", 1, 128, {.upgrades = 1}},
        {{"coherence=vi"}, "L0=S0L0", 0, 128, {.upgrades = 1}}, /* misses: the store is pending */
        {{"coherence=vi"}, "L0;A0;L0", 0, 0, {0}},
        {{"coherence=vi"}, "L0;!;L0", 0, 0, {0}},
        {{"coherence=vi"},
         "L0;!;/S0;L0",
         0,
         128,
         {.writes_shared = 1, .invalidations = 1, FLITS(1)}}, /* of a copy that is gone */
        {{"coherence=vi", "l2.size=128", "l2.ways=1"},
         "L0=L1",
         0,
         0,
         {.recalled_lines = 1, .recalls = 1, .copies_dropped = 1, FLITS(1)}},
        {{"coherence=vi", "l2.size=128", "l2.ways=1"},
         "L0;/L0;L1",
         0,
         0,
         {.recalled_lines = 1, .recalls = 2, .copies_dropped = 2, FLITS(2)}},
        {{"coherence=vi", "l2.size=128", "l2.ways=1"}, "S0=S1", 0, 256, {0}},
        /* a line that nobody else has is written without a message; ST: data of lines to write */
        {{"coherence=mesi"}, "L0;L0", 1, 0, {0}},
        {{"coherence=mesi"}, "L0;S0;A0;L0", 1, 0, {0}},
        {{"coherence=mesi"}, "S0;L0;S0", 1, 128, {0}},
        {{"coherence=mesi"}, "A0", 0, 128, {0}},
        {{"coherence=mesi"}, "S0=L0", 0, 128, {0}}, /* waits behind the store */
        /* a clean owner is asked; it keeps its copy for a load; a dirty sector comes back */
        {{"coherence=mesi"}, "L0;/L0;L0", 1, 0, {.forwards = 1}},
        {{"coherence=mesi"}, "S0;/L0;L0", 1, 128 + 128, {.forwards = 1}},
        {{"coherence=mesi"},
         "S0;/S0;L0",
         0,
         128 + 128 + 128 + 128,
         {.forwards = 2, .copies_dropped = 1}},
        /* a shared copy is upgraded, others are invalidated */
        {{"coherence=mesi"}, "L0;/L0;/S0", 0, 0, {.forwards = 1, INVALIDATED, .line_upgrades = 1}},
        {{"coherence=mesi"},
         "L0;/L0;//S0",
         0,
         128,
         {.forwards = 1, .writes_shared = 1, .invalidations = 2, .copies_dropped = 2}},
        /* evictions: of an owned line, clean or dirty, a write-back; of a shared one, none */
        {{"coherence=mesi", "l1.size=128", "l1.ways=1"}, "L0;L1", 0, 0, {.puts = 1}},
        {{"coherence=mesi", "l1.size=128", "l1.ways=1"}, "S0;L1", 0, 256, {.puts = 1}},
        {{"coherence=mesi", "l1.size=128", "l1.ways=1"}, "L0;/L0;L1", 0, 0, {.forwards = 1}},
        /* recalls by the L2, of an owner and of sharers */
        {{"coherence=mesi", "l2.size=128", "l2.ways=1"},
         "S0;L1",
         0,
         128,
         {RECALLED(1), .recalls_owned = 1}},
        {{"coherence=mesi", "l2.size=128", "l2.ways=1"},
         "L0;L1",
         0,
         0,
         {RECALLED(1), .recalls_owned = 1}},
        {{"coherence=mesi", "l2.size=128", "l2.ways=1"},
         "L0;/L0;L1",
         0,
         0,
         {.forwards = 1, RECALLED(2)}},
        /* a host copy takes all lines, dirty ones too */
        {{"coherence=mesi"}, "S0;!;L0", 0, 256, {.puts = 1}},
        {{"coherence=vini"}, "L0;L0", 1, 0, {0}},
        {{"coherence=vini"}, "L0;/S0;L0", 0, 128, {INVALIDATED}},
        {{"coherence=vini"}, "L0;S0;L0", 1, 128, {.upgrades = 1}},
        {{"coherence=vini"}, "L0;!;/S0;L0", 0, 128, {0}}, /* the copy makes the directory forget */
        /* the L2 evicts without a recall, and the directory still knows the sharer */
        {{"coherence=vini", "l2.size=128", "l2.ways=1"}, "L0;L1;L0", 1, 0, {0}},
        {{"coherence=vini", "l2.size=128", "l2.ways=1"}, "L0;L1;/S0", 0, 128, {INVALIDATED}},
        /* a directory of six entries, lines 0 and 6 in one: of a load, a copy is recalled; a store
         * that misses takes the entry as well, one that hits in the L2 does not */
        {{SIX_ENTRIES}, "L0;L6", 0, 0, {RECALLED(1)}},
        {{SIX_ENTRIES}, "L0;L3;L0", 1, 0, {0}},
        {{SIX_ENTRIES},
         "L0;/L0;L6;L0",
         0,
         0,
         {.recalled_lines = 2, .recalls = 3, .copies_dropped = 3, FLITS(3)}},
        {{SIX_ENTRIES}, "L0;S6;L0", 0, 128, {RECALLED(1)}},
        {{SIX_ENTRIES}, "S6;L0;S6;L0", 1, 256, {0}},
        {{SIX_ENTRIES},
         "L6;l;L0;L6",
         0,
         0,
         {.recalled_lines = 2, .recalls = 2, .copies_dropped = 1, FLITS(2)}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const row *row = &rows[i];
        gm_config config = changed(row->set);
        cycle_kernels kernels = run(&config, row->text);
        gm_coherence_statistics have = without_cycles(kernels.total.coherence);
        gm_coherence_statistics want = row->counts;
        want.lease_cycles = want.leases * config.coherence.lifetime;
        if (config.coherence.protocol == GM_COHERENCE_MESI) { /* data and UNBLOCKs among them */
            want.forward_flits = have.forward_flits;
            want.acknowledgement_flits = have.acknowledgement_flits;
        }
        compare(row->text, &have, &want);
        /* an upgrade writes its store's line without data from the L2; no other store is kept */
        assert_int_equal(kernels.total.l1d.sectors_stored[GM_STORE], 4 * want.line_upgrades);
        if (kernels.total.l1d.hits[GM_LOAD] != row->load_hits ||
            kernels.total.traffic.st != row->st) {
            fail_msg("%s: %llu hits, %llu bytes of stores", row->text,
                     (unsigned long long)kernels.total.l1d.hits[GM_LOAD],
                     (unsigned long long)kernels.total.traffic.st);
        }
    }
}

/* Runs the program with leases of `life` cycles. Returns the core cycles of all kernels. */
static uint64_t cycles(const char *const set[MOST_SET], const char *text, uint64_t life)
{
    gm_config config = changed(set);
    config.coherence.lifetime = life;
    return run(&config, text).total.time.cycles;
}

/* What waits for the first kernel's lease ends exactly when it is past. That lease is given when
 * the load's data reach the L2. A store that waits at the L2 ends when its answer comes. */
static void times(void **state)
{
    (void)state;
    static const struct {
        const char *set[MOST_SET];
        const char *text;
        bool at_lease; /* the last kernel ends in the cycle after the lease's last */
        bool waits;    /* a longer lifetime makes it end as much later */
    } rows[] = {
        {{NULL}, "L0;/S0F", true, true},
        {{NULL}, "L0;/A0F", true, true},
        {{NULL}, "L0;/S0C", true, true}, /* the kernel's end waits */
        {{NULL}, "L0;/S0", true, true},
        {{NULL}, "L0;/S0;/L0=F", false, true},
        {{NULL}, "L0;/S1F", false, false},
        {{NULL}, "L0;/s", false, false},
        {{NULL}, "L0=S0F", false, false},
        {{NULL}, "L0;!;/S0F", false, false},
        {{"coherence.visible=yes"}, "L0;/S0/60=L1F", true, true},
        {{"coherence=tcs"}, "L0;/S0", false, true},
        {{"coherence=tcs"}, "L0;/S0F", false, true},
        {{"coherence=tcs"}, "L0=S0F", false, false},
        {{"coherence=ideal"}, "L0;/S0F", false, false},
        {{"coherence=vi"}, "L0;/S0F", false, false},
        {{"coherence=vini"}, "L0;/S0F", false, false},
        {{"coherence=mesi"}, "L0;/S0F", false, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        gm_config config = changed(rows[i].set);
        timeline first = timeline_load(&config, 1, TIMELINE_DRAM);
        for (uint64_t life = LIFE; life < LIFE + 3; life++) {
            uint64_t end = cycles(rows[i].set, rows[i].text, life);
            if (rows[i].at_lease && end != first.data + life + 1) {
                fail_msg("%s: ends in cycle %llu, lease in %llu", rows[i].text,
                         (unsigned long long)end, (unsigned long long)(first.data + life));
            }
            uint64_t next = cycles(rows[i].set, rows[i].text, life + 2);
            if (next != end + (rows[i].waits ? 2 : 0)) { /* network and L2 have half the clock */
                fail_msg("%s: cycles %llu, %llu", rows[i].text, (unsigned long long)end,
                         (unsigned long long)next);
            }
        }
    }
}

/* SM 0 loads line 0 in every cycle, that of the last time of an epoch among them; SM 1 writes a
 * copy whose lease ends then. Its write is visible behind that cycle, not in it. */
static void copies_are_used_at_the_last_time(void **state)
{
    (void)state;
    const char *const set[MOST_SET] = {"coherence.lifetime=1000", "coherence.time_bits=10"};
    gm_config config = changed(set);
    memory_source *source = program("L0 =1200i0/L0=S0F L1");
    gm_results results;
    gm_error error;
    const gm_run_options options = {.check = true, .check_values = true};
    test_ok(gm_cycle_run(&config, &source->source, &options, &results, &error), error);
    assert_int_equal(results.total.coherence.rollovers, 1);
    assert_int_equal(results.total.coherence.writes_gwct, 1);
    assert_true(results.total.l1d.hits[GM_LOAD] > 1100);
    gm_results_free(&results);
    gm_source_close(&source->source);
}

/* Leases of line 0 in three SMs, stores and fences that wait for them, upgrades, and a second
 * kernel. */
#define BUSY "L0 L1=S1F/S0F30=L0=S0FL1/L0=S1F60=L0 A0F;L1/S1F/L0=S0F"

/* Stops the run at each of many cycles, and goes on from what was saved there. Returns how often.
 */
static unsigned resume_everywhere(const gm_config *config, memory_source *source,
                                  const cycle_outcome *whole, const char *path)
{
    enum { STEP = 173 };
    unsigned resumed = 0;
    uint64_t cycles = whole->results.total.time.cycles;
    for (uint64_t stop = 1; stop < cycles; stop += STEP) {
        cycle_outcome other;
        const gm_run_options save = {
            .max_cycles = stop, .checkpoint = path, .checkpoint_every = UINT64_MAX};
        cycle_try(config, source, save, &other);
        bool saved = other.results.stop.saved;
        gm_results_free(&other.results);
        if (saved) {
            cycle_try(config, source, (gm_run_options){.resume = path, .no_skip = stop % 2 == 0},
                      &other);
            cycle_same(config, &whole->results, &other.results);
            gm_results_free(&other.results);
            resumed++;
        }
    }
    return resumed;
}

/* One protocol and width of time: `set`. Returns the rollovers of the run. */
static uint64_t keeps_leases(const char *const set[MOST_SET], const char *path)
{
    gm_config config = changed(set);
    memory_source *source = program(BUSY);
    cycle_outcome whole;
    cycle_outcome visited;
    cycle_try(&config, source, (gm_run_options){0}, &whole);
    cycle_try(&config, source, (gm_run_options){.no_skip = true}, &visited);
    cycle_same(&config, &whole.results, &visited.results);
    assert_true(resume_everywhere(&config, source, &whole, path) > 10);
    uint64_t rollovers = whole.results.total.coherence.rollovers;
    gm_results_free(&whole.results);
    gm_results_free(&visited.results);
    gm_source_close(&source->source);
    return rollovers;
}

static void checkpoints_keep_leases(void **state)
{
    (void)state;
    static const char *const protocols[] = {"tcw", "tcs", "ideal", "vi", "vini", "mesi"};
    static const char *const keys[] = {"coherence.visible=no", "coherence.visible=yes",
                                       "coherence.fence=cta", "coherence.merge=lease"};
    static const char *const times[][2] = {
        /* lifetime, bits */
        {"coherence.lifetime=200", "coherence.time_bits=8"},
        {"coherence.lifetime=900", "coherence.time_bits=10"},
        {"coherence.lifetime=3000", "coherence.time_bits=12"},
        {"coherence.lifetime=3000", "coherence.time_bits=32"},
    };
    char path[512];
    snprintf(path, sizeof path, "%s/checkpoint", test_folder());
    for (size_t i = 0; i < sizeof protocols / sizeof *protocols; i++) {
        for (size_t k = 0; k < sizeof times / sizeof *times; k++) {
            char protocol[32];
            snprintf(protocol, sizeof protocol, "coherence=%s", protocols[i]);
            for (size_t key = 0; key < (i == 0 ? 4 : 1); key++) {
                const char *const set[MOST_SET] = {protocol, times[k][0], times[k][1], keys[key]};
                if (!test_takes((unsigned)(i + k + key))) {
                    continue;
                }
                uint64_t rollovers = keeps_leases(set, path);
                assert_true((rollovers != 0) == (i < 2 && k < 3));
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts),
        cmocka_unit_test(times),
        cmocka_unit_test(copies_are_used_at_the_last_time),
        cmocka_unit_test_setup_teardown(checkpoints_keep_leases, test_folder_setup,
                                        test_folder_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
