/* Program points as instructions: opcode text, pc and registers, made when a point is first issued.
 */
#ifndef GOLDMEM_WORKLOAD_POINT_H
#define GOLDMEM_WORKLOAD_POINT_H

#include "workload/simt/simt.h"

/* One program point of a kernel. */
typedef struct gm_point {
    gm_instruction *instructions; /* `count` of them (COMPUTE: its number); NULL: not issued yet */
    uint64_t event;               /* without its offset */
    uint32_t count;
    uint8_t kind;
    uint16_t destination; /* register; 0: none */
} gm_point;

/* The points of one kernel, by ordinal. */
typedef struct gm_points {
    const gm_code *code;
    gm_point *point; /* [code->exit - code->first + 1] */
    uint32_t registers;
    struct gm_points *next;
} gm_points;

int gm_points_create(gm_points **points, const gm_code *code, gm_error *error);
void gm_points_free(gm_points *points);

/* Makes the instructions of the event's point; `weak`: gm_launch's. Returns 0, -ENOMEM or -EINVAL.
 */
int gm_point_make(gm_points *points, uint64_t event, bool weak, gm_opcode_table *opcodes,
                  gm_error *error);

static inline gm_point *gm_point_of(const gm_points *points, uint64_t event)
{
    return &points->point[(event >> GM_EVENT_ORDINAL) - points->code->first];
}

#endif
