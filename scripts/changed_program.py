"""Builds a program in which C files and headers are changed: "FILE: OLD =>NEW", for the scripts that look whether a wrong design is found."""
import glob
import os
import subprocess
import sys

FLAGS = ["-std=c11", "-w", "-fno-lto", "-D_GNU_SOURCE", "-Icmodel/include", "-Icmodel"]


def changed_files(changes, at):
    """The files' texts by their paths. Each OLD must be there once; `at` names the changes in a message."""
    files = {}
    for change in changes:
        path, how = change.split(": ", 1)
        old, new = how.split(" =>", 1)
        if path not in files:
            with open(path, encoding="utf-8") as text:
                files[path] = text.read()
        if files[path].count(old) != 1:
            sys.exit(f"{at}: {path} has '{old}' {files[path].count(old)} times, not once")
        files[path] = files[path].replace(old, new.strip(" "))
    return files


def included_name(header):
    """The name by which files of cmodel/ include a header."""
    return header.removeprefix("cmodel/").removeprefix("include/")


def users_of(headers):
    """The C files that include one of the headers, or a header that does."""
    texts = {}
    for path in glob.glob("cmodel/**/*.[ch]", recursive=True):
        with open(path, encoding="utf-8") as text:
            texts[path] = text.read()
    known, new = set(), set(headers)
    while new:
        known |= new
        lines = [f'#include "{included_name(path)}"' for path in new if path.endswith(".h")]
        new = {path for path, text in texts.items() if any(line in text for line in lines)} - known
    return sorted(path for path in known if path.endswith(".c"))


def build_changed(changes, at, folder, compiler, options):
    """Compiles the changed files, and those that include a changed header, and links them with `options`: objects,
    libraries and flags. Returns the program's path in `folder`."""
    sources, program = [], os.path.join(folder, "changed")
    files = changed_files(changes, at)
    headers = [path for path in files if path.endswith(".h")]
    for path in headers:
        written = os.path.join(folder, "include", included_name(path))
        os.makedirs(os.path.dirname(written), exist_ok=True)
        with open(written, "w", encoding="utf-8") as out:
            out.write(files.pop(path))
    for number, (path, source) in enumerate(files.items()):
        sources.append(os.path.join(folder, f"{number}-{os.path.basename(path)}"))
        with open(sources[-1], "w", encoding="utf-8") as out:
            out.write(source)
    sources += [path for path in users_of(headers) if path not in files]
    subprocess.run([compiler, f"-I{folder}/include", *FLAGS, *sources, *options, "-o", program], check=True)
    return program
