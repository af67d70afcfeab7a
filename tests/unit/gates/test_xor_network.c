/* XOR networks: counts that the paper's figure gives, bounds against exhaustive search, and every
 * network against its matrix. */
#include "goldmem/bits.h"
#include "goldmem/set_index.h"
#include "goldmem/xor_network.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

static gm_xor_network network;
static gm_xor_frontier frontier;

static gm_xor_matrix matrix_of(const char *text, uint64_t sets, unsigned address_bits)
{
    gm_set_index function;
    gm_error error;
    test_ok(gm_set_index_parse(&function, text, sets, address_bits, &error), error);
    gm_xor_matrix matrix = {.inputs = address_bits, .outputs = function.bits};
    memcpy(matrix.row, function.row, sizeof matrix.row);
    return matrix;
}

/* [khairy, figure 7]: rows of 10, 10, 10, 9 and 9 terms: 9+9+9+8+8 gates as written; 10 terms need
 * depth 4. 20 inputs, 5 outputs, 15 columns of two ones or more (all 20 differ, since 37 is
 * primitive): no network has fewer than 20 - 5 + 15 = 30 gates. */
static void costs_of_figure_7(void **state)
{
    (void)state;
    gm_xor_matrix matrix = matrix_of("ipoly:37", 32, 20);
    gm_xor_network_as_written(&network, &matrix);
    assert_true(gm_xor_network_computes(&network, &matrix));
    assert_int_equal(network.gates, 43);
    assert_int_equal(gm_xor_network_depth(&network), 4);
    assert_int_equal(gm_xor_matrix_fanin(&matrix), 10);
    assert_int_equal(gm_xor_matrix_least_gates(&matrix), 30);
    assert_int_equal(gm_xor_matrix_least_depth(&matrix), 4);

    gm_xor_network_greedy(&network, &matrix, GM_XOR_DEPTHS - 1, NULL);
    assert_true(gm_xor_network_computes(&network, &matrix));
    assert_int_equal(network.gates, 30); /* the known mark of greedy sharing */

    gm_error error;
    test_ok(gm_xor_search(&frontier, &matrix, 10, 1, &error), error);
    assert_true(frontier.found[4]); /* 30 gates at depth 4: neither can be less */
    assert_int_equal(frontier.best[4].gates, 30);
    assert_int_equal(gm_xor_network_depth(&frontier.best[4]), 4);
    assert_true(gm_xor_network_computes(&frontier.best[4], &matrix));
}

/* Fewest gates for a matrix, by trying every network: 3 outputs, 4 inputs. */
static bool can_make(uint64_t *value, unsigned values, unsigned gates, const gm_xor_matrix *matrix)
{
    unsigned missing = 0;
    for (unsigned i = 0; i < matrix->outputs; i++) {
        bool there = false;
        for (unsigned k = 0; k < values; k++) {
            there = there || value[k] == matrix->row[i];
        }
        missing += !there;
    }
    if (missing == 0 || missing > gates) {
        return missing == 0;
    }
    for (unsigned a = 0; a < values; a++) {
        for (unsigned b = 0; b < a; b++) {
            value[values] = value[a] ^ value[b];
            if (can_make(value, values + 1, gates - 1, matrix)) {
                return true;
            }
        }
    }
    return false;
}

static void no_network_is_smaller_than_the_bound(void **state)
{
    (void)state;
    test_random random = test_random_start(1);
    unsigned tight = 0;
    for (unsigned round = 0; round < 60; round++) {
        /* Unit columns 0 to 2 or a shear of them keep the rank full. */
        gm_xor_matrix matrix = {.inputs = 5, .outputs = 3};
        for (unsigned i = 0; i < 3; i++) {
            uint64_t above = test_random_next(&random) & gm_mask(i) & (round % 2 == 0 ? 0 : 7);
            matrix.row[i] = UINT64_C(1) << i | above | (test_random_next(&random) & 3) << 3;
        }
        unsigned exact = 0;
        uint64_t value[32] = {1, 2, 4, 8, 16};
        while (!can_make(value, 5, exact, &matrix)) {
            exact++;
        }
        gm_error error;
        test_ok(gm_xor_search(&frontier, &matrix, 20, 1, &error), error);
        unsigned found = GM_XOR_GATES;
        for (unsigned d = 0; d < GM_XOR_DEPTHS; d++) {
            found = frontier.found[d] ? frontier.best[d].gates : found;
        }
        assert_in_range(gm_xor_matrix_least_gates(&matrix), 0, exact);
        assert_int_equal(found, exact);
        tight += gm_xor_matrix_least_gates(&matrix) == exact;
    }
    assert_in_range(tight, 30, 60); /* the bound is worth something */
}

/* All functions and widths: what comes out computes the matrix, within the depth asked for. */
static void keeps_to_depth_and_function(void **state)
{
    (void)state;
    const char *const texts[] = {"sequential", "xor", "fold", "ipoly"};
    uint64_t random = 1;
    for (unsigned bits = 1; bits <= 16; bits++) {
        for (unsigned i = 0; i < 4; i++) {
            gm_xor_matrix matrix = matrix_of(texts[i], UINT64_C(1) << bits, 16 + bits);
            unsigned least = gm_xor_matrix_least_depth(&matrix);
            for (unsigned depth = least; depth < least + 3; depth++) {
                gm_xor_network_greedy(&network, &matrix, depth, &random);
                assert_true(gm_xor_network_computes(&network, &matrix));
                assert_in_range(gm_xor_network_depth(&network), least, depth);
                assert_true(network.gates >= gm_xor_matrix_least_gates(&matrix));
            }
            gm_error error;
            test_ok(gm_xor_network_transposed(&network, &matrix, least, &random, &error), error);
            assert_true(gm_xor_network_computes(&network, &matrix));
            assert_true(network.gates >= gm_xor_matrix_least_gates(&matrix));
            gm_xor_network_as_written(&network, &matrix);
            assert_true(gm_xor_network_computes(&network, &matrix));
            assert_int_equal(gm_xor_network_depth(&network), least);
        }
    }
}

/* Dense matrices, 64 inputs wide: the largest networks there are. */
static void holds_the_largest_networks(void **state)
{
    (void)state;
    /* One sum of 48 inputs at depth 6, then one gate for each output. */
    gm_xor_matrix matrix = {.inputs = 64, .outputs = 16};
    for (unsigned i = 0; i < 16; i++) {
        matrix.row[i] = UINT64_MAX << 16 | UINT64_C(1) << i;
    }
    gm_error error;
    test_ok(gm_xor_search(&frontier, &matrix, 1, 1, &error), error);
    assert_int_equal(gm_xor_matrix_least_gates(&matrix), 64 - 16 + 1);
    assert_int_equal(gm_xor_matrix_least_depth(&matrix), 6); /* 49 terms */
    assert_true(frontier.found[6] && frontier.found[7]);
    assert_int_equal(frontier.best[7].gates, 47 + 16);

    /* A random one: each way to make a network, without the search over depths and restarts. */
    test_random random = test_random_start(3);
    for (unsigned i = 0; i < 16; i++) {
        matrix.row[i] = test_random_next(&random) | UINT64_C(1) << i;
    }
    uint64_t state_of_random = 1;
    unsigned least = gm_xor_matrix_least_depth(&matrix);
    gm_xor_network_greedy(&network, &matrix, least, &state_of_random);
    assert_true(gm_xor_network_computes(&network, &matrix));
    test_ok(gm_xor_network_transposed(&network, &matrix, least, &state_of_random, &error), error);
    assert_true(gm_xor_network_computes(&network, &matrix));

    gm_xor_matrix full = {.inputs = 64, .outputs = 16};
    for (unsigned i = 0; i < 16; i++) {
        full.row[i] = UINT64_MAX;
    }
    gm_xor_network_as_written(&network, &full);
    assert_int_equal(network.gates, GM_XOR_GATES);
    assert_true(gm_xor_network_computes(&network, &full));
}

/* A wrong tap anywhere is noticed. */
static void refutes_wrong_taps(void **state)
{
    (void)state;
    gm_xor_matrix matrix = matrix_of("ipoly:37", 32, 20);
    gm_xor_network_greedy(&network, &matrix, GM_XOR_DEPTHS - 1, NULL);
    for (unsigned i = 0; i < network.gates; i++) {
        uint16_t kept = network.gate[i].left;
        network.gate[i].left = kept == 3 ? 4 : 3;
        assert_false(gm_xor_network_computes(&network, &matrix));
        network.gate[i].left = (uint16_t)(20 + i); /* itself */
        assert_false(gm_xor_network_computes(&network, &matrix));
        network.gate[i].left = kept;
    }
    for (unsigned i = 0; i < network.outputs; i++) {
        uint16_t kept = network.output[i];
        network.output[i] = 0;
        assert_false(gm_xor_network_computes(&network, &matrix));
        network.output[i] = GM_XOR_SIGNALS - 1;
        assert_false(gm_xor_network_computes(&network, &matrix));
        network.output[i] = kept;
    }
    assert_true(gm_xor_network_computes(&network, &matrix));
}

/* By hand: x0 = l0^l1 feeds x1 = x0^l2 and both outputs; x0 drives 2, x1 drives 1. */
static void measures_by_hand(void **state)
{
    (void)state;
    gm_xor_matrix matrix = {.inputs = 4, .outputs = 2, .row = {3, 7}};
    gm_xor_network_start(&network, &matrix);
    network.output[0] = (uint16_t)gm_xor_network_add(&network, 0, 1);
    network.output[1] = (uint16_t)gm_xor_network_add(&network, network.output[0], 2);
    assert_true(gm_xor_network_computes(&network, &matrix));
    assert_int_equal(gm_xor_network_depth(&network), 2);
    assert_int_equal(gm_xor_network_fanout(&network), 2);
    assert_int_equal(gm_xor_matrix_least_gates(&matrix), 2); /* 3 - 2 + 1 column (11) */
}

/* Each point of a frontier has its depth, and fewer gates than every shallower one. */
static void frontiers_fall(void **state)
{
    (void)state;
    unsigned points = 0;
    for (unsigned bits = 6; bits <= 9; bits++) {
        gm_xor_matrix matrix = matrix_of("ipoly", UINT64_C(1) << bits, 42);
        gm_error error;
        test_ok(gm_xor_search(&frontier, &matrix, 20, 1, &error), error);
        unsigned gates = GM_XOR_GATES + 1;
        for (unsigned d = 0; d < GM_XOR_DEPTHS; d++) {
            if (frontier.found[d]) {
                assert_int_equal(gm_xor_network_depth(&frontier.best[d]), d);
                assert_true(frontier.best[d].gates < gates);
                assert_true(gm_xor_network_computes(&frontier.best[d], &matrix));
                gates = frontier.best[d].gates;
                points++;
            }
        }
    }
    assert_true(points > 4);
}

static void same_seed_same_networks(void **state)
{
    (void)state;
    gm_xor_matrix matrix = matrix_of("ipoly", 256, 30);
    gm_error error;
    test_ok(gm_xor_search(&frontier, &matrix, 3, 7, &error), error);
    gm_xor_frontier *again = malloc(sizeof *again);
    assert_non_null(again);
    test_ok(gm_xor_search(again, &matrix, 3, 7, &error), error);
    for (unsigned d = 0; d < GM_XOR_DEPTHS; d++) {
        assert_int_equal(again->found[d], frontier.found[d]);
        if (again->found[d]) {
            assert_int_equal(again->best[d].gates, frontier.best[d].gates);
            assert_memory_equal(again->best[d].gate, frontier.best[d].gate,
                                frontier.best[d].gates * sizeof(gm_xor_gate));
        }
    }
    free(again);
}

/* Reads emitted assignments back: line_i[N] is N, xN is inputs + N. */
static unsigned read_signal(const char **text, unsigned inputs)
{
    bool line = strncmp(*text, "line_i[", 7) == 0;
    assert_true(line || **text == 'x');
    char *end = NULL;
    unsigned long number = strtoul(*text + (line ? 7 : 1), &end, 10);
    *text = end + (line ? 1 : 0);
    return (unsigned)number + (line ? 0 : inputs);
}

static void verilog_reads_back(void **state)
{
    (void)state;
    gm_xor_matrix matrix = matrix_of("ipoly:37", 32, 20);
    gm_xor_network_greedy(&network, &matrix, 4, NULL);
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    assert_non_null(file);
    gm_xor_network_write_verilog(&network, "m", "one\ntwo", file);
    fclose(file);
    assert_ptr_equal(strstr(text, "// one\n// two\n`default_nettype none\n"), text);
    assert_null(strstr(text, "unused"));

    gm_xor_network read = {.inputs = 20, .outputs = 5};
    for (const char *at = text; (at = strstr(at, "  assign ")) != NULL;) {
        at += 9;
        if (*at == 'x') {
            assert_int_equal(read_signal(&at, 20), 20 + read.gates);
            at += strlen(" = ");
            unsigned left = read_signal(&at, 20);
            at += strlen(" ^ ");
            gm_xor_network_add(&read, left, read_signal(&at, 20));
        } else {
            unsigned long output = strtoul(at + strlen("index_o["), NULL, 10);
            at = strchr(at, '=') + 2;
            read.output[output] = (uint16_t)read_signal(&at, 20);
        }
    }
    assert_int_equal(read.gates, network.gates);
    assert_true(gm_xor_network_computes(&read, &matrix));
    free(text);
}

static void verilog_word_for_word(void **state)
{
    (void)state;
    gm_xor_matrix matrix = {.inputs = 4, .outputs = 2, .row = {3, 2}};
    gm_xor_network_as_written(&network, &matrix);
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    assert_non_null(file);
    gm_xor_network_write_verilog(&network, "tiny", "c", file);
    fclose(file);
    assert_string_equal(text, "// c\n"
                              "`default_nettype none\n\n"
                              "module tiny (\n"
                              "  input  logic [3:0] line_i,\n"
                              "  output logic [1:0] index_o\n"
                              ");\n"
                              "  logic x0;\n\n"
                              "  assign x0 = line_i[0] ^ line_i[1];\n\n"
                              "  assign index_o[0] = x0;\n"
                              "  assign index_o[1] = line_i[1];\n\n"
                              "  logic unused_line;\n"
                              "  assign unused_line = ^{line_i[2], line_i[3]};\n"
                              "endmodule\n\n"
                              "`default_nettype wire\n");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(costs_of_figure_7),
        cmocka_unit_test(no_network_is_smaller_than_the_bound),
        cmocka_unit_test(keeps_to_depth_and_function),
        cmocka_unit_test(holds_the_largest_networks),
        cmocka_unit_test(refutes_wrong_taps),
        cmocka_unit_test(measures_by_hand),
        cmocka_unit_test(frontiers_fall),
        cmocka_unit_test(same_seed_same_networks),
        cmocka_unit_test(verilog_reads_back),
        cmocka_unit_test(verilog_word_for_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
