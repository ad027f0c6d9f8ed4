#!/usr/bin/env python3
"""every_call.py WARPLENS PROGRAM [--bless | --gpu ANSWERS]: what each call of the driver and of the runtime returns where one of its
arguments is wrong, against a GPU's answers (every_call.txt; the head of every_call.c says what is called).

A row of the table is a call and its answers; "A|B" where the GPU answers A, and warplens B. "crash": that process ends there, or takes
longer than ten seconds. Most differences are of the second answer for a handle, in which the GPU's driver reads what it finds; and of
calls whose other arguments are in no order, of which each tells another one first. --bless writes what warplens answers now, and
leaves the GPU's answers; --gpu takes these from a file: what `every_call --apart I N` printed there, of all I."""

import pathlib
import subprocess
import sys
import tempfile

TABLE = pathlib.Path(__file__).resolve().parent / "every_call.txt"


def read_rows(text):
    return {line.split()[0]: line.split()[1:] for line in text.splitlines() if line and not line.startswith("#")}


def ours(answer):
    return answer.rpartition("|")[2]


def write_table(rows):
    head = [line for line in TABLE.read_text().splitlines() if line.startswith("#")] if TABLE.exists() else []
    TABLE.write_text("".join(f"{line}\n" for line in [*head, *(" ".join([name, *answers]) for name, answers in rows.items())]))


def main(warplens, program, *options):
    command = [pathlib.Path(warplens).resolve(), "run", "-q", "--no-save", "--gpu", "h200", pathlib.Path(program).resolve(), "--apart", "0", "1"]
    with tempfile.TemporaryDirectory() as folder:  # some calls write files
        done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    now = read_rows(done.stdout)
    if options[:1] == ("--gpu",):
        gpu = read_rows(pathlib.Path(options[1]).read_text())
        write_table({name: [a if a == b else f"{a}|{b}" for a, b in zip(gpu[name], answers, strict=True)] for name, answers in now.items()})
        return 0
    table = read_rows(TABLE.read_text())
    if options[:1] == ("--bless",):
        gpu = {name: [answer.partition("|")[0] for answer in answers] for name, answers in table.items()}
        write_table({name: [a if a == b else f"{a}|{b}" for a, b in zip(gpu[name], answers, strict=True)] for name, answers in now.items()})
        return 0
    wrong = [f"{name}: in the tables of calls, and not in every_call.txt" for name in now if name not in table]
    wrong += [f"{name}: in every_call.txt, and not called" for name in table if name not in now]
    for name in now.keys() & table.keys():
        expected = [ours(answer) for answer in table[name]]
        if now[name] != expected:
            wrong.append(f"{name}: {' '.join(now[name])}, not {' '.join(expected)}")
    answers = [answer for row in table.values() for answer in row]
    alike = sum("|" not in answer for answer in answers)
    print("".join(f"{line}\n" for line in sorted(wrong)) + f"{len(table)} calls, {len(answers)} answers, {alike} as a GPU's, {len(wrong)} wrong")
    return bool(wrong) or not now


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
