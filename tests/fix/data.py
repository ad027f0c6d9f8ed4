#!/usr/bin/env python3
"""data.py WARPLENS [--no-programs]: what `warplens fix --format json` writes is as docs/fix.schema.json says and as the tables say, of a
kernel, a profile and a program, and its ids are the same in two runs. Exit status 77 without jsonschema."""

import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PTX = ROOT / "samples/transpose/transpose.ptx"
LAUNCH = ["--grid", "2,2", "--block", "32,8", "--arg", "f32[4096]=random:1", "--arg", "f32[4096]", "--arg", "i32=64"]


def run(*words, folder=None):
    done = subprocess.run(list(map(str, words)), text=True, capture_output=True, timeout=600, cwd=folder)
    if done.returncode:
        sys.exit(f"{words}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def ids(document):
    """All that a document names so."""
    if isinstance(document, dict):
        return ([document["id"]] if "id" in document else []) + [one for value in document.values() for one in ids(value)]
    return [one for value in document for one in ids(value)] if isinstance(document, list) else []


def check(schema, name, words, holds):
    import jsonschema

    first, second = (json.loads(run(*words)) for _ in range(2))
    jsonschema.validate(first, schema)
    proofs = [one["proof"] for one in first["kernels"] + first["global"] if one["proof"]]
    rows = [row["proven"] for row in first["summary"]]
    assert ids(first) == ids(second) and len(set(ids(first["kernels"]))) == len(ids(first["kernels"])), name
    assert len(proofs) == len(rows) and all(proof["holds"] for proof in proofs), (name, proofs, rows)
    assert set(rows) == ({"yes"} if holds else {"-"} if rows else set()), (name, rows)
    return first


def main():
    try:
        import jsonschema  # noqa: F401
    except ImportError:
        print("skipped: there is no jsonschema")
        return 77
    warplens = pathlib.Path(sys.argv[1]).resolve()
    schema = json.loads((ROOT / "docs/fix.schema.json").read_text())
    tiled = check(schema, "a kernel", [warplens, "fix", PTX, "-k", "transposeTiled<0>", *LAUNCH, "--format=json"], True)
    assert tiled["summary"][0]["then"] * 16 < tiled["summary"][0]["before"] and not tiled["global"][0]["shapes"]
    naive = check(schema, "global memory", [warplens, "fix", PTX, "-k", "transposeNaive", *LAUNCH, "--format=json"], True)
    shape, = naive["global"][0]["shapes"]
    assert [change["kind"] for change in shape["changes"]] == ["tile", "transposed"] and shape["changes"][0]["sketch"]
    with tempfile.TemporaryDirectory() as folder:
        profile = pathlib.Path(folder) / "naive.wlp"
        run(warplens, "kernel", PTX, "-k", "transposeNaive", *LAUNCH, "-q", "--no-sass", "--evidence", "all", "-o", profile)
        said = json.loads(run(warplens, "fix", profile, "--format=json"))
        import jsonschema

        jsonschema.validate(said, schema)
        assert said["global"][0]["unpriced"] == "argument 1: stored column by column" and not said["summary"], said
    if "--no-programs" not in sys.argv:
        program = [warplens, "fix", "--format=json", "--", "tiles", PTX, "columns"]
        assert len(check(schema, "a program", program, True)["summary"]) == 2
    print("fix as data: as its schema says")
    return 0


sys.exit(main())
