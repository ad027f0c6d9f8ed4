"""Runs the commands of README.md, docs/guide/*.md and samples/**/README.md and compares what they print.

A command stands in a block of the language `console` after "$ ", with its standard output below it,
up to the next command or the end of the block. With --bless the outputs are written into the files
instead. The tools of CUDA are hidden from the commands: they print the same with and without.
"""

import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ ((?:[^\n]*\\\n)*[^\n]*\n)", re.MULTILINE)


def execute(block, folder):
    """The block as it is after its commands have been run in the folder."""
    environment = dict(os.environ, PATH=f"{folder}/bin:{os.environ['PATH']}", LC_ALL="C.UTF-8")
    environment.update(WARPLENS_PTXAS="none", WARPLENS_NVDISASM="none")
    environment.pop("COLUMNS", None)
    text = ""
    for command in COMMAND.findall(block):
        result = subprocess.run(
            ["bash", "-c", command],
            cwd=folder,
            env=environment,
            text=True,
            capture_output=True,
        )
        text += f"$ {command}{result.stdout}"
        text += "" if text.endswith("\n") else "\n"
    return text


def main():
    warplens = pathlib.Path(sys.argv[1]).resolve()
    bless = sys.argv[2:] == ["--bless"]
    failed = 0
    pages = [ROOT / "README.md", *sorted(ROOT.glob("docs/guide/*.md")), ROOT / "samples" / "README.md"]
    for readme in [*pages, *sorted(ROOT.glob("samples/*/README.md"))]:
        text = readme.read_text()
        with tempfile.TemporaryDirectory() as folder:  # as if it were the repository's
            for name in ("samples", "tests", "examples"):
                os.symlink(ROOT / name, f"{folder}/{name}")
            os.mkdir(f"{folder}/bin")
            os.symlink(warplens, f"{folder}/bin/warplens")
            actual = BLOCK.sub(lambda block: execute(block.group(), folder), text)
        name = str(readme.relative_to(ROOT))
        if actual == text:
            print(f"{name}: {len(COMMAND.findall(text))} commands")
        elif bless:
            readme.write_text(actual)
            print(f"{name}: written")
        else:
            failed += 1
            lines = text.splitlines(), actual.splitlines()
            print("\n".join(difflib.unified_diff(*lines, name, "printed now", lineterm="")))
            print(f"where that is right: {sys.argv[0]} {sys.argv[1]} --bless")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
