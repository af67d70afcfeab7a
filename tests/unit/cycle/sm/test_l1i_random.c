/* Instruction cache of an SM beside a second implementation of fetch and issue, cycle by cycle,
 * with tables in place of tags, MSHRs and rings: random programs without registers, in one
 * scheduler, issue in the same cycles, and every counter of the cache is equal. */
#include "support/cycle/sm/sm_run.h"

enum { WARPS = 8, LINES = 65, ROUNDS = 400 };

/* A line: in the cache, asked for, or neither. */
typedef struct model_line {
    bool held, asked;
    uint64_t used;         /* when held: time of its last use, which LRU compares */
    uint32_t order[WARPS]; /* warps that wait for it, in the order of their look-ups */
    uint32_t waiting, left;
    gm_cycle since;
} model_line;

typedef struct model_warp {
    uint32_t next;       /* instruction */
    uint32_t buffered;   /* instructions */
    uint64_t line;       /* of these */
    gm_cycle from;       /* first cycle in which the next can issue */
    bool refused, waits; /* for its turn after a free entry; for a line */
} model_warp;

typedef struct model {
    const sm_run *run;
    uint64_t sets, ways;
    uint32_t packets; /* of a line */
    uint64_t uses;
    uint32_t turn;    /* slot of the last look-up */
    uint32_t entries; /* lines asked for */
    uint32_t last;    /* warp that issued last */
    model_warp warp[WARPS];
    model_line line[LINES];
    uint64_t arrived[LINES]; /* lines with data and waiting warps, oldest first */
    uint32_t arrivals;
    sm_unit wire;              /* answers as the run's does */
    uint64_t asked[4 * LINES]; /* line of each number given to the wire */
    uint32_t numbers;
    gm_l1i_statistics count;
    uint64_t slots_fetch;
    sm_issue log[SM_LOG];
    uint32_t logged;
} model;

static const sm_program *program_of(const model *it, uint32_t warp)
{
    return &it->run->program[0][warp];
}

static uint64_t line_of(const model *it, uint32_t warp)
{
    uint64_t pc = program_of(it, warp)->instruction[it->warp[warp].next].pc;
    return pc / it->run->config.l1i.line;
}

/* The line that a fetch looks up: of the next instruction; with l1i.fetch=behind of what lies
 * behind the last instruction.
 */
static uint64_t line_asked(const model *it, uint32_t warp)
{
    uint32_t next = it->warp[warp].next;
    if (it->run->config.l1i.fetch == GM_L1I_FETCH_NEXT || next == 0) {
        return line_of(it, warp);
    }
    return (program_of(it, warp)->instruction[next - 1].pc + 16) / it->run->config.l1i.line;
}

static bool wants_fetch(const model *it, uint32_t warp)
{
    const model_warp *own = &it->warp[warp];
    return own->next < program_of(it, warp)->count && own->buffered == 0 && !own->refused &&
           !own->waits;
}

/* Sends the packets of a line, as the run's unit takes them. */
static void ask(model *it, uint64_t line, gm_cycle now)
{
    gm_cycle wake = GM_NEVER;
    it->wire.unit.wake = &wake;
    for (uint32_t i = 0; i < it->packets; i++) {
        it->asked[it->numbers % (4 * LINES)] = line;
        gm_load_store_fetch(&it->wire.unit, 0, 1, it->numbers++, now);
    }
    it->wire.unit.wake = NULL;
}

/* The line has arrived: it takes the way of the line of its set that was used longest ago. */
static void install(model *it, uint64_t number, gm_cycle now)
{
    uint64_t held = 0;
    uint64_t oldest = UINT64_MAX;
    for (uint64_t i = number % it->sets; i < LINES; i += it->sets) {
        held += it->line[i].held;
        if (it->line[i].held &&
            (oldest == UINT64_MAX || it->line[i].used < it->line[oldest].used)) {
            oldest = i;
        }
    }
    if (held == it->ways) {
        it->line[oldest].held = false;
        it->count.evictions++;
    }
    it->line[number].held = true;
    it->line[number].used = ++it->uses;
    it->count.fill_cycles += now - it->line[number].since;
    it->count.sectors_filled += it->run->config.l1i.line / 32;
    it->arrived[it->arrivals++] = number;
}

static void take_answer(model *it, gm_cycle now)
{
    gm_cycle wake = GM_NEVER;
    it->wire.unit.wake = &wake;
    it->wire.unit.l1.fetched = 0;
    sm_answer_fetch(&it->wire.unit, now);
    if (it->wire.unit.l1.fetched != 0) {
        uint64_t line = it->asked[(it->wire.unit.l1.fetched - 1) % (4 * LINES)];
        if (--it->line[line].left == 0) {
            install(it, line, now);
        }
    }
}

static void give(model *it, uint32_t warp, gm_cycle from)
{
    model_warp *own = &it->warp[warp];
    own->waits = false;
    own->buffered = (uint32_t)it->run->config.sm.fetch;
    own->line = line_of(it, warp);
    own->from = from;
}

/* Serves the next warp of the line that arrived first. */
static void serve(model *it, gm_cycle from)
{
    model_line *line = &it->line[it->arrived[0]];
    give(it, line->order[0], from);
    line->waiting--;
    memmove(line->order, line->order + 1, line->waiting * sizeof line->order[0]);
    if (line->waiting == 0) {
        line->asked = false;
        it->entries--;
        it->arrivals--;
        memmove(it->arrived, it->arrived + 1, it->arrivals * sizeof it->arrived[0]);
        for (uint32_t i = 0; i < WARPS; i++) {
            it->warp[i].refused = false;
        }
    }
}

static void look_up(model *it, uint32_t warp, gm_cycle from, gm_cycle now)
{
    const gm_config *config = &it->run->config;
    uint64_t number = line_asked(it, warp);
    model_line *line = &it->line[number];
    it->turn = warp;
    it->count.accesses++;
    if (line->held) {
        line->used = ++it->uses;
        it->count.hits++;
        give(it, warp, from + config->l1i.latency);
        return;
    }
    if (line->asked ? line->waiting == config->l1i.merges : it->entries == config->l1i.mshrs) {
        it->count.fails++;
        it->warp[warp].refused = true;
        return;
    }
    *(line->asked ? &it->count.hits_pending : &it->count.misses) += 1;
    if (!line->asked) {
        it->entries++;
        line->asked = true;
        line->since = now;
        line->left = it->packets;
        ask(it, number, now);
    }
    it->warp[warp].waits = true;
    line->order[line->waiting++] = warp;
}

static void fetch(model *it, gm_cycle now)
{
    for (uint64_t left = it->run->config.sm.fetch_warps; left > 0; left--) {
        gm_cycle from = left == 1 ? now + 2 : now + 1;
        if (it->arrivals != 0) {
            serve(it, from);
            continue;
        }
        uint32_t slots = (uint32_t)it->run->config.sm.warps;
        for (uint32_t i = 1; i <= slots; i++) {
            uint32_t warp = (it->turn + i) % slots;
            if (warp < it->run->warps && wants_fetch(it, warp)) {
                look_up(it, warp, from, now);
                break;
            }
        }
    }
}

static bool can_issue(const model *it, uint32_t warp, gm_cycle now)
{
    const model_warp *own = &it->warp[warp];
    return own->buffered != 0 && own->from <= now;
}

/* Greedy, then oldest: the slots are admitted in order. Loose round robin: the next in turn. */
static bool issue(model *it, gm_cycle now)
{
    bool greedy = it->run->config.sm.scheduler == GM_SCHEDULE_GTO;
    uint32_t chosen = it->last;
    if (!greedy || chosen == UINT32_MAX || !can_issue(it, chosen, now)) {
        uint32_t first = greedy || it->last == UINT32_MAX ? 0 : it->last + 1;
        uint32_t i = 0;
        while (i < it->run->warps && !can_issue(it, (first + i) % it->run->warps, now)) {
            i++;
        }
        if (i == it->run->warps) {
            return false;
        }
        chosen = (first + i) % it->run->warps;
    }
    model_warp *own = &it->warp[chosen];
    it->last = chosen;
    it->log[it->logged++] = (sm_issue){now, chosen};
    own->next++;
    own->buffered--;
    own->from = now + 1;
    bool ends = own->next == program_of(it, chosen)->count;
    bool moves =
        it->run->config.l1i.fetch == GM_L1I_FETCH_NEXT && !ends && line_of(it, chosen) != own->line;
    if (ends || moves) {
        own->buffered = 0;
    }
    return true;
}

static void run_model(model *it, const sm_run *run)
{
    uint64_t all = 0;
    memset(it, 0, sizeof *it);
    it->run = run;
    it->ways = run->config.l1i.ways;
    it->sets = run->config.l1i.size / run->config.l1i.line / it->ways;
    it->packets = run->config.l2.merge_by == GM_MERGE_BY_SECTOR
                      ? (uint32_t)(run->config.l1i.line / 32)
                      : (uint32_t)(run->config.l1i.line > run->config.l2.line
                                       ? run->config.l1i.line / run->config.l2.line
                                       : 1);
    it->turn = (uint32_t)run->config.sm.warps - 1;
    it->last = UINT32_MAX;
    it->wire.line_latency = run->unit.line_latency;
    it->wire.line_spread = run->unit.line_spread;
    for (uint32_t i = 0; i < run->warps; i++) {
        all += run->program[0][i].count;
    }
    for (gm_cycle now = 1; it->logged < all; now++) {
        take_answer(it, now);
        bool issued = issue(it, now);
        fetch(it, now);
        bool waits = false;
        for (uint32_t i = 0; i < run->warps; i++) {
            waits |= it->warp[i].waits || it->warp[i].refused;
        }
        it->slots_fetch += !issued && waits;
    }
}

/* A walk through the code: straight on, and jumps back and forth. */
static void random_program(sm_run *run, test_random *random, uint32_t warp, uint64_t bytes)
{
    uint64_t pc = test_random_below(random, bytes / 16) * 16;
    for (uint64_t left = 1 + test_random_below(random, SM_PROGRAM - 1); left > 0; left--) {
        sm_plain(run, 0, warp, "IADD3", SM_NONE, SM_NONE)->pc = pc;
        pc = test_random_below(random, 6) == 0 ? test_random_below(random, bytes / 16) * 16
                                               : (pc + 16) % bytes;
    }
}

static void random_run(sm_run *run, test_random *random)
{
    sm_make(run);
    gm_config *config = &run->config;
    uint64_t line = UINT64_C(32) << test_random_below(random, 5);
    config->sm.fetch = 1 + test_random_below(random, 5);
    config->sm.fetch_warps = 1 + test_random_below(random, 3);
    config->sm.scheduler = test_random_below(random, 2) == 0 ? GM_SCHEDULE_GTO : GM_SCHEDULE_LRR;
    config->l1i.line = line;
    config->l1i.ways = 1 + test_random_below(random, 4);
    config->l1i.size = line * config->l1i.ways << test_random_below(random, 4);
    config->l1i.mshrs = 1 + test_random_below(random, 4);
    config->l1i.fetch = (gm_l1i_fetch)test_random_below(random, 2);
    config->l1i.merges = 1 + test_random_below(random, 4);
    config->l1i.latency = test_random_below(random, 3) == 0 ? test_random_below(random, 6) : 0;
    config->l2.merge_by = test_random_below(random, 3) == 0 ? GM_MERGE_BY_SECTOR : GM_MERGE_BY_LINE;
    run->warps = 1 + (uint32_t)test_random_below(random, WARPS);
    run->unit.line_latency = test_random_below(random, 30);
    run->unit.line_spread = test_random_below(random, 2) * test_random_below(random, 20);
    run->skips = test_random_below(random, 2) == 0;
    for (uint32_t warp = 0; warp < run->warps; warp++) {
        random_program(run, random, warp, line * (1 + test_random_below(random, LINES - 1)));
    }
}

static void both_implementations_agree(void **state)
{
    (void)state;
    static sm_run run;
    static model second;
    test_random random = test_random_start(71);
    gm_l1i_statistics sum = {0};
    for (int round = 0; round < ROUNDS; round++) {
        random_run(&run, &random);
        run_model(&second, &run);
        sm_build(&run);
        gm_statistics statistics = sm_finish(&run);
        assert_int_equal(run.logged, second.logged);
        assert_memory_equal(run.log, second.log, run.logged * sizeof *run.log);
#define COUNTER(name, unit, meaning) assert_int_equal(statistics.l1i.name, second.count.name);
        GM_L1I_COUNTERS(COUNTER)
#undef COUNTER
        assert_int_equal(statistics.time.slots_fetch, second.slots_fetch);
        gm_l1i_statistics_add(&sum, &statistics.l1i);
        sm_free(&run);
        gm_opcode_table_free(&run.source.opcodes);
    }
#define COUNTER(name, unit, meaning) assert_true(sum.name != 0);
    GM_L1I_COUNTERS(COUNTER)
#undef COUNTER
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(both_implementations_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
