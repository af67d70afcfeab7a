/* Templates: functions that are compiled once for each shape of machine.
 *
 * A hot function that serves several kinds of machine takes a `shape`, a const struct of named
 * constants, and is a GM_TEMPLATE. Its explicit instances are ordinary functions that call it with
 * a constant shape each, so that the compiler folds every test of the shape away; the instance is
 * chosen once, outside the loop. Beside each template stands the measured reason for it. */
#ifndef GOLDMEM_BASE_TEMPLATE_H
#define GOLDMEM_BASE_TEMPLATE_H

#define GM_TEMPLATE static inline __attribute__((always_inline))

/* A function without a shape that the compiler must not call, since the call costs 2% or more of a
 * run's instructions. Beside each stands the measured reason. */
#define GM_INLINE static inline __attribute__((always_inline))

/* A function that few runs call: kept out of the functions that may call it, whose size decides
 * what the compiler puts in line. */
#define GM_COLD __attribute__((cold, noinline))

#endif
