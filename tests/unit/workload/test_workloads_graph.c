/* bfs, bfs_parboil, spmv, kmeans and histo compute what a straightforward host version does, from
 * made-up inputs and from files. */
#include "support/workload/workload_run.h"

#include <float.h>
#include <stdio.h>

typedef struct bfs_node {
    int32_t first, edges;
} bfs_node;

/* Levels by repeated relaxation (Bellman and Ford), an algorithm without a frontier; `not_reached`
 * is the cost of other nodes. An edge has `words` words, the first of them its end. */
static void check_levels_of(gm_source *source, size_t nodes, size_t edges, size_t words,
                            int32_t not_reached)
{
    const bfs_node *node = workload_array(source, "node", nodes, sizeof *node);
    const int32_t *edge = workload_array(source, "edge", edges, words * sizeof *edge);
    const int32_t *cost = workload_array(source, "cost", nodes, sizeof *cost);
    int32_t *level = malloc(nodes * sizeof *level);
    for (size_t i = 0; i < nodes; i++) {
        level[i] = i == 0 ? 0 : INT32_MAX;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < nodes; i++) {
            for (int32_t e = 0; level[i] != INT32_MAX && e < node[i].edges; e++) {
                int32_t other = edge[(size_t)(node[i].first + e) * words];
                if (level[other] > level[i] + 1) {
                    level[other] = level[i] + 1;
                    changed = true;
                }
            }
        }
    }
    for (size_t i = 0; i < nodes; i++) {
        assert_int_equal(cost[i], level[i] == INT32_MAX ? not_reached : level[i]);
    }
    free(level);
}

static void check_levels(gm_source *source, size_t nodes, size_t edges)
{
    check_levels_of(source, nodes, edges, 1, -1);
}

static void bfs_finds_levels(void **state)
{
    (void)state;
    gm_source *source = workload_run_whole("bfs,nodes=3000,degree=3,seed=5").source;
    check_levels(source, 3000, gm_workload_array(source, "edge")->bytes / sizeof(int32_t));
    gm_source_close(source);
}

/* In the forms of Rodinia, METIS and SNAP. */
static void bfs_reads_graphs(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        size_t nodes, edges;
    } files[] = {
        {"rodinia/graph4096.txt.xz", 4096, 24576},
        {"graphs/4elt.graph.xz", 15606, 91756},
        {"graphs/power.graph", 4941, 13188},
        {"graphs/wiki-Vote.txt.xz", 7115, 103689},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char specification[512];
        snprintf(specification, sizeof specification, "bfs,graph=%s/%s",
                 test_shared_data("GOLDMEM_INPUTS"), files[i].name);
        gm_source *source = workload_run_whole(specification).source;
        check_levels(source, files[i].nodes, files[i].edges);
        gm_source_close(source);
    }
}

static void bfs_parboil_finds_levels(void **state)
{
    (void)state;
    gm_source *source = workload_run_whole("bfs_parboil,nodes=3000,degree=3,seed=5").source;
    size_t edges = gm_workload_array(source, "edge")->bytes / 8;
    check_levels_of(source, 3000, edges, 2, INT32_MAX);
    gm_source_close(source);
    static const struct {
        const char *name;
        size_t nodes, edges;
    } files[] = {
        {"rodinia/graph4096.txt.xz", 4096, 24576}, /* with weights other than 1, not used */
        {"graphs/4elt.graph.xz", 15606, 91756},
        {"graphs/wiki-Vote.txt.xz", 7115, 103689},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char specification[512];
        snprintf(specification, sizeof specification, "bfs_parboil,graph=%s/%s",
                 test_shared_data("GOLDMEM_INPUTS"), files[i].name);
        source = workload_run_whole(specification).source;
        check_levels_of(source, files[i].nodes, files[i].edges, 2, INT32_MAX);
        gm_source_close(source);
    }
}

/* A node with 5120 neighbours, each of which has it as its only one: one thread finds 5000 nodes,
 * and the queue of the CTA holds 400 of them. Frontiers of 1, 5120 and 0 nodes: 1 and 10 CTAs, if
 * each node is appended once. */
static void bfs_parboil_fills_its_queue(void **state)
{
    (void)state;
    enum { LEAVES = 5120 };
    char *text = malloc((size_t)LEAVES * 16);
    assert_non_null(text);
    int length = sprintf(text, "%d %d\n", LEAVES + 1, LEAVES);
    for (int i = 0; i < LEAVES; i++) {
        length += sprintf(text + length, "%d ", i + 2);
    }
    for (int i = 0; i < LEAVES; i++) {
        length += sprintf(text + length, "\n1");
    }
    test_folder_make();
    char specification[1024];
    snprintf(specification, sizeof specification, "bfs_parboil,graph=%s",
             test_file_write("star.graph", text, (size_t)length));
    workload_run run = workload_run_whole(specification);
    check_levels_of(run.source, LEAVES + 1, 2 * (size_t)LEAVES, 2, INT32_MAX);
    assert_int_equal(run.kernels, 2);
    assert_int_equal(run.ctas, 11);
    gm_source_close(run.source);
    test_folder_remove();
    free(text);
}

static void check_product(gm_source *source, const float *dense, uint32_t rows, uint32_t columns)
{
    const float *x = workload_array(source, "x", columns, sizeof *x);
    const float *y = workload_array(source, "y", rows, sizeof *y);
    float *expected = calloc(rows, sizeof *expected);
    for (uint32_t i = 0; i < rows; i++) {
        double sum = 0.0;
        for (uint32_t j = 0; j < columns; j++) {
            sum += (double)dense[(size_t)i * columns + j] * (double)x[j];
        }
        expected[i] = (float)sum;
    }
    workload_all_close(y, expected, rows, 1e-4);
    free(expected);
}

/* A symmetric matrix of 4 rows: only the lower triangle stands in the file. */
static const char MATRIX[] = "%%MatrixMarket matrix coordinate real symmetric\n% comment\n4 4 5\n"
                             "1 1 2.0\n2 1 -1.5\n3 3 4\n4 2 0.25\n4 4 1\n";
static const float DENSE[] = {2.0F, -1.5F, 0, 0, -1.5F, 0, 0, 0.25F, 0, 0, 4, 0, 0, 0.25F, 0, 1};

static void spmv_multiplies(void **state)
{
    (void)state;
    test_folder_make();
    char specification[1024];
    snprintf(specification, sizeof specification, "spmv,matrix=%s",
             test_file_write("small.mtx", MATRIX, sizeof MATRIX - 1));
    gm_source *source = workload_run_whole(specification).source;
    check_product(source, DENSE, 4, 4);
    gm_source_close(source);
    test_folder_remove();

    source = workload_run_whole("spmv,rows=200,nonzeros=9,seed=3").source;
    const int32_t *row = workload_array(source, "row", 201, sizeof *row);
    size_t entries = (size_t)row[200];
    const int32_t *column = workload_array(source, "column", entries, sizeof *column);
    const float *value = workload_array(source, "value", entries, sizeof *value);
    float *dense = calloc(40000, sizeof *dense);
    for (int i = 0; i < 200; i++) {
        for (int32_t k = row[i]; k < row[i + 1]; k++) {
            dense[i * 200 + column[k]] += value[k];
        }
    }
    check_product(source, dense, 200, 200);
    free(dense);
    gm_source_close(source);
}

static void kmeans_takes_the_nearest(void **state)
{
    (void)state;
    static const char *const layouts[] = {"kmeans,points=700,features=5,clusters=4,iterations=1",
                                          "kmeans,points=700,features=5,clusters=4,iterations=1,"
                                          "columns=1"};
    for (int columns = 0; columns < 2; columns++) {
        gm_source *source = workload_run_whole(layouts[columns]).source;
        const float *feature = workload_array(source, "feature", 3500, sizeof *feature);
        const float *centre = workload_array(source, "centre", 20, sizeof *centre);
        const int32_t *membership = workload_array(source, "membership", 700, 4);
        for (int p = 0; p < 700; p++) {
            double distance[4] = {0.0};
            for (int c = 0; c < 4; c++) {
                for (int f = 0; f < 5; f++) {
                    double x = (double)feature[columns ? f * 700 + p : p * 5 + f];
                    double y = (double)centre[c * 5 + f];
                    distance[c] += (x - y) * (x - y);
                }
            }
            for (int c = 0; c < 4; c++) {
                assert_true(distance[membership[p]] <= distance[c] * (1.0 + 1e-5));
            }
        }
        gm_source_close(source);
    }
}

/* After the first round each centre is the mean of its points. */
static void kmeans_moves_centres(void **state)
{
    (void)state;
    gm_source *first =
        workload_run_whole("kmeans,points=500,features=3,clusters=6,iterations=1").source;
    gm_source *second =
        workload_run_whole("kmeans,points=500,features=3,clusters=6,iterations=2").source;
    const float *feature = workload_array(first, "feature", 1500, sizeof *feature);
    const int32_t *membership = workload_array(first, "membership", 500, 4);
    float expected[18] = {0};
    for (int c = 0; c < 6; c++) {
        for (int f = 0; f < 3; f++) {
            double sum = 0.0;
            int members = 0;
            for (int p = 0; p < 500; p++) {
                sum += membership[p] == c ? (double)feature[p * 3 + f] : 0.0;
                members += membership[p] == c;
            }
            assert_true(members > 0);
            expected[c * 3 + f] = (float)(sum / members);
        }
    }
    workload_all_close(workload_array(second, "centre", 18, 4), expected, 18, 1e-5);
    gm_source_close(first);
    gm_source_close(second);
}

static void histo_counts(void **state)
{
    (void)state;
    gm_source *source = workload_run_whole("histo,n=30000,bins=100,seed=9").source;
    const uint32_t *value = workload_array(source, "value", 30000, sizeof *value);
    const uint32_t *bin = workload_array(source, "bin", 100, sizeof *bin);
    const uint8_t *saturated = workload_array(source, "saturated", 100, 1);
    uint32_t count[100] = {0};
    for (int i = 0; i < 30000; i++) {
        count[value[i]]++;
    }
    for (int i = 0; i < 100; i++) {
        assert_int_equal(bin[i], count[i]);
        assert_int_equal(saturated[i], count[i] < 255 ? count[i] : 255);
    }
    assert_int_equal(saturated[50], 255); /* the hump's middle holds more than 255 */
    gm_source_close(source);
}

static void all_inputs_are_read(void **state)
{
    (void)state;
    const char *inputs = test_shared_data("GOLDMEM_INPUTS");
    static const char *const files[] = {
        "spmv,matrix=%s/matrices/bcsstk13.mtx.xz", "spmv,matrix=%s/matrices/cryg2500.mtx.xz",
        "spmv,matrix=%s/matrices/jagmesh7.mtx",    "spmv,matrix=%s/matrices/karate.mtx",
        "spmv,matrix=%s/matrices/west0067.mtx",    "kmeans,data=%s/rodinia/kmeans_100,iterations=1",
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char specification[512];
        snprintf(specification, sizeof specification, files[i], inputs);
        gm_source_close(workload_run_whole(specification).source);
    }
}

/* What is wrong with a file is named with its line. */
static void bad_files_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *workload, *text, *reason;
    } cases[] = {
        {"bfs,graph", "", ":1: number of nodes is missing: the file ends"},
        {"bfs,graph", "2\n0 1\n1 1\n\n2\n", ":5: source: 2 is not in 0..1"},
        {"bfs,graph", "2\n0 1\n1 x\n", ":3: number of edges: 'x' is not a number in range"},
        {"bfs,graph", "2\n0 1\n1 1\n\n0\n2\n1 1\n7 1\n", ":8: end of an edge: 7 is not in 0..1"},
        {"bfs,graph", "1\n0 9\n0\n1\n0 1\n", ":5: node 0 has edges beyond the file's 1"},
        {"spmv,matrix", "matrix\n",
         ":1: not a MatrixMarket coordinate matrix of real, integer or "
         "pattern entries, general or symmetric"},
        {"spmv,matrix", "%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 1.0\n",
         ":3: row: 3 is not in 1..2"},
        {"spmv,matrix", "%%MatrixMarket matrix coordinate real symmetric\n2 3 1\n",
         ":2: a symmetric matrix of 2 rows and 3 columns"},
        {"spmv,matrix", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1.0\n",
         ":4: row is missing: the file ends"},
    };
    test_folder_make();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *path = test_file_write("bad", cases[i].text, strlen(cases[i].text));
        char specification[1024];
        char expected[1024];
        snprintf(specification, sizeof specification, "%s=%s", cases[i].workload, path);
        snprintf(expected, sizeof expected, "%s%s", path, cases[i].reason);
        gm_source *source = NULL;
        gm_error error;
        assert_true(gm_workload_open(&source, specification, &error) < 0);
        assert_string_equal(error.text, expected);
    }
    test_folder_remove();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bfs_parboil_finds_levels), cmocka_unit_test(bfs_parboil_fills_its_queue),
        cmocka_unit_test(bfs_finds_levels),         cmocka_unit_test(bfs_reads_graphs),
        cmocka_unit_test(spmv_multiplies),          cmocka_unit_test(kmeans_takes_the_nearest),
        cmocka_unit_test(kmeans_moves_centres),     cmocka_unit_test(histo_counts),
        cmocka_unit_test(all_inputs_are_read),      cmocka_unit_test(bad_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
