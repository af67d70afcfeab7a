#!/usr/bin/env python3
"""Compares sampled runs with full ones: errors, intervals and CPU time, as the table of docs/sampling.md.

Usage: sampling-table.py GOLDMEM [--seeds N] [--page FILE] [NAME...]

Runs each input of INPUTS whole and, with seeds 1 to N, sampled. Of each counter with an interval it takes the
error of the estimate, and if the interval of 95% has the full run's value. Writes the table to standard output, or
with --page between the markers of that page. NAME: only these inputs. Exits with 1 if fewer than LEAST of all
intervals of cycles have the full run's value.
"""
import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile

# Name of the row, input ("trace:" of a workload: written as an Accel-Sim trace first), further arguments.
INPUTS = [
    ("conv2d", "workload:conv2d,rows=2048,columns=2048", []),
    ("stencil3d", "workload:stencil3d,x=512,y=256,z=16,iterations=1", []),
    ("hotspot", "workload:hotspot,n=1024,steps=2", []),
    ("vectoradd", "workload:vectoradd,n=2097152", []),
    ("spmv", "workload:spmv,rows=524288,nonzeros=4", []),
    ("histo", "workload:histo,n=8388608", []),
    ("kmeans", "workload:kmeans,points=1048576,features=4,iterations=1", []),
    ("srad", "workload:srad,rows=1536,columns=1536,iterations=1", []),
    ("sgemm", "workload:sgemm,m=2048,n=4096,k=32", []),
    ("lbm", "workload:lbm,x=128,y=64,z=64,iterations=1", []),
    ("gather", "workload:gather,n=1048576,each=2", []),
    ("bptree", "workload:bptree,records=1048576,queries=32768,ranges=1", []),
    ("raytrace", "workload:raytrace,width=1000,height=800", []),
    ("bfs", "workload:bfs,nodes=1048576", []),
    ("laplace3d", "workload:laplace3d,x=1024,y=512,z=8,iterations=1", []),
    ("vectoradd, v100", "workload:vectoradd,n=16777216", ["--preset=v100"]),
    ("conv2d, a100", "workload:conv2d,rows=4096,columns=4096", ["--preset=a100"]),
    ("conv2d, trace", "trace:conv2d,rows=2048,columns=2048", []),
    ("stencil3d, trace", "trace:stencil3d,x=512,y=256,z=16,iterations=1", []),
]
COUNTERS = ["cycles", "l1d.misses", "l2.misses", "dram.reads", "dram.writes"]
BEGIN, END = "<!-- sampling-table.py: begin -->", "<!-- sampling-table.py: end -->"
LEAST = 0.9


def value(report, name):
    """A counter of a report's total."""
    at = report["total"]
    for part in name.split("."):
        at = at[part]
    return at


def run(goldmem, words):
    """A run's report and CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([goldmem, "run", "-q", "--threads=1", "--json", "-", *words], stdout=subprocess.PIPE,
                          check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return json.loads(done.stdout), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(goldmem, folder, row, share, seeds):
    """Runs a row; returns what the table has of it."""
    name, text, words = row
    if text.startswith("trace:"):
        trace = os.path.join(folder, text[6:].split(",")[0])
        subprocess.run([goldmem, "trace", "convert", "workload:" + text[6:], trace], check=True,
                       stdout=subprocess.DEVNULL)
        text = os.path.join(trace, "kernelslist.g")
    full, full_seconds = run(goldmem, [*words, text])
    result = {"name": name, "ctas": full["total"]["ctas"], "cycles": full["total"]["cycles"], "times": [],
              "errors": {c: [] for c in COUNTERS}, "halves": [], "inside": {c: 0 for c in COUNTERS}}
    for seed in range(1, seeds + 1):
        sampled, seconds = run(goldmem, [*words, f"--sample=ctas:{share},seed={seed}", text])
        for counter in COUNTERS:
            true = value(full, counter)
            interval = sampled["sample"]["intervals"][counter]
            result["errors"][counter].append(abs(value(sampled, counter) - true) / true if true else 0.0)
            result["inside"][counter] += interval["low"] <= true <= interval["high"]
        cycles = sampled["sample"]["intervals"]["cycles"]
        result["halves"].append((cycles["high"] - cycles["value"]) / cycles["value"])
        result["times"].append(seconds)
    result["simulated"] = sampled["sample"]["simulated"] / sampled["sample"]["ctas"]
    result["speed"] = full_seconds / statistics.mean(result["times"])
    return result


def table(rows, share, seeds):
    """The lines of the table."""
    lines = [f"Share asked for: {share}; seeds 1 to {seeds}. Errors are means over the seeds of |estimate - full| / full.",
             "", "| input | CTAs | computed | cycles: error | interval | in it | L2 misses: error | in it | DRAM reads: "
             "error | in it | speed-up |", "| --- " + "| ---: " * 10 + "|"]
    for row in rows:
        def part(counter, row=row):
            return f"{100 * statistics.mean(row['errors'][counter]):.2f}% | "
        def inside(counter, row=row):
            return f"{row['inside'][counter]}/{seeds}"
        lines.append(f"| {row['name']} | {row['ctas']:,} | {100 * row['simulated']:.0f}% | {part('cycles')}"
                     f"±{100 * statistics.mean(row['halves']):.2f}% | {inside('cycles')} | {part('l2.misses')}"
                     f"{inside('l2.misses')} | {part('dram.reads')}{inside('dram.reads')} | {row['speed']:.1f} |")
    lines.append("")
    for counter in COUNTERS:
        got = sum(row["inside"][counter] for row in rows)
        lines.append(f"- {counter}: {got} of {len(rows) * seeds} intervals have the full run's value "
                     f"({100 * got / (len(rows) * seeds):.0f}%)")
    return lines


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("goldmem")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--share", default="10%")
    parser.add_argument("--page")
    parser.add_argument("names", nargs="*")
    own = parser.parse_intermixed_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for row in INPUTS:
            if not own.names or row[0] in own.names:
                rows.append(measure(os.path.realpath(own.goldmem), folder, row, own.share, own.seeds))
                print(table(rows[-1:], own.share, own.seeds)[4], file=sys.stderr, flush=True)
    lines = table(rows, own.share, own.seeds)
    if own.page:
        with open(own.page, encoding="utf-8") as file:
            text = file.read()
        head, rest = text.split(BEGIN)
        tail = rest.split(END)[1]
        with open(own.page, "w", encoding="utf-8") as file:
            file.write(head + BEGIN + "\n" + "\n".join(lines) + "\n" + END + tail)
    else:
        print("\n".join(lines))
    inside = sum(row["inside"]["cycles"] for row in rows)
    return 0 if inside >= LEAST * len(rows) * own.seeds else 1


if __name__ == "__main__":
    sys.exit(main())
