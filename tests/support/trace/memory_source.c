#include "support/trace/memory_source.h"

#include "goldmem/bits.h"
#include "support/support.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef enum item_kind { COPY, KERNEL, CTA, WARP, INSTRUCTION } item_kind;

struct memory_item {
    item_kind kind;
    uint64_t a, b;     /* COPY: address, bytes; CTA, WARP: number; INSTRUCTION: first address */
    gm_kernel *kernel; /* KERNEL */
    gm_instruction instruction;
};

static const gm_opcode opcodes[MEMORY_OPCODES] = {
    [MEMORY_COMPUTE] = {"IADD", GM_OP_COMPUTE, GM_SPACE_NONE, GM_UNIT_INTEGER},
    [MEMORY_LOAD] = {"LDG", GM_OP_LOAD, GM_SPACE_GLOBAL, GM_UNIT_MEMORY},
    [MEMORY_STORE] = {"STG", GM_OP_STORE, GM_SPACE_GLOBAL, GM_UNIT_MEMORY},
    [MEMORY_ATOMIC] = {"ATOMG", GM_OP_ATOMIC, GM_SPACE_GLOBAL, GM_UNIT_MEMORY},
    [MEMORY_REDUCTION] = {"RED", GM_OP_REDUCTION, GM_SPACE_GLOBAL, GM_UNIT_MEMORY},
    [MEMORY_STRONG_LOAD] = {"LDG.E.STRONG.GPU", GM_OP_LOAD, GM_SPACE_GLOBAL, GM_UNIT_MEMORY,
                            .bypasses_l1 = true},
    [MEMORY_LOCAL_LOAD] = {"LDL", GM_OP_LOAD, GM_SPACE_LOCAL, GM_UNIT_MEMORY},
    [MEMORY_LOCAL_STORE] = {"STL", GM_OP_STORE, GM_SPACE_LOCAL, GM_UNIT_MEMORY},
    [MEMORY_SHARED_LOAD] = {"LDS", GM_OP_LOAD, GM_SPACE_SHARED, GM_UNIT_MEMORY},
    [MEMORY_GENERIC_LOAD] = {"LD", GM_OP_LOAD, GM_SPACE_GENERIC, GM_UNIT_MEMORY},
    [MEMORY_GENERIC_STORE] = {"ST", GM_OP_STORE, GM_SPACE_GENERIC, GM_UNIT_MEMORY},
    [MEMORY_BARRIER] = {"BAR.SYNC", GM_OP_BARRIER, GM_SPACE_NONE, GM_UNIT_CONTROL},
    [MEMORY_FENCE] = {"MEMBAR.GPU", GM_OP_FENCE, GM_SPACE_NONE, GM_UNIT_CONTROL,
                      .scope = GM_SCOPE_GPU},
    [MEMORY_ASYNC_COPY] = {"LDGSTS", GM_OP_ASYNC_COPY, GM_SPACE_GLOBAL, GM_UNIT_MEMORY},
    [MEMORY_COMMIT_GROUP] = {"LDGDEPBAR", GM_OP_COMMIT_GROUP, GM_SPACE_NONE, GM_UNIT_CONTROL},
    [MEMORY_WAIT_GROUP] = {"DEPBAR", GM_OP_WAIT_GROUP, GM_SPACE_NONE, GM_UNIT_CONTROL},
    [MEMORY_CTA_FENCE] = {"MEMBAR.CTA", GM_OP_FENCE, GM_SPACE_NONE, GM_UNIT_CONTROL,
                          .scope = GM_SCOPE_CTA},
};

static int next_command(gm_source *source, gm_command *command, gm_error *error)
{
    memory_source *memory = (memory_source *)source;
    (void)error;
    while (memory->next < memory->count && memory->item[memory->next].kind > KERNEL) {
        memory->next++;
    }
    if (memory->next == memory->count) {
        return 0;
    }
    const memory_item *item = &memory->item[memory->next++];
    *command = (gm_command){.kind = item->kind == COPY ? GM_COMMAND_COPY : GM_COMMAND_KERNEL,
                            .address = item->a,
                            .bytes = item->b,
                            .kernel = item->kernel};
    return 1;
}

static int deliver(memory_source *memory, const gm_cta_sink *sink, const memory_item *item,
                   gm_error *error)
{
    if (item->kind == WARP) {
        return sink->begin_warp(sink->context, (uint32_t)item->a, error);
    }
    gm_instruction instruction = item->instruction;
    if (instruction.form == GM_ADDRESS_LIST) {
        instruction.address = &memory->address[item->a];
    }
    return sink->instruction(sink->context, &instruction, error);
}

static int next_cta(gm_source *source, const gm_cta_sink *sink, gm_error *error)
{
    memory_source *memory = (memory_source *)source;
    if (memory->next == memory->count || memory->item[memory->next].kind != CTA) {
        return 0;
    }
    if (memory->ctas++ == memory->fail_at) {
        return gm_fail(error, -EIO, "memory: CTA %zu cannot be read", memory->fail_at);
    }
    uint32_t id[3] = {(uint32_t)memory->item[memory->next++].a, 0, 0};
    int code = sink->begin_cta(sink->context, id, error);
    while (code == 0 && memory->next < memory->count && memory->item[memory->next].kind > CTA) {
        code = deliver(memory, sink, &memory->item[memory->next++], error);
    }
    code = code == 0 ? sink->end_cta(sink->context, error) : code;
    return code < 0 ? code : 1;
}

static gm_progress progress(const gm_source *source)
{
    (void)source;
    return (gm_progress){0};
}

static void close_source(gm_source *source)
{
    memory_source_free((memory_source *)source);
}

memory_source *memory_source_new(void)
{
    static const gm_source_operations operations = {next_command, next_cta, progress, NULL,
                                                    close_source};
    memory_source *source = calloc(1, sizeof *source);
    assert_non_null(source);
    source->source.operations = &operations;
    source->source.name = "memory";
    source->source.opcodes.opcodes = malloc(sizeof opcodes);
    assert_non_null(source->source.opcodes.opcodes);
    memcpy(source->source.opcodes.opcodes, opcodes, sizeof opcodes);
    source->source.opcodes.count = MEMORY_OPCODES;
    source->fail_at = SIZE_MAX;
    return source;
}

void memory_source_free(memory_source *source)
{
    for (size_t i = 0; i < source->count; i++) {
        free(source->item[i].kernel);
    }
    free(source->item);
    free(source->address);
    free(source->source.opcodes.opcodes);
    free(source);
}

void memory_source_rewind(memory_source *source)
{
    source->next = 0;
    source->ctas = 0;
}

uint64_t memory_instructions(const memory_source *source, uint64_t *lanes, uint64_t *barriers)
{
    uint64_t count = 0;
    for (size_t i = 0; i < source->count; i++) {
        if (source->item[i].kind == INSTRUCTION) {
            count++;
            *lanes += gm_count_ones(source->item[i].instruction.mask);
            *barriers += source->item[i].instruction.op == GM_OP_BARRIER;
        }
    }
    return count;
}

static memory_item *add(memory_source *source, memory_item item)
{
    if (source->count == source->capacity) {
        source->capacity = source->capacity * 2 + 64;
        memory_item *larger = realloc(source->item, source->capacity * sizeof *larger);
        assert_non_null(larger);
        source->item = larger;
    }
    source->item[source->count] = item;
    return &source->item[source->count++];
}

void memory_copy(memory_source *source, uint64_t address, uint64_t bytes)
{
    add(source, (memory_item){.kind = COPY, .a = address, .b = bytes});
}

gm_kernel *memory_kernel(memory_source *source, uint32_t ctas, uint32_t threads)
{
    gm_kernel *kernel = calloc(1, sizeof *kernel);
    assert_non_null(kernel);
    strcpy(kernel->name, "test");
    kernel->id = 1;
    kernel->grid[0] = ctas;
    kernel->grid[1] = kernel->grid[2] = 1;
    kernel->block[0] = threads;
    kernel->block[1] = kernel->block[2] = 1;
    kernel->registers = 16;
    add(source, (memory_item){.kind = KERNEL, .kernel = kernel});
    return kernel;
}

void memory_streams(memory_source *source, const uint64_t *stream, size_t streams)
{
    size_t kernels = 0;
    for (size_t i = 0; i < source->count; i++) {
        if (source->item[i].kind == KERNEL) {
            source->item[i].kernel->stream = stream[kernels++ % streams];
        }
    }
}

void memory_drop_copies(memory_source *source)
{
    size_t left = 0;
    for (size_t i = 0; i < source->count; i++) {
        if (source->item[i].kind != COPY) {
            source->item[left++] = source->item[i];
        }
    }
    source->count = left;
}

void memory_cta(memory_source *source, uint32_t x)
{
    add(source, (memory_item){.kind = CTA, .a = x});
}

void memory_warp(memory_source *source, uint32_t warp)
{
    add(source, (memory_item){.kind = WARP, .a = warp});
}

static gm_instruction make(unsigned opcode, uint32_t mask)
{
    return (gm_instruction){.mask = mask,
                            .opcode = (uint16_t)opcode,
                            .op = (uint8_t)opcodes[opcode].op,
                            .space = (uint8_t)opcodes[opcode].space};
}

void memory_plain(memory_source *source, unsigned opcode, uint32_t mask)
{
    add(source, (memory_item){.kind = INSTRUCTION, .instruction = make(opcode, mask)});
}

void memory_stride(memory_source *source, unsigned opcode, uint32_t mask, uint64_t base,
                   int64_t stride, unsigned width)
{
    gm_instruction instruction = make(opcode, mask);
    instruction.form = mask != 0 ? GM_ADDRESS_STRIDE : GM_ADDRESS_NONE;
    instruction.base = base;
    instruction.stride = stride;
    instruction.width = (uint8_t)width;
    instruction.addresses = (uint16_t)gm_count_ones(mask);
    add(source, (memory_item){.kind = INSTRUCTION, .instruction = instruction});
}

void memory_list(memory_source *source, unsigned opcode, uint32_t mask, const uint64_t *address,
                 unsigned width)
{
    gm_instruction instruction = make(opcode, mask);
    unsigned count = gm_count_ones(mask);
    instruction.form = GM_ADDRESS_LIST;
    instruction.width = (uint8_t)width;
    instruction.addresses = (uint16_t)count;
    if (source->addresses + count > source->address_capacity) {
        source->address_capacity = source->address_capacity * 2 + 256;
        uint64_t *larger = realloc(source->address, source->address_capacity * sizeof *larger);
        assert_non_null(larger);
        source->address = larger;
    }
    memcpy(&source->address[source->addresses], address, count * sizeof *address);
    add(source,
        (memory_item){.kind = INSTRUCTION, .a = source->addresses, .instruction = instruction});
    source->addresses += count;
}

void memory_registers(memory_source *source, unsigned written, unsigned read)
{
    gm_instruction *instruction = &source->item[source->count - 1].instruction;
    instruction->destinations = instruction->sources = 1;
    instruction->destination[0] = GM_REGISTER(GM_REGISTERS_GENERAL, written);
    instruction->source[0] = GM_REGISTER(GM_REGISTERS_GENERAL, read);
}

void memory_pc(memory_source *source, uint64_t pc)
{
    source->item[source->count - 1].instruction.pc = pc;
}
