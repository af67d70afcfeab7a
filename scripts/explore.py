#!/usr/bin/env python3
"""Explores the litmus tests over the C models of the Temporal Coherence blocks: each outcome must
appear, or never appear, as its file says. Each wrong design of tests/litmus/mutants.txt must be
refuted, by a shortest sequence, and none of tests/litmus/harmless.txt.
docs/coherence-findings.md shows what it prints, between comments: it must be what the program
prints now, as far as that part has run, or is written anew.
Usage: explore.py PROGRAM LIBRARY CC quick|page|full check|write [FILTER]
  page     what the page shows
  PROGRAM  build/goldmem-explore; its objects lie in build/obj/cosim/explore
  LIBRARY  build/libgoldmem.a
  FILTER   only tests and wrong designs with this text in their names"""
import glob
import os
import re
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
from changed_program import build_changed  # noqa: E402

PAGE, STIMULUS = "docs/coherence-findings.md", "cosim/stimulus/{}_sequences.h"
# Tests with the most worlds: harmless designs are not explored on BIG, and the quick part does without SLOW.
BIG = ["iriw", "mp-two-writers", "mp-cta"]
SLOW = [*BIG, "wrc-same-sm", "wrc", "lb-closed"]
QUICK_DESIGNS = ["fence: does not wait", "store: the line's", "printed table, I_M", "L2: leases", "lease store", "GWCT: ignored",
                 "kernel: its end", "second reader"]
WORLDS = 30000000
ORDER = ["tcw", "tcs", "tcw+visible", "tcw+fence=cta", "tcs+fence=cta", "tcw+merge=lease", "tcs+merge=lease"]
OUTCOME = re.compile(r"^(tc\S+)\s+.*: ([a-z' ]+?)(?: \(NOT AS EXPECTED\))?; (\d+) worlds, \d+ final, depth (\d+),", re.M)
PART = re.compile(r"<!-- explore: (.*) -->")
RECORD = re.compile(r"^(gwct|lease_store|tc_l1|tc_l2) (\d+) ([\d ]*) = ([\d ]*)$", re.M)
QUICK_STEPS, STEPS = 300, 20000  # of the walks that check the reductions
# What else the full part explores: options, and the tests; the others have too many worlds.
LONG_TIME = ["--time-bits=8"], ["2+2w", "atomics", "corr-bypass", "corr", "corw", "cowr", "cowr-atomic", "coww", "double-store",
                                "evict-pending", "kernel", "mp", "mp-atomic", "r", "sb"]


class Explorer:
    objects, libraries, page = ["build/obj/cosim/explore/*.o"], [], PAGE

    def __init__(self, program, library, compiler, size, chosen):
        self.program, self.library, self.compiler = program, library, compiler
        self.full, self.long, self.chosen = size != "quick", size == "full", chosen
        self.good, self.runs, self.worlds, self.start = True, 0, 0, time.time()
        self.parts = {}  # of the page, by their names
        self.sequences = {}  # of a block: its requests in each sequence
        self.designs = {}  # refuted or not: the designs, and the outcomes of their tests
        self.table = {}  # of the tests: test, protocol: outcome, worlds, depth

    def note_outcomes(self, test, text):
        for protocol, outcome, worlds, depth in OUTCOME.findall(text):
            self.table[test, protocol] = outcome, int(worlds), int(depth)

    def run(self, program, options, test):
        ran = subprocess.run([program, f"--worlds={WORLDS}", *options, f"tests/litmus/{test}.litmus"], capture_output=True,
                             text=True, check=False)
        found = re.findall(r"; (\d+) worlds,", ran.stdout)
        self.runs += len(found)
        self.worlds += sum(int(number) for number in found)
        return ran

    def explore(self, title, options, tests):
        """Explores tests, whose outcomes must be as their files say. The page has those without options."""
        tests = [test for test in tests if self.chosen in test]
        if tests:
            print(f"== {title}")
        for test in tests:
            ran = self.run(self.program, options, test)
            print(ran.stdout + ran.stderr, end="", flush=True)
            self.good &= ran.returncode == 0
            if not options:
                self.note_outcomes(test, ran.stdout)

    def build(self, row, folder):
        """The program with the C files of blocks changed."""
        objects = [path for pattern in self.objects for path in glob.glob(pattern)]
        return build_changed(row.changes, row.at, folder, self.compiler, ["-O2", *objects, self.library, *self.libraries])

    def change(self, row, refuted):
        """Explores a wrong design, which must be refuted, or must not. Without the reductions."""
        ends = ("appears (", "too early", "an error", "does not hold")
        lines = []
        with tempfile.TemporaryDirectory() as folder:
            program = self.build(row, folder) if row.changes else self.program
            for test in row.tests:
                options = ["--whole", *row.options, f"--protocol={row.protocol}"]
                ran = self.run(program, options + ["--record"], test)
                found = ran.returncode == 1 and any(text in ran.stdout for text in ends)
                as_wanted = found if refuted else ran.returncode == 0
                word = "refuted" if found else "not refuted"
                print(f"{word}{'' if as_wanted else ' (NOT AS EXPECTED)'}: {row.name} ({row.protocol})")
                print(RECORD.sub("", ran.stdout).rstrip() + "\n" + ran.stderr, end="", flush=True)
                self.good &= as_wanted
                if refuted:
                    self.keep_requests(row, options, test, ran.stdout, folder)
                lines += [(test, *found) for found in OUTCOME.findall(ran.stdout)]
        if refuted:
            events = [line[4:] for line in ran.stdout.splitlines() if line.startswith("   ")]
            self.parts[f"design {row.name} ({row.protocol})"] = ["```", f"{row.tests[0]} under {row.protocol}: {lines[0][2]}",
                                                                 *events, "```"]
        self.designs.setdefault(refuted, []).append((row, lines))


    def keep_requests(self, row, options, test, text, folder):
        """Keeps what a sequence asks of each block, for lockstep. A block that was changed must answer otherwise than it should."""
        found = RECORD.findall(text)
        for block, sm in dict.fromkeys((block, sm) for block, sm, _, _ in found):
            requests = tuple(request for b, s, request, _ in found if (b, s) == (block, sm))
            self.sequences.setdefault(block, {}).setdefault(requests, row.name)
        if row.changes and found:
            path = os.path.join(folder, "requests")
            with open(path, "w", encoding="utf-8") as out:
                out.write("".join(f"{block} {sm} {request}\n" for block, sm, request, _ in found))
            right = [option for option in options if not option.startswith("--without")] + [f"--play={path}"]
            played = RECORD.findall(self.run(self.program, right, test).stdout)
            if len(played) != len(found) or played == found:
                self.say_wrong(f"{row.name}: the blocks answer the sequence's requests as they should")

    def settle_stimulus(self, write):
        """Compares the blocks' requests in all sequences with those of lockstep, or writes them there."""
        for block, sequences in sorted(self.sequences.items()):
            kept = [each for each in sequences if not any(each != other and other[:len(each)] == each for other in sequences)]
            width = 1 + len(kept[0][0].split())
            lines = [f"/* Requests of {block} in the shortest sequences that refute wrong designs: 1 begins a",
                     " * sequence, then the fields. Made by make explore PAGE=write. */", "/* clang-format off */",
                     f"static const uint8_t sequences[][{width}] = {{"]
            for requests in kept:
                lines.append(f"    /* {sequences[requests]} */")
                for i, request in enumerate(requests):
                    lines.append("    {" + ", ".join([str(int(i == 0)), *request.split()]) + "},")
            path, text = STIMULUS.format(block), "\n".join(lines + ["};", "/* clang-format on */"]) + "\n"
            text += f"enum {{ SEQUENCES = {len(kept)}, SEQUENCE_REQUESTS = {sum(map(len, kept))} }};\n"
            if write:
                with open(path, "w", encoding="utf-8") as out:
                    out.write(text)
            elif read(path) != text:
                self.say_wrong(f"{path}: not the sequences' requests: make explore PAGE=write")

    def collect(self):
        """The tables of the page."""
        protocols = sorted({protocol for _, protocol in self.table}, key=ORDER.index)
        lines = ["| test | " + " | ".join(f"`{protocol}`" for protocol in protocols) + " |", "| --- " * (len(protocols) + 1) + "|"]
        for test in sorted({test for test, _ in self.table}):
            found = [self.table.get((test, protocol)) for protocol in protocols]
            lines.append(f"| `{test}` | " + " | ".join(cell_of(each) for each in found) + " |")
        self.parts["tests"] = lines
        lines = ["| wrong design | test | protocol | events | worlds |", "| --- | --- | --- | --- | --- |"]
        for row, found in self.designs.get(True, []):
            lines += [f"| {row.name} | `{test}` | `{row.protocol}` | {depth} | {worlds} |" for test, _, _, worlds, depth in found]
        self.parts["wrong designs"] = lines
        lines = ["| design | protocol | tests | worlds | why the rule is there |", "| --- | --- | --- | --- | --- |"]
        for row, found in self.designs.get(False, []):
            worlds = sum(int(each[3]) for each in found)
            lines.append(f"| {row.name} | `{row.protocol}` | {len(found)} | {worlds} | {row.why} |")
        self.parts["harmless designs"] = lines
        self.collect_bits()

    def collect_bits(self):
        """A part `bits ELEMENT...` for any elements of the blocks' port lists that the page asks for."""
        sizes = {}
        for line in subprocess.run([self.program, "--bits"], capture_output=True, text=True, check=True).stdout.splitlines():
            name, width, rows = line.split()
            sizes[name] = int(width), int(rows)
        for name in PART.findall(read(self.page)):
            if name.startswith("bits "):
                wanted = [(each, *sizes[each]) for each in name.split()[1:]]
                cells = [f"`{each}` {width} x {rows}" if rows > 1 else f"`{each}` {width}" for each, width, rows in wanted]
                total = sum(width * rows for _, width, rows in wanted)
                self.parts[name] = [f"Bits: {', '.join(cells)}: {total}."]

    def settle_page(self, write):
        """Compares the page with the parts that have run, or writes them into it."""
        self.collect()
        page = read(self.page)
        for name in PART.findall(page):
            if name not in self.parts and self.full:
                self.say_wrong(f"{self.page}: no part '{name}'")
            whole = name.startswith(("design ", "bits ")) or self.full
            if name in self.parts and whole:
                pattern = re.compile(re.escape(f"<!-- explore: {name} -->\n") + r"(.*?)<!-- end -->", re.S)
                text = "\n".join(self.parts[name]) + "\n"
                if pattern.search(page) is None:
                    self.say_wrong(f"{self.page}: part '{name}' has no end")
                elif write:
                    page = pattern.sub(lambda m, text=text: m.group(0).replace(m.group(1) + "<!-- end", text + "<!-- end"), page)
                elif pattern.search(page).group(1) != text:
                    self.say_wrong(f"{self.page}: part '{name}' is not what the program prints: make explore PAGE=write")
        if write:
            with open(self.page + ".new", "w", encoding="utf-8") as out:
                out.write(page)
            os.rename(self.page + ".new", self.page)

    def say_wrong(self, text):
        print(text)
        self.good = False


def read(path):
    with open(path, encoding="utf-8") as text:
        return text.read()


def cell_of(outcome):
    """A cell of the tests' table."""
    if outcome is None:
        return ""
    word, worlds, depth = outcome
    return f"appears, {depth} events" if word == "appears" else f"{word}, {worlds}"


class Row:
    """A design: its name, options and changes, tests, protocol; of a harmless one, why it is."""

    def __init__(self, path, number, line, parts):
        self.at = f"{path}:{number}"
        cells = [cell.strip() for cell in line.replace("\\n", "\n").split(" ;; ")]
        if len(cells) != parts:
            sys.exit(f"{self.at}: {parts} parts are needed, not {len(cells)}")
        how = cells[1].split(" ++ ")
        self.name, self.protocol, self.why = cells[0], cells[3], cells[-1]
        self.options = [part for part in how if part.startswith("--")]
        self.changes = [part for part in how if not part.startswith("--")]
        self.tests = [test for test in all_tests() if test not in BIG] if cells[2] == "all" else cells[2].split()


def all_tests():
    return [os.path.basename(path).removesuffix(".litmus") for path in sorted(glob.glob("tests/litmus/*.litmus"))]


def rows(path, parts):
    with open(path, encoding="utf-8") as text:
        lines = list(enumerate(text, 1))
    return [Row(path, number, line, parts) for number, line in lines if line.strip() and not line.startswith("#")]


def main():
    e = Explorer(*sys.argv[1:5], sys.argv[6] if len(sys.argv) > 6 else "")
    light = [test for test in all_tests() if test not in SLOW]
    e.explore("litmus tests", [], all_tests() if e.full else light)
    e.explore("the reductions, on random walks", [f"--walk={STEPS if e.long else QUICK_STEPS}", "--seed=1"], all_tests())
    if e.long:
        options, tests = LONG_TIME
        for protocol in ["tcw", "tcs", "tcw+visible"]:
            e.explore(f"8-bit time, {protocol}", [*options, f"--protocol={protocol}"], tests)
        e.explore("with evictions at any time", ["--evict"], all_tests())
        e.explore("without reductions", ["--whole"], [test for test in all_tests() if test != "mp-two-writers"])
        e.explore("without reductions", ["--whole", "--time-bits=2", "--life=1"], ["mp-two-writers"])
    chosen = [row for row in rows("tests/litmus/mutants.txt", 4) if e.chosen in row.name]
    chosen = [row for row in chosen if e.full or row.name.startswith(tuple(QUICK_DESIGNS))]
    if chosen:
        print("== wrong designs, which must be refuted")
    for row in chosen:
        e.change(row, True)
    chosen = [row for row in rows("tests/litmus/harmless.txt", 5) if e.full and e.chosen in row.name]
    if chosen:
        print("== designs without a rule that is not needed for safety")
    for row in chosen:
        e.change(row, False)
    if e.chosen == "":
        e.settle_page(sys.argv[5] == "write")
    if e.chosen == "" and e.full:
        e.settle_stimulus(sys.argv[5] == "write")
    print(f"{e.runs} explorations, {e.worlds} worlds, {time.time() - e.start:.0f} s{'' if e.good else ': NOT ALL AS EXPECTED'}")
    sys.exit(0 if e.good else 1)


if __name__ == "__main__":
    main()
