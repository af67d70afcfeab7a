/* SM front end of the cycle engine on random programs: visits when something is due and visits in
 * every cycle do the same, the counters of scheduler cycles add up, and a snapshot goes on as the
 * run that it was taken of. */
#include "goldmem/warp_limiter.h"
#include "support/cycle/sm/sm_run.h"

static const char *const plain[] = {"IADD3", "FADD",  "DADD",     "MUFU",      "HMMA",
                                    "BRA",   "FFMA",  "BAR.SYNC", "LDGDEPBAR", "DEPBAR.LE",
                                    "CCTL",  "IADD3", "FADD",     "MEMBAR",    "EXIT"};
static const char *const memory[] = {"LDG.E", "STG.E", "ATOMG",    "RED", "LDS",
                                     "LDG.E", "LDL",   "LDGSTS.E", "STS", "LD"};

enum { PLAINS = sizeof plain / sizeof *plain, MEMORIES = sizeof memory / sizeof *memory };

static uint64_t below(test_random *random, uint64_t bound)
{
    return test_random_below(random, bound);
}

static void random_instruction(sm_run *run, test_random *random, uint32_t cta, uint32_t warp)
{
    int destination = (int)below(random, 12) - 1;
    int source = (int)below(random, 12) - 1;
    gm_instruction *instruction;
    if (below(random, 3) != 0) {
        instruction = sm_plain(run, cta, warp, plain[below(random, PLAINS)], destination, source);
        instruction->immediate = (int64_t)below(random, 3);
    } else {
        instruction = sm_memory(run, cta, warp, memory[below(random, MEMORIES)], destination,
                                source, below(random, 1 << 16) * 4, (int64_t)below(random, 200));
    }
    if (below(random, 8) == 0) {
        instruction->mask = 0;
        instruction->form = GM_ADDRESS_NONE;
        instruction->addresses = 0;
    }
    uint64_t place = run->program[cta][warp].count * 16;
    instruction->pc = below(random, 8) == 0 ? below(random, 128) * 16 : place % 2048;
}

static bool has_pools(const gm_config *config)
{
    return config->sm.register_queues && config->sm.register_banks != 0 && !config->sm.subcores;
}

static void random_run(sm_run *run, test_random *random)
{
    sm_make(run);
    gm_config *config = &run->config;
    config->sm.schedulers = 1 + below(random, 4);
    config->sm.scheduler = (gm_scheduling)below(random, 3);
    config->sm.group = 1 + below(random, 4);
    config->sm.warps = below(random, 4) == 0 ? 70 : 8 + below(random, 24);
    config->sm.launch = below(random, 3) == 0 ? below(random, 900) : 0;
    config->sm.cta_launch = below(random, 3) == 0 ? below(random, 60) : 0;
    config->sm.warp_launch = below(random, 3) == 0 ? below(random, 40) : 0;
    config->sm.fetch = below(random, 2) == 0 ? below(random, 4) : 0;
    config->sm.fence = (gm_fence_wait)below(random, 2);
    config->sm.atomic_wait = below(random, 2) == 0;
    config->sm.collectors = below(random, 2) == 0 ? below(random, 10) : 0;
    config->sm.branch_units = below(random, 2) == 0 ? below(random, 4) : 0;
    config->sm.fetch_warps = 1 + below(random, 4);
    config->l1i.size = config->sm.fetch != 0 ? 512 * below(random, 4) : 0;
    config->l1i.ways = GM_FULL;
    config->l1i.fetch = (gm_l1i_fetch)below(random, 2);
    config->l1i.mshrs = 1 + below(random, 3);
    config->l1i.latency = below(random, 3) == 0 ? below(random, 100) : 0;
    run->unit.line_latency = below(random, 60);
    run->unit.line_spread = below(random, 20);
    config->sm.subcores =
        config->sm.collectors % config->sm.schedulers == 0 && below(random, 2) == 0;
    config->sm.register_banks = below(random, 3);
    config->sm.register_reads = 1 + below(random, 2);
    config->sm.register_queues = below(random, 2) == 0;
    config->sm.turns = (gm_scheduler_turns)below(random, 2);
    config->sm.special_fp64 = below(random, 2) == 0;
    config->sm.drain = below(random, 2) == 0 ? below(random, 100) : 0;
    config->unit.special.units = below(random, 3) == 0 ? GM_EACH : 1;
    config->unit.tensor.units = 1 + below(random, has_pools(config) ? 8 : config->sm.schedulers);
    config->unit.integer.units = 1 + below(random, config->sm.schedulers);
    config->unit.control.interval = below(random, 3) == 0 ? 100 : 1 + below(random, 8);
    config->unit.integer.latency = below(random, 8);
    config->unit.fp32.interval = 1 + below(random, 3);
    config->unit.control.latency = below(random, 3) == 0 ? 500 : below(random, 8);
    bool limited = below(random, 3) == 0 && config->sm.warps <= 64 * config->sm.schedulers;
    config->sm.throttle = limited ? GM_THROTTLE_STATIC : GM_THROTTLE_NONE;
    config->sm.limit = 1 + below(random, 4);
    run->ctas = 1 + (uint32_t)below(random, SM_CTAS);
    run->warps = 1 + (uint32_t)below(random, SM_CTA_WARPS);
    run->together = 1 + (uint32_t)below(random, config->sm.warps / run->warps);
    run->together = run->together < config->sm.ctas ? run->together : (uint32_t)config->sm.ctas;
    run->unit.unit.queue.capacity = 1 + (uint32_t)below(random, 4);
    run->unit.interval = 1 + below(random, 12);
    run->unit.latency = 1 + below(random, 300);
    run->unit.spread = below(random, 200);
    for (uint32_t cta = 0; cta < run->ctas; cta++) {
        for (uint32_t warp = 0; warp < run->warps; warp++) {
            for (uint64_t left = below(random, 60); left > 0; left--) {
                random_instruction(run, random, cta, warp);
            }
        }
    }
}

static void compare(const sm_run *a, const sm_run *b)
{
    assert_int_equal(a->logged, b->logged);
    assert_memory_equal(a->log, b->log, a->logged * sizeof *a->log);
    assert_memory_equal(a->ended, b->ended, sizeof a->ended);
    assert_int_equal(a->now, b->now);
}

static uint64_t slots_of(const gm_time_statistics *time)
{
    return time->slots_issued + time->slots_memory + time->slots_dependence + time->slots_unit +
           time->slots_memory_unit + time->slots_barrier + time->slots_fence + time->slots_idle +
           time->slots_fetch + time->slots_throttled;
}

static void skipping_changes_nothing(void **state)
{
    (void)state;
    static sm_run every, skips;
    test_random random = test_random_start(44);
    uint64_t visits = 0;
    uint64_t cycles = 0;
    gm_time_statistics sum = {0};
    for (int round = 0; round < 150; round++) {
        random_run(&every, &random);
        memcpy(&skips, &every, sizeof every); /* opcodes too: freed once */
        every.skips = false;
        sm_build(&every);
        sm_build(&skips);
        gm_statistics a = sm_finish(&every);
        gm_statistics b = sm_finish(&skips);
        compare(&every, &skips);
        assert_memory_equal(&a, &b, sizeof a);
        assert_int_equal(slots_of(&a.time), (every.now + 1) * every.config.sm.schedulers);
        assert_int_equal(a.time.slots_issued, a.core.warp_instructions);
        visits += skips.visits;
        cycles += every.visits;
        gm_time_statistics_add(&sum, &a.time);
        sm_free(&every);
        sm_free(&skips);
        gm_opcode_table_free(&every.source.opcodes);
    }
    /* Every use of a scheduler's cycle occurs, and skipping skips. */
    assert_true(sum.slots_issued != 0 && sum.slots_memory != 0 && sum.slots_dependence != 0 &&
                sum.slots_unit != 0 && sum.slots_memory_unit != 0 && sum.slots_barrier != 0 &&
                sum.slots_fence != 0 && sum.slots_idle != 0 && sum.slots_fetch != 0 &&
                sum.slots_throttled != 0);
    assert_true(visits * 2 < cycles);
}

/* Gives the run no more warps than a limiter takes. */
static void fit_limiter(sm_run *run)
{
    uint32_t most = GM_WARP_LIMITER_WARPS / run->warps;
    run->config.sm.warps =
        run->config.sm.warps < GM_WARP_LIMITER_WARPS ? run->config.sm.warps : GM_WARP_LIMITER_WARPS;
    run->together = run->together < most ? run->together : most;
}

/* The instance of the common shape gives the results of the general instance. */
static void common_and_general_instance_agree(void **state)
{
    (void)state;
    static sm_run common, general;
    test_random random = test_random_start(48);
    gm_time_statistics sum = {0};
    for (int round = 0; round < 100; round++) {
        random_run(&common, &random);
        gm_config *config = &common.config;
        config->sm.scheduler = round % 2 == 0 ? GM_SCHEDULE_GTO : GM_SCHEDULE_LRR;
        config->sm.warps = config->sm.warps < 64 ? config->sm.warps : 64;
        config->sm.schedulers = 1 + (uint64_t)round % 4;
        config->sm.fetch = 0;
        config->l1i.size = 0;
        config->sm.collectors = 0;
        config->sm.fence = GM_FENCE_ACCESSES;
        bool throttled = round % 3 == 0;
        config->sm.throttle = throttled ? GM_THROTTLE_STATIC : GM_THROTTLE_NONE;
        config->sm.limit = 1 + test_random_below(&random, 4);
        if (throttled) {
            fit_limiter(&common);
        }
        config->unit.control.latency %= 8;
        memcpy(&general, &common, sizeof common); /* opcodes too: freed once */
        sm_build(&common);
        sm_build(&general);
        assert_true(throttled ? common.sm.common_throttled : common.sm.common);
        general.sm.common = false;
        general.sm.common_throttled = false;
        gm_statistics a = sm_finish(&common);
        gm_statistics b = sm_finish(&general);
        compare(&common, &general);
        assert_int_equal(common.visits, general.visits);
        assert_memory_equal(&a, &b, sizeof a);
        gm_time_statistics_add(&sum, &a.time);
        sm_free(&common);
        sm_free(&general);
        gm_opcode_table_free(&common.source.opcodes);
    }
    assert_true(sum.slots_issued != 0 && sum.slots_memory != 0 && sum.slots_dependence != 0 &&
                sum.slots_unit != 0 && sum.slots_memory_unit != 0 && sum.slots_barrier != 0 &&
                sum.slots_fence != 0 && sum.slots_idle != 0);
}

/* A limit of as many warps as a scheduler has changes nothing, whatever the machine. */
static void limit_of_all_is_none(void **state)
{
    (void)state;
    static sm_run none, all;
    test_random random = test_random_start(49);
    for (int round = 0; round < 100; round++) {
        random_run(&none, &random);
        fit_limiter(&none);
        none.config.sm.throttle = GM_THROTTLE_NONE;
        memcpy(&all, &none, sizeof none); /* opcodes too: freed once */
        all.config.sm.throttle = GM_THROTTLE_STATIC;
        uint64_t schedulers = all.config.sm.schedulers;
        all.config.sm.limit = (all.config.sm.warps + schedulers - 1) / schedulers;
        sm_build(&none);
        sm_build(&all);
        gm_statistics a = sm_finish(&none);
        gm_statistics b = sm_finish(&all);
        compare(&none, &all);
        assert_int_equal(none.visits, all.visits);
        assert_memory_equal(&a, &b, sizeof a);
        sm_free(&none);
        sm_free(&all);
        gm_opcode_table_free(&none.source.opcodes);
    }
}

/* True for a warp that counts among the oldest [throttling.md]. */
static bool counts(const gm_cycle_sm *sm, uint32_t slot)
{
    switch ((gm_warp_state)sm->warp[slot].state) {
    case GM_STATE_READY:
    case GM_STATE_RESULT:
    case GM_STATE_FRONT:
    case GM_STATE_FETCH:
    case GM_STATE_DATA:
    case GM_STATE_LIVE:
        return true;
    case GM_STATE_FREE:
    case GM_STATE_BARRIER:
    case GM_STATE_FENCE:
    case GM_STATE_ENDING:
    case GM_STATE_LAUNCH:
    case GM_STATES:
        break;
    }
    return false;
}

/* Second implementation: permission by counting, of a warp that is not excluded, in may[slot]. */
static void count_older(const gm_cycle_sm *sm, uint64_t limit, bool *may)
{
    bool counted[GM_WARP_SLOTS];
    for (uint32_t slot = 0; slot < sm->slots; slot++) {
        counted[slot] = counts(sm, slot);
    }
    for (uint32_t slot = 0; slot < sm->slots; slot++) {
        uint64_t older = 0;
        uint32_t i = slot % (uint32_t)sm->schedulers;
        for (; i < sm->slots && older < limit; i += sm->schedulers) {
            older += counted[i] && sm->age[i] < sm->age[slot];
        }
        may[slot] = older < limit;
    }
}

/* In every cycle only warps issue that had fewer than sm.limit older ones at the last cycle's end,
 * of those that count; a scheduler is throttled exactly when all its ready warps are forbidden. */
static void only_the_oldest_issue(void **state)
{
    (void)state;
    static sm_run run;
    test_random random = test_random_start(50);
    uint64_t throttled = 0;
    for (unsigned round = 0; round < test_rounds(100); round++) {
        random_run(&run, &random);
        fit_limiter(&run);
        run.config.sm.throttle = GM_THROTTLE_STATIC;
        run.skips = false;
        sm_build(&run);
        bool may[GM_WARP_SLOTS];
        bool goes_on = true;
        while (goes_on) {
            uint32_t logged = run.logged;
            count_older(&run.sm, run.config.sm.limit, may);
            uint64_t admitted = run.sm.admitted;
            uint32_t living = run.living;
            goes_on = sm_step(&run);
            for (uint32_t i = logged; i < run.logged; i++) {
                assert_true(may[run.log[i].slot]);
            }
            count_older(&run.sm, run.config.sm.limit, may);
            bool changed = run.sm.admitted != admitted || run.living != living;
            for (uint32_t s = 0; goes_on && !changed && s < run.sm.schedulers; s++) {
                bool any = false;
                bool allowed = false;
                for (uint32_t i = s; i < run.sm.slots; i += run.sm.schedulers) {
                    bool ready = run.sm.warp[i].state == GM_STATE_READY;
                    any |= ready;
                    allowed |= ready && may[i];
                }
                bool is = run.sm.scheduler[s].use == GM_SLOT_THROTTLED;
                assert_true(run.now < run.sm.first || is == (any && !allowed));
                throttled += is;
            }
        }
        sm_free(&run);
        gm_opcode_table_free(&run.source.opcodes);
    }
    assert_true(throttled > test_rounds(1000));
}

/* Goes on with the state of `from` in a machine of its own, whose warps get their instructions
 * anew. */
static void go_on_as(sm_run *run, sm_run *from)
{
    gm_error error;
    gm_snapshot save = {.file = tmpfile()};
    assert_non_null(save.file);
    gm_cycle_sm_snapshot(&from->sm, &save);
    assert_int_equal(save.failed, 0);
    memcpy(run, from, sizeof *run);
    memset(run->stream, 0, sizeof run->stream);
    sm_build(run);
    rewind(save.file);
    gm_snapshot load = {.file = save.file, .loading = true};
    gm_cycle_sm_snapshot(&run->sm, &load);
    assert_int_equal(load.failed, 0);
    assert_int_equal(load.bytes, save.bytes);
    fclose(save.file);
    run->wake = from->wake;
    for (uint32_t i = 0; i < run->admitted; i++) {
        if (run->resident[i]) {
            sm_deliver(run, i);
            int attached = gm_cycle_sm_attach(&run->sm, &run->cta[i], &error);
            test_ok(attached, error);
            assert_int_equal(attached, 1);
        }
    }
}

static void snapshots_go_on(void **state)
{
    (void)state;
    static sm_run first, second;
    test_random random = test_random_start(45);
    for (int round = 0; round < 60; round++) {
        random_run(&first, &random);
        sm_build(&first);
        uint64_t before = 1 + below(&random, 400);
        while (before > 0 && sm_step(&first)) {
            before--;
        }
        go_on_as(&second, &first);
        gm_statistics a = sm_finish(&first);
        gm_statistics b = sm_finish(&second);
        compare(&first, &second);
        assert_memory_equal(&a, &b, sizeof a);
        sm_free(&first);
        sm_free(&second);
        gm_opcode_table_free(&first.source.opcodes);
    }
}

/* A snapshot after each of many loads, whose records fill several of the warp store's chunks: taken
 * up anew, the instructions are found also where the next one begins a chunk. */
static void snapshots_go_on_between_chunks(void **state)
{
    (void)state;
    enum { LOADS = 60 };
    static sm_run first, second;
    for (int before = 1; before < LOADS; before++) {
        sm_make(&first);
        for (int i = 0; i < LOADS; i++) {
            sm_memory(&first, 0, 0, "LDG.E", SM_NONE, SM_NONE, (uint64_t)i << 12, 128);
        }
        sm_build(&first);
        for (int i = 0; i < before; i++) {
            assert_true(sm_step(&first));
        }
        go_on_as(&second, &first);
        gm_statistics a = sm_finish(&first);
        gm_statistics b = sm_finish(&second);
        compare(&first, &second);
        assert_memory_equal(&a, &b, sizeof a);
        assert_int_equal(first.unit.lines, second.unit.lines);
        sm_free(&first);
        sm_free(&second);
        gm_opcode_table_free(&first.source.opcodes);
    }
}

/* A snapshot after each visit while branches wait in front of, in and behind a collector for two
 * units that are busy: they go on. */
static void snapshots_go_on_with_busy_branch_units(void **state)
{
    (void)state;
    enum { VISITS = 40 };
    static sm_run first, second;
    for (int before = 1; before < VISITS; before++) {
        sm_make(&first);
        first.warps = 8;
        first.config.sm.collectors = 1;
        first.config.sm.branch_units = 2;
        first.config.unit.control.interval = 50;
        for (uint32_t warp = 0; warp < 2 * first.warps; warp++) {
            sm_plain(&first, 0, warp % first.warps, "BRA", SM_NONE, SM_NONE);
        }
        sm_build(&first);
        for (int i = 0; i < before && sm_step(&first); i++) {
        }
        go_on_as(&second, &first);
        (void)sm_finish(&first);
        (void)sm_finish(&second);
        compare(&first, &second);
        sm_free(&first);
        sm_free(&second);
        gm_opcode_table_free(&first.source.opcodes);
    }
}

/* A snapshot after each visit while loads wait in front of and in the collectors of two sub-cores
 * for a unit that is busy: they go on with their own lines. */
static void snapshots_go_on_with_collected_loads(void **state)
{
    (void)state;
    enum { VISITS = 40 };
    static sm_run first, second;
    for (int before = 1; before < VISITS; before++) {
        sm_make(&first);
        first.warps = 4;
        first.config.sm.schedulers = 2;
        first.config.sm.subcores = true;
        first.config.sm.collectors = 4;
        first.unit.interval = 10;
        for (uint32_t i = 0; i < 4 * first.warps; i++) {
            sm_memory(&first, 0, i % first.warps, "LDG.E", (int)i, SM_NONE, (uint64_t)i << 12, 128);
        }
        sm_build(&first);
        for (int i = 0; i < before && sm_step(&first); i++) {
        }
        go_on_as(&second, &first);
        (void)sm_finish(&first);
        (void)sm_finish(&second);
        compare(&first, &second);
        assert_int_equal(first.unit.lines, second.unit.lines);
        sm_free(&first);
        sm_free(&second);
        gm_opcode_table_free(&first.source.opcodes);
    }
}

/* A CTA that is not resident is not attached; one with fewer instructions is refused. */
static void other_ctas_are_not_attached(void **state)
{
    (void)state;
    gm_error error;
    static sm_run first, second;
    sm_make(&first);
    first.ctas = 2;
    first.together = 1;
    for (int i = 0; i < 5; i++) {
        sm_plain(&first, 0, 0, "IADD3", 1, SM_NONE);
    }
    sm_build(&first);
    for (int i = 0; i < 3; i++) {
        assert_true(sm_step(&first));
    }
    go_on_as(&second, &first);
    second.program[1][0].count = 1;
    sm_deliver(&second, 1);
    assert_int_equal(gm_cycle_sm_attach(&second.sm, &second.cta[1], &error), 0);
    gm_warp_store_drop(second.store, &second.stream[0][0]);
    second.program[0][0].count = 1;
    sm_deliver(&second, 0);
    assert_true(gm_cycle_sm_attach(&second.sm, &second.cta[0], &error) < 0);
    assert_non_null(strstr(error.text, "CTA 0"));
    sm_finish(&first);
    sm_free(&first);
    sm_free(&second);
    gm_opcode_table_free(&first.source.opcodes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(skipping_changes_nothing),
        cmocka_unit_test(common_and_general_instance_agree),
        cmocka_unit_test(limit_of_all_is_none),
        cmocka_unit_test(only_the_oldest_issue),
        cmocka_unit_test(snapshots_go_on),
        cmocka_unit_test(snapshots_go_on_between_chunks),
        cmocka_unit_test(snapshots_go_on_with_busy_branch_units),
        cmocka_unit_test(snapshots_go_on_with_collected_loads),
        cmocka_unit_test(other_ctas_are_not_attached),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
