/* Litmus source: a litmus test as a source of kernels, one for each trial, or as many as the test
 * has. Each trial has its own placement of CTAs on SMs, addresses and delays, all from a seed. */
#ifndef GOLDMEM_LITMUS_LITMUS_SOURCE_H
#define GOLDMEM_LITMUS_LITMUS_SOURCE_H

#include "goldmem/config.h"
#include "goldmem/source.h"
#include "litmus/litmus.h"

enum {
    GM_LITMUS_MOST_CTAS = GM_LITMUS_MOST_WARPS,
    GM_LITMUS_MOST_DELIVERED =
        3 * GM_LITMUS_MOST_OPERATIONS + 1, /* instructions on memory of a warp */
};

/* Where a trial has the test's warps and words. */
typedef struct gm_litmus_trial {
    uint32_t cta[GM_LITMUS_MOST_CTAS];    /* linear id of each CTA of the test */
    uint32_t sm[GM_LITMUS_MOST_CTAS];     /* its SM */
    uint32_t place[GM_LITMUS_MOST_WARPS]; /* number of each warp in its CTA */
    uint64_t address[GM_LITMUS_MOST_LINES][GM_LITMUS_WORDS];
    /* Of each warp's instructions on memory: 1 + its operation; 0: none, it is beside the test. */
    uint8_t operation[GM_LITMUS_MOST_WARPS][GM_LITMUS_MOST_DELIVERED];
    bool noise;  /* the other CTAs load and store lines of their own, and words beside the test's */
    bool beside; /* so do the test's warps */
} gm_litmus_trial;

typedef struct gm_litmus_source {
    gm_source source;
    const gm_litmus_test *test;
    gm_litmus_trial trial; /* of the last kernel delivered */
    uint64_t random;
    uint64_t trials, next; /* of trials: the next */
    uint32_t parts, part;  /* kernels of a trial, and that of the last kernel delivered */
    uint64_t
        partitions; /* ways to put the test's CTAs on SMs, as the next trials go through them */
    uint32_t sms, ctas, warps; /* of the machine; CTAs of the test; warps of a CTA, at most */
    uint32_t lines;            /* of the test */
    uint32_t delivered, rows;  /* CTAs of the kernel; CTAs in all */
    bool has_room;             /* each SM has room for one CTA more */
    uint64_t line;             /* bytes */
    gm_kernel kernel;
    uint16_t opcode[16];
} gm_litmus_source;

/* Makes a source of `trials` kernels. Keeps `test`. Returns 0, -EINVAL (more SMs or warps than the
 * configuration has) or -ENOMEM. gm_source_close closes it. */
int gm_litmus_source_open(gm_litmus_source *source, const gm_litmus_test *test,
                          const gm_config *config, uint64_t trials, uint64_t seed, gm_error *error);

/* Returns the first of a warp's operations in kernel `part` of a trial, and sets *end behind the
 * last one. */
unsigned gm_litmus_part(const gm_litmus_warp *warp, unsigned part, unsigned *end);

#endif
