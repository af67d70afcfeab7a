/* The bench that runs one instance in a simulator with four values, in which registers begin as X.
 * It plays recorded requests with random idle cycles and back-pressure, X on the payload while
 * valid is 0 and on all inputs before the reset, and fails where ready or valid is X, and where a
 * response is not, bit for bit, that of the C model, which has no X. */
#include "generate.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

enum { LONG = 512, SHORT = 8, BATCH = 32 }; /* requests from reset to reset; made at once */

static gm_port_shape shape_of(const gm_cosim_configuration *configuration)
{
    const gm_ports *ports = gm_cosim_block_here.ports;
    uint64_t numbers[GM_PORTS_PARAMETERS] = {0};
    for (unsigned i = 0; i < ports->parameters; i++) {
        numbers[i] = configuration->parameter[i][0];
    }
    gm_port_shape shape;
    ports->shape(numbers, &shape);
    return shape;
}

/* Number of hexadecimal digits of all fields: each field has whole digits in a vector. */
static unsigned digits_of(const uint64_t *width, unsigned count)
{
    unsigned digits = 0;
    for (unsigned i = 0; i < count; i++) {
        digits += (unsigned)(width[i] + 3) / 4;
    }
    return digits;
}

static void print_fields(FILE *file, const uint64_t *value, const uint64_t *width, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        fprintf(file, "%0*" PRIx64, (int)(width[i] + 3) / 4, value[i]);
    }
}

/* Writes the requests and answers of one episode, a line each; the first digit is 1 in the first
 * line. */
static int write_episode(FILE *file, const gm_generate_fourstate *from, const gm_port_shape *shape,
                         gm_arena *arena, uint64_t episode, uint64_t count, gm_error *error)
{
    const gm_cosim_block *block = &gm_cosim_block_here;
    const gm_ports *ports = block->ports;
    uint64_t request[BATCH * GM_PORTS_FIELDS];
    uint64_t response[BATCH * GM_PORTS_FIELDS];
    gm_cosim_random random = {from->seed ^ episode << 32};
    gm_cosim_plan plan = {.episode = episode};
    void *model = NULL;
    memset(arena->memory, 0, arena->size);
    arena->used = 0;
    int code = block->init(from->configuration, arena, &model, error);
    for (uint64_t done = 0; code == 0 && done < count; done += BATCH) {
        block->stimulus(from->configuration, &random, &plan, request, BATCH);
        block->access(model, request, response, BATCH);
        for (unsigned i = 0; i < BATCH && done + i < count; i++) {
            fprintf(file, "%d", done + i == 0);
            print_fields(file, request + (size_t)i * ports->requests, shape->request,
                         ports->requests);
            print_fields(file, response + (size_t)i * ports->responses, shape->response,
                         ports->responses);
            fputc('\n', file);
        }
    }
    return code;
}

static void print_signals(FILE *file, const gm_ports *ports, const gm_port_shape *shape)
{
    for (unsigned i = 0; i < ports->requests; i++) {
        fprintf(file, "  reg  [%u:0] %s_i;\n", (unsigned)shape->request[i] - 1,
                ports->request[i].name);
    }
    for (unsigned i = 0; i < ports->responses; i++) {
        fprintf(file, "  wire [%u:0] %s_o;\n", (unsigned)shape->response[i] - 1,
                ports->response[i].name);
    }
}

static void print_dut(FILE *file, const gm_generate_fourstate *from, const gm_port_shape *shape)
{
    const gm_ports *ports = gm_cosim_block_here.ports;
    fprintf(file, "  %s ", from->module);
    for (unsigned i = 0; from->parameters && i < ports->parameters; i++) {
        fprintf(file, "%s.%s(", i == 0 ? "#(" : ", ", ports->parameter[i].name);
        gm_generate_value(file, from->configuration->parameter[i], ports->parameter[i].width,
                          shape->parameter[i]);
        fputc(')', file);
    }
    fprintf(file,
            "%sdut (\n    .clk_i(clk), .rst_ni(rst_ni), .request_valid_i(request_valid), "
            ".request_ready_o(request_ready),\n    .response_valid_o(response_valid), "
            ".response_ready_i(response_ready)",
            from->parameters && ports->parameters > 0 ? ") " : "");
    for (unsigned i = 0; i < ports->requests; i++) {
        fprintf(file, ",\n    .%s_i(%s_i)", ports->request[i].name, ports->request[i].name);
    }
    for (unsigned i = 0; i < ports->responses; i++) {
        fprintf(file, ",\n    .%s_o(%s_o)", ports->response[i].name, ports->response[i].name);
    }
    fprintf(file, ");\n");
}

/* Tasks that drive a request's fields from its vector, or with X, and that compare a response. */
static void print_tasks(FILE *file, const gm_ports *ports, const gm_port_shape *shape)
{
    unsigned at = 4 * (digits_of(shape->request, ports->requests) +
                       digits_of(shape->response, ports->responses));
    fprintf(file, "  task offer;\n    begin\n");
    for (unsigned i = 0; i < ports->requests; i++) {
        at -= 4 * ((unsigned)(shape->request[i] + 3) / 4);
        fprintf(file, "      %s_i = vector[issued][%u+:%u];\n", ports->request[i].name, at,
                (unsigned)shape->request[i]);
    }
    fprintf(file, "    end\n  endtask\n  task park;\n    begin\n");
    for (unsigned i = 0; i < ports->requests; i++) {
        fprintf(file, "      %s_i = {%u{1'bx}};\n", ports->request[i].name,
                (unsigned)shape->request[i]);
    }
    fprintf(file, "    end\n  endtask\n  task compare;\n    begin\n");
    for (unsigned i = 0; i < ports->responses; i++) {
        unsigned width = (unsigned)shape->response[i];
        at -= 4 * ((width + 3) / 4);
        fprintf(file,
                "      if (%s_o !== vector[answered][%u+:%u]) fail(\"%s_o\", %s_o, "
                "vector[answered][%u+:%u], ^%s_o === 1'bx);\n",
                ports->response[i].name, at, width, ports->response[i].name,
                ports->response[i].name, at, width, ports->response[i].name);
    }
    fprintf(file, "    end\n  endtask\n");
}

static void print_bench(FILE *file, const gm_generate_fourstate *from, const gm_port_shape *shape)
{
    const gm_ports *ports = gm_cosim_block_here.ports;
    unsigned digits = 1 + digits_of(shape->request, ports->requests) +
                      digits_of(shape->response, ports->responses);
    fprintf(
        file,
        "// %s: %s. Generated by cosim/fourstate.c.\n"
        "module %s_fourstate;\n"
        "  localparam integer Count = %" PRIu64 ", Digits = %u;\n"
        "  reg [4*Digits-1:0] vector [0:Count-1];\n"
        "  reg clk, rst_ni, request_valid, response_ready, accepts, answers;\n"
        "  wire request_ready, response_valid;\n"
        "  integer issued, answered, last, cycle, quiet;\n"
        "  reg [8*1024-1:0] file;\n"
        "  initial begin clk = 0; issued = 0; answered = 0; last = 0; cycle = 0; quiet = 0; end\n",
        ports->block, from->configuration->options, ports->block, from->count, digits);
    print_signals(file, ports, shape);
    print_dut(file, from, shape);
    print_tasks(file, ports, shape);
    fprintf(file, "`include \"fourstate.svh\"\nendmodule\n");
}

static int write_vectors(FILE *file, const gm_generate_fourstate *from, const gm_port_shape *shape,
                         gm_error *error)
{
    gm_arena arena;
    int code = gm_arena_create(&arena, gm_cosim_block_here.arena_bytes, error);
    if (code < 0) {
        return code;
    }
    uint64_t left = from->count;
    for (uint64_t episode = 0; code == 0 && left > 0; episode++) {
        /* Most are short: the first requests after a reset meet what it left. */
        uint64_t length = episode % 16 == 0 ? LONG : SHORT;
        length = left < length ? left : length;
        code = write_episode(file, from, shape, &arena, episode, length, error);
        left -= length;
    }
    gm_arena_free(&arena);
    return code;
}

int gm_generate_fourstate_write(const gm_generate_fourstate *from, gm_error *error)
{
    gm_port_shape shape = shape_of(from->configuration);
    FILE *bench = fopen(from->bench, "w");
    FILE *vectors = fopen(from->vectors, "w");
    int code = bench == NULL || vectors == NULL ? gm_fail_errno(error, from->bench) : 0;
    if (code == 0) {
        print_bench(bench, from, &shape);
        code = write_vectors(vectors, from, &shape, error);
    }
    bool failed = (bench != NULL && fclose(bench) != 0) | (vectors != NULL && fclose(vectors) != 0);
    return code == 0 && failed ? gm_fail(error, -EIO, "%s: not written", from->vectors) : code;
}
