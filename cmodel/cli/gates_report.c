/* goldmem gates: the report on one function. */
#include "cli/gates.h"

#include "report/json_value.h"

#include <inttypes.h>

static const char *remark(const gm_gates_report *r, const gm_xor_network *network, unsigned depth)
{
    bool few = network->gates == r->least_gates;
    bool shallow = depth == r->least_depth;
    if (few && shallow) {
        return "no network has fewer gates or less depth";
    }
    if (few) {
        return "no network has fewer gates";
    }
    return shallow ? "no network is less deep; fewest gates found" : "best found";
}

static void print_text(const gm_gates_report *r)
{
    const gm_gates_arguments *own = r->arguments;
    bool yosys = own->yosys;
    printf("%s: %u sets, line address A[%u:%u], largest fan-in %u\n\n", own->text,
           1u << r->matrix->outputs, (unsigned)own->geometry.address_bits - 1,
           gm_cli_line_shift(&own->geometry), gm_xor_matrix_fanin(r->matrix));
    printf("%-24s %6s %6s %8s%s\n", "two-input XOR gates", "gates", "depth", "fan-out",
           yosys ? "   Yosys/ABC" : "");
    for (unsigned i = 0; i < 3; i++) {
        const gm_gates_row *at = &r->rows[i];
        printf("%-24s %6u %6u %8u", at->name, at->gates, at->depth, at->fanout);
        if (yosys && i != 1) {
            printf("   %" PRIu64 " cells", at->synthesis.cells);
            if (own->liberty != NULL) {
                printf(", area %.4g, %.1f NAND2", at->synthesis.area, at->synthesis.nand2);
                if (at->synthesis.delay > 0) {
                    printf(", %.0f ps", at->synthesis.delay);
                }
            } else {
                printf(", %" PRIu64 " XOR and XNOR", at->synthesis.xor_cells);
            }
        }
        putchar('\n');
    }
    printf("%-24s %6u %6u\n\n", "lower bounds", r->least_gates, r->least_depth);
    printf("frontier (%" PRIu64 " restarts, seed %" PRIu64 "):\n", own->restarts, own->seed);
    for (unsigned d = 0; d < GM_XOR_DEPTHS; d++) {
        if (r->frontier->found[d]) {
            const gm_xor_network *network = &r->frontier->best[d];
            printf("  %u gates at depth %u: %s\n", network->gates, d, remark(r, network, d));
        }
    }
}

static void print_csv(const gm_gates_report *r)
{
    puts("network,gates,depth,fanout");
    for (unsigned i = 0; i < 2; i++) {
        printf("%s,%u,%u,%u\n", r->rows[i].name, r->rows[i].gates, r->rows[i].depth,
               r->rows[i].fanout);
    }
    for (unsigned d = 0; d < GM_XOR_DEPTHS; d++) {
        if (r->frontier->found[d]) {
            const gm_xor_network *network = &r->frontier->best[d];
            printf("frontier,%u,%u,%u\n", network->gates, d, gm_xor_network_fanout(network));
        }
    }
}

static json_t *row_as_json(const gm_gates_report *r, unsigned i)
{
    const gm_gates_row *at = &r->rows[i];
    json_t *value = json_pack("{sI sI sI}", "gates", (json_int_t)at->gates, "depth",
                              (json_int_t)at->depth, "fanout", (json_int_t)at->fanout);
    if (r->arguments->yosys && i != 1) {
        json_object_set_new(value, "yosys_cells", json_integer((json_int_t)at->synthesis.cells));
        json_object_set_new(value, "yosys_xor_cells",
                            json_integer((json_int_t)at->synthesis.xor_cells));
        if (r->arguments->liberty != NULL) {
            json_object_set_new(value, "area", json_real(at->synthesis.area));
            json_object_set_new(value, "nand2_equivalents", json_real(at->synthesis.nand2));
            json_object_set_new(value, "delay_ps", json_real(at->synthesis.delay));
        }
    }
    return value;
}

static int print_json(const gm_gates_report *r)
{
    json_t *frontier = json_array();
    for (unsigned d = 0; d < GM_XOR_DEPTHS; d++) {
        if (r->frontier->found[d]) {
            const gm_xor_network *network = &r->frontier->best[d];
            json_array_append_new(frontier,
                                  json_pack("{sI sI sI}", "gates", (json_int_t)network->gates,
                                            "depth", (json_int_t)d, "fanout",
                                            (json_int_t)gm_xor_network_fanout(network)));
        }
    }
    return gm_cli_print_json(json_pack(
        "{si so sI sI sI so so so so s{sI sI}}", "schema", 1, "function",
        gm_json_text(r->arguments->text), "sets", (json_int_t)1 << r->matrix->outputs,
        "line_address_bits", (json_int_t)r->matrix->inputs, "fanin",
        (json_int_t)gm_xor_matrix_fanin(r->matrix), "as_written", row_as_json(r, 0), "greedy",
        row_as_json(r, 1), "best", row_as_json(r, 2), "frontier", frontier, "lower_bounds", "gates",
        (json_int_t)r->least_gates, "depth", (json_int_t)r->least_depth));
}

int gm_gates_print(const gm_gates_report *r)
{
    switch (r->arguments->format) {
    case GM_GATES_TEXT:
        print_text(r);
        break;
    case GM_GATES_CSV:
        print_csv(r);
        break;
    case GM_GATES_JSON:
        return print_json(r);
    }
    return GM_EXIT_OK;
}
