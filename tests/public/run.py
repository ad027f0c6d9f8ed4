#!/usr/bin/env python3
"""Runs public programs under `warplens run`, and writes what came of them into docs/programs.md.

  run.py FOLDER [NAME ...]      runs the programs of programs.tsv, or those of these names, that are
                                built in FOLDER: FOLDER/REPOSITORY/PROGRAM/PROGRAM, with the program's
                                data beside it
      --warplens PATH           build/warplens of this tree, unless told
      --limit SECONDS           each program is stopped after these (default 600)
      --jobs N                  programs at once (default 1: else seconds say little)
      --again                   runs those, too, of which FOLDER/results.tsv has a result
      --write                   writes the table of docs/programs.md from FOLDER/results.tsv
      --check                   runs nothing: is programs.tsv well-formed, and is the table the stored
                                results'?

Results are kept in FOLDER/results.tsv, a row each as soon as it is there: an interrupted run goes on
where it was. Profiles are in FOLDER/profiles, outputs in FOLDER/outputs.

A program is `ok` if it ended with status 0, printed what programs.tsv expects (a regular expression,
where its own check prints anything). One of which nothing is expected has launched a kernel or called a
library that is carried out on the host. It is `stopped` if it was ended after as many launches as
--stop-after says, which programs.tsv gives to those that repeat for minutes what they have done already. Status 1 if a program has no result or one that is not explained.
"""

import argparse
import csv
import dataclasses
import functools
import multiprocessing.pool
import pathlib
import re
import shlex
import sqlite3
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PAGE = ROOT / "docs" / "programs.md"
STORED = HERE / "results.tsv"
FINE = "ok", "stopped"
MARKS = ("<!-- programs: written by tests/public/run.py --write -->\n", "<!-- end of programs -->\n")


@dataclasses.dataclass
class Program:
    """A row of programs.tsv. `options`: of `warplens run`. `explained`: why it cannot be ok, and that this is not ours."""

    repository: str
    commit: str
    folder: str
    program: str
    arguments: str
    options: str
    expected: str
    explained: str

    @property
    def name(self):
        return f"{self.repository.split('/')[1]}/{self.program}"

    @property
    def key(self):
        return f"{self.name} {self.arguments}".strip()


@dataclasses.dataclass
class Result:
    """A row of results.tsv."""

    program: str
    arguments: str
    status: str  # ok, stopped, wrong, fault, refused, limit, not built
    seconds: str
    launches: str
    thread_insts: str
    cause: str

    @property
    def key(self):
        return f"{self.program} {self.arguments}".strip()


def read(path, kind):
    """The rows of a table as objects of `kind`. Exits where a row has another number of columns."""
    with open(path, newline="") as file:
        rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    names = [field.name for field in dataclasses.fields(kind)]
    if rows[0] != names:
        sys.exit(f"{path}:1: columns {', '.join(rows[0])}; expected {', '.join(names)}")
    for number, row in enumerate(rows[1:], 2):
        if len(row) != len(names):
            sys.exit(f"{path}:{number}: {len(row)} columns; expected {len(names)}")
    return [kind(*row) for row in rows[1:]]


def counted(profile):
    """Launches, thread instructions and the first fault of a profile; zeroes without one."""
    if not profile.exists():
        return 0, 0, ""
    with sqlite3.connect(f"file:{profile}?mode=ro", uri=True) as base:
        row = base.execute("SELECT sum(max(launches, 1)), sum(thread_insts), min(fault) FROM launch").fetchone()
    return row[0] or 0, row[1] or 0, row[2] or ""


def complaint(text):
    """What warplens itself said that explains a failure: its last error or refusal."""
    lines = [line for line in text.splitlines() if line.startswith("warplens")]
    telling = [line for line in lines if re.search(r"not supported|refuse|no PTX|holds|missing|error", line)]
    return re.sub(r"^warplens: ", "", telling[0]) if telling else ""


def judge(program, status, text, launches, fault, over):
    """A result's status and cause, of what a run left."""
    said = complaint(text)
    if over:
        return "limit", "not over in the time"
    if fault:
        return "fault", fault.splitlines()[0]
    if status == 0 and "as --stop-after asks" in text:
        return "stopped", ""
    did = launches or program.expected or "On the host, not counted" in text
    if status == 0 and re.search(program.expected, text) and did:
        return "ok", ""
    if said:
        return "refused", said
    if status:
        return "wrong", f"status {status}" if status > 0 else f"signal {-status}"
    return "wrong", "its check failed" if launches else "it launched nothing"


def end(child):
    """Its status, when it was told to end and has saved its profile, or was killed after a minute."""
    child.terminate()
    try:
        return child.wait(60)
    except subprocess.TimeoutExpired:
        child.kill()
        return child.wait()


def run(program, folder, warplens, limit):
    """Runs one program; a Result. Interrupted at the limit, so that its profile is kept."""
    place = folder / program.name
    name = re.sub(r"[^\w.-]+", "_", program.key)
    profile, output = folder / "profiles" / f"{name}.wlp", folder / "outputs" / f"{name}.txt"
    if not (place / program.program).exists():
        return Result(program.name, program.arguments, "not built", "", "", "", "")
    for path in (profile, output):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
    given = shlex.split(program.options), shlex.split(program.arguments)
    command = [warplens, "run", *given[0], "-o", profile, f"./{program.program}", *given[1]]
    start, over = time.monotonic(), False
    with open(output, "w") as file:
        child = subprocess.Popen(command, cwd=place, stdin=subprocess.DEVNULL, stdout=file, stderr=file)
        try:
            status = child.wait(limit)
        except subprocess.TimeoutExpired:
            over = True
            status = end(child)
    seconds = time.monotonic() - start
    launches, insts, fault = counted(profile)
    text = output.read_text(errors="replace")
    word, cause = judge(program, status, text, launches, fault, over)
    figures = f"{seconds:.1f}", str(launches), str(insts)
    return Result(program.name, program.arguments, word, *figures, " ".join(cause.split()))


def write(path, results):
    with open(path, "w", newline="") as file:
        table = csv.writer(file, delimiter="\t", lineterminator="\n", quoting=csv.QUOTE_NONE, quotechar=None)
        table.writerow([field.name for field in dataclasses.fields(Result)])
        table.writerows(dataclasses.astuple(result) for result in results)


def table(programs, results):
    """The Markdown that stands between the marks of docs/programs.md."""
    found = {result.key: result for result in results}
    rows = [(program, found[program.key]) for program in programs if program.key in found]
    ok = sum(result.status == "ok" for _, result in rows)
    stopped = sum(result.status == "stopped" for _, result in rows)
    other = sum(result.status not in FINE and bool(program.explained) for program, result in rows)
    unbuilt = sum(result.status == "not built" for _, result in rows)
    ours = len(rows) - ok - stopped - other
    yield f"{len(rows)} programs: {ok} ok, {stopped} stopped after the launches that were asked for, "
    yield f"{other} that fail for a reason that is not ours "
    yield f"({unbuilt} of these were not built), {ours} others: {100 * ours / max(len(rows) - unbuilt, 1):.1f} % of what was built.\n\n"
    yield "| repository | program | arguments | | seconds | launches | thread instructions | why not |\n"
    yield "| --- | --- | --- | --- | ---: | ---: | ---: | --- |\n"
    for program, result in rows:
        repository, name = program.name.split("/")
        arguments = ", ".join(f"`{text}`" for text in (program.arguments, program.options) if text)
        why = "" if result.status in FINE else program.explained or result.cause
        insts = f"{int(result.thread_insts):,}" if result.thread_insts else ""
        launches = f"{int(result.launches):,}" if result.launches else ""
        cells = [repository, f"`{name}`", arguments, result.status, result.seconds, launches, insts, why]
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"


def page(programs, results):
    """docs/programs.md with its table made anew."""
    text = PAGE.read_text()
    first, last = (text.index(mark) for mark in MARKS)
    return text[: first + len(MARKS[0])] + "\n" + "".join(table(programs, results)) + "\n" + text[last:]


def check(programs):
    """The stored results are those of the page, and every expectation is a regular expression."""
    for program in programs:
        re.compile(program.expected)
    keys = [program.key for program in programs]
    twice = {key for key in keys if keys.count(key) > 1}
    if twice:
        sys.exit(f"programs.tsv names twice: {min(twice)}")
    if page(programs, read(STORED, Result)) != PAGE.read_text():
        sys.exit("docs/programs.md is not what tests/public/run.py --write makes of results.tsv")
    print(f"{len(programs)} programs, as docs/programs.md has them")


def main():
    parser = argparse.ArgumentParser(usage=__doc__, add_help=False)
    parser.add_argument("folder", type=pathlib.Path, nargs="?")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--warplens", type=pathlib.Path, default=ROOT / "build" / "warplens")
    parser.add_argument("--limit", type=float, default=600)
    parser.add_argument("--jobs", type=int, default=1)
    for option in ("--again", "--write", "--check"):
        parser.add_argument(option, action="store_true")
    told = parser.parse_args()
    programs = read(HERE / "programs.tsv", Program)
    if told.check:
        return check(programs)
    if not told.folder:
        parser.error("a folder of built programs")
    kept = told.folder / "results.tsv"
    results = {result.key: result for result in read(kept, Result)} if kept.exists() else {}
    chosen = [p for p in programs if not told.names or p.program in told.names or p.name in told.names]
    left = [program for program in chosen if told.again or program.key not in results]
    with multiprocessing.pool.ThreadPool(told.jobs) as pool:
        one = functools.partial(run, folder=told.folder, warplens=told.warplens.resolve(), limit=told.limit)
        for number, result in enumerate(pool.imap_unordered(one, left), 1):
            results[result.key] = result
            write(kept, results.values())
            print(f"{number}/{len(left)} {result.key}: {result.status} {result.seconds} {result.cause}", flush=True)
    if told.write:
        write(STORED, [results[p.key] for p in programs if p.key in results])
        PAGE.write_text(page(programs, read(STORED, Result)))
    bad = [p for p in chosen if results[p.key].status not in FINE and not p.explained]
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
