#!/usr/bin/env python3
"""The RTL as other projects take it: filelists, FuseSoC cores (CAPI2) and a Bender package, from the modules'
instances and includes.

  rtl/NAME.f           for each block: its files, dependencies first, for a tool's option -F
  rtl/NAME.core        for each block; rtl/parts.core has the modules that blocks share
  Bender.yml           all files; target goldmem_NAME: a block's only

Usage: rtl-packages.py write   writes them
       rtl-packages.py check   fails if a file is not what `write` makes, names a file that does not exist or is no
                               YAML, or lacks one that its block needs: Verilator and Yosys elaborate each alone
"""
import os
import re
import subprocess
import sys
import tempfile

import yaml

MADE = "made by make rtl-packages"
MODULE = re.compile(r"^\s*module\s+(\w+)", re.M)
INCLUDE = re.compile(r'^\s*`include\s+"([^"]+)"', re.M)
INSTANCE = re.compile(r"^\s*(\w+)\s+(?:#\s*\(|\w+\s*\()", re.M)


def strip(text):
    """The text without its comments."""
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)


def read_modules():
    """Of each module of rtl/: the modules that it instantiates, and the files that it includes."""
    texts = {name[:-3]: strip(open(f"rtl/{name}").read()) for name in sorted(os.listdir("rtl")) if name.endswith(".sv")}
    found = {}
    for name, text in texts.items():
        if MODULE.findall(text) != [name]:
            sys.exit(f"rtl/{name}.sv: must have the module {name} and no other")
        used = [i for i in dict.fromkeys(INSTANCE.findall(text)) if i in texts and i != name]
        found[name] = (used, INCLUDE.findall(text))
    return found


def closure(modules, name, done=None):
    """The modules that `name` needs, itself last: each after those that it instantiates."""
    done = [] if done is None else done
    if name not in done:
        for used in modules[name][0]:
            closure(modules, used, done)
        done.append(name)
    return done


def includes(modules, names):
    """The files that the modules include, in alphabetical order."""
    return sorted({file for name in names for file in modules[name][1]})


def filelist(modules, block):
    """rtl/NAME.f: paths are relative to the file."""
    names = closure(modules, block)
    head = f"// RTL of {block}, {MADE}; paths are relative to this file (-F). Includes: {', '.join(includes(modules, names))}\n"
    return head + "+incdir+.\n" + "".join(f"{name}.sv\n" for name in names)


def core(version, name, what, files, headers, depend, lint):
    """A CAPI2 core. FuseSoC wants that first line."""
    listed = [{file: {"is_include_file": True}} for file in headers] + [f"{file}.sv" for file in files]
    rtl = {"files": listed, "file_type": "systemVerilogSource"}
    if depend:
        rtl["depend"] = depend
    targets = {"default": {"filesets": ["rtl"]}}
    if lint:
        targets["default"]["toplevel"] = name
        targets["lint"] = {"filesets": ["rtl"], "toplevel": name, "default_tool": "verilator",
                           "tools": {"verilator": {"mode": "lint-only", "verilator_options": ["-Wall"]}}}
    data = {"name": f"goldmem:rtl:{name}:{version}", "description": what, "filesets": {"rtl": rtl}, "targets": targets}
    return f"CAPI=2:\n# {MADE}\n" + yaml.safe_dump(data, sort_keys=False, width=120)


def bender(modules, blocks):
    """Bender.yml. Without a block's target all files are taken."""
    needs = {block: set(closure(modules, block)) for block in blocks}
    order = []
    for name in sorted(modules):
        closure(modules, name, order)
    none = "not(any(" + ", ".join(f"goldmem_{block}" for block in blocks) + "))"
    sources = []
    for name in order:
        users = [f"goldmem_{block}" for block in blocks if name in needs[block]]
        target = f"any({', '.join(users + [none])})" if users else none
        if not sources or sources[-1]["target"] != target:
            sources.append({"target": target, "include_dirs": ["rtl"], "files": []})
        sources[-1]["files"].append(f"rtl/{name}.sv")
    data = {"package": {"name": "goldmem", "authors": ["the goldmem authors"]}, "sources": sources}
    return f"# {MADE}. Target goldmem_NAME: the files of one block; without one: all.\n" + yaml.safe_dump(
        data, sort_keys=False, width=1000)


def make_all(modules, blocks):
    """Path and text of each file."""
    version = open("VERSION").read().strip()
    shared = [name for name in sorted(set(sum((closure(modules, b) for b in blocks), []))) if name not in blocks]
    parts = [name for name in dict.fromkeys(sum((closure(modules, n) for n in shared), [])) if name in shared]
    made = {"Bender.yml": bender(modules, blocks)}
    made["rtl/parts.core"] = core(version, "parts", "Modules that the blocks of goldmem share", parts,
                                  includes(modules, parts), [], False)
    for block in blocks:
        names = closure(modules, block)
        others = [f"goldmem:rtl:{name}:{version}" for name in names[:-1] if name in blocks]
        depend = others + ([f"goldmem:rtl:parts:{version}"] if any(n in parts for n in names) else [])
        made[f"rtl/{block}.f"] = filelist(modules, block)
        made[f"rtl/{block}.core"] = core(version, block, f"goldmem's {block}: docs/blocks/{block}.md", [block],
                                         includes(modules, [block]), depend, True)
    return made


def core_files(path, cores, done):
    """The files of a core and of those that it depends on, and their folders of includes."""
    name = yaml.safe_load(open(path))["name"]
    if name in done:
        return []
    done.add(name)
    fileset = yaml.safe_load(open(path))["filesets"]["rtl"]
    files = []
    for other in fileset.get("depend", []):
        files += core_files(cores[other], cores, done)
    for item in fileset["files"]:
        file = item if isinstance(item, str) else next(iter(item))
        if not os.path.isfile(f"rtl/{file}"):
            sys.exit(f"{path}: {file}: no such file")
        files += [f"rtl/{file}"] if isinstance(item, str) else []
    return files


def holds(target, chosen):
    """Whether a target expression of Bender holds: NAME, any(...), all(...), not(...)."""
    python = re.sub(r"\bgoldmem_\w+", lambda m: str(m.group() in chosen), target)
    python = python.replace("any(", "_any(").replace("all(", "_all(").replace("not(", "_not(")
    functions = {"_any": lambda *a: any(a), "_all": lambda *a: all(a), "_not": lambda a: not a, "__builtins__": {}}
    return eval(python, functions)  # of a file that `check` has compared with its own text


def bender_files(chosen):
    """The files of Bender.yml under a set of targets."""
    files = []
    for group in yaml.safe_load(open("Bender.yml"))["sources"]:
        if holds(group["target"], chosen):
            files += group["files"]
    for file in files:
        if not os.path.isfile(file):
            sys.exit(f"Bender.yml: {file}: no such file")
    return files


def run(what, command):
    """Fails with what the command printed, if it fails or prints."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0 or done.stdout + done.stderr:
        sys.exit(f"{what}:\n{done.stdout}{done.stderr}")


def elaborate(what, block, files, read=None):
    """Verilator reads the list itself where it can; Yosys takes the files."""
    run(f"{what}: Verilator", ["verilator", "--lint-only", "-Wall", "--top-module", block] + (read or ["+incdir+rtl"] + files))
    run(f"{what}: Yosys", ["yosys", "-q", "-p", f"read_verilog -sv -Irtl {' '.join(files)}; hierarchy -check -top {block}"])


def check(made, modules, blocks):
    """Fails, and says why, unless the files are current and each block's files suffice."""
    for path, text in made.items():
        if not os.path.isfile(path) or open(path).read() != text:
            sys.exit(f"{path}: not what the RTL says: make rtl-packages")
    there = {f"rtl/{name}" for name in os.listdir("rtl") if name.endswith((".f", ".core"))}
    for path in sorted(there - set(made)):
        sys.exit(f"{path}: of no block; make rtl-packages does not make it")
    cores = {yaml.safe_load(open(path))["name"]: path for path in made if path.endswith(".core")}
    if sorted(bender_files(set())) != sorted(f"rtl/{name}.sv" for name in modules):
        sys.exit("Bender.yml: without a target it must have all files of rtl/")
    for block in blocks:
        listed = [f"rtl/{line}" for line in open(f"rtl/{block}.f").read().split("\n")[2:] if line]
        elaborate(f"rtl/{block}.f", block, listed, ["-F", f"rtl/{block}.f"])
        if bender_files({f"goldmem_{block}"}) != [f for f in bender_files(set()) if f in listed]:
            sys.exit(f"Bender.yml: target goldmem_{block}: not the files of rtl/{block}.f")
        cored = core_files(f"rtl/{block}.core", cores, set())
        missing = [file for file in listed if file not in cored]
        if missing or len(set(cored)) != len(cored):
            sys.exit(f"rtl/{block}.core: lacks {missing}, or has a file twice")


def main():
    modules = read_modules()
    blocks = sorted(name[:-2] for name in os.listdir("cmodel/include/goldmem/ports") if name.endswith(".h"))
    made = make_all(modules, blocks)
    if sys.argv[1:] == ["check"]:
        check(made, modules, blocks)
    elif sys.argv[1:] == ["write"]:
        for path, text in made.items():
            with tempfile.NamedTemporaryFile("w", dir=".", delete=False) as file:
                file.write(text)
            os.chmod(file.name, 0o644)
            os.replace(file.name, path)
    else:
        sys.exit(__doc__)


main()
