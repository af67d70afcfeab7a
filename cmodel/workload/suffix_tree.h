/* The suffix tree of a text of four letters [Ukkonen, On-line construction of suffix trees,
 * Algorithmica 14, 1995], built by the host in arrays that a kernel walks. */
#ifndef GOLDMEM_WORKLOAD_SUFFIX_TREE_H
#define GOLDMEM_WORKLOAD_SUFFIX_TREE_H

#include "goldmem/error.h"

#include <stddef.h>
#include <stdint.h>

enum { GM_SUFFIX_LETTERS = 4 };

/* A node: the text of the edge that leads to it, text[start..end - 1]; the node whose text is its
 * own without the first letter; the length of its own text, which ends at text[end - 1]. */
typedef struct gm_suffix_node {
    uint32_t start, end, link, depth;
} __attribute__((aligned(16))) gm_suffix_node;

/* The nodes below a node, by the first letter of their edges; 0, the root: none. */
typedef struct gm_suffix_children {
    uint32_t child[GM_SUFFIX_LETTERS];
} __attribute__((aligned(16))) gm_suffix_children;

typedef struct gm_suffix_tree {
    const uint8_t *text; /* letters 0 to 3, then one 4, which ends it */
    uint32_t length;     /* with the end */
    gm_suffix_node *node;
    gm_suffix_children *children;
    uint32_t nodes;
} gm_suffix_tree;

/* Returns the nodes that a tree of a text of `length`, with the end, has at most. */
static inline size_t gm_suffix_tree_capacity(size_t length)
{
    return 2 * length;
}

/* Builds the tree of text[length] into node[] and children[], zeroed, of the capacity, and sets
 * `nodes`. Returns 0 or -ENOMEM. */
int gm_suffix_tree_build(gm_suffix_tree *tree, gm_error *error);

#endif
