#!/usr/bin/env python3
"""every_call.py WARPLENS PROGRAM KIND [--bless | --gpu ANSWERS]: what each call of the driver and of the runtime returns where something
about its arguments is wrong, against a GPU's answers (every_call.KIND.txt; the head of every_call.c says what is called).
KIND: `arguments`, each wrong in turn; `no_device`, where there is none; `fields`, of structures, and members of enumerations: of these no GPU has
been asked yet, and what is looked at is that each call ends, with an error that there is, but where a host's address is wrong.

A row of a table is a call and its answers, "N*A" for N that are alike; "A|B" where the GPU answers A, and warplens B. "crash": that
process ends there, or takes longer than ten seconds; "-": that call is not made; "absent" of the GPU: CUDA 13 has no such call; "?":
no GPU has been asked yet.
Most differences are of an object that is none, in which the GPU's driver reads what it finds; of numbers that no program can mean;
and of calls whose other arguments are in no order, of which each tells another one first. --bless writes what warplens answers now,
and leaves the GPU's answers; --gpu takes these from a file: what `every_call --apart I N` printed there, of all I."""

import itertools
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# Copies of the host's memory, beyond what there is; structures of one kind of node that are taken for another's, with its addresses.
MAY_CRASH = re.compile(r"(cu(da)?Memcpy[23]D\w*|cudaGraph\w*MemcpyNode\w*|cu(da)?GraphAddNode(_v2)?|cudaGraph(Exec)?NodeSetParams)/.*")
ERRORS = pathlib.Path(__file__).resolve().parents[2] / "src/cuda/runtime/errors.def"
KINDS = {"arguments": ([], {}), "fields": (["--fields"], {}), "no_device": ([], {"CUDA_VISIBLE_DEVICES": "", "WARPLENS_TEST_RIGHT": "1"})}


def unpack(words):
    for word in words:
        count, star, answer = word.partition("*")
        yield from [answer] * int(count) if star else [word]


def pack(answers):
    groups = [(answer, len(list(group))) for answer, group in itertools.groupby(answers)]
    return " ".join(answer if count == 1 else f"{count}*{answer}" for answer, count in groups)


def read_rows(text):
    return {line.split()[0]: list(unpack(line.split()[1:])) for line in text.splitlines() if line and not line.startswith("#")}


def write_table(table, gpu, now):
    head = [line for line in table.read_text().splitlines() if line.startswith("#")] if table.exists() else []
    rows = []
    for name, answers in now.items():
        theirs = gpu.get(name, ["?"] * len(answers))  # a new row: a GPU must be asked
        if all(answer in ("crash", "-") for answer in theirs):
            theirs = ["absent"] * len(answers)
        rows.append(f"{name} {pack(a if a == b else f'{a}|{b}' for a, b in zip(theirs, answers, strict=True))}")
    table.write_text("".join(f"{line}\n" for line in [*head, *rows]))


def survived(now):
    known = {"-"} | set(re.findall(r"^ERROR\(\w+, (\d+),", ERRORS.read_text(), re.M))
    wrong = [f"{name}: crashes" for name, answers in now.items() if "crash" in answers and not MAY_CRASH.fullmatch(name)]
    wrong += [f"{name}: {answer} is no error" for name, answers in now.items() for answer in set(answers) - known - {"crash"}]
    print("".join(f"{line}\n" for line in sorted(wrong)) + f"{len(now)} rows, {sum(map(len, now.values()))} answers, {len(wrong)} wrong")
    return bool(wrong) or not now


def main(warplens, program, kind, *options):
    table = pathlib.Path(__file__).resolve().parent / f"every_call.{kind}.txt"
    arguments, environment = KINDS[kind]
    command = [pathlib.Path(warplens).resolve(), "run", "-q", "--no-save", "--gpu", "h200", pathlib.Path(program).resolve(), *arguments, "--apart", "0", "1"]
    with tempfile.TemporaryDirectory() as folder:  # some calls write files
        done = subprocess.run(command, cwd=folder, env={**os.environ, **environment}, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    now = read_rows(done.stdout)
    if kind == "fields":
        return survived(now)
    if kind == "no_device":
        now = {name: answers[-1:] for name, answers in now.items()}
    if options[:1] == ("--gpu",):
        gpu = read_rows(pathlib.Path(options[1]).read_text())
        write_table(table, {name: answers[-1:] for name, answers in gpu.items()} if kind == "no_device" else gpu, now)
        return 0
    rows = read_rows(table.read_text())
    if options[:1] == ("--bless",):
        write_table(table, {name: [answer.partition("|")[0] for answer in answers] for name, answers in rows.items()}, now)
        return 0
    wrong = [f"{name}: called, and not in {table.name}: ask a GPU, or --bless" for name in now if name not in rows]
    wrong += [f"{name}: in {table.name}, and not called" for name in rows if name not in now]
    for name in now.keys() & rows.keys():
        expected = [answer.rpartition("|")[2] for answer in rows[name]]
        if now[name] != expected:
            wrong.append(f"{name}: {pack(now[name])}, not {pack(expected)}")
    answers = [answer for row in rows.values() for answer in row if answer != "-"]
    asked = [answer for answer in answers if not answer.startswith("?")]
    alike = sum("|" not in answer for answer in asked)
    print("".join(f"{line}\n" for line in sorted(wrong)) + f"{len(rows)} rows, {len(answers)} answers, {alike} of {len(asked)} as a GPU's, {len(wrong)} wrong")
    return bool(wrong) or not now


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
