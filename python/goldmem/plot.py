"""Pictures as SVG, without other packages: a notebook shows them, `save` writes them."""
from html import escape

from ._library import Error

WIDTH, LEFT, RIGHT, TOP, ROW, HEIGHT = 640, 150, 90, 30, 22, 240
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#e69f00", "#cc79a7", "#56b4e9", "#8c6d1f", "#767676")


class Picture(str):
    """SVG text."""

    def _repr_svg_(self):
        return str(self)

    def save(self, path):
        """Writes the file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self)


def _picture(height, title, parts):
    return Picture(
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
        f'height="{height}" aria-label="{escape(title)}"><style>text{{font:12px system-ui,sans-serif}}'
        f'</style><rect width="{WIDTH}" height="{height}" fill="#fff"/>'
        f'<text x="8" y="18" style="font-weight:600">{escape(title)}</text>\n' + "\n".join(parts) + "\n</svg>\n")


def _number(value):
    return f"{value:,}" if isinstance(value, int) else f"{value:,.4g}"


def bars(labels, values, title=""):
    """A bar for each label."""
    most = max(values, default=0) or 1
    parts = []
    for i, (label, value) in enumerate(zip(labels, values, strict=True)):
        y, width = TOP + i * ROW, value / most * (WIDTH - LEFT - RIGHT)
        parts.append(f'<text x="{LEFT - 6}" y="{y + 14}" text-anchor="end">{escape(str(label))}</text>'
                     f'<rect x="{LEFT}" y="{y + 2}" width="{width:.1f}" height="{ROW - 6}" fill="{COLOURS[0]}">'
                     f'<title>{escape(str(label))}: {_number(value)}</title></rect>'
                     f'<text x="{LEFT + width + 4:.1f}" y="{y + 14}">{_number(value)}</text>')
    return _picture(TOP + len(labels) * ROW + 8, title, parts)


def lines(x, y, title=""):
    """Lines over x: `y` has the values of each by its name; None is a gap."""
    values = [value for line in y.values() for value in line if value is not None]
    most, last, first = max(values, default=0) or 1, max(x, default=1), min(x, default=0)
    bottom, left, right = HEIGHT - 40, 70, WIDTH - 16

    def place(at, value):
        share = (at - first) / (last - first) if last > first else 0
        return f"{left + share * (right - left):.1f} {bottom - value / most * (bottom - TOP):.1f}"

    parts = [f'<path d="M{left} {TOP}V{bottom}H{right}" fill="none" stroke="#999"/>'
             f'<text x="{left - 4}" y="{TOP + 4}" text-anchor="end">{_number(most)}</text>'
             f'<text x="{left - 4}" y="{bottom}" text-anchor="end">0</text>'
             f'<text x="{left}" y="{bottom + 16}">{_number(first)}</text>'
             f'<text x="{right}" y="{bottom + 16}" text-anchor="end">{_number(last)}</text>']
    for i, (name, line) in enumerate(y.items()):
        colour, path, pen = COLOURS[i % len(COLOURS)], "", False
        for at, value in zip(x, line, strict=True):
            path += "" if value is None else f"{'L' if pen else 'M'}{place(at, value)}"
            pen = value is not None
        parts.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="1.6"><title>{escape(name)}</title>'
                     f'</path><text x="{left + 8 + 130 * i}" y="{HEIGHT - 6}" fill="{colour}">{escape(name)}</text>')
    return _picture(HEIGHT, title, parts)


def slots(runs, title="Cycles by what the schedulers did"):
    """The slot stacks of runs of the cycle engine, by their names: {"base": run, ...}."""
    for name, run in runs.items():
        if "slots" not in run.total.get("time", {}):
            raise Error(f"{name}: has no slots, which are of the cycle engine", -22)
    stacks = {name: run["time.slots"] for name, run in runs.items()}
    kinds = [kind for kind in next(iter(stacks.values())) if any(stack[kind] for stack in stacks.values())]
    cycles = {name: run["cycles"] for name, run in runs.items()}
    most, parts = max(cycles.values(), default=1), []
    for i, (name, stack) in enumerate(stacks.items()):
        x, y, whole = LEFT, TOP + i * ROW, sum(stack.values()) or 1
        parts.append(f'<text x="{LEFT - 6}" y="{y + 14}" text-anchor="end">{escape(name)}</text>')
        for k, kind in enumerate(kinds):
            width = stack[kind] / whole * cycles[name] / most * (WIDTH - LEFT - RIGHT)
            parts.append(f'<rect x="{x:.1f}" y="{y + 2}" width="{width:.1f}" height="{ROW - 6}" '
                         f'fill="{COLOURS[k % len(COLOURS)]}"><title>{escape(kind)}: {stack[kind] / whole:.1%}</title>'
                         '</rect>')
            x += width
        parts.append(f'<text x="{x + 4:.1f}" y="{y + 14}">{_number(cycles[name])}</text>')
    below = TOP + len(stacks) * ROW
    for k, kind in enumerate(kinds):
        parts.append(f'<text x="{8 + 105 * (k % 6)}" y="{below + 18 + 16 * (k // 6)}" '
                     f'fill="{COLOURS[k % len(COLOURS)]}">{escape(kind)}</text>')
    return _picture(below + 24 + 16 * ((len(kinds) + 5) // 6), title, parts)
