/* The member "per_pc" of the JSON report (docs/running.md, Counts by instruction). */
#include "report/json_per_pc.h"

#include "report/json_value.h"

json_t *gm_json_per_pc(const gm_pc_profile *profile)
{
    json_t *rows = json_array();
    int bad = 0;
    for (uint64_t i = 0; i < profile->rows; i++) {
        const gm_pc_row *row = &profile->row[i];
        json_t *object = json_object();
        bad |= json_object_set_new(object, "kernel", gm_json_text(profile->kernel[row->kernel]));
        bad |= json_object_set_new(object, "pc", gm_json_count(row->pc));
        bad |= json_object_set_new(object, "opcode", gm_json_text(row->opcode));
        if (row->line != 0) {
            bad |= json_object_set_new(object, "line", gm_json_count(row->line));
        }
#define COUNTER(name, unit, meaning)                                                               \
    bad |= json_object_set_new(object, #name, gm_json_count(row->counts.name));
        GM_PC_COUNTERS(COUNTER)
#undef COUNTER
        bad |= json_array_append_new(rows, object);
    }
    if (bad != 0) {
        json_decref(rows);
        return NULL;
    }
    return rows;
}
