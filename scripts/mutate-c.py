#!/usr/bin/env python3
"""Mutates the C files of a block one place at a time and runs its unit tests on each mutant, under
AddressSanitizer and UndefinedBehaviorSanitizer: one must fail. Only the mutated file is compiled.
Usage: mutate-c.py BLOCK [FILE...]
Files: cmodel/blocks/BLOCK*.c; tests: tests/unit/*/test_BLOCK*.c.

tests/mutation/BLOCK.txt names further files and tests, "also FILE... TEST...", and each equivalent
mutant with its reason: "FILE || line of code || mutated line || why"."""
import concurrent.futures
import glob
import math
import os
import re
import resource
import subprocess
import sys
import tempfile

JOBS = 2
CPU_SECONDS = 5  # beside 3 times those of the unchanged file; a mutant that takes more hangs: caught
SLOW = 10  # times as many seconds pass at most: one whose sanitizer waits for itself, which takes none, is caught, too

# Patterns and their replacements: comparisons, arithmetic, bits, constants, conditions.
CHANGES = [(r" == ", " != "), (r" != ", " == "), (r" < ", " <= "), (r" <= ", " < "), (r" > ", " >= "),
           (r" >= ", " > "), (r" \+ ", " - "), (r" - ", " + "), (r" \^ ", " | "), (r" \| ", " ^ "),
           (r" & ", " | "), (r" << ", " >> "), (r" >> ", " << "), (r" && ", " || "), (r" \|\| ", " && "),
           (r"\b0\b", "1"), (r"\b1\b", "0"), (r"\b8\b", "7"), (r"\b16\b", "15"), (r"\b64\b", "63"),
           (r"\^=", "|="), (r"\|=", "^="), (r"\+= ", "-= "), (r"\btrue\b", "false"), (r"\bfalse\b", "true")]
SANITIZE = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
FLAGS = ["-std=c11", "-O0", "-w", *SANITIZE, "-Icmodel/include", "-Icmodel", "-D_GNU_SOURCE", "-DGM_VERSION=\"mutant\""]


def mutants(path):
    """(line number, original line, mutated line) for every change at every place of the code but gm_assert's
    conditions, which are there under DEBUG=1 only, and functions named [..._]assert_..., which hold them."""
    comment = checks = asserts = False
    with open(path, encoding="utf-8") as text:
        for number, line in enumerate(text, 1):
            code = line.split("/*")[0]
            starts, comment = comment, (comment or "/*" in line) and "*/" not in line
            asserts = (asserts or re.match(r"\w[^;]*\b(gm_\w+_)?assert_\w+\([^;]*$", code)) and line != "}\n"
            starts, checks = starts or asserts or checks or "gm_assert(" in code, (checks or "gm_assert(" in code) and ";" not in code
            if starts or code.lstrip().startswith(("#", "static const char")) or '"' in code:
                continue
            for pattern, replacement in CHANGES:
                for match in re.finditer(pattern, code):
                    yield number, line, line[:match.start()] + replacement + line[match.end():]


def libraries():
    names = ["libzstd", "liblzma", "zlib", "yaml-0.1", "jansson"]
    found = subprocess.run(["pkg-config", "--libs", *names], capture_output=True, text=True, check=True)
    return ["-lcmocka", *found.stdout.split(), "-lm", "-lpthread"]


def compiles(folder, source, path):
    file = os.path.join(folder, "mutant.c")
    with open(file, "w", encoding="utf-8") as out:
        out.write(source)
    made = subprocess.run(["gcc", *FLAGS, f"-I{os.path.dirname(path)}", "-c", file, "-o", f"{folder}/mutant.o"],
                          capture_output=True, check=False)
    return made.returncode == 0


def run(folder, test, seconds):
    """Links a test with the mutant before the library and runs it for that CPU time at most. Returns its exit code."""
    subprocess.run(["gcc", *SANITIZE, "-fno-lto", f"build/obj/{test}.o", "build/libtests.a",
                    f"{folder}/mutant.o", "build/libgoldmem.a", *LIBRARIES, "-o", f"{folder}/test"],
                   check=True, capture_output=True)
    try:
        return subprocess.run([f"{folder}/test"], capture_output=True, check=False, timeout=None if seconds < 0 else SLOW * seconds,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))).returncode
    except subprocess.TimeoutExpired:
        return 1


def seconds_allowed(path, lines, tests):
    """Runs the tests on the unchanged file, compiled as a mutant is: each must pass. Returns the CPU seconds
    that a mutant may take."""
    with tempfile.TemporaryDirectory() as folder:
        used = [resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime]
        if not compiles(folder, "".join(lines), path):
            sys.exit(f"{path}: does not compile")
        for test in tests:
            if run(folder, test, resource.RLIM_INFINITY) != 0:
                sys.exit(f"{path}: {test} fails without a mutant")
            used.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime)
    return CPU_SECONDS + 3 * math.ceil(max(after - before for before, after in zip(used, used[1:])))


def caught(folder, tests, seconds):
    """Returns whether a test failed, which moves to the front of `tests`: it is likely to catch the next
    mutant."""
    for test in list(tests):
        if run(folder, test, seconds) != 0:
            tests.sort(key=lambda other: other != test)
            return True
    return False


def try_mutant(path, lines, mutant, tests, seconds):
    """Returns None if the mutant does not compile, else whether it was caught."""
    number, _, changed = mutant
    with tempfile.TemporaryDirectory() as folder:
        source = "".join(lines[:number - 1] + [changed] + lines[number:])
        return caught(folder, tests, seconds) if compiles(folder, source, path) else None


def notes(block):
    """Returns the explained mutants, and the further files and tests of the block."""
    path = f"tests/mutation/{block}.txt"
    if not os.path.exists(path):
        return [], []
    with open(path, encoding="utf-8") as text:
        lines = text.read().splitlines()
    also = [name for line in lines if line.startswith("also ") for name in line.split()[1:]]
    return [line for line in lines if " || " in line], also


def note_on(explained, key):
    """Returns the note that begins with FILE || line || mutated line, in which || may occur, or None."""
    return next((line for line in explained if line.startswith(" || ".join([*key, ""]))), None)


def main(block, paths):
    explained, also = notes(block)
    tests = [path for path in also if path.startswith("tests/")] + glob.glob(f"tests/unit/*/test_{block}*.c")
    tests = sorted(path[:-2] for path in tests)
    paths = paths or sorted(glob.glob(f"cmodel/blocks/{block}*.c")) + [path for path in also if path.startswith("cmodel/")]
    unused = {line for line in explained if line.split(" || ", 1)[0] in paths}
    tried = killed = equivalent = 0
    survivors = []
    for path in paths:
        with open(path, encoding="utf-8") as text:
            lines = text.readlines()
        made = list(mutants(path))
        seconds = seconds_allowed(path, lines, tests)
        with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
            results = list(pool.map(lambda mutant: try_mutant(path, lines, mutant, tests, seconds), made))
        for (number, line, changed), result in zip(made, results):
            key = (path, line.strip(), changed.strip())
            tried += result is not None
            killed += result is True
            note = note_on(explained, key) if result is False else None
            if note is not None:
                equivalent += 1
                unused.discard(note)
                print("equivalent:", note)
            elif result is False:
                survivors.append(" || ".join([*key, f"(line {number})"]))
        print(f"{path}: {results.count(True)} caught, {results.count(False)} not", flush=True)
    for survivor in survivors:
        print("not caught, not explained:", survivor)
    for line in sorted(unused):
        print("explained, but no survivor:", line)
    print(f"{block}: C: score {killed} of {tried - equivalent} mutants that differ"
          f" ({equivalent} equivalent, explained in tests/mutation/{block}.txt)")
    return 1 if survivors or tried == 0 else 0


LIBRARIES = libraries()
if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2:]))
