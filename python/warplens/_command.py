"""The command `warplens` of the wheel: the program itself."""

from __future__ import annotations

import os
import sys

from warplens._native import WarplensError, library, prepare_environment, program


def main() -> None:
    try:
        prepare_environment(library().parent)
        path = str(program())
    except WarplensError as error:
        sys.exit(f"warplens: {error}")
    os.execv(path, [path, *sys.argv[1:]])
