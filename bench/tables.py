"""tables.py: puts a table between two marks of a page."""

import csv


def put(page, mark, rows):
    """rows: the first is the heading. Columns whose values are numbers stand to the right."""
    begin, end = f"<!-- {mark} -->\n", f"<!-- end of {mark} -->"
    text = page.read_text()
    if begin not in text or end not in text:
        raise SystemExit(f"{page.name} has no place for a table: {begin}{end}")
    heading, *body = rows
    numeric = [all(number(row[i]) for row in body) for i in range(len(heading))]
    lines = [heading, ["---:" if right else "---" for right in numeric], *body]
    table = "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)
    start, stop = text.index(begin) + len(begin), text.index(end)
    page.write_text(f"{text[:start]}\n{table}\n\n{text[stop:]}")


def number(text):
    return text.replace(",", "").replace("−", "").replace(".", "").replace(" to ", "").isdigit() or text == "-"


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def whole(text):
    """A number without decimals, with commas, and - for none."""
    value = round(float(text))
    return f"{value:,}".replace("-", "−") if value else "-"


def pairs(path):
    """bench/results/gpu/pairs.tsv as a table for people: what a repair removes, and what it saves."""
    heading = ["sample", "repair", "wavefronts removed", "sectors removed", "verdict before it", "saves, µs"]
    rows = [[*heading, "saved, µs", "of"]]
    for row in read(path):
        verdict = row["verdict"].split(":")[0] or "no finding"
        bounds = f"{whole(row['predicted_least_us']).replace('-', '0')} to {whole(row['predicted_most_us'])}"
        rows.append(
            [row["sample"], f"`{row['before']}` → `{row['after']}`", whole(row["excess_wavefronts"])]
            + [whole(row["excess_sectors"]), verdict, bounds, whole(row["saved_us"]), whole(row["before_us"])]
        )
    return rows
