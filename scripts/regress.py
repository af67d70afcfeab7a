#!/usr/bin/env python3
"""Runs the targets of `make regress`, and writes what became of them: FOLDER/regress.json and FOLDER/index.html.

Usage: regress.py FOLDER SEED TARGET... [--parallel TARGET...] [--seeded TARGET...]

Those of --parallel run at the same time, one on each core; --seeded names those that take SEED. Each target is a row, kept in
FOLDER/TARGET.json, with its output in FOLDER/TARGET.log. A row that passed with this source and seed is not run again, so that an
interrupted regression goes on where it was; a failed target does not stop the others. Exit status: 1 if a row has not passed.
"""
import concurrent.futures
import glob
import hashlib
import html
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time

HOUR = 3600
COVERAGE = re.compile(r"^(\w+): coverage: (.*cover points.*)$", re.M)
SCORE = re.compile(r"^\w+: (C: )?score (\d+) of (\d+) mutants that differ \((\d+) (?:proven )?equivalent(?:, (\d+) listed)?", re.M)
WRONG = re.compile(r"fail|error|mismatch|not seen|never|refuse", re.I)  # of a failed target, what it says
SOURCES = ["--", ".", ":!docs", ":!*.md"]  # what a result depends on
WRITING = threading.Lock()
RUNNING = set()  # processes

STYLE = """body{font:14px sans-serif;margin:2em}table{border-collapse:collapse}td,th{border:1px solid #ccc;padding:2px 8px;
text-align:left;vertical-align:top}.failed,.cut{background:#fcc}.passed{background:#efe}.running,.waits{background:#ffd}"""


def output_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def source():
    """A hash of the tracked sources with the changes that are not committed, and the commit's name."""
    tree = output_of("git", "ls-files", "-s", *SOURCES) + output_of("git", "diff", "HEAD", *SOURCES)
    return hashlib.sha256(tree.encode()).hexdigest()[:16], output_of("git", "describe", "--always", "--dirty").strip()


def blocks():
    """The blocks that there are: a target that runs all of them has run these."""
    return sorted(os.path.basename(path)[:-2] for path in glob.glob("cmodel/include/goldmem/ports/*.h"))


def mutants(text):
    """The mutants of what an output tells: those caught, those that differ, the equivalent ones."""
    return {("c" if c else "rtl"): {"caught": int(caught), "differ": int(differ), "equivalent": int(proven) + int(listed or 0)}
            for c, caught, differ, proven, listed in SCORE.findall(text)}


def write(path, text):
    """Writes a file, which others see as a whole."""
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(path + ".new", path)


class Regression:
    def __init__(self, folder, seed, targets, seeded):
        self.folder, self.seed, self.seeded = folder, seed, seeded
        self.source, self.commit = source()
        os.makedirs(folder, exist_ok=True)
        self.rows = {target: self.old_row(target) for target in targets}

    def path(self, target, kind):
        return f"{self.folder}/{target.replace('/', '_')}.{kind}"

    def old_row(self, target):
        """The row of an earlier run, if it is of this source and seed; one that still runs was cut off."""
        row = {"target": target, "result": "waits"}
        if os.path.isfile(self.path(target, "json")):
            with open(self.path(target, "json"), encoding="utf-8") as file:
                row = json.load(file)
            if row["source"] != self.source or row.get("seed") != self.row_seed(target):
                row = {"target": target, "result": "waits"}
            elif row["result"] == "running":
                row["result"] = "cut off"
        return row

    def row_seed(self, target):
        return self.seed if target in self.seeded else None

    def save(self, row):
        with WRITING:
            write(self.path(row["target"], "json"), json.dumps(row, indent=1) + "\n")
            self.rows[row["target"]] = row
            self.write_pages()

    def run(self, target):
        if self.rows[target]["result"] == "passed":
            return
        command = ["make", "--no-print-directory", "-s", target] + ([f"SEED={self.seed}"] if target in self.seeded else [])
        row = {"target": target, "result": "running", "seed": self.row_seed(target), "repeat": " ".join(command[:1] + command[3:]),
               "source": self.source, "commit": self.commit, "blocks": blocks(), "begin": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}
        self.save(dict(row))
        environment = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
        start = time.monotonic()
        with open(self.path(target, "log"), "w", encoding="utf-8") as log:
            process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                       env=environment, start_new_session=True)
            RUNNING.add(process)
            status = process.wait()
            RUNNING.discard(process)
        row["seconds"] = round(time.monotonic() - start, 1)
        self.finish(row, status)

    def finish(self, row, status):
        with open(self.path(row["target"], "log"), encoding="utf-8", errors="replace") as file:
            text = file.read()
        row["status"] = status
        row["result"] = "passed" if status == 0 else "failed"
        row["coverage"] = [f"{block}: {figures}" for block, figures in COVERAGE.findall(text)]
        row["mutants"] = mutants(text)
        said = [line for line in text.split("\n") if line.strip() and not line.startswith("make") and "Verilog $finish" not in line]
        wrong = [line for line in said if WRONG.search(line)] if status != 0 else []
        row["says"] = (wrong or said or [""])[-1][:300]
        self.save(row)
        print(f"{row['target']}: {row['result']}, {row['seconds']:.0f} s: {row['says']}", flush=True)
        if status != 0:
            print(f"  output: {self.path(row['target'], 'log')}; again: {row['repeat']}", flush=True)

    def write_pages(self):
        rows = list(self.rows.values())
        data = {"commit": self.commit, "source": self.source, "seed": self.seed, "rows": rows, "blocks": block_coverage()}
        write(f"{self.folder}/regress.json", json.dumps(data, indent=1) + "\n")
        write(f"{self.folder}/index.html", page(self, rows, data["blocks"]))

    def totals(self):
        count = {}
        for row in self.rows.values():
            count[row["result"]] = count.get(row["result"], 0) + 1
        return ", ".join(f"{number} {result}" for result, number in sorted(count.items()))


def block_coverage():
    """The figures of `make coverage` at the shipped parameters, where it has run."""
    blocks = []
    for path in sorted(glob.glob("build/coverage/*.json")):
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
        for instance in data.get("instances", []):
            if instance.get("shipped"):
                blocks.append({"block": data["block"], "seed": data["seed"], "commit": data["commit"], "time": data["time"],
                               "transactions": data["transactions"], "hit": instance["hit"], "total": instance["total"]})
    return blocks


def table(head, rows):
    """Rows are (class, cells); cells are HTML."""
    cells = "".join(f"<th>{name}</th>" for name in head)
    return f"<table><tr>{cells}</tr>\n" + "".join(
        f"<tr class='{kind}'>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>\n" for kind, row in rows) + "</table>\n"


def row_cells(regression, row):
    """A row of the page and its class."""
    seconds = row.get("seconds")
    took = "" if seconds is None else f"{seconds:.0f} s" + (" (over an hour)" if seconds > HOUR else "")
    log = os.path.basename(regression.path(row["target"], "log"))
    link = f"<a href='{html.escape(log)}'>log</a>" if "begin" in row else ""
    cells = [html.escape(row["target"]), row["result"], html.escape(row.get("seed") or "none"), html.escape(row.get("begin", "")), took,
             html.escape(row.get("says", "")), "<br>".join(html.escape(line) for line in row.get("coverage", [])),
             f"<code>{html.escape(row.get('repeat', ''))}</code> {link}", html.escape(row.get("commit", ""))]
    return row["result"].split(" ")[0], cells


def page(regression, rows, blocks):
    parts = [f"<!DOCTYPE html><meta charset=utf-8><title>Regression</title><style>{STYLE}</style><h1>Regression</h1>\n",
             f"<p>Commit {html.escape(regression.commit)}, seed {html.escape(regression.seed)}: {regression.totals()}.</p>\n",
             table(["target", "result", "seed", "begin (UTC)", "time", "last line", "coverage", "repeat", "commit"],
                   [row_cells(regression, row) for row in rows])]
    if blocks:
        kinds = sorted({kind for block in blocks for kind in block["total"]})
        parts.append("<h2>Coverage at the shipped parameters (make coverage)</h2>\n" + table(
            ["block", "seed", "transactions", "time", "commit"] + kinds,
            [("", [block["block"], block["seed"], block["transactions"], block["time"], html.escape(block["commit"])] +
              [f"{block['hit'].get(kind, 0)} of {block['total'].get(kind, 0)}" for kind in kinds]) for block in blocks]))
    return "".join(parts)


def stop(regression):
    """Ends what runs, and says so in its rows."""
    for process in list(RUNNING):
        try:
            os.killpg(process.pid, signal.SIGTERM)
        except ProcessLookupError:
            pass
    if WRITING.acquire(timeout=5):
        for row in regression.rows.values():
            row["result"] = "cut off" if row["result"] == "running" else row["result"]
        regression.write_pages()
    print("regress: interrupted; make regress goes on from here", flush=True)
    os._exit(130)


def parse(arguments):
    lists, current = {"targets": [], "parallel": [], "seeded": []}, "targets"
    for word in arguments:
        if word in ("--parallel", "--seeded"):
            current = word[2:]
        else:
            lists[current].append(word)
    return lists


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    lists = parse(sys.argv[3:])
    regression = Regression(sys.argv[1], sys.argv[2], lists["targets"] + lists["parallel"], set(lists["seeded"]))
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda _signal, _frame: stop(regression))
    regression.write_pages()
    for target in lists["targets"]:
        regression.run(target)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for done in [pool.submit(regression.run, target) for target in lists["parallel"]]:
            done.result()
    print(f"regress: {regression.totals()}: {regression.folder}/index.html")
    sys.exit(any(row["result"] != "passed" for row in regression.rows.values()))


main()
