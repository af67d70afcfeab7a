#!/usr/bin/env python3
"""Explores the litmus tests over the C models of the Temporal Coherence blocks: each outcome must
appear, or never appear, as its file says; and each wrong design of tests/litmus/mutants.txt must be
refuted, by a shortest sequence (--whole: without the reductions, which hold for the blocks as they are).
Usage: explore.py PROGRAM LIBRARY CC quick|full [FILTER]
  PROGRAM  build/goldmem-explore; its objects lie in build/obj/cosim/explore
  LIBRARY  build/libgoldmem.a
  FILTER   only tests and wrong designs with this text in their names"""
import glob
import os
import subprocess
import sys
import tempfile

# The tests and wrong designs of the quick part, which take less than a second.
QUICK_TESTS = ["2+2w", "atomics", "coww", "lb-unfenced", "lb", "sb-unfenced", "sb"]
QUICK_MUTANTS = ["fence: does not wait", "store: the line's", "printed table, I_M", "L2: leases", "lease store",
                 "GWCT: ignored", "GWCT: past", "lease: used", "second reader"]
WORLDS = 8000000  # in the full part


def mutants():
    with open("tests/litmus/mutants.txt", encoding="utf-8") as text:
        for number, line in enumerate(text, 1):
            if line.strip() and not line.startswith("#"):
                parts = [part.strip() for part in line.replace("\\n", "\n").split(" ;; ")]
                if len(parts) != 4:
                    sys.exit(f"tests/litmus/mutants.txt:{number}: 4 parts are needed, not {len(parts)}")
                yield number, parts


def build(number, changes, library, compiler, folder):
    """The program with the C files of blocks changed. The line of the table is `number`."""
    files = {}
    for change in changes:
        path, how = change.split(": ", 1)
        old, new = how.split(" =>", 1)
        if path not in files:
            with open(path, encoding="utf-8") as text:
                files[path] = text.read()
        if files[path].count(old) != 1:
            sys.exit(f"tests/litmus/mutants.txt:{number}: {path} has '{old}' {files[path].count(old)} times, not once")
        files[path] = files[path].replace(old, new.strip(" "))
    written, program = [], os.path.join(folder, "mutant")
    for path, source in files.items():
        written.append(os.path.join(folder, os.path.basename(path)))
        with open(written[-1], "w", encoding="utf-8") as out:
            out.write(source)
    objects = glob.glob("build/obj/cosim/explore/*.o")
    subprocess.run([compiler, "-std=c11", "-O2", "-w", "-D_GNU_SOURCE", "-Icmodel/include", "-Icmodel", *written, *objects,
                    library, "-o", program], check=True)
    return program


def refuted(number, parts, program, library, compiler):
    what, how, test, protocol = parts
    with tempfile.TemporaryDirectory() as folder:
        parts = how.split(" ++ ")
        options = [part for part in parts if part.startswith("--")]
        changes = [part for part in parts if not part.startswith("--")]
        used = build(number, changes, library, compiler, folder) if changes else program
        run = subprocess.run([used, "--whole", *options, f"--worlds={WORLDS}", f"--protocol={protocol}",
                              f"tests/litmus/{test}.litmus"], capture_output=True, text=True, check=False)
    ends = any(text in run.stdout for text in ("appears (", "too early", "an error"))
    print(f"{'refuted' if ends else 'LIVES  '}  {what} ({protocol})")
    print(run.stdout if ends else run.stdout + run.stderr, end="", flush=True)
    return ends


def main():
    program, library, compiler, size = sys.argv[1:5]
    chosen = sys.argv[5] if len(sys.argv) > 5 else ""
    good = True
    for path in sorted(glob.glob("tests/litmus/*.litmus")):
        name = os.path.basename(path).removesuffix(".litmus")
        if chosen in name and (size == "full" or name in QUICK_TESTS):
            good &= subprocess.run([program, f"--worlds={WORLDS}", path], check=False).returncode == 0
    for number, parts in mutants():
        if chosen in parts[0] and (size == "full" or parts[0].startswith(tuple(QUICK_MUTANTS))):
            good &= refuted(number, parts, program, library, compiler)
    sys.exit(0 if good else 1)


main()
