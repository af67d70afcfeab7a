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

static void requests_are_those_of_the_lanes(void **state)
{
    (void)state;
    static sm_run run;
    static uint64_t address[ACCESSES][GM_WARP_SIZE];
    static line_set expected;
    test_random random = test_random_start(47);
    gm_line_request *kept = calloc(REQUESTS, sizeof *kept);
    assert_non_null(kept);
    for (uint64_t line = 32; line <= 1024; line *= 2) {
        sm_make(&run);
        run.config.l1.line = run.config.l2.line = line;
        run.unit.kept = kept;
        for (unsigned i = 0; i < ACCESSES; i++) {
            random_access(&run, &random, address[i]);
        }
        sm_build(&run);
        sm_finish(&run);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests_are_those_of_the_lanes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
