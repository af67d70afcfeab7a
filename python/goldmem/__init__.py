"""goldmem from Python: runs, sweeps and tables by the goldmem command; blocks and memory system by libgoldmem.

Needs only the standard library; DataFrames need pandas. docs/python.md has examples.
"""
from . import plot
from ._library import Error
from .blocks import Block, SetIndex, blocks
from .memory import Memory
from .runs import Run, Sweep, Table, compare, presets, run, sweep, workloads

__all__ = ["Block", "Error", "Memory", "Run", "SetIndex", "Sweep", "Table", "blocks", "compare", "plot", "presets", "run",
           "sweep", "workloads"]
