#!/usr/bin/env python3
"""Times goldmem and a build of Accel-Sim in turn on the same traces, as the table of docs/benchmarks.md.

Usage: speed-table.py GOLDMEM SIMULATOR [--page FILE] CONFIGURATION...

SIMULATOR: accel-sim.out; LD_LIBRARY_PATH has its libraries. CONFIGURATION: a folder with its gpgpusim.config,
trace.config and interconnect file; goldmem imports the first two, with l2.copy_fills=no and one thread. The traces are
those of GOLDMEM_REFERENCE, where it is set, and INPUTS. User seconds: of the simulator's one run, of the fastest of
goldmem's five. Writes the table to standard output, or with --page between the markers of that page. A run that the
simulator does not end within --limit seconds has no row, which a line on standard error says.
"""
import argparse
import json
import lzma
import os
import resource
import shutil
import subprocess
import sys
import tempfile

# goldmem's workloads, written as Accel-Sim traces.
INPUTS = ["stream,n=262144", "gather,n=7680,bytes=4194304", "hotspot,n=128", "sssp,nodes=4096", "bfs_parboil,nodes=8192",
          "sgemm,m=128,n=128,k=64", "streamcluster,points=4096,dimensions=64",
          "histo_parboil,width=256,height=64,bins=65536", "conflicts,stride=8,loads=512,warps=8"]
REFERENCE = ["a1_syrk_shared", "a2_syrk_private", "c_stream"]
RUNS = 5
BEGIN, END = "<!-- speed-table.py: begin -->", "<!-- speed-table.py: end -->"


def seconds(command, **options):
    """User seconds of a command, and what it printed; None if it failed or passed its limit."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True,
                              **options)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        return None, ""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, done.stdout


def write_traces(goldmem, folder):
    """Writes each trace as text, as the simulator reads it; returns their names and folders."""
    traces = []
    reference = os.environ.get("GOLDMEM_REFERENCE")
    for name in REFERENCE if reference else []:
        at = os.path.join(folder, name)
        os.mkdir(at)
        for file in os.listdir(os.path.join(reference, "traces", name)):
            with open(os.path.join(reference, "traces", name, file), "rb") as packed:
                data = packed.read()
            with open(os.path.join(at, file.removesuffix(".xz")), "wb") as plain:
                plain.write(lzma.decompress(data) if file.endswith(".xz") else data.replace(b".xz", b""))
        traces.append((name, at))
    for text in INPUTS:
        at = os.path.join(folder, text.split(",")[0])
        subprocess.run([goldmem, "trace", "convert", "workload:" + text, at], check=True, stdout=subprocess.DEVNULL)
        traces.append((text, at))
    return traces


def simulate(simulator, configuration, trace, limit):
    """User seconds and cycles of the public simulator; None: it has not ended well."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(configuration, folder, dirs_exist_ok=True)
        used, printed = seconds([simulator, "-trace", os.path.join(trace, "kernelslist.g"), "-config", "gpgpusim.config",
                                 "-config", "trace.config"], cwd=folder, timeout=limit)
    cycles = [line.split("=")[1] for line in printed.splitlines() if line.startswith("gpu_tot_sim_cycle")]
    return (used, int(cycles[-1])) if used is not None and cycles else (None, None)


def run(goldmem, both, trace):
    """User seconds and the total of goldmem."""
    runs = [seconds([goldmem, "run", "--engine=cycle", "--threads=1", "-q", "--json", "-", "-c", both, "--set",
                     "l2.copy_fills=no", trace]) for _ in range(RUNS)]
    if any(used is None for used, _ in runs):
        sys.exit(f"speed-table.py: {goldmem} failed on {trace}")
    return min(used for used, _ in runs), json.loads(runs[0][1])["total"]


def rows_of(own, configuration, traces, folder):
    """The lines of a machine."""
    both = os.path.join(folder, "both.config")
    with open(both, "w", encoding="utf-8") as written:
        for file in ("gpgpusim.config", "trace.config"):
            with open(os.path.join(configuration, file), encoding="utf-8") as part:
                written.write(part.read() + "\n")
    machine = os.path.basename(os.path.normpath(configuration))
    for name, trace in traces:
        theirs, cycles = simulate(own.simulator, configuration, trace, own.limit)
        if theirs is None:
            print(f"{machine}, {name}: the simulator has not ended well", file=sys.stderr)
            continue
        used, total = run(own.goldmem, both, trace)
        row = (f"| {machine} | `{name}` | {total['l1d']['accesses']:,} | {cycles:,} | {theirs:.1f} s | {used:.3f} s | "
               f"{theirs / max(used, 0.001):.0f} |")
        print(row, file=sys.stderr, flush=True)
        yield row


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("goldmem")
    parser.add_argument("simulator")
    parser.add_argument("configurations", nargs="+")
    parser.add_argument("--page")
    parser.add_argument("--limit", type=float, default=900)
    own = parser.parse_args()
    own.goldmem, own.simulator = os.path.realpath(own.goldmem), os.path.realpath(own.simulator)
    lines = ["| machine | trace | L1 accesses | its cycles | public simulator | goldmem | times as fast |",
             "| --- | --- | ---: | ---: | ---: | ---: | ---: |"]
    with tempfile.TemporaryDirectory() as folder:
        traces = write_traces(own.goldmem, folder)
        for configuration in own.configurations:
            lines += rows_of(own, os.path.realpath(configuration), traces, folder)
    if own.page:
        with open(own.page, encoding="utf-8") as file:
            head, rest = file.read().split(BEGIN)
        with open(own.page, "w", encoding="utf-8") as file:
            file.write(head + BEGIN + "\n" + "\n".join(lines) + "\n" + END + rest.split(END)[1])
    else:
        print("\n".join(lines))


if __name__ == "__main__":
    main()
