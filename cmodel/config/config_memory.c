/* Configuration check: what the keys of the L2 and of DRAM require of the other keys. */
#include "config/config_memory.h"

#include "config/config_sets.h"
#include "goldmem/bits.h"

#include <errno.h>
#include <inttypes.h>

enum { SECTOR = 32 }; /* bytes */

/* An L2 whose MSHRs merge by sector takes packets of one sector each. */
const char *gm_config_l2_merge_lacks(const gm_config *config)
{
    bool l1 = config->l1.enabled;
    bool writes_back =
        config->l1.global_write == GM_WRITE_BACK || config->l1.local_write == GM_WRITE_BACK;
    const struct {
        bool wrong;
        const char *text;
    } rules[] = {
        {!config->l2.sectored, "l2.sectored=yes"},
        {config->l2.size == GM_UNBOUNDED, "a bounded l2.size"},
        {config->sm.coalesce != GM_COALESCE_SECTOR, "sm.coalesce=sector"},
        {l1 && !config->l1.sectored, "l1.sectored=yes"},
        {l1 && config->l1.kind != GM_L1_CONVENTIONAL, "l1.kind=conventional"},
        {l1 && writes_back, "l1.global_write and l1.local_write other than back"},
        {config->coherence.protocol != GM_COHERENCE_NONE, "coherence.protocol=none"},
    };
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        if (rules[i].wrong) {
            return rules[i].text;
        }
    }
    return NULL;
}

static int check_l2_merge_by(const gm_config *config, gm_error *error)
{
    const char *lacks = gm_config_l2_merge_lacks(config);
    return config->l2.merge_by == GM_MERGE_BY_SECTOR && lacks != NULL
               ? gm_fail(error, -EINVAL, "l2.merge_by=sector: needs %s", lacks)
               : 0;
}

/* Checks what streaming bypass of the L2 requires of the other keys. */
static int check_l2_streaming(const gm_config *config, gm_error *error)
{
    bool unbounded = config->l2.size == GM_UNBOUNDED;
    bool coherent = config->coherence.protocol != GM_COHERENCE_NONE;
    return config->l2.streaming && (unbounded || coherent)
               ? gm_fail(error, -EINVAL, "l2.streaming=yes: needs %s",
                         unbounded ? "a bounded l2.size" : "coherence.protocol=none")
               : 0;
}

/* Checks what atomic buffers require of the other keys: no data of a line may be in flight, and no
 * L1 have a lease, while it is outside the L2's tags. */
static int check_atomic_buffer(const gm_config *config, gm_error *error)
{
    const struct {
        bool wrong;
        const char *text;
    } rules[] = {
        {config->l2.size == GM_UNBOUNDED, "a bounded l2.size"},
        {config->l2.streaming, "l2.streaming=no"},
        {config->l2.merge_by != GM_MERGE_BY_LINE, "l2.merge_by=line"},
        {config->coherence.protocol != GM_COHERENCE_NONE, "coherence.protocol=none"},
    };
    for (size_t i = 0; config->l2.atomic_buffer && i < sizeof rules / sizeof *rules; i++) {
        if (rules[i].wrong) {
            return gm_fail(error, -EINVAL, "l2.atomic_buffer=yes: needs %s", rules[i].text);
        }
    }
    return 0;
}

/* Checks what an L2 whose stores fetch nothing requires of the other keys. */
static int check_lazy(const gm_config *config, gm_error *error)
{
    if (config->l2.fetch_on_write != GM_FETCH_LAZY) {
        return 0;
    }
    bool sectored = config->l2.sectored || config->l2.line == SECTOR;
    if (!sectored || config->l2.size == GM_UNBOUNDED) {
        return gm_fail(error, -EINVAL, "l2.fetch_on_write=lazy: needs %s",
                       !sectored ? "l2.sectored=yes" : "a bounded l2.size");
    }
    return 0;
}

/* An L1 knows no bytes: what it writes back may have bytes that other SMs have written since. */
const char *gm_config_l2_dirty_lacks(const gm_config *config, gm_l2_dirty dirty)
{
    bool parts = dirty == GM_DIRTY_PARTS;
    const struct {
        bool wrong;
        const char *text;
    } rules[] = {
        {!parts && config->l2.line != SECTOR, "l2.line=32"},
        {parts && config->sm.coalesce != GM_COALESCE_SECTOR, "sm.coalesce=sector"},
        {config->l2.fetch_on_write != GM_FETCH_LAZY, "l2.fetch_on_write=lazy"},
        {config->l2.streaming, "l2.streaming=no"},
        {parts && config->l2.atomic_buffer, "l2.atomic_buffer=no"},
        {config->l1.global_write == GM_WRITE_BACK, "an l1.global_write other than back"},
        {config->l1.local_write == GM_WRITE_BACK, "an l1.local_write other than back"},
    };
    for (size_t i = 0; dirty != GM_DIRTY_SECTOR && i < sizeof rules / sizeof rules[0]; i++) {
        if (rules[i].wrong) {
            return rules[i].text;
        }
    }
    return NULL;
}

/* Checks what byte masks of the L2 require of the other keys. */
static int check_l2_dirty(const gm_config *config, gm_error *error)
{
    const char *lacks = gm_config_l2_dirty_lacks(config, config->l2.dirty);
    return lacks == NULL ? 0
                         : gm_fail(error, -EINVAL, "l2.dirty=%s: needs %s",
                                   config->l2.dirty == GM_DIRTY_PARTS ? "parts" : "byte", lacks);
}

/* Checks what an L2 that coalesced loads bypass requires of the other keys. */
static int check_l2_bypass(const gm_config *config, gm_error *error)
{
    if (config->l2.bypass == GM_L2_BYPASS_NONE) {
        return 0;
    }
    const char *lacks = config->l2.size == GM_UNBOUNDED ? "a bounded l2.size"
                        : config->l2.streaming          ? "l2.streaming=no"
                        : config->coherence.protocol != GM_COHERENCE_NONE
                            ? "coherence.protocol=none"
                            : NULL;
    return lacks == NULL ? 0 : gm_fail(error, -EINVAL, "l2.bypass=coalesced: needs %s", lacks);
}

/* Checks what an L2 that takes the L1s' victims requires of the other keys. A victim must have
 * every store that the L2 has performed: an isolated tracker knows those of its own SMs only, and a
 * line that another L1 has supplied from dirty data is newer than DRAM. */
static int check_l2_victim(const gm_config *config, gm_error *error)
{
    const struct {
        bool wrong;
        const char *text;
    } rules[] = {
        {config->l2.bypass != GM_L2_BYPASS_COALESCED, "l2.bypass=coalesced"},
        {!config->tracker.enabled, "tracker.enabled=yes"},
        {config->tracker.trackers != 1 && !config->tracker.ask,
         "tracker.trackers=1 or tracker.ask=yes"},
        {config->l1.global_write == GM_WRITE_BACK, "an l1.global_write other than back"},
        {config->l1.local_write == GM_WRITE_BACK, "an l1.local_write other than back"},
    };
    for (size_t i = 0; config->l2.victim && i < sizeof rules / sizeof rules[0]; i++) {
        if (rules[i].wrong) {
            return gm_fail(error, -EINVAL, "l2.victim=yes: needs %s", rules[i].text);
        }
    }
    return 0;
}

/* A load that fetches more than it asks for waits for all of it with its line's entry. */
static int check_l2_fetch(const gm_config *config, gm_error *error)
{
    const struct {
        bool wrong;
        const char *text;
    } rules[] = {
        {!config->l2.sectored, "l2.sectored=yes"},
        {config->l2.fetch > config->l2.line, "at most l2.line"},
        {config->l2.merge_by != GM_MERGE_BY_LINE, "l2.merge_by=line"},
        {config->l2.bypass != GM_L2_BYPASS_NONE, "l2.bypass=none"},
        {config->l2.victim, "l2.victim=no"},
        {config->l2.streaming, "l2.streaming=no"},
        {config->l2.dirty != GM_DIRTY_SECTOR, "l2.dirty=sector"},
        {config->coherence.protocol != GM_COHERENCE_NONE, "coherence.protocol=none"},
    };
    for (size_t i = 0; config->l2.fetch > SECTOR && i < sizeof rules / sizeof rules[0]; i++) {
        if (rules[i].wrong) {
            return gm_fail(error, -EINVAL, "l2.fetch=%" PRIu64 ": needs %s", config->l2.fetch,
                           rules[i].text);
        }
    }
    return 0;
}

/* Nothing is to be done to lines when the last request has been answered. */
const char *gm_config_kernel_end_lacks(const gm_config *config)
{
    return config->coherence.protocol != GM_COHERENCE_NONE ? "coherence.protocol=none"
           : config->tracker.enabled                       ? "tracker.enabled=no"
           : config->l2.atomic_buffer                      ? "l2.atomic_buffer=no"
                                                           : NULL;
}

static int check_kernel_end(const gm_config *config, gm_error *error)
{
    const char *lacks = gm_config_kernel_end_lacks(config);
    return config->gpu.kernel_end == GM_END_ANSWERED && lacks != NULL
               ? gm_fail(error, -EINVAL, "gpu.kernel_end=answered: needs %s", lacks)
               : 0;
}

/* Answers beside look-ups are those of a plain bank. */
const char *gm_config_l2_beside_lacks(const gm_config *config)
{
    const struct {
        bool wrong;
        const char *text;
    } rules[] = {
        {config->l2.atomic_buffer, "l2.atomic_buffer=no"},
        {config->l2.bypass != GM_L2_BYPASS_NONE, "l2.bypass=none"},
        {config->l2.streaming, "l2.streaming=no"},
        {config->l2.halves != 1, "l2.halves=1"},
        {config->tracker.enabled, "tracker.enabled=no"},
        {config->sharing.enabled, "sharing.enabled=no"},
        {config->coherence.protocol != GM_COHERENCE_NONE, "coherence.protocol=none"},
    };
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        if (rules[i].wrong) {
            return rules[i].text;
        }
    }
    return NULL;
}

static int check_answer_beside(const gm_config *config, gm_error *error)
{
    const char *lacks = gm_config_l2_beside_lacks(config);
    return config->l2.answer_beside && lacks != NULL
               ? gm_fail(error, -EINVAL, "l2.answer_beside=yes: needs %s", lacks)
               : 0;
}

static int check_halves(const gm_config *config, gm_error *error)
{
    if (config->l2.halves == 2 && config->memory.partitions % 2 != 0) {
        return gm_fail(error, -EINVAL,
                       "l2.halves=2: needs an even number of memory.partitions, not %" PRIu64,
                       config->memory.partitions);
    }
    if (config->l2.copies && config->l2.halves != 2) {
        return gm_fail(error, -EINVAL, "l2.copies=yes: needs l2.halves=2");
    }
    return config->l2.copies && config->l2.size == GM_UNBOUNDED
               ? gm_fail(error, -EINVAL, "l2.copies=yes: needs a bounded l2.size")
               : 0;
}

/* With partitions that are no power of two, a hash value stands for no location of a row when the
 * row's hash makes it a number above the units'. Rows whose number differs only in bits that the
 * hash does not take would all lack that location, and with it the L2 sets that these bits do not
 * choose. GPGPU-Sim refuses `xor` there, and its ipoly takes 13 row bits or more. */
int gm_config_check_partitions(const gm_config *config, gm_error *error)
{
    uint64_t partitions = config->memory.partitions;
    uint64_t bits = config->memory.partition_bits;
    if (gm_is_power_of_two(partitions) || config->memory.partition_index == GM_PARTITION_LINEAR) {
        return 0;
    }
    if (config->memory.partition_index == GM_PARTITION_XOR) {
        return gm_fail(error, -EINVAL,
                       "memory.partition_index=xor: needs a power of two of memory.partitions, not "
                       "%" PRIu64,
                       partitions);
    }
    uint64_t least = (uint64_t)gm_log2_ceil(partitions * config->memory.banks) +
                     gm_log2_floor(gm_config_l2_sets(config));
    return bits == 0 || bits >= least
               ? 0
               : gm_fail(error, -EINVAL,
                         "memory.partition_bits=%" PRIu64 ": must be 0, or at least %" PRIu64
                         " with %" PRIu64 " memory.partitions, no power of two: log2 of the hash's "
                         "values and of an L2 bank's sets",
                         bits, least, partitions);
}

int gm_config_check_l2(const gm_config *config, gm_error *error)
{
    static int (*const checks[])(const gm_config *, gm_error *) = {
        check_l2_merge_by,   check_l2_streaming, check_atomic_buffer, check_lazy,
        check_l2_dirty,      check_l2_bypass,    check_l2_victim,     check_halves,
        check_answer_beside, check_l2_fetch,     check_kernel_end,
    };
    int code = 0;
    for (size_t i = 0; code == 0 && i < sizeof checks / sizeof *checks; i++) {
        code = checks[i](config, error);
    }
    return code;
}

/* Returns the cycles in which a part can close its banks, open a row and serve it. */
static uint64_t time_of_a_row(const gm_config *config)
{
    uint64_t opened = config->dram.trp + config->dram.trc + config->dram.tras + config->dram.trrd +
                      config->dram.trrdl + config->dram.tfaw + config->dram.trcd +
                      config->dram.trcdw;
    uint64_t served = config->dram.twl + config->dram.tcl + config->dram.burst_cycles +
                      config->dram.twr + config->dram.trtp + config->dram.trtw +
                      config->dram.tcdlrl;
    return opened + served;
}

/* A bank must have the time to open a row and to serve it between two refreshes, or requests would
 * wait for ever. */
static int check_refresh(const gm_config *config, gm_error *error)
{
    if (config->dram.refresh != GM_REFRESH_NONE && config->dram.trtpl != 0) {
        return gm_fail(error, -EINVAL,
                       "dram.tRTPL: %" PRIu64 ": needs dram.refresh=none, since reads of other "
                       "banks would put a refresh off",
                       config->dram.trtpl);
    }
    if (config->dram.refresh == GM_REFRESH_NONE) {
        return 0;
    }
    bool all = config->dram.refresh == GM_REFRESH_ALL;
    uint64_t refresh = all ? config->dram.trfc : config->dram.trfcb;
    uint64_t least = 2 * (refresh + time_of_a_row(config)) + config->dram.banks * config->dram.tppd;
    if (config->dram.trefi < least) {
        return gm_fail(error, -EINVAL,
                       "dram.tREFI=%" PRIu64 ": must be at least %" PRIu64
                       ": twice %s and the time of a row, and dram.tPPD for each bank",
                       config->dram.trefi, least, all ? "dram.tRFC" : "dram.tRFCB");
    }
    if (!all && config->dram.trefi / config->dram.banks <= 2 * config->dram.trrefd) {
        return gm_fail(error, -EINVAL,
                       "dram.tREFI=%" PRIu64 ": must be more than 2 * dram.banks * dram.tRREFD "
                       "(%" PRIu64 ")",
                       config->dram.trefi, 2 * config->dram.banks * config->dram.trrefd);
    }
    return 0;
}

/* What a speedup and arbitration in series require; `what`: "noc.KEY=VALUE". */
static int check_switch(const gm_config *config, const char *what, gm_error *error)
{
    bool one = config->noc.topology == GM_TOPOLOGY_CROSSBAR && config->noc.channels == 1;
    return one && config->noc.networks == 0
               ? 0
               : gm_fail(error, -EINVAL,
                         "%s: needs noc.topology=crossbar, noc.channels=1 and "
                         "noc.virtual_networks=0",
                         what);
}

int gm_config_check_noc(const gm_config *config, gm_error *error)
{
    enum { FASTEST = 100000 }; /* MHz: clocks of the engine */
    char what[40];
    int code = 0;
    if (config->noc.arbitration == GM_ARBITRATE_SERIES) {
        code = check_switch(config, "noc.arbitration=series", error);
    }
    if (code == 0 && config->noc.allocation != 0 && config->noc.speedup == 1) {
        code = gm_fail(error, -EINVAL, "noc.allocation=1: needs noc.speedup above 1");
    }
    if (code < 0 || config->noc.speedup == 1) {
        return code;
    }
    snprintf(what, sizeof what, "noc.speedup=%" PRIu64, config->noc.speedup);
    code = check_switch(config, what, error);
    if (code == 0 && config->noc.arbitration == GM_ARBITRATE_SERIES) {
        code = gm_fail(error, -EINVAL, "%s: needs noc.arbitration=islip", what);
    }
    return code < 0 || config->clock.noc <= FASTEST / config->noc.speedup
               ? code
               : gm_fail(error, -EINVAL, "%s: clock.noc=%" PRIu64 ": must be at most %" PRIu64,
                         what, config->clock.noc, FASTEST / config->noc.speedup);
}

int gm_config_check_dram(const gm_config *config, gm_error *error)
{
    uint64_t banks = config->dram.channels * config->dram.pseudo_channels * config->dram.banks;
    if (banks > 256) {
        return gm_fail(error, -EINVAL,
                       "dram.banks=%" PRIu64 ": %" PRIu64 " with dram.channels=%" PRIu64
                       " and dram.pseudo_channels=%" PRIu64 ": at most 256 are possible",
                       config->dram.banks, banks, config->dram.channels,
                       config->dram.pseudo_channels);
    }
    if (config->dram.bank_groups > config->dram.banks) {
        return gm_fail(error, -EINVAL,
                       "dram.bank_groups=%" PRIu64 ": must be at most dram.banks=%" PRIu64,
                       config->dram.bank_groups, config->dram.banks);
    }
    if (config->dram.low_banks > config->dram.banks) {
        return gm_fail(error, -EINVAL,
                       "dram.low_banks=%" PRIu64 ": must be at most dram.banks=%" PRIu64,
                       config->dram.low_banks, config->dram.banks);
    }
    if (config->dram.burst > config->dram.row) {
        return gm_fail(error, -EINVAL, "dram.burst=%" PRIu64 ": must be at most dram.row=%" PRIu64,
                       config->dram.burst, config->dram.row);
    }
    return check_refresh(config, error);
}
