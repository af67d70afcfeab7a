/* Matching of short reads of DNA with a reference [Bakhoda et al., Analyzing CUDA workloads, ISPASS
 * 2009: MUM; MUMmerGPU: Schatz et al., High-throughput sequence alignment using Graphics Processing
 * Units, BMC Bioinformatics 8, 2007]. The host makes the suffix tree of the reference; a thread has
 * a read, and finds for each place of it the longest text from there on that the reference has:
 * down the tree letter by letter, then by a suffix link to where the text without its first letter
 * ends.
 *
 * As in the original, a node is two records of 16 bytes, its edge and its children, fetched whole.
 * There they and the reference are textures, and so in caches of their own; here they are loaded.
 */
#include "base/random.h"
#include "workload/suffix_tree.h"
#include "workload/workload_internal.h"

#include <errno.h>

enum { REFERENCE, READS, LENGTH, LEAST, SEED };
static const gm_workload_option options[] = {
    [REFERENCE] = {"reference", 1, 1 << 24, 20000, false, "letters of the reference"},
    [READS] = {"reads", 1, 1 << 22, 50000, false, "reads, a thread each"},
    [LENGTH] = {"length", 1, 1 << 10, 25, false, "letters of a read"},
    [LEAST] = {"least", 1, 1 << 10, 20, false, "letters of the shortest match, at most length"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of reference and reads"},
    {0},
};

enum { BLOCK = 256 };

/* The longest match of a place: the node at its end or below it, and its letters. */
typedef struct match {
    uint32_t node, length;
} __attribute__((aligned(8))) match;

typedef struct mummer {
    const gm_suffix_node *node;
    const gm_suffix_children *children;
    const uint8_t *text, *read;   /* letters */
    const uint32_t *start, *size; /* of each read */
    match *match;                 /* [read][place] */
    uint32_t reads, places, least;
} mummer;

/* A thread's place in the tree: at `node`, whose text is `depth` letters long, or on the edge from
 * there to `below`; `length` letters of the read match. */
typedef struct walk {
    uint32_t node, depth, below, length;
    bool open; /* more may match */
} walk;

GM_PARTS(find_matches)

/* Goes down over `w->length - w->depth` letters that are known to match: by whole edges, looking at
 * first letters only. */
#define GO_DOWN(t, a, w, read, from)                                                               \
    do {                                                                                           \
        while ((w).length > (w).depth) {                                                           \
            uint32_t letter = LOAD(t, (read) + (from) + (w).depth);                                \
            COMPUTE(t, INTEGER, 3);                                                                \
            gm_suffix_children children = LOAD(t, (a)->children + (w).node);                       \
            (w).below = children.child[letter];                                                    \
            COMPUTE(t, INTEGER, 4);                                                                \
            gm_suffix_node edge = LOAD(t, (a)->node + (w).below);                                  \
            COMPUTE(t, INTEGER, 3);                                                                \
            if ((w).length - (w).depth < edge.end - edge.start) {                                  \
                break;                                                                             \
            }                                                                                      \
            (w).node = (w).below;                                                                  \
            (w).depth += edge.end - edge.start;                                                    \
            LOOP(t);                                                                               \
        }                                                                                          \
    } while (0)

/* Matches along the edge to w->below while letters are equal: sets w->open if its end is reached.
 */
#define MATCH_EDGE(t, a, w, read, from, size)                                                      \
    do {                                                                                           \
        gm_suffix_node edge = LOAD(t, (a)->node + (w).below);                                      \
        uint32_t end = edge.end - edge.start;                                                      \
        COMPUTE(t, INTEGER, 2);                                                                    \
        (w).open = true;                                                                           \
        while ((w).open && (w).length - (w).depth < end) {                                         \
            (w).open = false;                                                                      \
            COMPUTE(t, INTEGER, 3);                                                                \
            if ((from) + (w).length < (size)) {                                                    \
                uint32_t wanted = LOAD(t, (read) + (from) + (w).length);                           \
                uint32_t there = LOAD(t, (a)->text + edge.start + (w).length - (w).depth);         \
                COMPUTE(t, INTEGER, 2);                                                            \
                (w).open = wanted == there;                                                        \
                (w).length += wanted == there;                                                     \
            }                                                                                      \
            LOOP(t);                                                                               \
        }                                                                                          \
        if ((w).open) {                                                                            \
            (w).node = (w).below;                                                                  \
            (w).depth = (w).length;                                                                \
        }                                                                                          \
    } while (0)

/* Matches on from w, edge by edge. */
#define MATCH_ON(t, a, w, read, from, size)                                                        \
    do {                                                                                           \
        (w).open = true;                                                                           \
        while ((w).open) {                                                                         \
            if ((w).length == (w).depth) {                                                         \
                (w).below = 0;                                                                     \
                COMPUTE(t, INTEGER, 2);                                                            \
                if ((from) + (w).length < (size)) {                                                \
                    uint32_t letter = LOAD(t, (read) + (from) + (w).length);                       \
                    COMPUTE(t, INTEGER, 3);                                                        \
                    gm_suffix_children children = LOAD(t, (a)->children + (w).node);               \
                    COMPUTE(t, INTEGER, 2);                                                        \
                    (w).below = children.child[letter];                                            \
                    (w).length += (w).below != 0;                                                  \
                }                                                                                  \
            }                                                                                      \
            (w).open = (w).below != 0;                                                             \
            if ((w).open) {                                                                        \
                MATCH_EDGE(t, a, w, read, from, size);                                             \
            }                                                                                      \
            LOOP(t);                                                                               \
        }                                                                                          \
    } while (0)

GM_WHOLE(find_matches, mummer)
{
    uint32_t i = GM_GLOBAL_X(t);
    COMPUTE(t, INTEGER, 3);
    if (i < a->reads) {
        uint32_t start = LOAD(t, a->start + i);
        uint32_t size = LOAD(t, a->size + i);
        const uint8_t *read = a->read + start;
        walk w = {0};
        COMPUTE(t, INTEGER, 2);
        for (uint32_t from = 0; from + a->least <= size; from++) {
            GO_DOWN(t, a, w, read, from);
            MATCH_ON(t, a, w, read, from, size);
            match found = {w.length == w.depth ? w.node : w.below, w.length};
            COMPUTE(t, INTEGER, 4);
            STORE(t, a->match + (size_t)i * a->places + from, found);
            w.length -= w.length > 0;
            if (w.node != 0) {
                gm_suffix_node node = LOAD(t, a->node + w.node);
                COMPUTE(t, INTEGER, 2);
                w.node = node.link;
                w.depth--;
            }
            LOOP(t);
        }
    }
}
GM_KERNEL(find_matches, mummer)

/* Fills in the reference: random letters, and now and then a piece of what was before, as genomes
 * repeat themselves. */
static void make_reference(uint8_t *text, size_t letters, uint64_t *random)
{
    size_t copy = 0; /* letters to copy still, from so far back: */
    size_t back = 0;
    for (size_t i = 0; i < letters; i++) {
        uint64_t chance = gm_random_next(random);
        if (copy == 0 && i > 100 && chance % 256 == 0) {
            copy = 20 + (chance >> 8) % 80;
            back = 1 + (chance >> 16) % i;
        }
        bool copies = copy > 0 && (chance >> 40) % 64 != 0;
        text[i] = copies ? text[i - back] : (uint8_t)(chance >> 32 & 3);
        copy -= copy > 0;
    }
    text[letters] = GM_SUFFIX_LETTERS;
}

/* Fills in a read: a piece of the reference, with one letter in 64 wrong; one read in 16 is random.
 */
static void make_read(uint8_t *read, size_t length, const uint8_t *text, size_t letters,
                      uint64_t *random)
{
    uint64_t chance = gm_random_next(random);
    bool known = length <= letters && chance % 16 != 0;
    size_t from = known ? (chance >> 8) % (letters - length + 1) : 0;
    for (size_t i = 0; i < length; i++) {
        uint64_t other = gm_random_next(random);
        read[i] = known && other % 64 != 0 ? text[from + i] : (uint8_t)(other >> 32 & 3);
    }
}

static int make_tree(gm_workload *workload, mummer *s, const uint8_t *text, size_t letters,
                     gm_error *error)
{
    size_t capacity = gm_suffix_tree_capacity(letters + 1);
    gm_suffix_tree tree = {.text = text, .length = (uint32_t)letters + 1};
    tree.node = gm_workload_input(workload, "nodes", capacity, sizeof *tree.node, error);
    tree.children = gm_workload_input(workload, "children", capacity, sizeof *tree.children, error);
    if (tree.node == NULL || tree.children == NULL) {
        return error->code;
    }
    s->node = tree.node;
    s->children = tree.children;
    return gm_suffix_tree_build(&tree, error);
}

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    mummer *s = state;
    size_t letters = (size_t)workload->value[REFERENCE];
    size_t length = (size_t)workload->value[LENGTH];
    s->reads = (uint32_t)workload->value[READS];
    s->least = (uint32_t)workload->value[LEAST];
    if (s->least > length) {
        return gm_fail(error, -EINVAL, "workload mummer: least=%u is more than length=%zu",
                       s->least, length);
    }
    s->places = (uint32_t)length - s->least + 1;
    uint8_t *text = gm_workload_input(workload, "reference", letters + 1, 1, error);
    uint8_t *read = gm_workload_input(workload, "reads", s->reads * length, 1, error);
    uint32_t *start = gm_workload_input(workload, "starts", s->reads, sizeof *start, error);
    uint32_t *size = gm_workload_input(workload, "sizes", s->reads, sizeof *size, error);
    s->match = gm_workload_output(workload, "matches", (size_t)s->reads * s->places,
                                  sizeof *s->match, error);
    if (text == NULL || read == NULL || start == NULL || size == NULL || s->match == NULL) {
        return error->code;
    }
    uint64_t random = (uint64_t)workload->value[SEED];
    make_reference(text, letters, &random);
    for (uint32_t i = 0; i < s->reads; i++) {
        start[i] = i * (uint32_t)length;
        size[i] = (uint32_t)length;
        make_read(read + start[i], length, text, letters, &random);
    }
    s->text = text;
    s->read = read;
    s->start = start;
    s->size = size;
    return make_tree(workload, s, text, letters, error);
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)workload, (void)error;
    const mummer *s = state;
    launch->code = &find_matches_code;
    launch->arguments = s;
    launch->block.x = BLOCK;
    launch->grid.x = gm_blocks(s->reads, BLOCK);
    return step < 1;
}

extern const gm_workload_definition gm_workload_mummer;
const gm_workload_definition gm_workload_mummer = {
    .description = {"mummer", "reads of DNA matched with a reference's suffix tree",
                    "ISPASS 2009 suite, MUMmerGPU (MUM)", options},
    .state_bytes = sizeof(mummer),
    .setup = setup,
    .launch = launch,
};
