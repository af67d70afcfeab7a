#!/usr/bin/env python3
"""Mutates the C files of a block one place at a time and runs its unit tests on each mutant, under
AddressSanitizer and UndefinedBehaviorSanitizer: one must fail. Usage: mutate-c.py BLOCK
Files: cmodel/blocks/BLOCK*.c; tests: tests/unit/test_BLOCK*.c.

A mutant that cannot be told from the original is listed in tests/mutation/BLOCK.txt with its reason:
"FILE || line of code || mutated line || why"."""
import glob
import os
import re
import subprocess
import sys
import tempfile

# What is replaced, and by what; comparisons, arithmetic, bits, constants, conditions.
CHANGES = [(r" == ", " != "), (r" != ", " == "), (r" < ", " <= "), (r" <= ", " < "), (r" > ", " >= "),
           (r" >= ", " > "), (r" \+ ", " - "), (r" - ", " + "), (r" \^ ", " | "), (r" \| ", " ^ "),
           (r" & ", " | "), (r" << ", " >> "), (r" >> ", " << "), (r" && ", " || "), (r" \|\| ", " && "),
           (r"\b0\b", "1"), (r"\b1\b", "0"), (r"\b8\b", "7"), (r"\b16\b", "15"), (r"\b64\b", "63"),
           (r"\^=", "|="), (r"\|=", "^="), (r"\+= ", "-= "), (r"\btrue\b", "false"), (r"\bfalse\b", "true")]
SANITIZE = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
FLAGS = ["-std=c11", "-O1", "-w", *SANITIZE, "-Icmodel/include", "-Icmodel", "-D_GNU_SOURCE", "-DGM_VERSION=\"mutant\""]


def mutants(path):
    """(line number, original line, mutated line) for every change at every place of the code."""
    comment = False
    with open(path, encoding="utf-8") as text:
        for number, line in enumerate(text, 1):
            code = line.split("/*")[0]
            starts, comment = comment, (comment or "/*" in line) and "*/" not in line
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


def caught(folder, tests):
    """Links each test with the mutant before the library, and runs it."""
    for test in tests:
        subprocess.run(["gcc", *SANITIZE, f"build/obj/tests/unit/{test}.o", "build/obj/tests/support/support.o",
                        f"{folder}/mutant.o", "build/libgoldmem.a", *libraries(), "-o", f"{folder}/test"],
                       check=True, capture_output=True)
        try:
            run = subprocess.run([f"{folder}/test"], capture_output=True, timeout=30, check=False)
        except subprocess.TimeoutExpired:
            return True
        if run.returncode != 0:
            return True
    return False


def explanations(block):
    path = f"tests/mutation/{block}.txt"
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as text:
        rows = [[part.strip() for part in line.split(" || ")] for line in text if " || " in line]
    return {(row[0], row[1], row[2]): row[3] for row in rows}


def main(block):
    explained = explanations(block)
    tried = killed = alike = 0
    survivors = []
    tests = sorted(os.path.basename(t)[:-2] for t in glob.glob(f"tests/unit/test_{block}*.c"))
    with tempfile.TemporaryDirectory() as folder:
        for path in sorted(glob.glob(f"cmodel/blocks/{block}*.c")):
            with open(path, encoding="utf-8") as text:
                lines = text.readlines()
            for number, line, changed in mutants(path):
                source = "".join(lines[:number - 1] + [changed] + lines[number:])
                if not compiles(folder, source, path):
                    continue
                tried += 1
                if caught(folder, tests):
                    killed += 1
                elif (path, line.strip(), changed.strip()) in explained:
                    alike += 1
                else:
                    survivors.append(f"{path} || {line.strip()} || {changed.strip()} || ({number})")
    for survivor in survivors:
        print("not caught, not explained:", survivor)
    print(f"{block}: C: {killed} of {tried - alike} mutants caught ({alike} more are alike, tests/mutation/{block}.txt)")
    return 1 if survivors or tried == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
