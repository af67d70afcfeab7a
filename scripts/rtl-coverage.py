#!/usr/bin/env python3
"""Coverage of a block's RTL, by instance, from Verilator's counts; or the report of all blocks.

  rtl-coverage.py count BLOCK SEED TRANSACTIONS FOLDER NAME.dat NAME.lanes.c [NAME.dat NAME.lanes.c]...
      writes FOLDER/BLOCK.json and FOLDER/BLOCK.info (lcov), prints a line for each instance.
      The first instance of NAME shipped is the block at its default parameters.
  rtl-coverage.py report FOLDER BLOCK...
      writes FOLDER/index.html from the JSON files.

`count` fails when the shipped instance misses a target (100% of cover points, crosses, lines and
branches, 98% of toggles), when a point, line or branch is reached in no instance, when a waiver of
tests/coverage/BLOCK.waive matches nothing or an item that was reached, or when a cover point has no
item in tests/coverage/BLOCK.plan. COVERAGE_TEXTS names another folder for these two.

A waiver is KIND ITEM | INSTANCE | REASON. KIND: point, cross, line, branch, toggle, unused. ITEM: a
pattern (point: its name; cross: "kind x hazard x at once|held"; line, branch: "FILE: text of the line"
or "INSTANCE OF A MODULE FILE: text"; toggle: SIGNAL), or with `unused` a signal or an instance of a
module that does nothing with these options, of which nothing counts. INSTANCE: options that the
instance has, or * for all.
"""
import collections
import fnmatch
import html
import json
import os
import re
import subprocess
import sys
import time

# Of a waiver alone: a signal, or an instance of a module with its parts, that is no part of the figures.
UNUSED = "unused"
KINDS = ["point", "cross", "line", "branch", "toggle"]
PLURAL = {"point": "cover points", "cross": "crosses", "line": "lines", "branch": "branches",
          "toggle": "toggles"}
TARGET = {"point": 100, "cross": 100, "line": 100, "branch": 100, "toggle": 98}


class Bad(Exception):
    """What is wrong with the input, in one line."""


def read_lines(path):
    """Yields (number, line) of a text file, without comments and empty lines."""
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if line.strip() and not line.startswith("#"):
                yield number, line.rstrip("\n")


def read_plan(path):
    """Returns the items [(name, patterns)], the names of kinds and of hazards."""
    items, names = [], {"kinds": [], "hazards": []}
    for number, line in read_lines(path):
        name, bar, rest = (part.strip() for part in line.partition("|"))
        if not bar or not name or not rest:
            raise Bad(f"{path}:{number}: not 'ITEM | POINTS': {line}")
        if name in names:
            names[name] = [word.strip() for word in rest.split(",")]
        else:
            items.append((name, rest.split()))
    return items, names["kinds"], names["hazards"]


def read_waivers(path):
    waivers = []
    for number, line in read_lines(path) if os.path.exists(path) else ():
        parts = [part.strip() for part in line.split(" | ")]
        kind, _, item = parts[0].partition(" ")
        if len(parts) != 3 or kind not in [*KINDS, UNUSED] or not item or not parts[2]:
            raise Bad(f"{path}:{number}: not 'KIND ITEM | INSTANCE | REASON': {line}")
        waivers.append({"at": f"{path}:{number}", "kind": kind, "item": item.strip(), "used": 0,
                        "instance": [] if parts[1] == "*" else parts[1].split(),
                        "reason": parts[2]})
    return waivers


def read_lanes(path):
    """Returns the options of each instance of a build, from its generated lanes.c."""
    with open(path, encoding="utf-8") as file:
        return re.findall(r'^ {4}"(.*)",$', file.read(), re.M)


class Names:
    """Names an item of Verilator's counts as plans and waivers do."""

    def __init__(self, kinds, hazards):
        self.kinds, self.hazards, self.text = kinds, hazards, {}

    def line_text(self, file, line):
        if file not in self.text:
            with open(file, encoding="utf-8") as source:
                self.text[file] = source.read().split("\n")
        return self.text[file][int(line) - 1].strip()

    def cross(self, hierarchy, comment):
        kind, hazard = (int(re.search(rf"gen_{what}\[(\d+)\]", hierarchy).group(1))
                        for what in ("kind", "hazard"))
        if kind >= len(self.kinds) or hazard >= len(self.hazards):
            raise Bad(f"the plan names {len(self.kinds)} kinds and {len(self.hazards)} hazards; "
                      f"the checkers have more")
        return f"{self.kinds[kind]} x {self.hazards[hazard]} x {comment[2:].replace('_', ' ')}"

    def item(self, key, hierarchy):
        """Returns (kind, name, where in the instance), or None for what is no part of the figures."""
        if "v_user/" in key["page"]:
            if "u_cross" in hierarchy:
                return "cross", self.cross(hierarchy, key["o"]), ""
            return "point", key["o"], ""
        if not key["f"].startswith("rtl/") or not hierarchy.startswith("dut"):
            return None
        if "v_toggle/" in key["page"]:
            return "toggle", f"{hierarchy}.{key['o']}"[4:], ""
        kind = "line" if key.get("S") else "branch"
        return kind, f"{key['f']}: {self.line_text(key['f'], key['l'])}", \
            f"{hierarchy}:{key['l']}:{key['n']}:{key['o']}"


def read_counts(path, names):
    """Returns {instance number: {(kind, name, where): [count, file, lines]}}."""
    lanes = collections.defaultdict(dict)
    with open(path, encoding="latin-1") as file:
        for record in file:
            if not record.startswith("C "):
                continue
            text, _, count = record[3:].rpartition("' ")
            key = dict(field.split("\2", 1) for field in text.split("\1")[1:])
            found = re.search(r"\.lane_(\d+)\.(.*)$", key["h"])
            item = found and names.item(key, re.sub(r"__BRA__(\d+)__KET__", r"[\1]", found.group(2)))
            if item:
                lines = key.get("S", "")
                entry = lanes[int(found.group(1))].setdefault(item, [0, key["f"], lines])
                entry[0] += int(count)
    return lanes


def plan_item(plan, name):
    for item, patterns in plan:
        if any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns):
            return item
    return None


def waive(waivers, options, item, count):
    """Returns the reason if the item of an instance is waived; raises if it was reached."""
    kind, name, where = item
    names = (name, f"{where.split(':')[0][4:]} {name}")
    for waiver in waivers:
        pattern = waiver["item"].replace("[", "[[]")
        if waiver["kind"] == kind and set(waiver["instance"]) <= set(options.split()) and \
                any(fnmatch.fnmatchcase(text, pattern) for text in names):
            waiver["used"] += 1
            if count:
                waiver.setdefault("reached", f"{name} ({count} times, {options})")
            return waiver["reason"]
    return None


def is_unused(waivers, options, item):
    """True for an item of an instance of a module that is waived as a whole."""
    path = item[1] if item[0] == "toggle" else item[2].split(":")[0][4:]
    unused = False
    for waiver in waivers:
        if waiver["kind"] == UNUSED and set(waiver["instance"]) <= set(options.split()) and \
                path.startswith(waiver["item"]) and path[len(waiver["item"]):][:1] in ("", ".", "["):
            waiver["used"] += 1
            unused = True
    return unused


def instance_figures(options, shipped, counts, waivers, plan):
    """The figures of one instance for the JSON file."""
    out = {"options": options, "shipped": shipped, "items": [],
           "total": dict.fromkeys(KINDS, 0), "hit": dict.fromkeys(KINDS, 0),
           "waived": dict.fromkeys(KINDS, 0)}
    for item in sorted(counts):
        kind, name, where = item
        count = counts[item][0]
        if is_unused(waivers, options, item):
            continue
        reason = waive(waivers, options, item, count)
        out["total"][kind] += 1
        out["hit"][kind] += count > 0
        out["waived"][kind] += bool(reason) and count == 0
        if kind in ("point", "cross") or count == 0:
            row = {"kind": kind, "name": name, "count": count}
            if kind == "point":
                row["plan"] = plan_item(plan, name)
            if kind in ("line", "branch"):
                row["where"] = where
            if reason:
                row["waived"] = reason
            out["items"].append(row)
    return out


def percent(instance, kind):
    needed = instance["total"][kind] - instance["waived"][kind]
    return 100.0 * instance["hit"][kind] / needed if needed else 100.0


def missing(instance, kind):
    return [row["name"] for row in instance["items"]
            if row["kind"] == kind and row["count"] == 0 and "waived" not in row]


def complaints(instances, waivers, plan_path):
    """What is wrong, a line each."""
    lines = []
    for instance in instances:
        for kind in KINDS:
            if instance["shipped"] and percent(instance, kind) < TARGET[kind]:
                names = missing(instance, kind)
                lines.append(f"shipped instance: {percent(instance, kind):.1f}% of {PLURAL[kind]}, "
                             f"target {TARGET[kind]}%: never {'; '.join(names[:8])}"
                             f"{f' and {len(names) - 8} more' if len(names) > 8 else ''}")
    for name in sorted(set(sum((missing(i, "point") for i in instances), []))):
        if all(name in missing(i, "point") for i in instances):
            lines.append(f"cover point {name}: reached in no instance")
    lines += [f"{w['at']}: waives what is not there" for w in waivers if not w["used"]]
    lines += [f"{w['at']}: waives what was reached: {w['reached']}" for w in waivers
              if "reached" in w]
    without = sorted({row["name"] for i in instances for row in i["items"]
                      if row["kind"] == "point" and row["plan"] is None})
    lines += [f"{plan_path}: no item for cover point {name}" for name in without]
    return lines


def write(path, text):
    """Writes a file as a whole or not at all."""
    with open(path + ".tmp", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(path + ".tmp", path)


def lcov(counts_of_all):
    """The lines of rtl/ in lcov's format, added up."""
    lines = collections.Counter()
    for counts in counts_of_all:
        for (kind, _, _), (count, file, ranges) in counts.items():
            for span in ranges.split(",") if kind == "line" else ():
                first, _, last = span.partition("-")
                for line in range(int(first), int(last or first) + 1):
                    lines[file, line] += count
    text = ""
    for file in sorted({file for file, _ in lines}):
        text += f"SF:{file}\n"
        for (name, line), count in sorted(lines.items()):
            text += f"DA:{line},{count}\n" if name == file else ""
        text += "end_of_record\n"
    return text


def commit():
    return subprocess.run(["git", "describe", "--always", "--dirty"], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True, check=False).stdout.strip()


def count_block(block, seed, transactions, folder, builds):
    texts = os.environ.get("COVERAGE_TEXTS", "tests/coverage")
    plan, kinds, hazards = read_plan(f"{texts}/{block}.plan")
    waivers = read_waivers(f"{texts}/{block}.waive")
    names = Names(kinds, hazards)
    instances, counts_of_all = [], []
    for dat, lanes in zip(builds[::2], builds[1::2]):
        counts = read_counts(dat, names)
        for number, options in enumerate(read_lanes(lanes)):
            shipped = os.path.basename(dat).endswith(".shipped.dat")
            instances.append(instance_figures(options, shipped, counts[number], waivers, plan))
            counts_of_all.append(counts[number])
    wrong = complaints(instances, waivers, f"{texts}/{block}.plan")
    write(f"{folder}/{block}.info", lcov(counts_of_all))
    write(f"{folder}/{block}.json", json.dumps(
        {"block": block, "seed": int(seed), "transactions": int(transactions),
         "commit": commit(), "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
         "targets": TARGET, "failed": wrong, "waivers": len(waivers),
         "instances": instances}, indent=1) + "\n")
    for instance in instances:
        print(f"{block}: {'shipped' if instance['shipped'] else 'instance'}: "
              f"{instance['options']}: " + ", ".join(
                  f"{instance['hit'][k]} of {instance['total'][k]}"
                  f"{' (%d waived)' % instance['waived'][k] if instance['waived'][k] else ''} "
                  f"{PLURAL[k]}" for k in KINDS))
    for line in wrong:
        print(f"{block}: {line}")
    return 1 if wrong else 0


STYLE = """body{font:14px sans-serif;margin:2em}table{border-collapse:collapse;margin:1em 0}
td,th{border:1px solid #ccc;padding:2px 8px;text-align:left}.r{background:#fcc}.w{background:#eee}
.n{text-align:right}"""


def table(head, rows):
    """Rows are (class, cells)."""
    cells = "".join(f"<th>{html.escape(h)}</th>" for h in head)
    body = "".join(f"<tr class='{c}'>" + "".join(f"<td>{html.escape(str(x))}</td>" for x in row) +
                   "</tr>\n" for c, row in rows)
    return f"<table><tr>{cells}</tr>\n{body}</table>\n"


def figures_row(block, instance):
    row = [block, instance["options"] + (" (shipped)" if instance["shipped"] else "")]
    low = ""
    for kind in KINDS:
        waived = instance["waived"][kind]
        row.append(f"{percent(instance, kind):.1f}% ({instance['hit'][kind]} of "
                   f"{instance['total'][kind]}{f', {waived} waived' if waived else ''})")
        low = "r" if instance["shipped"] and percent(instance, kind) < TARGET[kind] else low
    return low, row


def points_table(data):
    """Testplan item, cover point, and its count in each instance."""
    instances = data["instances"]
    counts = collections.defaultdict(lambda: [""] * len(instances))
    state = {}
    for number, instance in enumerate(instances):
        for row in instance["items"]:
            if row["kind"] in ("point", "cross"):
                key = (row.get("plan") or "Crosses", row["name"])
                counts[key][number] = row["count"] or row.get("waived", 0)
                if instance["shipped"]:
                    state[key] = "" if row["count"] else "w" if "waived" in row else "r"
    head = ["testplan item", "cover point"] + [
        "shipped" if i["shipped"] else f"instance {n}" for n, i in enumerate(instances)]
    return table(head, [(state.get(key, ""), [*key, *counts[key]]) for key in sorted(counts)])


def unreached_table(data):
    rows = [("w" if "waived" in row else "r",
             [instance["options"], row["kind"], row["name"], row.get("waived", "")])
            for instance in data["instances"] if instance["shipped"]
            for row in instance["items"] if row["count"] == 0]
    return table(["instance", "kind", "never reached", "waived because"], rows)


def report(folder, blocks):
    page = f"<!DOCTYPE html><meta charset=utf-8><title>RTL coverage</title><style>{STYLE}</style>" \
           "<h1>RTL coverage</h1>\n<p><a href='lines/index.html'>Lines of the RTL (lcov)</a>. " \
           "Red: below the target. Grey: waived.</p>\n"
    rows, parts = [], ""
    for block in blocks:
        with open(f"{folder}/{block}.json", encoding="utf-8") as file:
            data = json.load(file)
        rows += [figures_row(block, instance) for instance in data["instances"]]
        parts += f"<h2>{block}</h2><p>commit {html.escape(data['commit'])}, seed {data['seed']}, " \
                 f"{data['transactions']} transactions of each instance, {data['time']}.</p>\n"
        parts += "".join(f"<p class=r>{html.escape(line)}</p>\n" for line in data["failed"])
        parts += points_table(data) + unreached_table(data)
    write(f"{folder}/index.html",
          page + table(["block", "instance", *(PLURAL[k] for k in KINDS)], rows) + parts)
    return 0


def main(arguments):
    try:
        if len(arguments) > 6 and arguments[0] == "count" and len(arguments) % 2 == 1:
            return count_block(*arguments[1:5], arguments[5:])
        if len(arguments) > 2 and arguments[0] == "report":
            return report(arguments[1], arguments[2:])
    except (Bad, OSError) as error:
        print(f"rtl-coverage: {error}", file=sys.stderr)
        return 2
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
