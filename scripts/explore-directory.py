#!/usr/bin/env python3
"""Explores directory protocols over their tables: the programs of tests/directory/programs.txt must
be sound in every order of messages, virtual networks with common queues must end as networks.txt
says, wrong tables (wrong.txt) must be refuted by a shortest sequence, harmless ones (harmless.txt)
not. docs/directory-protocols.md shows the tables and what this prints.
Usage: explore-directory.py PROGRAM LIBRARY CC quick|full check|write [FILTER]
  PROGRAM  build/goldmem-explore-directory; LIBRARIES: what it links beside LIBRARY, in the environment
  FILTER   only rows with this text in their names"""
import os
import re
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
from explore import Explorer, rows  # noqa: E402

FOLDER = "tests/directory/"
OUTCOME = re.compile(r"^(.*): ([a-zA-Z,' ]+); (\d+) worlds, \d+ final, depth (\d+), [\d.]+ s$", re.M)
UNUSED = re.compile(r"^not used, (L[12]): (.*)$", re.M)
NARROW = ["--places=1", "--l1-slots=1", "--l2-slots=1", "--entries=1", "--mshrs=1", "--evictions=9"]
PROTOCOLS = ("vi", "vini", "mesi")


class DirectoryExplorer(Explorer):
    objects = ["build/obj/cosim/directory/*.o", *(f"build/obj/cosim/explore/{name}.o" for name in ("search", "command", "image"))]
    libraries, page = os.environ.get("LIBRARIES", "").split(), "docs/directory-protocols.md"

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.sound, self.shared, self.refuted, self.harmless = [], [], [], []
        self.unused = {}  # of a protocol: rows that no program has used

    def explore_row(self, program, row, options):
        """Runs the program; returns its output, and the outcome, worlds and depth."""
        ran = subprocess.run([program, f"--name={row.name}", *options, *row.tests], capture_output=True, text=True, check=False)
        found = OUTCOME.findall(ran.stdout)
        self.runs += len(found)
        if not found:
            self.say_wrong(f"{row.name}: {ran.stdout}{ran.stderr}")
            return ran, ("", "nothing", "0", "0")
        self.worlds += int(found[0][2])
        return ran, found[0]

    def expect(self, good, text):
        print(f"{UNUSED.sub('', text).rstrip()}{'' if good else ' (NOT AS EXPECTED)'}", flush=True)
        self.good &= good

    def check_program(self, row):
        ran, found = self.explore_row(self.program, row, ["--rows", *row.options])
        self.expect(ran.returncode == 0, ran.stdout.rstrip())
        protocol = row.options[0].removeprefix("--protocol=")
        rows_left = set(UNUSED.findall(ran.stdout))
        self.unused[protocol] = self.unused.get(protocol, rows_left) & rows_left
        self.sound.append((row, found))

    def check_networks(self, row):
        ran, found = self.explore_row(self.program, row, ["--outcomes", *NARROW, *row.options])
        self.expect(found[1] == row.protocol, f"networks: {ran.stdout.splitlines()[0]}")
        self.shared.append((row, found))
        if found[1] == "deadlock":
            self.parts[f"networks {row.name}"] = sequence(found[1], ran.stdout)

    def check_harmless(self, row):
        with tempfile.TemporaryDirectory() as folder:
            program = self.build(row, folder) if row.changes else self.program
            ran, found = self.explore_row(program, row, ["--outcomes", *row.options])
        self.expect(ran.returncode == 0, f"not refuted: {ran.stdout.rstrip()}")
        self.harmless.append((row, found))

    def refute(self, row):
        with tempfile.TemporaryDirectory() as folder:
            program = self.build(row, folder) if row.changes else self.program
            ran, found = self.explore_row(program, row, ["--outcomes", *row.options])
        self.expect(ran.returncode == 1 and found[1] != "not complete", f"refuted: {ran.stdout.rstrip()}")
        self.refuted.append((row, found))
        self.parts[f"design {row.name}"] = sequence(found[1], ran.stdout)

    def check_rows(self):
        """Each row of a table is used by a program. The L1s of vi and vini have one table."""
        vi = self.unused.get("vi", set())
        self.unused["vini"] = {row for row in self.unused.get("vini", set()) if row[0] == "L2" or row in vi}
        for protocol, left in sorted(self.unused.items()):
            for level, row in sorted(left):
                self.say_wrong(f"{protocol}: no program has used the row, {level}: {row}")

    def collect(self):
        """The tables of the page."""
        for protocol in PROTOCOLS:
            ran = subprocess.run([self.program, f"--protocol={protocol}", "--tables"], capture_output=True, text=True, check=True)
            self.parts[f"tables {protocol}"] = ran.stdout.rstrip().splitlines()
        self.parts["programs"] = ["| programs | operations | bounds | worlds | depth |", "| --- | --- | --- | --- | --- |"]
        self.parts["programs"] += [f"| {row.name} | {words(row.tests)} | {words(row.options[1:])} | {worlds} | {depth} |"
                                   for row, (_, _, worlds, depth) in self.sound]
        self.parts["networks"] = ["| with common queues | outcome | events | worlds |", "| --- | --- | --- | --- |"]
        self.parts["networks"] += [f"| {row.name} | {outcome} | {depth if outcome == 'deadlock' else ''} | {worlds} |"
                                   for row, (_, outcome, worlds, depth) in self.shared]
        self.parts["wrong designs"] = ["| wrong design | it shows | events | worlds |", "| --- | --- | --- | --- |"]
        self.parts["wrong designs"] += [f"| {row.name} | {outcome} | {depth} | {worlds} |"
                                        for row, (_, outcome, worlds, depth) in self.refuted]
        self.parts["harmless designs"] = ["| design | worlds | why |", "| --- | --- | --- |"]
        self.parts["harmless designs"] += [f"| {row.name} | {worlds} | {row.why} |" for row, (_, _, worlds, _) in self.harmless]


def words(options):
    """Options as words of a table's cell."""
    return " ".join(f"`{option}`" for option in options)


def sequence(outcome, text):
    """A sequence as lines of the page."""
    return ["```", f"{outcome}:", *[line[4:].rstrip() for line in text.splitlines() if line.startswith("   ")], "```"]


def main():
    e = DirectoryExplorer(*sys.argv[1:5], sys.argv[6] if len(sys.argv) > 6 else "")
    checks = (("programs", 4, e.check_program), ("networks", 4, e.check_networks), ("wrong", 4, e.refute),
              ("harmless", 5, e.check_harmless))
    for path, parts, check in checks:
        print(f"== {path}")
        for row in rows(f"{FOLDER}{path}.txt", parts):
            if e.chosen in row.name and (e.full or row.protocol in ("quick", "deadlock", "sound")):
                check(row)
    if e.chosen == "":
        e.settle_page(sys.argv[5] == "write")
        if e.full:
            e.check_rows()
    print(f"{e.runs} explorations, {e.worlds} worlds, {time.time() - e.start:.0f} s{'' if e.good else ': NOT ALL AS EXPECTED'}")
    sys.exit(0 if e.good else 1)


main()
