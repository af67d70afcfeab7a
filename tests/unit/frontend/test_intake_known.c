/* Instructions like earlier ones: an intake that knows them writes the records and counts what a
 * new intake does, whichever field differs; the engines' forms count the same. */
#include "frontend/intake.h"
#include "goldmem/bits.h"
#include "support/order/order_run.h"
#include "support/trace/memory_source.h"

#include <string.h>

typedef struct taker {
    gm_warp_store *store;
    gm_intake intake;
    gm_cta cta;
    uint32_t warp[1], slot[1];
    gm_warp_stream stream[1];
} taker;

static const gm_kernel kernel = {.grid = {1, 1, 1}, .block = {32, 1, 1}};

static void start(taker *taker, const gm_config *config, gm_source *source, gm_intake_form form)
{
    gm_error error;
    memset(taker, 0, sizeof *taker);
    test_ok(gm_warp_store_create(&taker->store, 1 << 20, &error), error);
    test_ok(gm_intake_init(&taker->intake, config, source, taker->store, form, &error), error);
    gm_intake_kernel(&taker->intake, &kernel);
}

static void end(taker *taker)
{
    gm_intake_free(&taker->intake);
    gm_opcode_tally_free(&taker->cta.tally);
    gm_warp_store_free(taker->store);
}

/* Takes a CTA of one instruction; its records are in the stream's first chunk. */
static void take(taker *taker, const gm_instruction *instruction)
{
    gm_error error;
    gm_opcode_tally_free(&taker->cta.tally); /* which engines merge into theirs */
    taker->cta = (gm_cta){.warp = taker->warp, .slot = taker->slot, .stream = taker->stream};
    gm_intake_begin_cta(&taker->intake, &taker->cta, (uint32_t[3]){0});
    test_ok(gm_intake_begin_warp(&taker->intake, 0, &error), error);
    test_ok(gm_intake_instruction(&taker->intake, instruction, &error), error);
    test_ok(gm_intake_end_cta(&taker->intake, &error), error);
}

static const gm_instruction first = {
    .pc = 0x40,
    .mask = UINT32_MAX,
    .op = GM_OP_LOAD,
    .space = GM_SPACE_GLOBAL,
    .form = GM_ADDRESS_STRIDE,
    .base = UINT64_C(1) << 40,
    .stride = 4,
    .width = 4,
    .addresses = GM_WARP_SIZE,
    .opcode = MEMORY_LOAD,
    .destinations = 1,
    .sources = 2,
    .destination = {7},
    .source = {3, 4},
};

/* Another opcode; without addresses where it has none. */
static void change_opcode(gm_instruction *changed, const gm_source *source, unsigned number)
{
    const gm_opcode *opcode = &source->opcodes.opcodes[number];
    changed->opcode = (uint16_t)number;
    changed->op = (uint8_t)opcode->op;
    changed->space = (uint8_t)opcode->space;
    if (opcode->space == GM_SPACE_NONE) {
        changed->form = GM_ADDRESS_NONE;
        changed->addresses = 0;
    }
}

static void change_mask(gm_instruction *changed, uint32_t mask)
{
    changed->mask = mask;
    changed->addresses = (uint16_t)gm_count_ones(mask);
    changed->form = mask == 0 ? GM_ADDRESS_NONE : changed->form;
}

/* One field, or two. */
static void change(gm_instruction *changed, test_random *random, const gm_source *source)
{
    static uint64_t address[GM_ADDRESSES];
    static const uint8_t widths[] = {0, 1, 3, 4, 8, 16, 32};
    switch (test_random_below(random, 14)) {
    case 0:
        changed->immediate = (int64_t)test_random_below(random, 3);
        break;
    case 1:
        changed->base += test_random_below(random, 1000);
        break;
    case 2:
        changed->stride = (int64_t)test_random_below(random, 17);
        break;
    case 3:
        change_mask(changed, UINT32_MAX << test_random_below(random, 32));
        break;
    case 4:
        change_mask(changed, (uint32_t)test_random_below(random, 64));
        break;
    case 5:
        change_mask(changed, UINT32_C(15) << test_random_below(random, 29));
        break;
    case 6:
    case 7:
        change_opcode(changed, source, (unsigned)test_random_below(random, MEMORY_OPCODES));
        break;
    case 8:
        changed->width = widths[test_random_below(random, sizeof widths)];
        break;
    case 9:
        changed->destinations = (uint8_t)test_random_below(random, 3);
        break;
    case 10:
        changed->sources = (uint8_t)(test_random_below(random, 2) * GM_SOURCES);
        break;
    case 11:
        changed->destination[0] = GM_REGISTER(test_random_below(random, 4), 7);
        break;
    case 12:
        changed->source[test_random_below(random, GM_SOURCES)] =
            (uint16_t)test_random_below(random, 256);
        break;
    default:
        for (unsigned k = 0; k < GM_WARP_SIZE; k++) {
            address[k] = changed->base + test_random_below(random, 1 << (4 + k / 2));
        }
        changed->form = changed->addresses != 0 ? GM_ADDRESS_LIST : changed->form;
        changed->address = address;
        break;
    }
}

static size_t bytes_of(const gm_warp_stream *stream)
{
    return stream->head == NULL ? 0 : (size_t)(stream->write - stream->read);
}

static void drop(taker *taker)
{
    gm_warp_store_drop(taker->store, taker->stream);
}

static void compare_intakes(gm_intake_form form, uint64_t line, test_random *random)
{
    enum { ROUNDS = 1000 };
    static taker old;
    static taker new;
    static taker other;
    gm_config config = order_preset("gtx480");
    config.l1.line = config.l2.line = line;
    memory_source *source = memory_source_new();
    start(&old, &config, &source->source, form);
    start(&other, &config, &source->source, GM_INTAKE_LINES);
    gm_instruction instruction = first;
    for (unsigned round = 0; round < ROUNDS; round++) {
        instruction = test_random_below(random, 8) == 0 ? first : instruction;
        for (uint64_t changes = test_random_below(random, 3); changes > 0; changes--) {
            change(&instruction, random, &source->source);
        }
        start(&new, &config, &source->source, form);
        take(&old, &instruction);
        take(&new, &instruction);
        take(&other, &instruction);
        assert_memory_equal(&old.cta.core, &new.cta.core, sizeof old.cta.core);
        assert_memory_equal(&old.cta.core, &other.cta.core, sizeof old.cta.core);
        assert_int_equal(old.stream->count, new.stream->count);
        assert_int_equal(bytes_of(old.stream), bytes_of(new.stream));
        if (bytes_of(new.stream) != 0) {
            assert_memory_equal(old.stream->read, new.stream->read, bytes_of(new.stream));
        }
        drop(&old);
        drop(&new);
        drop(&other);
        end(&new);
    }
    end(&old);
    end(&other);
    memory_source_free(source);
}

static void one_field_differs(void **state)
{
    (void)state;
    test_random random = test_random_start(53);
    for (uint64_t line = 32; line <= 512; line *= 4) {
        compare_intakes(GM_INTAKE_LINES, line, &random);
        compare_intakes(GM_INTAKE_LANES, line, &random);
        compare_intakes(GM_INTAKE_TIMED, line, &random);
    }
}

/* Not even an instruction of zeros: its record is a head that asks for no register. */
static void nothing_is_known_at_first(void **state)
{
    (void)state;
    static taker taker;
    const gm_config config = order_preset("gtx480");
    memory_source *source = memory_source_new();
    start(&taker, &config, &source->source, GM_INTAKE_TIMED);
    take(&taker, &(gm_instruction){.op = GM_OP_COMPUTE});
    assert_int_equal(taker.stream->count, 1);
    assert_int_equal(bytes_of(taker.stream), sizeof(uint64_t));
    drop(&taker);
    end(&taker);
    memory_source_free(source);
}

/* A load of no width waits for its registers and no more [timed_record.h: the head's fields]. */
static void touches_nothing(void **state)
{
    (void)state;
    static taker taker;
    const gm_config config = order_preset("gtx480");
    memory_source *source = memory_source_new();
    gm_instruction instruction = first;
    instruction.width = 0;
    start(&taker, &config, &source->source, GM_INTAKE_TIMED);
    take(&taker, &instruction);
    uint64_t head;
    memcpy(&head, taker.stream->read, sizeof head);
    assert_int_equal(head, GM_OP_COMPUTE | GM_UNITS << 4 | 3U << 17);
    assert_int_equal(bytes_of(taker.stream), 16);
    drop(&taker);
    end(&taker);
    memory_source_free(source);
}

/* A load of constants has the unit that Accel-Sim's tables give it, though the trace has addresses;
 * its result is waited for. By goldmem's own table it has none. */
static void constants_have_a_unit(void **state)
{
    (void)state;
    memory_source *source = memory_source_new();
    gm_opcode *constant = &source->source.opcodes.opcodes[MEMORY_COMPUTE];
    test_text_copy(constant->text, sizeof constant->text, "LDC");
    gm_opcode_classify(constant);
    gm_instruction instruction = first;
    instruction.opcode = MEMORY_COMPUTE;
    instruction.space = GM_SPACE_CONSTANT;
    for (unsigned theirs = 0; theirs < 2; theirs++) {
        static taker taker;
        gm_config config = order_preset("gtx480");
        config.sm.opcode_units = theirs != 0 ? GM_OPCODE_UNITS_ACCEL_SIM : GM_OPCODE_UNITS_OWN;
        start(&taker, &config, &source->source, GM_INTAKE_TIMED);
        take(&taker, &instruction);
        uint64_t head;
        memcpy(&head, taker.stream->read, sizeof head);
        assert_int_equal(gm_timed_op(head), GM_OP_COMPUTE);
        assert_int_equal(gm_timed_unit(head), theirs != 0 ? (int)GM_UNIT_INTEGER : (int)GM_UNITS);
        assert_int_equal(gm_timed_destinations(head), theirs);
        assert_int_equal(gm_timed_registers(head), 3);
        drop(&taker);
        end(&taker);
    }
    memory_source_free(source);
}

/* Returns the unit of a branch that a kernel of this binary version takes. */
static unsigned branch_unit(taker *taker, gm_instruction *instruction, uint32_t binary_version)
{
    gm_kernel other = kernel;
    other.binary_version = binary_version;
    gm_intake_kernel(&taker->intake, &other);
    take(taker, instruction);
    uint64_t head;
    memcpy(&head, taker->stream->read, sizeof head);
    drop(taker);
    return gm_timed_unit(head);
}

/* What a kernel's instructions mean is not kept for the next one, of another binary version. */
static void versions_have_their_units(void **state)
{
    (void)state;
    static taker taker;
    gm_config config = order_preset("gtx480");
    config.sm.opcode_units = GM_OPCODE_UNITS_ACCEL_SIM;
    memory_source *source = memory_source_new();
    gm_opcode *branch = &source->source.opcodes.opcodes[MEMORY_COMPUTE];
    test_text_copy(branch->text, sizeof branch->text, "BRA");
    gm_opcode_classify(branch);
    gm_instruction instruction = {.op = GM_OP_BRANCH, .opcode = MEMORY_COMPUTE};
    start(&taker, &config, &source->source, GM_INTAKE_TIMED);
    for (unsigned turn = 0; turn < 2; turn++) {
        assert_int_equal(branch_unit(&taker, &instruction, 86), GM_UNIT_CONTROL);
        assert_int_equal(branch_unit(&taker, &instruction, 61), GM_UNIT_INTEGER);
    }
    end(&taker);
    memory_source_free(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_field_differs),         cmocka_unit_test(nothing_is_known_at_first),
        cmocka_unit_test(touches_nothing),           cmocka_unit_test(constants_have_a_unit),
        cmocka_unit_test(versions_have_their_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
