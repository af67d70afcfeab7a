/* Configuration check: what a coherence protocol requires of the other keys. */
#include "config/config_coherence.h"

#include "goldmem/bits.h"
#include "goldmem/lifetime_predictor.h"
#include "goldmem/tc_l1.h"
#include "goldmem/tc_l2.h"

#include <errno.h>
#include <inttypes.h>

/* A value of a key that no protocol takes. */
typedef struct refusal {
    bool is_set;
    const char *text; /* what the key must be, and why */
} refusal;

static int refuse_first(const refusal *refusals, unsigned count, const char *protocol,
                        gm_error *error)
{
    for (unsigned i = 0; i < count; i++) {
        if (refusals[i].is_set) {
            return gm_fail(error, -EINVAL, "coherence.protocol=%s: %s", protocol, refusals[i].text);
        }
    }
    return 0;
}

/* A lease is on a whole line of a conventional L1 that the L2 answers with the whole line. */
static int check_caches(const gm_config *config, const char *protocol, gm_error *error)
{
    bool owns = config->coherence.protocol == GM_COHERENCE_MESI; /* and writes by its own rules */
    const refusal refusals[] = {
        {!config->l1.enabled, "needs l1.enabled=yes"},
        {config->l1.kind != GM_L1_CONVENTIONAL, "needs l1.kind=conventional"},
        {config->l1.line != config->l2.line, "needs l1.line and l2.line to be equal"},
        {config->l1.sectored, "needs l1.sectored=no"},
        {config->l2.sectored, "needs l2.sectored=no"},
        {config->l1.size == GM_UNBOUNDED, "l1.size must not be unbounded"},
        {config->l2.size == GM_UNBOUNDED, "l2.size must not be unbounded"},
        {config->l1.bypass != GM_BYPASS_NONE, "needs l1.bypass=none"},
        {config->l1.allocation != GM_ALLOCATE_ON_MISS, "needs l1.allocation=on_miss"},
        {!owns && config->l1.global_write == GM_WRITE_BACK,
         "l1.global_write must be evict or through"},
        {!owns && config->l1.local_write == GM_WRITE_BACK,
         "l1.local_write must be evict or through"},
        {!owns && config->l1.global_allocate, "needs l1.global_allocate=no"},
        {!owns && config->l1.local_allocate, "needs l1.local_allocate=no"},
        {config->l2.fetch_on_write != GM_FETCH_ALWAYS, "needs l2.fetch_on_write=always"},
        {config->tracker.enabled, "needs tracker.enabled=no"},
    };
    return refuse_first(refusals, sizeof refusals / sizeof *refusals, protocol, error);
}

static int check_slots(const char *cache, uint64_t slots, uint64_t most, const char *protocol,
                       gm_error *error)
{
    return slots <= most ? 0
                         : gm_fail(error, -EINVAL,
                                   "coherence.protocol=%s: %s.size and %s.line make %" PRIu64
                                   " lines; at most %" PRIu64 " can have leases",
                                   protocol, cache, cache, slots, most);
}

static int check_time(const gm_config *config, gm_error *error)
{
    uint64_t last = gm_mask((unsigned)config->coherence.time_bits);
    bool predicted = config->coherence.lifetime == GM_PREDICTED;
    uint64_t longest = predicted ? GM_LIFETIME_PREDICTOR_MAX : config->coherence.lifetime;
    return longest < last ? 0
                          : gm_fail(error, -EINVAL,
                                    "coherence.lifetime=%s%" PRIu64 ": must be below %" PRIu64
                                    ", the last time of coherence.time_bits=%" PRIu64,
                                    predicted ? "predicted, at most " : "", longest, last,
                                    config->coherence.time_bits);
}

/* The directory has a bit for each SM, and holds an MSHR entry while it recalls a line for another.
 */
static int check_directory(const gm_config *config, const char *protocol, gm_error *error)
{
    enum { SMS = 64, LEAST_MSHRS = 2 };
    const refusal refusals[] = {
        {config->gpu.sms > SMS, "gpu.sms must be at most 64"},
        {config->l2.mshrs < LEAST_MSHRS, "l2.mshrs must be at least 2"},
        {config->l2.halves == 2, "needs l2.halves=1"},
    };
    return refuse_first(refusals, sizeof refusals / sizeof *refusals, protocol, error);
}

static int check_networks(const gm_config *config, gm_error *error)
{
    enum { CHANNELS = 16 };
    uint32_t most = gm_coherence_networks(config->coherence.protocol);
    uint64_t networks = config->noc.networks;
    /* MESI's requests must not hold up what ends a transaction: docs/directory-protocols.md */
    bool owns = config->coherence.protocol == GM_COHERENCE_MESI;
    char protocol[GM_CONFIG_TEXT];
    gm_config_get(config, gm_config_find("coherence.protocol"), protocol, sizeof protocol);
    if (networks == 1 || networks > most || (owns && networks == 2)) {
        return gm_fail(error, -EINVAL,
                       "noc.virtual_networks=%" PRIu64 ": coherence.protocol=%s needs 0 or %s%u",
                       networks, protocol,
                       owns       ? "3 to "
                       : most > 2 ? "2 to "
                                  : "",
                       most);
    }
    uint64_t of_requests = networks == GM_MESI_NETWORKS ? 4 : networks > 2 ? 2 : 1;
    if (config->noc.channels > CHANNELS / of_requests) {
        return gm_fail(error, -EINVAL,
                       "noc.channels=%" PRIu64 ": with noc.virtual_networks=%" PRIu64
                       " a port has at most %u virtual channels, %" PRIu64 " of each",
                       config->noc.channels, networks, CHANNELS, CHANNELS / of_requests);
    }
    return 0;
}

int gm_config_check_coherence(const gm_config *config, gm_error *error)
{
    char protocol[GM_CONFIG_TEXT];
    gm_config_get(config, gm_config_find("coherence.protocol"), protocol, sizeof protocol);
    uint64_t banks = config->memory.partitions * config->memory.banks;
    int code = check_networks(config, error);
    if (code < 0) {
        return code;
    }
    switch (config->coherence.protocol) {
    case GM_COHERENCE_NONE:
        return 0;
    case GM_COHERENCE_IDEAL:
        return check_caches(config, protocol, error);
    case GM_COHERENCE_VI:
    case GM_COHERENCE_VINI:
    case GM_COHERENCE_MESI:
        code = check_caches(config, protocol, error);
        return code < 0 ? code : check_directory(config, protocol, error);
    case GM_COHERENCE_TCS:
        if (config->coherence.visible) {
            return gm_fail(error, -EINVAL,
                           "coherence.visible=yes: needs coherence.protocol=tcw: tcs has no GWCTs");
        }
        break;
    case GM_COHERENCE_TCW:
        break;
    }
    code = check_caches(config, protocol, error);
    code = code < 0 ? code
                    : check_slots("l1", config->l1.size / config->l1.line, GM_TC_L1_SLOTS, protocol,
                                  error);
    code = code < 0 ? code
                    : check_slots("l2", config->l2.size / config->l2.line / banks, GM_TC_L2_SLOTS,
                                  protocol, error);
    return code < 0 ? code : check_time(config, error);
}
