"""The suite of kernels with bank conflicts: for each, its launch, and the sources to compare."""

import csv
import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent


class Case:
    """A row of cases.tsv. `big`: the launch that is timed, else the one that is counted."""

    def __init__(self, row):
        self.name, self.kernel, self.style = row["case"], row["kernel"], row["style"]
        self.grids = {False: row["grid"], True: row["timed grid"]}
        self.block = row["block"]
        shared = row["shared"].split()
        self.shared = {"expert": int(shared[-1]), None: int(shared[0])}
        self.text = row["arguments"]
        self.source, self.expert = HERE / f"{self.name}.cu", HERE / f"{self.name}.expert.cu"

    def grid(self, big=False):
        return [int(x) for x in (self.grids[big] + ",1,1").split(",")[:3]]

    def arguments(self, big=False):
        """As `warplens kernel --arg` takes them: {…} is an expression of the grid."""
        gx, gy, gz = self.grid(big)
        value = lambda found: str(eval(found.group(1), {"gx": gx, "gy": gy, "gz": gz}))
        return [re.sub(r"\{([^}]*)\}", value, word) for word in self.text.split(";")]

    def dynamic(self, variant):
        """Bytes of dynamic shared memory that a launch asks for."""
        return self.shared.get(variant, self.shared[None])

    def say_dynamic(self, variant, text):
        """Of another source, by what fix says, or by the line that compare.py puts above what it keeps."""
        found = re.search(r"a launch asks for ([\d,]+) bytes", text)
        if found:
            self.shared[variant] = int(found.group(1).replace(",", ""))

    def launch(self, variant=None):
        """Options of `warplens kernel` and `warplens fix`."""
        words = ["-k", self.kernel, "--grid", ",".join(map(str, self.grid())), "--block", self.block]
        if self.dynamic(variant):
            words += ["--shared", str(self.dynamic(variant))]
        for argument in self.arguments():
            words += ["--arg", argument]
        return words


def all_cases(only=()):
    with open(HERE / "cases.tsv", encoding="utf-8") as table:
        cases = [Case(row) for row in csv.DictReader(table, delimiter="\t")]
    return [case for case in cases if not only or case.name in only]
