"""Draws what bench/run measured as one SVG: rates of each kernel, and growth with the grid."""

import math
from xml.sax.saxutils import escape

COLOURS = ["#4269d0", "#a9bdf0", "#3ca951", "#a8dcb2", "#ff725c", "#ffc4ba", "#6cc5b0", "#c9c9c9"]
LEFT, TOP, BAR, GAP, WIDE = 130, 60, 9, 10, 620  # pixels


def text(x, y, content, anchor="start", size=11):
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}">{escape(content)}</text>'


def box(x, y, width, height, colour, title):
    shape = f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height}" fill="{colour}">'
    return f"{shape}<title>{escape(title)}</title></rect>"


def line_through(xs, ys):
    """Least squares of relative deviations: start and slope of y = start + slope x."""
    weights = [1 / y**2 for y in ys]
    total = sum(weights)
    x_mean = sum(w * x for w, x in zip(weights, xs)) / total
    y_mean = sum(w * y for w, y in zip(weights, ys)) / total
    products = sum(w * (x - x_mean) * (y - y_mean) for w, x, y in zip(weights, xs, ys))
    slope = products / sum(w * (x - x_mean) ** 2 for w, x in zip(weights, xs))
    return y_mean - slope * x_mean, slope


def rates(column, rows, y):
    """A bar for each kernel and configuration: the median of wall-clock rates, with its extremes."""
    kernels = [row for row in rows if row[0] == "kernels"]
    kinds = list(dict.fromkeys(tuple(row[2:5]) for row in kernels))
    most = max((float(row[column("wall_high")]) for row in kernels), default=1)
    parts = []
    for i, kind in enumerate(kinds):
        x = LEFT + i % 3 * 220
        label = f"{kind[0]}, {kind[1]} worker{'s' if kind[1] != '1' else ''}, counting {kind[2]}"
        parts.append(box(x, y + i // 3 * 16 - 9, 10, 10, COLOURS[i % len(COLOURS)], label))
        parts.append(text(x + 15, y + i // 3 * 16, label))
    y += (len(kinds) + 2) // 3 * 16 + 10
    for name in dict.fromkeys(row[1] for row in kernels):
        mine = [row for row in kernels if row[1] == name]
        parts.append(text(LEFT - 8, y + len(mine) * BAR / 2 + 4, name, "end"))
        for row in mine:
            low, middle, high = (float(row[column(f"wall_{one}")]) for one in ("low", "M_per_s", "high"))
            width = WIDE * middle / most
            title = f"{' '.join(row[1:5])}: {middle:.0f} M/s ({low:.0f} to {high:.0f})"
            parts.append(box(LEFT, y, width, BAR - 1, COLOURS[kinds.index(tuple(row[2:5])) % 8], title))
            ends = LEFT + WIDE * low / most, LEFT + WIDE * high / most
            line = f'<path d="M{ends[0]:.1f} {y + 4}H{ends[1]:.1f}" stroke="black" stroke-width="1"/>'
            parts.append(line)
            parts.append(text(max(ends[1], LEFT + width) + 4, y + BAR - 1, f"{middle:.0f}", size=9))
            y += BAR
        y += GAP
    return parts, y


def growth(column, rows, y):
    """CPU seconds with a line through them, and memory, against the number of blocks, both axes
    logarithmic."""
    points = [row for row in rows if row[0] == "growth" and row[3] == "1"]
    if not points:
        return [], y
    parts = [text(LEFT, y, "growth with the grid, one worker: CPU seconds (dots) with the line a + b x blocks through "
                           "them, peak MB (squares)")]
    y += 16
    height = 160

    def place(blocks, value):
        across = (math.log10(blocks) - 1) / 4
        return LEFT + WIDE * across, y + height - height * (math.log10(max(value, 1e-4)) + 4) / 7

    for power in range(-4, 4):
        _, at = place(10, 10.0**power)
        parts.append(f'<path d="M{LEFT} {at:.1f}h{WIDE}" stroke="#ddd"/>')
        parts.append(text(LEFT - 8, at + 4, f"{10.0**power:g}", "end", 9))
    for engine in dict.fromkeys(row[2] for row in points):
        mine = [row for row in points if row[2] == engine]
        blocks = [int(row[1].split(":")[1]) for row in mine]
        cpu = [float(row[column("insts_M")]) / float(row[column("cpu_M_per_s")]) for row in mine]
        colour = COLOURS[0 if engine == "interp" else 2]
        if len(mine) > 1:
            start, slope = line_through(blocks, cpu)
            steps = [blocks[0] * (blocks[-1] / blocks[0]) ** (i / 40) for i in range(41)]
            path = "L".join("{:.1f} {:.1f}".format(*place(x, start + slope * x)) for x in steps)
            parts.append(f'<path d="M{path}" stroke="{colour}" fill="none"/>')
        for row, x, value in zip(mine, blocks, cpu):
            across, at = place(x, value)
            title = f"<title>{engine}, {x} blocks: {value:.4g} CPU seconds</title>"
            parts.append(f'<circle cx="{across:.1f}" cy="{at:.1f}" r="4" fill="{colour}">{title}</circle>')
            memory = float(row[column("peak_MB")])
            across, at = place(x, memory)
            parts.append(box(across - 3, at - 3, 6, 6, colour, f"{engine}, {x} blocks: {memory:g} MB"))
            parts.append(text(across, y + height + 14, f"{x} blocks", "middle", 9))
    return parts, y + height + 30


def write(path, columns, rows, machine):
    bars, y = rates(columns.index, rows, TOP)
    dots, y = growth(columns.index, rows, y + 20)
    head = [text(LEFT, 20, "million thread instructions per second of wall time", size=14)]
    head.append(text(LEFT, 38, machine))
    size = f'width="{LEFT + WIDE + 60}" height="{y:.0f}"'
    start = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif">'
    back = '<rect width="100%" height="100%" fill="white"/>'
    path.write_text("\n".join([start, back, *head, *bars, *dots, "</svg>"]) + "\n")
