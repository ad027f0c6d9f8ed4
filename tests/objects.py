"""What the objects that a build made of src/ define and need, for the checks that look at them."""

import collections
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src"

Symbol = collections.namedtuple("Symbol", "source name kind section")


def objects(build):
    """{object: its source below src/}; a source may have several."""
    found = {}
    for command in json.loads((build / "compile_commands.json").read_text()):
        source = pathlib.Path(command["file"])
        if SOURCE in source.parents:
            output = command["command"].split(" -o ")[1].split()[0]
            found[build / output] = str(source.relative_to(SOURCE))
    return found


def read_symbols(build):
    """The symbols of all objects, as nm prints them. Ends the program where objects are missing."""
    built = objects(pathlib.Path(build).resolve())
    missing = [str(path) for path in built if not path.exists()]
    if missing or not built:
        print(f"skipped: {len(missing)} objects are not built: {' '.join(missing[:1])}")
        sys.exit(77)
    listing = subprocess.run(
        ["nm", "--print-file-name", "--format=sysv", *map(str, built)], text=True, capture_output=True, check=True
    ).stdout
    for line in listing.splitlines():
        fields = [field.strip() for field in line.split("|")]
        if len(fields) == 7 and ":" in fields[0]:
            file, _, name = fields[0].rpartition(":")
            yield Symbol(built[pathlib.Path(file)], name, fields[2], fields[6])


def read_list(path):
    """{words of a line before the colon: its number}, of a file of lines "word word … : reason"."""
    listed = {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        words, _, reason = line.partition("#")[0].partition(":")
        if words.strip():
            listed[frozenset(words.split())] = number
            if not reason.strip():
                sys.exit(f"{path}:{number}: there is no reason")
    return listed
