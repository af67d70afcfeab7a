/* Breadth-first search, level by level [Rodinia bfs, Kernel and Kernel2; khairy, Table 2:
 * thrashing]. A thread is a node; those of the frontier walk their edges, so warps diverge and
 * lanes read lines of their own. */
#include "workload/input_file.h"
#include "workload/random.h"
#include "workload/workload_internal.h"

#include <errno.h>
#include <stdlib.h>

enum { NODES, DEGREE, SEED, GRAPH };
static const gm_workload_option options[] = {
    [NODES] = {"nodes", 1, 1 << 24, 1 << 16, false, "nodes of a random graph"},
    [DEGREE] = {"degree", 1, 1024, 6, false, "edges of a node, on average"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of the random graph"},
    [GRAPH] = {"graph", 0, 0, 0, true, "file in Rodinia's form, instead of a random graph"},
    {0},
};

typedef struct node {
    int32_t first, edges; /* in edge[] */
} node;

typedef struct bfs {
    node *node;
    int32_t *edge; /* its other end */
    int32_t *cost; /* levels from the source; -1: not reached */
    uint8_t *frontier, *next, *visited;
    uint8_t *more;
    uint32_t nodes;
} bfs;

GM_THREAD(visit, bfs)
{
    uint32_t i = GM_GLOBAL_X(t);
    COMPUTE(t, INTEGER, 2);
    if (i < a->nodes && LOAD(t, a->frontier + i) != 0) {
        STORE(t, a->frontier + i, 0);
        node own = LOAD(t, a->node + i);
        int32_t cost = LOAD(t, a->cost + i);
        for (int32_t e = own.first; e < own.first + own.edges; e++) {
            int32_t other = LOAD(t, a->edge + e);
            if (LOAD(t, a->visited + other) == 0) {
                COMPUTE(t, INTEGER, 1);
                STORE(t, a->cost + other, cost + 1);
                STORE(t, a->next + other, 1);
            }
            LOOP(t);
        }
    }
}
GM_KERNEL(visit, bfs)

GM_THREAD(advance, bfs)
{
    uint32_t i = GM_GLOBAL_X(t);
    COMPUTE(t, INTEGER, 2);
    if (i < a->nodes && LOAD(t, a->next + i) != 0) {
        STORE(t, a->frontier + i, 1);
        STORE(t, a->visited + i, 1);
        STORE(t, a->more, 1);
        STORE(t, a->next + i, 0);
    }
}
GM_KERNEL(advance, bfs)

static int take_arrays(gm_workload *workload, bfs *s, size_t nodes, size_t edges, gm_error *error)
{
    s->nodes = (uint32_t)nodes;
    s->node = gm_workload_input(workload, "node", nodes, sizeof *s->node, error);
    s->edge = gm_workload_input(workload, "edge", edges, sizeof *s->edge, error);
    s->frontier = gm_workload_input(workload, "frontier", nodes, 1, error);
    s->next = gm_workload_input(workload, "next", nodes, 1, error);
    s->visited = gm_workload_input(workload, "visited", nodes, 1, error);
    s->cost = gm_workload_input(workload, "cost", nodes, sizeof *s->cost, error);
    s->more = gm_workload_output(workload, "more", 1, 1, error);
    bool all = s->node != NULL && s->edge != NULL && s->frontier != NULL && s->next != NULL &&
               s->visited != NULL && s->cost != NULL && s->more != NULL;
    return all ? 0 : error->code;
}

/* Each node has between 1 and 2 * degree - 1 edges to nodes anywhere. */
static int make_graph(gm_workload *workload, bfs *s, gm_error *error)
{
    size_t nodes = (size_t)workload->value[NODES];
    uint64_t most = (uint64_t)workload->value[DEGREE] * 2 - 1;
    uint64_t random = (uint64_t)workload->value[SEED];
    uint64_t counting = random;
    size_t edges = 0;
    for (size_t i = 0; i < nodes; i++) {
        edges += 1 + gm_random_below(&counting, most);
    }
    int code = take_arrays(workload, s, nodes, edges, error);
    int32_t first = 0;
    for (size_t i = 0; code == 0 && i < nodes; i++) {
        s->node[i] = (node){first, 1 + (int32_t)gm_random_below(&random, most)};
        first += s->node[i].edges;
    }
    for (size_t i = 0; code == 0 && i < edges; i++) {
        s->edge[i] = (int32_t)gm_random_below(&random, nodes);
    }
    return code;
}

/* "nodes", then "first edges" of each, the source, the number of edges, then "end weight" of each.
 */
static int read_edges(gm_input_file *file, bfs *s, int64_t edges, gm_error *error)
{
    int code = 0;
    for (int64_t i = 0; code == 0 && i < edges; i++) {
        int64_t end = 0;
        int64_t weight = 0;
        code = gm_input_file_integer(file, "end of an edge", 0, (int64_t)s->nodes - 1, &end, error);
        if (code == 0) {
            code = gm_input_file_integer(file, "weight of an edge", INT32_MIN, INT32_MAX, &weight,
                                         error);
        }
        s->edge[i] = (int32_t)end;
    }
    for (uint32_t i = 0; code == 0 && i < s->nodes; i++) {
        if (s->node[i].first + (int64_t)s->node[i].edges > edges) {
            code = gm_input_file_fail(file, error, "node %u has edges beyond the file's %lld", i,
                                      (long long)edges);
        }
    }
    return code;
}

static int read_graph(gm_workload *workload, bfs *s, gm_input_file *file, int64_t *source,
                      gm_error *error)
{
    int64_t nodes = 0;
    int64_t edges = 0;
    int code = gm_input_file_integer(file, "number of nodes", 1, 1 << 26, &nodes, error);
    if (code < 0) {
        return code;
    }
    node *read = calloc((size_t)nodes, sizeof *read);
    if (read == NULL) {
        return gm_fail(error, -ENOMEM, "%s: out of memory", file->path);
    }
    for (int64_t i = 0; code == 0 && i < nodes; i++) {
        int64_t first = 0;
        int64_t count = 0;
        code = gm_input_file_integer(file, "first edge", 0, 1 << 29, &first, error);
        if (code == 0) {
            code = gm_input_file_integer(file, "number of edges", 0, 1 << 29, &count, error);
        }
        read[i] = (node){(int32_t)first, (int32_t)count};
    }
    if (code == 0) {
        code = gm_input_file_integer(file, "source", 0, nodes - 1, source, error);
    }
    if (code == 0) {
        code = gm_input_file_integer(file, "number of edges", 0, 1 << 29, &edges, error);
    }
    if (code == 0) {
        code = take_arrays(workload, s, (size_t)nodes, (size_t)edges, error);
    }
    for (int64_t i = 0; code == 0 && i < nodes; i++) {
        s->node[i] = read[i];
    }
    free(read);
    return code == 0 ? read_edges(file, s, edges, error) : code;
}

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    bfs *s = state;
    int64_t source = 0;
    int code = 0;
    if (workload->path[GRAPH] != NULL) {
        gm_input_file file;
        code = gm_input_file_load(&file, workload->path[GRAPH], error);
        if (code == 0) {
            code = read_graph(workload, s, &file, &source, error);
            gm_input_file_free(&file);
        }
    } else {
        code = make_graph(workload, s, error);
    }
    for (uint32_t i = 0; code == 0 && i < s->nodes; i++) {
        s->cost[i] = i == source ? 0 : -1;
        s->frontier[i] = i == source;
        s->visited[i] = i == source;
    }
    return code;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)workload, (void)error;
    bfs *s = state;
    if (step % 2 == 0) {
        if (step > 0 && *s->more == 0) {
            return 0;
        }
        *s->more = 0;
    }
    launch->code = step % 2 == 0 ? &visit_code : &advance_code;
    launch->arguments = s;
    launch->block.x = 512;
    launch->grid.x = gm_blocks(s->nodes, 512);
    return 1;
}

extern const gm_workload_definition gm_workload_bfs;
const gm_workload_definition gm_workload_bfs = {
    .description = {"bfs", "breadth-first search by levels",
                    "Rodinia [khairy, Table 2; anssari, Table 4.2]", options},
    .state_bytes = sizeof(bfs),
    .setup = setup,
    .launch = launch,
};
