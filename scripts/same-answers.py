#!/usr/bin/env python3
"""Proves that a netlist and its mutant answer alike, for all time.

Usage: same-answers.py NETLIST.il BLOCK "MUTATE COMMAND" FOLDER "PARAMETER VALUE..." [SECONDS]

Succeeds if ABC (pdr) shows for any power-up values, and then any requests and waits within the duties of the environment, that both
are ready in the same cycles, answer in the same cycles, and give equal answers. Their registers may hold other values: a mutant may
number the sets in another order. Works in FOLDER. Fails for a mutant of a clock: all registers are taken to have the same one.
"""
import os
import re
import subprocess
import sys

# What a block demands of its requests: "duty of the environment" in tb/BLOCK_sva.sv.
DUTIES = {
    "locality_score": "op_i == ADVANCE || op_i >= RESTART || warp_i < Warps",
    "sharing_tracker": "cu_i < Cus",
    "tc_l1": "op_i >= FLUSH || slot_i < Slots",
    "tc_l2": "(op_i >= ROLLOVER || slot_i < Slots) && ((op_i != GETS && op_i != UPGR) || sm_i < Sms)",
}
CLOCK = re.compile(r" -port (\w+_)?CLK ")
PORT = re.compile(r"^  wire (?:width (\d+) )?(input|output) \d+ \\(\w+)$", re.M)
DRIVEN = ("clk_i", "rst_ni", "mutant_i")
HANDSHAKE = ("request_ready_o", "response_valid_o")


def yosys(commands):
    subprocess.run(["yosys", "-q", "-p", commands], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def ports(netlist, module):
    """Returns the inputs and the outputs of a module in RTLIL: pairs of name and range."""
    text = netlist[netlist.index(f"module \\{module}\n"):]
    found = PORT.findall(text[:text.index("\nend\n")])
    return [[(name, f"[{int(width or 1) - 1}:0] {name}") for width, way, name in found if way == direction and name not in DRIVEN]
            for direction in ("input", "output")]


def harness(block, inputs, outputs, parameters):
    """Returns a module that feeds both and compares what they answer, after a reset in the first cycle."""
    lines = [f"module both(input clk_i{''.join(f', input {port}' for _, port in inputs)});",
             *(f"  localparam integer {parameters[i]} = {parameters[i + 1]};" for i in range(0, len(parameters), 2)),
             f'`include "{block}_constants.svh"' if os.path.exists(f"rtl/{block}_constants.svh") else "",
             "  reg started = 0;", "  always @(posedge clk_i) started <= 1;"]
    for module in (block, "mutant"):
        lines += [f"  wire {port.replace(' ', f' {module}_')};" for _, port in outputs]
        pins = [f".{name}({name})" for name, _ in inputs] + [f".{name}({module}_{name})" for name, _ in outputs]
        lines.append(f"  {module} u_{module} (.clk_i(clk_i), .rst_ni(started), {', '.join(pins)});")
    alike = {name: f"{block}_{name} == mutant_{name}" for name, _ in outputs}
    fields = [text for name, text in alike.items() if name not in HANDSHAKE]
    lines += ["  always @(posedge clk_i) if (started) begin",
              f"    if (request_valid_i) assume ({DUTIES.get(block, 1)});",
              f"    assert ({' && '.join(alike[name] for name in HANDSHAKE)});",
              f"    if ({block}_response_valid_o) assert ({' && '.join(fields)});", "  end", "endmodule"]
    return "\n".join(lines) + "\n"


def prove(netlist, block, mutation, folder, parameters, seconds):
    if CLOCK.search(mutation):
        return False
    both = f"{folder}/both"
    mutation = re.sub(r"-module \S+", "-module mutant", re.sub(r"-ctrl \S+ \d+ \d+", "", mutation))
    yosys(f"read_rtlil {netlist}; copy {block} mutant; select -module mutant; {mutation}; select -clear; memory_map; write_rtlil {both}.il")
    with open(f"{both}.il", encoding="utf-8") as text:
        inputs, outputs = ports(text.read(), block)
    with open(f"{both}.sv", "w", encoding="utf-8") as text:
        text.write(harness(block, inputs, outputs, parameters))
    yosys(f"read_rtlil {both}.il; setattr -mod -unset top *; read_verilog -sv -formal -Irtl {both}.sv; hierarchy -top both; proc; "
          "flatten; async2sync; opt; setundef -undriven -anyseq; opt; techmap; opt; dffunmap; abc -g AND -fast; opt_clean; "
          f"write_aiger -I -B -zinit {both}.aig")
    said = subprocess.run(["prlimit", f"--cpu={seconds}", "yosys-abc", "-c", f"read_aiger {both}.aig; fold; strash; scorr; pdr"], check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="latin-1").stdout
    return "Property proved" in said


def main(arguments):
    if len(arguments) not in (5, 6):
        sys.exit(__doc__)
    netlist, block, mutation, folder, parameters = arguments[:5]
    sys.exit(0 if prove(netlist, block, mutation, folder, parameters.split(), (arguments + ["100"])[5]) else 1)


main(sys.argv[1:])
