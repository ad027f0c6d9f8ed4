"""python -m warplens [OPTION...] SCRIPT [ARGUMENT...]: as `warplens run [OPTION...] python SCRIPT [ARGUMENT...]`."""

from __future__ import annotations

import os
import sys

from warplens._gpu import find
from warplens._native import WarplensError, library, prepare_environment, program


def main() -> None:
    arguments = sys.argv[1:]
    script = next((i for i, word in enumerate(arguments) if not word.startswith("-")), None)
    if script is None:
        sys.exit("usage: python -m warplens [OPTION=VALUE...] SCRIPT [ARGUMENT...]\n"
                 "The options are those of 'warplens run', each in one word: --gpu=a100")
    options = arguments[:script]
    try:
        where = [word.removeprefix("--on=") for word in options if word.startswith("--on=")] or [os.environ.get("WARPLENS_ON") or "cpu"]
        if where[-1] == "auto":
            where = ["gpu" if find("auto") else "cpu"]
        options = [word for word in options if not word.startswith("--on=")] + [f"--on={where[-1]}"]
        if where[-1] != "gpu":
            prepare_environment(library().parent)
        path = program()
    except WarplensError as error:
        sys.exit(f"warplens: {error}")
    output = [] if any(word.startswith(("-o", "--output", "--no-save")) for word in options) else [
        "-o", os.path.splitext(os.path.basename(arguments[script]))[0] + ".wlp"]
    os.execv(path, [str(path), "run", *output, *options, "--as", arguments[script],
                    sys.executable, "-m", "warplens._script", *arguments[script:]])


main()
