/* What the sets of the L2 hold at the end of a kernel: lines by class, a number for each set
 * (docs/running.md, Sets of the L2). */
#ifndef GOLDMEM_SET_CONTENTS_H
#define GOLDMEM_SET_CONTENTS_H

#include "goldmem/config.h"
#include "goldmem/error.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* CLASS(name, meaning): lines with a valid sector, and of them: */
#define GM_SET_CLASSES(CLASS)                                                                      \
    CLASS(lines, "with a valid sector")                                                            \
    CLASS(dirty, "of them, with a dirty sector")                                                   \
    CLASS(shared, "of them, sharing.enabled: shared (SF)")                                         \
    CLASS(dead, "of these, sharing.l2_dead: declared dead (DBF)")

typedef struct gm_set_contents {
    uint64_t sets; /* of all banks: first those of bank 0 of partition 0 */
    uint32_t ways;
#define CLASS(name, meaning) uint32_t *name; /* [sets] */
    GM_SET_CLASSES(CLASS)
#undef CLASS
} gm_set_contents;

/* Makes contents of a configuration's L2, zeroed. Returns 0; -EINVAL if it is unbounded; -ENOMEM.
 * gm_set_contents_free frees them, in any case. */
int gm_set_contents_make(gm_set_contents **contents, const gm_config *config, gm_error *error);
void gm_set_contents_free(gm_set_contents *contents);

#ifdef __cplusplus
}
#endif

#endif
