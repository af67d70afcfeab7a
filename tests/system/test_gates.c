/* goldmem gates: counts against the paper's figure and hand calculations, netlists through Icarus,
 * synthesis through Yosys. */
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void expect(const char *command, const char *output)
{
    test_command ran = test_run("%s", command);
    assert_string_equal(ran.errors, "");
    assert_string_equal(ran.output, output);
    assert_int_equal(ran.status, 0);
    test_command_free(&ran);
}

/* 43 as written in [khairy, figure 7]; 30 at depth 4 meets both lower bounds: 20 - 5 + 15 gates,
 * and depth 4 for 10 terms. */
static void figure_7(void **state)
{
    (void)state;
    expect("$GOLDMEM gates --csv --address-bits 27 ipoly:37",
           "network,gates,depth,fanout\nas written,43,4,5\ngreedy pair sharing,30,4,2\n"
           "frontier,30,4,2\n");
    expect("$GOLDMEM gates --json --address-bits 27 ipoly:37 | jq -c '[.fanin, .lower_bounds, "
           ".best.gates, .best.depth]'",
           "[10,{\"gates\":30,\"depth\":4},30,4]\n");
    expect("$GOLDMEM gates --address-bits 27 ipoly:37 | tail -2",
           "frontier (100 restarts, seed 1):\n"
           "  30 gates at depth 4: no network has fewer gates or less depth\n");
}

/* By hand: xor takes one gate a bit; sequential none. */
static void small_ones(void **state)
{
    (void)state;
    expect("$GOLDMEM gates --csv --sets 8 xor",
           "network,gates,depth,fanout\nas written,3,1,1\ngreedy pair sharing,3,1,1\n"
           "frontier,3,1,1\n");
    expect("$GOLDMEM gates --csv sequential",
           "network,gates,depth,fanout\nas written,0,0,1\ngreedy pair sharing,0,0,1\n"
           "frontier,0,0,1\n");
}

/* The six polynomials of degree 5 [khairy, 4.3], each once. */
static void sweep(void **state)
{
    (void)state;
    expect("$GOLDMEM gates --sweep --csv --strides 64 | tail -n +2 | cut -d, -f1 | sort | tr '\\n' "
           "' '",
           "37 41 47 55 59 61 ");
    expect("$GOLDMEM gates --sweep --csv --strides 64 --address-bits 27 | grep ^37, | cut -d, "
           "-f2-8",
           "43,10,30,4,30,30,4\n");
    expect("$GOLDMEM gates --sweep --json --sets 16 --strides 9 | jq -c "
           "'[.sets, .polynomials[].polynomial] | sort'",
           "[16,19,25,31]\n");
    test_command text = test_run("$GOLDMEM gates --sweep --sets 2");
    assert_non_null(strstr(text.output, "1 irreducible polynomials for 2 sets, 49 address bits"));
    test_command_free(&text);
}

/* The netlist in a simulator against goldmem index, on zero, unit vectors and other addresses. */
static void netlist_in_a_simulator(void **state)
{
    (void)state;
    const char *folder = test_folder_make();
    const char bench[] = "module tb;\n"
                         "  logic [41:0] line; logic [7:0] index; integer i; logic [41:0] x;\n"
                         "  dut u (.line_i(line), .index_o(index));\n"
                         "  initial begin\n"
                         "    x = 42'h2545f4914f6;\n"
                         "    for (i = 0; i < 200; i = i + 1) begin\n"
                         "      line = i == 0 ? 0 : i <= 42 ? 42'd1 << (i - 1) : x;\n"
                         "      x = x ^ (x << 13); x = x ^ (x >> 7); x = x ^ (x << 17);\n"
                         "      #1 $display(\"0x%h %0d\", {line, 7'd0}, index);\n"
                         "    end\n  end\nendmodule\n";
    test_file_write("tb.sv", bench, sizeof bench - 1);
    test_command ran = test_run(
        "cd %s && for f in ipoly xor; do "
        "$GOLDMEM gates --sets 256 --restarts 2 --module dut --emit - $f >dut.sv && "
        "iverilog -g2012 -o sim tb.sv dut.sv && ./sim >out && test $(wc -l <out) = 200 && "
        "cut -d' ' -f1 out | $GOLDMEM index --csv --sets 256 $f - | tail -n +2 | cut -d, -f3 >want "
        "&& cut -d' ' -f2 out | cmp - want && verilator --lint-only -Wall dut.sv || exit 1; done",
        folder);
    assert_string_equal(ran.errors, "");
    assert_int_equal(ran.status, 0);
    test_command_free(&ran);
    test_folder_remove();
}

/* ABC needs a buffer among the cells. */
static const char liberty[] =
    "library (tiny) {\n"
    "  cell (BUF) { area : 1.5; pin (A) { direction : input; }\n"
    "    pin (Y) { direction : output; function : \"A\"; } }\n"
    "  cell (INV) { area : 1; pin (A) { direction : input; }\n"
    "    pin (Y) { direction : output; function : \"A'\"; } }\n"
    "  cell (NAND2X2) { area : 9; pin (A) { direction : input; }\n"
    "    pin (B) { direction : input; } pin (Y) { direction : output; function : \"(A*B)'\"; } }\n"
    "  cell (NAND2X1) {\n    area : 2.0;\n    pin (A) { direction : input; }\n"
    "    pin (B) { direction : input; } pin (Y) { direction : output; function : \"(A*B)'\"; } }\n"
    "  cell (NAND3X1) { area : 0.5; }\n"
    "  cell (XOR2X1) { area : 5; pin (A) { direction : input; }\n"
    "    pin (B) { direction : input; } pin (Y) { direction : output; function : \"A^B\"; } }\n"
    "}\n";

/* xor over 8 sets is three XOR cells: area 15, 7.5 of the smaller NAND2. In generic gates three. */
static void synthesis(void **state)
{
    (void)state;
    test_folder_make();
    const char *path = test_file_write("cells with blanks.lib", liberty, sizeof liberty - 1);
    char command[600];
    expect("$GOLDMEM gates --json --sets 8 --yosys xor | jq -c '.as_written, .best | "
           "[.yosys_cells, .yosys_xor_cells, .area]'",
           "[3,3,null]\n[3,3,null]\n");
    snprintf(command, sizeof command,
             "$GOLDMEM gates --json --sets 8 --liberty '%s' xor | jq -c '.as_written, .best | "
             "[.yosys_cells, .area == 15, .nand2_equivalents]'",
             path);
    expect(command, "[3,true,7.5]\n[3,true,7.5]\n");
    /* ABC finds at most its known result for figure 7; the shared network stays at 30 */
    expect("$GOLDMEM gates --json --address-bits 27 --yosys ipoly:37 | jq -c "
           "'[.as_written.yosys_cells >= 30, .as_written.yosys_cells <= 41, .best.yosys_cells]'",
           "[true,true,30]\n");
    test_folder_remove();
}

typedef struct refusal {
    const char *command; /* $F is a folder with a bad Liberty file */
    int status;
    const char *errors; /* its beginning */
} refusal;

static const refusal refusals[] = {
    {"$GOLDMEM gates", 2, "goldmem: no function named, such as ipoly:37; try"},
    {"$GOLDMEM gates xor fold", 2, "goldmem: one function at a time: 'fold' is one too many; try"},
    {"$GOLDMEM gates prime", 2, "goldmem: 'prime' with 32 sets is no network of XOR gates\n"},
    {"$GOLDMEM gates --sets 1 xor", 2, "goldmem: 'xor' with 1 sets is no network of XOR gates\n"},
    {"$GOLDMEM gates --line 64 fermi", 2,
     "goldmem: set-index function 'fermi': it is defined for lines of 128 bytes, not 64\n"},
    {"$GOLDMEM gates --sweep xor", 2, "goldmem: --sweep takes no function; try"},
    {"$GOLDMEM gates --sweep --yosys", 2,
     "goldmem: --sweep does not go with --emit, --yosys and --liberty; try"},
    {"$GOLDMEM gates --sweep --sets 1", 2, "goldmem: --sweep needs at least 2 sets\n"},
    {"$GOLDMEM gates --sweep --depth 1", 2, "goldmem: --depth 1: ipoly:37 needs 5\n"},
    {"$GOLDMEM gates --depth 3 --address-bits 27 ipoly:37", 2,
     "goldmem: --depth 3: a row of 10 terms needs 4\n"},
    {"$GOLDMEM gates --restarts x xor", 2, "goldmem: --restarts x: must be 0 to 1000000; try"},
    {"$GOLDMEM gates --depth 32 xor", 2, "goldmem: --depth 32: must be 0 to 31; try"},
    {"$GOLDMEM gates --module 1a xor", 2, "goldmem: --module 1a: not an identifier; try"},
    {"$GOLDMEM gates --emit - --module module xor", 2,
     "goldmem: --module module: not an identifier; try"},
    {"$GOLDMEM gates --module mine xor", 2, "goldmem: --module needs --emit; try"},
    {"$GOLDMEM gates --emit - --json xor", 2,
     "goldmem: --emit - prints the module alone, without --csv and --json; try"},
    {"$GOLDMEM gates --csv --json xor", 2, "goldmem: --csv and --json: one of them; try"},
    {"$GOLDMEM gates --emit /nonexistent/x xor", 2, "goldmem: /nonexistent/x: No such file"},
    {"$GOLDMEM gates --emit /dev/full ipoly", 1, "goldmem: /dev/full: No space left on device\n"},
    {"$GOLDMEM gates --liberty /nonexistent xor", 2, "goldmem: /nonexistent: No such file"},
    {"$GOLDMEM gates --liberty $F/empty.lib xor", 2,
     "goldmem: /tmp/goldmem-test-"}, /* ...: no cell called like NAND2 with an area */
    {"$GOLDMEM gates --liberty $F/broken.lib xor", 1, "goldmem: yosys failed: ERROR: "},
    {"TMPDIR=/nonexistent $GOLDMEM gates --yosys xor", 2, "goldmem: /nonexistent/goldmem-"},
    {"G=$(realpath $GOLDMEM); PATH=/nonexistent; $G gates --yosys xor", 2,
     "goldmem: yosys: No such file or directory (Debian's package yosys has it)\n"},
};

static void refuses(void **state)
{
    (void)state;
    const char *folder = test_folder_make();
    test_file_write("empty.lib", "library (x) {\n}\n", 16);
    const char broken[] = "library (x) {\n cell (NAND2) { area : 1;\n";
    test_file_write("broken.lib", broken, sizeof broken - 1);
    for (unsigned i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        test_command ran = test_run("F=%s; %s", folder, refusals[i].command);
        print_message("%s\n", refusals[i].command);
        assert_string_equal(ran.output, "");
        assert_ptr_equal(strstr(ran.errors, refusals[i].errors), ran.errors);
        assert_ptr_equal(strchr(ran.errors, '\n'), ran.errors + strlen(ran.errors) - 1);
        assert_int_equal(ran.status, refusals[i].status);
        test_command_free(&ran);
    }
    test_folder_remove();
}

/* A signal while yosys runs (a stand-in for yosys sends it): one line, and no folder is left. */
static void interrupt_leaves_nothing(void **state)
{
    (void)state;
    const char *folder = test_folder_make();
    test_command ran =
        test_run("cd %s && mkdir bin tmp && printf '#!/bin/sh\\nkill -TERM $PPID\\n' >bin/yosys && "
                 "chmod +x bin/yosys && PATH=$PWD/bin:$PATH TMPDIR=$PWD/tmp "
                 "$GOLDMEM gates --yosys xor; status=$?; ls -A tmp; exit $status",
                 folder);
    assert_string_equal(ran.errors, "goldmem: interrupted\n");
    assert_string_equal(ran.output, "");
    assert_int_equal(ran.status, 130);
    test_command_free(&ran);
    test_folder_remove();
}

/* The module goes to its file as a whole, the report to standard output. */
static void emits_to_a_file(void **state)
{
    (void)state;
    const char *folder = test_folder_make();
    test_command ran = test_run(
        "cd %s && $GOLDMEM gates --address-bits 27 --emit a.sv ipoly:37 | head -1 && "
        "$GOLDMEM gates --address-bits 27 --emit - ipoly:37 | cmp - a.sv && sed -n 1,5p a.sv; ls",
        folder);
    assert_string_equal(
        ran.output,
        "ipoly:37: 32 sets, line address A[26:7], largest fan-in 10\n"
        "// Set index ipoly:37 [khairy, 4.3]: 32 sets, line address A[26:7].\n"
        "// 30 two-input XOR gates, depth 4; written by goldmem gates (restarts 100, seed 1).\n"
        "`default_nettype none\n\nmodule set_index_ipoly_37 (\na.sv\n");
    test_command_free(&ran);
    test_folder_remove();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figure_7),
        cmocka_unit_test(small_ones),
        cmocka_unit_test(sweep),
        cmocka_unit_test(netlist_in_a_simulator),
        cmocka_unit_test(synthesis),
        cmocka_unit_test(refuses),
        cmocka_unit_test(interrupt_leaves_nothing),
        cmocka_unit_test(emits_to_a_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
