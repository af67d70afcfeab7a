/* Values of a run: the layer itself, kernels, host copies. */
#include "cache/values.h"

#include "cache/value_state.h"
#include "goldmem/bits.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

int gm_values_create(gm_values **values, const gm_config *config, const char *unit,
                     const uint64_t *now, const gm_value_observer *observer, gm_error *error)
{
    static const gm_value_observer none = {NULL, NULL, NULL, NULL, NULL};
    if (config->l1.keep_bypassed) {
        return gm_fail(
            error, -EINVAL,
            "--check=values: l1.keep_bypassed=yes lets loads see old values; it needs no");
    }
    if (config->l1.parts) {
        return gm_fail(error, -EINVAL,
                       "--check=values: l1.parts=yes keeps no values of parts; it needs no");
    }
    gm_values *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: values");
    }
    made->sms = (uint32_t)config->gpu.sms;
    made->slots = (uint32_t)config->sm.warps;
    uint64_t told = config->tracker.ask ? config->gpu.sms : gm_config_tracker_sms(config);
    made->group = config->tracker.enabled ? (uint32_t)told : 0;
    made->l1_bits = gm_log2_floor(config->l1.line / GM_SECTOR);
    made->l2_bits = gm_log2_floor(config->l2.line / GM_SECTOR);
    made->coherent = config->coherence.protocol != GM_COHERENCE_NONE;
    made->flush = config->l1.flush || made->coherent;
    made->bytes = config->l2.dirty == GM_DIRTY_BYTE;
    made->now = now;
    made->observer = observer != NULL ? observer : &none;
    made->issued = calloc((size_t)made->sms * GM_VALUE_TICKETS, sizeof *made->issued);
    made->slot = calloc((size_t)made->sms * made->slots, sizeof *made->slot);
    gm_value_table_init(&made->table);
    gm_value_order_init(&made->order, unit);
    if (made->issued == NULL || made->slot == NULL) {
        gm_values_free(made);
        return gm_fail(error, -ENOMEM, "out of memory: values");
    }
    *values = made;
    return 0;
}

void gm_values_free(gm_values *values)
{
    if (values != NULL) {
        gm_value_table_free(&values->table);
        gm_value_order_free(&values->order);
        free(values->issued);
        free(values->slot);
        free(values->written);
        free(values);
    }
}

void gm_values_carry_only(gm_values *values)
{
    values->unchecked = true;
    values->order.forgets = true;
}

void gm_values_each(const gm_values *values,
                    void (*held)(void *context, uint64_t address, uint32_t value), void *context)
{
    const gm_value_table *table = &values->table;
    for (uint32_t i = 0; i < table->chains; i++) {
        for (uint32_t link = table->chain[i]; link != 0;) {
            const gm_value_sector *sector = &table->sector[link - 1];
            for (unsigned word = 0; word < GM_VALUE_WORDS; word++) {
                if (sector->value[word] != 0) {
                    held(context, gm_value_address(sector->sector, word), sector->value[word]);
                }
            }
            link = sector->next;
        }
    }
}

int gm_values_check(const gm_values *values, gm_error *error)
{
    if (values->wrong.code != 0) {
        return gm_fail(error, values->wrong.code, "%s", values->wrong.text);
    }
    return values->failed || values->table.failed || values->order.failed
               ? gm_fail(error, -ENOMEM, "out of memory: values")
               : 0;
}

/* Makes every write performed so far one that each SM must see. */
static void raise_floor(gm_values *values)
{
    for (uint32_t i = 0; i < values->written_count; i++) {
        uint64_t sector = values->written[i];
        gm_value_copy(&values->table, gm_value_owner(GM_VALUE_FLOOR, 0, 0),
                      gm_value_owner(GM_VALUE_LAST, 0, 0), sector);
        gm_value_at(&values->table, gm_value_owner(GM_VALUE_LAST, 0, 0), sector)->got = 0;
    }
    values->written_count = 0;
}

void gm_values_copy(gm_values *values, uint64_t l2_line, uint32_t sectors, bool installs)
{
    if (values->kernels == 0) {
        if (values->bytes) {
            gm_value_copy_bytes(values, l2_line, 0, installs);
        }
        return; /* values 0 */
    }
    const gm_value_store store = {
        .warp = {.kernel = values->kernels}, .time = *values->now, .copy = true};
    uint32_t value = gm_value_order_add(&values->order, &store);
    gm_value_order_pass(&values->order, value);
    for (uint32_t left = sectors; left != 0; left &= left - 1) {
        uint64_t sector = (l2_line << values->l2_bits) + gm_lowest_one(left);
        uint64_t last = gm_value_owner(GM_VALUE_LAST, 0, 0);
        for (unsigned word = 0; word < GM_VALUE_WORDS; word++) {
            gm_value_become_last(values, gm_value_at(&values->table, last, sector), word, value, 0);
        }
        if (values->bytes) {
            gm_value_copy_bytes(values, sector, value, installs);
        }
        gm_value_write(values, gm_value_owner(GM_VALUE_MEMORY, 0, 0), sector, GM_VALUE_ALL, value);
        if (installs) {
            gm_value_write(values, gm_value_owner(GM_VALUE_L2, 0, 0), sector, GM_VALUE_ALL, value);
        }
    }
    raise_floor(values);
}

void gm_values_kernel(gm_values *values, uint64_t number, const gm_kernel *kernel)
{
    raise_floor(values);
    values->kernels = (uint32_t)number + 1;
    snprintf(values->kernel, sizeof values->kernel, "%.63s", kernel->name);
}

/* Names the SMs' L1s for gm_value_sweep. */
typedef struct l1s {
    const gm_values *values;
    uint32_t (*holds)(void *context, uint32_t sm, uint64_t line);
    void *context;
} l1s;

/* True for what an L1 no longer holds, and with l1.flush for the writes of an SM and of a tracker's
 * SMs, which all SMs must see from the next kernel on. */
static bool is_gone(void *context, const gm_value_sector *sector)
{
    const l1s *l1s = context;
    const gm_values *values = l1s->values;
    switch (gm_value_place_of(sector->owner)) {
    case GM_VALUE_L1:
        return (l1s->holds(l1s->context, gm_value_sm_of(sector->owner),
                           sector->sector >> values->l1_bits) >>
                    (sector->sector & gm_mask(values->l1_bits)) &
                1) == 0;
    case GM_VALUE_OWN:
    case GM_VALUE_GROUP:
        return values->flush;
    case GM_VALUE_BUFFER:
    case GM_VALUE_NEWEST:
    case GM_VALUE_NEWEST_AT:
    case GM_VALUE_LATEST:
    case GM_VALUE_LATEST_AT:
        return true;
    case GM_VALUE_MEMORY:
    case GM_VALUE_L2:
    case GM_VALUE_REQUEST:
    case GM_VALUE_PASSED:
    case GM_VALUE_NAMED:
    case GM_VALUE_FILLING:
    case GM_VALUE_EVICTED:
    case GM_VALUE_VICTIM:
    case GM_VALUE_REPLY:
    case GM_VALUE_WAITING:
    case GM_VALUE_ASKED:
    case GM_VALUE_BEHIND:
    case GM_VALUE_SEEN:
    case GM_VALUE_LAST:
    case GM_VALUE_FLOOR:
    case GM_VALUE_MEMORY_BYTES:
    case GM_VALUE_L2_BYTES:
    case GM_VALUE_BUFFER_BYTES:
    case GM_VALUE_LAST_BYTES:
        break;
    }
    return false;
}

void gm_values_end_kernel(gm_values *values,
                          uint32_t (*holds)(void *context, uint32_t sm, uint64_t line),
                          void *context)
{
    l1s l1s = {values, holds, context};
    gm_value_sweep(&values->table, is_gone, &l1s);
}
