#!/usr/bin/env python3
"""Compares a netlist with its mutant, register by register.

Usage: same-logic.py NETLIST.il MODULE "MUTATE COMMAND" FOLDER [SECONDS]

Succeeds if Yosys and ABC show that each output and the next value of each register are equal functions of the inputs and the
registers' values. A register, or a bit of a memory, on which no output depends, directly or through others, is left out. A memory
is the same in both: what it reads is an input, its addresses, enables and written bits are outputs. Works in FOLDER. Bits that
the RTL leaves open are 0, as in a lockstep build. Fails for a mutant of a clock: all registers are taken to have the same one.
"""
import os
import re
import subprocess
import sys

MEMORY = re.compile(r"^  cell \$mem_v2 (\S+)\n((?:    .*\n)*)  end\n", re.M)
PORT = re.compile(r"^    connect \\(\w+) (.*)$", re.M)
CLOCK = re.compile(r" -port (\w+_)?CLK ")
CUT = re.compile(r"cut!(\d+)!(.*)!(\w+?)(?:\[(\d+)\])?$")  # name of a memory's port: width, memory, port, bit


def yosys(commands):
    subprocess.run(["yosys", "-q", "-p", commands], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def cut(cell):
    """The wires in place of a memory, in RTLIL."""
    name, body = cell.group(1).lstrip("\\"), cell.group(2)
    number = {key: int(value) for key, value in re.findall(r"parameter \\(\w+) (\d+)$", body, re.M)}
    width, reads, writes = number["WIDTH"], number["RD_PORTS"], number["WR_PORTS"]
    bits = {"RD_ADDR": reads * number["ABITS"], "RD_EN": reads, "RD_ARST": reads, "RD_SRST": reads, "RD_DATA": reads * width,
            "WR_ADDR": writes * number["ABITS"], "WR_EN": writes * width, "WR_DATA": writes * width}
    text = ""
    for port, signal in PORT.findall(body):
        if port in bits and bits[port] > 0:
            cut.ports += 1
            wire = f"\\cut!{width}!{name}!{port}"
            text += f"  wire width {bits[port]} {'input' if port == 'RD_DATA' else 'output'} {cut.ports} {wire}\n"
            text += f"  connect {signal} {wire}\n" if port == "RD_DATA" else f"  connect {wire} {signal}\n"
    return text


cut.ports = 1000  # above the block's


def read_names(lines):
    """Returns the names of the symbol table, by position: i0, l0, o0, ..."""
    names = {}
    for line in lines:
        if line.startswith("c"):
            break
        position, _, name = line.partition(" ")
        names[position] = name.replace(" ", ";")
    return names


def port_bit(name):
    """(memory, port, bit of its word) of a cut memory's port, or None. An address or enable of a read is of every bit."""
    found = CUT.match(name)
    if not found:
        return None
    port, bit = found.group(3), int(found.group(4) or 0) % int(found.group(1))
    return found.group(2), port, bit if port in ("RD_DATA", "WR_DATA", "WR_EN") else None


class Logic:
    """Combinational logic of an AIGER file: latches, and what memories read, are inputs."""

    def __init__(self, path):
        with open(path, encoding="latin-1") as file:
            lines = file.read().split("\n")
        inputs, latches, outputs, gates = map(int, lines[0].split()[2:6])
        rows = [[int(word) for word in line.split()] for line in lines[1:1 + inputs + latches + outputs + gates]]
        names = read_names(lines[1 + len(rows):])
        self.input = {row[0]: names[f"i{n}"] for n, row in enumerate(rows[:inputs])}
        self.latch = {row[0]: (names.get(f"l{n}", f"{n}"), row[1]) for n, row in enumerate(rows[inputs:inputs + latches])}
        self.output = [(names[f"o{n}"], row[0]) for n, row in enumerate(rows[inputs + latches:inputs + latches + outputs])]
        self.gate = {row[0]: row[1:] for row in rows[inputs + latches + outputs:]}
        self.used = self.cone()

    def cone(self):
        """The literals, without signs, on which the module's outputs depend."""
        ports, used, left = {}, set(), []
        for name, literal in self.output:
            if port_bit(name) is None:
                left.append(literal)
            else:
                memory, _, bit = port_bit(name)
                ports.setdefault((memory, bit), []).append(literal)
        while left:
            literal = left.pop() & ~1
            if literal in used:
                continue
            used.add(literal)
            left += self.gate.get(literal, [])
            left += [self.latch[literal][1]] if literal in self.latch else []
            read = port_bit(self.input.get(literal, ""))
            if read:
                left += ports.get((read[0], None), []) + ports.get((read[0], read[2]), [])
        return used

    def needs(self, name):
        """True for an output of the module, and for a memory's port if one of the bits that it is for is used."""
        port = port_bit(name)
        reads = {port_bit(of)[2] for literal, of in self.input.items()
                 if literal in self.used and port and port_bit(of) and port_bit(of)[0] == port[0]}
        return port is None or port[2] in reads or (port[2] is None and bool(reads))

    def blif(self):
        taken = {0: "zero", **{literal: "i:" + name for literal, name in self.input.items()}}
        taken.update((literal, "q:" + name) for literal, (name, _) in self.latch.items() if literal in self.used)
        made = [("d:" + name, following) for literal, (name, following) in self.latch.items() if literal in self.used]
        made += [("o:" + name, literal) for name, literal in self.output if self.needs(name)]

        def of(literal):
            return taken.get(literal & ~1, f"n{literal & ~1}")

        out = [".model logic", ".inputs " + " ".join(list(taken.values())[1:]),
               ".outputs " + " ".join(name for name, _ in made), ".names zero"]
        for gate, (left, right) in self.gate.items():
            out.append(f".names {of(left)} {of(right)} n{gate}\n{1 - (left & 1)}{1 - (right & 1)} 1")
        out += [f".names {of(literal)} {name}\n{1 - (literal & 1)} 1" for name, literal in made]
        return "\n".join(out + [".end"]) + "\n"


def compare(netlist, module, mutation, folder, seconds):
    if CLOCK.search(mutation):
        return False
    file = f"{folder}/same-logic"
    mutation = re.sub(r"-module \S+", "-module gate", re.sub(r"-ctrl \S+ \d+ \d+", "", mutation))
    yosys(f"read_rtlil {netlist}; copy {module} gate; select -module gate; {mutation}; select -clear; write_rtlil {file}.il")
    with open(f"{file}.il", encoding="utf-8") as text:
        whole = MEMORY.sub(cut, text.read())
    with open(f"{file}.il", "w", encoding="utf-8") as text:
        text.write(whole)
    tops = "".join(f"setattr -mod -unset top *; setattr -mod -set top 1 {top}; write_aiger -ascii -symbols {file}.{top}.aag; "
                   for top in (module, "gate"))
    yosys(f"read_rtlil {file}.il; setundef -zero -undriven; techmap -map {os.path.dirname(__file__)}/same-logic.v; dffunmap; techmap; setundef -zero -undriven; "
          f"aigmap; {tops}")
    for top in (module, "gate"):
        with open(f"{file}.{top}.blif", "w", encoding="latin-1") as text:
            text.write(Logic(f"{file}.{top}.aag").blif())
    said = subprocess.run(["yosys-abc", "-c", f"cec -T {seconds} {file}.{module}.blif {file}.gate.blif"], check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="latin-1").stdout
    return "Networks are equivalent" in said


def main(arguments):
    if len(arguments) not in (4, 5):
        sys.exit(__doc__)
    sys.exit(0 if compare(*arguments[:4], arguments[4] if len(arguments) == 5 else "100") else 1)


main(sys.argv[1:])
