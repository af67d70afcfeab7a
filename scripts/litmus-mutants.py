#!/usr/bin/env python3
"""Wrong engines: each, built from a changed copy of its files, must be found by `goldmem litmus`:
an outcome that must never be, or a load with a wrong value. Those of tests/litmus/engine-mutants.txt,
and with `all` the wrong blocks of tests/litmus/mutants.txt that change C code.
Usage: litmus-mutants.py BUILD CC LIBS quick|all [FILTER]
  BUILD   its libgoldmem.a and objects of the command
  FILTER  only those with this text in their names"""
import glob
import os
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
from changed_program import build_changed  # noqa: E402

TRIALS = 1000
FOLDER = "tests/litmus"
# Wrong blocks that the engine does not show, and why.
EXPLORED_ONLY = "tests/litmus/explored-only.txt"


def rows_of(path, cells):
    with open(path, encoding="utf-8") as text:
        for number, line in enumerate(text, 1):
            if line.strip() and not line.startswith("#"):
                row = [cell.strip() for cell in line.replace("\\n", "\n").split(" ;; ")]
                if len(row) != cells:
                    sys.exit(f"{path}:{number}: {cells} parts are needed, not {len(row)}")
                yield row


def changes_of(text):
    return [part for part in text.strip().split(" ++ ") if part != "-" and not part.startswith("--")]


def keys_of(protocol):
    name, *rest = protocol.split("+")
    return [f"coherence={name}", *("coherence." + (key if "=" in key else key + "=yes") for key in rest)]


def finds(program, keys, test):
    """The first line of what the test reports, if it finds the wrong engine."""
    try:
        ran = subprocess.run([program, "litmus", "--preset", "fermi-tc", f"--trials={TRIALS}", *keys, f"{FOLDER}/{test}.litmus"],
                             capture_output=True, text=True, check=False, timeout=300)
    except subprocess.TimeoutExpired:
        return "no end in 300 s"
    if ran.returncode == 2:
        sys.exit(ran.stderr)
    return (ran.stderr.splitlines() or [f"exit status {ran.returncode}"])[0] if ran.returncode != 0 else None


def main():
    folder, compiler, libraries, size = sys.argv[1:5]
    chosen = sys.argv[5] if len(sys.argv) > 5 else ""
    objects = [*sorted(glob.glob(f"{folder}/obj/cmodel/cli/*.o")), f"{folder}/libgoldmem.a"]
    options = ["-O1", "-march=native", "-rdynamic", *objects, *libraries.split(), "-ldl"]
    tests = sorted(os.path.basename(path).removesuffix(".litmus") for path in glob.glob(f"{FOLDER}/*.litmus"))
    rows = [(name, changes_of(how), keys.split(), first.split()) for name, how, keys, first in rows_of(f"{FOLDER}/engine-mutants.txt", 4)]
    if size == "all":
        spared = {(name, protocol) for name, protocol, _ in rows_of(EXPLORED_ONLY, 3)}
        rows += [(name, changes_of(how), keys_of(protocol), first.split()) for name, how, first, protocol in rows_of(f"{FOLDER}/mutants.txt", 4)
                 if changes_of(how) and (name, protocol) not in spared]
    good = True
    for name, changes, keys, first in rows:
        if chosen not in name:
            continue
        start = time.time()
        with tempfile.TemporaryDirectory() as work:
            program = build_changed(changes, name, work, compiler, options) if changes else f"{folder}/goldmem"
            found = None
            for test in [*first, *(test for test in tests if test not in first and size == "all")]:
                found = finds(program, keys, test)
                if found:
                    break
        good &= bool(found)
        print(f"{'found' if found else 'NOT FOUND'}: {name} ({' '.join(keys)}): {test + ': ' if found else ''}{time.time() - start:.0f} s"
              f"{chr(10) + '    ' + found[:230] if found else ''}", flush=True)
    sys.exit(not good)


main()
