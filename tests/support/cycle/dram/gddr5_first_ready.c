/* FR-FCFS the slow way: in each DRAM cycle every request in the queue is tried against every rule
 * and every command before; with parts, until the cycle has no more commands, refreshes first. */
#include "support/cycle/dram/parts_rules.h"

#include "cache/dram.h"
#include "cycle/dram/parts.h"

#include <inttypes.h>
#include <stdlib.h>

typedef struct waiting {
    uint64_t row;
    uint32_t bank;
    uint32_t first_column;
    uint32_t left; /* bursts without a command, a bit each */
    bool begun, write;
    bool late;  /* dram.commit_row: to the open row, when its bank had chosen another */
    bool given; /* dram.bank_turns: its bank serves it */
} waiting;

typedef struct machine {
    const gm_config *config;
    const test_dram_log *log;
    waiting *request; /* [pushes] */
    size_t first, admitted;
    uint64_t queued, begun_reads;
    uint64_t served; /* dram.bank_turns: requests that banks serve, of `queued` */
    uint64_t first_bank;
    gm_cycle given_at; /* + 1: DRAM cycle of the last request given, or of the last command */
    uint64_t open[GM_GDDR5_BANKS];      /* row + 1 */
    uint64_t refreshed[GM_GDDR5_BANKS]; /* refreshes of a part */
    size_t issued;
    bool parts;
} machine;

static void describe(const gm_config *config, const gm_dram_request *from, waiting *to)
{
    uint64_t in_row = 0;
    uint64_t row = test_dram_row(config, from->address, &in_row);
    *to = (waiting){.bank = (uint32_t)(row % gm_dram_banks(config)),
                    .row = row / gm_dram_banks(config),
                    .first_column = (uint32_t)(in_row / config->dram.burst),
                    .write = from->write};
    for (uint64_t burst = 0; burst < 32; burst++) {
        for (uint64_t i = 0; i < 32; i++) {
            uint64_t column = (in_row + i * 32) / config->dram.burst;
            if ((from->sectors >> i & 1) != 0 && column == to->first_column + burst) {
                to->left |= UINT32_C(1) << burst;
            }
        }
    }
}

/* True if DRAM cycle `at` begins in core cycle `core` or later. */
static bool reached(const machine *machine, gm_cycle at, gm_cycle core)
{
    return at * machine->config->clock.core >= core * machine->config->clock.dram;
}

/* True if a new request comes late for the open row: its bank has others, and none to that row. */
static bool comes_late(const machine *machine, const waiting *request)
{
    bool others = false;
    bool hits = false;
    for (size_t i = machine->first; i < machine->admitted; i++) {
        const waiting *other = &machine->request[i];
        bool waits = other->left != 0 && other->bank == request->bank;
        others |= waits;
        hits |= waits && !other->late && machine->open[other->bank] == other->row + 1;
    }
    return machine->config->dram.commit_row && !machine->config->dram.bank_turns && others && !hits;
}

static void admit(machine *machine, gm_cycle at)
{
    uint64_t way = machine->config->dram.latency > 1 ? machine->config->dram.latency : 1;
    while (machine->admitted < machine->log->pushes &&
           machine->queued - machine->served < machine->config->dram.queue &&
           reached(machine, at, machine->log->push[machine->admitted].at + way)) {
        waiting *request = &machine->request[machine->admitted];
        request->late = comes_late(machine, request);
        machine->admitted++;
        machine->queued++;
    }
}

/* Answers that are taken or promised at the beginning of DRAM cycle `at`. */
static uint64_t answers_held(const machine *machine, gm_cycle at)
{
    uint64_t taken = 0;
    while (taken < machine->log->takes && reached(machine, at, machine->log->take[taken].at + 1)) {
        taken++;
    }
    return machine->begun_reads - taken;
}

static uint32_t lowest(uint32_t bits)
{
    return (uint32_t)__builtin_ctz(bits);
}

static bool allowed(const machine *machine, const test_dram_command *command)
{
    const test_dram_command *history = machine->log->command;
    return (machine->parts
                ? test_parts_rule(machine->config, history, machine->issued, command)
                : test_dram_rule(machine->config, history, machine->issued, command)) == NULL;
}

static uint64_t parts_of(const machine *machine)
{
    return machine->config->dram.channels * machine->config->dram.pseudo_channels;
}

/* True if a refresh of this bank is due. */
static bool refreshes(const machine *machine, uint32_t bank, gm_cycle at)
{
    const gm_config *config = machine->config;
    uint64_t part = bank % parts_of(machine);
    uint64_t done = machine->refreshed[part];
    bool turn = config->dram.refresh == GM_REFRESH_ALL ||
                bank / parts_of(machine) == done % config->dram.banks;
    return config->dram.refresh != GM_REFRESH_NONE && turn &&
           at >= test_parts_due(config, part, done);
}

/* True if an activate in cycle `at` would put off a refresh of another bank, which is due. */
static bool puts_off(const machine *machine, uint32_t bank, gm_cycle at)
{
    const gm_config *config = machine->config;
    uint64_t part = bank % parts_of(machine);
    uint64_t done = machine->refreshed[part];
    uint32_t next = (uint32_t)(done % config->dram.banks * parts_of(machine) + part);
    if (config->dram.refresh != GM_REFRESH_BANK || machine->open[next] != 0 ||
        at < test_parts_due(config, part, done)) {
        return false;
    }
    uint64_t least = config->dram.trrd + config->dram.activate_cycles - 1;
    bool goes = false; /* before the activate lets it */
    for (gm_cycle then = at; then < at + least; then++) {
        test_dram_command refresh = {then, GM_GDDR5_REFRESH, next, 0, 0};
        goes = goes || allowed(machine, &refresh);
    }
    return goes;
}

/* The next command of the part's refresh, if it is due and the command can go. */
static bool refresh_part(machine *machine, uint32_t part, gm_cycle at, test_dram_command *command)
{
    bool open = false;
    bool due = false;
    for (uint32_t bank = part; bank < gm_dram_banks(machine->config);
         bank += (uint32_t)parts_of(machine)) {
        if (!refreshes(machine, bank, at)) {
            continue;
        }
        due = true;
        uint64_t row = machine->open[bank];
        if (row != 0) {
            open = true;
            *command = (test_dram_command){at, GM_GDDR5_PRECHARGE, bank, 0, row - 1};
            if (allowed(machine, command)) {
                machine->open[bank] = 0;
                return true;
            }
        } else if (machine->config->dram.refresh == GM_REFRESH_BANK) {
            *command = (test_dram_command){at, GM_GDDR5_REFRESH, bank, 0, 0};
        }
    }
    if (due && machine->config->dram.refresh == GM_REFRESH_ALL) {
        *command = (test_dram_command){at, GM_GDDR5_REFRESH_ALL, part, 0, 0};
    }
    bool goes = due && !open && allowed(machine, command);
    machine->refreshed[part] += goes;
    return goes;
}

static bool refresh(machine *machine, gm_cycle at, test_dram_command *command)
{
    for (uint32_t part = 0; machine->parts && part < parts_of(machine); part++) {
        if (refresh_part(machine, part, at, command)) {
            return true;
        }
    }
    return false;
}

static bool serves(const machine *machine, uint64_t bank)
{
    bool any = false;
    for (size_t i = machine->first; i < machine->admitted; i++) {
        const waiting *request = &machine->request[i];
        any = any || (request->given && request->left != 0 && request->bank == bank);
    }
    return any;
}

/* The request that a bank is given: the oldest to its open row, else the oldest; of which a refresh
 * has interrupted the bursts, if there is one. */
static waiting *next_of(const machine *machine, uint64_t bank)
{
    waiting *best = NULL;
    int best_rank = 0;
    for (size_t i = machine->first; i < machine->admitted; i++) {
        waiting *request = &machine->request[i];
        if (request->left == 0 || request->bank != bank) {
            continue;
        }
        int rank = 1 + (machine->open[bank] == request->row + 1) + 2 * request->begun;
        if (rank > best_rank) {
            best = request;
            best_rank = rank;
        }
    }
    return best;
}

/* dram.bank_turns: the first bank in order that has requests and serves none is given one. */
static void give(machine *machine, gm_cycle at)
{
    uint64_t banks = gm_dram_banks(machine->config);
    if (!machine->config->dram.bank_turns || machine->given_at == at + 1) {
        return;
    }
    for (uint64_t i = 0; i < banks; i++) {
        uint64_t bank = (machine->first_bank + i) % banks;
        waiting *request = serves(machine, bank) ? NULL : next_of(machine, bank);
        if (request != NULL) {
            request->given = true;
            machine->served++;
            machine->first_bank = (machine->first_bank + 1) % banks;
            machine->given_at = at + 1;
            return;
        }
    }
}

/* dram.bank_turns: the commands of a cycle, in the order of their banks. A bank without its row
 * open opens it for the request that it serves. */
static bool by_turns(machine *machine, gm_cycle at, bool columns, size_t *served,
                     test_dram_command *command)
{
    uint64_t held = answers_held(machine, at);
    uint64_t banks = gm_dram_banks(machine->config);
    for (uint64_t k = 0; k < banks; k++) {
        uint64_t bank = (machine->first_bank + k) % banks;
        for (size_t i = machine->first; i < machine->admitted; i++) {
            const waiting *request = &machine->request[i];
            if (!request->given || request->left == 0 || request->bank != bank ||
                refreshes(machine, request->bank, at)) {
                continue;
            }
            uint64_t open = machine->open[bank];
            bool hit = open == request->row + 1;
            bool room =
                request->write || request->begun || held < machine->config->dram.return_queue;
            gm_gddr5_command kind = hit         ? (request->write ? GM_GDDR5_WRITE : GM_GDDR5_READ)
                                    : open != 0 ? GM_GDDR5_PRECHARGE
                                                : GM_GDDR5_ACTIVATE;
            *command = (test_dram_command){at, kind, request->bank,
                                           hit ? request->first_column + lowest(request->left) : 0,
                                           hit || open == 0 ? request->row : open - 1};
            *served = i;
            if (hit == columns && (!hit || room) &&
                (kind != GM_GDDR5_ACTIVATE || !puts_off(machine, request->bank, at)) &&
                allowed(machine, command)) {
                return true;
            }
        }
    }
    return false;
}

/* A command on a column for the oldest request that can have one; marks banks that have hits. */
static bool column(machine *machine, gm_cycle at, bool *hit, size_t *served,
                   test_dram_command *command)
{
    uint64_t held = answers_held(machine, at);
    bool found = false;
    for (size_t i = machine->first; i < machine->admitted; i++) {
        const waiting *request = &machine->request[i];
        if (request->left == 0 || hit[request->bank] || request->late ||
            machine->open[request->bank] != request->row + 1) {
            continue;
        }
        hit[request->bank] = true;
        if (refreshes(machine, request->bank, at)) {
            continue;
        }
        bool room = request->write || request->begun || held < machine->config->dram.return_queue;
        test_dram_command own = {at, request->write ? GM_GDDR5_WRITE : GM_GDDR5_READ, request->bank,
                                 request->first_column + lowest(request->left), request->row};
        if (!found && room && allowed(machine, &own)) {
            found = true;
            *served = i;
            *command = own;
        }
    }
    return found;
}

/* True if another request of its bank goes first: one whose bursts a refresh has interrupted. */
static bool waits_for_begun(const machine *machine, size_t number)
{
    bool begun = false;
    for (size_t i = machine->first; i < machine->admitted; i++) {
        const waiting *other = &machine->request[i];
        begun = begun || (i != number && other->begun && other->left != 0 &&
                          other->bank == machine->request[number].bank);
    }
    return begun;
}

/* A command on a row for the oldest request of a bank without hits that can have one. */
static bool row(const machine *machine, gm_cycle at, bool *seen, test_dram_command *command)
{
    for (size_t i = machine->first; i < machine->admitted; i++) {
        const waiting *request = &machine->request[i];
        if (request->left == 0 || seen[request->bank] || refreshes(machine, request->bank, at) ||
            waits_for_begun(machine, i)) {
            continue;
        }
        seen[request->bank] = true;
        uint64_t open = machine->open[request->bank];
        *command = (test_dram_command){at, open != 0 ? GM_GDDR5_PRECHARGE : GM_GDDR5_ACTIVATE,
                                       request->bank, 0, open != 0 ? open - 1 : request->row};
        if (open == 0 && machine->parts && puts_off(machine, request->bank, at)) {
            continue;
        }
        if (allowed(machine, command)) {
            return true;
        }
    }
    return false;
}

/* The command of DRAM cycle `at`, if there is one, and its effects. */
static bool next_command(machine *machine, gm_cycle at, test_dram_command *command)
{
    bool seen[GM_GDDR5_BANKS] = {false};
    size_t served = 0;
    admit(machine, at);
    give(machine, at);
    if (refresh(machine, at, command)) {
        machine->given_at = at + 1;
        return true;
    }
    bool turns = machine->config->dram.bank_turns;
    if (turns ? by_turns(machine, at, true, &served, command)
              : column(machine, at, seen, &served, command)) {
        waiting *request = &machine->request[served];
        machine->given_at = at + 1;
        machine->served -= turns && (request->left & (request->left - 1)) == 0;
        machine->begun_reads += !request->write && !request->begun;
        request->begun = true;
        request->left &= request->left - 1;
        machine->queued -= request->left == 0;
        while (machine->first < machine->admitted && machine->request[machine->first].left == 0) {
            machine->first++;
        }
        return true;
    }
    if (turns ? by_turns(machine, at, false, &served, command) : row(machine, at, seen, command)) {
        machine->given_at = at + 1;
        machine->first_bank = (command->bank + 1) % gm_dram_banks(machine->config);
        bool opens = command->command == GM_GDDR5_ACTIVATE;
        machine->open[command->bank] = opens ? command->row + 1 : 0;
        for (size_t i = machine->first; opens && i < machine->admitted; i++) {
            machine->request[i].late &= machine->request[i].bank != command->bank;
        }
        return true;
    }
    return false;
}

static bool same(const test_dram_command *a, const test_dram_command *b)
{
    return a->at == b->at && a->command == b->command && a->bank == b->bank &&
           a->column == b->column && a->row == b->row;
}

bool test_dram_first_ready(const gm_config *config, const test_dram_log *log, char *text,
                           size_t size)
{
    machine machine = {.config = config, .log = log, .parts = gm_dram_parts_bytes(config) != 0};
    machine.request = calloc(log->pushes + 1, sizeof *machine.request);
    if (machine.request == NULL) {
        abort();
    }
    for (size_t i = 0; i < log->pushes; i++) {
        describe(config, &log->push[i].request, &machine.request[i]);
    }
    bool equal = true;
    gm_cycle end = log->commands == 0 ? 0 : log->command[log->commands - 1].at;
    bool more = machine.parts; /* commands in this cycle */
    for (gm_cycle at = 0; equal && at <= end && machine.issued < log->commands; at += !more) {
        test_dram_command expected = {0};
        bool any = next_command(&machine, at, &expected);
        const test_dram_command *actual = &log->command[machine.issued];
        equal = any ? same(&expected, actual) : actual->at != at;
        machine.issued += any;
        more = any && machine.parts;
        if (!equal) {
            (void)snprintf(text, size,
                           "DRAM cycle %" PRIu64 ": %s command %d, bank %" PRIu32 ", row %" PRIu64
                           "; the channel: cycle %" PRIu64 " command %d, bank %" PRIu32
                           ", row %" PRIu64,
                           at, any ? "" : "no", (int)expected.command, expected.bank, expected.row,
                           actual->at, (int)actual->command, actual->bank, actual->row);
        }
    }
    free(machine.request);
    return equal;
}
