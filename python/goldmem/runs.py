"""Runs, sweeps and comparisons, by the goldmem command."""
import csv
import json
import os
import subprocess
import tempfile

from ._library import Error, command, text_of


def _call(arguments, input=None):
    """Runs the command. Returns its standard output; raises Error with its message."""
    try:
        done = subprocess.run([command(), *arguments], stdin=subprocess.DEVNULL if input is None else None, input=input,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    except OSError as error:
        raise Error(f"{command()}: {error.strerror}; GOLDMEM may name the command", -error.errno) from None
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or [f"goldmem: exit code {done.returncode}"]
        raise Error(lines[-1].removeprefix("goldmem: "), done.returncode)
    return done.stdout


def flatten(tree, prefix=""):
    """A nested dictionary as one, with names as in CSV: l1d.load.hits."""
    flat = {}
    for name, value in tree.items():
        if isinstance(value, dict):
            flat.update(flatten(value, f"{prefix}{name}."))
        else:
            flat[prefix + name] = value
    return flat


class Table(list):
    """Rows, dictionaries with a value for each column."""

    def column(self, name):
        """The values of a column; None where a row does not have it. Raises Error if none has it."""
        if self and not any(name in row for row in self):
            raise Error(f"no column '{name}'", -22)
        return [row.get(name) for row in self]

    def frame(self):
        """The rows as a pandas DataFrame (Debian's package python3-pandas)."""
        import pandas
        return pandas.DataFrame(list(self))


class Run:
    """A run's JSON report. run["l1d.load.hits"] is a counter of the total."""

    def __init__(self, report, series=None):
        self.report = report
        self.total, self.kernels, self.config = report["total"], report["kernels"], report["config"]
        self.series = series

    def __getitem__(self, name):
        value = self.total
        for part in name.split("."):
            value = value[part]
        return value

    def table(self):
        """The kernels, a row each."""
        return Table(flatten(kernel) for kernel in self.kernels)

    def frame(self):
        """The kernels as a DataFrame."""
        return self.table().frame()

    def save(self, path):
        """Writes the report, as goldmem run --json does."""
        with open(path, "w", encoding="utf-8") as file:
            json.dump(self.report, file)


def _words(options):
    if isinstance(options, str):
        raise Error(f"options='{options}': must be a list of words, such as ['{options}']", -22)
    return list(options)


def _options(set, options):
    words = _words(options)
    for key, value in (set or {}).items():
        words += ["--set", f"{key}={text_of(value)}"]
    return words


def run(input, preset=None, config=None, set=None, engine=None, series=None, options=()):
    """Runs a workload or trace. `series`: core cycles of an interval; `options`: further words of goldmem run."""
    words = ["run", "--quiet", "--json", "-", *_options(set, options)]
    for name, value in (("preset", preset), ("config", config), ("engine", engine)):
        words += [] if value is None else [f"--{name}={value}"]
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "series.csv")
        words += [] if series is None else ["--series", f"{file},every={series}"]
        report = json.loads(_call([*words, "--", input]))
        rows = None
        if series is not None:
            with open(file, encoding="utf-8", newline="") as text:
                rows = Table({name: _value(cell) for name, cell in row.items()} for row in csv.DictReader(text))
    return Run(report, rows)


def _value(cell):
    """A number, None of an empty cell, or text."""
    if cell == "":
        return None
    try:
        return float(cell) if "." in cell or "e" in cell else int(cell)
    except ValueError:
        return cell


class Sweep(Table):
    """The runs that are done: a row each with what varies and all counters. `failures` has the others."""

    def __init__(self, folder, objects):
        super().__init__({"run": each["run"], "input": each["input"], **each.get("keys", {}),
                          **({"point": each["point"]} if "point" in each else {}), **flatten(each["total"])}
                         for each in objects if each["status"] == "done")
        self.folder = folder
        self.failures = [each for each in objects if each["status"] != "done"]


def sweep(inputs, folder, grid=None, zip=None, list=None, set=None, options=(), jobs=None, checkpoint_every=None):
    """Runs inputs under combinations of keys (goldmem sweep). Writes FOLDER/sweep.yaml, and goes on where it was."""
    file = os.path.join(folder, "sweep.yaml")
    plan = {"inputs": inputs, "set": set, "list": list, "zip": zip, "grid": grid, "options": _words(options)}
    os.makedirs(folder, exist_ok=True)
    with open(file, "w", encoding="utf-8") as text:
        json.dump({name: _texts(part) for name, part in plan.items() if part}, text, indent=1)  # JSON is YAML
    words = ["sweep", "--quiet", "-o", folder, file] + ([] if jobs is None else ["-j", str(jobs)])
    words += [] if checkpoint_every is None else [f"--checkpoint-every={checkpoint_every}"]
    try:
        _call(words)
    except Error as error:
        if error.code != 1:  # runs that failed are in the results
            raise
    with open(os.path.join(folder, "results.jsonl"), encoding="utf-8") as lines:
        return Sweep(folder, [json.loads(line) for line in lines])


def _texts(part):
    """A part of a sweep's file, with values as goldmem reads them."""
    if isinstance(part, dict):
        return {name: _texts(inner) for name, inner in part.items()}
    if isinstance(part, (list, tuple)):
        return [_texts(inner) for inner in part]
    return text_of(part)


def compare(first, *others, noise=None, different=()):
    """Sets runs beside the first one, the largest changes first: what goldmem compare --json prints.

    different: what the runs may differ in, of "inputs", "parts" and "samples".
    """
    with tempfile.TemporaryDirectory() as folder:
        files = [os.path.join(folder, f"{i}.json") for i in range(len(others) + 1)]
        for each, file in zip((first, *others), files):
            each.save(file)
        options = [f"--different-{what}" for what in different] + ([] if noise is None else [f"--noise={noise}"])
        return json.loads(_call(["compare", "--json", *options, *files]))


def presets():
    """The names of the presets."""
    return [line.split()[0] for line in _call(["presets"]).splitlines() if line.strip()]


def workloads():
    """The names of the built-in workloads."""
    return [line.split()[0] for line in _call(["workloads"]).splitlines() if line.strip()]
