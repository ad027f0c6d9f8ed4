"""What is known to differ from a GPU, and why: the marks of measured/*.txt and wrong_calls.txt, the reasons of reasons.txt."""

import pathlib
import re

FOLDER = pathlib.Path(__file__).resolve().parent
MEASURED = re.compile(r"  # here \((?P<why>[\w-]+)\): (?P<here>.*)")
WRONG_CALL = re.compile(r" here (?P<here>\w+) \((?P<why>[\w-]+)\)")


def reasons():
    rows = [row.split(": ", 1) for row in (FOLDER / "reasons.txt").read_text().splitlines() if not row.startswith("#")]
    return dict(rows)


def wrong_marks():
    """Marks without a reason, reasons without a mark: what is wrong with each."""
    known, found, wrong = reasons(), set(), []
    for path in [*sorted(FOLDER.glob("measured/*.txt")), FOLDER / "wrong_calls.txt"]:
        form = WRONG_CALL if path.name == "wrong_calls.txt" else MEASURED
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if line.startswith("#") or not re.search(r"\bhere\b", line):
                continue
            mark = form.search(line)
            if not mark or mark["why"] not in known:
                wrong.append(f"{path.name}:{number}: differs from a GPU without a reason of reasons.txt")
            found.add(mark and mark["why"])
    return wrong + [f"reasons.txt: {word}: nothing differs for this reason" for word in known if word not in found]
