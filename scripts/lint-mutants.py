#!/usr/bin/env python3
"""Each change of a wrong design in tests/*/*.txt must find its text, once, in the file that it names: the runs that
build them (make regress-litmus, make explore) are long and seldom."""
import glob
import os
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from changed_program import changed_files  # noqa: E402

CHANGE = re.compile(r"[\w/.-]+\.[ch]: .* =>.*", re.DOTALL)


def main():
    changes = 0
    for path in sorted(glob.glob("tests/*/*.txt")):
        with open(path, encoding="utf-8") as text:
            for number, line in enumerate(text, 1):
                if line.startswith("#"):
                    continue
                cells = line.rstrip("\n").replace("\\n", "\n").split(" ;; ")
                parts = [part.strip() for cell in cells for part in cell.split(" ++ ")]
                found = [part for part in parts if CHANGE.fullmatch(part)]
                changed_files(found, f"{path}:{number}")
                changes += len(found)
    if changes == 0:
        sys.exit("tests/*/*.txt: no changes found")


if __name__ == "__main__":
    main()
