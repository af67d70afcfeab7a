#!/usr/bin/env python3
"""Explores hybrid caching over the C models of the sharing tracker, the MSHRs and an L1's tags and
access rules: the programs of tests/hybrid/programs.txt must be sound in every order of messages.
Each wrong design of tests/hybrid/wrong.txt must be refuted, by a shortest sequence, and none of
tests/hybrid/harmless.txt. Then the cycle engine's L1s, tracker bank and L2 bank with the programs of
timed-programs.txt, and the wrong engines of timed-wrong.txt; what is not promised and appears
(allowed.txt). docs/hybrid-findings.md shows what it
prints; the tracker's requests in the blocks' sequences are its lockstep stimulus.
Usage: explore-hybrid.py PROGRAM LIBRARY CC quick|full check|write [FILTER]
  PROGRAM  build/goldmem-explore-hybrid; LIBRARIES: what it links beside LIBRARY, in the environment
  FILTER   only rows with this text in their names"""
import os
import re
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
from explore import Explorer, rows  # noqa: E402

FOLDER = "tests/hybrid/"
OUTCOME = re.compile(r"^(.*): ([a-zA-Z' ]+); (\d+) worlds, \d+ final, depth (\d+), [\d.]+ s$", re.M)
RECORD = re.compile(r"^(sharing_tracker) (\d+) ([\d ]*) = ([\d ]*)$", re.M)


class HybridExplorer(Explorer):
    objects = ["build/obj/cosim/hybrid/*.o", "build/obj/cosim/timed/values_owned.o", *(f"build/obj/cosim/explore/{name}.o" for name in ("search", "command", "image"))]
    libraries, page = os.environ.get("LIBRARIES", "").split(), "docs/hybrid-findings.md"

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.sound, self.refuted, self.harmless, self.timed_sound, self.timed_refuted, self.allowed = [], [], [], [], [], []

    def explore_row(self, program, row, options):
        """Runs the program; returns its output, and the outcome, worlds and depth."""
        ran = subprocess.run([program, f"--name={row.name}", *options, *row.tests], capture_output=True, text=True, check=False)
        found = OUTCOME.findall(ran.stdout)
        self.runs += len(found)
        if not found:
            self.say_wrong(f"{row.name}: {ran.stderr}")
            return ran, ("", "nothing", "0", "0")
        self.worlds += int(found[0][2])
        if self.full and row.protocol == "quick" and "--whole" not in options:
            _, whole = self.explore_row(program, row, [*options, "--whole"])
            if whole[1] != found[0][1] or (whole[1] != "sound" and whole[3] != found[0][3]):
                self.say_wrong(f"{row.name}: with --whole: {whole[1]}, depth {whole[3]}")
        return ran, found[0]

    def expect(self, row, good, text):
        print(f"{text}{'' if good else ' (NOT AS EXPECTED)'}", flush=True)
        self.good &= good

    def check_program(self, row):
        ran, found = self.explore_row(self.program, row, row.options)
        self.expect(row, ran.returncode == 0, ran.stdout.rstrip())
        self.sound.append((row, found))

    def check_harmless(self, row):
        with tempfile.TemporaryDirectory() as folder:
            program = self.build(row, folder) if row.changes else self.program
            ran, found = self.explore_row(program, row, row.options)
        self.expect(row, ran.returncode == 0, f"not refuted: {ran.stdout.rstrip()}")
        self.harmless.append((row, found))

    def refute(self, row):
        with tempfile.TemporaryDirectory() as folder:
            program = self.build(row, folder) if row.changes else self.program
            ran, found = self.explore_row(program, row, ["--loads", "--record", *row.options])
            refuted = ran.returncode == 1
            self.expect(row, refuted, f"refuted: {RECORD.sub('', ran.stdout).rstrip()}")
            if refuted:
                self.keep_sequence(row, ran.stdout, folder)
        self.refuted.append((row, found))
        self.parts[f"design {row.name}"] = sequence(found[1], ran.stdout)

    def check_timed(self, row):
        ran, found = self.explore_row(self.program, row, ["--timed", *row.options])
        self.expect(row, ran.returncode == 0, ran.stdout.rstrip())
        self.timed_sound.append((row, found))

    def show_allowed(self, row):
        ran, found = self.explore_row(self.program, row, ["--loads", *row.options])
        self.expect(row, ran.returncode == 1, f"appears: {ran.stdout.rstrip()}")
        self.allowed.append((row, found))
        self.parts[f"allowed {row.name}"] = sequence(found[1], ran.stdout)

    def refute_engine(self, row):
        with tempfile.TemporaryDirectory() as folder:
            program = self.build(row, folder) if row.changes else self.program
            ran, found = self.explore_row(program, row, ["--timed", "--loads", *row.options])
        self.expect(row, ran.returncode == 1, f"refuted: {ran.stdout.rstrip()}")
        self.timed_refuted.append((row, found))
        self.parts[f"engine {row.name}"] = sequence(found[1], ran.stdout)

    def keep_sequence(self, row, text, folder):
        """Keeps the tracker's requests for lockstep. A tracker that was changed must answer otherwise than it should."""
        found = RECORD.findall(text)
        self.sequences.setdefault("sharing_tracker", {}).setdefault(tuple(request for _, _, request, _ in found), row.name)
        if row.changes:
            path = os.path.join(folder, "requests")
            with open(path, "w", encoding="utf-8") as out:
                out.write("".join(f"{block} {sm} {request}\n" for block, sm, request, _ in found))
            right = [option for option in row.options if not option.startswith("--without")] + [f"--play={path}"]
            played = RECORD.findall(subprocess.run([self.program, *right], capture_output=True, text=True, check=True).stdout)
            if len(played) != len(found) or played == found:
                self.say_wrong(f"{row.name}: the tracker answers the sequence's requests as it should")

    def collect(self):
        """The tables of the page."""
        for name, sound in (("programs", self.sound), ("timed programs", self.timed_sound)):
            self.parts[name] = ["| programs | operations | bounds | worlds | depth |", "| --- | --- | --- | --- | --- |"]
            self.parts[name] += [f"| {row.name} | {words(row.tests)} | {words(row.options)} | {worlds} | {depth} |"
                                 for row, (_, _, worlds, depth) in sound]
        for name, refuted in (("wrong designs", self.refuted), ("wrong engines", self.timed_refuted)):
            self.parts[name] = [f"| {name[:-1]} | it shows | events | worlds |", "| --- | --- | --- | --- |"]
            self.parts[name] += [f"| {row.name} | {outcome} | {depth} | {worlds} |" for row, (_, outcome, worlds, depth) in refuted]
        lines = ["| what is not promised | events | worlds |", "| --- | --- | --- |"]
        lines += [f"| {row.name} | {depth} | {worlds} |" for row, (_, _, worlds, depth) in self.allowed]
        self.parts["allowed"] = lines
        lines = ["| design | operations | worlds | why |", "| --- | --- | --- | --- |"]
        lines += [f"| {row.name} | {words(row.tests)} | {worlds} | {row.why} |" for row, (_, _, worlds, _) in self.harmless]
        self.parts["harmless designs"] = lines


def words(options):
    """Options as words of a table's cell."""
    return " ".join(f"`{option}`" for option in options)


def sequence(outcome, text):
    """A sequence as lines of the page."""
    return ["```", f"{outcome}:", *[line[4:] for line in text.splitlines() if line.startswith("   ")], "```"]


def main():
    e = HybridExplorer(*sys.argv[1:5], sys.argv[6] if len(sys.argv) > 6 else "")
    checks = (("programs", 4, e.check_program), ("wrong", 4, e.refute), ("harmless", 5, e.check_harmless),
              ("timed-programs", 4, e.check_timed), ("timed-wrong", 4, e.refute_engine), ("allowed", 4, e.show_allowed))
    for path, parts, check in checks:
        print(f"== {path}")
        for row in rows(f"{FOLDER}{path}.txt", parts):
            if e.chosen in row.name and (e.full or row.protocol == "quick"):
                check(row)
    if e.chosen == "":
        e.settle_page(sys.argv[5] == "write")
    if e.chosen == "" and e.full:
        e.settle_stimulus(sys.argv[5] == "write")
    print(f"{e.runs} explorations, {e.worlds} worlds, {time.time() - e.start:.0f} s{'' if e.good else ': NOT ALL AS EXPECTED'}")
    sys.exit(0 if e.good else 1)


main()
