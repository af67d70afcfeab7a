#!/usr/bin/env python3
"""Checks which folders of cmodel/ may know which, and that no files know each other in a circle.

A file knows another when it includes its header or uses a function that is defined there. FOLDERS says which
folders each folder may know, besides itself; within cycle/ the units know one another only through the headers in
ENTRANCES. Usage: lint-arrows.py [-v]   (-v: prints the arrows between folders)
"""
import os
import re
import sys

BELOW = "include base"
SIDE = f"{BELOW} blocks cache stats policy config gates"
FOLDERS = {
    "include": "base",
    "base": "include",
    "blocks": BELOW,
    "gates": f"{BELOW} blocks",
    "config": f"{BELOW} blocks",
    "cache": SIDE,
    "stats": SIDE,
    "coherence": SIDE,
    "policy": SIDE,
    "trace": BELOW,
    "workload": f"{BELOW} trace",
    "frontend": f"{SIDE} trace workload",
    "analysis": f"{SIDE} frontend",
    "order": f"{SIDE} frontend analysis",
    "cycle/util": BELOW,
    "cycle/noc": f"{SIDE} cycle/util",
    "cycle/dram": f"{SIDE} cycle/util",
    "cycle/tracker": f"{SIDE} cycle/util cycle/noc",
    "cycle/l2": f"{SIDE} coherence cycle/util cycle/noc cycle/tracker cycle/dram",
    "cycle/l1": f"{SIDE} coherence frontend cycle/util cycle/noc",
    "cycle/lsu": f"{SIDE} coherence frontend cycle/util cycle/l1",
    "cycle/sm": f"{SIDE} coherence frontend cycle/util cycle/lsu",
    "cycle/engine": f"{SIDE} coherence frontend analysis cycle/util cycle/noc cycle/tracker cycle/dram cycle/l2 cycle/l1 cycle/lsu cycle/sm",
    "litmus": f"{SIDE} trace run",
    "run": f"{SIDE} frontend analysis order cycle/engine",
    "report": f"{SIDE} analysis",
    "cli": None,  # all; nobody knows it
}
# What a unit of the timed engine shows to the others, which include nothing else of it.
ENTRANCES = {
    "cycle/l1": "cmodel/cycle/l1/l1.h",
    "cycle/lsu": "cmodel/cycle/lsu/load_store.h",
    "cycle/sm": "cmodel/cycle/sm/sm.h",
    "cycle/noc": "cmodel/cycle/noc/network.h cmodel/cycle/noc/packet.h cmodel/cycle/noc/credit_wire.h",
    "cycle/tracker": "cmodel/cycle/tracker/tracker_bank.h",
    "cycle/l2": "cmodel/cycle/l2/l2_bank.h",
    "cycle/dram": "cmodel/cycle/dram/gddr5.h",
}

DEFINITION = re.compile(r"^(?!static\b|typedef\b|struct\b|enum\b|#|extern\b)[A-Za-z_][^;{}=]*?\b(gm_\w+)\((?:[^;{}]|\n)*?\)\s*\n\{", re.M)
INCLUDE = re.compile(r'^#include "([^"]+)"', re.M)


def folder(path):
    """The folder of FOLDERS that a file under cmodel/ belongs to."""
    parts = path.split("/")
    return "/".join(parts[1:3]) if parts[1] == "cycle" else parts[1]


def read():
    """Each file's text without its comments."""
    text = {}
    for place, _, names in os.walk("cmodel"):
        for name in names:
            if name.endswith((".c", ".h")):
                path = f"{place}/{name}"
                with open(path, encoding="utf-8") as file:
                    text[path] = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
    return text


def arrows_of(text):
    """{(from, to): what} for each pair of files of which the first knows the second."""
    arrows = {}
    home = {}
    for path, body in text.items():
        if path.endswith(".c"):
            for match in DEFINITION.finditer(body):
                home[match.group(1)] = path
    for path, body in text.items():
        for name in INCLUDE.findall(body):
            for to in (f"cmodel/{name}", f"cmodel/include/{name}"):
                if to in text and to != path:
                    arrows[path, to] = f"includes {name}"
        if path.endswith(".c"):
            for name in set(re.findall(r"\bgm_\w+(?=\()", body)):
                to = home.get(name)
                if to is not None and to != path:
                    arrows.setdefault((path, to), f"uses {name}")
    return arrows


def circles_of(arrows):
    """Sets of files of which each knows each other, by one way or another [Tarjan]."""
    graph = {}
    for source, to in arrows:
        graph.setdefault(source, set()).add(to)
        graph.setdefault(to, set())
    number, low, stack, circles = {}, {}, [], []

    def visit(node):
        number[node] = low[node] = len(number)
        stack.append(node)
        for other in graph[node]:
            if other not in number:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], number[other])
        if low[node] == number[node]:
            circle = []
            while not circle or circle[-1] != node:
                circle.append(stack.pop())
            if len(circle) > 1:
                circles.append(sorted(circle))

    sys.setrecursionlimit(10000)
    for node in sorted(graph):
        if node not in number:
            visit(node)
    return circles


def main():
    text = read()
    arrows = arrows_of(text)
    bad = []
    seen = set()
    for (source, to), what in sorted(arrows.items()):
        a, b = folder(source), folder(to)
        if a == b or a not in FOLDERS or FOLDERS[a] is None:
            continue
        seen.add((a, b))
        if b not in FOLDERS[a].split():
            bad.append(f"{source}: {what}: {a}/ must not know {b}/")
        elif b in ENTRANCES and "includes" in what and to not in ENTRANCES[b].split():
            bad.append(f"{source}: {what}: private to {b}/")
    for a in sorted({folder(path) for path in text} - set(FOLDERS)):
        bad.append(f"cmodel/{a}: a folder that this check does not know")
    for circle in circles_of(arrows):
        ways = [f"{os.path.basename(a)} {what}" for (a, b), what in sorted(arrows.items())
                if a in circle and b in circle]
        bad.append("in a circle: " + " ".join(map(os.path.basename, circle)) + "\n    " + "\n    ".join(ways))
    names = {}
    for path in text:
        names.setdefault(os.path.basename(path), []).append(path)
    for name, paths in sorted(names.items()):
        paths = [path for path in paths if "/ports/" not in path]
        if len(paths) > 1:
            bad.append(f"two files of one name: {' '.join(sorted(paths))}")
    if "-v" in sys.argv:
        for a in FOLDERS:
            print(f"{a:14} -> {' '.join(sorted(b for (x, b) in seen if x == a))}")
    for line in bad:
        print(line, file=sys.stderr)
    sys.exit(1 if bad else 0)


main()
