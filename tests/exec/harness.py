"""harness.py: runs a kernel in every configuration that must not change what comes out.

A launch is a PTX text, a shape and arguments. It is run with one and with three workers, and with
evidence of all, of some and of no blocks; results, exit status, messages, counters and thread
instructions must agree. With WARPLENS_TEST_JIT=1 in the environment the first run is interpreted
and the others are compiled, which must not change anything either; nor must it change the access
patterns that are recorded. WARPLENS_TEST_PLAN=1 does the same for plans, which need no compiler. WARPLENS_TEST_OBSERVED names a program (observed.c) that takes the place of
the second and third run, and fails where counters are not what its observer was told. With WARPLENS_TEST_MACHINE=GPU the
second run executes what ptxas makes of the kernel for that GPU: results and exit status must agree; what is not translated
is listed at the end. With WARPLENS_TEST_BARE=1 beside it the first run is that, and the second executes a cubin without PTX: results,
counters and instructions must agree. With WARPLENS_TEST_COUNTS=1 the second run only counts (--counts-only): counters, evidence and footprint
must be those of the first, in which all blocks run; how many launches some blocks ran for is listed at the end. Where the program
says that data decide, a taint of its own (taint.py) must say so, too: every other kernel is to qualify.
WARPLENS_TEST_OTHER names another build of the program (playground/warplens.mjs), which makes the second run: results, messages but for
addresses, counters and evidence must agree. With WARPLENS_TEST_JIT=1 beside it that run is compiled.
Only Python's own library is needed.
"""

import array
import ast
import concurrent.futures
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

import taint

HERE = pathlib.Path(__file__).resolve().parent
SECONDS_ALLOWED = 300  # under the sanitizers; without them no launch takes more than a few

# The code of Python's array module for each type of an argument.
CODES = {"u8": "B", "i8": "b", "u16": "H", "i16": "h", "u32": "I", "i32": "i"}
CODES |= {"u64": "Q", "i64": "q", "f32": "f", "f64": "d"}
NUMPY = {"B": "|u1", "b": "|i1", "H": "<u2", "h": "<i2", "I": "<u4", "i": "<i4"}
NUMPY |= {"Q": "<u8", "q": "<i8", "f": "<f4", "d": "<f8"}

# Workers, blocks with evidence (None: the default), engine.
CONFIGURATIONS = [(1, "all", "interp"), (1, "0", "interp"), (3, None, "interp")]
JIT = bool(os.environ.get("WARPLENS_TEST_JIT"))
if JIT:
    CONFIGURATIONS = [(1, "all", "interp"), (1, "all", "jit=1"), (3, "all", "jit=1")]
PLAN = bool(os.environ.get("WARPLENS_TEST_PLAN"))
if PLAN:
    CONFIGURATIONS = [(1, "all", "interp"), (1, "all", "plan=1"), (3, "all", "plan=1")]
MACHINE = os.environ.get("WARPLENS_TEST_MACHINE")
if MACHINE:
    CONFIGURATIONS = [(1, "all", "interp"), (1, "all", "machine")]
BARE = bool(os.environ.get("WARPLENS_TEST_BARE"))
if BARE:
    CONFIGURATIONS = [(1, "all", "machine"), (1, "all", "bare")]
ARCHES = {"t4": "75", "a100": "80", "h100": "90", "b200": "100", "rtx5090": "120"}
OLDER = {"t4": "sm_75", "a100": "sm_80", "rtx3090": "sm_86", "l40": "sm_89"}  # than the target of most texts
NOT_TRANSLATED = "cannot be executed: "
OBSERVED = os.environ.get("WARPLENS_TEST_OBSERVED")
if OBSERVED:
    CONFIGURATIONS = [(1, "all", "interp"), (1, "all", "observed")]
OTHER = os.environ.get("WARPLENS_TEST_OTHER")
if OTHER:
    CONFIGURATIONS = [(1, "all", "interp"), (1, "all", "other")]
ADDRESS = re.compile(r"0x[0-9a-f]+")
COUNTS = bool(os.environ.get("WARPLENS_TEST_COUNTS"))
if COUNTS:  # of one block evidence, and of some, which may be written down without running them
    CONFIGURATIONS = [(1, "1", "interp"), (1, "1", "counts"), (1, "7", "interp"), (1, "7", "counts")]
# Tables that do not depend on the configuration; launch has times, and says how many blocks are evidence.
SAME_TABLES = ("count", "site", "location_count", "shared_variable")
SAME_COLUMNS = "status, blocks, blocks_run, warp_insts, thread_insts, fault"
if COUNTS:
    SAME_COLUMNS += ", evidence_blocks, loaded_sectors, loaded_bytes, stored_sectors, stored_bytes, loaded_by_blocks"
    SAME_COLUMNS += ", modelled, fp32_flops, fp64_flops, matrix_insts, matrix_ops"


def write_npy(path, kind, values):
    code = CODES[kind]
    header = f"{{'descr': '{NUMPY[code]}', 'fortran_order': False, 'shape': ({len(values)},), }}"
    header = header.ljust(117) + "\n"
    start = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little")
    path.write_bytes(start + header.encode() + array.array(code, values).tobytes())


def read_npy(path):
    data = path.read_bytes()
    end = 10 + int.from_bytes(data[8:10], "little")
    descr = ast.literal_eval(data[10:end].decode())["descr"]
    code = next(code for code, name in NUMPY.items() if name == descr)
    return list(array.array(code, data[end:]))


class Array:
    """An argument: a type and the values that the array holds before the launch."""

    def __init__(self, kind, values):
        self.kind, self.values = kind, values


class Outcome:
    """What a launch left: exit status, messages, arrays by argument number, rows of the profile."""

    def __init__(self, status, output, arrays, profile):
        self.status, self.output, self.arrays, self.profile = status, output, arrays, profile
        self.tables, self.patterns, self.representatives = {}, [], 0
        if profile.exists():
            database = sqlite3.connect(profile)
            database.row_factory = sqlite3.Row
            for table in SAME_TABLES:
                rows = database.execute(f"SELECT * FROM {table}")
                self.tables[table] = [dict(row) for row in rows]
            for row in self.tables["shared_variable"]:
                del row["element_bytes"]  # known from evidence
            rows = database.execute(f"SELECT {SAME_COLUMNS} FROM launch")
            self.tables["launch"] = [dict(row) for row in rows]
            self.representatives = database.execute("SELECT sum(representatives) FROM launch").fetchone()[0]
            # Bytes of global memory that blocks with evidence access, each once.
            self.moved = tuple(database.execute("SELECT sum(loaded_bytes), sum(stored_bytes) FROM launch").fetchone())
            rows = database.execute("SELECT * FROM pattern")
            self.patterns = [dict(row) for row in rows]
            database.close()

    def counters(self, text):
        """The sum of the counters of the instructions whose PTX contains the text."""
        sites = {row["id"] for row in self.tables["site"] if text in row["text"]}
        rows = [row for row in self.tables["count"] if row["site"] in sites]
        return {name: sum(row[name] for row in rows) for name in (rows[0] if rows else {})}


class Tool:
    """The program under test, and a folder for what it writes."""

    def __init__(self, warplens):
        self.warplens = str(pathlib.Path(warplens).resolve())
        if MACHINE and not (shutil.which("ptxas") and shutil.which("nvdisasm")):
            print("skipped: there is no ptxas, or no nvdisasm")
            sys.exit(77)
        in_memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # saving a profile waits for the disk
        self.folder = tempfile.TemporaryDirectory(dir=in_memory)
        self.launches = 0
        self.failures = []
        self.translated, self.faulted, self.reasons, self.represented = 0, 0, {}, 0
        self.pool = concurrent.futures.ThreadPoolExecutor(2)

    def fail(self, message):
        self.failures.append(message)
        print(f"FAIL {message}")

    def expect(self, what, expected, actual):
        if expected == actual:
            return
        at = ""
        if isinstance(expected, list) and isinstance(actual, list) and len(expected) == len(actual):
            first = next(i for i, pair in enumerate(zip(expected, actual)) if pair[0] != pair[1])
            wrong = sum(a != b for a, b in zip(expected, actual))
            at = f" ({wrong} of {len(expected)} differ, the first at [{first}])"
            expected, actual = expected[first : first + 8], actual[first : first + 8]
        self.fail(f"{what}: expected {expected}, is {actual}{at}")

    def run(
        self, module, kernel, grid="1", block="32", arguments=(), options=(), every=True, varies=False,
        addresses=(), configurations=None,
    ):  # fmt: skip
        """The outcome of a launch; configurations that differ from the first are failures.
        module: a path, or a text. arguments: Arrays, and texts as the command line takes them.
        every: in every configuration; or configurations: those to be tried. varies: counters may differ, since threads wait for others.
        addresses: arguments that hold some, which another program has elsewhere."""
        self.launches += 1
        if MACHINE in OLDER and isinstance(module, str):
            module = module.replace(".target sm_90", f".target {OLDER[MACHINE]}")
        folder = pathlib.Path(self.folder.name) / str(self.launches)
        folder.mkdir()
        if not isinstance(module, pathlib.Path):
            (folder / "module.ptx").write_text(module)
            module = folder / "module.ptx"
        command = [self.warplens, "kernel", module, "-k", kernel, "-q", "--no-save", "--no-sass"]
        command += ["--grid", str(grid), "--block", str(block), *options]
        dumped = []
        for number, argument in enumerate(arguments):
            if isinstance(argument, Array):
                path = folder / f"in{number}.npy"
                write_npy(path, argument.kind, argument.values)
                argument = f"{argument.kind}[{len(argument.values)}]={path}"
            if "[" in argument:
                dumped.append(number)
            command += ["--arg", argument]
        self.varies = varies
        if MACHINE:
            command += [] if "--gpu" in options else ["--gpu", MACHINE]
            configurations, varies = CONFIGURATIONS, True
        if COUNTS:
            configurations = CONFIGURATIONS
        configurations = configurations or (CONFIGURATIONS if every or JIT or PLAN else CONFIGURATIONS[:1])
        jobs = [self.pool.submit(self.once, command, folder, dumped, c) for c in configurations]
        first, *others = outcomes = [job.result() for job in jobs]
        for (workers, evidence, engine), other in zip(configurations[1:], others):
            # What was recorded in a launch that only counts is compared with what as many blocks have that ran.
            like = next(one for c, one in zip(configurations, outcomes) if not COUNTS or c[1] == evidence)
            where = f"{kernel} with {workers} workers, evidence {evidence}, {engine}"
            if engine == "bare":
                reason = first.output.partition(NOT_TRANSLATED)[2].strip() or other.bare
                reason = reason or other.output.partition("cannot be executed, and there is no PTX of it: ")[2].strip()
                self.translated += not reason
                if reason:
                    self.reasons.setdefault(reason, set()).add(kernel)
                    continue
                other.output = first.output  # arrays have no names there, and instructions no lines
                if not self.varies and first.status == 0:
                    for table in ("count", "launch"):
                        self.expect(f"{where}: {table}", first.tables[table], other.tables[table])
            if engine == "machine":
                reason = other.output.partition(NOT_TRANSLATED)[2].strip()
                self.translated += not reason
                if reason:
                    self.reasons.setdefault(reason, set()).add(kernel)
                    continue
                if first.status == 2:  # ptxas need not keep what is a fault of the PTX, nor what was done before it
                    self.faulted += other.status != 2
                    continue
                other.output = first.output
            if engine == "other" and ADDRESS.sub("0x", first.output) == ADDRESS.sub("0x", other.output):
                other.output = first.output  # memory lies elsewhere
                for number in addresses:
                    other.arrays[number] = first.arrays[number]
                for row, here in zip(other.tables.get("launch", []), first.tables.get("launch", [])):
                    row["fault"] = here["fault"]
            if engine == "counts":
                other.arrays = first.arrays  # there are no results
                self.represented += evidence == configurations[0][1] and other.representatives > 0
                if other.because and evidence == configurations[0][1]:
                    self.judge(where, module, kernel, other.because)
            self.expect(f"{where}: exit status", first.status, other.status)
            self.expect(f"{where}: messages", first.output, other.output)
            for number in dumped:
                self.expect(f"{where}: argument {number}", first.arrays[number], other.arrays[number])
            # How far other blocks came is open after a fault.
            if not varies and (first.status == 0 or str(grid) == "1"):
                self.expect(f"{where}: profile", like.tables, other.tables)
                if COUNTS or evidence == configurations[0][1]:
                    self.expect(f"{where}: evidence", like.patterns, other.patterns)
        return first

    def judge(self, where, module, kernel, because):
        """All blocks ran; why, the program says."""
        reason, _, place = because.partition(": ")
        self.reasons.setdefault(reason, set()).add(kernel)
        insns = taint.kernels((HERE / module).read_text()).get(kernel)
        if "depends on data" in reason and insns and not taint.decides(insns):
            self.fail(f"{where}: {reason}: {place}: no data decide there")

    def once(self, command, folder, dumped, configuration):
        workers, evidence, engine = configuration
        folder = folder / f"{workers}-{evidence}-{engine}"
        folder.mkdir()
        profile = folder / "launch.wlp"
        if engine == "observed":
            command, engine = [OBSERVED, *command[1:]], "interp"
        if engine == "other":
            command, engine = [OTHER, *command[1:]], "jit=1" if JIT else "interp"
        if engine == "machine":
            command, engine = [*command, "--machine-code", "require"], "interp"
        if engine == "bare":
            gpu = command[command.index("--gpu") + 1] if "--gpu" in command else MACHINE
            made = self.assembled(HERE / command[2], command[4], gpu, folder)
            command, engine = [*command[:2], folder / "module.cubin", *command[3:]], "interp"
        if engine == "counts":
            command = [word for word in command if word != "-q"] + ["--page", "none", "--counts-only"]
            engine, dumped = "interp", []
        command = [*command, "--threads", str(workers), "--engine", engine, "-o", profile]
        command += ["--evidence", evidence] if evidence else []
        for number in dumped:
            command += ["--dump", f"{number}={folder}/out{number}.npy"]
        done = subprocess.run(
            command, cwd=HERE, text=True, capture_output=True, timeout=SECONDS_ALLOWED
        )
        paths = {number: folder / f"out{number}.npy" for number in dumped}
        arrays = {number: read_npy(path) if path.exists() else None for number, path in paths.items()}
        said = done.stdout + done.stderr
        because = re.search(r"counts only: all blocks ran: (.*)", said) if configuration[2] == "counts" else None
        if configuration[2] == "counts":
            said = re.sub(r"warplens: (counts only: |profile saved in ).*\n", "", said)
        outcome = Outcome(done.returncode, said, arrays, profile)
        outcome.because = because and because.group(1)
        if configuration[2] == "bare":
            outcome.bare = made
        return outcome

    def assembled(self, module, kernel, gpu, folder):
        """Makes module.cubin; what ptxas says, where it does not."""
        variant = re.search(r"\.target\s+sm_\d+([af]?)", module.read_text()).group(1)
        command = ["ptxas", f"-arch=sm_{ARCHES[gpu]}{variant}", "-e", kernel, "-o", folder / "module.cubin", module]
        done = subprocess.run(command, text=True, capture_output=True, timeout=SECONDS_ALLOWED)
        if done.returncode:
            return done.stdout + done.stderr
        cubin = folder / "module.cubin"  # PTX with lines is kept there
        cubin.write_bytes(cubin.read_bytes().replace(b"\0.nv_debug_ptx_txt", b"\0.no_debug_ptx_txt"))
        return ""

    def finish(self, name):
        if MACHINE:
            print(f"{name}: {self.faulted} launches are faults as PTX alone")
            print(f"{name}: {self.translated} of {self.launches} launches as machine code; not translated:")
            for reason, kernels in sorted(self.reasons.items(), key=lambda item: -len(item[1])):
                print(f"    {len(kernels):4} kernels ({min(kernels)}): {reason.splitlines()[0]}")
        if COUNTS:
            print(f"{name}: {self.represented} of {self.launches} launches by some of their blocks; why not:")
            for reason, kernels in sorted(self.reasons.items(), key=lambda item: -len(item[1])):
                print(f"    {len(kernels):4} kernels: {reason}")
        verdict = f"{len(self.failures)} failures" if self.failures else "all as expected"
        print(f"{name}: {self.launches} launches: {verdict}")
        return 1 if self.failures else 0


HEAD = ".version 8.5\n.target sm_90\n.address_size 64\n"


def entry(name, params, body, variables="", directives=""):
    """The PTX of a kernel. params: name -> type. Registers %r (32 bits), %d (64), %h (16), %f, %g
    (f32, f64), %p and %q (128 bits) are there."""
    listed = ", ".join(f".param .{kind} {param}" for param, kind in params.items())
    registers = ".reg .pred %p<64>; .reg .b16 %h<64>; .reg .b32 %r<256>; .reg .b64 %d<256>; "
    registers += ".reg .f32 %f<64>; .reg .f64 %g<64>;"
    lines = re.sub(r"(?m)^\s*(?=\S)", "    ", body.strip("\n"))
    return f"{variables}\n.visible .entry {name}({listed}) {directives}\n{{\n    {registers}\n{lines}\n}}\n"
