"""place.py: the program in a page, for the tests here; without it, or what runs it, they are skipped."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
OTHER = ROOT / "playground/warplens.mjs"
VARIES = ("command", "origin", "module", "seconds", "cpu_seconds", "wall_seconds")  # of a report: when, where, how it was made


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def place():
    """(the native program, the folder of the page); the environment has what OTHER needs."""
    warplens, folder = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    if not (folder / "warplens.wasm").exists():
        skip(f"{folder} has no warplens.wasm (make playground)")
    if not shutil.which("node"):
        skip("there is no node (Debian: nodejs)")
    os.environ["WARPLENS_WASM"] = str(folder / "warplens.wasm")
    os.environ["WARPLENS_TEST_OTHER"] = str(OTHER)
    return warplens, folder


def without(value, names):
    if isinstance(value, dict):
        return {key: without(item, names) for key, item in value.items() if key not in names}
    return [without(item, names) for item in value] if isinstance(value, list) else value


def report_of(program, reader, words, folder, seconds=None):
    """What `reader` reports of a launch that `program` (a list of words) runs; folder: for the profile. seconds: what it may take."""
    profile = folder / "launch.wlp"
    ran = subprocess.run([*program, "kernel", *words, "--no-sass", "-q", "-o", profile], cwd=ROOT, capture_output=True, text=True, timeout=seconds)
    assert ran.returncode == 0, f"status {ran.returncode}\n{ran.stdout}{ran.stderr}"
    shown = subprocess.run([reader, "report", profile, "--format", "json"], capture_output=True, text=True, check=True)
    return without(json.loads(shown.stdout), VARIES)
