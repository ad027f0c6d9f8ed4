"""harness.py: runs a sample's kernel with warplens and checks what came out and what it cost.

A test is a Python program with the tool's path as its argument. For every launch it states the
result, computed by NumPy, and the counters of every line that touches memory, as they follow from
the rules of docs/memory-model.md. A line is named by a piece of its text that no other line of the
kernel has, so the tests do not depend on line numbers; a memory instruction that no expectation
speaks of is an error.

Exit status: 0 all is right, 1 something differs, 77 skipped (no NumPy).
"""

import pathlib
import shlex
import sqlite3
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    print("skipped: there is no NumPy for this Python (Debian: python3-numpy)")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Counters by site, with every (file, line) of the chain of inlined calls that the site lies in.
SITES = """
WITH RECURSIVE chain(site, location) AS (
    SELECT id, location FROM site
    UNION SELECT chain.site, location.inlined_at
    FROM chain JOIN location ON location.id = chain.location
    WHERE location.inlined_at IS NOT NULL)
SELECT site.id AS id, site.text AS text, site.space || ' ' || site.op AS access, file.path AS path,
       location.line AS line, count.*
FROM chain JOIN site ON site.id = chain.site JOIN count ON count.site = site.id
     JOIN location ON location.id = chain.location JOIN file ON file.id = location.file
WHERE count.launch = 0
"""

# What does not depend on whether all blocks ran, or some for all (--counts-only).
SAME = """
SELECT * FROM count; SELECT * FROM pattern; SELECT * FROM location_count; SELECT * FROM shared_variable;
SELECT status, blocks, blocks_run, evidence_blocks, loaded_sectors, loaded_bytes, stored_sectors, stored_bytes,
       loaded_by_blocks, warp_insts, thread_insts, modelled, fp32_flops, fp64_flops, matrix_insts, matrix_ops FROM launch
"""


class Test:
    """One sample: its name, the tool, a scratch folder, and what has failed so far."""

    def __init__(self, sample):
        if len(sys.argv) != 2:
            sys.exit(f"usage: {sys.argv[0]} WARPLENS")
        self.warplens = str(pathlib.Path(sys.argv[1]).resolve())
        self.sample = sample
        self.source = f"samples/{sample}/{sample}.cu"
        self.lines = (ROOT / self.source).read_text().splitlines()
        self.scratch = tempfile.TemporaryDirectory()
        self.launches = 0
        self.checks = 0
        self.failures = 0

    def launch(self, kernel, grid, block, *arguments, shared=0):
        """shared: bytes of dynamic shared memory."""
        run = Launch(self, kernel, grid, block, arguments, shared)
        if run.status != 0:
            sys.exit(f"{run.output}FAIL exit status {run.status}: {shlex.join(run.command)}")
        run.read_profile()
        run.count_only()
        return run

    def fault(self, message, kernel, grid, block, *arguments):
        """A launch that ends in a fault of the kernel, which the message tells."""
        run = Launch(self, kernel, grid, block, arguments)
        self.expect(f"{kernel}, exit status", 2, run.status)
        self.expect(f"{kernel} says {message!r}", True, message in run.output)

    def expect(self, what, expected, actual):
        self.checks += 1
        if expected != actual:
            self.failures += 1
            print(f"FAIL {what}: expected {expected}, is {actual}")

    def finish(self):
        verdict = f"{self.failures} of {self.checks} differ" if self.failures else "all as expected"
        print(f"{self.sample}: {self.launches} launches, {self.checks} checks: {verdict}")
        sys.exit(1 if self.failures else 0)


class Launch:
    """One run of `warplens kernel`. arguments: a NumPy array (copied in and out), or a scalar as
    the command line takes it ("i32=1024")."""

    def __init__(self, test, kernel, grid, block, arguments, shared=0):
        self.test = test
        self.kernel = kernel
        self.folder = pathlib.Path(test.scratch.name) / str(test.launches)
        self.folder.mkdir()
        test.launches += 1

        module = ROOT / test.source.replace(".cu", ".ptx")
        self.command = [test.warplens, "kernel", str(module), "--quiet", "--no-sass"]
        self.command += ["-o", str(self.folder / "launch.wlp"), "-k", kernel]
        self.command += ["--grid", str(grid), "--block", str(block), "--shared", str(shared)]
        self.arrays = {}
        for number, argument in enumerate(arguments):
            if isinstance(argument, np.ndarray):
                argument = self.array(number, argument)
            self.command += ["--arg", argument]
        result = subprocess.run(self.command, cwd=ROOT, text=True, capture_output=True)
        self.status, self.output = result.returncode, result.stdout + result.stderr

    def array(self, number, values):
        """The argument that fills an array with the values; it is written back after the launch."""
        before = self.folder / f"in{number}.npy"
        self.arrays[number] = self.folder / f"out{number}.npy"
        np.save(before, values)
        self.command += ["--dump", f"{number}={self.arrays[number]}"]
        return f"{values.dtype.kind}{values.dtype.itemsize * 8}[{values.size}]={before}"

    def read_profile(self):
        database = sqlite3.connect(self.folder / "launch.wlp")
        database.row_factory = sqlite3.Row
        self.sites = [dict(row) for row in database.execute(SITES)]
        self.spoken_for = set()

    def count_only(self):
        """The same launch without results: every counter and pattern is the same."""
        profiles = self.folder / "launch.wlp", self.folder / "counts.wlp"
        words = [word if word != str(profiles[0]) else str(profiles[1]) for word in self.command]
        while "--dump" in words:
            at = words.index("--dump")
            del words[at : at + 2]
        result = subprocess.run([*words, "--counts-only"], cwd=ROOT, text=True, capture_output=True)
        self.test.expect(f"{self.kernel}, only counted: exit status", 0, result.returncode)
        rows = []
        for profile in profiles:
            database = sqlite3.connect(profile)
            rows.append([database.execute(query).fetchall() for query in SAME.split(";")])
        self.test.expect(f"{self.kernel}, only counted: the same", True, rows[0] == rows[1])

    def result(self, number, expected):
        """What argument `number` holds after the launch equals the expected array, bit for bit."""
        actual = np.load(self.arrays[number])
        expected = expected.reshape(-1)
        same = actual.dtype == expected.dtype and actual.tobytes() == expected.tobytes()
        self.test.expect(f"{self.kernel}, argument {number} is right", True, same)
        if not same and actual.nbytes == expected.nbytes:
            differs = actual.view(np.uint8) != expected.view(np.uint8)
            at = np.flatnonzero(differs)[0] // expected.itemsize
            print(f"     first at element {at}: expected {expected[at]}, is {actual[at]}")

    def shared(self, text, op, requests, wavefronts, ideal):
        """The shared-memory instructions of a line; op is "load", "store" or "atomic"."""
        self.counts(
            text, f"shared {op}", requests=requests, wavefronts=wavefronts, wavefronts_ideal=ideal
        )

    def device(self, text, op, requests, sectors, ideal):
        """The same for global memory."""
        self.counts(text, f"global {op}", requests=requests, sectors=sectors, sectors_ideal=ideal)

    def counts(self, text, access, **expected):
        """Counters by name, summed over the line's instructions and those inlined into it."""
        found = [site for site in self.sites if site["access"] == access and self.at(site, text)]
        where = f"{self.kernel}, line {text.strip()!r}, {access}"
        self.test.expect(f"{where}: number of such lines", 1, len({site["line"] for site in found}))
        self.spoken_for |= {site["id"] for site in found}
        for counter, value in expected.items():
            actual = sum(site[counter] for site in {site["id"]: site for site in found}.values())
            self.test.expect(f"{where} {counter}", int(value), actual)

    def at(self, site, text):
        ours = site["path"].endswith(self.test.source)
        return ours and text in self.test.lines[site["line"] - 1]

    def done(self):
        """Nothing was executed that no expectation spoke of."""
        rest = {
            site["text"]
            for site in self.sites
            if site["requests"] and site["id"] not in self.spoken_for
        }
        self.test.expect(f"{self.kernel}, memory instructions that no line speaks of", set(), rest)
