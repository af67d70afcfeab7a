/* Program points as instructions. Registers follow the kernel's text: a load writes its own
 * register; a COMPUTE reads the loads since the previous COMPUTE and the result of that COMPUTE; a
 * store reads the latest value; addresses come from the latest integer COMPUTE. An in-order
 * pipeline so has the dependences of the kernel. */
#include "workload/point.h"

#include "goldmem/bits.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    REGISTER_THREAD = 2,  /* thread index, set before the kernel begins */
    REGISTER_INTEGER = 3, /* result of integer COMPUTEs */
    REGISTER_VALUE = 4,   /* result of the others */
    REGISTER_LOADED = 8,  /* first of those that loads write */
    REGISTER_LAST = 248,
    PC_POINT = 1024, /* bytes from one point's pc to the next: COMPUTE takes up to 63 * 16 */
    PC_STEP = 16,
    SOURCES_EACH = 2, /* loaded registers that one arithmetic instruction reads */
};

int gm_points_create(gm_points **points, const gm_code *code, gm_error *error)
{
    *points = calloc(1, sizeof **points);
    gm_point *point = calloc(code->exit - code->first + 1, sizeof *point);
    if (*points == NULL || point == NULL) {
        free(*points);
        free(point);
        *points = NULL;
        return gm_fail(error, -ENOMEM, "out of memory for the points of kernel %s", code->name);
    }
    (*points)->code = code;
    (*points)->point = point;
    (*points)->registers = REGISTER_LOADED;
    return 0;
}

void gm_points_free(gm_points *points)
{
    while (points != NULL) {
        gm_points *next = points->next;
        for (uint32_t i = 0; i <= points->code->exit - points->code->first; i++) {
            free(points->point[i].instructions);
        }
        free(points->point);
        free(points);
        points = next;
    }
}

static unsigned event_size(uint64_t event)
{
    return (unsigned)(event >> 46) & 7U;
}

static unsigned event_detail(uint64_t event)
{
    return (unsigned)(event >> GM_EVENT_OFFSET) & 63U;
}

static const char *compute_text(gm_unit unit)
{
    switch (unit) {
    case GM_UNIT_FP32:
        return "FFMA";
    case GM_UNIT_FP64:
        return "DFMA";
    case GM_UNIT_SPECIAL:
        return "MUFU.EX2";
    case GM_UNIT_TENSOR:
        return "HMMA.16816.F32";
    case GM_UNIT_INTEGER:
    case GM_UNIT_CONTROL:
    case GM_UNIT_MEMORY:
    case GM_UNIT_TEXTURE:
    case GM_UNIT_UNIFORM:
    case GM_UNITS:
        break;
    }
    return "IADD3";
}

static void atomic_text(char *text, size_t size, const char *base, uint64_t event)
{
    static const char *const operations[] = {"ADD", "MIN", "MAX", "AND", "OR", "EXCH", "CAS", ""};
    unsigned detail = event_detail(event);
    bool wide = event_size(event) == GM_LOG2_SIZE(8);
    const char *type = wide ? ".64" : "";
    if ((detail & GM_TYPE_FLOAT) != 0) {
        type = wide ? ".F64.RN" : ".F32.FTZ.RN";
    } else if ((detail & GM_TYPE_SIGNED) != 0 && !wide) {
        type = ".S32";
    }
    snprintf(text, size, "%s.%s%s", base, operations[detail & 7U], type);
}

static void point_text(char *text, size_t size, uint64_t event, gm_point_kind kind, bool weak)
{
    static const char *const widths[] = {".U8", ".U16", "", ".64", ".128", "", "", ""};
    static const char *const scopes[GM_SCOPES] = {"CTA", "GPU", "SYS"};
    const char *width = widths[event_size(event)];
    switch (kind) {
    case GM_POINT_COMPUTE:
        snprintf(text, size, "%s", compute_text((gm_unit)event_size(event)));
        return;
    case GM_POINT_LOAD:
        snprintf(text, size, "LDG.E%s", width);
        return;
    case GM_POINT_STORE:
        snprintf(text, size, "STG.E%s", width);
        return;
    case GM_POINT_SHARED_LOAD:
        snprintf(text, size, "LDS%s", width);
        return;
    case GM_POINT_SHARED_STORE:
        snprintf(text, size, "STS%s", width);
        return;
    case GM_POINT_LOCAL_LOAD:
        snprintf(text, size, "LDL%s", width);
        return;
    case GM_POINT_LOCAL_STORE:
        snprintf(text, size, "STL%s", width);
        return;
    case GM_POINT_ATOMIC:
        atomic_text(text, size, "ATOMG.E", event);
        return;
    case GM_POINT_REDUCTION:
        atomic_text(text, size, "RED.E", event);
        return;
    case GM_POINT_SHARED_ATOMIC:
        atomic_text(text, size, "ATOMS", event);
        return;
    case GM_POINT_FENCE:
        snprintf(text, size, "MEMBAR.SC.%s", scopes[event_detail(event)]);
        return;
    case GM_POINT_LOOP:
        snprintf(text, size, "BRA");
        return;
    case GM_POINT_BARRIER:
        snprintf(text, size, "BAR.SYNC");
        return;
    case GM_POINT_SYNC_LOAD:
        snprintf(text, size, "LDG.E%s", weak ? "" : ".STRONG.GPU");
        return;
    case GM_POINT_SYNC_STORE:
        snprintf(text, size, "STG.E.STRONG.GPU");
        return;
    case GM_POINT_SYNC_ATOMIC:
        atomic_text(text, size, "ATOMG.E", event);
        return;
    case GM_POINT_YIELD: /* never issued */
    case GM_POINT_EXIT:
        break;
    }
    snprintf(text, size, "EXIT");
}

static bool is_memory(gm_point_kind kind)
{
    return (kind >= GM_POINT_LOAD && kind <= GM_POINT_LOCAL_STORE) || gm_point_is_sync(kind);
}

static bool is_atomic(gm_point_kind kind)
{
    return kind == GM_POINT_ATOMIC || kind == GM_POINT_SHARED_ATOMIC ||
           kind == GM_POINT_SYNC_ATOMIC;
}

static bool is_load(gm_point_kind kind)
{
    return kind == GM_POINT_LOAD || kind == GM_POINT_SHARED_LOAD || kind == GM_POINT_LOCAL_LOAD ||
           kind == GM_POINT_SYNC_LOAD || is_atomic(kind);
}

/* Returns the first register that a load of this width writes, aligned to the width. */
static uint16_t take_register(gm_points *points, unsigned log2_bytes)
{
    uint32_t words = log2_bytes > 2 ? 1U << (log2_bytes - 2) : 1;
    uint32_t first = (points->registers + words - 1) / words * words;
    if (first + words > REGISTER_LAST) {
        first = REGISTER_LOADED;
    }
    points->registers = first + words;
    return (uint16_t)first;
}

/* Returns the register written last, before `point` in the text, by an integer COMPUTE or by any
 * point. */
static uint16_t latest(const gm_points *points, const gm_point *point, bool integer_only)
{
    for (ptrdiff_t i = point - points->point; i-- > 0;) {
        uint16_t written = points->point[i].destination;
        if (written != 0 && (!integer_only || written == REGISTER_INTEGER)) {
            return written;
        }
    }
    return REGISTER_THREAD;
}

/* Distributes the registers loaded since the previous COMPUTE over the point's instructions. */
static void compute_registers(const gm_points *points, gm_point *point, bool integer)
{
    uint16_t loaded[GM_EVENT_ORDINALS];
    unsigned count = 0;
    for (ptrdiff_t i = point - points->point; i-- > 0;) {
        const gm_point *before = &points->point[i];
        if (before->instructions != NULL && before->kind == GM_POINT_COMPUTE) {
            break;
        }
        if (before->destination != 0) {
            loaded[count++] = before->destination;
        }
    }
    for (uint32_t k = 0; k < point->count; k++) {
        gm_instruction *instruction = &point->instructions[k];
        unsigned room = k + 1 == point->count ? GM_SOURCES - 1 : SOURCES_EACH;
        instruction->destinations = 1;
        instruction->destination[0] = integer ? REGISTER_INTEGER : REGISTER_VALUE;
        instruction->source[instruction->sources++] = instruction->destination[0];
        for (; room > 0 && count > 0; room--) {
            instruction->source[instruction->sources++] = loaded[--count];
        }
    }
    point->destination = integer ? REGISTER_INTEGER : REGISTER_VALUE;
}

static void memory_registers(gm_points *points, gm_point *point)
{
    gm_instruction *instruction = point->instructions;
    uint16_t address = latest(points, point, true);
    instruction->source[instruction->sources++] = address;
    if (!is_load((gm_point_kind)point->kind) || is_atomic((gm_point_kind)point->kind)) {
        instruction->source[instruction->sources++] = latest(points, point, false);
    }
    if (is_load((gm_point_kind)point->kind)) {
        point->destination = take_register(points, event_size(point->event));
        instruction->destinations = 1;
        instruction->destination[0] = point->destination;
    }
}

int gm_point_make(gm_points *points, uint64_t event, bool weak, gm_opcode_table *opcodes,
                  gm_error *error)
{
    gm_point *point = gm_point_of(points, event);
    gm_point_kind kind = gm_event_kind(event);
    char text[GM_OPCODE_TEXT];
    point_text(text, sizeof text, event, kind, weak);
    int opcode = gm_opcode_number(opcodes, text, (uint32_t)strlen(text), error);
    if (opcode < 0) {
        return opcode;
    }
    uint32_t count = kind == GM_POINT_COMPUTE ? event_detail(event) : 1;
    gm_instruction *instructions = calloc(count, sizeof *instructions);
    if (instructions == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory for kernel %s", points->code->name);
    }
    for (uint32_t k = 0; k < count; k++) {
        instructions[k].pc = (uint64_t)(point - points->point) * PC_POINT + (uint64_t)k * PC_STEP;
        instructions[k].opcode = (uint16_t)opcode;
        instructions[k].op = (uint8_t)opcodes->opcodes[opcode].op;
        instructions[k].space = (uint8_t)opcodes->opcodes[opcode].space;
        if (is_memory(kind)) {
            instructions[k].width = (uint8_t)(1U << event_size(event));
        }
    }
    point->instructions = instructions;
    point->count = count;
    point->kind = (uint8_t)kind;
    point->event = event & ~gm_mask(GM_EVENT_OFFSET);
    if (kind == GM_POINT_COMPUTE) {
        compute_registers(points, point, event_size(event) == GM_UNIT_INTEGER);
    } else if (is_memory(kind)) {
        memory_registers(points, point);
    }
    return 0;
}
