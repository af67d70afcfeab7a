#!/usr/bin/env python3
"""Explores the litmus tests over the cycle engine's L1s, fences and L2 bank, as explore.py does over
the blocks: each outcome must appear, or never appear, as its file says, as far as the bound of
worlds lets the exploration go. Each wrong engine of tests/litmus/timed-mutants.txt must be refuted,
by a shortest sequence. docs/explore-timed.md shows what it prints.
Usage: explore-timed.py PROGRAM LIBRARY CC quick|page|full check|write [FILTER]
  PROGRAM  build/goldmem-explore-timed; LIBRARIES: what it links beside LIBRARY, in the environment
  FILTER   only tests and wrong engines with this text in their names"""
import os
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
from explore import ORDER, OUTCOME, Explorer, all_tests, rows  # noqa: E402

MUTANTS = "tests/litmus/timed-mutants.txt"
# The quick part leaves out tests of many worlds, corr among them with merge=lease.
QUICK = ["2+2w", "atomics", "corr-own-store", "corw", "cowr", "cowr-atomic", "coww", "double-store", "evict-pending", "kernel",
         "lb-unfenced", "mp", "r", "sb", "sb-unfenced"]
QUICK_ENGINES = ["fence: does not wait", "store:", "GWCT: that of an ACK", "refetch: the stored lease", "L2: a packet that waits",
                 "answer: without"]
WORLDS, MUTANT_WORLDS = 3000000, 3000000
SMALL = ["mp-cta", "mp-other-warp", "mp-two-writers"]  # with small leases, under which they are complete
NOT_ONE_LINE = ["iriw", "mp-two-writers", "wrc"]  # the largest; and one whose outcome takes two lines in the reader's L1
QUICK_STEPS, STEPS = 300, 5000  # of the walks that check the canonical worlds


class TimedExplorer(Explorer):
    objects, page = ["build/obj/cosim/timed/*.o", *(f"build/obj/cosim/explore/{name}.o" for name in ("search", "command", "image"))], "docs/explore-timed.md"
    libraries = os.environ.get("LIBRARIES", "").split()

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.full = arguments[3] != "quick"
        self.tables = {}

    def run(self, program, options, test):
        """Options behind the default bound override it."""
        return super().run(program, [f"--worlds={WORLDS}", *options], test)

    def explore_all(self, name, title, options, tests):
        """Explores tests; the page has a table of them."""
        self.table = {}
        tests = [test for test in tests if self.chosen in test]
        if tests:
            print(f"== {title}")
        for test in tests:
            ran = self.run(self.program, options, test)
            print(ran.stdout + ran.stderr, end="", flush=True)
            self.good &= ran.returncode == 0
            self.note_outcomes(test, ran.stdout)
        self.tables[name] = self.table

    def walk(self, steps):
        """Checks the canonical worlds, in each test."""
        print("== canonical worlds, on random walks")
        for test in all_tests():
            if self.chosen in test:
                ran = self.run(self.program, [f"--walk={steps}", "--seed=1"], test)
                print(ran.stdout + ran.stderr, end="", flush=True)
                self.good &= ran.returncode == 0

    def refute(self, row):
        """Explores a wrong engine. Without the reductions, which hold for right ones."""
        with tempfile.TemporaryDirectory() as folder:
            program = self.build(row, folder)
            options = ["--whole", f"--worlds={MUTANT_WORLDS}", *row.options, f"--protocol={row.protocol}"]
            ran = self.run(program, options, row.tests[0])
        found = OUTCOME.findall(ran.stdout)
        refuted = ran.returncode == 1 and len(found) == 1
        print(f"{'refuted' if refuted else 'not refuted (NOT AS EXPECTED)'}: {row.name} ({row.protocol})")
        print(ran.stdout + ran.stderr, end="", flush=True)
        self.good &= refuted
        events = [line[4:] for line in ran.stdout.splitlines() if line.startswith("   ")]
        if refuted:
            self.parts[f"design {row.name} ({row.protocol})"] = ["```", f"{row.tests[0]} under {row.protocol}: {found[0][1]}",
                                                                 *events, "```"]
            self.designs.setdefault(True, []).append((row, found[0]))

    def collect(self):
        """The tables of the page."""
        for name, table in self.tables.items():
            protocols = sorted({protocol for _, protocol in table}, key=ORDER.index)
            lines = ["| test | " + " | ".join(f"`{protocol}`" for protocol in protocols) + " |",
                     "| --- " * (len(protocols) + 1) + "|"]
            for test in sorted({test for test, _ in table}):
                found = [table.get((test, protocol)) for protocol in protocols]
                lines.append(f"| `{test}` | " + " | ".join(cell_of(each) for each in found) + " |")
            self.parts[name] = lines
        lines = ["| wrong engine | test | protocol | it shows | events | worlds |", "| --- | --- | --- | --- | --- | --- |"]
        for row, (_, outcome, worlds, depth) in self.designs.get(True, []):
            shows = "its outcome" if outcome == "appears" else outcome
            lines.append(f"| {row.name} | `{row.tests[0]}` | `{row.protocol}` | {shows} | {depth} | {worlds} |")
        self.parts["wrong engines"] = lines


def cell_of(outcome):
    """A cell of a table of tests."""
    if outcome is None:
        return ""
    word, worlds, depth = outcome
    return f"appears, {depth} events" if word == "appears" else f"{word}: {worlds}, depth {depth}"


def main():
    e = TimedExplorer(*sys.argv[1:5], sys.argv[6] if len(sys.argv) > 6 else "")
    e.explore_all("timed tests", "litmus tests in the timed engine", [], all_tests() if e.full else QUICK)
    if e.full:
        e.explore_all("timed tests with small leases", "with timestamps of 2 bits and leases of a cycle",
                      ["--time-bits=2", "--life=1"], SMALL)
        e.explore_all("timed tests with L1s of a line", "with L1s of one line", ["--l1-slots=1"],
                      [test for test in all_tests() if test not in NOT_ONE_LINE])
        e.explore_all("timed tests with few resources", "with one MSHR entry of one request in each cache, and L1s of one line",
                      ["--mshrs=1", "--merges=1", "--l1-slots=1"], [test for test in all_tests() if test not in NOT_ONE_LINE])
    e.walk(QUICK_STEPS if not e.full else STEPS)
    chosen = [row for row in rows(MUTANTS, 4) if e.chosen in row.name]
    chosen = [row for row in chosen if e.full or row.name.startswith(tuple(QUICK_ENGINES))]
    if chosen:
        print("== wrong engines, which must be refuted")
    for row in chosen:
        e.refute(row)
    if e.chosen == "":
        e.settle_page(sys.argv[5] == "write")
    incomplete = sum(outcome == "not complete" for table in e.tables.values() for outcome, _, _ in table.values())
    print(f"{e.runs} explorations, {e.worlds} worlds, {incomplete} not complete, {time.time() - e.start:.0f} s"
          f"{'' if e.good else ': NOT ALL AS EXPECTED'}")
    sys.exit(0 if e.good else 1)


main()
