#!/usr/bin/env python3
"""Levels of logic between the registers of a flat netlist, by pipeline stage.

Usage: logic-levels.py NETLIST.json TOP STAGE=[PREFIX,...]...

NETLIST.json is Yosys's: cells $_NAND_ and $_NOT_, each a level, and flops and memories. Paths begin and end at the
ports of flops, memories and the module. A path belongs to the first STAGE one of whose PREFIXes begins the name of its
start: a register, an input, or a memory that is read; a STAGE without PREFIX takes any. Prints
"STAGE,LEVELS" of the longest path of each.
"""
import json
import sys
from functools import lru_cache

GATES = {"$_NAND_", "$_NOT_"}
CLOCKS = {"C", "R", "RD_CLK", "WR_CLK"}


def ends_of_paths(module):
    """Returns what drives each bit, {bit: gate}, where paths begin, {bit: name}, and where they end, {bit}."""
    names = {}  # the shortest net name of a bit
    for name, net in module["netnames"].items():
        for bit in net["bits"]:
            if not name.startswith("$") and len(name) < len(names.get(bit, name + " ")):
                names[bit] = name
    gates, starts, ends = {}, {}, set()
    for name, port in module["ports"].items():
        if port["direction"] == "input":
            starts.update((bit, name) for bit in port["bits"])
        else:
            ends.update(port["bits"])
    for name, cell in module["cells"].items():
        for pin, bits in cell["connections"].items():
            output = cell["port_directions"][pin] == "output"
            if cell["type"] in GATES:
                gates.update((bit, cell) for bit in bits if output)
            elif output:
                starts.update((bit, names.get(bit, name)) for bit in bits)
                if cell["type"] == "$mem_v2":
                    starts.update((bit, name) for bit in bits)
            elif pin not in CLOCKS:
                ends.update(bits)
    return gates, starts, ends


def main(netlist, top, stages):
    with open(netlist, encoding="utf-8") as file:
        gates, starts, ends = ends_of_paths(json.load(file)["modules"][top])
    sys.setrecursionlimit(100000)

    def stage_of(name):
        for stage, prefixes in stages:
            if any(name.startswith(prefix) for prefix in prefixes.split(",")):
                return stage
        return None

    for stage, _ in stages:

        @lru_cache(maxsize=None)
        def levels(bit):  # -1: no path of this stage comes here
            if bit in gates:
                pins = gates[bit]["connections"]
                before = max(levels(b) for pin in pins if pin != "Y" for b in pins[pin])
                return before + 1 if before >= 0 else -1
            return 0 if bit in starts and stage_of(starts[bit]) == stage else -1

        print(f"{stage},{max(levels(bit) for bit in ends)}")


main(sys.argv[1], sys.argv[2], [argument.split("=") for argument in sys.argv[3:]])
