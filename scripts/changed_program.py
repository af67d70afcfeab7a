"""Builds a program in which C files are changed: "FILE: OLD =>NEW", for the scripts that look whether a wrong design is found."""
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


def build_changed(changes, at, folder, compiler, options):
    """Compiles the changed files and links them with `options`: objects, libraries and flags. Returns the program's path in `folder`."""
    written, program = [], os.path.join(folder, "changed")
    for number, (path, source) in enumerate(changed_files(changes, at).items()):
        written.append(os.path.join(folder, f"{number}-{os.path.basename(path)}"))
        with open(written[-1], "w", encoding="utf-8") as out:
            out.write(source)
    subprocess.run([compiler, *FLAGS, *written, *options, "-o", program], check=True)
    return program
