#!/usr/bin/env python3
"""The blocks' testplans (tests/testplan/NAME.plan, cover points: tests/coverage/NAME.plan) and what became of their checks.

Usage: testplan.py check   fails if a feature names a check or cover point that does not exist, if an assertion or cover point of
                           tb/NAME_sva.sv is of no feature, or if PAGE is not what testplans and DATA say
       testplan.py write   takes the results under build/ into DATA, regress/*.json of make regress and coverage/*.json of make
                           coverage, and writes the tables of PAGE below its line MARK
"""
import fnmatch
import glob
import json
import os
import re
import sys

PAGE, DATA = "docs/verification.md", "docs/verification.json"
MARK = "<!-- Below: made by make verification. -->"
ASSERTION = re.compile(r"\b(a_\w+): assert\b")
POINT = re.compile(r"\b(c_\w+): cover\b")
NOT_PROVEN = "not proven"
# What a check is called in a testplan, and the regression's targets that run it for block {b}.
TARGETS = {
    "unit": ["regress-tests"],
    "lockstep": ["regress-run-{b}", "regress-run-{b}.full?"],
    "formal": ["regress-formal-{b}"],
    "fourstate": ["regress-fourstate-resets-{b}"],
    "mutation": ["regress-mutation-{b}", "regress-mutation-shipped-{b}"],
    "assertions": ["regress-assertions-{b}"],
    "rtl-loop": [f"regress-rtl-{name}" for name in "syrk gesummv kmeans bfs spmv sssp particlefilter".split()] + ["regress-rtl-*"],
    "systemc": ["systemc"],
    "dpi": ["dpi"],
    "explore": ["explore"],
}
PARTS = {"lockstep": 8}  # FULL_PARTS in mk/cosim.mk


class Bad(Exception):
    """What is wrong, in one line."""


def read(path):
    if not os.path.isfile(path):
        raise Bad(f"{path}: no such file")
    with open(path, encoding="utf-8") as file:
        return file.read()


def read_rows(path):
    """(line number, first part, words of the second) of each line "FIRST | SECOND"."""
    rows = []
    for number, line in enumerate(read(path).splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            first, bar, second = (part.strip() for part in line.partition("|"))
            if not (first and bar and second):
                raise Bad(f"{path}:{number}: not 'FIRST | SECOND': {line}")
            rows.append((number, first, second))
    return rows


class Block:
    """A block's testplan: features with checks and cover points, what is not proven; and what the checkers have."""

    def __init__(self, name):
        self.name = name
        self.path, self.cover_path = f"tests/testplan/{name}.plan", f"tests/coverage/{name}.plan"
        rows = read_rows(self.path)
        self.features = {feature: checks.split() for _, feature, checks in rows if feature != NOT_PROVEN}
        self.lines = {feature: number for number, feature, _ in rows}
        if len(self.features) != sum(feature != NOT_PROVEN for _, feature, _ in rows):
            raise Bad(f"{self.path}: a feature is there twice")
        self.open = [text for _, feature, text in rows if feature == NOT_PROVEN]
        self.patterns = {feature: (number, points.split()) for number, feature, points in read_rows(self.cover_path)
                         if feature not in ("kinds", "hazards")}
        checkers = read(f"tb/{name}_sva.sv") + (read(f"tb/{name}_cover.sv") if os.path.isfile(f"tb/{name}_cover.sv") else "")
        self.assertions = set(ASSERTION.findall(checkers))
        self.cover = sorted(set(POINT.findall(checkers)))
        self.points = {feature: [] for feature in self.features}
        self.unit = set()
        for path in glob.glob(f"tests/unit/blocks/test_{name}*.c"):
            self.unit |= set(re.findall(r"cmocka_unit_test\((\w+)\)", read(path)))

    def check(self):
        """Raises Bad for the first thing that is wrong."""
        self.check_points()
        for feature, checks in self.features.items():
            for check in checks:
                self.check_exists(f"{self.path}:{self.lines[feature]}", check)
        for assertion in sorted(self.assertions - {check for checks in self.features.values() for check in checks}):
            raise Bad(f"{self.path}: no feature has {assertion} of tb/{self.name}_sva.sv")

    def check_points(self):
        """Gives each cover point to the first feature with a pattern that matches."""
        for feature, (number, patterns) in self.patterns.items():
            if feature not in self.features:
                raise Bad(f"{self.cover_path}:{number}: '{feature}' is no feature of {self.path}")
            for pattern in patterns:
                if not fnmatch.filter(self.cover, pattern):
                    raise Bad(f"{self.cover_path}:{number}: no cover point {pattern} in tb/{self.name}_sva.sv")
        for point in self.cover:
            feature = next((f for f, (_, patterns) in self.patterns.items() if any(fnmatch.fnmatchcase(point, p) for p in patterns)),
                           None)
            if feature is None:
                raise Bad(f"{self.cover_path}: no feature has {point} of tb/{self.name}_sva.sv")
            self.points[feature].append(point)

    def check_exists(self, where, check):
        kind, _, name = check.partition(":")
        if check.startswith("a_"):
            if check not in self.assertions:
                raise Bad(f"{where}: no assertion {check} in tb/{self.name}_sva.sv")
        elif kind == "unit":
            if name not in self.unit:
                raise Bad(f"{where}: no test {name} in tests/unit/blocks/test_{self.name}*.c")
        elif check not in TARGETS:
            raise Bad(f"{where}: no check '{check}'")


class Results:
    """The last results: of regression targets by name, and the coverage of blocks at the shipped parameters."""

    def __init__(self):
        data = json.loads(read(DATA)) if os.path.isfile(DATA) else {}
        self.rows, self.coverage = data.get("targets", {}), data.get("coverage", {})

    def take(self):
        """Takes what regression and coverage left under build/."""
        for path in glob.glob("build/regress/*.json"):
            row = json.loads(read(path))
            if "target" in row and any(fnmatch.fnmatchcase(row["target"], pattern.replace("{b}", "*")) for pattern in sum(TARGETS.values(), [])):
                self.rows[row["target"]] = {key: row[key] for key in ("result", "seed", "begin", "commit", "blocks", "mutants") if key in row}
        for path in glob.glob("build/coverage/*.json"):
            data = json.loads(read(path))
            for instance in data["instances"]:
                if instance["shipped"]:
                    kept = {key: data[key] for key in ("seed", "transactions", "commit", "time", "failed")}
                    kept |= {key: instance[key] for key in ("total", "hit", "waived")}
                    kept["unreached"] = sorted(item["name"] for item in instance["items"] if item["kind"] == "point" and not item["count"])
                    self.coverage[data["block"]] = kept

    def write(self):
        write(DATA, json.dumps({"targets": self.rows, "coverage": self.coverage}, indent=1, sort_keys=True) + "\n")

    def of(self, check, block):
        """The state of a check and its commits: 'passed', or the worst of 'failed', 'cut off', 'running' and 'not run' with the
        number of targets that are so."""
        kind = "lockstep" if check.startswith("a_") else check.partition(":")[0]
        rows = []
        for pattern in TARGETS[kind]:
            found = [row for target, row in self.rows.items()
                     if fnmatch.fnmatchcase(target, pattern.format(b=block)) and block in (row["blocks"] or [])]
            missing = 1 if pattern[-1] not in "?*" else PARTS.get(kind, 1)
            rows += found + [{"result": "not run"}] * (missing - len(found))
        for result in ("failed", "cut off", "running", "not run"):
            bad = sum(row["result"] == result for row in rows)
            if bad:
                return result + (f" ({bad} of {len(rows)} targets)" if len(rows) > 1 else ""), ""
        return "passed", ", ".join(sorted({row["commit"] for row in rows}))

    def shipped(self, block):
        """The figures of a block's coverage at the shipped parameters: kind to (reached or waived, total)."""
        ran = self.coverage.get(block)
        return {} if ran is None else {kind: (ran["hit"][kind] + ran["waived"][kind], total) for kind, total in sorted(ran["total"].items())}

    def reached(self, block, points):
        """Of the points, those that the shipped instance reached; None if coverage was not run."""
        ran = self.coverage.get(block)
        return None if ran is None else sum(point not in ran["unreached"] for point in points)


def write(path, text):
    """Writes a file, which others see as a whole."""
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(path + ".new", path)


def percent(figures, kind):
    hit, total = figures.get(kind, (0, 1))
    return 100 * hit / total if total else 100


def stages(block, results):
    """For V1, V2 and V3 what is missing; an empty list: reached, if those before it are."""
    named = {check.partition(":")[0] for checks in block.features.values() for check in checks}
    def states(*checks):
        found = {check: results.of(check, block.name)[0] if check in named else "not in the testplan" for check in checks}
        return [f"{check} {state}" for check, state in found.items() if state != "passed"]
    figures = results.shipped(block.name)
    def short(limits):
        if not figures:
            return ["coverage not run"]
        return [f"{kind} {percent(figures, kind):.1f}% (target {limit}%)" for kind, limit in limits.items()
                if percent(figures, kind) < limit]
    complaints = [f"make coverage: {text[:120]}" for text in results.coverage.get(block.name, {}).get("failed", [])]
    handshakes = {"a_request_stable", "a_response_stable", "a_no_request"}
    first = [f"no {name}" for name in sorted(handshakes - block.assertions)] + ([] if block.unit else ["no unit tests"])
    return [first + states("unit", "lockstep"),
            short({"point": 100, "line": 90, "branch": 90, "toggle": 90}) + states("formal", "systemc", "dpi", "rtl-loop"),
            short({"point": 100, "cross": 100, "line": 100, "branch": 100, "toggle": 98}) + complaints + states("mutation", "assertions", "fourstate")]


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def sign_off(blocks, results):
    rows = []
    for block in blocks:
        cells, held = [f"[{block.name}](blocks/{block.name}.md)"], True
        for missing in stages(block, results):
            held = held and not missing
            cells.append("yes" if held else "; ".join(missing) or "after the stage before")
        rows.append(cells)
    return "## Sign-off\n\n" + table(["block", "V1", "V2", "V3"], rows)


def mutants(results, target, of):
    """What became of the mutants of a target that has run: caught, of those that differ, and equivalent ones."""
    row = results.rows.get(target, {})
    if of not in row.get("mutants", {}):
        return "not run"
    score = row["mutants"][of]
    return f"{score['caught']} of {score['differ']}, {score['equivalent']} equivalent ({row['commit']})"


def mutation(blocks, results):
    """The table of mutants, caught and equivalent."""
    rows = [[f"[{block.name}](blocks/{block.name}.md)", mutants(results, f"regress-mutation-{block.name}", "rtl"),
             mutants(results, f"regress-mutation-shipped-{block.name}", "rtl"), mutants(results, f"regress-mutation-{block.name}", "c")]
            for block in blocks]
    return "## Mutation\n\nMutants caught, of those that differ; others are equivalent: proven, or listed with a reason in `tests/mutation/`. "\
        "How they are made: [cosim.md](cosim.md).\n\n" + \
        table(["block", "RTL, small instances: `make mutation`", "RTL, default parameters: `make mutation-shipped`", "C model, by the unit tests: `make mutation`"], rows)


def feature_row(block, results, feature, checks):
    points = block.points[feature]
    reached = results.reached(block.name, points)
    counted = "" if not points else f"{len(points)} points" + ("" if reached is None else f", {reached} reached")
    kinds = dict.fromkeys("lockstep" if check.startswith("a_") else check.partition(":")[0] for check in checks)
    last = [f"{kind}: {state}" + (f" ({commit})" if commit else "") for kind in kinds for state, commit in [results.of(kind, block.name)]]
    return [feature, " ".join(f"`{check}`" for check in checks), counted, ", ".join(last)]


def block_part(block, results):
    data = results.coverage.get(block.name)
    ran = "" if data is None else f"Coverage: seed {data['seed']}, {data['transactions']} transactions, commit {data['commit']}, {data['time']}.\n\n"
    figures = results.shipped(block.name)
    ran += "".join(f"{kind}{'es' if kind.endswith(('s', 'h')) else 's'} {hit} of {total}{'.' if kind == 'toggle' else ', '}" for kind, (hit, total) in figures.items()) + ("\n\n" if figures else "")
    rows = [feature_row(block, results, feature, checks) for feature, checks in block.features.items()]
    return f"## {block.name}\n\n{ran}" + table(["feature", "checks", "cover points", "last result"], rows) + \
        "\nNot proven:\n\n" + "".join(f"- {text}\n" for text in block.open)


def render(blocks, results):
    """PAGE as it must be."""
    head, mark, _ = read(PAGE).partition(MARK)
    if not mark:
        raise Bad(f"{PAGE}: lacks the line {MARK}")
    return head + MARK + "\n\n" + "\n".join([sign_off(blocks, results), mutation(blocks, results)] + [block_part(block, results) for block in blocks])


def main(arguments):
    try:
        names = sorted(os.path.basename(path)[:-2] for path in glob.glob("cmodel/include/goldmem/ports/*.h"))
        blocks = [Block(name) for name in names]
        for block in blocks:
            block.check()
        results = Results()
        if arguments == ["write"]:
            results.take()
            results.write()
            write(PAGE, render(blocks, Results()))
        elif arguments != ["check"]:
            sys.exit(__doc__)
        elif read(PAGE) != render(blocks, results):
            raise Bad(f"{PAGE}: not what testplans and {DATA} say: make verification")
    except Bad as bad:
        sys.exit(f"testplan: {bad}")


main(sys.argv[1:])
