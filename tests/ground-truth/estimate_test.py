#!/usr/bin/env python3
"""estimate_test.py: estimate.py takes a launch for a row where kernel, number, grid and block are the row's, and names the rows that it
leaves. With estimates that were kept, so it runs no program."""

import json
import pathlib
import subprocess
import sys
import tempfile

import estimate

HERE = pathlib.Path(__file__).resolve().parent
TABLE = "h200/times"


def launch(row, us, grid=None):
    shape = {of: [int(n) for n in row[of].split("x")] for of in ("grid", "block")}
    return {"kernel": row["kernel"], "launch": int(row["launch"]), **shape, **({"grid": grid} if grid else {}), "us": us, "limit": "L2"}


def main():
    path = HERE / f"{TABLE}.csv"
    before, rows = path.read_text(), [row for row in estimate.read(path)[2] if row["program"] == "relu"]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        found = [launch(rows[0], 7.25), launch(rows[1], 8.5, [1, 2, 3])]
        (folder / "h200.relu.json").write_text(json.dumps(found))
        command = [sys.executable, "-B", HERE / "estimate.py", sys.argv[1], folder, TABLE, "--kept", folder, "--dry-run", "--only", "relu,lud"]
        said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    lines = said.splitlines()
    kernel, other = rows[0]["kernel"], rows[1]["kernel"]
    assert any(line.startswith(f"relu 0: {kernel[:40]}") and line.endswith("-> ~7.2 us") for line in lines), said
    assert f"left: relu {rows[1]['launch']}: {other[:60]}: another grid or block" in lines, said
    assert "relu: 1 of 4 rows" in lines and "lud: 0 of 4 rows" in lines, said
    assert sum("program is not there" in line for line in lines) == 4, said
    assert path.read_text() == before
    print("4 rows of relu: one estimated, three left; lud is not there")


main()
