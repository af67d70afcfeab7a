#!/usr/bin/env python3
"""The linear argument: a network of XOR gates alone is linear over GF(2), so it equals an H-matrix
for all inputs when it does for zero and for each unit vector. Reads configurations of set_index,
has Yosys reduce each network to gates, refuses any gate but XOR, carries the unit vectors through
all at once (one mask of inputs for each wire), and compares:

  forward   each index bit's mask is the row that the C model prints (goldmem index --matrix)
  inverse   applied to the forward network's outputs gives the line back, bit for bit; so for a fixed
            tag the map from the low line bits to the index is one-to-one

Usage: formal-linear.py LANES.c TOP.sv [--flip]    --flip: one expected tap is wrong; must fail
       formal-linear.py --module FILE.sv MODULE FUNCTION SETS ADDRESS_BITS    a forward network"""
import json
import re
import subprocess
import sys
import tempfile

CHUNK = 80


def yosys_gates(script):
    """Runs Yosys up to XOR gates and returns the design as JSON."""
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        steps = f"{script}; proc; simplemap; opt_expr; opt_clean; write_json {out.name}"
        subprocess.run(["yosys", "-q", "-p", steps], check=True)
        with open(out.name, encoding="utf-8") as text:
            return json.load(text)["modules"]


def masks(module, inputs):
    """Mask of input bits for each output bit; `inputs` orders the ports that make up a vector."""
    mask, place = {"0": 0}, 0
    for port in inputs:
        for bit in module["ports"][port]["bits"]:
            mask[bit] = 1 << place
            place += 1
    driver = {}
    for name, cell in module["cells"].items():
        if cell["type"] != "$_XOR_":
            raise ValueError(f"{name} is a {cell['type']}, not an XOR gate")
        driver[cell["connections"]["Y"][0]] = cell["connections"]

    def value(bit):
        stack = [bit]
        while stack:
            top = stack[-1]
            if top in mask:
                stack.pop()
                continue
            if top not in driver:
                raise ValueError(f"wire {top} has no driver")
            a, b = driver[top]["A"][0], driver[top]["B"][0]
            if a in mask and b in mask:
                mask[top] = mask[a] ^ mask[b]
                stack.pop()
            else:
                stack += [x for x in (a, b) if x not in mask]
        return mask[bit]

    return {port: [value(bit) for bit in p["bits"]]
            for port, p in module["ports"].items() if p["direction"] == "output"}


def matrix(function, sets, address_bits):
    """Returns the C model's rows, index bit 0 first."""
    text = subprocess.run(["build/goldmem", "index", "--matrix", "--sets", sets, "--address-bits",
                           address_bits, function], check=True, capture_output=True, text=True)
    return [int(line, 2) for line in text.stdout.splitlines() if line[:1] in "01"]


def check_pair(forward, inverse, rows, line_bits):
    """Returns None, or what differs."""
    if forward != rows:
        bad = next(i for i, row in enumerate(rows) if forward[i] != row)
        return f"index bit {bad}: RTL {forward[bad]:#x}, C {rows[bad]:#x}"
    # inputs of the inverse: tag bits first, then index bits
    tag_bits = line_bits - len(rows)
    parts = [1 << (len(rows) + j) for j in range(tag_bits)] + forward
    for bit, mask in enumerate(inverse):
        line = 0
        for j, part in enumerate(parts):
            line ^= part if mask >> j & 1 else 0
        if line != 1 << bit:
            return f"inverse after forward: line bit {bit} depends on {line:#x}"
    return None


def read_configurations(lanes, top):
    with open(lanes, encoding="utf-8") as text:
        options = re.findall(r'^    "(sets=.*)",$', text.read(), re.M)
    with open(top, encoding="utf-8") as text:
        parameters = re.findall(r"set_index_lane #\((\.LineW\(.*\))\) lane_\d+",
                                text.read().split("module set_index_cosim (")[1])
    assert len(options) == len(parameters) > 0
    return list(zip((dict(o.split("=") for o in line.split()) for line in options), parameters))


def check_configurations(configurations, flip):
    failed = 0
    for at in range(0, len(configurations), CHUNK):
        part = configurations[at:at + CHUNK]
        with tempfile.NamedTemporaryFile("w", suffix=".sv") as top:
            top.write("module all;\n")
            for i, (_, parameters) in enumerate(part):
                top.write(f"(* keep *) set_index_network #({parameters}) n{i} ();\n")
            top.write("endmodule\n")
            top.flush()
            modules = yosys_gates(f"read_verilog -sv -Irtl rtl/set_index_network.sv {top.name}; "
                                  "hierarchy -top all")
        for i, (option, _) in enumerate(part):
            module = modules[modules["all"]["cells"][f"n{i}"]["type"]]
            rows = matrix(option["index"], option["sets"], option["address_bits"])
            if flip:
                rows[-1] ^= 1 << (i % 20)
            forward = masks_of(module, ["line_i"], "index_o")
            inverse = masks_of(module, ["inverse_tag_i", "inverse_index_i"], "inverse_line_o")
            wrong = check_pair(forward, inverse, rows, len(module["ports"]["line_i"]["bits"]))
            if wrong:
                failed += 1
                if failed == 1:
                    print(f"  {option}: {wrong}")
    return failed


def masks_of(module, inputs, output):
    """Returns the masks of one output, which the module's other inputs must not reach."""
    kept = dict(module)
    kept["ports"] = {p: v for p, v in module["ports"].items()
                     if p in inputs or p == output}
    return masks(kept, inputs)[output]


def main(arguments):
    if arguments[0] == "--module":
        file, name, function, sets, address_bits = arguments[1:6]
        modules = yosys_gates(f"read_verilog -sv -Irtl {file}; hierarchy -top {name}")
        wrong = masks(modules[name], ["line_i"])["index_o"] != matrix(function, sets, address_bits)
        print(f"{name}: XOR gates alone, and {'NOT ' if wrong else ''}the matrix of {function}")
        return 1 if wrong else 0
    flip = "--flip" in arguments
    configurations = read_configurations(arguments[0], arguments[1])
    failed = check_configurations(configurations, flip)
    print(f"{len(configurations)} configurations, {failed} differ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
