#!/usr/bin/env python3
"""readme_app.py WARPLENS: README.md's first example is true. Builds samples/app.cu as it says there, runs the commands,
and finds the lines of each block in what they print: one behind the other, but for blank lines and where README.md has a line
of "…" for what it leaves out. Exit status 77: skipped, there is no nvcc."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def missing(lines, printed):
    """The first of the lines that is not printed next behind the one before it, or None."""
    rest = iter([line.rstrip() for line in printed.splitlines() if line.strip()])
    skips = True  # a block may begin anywhere
    for line in lines:
        if line.strip() == "…":
            skips = True
            continue
        found = (other == line.rstrip() for other in rest)
        if not (any(found) if skips else next(found, False)):
            return line
        skips = False
    return None


def main():
    path = f"{os.environ['PATH']}:/usr/local/cuda/bin"
    if not shutil.which("nvcc", path=path):
        print("skipped: there is no nvcc")
        return 77
    build, summary, lines, fix = BLOCK.findall((ROOT / "README.md").read_text())[:4]
    command, *changed = fix.splitlines()
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(f"{folder}/bin")
        os.symlink(pathlib.Path(sys.argv[1]).resolve(), f"{folder}/bin/warplens")
        shutil.copy(ROOT / "samples/app.cu", folder)
        environment = dict(os.environ, PATH=f"{folder}/bin:{path}", LC_ALL="C.UTF-8", WARPLENS_NVDISASM="")
        environment.pop("COLUMNS", None)
        for said, expected in (
            (build, summary.splitlines()),
            ("warplens report app.wlp --page source", lines.splitlines()),
            (command.removeprefix("$ "), changed),
        ):
            done = subprocess.run(["bash", "-c", said], cwd=folder, env=environment, text=True, capture_output=True)
            line = missing([text for text in expected if text], done.stdout + done.stderr)
            if done.returncode or line is not None:
                sys.exit(f"{said.strip()}: status {done.returncode}; README.md has, but it does not print: {line}\n{done.stdout}{done.stderr}")
    print("README.md: its program does what it says")
    return 0


if __name__ == "__main__":
    sys.exit(main())
