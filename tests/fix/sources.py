"""What tests share that have `warplens fix` change a source here, kernel by kernel, and then the sources of a program."""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def run(*words, folder):
    return subprocess.run(list(map(str, words)), text=True, capture_output=True, timeout=600, cwd=folder)


def launch_of(kernel, grid, block, arguments):
    return ["-k", kernel, "--grid", grid, "--block", block, *(word for one in arguments for word in ("--arg", one))]


def data_of(warplens, folder, source, launch):
    """What is found, as data, and its rows of changes of the source. Exit status 77 without libclang."""
    said = run(warplens, "fix", source, *launch, "--format=json", folder=folder)
    if "libclang" in said.stderr:
        print(f"skipped: {said.stderr.strip()}")
        sys.exit(77)
    document = json.loads(said.stdout)
    return document, [row for row in document["summary"] if row["kind"] == "source"]


def build(folder, source):
    """A program of a copy of the source; and the command that made it."""
    copy, command = pathlib.Path(shutil.copy(HERE / source, folder)), f"nvcc -lineinfo -o {pathlib.Path(source).stem} {source}"
    subprocess.run(command.split(), cwd=folder, check=True)
    return copy, command


def main(cases, check, check_program, tools=("nvcc",)):
    """sys.argv: WARPLENS [--no-programs]. check(warplens, folder, *case), check_program(warplens, folder), each in a folder of its own."""
    for tool in tools:
        if not shutil.which(tool):
            print(f"skipped: there is no {tool}")
            return 77
    warplens = pathlib.Path(sys.argv[1]).resolve()
    programs = "--no-programs" not in sys.argv
    for one, case in [(check, case) for case in cases] + [(check_program, ())] * programs:
        with tempfile.TemporaryDirectory() as folder:
            one(warplens, pathlib.Path(folder), *case)
    print(f"{len(cases)} kernels, {'a program' if programs else 'no program in this build'}")
    return 0
