/* Ukkonen's construction: letter by letter, with the place where the next suffix ends kept as a
 * node, the first letter of an edge and a length along it. */
#include "workload/suffix_tree.h"

#include <errno.h>
#include <stdlib.h>

typedef struct builder {
    gm_suffix_tree *tree;
    uint32_t *ends;             /* of each node: its child by the text's end */
    uint32_t node, edge, along; /* where suffixes end that are in the tree already */
    uint32_t waiting;           /* suffixes that are not leaves yet */
    uint32_t unlinked;          /* node of this letter that has no link yet; 0: none */
} builder;

static uint32_t *child_of(const builder *b, uint32_t node, unsigned letter)
{
    return letter < GM_SUFFIX_LETTERS ? &b->tree->children[node].child[letter] : &b->ends[node];
}

static uint32_t add_node(const builder *b, uint32_t start, uint32_t end)
{
    b->tree->node[b->tree->nodes] = (gm_suffix_node){.start = start, .end = end};
    return b->tree->nodes++;
}

/* Sets the link of the node before it to this one. */
static void link_to(builder *b, uint32_t node)
{
    if (b->unlinked != 0) {
        b->tree->node[b->unlinked].link = node;
    }
    b->unlinked = node;
}

/* Cuts the edge to `below` at b->along, with a leaf for the letter at `place`. Returns the new
 * node. */
static uint32_t split(const builder *b, uint32_t below, uint32_t place)
{
    const uint8_t *text = b->tree->text;
    gm_suffix_node *node = b->tree->node;
    uint32_t start = node[below].start;
    uint32_t between = add_node(b, start, start + b->along);
    uint32_t leaf = add_node(b, place, b->tree->length);
    *child_of(b, b->node, text[b->edge]) = between;
    *child_of(b, between, text[place]) = leaf;
    node[below].start = start + b->along;
    *child_of(b, between, text[node[below].start]) = below;
    return between;
}

/* Goes to the end of the next shorter suffix. */
static void shorten(builder *b, uint32_t place)
{
    b->waiting--;
    if (b->node == 0 && b->along > 0) {
        b->along--;
        b->edge = place - b->waiting + 1;
    } else {
        b->node = b->tree->node[b->node].link;
    }
}

/* Adds the letter at `place` to all suffixes. */
static void add_letter(builder *b, uint32_t place)
{
    const uint8_t *text = b->tree->text;
    const gm_suffix_node *node = b->tree->node;
    b->waiting++;
    b->unlinked = 0;
    while (b->waiting > 0) {
        b->edge = b->along == 0 ? place : b->edge;
        uint32_t below = *child_of(b, b->node, text[b->edge]);
        uint32_t length = below == 0 ? 0 : node[below].end - node[below].start;
        if (below == 0) {
            *child_of(b, b->node, text[b->edge]) = add_node(b, place, b->tree->length);
            link_to(b, b->node);
        } else if (b->along >= length) {
            b->node = below;
            b->edge += length;
            b->along -= length;
            continue;
        } else if (text[node[below].start + b->along] == text[place]) {
            b->along++;
            link_to(b, b->node);
            return;
        } else {
            link_to(b, split(b, below, place));
        }
        shorten(b, place);
    }
}

/* Sets the depths, from the root down, with a stack of nodes. */
static void set_depths(const builder *b, uint32_t *stack)
{
    gm_suffix_node *node = b->tree->node;
    uint32_t waiting = 1;
    stack[0] = 0;
    while (waiting > 0) {
        uint32_t above = stack[--waiting];
        for (unsigned letter = 0; letter <= GM_SUFFIX_LETTERS; letter++) {
            uint32_t below = *child_of(b, above, letter);
            if (below != 0) {
                node[below].depth = node[above].depth + node[below].end - node[below].start;
                stack[waiting++] = below;
            }
        }
    }
}

int gm_suffix_tree_build(gm_suffix_tree *tree, gm_error *error)
{
    size_t capacity = gm_suffix_tree_capacity(tree->length);
    builder b = {.tree = tree, .ends = calloc(2 * capacity, sizeof *b.ends)};
    if (b.ends == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory for a suffix tree");
    }
    tree->nodes = 1; /* the root */
    for (uint32_t place = 0; place < tree->length; place++) {
        add_letter(&b, place);
    }
    set_depths(&b, b.ends + capacity);
    free(b.ends);
    return 0;
}
