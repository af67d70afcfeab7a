#!/usr/bin/env python3
"""Ramulator 2.1's figures beside those of goldmem's DRAM standards: docs/dram.md, tests/unit/cycle/dram/test_parts_reference.c.

Usage: figures.py RAMULATOR DRIVER, the folder of Ramulator's sources with its built library, and the program made of
driver.cpp:
    cmake -S RAMULATOR -B RAMULATOR/build -DRAMULATOR_PYTHON_BINDINGS=OFF && make -C RAMULATOR/build
    g++ -std=c++20 -O2 -IRAMULATOR/src -IRAMULATOR/ext/fmt/include -IRAMULATOR/ext/yaml-cpp/include driver.cpp -o DRIVER \\
        -LRAMULATOR -lramulator -Wl,-rpath,RAMULATOR RAMULATOR/build/_deps/fmt-build/libfmt.a \\
        RAMULATOR/build/_deps/yaml-cpp-build/libyaml-cpp.a
"""
import os
import subprocess
import sys
import tempfile

if len(sys.argv) != 3:
    sys.exit(__doc__)
FOLDER, DRIVER = (os.path.abspath(path) for path in sys.argv[1:])
sys.path.insert(0, FOLDER + "/python")
import ramulator  # noqa: E402
from ramulator.export import dict_to_yaml  # noqa: E402

QUEUE = 256
READ, WRITE = 0, 1
# DRAM, controller, pseudo-channels (0: no such level), columns of a row in bursts, beats of a burst, stack identifiers
STANDARDS = {
    "gddr6": (lambda: ramulator.dram.GDDR6(org_preset="GDDR6_8Gb_x16", timing_preset="GDDR6_14000_1350mV_double"), "GenericDDR", 0, 64, 16, False),
    "hbm2": (lambda: ramulator.dram.HBM2(org_preset="HBM2_8Gb", timing_preset="HBM2_2000Mbps"), "HBM12", 2, 32, 4, False),
    "hbm2e": (lambda: ramulator.dram.HBM2(org_preset="HBM2_8Gb", timing_preset="HBM2_2400Mbps"), "HBM12", 2, 32, 4, False),
    "hbm3": (lambda: ramulator.dram.HBM3(org_preset="HBM3_4Gb", timing_preset="HBM3_6400Mbps"), "HBM34", 2, 32, 8, True),
}


def patterns(parts, columns):
    """The requests of each figure: cycle, type, pseudo-channel, bank, row, column; as in test_parts_reference.c."""
    yield "idle", [(0, READ, 0, 0, 0, 5)]
    stream = []
    for i in range(8192):
        in_part = i // parts
        line = in_part // 4 // columns
        stream.append((0, READ, i % parts, in_part % 4 + line % 4 * 4, line // 4, in_part // 4 % columns))
    yield "stream", stream
    state, random = 88172645463325252, []
    for i in range(4096):
        state ^= (state << 13) & (2**64 - 1)
        state ^= state >> 7
        state ^= (state << 17) & (2**64 - 1)
        random.append((0, READ, state % parts, (state >> 8) % 16, i + 1, (state >> 16) % columns))
    yield "random", random
    for name, bank in (("turnarounds in a group", 0), ("turnarounds", 1)):
        yield name, [(0, READ, 0, 0, 1, 0), (0, READ, 0, bank, 1, 0), (400, READ, 0, 0, 1, 1), (402, WRITE, 0, 0, 1, 2),
                     (700, WRITE, 0, 0, 1, 3), (702, READ, 0, bank, 1, 4)]


def run(standard, requests, refresh):
    """Returns the commands, as (cycle, name), and the end of the last read's data."""
    make, controller, pseudo, _, beats, stacked = STANDARDS[standard]
    dram = make()
    tick = type(dram).tick_multiplier
    manager = "NoRefresh" if not refresh else "HBM34PerBankRefresh" if stacked else "PerBank"
    with tempfile.TemporaryDirectory() as folder:
        control = getattr(ramulator.controller, controller)(
            dram=dram, scheduler=ramulator.scheduler.FRFCFS(), refresh_manager=getattr(ramulator.refresh_manager, manager)(),
            row_policy=ramulator.row_policy.Open(), addr_mapper=ramulator.addr_mapper.PassThroughAddrMapper(),
            read_buffer_size=QUEUE, controller_plugins=[ramulator.controller_plugin.CmdTraceRecorder(path=folder + "/commands")])
        memory = ramulator.memory_system.GenericDRAM(
            clock_ratio=1, controllers=[control], channel_mapper=ramulator.channel_mapper.PassThroughChannelMapper())
        with open(folder + "/config.yaml", "w", encoding="ascii") as file:
            file.write(dict_to_yaml({"frontend": ramulator.frontend.External(clock_ratio=1).to_config(), "memory_system": memory.to_config()}))
        with open(folder + "/requests", "w", encoding="ascii") as file:
            for at, kind, part, bank, row, column in requests:
                place = [0] + [part] * (pseudo > 0) + [0] * stacked + [bank % 4, bank // 4, row, column * beats]
                print(at * tick, kind, *place, file=file)
        last = subprocess.run([DRIVER, folder + "/config.yaml", folder + "/requests"], check=True, capture_output=True, text=True).stdout
        with open(folder + "/commands.ch0", encoding="ascii") as file:
            rows = [line.split(",") for line in file if line[0].isdigit()]
    return [(int(row[0]) / tick, row[1]) for row in rows], float(last.split("\n")[-2]) / tick


def cycles(commands, kind):
    return [at for at, name in commands if name == kind]


for name, (_, _, pseudo_channels, row_columns, _, _) in STANDARDS.items():
    for figure, list_of_requests in patterns(max(1, pseudo_channels), row_columns):
        for refreshed in [False, True] if figure in ("stream", "random") and name != "gddr6" else [False]:
            issued, end = run(name, list_of_requests, refreshed)
            if figure == "idle":
                text = f"{end - cycles(issued, 'ACT')[0]:g} cycles"
            elif figure == "stream":
                reads = cycles(issued, "RD")
                text = f"{(7168 - 1024) / (reads[7168] - reads[1024]):.4f} bursts a cycle"
            elif figure == "random":
                rows_opened = cycles(issued, "ACT")
                text = f"{3072 * 1000 / (rows_opened[3584] - rows_opened[512]):.1f} activates in 1000 cycles"
            else:
                columns_used = [at for at, kind in issued if kind in ("RD", "WR")]
                text = f"read to write {columns_used[3] - columns_used[2]:g}, write to read {columns_used[5] - columns_used[4]:g}"
            print(f"{name}: {figure}{', with refresh' if refreshed else ''}: {text}")
