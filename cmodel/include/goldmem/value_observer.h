/* Values of a run (--check=values): what a run's observer is told of each store and load. A value
 * is the number of the store that wrote it, counted from 1; 0 is what memory held before the run.
 */
#ifndef GOLDMEM_VALUE_OBSERVER_H
#define GOLDMEM_VALUE_OBSERVER_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The warp of an access, and the place of the access among the warp's memory instructions. */
typedef struct gm_value_warp {
    uint32_t sm;
    uint32_t slot;   /* of the SM */
    uint64_t cta;    /* linear id in the grid */
    uint32_t warp;   /* in the CTA */
    uint32_t number; /* memory instructions of the warp before this one */
    uint32_t kernel; /* number in the run, from 0 */
} gm_value_warp;

/* Receives the values of a run. `address`: byte address of a 4-byte word. Each function may be
 * NULL. */
typedef struct gm_value_observer {
    void *context;
    /* A store, atomic or reduction reaches its L1 and gets the number `value`; a sector of a
     * request has one number. */
    void (*wrote)(void *context, const gm_value_warp *warp, uint64_t address, uint32_t value);
    /* The L2 performs a store: the word's coherence order goes on with `value` behind `old`. */
    void (*performed)(void *context, uint64_t address, uint32_t old, uint32_t value);
    /* A load is answered. */
    void (*loaded)(void *context, const gm_value_warp *warp, uint64_t address, uint32_t value);
    /* Values that are carried and not checked: true if the warp's next instruction is one whose
     * word at `address` has a value; false: it has none. NULL: all have. */
    bool (*wants)(void *context, const gm_value_warp *warp, uint64_t address);
} gm_value_observer;

#ifdef __cplusplus
}
#endif

#endif
