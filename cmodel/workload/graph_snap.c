/* Graph files of SNAP: a line "from to" for each edge, with numbers of nodes that need not be
 * contiguous; lines that begin with '#' are comments. Nodes are renumbered in the order of their
 * numbers. "# Undirected graph" gives each edge both directions; "# Nodes: N Edges: M" must hold.
 */
#include "workload/graph.h"

#include "goldmem/assert.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct pair {
    int32_t from, to;
} pair;

typedef struct list {
    pair *pair;
    size_t pairs, capacity;
    int64_t nodes, edges; /* as a comment says; -1: none does */
    uint64_t line;        /* of that comment */
    bool undirected;
} list;

static int read_pair(gm_input_file *file, list *list, gm_error *error)
{
    if (list->pairs == list->capacity) {
        size_t more = list->capacity * 2 + 4096;
        pair *larger = realloc(list->pair, more * sizeof *larger);
        if (larger == NULL) {
            return gm_fail(error, -ENOMEM, "%s: out of memory", file->path);
        }
        list->pair = larger;
        list->capacity = more;
    }
    int64_t from = 0;
    int64_t to = 0;
    int code = gm_input_file_integer(file, "beginning of an edge", 0, INT32_MAX, &from, error);
    if (code == 0 && gm_input_file_line_ended(file)) {
        return gm_input_file_fail(file, error, "end of an edge is missing");
    }
    if (code == 0) {
        code = gm_input_file_integer(file, "end of an edge", 0, INT32_MAX, &to, error);
    }
    if (code == 0 && !gm_input_file_line_ended(file)) {
        return gm_input_file_fail(file, error, "more than two numbers in a line");
    }
    list->pair[list->pairs++] = (pair){(int32_t)from, (int32_t)to};
    return code;
}

/* Reads the number behind `label` in `text`; `*end` is behind it. Returns -1 without one. */
static int64_t number_behind(const char *text, const char *label, const char **end)
{
    *end = text;
    const char *found = strstr(text, label);
    if (found == NULL) {
        return -1;
    }
    char *behind = NULL;
    const char *number = found + strlen(label);
    int64_t value = strtoll(number, &behind, 10);
    *end = behind;
    return behind == number ? -1 : value;
}

static void read_comment(gm_input_file *file, list *list)
{
    uint64_t line = file->line;
    const char *text = gm_input_file_line(file);
    const char *behind = NULL;
    int64_t nodes = number_behind(text, "# Nodes: ", &behind);
    int64_t edges = number_behind(behind, " Edges: ", &behind);
    if (nodes >= 0 && edges >= 0) {
        list->nodes = nodes;
        list->edges = edges;
        list->line = line;
    }
    list->undirected |= strncmp(text, "# Undirected graph", 18) == 0;
}

static int read_list(gm_input_file *file, list *list, gm_error *error)
{
    int code = 0;
    while (code == 0 && !gm_input_file_ended(file)) {
        if (file->bytes[file->at] == '#') {
            read_comment(file, list);
        } else {
            code = read_pair(file, list, error);
        }
    }
    if (code == 0 && list->pairs == 0) {
        code = gm_input_file_fail(file, error, "no edges");
    }
    if (code == 0 && list->edges >= 0 && (size_t)list->edges != list->pairs) {
        code = gm_input_file_fail(file, error, "%zu edges, where line %llu says %lld", list->pairs,
                                  (unsigned long long)list->line, (long long)list->edges);
    }
    return code;
}

static int ascending(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a;
    int32_t y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Returns the sorted different numbers of the pairs' nodes, to be freed; NULL: out of memory. */
static int32_t *different_nodes(const list *list, size_t *count)
{
    gm_assert(list->pairs != 0, "no edges");
    int32_t *node = malloc(list->pairs * 2 * sizeof *node);
    if (node == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < list->pairs; i++) {
        node[2 * i] = list->pair[i].from;
        node[2 * i + 1] = list->pair[i].to;
    }
    qsort(node, list->pairs * 2, sizeof *node, ascending);
    *count = 0;
    for (size_t i = 0; i < list->pairs * 2; i++) {
        if (i == 0 || node[i] != node[i - 1]) {
            node[(*count)++] = node[i];
        }
    }
    return node;
}

static int32_t rank_of(const int32_t *node, size_t count, int32_t number)
{
    const int32_t *found = bsearch(&number, node, count, sizeof number, ascending);
    return (int32_t)(found - node);
}

/* Sorts the edges by their beginning, stably, with a counting sort. */
static void place(gm_graph *graph, const list *list, uint64_t seed)
{
    int directions = list->undirected ? 2 : 1;
    for (size_t i = 0; i < list->pairs; i++) {
        graph->node[list->pair[i].from].edges++;
        if (list->undirected) {
            graph->node[list->pair[i].to].edges++;
        }
    }
    for (size_t i = 1; i < graph->nodes; i++) {
        graph->node[i].first = graph->node[i - 1].first + graph->node[i - 1].edges;
        graph->node[i - 1].edges = 0;
    }
    graph->node[graph->nodes - 1].edges = 0;
    for (size_t i = 0; i < list->pairs; i++) {
        pair edge = list->pair[i];
        for (int d = 0; d < directions; d++) {
            int32_t at = graph->node[edge.from].first + graph->node[edge.from].edges++;
            graph->end[at] = edge.to;
            graph->weight[at] = gm_graph_weight(seed, edge.from, edge.to);
            edge = (pair){edge.to, edge.from};
        }
    }
}

static int make_graph(gm_graph *graph, gm_input_file *file, list *list, uint64_t seed,
                      gm_error *error)
{
    size_t count = 0;
    int32_t *node = different_nodes(list, &count);
    if (node == NULL) {
        return gm_fail(error, -ENOMEM, "%s: out of memory", file->path);
    }
    for (size_t i = 0; i < list->pairs; i++) {
        list->pair[i].from = rank_of(node, count, list->pair[i].from);
        list->pair[i].to = rank_of(node, count, list->pair[i].to);
    }
    free(node);
    if (list->nodes >= 0 && (size_t)list->nodes != count) {
        return gm_input_file_fail(file, error, "%zu nodes, where line %llu says %lld", count,
                                  (unsigned long long)list->line, (long long)list->nodes);
    }
    int code = gm_graph_take_nodes(graph, count, error);
    if (code == 0) {
        code = gm_graph_take_edges(graph, list->pairs * (list->undirected ? 2 : 1), error);
    }
    if (code == 0) {
        place(graph, list, seed);
    }
    return code;
}

int gm_graph_read_snap(gm_graph *graph, gm_input_file *file, uint64_t seed, gm_error *error)
{
    list list = {.nodes = -1, .edges = -1};
    int code = read_list(file, &list, error);
    if (code == 0) {
        code = make_graph(graph, file, &list, seed, error);
    }
    free(list.pair);
    return code;
}
