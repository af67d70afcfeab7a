/* An XOR network as synthesizable SystemVerilog: one wire for each gate, since tools take a vector
 * whose bits depend on each other for a loop. */
#include "goldmem/bits.h"
#include "goldmem/xor_network.h"

#include <string.h>

static void write_signal(const gm_xor_network *network, unsigned signal, FILE *file)
{
    if (signal < network->inputs) {
        fprintf(file, "line_i[%u]", signal);
    } else {
        fprintf(file, "x%u", signal - network->inputs);
    }
}

static void write_comment(const char *comment, FILE *file)
{
    while (*comment != '\0') {
        size_t length = strcspn(comment, "\n");
        fprintf(file, "// %.*s\n", (int)length, comment);
        comment += length + (comment[length] == '\n');
    }
}

/* Writes a signal of the inputs that no gate reads, so that linters accept them as unused. */
static void write_unused(const gm_xor_network *network, FILE *file)
{
    uint64_t read = 0;
    for (unsigned i = 0; i < network->gates; i++) {
        unsigned left = network->gate[i].left;
        unsigned right = network->gate[i].right;
        read |= left < network->inputs ? UINT64_C(1) << left : 0;
        read |= right < network->inputs ? UINT64_C(1) << right : 0;
    }
    for (unsigned i = 0; i < network->outputs; i++) {
        read |= network->output[i] < network->inputs ? UINT64_C(1) << network->output[i] : 0;
    }
    uint64_t unused = ~read & gm_mask(network->inputs);
    if (unused == 0) {
        return;
    }
    fputs("\n  logic unused_line;\n  assign unused_line = ^{", file);
    for (const char *separator = ""; unused != 0; unused &= unused - 1, separator = ", ") {
        fprintf(file, "%sline_i[%u]", separator, gm_lowest_one(unused));
    }
    fputs("};\n", file);
}

void gm_xor_network_write_verilog(const gm_xor_network *network, const char *module,
                                  const char *comment, FILE *file)
{
    write_comment(comment, file);
    fprintf(file,
            "`default_nettype none\n\n"
            "module %s (\n"
            "  input  logic [%u:0] line_i,\n"
            "  output logic [%u:0] index_o\n"
            ");\n",
            module, network->inputs - 1, network->outputs - 1);
    for (unsigned i = 0; i < network->gates; i++) {
        fprintf(file, "  logic x%u;\n", i);
    }
    fputs("\n", file);
    for (unsigned i = 0; i < network->gates; i++) {
        fprintf(file, "  assign x%u = ", i);
        write_signal(network, network->gate[i].left, file);
        fputs(" ^ ", file);
        write_signal(network, network->gate[i].right, file);
        fputs(";\n", file);
    }
    fputs("\n", file);
    for (unsigned i = 0; i < network->outputs; i++) {
        fprintf(file, "  assign index_o[%u] = ", i);
        write_signal(network, network->output[i], file);
        fputs(";\n", file);
    }
    write_unused(network, file);
    fputs("endmodule\n\n`default_nettype wire\n", file);
}
