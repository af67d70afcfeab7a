#include "support/trace/digest.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

typedef struct digesting {
    test_digest *digest;
    const gm_source *source;
    unsigned cannot;
    size_t cta_start; /* in digest */
    bool cta_empty;
} digesting;

/* FNV-1a */
static uint64_t mix(uint64_t hash, const void *bytes, size_t length)
{
    const unsigned char *at = bytes;
    for (size_t k = 0; k < length; k++) {
        hash = (hash ^ at[k]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

static uint64_t mix_number(uint64_t hash, uint64_t number)
{
    return mix(hash, &number, sizeof number);
}

static uint64_t mix_text(uint64_t hash, const char *text)
{
    return mix(hash, text, strlen(text) + 1);
}

static void add(test_digest *digest, uint64_t value)
{
    if (digest->count == digest->capacity) {
        digest->capacity = digest->capacity * 2 + 1024;
        uint64_t *larger = realloc(digest->values, digest->capacity * sizeof *larger);
        assert_non_null(larger);
        digest->values = larger;
    }
    digest->values[digest->count++] = value;
}

static int digest_cta(void *context, const uint32_t cta[3], gm_error *error)
{
    (void)error;
    digesting *digesting = context;
    digesting->cta_start = digesting->digest->count;
    digesting->cta_empty = true;
    add(digesting->digest, mix(1, cta, 3 * sizeof *cta));
    return 0;
}

static int digest_warp(void *context, uint32_t warp, gm_error *error)
{
    (void)error;
    const digesting *digesting = context;
    add(digesting->digest, mix_number(2, warp));
    return 0;
}

static uint64_t mix_registers(uint64_t hash, const uint16_t *registers, unsigned count,
                              unsigned cannot)
{
    unsigned kept = 0;
    for (unsigned k = 0; k < count; k++) {
        if (registers[k] < 256 || (cannot & TEST_ONLY_GENERAL) == 0) {
            hash = mix_number(hash, registers[k]);
            kept++;
        }
    }
    return mix_number(hash, kept);
}

static int digest_instruction(void *context, const gm_instruction *instruction, gm_error *error)
{
    (void)error;
    digesting *digesting = context;
    unsigned cannot = digesting->cannot;
    const gm_opcode *opcode = &digesting->source->opcodes.opcodes[instruction->opcode];
    assert_int_equal(instruction->op, opcode->op);
    assert_int_equal(instruction->space, opcode->space);
    uint64_t hash = mix_text(3, opcode->text);
    hash = mix_number(hash, instruction->pc);
    hash = mix_number(hash, instruction->mask);
    hash = mix_number(hash, instruction->width);
    hash = mix_registers(hash, instruction->destination, instruction->destinations, cannot);
    hash = mix_registers(hash, instruction->source, instruction->sources, cannot);
    if ((cannot & TEST_NO_IMMEDIATE) == 0) {
        hash = mix_number(hash, (uint64_t)instruction->immediate);
    }
    hash = mix_number(hash, instruction->form == GM_ADDRESS_NONE);
    for (unsigned k = 0; k < instruction->addresses; k++) {
        hash = mix_number(hash, gm_instruction_address(instruction, k));
    }
    add(digesting->digest, hash);
    digesting->cta_empty = false;
    return 0;
}

static int digest_end(void *context, gm_error *error)
{
    (void)error;
    const digesting *digesting = context;
    if (digesting->cta_empty) {
        digesting->digest->count = digesting->cta_start;
    }
    return 0;
}

static uint64_t digest_kernel(const gm_kernel *kernel, unsigned cannot)
{
    uint64_t hash = mix_text(4, kernel->name);
    hash = mix(hash, kernel->grid, sizeof kernel->grid);
    hash = mix(hash, kernel->block, sizeof kernel->block);
    hash = mix_number(hash, kernel->id);
    hash = mix_number(hash, kernel->shared_bytes);
    hash = mix_number(hash, kernel->registers);
    hash = mix_number(hash, kernel->binary_version);
    hash = mix_number(hash, kernel->stream);
    hash = mix_number(hash, kernel->shared_base);
    hash = mix_number(hash, kernel->local_base);
    hash = mix_text(hash, kernel->nvbit_version);
    if ((cannot & TEST_NO_VERSION) == 0) {
        hash = mix_text(hash, kernel->tracer_version);
        hash = mix_number(hash, (uint64_t)kernel->version << 1 | kernel->has_immediate);
    }
    return hash;
}

int test_digest_source(test_digest *digest, gm_source *source, unsigned cannot, gm_error *error)
{
    *digest = (test_digest){0};
    digesting digesting = {.digest = digest, .source = source, .cannot = cannot};
    const gm_cta_sink sink = {&digesting, digest_cta, digest_warp, digest_instruction, digest_end};
    gm_command command;
    int code;
    while ((code = gm_source_next_command(source, &command, error)) > 0) {
        if (command.kind == GM_COMMAND_COPY) {
            add(digest, mix_number(mix_number(5, command.address), command.bytes));
            continue;
        }
        add(digest, digest_kernel(command.kernel, cannot));
        while ((code = gm_source_next_cta(source, &sink, error)) > 0) {
        }
        if (code < 0) {
            break;
        }
    }
    return code;
}

void test_digest_equal(const test_digest *got, const test_digest *expected, const char *what)
{
    for (size_t k = 0; k < got->count && k < expected->count; k++) {
        if (got->values[k] != expected->values[k]) {
            fail_msg("%s: item %zu of %zu differs", what, k, expected->count);
        }
    }
    if (got->count != expected->count) {
        fail_msg("%s: %zu items, expected %zu", what, got->count, expected->count);
    }
}

void test_digest_free(test_digest *digest)
{
    free(digest->values);
    *digest = (test_digest){0};
}
