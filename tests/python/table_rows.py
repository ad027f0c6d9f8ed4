"""Rows of the table of docs/python-tools.md: functions that raise where what they try does not work. `run` executes those of a module, in order."""

import os
import sys
import traceback

_rows = []


def row(name, refused=None):
    """The function is a row of that name. refused: it must fail, with this in its message."""

    def take(function):
        _rows.append((name, function, refused))
        return function

    return take


def run():
    """Prints a line for each row from the number on that is the last argument, 0 without one: its name, a tab, "works", or "refused: …",
    or what is wrong. What the rows print themselves goes to standard error."""
    first = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for name, function, refused in _rows[first:]:
        try:
            function()
            said = "works" if refused is None else f"wrong: it was to fail with {refused!r}"
        except BaseException as error:  # noqa: BLE001 - whatever it is, is the row's result
            text = f"{type(error).__name__}: {error}".strip().split("\n")[0]
            said = f"refused: {text}" if refused and refused in str(error) else f"wrong: {text}"
            if not said.startswith("refused"):
                traceback.print_exc()
        print(f"{name}\t{said}", file=out, flush=True)
