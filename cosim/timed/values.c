/* What stands in for the value layer: the functions of cache/values.h that the timed L1s and the
 * bank call where data move, with a litmus test's values in place of stores' numbers. The value of
 * a store in flight is in the test. */
#include "timed.h"

#include "cache/values.h"
#include "cycle/l1/l1_queue.h"

#include <string.h>

static timed_values *the_values(void)
{
    return &the_machine->world->values;
}

/* The number of a line, which the values keep; sets world->broken if there is none. */
static uint32_t line_of(uint64_t address)
{
    uint32_t line = timed_line(address);
    if (line == GM_LITMUS_LINES) {
        the_machine->world->broken = true;
        return 0;
    }
    return line;
}

static void answer(uint32_t sm, uint32_t ticket, uint32_t line, const uint8_t *data)
{
    unsigned warp;
    const gm_litmus_operation *op = timed_operation(sm, ticket, &warp);
    (void)line;
    timed_give(warp, op->target, data[op->word]);
}

void gm_values_load(gm_values *values, const gm_value_request *request, uint32_t held, uint32_t id)
{
    uint32_t line = line_of(request->line);
    (void)values;
    (void)id;
    if (held != 0) {
        answer(request->sm, request->ticket, line, the_values()->l1[request->sm][line]);
    }
}

void gm_values_answer(gm_values *values, uint32_t sm, uint32_t ticket, uint64_t line,
                      uint32_t sectors, uint32_t id)
{
    (void)values;
    (void)sectors;
    (void)id;
    answer(sm, ticket, line_of(line), the_values()->arrived[sm]);
}

void gm_values_store(gm_values *values, const gm_value_request *request,
                     const gm_value_effect *effect)
{
    unsigned warp;
    const gm_litmus_operation *op = timed_operation(request->sm, request->ticket, &warp);
    (void)values;
    if (effect->held != 0) {
        the_values()->l1[request->sm][line_of(request->line)][op->word] = op->value;
    }
    the_machine->world->broken |= effect->waiting != 0 || effect->dirtied != 0;
}

void gm_values_install(gm_values *values, uint32_t sm, uint64_t line, uint32_t sectors,
                       uint32_t dirtied, uint32_t id)
{
    timed_values *own = the_values();
    (void)values;
    (void)sectors;
    (void)dirtied;
    (void)id;
    memcpy(own->l1[sm][line_of(line)], own->arrived[sm], GM_LITMUS_WORDS);
    TIMED_TELL("; installed");
}

void gm_values_end_reply(gm_values *values, uint32_t sm, uint64_t line, uint32_t id)
{
    (void)values;
    (void)line;
    (void)id;
    memset(the_values()->arrived[sm], 0, GM_LITMUS_WORDS);
}

/* What a fence must wait for is checked when it completes (step.c). */
void gm_values_fence(gm_values *values, uint32_t sm, uint32_t slot, uint32_t kernel)
{
    (void)values;
    (void)sm;
    (void)slot;
    (void)kernel;
}

void gm_values_write_back(gm_values *values, uint32_t sm, uint64_t line, uint32_t dirty,
                          uint32_t id)
{
    (void)values;
    (void)sm;
    (void)line;
    (void)dirty;
    (void)id;
    the_machine->world->broken = true; /* these L1s have no dirty lines */
}

void gm_values_supply(gm_values *values, uint32_t sm, uint32_t supplier, uint64_t line,
                      uint32_t sectors, uint32_t id)
{
    gm_values_write_back(values, sm, line, sectors, id);
    (void)supplier;
}

void gm_values_fetch(gm_values *values, uint64_t l2_line, uint32_t sectors)
{
    timed_values *own = the_values();
    uint32_t line = line_of(l2_line);
    (void)values;
    if (sectors != 0) {
        memcpy(own->l2[line], own->memory[line], GM_LITMUS_WORDS);
    }
}

void gm_values_write_to_dram(gm_values *values, uint64_t l2_line, uint32_t sectors)
{
    timed_values *own = the_values();
    uint32_t line = line_of(l2_line);
    (void)values;
    (void)sectors;
    memcpy(own->memory[line], own->l2[line], GM_LITMUS_WORDS);
}

void gm_values_reply(gm_values *values, uint32_t sm, uint32_t id, uint64_t l2_line,
                     uint32_t sectors)
{
    timed_values *own = the_values();
    (void)values;
    (void)sm;
    (void)id;
    (void)sectors;
    memcpy(own->reply, own->l2[line_of(l2_line)], GM_LITMUS_WORDS);
}

void gm_values_perform(gm_values *values, gm_message_kind kind, uint32_t sm, uint32_t id,
                       uint64_t l2_line, uint32_t sectors, bool through, uint64_t visible)
{
    timed_values *own = the_values();
    uint32_t line = line_of(l2_line);
    unsigned warp;
    (void)visible;
    if (kind == GM_MESSAGE_READ) {
        gm_values_reply(values, sm, id, l2_line, sectors);
        return;
    }
    const gm_litmus_operation *op = timed_operation(sm, gm_cycle_l1_id_number(id), &warp);
    if (kind == GM_MESSAGE_ATOMIC) {
        timed_give(warp, op->target, own->l2[line][op->word]);
    }
    own->l2[line][op->word] = op->value;
    own->order[line][op->word][op->value] = ++own->performed[line][op->word];
    if (through) {
        own->memory[line][op->word] = op->value;
    }
    TIMED_TELL("; performs %c%u = %u", (char)('x' + line), op->word, op->value);
}

void gm_values_copy(gm_values *values, uint64_t l2_line, uint32_t sectors, bool installs)
{
    (void)values;
    (void)l2_line;
    (void)sectors;
    (void)installs;
    the_machine->world->broken = true; /* there are no host copies */
}

/* There are neither sharing trackers nor atomic buffers. */
void gm_values_fill(gm_values *values, uint32_t sm, uint64_t line, uint32_t sectors)
{
    gm_values_write_back(values, sm, line, sectors, 0);
}

void gm_values_take(gm_values *values, uint64_t l2_line, uint32_t sectors, uint32_t bytes)
{
    (void)bytes;
    gm_values_write_back(values, 0, l2_line, sectors, 0);
}

void gm_values_put(gm_values *values, uint64_t l2_line, uint32_t sectors, uint32_t bytes)
{
    (void)bytes;
    gm_values_write_back(values, 0, l2_line, sectors, 0);
}

void gm_values_perform_in_buffer(gm_values *values, gm_message_kind kind, uint32_t sm, uint32_t id,
                                 uint64_t l2_line, uint32_t sectors, uint64_t visible)
{
    (void)kind;
    (void)visible;
    gm_values_write_back(values, sm, l2_line, sectors, id);
}

void gm_values_allocate_bytes(gm_values *values, uint64_t l2_line)
{
    gm_values_copy(values, l2_line, 0, false); /* this L2 knows no bytes */
}

void gm_values_fetch_bytes(gm_values *values, uint64_t l2_line, uint32_t bytes)
{
    gm_values_copy(values, l2_line, bytes, false);
}

void gm_values_write_bytes_to_dram(gm_values *values, uint64_t l2_line, uint32_t bytes)
{
    gm_values_copy(values, l2_line, bytes, false);
}

void gm_values_read_dram(gm_values *values, uint32_t sm, uint32_t id, uint64_t l2_line,
                         uint32_t sectors)
{
    gm_values_reply(values, sm, id, l2_line, sectors);
    the_machine->world->broken = true; /* no load bypasses this L2 */
}

void gm_values_insert_victim(gm_values *values, uint32_t sm, uint64_t l2_line, uint32_t sectors)
{
    gm_values_write_back(values, sm, l2_line, sectors, 0);
}

void gm_values_drop_victim(gm_values *values, uint32_t sm, uint64_t l2_line, uint32_t sectors)
{
    gm_values_write_back(values, sm, l2_line, sectors, 0);
}

void gm_values_evict(gm_values *values, uint32_t sm, uint64_t line, uint32_t sectors)
{
    if (sectors != 0) {
        gm_values_write_back(values, sm, line, sectors, 0);
    }
}

void gm_values_evicted(gm_values *values, uint32_t sm, uint64_t line, uint32_t sectors, bool sent)
{
    (void)sent;
    gm_values_evict(values, sm, line, sectors);
}
