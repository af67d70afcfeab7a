/* Checker of the commands of GDDR6's and HBM's channels. */
#include "support/cycle/dram/parts_rules.h"

#include "cache/dram.h"

enum {
    ACT = 1 << GM_GDDR5_ACTIVATE,
    PRE = 1 << GM_GDDR5_PRECHARGE,
    RD = 1 << GM_GDDR5_READ,
    WR = 1 << GM_GDDR5_WRITE,
    REF = 1 << GM_GDDR5_REFRESH,
    REFALL = 1 << GM_GDDR5_REFRESH_ALL,
    ROWS = ACT | PRE | REF | REFALL,
    COLUMNS = RD | WR,
    ANY = ROWS | COLUMNS,
};

/* Which pairs of commands a rule is about. */
typedef enum scope {
    BANK,
    OTHER, /* banks of a part */
    GROUP,
    PART,
} scope;

typedef struct rule {
    const char *name;
    int from, to;
    scope scope;
    uint64_t least; /* from when the DRAM has received the first command to when the next */
} rule;

static uint64_t part_of(const gm_config *config, const test_dram_command *command)
{
    uint64_t parts = config->dram.channels * config->dram.pseudo_channels;
    return command->bank % parts; /* of a REFALL: its number */
}

static uint64_t bank_of(const gm_config *config, const test_dram_command *command)
{
    return command->bank / (config->dram.channels * config->dram.pseudo_channels);
}

/* Parts whose numbers differ in the pseudo-channel alone share a channel's buses. */
static uint64_t channel_of(const gm_config *config, const test_dram_command *command)
{
    return part_of(config, command) / config->dram.pseudo_channels;
}

static bool is_in(scope scope, const gm_config *config, const test_dram_command *a,
                  const test_dram_command *b)
{
    uint64_t groups = config->dram.bank_groups;
    bool all = a->command == GM_GDDR5_REFRESH_ALL || b->command == GM_GDDR5_REFRESH_ALL;
    bool bank = a->bank == b->bank && !all;
    switch (scope) {
    case BANK:
        return bank;
    case OTHER:
        return !bank && !all;
    case GROUP:
        return !all && bank_of(config, a) % groups == bank_of(config, b) % groups;
    case PART:
        break;
    }
    return true;
}

/* An activate is received with its last cycle. */
static gm_cycle received(const gm_config *config, const test_dram_command *command)
{
    bool activate = command->command == GM_GDDR5_ACTIVATE;
    return command->at + (activate ? config->dram.activate_cycles - 1 : 0);
}

static uint64_t either(uint64_t value, uint64_t otherwise)
{
    return value != 0 ? value : otherwise;
}

enum { RULES = 24 };
typedef struct rules {
    rule rule[RULES];
    uint64_t longest; /* of their distances */
} rules;

static rules make_rules(const gm_config *config)
{
    uint64_t burst = config->dram.burst_cycles;
    uint64_t written = config->dram.twl + burst;
    uint64_t turned = config->dram.tcl + burst + 2 - config->dram.twl;
    rules all = {
        .rule = {
            {"tRC", ACT, ACT, BANK, config->dram.trc},
            {"tRAS", ACT, PRE, BANK, config->dram.tras},
            {"tRCD", ACT, RD, BANK, config->dram.trcd},
            {"tRCDW", ACT, WR, BANK, either(config->dram.trcdw, config->dram.trcd)},
            {"tRP", PRE, ACT, BANK, config->dram.trp},
            {"tRTP", RD, PRE, BANK, config->dram.trtp},
            {"tRTPL", RD, PRE, GROUP, config->dram.trtpl},
            {"tWR", WR, PRE, BANK, written + config->dram.twr},
            {"tCCDL", COLUMNS, COLUMNS, GROUP, either(config->dram.tccdl, config->dram.tccd)},
            {"tCDLRL", WR, RD, GROUP, written + either(config->dram.tcdlrl, config->dram.tcdlr)},
            {"tRRDL", ACT, ACT, GROUP, either(config->dram.trrdl, config->dram.trrd)},
            {"tRRD", ACT, ACT, PART, config->dram.trrd},
            {"tCCD", COLUMNS, COLUMNS, PART, config->dram.tccd},
            {"tCDLR", WR, RD, PART, written + config->dram.tcdlr},
            {"tRTW", RD, WR, PART, either(config->dram.trtw, turned)},
            {"tPPD", PRE, PRE, PART, config->dram.tppd},
            {"refresh after tRP", PRE, REF, BANK, config->dram.trp},
            {"refresh after tRP", PRE, REFALL, PART, config->dram.trp},
            {"refresh after tRC", ACT, REF, BANK, config->dram.trc},
            {"refresh after tRC", ACT, REFALL, PART, config->dram.trc},
            {"refresh after tRRD", ACT, REF, OTHER, config->dram.trrd},
            {"tRFCB", REF, ACT | REF, BANK, config->dram.trfcb},
            {"tRREFD", REF, ACT | REF, OTHER, config->dram.trrefd},
            {"tRFC", REFALL, ANY, PART, config->dram.trfc},
        }};
    for (size_t i = 0; i < RULES; i++) {
        uint64_t least = all.rule[i].least;
        all.longest = least > all.longest ? least : all.longest;
    }
    return all;
}

static const char *broken(const gm_config *config, const rules *all, const test_dram_command *a,
                          const test_dram_command *b)
{
    gm_cycle first = received(config, a);
    gm_cycle second = received(config, b);
    for (size_t i = 0; second < first + all->longest && i < RULES; i++) {
        const rule *rule = &all->rule[i];
        bool applies = (rule->from >> a->command & 1) != 0 && (rule->to >> b->command & 1) != 0 &&
                       second < first + rule->least;
        if (applies && is_in(rule->scope, config, a, b)) {
            return rule->name;
        }
    }
    return NULL;
}

/* True if both commands' data overlap on the part's data bus. */
static bool data_overlap(const gm_config *config, const test_dram_command *a,
                         const test_dram_command *b)
{
    if ((COLUMNS >> a->command & 1) == 0 || (COLUMNS >> b->command & 1) == 0) {
        return false;
    }
    gm_cycle first = a->at + (a->command == GM_GDDR5_READ ? config->dram.tcl : config->dram.twl);
    gm_cycle second = b->at + (b->command == GM_GDDR5_READ ? config->dram.tcl : config->dram.twl);
    return second < first + config->dram.burst_cycles && first < second + config->dram.burst_cycles;
}

/* True if both commands are on one bus of a channel at one time. */
static bool bus_overlap(const gm_config *config, const test_dram_command *a,
                        const test_dram_command *b)
{
    bool apart = (ROWS >> a->command & 1) != (ROWS >> b->command & 1) && config->dram.dual_bus;
    if (apart || channel_of(config, a) != channel_of(config, b)) {
        return false;
    }
    return b->at <= received(config, a) && a->at <= received(config, b);
}

/* No rule reaches further back than the sum of all distances. */
static uint64_t reach(const gm_config *config)
{
    return config->dram.trc + config->dram.tras + config->dram.trp + config->dram.trcd +
           config->dram.trcdw + config->dram.trtp + config->dram.trtpl + config->dram.twl +
           config->dram.twr + config->dram.tcl + config->dram.tcdlr + config->dram.tcdlrl +
           config->dram.tccd + config->dram.tccdl + config->dram.trrd + config->dram.trrdl +
           config->dram.trtw + config->dram.tfaw + config->dram.tppd + config->dram.trfc +
           config->dram.trfcb + config->dram.trrefd + 2 * config->dram.burst_cycles + 8;
}

const char *test_parts_rule(const gm_config *config, const test_dram_command *history, size_t count,
                            const test_dram_command *next)
{
    uint64_t far = reach(config);
    const rules all = make_rules(config);
    unsigned activates = 0; /* of the part */
    for (size_t i = count; i > 0 && history[i - 1].at + far >= next->at; i--) {
        const test_dram_command *before = &history[i - 1];
        if (before->at > next->at) {
            return "order of time";
        }
        if (bus_overlap(config, before, next)) {
            return "command bus";
        }
        if (part_of(config, before) != part_of(config, next)) {
            continue;
        }
        const char *rule = broken(config, &all, before, next);
        if (rule == NULL && data_overlap(config, before, next)) {
            rule = "data bus";
        }
        activates += before->command == GM_GDDR5_ACTIVATE;
        if (rule == NULL && activates == 4 && before->command == GM_GDDR5_ACTIVATE &&
            next->command == GM_GDDR5_ACTIVATE && next->at < before->at + config->dram.tfaw) {
            rule = "tFAW";
        }
        if (rule != NULL) {
            return rule;
        }
    }
    return NULL;
}

gm_cycle test_parts_due(const gm_config *config, uint64_t part, uint64_t number)
{
    bool one = config->dram.refresh == GM_REFRESH_BANK;
    uint64_t interval = config->dram.trefi / (one ? config->dram.banks : 1);
    uint64_t parts = config->dram.channels * config->dram.pseudo_channels;
    return interval * (number + 1) + part * interval / parts;
}

const char *test_parts_refresh(const gm_config *config, const test_dram_log *log, size_t *at)
{
    uint64_t done[GM_GDDR5_BANKS] = {0}; /* refreshes of a part */
    uint64_t parts = config->dram.channels * config->dram.pseudo_channels;
    gm_dram_refresh kind = config->dram.refresh;
    for (*at = 0; *at < log->commands; (*at)++) {
        const test_dram_command *command = &log->command[*at];
        uint64_t part = part_of(config, command);
        bool one = command->command == GM_GDDR5_REFRESH;
        if (one || command->command == GM_GDDR5_REFRESH_ALL) {
            if (kind != (one ? GM_REFRESH_BANK : GM_REFRESH_ALL)) {
                return "a refresh of the wrong kind";
            }
            if (command->at < test_parts_due(config, part, done[part])) {
                return "a refresh before it is due";
            }
            if (one && bank_of(config, command) != done[part] % config->dram.banks) {
                return "a refresh of a bank whose turn it is not";
            }
            done[part]++;
        }
        for (part = 0; kind != GM_REFRESH_NONE && part < parts; part++) {
            if (command->at >
                test_parts_due(config, part, done[part] + 1)) { /* the next one is due too */
                return "tREFI";
            }
        }
    }
    return NULL;
}
