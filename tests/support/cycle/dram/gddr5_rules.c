/* Checker of a GDDR5 channel's commands: timing, states of rows, service of requests. */
#include "support/cycle/dram/parts_rules.h"

#include "cache/dram.h"
#include "cycle/dram/parts.h"

#include <inttypes.h>
#include <stdlib.h>

static const char *const names[] = {"ACT", "PRE", "RD", "WR", "REF", "REFALL"};

static bool is_column(const test_dram_command *command)
{
    return command->command == GM_GDDR5_READ || command->command == GM_GDDR5_WRITE;
}

/* True if the pair has these two kinds. */
static bool pair(const test_dram_command *first, const test_dram_command *second,
                 gm_gddr5_command a, gm_gddr5_command b)
{
    return first->command == a && second->command == b;
}

/* First cycle of a column command's data on the bus. */
static gm_cycle data_of(const gm_config *config, const test_dram_command *command)
{
    return command->at + (command->command == GM_GDDR5_READ ? config->dram.tcl : config->dram.twl);
}

static const char *broken_by_rows(const gm_config *config, const test_dram_command *a,
                                  const test_dram_command *b, uint64_t gap)
{
    bool same_bank = a->bank == b->bank;
    uint64_t written = config->dram.twl + config->dram.burst_cycles + config->dram.twr;
    const struct {
        bool applies;
        uint64_t least;
        const char *name;
    } rules[] = {
        {same_bank && pair(a, b, GM_GDDR5_ACTIVATE, GM_GDDR5_ACTIVATE), config->dram.trc, "tRC"},
        {pair(a, b, GM_GDDR5_ACTIVATE, GM_GDDR5_ACTIVATE), config->dram.trrd, "tRRD"},
        {same_bank && pair(a, b, GM_GDDR5_ACTIVATE, GM_GDDR5_PRECHARGE), config->dram.tras, "tRAS"},
        {same_bank && pair(a, b, GM_GDDR5_PRECHARGE, GM_GDDR5_ACTIVATE), config->dram.trp, "tRP"},
        {same_bank && pair(a, b, GM_GDDR5_ACTIVATE, GM_GDDR5_READ), config->dram.trcd, "tRCD"},
        {same_bank && pair(a, b, GM_GDDR5_ACTIVATE, GM_GDDR5_WRITE),
         config->dram.trcdw != 0 ? config->dram.trcdw : config->dram.trcd, "tRCDW"},
        {same_bank && pair(a, b, GM_GDDR5_READ, GM_GDDR5_PRECHARGE), config->dram.trtp, "tRTP"},
        {same_bank && pair(a, b, GM_GDDR5_WRITE, GM_GDDR5_PRECHARGE), written, "tWR"},
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        if (rules[i].applies && gap < rules[i].least) {
            return rules[i].name;
        }
    }
    return NULL;
}

static const char *broken_by_columns(const gm_config *config, const test_dram_command *a,
                                     const test_dram_command *b, uint64_t gap)
{
    uint64_t groups = config->dram.bank_groups;
    uint64_t burst = config->dram.burst_cycles;
    gm_cycle first = data_of(config, a);
    gm_cycle second = data_of(config, b);
    if (gap < config->dram.tccd) {
        return "tCCD";
    }
    if (a->bank % groups == b->bank % groups && gap < config->dram.tccdl) {
        return "tCCDL";
    }
    if (second < first + burst && first < second + burst) {
        return "data bus";
    }
    if (pair(a, b, GM_GDDR5_READ, GM_GDDR5_WRITE) && second < first + burst + 2) {
        return "read to write"; /* the bus turns round in two cycles [GPGPU-Sim, tRTW] */
    }
    if (pair(a, b, GM_GDDR5_WRITE, GM_GDDR5_READ) && b->at < first + burst + config->dram.tcdlr) {
        return "tCDLR";
    }
    return NULL;
}

/* No rule reaches further back. */
static uint64_t reach(const gm_config *config)
{
    return config->dram.trc + config->dram.trrd + config->dram.tras + config->dram.trp +
           config->dram.trcd + config->dram.trtp + config->dram.twl + config->dram.twr +
           config->dram.tcl + config->dram.tcdlr + config->dram.tccd + config->dram.tccdl +
           2 * config->dram.burst_cycles + 2;
}

const char *test_dram_rule(const gm_config *config, const test_dram_command *history, size_t count,
                           const test_dram_command *next)
{
    uint64_t far = reach(config);
    for (size_t i = count; i > 0 && history[i - 1].at + far >= next->at; i--) {
        const test_dram_command *before = &history[i - 1];
        if (before->at >= next->at) {
            return "one command a cycle";
        }
        uint64_t gap = next->at - before->at;
        const char *rule = broken_by_rows(config, before, next, gap);
        if (rule == NULL && is_column(before) && is_column(next)) {
            rule = broken_by_columns(config, before, next, gap);
        }
        if (rule != NULL) {
            return rule;
        }
    }
    return NULL;
}

/* What has been done for a request. */
typedef struct service {
    gm_cycle end;        /* of its data on the bus */
    uint64_t wanted;     /* columns of its bursts from its first on, a bit each */
    uint64_t row_number; /* in the channel */
    uint32_t column;
    bool answered;
} service;

/* The row of a partition's address, and the byte in it. Pieces of dram.low_bytes bytes, or of
 * memory.interleave, lie in low_banks banks of each part in turn; if there is one bank, in its
 * order. Behind the last of dram.rows rows of the banks comes the first again. */
uint64_t test_dram_row(const gm_config *config, uint64_t address, uint64_t *in_row)
{
    bool own = config->dram.low_bytes != 0;
    uint64_t piece = own ? config->dram.low_bytes : config->memory.interleave;
    uint64_t turn = config->dram.low_banks * config->dram.channels * config->dram.pseudo_channels;
    uint64_t lane = address / piece % turn;
    uint64_t within = address / piece / turn * piece + address % piece;
    *in_row = within % config->dram.row;
    uint64_t row = within / config->dram.row * turn + lane;
    return config->dram.rows == 0 ? row : row % (config->dram.rows * gm_dram_banks(config));
}

static void plan(const gm_config *config, const gm_dram_request *request, service *to)
{
    uint64_t in_row = 0;
    *to = (service){.row_number = test_dram_row(config, request->address, &in_row)};
    to->column = (uint32_t)(in_row / config->dram.burst);
    for (uint64_t i = 0; i < 32; i++) {
        if (request->sectors >> i & 1) {
            to->wanted |= UINT64_C(1) << ((in_row + i * 32) / config->dram.burst - to->column);
        }
    }
}

/* The oldest request to the command's row that still wants a burst. */
static size_t served_by(const gm_config *config, const test_dram_log *log, const service *services,
                        const test_dram_command *command)
{
    uint64_t row_number = command->row * gm_dram_banks(config) + command->bank;
    for (size_t i = 0; i < log->pushes; i++) {
        if (services[i].wanted != 0 && services[i].row_number == row_number) {
            return i;
        }
    }
    return log->pushes;
}

static const char *serve(const gm_config *config, const test_dram_log *log, service *services,
                         const test_dram_command *command)
{
    size_t number = served_by(config, log, services, command);
    if (number == log->pushes) {
        return "a burst that nobody wants";
    }
    const test_dram_push *push = &log->push[number];
    service *service = &services[number];
    uint64_t bit = UINT64_C(1) << ((command->column - service->column) & 63);
    if (push->request.write != (command->command == GM_GDDR5_WRITE)) {
        return "not the oldest request's direction";
    }
    if ((service->wanted & bit) == 0) {
        return "not a burst of the oldest request";
    }
    /* DRAM cycle t begins at core cycle t * core / dram */
    uint64_t way = config->dram.latency > 1 ? config->dram.latency : 1;
    if (command->at * config->clock.core < (push->at + way) * config->clock.dram) {
        return "before its arrival";
    }
    service->wanted &= ~bit;
    service->end = data_of(config, command) + config->dram.burst_cycles;
    return NULL;
}

/* True if each row is open or closed as the command needs it. */
static bool rows_are_right(const gm_config *config, const uint64_t *open,
                           const test_dram_command *command)
{
    bool opens = command->command == GM_GDDR5_ACTIVATE || command->command == GM_GDDR5_REFRESH;
    if (command->command != GM_GDDR5_REFRESH_ALL) {
        return open[command->bank] == (opens ? 0 : command->row + 1);
    }
    uint64_t parts = config->dram.channels * config->dram.pseudo_channels;
    uint64_t any = 0;
    for (uint64_t bank = command->bank; bank < gm_dram_banks(config); bank += parts) {
        any |= open[bank];
    }
    return any == 0;
}

static const char *replay(const gm_config *config, const test_dram_log *log, service *services,
                          size_t *at)
{
    uint64_t open[GM_GDDR5_BANKS] = {0}; /* row + 1 */
    bool parts = gm_dram_parts_bytes(config) != 0;
    for (*at = 0; *at < log->commands; (*at)++) {
        const test_dram_command *command = &log->command[*at];
        const char *fault = parts ? test_parts_rule(config, log->command, *at, command)
                                  : test_dram_rule(config, log->command, *at, command);
        if (fault == NULL && !rows_are_right(config, open, command)) {
            fault = "another row is open, or none";
        }
        if (command->command == GM_GDDR5_ACTIVATE || command->command == GM_GDDR5_PRECHARGE) {
            open[command->bank] = command->command == GM_GDDR5_ACTIVATE ? command->row + 1 : 0;
        } else if (fault == NULL && is_column(command)) {
            fault = serve(config, log, services, command);
        }
        if (fault != NULL) {
            return fault;
        }
    }
    return NULL;
}

/* Each request is served; each read is answered once, in the first core cycle that begins when its
 * data are there, or after the answer before it. */
static const char *answers(const gm_config *config, const test_dram_log *log, service *services)
{
    gm_cycle free_from[64] = {0}; /* L2 bank: cycle after it took the answer before */
    for (size_t i = 0; i < log->takes; i++) {
        const test_dram_take *take = &log->take[i];
        service *service = &services[take->id];
        const test_dram_push *push = &log->push[take->id];
        if (push->request.write || service->answered || push->request.bank != take->bank) {
            return "an answer that nobody waits for";
        }
        uint64_t there =
            (service->end * config->clock.core + config->clock.dram - 1) / config->clock.dram;
        uint64_t earliest = there > free_from[take->bank] ? there : free_from[take->bank];
        if (service->wanted != 0 || take->seen != earliest || take->at < take->seen) {
            return "an answer, but not when its data are there";
        }
        free_from[take->bank] = take->at + 1;
        service->answered = true;
    }
    for (size_t i = 0; i < log->pushes; i++) {
        if (services[i].wanted != 0 || services[i].answered == log->push[i].request.write) {
            return "a request that was not served";
        }
    }
    return NULL;
}

bool test_dram_fault(const gm_config *config, const test_dram_log *log, char *text, size_t size)
{
    service *services = calloc(log->pushes + 1, sizeof *services);
    if (services == NULL) {
        abort();
    }
    for (size_t i = 0; i < log->pushes; i++) {
        plan(config, &log->push[i].request, &services[i]);
    }
    size_t at = 0;
    const char *fault = replay(config, log, services, &at);
    fault = fault == NULL ? test_parts_refresh(config, log, &at) : fault;
    if (fault != NULL) {
        const test_dram_command *command = &log->command[at];
        (void)snprintf(text, size,
                       "%s: %s of bank %" PRIu32 ", row %" PRIu64 " in DRAM cycle %" PRIu64, fault,
                       names[command->command], command->bank, command->row, command->at);
    } else {
        fault = answers(config, log, services);
        (void)snprintf(text, size, "%s", fault != NULL ? fault : "");
    }
    free(services);
    return fault != NULL;
}
