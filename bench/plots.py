"""plots.py: draws the plots of samples/images/ from bench/results/gpu/times.tsv, as SVG.

Two kinds, each one function: bars with their shares of a measure, and a curve with logarithmic axes.
The files are the same for the same data, and readable in dark mode: the background is white.
"""

import csv
import html
import math

FONT = 'font-family="sans-serif" font-size="12"'
BLUE, GREY, ORANGE = "#3b6fb6", "#8a8f98", "#d9822b"


class Drawing:
    """An SVG text in the making."""

    def __init__(self, width, height, title):
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" role="img" {FONT}>',
            f"<title>{html.escape(title)}</title>",
            f'<rect width="{width}" height="{height}" fill="white"/>',
        ]
        self.text(width / 2, 20, title, anchor="middle", weight="bold")

    def text(self, x, y, text, anchor="start", weight="normal", fill="black"):
        self.parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-weight="{weight}" '
            f'fill="{fill}">{html.escape(text)}</text>'
        )

    def bar(self, x, y, width, height, fill):
        self.parts.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{fill}"/>'
        )

    def line(self, points, stroke, width=1.5, dashes=""):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.parts.append(
            f'<polyline points="{path}" fill="none" stroke="{stroke}" stroke-width="{width}" '
            f'stroke-dasharray="{dashes}"/>'
        )

    def dot(self, x, y, fill):
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{fill}"/>')

    def save(self, path):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join([*self.parts, "</svg>", ""]))


def bars(path, title, groups):
    """groups: (heading, [(label, value, text behind the bar)]); the longest bar of a group fills it."""
    left, right, step = 210, 150, 22
    width = 720
    height = 40 + sum(30 + step * len(rows) for _, rows in groups)
    drawing, y = Drawing(width, height, title), 36
    for heading, rows in groups:
        drawing.text(12, y + 14, heading, weight="bold")
        y += 22
        longest = max(value for _, value, _ in rows)
        for label, value, text in rows:
            length = max((width - left - right) * value / longest, 1)
            reference = label in ("copy", "cublas") or label.startswith("(")
            drawing.text(left - 8, y + 13, label, anchor="end")
            drawing.bar(left, y + 2, length, step - 6, GREY if reference else BLUE)
            drawing.text(left + length + 6, y + 13, text)
            y += step
        y += 8
    drawing.save(path)


def curve(path, title, x_label, y_label, measured, predicted, predicted_label):
    """measured: [(x, y)], with a logarithmic y axis; predicted: the same, drawn as a dashed line."""
    width, height, left, right, top, bottom = 720, 380, 60, 20, 40, 50
    drawing = Drawing(width, height, title)
    values = [y for _, y in measured + predicted]
    low, high = math.floor(math.log2(min(values))), math.ceil(math.log2(max(values)))
    first, last = measured[0][0], measured[-1][0]

    def place(x, y):
        across = (x - first) / (last - first)
        up = (math.log2(y) - low) / (high - low)
        return left + across * (width - left - right), height - bottom - up * (height - top - bottom)

    for power in range(low, high + 1):
        (x0, y), (x1, _) = place(first, 2**power), place(last, 2**power)
        drawing.line([(x0, y), (x1, y)], "#dddddd", 1)
        drawing.text(left - 8, y + 4, f"{2**power:g}", anchor="end")
    for x in [first, *range(8, last + 1, 8)]:
        drawing.text(place(x, 2**low)[0], height - bottom + 18, str(x), anchor="middle")
    drawing.text((left + width) / 2, height - 10, x_label, anchor="middle")
    drawing.text(12, top - 8, y_label)
    drawing.line([place(*point) for point in predicted], ORANGE, 1.5, "5 3")
    drawing.line([place(*point) for point in measured], BLUE)
    for point in measured:
        drawing.dot(*place(*point), BLUE)
    drawing.text(width - 260, top - 6, "measured", fill=BLUE)
    drawing.text(width - 190, top - 6, predicted_label, fill=ORANGE)
    drawing.save(path)


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def seconds(microseconds):
    return f"{microseconds / 1000:.2f} ms" if microseconds >= 10000 else f"{microseconds:.0f} µs"


def by_rate(rows):
    """Bars of achieved rates."""
    found = []
    for row in rows:
        share = "" if row["share"] == "-" else f" ({row['share']})"
        found.append((row["version"], float(row["rate"]), f"{float(row['rate']):.4g} {row['unit']}{share}"))
    return found


def by_time(rows):
    return [(r["version"], float(r["median_us"]), seconds(float(r["median_us"]))) for r in rows]


def draw_all(times, folder):
    rows = read(times)

    def of(sample, size=None, prefix=""):
        return [
            row
            for row in rows
            if row["sample"] == sample and size in (None, row["size"]) and row["version"].startswith(prefix)
        ]

    offsets = [(int(r["version"].split(":")[1]), float(r["median_us"])) for r in of("bank_offset", prefix="bankOffset")]
    slowest = dict(offsets)[32]
    predicted = [(offset, slowest * math.gcd(offset, 32) / 32) for offset, _ in offsets]
    curve(
        folder / "bank_offset.svg",
        "4,096 loads of shared memory by 8 warps of each multiprocessor (H100)",
        "distance of neighbouring threads in words",
        "µs",
        offsets,
        predicted,
        "wavefronts, scaled to 32 ways",
    )
    bars(
        folder / "access_patterns.svg",
        "4,096 stores and loads of a warp, 32 warps on each multiprocessor (H100)",
        [("time", by_time(of("access_patterns", prefix="ownElements")))],
    )
    bars(
        folder / "scan2d.svg",
        "Summed-area table: rate of 9 bytes a pixel (H100)",
        [(f"{size} × {size} pixels", by_rate(of("scan2d", size))) for size in ("4096", "8192")],
    )
    bars(
        folder / "sgemm.svg",
        "Matrix product of 32-bit floats (H100)",
        [(f"{size} × {size}", by_rate(of("sgemm", size))) for size in ("2048", "4096", "8192")],
    )
    bars(
        folder / "bandwidth.svg",
        "Achieved bandwidth (H100)",
        [
            ("transpose, 8192 × 8192 floats", by_rate(of("transpose"))),
            ("add_const_double3, 16 Mi structures", by_rate(of("add_const_double3"))),
            ("histogram, 256 Mi bytes", by_rate(of("histogram"))),
        ],
    )
