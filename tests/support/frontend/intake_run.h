/* One warp's way from the intake through the warp store to its turns in an SM, whose line requests
 * are compared with the bytes of each instruction. The L1 is off, so that every line request leaves
 * the SM as one message. */
#ifndef GOLDMEM_TESTS_SUPPORT_FRONTEND_INTAKE_RUN_H
#define GOLDMEM_TESTS_SUPPORT_FRONTEND_INTAKE_RUN_H

#include "frontend/intake.h"
#include "goldmem/bits.h"
#include "order/order_machine.h"
#include "support/frontend/line_set.h"
#include "support/order/order_run.h"

#include <string.h>

#define ALL  UINT32_MAX
#define BASE (UINT64_C(1) << 40) /* of global addresses */

enum { TURNS = 100 };

typedef struct fixture {
    gm_config config;
    gm_order_machine machine;
    memory_source *source; /* for its opcodes */
    gm_warp_store *store;
    gm_intake intake;
    gm_cta cta;
    uint32_t warp[1], slot[1];
    gm_warp_stream stream[1];
    uint32_t turns;
    gm_instruction taken[TURNS];
    uint64_t address[TURNS][GM_ADDRESSES];
    line_set expected;
} fixture;

static inline void begin_cta(fixture *fixture)
{
    gm_error error;
    fixture->turns = 0;
    fixture->cta =
        (gm_cta){.warp = fixture->warp, .slot = fixture->slot, .stream = fixture->stream};
    gm_intake_begin_cta(&fixture->intake, &fixture->cta, (uint32_t[3]){0});
    test_ok(gm_intake_begin_warp(&fixture->intake, 0, &error), error);
}

static inline void make(fixture *fixture, uint64_t line, bool keeps_lanes)
{
    gm_error error;
    gm_config *config = &fixture->config;
    *config = order_preset("gtx480");
    config->gpu.sms = 1;
    config->l1.enabled = false;
    config->l1.line = config->l2.line = line;
    config->memory.interleave = config->dram.row = 2048;
    test_ok(gm_order_machine_init(&fixture->machine, config, false, &error), error);
    fixture->machine.noc.limit = GM_BATCH; /* never reached: messages stay in the batch */
    fixture->source = memory_source_new();
    test_ok(gm_warp_store_create(&fixture->store, 1 << 20, &error), error);
    fixture->machine.shared.store = fixture->store;
    memset(&fixture->intake, 0, sizeof fixture->intake);
    test_ok(gm_intake_init(&fixture->intake, config, &fixture->source->source, fixture->store,
                           keeps_lanes ? GM_INTAKE_LANES : GM_INTAKE_LINES, &error),
            error);
    static const gm_kernel kernel = {.grid = {1, 1, 1}, .block = {32, 1, 1}};
    gm_intake_kernel(&fixture->intake, &kernel);
    begin_cta(fixture);
}

static inline void destroy(fixture *fixture)
{
    gm_intake_free(&fixture->intake);
    gm_warp_store_drop(fixture->store, fixture->stream);
    gm_warp_store_free(fixture->store);
    memory_source_free(fixture->source);
    gm_order_machine_free(&fixture->machine);
}

/* The next instruction, of this form; addresses of a list are filled in before. */
static inline void take(fixture *fixture, unsigned opcode, gm_instruction instruction)
{
    gm_error error;
    const gm_opcode *known = &fixture->source->source.opcodes.opcodes[opcode];
    assert_true(fixture->turns < TURNS);
    instruction.opcode = (uint16_t)opcode;
    instruction.op = (uint8_t)known->op;
    instruction.space = (uint8_t)known->space;
    instruction.address = fixture->address[fixture->turns];
    fixture->taken[fixture->turns++] = instruction;
    test_ok(gm_intake_instruction(&fixture->intake, &instruction, &error), error);
}

static inline void plain(fixture *fixture, unsigned opcode, uint32_t mask)
{
    take(fixture, opcode, (gm_instruction){.mask = mask});
}

static inline void stride(fixture *fixture, unsigned opcode, uint32_t mask, uint64_t base,
                          int64_t step, unsigned width)
{
    take(fixture, opcode,
         (gm_instruction){.form = mask == 0 ? GM_ADDRESS_NONE : GM_ADDRESS_STRIDE,
                          .mask = mask,
                          .base = base,
                          .stride = step,
                          .width = (uint8_t)width,
                          .addresses = (uint16_t)gm_count_ones(mask)});
}

static inline void list(fixture *fixture, unsigned opcode, uint32_t mask, unsigned width,
                        unsigned count)
{
    take(fixture, opcode,
         (gm_instruction){.form = GM_ADDRESS_LIST,
                          .mask = mask,
                          .width = (uint8_t)width,
                          .addresses = (uint16_t)count});
}

/* What the SM has sent in the turn of an instruction. */
static inline void compare_turn(fixture *fixture, const gm_instruction *instruction)
{
    static const struct {
        bool reaches;
        gm_message_kind kind;
    } sends[MEMORY_OPCODES] = {
        [MEMORY_LOAD] = {true, GM_MESSAGE_READ},
        [MEMORY_STRONG_LOAD] = {true, GM_MESSAGE_READ},
        [MEMORY_LOCAL_LOAD] = {true, GM_MESSAGE_READ},
        [MEMORY_ASYNC_COPY] = {true, GM_MESSAGE_READ},
        [MEMORY_STORE] = {true, GM_MESSAGE_WRITE},
        [MEMORY_LOCAL_STORE] = {true, GM_MESSAGE_WRITE},
        [MEMORY_ATOMIC] = {true, GM_MESSAGE_ATOMIC},
        [MEMORY_REDUCTION] = {true, GM_MESSAGE_REDUCTION},
    };
    line_set *expected = &fixture->expected;
    const gm_coalesce_context context = {.warp_slots = (uint32_t)fixture->config.sm.warps};
    const gm_batch *sent = fixture->machine.noc.batch;
    expected->requests = 0;
    if (sends[instruction->opcode].reaches) {
        line_set_make(expected, fixture->config.l1.line, &context, instruction);
    }
    assert_int_equal(sent->count, expected->requests);
    for (uint32_t i = 0; i < sent->count; i++) {
        assert_int_equal(sent->message[i].line, expected->request[i].line);
        assert_int_equal(sent->message[i].sectors, expected->request[i].sectors);
        assert_int_equal(sent->message[i].kind, sends[instruction->opcode].kind);
        if (instruction->op == GM_OP_STORE) {
            assert_int_equal(sent->message[i].whole, expected->request[i].whole);
        }
    }
}

/* The warp takes its turns, one for each instruction; then another CTA can begin. */
static inline void run(fixture *fixture)
{
    gm_error error;
    gm_cta *ended = NULL;
    gm_order_sm *sm = &fixture->machine.sm[0];
    uint64_t before = sm->turns;
    test_ok(gm_intake_end_cta(&fixture->intake, &error), error);
    assert_int_equal(fixture->cta.core.warp_instructions, fixture->turns);
    assert_false(gm_order_sm_admit(sm, &fixture->cta));
    for (uint32_t i = 0; i < fixture->turns; i++) {
        assert_null(ended);
        fixture->machine.noc.batch->count = 0;
        test_ok(gm_order_sm_step(sm, &fixture->machine.shared, &ended, &error), error);
        compare_turn(fixture, &fixture->taken[i]);
    }
    assert_ptr_equal(ended, &fixture->cta);
    assert_int_equal(sm->turns - before, fixture->turns);
    gm_warp_store_drop(fixture->store, fixture->stream);
    begin_cta(fixture);
}

#endif
