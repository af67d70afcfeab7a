#!/usr/bin/env python3
"""Mutates the C files of a block one place at a time and runs its unit test on each mutant: the test
must fail. Usage: mutate-c.py BLOCK    (files cmodel/blocks/BLOCK*.c, test build/tests/unit/test_BLOCK)

A mutant that cannot be told from the original is listed in tests/mutation/BLOCK.txt with its reason:
"FILE | line of code | mutated line | why"."""
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
FLAGS = ["-std=c11", "-O1", "-w", "-Icmodel/include", "-Icmodel", "-D_GNU_SOURCE", "-DGM_VERSION=\"mutant\""]


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


def build(folder, source, path, original):
    """Compiles the mutant and links the test with it before the library. False when it does not build."""
    file = os.path.join(folder, "mutant.c")
    with open(file, "w", encoding="utf-8") as out:
        out.write(source)
    compiled = subprocess.run(["gcc", *FLAGS, f"-I{os.path.dirname(path)}", "-c", file, "-o",
                               f"{folder}/mutant.o"], capture_output=True, check=False)
    if compiled.returncode != 0:
        return False
    libraries = subprocess.run(["pkg-config", "--libs", "libzstd", "liblzma", "zlib", "yaml-0.1", "jansson"],
                               capture_output=True, text=True, check=True).stdout.split()
    objects = [f"build/obj/tests/unit/test_{original}.o", "build/obj/tests/support/support.o"]
    subprocess.run(["gcc", *objects, f"{folder}/mutant.o", "build/libgoldmem.a", "-lcmocka", *libraries, "-lm",
                    "-lpthread", "-o", f"{folder}/test"], check=True, capture_output=True)
    return True


def caught(folder):
    try:
        run = subprocess.run([f"{folder}/test"], capture_output=True, timeout=30, check=False)
    except subprocess.TimeoutExpired:
        return True
    return run.returncode != 0


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
    with tempfile.TemporaryDirectory() as folder:
        for path in sorted(glob.glob(f"cmodel/blocks/{block}*.c")):
            with open(path, encoding="utf-8") as text:
                lines = text.readlines()
            for number, line, changed in mutants(path):
                source = "".join(lines[:number - 1] + [changed] + lines[number:])
                if not build(folder, source, path, block):
                    continue
                tried += 1
                if caught(folder):
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
