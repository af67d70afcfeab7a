/* sssp and bptree against straightforward host versions. */
#include "support/workload/workload_run.h"

#include <stdio.h>

typedef struct sssp_node {
    int32_t first, edges;
} sssp_node;

/* Distances by taking the nearest node of those not yet settled, again and again (Dijkstra). */
static void check_distances(const workload_run *run, size_t nodes, size_t edges, size_t origin)
{
    const sssp_node *node = workload_array(run->source, "node", nodes, sizeof *node);
    const int32_t *edge = workload_array(run->source, "edge", edges, sizeof *edge);
    const int32_t *weight = workload_array(run->source, "weight", edges, sizeof *weight);
    const int32_t *distance = workload_array(run->source, "distance", nodes, sizeof *distance);
    int64_t *best = malloc(nodes * sizeof *best);
    bool *settled = calloc(nodes, sizeof *settled);
    assert_non_null(best);
    assert_non_null(settled);
    for (size_t i = 0; i < nodes; i++) {
        best[i] = i == origin ? 0 : INT64_MAX;
    }
    for (;;) {
        size_t nearest = nodes;
        for (size_t i = 0; i < nodes; i++) {
            if (!settled[i] && best[i] < (nearest < nodes ? best[nearest] : INT64_MAX)) {
                nearest = i;
            }
        }
        if (nearest == nodes) {
            break;
        }
        settled[nearest] = true;
        for (int32_t e = node[nearest].first; e < node[nearest].first + node[nearest].edges; e++) {
            int64_t way = best[nearest] + weight[e];
            best[edge[e]] = way < best[edge[e]] ? way : best[edge[e]];
        }
    }
    for (size_t i = 0; i < nodes; i++) {
        assert_int_equal(distance[i], settled[i] ? best[i] : 1000000000);
    }
    free(best);
    free(settled);
}

static void sssp_finds_ways(void **state)
{
    (void)state;
    workload_run run = workload_run_whole("sssp,nodes=3000,degree=2,seed=5");
    check_distances(&run, 3000, gm_workload_array(run.source, "edge")->bytes / 4, 0);
    assert_true(run.kernels > 4); /* more than one way to lower a distance */
    gm_source_close(run.source);
}

/* 0 is not reached from the source, 1; 1-3-2 is cheaper than 1-2. */
static void sssp_begins_at_the_source(void **state)
{
    (void)state;
    static const char TEXT[] = "4\n0 1\n1 2\n3 0\n3 1\n\n1\n\n4\n1 1\n2 9\n3 4\n2 4\n";
    test_folder_make();
    char specification[1024];
    snprintf(specification, sizeof specification, "sssp,graph=%s",
             test_file_write("graph", TEXT, sizeof TEXT - 1));
    workload_run run = workload_run_whole(specification);
    const int32_t *distance = workload_array(run.source, "distance", 4, sizeof *distance);
    static const int32_t expected[] = {1000000000, 0, 8, 4};
    assert_memory_equal(distance, expected, sizeof expected);
    gm_source_close(run.source);
    test_folder_remove();
}

/* In the forms of Rodinia, METIS and SNAP. */
static void sssp_reads_graphs(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        size_t nodes, edges;
    } files[] = {
        {"rodinia/graph4096.txt.xz", 4096, 24576},
        {"graphs/power.graph", 4941, 13188},
        {"graphs/wiki-Vote.txt.xz", 7115, 103689},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char specification[512];
        snprintf(specification, sizeof specification, "sssp,graph=%s/%s",
                 test_shared_data("GOLDMEM_INPUTS"), files[i].name);
        workload_run run = workload_run_whole(specification);
        check_distances(&run, files[i].nodes, files[i].edges, 0);
        gm_source_close(run.source);
    }
}

static void bad_weights_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *reason;
    } cases[] = {
        {"2\n0 1\n1 1\n0\n2\n1 1\n0 -1\n", ": edge 1: weight -1 is not in 0..499999999"},
        {"2\n0 1\n1 1\n0\n2\n1 500000000\n0 1\n",
         ": edge 0: weight 500000000 is not in 0..499999999"},
    };
    test_folder_make();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *path = test_file_write("bad", cases[i].text, strlen(cases[i].text));
        char specification[1024];
        char expected[1024];
        snprintf(specification, sizeof specification, "sssp,graph=%s", path);
        snprintf(expected, sizeof expected, "%s%s", path, cases[i].reason);
        gm_source *source = NULL;
        gm_error error;
        assert_int_equal(gm_workload_open(&source, specification, &error), -EINVAL);
        assert_string_equal(error.text, expected);
    }
    test_folder_remove();
}

/* Without a tree: record i has key 2 i. Trees of one, two and three levels, with full and unfull
 * last nodes. */
static void bptree_finds(void **state)
{
    (void)state;
    static const struct {
        const char *specification;
        int32_t records, queries, ranges, span;
    } cases[] = {
        {"bptree,records=1,queries=8,ranges=2,span=1", 1, 8, 2, 1},
        {"bptree,records=128,queries=300,ranges=50,span=20", 128, 300, 50, 20},
        {"bptree,records=129,queries=300,ranges=50,span=200", 129, 300, 50, 200},
        {"bptree,records=20000,queries=400,ranges=100,span=3000,seed=6", 20000, 400, 100, 3000},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        workload_run run = workload_run_whole(cases[c].specification);
        int32_t records = cases[c].records;
        assert_int_equal(run.ctas, cases[c].queries + cases[c].ranges);
        const int32_t *record = workload_array(run.source, "record", (size_t)records, 4);
        const int32_t *key = workload_data(&run, "key");
        const int32_t *answer = workload_data(&run, "answer");
        int found = 0;
        for (int32_t i = 0; i < cases[c].queries; i++) {
            found += key[i] % 2 == 0;
            assert_int_equal(answer[i], key[i] % 2 == 0 ? record[key[i] / 2] : -1);
        }
        assert_in_range(found, 1, cases[c].queries - 1);
        const int32_t *start = workload_data(&run, "start");
        const int32_t *first = workload_data(&run, "first");
        const int32_t *span = workload_data(&run, "span");
        for (int32_t i = 0; i < cases[c].ranges; i++) {
            int32_t rest = records - start[i] / 2;
            assert_int_equal(first[i], start[i] / 2);
            assert_int_equal(span[i], rest < cases[c].span ? rest : cases[c].span);
        }
        gm_source_close(run.source);
    }
}

/* Accesses of one way from a root over leaves of 128 keys to a key, thread by thread: its current
 * node, its key and the wanted one by all 256; the next key by those whose own is not larger; the
 * child found and put down once; taken up once. */
static uint64_t descent_lanes(int32_t wanted)
{
    return 3 * 256 + (uint64_t)(wanted / 2 / 128 + 1) + 2 + 2;
}

/* An interval that two threads take for theirs gives the right answers still. */
static void bptree_has_one_thread_for_each_interval(void **state)
{
    (void)state;
    workload_run run = workload_run_whole("bptree,records=1000,queries=2000,ranges=100");
    const int32_t *key = workload_data(&run, "key");
    const int32_t *start = workload_data(&run, "start");
    const int32_t *end = workload_data(&run, "end");
    uint64_t lanes = 0;
    for (int i = 0; i < 2000; i++) {
        lanes += descent_lanes(key[i]) + 3 * 256 + (key[i] % 2 == 0 ? 3 : 0);
    }
    for (int i = 0; i < 100; i++) {
        lanes += descent_lanes(start[i]) + 3 * 256 + 2;
        lanes += descent_lanes(end[i]) + 3 * 256 + 3;
    }
    assert_int_equal(run.lanes, lanes);
    gm_source_close(run.source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sssp_finds_ways),
        cmocka_unit_test(sssp_begins_at_the_source),
        cmocka_unit_test(sssp_reads_graphs),
        cmocka_unit_test(bad_weights_are_refused),
        cmocka_unit_test(bptree_finds),
        cmocka_unit_test(bptree_has_one_thread_for_each_interval),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
