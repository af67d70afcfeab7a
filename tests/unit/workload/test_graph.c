/* Graph files in the forms of Rodinia, METIS and SNAP: what is read of small ones by hand, what of
 * the public ones, and what is said of bad ones. */
#include "workload/graph.h"

#include "support/support.h"

#include <stdio.h>
#include <string.h>

static gm_graph read_text(const char *text, uint64_t seed)
{
    gm_graph graph;
    gm_error error;
    const char *path = test_file_write("graph", text, strlen(text));
    test_ok(gm_graph_read(&graph, path, seed, &error), error);
    return graph;
}

typedef struct expected {
    size_t nodes, edges;
    int32_t count[6]; /* edges of each node */
    int32_t end[12];
    int32_t weight[12]; /* first 0: those of gm_graph_weight */
} expected;

static void check_graph(const gm_graph *graph, const expected *e)
{
    assert_int_equal(graph->nodes, e->nodes);
    assert_int_equal(graph->edges, e->edges);
    assert_int_equal(graph->source, 0);
    int32_t first = 0;
    for (size_t i = 0; i < e->nodes; i++) {
        assert_int_equal(graph->node[i].first, first);
        assert_int_equal(graph->node[i].edges, e->count[i]);
        for (int32_t k = first; k < first + e->count[i]; k++) {
            int32_t made = gm_graph_weight(7, (int32_t)i, e->end[k]);
            assert_int_equal(graph->end[k], e->end[k]);
            assert_int_equal(graph->weight[k], e->weight[0] == 0 ? made : e->weight[k]);
        }
        first += e->count[i];
    }
}

/* Graphs drawn by hand; the arrays are written from the drawing. */
static void small_files_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        expected graph;
    } cases[] = {
        /* a path 1-2-3 and a node alone, whose line is empty */
        {"4 2\n2\n1 3\n2\n\n", {4, 4, {1, 2, 1, 0}, {1, 0, 2, 1}, {0}}},
        /* comments, blanks, lines that end in CR LF, none behind the last line */
        {"% drawn\n 4 2 0 \r\n% of 1\n2 \r\n1\t3\r\n 2\r\n\r\n",
         {4, 4, {1, 2, 1, 0}, {1, 0, 2, 1}, {0}}},
        {"2 1\n2\n1", {2, 2, {1, 1}, {1, 0}, {0}}},
        /* weights of edges */
        {"3 2 001\n2 5\n1 5 3 6\n2 6\n", {3, 4, {1, 2, 1}, {1, 0, 2, 1}, {5, 5, 6, 6}}},
        /* sizes, two weights of each node, weights of edges */
        {"3 2 111 2\n9 1 1 2 5\n9 1 1 1 5 3 6\n9 1 1 2 6\n",
         {3, 4, {1, 2, 1}, {1, 0, 2, 1}, {5, 5, 6, 6}}},
        /* weights of nodes only */
        {"2 1 10\n8 2\n8 1\n", {2, 2, {1, 1}, {1, 0}, {0}}},
        /* SNAP: numbers with gaps, an edge to itself, edges of a node in the file's order */
        {"# Directed graph\n# Nodes: 4 Edges: 5\n30\t7\n7\t30\n30\t1000000\n2 2\n30 2\n",
         {4, 5, {1, 1, 3, 0}, {0, 2, 1, 3, 0}, {0}}},
        {"# Undirected graph: a\n1 2\r\n3 1\r\n", {3, 4, {2, 1, 1}, {1, 2, 0, 0}, {0}}},
        /* Rodinia */
        {"2\n0 1\n1 1\n\n0\n2\n1 4\n0 3\n", {2, 2, {1, 1}, {1, 0}, {4, 3}}},
    };
    test_folder_make();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gm_graph graph = read_text(cases[i].text, 7);
        check_graph(&graph, &cases[i].graph);
        gm_graph_free(&graph);
    }
    test_folder_remove();
}

/* 1 to 10, all of them, the same for both directions, others for another seed. */
static void made_up_weights(void **state)
{
    (void)state;
    unsigned seen[11] = {0};
    unsigned differ = 0;
    for (int32_t a = 0; a < 100; a++) {
        for (int32_t b = 0; b < 100; b++) {
            int32_t weight = gm_graph_weight(1, a, b);
            assert_in_range(weight, 1, 10);
            assert_int_equal(weight, gm_graph_weight(1, b, a));
            seen[weight]++;
            differ += weight != gm_graph_weight(2, a, b);
        }
    }
    for (int weight = 1; weight <= 10; weight++) {
        assert_in_range(seen[weight], 800, 1200);
    }
    assert_in_range(differ, 8500, 9500); /* one in ten is the same by chance */
}

static void bad_files_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *reason;
    } cases[] = {
        {"4 x\n", ":1: number of edges: 'x' is not a number in range"},
        {"0 1\n", ":1: number of nodes: 0 is not in 1..67108864"},
        {"2 1 2\n2\n1\n", ":1: format: 2 has digits other than 0 and 1"},
        {"2 1 112\n2\n1\n", ":1: format: 112 is not in 0..111"},
        {"2 1 1 0\n2\n1\n", ":1: number of node weights: 0 is not in 1..64"},
        {"2 1 1 1 1\n2\n1\n", ":1: more than four numbers in the first line"},
        {"% only\n", ":2: number of nodes is missing: the file ends"},
        {"2 1\n2\n3\n", ":3: neighbour: 3 is not in 1..2"},
        {"2 1\n0\n1\n", ":2: neighbour: 0 is not in 1..2"},
        {"2 1\n2\n1 1\n", ":3: more neighbours than twice the 1 edges of the first line"},
        {"2 1\n2\n\n", ":4: 1 neighbours, not twice the 1 edges of the first line"},
        {"3 1\n2\n1\n", ":4: the file ends before node 3 of 3"},
        {"2 1\n2\n1\n% end\n1\n", ":5: text behind the last of 2 nodes"},
        {"2 1 1\n2\n1 4\n", ":2: weight of an edge is missing"},
        {"2 1 1\n2 0\n1 0\n", ":2: weight of an edge: 0 is not in 1..2147483647"},
        {"2 1 10 2\n5\n5 5 1\n", ":2: a node's size or weight is missing"},
        {"2 1 100\n-1 2\n1 1\n", ":2: size or weight of a node: -1 is not in 0..2147483647"},
        {"# SNAP\n", ":2: no edges"},
        {"# SNAP\n1 2\n3\n4 5\n", ":3: end of an edge is missing"},
        {"# SNAP\n1 2 3\n", ":2: more than two numbers in a line"},
        {"# SNAP\n1 -2\n", ":2: end of an edge: -2 is not in 0..2147483647"},
        {"# SNAP\nx 2\n", ":2: beginning of an edge: 'x' is not a number in range"},
        {"# SNAP\n# Nodes: 3 Edges: 1\n1 2\n", ":4: 2 nodes, where line 2 says 3"},
        {"# SNAP\n# Nodes: 2 Edges: 2\n1 2\n", ":4: 1 edges, where line 2 says 2"},
    };
    test_folder_make();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *path = test_file_write("bad", cases[i].text, strlen(cases[i].text));
        char expected[1024];
        snprintf(expected, sizeof expected, "%s%s", path, cases[i].reason);
        gm_graph graph;
        gm_error error;
        assert_int_equal(gm_graph_read(&graph, path, 0, &error), -22);
        assert_string_equal(error.text, expected);
        gm_graph_free(&graph);
    }
    test_folder_remove();
}

/* Sizes as the files and their sites say; in METIS each edge stands in both lines. */
static void public_files_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        size_t nodes, edges;
        bool both_ways;
    } cases[] = {
        {"4elt.graph.xz", 15606, 91756, true},
        {"power.graph", 4941, 13188, true},
        {"wing.graph.xz", 62032, 243088, true},
        {"wiki-Vote.txt.xz", 7115, 103689, false},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char path[512];
        snprintf(path, sizeof path, "%s/graphs/%s", test_shared_data("GOLDMEM_INPUTS"),
                 cases[c].name);
        gm_graph graph;
        gm_error error;
        test_ok(gm_graph_read(&graph, path, 1, &error), error);
        assert_int_equal(graph.nodes, cases[c].nodes);
        assert_int_equal(graph.edges, cases[c].edges);
        int64_t balance = 0; /* of edges from a to b and from b to a, hashed */
        for (size_t i = 0; i < graph.nodes; i++) {
            for (int32_t k = 0; k < graph.node[i].edges; k++) {
                int64_t end = graph.end[graph.node[i].first + k];
                balance += (int64_t)i * (int64_t)i * end - (int64_t)i * end * end;
            }
        }
        assert_int_equal(balance == 0, cases[c].both_ways);
        gm_graph_free(&graph);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_files_are_read),
        cmocka_unit_test(made_up_weights),
        cmocka_unit_test(bad_files_are_refused),
        cmocka_unit_test(public_files_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
