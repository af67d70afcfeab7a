/* Intake's timed records: the line requests of random accesses reach the load/store unit as the
 * bytes of each instruction ask for. */
#include "support/cycle/sm/sm_run.h"
#include "support/frontend/line_set.h"

enum { ACCESSES = 120, REQUESTS = ACCESSES * LINE_SET };

static const char *const opcodes[] = {
    "LDG.E", "STG.E", "LDG.E.STRONG.GPU", "ATOMG", "RED", "LDGSTS.E", "LDL", "STL"};
static const unsigned widths[] = {1, 2, 4, 8, 16, 32, 100};

static void random_access(sm_run *run, test_random *random, uint64_t *address)
{
    const char *opcode = opcodes[test_random_below(random, 8)];
    bool local = opcode[2] == 'L';
    gm_instruction *instruction = sm_memory(run, 0, 0, opcode, 1, 2, 0, 0);
    uint64_t base = local ? 0 : UINT64_C(1) << 40;
    uint64_t range = UINT64_C(1) << (5 + test_random_below(random, local ? 12 : 36));
    instruction->width = (uint8_t)widths[test_random_below(random, local ? 5 : 7)];
    bool full = test_random_below(random, 3) == 0;
    instruction->mask = full ? UINT32_MAX : (uint32_t)test_random_next(random) | 1;
    instruction->addresses = (uint16_t)gm_count_ones(instruction->mask);
    if (test_random_below(random, 3) == 0) {
        instruction->base = base + test_random_below(random, range);
        instruction->stride = test_random_below(random, 2) == 0
                                  ? instruction->width
                                  : (int64_t)test_random_below(random, 300);
        return;
    }
    instruction->form = GM_ADDRESS_LIST;
    instruction->address = address;
    for (unsigned k = 0; k < GM_WARP_SIZE; k++) {
        address[k] = base + test_random_below(random, range);
    }
}

/* `coded`: each record has its instruction's address, for an instruction cache. */
static void expect_requests(bool coded)
{
    static sm_run run;
    static uint64_t address[ACCESSES][GM_WARP_SIZE];
    static line_set expected;
    test_random random = test_random_start(47);
    gm_line_request *kept = calloc(REQUESTS, sizeof *kept);
    assert_non_null(kept);
    for (uint64_t line = 32; line <= 1024; line *= 2) {
        sm_make(&run);
        run.config.l1.line = run.config.l2.line = line;
        run.config.sm.fetch = 2;
        run.config.l1i.size = coded ? 2048 : 0;
        run.unit.kept = kept;
        for (unsigned i = 0; i < ACCESSES; i++) {
            random_access(&run, &random, address[i]);
            run.program[0][0].instruction[i].pc = 16 * i;
        }
        sm_build(&run);
        gm_statistics statistics = sm_finish(&run);
        assert_int_equal(statistics.l1i.misses, coded ? ACCESSES * 16 / 128 : 0);
        const gm_coalesce_context context = {.warp_slots = (uint32_t)run.config.sm.warps};
        uint64_t at = 0;
        for (unsigned i = 0; i < ACCESSES; i++) {
            const gm_instruction *instruction = &run.program[0][0].instruction[i];
            expected.requests = 0;
            line_set_make(&expected, line, &context, instruction);
            assert_true(at + expected.requests <= run.unit.requests);
            for (uint32_t j = 0; j < expected.requests; j++, at++) {
                assert_int_equal(kept[at].line, expected.request[j].line);
                assert_int_equal(kept[at].sectors, expected.request[j].sectors);
                if (instruction->op == GM_OP_STORE) {
                    assert_int_equal(kept[at].whole, expected.request[j].whole);
                }
            }
        }
        assert_int_equal(at, run.unit.requests);
        sm_free(&run);
        gm_opcode_table_free(&run.source.opcodes);
    }
    free(kept);
}

static void requests_are_those_of_the_lanes(void **state)
{
    (void)state;
    expect_requests(false);
    expect_requests(true);
}

/* Code of one name lies in one place, above data and local memory, and begins a region. */
static void code_lies_where_the_name_says(void **state)
{
    (void)state;
    static const gm_kernel kernels[] = {{.name = "_Z3addPf", .id = 1},
                                        {.name = "_Z3addPf", .id = 2},
                                        {.name = "_Z3subPf", .id = 3}};
    uint64_t code = gm_intake_code(&kernels[0]);
    assert_int_equal(code, gm_intake_code(&kernels[1]));
    assert_int_not_equal(code, gm_intake_code(&kernels[2]));
    assert_int_equal(code % (UINT64_C(1) << 24), 0);
    assert_int_equal(code >> 57, 1);
    assert_true(GM_LOCAL_REGION < GM_CODE_REGIONS);
}

/* Fences, and how many of GPU and of system scope there are up to each. */
static const struct {
    const char *text;
    gm_scope scope;
    uint64_t gpu, sys;
} fences[] = {
    {"MEMBAR.SC.CTA", GM_SCOPE_CTA, 0, 0}, {"MEMBAR.SC.GPU", GM_SCOPE_GPU, 1, 0},
    {"MEMBAR.SC.SYS", GM_SCOPE_SYS, 1, 1}, {"MEMBAR.CTA", GM_SCOPE_CTA, 1, 1},
    {"MEMBAR.GL", GM_SCOPE_GPU, 2, 1},     {"MEMBAR.SC.GPU", GM_SCOPE_GPU, 3, 1},
};
enum { FENCES = sizeof fences / sizeof *fences };

static void records_of_fences_have_their_scopes(void **state)
{
    (void)state;
    static sm_run run;
    gm_error error;
    sm_make(&run);
    for (unsigned i = 0; i < FENCES; i++) {
        sm_plain(&run, 0, 0, fences[i].text, SM_NONE, SM_NONE);
    }
    sm_build(&run);
    sm_deliver(&run, 0);
    const unsigned char *at = gm_warp_store_first(run.store, &run.stream[0][0], &error);
    assert_non_null(at);
    assert_int_equal(run.stream[0][0].count, FENCES);
    for (unsigned i = 0; i < FENCES; i++, at += GM_WARP_HEAD) {
        uint64_t head;
        memcpy(&head, at, sizeof head);
        assert_int_equal(gm_timed_op(head), GM_OP_FENCE);
        assert_int_equal(gm_timed_scope(head), fences[i].scope);
        assert_int_equal(gm_timed_register_bytes(head), 0);
    }
    gm_core_statistics core = run.cta[0].core;
    assert_int_equal(core.fences, FENCES);
    assert_int_equal(core.fences_gpu, fences[FENCES - 1].gpu);
    assert_int_equal(core.fences_sys, fences[FENCES - 1].sys);
    sm_free(&run);
    gm_opcode_table_free(&run.source.opcodes);
}

/* A run that stops at a limit subtracts the fences that have not issued, by scope. */
static void turns_of_fences_have_their_scopes(void **state)
{
    (void)state;
    gm_error error;
    gm_turn_log log = {0};
    gm_core_statistics before = {0};
    for (unsigned i = 0; i < FENCES; i++) {
        gm_core_statistics after = {.thread_instructions = before.thread_instructions + 32,
                                    .fences = i + 1,
                                    .fences_gpu = fences[i].gpu,
                                    .fences_sys = fences[i].sys};
        test_ok(gm_turn_log_add(&log, &before, &after, 1, &error), error);
        before = after;
    }
    for (unsigned i = 1; i <= FENCES; i++) {
        gm_core_statistics sum = {0};
        gm_turn_log_sum(&log, 0, i, &sum);
        assert_int_equal(sum.thread_instructions, 32 * i);
        assert_int_equal(sum.fences, i);
        assert_int_equal(sum.fences_gpu, fences[i - 1].gpu);
        assert_int_equal(sum.fences_sys, fences[i - 1].sys);
    }
    gm_turn_log_free(&log);
}

/* Whatever an instruction adds to a counter, a run that stops at a limit subtracts. */
static void turns_give_back_each_counter(void **state)
{
    (void)state;
    enum { WORDS = sizeof(gm_core_statistics) / sizeof(uint64_t) };
    gm_error error;
    for (unsigned i = 0; i < WORDS; i++) {
        const gm_core_statistics before = {0};
        union {
            gm_core_statistics core;
            uint64_t word[WORDS];
        } after = {.core = {0}}, sum = {.core = {0}};
        gm_turn_log log = {0};
        after.word[i] = 1;
        if (after.core.ctas != 0 || after.core.warps != 0) {
            continue; /* no instruction adds to these */
        }
        after.core.warp_instructions = 1;
        test_ok(gm_turn_log_add(&log, &before, &after.core, 1, &error), error);
        gm_turn_log_sum(&log, 0, 1, &sum.core);
        assert_memory_equal(&sum.core, &after.core, sizeof sum.core);
        gm_turn_log_free(&log);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_of_fences_have_their_scopes),
        cmocka_unit_test(turns_of_fences_have_their_scopes),
        cmocka_unit_test(turns_give_back_each_counter),
        cmocka_unit_test(requests_are_those_of_the_lanes),
        cmocka_unit_test(code_lies_where_the_name_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
