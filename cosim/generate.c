/* Writes the SystemVerilog top of a block's lockstep build from its port list, and the table of its
 * instances. Usage: generate MODULE SUITE|"name=value ..." TOP.sv LANES.c [sva] [fixed] [mutants]
 *   SUITE    quick, full, coverage, mutation: what mutants are made of, or shipped: the defaults
 *   :K/N     every Nth configuration of the suite, from the Kth (0 to N-1)
 *   sva      the checkers NAME_sva are instantiated beside each instance
 *   fixed    the module has no parameters of its own
 *   mutants  the module has an input mutant_i
 * "generate fourstate MODULE OPTIONS|shipped COUNT SEED BENCH.sv VECTORS.hex [fixed]": see
 * fourstate.c. "generate constants" prints rtl/NAME_constants.svh; "generate dpi" and "generate
 * dpi-testbench" see generate_dpi.c; "generate formal [fixed [mutants]]" prints the harness for
 * proofs, NAME_formal: the block and its checkers, with any requests and waits. */
#include "generate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct top {
    const gm_cosim_block *block;
    const char *module;
    bool sva, fixed, mutants;
    unsigned offered, part, parts; /* of a suite, every parts-th configuration */
    unsigned lanes;
    gm_cosim_configuration *configuration;
    gm_error error;
} top;

static void add(void *context, const char *options)
{
    top *t = context;
    if (t->error.code != 0 || t->offered++ % t->parts != t->part) {
        return;
    }
    gm_cosim_configuration *more =
        realloc(t->configuration, (t->lanes + 1) * sizeof *t->configuration);
    if (more == NULL) {
        gm_fail(&t->error, -ENOMEM, "out of memory");
        return;
    }
    t->configuration = more;
    const gm_cosim_configuration *made = &t->configuration[t->lanes];
    if (t->block->configure(options, &t->configuration[t->lanes], &t->error) < 0) {
        return;
    }
    for (unsigned lane = 0; lane < t->lanes; lane++) {
        if (strcmp(t->configuration[lane].options, made->options) == 0) {
            return; /* built already */
        }
    }
    t->lanes++;
}

/* The instances of a suite: quick, full, coverage, mutation, or shipped. */
static void add_suite(top *t, const char *name)
{
    const gm_cosim_block *block = t->block;
    bool mutation = strcmp(name, "mutation") == 0;
    if (strcmp(name, "shipped") == 0) {
        add(t, "");
    }
    for (unsigned i = 0; mutation && i < GM_COSIM_MUTATED && block->mutation[i] != NULL; i++) {
        add(t, block->mutation[i]);
    }
    if (mutation) {
        t->parts = t->lanes == 0 ? UINT32_MAX : t->parts; /* only the first */
        name = t->lanes == 0 ? "coverage" : "";
    }
    if (block->suite != NULL) {
        block->suite(name, add, t);
    }
    for (size_t i = 0; i < block->instance_count; i++) {
        const gm_cosim_instance *instance = &block->instances[i];
        if (strcmp(name, "full") == 0 || (strcmp(name, "quick") == 0 && instance->quick) ||
            (strcmp(name, "coverage") == 0 && instance->coverage)) {
            add(t, instance->options);
        }
    }
}

/* Ports of the wrapper around one instance, all 64 bits wide, or of the whole top: the instances'
 * ports side by side, 8 bits for each reset and handshake and 64 for each field, which C sees as
 * arrays. */
static void print_wrapper_ports(FILE *file, const gm_ports *ports, unsigned lanes)
{
    char bit[64] = "";
    char word[64];
    if (lanes > 0) {
        snprintf(bit, sizeof bit, "[%u:0] ", 8 * lanes - 1);
    }
    snprintf(word, sizeof word, "[%u:0] ", lanes > 0 ? 64 * lanes - 1 : 63);
    fprintf(file, "  input  logic clk_i,\n  input  logic %srst_ni,\n", bit);
    fprintf(file, "  input  logic %srequest_valid_i,\n", bit);
    fprintf(file, "  output logic %srequest_ready_o,\n", bit);
    for (unsigned i = 0; i < ports->requests; i++) {
        fprintf(file, "  input  logic %s%s_i,\n", word, ports->request[i].name);
    }
    fprintf(file, "  output logic %sresponse_valid_o,\n", bit);
    fprintf(file, "  input  logic %sresponse_ready_i,\n", bit);
    for (unsigned i = 0; i < ports->responses; i++) {
        fprintf(file, "  output logic %s%s_o,\n", word, ports->response[i].name);
    }
    fprintf(file, "  input  logic [31:0] mutant_i\n");
}

static void print_instance(FILE *file, const top *t, const char *module, const char *name,
                           bool parameters, bool checker)
{
    const gm_ports *ports = t->block->ports;
    fprintf(file, "  %s ", module);
    for (unsigned i = 0; parameters && i < ports->parameters; i++) {
        const char *parameter = ports->parameter[i].name;
        fprintf(file, "%s.%s(%s)", i == 0 ? "#(" : ", ", parameter, parameter);
    }
    fprintf(file, "%s%s (\n    .clk_i, .rst_ni, .request_valid_i, ",
            parameters && ports->parameters > 0 ? ") " : "", name);
    fprintf(file, checker ? ".request_ready_i(request_ready_o)" : ".request_ready_o");
    for (unsigned i = 0; i < ports->requests; i++) {
        const gm_port *port = &ports->request[i];
        fprintf(file, ",\n    .%s_i(%s_i[(%s)-1:0])", port->name, port->name, port->width);
    }
    fprintf(file, ",\n    .%s, .response_ready_i",
            checker ? "response_valid_i(response_valid_o)" : "response_valid_o");
    for (unsigned i = 0; i < ports->responses; i++) {
        const gm_port *port = &ports->response[i];
        fprintf(file, ",\n    .%s_%s(%s_narrow)", port->name, checker ? "response_i" : "o",
                port->name);
    }
    fprintf(file, "%s);\n", t->mutants && !checker ? ",\n    .mutant_i" : "");
}

/* A formula of the port list in SystemVerilog. */
static void print_formula(FILE *file, const char *formula)
{
    static const char log2[] = "gm_log2_ceil";
    const char *call = NULL;
    while ((call = strstr(formula, log2)) != NULL) {
        fprintf(file, "%.*s$clog2", (int)(call - formula), formula);
        formula = call + strlen(log2);
    }
    fputs(formula, file);
}

/* "module BLOCK_SUFFIX #(parameters) (". */
static void print_module(FILE *file, const gm_ports *ports, const char *suffix)
{
    fprintf(file, "module %s_%s #(\n", ports->block, suffix);
    for (unsigned i = 0; i < ports->parameters; i++) {
        const gm_port_parameter *parameter = &ports->parameter[i];
        bool integer = strcmp(parameter->width, "32") == 0;
        fprintf(file, "%s  parameter %s%s%s %s = %llu", i == 0 ? "" : ",\n",
                integer ? "integer" : "[(", integer ? "" : parameter->width,
                integer ? "" : ")-1:0]", parameter->name,
                (unsigned long long)(integer ? parameter->value : 0));
    }
    for (unsigned i = 0; i < ports->derivations; i++) {
        fprintf(file, ",\n  localparam integer %s = ", ports->derived[i].name);
        print_formula(file, ports->derived[i].formula);
    }
    fprintf(file, "\n) (\n");
}

/* The module under test, `dut`, and its checkers, `sva`, on the response's fields NAME_narrow. */
static void print_instances(FILE *file, const top *t)
{
    print_instance(file, t, t->module, "dut", !t->fixed, false);
    if (t->sva) {
        char checker[128];
        snprintf(checker, sizeof checker, "%s_sva", t->block->ports->block);
        print_instance(file, t, checker, "sva", true, true);
    }
}

static void print_wrapper(FILE *file, const top *t)
{
    const gm_ports *ports = t->block->ports;
    print_module(file, ports, "lane");
    print_wrapper_ports(file, ports, 0);
    fprintf(file, ");\n");
    for (unsigned i = 0; i < ports->responses; i++) {
        const gm_port *port = &ports->response[i];
        fprintf(file, "  logic [(%s)-1:0] %s_narrow;\n", port->width, port->name);
        fprintf(file, "  always_comb begin %s_o = '0; %s_o[(%s)-1:0] = %s_narrow; end\n",
                port->name, port->name, port->width, port->name);
    }
    print_instances(file, t);
    fprintf(file, "endmodule\n\n");
}

/* The harness for proofs: reset in the first cycle only, and a request waits unchanged. */
static void print_formal(FILE *file, const top *t)
{
    const gm_ports *ports = t->block->ports;
    print_module(file, ports, "formal");
    fprintf(file, "  input wire logic clk_i, rst_ni, request_valid_i, response_ready_i,\n"
                  "  input wire logic [31:0] mutant_i"); /* any of them, from the first cycle on */
    for (unsigned i = 0; i < ports->requests; i++) {
        fprintf(file, ",\n  input wire logic [(%s)-1:0] %s_i", ports->request[i].width,
                ports->request[i].name);
    }
    fprintf(file, ");\n  logic request_ready_o, response_valid_o;\n");
    for (unsigned i = 0; i < ports->responses; i++) {
        fprintf(file, "  logic [(%s)-1:0] %s_narrow;\n", ports->response[i].width,
                ports->response[i].name);
    }
    print_instances(file, t);
    fprintf(
        file,
        "  logic started, waiting_q, same;\n  logic [31:0] mutant_q;\n  initial started = 1'b0;\n");
    for (unsigned i = 0; i < ports->requests; i++) {
        const char *name = ports->request[i].name;
        fprintf(file, "  logic [(%s)-1:0] offered_%s_q;\n", ports->request[i].width, name);
        fprintf(file, "  always @(posedge clk_i) offered_%s_q <= %s_i;\n", name, name);
    }
    fprintf(file, "  assign same = 1'b1");
    for (unsigned i = 0; i < ports->requests; i++) {
        const char *name = ports->request[i].name;
        fprintf(file, " && %s_i == offered_%s_q", name, name);
    }
    fprintf(file, ";\n"
                  "  always @(posedge clk_i) begin\n"
                  "    started   <= 1'b1;\n"
                  "    waiting_q <= started && request_valid_i && !request_ready_o;\n"
                  "    assume (rst_ni == started);\n"
                  "    if (started && waiting_q) assume (request_valid_i && same);\n"
                  "    mutant_q <= mutant_i;\n"
                  "    if (started) assume (mutant_i == mutant_q);\n"
                  "  end\n"
                  "endmodule\n");
}

void gm_generate_value(FILE *file, const uint64_t *value, const char *width, uint64_t bits)
{
    if (strcmp(width, "32") == 0) {
        fprintf(file, "%llu", (unsigned long long)value[0]);
        return;
    }
    fprintf(file, "%llu'h", (unsigned long long)bits);
    unsigned digits = (unsigned)((bits + 3) / 4);
    while (digits-- > 0) {
        fprintf(file, "%llx", (unsigned long long)(value[digits / 16] >> digits % 16 * 4 & 15));
    }
}

/* The wrapper with one configuration's parameters, up to the ports that all instances share. */
static void print_lane_head(FILE *file, const top *t, unsigned lane)
{
    const gm_ports *ports = t->block->ports;
    const gm_cosim_configuration *configuration = &t->configuration[lane];
    uint64_t numbers[GM_PORTS_PARAMETERS] = {0};
    for (unsigned i = 0; i < ports->parameters; i++) {
        numbers[i] = configuration->parameter[i][0];
    }
    gm_port_shape shape;
    ports->shape(numbers, &shape);
    fprintf(file, "  // %s\n  %s_lane #(", configuration->options, ports->block);
    for (unsigned i = 0; i < ports->parameters; i++) {
        fprintf(file, "%s.%s(", i == 0 ? "" : ", ", ports->parameter[i].name);
        gm_generate_value(file, configuration->parameter[i], ports->parameter[i].width,
                          shape.parameter[i]);
        fputc(')', file);
    }
    fprintf(file, ") lane_%u (.clk_i, .mutant_i", lane);
}

/* Instance `lane` of the top. */
static void print_lane(FILE *file, const top *t, unsigned lane)
{
    const gm_ports *ports = t->block->ports;
    print_lane_head(file, t, lane);
    static const char *const bit[] = {"rst_ni", "request_valid_i", "request_ready_o",
                                      "response_valid_o", "response_ready_i"};
    for (unsigned i = 0; i < sizeof bit / sizeof *bit; i++) {
        fprintf(file, ", .%s(%s[%u])", bit[i], bit[i], 8 * lane);
    }
    for (unsigned i = 0; i < ports->requests; i++) {
        const char *name = ports->request[i].name;
        fprintf(file, ", .%s_i(%s_i[%u+:64])", name, name, 64 * lane);
    }
    for (unsigned i = 0; i < ports->responses; i++) {
        const char *name = ports->response[i].name;
        fprintf(file, ", .%s_o(%s_o[%u+:64])", name, name, 64 * lane);
    }
    fprintf(file, ");\n  assign request_ready_o[%u+:7] = 7'd0;\n", 8 * lane + 1);
    fprintf(file, "  assign response_valid_o[%u+:7] = 7'd0;\n", 8 * lane + 1);
}

/* Instance 0 alone with scalar ports, as a SystemVerilog or SystemC testbench wants it. */
static void print_single(FILE *file, const top *t)
{
    const gm_ports *ports = t->block->ports;
    fprintf(file, "module %s_single (\n", ports->block);
    print_wrapper_ports(file, ports, 0);
    fprintf(file, ");\n");
    print_lane_head(file, t, 0);
    fprintf(file, ", .rst_ni, .request_valid_i, .request_ready_o, .response_valid_o, "
                  ".response_ready_i");
    for (unsigned i = 0; i < ports->requests; i++) {
        fprintf(file, ", .%s_i", ports->request[i].name);
    }
    for (unsigned i = 0; i < ports->responses; i++) {
        fprintf(file, ", .%s_o", ports->response[i].name);
    }
    fprintf(file, ");\nendmodule\n\n");
}

static void print_top(FILE *file, const top *t)
{
    fprintf(file, "// Generated from the port list of %s by cosim/generate.c.\n",
            t->block->ports->block);
    print_wrapper(file, t);
    print_single(file, t);
    fprintf(file, "module %s_cosim (\n", t->block->ports->block);
    print_wrapper_ports(file, t->block->ports, t->lanes);
    fprintf(file, ");\n");
    for (unsigned lane = 0; lane < t->lanes; lane++) {
        print_lane(file, t, lane);
    }
    fprintf(file, "endmodule\n");
}

/* Width of a request's or response's field, as the port list has it. */
static const char *width_of(const gm_ports *ports, const char *field)
{
    for (unsigned i = 0; i < ports->requests; i++) {
        if (strcmp(ports->request[i].name, field) == 0) {
            return ports->request[i].width;
        }
    }
    for (unsigned i = 0; i < ports->responses; i++) {
        if (strcmp(ports->response[i].name, field) == 0) {
            return ports->response[i].width;
        }
    }
    for (unsigned i = 0; i < ports->states; i++) {
        if (strcmp(ports->state[i].name, field) == 0) {
            return ports->state[i].width;
        }
    }
    return "64";
}

/* Name of a constant within a module of the block: without GM_BLOCK_. */
static const char *short_name(const gm_ports *ports, const gm_port_constant *constant)
{
    return constant->name + strlen("GM_") + strlen(ports->block) + 1;
}

/* rtl/NAME_constants.svh: localparams, and a use of each, so that a module may use some only. */
static void print_constants(FILE *file, const gm_ports *ports)
{
    fprintf(file,
            "// Constants of %s, to be included in a module. Generated from\n"
            "// cmodel/include/goldmem/ports/%s.h by make rtl-constants.\n",
            ports->block, ports->block);
    for (unsigned i = 0; i < ports->constants; i++) {
        const gm_port_constant *constant = &ports->constant[i];
        if (i == 0 || strcmp(constant[-1].field, constant->field) != 0) {
            fprintf(file, "\n  // %s\n", constant->field);
        }
        const char *width = width_of(ports, constant->field);
        fprintf(file, "  localparam [%lu:0] %s = %s'd%llu;  // %s\n", strtoul(width, NULL, 10) - 1,
                short_name(ports, constant), width, (unsigned long long)constant->value,
                constant->what);
    }
    fprintf(file, "\n  // A module need not use each of them.\n"
                  "  // verilator coverage_off\n"
                  "  logic unused_constants;\n"
                  "  // verilator coverage_on\n"
                  "  assign unused_constants = &{");
    for (unsigned i = 0; i < ports->constants; i++) {
        fprintf(file, "%s%s",
                i == 0       ? ""
                : i % 6 == 0 ? ",\n                              "
                             : ", ",
                short_name(ports, &ports->constant[i]));
    }
    fprintf(file, "};\n");
}

static void print_table(FILE *file, const top *t)
{
    fprintf(file, "/* Generated. */\nconst unsigned gm_cosim_lanes = %u;\n", t->lanes);
    fprintf(file, "const char *const gm_cosim_module = \"%s\";\n", t->module);
    fprintf(file, "const int gm_cosim_mutants = %d;\n", t->mutants);
    fprintf(file, "const char *const gm_cosim_lane_options[] = {\n");
    for (unsigned lane = 0; lane < t->lanes; lane++) {
        fprintf(file, "    \"%s\",\n", t->configuration[lane].options);
    }
    fprintf(file, "};\n");
}

static int write_file(const char *path, const top *t, void (*print)(FILE *, const top *))
{
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        return -errno;
    }
    print(file, t);
    int failed = ferror(file);
    return fclose(file) != 0 || failed ? -EIO : 0;
}

/* "fourstate MODULE OPTIONS COUNT SEED BENCH.sv VECTORS.hex [fixed]". */
static int main_fourstate(int argc, char **argv)
{
    gm_error error = {0};
    gm_cosim_configuration configuration;
    const char *options = strcmp(argv[3], "shipped") == 0 ? "" : argv[3];
    int code = gm_cosim_block_here.configure(options, &configuration, &error);
    if (code == 0) {
        code = gm_generate_fourstate_write(
            &(gm_generate_fourstate){.configuration = &configuration,
                                     .module = argv[2],
                                     .parameters = argc == 8,
                                     .count = strtoull(argv[4], NULL, 10),
                                     .seed = strtoull(argv[5], NULL, 10),
                                     .bench = argv[6],
                                     .vectors = argv[7]},
            &error);
    }
    if (code < 0) {
        fprintf(stderr, "generate: %s: %s\n", gm_cosim_block_here.ports->block, error.text);
    }
    return code < 0 ? 2 : 0;
}

/* Adds the lanes that `text` names: one configuration NAME=VALUE,..., or SUITE or SUITE:K/N, the
 * K-th of N parts of a suite. */
static void add_chosen(top *t, const char *text)
{
    if (strchr(text, '=') != NULL) {
        add(t, text);
        return;
    }
    char suite[64];
    snprintf(suite, sizeof suite, "%.*s", (int)strcspn(text, ":"), text);
    const char *part = strchr(text, ':');
    if (part != NULL) {
        char *slash = NULL;
        t->part = (unsigned)strtoul(part + 1, &slash, 10);
        t->parts = *slash == '/' ? (unsigned)strtoul(slash + 1, NULL, 10) : 1;
    }
    t->parts = t->parts == 0 ? 1 : t->parts;
    add_suite(t, suite);
}

/* Writes the top and the table of its lanes. Returns an exit code. */
static int main_top(int argc, char **argv)
{
    top t = {.block = &gm_cosim_block_here, .module = argv[1], .parts = 1};
    for (int i = 5; i < argc; i++) {
        t.sva |= strcmp(argv[i], "sva") == 0;
        t.fixed |= strcmp(argv[i], "fixed") == 0;
        t.mutants |= strcmp(argv[i], "mutants") == 0;
    }
    add_chosen(&t, argv[2]);
    int code = t.error.code;
    if (code == 0 && t.lanes == 0) {
        code =
            gm_fail(&t.error, -EINVAL,
                    "'%s' is neither NAME=VALUE ... nor a suite: quick, full, coverage", argv[2]);
    }
    if (code == 0 && (code = write_file(argv[3], &t, print_top)) == 0) {
        code = write_file(argv[4], &t, print_table);
    }
    if (code < 0) {
        fprintf(stderr, "goldmem-cosim: %s: %s\n", t.block->ports->block,
                t.error.code != 0 ? t.error.text : strerror(-code));
    }
    free(t.configuration);
    return code < 0 ? 2 : 0;
}

int main(int argc, char **argv)
{
    if (argc >= 8 && strcmp(argv[1], "fourstate") == 0) {
        return main_fourstate(argc, argv);
    }
    if (argc == 2 && strcmp(argv[1], "constants") == 0) {
        print_constants(stdout, gm_cosim_block_here.ports);
        return 0;
    }
    if (argc == 2 && strcmp(argv[1], "dpi") == 0) {
        gm_generate_dpi(stdout, gm_cosim_block_here.ports);
        return 0;
    }
    if (argc == 2 && strcmp(argv[1], "dpi-testbench") == 0) {
        gm_generate_dpi_testbench(stdout, gm_cosim_block_here.ports);
        return 0;
    }
    if (argc >= 2 && strcmp(argv[1], "formal") == 0) {
        print_formal(stdout, &(top){.block = &gm_cosim_block_here,
                                    .module = gm_cosim_block_here.ports->block,
                                    .sva = true,
                                    .fixed = argc > 2,
                                    .mutants = argc > 3});
        return 0;
    }
    if (argc < 5) {
        fprintf(stderr,
                "usage: generate MODULE SUITE|OPTIONS TOP.sv LANES.c [sva|fixed|mutants]...\n");
        return 2;
    }
    return main_top(argc, argv);
}
