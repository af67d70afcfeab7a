/* SIMT kernels as plain per-thread C: the vocabulary of a kernel's author, and what its macros
 * expand to. simt.c describes how the lanes of a warp become warp instructions.
 *
 *     GM_THREAD(scale, scale_arrays)        // one thread: `t` is the thread, `a` the arguments
 *     {
 *         uint32_t i = GM_GLOBAL_X(t);
 *         if (i < a->n) {
 *             float x = LOAD(t, a->x + i);
 *             COMPUTE(t, FP32, 1);          // what the GPU executes: C's arithmetic is free
 *             STORE(t, a->y + i, 2.0F * x);
 *         }
 *     }
 *     GM_KERNEL(scale, scale_arrays)
 *
 * Each use of a capitalised macro is a program point: one warp instruction (COMPUTE: several) for
 * the lanes that are there. Rules:
 *  - one point in a statement, since C leaves the order within an expression open;
 *  - a loop whose body has points ends it with LOOP(t), which is its branch; no `continue` past it;
 *  - threads of a CTA race only through atomics, or across a barrier;
 *  - a function with points is called from one place of a kernel. */
#ifndef GOLDMEM_WORKLOAD_SIMT_SIMT_H
#define GOLDMEM_WORKLOAD_SIMT_SIMT_H

#include "goldmem/instruction.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct gm_dim {
    uint32_t x, y, z;
} gm_dim;

/* Kind of a program point. Those from GM_POINT_BARRIER on end a lane's run. Of the SYNC points a
 * lane runs on behind a STORE at once, behind the others when it has their value. */
typedef enum gm_point_kind {
    GM_POINT_COMPUTE,
    GM_POINT_LOAD,
    GM_POINT_STORE,
    GM_POINT_ATOMIC,
    GM_POINT_REDUCTION,
    GM_POINT_SHARED_LOAD,
    GM_POINT_SHARED_STORE,
    GM_POINT_SHARED_ATOMIC,
    GM_POINT_LOCAL_LOAD,
    GM_POINT_LOCAL_STORE,
    GM_POINT_FENCE,
    GM_POINT_LOOP,
    GM_POINT_BARRIER,
    GM_POINT_YIELD,
    GM_POINT_SYNC_LOAD,
    GM_POINT_SYNC_STORE,
    GM_POINT_SYNC_ATOMIC,
    GM_POINT_EXIT,
} gm_point_kind;

static inline bool gm_point_is_sync(gm_point_kind kind)
{
    return kind >= GM_POINT_SYNC_LOAD && kind <= GM_POINT_SYNC_ATOMIC;
}

/* Arithmetic of an atomic; the detail of its point is operation | type. */
enum { GM_ADD, GM_MIN, GM_MAX, GM_AND, GM_OR, GM_EXCHANGE, GM_CAS };
enum { GM_TYPE_UNSIGNED = 0, GM_TYPE_SIGNED = 8, GM_TYPE_FLOAT = 16 };

/* One event of a lane: what and where, in 64 bits, so that 32 lanes are compared at once.
 *   63..54 point's number in its file, ascending in the text (__COUNTER__)
 *   53..49 kind
 *   48..46 log2 of the bytes of a lane; COMPUTE: gm_unit
 *   45..40 COMPUTE: number of warp instructions; atomics: operation | type; FENCE: gm_scope
 *   39..0  byte offset in the space */
enum { GM_EVENT_OFFSET = 40, GM_EVENT_ORDINAL = 54, GM_EVENT_ORDINALS = 1024 };
#define GM_EVENT(ordinal, kind, size, detail)                                                      \
    ((uint64_t)(ordinal) << GM_EVENT_ORDINAL | (uint64_t)(kind) << 49 | (uint64_t)(size) << 46 |   \
     (uint64_t)(detail) << GM_EVENT_OFFSET)

static inline gm_point_kind gm_event_kind(uint64_t event)
{
    return (gm_point_kind)(event >> 49 & 31U);
}

/* A lane's SYNC access: what it writes or computes with, and what it gets. */
typedef struct gm_lane_sync {
    uint32_t operand, second; /* CAS: expected, wanted */
    uint32_t value;           /* loaded; of an atomic: the old one */
} gm_lane_sync;

/* A running thread. `thread`, `cta`, `block` and `grid` are CUDA's threadIdx, blockIdx, blockDim,
 * gridDim. The rest is private to the macros. */
typedef struct gm_thread {
    gm_dim thread, cta, block, grid;
    void *shared;       /* the CTA's shared memory */
    void *locals;       /* the thread's variables that survive a barrier or a yield */
    uint64_t *cursor;   /* next event */
    uint64_t *limit;    /* where the log is full */
    uintptr_t memory;   /* host address where device memory begins */
    gm_lane_sync *sync; /* of a kernel that communicates */
    uint32_t resume;    /* point to resume at; 0: the beginning */
    bool suspended;     /* at a barrier, a yield or a SYNC access */
} gm_thread;

static inline void gm_thread_event(gm_thread *t, uint64_t event)
{
    *t->cursor++ = event;
}

/* Logs the branch of a loop. Only here can a log become full, since the text bounds the events
 * between two loop branches; a full log stays full, and the executor reports it. */
static inline void gm_thread_loop(gm_thread *t, uint64_t event)
{
    gm_thread_event(t, event);
    t->cursor = t->cursor < t->limit ? t->cursor : t->limit;
}

#define GM_GLOBAL_X(t) ((t)->cta.x * (t)->block.x + (t)->thread.x)
#define GM_GLOBAL_Y(t) ((t)->cta.y * (t)->block.y + (t)->thread.y)
#define GM_GLOBAL_Z(t) ((t)->cta.z * (t)->block.z + (t)->thread.z)

/* log2 of 1, 2, 4, 8 or 16 as a constant expression. */
#define GM_LOG2_SIZE(bytes)                                                                        \
    ((bytes) == 16 ? 4U : (bytes) == 8 ? 3U : (bytes) == 4 ? 2U : (bytes) == 2 ? 1U : 0U)

#define GM_ACCESS(t, pointer, kind, detail, base)                                                  \
    gm_thread_event((t),                                                                           \
                    GM_EVENT(__COUNTER__, (kind), GM_LOG2_SIZE(sizeof *(pointer)), (detail)) +     \
                        ((uintptr_t)(pointer) - (base)))

#define GM_LOAD_FROM(t, pointer, kind, base)                                                       \
    __extension__({                                                                                \
        __typeof__(&*(pointer)) gm_pointer = (pointer);                                            \
        GM_ACCESS(t, gm_pointer, kind, 0, base);                                                   \
        *gm_pointer;                                                                               \
    })
#define GM_STORE_TO(t, pointer, value, kind, base)                                                 \
    do {                                                                                           \
        __typeof__(&*(pointer)) gm_pointer = (pointer);                                            \
        GM_ACCESS(t, gm_pointer, kind, 0, base);                                                   \
        *gm_pointer = (value);                                                                     \
    } while (0)

/* Memory accesses. Require `pointer` into an array of the device, into t->shared, or into
 * t->locals: what of the locals a kernel keeps in local memory, as arrays with a variable index and
 * spilled registers, it accesses by LOCAL_LOAD and LOCAL_STORE; the rest are registers. 1, 2, 4, 8
 * or 16 bytes a lane, by the type that it points to. */
#define LOAD(t, pointer)         GM_LOAD_FROM(t, pointer, GM_POINT_LOAD, (t)->memory)
#define STORE(t, pointer, value) GM_STORE_TO(t, pointer, value, GM_POINT_STORE, (t)->memory)
#define SHARED_LOAD(t, pointer)                                                                    \
    GM_LOAD_FROM(t, pointer, GM_POINT_SHARED_LOAD, (uintptr_t)(t)->shared)
#define SHARED_STORE(t, pointer, value)                                                            \
    GM_STORE_TO(t, pointer, value, GM_POINT_SHARED_STORE, (uintptr_t)(t)->shared)
#define LOCAL_LOAD(t, pointer) GM_LOAD_FROM(t, pointer, GM_POINT_LOCAL_LOAD, (uintptr_t)(t)->locals)
#define LOCAL_STORE(t, pointer, value)                                                             \
    GM_STORE_TO(t, pointer, value, GM_POINT_LOCAL_STORE, (uintptr_t)(t)->locals)

#define GM_ATOMIC_TYPE(value)                                                                      \
    _Generic((value), float                                                                        \
             : GM_TYPE_FLOAT, double                                                               \
             : GM_TYPE_FLOAT, int32_t                                                              \
             : GM_TYPE_SIGNED, int64_t                                                             \
             : GM_TYPE_SIGNED, default                                                             \
             : GM_TYPE_UNSIGNED)
#define GM_ATOMIC_ON(t, pointer, kind, base, operation, update)                                    \
    __extension__({                                                                                \
        __typeof__(&*(pointer)) gm_pointer = (pointer);                                            \
        GM_ACCESS(t, gm_pointer, kind, (operation) | GM_ATOMIC_TYPE(*gm_pointer), base);           \
        __typeof__(*gm_pointer) gm_old = *gm_pointer;                                              \
        *gm_pointer = (__typeof__(*gm_pointer))(update);                                           \
        gm_old;                                                                                    \
    })
#define GM_LESSER(value)             (gm_old < (value) ? gm_old : (value))
#define GM_GREATER(value)            (gm_old > (value) ? gm_old : (value))
#define GM_SWAP_IF(expected, wanted) (gm_old == (expected) ? (wanted) : gm_old)

/* Atomics on global memory return the old value; lanes execute in lane order. */
#define GM_ATOMIC(t, pointer, operation, update)                                                   \
    GM_ATOMIC_ON(t, pointer, GM_POINT_ATOMIC, (t)->memory, operation, update)
#define ATOMIC_ADD(t, pointer, value)      GM_ATOMIC(t, pointer, GM_ADD, gm_old + (value))
#define ATOMIC_MIN(t, pointer, value)      GM_ATOMIC(t, pointer, GM_MIN, GM_LESSER(value))
#define ATOMIC_MAX(t, pointer, value)      GM_ATOMIC(t, pointer, GM_MAX, GM_GREATER(value))
#define ATOMIC_OR(t, pointer, value)       GM_ATOMIC(t, pointer, GM_OR, gm_old | (value))
#define ATOMIC_EXCHANGE(t, pointer, value) GM_ATOMIC(t, pointer, GM_EXCHANGE, (value))
#define ATOMIC_CAS(t, pointer, expected, wanted)                                                   \
    GM_ATOMIC(t, pointer, GM_CAS, GM_SWAP_IF(expected, wanted))
/* Atomics on shared memory. */
#define SHARED_ATOMIC_ADD(t, pointer, value)                                                       \
    GM_ATOMIC_ON(t, pointer, GM_POINT_SHARED_ATOMIC, (uintptr_t)(t)->shared, GM_ADD,               \
                 gm_old + (value))
/* Atomics without a result (RED). */
#define GM_REDUCE(t, pointer, operation, update)                                                   \
    ((void)GM_ATOMIC_ON(t, pointer, GM_POINT_REDUCTION, (t)->memory, operation, update))
#define RED_ADD(t, pointer, value) GM_REDUCE(t, pointer, GM_ADD, gm_old + (value))
#define RED_MIN(t, pointer, value) GM_REDUCE(t, pointer, GM_MIN, GM_LESSER(value))
#define RED_MAX(t, pointer, value) GM_REDUCE(t, pointer, GM_MAX, GM_GREATER(value))
#define RED_OR(t, pointer, value)  GM_REDUCE(t, pointer, GM_OR, gm_old | (value))

/* `n` (a constant, 1 to 63) arithmetic warp instructions of a unit: INTEGER, FP32, FP64, SPECIAL or
 * TENSOR. They read the registers loaded since the previous COMPUTE and the result of that COMPUTE.
 */
#define COMPUTE(t, unit, n)                                                                        \
    do {                                                                                           \
        _Static_assert((n) >= 1 && (n) <= 63, "COMPUTE takes 1 to 63 instructions");               \
        gm_thread_event((t), GM_EVENT(__COUNTER__, GM_POINT_COMPUTE, GM_UNIT_##unit, (n)));        \
    } while (0)
/* A memory fence of scope CTA, GPU or SYS (gm_scope). */
#define FENCE(t, scope)                                                                            \
    gm_thread_event((t), GM_EVENT(__COUNTER__, GM_POINT_FENCE, 0, GM_SCOPE_##scope))
#define LOOP(t) gm_thread_loop((t), GM_EVENT(__COUNTER__, GM_POINT_LOOP, 0, 0))

/* Barriers and yields suspend the thread, which resumes behind them with its C variables lost:
 * variables that must survive lie in the kernel's struct of locals. Such a kernel has its body
 * between BEGIN and END. YIELD is no instruction: it ends what a lane logs ahead of the others, in
 * loops too long for the log (GM_SIMT_EVENTS), at the end of the body, before LOOP. */
#define BEGIN(t)                                                                                   \
    switch ((t)->resume) {                                                                         \
    case 0:
#define END(t)                                                                                     \
    break;                                                                                         \
    }                                                                                              \
    ((void)(t))
#define BARRIER(t) GM_SUSPEND(t, GM_POINT_BARRIER, __COUNTER__ + 1)
#define YIELD(t)   GM_SUSPEND(t, GM_POINT_YIELD, __COUNTER__ + 1)
#define GM_SUSPEND(t, kind, where)                                                                 \
    do {                                                                                           \
        gm_thread_event((t), GM_EVENT((where)-1, (kind), 0, 0));                                   \
        (t)->resume = (where);                                                                     \
        (t)->suspended = true;                                                                     \
        return;                                                                                    \
    case (where):;                                                                                 \
    } while (0)

/* SYNC accesses, of 4-byte words of device arrays: by them CTAs communicate while they run. In the
 * cycle engine a load's or an atomic's value is the one that the machine has when it performs the
 * access, in its caches, under its protocol; a store's is in memory from then on. `result` gets the
 * value: a local of BEGIN's kind. Each suspends the thread as BARRIER does. A word that SYNC
 * accesses touch in a kernel is touched by no others in it, but may be initialised by a STORE
 * before a fence and the SYNC access that makes it known. */
#define SYNC_LOAD(t, result, pointer)                                                              \
    do {                                                                                           \
        GM_SYNC(t, pointer, GM_POINT_SYNC_LOAD, 0, *(pointer), *(pointer), __COUNTER__ + 1);       \
        GM_SYNC_RESULT(t, result);                                                                 \
    } while (0)
#define SYNC_STORE(t, pointer, stored)                                                             \
    GM_SYNC(t, pointer, GM_POINT_SYNC_STORE, 0, stored, stored, __COUNTER__ + 1)
#define SYNC_ADD(t, result, pointer, value) GM_SYNC_ATOMIC(t, result, pointer, GM_ADD, value, value)
#define SYNC_MIN(t, result, pointer, value) GM_SYNC_ATOMIC(t, result, pointer, GM_MIN, value, value)
#define SYNC_MAX(t, result, pointer, value) GM_SYNC_ATOMIC(t, result, pointer, GM_MAX, value, value)
#define SYNC_EXCHANGE(t, result, pointer, value)                                                   \
    GM_SYNC_ATOMIC(t, result, pointer, GM_EXCHANGE, value, value)
#define SYNC_CAS(t, result, pointer, expected, wanted)                                             \
    GM_SYNC_ATOMIC(t, result, pointer, GM_CAS, expected, wanted)
#define GM_SYNC_ATOMIC(t, result, pointer, operation, first, other)                                \
    do {                                                                                           \
        GM_SYNC(t, pointer, GM_POINT_SYNC_ATOMIC, (operation) | GM_ATOMIC_TYPE(*(pointer)), first, \
                other, __COUNTER__ + 1);                                                           \
        GM_SYNC_RESULT(t, result);                                                                 \
    } while (0)
#define GM_SYNC_RESULT(t, result)                                                                  \
    do {                                                                                           \
        _Static_assert(sizeof(result) == 4, "a SYNC access is of 4 bytes");                        \
        memcpy(&(result), &(t)->sync->value, sizeof(result));                                      \
    } while (0)
#define GM_SYNC(t, pointer, kind, detail, first, other, where)                                     \
    do {                                                                                           \
        __typeof__(&*(pointer)) gm_pointer = (pointer);                                            \
        __typeof__(*gm_pointer) gm_first = (first);                                                \
        __typeof__(*gm_pointer) gm_other = (other);                                                \
        _Static_assert(sizeof *gm_pointer == 4, "a SYNC access is of 4 bytes");                    \
        memcpy(&(t)->sync->operand, &gm_first, sizeof gm_first);                                   \
        memcpy(&(t)->sync->second, &gm_other, sizeof gm_other);                                    \
        gm_thread_event((t), GM_EVENT((where)-1, (kind), 2, (detail)) +                            \
                                 ((uintptr_t)gm_pointer - (t)->memory));                           \
        (t)->resume = (where);                                                                     \
        (t)->suspended = true;                                                                     \
        return;                                                                                    \
    case (where):;                                                                                 \
    } while (0)

/* The 32 lanes of a warp, one after the other. */
typedef struct gm_warp {
    gm_thread first;                    /* lane 0's coordinates; cta, block, grid, shared, memory */
    uint32_t run;                       /* lanes to run */
    size_t local_bytes;                 /* of one thread; 0: none */
    unsigned char *locals;              /* of lane 0 */
    uint64_t *log[GM_WARP_SIZE];        /* where each lane's events begin */
    uint64_t *end[GM_WARP_SIZE];        /* and end */
    const uint64_t *head[GM_WARP_SIZE]; /* next event to issue */
    uint32_t resume[GM_WARP_SIZE];
    gm_lane_sync *sync; /* [GM_WARP_SIZE] of a kernel that communicates */
    bool full;          /* some lane's log */
} gm_warp;

/* A kernel's code, as GM_KERNEL makes it. */
typedef struct gm_code {
    const char *name;
    void (*run)(gm_warp *warp, const void *arguments);
    uint32_t first, exit; /* ordinals of its points */
    size_t local_bytes;   /* of the struct that survives barriers */
    size_t shared_bytes;
    bool has_barriers;
    bool communicates; /* has SYNC accesses */
} gm_code;

/* Runs `thread` for the lanes of warp->run: expanded in each kernel's file, so that the compiler
 * merges kernel and loop. */
#define GM_RUN_LANES(warp, arguments, thread_function, exit_ordinal, communicates)                 \
    gm_dim gm_position = (warp)->first.thread;                                                     \
    for (uint32_t lane = 0; lane < GM_WARP_SIZE; lane++) {                                         \
        if (((warp)->run >> lane & 1U) != 0) {                                                     \
            gm_thread thread = (warp)->first;                                                      \
            thread.thread = gm_position;                                                           \
            thread.locals = (warp)->locals + lane * (warp)->local_bytes;                           \
            thread.cursor = (warp)->log[lane];                                                     \
            thread.limit = thread.cursor + GM_SIMT_EVENTS;                                         \
            thread.resume = (warp)->resume[lane];                                                  \
            thread.sync = (communicates) ? (warp)->sync + lane : NULL;                             \
            thread_function(&thread, (arguments));                                                 \
            (warp)->resume[lane] = thread.resume;                                                  \
            if (!thread.suspended) {                                                               \
                gm_thread_event(&thread, GM_EVENT((exit_ordinal), GM_POINT_EXIT, 0, 0));           \
            }                                                                                      \
            (warp)->end[lane] = thread.cursor;                                                     \
            (warp)->head[lane] = (warp)->log[lane];                                                \
            (warp)->full |= thread.cursor >= thread.limit;                                         \
        }                                                                                          \
        gm_position = gm_dim_next(gm_position, (warp)->first.block);                               \
    }

/* Events that a lane logs between barriers and yields, at most. */
enum { GM_SIMT_EVENTS = 1 << 17 };

/* Returns the thread after `position` in a block. */
static inline gm_dim gm_dim_next(gm_dim position, gm_dim block)
{
    if (++position.x == block.x) {
        position.x = 0;
        if (++position.y == block.y) {
            position.y = 0;
            position.z++;
        }
    }
    return position;
}

/* A kernel too long for one function: GM_PARTS, then GM_PARTs in the order in which they run, then
 * GM_WHOLE instead of GM_THREAD, which calls them. Points are numbered in the order of the text: a
 * barrier between two parts has its GM_POINT between them, and a BARRIER_AT in the whole. */
#define GM_PARTS(NAME) enum { NAME##_first = __COUNTER__ + 1 };
#define GM_PART(PART, ARGUMENTS)                                                                   \
    static inline __attribute__((always_inline)) void PART(gm_thread *t, const ARGUMENTS *a)
#define GM_POINT(POINT)           enum { POINT = __COUNTER__ };
#define BARRIER_AT(t, POINT)      GM_SUSPEND(t, GM_POINT_BARRIER, (POINT) + 1)
#define GM_WHOLE(NAME, ARGUMENTS) GM_PART(NAME##_thread, ARGUMENTS)

#define GM_THREAD(NAME, ARGUMENTS)                                                                 \
    GM_PARTS(NAME)                                                                                 \
    GM_WHOLE(NAME, ARGUMENTS)

/* Behind the thread: makes NAME_code. */
#define GM_KERNEL(NAME, ARGUMENTS) GM_KERNEL_OF(NAME, ARGUMENTS, 0, 0, false)
/* GM_KERNEL for a kernel with BEGIN and END: with YIELD only, or with BARRIER. */
#define GM_YIELD_KERNEL(NAME, ARGUMENTS, LOCALS)                                                   \
    GM_KERNEL_OF(NAME, ARGUMENTS, sizeof(LOCALS), 0, false)
#define GM_BARRIER_KERNEL(NAME, ARGUMENTS, LOCALS, SHARED)                                         \
    GM_KERNEL_OF(NAME, ARGUMENTS, sizeof(LOCALS), sizeof(SHARED), true)
/* GM_YIELD_KERNEL and GM_BARRIER_KERNEL for a kernel with SYNC accesses. */
#define GM_SYNC_KERNEL(NAME, ARGUMENTS, LOCALS)                                                    \
    GM_CODE_OF(NAME, ARGUMENTS, sizeof(LOCALS), 0, false, true)
#define GM_SYNC_BARRIER_KERNEL(NAME, ARGUMENTS, LOCALS, SHARED)                                    \
    GM_CODE_OF(NAME, ARGUMENTS, sizeof(LOCALS), sizeof(SHARED), true, true)
#define GM_KERNEL_OF(NAME, ARGUMENTS, LOCAL_BYTES, SHARED_BYTES, BARRIERS)                         \
    GM_CODE_OF(NAME, ARGUMENTS, LOCAL_BYTES, SHARED_BYTES, BARRIERS, false)
#define GM_CODE_OF(NAME, ARGUMENTS, LOCAL_BYTES, SHARED_BYTES, BARRIERS, COMMUNICATES)             \
    enum { NAME##_exit = __COUNTER__ };                                                            \
    _Static_assert((int)NAME##_exit < (int)GM_EVENT_ORDINALS,                                      \
                   "a file has at most 1024 program points");                                      \
    static void NAME##_run(gm_warp *warp, const void *arguments)                                   \
    {                                                                                              \
        const ARGUMENTS *a = arguments;                                                            \
        GM_RUN_LANES(warp, a, NAME##_thread, NAME##_exit, COMMUNICATES)                            \
    }                                                                                              \
    static const gm_code NAME##_code = {#NAME,       NAME##_run,   NAME##_first, NAME##_exit,      \
                                        LOCAL_BYTES, SHARED_BYTES, BARRIERS,     COMMUNICATES};

#endif
