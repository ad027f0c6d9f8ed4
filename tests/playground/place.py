"""place.py: the program in a page, for the tests here; without it, or what runs it, they are skipped."""

import os
import pathlib
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
OTHER = ROOT / "playground/warplens.mjs"


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
